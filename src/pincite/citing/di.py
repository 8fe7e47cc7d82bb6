"""Dependency injection through dishka: one store a request, shared by every part of one run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from pincite.citing.configuration import CitationConfiguration
from pincite.citing.conversation import ConversationState
from pincite.citing.factories import (
    AgentDependencyFactory,
    CitationProcessorFactory,
    CitationRunFactory,
    CitationStoreFactory,
)
from pincite.core.errors import InputError, MissingExtraError
from pincite.core.refs import RefIssuer  # noqa: TC001 - dishka reads it at run time

try:
    from dishka import (
        Provider,
        Scope,
        provide,  # pyright: ignore[reportUnknownVariableType] - its overloads are only partly typed
    )
except ImportError as error:
    what = "Dependency injection"
    raise MissingExtraError(what, "di") from error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dishka.dependency_source import Factory


class CitationProvider(Provider):
    """Provides a conversation, and its store, refs, run and processor, all of request scope.

    `configuration` says in which wire format a new conversation is written and what its instruction covers; it is
    provided too. Override `conversation` in another provider to go on with one that was kept.
    """

    scope = Scope.REQUEST

    def __init__(
        self, configuration: CitationConfiguration | None = None, *, component: str | None = None
    ) -> None:
        usual = CitationConfiguration(strategy=ConversationState().wire_format)
        self._configuration = configuration if configuration is not None else usual
        super().__init__(component=component)

    @provide
    def configuration(self) -> CitationConfiguration:
        """Return the settings of this application."""
        return self._configuration

    @provide
    def conversation(self, configuration: CitationConfiguration) -> ConversationState:
        """Return the conversation of this request: a new one."""
        return ConversationState(wire_format=configuration.strategy)

    @provide
    def refs(self, conversation: ConversationState) -> RefIssuer:
        """Return the issuer of this request's conversation."""
        return conversation.refs

    store = provide(CitationStoreFactory.create)
    run = provide(CitationRunFactory.create)
    processor = provide(CitationProcessorFactory.create)


class _Wired(list["Factory"]):
    """What factories make, as dishka's sources. Annotations are read when a container goes through the list.

    By then every class is there that they name, also those that are defined below their factory.
    """

    def __init__(self, made_by: Iterable[type[AgentDependencyFactory]]) -> None:
        super().__init__()
        self._made_by = tuple(made_by)

    def __iter__(self) -> Iterator[Factory]:
        for factory in self._made_by:
            yield from _sources(factory)
        yield from super().__iter__()


def agent_provider(*factories: type[AgentDependencyFactory]) -> Provider:
    """Return a provider of what `factories` make, for a container that has a `CitationProvider` beside it.

    All of it is of request scope; what a factory with `__singleton__` makes, there is once in a request. The
    annotations of `create` may be forward references: they are resolved, in the factory's own module, when a
    container is made.

    Raises:
        InputError: something is no factory; and when the container is made: an annotation of a `create` is missing,
            or names what is not there.
    """
    for factory in factories:
        is_factory = isinstance(factory, type) and issubclass(factory, AgentDependencyFactory)  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        if not (is_factory and callable(getattr(factory, "create", None))):
            name = getattr(factory, "__name__", type(factory).__name__)
            msg = f"{name!r} is no class made from `AgentDependencyFactory` that has a classmethod `create`."
            raise InputError(msg, field="factories")
    provider = Provider(scope=Scope.REQUEST)
    provider.factories = _Wired(factories)
    return provider


def _sources(factory: type[AgentDependencyFactory]) -> Iterable[Factory]:
    made = Provider(scope=Scope.REQUEST)
    try:
        made.provide(cast("Any", factory).create, cache=factory.__singleton__)
    except NameError as error:
        msg = f"`{factory.__name__}.create` names {error.name!r}, which its module does not have."
        raise InputError(msg, field="create") from error
    except (TypeError, ValueError) as error:
        msg = f"`{factory.__name__}.create` needs an annotation on each parameter, and one that says what it makes."
        raise InputError(msg, field="create") from error
    return made.factories
