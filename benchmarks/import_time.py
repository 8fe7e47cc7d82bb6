"""What the base install costs to import: `python benchmarks/import_time.py`.

A child process imports the base packages, another does nothing; both are started in turn, so that other load falls on
both alike. The difference of the medians is the import.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

BAR_MS = 150
RUNS = 15
STATEMENT = "import pincite.citing, pincite.checking, pincite.showing"


def main() -> None:
    """Print the medians, their ratio, and the difference beside its bar."""
    for statement in ("pass", STATEMENT):
        milliseconds(statement)  # fills the caches of bytecode and files
    bare: list[float] = []
    full: list[float] = []
    for _ in range(RUNS):
        bare.append(milliseconds("pass"))
        full.append(milliseconds(STATEMENT))
    low, high = statistics.median(bare), statistics.median(full)
    print(f"bare python     {low:6.1f} ms")
    print(f"base packages   {high:6.1f} ms, {high / low:.2f} times as long")
    print(f"base import     {high - low:6.1f} ms   (bar {BAR_MS})")


def milliseconds(statement: str) -> float:
    """Return how long a new interpreter takes to run `statement` and end."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
