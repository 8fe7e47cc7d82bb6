"""Does one thing to copies of a library, killed -9 at its first step, its second, and so on to its last.

Arguments: the library to copy, the folder for the copies, `add`, `edit`, `revert` or `delete`. For each copy it
prints the step after which the process was killed, and `done` for the last one, which was not.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from line_documents import keep_text
from sqlalchemy import event

from pincite.library import Library
from pincite.library.files import Files

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = "upload://a.txt"
NEW_TEXTS = {"add": "uno\ndue", "edit": "one\nzwei\nthree", "revert": "first\nedition"}


class Steps:
    """Counts steps and ends the process, without warning, after the `last` one."""

    def __init__(self, last: int, report: int) -> None:
        self.left = last
        self.report = report

    def step(self, name: str) -> None:
        """Take one step."""
        self.left -= 1
        if self.left == 0:
            os.write(self.report, name.encode())
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return `method` with a step before and after."""

        def stepped(*args: Any, **options: Any) -> Any:
            self.step(f"before {name}")
            result = method(*args, **options)
            self.step(f"after {name}")
            return result

        return stepped


def _watch(library: Library, steps: Steps) -> None:
    engine = library.database.engine

    def executed(_c: object, _cursor: object, statement: str, *_: object) -> None:
        steps.step(" ".join(statement.split()[:3]))

    event.listen(engine, "after_cursor_execute", executed)
    engine.dialect.do_commit = steps.around("commit", engine.dialect.do_commit)  # type: ignore[method-assign]
    Files.ensure = steps.around("blob", Files.ensure)  # type: ignore[method-assign]
    Files.delete = steps.around("blob delete", Files.delete)  # type: ignore[method-assign]


def _act(home: Path, action: str, last: int, report: int) -> None:
    library = Library.open(home)
    collection = library.collection("default")
    known = library.documents()
    _watch(library, Steps(last, report))
    if action == "delete":
        library.delete(next(document for document in known if document.source_key == KEY).document_id)
    else:
        key = "upload://new.txt" if action == "add" else KEY
        keep_text(library, collection, key, NEW_TEXTS[action])


def main(template: Path, folder: Path, action: str) -> None:
    """Run `action` again and again, one step further each time."""
    for last in count(1):
        home = folder / str(last)
        shutil.copytree(template, home)
        heard, report = os.pipe()
        child = os.fork()
        if child == 0:
            _finish(home, action, last, report)
        os.close(report)
        _, status = os.waitpid(child, 0)
        step = os.read(heard, 200).decode()
        os.close(heard)
        if os.WIFSIGNALED(status):
            print(step, flush=True)
            continue
        print("done" if os.WEXITSTATUS(status) == 0 else "failed", flush=True)
        return


def _finish(home: Path, action: str, last: int, report: int) -> NoReturn:
    code = 1
    try:
        _act(home, action, last, report)
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
