"""Markup of citations that leaked into what is no text: fields of a structured answer, arguments of a tool.

Anthropic's models write `<cite index="1-1">...</cite>` there, OpenAI's put markers of private-use characters
(`cite`, `turn0search0`) and `【1†source】`. It is found, taken out, and told: where, what, and which indexes it had.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final, NamedTuple, cast

from pincite._quick import maker, without_collecting
from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits
from pincite.providers._pointers import Node, check_depth, pointer_of

# Every pattern is linear: each run is bounded, or ends where the next match could begin.
# A tag of Anthropic, also with entities for its angles and with escaped quotes; or its end. An element without an index
# is HTML of somebody's own.
_TAG: Final = re.compile(
    r"(?:<|&lt;)\s{0,3}+(?:(?P<close>/\s{0,3}+cite)|cite(?P<rest>\s(?:[^<>&]++|&(?![lg]t;))*+)?)\s{0,3}+(?:>|&gt;)",
    re.IGNORECASE,
)
_INDEX: Final = re.compile(
    r"(?<![\w:.-])index\s{0,3}=\s{0,3}(?:\\{0,3}[\"']|&quot;|&#39;)?(?P<index>[0-9][0-9:,;\s.-]{0,200})",
    re.IGNORECASE,
)
_ONE_INDEX: Final = re.compile(r"[0-9][0-9:.-]*")
# A marker of OpenAI: between the two private-use characters, or what is left of one that lost them.
# (A single such character beside them is what is left of a broken one.)
_WHOLE: Final = re.compile(r"\ue200(?P<inside>[^\ue200\ue201]{0,500})\ue201")
_PRIVATE: Final = re.compile(rf"{_WHOLE.pattern}|[\ue200-\ue206]")
_BARE: Final = re.compile(r"\b(?:file)?cite(?:turn[0-9]{1,4}[a-z]{1,12}[0-9]{1,4}){1,20}(?![A-Za-z0-9])")
_TURN: Final = re.compile(r"turn[0-9]{1,4}[a-z]{1,12}[0-9]{1,4}")
# A marker with a dagger behind the numbers of a source, or behind its name; other words before a dagger are a text's.
_LENS: Final = re.compile(
    rf"【\s{{0,3}}+(?P<inside>[0-9]{{1,6}}(?::[0-9]{{1,6}}){{0,3}}|{_TURN.pattern})\s{{0,3}}+†[^【】]{{0,200}}】"
)
# A string of JSON that is one, and the colon that makes it a name. Each run is possessive: linear.
_STRING: Final = re.compile(r'"(?P<inside>[^"\\]*+(?:\\.[^"\\]*+)*+)"(?P<name>\s*+:)?')
_ROUNDS: Final = 8
"""How often what was left is looked at again: without a marker, what stood around it may be one."""
# What an answer to be looked at has, if it has any of these.
_SIGNS: Final = ("cite", "CITE", "Cite", "\ue200", "†")
_PUNCTUATION: Final = frozenset(".,;:!?)]}»”’…")


class MarkupKind(StrEnum):
    """Whose markup it is: a tag of Anthropic, a marker of private-use characters or one with a dagger of OpenAI."""

    TAG = "tag"
    PRIVATE_USE = "private_use"
    DAGGER = "dagger"


@dataclass(frozen=True, slots=True)
class LeakedMarkup:
    """One piece of markup in one string: `pointer` is the JSON Pointer of that string, empty for a text by itself.

    `start` and `end` are its code points in the string as it was, `written` is what stood there, `indexes` are those in
    it as they were written (`1-1`, `turn0search0`). `clean_start` and `clean_end` are the code points of the string
    without markup that it was put around, or the place where it stood.
    """

    pointer: str
    kind: MarkupKind
    written: str
    start: int
    end: int
    indexes: tuple[str, ...]
    clean_start: int
    clean_end: int


_leaked: Final = maker(LeakedMarkup)


@dataclass(frozen=True, slots=True)
class StrippedMarkup:
    """A value without markup, and all that was in it; the value that was given where there was none."""

    value: Any
    found: tuple[LeakedMarkup, ...]


def strip_markup(value: object, *, limits: Limits = DEFAULT) -> StrippedMarkup:
    """Return a value of JSON, or text, without the citation markup that leaked into its strings.

    Text that is a JSON object or array (the arguments of a tool) is read as such. Nothing but strings that had markup
    is changed, in a text of JSON too: its numbers, spaces and names that stand twice are as they were. Keys are left.

    Raises:
        InputError: `value` is nothing that JSON holds.
        LimitError: it is deeper than `limits.provider_json_depth`.
    """
    if isinstance(value, str):
        inner = _json_of(value)
        if inner is None:
            text, pieces = _stripped(value)
            return StrippedMarkup(text, tuple(_told(value, "", pieces)))
        clean = strip_markup(inner, limits=limits)
        return StrippedMarkup(_in_json(value) if clean.found else value, clean.found)
    found: list[LeakedMarkup] = []
    root: list[Any] = [value]
    stack: list[tuple[Any, Any, Node | None]] = [(root, 0, None)]
    while stack:
        holder, key, node = stack.pop()
        item: object = holder[key]
        check_depth(node, limits)
        if isinstance(item, str):
            holder[key], pieces = _stripped(item)
            if pieces:
                found += _told(item, pointer_of(node), pieces)
        elif isinstance(item, Mapping):
            copy: dict[Any, Any] = dict(cast("Mapping[Any, Any]", item))
            holder[key] = copy
            stack += [(copy, name, Node(node, str(name))) for name in reversed(copy)]
        elif isinstance(item, list | tuple):
            items: list[Any] = list(cast("list[Any]", item))
            holder[key] = items
            stack += [(items, at, Node(node, str(at))) for at in reversed(range(len(items)))]
        elif not (item is None or isinstance(item, int | float)):
            msg = f"`value` is what JSON holds, and holds a {type(item).__name__}."
            raise InputError(msg, field="value")
    return StrippedMarkup(root[0] if found else value, tuple(found))


def find_markup(value: object, *, limits: Limits = DEFAULT) -> tuple[LeakedMarkup, ...]:
    """Return the citation markup that leaked into the strings of a value; see `strip_markup`.

    Raises:
        InputError, LimitError: as `strip_markup`.
    """
    return strip_markup(value, limits=limits).found


def _json_of(text: str) -> object:
    """Return what JSON a text is, if it is an object or an array; else None."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("object", value) if isinstance(value, dict | list) else None


