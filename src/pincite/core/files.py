"""Reading a file that may be anything, and saying why the system refuses one: never with a path in the sentence."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from pincite.core.errors import ReadingError, TooLargeError, UnsupportedError

if TYPE_CHECKING:
    from pathlib import Path


def refusal_of(error: OSError) -> str:
    """Say why the system refused something, as the end of a sentence: `permission denied`."""
    why = os.strerror(error.errno) if error.errno else error.strerror
    return (why or "the system refused it").lower()


def unreadable(error: OSError) -> ReadingError:
    """Return the system's refusal as an error whose sentence shows no path."""
    return ReadingError(f"This cannot be read: {refusal_of(error)}.")


def read_bytes(path: Path, limit: int) -> bytes:
    """Return the bytes of an ordinary file of at most `limit` bytes.

    Raises:
        TooLargeError: it is larger; it is not read then.
        UnsupportedError: it is a folder, a pipe or a device.
        ReadingError: the system does not give it; the message says why, without its path.
    """
    try:
        # A pipe that nobody writes to would keep a plain `open` waiting for ever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:  # noqa: PTH123 - a handle, not a path
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                msg = "Only ordinary files can be read; this is a pipe, a device or the like."
                raise UnsupportedError(msg)
            data = file.read(limit + 1)
    except OSError as error:
        raise unreadable(error) from error
    if len(data) > limit:
        msg = f"The file has more than {limit:,} bytes, the most that is read."
        raise TooLargeError(msg)
    return data
