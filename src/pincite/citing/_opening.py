"""Plain markers, told at a glance; and what a stream knows of a beginning: it can only be one, and more must come."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from pincite.citing.occurrence import Occurrence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


# What a fast look at a bracket takes: one whole key, a number with a plain address and extract, or a bare number.
PLAIN = re.compile(
    r"\[(?:\[(?:([0-9a-f]{8}(?:-?[0-9a-f]){0,27})\]\]"
    r"|(\d{1,9})\]\](?:\(([^\s()<>\[\]\"'`]+)(?: \"([^\"\\\n()\[\]]*)\")?\)|(?=[^ \t(:]|\(\[\[)))"
    r"|([0-9a-f]{8}(?:-?[0-9a-f]){0,27})\]|(ev1:[0-9a-f:\-cs]{1,160})\])"
)
PLAIN_RAISED = re.compile(r"<sup>([0-9]{1,9})</sup>")
DOUBLE_REF, NUMBER, ADDRESS, EXTRACT, REF, EVIDENCE = 1, 2, 3, 4, 5, 6
FORMS = {
    DOUBLE_REF: "short_id", NUMBER: "inline_url", ADDRESS: "inline_url", EXTRACT: "inline_url", REF: "ref",
    EVIDENCE: "evidence_id",
}  # fmt: skip
PROSE = (NUMBER, REF)
# What follows these does not matter any more.
CLOSED = (NUMBER, ADDRESS, EXTRACT)


_new: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - whatever is in it


def plain_marker(found: re.Match[str], wanted: Collection[str], start: int, end: int) -> Occurrence | None:
    """Return the plain marker at code points `start` to `end`, or None when its form is not wanted."""
    kind = found.lastindex or 0
    form = FORMS[kind]
    if form not in wanted:
        if kind != DOUBLE_REF or "ref" not in wanted:
            return None
        form = "ref"
    span = (start, end)
    key = "" if kind == NUMBER else found[ADDRESS if kind == EXTRACT else kind]
    extract = found[EXTRACT] if kind == EXTRACT else None
    return _new(
        Occurrence,
        (
            start, end, key, found.group(), span, kind not in PROSE, False, False, False, form, (), extract,
            found[NUMBER] or "", (), "", False,
        ),
    )  # fmt: skip


def raised_number(found: re.Match[str], start: int, end: int) -> Occurrence:
    """Return the plain raised number at code points `start` to `end`."""
    span = (start, end)
    return _new(
        Occurrence,
        (
            start, end, str(int(found[1])), found.group(), span, True, False, False, False, "sup_numeric", (), None,
            "", (), "", False,
        ),
    )  # fmt: skip


class Opening:
    """Tells, at a glance, text that can only be the beginning of a plain marker: nothing can be said of it yet.

    `may_grow` takes what stands from a bracket or `<` on. Where its groups say that an address or an id has begun,
    `is_dull` has for the group what says of a further piece that it does not end there.
    """

    __slots__ = ("_begins", "is_dull", "may_grow")

    def __init__(self, extra: str) -> None:
        begun = (
            r"\[\[?[0-9a-f\-]{0,36}|\[[0-9a-f\-]{8,36}\]|\[\[[0-9a-f\-]{8,36}\]\]?|\[\[[0-9]{1,9}\]\]?"
            r"|\[\[[0-9]{1,9}\]\]\((?P<target>[^()\[\]\n]*)|\[e(?:v1?)?"
            r"|\[ev1:(?P<id>[0-9a-f:cs\-]{0,160})"
            r"|<(?:s(?:u(?:p(?:>(?:[0-9]{1,9}(?:<(?:/(?:s(?:u(?:p)?)?)?)?)?)?)?)?)?)?"
        )
        plain = rf"[^\[\]<`\\~\u3010\uff3b\ue200{re.escape(extra)}]"
        self._begins = re.compile(rf"{plain}*({begun})")
        self.may_grow = re.compile(begun).fullmatch
        self.is_dull: dict[str, Callable[[str], object]] = {
            "target": frozenset(")[\n").isdisjoint,
            "id": re.compile(r"[0-9a-f:cs\-]*+").fullmatch,
        }

    def start(self, piece: str) -> int:
        """Return where the beginning of a marker stands that ends `piece`, or -1."""
        found = self._begins.fullmatch(piece)
        return -1 if found is None else found.start(1)


@cache
def opening(extra: str) -> Opening:
    """Return what tells beginnings where the characters `extra` may begin a marker too."""
    return Opening(extra)
