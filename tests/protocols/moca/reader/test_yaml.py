"""Frontmatter: the core schema of YAML 1.2 as plain JSON, and nothing that grows or runs."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.protocols.moca.reader._yaml import YamlError, read_yaml


def made(text: str) -> Any:
    """Return what is read within wide limits."""
    return read_yaml(text, depth=20, values=1_000)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-08-14", "2026-08-14"), ("2026-08-14T00:00:00Z", "2026-08-14T00:00:00Z"), ("no", "no"), ("Yes", "Yes"),
        ("on", "on"), ("true", True), ("FALSE", False), ("~", None), ("null", None), ("", None), ("5", 5), ("-5", -5),
        ("010", 10), ("0o10", 8), ("0xff", 255), ("1.5", 1.5), ("1e3", 1000.0), (".5", 0.5), ("5.", 5.0), ("'5'", "5"),
        ('"5"', "5"), ("1_000", "1_000"), ("1:30", "1:30"), (".nan", ".nan"), (".inf", ".inf"), ("1e999", "1e999"),
        ("9007199254740991", 2**53 - 1), ("9007199254740992", "9007199254740992"), ("9" * 5_000, "9" * 5_000),
        ("!!str 5", "5"), ("! 5", "5"), ("!!int 5", 5), ("<<", "<<"), ("=", "="),
        ("[1, [a], {b: c}]", [1, ["a"], {"b": "c"}]),
        ("|\n  a\n  b\n", "a\nb\n"), (">\n  a\n  b\n", "a b\n"), ("!!map {a: 1}", {"a": 1}), ("!!seq [a]", ["a"]),
    ],
)  # fmt: skip
def test_scalars_of_the_core_schema(text: str, value: Any) -> None:
    """Dates stay strings, `no` is a word, and what JSON cannot hold exactly stays as it was written."""
    found = made(f"key: {text}")["key"]
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    [
        "a: &x [1]\nb: *x", "&x a: *x", "a: !!python/object:os.system ls", "a: !mine 1", "a: !!int x", "a: !!bool 1",
        "a: !!timestamp 2026-01-01", "a: !!binary aGk=", "a: !!set {x}", "a: 1\na: 2", "? [a]\n: 1", "? {a: b}\n: 1",
        "!!int 5: a", "--- a\n--- b", "a: [", "a: \x01", 'a: "\\ud800"', "\t- a\n\t b", "%YAML 9.9\n---\n%", "[" * 30,
        "- " * 25 + "a", "a: {" * 25,
    ],
)  # fmt: skip
def test_what_is_refused(text: str) -> None:
    """Aliases, tags of its own, a key twice, a collection as a key, two documents, and what is too deep or no YAML."""
    with pytest.raises(YamlError):
        made(text)


def test_an_alias_bomb_costs_nothing() -> None:
    """It is refused at its first alias, and never grows."""
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    with pytest.raises(YamlError) as caught:
        made("\n".join(lines))
    assert caught.value.line == 2


def test_values_are_counted() -> None:
    """Keys count too."""
    assert read_yaml("a: [1, 2]", depth=5, values=5) == {"a": [1, 2]}
    with pytest.raises(YamlError):
        read_yaml("a: [1, 2]", depth=5, values=4)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co")), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc é", max_size=4), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(VALUES)
def test_json_is_read_as_itself(value: Any) -> None:
    """JSON without escapes is YAML, and comes out as it went in."""
    found = made(json.dumps({"key": value}, ensure_ascii=False))["key"]
    if isinstance(value, float):
        assert math.isclose(found, value, rel_tol=1e-15, abs_tol=1e-300)
    else:
        assert json.loads(json.dumps(found)) == json.loads(json.dumps(value))


@given(st.text(max_size=80))
def test_no_text_does_anything_else(text: str) -> None:
    """Any text is plain JSON or refused."""
    try:
        found = made(text.encode("utf-8", "replace").decode())
    except YamlError as error:
        line = error.line
        assert line >= 1
    else:
        assert json.loads(json.dumps(found, allow_nan=False)) == found
