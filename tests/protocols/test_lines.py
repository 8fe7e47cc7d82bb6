"""Lines over standard input that the SDK would leave without an answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import INVALID_REQUEST, PARSE_ERROR, jsonrpc_message_adapter

from pincite.protocols.mcp._lines import complaint_of, whole

PING = '{"jsonrpc": "2.0", "id": 7, "method": "ping"}'


@pytest.mark.parametrize(
    "line",
    [
        PING,
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        '{"jsonrpc": "2.0", "id": "a", "result": {}}',
        '{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "What?"}}',
    ],
)
def test_a_message_goes_on(line: str) -> None:
    """As it is."""
    assert complaint_of(line) is None
    assert whole(line) == line


@pytest.mark.parametrize(
    ("line", "named", "code"),
    [
        ("garbage", None, PARSE_ERROR),
        ("\ufffd\ufffd", None, PARSE_ERROR),
        ("[" * 100_000, None, PARSE_ERROR),
        ("{}", None, INVALID_REQUEST),
        ("[]", None, INVALID_REQUEST),
        ("null", None, INVALID_REQUEST),
        (f"[{PING}]", None, INVALID_REQUEST),
        ('{"jsonrpc": "2.0", "id": 7}', 7, INVALID_REQUEST),
        ('{"jsonrpc": "1.0", "id": "a", "method": "ping"}', "a", INVALID_REQUEST),
        ('{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, INVALID_REQUEST),
        ('{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, INVALID_REQUEST),
        ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, INVALID_REQUEST),
        (f'{{"jsonrpc": "2.0", "id": {"9" * 5_000}, "method": "ping"}}', None, INVALID_REQUEST),
        (
            f'{{"jsonrpc": "2.0", "id": 8, "method": "ping", "params": {{"n": {"9" * 5_000}}}}}',
            8,
            INVALID_REQUEST,
        ),
    ],
)
def test_everything_else_is_answered(line: str, named: object, code: int) -> None:
    """With the id where one can be read, so that nobody waits for ever."""
    wrong = complaint_of(line)
    assert wrong is not None
    assert (wrong.id, wrong.error.code) == (named, code)
    # What is sent is a message that can be read.
    jsonrpc_message_adapter.validate_json(wrong.model_dump_json(by_alias=True))


@pytest.mark.parametrize(
    ("line", "read"),
    [
        (r'"cut \ud83d"', "cut \ufffd"),
        (r'"\uDC00 alone"', "\ufffd alone"),
        (r'"\ud83d\ud83d\ude00"', "\ufffd\U0001f600"),
        (r'"\uD83D\uDE00"', "\U0001f600"),
        (r'"a folder: c:\\ud83d"', r"a folder: c:\ud83d"),
        (r'"\\\ud83d"', "\\\ufffd"),
        (r'"\u00e9\n\""', '\u00e9\n"'),
    ],
)
def test_half_a_character_is_replaced(line: str, read: str) -> None:
    """A model that is cut off in the middle of an emoji sends half of it, and got no answer."""
    assert json.loads(whole(line)) == read


@given(st.text(st.characters(codec=None), max_size=20), st.booleans())
def test_whatever_is_said_arrives(text: str, ascii_only: bool) -> None:  # noqa: FBT001 - given by hypothesis
    """Every string arrives with its halves of characters replaced, and nothing else of it."""
    said = "".join(char for char in text if ascii_only or not "\ud800" <= char <= "\udfff")
    line = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": said}}, ensure_ascii=ascii_only
    )
    # Two halves that stand side by side are one character.
    meant = said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    assert complaint_of(whole(line)) is None
    assert json.loads(whole(line))["params"]["x"] == meant
