"""What stands in front of every route: sizes, numbers and deadlines, a request id, headers, figures and the log."""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers, MutableHeaders

from pincite.core.errors import FailedError, PinciteError, StoreError, TooLargeError, TooManyError
from pincite.server.faults import failed, fault
from pincite.server.observing import Observed, observe

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from pincite.core.limits import Limits

REQUEST_ID: Final = "x-request-id"
"""The header in which a request's id comes and goes."""

# An id that a proxy gave: one class, bounded, linear. Anything else is replaced.
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
# What is served to pages of other sites: they send a token, and no cookie ever counts here.
_SHARED: Final = re.compile(r"/embed/v1/|/api/manage/citations/|/api/conversations/")
# The one route that takes files: linear, one class in the middle.
_UPLOAD: Final = re.compile(r"/api/manage/collections/[^/]+/documents")
# Whether the server lives is told however much it has to do.
_ALWAYS: Final = frozenset({"/healthz", "/readyz"})
_TAIL: Final = 200
_FREE_BYTES: Final = 16_384
"""Bytes that every body may have, so that who sends much never keeps out who sends little."""
_HEADERS: Final = (
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
    ("cache-control", "no-store"),
)
_CORS: Final = (
    ("access-control-allow-origin", "*"),
    ("access-control-allow-methods", "GET, POST, DELETE, OPTIONS"),
    ("access-control-allow-headers", "authorization, content-type"),
    ("access-control-expose-headers", "x-request-id, etag"),
    ("access-control-max-age", "600"),
)


