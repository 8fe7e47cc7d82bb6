"""`pincite search`: the passages that fit a question, as a model would be shown them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli.options import AsJson, InCollection, InConversation, InLibrary
from pincite.cli.output import Output
from pincite.cli.workspace import TERMINAL, Workspace
from pincite.core.urls import shown_source

if TYPE_CHECKING:
    from pincite.core.hit import Hit

# Code points of a passage in the list.
_EXCERPT = 280


def search(
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=50, help="Passages at most.")] = 8,
    conversation: InConversation = TERMINAL,
    collection: InCollection = None,
    library: InLibrary = None,
    as_json: AsJson = False,
) -> None:
    """Find passages; each has a ref that `pincite show` understands."""
    output = Output(as_json=as_json)
    with Workspace(collection, library) as work:
        chosen = work.filled_collection()
        run = work.run(conversation)
        result = work.search.search(question, collections=[chosen], limit=limit, refs=run.refs)
        for hit in result.hits:
            run.present(hit)
        work.keep(conversation, run.conversation)
        if as_json:
            output.data(
                {
                    "results": [
                        {**hit.row(), "source_uri": shown_source(hit.source_uri)} for hit in result.hits
                    ],
                    "broadened": result.broadened,
                    "conversation_id": conversation,
                }
            )
            return
        for warning in result.warnings:
            output.note(warning)
        if result.broadened:
            output.note("Nothing fitted well, so the search was widened.")
        if not result.hits:
            output.note("No passage was found.")
        for hit in result.hits:
            _print(output, hit)


def _print(output: Output, hit: Hit) -> None:
    from rich.text import Text

    from pincite.cli.output import STYLES
    from pincite.core.text import one_line
    from pincite.showing import snippet

    head = Text(hit.ref, style="bold")
    place = ", ".join(part for part in (hit.title, hit.locator.describe()) if part)
    head.append("  " + one_line(place, 200), style="default")
    if hit.confidence is not None:
        head.append("  " + hit.confidence.value, style=STYLES[hit.confidence.value])
    output.say(head)
    output.say(f"  {one_line(snippet(hit.content, _EXCERPT), _EXCERPT)}")
    output.say()
