"""Changes of the shared state: what the state counts is kept up with each change, and bounds it."""

from __future__ import annotations

import copy
import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.limits import DEFAULT
from pincite.protocols.ag_ui import _patch
from pincite.protocols.ag_ui._patch import PatchError, patched, size_of

_NAMES = st.sampled_from(["a", "bb", "0", "1", "-"])
_PATHS = st.lists(_NAMES, max_size=3).map(lambda steps: "".join(f"/{step}" for step in steps))
_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.integers(0, 2) | st.sampled_from(["", "text"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=3),
    max_leaves=6,
)
_CHANGES = st.lists(
    st.fixed_dictionaries(
        {
            "op": st.sampled_from(["add", "add", "replace", "remove", "move", "copy", "test"]),
            "path": _PATHS,
            "from": _PATHS,
            "value": _VALUES,
        }
    ),
    max_size=4,
)


@given(_VALUES, st.lists(_CHANGES, max_size=6))
def test_what_a_state_counts_is_what_counting_all_of_it_gives(document: Any, changes: list[Any]) -> None:
    """After any changes, made one after the other, and no earlier state is changed by a later one."""
    state = document
    for change in changes:
        before = copy.deepcopy(state)
        try:
            after = patched(state, change, DEFAULT)
        except PatchError:
            after = state
        assert state == before
        state = after
        if isinstance(state, _patch._Counted):
            assert state.size == size_of(state, depth=100, most=1 << 40)


def test_a_change_does_not_look_at_the_rest_of_a_state_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first change only what the operations bring and take is counted."""
    state = patched({"many": {str(n): {} for n in range(1_000)}, "x": 0}, [], DEFAULT)
    looked: list[object] = []

    def counting(value: object, *, depth: int, most: int) -> int | None:
        looked.append(value)
        return size_of(value, depth=depth, most=most)

    monkeypatch.setattr(_patch, "size_of", counting)
    state = patched(state, [{"op": "replace", "path": "/x", "value": 1}], DEFAULT)
    state = patched(state, [{"op": "add", "path": "/many/new", "value": 2}], DEFAULT)
    assert looked == [1, 0, 2]
    assert state["many"]["new"] == 2


def test_a_state_stays_within_its_limits() -> None:
    """What would be too large or too deep is refused; once something is taken away there is room again."""
    few = dataclasses.replace(DEFAULT, agui_state_bytes=200, agui_depth=3)
    state = patched({"a": "x" * 50}, [], few)
    add = [{"op": "add", "path": "/b", "value": "y" * 100}]
    with pytest.raises(PatchError):
        patched(state, add, few)
    room = patched(state, [{"op": "remove", "path": "/a"}], few)
    assert patched(room, add, few) == {"b": "y" * 100}
    nested: list[Any] = [[]]
    assert patched(room, [{"op": "add", "path": "/c", "value": nested}], few) == {"c": nested}
    with pytest.raises(PatchError):
        patched(room, [{"op": "add", "path": "/c", "value": [nested]}], few)
