"""What a passage is made of: sentences, list items, rows, lines of code, and the headings over them.

A passage's text has no marks of its own for most of these, so they are told by how their lines are set. Whatever
chooses words of a passage chooses among these parts, so that search and answers choose alike.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.core.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Part", "PartKind", "parts_of"]


class PartKind(Enum):
    """What a part of a passage is.

    A `row` is one record: a row of a table, or an item of names with values. A `header` names the columns of rows. An
    `open` part is a line without a stop that may be a heading, a cell or a statement.
    """

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    CODE = "code"
    OPEN = "open"
    HEADER = "header"
    HEADING = "heading"

    @property
    def can_answer(self) -> bool:
        """Whether it says something by itself."""
        return self not in _OVER


class Part(NamedTuple):
    """Code points `start` to `end` of a passage; `header` is the index of the part that names a row's columns."""

    start: int
    end: int
    kind: PartKind
    header: int | None = None


_OVER: Final = (PartKind.HEADER, PartKind.HEADING)
# What a sentence, or what leads one in, ends with, and what may stand behind that.
_STOPS: Final = (".", "!", "?", "…", ":", ";", "。", "！", "？", "：", "；", "।", "؟", "។")
_CLOSING: Final = "\"'”’»)]』」）】*_"
_BAR: Final = " | "
# The mark of a list item: linear, one character or a few digits.
_ITEM: Final = re.compile(r"(?:[-*+•‣▪◦–]|\d{1,3}[.)])[^\S\n]")
# A record on one line, `name: Valve A; price: 18 EUR`: linear, each run ends where the next begins.
_RECORD: Final = re.compile(r"[^:;\n]{1,60}: [^;\n]*+(?:; [^:;\n]{1,60}: [^;\n]*+)++\Z")
# The name in front of a cell's value: linear, one run of one class.
_LABEL: Final = re.compile(r"\s*([^:|\n]{1,60}): ")
# A cell that is a value and no name: it begins with a figure and is no year; linear, anchored.
_VALUE: Final = re.compile(r"[^\w\s]?\d(?!\d{3}\Z)")
# A line of code: a call, an assignment, a brace, a keyword with what it makes; linear: anchored, single runs in a line.
_CODE: Final = re.compile(
    r"\s*(?:[\w.:>-]+\([^\n]*\)[;:,{]?|[\w.\[\]\"']+(?: ?[-+*/:]?= ?|\(|: )[^\n]*[^\s.!?]|[^\n]*[{};]|[)}\]]+[;,]?"
    r"|(?:import|from|def|class|return|const|let|var|fn|func|use|using|export|include|\#include|SELECT|INSERT)\b[^\n]*"
    r"|[$>\#] ?[^\n]+|</?\w[^\n]*>)\s*\Z"
)
# What only code has: without it no line is looked at; linear, one character.
_CODE_SIGN: Final = re.compile(r"[=(){};$<>#]")
# What stands in front of a heading's words, and words with a number that name a part; linear: bounded runs.
_NUMBERING: Final = re.compile(
    r"(?:§ ?)?(?:\d{1,3}(?:\.\d{1,3}){0,5}[.)]?|[A-Z][.)]|[IVX]{1,5}[.)])\s+"
    r"|(?:appendix|annex|chapter|part|section|article|kapitel|teil|abschnitt|anhang|artikel) \w{1,5}\b[.:]?\s*",
    re.IGNORECASE,
)
_FIGURE: Final = re.compile(r"\d")
# Takes the end of a line, and what stands in front of a paragraph, at the end of a short window; linear.
_LINE_END: Final = re.compile(r"[^\S\n]*+\n")
_PARAGRAPH: Final = re.compile(r"(?:\A|\n[^\S\n]*+\n)\s*+\Z")
_WINDOW: Final = 40
_HEADING_WORDS: Final = 7
_TITLE_WORDS: Final = 6
_ROWS: Final = 3
"""Lines without a stop, most of them with an amount, that are rows at the least."""
_SHORT_LINE: Final = 0.6
"""The share of the longest line within which a line with one word more is too short to have been wrapped."""
# Words on which no title ends.
_LEANING: Final = frozenset(
    """
    a an the and or but of in on at to from by for with as is are was were be has have had not no than that which who
    der die das den dem und oder von in im an am auf zu zum zur für mit ist sind war mr mrs ms dr le la les de du des et
    """.split()
)


def parts_of(text: str) -> list[Part]:
    """Return the parts of a passage, in order; between them lies nothing but white space."""
    parts = [part for start, end in split_sentences(text) for part in _parts(text, start, end)]
    _name_headings(text, parts)
    _name_headers(text, parts)
    return parts


