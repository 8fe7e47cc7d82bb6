"""An answer: the text exactly as the model wrote it, and everything that was found in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.core.citation import Citation, CitationAnchor, CitationSource
    from pincite.core.locators import Locator
    from pincite.core.verdicts import MissReason


@dataclass(frozen=True, slots=True)
class Evidence:
    """A cited source: its number in order of first mention (1 is the first) and every place that cites it."""

    number: int
    source: CitationSource
    locator: Locator
    anchors: tuple[CitationAnchor, ...]


@dataclass(frozen=True, slots=True)
class Miss:
    """Code points `start` to `end` look like a citation and are none; `suggestion` is the nearest issued key."""

    start: int
    end: int
    written: str
    reason: MissReason
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class ContextContribution:
    """What the cited objects add to the next turn."""

    document_ids: tuple[str, ...] = ()
    custom_items: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about the answer as a whole: `code` is stable, the span is in code points of its text."""

    code: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Rendering is a pure function of this; `text` never changes.

    `citations`: one per marker occurrence, in text order. `evidences`: one per source, in order of first mention.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    evidences: tuple[Evidence, ...] = ()
    misses: tuple[Miss, ...] = ()
    context: ContextContribution = field(default_factory=ContextContribution)
    checks: tuple[Finding, ...] = ()
