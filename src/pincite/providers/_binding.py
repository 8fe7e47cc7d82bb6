"""Which of the sources that were sent a citation means, and whether that source holds what the citation quotes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

from pincite._quick import maker, without_collecting
from pincite.checking.quotes import verify_quote
from pincite.checking.source_index import is_whole
from pincite.core.citation import (
    BoundPassage,
    DocumentCitationSource,
    MarkerCitationAnchor,
    SourceSpan,
    SpanUnit,
    WebCitationSource,
)
from pincite.core.errors import InputError
from pincite.core.fold import fold
from pincite.core.locators import Locator
from pincite.core.offsets import OffsetUnit
from pincite.core.stretches import Ranges
from pincite.core.verdicts import QuoteVerdict
from pincite.providers._bracketed import bracketed
from pincite.providers.response import PartDraft, ProviderResponse, Unmapped, mapping, string, whole
from pincite.providers.sources import Binding, SentKind, SentSource, SentSources, plain_address

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.checking.quotes import QuoteCheck
    from pincite.core.citation import Citation, CitationSource, TextPart

# From good to bad: what is said of several excerpts together is the worst that is said of one.
_ORDER: Final = (
    QuoteVerdict.VERBATIM,
    QuoteVerdict.TYPOGRAPHIC,
    QuoteVerdict.ELIDED,
    QuoteVerdict.UNCHECKED,
    QuoteVerdict.TOO_SHORT,
    QuoteVerdict.TRUNCATED,
    QuoteVerdict.ALTERED,
    QuoteVerdict.ELSEWHERE,
    QuoteVerdict.ABSENT,
)
_MISPLACED: Final = "an excerpt stands in another place of its source than the provider says"
_binding = maker(Binding)
_marker = maker(MarkerCitationAnchor)
# Without one of these there is no number in brackets.
_OPENINGS: Final = "[\u3010\uff3b"


# --- Which source is meant ---


@dataclass(frozen=True, slots=True)
class Clues:
    """All that a citation says of its source: its place among those of a kind, ids, address, title, excerpts.

    `files` are those of the ids under which the provider keeps it, and by which no other can be meant.
    """

    place: tuple[SentKind, int] | None = None
    ids: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    url: str | None = None
    title: str | None = None
    excerpts: tuple[str, ...] = ()


_COUNTED: Final = (SentKind.DOCUMENT, SentKind.SEARCH_RESULT)
# Under which names providers say the place of a source, and its other names.
_PLACES: Final = (
    ("document_index", SentKind.DOCUMENT),
    ("documentIndex", SentKind.DOCUMENT),
    ("search_result_index", SentKind.SEARCH_RESULT),
    ("searchResultIndex", SentKind.SEARCH_RESULT),
)
_IDS: Final = ("file_id", "document_id", "id", "document_name", "documentName", "name", "filename")
_URLS: Final = ("source", "url", "uri")
_TITLES: Final = ("document_title", "documentTitle", "title", "filename")


def clues_of(source: CitationSource) -> Clues:
    """Return what a source of a citation says of itself, in its fields and in the details of its provider."""
    said: dict[str, Any] = dict(mapping(source.details))
    location = mapping(said.get("location"))
    for name, value in location.items():
        # Bedrock's locations are one field that is named after their kind.
        said.update({name: value} if not isinstance(value, dict) else cast("dict[str, Any]", value))
    places = ((kind, whole(said[name])) for name, kind in _PLACES if name in said)
    place = next(((kind, number) for kind, number in places if number is not None), None)
    ids = [string(said.get(name)) for name in _IDS]
    url = None
    if isinstance(source, WebCitationSource):
        url = source.url
        if place is not None and place[0] is SentKind.DOCUMENT:
            place = (
                None  # a page that the provider fetched is counted with the documents: its address tells it
            )
    else:
        ids.insert(0, source.document_id)
        url = next((found for name in _URLS if (found := string(said.get(name)))), None)
    title = source.title or next((found for name in _TITLES if (found := string(said.get(name)))), None)
    files = (
        None if isinstance(source, WebCitationSource) else source.document_id,
        string(said.get("file_id")),
    )
    return Clues(
        place,
        tuple(dict.fromkeys(one for one in ids if one)),
        tuple(one for one in files if one),
        url,
        title,
        source.excerpts,
    )


def resolved(sources: SentSources, clues: Clues) -> tuple[SentSource | None, str]:
    """Return the source that the clues mean, or None and why not.

    The first clue that fits any source decides, the others choose among those that it leaves. What contradicts a clue
    is not meant. Several that are left stay several: nothing is guessed.
    """
    left: set[str] | None = None  # ids; None is all of them
    reason = "It names nothing that was sent."
    for fitting in _fitting(sources, clues):
        found = {
            one.source_id: one
            for one in fitting
            if (left is None or one.source_id in left) and not _contradicts(one, clues)
        }
        if len(found) == 1:
            return next(iter(found.values())), ""
        if found:
            left = set(found)
            reason = f"It may mean {len(found)} sources alike."
        elif clues.place is not None:
            # A place is exact: where nothing is, nothing is meant.
            there = sources.named("place", clues.place)
            return (
                None,
                "Its place and its title, address or file name different sources." if there else reason,
            )
    return None, reason


def _contradicts(sent: SentSource, clues: Clues) -> bool:
    """Say whether a source is another than the one that is named, by what is known of both."""
    if clues.place is not None and sent.kind in _COUNTED:
        other_page = clues.url is not None and sent.url is not None and not _same_address(sent.url, clues.url)
        other_title = bool(clues.title and sent.title) and clues.title not in (sent.title, sent.name)
        if (sent.kind, sent.number) != clues.place or other_page or other_title:
            return True
    known = (sent.file_id, sent.source_id, sent.name)
    return sent.file_id is not None and bool(clues.files) and not any(one in known for one in clues.files)


def _fitting(sources: SentSources, clues: Clues) -> Iterator[Iterable[SentSource]]:
    """Yield the sources that fit each clue, the surest clue first; they are looked up, and not looked through."""
    if clues.place is not None:
        yield sources.named("place", clues.place)
    if clues.ids:
        yield [one for name in clues.ids for by in ("id", "file_id") for one in sources.named(by, name)]
        yield [one for name in clues.ids for one in sources.named("name", name)]
        # How Cohere counts the documents that have no id.
        yield [one for name in clues.ids for one in sources.named("counted", name)]
    if clues.url is not None:
        yield sources.named("url", clues.url)
        yield sources.named("page", plain_address(clues.url))
        return  # a page is known by its address alone
    if clues.title:
        yield (*sources.named("name", clues.title), *sources.named("title", clues.title))
    if clues.excerpts:
        words = [fold(one).text.strip() for one in clues.excerpts]
        if min(map(len, words)) >= sources.limits.quote_least_code_points:
            yield (one for one in sources if _holds_all(sources, one, words))


def _same_address(one: str, other: str) -> bool:
    return one == other or plain_address(one) == plain_address(other)


def _holds_all(sources: SentSources, sent: SentSource, words: Sequence[str]) -> bool:
    index = sources.index_of(sent)
    return index is not None and all(next(index.occurrences(one), None) is not None for one in words)


# --- Whether it holds what is quoted ---


@dataclass(frozen=True, slots=True)
class _Found:
    """What became of an excerpt: code points of the source's text, and whether they are those that were named."""

    verdict: QuoteVerdict
    start: int | None = None
    end: int | None = None
    in_range: bool | None = None


