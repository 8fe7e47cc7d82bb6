"""Streamable HTTP: sessions, nodes, restarts, names of the host, tokens; by the SDK's client and by bare requests."""

from __future__ import annotations

import asyncio
import json
import socket
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from mcp import Client as McpClient
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_desk import SECRET, MemoryShelf, complaint, data, free_port, ids_in, served, verdicts
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION, LATEST_MODERN_VERSION
from starlette.responses import Response

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT
from pincite.core.memory import MemoryLedgerStore
from pincite.library import Library, LibraryLedgers
from pincite.protocols.mcp import CitationTools, LibraryShelf, Sessions, http_app, mcp_server
from pincite.protocols.mcp.http import Gate
from pincite.search import open_search

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping
    from pathlib import Path

    from starlette.types import ASGIApp

    from pincite.core.protocols import LedgerStore

QUESTION = "From which amount do expenses need approval?"
SHELF = MemoryShelf()
GOOD = SHELF.id("/expenses.md")
MODES = ("auto", "legacy", LATEST_MODERN_VERSION)
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


def app_of(ledgers: LedgerStore | None = None, *, secret: str = SECRET, **options: Any) -> ASGIApp:
    """Return the application over texts in memory."""
    sessions = Sessions(secret)
    tools = CitationTools(SHELF, ledgers if ledgers is not None else MemoryLedgerStore())
    server = mcp_server(tools, sessions, session=options.get("session"))
    return http_app(server, sessions, **options)


@asynccontextmanager
async def connected(url: str, mode: str = "auto", **headers: str) -> AsyncGenerator[McpClient]:
    """Give the SDK's client with some headers of its own."""
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        McpClient(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        yield client


def call(name: str, arguments: Mapping[str, Any] | None = None, *, modern: bool = False) -> dict[str, Any]:
    """Return a bare request of a tool."""
    params: dict[str, Any] = {"name": name, "arguments": arguments or {}}
    if modern:
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": LATEST_MODERN_VERSION,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def headers(*, modern: bool = False, name: str = "", session: str | None = None) -> dict[str, str]:
    """Return the headers of a bare request."""
    given = {**ACCEPT, "MCP-Protocol-Version": LATEST_MODERN_VERSION if modern else LATEST_HANDSHAKE_VERSION}
    if modern:
        given |= {"Mcp-Method": "tools/call", "Mcp-Name": name}
    if session is not None:
        given["Mcp-Session-Id"] = session
    return given


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": LATEST_HANDSHAKE_VERSION,
        "capabilities": {},
        "clientInfo": {"name": "bare", "version": "1"},
    },
}


async def begun(http: httpx2.AsyncClient, url: str) -> str:
    """Open a session by the handshake and return its token."""
    answer = await http.post(url, json=INITIALIZE, headers=ACCEPT)
    assert answer.status_code == 200
    return str(answer.headers["mcp-session-id"])


async def checked(http: httpx2.AsyncClient, url: str, session: str | None, name: str = GOOD) -> str:
    """Return the verdict on an id in a session."""
    answer = await http.post(
        url, json=call("check_citations", {"evidence_ids": [name]}), headers=headers(session=session)
    )
    assert answer.status_code == 200, answer.text
    return str(answer.json()["result"]["structuredContent"]["checks"][0]["verdict"])


async def fetched(http: httpx2.AsyncClient, url: str, session: str) -> None:
    """Fetch the good id in a session."""
    answer = await http.post(
        url, json=call("fetch_evidence", {"evidence_ids": [GOOD]}), headers=headers(session=session)
    )
    assert answer.json()["result"]["structuredContent"]["outcomes"][0]["status"] == "ok"


