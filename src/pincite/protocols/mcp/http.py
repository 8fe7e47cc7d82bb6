"""The server over HTTP: streamable HTTP, stateless, so that any node may answer any request.

The SDK checks `Host` and `Origin`, so that a web page cannot reach the server by a name of its own. In front of it
stands the gate, which asks for the token where there is one, and says which client a request is from.
"""

from __future__ import annotations

import hmac
import json
import re
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from mcp.server.transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE, TransportSecuritySettings
from mcp_types import INVALID_REQUEST
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits
from pincite.protocols.mcp._connections import connections
from pincite.protocols.mcp.server import CLIENT
from pincite.protocols.mcp.sessions import Client

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterable

    from mcp.server.lowlevel import Server
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from pincite.protocols.mcp.sessions import Sessions

PATH: Final = "/mcp"
"""Where the server answers."""
SESSION_HEADER: Final = "mcp-session-id"
"""The header in which a session's token goes both ways."""
SESSION_COOKIE: Final = "pincite_session"
"""The cookie that holds it for clients whose protocol has no sessions."""
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
"""The names of this machine."""

# A name of a host, or an IPv6 address with or without its brackets: one class each, linear.
_HOST: Final = re.compile(
    r"[A-Za-z0-9_](?:[A-Za-z0-9._\-]*[A-Za-z0-9_])?|\[?[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]?"
)
# What a header can hold and a client sends as it is: printable ASCII without a space.
_TOKEN: Final = re.compile(r"[!-~]+")
_EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - what an operator may ask for, and is asked more about then
_VERSION_HEADER: Final = "mcp-protocol-version"
# Bytes that one code point takes in JSON at most (two escaped halves), and what a request holds besides.
_BYTES: Final = 12
_BESIDES: Final = 64 * 1024
# Requests at a time for each call at work: those that wait, and a few that are refused at once.
_WAITING: Final = 8


def _nothing() -> None:
    pass


def http_app(
    server: Server[Any],
    sessions: Sessions,
    *,
    host: str = "127.0.0.1",
    allow_hosts: Iterable[str] = (),
    session: str | None = None,
    token: str | None = None,
    limits: Limits = DEFAULT,
) -> ASGIApp:
    """Return the ASGI application that serves `server` at `/mcp`.

    `host` is the address that it will listen on, `allow_hosts` what else the `Host` header of a request may say.
    With `token` every request must send it as its bearer token. With `session`, all are one client.

    Raises:
        InputError: `host` is not of this machine and there is no token; or it is every address, and no name is
            allowed; or a name is none, or the token cannot be sent.
    """
    if token is not None and _TOKEN.fullmatch(token) is None:
        msg = "PINCITE_MCP_TOKEN is printable ASCII without spaces, since it is sent in a header."
        raise InputError(msg, field="token")
    allowed = [host, *allow_hosts] if host not in _EVERYWHERE else list(allow_hosts)
    if host in LOOPBACK:
        allowed += LOOPBACK
    elif token is None:
        msg = (
            "Who can reach this address could search the documents: set PINCITE_MCP_TOKEN, or use 127.0.0.1."
        )
        raise InputError(msg, field="host")
    if not allowed:
        msg = "Give the names under which clients reach this address: `--allow-host NAME`, one each."
        raise InputError(msg, field="allow_host")
    for name in allowed:
        if _HOST.fullmatch(name) is None:
            msg = f"`--allow-host` takes a name or an address alone, no scheme, port or path: {name[:60]!r} is none."
            raise InputError(msg, field="allow_host")
    names = [f"[{name}]" if ":" in name and not name.startswith("[") else name for name in allowed]
    largest = max(DEFAULT_MAX_REQUEST_BODY_SIZE, _BYTES * limits.mcp_answer_code_points + _BESIDES)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        max_request_body_size=largest,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[form for name in names for form in (name, f"{name}:*")],
            allowed_origins=[
                f"{scheme}://{form}"
                for scheme in ("http", "https")
                for name in names
                for form in (name, f"{name}:*")
            ],
        ),
        host=host,
    )
    most = _WAITING * limits.mcp_calls
    return Gate(app, sessions, session=session, token=token, most=most, largest=largest)


def serve_http(
    app: ASGIApp, host: str, port: int, *, on_ready: Callable[[], None] = _nothing, limits: Limits = DEFAULT
) -> None:
    """Serve `app` on `host` and `port` until the process is told to stop; `on_ready` is called when it listens.

    A connection is closed when its request does not arrive whole in `limits.mcp_request_seconds`, and the one that has
    waited longest when there are more than `limits.mcp_connections`.
    """
    config = uvicorn.Config(
        app,
        http=connections(limits),
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        # A client that holds a connection open does not hold up the end.
        timeout_graceful_shutdown=5,
    )
    _Uvicorn(config, on_ready).run()


