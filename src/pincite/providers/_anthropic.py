"""Anthropic Messages: blocks of text, each with what it was taken from.

A block is what is cited, so one citation covers its whole text and keeps all its sources. There are five kinds of
location. Ranges are those of the source: characters and blocks from 0, pages from 1, the end exclusive.
A page that the model fetched is cited like a document, by its index and characters; it is known by its words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pincite.core.citation import (
    ContentCitationAnchor,
    DocumentCitationSource,
    SourceSpan,
    SpanUnit,
    WebCitationSource,
)
from pincite.core.offsets import OffsetMap, OffsetUnit
from pincite.providers._located import beyond, named_source, quoted, span_of, uncited
from pincite.providers.response import listed, mapping, string, whole

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json, ResponseDraft

_DOCUMENT: Final[Mapping[str, tuple[str, str, SpanUnit]]] = {
    "char_location": ("start_char_index", "end_char_index", SpanUnit.CODE_POINTS),
    "page_location": ("start_page_number", "end_page_number", SpanUnit.PAGES),
    "content_block_location": ("start_block_index", "end_block_index", SpanUnit.BLOCKS),
}


@dataclass(frozen=True, slots=True)
class _Page:
    """A page of text that was fetched for this answer."""

    url: str
    title: str | None
    text: str
    offsets: OffsetMap = field(repr=False)

    def span(self, citation: Json, cited: str) -> SourceSpan | None:
        """Return where a citation by characters quotes this page, in code points; None where it quotes another.

        Which characters Anthropic counts was seen for ASCII alone, so both ways of counting are tried.
        """
        title = string(citation.get("document_title"))
        start, end = whole(citation.get("start_char_index")), whole(citation.get("end_char_index"))
        if start is None or end is None or (title and self.title and title != self.title):
            return None
        for unit in (OffsetUnit.CODE_POINTS, OffsetUnit.UTF16):
            low, high = self.offsets.exact(start, unit), self.offsets.exact(end, unit)
            if low is not None and high is not None and self.text[low:high] == cited:
                return SourceSpan(low, high)
        return None


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a message."""
    blocks = [mapping(block) for block in listed(response.get("content"))]
    pages = [page for block in blocks if (page := _fetched(block)) is not None]
    cited: list[CitationSource] = []
    found: list[CitationSource] = []
    for block in blocks:
        kind = block.get("type")
        if kind == "text":
            cited.extend(_read_text(draft, block, pages))
        elif kind == "web_search_tool_result":
            found.extend(_results(listed(block.get("content"))))
        elif kind == "web_fetch_tool_result":
            found.extend(_results([block.get("content")]))
    draft.retrieved.extend(uncited(found, cited))


def _read_text(draft: ResponseDraft, block: Json, pages: Sequence[_Page]) -> Sequence[CitationSource]:
    """Add a block of text with the one citation that it has; return its sources."""
    text = string(block.get("text")) or ""
    part = draft.part(text)
    sources: list[CitationSource] = []
    for raw in listed(block.get("citations")):
        part.raw.append(raw)
        citation = mapping(raw)
        source = _source(citation, pages)
        if isinstance(source, str):
            draft.leave(string(citation.get("type")) or "citation", raw, source, len(draft.parts) - 1)
        else:
            sources.append(source)
    if sources:
        part.cite(sources, ContentCitationAnchor(0, len(text)) if text else None)
    return sources


def _source(citation: Json, pages: Sequence[_Page]) -> CitationSource | str:
    """Return what a location names, or why it names nothing."""
    kind = string(citation.get("type"))
    cited = quoted(citation.get("cited_text"))
    if kind == "web_search_result_location":
        url = string(citation.get("url"))
        if url is None:
            return "It has no address."
        return WebCitationSource(
            url, string(citation.get("title")), cited, details=beyond(citation, "url", "title", "cited_text")
        )
    if kind == "search_result_location":
        span = span_of(citation.get("start_block_index"), citation.get("end_block_index"), SpanUnit.BLOCKS)
        name, title = string(citation.get("source")), string(citation.get("title"))
        if (
            name is None
            and title is None
            and not cited
            and whole(citation.get("search_result_index")) is None
        ):
            return "It names no search result."
        return named_source(name, title, cited, span, beyond(citation, "source", "title", "cited_text"))
    if kind not in _DOCUMENT:
        return "Locations of this kind are not known."
    return _document(citation, *_DOCUMENT[kind], cited, pages)


