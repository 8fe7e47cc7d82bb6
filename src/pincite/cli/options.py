"""The options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

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
