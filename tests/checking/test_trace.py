"""The four verdicts, by the check's page and past it."""

from __future__ import annotations

import gc
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checking import check_citations, check_citations_sync, fetch_evidence
from pincite.core.errors import InputError, LimitError, ScopeError
from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId, foreign_id
from pincite.core.ledger import Fetched, Ledger
from pincite.core.limits import Limits
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.protocols import EvidenceText
from pincite.core.scope import Scope
from pincite.core.text import word_spans
from pincite.core.verdicts import FetchStatus, SourceState, TraceVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
OTHER = "0a4b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSION = "c174f9d9eba7d79c"
RETENTION = str(ChunkEvidenceId(DOCUMENT, VERSION, "efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"))
TABLE = str(ChunkEvidenceId(DOCUMENT, VERSION, "efae06f9-f4e7-5a7a-af99-d7f512cd16fb"))
SCOPE = Scope([DOCUMENT])


def _span(start: int, end: int, *, document: str = DOCUMENT, version: str = VERSION) -> str:
    return str(SpanEvidenceId(document, version, start, end))


def _verdicts(ids: list[str], fetched: list[str] | Ledger, scope: Scope = SCOPE) -> list[str]:
    return [check.verdict.value for check in check_citations_sync(ids, fetched, scope=scope)]


async def test_the_pages_three_ids() -> None:
    """One fetched, one real and not fetched, one that is no id: in order."""
    checks = await check_citations([RETENTION, TABLE, "ev1:c:oops"], [RETENTION], scope=SCOPE)
    assert [check.verdict.value for check in checks] == ["valid", "not_fetched", "malformed"]
    assert [check.cited_id for check in checks] == [RETENTION, TABLE, "ev1:c:oops"]


async def test_the_scope_applies() -> None:
    """The same id is unavailable under another scope, given as keys, even though it was fetched."""
    checks = await check_citations([RETENTION], [RETENTION], scope=frozenset({"/elsewhere.md"}))
    assert checks[0].verdict is TraceVerdict.UNAVAILABLE


def test_an_empty_scope_makes_everything_unavailable() -> None:
    """Nothing may be cited from nowhere."""
    assert _verdicts([RETENTION], [RETENTION], Scope([])) == ["unavailable"]


@pytest.mark.parametrize(
    ("cited", "verdict"),
    [
        (_span(10, 20), "valid"),
        (_span(12, 18), "valid"),
        (_span(9, 20), "not_fetched"),
        (_span(10, 21), "not_fetched"),
        (_span(12, 18, version="0000000000000000"), "not_fetched"),
        (_span(12, 18, document=OTHER), "unavailable"),
    ],
)
def test_a_span_inside_a_fetched_span(cited: str, verdict: str) -> None:
    """Inside is valid; one character past either end, another version or document is not."""
    assert _verdicts([cited], [_span(10, 20)]) == [verdict]


def test_touching_spans_count_together() -> None:
    """Two fetches that meet cover what runs over both; a gap of one character does not."""
    assert _verdicts([_span(5, 25)], [_span(0, 15), _span(15, 30)]) == ["valid"]
    assert _verdicts([_span(5, 25)], [_span(0, 15), _span(16, 30)]) == ["not_fetched"]


def test_a_passage_id_must_equal_a_fetched_one() -> None:
    """Plain ids follow the page: a passage is covered by itself alone."""
    assert _verdicts([TABLE], [_span(0, 10_000)]) == ["not_fetched"]


def test_duplicates_keep_their_order() -> None:
    """One check for each id as given."""
    assert _verdicts([TABLE, RETENTION, TABLE], [RETENTION]) == ["not_fetched", "valid", "not_fetched"]


def test_a_malformed_id_among_the_fetched_covers_nothing() -> None:
    """What does not decode is passed over."""
    assert _verdicts([RETENTION], ["oops", RETENTION]) == ["valid"]


@pytest.mark.parametrize(
    "broken",
    [
        _span(10, 20).replace(f"{VERSION}:", f"{VERSION};"),
        _span(10, 20).replace("ev1:s:", "ev1:x:"),
        _span(10, 20).replace(VERSION, VERSION.upper()),
        _span(20, 10),
        f"{_span(10, 20)} ",
        f"{_span(10, 2)}\n0",
    ],
)
def test_a_span_that_does_not_decode_covers_nothing(broken: str) -> None:
    """However near it comes to an id, alone or beside others."""
    assert _verdicts([_span(12, 18), broken], [broken, _span(30, 40)]) == ["not_fetched", "malformed"]


