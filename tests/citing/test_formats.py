"""The wire formats: six of ours, each written as it is taught, and those that other packages bring."""

from __future__ import annotations

import importlib.metadata
import re
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from hostile import hostile, much
from pincite.citing import formats
from pincite.citing.formats import KEY_FIELDS, WIRE_FORMATS, WireFormat, wire_format, wire_formats
from pincite.core.errors import InputError

EV = "ev1:c:f24b301d-f73a-5291-9d80-7ea3cbd5291c:c174f9d9eba7d79c:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"


@pytest.mark.parametrize(
    ("name", "key_field", "key", "marker"),
    [
        ("inline_url", "source_url", "https://a.example/7", "[[1]](https://a.example/7)"),
        ("short_id", "short_id", "9f2a1b7c", "[[9f2a1b7c]]"),
        ("ref", "ref", "9f2a1b7c-3", "[9f2a1b7c-3]"),
        ("deferred", None, "9f2a1b7c", ""),
        ("sup_numeric", "number", 3, "<sup>3</sup>"),
        ("evidence_id", "evidence_id", EV, f"[{EV}]"),
    ],
)
def test_each_format_writes_its_marker(name: str, key_field: str | None, key: str | int, marker: str) -> None:
    """The key of the one field that a payload shows, between the brackets that are taught."""
    format_ = wire_format(name)
    assert (format_.name, format_.key_field) == (name, key_field)
    assert format_.write(key) == marker
    assert marker.startswith(format_.opening)
    assert marker.endswith(format_.closing)


def test_the_built_in_formats_are_six() -> None:
    """Their key fields are those that a payload may look citable by."""
    assert sorted(WIRE_FORMATS) == ["deferred", "evidence_id", "inline_url", "ref", "short_id", "sup_numeric"]
    shown = {format_.key_field for format_ in WIRE_FORMATS.values()} - {None}
    assert shown == set(KEY_FIELDS)


@pytest.mark.parametrize(
    ("address", "number", "extract", "marker"),
    [
        ("https://a.example/7", 4, "ten days", '[[4]](https://a.example/7 "ten days")'),
        ("/citations/x", 1, 'say "ten"\n\\ days', '[[1]](/citations/x "say \\"ten\\" \\\\ days")'),
        ("https://a.example/M_(p)", 1, None, "[[1]](<https://a.example/M_(p)>)"),
        ("my file.pdf", 2, "ten", '[[2]](<my file.pdf> "ten")'),
    ],
)
def test_an_inline_link_is_written_whole(address: str, number: int, extract: str | None, marker: str) -> None:
    """Addresses with blanks or parentheses stand in angle brackets, and quotes in an extract are escaped."""
    assert wire_format("inline_url").write(address, number, extract) == marker


@pytest.mark.parametrize("name", sorted(WIRE_FORMATS))
def test_an_instruction_names_no_other_field(name: str) -> None:
    """What is taught names the one field that a payload carries, and no field that it does not."""
    format_ = WIRE_FORMATS[name]
    named = set(re.findall(r"`([a-z_]+)`", format_.instructions())) - {"content"}
    assert named == ({format_.key_field} if format_.key_field else set[str]())


def test_deferred_never_tells_the_model_to_cite() -> None:
    """Its instruction asks for prose without marks, and writes none for any key."""
    deferred = wire_format("deferred")
    assert re.search(r"(?i)\bcit(e|ation)|\[|<sup>|\bref\b", deferred.instructions()) is None
    assert "no marks or numbers" in deferred.instructions()


@pytest.mark.parametrize("name", sorted(set(WIRE_FORMATS) - {"deferred"}))
def test_each_instruction_says_what_to_do(name: str) -> None:
    """Where the marker stands, one marker for each passage, nothing that was not given."""
    taught = WIRE_FORMATS[name].instructions()
    for words in ("After each sentence", "after another", "Never write a", "not given"):
        assert words in taught


@pytest.mark.parametrize(
    ("name", "takes", "leaves"),
    [
        ("inline_url", ["https://a.example/7", "/citations/x", "a|b"], ["", "a b", "<a>"]),
        ("short_id", ["9f2a1b7c", "9f2a1b7c-3"], ["9f2a1b7", "9f2a1b7c-", "9F2A1B7C"]),
        ("ref", ["9f2a1b7c", "9f2a1b7c-3"], ["9f2a1b7", "9f2a1b7c-", "9F2A1B7C"]),
        ("sup_numeric", ["1", "123456789"], ["0", "01", "", "1234567890", "-1", "١"]),
        ("evidence_id", [EV, "ev2:x"], ["ev:c", "evidence"]),
        ("deferred", [], ["", "9f2a1b7c", "1"]),
    ],
)
def test_what_is_a_key(name: str, takes: list[str], leaves: list[str]) -> None:
    """The shape of a key is exact and lower case; what models write beside it is the scan's to mend."""
    key = wire_format(name).key
    assert [text for text in takes if key.fullmatch(text) is None] == []
    assert [text for text in leaves if key.fullmatch(text) is not None] == []


