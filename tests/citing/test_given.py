"""Whatever a caller gives in place of what is asked for, the answer is one plain sentence: never a TypeError."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from pincite.citing import (
    CitationConfiguration,
    CitationContextContribution,
    CitationInstructionSource,
    CitationProcessor,
    CitationRun,
    CitationStore,
    ContextItems,
    ConversationState,
    Watch,
    audit,
    match_sentences,
    parse_citations,
    wire_format,
)
from pincite.core.errors import InputError, PinciteError
from pincite.core.given import items_of, maybe, of_kind
from pincite.core.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

VALUES: list[Any] = [None, 5, 1.5, True, "x", b"x", [1], {"a": 1}, object(), int]
HIT = {"content": "Expenses over 100 EUR need approval.", "source_url": "https://a.example/1", "title": "T"}
MESSAGE = {"role": "assistant", "content": "So it is. [deadbeef]"}
SENTENCE = "Expenses over 100 EUR need approval."


def shown(**settings: Any) -> CitationRun:
    """Return a run that has presented something."""
    run = CitationRun(**settings)
    run.present(HIT)
    return run


def cited() -> dict[str, Any]:
    """Return a message that cites something."""
    run = shown()
    return {"role": "assistant", "content": f"So it is. [{next(iter(run.store)).known.ref}]"}


def whole(stream: Any) -> list[Any]:
    """Return all that an asynchronous iterator yields."""

    async def gather() -> list[Any]:
        return [one async for one in stream]

    return asyncio.run(gather())


def registered(**changes: Any) -> object:
    """Register an object with some arguments changed."""
    usual: dict[str, Any] = {"citation_key": "k", "context_hit": {"title": "t"}, "search_hit": None}
    return CitationStore().register_hit(**{**usual, **changes})


def kept(key: str) -> Callable[[Any], object]:
    """Return what loads a conversation with one field changed."""
    return lambda value: ConversationState.load({**shown().conversation.export(), key: value})


CALLS: dict[str, Callable[[Any], object]] = {
    **{
        f"CitationRun({name})": lambda value, name=name: CitationRun(**{name: value}).resolve(
            "So. [[deadbeef]]"
        )
        for name in "wire_format scope conversation resources base_url audit embedder bars limits".split()
    },
    "run.present(hit)": lambda value: CitationRun().present(value),
    "run.present(max_chars)": lambda value: CitationRun().present(HIT, max_chars=value),
    "run.present_context(documents)": lambda value: CitationRun().present_context(value),
    "run.present_context(max_chars)": lambda value: CitationRun().present_context([HIT], max_chars=value),
    "run.present_reference(kind)": lambda value: CitationRun().present_reference(value, {"id": 1}),
    "run.present_reference(item)": lambda value: CitationRun().present_reference("tags", value),
    "run.resolve": lambda value: shown().resolve(value),
    "run.stream": lambda value: whole(shown().stream(value)),
    "run.stream_sync": lambda value: list(shown().stream_sync(value)),
    "run.audit": lambda value: shown().audit(value),
    "resolution.feed": lambda value: shown().resolution().feed(value),
    "CitationStore(refs)": CitationStore,
    **{
        f"register_hit({name})": lambda value, name=name: registered(**{name: value})
        for name in "citation_key context_hit search_hit evidence_url context_contribution known".split()
    },
    "store.register(hit)": lambda value: CitationStore().register(value),
    "store.register(names)": lambda value: CitationStore().register(next(iter(shown().store)), value),
    "store.register_numbered(identity)": lambda value: CitationStore().register_numbered(
        value, lambda _: next(iter(shown().store))
    ),
    "store.register_reference(url)": lambda value: CitationStore().register_reference(value, "t", "tags"),
    "store.register_reference(title)": lambda value: CitationStore().register_reference(
        "/tags/1", value, "tags"
    ),
    **{
        f"store.{name}": lambda value, name=name: getattr(shown().store, name)(value)
        for name in (
            "get get_hit_by_short_id get_hit_by_number get_hit_by_document_id look_up find reference issue_number"
        ).split()
    },
    "in store": lambda value: value in shown().store,
    "CitationStore.load": CitationStore.load,
    **{
        f"ConversationState({name})": lambda value, name=name: CitationRun(
            conversation=ConversationState(**{name: value})
        )
        for name in "wire_format store ledger used".split()
    },
    "ConversationState.use": lambda value: ConversationState().use(value),
    "ConversationState.load": ConversationState.load,
    **{f"ConversationState.load[{key}]": kept(key) for key in shown().conversation.export()},
    "CitationProcessor(source)": CitationProcessor,
    "CitationProcessor(wire_format)": lambda value: CitationProcessor(CitationRun(), wire_format=value),
    "CitationProcessor(limits)": lambda value: CitationProcessor(CitationRun(), limits=value),
    "processor.answer": lambda value: CitationProcessor(shown()).answer(value),
    "processor.process": lambda value: CitationProcessor(shown()).process(value),
    **{
        f"processor.process[{name}]": lambda value, name=name: CitationProcessor(shown()).process(
            {**cited(), name: value}
        )
        for name in "content content_parts role sender evidences message_id".split()
    },
    "processor.stream": lambda value: whole(CitationProcessor(shown()).stream(value)),
    "processor.stream_sync": lambda value: list(CitationProcessor(shown()).stream_sync(value)),
    "processor.history": lambda value: CitationProcessor(shown()).history(value),
    "CitationConfiguration.of": CitationConfiguration.of,
    "CitationConfiguration(strategy)": CitationConfiguration,
    "CitationConfiguration(citable_resources)": lambda value: CitationConfiguration(citable_resources=value),
    "CitationConfiguration(only)": lambda value: CitationConfiguration(only=value),
    **{
        f"CitationConfiguration.of[{name}]": lambda value, name=name: CitationConfiguration.of(
            {"citations": {name: value}}
        )
        for name in "enabled strategy wire_format citable_resources".split()
    },
    "configuration.processor": lambda value: CitationConfiguration().processor(value),
    "CitationInstructionSource": CitationInstructionSource,
    "CitationInstructionSource(resources)": lambda value: CitationInstructionSource("ref", value),
    "CitationContextContribution(ids)": CitationContextContribution,
    "CitationContextContribution(items)": lambda value: CitationContextContribution(custom_items=value),
    "ContextItems |": lambda value: ContextItems() | value,
    "ContextItems.without": lambda value: ContextItems().without(value),
    "Watch(store)": lambda value: Watch(value, "ref"),
    "Watch(wire_format)": lambda value: Watch(CitationStore(), value),
    "watch.breaches": lambda value: Watch(CitationStore(), "ref").breaches(value),
    "audit(payloads)": lambda value: audit(value, store=CitationStore(), wire_format="ref"),
    "audit(store)": lambda value: audit({}, store=value, wire_format="ref"),
    "audit(instructions)": lambda value: audit(
        {}, store=CitationStore(), wire_format="ref", instructions=value
    ),
    "wire_format": wire_format,
    "parse_citations(text)": parse_citations,
    "parse_citations(formats)": lambda value: parse_citations("So it is.", value),
    "match_sentences(text)": lambda value: match_sentences(value, [("k", SENTENCE)]),
    "match_sentences(passages)": lambda value: match_sentences(SENTENCE, value),
    **{
        f"match_sentences({name})": lambda value, name=name: match_sentences(
            SENTENCE, [("k", SENTENCE)], **{name: value}
        )
        for name in "skipped titles embedder bars limits".split()
    },
}


@pytest.mark.parametrize("name", CALLS)
def test_a_value_of_another_type_is_an_error_of_ours_or_none(name: str) -> None:
    """Each argument of each public function, with each kind of value: it works, or a sentence says what is wrong."""
    for value in VALUES:
        said = "."
        try:
            CALLS[name](value)
        except PinciteError as error:
            said = error.message
        assert said.endswith("."), value
        assert "\n" not in said


def wrong(call: Callable[..., object], *given: Any, **named: Any) -> Callable[[], object]:
    """Return a call that no type checker would let pass."""
    return lambda: call(*given, **named)


@pytest.mark.parametrize(
    ("call", "said", "field"),
    [
        (wrong(CitationRun, base_url=5), "`base_url` is a string, not int.", "base_url"),
        (wrong(CitationRun, limits={}), "`limits` is a `Limits`, not dict.", "limits"),
        (
            wrong(CitationRun, embedder=5),
            "`embedder` is an embedder, with a method `embed`, not int.",
            "embedder",
        ),
        (wrong(CitationRun, scope="a"), "A scope is a collection of document ids or keys, not str.", "scope"),
        (
            wrong(CitationRun().present, HIT, max_chars="x"),
            "`max_chars` is a number of code points, one or more.",
            "max_chars",
        ),
        (
            wrong(CitationRun().present_context, HIT),
            "`documents` is a list of hits or the context of an answer, not dict.",
            "documents",
        ),
        (wrong(match_sentences, None, []), "An answer is a string, not NoneType.", "text"),
        (
            wrong(match_sentences, "A.", ["ab"]),
            "`passages` is pairs of a key and a text, not str.",
            "passages",
        ),
        (wrong(CitationStore().look_up, None), "`written` is a string, not None.", "written"),
        (wrong(CitationStore().get, []), "`key` is a string, not list.", "key"),
    ],
)
def test_the_sentence_says_what_is_asked_for_and_what_was_given(
    call: Callable[[], object], said: str, field: str
) -> None:
    """One sentence, and the argument at fault."""
    with pytest.raises(InputError) as caught:
        call()
    assert (caught.value.message, caught.value.field) == (said, field)


def test_a_scope_may_be_any_collection_of_ids() -> None:
    """A run takes what the check takes."""
    document = next(iter(shown().store)).known.document_id
    assert document is not None
    run = shown(scope=[document])
    assert isinstance(run.scope, Scope)
    assert document in run.scope


def test_what_is_of_the_kind_comes_back() -> None:
    """The helpers return what they were given."""
    assert of_kind("x", str, "a", "a string") == "x"
    assert maybe(None, str, "a", "a string") is None
    assert maybe("x", str, "a", "a string") == "x"
    assert items_of([1], "a", "a list") == [1]
    for value in ("ab", b"ab", {"a": 1}, 5, None):
        with pytest.raises(InputError, match="`a` is a list, not"):
            items_of(value, "a", "a list")
