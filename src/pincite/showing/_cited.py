"""What was fetched, found again by the ids that an answer cites, and the sources that come of it."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Protocol

from pincite._quick import maker
from pincite.core.errors import InputError
from pincite.core.ids import SpanEvidenceId
from pincite.core.locators import Locator
from pincite.core.protocols import EvidenceText
from pincite.core.verdicts import SourceState
from pincite.showing._sources import Draft, RenderedPassage, line_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.core.limits import Limits

# Where document and version stand in an evidence id of either form, and where their colons do.
_DOCUMENT, _VERSION, _SOURCE = slice(6, 42), slice(43, 59), slice(6, 59)
_COLONS = slice(42, 60, 17)
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


class _Version:
    """The outcomes of one version of a document, found by code points."""

    __slots__ = ("_furthest", "_starts", "_stops", "_told", "any")

    def __init__(self, outcomes: list[SourceOutcome]) -> None:
        self.any = _titled(outcomes)
        # Of those that begin at one place the longest first.
        places = sorted(
            (place[0], -place[1], index)
            for index, outcome in enumerate(outcomes)
            if (place := _place_of(outcome)) is not None
        )
        self._starts = [start for start, _, _ in places]
        self._stops = [-stop for _, stop, _ in places]
        # Each with its text, and where that begins.
        self._told: list[tuple[SourceOutcome, str, int]] = []
        # Of all that begin up to there, the one that reaches furthest.
        self._furthest: list[int] = []
        best, reach = 0, 0
        for at, (start, stop, index) in enumerate(places):
            outcome = outcomes[index]
            text = _text(outcome, "text")
            self._told.append((outcome, text, start + _offset(outcome) if text else start))
            if stop < reach:
                best, reach = at, stop
            self._furthest.append(best)

    def at(self, start: int, end: int) -> tuple[SourceOutcome, str] | None:
        """Return the outcome that holds `start` to `end`, else one that holds `start`, and its text there, or None."""
        index = bisect_right(self._starts, start) - 1
        if index < 0:
            return None
        if end > self._stops[index]:
            index = self._furthest[index]
        if start >= self._stops[index]:
            return None
        outcome, text, begin = self._told[index]
        return outcome, text[max(0, start - begin) : max(0, end - begin)]


class Fetches:
    """The outcomes of a run, by id and by place."""

    __slots__ = ("_by_id", "_documents", "_outcomes", "_versions")

    def __init__(self, outcomes: Iterable[SourceOutcome]) -> None:
        self._by_id: dict[str, SourceOutcome] = {}
        for outcome in outcomes:
            name = getattr(outcome, "evidence_id", None)
            if not isinstance(name, str):
                msg = f"`outcomes` holds what `fetch_evidence` returns, not {type(outcome).__name__}."
                raise InputError(msg, field="outcomes")
            kept = self._by_id.setdefault(name, outcome)
            # A later fetch that received less loses nothing of an earlier one.
            if kept is not outcome and _rank(outcome) > _rank(kept):
                self._by_id[name] = outcome
        # By document and version, what is indexed when it is first asked for.
        self._outcomes: dict[str, list[SourceOutcome]] | None = None
        self._versions: dict[str, _Version] = {}
        self._documents: dict[str, SourceOutcome] | None = None

    def titles(self) -> Iterator[str]:
        """Yield the titles of what was fetched."""
        return (_text(outcome, "title") for outcome in self._by_id.values())

    def find(self, name: str, source: str) -> tuple[SourceOutcome | None, str, str, object]:
        """Return the outcome behind a cited id of `source`, what names its place, its text, and where that stands.

        A place is named by the id of its span where that is known, else by the id itself. The text is there as far
        as it was received; of an id that nothing covers the outcome knows no more than the document.
        """
        outcome = self._by_id.get(name)
        if outcome is not None:
            span = getattr(outcome, "span", None)
            text = getattr(outcome, "text", "")
            return (
                outcome,
                str(span) if isinstance(span, SpanEvidenceId) else name,
                text if isinstance(text, str) else "",
                getattr(outcome, "locator", None),
            )
        version = self._versions.get(source) or self._version(source)
        if version is None:
            return self._document(name[_DOCUMENT]), name, "", None
        place = _place(name)
        known = version.at(*place) if place is not None else None
        if known is None:
            return version.any, name, "", None
        outcome, text = known
        return outcome, name, text, getattr(outcome, "locator", None)

    def _version(self, source: str) -> _Version | None:
        if self._outcomes is None:
            self._outcomes = {}
            for name, outcome in self._by_id.items():
                self._outcomes.setdefault(_source(name), []).append(outcome)
        outcomes = self._outcomes.get(source)
        if outcomes is None:
            return None
        known = self._versions[source] = _Version(outcomes)
        return known

    def _document(self, document: str) -> SourceOutcome | None:
        if self._documents is None:
            by_document: dict[str, list[SourceOutcome]] = {}
            for name, outcome in self._by_id.items():
                by_document.setdefault(name[_DOCUMENT], []).append(outcome)
            self._documents = {name: _titled(outcomes) for name, outcomes in by_document.items()}
        return self._documents.get(document)


class Cited:
    """Ids, gathered into sources: one for each version of a document, in order of first citation.

    The sources are numbered from 1 on; with `is_numbered` false they are not cited, and have no number.
    """

    __slots__ = ("_excerpt", "_fetches", "_ids", "_is_numbered", "_sources")

    def __init__(self, fetches: Fetches, limits: Limits, *, is_numbered: bool = True) -> None:
        self._fetches = fetches
        self._excerpt = limits.snippet_code_points
        self._is_numbered = is_numbered
        self._sources: dict[str, _Source] = {}
        # By their names, and by their places.
        self._ids: dict[str, CitedId] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._ids

    @property
    def drafts(self) -> list[Draft]:
        """The sources."""
        return [source.draft for source in self._sources.values()]

    def add(self, name: str) -> CitedId:
        """Take in an id, and return its passage."""
        ids = self._ids
        known = ids.get(name)
        if known is not None:
            return known
        key = _source(name)
        outcome, place, text, locator = self._fetches.find(name, key)
        if place != name and (known := ids.get(place)) is not None:
            ids[name] = known
            return known
        source = self._sources.get(key)
        if source is None:
            number = str(len(self._sources) + 1) if self._is_numbered else ""
            source = self._sources[key] = _Source(name, number)
        if outcome is not None and not source.is_told:
            source.tell(outcome)
        passage = _rendered_passage(
            None,
            name,
            locator if isinstance(locator, Locator) else _NO_PLACE,
            line_of(text, self._excerpt) if text else "",
            source.labels[0][0],
        )
        # Two ids of one place are one passage.
        ids[name] = ids[place] = known = (source, len(source.passages))
        source.passages.append(passage)
        return known

    def number_passages(self) -> None:
        """Give each passage of a source that has several a letter behind the source's number."""
        for source in self._sources.values():
            if len(source.passages) == 1:
                continue
            source.labels = [
                (f"{source.labels[0][0]}{_letters(index)}",) for index in range(len(source.passages))
            ]
            source.passages[:] = [
                _rendered_passage(None, one.evidence_id, one.locator, one.excerpt, label)
                for one, (label,) in zip(source.passages, source.labels, strict=True)
            ]


