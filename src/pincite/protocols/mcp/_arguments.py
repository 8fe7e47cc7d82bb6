"""Arguments of tools: the JSON Schema that tells a client of them, and the check that holds a call to it.

Both come from one definition, so that a limit which is enforced is a limit which is stated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from pincite.core.errors import InputError, LimitError
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

# Lone surrogates have no bytes, and an answer that holds one could not be sent back: one class, linear.
_SURROGATES = re.compile("[\ud800-\udfff]")
# Code points of a name that is repeated in a sentence.
_NAME = 60
# What JSON calls the types that Python reads it into.
_KINDS: dict[type, str] = {
    type(None): "null",
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "one string",
    dict: "an object",
    list: "a list",
}


class Argument(Protocol):
    """One argument of a tool."""

    @property
    def doc(self) -> str:
        """What it is, for the client's model."""
        ...

    @property
    def default(self) -> object:
        """What stands for it when it is not given; `REQUIRED` where it has to be."""
        ...

    def schema(self) -> dict[str, Any]:
        """Return its JSON Schema, its limits included."""
        ...

    def read(self, name: str, value: object) -> object:
        """Return the value.

        Raises:
            InputError: it is of another type.
            LimitError: it is over a limit.
        """
        ...


REQUIRED = object()
"""The default of an argument that has to be given."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string of `least` to `most` code points."""

    doc: str
    most: int
    least: int = 1
    default: object = REQUIRED

    def schema(self) -> dict[str, Any]:
        """Return its JSON Schema."""
        return {"type": "string", "minLength": self.least, "maxLength": self.most}

    def read(self, name: str, value: object) -> str:
        """Return the string, lone surrogates replaced code point for code point."""
        if not isinstance(value, str):
            msg = f"`{name}` is a string, not {_kind(value)}."
            raise InputError(msg, field=name)
        if len(value) > self.most:
            msg = f"`{name}` has {len(value):,} characters; at most {self.most:,} go in one call."
            raise LimitError(msg, field=name)
        if len(value) < self.least:
            msg = f"`{name}` is empty."
            raise InputError(msg, field=name)
        return _SURROGATES.sub("\ufffd", value)


