"""What callers without types give: of the kind that is asked for, or one plain sentence that says what it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pincite.core.errors import InputError

if TYPE_CHECKING:
    from typing import NoReturn

KindT = TypeVar("KindT")


def of_kind(value: object, kind: type[KindT], field: str, what: str) -> KindT:
    """Return `value`, which is a `kind`.

    Raises:
        InputError: it is not; the message says that the argument `field` is `what`.
    """
    if not isinstance(value, kind):
        refuse(value, field, what)
    return value


def maybe(value: object, kind: type[KindT], field: str, what: str) -> KindT | None:
    """Return `value`, which is a `kind` or None.

    Raises:
        InputError: it is neither.
    """
    return None if value is None else of_kind(value, kind, field, what)


def items_of(value: object, field: str, what: str) -> Iterable[Any]:
    """Return `value`, which is a collection or an iterator of several things: no string, and no mapping.

    Raises:
        InputError: it is not.
    """
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | Mapping):
        refuse(cast("object", value), field, what)
    return cast("Iterable[Any]", value)


def refuse(value: object, field: str, what: str) -> NoReturn:
    """Say that the argument `field` is `what`, and not what it was.

    Raises:
        InputError: always.
    """
    kind = "None" if value is None else type(value).__name__
    msg = f"`{field}` is {what}, not {kind}."
    raise InputError(msg, field=field)
