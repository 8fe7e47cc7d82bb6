"""The word half of the local index: tantivy, one writer, readers that open it anew after each commit."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from tantivy import Document, Index, Occur, Query, SchemaBuilder

from pincite.search._analysis import passage_grams, spaced_text
from pincite.search._terms import INEXACT_SHARE, question_terms
from pincite.search._torn import TornIndexError, torn_when_it_fails

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tantivy import Schema

    from pincite.search._analysis import Analysis
    from pincite.search.index import Term, Terms, Within

LAYOUT = 1
"""Version of the fields and analysers below; an index of another one is built anew."""

_HEAP_BYTES = 48_000_000
_FEW_IDS = 200
"""Up to this many ids a filter is a list of terms; over it a set, whose bits are laid out first."""
_SIGN = 1 << 63
_PROGRESS = "progress"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an index has followed a library: the number of the last change taken in, and what it was.

    The feed is append-only and its ids are the library's own, so `change` also tells one library from another.
    """

    seq: int = 0
    change: str = ""
    layout: int = field(default_factory=lambda: LAYOUT)


@dataclass(frozen=True, slots=True)
class Entry:
    """A passage to be found."""

    chunk_id: str
    collection_id: str
    document_id: str
    text: str


class Words:
    """One commit of the index, open for reading. It does not change; a later commit is another `Words`."""

    __slots__ = ("_analysis", "_collections", "_index", "_schema", "_searcher", "progress")

    def __init__(self, index: Index, analysis: Analysis) -> None:
        analysis.register(index)
        self._index = index
        self._analysis = analysis
        self._schema = index.schema
        # A commit that is open does not change, so nothing need watch the folder for later ones in a thread.
        index.config_reader("manual", 0)
        self._searcher = index.searcher()
        # Those whose passages are deleted may linger among them, which a filter does not mind.
        self._collections = {name for name, _ in self._searcher.terms_with_prefix("collection", "")}
        self.progress = self._read_progress()

    @classmethod
    def open(cls, folder: Path, analysis: Analysis) -> Words:
        """Open the latest commit in `folder`.

        Raises:
            TornIndexError: there is none, it is damaged, or has another layout.
        """
        with torn_when_it_fails():
            words = cls(Index.open(str(folder)), analysis)
        if words.progress.layout != LAYOUT:
            msg = "The index has another layout."
            raise TornIndexError(msg)
        return words

    @classmethod
    def create(cls, folder: Path, analysis: Analysis) -> Words:
        """Make `folder` an empty index, whatever it held.

        Raises:
            TornIndexError: the folder cannot be written.
        """
        with torn_when_it_fails():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True, exist_ok=True)
            words = cls(Index(_schema(), str(folder)), analysis)
        words.apply((), (), Progress())
        return cls.open(folder, analysis)

    def apply(self, drops: Iterable[str], puts: Iterable[Entry], progress: Progress) -> None:
        """Write one commit: `drops` gone, `puts` in (in place of what they were), and `progress` with them.

        Applying the same again gives the same index. This object goes on showing the commit it was opened at.

        Raises:
            TornIndexError: nothing was written.
        """
        with torn_when_it_fails():
            writer = self._index.writer(_HEAP_BYTES, 1)
            for chunk_id in drops:
                writer.delete_documents_by_term("chunk", chunk_id)
            for entry in puts:
                writer.delete_documents_by_term("chunk", entry.chunk_id)
                writer.add_document(_document(entry))
            writer.delete_documents_by_term("meta", _PROGRESS)
            writer.add_document(Document(meta=_PROGRESS, note=json.dumps(asdict(progress))))
            writer.commit()
            writer.wait_merging_threads()

    def terms(self, question: str) -> Terms:
        """Return the terms of `question`, the rarest first, without stop words if anything else is left."""
        searcher = self._searcher
        return question_terms(self._analysis, question, searcher.doc_freq, searcher.num_docs)

    def search(self, terms: Terms, within: Within, limit: int) -> list[str]:
        """Return ids of passages that hold any of `terms`, best (BM25) first."""
        if not terms.terms:
            return []
        wanted = Query.boolean_query([(Occur.Should, self._scored(term)) for term in terms.terms])
        return [chunk_id for chunk_id, _ in self._hits(self._filtered(wanted, within), limit)]

    def coverage(self, terms: Terms, chunk_ids: Sequence[str]) -> dict[str, float]:
        """Return the share by weight (0 to 1) of `terms` in each passage; one left out holds none.

        One query does it: the passages are the filter, and each term scores its weight and nothing else.
        """
        if not terms.terms or not chunk_ids:
            return {}
        held = Query.boolean_query([(Occur.Should, self._weighed(term)) for term in terms.terms])
        query = Query.boolean_query(
            [(Occur.Must, held), (Occur.Must, self._any_of("chunk", list(chunk_ids)))]
        )
        return {
            chunk_id: min(score / terms.weight, 1.0) for chunk_id, score in self._hits(query, len(chunk_ids))
        }

    def ids(self, within: Within | None = None) -> list[str]:
        """Return the id of every passage, or of those `within`."""
        everything = Query.exists_query("high")
        query = everything if within is None else self._filtered(everything, within)
        return [chunk_id for chunk_id, _ in self._hits(query, self._searcher.num_docs + 1)]

    def _read_progress(self) -> Progress:
        query = Query.term_query(self._schema, "meta", _PROGRESS, "basic")
        hits = self._searcher.search(query, 1, count=False).hits
        if not hits:
            return Progress(layout=0)
        note = self._searcher.doc(hits[0][1]).get_first("note")
        kept: dict[str, Any] = json.loads(str(note))
        return Progress(**kept)

    def _scored(self, term: Term) -> Query:
        if term.distance:
            return Query.boost_query(self._like(term), term.weight)
        return Query.term_query(self._schema, term.field, term.text, "freq")

    def _weighed(self, term: Term) -> Query:
        if term.distance:
            return Query.const_score_query(self._like(term), term.weight * INEXACT_SHARE)
        exact = Query.term_query(self._schema, term.field, term.text, "freq")
        return Query.const_score_query(exact, term.weight)

    def _like(self, term: Term) -> Query:
        return Query.fuzzy_term_query(self._schema, "word", term.word, term.distance)

    def _filtered(self, wanted: Query, within: Within) -> Query:
        parts = [(Occur.Must, wanted)]
        if not self._collections.issubset(within.collections):
            parts.append((Occur.Must, self._any_of("collection", within.collections)))
        if within.documents is not None:
            parts.append((Occur.Must, self._any_of("document", sorted(within.documents))))
        return Query.boolean_query(parts)

    def _any_of(self, field: str, ids: Sequence[str]) -> Query:
        """Return a filter that adds nothing to a score."""
        if len(ids) > _FEW_IDS:
            query = Query.term_set_query(self._schema, field, ids)
        else:
            query = Query.boolean_query(
                [(Occur.Should, Query.term_query(self._schema, field, name, "basic")) for name in ids]
            )
        return Query.const_score_query(query, 0.0)

    def _hits(self, query: Query, limit: int) -> list[tuple[str, float]]:
        """Return (passage id, score), best first."""
        with torn_when_it_fails():
            hits = self._searcher.search(query, limit, count=False).hits
            addresses = [address for _, address in hits]
            high = self._searcher.fast_field_values("high", addresses)
            low = self._searcher.fast_field_values("low", addresses)
        return [
            (_uuid(int(a or 0), int(b or 0)), float(hit[0]))
            for a, b, hit in zip(high, low, hits, strict=True)
        ]


