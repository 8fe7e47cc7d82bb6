"""The four verdicts, by the check's page and past it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checking import check_citations, check_citations_sync
from pincite.core.errors import InputError, ScopeError
from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId
from pincite.core.ledger import Fetched, Ledger
from pincite.core.scope import Scope
from pincite.core.text import word_spans
from pincite.core.verdicts import TraceVerdict

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


RANGES = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 15)), max_size=10)


@given(RANGES, RANGES)
def test_verdicts_equal_a_brute_force_oracle(
    fetched: list[tuple[int, int]], cited: list[tuple[int, int]]
) -> None:
    """A span is valid exactly when every one of its code points was fetched."""
    points = {point for start, size in fetched for point in range(start, start + size)}
    ids = [_span(start, start + size) for start, size in cited]
    expected = [
        "valid" if set(range(start, start + size)) <= points else "not_fetched" for start, size in cited
    ]
    assert _verdicts(ids, [_span(start, start + size) for start, size in fetched]) == expected


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
