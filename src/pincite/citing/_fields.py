"""Fields of what is a mapping in one system and an object in another, read alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

Reader = Callable[[str], object]
"""Returns what an item holds under a name, or None."""

# Under which names an item says what it is called, and what tells two of that name apart.
_IDS = ("id", "document_id")
_NAMES = (*_IDS, "type", "kind", "url", "source_url")


def reader_of(item: object) -> Reader:
    """Return what reads a field of `item`, a mapping or an object."""
    # A dictionary is told sooner than any mapping.
    if isinstance(item, dict) or isinstance(item, Mapping):  # noqa: SIM101
        return cast("Mapping[str, object]", item).get
    return partial(_attribute, item)


def _attribute(item: object, name: str) -> object:
    return getattr(item, name, None)


def value_of(item: object, name: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Return what `item`, a mapping or an object, holds under `name`, or None."""
    return reader_of(item)(name)


def first_of(value: Reader, names: tuple[str, ...]) -> object:
    """Return the first field that says something: neither None nor an empty string. None where there is none."""
    for name in names:
        found = value(name)
        if found is not None and found != "":
            return found
    return None


def identity_of_item(item: object) -> object:
    """Return what makes an item of a context the same as another: its id, with what kind of thing it is the id of.

    What has a hash is itself; what has neither a hash nor an id is its value.
    """
    try:
        hash(item)
    except TypeError:
        value = reader_of(item)
        named = tuple(found if isinstance(found := value(name), str | int) else None for name in _NAMES)
        called = any(found is not None for found in named[: len(_IDS)])
        return ("id", *named) if called else ("equal", _canonical(item))
    return item


def _canonical(item: object) -> str | int:
    """Return what is the same for equal values that have no hash, in time linear in their size."""
    import json  # few items have neither an id nor a hash

    try:
        return json.dumps(item, sort_keys=True, default=repr)
    except (TypeError, ValueError, RecursionError):
        return id(item)
