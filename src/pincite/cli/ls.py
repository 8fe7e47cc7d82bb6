"""`pincite ls`: the documents of a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.cli.options import AsJson, InCollection, InLibrary
from pincite.cli.output import Output
from pincite.cli.workspace import Workspace
from pincite.core.urls import UPLOAD, safe_link, shown_source
from pincite.reading.reader import short_type

if TYPE_CHECKING:
    from pincite.library import Collection, StoredDocument

SHORT_ID = 8
"""Code points of an id in a table; enough for `pincite rm`."""


def ls(*, collection: InCollection = None, library: InLibrary = None, as_json: AsJson = False) -> None:
    """List the documents of a collection."""
    output = Output(as_json=as_json)
    with Workspace(collection, library) as work:
        found = next((one for one in work.library.collections() if one.name == work.collection_name), None)
        documents = [] if found is None else work.library.documents(found.collection_id)
        if as_json:
            output.data([document_data(document) for document in documents])
            return
        if not documents:
            output.note(
                f"The collection `{work.collection_name}` holds no documents yet; `pincite add PATH` adds some."
            )
            return
        head = ("id", "title", "type", "language", "pages", "passages", "source")
        output.table(head, [_row(document) for document in documents], narrow=("id", "title", "source"))
        if found is not None and (told := _settings(found)):
            output.note(told)


def _settings(collection: Collection) -> str:
    """Return what was set for a collection with `pincite add`, in a sentence each; nothing when nothing was."""
    said = ["Search rows are whole sections."] if collection.chunking == "hierarchical" else []
    if collection.score_threshold is not None:
        said.append(f"A row is supported from a score of {collection.score_threshold:g}.")
    return " ".join(said)


def _row(document: StoredDocument) -> tuple[str, ...]:
    return (
        document.document_id[:SHORT_ID],
        document.title,
        short_type(document.media_type),
        document.bibliography.language,
        str(document.pages or ""),
        str(document.passages),
        shown_source(document.source_key).removeprefix(UPLOAD),
    )


def document_data(document: StoredDocument) -> dict[str, Any]:
    """Return what is told of a document, as JSON holds it; addresses only when they are safe links."""
    return {
        "document_id": document.document_id,
        "collection": document.collection,
        "source_key": shown_source(document.source_key),
        "source_uri": safe_link(document.source_uri),
        "title": document.title,
        "bibliography": document.bibliography.as_dict(),
        "media_type": document.media_type,
        "version": document.version,
        "pages": document.pages,
        "passages": document.passages,
        "flags": [flag.as_dict() for flag in document.flags],
        "added_at": str(document.added_at),
    }
