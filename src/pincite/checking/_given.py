"""What callers give to fetching and checking: lists of ids, and stores."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pincite.core.errors import LimitError
from pincite.core.given import items_of, refuse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.core.protocols import EvidenceStore, EvidenceText
    from pincite.core.scope import Scope


def ids_of(items: Iterable[str], field: str, *, most: int | None = None) -> list[str]:
    """Return the ids in `items`.

    Raises:
        InputError: `items` is one string, None, or holds something other than strings.
        LimitError: there are more than `most`.
    """
    what = "a list of evidence ids"
    given = items_of(items, field, what)
    found = list(given if most is None else islice(given, most + 1))
    if most is not None and len(found) > most:
        msg = f"`{field}` holds more than {most:,} ids; give them in parts."
        raise LimitError(msg, field=field)
    if set(map(type, found)) - {str}:  # one look at all kinds is faster than a look at each id
        for item in found:
            if not isinstance(item, str):
                refuse(item, field, f"{what}, each a string")
    return found


async def read(store: EvidenceStore, ids: list[str], scope: Scope) -> list[EvidenceText | None] | None:
    """Return what the store has, one entry per id, or None when it cannot be read.

    Raises:
        InputError: `store` is none.
    """
    if not hasattr(store, "read"):
        refuse(store, "store", "an evidence store, with a method `read`")
    if not ids:
        return []
    try:
        found = list(await store.read(ids, scope))
    except Exception:
        # Whatever a store of somebody else's raises: its words may not be shown.
        import logging  # nobody pays for it before something breaks

        logging.getLogger(__name__).debug("An evidence store raised.", exc_info=True)
        return None
    return found if len(found) == len(ids) else None
