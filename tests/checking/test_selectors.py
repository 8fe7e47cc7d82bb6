"""Selectors: what is produced is accepted, and an old place is found again in an edited text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checking import (
    FragmentSelector,
    SourceIndex,
    TextPositionSelector,
    TextQuoteSelector,
    read_selector,
    reanchor,
    selectors_of,
)
from pincite.core.errors import InputError

TEXT = (
    "Rates are set in May. The rate rose to 35 cents for members. Nothing else was decided on that day.\n"
    "In June the board met again. The rate rose to 35 cents for members. It was raised once more in July."
)
WORDS = "The rate rose to 35 cents for members."
FIRST, SECOND = TEXT.index(WORDS), TEXT.rindex(WORDS)


def test_a_place_has_three_selectors() -> None:
    """Quote with 32 code points on each side, position, and a text fragment with its surroundings where needed."""
    quote, position, fragment = selectors_of(TEXT, SECOND, SECOND + len(WORDS))
    assert quote.as_dict() == {
        "type": "TextQuoteSelector",
        "exact": WORDS,
        "prefix": TEXT[SECOND - 32 : SECOND],
        "suffix": TEXT[SECOND + len(WORDS) :][:32],
    }
    assert position.as_dict() == {"type": "TextPositionSelector", "start": SECOND, "end": SECOND + len(WORDS)}
    assert fragment.conforms_to == "https://wicg.github.io/scroll-to-text-fragment/"
    assert fragment.value == (
        ":~:text=In%20June%20the%20board%20met%20again.-,The%20rate%20rose%20to%2035%20cents%20for%20members.,"
        "-It%20was%20raised%20once%20more%20in"
    )


def test_a_dash_a_comma_and_an_ampersand_are_escaped_in_a_text_fragment() -> None:
    """Mdn/content#37964: they have a meaning of their own there."""
    *_, fragment = selectors_of("All of well-known, loved & lost things.", 7, 31)
    assert fragment.value == ":~:text=well%2Dknown%2C%20loved%20%26%20lost"


@pytest.mark.parametrize("start", [FIRST, SECOND])
@pytest.mark.parametrize("which", [(0,), (0, 1), (2,), (0, 1, 2)])
def test_each_of_two_alike_is_found_again(start: int, which: tuple[int, ...]) -> None:
    """By what surrounds it, by its position, or by its text fragment."""
    made = selectors_of(TEXT, start, start + len(WORDS))
    found = reanchor([made[index] for index in which], TEXT)
    assert (found.start, found.end, found.verdict.value) == (start, start + len(WORDS), "verbatim")


def test_an_old_place_is_followed_in_an_edited_text() -> None:
    """Words in front of it were put in and taken out; what it says is the same."""
    made = selectors_of(TEXT, SECOND, SECOND + len(WORDS))
    edited = "A new beginning.\n\n" + TEXT.replace("Nothing else was decided on that day.\n", "")
    found = reanchor(made, edited)
    assert found.start == edited.rindex(WORDS)
    assert found.verdict.value == "verbatim"


def test_an_old_place_that_was_reworded_is_altered() -> None:
    """It still has its place, and the difference is named."""
    made = selectors_of(TEXT, SECOND, SECOND + len(WORDS))
    new = "The rate rose to 53 cents for members."
    edited = TEXT[:SECOND] + new + TEXT[SECOND + len(WORDS) :]
    found = reanchor(made, edited.replace(TEXT[:SECOND], "In June the board met again. "))
    assert found.verdict.value == "altered"
    assert [(one.quote, one.source) for one in found.differences] == [("35", "53")]


def test_an_old_place_that_is_gone_is_absent() -> None:
    """It says that it cannot, and guesses nothing."""
    found = reanchor(
        selectors_of(TEXT, FIRST, FIRST + len(WORDS)), "The weather was fine all week, and warm."
    )
    assert (found.verdict.value, found.start) == ("absent", None)


def test_a_position_alone_proves_nothing() -> None:
    """It has its place where the text is long enough."""
    found = reanchor(TextPositionSelector(3, 9), TEXT)
    assert (found.verdict.value, found.start, found.end) == ("unchecked", 3, 9)
    gone = reanchor(FragmentSelector("char=900,950"), TEXT)
    assert (gone.verdict.value, gone.start) == ("absent", None)


def test_a_long_text_fragment_names_its_ends() -> None:
    """Its first words and its last; they lead to the whole."""
    source = "Before it. " + " ".join(f"Word number {n} stands here." for n in range(40)) + " After it."
    start, end = source.index("Word number 3 "), source.index(" Word number 30")
    *_, fragment = selectors_of(source, start, end)
    assert fragment.value == (
        ":~:text=Word%20number%203%20stands%20here.,Word%20number%2029%20stands%20here."
    )
    found = reanchor(fragment, SourceIndex(source))
    assert (found.start, found.end, found.verdict.value) == (start, end, "elided")


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"type": "CssSelector", "value": "p"},
        {"type": "TextQuoteSelector"},
        {"type": "TextQuoteSelector", "exact": 4},
        {"type": "TextPositionSelector", "start": 4, "end": 2},
        {"type": "TextPositionSelector", "start": True, "end": 2},
        {"type": "FragmentSelector", "value": None},
        "TextQuoteSelector",
    ],
)
def test_what_is_no_selector_is_refused(data: Any) -> None:
    """In a sentence that names the field."""
    with pytest.raises(InputError):
        read_selector(data)


def test_a_fragment_that_names_no_words_is_of_no_use() -> None:
    """A page is no place in a text."""
    with pytest.raises(InputError, match="words or a position"):
        reanchor(FragmentSelector("page=3", "http://tools.ietf.org/rfc/rfc3778"), TEXT)


@pytest.mark.parametrize(("start", "end"), [(-1, 4), (4, 4), (5, 4), (0, 10_000), (None, 3)])
def test_no_such_place_is_refused(start: Any, end: Any) -> None:
    """Nothing is named that is not there."""
    with pytest.raises(InputError):
        selectors_of(TEXT, start, end)


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80), st.data())
def test_selectors_go_through_json(source: str, data: st.DataObject) -> None:
    """What is written is read as it was, for any text and place."""
    start = data.draw(st.integers(0, len(source) - 1))
    end = data.draw(st.integers(start + 1, len(source)))
    for one in selectors_of(source, start, end):
        assert read_selector(one.as_dict()) == one
    assert TextQuoteSelector(source).as_dict() == {"type": "TextQuoteSelector", "exact": source}
