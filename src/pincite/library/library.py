"""The library: documents with their versions, files, passages and vectors, behind one object."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pincite.core import ids
from pincite.core.errors import InputError, StoreError
from pincite.core.limits import DEFAULT
from pincite.core.text import normalise
from pincite.core.urls import safe_link
from pincite.library.collection import KEEP, Chunking, Collections, Keep
from pincite.library.conversations import Conversations
from pincite.library.database import Database, sentence_of
from pincite.library.documents import Documents, Incoming
from pincite.library.feed import Feed
from pincite.library.files import Files
from pincite.library.filters import matching
from pincite.library.layouts import KeptLayouts
from pincite.library.metadata import checked_metadata
from pincite.library.origins import Origins
from pincite.library.passages import Passages
from pincite.library.tenants import check_tenant
from pincite.library.vectors import Vectors, vector_counter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pincite.core.bibliography import Bibliography
    from pincite.core.document import Document
    from pincite.core.geometry import PageFrame
    from pincite.core.limits import Limits
    from pincite.core.passage import Passage
    from pincite.core.protocols import PageLayouts, SourceFile
    from pincite.core.verdicts import SourceState
    from pincite.library.collection import Collection, Counts
    from pincite.library.feed import Change
    from pincite.library.filters import DocumentFilter
    from pincite.library.passages import Findable
    from pincite.library.stored import StoredDocument, StoredVersion

DATABASE_FILE = "library.db"
"""Name of the database in the library's folder."""


def now_utc() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def random_id() -> str:
    """Return a random UUID."""
    return str(uuid.uuid4())


