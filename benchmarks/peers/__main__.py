"""Run the comparisons with other packages, and write their tables into `docs/comparison.md`: `make peers`.

Each comparison is a file of this folder with a function `main` that prints its section. Naming some as arguments runs
only those. One whose data is absent leaves its section as it is; one that breaks too, and the exit code says so.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

from benchmarks.peers.tables import ROOT

COMPARISONS = ("quotes", "markers", "providers", "boxes")
PAGE = ROOT / "docs" / "comparison.md"
ABSENT = 3
"""The exit code of a comparison whose data is not here."""


def main(wanted: list[str]) -> int:
    """Run the comparisons and write the page; return 1 when one broke."""
    broken = 0
    for name in COMPARISONS:
        if wanted and name not in wanted:
            continue
        print(f"== {name}", flush=True)
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.peers.{name}"],
            check=False,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        if done.returncode:
            print(
                f"{name}: {'not run' if done.returncode == ABSENT else 'broke'}, its section stays as it is"
            )
            broken |= done.returncode != ABSENT
            continue
        print(done.stdout, flush=True)
        write(name, done.stdout.strip())
        write("machine", machine())
    return int(broken)


def write(name: str, text: str) -> None:
    """Put a section between its marks in the page."""
    begin, end = f"<!-- {name}: made by `make peers` -->", f"<!-- end of {name} -->"
    before, mark, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    assert mark, f"docs/comparison.md has no mark for {name}"
    after = rest.partition(end)[2]
    PAGE.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def machine() -> str:
    """Return what the figures were taken on."""
    model = platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        lines = info.read_text(encoding="utf-8").splitlines()
        model = next(
            (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model
        )
    return (
        f"Taken on {os.cpu_count()} cores of {model}, {platform.system()}, Python {platform.python_version()}."
        " Other work may have run on the machine. The works take turns, so the ratios hold better than the times."
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
