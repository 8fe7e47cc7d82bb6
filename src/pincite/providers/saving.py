"""Providers' citations as JSON: the same bytes however often they are read and written again.

What a newer version wrote (a kind of source, a kind of anchor, a field) is kept as it is and written back in its place.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.core.citation import (
    BoundPassage,
    Citation,
    ContentCitationAnchor,
    DocumentCitationSource,
    MarkerCitationAnchor,
    SourceSpan,
    SpanUnit,
    TextPart,
    WebCitationSource,
)
from pincite.core.errors import InputError
from pincite.core.given import maybe, of_kind, refuse
from pincite.core.locators import Locator
from pincite.core.verdicts import Confidence, QuoteVerdict, SourceState, SupportVerdict, TraceVerdict
from pincite.providers.response import (
    ProviderResponse,
    SearchSuggestions,
    Unmapped,
    listed,
    mapping,
    number,
    string,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.core.citation import CitationAnchor, CitationSource
    from pincite.providers.response import Json

UNREAD: Final = "unread_citations"
"""Under which name `TextPart.provider_details` holds saved citations that were not, or not wholly, understood."""
_VERSION: Final = 1
# Fields of a citation that are written as they are, and those that are verdicts, under their names in JSON.
_TEXTS: Final = ("written", "repaired", "text_hash")
_VERDICTS: Final[dict[str, tuple[str, type[StrEnum]]]] = {
    "verdict": ("trace", TraceVerdict),
    "quote_verdict": ("quote", QuoteVerdict),
    "support_verdict": ("support", SupportVerdict),
    "source_state": ("source_state", SourceState),
    "confidence": ("confidence", Confidence),
}
# What reading a field of the wrong shape ends in.
_ODD: Final = (InputError, KeyError, TypeError, ValueError, AttributeError)


def citation_as_dict(citation: Citation) -> dict[str, Any]:
    """Return a citation as JSON holds it; what it lacks is left out.

    Raises:
        InputError: `citation` is none.
    """
    of_kind(citation, Citation, "citation", "a Citation")
    made: dict[str, Any] = {"sources": [source_as_dict(source) for source in citation.sources]}
    if citation.anchor is not None:
        kind = "marker" if isinstance(citation.anchor, MarkerCitationAnchor) else "content"
        made["anchor"] = {"kind": kind, "start": citation.anchor.start, "end": citation.anchor.end}
    values = {name: getattr(citation, name) for name in ("written", "repaired")}
    values |= {name: getattr(citation, field) for name, (field, _) in _VERDICTS.items()}
    values["score"] = citation.score
    made |= {name: _plain(value) for name, value in values.items() if value is not None}
    if citation.claim is not None:
        made["claim"] = {"start": citation.claim.start, "end": citation.claim.end}
    if citation.text_hash is not None:
        made["text_hash"] = citation.text_hash
    return made


def citation_from_dict(data: object) -> Citation:
    """Return the citation that JSON holds; fields that are not known are passed over.

    Raises:
        InputError: it is none, or a source, an anchor or a verdict in it is of no kind that is known here.
    """
    try:
        return _citation(cast("Json", of_kind(data, dict, "citation", "a JSON object")))
    except _ODD as error:
        if isinstance(error, InputError):
            raise
        msg = "It is no citation, or of a kind that is not known here."
        raise InputError(msg, field="citation") from error


def part_as_dict(part: TextPart) -> dict[str, Any]:
    """Return a part as JSON holds it, with what was not understood of it back in its place.

    Raises:
        InputError: `part` is none.
    """
    of_kind(part, TextPart, "part", "a TextPart")
    details = dict(part.provider_details) if part.provider_details is not None else None
    unread = _unread(details.pop(UNREAD, None)) if details is not None else {}
    made: dict[str, Any] = {"content": part.content}
    citations = list(_in_place(part, unread))
    if citations:
        made["citations"] = citations
    if details or (details is not None and not unread):
        made["provider_details"] = details
    return made


def part_from_dict(data: object) -> TextPart:
    """Return the part that JSON holds; what is no citation of its text is kept aside, and written back in its place.

    Raises:
        InputError: it is none.
    """
    fields = cast("dict[str, Any]", of_kind(data, dict, "part", "a JSON object"))
    content = of_kind(fields.get("content"), str, "content", "a string")
    citations: list[Citation] = []
    unread: list[dict[str, Any]] = []
    for at, raw in enumerate(_items(fields, "citations")):
        read = _read(raw, content)
        if read is not None:
            citations.append(read)
        if read is None or not _is_written_so(read, raw):
            unread.append({"at": at, "raw": raw})
    details = fields.get("provider_details")
    details = dict(mapping(details)) if details is not None else None
    if unread:
        details = {**(details or {}), UNREAD: unread}
    return TextPart(content, tuple(citations), details)


def response_as_dict(response: ProviderResponse) -> dict[str, Any]:
    """Return a response as JSON holds it: its parts, and all that the provider said beside them.

    Raises:
        InputError: `response` is none.
    """
    of_kind(response, ProviderResponse, "response", "a ProviderResponse")
    made: dict[str, Any] = {"pincite": _VERSION, "provider": response.provider, "api": response.api}
    made["parts"] = [part_as_dict(part) for part in response.parts]
    if response.retrieved:
        made["retrieved"] = [source_as_dict(source) for source in response.retrieved]
    if response.unmapped:
        made["unmapped"] = [
            {"kind": one.kind, "raw": one.raw, "reason": one.reason, "part": one.part}
            for one in response.unmapped
        ]
    if response.suggestions is not None:
        shown = response.suggestions
        made["suggestions"] = {
            "html": shown.html,
            "queries": list(shown.queries),
            "must_show": shown.must_show,
        }
    if response.details:
        made["details"] = dict(response.details)
    return made


def response_from_dict(data: object) -> ProviderResponse:
    """Return the response that JSON holds. Sources found and not cited that are of no known kind are `unmapped`.

    Raises:
        InputError: it is none.
    """
    fields = cast("dict[str, Any]", of_kind(data, dict, "response", "a JSON object"))
    if fields.get("pincite") != _VERSION:
        msg = f"It is no saved response of version {_VERSION}."
        raise InputError(msg, field="pincite")
    retrieved: list[CitationSource] = []
    unmapped = [
        Unmapped(str(one.get("kind")), one.get("raw"), str(one.get("reason")), _number(one.get("part")))
        for one in map(mapping, _items(fields, "unmapped"))
    ]
    for raw in _items(fields, "retrieved"):
        try:
            retrieved.append(_source(raw))
        except _ODD:
            kind = string(mapping(raw).get("kind")) or "source"
            unmapped.append(Unmapped(kind, raw, "There is no such kind of source here."))
    shown = fields.get("suggestions")
    suggestions = None
    if shown is not None:
        one = mapping(shown)
        queries = tuple(query for query in listed(one.get("queries")) if isinstance(query, str))
        suggestions = SearchSuggestions(string(one.get("html")), queries, bool(one.get("must_show")))
    return ProviderResponse(
        of_kind(fields.get("provider"), str, "provider", "a string"),
        of_kind(fields.get("api"), str, "api", "a string"),
        tuple(part_from_dict(part) for part in _items(fields, "parts")),
        tuple(retrieved),
        tuple(unmapped),
        suggestions,
        dict(mapping(fields.get("details"))),
    )


def save_response(response: ProviderResponse) -> str:
    """Return a response as one line of ASCII JSON, the same for the same response.

    A number that JSON has none for (infinite, or none at all) is written as null.

    Raises:
        InputError: `response` is none, or what its provider said is deeper than JSON can be written, or no JSON.
    """
    saved: Any = response_as_dict(response)
    try:
        try:
            return _dumped(saved)
        except ValueError:
            return _dumped(_finite(saved))
    except (TypeError, ValueError, RecursionError) as error:
        msg = "`response` holds what cannot be written as JSON."
        raise InputError(msg, field="response") from error


def load_response(text: str | bytes) -> ProviderResponse:
    """Return the response that `save_response` wrote.

    A citation that cannot be one, such as one whose anchor is outside of its text, is kept aside; see `part_from_dict`.

    Raises:
        InputError: `text` is no JSON, holds a number too large for any computer, or is no saved response.
    """
    try:
        data: object = json.loads(text, parse_constant=_refused, parse_float=_float)
        return response_from_dict(data)
    except InputError:
        raise
    except (ValueError, TypeError, RecursionError) as error:
        msg = "`text` is no JSON."
        raise InputError(msg, field="text") from error


def _dumped(saved: object) -> str:
    return json.dumps(saved, separators=(",", ":"), allow_nan=False)


def _finite(value: object) -> object:
    """Return a value of JSON with None for each number that JSON has none for."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in cast("list[Any]", value)]
    return value


