"""The model's own list of sources: ours stands in its place, and only ours is called so."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from pincite.core.text import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

# A line up to its end, with what lists and quotations put in front; the runs are possessive, one class each: linear.
_LINE = re.compile(
    r"(?P<lead>[ \t>]*+(?:(?:[*+\-]|\d{1,9}[.)])[ \t]++[ \t>]*+)*+)(?P<rest>[^\n\r]*+)(?:\r\n?|\n)?"
)
# A heading's marks, and those that may close it. Runs of one class.
_HASHES = re.compile(r"(?P<open>#{1,6})(?:[ \t]++|\Z)(?P<title>.*)")
# The line that makes a heading of the one above: runs of one class.
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*")
# A line across the page: it ends a section.
_RULE = re.compile(r"(?:[*_\-][ \t]*){3,}")
# What may be put around a word without changing it, and numbers behind it: one class, or bounded.
_DRESS = re.compile(rf"[\s*_~`:#\\{UNSEEN}\u00ad]|\[\d{{1,9}}[a-z]{{0,4}}\]")
# Code points of a line that may be such a heading.
_LONGEST = 120
# What may stand for it: the word, or a heading's mark and an entity that may be one of its letters. Bounded.
_WORD = re.compile(r"[Ss][Oo][Uu][Rr][Cc][Ee][Ss]|#[^\n\r&]{0,100}&")
_ENTITY = re.compile(r"#[^\n\r&]{0,100}&")
# How a line of a list of sources begins: a number in brackets, an address, a link. Bounded.
_REFERENCE = re.compile(r"\\?\[\^?\d{1,3}\\?\]|<?https?://|\[[^\[\]\n]{1,200}\]\(")
_WORDS = re.compile(r"\w+")
# What could get into the way of making words bold: one class.
_DRESSED = re.compile(r"[*_`\\\[]")
# Words that only say where something stands.
_PLACES = frozenset("page pages p pp section sec chapter line lines of version md pdf html txt".split())


class _Head(NamedTuple):
    """A line that reads as the heading of a list of sources: where it begins and ends, its marks, and its words."""

    start: int
    end: int
    marks: int
    words: tuple[int, int]
    is_heading: bool


def own_lists(
    text: str,
    code: Sequence[tuple[int, int]],
    markers: Callable[[], Sequence[tuple[int, int]]],
    titles: Iterable[str],
) -> list[tuple[int, int]]:
    """Return the stretches of `text` that are nothing but lists of sources, each with its heading.

    `code` are spans in order, and so are those that `markers` returns. A line belongs to such a list when it begins
    with a marker, a number in brackets or an address, or when its words are one of `titles` and a place. A section
    that holds any other line is the answer's own words, and stays; so does an answer that is such a list alone.
    """
    found: list[tuple[int, int]] = []
    titled: set[str] | None = None
    marked: Sequence[tuple[int, int]] = ()
    for head in _heads(text):
        if _inside(code, head.start) or (found and head.start < found[-1][1]):
            continue
        if titled is None:
            titled = {_key(title) for title in titles} - {""}
            marked = markers()
        end, lines = head.end, 0
        for line in _LINE.finditer(text, head.end):
            rest = line["rest"]
            if not rest.strip():
                end = line.end()
            elif _HASHES.match(rest) or _RULE.fullmatch(rest):
                break
            elif _inside(code, line.start()) or not (
                _lists(text, line.span("rest"), marked, titled) or (lines and _is_indented(line["lead"]))
            ):
                lines = -1
                break
            else:
                end, lines = line.end(), lines + 1
            if line.end() >= len(text):
                break
        if lines > 0 or (lines == 0 and head.is_heading):
            found.append((head.start, end))
    return found if found and _says_more(text, found) else []


def _says_more(text: str, lists: Sequence[tuple[int, int]]) -> bool:
    """Say whether there are words of `text` outside of `lists`."""
    position = 0
    for start, end in [*lists, (len(text), len(text))]:
        if _WORDS.search(text, position, start):
            return True
        position = end
    return False


def demoted(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the edits after which no heading of `text` reads as that of a list of sources; its words stay, bold."""
    for head in _heads(text):
        if not head.is_heading:
            continue
        start, end = head.words
        bold = "" if _DRESSED.search(text, start, end) else "**"
        yield head.marks, start, bold
        # The line below, if any, is a paragraph of its own.
        yield end, head.end, f"{bold}\n" if text[head.end : head.end + 1] in "\r\n" else f"{bold}\n\n"


def _heads(text: str) -> Iterator[_Head]:
    if "sources" not in text.lower() and _ENTITY.search(text) is None:
        return
    position = 0
    for word in _WORD.finditer(text):
        if word.start() < position:
            continue
        ends = (text.rfind(char, position, word.start()) + 1 for char in "\n\r")
        start = max(position, *ends)
        line = _LINE.match(text, start)
        if line is None:
            break
        end = position = line.end()
        if end - start > _LONGEST:
            continue
        hashes = _HASHES.fullmatch(line["rest"])
        marks, last = line.span("rest")
        first = marks if hashes is None else marks + hashes.start("title")
        if not _reads(text[first:last]):
            continue
        below = _LINE.match(text, end) if hashes is None and end < len(text) else None
        underlined = below is not None and _UNDERLINE.fullmatch(below["rest"]) is not None
        if underlined and below is not None:
            end = position = below.end()
        last = first + len(text[first:last].rstrip("# \t"))
        yield _Head(start, end, marks, (first, max(first, last)), hashes is not None or underlined)


def _reads(words: str) -> bool:
    return _DRESS.sub("", unescape(words)).casefold() == "sources"


def _lists(
    text: str, span: tuple[int, int], markers: Sequence[tuple[int, int]], titles: Collection[str]
) -> bool:
    """Say whether a line lists a source and says nothing else."""
    start, end = span
    first = bisect_left(markers, (start, 0))
    begin = start
    while text[begin : begin + 1] in ("*", "_"):
        begin += 1
    if first < len(markers) and markers[first][0] == begin:
        return True
    if _REFERENCE.match(text, begin, end):
        return True
    bare: list[str] = []
    for marker in markers[first:]:
        if marker[0] >= end:
            break
        bare.append(text[start : marker[0]])
        start = max(start, marker[1])
    bare.append(text[start:end])
    return _key(" ".join(bare)) in titles


def _key(words: str) -> str:
    """Return what two ways of naming a source have in common: its words, without a place behind them."""
    found = [word.casefold() for word in _WORDS.findall(words)]
    while len(found) > 1 and (found[-1] in _PLACES or found[-1].isdecimal()):
        found.pop()
    return " ".join(found)


def _is_indented(lead: str) -> bool:
    return lead.startswith(("  ", "\t"))


def _inside(spans: Sequence[tuple[int, int]], place: int) -> bool:
    index = bisect_right(spans, (place, place + 1)) - 1
    return index >= 0 and spans[index][0] <= place < spans[index][1]
