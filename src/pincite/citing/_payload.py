"""What a tool hands to a model, taken apart: fields, items and texts, whatever objects they come as.

Nothing here recurses, so nesting of any depth is safe; parts that hold each other are entered once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import Enum
from types import ModuleType, NoneType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeGuard, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# A path is told by its last steps: a thousand levels are no place that anybody looks for.
_STEPS_TOLD = 24
_STEP_CODE_POINTS = 60
# What JSON may begin and end with where it holds more than a number.
_JSON_ENDS = frozenset({"{}", "[]", '""'})
# What is a value of its own, and no collection of parts.
_WHOLE = (str, bytes, bytearray, memoryview, int, float, Enum, type, ModuleType, NoneType)

# The common ones first: they are found by identity.
_CONTAINERS = (dict, list, Mapping, Collection)

# Bits of a whole number that is looked up as one.
_MOST_BITS = 64

NOT_JSON: Final = object()
"""What `json_in` returns for a text that is no JSON."""


class Place(NamedTuple):
    """Where a part of a payload stands: one step under another place; a step is a field, an index or a remark."""

    parent: Place | None
    step: str

    def describe(self) -> str:
        """Return the path, as in `results[2].source_url`; of a very deep one the last steps."""
        steps: list[str] = []
        place: Place | None = self
        while place is not None and len(steps) < _STEPS_TOLD:
            steps.append(place.step)
            place = place.parent
        path = "".join(reversed(steps)).removeprefix(".").removeprefix(", ")
        return path if place is None else f"…{path}"


def field_step(name: object) -> str:
    """Return the step to a field: `.name`, or the name in brackets when it is no plain word."""
    if isinstance(name, str) and name.isidentifier() and len(name) <= _STEP_CODE_POINTS:
        return f".{name}"
    return f"[{_safe_text(name)[:_STEP_CODE_POINTS]!r}]"


class Fields(NamedTuple):
    """The named parts of a value, in order."""

    named: list[tuple[object, object]]


class Items(NamedTuple):
    """The numbered parts of a value, in order."""

    items: list[object]


def opened(value: object) -> Fields | Items | None:
    """Return the parts of `value`: fields of a mapping or an object, items of a collection; None when it has none.

    An object is read as a dataclass, by `model_dump`, or by its public attributes. What fails while it is read
    has no parts: this looks at payloads, it does not judge them. Iterators are left alone, since looking would
    use them up.
    """
    kind = type(value)
    if kind is dict:
        return Fields(list(cast("dict[object, object]", value).items()))
    if kind is list:
        return Items(cast("list[object]", value))
    if issubclass(kind, _WHOLE):
        return None
    try:
        return _opened(value)
    except Exception:  # noqa: BLE001 - whatever an object of somebody else's does when it is read
        return None


def _opened(value: object) -> Fields | Items | None:
    # Types are asked, not objects: a proxy may answer to every name, or fail at any.
    kind = type(value)
    named: object = getattr(kind, "__dataclass_fields__", None) or getattr(kind, "_fields", None)
    if isinstance(named, dict | tuple):
        return _attributes(value, cast("Iterable[str]", named))
    if issubclass(kind, Mapping):
        return Fields(list(cast("Mapping[object, object]", value).items()))
    if hasattr(kind, "model_dump"):
        dumped = _dumped(cast("Any", value).model_dump)
        if dumped is not None:
            return dumped
    if issubclass(kind, Collection):
        return Items(list(cast("Collection[object]", value)))
    return None if callable(value) else _of_object(value)


def _dumped(dump: Callable[[], object]) -> Fields | None:
    try:
        found = dump()
    except Exception:  # noqa: BLE001 - then its attributes are read instead
        return None
    return (
        Fields(list(cast("Mapping[object, object]", found).items())) if isinstance(found, Mapping) else None
    )


def _of_object(value: object) -> Fields | None:
    names = dict.fromkeys(
        name
        for cls in type(value).__mro__
        for slots in [vars(cls).get("__slots__", ())]
        for name in ((slots,) if isinstance(slots, str) else cast("tuple[str, ...]", tuple(slots)))
    )
    names.update(dict.fromkeys(cast("dict[str, Any]", getattr(value, "__dict__", {}))))
    public = [name for name in names if not name.startswith("_")]
    return _attributes(value, public) if public else None


def _attributes(value: object, names: Iterable[str]) -> Fields:
    return Fields([(name, getattr(value, name, None)) for name in names])


def json_in(text: str) -> Any:  # noqa: ANN401 - any JSON value
    """Return the value of a text that is JSON and holds more than a number, else `NOT_JSON`.

    What is nested too deeply for the parser is text like any other.
    """
    inner = text.strip()
    if not inner or inner[0] + inner[-1] not in _JSON_ENDS:
        return NOT_JSON
    import json

    try:
        return json.loads(inner)
    except (ValueError, RecursionError):
        return NOT_JSON


def is_str(value: object) -> TypeGuard[str]:
    """Say whether `value` is a string, without asking it anything."""
    return issubclass(type(value), str)


def is_container(value: object) -> bool:
    """Say whether `value` is a mapping or a collection, as opposed to an object that must be asked for its parts."""
    return issubclass(type(value), _CONTAINERS)


def is_nothing(value: object) -> bool:
    """Say whether `value` is None or an empty string: a field that holds it carries nothing."""
    return value is None or (is_str(value) and not value)


def text_of(value: object) -> str | None:
    """Return the text that `value` is: a string, or bytes read as UTF-8."""
    if is_str(value):
        return value
    if issubclass(type(value), bytes | bytearray):
        return cast("bytes", value).decode("utf-8", "replace")
    return None


def written_key(value: object) -> str | int | None:
    """Return the key that the value of a key-shaped field is, or None when it is no key but has parts or is empty.

    An address object or a UUID is the string that it is written as.
    """
    text = text_of(value)
    if text is not None:
        return text or None
    kind = type(value)
    if issubclass(kind, int):
        whole = cast("int", value)
        # What has thousands of digits cannot be written in decimal, and is nobody's number.
        return None if kind is bool else whole if whole.bit_length() <= _MOST_BITS else hex(whole)
    if issubclass(kind, float):
        number = cast("float", value)
        return int(number) if number.is_integer() else str(number)
    if is_container(value) or hasattr(kind, "model_dump") or kind.__str__ is object.__str__ or value is None:
        return None
    return _safe_text(value) or None


def _safe_text(value: object) -> str:
    try:
        return str(value)
    except Exception:  # noqa: BLE001 - whatever an object of somebody else's does when it is read
        return ""
