"""The shapes of a slide: their words, where they stand, and in which order a person reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pincite.reading._ooxml import first_choice

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from pincite.reading._ooxml import Package, Relationship

_SIZE = (9_144_000, 6_858_000)
"""Width and height of a slide that says nothing of itself, in English metric units."""
_LARGEST = 10**12
"""What a measure of a shape is at most: far beyond any slide."""
_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr"})
_TITLES = frozenset({"title", "ctrTitle"})
_ON = frozenset({"1", "true"})
_MOST_SORTED = 500
"""Shapes of one slide that are put in order by the room between them; more are read row by row."""
_DEEPEST_INDENT = 6


class Frame(NamedTuple):
    """Left, top, right and bottom of a shape, in English metric units of the slide."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(slots=True)
class Shape:
    """A shape with words: its lines, nested ones indented."""

    lines: list[str]
    frame: Frame
    is_title: bool = False


@dataclass(slots=True)
class Found:
    """The shapes of a slide that are seen, in the order of the file; are there others, hidden or beside the slide?"""

    shapes: list[Shape] = field(default_factory=list[Shape])
    unseen: bool = False


class _Map(NamedTuple):
    """How the measures inside of a group become those of the slide: `x * scale_x + x`, and so for y."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    x: float = 0.0
    y: float = 0.0

    def frame(self, frame: Frame) -> Frame:
        x = (frame.x0 * self.scale_x + self.x, frame.x1 * self.scale_x + self.x)
        y = (frame.y0 * self.scale_y + self.y, frame.y1 * self.scale_y + self.y)
        return Frame(min(x), min(y), max(x), max(y))


_AS_IS = _Map()


class Shapes:
    """Reads the shapes of the slides of one presentation; layouts are kept, since slides share them."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._places: dict[str, dict[tuple[str, str], Frame]] = {}
        self._width, self._height = _SIZE

    def set_size(self, size: Element | None) -> None:
        """Take the slides' size from the presentation."""
        if size is not None:
            self._width = _measure(size.get("cx")) or _SIZE[0]
            self._height = _measure(size.get("cy")) or _SIZE[1]

    def of_slide(self, root: Element, related: dict[str, Relationship]) -> Found:
        """Return the shapes of a slide that have words."""
        found = Found()
        places = self._layout(self._package.first(related, "slideLayout"))
        tree = _under(root, "p:cSld", "p:spTree")
        if tree is not None:
            self._walk(tree, _AS_IS, found, places, related)
        return found

    def notes(self, root: Element) -> list[str]:
        """Return the lines of a page of notes: those of its body, which are the speaker's."""
        lines: list[str] = []
        tree = _under(root, "p:cSld", "p:spTree")
        for shape in tree.iter("p:sp") if tree is not None else ():
            if _placeholder(shape)[0] == "body":
                lines += _text(shape.find("p:txBody"))
        return lines

    def _walk(
        self,
        parent: Element,
        mapped: _Map,
        found: Found,
        places: dict[tuple[str, str], Frame],
        related: dict[str, Relationship],
    ) -> None:
        for element in parent:
            tag = element.tag
            if tag == "mc:AlternateContent":
                choice = first_choice(element)
                if choice is not None:
                    self._walk(choice, mapped, found, places, related)
            elif tag == "p:grpSp":
                if _is_hidden(element):
                    found.unseen = found.unseen or any(text.text for text in element.iter("a:t"))
                else:
                    self._walk(element, _inside(element, mapped), found, places, related)
            elif tag in {"p:sp", "p:graphicFrame"}:
                self._add(element, mapped, found, places, related)

    def _add(
        self,
        element: Element,
        mapped: _Map,
        found: Found,
        places: dict[tuple[str, str], Frame],
        related: dict[str, Relationship],
    ) -> None:
        kind, index = _placeholder(element)
        if kind in _FURNITURE:
            return
        lines = _text(element.find("p:txBody")) if element.tag == "p:sp" else self._graphic(element, related)
        if not lines:
            return
        own = _frame(_under(element, "p:spPr", "a:xfrm") if element.tag == "p:sp" else element.find("p:xfrm"))
        frame = (
            mapped.frame(own)
            if own is not None
            else places.get((kind, index)) or places.get((kind, "")) or Frame(0, 0, 0, 0)
        )
        is_beside = own is not None and (
            frame.x1 <= 0 or frame.y1 <= 0 or frame.x0 >= self._width or frame.y0 >= self._height
        )
        if is_beside or _is_hidden(element):
            found.unseen = True
        else:
            found.shapes.append(Shape(lines, frame, kind in _TITLES))

    def _layout(self, part: str | None) -> dict[tuple[str, str], Frame]:
        """Return where the places of a layout are that slides fill, those of its master beneath them."""
        if part is None:
            return {}
        if part not in self._places:
            self._places[part] = {}
            related = self._package.relationships(part)
            places = dict(self._layout(self._package.first(related, "slideMaster")))
            tree = _under(self._package.xml(part), "p:cSld", "p:spTree")
            for shape in tree.iter("p:sp") if tree is not None else ():
                frame = _frame(_under(shape, "p:spPr", "a:xfrm"))
                if shape.find("p:nvSpPr") is not None and frame is not None:
                    kind, index = _placeholder(shape)
                    places[kind, index] = frame
                    # A slide's title may be called either way, and its body stand in for one without a kind.
                    places.setdefault((kind, ""), frame)
                    places.setdefault(("title" if kind == "ctrTitle" else "ctrTitle", ""), frame)
            self._places[part] = places
        return self._places[part]

    # --- Tables, charts, diagrams -------------------------------------------------------------

    def _graphic(self, element: Element, related: dict[str, Relationship]) -> list[str]:
        data = _under(element, "a:graphic", "a:graphicData")
        for content in data if data is not None else ():
            if content.tag == "a:tbl":
                return [line for row in content.iter("a:tr") if (line := _row(row))]
            if content.tag in {"c:chart", "dgm:relIds"}:
                key = content.get("r:id" if content.tag == "c:chart" else "r:dm", "")
                one = related.get(key)
                if one is not None and one.target in self._package:
                    root = self._package.xml(one.target)
                    return _chart(root) if content.tag == "c:chart" else _diagram(root)
        return []


