"""Works as CSL-JSON, the input of citation processors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.showing._works import Work

# What opens an element of HTML, between which a mark is put that is not seen: CSL lets values hold elements, and some
# processors hand on all that there are. Fixed width.
_OPENING, _SHOWN = re.compile(r"<(?=[A-Za-z/!?])"), "<\u200b"


def items_of(works: Iterable[Work]) -> list[dict[str, Any]]:
    """Return one item a work. Its id is its key in BibTeX."""
    return [_item(work) for work in works]


def _item(work: Work) -> dict[str, Any]:
    known = {**work.bibliography.as_dict(), "type": work.type}
    url = {"URL": work.source.url} if work.source.url is not None else {}
    return _shown({"id": work.key, "title": work.source.title, **known, **url})


def _shown(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return a value whose strings are text to every processor."""
    if isinstance(value, str):
        return _OPENING.sub(_SHOWN, value)
    if isinstance(value, list):
        return [_shown(one) for one in cast("list[Any]", value)]
    if isinstance(value, dict):
        return {name: _shown(one) for name, one in cast("dict[str, Any]", value).items()}
    return value
