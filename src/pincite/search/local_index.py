"""The default index: tantivy on disk and faiss in memory, both derived from the library and rebuilt at need."""

from __future__ import annotations

import shutil
import threading
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from pincite.core.errors import MissingExtraError, StoreError
from pincite.core.limits import DEFAULT
from pincite.search._analysis import Analysis
from pincite.search._lock import file_lock

try:
    from pincite.search._torn import TornIndexError, no_index, nothing_yet
    from pincite.search._vectors import Vectors
    from pincite.search._words import Entry, Progress, Words
except ImportError as error:
    if isinstance(error, MissingExtraError):
        raise
    _what = "Searching"
    raise MissingExtraError(_what, "search") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pincite.core.limits import Limits
    from pincite.core.protocols import Embedder
    from pincite.library.feed import Change
    from pincite.library.library import Library
    from pincite.search.index import Terms, Within

Answer = TypeVar("Answer")

_CHANGES = 5_000
"""Changes of one commit: what bounds the texts held at once while an index is built."""
_ROWS = 4_096
"""Vectors taken in at once."""
_PATIENCE_SECONDS = 1.0
"""How long a search waits for another writer before it goes on with what there is."""


class LocalIndex:
    """An `Index` in `folder` that follows `library`. Thread-safe; several processes may share the folder.

    Whoever finds the index behind the library brings it up to date, one at a time; the others open the new
    commit. What is lost, torn, of another library or of another layout is built anew from the library.
    """

    def __init__(
        self, library: Library, folder: Path, embedder: Embedder, *, limits: Limits = DEFAULT
    ) -> None:
        self._library = library
        self._folder = folder
        self._embedder = embedder
        self._limits = limits
        self._analysis = Analysis()
        self._turn = threading.Lock()
        self._words: Words | None = None
        self._mark: tuple[int, int, int] | None = None
        self._damaged: tuple[int, int, int] | None = None
        self._vectors = Vectors(embedder.dimensions)
        self._loaded = False
        self._vector_seq = 0
        self._last_row = 0

    def sync(self) -> None:
        """Take in what changed in the library since, as far as another writer lets it.

        Raises:
            StoreError: there is nothing to search in, and nothing could be built.
        """
        if not self._turn.acquire(timeout=self._patience()):
            self._need_words()
            return
        try:
            head, last_row = self._library.heads(self._embedder.name)
            self._sync_words(head)
            self._sync_vectors(self._need_words(), head, last_row)
        finally:
            self._turn.release()

    def terms(self, question: str) -> Terms:
        """Return the terms of `question`, weighted by this index."""
        return self._read(lambda words: words.terms(question))

    def by_words(self, terms: Terms, within: Within, limit: int) -> list[str]:
        """Return ids of at most `limit` passages that hold any of `terms`, best (BM25) first."""
        return self._read(lambda words: words.search(terms, within, limit))

    def by_vector(self, vector: Sequence[float], within: Within, limit: int) -> list[tuple[str, float]]:
        """Return at most `limit` pairs (passage id, cosine), nearest first."""
        only = None
        if within.documents is not None:
            only = self._read(lambda words: words.ids(within))
        return self._vectors.search(vector, within.collections, limit, only=only)

    def cosines(self, vector: Sequence[float], chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """Return the cosine of `vector` with each passage whose vector is known."""
        return self._vectors.cosines(vector, chunk_ids)

    def coverage(self, terms: Terms, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """Return the share (0 to 1, by weight) of `terms` that each passage holds; one left out holds none."""
        return self._read(lambda words: words.coverage(terms, chunk_ids))

    def compact(self) -> float | None:
        """Build the index anew beside the one that serves, and put it in its place: the engine keeps deleted words.

        Returns None: nothing of what was deleted is left on disk.

        Raises:
            StoreError: another process is at it, or the folder cannot be written.
        """
        try:
            with file_lock(self._folder / "compact.lock", 0.0) as mine:
                if not mine:
                    # It may have begun before what is to go now was deleted.
                    raise _occupied()
                self._build_anew(self._folder / "words.fresh")
        except (OSError, TornIndexError) as error:
            raise no_index() from error
        self.sync()
        return None

    def _build_anew(self, fresh: Path) -> None:
        self._follow(Words.create(fresh, self._analysis), fresh)
        old = self._folder / "words.old"
        # Those who search take this lock as soon as they find the index behind, so it is held for a moment only.
        with file_lock(self._folder / "writer.lock", self._limits.busy_seconds) as mine:
            if not mine:
                raise _occupied()
            self._follow(Words.open(fresh, self._analysis), fresh)
            shutil.rmtree(old, ignore_errors=True)
            if self._commits.exists():
                self._commits.rename(old)
            fresh.rename(self._commits)
        # What others have open stays readable to them until they look again.
        shutil.rmtree(old, ignore_errors=True)

    def close(self) -> None:
        """Let go of files and memory; what is on disk stays, and the next call opens it again."""
        with self._turn:
            self._mark, self._words = None, None
            self._vectors = Vectors(self._embedder.dimensions)
            self._loaded = False

    # -- words -----------------------------------------------------------------------------------

    def _read(self, question: Callable[[Words], Answer]) -> Answer:
        """Ask the commit that is open; a damaged one is rebuilt and asked again."""
        if self._words is None:
            self.sync()
        try:
            return question(self._need_words())
        except TornIndexError:
            with self._turn:
                self._damaged = self._mark
                self._mark, self._words = None, None
            self.sync()
        try:
            return question(self._need_words())
        except TornIndexError as error:
            raise no_index() from error

    def _need_words(self) -> Words:
        words = self._words
        if words is None:
            raise nothing_yet()
        return words

    def _sync_words(self, head: int) -> None:
        latest = self._open()
        if latest is not None and latest.progress.seq == head:
            return
        try:
            with file_lock(self._folder / "writer.lock", self._patience()) as mine:
                if mine:
                    self._write()
        except (OSError, TornIndexError) as error:
            # What is open still serves: a full disk must not stop a search.
            if self._words is None:
                raise no_index() from error

    def _write(self) -> None:
        """Bring the index up to the library's head, this process being the one writer."""
        # Another process may have written since this one looked.
        latest = self._open()
        if latest is None:
            self._follow(Words.create(self._commits, self._analysis), self._commits)
            return
        try:
            self._follow(latest, self._commits)
        except TornIndexError:
            # Built beside what is open, which serves on if this fails too.
            fresh = self._folder / "words.new"
            self._follow(Words.create(fresh, self._analysis), fresh)
            shutil.rmtree(self._commits)
            fresh.rename(self._commits)
            self._open()

    def _follow(self, words: Words, folder: Path) -> None:
        """Take in every change after what `words`, the latest commit in `folder`, has."""
        self._show(words, folder)
        while changes := self._library.changes(words.progress.seq, _CHANGES):
            latest = {change.chunk_id: change for change in changes}
            puts = [change for change in latest.values() if change.op == "put"]
            texts = self._library.texts([change.chunk_id for change in puts])
            entries = [
                Entry(put.chunk_id, put.collection_id, put.document_id, texts[put.chunk_id])
                for put in puts
                if put.chunk_id in texts
            ]
            # A passage without text was deleted since; its own `drop` is still to come.
            drops = latest.keys() - {entry.chunk_id for entry in entries}
            last = changes[-1]
            words.apply(drops, entries, Progress(last.seq, _fingerprint(last)))
            words = Words.open(folder, self._analysis)
            self._show(words, folder)

    def _show(self, words: Words, folder: Path) -> None:
        """Let searches read `words`, the latest commit in `folder`, if that is where they look."""
        if folder == self._commits:
            self._mark, self._words = self._stamp(), words

    def _open(self) -> Words | None:
        """Return the latest commit on disk, opened; None when there is none that can serve this library."""
        mark = self._stamp()
        if mark is None or mark == self._damaged:
            return None
        if mark == self._mark:
            return self._words
        try:
            words = Words.open(self._commits, self._analysis)
        except TornIndexError:
            return None
        if not self._is_ours(words.progress):
            return None
        self._mark, self._words = mark, words
        return words

    def _is_ours(self, progress: Progress) -> bool:
        """Say whether the last change that the index took in is that change of this library."""
        if progress.seq == 0:
            return True
        found = self._library.changes(progress.seq - 1, 1)
        return bool(found) and (found[0].seq, _fingerprint(found[0])) == (progress.seq, progress.change)

    @property
    def _commits(self) -> Path:
        return self._folder / "words"

    def _stamp(self) -> tuple[int, int, int] | None:
        """Return what changes with every commit of any process, or None when there is no index."""
        try:
            seen = (self._commits / "meta.json").stat()
        except OSError:
            return None
        return seen.st_ino, seen.st_mtime_ns, seen.st_size

    def _patience(self) -> float:
        return self._limits.busy_seconds if self._words is None else _PATIENCE_SECONDS

    # -- vectors ---------------------------------------------------------------------------------

    def _sync_vectors(self, words: Words, head: int, last_row: int) -> None:
        if not self._loaded:
            self._load_vectors(words)
        while self._vector_seq < head:
            changes = self._library.changes(self._vector_seq, _CHANGES)
            latest = {change.chunk_id: change for change in changes}
            self._vectors.drop(name for name, change in latest.items() if change.op == "drop")
            absent = self._vectors.restore(name for name, change in latest.items() if change.op == "put")
            if absent:
                kept = self._library.vectors_of(self._embedder.name, absent)
                self._vectors.add((name, latest[name].collection_id, kept[name]) for name in kept)
            self._vector_seq = changes[-1].seq
        if self._last_row < last_row:
            self._take_new_vectors()
            # Numbers of vectors that are gone again are not looked for a second time.
            self._last_row = max(self._last_row, last_row)

    def _load_vectors(self, words: Words) -> None:
        """Take in every stored vector; those of passages that are not to be found are masked out."""
        self._vectors = Vectors(self._embedder.dimensions)
        self._last_row = 0
        self._take_new_vectors()
        found = set(words.ids())
        self._vectors.drop(name for name in self._vectors.chunk_ids() if name not in found)
        self._vector_seq = words.progress.seq
        self._loaded = True

    def _take_new_vectors(self) -> None:
        rows = self._library.vectors(self._embedder.name, self._last_row)
        while batch := list(islice(rows, _ROWS)):
            self._vectors.add(
                (chunk_id, collection_id, vector) for _, chunk_id, collection_id, vector in batch
            )
            self._last_row = batch[-1][0]


def _occupied() -> StoreError:
    return StoreError("Another program is writing to the search index; try again.")


def _fingerprint(change: Change) -> str:
    return f"{change.collection_id}:{change.chunk_id}:{change.op}"
