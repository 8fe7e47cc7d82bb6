"""The command line as a whole: help, errors, codes, pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from pincite._version import __version__
from pincite.cli import main as main_module
from pincite.cli.main import COMMANDS, main
from pincite.core.errors import NotFoundError, StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite

RUN = [sys.executable, "-c", "from pincite.cli import run; run()"]


def shell(*argv: str, home: Path, prefix: str = "") -> subprocess.CompletedProcess[str]:
    """Run the console script's function in a process of its own."""
    code = f"{prefix}from pincite.cli import run; run()"
    return subprocess.run(
        [sys.executable, "-c", code, *argv],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PINCITE_HOME": str(home)},
    )


def test_version(pincite: Pincite) -> None:
    """`--version` prints name and version."""
    assert pincite("--version").out == f"pincite {__version__}\n"


@pytest.mark.parametrize("argv", [(), ("--help",), ("-h",)])
def test_help_names_every_command(pincite: Pincite, argv: tuple[str, ...]) -> None:
    """Without a command, the help is printed too."""
    done = pincite(*argv)
    assert done.code == 0
    for command in COMMANDS:
        assert f"\n  {command.__name__} " in done.out
    assert "Exit codes" in done.out


@pytest.mark.parametrize("name", [command.__name__ for command in COMMANDS])
def test_every_command_has_help(pincite: Pincite, name: str) -> None:
    """Each says what it does, and nothing of another tool's form shows through."""
    done = pincite(name, "--help")
    assert done.code == 0
    assert f"pincite {name} " in done.out
    assert len(done.out.splitlines()[2].strip()) > 20


@pytest.mark.parametrize(
    "argv",
    [
        ("bogus",),
        ("ask",),
        ("ask", "x", "--nope"),
        ("show", "x", "--mode", "no"),
        ("search", "x", "-n", "0"),
        ("--x",),
    ],
)
def test_wrong_use_is_one_sentence(pincite: Pincite, argv: tuple[str, ...]) -> None:
    """Code 2, one line on standard error, nothing on standard output; JSON when asked for."""
    done = pincite(*argv)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("pincite: ")
    assert done.err.count("\n") == 1
    as_json = pincite(*argv, "--json")
    assert as_json.code == 2
    assert as_json.err == ""
    assert set(as_json.data["error"]) == {"code", "message", "field"}


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (NotFoundError("Not there."), 3, "Not there."),
        (StoreError("The disk is full."), 1, "The disk is full."),
        (
            OSError(28, "No space left on device", "/secret/path"),
            1,
            "The system refused: no space left on device.",
        ),
        (RuntimeError("odd\nlines"), 1, "Something went wrong inside pincite (RuntimeError: odd lines)."),
        (KeyboardInterrupt(), 130, "Stopped."),
        (BrokenPipeError(), 0, ""),
    ],
)
def test_errors_become_sentences_and_codes(
    pincite: Pincite, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, says: str
) -> None:
    """Whatever a command raises, nobody sees a traceback or a path."""

    def fail(_argv: list[str]) -> int:
        raise error

    monkeypatch.setattr(main_module, "_run", fail)
    monkeypatch.setattr(main_module, "_drop_stdout", lambda: None)
    done = pincite("ls")
    assert done.code == code
    assert done.err == (f"pincite: {says}\n" if says else "")
    if says:
        assert pincite("ls", "--json").data["error"]["message"] == says


@pytest.mark.parametrize("setting", ["PINCITE_HOME", "PINCITE_LIMIT_PAGES", "PINCITE_LIMIT_NOPE"])
def test_a_bad_setting_is_named(pincite: Pincite, monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    """Code 2 and the setting's name."""
    monkeypatch.setenv(setting, "")
    done = pincite("ls")
    assert done.code == 2
    assert setting in done.err


def test_a_home_that_cannot_be_made(
    pincite: Pincite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file where the folder should be is named by its setting, not by its path."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "file" / "deep"))
    done = pincite("ls")
    assert done.code == 2
    assert "PINCITE_HOME" in done.err
    assert str(tmp_path) not in done.err


def test_a_new_home_is_its_owners_alone(
    pincite: Pincite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nobody else on the machine can read what is kept."""
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "deep" / "home"))
    assert pincite("ls").code == 0
    assert (tmp_path / "deep" / "home").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("argv", [("ask", "x"), ("search", "x")])
def test_an_empty_library_says_what_to_do(pincite: Pincite, argv: tuple[str, ...]) -> None:
    """Code 3, and the command that adds documents."""
    done = pincite(*argv)
    assert done.code == 3
    assert "`pincite add PATH`" in done.err


def test_nothing_of_a_closed_output_shows(tmp_path: Path) -> None:
    """A reader that leaves early, and a closed standard output, are no errors."""
    env = {**os.environ, "PINCITE_HOME": str(tmp_path)}
    for line in ('"$@" --help | head -n 1; exit "${PIPESTATUS[0]}"', '"$@" --help >&-', '"$@" ls --json >&-'):
        done = subprocess.run(
            ["bash", "-c", line, "bash", *RUN],
            capture_output=True,
            text=True,
            check=False,
            env=env,
            timeout=120,
        )
        assert done.returncode == 0, (line, done.stderr)
        assert done.stderr == "", line


def test_without_the_extra_it_names_the_command(tmp_path: Path) -> None:
    """Without rich, the console script says what to install and ends with 2."""
    done = shell("ls", home=tmp_path, prefix="import sys; sys.modules['rich'] = None; ")
    assert done.returncode == 2
    assert done.stderr == "pincite: the command line needs the extra `cli`: pip install 'pincite[cli]'.\n"


@pytest.mark.parametrize(("module", "extra"), [("sqlalchemy", "search"), ("pydantic_ai", "agents")])
def test_a_missing_part_names_its_extra(kept_home: Path, module: str, extra: str) -> None:
    """Commands whose parts are missing say which extra brings them."""
    done = shell("ask", "How much?", home=kept_home, prefix=f"import sys; sys.modules[{module!r}] = None; ")
    assert done.returncode == 2
    assert f"pip install 'pincite[{extra}]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_warnings_and_logs_of_others_stay_off(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    """What libraries warn and log never reaches the terminal."""
    import logging
    import warnings

    def noisy(_argv: list[str]) -> int:
        warnings.warn("old", DeprecationWarning, stacklevel=1)
        logging.getLogger("somebody").error("boom")
        return 0

    monkeypatch.setattr(main_module, "_run", noisy)
    done = pincite("ls")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    """`--help` is quick because none of the rooms is imported for it."""
    heavy = ("pydantic", "sqlalchemy", "numpy", "tantivy", "faiss", "fastapi", "PIL", "asyncio")
    code = (
        "import sys\nfrom pincite.cli.main import main\nmain(['--help'])\n"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PINCITE_HOME": str(tmp_path)},
    )
    assert done.stderr.strip() == "[]"


def test_main_returns_and_never_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Odd words on the command line end in a code."""
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path))
    for argv in (["\x00"], ["--", "ls"], ["ls", "\ud800"], ["show", "[bold]x[/bold]"], ["search", " "]):
        assert main(argv) in {0, 1, 2, 3}
