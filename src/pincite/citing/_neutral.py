"""What reads as one of our markers in a source, put into look-alike brackets, and back.

A marker that stands in a source is that source's text. Each character is replaced by one other, so that offsets stay.
"""

from __future__ import annotations

import re
from functools import cache

# Characters of markers and what stands in for each: brackets, full-width and lenticular ones, the angles of a tag, and
# the private-use marks that another provider's markers are made of.
_LOOK_ALIKE = {
    "[": "⟦",
    "]": "⟧",
    "［": "⟬",
    "］": "⟭",
    "【": "〖",
    "】": "〗",
    "<": "‹",
    ">": "›",
    "\ue200": "⦃",
    "\ue201": "⦄",
    "\ue202": "⦂",
}
_TO = str.maketrans(_LOOK_ALIKE)
_BACK = str.maketrans({like: char for char, like in _LOOK_ALIKE.items() if char not in "<>"})
# What a marker begins with, ASCII apart. A text without any holds none.
_OPENERS = ("［", "【", "\ue200", "\ue201", "\ue202")

# One bracket, or two with a marker's key between them; a tag; a mark. Runs are possessive and end at the next bracket,
# so each character is looked at twice at most: linear.
_MARKER = r"""(?ix)
    (?P<double> \[\[ (?P<pair> [^\[\]]*+ ) \]\] )
  | (?P<single> [\[［] (?P<inner> [^\[\]［］]++ ) [\]］] )
  | (?P<lens> 【 (?P<named> [^【】]*+ ) 】 )
  | (?P<tag> < \s*+ sup \s*+ > (?P<raised> [^<>]*+ ) < \s*+ / \s*+ sup \s*+ > )
  | (?P<mark> [\ue200-\ue202] )
"""
# A member of a group that looks like a key, in any letter case and in full-width letters: anchored or behind a
# separator, linear.
_KEY_LIKE = r"(?i)(?:^|[,;])\s*+(?:[0-9a-f０-９ａ-ｆ]{8}|ev[0-9]{1,3}:)"
# Numbers, ranges and lists of them: linear, digits and separators alternate.
_NUMBERS = r"\s*+\d++(?:\s*+[,;\-–—]\s*+\d++)*+\s*+"
# What makes a link of brackets: a few blanks at most, anchored.
_TARGET = r"[ \t]{0,3}[(（]"
# A tag of ours as it looks when it is put away: fixed.
_TAG_LIKE = r"(?i)‹(\s*+/?\s*+sup\s*+)›"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def neutralised(content: str) -> str:
    """Return `content` with what looks like one of our markers in look-alike brackets, code point for code point.

    That is any key-like word in brackets, any double brackets that a key could stand in, and bracketed numbers that
    follow neither a word nor another bracket, as `a[0]` and `x[1][2]` do.
    """
    if "[" in content or "<" in content:
        return _neutralised(content)
    if content.isascii() or not any(opener in content for opener in _OPENERS):
        return content
    return _neutralised(content)


def restored(text: str) -> str:
    """Return `text`, which may quote a neutralised source, as the source has it: `neutralised` the other way round."""
    if text.isascii():
        return text
    return _compiled(_TAG_LIKE).sub(r"<\1>", text.translate(_BACK))


def _neutralised(content: str) -> str:
    pieces: list[str] = []
    done = 0
    neutral_until = -1
    for found in _compiled(_MARKER).finditer(content):
        start = found.start()
        if not _is_marker(found, content, follows=start == neutral_until):
            continue
        neutral_until = found.end()
        pieces += (content[done:start], found[0].translate(_TO))
        done = neutral_until
    return "".join([*pieces, content[done:]]) if pieces else content


def _is_marker(found: re.Match[str], content: str, *, follows: bool) -> bool:
    """Say whether brackets, a tag or a mark read as a marker; `follows` says that they stand right behind one."""
    kind = found.lastgroup
    if kind == "mark":
        return True
    if kind == "tag":
        return any(char.isdigit() for char in found["raised"])
    inside = found["pair"] or found["inner"] or found["named"] or ""
    if _compiled(_KEY_LIKE).search(inside) is not None:
        return True
    if kind == "lens" and "†" in inside:
        return True
    target = _compiled(_TARGET).match(content, found.end()) is not None
    if kind == "double" and (target or (inside and not any(char.isspace() for char in inside.strip()))):
        return True
    if _compiled(_NUMBERS).fullmatch(inside) is None:
        return False
    before = content[found.start() - 1 : found.start()]
    return follows or target or kind != "single" or not (before.isalnum() or before in ("_", "]"))
