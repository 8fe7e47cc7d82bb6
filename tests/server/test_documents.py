"""Documents over HTTP: added once, replaced when that is asked for, put aside, erased."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from pincite.search._analysis import Analysis
from pincite.search._words import Words
from pincite.server import LOCAL
from server_parts import HANDBOOK, Served

NEW = HANDBOOK.replace("100 EUR", "250 EUR")


@pytest.fixture
def headers(served: Served) -> dict[str, str]:
    """A key that opens everything."""
    return served.key("manage")


@pytest.fixture
def collection(served: Served, headers: dict[str, str]) -> str:
    """An empty collection."""
    return served.collection(headers)


def found(served: Served, headers: dict[str, str], query: str = "expenses approval") -> list[str]:
    """Return the texts of what a search finds."""
    reply = served.client.post("/api/manage/search", json={"query": query}, headers=headers)
    return [row["content"] for row in reply.json()["results"]]


def test_the_same_idempotency_key_is_the_same_job(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """The same idempotency key is the same job."""
    asked = {**headers, "Idempotency-Key": "once"}
    first = served.upload(asked, collection, "handbook.md", HANDBOOK.encode()).json()
    again = served.upload(asked, collection, "handbook.md", HANDBOOK.encode()).json()
    assert first["job_id"] == again["job_id"]
    other = served.upload(asked, collection, "other.md", b"# Other\n\nQuite another text.")
    assert other.status_code == 409


def test_a_second_file_of_a_name_is_409_unless_it_replaces(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """A second file of a name is 409 unless it replaces."""
    first = served.add(headers, collection, "handbook.md", HANDBOOK.encode())
    taken = served.upload(headers, collection, "handbook.md", NEW.encode())
    assert (taken.status_code, taken.json()["error"]["code"]) == (409, "source_taken")
    second = served.add(headers, collection, "handbook.md", NEW.encode(), replace="true")
    assert second["document_id"] == first["document_id"]
    address = f"/api/manage/documents/{first['document_id']}"
    versions = served.client.get(f"{address}/versions", headers=headers).json()["versions"]
    assert [one["current"] for one in versions] == [True, False]
    old = served.client.get(f"{address}/file?version={versions[1]['version']}", headers=headers)
    assert old.content == HANDBOOK.encode()
    assert served.client.get(f"{address}/file", headers=headers).content == NEW.encode()
    # The same bytes again are no second file.
    assert served.add(headers, collection, "handbook.md", NEW.encode())["status"] == "unchanged"


def test_the_citation_of_an_edited_document_says_what_it_said_then(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """The citation of an edited document says what it said then."""
    served.add(headers, collection, "handbook.md", HANDBOOK.encode())
    reply = served.client.post("/api/manage/search", json={"query": "expenses approval"}, headers=headers)
    row = reply.json()["results"][0]
    served.add(headers, collection, "handbook.md", NEW.encode(), replace="true")
    preview = served.client.get(f"/api/manage/citations/{row['chunk_id']}/preview", headers=headers).json()
    assert preview["source_state"] == "superseded"
    assert "100 EUR" in preview["snippet"]


def test_what_is_put_aside_is_not_found_and_can_be_taken_back(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """What is put aside is not found and can be taken back."""
    document = served.add(headers, collection, "handbook.md", HANDBOOK.encode())["document_id"]
    row = served.client.post("/api/manage/search", json={"query": "expenses"}, headers=headers).json()[
        "results"
    ][0]
    preview = f"/api/manage/citations/{row['chunk_id']}/preview"
    address = f"/api/manage/documents/{document}"
    assert served.client.delete(address, headers=headers).json()["erased"] is False
    assert found(served, headers) == []
    assert served.client.get(preview, headers=headers).status_code == 404
    assert served.client.get(address, headers=headers).status_code == 404
    listed = f"/api/manage/collections/{collection}/documents"
    assert served.client.get(listed, headers=headers).json()["total"] == 0
    aside = served.client.get(f"{listed}?trashed=true", headers=headers).json()["documents"]
    assert [one["document_id"] for one in aside] == [document]
    assert served.client.post(f"{address}/restore", headers=headers).json()["document_id"] == document
    assert len(found(served, headers)) > 0
    assert served.client.get(preview, headers=headers).status_code == 200


def test_what_is_erased_is_gone_with_its_files(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """What is erased is gone with its files."""
    document = served.add(headers, collection, "handbook.md", HANDBOOK.encode())["document_id"]
    address = f"/api/manage/documents/{document}"
    assert served.client.delete(f"{address}?hard=true", headers=headers).json()["erased"] is True
    assert found(served, headers) == []
    assert served.client.delete(f"{address}?hard=true", headers=headers).status_code == 404
    assert served.client.post(f"{address}/restore", headers=headers).status_code == 404
    files = served.service.home / "files"
    assert [path for path in files.rglob("*") if path.is_file()] == []


def test_a_file_is_sent_in_parts_and_not_at_all_where_it_is_there(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """A range of the original, the rest under the condition that it is the same file, and nothing where it is there."""
    data = HANDBOOK.encode()
    document = served.add(headers, collection, "handbook.md", data)["document_id"]
    address = f"/api/manage/documents/{document}/file"

    def ask(**more: str) -> Any:
        sent = {name.replace("_", "-"): value for name, value in more.items()}
        return served.client.get(address, headers={**headers, **sent})

    whole = ask()
    tag = whole.headers["etag"]
    assert tag == f'"{hashlib.sha256(data).hexdigest()}"'
    part = ask(Range="bytes=10-19")
    assert (part.status_code, part.content) == (206, data[10:20])
    assert part.headers["content-range"] == f"bytes 10-19/{len(data)}"
    rest = ask(Range="bytes=10-", If_Range=tag)
    assert (rest.status_code, rest.content) == (206, data[10:])
    changed = ask(Range="bytes=10-", If_Range='"another"')
    assert (changed.status_code, changed.content) == (200, data)
    for known in (tag, f'"another", W/{tag}', "*"):
        there = ask(If_None_Match=known)
        assert (there.status_code, there.content, there.headers["etag"]) == (304, b"", tag)
    assert ask(If_None_Match='"another"').content == data


def test_a_range_that_is_none_has_the_one_shape(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """A range behind the end of the file says how long it is, and one that cannot be read is a bad request."""
    document = served.add(headers, collection, "handbook.md", HANDBOOK.encode())["document_id"]
    address = f"/api/manage/documents/{document}/file"
    behind = served.client.get(address, headers={**headers, "Range": "bytes=100000-"})
    assert behind.status_code == 416
    assert behind.headers["content-range"].endswith(f"*/{len(HANDBOOK.encode())}")
    odd = served.client.get(address, headers={**headers, "Range": "lines=1-2"})
    assert odd.status_code == 400
    for reply in (behind, odd):
        assert reply.json()["error"]["field"] == "range"


def test_a_method_that_there_is_not_names_those_that_there_are(
    served: Served, headers: dict[str, str]
) -> None:
    """All methods of an address are allowed, whichever route they are of."""
    for address, methods in (
        ("/api/manage/collections", {"GET", "POST"}),
        ("/api/manage/documents/a", {"GET", "HEAD", "PATCH", "DELETE"}),
        ("/api/manage/documents/a/file", {"GET", "HEAD"}),
    ):
        reply = served.client.put(address, headers=headers)
        assert reply.status_code == 405
        assert set(reply.headers["allow"].split(", ")) == methods


@pytest.mark.parametrize("whole", [False, True])
def test_no_word_of_what_is_erased_is_left_in_the_index(
    served: Served, headers: dict[str, str], collection: str, *, whole: bool
) -> None:
    """A worker takes the words of a document that was erased, alone or with its collection, out of the index."""

    def indexed() -> list[str]:
        # The engine lists the words of deleted passages too, as long as they are in its files.
        words = Words.open(served.service.home / "index" / LOCAL / "words", Analysis())
        return [word for word, _ in words._searcher.terms_with_prefix("word", "")]

    # Two files of one job are written to the index together, so the words of the one go on standing beside the other's.
    secret = ("files", ("a.md", b"# Secret\n\nXylophonists meet."))
    public = ("files", ("b.md", HANDBOOK.encode()))
    address = f"/api/manage/collections/{collection}/documents"
    assert served.client.post(address, files=[secret, public], headers=headers).status_code == 202
    other = served.collection(headers, "other")
    served.add(headers, other, "b.md", HANDBOOK.encode())
    listed = served.client.get(address, headers=headers).json()["documents"]
    document = next(one["document_id"] for one in listed if one["title"] == "Secret")
    assert "xylophonists" in indexed()
    if whole:
        address = f"/api/manage/collections/{collection}?documents=true"
    else:
        address = f"/api/manage/documents/{document}?hard=true"
    assert served.client.delete(address, headers=headers).is_success
    assert not any("Xylophonists" in text for text in found(served, headers, "xylophonists"))
    assert ("xylophonists" in indexed()) != whole
    while served.service.work_once():
        pass
    assert "xylophonists" not in indexed()
    assert "receipts" in indexed()
    assert len(found(served, headers)) > 0
    states = {
        (one["kind"], one["state"])
        for one in served.client.get("/api/manage/jobs", headers=headers).json()["jobs"]
    }
    assert ("compact", "done") in states


def test_a_worker_leaves_nothing_for_the_first_search_to_take_in(
    served: Served, headers: dict[str, str], collection: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a job the index has the new passages with their vectors: a search writes nothing."""
    served.add(headers, collection, "handbook.md", HANDBOOK.encode())
    monkeypatch.delattr(Words, "apply")
    index = served.service.desk(LOCAL).search.index
    assert index.cosines([1.0] * 384, [passage_id(served, headers)])
    assert len(found(served, headers)) > 0


