"""The fold: one form for texts that differ in typography alone, with offsets both ways.

Every search for words in a text goes through it. What is folded away can be told apart only in the source itself,
so whoever judges compares the source's own characters; see `checking.quotes`.

Folded: white space, line breaks and the hyphens they leave in words, quotation marks, dashes, ligatures, letter case,
composed and decomposed letters, full-width forms, compatibility units, invisible and bidi marks, tatweel, HTML
entities and inline elements. Not folded, because it means something: digits, signs, superscripts behind digits,
fractions, letters of another script, punctuation.
"""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_left, bisect_right
from functools import cache, lru_cache
from html import unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

# What joins the lines around it where it stands at a line end: a soft hyphen, and what PDFium writes for any hyphen.
_JOINERS = "\u00ad\ufffe"
_HYPHENS = "-\u2010\u2011"
# Invisible: soft hyphen, zero-width and bidi marks, tatweel, combining grapheme joiner, selectors, tags.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u0640\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufffe\U000e0000-\U000e0fff"
)
_CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
# White space that is no plain space.
_BREAKS = "\t\n\x0b\x0c\r\x1c-\x1f\x85\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_PUNCTUATION = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2035\u02b9\u02bb\u02bc\u02bd\u00b4\u05f3\uff07", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2036\u00ab\u00bb\u2039\u203a\u300c\u300d\u300e\u300f", '"'),
    **dict.fromkeys("\u05f4\uff02", '"'),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2e3a\u2e3b\ufe58\ufe63\uff0d\u05be", "-"),
    "\u0153": "oe", "\u0152": "OE", "\u00e6": "ae", "\u00c6": "AE",
    "\u2044": "/", "\u2215": "/", "\u2024": ".", "\u2236": ":", "\u223c": "~",
    "\u060c": ",", "\u061b": ";", "\u061f": "?", "\u066a": "%",
}  # fmt: skip
_MINUS = "\u2212"
# Primes measure and derive behind a digit or a letter; elsewhere they are quotation marks.
_PRIMES = {"\u2032": "'", "\u2033": '"'}
_PRIMED = "\u2032\u2033)]"
# Letters above the line behind a number, as in ordinals: there they are as good on it.
_ABOVE_LINE = "\u1d49\u02b3\u02e2\u1d48\u207f\u1d57\u02b0\u1d50"
_ORDINAL = dict(zip(_ABOVE_LINE, "ersdnthm", strict=True))
_RANKED = "0123456789IVXLCDM"
_ORDINALS = frozenset("e er re es nd rd st th d de me ers res".split())
# What a minus may stand right in front of as the sign of a number: there a hyphen is as good.
_SIGNED = re.compile(r"[$\u20ac\u00a3\u00a5]?\.?\d")
# Digits and signs above or below the line, and what stands for them behind a letter (m2, CO2).
_RAISED = (
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b"
    "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208a\u208b"
)
_OFF_OR_SIGN = f"<{_MINUS}{_RAISED}{''.join(_PRIMES)}{_ABOVE_LINE}"
_LOWERED = str.maketrans(_RAISED, "0123456789+-" * 2)
_TO_RAISED = str.maketrans("0123456789+-", _RAISED[:12])
_TO_LOWERED = str.maketrans("0123456789+-", _RAISED[12:])
# Compatibility forms that mean something of their own: above, below, in a circle, a fraction.
_MEANING = ("<super>", "<sub>", "<circle>", "<fraction>")
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fff\u3005-\u3007\u3021-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Letters of scripts that put no spaces between words (Thai to Burmese, Khmer, Han, Kana), as the inside of a
character class."""
# These, and the punctuation that goes with them.
_UNSPACED = re.compile(f"[{UNSPACED}\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uffef]")
# Spaces between two letters of them, which a PDF may have.
_SPACED_OUT = rf"(?<=[{UNSPACED}]) +(?=[{UNSPACED}])"
_IS_SPACED_OUT = re.compile(_SPACED_OUT)
# Bytes of UTF-8 that begin none of these letters: a quick look, since most texts have none.
_NEVER_UNSPACED = bytes({*range(256)} - {0xE0, 0xE1, *range(0xE3, 0xF5)})
# Bytes of which nothing is folded, but for runs of spaces and what dresses words; a text has few others when it has so
# many times as many code points.
_PLAIN, _FEW = bytes(range(0x20, 0x7F)), 8
# Characters that are looked for one by one; each takes a walk over the text.
_KINDS = 256
_ASCII = bytes(range(0x80))
_FIRST_UNSPACED = "\u0e00"
# Words with their letters set apart, of a heading: between two spaces or at a line's end. Runs of two in turn: linear.
_SET_APART = r"(?:(?<=  )|(?<=\n)|\A)[^\W\d_](?: [^\W\d_])+(?=  |\n|\Z)"
_APART = re.compile(_SET_APART)
_IS_SET_APART = re.compile(r"(?: [^\W\d_]){3}  [^\W\d_] [^\W\d_](?!\w)")
# Half-width Kana, whose marks stand beside them.
_NARROW = "\uff66-\uff9f"
_NARROW_KANA = frozenset(map(chr, range(0xFF66, 0xFFA0)))
# Elements that only dress words, and those that part them. Bounded, and no run crosses an angle bracket: linear.
_INLINE = "b|i|em|strong|u|mark|span|a|sup|sub|code|small|big|font|cite|q|abbr|kbd|var|wbr|bdi|bdo|ins|tt"
_PARTING = "br|p|div|li|ul|ol|td|th|tr|table|tbody|thead|h[1-6]|blockquote|section|article|hr"
# Digits above the line or below it, with a minus in any form.
_OFF_LINE = r"<[sS][uU][pPbB]>(?:[0-9+\u2212\u2013-]|&minus;|&#8722;){1,12}</[sS][uU][pPbB]>"
_DRESSING = (
    r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
    r"|\]\((?:https?://|[/#.]|mailto:)[^\s()<>]{0,400}\)"
    rf"|{_OFF_LINE}"
    r"|<(?:https?://|mailto:)[^\s<>]{1,400}>"
    rf"|</?(?i:{_INLINE}|{_PARTING})(?:\s[^<>]{{0,300}})?/?>"
)
_DRESSED = re.compile(_DRESSING)
_IS_OFF_LINE = re.compile(_OFF_LINE)
_MINUSES = re.compile("&minus;|&#8722;|[\u2212\u2013]")
_IS_PARTING = re.compile(rf"</?(?i:{_PARTING})\b")
# Pieces that are remembered: most texts have a few dozen.
_REMEMBERED = 4_096
# Where letters with other forms stand: neither among Han and Hangul, nor in the private area. Above the first plane
# every character is looked at by itself: a class of these alone would make each search slow.
_BLOCKS = (range(0x80, 0x3400), range(0xA000, 0xAC00), range(0xF900, 0x10000))
_ABOVE = "\U00010000-\U0003ffff"
# Parts of Hangul syllables that follow the first.
_JAMO = "\u1161-\u1175\u11a8-\u11c2"


class Folded:
    """A text and its fold.

    `text` is what is searched; `cased` is the same with letter case, code point for code point. Offsets are code
    points of `source` or of the fold.
    """

    __slots__ = ("_from", "_from_end", "_to", "_to_end", "cased", "source", "text")

    def __init__(self, source: str, cased: str, changes: list[tuple[int, int, int, int]]) -> None:
        """`changes` are where a change begins and ends in the source, and in the fold, in order."""
        self.source = source
        self.cased = cased
        self.text = cased.lower() if cased.isascii() else _lowered(cased)
        self._from, self._from_end, self._to, self._to_end = (
            zip(*changes, strict=True) if changes else _NOTHING
        )

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the source that holds what `start` to `end` of the fold stand for."""
        if not self._to:
            return start, max(start, end)
        first = self.source_start(start)
        return first, max(first, self.source_end(end))

    def source_start(self, place: int) -> int:
        """Return where in the source begins what stands at `place` of the fold."""
        index = bisect_right(self._to, place) - 1
        if index < 0:
            return place
        if place < self._to_end[index]:
            return self._from[index]
        return self._from_end[index] + place - self._to_end[index]

    def source_end(self, place: int) -> int:
        """Return where in the source ends what stands before `place` of the fold."""
        index = bisect_left(self._to, place) - 1
        if index < 0:
            return place
        if place <= self._to_end[index]:
            return self._from_end[index]
        return self._from_end[index] + place - self._to_end[index]

    def to_folded(self, start: int, end: int) -> tuple[int, int]:
        """Return the smallest span of the fold that stands for `start` to `end` of the source."""
        first = bisect_right(self._from, start) - 1
        if first < 0:
            begin = start
        elif start < self._from_end[first]:
            begin = self._to[first]
        else:
            begin = self._to_end[first] + start - self._from_end[first]
        last = bisect_left(self._from, end) - 1
        if last < 0:
            stop = end
        elif end <= self._from_end[last]:
            stop = self._to_end[last]
        else:
            stop = self._to_end[last] + end - self._from_end[last]
        return begin, max(begin, stop)


