"""Time resolving against a Markdown parser, streaming against a bare loop, and hostile answers: `make bench`.

Everything is measured in one process. A figure is the best of several rounds, and both sides of a ratio take turns,
so that other load falls on both alike. The answer is 0.93 MB of prose (more where 10,000 markers alone are longer)
with 10,000 markers of 526 passages, 5 % of them never issued.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from typing import TYPE_CHECKING, Any

import pyromark

from pincite.citing import CitationRun, parse_citations, wire_format

if TYPE_CHECKING:
    from collections.abc import Callable

MARKERS, PASSAGES, SIZE, UNKNOWN = 10_000, 526, 930_000, 0.05
FORMATS = ("inline_url", "short_id", "ref", "sup_numeric", "evidence_id")
RESOLVE_BAR, STREAM_BAR, GROWTH_BAR, HITS_BAR, HOSTILE_BAR = 1.5, 6.0, 11.0, 0.5, 1.0
PIECE = 4
"""Code points of one piece of a stream."""
ROUNDS = 5
WORDS = (
    "expenses over this amount require prior approval by a line manager who has read the current rules and signs for"
    " them within ten working days unless travel was booked before the change took effect last year"
).split()
HOSTILE = (
    "[", "1", "[1,", "[[1]](", "<cite", "<sup>", '"', "'", "`", "`` ` ", "[9f2a1b7c", "[9f2a1b7c](", "<!--", "~~~\n",
    "](", "\\", '[[1]](u "', "[[a", "\u3010", "\ue200cite\ue202",
)  # fmt: skip


def main(rounds: int = ROUNDS) -> int:
    """Print every figure beside its bar; return 1 when one is over it."""
    over = False
    for name in FORMATS:
        run, text = answer_in(name)
        pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
        parsed, resolved, bare, streamed = best_of(
            rounds,
            lambda text=text: parse(text),
            lambda run=run, text=text: run.resolve(text),
            lambda pieces=pieces: look(pieces),
            lambda run=run, pieces=pieces: exhaust(run, pieces),
        )
        answer = run.resolve(text)
        found = len(answer.citations) + len(answer.misses)
        print(f"{name}: {found:,} markers in {len(text) / 1e6:.2f} MB, {len(answer.misses):,} never issued")
        over |= figure(f"{name}, resolved, against pyromark", resolved / parsed, RESOLVE_BAR)
        over |= figure(f"{name}, streamed, against a bare loop", streamed / bare, STREAM_BAR)
    over |= figure("ten times the stream", growth(rounds), GROWTH_BAR)
    over |= figure("10,000 hits and 10,000 citations", best_of(rounds, hits_and_citations)[0], HITS_BAR, "s")
    slowest = max((hostile(unit), unit) for unit in HOSTILE)
    print(f"slowest of {len(HOSTILE)} hostile megabytes: {slowest[1]!r}")
    over |= figure("the slowest hostile megabyte", slowest[0], HOSTILE_BAR, "s")
    return int(over)


def figure(what: str, value: float, bar: float, unit: str = "") -> bool:
    """Print one measured line; say whether it is over its bar."""
    print(f"{what}: {value:.2f} {unit}{' ' if unit else ''}(bar {bar})")
    return value > bar


def answer_in(name: str, markers: int = MARKERS) -> tuple[CitationRun, str]:
    """Return a run that has presented the passages, and an answer that cites them in a wire format."""
    chance = random.Random(7)
    run = CitationRun(name)
    form = wire_format(name)
    keys: list[Any] = []
    for number in range(PASSAGES):
        payload = run.present(
            {
                "id": f"p{number}",
                "source_url": f"https://docs.example.com/handbook/{number}",
                "title": f"Chapter {number}",
                "content": f"Rule {number}: expenses over this amount require prior approval.",
            }
        )
        keys.append(payload[str(form.key_field)])
    unknown = {
        "inline_url": "https://docs.example.com/invented/{}",
        "sup_numeric": "9{:05}",
        "evidence_id": "ev1:c:f24b301d-f73a-5291-9d80-7ea3cbd5291c:c174f9d9eba7d79c:efae06f9-f4e7-5a7a-af99-{:012x}",
    }.get(name, "{:08x}")
    room = SIZE // MARKERS
    pieces: list[str] = []
    for number in range(markers):
        known = chance.random() >= UNKNOWN
        key = chance.choice(keys) if known else unknown.format(number)
        marker = form.write(key, number + 1, "expenses over this amount" if name == "inline_url" else None)
        words: list[str] = []
        length = len(marker) + 2
        while length < room:
            words.append(chance.choice(WORDS))
            length += len(words[-1]) + 1
        pieces.append(f"{' '.join(words)}. {marker}{chr(10) * 2 if number % 5 == 4 else ' '}")
    return run, "".join(pieces)


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


def parse(text: str) -> int:
    """Parse Markdown into events with their places and keep them, as the baseline of resolving, which keeps too."""
    return len(list(pyromark.events_with_range(text)))


def look(pieces: list[str]) -> int:
    """Look at every piece for what may begin a marker or code, as the baseline of streaming."""
    return sum("[" in piece or "<" in piece or "`" in piece for piece in pieces)


def exhaust(run: CitationRun, pieces: list[str]) -> None:
    """Stream an answer to its end."""
    for _ in run.stream_sync(pieces):
        pass


def growth(rounds: int) -> float:
    """Return how much longer ten times the stream takes."""
    run, text = answer_in("ref", MARKERS // 10)
    short = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    little, much = best_of(rounds, lambda: exhaust(run, short), lambda: exhaust(run, short * 10))
    return much / little


def hits_and_citations() -> None:
    """Present 10,000 hits and resolve an answer that cites each once."""
    run = CitationRun("ref")
    refs = [
        run.present(
            {
                "id": f"n{number}",
                "title": "Handbook",
                "content": f"Rule {number} says what was said in chapter two.",
            }
        )["ref"]
        for number in range(MARKERS)
    ]
    answer = run.resolve(" ".join(f"Rule {number} says so. [{ref}]" for number, ref in enumerate(refs)))
    assert len(answer.citations) == MARKERS


def hostile(unit: str) -> float:
    """Return the seconds that a megabyte of one hostile thing takes, found and resolved."""
    text = unit * (1_000_000 // len(unit))
    run = CitationRun("inline_url")
    run.present({"id": "a", "content": "Something."})
    began = time.perf_counter()
    run.resolve(text)
    took = time.perf_counter() - began
    parse_citations(text[:1_000])
    return took


if __name__ == "__main__":
    sys.exit(main())
