"""Citations: the preview of a cited passage, and the image of its page.

Unknown, foreign, expired and deleted are one answer, found by the same look-up.
"""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from pincite.citing import ConversationState
from pincite.core.errors import InputError, NotFoundError
from pincite.core.ids import is_uuid
from pincite.core.text import normalise
from pincite.core.verdicts import SourceState
from pincite.server._shapes import Shape
from pincite.server.access import CitationReader, Serving
from pincite.server.conversations import check_owner
from pincite.server.faults import described
from pincite.showing import (
    DocumentPages,
    Viewer,
    chosen_words,
    citation_image,
    highlight_of,
    image_options,
    preview_of,
    quoted_words,
)

if TYPE_CHECKING:
    from pincite.core.passage import Passage
    from pincite.library import StoredDocument
    from pincite.server.access import Caller
    from pincite.server.service import Service
    from pincite.showing import Highlight

router = APIRouter(tags=["citations"], responses=described(401, 403, 404, 422, 429, 503))

ChunkId = Annotated[
    str, Path(max_length=200, description="A passage's `chunk_id`; with `conversation`, its `ref` there too.")
]
Version = Annotated[
    str | None,
    Query(max_length=64, description="The version to show it in; the newest that holds it if not given."),
]
Conversation = Annotated[
    str | None, Query(max_length=200, description="The conversation in which the path's ref was issued.")
]
Question = Annotated[
    str | None, Query(max_length=4_000, description="Light the part of the passage that answers this best.")
]
Quote = Annotated[
    str | None, Query(max_length=20_000, description="Light these words, where the passage has them.")
]
_IMAGE_OPTIONS: Final = ("mode", "page", "width", "format", "dpi")
_PARAMETERS: Final = frozenset({"version", "conversation", "q", "quote"})
_GRANT_OF_KEYS: Final = "key"


class BoxBody(Shape):
    """A rectangle in fractions (0 to 1) of the page as a reader sees it, from the top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class HighlightBody(Shape):
    """The words to light: code points of the passage's text, their boxes, and where just they stand."""

    start: int
    end: int
    boxes: list[BoxBody]
    locator: dict[str, Any] | None
    text: str = Field(description="The words as the snippet has them.")


class PreviewBody(Shape):
    """Everything that a citation panel needs, but the image."""

    chunk_id: str
    document_id: str
    collection: str
    collection_id: str
    source_uri: str
    page: int | None
    section: str | None
    snippet: str
    boxes: list[BoxBody]
    has_image: bool
    page_end: int | None
    page_label: str | None
    page_width: float | None = Field(description="Points, of 72 to the inch.")
    page_height: float | None
    rotation: int | None
    source_state: SourceState = Field(
        description="`superseded`: the source has changed since, and this is what it said."
    )
    highlight: HighlightBody | None
    columns: str | None = Field(description="The header of a table of which the passage holds later rows.")


@router.get("/api/manage/citations/{chunk_id}/preview", summary="Preview a citation")
def preview(
    caller: CitationReader,
    service: Serving,
    request: Request,
    chunk_id: ChunkId,
    version: Version = None,
    conversation: Conversation = None,
    q: Question = None,
    quote: Quote = None,
) -> PreviewBody:
    """Say where a cited passage stands, what it says, and which words to light."""
    passage, document = cited(caller, chunk_id, version, conversation)
    _audit(service, caller, request, "citation.preview", passage)
    library = caller.desk.library
    frames = library.frames(passage.document_id, passage.version)
    media_type = document.media_type
    if frames:
        media_type = library.source_file(passage.document_id, passage.version).media_type
    found = preview_of(
        passage,
        collection=document.collection,
        collection_id=document.collection_id,
        source_uri=document.source_uri or document.source_key,
        frames=frames,
        media_type=media_type,
        state=_state(passage, document),
        highlight=_highlight(service, caller, passage, q, quote),
        limits=library.limits,
    )
    return PreviewBody.model_validate(found.as_dict())


