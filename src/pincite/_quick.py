"""Nouns made in bulk: what making ten thousand of them costs beside making them, and how to be spared it.

A frozen dataclass sets each field through `object.__setattr__`, which costs more than all else where ten thousand
citations are made. A maker fills a twin that is not frozen and gives it the class afterwards.

The garbage collector walks over what was made for every few hundred new ones, so it waits until all are made.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

T = TypeVar("T")
# Of fewer things, looking for garbage among them takes no time to speak of.
_MANY = 1_000


@contextmanager
def without_collecting(count: int) -> Generator[None]:
    """Look for no garbage while `count` things are made of which none is, where they are many."""
    collects = gc.isenabled() and count > _MANY
    if collects:
        gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def maker(cls: type[T]) -> Callable[..., T]:
    """Return a function that makes a `cls`, a frozen dataclass with slots and without `__post_init__`.

    It takes the same arguments in the same order. Factories of defaults are called for each new one.
    """
    names = [field.name for field in fields(cast("Any", cls))]
    # The layout of both is the same, so an object of one may become one of the other.
    bases = () if cls.__bases__ == (object,) else cls.__bases__
    empty = {"__slots__": tuple(vars(cls).get("__slots__", names)), "__init__": object.__init__}
    namespace: dict[str, Any] = {"twin": type(f"_{cls.__name__}", bases, empty), "cls": cls}
    parameters: list[str] = []
    lines: list[str] = []
    for field in fields(cast("Any", cls)):
        if field.default is not MISSING:
            namespace[f"default_{field.name}"] = field.default
            parameters.append(f"{field.name}=default_{field.name}")
        elif field.default_factory is not MISSING:
            namespace[f"default_{field.name}"] = MISSING
            namespace["MISSING"] = MISSING
            namespace[f"factory_{field.name}"] = field.default_factory
            parameters.append(f"{field.name}=default_{field.name}")
            lines.append(f"  if {field.name} is MISSING: {field.name} = factory_{field.name}()")
        else:
            parameters.append(field.name)
    lines += [f"  made.{name} = {name}" for name in names]
    body = "\n".join(lines)
    source = (
        f"def make({', '.join(parameters)}):\n  made = twin()\n{body}\n  made.__class__ = cls\n  return made"
    )
    exec(source, namespace)  # noqa: S102 - built from the names of a class's own fields
    return cast("Callable[..., T]", namespace["make"])
