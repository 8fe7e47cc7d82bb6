"""A stored document: what a library says of it, and how its parts become columns and come back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from pincite.core.bibliography import NO_BIBLIOGRAPHY, Bibliography
from pincite.core.document import Document, Doubt, Flag, Heading, Region
from pincite.core.geometry import PageFrame
from pincite.core.layout import PageLayout
from pincite.core.locators import Locator
from pincite.library.tables import bibliographies, collections, documents, same_key, versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.library.tables import Row, Rows


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it stands in its current version.

    `pages` and `passages` count what the version holds, `added_at` is when the document first came,
    `file` is SHA-256 of its file in hex, `bibliography` what its file says of it and what was set, which goes before,
    `metadata` what its uploader said of it for filters.
    """

    document_id: str
    collection_id: str
    collection: str
    source_key: str
    source_uri: str | None
    title: str
    media_type: str
    version: str
    pages: int
    passages: int
    flags: tuple[Flag, ...]
    added_at: datetime
    file: str
    bibliography: Bibliography = NO_BIBLIOGRAPHY
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A version of a document: `revision` counts them (1 is the first), `current` is the one that it stands in.

    `added_at` is when this version first came, `pages` and `passages` are counts.
    """

    version: str
    revision: int
    added_at: datetime
    pages: int
    passages: int
    media_type: str
    flags: tuple[Flag, ...]
    current: bool


def select_stored(tenant: str) -> Rows:
    """Return the statement for the documents of a tenant that are not removed; its rows are for `stored_of`.

    Whoever wants the standing ones adds `standing()`.
    """
    return (
        sa.select(
            documents.c.document_id,
            documents.c.collection_id,
            collections.c.name,
            documents.c.source_key,
            documents.c.source_uri,
            documents.c.title,
            versions.c.media_type,
            documents.c.version,
            versions.c.pages,
            versions.c.passages,
            versions.c.flags,
            documents.c.added_at,
            versions.c.file_hash,
            bibliographies.c.found,
            bibliographies.c.given,
            documents.c.metadata,
        )
        .join_from(
            documents,
            versions,
            same_key(versions, documents, "document_id", "version"),
        )
        .join(
            collections,
            same_key(collections, documents, "collection_id"),
        )
        .outerjoin(
            bibliographies,
            same_key(bibliographies, documents, "document_id"),
        )
        .where(documents.c.tenant == tenant, documents.c.removed_at.is_(None))
    )


def stored_of(row: Row) -> StoredDocument:
    """Build a document from a row of `select_stored`."""
    (
        document_id,
        collection_id,
        collection,
        source_key,
        source_uri,
        title,
        media_type,
        version,
        pages,
        passages,
        flags,
        added_at,
        file_hash,
        found,
        given,
        metadata,
    ) = row
    return StoredDocument(
        document_id,
        collection_id,
        collection,
        source_key,
        source_uri,
        title,
        media_type,
        version,
        pages,
        passages,
        flags_of(flags),
        datetime.fromisoformat(added_at),
        file_hash,
        NO_BIBLIOGRAPHY if found is None else Bibliography.from_dict({**found, **given}),
        metadata or {},
    )


def flags_of(flags: Sequence[Mapping[str, Any]]) -> tuple[Flag, ...]:
    """Build the flags of a version from their column."""
    return tuple(Flag(flag["page"], flag["reason"]) for flag in flags)


def reading_columns(document: Document) -> dict[str, Any]:
    """Return what a reading says beside its text, as the columns of a version hold it."""
    starts = {layout.page: (layout.start, layout.end) for layout in document.layouts}
    return {
        "media_type": document.media_type,
        "pages": len(document.pages),
        "flags": [flag.as_dict() for flag in document.flags],
        "frames": [
            [
                frame.number,
                frame.width,
                frame.height,
                frame.rotation,
                frame.label,
                *starts.get(frame.number, (None, None)),
                frame.ocr,
            ]
            for frame in document.pages
        ],
        "line_numbers": None if document.line_numbers is None else list(document.line_numbers),
        "outline": [[part.title, part.level, part.start] for part in document.outline],
        "regions": [
            [region.start, region.end, region.locator.as_dict(), region.rows] for region in document.regions
        ]
        or None,
        "doubts": [[doubt.start, doubt.end, doubt.reason] for doubt in document.doubts] or None,
    }


_OCR = 2
"""Behind the place of a page's text in its column: whether it was read from a picture. Older rows end before it."""


def frames_of(rows: Sequence[Sequence[Any]]) -> tuple[PageFrame, ...]:
    """Build the page frames from their column."""
    return tuple(
        PageFrame(number, width, height, rotation, label, bool(rest[_OCR:] and rest[_OCR]))
        for number, width, height, rotation, label, *rest in rows
    )


OUTLINE_COLUMNS = (
    versions.c.version,
    versions.c.media_type,
    versions.c.frames,
    versions.c.outline,
    versions.c.line_numbers,
    versions.c.regions,
    versions.c.doubts,
    versions.c.text,
)
"""The columns that `outlined` takes."""


def outlined(
    version: str,
    media_type: str,
    frames: Sequence[Sequence[Any]],
    outline: Sequence[Sequence[Any]],
    line_numbers: Sequence[int] | None,
    regions: Sequence[Sequence[Any]] | None,
    doubts: Sequence[Sequence[Any]] | None,
    text: str,
) -> Document:
    """Build as much of a document as locating needs: text, outline, regions, pages and where each page begins."""
    return Document(
        text=text,
        version=version,
        title="",
        media_type=media_type,
        reader="",
        outline=tuple(Heading(title, level, start) for title, level, start in outline),
        pages=frames_of(frames),
        layouts=tuple(
            PageLayout(number, rest[0], rest[1], ())
            for number, _, _, _, _, *rest in frames
            if rest and rest[0] is not None
        ),
        regions=tuple(
            Region(
                start, end, Locator.from_dict(place), None if rows is None else (rows[0], rows[1], rows[2])
            )
            for start, end, place, rows in regions or ()
        ),
        doubts=tuple(Doubt(start, end, reason) for start, end, reason in doubts or ()),
        line_numbers=None if line_numbers is None else tuple(line_numbers),
    )
