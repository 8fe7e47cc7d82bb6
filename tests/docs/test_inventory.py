"""The page of licences, and the bill of materials of a release."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import ModuleType

TOOL = Path(__file__).resolve().parents[2] / "tools" / "make_inventory.py"


@pytest.fixture(scope="module")
def inventory() -> ModuleType:
    """Return the tool as a module."""
    spec = importlib.util.spec_from_file_location("make_inventory", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_licence_is_known_and_taken(inventory: ModuleType) -> None:
    """No package that pincite can bring is under a licence that we do not take, or says none."""
    assert inventory.refused(inventory.parts()) == []


def test_a_licence_that_is_not_taken_is_named(inventory: ModuleType) -> None:
    """A package under the AGPL is named, also where it is one half of an expression; one that says nothing is too."""
    bad = [
        inventory.Part("one", ("1",), "AGPL-3.0-only", ("search",)),
        inventory.Part("two", ("1",), "MIT AND GPL-3.0-or-later", ("search",)),
        inventory.Part("three", ("1",), None, ("search",)),
        inventory.Part("four", ("1",), "MIT OR Apache-2.0", ("search",)),
    ]
    assert inventory.refused(bad) == [
        "one is under AGPL-3.0-only.",
        "two is under MIT AND GPL-3.0-or-later.",
        "three does not say its licence.",
    ]


def test_everything_that_is_asked_for_is_listed(inventory: ModuleType) -> None:
    """The base brings rapidfuzz and nothing else; an extra brings what its packages ask for as well."""
    found = {part.name: part for part in inventory.parts()}
    assert [name for name, part in found.items() if "base" in part.extras] == ["rapidfuzz"]
    assert "server" in found["fastapi"].extras
    assert "server" in found["starlette"].extras
    assert found["rapidfuzz"].licence == "MIT"


def test_the_bill_of_materials_is_valid_and_whole(
    inventory: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It holds to CycloneDX 1.6, and has each package once a version, and what lies in the package itself."""
    file = tmp_path / "bill.json"
    assert inventory.main(["--sbom", str(file)]) == 0
    assert "rapidfuzz" not in capsys.readouterr().out
    made: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    assert made["metadata"]["component"]["name"] == "pincite"
    urls = {one["purl"] for one in made["components"]}
    wanted = {f"pkg:pypi/{part.name}@{version}" for part in inventory.parts() for version in part.versions}
    assert wanted <= urls
    assert {one.partition("@")[0] for one in urls - wanted} == {
        "pkg:npm/lit",
        "pkg:npm/marked",
        "pkg:generic/bert-base-uncased-vocab",
    }


def test_a_bill_that_holds_to_no_schema_is_refused(inventory: ModuleType) -> None:
    """A licence that SPDX does not know cannot be written as if it did."""
    with pytest.raises(ValueError, match="Our-own"):
        inventory.bill([inventory.Part("one", ("1",), "Our-own-licence", ("search",))])