class Library:
    """What one tenant keeps; thread-safe, and open in as many processes as like. Close it, or use `with`."""

    __slots__ = (
        "_collections",
        "_conversations",
        "_database",
        "_documents",
        "_feed",
        "_files",
        "_passages",
        "_vectors",
        "clock",
        "home",
        "limits",
        "new_id",
    )

    def __init__(
        self,
        database: Database,
        files: Files,
        *,
        home: Path,
        limits: Limits,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        self.home = home
        self.limits = limits
        self.clock = clock
        self.new_id = new_id
        self._database = database
        self._files = files
        self._feed = Feed(database)
        self._collections = Collections(database, self.now, new_id)
        self._documents = Documents(database, files, self._feed, self.now)
        self._passages = Passages(database)
        self._vectors = Vectors(database, self._feed)
        self._conversations = Conversations(database, self.now)

    @classmethod
    def open(
        cls,
        home: Path,
        *,
        database: str | None = None,
        files: str | None = None,
        reads: str | None = None,
        tenant: str = "local",
        limits: Limits = DEFAULT,
        clock: Callable[[], datetime] = now_utc,
        new_id: Callable[[], str] = random_id,
    ) -> Library:
        """Open the library in the folder `home`, made when it is missing.

        `database` is an SQLAlchemy address, `files` a folder or an address such as `s3://bucket`. `reads` is the
        address of a copy that follows the database (PostgreSQL), which documents are read from while it lacks nothing.

        Raises:
            InputError: `tenant` is not a name of 1 to 64 of `a-z 0-9 . _ -`.
            SettingError: an address cannot be read.
            StoreError: the folder, database or file store cannot be opened, or is of a newer pincite.
        """
        check_tenant(tenant)
        home = Path(home)
        try:
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(sentence_of(error)) from error
        kept = Files.open(files, home=home, tenant=tenant, limits=limits)
        opened = Database.open(database, file=home / DATABASE_FILE, tenant=tenant, limits=limits, reads=reads)
        return cls(opened, kept, home=home, limits=limits, clock=clock, new_id=new_id)

    def of_tenant(self, tenant: str) -> Library:
        """Return another tenant's library on the same database and file store; it ends when this one is closed.

        Closing it closes nothing that they share.

        Raises:
            InputError: `tenant` is not a name of 1 to 64 of `a-z 0-9 . _ -`.
            StoreError: the database cannot be written, where the tenant is new to it.
        """
        check_tenant(tenant)
        return Library(
            self._database.of_tenant(tenant),
            self._files.of_tenant(tenant),
            home=self.home,
            limits=self.limits,
            clock=self.clock,
            new_id=self.new_id,
        )

    def close(self) -> None:
        """Close the library; every later call raises StoreError."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def database(self) -> Database:
        """The database, for what reads the truth beside this class."""
        return self._database

    @property
    def files(self) -> Files:
        """The file store, for what brings files in beside this class."""
        return self._files

    def now(self) -> str:
        """Return the time of the library's clock as every row has it: ISO 8601, in UTC."""
        return self.clock().astimezone(UTC).isoformat()

    # -- collections -----------------------------------------------------------------------------

    def collection(self, name: str, *, create: bool = True, chunking: Chunking = "flat") -> Collection:
        """Return the collection called `name`, made with `chunking` when it is missing.

        Raises:
            InputError: the name is empty, too long or not one line.
            NotFoundError: it is missing and `create` is false.
        """
        return self._collections.named(name, create=create, chunking=chunking)

    def collections(self) -> list[Collection]:
        """Return every collection, by name."""
        return self._collections.all()

    def collection_by_id(self, collection_id: str) -> Collection:
        """Return a collection.

        Raises:
            NotFoundError: there is no such collection.
        """
        return self._collections.one(collection_id)

    def counts(self, embedder: str | None = None) -> dict[str, Counts]:
        """Return what each collection holds, by id; `embedder` is whose vectors are waited for."""
        return self._collections.counts(embedder)

    def delete_collection(self, collection_id: str) -> list[StoredDocument]:
        """Remove a collection as `delete` removes each of its documents, trashed ones too; return these.

        Raises:
            NotFoundError: there is no such collection.
            StoreError: the library cannot be written.
        """
        return self._documents.delete_collection(collection_id)

    def set_collection(
        self,
        collection_id: str,
        *,
        score_threshold: float | Keep | None = KEEP,
        reranker: str | Keep | None = KEEP,
        chunking: Chunking | Keep = KEEP,
        name: str | Keep = KEEP,
        embedder: str | Keep | None = KEEP,
    ) -> Collection:
        """Set what is given and return the collection as it is then.

        Raises:
            InputError: `chunking` is unknown, or the name is empty, too long or not one line.
            NotFoundError: there is no such collection.
            ConflictError: another collection has the name.
        """
        return self._collections.change(
            collection_id,
            score_threshold=score_threshold,
            reranker=reranker,
            chunking=chunking,
            name=name,
            embedder=embedder,
        )

    # -- documents -------------------------------------------------------------------------------

    def keep(  # noqa: PLR0913 - what is known of a document, by keyword
        self,
        collection: Collection,
        document: Document,
        passages: Sequence[Passage],
        *,
        data: bytes,
        source_key: str,
        source_uri: str | None = None,
        title: str | None = None,
        bibliography: Bibliography | None = None,
        metadata: Mapping[str, Any] | None = None,
        replace: bool = True,
    ) -> StoredDocument:
        """Keep a document as the current version of its source, in one transaction.

        The same text and bytes change nothing; another text is a new version, and the old one stays readable.
        `passages` are those of `core.ids.document_id(collection.collection_id, source_key)`. The fields of
        `bibliography` go before those that the file gives, and are kept when another version comes; so are
        `metadata`, a flat object for filters, until others are given.

        Raises:
            InputError: a passage belongs to another document or version, or `metadata` are none.
            NotFoundError: the collection is not in this library.
            SourceTakenError: the source has another file already and `replace` is false.
            StoreError: the library cannot be written; nothing was changed.
        """
        key = normalise(source_key)
        new = Incoming(
            document_id=ids.document_id(collection.collection_id, key),
            document=document,
            passages=passages,
            data=data,
            source_key=key,
            source_uri=None if source_uri is None else normalise(source_uri),
            title=title,
            bibliography=bibliography,
            metadata=None
            if metadata is None
            else checked_metadata(metadata, self.limits.document_metadata_bytes),
        )
        return self._documents.keep(collection, new, replace=replace)

    def documents(self, collection_id: str | None = None) -> list[StoredDocument]:
        """Return the standing documents, of one collection or of all, by collection and source."""
        return self._documents.all(collection_id)

    def document(self, document_id: str) -> StoredDocument:
        """Return a standing document.

        Raises:
            NotFoundError: unknown or deleted.
        """
        return self._documents.one(document_id)

    def document_text(self, document_id: str, version: str | None = None) -> str:
        """Return the text of a version (default: the current one).

        Raises:
            NotFoundError: unknown or deleted.
        """
        return self._documents.text(document_id, version)

    def frames(self, document_id: str, version: str | None = None) -> tuple[PageFrame, ...]:
        """Return the page frames of a version (default: the current one); none for formats without pages.

        Raises:
            NotFoundError: unknown or deleted.
        """
        return self._documents.frames(document_id, version)

    def outlined(self, document_id: str, version: str | None = None) -> Document:
        """Return a version's text, outline and pages as a document, so that any part can be located.

        Its layouts say where each page begins and ends, and hold no lines.

        Raises:
            NotFoundError: unknown or deleted.
        """
        return self._documents.outlined(document_id, version)

    def source_file(self, document_id: str, version: str | None = None) -> SourceFile:
        """Return the file of a version (default: the current one) as a local file; do not write to it.

        Raises:
            NotFoundError: unknown or deleted.
            StoreError: the file store cannot be read.
        """
        return self._documents.source_file(document_id, version)

    def page_layouts(self, document_id: str, version: str, reader: PageLayouts) -> PageLayouts:
        """Return what tells where the characters of a version's pages stand: what is kept of a page, else `reader`.

        A page that OCR read is kept, so that opening it reads nothing again.
        """
        return KeptLayouts(self._database, normalise(document_id), normalise(version), reader)

    def note_origin(self, document_id: str, origin: str) -> bool:
        """Keep where the file of a document came from, as any text; say whether it had come from elsewhere before.

        Raises:
            StoreError: the library cannot be written.
        """
        return Origins(self._database).note(document_id, origin)

    def source_state(self, document_id: str, version: str) -> SourceState:
        """Say what became of a version: current, superseded or removed.

        Raises:
            NotFoundError: the document or version was never here.
        """
        return self._documents.state(document_id, version)

    def versions_of(self, document_id: str) -> list[StoredVersion]:
        """Return the versions of a standing document, the latest first.

        Raises:
            NotFoundError: unknown or deleted.
        """
        return self._documents.versions_of(document_id)

    def matching(self, collection_ids: Sequence[str], wanted: DocumentFilter) -> frozenset[str]:
        """Return the ids of the standing documents of some collections that are as a filter wants them.

        Raises:
            InputError: the filter asks for something that cannot be asked.
            LimitError: it gives more than `limits.filter_values` values of one kind.
        """
        return matching(self._database, collection_ids, wanted, self.limits)

    def describe(
        self, document_id: str, *, title: str | Keep = KEEP, source_uri: str | Keep | None = KEEP
    ) -> StoredDocument:
        """Set a document's title or address (None takes it away) and return it as it is then.

        It stays the document that it is, under the id and key that it was added with. A later version that brings a
        title or address of its own puts that in place.

        Raises:
            InputError: the title is empty, or the address is no http or https link.
            NotFoundError: unknown, deleted or trashed.
            StoreError: the library cannot be written.
        """
        if isinstance(title, str) and not title.strip():
            msg = "A document's title is not empty."
            raise InputError(msg, field="title")
        if isinstance(source_uri, str):
            link = safe_link(source_uri)
            if link is None:
                msg = "A document's home is an absolute http or https address without a user or password."
                raise InputError(msg, field="source_uri")
            source_uri = link
        return self._documents.describe(document_id, title=title, source_uri=source_uri)

    def trash(self, document_id: str) -> StoredDocument:
        """Take a document out of sight: hits and previews end with this call; `restore` brings all of it back.

        Raises:
            NotFoundError: unknown, deleted or trashed already.
            StoreError: the library cannot be written.
        """
        return self._documents.trash(document_id)

    def restore(self, document_id: str) -> StoredDocument:
        """Bring a trashed document back, as it was.

        Raises:
            NotFoundError: unknown, deleted, or not trashed.
            StoreError: the library cannot be written.
        """
        return self._documents.restore(document_id)

    def trashed(self) -> list[StoredDocument]:
        """Return the trashed documents, by collection and source."""
        return self._documents.trashed()

    def delete(self, document_id: str) -> StoredDocument:
        """Remove a document, trashed or not: hits and previews end with this call, text and files go.

        A tombstone stays.

        Raises:
            NotFoundError: unknown or deleted already.
            StoreError: the library cannot be written.
        """
        return self._documents.delete(document_id)

    def sweep(self) -> int:
        """Remove files that no document, job or upload names, as a crash may leave them; return how many that were.

        Raises:
            StoreError: the library cannot be written.
        """
        return self._documents.sweep()

    def drop_files(self, names: Sequence[str]) -> int:
        """Remove those of the files `names` that no document, job or upload names; return how many that were.

        Raises:
            StoreError: the library cannot be written.
        """
        return self._documents.drop_files(names)

    # -- passages --------------------------------------------------------------------------------

    def passage(self, chunk_id: str, version: str | None = None) -> Passage:
        """Return a passage as the newest version that holds it places it, or as `version` does.

        Raises:
            NotFoundError: unknown, deleted, or not in that version.
        """
        return self._passages.one(chunk_id, None if version is None else normalise(version))

    def passages_of(self, document_id: str, version: str | None = None) -> list[Passage]:
        """Return the passages of a version (default: the current one) in order.

        Raises:
            NotFoundError: unknown or deleted.
        """
        if version is None:
            version = self._documents.current_version(document_id)
        found = self._passages.listed(normalise(document_id), normalise(version))
        if not found:
            self._documents.frames(document_id, version)
        return found

    def current_passages(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        """Return those of `chunk_ids` that are to be found now, without their boxes."""
        return self._passages.current(chunk_ids)

    def findable(self, chunk_ids: Sequence[str]) -> dict[str, Findable]:
        """Return those of `chunk_ids` that are to be found now, each with what a row says of its document."""
        return self._passages.findable(chunk_ids)

    def find_chunk(self, prefix: str) -> list[str]:
        """Return at most 10 ids of passages that begin with `prefix`, current ones first.

        Raises:
            InputError: `prefix` is shorter than 8 characters.
        """
        return self._passages.beginning_with(prefix)

    def texts(self, chunk_ids: Sequence[str]) -> dict[str, str]:
        """Return the text of each of `chunk_ids` that is stored, current or not."""
        return self._passages.texts(chunk_ids)

    # -- what indexes follow ---------------------------------------------------------------------

    def head(self) -> int:
        """Return the number of the latest change, 0 before the first."""
        return self._feed.head()

    def heads(self, embedder: str) -> tuple[int, int]:
        """Return the number of the latest change and the rowid of the latest vector of `embedder`, 0 before any."""
        return self._feed.head_with(vector_counter(embedder))

    def changes(self, after: int, limit: int) -> list[Change]:
        """Return the first `limit` changes after number `after`, in order."""
        return self._feed.after(after, limit)

    def pending_vectors(self, embedder: str, limit: int) -> list[tuple[str, str]]:
        """Return (chunk_id, text) of at most `limit` current passages without a vector, oldest first."""
        return self._vectors.pending(embedder, limit)

    def pending_count(self, embedder: str) -> int:
        """Return how many current passages have no vector of `embedder` yet."""
        return self._vectors.pending_count(embedder)

    def store_vectors(self, embedder: str, pairs: Sequence[tuple[str, bytes]]) -> int:
        """Keep the vectors of passages that are stored and have none yet; return how many that were."""
        return self._vectors.store(embedder, pairs)

    def vectors(self, embedder: str, after_rowid: int = 0) -> Iterator[tuple[int, str, str, bytes]]:
        """Yield (rowid, chunk_id, collection_id, vector) of every vector after `after_rowid`, in order.

        Passages that are not current at the moment are among them: they may be again. A rowid is never reused.
        """
        return self._vectors.after(embedder, after_rowid)

    def vectors_of(self, embedder: str, chunk_ids: Sequence[str]) -> dict[str, bytes]:
        """Return the vectors of those of `chunk_ids` that have one."""
        return self._vectors.of(embedder, chunk_ids)

    # -- conversations ---------------------------------------------------------------------------

    @property
    def conversations(self) -> Conversations:
        """The conversations with their messages."""
        return self._conversations

    def load_conversation(self, conversation_id: str) -> dict[str, Any] | None:
        """Return the state that was saved last, or None."""
        return self._conversations.load(conversation_id)

    def save_conversation(self, conversation_id: str, state: dict[str, Any]) -> None:
        """Keep `state`, which JSON can hold, in place of what was kept before.

        Raises:
            InputError: the id is empty or longer than 255 code points.
        """
        self._conversations.save(conversation_id, state)
