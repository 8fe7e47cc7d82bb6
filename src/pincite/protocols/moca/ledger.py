"""What a run's Reader has returned: the one place from which an event takes its records."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from pincite.core.given import items_of
from pincite.core.limits import DEFAULT, Limits
from pincite.protocols.moca.diagnostics import Diagnostic, Remarks, error, warning
from pincite.protocols.moca.moments import now, told
from pincite.protocols.moca.record import MocaRecord, RecordKey
from pincite.protocols.moca.validation import tolerant

if TYPE_CHECKING:
    from datetime import datetime

    from pincite.protocols.moca.moments import Clock

Loaded = Iterable[str] | Callable[[], Iterable[str]]
"""The digests of the loaded packages, or what returns them at the moment."""


class _Kept(NamedTuple):
    record: MocaRecord
    read_at: datetime | None


_Place = tuple[RecordKey, str | None]
"""Reference and span, and the digest of the file: two locales of a node may share the first two."""


class RunLedger:
    """The records of one run, by reference, span and file. Begin a new one for each run: it never outlives it.

    `loaded` are the digests of the packages that are loaded; without it, every package that the Reader returned
    something of counts as loaded. `clock` is the one that the Reader was given; None says that nobody knows when the
    records were computed. Threads may share a ledger.
    """

    __slots__ = (
        "_by_citation",
        "_by_ref",
        "_clock",
        "_digests",
        "_kept",
        "_limits",
        "_loaded",
        "_lock",
        "_remarks",
    )

    def __init__(
        self, *, loaded: Loaded | None = None, clock: Clock | None = now, limits: Limits = DEFAULT
    ) -> None:
        if loaded is not None and not callable(loaded):
            loaded = frozenset(
                items_of(loaded, "loaded", "a collection of digests or a function that returns one")
            )
        self._loaded = loaded
        self._clock = clock
        self._limits = limits
        self._kept: dict[_Place, _Kept] = {}
        self._by_ref: dict[str, list[_Place]] = {}
        self._by_citation: dict[str, _Place] = {}
        # The package that each reference is of: one may name only one.
        self._digests: dict[str, str] = {}
        self._remarks = Remarks(limits)
        self._lock = threading.Lock()

    def moment(self) -> datetime | None:
        """Return the moment that it is by the clock of the run; ask before a read, and give it to `add` after it."""
        return None if self._clock is None else self._clock()

    def add(self, record: object, *, read_at: datetime | None = None) -> MocaRecord | None:
        """Enter a record that the Reader returned; return it, or None where it is refused, with a remark.

        Refused is what is no record (`tolerant`), what is of a package that is not loaded or of another package under
        the same reference, and what there is no room for. A record that comes again stays as it was, with its first
        time, unless it tells something new of the package or of trust: then the later one holds.

        Raises:
            InputError: `read_at` has no offset.
        """
        if read_at is not None:
            told(read_at)
        if isinstance(record, MocaRecord):
            record = record.as_dict()
        validated = tolerant(record, limits=self._limits)
        with self._lock:
            self._remarks.add(validated.diagnostics)
            if not validated.is_valid:
                return None
            made = MocaRecord.taken(record, validated)
            refused = self._refusal(made)
            if refused is not None:
                self._remarks.add((refused,))
                return None
            return self._enter(made, read_at)

    def _refusal(self, record: MocaRecord) -> Diagnostic | None:
        digest = record.package_digest
        if self._loaded is not None and digest not in set(
            self._loaded() if callable(self._loaded) else self._loaded
        ):
            return error("not_loaded", "The record is of a package that is not loaded.", "/package/digest")
        if self._digests.get(record.ref, digest) != digest:
            return error("two_packages", "Its reference names another package already.", "/package/digest")
        if (
            len(self._kept) >= self._limits.moca_records
            and (record.key, record.node_digest) not in self._kept
        ):
            return error(
                "no_room", f"More than {self._limits.moca_records:,} records of one run are not kept."
            )
        return None

    def _enter(self, record: MocaRecord, read_at: datetime | None) -> MocaRecord:
        place = record.key, record.node_digest
        known = self._kept.get(place)
        if known is not None and (known.record.trust, known.record.package) == (record.trust, record.package):
            return known.record
        if known is None:
            self._digests[record.ref] = record.package_digest
            self._by_ref.setdefault(record.ref, []).append(place)
        else:
            self._remarks.add((warning("changed", "A record came again and says something else of trust."),))
        self._kept[place] = _Kept(record, read_at)
        return record

    def cited_as(self, citation_key: str, record: MocaRecord) -> None:
        """Note the key under which a record of this ledger was presented to the model."""
        with self._lock:
            place = record.key, record.node_digest
            if place in self._kept:
                self._by_citation.setdefault(citation_key, place)

    def by_citation(self, citation_key: str) -> MocaRecord | None:
        """Return the record that was presented under a citation key in this run, or None."""
        place = self._by_citation.get(citation_key)
        return None if place is None else self._kept[place].record

    def by_ref(self, ref: str) -> tuple[MocaRecord, ...]:
        """Return the records of exactly this versioned reference, in order of reading."""
        return tuple(self._kept[place].record for place in tuple(self._by_ref.get(ref, ())))

    def refs(self) -> tuple[str, ...]:
        """Return every versioned reference that was read, in order of first reading."""
        return tuple(self._by_ref)

    def read_at(self, record: MocaRecord) -> datetime | None:
        """Return when a record was read, or None where that is not known."""
        kept = self._kept.get((record.key, record.node_digest))
        return None if kept is None else kept.read_at

    def computed_at(self, records: Iterable[MocaRecord]) -> str | None:
        """Return the earliest time at which one of `records` was read, as an event has it.

        None where there are none, or of one of them nobody knows: what is said of all must hold for each.
        """
        times = [self.read_at(record) for record in records]
        known = [time for time in times if time is not None]
        return told(min(known)) if known and len(known) == len(times) else None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Remarks on what came in, in order."""
        return self._remarks.kept()

    def __len__(self) -> int:
        return len(self._kept)
