"""Refs are unique over a conversation and never change their passage."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import InputError
from pincite.core.refs import SHORTEST, RefIssuer

FIRST = "9f2a1b7c-3e51-4b8a-9c2d-771f2a6e5d10"
SECOND = "9f2a1b7c-3e52-4b8a-9c2d-771f2a6e5d10"
THIRD = "9f2a1b7c-4000-4b8a-9c2d-771f2a6e5d10"


def test_the_pages_ref() -> None:
    """The first ref of a passage is the first eight characters of its id."""
    assert RefIssuer().issue(FIRST) == "9f2a1b7c"


def test_a_clash_extends_past_the_hyphen() -> None:
    """A clash takes as many characters as it needs, and no ref ends in a hyphen."""
    issuer = RefIssuer()
    assert [issuer.issue(name) for name in (FIRST, SECOND, THIRD)] == [
        "9f2a1b7c",
        "9f2a1b7c-3",
        "9f2a1b7c-4",
    ]


def test_a_ref_issued_earlier_stays_valid() -> None:
    """A later clash does not take a ref from the passage that had it first."""
    issuer = RefIssuer()
    issuer.issue(FIRST)
    issuer.issue(SECOND)
    assert issuer.chunk_of("9f2a1b7c") == FIRST
    assert issuer.issue(FIRST) == "9f2a1b7c"


def test_a_ref_is_looked_up_by_equality() -> None:
    """A longer or shorter prefix of an issued id is no ref."""
    issuer = RefIssuer()
    issuer.issue(FIRST)
    assert issuer.chunk_of("9f2a1b7c-3") is None
    assert issuer.chunk_of("9f2a1b7") is None


def test_an_id_too_short_is_an_error() -> None:
    """An id with fewer characters than a ref has no ref."""
    with pytest.raises(InputError, match="No ref is left"):
        RefIssuer().issue("abc")


def test_loading_what_is_no_prefix_is_an_error() -> None:
    """Refs that do not belong to their passages are not taken in."""
    with pytest.raises(InputError, match="is no ref of"):
        RefIssuer.load({"deadbeef": FIRST})


def _id(head: str, tail: str) -> str:
    return f"{head}-{tail[:4]}-{tail[4:8]}"


# Ids over a tiny alphabet, so that prefixes clash all the time.
_IDS = st.builds(
    _id,
    st.text("01", min_size=8, max_size=8),
    st.text("01", min_size=8, max_size=8),
)


@given(st.lists(_IDS, max_size=60), st.lists(_IDS, max_size=20))
def test_refs_stay_unique_over_turns(first: list[str], second: list[str]) -> None:
    """Over two turns and a restart every passage keeps its ref and no two share one."""
    issuer = RefIssuer()
    issued = {name: issuer.issue(name) for name in first}
    again = RefIssuer.load(issuer.export())
    issued_later = {name: again.issue(name) for name in second}
    assert all(again.issue(name) == ref for name, ref in issued.items())
    refs = {**issued_later, **issued}
    assert len(set(refs.values())) == len(refs)
    for name, ref in refs.items():
        assert name.startswith(ref)
        assert len(ref) >= SHORTEST
        assert not ref.endswith("-")
        assert again.chunk_of(ref) == name


def test_a_reserved_name_is_issued_to_nobody_else() -> None:
    """A handle that a conversation uses already is passed over, for all but its owner."""
    issuer = RefIssuer()
    assert issuer.reserve("9f2a1b7c", SECOND) == SECOND
    assert issuer.reserve("9f2a1b7c", FIRST) == SECOND
    assert issuer.owner_of("9f2a1b7c") == SECOND
    assert issuer.issue(FIRST) == "9f2a1b7c-3"
    assert issuer.issue(SECOND) == "9f2a1b7c"
    assert issuer.owner_of("unknown") is None


def test_what_was_issued_cannot_be_reserved_for_another() -> None:
    """Its owner stays the passage that it was issued for."""
    issuer = RefIssuer()
    issuer.issue(FIRST)
    assert issuer.reserve("9f2a1b7c", SECOND) == FIRST
    assert issuer.chunk_of("9f2a1b7c") == FIRST
    assert issuer.export() == {"9f2a1b7c": FIRST}


def test_sixteen_threads_get_refs_of_their_own() -> None:
    """All ids begin alike: no ref is issued twice, and each id has one."""
    issuer = RefIssuer()
    ids = [f"9f2a1b7c-{number:04x}-4b8a-9c2d-771f2a6e5d10" for number in range(500)]
    found: list[dict[str, str]] = []
    threads = [
        threading.Thread(target=lambda: found.append({name: issuer.issue(name) for name in ids}))
        for _ in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16
    assert all(one == found[0] for one in found)
    assert len(set(found[0].values())) == len(issuer) == 500
