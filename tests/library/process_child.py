"""One process among several on one library. Arguments: the library, then what to do.

`hold`: begins to write, says `holding`, waits for a line, commits. `keep`: says `ready`, waits for a line, keeps a
document; without the library being there it makes it. `read`: reads until a line comes, and says how often.
"""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Thread

from line_documents import keep_text

from pincite.library import Library


def _say(word: str) -> None:
    print(word, flush=True)


def _hold(home: Path) -> None:
    with Library.open(home) as library, library.database.writing() as connection:
        connection.exec_driver_sql("UPDATE documents SET title = 'changed'")
        _say("holding")
        sys.stdin.readline()


def _keep(home: Path) -> None:
    _say("ready")
    sys.stdin.readline()
    with Library.open(home) as library:
        stored = keep_text(library, library.collection("default"), "upload://a.txt", "one\ntwo")
        _say(stored.document_id)


def _read(home: Path) -> None:
    waiting = Thread(target=sys.stdin.readline, daemon=True)
    waiting.start()
    times = 0
    with Library.open(home) as library:
        _say("ready")
        while waiting.is_alive() or times == 0:
            before = library.head()
            for document in library.documents():
                text = library.document_text(document.document_id, document.version)
                passages = library.passages_of(document.document_id, document.version)
                assert text == "\n".join(passage.text for passage in passages)
                assert len(passages) == document.passages
            assert library.head() >= before
            times += 1
    _say(str(times))


if __name__ == "__main__":
    # The makers of test libraries stand in the folder above.
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from layouts import join

    join()
    {"hold": _hold, "keep": _keep, "read": _read}[sys.argv[2]](Path(sys.argv[1]))
