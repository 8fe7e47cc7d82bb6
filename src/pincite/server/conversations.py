"""Conversations: what was asked and answered, with the citations, so that a reload shows them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Path, Query, Response
from pydantic import Field

from pincite.core.errors import ForbiddenError, NotFoundError
from pincite.server._shapes import Shape
from pincite.server.access import Caller, CitationReader
from pincite.server.faults import described

router = APIRouter(tags=["conversations"], responses=described(401, 403, 429, 503))

ConversationId = Annotated[str, Path(max_length=200, description="A conversation's id.")]


class ConversationBody(Shape):
    """A conversation."""

    conversation_id: str
    agent_id: str | None
    title: str | None
    changed_at: datetime
    visitor: bool = Field(default=False, description="It is a visitor's, of an embed.")


class ConversationList(Shape):
    """Conversations, the one that changed last first."""

    conversations: list[ConversationBody]


class MessageBody(Shape):
    """A message; that of an assistant has the answer with its citations."""

    number: int
    role: Literal["user", "assistant", "system", "tool"]
    body: dict[str, Any]
    at: datetime


class MessageList(Shape):
    """The messages of a conversation, in order."""

    conversation_id: str
    messages: list[MessageBody]


class CitedBody(Shape):
    """An answer as the client of a stream has it."""

    number: int = Field(description="The number of the message.")
    message_id: str
    text: str = Field(description="The text with numbers in place of markers.")
    citations: dict[str, Any] = Field(description="The value of `pincite.citations`.")
    highlight: dict[str, Any] | None = Field(description="The value of `pincite.highlight`.")
    moca: dict[str, Any] | None = Field(
        default=None,
        description="The value of `moca.citations`: what it says of trust is of its `computedAt`. Null where no "
        "packages were searched.",
    )


class CitedList(Shape):
    """The answers of a conversation, in order."""

    conversation_id: str
    answers: list[CitedBody]


@router.get("/api/conversations", summary="List conversations", responses=described(404))
def list_all(
    caller: CitationReader,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[
        str | None, Query(max_length=200, description="The last one of the page before.")
    ] = None,
) -> ConversationList:
    """List the tenant's conversations; a visitor sees their own."""
    found = caller.desk.library.conversations.all(owner=caller.visitor, limit=limit, before=before)
    listed = [
        ConversationBody.model_validate(one).model_copy(update={"visitor": one.owner is not None})
        for one in found
    ]
    return ConversationList(conversations=listed)


@router.get(
    "/api/conversations/{conversation_id}/messages", summary="Read a conversation", responses=described(404)
)
def messages(caller: CitationReader, conversation_id: ConversationId) -> MessageList:
    """Read the messages of a conversation with their citations."""
    check_owner(caller, conversation_id)
    found = caller.desk.library.conversations.messages(conversation_id)
    return MessageList(
        conversation_id=conversation_id, messages=[MessageBody.model_validate(one) for one in found]
    )


@router.get(
    "/api/conversations/{conversation_id}/citations",
    summary="Read what a conversation cites",
    responses=described(404),
)
def citations(caller: CitationReader, conversation_id: ConversationId) -> CitedList:
    """Read what each answer cites, as its stream told: for whoever was not there, or reads it again."""
    check_owner(caller, conversation_id)
    found = caller.desk.library.conversations.messages(conversation_id)
    kept = [(one.number, _shown(one.body)) for one in found]
    cited = [CitedBody(number=number, **shown) for number, shown in kept if shown is not None]
    return CitedList(conversation_id=conversation_id, answers=cited)


@router.delete(
    "/api/conversations/{conversation_id}",
    status_code=204,
    summary="Delete a conversation",
    responses=described(404),
)
def delete(caller: CitationReader, conversation_id: ConversationId) -> Response:
    """Delete a conversation with its messages and refs. A key needs the scope `manage`; a visitor deletes their own."""
    check_owner(caller, conversation_id, changes=True)
    caller.desk.library.conversations.delete(conversation_id)
    return Response(status_code=204)


def _shown(body: dict[str, Any]) -> dict[str, Any] | None:
    """Return what a message keeps of what its stream told; None of one that is no answer, or was kept before that."""
    answer: Any = body.get("answer")
    return cast("dict[str, Any]", answer).get("shown") if isinstance(answer, dict) else None


def check_owner(caller: Caller, conversation_id: str, *, changes: bool = False) -> None:
    """Refuse a conversation that is not the caller's.

    Raises:
        NotFoundError: unknown, or another's.
        ForbiddenError: a key that may not change things asks to.
    """
    found = caller.desk.library.conversations.one(conversation_id)
    if caller.visitor is not None and found.owner != caller.visitor:
        msg = "There is no such conversation."
        raise NotFoundError(msg, field="conversation_id")
    if changes and caller.visitor is None and not caller.allows("manage"):
        msg = "This needs an API key with the scope `manage`."
        raise ForbiddenError(msg)
