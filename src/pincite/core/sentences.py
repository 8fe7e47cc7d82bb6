"""Sentences of a text as code-point spans, by rules, in linear time.

Three passes, each over compiled patterns: lines are cut into units (paragraphs, headings, list items,
table rows), each unit is searched for runs of stops together with the quotes, brackets and citation
markers glued to them, and each such candidate is decided from the word before and the word after it.
The words live in `_abbreviations`.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from itertools import chain
from typing import TYPE_CHECKING, Final

from pincite.core._abbreviations import (
    ABBREVIATIONS,
    LABELS,
    LETTER_LABELS,
    ORDINAL_LEADS,
    ORDINAL_NOUNS,
    PARTICLES,
    STARTERS,
    STREETS,
    TIME_WORDS,
    UNITS,
    Kind,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["sentence_at", "split_sentences"]

Span = tuple[int, int]

# --- Lines and units -----------------------------------------------------------------------------

# One class at its beginning, which is looked for far faster than one of several endings.
_NEWLINE: Final = r"[\n\r\u2028\u2029](?:(?<=\r)\n)?+"
_BLANKS: Final = r"[^\S\n\r\u2028\u2029]*+"
# Takes what Markdown puts at a line start; linear: possessive runs, each on one line.
_MARK: Final = (
    r"(?:(?P<heading>\#{1,6}(?=\s|\Z))|(?P<row>\|)|(?P<bullet>[-*+•‣▪◦](?=[ \t]))"
    r"|(?P<number>\d{1,3}+)(?=[.)][ \t])|(?P<rule>[-=*_]{3,}+(?=\s|\Z)))"
)
# What stands between two cells of a row, as our readers write one.
_BAR: Final = " | "
# The same, or the start of a line with a bar in it; linear: each line is looked through once.
_MARK_OR_CELLS: Final = rf"(?:{_MARK}|(?P<cells>(?=[^\n\r]*? \| )))"
# Takes one line end with the blank lines and the mark after it; linear: every run is possessive.
_ENDED: Final = rf"{_NEWLINE}(?P<blank>(?<=\u2029)\s*+|{_BLANKS}{_NEWLINE}\s*+)?+{_BLANKS}"
_LINE: Final = re.compile(rf"{_ENDED}{_MARK}?+")
_LINE_OR_CELLS: Final = re.compile(rf"{_ENDED}{_MARK_OR_CELLS}?+")
# Take the mark at the start of the text; linear: anchored by `match`.
_FIRST_MARK: Final = re.compile(rf"(?P<blank>){_MARK}")
_FIRST_MARK_OR_CELLS: Final = re.compile(rf"(?P<blank>){_MARK_OR_CELLS}")
# Takes a line end and the next line as far as its first bar; linear: anchored, one line.
_ROW_BELOW: Final = re.compile(r"\r?\n[^\n\r]*? \| ")
_WHOLE_LINES: Final = frozenset({"heading", "row", "rule", "cells"})
# Takes the end of a line; linear: one character.
_LINE_END: Final = re.compile(r"[\n\r\u2028\u2029]")
# Takes the first character that is not a space; linear: one character.
_INK: Final = re.compile(r"\S")

# --- Stops and what is glued to them -------------------------------------------------------------

# Stops that need a space after them, and stops that end a sentence wherever they stand.
_NARROW: Final = ".!?…‽‼⁇⁈⁉"
_WIDE: Final = "。！？｡．؟۔।॥։።፧፨។៕။᠃᱾᱿"
_STOPS: Final = _NARROW + _WIDE
_CJK: Final = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_GREEK: Final = r"\u0370-\u03ff\u1f00-\u1fff"

_URL: Final = r"\([^()\n]{0,2000}+(?:\([^()\n]{0,300}+\)[^()\n]{0,2000}+)?+\)"
_TAG: Final = r"<sup\b[^<>]{0,300}+>(?:<a\b[^<>]{0,300}+>)?+[^<>\n]{1,80}+(?:</a>)?+</sup>|</[a-z]\w{0,15}+>"
_PRIVATE: Final = r"\ue200[^\ue200\ue201]{1,200}+\ue201|【(?=\d)[^【】\n]{1,200}+】"
# A bracket that can only be a citation: `[3]`, `[1, 2]`, `[^a]`, `[9f2a1b7c]`, `[ev1:c:x:y]`, `[[3]](url)`.
_CITATION: Final = (
    rf"(?:\[(?:\[[^\[\]\n]{{1,200}}+\]|[\d^@#†‡*][^\[\]\n]{{0,199}}+)\](?:{_URL})?+"
    r"|\[(?:(?=[^\[\]\s]{0,199}[\d:])[^\[\]\s,;]{1,200}+(?:[,;] ?[^\[\]\s,;]{1,200}+)*+|[0-9a-f]{8,64}+)\](?!\()"
    rf"|{_TAG}|{_PRIVATE})"
)
_SPACED: Final = rf"[ \t\u00a0\u202f]{{1,2}}+{_CITATION}"
# Glued to a narrow stop: closing marks, any short bracket, a citation, raised or plain reference numbers.
_NARROW_TAIL: Final = (
    r"(?:[\"'”’“‘»›«‹)\]}*_~`」』）】》〉†‡⁰¹²³⁴-⁹⁺⁻]++"
    r"|[,;](?=[\[⁰¹²³⁴-⁹])|[ \u00a0\u202f][»›](?=[\s.,;:!?\[(<]|\Z)"
    rf"|{_CITATION}|\[[^\[\]\n]{{1,200}}+\](?:{_URL})?+|\([^()\n]{{1,120}}+\)|{_SPACED}){{0,12}}+"
    r"(?P<digits>\d{1,3}+(?:[,–-]\d{1,3}+){0,9}+)?+"
)
# Glued to a wide stop, where a straight or low quote may just as well open the next sentence.
_WIDE_TAIL: Final = (
    r"(?P<wide>(?:[”’»›)\]}」』）】》〉］｝〕]++"
    rf"|[\"'“‘*_~`]++(?=[\s\[<]|\Z)|{_CITATION}|{_SPACED}){{0,12}}+)"
)
# Takes a run of stops, or `;` after Greek, and its tail; linear: a run is tried only at its first
# stop, and a tail has at most twelve parts, each bounded or free of stops.
_STOP: Final = re.compile(
    rf"(?P<run>[{_STOPS};\u037e](?:(?<=[{_GREEK}][;\u037e])|(?<=[{_STOPS}])(?<![{_STOPS}]{{2}})[{_STOPS}]*+))"
    rf"(?:(?<=[{_WIDE}]){_WIDE_TAIL}|{_NARROW_TAIL}(?=\s|\Z)|(?<=[!?])(?=[{_CJK}]))",
)

# --- What stands around a stop -------------------------------------------------------------------

_OPENERS: Final = "\"'“”„‘’‚«‹»›「『（《〈【([{*_~`¿¡–—-"
# Takes spaces, opening marks and the next word; linear: anchored by `match`, possessive runs.
_NEXT: Final = re.compile(
    rf"\s*+(?P<open>[{re.escape(_OPENERS)}]{{0,8}}+)"
    r"(?P<word>[^\W\d_]{1,24}+['’]?+|\d{1,9}+)?+(?P<dot>\.)?+",
)
_EDGES: Final = r"\s()\[\]{}\"“”„«»‹›—–/,;:!?…*_~`|<>"
# Takes the last two words of a reversed window; linear: anchored by `match`, the window is short.
_BACK: Final = re.compile(rf"(?P<token>[^{_EDGES}]*+)(?:\s++(?P<before>[^{_EDGES}]*+))?+")
# Takes what begins a sentence in lower case, iPhone, pH, b) or iv); linear: at most five characters.
_LOWER_START: Final = re.compile(r"[a-z]{1,2}[A-Z]|(?:[a-z]|[ivx]{1,4})\)")
# Takes U.S, e.g or J.-P; linear: each letter is followed by one stop.
_ACRONYM: Final = re.compile(r"(?:[^\W\d_]\.-?)++[^\W\d_]")
# Takes 1, 4.2.1, A.1, 2b, a letter or a small Roman number; linear: the token is short.
_ENUMERATOR: Final = re.compile(
    r"(?:[^\W\d_]\.?)?+\d{1,3}+(?:\.\d{1,3}+)*+[a-z]?+|[^\W_]|[IVX]{1,6}+|[ivx]{1,6}+",
)
# Takes what may follow "No.", "Fig." or "Sec."; linear: the word is short.
_NUMBERLIKE: Final = re.compile(r"\d+|[^\W\d_]|[IVXLCDM]+")
# Takes what may follow "no." or "approx."; linear: the word is short.
_DIGITLIKE: Final = re.compile(r"\d+|[IVXLCDM]{2,}")
# Takes the first part of a spaced date such as "2. 3. 2020"; linear: at most three characters.
_DAY: Final = re.compile(r"\d{1,2}\.")
_THAI_LAO: Final = ("\u0e00", "\u0eff")
# Japanese particles that carry a sentence on after a closed quotation.
_PARTICLES_JA: Final = frozenset("とをのにがや、，,")
_CONTINUES: Final = frozenset(",;:.)]}?!…%=")
_MARKUP: Final = "\"'“„‘«»([*_#+-–—•> \t\u00a0"
_COUNTS: Final = frozenset({Kind.NUMBER, Kind.DIGITS})
_WINDOW: Final = 48
_ORDINAL_DIGITS: Final = 3
_LONGEST_LABEL: Final = 24


def split_sentences(text: str) -> list[Span]:
    """Return the spans of the sentences of `text`, in code points and in order.

    Spans are trimmed and never overlap, and only whitespace lies between them. Blank lines, headings,
    list items and table rows bound sentences; a single line end does not.
    """
    spans: list[Span] = []
    for start, end, whole in _units(text):
        if whole:
            spans.append((start, end))
        else:
            spans.extend(_sentences(text, start, end))
    return spans


def sentence_at(spans: list[Span], offset: int) -> Span | None:
    """Return the span that holds the code point at `offset`, or None between sentences."""
    place = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    if place >= 0 and offset < spans[place][1]:
        return spans[place]
    return None


def _units(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the trimmed spans no sentence may cross, and whether each is one sentence whole."""
    start, whole = 0, False
    for cut, next_whole in _cuts(text):
        piece = text[start:cut]
        if bare := piece.strip():
            lead = start + len(piece) - len(piece.lstrip())
            yield lead, lead + len(bare), whole
        start, whole = cut, next_whole


