"""The claims of an answer: what states something, and which citations belong to it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checking import Claim, split_claims, uncited_sentences
from pincite.checking.claims import without_markers
from pincite.core.errors import InputError


def split(text: str, *markers: str, skipped: tuple[str, ...] = ()) -> list[Claim]:
    """Split a text whose citations are the markers, in order."""
    return split_claims(text, spans(text, markers), spans(text, skipped))


def spans(text: str, pieces: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return where the pieces stand, each behind the one before it."""
    found: list[tuple[int, int]] = []
    at = 0
    for piece in pieces:
        start = text.index(piece, at)
        found.append((start, at := start + len(piece)))
    return found


def told(claims: list[Claim]) -> list[tuple[str, tuple[int, ...]]]:
    """Return the text of each claim with its citations."""
    return [(claim.text, claim.cited) for claim in claims]


def test_each_sentence_has_the_citations_in_it_and_directly_behind_it() -> None:
    """Inside, before the stop, glued behind it, a space behind it, on the next line, and in a paragraph of its own."""
    text = (
        "Iron [1] is hard. Tin is soft [2]. Zinc is blue.[3][4] Lead is heavy. [5]\n\n"
        "Gold shines.\n[6]\n\nSilver too.\n\n[7] [8]"
    )
    claims = split(text, *(f"[{number}]" for number in range(1, 9)))
    assert told(claims) == [
        ("Iron is hard.", (0,)),
        ("Tin is soft.", (1,)),
        ("Zinc is blue.", (2, 3)),
        ("Lead is heavy.", (4,)),
        ("Gold shines.", (5,)),
        ("Silver too.", (6, 7)),
    ]


def test_offsets_are_those_of_the_answer() -> None:
    """The span of a claim holds its markers, its text does not."""
    text = "One stands. Two follow [1]."
    (_, second) = split(text, "[1]")
    assert (second.start, second.end, second.text) == (12, 27, "Two follow.")


def test_a_marker_of_an_unknown_form_behind_a_stop_belongs_to_the_sentence_before() -> None:
    """It is no part of the sentence that follows, unless that goes on in small letters."""
    text = 'Iron is hard. <cite id="x"/> Copper is soft. <cite id="y"/> says no more.'
    claims = split(text, '<cite id="x"/>', '<cite id="y"/>')
    assert claims[0].cited == (0,)
    assert text[claims[1].start :].startswith("Copper")
    assert claims[-1].cited == (1,)


def test_a_marker_that_opens_the_text_is_its_sentences_own() -> None:
    """There is nothing before it."""
    assert told(split("[1] Iron is hard.", "[1]")) == [("Iron is hard.", (0,))]


def test_members_of_a_group_are_taken_out_with_their_brackets() -> None:
    """A group's citations are its keys; what is left of it is no text."""
    assert told(split("Tin melts [9f2a1b7c, 8e1d2c3b].", "9f2a1b7c", "8e1d2c3b")) == [("Tin melts.", (0, 1))]


def test_list_items_and_rows_are_claims_with_their_own_citations() -> None:
    """The lead-in, the table's head and its rule state nothing; a row's cells are one claim."""
    text = (
        "The rules are:\n- Iron **rusts** [1]\n- Tin does not. Nor does zinc. [2]\n1. Lead is `heavy` [3].\n\n"
        "| Metal | Melts at |\n|:--|--:|\n| Tin | 232 °C [4] |\n| Lead | 327 °C |\n"
    )
    assert told(split(text, "[1]", "[2]", "[3]", "[4]")) == [
        ("Iron rusts", (0,)),
        ("Tin does not.", ()),
        ("Nor does zinc.", (1,)),
        ("Lead is heavy.", (2,)),
        ("Tin, 232 °C", (3,)),
        ("Lead, 327 °C", ()),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "# Metals [1]",
        "Metals\n======",
        "**Metals and alloys**",
        "What melts first? [1]",
        "¿Qué se funde primero?",
        "These are the metals:",
        "**Note:**",
        "これは何ですか？",
        "---",
        "|---|---|",
        "[1] [2]",
        "...",
        "[1]: https://example.org/metals",
        "```\nIron is hard.\n```",
        "~~~\nIron is hard.",
        "### Sources\n\n[1] The book of metals, page 3\n[2] Another one",
        "Quellen:\n- Das Buch der Metalle",
        "",
    ],
)
def test_what_states_nothing_is_no_claim(text: str) -> None:
    """Neither for claims nor for the sentences without a citation: one place decides."""
    assert (
        split_claims(text, [(at, at + 3) for at in range(len(text)) if text.startswith(("[1]", "[2]"), at)])
        == []
    )
    assert uncited_sentences(text, []) == ()