def test_a_valid_verdict_names_what_covers_it() -> None:
    """A span is covered by the union of what was fetched."""
    check = check_citations_sync([_span(5, 25)], [_span(0, 15), _span(15, 30)], scope=SCOPE)[0]
    assert check.covered_by == _span(0, 30)


def test_a_ledger_lets_a_span_inside_a_fetched_passage_resolve() -> None:
    """The ledger knows where a fetched passage stands."""
    ledger = Ledger()
    place = SpanEvidenceId(DOCUMENT, VERSION, 100, 140)
    ledger.record(Fetched(RETENTION, place, "Customer data is deleted within 10 days."))
    assert _verdicts([_span(100, 113), _span(99, 113)], ledger) == ["valid", "not_fetched"]


def test_a_span_without_a_whole_word_proves_nothing() -> None:
    """With the text at hand a slice of a word is not a citation."""
    ledger = Ledger()
    place = SpanEvidenceId(DOCUMENT, VERSION, 100, 140)
    ledger.record(Fetched(RETENTION, place, "Customer data is deleted within 10 days."))
    assert _verdicts([_span(102, 105), _span(108, 109), _span(109, 113)], ledger) == [
        "not_fetched",
        "not_fetched",
        "valid",
    ]


@pytest.mark.parametrize("ids", [RETENTION, None, b"x", [None], [7]])
def test_what_is_no_list_of_strings_is_an_error(ids: Any) -> None:
    """A plain string would be checked letter by letter; None has no ids."""
    with pytest.raises(InputError, match="evidence_ids"):
        check_citations_sync(ids, [], scope=SCOPE)
    with pytest.raises(InputError, match="fetched"):
        check_citations_sync([], ids, scope=SCOPE)


def test_a_scope_that_is_one_string_is_an_error() -> None:
    """The same slip in the scope is caught too."""
    with pytest.raises(ScopeError):
        check_citations_sync([RETENTION], [], scope=DOCUMENT)


@given(st.lists(st.text(max_size=120), max_size=8))
def test_any_strings_get_one_verdict_each(ids: list[str]) -> None:
    """Nothing that a model can write raises."""
    checks = check_citations_sync(ids, [], scope=SCOPE)
    assert [check.cited_id for check in checks] == ids
    assert json.dumps([check.reason for check in checks])


_TEXT = "Customer data, 10 days; it's \u00e9t\u00e9."


@given(st.integers(0, len(_TEXT)), st.integers(1, len(_TEXT)))
def test_a_span_holds_a_word_of_its_text_or_not(start: int, length: int) -> None:
    """Each span of a fetched text is valid exactly when one of the text's words lies in it whole."""
    end = min(start + length, len(_TEXT))
    if start >= end:
        return
    ledger = Ledger()
    ledger.record(Fetched(RETENTION, SpanEvidenceId(DOCUMENT, VERSION, 100, 100 + len(_TEXT)), _TEXT))
    holds = any(start <= first and last <= end for first, last in word_spans(_TEXT))
    assert _verdicts([_span(100 + start, 100 + end)], ledger) == ["valid" if holds else "not_fetched"]


def test_ten_thousand_fetched_ids_are_checked() -> None:
    """Checking an id that was fetched takes a look into the ledger and one into the scope."""
    ids = [
        str(ChunkEvidenceId(DOCUMENT, VERSION, f"efae06f9-f4e7-5a7a-af99-{index:012x}"))
        for index in range(10_000)
    ]
    ledger = Ledger()
    for name in ids:
        ledger.record(Fetched(name))
    checks = check_citations_sync(ids, ledger, scope=SCOPE)
    assert {check.verdict for check in checks} == {TraceVerdict.VALID}
    assert check_citations_sync(ids[:1], ledger, scope=Scope([OTHER]))[0].verdict is TraceVerdict.UNAVAILABLE


def test_a_word_far_into_a_span_counts() -> None:
    """A span may begin with a long rule; what it holds is found however far, and a cut word at its end is not."""
    text = "-" * 5_000 + " word " + "-" * 5_000
    ledger = Ledger()
    ledger.record(Fetched(_span(0, len(text)), text=text))
    asked = [_span(1, 5_005), _span(1, 5_004), _span(1, 9_000), _span(5_006, 9_000), _span(5_002, 9_000)]
    assert _verdicts(asked, ledger) == ["valid", "not_fetched", "valid", "not_fetched", "not_fetched"]


