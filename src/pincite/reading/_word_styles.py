"""What the styles and lists of a Word file give a paragraph: its outline level, its number, whether it is hidden."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from xml.etree.ElementTree import Element

LEVELS = 9
"""Levels of headings and of lists."""
_LONGEST_CHAIN = 50
"""Styles that one style may stand on; a circle of styles ends there."""
_LARGEST = 1_000_000
"""The largest number that an item of a list may have."""


def under(parent: Element | None, path: str) -> Element | None:
    """Return the first element at a path of tags; `find` would take the colons for namespaces."""
    for tag in path.split("/"):
        if parent is None:
            return None
        parent = parent.find(tag)
    return parent


def value_of(parent: Element | None, path: str) -> str | None:
    """Return the attribute `w:val` of an element under `parent`, or None without that element."""
    element = under(parent, path)
    return None if element is None else element.get("w:val", "")


def is_on(parent: Element | None, path: str) -> bool | None:
    """Return whether a switch is on, None where it is not set."""
    value = value_of(parent, path)
    return None if value is None else value not in {"0", "false", "off"}


def number_of(written: str | None, *, most: int = _LARGEST) -> int | None:
    """Return a whole number, or None for anything else; larger ones are `most`."""
    bare = (written or "").strip()
    return (
        min(int(bare), most)
        if bare.isascii() and bare.isdecimal() and len(bare) <= len(str(_LARGEST))
        else None
    )


class Numbering(NamedTuple):
    """The list that a paragraph is in, and the level there (0 is the outermost)."""

    list_id: str
    level: int


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says, with what it takes from those that it stands on; None is nothing."""

    name: str = ""
    level: int | None = None
    list_id: str | None = None
    list_level: int | None = None
    hidden: bool | None = None
    shaded: bool = False


NO_STYLE = Style()


class Styles:
    """The styles of a file, by id."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._styles: dict[str, Style] = {}
        self.default = ""
        for element in root if root is not None else ():
            if element.tag == "w:style":
                style_id = element.get("w:styleId", "")
                self._elements.setdefault(style_id, element)
                if element.get("w:type") == "paragraph" and element.get("w:default") in {"1", "true", "on"}:
                    self.default = style_id

    def get(self, style_id: str | None) -> Style:
        """Return a style; None and unknown ids are the paragraphs' default."""
        key = style_id if style_id is not None and style_id in self._elements else self.default
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._made(key)
        return style

    def _made(self, style_id: str) -> Style:
        chain: list[Element] = []
        key: str | None = style_id
        while (
            key is not None
            and (element := self._elements.get(key)) is not None
            and len(chain) < _LONGEST_CHAIN
        ):
            chain.append(element)
            key = value_of(element, "w:basedOn")
        if not chain:
            return NO_STYLE

        def first(path: str) -> str | None:
            return next((value for one in chain if (value := value_of(one, path)) is not None), None)

        return Style(
            name=(value_of(chain[0], "w:name") or "").casefold(),
            level=outline_level(first("w:pPr/w:outlineLvl")),
            list_id=first("w:pPr/w:numPr/w:numId"),
            list_level=number_of(first("w:pPr/w:numPr/w:ilvl"), most=LEVELS - 1),
            hidden=next((on for one in chain if (on := is_on(one, "w:rPr/w:vanish")) is not None), None),
            shaded=any(under(one, f"w:{kind}/w:shd") is not None for one in chain for kind in ("pPr", "rPr")),
        )


def outline_level(written: str | None) -> int | None:
    """Return the level of a heading, 1 to 9, or None for body text."""
    level = number_of(written)
    return level + 1 if level is not None and level < LEVELS else None


@dataclass(slots=True)
class _Level:
    """How one level of a list is numbered."""

    kind: str = "decimal"
    text: str = ""
    start: int = 1
    restarts: bool = True


@dataclass(slots=True)
class _List:
    """One list: the levels of its pattern with its own changes, and where it begins anew."""

    pattern: str
    levels: dict[int, _Level]
    starts: dict[int, int] = field(default_factory=dict[int, int])


