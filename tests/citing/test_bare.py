"""Evidence ids wherever a model may put them: each is found, once, and what it stands in is told."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile, much
from pincite.citing import (
    CitationFound,
    CitationRun,
    CitationStore,
    ConversationState,
    Finished,
    MissFound,
    TextDelta,
    parse_citations,
)
from pincite.core.ids import is_evidence_id
from pincite.core.limits import DEFAULT
from pincite.core.verdicts import MissReason

DOCUMENT, VERSION = "f24b301d-f73a-5291-9d80-7ea3cbd5291c", "c174f9d9eba7d79c"
CHUNK = f"ev1:c:{DOCUMENT}:{VERSION}:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
SPAN = f"ev1:s:{DOCUMENT}:{VERSION}:10-22"


@pytest.mark.parametrize(
    ("text", "where", "marker"),
    [
        (f"So it is [{CHUNK}].", "bracket", f"[{CHUNK}]"),
        (f"So it is {CHUNK}. Next.", "bare", CHUNK),
        (f"So it is ({SPAN}).", "parenthesis", f"({SPAN})"),
        (f"So it is \uff08{SPAN}\uff09.", "parenthesis", f"\uff08{SPAN}\uff09"),
        (f"So it is \uff3b{CHUNK}\uff3d.", "bracket", f"\uff3b{CHUNK}\uff3d"),
        (f"So it is &#91;{CHUNK}&#93;.", "bracket", f"&#91;{CHUNK}&#93;"),
        (f"So it is \\[{CHUNK}\\].", "bracket", f"\\[{CHUNK}\\]"),
        (f"So it is `{CHUNK}`.", "code", CHUNK),
        (f"So it is `[{CHUNK}]`.", "code", f"[{CHUNK}]"),
        (f"```\n{CHUNK}\n```\n", "code", CHUNK),
        (f"<!-- {CHUNK} -->", "comment", CHUNK),
        (f"a <!-- [{CHUNK}] --> b", "comment", f"[{CHUNK}]"),
        (f"See [there]({CHUNK}).", "target", CHUNK),
        (f'<a href="{CHUNK}">there</a>', "target", CHUNK),
        (f"[{CHUNK}](https://evil.example)", "label", f"[{CHUNK}](https://evil.example)"),
        (f"![{CHUNK}](https://evil.example/x.png)", "image", f"[{CHUNK}](https://evil.example/x.png)"),
        (f"[{CHUNK}](see below)", "bracket", f"[{CHUNK}]"),
        (f"[[{CHUNK}]]", "bracket", f"[[{CHUNK}]]"),
        (f"[**{CHUNK}**]", "bracket", f"[**{CHUNK}**]"),
        (f"[source: {CHUNK}]", "bracket", f"[source: {CHUNK}]"),
        (f"[{CHUNK}.]", "bracket", f"[{CHUNK}.]"),
        (f"[^{CHUNK}]", "bracket", f"[^{CHUNK}]"),
        (f"**[{CHUNK}]**", "bracket", f"[{CHUNK}]"),
        (f"| [{CHUNK}] | cell |", "bracket", f"[{CHUNK}]"),
        (f"- [ ] [{CHUNK}]", "bracket", f"[{CHUNK}]"),
        (f"[\u00a0{CHUNK}\u00a0]", "bracket", f"[\u00a0{CHUNK}\u00a0]"),
        (f"<{CHUNK}>", "bare", f"<{CHUNK}>"),
        (f"[`{CHUNK}`]", "bracket", f"[`{CHUNK}`]"),
        (f"(`{CHUNK}`)", "code", CHUNK),
        (f"[`x {CHUNK}`]", "code", CHUNK),
        (f"[`{CHUNK}` and so on]", "code", CHUNK),
        (f"_{CHUNK}_", "bare", CHUNK),
        (f"see_{CHUNK}", "bare", CHUNK),
        (f"foo{CHUNK}bar", "bare", CHUNK),
        (f"foo{{{SPAN}}}bar", "bare", SPAN),
        (f"{SPAN}bar", "bare", SPAN),
        (f"\u6cd5{CHUNK}\u5f8b", "bare", CHUNK),
        (f"[{CHUNK}: p. 4]", "bracket", f"[{CHUNK}: p. 4]"),
        (f"[{CHUNK}, p. 3]", "bracket", f"[{CHUNK}, p. 3]"),
        (f"[see {SPAN}, pp. 3-4]", "bracket", f"[see {SPAN}, pp. 3-4]"),
        (f"\u3010{CHUNK}\u2020source\u3011", "bracket", f"\u3010{CHUNK}\u2020source\u3011"),
        (f"[1]({CHUNK})", "bracket", f"[1]({CHUNK})"),
        (f'[1](<{CHUNK}> "Notes")', "bracket", f'[1](<{CHUNK}> "Notes")'),
        (f"[1] ({CHUNK})", "bracket", f"[1] ({CHUNK})"),
        (f"[[1]]({CHUNK})", "bracket", f"[[1]]({CHUNK})"),
        (f"[^1]({CHUNK})", "bracket", f"[^1]({CHUNK})"),
        (f"[\\[1\\]]({CHUNK})", "bracket", f"[\\[1\\]]({CHUNK})"),
        (f"\uff3b1\uff3d\uff08{CHUNK}\uff09", "bracket", f"\uff3b1\uff3d\uff08{CHUNK}\uff09"),
        (f"[^{CHUNK}^]", "bracket", f"[^{CHUNK}^]"),
        (f"&#x5b;{CHUNK}&#x5D;", "bracket", f"&#x5b;{CHUNK}&#x5D;"),
        (f"&lsqb;{CHUNK}&rsqb;", "bracket", f"&lsqb;{CHUNK}&rsqb;"),
        (f'["{CHUNK}"]', "bracket", f'["{CHUNK}"]'),
        (f"[\u200b{CHUNK}\u200b]", "bracket", f"[\u200b{CHUNK}\u200b]"),
        (f"[\u2009{CHUNK}\u2009]", "bracket", f"[\u2009{CHUNK}\u2009]"),
        (f"So \u200b{CHUNK}\u00ad it is", "bare", f"\u200b{CHUNK}\u00ad"),
        (f"[1]: {CHUNK}", "definition", CHUNK),
        (f"> - [^a]: {CHUNK}, Notes of May", "definition", CHUNK),
        (f"[{CHUNK}]: https://evil.example", "definition", f"[{CHUNK}]"),
    ],
)
def test_an_id_is_found_in_its_place(text: str, where: str, marker: str) -> None:
    """Agrag parse_citations: bare, in parentheses, full-width, as label or target, in code: what each is."""
    (found,) = parse_citations(text)
    assert found.where == where
    assert text[slice(*found.marker)] == marker
    assert found.key in (CHUNK, SPAN)
    assert text[found.start : found.end] == found.written
    assert found.form == "evidence_id"
    assert found.full
    assert found.in_code == (where in ("code", "comment"))
    assert found.definition == (where == "definition")


@pytest.mark.parametrize(
    "text",
    [
        f"[{CHUNK[:30]}\n{CHUNK[30:]}]",
        f"So {CHUNK[:30]}\r\n  {CHUNK[30:]} is.",
        f"> So [{CHUNK[:30]}\n> {CHUNK[30:]}].",
        f"> So {CHUNK[:43]}\n> {CHUNK[43:]} is.",
    ],
)
def test_an_id_split_over_two_lines_is_one(text: str) -> None:
    """Agrag: the second half was unseen."""
    (found,) = parse_citations(text)
    assert found.key == CHUNK
    assert any("over lines" in repair for repair in found.repairs)


def test_an_id_with_a_mark_without_width_is_one() -> None:
    """Agrag: a zero-width character inside made it malformed."""
    (found,) = parse_citations(f"[{CHUNK[:20]}\u200b{CHUNK[20:]}]")
    assert found.key == CHUNK
    assert found.where == "bracket"
    assert "characters without width in the id" in found.repairs


@pytest.mark.parametrize(
    "text",
    [
        f"[{CHUNK}, {SPAN}]",
        f"[{CHUNK}; {SPAN}]",
        f"[{CHUNK} {SPAN}]",
        f"[{CHUNK},\n{SPAN}]",
        f"[{CHUNK}-{SPAN}]",
        f"[`{CHUNK}`, `{SPAN}`]",
        f"[`{CHUNK}, {SPAN}`]",
        f"[@{CHUNK}; @{SPAN}]",
        f"[*{CHUNK}*, *{SPAN}*, p. 3]",
    ],
)
def test_a_group_is_two_ids(text: str) -> None:
    """Agrag: a space in a group, or a line end, lost the whole of it."""
    first, second = parse_citations(text)
    assert (first.key, second.key) == (CHUNK, SPAN)
    assert (first.where, second.where) == ("group", "group")
    assert first.marker == second.marker == (0, len(text))
    assert text[first.start : first.end] == CHUNK
    assert text[second.start : second.end] == SPAN


def test_ids_in_one_pair_of_parentheses_share_it() -> None:
    """The parentheses go with the ids, not with the first of them."""
    text = f"So ({CHUNK}; {SPAN}) it is."
    first, second = parse_citations(text)
    assert first.marker == second.marker == (3, len(text) - 7)
    assert first.where == second.where == "parenthesis"


def test_bare_ids_in_a_row_are_each_for_itself() -> None:
    """What stands between them is prose."""
    text = f"{SPAN}, {CHUNK} and {SPAN}"
    assert [text[slice(*one.marker)] for one in parse_citations(text)] == [SPAN, CHUNK, SPAN]


@pytest.mark.parametrize(
    "text",
    [
        "a[0]",
        "[2024]",
        "[1]",
        "[E101]",
        "[Figure E2]",
        "[eval: x]",
        "ev1:",
        "ev1:c:x",
        "(ev1:c:oops)",
        "[EV1: the old car]",
        "[rev1:2]",
        "[see Rev1:2 of it]",
    ],
)
def test_what_is_no_id_is_not_flagged(text: str) -> None:
    """Agrag: all were counted malformed."""
    assert parse_citations(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[ev1:c:oops]",
        "It says so, ev1:c:0123-4567, there.",
        f"{CHUNK.upper()}",
        f"[{CHUNK}0]",
        f"{CHUNK[:-1]}",
    ],
)
def test_what_begins_like_an_id_and_is_none_is_told(text: str) -> None:
    """It is found, so that it can be reported and taken out."""
    (found,) = parse_citations(text)
    assert not is_evidence_id(found.key)


HALVES = [
    "[ev1:]",
    "[ev1:c:1234...]",
    "[ev1:c:12\u202689]",
    f"[{CHUNK[:20]}\u2026{CHUNK[-8:]}]",
    f"[{SPAN[:-3]}\u201322]",
    f"[{SPAN[:-5]}\u0661\u0662-\u0663\u0665]",
    f"[{CHUNK.replace(':', '&#58;')}]",
    f"[{CHUNK.replace(':', '&#x3a;')}]",
    "[ev1:c:12 and more, so\nit goes (on)]",
    "[**ev1:c:12\u202689**]",
    "[`ev1:c:12\u202689`]",
    "[source: ev1:c:1234...]",
    "[^ev1:c:1234...]",
    "[[ev1:c:12\u202689]]",
    "(ev1:c:12\u202689)",
    "\u3010ev1:c:12\u202689\u3011",
    "&#91;ev1:c:12\u202689&#93;",
    "[1](ev1:c:12\u202689)",
]


@pytest.mark.parametrize("half", HALVES)
def test_a_half_id_in_brackets_is_the_whole_of_them(half: str) -> None:
    """An ellipsis, a dash of prose, other digits, an entity for the colon: no piece of it is left in the text."""
    text = f"So {half} it is."
    (found,) = parse_citations(text)
    assert found.form == "evidence_id"
    assert not is_evidence_id(found.key)
    assert text[slice(*found.marker)] == text[found.start : found.end] == half


def test_half_an_id_among_words_ends_where_it_does() -> None:
    """What stands for the part that was left out goes with it; the words beside it do not."""
    text = f"So {CHUNK[:30]}\u2026{CHUNK[-4:]} and {CHUNK[:30]}... or {SPAN[:-3]}\u201322."
    assert [one.written for one in parse_citations(text)] == [
        f"{CHUNK[:30]}\u2026{CHUNK[-4:]}",
        f"{CHUNK[:30]}...",
        f"{SPAN[:-3]}\u201322",
    ]


def test_a_half_id_keeps_to_its_paragraph() -> None:
    """Brackets that close in another one are none, and its words are no part of a marker."""
    assert parse_citations("[ev1:c:12 is\n\nwhat it] says") == []
    text = f"[{CHUNK}, in words.\n\nMore, and {SPAN}] so."
    assert [one.written for one in parse_citations(text)] == [CHUNK, SPAN]


def test_a_half_id_has_a_limit() -> None:
    """What closes further away than a marker may reach is not taken."""
    text = f"[ev1:c:12 {'x' * DEFAULT.marker_code_points}]"
    assert parse_citations(text) == []


MARKS = [
    (f"So.[^1]\n\n[^1]: {CHUNK}", ["[^1]"]),
    (f"So [1], and [1].\n\n[1]: {CHUNK}\n", ["[1]", "[1]"]),
    (f"So [^a, p. 3].\n\n[^a]: <{CHUNK}>", ["[^a, p. 3]"]),
    (f"So [1].\n\n- [1]: {CHUNK} - Notes of May\n", ["[1]"]),
    (f"So [1].\n\n[1]: {CHUNK} Notes of May\n", ["[1]"]),
    (f"So [S1].\n\n> [s1]: ({CHUNK}, {SPAN})\n", ["[S1]"]),
    (f"[1]: {CHUNK}\n\nSo [1].", ["[1]"]),
    (f"So [^1].\n\n[^1]: [{CHUNK}]", ["[^1]"]),
    (f"So [1] and `[1]`, \\[1] and [1](https://x.example).\n\n[1]: {CHUNK}", ["[1]"]),
]


@pytest.mark.parametrize(("text", "uses"), MARKS)
def test_a_mark_cites_what_a_line_defines(text: str, uses: list[str]) -> None:
    """`[^1]` or `[1]` in the text, the id in a line of its own: the marks were left, and no source was found."""
    found = [one for one in parse_citations(text) if one.form == "evidence_id"]
    assert all(text[one.start : one.end] == one.written for one in found)
    assert [one.written for one in found if one.where != "definition" and one.key == CHUNK] == uses
    # What is used defines no other meaning.
    (line,) = (one for one in found if one.where == "definition" and one.key == CHUNK)
    assert not line.definition


def test_marks_in_one_pair_of_brackets_are_a_group() -> None:
    """`[1, 2]` is two marks, each with its place."""
    text = f"So [1, 2].\n\n[1]: {CHUNK}\n[2]: {SPAN}\n"
    first, second, *_ = parse_citations(text)
    assert (first.key, first.written, second.key, second.written) == (CHUNK, "1", SPAN, "2")
    assert first.where == second.where == "group"
    assert text[slice(*first.marker)] == text[slice(*second.marker)] == "[1, 2]"


@pytest.mark.parametrize(
    "text",
    [
        f"So [^1].\n\n[^1]: {CHUNK} says that it is so.",
        f"So [^1].\n\n[^1]: It is so, says {CHUNK}.",
        f"So [^1].\n\nThat is [^1]: {CHUNK}",
        f"So [^1].\n\n```\n[^1]: {CHUNK}\n```\n",
    ],
)
def test_a_note_in_words_is_no_definition(text: str) -> None:
    """It stays with its mark, and the id in it is told for itself."""
    (found,) = parse_citations(text)
    assert found.written == CHUNK
    assert found.where in ("bare", "code")


def test_words_are_no_mark() -> None:
    """A label that is made of words is read, so it stays; its definition is one all the same."""
    text = f"The [old rate] holds.\n\n[old rate]: {CHUNK}"
    (found,) = parse_citations(text)
    assert found.definition


def test_a_bare_id_that_was_issued_is_a_citation() -> None:
    """Agrag: it had no verdict, and the raw id stayed. In a link's target or in code it is none, and is reported."""
    store = CitationStore()
    store.register_hit(CHUNK, {"content": "Deleted within 10 business days."}, None, None)
    run = CitationRun("evidence_id", conversation=ConversationState(store=store))
    answer = run.resolve(f"It is so {CHUNK}. See [there]({CHUNK}), `{CHUNK}` and ({SPAN}).")
    assert [one.repaired for one in answer.citations] == ["no brackets round the id"]
    assert [one.reason for one in answer.misses] == [
        MissReason.IN_LINK, MissReason.IN_CODE, MissReason.NEVER_ISSUED,
    ]  # fmt: skip