def test_more_ids_than_the_limit_are_refused() -> None:
    """By their number, even when they never end; what was fetched is the caller's own and has no limit."""
    limits = Limits(cited_ids=2)
    assert len(check_citations_sync([TABLE] * 2, [RETENTION] * 5, scope=SCOPE, limits=limits)) == 2
    with pytest.raises(LimitError, match="`evidence_ids` holds more than 2 ids"):
        check_citations_sync(iter(lambda: TABLE, ""), [], scope=SCOPE, limits=limits)


# -- suggestions ----------------------------------------------------------------------------------


def test_a_near_miss_is_suggested_and_nothing_is_put_right() -> None:
    """The verdict stays; a fetched id in scope that is one or two characters off stands beside it."""
    slip = f"{RETENTION[:-2]}00"
    ledger = Ledger()
    ledger.record(Fetched(RETENTION))
    for fetched in ([RETENTION], ledger):
        checks = check_citations_sync([slip, RETENTION[:-1], TABLE, RETENTION], fetched, scope=SCOPE)
        assert [check.verdict.value for check in checks] == [
            "not_fetched",
            "malformed",
            "not_fetched",
            "valid",
        ]
        assert [check.suggestion for check in checks] == [RETENTION, RETENTION, None, None]


def test_only_what_was_fetched_whole_and_may_be_cited_is_suggested() -> None:
    """Neither an id out of scope nor one of which a part was read."""
    slip = f"{RETENTION[:-2]}00"
    assert check_citations_sync([slip], [RETENTION], scope=Scope([OTHER]))[0].suggestion is None
    ledger = Ledger()
    ledger.record_received(RETENTION, 0, 5, 10)
    assert check_citations_sync([slip], ledger, scope=SCOPE)[0].suggestion is None
    ledger.record_received(RETENTION, 5, 10, 10)
    assert check_citations_sync([slip], ledger, scope=SCOPE)[0].suggestion == RETENTION


def test_what_does_not_decode_is_never_suggested() -> None:
    """A malformed entry among the fetched is no id that could have been meant."""
    broken = RETENTION[:-1]
    assert check_citations_sync([broken[:-1]], [broken], scope=SCOPE)[0].suggestion is None


# -- with a store ---------------------------------------------------------------------------------


def _text(name: str, start: int, end: int, *, state: SourceState = SourceState.CURRENT) -> EvidenceText:
    version = name[43:59]
    return EvidenceText(name, DOCUMENT, version, start, end, "x" * (end - start), state=state)


