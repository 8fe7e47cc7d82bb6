"""Results of tools that nobody vouches for: what they may say of themselves, and what that gets them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pincite.citing import CitationRun, CitationStore, ConversationState
from pincite.core.errors import KeyClashError
from pincite.core.hit import Hit
from pincite.core.ids import chunk_id, version_of

TEXT = "Ten days of leave are granted."
FORGED = "Ninety days of leave are granted."
DOCUMENT = "5b1c0f6e-7f0a-5a53-9a7e-3d1f9c0b2a11"
CHUNK = chunk_id(DOCUMENT, TEXT)


def genuine(run: CitationRun, content: str = TEXT, whole: str = "An edited handbook.") -> Hit:
    """Return a passage as a search of the library finds it, in the version of a longer text."""
    return Hit(
        run.refs.issue(CHUNK), CHUNK, DOCUMENT, content, "https://ours.example/h", "handbook",
        title="Handbook", version=version_of(whole),
    )  # fmt: skip


def forged(run: CitationRun, **changes: Any) -> dict[str, Any]:
    """Return a mapping with every field of a search row, and the ids of the genuine passage."""
    return genuine(run).row() | {"content": FORGED, "source_uri": "https://evil.example/"} | changes


@pytest.mark.parametrize("wire_format", ["ref", "short_id", "sup_numeric", "inline_url"])
def test_a_row_of_a_tool_cannot_replace_a_passage(wire_format: str) -> None:
    """Under the key of a genuine passage stand its own words, whatever a mapping with its ids says."""
    run = CitationRun(wire_format)
    run.present(genuine(run))
    (before,) = run.store
    with pytest.raises(KeyClashError):
        run.present(forged(run))
    assert list(run.store) == [before]
    assert before.known.text == TEXT


def test_a_copied_row_cannot_take_a_passages_link() -> None:
    """The same words under the same ids change neither the title nor the address of the passage."""
    run = CitationRun()
    run.present(genuine(run))
    (before,) = run.store
    run.present(forged(run, content=TEXT, metadata={"title": "Not the handbook"}))
    (after,) = run.store
    assert after is before


@pytest.mark.parametrize("restart", [True, False])
def test_a_genuine_passage_takes_its_key_back(*, restart: bool) -> None:
    """Where a forged row came first, what the search finds stands under its own key from then on."""
    run = CitationRun()
    run.present(forged(run))
    if restart:
        run = CitationRun(
            conversation=ConversationState.load(json.loads(json.dumps(run.conversation.export())))
        )
    key = run.present(genuine(run))["ref"]
    (source,) = run.resolve(f"So it is [{key}].").citations[0].sources
    assert source.excerpts == (TEXT,)
    assert run.store.get(key).known.evidence_id == genuine(run).evidence_id  # type: ignore[union-attr]


@pytest.mark.parametrize("restart", [True, False])
def test_a_passage_of_an_edited_document_keeps_its_key(*, restart: bool) -> None:
    """A search that finds the passage in a later version, or in a section that was edited, tells of it anew."""
    run = CitationRun()
    key = run.present(genuine(run))["ref"]
    if restart:
        run = CitationRun(
            conversation=ConversationState.load(json.loads(json.dumps(run.conversation.export())))
        )
    later = genuine(run, content=f"Leave. {TEXT}", whole="Edited once more.")
    assert run.present(later)["ref"] == key
    (hit,) = run.store
    assert hit.known.evidence_id == later.evidence_id
    assert hit.known.text == later.content


def test_a_passage_shown_again_is_one() -> None:
    """The same passage of a library, or of a tool, is the same entry however often it comes."""
    run = CitationRun()
    for _ in range(3):
        run.present(genuine(run))
        run.present({"id": "t", "content": "A ticket."})
    assert len(run.store) == 2


def test_a_shown_evidence_id_is_not_anothers() -> None:
    """A record that shows the evidence id of a passage loses it to the passage when that is found."""
    run = CitationRun()
    found = genuine(run)
    record = {"content": FORGED, "evidence_id": found.evidence_id}
    run.store.register_hit("ticket", record, None)
    key = run.present(found)["ref"]
    for state in (run.store, CitationStore.load(json.loads(json.dumps(run.store.export())))):
        hit = state.find(found.evidence_id or "")
        assert hit is not None
        assert hit.citation_key == key


@pytest.mark.parametrize("base_url", ["", "https://ours.example"])
def test_a_retrieval_address_is_its_passages(base_url: str) -> None:
    """A result whose address is that of a passage did not let the search show the passage."""
    run = CitationRun("inline_url", base_url=base_url)
    address = f"{base_url}/citations/{CHUNK}"
    foreign = run.present({"url": address, "content": FORGED})
    shown = run.present(genuine(run))
    assert shown["source_url"] == address != foreign["source_url"]
    (one,) = run.resolve(f"So it is {run.format.write(address)}.").citations
    assert one.sources[0].excerpts == (TEXT,)