@dataclass(frozen=True, slots=True)
class Ids:
    """A list of `least` to `most` strings of at most `each` code points."""

    doc: str
    most: int
    each: int
    default: object = REQUIRED
    least: int = 1

    def schema(self) -> dict[str, Any]:
        """Return its JSON Schema."""
        items = {"type": "string", "maxLength": self.each}
        return {"type": "array", "minItems": self.least, "maxItems": self.most, "items": items}

    def read(self, name: str, value: object) -> list[str]:
        """Return the ids."""
        if value == [] and not self.least:
            return []
        found = _list(name, value, "strings", self.most)
        for place, item in enumerate(found, 1):
            if not isinstance(item, str):
                msg = f"`{name}` is a list of strings; number {place} is {_kind(item)}."
                raise InputError(msg, field=name)
            if len(item) > self.each:
                msg = (
                    f"Number {place} of `{name}` has {len(item):,} characters; an evidence id has at most "
                    f"{self.each:,}."
                )
                raise LimitError(msg, field=name)
        return [_SURROGATES.sub("\ufffd", str(item)) for item in found]


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number from `least` to `most`."""

    doc: str
    least: int
    most: int
    default: object = REQUIRED

    def schema(self) -> dict[str, Any]:
        """Return its JSON Schema."""
        return {"type": "integer", "minimum": self.least, "maximum": self.most}

    def read(self, name: str, value: object) -> int:
        """Return the number; `5.0` is 5, as it is for JSON Schema."""
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, bool) or not isinstance(number, int):
            what = "a fraction" if isinstance(value, float) else _kind(value)
            msg = f"`{name}` is a whole number from {self.least:,} to {self.most:,}, not {what}."
            raise InputError(msg, field=name)
        if not self.least <= number <= self.most:
            msg = f"`{name}` is a whole number from {self.least:,} to {self.most:,}."
            raise LimitError(msg, field=name)
        return number


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    doc: str
    words: tuple[str, ...]
    default: object = REQUIRED

    def schema(self) -> dict[str, Any]:
        """Return its JSON Schema."""
        return {"type": "string", "enum": list(self.words)}

    def read(self, name: str, value: object) -> str:
        """Return the word."""
        if not isinstance(value, str) or value not in self.words:
            msg = f"`{name}` is one of {', '.join(self.words)}."
            raise InputError(msg, field=name)
        return value


@dataclass(frozen=True, slots=True)
class Items:
    """A list of 1 to `most` objects, each with the same arguments."""

    doc: str
    most: int
    each: Arguments
    default: object = REQUIRED

    def schema(self) -> dict[str, Any]:
        """Return its JSON Schema."""
        return {"type": "array", "minItems": 1, "maxItems": self.most, "items": self.each.schema()}

    def read(self, name: str, value: object) -> list[dict[str, Any]]:
        """Return the values of each object."""
        found = _list(name, value, "objects", self.most)
        return [self.each.read(item, f"number {place} of `{name}`") for place, item in enumerate(found, 1)]


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a tool, by name."""

    by_name: Mapping[str, Argument]

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of them together; it takes no others."""
        return {
            "type": "object",
            "properties": {name: _described(argument) for name, argument in self.by_name.items()},
            "required": [name for name, argument in self.by_name.items() if argument.default is REQUIRED],
            "additionalProperties": False,
        }

    def read(self, given: object, what: str) -> dict[str, Any]:
        """Return every argument's value; `what` is what takes them, for sentences. Null stands for absent.

        Raises:
            InputError: one is missing, unknown or of another type; or they are no object.
            LimitError: one is over a limit.
        """
        if not isinstance(given, Mapping):
            msg = f"The arguments of {what} are an object, not {_kind(given)}."
            raise InputError(msg, field="arguments")
        values = cast("Mapping[str, object]", given)
        for name in values:
            if name not in self.by_name:
                known = ", ".join(f"`{one}`" for one in self.by_name)
                msg = f"There is no argument `{one_line(name, _NAME)}`; {what} takes {known}."
                raise InputError(msg, field=one_line(name, _NAME))
        return {name: self._one(name, argument, values, what) for name, argument in self.by_name.items()}

    def _one(self, name: str, argument: Argument, values: Mapping[str, object], what: str) -> object:
        value = values.get(name)
        if value is None and argument.default is not REQUIRED:
            return argument.default
        if name not in values:
            msg = f"`{name}` is missing: {what} needs it."
            raise InputError(msg, field=name)
        return argument.read(name, value)


def _described(argument: Argument) -> dict[str, Any]:
    schema = {**argument.schema(), "description": argument.doc}
    if argument.default is not REQUIRED and argument.default is not None:
        schema["default"] = argument.default
    return schema


def _list(name: str, value: object, of: str, most: int) -> Sequence[object]:
    """Return a list that is neither empty nor too long.

    Raises:
        InputError: it is no list, or empty.
        LimitError: it is too long.
    """
    value = _parsed(value)
    if not isinstance(value, list):
        msg = f"`{name}` is a list of {of}, not {_kind(value)}."
        raise InputError(msg, field=name)
    found = cast("list[object]", value)
    if not found:
        msg = f"`{name}` is empty."
        raise InputError(msg, field=name)
    if len(found) > most:
        msg = f"`{name}` holds {len(found):,}; at most {most:,} go in one call."
        raise LimitError(msg, field=name)
    return found


def _parsed(value: object) -> object:
    """Return the list that a string of JSON holds, as some models write theirs; any other value as it is."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            return cast("object", json.loads(value))
        except (ValueError, RecursionError):
            return value
    return value


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "something else")
