"""A conversation outlives its turns: numbers, refs, keys and formats are there after a restart."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pincite.citing import CitationRun, ConversationState
from pincite.citing.formats import WIRE_FORMATS
from pincite.core.errors import InputError
from pincite.core.verdicts import TraceVerdict

PAGE = "https://docs.example/leave"
ITEMS = [{"content": f"Passage {number} of the page.", "source_url": PAGE} for number in range(3)]


def _restarted(state: ConversationState) -> ConversationState:
    return ConversationState.load(json.loads(json.dumps(state.export(), allow_nan=False)))


@pytest.mark.parametrize("name", sorted(set(WIRE_FORMATS) - {"deferred"}))
@pytest.mark.parametrize("later", sorted(WIRE_FORMATS))
def test_old_citations_resolve_after_a_restart(name: str, later: str) -> None:
    """Whatever format a turn used, and whatever the conversation uses now, its markers lead where they led."""
    run = CitationRun(name)
    shown = [run.present(item)[run.format.key_field or ""] for item in ITEMS]
    text = " ".join(f"Point {number}. {run.format.write(key)}" for number, key in enumerate(shown))
    after = CitationRun(later, conversation=_restarted(run.conversation))
    citations = after.resolve(text).citations
    assert [citation.sources[0].excerpts for citation in citations] == [(item["content"],) for item in ITEMS]
    assert {citation.trace for citation in citations} == {TraceVerdict.VALID}


def test_the_formats_of_all_turns_are_kept() -> None:
    """In order of first use, the one that the conversation has among them."""
    state = ConversationState()
    assert [format_.name for format_ in state.formats] == ["ref"]
    for name in ("inline_url", "sup_numeric", "inline_url", None):
        CitationRun(name, conversation=state)
    again = _restarted(state)
    assert again.wire_format == "inline_url"
    assert again.used == ["inline_url", "sup_numeric"]
    assert [format_.name for format_ in again.formats] == ["inline_url", "sup_numeric"]


def test_a_format_that_is_not_installed_any_more_costs_its_turns_alone() -> None:
    """A conversation loads without the package that an earlier turn's format came from, and keeps its name."""
    state = ConversationState()
    state.use("ref")
    kept = {**state.export(), "wire_formats": ["curly", "ref"]}
    again = ConversationState.load(kept)
    assert [format_.name for format_ in again.formats] == ["ref"]
    assert again.export()["wire_formats"] == ["curly", "ref"]


def test_a_turn_in_an_unknown_format_is_an_error() -> None:
    """And the conversation keeps the format that it had."""
    state = ConversationState("sup_numeric")
    with pytest.raises(InputError, match="no wire format 'roman'"):
        state.use("roman")
    assert (state.wire_format, state.used) == ("sup_numeric", [])


def test_a_restart_changes_nothing_that_is_exported() -> None:
    """Exporting, loading and exporting again gives the same, with every part of it."""
    state = ConversationState()
    for name in WIRE_FORMATS:
        run = CitationRun(name, conversation=state)
        run.present_context(ITEMS)
    run = CitationRun("inline_url", conversation=state)
    run.present_reference("tags", {"id": "7", "name": "Finance"})
    exported = state.export()
    assert exported["pincite"] == 1
    assert {"wire_format", "wire_formats", "refs", "hits", "numbers", "references", "ledger"} <= set(exported)
    assert _restarted(state).export() == exported


def test_a_conversation_of_the_first_kind_loads() -> None:
    """What had neither numbers nor references nor formats of earlier turns is a conversation all the same."""
    run = CitationRun("ref")
    ref = run.present(ITEMS[0])["ref"]
    old = run.conversation.export()
    for name in ("numbers", "references", "aliases", "wire_formats", "secret"):
        del old[name]
    for hit in old["hits"]:
        del hit["known"]["number"]
    again = ConversationState.load(old)
    found = again.store.look_up(ref).hit
    assert found is not None
    assert found.known.text == ITEMS[0]["content"]


@pytest.mark.parametrize("wrong", [None, 5, "x", [None], {"x": 1}, [5]])
@pytest.mark.parametrize(
    "part",
    ["pincite", "wire_format", "wire_formats", "refs", "hits", "aliases", "numbers", "references", "ledger"],
)
def test_a_broken_conversation_is_a_typed_error(part: str, wrong: Any) -> None:
    """Whatever was kept in place of a part, loading it says so."""
    run = CitationRun()
    run.present(ITEMS[0])
    harmless = {("numbers", "{'x': 1}"), ("wire_formats", "{'x': 1}"), ("wire_formats", "x")}
    if (part, str(wrong)) in harmless:
        return
    with pytest.raises(InputError):
        ConversationState.load({**run.conversation.export(), part: wrong})


def test_each_conversation_has_a_secret_that_it_keeps() -> None:
    """No two have the same one, a restart keeps it, and what is printed of a conversation does not tell it."""
    first, second = ConversationState(), ConversationState()
    assert first.secret != second.secret
    assert len(first.secret) == 32
    assert _restarted(first).secret == first.secret
    assert first.secret not in repr(first)
    with pytest.raises(InputError):
        ConversationState.load({**first.export(), "secret": 5})


@pytest.mark.parametrize("part", ["wire_format", "refs", "hits", "ledger"])
def test_a_conversation_that_lacks_a_part_says_which(part: str) -> None:
    """The message names the part."""
    kept = ConversationState().export()
    del kept[part]
    with pytest.raises(InputError, match=f"no '{part}'"):
        ConversationState.load(kept)
