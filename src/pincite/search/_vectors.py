"""The vector half of the local index: exact search over fp16 vectors in memory (faiss)."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import faiss  # pyright: ignore[reportMissingTypeStubs]
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

_faiss: Any = faiss

_ONE_THREAD_ROWS = 50_000
"""Up to this many vectors one thread is quicker: waking others costs more than they save."""
_DEAD_SHARE = 0.5
_DEAD_ROWS = 1_000


class Vectors:
    """Vectors of passages by row. A row is never moved: one that is of no use any more is masked out.

    When more than half of the rows are masked, the others are copied into a new index. Thread-safe.
    """

    __slots__ = (
        "_alive",
        "_chunks",
        "_codes",
        "_collections",
        "_gone",
        "_index",
        "_lock",
        "_rows",
        "dimensions",
    )

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self._lock = threading.Lock()
        self._index: Any = self._new_index()
        self._chunks: list[str] = []
        self._rows: dict[str, int] = {}
        self._collections: NDArray[np.int32] = np.zeros(0, np.int32)
        self._codes: dict[str, int] = {}
        self._alive: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._gone: set[str] = set()

    def __len__(self) -> int:
        return int(self._alive.sum())

    def add(self, rows: Iterable[tuple[str, str, bytes]]) -> None:
        """Take in (passage id, collection id, fp16 bytes); bytes that are no vector are left out."""
        width = self.dimensions * 2
        kept = [row for row in rows if len(row[2]) == width]
        if not kept:
            return
        matrix = np.frombuffer(b"".join(row[2] for row in kept), "<f2").astype(np.float32)
        matrix = matrix.reshape(len(kept), self.dimensions)
        finite: NDArray[np.bool_] = np.asarray(np.isfinite(matrix).all(axis=1), np.bool_)
        matrix = np.where(finite[:, None], matrix, np.float32(0))
        with self._lock:
            first = len(self._chunks)
            self._index.add(np.ascontiguousarray(matrix))
            codes = [self._codes.setdefault(collection, len(self._codes)) for _, collection, _ in kept]
            self._collections = np.concatenate([self._collections, np.array(codes, np.int32)])
            alive = finite & np.array([chunk not in self._gone for chunk, _, _ in kept], np.bool_)
            self._alive = np.concatenate([self._alive, alive])
            for row, (chunk, _, _) in enumerate(kept, first):
                older = self._rows.get(chunk)
                if older is not None:
                    self._alive[older] = False
                self._rows[chunk] = row
                self._chunks.append(chunk)

    def drop(self, chunk_ids: Iterable[str]) -> None:
        """Mask passages out, those too whose vectors are still to come."""
        with self._lock:
            for chunk in chunk_ids:
                self._gone.add(chunk)
                row = self._rows.get(chunk)
                if row is not None:
                    self._alive[row] = False
            dead = len(self._chunks) - int(self._alive.sum())
            if dead > _DEAD_ROWS and dead > _DEAD_SHARE * len(self._chunks):
                self._compact()

    def restore(self, chunk_ids: Iterable[str]) -> list[str]:
        """Let passages be found again; return those that were dropped here and whose vectors are not kept."""
        absent: list[str] = []
        with self._lock:
            for chunk in chunk_ids:
                row = self._rows.get(chunk)
                if row is not None:
                    self._alive[row] = True
                elif chunk in self._gone:
                    absent.append(chunk)
                self._gone.discard(chunk)
        return absent

    def search(
        self,
        vector: Sequence[float],
        collections: Sequence[str],
        limit: int,
        *,
        only: Sequence[str] | None = None,
    ) -> list[tuple[str, float]]:
        """Return at most `limit` pairs (passage id, cosine), nearest first, of `collections` and passages `only`."""
        with self._lock:
            mask = self._mask(collections, only)
            count = int(mask.sum())
            if not count:
                return []
            self._use_threads()
            if count == len(mask):
                scores, rows = self._index.search(_matrix(vector), min(limit, count))
            else:
                bits = np.packbits(mask, bitorder="little")
                params = _faiss.SearchParameters(sel=_faiss.IDSelectorBitmap(bits))
                scores, rows = self._index.search(_matrix(vector), min(limit, count), params=params)
            found = zip(rows[0].tolist(), scores[0].tolist(), strict=True)
            return [(self._chunks[row], score) for row, score in found if row >= 0]

    def cosines(self, vector: Sequence[float], chunk_ids: Sequence[str]) -> dict[str, float]:
        """Return the cosine of `vector` with each passage whose vector is here."""
        with self._lock:
            known = [(chunk, row) for chunk in chunk_ids if (row := self._rows.get(chunk)) is not None]
            known = [(chunk, row) for chunk, row in known if self._alive[row]]
            if not known:
                return {}
            matrix = self._index.reconstruct_batch(np.array([row for _, row in known], np.int64))
        scores = (matrix @ _matrix(vector)[0]).tolist()
        return {chunk: score for (chunk, _), score in zip(known, scores, strict=True)}

    def chunk_ids(self) -> list[str]:
        """Return the passages that have a vector here and may be found."""
        with self._lock:
            return [chunk for chunk, row in self._rows.items() if self._alive[row]]

    def _mask(self, collections: Sequence[str], only: Sequence[str] | None) -> NDArray[np.bool_]:
        wanted = np.zeros(len(self._codes) + 1, np.bool_)
        wanted[[self._codes[name] for name in collections if name in self._codes]] = True
        mask = self._alive & wanted[self._collections]
        if only is not None:
            allowed = np.zeros_like(mask)
            allowed[[row for name in only if (row := self._rows.get(name)) is not None]] = True
            mask &= allowed
        return mask

    def _compact(self) -> None:
        rows = np.flatnonzero(self._alive)
        index = self._new_index()
        if len(rows):
            index.add(self._index.reconstruct_batch(rows.astype(np.int64)))
        self._index = index
        self._chunks = [self._chunks[row] for row in rows.tolist()]
        self._rows = {chunk: row for row, chunk in enumerate(self._chunks)}
        self._collections = self._collections[rows]
        self._alive = np.ones(len(rows), np.bool_)

    def _new_index(self) -> Any:  # noqa: ANN401 - faiss has no types
        return _faiss.IndexScalarQuantizer(
            self.dimensions, _faiss.ScalarQuantizer.QT_fp16, _faiss.METRIC_INNER_PRODUCT
        )

    def _use_threads(self) -> None:
        # OpenMP keeps this number per calling thread, so it is set where it is used.
        few = len(self._chunks) <= _ONE_THREAD_ROWS
        _faiss.omp_set_num_threads(1 if few else os.cpu_count() or 1)


def _matrix(vector: Sequence[float]) -> NDArray[np.float32]:
    return np.ascontiguousarray(np.asarray(vector, np.float32)[None, :])
