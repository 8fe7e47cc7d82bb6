"""What becomes of an engine's failures: an index that cannot be used, which is no loss, and what a person is told."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from pincite.core.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Generator


class TornIndexError(Exception):
    """There is no index that can be used; the library has all that a new one needs."""


@contextmanager
def torn_when_it_fails() -> Generator[None]:
    """Turn whatever an engine raises over its files, its panics too, into TornIndexError."""
    try:
        yield
    except TornIndexError:
        raise
    except Exception as error:
        msg = "The index cannot be read or written."
        raise TornIndexError(msg) from error
    except BaseException as error:
        # The engines' panics are no `Exception`; an interrupt is none either and must go on.
        if type(error).__name__ != "PanicException":
            raise
        msg = "The index is damaged."
        raise TornIndexError(msg) from error


def no_index() -> StoreError:
    """Return the error of an index that can be neither read nor built."""
    msg = "The search index cannot be written; check the disk or the bucket, and who may write to it."
    return StoreError(msg)


def nothing_yet() -> StoreError:
    """Return the error of an index that another is building for the first time."""
    return StoreError("Another program is building the search index; try again.")
