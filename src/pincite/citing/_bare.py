"""Evidence ids that stand in no brackets of their own: bare, in parentheses, in a link's target, in code.

An evidence id is long enough to be known wherever it stands, so a look at the whole text finds what the scan of
markers went past. It runs once the text is complete, and only where there is such an id.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pincite.citing._defined import defined, defines_in_brackets, used
from pincite.citing._marks import BESIDE
from pincite.citing._spans import around, is_free, joined
from pincite.citing._written import CANONICAL, THIN, Written, is_long, malformed, read
from pincite.citing.occurrence import Occurrence

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from pincite.citing._spans import Span

# How anything begins that a scan takes for an id, full-width letters too, so that there are no fewer than it found.
_BEGINS = re.compile(r"[Ee\uff25\uff45][Vv\uff36\uff56][0-9\uff10-\uff19]{1,3}[:&\uff1a]")
# The same in lower case where all is ASCII. It begins with a literal, for which one can search fast.
_BEGINS_ASCII = re.compile(r"ev[0-9]{1,3}[:&]")
# How an id begins among words.
_BEGIN = re.compile(r"[Ee][Vv]1:[CcSs]:")
_CANONICAL = re.compile(CANONICAL)
# Marks without width that join nothing and turn nothing round: beside an id, a few of them go with it.
_BESIDE = "\u00ad\u200b\u2060\ufeff"
_FEW = 6
# Code points in front of an id, and behind it, that may belong to its marker.
_AROUND = 60
# What may be put between brackets and an id: spaces, emphasis, quotation marks, backticks, marks without width.
_DRESS = rf"[ \t\u00a0\u2000-\u200a\u202f\u3000*_^~@\"'`\u201c-\u201f\u2018-\u201b{THIN}]"
_OPEN = r"\[|&#0{0,3}91;|&#[xX]0{0,3}5[bB];|&lbrack;|&lsqb;|[\uff3b\u3010]"
# What all that may enclose an id begins with, and none of what may stand between.
_OPENERS = "[(<&\uff3b\u3010\uff08"
_CLOSE = r"\\?\]|&#0{0,3}93;|&#[xX]0{0,3}5[dD];|&rbrack;|&rsqb;|[\uff3d\u3011]"
# Brackets in some form, dress, and perhaps a word that says what it is: bounded.
_BEFORE = re.compile(
    rf"(?:(?P<bracket>{_OPEN})|(?P<parenthesis>[(\uff08])|(?P<angle><))"
    rf"{_DRESS}{{0,8}}(?:[A-Za-z]{{1,16}}[:.=]?{_DRESS}{{0,8}})?"
)
# A place in a source, as a number that a word may stand before. Bounded.
_LOCATOR = r"(?:(?:[A-Za-z]{1,9}\.?|\u00a7{1,2})[ \t]{0,3})?[0-9][0-9 ,;\-\u2013]{0,20}"
# Each of bounded parts, anchored.
_AFTER = {
    "bracket": re.compile(
        rf"{_DRESS}{{0,8}}[.,:;]?(?:{_DRESS}{{0,3}}{_LOCATOR})?{_DRESS}{{0,4}}(?:{_CLOSE})"
    ),
    "parenthesis": re.compile(rf"{_DRESS}{{0,8}}\.?{_DRESS}{{0,3}}[)\uff09]"),
    "angle": re.compile(r">"),
}
# A link whose words are a number and nothing else, as those of a citation are, and what closes it behind an id.
_NUMBERED = re.compile(
    r"(?<!\\)\[\s{0,3}\\?\[?[\^#]?\d{1,9}[a-z]?(?:[ ,;]{1,3}\d{1,9}){0,9}\\?\]?\^?\s{0,3}\]\(\s{0,3}<?"
)
_LINK_END = re.compile(r">?(?:\s{1,3}(?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'))?\s{0,3}\)")
# What ends brackets whose content is no id, or shows that it was none: another that opens, the paragraph's end.
_END = {
    "bracket": re.compile(rf"(?P<close>{_CLOSE})|\\?(?:{_OPEN})|\n(?=[ \t\r]*+\n)"),
    "parenthesis": re.compile(r"(?P<close>[)\uff09])|[(\uff08\[\]\s]"),
}
# What stands between ids that are named one after another. Bounded.
_BETWEEN = re.compile(rf"{_DRESS}{{0,{_FEW}}}(?:[,;&|/\-]|and)?[ \t\r\n>]{{0,4}}{_DRESS}{{0,{_FEW}}}")
# What stands for the part of an id that was left out.
_CUT = re.compile(r"\.\.|\u2026")
# What may stand beside ids in a code span that holds nothing else: one class.
_CODE_DRESS = re.compile(r"[` \t,;&|/]*")


class Settled(NamedTuple):
    """What the scan has settled, each in order: its markers, its code and comments, and targets that hold ids."""

    occurrences: list[Occurrence]
    code: list[Span]
    targets: list[Span]


def has_bare_ids(text: str, markers: int) -> bool:
    """Say whether more evidence ids may stand in `text`, or be named there, than its scan found `markers` of."""
    begins = _BEGINS_ASCII.findall(text.lower()) if text.isascii() else _BEGINS.findall(text)
    return len(begins) > markers or defines_in_brackets(text)


def with_bare_ids(text: str, settled: Settled, most: int) -> list[Occurrence]:
    """Return the occurrences of a text with those of its ids that are no markers; `most` limits a marker's length."""
    if not has_bare_ids(text, sum(one.form == "evidence_id" for one in settled.occurrences)):
        return settled.occurrences
    markers = joined(one.marker for one in settled.occurrences)
    definitions = {one.id: one for one in defined(text) if around(settled.code, one.label[0]) is None}
    found: list[Occurrence] = []
    for run in _runs(text, markers, definitions, settled.code, most):
        if isinstance(run, Occurrence):
            found.append(run)
        else:
            found += _occurrences(text, run, definitions, markers, settled, most)
    every = sorted([*settled.occurrences, *found], key=_start)
    if definitions:
        taken = [*(one.marker for one in every), *settled.code, *settled.targets]
        every = used(text, every, definitions.values(), taken)
    return every


