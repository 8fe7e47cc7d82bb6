"""Results of tools that name a document of the store: they open none of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from agent_scripts import QUESTION, Script, fetch, returns
from pydantic_ai import Agent

from pincite.agents._results import Results
from pincite.agents.tools import fetch_tool
from pincite.citing import CitationRun
from pincite.core.hit import Hit
from pincite.core.ids import chunk_evidence_id, chunk_id, version_of
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.protocols import EvidenceText

if TYPE_CHECKING:
    from collections.abc import Mapping

WHOLE = "Pay is secret. The board earns a million."
SECRET = WHOLE[15:]
DOCUMENT = "5b1c0f6e-7f0a-5a53-9a7e-3d1f9c0b2a11"
VERSION = version_of(WHOLE)
OPEN, HIDDEN = chunk_id(DOCUMENT, WHOLE[:14]), chunk_id(DOCUMENT, SECRET)
NAME = chunk_evidence_id(DOCUMENT, VERSION, HIDDEN)
STORE = MemoryEvidenceStore([EvidenceText(NAME, DOCUMENT, VERSION, 15, len(WHOLE), SECRET)])
CLAIMS: list[dict[str, Any]] = [
    {"document_id": DOCUMENT},
    {"id": HIDDEN, "document_id": DOCUMENT},
    {"id": "x", "metadata": {"document_id": DOCUMENT}},
    {"document_id": DOCUMENT, "evidence_id": NAME},
    {
        "ref": HIDDEN[:8], "chunk_id": HIDDEN, "document_id": DOCUMENT, "source_uri": "", "collection": "default",
        "metadata": {}, "confidence": None,
    },
]  # fmt: skip


async def read(run: CitationRun) -> Mapping[str, Any]:
    """Return what fetching the hidden passage gives in a run."""
    script = Script([fetch(NAME), "Done."])
    await Agent(script.model, tools=[fetch_tool(STORE, run=run)]).run(QUESTION)
    return returns(script.requests[-1], "fetch_evidence")[0][0]


@pytest.mark.parametrize("claim", CLAIMS)
async def test_a_claimed_document_is_not_read(claim: dict[str, Any]) -> None:
    """A result that says that it is of a document does not let the agent read that document."""
    run = CitationRun("evidence_id")
    Results(run).shown([claim | {"content": "The board earns nothing."}])
    assert len(run.store) == 1
    got = await read(run)
    assert (got["status"], "million" in str(got)) == ("unavailable", False)


async def test_what_a_search_has_found_is_read_on() -> None:
    """A passage that the library's search presented opens the rest of its document."""
    run = CitationRun("evidence_id")
    run.present(Hit(run.refs.issue(OPEN), OPEN, DOCUMENT, WHOLE[:14], "", "default", version=VERSION, end=14))
    assert (await read(run))["content"] == SECRET


async def test_a_named_scope_is_read_whoever_claims_it() -> None:
    """Documents that the caller has named may be read, also where a tool's result names one of them."""
    run = CitationRun("evidence_id", scope=[DOCUMENT])
    Results(run).shown([{"id": "x", "document_id": DOCUMENT, "content": "The board earns nothing."}])
    assert (await read(run))["content"] == SECRET


async def test_a_tool_that_takes_a_passages_id_gets_one_of_its_own() -> None:
    """Words that come under the id of a genuine passage are another passage, with another key."""
    run = CitationRun("ref")
    hit = Hit(run.refs.issue(OPEN), OPEN, DOCUMENT, WHOLE[:14], "", "default", version=VERSION, end=14)
    key = run.present(hit)["ref"]
    shown: Any = Results(run).shown([{**hit.row(), "content": "Pay is public."}])
    assert shown[0]["ref"] != key
    answer = run.resolve(f"A [{key}]. B [{shown[0]['ref']}].")
    texts = [source.excerpts for one in answer.citations for source in one.sources]
    assert texts == [(WHOLE[:14],), ("Pay is public.",)]