def _parts(text: str, start: int, end: int) -> Iterator[Part]:
    """Yield what one sentence, as `split_sentences` has it, is made of."""
    said = text[start:end]
    if said[0] == "#" and said.lstrip("#")[:1].isspace():
        yield Part(start, end, PartKind.HEADING)
        return
    item = _ITEM.match(said)
    if item is not None:
        is_record = _RECORD.match(said, item.end()) is not None
        yield Part(start, end, PartKind.ROW if is_record else PartKind.ITEM)
        return
    if "\n" not in said:
        is_row = said[0] == "|" or _BAR in said
        yield Part(start, end, PartKind.ROW if is_row else _kind_of(said))
        return
    lines = said.split("\n")
    kind = _kind_of_lines(lines)
    if kind is None:
        title = _title_end(text, start, lines)
        if title:
            yield Part(start, start + title, PartKind.HEADING)
            rest = said[title:].lstrip()
            start = end - len(rest)
            said = rest
        yield Part(start, end, _kind_of(said))
        return
    at = start
    for line in lines:
        bare = line.strip()
        if bare:
            lead = at + len(line) - len(line.lstrip())
            yield Part(lead, lead + len(bare), kind)
        at += len(line) + 1


def _kind_of(said: str) -> PartKind:
    return PartKind.SENTENCE if said.rstrip(_CLOSING).endswith(_STOPS) else PartKind.OPEN


def _kind_of_lines(lines: Sequence[str]) -> PartKind | None:
    """Return what each of several lines is, None where together they are prose."""
    if any(_CODE_SIGN.search(line) for line in lines):
        code = sum(_CODE.match(line) is not None for line in lines)
        if 2 * code > len(lines):
            return PartKind.CODE
    if len(lines) < _ROWS or any(line.rstrip().endswith(_STOPS) for line in lines):
        return None
    return PartKind.ROW if 2 * sum(_FIGURE.search(line) is not None for line in lines) > len(lines) else None


def _title_end(text: str, start: int, lines: Sequence[str]) -> int:
    """Return the length of the title that a paragraph begins with, 0 where it has none.

    A line was not wrapped where the next word would have fitted; a few words with a capital, and no stop behind them.
    """
    first, below = lines[0].rstrip(), lines[1].split()
    words = first.split()
    if not _opens_paragraph(text, start) or len(words) > _TITLE_WORDS or not below:
        return 0
    longest = max(len(line.rstrip()) for line in lines)
    is_title = (
        first[0].isupper()
        and first[-1].isalpha()
        and words[-1].casefold() not in _LEANING
        and below[0][0].isupper()
        and len(first) + 1 + len(below[0]) <= _SHORT_LINE * longest
    )
    return len(first) if is_title else 0


def _opens_paragraph(text: str, start: int) -> bool:
    return _PARAGRAPH.search(text[max(0, start - _WINDOW) : start]) is not None


# --- What stands over others ---


def _name_headings(text: str, parts: list[Part]) -> None:
    """Make headings of the open lines that stand by themselves over what says something."""
    says = False
    for index in range(len(parts) - 1, -1, -1):
        part = parts[index]
        if part.kind is not PartKind.OPEN:
            says = part.kind is not PartKind.HEADING or says
            continue
        says = says and _may_head(text, part)
        if says:
            parts[index] = part._replace(kind=PartKind.HEADING)


def _may_head(text: str, part: Part) -> bool:
    said = text[part.start : part.end]
    numbering = _NUMBERING.match(said)
    words = said[numbering.end() if numbering is not None else 0 :].split()
    figures = [word for word in words if _FIGURE.search(word)]
    return (
        len(words) <= _HEADING_WORDS
        and all(_is_year(word) for word in figures)
        and _LINE_END.match(text, part.end) is not None
    )


def _is_year(word: str) -> bool:
    bare = word.strip("().,:")
    return bare.isdecimal() and bare[:2] in {"19", "20"} and len(bare) == 4  # noqa: PLR2004 - a year


def _name_headers(text: str, parts: list[Part]) -> None:
    """Find the row that names the columns of those below it, and give each of these its index."""
    header: int | None = None
    is_first = True
    for index, part in enumerate(parts):
        if part.kind is not PartKind.ROW or _opens_paragraph(text, part.start):
            header, is_first = None, True
        if part.kind is not PartKind.ROW:
            continue
        said = text[part.start : part.end]
        if not any(map(str.isalnum, said)):  # the rule under a header
            parts[index] = part._replace(kind=PartKind.HEADER)
            continue
        below = parts[index + 1] if index + 1 < len(parts) else None
        if is_first and below is not None and below.kind is PartKind.ROW and _is_header(said):
            header = index
            parts[index] = part._replace(kind=PartKind.HEADER)
        elif header is not None and not _is_labelled(said):
            parts[index] = part._replace(header=header)
        is_first = False


def _is_header(said: str) -> bool:
    if _ITEM.match(said):
        return False
    # Without bars each word may be a cell.
    cells = said.split("|") if "|" in said else said.split()
    return not _is_labelled(said) and not any(_VALUE.match(cell.strip()) for cell in cells)


def _is_labelled(said: str) -> bool:
    """Say whether most cells of a row have their names in front: `Item: Widget | Price: 4.00`."""
    cells = said.strip("| ").split(_BAR)
    return 2 * sum(_LABEL.match(cell) is not None for cell in cells) > len(cells)
