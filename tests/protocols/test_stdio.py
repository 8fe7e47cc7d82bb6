"""The real command in a process of its own, with the SDK's client, over standard input and output and over HTTP."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager
from typing import IO, TYPE_CHECKING

from mcp import Client as McpClient
from mcp.client.stdio import stdio_client
from mcp_desk import RUN, command, complaint, data, free_port, ids_in, text, verdicts
from mcp_types import INVALID_REQUEST, PARSE_ERROR, Implementation
from mcp_types.version import LATEST_HANDSHAKE_VERSION

from pincite.library import Library

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator
    from pathlib import Path

QUESTION = "From which amount do expenses need approval, and who gives it?"


@asynccontextmanager
async def program(
    home: Path, *options: str, name: str = "one", mode: str = "auto"
) -> AsyncGenerator[McpClient]:
    """Give a client, as a program of that name, of a server of its own over a library."""
    with (home / "stderr.txt").open("w+", encoding="utf-8") as errors:
        async with McpClient(
            stdio_client(command(home, *options), errlog=errors),
            mode=mode,
            client_info=Implementation(name=name, version="1"),
        ) as client:
            yield client
        errors.seek(0)
        assert errors.read() == ""


async def test_a_program_finds_its_set_again(examples_home: Path) -> None:
    """Search, fetch, check, render, quotes; after a restart the set is there; another program has its own."""
    async with program(examples_home) as client:
        found = await client.call_tool("search_evidence", {"query": QUESTION, "limit": 3})
        ids = list(ids_in(found))
        assert len(ids) == 3
        checked = await client.call_tool("check_citations", {"evidence_ids": [ids[0], "ev1:c:oops"]})
        assert verdicts(checked) == ["valid", "malformed"]
        rendered = data(
            await client.call_tool(
                "render_citations", {"answer": f"Over 100 EUR, by your line manager [{ids[0]}]."}
            )
        )
        assert rendered["text"].startswith(
            "Over 100 EUR, by your line manager [1].\n\n### Sources\n\n[1] Halvick"
        )
        quotes = [{"quote": "Expenses over 100 EUR require prior approval", "evidence_id": ids[0]}]
        quoted = data(await client.call_tool("verify_quotes", {"quotes": quotes}))["quotes"][0]
        assert quoted["verdict"] == "verbatim"
        # What the quote was found at is an id that may be cited.
        span = {"evidence_ids": [quoted["span"]]}
        assert verdicts(await client.call_tool("check_citations", span)) == ["valid"]
        # Hostile calls are sentences here too.
        assert "has 2,000 characters" in complaint(
            await client.call_tool("check_citations", {"evidence_ids": ["x" * 2_000] * 20})
        )
        assert "list of strings" in complaint(
            await client.call_tool("check_citations", {"evidence_ids": None})
        )
        huge = await client.call_tool("render_citations", {"answer": "[" * 10_000_000})
        assert "10,000,000 characters" in complaint(huge)
    check = {"evidence_ids": [ids[0]]}
    async with program(examples_home, mode="legacy") as client:
        assert verdicts(await client.call_tool("check_citations", check)) == ["valid"]
    async with program(examples_home, name="two") as client:
        assert verdicts(await client.call_tool("check_citations", check)) == ["not_fetched"]


async def test_a_named_session_is_the_same_for_every_program(examples_home: Path) -> None:
    """`--session` is a set by that name, whoever calls."""
    async with program(examples_home, "--session", "review", name="three") as client:
        (found, *_) = ids_in(await client.call_tool("search_evidence", {"query": QUESTION}))
    check = {"evidence_ids": [found]}
    async with program(examples_home, "--session", "review", name="four") as client:
        assert verdicts(await client.call_tool("check_citations", check)) == ["valid"]


async def test_only_the_documents_that_are_served_are_seen(examples_home: Path) -> None:
    """`--document` narrows what every tool sees; what lies outside reads like what does not exist."""
    with Library.open(examples_home) as library:
        (handbook,) = [one for one in library.documents() if one.source_key == "upload://handbook.pdf"]
        outside = library.passages_of(handbook.document_id)[0].evidence_id
    async with program(examples_home, "--document", "notice.txt", name="five") as client:
        found = data(await client.call_tool("search_evidence", {"query": QUESTION, "limit": 50}))["results"]
        assert {one["title"] for one in found} == {"NOTICE TO ALL STAFF"}
        fetched = data(await client.call_tool("fetch_evidence", {"evidence_ids": [outside]}))
        assert fetched["outcomes"][0]["status"] == "unavailable"


@contextmanager
def started(home: Path, *options: str) -> Generator[subprocess.Popen[str]]:
    """Start the command with pipes; it is ended when the block is."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "mcp", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PINCITE_HOME": str(home)},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line_of(stream: IO[str] | None) -> str:
    """Return the next line, or fail when none comes."""
    assert stream is not None
    ready, _, _ = select.select([stream], [], [], 60)
    assert ready, "nothing was printed"
    return stream.readline()


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


