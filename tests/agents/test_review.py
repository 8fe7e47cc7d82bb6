"""What is said of an answer's text: its citations, its faults, and how much of it is looked at."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pincite.agents import NO_ANSWER
from pincite.agents._review import review
from pincite.citing import CitationRun
from pincite.core.hit import Hit
from pincite.core.ids import parse_evidence_id
from pincite.core.limits import DEFAULT
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.protocols import EvidenceText
from pincite.core.verdicts import SourceState, TraceVerdict

TEXT = "Expenses over 100 EUR require approval. Receipts are due within 30 days."


def shown(wire_format: str = "ref") -> tuple[CitationRun, str, str]:
    """Return a run that was shown one passage, its key, and its evidence id."""
    run = CitationRun(wire_format)
    key = run.present({"id": "rules", "title": "Rules", "content": TEXT})[run.format.key_field or ""]
    evidence_id = next(iter(run.store)).known.evidence_id
    assert evidence_id is not None
    return run, key, evidence_id


async def test_checks_stand_in_text_order() -> None:
    """One for each citation and each fault, in the order of the text; what cites well is told apart."""
    run, key, evidence_id = shown()
    text = f"One [[deadbeef]]. Two [{key}]. Three [ev1:c:oops]. Four [{evidence_id}]."
    found = await review(text, run)
    assert [one.cited_id for one in found.checks] == ["deadbeef", evidence_id, "ev1:c:oops", evidence_id]
    assert [one.verdict for one in found.checks] == [
        TraceVerdict.MALFORMED,
        TraceVerdict.VALID,
        TraceVerdict.MALFORMED,
        TraceVerdict.VALID,
    ]
    assert [text[start:end] for start, end in found.cited] == [f"[{key}]", f"[{evidence_id}]"]
    assert [one.written for one in found.faults] == ["[[deadbeef]]", "[ev1:c:oops]"]


@pytest.mark.parametrize("wire_format", ["ref", "evidence_id"])
async def test_a_span_of_what_was_shown(wire_format: str) -> None:
    """An id that nobody was shown, of words that were received, is a citation of these words."""
    run, _, evidence_id = shown(wire_format)
    parsed = parse_evidence_id(evidence_id)
    span = f"ev1:s:{parsed.document_id}:{parsed.version}:0-39"
    found = await review(f"Approval is needed [{span}].", run)
    assert (found.faults, len(found.cited)) == ((), 1)
    (citation,) = found.answer.citations
    assert citation.sources[0].excerpts == (TEXT[:39],)
    wider = f"ev1:s:{parsed.document_id}:{parsed.version}:0-{len(TEXT) + 1}"
    found = await review(f"Approval is needed [{wider}].", run)
    assert [one.verdict for one in found.checks] == [TraceVerdict.NOT_FETCHED]


async def test_a_definition_is_no_citation() -> None:
    """A key that is defined as a link is meant as a citation and is none, however good the key."""
    run, key, _ = shown()
    found = await review(f"So it is.\n\n[{key}]: https://evil.example", run)
    assert found.cited == ()
    assert [one.reason for one in found.faults] == ["This is not written as a citation is."]


async def test_a_passage_without_a_version_proves_nothing() -> None:
    """Where no id can be checked, nothing counts as valid."""
    run = CitationRun()
    hit = Hit(
        "aaaaaaaa",
        "aaaaaaaa-0000-4000-8000-000000000001",
        "bbbbbbbb-0000-4000-8000-000000000001",
        TEXT,
        "",
        "",
    )
    found = await review(f"So it is [{run.present(hit)['ref']}].", run)
    assert found.cited == ()
    assert found.faults[0].reason.startswith("The passage has no version")


async def test_what_became_of_the_source() -> None:
    """With a store the citation knows that its version was replaced, and the check says the same."""
    run, key, evidence_id = shown()
    parsed = parse_evidence_id(evidence_id)
    stored = EvidenceText(
        evidence_id, parsed.document_id, parsed.version, 0, len(TEXT), TEXT, state=SourceState.SUPERSEDED
    )
    found = await review(f"So it is [{key}].", run, store=MemoryEvidenceStore([stored]))
    assert [one.source_state for one in found.checks] == [SourceState.SUPERSEDED]
    assert [one.source_state for one in found.answer.citations] == [SourceState.SUPERSEDED]
    assert [one.source_state for one in (await review(f"So it is [{key}].", run)).answer.citations] == [None]


async def test_more_than_is_checked() -> None:
    """An answer that cites without end is checked up to the limit, and what comes after is not good."""
    run, key, _ = shown()
    found = await review(" ".join([f"So [{key}]."] * 5), run, limits=replace(DEFAULT, cited_ids=3))
    assert len(found.cited) == 3
    assert [one.reason[:29] for one in found.faults] == ["The answer cites more than is"] * 2
    assert len(found.checks) == 5


@pytest.mark.parametrize(
    ("text", "declines"),
    [
        (NO_ANSWER, True),
        (f"  {NO_ANSWER}\nDie Handbücher sagen nichts dazu.", True),
        (NO_ANSWER.upper(), True),
        ("It depends. The documents do not answer this question.", False),
        ("", False),
    ],
)
async def test_an_answer_that_declines(text: str, *, declines: bool) -> None:
    """It begins with the sentence that the model is taught for it."""
    assert (await review(text, CitationRun())).declines is declines


async def test_twenty_thousand_brackets() -> None:
    """A long answer of invented keys over a long list of real ones ends, with as many faults."""
    run = CitationRun("short_id")
    for number in range(2_000):
        run.present({"id": f"p{number}", "content": f"Text number {number}."})
    found = await review(" ".join(f"[[{number:08x}]]" for number in range(20_000)), run)
    assert len(found.faults) == 20_000
    assert found.cited == ()
