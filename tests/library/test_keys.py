"""API keys: told once, kept as digests, found by nobody once they are revoked."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from at_once import at_once
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event
from still_clock import NOON, StillClock

from pincite.core.errors import InputError, NotFoundError, StoreError
from pincite.library import ApiKey, ApiKeys, Credential, Directory, Library, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PEPPER = bytes(range(32))


@pytest.fixture
def clock() -> StillClock:
    """The clock of `library`."""
    return StillClock()


@pytest.fixture
def library(home: Path, clock: StillClock) -> Iterator[Library]:
    """A library at noon."""
    with Library.open(home, clock=clock) as opened:
        yield opened


def _bytes_under(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def test_a_key_is_told_once(library: Library) -> None:
    """Its text comes with its making; what is kept of it is a name, scopes and the last four characters."""
    keys = ApiKeys(library, PEPPER)
    made, key = keys.create(" The door ", ["read", "manage", "read"])
    assert re.fullmatch(r"pck_[0-9A-Za-z_-]{43}", key)
    assert made == ApiKey(made.key_id, "The door", ("manage", "read"), key[-4:], NOON, None, None)
    assert key not in repr(made)
    assert keys.one(made.key_id) == made
    other, other_key = keys.create("The door", ["search"])
    assert other_key != key
    assert sorted(keys.all(), key=lambda one: one.key_id) == sorted([made, other], key=lambda one: one.key_id)


def test_keys_are_listed_oldest_first(library: Library, clock: StillClock) -> None:
    """Revoked ones are among them."""
    keys = ApiKeys(library, PEPPER)
    names = ["c", "a", "b"]
    for name in names:
        keys.create(name, ["read"])
        clock.wait(1)
    keys.revoke(keys.all()[1].key_id)
    assert [one.name for one in keys.all()] == names


@pytest.mark.parametrize(
    ("scopes", "allowed"),
    [
        (["manage"], {"manage", "search", "read"}),
        (["search"], {"search", "read"}),
        (["read"], {"read"}),
        (["read", "search"], {"search", "read"}),
    ],
)
def test_a_scope_includes_the_lesser_ones(library: Library, scopes: Any, allowed: set[str]) -> None:
    """Managing includes searching and reading, searching includes reading; a revoked key may nothing."""
    keys = ApiKeys(library, PEPPER)
    made, _ = keys.create("x", scopes)
    asked: Any = ("manage", "search", "read", "root", "")
    assert {scope for scope in asked if made.allows(scope)} == allowed
    revoked = keys.revoke(made.key_id)
    assert [scope for scope in asked if revoked.allows(scope)] == []


def test_the_digest_is_hmac_sha_256() -> None:
    """The second example of RFC 4231."""
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert digest_of(b"Jefe", "what do ya want for nothing?") == expected


@pytest.mark.parametrize("pepper", [b"", None, "text"])
def test_a_pepper_is_bytes(library: Library, pepper: Any) -> None:
    """Keys under no secret could be tried out by who has a copy of the database."""
    for use in (
        lambda: digest_of(pepper, "x"),
        lambda: ApiKeys(library, pepper),
        lambda: Directory(library, pepper),
    ):
        with pytest.raises(InputError) as caught:
            use()
        assert caught.value.field == "pepper"


def test_the_directory_leads_from_a_key_to_its_tenant(library: Library) -> None:
    """Whatever tenant's library it looks through; under another pepper, or another key, there is nobody."""
    other = library.of_tenant("other")
    mine, my_key = ApiKeys(library, PEPPER).create("x", ["read"])
    theirs, their_key = ApiKeys(other, PEPPER).create("x", ["read"])
    for reader in (library, other, library.of_tenant("third")):
        directory = Directory(reader, PEPPER)
        assert directory.find(my_key) == Credential("key", "local", mine.key_id)
        assert directory.find(their_key) == Credential("key", "other", theirs.key_id)
        for unknown in (my_key[:-1], my_key + "x", my_key.upper(), "", "pck_", mine.key_id):
            assert directory.find(unknown) is None
    assert Directory(library, b"other pepper").find(my_key) is None
    assert Directory(library, PEPPER).find(digest_of(PEPPER, my_key)) is None


