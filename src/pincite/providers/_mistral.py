"""Mistral's chat completions: texts, and between them references to what was sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pincite.core.citation import DocumentCitationSource, WebCitationSource
from pincite.providers._annotations import details_of, excerpts_of
from pincite.providers._chat import message_of
from pincite.providers.response import listed, mapping, string, whole

if TYPE_CHECKING:
    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json, PartDraft, ResponseDraft


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response: its first choice is the answer, in parts as `read_chunks` makes them."""
    choices = listed(response.get("choices"))
    for choice in choices[1:]:
        draft.leave("choice", choice, "Another answer to the same question; the first one is read.")
    read_chunks(draft, message_of(choices).get("content"))


def read_chunks(draft: ResponseDraft, content: object) -> None:
    """Read the content of a message: texts up to and with the references behind them are a part.

    A reference says where it stands, and not which of the words before it it is about; so its citation has no
    anchor, and its place is the end of its part. What comes before any text belongs to the first part.
    """
    part: PartDraft | None = None
    is_cited = False
    for chunk in chunks_of(content):
        fields = mapping(chunk)
        kind = string(fields.get("type")) or ("text" if "text" in fields else "chunk")
        if kind == "text":
            text = string(fields.get("text"))
            if text is None:
                continue
            if part is None or (is_cited and part.text):
                part, is_cited = draft.part(), False
            part.add(text)
        elif kind == "thinking":
            _leave_thinking(draft, fields)
        elif sources := _sources(kind, fields):
            part = draft.part() if part is None else part
            part.raw.append(chunk)
            part.cite(sources)
            is_cited = True
        else:
            index = None if part is None else len(draft.parts) - 1
            draft.leave(kind, chunk, "It names no source, and it is no text.", index)


def chunks_of(content: object) -> list[Any]:
    """Return the chunks of a content, which may be a text, one chunk, or a list of both."""
    several: list[Any] = [content] if isinstance(content, str | Mapping) else listed(content)
    return [{"type": "text", "text": one} if isinstance(one, str) else one for one in several]


def _sources(kind: str, fields: Json) -> list[CitationSource]:
    """Return what a chunk refers to; `reference_ids` are numbers or names that were sent with a tool's result."""
    if kind == "reference":
        ids = [one for one in listed(fields.get("reference_ids")) if isinstance(one, int | str) and one != ""]
        more = details_of(fields, "type", "reference_ids") or {}
        return [
            DocumentCitationSource(str(one), details={**more, "reference_id": one})
            for one in ids
            if not isinstance(one, bool)
        ]
    title, url = string(fields.get("title")), string(fields.get("url"))
    if kind != "tool_reference" or not (title or url):
        return []
    details = details_of(fields, "type", "title", "url", "content", "snippet", "text")
    if url is None:
        return [DocumentCitationSource(None, title, excerpts_of(fields), details=details)]
    return [WebCitationSource(url, title, excerpts_of(fields), details=details)]


def _leave_thinking(draft: ResponseDraft, fields: Json) -> None:
    for chunk in listed(fields.get("thinking")):
        kind = string(mapping(chunk).get("type"))
        if kind in {"reference", "tool_reference"}:
            draft.leave(kind, chunk, "It is of the model's thinking, not of the answer.")


def text_in(chunks: list[Any]) -> str:
    """Return the text that chunks add to an answer."""
    texts = (chunk for chunk in map(mapping, chunks) if chunk.get("type") in (None, "text"))
    return "".join(string(chunk.get("text")) or "" for chunk in texts)


class Stream:
    """Puts the chunks of a chat completion together."""

    __slots__ = ("_choices", "_fields")

    def __init__(self) -> None:
        self._fields: dict[str, Any] = {}
        self._choices: dict[int, list[Any]] = {}

    def feed(self, event: Json) -> str:
        """Take the next chunk; return the text that it adds to the first choice."""
        event = mapping(event.get("data")) or event  # the SDK's events hold the chunk in `data`
        self._fields.update((name, value) for name, value in event.items() if name != "choices")
        new = ""
        for choice in map(mapping, listed(event.get("choices"))):
            index = whole(choice.get("index")) or 0
            message = mapping(choice.get("delta")) or mapping(choice.get("message"))
            chunks = chunks_of(message.get("content"))
            self._choices.setdefault(index, []).extend(chunks)
            new += text_in(chunks) if index == 0 else ""
        return new

    def response(self) -> Json:
        """Return the response as far as it has come."""
        choices = [
            {"index": index, "message": {"role": "assistant", "content": chunks}}
            for index, chunks in sorted(self._choices.items())
        ]
        return {**self._fields, "choices": choices}
