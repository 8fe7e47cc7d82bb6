"""The protocols that let the layers meet without importing one another. The doors wire them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, cast, runtime_checkable

from pincite.core.ids import SpanEvidenceId
from pincite.core.locators import Locator
from pincite.core.verdicts import SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pincite.core.geometry import Box
    from pincite.core.ledger import Ledger
    from pincite.core.scope import Scope


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """The stored text behind an evidence id, of the version that the id names.

    `start` and `end` are code points of that version's text; `title` and `source_uri` are the document's of today.
    """

    evidence_id: str
    document_id: str
    version: str
    start: int
    end: int
    text: str
    title: str = ""
    source_uri: str | None = None
    locator: Locator = field(default_factory=Locator)
    state: SourceState = SourceState.CURRENT

    @property
    def uri(self) -> str | None:
        """The document's address, under the name that rendering reads."""
        return self.source_uri

    @property
    def span_id(self) -> str:
        """The same text by its place."""
        return str(SpanEvidenceId(self.document_id, self.version, self.start, self.end))


@runtime_checkable
class EvidenceStore(Protocol):
    """Where the text behind evidence ids is read from."""

    async def read(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
        """Return one entry per id in order; None for malformed, unknown, deleted and out of scope alike."""
        ...


class MemoryEvidenceStore:
    """An `EvidenceStore` over texts in memory, for tests and for those who keep their own."""

    __slots__ = ("_texts",)

    def __init__(self, texts: Iterable[EvidenceText] | Mapping[str, EvidenceText] = ()) -> None:
        values = cast("Iterable[EvidenceText]", texts.values() if isinstance(texts, Mapping) else texts)
        self._texts = {text.evidence_id: text for text in values}

    async def read(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
        """Return one entry per id in order, None where there is none in scope."""
        found = [self._texts.get(name) for name in ids]
        return [text if text and text.document_id in scope else None for text in found]


@dataclass(frozen=True, slots=True)
class Bitmap:
    """An image: rows of `mode` pixels (L one byte, RGB three), top row first, without padding."""

    width: int
    height: int
    mode: Literal["L", "RGB"]
    data: bytes


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The bytes of a stored version, as a local file; `content_hash` is SHA-256 in hex and names it."""

    path: Path
    media_type: str
    content_hash: str


class PageRenderer(Protocol):
    """Draws pages. `showing` adds outlines to what it returns and encodes the result."""

    def render(self, document: SourceFile, page: int, *, dpi: int, crop: Box | None = None) -> Bitmap:
        """Return the page (1 is the first), or the part of it inside `crop`, as the reader sees it.

        Raises:
            RenderError: the page has no image.
        """
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """The model's name, stored beside its vectors."""
        ...

    @property
    def dimensions(self) -> int:
        """Numbers in one vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one unit vector per text: a float32 array of shape (len(texts), dimensions)."""
        ...


class Reranker(Protocol):
    """Scores passages for a question, on a scale of its own."""

    @property
    def name(self) -> str:
        """The reranker's name, stored beside a collection's bar."""
        ...

    @property
    def scale(self) -> tuple[float, float]:
        """The lowest and the highest score."""
        ...

    @property
    def default_threshold(self) -> float:
        """The bar that a collection without its own uses."""
        ...

    def score(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """Return one score per passage."""
        ...


class BestSpan(Protocol):
    """Finds the part of a passage that answers a question best."""

    def best_span(self, question: str, passage: str) -> tuple[int, int] | None:
        """Return code points of `passage`, or None when no part stands out."""
        ...


class LedgerStore(Protocol):
    """Keeps ledgers between requests."""

    async def load(self, client: str) -> Ledger | None:
        """Return the ledger kept for `client`, or None."""
        ...

    async def save(self, client: str, ledger: Ledger) -> None:
        """Keep a ledger for `client`."""
        ...
