"""The tables of one tenant's index in LanceDB: opened at a version for reading, at the latest for writing."""

from __future__ import annotations

import math
import os
import uuid
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.index import FTS, Bitmap, BTree, IvfFlat
from lancedb.query import BooleanQuery, MatchQuery, Occur

from pincite.search._analysis import passage_grams
from pincite.search._counts import Counts
from pincite.search._torn import TornIndexError, torn_when_it_fails

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from pincite.library.index_state import IndexedPassage
    from pincite.search._analysis import Analysis
    from pincite.search.index import Terms, Within

LAYOUT = 1
"""Version of the columns and of the analysis; an index of another one is another index."""
FLAT_ROWS = 10_000
"""Up to this many vectors are all compared: exact, and as quick as looking through an index."""
_PROBES = 32
"""Partitions of the vector index that a question looks through."""
_RETRAIN, _PARTS = 4, 16
"""The vector index is made anew when there are so many times the vectors that it was made of, or it has more parts."""
_LOOSE_ROWS = 2_000
_LOOSE_WRITES = 32
"""Rows outside the indexes, and writes since, that a search looks through one by one before they are taken in."""
KEPT = timedelta(hours=1)
"""How long a version that is superseded can still be read; a search takes a thousandth of it."""
_SIZES = 64
"""Filters whose sizes are remembered."""
_CACHE_BYTES = 1_000_000_000, 200_000_000
"""What all indexes of a process keep in memory, of indexes and of descriptions of files."""

_Table = Any
# Neither says its types; what comes out of them is annotated where it enters.
_arrow: Any = pa
_match: Any = MatchQuery
_COUNTS = "counts "
_VECTORS = "vectors_of_"
# By the inner product alone nearly all vectors would fall to a few partitions.
_METRIC = "cosine"
_TEXT = "chunk_id", "terms", "words"
# Terms come analysed: they are told apart by the spaces between them, and nothing else is done to them.
_AS_IT_IS = FTS(
    base_tokenizer="whitespace",
    max_token_length=None,
    lower_case=False,
    stem=False,
    remove_stop_words=False,
    ascii_folding=False,
)


class Found:
    """A passage that was found: its terms and its words as the index holds them, and its score."""

    __slots__ = ("chunk_id", "score", "terms", "words")

    def __init__(self, chunk_id: str, terms: str, words: str, score: float) -> None:
        self.chunk_id = chunk_id
        self.terms = terms
        self.words = words
        self.score = score


def analysed(analysis: Analysis, text: str) -> tuple[str, str]:
    """Return the terms (stems, and pieces of scripts without spaces) and the words of a passage, spaces between."""
    pairs = analysis.words(text)
    terms = [stem for _, stem in pairs] + passage_grams(text)
    return " ".join(terms), " ".join(word for word, _ in pairs)


class Shelf:
    """Where the tables of one tenant stand: a folder, or `s3://bucket/prefix` by the settings `AWS_...`."""

    __slots__ = ("_address", "_analysis", "_connection", "_dimensions")

    def __init__(self, address: str, dimensions: int, analysis: Analysis) -> None:
        self._address = address
        self._dimensions = dimensions
        self._analysis = analysis
        self._connection: Any = None

    def open(self, table: str, version: int) -> Snapshot:
        """Open a version for reading.

        Raises:
            TornIndexError: it is not there, or not to be read.
        """
        with torn_when_it_fails():
            return Snapshot(self._connected().open_table(table, version=version), table, version)

    def write(self, table: str, version: int) -> Writer:
        """Open a table for writing, brought back to `version` when others were made after it.

        Raises:
            TornIndexError: it is not there, or not to be written.
        """
        with torn_when_it_fails():
            opened = self._connected().open_table(table)
            if opened.version != version:
                opened.checkout(version)
                opened.restore()
            return Writer(opened, table, self._dimensions, self._analysis)

    def create(self) -> Writer:
        """Make an empty table with a name of its own.

        Raises:
            TornIndexError: it cannot be made.
        """
        name = f"passages-{uuid.uuid4().hex}"
        with torn_when_it_fails():
            made: _Table = self._connected().create_table(name, schema=_schema(self._dimensions))
            for column in ("terms", "words"):
                made.create_index(column, config=_AS_IT_IS)
            for column in ("chunk_id", "document_id"):
                made.create_index(column, config=BTree())
            made.create_index("collection_id", config=Bitmap())
        return Writer(made, name, self._dimensions, self._analysis)

    def clear(self, keep: str) -> None:
        """Remove every table but `keep`.

        Raises:
            TornIndexError: one cannot be removed.
        """
        with torn_when_it_fails():
            for name in self._connected().list_tables().tables:
                if name != keep:
                    self._connected().drop_table(name, ignore_missing=True)

    def _connected(self) -> Any:  # noqa: ANN401 - lancedb's connections are of several kinds
        if self._connection is None:
            self._connection = lancedb.connect(
                self._address, storage_options=storage_options(self._address), session=_session()
            )
        return self._connection


