"""Names and other words of a record inside a sentence of ours: in quotation marks that nothing in them can close."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

# What reads as a double quotation mark, and what stands for it inside of ours.
_QUOTES: Final = dict.fromkeys(
    map(
        ord,
        '"\u00ab\u00bb\u02ba\u02dd\u02ee\u201c\u201d\u201e\u201f\u2033\u2036\u275d\u275e\u301d\u301e\u301f\uff02',
    ),
    "'",
)
# What shows nothing: categories, and letters and marks that are blank all the same.
_BLANK_KINDS: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_BLANKS: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
# How much more of a text is looked at than is shown of it: what is left out may stand in front.
_SPARE: Final = 8
# What a date or a time consists of, and nothing that says more: one class, bounded.
_DATE: Final = re.compile(r"[0-9][0-9TtZz:.+\-]{3,39}")
_ELLIPSIS: Final = "\u2026"


def quoted(text: str, limit: int, *, in_middle: bool = False) -> str:
    """Return a text in quotation marks, on one line and cut to `limit` code points, at its end or in its middle.

    Control, bidi and invisible characters are gone, and a double quotation mark of any script is an apostrophe.
    """
    shown = _BLANKS.sub("", text[: limit * _SPARE] if not in_middle else text)
    shown = "".join(
        char for char in shown if unicodedata.category(char) not in _BLANK_KINDS or char.isspace()
    )
    line = one_line(shown.translate(_QUOTES), len(shown) if in_middle else limit)
    if len(line) > limit:
        front = (limit - 1) // 2
        line = f"{line[:front]}{_ELLIPSIS}{line[len(line) - (limit - 1 - front) :]}"
    return f'"{line}"'


def quoted_names(names: Sequence[str], most: int, limit: int) -> str:
    """Return the first `most` names, each quoted, and how many more there are."""
    more = len(names) - most
    told = ", ".join(quoted(name, limit) for name in names[:most])
    return told + (f" and {more} more" if more > 0 else "")


def dated(text: str, limit: int) -> str:
    """Return a date as it stands, and in quotation marks where it is none."""
    return text if _DATE.fullmatch(text) is not None else quoted(text, limit)


def one_of(text: str, known: frozenset[str], limit: int) -> str:
    """Return one of the words that are known as it stands, and any other in quotation marks."""
    return text if text in known else quoted(text, limit)
