"""What ten providers send when they cite: the events of one stream, made from texts and their sources."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from pincite.core.citation import WebCitationSource
from pincite.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pincite.core.citation import CitationSource

Event = dict[str, Any]
# A word and the white space behind it, or white space that begins a text: linear, runs of one class.
_WORD: Final = re.compile(r"\S+\s*|\s+")


@dataclass(frozen=True, slots=True)
class Said:
    """A piece of an answer and the sources that are cited for it; of a document, `excerpts` are what is quoted."""

    text: str
    sources: tuple[CitationSource, ...] = ()


def events_of(provider: str, said: Sequence[Said]) -> list[Event]:
    """Return the events in which `provider` sends an answer.

    Raises:
        InputError: there is no such provider here, or it does not cite sources of such a kind.
    """
    if provider not in PROVIDERS:
        msg = f"There is no fake of {provider!r}; there are fakes of {', '.join(PROVIDERS)}."
        raise InputError(msg, field="provider")
    make, cites = PROVIDERS[provider]
    for piece in said:
        for source in piece.sources:
            kind = "web" if isinstance(source, WebCitationSource) else "document"
            if kind not in cites:
                msg = f"{provider} cites no {kind} sources."
                raise InputError(msg, field="turns")
    return list(make(said))


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _excerpt(source: CitationSource) -> str:
    return source.excerpts[0] if source.excerpts else ""


def _numbered(said: Sequence[Said]) -> dict[int, int]:
    """Return a number for each source, by its identity in the script, in order; equal sources share one."""
    known: list[CitationSource] = []
    numbers: dict[int, int] = {}
    for piece in said:
        for source in piece.sources:
            if source not in known:
                known.append(source)
            numbers[id(source)] = known.index(source)
    return numbers


def _sources(said: Sequence[Said]) -> list[CitationSource]:
    """Return the sources in order of their numbers."""
    known: list[CitationSource] = []
    for piece in said:
        known.extend(source for source in piece.sources if source not in known)
    return known


def _range(source: CitationSource) -> tuple[int, int]:
    return (source.span.start, source.span.end) if source.span is not None else (0, len(_excerpt(source)))


def _anthropic(said: Sequence[Said]) -> Iterator[Event]:
    numbers = _numbered(said)
    message: Event = {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": [],
    }
    yield {"type": "message_start", "message": message}
    for index, piece in enumerate(said):
        yield {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}
        for source in piece.sources:
            if isinstance(source, WebCitationSource):
                citation: Event = {
                    "type": "web_search_result_location",
                    "url": source.url,
                    "title": source.title,
                    "cited_text": _excerpt(source),
                    "encrypted_index": f"fake-{numbers[id(source)]}",
                }
            else:
                start, end = _range(source)
                citation = {
                    "type": "char_location",
                    "cited_text": _excerpt(source),
                    "document_index": numbers[id(source)],
                    "document_title": source.title,
                    "file_id": source.document_id,
                    "start_char_index": start,
                    "end_char_index": end,
                }
            delta: Event = {"type": "citations_delta", "citation": citation}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        for word in _words(piece.text):
            yield {
                "type": "content_block_delta",
                "index": index,
                "delta": {"type": "text_delta", "text": word},
            }
        yield {"type": "content_block_stop", "index": index}
    yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
    yield {"type": "message_stop"}


def _bedrock(said: Sequence[Said]) -> Iterator[Event]:
    numbers = _numbered(said)
    yield {"messageStart": {"role": "assistant"}}
    for index, piece in enumerate(said):
        for source in piece.sources:
            if isinstance(source, WebCitationSource):
                location: Event = {"web": {"url": source.url, "domain": urlsplit(source.url).hostname}}
            else:
                start, end = _range(source)
                location = {
                    "documentChar": {"documentIndex": numbers[id(source)], "start": start, "end": end}
                }
            citation: Event = {
                "title": source.title or f"Document {numbers[id(source)] + 1}",
                "sourceContent": [{"text": text} for text in source.excerpts],
                "location": location,
            }
            yield {"contentBlockDelta": {"contentBlockIndex": index, "delta": {"citation": citation}}}
        for word in _words(piece.text):
            yield {"contentBlockDelta": {"contentBlockIndex": index, "delta": {"text": word}}}
        yield {"contentBlockStop": {"contentBlockIndex": index}}
    yield {"messageStop": {"stopReason": "end_turn"}}


def _google(said: Sequence[Said]) -> Iterator[Event]:
    numbers = _numbered(said)
    supports: list[Event] = []
    at = 0
    for piece in said:
        for word in _words(piece.text):
            yield {"candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": word}]}}]}
        end = at + len(piece.text.encode())
        if piece.sources:
            segment: Event = {"endIndex": end, "text": piece.text}
            if at:
                segment["startIndex"] = at  # as Google does, which sends no zeros
            indices = [numbers[id(source)] for source in piece.sources]
            supports.append({"segment": segment, "groundingChunkIndices": indices})
        at = end
    chunks: list[Event] = []
    for source in _sources(said):
        if isinstance(source, WebCitationSource):
            chunks.append({"web": {"uri": source.url, "title": source.title}})
        else:
            context = {"documentName": source.document_id, "title": source.title, "text": _excerpt(source)}
            chunks.append({"retrievedContext": {name: value for name, value in context.items() if value}})
    last: Event = {"index": 0, "content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": "STOP"}
    if supports:
        last["groundingMetadata"] = {"groundingChunks": chunks, "groundingSupports": supports}
    yield {"candidates": [last]}


def _with_markers(
    said: Sequence[Said], marker: Callable[[WebCitationSource], str]
) -> tuple[str, list[tuple[CitationSource, int, int]]]:
    """Return the whole text with a marker behind what a page is cited for, and every source with its place.

    That of a document is where its text ends.
    """
    text = ""
    places: list[tuple[CitationSource, int, int]] = []
    for piece in said:
        text += piece.text
        for source in piece.sources:
            if isinstance(source, WebCitationSource):
                text += " "
                start = len(text)
                text += marker(source)
                places.append((source, start, len(text)))
            else:
                places.append((source, len(text), len(text)))
    return text, places


def _responses(text: str, annotations: Sequence[Event]) -> Iterator[Event]:
    """Yield the events of an answer of one message, in the order of OpenAI's Responses API."""
    at: Event = {"item_id": "msg_fake", "output_index": 0, "content_index": 0}
    item: Event = {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "status": "in_progress",
        "content": [],
    }
    yield {"type": "response.created", "response": {"id": "resp_fake", "model": "fake", "output": []}}
    yield {"type": "response.output_item.added", "output_index": 0, "item": item}
    part: Event = {"type": "output_text", "text": "", "annotations": []}
    yield {"type": "response.content_part.added", **at, "part": part}
    for word in _words(text):
        yield {"type": "response.output_text.delta", **at, "delta": word}
    for index, annotation in enumerate(annotations):
        added: Event = {"annotation_index": index, "annotation": annotation}
        yield {"type": "response.output_text.annotation.added", **at, **added}
    yield {"type": "response.output_text.done", **at, "text": text}
    part = {"type": "output_text", "text": text, "annotations": list(annotations)}
    yield {"type": "response.content_part.done", **at, "part": part}
    item = {**item, "status": "completed", "content": [part]}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    done: Event = {"id": "resp_fake", "model": "fake", "status": "completed", "output": [item]}
    yield {"type": "response.completed", "response": done}


