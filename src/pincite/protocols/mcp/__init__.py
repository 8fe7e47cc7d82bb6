"""An MCP server: search, fetch, check, parse, render and verify, over standard input and output or streamable HTTP.

What a client has received is kept for it, so that its model passes ids and texts and nothing else.
"""

from __future__ import annotations

from importlib import import_module

from pincite.core.errors import MissingExtraError as _MissingExtraError

try:
    import_module("mcp")
except ImportError as error:
    what = "The MCP server"
    raise _MissingExtraError(what, "mcp") from error

from pincite.protocols.mcp.http import http_app, serve_http
from pincite.protocols.mcp.server import mcp_server, serve_stdio
from pincite.protocols.mcp.sessions import Client, Sessions, kept_secret
from pincite.protocols.mcp.shelf import LibraryShelf, Shelf
from pincite.protocols.mcp.tools import CitationTools

__all__ = [
    "CitationTools",
    "Client",
    "LibraryShelf",
    "Sessions",
    "Shelf",
    "http_app",
    "kept_secret",
    "mcp_server",
    "serve_http",
    "serve_stdio",
]
