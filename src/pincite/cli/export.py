"""`pincite export`: a saved answer with its sources, for a page, a text or a reference manager."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli.options import InLibrary
from pincite.cli.output import Output, write_file
from pincite.cli.workspace import Workspace
from pincite.core.errors import InputError, NotFoundError
from pincite.core.files import refusal_of
from pincite.core.ids import SpanEvidenceId
from pincite.core.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.cli.saved import Saved
    from pincite.core.bibliography import Bibliography
    from pincite.core.protocols import EvidenceText

# Bytes of a saved answer that are read.
_LONGEST_ANSWER = 64 * 1024 * 1024
# Code points behind a cited passage that are read beside all before it, where its words may stand too.
_BEHIND = 200


class Format(StrEnum):
    """What an answer is written as."""

    MARKDOWN = "markdown"
    HTML = "html"
    TEXT = "text"
    BIBTEX = "bibtex"
    CSL_JSON = "csl-json"
    ANNOTATIONS = "annotations"


_PLACED = (Format.MARKDOWN, Format.HTML, Format.ANNOTATIONS)
"""Formats that lead to the cited words themselves."""


def export(
    answer: Annotated[
        str,
        typer.Argument(
            metavar="ANSWER",
            help="A file that `pincite ask --save` wrote, or what `pincite check --json` prints; `-` for standard "
            "input.",
        ),
    ],
    *,
    to: Annotated[
        Format,
        typer.Option(
            "--to", help="The format: the answer with its sources, its sources alone, or its citations."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", metavar="FILE", help="Where to write it; to standard output when not given."
        ),
    ] = None,
    library: InLibrary = None,
) -> None:
    """Write a saved answer with its sources in another format."""
    from pincite.cli.saved import saved
    from pincite.showing import export as exported

    found = saved(_read(answer))
    with Workspace(library=library) as work:
        known, texts = _beside(work, found, with_texts=to in _PLACED)
        written = exported(
            found.answer, to=to.value, known=known, texts=texts, title=found.question, limits=work.limits
        )
    if output is None:
        printed = Output().out.file
        printed.write(written)
        printed.flush()
        return
    if answer != "-" and output.exists() and output.samefile(answer):
        msg = "`--output` names the saved answer itself, which would be lost."
        raise InputError(msg, field="output")
    write_file(output, written, field="output")


def _read(name: str) -> object:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(_LONGEST_ANSWER + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(_LONGEST_ANSWER + 1)
    except FileNotFoundError as error:
        msg = f"There is no file {Path(name).name[:80]!r}."
        raise NotFoundError(msg, field="answer") from error
    except OSError as error:
        msg = f"{Path(name).name[:80]!r} cannot be read: {refusal_of(error)}."
        raise InputError(msg, field="answer") from error
    if len(data) > _LONGEST_ANSWER:
        msg = f"A saved answer has at most {_LONGEST_ANSWER:,} bytes."
        raise InputError(msg, field="answer")
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        msg = "ANSWER holds no JSON: give a file that `pincite ask --save` wrote."
        raise InputError(msg, field="answer") from error


def _beside(
    work: Workspace, found: Saved, *, with_texts: bool
) -> tuple[dict[str, Bibliography], list[EvidenceText]]:
    """Return what is known of the cited documents: today's, where the library still has them, else what was saved."""
    known = dict(found.known)
    # An answer may be exported where no library is: none is made for it.
    if not (work.settings.database or work.home.is_dir()):
        return known, []
    for document in known:
        try:
            known[document] = work.library.document(document).bibliography
        except NotFoundError:
            continue
    return known, list(_texts(work, found)) if with_texts else []


def _texts(work: Workspace, found: Saved) -> Iterator[EvidenceText]:
    """Yield the cited passages that the library still has, each alone and with what stands before it."""
    from pincite.library import LibraryEvidence

    passages = (citation.sources[0].passage for citation in found.answer.citations)
    names = dict.fromkeys(
        one.evidence_id for one in passages if one is not None and one.evidence_id is not None
    )
    scope = Scope(list(found.known))
    store = LibraryEvidence(work.library)
    texts = [text for text in store.read_sync(list(names), scope) if text is not None]
    wider = [str(SpanEvidenceId(text.document_id, text.version, 0, text.end + _BEHIND)) for text in texts]
    yield from texts
    yield from (text for text in store.read_sync(wider, scope) if text is not None)