def _annotated(places: Sequence[tuple[CitationSource, int, int]]) -> Iterator[Event]:
    for source, start, end in places:
        if isinstance(source, WebCitationSource):
            yield {
                "type": "url_citation",
                "url": source.url,
                "title": source.title or source.url,
                "start_index": start,
                "end_index": end,
            }
        else:
            yield {
                "type": "file_citation",
                "file_id": source.document_id,
                "filename": source.title or source.document_id,
                "index": max(start - 1, 0),
            }


def _openai(said: Sequence[Said]) -> Iterator[Event]:
    text, places = _with_markers(said, lambda page: f"([{urlsplit(page.url).hostname}]({page.url}))")
    yield from _responses(text, list(_annotated(places)))


def _xai(said: Sequence[Said]) -> Iterator[Event]:
    sources = _sources(said)
    text, places = _with_markers(said, lambda page: f"[[{sources.index(page) + 1}]]({page.url})")
    yield from _responses(text, list(_annotated(places)))


def _chat(text: str, **last: Any) -> Iterator[Event]:  # noqa: ANN401 - JSON
    """Yield the chunks of a chat completion; `last` are fields of the last delta."""
    for word in _words(text):
        delta: Event = {"role": "assistant", "content": word}
        yield {"id": "chat_fake", "model": "fake", "choices": [{"index": 0, "delta": delta}]}
    choice: Event = {"index": 0, "delta": {"content": "", **last}, "finish_reason": "stop"}
    yield {"id": "chat_fake", "model": "fake", "choices": [choice]}


