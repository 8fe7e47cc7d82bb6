"""Filters: which standing documents of some collections a search may look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, cast

import sqlalchemy as sa

from pincite.core.errors import InputError, LimitError
from pincite.core.text import normalise
from pincite.library.database import batches
from pincite.library.metadata import checked_name, checked_value
from pincite.library.tables import bibliographies, documents, same_key, standing, versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.core.limits import Limits
    from pincite.library.database import Database
    from pincite.library.metadata import Value
    from pincite.library.tables import Row, Rows

_PAGE: Final = 1_000
"""Rows of one reading of the database's answer."""
_SECOND: Final = len("2026-03-18T09:00:00")


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """What a document must be: one of each that is given; what is empty or None asks for nothing.

    `metadata` gives for each name a value, or several of which one is enough. A language stands for its regions too
    (`en` for `en-GB`). A document came at or after `added_after` and before `added_before`.
    """

    document_ids: Sequence[str] = ()
    source_uris: Sequence[str] = ()
    media_types: Sequence[str] = ()
    languages: Sequence[str] = ()
    metadata: Mapping[str, Value | Sequence[Value]] = field(
        default_factory=dict[str, "Value | Sequence[Value]"]
    )
    added_after: datetime | None = None
    added_before: datetime | None = None


def matching(
    database: Database, collection_ids: Sequence[str], wanted: DocumentFilter, limits: Limits
) -> frozenset[str]:
    """Return the ids of the standing documents of some collections that are as `wanted`.

    Raises:
        InputError: a time has no zone, or a name or value of the metadata can be none.
        LimitError: there are more than `limits.filter_values` values of one kind.
    """
    _check(wanted, limits.filter_values)
    found: set[str] = set()
    with database.looking() as connection:
        for batch in batches(map(normalise, collection_ids)):
            statement = _statement(database.tenant, wanted).where(documents.c.collection_id.in_(batch))
            rows = connection.execution_options(yield_per=_PAGE).execute(statement)
            found.update(row.document_id for row in rows if _fits(row, wanted))
    return frozenset(found)


def _statement(tenant: str, wanted: DocumentFilter) -> Rows:
    """Return the statement for the documents that may fit; what it cannot decide alike everywhere, `_fits` does."""
    statement = sa.select(documents.c.document_id, documents.c.added_at, documents.c.metadata).where(
        documents.c.tenant == tenant, standing()
    )
    if wanted.document_ids:
        statement = statement.where(documents.c.document_id.in_(list(wanted.document_ids)))
    if wanted.source_uris:
        uris = [normalise(uri) for uri in wanted.source_uris]
        # What a row calls the address of a document without one is its key.
        statement = statement.where(
            sa.func.coalesce(documents.c.source_uri, documents.c.source_key).in_(uris)
        )
    if wanted.media_types:
        kinds = [kind.lower() for kind in wanted.media_types]
        versioned = same_key(versions, documents, "document_id", "version")
        statement = statement.join(versions, versioned).where(versions.c.media_type.in_(kinds))
    if wanted.languages:
        statement = statement.join(bibliographies, same_key(bibliographies, documents, "document_id"))
        statement = statement.where(_language(wanted.languages))
    if wanted.metadata:
        statement = statement.where(documents.c.metadata.is_not(None))
    # Up to the second the texts compare as the times do, whatever the database's order of signs.
    second = sa.func.substr(documents.c.added_at, 1, _SECOND)
    if wanted.added_after is not None:
        statement = statement.where(second >= _text(wanted.added_after))
    if wanted.added_before is not None:
        statement = statement.where(second <= _text(wanted.added_before))
    return statement


def _language(languages: Sequence[str]) -> sa.ColumnElement[bool]:
    given, found = (
        column["language"].as_string() for column in (bibliographies.c.given, bibliographies.c.found)
    )
    language = sa.func.lower(sa.func.coalesce(given, found))
    return sa.or_(
        *(
            sa.or_(language == name, language.startswith(f"{name}-", autoescape=True))
            for name in (written.lower() for written in languages)
        )
    )


def _fits(row: Row, wanted: DocumentFilter) -> bool:
    added = datetime.fromisoformat(row.added_at)
    if wanted.added_after is not None and added < wanted.added_after:
        return False
    if wanted.added_before is not None and added >= wanted.added_before:
        return False
    held: dict[str, Any] = row.metadata or {}
    return all(
        any(_is(one, held[name]) for one in _several(value)) if name in held else False
        for name, value in wanted.metadata.items()
    )


def _is(wanted: Value, held: object) -> bool:
    """Say whether a value is the one wanted, or a list that holds it; true is not 1."""
    if isinstance(held, list):
        return wanted in cast("list[object]", held)
    if isinstance(wanted, str):
        wanted = normalise(wanted)
    return isinstance(wanted, bool) == isinstance(held, bool) and wanted == held


def _several(value: Value | Sequence[Value]) -> Sequence[Value]:
    return value if isinstance(value, list | tuple) else [cast("Value", value)]


def _check(wanted: DocumentFilter, most: int) -> None:
    lists: dict[str, Sequence[Value]] = {
        "document_ids": wanted.document_ids,
        "source_uris": wanted.source_uris,
        "media_types": wanted.media_types,
        "languages": wanted.languages,
    }
    for name, value in wanted.metadata.items():
        checked_name(name)
        values = _several(value)
        for one in values:
            checked_value(one)
        _check_count("metadata", len(values), most)
    _check_count("metadata", len(wanted.metadata), most)
    for name, values in lists.items():
        _check_count(name, len(values), most)
    for name, time in (("added_after", wanted.added_after), ("added_before", wanted.added_before)):
        if time is not None and time.tzinfo is None:
            msg = "A time in a filter says its zone, as `2026-03-18T09:00:00Z` does."
            raise InputError(msg, field=name)


def _check_count(name: str, count: int, most: int) -> None:
    if count > most:
        msg = f"A filter has at most {most:,} values of one kind."
        raise LimitError(msg, field=name)


def _text(time: datetime) -> str:
    return time.astimezone(UTC).isoformat()[:_SECOND]
