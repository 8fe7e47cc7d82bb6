"""The tools that a pydantic-ai agent of ours is given, and what they did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pydantic_ai import ModelRetry, Tool

from pincite.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.citing import CitationRun
    from pincite.core.hit import Hit
    from pincite.library.library import Collection
    from pincite.search.search import Search

HITS: Final = 8
"""Passages of one search."""


@dataclass(slots=True)
class SearchLog:
    """What the search tool of one run was asked: how often, and every hit and warning it returned, each once."""

    searches: int = 0
    broadened: bool = False
    hits: dict[str, Hit] = field(default_factory=dict[str, "Hit"])
    warnings: dict[str, None] = field(default_factory=dict[str, None])


def search_tool(
    search: Search, *, collections: Sequence[Collection], run: CitationRun, log: SearchLog
) -> Tool[object]:
    """Return the tool `search(question)`: it searches `collections` and presents every hit through `run`.

    What the model gets is what `run.present` makes of each hit, and nothing else. A question that the search
    refuses is handed back to the model to put better.
    """

    def find(question: str) -> list[dict[str, Any]]:
        """Search the documents for passages that answer a question.

        Args:
            question: What you want to know, as one sentence in plain words.
        """
        try:
            result = search.search(question, collections=collections, limit=HITS, refs=run.refs)
        except InputError as error:
            raise ModelRetry(error.message) from error
        log.searches += 1
        log.broadened = log.broadened or result.broadened
        log.hits |= {hit.chunk_id: hit for hit in result.hits}
        log.warnings |= dict.fromkeys(result.warnings)
        return [run.present(hit) for hit in result.hits]

    return Tool(find, name="search", takes_ctx=False, docstring_format="google")
