"""Edited texts: citations go with the words that they are about, or they go, and raw data with them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.citation import (
    Citation,
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    TextPart,
    WebCitationSource,
)
from pincite.core.errors import InputError
from pincite.providers.editing import (
    EDITED,
    edit_text,
    join_texts,
    replace_text,
    split_text,
    stale_citations,
    stamped,
    without_stale,
)
from pincite.providers.response import ResponseDraft

if TYPE_CHECKING:
    from pincite.core.citation import CitationAnchor

PAGE = WebCitationSource("https://a.example/x", "A")
FILE = DocumentCitationSource("file-1", "Terms")
TEXT = "Items may go back within 30 days. Shoes may not. Ask at the desk."
DAYS, SHOES = "Items may go back within 30 days.", "Shoes may not."


def part_of(text: str, *words: str, details: bool = True, anchor: type = ContentCitationAnchor) -> TextPart:
    """Return a part with a citation of each of `words`, which stand in it once."""
    citations = tuple(Citation((PAGE,), anchor(text.index(one), text.index(one) + len(one))) for one in words)
    return stamped(
        TextPart(text, citations, {"citations": [{"type": "x"}], "phase": "final"} if details else None)
    )


def words(part: TextPart) -> list[str]:
    """Return the words that the citations of a part are about."""
    return [
        part.content[one.anchor.start : one.anchor.end] for one in part.citations if one.anchor is not None
    ]


def test_an_unchanged_text_keeps_everything() -> None:
    """An unchanged text keeps everything."""
    part = part_of(TEXT, DAYS, SHOES)
    assert edit_text(part, TEXT).part is part
    assert edit_text(part, TEXT).dropped == ()


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Hello! " + TEXT, [DAYS, SHOES]),
        (TEXT + " Bye.", [DAYS, SHOES]),
        (TEXT.replace("Shoes", "By the way: Shoes"), [DAYS, SHOES]),
        (TEXT.replace(DAYS + " ", ""), [SHOES]),
        (TEXT.replace("30", "31"), [SHOES]),
        (TEXT.replace("may go", "may not go"), [SHOES]),
        (f"{SHOES} {DAYS} Ask at the desk.", [DAYS, SHOES]),
        ("", []),
        ("Something else.", []),
    ],
    ids=[
        "insert_before",
        "append",
        "insert_between",
        "delete",
        "same_length",
        "insert_inside",
        "moved",
        "all",
        "other",
    ],
)
def test_citations_follow_their_words(text: str, kept: list[str]) -> None:
    """Citations follow their words."""
    edited = edit_text(part_of(TEXT, DAYS, SHOES), text)
    assert edited.part.content == text
    assert words(edited.part) == kept
    assert len(edited.dropped) == 2 - len(kept)
    assert not stale_citations(edited.part)


def test_what_was_true_of_the_old_text_is_cleared_with_them() -> None:
    """What was true of the old text is cleared with them."""
    assert edit_text(part_of(TEXT, DAYS), TEXT + "!").part.provider_details == {
        "phase": "final",
        EDITED: True,
    }


def test_white_space_at_the_ends_of_a_cited_text_may_be_trimmed() -> None:
    """White space at the ends of a cited text may be trimmed."""
    part = stamped(TextPart("  The grass is green. \n", (Citation((PAGE,), ContentCitationAnchor(0, 23)),)))
    trimmed = edit_text(part, part.content.strip()).part
    assert words(trimmed) == ["The grass is green."]
    assert not stale_citations(trimmed)


def test_a_deleted_sentence_does_not_lend_its_citation_to_the_same_words_elsewhere() -> None:
    """A deleted sentence does not lend its citation to the same words elsewhere."""
    text = "Yes. It is so. No. It is so."
    part = stamped(TextPart(text, (Citation((PAGE,), ContentCitationAnchor(5, 14)),)))
    edited = edit_text(part, "Yes. No. It is so.")
    assert words(edited.part) == []
    assert edited.dropped[0].reason == "Its words are not in the new text as they were."


def test_of_words_that_stand_twice_those_with_the_same_surroundings_are_meant() -> None:
    """Of words that stand twice those with the same surroundings are meant; where these are others too, none are."""
    text = "One: yes. Two: yes. End."
    second = stamped(TextPart(text, (Citation((PAGE,), ContentCitationAnchor(15, 19)),)))
    longer = edit_text(second, "Zero: yes! One: yes. And Two: yes. End").part
    assert longer.citations[0].anchor == ContentCitationAnchor(30, 34)
    assert edit_text(second, "1st: yes. 2nd: yes. END.").part.citations == ()


@pytest.mark.parametrize(
    ("which", "text", "kept"),
    [
        (0, "Rome: 5 km. Paris: 5 km.", 19),
        (1, "Rome: 5 km. Paris: 5 km.", 6),
        (1, "Oslo: 5 km. Rome: 7 km. Nice: 5 km.", None),
        (0, "In Paris: 5 km. In Rome: 5 km!", 10),
    ],
)
def test_sentences_that_change_places_take_their_own_citation_along(
    which: int, text: str, kept: int | None
) -> None:
    """The same number is said of two towns: it is followed by the town's name, and not by its order."""
    old = "Paris: 5 km. Rome: 5 km."
    start = (7, 19)[which]
    assert old[start : start + 4] == "5 km"
    part = stamped(TextPart(old, (Citation((PAGE,), ContentCitationAnchor(start, start + 4)),)))
    anchors = [one.anchor for one in edit_text(part, text).part.citations]
    assert anchors == ([] if kept is None else [ContentCitationAnchor(kept, kept + 4)])


