"""What the base install costs to import: `python benchmarks/import_time.py`.

Child processes import the packages or do nothing; they are started in turn, so that other load falls on all alike. The
difference of the medians is the import.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

BAR_MS = 150
RUNS = 15
STATEMENTS = {
    "bare python": "pass",
    "to cite and check": "import pincite.citing, pincite.checking",
    "to show as well": "import pincite.citing, pincite.checking, pincite.showing",
}


def main() -> None:
    """Print the medians, and what the base import adds to a bare Python beside its bar."""
    taken: dict[str, list[float]] = {what: [] for what in STATEMENTS}
    for statement in STATEMENTS.values():
        milliseconds(statement)  # fills the caches of bytecode and files
    for _ in range(RUNS):
        for what, statement in STATEMENTS.items():
            taken[what].append(milliseconds(statement))
    medians = {what: statistics.median(times) for what, times in taken.items()}
    bare = medians["bare python"]
    for what, median in medians.items():
        print(f"{what:<18} {median:6.1f} ms, {median / bare:.2f} times a bare start")
    print(f"base import: {medians['to cite and check'] - bare:.1f} ms (bar {BAR_MS})")


def milliseconds(statement: str) -> float:
    """Return how long a new interpreter takes to run `statement` and end."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
