"""What recent searches of a collection scored: counts for whoever sets its bar, and nothing of what was asked."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field

from pincite.server._shapes import Shape
from pincite.server.access import Manager
from pincite.server.collections import CollectionId
from pincite.server.faults import described

router = APIRouter(tags=["collections"], responses=described(401, 403, 429, 503))


class ScoresBody(Shape):
    """How the best scores of recent searches lie on the scale of the reranker."""

    reranker: str | None = Field(description="Who scores; null where nothing is scored.")
    lowest: float | None
    highest: float | None
    searches: int = Field(description="Searches that were counted, since this process began.")
    counts: list[int] = Field(description="Of each part of the scale, from the lowest: parts of one width.")


@router.get(
    "/api/manage/collections/{collection_id}/scores",
    summary="What recent searches scored",
    responses=described(404),
)
def read_scores(caller: Manager, collection_id: CollectionId) -> ScoresBody:
    """Count the best scores of recent searches of a collection, as this process saw them; no question is kept."""
    desk = caller.desk
    found = desk.library.collection_by_id(collection_id)
    reranker = desk.search.reranker
    if reranker is None:
        return ScoresBody(reranker=None, lowest=None, highest=None, searches=0, counts=[])
    lowest, highest = reranker.scale
    counts = desk.scores.counts(found.collection_id, lowest, highest)
    return ScoresBody(
        reranker=reranker.name, lowest=lowest, highest=highest, searches=sum(counts), counts=counts
    )
