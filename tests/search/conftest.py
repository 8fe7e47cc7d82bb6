"""A library of short real texts, with the real embedder."""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING, Protocol

import pytest

from pincite.core.document import Document, Heading
from pincite.core.geometry import PageFrame
from pincite.core.ids import chunk_id, document_id, version_of
from pincite.core.layout import PageLayout
from pincite.core.passage import Passage
from pincite.core.text import words
from pincite.library import Library
from pincite.search import CoverageReranker, LocalIndex, MiniLM, Search

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pincite.library import Collection, StoredDocument

HANDBOOK = (
    "Expenses over 100 EUR require prior approval from your line manager. Send the form before you pay.",
    "Receipts are kept for seven years. Scan them on the day of the trip and attach them to the claim.",
    "Every employee has thirty days of paid leave a year. Unused days expire at the end of March.",
    "Sick leave starts with a phone call before nine in the morning. A doctor's note is due on the third day.",
    "Laptops are encrypted. A lost device must be reported to the security desk within one hour.",
    "Visitors sign in at the front desk, wear a badge, and are accompanied at all times.",
)
GARDEN = (
    "Tomatoes need six hours of sun and even watering. Pinch out the side shoots once a week.",
    "Slugs hide under boards during the day. Collect them in the evening, or ring the bed with copper tape.",
    "Compost is ready when it is dark and crumbly and smells of forest soil.",
    "Prune apple trees in late winter, while they are dormant, and cut just above an outward bud.",
)
ASIA = (
    "量子计算机使用量子比特进行计算。与经典比特不同,量子比特可以处于叠加态。",
    "东京の春は三月の終わりに桜が咲き、公園は花見の人で賑わう。",
    "서울의 지하철은 새벽 다섯 시 반에 첫차가 출발한다.",
)


class WordEmbedder:
    """Counts words into 64 numbers: quick, and two texts that share no word are (nearly) at a right angle."""

    name = "words-64"
    dimensions = 64

    def __init__(self) -> None:
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one unit vector per text."""
        self.calls += 1
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for word in words(text):
            vector[zlib.crc32(word.encode()) % self.dimensions] += 1.0
        length = math.sqrt(sum(value * value for value in vector)) or 1.0
        return [value / length for value in vector]


class Keeper(Protocol):
    """Keeps a document made of paragraphs, each a passage."""

    def __call__(
        self,
        library: Library,
        collection: Collection,
        key: str,
        paragraphs: Sequence[str],
        *,
        headings: Sequence[tuple[int, str]] = (),
        source_uri: str | None = None,
        pages: bool = False,
    ) -> StoredDocument:
        """Keep `paragraphs`; a heading (index of its paragraph, title) opens a section, each paragraph a page."""
        ...


def _keep(
    library: Library,
    collection: Collection,
    key: str,
    paragraphs: Sequence[str],
    *,
    headings: Sequence[tuple[int, str]] = (),
    source_uri: str | None = None,
    pages: bool = False,
) -> StoredDocument:
    """Keep `paragraphs`; a heading (index of its paragraph, title) opens a section, each paragraph a page."""
    text, spans = "", list[tuple[int, int]]()
    for paragraph in paragraphs:
        spans.append((len(text), len(text) + len(paragraph)))
        text += paragraph + "\n\n"
    layouts = tuple(PageLayout(n, a, b + 2, ()) for n, (a, b) in enumerate(spans, start=1))
    document = Document(
        text,
        version_of(text),
        key.rpartition("/")[2],
        "application/pdf" if pages else "text/plain",
        "test 1",
        outline=tuple(Heading(title, 1, spans[at][0]) for at, title in headings),
        pages=tuple(PageFrame(n, 595, 842) for n in range(1, len(spans) + 1)) if pages else (),
        layouts=layouts if pages else (),
    )
    owner = document_id(collection.collection_id, key)
    passages: list[Passage] = []
    seen: dict[str, int] = {}
    for start, end in spans:
        part = text[start:end]
        passages.append(
            Passage(
                chunk_id(owner, part, seen.get(part, 0)),
                owner,
                document.version,
                start,
                end,
                part,
                locator=document.locator(start, end),
                section=document.section_at(start) if headings else None,
            )
        )
        seen[part] = seen.get(part, 0) + 1
    return library.keep(
        collection, document, passages, data=text.encode(), source_key=key, source_uri=source_uri
    )


@pytest.fixture
def keep() -> Keeper:
    """Return the function that keeps a document made of paragraphs."""
    return _keep


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    """Return the real embedder, loaded once."""
    return MiniLM(threads=1)


@pytest.fixture
def word_embedder() -> WordEmbedder:
    """Return a quick embedder for what is not about meaning."""
    return WordEmbedder()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return the library's folder, which is not there yet."""
    return tmp_path / "home"


@pytest.fixture
def library(home: Path) -> Iterator[Library]:
    """Return an empty library."""
    with Library.open(home) as opened:
        yield opened


@pytest.fixture
def handbook(library: Library) -> Collection:
    """Return a collection that holds the handbook: six pages, three sections of two."""
    collection = library.collection("handbook")
    headings = [(0, "Expenses"), (2, "Leave"), (4, "Security")]
    _keep(library, collection, "upload://handbook.pdf", HANDBOOK, pages=True, headings=headings)
    return collection


@pytest.fixture
def garden(library: Library) -> Collection:
    """Return a collection that holds a text about a garden, with a home of its own."""
    collection = library.collection("garden")
    _keep(library, collection, "upload://garden.txt", GARDEN, source_uri="https://garden.example/tips")
    return collection


@pytest.fixture
def asia(library: Library) -> Collection:
    """Return a collection in Chinese, Japanese and Korean."""
    collection = library.collection("asia")
    _keep(library, collection, "upload://asia.txt", ASIA)
    return collection


@pytest.fixture
def index(library: Library, home: Path, word_embedder: WordEmbedder) -> LocalIndex:
    """Return the index of the library, with the quick embedder."""
    return LocalIndex(library, home / "index", word_embedder)


@pytest.fixture
def search(library: Library, index: LocalIndex, word_embedder: WordEmbedder) -> Search:
    """Return a search with the quick embedder and the default reranker."""
    return Search(library, index, word_embedder, CoverageReranker(word_embedder, index.terms))


@pytest.fixture
def real_search(library: Library, home: Path, minilm: MiniLM) -> Search:
    """Return a search with the real embedder."""
    index = LocalIndex(library, home / "index", minilm)
    return Search(library, index, minilm, CoverageReranker(minilm, index.terms))