# -- the SDK's client --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
async def test_the_sdks_client_keeps_its_session(mode: str) -> None:
    """In every era of the protocol: search, check, render, and another client sees nothing of it."""
    check = {"evidence_ids": [GOOD]}
    async with served(app_of(), free_port()) as url, connected(url, mode) as one, connected(url, mode) as two:
        assert [tool.name for tool in (await one.list_tools()).tools][:2] == [
            "search_evidence",
            "fetch_evidence",
        ]
        assert list(ids_in(await one.call_tool("search_evidence", {"query": "approval"}))) == [GOOD]
        assert verdicts(await one.call_tool("check_citations", check)) == ["valid"]
        assert verdicts(await two.call_tool("check_citations", check)) == ["not_fetched"]
        rendered = await one.call_tool("render_citations", {"answer": f"It is needed [{GOOD}]."})
        assert data(rendered)["text"].startswith("It is needed [1].")


async def test_a_client_of_both_eras_opens_a_session() -> None:
    """Asked by a client without a session, the server offers the protocols that have them."""
    async with served(app_of(), free_port()) as url:
        async with McpClient(url) as client:
            assert client.protocol_version == LATEST_HANDSHAKE_VERSION
        async with McpClient(url, mode=LATEST_MODERN_VERSION) as client:
            assert client.protocol_version == LATEST_MODERN_VERSION


async def test_a_named_session_needs_none() -> None:
    """With a name set by the operator every client is one, and the newest protocol is offered."""
    async with served(app_of(session="mine"), free_port()) as url:
        async with McpClient(url) as one:
            assert one.protocol_version == LATEST_MODERN_VERSION
            await one.call_tool("fetch_evidence", {"evidence_ids": [GOOD]})
        async with McpClient(url, mode="legacy") as two:
            assert verdicts(await two.call_tool("check_citations", {"evidence_ids": [GOOD]})) == ["valid"]


@pytest.mark.parametrize("mode", ["legacy", LATEST_MODERN_VERSION])
async def test_two_clients_over_one_connection_pool_stay_apart_after_a_handshake(mode: str) -> None:
    """A handshake always begins a session; where there is none, a shared cookie jar is one client."""
    async with (
        served(app_of(), free_port()) as url,
        httpx2.AsyncClient() as http,
        McpClient(streamable_http_client(url, http_client=http), mode=mode) as one,
        McpClient(streamable_http_client(url, http_client=http), mode=mode) as two,
    ):
        await one.call_tool("fetch_evidence", {"evidence_ids": [GOOD]})
        verdict = verdicts(await two.call_tool("check_citations", {"evidence_ids": [GOOD]}))
    assert verdict == ["not_fetched" if mode == "legacy" else "valid"]


async def test_hostile_calls_over_http() -> None:
    """Long ids are a sentence, a body beyond all limits is turned away unread, and the server goes on."""
    async with served(app_of(), free_port()) as url, connected(url) as client:
        long = await client.call_tool("check_citations", {"evidence_ids": ["x" * 2_000]})
        assert "has 2,000 characters" in complaint(long)
        assert "list of strings" in complaint(
            await client.call_tool("check_citations", {"evidence_ids": None})
        )
        answer = {"answer": "x" * 300_000}
        assert "300,000 characters" in complaint(await client.call_tool("render_citations", answer))
        with pytest.raises(MCPError):
            await client.call_tool("render_citations", {"answer": "x" * 10_000_000})
        assert verdicts(await client.call_tool("check_citations", {"evidence_ids": ["ev1:c:oops"]})) == [
            "malformed"
        ]


# -- restarts and nodes ------------------------------------------------------------------------------------------


@asynccontextmanager
async def node(home: Path, port: int, secret: str = SECRET) -> AsyncGenerator[str]:
    """A node of its own over the library in `home`."""
    with Library.open(home) as library:
        shelf = LibraryShelf(library, lambda: open_search(library, home), library.collections())
        sessions = Sessions(secret)
        server = mcp_server(CitationTools(shelf, LibraryLedgers(library)), sessions)
        async with served(http_app(server, sessions), port) as url:
            yield url


