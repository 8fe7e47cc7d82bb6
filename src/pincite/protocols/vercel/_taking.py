"""What is taken of the citations that a browser sends back: whoever wrote them may have made them up.

An entry that is none is left out by itself, with a remark. What is kept has the types and the words of our own event,
places that lie in its text and agree in both units, and no address but one that is safe as a link.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from pincite.core.bibliography import Bibliography
from pincite.core.errors import InputError
from pincite.core.offsets import OffsetMap
from pincite.core.surrogates import whole, whole_json
from pincite.core.text import one_line
from pincite.core.urls import LINK_CODE_POINTS, UPLOAD, safe_link
from pincite.protocols.citations_event import VERSION
from pincite.protocols.vercel.parts import shown_source_of

if TYPE_CHECKING:
    from pincite.core.limits import Limits

# Code points of a remark and of its path: both may say back what came in.
_MESSAGE, _PATH = 300, 200
# What a browser acts on although it leads to no page, or leads out of the page without a scheme: anchored, linear.
_ACTS = re.compile(r"(?i)(?:about|blob|data|file|filesystem|javascript|vbscript|view-source):|//|\\\\")
# The greatest whole number that a browser counts exactly.
_MOST: Final = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that was left out of loaded messages: `code` is stable, `message` is one line for people.

    `path` is a JSON Pointer (RFC 6901) into the messages.
    """

    code: str
    message: str
    path: str


class Remarks:
    """The first `limits.agui_diagnostics` remarks on what a client sent."""

    __slots__ = ("_most", "kept")

    def __init__(self, limits: Limits) -> None:
        self.kept: list[Remark] = []
        self._most = limits.agui_diagnostics

    def add(self, code: str, message: str, path: str) -> None:
        """Keep a remark as long as there is room."""
        if len(self.kept) < self._most:
            self.kept.append(Remark(code, one_line(message, _MESSAGE), one_line(path, _PATH)))


def _name(given: str) -> str:
    """Return what names something as it is.

    Raises:
        ValueError: it is no line that shows what it holds, or an address that is no safe link.
    """
    if len(given) > LINK_CODE_POINTS or one_line(given, LINK_CODE_POINTS) != given:
        msg = "it is no name"
        raise ValueError(msg)
    is_address = "://" in given and not given.startswith(UPLOAD)
    if _ACTS.match(given) is not None or (is_address and safe_link(given) is None):
        msg = "it is an address that is no safe link"
        raise ValueError(msg)
    return given


_Name = Annotated[str, AfterValidator(_name)]
# A word of a list of ours; a newer server may have more of them.
_Word = Annotated[str, StringConstraints(pattern=r"^[a-z_]{1,40}\z")]
_Offset = Annotated[int, Field(ge=0, le=_MOST)]
_Number = Annotated[int, Field(ge=1, le=_MOST)]
_Seconds = Annotated[float, Field(allow_inf_nan=False)]