def _cuts(text: str) -> Iterator[tuple[int, bool]]:
    """Yield each hard break, and whether the unit after it is one sentence whole."""
    ink = _INK.search(text)
    if ink is None:
        return
    # Cells are looked for up to the end of each line, so only where there are any.
    opening, lines = (_FIRST_MARK_OR_CELLS, _LINE_OR_CELLS) if _BAR in text else (_FIRST_MARK, _LINE)
    first = opening.match(text, ink.start())
    counted, row_end = 0, -1
    for line in chain([first] if first else [], lines.finditer(text, ink.start())):
        mark, fresh = line.lastgroup, line["blank"] is not None
        if mark == "cells" and not _is_row(text, line, row_end):
            mark = "blank" if fresh else None
        if mark is None:
            continue
        if mark == "number":
            number = int(line["number"])
            if not fresh and not _continues_list(text, line, number, counted):
                continue
            counted = number
        elif fresh:
            counted = 0
        # A rule under a line of text underlines a heading, and so closes its unit without opening one.
        if fresh or mark != "rule":
            yield line.start(), mark in _WHOLE_LINES
        if mark in _WHOLE_LINES:
            row_end = _line_end(text, line.end())
            yield row_end, False
    yield len(text), False


def _is_row(text: str, line: re.Match[str], row_end: int) -> bool:
    """Tell a row from prose with a bar in it: another stands right above, where `row_end` is its end, or below."""
    if line["blank"] is None and line.start() == row_end:
        return True
    return _ROW_BELOW.match(text, _line_end(text, line.end())) is not None


