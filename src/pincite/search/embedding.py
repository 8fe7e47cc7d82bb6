"""Vectors in the background: passages are found by words at once, and by meaning once this has seen them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.core.errors import MissingExtraError

try:
    import numpy as np
except ImportError as error:
    _what = "Searching by meaning"
    raise MissingExtraError(_what, "search") from error

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Sequence

    from pincite.core.protocols import Embedder
    from pincite.library.library import Library


def embed_pending(
    library: Library,
    embedder: Embedder,
    *,
    on_progress: Callable[[int, int], None] | None = None,
    stop: threading.Event | None = None,
) -> int:
    """Give every current passage without a vector one, `limits.embed_batch` at a time; return how many got one.

    Each batch is committed before the next, so work that `stop` or a crash ends goes on where it was.
    `on_progress` is told (done, all) after each batch.

    Raises:
        ModelFileError: the model is not the pinned file.
        StoreError: the library cannot be written.
    """
    name, size = embedder.name, max(1, library.limits.embed_batch)
    done, total = 0, library.pending_count(name)
    while stop is None or not stop.is_set():
        batch = library.pending_vectors(name, size)
        if not batch:
            break
        vectors = embedder.embed([text for _, text in batch])
        packed = [(named[0], pack(vector)) for named, vector in zip(batch, vectors, strict=True)]
        done += library.store_vectors(name, packed)
        # Another process may add passages, or embed some of these, meanwhile.
        total = max(total, done)
        if on_progress is not None:
            on_progress(done, total)
    return done


def pack(vector: Sequence[float]) -> bytes:
    """Return a vector as the library keeps it: fp16, little-endian."""
    return np.asarray(vector, "<f2").tobytes()
