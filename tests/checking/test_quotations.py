"""Words of an answer in quotation marks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile, much
from pincite.checking import QuoteVerdict, quotations_of
from pincite.checking.quotations import Sources, without_hidden
from pincite.core.limits import DEFAULT


def _said(text: str) -> list[str]:
    return [text[start:end] for start, end in quotations_of(text)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It says “leave expires in March” there.", ["leave expires in March"]),
        ('It says "leave expires in March" there.', ["leave expires in March"]),
        ("Es heißt „der Urlaub verfällt im März“ dort.", ["der Urlaub verfällt im März"]),
        ("Es heißt »der Urlaub verfällt im März« dort.", ["der Urlaub verfällt im März"]),
        ("Il dit « le congé expire en mars » là.", [" le congé expire en mars "]),
        ("規則には「休暇は三月に失効する」とある。", ["休暇は三月に失効する"]),
        ("报告说“2023年公司营业收入增长了15%”。", ["2023年公司营业收入增长了15%"]),
        ("It says ‘leave doesn’t expire in March’ there.", ["leave doesn’t expire in March"]),
        ("It says 'leave doesn't expire in March' there.", ["leave doesn't expire in March"]),
        ("Il dit ‹ le congé expire en mars › là.", [" le congé expire en mars "]),
        ("He said “The cat ate the mat. The dog died.” and left.", ["The cat ate the mat. The dog died."]),
        ("It says “leave expires\nin March” there.", ["leave expires\nin March"]),
        ("Det står ”ledigheten upphör i mars” där.", ["ledigheten upphör i mars"]),
        ("Siinä on »loma päättyy maaliskuussa pian» näin.", ["loma päättyy maaliskuussa pian"]),
        ('他说"董事会批准了该提案"吧。', ["董事会批准了该提案"]),
        ("“One two three” and “four five six”.", ["One two three", "four five six"]),
    ],
)
def test_quotation_marks_of_each_kind(text: str, said: list[str]) -> None:
    """Each pair of marks holds a quotation; the marks are no part of it."""
    assert _said(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "The so-called “AI” is one.",
        '([page](http://x.y "A nice page title here"))',
        'A <a title="my three word title">link</a>.',
        'Run `print("hello big wide world")` first.',
        '```\nprint("hello big wide world")\n```',
        'One is 6 " and also 8 " of wood.',
        "It says “leave expires\n\nin March” there.",
        "- It says “leave expires\n- in March” there.",
        "The “annual report” has it.",
        'A board of 5" by 6" and one of 7" by 8".',
        "“An opening mark without its other one.",
        '"It begins\n\nand ends in another paragraph"',
        "It's the board's own view, isn't it, by all accounts?",
        "The tenants' and the owners' rights, in the '90s and later, were those of the owners' heirs.",
        "",
    ],
)
def test_what_is_no_quotation(text: str) -> None:
    """One or two words are a title or a distance; inches, apostrophes and single marks quote nothing."""
    assert _said(text) == []


@given(st.text(st.sampled_from('ab “”"„«»「」\n.'), max_size=60))
def test_a_quotation_is_inside_of_the_text(text: str) -> None:
    """In order, and none inside another."""
    spans = quotations_of(text)
    flat = [place for span in spans for place in span]
    assert flat == sorted(flat)
    assert all(0 < start < end < len(text) for start, end in spans)


@hostile
def test_a_megabyte_of_marks_takes_linear_time() -> None:
    """No mark makes the rest be read again."""
    for text in (much("“a "), much("<a ") + much("](") + much("`"), much("“"), much('"a '), much("'a ")):
        assert quotations_of(text) == []
    assert quotations_of(much("‘", 500_000) + much("a’b", 300_000)) == []


_LEAVE = "Unused leave expires in March. Expenses need approval."
_ROOMS = "Rooms are booked a week ahead."


def _checked(quote: str, cited: list[tuple[object, str]] | None = None) -> tuple[object, QuoteVerdict] | None:
    sources = Sources({"leave": _LEAVE, "rooms": _ROOMS}, DEFAULT)
    answer = f"It says “{quote}”."
    found = sources.check(answer, 9, 9 + len(quote), [("leave", _LEAVE)] if cited is None else cited)
    if found is None:
        return None
    assert answer[found.start : found.end] == found.text == quote
    return found.key, found.check.verdict


def test_in_the_cited_passage() -> None:
    """The passage's own words, or what became of them."""
    assert _checked("Unused leave expires in March") == ("leave", QuoteVerdict.VERBATIM)
    assert _checked("unused leave expires in March.") == ("leave", QuoteVerdict.TYPOGRAPHIC)
    assert _checked("Unused leave expires in April") == ("leave", QuoteVerdict.ALTERED)


def test_in_a_passage_that_is_not_cited() -> None:
    """That passage is named."""
    assert _checked("Rooms are booked a week ahead") == ("rooms", QuoteVerdict.ELSEWHERE)


def test_without_a_citation_every_passage_is_looked_at() -> None:
    """The one that has the words is the one it is of."""
    assert _checked("Rooms are booked a week ahead", []) == ("rooms", QuoteVerdict.VERBATIM)


def test_nowhere() -> None:
    """Neither here nor there."""
    assert _checked("The canteen serves fish on every Friday") == ("leave", QuoteVerdict.ABSENT)


def test_too_short_to_prove_anything() -> None:
    """Three short words say nothing about a source."""
    assert _checked("it is so") is None


def test_short_in_letters_is_long_in_words_without_spaces() -> None:
    """Nine letters of Chinese say as much as eighteen of English."""
    sources = Sources({"a": "董事会批准了该提案。"}, DEFAULT)
    assert sources.check("“董事会否决了该提案”", 1, 10, [("a", "董事会批准了该提案。")]) is not None


def test_a_marker_inside_is_no_word_of_it() -> None:
    """What the answer cites by is not what it quotes."""
    answer = "It says “Unused leave [1] expires in March” there."
    start, end = answer.index("[1]"), answer.index("[1]") + 3
    ((first, last),) = quotations_of(answer, skipped=[(start, end)])
    shown = without_hidden(answer, [(start, end)])
    found = Sources({"leave": _LEAVE}, DEFAULT).check(answer, first, last, [("leave", _LEAVE)], shown=shown)
    assert found is not None
    assert found.check.is_verified
    assert found.text == "Unused leave [1] expires in March"


def test_many_quotations_and_passages_stay_cheap() -> None:
    """A passage without a quotation's words is not looked through."""
    passages = {index: f"Nothing of that kind stands in passage number {index}." for index in range(200)}
    sources = Sources(passages, DEFAULT)
    answer = "“The canteen serves fish on every Friday”"
    for _ in range(200):
        found = sources.check(answer, 1, len(answer) - 1, [])
        assert found is not None
        assert found.check.verdict is QuoteVerdict.ABSENT


def test_nothing_to_look_in() -> None:
    """Without a passage there is no verdict."""
    found = Sources({}, DEFAULT).check("“one two three four”", 1, 19, [])
    assert found is not None
    assert (found.key, found.check.verdict) == (None, QuoteVerdict.UNCHECKED)
    assert found.as_dict()["reason"]