def _in_json(text: str) -> str:
    """Return a text of JSON without the markup in its strings; the rest of it is as it was, to the character."""
    return _STRING.sub(_without_markup, text)


def _without_markup(match: re.Match[str]) -> str:
    """Return a string of JSON without markup; a name, and one without any, as it is."""
    inside: str = match["inside"]
    if match["name"] or not any(sign in inside for sign in (*_SIGNS, "\\u")):
        return match[0]
    clean, pieces = _stripped(json.loads(f'"{inside}"'))
    if not pieces:
        return match[0]
    is_plain = inside.isascii() or any("\ud800" <= char <= "\udfff" for char in clean)
    return json.dumps(clean, ensure_ascii=is_plain)


class _Piece(NamedTuple):
    """A piece of markup; what is taken out is `cut` to `end`, a space before a marker included."""

    start: int
    end: int
    cut: int
    kind: MarkupKind
    indexes: tuple[str, ...] = ()
    closes: bool = False


def _place(piece: _Piece) -> tuple[int, int]:
    return piece.start, -piece.end  # what holds another comes before it


def _stripped(text: str) -> tuple[str, list[tuple[_Piece, int, int]]]:
    """Return a string without markup, and each piece of it with what it was put around in the string without.

    The ends of tags are taken out, and told only where nothing began them.
    """
    if not any(sign in text for sign in _SIGNS):
        return text, []
    with without_collecting(len(text)):
        first = sorted([*_tags(text), *_markers(text)], key=_place)
        if not first:
            return text, []
        clean, told, cuts = _taken_out(text, first)
        for _ in range(_ROUNDS):
            if not any(sign in clean for sign in _SIGNS):
                break
            again, more, new = _taken_out(clean, sorted([*_tags(clean), *_markers(clean)], key=_place))
            if not new:
                break
            # What was told before is told of what is left now, and what is new of the text that was given.
            inner = [(one, new.after(start), new.after(end)) for one, start, end in told]
            outer = [
                (one._replace(start=cuts.before(one.start), end=cuts.before(one.end - 1) + 1), start, end)
                for one, start, end in more
            ]
            told = sorted([*inner, *outer], key=lambda one: _place(one[0]))
            clean, cuts = again, cuts.then(new)
        return clean, told


