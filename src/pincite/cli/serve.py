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
    tenant: Annotated[
        str | None,
        typer.Option("--tenant", metavar="NAME", help="Make this tenant too, with a first key of its own."),
    ] = None,
) -> None:
    """Serve the library over HTTP until you press Ctrl-C. A tenant without any API key gets a first one."""
    from pincite.core.settings import Settings
    from pincite.server import LOCAL, Service, first_key, home_of
    from pincite.server import serve as run_server

    check_free(host, port)
    output = Output()
    with Service(home_of(Settings.from_env())) as service:
        if tenant is not None and tenant != LOCAL and not service.tenants.exists(tenant):
            service.tenants.create(tenant)
        made = [first_key(service, one) for one in dict.fromkeys((LOCAL, tenant or LOCAL))]
    for path in filter(None, made):
        said = f"The first API key is in {path} (only you can read it); send it as `Authorization: Bearer`."
        output.say(said)
    shown = f"[{host}]" if ":" in host else host
    output.say(f"Serving on http://{shown}:{port} (Ctrl-C stops it).")
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
