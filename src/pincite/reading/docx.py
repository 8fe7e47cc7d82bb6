"""DOCX -> Document: the paragraphs and tables of the body, in order, with the numbers of those that hold text.

Where its pages end is decided by whoever lays a Word file out, printer and fonts included, so nothing here is a page.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from pincite.core.document import Flag
from pincite.core.errors import DamagedError
from pincite.core.locators import Locator
from pincite.reading._numbered import by_number
from pincite.reading._ooxml import Package, first_choice
from pincite.reading._prose import LINE, PARAGRAPH, Prose, check_bytes
from pincite.reading._word_styles import (
    LEVELS,
    Lists,
    Numbering,
    Styles,
    is_on,
    number_of,
    outline_level,
    under,
    value_of,
)
from pincite.reading._zips import open_zip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.core.document import Document
    from pincite.core.limits import Limits
    from pincite.reading._word_styles import Style

_EMBEDDED = "a part that another program made was left out"
_WHITE = "FFFFFF"
_SMALLEST = 2
"""Half points under which, and up to which, letters are not seen."""
_DEEPEST_INDENT = 6
"""Levels of nested lists that are indented further than the one before."""
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_TITLES = frozenset({"title", "titel", "titre", "título", "titolo"})
"""Names of the style for a document's title; Word keeps the English one in every language, others do not."""


