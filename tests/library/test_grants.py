"""Grants: what a visitor may open, until when, and what ends it."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa
from at_once import at_once
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from line_documents import keep_text
from sqlalchemy import event
from still_clock import StillClock

from pincite.core import ids
from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT
from pincite.library import Grants, Library
from pincite.library.access_tables import grants as rows

if TYPE_CHECKING:
    from pincite.library import Collection

VISITORS = ANNA, BERT = "a" * 64, "0123456789abcdef" * 4


def _count(library: Library) -> int:
    with library.database.reading() as connection:
        return connection.scalar(sa.select(sa.func.count()).select_from(rows)) or 0


@pytest.fixture
def clock() -> StillClock:
    """The clock of `grants`."""
    return StillClock()


@pytest.fixture
def grants(library: Library, clock: StillClock) -> Grants:
    """The library's grants."""
    return Grants(library, clock.unix)


@pytest.fixture
def passages(library: Library, collection: Collection) -> list[tuple[str, str]]:
    """Two passages of a document, each with its version."""
    kept = keep_text(library, collection, "upload://a.txt", "one\ntwo")
    return [(one.chunk_id, one.version) for one in library.passages_of(kept.document_id)]


def test_a_day_is_the_default() -> None:
    """As the reader's page says, and a deployment may say otherwise."""
    assert DEFAULT.grant_seconds == 24 * 60 * 60


def test_what_was_granted_is_held_until_it_expires(
    grants: Grants, passages: list[tuple[str, str]], clock: StillClock
) -> None:
    """For that passage in that version, and to the second."""
    (one, version), (two, _) = passages
    assert not grants.holds(ANNA, one, version)
    grants.give(ANNA, [(one, version)], 10)
    assert grants.holds(ANNA, one, version)
    assert grants.versions(ANNA, one) == [version]
    for chunk_id, other in (
        (two, version),
        (one, "0" * 16),
        (one, ""),
        ("", version),
        (one.upper(), version),
    ):
        assert not grants.holds(ANNA, chunk_id, other)
    assert grants.versions(ANNA, two) == []
    clock.wait(9.75)
    assert grants.holds(ANNA, one, version)
    clock.wait(0.25)
    assert not grants.holds(ANNA, one, version)
    assert grants.versions(ANNA, one) == []


def test_a_grant_is_one_visitors_and_one_tenants(
    library: Library, grants: Grants, passages: list[tuple[str, str]]
) -> None:
    """Another visitor has none, and the same visitor has none with another tenant."""
    grants.give(ANNA, passages, 10)
    other = Grants(library.of_tenant("other"), grants._clock)
    for chunk_id, version in passages:
        assert not grants.holds(BERT, chunk_id, version)
        assert not other.holds(ANNA, chunk_id, version)
        assert other.versions(ANNA, chunk_id) == []
    other.give(ANNA, passages, 10)
    assert not other.holds(ANNA, *passages[0])
    other.take_back(ANNA)
    assert other.sweep() == 0
    assert all(grants.holds(ANNA, *one) for one in passages)


def test_asking_again_grants_anew(
    grants: Grants, library: Library, passages: list[tuple[str, str]], clock: StillClock
) -> None:
    """The time counts from then, whether the last grant had expired or not; there is one row, not two."""
    grants.give(ANNA, passages, 10)
    clock.wait(9)
    grants.give(ANNA, [passages[0], passages[0]], 10)
    clock.wait(9)
    assert [grants.holds(ANNA, *one) for one in passages] == [True, False]
    clock.wait(1)
    assert not grants.holds(ANNA, *passages[0])
    grants.give(ANNA, passages, 10)
    assert [grants.holds(ANNA, *one) for one in passages] == [True, True]
    assert _count(library) == 2


def test_versions_come_newest_first(grants: Grants, keep: Any, library: Library, clock: StillClock) -> None:
    """What a visitor was shown last is what a preview without a version shows."""
    granted: list[str] = []
    for text in ("one", "one\ntwo", "one\nthree"):
        kept = keep("upload://a.txt", text)
        (chunk_id, *_) = [one.chunk_id for one in library.passages_of(kept.document_id)]
        granted.append(kept.version)
        clock.wait(1)
        grants.give(ANNA, [(chunk_id, kept.version)], 10)
        assert grants.versions(ANNA, chunk_id) == granted[::-1]
    # The text of the first version is current again, and found again.
    kept = keep("upload://a.txt", "one")
    clock.wait(1)
    grants.give(ANNA, [(chunk_id, kept.version)], 10)
    assert grants.versions(ANNA, chunk_id) == [granted[0], granted[2], granted[1]]
    clock.wait(7)
    assert grants.versions(ANNA, chunk_id) == [granted[0], granted[2], granted[1]]
    clock.wait(1)
    assert grants.versions(ANNA, chunk_id) == [granted[0], granted[2]]


