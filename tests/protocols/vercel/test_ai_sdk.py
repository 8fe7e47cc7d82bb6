"""The AI SDK itself reads what we send: over HTTP, chunk by chunk, and the page's own code is checked by its types."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from markdown_it import MarkdownIt
from pydantic_ai.ui.vercel_ai.response_types import BaseChunk, ErrorChunk, StartChunk, TextDeltaChunk
from ui_reader import CITATIONS, all_of, read
from vercel_agents import LOOK_UP, Talking, served, told
from vercel_chunks import STREAMS, run_of, stream_of

from pincite import ConversationState
from pincite.protocols.vercel import cited

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vercel_node import AiSdk

PAGE = Path(__file__).resolve().parents[3] / "docs" / "vercel.md"
# As strict as the AI SDK's own templates are.
STRICT = ("--noEmit", "--strict", "--jsx", "react-jsx", "--module", "esnext", "--moduleResolution", "bundler")


async def reading(ai_sdk: AiSdk, work: dict[str, Any]) -> dict[str, Any]:
    """Return what the AI SDK makes of streams and of a chat, while this process serves."""
    process = await asyncio.create_subprocess_exec(
        *ai_sdk.reader,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate(json.dumps(work).encode())
    assert process.returncode == 0, err.decode()
    return json.loads(out)


def frames(body: str) -> list[dict[str, Any]]:
    """Return the chunks of a reply."""
    payloads = [one.removeprefix("data: ") for one in body.split("\n\n")]
    return [json.loads(one) for one in payloads if one and one != "[DONE]"]


async def test_a_chat_of_two_turns(ai_sdk: AiSdk) -> None:
    """Its own transport asks twice: text, sources and data of both are there, and the model reads its own markers."""
    model = Talking([LOOK_UP, "Up to 30 euro [ffffffff].", "Up to 25 euro {0}.", "As {0} says, and {1}."])

    def again(messages: list[Any]) -> str:
        texts = [part.content for one in messages for part in one.parts if part.part_kind == "text"]
        assert len(texts) == 1
        assert texts[0].startswith("Up to 25 euro [")
        return f"As said: {texts[0]}"

    model.steps = [*model.steps[:3], again]
    async with served(model.agent(), conversation=ConversationState(), sdk_version=6) as address:
        found = (await reading(ai_sdk, {"chat": address, "questions": ["How much?", "And?"]}))["chat"]
    assert found["errors"] == []
    _, first, _, second = found["messages"]
    for answer, shown in ((first, "Up to 25 euro [1]."), (second, "As said: Up to 25 euro [1].")):
        texts = [one for one in answer["parts"] if one["type"] == "text"]
        data = [one["data"] for one in answer["parts"] if one["type"] == CITATIONS]
        assert (texts[-1]["text"], texts[-1]["state"]) == (shown, "done")
        assert [one["type"] for one in answer["parts"] if one["type"].startswith("source-")] == [
            "source-document"
        ]
        assert (data[-1]["textIndex"], data[-1]["status"]) == (len(texts) - 1, "answered")
        assert data[-1]["citations"][0]["verdict"] == "valid"
    assert [
        one["data"]["text"] for one in first["parts"] if one["type"] == CITATIONS and "text" in one["data"]
    ] == [""]
    assert not any(one["type"] == "data-pincite-citation" for one in first["parts"])


async def test_it_has_what_our_reader_has(ai_sdk: AiSdk) -> None:
    """Answers, drafts, errors: no chunk of a stream is refused, and the message is the one that our tests look at."""
    scripts = [
        Talking([LOOK_UP, "Up to 25 euro {0}. \U0001f600 First class needs approval {1}."]),
        Talking([LOOK_UP, "Up to 30 euro [ffffffff].", RuntimeError("gone")]),
        Talking([LOOK_UP, RuntimeError("gone")]),
        Talking(["Nothing is cited."]),
    ]
    bodies = [(await told(one.agent())).sent for one in scripts]
    found = (await reading(ai_sdk, {"streams": bodies}))["streams"]
    for body, one in zip(bodies, found, strict=True):
        ours = read(frames(body))
        parts = one["message"]["parts"]
        assert one["valid"]
        assert one["errors"] == [f"Error: {error}" for error in ours.errors]
        assert [part["type"] for part in parts] == [part["type"] for part in ours.parts]
        assert [part["text"] for part in parts if part["type"] == "text"] == ours.texts
        assert [part["data"] for part in parts if part["type"] == CITATIONS] == ours.cited


async def test_it_takes_whatever_an_agent_sends(ai_sdk: AiSdk) -> None:
    """Chunks in no order at all, put in order here: the AI SDK refuses none, though it would as they came."""
    bodies: list[tuple[str, list[str]]] = []

    @settings(max_examples=200, database=None)
    @given(STREAMS)
    def gather(chunks: list[BaseChunk]) -> None:
        run, _, _ = run_of()
        found = all_of(cited(stream_of([StartChunk(message_id="m"), *chunks]), run))
        errors = [
            f"Error: {one.error_text}" if one.error_text else "Error"
            for one in found
            if isinstance(one, ErrorChunk)
        ]
        bodies.append((body_of(found), errors))

    await asyncio.to_thread(gather)
    stray = body_of([StartChunk(message_id="m"), TextDeltaChunk(id="x", delta="lost")])
    found = (await reading(ai_sdk, {"streams": [stray, *(body for body, _ in bodies)]}))["streams"]
    assert "missing text part" in found[0]["errors"][0]
    for (body, errors), one in zip(bodies, found[1:], strict=True):
        assert one["errors"] == errors, body
        assert one["message"]["id"] == "m"


def body_of(chunks: Iterable[BaseChunk]) -> str:
    """Return chunks as the body of a reply."""
    return "".join(f"data: {one.encode(6)}\n\n" for one in chunks)


def test_the_code_of_the_page_has_its_types(ai_sdk: AiSdk) -> None:
    """What the page shows for a front end is checked against the types of the AI SDK and of React."""
    (block,) = (one for one in MarkdownIt().parse(PAGE.read_text("utf-8")) if one.info == "tsx")
    source = ai_sdk.home / "page.tsx"
    source.write_text(block.content, "utf-8")
    done = subprocess.run(
        [*ai_sdk.compiler, *STRICT, "--skipLibCheck", source.name],
        cwd=ai_sdk.home,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout
