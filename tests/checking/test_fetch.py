"""Fetching: one outcome per id, in pieces as long as asked for, and what was received of each."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.checking import FetchOutcome, FetchStatus, check_citations_sync, fetch_evidence
from pincite.citing import parse_citations
from pincite.core.errors import InputError, LimitError, ScopeError
from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId, foreign_id
from pincite.core.ledger import Ledger
from pincite.core.limits import Limits
from pincite.core.locators import Locator
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.protocols import EvidenceText
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSION = "c174f9d9eba7d79c"
SCOPE = Scope([DOCUMENT])
TEXT = "Customer data is deleted within 10 business days. Backups are kept for one year."
PASSAGE = str(ChunkEvidenceId(DOCUMENT, VERSION, foreign_id("retention")))
PLACE = SpanEvidenceId(DOCUMENT, VERSION, 100, 100 + len(TEXT))
KEPT = EvidenceText(
    PASSAGE,
    DOCUMENT,
    VERSION,
    PLACE.start,
    PLACE.end,
    TEXT,
    title="Notes",
    source_uri="https://notes.example/a",
    locator=Locator(page=4, headings=("Retention",)),
)
STORE = MemoryEvidenceStore([KEPT])


def _span(start: int, end: int) -> str:
    return str(SpanEvidenceId(DOCUMENT, VERSION, start, end))


async def _one(name: str, **how: Any) -> FetchOutcome:
    (outcome,) = await fetch_evidence(STORE, [name], scope=SCOPE, **how)
    return outcome


async def test_a_passage_is_fetched_with_all_that_is_known_of_it() -> None:
    """Text, title, address, place, hash, state, and what was received."""
    assert await _one(PASSAGE) == FetchOutcome(
        PASSAGE,
        FetchStatus.OK,
        text=TEXT,
        title="Notes",
        uri="https://notes.example/a",
        document_id=DOCUMENT,
        version=VERSION,
        span=PLACE,
        locator=Locator(page=4, headings=("Retention",)),
        content_hash=sha256(TEXT.encode()).hexdigest(),
        state=SourceState.CURRENT,
        offset=0,
        length=len(TEXT),
        received=((0, len(TEXT)),),
        next_offset=None,
        reason="",
    )


async def test_a_span_is_fetched_by_its_place() -> None:
    """A part of a stored text is an evidence of its own; offsets are its own too."""
    outcome = await _one(_span(109, 113))
    assert (outcome.status, outcome.text, outcome.length) == (FetchStatus.OK, "data", 4)
    assert outcome.span == SpanEvidenceId(DOCUMENT, VERSION, 109, 113)
    assert outcome.received == ((0, 4),)


# -- in pieces ------------------------------------------------------------------------------------


async def test_a_long_text_is_read_on_and_then_counts() -> None:
    """Each piece says where the next begins; the one that completes the text is `ok` and so is the id."""
    ledger = Ledger()
    read, offset, outcomes = "", 0, list[FetchOutcome]()
    while True:
        outcome = await _one(PASSAGE, max_chars=30, offset=offset, ledger=ledger)
        outcomes.append(outcome)
        read += outcome.text
        if outcome.next_offset is None:
            break
        assert outcome.status is FetchStatus.TRUNCATED
        assert PASSAGE not in ledger
        assert check_citations_sync([PASSAGE], ledger, scope=SCOPE)[0].verdict.value == "not_fetched"
        offset = outcome.next_offset
    assert read == TEXT
    assert [one.offset for one in outcomes] == [0, 30, 60]
    assert [one.received for one in outcomes] == [((0, 30),), ((0, 60),), ((0, len(TEXT)),)]
    assert [one.content_hash for one in outcomes] == [sha256(read.encode()).hexdigest()] * 3
    assert outcomes[-1].status is FetchStatus.OK
    assert outcomes[0].reason == "There is more of the text; read it from offset 30."
    assert check_citations_sync([PASSAGE], ledger, scope=SCOPE)[0].verdict.value == "valid"


async def test_gaps_are_named_until_there_is_none() -> None:
    """Whoever began at the end is led to the beginning."""
    ledger = Ledger()
    end = await _one(PASSAGE, max_chars=30, offset=60, ledger=ledger)
    assert (end.status, end.next_offset) == (FetchStatus.TRUNCATED, 0)
    start = await _one(PASSAGE, max_chars=20, ledger=ledger)
    assert (start.status, start.next_offset) == (FetchStatus.TRUNCATED, 20)
    assert start.received == ((0, 20), (60, len(TEXT)))
    middle = await _one(PASSAGE, max_chars=40, offset=20, ledger=ledger)
    assert (middle.status, middle.next_offset) == (FetchStatus.OK, None)


async def test_without_a_ledger_only_the_whole_in_one_piece_is_ok() -> None:
    """A piece is truncated, and reading on ends with the text."""
    first = await _one(PASSAGE, max_chars=60)
    assert (first.status, first.next_offset, first.received) == (FetchStatus.TRUNCATED, 60, ((0, 60),))
    last = await _one(PASSAGE, max_chars=60, offset=60)
    assert (last.status, last.next_offset) == (FetchStatus.TRUNCATED, None)
    assert last.reason == "Only the end of the text was read; what comes before it was not."
    assert (await _one(PASSAGE, max_chars=len(TEXT))).status is FetchStatus.OK


async def test_a_smaller_refetch_loses_nothing() -> None:
    """The id stays fetched, the outcome stays `ok`, and the text may be read again to its end."""
    ledger = Ledger()
    await _one(PASSAGE, ledger=ledger)
    again = await _one(PASSAGE, max_chars=30, ledger=ledger)
    assert (again.status, again.text, again.next_offset) == (FetchStatus.OK, TEXT[:30], 30)
    assert again.received == ((0, len(TEXT)),)
    rest = await _one(PASSAGE, offset=30, ledger=ledger)
    assert (rest.status, rest.text, rest.next_offset) == (FetchStatus.OK, TEXT[30:], None)
    assert PASSAGE in ledger


async def test_an_offset_behind_the_end_reads_nothing() -> None:
    """It is said, with the length; with a ledger it is also said where to read."""
    outcome = await _one(PASSAGE, offset=500)
    assert (outcome.status, outcome.text, outcome.received) == (FetchStatus.TRUNCATED, "", ())
    assert outcome.reason == f"Offset 500 is behind the end of the text, which has {len(TEXT)} code points."
    assert outcome.next_offset is None
    assert (await _one(PASSAGE, offset=500, ledger=Ledger())).next_offset == 0


async def test_an_empty_text_is_received_whole() -> None:
    """There is nothing to go on to."""
    name = str(ChunkEvidenceId(DOCUMENT, VERSION, foreign_id("empty")))
    store = MemoryEvidenceStore([EvidenceText(name, DOCUMENT, VERSION, 5, 5, "")])
    ledger = Ledger()
    (outcome,) = await fetch_evidence(store, [name], scope=SCOPE, ledger=ledger)
    assert (outcome.status, outcome.length, outcome.next_offset) == (FetchStatus.OK, 0, None)
    assert name in Ledger.load(ledger.export())


@given(
    st.lists(st.tuples(st.integers(0, 90), st.integers(1, 40)), max_size=8),
    st.sampled_from([PASSAGE, _span(100, 140), _span(90, 200)]),
)
def test_received_ranges_are_what_was_read(pieces: list[tuple[int, int]], name: str) -> None:
    """Over any fetches the ranges are exactly the code points of the pieces, and their words are the text's."""
    ledger, points = Ledger(), set[int]()
    low, high = (0, len(TEXT)) if name == PASSAGE else tuple(map(int, name.rpartition(":")[2].split("-")))
    length = high - low
    for offset, most in pieces:
        outcome = asyncio.run(_one(name, offset=offset, max_chars=most, ledger=ledger))
        points |= set(range(outcome.offset, outcome.offset + len(outcome.text)))
        assert {point for first, last in outcome.received for point in range(first, last)} == points
        base = PLACE.start if name == PASSAGE else low
        at = base + outcome.offset - PLACE.start
        assert outcome.text == TEXT[at : at + len(outcome.text)]
        assert (outcome.status is FetchStatus.OK) == (points == set(range(length))) == (name in ledger)
        if outcome.next_offset is not None:
            assert outcome.next_offset not in points or outcome.status is FetchStatus.OK


