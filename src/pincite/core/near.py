"""Near misses: the one evidence id of many that a written one is a slip of the pen away from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.core.ids import HEAD

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

# Where document and version stand in an evidence id, and the colons of the head.
_DOCUMENT, _VERSION, _COLONS = slice(6, 42), slice(43, 59), (3, 5, 42, 59)
# How long the id of a span is, and one character more or less.
_SPAN_LENGTHS = range(HEAD + 2, HEAD + 27)
# What the range of a span is written with.
_IN_RANGE = "-0123456789"
# Characters that may differ.
_SLIPS = 2
# More ids than this with a key in common are told apart by another key, or not at all.
_ALIKE = 50
# The longest id, and what may stand around it by mistake.
_LONGEST = 120
_AROUND = " \t\r\n\u00a0\u200b\ufeff[](){}<>\u3010\u3011`'\"\u201c\u201d.,;:!?*_"
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad"), "-")
# Where the three parts of a passage's own id begin, and how long each is. Two slips leave one of them whole.
_PARTS, _PART = (60, 72, 84), 12
_SHIFTS = (0, 1, -1, 2, -2)
# Parts of an evidence id between colons. Of a document's id either end is a key, so long that two characters in each
# other's place touch only one.
_COUNT, _HALF = 5, 17

_Fields = tuple[str, str, str, str]


class Near:
    """Evidence ids by what a slip leaves alone, so that looking one up costs no walk over all."""

    __slots__ = ("_by_key", "_ids")

    def __init__(self, ids: Iterable[str] = ()) -> None:
        """`ids` are canonical evidence ids."""
        self._ids: set[str] = set()
        self._by_key: dict[str, list[str]] = {}
        self.add(ids)

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, ids: Iterable[str]) -> None:
        """Take in canonical evidence ids that are not there yet."""
        for name in ids:
            self._ids.add(name)
            fields = _fields(name) if name.startswith("ev1:s:") else None
            for key in _chunk_keys(name, (0,)) if fields is None else _span_keys(fields):
                alike = self._by_key.setdefault(key, [])
                if len(alike) <= _ALIKE:
                    alike.append(name)

    def to(self, written: str, documents: Container[str]) -> str | None:
        """Return the id of one of `documents` that `written` is one or two characters off.

        Case, dashes, and brackets or marks around the id do not count. None when there is none, or two are as near.
        """
        if len(written) > 2 * _LONGEST:
            return None
        written = written.strip(_AROUND).translate(_DASHES).lower()
        if len(written) > _LONGEST:
            return None
        if written in self._ids:
            return written if written[_DOCUMENT] in documents else None
        alike = [name for name in self._alike(written) if name[_DOCUMENT] in documents]
        if not alike:
            return None
        from rapidfuzz import process  # only a near miss needs it, and the base import should be quick
        from rapidfuzz.distance import Levenshtein

        near = process.extract(
            written, sorted(alike), scorer=Levenshtein.distance, score_cutoff=_SLIPS, limit=2
        )
        if not near or (len(near) > 1 and near[0][1] == near[1][1]):
            return None
        return near[0][0]

    def _alike(self, written: str) -> set[str]:
        """Return the ids that may be near: all that are one slip off, and many that are two."""
        fields = _fields(written)
        found = [self._by_key.get(key, ()) for key in _keys(written, fields)]
        alike = {name for names in found if len(names) <= _ALIKE for name in names}
        if len(written) in _SPAN_LENGTHS:
            alike.update(self._ids.intersection(self._tried(written, fields)))
        return alike

    def _tried(self, written: str, fields: _Fields | None) -> Iterator[str]:
        """Yield what the id of a span may have been, where no key tells."""
        if fields is not None:
            hyphen = written.rindex("-")
            yield _turned(written, hyphen - 1)
            yield _turned(written, hyphen)
            if all(len(self._by_key.get(key, ())) <= _ALIKE for key in _range_keys(fields)):
                return
        yield from _colons_mended(written)
        # A slip in the range leaves document and version.
        if f"{written[_DOCUMENT]}:{written[_VERSION]}" in self._by_key:
            yield from _ranges_mended(written)


def _fields(name: str) -> _Fields | None:
    """Return document, version, start and end, as they stand in the id of a span; None where they cannot be told."""
    if name[42:43] == ":" == name[59:60]:  # a colon more may stand for a character of what is between
        document, version, place = name[_DOCUMENT], name[_VERSION], name[HEAD:]
    else:
        fields = name.split(":")
        if len(fields) != _COUNT:
            return None
        _, _, document, version, place = fields
    start, hyphen, end = place.partition("-")
    return (document, version, start, end) if hyphen and "-" not in end else None


def _keys(written: str, fields: _Fields | None) -> Iterator[str]:
    """Yield the keys of what was written, be it the id of a passage or of a span."""
    yield from _chunk_keys(written, _SHIFTS)
    if fields is not None:
        yield from _span_keys(fields)


def _chunk_keys(name: str, shifts: Iterable[int]) -> Iterator[str]:
    """Yield the parts of a passage's own id, as they stand where something was left out or put in before."""
    for shift in shifts:
        for part in _PARTS:
            key = name[part + shift : part + shift + _PART]
            if len(key) == _PART:
                yield key


def _span_keys(fields: _Fields) -> Iterator[str]:
    """Yield each two of document, version, start and end: two slips leave two of them whole.

    A range that many documents have is told by half of the document's id.
    """
    document, version, start, end = fields
    yield f"{document}:{version}"
    yield from _range_keys(fields)
    yield f"{version}:{start}-"
    yield f"{version}:-{end}"
    yield f"{document[:_HALF]}:{start}-{end}"
    yield f"{document[-_HALF:]}:{start}-{end}"


def _range_keys(fields: _Fields) -> Iterator[str]:
    """Yield what a slip in the range leaves: the document with the one half of it or the other."""
    document, _, start, end = fields
    yield f"{document}:{start}-"
    yield f"{document}:-{end}"


def _turned(written: str, at: int) -> str:
    """Return `written` with two characters, the first at `at`, in each other's place."""
    return written[:at] + written[at + 1 : at + 2] + written[at : at + 1] + written[at + 2 :]


def _colons_mended(written: str) -> Iterator[str]:
    """Yield what may have been meant where a colon was left out, mistaken, put in, or turned with what is beside it."""
    for at in _COLONS:
        yield f"{written[:at]}:{written[at:]}"
        yield f"{written[:at]}:{written[at + 1 :]}"
        yield _turned(written, at - 1)
        yield _turned(written, at)
    for at, char in enumerate(written):
        if char == ":":
            yield written[:at] + written[at + 1 :]


def _ranges_mended(written: str) -> Iterator[str]:
    """Yield what may have been meant where a character of the range was left out, mistaken, put in, or turned.

    These are some 250: they are tried where no hyphen tells start from end, and where a document has many spans with
    the same start or the same end.
    """
    for at in range(HEAD, len(written) + 1):
        before, after = written[:at], written[at:]
        yield before + after[1:]
        yield _turned(written, at)
        for char in _IN_RANGE:
            yield before + char + after
            yield before + char + after[1:]
