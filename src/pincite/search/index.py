"""The index protocol: what a search asks of whatever keeps the words and the vectors of passages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Within:
    """Where to search: these collection ids and, unless None, only these document ids."""

    collections: tuple[str, ...]
    documents: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a question as the index keeps it.

    `field` is `stem` for a word's stem or `gram` for a piece of a script without spaces; `word` is the word
    before stemming; `weight` its inverse document frequency; `distance` how many letters may be wrong.
    """

    field: Literal["stem", "gram"]
    text: str
    word: str
    weight: float
    known: bool
    distance: int = 0


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a question, the rarest first, without stop words as long as anything else is left."""

    terms: tuple[Term, ...]

    @property
    def weight(self) -> float:
        """The weight of all terms."""
        return sum(term.weight for term in self.terms)

    @property
    def latin(self) -> float:
        """The share of the weight (0 to 1) that is of the Latin script; 1 when there are no terms."""
        # Accents are folded by the index, so what is not ASCII then is of another script.
        ours = sum(term.weight for term in self.terms if term.text.isascii())
        return ours / self.weight if self.terms else 1.0

    def tolerant(self) -> Terms:
        """Return the same terms, those that no passage holds with some letters allowed to be wrong."""
        return Terms(
            tuple(term if term.known else replace(term, distance=_wrong_letters(term)) for term in self.terms)
        )

    def words(self) -> list[str]:
        """Return the spaced words of the question that are terms, the rarest first."""
        return [term.word for term in self.terms if term.field == "stem"]


_ONE_LETTER, _TWO_LETTERS = 4, 10
"""Words this long may have one letter wrong, or two: shorter ones would match another word of the language."""


def _wrong_letters(term: Term) -> int:
    if term.field == "gram":
        return 0
    return (len(term.word) >= _ONE_LETTER) + (len(term.word) >= _TWO_LETTERS)


class Index(Protocol):
    """Finds passages by words and by vectors. It may lag behind the library; callers check what they are given."""

    def sync(self) -> None:
        """Take in what changed in the library since, as far as another writer lets it.

        Raises:
            StoreError: there is nothing to search in, and nothing could be built.
        """
        ...

    def terms(self, question: str) -> Terms:
        """Return the terms of `question`, weighted by this index."""
        ...

    def by_words(self, terms: Terms, within: Within, limit: int) -> list[str]:
        """Return ids of at most `limit` passages that hold any of `terms`, best (BM25) first."""
        ...

    def by_vector(self, vector: Sequence[float], within: Within, limit: int) -> list[tuple[str, float]]:
        """Return at most `limit` pairs (passage id, cosine), nearest first."""
        ...

    def cosines(self, vector: Sequence[float], chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """Return the cosine of `vector` with each passage whose vector is known."""
        ...

    def coverage(self, terms: Terms, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """Return the share (0 to 1, by weight) of `terms` that each passage holds; one left out holds none."""
        ...

    def compact(self) -> float | None:
        """Let go of the words of what was deleted; searches go on meanwhile and wait for nothing.

        Returns the seconds after which this has to be asked for again, for what may still be read until then; None
        where nothing of it is left.

        Raises:
            StoreError: it could not be done, because another writer is at it or the place cannot be written.
        """
        ...

    def close(self) -> None:
        """Let go of files; what is on disk stays."""
        ...
