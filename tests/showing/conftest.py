"""Answers to render and export."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest

from pincite import CitationRun
from pincite.core.bibliography import Author, Bibliography

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.core.answer import Answer

MEIER = Bibliography(
    type="article-journal",
    author=(Author("Meier", "Anna"), Author(literal="European Commission")),
    issued="2026-03-18",
    publisher="Acme & Sons",
    container_title="Journal of Things",
    volume="3",
    issue="2",
    page="4-9",
    doi="10.1000/182",
    language="en",
)
"""Of a paper of which everything is known."""


class Answered(Protocol):
    """Presents hits and resolves what a model wrote about them."""

    def __call__(self, text: str, *hits: Mapping[str, Any], wire_format: str = "ref") -> Answer:
        """Return the answer; `{0}` in `text` is a marker of the first hit, and so on."""
        ...


@pytest.fixture
def answered() -> Answered:
    """Make answers."""

    def made(text: str, *hits: Mapping[str, Any], wire_format: str = "ref") -> Answer:
        turn = CitationRun(wire_format)
        for place, hit in enumerate(hits):
            number = f"[{turn.present({'id': f'hit-{place}', 'content': 'Some words.', **hit})['ref']}]"
            text = text.replace(f"{{{place}}}", number)
        return turn.resolve(text)

    return made


@pytest.fixture
def paper(answered: Answered) -> tuple[Answer, dict[str, Bibliography]]:
    """An answer that cites a paper, of which everything is known, and a web page, of which nothing is."""
    answer = answered(
        "Rates **fall**. {0} They rose before {1}, and fall again {0}.",
        {"title": "On Prices", "content": "Rates fall.", "document_id": "paper", "metadata": {"page": 4}},
        {"title": "Notice", "content": "They rose.", "source_url": "https://example.org/notice?a=1&b=2"},
    )
    passage = answer.evidences[0].source.passage
    assert passage is not None
    assert passage.document_id is not None
    return answer, {passage.document_id: MEIER}
