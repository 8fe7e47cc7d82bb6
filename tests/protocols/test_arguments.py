"""Arguments: what the schema states is what is held to, in sentences."""

from __future__ import annotations

from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pincite.core.errors import InputError, LimitError
from pincite.protocols.mcp._arguments import Arguments, Choice, Count, Ids, Items, Text

ARGUMENTS = Arguments(
    {
        "ids": Ids("Ids.", 3, 10),
        "answer": Text("An answer.", 8, default=""),
        "limit": Count("How many.", 1, 5, 2),
        "how": Choice("In which way.", ("drop", "keep"), "drop"),
        "quotes": Items("Quotes.", 2, Arguments({"quote": Text("Words.", 4)}), default=None),
    }
)

BAD: list[tuple[object, str]] = [
    (None, "The arguments of the tool are an object, not null."),
    ([], "The arguments of the tool are an object, not a list."),
    ({}, "`ids` is missing: the tool needs it."),
    ({"ids": None}, "`ids` is a list of strings, not null."),
    ({"ids": "abc"}, "`ids` is a list of strings, not one string."),
    ({"ids": {"a": 1}}, "`ids` is a list of strings, not an object."),
    ({"ids": True}, "`ids` is a list of strings, not true or false."),
    ({"ids": []}, "`ids` is empty."),
    ({"ids": ["a", 5]}, "`ids` is a list of strings; number 2 is a number."),
    ({"ids": ["a", None]}, "`ids` is a list of strings; number 2 is null."),
    ({"ids": ["a", "b" * 11]}, "Number 2 of `ids` has 11 characters; an evidence id has at most 10."),
    ({"ids": ["a"] * 4}, "`ids` holds 4; at most 3 go in one call."),
    (
        {"ids": ["a"], "id": "b"},
        "There is no argument `id`; the tool takes `ids`, `answer`, `limit`, `how`, `quotes`.",
    ),
    ({"ids": ["a"], "answer": 5}, "`answer` is a string, not a number."),
    ({"ids": ["a"], "answer": "x" * 9}, "`answer` has 9 characters; at most 8 go in one call."),
    ({"ids": ["a"], "answer": ""}, "`answer` is empty."),
    ({"ids": ["a"], "limit": 0}, "`limit` is a whole number from 1 to 5."),
    ({"ids": ["a"], "limit": 10**30}, "`limit` is a whole number from 1 to 5."),
    ({"ids": ["a"], "limit": "2"}, "`limit` is a whole number from 1 to 5, not one string."),
    ({"ids": ["a"], "limit": True}, "`limit` is a whole number from 1 to 5, not true or false."),
    ({"ids": ["a"], "limit": 1.5}, "`limit` is a whole number from 1 to 5, not a fraction."),
    ({"ids": ["a"], "limit": float("nan")}, "`limit` is a whole number from 1 to 5, not a fraction."),
    ({"ids": ["a"], "how": "burn"}, "`how` is one of drop, keep."),
    ({"ids": ["a"], "how": []}, "`how` is one of drop, keep."),
    ({"ids": ["a"], "quotes": ["x"]}, "The arguments of number 1 of `quotes` are an object, not one string."),
    ({"ids": ["a"], "quotes": [{}]}, "`quote` is missing: number 1 of `quotes` needs it."),
    (
        {"ids": ["a"], "quotes": [{"quote": "x"}, {"quote": "12345"}]},
        "`quote` has 5 characters; at most 4 go in one call.",
    ),
]


@pytest.mark.parametrize(("given_", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_what_is_wrong_is_said_in_a_sentence(given_: object, sentence: str) -> None:
    """Typed errors that name the argument, and nothing of a validator's inside."""
    with pytest.raises(InputError) as caught:
        ARGUMENTS.read(given_, "the tool")
    assert caught.value.message == sentence
    assert caught.value.field is not None


def test_what_is_over_a_limit_is_told_apart() -> None:
    """Programs tell a limit from a wrong type."""
    with pytest.raises(LimitError):
        ARGUMENTS.read({"ids": ["b" * 11]}, "the tool")


def test_absent_and_null_are_the_default() -> None:
    """Models often write null for what they do not give."""
    wanted = {"ids": ["a"], "answer": "", "limit": 2, "how": "drop", "quotes": None}
    assert ARGUMENTS.read({"ids": ["a"]}, "the tool") == wanted
    assert ARGUMENTS.read({**wanted, "answer": None}, "the tool") == wanted


def test_values_are_read() -> None:
    """A whole number may be written `3.0`, and what has no bytes is replaced code point for code point."""
    read = ARGUMENTS.read(
        {"ids": ["a\ud800"], "answer": "\udfffx", "limit": 3.0, "quotes": [{"quote": "w"}]}, "the tool"
    )
    assert read == {
        "ids": ["a\ufffd"],
        "answer": "\ufffdx",
        "limit": 3,
        "how": "drop",
        "quotes": [{"quote": "w"}],
    }


def test_an_endless_name_is_cut() -> None:
    """An unknown argument's name is repeated in part only."""
    with pytest.raises(InputError) as caught:
        ARGUMENTS.read({"n" * 100_000: 1}, "the tool")
    assert len(caught.value.message) < 200
    assert len(caught.value.field or "") <= 60


def test_the_schema_states_every_limit() -> None:
    """It is a schema of its dialect, closed, with defaults and descriptions."""
    schema = ARGUMENTS.schema()
    Draft202012Validator.check_schema(schema)
    assert schema["required"] == ["ids"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["ids"] == {
        "type": "array",
        "minItems": 1,
        "maxItems": 3,
        "items": {"type": "string", "maxLength": 10},
        "description": "Ids.",
    }
    assert schema["properties"]["limit"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
        "description": "How many.",
        "default": 2,
    }


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)
CALLS = st.dictionaries(st.sampled_from([*ARGUMENTS.by_name, "other"]), JSON, max_size=4)


@given(CALLS | JSON)
def test_a_call_is_read_just_when_the_schema_allows_it(call: Any) -> None:
    """For any JSON value: what the schema refuses is an error, and what it allows is read."""
    validator: Any = Draft202012Validator(ARGUMENTS.schema())
    allowed = validator.is_valid(_without_nulls(call))
    try:
        ARGUMENTS.read(call, "the tool")
    except InputError:
        assert not allowed
    else:
        assert allowed


def _without_nulls(call: Any) -> Any:
    """Leave out nulls of arguments that may be absent: they stand for that."""
    if not isinstance(call, dict):
        return call
    given = cast("dict[str, Any]", call)
    return {name: value for name, value in given.items() if value is not None or name in ("ids", "other")}
