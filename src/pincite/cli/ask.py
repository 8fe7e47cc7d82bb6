"""`pincite ask`: an answer from the documents, its citations checked, the first one shown on its page."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli.options import AsJson, HowToCheck, InCollection, InConversation, InLibrary, Precisely
from pincite.cli.output import ExitCode, Output, write_file
from pincite.cli.workspace import TERMINAL, Workspace
from pincite.core.errors import RenderError
from pincite.core.highlight import HighlightPrecision
from pincite.core.text import normalise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.agents import Asked, Repair
    from pincite.citing import CitationRun
    from pincite.cli.lighting import Lit


def ask(
    question: Annotated[str, typer.Argument(help="The question; `-` reads it from standard input.")],
    *,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="Any pydantic-ai model, such as openai:gpt-5. PINCITE_MODEL when not given; else no model: "
            "sentences are quoted.",
        ),
    ] = None,
    wire_format: Annotated[
        str | None,
        typer.Option(
            "--wire-format",
            metavar="NAME",
            help="How the model writes citations: ref, short_id, evidence_id, inline_url, sup_numeric, deferred.",
        ),
    ] = None,
    image: Annotated[
        Path | None,
        typer.Option("--image", metavar="PATH", help="Where to write the page image; else in the library."),
    ] = None,
    no_image: Annotated[bool, typer.Option("--no-image", help="Draw no page.")] = False,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Where to save the JSON, for `pincite export`."),
    ] = None,
    conversation: InConversation = TERMINAL,
    new: Annotated[bool, typer.Option("--new", help="Begin the conversation anew.")] = False,
    collection: InCollection = None,
    library: InLibrary = None,
    method: HowToCheck = "lexical",
    highlight: Precisely = HighlightPrecision.BEST_MATCH,
    as_json: AsJson = False,
) -> None:
    """Answer a question from your documents, with every citation checked."""
    from pincite.cli.lighting import Lighting, format_of

    # An ending that is none is told before a model is asked.
    format_of(image, "image")
    output = Output(as_json=as_json)
    # What a terminal sent that is no text comes in as halves of characters, which JSON and models do not read.
    question = normalise(sys.stdin.read().strip() if question == "-" else question)
    with Workspace(collection, library) as work:
        asked, run = _answered(
            work,
            question,
            model,
            conversation,
            wire_format=wire_format,
            new=new,
            method=method,
            highlight=highlight,
        )
        work.keep(conversation, run.conversation)
        lit = Lighting(work, highlight, question, boxes=not no_image).cited(asked.answer, asked.quotes)
        path = None if no_image else _image(work, asked, lit, image, output)
        if output.json or save is not None:
            data = _data(work, asked, question, conversation, path, lit)
            if save is not None:
                write_file(save, json.dumps(data, indent=2), field="save")
            if output.json:
                output.data(data)
        _tell(output, work, asked, path)
    from pincite.agents import AnswerStatus

    good = (AnswerStatus.ANSWERED, AnswerStatus.INSUFFICIENT_EVIDENCE)
    raise typer.Exit(ExitCode.OK if asked.status in good else ExitCode.FAULTS)


def _answered(
    work: Workspace,
    question: str,
    model: str | None,
    conversation: str,
    *,
    wire_format: str | None,
    new: bool,
    method: str,
    highlight: HighlightPrecision,
) -> tuple[Asked, CitationRun]:
    import asyncio
    import os

    # What a command prints is its own: pydantic-ai greets terminals unless it is told not to.
    os.environ.setdefault("PYDANTIC_AI_NO_BANNER", "1")
    from pincite.agents import ask as answer
    from pincite.cli.support import method_of

    how = method_of(method)
    chosen = work.filled_collection()
    run = work.run(conversation, wire_format=wire_format, new=new)
    asked = asyncio.run(
        answer(
            question,
            search=work.search,
            collections=[chosen],
            model=model if model is not None else work.settings.model,
            run=run,
            support=how,
            highlight=highlight,
            limits=work.limits,
        )
    )
    return asked, run


def _image(
    work: Workspace, asked: Asked, cited: Sequence[Lit | None], path: Path | None, output: Output
) -> Path | None:
    from pincite.cli.lighting import first_image, format_of, write_image
    from pincite.showing import ImageOptions

    options = ImageOptions(format=format_of(path, "image"))
    found = first_image(asked.answer, cited)
    if found is None:
        return None
    ref, lit = found
    target = path if path is not None else work.home / "images" / f"{ref}.png"
    try:
        return write_image(work, lit, target, options)
    except RenderError as error:
        if path is not None:
            raise
        output.note(error.message)
        return None


def _data(
    work: Workspace,
    asked: Asked,
    question: str,
    conversation: str,
    image: Path | None,
    lit: Sequence[Lit | None],
) -> dict[str, Any]:
    """Return all that is known of an answer, as JSON holds it."""
    from pincite.protocols.answers import answer_json

    told = answer_json(asked.answer, work.library, asked.support)
    for citation, one in zip(told["citations"], lit, strict=True):
        citation["highlight"] = None if one is None else one.highlight.as_dict()
    return {
        "question": question,
        "model": asked.model,
        "extractive": asked.extractive,
        "status": asked.status.value,
        "reason": asked.reason,
        **told,
        "repairs": [_repair_data(repair) for repair in asked.repairs],
        "broadened": asked.broadened,
        "searches": asked.searches,
        "warnings": list(asked.warnings),
        "image": str(image) if image is not None else None,
        "conversation_id": conversation,
    }


def _tell(output: Output, work: Workspace, asked: Asked, image: Path | None) -> None:
    """Print an answer for a person; nothing with `--json`."""
    from pincite.agents import EXTRACTIVE_NOTICE
    from pincite.cli import answers
    from pincite.cli.support import better_of, print_support
    from pincite.showing import plain_text, render_answer

    if output.json:
        return
    answer = asked.answer
    for warning in filter(None, (*asked.warnings, asked.reason)):
        output.note(warning)
    if answer.text:
        # A person reads it, so no backslash of Markdown stands in it.
        output.say(plain_text(render_answer(answer).text))
        output.say()
    answers.print_sources(output, answer, work.library)
    answers.print_verdicts(output, answer, work.library)
    answers.print_uncited(output, answer, better_of(asked.support))
    _print_repairs(output, asked)
    if asked.support is not None:
        print_support(output, asked.support)
    output.say(f"status: {asked.status}")
    output.say(EXTRACTIVE_NOTICE if asked.extractive else f"answered by {asked.model}", style="dim")
    if image is not None:
        output.say(f"page image: {image}")


def _repair_data(repair: Repair) -> dict[str, Any]:
    return {
        "kind": repair.kind.value,
        "reason": repair.reason,
        "written": repair.written,
        "became": repair.became,
        "before": _counts(repair.before),
        "after": _counts(repair.after),
    }


def _counts(found: tuple[int, int] | None) -> dict[str, int] | None:
    return None if found is None else {"valid": found[0], "faulty": found[1]}


def _print_repairs(output: Output, asked: Asked) -> None:
    """Print what was mended before the answer was given."""
    if not asked.repairs:
        return
    output.say("Repairs", style="bold")
    for repair in asked.repairs:
        became = f" as {repair.became}" if repair.became else ""
        output.say(f"  - {repair.kind}: {' '.join(filter(None, (repair.written + became, repair.reason)))}")
    output.say()
