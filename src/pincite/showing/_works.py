"""The cited sources of an answer as the works that a bibliography lists."""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.core.bibliography import NO_BIBLIOGRAPHY, Bibliography
from pincite.core.citation import DocumentCitationSource, WebCitationSource
from pincite.core.errors import MalformedIdError
from pincite.core.ids import parse_evidence_id
from pincite.core.urls import safe_link
from pincite.core.verdicts import SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pincite.core.answer import Answer
    from pincite.core.citation import CitationSource
    from pincite.showing._sources import RenderedSource

# A word of a title that a key may be made of: one class.
_WORD = re.compile(r"[a-z0-9]+")
# Words that say nothing of a work, and the shortest and longest part of a key.
_EMPTY_WORDS = frozenset(
    "a an and das de der des die el et for in la le les of on the to und von with".split()
)
_LONGEST_PART = 24
# Authors that a line names before it says that there are others.
_NAMED = 3
_STATES = {SourceState.SUPERSEDED: "superseded version", SourceState.REMOVED: "removed"}


@dataclass(frozen=True, slots=True)
class Work:
    """A cited source with what is known of it. `key` is what a bibliography calls it, and nothing else in an answer."""

    source: RenderedSource
    key: str
    bibliography: Bibliography

    @property
    def type(self) -> str:
        """The kind of the work, as CSL names it: what was said, else what its fields tell."""
        known = self.bibliography
        if known.type:
            return known.type
        if known.issn or (known.container_title and known.volume):
            return "article-journal"
        if known.isbn:
            return "book"
        return "webpage" if self.source.url is not None else "document"

    @property
    def doi_link(self) -> str | None:
        """The address of the work's DOI, when it has one."""
        doi = self.bibliography.doi
        return safe_link(f"https://doi.org/{doi}") if doi else None

    @property
    def state(self) -> str:
        """What became of the cited version, in words; empty while it stands."""
        return _STATES.get(self.source.state, "") if self.source.state is not None else ""


def works_of(
    answer: Answer, sources: Iterable[RenderedSource], known: Mapping[str, Bibliography]
) -> list[Work]:
    """Return the cited sources of an answer in order, with what is `known` of their documents or addresses."""
    taken: set[str] = set()
    works: list[Work] = []
    for evidence, source in zip(answer.evidences, sources, strict=True):
        names = filter(None, names_of(evidence.source))
        bibliography = next((known[name] for name in names if name in known), NO_BIBLIOGRAPHY)
        key = _free(_key(bibliography, source), taken)
        taken.add(key)
        works.append(Work(source, key, bibliography))
    return works


def names_of(source: CitationSource) -> Iterator[str | None]:
    """Yield what a source is known under: the ids of its document, then its address."""
    passage = source.passage
    if passage is not None:
        yield passage.document_id
        if passage.evidence_id is not None:
            with suppress(MalformedIdError):
                yield parse_evidence_id(passage.evidence_id).document_id
    if isinstance(source, DocumentCitationSource):
        yield source.document_id
    if isinstance(source, WebCitationSource):
        yield source.url


def described(known: Bibliography) -> str:
    """Say in one line who wrote a work, where it appeared and when: what stands behind its title."""
    names = "; ".join(map(str, known.author))
    if len(known.author) > _NAMED:
        names = f"{known.author[0]} and others"
    place = known.container_title
    if known.volume or known.issue:
        place += f" {known.volume}" + (f"({known.issue})" if known.issue else "")
    if known.page:
        place += (", " if place else "pages ") + known.page
    issued = ", ".join(filter(None, (known.publisher, known.issued)))
    return ". ".join(filter(None, (names, place.strip(), issued)))


def _key(known: Bibliography, source: RenderedSource) -> str:
    """Return a key in letters and digits: the first author, the year and a word of the title, as far as there are."""
    author = known.author[0] if known.author else None
    who = _plain(author.family or author.literal) if author is not None else ()
    title = [word for word in _plain(source.title) if word not in _EMPTY_WORDS]
    parts = ["".join(who)[:_LONGEST_PART], known.issued[:4], *(word[:_LONGEST_PART] for word in title[:1])]
    return "".join(parts) or f"source{source.number}"


def _plain(text: str) -> list[str]:
    bare = unicodedata.normalize("NFKD", text)
    return _WORD.findall("".join(char for char in bare if not unicodedata.combining(char)).casefold())


def _free(key: str, taken: set[str]) -> str:
    number, free = 1, key
    while free in taken:
        number += 1
        free = f"{key}-{number}"
    return free