@hostile
@pytest.mark.parametrize("name", sorted(WIRE_FORMATS))
@pytest.mark.parametrize("piece", ["a", "0", "-", "f-", "ev1:", "[", " ", "9"])
def test_a_megabyte_of_anything_ends(name: str, piece: str) -> None:
    """The shape of a key is looked for in linear time; a quadratic look would not come back."""
    text = much(piece)
    WIRE_FORMATS[name].key.fullmatch(text)
    WIRE_FORMATS[name].key.fullmatch(text + "!")


def test_an_unknown_format_is_an_error_that_lists_them() -> None:
    """A name that nobody has, or that is no name, is a sentence."""
    wrong: list[Any] = ["roman", "", None, 5, ["ref"]]
    for name in wrong:
        with pytest.raises(InputError, match="there are deferred, evidence_id, inline_url, ref"):
            wire_format(name)


@pytest.mark.parametrize(
    "changed",
    [
        {"name": ""},
        {"key_field": ""},
        {"key_field": "content"},
        {"opening": ""},
        {"closing": ""},
    ],
)
def test_a_format_that_cannot_work_is_an_error(changed: dict[str, Any]) -> None:
    """A format without a name, with half a marker or with the text for a key is refused as it is made."""
    whole: dict[str, Any] = {
        "name": "curly",
        "key_field": "ref",
        "opening": "{",
        "closing": "}",
        "key": re.compile("[0-9a-f]+"),
        "full": False,
        "teaching": "Write {ref}.",
    }
    assert WireFormat(**whole).write("ab") == "{ab}"
    with pytest.raises(InputError, match="wire format"):
        WireFormat(**{**whole, **changed})


CURLY = WireFormat(
    "curly", "ref", "{{", "}}", re.compile("[0-9a-f]{8}"), full=True, teaching="Write {{ref}}."
)
NAMED_REF = WireFormat("ref", "ref", "{", "}", re.compile("x"), full=True, teaching="")
NO_FORMAT = "curly"


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> list[EntryPoint]:
    """The entry points that are installed, as a list to fill; nothing of it outlives the test."""
    installed: list[EntryPoint] = []

    def entry_points(*, group: str) -> list[EntryPoint]:
        return [entry for entry in installed if entry.group == group]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    monkeypatch.setattr(formats, "_loaded", [])
    before = dict(WIRE_FORMATS)
    monkeypatch.setattr(formats, "WIRE_FORMATS", before)
    return installed


class _Entry(EntryPoint):
    """An entry of this file, which is no module that can be imported by name."""

    def load(self) -> Any:
        return globals()[self.value.partition(":")[2]]


def test_a_format_of_another_package_is_found(entries: list[EntryPoint]) -> None:
    """An entry of the group is a format like any other, once somebody asks."""
    entries.append(_Entry("curly", "elsewhere:CURLY", "pincite.wire_formats"))
    assert "curly" not in formats.WIRE_FORMATS
    assert wire_format("curly") is CURLY
    assert "curly" in wire_formats()
    assert "curly" in formats.WIRE_FORMATS


def test_built_in_formats_load_no_entry(entries: list[EntryPoint]) -> None:
    """A broken package does not stop who uses a format of ours."""
    entries.append(EntryPoint("broken", "no_such_module_anywhere:FORMAT", "pincite.wire_formats"))
    assert wire_format("ref") is WIRE_FORMATS["ref"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (
            EntryPoint("broken", "no_such_module_anywhere:X", "pincite.wire_formats"),
            "'broken' .*cannot be loaded",
        ),
        (_Entry("curly", "elsewhere:NO_FORMAT", "pincite.wire_formats"), "'curly' .*no `WireFormat`"),
        (
            _Entry("round", "elsewhere:CURLY", "pincite.wire_formats"),
            "'round' .*no `WireFormat` of that name",
        ),
        (_Entry("ref", "elsewhere:NAMED_REF", "pincite.wire_formats"), "'ref' .*the name of another"),
    ],
)
def test_a_broken_or_clashing_entry_is_an_error_that_names_it(
    entries: list[EntryPoint], entry: EntryPoint, words: str
) -> None:
    """Asking for what is not built in says which entry is at fault, each time."""
    entries.append(entry)
    for _ in range(2):
        with pytest.raises(InputError, match=words):
            wire_format("curly")
    with pytest.raises(InputError, match=words):
        wire_formats()


def test_two_entries_of_one_name_clash(entries: list[EntryPoint]) -> None:
    """Which of two packages wins is nobody's guess."""
    entries += [_Entry("curly", f"elsewhere{n}:CURLY", "pincite.wire_formats") for n in (1, 2)]
    with pytest.raises(InputError, match="elsewhere2:CURLY has the name of another"):
        wire_formats()


def test_the_listing_cannot_be_written_to() -> None:
    """Formats come through the entry points alone."""
    listing: Any = wire_formats()
    with pytest.raises(TypeError):
        listing["mine"] = CURLY
