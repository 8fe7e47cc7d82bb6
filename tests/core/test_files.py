"""What is no ordinary file is not read, and why the system refuses one is said without a path."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pincite.core.errors import ReadingError, TooLargeError, UnsupportedError
from pincite.core.files import read_bytes, refusal_of


def test_bytes_up_to_the_limit(tmp_path: Path) -> None:
    """One more is too large."""
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert read_bytes(path, 5) == b"12345"
    with pytest.raises(TooLargeError):
        read_bytes(path, 4)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_pipes_and_devices_are_refused_at_once(tmp_path: Path) -> None:
    """Nobody writes to the pipe, and the device never ends."""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        with pytest.raises(ReadingError):
            read_bytes(path, 5)
    with pytest.raises(UnsupportedError, match="a pipe, a device"):
        read_bytes(tmp_path / "pipe", 5)


def test_a_refusal_shows_no_path(tmp_path: Path) -> None:
    """The system's words, and ours where it has none."""
    with pytest.raises(ReadingError, match=r"^This cannot be read: no such file or directory\.$"):
        read_bytes(tmp_path / "gone", 5)
    assert refusal_of(PermissionError(errno.EACCES, "Permission denied", "/secret")) == "permission denied"
    assert refusal_of(OSError()) == "the system refused it"
