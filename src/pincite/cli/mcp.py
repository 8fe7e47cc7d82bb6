"""`pincite mcp`: the library for other people's agents, over standard input and output or HTTP."""

from __future__ import annotations

import logging
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli.options import InLibrary
from pincite.cli.output import Output
from pincite.cli.rm import named_document
from pincite.cli.serve import check_free
from pincite.cli.support import method_of
from pincite.cli.workspace import Workspace
from pincite.core.errors import InputError, NotFoundError
from pincite.core.text import one_line

if TYPE_CHECKING:
    from pincite.checking import SupportMethod
    from pincite.protocols.mcp import CitationTools, Sessions

# Code points of a name that an error repeats.
_NAME = 80


def mcp(
    *,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP; else over standard input and output.")
    ] = False,
    host: Annotated[str, typer.Option(help="The address to listen on, with --http.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on, with --http.")] = 8001,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host", metavar="NAME", help="A further name under which clients reach it; repeat it."
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="NAME",
            help="The fetched set that every call works on. Else one a program, and over HTTP one a session.",
        ),
    ] = None,
    collection: Annotated[
        list[str] | None,
        typer.Option(
            "--collection",
            metavar="NAME",
            help="A collection to serve; repeat it. PINCITE_COLLECTION or `default` when not given.",
        ),
    ] = None,
    document: Annotated[
        list[str] | None,
        typer.Option(
            "--document",
            metavar="KEY",
            help="Serve this document alone: its id, the id's beginning, or its source; repeat it.",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="METHOD",
            help="How support is told: lexical, nli:FOLDER (a model in ONNX), or judge:MODEL.",
        ),
    ] = "lexical",
    library: InLibrary = None,
) -> None:
    """Serve the library to MCP clients: search, fetch, check, parse, render and verify."""
    from pincite.protocols.mcp import mcp_server

    if session is not None and not session.strip():
        msg = "A session's name is not empty."
        raise InputError(msg, field="session")
    if allow_host and not http:
        msg = "Names of the host belong to `--http`."
        raise InputError(msg, field="allow_host")
    how = method_of(method) or "lexical"
    names = list(dict.fromkeys(collection or ()))
    with Workspace(names[0] if names else None, library) as work:
        sessions = _sessions(work)
        tools = _tools(work, names or [work.collection_name], document, how)
        server = mcp_server(tools, sessions, session=session)
        if not http:
            import asyncio

            from pincite.protocols.mcp import serve_stdio

            _log_to_stderr()
            asyncio.run(serve_stdio(server))
            return
        from pincite.protocols.mcp import http_app, serve_http

        app = http_app(
            server,
            sessions,
            host=host,
            allow_hosts=allow_host or (),
            session=session,
            token=work.settings.mcp_token,
            limits=work.limits,
        )
        check_free(host, port)
        shown = f"[{host}]" if ":" in host else host
        _log_to_stderr()
        said = f"Serving MCP on http://{shown}:{port}/mcp (Ctrl-C stops it)."
        serve_http(app, host, port, on_ready=lambda: Output().say(said), limits=work.limits)


def _sessions(work: Workspace) -> Sessions:
    from pincite.protocols.mcp import Sessions, kept_secret

    given = work.settings.mcp_secret
    # The folder is made when the library is opened.
    folder = work.library.home
    return Sessions(given if given is not None else kept_secret(folder))


def _tools(
    work: Workspace, names: list[str], documents: list[str] | None, method: str | SupportMethod
) -> CitationTools:
    """Return the tools over the collections of those names.

    Raises:
        NotFoundError: there is no such collection, or no such document in them.
        InputError: a name means several documents.
    """
    from pincite.library import LibraryLedgers
    from pincite.protocols.mcp import CitationTools, LibraryShelf

    there_are = {one.name: one for one in work.library.collections()}
    for name in names:
        if name not in there_are:
            msg = f"There is no collection {one_line(name, _NAME)!r} yet; `pincite add PATH` makes it."
            raise NotFoundError(msg, field="collection")
    collections = [there_are[name] for name in names]
    wanted = None
    if documents:
        there = [one for found in collections for one in work.library.documents(found.collection_id)]
        wanted = [named_document(name, there).document_id for name in documents]
    shelf = LibraryShelf(work.library, lambda: work.search, collections, wanted)
    return CitationTools(shelf, LibraryLedgers(work.library), method=method, limits=work.limits)


def _log_to_stderr() -> None:
    """Let warnings of the server be seen, where they are in no client's way."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    for name in ("pincite", "mcp", "uvicorn"):
        logger = logging.getLogger(name)
        logger.addHandler(handler)
        logger.propagate = False
