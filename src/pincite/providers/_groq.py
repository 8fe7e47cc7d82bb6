"""Groq's chat completions: citations of documents and of tools, and what its own tools found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.providers._annotations import Found, queries_in, searched, web_source
from pincite.providers._chat import Stream, message_of, read_message
from pincite.providers.response import listed, mapping

if TYPE_CHECKING:
    from pincite.providers.response import Json, ResponseDraft

__all__ = ["Stream", "read"]


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response: its first choice is the part."""
    found = Found()
    images: list[Any] = []
    for tool in map(mapping, listed(message_of(listed(response.get("choices"))).get("executed_tools"))):
        results = mapping(tool.get("search_results"))
        searched(draft, queries_in(tool.get("arguments")))
        found.add(web_source(one) for one in listed(results.get("results")))
        found.add(web_source(one) for one in listed(tool.get("browser_results")))
        images.extend(listed(results.get("images")))
    if images:
        draft.details["images"] = images
    read_message(draft, response, found, lambda _: None)
