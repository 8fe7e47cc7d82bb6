"""Annotations as OpenAI writes them, which many others write too, flat or under the name of their type."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.core.citation import DocumentCitationSource, MarkerCitationAnchor, WebCitationSource
from pincite.core.stretches import Ranges
from pincite.providers._places import Place, Places
from pincite.providers.response import SearchSuggestions, listed, mapping, string, whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json, PartDraft, ResponseDraft

LOST_MARKER: Final = "private_use_marker"
"""The `kind` under which a marker between private-use characters is kept that no annotation explains."""
# OpenAI's own markers, which its API takes out of plain answers and sometimes leaves in structured ones.
# Linear: what is repeated ends at a character that it does not hold.
_PRIVATE: Final = re.compile("\ue200[^\ue200\ue201]*\ue201?")
_TRACKING: Final = re.compile(r"[?&]utm_source=[A-Za-z0-9._-]*")
_EXCERPTS: Final = ("content", "snippet", "text", "chunk_content")
"""Under which names providers give the words of a source, the first that is there."""


def details_of(raw: Json, *used: str) -> dict[str, Any] | None:
    """Return what a provider said beyond the fields that were `used`; None where that is nothing."""
    left = {str(name): value for name, value in raw.items() if name not in used and value is not None}
    return left or None


def web_source(raw: object) -> WebCitationSource | None:
    """Return a page as a search result or an annotation describes it, or as its bare address; None without one."""
    if isinstance(raw, str):
        return WebCitationSource(raw) if raw else None
    fields = mapping(raw)
    url = string(fields.get("url"))
    if url is None:
        return None
    name = excerpt_name(fields)
    details = details_of(fields, "url", "title", "type", "start_index", "end_index", name or "")
    return WebCitationSource(url, string(fields.get("title")), excerpts_of(fields), details=details)


def file_source(fields: Json, title: str = "filename") -> DocumentCitationSource:
    """Return a file that is named by its `file_id` and the name under `title`."""
    name = excerpt_name(fields)
    used = ("file_id", title, "type", "start_index", "end_index", name or "")
    return DocumentCitationSource(
        string(fields.get("file_id")),
        string(fields.get(title)),
        excerpts_of(fields),
        details=details_of(fields, *used),
    )


def excerpt_name(fields: Json) -> str | None:
    """Return the name under which `fields` hold the words of a source."""
    return next((name for name in _EXCERPTS if string(fields.get(name))), None)


def excerpts_of(fields: Json) -> tuple[str, ...]:
    """Return the words of a source that `fields` hold."""
    name = excerpt_name(fields)
    return () if name is None else (fields[name],)


def page_key(url: str) -> str:
    """Return what two addresses of one page share: OpenAI adds `utm_source` to those that it cites."""
    return _TRACKING.sub("", url)


class Found:
    """What a response found while it searched, and which of the pages it cites."""

    __slots__ = ("_by_page", "_cited", "_sources")

    def __init__(self) -> None:
        self._sources: list[CitationSource] = []
        self._by_page: dict[str, WebCitationSource] = {}
        self._cited: set[str] = set()

    def add(self, sources: Iterable[CitationSource | None]) -> None:
        """Add what was found; what has no address and no name is passed over."""
        for source in sources:
            if source is not None:
                self._sources.append(source)
                if isinstance(source, WebCitationSource):
                    self._by_page.setdefault(page_key(source.url), source)

    def cited(self, source: CitationSource) -> CitationSource:
        """Return a source that is cited, with what the search said of its page and the citation did not."""
        if not isinstance(source, WebCitationSource):
            return source
        key = page_key(source.url)
        self._cited.add(key)
        known = self._by_page.get(key)
        if known is None or known is source:
            return source
        details = {**(known.details or {}), **(source.details or {})} or None
        title, excerpts = source.title or known.title, source.excerpts or known.excerpts
        return replace(source, title=title, excerpts=excerpts, details=details)

    def keep(self, draft: ResponseDraft) -> None:
        """Keep what was found and not cited, each once.

        Chunks of files are kept even of cited files: which of them a citation means is not said.
        """
        known = {_same(one) for one in draft.retrieved}
        for source in self._sources:
            if isinstance(source, WebCitationSource) and self._needless(source):
                continue
            if (same := _same(source)) not in known:
                known.add(same)
                draft.retrieved.append(source)

    def _needless(self, source: WebCitationSource) -> bool:
        """Say whether a page is cited, or is a bare address of one that was found with a title too."""
        key = page_key(source.url)
        is_bare = not (source.title or source.excerpts or source.details)
        return key in self._cited or (is_bare and self._by_page[key] is not source)


def _same(source: CitationSource) -> tuple[str | None, str | None, tuple[str, ...]]:
    key = source.url if isinstance(source, WebCitationSource) else source.document_id
    return key, source.title, source.excerpts


def queries_in(arguments: object) -> list[object]:
    """Return the queries in the arguments of a search, which come as JSON text or as an object."""
    if isinstance(arguments, str):
        try:
            arguments = cast("object", json.loads(arguments))
        except (ValueError, RecursionError):
            return []
    fields = mapping(arguments)
    return [fields.get("query"), *listed(fields.get("queries"))]


def searched(draft: ResponseDraft, queries: Iterable[object]) -> None:
    """Keep the queries of a search, each once."""
    asked = [query for query in queries if isinstance(query, str) and query]
    before = draft.suggestions.queries if draft.suggestions else ()
    if asked:
        draft.suggestions = SearchSuggestions(None, tuple(dict.fromkeys((*before, *asked))))


class Annotated:
    """The last text part of a draft, whose citations are read; `taken` are the ranges of its markers."""

    __slots__ = ("_draft", "_found", "_index", "_part", "places", "taken", "text")

    def __init__(self, draft: ResponseDraft, part: PartDraft, found: Found) -> None:
        self._draft = draft
        self._part = part
        self._found = found
        self._index = len(draft.parts) - 1
        self.text = part.text
        self.places = Places(self.text)
        self.taken: list[tuple[int, int]] = []

    def read(self, annotations: object) -> None:
        """Cite what the annotations say, in their order."""
        for annotation in listed(annotations):
            self.keep(annotation)
            self._one(annotation)

    def keep(self, raw: object) -> None:
        """Keep a citation as it was sent, for the part's details."""
        self._part.raw.append(raw)

    def cite(self, sources: Iterable[CitationSource], place: Place) -> None:
        """Cite sources at a place."""
        cited = tuple(map(self._found.cited, sources))
        self._part.cite(cited, place.anchor, written=place.written, repaired=place.repaired)
        if isinstance(place.anchor, MarkerCitationAnchor):
            self.taken.append((place.anchor.start, place.anchor.end))

    def leave(self, kind: str, raw: object, reason: str) -> None:
        """Keep what became no citation of this part."""
        self._draft.leave(kind, raw, reason, self._index)

    def leave_markers(self) -> None:
        """Tell of OpenAI's markers that stand in the text and are explained by no annotation."""
        taken = Ranges(self.taken)
        for found in _PRIVATE.finditer(self.text):
            if not taken.touches(*found.span()):
                reason = "A marker that only the provider can resolve was left in the text."
                self.leave(LOST_MARKER, found[0], reason)

    def _one(self, annotation: object) -> None:
        outer = mapping(annotation)
        kind = string(outer.get("type")) or ("url_citation" if "url" in outer else "annotation")
        inner = mapping(
            outer.get(kind)
        )  # OpenAI Chat puts the fields under the type's name, Responses beside it
        fields = inner or outer
        start, end = whole(fields.get("start_index")), whole(fields.get("end_index"))
        if kind == "url_citation":
            page = web_source(fields)
            if page is None:
                self.leave(kind, annotation, "It names no address.")
                return
            place = self._place(fields, start, end, (page.url, page_key(page.url)))
            self.cite((page,), place)
        elif kind in {"file_citation", "container_file_citation", "file_path"}:
            file = file_source(fields)
            if file.document_id is None and file.title is None:
                self.leave(kind, annotation, "It names no file.")
                return
            # `index` of a file citation is a point in the text and not a range, that of a file path is not even one.
            self.cite((file,), self._place(fields, start, end, [name for name in (file.title,) if name]))
        elif kind in {"document_citation", "function_citation"}:
            self._of_input(kind, annotation, fields, start, end)
        elif kind == "file":
            self.leave(kind, annotation, "A file as it was parsed for the model is no citation.")
        else:
            self.leave(kind, annotation, "There is no such type of annotation that we know.")

    def _of_input(
        self, kind: str, annotation: object, fields: Json, start: int | None, end: int | None
    ) -> None:
        """Cite a document or a tool's result that was sent: Groq's offsets may be of a marker or of what is cited."""
        name = "document_id" if kind == "document_citation" else "tool_call_id"
        document_id = string(fields.get(name))
        if document_id is None:
            self.leave(kind, annotation, "It names no document and no tool call.")
            return
        details = details_of(fields, "document_id", "title", "type", "start_index", "end_index")
        place = self._place(fields, start, end, ())
        if place.anchor is None and place.repaired and start is not None and end is not None:
            place = self.places.content(start, end)
        title = string(fields.get("title"))
        self.cite((DocumentCitationSource(document_id, title, details=details),), place)

    def _place(self, fields: Json, start: int | None, end: int | None, needles: Iterable[str]) -> Place:
        """Return the place of a marker; one whose offsets are there and are no numbers is told of too."""
        odd = (
            start is None
            and end is None
            and not (fields.get("start_index") is fields.get("end_index") is None)
        )
        if odd:
            return Place(repaired="offsets given up: they are no numbers")
        return self.places.marker(start, end, needles)
