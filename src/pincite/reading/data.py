"""JSON and JSON Lines -> Document: names and values as lines of text, each with its place in the data.

The source is read token by token and never made into objects: numbers stay as they are written, a name that is there
twice is there twice, and what breaks is told without loss of the rest.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from os.path import commonprefix
from typing import TYPE_CHECKING, Final

from pincite.core.document import Flag
from pincite.core.errors import DamagedError, TooLargeError
from pincite.core.locators import Locator
from pincite.core.pointers import step
from pincite.core.text import normalise, one_line
from pincite.reading._decoding import decode
from pincite.reading._prose import check_bytes, made, too_large_text
from pincite.reading._regions import Regions

if TYPE_CHECKING:
    from pincite.core.document import Document
    from pincite.core.limits import Limits

# A token with the white space before it: a string with the colon that makes a name of it, a mark, a comment, a bare
# word. Strings in single quotes, comments and bare names are JSON5. Linear: possessive runs of one class each.
_TOKEN = re.compile(
    r"""\s*+(?:("(?>[^"\\]++|\\.)*+"|'(?>[^'\\]++|\\.)*+'|[^\s"'{}\[\]:,/]++)(?:\s*+(:))?+"""
    r"|([{}\[\],])|(//[^\n]*+|/\*(?>[^*]++|\*(?!/))*+\*/))",
    re.DOTALL,
)
_REST = re.compile(r"\s*+\Z")
_VALUE = re.compile(r"[+-]?(?:\d[\w.+-]*+|\.\d[\w.+-]*+|Infinity|NaN)|true|false|null")
_LINE = re.compile(r"[^\n]++")
_LINES = (".jsonl", ".ndjson")
_TITLES = ("title", "name")

_RECORD: Final = 200
"""Code points of a record in a list that stands on one line."""
DEEPEST: Final = 1_000
"""Values inside one another."""
_DEEPEST_INDENT = 12
"""Levels that are indented further than the one before."""
_LONGEST_POINTER = 300
"""Code points of a pointer; what has a longer one has that of the value around it, since each value has one."""


