"""`pincite serve`: the library over HTTP."""

from __future__ import annotations

import socket
from typing import Annotated

import typer

from pincite.cli.output import Output
from pincite.core.errors import InputError


def serve(
    *,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")] = 8000,
) -> None:
    """Serve the library over HTTP until you press Ctrl-C. For now: /healthz and /openapi.json."""
    from pincite.server import serve as run_server

    check_free(host, port)
    shown = f"[{host}]" if ":" in host else host
    Output().say(f"Serving on http://{shown}:{port} (Ctrl-C stops it).")
    run_server(host, port)


def check_free(host: str, port: int) -> None:
    """Raise when the address cannot be listened on, because the server itself would only log it.

    Raises:
        InputError: the port is taken, or the address is not one of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        msg = f"Cannot listen on {host[:80]} port {port}: {(error.strerror or 'no such address').lower()}."
        raise InputError(msg, field="port") from error
