"""Bytes to `Document` to passages; every parser of untrusted bytes runs in a guarded child process."""

from __future__ import annotations

from pincite.reading.chunking import chunk
from pincite.reading.guard import ReadingPool
from pincite.reading.marks import Mark
from pincite.reading.reader import Reader, media_type_of

__all__ = ["Mark", "Reader", "ReadingPool", "chunk", "media_type_of"]