def _start(occurrence: Occurrence) -> int:
    return occurrence.start


def _runs(
    text: str,
    markers: Sequence[Span],
    definitions: Container[int],
    code: Sequence[Span],
    most: int,
) -> Iterator[list[Written] | Occurrence]:
    """Yield ids that are named one after another, and whole markers that hold none."""
    run: list[Written] = []
    position = 0
    for begin in _BEGIN.finditer(text):
        at = begin.start()
        if at < position or around(markers, at) is not None:
            continue
        one = read(text, at, len(text))
        follows = bool(run) and _BETWEEN.fullmatch(text, run[-1].end, at) is not None
        if one is None:
            half = None if follows else _half(text, at, markers, code, most)
            if half is not None:
                if run:
                    yield run
                    run = []
                yield half
                position = half.end
                continue
            one = malformed(text, at, len(text), among_words=True)
            if one is None or not (follows or at in definitions or is_long(one)):
                continue
        if run and not follows:
            yield run
            run = []
        run.append(one)
        position = one.end
    if run:
        yield run


def _occurrences(
    text: str,
    run: Sequence[Written],
    definitions: Container[int],
    markers: Sequence[Span],
    settled: Settled,
    most: int,
) -> Iterator[Occurrence]:
    """Yield what a run of ids is: enclosed together, or each for itself, in code, in a target, or bare."""
    definition = run[0].start in definitions
    whole = None if definition else _enclosed(text, run, markers, settled, most)
    if whole is None and len(run) == 1 and around(settled.code, run[0].start) is None:
        whole = _numbered(text, run[0], markers)
    floor = 0
    for one in run:
        if whole is not None:
            place, marker = whole
            span = marker if len(run) == 1 else (one.start, one.end)
            where = "bracket" if place == "number" else place
            where = "group" if len(run) > 1 and place == "bracket" else where
            yield _occurrence(text, one, span, marker, where, _HOW[place])
            continue
        code = around(settled.code, one.start)
        if code is not None:
            where = "comment" if text.startswith("<!--", code[0]) else "code"
        elif around(settled.targets, one.start) is not None:
            where = "target"
        else:
            where = "definition" if definition else "bare"
        span = _with_thin(text, one, floor) if where == "bare" else (one.start, one.end)
        floor = span[1]
        yield _occurrence(text, one, span, span, where, _HOW.get(where, ""))


_HOW = {
    "bare": "no brackets round the id", "parenthesis": "parentheses round the id", "bracket": BESIDE,
    "definition": "a definition of the id", "number": "a link round the number",
}  # fmt: skip


