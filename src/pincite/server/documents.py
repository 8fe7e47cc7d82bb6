"""Documents: uploaded, listed, read, given back as they came, put aside and erased."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, cast
from urllib.parse import quote

from fastapi import APIRouter, Header, Path, Query, Request, Response
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, Headers, UploadFile
from starlette.exceptions import HTTPException

from pincite.core import ids
from pincite.core.errors import InputError, LimitError, NotFoundError, SourceTakenError
from pincite.core.text import normalise, one_line
from pincite.core.urls import safe_link
from pincite.library import add_compact, add_ingest, checked_metadata, source_key
from pincite.server._shapes import Asked, Shape, Text
from pincite.server.access import Manager, Reader, Serving
from pincite.server.collections import CollectionId
from pincite.server.faults import described, fault
from pincite.server.jobs import JobBody, job_body
from pincite.server.moca import MOCA, without_excerpts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.types import Message, Receive, Scope, Send

    from pincite.core.limits import Limits
    from pincite.library import StoredDocument, Uploaded
    from pincite.server.access import Caller
    from pincite.server.service import Desk

router = APIRouter(tags=["documents"], responses=described(401, 403, 429, 503))

DocumentId = Annotated[str, Path(max_length=200, description="A document's id.")]
_CHUNK: Final = 1024 * 1024
_FIELD_CHARACTERS: Final = 20_000
_TAGS_CHARACTERS: Final = 4_000
_NAME_CHARACTERS: Final = 4_000
_FIELDS: Final = frozenset({"files", "source_uri", "title", "metadata", "replace"})


class FlagBody(Shape):
    """A page that could not be read well, and why."""

    page: int | None
    reason: str


class DocumentBody(Shape):
    """A document in its current version."""

    document_id: str
    collection_id: str
    collection: str
    source_uri: str = Field(description="Its address, or `upload://` and its name.")
    title: str
    media_type: str
    version: str
    pages: int
    passages: int
    language: str | None
    added_at: datetime
    flags: list[FlagBody]
    metadata: dict[str, Any]
    status: Literal["ready", "flagged", "trashed"]


class DocumentList(Shape):
    """A part of the documents of a collection, by source."""

    documents: list[DocumentBody]
    total: int
    offset: int


class VersionBody(Shape):
    """One version of a document."""

    version: str
    revision: int
    added_at: datetime
    pages: int
    passages: int
    media_type: str
    flags: list[FlagBody]
    current: bool


class VersionList(Shape):
    """All versions of a document that are kept, the newest first."""

    versions: list[VersionBody]


class Receipt(Shape):
    """What an erasure removed."""

    document_id: str
    erased: bool
    redacted: int = Field(description="Stored answers and conversations whose excerpts of it were removed.")
    versions: int
    passages: int


_UPLOAD: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "items": {"type": "string", "format": "binary"},
                            "description": "One or more files.",
                        },
                        "source_uri": {
                            "type": "string",
                            "description": "The one file's real home, http or https.",
                        },
                        "title": {"type": "string", "description": "A title in place of the one file's own."},
                        "metadata": {
                            "type": "string",
                            "description": "A flat JSON object that is kept with each file and may be filtered by.",
                        },
                        "replace": {
                            "type": "string",
                            "enum": ["true", "false"],
                            "description": "Take another file under the same name as its new version.",
                        },
                    },
                }
            }
        },
    }
}


@router.post(
    "/api/manage/collections/{collection_id}/documents",
    status_code=202,
    summary="Add files",
    openapi_extra=_UPLOAD,
    responses=described(400, 404, 409, 413, 415, 422),
)
async def upload(
    caller: Manager,
    collection_id: CollectionId,
    request: Request,
    idempotency_key: Annotated[
        str | None, Header(max_length=200, description="The same key again gives the same job again.")
    ] = None,
) -> JobBody:
    """Take files to disk and enter a job that reads them; ask the job how far it is."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise HTTPException(415, "Files are sent as multipart/form-data")
    limits = caller.desk.library.limits
    # Who may not, or asks for what is not there, is told before the files are taken.
    await run_in_threadpool(caller.desk.library.collection_by_id, collection_id)
    async with request.form(
        max_files=limits.upload_files, max_fields=len(_FIELDS), max_part_size=_FIELD_CHARACTERS
    ) as form:
        if not request.state.body.tail.rstrip(b"\r\n").endswith(b"--"):
            raise HTTPException(400, "The form is cut off: its last boundary is missing")
        return await run_in_threadpool(_take, caller, collection_id, form, idempotency_key)


