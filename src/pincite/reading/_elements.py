"""What each HTML element does to the readable text."""

from __future__ import annotations

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
    # The last is a line of a drawing (SVG).
    **dict.fromkeys("br li dd tr figcaption summary text".split(), LINE),
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
        elif tag == "tspan" and "x" in attributes and ("y" in attributes or "dy" in attributes):
            # A line inside of a text of a drawing.
            prose.gap(LINE)

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
