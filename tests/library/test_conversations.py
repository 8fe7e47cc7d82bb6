"""Conversations: what was saved last is what is loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pincite.core.errors import InputError
from pincite.library import Library

if TYPE_CHECKING:
    from pathlib import Path


def test_state_is_replaced(library: Library, home: Path) -> None:
    """Saving again replaces; another tenant sees nothing of it."""
    assert library.load_conversation("c1") is None
    library.save_conversation("c1", {"pincite": 1, "refs": {"9f2a1b7c": "x"}})
    library.save_conversation("c1", {"pincite": 1, "refs": {}, "text": "\ud800 é"})
    assert library.load_conversation("c1") == {"pincite": 1, "refs": {}, "text": "\ud800 é"}
    with Library.open(home, tenant="other") as other:
        assert other.load_conversation("c1") is None


@pytest.mark.parametrize("name", ["", "x" * 256])
def test_id_has_a_length(library: Library, name: str) -> None:
    """An id that no database could hold is refused."""
    with pytest.raises(InputError):
        library.save_conversation(name, {})
