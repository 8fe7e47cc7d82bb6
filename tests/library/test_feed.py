"""The feed: numbers without gaps, in pages, written with what they tell of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pincite.library import Collection, Library


def test_feed_is_read_in_pages(library: Library, collection: Collection, keep: Any) -> None:
    """Numbers rise by one from 1, a page begins after the number asked for, and the head is the last."""
    stored = keep("upload://a.txt", "one\ntwo\nthree")
    keep("upload://b.txt", "four")
    assert library.head() == 4
    first, second = library.changes(0, 2), library.changes(2, 2)
    assert [change.seq for change in first + second] == [1, 2, 3, 4]
    assert library.changes(4, 10) == []
    assert {change.collection_id for change in first} == {collection.collection_id}
    assert {change.document_id for change in first} == {stored.document_id}


def test_failed_transaction_leaves_no_number(library: Library, keep: Any) -> None:
    """What is rolled back takes its numbers back."""
    keep("upload://a.txt", "one")

    def fail() -> None:
        with library.database.writing() as connection:
            connection.exec_driver_sql("UPDATE counters SET value = 77")
            message = "on purpose"
            raise RuntimeError(message)

    with pytest.raises(RuntimeError):
        fail()
    assert library.head() == 1
