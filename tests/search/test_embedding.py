"""Vectors in the background: batches, stopping, going on."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pincite.core.limits import DEFAULT
from pincite.library import Library
from pincite.search import embed_pending

if TYPE_CHECKING:
    from pathlib import Path


def test_stop_keeps_what_is_done_and_the_rest_follows(home: Path, keep: Any, word_embedder: Any) -> None:
    """Stopped after the first batch of two, the next run takes only the three that are left."""
    with Library.open(home, limits=replace(DEFAULT, embed_batch=2)) as library:
        keep(library, library.collection("c"), "upload://a.txt", ["one", "two", "three", "four", "five"])
        stop, heard = threading.Event(), list[tuple[int, int]]()

        def told(done: int, total: int) -> None:
            heard.append((done, total))
            stop.set()

        assert embed_pending(library, word_embedder, on_progress=told, stop=stop) == 2
        assert heard == [(2, 5)]
        assert library.pending_count(word_embedder.name) == 3
        heard.clear()
        assert (
            embed_pending(library, word_embedder, on_progress=lambda done, total: heard.append((done, total)))
            == 3
        )
        assert heard == [(2, 3), (3, 3)]
        assert embed_pending(library, word_embedder) == 0


def test_a_stop_before_the_start_does_nothing(library: Library, handbook: Any, word_embedder: Any) -> None:
    """With the event set beforehand no text is embedded."""
    assert handbook
    stop = threading.Event()
    stop.set()
    assert embed_pending(library, word_embedder, stop=stop) == 0
    assert word_embedder.calls == 0


def test_vectors_are_kept_as_fp16(library: Library, handbook: Any, word_embedder: Any) -> None:
    """Each vector takes two bytes a number."""
    assert handbook
    embed_pending(library, word_embedder)
    rows = list(library.vectors(word_embedder.name, 0))
    assert {len(vector) for *_, vector in rows} == {2 * word_embedder.dimensions}
    assert len(rows) == 6