class _BrokenError(Exception):
    """The source is no JSON from `place` on."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class JsonReader:
    """Reads JSON (with comments and trailing commas, as JSON5 has them) and JSON Lines."""

    name = "json"
    version = "1"
    media_types = ("application/json",)
    suffixes = (".json", ".geojson", ".jsonc", ".json5", *_LINES)

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`: `name: value` lines, indented by depth; a short record of a list on one line.

        Its regions have JSON Pointers. Of JSON Lines, also in a file named otherwise, `line_numbers` are the file's.

        Raises:
            TooLargeError: the file or its text is over a limit, or values are nested too deep.
            DamagedError: it holds binary data, or nothing that is JSON.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        source = decode(data, name=name)
        if name.lower().endswith(_LINES):
            return self._lines(source, name, limits)
        writer = _Writer(name, limits)
        try:
            end = writer.comments(source, writer.value(source, 0, len(source)))
        except _BrokenError as broken:
            if not writer.has_begun:
                msg = f"{one_line(name, 120)} is no JSON."
                raise DamagedError(msg) from broken
            writer.broken(source, broken.place)
        else:
            if _REST.match(source, end) is None:
                return self._lines(source, name, limits)
        return self._made(writer, name, limits, line_numbers=())

    def _lines(self, source: str, name: str, limits: Limits) -> Document:
        """Return the document of one value a line; a line that holds none stands as it is, with a flag."""
        writer = _Writer(name, limits)
        bad: list[int] = []
        number = copied = 0
        for found in _LINE.finditer(source):
            number += source.count("\n", copied, found.start())
            copied = found.start()
            if not found[0].isspace():
                writer.begin_record(number + 1)
                try:
                    writer.whole_value(source, *found.span())
                except _BrokenError:
                    writer.take_back()
                    writer.line(found[0].strip(), "")
                    bad.append(number + 1)
        if len(bad) == len(set(writer.numbers)):
            msg = f"{one_line(name, 120)} holds no line of JSON."
            raise DamagedError(msg)
        if bad:
            more = f" and {len(bad) - 1:,} more" if len(bad) > 1 else ""
            writer.flags.append(Flag(None, f"line {bad[0]:,}{more} is no JSON and stands as it is"))
        return self._made(writer, name, limits, line_numbers=tuple(writer.numbers))

    def _made(self, writer: _Writer, name: str, limits: Limits, *, line_numbers: tuple[int, ...]) -> Document:
        text = "".join(writer.parts)
        return made(
            text,
            name=name,
            title=None if line_numbers else writer.title,
            media_type="application/jsonl" if line_numbers else self.media_types[0],
            reader=f"{self.name}/{self.version}",
            limits=limits,
            flags=writer.flags,
            line_numbers=line_numbers,
            regions=()
            if line_numbers
            else writer.regions.regions(len(text), lambda pointer: Locator(pointer=pointer)),
        )


class _Open:
    """A value that is open: its pointer, is it a list, how many values it holds until now, is there a comment in it."""

    __slots__ = ("count", "has_comment", "is_list", "pointer")

    def __init__(self, pointer: str, *, is_list: bool) -> None:
        self.pointer = pointer
        self.is_list = is_list
        self.count = 0
        self.has_comment = False


class _Writer:
    """Writes values as lines of text, and keeps where each stands."""

    def __init__(self, name: str, limits: Limits) -> None:
        self._name = name
        self._most = limits.document_code_points
        self._limits = limits
        self.parts: list[str] = []
        self.regions = Regions(_common)
        self.numbers: list[int] = []
        self.flags: list[Flag] = []
        self.title: str | None = None
        self._length = 0
        self._number = 0
        self._open: list[_Open] = []
        # Dashes that stand before the next line; what a record of a list has until now, None outside of one.
        self._dashes = ""
        self._record: list[tuple[str, str]] | None = None
        self._record_length = 0
        self._gap = ""
        self._mark = (0, 0, 0)

    def whole_value(self, source: str, start: int, end: int) -> None:
        """Write the one value that `source` holds between `start` and `end`.

        Raises:
            _BrokenError: it holds none, or more.
        """
        after = self.value(source, start, end)
        if source[after:end].strip():
            raise _BrokenError(after)

    def value(self, source: str, start: int, end: int) -> int:
        """Write the value that `source` holds from `start` on; return where it ends.

        Raises:
            _BrokenError: there is none, or it breaks off; what was read until there is written.
        """
        named: str | None = None
        place = kept = start
        while True:
            token = _TOKEN.match(source, place, end)
            # What stands behind a name belongs to it: where that is none, the name is not lost.
            kept = kept if named is not None else place
            if token is None or not self._fits(token, named):
                raise _BrokenError(kept)
            word, colon, mark, comment = token.groups()
            if comment is not None:
                self._comment(comment)
            elif colon is not None:
                named = _string(word)
            elif mark != ",":
                self._take(word, mark, named)
                named = None
            place = token.end()
            if not self._open and comment is None:
                return place

    def comments(self, source: str, place: int) -> int:
        """Write the comments that stand in `source` from `place` on, behind its value; return where they end."""
        while (token := _TOKEN.match(source, place)) is not None and token[4] is not None:
            self._comment(token[4])
            place = token.end()
        return place

    def _comment(self, words: str) -> None:
        if self._open:
            self._open[-1].has_comment = True
        self.line(words, self._open[-1].pointer if self._open else "")

    def _fits(self, token: re.Match[str], named: str | None) -> bool:
        """Say whether a token may stand here; `named` is the name in front of it."""
        word, colon, mark, comment = token.groups()
        if comment is not None:
            return True
        top = self._open[-1] if self._open else None
        if colon is not None:
            return top is not None and not top.is_list and named is None
        if mark == ",":
            return top is not None and named is None
        if mark is not None and mark in "]}":
            return top is not None and named is None and top.is_list == (mark == "]")
        # A value: in an object it has a name.
        return (top is None or top.is_list or named is not None) and (
            mark is not None or word[0] in "\"'" or _VALUE.fullmatch(word) is not None
        )

    def _take(self, word: str | None, mark: str | None, named: str | None) -> None:
        if word is not None:
            self._scalar(named, _string(word))
        elif mark in ("[", "{"):
            self._begin(named, is_list=mark == "[")
        else:
            self._end()

    def _scalar(self, named: str | None, value: str) -> None:
        value = value or '""'
        pointer = self._pointer(named)
        if named is not None:
            if len(self._open) == 1 and named in _TITLES and (self.title is None or named == _TITLES[0]):
                self.title = value
            self.line(f"{_label(named)}: {value}", pointer)
        elif self._open:
            self._dashes += "- "
            self.line(value, pointer, inside=1)
        else:
            self.line(value, pointer)

    def _pointer(self, named: str | None) -> str:
        """Return the pointer of the next value."""
        if not self._open:
            return ""
        top = self._open[-1]
        key = str(top.count) if named is None else step(named)
        top.count += 1
        return top.pointer if len(top.pointer) + len(key) > _LONGEST_POINTER else f"{top.pointer}/{key}"

    def _begin(self, named: str | None, *, is_list: bool) -> None:
        if len(self._open) >= DEEPEST:
            msg = f"{one_line(self._name, 120)} nests more than {DEEPEST:,} values inside one another."
            raise TooLargeError(msg)
        self._release()
        pointer = self._pointer(named)
        in_list = not self._open or self._open[-1].is_list
        if named is not None:
            self.line(f"{_label(named)}:", pointer)
        elif self._open:
            self._dashes += "- "
        if in_list and not is_list:
            self._record, self._record_length = [], 0
        self._open.append(_Open(pointer, is_list=is_list))

    def _end(self) -> None:
        record = self._record
        closed = self._open[-1]
        if not closed.count and closed.has_comment:
            # What is said in an empty value stands on lines of its own, and so does the value.
            self._release()
            self.line("[]" if closed.is_list else "{}", closed.pointer)
            self._open.pop()
            return
        if not closed.count:
            # An empty value has no lines of its own: it stands behind its name, or where it would begin.
            self._record = None
            self._open.pop()
            empty = "[]" if closed.is_list else "{}"
            if self._open and not self._open[-1].is_list:
                self.parts[-1] += " " + empty
                self._length += len(empty) + 1
            else:
                self.line(empty, closed.pointer, inside=1)
            return
        if record is not None and all("\n" not in line for line, _ in record):
            self._record = None
            self._write("; ".join(line for line, _ in record), closed.pointer, len(self._open) - 1)
        self._release()
        self._open.pop()

    def line(self, words: str, pointer: str, *, inside: int = 0) -> None:
        """Write a line of the value that is open, or so many levels inside of it."""
        if self._record is not None:
            self._record.append((words, pointer))
            self._record_length += len(words) + 2
            if self._record_length > _RECORD:
                self._release()
            return
        self._write(words, pointer, len(self._open) - 1 + inside)

    def _release(self) -> None:
        """Write what a record has on lines of their own, since it has too much for one."""
        record, self._record = self._record, None
        for words, pointer in record or ():
            self._write(words, pointer, len(self._open) - 1)

    def _write(self, words: str, pointer: str, depth: int) -> None:
        indent = "  " * min(max(0, depth), _DEEPEST_INDENT)
        if self._dashes:
            indent = indent[: max(0, len(indent) - len(self._dashes))] + self._dashes
            self._dashes = ""
        inner = "\n" + " " * len(indent)
        words = indent + words.replace("\n", inner) if "\n" in words else indent + words
        gap = self._gap if self.parts else ""
        self._gap = "\n"
        self.regions.add(self._length + len(gap), pointer)
        words = gap + words
        self.numbers.extend([self._number] * (words.count("\n") + (not self.parts)))
        self.parts.append(words)
        self._length += len(words)
        if self._length > self._most:
            raise too_large_text(self._name, self._limits)

    @property
    def has_begun(self) -> bool:
        """Whether anything was read."""
        return bool(self.parts or self._open)

    def begin_record(self, number: int) -> None:
        """Begin the record in line `number` of the file; around one of several lines stand blank ones."""
        self._number = number
        if len(self.parts) - self._mark[0] > 1:
            self._gap = "\n\n"
        self._mark = (len(self.parts), self._length, len(self.numbers))

    def take_back(self) -> None:
        """Take the record back that was begun last."""
        parts, self._length, numbers = self._mark
        del self.parts[parts:], self.numbers[numbers:]
        self._open.clear()
        self._record, self._dashes = None, ""

    def broken(self, source: str, place: int) -> None:
        """Write the source from `place` on as it is, and say so."""
        number = 1 + source.count("\n", 0, place)
        self._release()
        self._open.clear()
        self._dashes = ""
        if rest := source[place:].strip():
            self._write(rest, "", 0)
        what = "stands as it is" if rest else "is missing"
        self.flags.append(Flag(None, f"from line {number:,} on it is no JSON: what follows {what}"))


def _common(one: str, other: str) -> str:
    """Return the pointer of the smallest value that holds both."""
    shared = commonprefix((one + "/", other + "/"))  # noqa: RUF071 - pointers, cut at a slash below
    return shared[: max(0, shared.rfind("/"))]


def _label(name: str) -> str:
    return " ".join(name.split()) or '""'


def _string(word: str) -> str:
    """Return a string as it reads, and any other word as it is."""
    if word[0] not in "\"'":
        return word
    inner = word[1:-1]
    if "\\" in inner:
        whole = '"' + inner.replace('\\"', '"').replace('"', '\\"') + '"' if word[0] == "'" else word
        with suppress(ValueError):
            inner = json.loads(whole, strict=False)
        inner = normalise(inner)
    return inner
