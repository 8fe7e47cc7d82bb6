"""Connections over HTTP that are bounded in time and number, so that those which send nothing hold nobody up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    import asyncio

    import uvicorn

    from pincite.core.limits import Limits


def connections(limits: Limits) -> type[asyncio.Protocol]:
    """Return uvicorn's protocol with `limits.mcp_request_seconds` and `limits.mcp_connections`."""

    class Bounded(_Connection):
        seconds = limits.mcp_request_seconds
        most = limits.mcp_connections

    return Bounded


class _Connection(H11Protocol):
    """A connection that is closed when a request does not arrive whole in time, or when too many wait for one."""

    seconds: float
    most: int

    def __init__(self, config: uvicorn.Config, *args: Any, **named: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(config, *args, **named)
        self._late: asyncio.TimerHandle | None = None
        self.waits_since = time.monotonic()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request; close another connection where there are too many."""
        super().connection_made(transport)  # pyright: ignore[reportArgumentType] - uvicorn narrows what asyncio gives
        self._wait()
        waiting = [one for one in self.connections if isinstance(one, _Connection) and one.waits()]
        if len(self.connections) > self.most and waiting:
            min(waiting, key=_since).give_up()

    def data_received(self, data: bytes) -> None:
        """Take in what came; wait on where the request is not whole."""
        super().data_received(data)
        if not self.waits():
            self._stop()
        elif self._late is None:
            self._wait()

    def on_response_complete(self) -> None:
        """Wait for the next request from now on; uvicorn closes the connection soon where none begins."""
        self.waits_since = time.monotonic()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """End with it."""
        self._stop()
        super().connection_lost(exc)

    def waits(self) -> bool:
        """Say whether a request is missing, or a part of one."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def give_up(self) -> None:
        """Close the connection."""
        self._stop()
        # At once: closing would wait for a client that reads nothing.
        self.transport.abort()

    def _wait(self) -> None:
        self.waits_since = time.monotonic()
        self._late = self.loop.call_later(self.seconds, self.give_up)

    def _stop(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def _since(connection: _Connection) -> float:
    return connection.waits_since
