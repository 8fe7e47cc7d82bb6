"""Google `generateContent`, of the Gemini API and of Vertex AI: grounding, and what was recited.

Text parts that follow one another are one part; anything that stands between them, a thought or a call, parts them.
A grounding support says which bytes of the answer which chunks support. The bytes are counted over all text that is
no thought, and where they do not select the text that the support reports, the nearest occurrence of it is taken:
recorded answers are 2 bytes off from some point on. Chunks that no support names are `retrieved`.

Names are read as the API writes them, and as Google's SDK does when it dumps its objects (`grounding_metadata`).
A response of the Interactions API is known by its shape and read as one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.core.citation import (
    ContentCitationAnchor,
    DocumentCitationSource,
    SpanUnit,
    WebCitationSource,
)
from pincite.providers import _interactions
from pincite.providers._located import ByteOffsets, beyond, page_of, quoted, range_of, span_of, uncited
from pincite.providers.response import SearchSuggestions, listed, mapping, number, string, told_apart, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pincite.core.citation import CitationSource
    from pincite.providers._located import Place
    from pincite.providers.response import Json, PartDraft, ResponseDraft

_BESIDE_TEXT: Final = frozenset(
    "text thought thoughtSignature thought_signature partMetadata part_metadata".split()
)
"""Fields of a part that leave it a part of text."""
_RECITED: Final = frozenset(("citationMetadata", "citation_metadata"))
_CAPITAL: Final = re.compile("[A-Z]")  # one character: linear
_TURNED_TO_SOURCES: Final = (
    "groundingChunks", "groundingSupports", "webSearchQueries", "searchEntryPoint",
    "grounding_chunks", "grounding_supports", "web_search_queries", "search_entry_point",
)  # fmt: skip


@lru_cache(maxsize=256)
def _snake(name: str) -> str:
    return _CAPITAL.sub(lambda match: f"_{match.group().lower()}", name)


def _get(raw: Json, name: str) -> object:
    """Return a field by the API's name, or else by the SDK's."""
    value = raw.get(name)
    return raw.get(_snake(name)) if value is None else value


def read(draft: ResponseDraft, response: Json) -> None:
    """Read a response; of several candidates the first."""
    candidates = [mapping(candidate) for candidate in listed(response.get("candidates"))]
    if not candidates and _interactions.is_interaction(response):
        _interactions.read(draft, response)
        return
    for other in candidates[1:]:
        draft.leave("candidate", other, "Only the first candidate is the answer.")
    if candidates:
        _Candidate(draft, candidates[0]).read()


@dataclass(slots=True)
class _Run:
    """A part of the answer: where it lies in the whole text, in code points."""

    start: int
    end: int
    draft: PartDraft


class _Candidate:
    """Reads one candidate."""

    __slots__ = ("_begins", "_candidate", "_draft", "_grounding", "_offsets", "_parts", "_runs", "_starts")

    def __init__(self, draft: ResponseDraft, candidate: Json) -> None:
        self._draft = draft
        self._candidate = candidate
        self._grounding = mapping(_get(candidate, "groundingMetadata"))
        self._parts = [mapping(part) for part in listed(mapping(candidate.get("content")).get("parts"))]
        self._runs: list[_Run] = []
        self._starts: dict[int, int] = {}  # of a part of the response, in code points of the whole text
        self._read_text()
        self._begins = [run.start for run in self._runs]
        self._offsets = ByteOffsets("".join(run.draft.text for run in self._runs))

    def read(self) -> None:
        """Read what the candidate says of its text."""
        chunks = [_Chunk(mapping(raw)) for raw in listed(_get(self._grounding, "groundingChunks"))]
        used: set[int] = set()
        for raw in listed(_get(self._grounding, "groundingSupports")):
            self._read_support(raw, chunks, used)
        recited = mapping(_get(self._candidate, "citationMetadata"))
        for raw in listed(_get(recited, "citationSources")) or listed(recited.get("citations")):
            self._read_recited(raw)
        for index, chunk in enumerate(chunks):
            if chunk.source is None:
                self._draft.leave("groundingChunk", chunk.raw, "It names no source of a kind that is known.")
            elif index not in used:
                self._draft.retrieved.append(chunk.source)
        self._draft.retrieved.extend(
            uncited(self._fetched(), [chunk.source for chunk in chunks if chunk.source])
        )
        self._read_rest()

    def _read_text(self) -> None:
        at = 0
        parted = True
        for index, part in enumerate(self._parts):
            text = part.get("text")
            thought = part.get("thought") is True
            if isinstance(text, str) and not thought:
                self._starts[index] = at
                if not text:
                    continue
                if parted:
                    self._runs.append(_Run(at, at, self._draft.part()))
                    parted = False
                at += len(text)
                self._runs[-1].draft.add(text)
                self._runs[-1].end = at
            if thought or any(value is not None and name not in _BESIDE_TEXT for name, value in part.items()):
                parted = True

    def _read_support(self, raw: object, chunks: Sequence[_Chunk], used: set[int]) -> None:
        """Add the citation that a support is, with one source for each of its chunks."""
        support = mapping(raw)
        scores = listed(_get(support, "confidenceScores"))
        sources: list[CitationSource] = []
        named: list[Any] = []
        indices: set[int] = set()
        for position, index in enumerate(map(whole, listed(_get(support, "groundingChunkIndices")))):
            chunk = chunks[index] if index is not None and index < len(chunks) else None
            named.append(None if chunk is None else chunk.raw)
            if chunk is None or chunk.source is None or index is None:
                continue
            indices.add(index)
            score = number(scores[position]) if position < len(scores) else None
            sources.append(chunk.source if score is None else _scored(chunk.source, score))
        if not sources:
            self._draft.leave("groundingSupport", raw, "It names no chunk that is there and is a source.")
            return
        if not self._runs:
            self._draft.leave("groundingSupport", raw, "There is no text that it could be about.")
            return
        used |= indices
        if len(sources) < len(named):
            self._draft.leave(
                "groundingChunkIndices",
                raw,
                "Some of the chunks that it names are not there, or are no sources.",
            )
        segment = mapping(support.get("segment"))
        place, repaired = self._place(segment)
        # Chunks are named by their number in this response, which nobody can look up later.
        self._cite({**support, "groundingChunks": named}, sources, place, repaired)

    def _place(self, segment: Json) -> tuple[Place | None, str | None]:
        """Return which code points of the whole text a segment means, and what had to be mended."""
        if not segment:
            return None, None
        said = string(segment.get("text"))
        given = range_of(_get(segment, "startIndex"), _get(segment, "endIndex"))
        if given is None:
            place = None if said is None else self._offsets.only(said)
            return place, "offsets given up" if place is None else "offsets replaced by the place of the text"
        start, end = given
        index = whole(_get(segment, "partIndex"))
        begun = 0 if index is None else self._starts.get(index, 0)
        before = self._offsets.bytes_before(begun) if begun else 0
        # Counted from its part, as is documented, and over all text, as was seen.
        for base in (before, 0) if before else (0,):
            place = self._offsets.exact(start + base, end + base, said)
            if place is not None:
                return place, None
        moved = None if said is None else self._offsets.moved(start + before, end + before, said)
        return moved or (None, "offsets given up")

    def _read_recited(self, raw: object) -> None:
        """Add the citation that a recited source is: the answer repeats it from there on, at some length."""
        recited = mapping(raw)
        url = string(recited.get("uri"))
        if url is None or not self._runs:
            reason = "It has no address." if url is None else "There is no text that it could be about."
            self._draft.leave("citationSource", raw, reason)
            return
        given = range_of(_get(recited, "startIndex"), _get(recited, "endIndex"))
        place = given and self._offsets.exact(*given)
        details = beyond(recited, "uri", "title", "startIndex", "endIndex", "start_index", "end_index")
        source = WebCitationSource(url, string(recited.get("title")), details=details)
        self._cite(recited, [source], place, "offsets given up" if place is None else None)

    def _cite(
        self, raw: Json, sources: Sequence[CitationSource], place: Place | None, repaired: str | None
    ) -> None:
        """Add a citation to each part of the answer that a place reaches into; to the last where it has no place."""
        if place is None:
            self._runs[-1].draft.raw.append(raw)
            self._runs[-1].draft.cite(sources, repaired=repaired)
            return
        first = bisect_right(self._begins, place[0]) - 1
        for run in self._runs[first:]:
            low, high = max(place[0], run.start), min(place[1], run.end)
            if low >= high:
                break
            run.draft.raw.append(raw)
            run.draft.cite(
                sources, ContentCitationAnchor(low - run.start, high - run.start), repaired=repaired
            )

    def _fetched(self) -> Iterator[CitationSource]:
        """Yield the pages that were fetched because the prompt named them."""
        context = mapping(_get(self._candidate, "urlContextMetadata"))
        for raw in map(mapping, listed(_get(context, "urlMetadata"))):
            url, status = string(_get(raw, "retrievedUrl")), string(_get(raw, "urlRetrievalStatus"))
            if url is not None and status in {None, "URL_RETRIEVAL_STATUS_SUCCESS"}:
                yield WebCitationSource(url, details=beyond(raw, "retrievedUrl", "retrieved_url"))

    def _read_rest(self) -> None:
        """Keep what has to be shown, and whatever else was said of the sources."""
        entry = mapping(_get(self._grounding, "searchEntryPoint"))
        called = [mapping(_get(part, "toolCall")) for part in self._parts]
        came = [mapping(_get(part, "toolResponse")) for part in self._parts]
        html = string(_get(entry, "renderedContent"))
        if html is None:
            shown = (mapping(one.get("response")).get("search_suggestions") for one in came)
            html = "\n".join(quoted(*shown)) or None
        queries = quoted(*listed(_get(self._grounding, "webSearchQueries"))) or quoted(
            *(query for one in called for query in listed(mapping(one.get("args")).get("queries")))
        )
        if html is not None or queries:
            self._draft.suggestions = SearchSuggestions(html, queries, must_show=html is not None)
        rest = {
            "groundingMetadata": beyond(self._grounding, *_TURNED_TO_SOURCES),
            "searchEntryPoint": beyond(entry, "renderedContent", "rendered_content"),
            "urlContextMetadata": _get(self._candidate, "urlContextMetadata"),
        }
        self._draft.details.update({name: value for name, value in rest.items() if value is not None})


class _Chunk:
    """A grounding chunk and the source that it is."""

    __slots__ = ("raw", "source")

    def __init__(self, raw: Json) -> None:
        self.raw = raw
        self.source = _source(raw)


def _scored(source: CitationSource, score: float) -> CitationSource:
    """Return a source with the confidence that Google has in it for one support."""
    return replace(source, details={**(source.details or {}), "confidenceScore": score})


def _source(chunk: Json) -> CitationSource | None:
    """Return the source that a chunk is; None where it is of no known kind, or names nothing."""
    for kind, read_kind in _KINDS.items():
        value = mapping(_get(chunk, kind))
        if value:
            return read_kind(value)
    return None


def _web(web: Json) -> CitationSource | None:
    url = string(web.get("uri"))
    if url is None:
        return None
    return WebCitationSource(url, string(web.get("title")), details=beyond(web, "uri", "title"))


def _maps(maps: Json) -> CitationSource | None:
    url, title, place = string(maps.get("uri")), string(maps.get("title")), string(_get(maps, "placeId"))
    excerpts, details = quoted(maps.get("text")), beyond(maps, "uri", "title", "text")
    if url is not None:
        return WebCitationSource(url, title, excerpts, details=details)
    return DocumentCitationSource(place, title, excerpts, details=details) if place or title else None


def _image(image: Json) -> CitationSource | None:
    url = string(_get(image, "sourceUri")) or string(_get(image, "imageUri"))
    if url is None:
        return None
    details = beyond(image, "sourceUri", "source_uri", "title")
    return WebCitationSource(url, string(image.get("title")), details=details)


def _retrieved(context: Json) -> CitationSource | None:
    """Return a document of a data store; its address is its id where nothing else names it."""
    chunk = mapping(_get(context, "ragChunk"))
    pages = mapping(_get(chunk, "pageSpan"))
    last = whole(_get(pages, "lastPage"))
    span = span_of(_get(pages, "firstPage"), None if last is None else last + 1, SpanUnit.PAGES)
    name, title = string(_get(context, "documentName")), string(context.get("title"))
    excerpts = quoted(context.get("text"), chunk.get("text"))
    if name is None and title is None and not excerpts:
        name = string(context.get("uri"))
        if name is None:
            return None
    details = beyond(context, "documentName", "document_name", "title", "text")
    return DocumentCitationSource(
        name, title, excerpts, span or page_of(_get(context, "pageNumber")), details=details
    )


_KINDS: Final[Mapping[str, Callable[[Json], CitationSource | None]]] = {
    "web": _web,
    "maps": _maps,
    "image": _image,
    "retrievedContext": _retrieved,
}


class Stream:
    """Puts the chunks of a response together. Grounding comes once, on the last."""

    __slots__ = ("_candidates", "_interaction", "_recited", "_rest")

    def __init__(self) -> None:
        self._rest: dict[str, Any] = {}
        self._candidates: dict[int, dict[str, Any]] = {}
        self._recited: dict[int, dict[str, dict[str, _Once]]] = {}
        self._interaction: _interactions.Stream | None = None

    def feed(self, event: Json) -> str:
        """Take the next chunk; return the text that it adds to the answer."""
        if self._interaction is None and not self._candidates and _interactions.is_event(event):
            self._interaction = _interactions.Stream()
        if self._interaction is not None:
            return self._interaction.feed(event)
        self._rest.update({name: value for name, value in event.items() if name != "candidates"})
        added = [self._take(mapping(raw)) for raw in listed(event.get("candidates"))]
        return "".join(text for index, text in added if index == min(self._candidates))

    def response(self) -> Json:
        """Return the response as far as it has come."""
        if self._interaction is not None:
            return self._interaction.response()
        candidates = [
            {**self._candidates[index], **self._recited_in(index)} for index in sorted(self._candidates)
        ]
        return {**self._rest, "candidates": candidates}

    def _recited_in(self, index: int) -> Json:
        lists = self._recited.get(index, {})
        return {name: {kind: one.items for kind, one in kinds.items()} for name, kinds in lists.items()}

    def _take(self, came: Json) -> tuple[int, str]:
        """Add to a candidate what came of it; return its index and the text that was added."""
        index = whole(came.get("index")) or 0
        candidate = self._candidates.setdefault(index, {"content": {"parts": []}})
        for name, value in came.items():
            if name in _RECITED:
                lists = self._recited.setdefault(index, {}).setdefault(name, {})
                for kind, more in mapping(value).items():
                    lists.setdefault(kind, _Once()).add(listed(more))
            elif isinstance(value, Mapping) and name != "content":
                # What has come of it is not taken back by a later one that has less, and most are empty.
                told = {key: new for key, new in cast("Json", value).items() if new}
                candidate[name] = {**mapping(candidate.get(name)), **told}
            elif name != "content":
                candidate[name] = value
        parts: list[Any] = candidate["content"]["parts"]
        text: list[str] = []
        for part in listed(mapping(came.get("content")).get("parts")):
            parts.append(part)
            piece = mapping(part).get("text")
            if isinstance(piece, str) and mapping(part).get("thought") is not True:
                text.append(piece)
        return index, "".join(text)


class _Once:
    """A list of what was recited, each once, whether a later chunk repeats it or not."""

    __slots__ = ("_known", "items")

    def __init__(self) -> None:
        self._known: set[str] = set()
        self.items: list[Any] = []

    def add(self, values: Sequence[object]) -> None:
        """Add the values of a chunk that no earlier one had."""
        names = list(map(told_apart, values))
        self.items += [one for name, one in zip(names, values, strict=True) if name not in self._known]
        self._known.update(names)
