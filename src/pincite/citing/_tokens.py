"""What the scan of an answer stops at, and what closes what: code, comments, tags."""

from __future__ import annotations

import re
from functools import cache

from pincite.citing._opening import PLAIN_ANY
from pincite.citing._target import Pending

BACKSLASHES = re.compile(r"\\+")
TICKS = re.compile(r"`+")
TILDES = re.compile(r"~+")
BLANK = r"\n(?=[ \t\r]*+\n)"
# What makes a definition of a label: an address without spaces, perhaps a title, and nothing more on its line.
DEFINITION = re.compile(
    r":[ \t]*(?:<[^<>\n]*>|[^\s<]\S*)(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t\r]*(?=\n|\Z)"
)
# Words of a link that act as nothing else: one class.
PLAIN_WORDS = re.compile(r"[^\[\]`\\<>!\n\r]+")
# What stands before a fence that belongs to a list item or a quotation: each step is a mark or one space.
CONTAINER = re.compile(r"(?:[ \t>]|[*+\-][ \t]|\d{1,9}[.)][ \t]){1,24}")
COMMENT_END = re.compile(r"-->")
OPENERS = re.compile(r"[\[\u3010\uff3b\ue200]")
HELD = re.compile(r"[\[<\u3010\uff3b\ue200]")
# An element or an autolink as Markdown has them: a name, attributes, quoted values; no two parts begin alike.
TAG = re.compile(
    r"<(?:[A-Za-z][A-Za-z0-9+.\-]{1,31}:[^\s<>]*>|/[A-Za-z][A-Za-z0-9\-]*\s*>"
    r"|[A-Za-z][A-Za-z0-9\-]*(?:\s+[A-Za-z_:][\w.:\-]*+(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*+\s*/?>)"
)
TAG_SO_FAR = re.compile(r"</?(?:[A-Za-z](?:[^<>\"'`]|\"[^\"]*+\"|'[^']*+')*+(?:\"[^\"]*+|'[^']*+)?)?")

FENCE = 3
# The widest fence that is looked for in list items and quotations.
DEEP = 100
BUILT_IN = frozenset("inline_url short_id ref evidence_id sup_numeric deferred".split())
# What a marker may stand in that makes code of it, or a part of a link.
IN_CODE = ("code", "comment", "attribute")
IN_LINKS = ("image", "target")
# How what looks like an autolink and is an id in angle brackets begins.
AUTOLINK = ("<e", "<E")

# What settles a stretch that may be code, a tag or a comment; what may begin a marker has to be held from there on.
MAY_OPEN = "[<\u3010\uff3b\ue200"
OPEN_CODE = Pending("`\n" + MAY_OPEN)
OPEN_LINE = Pending("\n" + MAY_OPEN)
OPEN_DEEP = Pending("~\n" + MAY_OPEN)
OPEN_TAG = Pending(">\"'`" + MAY_OPEN)
OPEN_DEFINITION = Pending("\n")
OPEN_COMMENT = Pending(">\n" + MAY_OPEN)


@cache
def special(extra: str, *, whole: bool) -> re.Pattern[str]:
    """Return what finds a plain marker, whose groups are those of `PLAIN_ANY`, or what else has to be looked at.

    The characters `extra` may begin a marker too, and then only a raised number is plain. `whole` says that the whole
    text is there.
    """
    # What can change the meaning of the text after it. Branches that begin with one literal each are searched for
    # fast. Where the whole text is there, what cannot become anything is left out by what follows it.
    branches = dict(_HOPEFUL if whole else _OPEN)
    branches.update((char, re.escape(char)) for char in extra)
    plain = PLAIN_ANY.pattern.replace(r"\[", r"\[(?!)", 1) if extra else PLAIN_ANY.pattern
    return re.compile("|".join([plain, *branches.values()]))


# Of three brackets that open, the first opens no marker.
_OPEN = {char: re.escape(char) for char in "<`\\~\u3010\uff3b\ue200"} | {"[": r"\[(?!\[\[)", "]": r"\](?=\()"}
_HOPEFUL = _OPEN | {
    "[": (
        r"\[(?=\[[^\[\]`]{1,2000}\]\]"
        r"|\s{0,3}(?:[0-9A-Fa-f]{8}|[Ee][Vv]\d|\d{1,40}\s{0,3}\][ \t]{0,3}\())"
    ),
    "<": r"<(?=[A-Za-z/!])",
    "~": r"~(?=~~)",
    "]": r"\](?=\(\s{0,3}[^\s(])",
    "\u3010": r"\u3010(?=[^\u3010\u3011\n]{1,300}\u3011)",
    "\uff3b": r"\uff3b\uff3b?(?=[^\uff3b\uff3d\n]{1,300}\uff3d)",
}


@cache
def span_close(width: int) -> re.Pattern[str]:
    # A line that opens a fence ends the paragraph, and so the span, as a blank line does.
    return re.compile(rf"(?<!`)`{{{width}}}(?!`)|{BLANK}|\n(?= {{0,3}}(?:```|~~~))")


@cache
def fence_close(char: str, width: int) -> re.Pattern[str]:
    return re.compile(rf"(?<![^\n]) {{0,3}}{re.escape(char)}{{{width},}}[ \t]*\r?(?=\n|\Z)")


@cache
def deep_fence_close(char: str, width: int) -> re.Pattern[str]:
    # The line that ends a fence of a list item or a quotation, however far it is indented.
    return re.compile(rf"\n[ \t>]{{0,24}}{re.escape(char)}{{{width},}}[ \t]*\r?(?=\n|\Z)")


def end_of(pattern: re.Pattern[str], text: str, at: int, stop: int) -> int:
    """Return where a run of `pattern` that begins at `at` ends."""
    found = pattern.match(text, at, stop)
    return at if found is None else found.end()
