"""Time a whole search against its three engines alone: `python benchmarks/search.py [passages] [questions]`.

The baseline is what a search cannot do without, in the same process and on the same passages: the question's
embedding, the top 50 of tantivy (stemmed, any word) and the top 50 of faiss (flat, fp16, one thread). The whole
search adds the check for changes, the filter by collection, fusing, scoring, and rows of passages that stand.
Both are timed question by question, one after the other, so that other load falls on both alike.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import faiss  # pyright: ignore[reportMissingTypeStubs]
import numpy as np
from tantivy import Document as Entry
from tantivy import Index, Occur, Query, SchemaBuilder

from pincite.core.document import Document
from pincite.core.ids import chunk_id, document_id, version_of
from pincite.core.passage import Passage
from pincite.core.refs import RefIssuer
from pincite.library import Library
from pincite.search import Search, open_search
from pincite.search.embed import VOCABULARY
from pincite.search.embedding import pack

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

BAR = 1.5
"""The whole search may take this many times its baseline."""
CLUSTERS = 600
DOCUMENT_PASSAGES = 100
WORDS = 110
TOP = 50

Cost = tuple[float, float]

_faiss: Any = faiss


def main(passages: int = 10_000, questions: int = 200) -> int:
    """Print the median of both and their ratio; return 1 when it is over the bar."""
    chance = random.Random(7)
    words, weights = vocabulary()
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder)) as library:
        texts = fill(library, passages, lambda: " ".join(chance.choices(words, cum_weights=weights, k=WORDS)))
        search = open_search(library, Path(folder))
        matrix = cluster_vectors(len(texts), search.embedder.dimensions)
        asked = [
            " ".join(chance.sample(text.split(), 8))
            for text in chance.sample(list(texts.values()), questions)
        ]
        strange = [" ".join(chance.choices(words[:6_000], k=8)) for _ in range(questions)]
        answer(asked, texts, matrix, search)
        library.store_vectors(
            search.embedder.name, [(name, pack(row)) for name, row in zip(texts, matrix, strict=True)]
        )
        baseline = engines(list(texts.values()), matrix, search)
        collections, refs = library.collections(), RefIssuer()

        def whole(question: str) -> None:
            search.search(question, collections=collections, refs=refs)

        print(
            f"{passages:,} passages of {WORDS} real words at random; vectors are synthetic ({CLUSTERS} clusters)."
        )
        ratio = compare("with an answer", asked, baseline, whole)
        compare("without one, so looked for twice", strange, baseline, whole)
        print(f"whole search against its engines alone: {ratio:.2f} (bar {BAR})")
    return int(ratio > BAR)


def compare(
    what: str, asked: list[str], baseline: Callable[[str], None], whole: Callable[[str], None]
) -> float:
    """Print the medians of both over the questions `asked`; return the ratio of their times."""
    for question in asked[:10]:
        baseline(question)
        whole(question)
    alone: list[Cost] = []
    full: list[Cost] = []
    for question in asked:
        alone.append(cost(baseline, question))
        full.append(cost(whole, question))
    print(f"{len(asked)} questions of 8 words {what}:")
    ratios: list[float] = []
    for kind, at in (("time", 0), ("processor time", 1)):
        low, high = (statistics.median(spent[at] for spent in costs) * 1000 for costs in (alone, full))
        ratios.append(high / low)
        print(
            f"  {kind}: engines alone p50 {low:.2f} ms, whole search p50 {high:.2f} ms, ratio {high / low:.2f}"
        )
    return ratios[0]


def answer(asked: list[str], texts: dict[str, str], matrix: NDArray[np.float32], search: Search) -> None:
    """Move the vector of each question's passage (the one that holds its words) near the question's own."""
    known = [set(text.split()) for text in texts.values()]
    for question in asked:
        row = next(at for at, held in enumerate(known) if held.issuperset(question.split()))
        near = 0.6 * np.asarray(search.embedder.embed([question])[0]) + 0.4 * matrix[row]
        matrix[row] = near / np.linalg.norm(near)


def vocabulary() -> tuple[list[str], list[float]]:
    """Return English words in the model's order, which is about that of frequency, with cumulative weights."""
    pieces = VOCABULARY.read_text("utf-8").split("\n")
    words = [piece for piece in pieces if piece.isascii() and piece.isalpha() and len(piece) > 3]
    weights: list[float] = []
    for rank in range(len(words)):
        weights.append((weights[-1] if weights else 0.0) + 1 / (rank + 10))
    return words, weights


def fill(library: Library, count: int, text: Callable[[], str]) -> dict[str, str]:
    """Keep `count` passages in two collections; return their texts by id."""
    kept: dict[str, str] = {}
    homes = [library.collection(name) for name in ("even", "odd")]
    for number in range(-(-count // DOCUMENT_PASSAGES)):
        home, key = homes[number % 2], f"upload://{number}.txt"
        parts = [text() for _ in range(min(DOCUMENT_PASSAGES, count - number * DOCUMENT_PASSAGES))]
        whole = "\n\n".join(parts)
        owner, version = document_id(home.collection_id, key), version_of(whole)
        passages: list[Passage] = []
        at = 0
        for part in parts:
            passages.append(Passage(chunk_id(owner, part), owner, version, at, at + len(part), part))
            at += len(part) + 2
        document = Document(whole, version, key, "text/plain", "benchmark 1")
        library.keep(home, document, passages, data=whole.encode(), source_key=key)
        kept |= {passage.chunk_id: passage.text for passage in passages}
    return kept


def cluster_vectors(count: int, dimensions: int) -> NDArray[np.float32]:
    """Return unit vectors around `CLUSTERS` centres."""
    chance = np.random.default_rng(7)
    centres = chance.standard_normal((CLUSTERS, dimensions))
    rows = centres[chance.integers(0, CLUSTERS, count)] + 0.5 * chance.standard_normal((count, dimensions))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def engines(texts: list[str], matrix: NDArray[np.float32], search: Search) -> Callable[[str], None]:
    """Return a function that asks the three engines and nothing else."""
    builder: Any = SchemaBuilder()
    schema = builder.add_text_field("text", tokenizer_name="en_stem", index_option="freq").build()
    index = Index(schema)
    writer = index.writer(64_000_000, 1)
    for text in texts:
        writer.add_document(Entry(text=text))
    writer.commit()
    index.reload()
    searcher = index.searcher()
    vectors = _faiss.IndexScalarQuantizer(
        matrix.shape[1], _faiss.ScalarQuantizer.QT_fp16, _faiss.METRIC_INNER_PRODUCT
    )
    vectors.add(matrix)

    def ask(question: str) -> None:
        vector = np.asarray(search.embedder.embed([question]), np.float32)
        terms = [(Occur.Should, Query.term_query(schema, "text", stem, "freq")) for stem in stems(question)]
        searcher.search(Query.boolean_query(terms), TOP, count=False)
        _faiss.omp_set_num_threads(1)
        vectors.search(vector, TOP)

    analysis = _analysis()

    def stems(question: str) -> list[str]:
        return [stem for _, stem in analysis.words(question)]

    return ask


def _analysis() -> Any:
    from pincite.search._analysis import Analysis

    return Analysis()


def cost(ask: Callable[[str], None], question: str) -> Cost:
    """Return the seconds that `ask(question)` takes, and those of processor time."""
    start, busy = time.perf_counter(), time.process_time()
    ask(question)
    return time.perf_counter() - start, time.process_time() - busy


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
