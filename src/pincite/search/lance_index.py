"""An index that many nodes share: LanceDB in a folder or a bucket, derived from the library and rebuilt at need."""

from __future__ import annotations

import hashlib
import threading
import time
import uuid
from collections import OrderedDict
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from pincite.core.errors import MissingExtraError, SettingError, StoreError
from pincite.core.limits import DEFAULT
from pincite.library.index_state import IndexState, IndexStates, passages_to_index
from pincite.search._analysis import Analysis
from pincite.search._terms import INEXACT_SHARE, question_terms
from pincite.search._torn import TornIndexError, no_index, nothing_yet

try:
    import numpy as np
    from rapidfuzz.distance import OSA

    from pincite.search import _lance_table as lance
except ImportError as error:
    if isinstance(error, MissingExtraError):
        raise
    _what = "An index that several machines share"
    raise MissingExtraError(_what, "lance") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pincite.core.limits import Limits
    from pincite.core.protocols import Embedder
    from pincite.library.library import Library
    from pincite.search.index import Term, Terms, Within

Answer = TypeVar("Answer")

SCHEME = "lance:"
"""What the address of such an index begins with."""

_CHANGES = 5_000
"""Changes of one write: what bounds the texts and vectors held at once while an index is built."""
_WRITING_SECONDS = 60.0
_OPTIMISING_SECONDS = 900.0
"""How long a node that says nothing more is taken for the writer."""
_PATIENCE_SECONDS = 1.0
"""How long optimising waits for the writer that asked for it to be done."""
_PAUSE_SECONDS = 0.1
_REMEMBERED = 4_096
"""Passages whose terms are kept from one search to the next."""