async def test_a_session_survives_a_restart(examples_home: Path) -> None:
    """The library does, so what a client fetched before the restart is known after it; to that client alone."""
    port = free_port()
    async with httpx2.AsyncClient() as http:
        transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
        first = node(examples_home, port)
        await first.__aenter__()
        async with McpClient(transport) as client:
            (found, *_) = ids_in(await client.call_tool("search_evidence", {"query": QUESTION}))
            await first.__aexit__(None, None, None)
            async with node(examples_home, port) as url:
                assert verdicts(await client.call_tool("check_citations", {"evidence_ids": [found]})) == [
                    "valid"
                ]
                async with connected(url) as other:
                    check = await other.call_tool("check_citations", {"evidence_ids": [found]})
                    assert verdicts(check) == ["not_fetched"]


async def test_any_node_answers_any_request(examples_home: Path) -> None:
    """Two nodes over one library: a session opened on one fetches on the other and is checked on both."""
    async with (
        node(examples_home, free_port()) as one,
        node(examples_home, free_port()) as two,
        node(examples_home, free_port(), "another secret, of somebody else's") as foreign,
        httpx2.AsyncClient() as http,
    ):
        session = await begun(http, one)
        search = call("search_evidence", {"query": QUESTION, "limit": 2})
        answer = await http.post(two, json=search, headers=headers(session=session))
        ids = [found["evidence_id"] for found in answer.json()["result"]["structuredContent"]["results"]]
        assert len(ids) == 2
        for url in (one, two):
            for name in ids:
                assert await checked(http, url, session, name) == "valid"
        # A server that did not issue the session does not know it.
        asked = call("check_citations", {"evidence_ids": ids})
        refused = await http.post(foreign, json=asked, headers=headers(session=session))
        assert refused.status_code == 404


# -- an id is never a permission ---------------------------------------------------------------------------------


async def test_a_made_up_session_is_unknown() -> None:
    """Made-up, changed and foreign tokens, and the key under which a set is kept: the same 404 for all."""
    kept = MemoryLedgerStore()
    async with served(app_of(kept), free_port()) as url, httpx2.AsyncClient() as http:
        session = await begun(http, url)
        await fetched(http, url, session)
        key = Sessions(SECRET).client(session)
        assert key is not None
        assert await kept.load(key) is not None
        made_up = [
            "1",
            "pincite-" + "A" * 22 + "." + "A" * 22,
            session[:-1] + ("A" if session[-1] != "A" else "B"),
            session.upper(),
            session + "x",
            key,
            Sessions("y" * 40).issue(),
            "x" * 5_000,
        ]
        bodies: set[str] = set()
        for one in made_up:
            answer = await http.post(
                url, json=call("check_citations", {"evidence_ids": [GOOD]}), headers=headers(session=one)
            )
            assert answer.status_code == 404
            bodies.add(answer.text)
        assert len(bodies) == 1
        assert json.loads(bodies.pop())["error"]["message"] == "Session not found"
        assert await checked(http, url, session) == "valid"


async def test_each_handshake_begins_a_session() -> None:
    """Also where the client brings a cookie of another."""
    async with served(app_of(), free_port()) as url, httpx2.AsyncClient() as http:
        one = await begun(http, url)
        await fetched(http, url, one)
        http.cookies.set("pincite_session", one)
        two = await begun(http, url)
        assert one != two
        assert await checked(http, url, two) == "not_fetched"
        assert await checked(http, url, one) == "valid"


async def test_a_call_without_a_session_says_so() -> None:
    """A client that keeps none is told why its check finds nothing; no such call fills anybody's set."""
    async with served(app_of(), free_port()) as url, httpx2.AsyncClient() as http:
        asked = call("check_citations", {"evidence_ids": [GOOD]})
        answer = await http.post(url, json=asked, headers=headers())
        result = answer.json()["result"]
        assert result["structuredContent"]["checks"][0]["verdict"] == "not_fetched"
        assert "named no session" in result["content"][-1]["text"]
        session = answer.headers["mcp-session-id"]
        await fetched(http, url, session)
        again = await http.post(url, json=asked, headers=headers(session=session))
        assert again.json()["result"]["structuredContent"] == {
            **result["structuredContent"],
            "checks": again.json()["result"]["structuredContent"]["checks"],
            "notes": [],
        }
        assert await checked(http, url, session) == "valid"


