"""The ledger: what text a run has really received, as ranges."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from pincite._quick import maker
from pincite.core.errors import InputError
from pincite.core.ids import EvidenceId, SpanEvidenceId, parse_evidence_id
from pincite.core.limits import DEFAULT, Limits
from pincite.core.near import Near
from pincite.core.stretches import Ranges, Texts
from pincite.core.verdicts import SourceState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.scope import Scope


@dataclass(frozen=True, slots=True)
class Fetched:
    """A passage that was received whole: its evidence id, its span where known, and its text where kept.

    `state` is what was known of its version when it was received, `length` how many code points it has where neither
    span nor text tells.
    """

    evidence_id: str
    span: SpanEvidenceId | None = None
    text: str | None = None
    state: SourceState | None = None
    length: int | None = None


_fetched, _span = maker(Fetched), maker(SpanEvidenceId)
# How the id of a span begins, and where document and version stand in any evidence id.
_SPAN, _VERSION = "ev1:s:", slice(6, 59)
# The oldest ids are forgotten so many at once, as a part of all: one at a time, each would cost a search.
_FORGOTTEN_AT_ONCE = 64


class _Part:
    """What was received of an id that is not complete yet; ranges are relative to its own text."""

    __slots__ = ("length", "ranges", "span", "texts")

    def __init__(self, length: int, span: SpanEvidenceId | None) -> None:
        self.length = length
        self.span = span
        self.ranges = Ranges()
        self.texts = Texts()

    def text(self) -> str | None:
        """Return the whole text where all of its words were kept."""
        whole = self.texts.around(0, self.length)
        return None if whole is None else whole[1]


class _Version:
    """What was received of one version of one document: the ids, and by place where that is known.

    `ranges` and `texts` are None when they have to be made again, because an id was forgotten.
    """

    __slots__ = ("ids", "ranges", "texts")

    def __init__(self) -> None:
        self.ids: dict[str, None] = {}
        self.ranges: Ranges | None = Ranges()
        self.texts: Texts | None = Texts()

    def add(self, start: int, end: int, text: str | None) -> None:
        if self.ranges is not None and self.texts is not None and start < end:
            self.ranges.add(start, end)
            if text is not None:
                self.texts.add(start, text)


class Ledger:
    """What was fetched, by evidence id and by range. A smaller refetch never loses a fuller one.

    An id counts as fetched (`id in ledger`) when all of its text was received, in one piece or in several. Of what it
    remembers there are at most `limits.ledger_entries` ids; the oldest are forgotten first, and are simply not fetched
    any more. Threads may share a ledger.
    """

    __slots__ = (
        "_fetched",
        "_lock",
        "_most",
        "_near",
        "_order",
        "_parts",
        "_shown",
        "_states",
        "_versions",
    )

    def __init__(self, *, limits: Limits = DEFAULT) -> None:
        self._most = limits.ledger_entries
        self._fetched: dict[str, Fetched] = {}
        self._parts: dict[str, _Part] = {}
        # All ids of both, those received last at the end.
        self._order: dict[str, None] = {}
        self._versions: dict[str, _Version] = {}
        self._states: dict[str, SourceState] = {}
        # The ids by what a slip of the pen leaves alone, as far as somebody asked for that.
        self._near: Near | None = None
        # What was shown and is not entered yet: thousands of passages may be shown, and ranges are rarely asked for.
        self._shown: dict[str, tuple[str, str, int, int, str] | None] = {}
        self._lock = threading.RLock()

    # -- receiving -------------------------------------------------------------------------------

    def record(self, fetched: Fetched) -> None:
        """Enter a passage that was received whole.

        Raises:
            MalformedIdError: its id does not decode.
            InputError: its span is of another document or version, or span, text and length do not agree.
        """
        parsed = parse_evidence_id(fetched.evidence_id)
        span = _span_of(parsed, fetched.span)
        text, length = fetched.text, fetched.length
        if isinstance(text, str) and length is None:
            length = len(text)
        if text is not None or length is not None:
            _check_piece(0, length, length, text)
        if span is not None and length is not None and span.end - span.start != length:
            raise _misfit()
        with self._lock:
            self._enter_shown()
            self._enter(fetched.evidence_id, span, text, fetched.state, length)

    def record_received(
        self,
        evidence_id: str,
        start: int,
        end: int,
        length: int,
        *,
        span: SpanEvidenceId | None = None,
        text: str | None = None,
        state: SourceState | None = None,
    ) -> None:
        """Enter the code points `start` to `end` of the text of `length` code points behind an id.

        `text` are the words of that piece, `span` is where the whole stands in its version. When everything was
        received, in whatever pieces, the id counts as fetched. Before that it does not, but a span id that lies inside
        what was received does.

        Raises:
            MalformedIdError: the id does not decode.
            InputError: the piece is not inside the text, or the span or the words are of another length.
        """
        parsed = parse_evidence_id(evidence_id)
        span = _span_of(parsed, span)
        _check_piece(start, end, length, text)
        if span is not None and span.end - span.start != length:
            raise _misfit()
        with self._lock:
            self._enter_shown()
            if start == 0 and end == length:
                self._enter(evidence_id, span, text, state, length)
            else:
                self._enter_piece(evidence_id, start, end, length, span=span, text=text, state=state)

    def record_shown(self, evidence_id: str, place: tuple[str, str, int, int, str] | None) -> None:
        """Enter a passage that was shown whole, under its own canonical id.

        `place` are the document, the version, the code points where what was shown stands in it, and its text; None
        where that is not known. It is the same as recording that span with its text, and then the passage in it.
        """
        with self._lock:
            shown = self._shown
            if shown.setdefault(evidence_id, place) is not place and shown[evidence_id] != place:
                self._enter_shown()
                self._shown[evidence_id] = place
            elif len(shown) > self._most:
                self._enter_shown()

    def merge(self, other: Ledger) -> None:
        """Enter all that another ledger holds; where they know of different states of a version, the worse counts."""
        self._take(other.export(texts=True))

    def _enter_shown(self) -> None:
        if not self._shown:
            return
        with self._lock:
            for evidence_id, place in self._shown.items():
                if place is None:
                    self._enter(evidence_id, None, None, None, None)
                    continue
                document_id, version, start, end, text = place
                span = _span(document_id, version, start, end)
                self._enter(f"{_SPAN}{document_id}:{version}:{start}-{end}", span, text, None, None)
                self._enter(evidence_id, span, None, None, None, placed=True)
            self._shown = {}  # last, so that what was shown is found in one of the two at any time

    def _enter(
        self,
        evidence_id: str,
        span: SpanEvidenceId | None,
        text: str | None,
        state: SourceState | None,
        length: int | None,
        *,
        placed: bool = False,
    ) -> None:
        """Enter what was received whole, with what was known of it before."""
        if state is not None:
            self._states[evidence_id[_VERSION]] = state
        kept = self._fetched.get(evidence_id)
        if kept is not None:
            span = kept.span or span
            text = text if kept.text is None else kept.text
            state = state or kept.state
            length = length if kept.length is None else kept.length
        part = self._parts.pop(evidence_id, None) if self._parts else None
        if part is not None:
            span = span or part.span
            if text is None and part.length == length:
                text = part.text()
        if span is not None or text is not None:
            length = None  # they tell
        news = _fetched(evidence_id, span, text, state, length)
        if kept is not None and news == kept:
            return
        self._fetched[evidence_id] = news
        version = self._remember(evidence_id)
        if part is not None and text is None:
            version.ranges = version.texts = None  # words of parts of it are kept no longer
        # A text is entered with its place before an id that only names it.
        if span is not None and not placed:
            version.add(span.start, span.end, text)

    def _enter_piece(
        self,
        evidence_id: str,
        start: int,
        end: int,
        length: int,
        *,
        span: SpanEvidenceId | None,
        text: str | None,
        state: SourceState | None,
    ) -> None:
        if evidence_id in self._fetched:
            self._enter(evidence_id, span, None, state, length)
            return
        if state is not None:
            self._states[evidence_id[_VERSION]] = state
        part = self._parts.get(evidence_id)
        if part is None or part.length != length:
            # Pieces of a text of another length say nothing of this one.
            part = self._parts[evidence_id] = _Part(length, span)
        part.span = part.span or span
        if start < end:
            part.ranges.add(start, end)
            if text is not None:
                part.texts.add(start, text)
        version = self._remember(evidence_id)
        if part.span is not None:
            version.add(part.span.start + start, part.span.start + end, text)
        if part.ranges.covering(0, length) is not None:
            self._enter(evidence_id, part.span, None, state, length)

    def _remember(self, evidence_id: str) -> _Version:
        """Take an id up among those of its version, forget the oldest where there are too many, return the version."""
        name = evidence_id[_VERSION]
        version = self._versions.get(name)
        if version is None:
            version = self._versions[name] = _Version()
        version.ids[evidence_id] = self._order[evidence_id] = None
        if len(self._order) > self._most:
            self._forget(forgotten_at_once(len(self._order), self._most))
        return version

    def _forget(self, count: int) -> None:
        self._near = None
        for oldest in list(islice(self._order, count)):
            del self._order[oldest]
            self._fetched.pop(oldest, None)
            self._parts.pop(oldest, None)
            name = oldest[_VERSION]
            held = self._versions[name]
            del held.ids[oldest]
            held.ranges = held.texts = None
            if not held.ids:
                del self._versions[name]
                self._states.pop(name, None)

    # -- keeping ---------------------------------------------------------------------------------

    def export(
        self, *, texts: bool = False, evidence_ids: Iterable[str] | None = None
    ) -> list[dict[str, Any]]:
        """Return what was received as JSON may hold it, oldest first; without the texts unless they are asked for.

        With `evidence_ids` it is what was received of these alone, in their order.
        """
        with self._lock:
            self._enter_shown()
            names = self._order if evidence_ids is None else dict.fromkeys(evidence_ids)
            return [self._entry(name, texts=texts) for name in names if name in self._order]

    def _entry(self, evidence_id: str, *, texts: bool) -> dict[str, Any]:
        state = self._states.get(evidence_id[_VERSION])
        kept = self._fetched.get(evidence_id)
        part = None if kept is not None else self._parts[evidence_id]
        span = kept.span if kept is not None else part.span if part is not None else None
        entry: dict[str, Any] = {"evidence_id": evidence_id, "span": None if span is None else str(span)}
        if state is not None:
            entry["state"] = state.value
        if kept is not None:
            if kept.length is not None:
                entry["length"] = kept.length
            if texts and kept.text is not None:
                entry["text"] = kept.text
        elif part is not None:
            entry |= {"length": part.length, "received": [list(span) for span in part.ranges]}
            if texts:
                entry["texts"] = [list(piece) for piece in part.texts]
        return entry

    @classmethod
    def load(cls, entries: Iterable[Mapping[str, Any]], *, limits: Limits = DEFAULT) -> Ledger:
        """Build a ledger from what `export` made.

        Raises:
            MalformedIdError: an id in it does not decode.
            InputError: it has another shape.
        """
        ledger = cls(limits=limits)
        ledger._take(entries)
        return ledger

    def _take(self, entries: Iterable[Mapping[str, Any]]) -> None:
        if isinstance(entries, str | bytes) or not isinstance(entries, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - whatever was kept
            raise _no_export()
        for entry in entries:
            if not isinstance(entry, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - whatever was kept
                raise _no_export()
            try:
                self._take_one(entry)
            except (TypeError, ValueError, KeyError) as error:
                if isinstance(error, InputError):
                    raise
                raise _no_export() from error

    def _take_one(self, entry: Mapping[str, Any]) -> None:
        evidence_id = cast("str", entry.get("evidence_id"))
        raw = entry.get("span")
        span = parse_evidence_id(raw) if raw else None
        if span is not None and not isinstance(span, SpanEvidenceId):
            raise _no_export()
        state = SourceState(entry["state"]) if entry.get("state") is not None else None
        parse_evidence_id(evidence_id)
        state = _worse(state, self.state_of(evidence_id))
        if "received" not in entry:
            self.record(Fetched(evidence_id, span, entry.get("text"), state, entry.get("length")))
            return
        length = entry["length"]
        # The words first: the piece that completes an id completes its text too.
        for start, text in entry.get("texts", ()):
            self.record_received(
                evidence_id, start, start + len(text), length, span=span, text=text, state=state
            )
        # Where nothing was received, the place of the whole is known all the same.
        for start, end in list(entry["received"]) or [(0, 0)]:
            self.record_received(evidence_id, start, end, length, span=span, state=state)

    # -- asking ----------------------------------------------------------------------------------

    def get(self, evidence_id: str) -> Fetched | None:
        """Return what was received whole under an id, or None."""
        return self._entered().get(evidence_id)

    def received(self, evidence_id: str) -> tuple[tuple[int, int], ...]:
        """Return which code points of the text behind an id were received, as ranges in order.

        They are relative to the text; there are none where nothing was received, or where a passage was received whole
        and nobody said how long it is.
        """
        with self._lock:
            kept = self._entered().get(evidence_id)
            if kept is None:
                part = self._parts.get(evidence_id)
                return () if part is None else tuple(part.ranges)
            length = kept.length or 0
            if kept.text is not None:
                length = len(kept.text)
            elif kept.span is not None:
                length = kept.span.end - kept.span.start
            return ((0, length),) if length else ()

    def place(self, evidence_id: str) -> SpanEvidenceId | None:
        """Return where the text behind an id stands in its version, as far as a fetch has told, or None."""
        with self._lock:
            kept = self._entered().get(evidence_id)
            if kept is not None:
                return kept.span
            part = self._parts.get(evidence_id)
            return None if part is None else part.span

    def state_of(self, evidence_id: str) -> SourceState | None:
        """Return what was known of the version that an id names when anything of it was received last, or None."""
        return self._states.get(evidence_id[_VERSION])

    def ranges(self, document_id: str, version: str) -> Ranges | None:
        """Return the received ranges of one version, or None."""
        held = self._placed(document_id, version)
        return None if held is None else held.ranges

    def stretches(self, document_id: str, version: str) -> Texts | None:
        """Return the received texts of one version, joined where they touch, or None."""
        held = self._placed(document_id, version)
        return None if held is None else held.texts

    def texts(self, document_id: str, version: str) -> list[Fetched]:
        """Return the passages of one version whose place and text are kept."""
        with self._lock:
            self._entered()
            held = self._versions.get(f"{document_id}:{version}")
            if held is None:
                return []
            found = [self._fetched[name] for name in held.ids if name in self._fetched]
            return [kept for kept in found if kept.span is not None and kept.text is not None]

    def _placed(self, document_id: str, version: str) -> _Version | None:
        self._entered()
        held = self._versions.get(f"{document_id}:{version}")
        if held is not None and (held.ranges is None or held.texts is None):
            with self._lock:
                self._place_again(held)
        return held

    def _place_again(self, held: _Version) -> None:
        held.ranges, held.texts = Ranges(), Texts()
        for name in held.ids:
            kept, part = self._fetched.get(name), self._parts.get(name)
            if kept is not None and kept.span is not None:
                held.add(kept.span.start, kept.span.end, kept.text)
            elif part is not None and part.span is not None:
                at = part.span.start
                for start, end in part.ranges:
                    held.add(at + start, at + end, None)
                for start, text in part.texts:
                    held.add(at + start, at + start + len(text), text)

    def states(self) -> Mapping[str, SourceState]:
        """Return what is known of versions, by `<document>:<version>` as evidence ids say it; do not change it."""
        return self._states

    def near(self, evidence_id: str, scope: Scope) -> str | None:
        """Return the one id in scope that was received whole and is one or two characters off, or None."""
        with self._lock:
            fetched = self._entered()
            near = self._near
            if near is None:
                near = self._near = Near()
            if len(near) < len(fetched):
                near.add(list(islice(fetched, len(near), None)))
            return near.to(evidence_id, scope.document_ids)

    def known(self) -> Mapping[str, Fetched]:
        """Return what was received whole, by id; do not change it."""
        return self._entered()

    def _entered(self) -> dict[str, Fetched]:
        if self._shown:
            self._enter_shown()
        return self._fetched

    def __iter__(self) -> Iterator[Fetched]:
        return iter(list(self._entered().values()))  # others may record meanwhile

    def __len__(self) -> int:
        return len(self._entered())

    def __contains__(self, evidence_id: str) -> bool:
        # A passage is there as soon as it was shown; that its span is, takes entering it.
        if evidence_id in self._shown or evidence_id in self._fetched:
            return True
        return evidence_id.startswith(_SPAN) and evidence_id in self._entered()


def forgotten_at_once(count: int, most: int) -> int:
    """Return how many of `count` ids are forgotten where there may be `most`, and are more."""
    return count - most + most // _FORGOTTEN_AT_ONCE


def _span_of(parsed: EvidenceId, given: SpanEvidenceId | None) -> SpanEvidenceId | None:
    """Return the place of what an id names: the id's own, or the one that was given with it."""
    if given is not None and (given.document_id, given.version) != (parsed.document_id, parsed.version):
        msg = "The span is of another document or version than the id."
        raise InputError(msg, field="span")
    if given is not None and not 0 <= given.start < given.end:
        msg = "The span is empty or runs backwards."
        raise InputError(msg, field="span")
    return parsed if isinstance(parsed, SpanEvidenceId) else given


def _check_piece(start: int, end: int | None, length: int | None, text: str | None) -> None:
    if not (_is_number(start) and _is_number(end) and _is_number(length)) or not 0 <= start <= end <= length:
        msg = "A piece goes from a code point of the text to one behind it, neither beyond the text's length."
        raise InputError(msg, field="start")
    if text is not None and (not isinstance(text, str) or len(text) != end - start):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = "The words of a piece are as long as the piece."
        raise InputError(msg, field="text")


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _misfit() -> InputError:
    return InputError("The span is not as long as the text.", field="span")


def _no_export() -> InputError:
    return InputError("The ledger has not the shape that `export` writes.", field="ledger")


# From what needs no word to what needs most.
_STATES = (None, SourceState.CURRENT, SourceState.SUPERSEDED, SourceState.REMOVED)


def _worse(one: SourceState | None, other: SourceState | None) -> SourceState | None:
    return max(one, other, key=_STATES.index)
