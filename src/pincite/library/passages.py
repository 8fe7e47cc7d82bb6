"""Passages as they are stored: where each stands in each version, and how they are found again."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from pincite.core.errors import InputError, NotFoundError
from pincite.core.geometry import Box
from pincite.core.ids import is_uuid
from pincite.core.locators import Locator
from pincite.core.passage import Passage
from pincite.core.refs import SHORTEST
from pincite.library.database import batches
from pincite.library.tables import collections, documents, passages, places, same_key, standing, versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pincite.library.database import Database

FOUND_BY_PREFIX: Final = 10
"""Most passages that a prefix of an id finds."""

# Page and the four fractions of one box: little-endian, so that a library can be carried to any machine.
_BOX = struct.Struct("<I4d")
# The beginning of a canonical UUID: linear, one class.
_PREFIX = re.compile(r"[0-9a-f-]+")


@dataclass(frozen=True, slots=True)
class Findable:
    """A passage, without its boxes, and of its document what a search's row says; `source_uri` may be the key."""

    passage: Passage
    collection_id: str
    collection: str
    source_uri: str
    title: str


def pack_boxes(boxes: Iterable[Box]) -> bytes:
    """Return boxes as their column holds them: 36 bytes each."""
    return b"".join(_BOX.pack(box.page, box.x0, box.y0, box.x1, box.y1) for box in boxes)


def unpack_boxes(data: bytes) -> tuple[Box, ...]:
    """Build the boxes from their column."""
    return tuple(Box(*fields) for fields in _BOX.iter_unpack(data))


def place_row(tenant: str, passage: Passage, ordinal: int) -> dict[str, Any]:
    """Return the row of a passage that is number `ordinal` (from 0) of its version."""
    section_start, section_end = passage.section or (None, None)
    return {
        "tenant": tenant,
        "chunk_id": passage.chunk_id,
        "version": passage.version,
        "document_id": passage.document_id,
        "ordinal": ordinal,
        "start_at": passage.start,
        "end_at": passage.end,
        "section_start": section_start,
        "section_end": section_end,
        "locator": passage.locator.as_dict(),
        "boxes": pack_boxes(passage.boxes),
        "doubt": passage.doubt,
    }


# The columns of a passage without its boxes, in the order that `_passage` takes them.
_COLUMNS = (
    places.c.chunk_id,
    places.c.document_id,
    places.c.version,
    places.c.start_at,
    places.c.end_at,
    passages.c.text,
    places.c.locator,
    places.c.section_start,
    places.c.section_end,
    places.c.doubt,
)
_SAME_PASSAGE = same_key(passages, places, "chunk_id")
_SAME_VERSION = same_key(versions, places, "document_id", "version")
_DOCUMENT = same_key(documents, places, "document_id")
_DOCUMENT_NOW = same_key(documents, places, "document_id", "version")

# Built once: building costs more than running it.
_CURRENT = (
    sa.select(*_COLUMNS)
    .join_from(passages, places, _SAME_PASSAGE)
    .join(documents, _DOCUMENT_NOW)
    .where(
        passages.c.tenant == sa.bindparam("tenant"),
        passages.c.chunk_id.in_(sa.bindparam("ids", expanding=True)),
        passages.c.put_seq.is_not(None),
    )
)
_FINDABLE = (
    sa.select(
        *_COLUMNS,
        collections.c.collection_id,
        collections.c.name,
        documents.c.source_key,
        documents.c.source_uri,
        documents.c.title,
    )
    .join_from(passages, places, _SAME_PASSAGE)
    .join(documents, _DOCUMENT_NOW)
    .join(
        collections,
        same_key(collections, documents, "collection_id"),
    )
    .where(
        passages.c.tenant == sa.bindparam("tenant"),
        passages.c.chunk_id.in_(sa.bindparam("ids", expanding=True)),
        passages.c.put_seq.is_not(None),
    )
)
_ONE = (
    sa.select(*_COLUMNS, places.c.boxes)
    .join_from(places, passages, _SAME_PASSAGE)
    .join(versions, _SAME_VERSION)
    .join(documents, _DOCUMENT)
    .where(
        places.c.tenant == sa.bindparam("tenant"),
        places.c.chunk_id == sa.bindparam("chunk_id"),
        standing(),
    )
    .order_by(versions.c.revision.desc())
    .limit(1)
)
_LISTED = (
    sa.select(*_COLUMNS, places.c.boxes)
    .join_from(places, passages, _SAME_PASSAGE)
    .join(documents, _DOCUMENT)
    .where(
        places.c.tenant == sa.bindparam("tenant"),
        places.c.document_id == sa.bindparam("document_id"),
        standing(),
        places.c.version == sa.bindparam("version"),
        places.c.ordinal.is_not(None),
    )
    .order_by(places.c.ordinal)
)
# Also those of trashed documents: an index reads them while it catches up, and shows nothing that is not findable.
_TEXTS = sa.select(passages.c.chunk_id, passages.c.text).where(
    passages.c.tenant == sa.bindparam("tenant"),
    passages.c.chunk_id.in_(sa.bindparam("ids", expanding=True)),
)


