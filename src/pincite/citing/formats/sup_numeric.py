"""`<sup>3</sup>`: the number of a passage, printed with it and unlike any other of the conversation."""

from __future__ import annotations

import re

from pincite.citing.formats.base import WireFormat

SUP_NUMERIC = WireFormat(
    name="sup_numeric",
    key_field="number",
    opening="<sup>",
    closing="</sup>",
    # A positive number, ASCII digits, no leading zero: bounded, linear.
    key=re.compile(r"[1-9][0-9]{0,8}"),
    full=False,
    teaching=(
        "Every passage you are given has a `number`. After each sentence that rests on a passage, write that "
        "passage's number as printed with it, in a superscript tag, for example <sup>3</sup>. When a sentence "
        "rests on several passages, write one tag after another. Do not count passages yourself and do not "
        "renumber them: the numbers go on over the whole conversation. Never write a number that you were not "
        "given."
    ),
)
"""The model writes `<sup>3</sup>`, the number that the passage was shown with."""