@pytest.mark.parametrize(
    ("old", "cited", "text"),
    [
        ("It cost 5 euros.", "5", "It cost 15 euros."),
        ("It cost 5 euros.", "5", "It cost 5.7 euros."),
        ("It cost 5 euros.", "5", "It cost 5,000 euros."),
        ("It cost 5 euros.", "5", "It cost 0.5 euros."),
        ("He is able to go.", "able", "He is unable to go."),
        ("He is able to go.", "able", "He is un-able to go."),
        ("A cat sat.", "cat", "A catalogue sat."),
        ("cafe is", "cafe", "cafe\u0301 is"),
        ("a \U0001f600 b", "\U0001f600", "a \U0001f600\U0001f3fd b"),
        ("a \U0001f468 b", "\U0001f468", "a \U0001f468\u200d\U0001f4bb b"),
    ],
)
def test_words_that_became_a_part_of_others_lose_their_citation(old: str, cited: str, text: str) -> None:
    """A number with another digit, a word with a syllable before it, a character with a mark are others."""
    edited = edit_text(part_of(old, cited), text)
    assert edited.part.citations == ()
    assert edited.dropped[0].reason == "Its words are a part of another word or number in the new text."
    at = next(at for at, (one, other) in enumerate(zip(old, text, strict=False)) if one != other)
    new = text[at : at + len(text) - len(old)]
    assert replace_text(part_of(old, cited), at, at, new).part.citations == ()


@pytest.mark.parametrize(
    ("old", "cited", "text"),
    [
        ("It cost 5 euros.", "5", "It cost **5** euros."),
        ("It cost 5 euros.", "5 euros", "So: it cost 5 euros, they say."),
        ("He is unable to go.", "able", "Well. He is unable to go."),
        ("He is able.", "able", "He is _able_."),
        ("\u6d4b\u8bd5\u3002", "\u6d4b\u8bd5", "\u8fd9\u662f\u6d4b\u8bd5\u3002"),
    ],
)
def test_words_beside_other_words_keep_their_citation(old: str, cited: str, text: str) -> None:
    """Marks, a stop, and in scripts without spaces any letter; a part of a word stays one if its word does."""
    assert words(edit_text(part_of(old, cited), text).part) == [cited]


def test_where_it_is_open_which_words_are_meant_none_are() -> None:
    """Where it is open which words are meant none are."""
    part = stamped(TextPart("a yes b", (Citation((PAGE,), ContentCitationAnchor(2, 5)),)))
    edited = edit_text(part, "x yes y yes z")
    assert edited.part.citations == ()
    assert edited.dropped[0].reason == "Its words stand in several places of the new text."


