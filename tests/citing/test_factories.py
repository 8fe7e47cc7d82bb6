"""Factories: the page's own example runs, in one container a run, with its store shared by every part."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dishka import make_async_container, make_container

from pincite.citing import CitationRun, CitationStore, ConversationState
from pincite.citing.configuration import CitationConfiguration
from pincite.citing.di import CitationProvider, agent_provider
from pincite.citing.factories import (
    AgentDependencyFactory,
    CitationProcessorFactory,
    CitationRunFactory,
    CitationStoreFactory,
)
from pincite.citing.messages import ChatMessage
from pincite.citing.processor import CitationProcessor
from pincite.core.errors import InputError

# Word for word the example of the page, but for the two lines that say where to import from.
EXAMPLE = (Path(__file__).resolve().parent.parent / "data" / "my_tools_source.txt").read_text(
    encoding="utf-8"
)
RECORD = {"title": "Leave", "url": "https://docs.example/leave"}


def fetch(_self: object) -> dict[str, str]:
    """Stand in for the system that the records come from."""
    return RECORD


def example(source: str = EXAMPLE) -> dict[str, Any]:
    """Return the namespace of the example, its record fetched."""
    namespace: dict[str, Any] = {"__name__": "example"}
    exec(source, namespace)  # noqa: S102 - the example, as a reader would paste it
    namespace["MyToolsSource"]._MyToolsSource__fetch_record = fetch
    return namespace


def test_the_documentation_shows_the_example() -> None:
    """What is tested here is what a reader copies."""
    page = Path(__file__).resolve().parent.parent.parent / "docs" / "make-citable.md"
    assert EXAMPLE in page.read_text(encoding="utf-8")


def test_the_pages_example_runs_word_for_word() -> None:
    """Its factory is wired by its annotations, the forward one too; what its tool shows resolves."""
    names = example()
    container = make_container(CitationProvider(), agent_provider(names["MyToolsSourceFactory"]))
    with container() as request:
        payload = request.get(names["MyToolsSource"]).my_tool()
        assert payload == {"title": "Leave", "source_url": RECORD["url"]}
        text = f'Ten days [[1]]({payload["source_url"]} "ten days").'
        message = request.get(CitationProcessor).process(ChatMessage(content=text))
    container.close()
    (evidence,) = message.evidences
    assert evidence.document_hit_url == RECORD["url"]
    # `custom_items=[...]` is a list with an ellipsis in it, and that is what comes back.
    assert message.context.custom_items == (...,)


def test_every_component_of_one_run_shares_one_store() -> None:
    """Tool source, run, processor, conversation and whoever asks: one request, one store; another request, another."""
    names = example()
    container = make_container(CitationProvider(), agent_provider(names["MyToolsSourceFactory"]))
    stores: list[CitationStore] = []
    for _ in range(2):
        with container() as request:
            store = request.get(CitationStore)
            assert request.get(CitationStore) is store
            assert request.get(CitationRun).store is store
            assert request.get(CitationProcessor).run is request.get(CitationRun)
            assert request.get(ConversationState).store is store
            for _ in range(2):
                assert request.get(names["MyToolsSource"])._MyToolsSource__citation_store is store
            stores.append(store)
    container.close()
    assert stores[0] is not stores[1]


async def test_an_async_container_does_the_same() -> None:
    """One store a request there too, and a factory may be asynchronous."""
    names = example(
        EXAMPLE.replace("    def create(cls", "    async def create(cls"),
    )
    container = make_async_container(CitationProvider(), agent_provider(names["MyToolsSourceFactory"]))
    stores: list[CitationStore] = []
    for _ in range(2):
        async with container() as request:
            store = await request.get(CitationStore)
            assert (await request.get(CitationRun)).store is store
            source = await request.get(names["MyToolsSource"])
            assert source._MyToolsSource__citation_store is store
            stores.append(store)
    await container.close()
    assert stores[0] is not stores[1]


def test_the_settings_reach_the_run() -> None:
    """The wire format is that of a new conversation, the resources are what the instruction covers."""
    settings = {"citations": {"strategy": "inline_url", "citable_resources": ["search_results", "tags"]}}
    configuration = CitationConfiguration.of(settings)
    container = make_container(CitationProvider(configuration))
    with container() as request:
        run = request.get(CitationRun)
        source = request.get(CitationConfiguration).instruction_source()
        assert source is not None
        assert run.format.name == "inline_url"
        assert run.instructions() == source.instructions()
    container.close()
    plain = make_container(CitationProvider())
    with plain() as request:
        assert request.get(CitationRun).format.name == CitationRun().format.name
        assert request.get(CitationRun).instructions() == CitationRun().instructions()
    plain.close()


class Counter:
    """Something that a factory makes."""


class OneFactory(AgentDependencyFactory):
    """Makes one a request."""

    __singleton__ = True

    @classmethod
    def create(cls) -> Counter:
        """Return a new one."""
        return Counter()


class ManyFactory(AgentDependencyFactory):
    """Makes one for each who asks."""

    @classmethod
    def create(cls) -> Counter:
        """Return a new one."""
        return Counter()


def test_a_singleton_is_one_a_request() -> None:
    """`__singleton__` says whether what was made is kept for the rest of the request; by default it is not."""
    assert AgentDependencyFactory.__singleton__ is False
    assert all(
        factory.__singleton__
        for factory in (CitationStoreFactory, CitationRunFactory, CitationProcessorFactory)
    )
    for factory, kept in ((OneFactory, True), (ManyFactory, False)):
        container = make_container(agent_provider(factory))
        with container() as first, container() as second:
            assert (first.get(Counter) is first.get(Counter)) is kept
            assert first.get(Counter) is not second.get(Counter)
        container.close()


def test_the_page_s_factory_of_the_store_may_be_named() -> None:
    """Listed among an agent's factories it makes the same store again."""
    container = make_container(CitationProvider(), agent_provider(CitationStoreFactory, CitationRunFactory))
    with container() as request:
        assert (
            request.get(CitationStore)
            is request.get(ConversationState).store
            is request.get(CitationRun).store
        )
    container.close()


