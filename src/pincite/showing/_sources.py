"""What the reader sees of a source: its line in the list and its passages below it, all of it text from elsewhere."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Self

from pincite._quick import maker
from pincite.core import markdown
from pincite.core.text import one_line
from pincite.core.text_fragments import words_fragment
from pincite.core.urls import LINK_CODE_POINTS, UPLOAD, safe_link, shown_source
from pincite.core.verdicts import SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.core.limits import Limits
    from pincite.core.locators import Locator

Numbering = Literal["source", "passage"]
"""What has a number of its own: a source, or each cited passage of one, by a letter behind it."""

# Code points of a place in the list, of a quote in it, and of an address that tells a source from its namesake.
_PLACE, _QUOTE, _HOME = 400, 120, 200
# An address of a PDF without a fragment: a literal, one run.
_PDF = re.compile(r"(?i)\.pdf(?:\?[^#]*+)?\Z")
# Passages of one source that its link leads to.
_LED_TO = 5
# How much more of a text is looked at than is shown of it: what is left out of a label may stand in front.
_SPARE = 8
# What a renderer may make a link of though it is escaped: an address, a mailbox, a name. One class, then a literal.
_CALLS = re.compile(r"(?i)(\\@|\bwww(?=\\?\.))")
# What needs a look before it stands in Markdown, a dot only inside of a word; most text has none of it. One class.
_SPECIAL = re.compile(r"[\\`*_\[\]{}()#+!|~$@<>^=&/.](?:(?<!\.)|(?=\w))")
_AT_START = frozenset("-0123456789")
# Letters that show nothing, though they are letters or symbols.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_STATES = {SourceState.SUPERSEDED: " (superseded version)", SourceState.REMOVED: " (removed)"}


@dataclass(frozen=True, slots=True)
class RenderedPassage:
    """One cited passage of a source: `label` is its number as it stands in the text, without brackets.

    `words` are the words that are meant as they stand in the source, with their line ends, where they are known.
    `fragment` is the text directive that leads to them on their page, where the page was at hand.
    """

    ref: str | None
    evidence_id: str | None
    locator: Locator
    excerpt: str
    label: str = ""
    words: str = ""
    fragment: str = ""

    @property
    def directive(self) -> str:
        """The text directive for the words, made of them alone where there is no better one; empty for none."""
        return self.fragment or (words_fragment(self.words) if self.words else "")


@dataclass(frozen=True, slots=True)
class RenderedSource:
    """A numbered source: one version of one document. Number 0 is not cited in the text.

    `url` is set only when it is safe to link. `state` is what became of the version since, None where that is not
    known. `home` tells the source from another with the same title: an address, the name of an upload, or the
    beginning of an id; empty where nothing needs telling.
    """

    number: int
    title: str
    url: str | None
    passages: tuple[RenderedPassage, ...]
    state: SourceState | None = None
    home: str = ""

    @property
    def link(self) -> str | None:
        """`url`, led on to what is cited: a page of a PDF by its number, words by a text fragment."""
        if self.url is None or ":~:" in self.url:
            return self.url
        cited = self.passages[:_LED_TO]
        page = cited[0].locator.page if cited else None
        if page is not None:
            return f"{self.url}#page={page}" if _PDF.search(self.url) is not None else self.url
        link = self.url
        for directive in dict.fromkeys(passage.directive for passage in cited):
            joint = directive if "#" in link else f"#{directive}"
            longer = link + (joint if link == self.url else "&" + directive.removeprefix(":~:"))
            link = longer if directive and len(longer) <= LINK_CODE_POINTS else link
        return link


_rendered_source = maker(RenderedSource)


class RenderedSources(tuple[RenderedSource, ...]):  # noqa: SLOT001 - a tuple with a field has no slots
    """The cited sources in order of first citation, each once.

    `declared_only` are sources, with number 0, of ids that are valid and not cited in the text.
    """

    declared_only: tuple[RenderedSource, ...]

    def __new__(
        cls, sources: Sequence[RenderedSource] = (), declared_only: Sequence[RenderedSource] = ()
    ) -> Self:
        """Return `sources`, and `declared_only` beside them."""
        made = super().__new__(cls, sources)
        made.declared_only = tuple(declared_only)
        return made


@dataclass(slots=True)
class Draft:
    """A source while its citations are still being read."""

    title: str
    uri: str | None
    state: SourceState | None = None
    document: str = ""
    version: str = ""
    passages: list[RenderedPassage] = field(default_factory=list[RenderedPassage])


def finished(drafts: Sequence[Draft], numbers: Iterable[int], limits: Limits) -> list[RenderedSource]:
    """Return the sources of `drafts` under their `numbers`."""
    titles = [_title(draft, limits) for draft in drafts]
    homes = _homes(drafts, titles)
    return [
        _rendered_source(
            number,
            title,
            safe_link(draft.uri),
            tuple(draft.passages),
            draft.state,
            homes.get(index, ""),
        )
        for index, (number, draft, title) in enumerate(zip(numbers, drafts, titles, strict=False))
    ]


def line_of(text: str, limit: int) -> str:
    """Return at most `limit` code points of `text` for a label, on one line; the rest of a long text is not read."""
    if len(text) > limit * _SPARE:
        text = text[: limit * _SPARE]
    # Most text holds nothing that has to go.
    if len(text) <= limit and text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return one_line(text, limit)


def sources_list(sources: Sequence[RenderedSource]) -> list[str]:
    """Return the blocks of a Sources list in Markdown: a heading, then one line a source with its passages below."""
    if not sources:
        return []
    return ["### Sources", *(_block(source) for source in sources)]


def _block(source: RenderedSource) -> str:
    label = _isolated(escaped(source.title))
    line = f"[{source.number}] {label}"
    if source.link is not None:
        line = f"[{source.number}] [{label}](<{source.link}>)"
    if source.state is not None:
        line += _STATES.get(source.state, "")
    below = [f"   - {escaped(source.home)}"] if source.home else []
    return "\n".join([line, *below, *dict.fromkeys(_passages(source))])


def _passages(source: RenderedSource) -> Iterator[str]:
    number = str(source.number)
    several = len(source.passages) > 1
    locator, place = None, ""
    for passage in source.passages:
        # Spans of one fetched passage have one place in common.
        if passage.locator is not locator:
            locator = passage.locator
            place = escaped(line_of(locator.describe(), _PLACE))
        if not (place or several):
            continue
        told = place
        excerpt, label = passage.excerpt, passage.label
        if excerpt:
            quote = _isolated(escaped(excerpt if len(excerpt) <= _QUOTE else _short(excerpt)))
            told = f"{told}: “{quote}”" if told else f"“{quote}”"
        if label and label != number:
            told = f"{label} {told}".rstrip()
        if told:
            yield f"   - {told}"


def escaped(text: str) -> str:
    """Return one line of `text` so that Markdown, HTML and what looks for addresses show it as it is."""
    if _SPECIAL.search(text) is None and text[:1] not in _AT_START and "1:" not in text:
        return text
    return _CALLS.sub("\\1\u200b", markdown.escaped(text))


def _isolated(text: str) -> str:
    """Return a label so that letters that run from right to left do not turn what stands around it."""
    if text.isascii() or not any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in text):
        return text
    return f"\u2068{text}\u2069"


def _short(text: str) -> str:
    head = text[: _QUOTE - 1]
    space = head.rfind(" ")
    return (head[:space] if space > _QUOTE // 2 else head).rstrip(" ,;:.…") + "…"


def _title(draft: Draft, limits: Limits) -> str:
    """Return a title that can be seen: the document's, else the name or address it has, else a word."""
    title = line_of(draft.title, limits.title_code_points)
    if not _shows(title):
        title = line_of(shown_source(draft.uri).removeprefix(UPLOAD), limits.title_code_points)
    return title if _shows(title) else "Source"


def _shows(title: str) -> bool:
    if title.isascii():
        return title != ""
    return any(char not in _BLANK and unicodedata.category(char)[0] in "LNPS" for char in title)


def _homes(drafts: Sequence[Draft], titles: Sequence[str]) -> dict[int, str]:
    """Return, for sources whose lines would look alike, what tells them apart."""
    alike: dict[tuple[str, str], list[int]] = {}
    for index, (draft, title) in enumerate(zip(drafts, titles, strict=True)):
        state = _STATES.get(draft.state, "") if draft.state is not None else ""
        alike.setdefault((title.casefold(), state), []).append(index)
    homes: dict[int, str] = {}
    for indexes in alike.values():
        if len(indexes) == 1:
            continue
        own = {
            index: line_of(shown_source(drafts[index].uri).removeprefix(UPLOAD), _HOME) for index in indexes
        }
        seen = Counter(own.values())
        documents = Counter(drafts[index].document for index in indexes)
        for index, home in own.items():
            draft = drafts[index]
            names = [home] if home else []
            if draft.document and (not home or seen[home] > 1):
                version = documents[draft.document] > 1
                names.append(f"version {draft.version}" if version else f"document {draft.document[:8]}")
            homes[index] = ", ".join(names)
    return homes
