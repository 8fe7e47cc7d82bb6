"""Verdicts against a brute-force oracle that marks single code points, over random fetches and citations."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from pincite.checking import check_citations, check_citations_sync
from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId, foreign_id
from pincite.core.ledger import Ledger
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.protocols import EvidenceText
from pincite.core.scope import Scope
from pincite.core.text import word_spans

IN_SCOPE = ("f24b301d-f73a-5291-9d80-7ea3cbd5291c", "0a4b301d-f73a-5291-9d80-7ea3cbd5291c")
OUTSIDE = "1b4b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSIONS = ("c174f9d9eba7d79c", "0123456789abcdef")
SCOPE = Scope(IN_SCOPE)
# Words of one to five letters, and stretches without any.
TEXT = "The rule is, as of May: ten days' pay. -- -- -- It's not so for all; see A1, B2!"
END = len(TEXT)
# The passages of every version: they overlap, touch, and leave gaps.
PASSAGES = [(0, 22), (22, 39), (15, 30), (48, 60), (39, 48), (66, END)]

Version = tuple[str, str]
VERSION = st.tuples(st.sampled_from([*IN_SCOPE, OUTSIDE]), st.sampled_from(VERSIONS))
SPAN = st.tuples(st.integers(0, END - 1), st.integers(1, 30)).map(lambda s: (s[0], min(END, s[0] + s[1])))
# An evidence: one of the passages by its number, or a span.
EVIDENCE = st.one_of(st.integers(0, len(PASSAGES) - 1), SPAN)
# A fetch: of which version, what, and from and to which part of it.
FETCH = st.tuples(VERSION, EVIDENCE, st.floats(0, 1), st.floats(0, 1))


def id_of(version: Version, evidence: int | tuple[int, int]) -> str:
    """Return the id of a passage or span."""
    if isinstance(evidence, int):
        return str(ChunkEvidenceId(*version, foreign_id(f"passage {evidence}")))
    return str(SpanEvidenceId(*version, *evidence))


def place_of(evidence: int | tuple[int, int]) -> tuple[int, int]:
    """Return where a passage or span stands."""
    return PASSAGES[evidence] if isinstance(evidence, int) else evidence


@dataclass
class Oracle:
    """Marks of single code points: what of each version was received, and of it the words that were kept."""

    received: dict[Version, set[int]] = field(default_factory=dict[Version, set[int]])
    worded: dict[Version, set[int]] = field(default_factory=dict[Version, set[int]])
    of_id: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    places_known: bool = False

    def fetch(
        self,
        version: Version,
        evidence: int | tuple[int, int],
        points: set[int],
        *,
        words: bool,
        placed: bool = True,
    ) -> None:
        """Mark what was received of a passage or span."""
        if placed:
            self.received.setdefault(version, set()).update(points)
        self.of_id.setdefault(id_of(version, evidence), set()).update(points)
        if words:
            self.worded.setdefault(version, set()).update(points)

    def verdict(self, version: Version, evidence: int | tuple[int, int]) -> str:
        """Return the verdict by the rules, one code point at a time."""
        if version[0] not in IN_SCOPE:
            return "unavailable"
        wanted = set(range(*place_of(evidence)))
        whole = self.of_id.get(id_of(version, evidence))
        if whole == wanted:
            return "valid"
        if isinstance(evidence, int) and whole is None and not self.places_known:
            return "not_fetched"  # nobody has said where the passage stands
        if not wanted <= self.received.get(version, set()):
            return "not_fetched"
        if isinstance(evidence, int) or not wanted <= self.worded.get(version, set()):
            return "valid"
        return "valid" if self._holds_a_word(version, evidence) else "not_fetched"

    def _holds_a_word(self, version: Version, span: tuple[int, int]) -> bool:
        worded = self.worded[version]
        start, end = span
        while start - 1 in worded:
            start -= 1
        while end in worded:
            end += 1
        words = [(start + first, start + last) for first, last in word_spans(TEXT[start:end])]
        return any(span[0] <= first and last <= span[1] for first, last in words)


Fetches = list[tuple[Version, int | tuple[int, int], float, float]]


@given(
    fetches=st.lists(FETCH, max_size=12),
    cited=st.lists(st.tuples(VERSION, EVIDENCE), max_size=20),
    wordless=st.sets(EVIDENCE, max_size=8),
    kept=st.booleans(),
)
def test_verdicts_of_a_ledger_equal_the_oracle(
    fetches: Fetches,
    cited: list[tuple[Version, int | tuple[int, int]]],
    wordless: set[int | tuple[int, int]],
    *,
    kept: bool,
) -> None:
    """Chunks in spans, spans in chunks, pieces of both, several documents and versions, kept and loaded or not."""
    ledger, oracle = Ledger(), Oracle()
    for version, evidence, first, last in fetches:
        words = evidence not in wordless
        low, high = place_of(evidence)
        start, end = sorted((round(first * (high - low)), round(last * (high - low))))
        ledger.record_received(
            id_of(version, evidence),
            start,
            end,
            high - low,
            span=SpanEvidenceId(*version, low, high),
            text=TEXT[low + start : low + end] if words else None,
        )
        oracle.fetch(version, evidence, set(range(low + start, low + end)), words=words)
    if kept:
        ledger = Ledger.load(ledger.export(texts=True))
    cited = [*cited, *((version, evidence) for version, evidence, *_ in fetches)]
    checks = check_citations_sync([id_of(*one) for one in cited], ledger, scope=SCOPE)
    assert [check.verdict.value for check in checks] == [oracle.verdict(*one) for one in cited]
    for check, (version, evidence) in zip(checks, cited, strict=True):
        if check.verdict.value == "valid":
            assert check.covered_by is not None
            if check.covered_by != check.cited_id:
                start, end = map(int, check.covered_by.rpartition(":")[2].split("-"))
                assert set(range(*place_of(evidence))) <= set(range(start, end)) <= oracle.received[version]


STORE = MemoryEvidenceStore(
    EvidenceText(id_of((document, version), evidence), document, version, *place, TEXT[slice(*place)])
    for document in (*IN_SCOPE, OUTSIDE)
    for version in VERSIONS
    for evidence in (*range(len(PASSAGES)), (0, END))
    for place in (place_of(evidence),)
)


@given(fetches=st.lists(FETCH, max_size=12), cited=st.lists(st.tuples(VERSION, EVIDENCE), max_size=20))
def test_verdicts_of_a_ledger_kept_without_texts_equal_the_oracle(
    fetches: Fetches, cited: list[tuple[Version, int | tuple[int, int]]]
) -> None:
    """With the store at hand, places and words are known that the ledger has not kept."""
    ledger, oracle = Ledger(), Oracle(places_known=True)
    for version, evidence, first, last in fetches:
        low, high = place_of(evidence)
        start, end = sorted((round(first * (high - low)), round(last * (high - low))))
        ledger.record_received(id_of(version, evidence), start, end, high - low)
        # Where nobody says where the passage stands, what was received of it is not known by place.
        placed = not isinstance(evidence, int)
        oracle.fetch(version, evidence, set(range(low + start, low + end)), words=placed, placed=placed)
    cited = [*cited, *((version, evidence) for version, evidence, *_ in fetches)]
    names = [id_of(*one) for one in cited]
    kept = Ledger.load(ledger.export())
    checks = asyncio.run(check_citations(names, kept, scope=SCOPE, store=STORE))
    assert [check.verdict.value for check in checks] == [oracle.verdict(*one) for one in cited]


@given(
    st.lists(st.tuples(VERSION, EVIDENCE), max_size=12), st.lists(st.tuples(VERSION, EVIDENCE), max_size=20)
)
def test_verdicts_of_plain_ids_equal_the_oracle(
    fetched: list[tuple[Version, int | tuple[int, int]]], cited: list[tuple[Version, int | tuple[int, int]]]
) -> None:
    """By the page: a passage is covered by itself alone, a span by the union of spans."""
    spans, names = Oracle(), {id_of(*one) for one in fetched}
    for version, evidence in fetched:
        if not isinstance(evidence, int):
            spans.fetch(version, evidence, set(range(*evidence)), words=False)
    cited = [*cited, *fetched]
    expected: list[str] = []
    for version, evidence in cited:
        if version[0] not in IN_SCOPE:
            expected.append("unavailable")
        elif isinstance(evidence, int):
            expected.append("valid" if id_of(version, evidence) in names else "not_fetched")
        else:
            covered = set(range(*evidence)) <= spans.received.get(version, set())
            expected.append("valid" if covered else "not_fetched")
    checks = check_citations_sync(
        [id_of(*one) for one in cited], [id_of(*one) for one in fetched], scope=SCOPE
    )
    assert [check.verdict.value for check in checks] == expected
