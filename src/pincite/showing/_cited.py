"""What was fetched, found again by the ids that an answer cites, and the sources that come of it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from pincite._quick import maker
from pincite.core.errors import InputError
from pincite.core.ids import HEAD, SpanEvidenceId
from pincite.core.locators import Locator
from pincite.core.protocols import EvidenceText
from pincite.core.verdicts import SourceState
from pincite.showing._sources import Draft, Numbering, RenderedPassage, line_of
from pincite.showing.snippet import body_start

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.core.limits import Limits

# Where document and version stand in an evidence id of either form, where the colon behind each does, and the range.
_DOCUMENT, _VERSION, _SOURCE = slice(6, 42), slice(43, 59), slice(6, 59)
_COLON, _LAST_COLON = 42, 59
_IN_HEAD = slice(6, HEAD)
_RANGE = slice(60, 90)
_SPAN = "ev1:s:"
_NO_PLACE = Locator()
_rendered_passage = maker(RenderedPassage)


class SourceOutcome(Protocol):
    """What `render_citations` needs of a fetch's outcome.

    Where it has them, it also reads `status` and `state`, `locator`, `text` and the code point `offset` where that
    begins, and `span`, the evidence's place in its version.
    """

    @property
    def evidence_id(self) -> str:
        """The id that was fetched."""
        ...

    @property
    def title(self) -> str:
        """The document's title."""
        ...

    @property
    def uri(self) -> str | None:
        """The document's address."""
        ...


_Stretch = tuple[int, int, int, SourceOutcome]
"""Where an outcome begins in its version, where it ends times -1, its number among all, and the outcome."""


class _Index:
    """The outcomes of one version of a document, found by code points."""

    __slots__ = ("_furthest", "_starts", "_stretches")

    def __init__(self, stretches: list[_Stretch]) -> None:
        # Of those that begin at one place the longest first.
        self._stretches = sorted(stretches)
        self._starts = [stretch[0] for stretch in self._stretches]
        # Of all that begin up to there, the one that reaches furthest.
        self._furthest: list[_Stretch] = []

    def at(self, name: str) -> tuple[SourceOutcome | None, str]:
        """Return the outcome that holds what the id of a span names, else one that holds its start; its text there."""
        first, _, last = name[_RANGE].partition("-")
        try:
            start, end = int(first), int(last)
        except ValueError:
            return None, ""
        at = bisect_right(self._starts, start) - 1
        if at < 0:
            return None, ""
        begin, stop, _, outcome = self._stretches[at]
        if end > -stop:
            self._furthest = self._furthest or list(accumulate(self._stretches, _further))
            begin, stop, _, outcome = self._furthest[at]
        if start >= -stop:
            return None, ""
        text, offset = getattr(outcome, "text", ""), getattr(outcome, "offset", 0)
        if not isinstance(text, str):
            return outcome, ""
        if isinstance(offset, int):
            begin += offset
        # It may begin behind all of it, or in the midst.
        return outcome, text[start - begin if start > begin else 0 : end - begin if end > begin else 0]


def _further(one: _Stretch, other: _Stretch) -> _Stretch:
    return other if other[1] < one[1] else one


class Fetches:
    """The outcomes of a run, by id and by version; a version is named as `source_of` does."""

    __slots__ = ("_documents", "_stretches", "_versions", "by_id")

    def __init__(self, outcomes: Iterable[SourceOutcome]) -> None:
        self.by_id: dict[str, SourceOutcome] = {}
        for outcome in outcomes:
            name = getattr(outcome, "evidence_id", None)
            if not isinstance(name, str):
                msg = f"`outcomes` holds what `fetch_evidence` returns, not {type(outcome).__name__}."
                raise InputError(msg, field="outcomes")
            kept = self.by_id.setdefault(name, outcome)
            # A later fetch that received less loses nothing of an earlier one.
            if kept is not outcome and _rank(outcome) > _rank(kept):
                self.by_id[name] = outcome
        # Made when they are first asked for: by version where outcomes stand, and one that says what the document is
        # called, which may be one of another version.
        self._stretches: dict[str, list[_Stretch]] | None = None
        self._versions: dict[str, SourceOutcome] = {}
        self._documents: dict[str, SourceOutcome] = {}

    def titles(self) -> Iterator[str]:
        """Yield the titles of what was fetched."""
        return (_text(outcome, "title") for outcome in self.by_id.values())

    def index(self, source: str) -> _Index:
        """Return the outcomes of a version by code points."""
        if self._stretches is None:
            self._stretches = defaultdict(list)
            for number, (name, outcome) in enumerate(self.by_id.items()):
                place = _place(name) or _stated_place(outcome)
                if place is not None:
                    start, stop = place
                    self._stretches[name[_IN_HEAD]].append((start, -stop, number, outcome))
        return _Index(self._stretches.get(f"{source}:", []))

    def any_of(self, source: str, document: str) -> SourceOutcome | None:
        """Return an outcome that says what a document is called: one of that version, else of another."""
        if not self._versions:
            for name, outcome in self.by_id.items():
                for key, known in ((source_of(name), self._versions), (name[_DOCUMENT], self._documents)):
                    kept = known.setdefault(key, outcome)
                    if kept is not outcome and _text(outcome, "title") and not _text(kept, "title"):
                        known[key] = outcome
        return self._versions.get(source) or self._documents.get(document)