def _lowered(cased: str) -> str:
    """Return the lower case, with one form of sigma; where few letters are not ASCII, those one by one."""
    encoded = cased.encode("utf-8", "surrogatepass")
    others = encoded.translate(None, _ASCII)
    chars = set(others.decode("utf-8", "surrogatepass")) if _FEW * len(others) <= len(cased) else None
    if chars is None or len(chars) > _KINDS:
        return cased.lower().replace("\u03c2", "\u03c3")
    lowered = encoded.lower().decode("utf-8", "surrogatepass")
    for char in chars:
        lower = "\u03c3" if char == "\u03c2" else char.lower()
        if lower != char:
            lowered = lowered.replace(char, lower)
    return lowered


_NOTHING: tuple[tuple[int, ...], ...] = ((), (), (), ())


def fold(text: str) -> Folded:
    """Return `text` folded, in one linear pass."""
    encoded = text.encode("utf-8", "replace")
    others = encoded.translate(None, _PLAIN)
    has_runs = "  " in text
    may_be_dressed = "&" in text or "<" in text or ("]" in text and "](" in text)
    is_dressed = may_be_dressed and _DRESSED.search(text) is not None
    if not has_runs and not is_dressed and _FEW * len(others) <= len(text):
        folded = Folded(text, text, []) if not others else _few_folded(text, others.decode("utf-8", "ignore"))
        if folded is not None:
            return folded
    is_ascii = len(encoded) == len(text)
    is_set_apart = has_runs and _IS_SET_APART.search(text) is not None
    pattern = _pattern(
        is_set_apart=is_set_apart,
        is_composed=is_ascii or unicodedata.is_normalized("NFC", text),
        has_runs=has_runs,
        is_dressed=is_dressed,
        is_spaced_out=not is_ascii
        and bool(encoded.translate(None, _NEVER_UNSPACED))
        and _IS_SPACED_OUT.search(text) is not None,
    )
    return _folded(text, text, pattern.finditer(text), is_set_apart=is_set_apart)


