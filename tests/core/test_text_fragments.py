"""A link to words lands on them in a browser, whatever the script, and lights no others."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.text_fragments import SearchedPage, text_fragment, text_link, words_fragment
from pincite.core.urls import LINK_CODE_POINTS, safe_link

PAGE = (
    "Expenses\n\n"
    "Expenses over 100 EUR require prior approval - see A, B & C.\n\n"
    "- first item here\n  - second item here\n\n"
    "a | b | c\n| 2\n\n"
    "Expenses over 100 EUR are the exception."
)


def parts(directive: str) -> list[str]:
    """Return the parts of a directive as a browser reads them."""
    assert directive.startswith(":~:text=")
    return [unquote(part) for part in directive.removeprefix(":~:text=").split(",")]


def fragment(words: str, text: str = PAGE) -> list[str]:
    """Return the parts of the directive for the first place of `words`."""
    start = text.index(words)
    return parts(text_fragment(text, start, start + len(words)))


def test_words_in_full() -> None:
    """A stretch within one block that stands on the page once is named as it is."""
    assert fragment("require prior approval - see A, B & C.") == ["require prior approval - see A, B & C."]


def test_mdn_content_37964_hyphen_comma_ampersand_are_encoded() -> None:
    """mdn/content#37964, tinfoilsh/tinfoil-webapp#276: `-`, `,`, `&` and `~` would divide or break the directive."""
    written = text_fragment("x-y, ~a & b_c.", 0, 14)
    assert written == ":~:text=x%2Dy%2C%20%7Ea%20%26%20b%5Fc%2E"


@pytest.mark.parametrize(
    "words",
    [
        "النفقات تحتاج إلى موافقة",
        "需要事先批准。",
        "Größere Ausgaben über",
        "ค่าใช้จ่าย ต้อง",
        "承認が必要です。",
    ],
)
def test_open_webui_any_script_is_kept(words: str) -> None:
    """Open WebUI removes what is not ASCII, which leaves nothing to look for; every letter is kept here."""
    assert fragment(words, f"{words} 2.")[0] == words


def test_words_that_stand_before_get_context() -> None:
    """Of words that are on the page twice, the second is told from the first by what stands in front of it."""
    start = PAGE.rindex("Expenses over 100 EUR")
    found = parts(text_fragment(PAGE, start, start + len("Expenses over 100 EUR")))
    assert found == ["2-", "Expenses over 100 EUR", "-are the exception."]


def test_few_words_always_get_context() -> None:
    """A word may stand in a menu that is no part of the text, so one alone is not enough."""
    assert fragment("second") == ["first item here-", "second", "-item here"]


def test_marks_of_ours_are_never_looked_for() -> None:
    """The dashes of items and the bars of tables are on no page: a part stands in one item, one cell."""
    start, end = PAGE.index("first"), PAGE.index("| 2") + 3
    found = parts(text_fragment(PAGE, start, end))
    assert found == ["B & C.-", "first item here", "2", "-Expenses over 100"]


def test_long_stretches_are_named_by_both_ends() -> None:
    """A whole passage is named by its first and its last words, each in its own block."""
    text = "Once upon a time there was.\n\n" + "Middle. " * 40 + "\n\nLast words of all this."
    assert fragment(text, text) == ["Once upon a time there was.", "Last words of all this."]


def test_a_few_words_begin_no_stretch() -> None:
    """Four words of 18 code points may stand in a menu, where the light would begin: it takes the next try's seven."""
    text = "One two three four five.\n\n" + "Middle. " * 40 + "\n\nLast words of all this."
    assert fragment(text, text) == ["One two three four five.", "Last words of all this."]


def test_a_heading_that_stands_twice_lights_nothing_before_its_own_text() -> None:
    """The contents name each section, and so does a menu that is no part of our text: the light begins at the text."""
    text = (
        "Contents\n\nExpenses\n\nTravel\n\nTravel\n\nTrips are booked by the office.\n\n"
        "Expenses\n\nCosts need an approval first.\n\nReceipts are due within a month."
    )
    start = text.rindex("Expenses")
    found = parts(text_fragment(text, start, len(text)))
    assert found == ["Costs need an approval", "due within a month."]


def test_a_page_is_looked_at_once_for_many() -> None:
    """Each stretch of one page gets what it would get alone."""
    page = SearchedPage(PAGE)
    for words in ("require prior approval", "second", "Expenses over 100 EUR"):
        start = PAGE.index(words)
        assert page.fragment(start, start + len(words)) == text_fragment(PAGE, start, start + len(words))


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("Some words that are cited.", ["Some words that are cited."]),
        # The heading may stand anywhere; the text under it is named, not from one to the other.
        ("Expenses\n\nCosts need an approval first.\n\nReceipts are due.", ["Costs need an approval first."]),
        # 99 code points are 20 words of four letters with the spaces between them.
        ("word " * 200, [" ".join(["word"] * 20)]),
        # Nothing is long: the longest, told by what is around it.
        ("No.\n\nIt is so.\n\nYes.", ["No.-", "It is so.", "-Yes."]),
        ("They rose.", ["They rose."]),
    ],
)
def test_words_alone_light_no_more_than_themselves(words: str, named: list[str]) -> None:
    """Without the page nothing is named by its ends: where the first stood earlier, the light would not end."""
    assert parts(words_fragment(words)) == named


