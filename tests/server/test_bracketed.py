"""Numbers in brackets: the text is left alone, and every place is one of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite import CitationRun
from pincite.server.bracketed import READ_AS, resolved

PIECES = st.sampled_from(
    [
        "[1]",
        "[2; 1]",
        "[1,2]",
        "[9]",
        "[ 1 ]",
        "[a]",
        "`x[1]`",
        "<sup>1</sup>",
        " So it is",
        ". ",
        "\n\n",
        "é𝄞",
        "[",
    ]
)


def run_of_two() -> CitationRun:
    """Return a run that was shown two passages."""
    run = CitationRun(READ_AS)
    run.present({"id": "a", "title": "A", "content": "So it is."})
    run.present({"id": "b", "title": "B", "content": "So it was."})
    return run


@given(st.lists(PIECES, max_size=12).map("".join))
def test_every_place_is_one_of_the_text(text: str) -> None:
    """The text stays; places are in it and in order; what is said of a place is what stands there."""
    answer = resolved(text, run_of_two().resolve)
    assert answer.text == text
    anchors = [one.anchor for one in answer.citations if one.anchor is not None]
    for one in (*anchors, *answer.misses, *answer.checks):
        assert 0 <= one.start <= one.end <= len(text)
    assert all(text[one.start : one.end] == one.written for one in answer.misses)
    assert [one.start for one in anchors] == sorted(one.start for one in anchors)


def test_each_number_is_the_passage_that_it_counts() -> None:
    """Alone and in a list, as whoever wrote them counted; in code they are none."""
    text = "So it is [1]. So it was [2; 1]. `x[2]`"
    answer = resolved(text, run_of_two().resolve)
    assert [one.sources[0].title for one in answer.citations] == ["A", "B", "A"]
    first = answer.citations[0].anchor
    assert first is not None
    assert text[first.start : first.end] == "[1]"
