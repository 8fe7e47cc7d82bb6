"""Markers are found where they are markers, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile, much
from pincite.citing import parse_citations, wire_format
from pincite.core.errors import InputError

EV = "ev1:c:f24b301d-f73a-5291-9d80-7ea3cbd5291c:c174f9d9eba7d79c:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"


def _keys(text: str) -> list[str]:
    return [found.key for found in parse_citations(text) if not found.in_code]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Yes. [9f2a1b7c]", ["9f2a1b7c"]),
        ("Yes. [9f2a1b7c-3]", ["9f2a1b7c-3"]),
        ("Yes. [[9f2a1b7c]]", ["9f2a1b7c"]),
        (f"Yes. [{EV}]", [EV]),
        ("[9f2a1b7c][0a1b2c3d]", ["9f2a1b7c", "0a1b2c3d"]),
        ("[9f2a1b7c, 0a1b2c3d; 11112222]", ["9f2a1b7c", "0a1b2c3d", "11112222"]),
        ("**Bold [9f2a1b7c]** and | cell [0a1b2c3d] |", ["9f2a1b7c", "0a1b2c3d"]),
        ("[[[9f2a1b7c]]]", ["9f2a1b7c"]),
        ("[see 9f2a1b7c]", []),
        ("a[0] and [2024] and [^1] and [E101] and [Figure 2]", []),
        ("[Example] [deleted] [Section]", []),
        ("[9f2a1b7]", []),
        ("[9f2a1b7c-]", []),
        ("[9F2A1B7C]", ["9F2A1B7C"]),
        (r"\[9f2a1b7c]", []),
        ("[9f2a1b7c", []),
        ("9f2a1b7c]", []),
        ("`[9f2a1b7c]`", []),
        ("``a ` [9f2a1b7c]``", []),
        ("```\n[9f2a1b7c]\n```\n[0a1b2c3d]", ["0a1b2c3d"]),
        ("~~~~\n[9f2a1b7c]\n~~~\n[0a1b2c3d]", []),
        ("```python\n[9f2a1b7c]", []),
        ("<!-- [9f2a1b7c] --> [0a1b2c3d]", ["0a1b2c3d"]),
        ("<!-- [9f2a1b7c]", []),
        ("a ` b\n\nc ` [9f2a1b7c]", ["9f2a1b7c"]),
        ("a ` b [9f2a1b7c]", ["9f2a1b7c"]),
        ("```a``` [9f2a1b7c]", ["9f2a1b7c"]),
        ("```\r\n[9f2a1b7c]\r\n```\r\n[0a1b2c3d]", ["0a1b2c3d"]),
        ("a ` b\r\n \r\nc ` [9f2a1b7c]", ["9f2a1b7c"]),
        ("text <!-- [9f2a1b7c]", ["9f2a1b7c"]),
        ("[9f2a1b7c, `] x `", []),
    ],
)
def test_what_is_a_marker(text: str, keys: list[str]) -> None:
    """R2R, RAGFlow, open-webui#30277, DeepTutor#469: issued shapes outside code, groups whole, words never."""
    assert _keys(text) == keys


def test_a_group_keeps_all_its_members() -> None:
    """defuddle#142: each member of a group has its own place inside the one marker."""
    found = parse_citations("So. [9f2a1b7c, 0a1b2c3d]")
    assert [(one.start, one.end) for one in found] == [(5, 13), (15, 23)]
    assert {one.marker for one in found} == {(4, 24)}


def test_a_lone_marker_is_whole() -> None:
    """The anchor of a lone key is the marker with its brackets."""
    found = parse_citations("So. [[9f2a1b7c]].")[0]
    assert (found.start, found.end, found.written) == (4, 16, "[[9f2a1b7c]]")
    assert found.full


def test_a_link_target_belongs_to_the_marker() -> None:
    """A checked key must not label a foreign link: the target is part of what is replaced."""
    text = "So [9f2a1b7c](https://evil.example/a_(b)) yes"
    found = parse_citations(text)[0]
    assert found.linked
    assert text[slice(*found.marker)] == "[9f2a1b7c](https://evil.example/a_(b))"


