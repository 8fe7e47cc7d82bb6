"""The answer's text with numbers in place of markers, whole and while it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citing import CitationRun
from pincite.showing import NumberedCitation, NumberedPiece, NumberedStream, numbered

if TYPE_CHECKING:
    from collections.abc import Iterable


def run_of(wire_format: str = "ref") -> tuple[CitationRun, str, str]:
    """Return a run with two documents of a passage each, and the refs of the two."""
    run = CitationRun(wire_format)
    first = run.present({"id": "a-1", "document_id": "a", "title": "A", "content": "The sky is blue."})
    second = run.present({"id": "b-1", "document_id": "b", "title": "B", "content": "Grass is green."})
    return run, first["ref"], second["ref"]


def streamed(run: CitationRun, pieces: Iterable[str]) -> tuple[NumberedStream, str, list[NumberedCitation]]:
    """Return a stream that was read to its end, the text that it showed, and its citations."""
    stream = NumberedStream(run.resolution())
    shown = [one for piece in pieces for one in stream.feed(piece)] + stream.finish()
    text = "".join(one.text for one in shown if isinstance(one, NumberedPiece))
    return stream, text, [one for one in shown if isinstance(one, NumberedCitation)]


def test_a_marker_becomes_the_number_of_its_source() -> None:
    """Sources are numbered in order of first mention, and a source that comes again keeps its number."""
    run, a, b = run_of()
    answer = run.resolve(f"Green [{b}], blue [{a}], green [{b}].")
    found = numbered(answer)
    assert found.text == "Green [1], blue [2], green [1]."
    places = [
        found.text[slice(*found.places[one.anchor.start, one.anchor.end])]
        for one in answer.citations
        if one.anchor
    ]
    assert places == ["[1]", "[2]", "[1]"]


def test_a_group_becomes_a_number_each() -> None:
    """Two keys in one pair of brackets become two numbers, and each citation has its own."""
    run, a, b = run_of()
    answer = run.resolve(f"Both [{a}, {b}] hold.")
    found = numbered(answer)
    assert found.text == "Both [1][2] hold."
    assert sorted(found.places.values()) == [(5, 8), (8, 11)]


def test_the_same_source_twice_in_a_row_is_said_once() -> None:
    """Two passages of one document side by side are one number, and both citations lead to it."""
    run = CitationRun("ref")
    refs = [
        run.present({"id": f"a-{n}", "document_id": "a", "content": f"Sentence {n} stands here."})["ref"]
        for n in range(2)
    ]
    answer = run.resolve(f"Both [{refs[0]}, {refs[1]}] hold.")
    found = numbered(answer)
    assert found.text == "Both [1] hold."
    assert set(found.places.values()) == {(5, 8)}
    assert len(found.places) == 2


def test_what_was_never_issued_goes_with_the_space_before_it() -> None:
    """A full form that no search returned is left out, in the stream too."""
    run, a, _ = run_of()
    text = f"Blue [[{a}]] and red [[deadbeef]]."
    assert numbered(run.resolve(text)).text == "Blue [1] and red."
    stream, shown, _ = streamed(run, text)
    assert shown == "Blue [1] and red."
    assert not stream.changed


def test_what_is_left_out_of_the_beginning_of_a_line_takes_the_space_behind() -> None:
    """No line begins with the space that stood behind a marker."""
    run, _, _ = run_of()
    text = "One.\n[[deadbeef]] Two."
    assert numbered(run.resolve(text)).text == "One.\nTwo."
    assert streamed(run, text)[1] == "One.\nTwo."


@pytest.mark.parametrize("behind", ["(https://evil.example)", "[x]", ": https://evil.example"])
def test_a_number_never_becomes_the_words_of_a_link(behind: str) -> None:
    """What follows a number, ours or one that the model wrote, makes no link and no definition of it."""
    run, a, _ = run_of()
    answer = run.resolve(f"[[{a}]] and [7]{behind}\n\n[1]{behind}")
    assert numbered(answer).text == f"[1] and [7\\]{behind}\n\n[1\\]{behind}"


@pytest.mark.parametrize("behind", ["[x]", ": https://evil.example"])
def test_what_follows_a_marker_makes_no_link_of_its_number(behind: str) -> None:
    """A marker that is followed by the joint of a link is a number with a backslash behind it."""
    run, a, _ = run_of()
    assert numbered(run.resolve(f"[[{a}]]{behind}")).text == f"[1]\\{behind}"
    assert streamed(run, f"[[{a}]]{behind}")[1] == f"[1]\\{behind}"


def test_an_address_behind_a_marker_belongs_to_it() -> None:
    """A marker of which the model made a link is a number without an address."""
    run, a, _ = run_of()
    assert numbered(run.resolve(f"Blue [[{a}]](https://evil.example).")).text == "Blue [1]."


def test_code_stays_as_it_is() -> None:
    """An index behind an index in code gets no backslash, and a marker in code no number."""
    run, a, _ = run_of()
    text = f"Take `m[1][2]`:\n\n```\nm[1](x) [[{a}]]\n```\nSee [[{a}]]."
    assert numbered(run.resolve(text)).text == text.removesuffix(f"[[{a}]].") + "[1]."
    assert streamed(run, text)[1] == numbered(run.resolve(text)).text


def test_a_stream_tells_a_citation_with_its_number_and_place() -> None:
    """The place of a provisional citation is that of its number in what is shown."""
    run, a, b = run_of()
    stream, shown, cited = streamed(run, [f"Blue [{a[:3]}", f"{a[3:]}] and ", f"green [{b}]."])
    assert shown == "Blue [1] and green [2]."
    assert [(one.numbers, shown[one.start : one.end]) for one in cited] == [((1,), "[1]"), ((2,), "[2]")]
    assert stream.answer is not None
    assert stream.answer.text == f"Blue [{a}] and green [{b}]."
    assert not stream.changed


def test_what_is_registered_while_the_answer_comes_changes_what_was_shown() -> None:
    """A marker that was nothing when it came, and a citation at the end, is told of by `changed`."""
    run, a, _ = run_of()
    other = CitationRun("ref")
    late = other.present({"id": "c-1", "document_id": "c", "content": "Snow is white."})["ref"]
    stream = NumberedStream(run.resolution())
    first = stream.feed(f"White [[{late}]], blue [[{a}]]. ")
    assert "".join(one.text for one in first if isinstance(one, NumberedPiece)) == "White, blue [1]."
    run.present({"id": "c-1", "document_id": "c", "content": "Snow is white."})
    stream.finish()
    assert stream.changed
    assert stream.shown is not None
    assert stream.shown.text == "White [1], blue [2]. "


def test_a_sentence_that_was_matched_afterwards_has_its_number_at_the_end() -> None:
    """Under `deferred` nothing is written, and the number stands at the end of the sentence once the text is whole."""
    run = CitationRun("deferred")
    run.present({"id": "a-1", "document_id": "a", "content": "The warranty lasts for twenty-four months."})
    stream, shown, _ = streamed(run, ["The warranty lasts for ", "twenty-four months."])
    assert shown == "The warranty lasts for twenty-four months."
    assert stream.shown is not None
    assert stream.shown.text == "The warranty lasts for twenty-four months. [1]"
    assert stream.changed


_PARTS = st.sampled_from(
    [
        *"[]():`\n \\é😀",
        *(
            "word",
            "  ",
            "\n\n",
            "```",
            "\n```\n",
            "~~~",
            "[1]",
            "[[deadbeef]]",
            "A",
            "B",
            "[A]",
            "[[A]]",
            "[A, B]",
        ),
        *("[A; deadbeef]", "**", "<b>", "<!--", "-->", "[x](y)", "[[1]](A)"),
    ]
)


@given(st.lists(_PARTS, max_size=30), st.lists(st.integers(1, 7), min_size=1, max_size=12))
def test_any_cutting_of_a_stream_shows_what_the_whole_text_shows(parts: list[str], cuts: list[int]) -> None:
    """What is streamed is `numbered` of the answer, or `changed` says that it is not; places and offsets fit."""
    run, a, b = run_of()
    text = "".join(parts).replace("A", a).replace("B", b)
    pieces: list[str] = []
    at = turn = 0
    while at < len(text):
        step = cuts[turn % len(cuts)]
        pieces.append(text[at : at + step])
        at, turn = at + step, turn + 1
    stream, shown, cited = streamed(run, pieces)
    assert stream.answer is not None
    assert stream.shown is not None
    whole = numbered(run.resolve(text))
    assert stream.shown == whole
    assert stream.changed == (shown != whole.text)
    assert not stream.changed
    for one in cited:
        assert shown[one.start : one.end] == "".join(f"[{number}]" for number in one.numbers)
    last = 0
    for offset in range(len(text) + 1):
        assert last <= (last := whole.at(offset)) <= len(whole.text)


def test_offsets_outside_of_markers_lead_to_the_same_character() -> None:
    """A code point that both texts have is found where it stands."""
    run, a, b = run_of()
    text = f"Blue [[{a}]] sky; red [[deadbeef]] none; green [[{b}]](x) grass."
    found = numbered(run.resolve(text))
    for word in ("Blue", "sky", "none", "green", "grass"):
        at = found.at(text.index(word))
        assert found.text[at : at + len(word)] == word
