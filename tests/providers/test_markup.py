"""Markup that leaked into fields and arguments is found, taken out and told."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import InputError, LimitError
from pincite.core.limits import Limits
from pincite.providers.markup import LeakedMarkup, MarkupKind, StrippedMarkup, find_markup, strip_markup

# A tag, put together so that no tool that shows this file reads it as one.
OPEN = "<" + 'cite index="1-1">'
CLOSE = "</" + "cite>"
PRIVATE = "\ue200cite\ue202turn1search0\ue201"
RETURNED = "Items may be returned within 30 days."


def test_the_example_of_the_page() -> None:
    """`summary='...'` with the tag around it: the field is clean, and what was in it is told."""
    value = {"summary": OPEN + RETURNED + CLOSE}
    stripped = strip_markup(value)
    assert stripped.value == {"summary": RETURNED}
    # The tag has 18 code points, the sentence 37.
    assert stripped.found == (LeakedMarkup("/summary", MarkupKind.TAG, OPEN, 0, 18, ("1-1",), 0, 37),)
    assert value == {"summary": OPEN + RETURNED + CLOSE}


@pytest.mark.parametrize(
    ("text", "clean", "indexes"),
    [
        (f"{OPEN}A{CLOSE} and B", "A and B", ("1-1",)),
        ("<" + f"cite index='1-1,2-3'>A{CLOSE}", "A", ("1-1", "2-3")),
        ("<" + f"cite index=0-2>A{CLOSE}", "A", ("0-2",)),
        ("<" + f'cite  index = "1:4-9; 2" >A{CLOSE}', "A", ("1:4-9", "2")),
        ("<" + f'CITE INDEX="3">A{CLOSE}', "A", ("3",)),
        ("&lt;" + "cite index=&quot;1-1&quot;&gt;A&lt;/cite&gt;", "A", ("1-1",)),
        (f'{{"nested": "{OPEN}A{CLOSE}"'.replace('"1-1"', '\\"1-1\\"'), '{"nested": "A"', ("1-1",)),
    ],
)
def test_tags(text: str, clean: str, indexes: tuple[str, ...]) -> None:
    """Other quotes, spaces, entities, several indexes, escapes in text that is no whole JSON."""
    stripped = strip_markup(text)
    assert stripped.value == clean
    assert [one.indexes for one in stripped.found] == [indexes]


def test_tags_inside_of_one_another() -> None:
    """Each is told with what it was put around."""
    stripped = strip_markup(f"{OPEN}A {OPEN}B{CLOSE} C{CLOSE} D")
    assert stripped.value == "A B C D"
    assert [(one.clean_start, one.clean_end) for one in stripped.found] == [(0, 5), (2, 3)]


def test_a_tag_that_is_never_closed_is_about_the_rest() -> None:
    """As a browser would have it."""
    (found,) = find_markup(f"A. {OPEN}B.")
    assert (found.clean_start, found.clean_end) == (3, 5)


def test_an_end_without_a_beginning() -> None:
    """It goes too, and is told."""
    stripped = strip_markup(f"A{CLOSE}.")
    assert stripped.value == "A."
    assert [(one.written, one.indexes) for one in stripped.found] == [(CLOSE, ())]


@pytest.mark.parametrize(
    "text",
    [
        f"<cite>Moby-Dick{CLOSE} is a book.",
        f'<cite class="x">Moby-Dick{CLOSE}',
        "Please cite this.",
        "(cite: A)",
        "A【1】",
        "A†",
        "\ue200 is a letter of a font",
        "See citations for turn 1.",
    ],
)
def test_what_is_no_markup_stays(text: str) -> None:
    """HTML of somebody's own, words, brackets, letters of fonts."""
    stripped = strip_markup({"a": text})
    assert stripped.value == {"a": text}
    assert stripped.found == ()


@pytest.mark.parametrize(
    ("text", "clean", "kind", "indexes"),
    [
        (f"True {PRIVATE}.", "True.", MarkupKind.PRIVATE_USE, ("turn1search0",)),
        (
            "True\ue200cite\ue202turn0search0\ue202turn0news3\ue201 so",
            "True so",
            MarkupKind.PRIVATE_USE,
            ("turn0search0", "turn0news3"),
        ),
        (
            "\ue200filecite\ue202turn0file1\ue202L1-L3\ue201",
            "",
            MarkupKind.PRIVATE_USE,
            ("turn0file1",),
        ),
        ("\ue200navlist\ue202News\ue201", "", MarkupKind.PRIVATE_USE, ("News",)),
        (
            "True citeturn1search0turn1search4.",
            "True.",
            MarkupKind.PRIVATE_USE,
            ("turn1search0", "turn1search4"),
        ),
        ("True【1†source】.", "True.", MarkupKind.DAGGER, ("1",)),
        ("True 【4:0†handbook.pdf】 so", "True so", MarkupKind.DAGGER, ("4:0",)),
    ],
)
def test_markers_of_openai(text: str, clean: str, kind: MarkupKind, indexes: tuple[str, ...]) -> None:
    """openai-agents-python#2051: with a structured answer citations vanish, and markers are left in the text."""
    stripped = strip_markup({"a": text})
    assert stripped.value == {"a": clean}
    (found,) = stripped.found
    assert (found.kind, found.indexes) == (kind, indexes)
    assert text[found.start : found.end] == found.written


def test_what_is_left_of_a_broken_marker() -> None:
    """Beside whole markers single private-use characters go as well."""
    assert strip_markup(f"A {PRIVATE} b\ue202c.").value == "A bc."


