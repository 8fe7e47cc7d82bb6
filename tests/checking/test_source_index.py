"""Looking for words in a source."""

from __future__ import annotations

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.checking import QuoteVerdict, verify_quote
from pincite.checking.source_index import SourceIndex, find

DETERMINED = settings(derandomize=os.environ.get("PINCITE_HYPOTHESIS") is None)
_FEW = st.text("ab", max_size=120)


@DETERMINED
@given(_FEW, _FEW, _FEW, st.integers(0, 130))
def test_long_words_are_found_where_they_stand_first(
    before: str, words: str, behind: str, start: int
) -> None:
    """However often their beginning stands there: it is what `str.find` says."""
    text = before + words + behind
    assert find(text, words, start) == text.find(words, start)
    assert find(text, words + "a", start) == text.find(words + "a", start)


def test_a_stretch_that_begins_and_ends_as_the_quote_is_taken_whole() -> None:
    """Words that were put in make the quote longer than what it is of; nothing beside that is taken in."""
    source = (
        "Claims are filed in spring. The committee approved the annual budget after a long debate in March, and the"
        " council confirmed it. Payments begin in May."
    )
    quote = (
        "The committee approved the very large annual budget after a long debate in March, and the council confirmed"
        " it."
    )
    near = SourceIndex(source).alike(quote.lower())
    start = source.index("The committee")
    assert near == (start, source.index(" Payments"))
    check = verify_quote(quote, source)
    assert check.verdict is QuoteVerdict.ALTERED
    assert (check.start, check.end) == near
    assert [(one.quote, one.source) for one in check.differences] == [("very large", "")]
