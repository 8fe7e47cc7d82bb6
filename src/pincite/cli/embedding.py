"""Vectors in a thread of their own, while files are still being read."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

from pincite.core.errors import PinciteError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from pincite.core.protocols import Embedder
    from pincite.library import Library


class Embedding:
    """Embeds what waits in the library, in a `with` block; at its end it waits until everything has its vector.

    When the block fails it stops, and is waited for too: a thread that is in native code when the process ends
    would abort it. `problem` says why it could not embed, in a sentence.
    """

    __slots__ = (
        "_done",
        "_finished",
        "_heard",
        "_library",
        "_on_progress",
        "_stop",
        "_thread",
        "_total",
        "problem",
    )

    def __init__(
        self, library: Library, stop: threading.Event, on_progress: Callable[[int, int], None]
    ) -> None:
        """`on_progress` is told (passages done, passages known) from the thread."""
        self._library = library
        self._stop = stop
        self._on_progress = on_progress
        self._heard = threading.Event()
        self._finished = False
        self._done = 0
        self._total = 0
        self.problem: str | None = None
        self._thread = threading.Thread(target=self._run, name="pincite-embed", daemon=True)
        self._thread.start()

    def more(self) -> None:
        """Say that passages came in."""
        self._heard.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._stop.set()
        self._finished = True
        self._heard.set()
        while self._thread.is_alive():
            # A short wait at a time, so that Ctrl-C is heard in between.
            self._thread.join(0.1)

    def _run(self) -> None:
        try:
            from pincite.search import MiniLM

            embedder = MiniLM()
            while not self._stop.is_set():
                last = self._finished
                self._round(embedder)
                if last:
                    return
                self._heard.wait(_PATIENCE)
                self._heard.clear()
        except PinciteError as error:
            self.problem = error.message
        except Exception as error:  # noqa: BLE001 - words are found without it, and nobody wants a traceback
            self.problem = f"the model failed ({type(error).__name__})."

    def _round(self, embedder: Embedder) -> None:
        from pincite.search import embed_pending

        before = self._done

        def on_progress(done: int, total: int) -> None:
            self._done = before + done
            self._total = max(self._total, before + total)
            self._on_progress(self._done, self._total)

        if self._library.pending_count(embedder.name):
            embed_pending(self._library, embedder, on_progress=on_progress, stop=self._stop)


# Seconds after which the thread looks by itself whether something waits.
_PATIENCE = 0.5
