"""`pincite rm`: a document out of the library; its passages are found no more from then on."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli.ls import SHORT_ID, document_data
from pincite.cli.options import AsJson, InCollection, InLibrary
from pincite.cli.output import Output
from pincite.cli.workspace import Workspace
from pincite.core.errors import InputError, NotFoundError, PinciteError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.library import StoredDocument


def rm(
    document: Annotated[
        str, typer.Argument(help="Its id, the id's first 8 characters or more, or its source.")
    ],
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    collection: InCollection = None,
    library: InLibrary = None,
    as_json: AsJson = False,
) -> None:
    """Remove a document from the library. The file it came from stays where it is."""
    output = Output(as_json=as_json)
    with Workspace(collection, library) as work:
        found = named_document(document, work.library.documents(work.collection().collection_id))
        if not yes:
            _confirm(found)
        work.library.delete(found.document_id)
        if as_json:
            output.data({"removed": document_data(found)})
        else:
            output.say(f"Removed {found.title} ({found.document_id[:SHORT_ID]}).")
        # It is found no more already; where the index cannot be written now, its next writer forgets it.
        with suppress(PinciteError):
            work.search.index.compact()


def _confirm(document: StoredDocument) -> None:
    if not sys.stdin.isatty():
        msg = "`pincite rm` asks before it removes; give `--yes` where nobody can answer."
        raise InputError(msg, field="yes")
    question = f"Remove {document.title} with {document.passages} passages?"
    if not typer.confirm(question, err=True):
        raise typer.Exit(0)


def named_document(name: str, documents: Sequence[StoredDocument]) -> StoredDocument:
    """Return the one document that `name` means.

    Raises:
        NotFoundError: there is none.
        InputError: there are several.
    """
    exact = [one for one in documents if name in (one.document_id, one.source_key, one.source_uri)]
    matching = exact or [
        one
        for one in documents
        if one.source_key == f"upload://{name}"
        or (len(name) >= SHORT_ID and one.document_id.startswith(name.lower()))
    ]
    if not matching:
        msg = f"No document is named {name[:80]!r}; `pincite ls` lists them."
        raise NotFoundError(msg, field="document")
    if len(matching) > 1:
        msg = f"{name[:80]!r} means {len(matching)} documents; give more of the id."
        raise InputError(msg, field="document")
    return matching[0]