def _openrouter(said: Sequence[Said]) -> Iterator[Event]:
    annotations: list[Event] = []
    for piece in said:
        for source in piece.sources:
            if isinstance(source, WebCitationSource):
                fields: Event = {"url": source.url, "title": source.title or "", "content": _excerpt(source)}
                # It does not say where a citation belongs.
                fields |= {"start_index": 0, "end_index": 0}
                annotations.append({"type": "url_citation", "url_citation": fields})
    yield from _chat("".join(piece.text for piece in said), annotations=annotations)


def _groq(said: Sequence[Said]) -> Iterator[Event]:
    annotations: list[Event] = []
    at = 0
    for piece in said:
        for source in piece.sources:
            if not isinstance(source, WebCitationSource):
                fields: Event = {"document_id": source.document_id or source.title or "document"}
                fields |= {"start_index": at, "end_index": at + len(piece.text)}
                annotations.append({"type": "document_citation", "document_citation": fields})
        at += len(piece.text)
    yield from _chat("".join(piece.text for piece in said), annotations=annotations)


def _perplexity(said: Sequence[Said]) -> Iterator[Event]:
    sources = _sources(said)
    text, _ = _with_markers(said, lambda page: f"[{sources.index(page) + 1}]")
    pages = [source for source in sources if isinstance(source, WebCitationSource)]
    results = [{"title": page.title, "url": page.url, "snippet": _excerpt(page)} for page in pages]
    found: Event = {"citations": [page.url for page in pages], "search_results": results}
    for chunk in _chat(text):
        yield {**chunk, **found}


def _cohere(said: Sequence[Said]) -> Iterator[Event]:
    text = "".join(piece.text for piece in said)
    yield {"type": "message-start", "id": "fake", "delta": {"message": {"role": "assistant"}}}
    yield {
        "type": "content-start",
        "index": 0,
        "delta": {"message": {"content": {"type": "text", "text": ""}}},
    }
    for word in _words(text):
        yield {"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": word}}}}
    yield {"type": "content-end", "index": 0}
    at, index = 0, 0
    for piece in said:
        if piece.sources:
            sources = [
                {
                    "type": "document",
                    "id": None if isinstance(source, WebCitationSource) else source.document_id,
                    "document": {"title": source.title, "snippet": _excerpt(source)},
                }
                for source in piece.sources
            ]
            citation: Event = {
                "start": at,
                "end": at + len(piece.text),
                "text": piece.text,
                "sources": sources,
            }
            citation |= {"content_index": 0, "type": "TEXT_CONTENT"}
            yield {"type": "citation-start", "index": index, "delta": {"message": {"citations": citation}}}
            yield {"type": "citation-end", "index": index}
            index += 1
        at += len(piece.text)
    yield {"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}


def _mistral(said: Sequence[Said]) -> Iterator[Event]:
    def chunk(*content: Event) -> Event:
        return {"id": "fake", "choices": [{"index": 0, "delta": {"content": list(content)}}]}

    for piece in said:
        for word in _words(piece.text):
            yield chunk({"type": "text", "text": word})
        for source in piece.sources:
            if isinstance(source, WebCitationSource):
                page: Event = {"tool": "web_search", "title": source.title or source.url, "url": source.url}
                yield chunk({"type": "tool_reference", **page})
            else:
                yield chunk({"type": "reference", "reference_ids": [source.document_id or source.title]})


_BOTH: Final = frozenset(("web", "document"))
PROVIDERS: Final[dict[str, tuple[Callable[[Sequence[Said]], Iterator[Event]], frozenset[str]]]] = {
    "anthropic": (_anthropic, _BOTH),
    "bedrock": (_bedrock, _BOTH),
    "google": (_google, _BOTH),
    "openai": (_openai, _BOTH),
    "openrouter": (_openrouter, frozenset(("web",))),
    "groq": (_groq, frozenset(("document",))),
    "perplexity": (_perplexity, frozenset(("web",))),
    "xai": (_xai, _BOTH),
    "cohere": (_cohere, frozenset(("document",))),
    "mistral": (_mistral, _BOTH),
}
"""The ten providers: what makes their events, and the kinds of source that they cite."""
AT_THE_END: Final = frozenset(("google", "openrouter", "groq", "perplexity", "xai", "cohere"))
"""Those whose citations come when the whole answer is there; the others' come with their part."""