@router.get(
    "/api/manage/collections/{collection_id}/documents",
    summary="List documents",
    responses=described(404, 422),
)
def list_all(
    caller: Reader,
    collection_id: CollectionId,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    offset: Annotated[int, Query(ge=0, le=10**9)] = 0,
    trashed: Annotated[bool, Query(description="Those that were put aside instead.")] = False,
    sort: Annotated[
        Literal["source", "title"], Query(description="What they are in the order of.")
    ] = "source",
) -> DocumentList:
    """List the documents of a collection, by source or by title."""
    library = caller.desk.library
    found = library.collection_by_id(collection_id)
    if trashed:
        there = [one for one in library.trashed() if one.collection_id == found.collection_id]
    else:
        there = library.documents(found.collection_id)
    if sort == "title":
        there = sorted(there, key=_by_title)
    part = there[offset : offset + limit]
    return DocumentList(
        documents=[_body(one, trashed=trashed) for one in part], total=len(there), offset=offset
    )


def _by_title(one: StoredDocument) -> tuple[str, str]:
    return one.title.casefold(), one.source_uri or one.source_key


@router.get("/api/manage/documents/{document_id}", summary="Read a document", responses=described(404))
def read(caller: Reader, document_id: DocumentId) -> DocumentBody:
    """Say what is known of a document."""
    return _body(caller.desk.library.document(document_id))


class DocumentChange(Asked):
    """What is to be set; what is left out stays as it is."""

    title: Text | None = Field(
        default=None, min_length=1, max_length=_NAME_CHARACTERS, description="Its title; never null."
    )
    source_uri: Text | None = Field(
        default=None,
        max_length=_NAME_CHARACTERS,
        description="Its real home, http or https; null takes it away.",
    )


@router.patch(
    "/api/manage/documents/{document_id}", summary="Set what is given", responses=described(404, 422)
)
def change(caller: Manager, document_id: DocumentId, asked: DocumentChange) -> DocumentBody:
    """Set the title or the address that links are made of. The document stays the same one, with its id and text."""
    given: dict[str, Any] = asked.model_dump(exclude_unset=True)
    if "title" in given and given["title"] is None:
        msg = "`title` cannot be null."
        raise InputError(msg, field="title")
    return _body(caller.desk.library.describe(document_id, **given))


@router.get(
    "/api/manage/documents/{document_id}/versions", summary="List its versions", responses=described(404)
)
def versions(caller: Reader, document_id: DocumentId) -> VersionList:
    """List the versions of a document that are kept."""
    return VersionList(
        versions=[
            VersionBody(
                version=one.version,
                revision=one.revision,
                added_at=one.added_at,
                pages=one.pages,
                passages=one.passages,
                media_type=one.media_type,
                flags=[FlagBody.model_validate(flag) for flag in one.flags],
                current=one.current,
            )
            for one in caller.desk.library.versions_of(document_id)
        ]
    )