def _few_folded(text: str, others: str) -> Folded | None:
    """Return the fold of a text in which nearly all is plain; None where what is not needs a closer look.

    `others` are its characters that are not plain. What is as long in the fold and the same wherever it stands is put
    in at once, and needs no change of offsets.
    """
    cased, run = text, " "
    breaks: list[int] = []
    places: list[int] = []
    chars = set(others)
    if len(chars) > _KINDS:
        return None
    for char in chars:
        alone = _alone(char)
        if alone is None:
            return None
        if alone != char:
            run += char
            if alone:
                cased = cased.replace(char, alone)
            if not alone.strip():
                found = breaks if alone else places
                at = text.find(char)
                while at >= 0:
                    found.append(at)
                    at = text.find(char, at + 1)
    # White space between two words is a space; beside anything else that is folded it takes a closer look.
    beside, last = run + "-", len(text) - 1
    places += [at for at in breaks if not 0 < at < last or text[at - 1] in beside or text[at + 1] in run]
    if not places:
        return Folded(text, cased, [])
    places.sort()
    return _folded(text, cased, _runs(text, places, run), is_set_apart=False)


@lru_cache(_REMEMBERED)
def _alone(char: str) -> str | None:
    """Return what stands for a character by itself: one that is as long; " " for white space, "" where that is not.

    None where characters beside it may be folded because of it, or it with them.
    """
    if char > "\uffff" or char in _NARROW_KANA or _UNSPACED.match(char) is not None:
        return None
    if not unicodedata.is_normalized("NFC", char) or re.match(f"[{_joining()}]", char) is not None:
        return None
    if char.isspace():
        return " "
    ((_, folded),) = _segments(char, False)
    return folded if folded is not None and len(folded) == 1 and not folded.isspace() else ""


def _runs(text: str, places: Sequence[int], run: str) -> Iterator[re.Match[str]]:
    """Yield what is folded around `places` of a text, in runs of these characters; the first is no space."""
    pattern = _pattern(
        is_set_apart=False, is_composed=True, has_runs=False, is_dressed=False, is_spaced_out=False
    )
    done = 0
    for place in places:
        at = place
        if at < done:
            continue
        while at > done and text[at - 1] in run:
            at -= 1
        while text[at] == " ":
            at += 1
        found = pattern.match(text, at)
        if found is not None:
            yield found
            done = found.end()


