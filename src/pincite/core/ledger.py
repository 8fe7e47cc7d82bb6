"""The ledger: what text a run has really received, as ranges."""

from __future__ import annotations

import threading
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite._quick import maker
from pincite.core.ids import SpanEvidenceId, parse_evidence_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Fetched:
    """A passage that was received whole: its evidence id, its span where known, and its text where kept."""

    evidence_id: str
    span: SpanEvidenceId | None = None
    text: str | None = None


_fetched, _span = maker(Fetched), maker(SpanEvidenceId)
# How the id of a span begins.
_SPAN = "ev1:s:"


class Ranges:
    """Received ranges of one version of one document; touching ranges count as one."""

    __slots__ = ("_lock", "_merged", "_new")

    def __init__(self) -> None:
        self._merged: list[tuple[int, int]] = []
        self._new: list[tuple[int, int]] = []
        self._lock = threading.Lock()

    def add(self, start: int, end: int) -> None:
        """Take in the code points `start` to `end`."""
        with self._lock:
            self._new.append((start, end))

    def covering(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the received range that holds `start` to `end`, or None."""
        merged = self._merge()
        index = bisect_right(merged, (start, float("inf"))) - 1
        if index < 0:
            return None
        span = merged[index]
        return span if end <= span[1] else None

    def _merge(self) -> list[tuple[int, int]]:
        # Merging waits for the first question, so that n additions cost one sort and not n searches.
        with self._lock:
            if self._new:
                merged: list[tuple[int, int]] = []
                for start, end in sorted(self._merged + self._new):
                    if merged and start <= merged[-1][1]:
                        merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
                    else:
                        merged.append((start, end))
                self._merged, self._new = merged, []
            return self._merged


class Ledger:
    """What was fetched, by evidence id and by range. A smaller refetch never loses a fuller one.

    Threads may share a ledger.
    """

    __slots__ = ("_fetched", "_lock", "_ranges", "_shown", "_texts")

    def __init__(self) -> None:
        self._fetched: dict[str, Fetched] = {}
        self._texts: dict[tuple[str, str], list[Fetched]] = {}
        self._ranges: dict[tuple[str, str], Ranges] = {}
        # What was shown and is not entered yet: thousands of passages may be shown, and ranges are rarely asked for.
        self._shown: dict[str, tuple[str, str, int, int, str] | None] = {}
        self._lock = threading.RLock()

    def record(self, fetched: Fetched) -> None:
        """Enter a passage that was received whole.

        Raises:
            MalformedIdError: its id does not decode.
        """
        if self._shown:
            self._enter_shown()
        if self._is_known(fetched.evidence_id, fetched.text):
            return
        parsed = parse_evidence_id(fetched.evidence_id)
        self._enter(
            fetched.evidence_id, parsed if isinstance(parsed, SpanEvidenceId) else fetched.span, fetched.text
        )

    def record_shown(self, evidence_id: str, place: tuple[str, str, int, int, str] | None) -> None:
        """Enter a passage that was shown whole, under its own canonical id.

        `place` are the document, the version, the code points where what was shown stands in it, and its text; None
        where that is not known. It is the same as recording that span with its text, and then the passage in it.
        """
        with self._lock:
            if evidence_id not in self._shown:
                self._shown[evidence_id] = place
            elif self._shown[evidence_id] != place:
                self._enter_shown()
                self._shown[evidence_id] = place

    def _enter_shown(self) -> None:
        with self._lock:
            for evidence_id, place in self._shown.items():
                span = None
                if place is not None:
                    *where, text = place
                    span = _span(*where)
                    self._enter(str(span), span, text)
                self._enter(evidence_id, span, None)
            self._shown = {}  # last, so that what was shown is found in one of the two at any time

    def _is_known(self, evidence_id: str, text: str | None) -> bool:
        kept = self._fetched.get(evidence_id)
        return kept is not None and (kept.text is not None or text is None)

    def _enter(self, evidence_id: str, span: SpanEvidenceId | None, text: str | None) -> None:
        with self._lock:
            if self._is_known(evidence_id, text):
                return
            fetched = self._fetched[evidence_id] = _fetched(evidence_id, span, text)
            if span is None:
                return
            place = (span.document_id, span.version)
            ranges = self._ranges.get(place)
            if ranges is None:
                ranges = self._ranges[place] = Ranges()
            ranges.add(span.start, span.end)
            if text is not None:
                self._texts.setdefault(place, []).append(fetched)

    def export(self) -> list[dict[str, str | None]]:
        """Return what was received as JSON may hold it, texts left out."""
        return [
            {"evidence_id": kept.evidence_id, "span": None if kept.span is None else str(kept.span)}
            for kept in self
        ]

    @classmethod
    def load(cls, entries: Iterable[Mapping[str, str | None]]) -> Ledger:
        """Build a ledger from what `export` made.

        Raises:
            MalformedIdError: an id in it does not decode.
        """
        ledger = cls()
        for entry in entries:
            raw = entry.get("span")
            span = parse_evidence_id(raw) if raw else None
            ledger.record(
                Fetched(str(entry.get("evidence_id")), span if isinstance(span, SpanEvidenceId) else None)
            )
        return ledger

    def get(self, evidence_id: str) -> Fetched | None:
        """Return what was received under an id, or None."""
        return self._entered().get(evidence_id)

    def ranges(self, document_id: str, version: str) -> Ranges | None:
        """Return the received ranges of one version, or None."""
        self._entered()
        return self._ranges.get((document_id, version))

    def texts(self, document_id: str, version: str) -> list[Fetched]:
        """Return the passages of one version whose place and text are kept."""
        self._entered()
        return self._texts.get((document_id, version), [])

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
