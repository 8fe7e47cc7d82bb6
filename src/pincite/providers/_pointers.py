"""Places in JSON: names from the outermost in, and the JSON Pointer (RFC 6901) that they make."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.core.errors import LimitError
from pincite.core.pointers import step

if TYPE_CHECKING:
    from pincite.core.limits import Limits


class Node:
    """A place: the one around it, and its own name or number. A pointer is only made of those that are told."""

    __slots__ = ("around", "depth", "name")

    def __init__(self, around: Node | None, name: str) -> None:
        self.around = around
        self.name = name
        self.depth: int = 1 if around is None else around.depth + 1

    def pointer(self) -> str:
        """Return the JSON Pointer."""
        names: list[str] = []
        place: Node | None = self
        while place is not None:
            names.append(step(place.name))
            place = place.around
        return "".join(f"/{name}" for name in reversed(names))


def check_depth(node: Node | None, limits: Limits) -> None:
    """Check that a place is not too deep to be told.

    Raises:
        LimitError: it is.
    """
    if node is not None and node.depth > limits.provider_json_depth:
        msg = f"The value has more than {limits.provider_json_depth} objects and arrays inside one another."
        raise LimitError(msg, field="value")


def pointer_of(node: Node | None) -> str:
    """Return the JSON Pointer of a place, that of the whole value where there is none."""
    return "" if node is None else node.pointer()