class _Entry(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore")


class _Locator(_Entry):
    page: int = 0
    page_end: int = 0
    line: int = 0
    line_end: int = 0
    slide: int = 0
    slide_end: int = 0
    paragraph: int = 0
    paragraph_end: int = 0
    page_label: str = ""
    sheet: str = ""
    cells: str = ""
    pointer: str = ""
    part: str = ""
    columns: str = ""
    time: _Seconds = 0
    time_end: _Seconds = 0
    headings: list[str] = []
    ocr: bool = False


class _Span(_Entry):
    start: _Offset
    end: _Offset
    start_utf16: _Offset
    end_utf16: _Offset


class _Miss(_Span):
    reason: _Word
    suggestion: _Name | None


class _Citation(_Entry):
    number: _Number | None
    verdict: _Word | None
    quote_verdict: _Word | None
    support_verdict: _Word | None
    ref: _Name | None
    evidence_id: _Name | None
    locator: _Locator
    confidence: _Word | None
    source_state: _Word | None
    anchor: _Word | None
    chunk_id: _Name | None
    document_id: _Name | None
    version: _Name | None
    start: _Offset | None
    end: _Offset | None
    start_utf16: _Offset | None
    end_utf16: _Offset | None
    claim: _Span | None


class _Source(_Entry):
    number: _Number
    title: str | None
    document_id: _Name | None
    source_key: str | None
    source_uri: str | None
    locator: _Locator
    bibliography: dict[str, Any]
    sourceId: _Name | None = None  # noqa: N815 - the AI SDK's name, beside ours


LISTS: Final[dict[str, type[_Entry]]] = {
    "citations": _Citation,
    "sources": _Source,
    "misses": _Miss,
    "uncited": _Span,
}
"""The lists of a value of `pincite.citations`, and what an entry of each is."""


def is_number(given: object) -> bool:
    """Say whether something is a whole number; True is none."""
    return isinstance(given, int) and not isinstance(given, bool)


def told_of(
    given: object, texts: int, remarks: Remarks, path: str
) -> tuple[int | None, dict[str, Any]] | None:
    """Return which of a message's text parts a value of `pincite.citations` is about, and the value.

    None where it is no value, of another version, or about a text that is not there.
    """
    if not isinstance(given, dict):
        remarks.add("no_value", "A data part about citations holds none.", path)
        return None
    data = cast("dict[str, Any]", given)
    version, index = data.get("version"), data.get("textIndex")
    # True is 1 in Python, 1.0 is, and both are no version.
    if not is_number(version) or version != VERSION:
        remarks.add("other_version", "A data part about citations is of a version that is not known.", path)
        return None
    if index is not None and not (is_number(index) and 0 <= index < texts):
        remarks.add("unknown_text", "A data part about citations is of a text that is not there.", path)
        return None
    return index, data


def taken(
    data: dict[str, Any], message_id: str, text: str, remarks: Remarks, path: str, limits: Limits
) -> dict[str, Any]:
    """Return what holds of a value of `pincite.citations` for a text of the message."""
    units = OffsetMap(text)
    value: dict[str, Any] = {"version": VERSION, "messageId": message_id}
    for name in ("conversationId", "text", "raw", "textId", "textIndex", "status"):
        given = data.get(name)
        if given is not None and not _is_kept(name, given):
            remarks.add("bad_field", f"`{name}` of a data part about citations is none.", f"{path}/{name}")
            given = None
        if given is not None or (name in data and name in {"textId", "textIndex", "status"}):
            value[name] = whole(given) if isinstance(given, str) else given
    for name, kind in LISTS.items():
        value[name] = _entries(data.get(name), kind, units, len(text), remarks, f"{path}/{name}", limits)
    value.setdefault("status", None)
    return value


def _is_kept(name: str, given: object) -> bool:
    if name == "textIndex":
        return is_number(given)
    if not isinstance(given, str):
        return False
    if name == "status":
        return re.fullmatch(r"[a-z_]{1,40}", given) is not None
    if name in {"text", "raw"}:
        return True
    try:
        return bool(_name(given))
    except ValueError:
        return False


def _entries(
    given: object,
    kind: type[_Entry],
    units: OffsetMap,
    length: int,
    remarks: Remarks,
    path: str,
    limits: Limits,
) -> list[dict[str, Any]]:
    if not isinstance(given, list):
        if given is not None:
            remarks.add("no_list", "A list of a data part about citations is none.", path)
        return []
    entries = cast("list[Any]", given)
    if len(entries) > limits.agui_citations:
        remarks.add("too_many", f"It has more than {limits.agui_citations:,} entries.", path)
    found: list[dict[str, Any]] = []
    for place, entry in enumerate(entries[: limits.agui_citations]):
        where = f"{path}/{place}"
        try:
            read = kind.model_validate(entry)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            named = "/".join(str(part) for part in first["loc"])
            remarks.add("bad_entry", f"It is left out: {first['msg']}.", f"{where}/{named}".rstrip("/"))
            continue
        if not _stands(read, units, length):
            remarks.add("bad_place", "It is left out: it stands nowhere in its text.", where)
            continue
        kept = _as_given(read, entry)
        found.append(_safe(kept, remarks, where, limits) if isinstance(read, _Source) else kept)
    return found


def _as_given(read: BaseModel, entry: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an entry that are known, as they came; halves of characters are gone."""
    kept: dict[str, Any] = {}
    for name in read.model_fields_set:
        item = getattr(read, name)
        kept[name] = _as_given(item, entry[name]) if isinstance(item, BaseModel) else entry[name]
    return whole_json({name: kept[name] for name in entry if name in kept})


def _stands(entry: _Entry, units: OffsetMap, length: int) -> bool:
    """Say whether the places of an entry lie in a text of `length` code points, the same in both units."""
    if isinstance(entry, _Citation):
        claim = entry.claim
        if claim is not None and not _agrees(claim.start, claim.end, claim, units, length):
            return False
        four = (entry.start, entry.end, entry.start_utf16, entry.end_utf16)
        if all(one is None for one in four):
            return True
        return (
            entry.start is not None
            and entry.end is not None
            and _agrees(entry.start, entry.end, entry, units, length)
        )
    return not isinstance(entry, _Span) or _agrees(entry.start, entry.end, entry, units, length)


def _agrees(start: int, end: int, told: _Span | _Citation, units: OffsetMap, length: int) -> bool:
    return (
        start <= end <= length
        and units.to_utf16(start) == told.start_utf16
        and units.to_utf16(end) == told.end_utf16
    )


def _safe(source: dict[str, Any], remarks: Remarks, path: str, limits: Limits) -> dict[str, Any]:
    """Return a source in which no address is but a safe link, and whose labels are one line."""
    shown = shown_source_of(source, limits)
    if source["source_uri"] is not None and shown["source_uri"] is None:
        remarks.add("no_link", "Its address is no safe link, and left out.", f"{path}/source_uri")
    try:
        shown["bibliography"] = Bibliography.from_dict(source["bibliography"]).as_dict()
    except InputError as error:
        remarks.add("bad_bibliography", f"Its bibliography is left out: {error}", f"{path}/bibliography")
        shown["bibliography"] = {}
    return shown
