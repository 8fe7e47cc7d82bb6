"""The door for programs and browsers: HTTP. For now it says that it is well."""

from __future__ import annotations

from importlib import import_module

from pincite.core.errors import MissingExtraError as _MissingExtraError

try:
    import_module("fastapi")
    import_module("granian")
except ImportError as error:
    what = "The server"
    raise _MissingExtraError(what, "server") from error

from pincite.server.app import build_app
from pincite.server.serving import serve

__all__ = ["build_app", "serve"]
