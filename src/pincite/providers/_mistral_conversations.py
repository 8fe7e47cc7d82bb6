"""Mistral's Conversations: entries of a conversation, with references to what tools found between the texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.providers._annotations import queries_in, searched
from pincite.providers._mistral import chunks_of, read_chunks, text_in
from pincite.providers.response import listed, mapping, string, whole

if TYPE_CHECKING:
    from pincite.providers.response import Json, ResponseDraft

_MESSAGE, _TOOL = "message.output", "tool.execution"


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response: each output of the assistant is one or more parts, as `read_chunks` makes them."""
    for entry in map(mapping, listed(response.get("outputs"))):
        kind = entry.get("type")
        if kind == _TOOL:
            searched(draft, queries_in(entry.get("arguments")))
        elif kind in (None, _MESSAGE):
            read_chunks(draft, entry.get("content"))


class Stream:
    """Puts the events of a conversation's answer together."""

    __slots__ = ("_fields", "_outputs")

    def __init__(self) -> None:
        self._fields: dict[str, Any] = {}
        self._outputs: dict[tuple[int, str], dict[str, Any]] = {}

    def feed(self, event: Json) -> str:
        """Take the next event; return the text that it adds to the answer."""
        event = mapping(event.get("data")) or event  # the SDK's events hold what was sent in `data`
        kind = string(event.get("type")) or ""
        index = whole(event.get("output_index")) or 0
        if kind == f"{_MESSAGE}.delta":
            entry = self._outputs.setdefault((index, _MESSAGE), {"type": _MESSAGE, "content": []})
            chunks = chunks_of(event.get("content"))
            entry["content"].extend(chunks)
            return text_in(chunks)
        if kind.startswith(f"{_TOOL}."):
            entry = self._outputs.setdefault((index, _TOOL), {"type": _TOOL, "arguments": ""})
            entry["arguments"] += string(event.get("arguments")) or ""
            entry.update((name, event[name]) for name in ("name", "info", "id") if name in event)
        elif kind.startswith("conversation.response."):
            self._fields.update((name, value) for name, value in event.items() if name != "type")
        return ""

    def response(self) -> Json:
        """Return the response as far as it has come."""
        return {**self._fields, "outputs": [entry for _, entry in sorted(self._outputs.items())]}
