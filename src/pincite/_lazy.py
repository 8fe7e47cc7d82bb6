"""Public names that are loaded when they are first used, so that importing a package costs next to nothing."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def lazy(package: str, homes: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """Return the `__getattr__` of `package`: each name of `homes` is loaded from the module that it lives in."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> Any:  # noqa: ANN401 - whatever is exported under the name
        home = home_of.get(name)
        if home is None:
            msg = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(msg)
        value = getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    return load
