"""`pincite add`: files and folders into a collection, one result a file."""

from __future__ import annotations

import math
import os
import signal
import threading
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pincite.cli.embedding import Embedding
from pincite.cli.options import AsJson, InCollection, InLibrary
from pincite.cli.output import STYLES, ExitCode, Output
from pincite.cli.workspace import Workspace
from pincite.core.bibliography import Author, Bibliography
from pincite.core.errors import InputError
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from rich.progress import Progress, TaskID

    from pincite.library.ingest import AddEvent, AddResult
    from pincite.reading.web import Fetcher

# Code points of a file's name, and of what is said about it.
_NAME, _SENTENCE = 200, 300


class Chunking(StrEnum):
    """What a search row carries: the passage alone, or the section around it."""

    FLAT = "flat"
    HIERARCHICAL = "hierarchical"


def add(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH|URL...",
            help="Files and folders, pages of the web, or the map of a site (`https://.../sitemap.xml`).",
            show_default=False,
        ),
    ],
    *,
    source_uri: Annotated[
        str | None,
        typer.Option("--source-uri", metavar="URI", help="Where the one file or folder has its home."),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option("--title", metavar="TEXT", help="The title of the one file, in place of its own."),
    ] = None,
    author: Annotated[
        list[str] | None,
        typer.Option(
            "--author",
            metavar="NAME",
            help="Who wrote it: `Family, Given`, or an institution as a whole; once for each author.",
        ),
    ] = None,
    issued: Annotated[
        str | None,
        typer.Option("--issued", metavar="DATE", help="When it was issued: 2026, 2026-03 or 2026-03-18."),
    ] = None,
    publisher: Annotated[
        str | None, typer.Option("--publisher", metavar="TEXT", help="Who published it.")
    ] = None,
    container_title: Annotated[
        str | None,
        typer.Option(
            "--container-title", metavar="TEXT", help="The journal, book or site that it is part of."
        ),
    ] = None,
    doi: Annotated[str | None, typer.Option("--doi", metavar="DOI", help="Its DOI.")] = None,
    language: Annotated[
        str | None, typer.Option("--language", metavar="TAG", help="Its language, such as en or de-CH.")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--type", metavar="TYPE", help="What it is, as CSL names it: book, report, article-journal, ..."
        ),
    ] = None,
    chunking: Annotated[
        Chunking | None,
        typer.Option(
            "--chunking", help="What search rows of the collection carry: passages or whole sections."
        ),
    ] = None,
    score_threshold: Annotated[
        str | None,
        typer.Option(
            "--score-threshold",
            metavar="NUMBER|default",
            help="The score, 0 to 1, from which rows of the collection are `supported`.",
        ),
    ] = None,
    collection: InCollection = None,
    library: InLibrary = None,
    as_json: AsJson = False,
    as_jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Print one line of JSON a file, as soon as it is done.")
    ] = False,
) -> None:
    """Add files, whole folders and pages of the web.

    What is there already is left alone; a stopped run can be run again.
    """
    output = Output(as_json=as_json or as_jsonl)
    given: dict[str, Any] = {
        "type": kind,
        "author": tuple(map(Author.of, author or ())),
        "issued": issued,
        "publisher": publisher,
        "container_title": container_title,
        "doi": doi,
        "language": language,
    }
    names = _Names(source_uri, title, Bibliography(**{name: value for name, value in given.items() if value}))
    stop = threading.Event()
    results: list[AddResult] = []
    with Workspace(collection, library) as work, output.progress() as bars, _stopping(stop, output, bars):
        _set_collection(work, chunking, score_threshold)
        board = _Board(bars)
        with Embedding(work.library, stop, board.embedded) as embedding:
            for result in _results(work, paths, names, board, stop):
                results.append(result)
                if as_jsonl:
                    output.line(result.as_dict())
                elif not as_json:
                    _print(output, result)
                embedding.more()
    if as_json and not as_jsonl:
        output.data([result.as_dict() for result in results])
    if embedding.problem is not None:
        output.note(f"Found by words only for now: {embedding.problem}")
    raise typer.Exit(_summary(output, results, stopped=stop.is_set()))


def _set_collection(work: Workspace, chunking: Chunking | None, score_threshold: str | None) -> None:
    """Give the collection what was asked for; it holds from the next search on.

    Raises:
        InputError: the threshold is no score of the reranker.
    """
    if score_threshold is not None:
        bar, reranker = _bar(work, score_threshold)
        work.library.set_collection(work.collection().collection_id, score_threshold=bar, reranker=reranker)
    if chunking is not None:
        work.library.set_collection(work.collection().collection_id, chunking=chunking.value)


