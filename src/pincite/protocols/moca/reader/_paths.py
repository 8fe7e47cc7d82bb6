"""Where a node's references lead inside its package: keys of files, never places on a disk."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTENT: Final = "content/"
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,60}:")
# What stands behind a label in brackets: its run ends at a bracket or white space, and so at the next label. Linear.
_LINK: Final = re.compile(r"\]\([ \t]*+(?:<([^<>\n]*+)>|([^()<>\s]++))")
_CODE: Final = re.compile(r"`[^`]*+`")
_FENCE: Final = re.compile(r"\s*+(?:```|~~~)")
# How a source's resource begins that is a path; anything else is an address, or says in words what it is.
_IS_PATH: Final = re.compile(r"\.{1,2}/|/")


class Reference(NamedTuple):
    """Where a reference leads: a path in the package, None where it names the file itself, or out of the package."""

    path: str | None
    escapes: bool = False


def is_path(resource: object) -> bool:
    """Say whether a source's resource is a path in the package."""
    return isinstance(resource, str) and _IS_PATH.match(resource) is not None


def resolved(file: str, reference: str) -> Reference:
    """Return where a reference in `file` leads; a leading slash is the folder of the content."""
    clean = unquote(re.split(r"[#?]", reference, maxsplit=1)[0])
    if not clean:
        return Reference(None)
    base = CONTENT if clean.startswith("/") else posixpath.dirname(file) + "/"
    joined = posixpath.normpath(base + clean.lstrip("/"))
    if joined == ".." or joined.startswith(("../", "/")):
        return Reference(None, escapes=True)
    return Reference(unicodedata.normalize("NFC", joined))


def links(body: str) -> Iterator[str]:
    """Yield the targets of links in Markdown that lead into the package; code is no link."""
    fenced = False
    for line in body.split("\n"):
        if _FENCE.match(line) is not None:
            fenced = not fenced
        if fenced or "](" not in line:
            continue
        for found in _LINK.finditer(_CODE.sub("", line)):
            target = found[1] if found[1] is not None else found[2]
            if target and not target.startswith("#") and _SCHEME.match(target) is None:
                yield target