def verify_excerpt(sources: SentSources, sent: SentSource, excerpt: str, span: SourceSpan | None) -> _Found:
    """Return what becomes of an excerpt in a source that was sent, `span` being where it should be."""
    index = sources.index_of(sent)
    if index is None or sent.text is None:
        return _Found(QuoteVerdict.UNCHECKED)
    if span is None or not sent.has(span.unit):
        # A page of a text whose pages are not known cannot be looked at by itself.
        return _anywhere(sources, sent, excerpt)
    if span.unit is SpanUnit.CODE_POINTS:
        found = _in_range(sources, sent, excerpt, span)
    else:
        found = _in_pieces(sources, sent, excerpt, span)
    if found is not None:
        return found
    found = _anywhere(sources, sent, excerpt)
    if found.verdict in (QuoteVerdict.VERBATIM, QuoteVerdict.TYPOGRAPHIC, QuoteVerdict.ELIDED):
        return replace(found, verdict=QuoteVerdict.ELSEWHERE, in_range=False)
    return replace(found, in_range=False)


def _anywhere(sources: SentSources, sent: SentSource, excerpt: str) -> _Found:
    index = sources.index_of(sent)
    check = verify_quote(excerpt, index or "", others=sources.others(sent), limits=sources.limits)
    if check.verdict is QuoteVerdict.ELSEWHERE:
        return _Found(QuoteVerdict.ELSEWHERE)  # its place is one of another text
    return _Found(check.verdict, *_place(check))


def _place(check: QuoteCheck) -> tuple[int | None, int | None]:
    return (check.start, check.end) if check.is_verified else (None, None)


