"""Time what one call over MCP costs of a client's kept ledger, by how much it has received: `make bench`.

A fetch of 20 ids loads what is kept of these 20 and adds what is new, in rows of their own: it costs the same, some
7 ms in all on two shared cores, whether the client has received nothing or 10,000 or 100,000 passages. When a ledger
was one value, the same took 0.26 s at 10,000 and 3.9 s at 100,000. A check, which may need any of it, loads the whole:
some 0.4 s at 10,000. Nothing is kept in the process between calls, since another node may add to a ledger at any time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.core.ids import SpanEvidenceId, foreign_id, version_of
from pincite.core.ledger import Fetched, Ledger
from pincite.library import Library, LibraryLedgers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SIZES = (0, 10_000)
IDS = 20
ROUNDS = 7
DOCUMENT, VERSION = foreign_id("a document"), version_of("one version")
FETCH_MS, AGAINST_EMPTY, WHOLE_MS = 50.0, 3.0, 1_000.0


def name(number: int) -> str:
    """Return the evidence id of a short span."""
    return str(SpanEvidenceId(DOCUMENT, VERSION, number * 10, number * 10 + 5))


def received(numbers: Iterable[int]) -> Ledger:
    """Return a ledger of some spans."""
    ledger = Ledger()
    for number in numbers:
        ledger.record(Fetched(name(number)))
    return ledger


def main() -> int:
    """Print the figures; the exit code says whether one is over its bar."""
    over = False
    best: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder, Library.open(Path(folder)) as library:
        store = LibraryLedgers(library)
        for size in SIZES:
            client = f"a client with {size}"
            store.save_sync(client, received(range(size)))
            best[size] = min(timed(lambda n=n, c=client: fetch(store, c, n)) for n in range(ROUNDS))
            over |= figure(f"a fetch of {IDS} ids, of {size:,} received", best[size] * 1e3, FETCH_MS, "ms")
        over |= figure("the longer against the empty", best[SIZES[-1]] / best[SIZES[0]], AGAINST_EMPTY)
        whole = min(timed(lambda: store.load_sync(f"a client with {SIZES[-1]}")) for _ in range(ROUNDS))
        over |= figure(f"a ledger of {SIZES[-1]:,} loaded whole", whole * 1e3, WHOLE_MS, "ms")
    return int(over)


def fetch(store: LibraryLedgers, client: str, turn: int) -> None:
    """Do what a fetch does with the ledger: load what is kept of some ids, and add them."""
    numbers = range(1_000_000 + turn * IDS, 1_000_000 + (turn + 1) * IDS)
    store.load_sync(client, [name(number) for number in numbers])
    store.save_sync(client, received(numbers))


def timed(work: Callable[[], object]) -> float:
    """Return how long a piece of work takes, in seconds."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def figure(what: str, value: float, bar: float, unit: str = "") -> bool:
    """Print one measured line; say whether it is over its bar."""
    print(f"{what}: {value:.2f} {unit}{' ' if unit else ''}(bar {bar:g})")
    return value > bar


if __name__ == "__main__":
    sys.exit(main())
