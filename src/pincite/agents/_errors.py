"""Errors of others, said in one sentence of their own."""

from __future__ import annotations

from typing import Final

from pincite.core.sentences import split_sentences
from pincite.core.text import one_line

# Code points of a foreign error message that are passed on.
_LONGEST: Final = 300


def reason_of(error: BaseException) -> str:
    """Return the first sentence of a foreign error's message."""
    text = str(error).strip() or type(error).__name__
    start, end = split_sentences(text)[0]
    reason = one_line(text[start:end], _LONGEST)
    return reason if reason.endswith((".", "…", "!", "?")) else f"{reason}."
