"""What a backend of a search is, and what it returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Hit:
    """A part of a node that a backend found.

    `digest` is that of the package, `node` the node's id, `path` its path; `span` are bytes of the file of the
    representation in `locale`, None for all of its text. A higher `score` is better.
    """

    digest: str
    node: str
    path: str
    score: float
    locale: str | None = None
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Filters:
    """What a backend may leave out by itself; the gate behind it does in any case."""

    digests: frozenset[str]
    audiences: frozenset[str] | None = None
    locale: str | None = None
    concepts: frozenset[str] = frozenset()


class Backend(Protocol):
    """Finds parts of nodes. A host chooses it; no package has a say in it."""

    def search(self, query: str, *, limit: int, filters: Filters) -> Iterable[Hit | Mapping[str, Any]]:
        """Return about `limit` hits, as `Hit` or as JSON of the same names with `span` as `{"start", "end"}`."""
        ...


def hit_of(given: object) -> Hit | None:
    """Return a hit of whatever a backend returned; None for what is none."""
    if isinstance(given, Hit):
        parts: dict[str, Any] = {name: getattr(given, name) for name in Hit.__slots__}
    elif isinstance(given, Mapping):
        parts = dict(cast("Mapping[str, Any]", given))
    else:
        return None
    span: Any = parts.get("span")
    if isinstance(span, Mapping):
        named = cast("Mapping[str, Any]", span)
        span = (named.get("start"), named.get("end"))
    score, locale = parts.get("score"), parts.get("locale")
    texts = [parts.get(name) for name in ("digest", "node", "path")]
    is_good = (
        all(isinstance(one, str) for one in texts)
        and (locale is None or isinstance(locale, str))
        and type(score) in (int, float)
        and _is_finite(score)
        and (span is None or _is_span(span))
    )
    if not is_good:
        return None
    digest, node, path = cast("list[str]", texts)
    return Hit(digest, node, path, float(cast("float", score)), locale, None if span is None else tuple(span))


def _is_finite(score: Any) -> bool:  # noqa: ANN401 - a number of any size
    try:
        return isfinite(score)
    except OverflowError:
        return False


def _is_span(span: object) -> bool:
    if not isinstance(span, tuple):
        return False
    ends = cast("tuple[object, ...]", span)
    return len(ends) == 2 and all(type(end) is int for end in ends)  # noqa: PLR2004 - a begin and an end
