"""Search: a question in, hits out. Words and vectors are fused, reranked, and checked against the library."""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.core.errors import InputError, LimitError, MissingExtraError, ModelFileError
from pincite.core.ids import is_uuid
from pincite.core.limits import DEFAULT
from pincite.core.settings import Settings
from pincite.core.text import normalise
from pincite.search.best_span import CoverageSpan
from pincite.search.fuse import fuse
from pincite.search.index import Terms, Within
from pincite.search.rerank import CoverageReranker, Measure, MeasureReranker
from pincite.search.rows import Rows, Scored

if TYPE_CHECKING:
    from collections.abc import Collection as Container
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pincite.core.hit import Hit
    from pincite.core.limits import Limits
    from pincite.core.protocols import BestSpan, Embedder, Reranker
    from pincite.core.refs import RefIssuer
    from pincite.library.collection import Collection
    from pincite.library.library import Library
    from pincite.search.index import Index
    from pincite.search.rows import Found

_WIDENINGS = (1, 4, 16)
"""How many times `limits.candidates` is looked at until there are rows enough."""
_BROADER = 2
"""How many more candidates the second, broader look takes from each list."""
_KEYWORDS = 6
"""Words of a question, the rarest first, that the broader look asks for one by one."""
_REMEMBERED = 512
"""Vectors of passages that the background has not reached, kept from one search to the next."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of one search, best first.

    `broadened` says that nothing reached its bar and a broader look was taken; `warnings` what else a person
    should know, each in a sentence. `best` is the highest score of the rows of each collection, by the collection's id;
    it is for whoever sets the bar, and not for a reader.
    """

    hits: tuple[Hit, ...]
    broadened: bool = False
    warnings: tuple[str, ...] = ()
    best: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(slots=True)
class _Look:
    """One way of looking: the lists it asked for, and whether there was more to be had."""

    terms: Terms
    rankings: list[list[str]] = field(default_factory=list[list[str]])
    cosines: dict[str, float] = field(default_factory=dict[str, float])


@dataclass(slots=True)
class _Asked:
    """A question on its way through: what it is, where it looks, and what there is to warn of."""

    question: str
    within: Within
    bars: dict[str, float]
    vector: Sequence[float] | None
    warnings: list[str]


