"""The HTTP application."""

from __future__ import annotations

from typing import Literal

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from pincite._version import __version__


class Health(BaseModel):
    """That the server runs, and which version of it."""

    status: Literal["ok"] = "ok"
    version: str = __version__


async def health() -> Health:
    """Say that the server runs."""
    return Health()


_CODES = {404: "not_found", 405: "method_not_allowed"}


async def _http_error(_: Request, error: Exception) -> JSONResponse:
    """Answer an HTTP error in the one error shape."""
    status, message, headers = 500, "The server failed.", None
    if isinstance(error, HTTPException):
        status, message, headers = error.status_code, f"{error.detail}.", error.headers
    body = {"error": {"code": _CODES.get(status, "http"), "message": message, "field": None}}
    return JSONResponse(body, status_code=status, headers=headers)


def build_app() -> FastAPI:
    """Return the application; `/healthz` and `/openapi.json` are open to everybody."""
    app = FastAPI(
        title="pincite",
        version=__version__,
        description="Every sentence of an answer, traceable to the passage it came from.",
        docs_url=None,
        redoc_url=None,
        exception_handlers={HTTPException: _http_error},
    )
    app.get("/healthz", tags=["service"], summary="Say that the server runs")(health)
    return app