def _folded(text: str, plain: str, found_pieces: Iterable[re.Match[str]], *, is_set_apart: bool) -> Folded:
    """Return the fold of `text`: `plain`, which is as long, with what was found folded where it stands."""
    changes: list[tuple[int, int, int, int]] = []
    pieces: list[str] = []
    position = length = 0
    last = ""
    for found in found_pieces:
        at = found.start()
        for size, folded in _segments(found.group(), is_set_apart):
            begin, at = at, at + size
            if folded is None:
                before = text[begin - 1] if begin > position else last
                folded = _in_place(text, begin, at, before)  # noqa: PLW2901 - what the surroundings decide
                if folded == _JOINED:
                    folded = ""  # noqa: PLW2901
                    begin -= text[begin - 1] in _HYPHENS
            length += begin - position
            if begin > position:
                pieces.append(plain[position:begin])
            elif begin < position:  # a hyphen that was folded already, and goes
                pieces[-1] = ""
                changes.pop()
            pieces.append(folded)
            last = folded[-1:] or (text[begin - 1] if begin > position else last)
            changes.append((begin, at, length, length + len(folded)))
            length += len(folded)
            position = at
    if not pieces:
        return Folded(text, plain, changes)
    pieces.append(plain[position:])
    return Folded(text, "".join(pieces), changes)


_JOINED = "\0"


def _in_place(text: str, begin: int, end: int, before: str) -> str:
    """Return what stands for white space, or for what is off the line, at `begin` to `end`; `_JOINED` in a word.

    `before` is what stands in front of it in the fold, one code point or none.
    """
    if text[begin] in _OFF_OR_SIGN:
        return _off_line(text, begin, end, before)
    after = text[end : end + 1]
    if before == " ":
        return ""
    hyphen = before == "-"
    if hyphen or text[begin] in _JOINERS:
        if "\n" not in text[begin:end] and text[begin] not in _JOINERS:
            return " "
        letter = text[begin - 2 : begin - 1] if hyphen and begin > 1 else before
        if letter.isalpha() and after.islower():
            return _JOINED
        return "" if hyphen else " "
    if after >= _FIRST_UNSPACED and begin and _UNSPACED.match(text, begin - 1) and _UNSPACED.match(after):
        return ""
    return " "


def _off_line(text: str, begin: int, end: int, before: str) -> str:
    """Return what stands for digits or letters off the line, for primes, or for a minus, at `begin` to `end`."""
    char, marks = text[begin], text[begin:end]
    if char == _MINUS:
        return "-" if _SIGNED.match(text, end) else _MINUS
    if char in _RAISED:
        return marks.translate(_LOWERED) if before.isalpha() else marks
    if char in _PRIMES:
        is_prime = before.isalnum() or (before != "" and before in _PRIMED)
        return marks if is_prime else "".join(map(_PRIMES.__getitem__, marks))
    if char in _ORDINAL:
        letters = "".join(map(_ORDINAL.__getitem__, marks))
        return letters if before != "" and before in _RANKED and letters in _ORDINALS else marks
    digits = _MINUSES.sub("-", marks[5:-6])
    if before.isalpha():
        return digits
    return digits.translate(_TO_LOWERED if marks[3] in "bB" else _TO_RAISED)


@lru_cache(_REMEMBERED)
def _segments(piece: str, is_set_apart: bool) -> tuple[tuple[int, str | None], ...]:  # noqa: FBT001 - it is cached
    """Return the parts of what is folded: how long each is, and what stands for it; None where its place decides."""
    found: list[tuple[int, str | None]] = []
    if is_set_apart and _APART.fullmatch(piece):
        return tuple((1, "" if char == " " else _plain(char)) for char in piece)
    for part in _parts().finditer(piece):
        kind, it = part.lastgroup, part.group()
        folded: str | None = None
        if kind == "none":
            folded = ""
        elif kind == "dressing" and _IS_OFF_LINE.fullmatch(it) is None:
            folded = _undressed(it)
        elif kind == "other":
            folded = _plain(it)
        found.append((len(it), folded))
    return tuple(found)


@cache
def _parts() -> re.Pattern[str]:
    """The parts of a piece: white space with what is invisible in it, what has no width, digits off the line."""
    thin = f"{_INVISIBLE}{_CONTROLS}"
    return re.compile(
        rf"(?P<space>[{thin}]*[ {_BREAKS}][ {_BREAKS}{thin}]*)|(?P<none>[{thin}]+)"
        rf"|(?P<raised>[{_RAISED}]+|[\u2032\u2033]+|[{_ABOVE_LINE}]+|{_MINUS})"
        rf"|(?P<dressing>{_DRESSING})|(?P<other>[{_NARROW}]+|.[{_joining()}]*)",
        re.DOTALL,
    )