def test_a_reference_definition_is_known_as_one() -> None:
    """A definition of an issued key cannot take it over."""
    found = parse_citations("Yes [9f2a1b7c].\n\n[9f2a1b7c]: https://evil.example")
    assert [one.definition for one in found] == [False, True]


def test_code_is_told_apart() -> None:
    """A key in code is found, and said to be there."""
    assert [one.in_code for one in parse_citations("`[9f2a1b7c]` [9f2a1b7c]")] == [True, False]


def test_formats_may_be_named() -> None:
    """Only the formats asked for are looked for, whether by name or as they are."""
    text = f"[9f2a1b7c] [{EV}]"
    assert [one.key for one in parse_citations(text, formats=["evidence_id"])] == [EV]
    assert parse_citations(text, formats=["ref"]) == parse_citations(text, formats=[wire_format("ref")])
    with pytest.raises(InputError):
        parse_citations(text, formats=["refs"])


@pytest.mark.parametrize("name", ["ref", "short_id", "evidence_id"])
def test_what_a_format_writes_is_found(name: str) -> None:
    """Writing and finding are inverse in every wire format."""
    key = EV if name == "evidence_id" else "9f2a1b7c"
    assert _keys(f"Yes. {wire_format(name).write(key)}") == [key]


@hostile
@pytest.mark.parametrize(
    "unit",
    [
        "[",
        "1",
        "[1,",
        "[[1]](",
        "<cite",
        "<sup>",
        '"',
        "`",
        "`` ` ",
        "[9f2a1b7c",
        "[9f2a1b7c](",
        "[9f2a1b7c]:",
        "<!--",
        "~~~\n",
        "```\n",
        "\\",
        "[a" * 3 + "`",
    ],
)
def test_hostile_megabytes_end(unit: str) -> None:
    """A megabyte of any opener is one linear pass; a quadratic one would not come back."""
    text = much(unit)
    assert all(found.end <= len(text) for found in parse_citations(text))


PIECES = st.lists(
    st.sampled_from(
        [
            "[",
            "]",
            "[[",
            "]]",
            "9f2a1b7c",
            ", ",
            "`",
            "```\n",
            "\n",
            "\n\n",
            "<!--",
            "-->",
            "(",
            ")",
            "\\",
            "x ",
            "ev1:",
            ":",
        ]
    ),
    max_size=40,
).map("".join)


@given(PIECES)
def test_an_occurrence_is_a_slice_of_the_text(text: str) -> None:
    """What was written is what stands at its offsets, in order and without overlap, and holds its key."""
    found = parse_citations(text)
    for one in found:
        assert text[one.start : one.end] == one.written
        assert one.key in one.written
        assert one.marker[0] <= one.start < one.end <= one.marker[1]
    assert [one.start for one in found] == sorted({one.start for one in found})


@given(st.text(st.characters(), max_size=60))
def test_any_text_is_scanned(text: str) -> None:
    """Surrogates, NUL and combining marks raise nothing."""
    parse_citations(text)


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("1. a\n   - b\n\n     ```py\n     x = [9f2a1b7c]\n\n     y\n     ```\n     after [9f2a1b7c]", 1),
        ("> ```\n> [9f2a1b7c]\n>\n> z\n> ```\nok [9f2a1b7c]", 1),
        ("- ```\n  [9f2a1b7c]\n\n  ```\n  z [9f2a1b7c]", 1),
        ("    ~~~\n    [9f2a1b7c]\n\n    ~~~\n [9f2a1b7c]", 1),
        ("text\n    ``` odd [9f2a1b7c]\n\nmore [9f2a1b7c]", 2),
    ],
)
def test_a_fence_in_a_list_or_a_quotation_is_code(text: str, cited: int) -> None:
    """With blank lines in it, too; where none closes near by, nothing was opened."""
    assert sum(not one.in_code for one in parse_citations(text)) == cited