class _Cuts:
    """What was taken out of a text, as ranges in order that do not touch one another in the wrong way."""

    __slots__ = ("_ends", "_gone", "_ranges", "_starts")

    def __init__(self, ranges: list[tuple[int, int]]) -> None:
        self._ranges = ranges
        self._gone = list(accumulate((end - start for start, end in ranges), initial=0))
        self._starts = [start for start, _ in ranges]
        self._ends = [start - gone for (start, _), gone in zip(ranges, self._gone, strict=False)]

    def __bool__(self) -> bool:
        return bool(self._ranges)

    def after(self, at: int) -> int:
        """Return where a place is once all is taken out."""
        number = bisect_right(self._starts, at)
        if number and at < self._ranges[number - 1][1]:
            at = self._ranges[number - 1][1]
        return at - self._gone[number]

    def before(self, at: int) -> int:
        """Return where the character that is at a place now was before."""
        return at + self._gone[bisect_right(self._ends, at)]

    def then(self, later: _Cuts) -> _Cuts:
        """Return both, those of `later` being ranges of what these had left."""
        moved = [(self.before(start), self.before(end - 1) + 1) for start, end in later._ranges]
        joined: list[tuple[int, int]] = []
        for start, end in sorted([*self._ranges, *moved]):
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return _Cuts(joined)


def _taken_out(text: str, pieces: list[_Piece]) -> tuple[str, list[tuple[_Piece, int, int]], _Cuts]:
    cuts: list[tuple[int, int]] = []
    kept: list[str] = []
    told: list[tuple[_Piece, int, int]] = []
    opened: list[int] = []
    at = size = 0
    for piece in pieces:
        if piece.start < at:
            continue  # inside of another
        cuts.append((max(piece.cut, at), piece.end))
        if piece.cut > at:
            kept.append(text[at : piece.cut])
            size += piece.cut - at
        at = piece.end
        if piece.closes and opened:
            number = opened.pop()
            told[number] = (told[number][0], told[number][1], size)
            continue
        if piece.kind is MarkupKind.TAG and not piece.closes:
            opened.append(len(told))
        told.append((piece, size, size))
    kept.append(text[at:])
    clean = "".join(kept)
    for number in opened:  # a tag that is never closed is about all that follows
        told[number] = (told[number][0], told[number][1], len(clean))
    return clean, told, _Cuts(cuts)


def _told(text: str, pointer: str, pieces: list[tuple[_Piece, int, int]]) -> list[LeakedMarkup]:
    return [
        _leaked(pointer, one.kind, text[one.start : one.end], one.start, one.end, one.indexes, start, end)
        for one, start, end in pieces
    ]


def _tags(text: str) -> list[_Piece]:
    """Return the tags with an index and their ends, and ends that nothing began; elements of HTML are left alone."""
    found: list[_Piece] = []
    ours: list[bool] = []
    for match in _TAG.finditer(text):
        start, end = match.span()
        if match["close"] is not None:
            if not ours or ours.pop():
                found.append(_Piece(start, end, start, MarkupKind.TAG, closes=True))
            continue
        index = _INDEX.search(match["rest"] or "")
        ours.append(index is not None)
        if index is not None:
            indexes = tuple(_ONE_INDEX.findall(index["index"]))
            found.append(_Piece(start, end, start, MarkupKind.TAG, indexes))
    return found


def _markers(text: str) -> list[_Piece]:
    """Return the markers of OpenAI."""
    found: list[_Piece] = []
    if "\ue200" in text and _WHOLE.search(text):  # without a whole one they may be letters of a font
        for match in _PRIVATE.finditer(text):
            inside = match["inside"] or ""
            names = tuple(_TURN.findall(inside)) or tuple(inside.split("\ue202")[1:])
            found.append(_marker(MarkupKind.PRIVATE_USE, text, match, names))
    if "turn" in text:
        found += [
            _marker(MarkupKind.PRIVATE_USE, text, match, tuple(_TURN.findall(match[0])))
            for match in _BARE.finditer(text)
        ]
    if "†" in text:
        found += [
            _marker(MarkupKind.DAGGER, text, match, (match["inside"].strip(),))
            for match in _LENS.finditer(text)
        ]
    return found


def _marker(kind: MarkupKind, text: str, match: re.Match[str], indexes: tuple[str, ...]) -> _Piece:
    """Return a marker; the space before it goes with it where it would stand before a space, a stop or the end."""
    start, end = match.span()
    after = text[end : end + 1]
    lonely = not after or after.isspace() or after in _PUNCTUATION
    return _Piece(
        start, end, start - 1 if lonely and text[start - 1 : start] == " " else start, kind, indexes
    )