def test_only_what_is_kept_is_granted(
    library: Library, grants: Grants, passages: list[tuple[str, str]]
) -> None:
    """A search that saw a document just before it was deleted leaves no grant for when it is added again."""
    (document,) = library.documents()
    library.delete(document.document_id)
    unknown = [("00000000-0000-5000-8000-000000000000", "0" * 16), ("", ""), ("\ud800", "\x00")]
    grants.give(ANNA, [*passages, *unknown], 10)
    assert _count(library) == 0


def test_deleting_a_document_ends_its_grants(
    library: Library, collection: Collection, grants: Grants, passages: list[tuple[str, str]]
) -> None:
    """For every visitor and version; adding it again does not bring them back, and other documents' stand."""
    (document,) = library.documents()
    other = keep_text(library, collection, "upload://b.txt", "one")
    (theirs,) = [(one.chunk_id, one.version) for one in library.passages_of(other.document_id)]
    for visitor in (ANNA, BERT):
        grants.give(visitor, [*passages, theirs], 10)
    library.delete(document.document_id)
    again = keep_text(library, collection, "upload://a.txt", "one\ntwo")
    assert again.version == passages[0][1]
    assert not any(grants.holds(visitor, *one) for visitor in (ANNA, BERT) for one in passages)
    assert all(grants.holds(visitor, *theirs) for visitor in (ANNA, BERT))


def test_a_visitor_is_forgotten(grants: Grants, library: Library, passages: list[tuple[str, str]]) -> None:
    """And nobody else."""
    for visitor in (ANNA, BERT):
        grants.give(visitor, passages, 10)
    grants.take_back(ANNA)
    grants.take_back(ANNA)
    assert [grants.holds(who, *one) for who in (ANNA, BERT) for one in passages] == [False, False, True, True]
    assert _count(library) == 2


def test_what_expired_is_swept(
    grants: Grants, library: Library, passages: list[tuple[str, str]], clock: StillClock
) -> None:
    """And nothing that is still open."""
    grants.give(ANNA, passages, 10)
    grants.give(BERT, passages[:1], 11)
    assert grants.sweep() == 0
    clock.wait(10)
    assert grants.sweep() == 2
    assert grants.sweep() == 0
    assert grants.holds(BERT, *passages[0])
    assert _count(library) == 1


def test_many_at_once(grants: Grants, library: Library, collection: Collection) -> None:
    """More than one statement takes are granted, and granted anew."""
    kept = keep_text(library, collection, "upload://a.txt", "\n".join(f"line {n}" for n in range(1_203)))
    pairs = [(one.chunk_id, one.version) for one in library.passages_of(kept.document_id)]
    for _ in range(2):
        grants.give(ANNA, iter(pairs), 10)
        assert _count(library) == 1_203
    assert grants.holds(ANNA, *pairs[0])
    assert grants.holds(ANNA, *pairs[-1])
    grants.give(ANNA, [], 10)
    assert _count(library) == 1_203


def test_visitors_come_at_once(grants: Grants, library: Library, passages: list[tuple[str, str]]) -> None:
    """Eight searches of two visitors at the same time: nothing fails, each has what it was given."""

    def work(number: int) -> None:
        for _ in range(5):
            grants.give((ANNA, BERT)[number % 2], passages, 10)

    assert at_once(8, work) == []
    assert all(grants.holds(who, *one) for who in (ANNA, BERT) for one in passages)
    assert _count(library) == 4


@pytest.mark.parametrize("visitor", ["", "a" * 63, "a" * 65, "A" * 64, "g" * 64, "a" * 64 + "\n", None, 7])
def test_a_visitor_is_a_digest(grants: Grants, visitor: Any) -> None:
    """What a browser holds itself is refused, so that it is never stored."""
    for use in (
        lambda: grants.give(visitor, [], 10),
        lambda: grants.versions(visitor, "x"),
        lambda: grants.holds(visitor, "x", "y"),
        lambda: grants.take_back(visitor),
    ):
        with pytest.raises(InputError) as caught:
            use()
        assert caught.value.field == "visitor"


@pytest.mark.parametrize("seconds", [0, -1, float("inf"), float("nan"), None, "10", True])
def test_a_grant_ends(grants: Grants, passages: list[tuple[str, str]], seconds: Any) -> None:
    """Some time after it was given."""
    with pytest.raises(InputError) as caught:
        grants.give(ANNA, passages, seconds)
    assert caught.value.field == "seconds"
    assert not grants.holds(ANNA, *passages[0])


@pytest.mark.parametrize("pairs", [None, "xy", 7, ["xy"], [("x",)], [("x", None)], [("x", "y", "z")], [None]])
def test_a_passage_is_named_with_its_version(grants: Grants, pairs: Any) -> None:
    """Anything else is told in a sentence."""
    with pytest.raises(InputError) as caught:
        grants.give(ANNA, pairs, 10)
    assert caught.value.field == "pairs"