def _in_range(sources: SentSources, sent: SentSource, excerpt: str, span: SourceSpan) -> _Found | None:
    """Return the check where `text[start:end]` is the excerpt, counted in any unit; None where it is in none."""
    text = sent.text or ""
    offsets = sources.offsets_of(sent)
    for unit in (OffsetUnit.CODE_POINTS, OffsetUnit.UTF16, OffsetUnit.UTF8):
        start, end = offsets.exact(span.start, unit), offsets.exact(span.end, unit)
        if start is None or end is None or text[start:end].strip() != excerpt.strip() or not excerpt.strip():
            continue
        check = sources.check_quote(sent, excerpt, near=start)
        verdict = check.verdict
        if verdict is QuoteVerdict.TOO_SHORT and is_whole(text, start, end):
            verdict = (
                QuoteVerdict.VERBATIM
            )  # short words prove nothing by themselves; in a named place they do
        return _Found(verdict, start, end, in_range=True)
    return None


def _in_pieces(sources: SentSources, sent: SentSource, excerpt: str, span: SourceSpan) -> _Found | None:
    """Return the check within pages or blocks; None where they do not hold the excerpt."""
    region = sent.region(span)
    if region is None:
        return None
    text = (sent.text or "")[slice(*region)]
    check = verify_quote(excerpt, text, limits=sources.limits)
    if check.is_verified and check.start is not None and check.end is not None:
        return _Found(check.verdict, region[0] + check.start, region[0] + check.end, in_range=True)
    if check.verdict is QuoteVerdict.TOO_SHORT and text.split() == excerpt.split():
        return _Found(QuoteVerdict.VERBATIM, *region, in_range=True)  # a short block, and all of it
    if check.verdict in (QuoteVerdict.ABSENT, QuoteVerdict.UNCHECKED):
        return None
    return _Found(check.verdict, in_range=None)


# --- The response ---


def bound(sources: SentSources, response: ProviderResponse) -> tuple[ProviderResponse, tuple[Binding, ...]]:
    """Return a response with its citations bound and checked, and what became of each of their sources."""
    if not isinstance(response, ProviderResponse):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"`response` is what `read_response` returns, not {type(response).__name__}."
        raise InputError(msg, field="response")
    binder = _Binder(sources)
    parts: list[TextPart] = []
    unmapped = list(response.unmapped)
    for number, given in enumerate(response.parts):
        with without_collecting(len(given.citations) + given.content.count("[")):
            citations = [binder.citation(one, number, place) for place, one in enumerate(given.citations)]
            found, missed = binder.numbers(given, number)
        unmapped += missed
        parts.append(replace(given, citations=(*citations, *found)))
    retrieved = tuple(binder.named(one) for one in response.retrieved)
    whole_response = replace(response, parts=tuple(parts), retrieved=retrieved, unmapped=tuple(unmapped))
    return whole_response, tuple(binder.bindings)