class Lists:
    """The lists of a file; `mark` counts, so it is asked for each item once and in order."""

    def __init__(self, root: Element | None) -> None:
        self._lists: dict[str, _List] = {}
        self._styled: dict[tuple[str, str], int] = {}
        self._counts: dict[str, list[int | None]] = {}
        if root is None:
            return
        patterns: dict[str, dict[int, _Level]] = {}
        for element in root.iter("w:abstractNum"):
            key = element.get("w:abstractNumId", "")
            patterns[key] = _levels(element)
            for level in element.iter("w:lvl"):
                if style := value_of(level, "w:pStyle"):
                    self._styled[key, style] = _place(level)
        for element in root.iter("w:num"):
            key = value_of(element, "w:abstractNumId") or ""
            one = _List(key, dict(patterns.get(key, {})))
            for override in element.iter("w:lvlOverride"):
                one.levels |= _levels(override)
                if (start := number_of(value_of(override, "w:startOverride"))) is not None:
                    one.starts[_place(override)] = start
            self._lists[element.get("w:numId", "")] = one

    def level_of_style(self, list_id: str, style_id: str | None) -> int | None:
        """Return the level of a list that belongs to a style of paragraphs."""
        one = self._lists.get(list_id)
        return None if one is None else self._styled.get((one.pattern, style_id or ""))

    def mark(self, numbering: Numbering) -> str | None:
        """Count an item and return what stands before it: `-`, `2.`, `1.3`; None where nothing does."""
        one = self._lists.get(numbering.list_id)
        level = one.levels.get(numbering.level) if one is not None else None
        if one is None or level is None:
            return None
        counts = self._counts.setdefault(one.pattern, [None] * LEVELS)
        place = numbering.level
        before = counts[place]
        start = one.starts.pop(place, None)
        counts[place] = start if start is not None else level.start if before is None else before + 1
        for deeper in range(place + 1, LEVELS):
            if deeper not in one.levels or one.levels[deeper].restarts:
                counts[deeper] = None
        if level.kind == "bullet":
            return "-"
        text = level.text
        for index in range(LEVELS):
            if (sign := f"%{index + 1}") in text:
                shape = one.levels.get(index, level)
                number = counts[index]
                text = text.replace(sign, _written(shape.start if number is None else number, shape.kind))
        return text.strip() or None


def _place(level: Element) -> int:
    return number_of(level.get("w:ilvl"), most=LEVELS - 1) or 0


def _levels(parent: Element) -> dict[int, _Level]:
    found: dict[int, _Level] = {}
    for level in parent.iter("w:lvl"):
        start = number_of(value_of(level, "w:start"))
        found[_place(level)] = _Level(
            kind=value_of(level, "w:numFmt") or "decimal",
            text=(value_of(level, "w:lvlText") or "")[:100],
            start=1 if start is None else start,
            restarts=value_of(level, "w:lvlRestart") != "0",
        )
    return found


_ROMAN = dict(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        "m cm d cd c xc l xl x ix v iv i".split(),
        strict=True,
    )
)
_LARGEST_ROMAN = 4_999
_LETTERS = 26


def _roman(number: int) -> str:
    if not 0 < number <= _LARGEST_ROMAN:
        return str(number)
    text = ""
    for value, letters in _ROMAN.items():
        count, number = divmod(number, value)
        text += letters * count
    return text


def _letters(number: int) -> str:
    """Return a, b .. z, aa, bb: Word doubles letters after the alphabet."""
    if not 0 < number <= _LETTERS * 10:
        return str(number)
    turns, letter = divmod(number - 1, _LETTERS)
    return chr(ord("a") + letter) * (turns + 1)


_KINDS: dict[str, Callable[[int], str]] = {
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "lowerLetter": _letters,
    "upperLetter": lambda number: _letters(number).upper(),
    "decimalZero": lambda number: f"{number:02}",
    "none": lambda _: "",
}


def _written(number: int, kind: str) -> str:
    """Return a number as a list writes it; kinds that are not known here are written in digits."""
    return _KINDS.get(kind, str)(number)
