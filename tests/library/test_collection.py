"""Collections: made once, changed field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from pincite.core.errors import InputError, NotFoundError

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.library.collection import Chunking


def test_collection_is_made_once(library: Library) -> None:
    """The same name is the same collection, whatever chunking is asked for later."""
    made = library.collection("Notes", chunking="hierarchical")
    assert made.chunking == "hierarchical"
    assert library.collection(" Notes ") == made
    assert library.collections() == [made]


def test_missing_collection_is_not_made_unasked(library: Library) -> None:
    """With `create` false an unknown name is not found."""
    with pytest.raises(NotFoundError):
        library.collection("Notes", create=False)
    assert library.collections() == []


@pytest.mark.parametrize("name", ["", "  ", "two\nlines", "bell\x07", "x" * 201, "\u202ereversed"])
def test_name_is_one_visible_line(library: Library, name: str) -> None:
    """Names that cannot be shown as one line are refused."""
    with pytest.raises(InputError):
        library.collection(name)


def test_settings_change_one_by_one(library: Library) -> None:
    """What is not given stays; None takes a bar away."""
    made = library.collection("Notes")
    barred = library.set_collection(made.collection_id, score_threshold=0.4, reranker="coverage")
    assert (barred.score_threshold, barred.reranker, barred.chunking) == (0.4, "coverage", "flat")
    changed = library.set_collection(made.collection_id, chunking="hierarchical")
    assert (changed.score_threshold, changed.reranker, changed.chunking) == (0.4, "coverage", "hierarchical")
    bare = library.set_collection(made.collection_id, score_threshold=None, reranker=None)
    assert (bare.score_threshold, bare.reranker) == (None, None)
    assert library.set_collection(made.collection_id) == bare == library.collection("Notes")


def test_unknown_collection_and_chunking(library: Library) -> None:
    """An unknown id is not found, an unknown chunking is bad input."""
    with pytest.raises(NotFoundError):
        library.set_collection("\ud800", reranker=None)
    made = library.collection("Notes")
    with pytest.raises(InputError):
        library.set_collection(made.collection_id, chunking=cast("Chunking", "deep"))
