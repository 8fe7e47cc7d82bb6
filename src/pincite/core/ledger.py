"""The ledger: what text a run has really received, as ranges."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.core.ids import SpanEvidenceId, parse_evidence_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True)
class Fetched:
    """A passage that was received whole: its evidence id, its span where known, and its text where kept."""

    evidence_id: str
    span: SpanEvidenceId | None = None
    text: str | None = None


class Ranges:
    """Received ranges of one version of one document; touching ranges count as one."""

    __slots__ = ("_merged", "_new")

    def __init__(self) -> None:
        self._merged: list[tuple[int, int]] = []
        self._new: list[tuple[int, int]] = []

    def add(self, start: int, end: int) -> None:
        """Take in the code points `start` to `end`."""
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
    """What was fetched, by evidence id and by range. A smaller refetch never loses a fuller one."""

    __slots__ = ("_fetched", "_ranges", "_texts")

    def __init__(self) -> None:
        self._fetched: dict[str, Fetched] = {}
        self._texts: dict[tuple[str, str], list[Fetched]] = {}
        self._ranges: dict[tuple[str, str], Ranges] = {}

    def record(self, fetched: Fetched) -> None:
        """Enter a passage that was received whole.

        Raises:
            MalformedIdError: its id does not decode.
        """
        kept = self._fetched.get(fetched.evidence_id)
        if kept is not None and (kept.text is not None or fetched.text is None):
            return
        parsed = parse_evidence_id(fetched.evidence_id)
        span = parsed if isinstance(parsed, SpanEvidenceId) else fetched.span
        self._fetched[fetched.evidence_id] = Fetched(fetched.evidence_id, span, fetched.text)
        if span is not None:
            place = (span.document_id, span.version)
            if fetched.text is not None:
                self._texts.setdefault(place, []).append(self._fetched[fetched.evidence_id])
            self._ranges.setdefault(place, Ranges()).add(span.start, span.end)

    def export(self) -> list[dict[str, str | None]]:
        """Return what was received as JSON may hold it, texts left out."""
        return [
            {"evidence_id": kept.evidence_id, "span": None if kept.span is None else str(kept.span)}
            for kept in self._fetched.values()
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
        return self._fetched.get(evidence_id)

    def ranges(self, document_id: str, version: str) -> Ranges | None:
        """Return the received ranges of one version, or None."""
        return self._ranges.get((document_id, version))

    def texts(self, document_id: str, version: str) -> list[Fetched]:
        """Return the passages of one version whose place and text are kept."""
        return self._texts.get((document_id, version), [])

    def __iter__(self) -> Iterator[Fetched]:
        return iter(self._fetched.values())

    def __len__(self) -> int:
        return len(self._fetched)

    def __contains__(self, evidence_id: str) -> bool:
        return evidence_id in self._fetched
