"""What reads as one of our markers in a source, put into look-alike brackets, and back.

A marker that stands in a source is that source's text. Each character is replaced by one other, so that offsets stay.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

# Characters of markers and what stands in for each: brackets, full-width and lenticular ones; the angles of a tag.
_BRACKETS = {"[": "⟦", "]": "⟧", "［": "⟬", "］": "⟭", "【": "〖", "】": "〗"}
_ANGLES = {"<": "‹", ">": "›"}
# The private-use marks that another provider's markers are made of, wherever they stand.
_MARKS = {"\ue200": "⦃", "\ue201": "⦄", "\ue202": "⦂"}
_BRACKETS_TO, _TAG_TO = str.maketrans(_BRACKETS), str.maketrans(_BRACKETS | _ANGLES)
_MARKS_TO = str.maketrans(_MARKS)
_ALL_TO = str.maketrans(_BRACKETS | _ANGLES | _MARKS)
# What markers begin with; a tag only where it raises.
_OPENERS = ("[", "［", "【", "\ue200", "<s", "<S")
_BACK = str.maketrans({like: char for char, like in (_BRACKETS | _MARKS).items()})

# What the pattern is made of: a run inside brackets; numbers, ranges and lists of them; a run with a member that looks
# like a key, in any letter case and in full-width letters. Each is linear: one class, possessive or walked once.
_RUN = r"[^\[\]［］]"
_NUMBERS = r"\s*+\d++(?:\s*+[,;\-–—]\s*+\d++)*+\s*+"
_KEYED = rf"(?:{_RUN}*?[,;])??\s*+(?:[0-9a-f０-９ａ-ｆ]{{8}}|ev[0-9]{{1,3}}:){_RUN}*+"
_TARGET = r"(?=[ \t]{0,3}[(（])"
# Numbers in brackets that stand right behind a marker go with it.
_MORE = rf"(?:[\[［]{_NUMBERS}[\]］])*+"
# A marker, from its first character on: two brackets round a word, numbers, a key or the words of a link; one bracket
# round a key; one round numbers, behind neither a word nor a bracket, or before a link's target; a lens; a tag. At each
# of its beginnings a run is walked a few times, and no run holds another beginning: linear.
_MARKER = (
    r"(?i)[\[［<【](?!\[\[|[［【])(?:"
    rf"(?<=\[)\[(?:\s*+[^\[\]\s]++\s*+|{_NUMBERS}|{_KEYED}|[^\[\]]*+(?=\]\][ \t]{{0,3}}[(（]))\]\]{_MORE}"
    rf"|(?<=[\[［])(?<![\w\]].){_NUMBERS}[\]］]{_MORE}"
    rf"|(?<=[\[［]){_KEYED}(?:[\]］]{_MORE})?"
    rf"|(?<=[\[［]){_NUMBERS}(?:[\]］]{_TARGET}|］{_MORE})"
    rf"|(?<=［){_NUMBERS}\]{_MORE}"
    rf"|(?<=【)(?:[^【】†]*+†[^【】]*+|{_NUMBERS}|{_KEYED.replace(_RUN, '[^【】]')})】"
    r"|(?<=<)\s*+sup\s*+>(?=[^<>\d]*+\d)[^<>]*+<\s*+/\s*+sup\s*+>"
    r")"
)
# Markers inside one another that are taken apart. Who nests deeper has written no text, and loses all brackets.
_DEEPEST = 4
# The colon that makes an evidence id one, what stands in for it, and that in its place: each of fixed width.
_ID, _COLON = r"(?i)(?<=ev1):(?=[cs]:)", "\ua789"
_ID_LIKE = rf"(?i)(?<=ev1){_COLON}(?=[cs]:)"
# A tag of ours as it looks when it is put away: linear.
_TAG_LIKE = r"(?i)‹(\s*+/?\s*+sup\s*+)›"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def neutralised(content: str) -> str:
    """Return `content` with what looks like one of our markers in look-alikes, code point for code point.

    That is any key-like word in brackets, any double brackets that a key could stand in, bracketed numbers that
    follow neither a word nor another bracket, as `a[0]` and `x[1][2]` do, and any evidence id, which needs no brackets.
    """
    shown = _unbracketed(content)
    return _compiled(_ID).sub(_COLON, shown) if "1:" in shown else shown


def _unbracketed(content: str) -> str:
    if not content.isascii():
        if any(mark in content for mark in _MARKS):
            content = content.translate(_MARKS_TO)
        if not any(opener in content for opener in "[<［【"):
            return content
    elif "[" not in content and "<" not in content:
        return content
    for _ in range(_DEEPEST):
        shown = _compiled(_MARKER).sub(_put_away, content)
        if shown == content:
            return without_markers(shown)
        content = shown  # what stood around a marker may be one now that its inside is put away
    return content.translate(_BRACKETS_TO)


def without_markers(content: str) -> str:
    """Return `content` with everything that a scan would take for a marker put away, code point for code point."""
    from pincite.citing._scan import scan  # its patterns take longer to compile than the base import may

    if not any(opener in content for opener in _OPENERS):
        return content
    for _ in range(_DEEPEST):
        # Words in double brackets are a test of a shell or a page of a wiki, and no key but for another's own.
        found = [one for one in scan(content).occurrences if one.full or " " not in one.key.strip()]
        if not found:
            return content
        pieces: list[str] = []
        position = 0
        for occurrence in found:
            start, end = occurrence.marker
            if start >= position:
                pieces += [content[position:start], content[start:end].translate(_ALL_TO)]
                position = end
        content = "".join([*pieces, content[position:]])
    return content.translate(_ALL_TO)


def _put_away(found: re.Match[str]) -> str:
    return _look_alike(found[0])


@lru_cache(256)  # a source writes the same few markers over and over
def _look_alike(marker: str) -> str:
    return marker.translate(_TAG_TO if marker[0] == "<" else _BRACKETS_TO)


def restored(text: str) -> str:
    """Return `text`, which may quote a neutralised source, as the source has it: `neutralised` the other way round."""
    if text.isascii():
        return text
    text = text.translate(_BACK)
    if _COLON in text:
        text = _compiled(_ID_LIKE).sub(":", text)
    return _compiled(_TAG_LIKE).sub(r"<\1>", text) if "‹" in text else text