def _refused(word: str) -> object:
    msg = f"{word} is no JSON."
    raise ValueError(msg)


def _float(digits: str) -> float:
    """Return a number with a point or an exponent; one that would be written back as no JSON is refused."""
    value = float(digits)
    return value if math.isfinite(value) else cast("float", _refused("A number without end"))


def source_as_dict(source: CitationSource) -> dict[str, Any]:
    """Return a source as JSON holds it; what it lacks is left out."""
    made: dict[str, Any]
    if isinstance(source, WebCitationSource):
        made = {"kind": "web", "url": source.url}
    else:
        made = {"kind": "document", "document_id": source.document_id}
    if source.title is not None:
        made["title"] = source.title
    if source.excerpts:
        made["excerpts"] = list(source.excerpts)
    if source.span is not None:
        made["span"] = {"start": source.span.start, "end": source.span.end, "unit": source.span.unit.value}
    if source.passage is not None:
        passage = source.passage
        names = ("citation_key", "ref", "chunk_id", "evidence_id", "document_id")
        made["passage"] = {name: value for name in names if (value := getattr(passage, name)) is not None}
        if place := passage.locator.as_dict():
            made["passage"]["locator"] = place
    if source.details is not None:
        made["details"] = dict(source.details)
    return made


def _plain(value: object) -> object:
    return value.value if isinstance(value, StrEnum) else value


