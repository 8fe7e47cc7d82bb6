"""Time the check beside a plain walk over all fetched spans, decoding of ids, and numbered references: `make bench`.

Everything is measured in one process; a figure is the best of several rounds. There are 10,000 cited ids and as many
fetched ones. The baseline asks, for each cited span, every fetched span in turn; it is measured in the same run.
"""

from __future__ import annotations

import gc
import sys
import time
from typing import TYPE_CHECKING

from pincite.checking import FetchOutcome, FetchStatus, check_citations_sync
from pincite.core.ids import (
    ChunkEvidenceId,
    SpanEvidenceId,
    chunk_id,
    foreign_id,
    parse_evidence_id,
    version_of,
)
from pincite.core.ledger import Fetched, Ledger
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState
from pincite.showing import render_citations

if TYPE_CHECKING:
    from collections.abc import Callable

IDS = 10_000
ROUNDS = 15
DECODE_US, EXACT_US, CONTAINED_MS, QUADRATIC, NEAR_MS, RENDER_MS = 2.0, 2.0, 100.0, 0.1, 1_000.0, 150.0
DOCUMENTS = [foreign_id(f"document {number}") for number in range(IDS // 10)]
VERSION = version_of("one version")
SCOPE = Scope(DOCUMENTS)
CHUNKS = [str(ChunkEvidenceId(DOCUMENTS[0], VERSION, chunk_id(DOCUMENTS[0], f"{n}"))) for n in range(IDS)]


def spans(documents: int, *, inside: int = 0) -> list[str]:
    """Return 10,000 spans of 90 code points, spread over documents; `inside` moves both ends in."""
    return [
        str(SpanEvidenceId(DOCUMENTS[n % documents], VERSION, n * 100 + inside, n * 100 + 90 - inside))
        for n in range(IDS)
    ]


def main(rounds: int = ROUNDS) -> int:
    """Print every figure beside its bar; return 1 when one is over it."""
    over = False
    in_one, over_many = spans(1), spans(len(DOCUMENTS))
    inside_one, inside_many = spans(1, inside=5), spans(len(DOCUMENTS), inside=5)
    received, stated = ledger(), ledger()
    for name in CHUNKS:
        stated.record(Fetched(name, state=SourceState.CURRENT))
    slips = [f"{name[:-1]}{'0' if name[-1] != '0' else '1'}" for name in CHUNKS]
    each: dict[str, tuple[float, Callable[[], object]]] = {
        "decoding a passage's id": (DECODE_US, lambda: decode(CHUNKS)),
        "decoding a span's id": (DECODE_US, lambda: decode(over_many)),
        "exact passages, each": (EXACT_US, lambda: check(CHUNKS, CHUNKS)),
        "exact spans, each": (EXACT_US, lambda: check(in_one, in_one)),
        "exact passages of a ledger, each": (EXACT_US, lambda: check(CHUNKS, received)),
        "the same where the states of versions are known": (EXACT_US, lambda: check(CHUNKS, stated)),
    }
    in_all: dict[str, tuple[float, Callable[[], object]]] = {
        "contained spans over 1,000 documents": (CONTAINED_MS, lambda: check(inside_many, over_many)),
        "contained spans in one document": (CONTAINED_MS, lambda: check(inside_one, in_one)),
        "the same of a ledger with its texts": (CONTAINED_MS, lambda: check(inside_one, received)),
        "10,000 near misses": (NEAR_MS, lambda: check(slips, CHUNKS, verdict="not_fetched")),
    }
    # All take turns, so that a time in which the machine is busy falls on all alike and on none in every round.
    rows = each | in_all
    best = dict(zip(rows, best_of(rounds, *(work for _, work in rows.values())), strict=True))
    for what, (bar, _) in each.items():
        over |= figure(what, best[what] / IDS * 1e6, bar, "us")
    for what, (bar, _) in in_all.items():
        over |= figure(what, best[what] * 1e3, bar, "ms")
    (walked,) = best_of(1, lambda: walk(inside_one, in_one))
    print(f"a walk over all fetched spans takes {walked * 1e3:,.0f} ms")
    against = best["contained spans in one document"] / walked
    over |= figure("contained spans in one document, against a walk", against, QUADRATIC)
    return int(over | rendering(rounds))


def rendering(rounds: int) -> bool:
    """Time numbered references: 10,000 passages, and 10,000 spans inside what was fetched."""
    over = False
    for what, cited, fetched in (
        ("passages", CHUNKS, CHUNKS),
        ("contained spans", spans(len(DOCUMENTS), inside=5), spans(len(DOCUMENTS))),
        ("contained spans in one document", spans(1, inside=5), spans(1)),
    ):
        answer = " ".join(f"Rule {number} says so. [{name}]" for number, name in enumerate(cited))
        outcomes = [FetchOutcome(name, FetchStatus.OK, text="It says so.", title="Rules") for name in fetched]
        assert "[1]" in render_citations(answer, cited, outcomes)[0]
        (seconds,) = best_of(
            rounds,
            lambda answer=answer, cited=cited, outcomes=outcomes: render_citations(answer, cited, outcomes),
        )
        over |= figure(f"10,000 {what} rendered", seconds * 1e3, RENDER_MS, "ms")
    return over


def ledger() -> Ledger:
    """Return a ledger of passages with their places in one document, and their texts."""
    kept = Ledger()
    text = "rule by rule, as it was said and written down in chapter two of the handbook before.".ljust(90)
    for number, name in enumerate(CHUNKS):
        kept.record_shown(name, (DOCUMENTS[0], VERSION, number * 100, number * 100 + 90, text))
    assert len(kept) == 2 * IDS
    return kept


def check(cited: list[str], fetched: list[str] | Ledger, *, verdict: str = "valid") -> None:
    """Check ids, all of which get one verdict."""
    checks = check_citations_sync(cited, fetched, scope=SCOPE)
    assert all(one.verdict.value == verdict for one in (checks[0], checks[len(checks) // 2], checks[-1]))


def decode(names: list[str]) -> None:
    """Decode each id, and keep none of them."""
    for name in names:
        parse_evidence_id(name)


def walk(cited: list[str], fetched: list[str]) -> list[bool]:
    """Check spans as one would without an index: decode once, then ask every fetched span for each cited one."""
    places = [place(name) for name in fetched]
    found: list[bool] = []
    for name in cited:
        document, version, start, end = place(name)
        found.append(
            any(
                first <= start and end <= last and document == of and version == at
                for of, at, first, last in places
            )
        )
    return found


def place(name: str) -> tuple[str, str, int, int]:
    """Return what the id of a span names."""
    span = parse_evidence_id(name)
    assert isinstance(span, SpanEvidenceId)
    return span.document_id, span.version, span.start, span.end


def best_of(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Return the shortest time of each piece of work, in seconds; they take turns."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for index, work in enumerate(works):
            gc.collect()
            began = time.perf_counter()
            work()
            best[index] = min(best[index], time.perf_counter() - began)
    return best


def figure(what: str, value: float, bar: float, unit: str = "") -> bool:
    """Print one measured line; say whether it is over its bar."""
    print(f"{what}: {value:.2f} {unit}{' ' if unit else ''}(bar {bar:g})")
    return value > bar


if __name__ == "__main__":
    sys.exit(main())
