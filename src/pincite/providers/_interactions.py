"""Google's Interactions API: steps of an answer, whose texts carry annotations.

An annotation says which bytes of its text rest on which page, file or place; each is a citation of its own. Earlier
versions of the API list `outputs` instead of `steps`, and stream `content.delta` instead of `step.delta`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pincite.core.citation import ContentCitationAnchor, DocumentCitationSource, WebCitationSource
from pincite.providers._located import ByteOffsets, beyond, named_source, page_of, quoted, range_of, uncited
from pincite.providers.response import SearchSuggestions, listed, mapping, string, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json, ResponseDraft

_NO_ANSWER: Final = frozenset(("thought", "user_input"))
_OFFSETS: Final = ("start_index", "end_index")


def is_interaction(response: Json) -> bool:
    """Say whether a response has the shape of this API."""
    return "steps" in response or "outputs" in response


def is_event(event: Json) -> bool:
    """Say whether an event of a stream has the shape of this API."""
    return "event_type" in event and "candidates" not in event


def read(draft: ResponseDraft, response: Json) -> None:
    """Read an interaction."""
    found: list[CitationSource] = []
    cited: list[CitationSource] = []
    shown: list[object] = []
    queries: list[object] = []
    for item in _items(response):
        kind = string(item.get("type"))
        results = listed(item.get("result"))
        if kind == "text":
            cited.extend(_read_text(draft, item))
        elif kind == "google_search_call":
            queries.extend(listed(mapping(item.get("arguments")).get("queries")))
        elif kind in {"google_search_result", "url_context_result"}:
            shown.extend(mapping(result).get("search_suggestions") for result in results)
            found.extend(_pages(results))
        elif kind == "google_maps_result":
            found.extend(
                _pages(place for result in results for place in listed(mapping(result).get("places")))
            )
    draft.retrieved.extend(uncited(found, cited))
    html = "\n".join(quoted(*shown)) or None
    if html is not None or queries:
        draft.suggestions = SearchSuggestions(html, quoted(*queries), must_show=html is not None)


def _items(response: Json) -> Iterator[Json]:
    """Yield what the model wrote and what its tools did, in order."""
    for step in map(mapping, listed(response.get("steps")) or listed(response.get("outputs"))):
        if step.get("type") == "model_output":
            yield from map(mapping, listed(step.get("content")))
        elif string(step.get("type")) not in _NO_ANSWER:
            yield step


def _read_text(draft: ResponseDraft, block: Json) -> list[CitationSource]:
    """Add a text with a citation for each of its annotations; return their sources."""
    text = string(block.get("text")) or ""
    part = draft.part(text)
    offsets = ByteOffsets(text)
    cited: list[CitationSource] = []
    for raw in listed(block.get("annotations")):
        part.raw.append(raw)
        annotation = mapping(raw)
        source = _source(annotation)
        if isinstance(source, str):
            draft.leave(string(annotation.get("type")) or "annotation", raw, source, len(draft.parts) - 1)
            continue
        cited.append(source)
        start, end = (annotation.get(name) for name in _OFFSETS)
        given = range_of(start, end)
        place = given and offsets.exact(*given)
        if place is not None:
            part.cite([source], ContentCitationAnchor(*place))
        else:
            part.cite([source], repaired=None if start is None and end is None else "offsets given up")
    return cited


def _source(annotation: Json) -> CitationSource | str:
    """Return what an annotation names, or why it names nothing."""
    kind, name = string(annotation.get("type")), string(annotation.get("source"))
    url = string(annotation.get("url"))
    if kind == "file_citation":
        document, title = string(annotation.get("document_uri")), string(annotation.get("file_name"))
        if document is None and title is None and name is None:
            return "It names no file."
        details = beyond(annotation, "document_uri", "file_name", *_OFFSETS)
        return DocumentCitationSource(
            document, title, span=page_of(annotation.get("page_number")), details=details
        )
    if kind == "place_citation":
        place, title = string(annotation.get("place_id")), string(annotation.get("name"))
        details = beyond(annotation, "url", "name", *_OFFSETS)
        if url is not None:
            return WebCitationSource(url, title, details=details)
        return (
            DocumentCitationSource(place, title, details=details) if place or title else "It names no place."
        )
    if kind not in {"url_citation", None}:
        return "Annotations of this kind are not known."
    title, details = string(annotation.get("title")), beyond(annotation, "url", "title", "source", *_OFFSETS)
    if url is None and name is None:
        return "It has no address."
    return (
        WebCitationSource(url, title, details=details)
        if url
        else named_source(name, title, (), None, details)
    )


def _pages(results: Iterable[object]) -> Iterator[CitationSource]:
    """Yield the pages that a tool found."""
    for result in map(mapping, results):
        url = string(result.get("url"))
        title = string(result.get("title")) or string(result.get("name"))
        if url is not None:
            details = beyond(result, "url", "title", "name", "search_suggestions")
            yield WebCitationSource(url, title, details=details)


class Stream:
    """Puts the events of an interaction together. Annotations come behind the text that they are about."""

    __slots__ = ("_interaction", "_steps")

    def __init__(self) -> None:
        self._interaction: dict[str, Any] = {}
        self._steps: dict[int, _Step] = {}

    def feed(self, event: Json) -> str:
        """Take the next event; return the text that it adds to the answer."""
        self._interaction.update(mapping(event.get("interaction")))
        index = whole(event.get("index"))
        begun = mapping(event.get("step")) or mapping(event.get("content"))
        delta = mapping(event.get("delta"))
        if not begun and not delta:
            return ""
        if index is None:
            index = next(reversed(self._steps), 0)
        if begun:
            self._steps[index] = _Step(begun)
            return self._steps[index].begin()
        return self._steps.setdefault(index, _Step({"type": "model_output"})).add(delta)

    def response(self) -> Json:
        """Return the interaction as far as it has come."""
        steps = [self._steps[index].whole() for index in sorted(self._steps)]
        return {**self._interaction, "steps": steps} if steps else self._interaction


class _Step:
    """A step on its way."""

    __slots__ = ("_content", "_raw")

    def __init__(self, raw: Json) -> None:
        self._raw = raw
        self._content: list[dict[str, Any]] = []

    def begin(self) -> str:
        """Take what the step came with; return its text."""
        if self._raw.get("type") == "model_output":
            return "".join(self.add(mapping(item), apart=True) for item in listed(self._raw.get("content")))
        return self.add(self._raw) if self._raw.get("type") == "text" else ""

    def add(self, delta: Json, *, apart: bool = False) -> str:
        """Add a delta: to the text before it, unless it is one `apart`, or as something else; return its text."""
        kind, text = string(delta.get("type")), delta.get("text")
        if string(self._raw.get("type")) in _NO_ANSWER:
            return ""
        if kind not in {"text", "text_annotation_delta"}:
            self._content.append(dict(delta))
            return ""
        if apart or not self._content or self._content[-1].get("type") != "text":
            self._content.append({"type": "text", "pieces": [], "annotations": []})
        last = self._content[-1]
        last["annotations"].extend(listed(delta.get("annotations")))
        if not isinstance(text, str) or kind != "text":
            return ""
        last["pieces"].append(text)
        return text

    def whole(self) -> Json:
        """Return the step as it would have come at once."""
        content = [
            {"type": "text", "text": "".join(item["pieces"]), "annotations": item["annotations"]}
            if item.get("type") == "text"
            else item
            for item in self._content
        ]
        if any(item.get("type") == "text" for item in content) or self._raw.get("type") == "model_output":
            return {**self._raw, "type": "model_output", "content": content}
        whole: dict[str, Any] = dict(self._raw)
        for item in content:
            whole.update(item)
        return whole