def _line_end(text: str, at: int) -> int:
    end = _LINE_END.search(text, at)
    return end.start() if end else len(text)


def _continues_list(text: str, line: re.Match[str], number: int, counted: int) -> bool:
    """Tell a numbered item from a number that a wrapped line happens to begin with.

    As in CommonMark, only 1 may interrupt a paragraph; a later number must follow its predecessor or
    a line that has ended.
    """
    above = text[max(0, line.start() - _WINDOW) : line.start()].rstrip()
    if above.endswith((":", ";", *_STOPS)):
        return True
    after = _NEXT.match(text, line.end() + 1)
    if after is not None and after["word"] in ORDINAL_NOUNS:
        return False
    return number in {1, counted + 1}


def _sentences(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the sentences of one trimmed unit."""
    for stop in _STOP.finditer(text, start, end):
        if _is_plain_end(text, start, stop, end):
            yield start, stop.end()
            start = stop.end() + 1
            continue
        after = _NEXT.match(text, stop.end(), end)
        if after is None or after.start("open") >= end:
            break
        if _ends(text, start, stop, after):
            yield start, stop.end()
            start = after.start("open")
    yield start, end


def _is_plain_end(text: str, start: int, stop: re.Match[str], end: int) -> bool:
    """Tell most ends without what `_ends` does, which says the same: `word. Next`, and the word is no abbreviation.

    Behind a bracket that closes, a citation's as a rule, there is no word at all: `word [1]. Next`.
    """
    dot, behind = stop.span()
    if behind != dot + 1 or text[dot] != "." or behind + 1 >= end or text[behind] != " ":
        return False
    if not "A" <= text[behind + 1] <= "Z":
        return False
    if dot > start and text[dot - 1] == "]":
        return True
    low = max(start, dot - _WINDOW)
    token = text[max(low, text.rfind(" ", low, dot) + 1) : dot]
    return _PLAIN_WORDS[token] if len(token) < _WINDOW else False


class _PlainWords(dict[str, bool]):
    """Words to whether a full stop behind one, and a capital behind that, end a sentence whatever stands before."""

    def __missing__(self, token: str) -> bool:
        if len(self) >= _REMEMBERED:
            self.clear()
        is_plain = token.isascii() and token.isalpha() and len(token) > _SHORTEST_PLAIN
        self[token] = found = (
            is_plain
            and token not in _LAST_WORDS
            and _lookup(token) is None
            and _ENUMERATOR.fullmatch(token) is None
        )
        return found


_PLAIN_WORDS: Final = _PlainWords()
_REMEMBERED: Final = 20_000
_SHORTEST_PLAIN: Final = 3
# With what abbreviations of several words, or of several parts, end.
_LAST_WORDS: Final = frozenset(re.split(r"[\s.]+", name)[-1] for name in ABBREVIATIONS)


def _ends(text: str, start: int, stop: re.Match[str], after: re.Match[str]) -> bool:
    """Decide whether the sentence that began at `start` ends with this stop."""
    at = stop.start()
    following = text[after.end("open") : after.end("open") + 1]
    word = after["word"] or ""
    if at == start or (text[at - 1] in "([（" and stop.end() > stop.end("run")):
        return False
    if stop["wide"] is not None:
        return _ends_wide(text, stop, following)
    if following in _CONTINUES or (word[:1].islower() and not _LOWER_START.match(text, after.start("word"))):
        return False
    if _is_thai(text[at - 1]) or _is_thai(following):
        return False
    run = stop["run"]
    if run != ".":
        return not (run.strip(".…") == "" and word[:1].isdecimal())
    return _period_ends(text, start, stop, after)


def _ends_wide(text: str, stop: re.Match[str], following: str) -> bool:
    """Decide a stop that needs no space: a decimal or a quotation that a particle carries on is no end."""
    if stop["run"] == "．" and following.isdecimal():
        return False
    return not (stop["wide"] and text[stop.end()] in _PARTICLES_JA)


def _is_thai(character: str) -> bool:
    """Tell whether a character is of a script that writes no sentence stops."""
    return _THAI_LAO[0] <= character <= _THAI_LAO[1]


def _period_ends(text: str, start: int, stop: re.Match[str], after: re.Match[str]) -> bool:
    """Decide a single full stop from the two words before it and the word after it."""
    dot = stop.start()
    back = _BACK.match(text[max(start, dot - _WINDOW) : dot][::-1])
    token, before = ("", "") if back is None else (back["token"][::-1], (back["before"] or "")[::-1])
    if not token.isascii():
        token = unicodedata.normalize("NFC", token)
    token = token.lstrip("'’‘")
    if stop["digits"] is not None:
        return _takes_reference(token, stop, after)
    if not token:
        return True
    if _is_enumerator(text, start, dot, token):
        return False
    kind = _kind(token, before)
    if kind is not None:
        return (token in UNITS and before[-1:].isdecimal()) or _RULES[kind](after)
    if token.isdecimal():
        return not _is_ordinal(token, before, after)
    if len(token) == 1 and token.isalpha():
        return _letter_ends(token, before, after)
    if _ACRONYM.fullmatch(token):
        return _ends_name(after)
    return True


def _takes_reference(token: str, stop: re.Match[str], after: re.Match[str]) -> bool:
    """Take `word.12 Next` as a raised reference number only where no version or file name fits."""
    plain = token == "" or (len(token) > _ORDINAL_DIGITS and token.isalpha() and token.islower())
    glued = stop.start("digits") > stop.end("run")
    return (glued or (plain and token not in ABBREVIATIONS)) and (after["word"] or "")[:1].isupper()


def _is_enumerator(text: str, start: int, dot: int, token: str) -> bool:
    """Tell whether the sentence so far is only a number or letter that counts what follows."""
    lead = dot - len(token) - start
    if lead > _LONGEST_LABEL or not _ENUMERATOR.fullmatch(token):
        return False
    label = text[start : start + lead].strip(_MARKUP).rstrip(".")
    return not label or label.lower() in LABELS or _lookup(label) in _COUNTS


def _kind(token: str, before: str) -> Kind | None:
    """Look a word up alone, joined to a dotted word before it, and paired with the word before it."""
    if before:
        joined = before + token if before.endswith(".") else f"{before.lower()} {token}"
        paired = ABBREVIATIONS.get(joined)
        if paired is not None:
            return paired
    return _lookup(token)


def _lookup(token: str) -> Kind | None:
    """Look up one abbreviation as written, then with a small first letter, then a number's in capitals."""
    kind = ABBREVIATIONS.get(token) or ABBREVIATIONS.get(token[:1].lower() + token[1:])
    if kind is None and token.endswith(STREETS):
        return Kind.DIGITS
    if kind is None and token.isupper() and ABBREVIATIONS.get(token.lower()) in _COUNTS:
        return ABBREVIATIONS[token.lower()]
    return kind


def _is_ordinal(token: str, before: str, after: re.Match[str]) -> bool:
    """Tell a German ordinal, or the day or month of a spaced date, from a number that ends a sentence."""
    if len(token) > _ORDINAL_DIGITS:
        return False
    word = after["word"] or ""
    if word.isdecimal():
        return after["dot"] is not None or _DAY.fullmatch(before) is not None
    return word in ORDINAL_NOUNS or before.lower() in ORDINAL_LEADS


def _letter_ends(token: str, before: str, after: re.Match[str]) -> bool:
    """Decide a stop after one letter: an initial, a unit after a number, or a label."""
    if before[-1:].isdecimal() and token in UNITS:
        return True
    if before.lower() in LETTER_LABELS:
        return True
    return _ends_person(after)


def _starts(after: re.Match[str]) -> str:
    """Return the next word if it is a sentence starter, else an empty string."""
    word = (after["word"] or "").replace("’", "'")
    return word if word in STARTERS and after["dot"] is None else ""


def _ends_never(_after: re.Match[str]) -> bool:
    """Decide for a word that never ends a sentence."""
    return False


def _ends_name(after: re.Match[str]) -> bool:
    """Decide for a word that may be part of a name."""
    return _starts(after) != ""


def _ends_person(after: re.Match[str]) -> bool:
    """Decide for a word that stands before a name."""
    return _starts(after) not in PARTICLES | {""}


def _ends_number(after: re.Match[str]) -> bool:
    """Decide for a word that stands before a number or letter."""
    word = after["word"]
    return word is not None and not _NUMBERLIKE.fullmatch(word)


def _ends_digits(after: re.Match[str]) -> bool:
    """Decide for a word that stands before a number."""
    word = after["word"]
    return word is not None and not _DIGITLIKE.fullmatch(word)


def _ends_closing(after: re.Match[str]) -> bool:
    """Decide for a word that closes a list or a time."""
    word = after["word"]
    return word is None or word not in TIME_WORDS


_RULES: Final[dict[Kind, Callable[[re.Match[str]], bool]]] = {
    Kind.ALWAYS: _ends_never,
    Kind.PERSON: _ends_person,
    Kind.NAME: _ends_name,
    Kind.NUMBER: _ends_number,
    Kind.DIGITS: _ends_digits,
    Kind.CLOSING: _ends_closing,
}
