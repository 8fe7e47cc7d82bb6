r"""The words of a link as a reader sees them: whether a number among them could pass for one of ours.

They are if they are a number or several and hold no letter (`[**1**](x)`), or if a number between brackets is among
them (`[see \[1\]](x)`), however it is spelt: with entities, in elements, in code, with digits of any script.
"""

from __future__ import annotations

import re
from html import unescape

from pincite.core.text import UNSEEN

# What nobody reads: comments, tags, and pictures. What is given has few code points, each beginning is looked at once.
_TAGS = re.compile(r"<[A-Za-z/!?](?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>|!\[[^\[\]]*+\]\([^()]*+\)")
_COMMENTS = re.compile(r"<!--.*?-->", re.DOTALL)
# Signs of Markdown, and what nobody sees: fillers are letters by name only.
_SIGNS = re.compile(rf"[\\*_~`{UNSEEN}\u00ad\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]")
_OPENS, _CLOSES = "\\[\uff3b\u3010", "\\]\uff3d\u3011"
# What goes to the last letter, and a digit, once every other sign for a number is one: anchored, one way back.
_TO_LETTER, _DIGIT = re.compile(r".*[^\W\d_]", re.DOTALL), re.compile(r"\d")
# A number between brackets, or several: possessive runs, none of which begins as the next does.
_NEITHER = rf"(?:(?![{_OPENS}{_CLOSES}])[\W_])*+"
_BRACKETED = re.compile(rf"[{_OPENS}]{_NEITHER}(?:\d++{_NEITHER})++[{_CLOSES}]")
_OPENING = re.compile(rf"[{_OPENS}]")
# ASCII that is no number whatever becomes of it: linear, one class.
_ASCII_NUMBER = re.compile(r"[0-9&]")


def reads_as_number(words: str, *, cut: bool, sure: bool) -> bool:
    """Say whether the words of a link read as a number of a source.

    Where `cut`, they are only the end of the words: without a letter there, they count as a number. Where they are not
    `sure`, any bracket among them may be the one that opens the link.
    """
    if not cut and words.isascii() and _ASCII_NUMBER.search(words) is None:
        return False
    if cut:
        # A tag or a comment may have begun before.
        words = words.rpartition(">")[2]
    if "-->" in words:
        words = _COMMENTS.sub("", words)
    seen = _SIGNS.sub("", unescape(_TAGS.sub("", words)))
    if not seen.isascii():
        seen = "".join("1" if one.isnumeric() and not one.isalpha() else one for one in seen)
    to_letter = _TO_LETTER.match(seen)
    if to_letter is None and (cut or sure):
        return cut or _DIGIT.search(seen) is not None
    is_number = False
    if not sure:
        opening = _OPENING.search(seen, 0 if to_letter is None else to_letter.end())
        is_number = opening is not None and _DIGIT.search(seen, opening.end()) is not None
    return is_number or _BRACKETED.search(seen) is not None
