"""An answer: the text exactly as the model wrote it, and everything that was found in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

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
    """What the cited objects add to the next turn, in order of first citation.

    `passages` are the citation keys of the cited passages: which part of a document was cited is kept.
    """

    document_ids: tuple[str, ...] = ()
    custom_items: tuple[Any, ...] = ()
    passages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceLink:
    """Code points `start` to `end` are a link of the model's own to something that was issued as a reference."""

    start: int
    end: int
    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something about the answer as a whole: `code` is stable, the span is in code points of its text."""

    code: str
    start: int
    end: int
    text: str


class _LaterChecks:
    """Works `checks` out when somebody first asks for them: most callers of a long answer never do."""

    __slots__ = ("_later",)
    _later: Callable[[], tuple[Finding, ...]]

    def __getattr__(self, name: str) -> tuple[Finding, ...]:
        # Only what has no value yet comes here.
        if name != "checks":
            raise AttributeError(name)
        found = self._later()
        object.__setattr__(self, "checks", found)
        return found


@dataclass(frozen=True, slots=True)
class Answer(_LaterChecks):
    """Rendering is a pure function of this; `text` never changes.

    `citations`: one per marker occurrence, in text order. `evidences`: one per source, in order of first mention.
    `references`: links that the model made to issued references, which are no evidence.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    evidences: tuple[Evidence, ...] = ()
    misses: tuple[Miss, ...] = ()
    context: ContextContribution = field(default_factory=ContextContribution)
    references: tuple[ReferenceLink, ...] = ()
    checks: tuple[Finding, ...] = ()

    @classmethod
    def checked_later(cls, find: Callable[[], tuple[Finding, ...]], **found: Any) -> Answer:  # noqa: ANN401 - each field's own
        """Return an answer whose `checks` are what `find` returns once asked; it is given every other field."""
        answer = object.__new__(cls)
        for name, value in found.items():
            object.__setattr__(answer, name, value)
        object.__setattr__(answer, "_later", find)
        return answer