@router.get(
    "/api/manage/citations/{chunk_id}/preview/image",
    summary="The cited page",
    response_class=Response,
    responses={
        200: {
            "description": "The page with the cited words outlined.",
            "content": {"image/png": {}, "image/webp": {}, "image/jpeg": {}},
        },
        304: {"description": "It is the image that you have."},
    },
)
def image(
    caller: CitationReader,
    service: Serving,
    request: Request,
    chunk_id: ChunkId,
    mode: Annotated[
        str, Query(max_length=20, description="`page`, or `crop` for the region alone.")
    ] = "page",
    page: Annotated[
        str | None, Query(max_length=9, description="A page, where it stands on several.")
    ] = None,
    width: Annotated[str | None, Query(max_length=9, description="Pixels.")] = None,
    dpi: Annotated[str | None, Query(max_length=9, description="Dots an inch, in place of `width`.")] = None,
    format: Annotated[str, Query(max_length=9, description="`png`, `webp` or `jpeg`.")] = "png",  # noqa: A002 - its name on the wire
    version: Version = None,
    conversation: Conversation = None,
    q: Question = None,
    quote: Quote = None,
) -> Response:
    """Return the cited page with the words outlined. 404 is no fault: there is no image, so show the snippet."""
    given = {"mode": mode, "page": page, "width": width, "dpi": dpi, "format": format}
    unknown = sorted(set(request.query_params) - set(_IMAGE_OPTIONS) - _PARAMETERS)
    asked: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    asked |= dict.fromkeys(unknown, "")
    # Anything but a known option is told before the passage is looked at: it says nothing of what there is.
    options = image_options(asked, limits=service.limits)
    passage, _ = cited(caller, chunk_id, version, conversation)
    _audit(service, caller, request, "citation.image", passage)
    library = caller.desk.library
    source = library.source_file(passage.document_id, passage.version)
    made = citation_image(
        passage,
        options,
        renderer=service.pool,
        source=source,
        frames=library.frames(passage.document_id, passage.version),
        highlight=_highlight(service, caller, passage, q, quote),
        viewer=Viewer(caller.desk.tenant, caller.visitor or _GRANT_OF_KEYS),
        cache=service.images,
        limits=library.limits,
    )
    etag = f'"{hashlib.sha256(made.data).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache", "X-Page": str(made.page)}
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(made.data, media_type=made.media_type, headers=headers)


def cited(
    caller: Caller, name: str, version: str | None, conversation: str | None
) -> tuple[Passage, StoredDocument]:
    """Return the passage that a caller may see under that name, with its document.

    Raises:
        NotFoundError: unknown, foreign, expired and deleted alike.
    """
    try:
        return _cited(caller, normalise(name), version, conversation)
    except (NotFoundError, InputError) as error:
        raise no_citation() from error


def no_citation() -> NotFoundError:
    """Return the one answer for every citation that cannot be opened."""
    return NotFoundError("There is no such citation.")


def _cited(
    caller: Caller, name: str, version: str | None, conversation: str | None
) -> tuple[Passage, StoredDocument]:
    library = caller.desk.library
    chunk_id = name if is_uuid(name) else _chunk_of(caller, name, conversation)
    if caller.visitor is not None:
        granted = caller.desk.grants.versions(caller.visitor, chunk_id)
        if version is not None:
            granted = [one for one in granted if one == version]
        if not granted:
            raise no_citation()
        current = library.document(library.passage(chunk_id, granted[0]).document_id).version
        version = current if current in granted else granted[0]
    passage = library.passage(chunk_id, version)
    return passage, library.document(passage.document_id)


def _chunk_of(caller: Caller, ref: str, conversation: str | None) -> str:
    """Return the passage that a ref stands for in a conversation of the caller's."""
    if conversation is None:
        raise no_citation()
    check_owner(caller, conversation)
    state = caller.desk.library.load_conversation(conversation)
    chunk_id = None if state is None else ConversationState.load(state).refs.chunk_of(ref)
    if chunk_id is None:
        raise no_citation()
    return chunk_id


def _state(passage: Passage, document: StoredDocument) -> SourceState:
    return SourceState.CURRENT if passage.version == document.version else SourceState.SUPERSEDED


def _highlight(
    service: Service, caller: Caller, passage: Passage, question: str | None, quote: str | None
) -> Highlight | None:
    """Return the words to light, None where nothing was asked for."""
    words = None if not quote else quoted_words(passage.text, [quote])
    if words is None and question and question.strip():
        asked = normalise(question)[: service.limits.query_code_points]
        words = chosen_words(passage.text, question=asked, best_span=caller.desk.search.best_span)
    if words is None:
        return None
    return _lit(service, caller, passage, words)


def _lit(service: Service, caller: Caller, passage: Passage, words: tuple[int, int]) -> Highlight:
    library, key = caller.desk.library, (passage.document_id, passage.version)
    layouts = library.page_layouts(*key, service.pool)
    pages = DocumentPages(library.outlined(*key), library.source_file(*key), layouts)
    return highlight_of(passage, words, pages=pages)


def lit_words(
    service: Service, caller: Caller, chunk_id: str, version: str | None, quote: str
) -> dict[str, Any] | None:
    """Return where words of a passage stand: `start` and `end` in the passage, and their boxes; None where nowhere."""
    try:
        passage = caller.desk.library.passage(chunk_id, version)
    except NotFoundError:
        return None
    words = quoted_words(passage.text, [quote])
    if words is None:
        return None
    found = _lit(service, caller, passage, words)
    return {
        "chunk_id": chunk_id,
        "version": passage.version,
        "start": found.start,
        "end": found.end,
        "boxes": [asdict(box) for box in found.boxes],
    }


def _audit(service: Service, caller: Caller, request: Request, action: str, passage: Passage) -> None:
    service.trail.note(
        caller.desk.audit,
        caller.name,
        action,
        document_id=passage.document_id,
        chunk_id=passage.chunk_id,
        request_id=request.state.request_id,
    )
