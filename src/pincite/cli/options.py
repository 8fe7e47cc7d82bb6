"""The options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.core.highlight import HighlightPrecision

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, errors too.")]
InCollection = Annotated[
    str | None,
    typer.Option(
        "--collection", metavar="NAME", help="The collection; PINCITE_COLLECTION or `default` when not given."
    ),
]
InConversation = Annotated[
    str, typer.Option("--conversation", metavar="ID", help="The conversation that refs belong to.")
]
InLibrary = Annotated[
    Path | None,
    typer.Option("--library", metavar="FOLDER", help="The library; PINCITE_HOME when not given."),
]
Precisely = Annotated[
    HighlightPrecision,
    typer.Option(
        "--highlight",
        help="Which words are lit: what answers the question best, the whole passage, or what a model quotes.",
    ),
]
HowToCheck = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="METHOD",
        help="How support is told: lexical, nli:FOLDER (a model in ONNX), judge:MODEL (as `ask --model`), or none.",
    ),
]
