"""xAI's own API over gRPC, as its messages are in JSON: names with underscores or in camel case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from pincite.core.citation import DocumentCitationSource, WebCitationSource
from pincite.providers._annotations import Annotated, Found, details_of, excerpts_of, web_source
from pincite.providers.response import listed, mapping, string, whole

if TYPE_CHECKING:
    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json, ResponseDraft

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])([A-Z])")  # linear: one character
_PAGES: Final = ("web_citation", "x_citation")
_TOOL: Final = ("ROLE_TOOL", 5)
"""The role of an output that is a tool's result and no answer, by name and by number."""


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response: each output of the assistant with text is a part, with the markers that it cites."""
    found = Found()
    found.add(web_source(one) for one in listed(response.get("citations")))
    for output in map(mapping, listed(response.get("outputs"))):
        message = mapping(output.get("message"))
        text, citations = string(message.get("content")), listed(message.get("citations"))
        if message.get("role") in _TOOL or not (text or citations):
            continue
        part = Annotated(draft, draft.part(text or ""), found)
        for citation in citations:
            part.keep(citation)
            _cite(part, citation)
        part.leave_markers()
    found.keep(draft)


def _cite(part: Annotated, raw: object) -> None:
    """Cite one `InlineCitation`; protobuf leaves out numbers that are zero."""
    fields = _underscored(raw)
    kind = next((name for name in (*_PAGES, "collections_citation") if mapping(fields.get(name))), None)
    if kind is None:
        part.leave("inline_citation", raw, "It names no page and no file.")
        return
    cited = _underscored(fields[kind])
    details = {**(details_of(fields, kind, "start_index", "end_index") or {}), "type": kind}
    source: CitationSource
    if kind in _PAGES:
        url = string(cited.get("url"))
        if url is None:
            part.leave(kind, raw, "It names no address.")
            return
        details.update(details_of(cited, "url", "title") or {})
        source, needle = WebCitationSource(url, string(cited.get("title")), details=details), url
    else:
        file_id = string(cited.get("file_id"))
        if file_id is None:
            part.leave(kind, raw, "It names no file.")
            return
        details.update(details_of(cited, "file_id", "chunk_content") or {})
        source = DocumentCitationSource(file_id, excerpts=excerpts_of(cited), details=details)
        needle = file_id
    end = whole(fields.get("end_index"))
    start = whole(fields.get("start_index", None if end is None else 0))
    part.cite((source,), part.places.marker(start, end, (needle,)))


def _underscored(fields: object) -> Json:
    """Return fields with their names in underscores."""
    return {
        _CAMEL.sub(lambda found: f"_{found[1].lower()}", str(name)): value
        for name, value in mapping(fields).items()
    }


class Stream:
    """Puts the chunks of a response together."""

    __slots__ = ("_citations", "_fields", "_outputs")

    def __init__(self) -> None:
        self._fields: dict[str, Any] = {}
        self._citations: list[Any] = []
        self._outputs: dict[int, dict[str, Any]] = {}

    def feed(self, event: Json) -> str:
        """Take the next chunk; return the text that it adds to the answer."""
        self._fields.update(
            (name, value) for name, value in event.items() if name not in {"outputs", "citations"}
        )
        self._citations.extend(listed(event.get("citations")))
        new = ""
        for output in map(mapping, listed(event.get("outputs"))):
            index = whole(output.get("index")) or 0
            delta = mapping(output.get("delta")) or mapping(output.get("message"))
            message = self._outputs.setdefault(index, {"content": [], "citations": []})
            text = string(delta.get("content")) or ""
            message["content"].append(text)
            message["citations"].extend(listed(delta.get("citations")))
            if delta.get("role"):
                message["role"] = delta["role"]
            new += "" if message.get("role") in _TOOL else text
        return new

    def response(self) -> Json:
        """Return the response as far as it has come."""
        outputs = [
            {"index": index, "message": {**message, "content": "".join(message["content"])}}
            for index, message in sorted(self._outputs.items())
        ]
        return {**self._fields, "citations": self._citations, "outputs": outputs}