def test_a_citation_without_an_anchor_goes_with_any_change() -> None:
    """A citation without an anchor goes with any change."""
    part = stamped(TextPart(TEXT, (Citation((FILE,)),)))
    edited = edit_text(part, TEXT + " Bye.")
    assert edited.part.citations == ()
    assert "does not say what it is about" in edited.dropped[0].reason


def test_an_edit_of_equal_length_that_went_past_us_is_found_by_the_hash() -> None:
    """An edit of equal length that went past us is found by the hash."""
    part = part_of(TEXT, DAYS, SHOES)
    sly = replace(part, content=TEXT.replace("30", "90"))
    assert words(TextPart(sly.content, stale_citations(sly))) == [DAYS.replace("30", "90")]
    clean = without_stale(sly)
    assert words(clean.part) == [SHOES]
    assert "citations" not in (clean.part.provider_details or {})
    # A later edit does not bless it.
    assert words(edit_text(sly, sly.content + "!").part) == [SHOES]
    assert words(join_texts([sly, sly]).part) == [SHOES, SHOES]


def test_a_citation_without_anchor_is_stale_once_any_text_of_its_part_is_another() -> None:
    """A citation without anchor is stale once any text of its part is another."""
    part = stamped(TextPart(TEXT, (Citation((FILE,)),)))
    assert stale_citations(replace(part, content="x" * len(TEXT))) == part.citations


def test_what_has_no_hash_is_believed_as_far_as_its_place_is_there() -> None:
    """What has no hash is believed as far as its place is there."""
    citation = Citation((PAGE,), ContentCitationAnchor(0, 5))
    assert stale_citations(TextPart("Hello", (citation,))) == ()
    assert stale_citations(TextPart("Hi", (citation,))) == (citation,)


def test_markers_and_claims_move_together() -> None:
    """Markers and claims move together."""
    text = "Intro. Columbia is highest [1]. End."
    citation = Citation(
        (PAGE,), MarkerCitationAnchor(27, 30), written="[1]", claim=ContentCitationAnchor(7, 26)
    )
    moved = edit_text(stamped(TextPart(text, (citation,))), "Columbia is highest [1]. End.").part.citations[0]
    assert moved.anchor == MarkerCitationAnchor(20, 23)
    assert moved.claim == ContentCitationAnchor(0, 19)
    assert moved.written == "[1]"
    reworded = edit_text(
        stamped(TextPart(text, (citation,))), text.replace("highest", "tallest")
    ).part.citations[0]
    assert reworded.claim is None


@pytest.mark.parametrize(
    ("start", "end", "new", "kept"),
    [
        (0, 0, "Oh. ", [DAYS, SHOES]),
        (33, 33, " Well.", [DAYS, SHOES]),
        (3, 3, "x", [SHOES]),
        (0, 34, "", [SHOES]),
        (34, 48, "x", [DAYS]),
    ],
)
def test_an_edit_at_a_known_place(start: int, end: int, new: str, kept: list[str]) -> None:
    """An edit at a known place."""
    edited = replace_text(part_of(TEXT, DAYS, SHOES), start, end, new)
    assert edited.part.content == TEXT[:start] + new + TEXT[end:]
    assert words(edited.part) == kept


def test_a_split_gives_each_piece_its_own() -> None:
    """A split gives each piece its own."""
    pieces = split_text(part_of(TEXT, DAYS, SHOES), 34)
    assert [one.content for one in pieces.parts] == [TEXT[:34], TEXT[34:]]
    assert [words(one) for one in pieces.parts] == [[DAYS], [SHOES]]
    assert pieces.dropped == ()


def test_a_statement_that_is_cut_in_two_is_not_what_its_source_supports() -> None:
    """A statement that is cut in two is not what its source supports."""
    pieces = split_text(part_of(TEXT, DAYS, SHOES), 10)
    assert [words(one) for one in pieces.parts] == [[], [SHOES]]
    assert [one.reason for one in pieces.dropped] == ["Its words were cut in two."]


def test_a_file_citation_is_of_no_piece() -> None:
    """A file citation is of no piece."""
    part = stamped(TextPart(TEXT, (Citation((FILE,)),)))
    assert [one.reason for one in split_text(part, 34).dropped] == [
        "It does not say which piece it is about."
    ]
    assert split_text(part, 0, len(TEXT)).parts == (part,)


