"""Rows: what is read of a file, and which passage a marker means."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pincite.core.errors import InputError, KeyClashError, NotFoundError
from pincite.core.limits import DEFAULT
from pincite.core.verdicts import SupportVerdict
from pincite.evaluation import LABELS, AnswerRow, ClaimRow, Fault, read_rows, resolve_row

if TYPE_CHECKING:
    from pathlib import Path

FOX, OWL, BEE = "Foxes sleep by day.", "Owls sleep by day.", "Bees sleep by night."


def read(tmp_path: Path, *rows: object) -> list[AnswerRow | ClaimRow | Fault]:
    """Return what is read of a file with these rows: bytes as they are, anything else as JSON."""
    file = tmp_path / "rows.jsonl"
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    file.write_bytes(b"\n".join(lines) + b"\n")
    return list(read_rows(file))


def answer(text: str, passages: Any = (FOX, OWL, BEE), wire_format: str | None = None) -> AnswerRow:
    """Return a row with passages as strings, or as pairs of key and text."""
    pairs = tuple((None, one) if isinstance(one, str) else one for one in passages)
    return AnswerRow(1, "", text, pairs, wire_format=wire_format)


def cited(row: AnswerRow) -> list[list[str]]:
    """Return the texts of the sources of each citation."""
    return [[one.excerpts[0] for one in found.sources] for found in resolve_row(row).answer.citations]


def missed(row: AnswerRow) -> list[tuple[str, str]]:
    """Return what was written and is no citation, with the reason."""
    return [(one.written, one.reason.value) for one in resolve_row(row).answer.misses]


# --- Reading ---


def test_an_answer_row(tmp_path: Path) -> None:
    """Passages are strings or objects; the text is `answer` or `text`; names may be numbers."""
    passages = [FOX, {"id": 7, "text": OWL, "title": "Owls"}, {"key": "c", "content": BEE}]
    (row,) = read(tmp_path, {"id": 3, "system": "s", "question": "?", "answer": "A.", "passages": passages})
    assert isinstance(row, AnswerRow)
    assert (row.line, row.id, row.system, row.text, row.wire_format) == (1, "3", "s", "A.", None)
    assert row.passages == ((None, FOX), ("7", OWL), ("c", BEE))
    assert row.titles == ("", "Owls", "")


def test_passages_by_key(tmp_path: Path) -> None:
    """An object of texts by their keys is in its order."""
    (row,) = read(tmp_path, {"text": "A.", "passages": {"b": OWL, "a": FOX}, "wire_format": "ref"})
    assert isinstance(row, AnswerRow)
    assert row.passages == (("b", OWL), ("a", FOX))
    assert (row.wire_format, row.system) == ("ref", "")


@pytest.mark.parametrize(
    ("label", "gold"),
    [
        ("Complete", "supported"), ("Partial", "partial"), ("Incomplete", "unsupported"), ("Missing", "unsupported"),
        ("contradicted", "contradicted"), ("SUPPORTED", "supported"), (2, "supported"), (1, "partial"),
        (0, "unsupported"), ("0", "unsupported"), (" unsupported ", "unsupported"),
    ],
)  # fmt: skip
def test_labels(tmp_path: Path, label: object, gold: str) -> None:
    """Those of ExpertQA, our own, and levels, in any letter case."""
    (row,) = read(tmp_path, {"claim": "A.", "evidence": "B.", "label": label})
    assert isinstance(row, ClaimRow)
    assert (row.evidence, row.label, row.gold) == (("B.",), str(label).strip(), SupportVerdict(gold))


def test_every_label_means_a_verdict() -> None:
    """Those that somebody may give a claim: that it was not checked is none."""
    assert set(LABELS.values()) == set(SupportVerdict) - {SupportVerdict.UNCHECKED}


def test_the_head_of_evidence_is_none_of_its_words(tmp_path: Path) -> None:
    """A number with an address above a blank line is left out; anything else at the beginning stays."""
    evidence = ["[1] https://a.example/x\n\n words", "[1] A title\n\nwords", "words\n\nmore"]
    (row,) = read(tmp_path, {"claim": "A.", "evidence": evidence, "support": "Complete"})
    assert isinstance(row, ClaimRow)
    assert row.evidence == (" words", "[1] A title\n\nwords", "words\n\nmore")


BAD: list[tuple[object, str]] = [
    (b"{", "The line is no JSON."),
    (b"\xff\xfe", "The line is no JSON."),
    (b"[" * 100_000, "The line is no JSON."),
    (b'{"n": ' + b"9" * 5_000 + b"}", "The line is no JSON."),
    ([1], "The line is no JSON object."),
    ({"id": "1"}, "The row has neither an `answer` (or `text`) nor a `claim`."),
    (
        {"question": "?"},
        "The row is a question without an answer: ask it first, with `pincite eval --ask`.",
    ),
    (
        {"answer": "A.", "passages": [], "expects": [" "]},
        "`expects` is words, a list of words of which any will do, or null where there is no answer.",
    ),
    (
        {"answer": "A.", "passages": [], "expects": 3},
        "`expects` is words, a list of words of which any will do, or null where there is no answer.",
    ),
    ({"answer": 3, "passages": []}, "`answer` is a string."),
    ({"answer": "A."}, "`passages` is a list of passages, or an object of texts by their keys."),
    ({"answer": "A.", "passages": [3]}, "Passage 1 is a string, or an object with a `text`."),
    ({"answer": "A.", "passages": ["B.", {"id": "a"}]}, "`text` of passage 2 is missing."),
    ({"answer": "A.", "passages": [{"content": 3}]}, "`content` of passage 1 is a string."),
    (
        {"answer": "A.", "passages": [{"id": [], "text": ""}]},
        "`id` of passage 1 is a string or a whole number.",
    ),
    ({"answer": "A.", "passages": {"a": None}}, "`text` of passage 1 is a string."),
    ({"answer": "A.", "passages": [], "system": True}, "`system` is a string or a whole number."),
    ({"claim": 1, "evidence": [], "label": 1}, "`claim` is a string."),
    ({"claim": "A.", "label": 1}, "`evidence` is a string or a list of strings."),
    ({"claim": "A.", "evidence": [1], "label": 1}, "`evidence` is a string or a list of strings."),
]


@pytest.mark.parametrize(("row", "message"), BAD)
def test_a_bad_line_loses_nothing_else(tmp_path: Path, row: object, message: str) -> None:
    """It is named by its number; blank lines count as lines and are no rows."""
    good: dict[str, object] = {"answer": "A.", "passages": []}
    first, fault, last = read(tmp_path, good, b"", row, b"  ", good)
    assert fault == Fault(3, message)
    assert isinstance(first, AnswerRow)
    assert isinstance(last, AnswerRow)
    assert (first.line, last.line) == (1, 5)


@pytest.mark.parametrize("label", ["N/A", None, True, 3, "", ["Complete"]])
def test_a_label_that_means_nothing(tmp_path: Path, label: object) -> None:
    """The sentence says which there are."""
    (fault,) = read(tmp_path, {"claim": "A.", "evidence": [], "label": label})
    assert isinstance(fault, Fault)
    assert fault.message.startswith("`support` (or `label`) is one of supported, complete, 2, ")


def test_an_unknown_wire_format(tmp_path: Path) -> None:
    """The same."""
    for given in ("smoke", 3):
        (fault,) = read(tmp_path, {"answer": "A.", "passages": [], "wire_format": given})
        assert isinstance(fault, Fault)
        assert fault.message.startswith("There is no wire format")


def test_a_line_that_is_too_long(tmp_path: Path) -> None:
    """It is passed over to its end, and the next one is read."""
    rows = read(tmp_path, b"x" * (DEFAULT.evaluation_line_bytes * 2 + 5), {"answer": "A.", "passages": []})
    assert rows[0] == Fault(1, "The line has more than 33,554,432 bytes.")
    assert [type(row) for row in rows[1:]] == [AnswerRow]


def test_a_byte_order_mark(tmp_path: Path) -> None:
    """What some editors write in front of a file is nothing."""
    (row,) = read(tmp_path, b"\xef\xbb\xbf" + b'{"answer": "A.", "passages": []}')
    assert isinstance(row, AnswerRow)


@pytest.mark.parametrize("space", [b"", b"\xef\xbb\xbf", b"\n \n"])
@pytest.mark.parametrize(
    "value", [{"answer": "A.", "passages": []}, [{"answer": "A.", "passages": ["B."]}], [{"a": 1}, {"a": 2}]]
)
def test_indented_json_is_one_hint(tmp_path: Path, value: object, space: bytes) -> None:
    """Not a fault for each of its lines; several values one after another are the same."""
    file = tmp_path / "rows.json"
    hint = [Fault(1, "The file is JSON over several lines; one JSON object a line is wanted.")]
    written = space + json.dumps(value, indent=2).encode() + b"\n"
    for copies in (1, 2):
        file.write_bytes(written * copies)
        assert list(read_rows(file)) == hint


def test_what_only_begins_like_indented_json(tmp_path: Path) -> None:
    """A torn first line costs itself, and one that ends in something else too."""
    good: dict[str, object] = {"answer": "A.", "passages": []}
    for torn in (b"{", b'{"answer": "A.",', b"[", b"{} {}", b'{"a": 1} x'):
        fault, row = read(tmp_path, torn, good)
        assert fault == Fault(1, "The line is no JSON.")
        assert isinstance(row, AnswerRow)
    first, second = read(tmp_path, good, good)
    assert isinstance(first, AnswerRow)
    assert isinstance(second, AnswerRow)


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_file_has(name: str) -> None:
    """A plain sentence."""
    with pytest.raises(InputError, match="`path` has a character that no name of a file may have") as caught:
        list(read_rows(name))
    assert caught.value.field == "path"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """Not there, a folder, no path: each is said."""
    with pytest.raises(NotFoundError, match=r"There is no file 'rows\.jsonl'"):
        list(read_rows(tmp_path / "rows.jsonl"))
    with pytest.raises(InputError, match="cannot be read: is a directory"):
        list(read_rows(tmp_path))
    wrong: Any = 3
    with pytest.raises(InputError, match="`path` is a path, not int"):
        list(read_rows(wrong))


# --- Markers ---


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("A [1].", [[FOX]]),
        ("A [2][3].", [[OWL], [BEE]]),
        ("A [1, 2].", [[FOX], [OWL]]),
        ("A [1; 3].", [[FOX], [BEE]]),
        ("A [1-3].", [[FOX], [OWL], [BEE]]),
        ("A [2–3, 1].", [[OWL], [BEE], [FOX]]),
        ("A [3][3].", [[BEE], [BEE]]),
        ("A [[2]].", [[OWL]]),
        ("A [2](https://a.example/).", [[OWL]]),
        ("So<sup>2</sup>.", [[OWL]]),
        ("So<sup>1-2</sup>.", [[FOX, OWL]]),
        ("A【2】.", [[OWL]]),
        ("A【2†source】.", [[OWL]]),
        ("Nothing [here] at all (1).", []),
        ("Code `a[1]` is none.", []),
        ("```\nb[2]\n```\n", []),
        ("A [1].\n\n[1]: https://a.example/\n", [[FOX]]),
        # Footnotes, and the line that is one.
        ("A [^2].", [[OWL]]),
        ("A [^1][^3].\n\n[^1]: The foxes.\n  [^3]: The bees.\n", [[FOX], [BEE]]),
        ("A [^1, ^2].", [[FOX], [OWL]]),
        # Raised digits, and those that are powers, units, charges or isotopes.
        ("Foxes sleep by day.¹ Owls too²; bees do not.¹⁻³", [[FOX], [OWL], [FOX], [OWL], [BEE]]),
        ("Foxes sleep¹,² or [3].", [[FOX], [OWL], [BEE]]),
        ("It has 20 km² and 3 m³, 10² or 10⁻³ of Ca²⁺, CO² and ¹⁴C.", []),
        ("Code `sleep¹` is none.\n¹ A footnote.", []),
    ],
)
def test_numbers_count_the_passages(text: str, sources: list[list[str]]) -> None:
    """From 1, in every way of writing numbers; what is in code or defines a link cites nothing."""
    assert cited(answer(text)) == sources
    assert missed(answer(text)) == []


@pytest.mark.parametrize(
    ("text", "sources", "written"),
    [
        ("A [4].", [], ["[4]"]),
        ("A [0].", [], ["[0]"]),
        ("A [1, 9].", [[FOX]], ["9"]),
        ("A [3-5].", [[BEE]], ["[3-5]"]),
        ("In [2019-2023].", [], ["[2019-2023]"]),
        ("A [[9]].", [], ["[[9]]"]),
        ("So<sup>9</sup>.", [], ["<sup>9</sup>"]),
        ("A [[deadbeef]].", [], ["[[deadbeef]]"]),
        ("A [^9].", [], ["[^9]"]),
        ("Foxes sleep.⁹", [], ["⁹"]),
        ("A [5-3].", [], ["[5-3]"]),
    ],
)
def test_an_unknown_number_is_a_miss(text: str, sources: list[list[str]], written: list[str]) -> None:
    """One for each place, also for a range of which only a part is known."""
    assert cited(answer(text)) == sources
    assert missed(answer(text)) == [(one, "never_issued") for one in written]


@pytest.mark.parametrize(
    ("keys", "text", "sources"),
    [
        # Keys stand in brackets, and numbers still count.
        (("fox", "owl"), "A [fox][2].", [[FOX], [OWL]]),
        (("doc 1", "a.b/c"), "A [doc 1, a.b/c].", [[FOX], [OWL]]),
        # A passage has a number for its key: now numbers are keys.
        (("2", "1"), "A [1].", [[OWL]]),
        (("0", "1"), "A [0][1].", [[FOX], [OWL]]),
        (("10", "20"), "A [20].", [[OWL]]),
        (("10", "20"), "A [10-20].", [[FOX], [OWL]]),
        (("10", "20"), "So<sup>20</sup>.", [[OWL]]),
        # Keys of our own forms.
        (("deadbeef", "0badcafe"), "A [[0badcafe]] [deadbeef].", [[OWL], [FOX]]),
        (("https://a.example/x", "https://b.example/y"), "A [[1]](https://b.example/y).", [[OWL]]),
    ],
)
def test_keys(keys: tuple[str, ...], text: str, sources: list[list[str]]) -> None:
    """The passages' own keys come before their places."""
    assert cited(answer(text, list(zip(keys, (FOX, OWL), strict=True)))) == sources


