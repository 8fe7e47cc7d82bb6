"""What every test may ask for."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# The gate draws the same examples each time, so that what it says of a change is about that change; `make test-long`
# sets PINCITE_HYPOTHESIS=wide and draws new ones. No deadline: other work on the machine is no fault of a test.
settings.register_profile("gate", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("wide", parent=settings.get_profile("gate"), max_examples=5_000, derandomize=False)
settings.load_profile(os.environ.get("PINCITE_HYPOTHESIS") or "gate")
# What a framework would send over the network on its own is not sent from here; both look when they are imported.
os.environ.update(HAYSTACK_TELEMETRY_ENABLED="False", LANGSMITH_TRACING="false")
# Variables that say where tests find things; every other setting of the machine is kept away from them.
_FOR_TESTS = {"PINCITE_SHARED", "PINCITE_REQUIRE_SHARED", "PINCITE_HYPOTHESIS"}


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore[reportUnusedFunction] - pytest calls it
    """Keep the machine's own settings and library out of every test."""
    for name in [name for name in os.environ if name.startswith("PINCITE_") and name not in _FOR_TESTS]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "home"))


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


def missing(sentence: str) -> None:
    """Skip the test with `sentence`, or fail it where the data and tools of a full run are required."""
    if os.environ.get("PINCITE_REQUIRE_SHARED") == "1":
        pytest.fail(sentence)
    pytest.skip(sentence)
