"""Numbers in brackets of models that were given numbers: what is a citation, what is prose; synthetic."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.core.citation import DocumentCitationSource, MarkerCitationAnchor, TextPart, WebCitationSource
from pincite.core.limits import DEFAULT
from pincite.providers._bracketed import FAR, FAR_AT_LEAST, bracketed
from pincite.providers.response import PartDraft, ProviderResponse
from pincite.providers.sources import SentSources

SOURCES = 5


def sources(count: int = SOURCES) -> SentSources:
    """Return numbered sources with the ids `d1`, `d2` and so on."""
    sent = SentSources()
    for number in range(1, count + 1):
        sent.add_numbered(f"Rule {number} of the house.", id=f"d{number}")
    return sent


def read(text: str, count: int = SOURCES) -> tuple[list[tuple[str, list[str | None]]], list[str]]:
    """Return the markers of a text with the ids that each cites, and what is listed as no citation."""
    bound = sources(count).bind(ProviderResponse("openai_compatible", "chat", (TextPart(text),)))
    cited: list[tuple[str, list[str | None]]] = []
    for one in bound.citations:
        assert isinstance(one.anchor, MarkerCitationAnchor)
        written = text[one.anchor.start : one.anchor.end]
        assert one.written == written
        ids = [source.document_id for source in one.sources if isinstance(source, DocumentCitationSource)]
        cited.append((written, ids))
    return cited, [one.raw for one in bound.unmapped]


@pytest.mark.parametrize(
    "text", ["![1](plan.png)", "See ![1](<a plan.png> 'Plan') here.", "`c` and ![1, 2](plan.png)."]
)
def test_the_text_of_a_picture_is_no_citation(text: str) -> None:
    """It was one of source 1, of which nothing was said."""
    assert read(text) == ([], [])


@pytest.mark.parametrize(
    "text", ["Great![1] So", "Great![1][2].", "Great![1] (see below)", r"Great\![1](https://a.example)"]
)
def test_a_marker_behind_an_exclamation_is_no_picture(text: str) -> None:
    """A picture has its address right behind it, and its mark is not escaped."""
    assert read(text)[0][0] == ("[1]", ["d1"])


@pytest.mark.parametrize(
    ("marker", "ids"),
    [
        ("【1】", ["d1"]),
        ("【１】", ["d1"]),
        ("【1†source】", ["d1"]),
        ("【2†L3-L5】", ["d2"]),
        ("【1, 3】", ["d1", "d3"]),
        ("【1、3】", ["d1", "d3"]),
        ("【1-3】", ["d1", "d2", "d3"]),
        ("［2］", ["d2"]),
        ("【2】(https://a.example/x)", ["d2"]),
    ],
)
def test_full_width_brackets_are_read(marker: str, ids: list[str]) -> None:
    """They were missed, as models write them in Chinese and Japanese, and with a dagger anywhere."""
    assert read(f"費用は五月に支払う{marker}。") == ([(marker, ids)], [])


def test_full_width_brackets_around_words_are_none() -> None:
    """Nor are those in code, and a number that no source has is listed."""
    assert read("【重要】費用 【第1条】 `【1】`") == ([], [])
    assert read("費用【2024】。") == ([], ["【2024】"])


@pytest.mark.parametrize(
    ("marker", "ids"),
    [
        ("[[1, 2]]", ["d1", "d2"]),
        ("[[1-3]](https://a.example)", ["d1", "d2", "d3"]),
        ("[[1, 2-3]]", ["d1", "d2", "d3"]),
    ],
)
def test_a_list_in_double_brackets_is_read_whole(marker: str, ids: list[str]) -> None:
    """Of `[[1, 2]]` only the 2 was cited, and `[[1-3]]` was nothing."""
    assert read(f"Fees are due {marker}.") == ([(marker, ids)], [])


@pytest.mark.parametrize(
    "text",
    [
        "Fees were raised once [2024].",
        "Fees rose in these years [2020-2024].",
        "Fees rose [2020, 2024].",
        "The list may be empty: [0].",
        "The share lies in [0, 1].",
        "The share lies in [0-5].",
        f"One beyond [{FAR_AT_LEAST}].",
        "In code `[1]` or prose [2024].",
    ],
)
def test_a_zero_and_a_year_are_prose(text: str) -> None:
    """They were listed as broken citations, and `[0, 1]` cited the first source."""
    assert read(text) == ([], [])


@pytest.mark.parametrize("marker", ["[6]", f"[{FAR_AT_LEAST - 1}]", "[[2024]]", "[[0]]", "[6, 2024]"])
def test_a_number_near_the_sources_and_one_in_double_brackets_is_a_miss(marker: str) -> None:
    """A model that counts wrong is told of."""
    cited, left = read(f"Fees are due {marker}.")
    assert cited == []
    assert set(left) == {marker}


def test_a_year_beside_a_source_is_a_miss() -> None:
    """The brackets hold a citation, so all that is in them is one."""
    assert read("Fees are due [1, 2024].") == ([("[1, 2024]", ["d1"])], ["[1, 2024]"])


def test_what_is_far_depends_on_how_many_were_sent() -> None:
    """With 300 sources 2024 may be one that does not exist, and with 202 it is a year."""
    assert read("Fees [2024].", 300)[1] == ["[2024]"]
    assert read("Fees [2024].", 2024 // FAR)[1] == []
    assert read("Fees [2024].", 2024) == ([("[2024]", ["d2024"])], [])


PIECES = st.sampled_from(
    [
        *"[](),;- !^~1a\n",
        "[1]",
        "[2, 3]",
        "[1-3]",
        "[0]",
        "[2024]",
        "word. ",
        " [see 1, 2] ",
        "[1234567890]",
        "\n\n",
    ]
)


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_plain_text_is_read_as_the_scan_reads_it(text: str) -> None:
    """Text without code, links and other brackets takes a short way; a comment behind it makes it take the long one."""
    assert bracketed(text, SOURCES, DEFAULT) == bracketed(text + "\n\n<b>", SOURCES, DEFAULT)


@given(numbers=st.lists(st.sampled_from([1, 2, 3, 4, 5, 6]), min_size=1, max_size=12), alike=st.booleans())
def test_a_marker_is_bound_as_a_citation_by_that_id_is(numbers: list[int], *, alike: bool) -> None:
    """What is known of a source once is what every look-up says, also of one that may be another or has an address."""
    sent = sources(4)
    sent.add_numbered("A page.", id="d5", url="https://a.example/x")
    sent.add_numbered("A page.", id="d6", url="https://a.example/x")
    if alike:
        sent.add_file("d2")
    text = "".join(f"Rule {number} holds [{number}]. " for number in numbers)
    draft = PartDraft()
    draft.add(text)
    at = 0
    for number in numbers:
        at = text.index("[", at + 1)
        named = f"d{number}"
        source = DocumentCitationSource(named)
        if number > 4:
            source = WebCitationSource("https://a.example/x", details={"id": named})
        draft.cite([source], MarkerCitationAnchor(at, at + 3), written=f"[{number}]")
    response = ProviderResponse("openai_compatible", "chat", (TextPart(text),))
    by_hand = replace(response, parts=(draft.finished(),))
    assert sent.bind(response) == sent.bind(by_hand)
    assert sent.bindings(response) == sent.bindings(by_hand)
