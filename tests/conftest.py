"""What every test may ask for."""

from __future__ import annotations

import itertools
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# The makers of test documents stand beside this file; tests import them by their own names.
sys.path.insert(0, str(Path(__file__).parent))

from absent import missing
from layouts import LAYOUT, SERVER, layout, on_postgres, own_databases, servers  # noqa: F401 # pyright: ignore[reportUnusedImport] - fixtures
from node_packages import AbsentError, installed

# The gate draws the same examples each time, so that what it says of a change is about that change; `make test-long`
# sets PINCITE_HYPOTHESIS=wide and draws new ones. No deadline: other work on the machine is no fault of a test.
settings.register_profile("gate", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("wide", parent=settings.get_profile("gate"), max_examples=5_000, derandomize=False)
settings.load_profile(os.environ.get("PINCITE_HYPOTHESIS") or "gate")
# What a framework would send over the network on its own is not sent from here; both look when they are imported.
os.environ.update(HAYSTACK_TELEMETRY_ENABLED="False", LANGSMITH_TRACING="false")
# Variables that say where tests find things; every other setting of the machine is kept away from them.
_FOR_TESTS = {"PINCITE_SHARED", "PINCITE_REQUIRE_SHARED", "PINCITE_HYPOTHESIS", LAYOUT, SERVER}


_NUMBERS = itertools.count()


@pytest.fixture(autouse=True)
def _own_settings(  # pyright: ignore[reportUnusedFunction] - pytest calls it
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keep the machine's own settings and library out of every test."""
    for name in [name for name in os.environ if name.startswith("PINCITE_") and name not in _FOR_TESTS]:
        monkeypatch.delenv(name)
    # To make a folder, pytest looks through those of all tests before: only who asks for one gets one.
    if on_postgres() or "tmp_path" in request.fixturenames:
        folder: Path = request.getfixturevalue("tmp_path")
    else:
        folder = tmp_path_factory.getbasetemp() / f"none-{next(_NUMBERS)}"
    monkeypatch.setenv("PINCITE_HOME", str(folder / "home"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of documents and recordings that we may read and do not ship.

    `PINCITE_SHARED` names it; without that it is `shared` beside the project. With `PINCITE_REQUIRE_SHARED=1`
    its absence is a failure instead of a skip.
    """
    beside = Path(__file__).resolve().parent.parent.parent / "shared"
    folder = Path(os.environ.get("PINCITE_SHARED") or beside)
    if not folder.is_dir():
        missing("The folder of shared documents is absent; set PINCITE_SHARED to it.")
    return folder


@pytest.fixture(scope="session")
def pdftotext() -> str:
    """The path of poppler's `pdftotext`, which reads PDF without any code of PDFium."""
    found = shutil.which("pdftotext")
    if found is None:
        missing("pdftotext is not installed; it comes with Debian's poppler-utils.")
    return str(found)


@pytest.fixture(scope="session")
def curl() -> str:
    """The path of `curl`, where the other programs of the pages about the server are there too."""
    for program in ("bash", "jq", "file", "curl"):
        if shutil.which(program) is None:
            missing(f"{program} is not installed; it comes with Debian.")
    return str(shutil.which("curl"))


@pytest.fixture(scope="session")
def pdftoppm() -> str:
    """The path of poppler's `pdftoppm`, which draws PDF without any code of PDFium."""
    found = shutil.which("pdftoppm")
    if found is None:
        missing("pdftoppm is not installed; it comes with Debian's poppler-utils.")
    return str(found)


@pytest.fixture(scope="session")
def pdfjs() -> list[str]:
    """A command that prints what pdf.js finds in the PDF whose path is added to it (`pdfjs/read.mjs`).

    Node is the one that the type checker brings along; npm puts pdf.js into `.venv`, once for each lock file.
    """
    here = Path(__file__).resolve().parent / "pdfjs"
    try:
        node, home = installed(here, "pdfjs", "pdfjs-dist")
    except AbsentError as absent:
        missing(str(absent))
    return [str(node), str(here / "read.mjs"), str(home / "node_modules" / "pdfjs-dist")]
