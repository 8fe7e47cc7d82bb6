"""The tools through which a pydantic-ai agent searches and reads the records of a Reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic_ai import ModelRetry, Tool

from pincite.agents.tools import OURS
from pincite.core.errors import InputError
from pincite.protocols.moca.source import HITS

if TYPE_CHECKING:
    from pincite.protocols.moca.source import MocaSource


def search_records_tool(source: MocaSource, *, limit: int = HITS, **options: Any) -> Tool[object]:  # noqa: ANN401 - the Reader's own
    """Return the tool `search(question)`: it searches the Reader of `source` and presents every record.

    `limit` and `options` (what the Reader's search takes: audiences, a locale, a scope) are set here, by the host; a
    model chooses nothing but its question.
    """

    def search(question: str) -> list[dict[str, Any]]:
        """Search the knowledge base for passages that answer a question.

        Args:
            question: What you want to know, as one sentence in plain words.
        """
        try:
            return source.search(question, limit=limit, **options)
        except InputError as error:
            raise ModelRetry(error.message) from error

    return Tool(search, name="search", takes_ctx=False, docstring_format="google", metadata=OURS)
