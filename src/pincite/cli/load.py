"""`pincite load`: a library from what `pincite dump` wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli.moving import moved_data, moving, say_missing
from pincite.cli.options import AsJson, InLibrary
from pincite.cli.output import ExitCode, Output
from pincite.cli.workspace import Workspace


def load(
    file: Annotated[Path, typer.Argument(help="The archive or folder that `pincite dump` wrote.")],
    *,
    library: InLibrary = None,
    as_json: AsJson = False,
) -> None:
    """Make an empty library what was dumped, on whatever database and file store it stands.

    All of it is loaded, or nothing. Every table is counted and hashed in the database, and every file.
    """
    from pincite.library.transfer import load as read

    output = Output(as_json=as_json)
    with Workspace(library=library) as work, moving(output) as on_progress:
        moved = read(work.library, file, on_progress=on_progress)
    if as_json:
        output.data({"loaded": moved_data(moved)})
    else:
        output.say(
            f"Loaded {moved.rows:,} rows of {len(moved.tables)} tables, and {moved.files:,} files; "
            "every count and checksum is the dump's."
        )
    if moved.missing:
        say_missing(output, moved)
        raise typer.Exit(ExitCode.FAULTS)