class Snapshot:
    """One version of a table, open for reading. It does not change; a later version is another snapshot."""

    __slots__ = ("_approximate", "_counts", "_sizes", "name", "table", "version")

    def __init__(self, table: _Table, name: str, version: int) -> None:
        self.name = name
        self.version = version
        self.table: _Table = table
        self._approximate = any("vector" in index.columns for index in table.list_indices())
        self._counts: list[Counts] | None = None
        self._sizes: dict[str, int] = {}

    def holding(self, _field: str, term: str) -> int:
        """Return how many passages hold `term`."""
        return sum(part.holding(term) for part in self._parts())

    @property
    def total(self) -> int:
        """How many passages there are."""
        return sum(part.total for part in self._parts())

    def by_words(self, terms: Terms, within: Within, limit: int) -> list[Found]:
        """Return passages that hold any of `terms`, best (BM25) first."""
        if not terms.terms or limit < 1:
            return []
        with torn_when_it_fails():
            query = self.table.search(_query(terms)).where(_where(within), prefilter=True)
            rows = query.select([*_TEXT, "_score"]).limit(limit).to_arrow().to_pylist()
        return [Found(row["chunk_id"], row["terms"], row["words"], row["_score"]) for row in rows]

    def by_vector(self, vector: Sequence[float], within: Within, limit: int) -> list[Found]:
        """Return passages by cosine, nearest first."""
        if limit < 1:
            return []
        where = _where(within)
        with torn_when_it_fails():
            rows: list[dict[str, Any]] = []
            if self._approximate and self._size(where) > FLAT_ROWS:
                rows = self._nearest(vector, where, limit, exact=False)
            # Where a filter leaves too few in the partitions that were looked through, all are compared.
            if len(rows) < limit:
                rows = self._nearest(vector, where, limit, exact=True)
        found = [Found(row["chunk_id"], row["terms"], row["words"], 1.0 - row["_distance"]) for row in rows]
        # A vector of zeros has no cosine.
        return [row for row in found if math.isfinite(row.score)]

    def _nearest(
        self, vector: Sequence[float], where: str, limit: int, *, exact: bool
    ) -> list[dict[str, Any]]:
        query = self.table.search(np.asarray(vector, np.float32), vector_column_name="vector")
        query = query.distance_type(_METRIC).where(where, prefilter=True)
        query = query.bypass_vector_index() if exact else query.nprobes(_PROBES)
        return query.select([*_TEXT, "_distance"]).limit(limit).to_arrow().to_pylist()

    def _size(self, where: str) -> int:
        """Return how many rows a filter leaves."""
        if where not in self._sizes:
            if len(self._sizes) >= _SIZES:
                self._sizes.clear()
            self._sizes[where] = self.table.count_rows(where)
        return self._sizes[where]

    def _parts(self) -> list[Counts]:
        if self._counts is None:
            with torn_when_it_fails():
                self._counts = list(read_counts(self.table).values())
        return self._counts