def test_pointers() -> None:
    """Nested objects and arrays, names with `/` and `~` (RFC 6901), in the order of the value."""
    value = {"a/b": [0, {"x~y": PRIVATE}], "": f"{OPEN}A{CLOSE}", "n": None, "t": (True, 1.5, PRIVATE)}
    stripped = strip_markup(value)
    assert [one.pointer for one in stripped.found] == ["/a~1b/1/x~0y", "/", "/t/2"]
    assert stripped.value == {"a/b": [0, {"x~y": ""}], "": "A", "n": None, "t": [True, 1.5, ""]}


def test_arguments_of_a_tool_as_text() -> None:
    """JSON text is read and written as JSON; pointers are those of its fields."""
    arguments = json.dumps({"to": "a@b.example", "body": f"{OPEN}Grüße{CLOSE} \U0001f600"})
    stripped = strip_markup(arguments)
    assert json.loads(stripped.value) == {"to": "a@b.example", "body": "Grüße \U0001f600"}
    assert [one.pointer for one in stripped.found] == ["/body"]


@pytest.mark.parametrize("text", ['{ "a":   1 }', "[1,2]", "{not json", '{"a": 1}{'])
def test_text_without_markup_is_the_same(text: str) -> None:
    """Not a space of it is changed."""
    assert strip_markup(text).value is text


def test_a_value_without_markup_is_the_same() -> None:
    """And no copy."""
    value = {"a": ["b"]}
    assert strip_markup(value).value is value


def test_names_are_left_as_they_are() -> None:
    """A name is an address of something."""
    assert strip_markup({PRIVATE: 1}).found == ()


def test_depth_has_a_limit() -> None:
    """A value deeper than that is refused, and none blows the stack."""
    value: Any = PRIVATE
    for _ in range(100_000):
        value = [value]
    with pytest.raises(LimitError, match="more than 200"):
        strip_markup(value)
    with pytest.raises(LimitError, match="more than 2 "):
        strip_markup([[["a"]]], limits=Limits(provider_json_depth=2))
    assert strip_markup([["a"]], limits=Limits(provider_json_depth=2)).found == ()


@pytest.mark.parametrize("value", [b"bytes", {"a": {1, 2}}, object()])
def test_what_json_does_not_hold(value: object) -> None:
    """A plain sentence."""
    with pytest.raises(InputError, match="what JSON holds"):
        strip_markup(value)


PIECES = (
    OPEN,
    CLOSE,
    PRIVATE,
    "【1†source】",
    "<cite>",
    "citeturn0search1",
    "\ue200",
    "†",
    "A. ",
    "\n",
    "&lt;",
    "<",
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_what_is_told_is_what_stood_there(text: str) -> None:
    """Places are of the text as it was and as it is, whatever stands beside what."""
    stripped = strip_markup({"a": text})
    clean = stripped.value["a"]
    for one in stripped.found:
        assert text[one.start : one.end] == one.written
        assert 0 <= one.clean_start <= one.clean_end <= len(clean)
    if stripped.found:
        assert len(clean) < len(text)
    else:
        assert clean == text


def json_with(*fields: str) -> str:
    """Return an object of JSON with a field that holds markup, and other fields as they are written."""
    tag = OPEN.replace('"', '\\"')
    return "{" + ", ".join((*fields, f'"t":  "{tag}y{CLOSE}\\n"')) + "}"


@pytest.mark.parametrize(
    "field",
    [
        '"a":1,"a":2',
        '"n":1.10',
        '"n" : 1e400',
        '"u":"\\ud800"',
        '"u": "\\u00e9\\/"',
        '"n": 12345678901234567890123',
    ],
)
def test_in_a_text_of_json_nothing_but_the_touched_strings_changes(field: str) -> None:
    """Names that stand twice, numbers as they are written, escapes and spaces of the rest."""
    assert strip_markup(json_with(field)).value == "{" + field + ', "t":  "y\\n"}'


@pytest.mark.parametrize(
    "text",
    [
        "\u3010\u9b6f\u8fc5\u20201936\u3011 wrote it.",
        f'<cite data-index="1">Moby-Dick{CLOSE}',
        f"<cite x:index=1>Moby-Dick{CLOSE}",
    ],
)
def test_a_dagger_behind_words_and_other_attributes_are_no_markup(text: str) -> None:
    """A person's year of death, and attributes of HTML that end in the word."""
    assert strip_markup(text).value == text


TOKENS = [
    OPEN,
    CLOSE,
    "<cite>",
    PRIVATE,
    "\ue200",
    "\ue201",
    "\u30101\u2020s\u3011",
    "\u3010",
    "1",
    "\u2020",
    "\u3011",
]
MORE = [
    " ",
    "a",
    "citeturn0search1",
    "&lt;cite index=1-1&gt;",
    "&lt;/cite&gt;",
    "<" + "cite",
    ' index="2">',
]


@given(st.lists(st.sampled_from(TOKENS + MORE), max_size=14).map("".join))
def test_what_was_stripped_has_nothing_left_to_strip(text: str) -> None:
    """Also where a marker stood inside of what is one without it; all that is told lies where it says."""
    stripped = strip_markup(text)
    assert strip_markup(stripped.value) == StrippedMarkup(stripped.value, ())
    for one in stripped.found:
        assert text[one.start : one.end] == one.written
        assert 0 <= one.clean_start <= one.clean_end <= len(stripped.value)


def test_a_marker_around_a_marker() -> None:
    """Both are told, of the text that was given."""
    text = f"A \u3010{OPEN}1\u2020s\u3011."
    stripped = strip_markup(text)
    assert stripped.value == "A."
    assert [(one.start, one.end) for one in stripped.found] == [(2, 2 + 1 + 18 + 4), (3, 21)]
