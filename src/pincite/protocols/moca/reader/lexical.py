"""A search by words over the text of what is loaded (BM25), with nothing else installed.

It is made for the packages of one host in memory. A library of documents has an index of its own, `pincite.search`.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import Counter
from math import log
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.core.text import words
from pincite.protocols.moca.reader._chunks import chunks
from pincite.protocols.moca.reader._records import node_id
from pincite.protocols.moca.reader.hits import Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.protocols.moca.reader.hits import Filters
    from pincite.protocols.moca.reader.library import Library
    from pincite.protocols.moca.reader.nodes import Representation
    from pincite.protocols.moca.reader.package import Package

# The usual constants of BM25: how soon a word's repetition stops to count, and how much a chunk's length does.
_SATURATION, _LENGTH = 1.2, 0.75
_LONGEST, _PLURAL = 40, 4
# Scripts that are written without spaces, whose words are pairs of characters here: one class, linear.
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+"
)


class _Chunk(NamedTuple):
    digest: str
    node: str
    path: str
    locale: str | None
    span: tuple[int, int] | None
    size: int


class LexicalBackend:
    """Finds chunks by the words of a question, the rarer the more they count. It follows what its library loads.

    `features` say what it does, as the interface names it. Threads may share one.
    """

    features: Final = ("lexical",)

    __slots__ = ("_chunks", "_indexed", "_library", "_lock", "_postings", "_total")

    def __init__(self, library: Library) -> None:
        self._library = library
        self._chunks: list[_Chunk] = []
        self._postings: dict[str, list[tuple[int, int]]] = {}
        self._indexed: set[str] = set()
        self._total = 0
        self._lock = threading.Lock()

    def search(self, query: str, *, limit: int, filters: Filters) -> list[Hit]:
        """Return the best `limit` hits, best first; of equal ones, what was loaded first."""
        with self._lock:
            for package in self._library.packages:
                self._add(package)
            scores = self._scores(query)
        best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        found: list[Hit] = []
        for place, score in best:
            chunk = self._chunks[place]
            if chunk.digest in filters.digests:
                found.append(Hit(chunk.digest, chunk.node, chunk.path, score, chunk.locale, chunk.span))
                if len(found) == limit:
                    break
        return found

    def _scores(self, query: str) -> dict[int, float]:
        """Return the score of each chunk that holds a word of the question."""
        count = len(self._chunks)
        mean = self._total / count if count else 1.0
        scores: dict[int, float] = {}
        for term in dict.fromkeys(terms(query)):
            held = self._postings.get(term, ())
            rarity = log(1 + (count - len(held) + 0.5) / (len(held) + 0.5))
            for place, times in held:
                length = 1 - _LENGTH + _LENGTH * self._chunks[place].size / mean
                part = rarity * times * (_SATURATION + 1) / (times + _SATURATION * length)
                scores[place] = scores.get(place, 0.0) + part
        return scores

    def _add(self, package: Package) -> None:
        digest, manifest = package.digest, package.manifest
        if digest is None or manifest is None or digest in self._indexed:
            return
        self._indexed.add(digest)
        most = self._library.limits.moca_chunk_bytes
        for node in package.nodes:
            for one in node.representations:
                told = list(terms(_told(one)))
                for span, text in _parts(one, most):
                    found = Counter(terms(text))
                    found.update(told)
                    size = found.total()
                    if not size:
                        continue
                    place = len(self._chunks)
                    locale = one.locale or manifest.language
                    self._chunks.append(
                        _Chunk(digest, node_id(manifest, node), node.path, locale, span, size)
                    )
                    self._total += size
                    for term, times in found.items():
                        self._postings.setdefault(term, []).append((place, times))


def _parts(one: Representation, most: int) -> Iterator[tuple[tuple[int, int] | None, str]]:
    """Yield the chunks of a representation with their text; one without text is found by what is said of it."""
    is_empty = True
    for start, end in chunks(one.data, one.body_start, most):
        is_empty = False
        yield (start, end), one.data[start:end].decode()
    if is_empty:
        yield None, ""


def _told(one: Representation) -> str:
    """Return what is said of a node beside its text."""
    fields = one.fields
    return " ".join((fields.title or "", fields.description or "", *(fields.tags or ())))


def terms(text: str) -> Iterator[str]:
    """Yield the terms of a text: words without case, accents and an `s` at the end, or pairs of characters.

    Pairs they are in scripts that are written without spaces.
    """
    for word in words(text):
        bare = "".join(
            char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char)
        )
        if _UNSPACED.search(bare) is not None:
            yield from (bare[at : at + 2] for at in range(max(1, len(bare) - 1)))
        elif len(bare) <= _LONGEST:
            is_plural = len(bare) >= _PLURAL and bare.endswith("s") and not bare.endswith("ss")
            yield bare[:-1] if is_plural else bare