class _Uvicorn(uvicorn.Server):
    """Says when it listens."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        if self.started:
            self._on_ready()


class Gate:
    """Lets a request through to the SDK with its client, and hands a session to who has none.

    At most `most` requests are let through at a time. Those that have not arrived whole count for nothing, so that who
    sends half of one takes nobody's place; of each, at most `largest` bytes are waited for.
    """

    __slots__ = ("_app", "_inside", "_largest", "_most", "_session", "_sessions", "_token")

    def __init__(
        self,
        app: ASGIApp,
        sessions: Sessions,
        *,
        session: str | None = None,
        token: str | None = None,
        most: int,
        largest: int = DEFAULT_MAX_REQUEST_BODY_SIZE,
    ) -> None:
        self._app = app
        self._largest = largest
        self._most = most
        self._inside = 0
        self._sessions = sessions
        self._session = None if session is None else Client(sessions.named("name", session))
        self._token = None if token is None else token.encode("utf-8", "surrogateescape")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if not self._may_enter(headers):
            await _refusal(401, "A bearer token is needed.", {"WWW-Authenticate": "Bearer"})(
                scope, receive, send
            )
            return
        if not _is_too_large(headers, self._largest):  # who says so at once is refused unread
            receive = await _arrived(receive, self._largest)
        if self._inside >= self._most:
            await _refusal(503, "The server is busy; try again.", {"Retry-After": "1"})(scope, receive, send)
            return
        self._inside += 1
        try:
            await self._admitted(headers, scope, receive, send)
        finally:
            self._inside -= 1

    async def _admitted(self, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # There is nothing to listen for, and a session ends by itself.
            await _refusal(405, "Only POST is answered here.", {"Allow": "POST"})(scope, receive, send)
            return
        if self._session is not None:
            scope[CLIENT] = self._session
            await self._app(scope, receive, send)
            return
        await self._with_session(headers, scope, receive, send)

    def _may_enter(self, headers: Headers) -> bool:
        if self._token is None:
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self._token)

    async def _with_session(self, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        """Find the session that the request names, or begin one.

        Protocols with a handshake name it in a header. Later ones know no sessions: there the header is taken too, and
        the cookie, which a client may keep without knowing.
        """
        named = headers.get(SESSION_HEADER)
        version = headers.get(_VERSION_HEADER)
        handshake = version is None or version in HANDSHAKE_PROTOCOL_VERSIONS
        if named is not None:
            key = self._sessions.client(named)
            if key is None:
                # What the protocol gives for a session that is over: the client begins another.
                await _refusal(404, "Session not found")(scope, receive, send)
                return
            scope[CLIENT] = Client(key)
            await self._app(scope, receive, send)
            return
        kept = None if handshake else _cookie(headers)
        key = None if kept is None else self._sessions.client(kept)
        issued = kept if key is not None and kept is not None else self._sessions.issue()
        scope[CLIENT] = Client(key or str(self._sessions.client(issued)), fresh=key is None)

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:  # noqa: PLR2004 - an error
                added = MutableHeaders(scope=message)
                added[SESSION_HEADER] = issued
                if key is None and not handshake:
                    secure = "; Secure" if scope.get("scheme") == "https" else ""
                    added.append(
                        "set-cookie",
                        f"{SESSION_COOKIE}={issued}; Path={PATH}; HttpOnly; SameSite=Strict{secure}",
                    )
            await send(message)

        await self._app(scope, receive, told)


def _is_too_large(headers: Headers, most: int) -> bool:
    told = headers.get("content-length", "")
    # Twelve digits are too many for `most`, however many follow.
    return told.isdecimal() and int(told[:12]) > most


async def _arrived(receive: Receive, most: int) -> Receive:
    """Wait for the whole request, or for more than `most` bytes of it; return what gives all of that again."""
    came: list[Message] = []
    size = 0
    while size <= most:
        message = await receive()
        came.append(message)
        size += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body", False):
            break
    came.reverse()

    async def again() -> Message:
        return came.pop() if came else await receive()

    return again


def _cookie(headers: Headers) -> str | None:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(SESSION_COOKIE)
    except CookieError:
        return None
    return None if found is None else found.value


def _refusal(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_REQUEST, "message": message}}
    return Response(json.dumps(body), status, headers, media_type="application/json")