class Guard:
    """The outermost application. It refuses what is too much before a route sees it.

    A request counts as being at work from the moment that its body is there until its answer begins: who sends slowly,
    or reads slowly, keeps nobody else waiting. What all bodies hold in memory together has a limit of its own. Whether
    the server lives is always told.
    """

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._at_work = 0
        self._arriving = 0
        self._room = _Room(limits.arriving_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or pass on what is none."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        asked = headers.get(REQUEST_ID, "")
        request_id = asked if _REQUEST_ID.fullmatch(asked) else secrets.token_hex(8)
        state = scope.setdefault("state", {})
        state["request_id"] = request_id
        seen = Observed(scope["method"])
        started = time.perf_counter()
        uploads = _takes_files(scope)
        body = _Body(receive, self._limits, self._room, uploads=uploads)
        state["body"] = body
        answer = _Answer(send, request_id, body, shared=_SHARED.match(scope["path"]) is not None, seen=seen)
        try:
            if answer.shared and scope["method"] == "OPTIONS" and "origin" in headers:
                await _preflight(answer)
            elif (refused := await self._arrived(headers, body)) is not None:
                await answer.refuse(scope, body, *refused)
            else:
                await self._counted(scope, body, answer)
        finally:
            body.let_go()
            seen.route = getattr(scope.get("route"), "path", "")
            seen.caller = state.get("caller", "")
            observe(seen, request_id, time.perf_counter() - started)

    async def _arrived(self, headers: Headers, body: _Body) -> tuple[int, PinciteError] | None:
        """Wait for the body of a request that carries no files; return why it is refused, None when it is not."""
        said = headers.get("content-length", "")
        if said.isascii() and said.isdecimal() and int(said[:20]) > body.most:
            return 413, _too_large(body.most)
        if body.uploads:
            return None
        if self._arriving >= self._limits.requests_arriving:
            return 503, _busy()
        self._arriving += 1
        try:
            await asyncio.wait_for(body.gather(), self._limits.body_seconds)
        except TimeoutError:
            msg = f"The body of the request did not arrive in {self._limits.body_seconds:g} seconds."
            return 408, StoreError(msg)
        except _OverLimitError:
            return 413, _too_large(body.most)
        except _NoRoomError:
            return 503, _busy()
        finally:
            self._arriving -= 1
        return None

    async def _counted(self, scope: Scope, body: _Body, answer: _Answer) -> None:
        if scope["path"] not in _ALWAYS and self._at_work >= self._limits.requests_at_once:
            await answer.refuse(scope, body, 503, _busy())
            return
        self._at_work += 1

        def begun() -> None:
            self._at_work -= 1
            body.let_go()

        answer.on_begun = begun
        try:
            await self._serve(scope, body, answer)
        finally:
            if not answer.begun.is_set():
                begun()

    async def _serve(self, scope: Scope, body: _Body, answer: _Answer) -> None:
        seconds = self._limits.upload_seconds if body.uploads else self._limits.request_seconds
        work = asyncio.ensure_future(self._app(scope, body, answer))
        waits = asyncio.ensure_future(answer.begun.wait())
        try:
            await asyncio.wait({work, waits}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and not answer.begun.is_set():
                work.cancel()
                msg = f"The answer took longer than {seconds:g} seconds and was given up."
                await answer.refuse(scope, body, 503, StoreError(msg))
                return
            await work
        except asyncio.CancelledError:
            work.cancel()
            raise
        except Exception as error:
            if answer.begun.is_set():
                failed(error)
                raise
            if not body.is_over:
                failed(error)
                await answer.refuse(
                    scope, body, 500, FailedError("The server failed; it is no fault of yours.")
                )
        finally:
            waits.cancel()
        if body.is_over and not answer.begun.is_set():
            await answer.refuse(scope, body, 413, _too_large(body.most))


class _OverLimitError(Exception):
    """A body grew beyond what its length said, or said no length and grew too large."""


class _NoRoomError(Exception):
    """The bodies of all requests hold as much as they may."""


class _Room:
    """How many bytes the bodies of all requests may still hold, beyond the beginning that each one may have."""

    def __init__(self, most: int) -> None:
        self._left = most

    def take(self, count: int) -> None:
        if count > self._left:
            raise _NoRoomError
        self._left -= count

    def give_back(self, count: int) -> None:
        self._left += count


class _Body:
    """The body of a request, counted while it comes in; `tail` are its last bytes."""

    def __init__(self, receive: Receive, limits: Limits, room: _Room, *, uploads: bool) -> None:
        self._receive = receive
        self._room = room
        self._held = 0
        self._gathered: Message | None = None
        self.uploads = uploads
        self._left = self.most = limits.upload_bytes if uploads else limits.request_bytes
        self.is_over = False
        self.tail = b""

    async def gather(self) -> None:
        """Wait for all of it, and give it as one piece when it is asked for.

        Raises:
            _NoRoomError: there is no room for it among the other bodies.
            _OverLimitError: it is too large.
        """
        # Not a list of pieces: a piece of two bytes costs twenty times as much.
        whole = bytearray()
        while True:
            message = await self._next()
            if message["type"] != "http.request":
                self._gathered = message
                return
            whole += message.get("body", b"")
            if (beyond := len(whole) - _FREE_BYTES - self._held) > 0:
                self._room.take(beyond)
                self._held += beyond
            if not message.get("more_body", False):
                self._gathered = {"type": "http.request", "body": bytes(whole), "more_body": False}
                return

    def let_go(self) -> None:
        """Leave the room that it took to others."""
        self._room.give_back(self._held)
        self._held = 0

    async def __call__(self) -> Message:
        gathered, self._gathered = self._gathered, None
        return await self._next() if gathered is None else gathered

    async def _next(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            piece = message.get("body", b"")
            self._left -= len(piece)
            self.tail = (self.tail + piece[-_TAIL:])[-_TAIL:]
            if self._left < 0:
                self.is_over = True
                msg = "The body of the request is too large."
                raise _OverLimitError(msg)
        return message


class _Answer:
    """The way out: what every answer carries is added here."""

    def __init__(self, send: Send, request_id: str, body: _Body, *, shared: bool, seen: Observed) -> None:
        self._send = send
        self._body = body
        self._request_id = request_id
        self._seen = seen
        self._ended = self._refuses = False
        self.shared = shared
        self.begun = asyncio.Event()
        self.on_begun: Callable[[], None] | None = None

    async def __call__(self, message: Message) -> None:
        if self._ended or (self._body.is_over and not self._refuses and not self.begun.is_set()):
            return  # a route that was given up may still speak, and one whose body was too large calls it no body
        if message["type"] == "http.response.start":
            self._seen.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers[REQUEST_ID] = self._request_id
            for name, value in _HEADERS:
                headers.setdefault(name, value)
            if self.shared:
                headers["cross-origin-resource-policy"] = "cross-origin"
                for name, value in _CORS:
                    headers.setdefault(name, value)
            self.begun.set()
            if self.on_begun is not None:
                self.on_begun()
        await self._send(message)

    async def refuse(self, scope: Scope, body: _Body, status: int, error: PinciteError) -> None:
        """Answer with an error in place of the route."""
        self._refuses = True
        await fault(status, error)(scope, body, self)
        self._ended = True


def _takes_files(scope: Scope) -> bool:
    """Say whether a request is one that carries files: the route decides, and not what the request says of itself."""
    return scope["method"] == "POST" and _UPLOAD.fullmatch(scope["path"]) is not None


def _busy() -> PinciteError:
    return TooManyError("The server has as much to do as it takes; ask again in a moment.", seconds=1)


async def _preflight(send: Send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def _too_large(most: int) -> PinciteError:
    return TooLargeError(f"The request has more than {most:,} bytes, the most that is read.")
