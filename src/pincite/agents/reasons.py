"""Errors of others, said in one sentence of their own."""

from __future__ import annotations

import re
from typing import Final

from pincite.core.sentences import split_sentences
from pincite.core.text import normalise, one_line

# Code points of a foreign error message that are looked at, and those that are passed on.
_READ: Final = 4_000
_LONGEST: Final = 300
# What stands where something was left out.
_LEFT_OUT: Final = "…"
# A path in quotation marks, which may hold blanks: from one mark to the next, linear.
_QUOTED_PATH: Final = re.compile(
    r"""'(?:[A-Za-z]:|~|\.{1,2})?[\\/][^'\n]*'|"(?:[A-Za-z]:|~|\.{1,2})?[\\/][^"\n]*\""""
)
# An address with all that stands in one word after its scheme, or a path inside a word: each begins with a bounded
# run, and goes on with one class; linear.
_PLACE: Final = re.compile(
    r"\b(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{0,30}://)(?P<rest>[^\s'\"<>]*)"
    r"|(?<![\w.~\\/-])(?:[A-Za-z]:[\\/]|\\\\|~?/|\.{1,2}[\\/])[^\s'\",;)\]}>]+"
)
# What ends the host of an address.
_AFTER_HOST: Final = re.compile(r"[/?#\\]")
# A word: linear.
_WORD: Final = re.compile(r"\S+")
# Marks that end a sentence or close what a word stands in.
_CLOSING: Final = ".,;:!?)]}'\""


def reason_of(error: BaseException) -> str:
    """Return the first sentence of a foreign error's message, without what it may give away.

    Left out are paths, of addresses all but the scheme and the host, and whole words that hold a user or a password.
    """
    text = _discreet(normalise(str(error)[:_READ]).strip()) or type(error).__name__
    start, end = split_sentences(text)[0]
    reason = one_line(text[start:end], _LONGEST)
    return reason if reason.endswith((".", "…", "!", "?")) else f"{reason}."


def _discreet(text: str) -> str:
    text = _WORD.sub(_without_user, text)
    text = _QUOTED_PATH.sub(_LEFT_OUT, text)
    return _PLACE.sub(_host, text)


def _without_user(found: re.Match[str]) -> str:
    """Return a word as it is, unless it may name somebody: then what closes it is all that stays."""
    word = found.group()
    if "@" not in word.strip("@"):
        return word
    return _LEFT_OUT + word[len(word.rstrip(_CLOSING)) :]


def _host(found: re.Match[str]) -> str:
    """Return scheme and host of an address; nothing of a path."""
    scheme, rest = found.group("scheme"), found.group("rest")
    if scheme is None:
        return _LEFT_OUT
    host = _AFTER_HOST.split(rest, maxsplit=1)[0]
    closing = rest[len(rest.rstrip(_CLOSING)) :] if len(host) < len(rest) else ""
    return f"{scheme}{host}{closing}" if host else f"{_LEFT_OUT}{closing}"
