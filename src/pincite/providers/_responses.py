"""OpenAI's Responses API, and everybody who speaks it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pincite.providers._annotations import Annotated, Found, file_source, queries_in, searched, web_source
from pincite.providers.response import listed, mapping, string, told_apart, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json, ResponseDraft

_SEARCH_FIELDS: Final = ("action", "queries", "results", "contents")
"""Fields of which any shows that an item of the output is a search, whatever its type is called."""


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response: each `output_text` is a part, its annotations are of that part."""
    read_parts(draft, response, lambda _: None)


def read_parts(draft: ResponseDraft, response: Json, more: Callable[[Annotated], None]) -> None:
    """Read a response; `more` reads what else a part cites, once its annotations are read."""
    found = Found()
    items = [mapping(item) for item in listed(response.get("output"))]
    for item in items:
        found.add(_searched(draft, item))
    # xAI and Perplexity list what they found beside the output.
    found.add(
        web_source(one) for name in ("search_results", "citations") for one in listed(response.get(name))
    )
    for item in items:
        if item.get("type") in (None, "message"):
            for content in _contents(item):
                _read_text(draft, content, found, more)
    found.keep(draft)


def _contents(item: Json) -> list[Json]:
    content = item.get("content")
    if isinstance(content, str):
        return [{"type": "output_text", "text": content}]
    return [mapping(one) for one in listed(content)]


def _read_text(draft: ResponseDraft, content: Json, found: Found, more: Callable[[Annotated], None]) -> None:
    if content.get("type") == "refusal":
        draft.details["refusal"] = content.get("refusal")
        return
    text, annotations = string(content.get("text")), listed(content.get("annotations"))
    if content.get("type") not in (None, "output_text", "text") or not (text or annotations):
        return
    part = Annotated(draft, draft.part(text or ""), found)
    part.read(annotations)
    more(part)
    part.leave_markers()


def _searched(draft: ResponseDraft, item: Json) -> Iterator[CitationSource | None]:
    """Keep the queries of a search and yield what it found."""
    if (string(item.get("type")) or "").endswith("_search_call"):
        searched(draft, queries_in(item.get("arguments")))
    if not any(name in item for name in _SEARCH_FIELDS):
        return
    action = mapping(item.get("action"))
    searched(draft, (*listed(item.get("queries")), *listed(action.get("queries")), action.get("query")))
    yield from (web_source(one) for one in listed(action.get("sources")))
    yield web_source(action.get("url"))
    for result in (*listed(item.get("results")), *listed(item.get("contents"))):
        fields = mapping(result)
        yield file_source(fields) if string(fields.get("file_id")) else web_source(fields)


class Stream:
    """Puts the events of a response together."""

    __slots__ = ("_items", "_response")

    def __init__(self) -> None:
        self._items: dict[int, _Item] = {}
        self._response: dict[str, Any] = {}

    def feed(self, event: Json) -> str:
        """Take the next event; return the text that it adds to the answer."""
        kind = string(event.get("type")) or ""
        response = mapping(event.get("response"))
        if response:
            self._response.update(response)
            return "".join(
                self._item(index).take(mapping(item))
                for index, item in enumerate(listed(response.get("output")))
            )
        if "output_index" not in event and "item_id" not in event and "item" not in event:
            return ""
        item = self._item(whole(event.get("output_index")))
        if kind.startswith("response.output_item."):
            return item.take(mapping(event.get("item")))
        if kind.startswith("response.content_part."):
            return item.content(event).take(mapping(event.get("part")))
        if kind == "response.output_text.delta":
            return item.content(event).add(event.get("delta"))
        if kind == "response.output_text.done":
            return item.content(event).whole(event.get("text"))
        if kind == "response.output_text.annotation.added":
            item.content(event).annotate(event.get("annotation"), whole(event.get("annotation_index")))
        return ""

    def response(self) -> Json:
        """Return the response as far as it has come."""
        output = [item.made() for _, item in sorted(self._items.items())]
        return {**self._response, "output": output}

    def _item(self, index: int | None) -> _Item:
        if index is None:  # a server that does not number its items has one
            index = max(self._items, default=0)
        return self._items.setdefault(index, _Item())


class _Item:
    """An item of the output on its way."""

    __slots__ = ("_contents", "_fields")

    def __init__(self) -> None:
        self._fields: Json = {}
        self._contents: dict[int, _Content] = {}

    def take(self, item: Json) -> str:
        """Take the item as far as it is whole; return the text that is new."""
        if item:
            self._fields = item
        return "".join(
            self._content(index).take(mapping(content))
            for index, content in enumerate(listed(item.get("content")))
        )

    def content(self, event: Json) -> _Content:
        """Return the content that an event is of."""
        return self._content(whole(event.get("content_index")) or 0)

    def _content(self, index: int) -> _Content:
        return self._contents.setdefault(index, _Content())

    def made(self) -> Json:
        """Return the item."""
        if not self._contents:
            return self._fields
        contents = [content.made() for _, content in sorted(self._contents.items())]
        return {"type": "message", **self._fields, "content": contents}


class _Content:
    """A text of an item on its way, with its annotations."""

    __slots__ = ("_annotations", "_fields", "_length", "_pieces", "_unplaced")

    def __init__(self) -> None:
        self._fields: Json = {}
        self._pieces: list[str] = []
        self._length = 0
        self._annotations: dict[int, Any] = {}
        self._unplaced: list[Any] = []

    def add(self, piece: object) -> str:
        """Add a piece of text."""
        text = string(piece) or ""
        self._pieces.append(text)
        self._length += len(text)
        return text

    def whole(self, text: object) -> str:
        """Take the text as a whole; return what of it had not come in pieces."""
        full = string(text) or ""
        if len(full) < self._length:
            return ""
        before = "".join(self._pieces)
        self._pieces, self._length = [full], len(full)
        return full[len(before) :] if full.startswith(before) else ""

    def annotate(self, annotation: object, index: int | None) -> None:
        """Take an annotation by itself."""
        if index is None:
            self._unplaced.append(annotation)
        else:
            self._annotations[index] = annotation

    def take(self, content: Json) -> str:
        """Take the content as far as it is whole; return the text that is new."""
        if content:
            self._fields = content
        # One event may have an annotation that another one lacks, whichever comes first.
        self._annotations.update(enumerate(listed(content.get("annotations"))))
        return self.whole(content.get("text"))

    def made(self) -> Json:
        """Return the content."""
        annotations = [one for _, one in sorted(self._annotations.items())]
        placed = set(map(told_apart, annotations)) if self._unplaced else set[str]()
        annotations.extend(one for one in self._unplaced if told_apart(one) not in placed)
        text = "".join(self._pieces)
        made = {"type": "output_text", **self._fields}
        return {**made, "text": text, "annotations": annotations} if text or annotations else made
