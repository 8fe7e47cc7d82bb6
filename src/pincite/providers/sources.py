"""What was sent to a provider, in the order of the request: its citations lead back to it, and are checked in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pincite.checking.quotes import verify_quote
from pincite.checking.source_index import SourceIndex
from pincite.core.citation import SourceSpan, SpanUnit
from pincite.core.errors import CitationRequestError, InputError
from pincite.core.given import items_of, maybe, of_kind
from pincite.core.limits import DEFAULT, Limits
from pincite.core.offsets import OffsetMap
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pincite.checking.quotes import QuoteCheck
    from pincite.core.citation import BoundPassage
    from pincite.core.verdicts import QuoteVerdict
    from pincite.providers.response import ProviderResponse

BETWEEN: Final = "\n\n"
"""What stands between two pages or blocks in the text of a source that was registered as such."""

# A query's part that only says from where a page was opened: bounded by its class, linear.
_TRACKING: Final = re.compile(r"(?:^|&)utm_[a-z]{1,20}=[^&]*")


class SentKind(StrEnum):
    """As what a source was sent; each kind is counted by itself, from 0, `numbered` ones are written from 1.

    A `file` lies in a store of the provider and is known by its id alone.
    """

    DOCUMENT = "document"
    SEARCH_RESULT = "search_result"
    FILE = "file"
    NUMBERED = "numbered"


@dataclass(frozen=True, slots=True)
class SentSource:
    """A source as it was sent: the `number`th of its kind (from 0).

    `text` is all of it, None where it is not known here; offsets are its code points. `pieces` are the spans of its
    pages or blocks in `text`, `unit` says which of them they are, None for a text in one piece. `name` is what the
    provider calls it, where that is another word than its title. `cited` says whether citations of it were asked for,
    None where the provider has none for what it is.
    """

    kind: SentKind
    number: int
    source_id: str
    title: str | None = None
    text: str | None = field(default=None, repr=False)
    pieces: tuple[tuple[int, int], ...] = ()
    unit: SpanUnit | None = None
    url: str | None = None
    file_id: str | None = None
    name: str | None = None
    cited: bool | None = True
    passage: BoundPassage | None = None

    def has(self, unit: SpanUnit) -> bool:
        """Say whether places are known in a unit; chunks are what it was sent in, and count as blocks."""
        blocks = unit is SpanUnit.CHUNKS and self.unit is SpanUnit.BLOCKS
        return unit is SpanUnit.CODE_POINTS or unit is self.unit or blocks

    def region(self, span: SourceSpan) -> tuple[int, int] | None:
        """Return the code points of a span of pages or blocks; None where it is none of this source's."""
        start = span.start - (span.unit is SpanUnit.PAGES)
        end = span.end - (span.unit is SpanUnit.PAGES)
        if not self.has(span.unit) or not 0 <= start < end <= len(self.pieces):
            return None
        return self.pieces[start][0], self.pieces[end - 1][1]

    def pages_of(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the first and the last page (from 1) of code points `start` to `end`; None where it has no pages."""
        if self.unit is not SpanUnit.PAGES:
            return None
        touched = [at for at, (first, last) in enumerate(self.pieces, 1) if first < end and start < last]
        return (touched[0], touched[-1]) if touched else None


@dataclass(frozen=True, slots=True)
class Binding:
    """What became of one source of one citation: `part`, `citation`, `source` are its places in the response.

    `sent` is what it was bound to, None where it is nothing that was sent, or might be several (`reason` says which).
    `verdict` is that of its worst excerpt, None where it has none. `start` and `end` are code points of the text of
    `sent` in which its excerpts were found. `in_range` says whether they stand where the provider said; None where it
    did not say, or it cannot be told.
    """

    part: int
    citation: int
    source: int
    sent: SentSource | None
    reason: str = ""
    verdict: QuoteVerdict | None = None
    start: int | None = None
    end: int | None = None
    in_range: bool | None = None


class SentSources:
    """The sources of one request, in its order: register each as it stands there, those of earlier turns first.

    The builders of `pincite.providers.requests` do that by themselves. Each source has an id: the one that is given,
    else `doc:0`, `search:0`, `file:0` or `1`, by its kind and place.
    """

    __slots__ = (
        "_asked",
        "_counts",
        "_ids",
        "_indexes",
        "_limits",
        "_named",
        "_numbered",
        "_offsets",
        "_sources",
    )

    def __init__(self, *, limits: Limits = DEFAULT) -> None:
        self._limits = limits
        self._sources: list[SentSource] = []
        self._numbered: list[SentSource] = []
        self._named: dict[tuple[str, object], list[SentSource]] = {}
        self._asked: dict[SentKind, set[bool | None]] = {}
        self._ids: set[str] = set()
        self._counts: dict[SentKind, int] = {}
        self._indexes: dict[str, SourceIndex] = {}
        self._offsets: dict[str, OffsetMap] = {}

    def __len__(self) -> int:
        return len(self._sources)

    def __iter__(self) -> Iterator[SentSource]:
        return iter(self._sources)

    @property
    def limits(self) -> Limits:
        """The limits under which excerpts are checked."""
        return self._limits

    def add_document(  # noqa: PLR0913 - all of a document's that can tell it from another
        self,
        text: str | None = None,
        *,
        pages: Iterable[str] | None = None,
        blocks: Iterable[str] | None = None,
        id: str | None = None,  # noqa: A002 - what it is
        title: str | None = None,
        name: str | None = None,
        file_id: str | None = None,
        url: str | None = None,
        cited: bool | None = True,
        passage: BoundPassage | None = None,
    ) -> SentSource:
        """Register the next document of the request; its text whole, as `pages`, or as the `blocks` it was sent in.

        Raises:
            InputError: it has a text in two forms, its id is taken, or an argument is of another type.
            CitationRequestError: citations were asked for some documents of the request and not for others.
        """
        content = _content(text, pages, blocks)
        return self._add(
            SentKind.DOCUMENT,
            content,
            id,
            title,
            name=name,
            file_id=file_id,
            url=url,
            cited=cited,
            passage=passage,
        )

    def add_search_result(
        self,
        source: str,
        *,
        text: str | None = None,
        blocks: Iterable[str] | None = None,
        id: str | None = None,  # noqa: A002 - what it is
        title: str | None = None,
        cited: bool | None = True,
        passage: BoundPassage | None = None,
    ) -> SentSource:
        """Register the next search result of the request; `source` is what was sent as such, an address or any name.

        Raises:
            InputError: it has a text in two forms, its id is taken, or an argument is of another type.
            CitationRequestError: citations were asked for some search results of the request and not for others.
        """
        of_kind(source, str, "source", "a string")
        content = _content(text, None, blocks)
        return self._add(SentKind.SEARCH_RESULT, content, id, title, url=source, cited=cited, passage=passage)

    def add_file(
        self,
        file_id: str,
        *,
        text: str | None = None,
        pages: Iterable[str] | None = None,
        id: str | None = None,  # noqa: A002 - what it is
        title: str | None = None,
        name: str | None = None,
        passage: BoundPassage | None = None,
    ) -> SentSource:
        """Register a file of a store that the provider searches (file search, a collection), by its id there.

        Raises:
            InputError: it has a text in two forms, its id is taken, or an argument is of another type.
        """
        of_kind(file_id, str, "file_id", "a string")
        content = _content(text, pages, None)
        return self._add(SentKind.FILE, content, id, title, name=name, file_id=file_id, passage=passage)

    def add_numbered(
        self,
        text: str | None = None,
        *,
        id: str | None = None,  # noqa: A002 - what it is
        title: str | None = None,
        url: str | None = None,
        passage: BoundPassage | None = None,
    ) -> SentSource:
        """Register the next source that a model without citations of its own knows by a number: 1, 2 and so on.

        Raises:
            InputError: its id is taken, or an argument is of another type.
        """
        return self._add(SentKind.NUMBERED, _content(text, None, None), id, title, url=url, passage=passage)

    def resolve(self, reference: str | int) -> SentSource | None:
        """Return the source that `reference` names; None where it names none, or more than one.

        A reference is an id, a file id, an address, what the provider calls it, a title, or a number (`3`, `"[3]"`)
        as a model writes it: that of a numbered source, or where there are none the place in the request, from 1.
        """
        from pincite.providers._binding import Clues, resolved

        if isinstance(reference, bool) or not isinstance(reference, str | int):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            msg = f"`reference` is a string or a number, not {type(reference).__name__}."
            raise InputError(msg, field="reference")
        if isinstance(reference, str):
            reference = reference.strip()
            found = (
                resolved(self, Clues(ids=(reference,), url=reference))[0]
                or resolved(self, Clues(title=reference))[0]
            )
            inside = reference.removeprefix("[").removesuffix("]")
            if found is not None or not (inside.isascii() and inside.isdecimal() and len(inside) < 10):  # noqa: PLR2004 - nine digits are enough
                return found
            reference = int(inside)
        counted = self.numbered() or self._sources
        return counted[reference - 1] if 0 < reference <= len(counted) else None

    def numbered(self) -> list[SentSource]:
        """Return the numbered sources, in order."""
        return list(self._numbered)

    def named(self, by: str, name: object) -> Sequence[SentSource]:
        """Return the sources that something names: a place, an id, a file id, a name, an address or a title."""
        return self._named.get((by, name), ())

    def index_of(self, sent: SentSource) -> SourceIndex | None:
        """Return the text of a source made ready to look in; None where its text is not known."""
        if not sent.text:
            return None
        found = self._indexes.get(sent.source_id)
        if found is None:
            found = self._indexes[sent.source_id] = SourceIndex(sent.text, limits=self._limits)
        return found

    def check_quote(self, sent: SentSource, quote: str, *, near: int | None = None) -> QuoteCheck:
        """Return whether a source says `quote`, and where in its text; `unchecked` where that is not known."""
        return verify_quote(quote, self.index_of(sent) or "", near=near, limits=self._limits)

    def offsets_of(self, sent: SentSource) -> OffsetMap:
        """Return the offsets of the text of a source."""
        found = self._offsets.get(sent.source_id)
        if found is None:
            found = self._offsets[sent.source_id] = OffsetMap(sent.text or "")
        return found

    def others(self, sent: SentSource) -> dict[str, SourceIndex]:
        """Return the texts of all sources but one, by their ids."""
        found = ((one.source_id, self.index_of(one)) for one in self._sources if one is not sent)
        return {name: index for name, index in found if index is not None}

    def bind(self, response: ProviderResponse) -> ProviderResponse:
        """Return a response whose citations lead to what was sent, and say whether it holds their excerpts.

        A source that is one of these gets its `document_id`, `title` and `passage`. `Citation.quote` is the verdict
        of the worst excerpt of all its sources: `elsewhere` where it stands in another place or source than the
        provider says, `unchecked` where there is no text to look in or it is not certain which source is meant.
        `span` is where the excerpts were found, in code points of `SentSource.text`; None where they were not, though
        there was a text. A response that is not cited itself gets citations for its `[n]`, if sources are numbered;
        a number that no source has is in `unmapped`, but for a 0 and numbers far beyond the sources, which are prose.

        Raises:
            InputError: `response` is no response of `read_response`.
        """
        from pincite.providers._binding import bound

        return bound(self, response)[0]

    def bindings(self, response: ProviderResponse) -> tuple[Binding, ...]:
        """Return what became of each source of each citation of a response, with the reason; see `bind`.

        Raises:
            InputError: `response` is no response of `read_response`.
        """
        from pincite.providers._binding import bound

        return bound(self, response)[1]

    def _add(  # noqa: PLR0913 - all of a source's
        self,
        kind: SentKind,
        content: _Content,
        source_id: str | None,
        title: str | None,
        *,
        name: str | None = None,
        file_id: str | None = None,
        url: str | None = None,
        cited: bool | None = True,
        passage: BoundPassage | None = None,
    ) -> SentSource:
        for value, named in (
            (source_id, "id"),
            (title, "title"),
            (name, "name"),
            (file_id, "file_id"),
            (url, "url"),
        ):
            maybe(value, str, named, "a string")
        number = self._counts.get(kind, 0)
        source_id = source_id or self._free(kind, number)
        self.check(kind, source_id=source_id, cited=cited)
        sent = SentSource(
            kind,
            number,
            source_id,
            title or None,
            *content,
            url=url,
            file_id=file_id,
            name=name,
            cited=cited,
            passage=passage,
        )
        self._sources.append(sent)
        if kind is SentKind.NUMBERED:
            self._numbered.append(sent)
        for called in _names(sent):
            self._named.setdefault(called, []).append(sent)
        self._asked.setdefault(kind, set()).add(cited)
        self._ids.add(source_id)
        self._counts[kind] = number + 1
        return sent

    def check(self, kind: SentKind, *, source_id: str | None = None, cited: bool | None = True) -> None:
        """Check that a source can be registered next.

        Raises:
            InputError: there is another of that id.
            CitationRequestError: citations are asked for some of its kind and not for others; providers refuse that.
        """
        if source_id is not None and source_id in self._ids:
            msg = f"Two sources of one request cannot both have the id {one_line(source_id, 60)!r}."
            raise InputError(msg, field="id")
        asked = self._asked.get(kind, set[bool | None]()) | {cited}
        if asked >= {True, False}:
            what = kind.replace("_", " ")
            msg = f"Citations are asked for all {what}s of a request or for none; this {what} differs."
            raise CitationRequestError(msg, field="citations")

    def _free(self, kind: SentKind, number: int) -> str:
        if kind is SentKind.NUMBERED:
            return str(number + 1)
        return f"{_SHORT[kind]}:{number}"


def plain_address(address: str) -> str:
    """Return the address of a page without what leads to the same page with and without it; any other name as it is."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return address
    if parts.scheme.lower() not in ("http", "https"):
        return address
    query = _TRACKING.sub("", parts.query).lstrip("&")
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{parts.path.rstrip('/')}?{query}"


def _names(sent: SentSource) -> Iterator[tuple[str, object]]:
    """Yield all by which a source may be meant."""
    yield "place", (sent.kind, sent.number)
    yield "id", sent.source_id
    if sent.kind is SentKind.DOCUMENT:
        yield "counted", f"doc:{sent.number}"
    for by, name in (
        ("file_id", sent.file_id),
        ("name", sent.name),
        ("url", sent.url),
        ("title", sent.title),
    ):
        if name is not None:
            yield by, name
    if sent.url is not None:
        yield "page", plain_address(sent.url)


_SHORT: Final = {SentKind.DOCUMENT: "doc", SentKind.SEARCH_RESULT: "search", SentKind.FILE: "file"}
_Content = tuple[str | None, tuple[tuple[int, int], ...], SpanUnit | None]


def _content(text: str | None, pages: Iterable[str] | None, blocks: Iterable[str] | None) -> _Content:
    """Return a text, the spans of its pieces, and what they are."""
    if sum(one is not None for one in (text, pages, blocks)) > 1:
        msg = "A source has its text whole, as pages, or as blocks: one of the three."
        raise InputError(msg, field="text")
    for given, unit, named in ((pages, SpanUnit.PAGES, "pages"), (blocks, SpanUnit.BLOCKS, "blocks")):
        if given is not None:
            pieces = [
                of_kind(one, str, named, "a list of strings")
                for one in items_of(given, named, "a list of strings")
            ]
            ends = [0]
            for piece in pieces:
                ends.append(ends[-1] + len(piece) + len(BETWEEN))
            spans = tuple((start, end - len(BETWEEN)) for start, end in pairwise(ends))
            return BETWEEN.join(pieces), spans, unit
    return maybe(text, str, "text", "a string"), (), None
