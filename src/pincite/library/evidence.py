"""Evidence: the stored text behind evidence ids, for those who may see it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pincite.core.document import Places
from pincite.core.errors import MalformedIdError
from pincite.core.ids import ChunkEvidenceId, EvidenceId, SpanEvidenceId, parse_evidence_id
from pincite.core.locators import Locator
from pincite.core.protocols import EvidenceText
from pincite.core.verdicts import SourceState
from pincite.library.database import batches
from pincite.library.stored import OUTLINE_COLUMNS, outlined
from pincite.library.tables import documents, passages, places, same_key, standing, versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.core.scope import Scope
    from pincite.library.library import Library
    from pincite.library.tables import Row, Rows

_CHUNKS = (
    sa.select(
        places.c.document_id,
        places.c.version,
        places.c.chunk_id,
        places.c.start_at,
        places.c.end_at,
        places.c.locator,
        passages.c.text,
        documents.c.title,
        documents.c.source_uri,
        (documents.c.version == places.c.version).label("current"),
    )
    .join_from(
        places,
        passages,
        same_key(passages, places, "chunk_id"),
    )
    .join(
        documents,
        same_key(documents, places, "document_id"),
    )
    .where(
        places.c.tenant == sa.bindparam("tenant"),
        places.c.chunk_id.in_(sa.bindparam("names", expanding=True)),
        places.c.version.in_(sa.bindparam("versions", expanding=True)),
        standing(),
    )
)
_TEXTS = (
    sa.select(
        versions.c.document_id,
        documents.c.title,
        documents.c.source_uri,
        (documents.c.version == versions.c.version).label("current"),
        *OUTLINE_COLUMNS,
    )
    .join_from(
        versions,
        documents,
        same_key(documents, versions, "document_id"),
    )
    .where(
        versions.c.tenant == sa.bindparam("tenant"),
        versions.c.document_id.in_(sa.bindparam("names", expanding=True)),
        versions.c.version.in_(sa.bindparam("versions", expanding=True)),
        standing(),
    )
)


class LibraryEvidence:
    """A library as a `core.protocols.EvidenceStore`."""

    __slots__ = ("_library",)

    def __init__(self, library: Library) -> None:
        self._library = library

    async def read(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
        """Return one entry per id in order; None for malformed, unknown, deleted and out of scope alike.

        An id of a version that an edit replaced reads that version's own text, and says `superseded`. Of a span that
        reaches past the end of its text the part that is there is read; `start` and `end` say which that is.

        Raises:
            StoreError: the library cannot be read.
        """
        return await asyncio.to_thread(self.read_sync, ids, scope)

    def read_sync(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
        """Do what `read` does without an event loop.

        Raises:
            StoreError: the library cannot be read.
        """
        wanted = {name: parsed for name in set(ids) if (parsed := _in_scope(name, scope))}
        chunks = [one for one in wanted.values() if isinstance(one, ChunkEvidenceId)]
        spans = [one for one in wanted.values() if isinstance(one, SpanEvidenceId)]
        found: dict[str, EvidenceText] = {}
        with self._library.database.looking() as connection:
            found.update((text.evidence_id, text) for text in self._chunks(connection, chunks))
            found.update((text.evidence_id, text) for text in self._spans(connection, spans))
        return [found.get(name) for name in ids]

    def _chunks(self, connection: sa.Connection, wanted: Sequence[ChunkEvidenceId]) -> Iterable[EvidenceText]:
        names = {(one.document_id, one.version, one.chunk_id): str(one) for one in wanted}
        by_chunk = _versions_by((one.chunk_id, one.version) for one in wanted)
        for row in self._rows(connection, _CHUNKS, by_chunk):
            evidence_id = names.get((row.document_id, row.version, row.chunk_id))
            if evidence_id is not None:
                locator = Locator.from_dict(row.locator)
                yield _evidence(evidence_id, row, (row.start_at, row.end_at), row.text, locator)

    def _spans(self, connection: sa.Connection, wanted: Sequence[SpanEvidenceId]) -> Iterable[EvidenceText]:
        by_version: dict[tuple[str, str], list[SpanEvidenceId]] = {}
        for one in wanted:
            by_version.setdefault((one.document_id, one.version), []).append(one)
        for row in self._rows(connection, _TEXTS, _versions_by(by_version)):
            asked = by_version.get((row.document_id, row.version), ())
            document = outlined(*row[-len(OUTLINE_COLUMNS) :])
            located = Places(document)
            for one in asked:
                end = min(one.end, len(document.text))
                if one.start < end:
                    text = document.text[one.start : end]
                    locator = located.locator(one.start, end)
                    yield _evidence(str(one), row, (one.start, end), text, locator)

    def _rows(
        self,
        connection: sa.Connection,
        statement: Rows,
        wanted: dict[str, set[str]],
    ) -> Iterable[Row]:
        """Yield the rows of names in their versions, one statement for a batch of names."""
        for batch in batches(wanted):
            for part in batches(sorted({one for name in batch for one in wanted[name]})):
                values = {
                    "tenant": self._library.database.tenant,
                    "names": batch,
                    "versions": part,
                }
                yield from connection.execute(statement, values)


def _in_scope(name: str, scope: Scope) -> EvidenceId | None:
    try:
        parsed = parse_evidence_id(name)
    except MalformedIdError:
        return None
    return parsed if parsed.document_id in scope else None


def _versions_by(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, version in pairs:
        found.setdefault(name, set()).add(version)
    return found


def _evidence(evidence_id: str, row: Row, span: tuple[int, int], text: str, locator: Locator) -> EvidenceText:
    return EvidenceText(
        evidence_id,
        row.document_id,
        row.version,
        *span,
        text,
        title=row.title,
        source_uri=row.source_uri,
        locator=locator,
        state=SourceState.CURRENT if row.current else SourceState.SUPERSEDED,
    )
