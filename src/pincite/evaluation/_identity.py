"""What a result is found again by: all that could have made it another one."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pincite._version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pincite.checking import SupportMethod
    from pincite.core.limits import Limits
    from pincite.evaluation.rows import AnswerRow, ClaimRow

# The limits that decide on results. How many claims are asked about at a time is none of them.
_LIMITS: Final = ("marker", "deferred_", "support_", "answer_", "quote_")
_PLAIN: Final = (str, int, float, bool, tuple, dict)
_NO_MATTER: Final = "answer_claims_at_once"


def keys_of(name: str, identity: str, limits: Limits) -> Callable[[AnswerRow | ClaimRow], str]:
    """Return what gives each row the key of its result; another line, method, limit or version gives another."""
    bounds = {
        one.name: getattr(limits, one.name)
        for one in fields(limits)
        if one.name.startswith(_LIMITS) and one.name != _NO_MATTER
    }
    begun = sha256(json.dumps([__version__, name, identity, bounds]).encode())

    def key(row: AnswerRow | ClaimRow) -> str:
        whole = begun.copy()
        whole.update(json.dumps([row.line, row.digest]).encode())
        return whole.hexdigest()

    return key


def identity_of(method: str | SupportMethod) -> str:
    """Return what tells a method from others of its name.

    A dataclass is told by its fields, a method of pincite by its bars and by its model: the digest of its files, or
    its id. Of any other, only the kind is known; `method_name` has to say the rest.
    """
    if isinstance(method, str):
        return method
    kind = type(method)
    told = [f"{kind.__module__}.{kind.__qualname__}"]
    if is_dataclass(method):
        told.append(repr(method))
    elif kind.__module__.partition(".")[0] == "pincite":
        told += _settings(method)
    return json.dumps(told)


def _settings(method: SupportMethod) -> Iterator[str]:
    names = sorted({name for kind in type(method).__mro__ for name in getattr(kind, "__slots__", ())})
    for name in ("model", *names):
        value: Any = getattr(method, name, None)
        if isinstance(value, Path):
            yield from (f"{name} {one.name} {_digest(one)}" for one in _files(value))
        elif type(value) in _PLAIN or is_dataclass(value):
            yield f"{name} {value!r}"


def _files(path: Path) -> list[Path]:
    """Return a file, or what of a folder makes a model: its graph with its weights, and what configures it."""
    if not path.is_dir():
        return [path]
    return sorted({*path.glob("*.json"), *path.glob("*.onnx*")})


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""  # the method says what is wrong with it
