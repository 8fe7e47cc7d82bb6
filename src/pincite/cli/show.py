"""`pincite show`: the passage behind a ref, and its page with the words outlined."""

from __future__ import annotations

from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli.options import AsJson, InCollection, InConversation, InLibrary, Precisely
from pincite.cli.output import Output
from pincite.cli.workspace import TERMINAL, Workspace
from pincite.core.errors import InputError, MalformedIdError, NotFoundError, RenderError
from pincite.core.highlight import HighlightPrecision
from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId, is_uuid, parse_evidence_id
from pincite.core.passage import Passage
from pincite.core.text import one_line

if TYPE_CHECKING:
    from pincite.cli.lighting import Lit
    from pincite.library import StoredDocument
    from pincite.showing import Highlight

SHORTEST_PREFIX = 8
"""Code points of a passage id that are enough to ask for it."""
# Code points of a title in a line.
_TITLE = 200


class Mode(StrEnum):
    """How much of the page is drawn."""

    PAGE = "page"
    CROP = "crop"


def show(
    refs: Annotated[
        list[str],
        typer.Argument(
            metavar="REF...",
            help="A ref of the conversation, a passage id (8 characters do), or an evidence id. "
            "Several, where a copy is annotated.",
            show_default=False,
        ),
    ],
    *,
    png: Annotated[
        Path | None,
        typer.Option(
            "--png",
            metavar="PATH",
            help="Where to write the page image, a .png, .webp or .jpg; else in the library.",
        ),
    ] = None,
    mode: Annotated[
        Mode, typer.Option("--mode", help="The whole page, or the words with a margin.")
    ] = Mode.PAGE,
    page: Annotated[
        int | None,
        typer.Option("--page", metavar="N", help="Which page, of a passage that stands on several."),
    ] = None,
    width: Annotated[
        int | None, typer.Option("--width", metavar="PIXELS", help="How wide the image is.")
    ] = None,
    no_image: Annotated[bool, typer.Option("--no-image", help="Draw no page.")] = False,
    annotate: Annotated[
        Path | None,
        typer.Option(
            "--annotate",
            metavar="PATH",
            help="Write a copy of the PDF there, the words of each ref highlighted and numbered in their order.",
        ),
    ] = None,
    question: Annotated[
        str, typer.Option("--question", metavar="TEXT", help="Light what answers this best.")
    ] = "",
    highlight: Precisely = HighlightPrecision.BEST_MATCH,
    conversation: InConversation = TERMINAL,
    collection: InCollection = None,
    library: InLibrary = None,
    as_json: AsJson = False,
) -> None:
    """Show the passage behind a ref, and write its page with the words outlined."""
    from pincite.cli.lighting import Lighting, format_of, write_image
    from pincite.showing import ImageOptions

    output = Output(as_json=as_json)
    if highlight is HighlightPrecision.MODELS_QUOTE:
        output.note(
            "No model is asked here: what answers --question best is lit, else the whole passage. "
            "`pincite ask --model ...` lights what a model quotes."
        )
    with Workspace(collection, library) as work:
        options = ImageOptions(mode.value, page=page, width=width, format=format_of(png))
        options.check(work.limits)
        found = [find_passage(work, ref.strip().strip("[]"), conversation) for ref in refs]
        if annotate is not None:
            _annotate(
                output, work, [Lighting(work, highlight, question).light(one) for one in found], annotate
            )
            return
        if len(found) > 1:
            msg = "One ref is shown at a time; several go into a copy with --annotate."
            raise InputError(msg, field="ref")
        passage = found[0]
        document = work.library.document(passage.document_id)
        lit = Lighting(work, highlight, question, boxes=not no_image).light(passage)
        path = None
        if lit.has_image:
            target = (
                png if png is not None else work.home / "images" / f"{passage.chunk_id[:SHORTEST_PREFIX]}.png"
            )
            path = write_image(work, lit, target, options)
        elif png is not None:
            msg = "This passage has no page that can be drawn."
            raise RenderError(msg, field="png")
        _tell(output, work, passage, document, path, lit.highlight if question else None)


