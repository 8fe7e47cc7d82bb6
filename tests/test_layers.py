"""The walls of the house: import-linter's contracts hold, and they know every room."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, cast

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = sorted(init.parent.name for init in (ROOT / "src" / "pincite").glob("*/__init__.py"))
# `core` < `checking` < `citing` < `providers` < `showing`: what a base install imports.
BASE = {"core", "checking", "citing", "providers", "showing"}
DOORS = {"agents", "protocols", "server", "cli", "evaluation"}


def contracts() -> list[dict[str, Any]]:
    """Return the contracts as `pyproject.toml` has them."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return cast("list[dict[str, Any]]", table["tool"]["importlinter"]["contracts"])


def test_the_contracts_hold() -> None:
    """No import crosses a wall."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"], check=False, capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_its_layer(room: str) -> None:
    """A package that no contract names could import anything: each stands in a list of layers."""
    layers = " ".join(" ".join(c["layers"]) for c in contracts() if c["type"] == "layers")
    assert room in layers.replace("(", " ").replace(")", " ").split()


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_is_kept_from_what_it_must_not_know(room: str) -> None:
    """Each room but the doors is a source of the forbidding contracts that its kind calls for."""
    sources = [set(c["source_modules"]) for c in contracts() if c["type"] == "forbidden"]
    held = sum(f"pincite.{room}" in source for source in sources)
    wanted = 3 if room in BASE else 0 if room in DOORS - {"cli"} else 1 if room == "cli" else 2
    assert held == wanted
