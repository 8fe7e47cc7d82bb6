"""A citation: what supports what, whoever wrote it. One shape for our own markers and for providers' citations."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pincite.core.locators import Locator

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.core.verdicts import Confidence, QuoteVerdict, SourceState, SupportVerdict, TraceVerdict


class SpanUnit(StrEnum):
    """What the numbers of a span count: code points of a text from 0, pages from 1, or its blocks or chunks from 0."""

    CODE_POINTS = "code_points"
    PAGES = "pages"
    BLOCKS = "blocks"
    CHUNKS = "chunks"


@dataclass(frozen=True, slots=True)
class SourceSpan:
    """The part of a source that is meant: `start` to `end`, which is the first behind it, in `unit`."""

    start: int
    end: int
    unit: SpanUnit = SpanUnit.CODE_POINTS


@dataclass(frozen=True, slots=True)
class BoundPassage:
    """The registered passage that a citation was bound to."""

    citation_key: str
    ref: str | None = None
    chunk_id: str | None = None
    evidence_id: str | None = None
    locator: Locator = field(default_factory=Locator)
    document_id: str | None = None


@dataclass(frozen=True, slots=True)
class WebCitationSource:
    """A page on the web. `details` is what its provider said of it beyond that, as the provider names it."""

    url: str
    title: str | None = None
    excerpts: tuple[str, ...] = ()
    span: SourceSpan | None = None
    passage: BoundPassage | None = None
    details: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class DocumentCitationSource:
    """A document of a library or of a prompt. `details` is as for a page on the web."""

    document_id: str | None
    title: str | None = None
    excerpts: tuple[str, ...] = ()
    span: SourceSpan | None = None
    passage: BoundPassage | None = None
    details: Mapping[str, Any] | None = None


CitationSource = WebCitationSource | DocumentCitationSource
"""What a citation leads to."""


@dataclass(frozen=True, slots=True)
class ContentCitationAnchor:
    """The answer text that the sources support: code points `start` to `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MarkerCitationAnchor:
    """The marker that the model wrote: code points `start` to `end`."""

    start: int
    end: int


CitationAnchor = ContentCitationAnchor | MarkerCitationAnchor
"""What a citation belongs to: a stretch of the answer, or the marker that was written for it."""


@dataclass(frozen=True, slots=True)
class Citation:
    """Sources, an anchor in the answer (or none), and what was found out about them.

    `written` is the marker as the model wrote it; `repaired` says what was mended to resolve it, or is None.
    `quote` is what became of the extract that the model gave, None when it gave none; where it was found, the
    source's `span` and `excerpts` are the source's own words. `score` (0 to 1) is how well the best of the sources
    fits a sentence that was matched after generation, None where the model itself cited. `support` is whether the
    source says what the sentence says, as far as a method can tell; None until somebody asks (`CitationRun.check`).
    `claim` is a guess of ours at what a marker is about: the sentence that it stands in. `text_hash` tells whether the
    text that a provider's citation is about, of a marker its claim too, is still the same.
    """

    sources: tuple[CitationSource, ...]
    anchor: CitationAnchor | None = None
    written: str | None = None
    repaired: str | None = None
    trace: TraceVerdict | None = None
    quote: QuoteVerdict | None = None
    source_state: SourceState | None = None
    confidence: Confidence | None = None
    score: float | None = None
    support: SupportVerdict | None = None
    claim: ContentCitationAnchor | None = None
    text_hash: str | None = None


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a message: its text and the citations in it; offsets of anchors are code points of `content`."""

    content: str
    citations: tuple[Citation, ...] = ()
    provider_details: Mapping[str, Any] | None = None