class LanceIndex:
    """An `Index` at `address` (`lance:/folder` or `lance:s3://bucket/prefix`) that follows `library`. Thread-safe.

    Any number of processes on any number of machines may share it. Whoever finds it behind the library brings it
    up to date, one at a time; the others go on with the version they have, and open the new one once the library
    says that it is valid. What is lost, torn, of another library or half done is built anew, or done again.
    """

    def __init__(
        self, library: Library, address: str, embedder: Embedder, *, limits: Limits = DEFAULT
    ) -> None:
        """Nothing is opened yet.

        Raises:
            SettingError: the address is none of an index.
        """
        place = address.removeprefix(SCHEME).rstrip("/")
        if not address.startswith(SCHEME) or not place:
            msg = "The address of the index is like `lance:/folder` or `lance:s3://bucket/prefix`."
            raise SettingError(msg, field="PINCITE_INDEX")
        self._library = library
        self._embedder = embedder
        self._limits = limits
        self._analysis = Analysis()
        database = library.database
        # Another embedder or layout is another index, also while nodes of two releases run side by side.
        name = hashlib.blake2b(f"{place} {embedder.name} {lance.LAYOUT}".encode(), digest_size=16).hexdigest()
        self._shelf = lance.Shelf(f"{place}/{database.tenant}/{name}", embedder.dimensions, self._analysis)
        self._states = IndexStates(database, name)
        self._writing = threading.Lock()
        self._opening = threading.Lock()
        self._shown: lance.Snapshot | None = None
        self._damaged: tuple[str, int] | None = None
        self._optimiser: threading.Thread | None = None
        self._memory = threading.Lock()
        self._texts: OrderedDict[str, tuple[frozenset[str], str]] = OrderedDict()

    def sync(self) -> None:
        """Take in what changed in the library since, unless another node is at it.

        Raises:
            StoreError: there is nothing to search in, and nothing could be built.
        """
        heads = self._library.heads(self._embedder.name)
        state = self._states.read()
        self._show(state)
        if self._shown is not None and (state.seq, state.number) == heads:
            return
        # Where nothing can be read yet, another thread that writes is waited for.
        waiting = 0.0 if self._shown is not None else self._limits.busy_seconds
        if not self._writing.acquire(timeout=waiting):
            self.snapshot()
            return
        try:
            self._write()
        finally:
            self._writing.release()

    def terms(self, question: str) -> Terms:
        """Return the terms of `question`, weighted by this index."""
        return self._read(lambda shown: question_terms(self._analysis, question, shown.holding, shown.total))

    def by_words(self, terms: Terms, within: Within, limit: int) -> list[str]:
        """Return ids of at most `limit` passages that hold any of `terms`, best (BM25) first."""
        found = self._read(lambda shown: shown.by_words(terms, within, limit))
        self._remember(found)
        return [row.chunk_id for row in found]

    def by_vector(self, vector: Sequence[float], within: Within, limit: int) -> list[tuple[str, float]]:
        """Return at most `limit` pairs (passage id, cosine), nearest first."""
        found = self._read(lambda shown: shown.by_vector(vector, within, limit))
        self._remember(found)
        return [(row.chunk_id, row.score) for row in found]

    def cosines(self, vector: Sequence[float], chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """Return the cosine of `vector` with each passage whose vector is known."""
        wanted = np.asarray(vector, np.float32)
        kept = self._library.vectors_of(self._embedder.name, chunk_ids)
        # The library has them all; what is no vector is left out, as it is in the index.
        scores = {
            name: float(np.frombuffer(data, "<f2").astype(np.float32) @ wanted)
            for name, data in kept.items()
            if len(data) == 2 * len(wanted)
        }
        return {name: score for name, score in scores.items() if np.isfinite(score)}

    def coverage(self, terms: Terms, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """Return the share (0 to 1, by weight) of `terms` that each passage holds; one left out holds none."""
        if not terms.terms:
            return {}
        whole = terms.weight
        found: dict[str, float] = {}
        for name, (held, words) in self._texts_of(chunk_ids).items():
            share = sum(_held(term, held, words) for term in terms.terms) / whole
            if share:
                found[name] = min(share, 1.0)
        return found

    def snapshot(self) -> lance.Snapshot:
        """Return the version that is open.

        Raises:
            StoreError: none is, because another node builds the first one.
        """
        shown = self._shown
        if shown is None:
            raise nothing_yet()
        return shown

    def optimise(self) -> bool:
        """Take what was added since into the indexes and clear away what is of no use; searches go on meanwhile.

        Returns whether it was done: not while another node writes.

        Raises:
            StoreError: the library's database cannot be written.
        """
        holder = str(uuid.uuid4())
        state = self._states.take(holder, _OPTIMISING_SECONDS)
        if state is None:
            return False
        try:
            if not state.table:
                return False
            writer = self._shelf.write(state.table, state.version)
            writer.optimise()
            # Before it is valid nothing may be cleared away that the version before it needs.
            entered = self._states.enter(holder, _at(state, writer), _OPTIMISING_SECONDS)
            if entered:
                self._shelf.clear(state.table)
                writer.clean()
                entered = self._states.enter(holder, _at(state, writer), _OPTIMISING_SECONDS)
        except TornIndexError:
            # What is valid serves on; the next writer goes on from there.
            return False
        else:
            return entered
        finally:
            self._states.release(holder)

    def compact(self) -> float | None:
        """Take what was deleted out of the valid version; it goes for good with the versions that were superseded.

        Returns the seconds that those are kept for whoever reads them at this moment.

        Raises:
            StoreError: another node writes, or the library's database cannot be written.
        """
        self.sync()
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not self.optimise():
            if time.monotonic() >= deadline:
                msg = "Another node is writing to the search index; try again."
                raise StoreError(msg)
            time.sleep(_PAUSE_SECONDS)
        return lance.KEPT.total_seconds()

    def close(self) -> None:
        """Let go of files and memory; what is stored stays, and the next call opens it again."""
        optimiser = self._optimiser
        if optimiser is not None:
            optimiser.join()
        with self._opening:
            self._shown, self._optimiser = None, None

    # -- reading ---------------------------------------------------------------------------------

    def _read(self, question: Callable[[lance.Snapshot], Answer]) -> Answer:
        """Ask the version that is open; when that fails the valid one is opened, and then built anew."""
        if self._shown is None:
            self.sync()
        for attempt in range(2):
            shown = self.snapshot()
            try:
                return question(shown)
            except TornIndexError:
                with self._opening:
                    if self._shown is shown:
                        self._shown = None
                    if attempt:
                        self._damaged = shown.name, shown.version
            self.sync()
        try:
            return question(self.snapshot())
        except TornIndexError as error:
            raise no_index() from error

    def _show(self, state: IndexState) -> None:
        """Let searches read the valid version."""
        with self._opening:
            shown, valid = self._shown, (state.table, state.version)
            if not state.table:
                self._shown = None
            elif valid != self._damaged and (shown is None or (shown.name, shown.version) != valid):
                # Where it cannot be opened, what was open serves on.
                with suppress(TornIndexError):
                    self._shown = self._shelf.open(*valid)

    def _remember(self, found: Iterable[lance.Found]) -> None:
        with self._memory:
            for row in found:
                if row.chunk_id not in self._texts:
                    self._texts[row.chunk_id] = frozenset(row.terms.split(" ")), row.words
            while len(self._texts) > _REMEMBERED:
                self._texts.popitem(last=False)

    def _texts_of(self, chunk_ids: Sequence[str]) -> dict[str, tuple[frozenset[str], str]]:
        """Return terms and words of passages. The text of an id never changes, so what is remembered holds."""
        with self._memory:
            known = {name: self._texts[name] for name in chunk_ids if name in self._texts}
        texts = self._library.texts([name for name in chunk_ids if name not in known])
        for name, text in texts.items():
            terms, words = lance.analysed(self._analysis, text)
            known[name] = frozenset(terms.split(" ")), words
        return known

    # -- writing ---------------------------------------------------------------------------------

    def _write(self) -> None:
        """Become the writer and bring the index up to date; wait for another one only where nothing can be read."""
        holder = str(uuid.uuid4())
        deadline = time.monotonic() + self._limits.busy_seconds
        while (state := self._states.take(holder, _WRITING_SECONDS)) is None:
            if self._shown is not None or time.monotonic() >= deadline:
                self.snapshot()
                return
            time.sleep(_PAUSE_SECONDS)
            self._show(self._states.read())
        try:
            self._show(state)
            self._follow(holder, state)
        except TornIndexError as error:
            # What is open still serves: a bucket that cannot be written must not stop a search.
            if self._shown is None:
                raise no_index() from error
        finally:
            self._states.release(holder)

    def _follow(self, holder: str, state: IndexState) -> None:
        """Take in every change and vector after those of `state`, the valid version."""
        _, last = self._library.heads(self._embedder.name)
        writer, state = self._writer(state)
        # Passages of an index that begins empty are read with their vectors, up to the last one at least.
        whole = state.seq == 0
        while changes := self._library.changes(state.seq, _CHANGES):
            ids = [change.chunk_id for change in changes]
            state = self._enter(holder, writer, ids, IndexState(seq=changes[-1].seq, number=state.number))
        if whole and last:
            state = self._enter(holder, writer, [], IndexState(seq=state.seq, number=last))
        rows = self._library.vectors(self._embedder.name, state.number)
        while batch := list(islice(rows, _CHANGES)):
            ids = [chunk_id for _, chunk_id, _, _ in batch]
            state = self._enter(holder, writer, ids, IndexState(seq=state.seq, number=batch[-1][0]))
        if state.number < last:
            # Numbers of vectors that are gone again are not looked for a second time.
            state = self._enter(holder, writer, [], IndexState(seq=state.seq, number=last))
        if (state.table, state.version) != (writer.name, writer.version):
            # Built beside what served on meanwhile, or empty.
            self._make_valid(holder, IndexState(writer.name, writer.version, state.seq, state.number))
        if writer.loose:
            self._optimise_soon()

    def _writer(self, state: IndexState) -> tuple[lance.Writer, IndexState]:
        """Return the table to write to and how far it is: the valid one, or a new one where that is lost."""
        if state.table and (state.table, state.version) != self._damaged:
            with suppress(TornIndexError):
                return self._shelf.write(state.table, state.version), state
        return self._shelf.create(), IndexState()

    def _enter(self, holder: str, writer: lance.Writer, ids: Sequence[str], marks: IndexState) -> IndexState:
        """Bring passages to what the library says of them now, and return what the index is then."""
        if ids:
            found = passages_to_index(self._library.database, self._embedder.name, ids)
            writer.apply(ids, found)
        state = IndexState(writer.name, writer.version, marks.seq, marks.number)
        if self._shown is not None and self._shown.name != writer.name:
            # Another table serves on until this one has everything.
            if not self._states.enter(holder, None, _WRITING_SECONDS):
                raise TornIndexError
            return IndexState("", 0, marks.seq, marks.number)
        self._make_valid(holder, state)
        return state

    def _make_valid(self, holder: str, state: IndexState) -> None:
        """Enter a version as the valid one and show it.

        Raises:
            TornIndexError: another node has become the writer.
        """
        if not self._states.enter(holder, state, _WRITING_SECONDS):
            msg = "Another node has become the writer."
            raise TornIndexError(msg)
        self._show(state)

    def _optimise_soon(self) -> None:
        """Optimise in a thread of its own, one at a time; the end of the process waits for it."""
        if self._optimiser is None or not self._optimiser.is_alive():
            self._optimiser = threading.Thread(target=self._optimise_quietly, name="pincite-optimise")
            self._optimiser.start()

    def _optimise_quietly(self) -> None:
        # The writer that started it may hold on for a moment.
        deadline = time.monotonic() + _PATIENCE_SECONDS
        with suppress(StoreError):
            while not self.optimise() and time.monotonic() < deadline:
                time.sleep(_PAUSE_SECONDS)


def _at(state: IndexState, writer: lance.Writer) -> IndexState:
    return IndexState(state.table, writer.version, state.seq, state.number)


def _held(term: Term, held: frozenset[str], words: str) -> float:
    """Return what a passage that holds these terms and words holds of `term`, by weight."""
    if not term.distance:
        return term.weight if term.text in held else 0.0
    near = any(
        OSA.distance(word, term.word, score_cutoff=term.distance) <= term.distance
        for word in words.split(" ")
    )
    return term.weight * INEXACT_SHARE if near else 0.0