class _Original(FileResponse):
    """A file as it came, or a part of it; what is wrong with the range that was asked for is said in our own shape."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused: Message | None = None

        async def hear(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] in (400, 416):
                refused = message
            if refused is None:
                await send(message)

        await super().__call__(scope, receive, hear)
        if refused is not None:
            # How many bytes there are stands in a header, where the range has none of them.
            size = Headers(raw=refused["headers"]).get("content-range")
            error = InputError("`Range` is like `bytes=0-99`, within the file.", field="range")
            answer = fault(refused["status"], error, None if size is None else {"Content-Range": size})
            await answer(scope, receive, send)


@router.get(
    "/api/manage/documents/{document_id}/file",
    summary="The original bytes",
    response_class=FileResponse,
    responses={
        200: {"description": "The file as it came.", "content": {"application/octet-stream": {}}},
        206: {"description": "The part that `Range` names.", "content": {"application/octet-stream": {}}},
        304: {"description": "The file is the one that `If-None-Match` names."},
        **described(400, 404, 416),
    },
)
def original(
    caller: Reader,
    request: Request,
    document_id: DocumentId,
    version: Annotated[str | None, Query(max_length=64)] = None,
    if_none_match: Annotated[
        str | None, Header(max_length=_TAGS_CHARACTERS, description="The `ETag` of a copy that is there.")
    ] = None,
) -> Response:
    """Give a version's file back as it came, whole or in parts; a browser saves it and never runs it."""
    library = caller.desk.library
    found = library.document(document_id)
    source = library.source_file(document_id, version)
    caller.desk.audit.write(
        who=caller.name,
        action="document.file",
        document_id=document_id,
        request_id=request.state.request_id,
    )
    name = one_line(found.source_key.rpartition("/")[2] or "document", 200)
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._- ") else "_" for sign in name)
    tag = f'"{source.content_hash}"'
    given = {one.strip().removeprefix("W/") for one in (if_none_match or "").split(",")}
    if given & {tag, "*"}:
        return Response(status_code=304, headers={"ETag": tag})
    return _Original(
        source.path,
        media_type=source.media_type,
        headers={
            "ETag": tag,
            "Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}",
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )


@router.delete(
    "/api/manage/documents/{document_id}", summary="Put aside, or erase", responses=described(404, 422)
)
def delete(
    caller: Manager,
    service: Serving,
    request: Request,
    document_id: DocumentId,
    hard: Annotated[bool, Query(description="Erase it for good, with its versions and files.")] = False,
    answers: Annotated[
        Literal["keep", "redact"],
        Query(description="With `hard`: what becomes of excerpts in stored answers."),
    ] = "redact",
) -> Receipt:
    """Put a document aside, or erase it. Either way its search hits and previews end with this call."""
    library = caller.desk.library
    redacted, kept = 0, 0
    if hard:
        with suppress(NotFoundError):  # what was put aside is not told of
            kept = len(library.versions_of(document_id))
        gone = library.delete(document_id)
        service.images.clear()
        if answers == "redact":
            redacted = library.conversations.redact(document_id, redacted_body(document_id))
        add_compact(caller.desk.jobs)
    else:
        gone = library.trash(document_id)
    caller.desk.audit.write(
        who=caller.name,
        action="document.erase" if hard else "document.trash",
        document_id=document_id,
        request_id=request.state.request_id,
    )
    return Receipt(
        document_id=document_id,
        erased=hard,
        redacted=redacted,
        versions=kept,
        passages=gone.passages,
    )


@router.post(
    "/api/manage/documents/{document_id}/restore",
    summary="Take back what was put aside",
    responses=described(404),
)
def restore(caller: Manager, document_id: DocumentId) -> DocumentBody:
    """Let a document that was put aside be found and opened again."""
    return _body(caller.desk.library.restore(document_id))


# -- taking files in -----------------------------------------------------------------------------


def _take(caller: Caller, collection_id: str, form: FormData, key: str | None) -> JobBody:
    """Bring the files of a form into the store and enter the job."""
    desk = caller.desk
    collection = desk.library.collection_by_id(collection_id)
    files = [one for one in form.getlist("files") if isinstance(one, UploadFile)]
    unknown = sorted(set(form.keys()) - _FIELDS)
    if unknown:
        msg = f"There is no field of that name; there are {', '.join(sorted(_FIELDS))}."
        raise InputError(msg, field=one_line(unknown[0], 40))
    if not files:
        msg = "There is no file in the field `files`."
        raise InputError(msg, field="files")
    if len(files) > desk.library.limits.upload_files:
        msg = f"One request carries at most {desk.library.limits.upload_files:,} files."
        raise LimitError(msg, field="files")
    source_uri, title = _field(form, "source_uri"), _field(form, "title")
    metadata = _metadata(_field(form, "metadata"), desk.library.limits)
    for name, value in (("source_uri", source_uri), ("title", title)):
        if value is not None and len(files) > 1:
            msg = f"`{name}` belongs to one file: add them one by one."
            raise InputError(msg, field=name)
    if source_uri is not None:
        source_uri = _address(source_uri)
    replace = _flag(_field(form, "replace"))
    uploaded = [_store(desk, one) for one in files]
    _check_names(uploaded)
    if not replace:
        for one in uploaded:
            _check_free(desk, collection_id, one, source_uri)
    job = add_ingest(
        desk.jobs,
        collection,
        [
            {
                "name": one.name,
                "file_hash": one.file_hash,
                "source_uri": source_uri,
                "title": title,
                "metadata": metadata,
            }
            for one in uploaded
        ],
        replace=replace,
        key=None if key is None else f"{collection_id}:{normalise(key)}",
    )
    return job_body(job)


def _store(desk: Desk, file: UploadFile) -> Uploaded:
    if not file.filename:
        msg = "A file has a name."
        raise InputError(msg, field="files")
    with desk.uploads.begin(file.filename) as one:
        while chunk := file.file.read(_CHUNK):
            one.write(chunk)
        return one.finish()


def _check_names(files: Sequence[Uploaded]) -> None:
    """Refuse two files of one name in one request: the second would replace the first."""
    seen: set[str] = set()
    for one in files:
        if one.name in seen:
            msg = f"Two files of this request are named {one.name!r}."
            raise SourceTakenError(msg, field="files")
        seen.add(one.name)


def _check_free(desk: Desk, collection_id: str, one: Uploaded, source_uri: str | None) -> None:
    key = source_key(one.name, source_uri)
    try:
        standing = desk.library.document(ids.document_id(collection_id, key))
    except NotFoundError:
        return
    if standing.file != one.file_hash:
        msg = f"Another file is here as {one.name!r} already; send `replace=true`, or give it another name."
        raise SourceTakenError(msg, field="files")


def _address(given: str) -> str:
    found = safe_link(given)
    if found is None:
        msg = "A document's home is an absolute http or https address without a user or password."
        raise InputError(msg, field="source_uri")
    return found


def _field(form: FormData, name: str) -> str | None:
    values = form.getlist(name)
    if not values:
        return None
    value = values[0]
    if len(values) > 1 or not isinstance(value, str):
        msg = f"`{name}` is one text."
        raise InputError(msg, field=name)
    return normalise(value) if value else None


def _flag(value: str | None) -> bool:
    if value in (None, "false"):
        return False
    if value != "true":
        msg = "`replace` is `true` or `false`."
        raise InputError(msg, field="replace")
    return True


def _metadata(value: str | None, limits: Limits) -> dict[str, Any] | None:
    if value is None:
        return None
    try:
        found = json.loads(value)
    except (ValueError, RecursionError) as error:
        msg = "`metadata` is a JSON object."
        raise InputError(msg, field="metadata") from error
    return checked_metadata(found, limits.document_metadata_bytes)


def redacted_body(document_id: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return what takes a document's words out of a stored message that cites it.

    The text of an answer was written from its sources and may quote them, so it goes; of the citations the places and
    the verdicts stay, so that a reader sees what was there. Records of packages keep what they say of trust.
    """

    def change(body: dict[str, Any]) -> dict[str, Any]:
        answer = body.get("answer")
        if not isinstance(answer, dict):
            return body
        emptied: dict[str, Any] = {
            **_without_words(answer),
            "text": "",
            "answer": "",
            "uncited": [],
            "support": None,
        }
        return {**body, "answer": emptied, "redacted": [*body.get("redacted", []), document_id]}

    return change


_EXCERPTS: Final = frozenset(
    {"text", "excerpt", "excerpts", "quote", "written", "title", "source_uri", "source_key", "bibliography"}
)


def _without_words(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return JSON without the words and names of sources."""
    if isinstance(value, list):
        return [_without_words(one) for one in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    return {
        name: without_excerpts(one)
        if name == MOCA
        else _emptied(one)
        if name in _EXCERPTS
        else _without_words(one)
        for name, one in cast("dict[str, Any]", value).items()
    }


def _emptied(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    return "" if isinstance(value, str) else [] if isinstance(value, list) else None


def _body(one: StoredDocument, *, trashed: bool = False) -> DocumentBody:
    return DocumentBody(
        document_id=one.document_id,
        collection_id=one.collection_id,
        collection=one.collection,
        source_uri=one.source_uri or one.source_key,
        title=one.title,
        media_type=one.media_type,
        version=one.version,
        pages=one.pages,
        passages=one.passages,
        language=one.bibliography.language,
        added_at=one.added_at,
        flags=[FlagBody.model_validate(flag) for flag in one.flags],
        metadata=dict(one.metadata),
        status="trashed" if trashed else "flagged" if one.flags else "ready",
    )
