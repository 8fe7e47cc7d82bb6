"""Copies of a bucket's files: as large together as a limit says, and none goes while somebody uses it."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from obstore.store import MemoryStore
from still_clock import StillClock

from pincite.core.errors import NotFoundError, StoreError, TooLargeError
from pincite.library._copies import IN_USE_SECONDS, Copies
from pincite.library.files import Files


def _bucket(folder: Path, most: int, clock: StillClock) -> Files:
    return Files(MemoryStore(), None, "local", Copies(folder, most, clock.unix))


def _copied(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*/*")}


def test_what_was_not_asked_for_longest_goes(tmp_path: Path) -> None:
    """Three files of ten bytes where twenty may be kept: the one that was used last but one goes, not the oldest."""
    clock = StillClock()
    files = _bucket(tmp_path, 20, clock)
    one, two, three = (files.put(letter * 10) for letter in (b"a", b"b", b"c"))
    for name in (one, two, one):
        files.local_path(name)
        clock.wait(IN_USE_SECONDS)
    assert files.local_path(three).read_bytes() == b"c" * 10
    assert _copied(tmp_path) == {one, three}
    # What is gone is copied again when it is asked for.
    assert files.local_path(two).read_bytes() == b"b" * 10


def test_what_is_in_use_stays_however_small_the_limit(tmp_path: Path) -> None:
    """Copies that were asked for a moment ago stay, and go at the first sweep after that."""
    clock = StillClock()
    files = _bucket(tmp_path, 0, clock)
    names = [files.put(bytes([number]) * 10) for number in range(5)]
    paths = [files.local_path(name) for name in names]
    clock.wait(IN_USE_SECONDS)
    assert all(path.is_file() for path in paths)
    files.local_path(names[3])
    clock.wait(1)
    files.local_path(files.put(b"another"))
    assert names[3] in _copied(tmp_path)
    assert len(_copied(tmp_path)) == 2


def test_all_tenants_share_the_room(tmp_path: Path) -> None:
    """The limit is of the node and not of a tenant."""
    clock = StillClock()
    files = _bucket(tmp_path, 10, clock)
    other = files.of_tenant("other")
    old = files.local_path(files.put(b"a" * 10))
    clock.wait(IN_USE_SECONDS + 1)
    new = other.local_path(other.put(b"b" * 10))
    assert (old.exists(), new.exists()) == (False, True)


def test_what_an_earlier_process_left_counts(tmp_path: Path) -> None:
    """Copies of a process that has ended are swept when the first new one comes; half-written ones are not touched."""
    clock = StillClock()
    folder = tmp_path / "local"
    folder.mkdir()
    for name in ("left", "left#1"):
        (folder / name).write_bytes(b"a" * 100)
        os.utime(folder / name, (1, 1))
    files = _bucket(tmp_path, 100, clock)
    new = files.local_path(files.put(b"b"))
    assert _copied(tmp_path) == {"left#1", new.name}


def test_reading_a_file_makes_no_copy(tmp_path: Path) -> None:
    """Whoever needs the bytes once, as a reading does, leaves none on the disk; a copy that is there is used."""
    store = MemoryStore()
    files = Files(store, None, "local", Copies(tmp_path, 100))
    name = files.put(b"abc")
    assert files.read(name, 3) == b"abc"
    assert _copied(tmp_path) == set()
    for copied in (False, True):
        if copied:
            files.local_path(name)
        with pytest.raises(TooLargeError):
            files.read(name, 2)
    with pytest.raises(NotFoundError):
        files.read("0" * 64, 3)


def test_reading_a_damaged_file_is_an_error(tmp_path: Path) -> None:
    """Bytes that do not have the hash of their name are not given to anybody."""
    files = _bucket(tmp_path, 100, StillClock())
    files.ensure("0" * 64, b"abc")
    with pytest.raises(StoreError, match="damaged"):
        files.read("0" * 64, 100)


@given(
    steps=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from([0.0, 1.0, IN_USE_SECONDS / 2, IN_USE_SECONDS + 1])),
        max_size=25,
    ),
    most=st.integers(0, 40),
)
def test_the_room_and_the_use_hold_for_all_ways_of_asking(steps: list[tuple[int, float]], most: int) -> None:
    """In any order of asking, nothing in use is gone, and of the rest no more is left than the limit has room for."""
    with TemporaryDirectory() as name:
        folder, clock = Path(name), StillClock()
        files = _bucket(folder, most, clock)
        names = [files.put(bytes([number]) * 10) for number in range(6)]
        asked: dict[str, float] = {}
        for number, wait in steps:
            clock.wait(wait)
            fresh = names[number] not in _copied(folder)
            assert files.local_path(names[number]).read_bytes() == bytes([number]) * 10
            asked[names[number]] = clock.unix()
            there = _copied(folder)
            used = {one for one, when in asked.items() if clock.unix() - when < IN_USE_SECONDS}
            assert used <= there
            if fresh:
                assert len(there) * 10 <= max(most, len(used) * 10)
                oldest = min((asked[one] for one in there - used), default=clock.unix())
                gone = [when for one, when in asked.items() if one not in there]
                assert all(when <= oldest for when in gone)
