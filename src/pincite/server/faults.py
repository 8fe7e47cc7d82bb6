"""Errors as answers: one shape for all of them, and the status that each kind has."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any, Final, cast

import structlog
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match

from pincite.core.errors import (
    AccessError,
    ConflictError,
    FetchError,
    ForbiddenError,
    InputError,
    LimitError,
    MissingExtraError,
    ModelError,
    ModelFileError,
    NotFoundError,
    PinciteError,
    ReadingError,
    RenderError,
    SettingError,
    StoreError,
    TooLargeError,
    TooManyError,
    UnknownCallerError,
)
from pincite.core.text import one_line
from pincite.server._shapes import Fault
from pincite.server.heads import is_still

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fastapi import FastAPI, Request

_log: Any = structlog.get_logger("pincite.server")

# The first class that an error is of decides. A render error is no fault of anybody: there is no image.
STATUSES: Final[tuple[tuple[type[PinciteError], int], ...]] = (
    (UnknownCallerError, 401),
    (ForbiddenError, 403),
    (TooManyError, 429),
    (AccessError, 403),
    (NotFoundError, 404),
    (RenderError, 404),
    (ConflictError, 409),
    (TooLargeError, 413),
    (FetchError, 422),
    (ReadingError, 422),
    (SettingError, 500),
    (LimitError, 422),
    (InputError, 422),
    (MissingExtraError, 501),
    (ModelError, 502),
    (ModelFileError, 500),
    (StoreError, 503),
)
"""The status of each kind of error, the most particular first."""

_CODES: Final = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    408: "too_slow",
    415: "bad_media_type",
    501: "not_built",
    503: "busy",
}
_UNKNOWN_CALLER, _NO_METHOD, _OURS, _BUSY = 401, 405, 500, 503
_FIELD_CODE_POINTS: Final = 100
_NO_OBJECT: Final = frozenset({"model_attributes_type", "model_type", "dict_type"})
"""What a body is said to be that is no object."""
_SEND_JSON: Final = "The body was not read as JSON: send it with the header `Content-Type: application/json`."
_STEPS: Final = 12
RETRY_SECONDS: Final = 5
"""What a client is told to wait when the library is busy."""


def status_of(error: PinciteError) -> int:
    """Return the status that an error is answered with."""
    return next((status for kind, status in STATUSES if isinstance(error, kind)), 500)


def fault(status: int, error: PinciteError, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return an error as an answer."""
    said = dict(headers or {})
    if status == _UNKNOWN_CALLER:
        said["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooManyError):
        said["Retry-After"] = str(error.seconds)
    elif status == _BUSY:
        said["Retry-After"] = str(RETRY_SECONDS)
    return JSONResponse(error.as_dict(), status_code=status, headers=said)


async def on_pincite_error(_: Request, error: Exception) -> JSONResponse:
    """Answer one of our own errors; it says a plain sentence and no path."""
    found = cast("PinciteError", error)
    status = status_of(found)
    if status >= _OURS:
        _log.error("refused", error=type(found).__name__, message=found.message)
    return fault(status, found)


async def on_http_error(request: Request, error: Exception) -> JSONResponse:
    """Answer what the framework refuses: no such route, no such method, a body that it cannot take apart."""
    found = cast("HTTPException", error)
    headers = dict(found.headers or {})
    if found.status_code == _NO_METHOD:
        # The framework names the methods of the first route at this address, and there may be several.
        headers["Allow"] = ", ".join(_allowed(request))
    code = _CODES.get(found.status_code, "http")
    body = {"error": {"code": code, "message": f"{str(found.detail).rstrip('.')}.", "field": None}}
    return JSONResponse(body, status_code=found.status_code, headers=headers)


def _allowed(request: Request) -> list[str]:
    """Return the methods that there are at the address of a request."""
    found = [
        method
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in request.app.router.routes
        )
    ]
    if "GET" in found and "HEAD" not in found and is_still(request.scope["path"]):
        found.insert(1, "HEAD")
    return found


async def on_invalid(request: Request, error: Exception) -> JSONResponse:
    """Answer a request whose fields are not of the shape that the route asks for: 422, with the first one named."""
    first = cast("RequestValidationError", error).errors()[0]
    field, message = _first_fault(first)
    if tuple(first.get("loc", ())) == ("body",) and first.get("type") in _NO_OBJECT:
        # Without the header that says so, the framework takes JSON for a text.
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_json = kind == "application/json" or kind.endswith("+json")
        message = "The body is not a JSON object." if is_json else _SEND_JSON
    return JSONResponse({"error": {"code": "bad_input", "message": message, "field": field}}, status_code=422)


def failed(error: Exception) -> None:
    """Write a failure of ours into the log: its kind and where it came from, and nothing of what was worked on."""
    places = traceback.extract_tb(error.__traceback__)
    steps = [f"{place.filename.rpartition('/')[2]}:{place.lineno} {place.name}" for place in places[-_STEPS:]]
    _log.error("failed", error=type(error).__name__, at=steps)


def install(app: FastAPI) -> None:
    """Let `app` answer every error in the one shape."""
    app.add_exception_handler(PinciteError, on_pincite_error)
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, on_invalid)


def described(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what the OpenAPI says of the errors of a route."""
    return {status: {"model": Fault, "description": _DESCRIPTIONS[status]} for status in statuses}


_DESCRIPTIONS: Final = {
    400: "The request cannot be taken apart.",
    401: "No credential, an unknown one, or one that is not for this door.",
    403: "The credential does not open this.",
    404: "Unknown, deleted, expired or not yours: all of them alike.",
    405: "The route has no such method.",
    408: "The body of the request did not arrive in time.",
    409: "The thing exists already, and is another.",
    413: "The request is too large.",
    415: "The body is of another type.",
    416: "The file has no byte of the range.",
    422: "Something that was given cannot be used; `field` names it.",
    429: "Too many requests; `Retry-After` says when to go on.",
    500: "The server failed.",
    501: "A part is not installed, or not built yet.",
    502: "The model failed.",
    503: "Too busy, or the library cannot be reached; `Retry-After` says when to ask again.",
}


def _first_fault(found: Mapping[str, Any]) -> tuple[str | None, str]:
    place: Sequence[object] = found.get("loc", ())
    kind = str(found.get("type", ""))
    if kind == "json_invalid":
        return None, "The body is no JSON."
    # In front stands where it was looked for: body, query, path, header.
    field = one_line(".".join(map(str, place[1:])), _FIELD_CODE_POINTS) or None
    # Of what was given nothing is said again: an error may be logged where the request is not.
    said = str(found.get("msg", "cannot be used")).removeprefix("Value error, ").rstrip(".")
    if kind == "missing":
        return field, f"`{field}` is missing." if field else "The request has no body."
    return field, f"`{field}`: {said[:1].lower()}{said[1:]}." if field else f"{said}."
