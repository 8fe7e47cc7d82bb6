"""Documents as they are kept: one transaction a change, old state or new state, nothing between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pincite.core import ids
from pincite.core.bibliography import Bibliography
from pincite.core.errors import InputError, NotFoundError, SourceTakenError
from pincite.core.protocols import SourceFile
from pincite.core.text import normalise
from pincite.core.verdicts import SourceState
from pincite.library.database import batches
from pincite.library.passages import place_row
from pincite.library.stored import (
    OUTLINE_COLUMNS,
    StoredDocument,
    frames_of,
    outlined,
    reading_columns,
    select_stored,
    stored_of,
)
from pincite.library.tables import (
    bibliographies,
    collections,
    documents,
    passages,
    places,
    same_key,
    vectors,
    versions,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pincite.core.document import Document
    from pincite.core.geometry import PageFrame
    from pincite.core.passage import Passage
    from pincite.library.collection import Collection
    from pincite.library.database import Database
    from pincite.library.feed import Feed
    from pincite.library.files import Files
    from pincite.library.tables import Row


@dataclass(frozen=True, slots=True)
class Incoming:
    """A document on its way in, with its passages, bytes and names."""

    document_id: str
    document: Document
    passages: Sequence[Passage]
    data: bytes
    source_key: str
    source_uri: str | None
    title: str | None
    bibliography: Bibliography | None = None


class Documents:
    """The documents of one tenant."""

    __slots__ = ("_database", "_feed", "_files", "_now")

    def __init__(self, database: Database, files: Files, feed: Feed, now: Callable[[], str]) -> None:
        self._database = database
        self._files = files
        self._feed = feed
        self._now = now

    # -- writing ---------------------------------------------------------------------------------

    def keep(self, collection: Collection, new: Incoming, *, replace: bool) -> StoredDocument:
        """Keep a document as the current version of its source, in one transaction.

        The same text and bytes change nothing; a text that stood before becomes current again under its version.

        Raises:
            InputError: a passage belongs to another document or version.
            NotFoundError: the collection is not in this library.
            SourceTakenError: the source has another file already and `replace` is false.
            StoreError: the library cannot be written.
        """
        _check_passages(new)
        # The file comes before the row that names it: a crash between leaves a file that `sweep` removes.
        file_hash = self._files.put(new.data)
        superseded: str | None = None
        with self._database.writing() as connection:
            # A delete or a sweep may have removed the file since; none can from here on.
            self._files.ensure(file_hash, new.data)
            self._check_collection(connection, collection)
            standing = self._standing(connection, new.document_id)
            if standing is not None and standing.file != file_hash and not replace:
                msg = "Another file has this name already; replace it or give this one another name."
                raise SourceTakenError(msg, field="source_key")
            if standing is None or self._differs(connection, standing, new, file_hash):
                superseded = self._write(connection, collection, new, file_hash)
            elif new.title is not None and normalise(new.title) != standing.title:
                self._update(connection, new.document_id, {"title": normalise(new.title)})
            self._write_bibliography(connection, new)
            stored = self._standing(connection, new.document_id)
        if superseded is not None and superseded != file_hash:
            self._drop_files([superseded])
        if stored is None:  # pragma: no cover - the row was written in the same transaction
            raise _unknown_document()
        return stored

    def delete(self, document_id: str) -> StoredDocument:
        """Remove a document: its hits end with this call, its text and files go, a tombstone stays.

        Raises:
            NotFoundError: unknown or deleted already.
            StoreError: the library cannot be written.
        """
        with self._database.writing() as connection:
            standing = self._standing(connection, document_id)
            if standing is None:
                raise _unknown_document()
            mine = _is(versions, self._database.tenant, document_id)
            files = list(connection.scalars(sa.select(versions.c.file_hash).where(mine).distinct()))
            self._feed.append(
                connection,
                collection_id=standing.collection_id,
                document_id=document_id,
                drops=self._current_ids(connection, document_id),
                puts=(),
            )
            self._erase(connection, document_id)
            emptied = {"source_key": "", "source_uri": None, "title": ""}
            self._update(connection, document_id, {**emptied, "removed_at": self._now()})
        self._drop_files(files)
        return standing

    def sweep(self) -> int:
        """Remove the files that no document names, left by a crash; return how many that were.

        Raises:
            StoreError: the library cannot be written.
        """
        return self._drop_files(self._files.names()) + self._files.sweep_staged()

    # -- reading ---------------------------------------------------------------------------------

    def all(self, collection_id: str | None) -> list[StoredDocument]:
        """Return the standing documents, of one collection or of all, by collection and source."""
        statement = select_stored(self._database.tenant)
        if collection_id is not None:
            statement = statement.where(documents.c.collection_id == normalise(collection_id))
        with self._database.reading() as connection:
            found = [stored_of(row) for row in connection.execute(statement)]
        return sorted(found, key=lambda stored: (stored.collection, stored.source_key))

    def one(self, document_id: str) -> StoredDocument:
        """Return a standing document.

        Raises:
            NotFoundError: unknown or deleted.
        """
        with self._database.reading() as connection:
            found = self._standing(connection, document_id)
        if found is None:
            raise _unknown_document()
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
            with self._database.reading() as connection:
                statement = sa.select(documents.c.version, documents.c.removed_at)
                where = _is(documents, self._database.tenant, document_id)
                row = connection.execute(statement.where(where)).first()
                if row is not None and row.removed_at is not None:
                    return SourceState.REMOVED
                if row is not None and row.version == version:
                    return SourceState.CURRENT
                statement = sa.select(versions.c.version)
                where = _is(versions, self._database.tenant, document_id)
                if normalise(version) in connection.scalars(statement.where(where)):
                    return SourceState.SUPERSEDED
        raise _unknown_document()

    def current_version(self, document_id: str) -> str:
        """Return the version that a document stands in.

        Raises:
            NotFoundError: unknown or deleted.
        """
        return self._version(document_id, None, versions.c.version)[0]

    # -- inside a transaction --------------------------------------------------------------------

    def _version(self, document_id: str, version: str | None, *columns: sa.Column[Any]) -> Row:
        """Return `columns` of a version of a standing document."""
        wanted = documents.c.version if version is None else sa.literal(normalise(version))
        statement = (
            sa.select(*columns)
            .join_from(documents, versions, same_key(versions, documents, "document_id"))
            .where(
                _is(documents, self._database.tenant, document_id),
                documents.c.removed_at.is_(None),
                versions.c.version == wanted,
            )
        )
        if ids.is_uuid(document_id):
            with self._database.reading() as connection:
                row = connection.execute(statement).first()
            if row is not None:
                return row
        raise _unknown_document()

    def _standing(self, connection: sa.Connection, document_id: str) -> StoredDocument | None:
        if not ids.is_uuid(document_id):
            return None
        statement = select_stored(self._database.tenant)
        row = connection.execute(statement.where(documents.c.document_id == document_id)).first()
        return stored_of(row) if row is not None else None

    def _check_collection(self, connection: sa.Connection, collection: Collection) -> None:
        statement = sa.select(sa.literal(1)).where(
            collections.c.tenant == self._database.tenant,
            collections.c.collection_id == collection.collection_id,
        )
        if connection.execute(statement).first() is None:
            msg = "There is no such collection."
            raise NotFoundError(msg, field="collection")

    def _differs(
        self, connection: sa.Connection, standing: StoredDocument, new: Incoming, file_hash: str
    ) -> bool:
        if (standing.version, standing.file) != (new.document.version, file_hash):
            return True
        mine = _is(versions, self._database.tenant, new.document_id)
        reader = connection.scalar(
            sa.select(versions.c.reader).where(mine, versions.c.version == standing.version)
        )
        if reader != new.document.reader:
            return True
        current = set(self._current_ids(connection, new.document_id))
        return current != {passage.chunk_id for passage in new.passages}

    def _write(
        self, connection: sa.Connection, collection: Collection, new: Incoming, file_hash: str
    ) -> str | None:
        """Make `new` the current version of its document; return the file that this version had before."""
        before = self._current_ids(connection, new.document_id)
        after = [passage.chunk_id for passage in new.passages]
        kept = set(before) & set(after)
        drops = [chunk_id for chunk_id in before if chunk_id not in kept]
        puts = [chunk_id for chunk_id in after if chunk_id not in kept]
        self._write_document(connection, collection, new)
        file_before = self._write_version(connection, new, file_hash)
        first = self._feed.append(
            connection,
            collection_id=collection.collection_id,
            document_id=new.document_id,
            drops=drops,
            puts=puts,
        )
        self._mark(connection, [(chunk_id, None) for chunk_id in drops])
        self._write_passages(connection, new, list(enumerate(puts, start=first)))
        self._write_places(connection, new)
        return file_before

    def _write_document(self, connection: sa.Connection, collection: Collection, new: Incoming) -> None:
        title = normalise(new.title or new.document.title or new.source_key.rpartition("/")[2])
        values = {
            "source_key": new.source_key,
            "source_uri": new.source_uri,
            "title": title,
            "version": new.document.version,
            "removed_at": None,
        }
        where = _is(documents, self._database.tenant, new.document_id)
        removed = connection.execute(sa.select(documents.c.removed_at).where(where)).first()
        if removed is None:
            key = {
                "tenant": self._database.tenant,
                "document_id": new.document_id,
                "collection_id": collection.collection_id,
                "added_at": self._now(),
            }
            connection.execute(sa.insert(documents).values({**key, **values}))
            return
        if removed[0] is not None:
            values["added_at"] = self._now()
        self._update(connection, new.document_id, values)

    def _write_bibliography(self, connection: sa.Connection, new: Incoming) -> None:
        """Keep what the file says of itself, and what is given over what was given before."""
        where = _is(bibliographies, self._database.tenant, new.document_id)
        statement = sa.select(bibliographies.c.found, bibliographies.c.given).where(where)
        before = connection.execute(statement).first()
        given: dict[str, Any] = {} if before is None else before.given
        if new.bibliography is not None:
            given = new.bibliography.over(Bibliography.from_dict(given)).as_dict()
        found = new.document.bibliography.as_dict()
        values = {"found": found, "given": given}
        if before is not None:
            if (before.found, before.given) != (found, given):
                connection.execute(sa.update(bibliographies).where(where).values(values))
        elif found or given:
            key = {"tenant": self._database.tenant, "document_id": new.document_id}
            connection.execute(sa.insert(bibliographies).values({**key, **values}))

    def _write_version(self, connection: sa.Connection, new: Incoming, file_hash: str) -> str | None:
        tenant = self._database.tenant
        mine = _is(versions, tenant, new.document_id)
        known = connection.execute(
            sa.select(versions.c.version, versions.c.revision, versions.c.file_hash).where(mine)
        ).all()
        same = next((row for row in known if row.version == new.document.version), None)
        latest = max((row.revision for row in known), default=0)
        values = {
            **reading_columns(new.document),
            "reader": new.document.reader,
            "file_hash": file_hash,
            "passages": len(new.passages),
            "revision": latest if same is not None and same.revision == latest else latest + 1,
        }
        if same is None:
            key = {"tenant": tenant, "document_id": new.document_id, "added_at": self._now()}
            text = {"version": new.document.version, "text": new.document.text}
            connection.execute(sa.insert(versions).values({**key, **text, **values}))
            return None
        this = versions.c.version == new.document.version
        connection.execute(sa.update(versions).where(mine, this).values(values))
        # The text is the same, so old passages stay addressable; but their boxes lie on another file's pages.
        retired: dict[str, Any] = {"ordinal": None}
        if same.file_hash != file_hash:
            retired["boxes"] = b""
        old = sa.and_(_is(places, tenant, new.document_id), places.c.version == new.document.version)
        connection.execute(sa.update(places).where(old).values(retired))
        file_before: str = same.file_hash
        return file_before

    def _write_passages(
        self, connection: sa.Connection, new: Incoming, puts: Sequence[tuple[int, str]]
    ) -> None:
        tenant = self._database.tenant
        mine = _is(passages, tenant, new.document_id)
        known = set(connection.scalars(sa.select(passages.c.chunk_id).where(mine)))
        texts = {passage.chunk_id: passage.text for passage in new.passages}
        fresh = [
            {
                "tenant": tenant,
                "chunk_id": chunk_id,
                "document_id": new.document_id,
                "put_seq": seq,
                "text": texts[chunk_id],
            }
            for seq, chunk_id in puts
            if chunk_id not in known
        ]
        if fresh:
            connection.execute(sa.insert(passages), fresh)
        self._mark(connection, [(chunk_id, seq) for seq, chunk_id in puts if chunk_id in known])

    def _write_places(self, connection: sa.Connection, new: Incoming) -> None:
        tenant = self._database.tenant
        this = sa.and_(places.c.tenant == tenant, places.c.version == new.document.version)
        for batch in batches(passage.chunk_id for passage in new.passages):
            connection.execute(sa.delete(places).where(this, places.c.chunk_id.in_(batch)))
        rows = [place_row(tenant, passage, i) for i, passage in enumerate(new.passages)]
        if rows:
            connection.execute(sa.insert(places), rows)

    def _mark(self, connection: sa.Connection, marks: Sequence[tuple[str, int | None]]) -> None:
        """Set the change that made each passage current; None when it is not any more."""
        if not marks:
            return
        statement = (
            sa.update(passages)
            .where(
                passages.c.tenant == self._database.tenant,
                passages.c.chunk_id == sa.bindparam("marked"),
            )
            .values(put_seq=sa.bindparam("seq"))
        )
        rows = [{"marked": chunk_id, "seq": seq} for chunk_id, seq in marks]
        connection.execute(statement, rows)

    def _current_ids(self, connection: sa.Connection, document_id: str) -> list[str]:
        where = _is(passages, self._database.tenant, document_id)
        return list(
            connection.scalars(
                sa.select(passages.c.chunk_id)
                .where(where, passages.c.put_seq.is_not(None))
                .order_by(passages.c.put_seq)
            )
        )

    def _update(self, connection: sa.Connection, document_id: str, values: dict[str, Any]) -> None:
        where = _is(documents, self._database.tenant, document_id)
        connection.execute(sa.update(documents).where(where).values(values))

    def _erase(self, connection: sa.Connection, document_id: str) -> None:
        """Remove everything of a document but its own row, what points before what is pointed at."""
        tenant = self._database.tenant
        chunk_ids = sa.select(passages.c.chunk_id).where(_is(passages, tenant, document_id))
        connection.execute(
            sa.delete(vectors).where(vectors.c.tenant == tenant, vectors.c.chunk_id.in_(chunk_ids))
        )
        for table in (places, passages, versions, bibliographies):
            connection.execute(sa.delete(table).where(_is(table, tenant, document_id)))

    def _drop_files(self, names: Iterable[str]) -> int:
        """Remove those of `names` that no version names; the lock keeps a writer from naming one meanwhile."""
        removed = 0
        for batch in batches(names):
            with self._database.writing() as connection:
                statement = sa.select(versions.c.file_hash).where(
                    versions.c.tenant == self._database.tenant, versions.c.file_hash.in_(batch)
                )
                named = set(connection.scalars(statement))
                for name in batch:
                    if name not in named:
                        self._files.delete(name)
                        removed += 1
        return removed


def _is(table: sa.Table, tenant: str, document_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(table.c.tenant == tenant, table.c.document_id == document_id)


def _unknown_document() -> NotFoundError:
    return NotFoundError("There is no such document.", field="document_id")


def _check_passages(new: Incoming) -> None:
    for passage in new.passages:
        if (passage.document_id, passage.version) != (new.document_id, new.document.version):
            msg = "A passage belongs to another document or version than the one to be kept."
            raise InputError(msg, field="passages")
