"""What the tests of protocols may ask for."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pincite.cli.main import main

# Tests import their neighbour by its name.
sys.path.insert(0, str(Path(__file__).parent))

from mcp_desk import Desk, desk_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def desk() -> Desk:
    """A server over three short texts, one of them out of scope."""
    return desk_of()


@pytest.fixture(scope="session")
def examples_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library made from the examples; tests leave its documents as they are."""
    home = tmp_path_factory.mktemp("mcp")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_HOME", str(home))
        assert main(["add", str(EXAMPLES), "--json"]) == 0
    return home
