"""Factories: how an agent's parts are made for one run, each wired by the annotations of its `create`.

They know no container; `pincite.citing.di` puts them into one.
"""

from __future__ import annotations

from typing import ClassVar

from pincite.citing.configuration import CitationConfiguration  # noqa: TC001 - a container reads it at run time
from pincite.citing.conversation import ConversationState  # noqa: TC001 - the same
from pincite.citing.processor import CitationProcessor
from pincite.citing.run import CitationRun
from pincite.citing.store import CitationStore  # noqa: TC001 - the same


class AgentDependencyFactory:
    """The base of factories.

    A factory has a classmethod `create`: its parameters are what it needs, its return annotation what it makes. With
    `__singleton__` there is one of it in a run, else everybody who asks gets their own.
    """

    __singleton__: ClassVar[bool] = False


class CitationStoreFactory(AgentDependencyFactory):
    """Makes the store of a run: that of its conversation, for all of its parts."""

    __singleton__ = True

    @classmethod
    def create(cls, conversation: ConversationState) -> CitationStore:
        """Return the conversation's store."""
        return conversation.store


class CitationRunFactory(AgentDependencyFactory):
    """Makes the run of a conversation's turn."""

    __singleton__ = True

    @classmethod
    def create(cls, conversation: ConversationState, configuration: CitationConfiguration) -> CitationRun:
        """Return a run over the conversation, whose instruction covers what is configured."""
        return CitationRun(conversation=conversation, resources=configuration.citable_resources)


class CitationProcessorFactory(AgentDependencyFactory):
    """Makes what resolves the messages of a run."""

    __singleton__ = True

    @classmethod
    def create(cls, run: CitationRun) -> CitationProcessor:
        """Return a processor over the run."""
        return CitationProcessor(run)
