"""Shelves, servers and clients for the tests of the MCP server, and what reads their replies."""

from __future__ import annotations

import asyncio
import socket
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import uvicorn
from mcp import Client as McpClient
from mcp import StdioServerParameters
from mcp_types import CallToolResult, Implementation

from pincite.core.hit import Hit
from pincite.core.ids import chunk_id, public_document_id, version_of
from pincite.core.limits import DEFAULT, Limits
from pincite.core.locators import Locator
from pincite.core.memory import MemoryEvidenceStore, MemoryLedgerStore
from pincite.core.protocols import EvidenceText
from pincite.core.scope import Scope
from pincite.protocols.mcp import CitationTools, Sessions, mcp_server
from pincite.protocols.mcp._connections import connections
from pincite.search import SearchResult

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Mapping
    from pathlib import Path

    from mcp.server.lowlevel import Server
    from starlette.types import ASGIApp

    from pincite.core.protocols import EvidenceStore, LedgerStore
    from pincite.core.refs import RefIssuer

SECRET = "a secret of the tests, long enough to sign"
RUN = "from pincite.cli import run; run()"

TEXTS = {
    "/expenses.md": "Expenses over 100 EUR require prior approval from your line manager.",
    "/leave.md": "Full-time staff receive 27 days of paid annual leave in each calendar year.",
    "/secret.md": "The merger is planned for the spring.",
}


@dataclass
class MemoryShelf:
    """Texts in memory as a shelf, each a document of one passage; `closed` are the keys that are out of scope."""

    texts: Mapping[str, str] = field(default_factory=lambda: TEXTS)
    closed: frozenset[str] = frozenset({"/secret.md"})
    titles: Mapping[str, str] = field(default_factory=dict[str, str])
    uris: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        self.evidence = {key: self._evidence(key, text) for key, text in self.texts.items()}
        self.store: EvidenceStore = MemoryEvidenceStore(self.evidence.values())

    def _evidence(self, key: str, text: str) -> EvidenceText:
        document, version = public_document_id(key), version_of(text)
        chunk = chunk_id(document, text)
        return EvidenceText(
            f"ev1:c:{document}:{version}:{chunk}",
            document,
            version,
            0,
            len(text),
            text,
            title=self.titles.get(key, key.strip("/")),
            source_uri=self.uris.get(key),
            locator=Locator(line=1),
        )

    def id(self, key: str) -> str:
        """Return the evidence id of a document's passage."""
        return self.evidence[key].evidence_id

    def span(self, key: str, start: int, end: int) -> str:
        """Return the evidence id of some code points of a document."""
        text = self.evidence[key]
        return f"ev1:s:{text.document_id}:{text.version}:{start}-{end}"

    def scope(self) -> Scope:
        """Return every document that is not closed."""
        return Scope(one.document_id for key, one in self.evidence.items() if key not in self.closed)

    def search(self, question: str, *, limit: int, refs: RefIssuer) -> SearchResult:
        """Return the passages in scope that hold a word of the question."""
        words = question.lower().split()
        scope = self.scope()
        found = [
            one
            for one in self.evidence.values()
            if one.document_id in scope and any(word in one.text.lower() for word in words)
        ]
        return SearchResult(tuple(_hit(one, refs) for one in found[:limit]))


def _hit(one: EvidenceText, refs: RefIssuer) -> Hit:
    chunk = one.evidence_id.rpartition(":")[2]
    return Hit(
        ref=refs.issue(chunk),
        chunk_id=chunk,
        document_id=one.document_id,
        content=one.text,
        source_uri=one.source_uri or "",
        collection="default",
        title=one.title,
        version=one.version,
        locator=one.locator,
        start=one.start,
        end=one.end,
    )


@dataclass
class Desk:
    """A server over a shelf, and its clients in this process."""

    shelf: MemoryShelf
    ledgers: LedgerStore
    server: Server[Any]

    def client(self, name: str = "tester") -> McpClient:
        """Return the SDK's client, as a program of that name."""
        return McpClient(self.server, client_info=Implementation(name=name, version="1"))


def desk_of(
    shelf: MemoryShelf | None = None, *, ledgers: LedgerStore | None = None, limits: Limits | None = None
) -> Desk:
    """Return a server over a shelf in memory."""
    kept = ledgers if ledgers is not None else MemoryLedgerStore()
    on = shelf if shelf is not None else MemoryShelf()
    tools = CitationTools(on, kept, limits=limits if limits is not None else DEFAULT)
    return Desk(on, kept, mcp_server(tools, Sessions(SECRET)))


def data(result: object) -> dict[str, Any]:
    """Return the structured content of a call that went well."""
    assert isinstance(result, CallToolResult)
    assert not result.is_error, text(result)
    return dict(result.structured_content)


def text(result: object) -> str:
    """Return the text of a call's reply, its blocks as paragraphs."""
    assert isinstance(result, CallToolResult)
    return "\n\n".join(getattr(block, "text", "") for block in result.content)


def complaint(result: object) -> str:
    """Return the one sentence of a call that went wrong."""
    assert isinstance(result, CallToolResult)
    assert result.is_error
    assert result.structured_content is None
    (block,) = result.content
    return str(getattr(block, "text", ""))


def verdicts(result: object) -> list[str]:
    """Return the verdicts of a check, in order."""
    return [one["verdict"] for one in data(result)["checks"]]


def command(home: Path, *options: str) -> StdioServerParameters:
    """Return how a client starts the real command over a library."""
    return StdioServerParameters(
        command=sys.executable, args=["-c", RUN, "mcp", *options], env={"PINCITE_HOME": str(home)}
    )


def free_port() -> int:
    """Return a loopback port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@asynccontextmanager
async def served(app: ASGIApp, port: int, *, limits: Limits = DEFAULT) -> AsyncGenerator[str]:
    """Serve an application on a loopback port of this process; give its address, and stop it at the end."""
    config = uvicorn.Config(
        app, host="127.0.0.1", port=port, http=connections(limits), log_config=None, access_log=False
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    try:
        while not server.started:
            assert not task.done(), "the server ended before it began"
            await asyncio.sleep(0.01)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.should_exit = True
        await task


def ids_in(result: object) -> Iterable[str]:
    """Return the evidence ids that a search gave."""
    return [one["evidence_id"] for one in data(result)["results"]]