def _undressed(dressing: str) -> str:
    """Return what stands for an entity, an element's tag, or the joint and address of a link."""
    if dressing.startswith("]"):
        return "]"
    if dressing.startswith(("<http", "<mailto")):
        return fold(dressing[1:-1]).cased
    if not dressing.startswith("&"):
        return " " if _IS_PARTING.match(dressing) else ""
    char = unescape(dressing)
    if "&" in char and char != "&":  # no entity that there is
        return dressing
    # An entity for a space or for what is invisible is one.
    return fold(char).cased.strip() or " "


def _plain(chars: str) -> str:
    """Return what stands for one character with its marks, or for half-width Kana."""
    if chars[0] in _NARROW_KANA:
        chars = unicodedata.normalize("NFKC", chars)
    return "".join(map(_one, unicodedata.normalize("NFC", chars)))


def _one(char: str) -> str:
    if char in _PUNCTUATION:
        return _PUNCTUATION[char]
    decomposition = unicodedata.decomposition(char)
    if decomposition.startswith("<") and not decomposition.startswith(_MEANING):
        return "".join(_cased(_PUNCTUATION.get(one, one)) for one in unicodedata.normalize("NFKC", char))
    return _cased(char)


def _cased(char: str) -> str:
    """Return a character in a form of which the lower case is as long, and the same for all of its kind."""
    folded, lower = char.casefold(), char.lower()
    if len(lower) > 1:  # the Turkish capital with a dot
        return unicodedata.normalize("NFD", char)[0]
    if folded == lower or folded.lower() == lower or char == "\u03c2":
        return char
    return folded.upper() if char.isupper() else folded


@cache
def _joining() -> str:
    """Return the characters that compose with the one before them, as the inside of a class."""
    seconds: set[str] = set()
    for char in _with_forms():
        if unicodedata.combining(char):
            seconds.add(char)
        first, _, second = unicodedata.decomposition(char).partition(" ")
        if second and " " not in second and not first.startswith("<"):
            seconds.add(chr(int(second, 16)))
    seconds.update(char for char in map(chr, range(0x10000, 0x20000)) if unicodedata.combining(char))
    return _class(seconds - set(string.printable)) + _JAMO


@cache
def _changing() -> str:
    """Return the characters beside white space that fold to something else, as the inside of a class."""
    return _class({char for char in _with_forms() if _changes(char)}) + _ABOVE


def _with_forms() -> Iterator[str]:
    return (chr(code) for block in _BLOCKS for code in block)


def _changes(char: str) -> bool:
    if char in _PUNCTUATION or char in _RAISED or char in _PRIMES or char in _ORDINAL or char == _MINUS:
        return True
    if not unicodedata.decomposition(char) and char.casefold() == char.lower():
        return False
    return _plain(char) != char


def _class(chars: set[str]) -> str:
    """Return characters as ranges."""
    ranges: list[list[int]] = []
    for code in sorted(map(ord, chars)):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(rf"\U{first:08x}-\U{last:08x}" for first, last in ranges)


@cache
def _pattern(
    *, is_composed: bool, has_runs: bool, is_dressed: bool, is_spaced_out: bool, is_set_apart: bool
) -> re.Pattern[str]:
    """Return what is folded: runs of one class, each begun by one of a smaller; the rest is bounded. Linear."""
    special = f"{_BREAKS}{_CONTROLS}{_INVISIBLE}{_changing()}"
    branches: list[str] = [_SET_APART] if is_set_apart else []
    alone = ""
    if not is_composed:
        # A letter is folded with its marks, so no run of others may take it from them.
        alone = rf"(?![{_joining()}])"
        branches.append(rf"[^\s{_INVISIBLE}{_CONTROLS}](?=[{_joining()}])[{_joining()}]+")
    branches.append(rf"[{special}]{alone}(?:[{special} ]{alone})*" if alone else rf"[{special}][{special} ]*")
    if has_runs:
        branches.append(rf" {{2,}}[{special} ]*")
    if is_spaced_out:
        branches.append(_SPACED_OUT)
    if is_dressed:
        branches.append(_DRESSING)
    if alone:
        branches.append(rf"[{special}]")
    return re.compile("|".join(branches))