def test_tenants_see_their_own_keys_alone(library: Library) -> None:
    """Another's key is neither listed, nor found by its id, nor revoked, nor touched."""
    mine, my_key = ApiKeys(library, PEPPER).create("x", ["read"])
    others = ApiKeys(library.of_tenant("other"), PEPPER)
    assert others.all() == []
    for use in (others.one, others.revoke):
        with pytest.raises(NotFoundError) as caught:
            use(mine.key_id)
        assert caught.value.field == "key_id"
    others.touch(mine.key_id)
    assert ApiKeys(library, PEPPER).all() == [mine]
    assert Directory(library, PEPPER).find(my_key) is not None


def test_a_revoked_key_is_unknown_at_once(library: Library, home: Path, clock: StillClock) -> None:
    """Also to another process's opening; revoking again changes nothing, and other keys stand."""
    keys = ApiKeys(library, PEPPER)
    made, key = keys.create("x", ["read"])
    _, standing = keys.create("y", ["read"])
    with Library.open(home) as second:
        directories = [Directory(library, PEPPER), Directory(second, PEPPER)]
        assert all(directory.find(key) is not None for directory in directories)
        clock.wait(5)
        assert keys.revoke(made.key_id).revoked_at == NOON + timedelta(seconds=5)
        assert [directory.find(key) for directory in directories] == [None, None]
        assert all(directory.find(standing) is not None for directory in directories)
    clock.wait(5)
    assert keys.revoke(made.key_id) == keys.one(made.key_id)
    assert keys.one(made.key_id).revoked_at == NOON + timedelta(seconds=5)