def test_joining_moves_anchors_and_keeps_what_has_none() -> None:
    """Joining moves anchors and keeps what has none."""
    first, second = part_of(DAYS, DAYS), part_of(SHOES, SHOES)
    file = stamped(TextPart("Ask.", (Citation((FILE,)),)))
    joined = join_texts([first, second, file], "\n\n").part
    assert joined.content == f"{DAYS}\n\n{SHOES}\n\nAsk."
    assert words(joined) == [DAYS, SHOES]
    assert len(joined.citations) == 3
    assert not stale_citations(joined)
    assert joined.provider_details == {EDITED: True}
    assert join_texts([first]).part is first
    assert join_texts([]).part == TextPart("")


@pytest.mark.parametrize(
    ("markdown", "rendered", "cited", "found"),
    [
        ("It is **very** tall.", "It is very tall.", "It is **very** tall.", "It is very tall."),
        ("# Head\n\n- one *two*\n- three", "Head\none two\nthree", "one *two*", "one two"),
        (
            "See [the docs](https://d.example/a_(b)) now.",
            "See the docs now.",
            "See [the docs](https://d.example/a_(b)) now.",
            "See the docs now.",
        ),
        ("A & B are <b>big</b>.", "A &amp; B are big.", "B are <b>big</b>.", "B are big."),
        (
            "Yes. ([a.example](https://a.example/x))",
            "Yes. (a.example)",
            "([a.example](https://a.example/x))",
            "a.example",
        ),
        (
            "It is **very** tall.",
            "<p>It is <strong>very</strong> tall.</p>",
            "It is **very** tall.",
            "It is <strong>very</strong> tall.",
        ),
    ],
    ids=["bold", "lists", "links", "entities", "marker", "html"],
)
def test_rendered_markdown(markdown: str, rendered: str, cited: str, found: str) -> None:
    """Rendered markdown."""
    part = part_of(markdown, cited)
    edited = edit_text(part, rendered, rendered=True)
    assert words(edited.part) == [found]
    assert not stale_citations(edited.part)
    # As an edit, other marks are other words.
    if cited != found and cited not in rendered:
        assert edit_text(part, rendered).part.citations == ()


def test_a_rendering_that_changes_words_is_none() -> None:
    """A rendering that changes words is none."""
    assert (
        edit_text(
            part_of("It is **very** tall.", "It is **very** tall."), "It is not tall.", rendered=True
        ).part.citations
        == ()
    )


def test_an_anchor_of_which_nothing_is_seen_goes() -> None:
    """An anchor of which nothing is seen goes."""
    dropped = edit_text(part_of("a ** b", "**"), "a b", rendered=True).dropped
    assert [one.reason for one in dropped] == ["Nothing of it can be seen."]


def test_wrong_types_are_told_in_a_sentence() -> None:
    """Wrong types are told in a sentence."""
    part = part_of(TEXT, DAYS)
    for call in (
        lambda: edit_text(part, None),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        lambda: edit_text("x", "y"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        lambda: replace_text(part, 5, 2, ""),
        lambda: replace_text(part, 0, 1_000, ""),
        lambda: split_text(part, 1_000),
        lambda: split_text(part, "1"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
        lambda: join_texts([None]),  # type: ignore[list-item] # pyright: ignore[reportArgumentType]
        lambda: join_texts("ab"),  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]
    ):
        with pytest.raises(InputError):
            call()


ALPHABET = st.text("ab .[]", max_size=30)


@st.composite
def cited(draw: st.DrawFn) -> TextPart:
    """Draw a part with citations anywhere in it."""
    text = draw(ALPHABET)
    found: list[Citation] = []
    for _ in range(draw(st.integers(0, 3))):
        ends = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))))
        kind: type[CitationAnchor] = draw(st.sampled_from((ContentCitationAnchor, MarkerCitationAnchor)))
        found.append(Citation((PAGE,), kind(*ends) if draw(st.booleans()) else None))
    return stamped(TextPart(text, tuple(found), {"citations": []}))