def test_standard_output_holds_the_protocol_alone(examples_home: Path) -> None:
    """Whatever comes in, each line out is a message; garbage ends nothing, and the end of input ends it well."""
    with started(examples_home) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(INITIALIZE) + "\n")
        process.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        process.stdin.write('garbage\n\n{}\n[]\n"\\ud800"\n')
        cut = {"name": "parse_citations", "arguments": {"answer": "cut \ud83d"}}
        process.stdin.write(
            json.dumps({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": cut}) + "\n"
        )
        asked = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "search_evidence"}}
        process.stdin.write(json.dumps(asked) + "\n")
        asked = {**asked, "id": 10, "params": {"name": "search_evidence", "arguments": {"query": QUESTION}}}
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        answered: dict[object, dict[str, object]] = {}
        errors: list[int] = []
        while not {8, 9, 10} <= answered.keys():
            message = json.loads(line_of(process.stdout))
            assert message["jsonrpc"] == "2.0"
            answered[message["id"]] = message
            errors += [message["error"]["code"]] if message["id"] is None else []
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "")
    assert "Traceback" not in err
    # Every line that is no message is answered, but for an empty one.
    assert errors == [PARSE_ERROR, INVALID_REQUEST, INVALID_REQUEST, INVALID_REQUEST]
    assert "error" not in answered[8]
    result = answered[9]["result"]
    assert isinstance(result, dict)
    assert result["isError"] is True


def test_a_client_that_reads_no_more_ends_it_well(examples_home: Path) -> None:
    """It closed its end of standard output: there is nobody to tell."""
    with started(examples_home) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write((json.dumps(INITIALIZE) + "\n") * 50)
        process.stdin.flush()
        assert process.wait(timeout=60) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_ctrl_c_stops_it(examples_home: Path) -> None:
    """While it waits for input: at once, with the code of everything that was stopped."""
    with started(examples_home) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(INITIALIZE) + "\n")
        process.stdin.flush()
        assert json.loads(line_of(process.stdout))["id"] == 0
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130


async def test_the_command_serves_http(examples_home: Path) -> None:
    """On the port it is told, until Ctrl-C; a second server there is told so."""
    port = free_port()
    with started(examples_home, "--http", "--port", str(port)) as process:
        assert line_of(process.stdout) == f"Serving MCP on http://127.0.0.1:{port}/mcp (Ctrl-C stops it).\n"
        async with McpClient(f"http://127.0.0.1:{port}/mcp") as client:
            (found, *_) = ids_in(await client.call_tool("search_evidence", {"query": QUESTION}))
            check = await client.call_tool("check_citations", {"evidence_ids": [found]})
            assert verdicts(check) == ["valid"]
            assert text(check).startswith("valid: ev1:c:")
        with started(examples_home, "--http", "--port", str(port)) as second:
            assert second.wait(timeout=60) == 2
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
