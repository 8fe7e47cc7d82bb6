"""Plain markers, told at a glance; and what a stream knows of a beginning: it can only be one, and more must come."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pincite.citing.occurrence import Occurrence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


# What a fast look at a bracket takes: one whole key, a number with a plain address and extract, or a bare number.
_PLAIN = (
    r"\[(?:\[(?:([0-9a-f]{8}(?:-?[0-9a-f]){0,27})\]\]"
    r"|(\d{1,9})\]\](?:\((?![Ee][Vv]\d)([^\s()<>\[\]\"'`]+)(?: \"([^\"\\\n()\[\]]*)\")?\)|(?=[^ \t(:]|\(\[\[)))"
    r"|([0-9a-f]{8}(?:-?[0-9a-f]){0,27})\]"
    r"|(ev1:(?:c:[0-9a-f\-]{36}:[0-9a-f]{16}:[0-9a-f\-]{35}[0-9a-f]|s:[0-9a-f\-]{36}:[0-9a-f]{16}:[0-9]{1,12}-[0-9]{1,12}))\])"
)
PLAIN_ANY = re.compile(_PLAIN + r"|<sup>([0-9]{1,9})</sup>")
DOUBLE_REF, NUMBER, ADDRESS, EXTRACT, REF, EVIDENCE, RAISED = 1, 2, 3, 4, 5, 6, 7
FORMS = {
    DOUBLE_REF: "short_id", NUMBER: "inline_url", ADDRESS: "inline_url", EXTRACT: "inline_url", REF: "ref",
    EVIDENCE: "evidence_id",
}  # fmt: skip
PROSE = (NUMBER, REF)
# What is a key and nothing more; numbers that are raised are numbers.
KEYS = (DOUBLE_REF, REF, EVIDENCE, RAISED)
# What follows these does not matter any more.
CLOSED = (NUMBER, ADDRESS, EXTRACT)


_new: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - whatever is in it


def plain_marker(found: re.Match[str], wanted: Collection[str], start: int, end: int) -> Occurrence | None:
    """Return the plain marker at code points `start` to `end`, or None when its form is not wanted."""
    kind = found.lastindex or 0
    if kind == RAISED:
        return raised_number(found, start, end)
    form = FORMS[kind]
    if form not in wanted:
        if kind != DOUBLE_REF or "ref" not in wanted:
            return None
        form = "ref"
    written, key = found.group(0, kind)
    number, extract = "", None
    if kind in CLOSED:
        number, key, extract = found.group(NUMBER, ADDRESS, EXTRACT)
    return _new(
        Occurrence,
        (
            start, end, key or "", written, (start, end), kind not in PROSE, False, False, False, form, (), extract,
            number, (), "", False, "bracket",
        ),
    )  # fmt: skip


def raised_number(found: re.Match[str], start: int, end: int) -> Occurrence:
    """Return the plain raised number at code points `start` to `end`."""
    span = (start, end)
    return _new(
        Occurrence,
        (
            start, end, str(int(found[found.lastindex or 0])), found.group(), span, True, False, False, False,
            "sup_numeric", (), None, "", (), "", False, "raised",
        ),
    )  # fmt: skip


class Opening(NamedTuple):
    """Tells, at a glance, text that can only be the beginning of a plain marker: nothing can be said of it yet.

    `begins` takes a piece that ends in a beginning, which is its group 1. `may_grow` takes a text, and from where
    on it has to be a beginning. For what their last named group says has come up, `ends` has the character without
    which nothing more can be told, but for the end of the line.
    """

    begins: Callable[[str], re.Match[str] | None]
    may_grow: Callable[[str, int], re.Match[str] | None]
    ends: dict[str | None, str]


@cache
def opening(extra: str) -> Opening:
    """Return what tells beginnings where the characters `extra` may begin a marker too."""
    begun = (
        r"(?P<double>\[\[)[0-9a-f\-]{1,36}|\[\[?[0-9a-f\-]{0,36}|\[[0-9a-f\-]{8,36}\]|\[\[[0-9a-f\-]{8,36}\]\]?"
        r"|\[\[[0-9]{1,9}\]\]?|\[\[[0-9]{1,9}\]\]\((?P<target>[^()\[\]\n]*)|\[e(?:v1?)?"
        r"|\[ev1:(?P<id>[0-9a-f:cs\-]{0,160})"
        r"|(?P<raised><sup>[0-9]{0,9})|<(?:s(?:u(?:p(?:>(?:[0-9]{1,9}(?:<(?:/(?:s(?:u(?:p)?)?)?)?)?)?)?)?)?)?"
    )
    plain = rf"[^\[\]<`\\~\u3010\uff3b\ue200{re.escape(extra)}]"
    return Opening(
        re.compile(rf"{plain}*+({begun})").fullmatch,
        re.compile(begun).fullmatch,
        {None: "", "double": "]", "target": ")", "id": "]", "raised": ">"},
    )
