"""Markdown of ours taken apart, for those who write it as something else: blocks, and what stands in a line.

What is read here is what rendering wrote: every number in brackets is ours, a link is one that may act, and no element,
image or definition is left. What is no mark of Markdown is text, so nothing that anybody wrote gets lost or acts.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Kind = Literal["paragraph", "heading", "code", "quote", "bullets", "numbers", "item", "table", "rule"]

# Quotations and lists inside one another; what stands deeper is a paragraph.
_DEEPEST = 12
# A line's end of any kind.
_LINE_END = re.compile(r"\r\n?|\n")
# How a block begins, at the first word of a line: each is anchored, with runs of one class that cannot overlap.
_FENCE = re.compile(r"(`{3,}+)(?!.*`)|(~{3,}+)")
_HEADING = re.compile(r"(#{1,6}+)(?:[ \t]+|\Z)")
_RULE = re.compile(r"(?:\*[ \t]*+){3,}+\Z|(?:-[ \t]*+){3,}+\Z|(?:_[ \t]*+){3,}+\Z")
_ITEM = re.compile(r"(?:([*+-])|([0-9]{1,9})([.)]))(?=[ \t]|\Z)")
_UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*+\Z")
# The marks that close a heading: one class from the end.
_CLOSING = re.compile(r"(?:(?<=[ \t])|\A)#+[ \t]*\Z")
# The line under the head of a table, and one cell of it: possessive runs of one class.
_DELIMITERS = re.compile(r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+\Z")
# A bar that parts two cells: a pair of a backslash and what follows is taken whole.
_CELL = re.compile(r"\\.|\|")
_CODE_INDENT = 4
# What the first word of a block begins with that is no paragraph.
_BEGINNINGS = frozenset("`~#*-_+>0123456789")


@dataclass(frozen=True, slots=True)
class Block:
    """A block: its words as they are written, or the blocks in it.

    `level` is that of a heading, the first number of a list, or the number of head rows of a table (one); `rows` are a
    table's cells.
    """

    kind: Kind
    text: str = ""
    level: int = 0
    blocks: tuple[Block, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


def parsed(text: str) -> tuple[Block, ...]:
    """Return the blocks of `text`, in time linear in its length."""
    return tuple(_blocks(_LINE_END.split(text), 0))


def _blocks(lines: Sequence[str], depth: int) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        width, words = _bare(lines[at])
        if not words:
            at += 1
        elif width >= _CODE_INDENT:
            end = _indented_end(lines, at)
            yield Block("code", "\n".join(_unindented(line, _CODE_INDENT) for line in lines[at:end]).rstrip())
            at = end
        elif fence := _FENCE.match(words):
            end = _fence_end(lines, at, fence.group())
            inner = lines[at + 1 : end]
            yield Block("code", "\n".join(_unindented(line, width) for line in inner))
            at = end + 1
        elif heading := _HEADING.match(words):
            yield Block("heading", _CLOSING.sub("", words[heading.end() :]).strip(), len(heading[1]))
            at += 1
        elif _RULE.match(words):
            yield Block("rule")
            at += 1
        elif words[0] == ">" and depth < _DEEPEST:
            inner, at = _quoted(lines, at)
            yield Block("quote", blocks=tuple(_blocks(inner, depth + 1)))
        elif depth < _DEEPEST and _ITEM.match(words):
            block, at = _list(lines, at, depth)
            yield block
        elif at + 1 < len(lines) and _is_table(words, lines[at + 1]):
            block, at = _table(lines, at)
            yield block
        else:
            block, at = _paragraph(lines, at, depth)
            yield block


def _bare(line: str) -> tuple[int, str]:
    """Return the columns before the first word of a line, and the line from there on."""
    words = line.lstrip(" \t")
    width = len(line) - len(words)
    if width and "\t" in line[:width]:
        width = len(line[:width].expandtabs(_CODE_INDENT))
    return width, words.rstrip(" \t")


def _unindented(line: str, columns: int) -> str:
    """Return a line without its first `columns` of white space, or what there is of it."""
    width, _ = _bare(line)
    if not line.strip():
        return ""
    if "\t" not in line[:columns]:
        return line[min(width, columns) :]
    return " " * max(0, width - columns) + line.lstrip(" \t")


def _fence_end(lines: Sequence[str], at: int, fence: str) -> int:
    """Return the line that ends the fence of line `at`, or the end of all."""
    for place in range(at + 1, len(lines)):
        width, words = _bare(lines[place])
        if width < _CODE_INDENT and len(words) >= len(fence) and words == fence[0] * len(words):
            return place
    return len(lines)


def _indented_end(lines: Sequence[str], at: int) -> int:
    end = at
    for place in range(at, len(lines)):
        width, words = _bare(lines[place])
        if words and width < _CODE_INDENT:
            break
        end = place + 1 if words else end
    return end


def _interrupts(words: str) -> bool:
    """Say whether a line ends the paragraph above it."""
    if words[0] not in _BEGINNINGS:
        return False
    item = _ITEM.match(words)
    # A number that is not the first, or an item without words, is a part of a sentence.
    is_item = item is not None and item.end() < len(words) and item[2] in (None, "1")
    return (
        is_item
        or words[0] == ">"
        or any(begin.match(words) is not None for begin in (_FENCE, _HEADING, _RULE))
    )


def _goes_on(words: str) -> bool:
    """Say whether words right below a line belong to its paragraph, also where they stand further out."""
    for _ in range(_DEEPEST):
        item = None if _RULE.match(words) else _ITEM.match(words)
        if item is None and words[:1] != ">":
            break
        words = words[1 if item is None else item.end() :].strip()
    return bool(words) and not _interrupts(words)


def _quoted(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    """Return the lines of a quotation without their marks, and the line behind it."""
    inner: list[str] = []
    goes_on = False
    while at < len(lines):
        width, words = _bare(lines[at])
        if words[:1] == ">" and width < _CODE_INDENT:
            said = words[1:].removeprefix(" ")
            # A tab reaches from the mark to the next stop, and a column of it is the mark's own.
            inner.append("  " + said[1:] if said[:1] == "\t" else said)
            goes_on = _goes_on(_bare(said)[1])
        elif words and goes_on and not _interrupts(words):
            inner.append(lines[at])
        else:
            break
        at += 1
    return inner, at


def _list(lines: Sequence[str], at: int, depth: int) -> tuple[Block, int]:
    """Return the list that begins in line `at`, and the line behind it."""
    items: list[Block] = []
    first = _ITEM.match(_bare(lines[at])[1])
    mark = _mark(first)
    while at < len(lines):
        width, words = _bare(lines[at])
        item = _ITEM.match(words)
        if item is None or width >= _CODE_INDENT or _mark(item) != mark or _RULE.match(words):
            break
        inner, at = _item(lines, at, width, words[item.end() :], item.end())
        items.append(Block("item", blocks=tuple(_blocks(inner, depth + 1))))
        # Blank lines between two items part them, and do not end the list.
        following = next((place for place in range(at, len(lines)) if lines[place].strip()), len(lines))
        at = following if following < len(lines) and _ITEM.match(_bare(lines[following])[1]) else at
    number = first[2] if first is not None else None
    if number is None:
        return Block("bullets", blocks=tuple(items)), at
    return Block("numbers", level=int(number), blocks=tuple(items)), at


def _mark(item: re.Match[str] | None) -> str:
    return "" if item is None else item[1] or item[3]


def _item(lines: Sequence[str], at: int, width: int, words: str, mark: int) -> tuple[list[str], int]:
    """Return the lines of an item, as far in as its words begin, and the line behind it."""
    space, bare = _bare(words)
    spaces = space if bare and space <= _CODE_INDENT else 1
    columns = width + mark + spaces
    inner = [_unindented(words, spaces)]
    goes_on = _goes_on(bare)
    at += 1
    blanks = 0
    while at < len(lines):
        found, words = _bare(lines[at])
        if not words:
            if not bare and len(inner) == 1:
                break  # an item that begins with a blank line has nothing else
            blanks += 1
        elif found >= columns:
            inner += [""] * blanks
            inner.append(_unindented(lines[at], columns))
            goes_on, blanks = _goes_on(words), 0
        elif goes_on and not blanks and not _interrupts(words) and _ITEM.match(words) is None:
            inner.append(words)
        else:
            break
        at += 1
    return inner, at - blanks


def _is_table(words: str, below: str) -> bool:
    if "|" not in words or "-" not in below:
        return False
    delimiters = _bare(below)[1]
    return _DELIMITERS.match(delimiters) is not None and len(_cells(words)) == len(_cells(delimiters))


def _cells(row: str) -> tuple[str, ...]:
    bars = [found.start() for found in _CELL.finditer(row) if found.group() == "|"]
    edges = [-1, *bars, len(row)]
    cells = [row[start + 1 : end].strip() for start, end in pairwise(edges)]
    cells = cells[1:] if row.startswith("|") else cells
    return tuple(cells[:-1] if bars and bars[-1] == len(row) - 1 else cells)


def _table(lines: Sequence[str], at: int) -> tuple[Block, int]:
    head = _cells(_bare(lines[at])[1])
    rows = [head]
    at += 2
    while at < len(lines):
        width, words = _bare(lines[at])
        if not words or width >= _CODE_INDENT or _interrupts(words):
            break
        cells = _cells(words)
        rows.append((*cells, *("" for _ in head[len(cells) :])))
        at += 1
    return Block("table", level=1, rows=tuple(rows)), at


def _paragraph(lines: Sequence[str], at: int, depth: int) -> tuple[Block, int]:
    """Return the paragraph that begins in line `at`, or the heading that it is, and the line behind it."""
    said = [lines[at].lstrip(" \t")]
    at += 1
    while at < len(lines):
        width, words = _bare(lines[at])
        if width < _CODE_INDENT and words and _UNDERLINE.match(words):
            level = 1 if words[0] == "=" else 2
            return Block("heading", "\n".join(said).strip(), level), at + 1
        if not words or (width < _CODE_INDENT and depth < _DEEPEST and _interrupts(words)):
            break
        if at + 1 < len(lines) and _is_table(words, lines[at + 1]):
            break
        said.append(lines[at].lstrip(" \t"))
        at += 1
    return Block("paragraph", "\n".join(said).rstrip()), at


# --- In a line ----------------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    """A piece of a line: words, code, a number of ours, a line's end, or where something begins or ends.

    `what` is `text`, `code`, `number`, `break`, or `em`, `strong`, `del`, `link` and the same with a slash in front.
    `text` is the words, the number, or the address of a link.
    """

    what: str
    text: str = ""


@dataclass(slots=True)
class _Run:
    """A run of marks, or the bracket of a link, that waits for its end.

    `size` is how many marks it has, `count` how many of them are left, `turns` says that it may end something as well,
    and `begins` what begins there, the innermost first.
    """

    mark: str
    size: int
    turns: bool = False
    count: int = 0
    begins: tuple[str, ...] = ()
    address: str = ""

    def fits(self, size: int, *, turns: bool) -> bool:
        """Say whether another run may end this one, by CommonMark's rule of three; tildes come in pairs."""
        if self.mark == "~":
            return self.size == size == _PAIR
        return not (self.turns or turns) or (self.size + size) % 3 != 0 or self.size % 3 == size % 3 == 0


