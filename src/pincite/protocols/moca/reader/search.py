"""Searching what is loaded: a backend finds, and a gate behind it decides what is returned.

The gate trusts no backend. It takes nothing of a hit but which part of which loaded node it is and its score, makes
the record anew, and applies the default policy, the host's audiences, the language and the concepts to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from pincite.core.errors import InputError, LimitError
from pincite.core.given import items_of, maybe, of_kind, refuse
from pincite.protocols.moca.reader._records import node_id, passes_policy
from pincite.protocols.moca.reader.hits import Filters, hit_of
from pincite.protocols.moca.reader.lexical import LexicalBackend
from pincite.protocols.moca.reader.library import Library

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pincite.protocols.moca.reader.hits import Backend, Hit
    from pincite.protocols.moca.reader.library import Loaded
    from pincite.protocols.moca.reader.nodes import Representation

LIMIT: Final = 10
"""Records of one search, where nothing else is asked for."""
# How many more hits than records a backend is asked for at first, and how many times more when they did not do.
_SPARE, _MORE = 4, 4
_CONTINUES: Final = 0x80
"""The two bits with which every byte of a character but its first begins."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one call asks for, as the gate applies it."""

    now: datetime
    include_all: bool
    audiences: frozenset[str] | None
    locale: str | None
    concepts: frozenset[str]


class Search:
    """A search over a library for those who may see certain audiences.

    `audiences` is the host's set: a node that is labelled for others is never returned, whatever a caller asks for;
    one without a label is for everybody. None leaves everything in. `backend` finds; without one it is a search by
    words.

    Raises:
        InputError: an argument is of another kind.
    """

    __slots__ = ("_audiences", "_backend", "_library")

    def __init__(
        self, library: Library, backend: Backend | None = None, *, audiences: Iterable[str] | None = None
    ) -> None:
        self._library = of_kind(library, Library, "library", "a library of packages")
        if backend is not None and not callable(getattr(backend, "search", None)):
            refuse(backend, "backend", "something with `search(query, limit=..., filters=...)`")
        self._backend: Backend = LexicalBackend(library) if backend is None else backend
        self._audiences = _labels(audiences, "audiences")

    @property
    def library(self) -> Library:
        """The library that is searched."""
        return self._library

    def search(
        self,
        query: str,
        *,
        limit: int = LIMIT,
        include_all: bool = False,
        locale: str | None = None,
        concepts: Iterable[str] | None = None,
        audiences: Iterable[str] | None = None,
    ) -> list[dict[str, Any]]:
        """Return at most `limit` records with their scores, best first.

        Left out are nodes that are not in force, superseded or deprecated, unless `include_all`: a choice of the
        host's, flagged in the records. `locale` keeps of each node the one representation for that language,
        `concepts` what is bound to one of them. `audiences` narrows the host's set, and never widens it.

        Raises:
            InputError: an argument is of another kind, or `limit` is no number of records.
            LimitError: the question is longer than `limits.query_code_points`.
        """
        limits = self._library.limits
        if len(of_kind(query, str, "query", "a question, a string")) > limits.query_code_points:
            msg = f"A question has at most {limits.query_code_points:,} code points; ask a shorter one."
            raise LimitError(msg, field="query")
        if type(limit) is not int or not 1 <= limit <= limits.results:
            msg = f"`limit` is a number of records from 1 to {limits.results}."
            raise InputError(msg, field="limit")
        asked = self._asked(include_all, locale, concepts, audiences)
        wanted = limit * _SPARE
        while True:
            wanted = min(wanted, limits.moca_hits)
            filters = Filters(self._library.digests(), asked.audiences, asked.locale, asked.concepts)
            given = list(islice(self._backend.search(query, limit=wanted, filters=filters), limits.moca_hits))
            found = self._gate([hit for one in given if (hit := hit_of(one)) is not None], asked, limit)
            # A backend that was not full has no more; one that was may have some behind what the gate took away.
            if len(found) == limit or len(given) < wanted or wanted == limits.moca_hits:
                return found
            wanted *= _MORE

    def get(
        self, name: str, *, locale: str | None = None, include_all: bool = False
    ) -> dict[str, Any] | None:
        """Return the record of a node by its versioned reference or its id, None where it may not be shown.

        Policy and audiences are those of `search`: give this, and not the library, to what a model reads by.

        Raises:
            InputError: an argument is of another kind.
        """
        asked = self._asked(include_all, locale, None, None)
        loaded = self._library.find(name)
        if loaded is None:
            return None
        one = loaded.node.representation(asked.locale)
        return self._library.record(loaded, one, asked.now) if _passes(loaded, one, asked) else None

    def _asked(
        self,
        include_all: bool,  # noqa: FBT001 - as it was given
        locale: str | None,
        concepts: Iterable[str] | None,
        audiences: Iterable[str] | None,
    ) -> _Asked:
        narrowed = _labels(audiences, "audiences")
        if self._audiences is not None:
            narrowed = self._audiences if narrowed is None else self._audiences & narrowed
        return _Asked(
            self._library.now(),
            of_kind(include_all, bool, "include_all", "true or false"),
            narrowed,
            maybe(locale, str, "locale", "a language tag, a string"),
            _labels(concepts, "concepts") or frozenset(),
        )

    def _gate(self, hits: list[Hit], asked: _Asked, limit: int) -> list[dict[str, Any]]:
        """Return the records of the best hits that may be returned, each place once."""
        hits.sort(key=lambda hit: -hit.score)
        seen: set[tuple[str, str, str | None, tuple[int, int] | None]] = set()
        found: list[dict[str, Any]] = []
        for hit in hits:
            place = self._place(hit)
            if place is None or not _passes(*place, asked):
                continue
            loaded, one = place
            key = (hit.digest, hit.path, one.locale, hit.span)
            if key in seen:
                continue
            seen.add(key)
            made = self._library.record(loaded, one, asked.now, span=hit.span)
            made["score"] = hit.score
            found.append(made)
            if len(found) == limit:
                break
        return found

    def _place(self, hit: Hit) -> tuple[Loaded, Representation] | None:
        """Return the node and the representation that a hit is of, None where there is no such place."""
        loaded = self._library.at(hit.digest, hit.path)
        if loaded is None or node_id(loaded.manifest, loaded.node) != hit.node:
            return None
        one = _representation(loaded, hit.locale)
        return None if one is None or not _is_within(hit.span, one) else (loaded, one)


