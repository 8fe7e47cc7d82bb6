"""What the comparisons of this folder share: where the data is, how time is taken, and how a table is written."""

from __future__ import annotations

import gc
import os
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROOT = Path(__file__).resolve().parents[2]


class AbsentError(Exception):
    """Data that a comparison is made on is not here; the table that stands in the page stays as it is."""


def shared(name: str) -> Path:
    """Return a folder of the shared data: of `PINCITE_SHARED`, else of `shared` beside the project.

    Raises:
        AbsentError: it is not there.
    """
    folder = Path(os.environ.get("PINCITE_SHARED") or ROOT.parent / "shared") / name
    if not folder.is_dir():
        msg = f"the shared folder `{name}` is absent; set PINCITE_SHARED"
        raise AbsentError(msg)
    return folder


def named(package: str) -> str:
    """Return a package with the version that was run."""
    return f"`{package}` {version(package)}"


def best_in_turns(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Return the shortest time of each piece of work, in seconds; they take turns, so other load falls on all alike."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for index, work in enumerate(works):
            gc.collect()
            began = time.perf_counter()
            work()
            best[index] = min(best[index], time.perf_counter() - began)
    return best


def print_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a Markdown table."""
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")
    print()


def print_list(title: str, lines: Iterable[str]) -> None:
    """Print a list under a line of its own."""
    print(f"{title}\n")
    for line in lines:
        print(f"- {line}")
    print()


def times(seconds: float, ours: float) -> str:
    """Return how many times as long as ours something took."""
    ratio = seconds / ours
    return f"{ratio:,.0f}×" if ratio >= 10 else f"{ratio:.1f}×" if ratio >= 1 else f"{ratio:.2f}×"


def counted(names: Sequence[str], most: int = 10) -> str:
    """Return names as they are listed, the first few where there are many."""
    if not names:
        return "none"
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"`{name}`" for name in names[:most]) + rest
