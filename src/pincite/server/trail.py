"""The audit trail: what was read, written in the background so that reading does not wait for a writer."""

from __future__ import annotations

from threading import Condition, Thread
from typing import TYPE_CHECKING, Any, Final

import structlog

from pincite.core.errors import PinciteError

if TYPE_CHECKING:
    from pincite.library import Audit, AuditEntry

_log: Any = structlog.get_logger("pincite.server")

_SECONDS: Final = 0.5
"""How long entries are gathered before they are written together."""


class Trail:
    """Entries on their way into the log of their tenant; thread-safe. Close it, and what waits is written.

    At most `most` wait: then who reads next waits for the writer, so that nothing is left out.
    """

    __slots__ = ("_closed", "_due", "_most", "_thread", "_waiting")

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: list[tuple[Audit, AuditEntry]] = []
        self._due = Condition()
        self._closed = False
        self._thread: Thread | None = None

    def note(self, audit: Audit, who: str, action: str, **given: Any) -> None:  # noqa: ANN401 - what `Audit.entry` takes
        """Enter that somebody did something; it is in the log after a moment.

        Raises:
            StoreError: so many wait that they have to be written now, and the library cannot be written.
        """
        entry = audit.entry(who, action, **given)
        with self._due:
            self._waiting.append((audit, entry))
            full = len(self._waiting) >= self._most
            if self._thread is None and not self._closed:
                self._thread = Thread(target=self._run, name="pincite-audit", daemon=True)
                self._thread.start()
        if full:
            self.flush()

    def flush(self) -> None:
        """Write what waits.

        Raises:
            StoreError: the library cannot be written; what was not written waits on.
        """
        with self._due:
            taken, self._waiting = self._waiting, []
        of: dict[int, tuple[Audit, list[AuditEntry]]] = {}
        for audit, entry in taken:
            of.setdefault(id(audit), (audit, []))[1].append(entry)
        left = list(of.values())
        try:
            while left:
                audit, entries = left[0]
                audit.enter(entries)
                del left[0]
        finally:
            with self._due:
                self._waiting[:0] = [(audit, entry) for audit, entries in left for entry in entries]

    def close(self) -> None:
        """Write what waits, and stop."""
        with self._due:
            self._closed = True
            self._due.notify_all()
        if self._thread is not None:
            self._thread.join()
        self._try()

    def _run(self) -> None:
        while True:
            with self._due:
                if self._closed:
                    return
                self._due.wait(_SECONDS)
            self._try()

    def _try(self) -> None:
        try:
            self.flush()
        except PinciteError as error:
            # It is tried again with the next; what waits is bounded.
            _log.error("audit", message=error.message)
