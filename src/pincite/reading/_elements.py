"""What each HTML element does to the readable text, and which of them a reader does not see."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.reading._prose import LINE, PARAGRAPH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.reading._prose import Prose

SILENT = frozenset(
    "script style template noscript noembed noframes head title desc metadata iframe object canvas audio video"
    " datalist select rp".split()
)
"""Elements whose content is no text of the page for a reader, without anybody hiding it."""

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
"""Elements that have no content and no end tag."""

HEADINGS = {f"h{level}": level for level in range(1, 7)}
"""Levels of the heading elements."""

_BREAKS = {
    **dict.fromkeys(
        "p div pre blockquote section article main header footer aside nav figure form fieldset details dialog"
        " address hr table caption ul ol dl dt center menu search hgroup legend".split(),
        PARAGRAPH,
    ),
    **dict.fromkeys("br li dd tr figcaption summary".split(), LINE),
}
"""Line ends before and after an element."""

_LISTS = frozenset({"ul", "ol", "menu"})
_CELLS = frozenset({"td", "th"})
_DEEPEST_INDENT = 6
"""Levels of nested lists that are indented further than the one before."""
_LONGEST_NUMBER = 9
"""Digits of the number of a list item."""


class Elements:
    """Turns start and end tags into breaks, list marks, cells and headings of a `Prose`."""

    def __init__(self, prose: Prose) -> None:
        self._prose = prose
        self._lists: list[int | None] = []

    def open(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        """Begin an element; `tag` is in lower case."""
        prose = self._prose
        if tag in HEADINGS:
            prose.heading(HEADINGS[tag])
        elif tag in _CELLS:
            prose.cell()
        elif tag == "tr":
            prose.row()
        elif tag in _LISTS:
            self.open_list(_number(attributes.get("start"), 1) if tag == "ol" else None)
        elif tag == "li":
            self.open_item(attributes.get("value"))
        elif tag in _BREAKS:
            prose.gap(_BREAKS[tag])

    def close(self, tag: str) -> None:
        """End an element."""
        prose = self._prose
        if tag in HEADINGS:
            prose.end_heading()
        elif tag == "tr":
            prose.end_row()
        elif tag in _LISTS:
            self.close_list()
        elif tag == "li":
            prose.prefix("")
            prose.gap(LINE)
        elif tag in _BREAKS:
            prose.gap(_BREAKS[tag])

    def open_list(self, number: int | None) -> None:
        """Begin a list: numbered from `number`, or with dashes."""
        self._prose.gap(LINE if self._lists else PARAGRAPH)
        self._lists.append(number)

    def close_list(self) -> None:
        """End a list."""
        if self._lists:
            self._lists.pop()
        self._prose.gap(LINE if self._lists else PARAGRAPH)

    def open_item(self, value: str | None = None) -> None:
        """Begin a list item; `value` is its number, where it says one."""
        self._prose.gap(LINE)
        mark = "-"
        if self._lists and (number := self._lists[-1]) is not None:
            number = _number(value, number)
            self._lists[-1] = number + 1
            mark = f"{number}."
        self._prose.prefix("  " * min(len(self._lists) - 1, _DEEPEST_INDENT) + mark + " ")


def _number(written: str | None, default: int) -> int:
    bare = (written or "").strip()
    return int(bare) if bare.isascii() and bare.isdecimal() and len(bare) <= _LONGEST_NUMBER else default


# --- What a reader does not see ------------------------------------------------------------------

# One declaration of an inline style, name and value: linear, the runs share no character.
_DECLARATION = re.compile(r"\s*+([a-zA-Z-]++)\s*+:([^;]*+)(?:;|\Z)")
# A length of nothing: linear, single runs.
_NOTHING = re.compile(r"[+-]?0*+\.?0*+(?:px|pt|em|rem|%|ex|ch|vw|vh|pc|mm|cm|in)?")
# Three hex digits of a colour: linear.
_SHORT_COLOUR = re.compile(r"#([0-9a-f])([0-9a-f])([0-9a-f])")
# Red, green and blue as numbers: linear, three bounded runs.
_RGB = re.compile(r"rgb\((\d{1,3}),(\d{1,3}),(\d{1,3})\)")
_COLOURS = {"white": "#ffffff", "black": "#000000"}
_UNSEEN_VALUES = {
    "display": frozenset({"none"}),
    "visibility": frozenset({"hidden", "collapse"}),
    "color": frozenset({"transparent"}),
}
_NOTHING_OF = ("font-size", "opacity")

WHITE = "#ffffff"
"""The colour of a page without a style sheet."""


def colour(written: str | None) -> str | None:
    """Return a colour in the one form that can be compared, or None when none is written."""
    bare = "".join((written or "").lower().split())
    bare = _COLOURS.get(bare, bare)
    if short := _SHORT_COLOUR.fullmatch(bare):
        return "#" + "".join(digit * 2 for digit in short.groups())
    if parts := _RGB.fullmatch(bare):
        return "#" + "".join(f"{int(part):02x}" for part in parts.groups())
    return bare or None


def style_of(attributes: Mapping[str, str | None]) -> dict[str, str]:
    """Return the inline style of an element, names and values in lower case."""
    style: dict[str, str] = {}
    for name, value in _DECLARATION.findall(attributes.get("style") or ""):
        style[name.lower()] = value.lower().replace("!important", "").strip()
    return style


def background_of(attributes: Mapping[str, str | None], style: Mapping[str, str]) -> str | None:
    """Return the background colour that an element sets, `unknown` for a picture, or None when it sets none."""
    if "background-image" in style or "url(" in style.get("background", "") or attributes.get("background"):
        return "unknown"
    return colour(style.get("background-color") or style.get("background") or attributes.get("bgcolor"))


def hidden(attributes: Mapping[str, str | None], style: Mapping[str, str], background: str | None) -> bool:
    """Say whether an element's own attributes hide it; `background` is the colour under it, where it is known.

    Style sheets are not looked at.
    """
    if "hidden" in attributes or (attributes.get("aria-hidden") or "").strip().lower() == "true":
        return True
    if any(style.get(name) in values for name, values in _UNSEEN_VALUES.items()):
        return True
    if any(_NOTHING.fullmatch(style[name]) and "0" in style[name] for name in _NOTHING_OF if name in style):
        return True
    ink = colour(style.get("color") or attributes.get("color"))
    return ink is not None and ink == background