class Search:
    """Searches a library; thread-safe."""

    __slots__ = ("_embedder", "_index", "_library", "_limits", "_lock", "_recent", "_reranker")

    def __init__(
        self,
        library: Library,
        index: Index,
        embedder: Embedder,
        reranker: Reranker | None,
        limits: Limits = DEFAULT,
    ) -> None:
        """Without a `reranker` nothing is scored: every confidence is None."""
        self._library = library
        self._index = index
        self._embedder = embedder
        self._reranker = reranker
        self._limits = limits
        self._lock = threading.Lock()
        self._recent: OrderedDict[str, Sequence[float]] = OrderedDict()

    @property
    def library(self) -> Library:
        """The library that is searched."""
        return self._library

    @property
    def index(self) -> Index:
        """The index that is asked."""
        return self._index

    @property
    def embedder(self) -> Embedder:
        """The embedder of questions and passages."""
        return self._embedder

    @property
    def reranker(self) -> Reranker | None:
        """The reranker, if there is one."""
        return self._reranker

    @property
    def best_span(self) -> BestSpan | None:
        """What finds the part of a passage that answers best; None without a reranker: then nothing is scored."""
        return None if self._reranker is None else CoverageSpan(self._index.terms)

    def search(
        self,
        question: str,
        *,
        collections: Sequence[Collection],
        limit: int = 8,
        refs: RefIssuer,
        documents: Container[str] | None = None,
    ) -> SearchResult:
        """Return at most `limit` rows for `question` from `collections`, only of `documents` (ids) if given.

        A row is `supported` when its score reaches its collection's bar, else `weak`; None was not scored. When
        nothing reaches its bar a broader look is taken once: misspelt words, each keyword by itself, more
        candidates.

        Raises:
            InputError: the question is empty.
            LimitError: the question or `limit` is over its limit.
            StoreError: the library or the index cannot be read.
        """
        text = self._checked(question, limit)
        wanted = {collection.collection_id: collection for collection in collections}
        only = None if documents is None else frozenset(filter(is_uuid, documents))
        if not wanted or (only is not None and not only):
            return SearchResult(())
        self._index.sync()
        warnings: list[str] = []
        bars = self._bars(wanted.values(), warnings)
        vector = self._vector(text, warnings)
        asked = _Asked(text, Within(tuple(wanted), only), bars, vector, warnings)
        rows = Rows(self._library, self._limits, wanted, limit)
        terms = self._index.terms(text)
        found = self._look(asked, rows, terms, limit)
        broadened = _falls_short(found, bars)
        if broadened:
            found = self._look_broader(asked, rows, terms, found)
        warned = tuple(dict.fromkeys(asked.warnings))
        return SearchResult(rows.hits(found, refs, bars), broadened, warned, _best(found))

    def _checked(self, question: str, limit: int) -> str:
        if len(question) > self._limits.query_code_points:
            msg = f"A question has at most {self._limits.query_code_points} characters."
            raise LimitError(msg, field="question")
        if not 1 <= limit <= self._limits.results:
            msg = f"A search gives 1 to {self._limits.results} rows."
            raise LimitError(msg, field="limit")
        text = normalise(question).strip()
        if not text:
            msg = "The question is empty."
            raise InputError(msg, field="question")
        return text

    def _bars(self, collections: Container[Collection], warnings: list[str]) -> dict[str, float]:
        """Return each collection's bar by id: its own if it was set for this reranker, else the reranker's."""
        bars: dict[str, float] = {}
        for collection in collections:
            name = self._reranker.name if self._reranker is not None else None
            bars[collection.collection_id] = (
                self._reranker.default_threshold if self._reranker is not None else math.inf
            )
            if collection.score_threshold is None or name is None:
                continue
            if collection.reranker == name:
                bars[collection.collection_id] = collection.score_threshold
            else:
                warnings.append(
                    f"The bar of {collection.name!r} was set for the reranker {collection.reranker!r}; "
                    f"the default of {name!r} is used."
                )
        return bars

    def _vector(self, text: str, warnings: list[str]) -> Sequence[float] | None:
        try:
            return self._embedder.embed([text])[0]
        except (ModelFileError, MissingExtraError) as error:
            warnings.append(f"Searched by words only, and nothing was scored. {error.message}")
            return None

    # -- looking ---------------------------------------------------------------------------------

    def _look(self, asked: _Asked, rows: Rows, terms: Terms, limit: int) -> list[Found]:
        """Fuse both lists, rerank, and take the rows that stand; look further down when they are too few."""
        found: list[Found] = []
        for times in _WIDENINGS:
            width = self._limits.candidates * times
            look = _Look(terms)
            self._ask(asked, look, terms, asked.vector, width)
            fused = fuse(look.rankings)
            found = rows.pick(self._rank(asked, look, fused[:width]))
            if len(found) >= limit or len(fused) <= width:
                break
        return found

    def _look_broader(self, asked: _Asked, rows: Rows, terms: Terms, before: list[Found]) -> list[Found]:
        """Look again: with letters allowed to be wrong, by keywords alone and one by one, further down."""
        width = self._limits.candidates * _BROADER
        look = _Look(terms.tolerant(), [[row.passage.chunk_id for row in before]])
        self._ask(asked, look, look.terms, asked.vector, width)
        keywords = " ".join(terms.words())
        if keywords and asked.vector is not None:
            self._ask(asked, look, Terms(()), self._vector(keywords, asked.warnings), width)
        for term in look.terms.terms[:_KEYWORDS]:
            self._ask(asked, look, Terms((term,)), None, self._limits.candidates // _KEYWORDS + 1)
        return rows.pick(self._rank(asked, look, fuse(look.rankings)[: 2 * width]))

    def _ask(
        self, asked: _Asked, look: _Look, terms: Terms, vector: Sequence[float] | None, width: int
    ) -> None:
        """Add to `look` what `terms` and `vector` find."""
        if terms.terms:
            look.rankings.append(self._index.by_words(terms, asked.within, width))
        if vector is not None:
            near = self._index.by_vector(vector, asked.within, width)
            look.rankings.append([chunk_id for chunk_id, _ in near])
            if vector is asked.vector:
                look.cosines |= near

    # -- scoring ---------------------------------------------------------------------------------

    def _rank(self, asked: _Asked, look: _Look, fused: Sequence[str]) -> list[Scored]:
        """Return `fused` by score, what was not scored behind in its order."""
        scores = self._scores(asked, look, fused)
        scored = sorted(
            (Scored(name, scores[name]) for name in fused if name in scores),
            key=lambda found: -(found.score or 0.0),
        )
        return scored + [Scored(name, None) for name in fused if name not in scores]

    def _scores(self, asked: _Asked, look: _Look, fused: Sequence[str]) -> dict[str, float]:
        """Return the scores of those passages that could be scored; none when the reranker fails."""
        reranker = self._reranker
        if reranker is None or not fused:
            return {}
        try:
            if isinstance(reranker, MeasureReranker):
                names, scores = self._measured(reranker, asked, look, fused)
            else:
                texts = self._library.texts(fused[: self._limits.candidates])
                names = [name for name in fused if name in texts]
                scores = reranker.score(asked.question, [texts[name] for name in names])
            values = [float(score) for score in scores]
        except Exception as error:  # noqa: BLE001 - a reranker is anybody's code, and a search goes on without it
            asked.warnings.append(
                f"The reranker {reranker.name!r} failed ({type(error).__name__}): nothing was scored."
            )
            return {}
        if len(values) != len(names) or not all(map(math.isfinite, values)):
            asked.warnings.append(
                f"The reranker {reranker.name!r} gave no usable scores: nothing was scored."
            )
            return {}
        return dict(zip(names, values, strict=True))

    def _measured(
        self, reranker: MeasureReranker, asked: _Asked, look: _Look, fused: Sequence[str]
    ) -> tuple[list[str], Sequence[float]]:
        if asked.vector is None:
            return [], []
        cosines = dict(look.cosines)
        rest = [name for name in fused if name not in cosines]
        cosines |= self._index.cosines(asked.vector, rest)
        cosines |= self._fresh_cosines(asked.vector, [name for name in rest if name not in cosines])
        names = [name for name in fused if name in cosines]
        coverage = self._index.coverage(look.terms, names)
        latin = look.terms.latin
        measures = [Measure(cosines[name], coverage.get(name, 0.0), latin) for name in names]
        return names, reranker.score_measures(measures)

    def _fresh_cosines(self, vector: Sequence[float], names: Sequence[str]) -> dict[str, float]:
        """Return cosines of the first passages that the background has not embedded yet, a batch at most.

        What lies behind them in the fused order stays without a score for now, which is no score of 0.
        """
        names = names[: self._limits.embed_batch]
        if not names:
            return {}
        with self._lock:
            known = {name: self._recent[name] for name in names if name in self._recent}
        texts = self._library.texts([name for name in names if name not in known])
        fresh = dict(zip(texts, self._embedder.embed(list(texts.values())), strict=True)) if texts else {}
        with self._lock:
            self._recent |= fresh
            while len(self._recent) > _REMEMBERED:
                self._recent.popitem(last=False)
        return {
            name: sum(float(a) * float(b) for a, b in zip(vector, other, strict=True))
            for name, other in {**known, **fresh}.items()
        }


def _best(found: Sequence[Found]) -> dict[str, float]:
    """Return the highest score in each collection; one in which nothing was scored is left out."""
    best: dict[str, float] = {}
    for row in found:
        if row.score is not None:
            best[row.there.collection_id] = max(row.score, best.get(row.there.collection_id, row.score))
    return best


def _falls_short(found: Sequence[Found], bars: dict[str, float]) -> bool:
    """Say whether no row reaches its bar; rows that nobody scored fall short of nothing."""
    scored = [row for row in found if row.score is not None]
    if found and not scored:
        return False
    return not any((row.score or 0.0) >= bars[row.there.collection_id] for row in scored)


def open_search(
    library: Library,
    home: Path,
    *,
    embedder: Embedder | None = None,
    limits: Limits | None = None,
    index: str | None = None,
) -> Search:
    """Return a search over `library` with the default parts.

    `index` is the address of an index that machines share, the setting `PINCITE_INDEX` when None; where that is unset
    too the index is kept under `home`/index. `embedder` is the built-in one when None; several searches may share one.

    Raises:
        MissingExtraError: the extra `search` is not installed, or `lance` for a shared index.
        SettingError: the address of the index cannot be read.
    """
    from pincite.search.embed import MiniLM

    given = limits if limits is not None else library.limits
    embedder = MiniLM() if embedder is None else embedder
    opened = _open_index(
        library, home, embedder, given, Settings.from_env().index if index is None else index
    )
    return Search(library, opened, embedder, CoverageReranker(embedder, opened.terms), given)


def _open_index(
    library: Library, home: Path, embedder: Embedder, limits: Limits, address: str | None
) -> Index:
    if address is None:
        from pincite.search.local_index import LocalIndex

        return LocalIndex(library, home / "index" / library.database.tenant, embedder, limits=limits)
    from pincite.search.lance_index import LanceIndex

    return LanceIndex(library, address, embedder, limits=limits)
