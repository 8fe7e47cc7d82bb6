"""Vectors in a thread: it never outlives the block that it serves, and never fails loudly."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from pincite.cli.embedding import Embedding
from pincite.core.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

THREAD = "pincite-embed"


class _Library:
    """A library in which passages wait, as `pending_count` says."""

    def pending_count(self, _embedder: str) -> int:
        """Return that some wait."""
        return 1


def _nobody_heard(_done: int, _total: int) -> None:
    """Hear of progress."""


def _begin(stop: threading.Event) -> Embedding:
    library: Any = _Library()
    return Embedding(library, stop, _nobody_heard)


def test_a_failed_block_ends_the_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk ends the run with its sentence, and not with a thread in native code that aborts the process."""
    stop = threading.Event()

    def embed_until_stopped(*_given: object, **_named: object) -> int:
        assert stop.wait(60)
        return 0

    monkeypatch.setattr("pincite.search.embed_pending", embed_until_stopped)
    msg = "The disk is full; nothing was changed."
    with pytest.raises(StoreError), _begin(stop):
        raise StoreError(msg)
    assert stop.is_set()
    assert THREAD not in _threads()


def test_what_the_model_throws_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is none of ours is told by its kind; the thread prints no traceback."""

    def fail(*_given: object, **_named: object) -> int:
        msg = "/secret/path"
        raise RuntimeError(msg)

    monkeypatch.setattr("pincite.search.embed_pending", fail)
    with _begin(threading.Event()) as embedding:
        pass
    assert embedding.problem == "the model failed (RuntimeError)."
    assert THREAD not in _threads()


def _threads() -> Sequence[str]:
    return [thread.name for thread in threading.enumerate()]
