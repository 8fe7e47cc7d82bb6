"""Stored agents and workflows: their settings, and what ends with them."""

from __future__ import annotations

from dataclasses import fields
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from still_clock import NOON, StillClock

from pincite.core.errors import InputError, LimitError, NotFoundError
from pincite.core.limits import Limits
from pincite.library import KEEP, Directory, Embeds, Library, StoredAgent, StoredAgents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Use = Callable[[str], object]

PEPPER = b"pepper"


@pytest.fixture
def clock() -> StillClock:
    """The clock of `library`."""
    return StillClock()


@pytest.fixture
def library(home: Path, clock: StillClock) -> Iterator[Library]:
    """A library at noon."""
    limits = Limits(
        agent_collections=2, agent_resources=2, agent_instructions_code_points=10, agent_processor_bytes=20
    )
    with Library.open(home, clock=clock, limits=limits) as opened:
        yield opened


@pytest.fixture
def stored(library: Library) -> StoredAgents:
    """The library's agents."""
    return StoredAgents(library)


def test_an_agent_without_settings(stored: StoredAgents) -> None:
    """It has a name and a wire format; the rest is the platform's."""
    made = stored.create(" Helper ", wire_format="ref")
    expected = StoredAgent(
        made.agent_id,
        kind="agent",
        name="Helper",
        collections=(),
        wire_format="ref",
        model=None,
        highlight="best_match",
        instructions="",
        citable_resources=None,
        citation_processor={},
        created_at=NOON,
        changed_at=NOON,
    )
    assert made == expected == stored.one(made.agent_id)
    assert stored.all() == [made]


def test_every_setting_is_kept(library: Library, stored: StoredAgents) -> None:
    """As it was given; what is listed twice is listed once."""
    one, two = library.collection("one").collection_id, library.collection("two").collection_id
    made = stored.create(
        "Line",
        kind="workflow",
        collections=[two, one, two],
        wire_format="short_id",
        model="openai:gpt-5",
        highlight="whole_passage",
        instructions="Be\r\nbrief.",
        citable_resources=["tags", "documents", "tags"],
        citation_processor={"repair": False},
    )
    assert made.kind == "workflow"
    assert made.collections == (two, one)
    assert made.wire_format == "short_id"
    assert made.model == "openai:gpt-5"
    assert made.highlight == "whole_passage"
    assert made.instructions == "Be\nbrief."
    assert made.citable_resources == ("tags", "documents")
    assert made.citation_processor == {"repair": False}
    assert stored.one(made.agent_id) == made


def test_no_resource_is_not_every_resource(stored: StoredAgents) -> None:
    """An empty list stays one, and None stays None, through a change and back."""
    made = stored.create("x", wire_format="ref", citable_resources=[])
    assert made.citable_resources == ()
    assert stored.change(made.agent_id, citable_resources=None).citable_resources is None
    assert stored.change(made.agent_id, name="y").citable_resources is None
    assert stored.change(made.agent_id, citable_resources=()).citable_resources == ()


def test_what_is_kept_stays(library: Library, stored: StoredAgents, clock: StillClock) -> None:
    """Each setting alone may be changed, which is noted; a change of nothing is none."""
    made = stored.create("x", wire_format="ref", model="m")
    collection = library.collection("one").collection_id
    clock.wait(5)
    assert stored.change(made.agent_id) == made
    assert stored.change(made.agent_id, name=KEEP, model=KEEP) == made
    changes: list[tuple[str, Any, Any]] = [
        ("kind", "workflow", "workflow"),
        ("name", "y", "y"),
        ("collections", [collection], (collection,)),
        ("wire_format", "short_id", "short_id"),
        ("model", None, None),
        ("highlight", "models_quote", "models_quote"),
        ("instructions", "Please.", "Please."),
        ("citable_resources", ["tags"], ("tags",)),
        ("citation_processor", {"a": 1}, {"a": 1}),
    ]
    for field, given, expected in changes:
        before = stored.one(made.agent_id)
        clock.wait(5)
        changed = stored.change(made.agent_id, **{field: given})
        assert getattr(changed, field) == expected
        assert changed.changed_at == before.changed_at + timedelta(seconds=10 if before == made else 5)
        same = [one.name for one in fields(StoredAgent) if one.name not in {field, "changed_at"}]
        assert [getattr(changed, name) for name in same] == [getattr(before, name) for name in same]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "robot"),
        ("kind", None),
        ("name", ""),
        ("name", "two\nlines"),
        ("name", None),
        ("collections", None),
        ("collections", "x"),
        ("collections", [None]),
        ("wire_format", ""),
        ("wire_format", "x" * 65),
        ("wire_format", None),
        ("model", ""),
        ("model", 7),
        ("highlight", "all"),
        ("highlight", None),
        ("instructions", None),
        ("citable_resources", "tags"),
        ("citable_resources", [""]),
        ("citation_processor", []),
        ("citation_processor", {"a": float("inf")}),
    ],
)
def test_other_settings_are_refused(stored: StoredAgents, field: str, value: Any) -> None:
    """When it is made and when it is changed, and then nothing was."""
    made = stored.create("x", wire_format="ref")
    given: dict[str, Any] = {field: value}
    settings: dict[str, Any] = {"name": "y", "wire_format": "ref"} | given
    with pytest.raises(InputError) as caught:
        stored.change(made.agent_id, **given)
    assert caught.value.field == field
    with pytest.raises(InputError):
        stored.create(**settings)
    assert stored.all() == [made]


