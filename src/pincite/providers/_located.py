"""Where a citation points, in its source and in the answer: what several readers share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pincite.core.citation import DocumentCitationSource, SourceSpan, SpanUnit, WebCitationSource
from pincite.core.offsets import OffsetMap, OffsetUnit
from pincite.providers.response import string, whole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.core.citation import CitationSource
    from pincite.providers.response import Json

_SHORT: Final = 4
"""Code points under which a reported text says too little to be looked for further than `_BESIDE` bytes away."""
_BESIDE: Final = 8
_NEAR: Final = 2_000
"""Code points on either side of an offset that are searched first."""
_FAR_SEARCHES: Final = 500
"""How often in one answer the whole of it is searched, so that many wrong offsets cost no more than their text."""

_MOST: Final = 2**63 - 1

Place = tuple[int, int]


# --- In a source ---


def span_of(start: object, end: object, unit: SpanUnit) -> SourceSpan | None:
    """Return the span of a source from `start` to before `end` in `unit`; None where the two are no such numbers."""
    low, high = whole(start), whole(end)
    first = 1 if unit is SpanUnit.PAGES else 0
    if low is None or high is None or not first <= low < high:
        return None
    return SourceSpan(low, high, unit)


def page_of(number: object) -> SourceSpan | None:
    """Return the span of one page, which are counted from 1; None where it is no such number."""
    page = whole(number)
    return SourceSpan(page, page + 1, SpanUnit.PAGES) if page else None


def quoted(*texts: object) -> tuple[str, ...]:
    """Return the texts that are there, each once, as the excerpts of a source."""
    return tuple(dict.fromkeys(text for text in map(string, texts) if text is not None))


def beyond(raw: Json, *taken: str) -> dict[str, Any] | None:
    """Return the fields of `raw` that are set and are not `taken`, as the details of a source; None without any."""
    return {key: value for key, value in raw.items() if value is not None and key not in taken} or None


def is_address(text: str) -> bool:
    """Say whether a text is the address of a web page."""
    return text[:8].lower().startswith(("http://", "https://"))


def uncited(found: Iterable[CitationSource], cited: Iterable[CitationSource]) -> list[CitationSource]:
    """Return of the sources that a provider found, each once, those that no citation names."""
    known = set(map(_identity, cited))
    left: list[CitationSource] = []
    for source in found:
        name = _identity(source)
        if name not in known:
            known.add(name)
            left.append(source)
    return left


def _identity(source: CitationSource) -> tuple[str | None, ...]:
    """Return what tells a source from others of one response: its address, or its id and title."""
    if isinstance(source, WebCitationSource):
        return (source.url,)
    return source.document_id, source.title


def named_source(
    name: str | None,
    title: str | None,
    excerpts: tuple[str, ...],
    span: SourceSpan | None,
    details: Json | None,
) -> CitationSource:
    """Return the source that an application sent under `name`: a web page where that is an address."""
    if name is not None and is_address(name):
        return WebCitationSource(name, title, excerpts, span, details=details)
    return DocumentCitationSource(name, title, excerpts, span, details=details)


# --- In an answer ---


def range_of(start: object, end: object) -> Place | None:
    """Return two offsets, the first 0 where it is left out; None where they are no numbers that a text could have."""
    low, high = 0 if start is None else whole(start), whole(end)
    return None if low is None or high is None or max(low, high) > _MOST else (low, high)


class ByteOffsets:
    """Finds places of one text that are given in bytes of UTF-8, by what is said to stand there where they are wrong.

    Places are code points. Each costs a bounded step, and a wrong one the way to the nearest occurrence.
    """

    __slots__ = ("_far", "_map", "_mirror", "_size", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._map = OffsetMap(text)
        self._size = self._map.to_utf8(len(text))
        self._mirror: str | None = None
        self._far = _FAR_SEARCHES

    def bytes_before(self, offset: int) -> int:
        """Return how many bytes stand before a code point."""
        return self._map.to_utf8(offset)

    def exact(self, start: int, end: int, said: str | None = None) -> Place | None:
        """Return the place from byte `start` to before byte `end`.

        None where it is empty, outside the text, begins or ends inside a character, or is not what is `said` there.
        """
        low = self._map.exact(start, OffsetUnit.UTF8) if start < end else None
        if low is None:
            return None
        if said is None:
            high = self._map.exact(end, OffsetUnit.UTF8)
            return None if high is None else (low, high)
        fits = self._text.startswith(said, low) and len(said.encode("utf-8", "surrogatepass")) == end - start
        return (low, low + len(said)) if fits else None

    def moved(self, start: int, end: int, said: str) -> tuple[Place, str] | None:
        """Return the occurrence of `said` nearest to byte `start`, and what was wrong with the offsets.

        The one before wins over one as far behind: offsets were seen to run ahead. None where there is none, or none
        near enough to be meant.
        """
        at = self._map.from_utf8(min(start, self._size))
        low = self._nearest(said, at, _NEAR)
        if low is None and self._far and len(said) >= _SHORT:
            self._far -= 1
            low = self._nearest(said, at, len(self._text))
        if low is None:
            return None
        place = low, low + len(said)
        by = self._map.to_utf8(low) - start
        if len(said) < _SHORT and abs(by) > _BESIDE:
            return None
        if by:
            return place, f"offsets moved by {by} bytes"
        return place, f"end moved by {self._map.to_utf8(place[1]) - end} bytes"

    def only(self, said: str) -> Place | None:
        """Return the place of `said` where it stands in the text once."""
        low = self._text.find(said)
        if low < 0 or self._text.find(said, low + 1) >= 0:
            return None
        return low, low + len(said)

    def _nearest(self, said: str, at: int, reach: int) -> int | None:
        """Return where `said` begins nearest to code point `at`, at most `reach` away.

        `str.find` is linear in what it searches and `str.rfind` is not, so what lies before is searched in the mirror.
        """
        if self._mirror is None:
            self._mirror = self._text[::-1]
        size, length = len(self._text), len(said)
        found = self._mirror.find(said[::-1], max(size - at - length, 0), max(size - at + reach, 0))
        before = None if found < 0 else size - found - length
        if before is not None:
            reach = at - before - 1
        after = self._text.find(said, at, at + reach + length) if reach >= 0 else -1
        return before if after < 0 else after