@given(st.integers(1, 50), st.integers(0, 100), st.booleans())
def test_reading_on_comes_to_an_end(most: int, offset: int, with_ledger: bool) -> None:  # noqa: FBT001 - Hypothesis gives it
    """Whatever the budget and the first offset, following `next_offset` stops."""
    ledger = Ledger() if with_ledger else None
    follow: int | None = offset
    for _ in range(2 * len(TEXT) + 3):
        if follow is None:
            break
        follow = asyncio.run(_one(PASSAGE, max_chars=most, offset=follow, ledger=ledger)).next_offset
    assert follow is None
    assert ledger is None or PASSAGE in ledger


# -- what cannot be read --------------------------------------------------------------------------


async def test_what_is_there_in_part_is_partial() -> None:
    """Of a span past the end the part that is there comes, at its offset, and is citable by its place."""
    ledger = Ledger()
    name = _span(170, 300)
    outcome = await _one(name, ledger=ledger)
    assert (outcome.status, outcome.text) == (FetchStatus.PARTIAL, TEXT[70:])
    assert (outcome.offset, outcome.length, outcome.received) == (0, 130, ((0, len(TEXT) - 70),))
    assert (outcome.content_hash, outcome.next_offset) == (None, None)
    assert outcome.reason == "Only a part of this span is there; the rest of it has no text."
    checks = check_citations_sync([name, _span(170, PLACE.end)], ledger, scope=SCOPE)
    assert [check.verdict.value for check in checks] == ["not_fetched", "valid"]


