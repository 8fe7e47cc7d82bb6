"""Evidence ids wherever a model may put them: each is found, once, and what it stands in is told."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.citing import CitationRun, CitationStore, ConversationState, parse_citations
from pincite.core.ids import is_evidence_id
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
        (f"[1]: {CHUNK}", "definition", CHUNK),
        (f"[{CHUNK}]: https://evil.example", "definition", f"[{CHUNK}]"),
    ],
)
def test_an_id_is_found_in_its_place(text: str, where: str, marker: str) -> None:
    """Agrag parse_citations: bare, in parentheses, full-width, as label or target, in code: what each is."""
    (found,) = parse_citations(text)
    assert found.where == where
    assert text[slice(*found.marker)] == marker
    assert found.key in (CHUNK, SPAN)
    assert found.form == "evidence_id"
    assert found.full
    assert found.in_code == (where in ("code", "comment"))
    assert found.definition == (where == "definition")


@pytest.mark.parametrize("text", [f"[{CHUNK[:30]}\n{CHUNK[30:]}]", f"So {CHUNK[:30]}\r\n  {CHUNK[30:]} is."])
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
    [f"[{CHUNK}, {SPAN}]", f"[{CHUNK}; {SPAN}]", f"[{CHUNK} {SPAN}]", f"[{CHUNK},\n{SPAN}]"],
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
    "text", ["a[0]", "[2024]", "[1]", "[E101]", "[Figure E2]", "[eval: x]", "ev1:", "ev1:c:x"]
)
def test_what_is_no_id_is_not_flagged(text: str) -> None:
    """Agrag: all were counted malformed."""
    assert parse_citations(text) == []


@pytest.mark.parametrize("text", ["[ev1:c:oops]", "It says so, ev1:c:0123-4567, there.", f"{CHUNK.upper()}"])
def test_what_begins_like_an_id_and_is_none_is_told(text: str) -> None:
    """It is found, so that it can be reported and taken out."""
    (found,) = parse_citations(text)
    assert not is_evidence_id(found.key)


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
    # An id that touches nothing that could be part of it is never lost.
    alone = [at for at, part in enumerate(parts) if part in (CHUNK, SPAN)]
    if all(parts[at - 1 : at] != ["x"] and parts[at + 1 : at + 2] not in (["x"], [":"]) for at in alone):
        apart = all(b - a > 1 for a, b in pairwise(alone))
        assert not apart or len(found) == len(alone)