def _occurrence(text: str, one: Written, span: Span, marker: Span, where: str, how: str) -> Occurrence:
    return Occurrence(
        *span, one.key, text[span[0] : span[1]], marker,
        full=True, in_code=where in ("code", "comment"), definition=where == "definition", form="evidence_id",
        repairs=(*one.repairs, how) if how else one.repairs, in_link=where == "target", where=where,
    )  # fmt: skip


def _with_thin(text: str, one: Written, floor: int) -> Span:
    """Return the place of an id with the marks without width beside it, down to code point `floor`."""
    start, end = one.start, one.end
    while start > max(floor, one.start - _FEW) and text[start - 1] in _BESIDE:
        start -= 1
    while end < min(len(text), one.end + _FEW) and text[end] in _BESIDE:
        end += 1
    return start, end


def _opened(text: str, at: int) -> tuple[str, int] | None:
    """Return what kind of bracket opens before code point `at`, and where, when there is nothing but dress between."""
    low = max(0, at - _AROUND)
    begin = max([text.rfind(opener, low, at) for opener in _OPENERS])
    found = None if begin < 0 else _BEFORE.fullmatch(text, begin, at)
    if found is None:
        return None
    is_escaped = begin > 0 and text[begin] == "[" and text[begin - 1] == "\\"
    return found.lastgroup or "", begin - is_escaped


def _enclosed(
    text: str, run: Sequence[Written], markers: Sequence[Span], settled: Settled, most: int
) -> tuple[str, Span] | None:
    """Return what encloses a run of ids, and its own place, where something does.

    A code span does not, unless it holds nothing but ids and stands in brackets: then it is dress as well.
    """
    start, end = run[0].start, run[-1].end
    opened = _opened(text, start)
    if opened is None or around(settled.targets, start) is not None:
        return None
    kind, begin = opened
    close = _AFTER[kind].match(text, end, end + _AROUND)
    if close is None or close.end() - begin > most or (kind == "angle" and begin + 1 != start):
        return None
    marker = (begin, close.end())
    if not is_free(markers, *marker):
        return None
    for span in {around(settled.code, one.start) for one in run} - {None}:
        if kind != "bracket" or not _is_dress(text, span, marker, run):
            return None
    return "bare" if kind == "angle" else kind, marker


def _numbered(text: str, one: Written, markers: Sequence[Span]) -> tuple[str, Span] | None:
    """Return the place of the link with a number for its words that an id is the target of, where there is one."""
    low = max(0, one.start - _AROUND)
    if text.rfind("](", low, one.start) < 0:
        return None
    # The brackets round the number may be doubled.
    begin = text.rfind("[", low, one.start)
    begin = next((at for at in (begin, begin - 1, begin - 2) if _NUMBERED.fullmatch(text, at, one.start)), -1)
    after = _LINK_END.match(text, one.end) if begin >= 0 else None
    if after is None or not is_free(markers, begin, after.end()):
        return None
    return "number", (begin, after.end())


def _is_dress(text: str, code: Span | None, marker: Span, run: Sequence[Written]) -> bool:
    """Say whether a code span inside of a marker holds nothing but ids."""
    if code is None or not (marker[0] < code[0] and code[1] < marker[1] and text[code[0]] == "`"):
        return False
    at = code[0]
    for one in run:
        if code[0] <= one.start < code[1]:
            if _CODE_DRESS.fullmatch(text, at, one.start) is None:
                return False
            at = one.end
    return _CODE_DRESS.fullmatch(text, at, code[1]) is not None


def _half(text: str, at: int, markers: Sequence[Span], code: Sequence[Span], most: int) -> Occurrence | None:
    """Return the whole marker that begins like an id at `at` and holds none; None where there is no such marker."""
    opened = _opened(text, at)
    if opened is None or opened[0] not in _END:
        return None
    kind, begin = opened
    end = _END[kind].search(text, at, min(len(text), begin + most))
    if end is None or end["close"] is None or not is_free(markers, begin, end.end()):
        return None
    if _CANONICAL.search(text, at, end.start()) is not None:
        return None
    span = around(code, at)
    if span is not None and (
        kind != "bracket" or span[0] < begin or span[1] > end.end() or text[span[0]] != "`"
    ):
        return None
    word = malformed(text, at, end.start())
    if word is None:
        return None
    # In parentheses a short one may be no more than the name of something.
    if kind == "parenthesis" and not (is_long(word) or _CUT.search(text, at, end.start())):
        return None
    marker = (begin, end.end())
    return _occurrence(text, word, marker, marker, kind, _HOW[kind])