_MARKS = """[ ] ( ) [[ ]] ]( : , ; - < > ` `` * _ ^ " @ \\ x see [1] [^1] [1,2] [^1]: [1]: ev1:c: ev1: ev2:x &#91;
&#93; &#58; ... \u2026 \u2013 \u0663 \u3010 \u3011 \u2020s \uff3b \uff3d <!-- --> deadbeef 0"""
PIECES = [
    *(CHUNK, SPAN, CHUNK[:50], CHUNK[50:], f"[{CHUNK}]", f"({SPAN})", f"[1]({CHUNK})", f"[^1]: {CHUNK}"),
    *(f"[1]: [{SPAN}]", "\n", "\n\n", "\n> ", "> ", "- ", " ", ", p. 3", "\u200b", "\u00ad", "```\n"),
    *_MARKS.split(),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(TEXTS)
def test_an_occurrence_is_where_it_says(text: str) -> None:
    """What was written is what stands at its offsets; nothing overlaps, and all is in order."""
    for formats in (None, ["evidence_id"]):
        found = parse_citations(text, formats)
        for one in found:
            assert text[one.start : one.end] == one.written
            assert one.marker[0] <= one.start < one.end <= one.marker[1]
        if formats is not None:
            assert all(a.end <= b.start for a, b in pairwise(found))


@given(TEXTS, st.lists(st.integers(1, 300), max_size=6))
def test_a_stream_says_the_same(text: str, cuts: list[int]) -> None:
    """However an answer is cut, its stream ends with what the whole text gives, and has told each of it once."""
    store = CitationStore()
    store.register_hit(CHUNK, {"content": "Deleted within 10 business days."}, None, None)
    run = CitationRun("evidence_id", conversation=ConversationState(store=store))
    places = [0, *sorted({cut for cut in cuts if cut < len(text)}), len(text)]
    for pieces in ([text[a:b] for a, b in pairwise(places)], list(text)):
        events = list(run.stream_sync(pieces))
        last = events[-1]
        assert isinstance(last, Finished)
        assert last.answer == run.resolve(text)
        assert "".join(event.text for event in events if isinstance(event, TextDelta)) == text
        told = [event.citation.anchor for event in events if isinstance(event, CitationFound)]
        assert len(told) == len(set(told)) == len(last.answer.citations)
        missed = [(event.miss.start, event.miss.end) for event in events if isinstance(event, MissFound)]
        assert sorted(missed) == sorted((one.start, one.end) for one in last.answer.misses)


@given(
    st.lists(
        st.sampled_from(["word", " ", "_", "s", "\u6cd5", "\u00e9", ", ", "{", "}", "\n", '"', "\u2014"]),
        max_size=6,
    ),
    st.sampled_from([CHUNK, SPAN]),
)
def test_an_id_is_found_whatever_stands_beside_it(words: list[str], key: str) -> None:
    """Words right before or behind it are no part of it."""
    text = "".join(words)
    (found,) = parse_citations(f"{text}{key}{text}")
    assert found.key == key
    assert found.written == key


@hostile
@pytest.mark.parametrize(
    "unit",
    [
        "ev1:c:",
        CHUNK[:-1],
        CHUNK,
        f"{CHUNK} ",
        f"[*{CHUNK}",
        f"(see {SPAN}, ",
        "[ev1:c:1",
        "[*ev1:c:1",
        "(ev1:c:1",
        "&#91;ev1:c:1",
        "&lsqb;*ev1:c:1 x",
        "ev1:c:0123456789...",
        "ev1:c:0123456789\n",
        f"{CHUNK[:20]}\u200b",
        f"`{CHUNK}`",
        f"[`{CHUNK}`, ",
        f"[1]: {CHUNK} ",
        f"[1]: {CHUNK}\n",
        "[1]:",
        "]: [ev1:",
        "[1](ev1:c:1",
        f"[1]({CHUNK} ",
        "ev1&#58;",
        "[ev1&",
        " ",
    ],
)
def test_hostile_ids_end(unit: str) -> None:
    """A megabyte of anything that ids are made of is a few linear passes; a quadratic one would not come back."""
    text = f"[^1] [{much(unit)}]\n[^1]: {CHUNK}\n"
    found = parse_citations(text)
    assert all(text[one.start : one.end] == one.written for one in found)


@given(
    st.lists(
        st.sampled_from([CHUNK, SPAN, "[", "]", "(", ")", " ", ", ", "\n", "x", "`", "](", ":", "<", ">"]),
        max_size=12,
    )
)
def test_each_id_is_found_once(parts: list[str]) -> None:
    """However ids are put together with marks, no two occurrences overlap, and all are in order."""
    found = parse_citations("".join(parts), ["evidence_id"])
    places = [(one.start, one.end) for one in found]
    assert places == sorted(places)
    assert all(a[1] <= b[0] for a, b in pairwise(places))
    # None is lost, whatever it touches, but in the address of a link that has another one for its words.
    if "](" not in "".join(parts):
        assert len(found) == sum(part in (CHUNK, SPAN) for part in parts)
