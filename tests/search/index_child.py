"""A process of its own on a library's index: `index_child.py <home> read|write|hold|die<n> [local|lance]`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.core.refs import RefIssuer
from pincite.library import Library
from pincite.search import CoverageReranker, LocalIndex, MiniLM, Search
from pincite.search._lock import file_lock

if TYPE_CHECKING:
    from pincite.search import Index


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _index(kind: str, library: Library, home: Path, embedder: Any) -> Index:
    if kind == "local":
        return LocalIndex(library, home / "index", embedder)
    from pincite.search.lance_index import LanceIndex

    return LanceIndex(library, f"lance:{home / 'index'}", embedder)


def _die_at(place: int) -> None:
    """Let the process end at once, as a killed one does: before its first write, in it, or right after it."""
    from pincite.library.index_state import IndexStates
    from pincite.search._lance_table import Writer
    from pincite.search._words import Words

    def die(*_: Any) -> Any:
        os._exit(9)

    def half(write: Any) -> Any:
        def wrapped(*given: Any) -> Any:
            write(*given)
            os._exit(9)

        return wrapped

    if place == 1:
        setattr(Words, "apply", die)  # noqa: B010 - a type checker keeps to what it was
        setattr(Writer, "apply", die)  # noqa: B010
    elif place == 2:
        Words.apply = half(Words.apply)
        # What was dropped is gone, what comes is not there.
        setattr(Writer, "_rows", die)  # noqa: B010
    else:
        Words.apply = half(Words.apply)
        setattr(IndexStates, "enter", die)  # noqa: B010


class _WordEmbedder:
    """The embedder of the tests beside this file, by the name that the library knows."""

    name = "words-64"
    dimensions = 64

    def embed(self, texts: Any) -> Any:
        """Embed nothing: a writer only reads what is stored."""
        raise NotImplementedError(texts)


def main(home: Path, action: str, kind: str) -> None:
    """Answer each line of the input, a question, with the first row's text; or build; or hold the lock; or die."""
    if action == "hold":
        with file_lock(home / "index" / "writer.lock", 5) as mine:
            _say("held" if mine else "taken")
            sys.stdin.readline()
        return
    with Library.open(home) as library:
        if action.startswith("die"):
            _die_at(int(action.removeprefix("die")))
            _index(kind, library, home, _WordEmbedder()).sync()
            return
        embedder = MiniLM(threads=1)
        index = _index(kind, library, home, embedder)
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
    # The makers of test libraries stand in the folder above.
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from layouts import join

    join()
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "local")