# What may mean something in a line: an escape, backticks, a number of ours, brackets, marks, a character reference, a
# line's end. Each branch begins with another character and is one bounded or possessive run.
_MARKS = re.compile(
    r"\\[!-/:-@\[-`{-~]|`++|\[[0-9]{1,9}\]|\[|\]|\*++|_++|~++|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}"
    r"|[A-Za-z][A-Za-z0-9]{1,31});|\\?\n| {2,}+\n"
)
# The target of a link: anchored, runs of one class, bounded.
_TARGET = re.compile(r"\((?:<([^<>\n]{0,2000})>|([^\s()<>]{0,2000}))\)")
_NAMES = {"~": "del"}
_PAIR = 2
# Runs of marks that wait for their end, and marks of one run: what goes beyond is text.
_MOST_OPEN, _LONGEST_RUN = 100, 12


def pieces(text: str) -> list[Piece]:
    """Return what stands in the words of a block, in order; what begins there also ends there, inside one another."""
    return _Line(text).read()


class _Line:
    """One pass over the words of a block."""

    __slots__ = ("_counts", "_has_links", "_open", "_out", "_text", "_ticks")

    def __init__(self, text: str) -> None:
        self._text = text
        self._out: list[Piece | _Run] = []
        # What is open, the innermost last, and how many runs of each mark are among them: no search is in vain.
        self._open: list[_Run] = []
        self._counts: dict[str, int] = {}
        self._ticks = _runs_of_ticks(text)
        self._has_links = "](" in text

    def read(self) -> list[Piece]:
        text, position = self._text, 0
        while (found := _MARKS.search(text, position)) is not None:
            self._say(text[position : found.start()])
            position = self._mark(found)
        self._say(text[position:])
        return _joined(_flat(self._out))

    def _say(self, words: str, what: str = "text") -> None:
        if words:
            self._out.append(Piece(what, words))

    def _mark(self, found: re.Match[str]) -> int:
        """Take what a mark means; return where to go on."""
        written, char = found.group(), found.group()[0]
        if written.endswith("\n"):
            self._say("\n", "text" if written == "\n" else "break")
        elif char == "\\":
            self._say(written[1])
        elif char == "&":
            self._say(html.unescape(written))
        elif char == "`":
            return self._code(found)
        elif char in "*_~":
            self._delimiters(found)
        elif len(written) > 1:
            self._say(written[1:-1], "number")
        elif not self._has_links:
            self._say(char)
        elif char == "[":
            self._wait(_Run("[", 1, count=1))
        else:
            return self._close_link(found.end())
        return found.end()

    def _code(self, found: re.Match[str]) -> int:
        size = found.end() - found.start()
        places = self._ticks.get(size, [])
        place = bisect_right(places, found.start())
        if place == len(places):
            self._say(found.group())
            return found.end()
        words = self._text[found.end() : places[place]].replace("\n", " ")
        if words.strip() and words[0] == words[-1] == " ":
            words = words[1:-1]
        self._say(words, "code")
        return places[place] + size

    def _delimiters(self, found: re.Match[str]) -> None:
        char, count = found.group()[0], found.end() - found.start()
        before = self._text[found.start() - 1 : found.start()] or " "
        behind = self._text[found.end() : found.end() + 1] or " "
        opens = not behind.isspace() and (not _is_mark(behind) or before.isspace() or _is_mark(before))
        closes = not before.isspace() and (not _is_mark(before) or behind.isspace() or _is_mark(behind))
        if char == "_":
            opens, closes = (
                opens and (not closes or _is_mark(before)),
                closes and (not opens or _is_mark(behind)),
            )
        size, turns = count, opens and closes
        while closes and count and self._counts.get(char):
            fitting = (
                run for run in reversed(self._open) if run.mark == char and run.fits(size, turns=turns)
            )
            if (opened := next(fitting, None)) is None:
                break
            self._leave(opened)
            taken = _PAIR if char == "~" or (count >= _PAIR and opened.count >= _PAIR) else 1
            name = _NAMES.get(char, "strong" if taken == _PAIR else "em")
            opened.begins += (name,)
            opened.count -= taken
            count -= taken
            self._out.append(Piece(f"/{name}"))
            if not opened.count:
                self._forget()
        if count and opens and count <= _LONGEST_RUN:
            self._wait(_Run(char, size, turns, count))
        else:
            self._say(char * count)

    def _close_link(self, end: int) -> int:
        target = _TARGET.match(self._text, end) if self._counts.get("[") else None
        if target is None:
            if self._open and self._open[-1].mark == "[":
                self._forget()
            self._say("]")
            return end
        opened = next(run for run in reversed(self._open) if run.mark == "[")
        self._leave(opened)
        opened.count, opened.address = 0, html.unescape(target[1] if target[1] is not None else target[2])
        opened.begins = ("link",)
        self._out.append(Piece("/link"))
        # No link stands in another.
        self._open = [run for run in self._open if run.mark != "["]
        self._counts["["] = 0
        return target.end()

    def _wait(self, run: _Run) -> None:
        self._out.append(run)
        if len(self._open) >= _MOST_OPEN:
            return
        self._open.append(run)
        self._counts[run.mark] = self._counts.get(run.mark, 0) + 1

    def _leave(self, run: _Run) -> None:
        """Make a run the innermost that is open; what is open inside it stays as it is written."""
        while self._open[-1] is not run:
            self._forget()

    def _forget(self) -> None:
        self._counts[self._open.pop().mark] -= 1


def _is_mark(char: str) -> bool:
    """Say whether a character is punctuation or a symbol, as CommonMark counts them."""
    return unicodedata.category(char)[0] in "PS"


def _runs_of_ticks(text: str) -> dict[int, list[int]]:
    """Return where runs of backticks begin, by their length."""
    found: dict[int, list[int]] = {}
    if "`" in text:
        for run in re.finditer("`++", text):
            found.setdefault(run.end() - run.start(), []).append(run.start())
    return found


def _flat(out: list[Piece | _Run]) -> Iterator[Piece]:
    for one in out:
        if isinstance(one, Piece):
            yield one
            continue
        if one.count:
            yield Piece("text", one.mark * one.count)
        for name in reversed(one.begins):
            yield Piece(name, one.address if name == "link" else "")


def _joined(found: Iterator[Piece]) -> list[Piece]:
    """Return pieces with neighbouring words as one."""
    joined: list[Piece] = []
    for what, group in groupby(found, key=itemgetter(0)):
        same = list(group)
        joined += [Piece("text", "".join(piece.text for piece in same))] if what == "text" else same
    return joined
