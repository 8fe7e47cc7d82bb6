"""What an answer should rest on, where somebody has said so beforehand: told exactly, by no method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pincite.core.fold import fold
from pincite.evaluation._counts import Counts, ratio

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

    from pincite.core.answer import Answer


@dataclass(frozen=True, slots=True)
class Expectations(Counts):
    """Whether answers rest on what they should: words of a passage that somebody who knows the texts has named.

    Of `answerable` questions, for which there are such words: `retrieved_share` have a passage with them among those
    that the model was given, `cited_share` cite one, and `coverage` cite anything at all. Of `unanswerable` ones, for
    which nothing in the texts is an answer, `declined_share` cite nothing. Words are compared without letter case and
    typography. Each is None where there is no such question.
    """

    answerable: int = 0
    retrieved: int = 0
    cited: int = 0
    covered: int = 0
    unanswerable: int = 0
    declined: int = 0

    RATES: ClassVar[tuple[str, ...]] = ("retrieved_share", "cited_share", "coverage", "declined_share")

    @property
    def retrieved_share(self) -> float | None:
        """The share of answerable questions for which the right passage was given."""
        return ratio(self.retrieved, self.answerable)

    @property
    def cited_share(self) -> float | None:
        """The share of answerable questions whose answer cites the right passage."""
        return ratio(self.cited, self.answerable)

    @property
    def coverage(self) -> float | None:
        """The share of answerable questions whose answer cites something."""
        return ratio(self.covered, self.answerable)

    @property
    def declined_share(self) -> float | None:
        """The share of unanswerable questions whose answer cites nothing."""
        return ratio(self.declined, self.unanswerable)

    @classmethod
    def of(cls, expects: tuple[str, ...] | None, answer: Answer, passages: Mapping[str, str]) -> Self:
        """Return what an answer is worth against `expects`: any of these words, () for no answer, None for no say.

        `passages` are the texts that the model was given, by their citation keys.
        """
        if expects is None:
            return cls()
        cites = bool(answer.citations)
        if not expects:
            return cls(unanswerable=1, declined=int(not cites))
        wanted = [_bare(words) for words in expects]
        cited = (text for one in answer.citations for source in one.sources for text in source.excerpts)
        bound = [
            source.passage for one in answer.citations for source in one.sources if source.passage is not None
        ]
        keys = {passage.citation_key for passage in bound}
        return cls(
            answerable=1,
            retrieved=_is_in(wanted, passages.values()),
            cited=_is_in(wanted, (*(passages[key] for key in keys if key in passages), *cited)),
            covered=int(cites),
        )


NOTHING_EXPECTED = Expectations()
"""What an answer has of which nobody said what it should rest on."""


def _is_in(wanted: list[str], texts: Iterable[str]) -> int:
    return int(any(words in _bare(text) for text in texts for words in wanted))


def _bare(text: str) -> str:
    return fold(text).text.strip()