def _under(parent: Element, *tags: str) -> Element | None:
    found: Element | None = parent
    for tag in tags:
        found = found.find(tag) if found is not None else None
    return found


def _measure(written: str | None) -> int:
    bare = (written or "").strip()
    digits = bare.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > len(str(_LARGEST)):
        return 0
    return max(-_LARGEST, min(_LARGEST, int(bare)))


def _frame(transform: Element | None, *, inner: bool = False) -> Frame | None:
    """Return the frame of a transform; `inner` is the one that a group's shapes are measured in."""
    offset = transform.find("a:chOff" if inner else "a:off") if transform is not None else None
    extent = transform.find("a:chExt" if inner else "a:ext") if transform is not None else None
    if offset is None or extent is None:
        return None
    x, y = _measure(offset.get("x")), _measure(offset.get("y"))
    return Frame(x, y, x + _measure(extent.get("cx")), y + _measure(extent.get("cy")))


def _inside(group: Element, mapped: _Map) -> _Map:
    transform = _under(group, "p:grpSpPr", "a:xfrm")
    outer, inner = _frame(transform), _frame(transform, inner=True)
    if outer is None or inner is None:
        return mapped
    outer = mapped.frame(outer)
    scale_x = (outer.x1 - outer.x0) / (inner.x1 - inner.x0) if inner.x1 > inner.x0 else 1.0
    scale_y = (outer.y1 - outer.y0) / (inner.y1 - inner.y0) if inner.y1 > inner.y0 else 1.0
    return _Map(scale_x, scale_y, outer.x0 - inner.x0 * scale_x, outer.y0 - inner.y0 * scale_y)


def _names(element: Element) -> Element | None:
    """Return the element that names a shape and says which place it fills."""
    return next((child for child in element if child.tag.startswith("p:nv")), None)


