"""The protocols that let the layers meet without importing one another. The doors wire them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from pincite.core.ids import SpanEvidenceId
from pincite.core.locators import Locator
from pincite.core.verdicts import SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pincite.core.geometry import Box
    from pincite.core.layout import PageLayout
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

    def render(self, document: SourceFile, page: int, *, dpi: float, crop: Box | None = None) -> Bitmap:
        """Return the page (1 is the first), or the part of it inside `crop`, as the reader sees it.

        Raises:
            RenderError: the page has no image.
        """
        ...


class PageLayouts(Protocol):
    """Tells where the characters of a page stand, to several threads at once; `showing` makes boxes from it."""

    def layout(self, document: SourceFile, page: int, *, text: str) -> PageLayout:
        """Return the layout of a page (1 is the first) with glyphs, which starts at 0.

        `text` is what the stored version holds of this page; the glyphs are those of exactly that text.

        Raises:
            RenderError: the page does not open, or does not hold that text.
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


@runtime_checkable
class TokenCounter(Protocol):
    """Counts the tokens of texts as a model does that will read them; an embedder may be one."""

    def count(self, texts: Sequence[str]) -> Sequence[int]:
        """Return how many tokens each text has, without those that the model puts around every text."""
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


@runtime_checkable
class LedgerStore(Protocol):
    """Keeps what clients have received between their requests, so that any node may answer the next one."""

    async def load(self, client: str, evidence_ids: Iterable[str] | None = None) -> Ledger | None:
        """Return what is kept for `client` as a ledger of the caller's own, or None where there is nothing any more.

        With `evidence_ids` it need hold no more than what is kept of these.
        """
        ...

    async def save(self, client: str, ledger: Ledger, *, newcomer: bool = False) -> None:
        """Add what `ledger` holds to what is kept for `client`.

        It adds, and never replaces: two nodes that save for one client lose nothing of one another. A `newcomer` is a
        client that may never come back: until it is loaded, or saved again, it must not push out those that did.
        """
        ...
