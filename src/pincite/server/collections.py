"""Collections: made, listed, set and deleted."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field

from pincite.core.errors import ConflictError, InputError, NotFoundError
from pincite.library import Counts, add_compact
from pincite.server._shapes import Asked, Shape, Text
from pincite.server.access import Manager, Reader
from pincite.server.faults import described

if TYPE_CHECKING:
    from pincite.core.protocols import Reranker
    from pincite.library import Collection
    from pincite.server.service import Desk

router = APIRouter(tags=["collections"], responses=described(401, 403, 429, 503))

CollectionId = Annotated[str, Path(max_length=200, description="A collection's id.")]
Threshold = Annotated[
    float | None,
    Field(
        ge=-1.0,
        le=1.0,
        allow_inf_nan=False,
        description="Confidence bar: the rerank score from which a row is `supported`, and under which a search is "
        "broadened and tried again. On the scale of the collection's reranker, -1 to 1 for the built-in one; null "
        "follows the platform's default.",
    ),
]


Embedder = Annotated[
    Text | None,
    Field(
        max_length=255,
        description="Who embeds its passages: the server's embedder by its name, or null for whichever that is.",
    ),
]


class Bar(Shape):
    """The bar that holds, and the scale it is on."""

    reranker: str = Field(description="Who scores.")
    default: float = Field(description="The platform's bar, for collections that have none of their own.")
    lowest: float
    highest: float


class CollectionBody(Shape):
    """A collection."""

    collection_id: str
    name: str
    chunking: Literal["flat", "hierarchical"]
    score_threshold: float | None = Field(
        description="The collection's own bar; null follows the platform's default."
    )
    reranker: str | None = Field(description="The reranker that the bar was set for.")
    embedder: str = Field(description="Who embeds its passages.")
    added_at: datetime | None
    documents: int
    passages: int
    pending_vectors: int = Field(description="Passages that are found by words alone so far.")
    bar: Bar | None = Field(description="What counts now; null where nothing is scored.")


class NewCollection(Asked):
    """A collection to be made."""

    name: Text = Field(min_length=1, max_length=400)
    chunking: Literal["flat", "hierarchical"] = "flat"
    score_threshold: Threshold = None
    embedder: Embedder = None


class CollectionChange(Asked):
    """What is to be set; what is left out stays as it is."""

    name: Text | None = Field(default=None, min_length=1, max_length=400)
    chunking: Literal["flat", "hierarchical"] | None = None
    score_threshold: Threshold = None
    embedder: Embedder = None


class CollectionList(Shape):
    """All collections, by name."""

    collections: list[CollectionBody]


@router.post(
    "/api/manage/collections", status_code=201, summary="Make a collection", responses=described(409, 422)
)
def create(caller: Manager, asked: NewCollection) -> CollectionBody:
    """Make an empty collection; a name stands for one collection."""
    library = caller.desk.library
    if any(one.name == asked.name for one in library.collections()):
        msg = "There is a collection of that name already."
        raise ConflictError(msg, field="name")
    _check_embedder(caller.desk, asked.embedder)
    made = library.collection(asked.name, create=True, chunking=asked.chunking)
    if asked.embedder is not None:
        made = library.set_collection(made.collection_id, embedder=asked.embedder)
    if asked.score_threshold is not None:
        made = _set_bar(caller.desk, made.collection_id, asked.score_threshold)
    return _body(caller.desk, made, Counts())


@router.get("/api/manage/collections", summary="List the collections")
def list_all(caller: Reader) -> CollectionList:
    """List the collections by name, with what they hold."""
    desk = caller.desk
    counts = desk.library.counts(_embedder(desk))
    return CollectionList(
        collections=[
            _body(desk, one, counts.get(one.collection_id, Counts())) for one in desk.library.collections()
        ]
    )


@router.get("/api/manage/collections/{collection_id}", summary="Read a collection", responses=described(404))
@router.get(
    "/collections/{collection_id}", summary="Read a collection (short path)", responses=described(404)
)
def read(caller: Reader, collection_id: CollectionId) -> CollectionBody:
    """Read one collection."""
    return _counted(caller.desk, caller.desk.library.collection_by_id(collection_id))


@router.patch(
    "/api/manage/collections/{collection_id}", summary="Set what is given", responses=described(404, 409, 422)
)
@router.patch(
    "/collections/{collection_id}",
    summary="Set what is given (short path)",
    responses=described(404, 409, 422),
)
def change(caller: Manager, collection_id: CollectionId, asked: CollectionChange) -> CollectionBody:
    """Set what is given. `score_threshold: null` gives the collection back to the platform's default."""
    desk = caller.desk
    given: dict[str, Any] = asked.model_dump(exclude_unset=True)
    for name in ("name", "chunking"):
        if name in given and given[name] is None:
            msg = f"`{name}` cannot be null."
            raise InputError(msg, field=name)
    found = desk.library.collection_by_id(collection_id)
    if "name" in given and any(
        one.name == given["name"] and one.collection_id != found.collection_id
        for one in desk.library.collections()
    ):
        msg = "There is a collection of that name already."
        raise ConflictError(msg, field="name")
    _check_embedder(desk, given.get("embedder"))
    plain = {name: given[name] for name in ("name", "chunking", "embedder") if name in given}
    if plain:
        found = desk.library.set_collection(found.collection_id, **plain)
    if "score_threshold" in given:
        found = _set_bar(desk, found.collection_id, given["score_threshold"])
    return _counted(desk, found)