# Two documents of three texts each; every text is a version, and the first line is in all of them.
TEXTS = ("x", "x\ny", "x\nz")
KEYS = ("upload://a.txt", "upload://b.txt")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("keep"), st.integers(0, 1), st.integers(0, 2)),
        st.tuples(
            st.just("give"),
            st.integers(0, 1),
            st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2), st.sampled_from("xyz")), max_size=4),
            st.integers(1, 8),
        ),
        st.tuples(st.just("wait"), st.integers(1, 5)),
        st.tuples(st.just("delete"), st.integers(0, 1)),
        st.tuples(st.just("take_back"), st.integers(0, 1)),
        st.tuples(st.just("sweep")),
    ),
    max_size=10,
)


class World:
    """A library and what ought to be open in it: which versions stand, and when each grant ends."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.collection = library.collection("c")
        self.clock = StillClock()
        self.grants = Grants(library, self.clock.unix)
        self.documents = [ids.document_id(self.collection.collection_id, key) for key in KEYS]
        self.kept: list[set[int]] = [set(), set()]
        self.ends: dict[tuple[int, tuple[int, int, str]], float] = {}

    def pair(self, one: tuple[int, int, str]) -> tuple[str, str]:
        """Return the chunk id and version of a line in a text of a document."""
        document, text, line = one
        return ids.chunk_id(self.documents[document], line), ids.version_of(TEXTS[text])

    def keep(self, document: int, text: int) -> None:
        """Add a document, or another version of it."""
        keep_text(self.library, self.collection, KEYS[document], TEXTS[text])
        self.kept[document].add(text)

    def give(self, visitor: int, several: list[tuple[int, int, str]], seconds: int) -> None:
        """Grant lines; those that are kept are held."""
        self.grants.give(VISITORS[visitor], [self.pair(one) for one in several], seconds)
        for document, text, line in several:
            if text in self.kept[document] and line in TEXTS[text].split("\n"):
                self.ends[visitor, (document, text, line)] = self.clock.unix() + seconds

    def wait(self, seconds: int) -> None:
        """Go on by some seconds."""
        self.clock.wait(seconds)

    def delete(self, document: int) -> None:
        """Remove a document with all versions, and every grant for it."""
        if self.kept[document]:
            self.library.delete(self.documents[document])
        self.kept[document] = set()
        self.ends = {key: end for key, end in self.ends.items() if key[1][0] != document}

    def take_back(self, visitor: int) -> None:
        """End what a visitor holds."""
        self.grants.take_back(VISITORS[visitor])
        self.ends = {key: end for key, end in self.ends.items() if key[0] != visitor}

    def sweep(self) -> None:
        """Remove what has expired, and no more."""
        standing = {key: end for key, end in self.ends.items() if end > self.clock.unix()}
        assert self.grants.sweep() == len(self.ends) - len(standing)
        self.ends = standing


@given(steps=STEPS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_holds_what_a_model_holds(library: Library, steps: list[tuple[Any, ...]]) -> None:
    """After any giving, waiting, deleting, taking back and sweeping, each visitor holds what they should."""
    world = World(library.of_tenant(library.new_id()))
    for name, *arguments in steps:
        getattr(world, name)(*arguments)
    for number, document, text, line in product((0, 1), (0, 1), (0, 1, 2), "xyz"):
        one = (document, text, line)
        expected = world.ends.get((number, one), 0) > world.clock.unix()
        chunk_id, version = world.pair(one)
        assert world.grants.holds(VISITORS[number], chunk_id, version) == expected
        assert (version in world.grants.versions(VISITORS[number], chunk_id)) == expected


@pytest.mark.on_sqlite
def test_no_statement_goes_through_everything(library: Library, grants: Grants) -> None:
    """What a visitor's look-ups and grants cost must not grow with those of others, nor with the library."""
    sent: dict[str, Any] = {}

    def heard(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if statement.startswith(("SELECT", "DELETE")) and "counters" not in statement:
            sent[statement] = parameters[0] if isinstance(parameters, list) else parameters

    kept = keep_text(library, library.collection("c"), "upload://a.txt", "one\ntwo")
    pairs = [(one.chunk_id, one.version) for one in library.passages_of(kept.document_id)]
    event.listen(library.database.engine, "before_cursor_execute", heard)
    grants.give(ANNA, pairs, 10)
    grants.holds(ANNA, *pairs[0])
    grants.versions(ANNA, pairs[0][0])
    event.remove(library.database.engine, "before_cursor_execute", heard)
    with library.database.reading() as connection:
        plans = [
            [step.detail for step in connection.exec_driver_sql("EXPLAIN QUERY PLAN " + one, values)]
            for one, values in sent.items()
        ]
    assert len(plans) == 3
    for plan in plans:
        assert any("chunk_id=?" in step for step in plan), plan
        assert not any("SCAN" in step or "by_age" in step for step in plan), plan
