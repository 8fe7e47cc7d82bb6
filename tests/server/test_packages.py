"""Agents that search MOCA packages beside their collections: what they find, what is told of it, and what is kept."""

from __future__ import annotations

import json
import logging
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from fastapi.testclient import TestClient

from ag_ui_order import events_of
from pincite.core.errors import SettingError
from pincite.core.limits import Limits
from pincite.core.settings import Settings
from pincite.protocols.moca import strict
from pincite.server import Service, build_app
from server_parts import HANDBOOK, Clock, Served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.reading import ReadingPool
    from pincite.search import MiniLM

DATA = Path(__file__).resolve().parent.parent / "data" / "moca"
AT = datetime(2026, 11, 15, 12, tzinfo=UTC)
WARRANTY = "How long is the warranty on flow meters?"
EXPENSES = "From which amount do expenses need approval?"
PACKAGE = "https://halvick.example/moca/service-desk"


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with the signed example package, and one that is broken."""
    folder = tmp_path / "packages"
    shutil.copytree(DATA / "service-desk", folder / "service-desk")
    (folder / "broken.moca").write_bytes(b"no archive")
    (folder / "notes.txt").write_text("Not a package.")
    return folder


@pytest.fixture
def served(tmp_path: Path, packages: Path, pool: ReadingPool, embedder: MiniLM) -> Iterator[Served]:
    """A server with these packages, at a moment at which the example's warranty is in force."""
    clock = Clock()
    clock.now = AT.timestamp()
    settings = Settings(moca=str(packages), moca_trust=str(DATA / "trust-root.json"))
    service = Service(tmp_path / "home", settings=settings, limits=Limits(), clock=clock)
    service.pool, service.embedder = pool, embedder
    with service, TestClient(build_app(service), raise_server_exceptions=False) as client:
        yield Served(service, client, clock)


def an_agent(served: Served, headers: dict[str, str], **given: Any) -> str:
    """Return the id of a new agent that searches the packages."""
    body = {"name": "helper", "moca": True, **given}
    reply = served.client.post("/api/manage/agents", json=body, headers=headers)
    assert reply.status_code == 201, reply.text
    return str(reply.json()["agent_id"])


def filled(served: Served) -> tuple[dict[str, str], str, str]:
    """Return the headers of a key, the id of a document, and of an agent over its collection and the packages."""
    headers = served.key("manage")
    collection = served.collection(headers)
    document = served.add(headers, collection, "handbook.md", HANDBOOK.encode())["document_id"]
    return headers, document, an_agent(served, headers, collections=[collection])


def streamed(
    served: Served, headers: dict[str, str], path: str, question: str = WARRANTY, thread: str = "talk"
) -> list[dict[str, Any]]:
    """Return the events of a question."""
    asked: dict[str, Any] = {
        "threadId": thread,
        "runId": "run",
        "state": {},
        "messages": [{"id": "q", "role": "user", "content": question}],
        "tools": [],
        "context": [],
        "forwardedProps": {},
    }
    reply = served.client.post(path, json=asked, headers=headers)
    assert reply.status_code == 200, reply.text
    return events_of(reply.text)