async def test_the_newest_protocol_keeps_a_session_by_cookie_or_header() -> None:
    """It has none of its own: the cookie is not for scripts, and a header set by the client does as well."""
    async with served(app_of(), free_port()) as url, httpx2.AsyncClient() as http:
        fetch = call("fetch_evidence", {"evidence_ids": [GOOD]}, modern=True)
        answer = await http.post(url, json=fetch, headers=headers(modern=True, name="fetch_evidence"))
        assert answer.status_code == 200, answer.text
        cookie = answer.headers["set-cookie"]
        session = answer.headers["mcp-session-id"]
        assert cookie == f"pincite_session={session}; Path=/mcp; HttpOnly; SameSite=Strict"
        check = call("check_citations", {"evidence_ids": [GOOD]}, modern=True)
        given = headers(modern=True, name="check_citations")
        by_cookie = await http.post(url, json=check, headers=given)
        assert "set-cookie" not in by_cookie.headers
        async with httpx2.AsyncClient() as other:
            by_header = await other.post(url, json=check, headers={**given, "Mcp-Session-Id": session})
            neither = await other.post(url, json=check, headers=given)
        found = [
            one.json()["result"]["structuredContent"]["checks"][0]["verdict"]
            for one in (by_cookie, by_header, neither)
        ]
        assert found == ["valid", "valid", "not_fetched"]
        # A cookie that is none of ours begins anew.
        async with httpx2.AsyncClient(cookies={"pincite_session": "made-up"}) as foreign:
            assert (await foreign.post(url, json=check, headers=given)).headers["mcp-session-id"] != session


# -- who may reach it --------------------------------------------------------------------------------------------


async def test_a_web_page_cannot_reach_it_by_a_name_of_its_own() -> None:
    """DNS rebinding: another Host or Origin is refused before anything is read; this machine's are not."""
    async with served(app_of(), free_port()) as url, httpx2.AsyncClient() as http:
        session = await begun(http, url)
        asked = call("check_citations", {"evidence_ids": [GOOD]})
        for extra, status in (
            ({"Host": "evil.example"}, 421),
            ({"Host": "127.0.0.1.evil.example"}, 421),
            ({"Origin": "https://evil.example"}, 403),
            ({"Origin": "null"}, 403),
            ({"Origin": "http://localhost:3000"}, 200),
            ({"Host": "localhost:1"}, 200),
        ):
            answer = await http.post(url, json=asked, headers={**headers(session=session), **extra})
            assert answer.status_code == status, extra
        refused = await http.post(url, json=INITIALIZE, headers={**ACCEPT, "Host": "evil.example"})
        assert "mcp-session-id" not in refused.headers


async def test_names_of_the_operators_are_allowed() -> None:
    """`--allow-host` names a further one, in both headers."""
    async with (
        served(app_of(allow_hosts=["docs.example.org"]), free_port()) as url,
        httpx2.AsyncClient() as http,
    ):
        for extra in (
            {"Host": "docs.example.org"},
            {"Host": "docs.example.org:443"},
            {"Origin": "https://docs.example.org"},
        ):
            answer = await http.post(url, json=INITIALIZE, headers={**ACCEPT, **extra})
            assert answer.status_code == 200, extra


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.org"])  # noqa: S104
def test_beyond_this_machine_a_token_is_needed(host: str) -> None:
    """Whoever reaches the address could search the documents."""
    with pytest.raises(InputError, match="PINCITE_MCP_TOKEN"):
        app_of(host=host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])  # noqa: S104