def passage_id(served: Served, headers: dict[str, str]) -> str:
    """Return the id of a passage that a search finds."""
    reply = served.client.post("/api/manage/search", json={"query": "expenses"}, headers=headers)
    return str(reply.json()["results"][0]["chunk_id"])


def test_a_file_that_cannot_be_read_is_told_and_the_others_are_read(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """A file that cannot be read is told and the others are read."""
    reply = served.client.post(
        f"/api/manage/collections/{collection}/documents",
        files=[
            ("files", ("broken.pdf", b"%PDF-1.7 no more than this")),
            ("files", ("a.md", HANDBOOK.encode())),
        ],
        headers=headers,
    )
    while served.service.work_once():
        pass
    job = served.client.get(f"/api/manage/jobs/{reply.json()['job_id']}", headers=headers).json()
    files = {one["file"]: one for one in job["progress"]["files"]}
    assert (files["broken.pdf"]["status"], files["broken.pdf"]["reason"]) == ("failed", "damaged")
    assert files["broken.pdf"]["message"].endswith(".")
    assert files["a.md"]["status"] == "ready"


def test_a_name_that_is_a_path_is_a_name(served: Served, headers: dict[str, str], collection: str) -> None:
    """A name that is a path is a name."""
    added = served.add(headers, collection, "../../etc/passwd.md", HANDBOOK.encode())
    told = served.client.get(f"/api/manage/documents/{added['document_id']}", headers=headers).json()
    assert told["source_uri"] == "upload://passwd.md"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"source_uri": "javascript:alert(1)"}, "source_uri"),
        ({"source_uri": "https://user:word@example.org/"}, "source_uri"),
        ({"metadata": "[1]"}, "metadata"),
        ({"metadata": "{"}, "metadata"),
        ({"replace": "perhaps"}, "replace"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_field_that_cannot_be_used_is_422_and_named(
    served: Served, headers: dict[str, str], collection: str, fields: dict[str, str], field: str
) -> None:
    """A field that cannot be used is 422 and named."""
    reply = served.upload(headers, collection, "a.md", HANDBOOK.encode(), **fields)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, field), reply.text


