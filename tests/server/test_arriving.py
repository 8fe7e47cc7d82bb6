"""What the bodies of all requests hold in memory together while they arrive."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from pincite.core.limits import Limits
from pincite.server.guard import Guard

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

FREE = 16_384
"""What every body may have beside the limit."""
_TURNS = 20
"""Turns of the loop in which the server has seen what was sent."""


async def _length(_scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the length of the body, where somebody is there to hear it."""
    message = await receive()
    if message["type"] == "http.disconnect":
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(len(message["body"])).encode()})


class Sender:
    """A client that sends its body piece by piece, as a test says."""

    def __init__(self, guard: Guard) -> None:
        self._messages: asyncio.Queue[Message] = asyncio.Queue()
        self._answer: list[Message] = []
        scope: Scope = {"type": "http", "method": "POST", "path": "/any", "headers": [], "state": {}}
        self._work = asyncio.ensure_future(guard(scope, self._messages.get, self._hear))

    async def _hear(self, message: Message) -> None:
        self._answer.append(message)

    async def send(self, size: int, *, more: bool = True) -> None:
        """Send so many bytes, and let the server see them."""
        self._messages.put_nowait({"type": "http.request", "body": b"a" * size, "more_body": more})
        for _ in range(_TURNS):
            await asyncio.sleep(0)

    def leave(self) -> None:
        """Close the connection."""
        self._messages.put_nowait({"type": "http.disconnect"})

    async def answer(self) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of the answer."""
        async with asyncio.timeout(20):
            await self._work
        start, body = self._answer
        headers = {name.decode(): value.decode() for name, value in start["headers"]}
        return start["status"], headers, body["body"]

    async def gone(self) -> None:
        """Wait until the server is done with a client that left."""
        await asyncio.wait({self._work}, timeout=20)


async def _status(guard: Guard, size: int) -> int:
    """Return the status of a request with a body of that size."""
    sender = Sender(guard)
    await sender.send(size, more=False)
    return (await sender.answer())[0]


async def test_bodies_that_arrive_hold_so_much_together_and_no_more() -> None:
    """Two slow bodies fill the room: the third is refused and told when to come again, the two arrive whole."""
    guard: Any = Guard(_length, Limits(arriving_bytes=100_000))
    slow = [Sender(guard) for _ in range(2)]
    for one in slow:
        await one.send(50_000 + FREE)
    third = Sender(guard)
    await third.send(FREE + 1)
    status, headers, body = await third.answer()
    assert status == 503
    assert int(headers["retry-after"]) >= 1
    error = json.loads(body)["error"]
    assert set(error) == {"code", "message", "field"}
    for one in slow:
        await one.send(0, more=False)
        assert (await one.answer())[::2] == (200, str(50_000 + FREE).encode())
    # What was held is free again, to the last byte.
    assert await _status(guard, 100_000 + FREE) == 200
    assert await _status(guard, 100_000 + FREE + 1) == 503


async def test_small_bodies_arrive_also_where_large_ones_fill_the_room() -> None:
    """Who sends much keeps out others who send much, and nobody who sends little."""
    guard: Any = Guard(_length, Limits(arriving_bytes=1_000))
    large = Sender(guard)
    await large.send(1_000 + FREE)
    assert await _status(guard, 1_000 + FREE) == 503
    assert await _status(guard, FREE) == 200
    await large.send(0, more=False)
    assert (await large.answer())[0] == 200


async def test_a_body_in_any_pieces_is_the_same_body() -> None:
    """Pieces of one byte and empty ones count what they hold: the whole is there, and the limit is the same."""
    guard: Any = Guard(_length, Limits(arriving_bytes=10))
    sender = Sender(guard)
    for size in (FREE, *[1, 0] * 10):
        await sender.send(size)
    await sender.send(0, more=False)
    assert (await sender.answer())[::2] == (200, str(FREE + 10).encode())
    sender = Sender(guard)
    for _ in range(11):
        await sender.send(1)
    await sender.send(FREE)
    assert (await sender.answer())[0] == 503


async def test_who_leaves_or_is_too_slow_or_too_large_leaves_the_room_free() -> None:
    """A body that never arrives whole holds nothing afterwards, however it ended."""
    limits = Limits(arriving_bytes=1_000, request_bytes=FREE + 1_000, body_seconds=0.2)
    guard: Any = Guard(_length, limits)
    gone = Sender(guard)
    await gone.send(FREE + 1_000)
    gone.leave()
    await gone.gone()
    assert await _status(guard, FREE + 1_000) == 200
    slow = Sender(guard)
    await slow.send(FREE + 1_000)
    assert (await slow.answer())[0] == 408
    assert await _status(guard, FREE + 1_000) == 200
    large = Sender(guard)
    await large.send(FREE + 999)
    await large.send(2)
    assert (await large.answer())[0] == 413
    assert await _status(guard, FREE + 1_000) == 200


async def test_a_body_that_waits_for_its_answer_still_counts() -> None:
    """A body is held until its answer begins, and whoever reads the answer slowly holds nothing."""
    begin, end = asyncio.Event(), asyncio.Event()

    async def late(_scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await begin.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await end.wait()
        await send({"type": "http.response.body", "body": b""})

    guard: Any = Guard(late, Limits(arriving_bytes=1_000))
    one = Sender(guard)
    await one.send(FREE + 1_000, more=False)
    assert await _status(guard, FREE + 1) == 503
    begin.set()
    other = Sender(guard)
    await asyncio.sleep(0.05)
    await other.send(FREE + 1_000, more=False)
    end.set()
    assert (await one.answer())[0] == 200
    assert (await other.answer())[0] == 200