async def test_a_span_that_begins_before_what_is_there_has_its_offset() -> None:
    """`offset` says where in the span the text stands."""
    outcome = await _one(_span(90, 110))
    assert (outcome.status, outcome.offset, outcome.text) == (FetchStatus.PARTIAL, 10, TEXT[:10])
    assert outcome.received == ((10, 20),)


async def test_truncated_wins_over_partial() -> None:
    """As long as there is more to read, that is what is said; at the end it is partial."""
    ledger = Ledger()
    first = await _one(_span(90, 300), max_chars=50, ledger=ledger)
    assert (first.status, first.next_offset) == (FetchStatus.TRUNCATED, 60)
    last = await _one(_span(90, 300), offset=60, ledger=ledger)
    assert (last.status, last.next_offset) == (FetchStatus.PARTIAL, None)
    assert last.received == ((10, 10 + len(TEXT)),)


async def test_forbidden_and_missing_look_alike() -> None:
    """Out of scope, unknown, of another version, in a gap: the same outcome but for the id."""
    asked = [
        str(ChunkEvidenceId(foreign_id("elsewhere"), VERSION, foreign_id("x"))),
        str(ChunkEvidenceId(DOCUMENT, VERSION, foreign_id("x"))),
        str(SpanEvidenceId(DOCUMENT, "0" * 16, 100, 110)),
        _span(0, 10),
    ]
    outcomes = await fetch_evidence(STORE, asked, scope=SCOPE)
    assert [outcome.evidence_id for outcome in outcomes] == asked
    assert {outcome.status for outcome in outcomes} == {FetchStatus.UNAVAILABLE}
    assert {outcome.reason for outcome in outcomes} == {
        "There is no such evidence among the documents in scope."
    }
    assert len({repr(outcome).replace(outcome.evidence_id, "") for outcome in outcomes}) == 1