def test_every_address_needs_a_name(host: str) -> None:
    """It says nothing about the names under which clients come."""
    with pytest.raises(InputError, match="--allow-host"):
        app_of(host=host, token="t" * 20)
    app_of(host=host, token="t" * 20, allow_hosts=["docs.example.org"])


async def test_a_token_is_asked_of_every_request() -> None:
    """None, another, another scheme: 401 for every method; the right one goes through the SDK's client."""
    token = "a-token-of-the-tests"
    wanted = [(name.encode(), value.encode()) for name, value in ACCEPT.items()]
    async with served(app_of(token=token), free_port()) as url:
        async with httpx2.AsyncClient() as http:
            for given in (
                None,
                "Bearer",
                "Bearer x",
                f"Basic {token}",
                token,
                f"Bearer {token}x",
                "Bearer é",
            ):
                sent = wanted + ([] if given is None else [(b"Authorization", given.encode())])
                for method in ("POST", "GET", "DELETE"):
                    answer = await http.request(method, url, json=INITIALIZE, headers=sent)
                    assert answer.status_code == 401, given
                    assert answer.headers["www-authenticate"] == "Bearer"
                    assert "mcp-session-id" not in answer.headers
        async with connected(url, Authorization=f"Bearer {token}") as client:
            assert verdicts(await client.call_tool("check_citations", {"evidence_ids": ["ev1:c:oops"]})) == [
                "malformed"
            ]


async def test_only_post_is_answered() -> None:
    """There is no stream to hold open, and nothing to end; another path is not there."""
    async with served(app_of(), free_port()) as url, httpx2.AsyncClient() as http:
        for method in ("GET", "DELETE", "PUT"):
            answer = await http.request(method, url, headers=ACCEPT)
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert (await http.post(url + "/other", json=INITIALIZE, headers=ACCEPT)).status_code == 404


async def test_garbage_is_refused_and_the_server_goes_on() -> None:
    """Broken JSON, batches, other types, deep nesting, in both eras."""
    bodies = [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"x"',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"jsonrpc": "2.0"}',
        b'{"a": 1e999999}',
    ]
    async with served(app_of(), free_port()) as url, httpx2.AsyncClient() as http:
        session = await begun(http, url)
        for modern in (False, True):
            for body in bodies:
                answer = await http.post(url, content=body, headers=headers(modern=modern, session=session))
                assert 400 <= answer.status_code < 500, body[:20]
        assert await checked(http, url, session) == "not_fetched"


def test_versions_are_what_the_sdk_says() -> None:
    """The gate tells the eras apart by the SDK's own list."""
    assert LATEST_HANDSHAKE_VERSION in HANDSHAKE_PROTOCOL_VERSIONS
    assert LATEST_MODERN_VERSION not in HANDSHAKE_PROTOCOL_VERSIONS