def _labels(given: Iterable[str] | None, field: str) -> frozenset[str] | None:
    if given is None:
        return None
    items = list(items_of(given, field, "a collection of strings, or None"))
    for item in items:
        of_kind(item, str, field, "a collection of strings, or None")
    return frozenset(items)


def _representation(loaded: Loaded, locale: str | None) -> Representation | None:
    """Return the representation of a node that a backend names: the default one by its own language, or by none."""
    if locale is None:
        return loaded.node.representation()
    for one in loaded.node.representations:
        known = one.locale or loaded.manifest.language
        if known is not None and known.lower() == locale.lower():
            return one
    return None


def _is_within(span: tuple[int, int] | None, one: Representation) -> bool:
    """Say whether a span has text of a representation in it, and begins and ends at characters."""
    if span is None:
        return True
    start, end = span
    if not one.body_start <= start < end <= len(one.data):
        return False
    return all(at == len(one.data) or (one.data[at] & 0xC0) != _CONTINUES for at in (start, end))


def _passes(loaded: Loaded, one: Representation, asked: _Asked) -> bool:
    """Say whether a representation of a node may be returned."""
    audience = one.fields.audience
    return (
        (asked.audiences is None or audience is None or audience in asked.audiences)
        and (asked.include_all or passes_policy(loaded.manifest, one, loaded.standing, asked.now))
        and (asked.locale is None or one is loaded.node.representation(asked.locale))
        and (not asked.concepts or not asked.concepts.isdisjoint(one.fields.concepts))
    )