def _bar(work: Workspace, written: str) -> tuple[float, str] | tuple[None, None]:
    """Return the bar with the name of the reranker that it counts for; twice None for `default`."""
    if written == "default":
        return None, None
    reranker = work.search.reranker
    if reranker is None:
        msg = "Without a reranker nothing is scored, so there is no threshold to set."
        raise InputError(msg, field="score_threshold")
    lowest, highest = reranker.scale
    try:
        bar = float(written)
    except ValueError:
        bar = math.nan
    if not lowest <= bar <= highest:
        msg = f"A score threshold is a number from {lowest:g} to {highest:g}, or `default`."
        raise InputError(msg, field="score_threshold")
    return bar, reranker.name


class _Names(NamedTuple):
    """What is said of the files, before what they say of themselves."""

    source_uri: str | None
    title: str | None
    bibliography: Bibliography


def _results(
    work: Workspace,
    paths: list[str],
    names: _Names,
    board: _Board,
    stop: threading.Event,
) -> Iterator[AddResult]:
    from pincite.library.ingest import add_paths
    from pincite.library.plan import is_address
    from pincite.search import MiniLM

    return add_paths(
        work.library,
        work.collection(),
        paths,
        pool=work.pool,
        counter=MiniLM(),
        fetcher=_fetcher(work) if any(map(is_address, paths)) else None,
        on_progress=board.heard,
        stop=stop,
        source_uri=names.source_uri,
        title=names.title,
        bibliography=names.bibliography,
    )


def _fetcher(work: Workspace) -> Fetcher:
    from pincite.reading.web import Fetcher, networks

    return Fetcher(limits=work.limits, allow=networks(work.settings.web_allow or ""))


def _print(output: Output, result: AddResult) -> None:
    from rich.text import Text

    line = Text(f"{result.status:<9}  ", style=STYLES.get(result.status, ""))
    line.append(one_line(result.file, _NAME), style="default")
    line.append(f"  {one_line(_said(result), _SENTENCE)}", style="dim")
    output.say(line)


def _said(result: AddResult) -> str:
    if result.status == "failed":
        name = result.file.rpartition("/")[2]
        why = (result.message or "").removeprefix(f"{name} is {result.reason}: ")
        return f"{result.reason}: {why}" if why else str(result.reason)
    counts = [_count(result.pages, "page")] if result.pages else []
    counts.append(_count(result.passages, "passage"))
    if result.flags:
        flag, more = result.flags[0], len(result.flags) - 1
        counts.append(f"page {flag.page}: {flag.reason}" if flag.page is not None else flag.reason)
        counts += [f"{_count(more, 'more remark')}"] if more else []
    if result.note is not None:
        counts.append(result.note)
    return ", ".join(counts)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _summary(output: Output, results: list[AddResult], *, stopped: bool) -> ExitCode:
    failed = sum(result.status == "failed" for result in results)
    if stopped:
        output.note("Stopped. What is printed is kept; the same command goes on from here.")
        return ExitCode.STOPPED
    if not results:
        output.note("There is no file there.")
    elif output.out.is_terminal:
        kept = len(results) - failed
        output.note(f"{_count(kept, 'file')} in the library" + (f", {failed} failed." if failed else "."))
    return ExitCode.FAULTS if failed else ExitCode.OK


class _Board:
    """Two bars: files read, passages embedded. Without bars it hears and shows nothing."""

    __slots__ = ("_bars", "_reading", "_vectors")

    def __init__(self, bars: Progress | None) -> None:
        self._bars = bars
        self._reading: TaskID | None = None
        self._vectors: TaskID | None = None

    def heard(self, event: AddEvent) -> None:
        """Move the first bar."""
        from pincite.library.ingest import FileDone, FileStarted

        if self._bars is None:
            return
        if self._reading is None:
            self._reading = self._bars.add_task("reading files")
        if isinstance(event, FileStarted):
            name = one_line(event.file.rpartition("/")[2], _SHORT_NAME)
            self._bars.update(self._reading, total=event.total, description=f"reading {name:<{_SHORT_NAME}}")
        elif isinstance(event, FileDone):
            self._bars.advance(self._reading)

    def embedded(self, done: int, total: int) -> None:
        """Move the second bar."""
        if self._bars is None:
            return
        if self._vectors is None:
            self._vectors = self._bars.add_task(f"{'learning meanings':<{_SHORT_NAME + 8}}")
        self._bars.update(self._vectors, completed=done, total=total)


# Code points of a file's name in the bar.
_SHORT_NAME = 24


@contextmanager
def _stopping(stop: threading.Event, output: Output, bars: Progress | None) -> Generator[None]:
    """Let Ctrl-C end the run cleanly; a second one ends the process, which loses nothing that was printed."""

    def on_interrupt(_number: int, _frame: object) -> None:
        if stop.is_set():
            if bars is not None:
                bars.stop()
            os._exit(ExitCode.STOPPED)
        stop.set()
        said = "Stopping after the files that have begun; Ctrl-C again stops at once."
        if bars is not None:
            bars.console.print(said, style="dim")
        else:
            output.note(said)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
