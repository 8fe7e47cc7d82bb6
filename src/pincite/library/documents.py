"""Documents as they are kept: one transaction a change, old state or new state, nothing between."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pincite.core.bibliography import Bibliography
from pincite.core.errors import InputError, SourceTakenError
from pincite.core.text import normalise
from pincite.library.access_tables import grants
from pincite.library.collection import KEEP, Keep, unknown_collection
from pincite.library.database import batches
from pincite.library.layouts import write_layouts
from pincite.library.lookup import Lookup, is_of, unknown_document
from pincite.library.passages import place_row
from pincite.library.stored import (
    StoredDocument,
    reading_columns,
    stored_of,
)
from pincite.library.tables import (
    bibliographies,
    collections,
    documents,
    origins,
    page_layouts,
    passages,
    places,
    vectors,
    versions,
)
from pincite.library.work_tables import held_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pincite.core.document import Document
    from pincite.core.passage import Passage
    from pincite.library.collection import Collection
    from pincite.library.database import Database
    from pincite.library.feed import Feed
    from pincite.library.files import Files


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
    metadata: dict[str, Any] | None = None


class Documents(Lookup):
    """The documents of one tenant."""

    __slots__ = ("_feed", "_now")

    def __init__(self, database: Database, files: Files, feed: Feed, now: Callable[[], str]) -> None:
        super().__init__(database, files)
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
        with self._database.changing() as connection:
            # A delete or a sweep may have removed the file since; none can from here on.
            self._files.ensure(file_hash, new.data)
            self._check_collection(connection, collection)
            standing = self._standing(connection, new.document_id)
            if standing is not None and standing.file != file_hash and not replace:
                msg = "Another file has this name already; replace it or give this one another name."
                raise SourceTakenError(msg, field="source_key")
            if standing is None or self._differs(connection, standing, new, file_hash):
                superseded = self._write(connection, collection, new, file_hash)
            else:
                self._rename(connection, standing, new)
            self._write_bibliography(connection, new)
            stored = self._standing(connection, new.document_id)
        if superseded is not None and superseded != file_hash:
            self.drop_files([superseded])
        if stored is None:  # pragma: no cover - the row was written in the same transaction
            raise unknown_document()
        return stored

    def delete(self, document_id: str) -> StoredDocument:
        """Remove a document: its hits end with this call, its text and files go, a tombstone stays.

        Raises:
            NotFoundError: unknown or deleted already.
            StoreError: the library cannot be written.
        """
        with self._database.changing() as connection:
            found = self._one(connection, document_id)
            files = self._remove(connection, found)
        self.drop_files(files)
        return found

    def delete_collection(self, collection_id: str) -> list[StoredDocument]:
        """Remove a collection with all of its documents, trashed ones too, in one transaction; return these.

        Raises:
            NotFoundError: there is no such collection.
            StoreError: the library cannot be written.
        """
        files: set[str] = set()
        with self._database.changing() as connection:
            mine = sa.and_(
                collections.c.tenant == self._database.tenant,
                collections.c.collection_id == normalise(collection_id),
            )
            # Another collection may have the name from now on.
            gone = {"name": f"removed {normalise(collection_id)}", "removed_at": self._now()}
            removed = sa.update(collections).where(mine, collections.c.removed_at.is_(None)).values(gone)
            # Before that, a row of it says what its name was.
            found = [stored_of(row) for row in connection.execute(self._of_collection(collection_id))]
            if connection.execute(removed).rowcount == 0:
                raise unknown_collection()
            for document in found:
                files.update(self._remove(connection, document))
        self.drop_files(files)
        return found

    def describe(
        self, document_id: str, *, title: str | Keep = KEEP, source_uri: str | Keep | None = KEEP
    ) -> StoredDocument:
        """Set what is not `KEEP` and return the document as it is then; its id, key and text stay.

        Raises:
            NotFoundError: unknown, deleted or trashed.
            StoreError: the library cannot be written.
        """
        given = {"title": title, "source_uri": source_uri}
        values = {
            name: normalise(value) if isinstance(value, str) else value
            for name, value in given.items()
            if value is not KEEP
        }
        with self._database.changing() as connection:
            found = self._standing(connection, document_id)
            if found is None:
                raise unknown_document()
            if values:
                self._update(connection, found.document_id, values)
        return replace(found, **values)

    def trash(self, document_id: str) -> StoredDocument:
        """Take a document out of sight: its hits and previews end with this call, and nothing of it is lost.

        Raises:
            NotFoundError: unknown, deleted, or out of sight already.
            StoreError: the library cannot be written.
        """
        with self._database.changing() as connection:
            found = self._standing(connection, document_id)
            if found is None:
                raise unknown_document()
            self._mark(connection, [(chunk_id, None) for chunk_id in self._end_hits(connection, found)])
            self._update(connection, found.document_id, {"trashed_at": self._now()})
        return found

    def restore(self, document_id: str) -> StoredDocument:
        """Bring a trashed document back, as it was.

        Raises:
            NotFoundError: unknown, deleted, or not trashed.
            StoreError: the library cannot be written.
        """
        with self._database.changing() as connection:
            found = self._one(connection, document_id)
            if self._standing(connection, document_id) is not None:
                raise unknown_document()
            mine = sa.and_(
                is_of(places, self._database.tenant, found.document_id),
                places.c.version == found.version,
                places.c.ordinal.is_not(None),
            )
            puts = list(
                connection.scalars(sa.select(places.c.chunk_id).where(mine).order_by(places.c.ordinal))
            )
            first = self._feed.append(
                connection,
                collection_id=found.collection_id,
                document_id=found.document_id,
                drops=(),
                puts=puts,
            )
            self._mark(connection, [(chunk_id, seq) for seq, chunk_id in enumerate(puts, start=first)])
            self._update(connection, found.document_id, {"trashed_at": None})
        return found

    def sweep(self) -> int:
        """Remove the files that no document names, left by a crash; return how many that were.

        Raises:
            StoreError: the library cannot be written.
        """
        return self.drop_files(self._files.names()) + self._files.sweep_staged()

    def drop_files(self, names: Iterable[str]) -> int:
        """Remove those of `names` that no version, job or upload names; return how many that were.

        Raises:
            StoreError: the library cannot be written.
        """
        removed = 0
        tenant, now = self._database.tenant, datetime.fromisoformat(self._now()).timestamp()
        for batch in batches(names):
            # The lock keeps a writer from naming one meanwhile.
            with self._database.writing() as connection:
                over = sa.and_(held_files.c.tenant == tenant, held_files.c.until <= now)
                connection.execute(sa.delete(held_files).where(over))
                named: set[str] = set()
                for table in (versions, held_files):
                    statement = sa.select(table.c.file_hash).where(
                        table.c.tenant == tenant, table.c.file_hash.in_(batch)
                    )
                    named.update(connection.scalars(statement))
                for name in batch:
                    if name not in named:
                        self._files.delete(name)
                        removed += 1
        return removed

    # -- inside a transaction --------------------------------------------------------------------

    def _end_hits(self, connection: sa.Connection, document: StoredDocument) -> list[str]:
        """Tell the indexes that no passage of a document is to be found; return which were."""
        drops = self._current_ids(connection, document.document_id)
        self._feed.append(
            connection,
            collection_id=document.collection_id,
            document_id=document.document_id,
            drops=drops,
            puts=(),
        )
        return drops

    def _remove(self, connection: sa.Connection, document: StoredDocument) -> list[str]:
        """Leave a tombstone of a document; return the files that its versions named."""
        mine = is_of(versions, self._database.tenant, document.document_id)
        files = list(connection.scalars(sa.select(versions.c.file_hash).where(mine).distinct()))
        self._end_hits(connection, document)
        self._erase(connection, document.document_id)
        emptied = {"source_key": "", "source_uri": None, "title": "", "metadata": None, "trashed_at": None}
        self._update(connection, document.document_id, {**emptied, "removed_at": self._now()})
        return files

    def _rename(self, connection: sa.Connection, standing: StoredDocument, new: Incoming) -> None:
        """Write what is said anew of a document whose text and bytes stay."""
        values: dict[str, Any] = {}
        if new.title is not None and normalise(new.title) != standing.title:
            values["title"] = normalise(new.title)
        if new.metadata is not None and new.metadata != standing.metadata:
            values["metadata"] = new.metadata
        if values:
            self._update(connection, new.document_id, values)

    def _check_collection(self, connection: sa.Connection, collection: Collection) -> None:
        statement = sa.select(sa.literal(1)).where(
            collections.c.tenant == self._database.tenant,
            collections.c.collection_id == collection.collection_id,
            collections.c.removed_at.is_(None),
        )
        if connection.execute(statement).first() is None:
            raise unknown_collection()

    def _differs(
        self, connection: sa.Connection, standing: StoredDocument, new: Incoming, file_hash: str
    ) -> bool:
        if (standing.version, standing.file) != (new.document.version, file_hash):
            return True
        mine = is_of(versions, self._database.tenant, new.document_id)
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
        write_layouts(connection, self._database.tenant, new.document_id, new.document)
        self._write_passages(connection, new, list(enumerate(puts, start=first)))
        self._write_places(connection, new)
        return file_before

    def _write_document(self, connection: sa.Connection, collection: Collection, new: Incoming) -> None:
        title = normalise(new.title or new.document.title or new.source_key.rpartition("/")[2])
        values: dict[str, Any] = {
            "source_key": new.source_key,
            "source_uri": new.source_uri,
            "title": title,
            "version": new.document.version,
            "removed_at": None,
            "trashed_at": None,
        }
        if new.metadata is not None:
            values["metadata"] = new.metadata
        where = is_of(documents, self._database.tenant, new.document_id)
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
        where = is_of(bibliographies, self._database.tenant, new.document_id)
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
        mine = is_of(versions, tenant, new.document_id)
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
        old = sa.and_(is_of(places, tenant, new.document_id), places.c.version == new.document.version)
        connection.execute(sa.update(places).where(old).values(retired))
        file_before: str = same.file_hash
        return file_before

    def _write_passages(
        self, connection: sa.Connection, new: Incoming, puts: Sequence[tuple[int, str]]
    ) -> None:
        tenant = self._database.tenant
        mine = is_of(passages, tenant, new.document_id)
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
        where = is_of(passages, self._database.tenant, document_id)
        return list(
            connection.scalars(
                sa.select(passages.c.chunk_id)
                .where(where, passages.c.put_seq.is_not(None))
                .order_by(passages.c.put_seq)
            )
        )

    def _update(self, connection: sa.Connection, document_id: str, values: dict[str, Any]) -> None:
        where = is_of(documents, self._database.tenant, document_id)
        connection.execute(sa.update(documents).where(where).values(values))

    def _erase(self, connection: sa.Connection, document_id: str) -> None:
        """Remove everything of a document but its own row, what points before what is pointed at."""
        tenant = self._database.tenant
        chunk_ids = sa.select(passages.c.chunk_id).where(is_of(passages, tenant, document_id))
        for table in (vectors, grants):
            connection.execute(
                sa.delete(table).where(table.c.tenant == tenant, table.c.chunk_id.in_(chunk_ids))
            )
        for table in (places, passages, page_layouts, versions, bibliographies, origins):
            connection.execute(sa.delete(table).where(is_of(table, tenant, document_id)))


def _check_passages(new: Incoming) -> None:
    for passage in new.passages:
        if (passage.document_id, passage.version) != (new.document_id, new.document.version):
            msg = "A passage belongs to another document or version than the one to be kept."
            raise InputError(msg, field="passages")
