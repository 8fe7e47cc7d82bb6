"""JSON and JSON Lines are read as lines of names and values, each with its place."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.document import Flag
from pincite.core.errors import DamagedError, EmptyError, ReadingError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.reading.chunking import chunk
from pincite.reading.data import DEEPEST, JsonReader

if TYPE_CHECKING:
    from pincite.core.document import Document

ORDERS = """{"title": "Orders", "sum": 1299.50, "big": 123456789012345678901234567890, "empty": {}, "none": [],
"customer": {"name": "Acme", "city": {"zip": "01234"}},
"items": [{"sku": "A", "n": 2}, {"sku": "B", "n": 3}], "tags": ["x", ["y", "z"]], "n": null, "n": true}"""


def read(source: str, name: str = "orders.json") -> Document:
    """Return the document of some JSON."""
    return JsonReader().read(source.encode(), name=name, limits=DEFAULT)


def pointers(document: Document) -> dict[str, str | None]:
    """Return the pointer of each region by its words."""
    return {document.text[one.start : one.end].strip(): one.locator.pointer for one in document.regions}


def test_json() -> None:
    """Names and values stand as they are written, one a line; a short record of a list stands on one."""
    document = read(ORDERS)
    assert document.text == (
        "title: Orders\nsum: 1299.50\nbig: 123456789012345678901234567890\nempty: {}\nnone: []\n"
        "customer:\n  name: Acme\n  city:\n    zip: 01234\n"
        "items:\n  - sku: A; n: 2\n  - sku: B; n: 3\n"
        "tags:\n  - x\n  - - y\n    - z\n"
        "n: null\nn: true"
    )
    assert (document.title, document.media_type) == ("Orders", "application/json")
    assert document.line_numbers == ()


def test_pointers() -> None:
    """Each line has the pointer of its value, with the escapes of RFC 6901."""
    found = pointers(read('{"a/b": {"m~n": 1}, "list": [[{"x": 1, "y": {"z": 2}}]], "": 5}'))
    assert found == {
        "a/b:": "/a~1b",
        "m~n: 1": "/a~1b/m~0n",
        "list:": "/list",
        "- - x: 1": "/list/0/0/x",
        "y:": "/list/0/0/y",
        "z: 2": "/list/0/0/y/z",
        '"": 5': "/",
    }


def test_a_passage_has_the_pointer_of_what_holds_all_of_it() -> None:
    """A passage over several values points at the value around them."""
    long = ", ".join(f'{{"text": "{"word " * 60}", "more": {{"n": {number}}}}}' for number in range(8))
    passages = chunk(read(f'{{"a": 1, "records": [{long}]}}'), "00000000-0000-0000-0000-000000000000")
    assert len(passages) > 1
    assert passages[-1].locator.pointer is not None
    assert passages[-1].locator.pointer.startswith("/records")
    assert passages[-1].locator.describe() == passages[-1].locator.pointer


def test_strings_keep_their_lines() -> None:
    """Escapes are read; a line end in a string is one, and what cannot be stored is replaced."""
    document = read(r'{"a": "one\ntwo \u00e9 \ud83d\ude00 \ud800 \"q\"", "e\u0301": 1}')
    assert document.text == 'a: one\ntwo é 😀 \ufffd "q"\n\u00e9: 1'


def test_json_lines() -> None:
    """Each record has the line of the file; a line that is no JSON stands as it is, with a flag."""
    document = read('{"a": 1, "b": "two"}\r\n\r\nno json\n[1, 2]\n"last"', "a.jsonl")
    assert document.text == "a: 1; b: two\nno json\n- 1\n- 2\n\nlast"
    assert document.line_numbers == (1, 3, 4, 4, 5, 5)
    assert document.flags == (Flag(None, "line 3 is no JSON and stands as it is"),)
    assert document.locator(0, 3).line == 1
    assert document.media_type == "application/jsonl"


def test_json_lines_by_another_name() -> None:
    """Several values one after the other are JSON Lines, whatever the file's name is."""
    document = read('{"a": 1}\n{"a": 2}\n')
    assert (document.text, document.line_numbers) == ("a: 1\na: 2", (1, 2))


def test_json5() -> None:
    """Comments, bare names, single quotes and commas too many are no reason to lose a file."""
    document = read("// say\n{a: 1, 'b': 'it''s', /* or */ \"c\": [1, 2,],}", "a.json5")
    assert document.text.startswith("// say\na: 1\nb: it")


