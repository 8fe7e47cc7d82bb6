"""`pincite dump`: a whole library as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli.moving import moved_data, moving, say_missing
from pincite.cli.options import AsJson, InLibrary
from pincite.cli.output import ExitCode, Output
from pincite.cli.workspace import Workspace


def dump(
    file: Annotated[
        Path, typer.Argument(help="Where to write it: a tar archive as `library.tar`, else a folder.")
    ],
    *,
    library: InLibrary = None,
    as_json: AsJson = False,
) -> None:
    """Write the whole library, every tenant's, to a file from which `pincite load` makes it again.

    One state of it is written, also while a server works on it. Secrets of the server are no part of it.
    """
    from pincite.library.transfer import dump as write

    output = Output(as_json=as_json)
    with Workspace(library=library) as work, moving(output) as on_progress:
        moved = write(work.library, file, on_progress=on_progress)
    if as_json:
        output.data({"dumped": moved_data(moved)})
    else:
        output.say(f"Wrote {moved.rows:,} rows of {len(moved.tables)} tables, and {moved.files:,} files.")
    if moved.missing:
        say_missing(output, moved)
        raise typer.Exit(ExitCode.FAULTS)