class Passages:
    """The passages of one tenant."""

    __slots__ = ("_database",)

    def __init__(self, database: Database) -> None:
        self._database = database

    def one(self, chunk_id: str, version: str | None) -> Passage:
        """Return a passage as the newest version that holds it places it, or as `version` does.

        Raises:
            NotFoundError: unknown, deleted, or not in that version.
        """
        if is_uuid(chunk_id):
            statement = _ONE
            if version is not None:
                statement = _ONE.where(places.c.version == sa.bindparam("version"))
            values = {"tenant": self._database.tenant, "chunk_id": chunk_id, "version": version}
            with self._database.looking() as connection:
                row = connection.execute(statement, _only(values)).first()
            if row is not None:
                return _passage(row[:-1], unpack_boxes(row[-1]))
        msg = "There is no such passage."
        raise NotFoundError(msg, field="chunk_id")

    def listed(self, document_id: str, version: str) -> list[Passage]:
        """Return the passages that a version was chunked into, in order."""
        values = {
            "tenant": self._database.tenant,
            "document_id": document_id,
            "version": version,
        }
        with self._database.looking() as connection:
            rows = connection.execute(_LISTED, values).all()
        return [_passage(row[:-1], unpack_boxes(row[-1])) for row in rows]

    def current(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        """Return those of `chunk_ids` that are to be found now, without their boxes."""
        found: dict[str, Passage] = {}
        with self._database.looking() as connection:
            for batch in batches(filter(is_uuid, chunk_ids)):
                values = {"tenant": self._database.tenant, "ids": batch}
                for row in connection.execute(_CURRENT, values).all():
                    passage = _passage(row, ())
                    found[passage.chunk_id] = passage
        return found

    def findable(self, chunk_ids: Sequence[str]) -> dict[str, Findable]:
        """Return those of `chunk_ids` that are to be found now, each with what a row says of its document."""
        found: dict[str, Findable] = {}
        with self._database.looking() as connection:
            for batch in batches(filter(is_uuid, chunk_ids)):
                values = {"tenant": self._database.tenant, "ids": batch}
                for *columns, collection_id, name, key, uri, title in connection.execute(_FINDABLE, values):
                    passage = _passage(columns, ())
                    found[passage.chunk_id] = Findable(passage, collection_id, name, uri or key, title)
        return found

    def texts(self, chunk_ids: Sequence[str]) -> dict[str, str]:
        """Return the text of each of `chunk_ids` that is stored, current or not."""
        found: dict[str, str] = {}
        with self._database.looking() as connection:
            for batch in batches(filter(is_uuid, chunk_ids)):
                values = {"tenant": self._database.tenant, "ids": batch}
                found.update((key, text) for key, text in connection.execute(_TEXTS, values))
        return found

    def beginning_with(self, prefix: str) -> list[str]:
        """Return at most `FOUND_BY_PREFIX` ids of passages that begin with `prefix`, current ones first.

        Raises:
            InputError: `prefix` is shorter than 8 characters.
        """
        if len(prefix) < SHORTEST:
            msg = f"The beginning of a passage's id has at least {SHORTEST} characters."
            raise InputError(msg, field="ref")
        if _PREFIX.fullmatch(prefix) is None:
            return []
        gone = sa.case((passages.c.put_seq.is_(None), 1), else_=0)
        with self._database.looking() as connection:
            return list(
                connection.scalars(
                    sa.select(passages.c.chunk_id)
                    .join_from(passages, documents, same_key(documents, passages, "document_id"))
                    .where(
                        standing(),
                        passages.c.tenant == self._database.tenant,
                        # The range uses the index; "g" sorts after every hex digit.
                        passages.c.chunk_id.between(prefix, prefix + "g"),
                        sa.func.substr(passages.c.chunk_id, 1, len(prefix)) == prefix,
                    )
                    .order_by(gone, passages.c.chunk_id)
                    .limit(FOUND_BY_PREFIX)
                )
            )


def _only(values: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value is not None}


def _passage(row: Any, boxes: tuple[Box, ...]) -> Passage:  # noqa: ANN401 - a row of `_COLUMNS`
    chunk_id, document_id, version, start, end, text, locator, first, last, doubt = row
    return Passage(
        chunk_id,
        document_id,
        version,
        start,
        end,
        text,
        locator=Locator.from_dict(locator),
        boxes=boxes,
        section=None if first is None else (first, last),
        doubt=doubt,
    )
