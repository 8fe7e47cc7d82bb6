"""Perplexity's Sonar: numbers in brackets, from 1, into lists beside the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.providers._annotations import Found, web_source
from pincite.providers._chat import FOUND, Stream, read_message
from pincite.providers._numbers import cite_numbers
from pincite.providers.response import listed

if TYPE_CHECKING:
    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json, ResponseDraft

__all__ = ["Stream", "read"]


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response: its first choice is the part, each number in brackets a citation."""
    results, addresses = (listed(response.get(name)) for name in FOUND)

    def numbered(number: int) -> CitationSource | None:
        """Return the source of a number: the list of addresses is the older one and may be absent."""
        lists = (addresses, results)
        found = (web_source(one[number - 1]) for one in lists if 0 < number <= len(one))
        return next((source for source in found if source is not None), None)

    read_message(draft, response, Found(), lambda part: cite_numbers(part, numbered))