@pytest.mark.parametrize(
    ("field", "fits", "too_much"),
    [
        ("instructions", "x" * 10, "x" * 11),
        ("citable_resources", ["a", "b"], ["a", "b", "c"]),
        ("citation_processor", {"a": "x" * 12}, {"a": "x" * 13}),
    ],
)
def test_settings_are_bounded(stored: StoredAgents, field: str, fits: Any, too_much: Any) -> None:
    """By the limits that are named for them."""
    made = stored.create("x", wire_format="ref", **{field: fits})
    given: dict[str, Any] = {field: too_much}
    with pytest.raises(LimitError) as caught:
        stored.change(made.agent_id, **given)
    assert caught.value.field == field


def test_collections_are_the_tenants_own(library: Library, stored: StoredAgents) -> None:
    """Not unknown ones, deleted ones or another tenant's; and only so many."""
    own = [library.collection(name).collection_id for name in ("one", "two", "three")]
    gone = library.collection("gone").collection_id
    library.delete_collection(gone)
    foreign = library.of_tenant("other").collection("one").collection_id
    made = stored.create("x", wire_format="ref", collections=own[:2])
    for unknown in (gone, foreign, "x", own[0].upper()):
        with pytest.raises(NotFoundError) as caught:
            stored.change(made.agent_id, collections=[own[0], unknown])
        assert caught.value.field == "collections"
        with pytest.raises(NotFoundError):
            stored.create("y", wire_format="ref", collections=[unknown])
    with pytest.raises(LimitError):
        stored.change(made.agent_id, collections=own)
    assert stored.all() == [made]


def test_its_embeds_end_with_it(library: Library, stored: StoredAgents, clock: StillClock) -> None:
    """Their keys are unknown with that call; another agent's stand; what was revoked before stays as it was."""
    made, other = (stored.create(name, wire_format="ref") for name in ("x", "y"))
    embeds = Embeds(library, PEPPER)
    before, _ = embeds.create(made.agent_id, "before")
    embeds.revoke(before.embed_id)
    clock.wait(5)
    live, key = embeds.create(made.agent_id, "live")
    theirs, their_key = embeds.create(other.agent_id, "theirs")
    clock.wait(5)
    assert stored.delete(made.agent_id) == made
    assert stored.all() == [other]
    uses: list[Use] = [stored.one, stored.delete, lambda one: stored.change(one, name="z")]
    for use in uses:
        with pytest.raises(NotFoundError) as caught:
            use(made.agent_id)
        assert caught.value.field == "agent_id"
    directory = Directory(library, PEPPER)
    assert directory.find(key) is None
    assert directory.find(their_key) is not None
    assert embeds.one(live.embed_id).revoked_at == NOON + timedelta(seconds=10)
    assert embeds.one(before.embed_id).revoked_at == NOON
    assert embeds.standing(theirs.embed_id) == theirs


def test_tenants_see_their_own_agents_alone(library: Library, stored: StoredAgents) -> None:
    """Another's agent is neither listed, nor found, nor changed, nor deleted."""
    made = stored.create("x", wire_format="ref")
    others = StoredAgents(library.of_tenant("other"))
    assert others.all() == []
    uses: list[Use] = [others.one, others.delete, lambda one: others.change(one, name="z")]
    for use in uses:
        with pytest.raises(NotFoundError):
            use(made.agent_id)
    assert stored.all() == [made]


def test_agents_are_listed_oldest_first(stored: StoredAgents, clock: StillClock) -> None:
    """Whatever they are called."""
    for name in ("c", "a", "b"):
        stored.create(name, wire_format="ref")
        clock.wait(1)
    assert [one.name for one in stored.all()] == ["c", "a", "b"]
