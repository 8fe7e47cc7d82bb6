"""Time whole searches at the size of a server: `python benchmarks/server.py [passages] [questions]`.

Each index holds 100,000 passages in two collections, with synthetic vectors and words at random. A whole search is
asked for one of the collections, with words and vectors, and without a reranker. It is compared with what it cannot do
without, on the same passages in the same process: the question's embedding, and the top 50 by words and by vectors of
the bare engine: tantivy and faiss for the local index; LanceDB's own two queries, filtered alike, for the shared one.
Both are timed question by question, one after the other, so that other load falls on both alike. Recall is how many of
the ten nearest passages, found by comparing all of them, are among the ten that the index gives.
"""

from __future__ import annotations

import random
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.search import (
    CLUSTERS,
    TOP,
    WORDS,
    answer,
    cluster_vectors,
    compare,
    engines,
    fill,
    vocabulary,
)

from pincite.core.refs import RefIssuer
from pincite.library import Library
from pincite.search import Search, Within, open_search
from pincite.search._analysis import Analysis
from pincite.search.embedding import pack
from pincite.search.lance_index import LanceIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from pincite.search import Index

BAR = 1.5
"""A whole search may take this many times its bare index."""
MISSED_BAR = 0.05
"""Of the ten nearest passages so many may be missed."""
RECALL_QUESTIONS = 100


def main(passages: int = 100_000, questions: int = 200) -> int:
    """Print ratios and recall of both indexes; return 1 when one is over its bar."""
    chance = random.Random(7)
    words, weights = vocabulary()
    over = False
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder) / "home") as library:
        texts = fill(library, passages, lambda: " ".join(chance.choices(words, cum_weights=weights, k=WORDS)))
        asked = [
            " ".join(chance.sample(text.split(), 8))
            for text in chance.sample(list(texts.values()), questions)
        ]
        local = open_search(library, Path(folder))
        embedder = local.embedder
        matrix = cluster_vectors(len(texts), embedder.dimensions)
        answer(asked, texts, matrix, local)
        names = list(texts)
        packed = [(name, pack(row)) for name, row in zip(names, matrix, strict=True)]
        library.store_vectors(embedder.name, packed)
        print(
            f"{passages:,} passages of {WORDS} words at random; vectors are synthetic ({CLUSTERS} clusters)."
        )
        bare = engines(list(texts.values()), matrix, local)
        over |= measure("local", library, local.index, embedder, bare, asked, names, matrix)
        local.index.close()
        shared = LanceIndex(library, f"lance:{folder}/shared", embedder)
        start = time.perf_counter()
        shared.sync()
        built = time.perf_counter() - start
        start = time.perf_counter()
        shared.close()
        shared.optimise()
        print(f"shared index: taken in {built:.0f} s, optimised in {time.perf_counter() - start:.0f} s")
        size = sum(path.stat().st_size for path in Path(folder, "shared").rglob("*") if path.is_file())
        print(f"shared index: {size / passages:,.0f} bytes a passage on disk, older versions included")
        shared.sync()
        bare = lance_queries(shared, embedder, library)
        over |= measure("shared", library, shared, embedder, bare, asked, names, matrix)
    return int(over)


def measure(
    kind: str,
    library: Library,
    index: Index,
    embedder: Any,
    bare: Callable[[str], None],
    asked: list[str],
    names: Sequence[str],
    matrix: NDArray[np.float32],
) -> bool:
    """Print what one index does; say whether it is over a bar."""
    search = Search(library, index, embedder, None)
    refs = RefIssuer()
    wanted = library.collections()[:1]
    search.search(asked[0], collections=wanted, refs=refs)

    def whole(question: str) -> None:
        search.search(question, collections=wanted, refs=refs)

    ratio = compare(f"of the {kind} index", asked, bare, whole)
    print(f"whole search against its bare index, {kind}: {ratio:.2f} (bar {BAR})")
    within = Within(tuple(found.collection_id for found in library.collections()))
    missed = 1 - recall(index, within, names, matrix)
    print(f"of the ten nearest missed, {kind}: {missed:.3f} share (bar {MISSED_BAR})")
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"most memory of the process so far: {resident:,.0f} MB")
    return ratio > BAR or missed > MISSED_BAR


def recall(index: Index, within: Within, names: Sequence[str], matrix: NDArray[np.float32]) -> float:
    """Return the share of the ten nearest by exact cosine that the index gives, over questions near passages."""
    chance: Any = np.random.default_rng(11)
    shares: list[float] = []
    for row in chance.integers(0, len(names), RECALL_QUESTIONS):
        noise = chance.standard_normal(matrix.shape[1])
        vector: Any = matrix[row] + 0.7 / matrix.shape[1] ** 0.5 * noise
        vector /= float(np.linalg.norm(vector))
        nearest = {names[at] for at in np.argsort(-(matrix @ vector))[:10].tolist()}
        found = {name for name, _ in index.by_vector(vector.tolist(), within, 10)}
        shares.append(len(nearest & found) / 10)
    return statistics.mean(shares)


def lance_queries(index: LanceIndex, embedder: Any, library: Library) -> Callable[[str], None]:
    """Return a function that asks the embedder and LanceDB, and nothing else."""
    from lancedb import query

    match: Any = query.MatchQuery
    table: Any = index.snapshot().table
    where = f"collection_id IN ('{library.collections()[0].collection_id}')"
    analysis = Analysis()

    def ask(question: str) -> None:
        vector = np.asarray(embedder.embed([question])[0], np.float32)
        stems = " ".join(dict.fromkeys(stem for _, stem in analysis.words(question)))
        by_words = table.search(match(stems, "terms")).where(where, prefilter=True)
        by_words.select(["chunk_id", "_score"]).limit(TOP).to_arrow()
        near = table.search(vector, vector_column_name="vector").distance_type("cosine").nprobes(32)
        near.where(where, prefilter=True).select(["chunk_id", "_distance"]).limit(TOP).to_arrow()

    return ask


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
