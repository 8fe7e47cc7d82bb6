"""The texts that somebody holds of cited versions: where cited words stand in them, what is around, and links there."""

from __future__ import annotations

from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from pincite.core.errors import MalformedIdError
from pincite.core.given import items_of, of_kind
from pincite.core.ids import SpanEvidenceId, parse_evidence_id
from pincite.core.protocols import EvidenceText
from pincite.core.text_fragments import SearchedPage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.core.answer import Answer
    from pincite.core.citation import CitationSource
    from pincite.core.protocols import EvidenceStore
    from pincite.core.scope import Scope

# Code points on each side of a quote that tell it from the same words elsewhere.
_AROUND = 32
# Code points behind a cited passage that are read with what stands before it.
_BEHIND = 200

_Version = tuple[str, str]


class Words(NamedTuple):
    """The words that are meant, those on both sides, and where they begin in the text of their version, if known."""

    exact: str
    prefix: str = ""
    suffix: str = ""
    start: int | None = None


class Held:
    """Texts of cited versions: by the id of the evidence, and joined where they touch."""

    __slots__ = ("_named", "_pages", "_runs")

    def __init__(self, texts: Iterable[EvidenceText] = ()) -> None:
        """Take `texts`, in any order.

        Raises:
            InputError: they are something else.
        """
        kept = items_of(texts, "texts", "a collection of evidence texts")
        named = (of_kind(text, EvidenceText, "texts", "a collection of evidence texts") for text in kept)
        self._named = {text.evidence_id: text for text in named}
        versions: dict[_Version, list[EvidenceText]] = {}
        for text in self._named.values():
            versions.setdefault((text.document_id, text.version), []).append(text)
        self._runs = {version: _joined(held) for version, held in versions.items()}
        # A page is looked through once for all that is cited of it.
        self._pages: dict[_Version, SearchedPage] = {}

    def words(self, source: CitationSource) -> Words | None:
        """Return the words of a source that are meant: its own excerpt, in its place where that is known."""
        name = source.passage.evidence_id if source.passage is not None else None
        passage = self._named.get(name) if name is not None else None
        exact = source.excerpts[0] if source.excerpts else passage.text if passage is not None else ""
        if passage is None or not exact:
            return Words(exact) if exact else None
        inner = source.span.start if source.span is not None else 0
        if not passage.text.startswith(exact, inner):
            # The excerpt is of another text than the one that is kept: it has no place in that.
            return Words(exact)
        start = passage.start + inner
        begins, text = self._run((passage.document_id, passage.version), start)
        first = start - begins
        last = first + len(exact)
        return Words(exact, text[max(0, first - _AROUND) : first], text[last : last + _AROUND], start)

    def fragment(self, name: str, words: str, inner: int = 0) -> str:
        """Return the text directive for `words`, `inner` code points into the evidence `name`.

        Empty where the page is not held from its beginning: it could hold the same words before.
        """
        place = self._place(name)
        if place is None:
            return ""
        version, start, end = place
        begins, text = self._run(version, start)
        at = start + inner if text.startswith(words, start + inner) else text.find(words, start, end)
        if begins or at < 0:
            return ""
        if version not in self._pages:
            self._pages[version] = SearchedPage(text)
        return self._pages[version].fragment(at, at + len(words))

    def _place(self, name: str) -> tuple[_Version, int, int] | None:
        """Return the version of an evidence and its code points, where something of that version is held."""
        text = self._named.get(name)
        if text is not None:
            return (text.document_id, text.version), text.start, text.end
        try:
            named = parse_evidence_id(name)
        except MalformedIdError:
            return None
        version = (named.document_id, named.version)
        if not isinstance(named, SpanEvidenceId) or version not in self._runs:
            return None
        return version, named.start, named.end

    def _run(self, version: _Version, start: int) -> tuple[int, str]:
        """Return the stretch of a version that begins at or before `start`; the first, where none does."""
        runs = self._runs[version]
        return runs[max(0, bisect_right(runs, start, key=itemgetter(0)) - 1)]


async def cited_texts(answer: Answer, store: EvidenceStore, scope: Scope) -> list[EvidenceText]:
    """Return what exports take as `texts`: the cited passages, and the text of their versions up to them.

    With these, links land on the words that are meant, also where the page holds the same words before, and
    annotations tell where words stand. What the store does not have, or is out of `scope`, is left out.
    """
    bound = (source.passage for citation in answer.citations for source in citation.sources)
    names = dict.fromkeys(one.evidence_id for one in bound if one is not None and one.evidence_id is not None)
    texts = [text for text in await store.read(list(names), scope) if text is not None]
    reach: dict[_Version, int] = {}
    for text in texts:
        version = (text.document_id, text.version)
        reach[version] = max(reach.get(version, 0), text.end + _BEHIND)
    wider = [str(SpanEvidenceId(*version, 0, end)) for version, end in reach.items()]
    return texts + [text for text in await store.read(wider, scope) if text is not None]


def _joined(texts: list[EvidenceText]) -> list[tuple[int, str]]:
    """Return what several texts of a version show of it: where each stretch begins, and its text."""
    runs: list[tuple[int, list[str]]] = []
    end = -1
    for text in sorted(texts, key=lambda one: one.start):
        if text.start > end:
            runs.append((text.start, []))
            end = text.start
        fresh = text.text[end - text.start :]
        runs[-1][1].append(fresh)
        end += len(fresh)
    return [(start, "".join(parts)) for start, parts in runs]