A, B = "https://a.example/k", "https://b.example/x_(y)"


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        # Numbers count, as they do without addresses.
        ("A [1].", [[FOX]]),
        ("A [3][2].", [[BEE], [OWL]]),
        ("A [^1] and sleep².", [[FOX], [OWL]]),
        ("So<sup>2</sup>.", [[OWL]]),
        ("A [[2]].", [[OWL]]),
        # A link to an address means its passage, whatever its words.
        (f"A [k]({A}).", [[FOX]]),
        (f"A [the notice of May]({B} 'Title').", [[OWL]]),
        (f"A [1]({B}).", [[OWL]]),
        (f"A [1](<{B}>).", [[OWL]]),
        (f"A [{A}]({A}).", [[FOX]]),
        (f"A [[1]]({B}).", [[OWL]]),
        (f"A [{A}].", [[FOX]]),
        # A number that the answer gave an address has it from then on.
        (f"A [[1]]({B}) and [[1]].", [[OWL], [OWL]]),
        (f"A [1]({B}) and [1][2].", [[OWL], [OWL], [OWL]]),
        # These are no citations.
        (f"An image ![k]({A}), code `[k]({A})`, \\[k]({A}).", []),
        ("A [k](https://c.example/).", []),
    ],
)
def test_an_address_as_a_key_leaves_numbers_alone(text: str, sources: list[list[str]]) -> None:
    """Found by a tester: one passage with an address for its key, and every number was lost without a word."""
    row = answer(text, [(A, FOX), (B, OWL), (None, BEE)])
    assert cited(row) == sources
    assert missed(row) == []


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("A [9].", "[9]"),
        ("So<sup>9</sup>.", "<sup>9</sup>"),
        ("A [1](https://c.example/).", "[1](https://c.example/)"),
        ("A [[1]](https://c.example/).", "[[1]](https://c.example/)"),
    ],
)
def test_what_no_passage_has_is_a_miss_beside_addresses(text: str, written: str) -> None:
    """A number out of range, and a numbered link to another address."""
    row = answer(text, [(A, FOX), (B, OWL)])
    assert cited(row) == []
    assert missed(row) == [(written, "never_issued")]


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("A [doc1].", True),
        ("A [Source 1], B [Source 2].", True),
        ("Foxes sleep (1).", True),
        ("A [1].", False),
        ("A [doc1] and [2].", False),
        ("A [9].", False),  # read, and a miss
        ("It was so [sic] in (2019).", False),
        ("Code `a[i1]` and `f(1)`.", False),
        ("Nothing.", False),
    ],
)
def test_markers_that_are_not_read_are_told(text: str, unread: int) -> None:
    """Only where nothing of the answer could be read."""
    assert resolve_row(answer(text)).is_unread == unread


