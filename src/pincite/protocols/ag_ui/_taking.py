"""What a client takes of the values of our events: what our own schemas allow, and what a newer server may have added.

A value that is none is refused as a whole; an entry that is none is left out by itself, with a remark.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

from jsonschema import Draft202012Validator

from pincite.core.text import one_line
from pincite.protocols.citations_event import CITATION, CITATIONS, HIGHLIGHT, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.core.limits import Limits

# What a newer server may have added: keys, and values of a list. `const` is the version, which is asked for by itself.
_MAY_BE_NEWER = frozenset({"additionalProperties", "enum", "const"})
_LISTS: Final = {"citations": "Citation", "sources": "Source", "misses": "Miss", "uncited": "Span"}
_SCHEMAS: Final = {
    CITATIONS: "pincite-citations-1",
    CITATION: "pincite-citation-1",
    HIGHLIGHT: "pincite-highlight-1",
}
# Code points of a remark: it may say back what came in.
_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class Remark:
    """Something of a stream that was left out or ignored: `code` is stable, `message` is one line for people."""

    code: str
    message: str


def remark(code: str, message: str) -> Remark:
    """Return a remark that is safe to show."""
    return Remark(code, one_line(message, _MESSAGE))


def event_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the value of one of our events, by the event's name; a copy of your own.

    Raises:
        KeyError: we have no event of that name.
    """
    path = files("pincite.protocols").joinpath("schemas", f"{_SCHEMAS[name]}.schema.json")
    return cast("dict[str, Any]", json.loads(path.read_text(encoding="utf-8")))


@cache
def _tolerant(name: str, part: str | None = None) -> Draft202012Validator:
    """Return what says whether a value, or one entry of it, may be taken."""
    whole = event_schema(name)
    if part is not None:
        whole = {"$defs": whole["$defs"], "$ref": f"#/$defs/{part}"}
    return Draft202012Validator(_opened(whole))


def _opened(schema: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a schema that allows what it does not know."""
    if isinstance(schema, list):
        return [_opened(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    named = cast("dict[str, Any]", schema)
    opened = {name: _opened(item) for name, item in named.items() if name not in _MAY_BE_NEWER}
    return opened | ({"type": ["string", "null"]} if isinstance(named.get("enum"), list) else {})


def _fits(name: str, value: object, part: str | None = None) -> bool:
    return _tolerant(name, part).is_valid(cast("Any", value))  # pyright: ignore[reportUnknownMemberType] - its stubs leave types open


def message_of(value: object, remarks: list[Remark]) -> str | None:
    """Return which message a value of one of our events is about; None where it is none, or of another version."""
    if not isinstance(value, dict):
        remarks.append(remark("no_value", "An event about citations has no value."))
        return None
    given = cast("dict[str, Any]", value)
    version, message_id = given.get("version"), given.get("messageId")
    # True is 1 in Python, and no version.
    if isinstance(version, bool) or version != VERSION:
        remarks.append(remark("other_version", "An event about citations is of a version that is not known."))
        return None
    if not isinstance(message_id, str) or not message_id:
        remarks.append(remark("no_message_id", "An event about citations names no message."))
        return None
    return message_id


@dataclass(frozen=True, slots=True)
class Taken:
    """The value of `pincite.citations` as it was taken, and which of the entries that came each citation was."""

    value: dict[str, Any]
    places: tuple[int, ...]


def taken_citations(value: dict[str, Any], text: str, remarks: list[Remark], limits: Limits) -> Taken:
    """Return what holds of the value of `pincite.citations` for a message that reads `text`."""
    kept: dict[str, Any] = dict(value)
    replaced = value.get("text")
    if replaced is not None and not isinstance(replaced, str):
        remarks.append(remark("no_text", "The text of an event about citations is none, and left out."))
        del kept["text"]
    length = len(replaced if isinstance(replaced, str) else text)
    places: list[int] = []
    for name, part in _LISTS.items():
        found = _entries(
            value.get(name), name, lambda one, part=part: _stands(one, part, length), remarks, limits
        )
        kept[name] = [entry for _, entry in found]
        if name == "citations":
            places = [place for place, _ in found]
    status = value.get("status")
    kept["status"] = status if isinstance(status, str) else None
    return Taken(kept, tuple(places))


def _stands(entry: object, part: str, length: int) -> bool:
    """Say whether an entry is one, and lies within a text of that many code points."""
    if not _fits(CITATIONS, entry, part):
        return False
    named = cast("dict[str, Any]", entry)
    spans = [named, named.get("claim")] if part == "Citation" else [named] if part != "Source" else []
    return all(_within(span, length) for span in spans if span is not None)


def _within(span: dict[str, Any], length: int) -> bool:
    start, end = span.get("start"), span.get("end")
    if start is None or end is None:
        return start is end
    # 3.0 is a whole number to the schema, and no place in a text.
    return isinstance(start, int) and isinstance(end, int) and start <= end <= length


def _entries(
    given: object, name: str, is_one: Callable[[object], bool], remarks: list[Remark], limits: Limits
) -> list[tuple[int, Any]]:
    """Return the entries of a list that may be taken, each with its place among all."""
    if not isinstance(given, list):
        if given is not None:
            remarks.append(remark("no_list", f"`{name}` of an event about citations is no list."))
        return []
    entries = cast("list[Any]", given)
    if len(entries) > limits.agui_citations:
        remarks.append(remark("too_many", f"`{name}` has more than {limits.agui_citations:,} entries."))
    found: list[tuple[int, Any]] = []
    for place, entry in enumerate(entries[: limits.agui_citations]):
        if is_one(entry):
            found.append((place, entry))
        else:
            remarks.append(remark("bad_entry", f"Entry {place} of `{name}` is none, and left out."))
    return found


def taken_citation(value: dict[str, Any], text: str) -> bool:
    """Say whether the value of `pincite.citation` may be taken for a message that reads `text` so far."""
    return _fits(CITATION, value) and _within(value, len(text))


def taken_highlights(
    value: dict[str, Any], places: tuple[int, ...], remarks: list[Remark], limits: Limits
) -> tuple[dict[str, Any], ...]:
    """Return the entries of `pincite.highlight` that hold, each with the place of its citation among those taken."""
    mine = {place: mine for mine, place in enumerate(places)}

    def is_one(entry: object) -> bool:
        if not _fits(HIGHLIGHT, entry, "Highlight"):
            return False
        named = cast("dict[str, Any]", entry)
        return named["citation"] in mine and _within(named, named["end"])

    found = _entries(value.get("highlights"), "highlights", is_one, remarks, limits)
    return tuple({**entry, "citation": mine[entry["citation"]]} for _, entry in found)