class Recording:
    """A store that remembers what it was asked, and then answers or raises what it was made with."""

    def __init__(self, answer: Any = STORE) -> None:
        self.asked: list[list[str]] = []
        self.answer = answer

    async def read(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
        """Read from another store, raise, or answer something else."""
        self.asked.append(list(ids))
        if isinstance(self.answer, Exception):
            raise self.answer
        return await STORE.read(ids, scope) if self.answer is STORE else self.answer


async def test_the_store_is_asked_once_for_each_id_once() -> None:
    """Outcomes come in order, one for each id as given; what is malformed or out of scope is not asked for."""
    store = Recording()
    outside = str(ChunkEvidenceId(foreign_id("elsewhere"), VERSION, foreign_id("x")))
    asked = [PASSAGE, "ev1:c:oops", _span(100, 110), PASSAGE, outside, _span(100, 110)]
    outcomes = await fetch_evidence(store, asked, scope=SCOPE)
    assert store.asked == [[PASSAGE, _span(100, 110)]]
    assert [outcome.evidence_id for outcome in outcomes] == asked
    assert [outcome.status.value for outcome in outcomes] == [
        "ok",
        "malformed",
        "ok",
        "ok",
        "unavailable",
        "ok",
    ]
    await fetch_evidence(store, ["ev1:c:oops", outside], scope=SCOPE)
    assert len(store.asked) == 1


@pytest.mark.parametrize(
    "answer", [RuntimeError("/srv/secret.db is locked by tenant 7"), [], None, [None, None]]
)
async def test_a_store_that_fails_says_nothing_of_itself(answer: Any) -> None:
    """What it raises stays inside; other ids keep their own reasons, and nothing counts as fetched."""
    ledger = Ledger()
    outcomes = await fetch_evidence(Recording(answer), [PASSAGE, "oops"], scope=SCOPE, ledger=ledger)
    assert [outcome.status.value for outcome in outcomes] == ["failed", "malformed"]
    assert (
        outcomes[0].reason
        == "The evidence could not be read just now; nothing is wrong with the id, so try again."
    )
    assert "secret" not in repr(outcomes)
    assert ledger.export() == []


async def test_a_store_that_answers_for_another_document_is_not_believed() -> None:
    """What comes back has to be of the document and version that the id names, and a span's text in its place."""
    strange = EvidenceText(PASSAGE, foreign_id("elsewhere"), VERSION, 0, 5, "other")
    (outcome,) = await fetch_evidence(Recording([strange]), [PASSAGE], scope=SCOPE)
    assert (outcome.status, outcome.text) == (FetchStatus.UNAVAILABLE, "")
    longer = EvidenceText(_span(100, 110), DOCUMENT, VERSION, 100, 110, "Heading\nCustomer d")
    (outcome,) = await fetch_evidence(Recording([longer]), [_span(100, 110)], scope=SCOPE)
    assert (outcome.status, outcome.text) == (FetchStatus.FAILED, "")
    wider = EvidenceText(_span(100, 110), DOCUMENT, VERSION, 100, 105 + 10, TEXT[:15])
    (outcome,) = await fetch_evidence(Recording([wider]), [_span(100, 110)], scope=SCOPE)
    assert (outcome.status, outcome.text) == (FetchStatus.OK, TEXT[:10])


async def test_a_passage_whose_text_is_not_its_place_has_no_span() -> None:
    """With a heading put in front it can be fetched and cited by its id, and proves no span."""
    headed = EvidenceText(PASSAGE, DOCUMENT, VERSION, 100, 110, "Retention\nCustomer d")
    ledger = Ledger()
    (outcome,) = await fetch_evidence(MemoryEvidenceStore([headed]), [PASSAGE], scope=SCOPE, ledger=ledger)
    assert (outcome.status, outcome.span, outcome.length) == (FetchStatus.OK, None, 20)
    checks = check_citations_sync([PASSAGE, _span(100, 110)], ledger, scope=SCOPE)
    assert [check.verdict.value for check in checks] == ["valid", "not_fetched"]


# -- what callers give ----------------------------------------------------------------------------


@pytest.mark.parametrize("ids", [PASSAGE, b"x", None, 7, [None], [PASSAGE, 7]])
async def test_ids_are_a_list_of_strings(ids: Any) -> None:
    """A plain string would be fetched letter by letter."""
    with pytest.raises(InputError, match="`ids`") as caught:
        await fetch_evidence(STORE, ids, scope=SCOPE)
    assert caught.value.field == "ids"


@pytest.mark.parametrize(
    ("how", "field"),
    [
        ({"max_chars": 0}, "max_chars"),
        ({"max_chars": -1}, "max_chars"),
        ({"max_chars": 1.5}, "max_chars"),
        ({"max_chars": True}, "max_chars"),
        ({"max_chars": "60"}, "max_chars"),
        ({"offset": -1}, "offset"),
        ({"offset": None}, "offset"),
        ({"ledger": []}, "ledger"),
    ],
)
async def test_budgets_are_numbers(how: dict[str, Any], field: str) -> None:
    """A plain sentence names the one that is none."""
    with pytest.raises(InputError) as caught:
        await _one(PASSAGE, **how)
    assert caught.value.field == field


async def test_a_store_can_be_read() -> None:
    """What has no `read` is no store, which is not the same as one that fails."""
    nothing: Any = None
    with pytest.raises(InputError, match="`store`"):
        await fetch_evidence(nothing, [PASSAGE], scope=SCOPE)


async def test_a_scope_is_a_collection() -> None:
    """One string is a slip here too; keys of documents are taken as in the check."""
    with pytest.raises(ScopeError):
        await fetch_evidence(STORE, [PASSAGE], scope=DOCUMENT)
    (outcome,) = await fetch_evidence(STORE, [PASSAGE], scope={"/elsewhere.md"})
    assert outcome.status is FetchStatus.UNAVAILABLE


async def test_a_fetch_has_a_limit() -> None:
    """More ids are refused by their number, even when they never end; the budget of one has a default."""
    limits = Limits(fetch_ids=2, fetch_code_points=10)
    outcomes = await fetch_evidence(STORE, [PASSAGE] * 2, scope=SCOPE, limits=limits)
    assert [outcome.text for outcome in outcomes] == [TEXT[:10]] * 2
    with pytest.raises(LimitError, match="more than 2 ids"):
        await fetch_evidence(STORE, iter(lambda: PASSAGE, ""), scope=SCOPE, limits=limits)
    assert Limits().fetch_code_points == 4_000


# -- the citation as Markdown ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "markdown"),
    [
        ({}, "Source"),
        ({"title": "Notes"}, "Notes"),
        ({"title": "  \u202e "}, "Source"),
        ({"title": "Notes", "uri": "https://a.example/x (1)"}, "Notes"),
        ({"title": "Notes", "uri": "https://a.example/x_(1)"}, "[Notes](<https://a.example/x_%281%29>)"),
        ({"title": "Notes", "uri": "javascript:alert(1)"}, "Notes"),
        ({"title": "Notes", "uri": "upload://notes.md"}, "Notes"),
        ({"title": "Notes", "uri": "https://user:pass@a.example/"}, "Notes"),
        ({"title": "a](https://evil.example) [b"}, "a\\]\\(https:\u200b//evil\\.example\\) \\[b"),
        ({"title": "Notes", "locator": Locator(page=4, headings=("*Pay*",))}, "Notes, page 4, \\*Pay\\*"),
        ({"title": "Notes", "state": SourceState.SUPERSEDED}, "Notes, superseded version"),
    ],
)
def test_a_citation_is_safe_markdown(known: dict[str, Any], markdown: str) -> None:
    """A link only where the address is one, every foreign word escaped, never an empty label."""
    assert FetchOutcome(PASSAGE, FetchStatus.OK, **known).citation_markdown == markdown