def _citation(data: Json) -> Citation:
    given = cast("list[Any]", of_kind(data["sources"], list, "sources", "a list"))
    sources = tuple(map(_source, given))
    citation = Citation(sources, _anchor(data.get("anchor")))
    found: dict[str, Any] = {}
    for name in _TEXTS:
        if data.get(name) is not None:
            found[name] = of_kind(data[name], str, name, "a string")
    for name, (field, kind) in _VERDICTS.items():
        if data.get(name) is not None:
            found[field] = kind(data[name])
    if data.get("score") is not None:
        found["score"] = data["score"]
        if number(data["score"]) is None or not math.isfinite(data["score"]):
            refuse(data["score"], "score", "a number")
    if data.get("claim") is not None:
        found["claim"] = ContentCitationAnchor(*_range(data["claim"]))
    return replace(citation, **found)


def _anchor(data: object) -> CitationAnchor | None:
    if data is None:
        return None
    fields = cast("Json", data)
    kinds = {"content": ContentCitationAnchor, "marker": MarkerCitationAnchor}
    return kinds[fields["kind"]](*_range(fields))


def _range(data: Json) -> tuple[int, int]:
    start, end = _number(data["start"]), _number(data["end"])
    if start is None or end is None or start > end:
        msg = "A range has a start of 0 or more, and an end that is not before it."
        raise InputError(msg, field="start")
    return start, end


def _number(value: object) -> int | None:
    """Return a whole number of 0 or more; None for anything else, a bool too."""
    return value if type(value) is int and value >= 0 else None


def _items(data: Json, name: str) -> list[Any]:
    """Return the list that a field holds; an empty one where it is absent."""
    given = cast("list[Any] | None", maybe(data.get(name), list, name, "a list"))
    return given or []


def _source(data: object) -> CitationSource:
    fields = cast("Json", data)
    passage, span = fields.get("passage"), fields.get("span")
    rest: tuple[Any, ...] = (
        _text(fields, "title"),
        tuple(of_kind(one, str, "excerpts", "strings") for one in listed(fields.get("excerpts"))),
        None if span is None else SourceSpan(*_range(span), SpanUnit(span["unit"])),
        None if passage is None else _passage(passage),
        _details(fields.get("details")),
    )
    if fields["kind"] == "web":
        return WebCitationSource(of_kind(fields["url"], str, "url", "a string"), *rest)
    if fields["kind"] == "document":
        return DocumentCitationSource(_text(fields, "document_id"), *rest)
    raise KeyError(fields["kind"])


def _details(value: object) -> Json | None:
    return cast("Json | None", maybe(value, dict, "details", "an object"))


def _passage(data: Json) -> BoundPassage:
    names = ("ref", "chunk_id", "evidence_id", "document_id")
    key = of_kind(data["citation_key"], str, "citation_key", "a string")
    place = Locator.from_dict(dict(data.get("locator") or {}))
    numbers = (place.page, place.page_end, place.line, place.line_end)
    if any(one is not None and _number(one) is None for one in numbers):
        msg = "Pages and lines are numbers."
        raise InputError(msg, field="locator")
    for label in filter(None, (place.page_label, *place.headings)):
        of_kind(label, str, "locator", "labels that are strings")
    return BoundPassage(key, locator=place, **{name: _text(data, name) for name in names})


def _text(data: Json, name: str) -> str | None:
    return None if data.get(name) is None else of_kind(data[name], str, name, "a string")


def _read(raw: object, content: str) -> Citation | None:
    """Return a citation of a text; None where it is none, or reaches out of the text."""
    try:
        read = citation_from_dict(raw)
    except InputError:
        return None
    ends = [one.end for one in (read.anchor, read.claim) if one is not None]
    return read if max(ends, default=0) <= len(content) else None


def _is_written_so(citation: Citation, raw: object) -> bool:
    """Say whether a citation is written as it was read, to the byte: the order of fields counts, and 1 beside 1.0."""
    try:
        return json.dumps(citation_as_dict(citation)) == json.dumps(raw)
    except RecursionError:
        return False


def _unread(value: object) -> dict[int, Any]:
    """Return what was not understood, by its place among the saved citations."""
    entries = map(mapping, listed(value))
    return {at: entry.get("raw") for entry in entries if (at := _number(entry.get("at"))) is not None}


def _in_place(part: TextPart, unread: dict[int, Any]) -> Iterable[dict[str, Any]]:
    """Yield citations as JSON; one that was not wholly understood is as it was, unless it was changed since."""
    known: Citation | None = None
    at = 0
    for citation in part.citations:
        while at in unread and (known := _read(unread[at], part.content)) is None:
            yield unread[at]
            at += 1
        yield unread[at] if at in unread and known == citation else citation_as_dict(citation)
        at += 1
    yield from (
        raw for place, raw in sorted(unread.items()) if place >= at and _read(raw, part.content) is None
    )
