"""The commands together, and the one place where errors become a sentence and an exit code."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import warnings
from typing import TYPE_CHECKING, Annotated, Final

import typer
from typer.main import get_command

from pincite.cli.add import add
from pincite.cli.ask import ask
from pincite.cli.check import check
from pincite.cli.dump import dump
from pincite.cli.eval import eval as eval_
from pincite.cli.export import export
from pincite.cli.load import load
from pincite.cli.ls import ls
from pincite.cli.mcp import mcp
from pincite.cli.migrate import migrate
from pincite.cli.output import ExitCode, Output, error_data
from pincite.cli.rm import rm
from pincite.cli.search import search
from pincite.cli.serve import serve
from pincite.cli.show import show
from pincite.core.errors import (
    InputError,
    MissingExtraError,
    NotFoundError,
    PinciteError,
)
from pincite.core.files import refusal_of
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

app = typer.Typer(
    name="pincite",
    help="Ask your documents, and see for every sentence of the answer where it stands.",
    add_completion=False,
    rich_markup_mode=None,
    invoke_without_command=True,
    epilog=(
        "The library stands in PINCITE_HOME. Exit codes: 0 ok, 1 faults found, 2 wrong use, 3 not found, "
        "130 stopped."
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

COMMANDS: Final[tuple[Callable[..., None], ...]] = (
    add, ls, search, ask, check, eval_, export, show, rm, serve, mcp, dump, load, migrate,
)  # fmt: skip
for _command in COMMANDS:
    app.command(_command.__name__)(_command)

# How an error ends the process; the first kind that fits.
_CODES: Final[tuple[tuple[type[PinciteError], ExitCode], ...]] = (
    (NotFoundError, ExitCode.NOT_FOUND),
    (InputError, ExitCode.USAGE),
    (MissingExtraError, ExitCode.USAGE),
)
# Code points of an error that is none of ours.
_LONGEST_REASON: Final = 300


def _print_version(value: bool) -> None:
    if value:
        from pincite._version import __version__

        Output().say(f"pincite {__version__}")
        raise typer.Exit


@app.callback()
def _root(  # pyright: ignore[reportUnusedFunction] - registered above
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 - its callback prints it
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Ask your documents, and see for every sentence of the answer where it stands."""
    if context.invoked_subcommand is None:
        Output().say(context.get_help())


def main(argv: Sequence[str]) -> int:
    """Run one command line (without the program's name) and return its exit code; nothing is raised."""
    as_json = any(word in ("--json", "--jsonl") for word in argv)
    with _quiet():
        try:
            code = _run(list(argv))
            _flush()
        except BrokenPipeError:
            _drop_stdout()
            return ExitCode.OK
        except (KeyboardInterrupt, typer.Abort):
            _complain("stopped", "Stopped.", None, as_json=as_json)
            return ExitCode.STOPPED
        except PinciteError as error:
            _complain(error.code, error.message, error.field, as_json=as_json)
            return _code_of(error)
        except Exception as error:  # noqa: BLE001 - a person gets a sentence, never a traceback
            return _unexpected(error, as_json=as_json)
        return code


def _code_of(error: PinciteError) -> ExitCode:
    kinds = [code for kind, code in _CODES if isinstance(error, kind)]
    return kinds[0] if kinds else ExitCode.FAULTS


def _run(argv: list[str]) -> int:
    command = get_command(app)
    try:
        with command.make_context("pincite", argv) as context:
            command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    return ExitCode.OK


def _unexpected(error: Exception, *, as_json: bool) -> int:
    usage = isinstance(error, typer.TyperException)
    if usage:
        # What checks an option's value says so in front of its sentence.
        message = error.format_message().replace(": Value error, ", ": ")
        _complain("usage", message, None, as_json=as_json)
        return ExitCode.USAGE
    if isinstance(error, OSError):
        _complain("system", f"The system refused: {refusal_of(error)}.", None, as_json=as_json)
        return ExitCode.FAULTS
    reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    _complain("internal", f"Something went wrong inside pincite ({reason}).", None, as_json=as_json)
    return ExitCode.FAULTS


def _complain(code: str, message: str, field: str | None, *, as_json: bool) -> None:
    """Say what went wrong: a sentence on standard error, or JSON on standard output."""
    sentence = one_line(message, _LONGEST_REASON)
    with contextlib.suppress(BrokenPipeError):
        output = Output(as_json=as_json)
        if as_json:
            output.line(error_data(code, sentence, field))
        else:
            output.err.print(f"pincite: {sentence}", style="red")


@contextlib.contextmanager
def _quiet() -> Generator[None]:
    """Keep warnings and log lines of other libraries off the terminal, and unprintable characters harmless."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    silent = logging.NullHandler()
    logging.getLogger().addHandler(silent)
    with warnings.catch_warnings():
        if not sys.warnoptions:
            warnings.simplefilter("ignore")
        try:
            yield
        finally:
            logging.getLogger().removeHandler(silent)


def _flush() -> None:
    if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison] - it is None when closed
        sys.stdout.flush()


def _drop_stdout() -> None:
    """Point standard output nowhere, so that the interpreter's last flush does not complain either."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