def test_numbers_beside_a_named_format_are_told() -> None:
    """The row says how its markers are written, and they are not; where none are written, that is no wonder."""
    assert resolve_row(answer("A [1].", [("deadbeef", FOX)], "short_id")).is_unread
    assert not resolve_row(answer("A [1].", [("deadbeef", FOX)], "deferred")).is_unread


def test_a_range_names_no_more_than_a_pair_of_brackets_may() -> None:
    """What is beyond the limit is one miss with its reason, and cites nothing."""
    few = replace(DEFAULT, markers_per_group=3)
    for text, places, written in (
        ("A [1-3].", [0, 1, 2], []),
        ("A [1-4].", [], ["[1-4]"]),
        ("A [1-2, 2-3].", [0, 1], ["2-3"]),
        ("A [1-2, 3].", [0, 1, 2], []),
        ("A [1-3][1-3].", [0, 1, 2, 0, 1, 2], []),
    ):
        found = resolve_row(answer(text, [FOX, OWL, BEE, FOX + OWL]), limits=few).answer
        assert [one.sources[0].excerpts[0] for one in found.citations] == [(FOX, OWL, BEE)[i] for i in places]
        assert [(one.written, one.reason.value) for one in found.misses] == [
            (one, "malformed") for one in written
        ]


def test_wide_ranges_over_many_passages() -> None:
    """Found by a tester: with as many passages as ranges it took the square of their number, in time and memory."""
    found = resolve_row(answer("[1-999999] " * 5_000, [FOX] * 5_000)).answer
    assert (len(found.citations), len(found.misses)) == (0, 5_000)