@given(cited(), ALPHABET, st.booleans())
def test_after_any_edit_a_citation_is_about_its_old_words(part: TextPart, text: str, rendered: bool) -> None:  # noqa: FBT001 - drawn
    """After any edit a citation is about its old words."""
    edited = edit_text(part, text, rendered=rendered)
    assert edited.part.content == text
    assert len(edited.part.citations) + len(edited.dropped) == len(part.citations)
    assert not stale_citations(edited.part)
    if text == part.content:
        assert edited.part == part
        return
    assert "citations" not in (edited.part.provider_details or {})
    lost = [one.citation for one in edited.dropped]
    kept = (
        [one for one in part.citations if one not in lost]
        if len(set(part.citations)) == len(part.citations)
        else []
    )
    for before, after in zip(kept, edited.part.citations, strict=False):
        assert before.anchor is not None
        assert after.anchor is not None
        old, new = (
            part.content[before.anchor.start : before.anchor.end],
            text[after.anchor.start : after.anchor.end],
        )
        if not rendered:
            assert new.strip() == old.strip()


@given(cited(), st.integers(0, 30), st.integers(0, 30), ALPHABET)
def test_an_edit_at_a_place_keeps_what_it_does_not_touch(
    part: TextPart, one: int, other: int, new: str
) -> None:
    """An edit at a place keeps what it does not touch."""
    start, end = sorted((min(one, len(part.content)), min(other, len(part.content))))
    edited = replace_text(part, start, end, new)
    assert edited.part.content == part.content[:start] + new + part.content[end:]
    assert not stale_citations(edited.part)
    untouched = [
        one
        for one in part.citations
        if one.anchor is not None
        and part.content[one.anchor.start : one.anchor.end].strip()
        and (one.anchor.end <= start or one.anchor.start >= end)
    ]
    grown = [one for one in edited.dropped if "a part of another word" in one.reason]
    assert len(edited.part.citations) + len(grown) >= len(untouched)


@given(cited(), st.lists(st.integers(0, 30), max_size=3))
def test_what_is_split_is_whole_again_when_joined(part: TextPart, places: list[int]) -> None:
    """What is split is whole again when joined."""
    pieces = split_text(part, *(min(place, len(part.content)) for place in places))
    joined = join_texts(pieces.parts).part
    assert joined.content == part.content
    anchored = [one for one in joined.citations if one.anchor is not None]
    assert len(anchored) <= len(part.citations)
    for citation in anchored:
        assert citation.anchor is not None
        about = part.content[citation.anchor.start : citation.anchor.end].strip()
        assert about in {
            part.content[one.anchor.start : one.anchor.end].strip() for one in part.citations if one.anchor
        }


def test_thousands_of_citations_of_one_marker_keep_their_order() -> None:
    """Thousands of citations of one marker keep their order."""
    count = 5_000
    text = "".join(f"word [1] {number} " for number in range(count))
    citations: list[Citation] = []
    at = 0
    for number in range(count):
        citations.append(Citation((PAGE,), MarkerCitationAnchor(at + 5, at + 8)))
        at += len(f"word [1] {number} ")
    part = stamped(TextPart(text, tuple(citations)))
    edited = edit_text(part, "x" + text[1:-1] + "y").part
    assert [one.anchor for one in edited.citations] == [one.anchor for one in citations]


def test_a_claim_that_was_edited_in_front_of_its_marker_is_found() -> None:
    """The marker is the same, and the text as long, but what it stands for is not what was said."""
    text = "The tower is 324 metres high. ([example.com](https://example.com))"
    draft = ResponseDraft("openai", "responses")
    part = draft.part(text)
    start = text.index("(")
    part.cite([WebCitationSource("https://example.com")], MarkerCitationAnchor(start, len(text)))
    (found,) = draft.finished().parts
    assert stale_citations(found) == ()
    edited = replace(found, content=text.replace("324", "423"))
    assert stale_citations(edited) == edited.citations
    assert edit_text(found, "Now. " + text).part.citations[0].claim is not None


def test_what_is_no_part_is_told_in_a_sentence() -> None:
    """None is no TextPart."""
    for ask in (stale_citations, stamped):
        with pytest.raises(InputError):
            ask(None)  # pyright: ignore[reportArgumentType] - what is tested