class _Source:
    """A source while ids are taken in: its passages, and one label for all or one for each."""

    __slots__ = ("draft", "is_told", "labels", "name", "passages")

    def __init__(self, name: str, number: str) -> None:
        self.name = _source(name)
        self.draft = Draft("", None, document=name[_DOCUMENT], version=name[_VERSION])
        self.is_told = False
        self.labels: list[tuple[str]] = [(number,)]
        self.passages = self.draft.passages

    def tell(self, outcome: SourceOutcome) -> None:
        """Take what an outcome says of the document, as far as no other has said it."""
        draft = self.draft
        draft.title = draft.title or _text(outcome, "title")
        draft.uri = draft.uri or _text(outcome, "uri") or None
        if _source(outcome.evidence_id) == self.name:
            draft.state = draft.state or _state(outcome)
        # What one outcome says of the document, every other of that version says too.
        self.is_told = draft.title != ""


CitedId = tuple[_Source, int]
"""A cited id: its source, and its passage there."""


def labels_of(cited: CitedId) -> tuple[str]:
    """Return the label of a cited id."""
    source, passage = cited
    return source.labels[passage if len(source.labels) > 1 else 0]


_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def _letters(index: int) -> str:
    """Return a, b, ... z, aa, ab, ... for 0, 1, ..."""
    letters = ""
    index += 1
    while index:
        index, letter = divmod(index - 1, len(_ALPHABET))
        letters = _ALPHABET[letter] + letters
    return letters


def _source(name: str) -> str:
    """Return what names the document and its version in an id; what is no such id is a source of its own."""
    return name[_SOURCE] if name[_COLONS] == "::" else name


def _rank(outcome: SourceOutcome) -> tuple[bool, bool, int]:
    """Say how much an outcome tells: a whole fetch before a part, a title before none, more text before less."""
    status = getattr(outcome, "status", "ok")
    return status == "ok", bool(_text(outcome, "title")), len(_text(outcome, "text"))


def _titled(outcomes: list[SourceOutcome]) -> SourceOutcome:
    return next((outcome for outcome in outcomes if _text(outcome, "title")), outcomes[0])


def _text(outcome: SourceOutcome, name: str) -> str:
    value = getattr(outcome, name, "")
    return value if isinstance(value, str) else ""


def _offset(outcome: SourceOutcome) -> int:
    value = getattr(outcome, "offset", 0)
    return value if isinstance(value, int) else 0


def _state(outcome: SourceOutcome) -> SourceState | None:
    value = getattr(outcome, "state", None)
    return value if isinstance(value, SourceState) else None


def _place_of(outcome: SourceOutcome) -> tuple[int, int] | None:
    """Return where an outcome's evidence stands in its version, where it says so itself or by its id."""
    place = _place(outcome.evidence_id)
    if place is not None:
        return place
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
