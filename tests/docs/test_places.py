"""Everything public has its place in the documentation, and every link in it leads somewhere."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from pincite.core.limits import limits_table
from pincite.core.settings import SETTINGS

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "src" / "pincite"
PAGES = [
    *(path for name in ("README", "CONTRIBUTING", "SECURITY") if (path := ROOT / f"{name}.md").is_file()),
    *sorted((ROOT / "docs").rglob("*.md")),
]
PUBLIC = sorted(
    ".".join(init.parent.relative_to(PACKAGE.parent).parts)
    for init in PACKAGE.rglob("__init__.py")
    if not any(part.startswith("_") for part in init.parent.relative_to(PACKAGE).parts)
)
# The name that a requirement begins with: one class, linear.
REQUIRED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# What GitHub leaves out of a heading's anchor: everything but letters, digits, `_`, `-` and spaces; linear.
DROPPED = re.compile(r"[^\w\- ]")


@cache
def text_of(name: str) -> str:
    """Return a page of `docs/`."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("package", PUBLIC)
def test_every_public_name_has_its_place(package: str) -> None:
    """Each package has a page in the reference that its index leads to, and its names stand there in backticks."""
    assert f"]({package}.md)" in text_of("reference/index.md")
    page = text_of(f"reference/{package}.md")
    names: list[str] = importlib.import_module(package).__all__
    assert [name for name in names if f"`{name}`" not in page] == []


@pytest.mark.parametrize(
    "page", sorted((ROOT / "docs" / "reference").glob("pincite*.md")), ids=lambda page: page.stem
)
def test_every_public_name_says_what_it_is(page: Path) -> None:
    """No name in the reference stands there with its kind or signature alone."""
    entries = page.read_text(encoding="utf-8").split("\n## ")[1:]
    silent = [entry.partition("\n")[0] for entry in entries if not said_of(entry)]
    assert silent == []


def said_of(entry: str) -> str:
    """Return the prose of an entry of the reference: what is neither its name nor its signature, kind or members."""
    _, _, body = entry.partition("\n")
    parts = body.split("```")[::2]
    kinds = (
        "A constant,",
        "An alias:",
        "A kind of",
        "A protocol:",
        "Any of",
        "Values:",
        "- ",
        "Offered here as well",
    )
    lines = [line for part in parts for line in part.splitlines()]
    return "".join(line for line in lines if not line.startswith(kinds)).strip()


@pytest.mark.parametrize("name", [*SETTINGS, *(limit for limit, _, _ in limits_table())])
def test_every_setting_and_limit_has_its_place(name: str) -> None:
    """Each setting and each limit is a row of the settings page."""
    assert f"| `{name}` |" in text_of("settings.md")


def commands() -> dict[str, Any]:
    """Return the commands of the command line, by name."""
    from typer.main import get_command

    from pincite.cli.main import app

    root: Any = get_command(app)
    return dict(root.commands)


def test_every_command_and_option_has_its_place() -> None:
    """Each command has a heading in the page of commands, and each of its options stands under it with its help."""
    text = text_of("cli.md")
    missing: list[str] = []
    for name, command in commands().items():
        section = text.partition(f"## `pincite {name}`\n")[2].partition("\n## `")[0]
        missing += [] if section else [name]
        for parameter in command.params:
            if parameter.param_type_name == "option" and parameter.name != "help":
                missing += [f"{name} {option}" for option in parameter.opts if f"`{option}`" not in section]
    assert missing == []


def test_every_command_and_option_has_help() -> None:
    """No command and no parameter is without a sentence of help."""
    silent: list[str] = []
    for name, command in commands().items():
        silent += [] if command.help else [name]
        silent += [f"{name} {p.name}" for p in command.params if not p.help and p.name != "help"]
    assert silent == []


def test_generated_pages_are_up_to_date() -> None:
    """`make pages` would change nothing."""
    program = [sys.executable, "tools/make_pages.py", "--check"]
    done = subprocess.run(program, check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def required() -> list[str]:
    """Return the names of all packages that the project asks for, in its extras and its development."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked: list[str] = [*project["dependencies"]]
    for packages in project["optional-dependencies"].values():
        asked += [one for one in packages if not one.startswith("pincite[")]
    for name in ("build.in", "dev.in"):
        asked += (ROOT / "requirements" / name).read_text(encoding="utf-8").splitlines()
    names = {match[0] for line in asked if (match := REQUIRED.match(line))}
    return sorted(names)


@pytest.mark.parametrize("package", required())
def test_every_dependency_has_its_reason(package: str) -> None:
    """Each package that anything here asks for stands in a row of the stack's page."""
    assert any(f"`{package}`" in row for row in text_of("stack.md").splitlines() if row.startswith("|"))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    tokens = MarkdownIt().parse(page.read_text(encoding="utf-8"))
    titles = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]
    return {DROPPED.sub("", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    """A link or picture inside the project names a file that is there, and a heading that is in it."""
    broken: list[str] = []
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        for child in token.children or ():
            target = str(child.attrGet("href") or child.attrGet("src") or "")
            if not target or "://" in target or target.startswith("mailto:"):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            if not file.exists() or (anchor and anchor not in anchors(file)):
                broken.append(target)
    assert broken == []


def test_the_site_leads_to_every_page() -> None:
    """The navigation of the site has each page once, and no other."""
    groups: list[dict[str, list[str]]] = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))[
        "project"
    ]["nav"]
    led = [page for group in groups for pages in group.values() for page in pages]
    docs = ROOT / "docs"
    assert sorted(led) == sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*.md"))


def test_the_index_leads_to_every_page() -> None:
    """No page of `docs/` is left out of its index; the reference has one of its own."""
    index = text_of("index.md")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {name for name in pages if f"({name})" not in index} == set()