def values(events: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """Return the values of the events of a name."""
    return [one["value"] for one in events if one.get("name") == name]


def kept(served: Served, headers: dict[str, str], thread: str = "talk") -> list[dict[str, Any]]:
    """Return what a conversation keeps of its answers."""
    reply = served.client.get(f"/api/conversations/{thread}/citations", headers=headers)
    assert reply.status_code == 200, reply.text
    return list(reply.json()["answers"])


def test_a_stream_tells_records_of_packages_beside_citations_and_keeps_them(served: Served) -> None:
    """The event of the packages stands where the page has it, with whole records; a late reader gets the same."""
    headers, _, agent = filled(served)
    events = streamed(served, headers, f"/api/agents/{agent}/ag-ui")
    (value,) = values(events, "moca.citations")
    kinds = [one["type"] if one["type"] != "CUSTOM" else one["name"] for one in events]
    assert kinds.index("TEXT_MESSAGE_END") < kinds.index("moca.citations") < kinds.index("RUN_FINISHED")
    ended = [one for one in events if one["type"] == "TEXT_MESSAGE_END"][-1]
    assert value["messageId"] == ended["messageId"]
    assert value["computedAt"] == "2026-11-15T12:00:00Z"
    first = value["citations"][0]
    assert first["record"]["node"]["ref"] == f"{PACKAGE}@2.1.0#warranty.md"
    assert first["record"]["package"]["signers"] == ["Halvick example publisher"]
    assert first["record"]["trust"]["declaredVerified"][0]["by"] == "human:mira.okafor"
    assert first["record"]["trust"]["attestedReviews"][0]["signer"] == "Halvick example reviewer"
    assert all(strict(one["record"]).is_valid for one in value["citations"])
    (told,) = values(events, "pincite.citations")
    number = first["marker"].strip("[]")
    assert int(number) in {one["number"] for one in told["citations"]}
    (answer,) = kept(served, headers)
    assert (answer["moca"], answer["citations"]) == (value, told)
    # A passage of a package is none of the library's: there is no preview of it.
    cited = next(one for one in told["citations"] if one["number"] == int(number))
    assert (cited["verdict"], cited["source_state"]) == ("valid", None)
    for name in (cited["chunk_id"], f"{cited['ref']}"):
        preview = f"/api/manage/citations/{name}/preview?conversation=talk"
        assert served.client.get(preview, headers=headers).status_code == 404


def test_an_answer_that_is_given_whole_has_the_same(served: Served) -> None:
    """The route that streams nothing tells and keeps the records too."""
    headers, _, agent = filled(served)
    reply = served.client.post(
        f"/api/agents/{agent}/answers", json={"question": WARRANTY}, headers=headers
    ).json()
    value = reply["answer"]["shown"]["moca"]
    assert value["messageId"] == reply["answer"]["shown"]["message_id"]
    assert value["citations"][0]["record"]["node"]["path"] == "warranty.md"
    assert kept(served, headers, reply["conversation_id"])[0]["moca"] == value


def test_documents_are_searched_beside_the_packages(served: Served) -> None:
    """A question that a document answers is cited from it, and the event of the packages says that they had nothing."""
    headers, document, agent = filled(served)
    events = streamed(served, headers, f"/api/agents/{agent}/ag-ui", EXPENSES)
    (told,) = values(events, "pincite.citations")
    assert told["citations"][0]["document_id"] == document
    (value,) = values(events, "moca.citations")
    assert value["citations"] == []


def test_an_agent_searches_packages_only_when_it_is_set(served: Served) -> None:
    """By default an agent reads no package, and its answers carry no event of them; the setting can be changed."""
    headers, _, agent = filled(served)
    path = f"/api/manage/agents/{agent}"
    processor = {"citation_processor_configuration": {"enabled": False}}
    changed = served.client.patch(path, json=processor, headers=headers).json()
    assert (changed["moca"], changed["citation_processor_configuration"]) == (True, {"enabled": False})
    changed = served.client.patch(path, json={"moca": False}, headers=headers).json()
    assert (changed["moca"], changed["citation_processor_configuration"]) == (False, {"enabled": False})
    events = streamed(served, headers, f"/api/agents/{agent}/ag-ui")
    assert values(events, "moca.citations") == []
    assert "36 months" not in kept(served, headers)[0]["text"]
    assert kept(served, headers)[0]["moca"] is None
    assert served.client.patch(path, json={"moca": None}, headers=headers).status_code == 422
    plain = served.client.post("/api/manage/agents", json={"name": "plain"}, headers=headers).json()
    assert plain["moca"] is False


def test_what_is_not_for_the_public_is_shown_only_where_the_operator_says_so(
    served: Served, tmp_path: Path, packages: Path, pool: ReadingPool, embedder: MiniLM
) -> None:
    """A node that is labelled internal is never found by default, and is where the setting names its label."""
    headers, _, agent = filled(served)
    question = "May the desk waive the cost of a repair as goodwill?"
    events = streamed(served, headers, f"/api/agents/{agent}/ag-ui", question)
    assert "250 euros" not in json.dumps(events)
    settings = Settings(moca=str(packages), moca_audiences="public, internal")
    clock = Clock()
    clock.now = AT.timestamp()
    with Service(tmp_path / "other", settings=settings, limits=Limits(), clock=clock) as service:
        service.pool, service.embedder = pool, embedder
        with TestClient(build_app(service)) as client:
            other = Served(service, client, clock)
            mine = other.key("manage")
            told = streamed(other, mine, f"/api/agents/{an_agent(other, mine)}/ag-ui", question)
    (value,) = values(told, "moca.citations")
    record = value["citations"][0]["record"]
    # Without a trust root nothing is signed.
    assert (record["audience"], record["package"]["signed"]) == ("internal", False)


def test_a_faulty_package_costs_itself_alone(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    """It is named in the log and in the list, with what is wrong with it; the others are searched."""
    with caplog.at_level(logging.WARNING, "pincite.server"):
        listed = served.client.get("/api/manage/packages", headers=served.key("read")).json()["packages"]
    broken, desk = listed
    assert (broken["name"], broken["status"], broken["package_id"]) == ("broken.moca", "failed", None)
    assert broken["findings"][0]["severity"] == "error"
    assert (desk["name"], desk["status"], desk["package_id"]) == ("service-desk", "ready", PACKAGE)
    assert desk["signers"] == ["Halvick example publisher"]
    assert "'broken.moca' is not searched" in caplog.text
    assert served.client.get("/api/manage/packages").status_code == 401


def test_two_packages_of_one_name_and_version_are_not_both_searched(served: Served, packages: Path) -> None:
    """The first by name is searched, and the other is told of as failed."""
    shutil.copytree(packages / "service-desk", packages / "service-desk-copy")
    text = packages / "service-desk-copy" / "content" / "repair-times.md"
    text.write_text(text.read_text().replace("ten working days from", "nine working days from"))
    listed = served.client.get("/api/manage/packages", headers=served.key("read")).json()["packages"]
    assert {one["name"]: one["status"] for one in listed} == {
        "broken.moca": "failed",
        "service-desk": "ready",
        "service-desk-copy": "failed",
    }


def test_a_visitor_is_told_the_records_and_can_open_no_preview_of_them(served: Served) -> None:
    """What an embed's agent finds in packages is told to its visitors in the event, which has the words itself."""
    headers, _, agent = filled(served)
    made = served.client.post(
        f"/api/manage/agents/{agent}/embeds", json={"name": "site"}, headers=headers
    ).json()
    visitor = served.visitor(made["key"])
    events = streamed(served, visitor, "/embed/v1/ag-ui", thread="visit")
    (value,) = values(events, "moca.citations")
    assert "36 months" in value["citations"][0]["record"]["text"]
    (told,) = values(events, "pincite.citations")
    ref = told["citations"][0]["ref"]
    reply = served.client.get(f"/api/manage/citations/{ref}/preview?conversation=visit", headers=visitor)
    assert reply.status_code == 404
    assert kept(served, visitor, "visit")[0]["moca"] == value


def test_what_an_earlier_turn_read_is_not_told_again_as_read(served: Served) -> None:
    """Each turn has records of its own: what the second one did not read is not in its event."""
    headers, _, agent = filled(served)
    path = f"/api/agents/{agent}/ag-ui"
    streamed(served, headers, path)
    streamed(served, headers, path, EXPENSES)
    first, second = kept(served, headers)
    assert first["moca"]["citations"] != []
    assert second["moca"]["citations"] == []


def test_erasure_takes_the_words_of_records_and_leaves_what_they_say_of_trust(served: Served) -> None:
    """An answer that cites the erased document and a package loses the words of both; the records stay valid."""
    headers, document, agent = filled(served)
    streamed(served, headers, f"/api/agents/{agent}/ag-ui")
    (before,) = kept(served, headers)
    assert before["moca"]["citations"] != []
    # As an answer is kept that cites the document as well.
    conversations = served.service.root.conversations
    body = conversations.messages("talk")[1].body
    conversations.delete("talk")
    conversations.save("talk", {})
    conversations.add_message("talk", "assistant", body, [document])
    reply = served.client.delete(f"/api/manage/documents/{document}?hard=true", headers=headers)
    assert reply.json()["erased"] is True
    (after,) = kept(served, headers)
    assert after["text"] == ""
    assert len(after["moca"]["citations"]) == len(before["moca"]["citations"])
    for was, one in zip(before["moca"]["citations"], after["moca"]["citations"], strict=True):
        assert one["record"] == {
            name: value for name, value in was["record"].items() if name not in ("text", "evidence")
        }
        assert strict(one["record"]).is_valid
    assert "36 months" not in json.dumps(
        served.client.get("/api/conversations/talk/messages", headers=headers).json()
    )


@pytest.mark.parametrize("text", ["", "[]", '{"keys": [{}]}', '{"others": 1}'])
def test_settings_that_cannot_be_used_are_refused_at_the_start(tmp_path: Path, text: str) -> None:
    """A trust root that is none stops the server, so that nobody takes signed packages for unsigned ones."""
    trust = tmp_path / "trust.json"
    trust.write_text(text)
    settings = Settings(moca=str(tmp_path), moca_trust=str(trust))
    with pytest.raises(SettingError) as raised:
        Service(tmp_path / "home", settings=settings)
    assert raised.value.field == "PINCITE_MOCA_TRUST"


def test_a_folder_that_is_not_there_is_refused_at_the_start(tmp_path: Path) -> None:
    """A slip in the folder's name is told at once."""
    with pytest.raises(SettingError) as raised:
        Service(tmp_path / "home", settings=Settings(moca=str(tmp_path / "none")))
    assert raised.value.field == "PINCITE_MOCA"
