"""A worker in a process of its own. Arguments: the library, then the name of the file at which it stands still.

It says `reading` and the name of each file that it reads; at the one that it was given it waits to be killed.
"""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.core import ids
from pincite.core.document import Document
from pincite.core.limits import DEFAULT
from pincite.library import Library, Worker

if TYPE_CHECKING:
    from collections.abc import Callable


class LinePool:
    """Reads bytes as text, and stands still at one file."""

    def __init__(self, still: str) -> None:
        self.still = still

    def read(self, data: bytes, *, name: str, on_page: Callable[[int, int], None] | None = None) -> Document:
        """Return the text as a document."""
        print(f"reading {name}", flush=True)
        if on_page is not None:
            on_page(1, 2)
        while name == self.still:
            time.sleep(1)
        text = data.decode()
        return Document(text, ids.version_of(text), name, "text/plain", "fake/1")


if __name__ == "__main__":
    # The makers of test libraries stand in the folder above.
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from layouts import join

    join()
    limits = replace(DEFAULT, job_beat_seconds=0.05, workers=1)
    with Library.open(Path(sys.argv[1]), limits=limits) as library:
        Worker(library, LinePool(sys.argv[2]), name="killed").step()