def test_what_follows_a_list_of_sources_under_a_heading_is_read_again() -> None:
    """The next heading ends it."""
    assert told(split("## Sources\n\nThe book.\n\n## Metals\n\nIron is hard.")) == [("Iron is hard.", ())]


def test_abbreviations_decimals_and_addresses_end_no_claim() -> None:
    """Four stops, two claims."""
    text = "Dr. Smith paid approx. 5.50 EUR, e.g. for tea. See https://example.org/a.b for more."
    assert [claim.text for claim in split(text)] == [
        "Dr. Smith paid approx. 5.50 EUR, e.g. for tea.",
        "See https://example.org/a.b for more.",
    ]


def test_code_is_no_claim_and_its_stops_end_none() -> None:
    """Code in a line stays part of what is said; a block is left out."""
    text = "Call `a.b(). C` to begin. `x. Y.`\n```py\nz. W.\n```\nBehind it stands this."
    claims = split(text, skipped=("`a.b(). C`", "`x. Y.`", "```py\nz. W.\n```"))
    assert [claim.text for claim in claims] == ["Call a.b(). C to begin.", "Behind it stands this."]


def test_dressing_is_taken_off() -> None:
    """Links keep their label; emphasis, tags and quote marks go; an underscore in a word stays."""
    text = "> **Iron** is _very_ [hard](https://example.org/x), as <b>said</b> in ~~my~~ `max_size`."
    assert [claim.text for claim in split(text)] == ["Iron is very hard, as said in my max_size."]


def test_scripts_without_spaces_are_split_at_their_stops() -> None:
    """Chinese sentences have their citations before or behind the full stop."""
    assert told(split("铁很硬【1】。锡很软。【2】铅很重。", "【1】", "【2】")) == [
        ("铁很硬。", (0,)),
        ("锡很软。", (1,)),
        ("铅很重。", ()),
    ]


def test_a_claim_given_with_its_markers_is_checked_without() -> None:
    """The same taking-off serves callers with a sentence of their own."""
    assert without_markers("- The **limit** is 100 EUR [[2]](ev1:c:x:y:z).") == "The limit is 100 EUR."
    assert without_markers("Tin  melts\nearly.") == "Tin melts early."


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((None,), "text"),
        (("a", 3), "cited"),
        (("a", [3]), "cited"),
        (("a", [(1, 2, 3)]), "cited"),
        (("a", [("x", 2)]), "cited"),
        (("a", (), "x"), "skipped"),
    ],
)
def test_what_cannot_be_used_is_refused(arguments: tuple[Any, ...], field: str) -> None:
    """A plain sentence for each."""
    with pytest.raises(InputError) as error:
        split_claims(*arguments)
    assert error.value.field == field


PIECES = st.lists(
    st.sampled_from(
        [
            "Iron is hard",
            ".",
            " ",
            "\n",
            "\n\n",
            "[1]",
            "- ",
            "# ",
            "|",
            "---",
            "`",
            "```",
            "?",
            ":",
            "**",
            "铁。",
            "a",
        ]
    ),
    max_size=40,
).map("".join)


@given(PIECES, st.data())
def test_claims_are_in_order_apart_and_share_no_citation(text: str, data: st.DataObject) -> None:
    """For any text and spans: spans within the text, one owner for a citation, and the same answer as uncited."""
    place = st.integers(0, len(text))
    cited = data.draw(st.lists(st.tuples(place, place).map(lambda pair: (min(pair), max(pair))), max_size=5))
    claims = split_claims(text, cited)
    at = 0
    for claim in claims:
        assert at <= claim.start < claim.end <= len(text)
        at = claim.end
        assert "\n" not in claim.text
    owned = [index for claim in claims for index in claim.cited]
    assert len(owned) == len(set(owned))
    uncited = [(claim.start, claim.end) for claim in claims if not claim.cited]
    assert [(one.start, one.end) for one in uncited_sentences(text, cited)] == uncited


def test_much_takes_linear_time() -> None:
    """Twenty thousand sentences with as many markers, and lines that only look like fences or tables."""
    text = "Iron is very hard [1]. " * 20_000
    cited = [(at + 18, at + 21) for at in range(0, len(text), 23)]
    claims = split_claims(text, cited)
    assert len(claims) == 20_000
    assert all(len(claim.cited) == 1 for claim in claims)
    for unit in ("[", "[[", "|", "`", "```\n", "**", "<a", "- ", "(see ", "![", "[1](", "\n|-"):
        split_claims(unit * 20_000)
