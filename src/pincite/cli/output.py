"""What the command line prints: prose and tables for people, JSON for programs, one sentence for an error."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pincite.core.errors import InputError
from pincite.core.files import refusal_of
from pincite.core.text import UNSEEN, one_line

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

    from rich.progress import Progress


class ExitCode(IntEnum):
    """How a command ends."""

    OK = 0
    FAULTS = 1
    USAGE = 2
    NOT_FOUND = 3
    STOPPED = 130


NARROW: Final = 90
"""Columns of a terminal below which a table leaves out what can be had otherwise."""

STYLES: Final = {
    "ready": "green",
    "unchanged": "dim",
    "flagged": "yellow",
    "failed": "red",
    "valid": "green",
    "not_fetched": "red",
    "unavailable": "red",
    "malformed": "red",
    "never_issued": "red",
    "supported": "green",
    "weak": "yellow",
    "partial": "yellow",
    "unsupported": "yellow",
    "contradicted": "red",
    "verbatim": "green",
    "typographic": "green",
    "elided": "green",
    "altered": "red",
    "truncated": "red",
    "elsewhere": "yellow",
    "absent": "red",
}
"""The colour of a word that is a status or a verdict."""

CUT: Final = "sentence"
"""The column that is cut where it does not fit; every other is wrapped."""

# Columns between two cells, the fewest that are worth a cut sentence, and those of a cell that is never wrapped.
_GAP: Final = 2
_LEAST: Final = 20
_SHORT: Final = 12
# Code points of one cell; the rest is cut.
_LONGEST_CELL: Final = 200
# Control and invisible characters other than the line end: linear, one class.
_UNSEEN: Final = re.compile(f"[\t{UNSEEN}]")
# The same in JSON, with lone surrogates, which cannot be written: linear, one class.
_UNSEEN_IN_JSON: Final = re.compile(f"[{UNSEEN}\ud800-\udfff]")


class Output:
    """Where a command writes. In a pipe there is no colour, no frame, no progress and nothing is cut."""

    __slots__ = ("err", "json", "out")

    def __init__(self, *, as_json: bool = False) -> None:
        self.json = as_json
        self.out = _console(sys.stdout)
        self.err = _console(sys.stderr)

    def data(self, value: object) -> None:
        """Write a JSON value, indented, and flush it."""
        self._raw(_json(value, indent=2))

    def line(self, value: object) -> None:
        """Write a JSON value on one line and flush it."""
        self._raw(_json(value))

    def _raw(self, text: str) -> None:
        self.out.file.write(text + "\n")
        self.out.file.flush()

    def say(self, text: str | Text = "", style: str = "") -> None:
        """Write a paragraph for people; nothing with `--json`."""
        if not self.json:
            self.out.print(printable(text) if isinstance(text, str) else text, style=style or None)

    def note(self, text: str) -> None:
        """Write a remark that is no result to standard error; nothing with `--json`."""
        if not self.json:
            self.err.print(Text(printable(text), style="dim"))

    def table(
        self, head: Sequence[str], rows: Iterable[Sequence[str]], *, narrow: Sequence[str] = ()
    ) -> None:
        """Write a table for people; nothing with `--json`.

        On a terminal of less than `NARROW` columns only the columns that `narrow` names are shown.
        """
        if self.json:
            return
        cells = [[one_line(cell, _LONGEST_CELL) for cell in row] for row in rows]
        if self.out.is_terminal:
            if narrow and self.out.width < NARROW:
                kept = [place for place, name in enumerate(head) if name in narrow]
                head = [head[place] for place in kept]
                cells = [[row[place] for place in kept] for row in cells]
            self.out.print(_framed(head, cells, self.out.width))
        else:
            for line in _aligned([list(head), *cells]):
                self.out.print(line)

    @contextmanager
    def progress(self) -> Generator[Progress | None]:
        """Give a progress bar that stands while the block runs, or None where nobody would see it."""
        console = self.err if self.json else self.out
        if not (console.is_terminal and self.err.is_terminal):
            yield None
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn())
        bars = Progress(*columns, console=console, transient=True)
        with bars:
            yield bars


def write_file(path: Path, text: str, *, field: str) -> None:
    """Write a text to a file of the caller's, in UTF-8.

    Raises:
        InputError: the system refuses; `field` names the option.
    """
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        msg = f"The file cannot be written: {refusal_of(error)}."
        raise InputError(msg, field=field) from error


def printable(text: str) -> str:
    """Return `text` without what could steer a terminal; line ends stay."""
    return _UNSEEN.sub(" ", text)


def _json(value: object, *, indent: int | None = None) -> str:
    """Return `value` as JSON in which what could steer a terminal is escaped."""
    written = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNSEEN_IN_JSON.sub(lambda found: json.dumps(found.group())[1:-1], written)


def worded(value: str) -> Text:
    """Return a status or verdict in its colour."""
    return Text(value, style=STYLES.get(value, ""))


def _console(file: TextIO | None) -> Console:
    # Python gives None for a stream that was closed before it began.
    stream = file if file is not None else Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - as long as the process
    terminal = stream.isatty()
    # In a pipe nothing is wrapped: a line of text stays a line.
    return Console(
        file=stream,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=not terminal,
        force_terminal=None if terminal else False,
    )


def _framed(head: Sequence[str], rows: list[list[str]], width: int) -> Table:
    """Return the table for a terminal of `width` columns: ids stay whole, the rest wraps, `CUT` gets what is left."""
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style="bold", expand=False)
    columns = list(zip(head, *rows, strict=True))
    longest = [max(map(cell_len, column)) for column in columns]
    left = width - sum(size + _GAP for name, size in zip(head, longest, strict=True) if name != CUT)
    shown = [place for place, name in enumerate(head) if name != CUT or left >= _LEAST]
    for place in shown:
        name, *cells = columns[place]
        numbers = bool(cells) and all(cell.isdecimal() or not cell for cell in cells)
        whole = longest[place] <= _SHORT
        table.add_column(
            name,
            justify="right" if numbers else "left",
            no_wrap=whole or name == CUT,
            min_width=longest[place] if whole else None,
            max_width=left if name == CUT else None,
            overflow="ellipsis" if name == CUT else "fold",
        )
    for row in rows:
        table.add_row(*(worded(row[place]) for place in shown))
    return table


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def error_data(code: str, message: str, field: str | None) -> dict[str, Any]:
    """Return the one error shape of every door."""
    return {"error": {"code": code, "message": message, "field": field}}
