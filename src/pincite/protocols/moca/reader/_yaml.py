"""Frontmatter: the core schema of YAML 1.2, built from a parser's events, so that nothing of it can run or grow.

PyYAML's own constructors are those of YAML 1.1: they make dates of strings, and `no` false. They are not used here:
values are made of the events one by one, aliases and tags are refused, and what is counted is counted as it comes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, cast

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# The parser of libyaml where it was built; the other one knows the same events.
_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_EVENTS: Final = cast("Callable[..., Iterator[Any]]", getattr(yaml, "parse"))  # noqa: B009 - its stubs leave types open
_CORE: Final = "tag:yaml.org,2002:"
# A number of the core schema: anchored, one run after another. Longer ones than a float has digits stay strings.
_WHOLE: Final = re.compile(r"[-+]?[0-9]{1,16}")
_OCTAL: Final = re.compile(r"0o([0-7]{1,16})")
_HEX: Final = re.compile(r"0x([0-9a-fA-F]{1,12})")
_FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]{1,40}|[0-9]{1,40}(?:\.[0-9]{0,40})?)(?:[eE][-+]?[0-9]{1,4})?")
_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS: Final = {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_LARGEST: Final = 2**53 - 1


class YamlError(ValueError):
    """Frontmatter that is refused; `line` counts from 1 at its first line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


@dataclass(slots=True)
class _Open:
    """A collection that has begun, and the key that waits for its value."""

    made: dict[str, Any] | list[Any]
    key: str | None = None


@dataclass(slots=True)
class Allowance:
    """How many keys and values may still come, in all that is read with it."""

    left: int


def read_yaml(text: str, *, depth: int, values: int, allowance: Allowance | None = None) -> Any:  # noqa: ANN401 - any JSON value
    """Return the one document in `text` as plain JSON; an empty one is an empty mapping.

    A number that not every reader of JSON has exactly, NaN and infinity stay the strings that were written.

    Raises:
        YamlError: it is no YAML, has aliases, tags of its own, a key twice, or more than `depth` collections inside
            one another or `values` keys and values, or than `allowance` has left.
    """
    shared = Allowance(values) if allowance is None else allowance
    builder = _Builder(depth, values, shared)
    try:
        for event in _EVENTS(text, Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        line = 1 if error.problem_mark is None else error.problem_mark.line + 1
        msg = f"It is no YAML: {error.problem or 'it cannot be read'}."
        raise YamlError(msg, line) from error
    except yaml.YAMLError as error:
        msg = "It is no YAML: it holds a character that may not stand there."
        raise YamlError(msg, 1) from error
    except RecursionError as error:
        msg = "Too much stands inside one another."
        raise YamlError(msg, 1) from error
    return builder.result


class _Builder:
    def __init__(self, depth: int, values: int, allowance: Allowance) -> None:
        self._allowance = allowance
        self._depth = depth
        self._left = values
        self._open: list[_Open] = []
        self._documents = 0
        self._line = 1
        self.result: Any = {}

    def take(self, event: Any) -> None:  # noqa: ANN401 - an event of PyYAML, which has no common type for them
        """Add what an event brings.

        Raises:
            YamlError: it is refused.
        """
        mark = event.start_mark
        self._line = 1 if mark is None else mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._refuse("It is more than one document.")
        elif isinstance(event, yaml.AliasEvent):
            self._refuse("Aliases are refused.")
        elif isinstance(event, yaml.ScalarEvent):
            self._put_scalar(event)
        elif isinstance(event, yaml.MappingStartEvent):
            self._begin({}, event.tag, "map")
        elif isinstance(event, yaml.SequenceStartEvent):
            self._begin([], event.tag, "seq")
        elif isinstance(event, yaml.CollectionEndEvent):
            self._open.pop()

    def _begin(self, made: dict[str, Any] | list[Any], tag: str | None, kind: str) -> None:
        if tag not in (None, "!", _CORE + kind):
            self._refuse("A tag is not of the core schema.")
        if self._waits_for_key():
            self._refuse("A key is a collection.")
        if len(self._open) == self._depth:
            self._refuse(f"More than {self._depth} collections stand inside one another.")
        self._put(made)
        self._open.append(_Open(made))

    def _put_scalar(self, event: yaml.ScalarEvent) -> None:
        written = cast("str", event.value)
        if self._waits_for_key():
            self._count()
            opened = self._open[-1]
            if event.tag not in (None, "!", f"{_CORE}str"):
                self._refuse("A key has a tag.")
            if written in opened.made:
                self._refuse("A key stands twice in one mapping.")
            opened.key = written
            return
        tag: str | None = event.tag
        if tag is None:
            self._put(_resolved(written) if event.implicit[0] else written)
        elif tag in ("!", f"{_CORE}str"):
            self._put(written)
        else:
            value = _resolved(written)
            if tag != _CORE + _kind(value):
                self._refuse("A tag is not of the core schema, or not of its value.")
            self._put(value)

    def _waits_for_key(self) -> bool:
        return bool(self._open) and type(self._open[-1].made) is dict and self._open[-1].key is None

    def _put(self, value: Any) -> None:  # noqa: ANN401 - any JSON value
        self._count()
        if not self._open:
            self.result = value
            return
        opened = self._open[-1]
        if type(opened.made) is dict:
            opened.made[cast("str", opened.key)] = value
            opened.key = None
        else:
            cast("list[Any]", opened.made).append(value)

    def _count(self) -> None:
        self._left -= 1
        self._allowance.left -= 1
        if self._left < 0 or self._allowance.left < 0:
            self._refuse("It holds more values than are allowed.")

    def _refuse(self, message: str) -> None:
        raise YamlError(message, self._line)


def _resolved(written: str) -> Any:  # noqa: ANN401 - any scalar of JSON
    """Return what a plain scalar is by the core schema."""
    if written in _NULLS:
        return None
    if written in _BOOLS:
        return _BOOLS[written]
    for pattern, base in ((_WHOLE, 10), (_OCTAL, 8), (_HEX, 16)):
        found = pattern.fullmatch(written)
        if found is not None:
            number = int(found[found.re.groups], base)
            return number if abs(number) <= _LARGEST else written
    if _FLOAT.fullmatch(written) is not None and not written.lstrip("+-").isdecimal():
        value = float(written)
        return value if isfinite(value) else written
    return written


def _kind(value: object) -> str:
    """Return the name of a scalar's tag."""
    kinds: dict[type, str] = {type(None): "null", bool: "bool", int: "int", float: "float"}
    return kinds.get(type(value), "str")