class Stored:
    """A store that remembers what it was asked, and may refuse spans or fail."""

    def __init__(self, *texts: EvidenceText, spans: bool = True, fails: bool = False) -> None:
        self.asked: list[list[str]] = []
        self.store = MemoryEvidenceStore(texts)
        self.spans = spans
        self.fails = fails

    async def read(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
        """Read from memory."""
        self.asked.append(list(ids))
        if self.fails:
            msg = "secret"
            raise RuntimeError(msg)
        found = await self.store.read(ids, scope)
        known = [self.spans or name.startswith("ev1:c:") for name in ids]
        return [text if may else None for text, may in zip(found, known, strict=True)]


async def test_the_state_is_looked_up_live() -> None:
    """What the store says now counts, not what the ledger knew; only valid checks have a state."""
    ledger = Ledger()
    ledger.record(Fetched(RETENTION, SpanEvidenceId(DOCUMENT, VERSION, 0, 40), state=SourceState.CURRENT))
    store = Stored(_text(RETENTION, 0, 40, state=SourceState.SUPERSEDED))
    asked = [RETENTION, _span(0, 40), TABLE, "oops", _span(5, 9, document=OTHER), RETENTION]
    without = await check_citations(asked, ledger, scope=SCOPE)
    assert [check.source_state for check in without] == [
        SourceState.CURRENT,
        SourceState.CURRENT,
        None,
        None,
        None,
        SourceState.CURRENT,
    ]
    checks = await check_citations(asked, ledger, scope=SCOPE, store=store)
    assert [check.verdict for check in checks] == [check.verdict for check in without]
    assert [check.source_state for check in checks] == [
        SourceState.SUPERSEDED,
        SourceState.SUPERSEDED,
        None,
        None,
        None,
        SourceState.SUPERSEDED,
    ]
    assert store.asked == [[RETENTION, _span(0, 40), TABLE]]


async def test_with_plain_ids_only_what_is_valid_is_asked_for() -> None:
    """Nothing else can become valid, so nothing else is looked up."""
    store = Stored(_text(RETENTION, 0, 40))
    checks = await check_citations([RETENTION, TABLE, "oops"], [RETENTION], scope=SCOPE, store=store)
    assert [check.source_state for check in checks] == [SourceState.CURRENT, None, None]
    assert store.asked == [[RETENTION]]


async def test_a_version_that_is_not_there_any_more_was_removed() -> None:
    """The citation stays valid: the text was received."""
    store = Stored()
    checks = await check_citations(
        [RETENTION, _span(2, 5)], [RETENTION, _span(0, 9)], scope=SCOPE, store=store
    )
    assert [check.source_state for check in checks] == [SourceState.REMOVED] * 2


async def test_a_store_that_knows_no_spans_does_not_make_a_version_removed() -> None:
    """What was fetched of the version is asked for before that is said."""
    ledger = Ledger()
    ledger.record(Fetched(RETENTION, SpanEvidenceId(DOCUMENT, VERSION, 0, 40)))
    store = Stored(_text(RETENTION, 0, 40), spans=False)
    checks = await check_citations([_span(2, 30)], ledger, scope=SCOPE, store=store)
    assert (checks[0].verdict, checks[0].source_state) == (TraceVerdict.VALID, SourceState.CURRENT)
    assert store.asked == [[_span(0, 40)], [RETENTION]]


async def test_a_store_that_fails_changes_nothing() -> None:
    """The check says what it says without one."""
    ledger = Ledger()
    ledger.record(Fetched(RETENTION, state=SourceState.CURRENT))
    checks = await check_citations([RETENTION, TABLE], ledger, scope=SCOPE, store=Stored(fails=True))
    assert checks == await check_citations([RETENTION, TABLE], ledger, scope=SCOPE)


async def test_a_passage_is_looked_up_where_its_place_is_not_known() -> None:
    """It resolves inside fetched spans, and stays not fetched where the store has it elsewhere or not at all."""
    ledger = Ledger()
    ledger.record(Fetched(_span(0, 50)))
    for start, verdict in ((5, "valid"), (20, "not_fetched")):
        store = Stored(_text(TABLE, start, start + 40))
        check = (await check_citations([TABLE], ledger, scope=SCOPE, store=store))[0]
        assert check.verdict.value == verdict
        assert check.covered_by == (_span(0, 50) if verdict == "valid" else None)
        assert check.source_state == (SourceState.CURRENT if verdict == "valid" else None)
    headed = EvidenceText(TABLE, DOCUMENT, VERSION, 5, 10, "Heading\nabcde")
    for store in (Stored(), Stored(headed)):
        check = (await check_citations([TABLE], ledger, scope=SCOPE, store=store))[0]
        assert check.verdict is TraceVerdict.NOT_FETCHED


async def test_a_ledger_that_was_kept_is_judged_with_the_texts_of_the_store() -> None:
    """A span needs a whole word after a restart too; what stands around it is read, and not more than was received."""
    text = "Customer data is deleted within 10 days." * 20
    ledger = Ledger()
    ledger.record(Fetched(_span(0, len(text)), text=text))
    asked = [_span(402, 405), _span(400, 408), _span(399, 405), _span(0, len(text)), _span(401, 419)]
    expected = ["not_fetched", "valid", "not_fetched", "valid", "valid"]
    assert _verdicts(asked, ledger) == expected
    kept = Ledger.load(ledger.export())
    assert _verdicts(asked, kept) == ["valid"] * 5
    store = Stored(EvidenceText(RETENTION, DOCUMENT, VERSION, 0, len(text), text))
    checks = await check_citations(asked, kept, scope=SCOPE, store=store)
    assert [check.verdict.value for check in checks] == expected
    assert [check.source_state is not None for check in checks] == [name == "valid" for name in expected]
    assert store.asked == [
        [_span(202, 605), _span(200, 608), _span(199, 605), _span(0, len(text)), _span(201, 619)]
    ]
    part = Ledger()
    part.record_received(_span(0, len(text)), 400, 420, len(text))
    await check_citations([_span(402, 405)], part, scope=SCOPE, store=store)
    assert store.asked[-1] == [_span(400, 420)]


async def test_a_range_that_has_grown_to_what_is_cited_needs_a_word_too() -> None:
    """Only what was fetched as it is needs none: a piece that came under a longer id is not that."""
    text = "aa bb -- cc dd"
    store = MemoryEvidenceStore([EvidenceText(_span(0, 14), DOCUMENT, VERSION, 0, 14, text)])
    for name, most, verdict in ((_span(6, 14), 2, "not_fetched"), (_span(6, 8), 2, "valid")):
        ledger = Ledger()
        (outcome,) = await fetch_evidence(store, [name], scope=SCOPE, max_chars=most, ledger=ledger)
        assert outcome.text == "--"
        assert list(ledger.ranges(DOCUMENT, VERSION) or ()) == [(6, 8)]
        for known in (ledger, Ledger.load(ledger.export())):
            checks = await check_citations([_span(6, 8)], known, scope=SCOPE, store=store)
            assert checks[0].verdict.value == verdict


async def test_a_passage_of_which_nothing_was_received_resolves_after_a_restart() -> None:
    """Where it stands is known from a fetch behind its end, and a fetched span holds it."""
    text = "The rate is ten."
    store = MemoryEvidenceStore([EvidenceText(TABLE, DOCUMENT, VERSION, 0, 16, text)])
    ledger = Ledger()
    await fetch_evidence(store, [TABLE], scope=SCOPE, offset=900, ledger=ledger)
    assert _verdicts([TABLE], ledger) == ["not_fetched"]
    await fetch_evidence(store, [_span(0, 16)], scope=SCOPE, ledger=ledger)
    for known in (ledger, Ledger.load(json.loads(json.dumps(ledger.export())))):
        assert _verdicts([TABLE], known) == ["valid"]


def test_the_state_of_each_version_is_its_own() -> None:
    """Exact ids, contained spans and passages carry what is known of the version that they name."""
    ledger = Ledger()
    place = SpanEvidenceId(DOCUMENT, VERSION, 0, 40)
    ledger.record(Fetched(RETENTION, place, state=SourceState.SUPERSEDED))
    ledger.record(Fetched(_span(0, 40, version="0" * 16)))
    ledger.record_received(TABLE, 9, 9, 9, span=SpanEvidenceId(DOCUMENT, VERSION, 2, 11))
    asked = [RETENTION, _span(2, 30), TABLE, _span(0, 40, version="0" * 16), _span(2, 90)]
    checks = check_citations_sync(asked, ledger, scope=SCOPE)
    assert [check.verdict.value for check in checks] == ["valid"] * 4 + ["not_fetched"]
    assert [check.source_state for check in checks] == [SourceState.SUPERSEDED] * 3 + [None] * 2


def test_heads_that_begin_alike_are_told_apart() -> None:
    """Neither a name that is too short nor another version is taken for the one that was looked at before."""
    other = _span(0, 9, version="0" * 16)
    asked = ["ev1:", "ev1:s:", _span(0, 9), _span(0, 9)[:60], other, _span(0, 9)[:59], _span(0, 9)]
    assert _verdicts(asked, [_span(0, 9)]) == [
        "malformed",
        "malformed",
        "valid",
        "malformed",
        "not_fetched",
        "malformed",
        "valid",
    ]


@pytest.mark.parametrize("ids", [[RETENTION], [RETENTION] * 2_000])
def test_looking_for_garbage_goes_on_after_a_check(ids: list[str]) -> None:
    """It waits while many checks are made, and no longer; where it was off, it stays off."""
    assert gc.isenabled()
    assert _verdicts(ids, [RETENTION]) == ["valid"] * len(ids)
    assert gc.isenabled()
    gc.disable()
    try:
        assert _verdicts(ids, [RETENTION]) == ["valid"] * len(ids)
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("scope", [[DOCUMENT.upper()], Scope([DOCUMENT.upper()])])
async def test_a_document_id_in_capitals_is_in_scope(scope: Scope | list[str]) -> None:
    """For the check and for the fetch alike."""
    store = MemoryEvidenceStore([_text(RETENTION, 0, 40)])
    assert [check.verdict for check in await check_citations([RETENTION], [RETENTION], scope=scope)] == [
        TraceVerdict.VALID
    ]
    assert [one.status for one in await fetch_evidence(store, [RETENTION], scope=scope)] == [FetchStatus.OK]


def test_a_mapping_is_no_scope() -> None:
    """Its keys may be given, and which part of it was meant is not guessed."""
    with pytest.raises(ScopeError, match="not dict"):
        check_citations_sync([RETENTION], [RETENTION], scope={DOCUMENT: "notes"})


async def test_nothing_out_of_scope_is_asked_for() -> None:
    """Whether it exists is nobody's business."""
    store = Stored()
    name = _span(0, 5, document=foreign_id("elsewhere"))
    checks = await check_citations([name], [name], scope=SCOPE, store=store)
    assert checks[0].verdict is TraceVerdict.UNAVAILABLE
    assert store.asked == []
