"""API keys and the audit log: who may do what, and who read what."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field

from pincite.server._shapes import Asked, Shape, Text
from pincite.server.access import Manager
from pincite.server.faults import described

router = APIRouter(tags=["keys"], responses=described(401, 403, 429, 503))

Scope = Literal["manage", "search", "read"]


class KeyBody(Shape):
    """An API key, without the key itself."""

    key_id: str
    name: str
    scopes: list[Scope]
    hint: str = Field(description="Its last characters.")
    created_at: datetime
    last_used_at: datetime | None
    revoked_at: datetime | None


class NewKeyBody(KeyBody):
    """An API key that was just made."""

    key: str = Field(description="The key itself: it is shown this once.")


class KeyList(Shape):
    """All API keys, revoked ones too."""

    keys: list[KeyBody]


class NewKey(Asked):
    """A key to be made."""

    name: Text = Field(min_length=1, max_length=200)
    scopes: list[Scope] = Field(
        min_length=1,
        max_length=3,
        description="`manage` opens everything, `search` searching and reading.",
    )


class AuditBody(Shape):
    """One entry of the audit log."""

    number: int
    at: datetime
    who: str
    action: str
    document_id: str | None
    chunk_id: str | None
    request_id: str | None


class AuditList(Shape):
    """A part of the audit log, the newest first."""

    entries: list[AuditBody]


@router.post("/api/manage/keys", status_code=201, summary="Make an API key", responses=described(422))
def create(caller: Manager, asked: NewKey) -> NewKeyBody:
    """Make an API key; the answer is the one place where it can be read."""
    made, key = caller.desk.keys.create(asked.name, asked.scopes)
    return NewKeyBody(**KeyBody.model_validate(made).model_dump(), key=key)


@router.get("/api/manage/keys", summary="List the API keys")
def list_all(caller: Manager) -> KeyList:
    """List the API keys."""
    return KeyList(keys=[KeyBody.model_validate(one) for one in caller.desk.keys.all()])


@router.delete(
    "/api/manage/keys/{key_id}", status_code=204, summary="Revoke an API key", responses=described(404)
)
def revoke(caller: Manager, key_id: Annotated[str, Path(max_length=200)]) -> Response:
    """Revoke an API key: it opens nothing from this call on."""
    caller.desk.keys.revoke(key_id)
    return Response(status_code=204)


@router.get("/api/manage/audit", summary="Read the audit log", responses=described(422))
def audit(
    caller: Manager,
    limit: Annotated[int, Query(ge=1, le=200)] = 100,
    before: Annotated[int | None, Query(ge=0, le=2**62, description="Entries under this number.")] = None,
) -> AuditList:
    """Read who read, put aside and erased which documents, the newest first."""
    found = caller.desk.audit.read(before=before, limit=limit)
    return AuditList(entries=[AuditBody.model_validate(one) for one in found])
