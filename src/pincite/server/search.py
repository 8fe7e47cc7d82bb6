"""Search: a question in, rows out, exactly as the reader's page has them."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import APIRouter
from pydantic import AwareDatetime, Field, StrictBool, StrictFloat, StrictInt, StrictStr

from pincite.citing import CitationRun, ConversationState
from pincite.core.limits import DEFAULT
from pincite.core.refs import RefIssuer
from pincite.library import DocumentFilter
from pincite.server._shapes import Asked, Shape, Text
from pincite.server.access import Searcher, Serving
from pincite.server.collections import named
from pincite.server.faults import described
from pincite.server.observing import count_search, span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.hit import Hit
    from pincite.library import Collection
    from pincite.search import SearchResult
    from pincite.server.access import Caller
    from pincite.server.turns import Turns

router = APIRouter(tags=["search"], responses=described(401, 403, 429, 503))

Value = StrictBool | StrictInt | StrictFloat | StrictStr
_NAMES: Final = 1_000
Name = Annotated[Text, Field(max_length=2_000)]


class Filters(Asked):
    """What the documents must be that are searched: one of each list that is given."""

    document_ids: list[Name] = Field(default_factory=list[str], max_length=_NAMES)
    source_uris: list[Name] = Field(default_factory=list[str], max_length=_NAMES)
    media_types: list[Name] = Field(default_factory=list[str], max_length=_NAMES)
    languages: list[Name] = Field(
        default_factory=list[str], max_length=_NAMES, description="As `en`, which stands for `en-GB` too."
    )
    metadata: dict[Name, Value | list[Value]] = Field(
        default_factory=dict[str, Any],
        max_length=100,
        description="What was given with the files: for each name a value, or several of which one is enough.",
    )
    added_after: AwareDatetime | None = None
    added_before: AwareDatetime | None = None


class SearchRequest(Asked):
    """A question, and where to look."""

    query: Text = Field(
        min_length=1, description=f"At most {DEFAULT.query_code_points:,} characters by default."
    )
    collections: list[Name] | None = Field(
        default=None, max_length=_NAMES, description="Names or ids; all of the tenant's when left out."
    )
    limit: int = Field(default=8, ge=1, le=DEFAULT.results)
    filters: Filters | None = None
    conversation_id: Text | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="The conversation in which the refs of the rows are unlike one another; a new one when left out.",
    )


class Row(Shape):
    """A passage, and everything that is needed to address it."""

    ref: str = Field(description="What a model writes in square brackets to cite the passage.")
    chunk_id: str
    document_id: str
    content: str
    source_uri: str = Field(description="What a link is made from; never shown to a reader.")
    collection: str
    metadata: dict[str, Any] = Field(
        description="Where it stands: `page`, `page_end`, `section` and the like."
    )
    confidence: Literal["supported", "weak"] | None = Field(
        description="Whether the score reached the collection's bar; null when nothing was scored."
    )


class SearchReply(Shape):
    """The rows of a search, best first."""

    results: list[Row]
    broadened: bool = Field(
        description="Nothing reached its bar at first, so the search was widened once and judged again."
    )
    conversation_id: str
    warnings: list[str] = Field(description="What else is to be known, each a sentence.")


@router.post("/api/manage/search", summary="Search", responses=described(404, 422))
def search(caller: Searcher, service: Serving, asked: SearchRequest) -> SearchReply:
    """Return the passages that fit a question best; weak ones are marked and never left out."""
    found = look(
        service.turns,
        caller,
        asked.query,
        collections=named(caller.desk, asked.collections),
        limit=asked.limit,
        filters=asked.filters,
    )
    conversation_id = asked.conversation_id or new_conversation()
    hits = shown(caller, conversation_id, found.hits)
    return SearchReply(
        results=[Row.model_validate(hit.row()) for hit in hits],
        broadened=found.broadened,
        conversation_id=conversation_id,
        warnings=list(found.warnings),
    )


def new_conversation() -> str:
    """Return the id of a conversation that nobody can guess."""
    return secrets.token_urlsafe(18)


def look(
    turns: Turns,
    caller: Caller,
    question: str,
    *,
    collections: Sequence[Collection],
    limit: int,
    filters: Filters | None,
) -> SearchResult:
    """Search for a caller; the refs of the hits are provisional until `shown` has issued them."""
    desk = caller.desk
    documents = None
    if filters is not None and filters.model_fields_set:
        wanted = DocumentFilter(
            document_ids=filters.document_ids,
            source_uris=filters.source_uris,
            media_types=filters.media_types,
            languages=filters.languages,
            metadata=filters.metadata,
            added_after=filters.added_after,
            added_before=filters.added_before,
        )
        documents = desk.library.matching([one.collection_id for one in collections], wanted)
    with turns.one(), span("search", collections=len(collections), limit=limit) as current:
        found = desk.search.search(
            question, collections=collections, limit=limit, refs=RefIssuer(), documents=documents
        )
        current.set_attribute("pincite.rows", len(found.hits))
    desk.scores.note(found.best)
    scored = any(hit.confidence is not None for hit in found.hits)
    count_search(scored=scored, broadened=found.broadened, rows=len(found.hits))
    return found


def shown(caller: Caller, conversation_id: str, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits with the refs of a conversation, which keeps them; a visitor may open them from now on.

    Raises:
        NotFoundError: the conversation is another's.
    """
    desk = caller.desk
    issued: list[Hit] = []

    def change(kept: dict[str, Any] | None) -> dict[str, Any]:
        state = ConversationState() if kept is None else ConversationState.load(kept)
        run = CitationRun(conversation=state, limits=desk.library.limits)
        issued[:] = [replace(hit, ref=state.refs.issue(hit.chunk_id)) for hit in hits]
        for hit in issued:
            run.present(hit)
        return state.export()

    desk.library.conversations.update(conversation_id, change, owner=caller.visitor)
    grant(caller, issued)
    return issued


def grant(caller: Caller, hits: Sequence[Hit]) -> None:
    """Let a visitor open the passages that a search returned; a key needs no grant."""
    if caller.visitor is not None:
        pairs = [(hit.chunk_id, hit.version) for hit in hits]
        caller.desk.grants.give(caller.visitor, pairs, caller.desk.library.limits.grant_seconds)
