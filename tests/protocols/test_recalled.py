"""What a search had said of the passages of an answer stays with that answer."""

from __future__ import annotations

from typing import Any

from pincite.citing import CitationRun
from pincite.core.verdicts import Confidence
from pincite.protocols.answers import answer_json
from pincite.protocols.recalled import recalled

ROW: dict[str, Any] = {
    "ref": "9f2a1b7c",
    "chunk_id": "9f2a1b7c-0000-5000-8000-000000000001",
    "document_id": "0a1b2c3d-0000-5000-8000-000000000002",
    "content": "Expenses over 100 EUR require prior approval.",
    "source_uri": "https://intranet.example/handbook",
    "collection": "handbook",
    "metadata": {},
    "confidence": "supported",
}


def asked() -> tuple[CitationRun, str, dict[str, Any]]:
    """Return a run, what a model wrote in it, and the answer as it was kept."""
    run = CitationRun()
    ref = run.present(ROW)["ref"]
    text = f"Above 100 EUR you need approval [{ref}]."
    kept = answer_json(run.resolve(text), None, None)
    assert [one["confidence"] for one in kept["citations"]] == ["supported"]
    return run, text, kept


def test_an_answer_that_was_kept_has_the_confidence_of_its_own_question() -> None:
    """What a later search thought of the same passage changes nothing."""
    run, text, kept = asked()
    run.present({**ROW, "confidence": "weak"})
    later = run.resolve(text)
    assert [one.confidence for one in recalled(later, kept).citations] == [Confidence.SUPPORTED]


def test_an_answer_that_nobody_kept_has_none() -> None:
    """Neither without anything kept, nor with another answer, is there a confidence to tell."""
    run, text, kept = asked()
    answer = run.resolve(text)
    for known in (None, {}, {**kept, "text": "Another."}, {**kept, "citations": None}):
        assert [one.confidence for one in recalled(answer, known).citations] == [None]


def test_a_file_that_somebody_edited_costs_no_more_than_its_own_entries() -> None:
    """Entries that are none, places of other kinds and words that are no verdict are passed over."""
    run, text, kept = asked()
    answer = run.resolve(text)
    (good,) = kept["citations"]
    odd: list[Any] = [3, None, {"start": [], "confidence": "weak"}, {**good, "confidence": "splendid"}]
    assert [one.confidence for one in recalled(answer, {**kept, "citations": odd}).citations] == [None]
    both = {**kept, "citations": [*odd, good]}
    assert [one.confidence for one in recalled(answer, both).citations] == [Confidence.SUPPORTED]
