"""Dependency injection through dishka: one store a request, shared by every part of one run."""

from __future__ import annotations

from pincite.core.errors import MissingExtraError

try:
    from dishka import (
        Provider,
        Scope,
        provide,  # pyright: ignore[reportUnknownVariableType] - its overloads are only partly typed
    )
except ImportError as error:
    what = "Dependency injection"
    raise MissingExtraError(what, "di") from error

from pincite.citing.conversation import ConversationState
from pincite.citing.run import CitationRun
from pincite.citing.store import CitationStore  # noqa: TC001 - dishka reads it at run time
from pincite.core.refs import RefIssuer  # noqa: TC001 - dishka reads it at run time


class CitationProvider(Provider):
    """Provides a conversation, its store, its refs and its run, all of request scope.

    Override `conversation` in another provider to go on with one that was kept.
    """

    scope = Scope.REQUEST

    @provide
    def conversation(self) -> ConversationState:
        """Return the conversation of this request: a new one."""
        return ConversationState()

    @provide
    def store(self, conversation: ConversationState) -> CitationStore:
        """Return the store of this request's conversation."""
        return conversation.store

    @provide
    def refs(self, conversation: ConversationState) -> RefIssuer:
        """Return the issuer of this request's conversation."""
        return conversation.refs

    @provide
    def run(self, conversation: ConversationState) -> CitationRun:
        """Return the run of this request."""
        return CitationRun(conversation=conversation)