def test_revoking_is_one_transaction(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the second half of it fails the key still stands, in both tables."""
    keys = ApiKeys(library, PEPPER)
    made, key = keys.create("x", ["read"])

    def fails(_: object) -> str:
        msg = "The disk is full; nothing was changed."
        raise StoreError(msg)

    monkeypatch.setattr(Library, "now", fails)
    with pytest.raises(StoreError):
        keys.revoke(made.key_id)
    assert Directory(library, PEPPER).find(key) is not None
    assert keys.one(made.key_id).revoked_at is None


@pytest.mark.on_sqlite
def test_no_key_is_in_any_file(library: Library, home: Path) -> None:
    """Neither whole nor in its secret part, in the database or in what it has yet to write to it."""
    keys = ApiKeys(library, PEPPER)
    made = [keys.create(f"key {number}", ["read"]) for number in range(20)]
    keys.revoke(made[0][0].key_id)
    written = _bytes_under(home)
    assert (home / "library.db-wal").is_file()
    library.close()
    written += _bytes_under(home)
    for one, key in made:
        assert one.key_id.encode() in written
        assert digest_of(PEPPER, key).encode() in written
        assert key[4:].encode() not in written
        assert key[4:20].encode() not in written
        assert key[-20:].encode() not in written


def test_what_cannot_be_a_key_is_not_looked_up(library: Library) -> None:
    """No statement is sent for what is too long or not ASCII; 200 characters are looked up."""
    directory = Directory(library, PEPPER)
    sent: list[str] = []

    def heard(_: object, __: object, statement: str, *___: object) -> None:
        if statement.startswith("SELECT"):
            sent.append(statement)

    event.listen(library.database.engine, "before_cursor_execute", heard)
    for key in ("x" * 201, "x" * 10_000_000, "pck_é", "\ud800", "p\u0441k"):
        assert directory.find(key) is None
    assert sent == []
    assert directory.find("x" * 200) is None
    assert directory.find("\x00'; DROP TABLE directory; --") is None
    assert len(sent) == 2


@pytest.mark.on_sqlite
def test_a_lookup_is_by_index(library: Library) -> None:
    """The database finds a digest without going through the others."""
    with library.database.reading() as connection:
        plan = connection.exec_driver_sql(
            "EXPLAIN QUERY PLAN SELECT tenant FROM directory WHERE digest = 'x'"
        )
        (step,) = plan.all()
    assert step.detail.startswith("SEARCH directory USING INDEX")


@pytest.mark.parametrize("key", [None, 7, b"pck_x"])
def test_a_key_is_a_text(library: Library, key: Any) -> None:
    """Anything else is told in a sentence."""
    with pytest.raises(InputError) as caught:
        Directory(library, PEPPER).find(key)
    assert caught.value.field == "key"


@pytest.mark.parametrize("name", ["", " ", "x" * 201, "two\nlines", "\u202eevil", None, 7])
def test_a_name_is_one_line(library: Library, name: Any) -> None:
    """A name that is none makes no key."""
    with pytest.raises(InputError) as caught:
        ApiKeys(library, PEPPER).create(name, ["read"])
    assert caught.value.field == "name"
    assert ApiKeys(library, PEPPER).all() == []


@pytest.mark.parametrize("scopes", [[], ["root"], "manage", None, 7, ["read", None], [["read"]], {"read": 1}])
def test_scopes_are_some_of_three(library: Library, scopes: Any) -> None:
    """Neither none, nor others, nor a text, whose letters would be scopes."""
    with pytest.raises(InputError) as caught:
        ApiKeys(library, PEPPER).create("x", scopes)
    assert caught.value.field == "scopes"
    assert ApiKeys(library, PEPPER).all() == []


def test_use_is_noted_at_most_once_a_minute(library: Library, clock: StillClock) -> None:
    """A minute after it was noted it is noted again, whoever notes it."""
    keys = ApiKeys(library, PEPPER)
    made, _ = keys.create("x", ["read"])
    keys.touch(made.key_id)
    assert keys.one(made.key_id).last_used_at == NOON
    clock.wait(59.9)
    keys.touch(made.key_id)
    ApiKeys(library, PEPPER).touch(made.key_id)
    assert keys.one(made.key_id).last_used_at == NOON
    clock.wait(0.1)
    keys.touch(made.key_id)
    assert keys.one(made.key_id).last_used_at == NOON + timedelta(seconds=60)
    keys.touch("nobody's")


def test_use_that_cannot_be_noted_stops_nobody(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that may only read still serves."""
    keys = ApiKeys(library, PEPPER)
    made, _ = keys.create("x", ["read"])

    def refused(_: object) -> None:
        msg = "The library may only be read here."
        raise StoreError(msg)

    monkeypatch.setattr(type(library.database), "writing", refused)
    keys.touch(made.key_id)
    assert keys.one(made.key_id).last_used_at is None


def test_many_that_come_at_once_note_it_once(library: Library, home: Path, clock: StillClock) -> None:
    """Eight threads of two nodes with one key: one of them writes."""
    made, _ = ApiKeys(library, PEPPER).create("x", ["read"])
    updates: list[str] = []

    def heard(_: object, __: object, statement: str, *___: object) -> None:
        if statement.startswith("UPDATE api_keys"):
            updates.append(statement)

    with Library.open(home, clock=clock) as second:
        nodes = (library, second)
        for node in nodes:
            event.listen(node.database.engine, "before_cursor_execute", heard)

        def work(number: int) -> None:
            for _ in range(5):
                ApiKeys(nodes[number % 2], PEPPER).touch(made.key_id)

        assert at_once(8, work) == []
    assert len(updates) == 1
    assert ApiKeys(library, PEPPER).one(made.key_id).last_used_at == NOON


@given(steps=st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 5)), max_size=12))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_key_is_found_until_it_is_revoked(library: Library, steps: list[tuple[bool, bool, int]]) -> None:
    """After any makings and revocations by two tenants: who was made and not revoked is found, as what it is."""
    libraries = (library, library.of_tenant("other"))
    keys = [ApiKeys(one, PEPPER) for one in libraries]
    made: list[tuple[int, str, str]] = []
    revoked: set[str] = set()
    for second, revokes, number in steps:
        if not revokes:
            one, key = keys[second].create("x", ["read"])
            made.append((second, one.key_id, key))
        elif made:
            owner, key_id, _ = made[number % len(made)]
            if owner == second:
                keys[second].revoke(key_id)
                revoked.add(key_id)
            else:
                with pytest.raises(NotFoundError):
                    keys[second].revoke(key_id)
    directory = Directory(library, PEPPER)
    for owner, key_id, key in made:
        expected = Credential("key", ("local", "other")[owner], key_id)
        assert directory.find(key) == (None if key_id in revoked else expected)
        assert (keys[owner].one(key_id).revoked_at is not None) == (key_id in revoked)