@router.delete(
    "/api/manage/collections/{collection_id}",
    status_code=204,
    summary="Delete a collection",
    responses=described(404, 409),
)
def delete(
    caller: Manager,
    collection_id: CollectionId,
    documents: Annotated[bool, Query(description="Erase its documents with it.")] = False,
) -> Response:
    """Delete a collection; one that holds documents only with `documents=true`, which erases them for good."""
    library = caller.desk.library
    found = library.collection_by_id(collection_id)
    if not documents and library.documents(found.collection_id):
        msg = "The collection holds documents; delete them first, or ask for `documents=true`."
        raise ConflictError(msg, field="documents")
    library.delete_collection(found.collection_id)
    if documents:
        add_compact(caller.desk.jobs)
    return Response(status_code=204)


def named(desk: Desk, names: list[str] | None) -> list[Collection]:
    """Return the collections of those names or ids, each once; all of the tenant's when there are no names.

    Raises:
        NotFoundError: there is none of such a name.
    """
    there = desk.library.collections()
    if names is None:
        return there
    by_name = {one.name: one for one in there} | {one.collection_id: one for one in there}
    found: dict[str, Collection] = {}
    for name in names:
        one = by_name.get(name)
        if one is None:
            msg = "There is no such collection."
            raise NotFoundError(msg, field="collections")
        found[one.collection_id] = one
    return list(found.values())


def _set_bar(desk: Desk, collection_id: str, bar: float | None) -> Collection:
    reranker = desk.search.reranker
    name = None if bar is None or reranker is None else reranker.name
    return desk.library.set_collection(collection_id, score_threshold=bar, reranker=name)


def _embedder(desk: Desk) -> str:
    return desk.search.embedder.name


def _check_embedder(desk: Desk, name: str | None) -> None:
    """Refuse an embedder that this server has not.

    Raises:
        InputError: it has another one.
    """
    if name is not None and name != _embedder(desk):
        msg = f"This server embeds with {_embedder(desk)!r} and with nothing else."
        raise InputError(msg, field="embedder")


def _counted(desk: Desk, found: Collection) -> CollectionBody:
    counts = desk.library.counts(_embedder(desk))
    return _body(desk, found, counts.get(found.collection_id, Counts()))


def _body(desk: Desk, found: Collection, counts: Counts) -> CollectionBody:
    reranker = desk.search.reranker
    return CollectionBody(
        collection_id=found.collection_id,
        name=found.name,
        chunking=found.chunking,
        score_threshold=found.score_threshold,
        reranker=found.reranker,
        embedder=found.embedder or _embedder(desk),
        added_at=found.added_at,
        documents=counts.documents,
        passages=counts.passages,
        pending_vectors=counts.pending_vectors,
        bar=None if reranker is None else _bar(reranker),
    )


def _bar(reranker: Reranker) -> Bar:
    lowest, highest = reranker.scale
    return Bar(reranker=reranker.name, default=reranker.default_threshold, lowest=lowest, highest=highest)
