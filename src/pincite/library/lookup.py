"""Looking documents up: those that stand, their versions, and what became of those that do not."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pincite.core import ids
from pincite.core.errors import NotFoundError
from pincite.core.protocols import SourceFile
from pincite.core.text import normalise
from pincite.core.verdicts import SourceState
from pincite.library.stored import (
    OUTLINE_COLUMNS,
    StoredDocument,
    StoredVersion,
    flags_of,
    frames_of,
    outlined,
    select_stored,
    stored_of,
)
from pincite.library.tables import documents, same_key, standing, versions

if TYPE_CHECKING:
    from pincite.core.document import Document
    from pincite.core.geometry import PageFrame
    from pincite.library.database import Database
    from pincite.library.files import Files
    from pincite.library.tables import Row, Rows


class Lookup:
    """The documents of one tenant, to be read."""

    __slots__ = ("_database", "_files")

    def __init__(self, database: Database, files: Files) -> None:
        self._database = database
        self._files = files

    def all(self, collection_id: str | None) -> list[StoredDocument]:
        """Return the standing documents, of one collection or of all, by collection and source."""
        return self._sorted(self._of_collection(collection_id).where(standing()))

    def trashed(self) -> list[StoredDocument]:
        """Return the trashed documents, by collection and source."""
        return self._sorted(self._of_collection(None).where(documents.c.trashed_at.is_not(None)))

    def one(self, document_id: str) -> StoredDocument:
        """Return a standing document.

        Raises:
            NotFoundError: unknown or deleted.
        """
        with self._database.looking() as connection:
            found = self._standing(connection, document_id)
        if found is None:
            raise unknown_document()
        return found

    def text(self, document_id: str, version: str | None) -> str:
        """Return the text of a version (default: the current one).

        Raises:
            NotFoundError: unknown or deleted.
        """
        return self._version(document_id, version, versions.c.text)[0]

    def frames(self, document_id: str, version: str | None) -> tuple[PageFrame, ...]:
        """Return the page frames of a version (default: the current one); none for formats without pages.

        Raises:
            NotFoundError: unknown or deleted.
        """
        return frames_of(self._version(document_id, version, versions.c.frames)[0])

    def outlined(self, document_id: str, version: str | None) -> Document:
        """Return a version with its text, outline and pages: enough to locate any part of it.

        Raises:
            NotFoundError: unknown or deleted.
        """
        return outlined(*self._version(document_id, version, *OUTLINE_COLUMNS))

    def source_file(self, document_id: str, version: str | None) -> SourceFile:
        """Return the file of a version (default: the current one) as a local file.

        Raises:
            NotFoundError: unknown or deleted.
            StoreError: the file store cannot be read.
        """
        columns = (versions.c.file_hash, versions.c.media_type)
        file_hash, media_type = self._version(document_id, version, *columns)
        return SourceFile(self._files.local_path(file_hash), media_type, file_hash)

    def state(self, document_id: str, version: str) -> SourceState:
        """Say what became of a version.

        Raises:
            NotFoundError: there was never such a document, or it never had this version.
        """
        if ids.is_uuid(document_id):
            with self._database.looking() as connection:
                statement = sa.select(documents.c.version, standing().label("stands"))
                where = is_of(documents, self._database.tenant, document_id)
                row = connection.execute(statement.where(where)).first()
                if row is not None and not row.stands:
                    return SourceState.REMOVED
                if row is not None and row.version == version:
                    return SourceState.CURRENT
                statement = sa.select(versions.c.version)
                where = is_of(versions, self._database.tenant, document_id)
                if normalise(version) in connection.scalars(statement.where(where)):
                    return SourceState.SUPERSEDED
        raise unknown_document()

    def current_version(self, document_id: str) -> str:
        """Return the version that a document stands in.

        Raises:
            NotFoundError: unknown or deleted.
        """
        return self._version(document_id, None, versions.c.version)[0]

    def versions_of(self, document_id: str) -> list[StoredVersion]:
        """Return the versions of a standing document, the latest first.

        Raises:
            NotFoundError: unknown or deleted.
        """
        columns = (
            versions.c.version,
            versions.c.revision,
            versions.c.added_at,
            versions.c.pages,
            versions.c.passages,
            versions.c.media_type,
            versions.c.flags,
        )
        mine = is_of(versions, self._database.tenant, document_id)
        with self._database.looking() as connection:
            found = self._standing(connection, document_id)
            if found is None:
                raise unknown_document()
            rows = connection.execute(sa.select(*columns).where(mine).order_by(versions.c.revision.desc()))
            return [_version_of(row, found.version) for row in rows]

    # -- inside a transaction --------------------------------------------------------------------

    def _of_collection(self, collection_id: str | None) -> Rows:
        statement = select_stored(self._database.tenant)
        if collection_id is None:
            return statement
        return statement.where(documents.c.collection_id == normalise(collection_id))

    def _sorted(self, statement: Rows) -> list[StoredDocument]:
        with self._database.looking() as connection:
            found = [stored_of(row) for row in connection.execute(statement)]
        return sorted(found, key=lambda stored: (stored.collection, stored.source_key))

    def _version(self, document_id: str, version: str | None, *columns: sa.Column[Any]) -> Row:
        """Return `columns` of a version of a standing document."""
        wanted = documents.c.version if version is None else sa.literal(normalise(version))
        statement = (
            sa.select(*columns)
            .join_from(documents, versions, same_key(versions, documents, "document_id"))
            .where(
                is_of(documents, self._database.tenant, document_id),
                standing(),
                versions.c.version == wanted,
            )
        )
        if ids.is_uuid(document_id):
            with self._database.looking() as connection:
                row = connection.execute(statement).first()
            if row is not None:
                return row
        raise unknown_document()

    def _standing(self, connection: sa.Connection, document_id: str) -> StoredDocument | None:
        if not ids.is_uuid(document_id):
            return None
        statement = select_stored(self._database.tenant).where(standing())
        row = connection.execute(statement.where(documents.c.document_id == document_id)).first()
        return stored_of(row) if row is not None else None

    def _one(self, connection: sa.Connection, document_id: str) -> StoredDocument:
        """Return a document, standing or trashed."""
        if ids.is_uuid(document_id):
            statement = select_stored(self._database.tenant)
            row = connection.execute(statement.where(documents.c.document_id == document_id)).first()
            if row is not None:
                return stored_of(row)
        raise unknown_document()


def is_of(table: sa.Table, tenant: str, document_id: str) -> sa.ColumnElement[bool]:
    """Return the condition that a row is of a document."""
    return sa.and_(table.c.tenant == tenant, table.c.document_id == document_id)


def _version_of(row: Row, current: str) -> StoredVersion:
    version, revision, added_at, pages, count, media_type, flags = row
    added = datetime.fromisoformat(added_at)
    its_flags = flags_of(flags)
    return StoredVersion(version, revision, added, pages, count, media_type, its_flags, version == current)


def unknown_document() -> NotFoundError:
    """Return the error of whoever asks for a document that is not there."""
    return NotFoundError("There is no such document.", field="document_id")
