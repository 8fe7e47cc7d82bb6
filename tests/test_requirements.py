"""The pinned requirements: complete, consistent, and free of any place."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

REQUIREMENTS = Path(__file__).resolve().parent.parent / "requirements"
SETS = ("base", "demo", "dev")
# A pin, at the start of a line: linear, bounded by the line.
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


def text_of(name: str) -> str:
    """Return a requirements file."""
    return (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8")


def pins(name: str) -> set[tuple[str, str]]:
    """Return (package, version) of every pin in a requirements file."""
    return {(found[1], found[2]) for found in PIN.finditer(text_of(name))}


@pytest.mark.parametrize("name", SETS)
def test_every_pin_has_a_hash(name: str) -> None:
    """Each requirement is followed by at least one SHA-256."""
    blocks = re.split(r"\n(?=\S)", text_of(name))
    naked = [block for block in blocks if "==" in block.partition("\n")[0] and "--hash=sha256:" not in block]
    assert naked == []


@pytest.mark.parametrize("name", SETS)
def test_no_registry_is_named(name: str) -> None:
    """Whoever installs uses their own registry: no address and no index option stands in the file."""
    assert re.search(r"://|--(?:index|extra-index|find-links|trusted-host)", text_of(name)) is None


def test_the_smaller_sets_are_part_of_the_larger() -> None:
    """Whoever has installed `dev` has `demo`, pin for pin, and whoever has `demo` has `base`."""
    assert pins("base") < pins("demo") < pins("dev")


def test_the_base_install_is_rapidfuzz_alone() -> None:
    """One dependency."""
    assert [name for name, _ in pins("base")] == ["rapidfuzz"]


def test_the_size_of_a_download_is_known() -> None:
    """`make demo` says how much it downloads: `download.json` has a number of MB for every set."""
    sizes = json.loads((REQUIREMENTS / "download.json").read_text(encoding="utf-8"))
    assert sorted(sizes) == sorted(SETS)
    assert 0 < sizes["base"] < sizes["demo"] < sizes["dev"]