def test_many_keys_and_many_brackets() -> None:
    """Each bracket is one look-up, however many keys there are."""
    keys = [f"key {place}" for place in range(5_000)]
    found = resolve_row(answer("".join(f"[{key}]" for key in keys), [(key, FOX) for key in keys])).answer
    assert len(found.citations) == 5_000


def test_a_number_that_is_no_key() -> None:
    """Where numbers are keys, the second passage is not `[2]`."""
    row = answer("A [2].", [("0", FOX), ("1", OWL)])
    assert cited(row) == []
    assert missed(row) == [("[2]", "never_issued")]


@pytest.mark.parametrize(
    ("wire_format", "key", "text"),
    [
        ("ref", "deadbeef", "A [deadbeef], not [1]."),
        ("short_id", "deadbeef", "A [[deadbeef]], not [1]."),
        ("inline_url", "https://a.example/", "A [[1]](https://a.example/), not [1]."),
        ("sup_numeric", None, "So<sup>1</sup>, not [1]."),
    ],
)
def test_a_named_wire_format(wire_format: str, key: str | None, text: str) -> None:
    """Its markers are read as everywhere, and numbers in brackets are prose."""
    assert cited(answer(text, [(key, FOX)], wire_format)) == [[FOX]]
    assert missed(answer(text, [(key, FOX)], wire_format)) == []


