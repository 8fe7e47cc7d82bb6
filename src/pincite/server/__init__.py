"""The door for programs and browsers: collections, search, previews, embeds and checks over HTTP."""

from __future__ import annotations

from importlib import import_module

from pincite.core.errors import MissingExtraError as _MissingExtraError

try:
    for _name in ("fastapi", "granian", "joserfc", "limits", "structlog"):
        import_module(_name)
except ImportError as error:
    what = "The server"
    raise _MissingExtraError(what, "server") from error

from pincite.server.app import build_app, home_of
from pincite.server.first_key import first_key
from pincite.server.service import LOCAL, Desk, Service
from pincite.server.serving import serve

__all__ = ["LOCAL", "Desk", "Service", "build_app", "first_key", "home_of", "serve"]