class Writer:
    """The latest version of a table, open for the one who writes. Each method makes versions that nobody sees yet."""

    __slots__ = ("_analysis", "_dimensions", "_table", "name", "version")

    def __init__(self, table: _Table, name: str, dimensions: int, analysis: Analysis) -> None:
        self.name = name
        self.version: int = table.version
        self._table = table
        self._dimensions = dimensions
        self._analysis = analysis

    def apply(self, touched: Iterable[str], passages: Sequence[IndexedPassage]) -> None:
        """Let of the passages `touched` be found `passages`, as they are, and no others.

        Raises:
            TornIndexError: it cannot be written, or somebody else has written.
        """
        ids = sorted(set(touched))
        texts = [analysed(self._analysis, passage.text) for passage in passages]
        with torn_when_it_fails():
            there = self._there(ids)
            if there:
                self._step(self._table.delete(_any_of("chunk_id", there)).version)
            counts = Counts.of((terms for terms, _ in texts), there.values())
            self._step(self._table.add(self._rows(passages, texts, counts)).version)

    def optimise(self) -> None:
        """Take loose rows into the indexes, join small files, and let go of what was dropped.

        Raises:
            TornIndexError: it cannot be written, or somebody else has written.
        """
        with torn_when_it_fails():
            parts = read_counts(self._table)
            if len(parts) > 1:
                counts = Counts.sum(list(parts.values()))
                self._step(self._table.delete(f"starts_with(chunk_id, '{_COUNTS}')").version)
                self._step(self._table.add(self._rows((), (), counts)).version)
                parts = read_counts(self._table)
            rows = self._table.count_rows()
            self._table.optimize(cleanup_older_than=timedelta(days=36_500))
            self._index_vectors()
            # Steps of these cannot be counted; whoever wrote meanwhile left other counts or other rows.
            if read_counts(self._table).keys() != parts.keys() or self._table.count_rows() != rows:
                raise TornIndexError
            self.version = self._table.version

    def clean(self) -> None:
        """Remove versions that were superseded a while ago, with the words of what was dropped.

        Raises:
            TornIndexError: they cannot be removed.
        """
        with torn_when_it_fails():
            self._table.optimize(cleanup_older_than=KEPT)
            self.version = self._table.version

    @property
    def loose(self) -> bool:
        """Whether so much is outside the indexes that `optimise` is worth its time.

        Raises:
            TornIndexError: it cannot be read.
        """
        with torn_when_it_fails():
            if self._table.index_stats("terms_idx").num_unindexed_rows > _LOOSE_ROWS:
                return True
            return self._table.count_rows(f"starts_with(chunk_id, '{_COUNTS}')") > _LOOSE_WRITES

    def _there(self, ids: Sequence[str]) -> dict[str, str]:
        """Return the terms of those passages that are in the table."""
        query = self._table.search().where(_any_of("chunk_id", ids)).select(["chunk_id", "terms"])
        rows = query.to_arrow().to_pylist()
        return {row["chunk_id"]: row["terms"] for row in rows}

    def _step(self, version: int) -> None:
        """Note the version that a write made; it follows the one before unless somebody else has written."""
        if version != self.version + 1:
            msg = "Somebody else has written to the index."
            raise TornIndexError(msg)
        self.version = version

    def _index_vectors(self) -> None:
        """Index the vectors when there are many, and again when there are many more; the name says of how many."""
        held = self._table.count_rows("vector IS NOT NULL")
        there = [index for index in self._table.list_indices() if "vector" in index.columns]
        made_of = max((int(index.name.removeprefix(_VECTORS)) for index in there), default=0)
        parts = sum(index.num_segments or 1 for index in there)
        if held <= FLAT_ROWS or (there and held < _RETRAIN * made_of and parts <= _PARTS):
            return
        # Told the number of partitions instead, `optimize` would join them to a few large ones.
        config = IvfFlat(
            distance_type=_METRIC,
            target_partition_size=round(math.sqrt(held)),
            max_iterations=10,
            sample_rate=64,
        )
        for index in there:
            self._table.drop_index(index.name)
        self._table.create_index("vector", config=config, name=f"{_VECTORS}{held}")

    def _rows(
        self, passages: Sequence[IndexedPassage], texts: Sequence[tuple[str, str]], counts: Counts
    ) -> Any:  # noqa: ANN401 - a table of Arrow
        """Return rows of passages, and one that holds how they change the counts of terms."""
        vectors = [_vector(passage.vector, self._dimensions) for passage in passages]
        empty = np.zeros(self._dimensions, np.float16)
        matrix = np.concatenate([*(empty if vector is None else vector for vector in vectors), empty])
        missing = _arrow.array([*(vector is None for vector in vectors), True])
        columns: dict[str, Any] = {
            "chunk_id": [*(passage.chunk_id for passage in passages), f"{_COUNTS}{uuid.uuid4().hex}"],
            "collection_id": [*(passage.collection_id for passage in passages), None],
            "document_id": [*(passage.document_id for passage in passages), None],
            "put_seq": [*(passage.put_seq for passage in passages), None],
            "terms": [*(terms for terms, _ in texts), None],
            "words": [*(words for _, words in texts), None],
            "vector": _arrow.FixedSizeListArray.from_arrays(
                _arrow.array(matrix), self._dimensions, mask=missing
            ),
            "counts": [*(None for _ in passages), counts.pack()],
        }
        return _arrow.table(columns, schema=_schema(self._dimensions))


