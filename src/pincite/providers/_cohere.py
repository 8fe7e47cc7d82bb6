"""Cohere's chat, version 2: spans of the answer with the documents and tool results that support them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.core.citation import DocumentCitationSource
from pincite.providers._annotations import Annotated, Found, details_of, excerpts_of
from pincite.providers.response import listed, mapping, string, whole

if TYPE_CHECKING:
    from pincite.providers._places import Place
    from pincite.providers.response import Json, ResponseDraft

_OF_TEXT = (None, "TEXT_CONTENT")
"""Types of a citation of the answer; others are of the model's thinking or of its plan."""


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response: each text block is a part; a citation says which block and which characters of it."""
    message = mapping(response.get("message"))
    content = message.get("content")
    blocks = [{"text": content}] if isinstance(content, str) else [mapping(one) for one in listed(content)]
    found = Found()
    parts: dict[int, Annotated | None] = {}  # None for a block that is no text
    for index, block in enumerate(blocks):
        text = string(block.get("text")) if block.get("type") in (None, "text") else None
        parts[index] = None if text is None else Annotated(draft, draft.part(text), found)
    for citation in listed(message.get("citations")):
        _cite(draft, parts, citation)
    if message.get("tool_plan"):
        draft.details["tool_plan"] = message["tool_plan"]


def _cite(draft: ResponseDraft, parts: dict[int, Annotated | None], raw: object) -> None:
    fields = mapping(raw)
    kind = string(fields.get("type"))
    index = whole(fields.get("content_index"))
    if kind not in _OF_TEXT or (index in parts and parts[index] is None):
        draft.leave(kind or "citation", raw, "It is of the model's thinking or its plan, not of the answer.")
        return
    sources = [_source(mapping(one)) for one in listed(fields.get("sources"))]
    start, end, text = whole(fields.get("start")), whole(fields.get("end")), string(fields.get("text"))
    # Without the number of a block, a citation is of the first block in which its text is where it says.
    asked = [part for at, part in parts.items() if part is not None and (at == index or index not in parts)]
    if not asked or not sources:
        reason = "There is no text that it could be of." if sources else "It names no source."
        draft.leave("citation", raw, reason)
        return
    placed: list[tuple[Annotated, Place]] = [(part, part.places.reported(start, end, text)) for part in asked]
    exact = (one for one in placed if one[1].anchor is not None and one[1].repaired is None)
    some = (one for one in placed if one[1].anchor is not None)
    part, place = next(exact, None) or next(some, None) or placed[0]
    part.keep(raw)
    part.cite(sources, place)


def _source(fields: Json) -> DocumentCitationSource:
    """Return a document or a tool's result, whose own fields stand one level deeper."""
    own = mapping(fields.get("document")) or mapping(fields.get("tool_output"))
    name = string(fields.get("id")) or string(own.get("id"))
    title = string(own.get("title"))
    return DocumentCitationSource(name, title, excerpts_of(own), details=details_of(fields, "id"))


class Stream:
    """Puts the events of a response together; citations come behind their text."""

    __slots__ = ("_blocks", "_citations", "_fields", "_plan")

    def __init__(self) -> None:
        self._fields: dict[str, Any] = {}
        self._blocks: dict[int, _Block] = {}
        self._citations: list[Any] = []
        self._plan: list[str] = []

    def feed(self, event: Json) -> str:
        """Take the next event; return the text that it adds to the answer."""
        kind = event.get("type")
        delta = mapping(event.get("delta"))
        message = mapping(delta.get("message"))
        if kind == "message-start":
            self._fields.update({name: event[name] for name in ("id",) if name in event})
        elif kind == "citation-start":
            citations = message.get("citations")
            self._citations.extend([citations] if isinstance(citations, dict) else listed(citations))
        elif kind == "tool-plan-delta":
            self._plan.append(string(message.get("tool_plan")) or "")
        elif kind in ("content-start", "content-delta"):
            return self._block(whole(event.get("index")), mapping(message.get("content")))
        elif kind == "message-end":
            self._fields.update(delta)
        return ""

    def _block(self, index: int | None, content: Json) -> str:
        block = self._blocks.setdefault(max(self._blocks, default=0) if index is None else index, _Block())
        block.kind = string(content.get("type")) or block.kind
        for name, pieces in block.pieces.items():
            pieces.append(string(content.get(name)) or "")
        return block.pieces["text"][-1] if block.kind in (None, "text") else ""

    def response(self) -> Json:
        """Return the response as far as it has come."""
        content = [block.made() for _, block in sorted(self._blocks.items())]
        message: dict[str, Any] = {"role": "assistant", "content": content, "citations": self._citations}
        if self._plan:
            message["tool_plan"] = "".join(self._plan)
        return {**self._fields, "message": message}


class _Block:
    """A block of the message on its way."""

    __slots__ = ("kind", "pieces")

    def __init__(self) -> None:
        self.kind: str | None = None
        self.pieces: dict[str, list[str]] = {"text": [], "thinking": []}

    def made(self) -> Json:
        """Return the block."""
        texts = {name: "".join(pieces) for name, pieces in self.pieces.items()}
        return {"type": self.kind, **{name: text for name, text in texts.items() if text}}