def test_what_breaks_off_is_told() -> None:
    """What was read until there is kept, and the rest stands as it is."""
    document = read('{"a": [1, 2,\n "x"} and so on')
    assert document.text == "a:\n  - 1\n  - 2\n  - x\n} and so on"
    assert document.flags == (Flag(None, "from line 2 on it is no JSON: what follows stands as it is"),)
    assert read('{"a": "b", "c": ').flags == (
        Flag(None, "from line 1 on it is no JSON: what follows stands as it is"),
    )


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("", DamagedError),
        ("hello world", DamagedError),
        ('"' + "\\" * 200_000, DamagedError),
        ("[" * (DEEPEST + 1), TooLargeError),
        ('{"a":' * (DEEPEST + 1), TooLargeError),
        ("]", DamagedError),
        ("/*a" * 100_000, DamagedError),
    ],
)
def test_hostile(source: str, error: type[ReadingError]) -> None:
    """Depth and rubbish end in a sentence that names the file."""
    with pytest.raises(error, match=r"orders\.json"):
        read(source)


def test_limits() -> None:
    """A text over the limit is refused while it is written."""
    with pytest.raises(TooLargeError):
        JsonReader().read(b"[1,2,3,4,5]", name="a.json", limits=replace(DEFAULT, document_code_points=10))


def test_a_long_name_costs_no_square() -> None:
    """Values under a very long name have the pointer of what is around them."""
    document = read('{"' + "k" * 100_000 + '": [1, 2], "b": 3}')
    assert {one.locator.pointer for one in document.regions} == {"", "/0", "/1", "/b"}


def test_a_long_name_over_many_values_costs_no_square() -> None:
    """A value has a pointer of a few hundred code points at most, so what all of them take grows with the file."""
    document = read('{"' + "k" * 900 + '": [' + "1," * 5_000 + '1], "short": [2]}')
    assert document.text.count("\n") == 5_003
    assert sum(len(one.locator.pointer or "") for one in document.regions) < len(document.text)
    assert document.regions[-1].locator.pointer == "/short/0"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('[{/* only this */}, {"a": 1}]', "- /* only this */\n  {}\n- a: 1"),
        ("[[// only this\n], 2]", "- // only this\n  []\n- 2"),
        ('{"a": {/* only this */}, "b": 1}', "a:\n  /* only this */\n  {}\nb: 1"),
        ("{/* only this */}", "/* only this */\n{}"),
        ('{\n"a": 1\n}\n// only this\n', "a: 1\n// only this"),
    ],
)
def test_records_of_comments_alone_are_not_lost(source: str, text: str) -> None:
    """What stands in an empty value, or behind all values, is read."""
    document = read(source, "a.jsonc")
    assert document.text == text
    assert document.flags == ()


@pytest.mark.parametrize(
    ("source", "pointer", "place"),
    [
        ('{"shop": {"name": "Bells", "open": true}}', "/shop", "/shop"),
        ('{"shop": {"list": [{"a": 1}, {"a": 2}]}}', "/shop", "/shop"),
        ('{"a": 1, "b": 2}', "", "top level"),
        ('[{"a": 1}]', "/0", "/0"),
        ("[1, 2]", "", "top level"),
    ],
)
def test_a_small_document_has_the_pointer_of_the_deepest_container(
    source: str, pointer: str, place: str
) -> None:
    """Of all that a passage holds; the whole of the data has the empty pointer, and a name for people."""
    (passage,) = chunk(read(source), "00000000-0000-0000-0000-000000000000")
    assert passage.locator.pointer == pointer
    assert passage.locator.describe() == place


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(JSON)
def test_every_string_is_there(value: object) -> None:
    """Whatever the data, every word of its strings stands in the text, in order, and places cover all of it."""
    try:
        document = read(json.dumps(value))
    except EmptyError:
        assert not _words(value)
        return
    at = 0
    for word in _words(value):
        at = document.text.index(word, at) + len(word)
    assert document.regions[0].start == 0
    assert document.regions[-1].end == len(document.text)


def _words(value: Any) -> list[str]:
    if isinstance(value, dict):
        value = [part for pair in cast("dict[str, Any]", value).items() for part in pair]
    if isinstance(value, list):
        return [word for inner in cast("list[Any]", value) for word in _words(inner)]
    return (
        [word for word in value.split() if word.isascii() and word.isalnum()]
        if isinstance(value, str)
        else []
    )


@given(
    st.text(st.sampled_from("{}[]:,\"'\\/* \nabc123-.u"), max_size=200),
    st.sampled_from(["a.json", "a.jsonl"]),
)
def test_anything(source: str, name: str) -> None:
    """Any text gives a document or a typed error."""
    try:
        document = read(source, name)
    except ReadingError:
        return
    assert len(document.line_numbers or ()) in (0, document.text.count("\n") + 1)
