"""Conversations: what was saved last is what is loaded, with the messages, until words have to go."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

from pincite.citing import CitedObject, ConversationState
from pincite.core.errors import InputError, NotFoundError
from pincite.library import Library

if TYPE_CHECKING:
    from pathlib import Path


def test_state_is_replaced(library: Library, home: Path) -> None:
    """Saving again replaces; another tenant sees nothing of it."""
    assert library.load_conversation("c1") is None
    library.save_conversation("c1", {"pincite": 1, "refs": {"9f2a1b7c": "x"}})
    library.save_conversation("c1", {"pincite": 1, "refs": {}, "text": "\ud800 é"})
    assert library.load_conversation("c1") == {"pincite": 1, "refs": {}, "text": "\ud800 é"}
    with Library.open(home, tenant="other") as other:
        assert other.load_conversation("c1") is None


@pytest.mark.parametrize("name", ["", "x" * 256])
def test_id_has_a_length(library: Library, name: str) -> None:
    """An id that no database could hold is refused."""
    with pytest.raises(InputError):
        library.save_conversation(name, {})


def test_update_loses_nothing(library: Library) -> None:
    """Many threads change one state at once: every change is in it."""
    conversations = library.conversations

    def add(number: int) -> None:
        conversations.update("c", lambda state: {"seen": [*(state or {"seen": []})["seen"], number]})

    threads = [Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    state = conversations.load("c")
    assert state is not None
    assert sorted(state["seen"]) == list(range(8))


def test_failed_change_changes_nothing(library: Library) -> None:
    """What the change raises comes out, and the old state stays."""
    library.save_conversation("c", {"a": 1})

    def fail(_: object) -> dict[str, Any]:
        msg = "no"
        raise RuntimeError(msg)

    with pytest.raises(RuntimeError):
        library.conversations.update("c", fail)
    assert library.load_conversation("c") == {"a": 1}


def test_conversations_have_owners(library: Library) -> None:
    """Another owner's conversation is not found, nor one that belongs to nobody; the tenant itself sees all."""
    conversations = library.conversations
    conversations.update("mine", lambda _: {"n": 1}, owner="v1", agent_id="a1", title="A\ntitle")
    conversations.update("nobody's", lambda _: {})
    for name in ("mine", "nobody's"):
        with pytest.raises(NotFoundError):
            conversations.update(name, lambda _: {"n": 2}, owner="v2")
    assert conversations.update("mine", lambda state: {"n": (state or {})["n"] + 1}, owner="v1") == {"n": 2}
    # It keeps the name that it was given first.
    assert conversations.update("mine", lambda _: {"n": 3}, title="Another") == {"n": 3}
    one = conversations.one("mine")
    assert (one.owner, one.agent_id, one.title) == ("v1", "a1", "A title")
    assert conversations.owner_of("mine") == "v1"
    assert conversations.owner_of("nobody's") is None
    with pytest.raises(NotFoundError):
        conversations.owner_of("unknown")


def test_list_is_of_the_latest_first(home: Path) -> None:
    """By the time of the last change, page by page, of an owner or an agent; a message is a change."""
    times = iter(datetime(2026, 3, 1, tzinfo=UTC) + timedelta(seconds=n // 2) for n in range(1_000))
    with Library.open(home, clock=lambda: next(times)) as library:
        conversations = library.conversations
        for number in range(5):
            conversations.update(
                f"c{number}", lambda _: {}, owner=f"v{number % 2}", agent_id="a" if number == 3 else None
            )
        conversations.add_message("c0", "user", {"text": "Hello"})
        listed = [one.conversation_id for one in conversations.all(limit=99)]
        # Two a second: what changed in the same one is listed by its id.
        assert listed == ["c4", "c0", "c3", "c2", "c1"]
        pages: list[str] = []
        while page := conversations.all(limit=2, before=pages[-1] if pages else None):
            pages += (one.conversation_id for one in page)
        assert pages == listed
        assert [one.conversation_id for one in conversations.all(limit=9, owner="v0")] == [
            name for name in listed if name in {"c0", "c2", "c4"}
        ]
        assert [one.conversation_id for one in conversations.all(limit=9, agent_id="a")] == ["c3"]
        with pytest.raises(NotFoundError):
            conversations.all(limit=1, before="unknown")


def test_messages_are_numbered(library: Library) -> None:
    """Messages stay in order with their numbers; they go with their conversation."""
    conversations = library.conversations
    with pytest.raises(NotFoundError):
        conversations.add_message("c", "user", {})
    conversations.update("c", lambda _: {})
    with pytest.raises(InputError):
        conversations.add_message("c", "oracle", {})
    assert conversations.add_message("c", "user", {"text": "Who?"}) == 1
    assert conversations.add_message("c", "assistant", {"text": "You."}, ["d1", "d1", "d2"]) == 2
    assert [(one.number, one.role, one.body["text"]) for one in conversations.messages("c")] == [
        (1, "user", "Who?"),
        (2, "assistant", "You."),
    ]
    assert [(name, one.number) for name, one in conversations.messages_citing("d1")] == [("c", 2)]
    assert library.of_tenant("other").conversations.messages("c") == []
    conversations.delete("c")
    assert conversations.messages("c") == conversations.messages_citing("d1") == []
    assert conversations.load("c") is None
    with pytest.raises(NotFoundError):
        conversations.delete("c")


def test_redacting_reaches_messages_and_states(library: Library) -> None:
    """Excerpts of one document go from every message and state; what is of others stays, and so do the refs."""
    conversations = library.conversations
    mine, other = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
    state = ConversationState()
    for document_id, text in ((mine, "my secret"), (other, "their words")):
        known = CitedObject(title="T", document_id=document_id, chunk_id=document_id, text=text)
        state.store.register_hit(
            document_id, {"content": text}, {"text": text, "excerpts": [text]}, known=known
        )
    exported = state.export()
    conversations.update("c", lambda _: exported)
    conversations.update(
        "quiet", lambda _: {"pincite": 1, "hits": [{"document_id": other, "text": "their words"}]}
    )
    conversations.add_message("c", "assistant", {"excerpts": ["my secret"]}, [mine])
    conversations.add_message("c", "assistant", {"excerpts": ["their words"]}, [other])

    def change(body: dict[str, Any]) -> dict[str, Any]:
        return {**body, "excerpts": []}

    assert conversations.redact(mine, change) == 2
    assert [one.body["excerpts"] for one in conversations.messages("c")] == [[], ["their words"]]
    kept = conversations.load("c")
    assert kept is not None
    assert "my secret" not in json.dumps(kept)
    assert "their words" in json.dumps(kept)
    assert kept["refs"] == exported["refs"]
    loaded = ConversationState.load(kept)
    assert [hit.citation_key for hit in loaded.store] == [other]
    # A document that is added again may be cited again.
    loaded.store.register_hit(mine, {"content": "my secret"}, None, known=CitedObject(document_id=mine))
    assert conversations.redact(mine, change) == 0
    assert conversations.redact("%", change) == 0
