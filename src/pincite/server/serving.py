"""Running the application with granian."""

from __future__ import annotations

from typing import TYPE_CHECKING

from granian import Granian
from granian.constants import Interfaces

if TYPE_CHECKING:
    from collections.abc import Sequence

TARGET = "pincite.server.app:build_app"
"""Where the server's workers find the application."""


def serve(host: str, port: int) -> None:
    """Serve on `host` and `port` until the process is interrupted."""
    Granian(
        TARGET, address=host, port=port, interface=Interfaces.ASGI, factory=True, log_enabled=False
    ).serve()


__all__: Sequence[str] = ["TARGET", "serve"]
