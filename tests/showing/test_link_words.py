"""The words of a link: which of them a reader takes for a number of a source."""

from __future__ import annotations

import pytest

from pincite.showing._link_words import reads_as_number


@pytest.mark.parametrize(
    ("words", "result"),
    [
        ("1, 2", True),
        ("&frac12;", True),
        ("<b title='a > b'>&#49;</b>", True),
        ("see \\[1\\]", True),
        ("see \u30101\uff3d", True),
        ("see [`1`, 2] there", True),
        ("", False),
        ("...", False),
        ("&amp;", False),
        ("a1", False),
        ("see [1a]", False),
        ("see [1", False),
        ("\u4e00", False),
    ],
)
def test_words_that_are_a_number_or_hold_one(words: str, result: object) -> None:
    """A number stands without a letter, or between brackets; entities, tags and signs are read as they are rendered."""
    assert reads_as_number(words, cut=False, sure=True) is result


def test_words_of_which_only_the_end_is_known() -> None:
    """Without a letter there they count as a number, and a tag that began before is no word."""
    assert reads_as_number("***", cut=True, sure=True)
    assert reads_as_number("aaa'> ", cut=True, sure=True)
    assert not reads_as_number("aaa", cut=True, sure=True)


def test_words_of_which_the_beginning_is_not_sure() -> None:
    """Any bracket may be the one that opens the link: what stands behind it without a letter may be its words."""
    assert reads_as_number("[see [<b>1</b>", cut=False, sure=False)
    assert not reads_as_number("[see <b>1</b>", cut=False, sure=False)
    assert not reads_as_number("[1 [see", cut=False, sure=False)