def test_metadata_and_other_filters_narrow_a_search(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """Metadata and other filters narrow a search."""
    served.add(headers, collection, "a.md", HANDBOOK.encode(), metadata=json.dumps({"team": "legal"}))
    served.add(headers, collection, "b.txt", NEW.encode(), metadata=json.dumps({"team": ["sales", "legal"]}))

    def of(**filters: object) -> set[str]:
        body = {"query": "expenses approval", "filters": filters}
        rows = served.client.post("/api/manage/search", json=body, headers=headers).json()["results"]
        return {row["source_uri"].removeprefix("upload://") for row in rows}

    assert of() == {"a.md", "b.txt"}
    assert of(metadata={"team": "sales"}) == {"b.txt"}
    assert of(metadata={"team": ["sales", "legal"]}) == {"a.md", "b.txt"}
    assert of(metadata={"team": "nobody"}) == set()
    assert of(media_types=["text/markdown"]) == {"a.md"}
    assert of(added_after="2000-01-01T00:00:00Z") == {"a.md", "b.txt"}
    assert of(added_after="2100-01-01T00:00:00Z") == set()


def test_a_collection_with_documents_is_not_deleted_by_accident(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """A collection with documents is not deleted by accident."""
    served.add(headers, collection, "handbook.md", HANDBOOK.encode())
    address = f"/api/manage/collections/{collection}"
    assert served.client.delete(address, headers=headers).status_code == 409
    assert served.client.delete(f"{address}?documents=true", headers=headers).status_code == 204
    assert found(served, headers) == []
    assert served.client.get(address, headers=headers).status_code == 404


def test_a_job_that_waits_can_be_stopped(served: Served, headers: dict[str, str], collection: str) -> None:
    """A job that waits can be stopped."""
    job = served.upload(headers, collection, "handbook.md", HANDBOOK.encode()).json()["job_id"]
    stopped = served.client.delete(f"/api/manage/jobs/{job}", headers=headers).json()
    assert stopped["state"] == "cancelled"
    assert served.service.work_once() is False
    events = served.client.get(f"/api/manage/jobs/{job}/events", headers=headers)
    assert events.headers["content-type"].startswith("text/event-stream")
    assert json.loads(events.text.split("data: ")[1])["state"] == "cancelled"


def test_reads_are_in_the_audit_log_without_texts(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """Reads are in the audit log without texts."""
    document = served.add(headers, collection, "handbook.md", HANDBOOK.encode())["document_id"]
    served.client.get(f"/api/manage/documents/{document}/file", headers=headers)
    entries = served.client.get("/api/manage/audit", headers=headers).json()["entries"]
    assert (entries[0]["action"], entries[0]["document_id"]) == ("document.file", document)
    assert entries[0]["who"].startswith("key:")


def test_previews_are_in_the_audit_log_after_a_moment(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """Previews are in the audit log after a moment, in order, and reading did not wait for it."""
    served.add(headers, collection, "handbook.md", HANDBOOK.encode())
    reply = served.client.post("/api/manage/search", json={"query": "expenses"}, headers=headers)
    chunk_id = reply.json()["results"][0]["chunk_id"]
    for _ in range(3):
        served.client.get(f"/api/manage/citations/{chunk_id}/preview", headers=headers)
    served.service.trail.flush()
    entries = served.client.get("/api/manage/audit", headers=headers).json()["entries"]
    assert [(one["action"], one["chunk_id"]) for one in entries[:3]] == [("citation.preview", chunk_id)] * 3
    assert [one["number"] for one in entries] == sorted((one["number"] for one in entries), reverse=True)


def test_documents_are_listed_by_source_or_by_title(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """By source as ever; by title where that is asked for, in any case, page by page; no other order is known."""
    for name, title in (("a.md", "Zebras"), ("b.md", "apples"), ("c.md", "Bread")):
        served.add(headers, collection, name, f"# {title}\n\nThese are {title}.\n".encode())

    def titles(query: str) -> list[str]:
        address = f"/api/manage/collections/{collection}/documents{query}"
        listed = served.client.get(address, headers=headers).json()["documents"]
        return [one["title"] for one in listed]

    assert titles("") == titles("?sort=source") == ["Zebras", "apples", "Bread"]
    assert titles("?sort=title") == ["apples", "Bread", "Zebras"]
    assert titles("?sort=title&limit=1&offset=1") == ["Bread"]
    refused = served.client.get(
        f"/api/manage/collections/{collection}/documents?sort=size", headers=headers
    ).json()
    assert refused["error"]["field"] == "sort"


def test_title_and_address_can_be_set_later(served: Served, headers: dict[str, str], collection: str) -> None:
    """The document stays the same one, search says what was set, and null takes the address away again."""
    served.add(headers, collection, "handbook.md", HANDBOOK.encode())
    listed = served.client.get(f"/api/manage/collections/{collection}/documents", headers=headers).json()
    (before,) = listed["documents"]
    address = f"/api/manage/documents/{before['document_id']}"
    home = "https://intranet.example/handbook"
    told = served.client.patch(address, headers=headers, json={"source_uri": home, "title": "Our handbook"})
    assert told.status_code == 200, told.text
    assert told.json() == {**before, "source_uri": home, "title": "Our handbook"}
    assert served.client.get(address, headers=headers).json() == told.json()
    found = served.client.post(
        "/api/manage/search", headers=headers, json={"query": "expenses approval"}
    ).json()
    assert {one["source_uri"] for one in found["results"]} == {home}
    gone = served.client.patch(address, headers=headers, json={"source_uri": None}).json()
    assert gone == {**before, "title": "Our handbook"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"source_uri": "javascript:alert(1)"}, "source_uri"),
        ({"source_uri": "https://user:word@intranet.example/"}, "source_uri"),
        ({"title": None}, "title"),
        ({"title": "  "}, "title"),
        ({"version": "a"}, "version"),
    ],
)
def test_what_cannot_be_set_of_a_document_is_422_and_named(
    served: Served, headers: dict[str, str], collection: str, body: dict[str, Any], field: str
) -> None:
    """The rule of links holds, a title says something, and nothing else of a document is anybody's to set."""
    served.add(headers, collection, "handbook.md", HANDBOOK.encode())
    listed = served.client.get(f"/api/manage/collections/{collection}/documents", headers=headers).json()
    (before,) = listed["documents"]
    address = f"/api/manage/documents/{before['document_id']}"
    reply = served.client.patch(address, headers=headers, json=body)
    assert (reply.status_code, reply.json()["error"]["field"]) == (422, field)
    assert served.client.get(address, headers=headers).json() == before
    assert served.client.patch("/api/manage/documents/none", headers=headers, json={}).status_code == 404


def test_one_file_with_and_without_an_address_is_two_documents(
    served: Served, headers: dict[str, str], collection: str
) -> None:
    """A document is known by its address, or by its file's name where none was sent."""
    address = f"/api/manage/collections/{collection}/documents"
    fields: tuple[dict[str, str], ...] = ({}, {"source_uri": "https://intranet.example/handbook"})
    for sent in fields:
        served.add(headers, collection, "handbook.md", HANDBOOK.encode(), **sent)
    assert served.client.get(address, headers=headers).json()["total"] == 2
