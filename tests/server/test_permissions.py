"""Who may do what: every route with every kind of credential, against a table that is written by hand."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import pytest

from pincite.server import LOCAL
from server_parts import HANDBOOK, Served

# What each route asks for. `open`: nobody is asked; `publishable`: an embed's key; else the scope of an API key, with
# `visitors` where a visitor's token opens it too.
TABLE: dict[str, str] = {
    "GET /healthz": "open",
    "GET /readyz": "open",
    "GET /metrics": "manage",
    "GET /": "open",
    "GET /console": "open",
    "GET /console/{path}": "open",
    "GET /widget.js": "open",
    "GET /assets/{name}": "open",
    "POST /api/manage/collections": "manage",
    "GET /api/manage/collections": "read",
    "GET /api/manage/collections/{collection_id}": "read",
    "GET /api/manage/collections/{collection_id}/scores": "manage",
    "GET /collections/{collection_id}": "read",
    "PATCH /api/manage/collections/{collection_id}": "manage",
    "PATCH /collections/{collection_id}": "manage",
    "DELETE /api/manage/collections/{collection_id}": "manage",
    "POST /api/manage/collections/{collection_id}/documents": "manage",
    "GET /api/manage/collections/{collection_id}/documents": "read",
    "GET /api/manage/documents/{document_id}": "read",
    "GET /api/manage/documents/{document_id}/versions": "read",
    "GET /api/manage/documents/{document_id}/file": "read",
    "PATCH /api/manage/documents/{document_id}": "manage",
    "DELETE /api/manage/documents/{document_id}": "manage",
    "POST /api/manage/documents/{document_id}/restore": "manage",
    "GET /api/manage/jobs": "manage",
    "GET /api/manage/jobs/{job_id}": "manage",
    "DELETE /api/manage/jobs/{job_id}": "manage",
    "GET /api/manage/jobs/{job_id}/events": "manage",
    "POST /api/manage/search": "search",
    "GET /api/manage/citations/{chunk_id}/preview": "read visitors",
    "GET /api/manage/citations/{chunk_id}/preview/image": "read visitors",
    "GET /api/conversations": "read visitors",
    "GET /api/conversations/{conversation_id}/messages": "read visitors",
    "DELETE /api/conversations/{conversation_id}": "manage visitors",
    "POST /api/check": "search",
    "POST /api/verify-quotes": "search",
    "POST /api/render": "search",
    "POST /api/read-provider-response": "search",
    "POST /api/manage/agents": "manage",
    "GET /api/manage/agents": "read",
    "GET /api/manage/agents/{agent_id}": "read",
    "PATCH /api/manage/agents/{agent_id}": "manage",
    "DELETE /api/manage/agents/{agent_id}": "manage",
    "POST /api/manage/agents/{agent_id}/embeds": "manage",
    "GET /api/manage/agents/{agent_id}/embeds": "read",
    "GET /api/manage/packages": "read",
    "PATCH /api/manage/embeds/{embed_id}": "manage",
    "POST /api/manage/embeds/{embed_id}/key": "manage",
    "DELETE /api/manage/embeds/{embed_id}": "manage",
    "POST /api/agents/{agent_id}/answers": "search",
    "POST /api/agents/{agent_id}/ag-ui": "search",
    "POST /embed/v1/ag-ui": "visitors",
    "GET /api/conversations/{conversation_id}/citations": "read visitors",
    "POST /embed/v1/session": "publishable",
    "GET /embed/v1/config": "publishable",
    "POST /api/manage/keys": "manage",
    "GET /api/manage/keys": "manage",
    "DELETE /api/manage/keys/{key_id}": "manage",
    "GET /api/manage/audit": "manage",
}
RUN = {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": "a"}]}
INCLUDES = {"manage": {"manage", "search", "read"}, "search": {"search", "read"}, "read": {"read"}}
CREDENTIALS = (
    "none", "nonsense", "unknown key", "revoked key", "publishable", "read", "search", "manage", "visitor",
    "expired visitor", "forged visitor", "visitor of an embed that ended",
)  # fmt: skip
NOWHERE = "00000000-0000-4000-8000-000000000000"
BODIES: dict[str, Any] = {
    "POST /api/manage/collections": {"name": "another"},
    "PATCH /api/manage/collections/{collection_id}": {},
    "PATCH /collections/{collection_id}": {},
    "PATCH /api/manage/documents/{document_id}": {},
    "POST /api/manage/search": {"query": "expenses"},
    "POST /api/check": {"evidence_ids": [], "fetched": [], "scope": []},
    "POST /api/verify-quotes": {"quotes": [{"quote": "a", "source": "a"}]},
    "POST /api/render": {"answer": "a", "passages": []},
    "POST /api/read-provider-response": {"provider": "openai", "response": {}},
    "POST /api/manage/agents": {"name": "a"},
    "PATCH /api/manage/agents/{agent_id}": {},
    "POST /api/manage/agents/{agent_id}/embeds": {"name": "a"},
    "PATCH /api/manage/embeds/{embed_id}": {},
    "POST /api/agents/{agent_id}/answers": {"question": "a"},
    "POST /api/agents/{agent_id}/ag-ui": RUN,
    "POST /embed/v1/ag-ui": RUN,
    "POST /embed/v1/session": {"key": "pck_nothing"},
    "POST /api/manage/keys": {"name": "a", "scopes": ["read"]},
}


@dataclass
class Held:
    """The headers of every kind of credential."""

    headers: dict[str, dict[str, str]]


@pytest.fixture
def held(served: Served) -> Held:
    """Every kind of credential, of one tenant."""
    desk = served.service.desk(LOCAL)
    revoked, key = desk.keys.create("gone", ["manage"])
    desk.keys.revoke(revoked.key_id)
    publishable = served.embed()
    ended = served.embed()
    of_ended = served.visitor(ended)
    for one in desk.embeds.all():
        if one.hint == ended[-4:]:
            desk.embeds.revoke(one.embed_id)
    expired = served.visitor(publishable)
    served.clock.now += 1000
    good = served.visitor(publishable)
    token = good["Authorization"].removeprefix("Bearer ")
    forged = token[:-4] + ("AAAA" if token[-4:] != "AAAA" else "BBBB")
    return Held(
        {
            "none": {},
            "nonsense": {"Authorization": "Bearer nonsense"},
            "unknown key": {"Authorization": f"Bearer pck_{'a' * 43}"},
            "revoked key": {"Authorization": f"Bearer {key}"},
            "publishable": {"Authorization": f"Bearer {publishable}"},
            "read": served.key("read"),
            "search": served.key("search"),
            "manage": served.key("manage"),
            "visitor": good,
            "expired visitor": expired,
            "forged visitor": {"Authorization": f"Bearer {forged}"},
            "visitor of an embed that ended": of_ended,
        }
    )


def expected(need: str, credential: str) -> str:
    """Say what a route answers: `in` (whatever it then finds), `unknown` (401) or `forbidden` (403)."""
    if need == "open":
        return "in"
    if need == "publishable":
        return "in" if credential == "publishable" else "unknown"
    if credential in INCLUDES:
        return "in" if need.split(maxsplit=1)[0] in INCLUDES[credential] else "forbidden"
    if credential == "visitor":
        return "in" if "visitors" in need else "forbidden"
    return "unknown"


def test_the_table_names_every_route(served: Served) -> None:
    """The table names every route."""
    described = served.client.get("/openapi.json").json()["paths"]
    there = {f"{method.upper()} {path}" for path, methods in described.items() for method in methods}
    assert there == set(TABLE)


def test_every_route_with_every_credential(served: Served, held: Held) -> None:
    """Every route with every credential."""
    wrong: list[tuple[str, str, int]] = []
    for (route, need), credential in itertools.product(TABLE.items(), CREDENTIALS):
        method, path = route.split()
        for name in ("collection_id", "document_id", "chunk_id", "agent_id", "embed_id", "job_id", "key_id"):
            path = path.replace(f"{{{name}}}", NOWHERE)
        path = path.replace("{conversation_id}", "nowhere")
        body: dict[str, Any] = {"json": BODIES[route]} if route in BODIES else {}
        headers = held.headers[credential]
        if route == "POST /embed/v1/session":
            # The key is in the body there; a credential in the header is not looked at.
            sent = headers.get("Authorization", "").removeprefix("Bearer ") or "nothing"
            body = {"json": {"key": sent}}
        status = served.client.request(method, path, headers=headers, **body).status_code
        told = {401: "unknown", 403: "forbidden"}.get(status, "in")
        # Whether a conversation may be deleted depends on whose it is, which is looked at first.
        if route == "DELETE /api/conversations/{conversation_id}" and credential in ("read", "search"):
            told = {404: "forbidden"}.get(status, told)
        if told != expected(need, credential) or status >= 500:
            wrong.append((route, credential, status))
    assert wrong == []


def test_without_a_credential_nothing_is_told_of_what_there_is(served: Served, held: Held) -> None:
    """Without a credential nothing is told of what there is."""
    collection = served.collection(held.headers["manage"])
    there = served.client.get(f"/api/manage/collections/{collection}")
    nowhere = served.client.get(f"/api/manage/collections/{NOWHERE}")
    assert (there.status_code, there.json()) == (nowhere.status_code, nowhere.json())
    assert there.headers["www-authenticate"] == "Bearer"


def test_two_tenants_that_hold_the_same_file_never_meet(served: Served) -> None:
    """Two tenants that hold the same file never meet."""
    served.service.tenants.create("other")
    mine, theirs = served.key("manage"), served.key("manage", tenant="other")
    ids = [served.collection(one) for one in (mine, theirs)]
    added = [
        served.add(headers, collection, "handbook.md", HANDBOOK.encode())
        for headers, collection in zip((mine, theirs), ids, strict=True)
    ]
    assert added[0]["document_id"] != added[1]["document_id"]
    rows = [
        served.client.post("/api/manage/search", json={"query": "expenses"}, headers=headers).json()[
            "results"
        ]
        for headers in (mine, theirs)
    ]
    assert {row["chunk_id"] for row in rows[0]}.isdisjoint(row["chunk_id"] for row in rows[1])
    for headers, other in ((mine, rows[1]), (theirs, rows[0])):
        for row in other:
            address = f"/api/manage/citations/{row['chunk_id']}/preview"
            unknown = served.client.get(f"/api/manage/citations/{NOWHERE}/preview", headers=headers)
            foreign = served.client.get(address, headers=headers)
            assert (foreign.status_code, foreign.json()) == (404, unknown.json())
            document = f"/api/manage/documents/{row['document_id']}"
            for path in (document, f"{document}/file", f"{document}/versions"):
                assert served.client.get(path, headers=headers).status_code == 404
            assert served.client.delete(document, headers=headers).status_code == 404
    for headers, collection in ((mine, ids[1]), (theirs, ids[0])):
        assert served.client.get(f"/collections/{collection}", headers=headers).status_code == 404
        refused = served.upload(headers, collection, "a.txt", b"words of somebody else")
        assert refused.status_code == 404