class DocxReader:
    """Reads the files of Word since 2007, and what others write in that form."""

    name = "docx"
    version = "1"
    media_types = (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/vnd.ms-word.document.macroEnabled.12",
    )
    suffixes = (".docx", ".docm", ".dotx", ".dotm")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`; each body paragraph or table that holds text is a region with its number.

        Footnotes and endnotes follow the paragraph that refers to them, text boxes the one that they hang on. Heads,
        feet, comments and deleted text are left out; hidden text too, with a flag.

        Raises:
            TooLargeError: the file, what it unpacks to or its text is over a limit, or it is nested too deep.
            EncryptedError: it needs a password.
            DamagedError: it is no Word file, or not a whole one.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        package = Package(open_zip(data, name=name, limits=limits), name=name, elements=limits.part_elements)
        walk = _Walk(package, Prose(name=name, limits=limits))
        walk.body()
        title, bibliography = package.properties()
        document = walk.prose.document(
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            title=walk.title or title,
            numbered=True,
            bibliography=bibliography,
        )
        flags = (*document.flags, Flag(None, _EMBEDDED)) if walk.embedded else document.flags
        return replace(by_number(document, lambda number: Locator(paragraph=number)), flags=flags)


@dataclass(slots=True)
class _Inline:
    """What was found in a paragraph: its words with line feeds for breaks, its boxes, the notes that it refers to."""

    words: list[str] = field(default_factory=list[str])
    boxes: list[Element] = field(default_factory=list[Element])
    notes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


class _Walk:
    """One pass over the body. Elements are nested at most `_ooxml.DEEPEST` deep, so it may call itself."""

    def __init__(self, package: Package, prose: Prose) -> None:
        self.prose = prose
        self.title: str | None = None
        self.embedded = False
        self._main = package.main()
        self._package = package
        related = package.relationships(self._main)

        def part(kind: str) -> Element | None:
            name = package.first(related, kind)
            return None if name is None else package.xml(name)

        self._styles = Styles(part("styles"))
        self._lists = Lists(part("numbering"))
        self._notes = {
            (tag, note.get("w:id", "")): note
            for tag, root in (("w:footnote", part("footnotes")), ("w:endnote", part("endnotes")))
            for note in (root if root is not None else ())
        }
        self._told: dict[tuple[str, str], str] = {}
        self._number = 1
        self._written = False
        self._dark = False
        self._tables = self._boxes = 0
        self._noted = False
        self._before = ""

    def body(self) -> None:
        """Write the body.

        Raises:
            DamagedError: there is none.
        """
        stream = self._package.stream(self._main, "w:body")
        found = False
        for element in stream:
            if not found:
                found = True
                self._dark = stream.root is not None and stream.root.find("w:background") is not None
            self._body_block(element)
        if stream.root is None or stream.root.tag != "w:document":
            msg = f"{self._package.label} is damaged: it holds no Word document."
            raise DamagedError(msg)

    def _body_block(self, element: Element) -> None:
        if element.tag in _HOLDERS:
            for child in _held(element):
                self._body_block(child)
        else:
            self._block(element, in_body=True)
            if self._written:
                self._number += 1
                self._written = False

    def _blocks(self, elements: Iterable[Element]) -> None:
        for element in elements:
            if element.tag in _HOLDERS:
                self._blocks(_held(element))
            else:
                self._block(element)

    def _block(self, element: Element, *, in_body: bool = False) -> None:
        if element.tag == "w:p":
            self._paragraph(element, in_body=in_body)
        elif element.tag == "w:tbl":
            self._table(element)
        elif element.tag == "w:altChunk":
            self.embedded = True

    def _paragraph(self, element: Element, *, in_body: bool) -> None:
        found = _Inline()
        words, mark, level = self._read(element, found, in_body=in_body)
        prose = self.prose
        if words.strip():
            if level is not None and in_body:
                prose.heading(level)
                self._write(f"{mark or ''} {words}")
                prose.end_heading()
            else:
                prose.gap(PARAGRAPH if mark is None else LINE)
                prose.prefix(self._before + (mark or ""))
                self._before = ""
                self._write(words)
                prose.gap(PARAGRAPH if mark is None else LINE)
        self._write_rest(found)

    def _read(
        self, element: Element, found: _Inline, *, in_body: bool = False
    ) -> tuple[str, str | None, int | None]:
        """Return the words of a paragraph, what stands before it in a list, and its level as a heading."""
        properties = element.find("w:pPr")
        style_id = value_of(properties, "w:pStyle")
        style = self._styles.get(style_id)
        shaded = style.shaded or (properties is not None and properties.find("w:shd") is not None)
        before = len(found.words)
        self._inline(element, found, style, shaded=shaded)
        words = "".join(found.words[before:])
        if not words.strip():
            return words, None, None
        if in_body and self.title is None and style.name in _TITLES:
            self.title = " ".join(words.split())
        level = outline_level(value_of(properties, "w:outlineLvl")) or style.level
        return words, self._mark(properties, style, style_id, is_heading=level is not None), level

    def _write_rest(self, found: _Inline) -> None:
        """Write what hangs on a paragraph or table: boxes and notes."""
        for box in found.boxes:
            self._boxes += 1
            self.prose.gap(PARAGRAPH)
            self._blocks(box)
            self.prose.gap(PARAGRAPH)
            self._boxes -= 1
        self._write_notes(found)

    def _write(self, words: str) -> None:
        for index, line in enumerate(words.split("\n")):
            if index:
                self.prose.gap(LINE)
            if line.strip():
                self.prose.words(line, self._number)
                self._written = True

    def _mark(
        self, properties: Element | None, style: Style, style_id: str | None, *, is_heading: bool
    ) -> str | None:
        """Return what stands before a paragraph of a list; before an item, indented by its level."""
        list_id = value_of(properties, "w:numPr/w:numId")
        level = number_of(value_of(properties, "w:numPr/w:ilvl"), most=LEVELS - 1)
        if list_id is None and style.list_id is not None:
            list_id = style.list_id
            styled = self._lists.level_of_style(list_id, style_id)
            level = level if level is not None else styled if styled is not None else style.list_level
        mark = None if list_id is None else self._lists.mark(Numbering(list_id, level or 0))
        if mark is None or is_heading:
            return None if mark == "-" else mark
        return "  " * min(level or 0, _DEEPEST_INDENT) + mark + " "

    def _table(self, table: Element) -> None:
        found = _Inline()
        self._tables += 1
        self.prose.gap(PARAGRAPH)
        for cells in self._rows(table, found):
            self._write(" | ".join(cells).rstrip(" |"))
            self.prose.gap(LINE)
        self.prose.gap(PARAGRAPH)
        self._tables -= 1
        self._write_rest(found)

    def _rows(self, table: Element, found: _Inline) -> Iterator[list[str]]:
        """Yield the words of the cells of each row; a merged cell has them in its first row, and one place."""
        for row in _deep(table, "w:tr"):
            if under(row, "w:trPr/w:del") is not None:
                continue
            cells: list[str] = []
            for cell in _deep(row, "w:tc"):
                properties = cell.find("w:tcPr")
                if under(properties, "w:cellDel") is None:
                    is_first = value_of(properties, "w:vMerge") in {None, "restart"}
                    cells.append(" ".join(" ".join(self._cell(cell, found)).split()) if is_first else "")
            yield cells

    def _cell(self, cell: Element, found: _Inline) -> Iterator[str]:
        """Yield the words of the blocks of a cell; a table in it is written in one line."""
        for block in cell:
            if block.tag in _HOLDERS:
                content = Element("held")
                content.extend(_held(block))
                yield from self._cell(content, found)
            elif block.tag == "w:p":
                words, mark, _ = self._read(block, found)
                yield f"{(mark or '').strip()} {words}"
            elif block.tag == "w:tbl":
                yield "; ".join(
                    ", ".join(filter(None, cells)) for cells in self._rows(block, found) if any(cells)
                )
            elif block.tag == "w:altChunk":
                self.embedded = True

    def _write_notes(self, found: _Inline) -> None:
        if self._noted:
            return
        self._noted = True
        for key in found.notes:
            note = self._notes.pop(key, None)
            if note is not None:
                self.prose.gap(PARAGRAPH)
                self._before = f"{self._told[key]} "
                self._blocks(note)
                self._before = ""
                self.prose.gap(PARAGRAPH)
        self._noted = False

    # --- Inside of a paragraph ----------------------------------------------------------------

    def _inline(self, parent: Element, found: _Inline, style: Style, *, shaded: bool) -> None:
        for element in parent:
            tag = element.tag
            if tag == "w:r":
                self._run(element, found, style, shaded=shaded)
            elif tag == "m:t":
                found.words.append(element.text or "")
            elif tag in _DESCENDED:
                self._inline(element, found, style, shaded=shaded)
            elif tag in _HOLDERS:
                self._inline_held(element, found, style, shaded=shaded)

    def _inline_held(self, element: Element, found: _Inline, style: Style, *, shaded: bool) -> None:
        for child in _held(element):
            # What is held is a run or something that holds one: the same walk over a parent with one child.
            if child.tag == "w:r":
                self._run(child, found, style, shaded=shaded)
            elif child.tag in _DESCENDED:
                self._inline(child, found, style, shaded=shaded)
            elif child.tag in _HOLDERS:
                self._inline_held(child, found, style, shaded=shaded)

    def _run(self, run: Element, found: _Inline, style: Style, *, shaded: bool) -> None:
        properties = run.find("w:rPr")
        if self._is_hidden(properties, style, shaded=shaded):
            self.prose.hidden = self.prose.hidden or any(
                (text.text or "").strip() for text in run.iter("w:t")
            )
            return
        for element in run:
            tag = element.tag
            if tag == "w:t":
                found.words.append((element.text or "").replace("\n", " "))
            elif tag in _SIGNS:
                found.words.append(_SIGNS[tag])
            elif tag in {"w:footnoteReference", "w:endnoteReference"}:
                self._refer(element, found)
            elif tag == "w:ruby":
                for base in element.iter("w:rubyBase"):
                    self._inline(base, found, style, shaded=shaded)
            elif tag in _DRAWN:
                found.boxes += _boxes(element)

    def _refer(self, element: Element, found: _Inline) -> None:
        """Write a raised number for a note, those of endnotes in brackets."""
        key = (element.tag.removesuffix("Reference"), element.get("w:id", ""))
        if self._noted or (key not in self._notes and key not in self._told):
            return
        if key not in self._told:
            number = str(1 + sum(told[0] == key[0] for told in self._told)).translate(_RAISED)
            self._told[key] = number if key[0] == "w:footnote" else f"⁽{number}⁾"
        found.words.append(self._told[key])
        found.notes.append(key)

    def _is_hidden(self, properties: Element | None, style: Style, *, shaded: bool) -> bool:
        if properties is None:
            return style.hidden is True
        vanish = is_on(properties, "w:vanish")
        named = value_of(properties, "w:rStyle")
        character = self._styles.get(named) if named is not None else None
        if vanish is None and character is not None:
            vanish = character.hidden
        if vanish or (vanish is None and style.hidden):
            return True
        size = number_of(value_of(properties, "w:sz"))
        if size is not None and size <= _SMALLEST:
            return True
        # In tables and boxes, and where anything is coloured, white may well be seen.
        coloured = (
            shaded
            or self._dark
            or self._tables
            or self._boxes
            or (character is not None and character.shaded)
        )
        if coloured or value_of(properties, "w:color") is None:
            return False
        is_white = (value_of(properties, "w:color") or "").upper() == _WHITE
        return is_white and properties.find("w:shd") is None and value_of(properties, "w:highlight") is None


_HOLDERS = frozenset({"w:sdt", "mc:AlternateContent"})
"""Elements that hold what would stand in their place, beside other things."""
_DESCENDED = frozenset(
    "w:hyperlink w:ins w:moveTo w:fldSimple w:smartTag w:customXml w:dir w:bdo m:oMath m:oMathPara".split()
) | frozenset(
    f"m:{name}"
    for name in "r acc bar box borderBox d e eqArr f num den func fName groupChr limLow limUpp lim m mr nary sub sup"
    " phant rad deg sPre sSub sSubSup sSup".split()
)
"""Elements whose content stands in the paragraph like any other; what is in no such element was never text."""
_SIGNS = {
    "w:tab": "\t",
    "w:ptab": "\t",
    "w:br": "\n",
    "w:cr": "\n",
    "w:noBreakHyphen": "\u2011",
    "w:softHyphen": "",
}
_DRAWN = frozenset({"w:drawing", "w:pict", "w:object", "mc:AlternateContent"})


def _held(holder: Element) -> Iterable[Element]:
    """Return what stands in the place of a holder; of several ways to write the same, the first."""
    if holder.tag == "mc:AlternateContent":
        choice = first_choice(holder)
        return choice if choice is not None else ()
    if is_on(holder.find("w:sdtPr"), "w:showingPlcHdr"):
        return ()
    content = holder.find("w:sdtContent")
    return content if content is not None else ()


def _deep(parent: Element, tag: str) -> Iterator[Element]:
    """Yield the rows of a table or the cells of a row, those in content controls and insertions included."""
    for child in parent:
        if child.tag == tag:
            yield child
        elif child.tag in _HOLDERS:
            content = child.find("w:sdtContent")
            yield from _deep(content, tag) if content is not None else ()
        elif child.tag in {"w:ins", "w:moveTo", "w:customXml"}:
            yield from _deep(child, tag)


def _boxes(element: Element) -> Iterator[Element]:
    """Yield the content of the text boxes in a drawing, each once."""
    if element.tag == "w:txbxContent":
        yield element
        return
    if element.tag == "mc:AlternateContent":
        choice = first_choice(element)
        for child in choice if choice is not None else ():
            yield from _boxes(child)
        return
    for child in element:
        yield from _boxes(child)
