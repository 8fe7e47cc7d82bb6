"""What lighting the right words costs, and how often they are the right ones: `make bench`.

Quotes: 40 from a book of 500 pages that is made here, 20 of them edited; each has to be found in the text, which is
indexed once, and boxed on its pages, all of its words and no other. Best match: questions about `examples/`, of which
it is known which sentence answers them. Times are the best of several rounds.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.known_quotes import made_book

from pincite.checking import SourceIndex
from pincite.core.protocols import SourceFile
from pincite.library import Library, add_paths
from pincite.reading import ReadingPool
from pincite.search import open_search
from pincite.showing import DocumentPages

if TYPE_CHECKING:
    from tests.known_quotes import Quote

    from pincite.core.geometry import Box

ROOT = Path(__file__).resolve().parent.parent
PAGES, QUOTES, ROUNDS = 500, 40, 5
MOST_MS = 30.0
# Passages about something else that each question is held against.
OTHERS = 5


def main() -> int:
    """Print every figure beside its bar; return 1 when one is over it."""
    with tempfile.TemporaryDirectory() as folder, ReadingPool() as pool:
        over = known_quotes(Path(folder) / "book.pdf", pool)
        best_match(Path(folder) / "library", pool)
    return int(over)


def known_quotes(path: Path, pool: ReadingPool) -> bool:
    """Box known quotes of a book; return whether one is wrong or takes too long."""
    book = made_book(PAGES, QUOTES)
    path.write_bytes(book.data)
    document = pool.read(book.data, name=path.name)
    source = SourceFile(path, document.media_type, hashlib.sha256(book.data).hexdigest())
    pages = DocumentPages(document, source, pool)
    began = time.perf_counter()
    index = SourceIndex(document.text)
    print(
        f"{PAGES} pages, {len(document.text):,} code points, indexed in {time.perf_counter() - began:.2f} s"
    )

    def boxes(quote: Quote) -> tuple[Box, ...]:
        check = index.verify(quote.text)
        return () if check.start is None or check.end is None else pages.boxes(check.start, check.end)

    wrong = [quote for quote in book.quotes if book.faults(quote, boxes(quote))]
    best = {quote.text: float("inf") for quote in book.quotes}
    for _ in range(ROUNDS):
        for quote in book.quotes:
            began = time.perf_counter()
            boxes(quote)
            best[quote.text] = min(best[quote.text], 1e3 * (time.perf_counter() - began))
    edited = sum(quote.is_edited for quote in book.quotes)
    print(f"known quotes, {edited} of {QUOTES} edited, that are boxed wrongly: {len(wrong)} (bar 0)")
    print(f"a quote boxed, the mean of all: {sum(best.values()) / len(best):.1f} ms (bar {MOST_MS:g})")
    print(f"a quote boxed, the longest: {max(best.values()):.1f} ms (bar {MOST_MS:g})")
    return bool(wrong) or max(best.values()) > MOST_MS


def best_match(home: Path, pool: ReadingPool) -> None:
    """Print how often the right sentence is lit, and for passages about something else a sentence at all."""
    asked: list[dict[str, Any]] = []
    for name in ("highlight_questions.json", "example_questions.json"):
        asked += json.loads((ROOT / "tests" / "data" / name).read_text("utf-8"))
    with Library.open(home) as library:
        collection = library.collection("examples")
        for _ in add_paths(library, collection, [ROOT / "examples"], pool=pool):
            pass
        search = open_search(library, home)
        search.index.sync()
        span = search.best_span
        texts = [
            (one.source_key, passage.text)
            for one in library.documents()
            for passage in library.passages_of(one.document_id)
        ]
        if span is None:
            return
        told = dict.fromkeys(("right", "whole", "wrong"), 0)
        seconds = lit = whole = 0.0
        others = shown = 0
        chance = random.Random(1)
        for one in asked:
            words = bare(one["words"])
            for key, text in texts:
                at = bare(text).find(words)
                if not key.endswith(one["file"]) or at < 0:
                    continue
                began = time.perf_counter()
                found = span.best_span(one["question"], text)
                seconds += time.perf_counter() - began
                start, end = found or (0, len(text))
                lit, whole = lit + end - start, whole + len(text)
                inside = len(bare(text[:start])) <= at < len(bare(text[:end]))
                told["whole" if found is None else "right" if inside else "wrong"] += 1
            for _, text in chance.sample(texts, OTHERS):
                if words not in bare(text):
                    others += 1
                    shown += span.best_span(one["question"], text) is not None
    count = sum(told.values())
    print(f"best match, {count} questions with the passage that answers: {told}")
    print(f"  {lit / whole:.0%} of these passages is lit; in {shown} of {others} other passages anything is")
    print(f"a best match: {1e3 * seconds / count:.1f} ms (bar 5)")


def bare(text: str) -> str:
    """Return the letters and digits of a text: how a table or a line is written does not matter."""
    return "".join(filter(str.isalnum, text))


if __name__ == "__main__":
    sys.exit(main())
