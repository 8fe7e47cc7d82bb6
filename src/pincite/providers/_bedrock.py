"""Amazon Bedrock Converse: blocks of text, and blocks of text with citations (Anthropic's models on Bedrock).

A block is what is cited, so one citation covers its whole text and keeps all its sources. There are five kinds of
location. Ranges are those of the source: characters, chunks and blocks from 0, pages from 1, the end exclusive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pincite.core.citation import ContentCitationAnchor, SpanUnit, WebCitationSource
from pincite.providers._located import beyond, named_source, quoted, span_of
from pincite.providers.response import listed, mapping, string, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json, ResponseDraft

_UNITS: Final[Mapping[str, SpanUnit]] = {
    "documentChar": SpanUnit.CODE_POINTS,
    "documentPage": SpanUnit.PAGES,
    "documentChunk": SpanUnit.CHUNKS,
    "searchResultLocation": SpanUnit.BLOCKS,
}


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response."""
    message = mapping(mapping(response.get("output")).get("message"))
    for block in map(mapping, listed(message.get("content"))):
        cited = mapping(block.get("citationsContent"))
        if cited:
            _read_cited(draft, cited)
        else:
            text = string(block.get("text"))
            if text is not None:
                draft.part(text)


def _read_cited(draft: ResponseDraft, block: Json) -> None:
    """Add a block of text with the one citation that it has."""
    text = "".join(_texts(block.get("content")))
    part = draft.part(text)
    sources: list[CitationSource] = []
    for raw in listed(block.get("citations")):
        part.raw.append(raw)
        source = _source(mapping(raw))
        if source is None:
            draft.leave("citation", raw, "It names no source.", len(draft.parts) - 1)
        else:
            sources.append(source)
    if sources:
        part.cite(sources, ContentCitationAnchor(0, len(text)) if text else None)


def _source(citation: Json) -> CitationSource | None:
    """Return what a citation names; None where that is nothing.

    `details` has the fields of its location, and under `location` that location's name.
    """
    title, name = string(citation.get("title")), string(citation.get("source"))
    excerpts = quoted(*_texts(citation.get("sourceContent")))
    for kind, value in mapping(citation.get("location")).items():
        location = mapping(value)
        details = {"location": kind, **(beyond(location, "url") or {})}
        url = string(location.get("url")) if kind == "web" else None
        if url is not None:
            if name is not None:
                details["source"] = name
            return WebCitationSource(url, title, excerpts, details=details)
        unit = _UNITS.get(kind)
        span = None if unit is None else span_of(location.get("start"), location.get("end"), unit)
        if unit is not None and (span is not None or len(details) > 1):
            return named_source(name, title, excerpts, span, details)
    if name is None and title is None and not excerpts:
        return None
    return named_source(name, title, excerpts, None, beyond(citation, "title", "source", "sourceContent"))


def _texts(value: object) -> list[str]:
    """Return the texts of a list of `{"text": ...}`."""
    texts = (string(mapping(one).get("text")) for one in listed(value))
    return [text for text in texts if text is not None]


class Stream:
    """Puts the events of a response together. A citation comes before the text of its block, whole or in pieces."""

    __slots__ = ("_blocks", "_role")

    def __init__(self) -> None:
        self._blocks: dict[int, _Block] = {}
        self._role: object = None

    def feed(self, event: Json) -> str:
        """Take the next event; return the text that it adds to the answer."""
        if "messageStart" in event:
            self._role = mapping(event.get("messageStart")).get("role")
        came = mapping(event.get("contentBlockDelta"))
        index = whole(came.get("contentBlockIndex"))
        if index is None:
            index = next(reversed(self._blocks), 0)
        delta = mapping(came.get("delta"))
        text, citation = string(delta.get("text")), delta.get("citation")
        if text is None and citation is None:
            return ""
        block = self._blocks.setdefault(index, _Block())
        if citation is not None:
            block.cite(citation)
        if text is not None:
            block.pieces.append(text)
        return text or ""

    def response(self) -> Json:
        """Return the response as far as it has come."""
        content = [self._blocks[index].whole() for index in sorted(self._blocks)]
        return {"output": {"message": {"role": self._role, "content": content}}}


class _Block:
    """A block of text on its way."""

    __slots__ = ("_citations", "pieces")

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self._citations: list[Any] = []

    def cite(self, raw: object) -> None:
        """Add a citation, or what goes on with the last: nothing that it has already, or only more of its words."""
        new, old = mapping(raw), mapping(self._citations[-1] if self._citations else None)
        if not new or not old or not (new.keys().isdisjoint(old) or set(new) == {"sourceContent"}):
            self._citations.append(raw)
            return
        words = "".join((*_texts(old.get("sourceContent")), *_texts(new.get("sourceContent"))))
        both = {**old, **new}
        if "sourceContent" in old:
            both["sourceContent"] = [{"text": words}]
        self._citations[-1] = both

    def whole(self) -> Json:
        """Return the block as it would have come at once."""
        text = "".join(self.pieces)
        if not self._citations:
            return {"text": text}
        return {"citationsContent": {"content": [{"text": text}], "citations": self._citations}}
