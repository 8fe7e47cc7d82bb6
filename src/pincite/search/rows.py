"""Rows: from passages that were found to the hits that a search returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.core.hit import Hit
from pincite.core.passage import row_metadata
from pincite.core.sentences import split_sentences
from pincite.core.verdicts import Confidence
from pincite.reading.chunking import doubt_of, doubtful_stretches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.core.document import Document
    from pincite.core.limits import Limits
    from pincite.core.passage import Passage
    from pincite.core.refs import RefIssuer
    from pincite.library.collection import Collection
    from pincite.library.library import Library
    from pincite.library.passages import Findable


_EDGE = 2_000
"""Code points at the edge of a long section in which a sentence is looked for that ends there."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage's id and its rerank score; None when it was not scored."""

    chunk_id: str
    score: float | None


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that stands, with its document, its score, and the code points of the row's content."""

    there: Findable
    score: float | None
    start: int
    end: int

    @property
    def passage(self) -> Passage:
        """The passage that matched."""
        return self.there.passage


class Rows:
    """The rows of one search: at most `limit`, from passages that stand in one of `collections` (by id).

    In a hierarchical collection a row is a section, bounded by `limits.section_code_points` around the passage;
    a further passage inside a row's content makes no row of its own.
    """

    __slots__ = ("_collections", "_library", "_limit", "_limits", "_outlined")

    def __init__(
        self, library: Library, limits: Limits, collections: Mapping[str, Collection], limit: int
    ) -> None:
        self._library = library
        self._limits = limits
        self._collections = collections
        self._limit = limit
        self._outlined: dict[tuple[str, str], Document] = {}

    def pick(self, ranked: Sequence[Scored]) -> list[Found]:
        """Return the first passages of `ranked` that stand, one a row."""
        rows: list[Found] = []
        at = 0
        while at < len(ranked) and len(rows) < self._limit:
            batch = ranked[at : at + self._limit]
            at += len(batch)
            for found in self._standing(batch):
                if len(rows) < self._limit and not any(_covers(row, found) for row in rows):
                    rows.append(found)
        return rows

    def hits(self, rows: Sequence[Found], refs: RefIssuer, bars: Mapping[str, float]) -> tuple[Hit, ...]:
        """Return the hits of `rows`; `bars` holds each collection's bar."""
        return tuple(self._hit(row, refs, bars[row.there.collection_id]) for row in rows)

    def _standing(self, batch: Sequence[Scored]) -> list[Found]:
        standing = self._library.findable([scored.chunk_id for scored in batch])
        found: list[Found] = []
        for scored in batch:
            there = standing.get(scored.chunk_id)
            collection = self._collections.get(there.collection_id) if there is not None else None
            if there is None or collection is None:
                continue
            passage = there.passage
            start, end = passage.start, passage.end
            if collection.chunking == "hierarchical" and passage.section is not None:
                start, end = self._section(passage, passage.section)
            found.append(Found(there, scored.score, start, end))
        return found

    def _section(self, passage: Passage, section: tuple[int, int]) -> tuple[int, int]:
        """Return the code points of the section, or as many around the passage as a row may carry.

        What is left out are whole sentences. A doubtful stretch of text ends the section, so that nothing rides along
        that a reader of the page does not see; a passage that is doubtful itself is a row alone.
        """
        if passage.doubt is not None:
            return passage.start, passage.end
        document = self._text(passage)
        first, last = section
        for stretch in doubtful_stretches(document):
            if stretch.end <= passage.start:
                first = max(first, stretch.end)
            elif stretch.start >= passage.end:
                last = min(last, stretch.start)
        room = max(self._limits.section_code_points, passage.end - passage.start)
        if last - first > room:
            spare = room - (passage.end - passage.start)
            low, high = first, last
            first = max(low, min(passage.start - spare // 2, high - room))
            last = first + room
            if first > low:
                first = _sentence_start(document.text, first, passage.start)
            if last < high:
                last = _sentence_end(document.text, passage.end, last)
        text = document.text[first:last]
        start = first + len(text) - len(text.lstrip())
        return min(start, passage.start), max(first + len(text.rstrip()), passage.end)

    def _text(self, passage: Passage) -> Document:
        key = (passage.document_id, passage.version)
        if key not in self._outlined:
            self._outlined[key] = self._library.outlined(*key)
        return self._outlined[key]

    def _hit(self, row: Found, refs: RefIssuer, bar: float) -> Hit:
        there, passage = row.there, row.passage
        content, locator, metadata = passage.text, passage.locator, passage.metadata
        doubtful = passage.doubt is not None
        if (row.start, row.end) != (passage.start, passage.end):
            outlined = self._text(passage)
            content = outlined.text[row.start : row.end]
            locator = outlined.locator(row.start, row.end)
            metadata = row_metadata(locator)
            doubtful = doubtful or doubt_of(outlined, row.start, row.end) is not None
        if self._collections[there.collection_id].chunking == "hierarchical" and locator.page_end:
            metadata = _with_page_end(metadata, locator.page_end)
        confidence = None
        if row.score is not None:
            confidence = Confidence.SUPPORTED if row.score >= bar and not doubtful else Confidence.WEAK
        return Hit(
            ref=refs.issue(passage.chunk_id),
            chunk_id=passage.chunk_id,
            document_id=passage.document_id,
            content=content,
            source_uri=there.source_uri,
            collection=there.collection,
            metadata=metadata,
            confidence=confidence,
            title=there.title,
            version=passage.version,
            locator=locator,
            start=row.start,
            end=row.end,
        )


def _sentence_start(text: str, first: int, most: int) -> int:
    """Return where the first sentence begins that lies whole behind `first`, `most` where none does before."""
    window = text[first : min(most, first + _EDGE)]
    return next((first + start for start, _ in split_sentences(window)[1:]), most)


def _sentence_end(text: str, least: int, last: int) -> int:
    """Return where the last sentence ends that lies whole in front of `last`, `least` where none does behind."""
    begin = max(least, last - _EDGE)
    ends = [begin + end for _, end in split_sentences(text[begin:last])[:-1]]
    return ends[-1] if ends else least


def _covers(row: Found, other: Found) -> bool:
    return (
        row.passage.document_id == other.passage.document_id
        and row.start <= other.passage.start
        and other.passage.end <= row.end
    )


def _with_page_end(metadata: dict[str, object], page_end: int) -> dict[str, object]:
    """Return metadata whose `page_end` stands beside `page`, also where it is the same page."""
    placed: dict[str, object] = {}
    for name, value in metadata.items():
        placed[name] = value
        if name == "page":
            placed["page_end"] = page_end
    return placed