def test_annotations_are_read_when_the_container_is_made() -> None:
    """A provider may be made before the class stands that its factory names."""
    head, _, tail = EXAMPLE.partition("class MyToolsSource:")
    namespace: dict[str, Any] = {"__name__": "example"}
    exec(head, namespace)  # noqa: S102 - the first half of the example
    provider = agent_provider(namespace["MyToolsSourceFactory"])
    with pytest.raises(InputError, match=r"`MyToolsSourceFactory.create` names 'MyToolsSource'") as caught:
        make_container(CitationProvider(), provider)
    assert caught.value.field == "create"
    exec("class MyToolsSource:" + tail, namespace)  # noqa: S102 - and the second
    container = make_container(CitationProvider(), provider)
    with container() as request:
        assert isinstance(request.get(namespace["MyToolsSource"]), namespace["MyToolsSource"])
    container.close()


def test_all_annotations_may_be_strings() -> None:
    """A module with `from __future__ import annotations` is wired just the same."""
    names = example("from __future__ import annotations\n" + EXAMPLE)
    container = make_container(CitationProvider(), agent_provider(names["MyToolsSourceFactory"]))
    with container() as request:
        assert isinstance(request.get(names["MyToolsSource"]), names["MyToolsSource"])
    container.close()


class Silent(AgentDependencyFactory):
    """Says nothing of what it needs."""

    @classmethod
    def create(cls, store):  # noqa: ANN001, ANN206  # pyright: ignore - that is the fault
        """Return what it was given."""
        return store  # pyright: ignore[reportUnknownVariableType] - and its consequence


class Useless(AgentDependencyFactory):
    """Makes nothing that it names."""

    @classmethod
    def create(cls, store: CitationStore):  # noqa: ANN206 - that is the fault
        """Return what it was given."""
        return store


@pytest.mark.parametrize("factory", [Silent, Useless])
def test_a_missing_annotation_is_a_typed_error(factory: type[AgentDependencyFactory]) -> None:
    """The sentence names the factory."""
    with pytest.raises(InputError, match=f"`{factory.__name__}.create` needs an annotation"):
        make_container(CitationProvider(), agent_provider(factory))


@pytest.mark.parametrize("wrong", [AgentDependencyFactory, CitationStore, None, 5, OneFactory.create])
def test_what_is_no_factory_is_a_typed_error(wrong: Any) -> None:
    """It is refused when the provider is made."""
    with pytest.raises(InputError, match="`AgentDependencyFactory`"):
        agent_provider(wrong)


def test_factories_need_no_container() -> None:
    """They are in the base install: making them loads no dishka."""
    program = (
        "import sys\nfrom pincite.citing.factories import CitationStoreFactory\n"
        "from pincite.citing import ConversationState\n"
        "state = ConversationState()\nassert CitationStoreFactory.create(state) is state.store\n"
        "print('dishka' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
