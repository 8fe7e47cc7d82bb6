"""Asking a stored agent, and what its conversation keeps."""

from __future__ import annotations

from typing import Any

from server_parts import HANDBOOK, Served

QUESTION = "From which amount do expenses need approval?"


def _agent(served: Served, headers: dict[str, str], **given: Any) -> str:
    reply = served.client.post("/api/manage/agents", json={"name": "helper", **given}, headers=headers)
    assert reply.status_code == 201, reply.text
    return str(reply.json()["agent_id"])


def _ask(served: Served, headers: dict[str, str], agent: str, **given: Any) -> dict[str, Any]:
    reply = served.client.post(
        f"/api/agents/{agent}/answers", json={"question": QUESTION, **given}, headers=headers
    )
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def test_an_answer_is_kept_with_its_citations_and_a_reload_shows_them(served: Served) -> None:
    """An answer is kept with its citations and a reload shows them."""
    headers = served.key("manage")
    collection = served.collection(headers)
    document = served.add(headers, collection, "handbook.md", HANDBOOK.encode())["document_id"]
    agent = _agent(served, headers, collections=[collection])
    told = _ask(served, headers, agent)
    assert told["status"] == "answered"
    assert "100 EUR" in told["answer"]["text"]
    cited = told["answer"]["citations"][0]
    assert (cited["verdict"], cited["support_verdict"]) == ("valid", "supported")
    kept = served.client.get(f"/api/conversations/{told['conversation_id']}/messages", headers=headers).json()
    assert [one["role"] for one in kept["messages"]] == ["user", "assistant"]
    assert kept["messages"][1]["body"]["answer"] == told["answer"]
    # The ref of the answer opens the passage, in its conversation.
    preview = served.client.get(
        f"/api/manage/citations/{cited['ref']}/preview?conversation={told['conversation_id']}",
        headers=headers,
    ).json()
    assert preview["document_id"] == document
    # The second turn goes on in the same conversation.
    again = _ask(served, headers, agent, conversation_id=told["conversation_id"])
    assert again["number"] == 4
    assert again["answer"]["citations"][0]["ref"] == cited["ref"]


def test_erasure_reaches_the_excerpts_of_stored_answers(served: Served) -> None:
    """Erasure reaches the excerpts of stored answers."""
    headers = served.key("manage")
    collection = served.collection(headers)
    document = served.add(headers, collection, "handbook.md", HANDBOOK.encode())["document_id"]
    told = _ask(served, headers, _agent(served, headers))
    receipt = served.client.delete(f"/api/manage/documents/{document}?hard=true", headers=headers).json()
    assert receipt["erased"] is True
    assert receipt["redacted"] == 2
    kept = served.client.get(f"/api/conversations/{told['conversation_id']}/messages", headers=headers)
    assert "require prior approval" not in kept.text
    state = served.service.root.load_conversation(told["conversation_id"])
    assert "require prior approval" not in str(state)


def test_an_agent_that_cannot_cite_so_is_refused_when_it_is_stored(served: Served) -> None:
    """An agent that cannot cite so is refused when it is stored."""
    headers = served.key("manage")
    reply = served.client.post(
        "/api/manage/agents",
        json={
            "name": "a",
            "wire_format": "sup_numeric",
            "citation_instruction_source_configuration": {"citable_resources": ["no such resource"]},
        },
        headers=headers,
    )
    assert reply.status_code == 422
    unknown = served.client.post(
        "/api/manage/agents", json={"name": "a", "wire_format": "x"}, headers=headers
    )
    assert unknown.status_code == 422


def test_a_conversation_is_called_by_its_first_question_and_says_whose_it_is(served: Served) -> None:
    """A later question does not rename it, and that of a visitor is told from one's own."""
    headers = served.key("manage")
    served.add(headers, served.collection(headers), "handbook.md", HANDBOOK.encode())
    agent = _agent(served, headers)
    own = _ask(served, headers, agent)["conversation_id"]
    _ask(served, headers, agent, conversation_id=own, question="And abroad?")
    embed = served.client.post(
        f"/api/manage/agents/{agent}/embeds", json={"name": "site"}, headers=headers
    ).json()
    talk: dict[str, Any] = {
        "threadId": "theirs",
        "runId": "r",
        "state": {},
        "messages": [{"id": "q", "role": "user", "content": "Who approves?"}],
        "tools": [],
        "context": [],
        "forwardedProps": {},
    }
    reply = served.client.post("/embed/v1/ag-ui", json=talk, headers=served.visitor(embed["key"]))
    assert reply.status_code == 200, reply.text
    listed = served.client.get("/api/conversations", headers=headers).json()["conversations"]
    told = {one["conversation_id"]: (one["title"], one["visitor"]) for one in listed}
    assert told == {own: (QUESTION, False), "theirs": ("Who approves?", True)}