def _placeholder(element: Element) -> tuple[str, str]:
    """Return kind and index of the place that a shape fills, two empty strings for none."""
    names = _names(element)
    place = _under(names, "p:nvPr", "p:ph") if names is not None else None
    return ("", "") if place is None else (place.get("type", "obj"), place.get("idx", ""))


def _is_hidden(element: Element) -> bool:
    names = _names(element)
    own = names.find("p:cNvPr") if names is not None else None
    return own is not None and own.get("hidden") in _ON


def _text(body: Element | None) -> list[str]:
    """Return the lines of a text body: its paragraphs, and their parts at line breaks."""
    lines: list[str] = []
    for paragraph in body.iter("a:p") if body is not None else ():
        properties = paragraph.find("a:pPr")
        level = properties.get("lvl", "0") if properties is not None else "0"
        indent = "  " * min(int(level), _DEEPEST_INDENT) if level in set("012345678") else ""
        lines += (indent + line for line in "".join(_words(paragraph)).split("\n") if line.strip())
    return lines


def _words(paragraph: Element) -> Iterator[str]:
    for child in paragraph:
        if child.tag in {"a:r", "a:fld"}:
            yield (child.findtext("a:t") or "").replace("\n", " ").replace("\v", "\n")
        elif child.tag == "a:br":
            yield "\n"
        elif child.tag == "mc:AlternateContent":
            choice = first_choice(child)
            yield "".join(text.text or "" for text in choice.iter("m:t")) if choice is not None else ""


def _row(row: Element) -> str:
    """Return the cells of a table's row; a merged one has its words once."""
    cells: list[str] = []
    for cell in row:
        if cell.tag == "a:tc" and cell.get("hMerge") not in _ON:
            merged = cell.get("vMerge") in _ON
            cells.append("" if merged else " ".join(" ".join(_text(cell.find("a:txBody"))).split()))
    return " | ".join(cells).rstrip(" |")


def _chart(root: Element) -> list[str]:
    """Return a chart's title and the names of its series and categories; its values are drawn, not written."""
    lines: list[str] = []
    chart = root.find("c:chart")
    title = chart.find("c:title") if chart is not None else None
    if title is not None:
        lines += _text(title)
    names: dict[str, None] = {}
    categories: dict[str, None] = {}
    for series in root.iter("c:ser"):
        for tag, found in (("c:tx", names), ("c:cat", categories)):
            part = series.find(tag)
            for value in part.iter("c:v") if part is not None else ():
                if text := (value.text or "").strip():
                    found[text] = None
    return [*lines, *filter(None, (", ".join(names), ", ".join(categories)))]


def _diagram(root: Element) -> list[str]:
    """Return the words of a diagram, point by point."""
    lines: list[str] = []
    for point in root.iter("dgm:pt"):
        lines += _text(point.find("dgm:t"))
    return lines


# --- Order ----------------------------------------------------------------------------------------


def in_order(shapes: list[Shape]) -> list[Shape]:
    """Return shapes as a person reads them: parted at the widest room between them, from the top, from the left."""
    if len(shapes) > _MOST_SORTED:
        return sorted(shapes, key=lambda shape: (shape.frame.y0, shape.frame.x0))
    ordered: list[Shape] = []
    waiting = [shapes]
    while waiting:
        group = waiting.pop()
        below = _parted(group, 1)
        beside = _parted(group, 0)
        widest = max((below, beside), key=lambda cut: cut[0])
        if widest[0] < 0:
            ordered += sorted(group, key=lambda shape: (shape.frame.y0, shape.frame.x0))
        else:
            waiting += (widest[2], widest[1])
    return ordered


def _parted(shapes: list[Shape], axis: int) -> tuple[float, list[Shape], list[Shape]]:
    """Return the widest room between shapes along an axis (0: x, 1: y), -1 for none, and what is on its two sides."""
    along = sorted(shapes, key=lambda shape: shape.frame[axis])
    best, place, reach = -1.0, 0, float("-inf")
    for index, shape in enumerate(along):
        if index and (room := shape.frame[axis] - reach) >= 0 and room > best:
            best, place = room, index
        reach = max(reach, shape.frame[axis + 2])
    return best, along[:place], along[place:]
