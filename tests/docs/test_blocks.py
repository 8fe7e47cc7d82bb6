"""What the documentation shows, runs: Python blocks in one namespace a page, `$ pincite` lines in one library a page.

A block that cannot run here says so and why in its fence: `no-run="needs a key of yours"`. Output shown under a command
is looked for in what the command prints; ids, refs and spacing may differ, a line of three dots stands for anything,
and `no-output="why"` leaves it unchecked. `exit="1"` is a command that is meant to find a fault.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if path.is_file()]
# What a fence may say after its language: `word="text"`, linear, bounded by its quotes.
OPTION = re.compile(r'([a-z-]+)="([^"]*)"')
KNOWN_OPTIONS = {"no-run", "no-output", "exit"}
# What differs from one library to the next: ids and refs (hex of 8 and more, with hyphens), linear.
ID = re.compile(r"\b[0-9a-f]{8}[0-9a-f-]*\b")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, what else its fence says, its text, and the line it begins on (0 is the first)."""

    language: str
    options: dict[str, str]
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page."""
    found: list[Block] = []
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        if token.type == "fence" and token.map:
            language, _, rest = token.info.strip().partition(" ")
            found.append(Block(language, dict(OPTION.findall(rest)), token.content, token.map[0] + 1))
    return found


def ids(page: Path) -> str:
    """Return the page's name from the project's root."""
    return page.relative_to(ROOT).as_posix()


def with_blocks(language: str) -> list[Path]:
    """Return the pages that have a block in `language`."""
    return [page for page in PAGES if any(block.language == language for block in blocks(page))]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of the examples, made the current one, and a library of its own beside it."""
    folder = tmp_path / "desk"
    folder.mkdir()
    if (ROOT / "examples").is_dir():
        shutil.copytree(ROOT / "examples", folder / "examples")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "library"))
    return folder


@pytest.mark.parametrize("page", PAGES, ids=ids)
def test_a_fence_says_only_what_is_known(page: Path) -> None:
    """Each option of a fence is one that these tests understand, and a block that is left out has a reason."""
    for block in blocks(page):
        assert set(block.options) <= KNOWN_OPTIONS, f"line {block.line}"
        assert all(reason.strip() for reason in block.options.values()), f"line {block.line}"


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("page", with_blocks("python"), ids=ids)
def test_python_blocks_run(page: Path) -> None:
    """The Python blocks of a page run one after another in one namespace, as a reader would type them."""
    namespace: dict[str, Any] = {"__name__": "docs"}
    for block in blocks(page):
        if block.language == "python" and "no-run" not in block.options:
            # Empty lines before the text make a traceback point at the page's own line.
            code = compile("\n" * block.line + block.text, str(page), "exec")
            exec(code, namespace)  # noqa: S102 - running them is the point


def commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Yield each `$` line of a console block, continued lines joined, with the lines of output shown under it."""
    line, shown = "", list[str]()
    for row in block.text.replace("\\\n", " ").split("\n"):
        if row.startswith("$ "):
            if line:
                yield line, shown
            line, shown = row[2:].strip(), []
        elif row.strip():
            shown.append(row)
    if line:
        yield line, shown


def masked(text: str) -> str:
    """Return `text` with ids and spacing made alike."""
    return " ".join(ID.sub("<id>", text).split())


def run(line: str) -> subprocess.CompletedProcess[str]:
    """Run a `pincite ...` line with this interpreter."""
    program = "from pincite.cli import run; run()"
    environ = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-c", program, *shlex.split(line, comments=True)[1:]],
        check=False,
        capture_output=True,
        text=True,
        env=environ,
        stdin=subprocess.DEVNULL,
        timeout=120,
    )


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("page", with_blocks("console"), ids=ids)
def test_console_blocks_run(page: Path) -> None:
    """The `$ pincite` lines of a page run in one library, which holds the examples unless the page adds first."""
    begun = False
    for block in blocks(page):
        if block.language != "console" or "no-run" in block.options:
            continue
        for line, shown in commands(block):
            if not line.startswith("pincite "):
                continue
            if not begun and not line.startswith("pincite add"):
                assert run("pincite add examples/").returncode == 0
            begun = True
            done = run(line)
            place = f"{ids(page)}, line {block.line}: {line}\n{done.stdout}\n{done.stderr}"
            assert done.returncode == int(block.options.get("exit", "0")), place
            if "no-output" not in block.options:
                printed = masked(done.stdout + done.stderr)
                absent = [
                    row for row in shown if row.strip() not in ("...", "…") and masked(row) not in printed
                ]
                assert absent == [], place
