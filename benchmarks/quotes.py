"""Time and score the quote check beside rapidfuzz and edlib, in the same run: `make bench`.

Edited quotes come from a folder of shared data (`PINCITE_SHARED`, else `../shared`) where there is one, else they are
made here, with the same kinds of edits. Figures are the best of several rounds on one core; ratios are what counts.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz import fuzz

from pincite.checking import SourceIndex, verify_quote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROUNDS = 7
SPEED, IOU, SHARE = 5_000, 0.9, 0.99
INDEX_S, EXACT_MS, EDITED_MS, PAGES = 1.0, 5.0, 25.0, 1_500_000
ADDED = "the a also in of very".split()
SYLLABLES = "ba ce di fo gu la me ni po ru sta tre vi zo an er in or ul".split()


class Edited(NamedTuple):
    """A quote with edits, the source it is from, and where it stands there."""

    quote: str
    source: str
    gold: tuple[int, int]


def main(rounds: int = ROUNDS) -> int:
    """Print every figure beside its bar; return 1 when one is over it."""
    quotes = shared() or made(300)
    over = scores(quotes)
    ours, theirs = best_of(
        rounds,
        lambda: [verify_quote(one.quote, one.source) for one in quotes],
        lambda: [fuzz.partial_ratio_alignment(one.quote, one.source) for one in quotes],
    )
    speed = len(quotes) / ours
    print(f"verdict and offsets, the fold counted: {speed:,.0f} quotes a second (bar {SPEED:,})")
    print(f"against rapidfuzz, which finds and does not judge: {ours / theirs:.1f} times as long")
    over |= speed < SPEED
    aligned = edlib_time(quotes, rounds)
    if aligned is not None:
        print(f"against edlib, which finds and does not judge: {ours / aligned:.1f} times as long")
    return int(over | book(quotes, rounds))


def scores(quotes: Sequence[Edited]) -> bool:
    """Print how many quotes are found where they stand, and how many in passages that they are not from."""
    found = sum(overlap(verify_quote(one.quote, one.source), one.gold) >= IOU for one in quotes)
    print(f"found with an overlap of {IOU}: {found} of {len(quotes)} (bar {SHARE:.0%})")
    wrong = 0
    for index, one in enumerate(quotes):
        other = quotes[(index + len(quotes) // 2) % len(quotes)].source
        wrong += one.source != other and verify_quote(one.quote, other).start is not None
    print(f"found in another quote's passage: {wrong} (bar 0)")
    return found < SHARE * len(quotes) or wrong > 0


def book(quotes: Sequence[Edited], rounds: int) -> bool:
    """Time quotes in a text of 500 pages that holds all the passages."""
    text = "\n\n".join(one.source for one in quotes)
    filler = "\n\n".join(one.source for one in made(40, seed=2))
    while len(text) < PAGES:
        text += "\n\n" + filler
    (indexing,) = best_of(min(rounds, 3), lambda: SourceIndex(text))
    index = SourceIndex(text)
    sample = quotes[:: max(1, len(quotes) // 60)]
    exact = [median_ms(rounds, lambda one=one: index.verify(one.source[slice(*one.gold)])) for one in sample]
    edited = [median_ms(rounds, lambda one=one: index.verify(one.quote)) for one in sample]
    whole = [
        median_ms(1, lambda one=one: fuzz.partial_ratio_alignment(one.quote, text)) for one in sample[:10]
    ]
    print(f"in {len(text):,} code points: index {indexing:.2f} s (bar {INDEX_S:g})")
    print(f"  exact {statistics.median(exact):.1f} ms, at most {max(exact):.1f} (bar {EXACT_MS:g})")
    print(f"  edited {statistics.median(edited):.1f} ms, at most {max(edited):.1f} (bar {EDITED_MS:g})")
    print(f"  rapidfuzz, edited: {statistics.median(whole):.1f} ms")
    return indexing > INDEX_S or max(exact) > EXACT_MS or statistics.median(edited) > EDITED_MS


def shared() -> list[Edited]:
    """Return the shared quotes, none where they are not here."""
    folder = Path(os.environ.get("PINCITE_SHARED", Path(__file__).resolve().parents[2] / "shared"))
    path = folder / "quotes" / "edited.jsonl"
    if not path.is_file():
        print("shared quotes are not here; quotes are made")
        return []
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [Edited(row["quote"], row["source"], tuple(row["gold"])) for row in rows]


def made(count: int, *, seed: int = 1) -> list[Edited]:
    """Return quotes with one to three edits from passages of about 2,000 code points of invented words."""
    random_ = random.Random(seed)
    lexicon = ["".join(random_.choices(SYLLABLES, k=random_.randint(1, 4))) for _ in range(4_000)]
    found: list[Edited] = []
    for _ in range(count):
        words = random_.choices(lexicon, k=300)
        for index in range(0, len(words), 15):
            words[index] = words[index].title()
            words[index - 1] += "."
        first = random_.randint(20, 200)
        size = random_.randint(18, 40)
        quote = words[first : first + size]
        for _ in range(random_.randint(1, 3)):
            at = random_.randrange(1, len(quote) - 1)
            edit = random_.choice(("add", "drop", "type", "case"))
            if edit == "add":
                quote.insert(at, random_.choice(ADDED))
            elif edit == "drop":
                del quote[at]
            elif edit == "case":
                quote[at] = quote[at].swapcase()
            else:
                quote[at] = quote[at][:-1] + random_.choice("aeiou")
        start = len(" ".join(words[:first])) + 1
        gold = start, start + len(" ".join(words[first : first + size]))
        found.append(Edited(" ".join(quote), " ".join(words), gold))
    return found


def edlib_time(quotes: Sequence[Edited], rounds: int) -> float | None:
    """Return how long edlib takes to place the quotes; None where it is not installed."""
    try:
        align: Callable[..., object] = import_module("edlib").align
    except ImportError:
        return None

    def place() -> None:
        for quote, source in plain:
            align(quote, source, mode="HW", task="locations")

    # It knows 256 different characters and no more.
    plain = [(one.quote.encode("ascii", "replace"), one.source.encode("ascii", "replace")) for one in quotes]
    (seconds,) = best_of(rounds, place)
    return seconds


def overlap(check: object, gold: tuple[int, int]) -> float:
    """Return intersection over union of a check's span and the gold one."""
    start, end = getattr(check, "start", None), getattr(check, "end", None)
    if start is None or end is None:
        return 0.0
    inside = max(0, min(end, gold[1]) - max(start, gold[0]))
    return inside / (max(end, gold[1]) - min(start, gold[0]))


def median_ms(rounds: int, work: Callable[[], object]) -> float:
    """Return the median time of a piece of work, in milliseconds."""
    times: list[float] = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times) * 1e3


def best_of(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Return the shortest time of each piece of work, in seconds; they take turns."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for index, work in enumerate(works):
            began = time.perf_counter()
            work()
            best[index] = min(best[index], time.perf_counter() - began)
    return best


if __name__ == "__main__":
    sys.exit(main())