def _schema() -> Schema:
    builder: Any = SchemaBuilder()
    for name in ("chunk", "collection", "document", "meta"):
        builder = builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    # A chunk id again, as two signed halves in columns: reading them is far quicker than stored documents.
    builder = builder.add_integer_field("high", fast=True).add_integer_field("low", fast=True)
    builder = builder.add_text_field("note", stored=True, tokenizer_name="raw", index_option="basic")
    builder = builder.add_text_field("word", tokenizer_name="pincite_word", index_option="freq")
    builder = builder.add_text_field("stem", tokenizer_name="pincite_stem", index_option="freq")
    builder = builder.add_text_field("gram", tokenizer_name="whitespace", index_option="freq")
    return builder.build()


def _document(entry: Entry) -> Document:
    high, low = _halves(entry.chunk_id)
    spaced = spaced_text(entry.text)
    fields: Mapping[str, Any] = {
        "chunk": entry.chunk_id,
        "collection": entry.collection_id,
        "document": entry.document_id,
        "high": high,
        "low": low,
        "word": spaced,
        "stem": spaced,
    }
    grams = passage_grams(entry.text)
    return Document(**fields, gram=" ".join(grams)) if grams else Document(**fields)


def _halves(chunk_id: str) -> tuple[int, int]:
    """Return the two halves of a UUID as signed 64-bit numbers."""
    number = int(chunk_id.replace("-", ""), 16)
    return (number >> 64) - _SIGN, (number & (2 * _SIGN - 1)) - _SIGN


def _uuid(high: int, low: int) -> str:
    """Return the UUID of two halves."""
    digits = f"{high + _SIGN:016x}{low + _SIGN:016x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