class Cited:
    """Ids, gathered into sources: one for each version of a document, in order of first citation.

    The sources are numbered from 1 on; without a `numbering` they are not cited, and have no number. `labels` are those
    of each id.
    """

    __slots__ = ("labels", "sources")

    def __init__(
        self, names: Iterable[str], fetches: Fetches, limits: Limits, numbering: Numbering | None = None
    ) -> None:
        labels: dict[str, tuple[str]] = {}
        sources: dict[str, _Source] = {}
        by_head: dict[str, _Source] = {}
        for name in names:
            if name in labels:
                continue
            source = by_head.get(name[:HEAD])
            if source is None:
                key = source_of(name)
                source = sources.get(key)
                if source is None:
                    number = str(len(sources) + 1) if numbering is not None else ""
                    source = sources[key] = _Source(key, name, number)
                if key is not name:
                    by_head[name[:HEAD]] = source
            source.names.append(name)
            labels[name] = source.label
        self.labels = labels
        self.sources: Sequence[Draft] = list(sources.values())
        # One source after the other, each with what was fetched of it.
        for source in sources.values():
            source.read(fetches, limits.snippet_code_points)
            if numbering == "passage" and len(source.passages) > 1:
                labels |= source.lettered()


class _Source(Draft):
    """A source, with the ids that cite it, each once, and one label for all of them."""

    __slots__ = ("_key", "_numbers", "label", "names")

    def __init__(self, key: str, name: str, number: str) -> None:
        super().__init__("", None, document=name[_DOCUMENT], version=name[_VERSION])
        self._key = key
        self.label = (number,)
        self.names: list[str] = []
        # Its passages by ids and by places.
        self._numbers: dict[str, int] = {}

    def read(self, fetches: Fetches, most: int) -> None:
        """Make a passage of each place that is cited, with at most `most` code points of its text.

        A place is named by the id of its span where that is known, else by the id itself. The text is there as far as
        it was received; of an id that nothing covers only the document is known.
        """
        by_id, passages, numbers, (label,) = fetches.by_id, self.passages, self._numbers, self.label
        index: _Index | None = None
        is_told = is_asked = False
        for name in self.names:
            if name in numbers:  # the place of one before
                continue
            place, text, outcome = name, "", by_id.get(name)
            if outcome is not None:
                text, span = _text(outcome, "text"), getattr(outcome, "span", None)
                place = str(span) if isinstance(span, SpanEvidenceId) else name
                if place in numbers:
                    numbers[name] = numbers[place]
                    continue
            elif name.startswith(_SPAN):
                index = index or fetches.index(self._key)
                outcome, text = index.at(name)
            locator = getattr(outcome, "locator", None)
            if not is_told:
                if outcome is None and not is_asked:
                    outcome, is_asked = fetches.any_of(self._key, self.document), True
                is_told = outcome is not None and self._tell(outcome)
            numbers[name] = len(passages)
            if place is not name:
                numbers[place] = len(passages)
            locator = locator if isinstance(locator, Locator) else _NO_PLACE
            text = _body(text, locator)
            passages.append(
                _rendered_passage(
                    None,
                    name,
                    locator,
                    line_of(text, most) if text else "",
                    label,
                    text,
                )
            )

    def _tell(self, outcome: SourceOutcome) -> bool:
        """Take what an outcome says of the document, as far as no other has said it; say whether that is all."""
        self.title = self.title or _text(outcome, "title")
        self.uri = self.uri or _text(outcome, "uri") or None
        if source_of(outcome.evidence_id) == self._key:
            self.state = self.state or _state(outcome)
        # What one outcome says of the document, every other of that version says too.
        return self.title != ""

    def lettered(self) -> dict[str, tuple[str]]:
        """Give each passage a letter behind the source's number; return the labels of the ids."""
        labels = [(f"{self.label[0]}{_letters(index)}",) for index in range(len(self.passages))]
        self.passages[:] = [
            _rendered_passage(None, one.evidence_id, one.locator, one.excerpt, label, one.words)
            for one, (label,) in zip(self.passages, labels, strict=True)
        ]
        return {name: labels[self._numbers[name]] for name in self.names}


_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def _letters(index: int) -> str:
    """Return a, b, ... z, aa, ab, ... for 0, 1, ..."""
    letters = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, len(_ALPHABET))
        letters = _ALPHABET[letter] + letters
    return letters


def source_of(name: str) -> str:
    """Return what names the document and its version in an id; what is no such id is a source of its own."""
    return name[_SOURCE] if len(name) > _LAST_COLON and name[_COLON] == name[_LAST_COLON] == ":" else name


def _rank(outcome: SourceOutcome) -> tuple[bool, bool, int]:
    """Say how much an outcome tells: a whole fetch before a part, a title before none, more text before less."""
    status = getattr(outcome, "status", "ok")
    return status == "ok", bool(_text(outcome, "title")), len(_text(outcome, "text"))


def _text(outcome: SourceOutcome, name: str) -> str:
    value = getattr(outcome, name, "")
    return value if isinstance(value, str) else ""


def _body(text: str, locator: Locator) -> str:
    """Return a text without the headings that it opens with: they stand beside it."""
    return text[body_start(text, locator.headings) :] if locator.headings else text


def _state(outcome: SourceOutcome) -> SourceState | None:
    value = getattr(outcome, "state", None)
    return value if isinstance(value, SourceState) else None


def _stated_place(outcome: SourceOutcome) -> tuple[int, int] | None:
    """Return where an outcome's evidence stands in its version, where it says so itself and not by its id."""
    span = getattr(outcome, "span", None)
    if isinstance(span, SpanEvidenceId):
        return span.start, span.end
    return (outcome.start, outcome.end) if isinstance(outcome, EvidenceText) else None


def _place(name: str) -> tuple[int, int] | None:
    """Return the code points that a span's id names; None for other ids."""
    if not name.startswith(_SPAN):
        return None
    start, _, end = name[_RANGE].partition("-")
    try:
        return int(start), int(end)
    except ValueError:
        return None
