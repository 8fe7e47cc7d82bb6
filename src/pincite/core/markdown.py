"""Foreign words inside Markdown of ours."""

from __future__ import annotations

import re

# What Markdown gives a meaning inside a line, and a dot that makes a host of two words: one class, linear.
_INLINE = re.compile(r"([\\`*_\[\]{}()#+!|~$@<>^=]|(?<=\w)\.(?=\w))")
# What makes a list, a rule or a heading of a whole line at its beginning: anchored, one run of digits.
_LINE = re.compile(r"^(\d+(?=[.)])|(?=-))")
# The colon that makes an evidence id one, in either width, and what stands in its place where the id is a source's own:
# fixed width.
_ID = re.compile(
    "(?<=[Ee\uff25\uff45][Vv\uff36\uff56][1\uff11])[:\uff1a](?=[CcSs\uff23\uff33\uff43\uff53][:\uff1a])"
)
_COLON = "\ua789"
# What opens a marker and nothing in Markdown, so that no backslash closes it: brackets of other widths, and the
# private-use mark of another provider. A mark that is not seen stands behind it then.
_OPENERS = re.compile("([［【\ue200])")
# A marker of lenses is read with a mark that is not seen in it too.
_DAGGER, _LENSES = "†", str.maketrans("【】", "〖〗")


def escaped(text: str) -> str:
    """Return one line of `text` so that Markdown and HTML show it as it is, also at the beginning of a line.

    An evidence id or a marker in it is none any more: a title may not cite another source.
    """
    text = _ID.sub(_COLON, text)
    if not text.isascii():
        if _DAGGER in text:
            text = text.translate(_LENSES)
        text = _OPENERS.sub("\\1\u200b", text)
    elements = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    safe = _INLINE.sub(r"\\\1", elements).replace("://", ":\u200b//")
    return _LINE.sub(r"\1\\", safe)
