"""The console: its one page, for every address that it shows, and the files that the page names; and the widget.

What is served is what was built and lies in the package's folder `static`: the names are read once, and anything else
is not there, so a path is looked up and never walked. Nothing here is secret and nobody is asked; the page asks for an
API key and sends it with every request of its own.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Final

from fastapi import APIRouter, Path, Request, Response

from pincite.core.errors import NotFoundError
from pincite.server.faults import described

if TYPE_CHECKING:
    from collections.abc import Mapping

router = APIRouter(tags=["console"])

FOLDER: Final = "static"
PAGE: Final = "index.html"
WIDGET: Final = "widget.js"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
    # A text that was meant to be shown cannot become markup: the browser itself refuses.
    "require-trusted-types-for 'script'; trusted-types lit-html; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may do: what this server serves, and the pictures that it makes of pages."""

_KINDS: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_YEAR: Final = "public, max-age=31536000, immutable"
_ASSETS: Final = {200: {"description": "The file.", "content": {
    kind.partition(";")[0]: {"schema": {"type": "string"}} for kind in _KINDS.values()
}}}  # fmt: skip
_PAGES: Final = {
    200: {"description": "The page.", "content": {"text/html": {"schema": {"type": "string"}}}},
    304: {"description": "The page that the browser has is still the one."},
}


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it is sent: as it is, and packed for whoever takes that."""

    data: bytes
    packed: bytes
    kind: str
    tag: str

    def sent(self, request: Request, headers: dict[str, str]) -> Response:
        """Return the answer that carries it."""
        said = {"content-type": self.kind, "vary": "accept-encoding", **headers}
        takes = [one.strip() for one in request.headers.get("accept-encoding", "").split(",")]
        if "gzip" in takes:
            return Response(self.packed, headers={**said, "content-encoding": "gzip"})
        return Response(self.data, headers=said)


@cache
def built() -> Mapping[str, _File]:
    """Return what was built, by name: the console's page, what lies in `assets`, the widget; else empty."""
    folder = files("pincite.server").joinpath(FOLDER)
    found: dict[str, _File] = {}
    for name, kind in ((PAGE, "text/html; charset=utf-8"), (WIDGET, _KINDS["js"])):
        one = folder.joinpath(name)
        if one.is_file():
            found[name] = _file(one.read_bytes(), kind)
    assets = folder.joinpath("assets")
    for one in assets.iterdir() if assets.is_dir() else ():
        kind = _KINDS.get(one.name.rpartition(".")[2])
        if kind is not None and one.is_file():
            found[f"assets/{one.name}"] = _file(one.read_bytes(), kind)
    return found


def _file(data: bytes, kind: str) -> _File:
    return _File(data, gzip.compress(data, mtime=0), kind, f'"{hashlib.sha256(data).hexdigest()[:32]}"')


@router.get("/", summary="The console", response_class=Response, responses={**_PAGES, **described(404)})
async def home(request: Request) -> Response:
    """Give the console's page."""
    return _page(request)


@router.get(
    "/console", summary="The console", response_class=Response, responses={**_PAGES, **described(404)}
)
async def console(request: Request) -> Response:
    """Give the console's page."""
    return _page(request)


@router.get(
    "/console/{path:path}",
    summary="A screen of the console",
    response_class=Response,
    responses={**_PAGES, **described(404, 422)},
)
async def screen(
    request: Request,
    path: Annotated[str, Path(max_length=2_000, description="Read by the page, and not by the server.")],  # noqa: ARG001 - the page reads it
) -> Response:
    """Give the console's page, which shows the screen that the address names."""
    return _page(request)


@router.get(
    "/assets/{name}",
    summary="A file of the console",
    response_class=Response,
    responses={**_ASSETS, **described(404, 422)},
)
async def asset(
    request: Request,
    name: Annotated[
        str, Path(max_length=200, description="As the page names it; a changed file has another.")
    ],
) -> Response:
    """Give a file that the console's page names. Its name holds a hash of it, so a browser may keep it."""
    found = built().get(f"assets/{name}")
    if found is None:
        msg = "There is no such file."
        raise NotFoundError(msg)
    return found.sent(request, {"cache-control": _YEAR})


@router.get(
    f"/{WIDGET}",
    summary="The widget",
    response_class=Response,
    responses={
        200: {"description": "The script.", "content": {"text/javascript": {"schema": {"type": "string"}}}},
        304: {"description": "The script that the browser has is still the one."},
        **described(404),
    },
)
async def widget(request: Request) -> Response:
    """Give the one script that puts an assistant on a page of any site."""
    headers = {
        "cache-control": "public, max-age=300",
        # It is for other people's pages; everything else here is for this server's own.
        "cross-origin-resource-policy": "cross-origin",
    }
    return _sent(request, WIDGET, "widget", headers)


def _page(request: Request) -> Response:
    headers = {
        "content-security-policy": POLICY,
        "cache-control": "no-cache",
        "cross-origin-opener-policy": "same-origin",
        "permissions-policy": "camera=(), microphone=(), geolocation=()",
    }
    return _sent(request, PAGE, "console", headers)


def _sent(request: Request, name: str, what: str, headers: dict[str, str]) -> Response:
    """Return the answer with a file whose name stays the same when it changes, or without it where it has not."""
    found = built().get(name)
    if found is None:
        msg = f"The {what} was not built; `make web` builds it. Everything else of the server works."
        raise NotFoundError(msg)
    headers = {**headers, "etag": found.tag}
    if request.headers.get("if-none-match") == found.tag:
        # What it may do is said again: a browser takes over the headers of this answer.
        return Response(status_code=304, headers=headers)
    return found.sent(request, headers)
