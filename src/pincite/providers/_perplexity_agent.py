"""Perplexity's Agent API: OpenAI's Responses, with numbers in brackets that name its own search results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pincite.providers._annotations import web_source
from pincite.providers._numbers import cite_numbers
from pincite.providers._responses import Stream as _Responses
from pincite.providers._responses import read_parts
from pincite.providers.response import listed, mapping, whole

if TYPE_CHECKING:
    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json, ResponseDraft

_RESULTS: Final = ("results", "contents")


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response: each `output_text` is a part, each number in brackets the search result with that `id`."""
    numbered: dict[int, CitationSource] = {}
    for item in map(mapping, listed(response.get("output"))):
        for result in listed(item.get("results")):
            number, page = whole(mapping(result).get("id")), web_source(result)
            if number is not None and page is not None:
                numbered.setdefault(number, page)
    read_parts(draft, response, lambda part: cite_numbers(part, numbered.get))


class Stream(_Responses):
    """Puts the events of a response together; what the search found comes in events of its own too."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        super().__init__()
        self._found: list[dict[str, Any]] = []

    def feed(self, event: Json) -> str:
        """Take the next event; return the text that it adds to the answer."""
        kind = str(event.get("type") or "")
        if kind.startswith("response.reasoning."):
            found = {name: event[name] for name in (*_RESULTS, "queries") if listed(event.get(name))}
            if found:
                self._found.append({"type": "search_results", **found})
            return ""
        return super().feed(event)

    def response(self) -> Json:
        """Return the response as far as it has come; a search that is an item of the output stands there only."""
        whole_response = super().response()
        output = listed(whole_response.get("output"))
        known = [list_of for item in output for name in _RESULTS if (list_of := mapping(item).get(name))]
        missing = [
            one for one in self._found if all(one[name] not in known for name in _RESULTS if name in one)
        ]
        return {**whole_response, "output": [*missing, *output]}
