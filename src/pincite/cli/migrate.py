"""`pincite migrate`: the library on another database, another file store, or both."""

from __future__ import annotations

from typing import Annotated

import typer

from pincite.cli.moving import moved_data, moving, say_missing
from pincite.cli.options import AsJson, InLibrary
from pincite.cli.output import ExitCode, Output
from pincite.cli.workspace import Workspace


def migrate(
    *,
    to_database: Annotated[
        str | None,
        typer.Option(
            "--to-database",
            metavar="ADDRESS",
            help="The database to copy to, empty or made by a `migrate` that was stopped.",
        ),
    ] = None,
    to_files: Annotated[
        str | None,
        typer.Option("--to-files", metavar="ADDRESS", help="The file store to copy to, as `s3://bucket`."),
    ] = None,
    library: InLibrary = None,
    as_json: AsJson = False,
) -> None:
    """Copy the library to another database, another file store, or both, and compare.

    Stop the servers first. What was stopped goes on where it was; the library itself stays as it is.
    """
    from pincite.library.transfer import migrate as copy

    output = Output(as_json=as_json)
    with Workspace(library=library) as work, moving(output) as on_progress:
        moved = copy(work.library, database=to_database, files=to_files, on_progress=on_progress)
    if as_json:
        output.data({"migrated": moved_data(moved)})
    else:
        if to_database is not None:
            output.say(f"Copied {moved.rows:,} rows; every table is the same in number and checksum.")
        if to_files is not None:
            output.say(f"Copied {moved.files:,} files, each with the checksum that is its name.")
        names = [
            name
            for name, given in (("PINCITE_DATABASE", to_database), ("PINCITE_FILES", to_files))
            if given is not None
        ]
        output.say(f"Set {' and '.join(names)} to use it.")
    if moved.missing:
        say_missing(output, moved)
        raise typer.Exit(ExitCode.FAULTS)
