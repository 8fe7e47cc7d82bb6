"""Near misses: the one evidence id of many that a written one is a slip of the pen away from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

# Where the document's id stands in an evidence id.
_DOCUMENT = slice(6, 42)
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
_FIELDS = 5


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
            keys = _span_keys(name) if name.startswith("ev1:s:") else _chunk_keys(name, (0,))
            for key in keys:
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
        alike: set[str] = set()
        for key in (*_chunk_keys(written, _SHIFTS), *_span_keys(written)):
            found = self._by_key.get(key)
            if found is not None and len(found) <= _ALIKE:
                alike.update(name for name in found if name[_DOCUMENT] in documents)
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


def _chunk_keys(name: str, shifts: Iterable[int]) -> Iterator[str]:
    """Yield the parts of a passage's own id, as they stand where something was left out or put in before."""
    for shift in shifts:
        for part in _PARTS:
            key = name[part + shift : part + shift + _PART]
            if len(key) == _PART:
                yield key


def _span_keys(name: str) -> Iterator[str]:
    """Yield each two of document, version, start and end: two slips leave two of them whole."""
    fields = name.split(":")
    if len(fields) != _FIELDS:
        return
    _, _, document, version, place = fields
    start, dash, end = place.partition("-")
    if dash and "-" not in end:
        yield f"{document}:{version}"
        yield f"{document}:{start}-"
        yield f"{document}:-{end}"
        yield f"{version}:{start}-"
        yield f"{version}:-{end}"
        yield place