def read_counts(table: _Table) -> dict[str, Counts]:
    """Return what each write says of the counts of terms, by its name."""
    query = table.search().where(f"starts_with(chunk_id, '{_COUNTS}')").select(["chunk_id", "counts"])
    return {row["chunk_id"]: Counts.unpack(row["counts"]) for row in query.to_arrow().to_pylist()}


def storage_options(address: str) -> dict[str, str]:
    """Return what the settings `AWS_...` say of a bucket's server; nothing for a folder.

    Keys and region are read by LanceDB itself.
    """
    if "://" not in address:
        return {}
    options = {"region": os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION") or "us-east-1"}
    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if endpoint:
        options |= {"endpoint": endpoint, "allow_http": str(endpoint.startswith("http://")).lower()}
    return options


@cache
def _session() -> Any:  # noqa: ANN401 - a class without types
    return lancedb.Session(*_CACHE_BYTES)


@cache
def _schema(dimensions: int) -> Any:  # noqa: ANN401 - a schema of Arrow
    texts = [_arrow.field(name, _arrow.string()) for name in ("chunk_id", "collection_id", "document_id")]
    return _arrow.schema(
        [
            *texts,
            _arrow.field("put_seq", _arrow.int64()),
            _arrow.field("terms", _arrow.string()),
            _arrow.field("words", _arrow.string()),
            _arrow.field("vector", _arrow.list_(_arrow.float16(), dimensions)),
            _arrow.field("counts", _arrow.binary()),
        ]
    )


def _vector(data: bytes | None, dimensions: int) -> NDArray[np.float16] | None:
    """Return a stored vector; None for bytes that are none."""
    if data is None or len(data) != 2 * dimensions:
        return None
    vector = np.frombuffer(data, "<f2").astype(np.float16)
    return vector if bool(np.isfinite(vector).all()) else None


def _query(terms: Terms) -> Any:  # noqa: ANN401 - lancedb's queries are of several kinds
    exact = " ".join(term.text for term in terms.terms if not term.distance)
    parts: list[Any] = [_match(exact, "terms")] if exact else []
    parts += (
        _match(term.word, "words", fuzziness=term.distance, boost=term.weight)
        for term in terms.terms
        if term.distance
    )
    return parts[0] if len(parts) == 1 else BooleanQuery([(Occur.SHOULD, part) for part in parts])


def _where(within: Within) -> str:
    where = _any_of("collection_id", within.collections)
    if within.documents is not None:
        where = f"{where} AND {_any_of('document_id', sorted(within.documents))}"
    return where


def _any_of(column: str, ids: Iterable[str]) -> str:
    # What is no id of ours may hold a quote.
    quoted = ", ".join("'" + name.replace("'", "''") + "'" for name in ids)
    return f"{column} IN ({quoted})" if quoted else "false"
