"""The fields of a node's frontmatter: what is of its form is taken, what is not is left out with a remark.

Only a node without a type is none. A date that cannot be read stays as it was written: a bound of validity that nobody
can read holds for no moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.protocols.moca.moments import bound_of
from pincite.protocols.moca.reader.manifest import URI

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_STATUS: Final = ("draft", "stable", "deprecated")
_SELECTORS: Final[dict[str, tuple[dict[str, type], dict[str, type]]]] = {
    "FragmentSelector": ({"value": str}, {"conformsTo": str}),
    "TextQuoteSelector": ({"exact": str}, {"prefix": str, "suffix": str}),
    "TextPositionSelector": ({"start": int, "end": int}, {}),
}


@dataclass(frozen=True, slots=True)
class Cited:
    """A piece of evidence as it stands in a node: the id of a source, and where in it."""

    source: str
    selector: dict[str, Any] | None
    note: str | None


@dataclass(frozen=True, slots=True)
class Fields:
    """What is taken of a frontmatter. Lists and dictionaries are plain JSON, and nobody changes them."""

    type: str
    title: str | None
    description: str | None
    tags: list[str] | None
    status: str
    generated: dict[str, str] | None
    verified: list[dict[str, str]]
    stale_after: str | None
    valid_from: str | None
    valid_until: str | None
    has_unreadable_bound: bool
    contested_by: list[str]
    audience: str | None
    concepts: list[str]
    sources: list[dict[str, Any]]
    evidence: list[Cited]


def fields_of(front: dict[str, Any], remark: Callable[[str], None]) -> Fields | None:
    """Return the fields of a frontmatter, None without a type; `remark` is told what was left out."""
    if not isinstance(front.get("type"), str) or not front["type"].strip():
        return None
    taken = _Taken(front, remark)
    moca = _Taken(taken.of("moca", dict, "a mapping") or {}, remark, "moca.")
    status = front.get("status")
    if status is not None and status not in _STATUS:
        remark(f"`status` is none of {', '.join(_STATUS)}.")
    valid_from, valid_until = moca.bound("valid_from"), moca.bound("valid_until")
    return Fields(
        type=front["type"],
        title=taken.of("title", str, "a text"),
        description=taken.of("description", str, "a text"),
        tags=taken.strings("tags"),
        status=status if status in _STATUS else "stable",
        generated=_declared(front.get("generated"), "generated", remark) if "generated" in front else None,
        verified=list(_all_declared(front.get("verified"), remark)),
        stale_after=taken.bound("stale_after"),
        valid_from=valid_from,
        valid_until=valid_until,
        # What is no string at all cannot be told in a record, and bounds all the same.
        has_unreadable_bound=any(
            moca.front.get(name) is not None and bound is None
            for name, bound in (("valid_from", valid_from), ("valid_until", valid_until))
        ),
        contested_by=moca.strings("contested_by") or [],
        audience=moca.of("audience", str, "a text") or None,
        concepts=list(_concepts(moca)),
        sources=[
            one for one in taken.entries("sources") if isinstance(one.get("id"), str) or "resource" in one
        ],
        evidence=list(_evidence(moca, remark)),
    )


class _Taken:
    """Fields of a mapping by name, each of its kind."""

    def __init__(self, front: dict[str, Any], remark: Callable[[str], None], prefix: str = "") -> None:
        self.front = front
        self._remark = remark
        self._prefix = prefix

    def bad(self, name: str, what: str) -> None:
        self._remark(f"`{self._prefix}{name}` is not {what}.")

    def of(self, name: str, kind: type, what: str) -> Any:  # noqa: ANN401 - a value of that kind
        value = self.front.get(name)
        if value is None or isinstance(value, kind):
            return value
        self.bad(name, what)
        return None

    def strings(self, name: str) -> list[str] | None:
        value = self.of(name, list, "a list")
        if value is None:
            return None
        texts = [one for one in cast("list[Any]", value) if isinstance(one, str) and one]
        if len(texts) != len(value):
            self.bad(name, "a list of texts")
        return texts

    def entries(self, name: str) -> list[dict[str, Any]]:
        value: list[Any] = self.of(name, list, "a list") or []
        entries = [cast("dict[str, Any]", one) for one in value if isinstance(one, dict)]
        if len(entries) != len(value):
            self.bad(name, "a list of mappings")
        return entries

    def bound(self, name: str) -> str | None:
        """Return a date as it is written, whether it can be read or not."""
        value = self.of(name, str, "a date, or a date-time with an offset")
        if value is not None and bound_of(value) is None:
            self.bad(name, "a date, or a date-time with an offset")
        return value or None


def _declared(value: object, name: str, remark: Callable[[str], None]) -> dict[str, str] | None:
    """Return who did something, and when, as the author says it; None where it does not say who."""
    named = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    by, at = named.get("by"), named.get("at")
    if not isinstance(by, str) or not by:
        remark(f"`{name}` does not say by whom.")
        return None
    if at is None:
        return {"by": by}
    if bound_of(at) is None:
        remark(f"`{name}.at` is not a date, or a date-time with an offset.")
    return {"by": by, "at": at} if isinstance(at, str) else {"by": by}


def _all_declared(value: object, remark: Callable[[str], None]) -> Iterator[dict[str, str]]:
    if value is None:
        return
    for one in cast("list[object]", value) if isinstance(value, list) else [value]:
        declared = _declared(one, "verified", remark)
        if declared is not None:
            if "at" not in declared:
                remark("`verified` does not say when.")
            yield declared


def _concepts(moca: _Taken) -> Iterator[str]:
    for one in moca.entries("concepts"):
        iri = one.get("iri")
        if isinstance(iri, str) and URI.fullmatch(iri) is not None:
            yield iri
        else:
            moca.bad("concepts", "a list of mappings, each with an absolute `iri`")


def _evidence(moca: _Taken, remark: Callable[[str], None]) -> Iterator[Cited]:
    for one in moca.entries("evidence"):
        source, selector, note = one.get("source"), one.get("selector"), one.get("note")
        if not isinstance(source, str) or not source:
            remark("A piece of `moca.evidence` names no source.")
            continue
        if not _is_selector(selector):
            remark("A piece of `moca.evidence` has no selector of the kinds that there are.")
        yield Cited(
            source,
            cast("dict[str, Any]", selector) if isinstance(selector, dict) else None,
            note if isinstance(note, str) and note else None,
        )


def _is_selector(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    named = cast("dict[str, Any]", value)
    kinds = _SELECTORS.get(str(named.get("type")))
    if kinds is None:
        return False
    required, optional = kinds
    known: dict[str, type] = {"type": str, **required, **optional}
    # A key may not be empty where it is required; numbers count from zero.
    return (
        all(name in named and named[name] not in ("", None) for name in required)
        and named.keys() <= known.keys()
        and all(
            type(item) is known[name] and (type(item) is str or item >= 0) for name, item in named.items()
        )
    )
