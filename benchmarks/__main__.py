"""Run every benchmark in a process of its own, then print what was measured beside its bar: `make bench`.

A benchmark is a file in this folder with a function `main`. A line it prints that ends in `(bar <number>)` goes into
the table: a name, the figure, a unit where it is no ratio. Naming benchmarks as arguments runs only those.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# A measured line: a name, a figure, perhaps a unit, and its bar at the end. Matched line by line, which are short.
MEASURED = re.compile(
    r"^(?P<what>\S.*?)[ :]+(?P<figure>[\d,.]*\d) ?(?P<unit>[A-Za-z/]*)\s*\(bar (?P<bar>[\d,.]*\d)[^)]*\)$"
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure of one benchmark, in `unit` (a ratio when empty), and the most it may be."""

    benchmark: str
    what: str
    figure: float
    unit: str
    bar: float

    def row(self) -> str:
        """Return the figure as a line of the table."""
        mark = "ok" if self.figure <= self.bar else "OVER"
        unit = self.unit or "x"
        name = f"{self.benchmark}: {self.what}"
        return f"{name:<58} {self.figure:>8.2f} {unit:<3} bar {self.bar:>7g}  {mark}"


def main(wanted: list[str]) -> int:
    """Run the benchmarks; return 1 when one of them broke. A figure over its bar is marked, and is no failure."""
    names = sorted(file.stem for file in FOLDER.glob("*.py") if not file.stem.startswith("_"))
    measured: list[Measured] = []
    broken: list[str] = []
    for name in names:
        if wanted and name not in wanted:
            continue
        print(f"== {name}", flush=True)
        program = f"import sys; from benchmarks.{name} import main; main(); sys.stdout.flush()"
        done = subprocess.run(
            [sys.executable, "-c", program], check=False, stdout=subprocess.PIPE, text=True, cwd=FOLDER.parent
        )
        print(done.stdout, flush=True)
        broken += [name] if done.returncode else []
        measured += figures(name, done.stdout)
    print("== measured")
    for figure in measured:
        print(figure.row())
    for name in broken:
        print(f"{name}: broke, see above")
    return 1 if broken else 0


def figures(name: str, printed: str) -> list[Measured]:
    """Return what the lines of a benchmark measured."""
    found = (MEASURED.match(line.strip()) for line in printed.splitlines())
    return [
        Measured(name, m["what"], number(m["figure"]), m["unit"].removesuffix("x"), number(m["bar"]))
        for m in found
        if m is not None
    ]


def number(text: str) -> float:
    """Return a printed number, which may have commas."""
    return float(text.replace(",", ""))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
