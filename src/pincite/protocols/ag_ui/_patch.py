"""Changes of the shared state: JSON Patch (RFC 6902), whole or not at all, without a change to what was there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from pincite.core.limits import Limits

# What a value counts at least; looking at many small ones takes as long as at one large one.
_LEAST = 32
# How often the operations of one change may look at as much as a state holds.
_LOOKS = 4


class PatchError(Exception):
    """A change cannot be made; the message says why."""


def size_of(value: object, *, depth: int, most: int) -> int | None:
    """Return what a parsed JSON value counts in bytes; None where it is nested deeper than `depth` or over `most`."""
    total = 0
    waiting: list[tuple[object, int]] = [(value, 0)]
    while waiting:
        one, level = waiting.pop()
        total += _LEAST
        if isinstance(one, str):
            total += len(one)
        elif isinstance(one, dict | list):
            if level >= depth:
                return None
            if isinstance(one, dict):
                named = cast("dict[str, object]", one)
                total += sum(map(len, named))
                waiting.extend((item, level + 1) for item in named.values())
            else:
                waiting.extend((item, level + 1) for item in cast("list[object]", one))
        if total + _LEAST * len(waiting) > most:
            return None
    return total


class _Counted(dict[str, Any]):
    """An object that knows what it counts, so that the next change of it need not look at all of it again."""

    __slots__ = ("size",)

    def __init__(self, given: dict[str, Any], size: int) -> None:
        super().__init__(given)
        self.size = size


def patched(document: Any, operations: object, limits: Limits) -> Any:  # noqa: ANN401 - any JSON value
    """Return `document` after `operations`; what is not changed is shared with it, and may not be changed elsewhere.

    What is returned may be given again: then only what the operations bring, take and move is looked at.

    Raises:
        PatchError: an operation is none, does not fit, or makes the document larger than a client keeps.
    """
    if not isinstance(operations, list):
        msg = "The change is no list of operations."
        raise PatchError(msg)
    steps = cast("list[object]", operations)
    if len(steps) > limits.agui_patch_operations:
        msg = f"The change has more than {limits.agui_patch_operations:,} operations."
        raise PatchError(msg)
    change = _Change(document, limits)
    for step in steps:
        if not isinstance(step, dict):
            msg = "An operation is no object."
            raise PatchError(msg)
        change.make(cast("dict[str, Any]", step))
    if change.size > limits.agui_state_bytes:
        raise _TooLargeError
    found = change.document
    return _Counted(cast("dict[str, Any]", found), change.size) if isinstance(found, dict) else found


class _Change:
    """A document while it is changed: what is written to is copied before, once."""

    __slots__ = ("_limits", "_looks", "_own", "_room", "document", "size")

    def __init__(self, document: Any, limits: Limits) -> None:  # noqa: ANN401 - any JSON value
        self.document = document
        self._limits = limits
        # What may be looked at: many operations on the same large value look at all of it each time.
        self._looks = _LOOKS * limits.agui_state_bytes
        # What the document counts, kept up with each operation.
        self.size = document.size if isinstance(document, _Counted) else self._size(document, 0)
        # Objects and lists that nobody else has; they are held, so that no other gets the id of one.
        self._own: dict[int, object] = {}
        # What copies may bring in, so that a copy of a copy of a copy comes to an end.
        self._room = limits.agui_state_bytes

    def make(self, step: dict[str, Any]) -> None:
        """Make one operation."""
        kind, path = step.get("op"), _steps(step.get("path"))
        if kind in {"add", "replace", "test"}:
            if "value" not in step:
                msg = "An operation has no value."
                raise PatchError(msg)
            value = step["value"]
            if kind == "test":
                if not _same(self._at(path), value):
                    msg = "The state is not what the change is for."
                    raise PatchError(msg)
            else:
                self._put(path, value, replaces=kind == "replace")
        elif kind == "remove":
            self._take(path)
        elif kind == "move":
            origin = _steps(step.get("from"))
            if path[: len(origin)] == origin and path != origin:
                msg = "A value cannot be moved into itself."
                raise PatchError(msg)
            self._put(path, self._take(origin), replaces=False)
        elif kind == "copy":
            self._put(path, self._copied(self._at(_steps(step.get("from")))), replaces=False)
        else:
            msg = "There is no such operation."
            raise PatchError(msg)

    def _copied(self, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        size = size_of(value, depth=self._limits.agui_depth, most=self._room)
        if size is None:
            raise _TooLargeError
        self._room -= size
        return _copy(value)

    def _size(self, value: object, level: int) -> int:
        """Return what a value counts that stands `level` deep.

        Raises:
            PatchError: it is nested deeper than is kept, or more was looked at than may be.
        """
        size = size_of(value, depth=self._limits.agui_depth - level, most=self._looks)
        if size is None:
            raise _TooLargeError
        self._looks -= size
        return size

    def _at(self, path: list[str]) -> Any:  # noqa: ANN401 - any JSON value
        found: Any = self.document
        for step in path:
            index: Any = _index(found, step)
            found = found[index]
        return found

    def _parent(self, path: list[str]) -> Any:  # noqa: ANN401 - an object or a list
        """Return what holds the last step of `path`, as one that may be written to."""
        self.document = found = self._mine(self.document)
        for step in path[:-1]:
            index = _index(found, step)
            found[index] = self._mine(found[index])
            found = found[index]
        return found

    def _mine(self, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        if id(value) in self._own or not isinstance(value, dict | list):
            return value
        copy = cast("Any", value).copy()
        self._own[id(copy)] = copy
        return copy

    def _put(self, path: list[str], value: object, *, replaces: bool) -> None:
        size = self._size(value, len(path))
        if not path:
            self.document, self.size = value, size
            return
        parent, last = self._parent(path), path[-1]
        if isinstance(parent, list):
            held = cast("list[object]", parent)
            if replaces:
                index = cast("int", _index(held, last))
                size -= self._size(held[index], 0)
                held[index] = value
            else:
                at = len(held) if last == "-" else _number(last)
                if at > len(held):
                    raise _AbsentError
                held.insert(at, value)
        elif isinstance(parent, dict):
            named = cast("dict[str, object]", parent)
            if last in named:
                size -= self._size(named[last], 0)
            elif replaces:
                raise _AbsentError
            else:
                size += len(last)
            named[last] = value
        else:
            raise _AbsentError
        self.size += size

    def _take(self, path: list[str]) -> Any:  # noqa: ANN401 - any JSON value
        if not path:
            taken, self.document, self.size = self.document, None, _LEAST
            return taken
        parent = self._parent(path)
        index = _index(parent, path[-1])
        taken = parent.pop(index)
        self.size -= self._size(taken, 0) + (len(index) if isinstance(index, str) else 0)
        return taken


class _AbsentError(PatchError):
    def __init__(self) -> None:
        super().__init__("The state has nothing at a place that the change names.")


class _TooLargeError(PatchError):
    def __init__(self) -> None:
        super().__init__(
            "The state would be larger, or nested deeper, than is kept, or too much of it is moved at once."
        )


def _steps(path: object) -> list[str]:
    """Return the steps of a JSON Pointer (RFC 6901)."""
    if not isinstance(path, str) or (path and not path.startswith("/")):
        msg = "An operation names no place."
        raise PatchError(msg)
    return [step.replace("~1", "/").replace("~0", "~") for step in path.split("/")[1:]]


def _index(held: object, step: str) -> int | str:
    """Return the key or place of what is there."""
    if isinstance(held, dict) and step in held:
        return step
    if isinstance(held, list):
        at = _number(step)
        if at < len(cast("list[object]", held)):
            return at
    raise _AbsentError


def _number(step: str) -> int:
    if step.isascii() and step.isdigit() and len(step) < 10 and (step == "0" or step[0] != "0"):  # noqa: PLR2004 - no list is longer
        return int(step)
    raise _AbsentError


def _copy(value: Any) -> Any:  # noqa: ANN401 - any JSON value, no deeper than a client keeps
    if isinstance(value, dict):
        return {name: _copy(item) for name, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_copy(item) for item in cast("list[Any]", value)]
    return value


def _same(one: object, other: object) -> bool:
    """Say whether two JSON values are equal: true is not 1, as it is in Python."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        named, others = cast("dict[str, object]", one), cast("dict[str, object]", other)
        return named.keys() == others.keys() and all(_same(named[name], others[name]) for name in named)
    if isinstance(one, list) and isinstance(other, list):
        held, beside = cast("list[object]", one), cast("list[object]", other)
        return len(held) == len(beside) and all(map(_same, held, beside))
    return one == other