@pytest.mark.parametrize("status", [status for status in FetchStatus if status is not FetchStatus.OK])
def test_only_what_was_fetched_can_be_cited(status: FetchStatus) -> None:
    """Every other outcome has no citation."""
    outcome = FetchOutcome(PASSAGE, status, title="Notes", uri="https://a.example/")
    assert outcome.citation_markdown is None


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_citation_leads_nowhere_else(title: str, section: str) -> None:
    """Whatever title and heading say, a renderer finds one link, ours, and no other element."""
    outcome = FetchOutcome(
        PASSAGE,
        FetchStatus.OK,
        title=title,
        uri="https://a.example/x",
        locator=Locator(headings=(section,)),
    )
    (paragraph, inline, _) = MarkdownIt("gfm-like", {"linkify": False}).parse(outcome.citation_markdown or "")
    assert paragraph.type == "paragraph_open"
    kinds = [child.type for child in inline.children or ()]
    assert kinds.count("link_open") == 1
    assert set(kinds) <= {"link_open", "link_close", "text", "text_special"}
    links = [child.attrGet("href") for child in inline.children or () if child.type == "link_open"]
    assert links == ["https://a.example/x"]


OTHER = str(ChunkEvidenceId(DOCUMENT, VERSION, foreign_id("another")))


@pytest.mark.parametrize(
    "title",
    [
        OTHER,
        OTHER.upper(),
        f"[{OTHER}]",
        f"[[{OTHER}]](x)",
        f"［{OTHER}］",
        f"［{OTHER.replace(':', '：')}］",
        f"【ｅｖ１{OTHER[3:]}】",
        "［9bff837a］",
        "【9bff837a】",
        "[[9bff837a]]",
        "［1］",
        "【1†source】",
        "\ue200cite\ue202turn0search1\ue201",
        "<sup>1</sup>",
    ],
)
def test_a_title_or_heading_cites_nothing(title: str) -> None:
    """A hostile title held another source's id, and cited it as soon as the citation was pasted."""
    outcome = FetchOutcome(PASSAGE, FetchStatus.OK, title=title, locator=Locator(headings=(title,)))
    pasted = outcome.citation_markdown or ""
    assert parse_citations(f"It is so ({pasted}).") == []
    # It still shows what it says.
    assert pasted.count(title[-3]) >= 2
