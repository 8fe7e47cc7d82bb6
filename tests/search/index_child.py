"""A process of its own on a library's index: `index_child.py <home> read|write|hold`."""

from __future__ import annotations

import sys
from pathlib import Path

from pincite.core.refs import RefIssuer
from pincite.library import Library
from pincite.search import CoverageReranker, LocalIndex, MiniLM, Search
from pincite.search._lock import file_lock


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(home: Path, action: str) -> None:
    """Answer each line of the input, a question, with the first row's text; or build; or hold the lock."""
    embedder = MiniLM(threads=1)
    if action == "hold":
        with file_lock(home / "index" / "writer.lock", 5) as mine:
            _say("held" if mine else "taken")
            sys.stdin.readline()
        return
    with Library.open(home) as library:
        index = LocalIndex(library, home / "index", embedder)
        if action == "write":
            index.sync()
            _say("written")
            return
        search = Search(library, index, embedder, CoverageReranker(embedder, index.terms))
        _say("ready")
        for line in sys.stdin:
            found = search.search(line.strip(), collections=library.collections(), refs=RefIssuer(), limit=1)
            _say(found.hits[0].content if found.hits else "-")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
