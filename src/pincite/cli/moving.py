"""What `dump`, `load` and `migrate` say: how far they are, and what was moved."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from pincite.cli.output import Output
    from pincite.library.transfer import Moved


@contextmanager
def moving(output: Output) -> Generator[Callable[[str, int, int], None]]:
    """Give what is told (what, done, of how many); it moves a bar where somebody sees it."""
    with output.progress() as bars:
        bar = None if bars is None else bars.add_task("")

        def on_progress(what: str, done: int, total: int) -> None:
            if bars is not None and bar is not None:
                bars.update(bar, description=what, completed=done, total=total)

        yield on_progress


def moved_data(moved: Moved) -> dict[str, Any]:
    """Return what was moved as JSON."""
    return {
        "rows": moved.rows,
        "files": moved.files,
        "missing": list(moved.missing),
        "tables": {name: {"rows": one.rows, "sha256": one.sha256} for name, one in moved.tables.items()},
    }


def say_missing(output: Output, moved: Moved) -> None:
    """Name the files that the library's file store has lost, or whose bytes are not the ones that were kept."""
    for name in moved.missing:
        output.note(f"The file {name} is missing from the file store, or damaged in it.")