async def test_a_foreign_scheme_makes_the_cookie_secure() -> None:
    """Behind a proxy that speaks TLS the cookie never travels without it."""
    sent: list[dict[str, Any]] = []
    limits = replace(DEFAULT, mcp_calls=2)
    sessions = Sessions(SECRET)
    server = mcp_server(CitationTools(SHELF, MemoryLedgerStore(), limits=limits), sessions)
    app = http_app(server, sessions, limits=limits)
    body = json.dumps(call("parse_citations", {"answer": "x"}, modern=True)).encode()
    raw = [
        (name.lower().encode(), value.encode())
        for name, value in {**headers(modern=True, name="parse_citations"), "Host": "localhost"}.items()
    ]
    scope = {
        "type": "http", "method": "POST", "path": "/mcp", "raw_path": b"/mcp", "query_string": b"",
        "headers": raw, "scheme": "https", "http_version": "1.1", "root_path": "", "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 2), "asgi": {"version": "3.0"},
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    async with server.session_manager.run():
        await app(scope, receive, send)
    cookies = [value for name, value in sent[0]["headers"] if name == b"set-cookie"]
    assert [value.endswith(b"; Secure") for value in cookies] == [True]


@pytest.mark.parametrize("name", ["a.example:8443", "https://a.example/", "*", "", "a b", "a.example/"])
def test_a_host_that_can_never_match_is_refused(name: str) -> None:
    """It started without a word, and every request got 421."""
    with pytest.raises(InputError):
        app_of(allow_hosts=[name])


@pytest.mark.parametrize("token", ["with space", " t", "caf\u00e9", "", "a\n"])
def test_a_token_that_cannot_be_sent_is_refused(token: str) -> None:
    """Every request would get 401."""
    with pytest.raises(InputError):
        app_of(token=token)


async def test_idle_connections_hold_nobody_up() -> None:
    """140 connections that sent half a request shut the server for everyone."""
    port = free_port()
    async with served(app_of(), port) as url:
        waiting = [socket.create_connection(("127.0.0.1", port)) for _ in range(140)]
        try:
            for one in waiting:
                one.sendall(b"POST /mcp HTTP/1.1\r\nHost: ")
            async with connected(url) as client:
                assert (await client.list_tools()).tools
        finally:
            for one in waiting:
                one.close()


async def test_more_requests_than_are_let_in_are_told_to_come_again() -> None:
    """Requests at work are bounded; who comes beyond that is told so."""
    inside, leave = asyncio.Event(), asyncio.Event()

    async def busy(scope: Any, receive: Any, send: Any) -> None:
        inside.set()
        await leave.wait()
        await Response("done")(scope, receive, send)

    gate = Gate(busy, Sessions(SECRET), session="one", most=1)
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=gate), base_url="http://127.0.0.1"
    ) as client:
        first = asyncio.create_task(client.post("/mcp"))
        await inside.wait()
        assert (await client.post("/mcp")).status_code == 503
        leave.set()
        assert (await first).status_code == 200
        assert (await client.post("/mcp")).status_code == 200


async def ended(one: socket.socket) -> bytes:
    """Return what comes before the server closes a connection."""
    reader, writer = await asyncio.open_connection(sock=one)
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


HEAD = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n"


@pytest.mark.parametrize(
    "sent", [b"", HEAD, HEAD + b"\r\n{", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\nPOST"]
)
async def test_a_request_arrives_whole_in_time_or_never(sent: bytes) -> None:
    """Nothing, half a head, half a body, half of a second request: the connection is closed."""
    port = free_port()
    async with served(app_of(), port, limits=replace(DEFAULT, mcp_request_seconds=0.2)):
        one = socket.create_connection(("127.0.0.1", port))
        one.sendall(sent)
        answered = await asyncio.wait_for(ended(one), 30)
    assert answered.startswith(b"HTTP/1.1 405") == sent.startswith(b"GET")


async def test_of_too_many_connections_the_one_that_waits_longest_is_closed() -> None:
    """So there is room for who comes, however many came to say nothing."""
    port = free_port()
    async with served(app_of(), port, limits=replace(DEFAULT, mcp_connections=3)) as url:
        waiting: list[socket.socket] = []
        for _ in range(4):
            waiting.append(socket.create_connection(("127.0.0.1", port)))
            await asyncio.sleep(0.05)
        assert await asyncio.wait_for(ended(waiting[0]), 30) == b""
        async with connected(url) as client:
            assert (await client.list_tools()).tools
        for one in waiting[1:]:
            one.close()


async def test_half_a_request_takes_nobodys_place() -> None:
    """Each place at work was held by a body that never came."""
    port = free_port()
    limits = replace(DEFAULT, mcp_calls=1)
    async with served(app_of(limits=limits), port) as url:
        waiting = [socket.create_connection(("127.0.0.1", port)) for _ in range(20)]
        for one in waiting:
            one.sendall(HEAD + b"\r\n{")
        await asyncio.sleep(0.1)
        async with connected(url) as client:
            assert (await client.list_tools()).tools
        for one in waiting:
            one.close()