def test_deferred() -> None:
    """Without any marker, sentences cite what says them."""
    sentence = "The Arnsfeld depot employs 1,250 people and opened in March 2019."
    row = answer(sentence, [("a", sentence), ("b", OWL)], "deferred")
    assert cited(row) == [[sentence]]


def test_the_same_passage_twice() -> None:
    """Given under one key it is one; two texts under a key are a mistake of the row."""
    assert cited(answer("A [a].", [("a", FOX), ("a", FOX)])) == [[FOX]]
    assert cited(answer("A [1][2].", [FOX, FOX])) == [[FOX], [FOX]]
    with pytest.raises(KeyClashError):
        resolve_row(answer("A [a].", [("a", FOX), ("a", OWL)]))


def test_an_empty_passage_keeps_its_number() -> None:
    """Or those behind it would be cited for one another."""
    assert cited(answer("A [2].", ["", OWL])) == [[OWL]]


def test_no_passages() -> None:
    """Then every number is a miss."""
    assert missed(answer("A [1].", [])) == [("[1]", "never_issued")]


@pytest.mark.parametrize(
    "text",
    [
        "[a](" * 50_000,
        "[a](" + A * 5_000,
        "¹" * 200_000,
        "a¹" * 50_000,
        "[^" * 100_000,
        "[1" + "a" * 200_000,
        "[" * 200_000,
        "[1," * 60_000,
        "[1-" * 60_000,
        "[1] " * 50_000,
        "[" + "1" * 200_000,
    ],
)
def test_long_answers_are_read_in_linear_time(text: str) -> None:
    """Much of the worst: the guard against a hang is the bar."""
    resolve_row(answer(text))
    resolve_row(answer(text, [(A, FOX)]))