@pytest.mark.parametrize("text", ["", "   \n ", "...", "- \n- ", "x" * 10_000, "字" * 1_000])
def test_nothing_to_look_for_in_words_alone(text: str) -> None:
    """Without a word of sensible length there is no directive."""
    assert words_fragment(text) == ""


def test_whole_words() -> None:
    """A stretch that begins or ends inside of a word is widened to it: browsers look for whole ones."""
    assert fragment("quire prior appro") == ["require prior approval"]


@pytest.mark.parametrize("text", ["", "   \n ", "...", "- \n- ", "x" * 10_000, "字" * 1_000])
def test_nothing_to_look_for(text: str) -> None:
    """Without a word of sensible length there is no directive, and the address stays as it is."""
    assert text_fragment(text, 0, len(text)) == ""
    assert text_link("https://example.org/", text) == "https://example.org/"


@pytest.mark.parametrize(
    ("address", "linked"),
    [
        ("https://example.org/a", "https://example.org/a#:~:text=some%20words%20of%20a%20page"),
        ("https://example.org/a#part", "https://example.org/a#part:~:text=some%20words%20of%20a%20page"),
        ("https://example.org/a#:~:text=b", "https://example.org/a#:~:text=b"),
        ("https://example.org/" + "a" * 3_970, "https://example.org/" + "a" * 3_970),
    ],
)
def test_link(address: str, linked: str) -> None:
    """The directive stands behind a fragment of the address's own; one that is there already stays alone."""
    assert text_link(address, "some words of a page") == linked


def test_link_stays_safe() -> None:
    """The links that may be shown take a directive as it is."""
    linked = text_link("https://example.org/a?b=c#d", "Größe: a-b, c & d – 50 % (~x)")
    assert safe_link(linked) == linked


@pytest.mark.parametrize("unit", ["Some words. ", "a | b\n", "x\n\n", "- ", "字。", "x"])
def test_a_million_words_alone_are_not_read(unit: str) -> None:
    """What somebody calls an excerpt may be of any size: the first of it is looked at, and no word is cut."""
    written = words_fragment(unit * (1_000_000 // len(unit)))
    assert len(written) <= LINK_CODE_POINTS


def test_a_long_text_without_spaces_is_named_too() -> None:
    """Of 20,000 code points of Chinese the first sentences are named, each a word that ends in a stop."""
    assert parts(words_fragment("需要事先批准。" * 3_000))[0].startswith("需要事先批准。")


@given(st.text(st.sampled_from("abcß -,.|\n12é。字、ابا"), max_size=200))
def test_words_alone_have_no_end_part(words: str) -> None:
    """Whatever they are, a directive of words alone has one part that is lit, and it stands in the words."""
    written = words_fragment(words).removeprefix(":~:text=").split(",")
    (lit,) = [part for part in written if "-" not in part]
    assert unquote(lit) in words


WORDS = st.text(st.sampled_from("abcß -,.|\n12é。字、ابา"), max_size=200)


@given(WORDS, st.integers(0, 200), st.integers(0, 200))
def test_what_holds_for_all(text: str, start: int, end: int) -> None:
    """A directive is short, made of safe characters, and each of its parts stands in one line of the text."""
    written = text_fragment(text, start, end)
    assert len(written) <= LINK_CODE_POINTS
    if written:
        assert re.fullmatch(
            r":~:text=(?:[A-Za-z0-9%]+-,)?[A-Za-z0-9%]+(?:,[A-Za-z0-9%]+)?(?:,-[A-Za-z0-9%]+)?", written
        )
        lines = text.split("\n")
        for part in written.removeprefix(":~:text=").split(","):
            assert any(unquote(part.strip("-")) in line for line in lines)


@given(
    st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta's", "x"]), min_size=1, max_size=60), st.data()
)
def test_the_first_match_is_the_one_that_is_meant(words: list[str], data: st.DataObject) -> None:
    """By the rules of the specification, the first place of the parts is the one, unless the page repeats itself."""
    numbered = [f"{word} {number}" if number % 7 == 0 else word for number, word in enumerate(words)]
    text = " ".join(numbered)
    edges = [0, *(found.end() for found in re.finditer(" ", text)), len(text) + 1]
    first = data.draw(st.integers(0, len(edges) - 2))
    last = data.draw(st.integers(first + 1, len(edges) - 1))
    start, end = edges[first], edges[last] - 1
    found = parts(text_fragment(text, start, end))
    before = found.pop(0)[:-1] + " " if found[0].endswith("-") else ""
    behind = " " + found.pop()[1:] if found[-1].startswith("-") else ""
    pattern = r"\b" + re.escape(before) + "(" + re.escape(found[0])
    pattern += (
        (r"\b.*?\b" + re.escape(found[1]) if len(found) > 1 else "") + ")" + re.escape(behind) + r"(?!\w)"
    )
    match = re.search(pattern, text, re.DOTALL)
    assert match is not None
    if before or behind or len(found) == 1:
        assert match[1].split()[0] == text[start:end].split()[0]