def _document(
    citation: Json, start: str, end: str, unit: SpanUnit, cited: tuple[str, ...], pages: Sequence[_Page]
) -> CitationSource | str:
    """Return the document that a location lies in, or the fetched page."""
    file, title = string(citation.get("file_id")), string(citation.get("document_title"))
    details = beyond(citation, "file_id", "document_title", "cited_text")
    if unit is SpanUnit.CODE_POINTS and cited and file is None:
        fitting = {
            page.url: (page, span) for page in pages if (span := page.span(citation, cited[0])) is not None
        }
        if len(fitting) == 1:  # of several pages with the same words none is guessed
            page, span = next(iter(fitting.values()))
            return WebCitationSource(page.url, title or page.title, cited, span, details=details)
    if file is None and title is None and not cited and whole(citation.get("document_index")) is None:
        return "It names no document."
    span = span_of(citation.get(start), citation.get(end), unit)
    return DocumentCitationSource(file, title, cited, span, details=details)


def _fetched(block: Json) -> _Page | None:
    """Return the page of a result of web fetch; None for a failure or a PDF, which is a document like any other."""
    result = mapping(block.get("content"))
    document = mapping(result.get("content"))
    source = mapping(document.get("source"))
    url, text = string(result.get("url")), string(source.get("data"))
    if (
        block.get("type") != "web_fetch_tool_result"
        or source.get("type") != "text"
        or url is None
        or text is None
    ):
        return None
    return _Page(url, string(document.get("title")), text, OffsetMap(text))


def _results(raws: Sequence[object]) -> list[CitationSource]:
    """Return what a search or a fetch found."""
    found: list[CitationSource] = []
    for result in map(mapping, raws):
        url, document = string(result.get("url")), mapping(result.get("content"))
        title = string(result.get("title")) or string(document.get("title"))
        if url is not None and mapping(document.get("source")).get("type") == "base64":
            # A PDF is cited like a document that was sent, and only its title tells that it is the same.
            found.append(DocumentCitationSource(None, title, details=beyond(result, "title", "content")))
        elif url is not None:
            # The text of a fetched page is the page itself, and nothing that is said of it.
            found.append(WebCitationSource(url, title, details=beyond(result, "url", "title", "content")))
    return found


class Stream:
    """Puts the events of a message together. Citations come before the text of their block, or behind it."""

    __slots__ = ("_blocks", "_message")

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._blocks: dict[int, _Block] = {}

    def feed(self, event: Json) -> str:
        """Take the next event; return the text that it adds to the answer."""
        kind = event.get("type")
        if kind == "message_start":
            self._message.update(mapping(event.get("message")))
            started = list(enumerate(listed(self._message.pop("content", None))))
            return "".join(self._begun(index, mapping(block)) for index, block in started)
        index = whole(event.get("index"))
        if index is None:
            index = next(reversed(self._blocks), 0)
        if kind == "content_block_start":
            return self._begun(index, mapping(event.get("content_block")))
        if kind == "content_block_delta":
            return self._grown(index, mapping(event.get("delta")))
        return ""

    def response(self) -> Json:
        """Return the message as far as it has come."""
        return {**self._message, "content": [self._blocks[index].whole() for index in sorted(self._blocks)]}

    def _begun(self, index: int, block: Json) -> str:
        begun = _Block(dict(block), list(listed(block.get("citations"))))
        self._blocks[index] = begun
        return begun.add(block.get("text"))

    def _grown(self, index: int, delta: Json) -> str:
        kind = string(delta.get("type"))
        if kind not in {"text_delta", "citations_delta"}:
            return ""
        block = self._blocks.setdefault(index, _Block({"type": "text"}, []))
        if kind == "citations_delta":
            block.citations.append(delta.get("citation"))
            return ""
        return block.add(delta.get("text"))


class _Block:
    """A block on its way."""

    __slots__ = ("_pieces", "_raw", "citations")

    def __init__(self, raw: dict[str, Any], citations: list[Any]) -> None:
        self._raw = raw
        self._pieces: list[str] = []
        self.citations = citations

    def add(self, text: object) -> str:
        """Add text, if it is text of a block of text; return what of it belongs to the answer."""
        if not isinstance(text, str) or self._raw.get("type") != "text":
            return ""
        self._pieces.append(text)
        return text

    def whole(self) -> Json:
        """Return the block as it would have come at once."""
        if self._raw.get("type") != "text":
            return self._raw
        return {**self._raw, "text": "".join(self._pieces), "citations": self.citations}