def _annotate(output: Output, work: Workspace, lit: list[Lit], path: Path) -> None:
    from pincite.cli.annotating import annotated_copy

    copy = annotated_copy(work, lit, path)
    if output.json:
        output.data(copy.as_dict())
    else:
        copy.say(output)


def find_passage(work: Workspace, name: str, conversation: str) -> Passage:
    """Return the passage that a ref of the conversation, an evidence id or the beginning of a passage id names.

    Raises:
        NotFoundError: there is none.
        InputError: there are several.
    """
    if name.startswith("ev1:"):
        return _by_evidence_id(work, name)
    chunk = work.run(conversation).refs.chunk_of(name)
    if chunk is not None:
        return work.library.passage(chunk)
    if len(name) < SHORTEST_PREFIX:
        msg = f"{name[:80]!r} is no ref of this conversation, and a passage id needs {SHORTEST_PREFIX} characters."
        raise NotFoundError(msg, field="ref")
    found = [name] if is_uuid(name) else work.library.find_chunk(name)
    if not found:
        msg = f"No passage is named {name[:80]!r}."
        raise NotFoundError(msg, field="ref")
    if len(found) > 1:
        msg = f"{name[:80]!r} means {len(found)} passages: {', '.join(found)}."
        raise InputError(msg, field="ref")
    return work.library.passage(found[0])


def _by_evidence_id(work: Workspace, name: str) -> Passage:
    try:
        named = parse_evidence_id(name)
    except MalformedIdError as error:
        raise InputError(error.message, field="ref") from error
    if isinstance(named, ChunkEvidenceId):
        return work.library.passage(named.chunk_id, named.version)
    return _span(work, named)


def _span(work: Workspace, named: SpanEvidenceId) -> Passage:
    """Return a span as a passage, with its own boxes where it can be placed, else those of the passage around it."""
    from pincite.cli.lighting import Lighting

    text = work.library.document_text(named.document_id, named.version)
    if named.end > len(text):
        msg = "The range reaches past the end of the document."
        raise NotFoundError(msg, field="ref")
    held = next(
        (
            one
            for one in work.library.passages_of(named.document_id, named.version)
            if one.start <= named.start and named.end <= one.end
        ),
        None,
    )
    pages = Lighting(work).pages_of(named.document_id, named.version)
    boxes = held.boxes if held is not None else ()
    with suppress(RenderError):
        boxes = pages.boxes(named.start, named.end)
    return Passage(
        chunk_id=held.chunk_id if held is not None else "",
        document_id=named.document_id,
        version=named.version,
        start=named.start,
        end=named.end,
        text=text[named.start : named.end],
        locator=pages.document.locator(named.start, named.end),
        boxes=boxes,
    )


def _tell(
    output: Output,
    work: Workspace,
    passage: Passage,
    document: StoredDocument,
    image: Path | None,
    highlight: Highlight | None,
) -> None:
    from pincite.core.urls import safe_link, shown_source
    from pincite.showing import preview_of, snippet

    preview = preview_of(
        passage,
        collection=document.collection,
        collection_id=document.collection_id,
        source_uri=safe_link(document.source_uri) or shown_source(document.source_key),
        frames=work.library.frames(passage.document_id, passage.version),
        media_type=document.media_type,
        state=work.library.source_state(passage.document_id, passage.version),
        highlight=highlight,
        limits=work.limits,
    )
    if output.json:
        output.data(
            {
                **preview.as_dict(),
                "title": document.title,
                "evidence_id": passage.evidence_id if passage.chunk_id else passage.span_id,
                "image": str(image) if image is not None else None,
            }
        )
        return
    lit = highlight.locator if highlight is not None else None
    place = (lit or passage.locator).describe()
    output.say(
        one_line(document.title, _TITLE) + (f", {one_line(place, _TITLE)}" if place else ""), style="bold"
    )
    if preview.source_state.value != "current":
        output.say(f"({preview.source_state.value})", style="yellow")
    output.say(preview.snippet)
    if highlight is not None and (highlight.start, highlight.end) != (0, len(passage.text)):
        output.say(f"best match: {snippet(passage.text[highlight.start : highlight.end])}")
    if image is not None:
        output.say()
        output.say(f"page image: {image}")