class _Binder:
    """Binds citations and keeps account of it."""

    __slots__ = ("_by_number", "_sources", "bindings")

    def __init__(self, sources: SentSources) -> None:
        self._sources = sources
        # What became of the numbered sources that were cited, by their numbers from 1: it is the same at each marker.
        self._by_number: dict[int, tuple[CitationSource, SentSource | None, str]] = {}
        self.bindings: list[Binding] = []

    def citation(self, citation: Citation, part: int, place: int) -> Citation:
        """Return a citation with all its sources bound, and the verdict of the worst of their excerpts."""
        bound_sources: list[CitationSource] = []
        mine: list[Binding] = []
        for number, source in enumerate(citation.sources):
            result, binding = self._source(source, Binding(part, place, number, None))
            bound_sources.append(result)
            mine.append(binding)
        self.bindings += mine
        verdicts = [one.verdict for one in mine if one.verdict is not None]
        misplaced = any(one.in_range is False and one.start is not None for one in mine)
        repaired = citation.repaired
        if misplaced:
            repaired = _MISPLACED if repaired is None else f"{repaired}; {_MISPLACED}"
        return replace(
            citation,
            sources=tuple(bound_sources),
            quote=max(verdicts, key=_ORDER.index) if verdicts else citation.quote,
            repaired=repaired,
        )

    def numbers(self, part: TextPart, number: int) -> tuple[tuple[Citation, ...], list[Unmapped]]:
        """Return bound citations for the numbers in brackets of a part, and the numbers that no source has."""
        numbered = self._sources.numbered()
        if not numbered or not any(one in part.content for one in _OPENINGS):
            return (), []
        known = [one.anchor for one in part.citations if isinstance(one.anchor, MarkerCitationAnchor)]
        taken = Ranges((anchor.start, anchor.end) for anchor in known)
        limits = self._sources.limits
        last_number, most, first_place = len(numbered), limits.markers_per_group, len(part.citations)
        draft = PartDraft()
        draft.add(part.content)
        missed: list[Unmapped] = []
        bindings = self.bindings
        meant: Iterable[int]
        count = 0
        for start, end, ranges in bracketed(part.content, last_number, limits):
            if known and taken.touches(start, start + 1):
                continue
            written = part.content[start:end]
            first, last = ranges[0]
            if len(ranges) == 1 and 0 < first == last <= last_number:  # what nearly all are
                meant = (first,)
            else:
                meant, reasons = _meant(ranges, last_number, most)
                missed += (Unmapped("marker", written, reason, number) for reason in reasons)
            if not meant:
                continue
            cited: list[CitationSource] = []
            for at in meant:
                source, sent, reason = self._by_number.get(at) or self._numbered(at, numbered[at - 1])
                bindings.append(_binding(number, first_place + count, len(cited), sent, reason))
                cited.append(source)
            draft.cite(cited, _marker(start, end), written=written)
            count += 1
        return draft.finished().citations if count else (), missed

    def _numbered(self, at: int, sent: SentSource) -> tuple[CitationSource, SentSource | None, str]:
        source: CitationSource
        if sent.url:
            source = WebCitationSource(sent.url, sent.title, details={"id": sent.source_id})
        else:
            source = DocumentCitationSource(sent.source_id, sent.title)
        source, binding = self._source(source, Binding(0, 0, 0, None))
        found = self._by_number[at] = (source, binding.sent, binding.reason)
        return found

    def named(self, source: CitationSource) -> CitationSource:
        """Return a source that is not cited with what is known of it."""
        sent, _ = resolved(self._sources, replace(clues_of(source), excerpts=()))
        return source if sent is None else _known(source, sent, None)

    def _source(self, source: CitationSource, binding: Binding) -> tuple[CitationSource, Binding]:
        sent, reason = resolved(self._sources, clues_of(source))
        if sent is None:
            verdict = QuoteVerdict.UNCHECKED if source.excerpts else None
            return source, replace(binding, reason=reason, verdict=verdict)
        if not source.excerpts:
            return _known(source, sent, None), replace(binding, sent=sent)
        checks = [verify_excerpt(self._sources, sent, one, source.span) for one in source.excerpts]
        places = [(one.start, one.end) for one in checks if one.start is not None and one.end is not None]
        start = end = None
        if len(places) == len(checks):
            start, end = min(first for first, _ in places), max(last for _, last in places)
        ranges = [one.in_range for one in checks]
        in_range = False if False in ranges else None if None in ranges else True
        verdict = max((one.verdict for one in checks), key=_ORDER.index)
        binding = replace(binding, sent=sent, verdict=verdict, start=start, end=end, in_range=in_range)
        if start is not None and end is not None:
            source = replace(source, span=SourceSpan(start, end))
        elif sent.text:
            source = replace(source, span=None)  # what it named does not say it
        return _known(source, sent, (start, end) if start is not None and end is not None else None), binding


def _known(source: CitationSource, sent: SentSource, place: tuple[int, int] | None) -> CitationSource:
    """Return a source with the id, title and passage of what was sent."""
    passage = sent.passage
    if passage is None:
        pages = None if place is None else sent.pages_of(*place)
        locator = Locator() if pages is None else Locator(page=pages[0], page_end=pages[1])
        passage = BoundPassage(sent.source_id, locator=locator, document_id=sent.source_id)
    title = sent.title or source.title
    if isinstance(source, WebCitationSource):
        return replace(source, title=title, passage=passage)
    details = source.details
    given = source.document_id
    if given and given != sent.source_id and given not in mapping(details).values():
        details = {**mapping(details), "document_id": given}
    return replace(source, document_id=sent.source_id, title=title, passage=passage, details=details)


def _meant(ranges: Sequence[tuple[int, int]], count: int, most: int) -> tuple[list[int], list[str]]:
    """Return the numbers of sources in brackets, each once, and why others are none; there are `count` sources."""
    meant: dict[int, None] = {}
    reasons: list[str] = []
    for first, last in ranges:
        if last - first >= most:
            reasons.append(f"It holds a range of more than {most:,} numbers.")
            continue
        meant |= dict.fromkeys(range(max(first, 1), min(last, count) + 1))
        if first < 1 or last > count or first > last:
            reasons.append("It holds a number that no source has.")
    return list(meant), reasons
