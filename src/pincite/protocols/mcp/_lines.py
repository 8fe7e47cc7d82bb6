"""What comes in over standard input, line by line: what the SDK can read goes to it, everything else gets an error.

The SDK answers nothing at all to a line that it cannot read, and who asked would wait for ever.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import json
import os
import re
import threading
from typing import TYPE_CHECKING, Any, Final, Self, cast

from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

# An escape in a JSON string; a pair of surrogates is one: a few characters at each backslash, linear.
_ESCAPE: Final = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
# Digits of a number that is an id.
_DIGITS: Final = 20
_NO_JSON: Final = "The line is not JSON."
_NO_MESSAGE: Final = (
    "The line is JSON, but no message of the protocol: one object, a request or a notification."
)


class Lines:
    """The lines that come in, read by a thread that nobody waits for when the process is to end.

    A thread that waits for a line cannot be interrupted, and Ctrl-C would do nothing until the next one came.
    """

    def __init__(self, descriptor: int) -> None:
        # A file of its own: the interpreter closes its own one at the end, and would find it in use.
        self._file = os.fdopen(os.dup(descriptor), "rb")
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str] = asyncio.Queue(1)
        self._answer: Callable[[SessionMessage], Awaitable[None]] | None = None
        threading.Thread(target=self._read, name="pincite-mcp-input", daemon=True).start()

    def answer_with(self, send: Callable[[SessionMessage], Awaitable[None]]) -> None:
        """Answer lines that are no message with `send`."""
        self._answer = send

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        while line := await self._lines.get():
            line = whole(line)
            wrong = complaint_of(line)
            if wrong is None:
                return line
            if self._answer is not None and line.strip():
                await self._answer(SessionMessage(wrong))
        raise StopAsyncIteration

    def _read(self) -> None:
        line = "-"
        # The loop may be gone by the time that a line comes.
        with contextlib.suppress(RuntimeError, concurrent.futures.CancelledError):
            while line:
                line = self._file.readline().decode("utf-8", "replace")
                asyncio.run_coroutine_threadsafe(self._lines.put(line), self._loop).result()


def whole(line: str) -> str:
    """Return a line of JSON whose escapes of lone surrogates, which no reader takes, stand for U+FFFD."""
    return _ESCAPE.sub(_escape, line) if "\\ud" in line or "\\uD" in line else line


def complaint_of(line: str) -> JSONRPCError | None:
    """Return the error that answers a line which is no message, or None when it is one."""
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except (ValidationError, ValueError, RecursionError):
        pass
    else:
        # A request whose id is null or a fraction is taken for a notification, which nobody answers.
        if not isinstance(message, JSONRPCNotification) or "id" not in json.loads(line, parse_int=_number):
            return None
    try:
        found = json.loads(line, parse_int=_number)
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, _NO_JSON)
    named: object = cast("dict[str, Any]", found).get("id") if isinstance(found, dict) else None
    known = isinstance(named, str | int) and not isinstance(named, bool)
    return _error(cast("str | int", named) if known else None, INVALID_REQUEST, _NO_MESSAGE)


def _error(named: str | int | None, code: int, message: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=named, error=ErrorData(code=code, message=message))


def _escape(found: re.Match[str]) -> str:
    return r"\ufffd" if found[1] else found[0]


def _number(digits: str) -> int | None:
    # Python reads no number of thousands of digits; none of these is an id.
    return int(digits) if len(digits) <= _DIGITS else None
