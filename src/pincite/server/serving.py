"""Running the application with granian."""

from __future__ import annotations

import signal
import sys
from typing import Final

from granian import Granian
from granian.constants import Interfaces

TARGET: Final = "pincite.server.serving:served"
"""Where the server's worker finds the application."""


def served() -> object:
    """Return the application with its log set up; granian calls this in the process that serves."""
    from pincite.server.app import build_app
    from pincite.server.observing import set_up_log

    set_up_log()
    _end_with_parent()
    return build_app()


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, so that none is left behind that holds the port."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


def serve(host: str, port: int) -> None:
    """Serve on `host` and `port` until the process is interrupted."""
    Granian(
        TARGET, address=host, port=port, interface=Interfaces.ASGI, factory=True, log_enabled=False
    ).serve()
