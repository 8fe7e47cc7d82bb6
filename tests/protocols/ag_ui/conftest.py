"""What the tests of AG-UI share; they import it by its own name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ag_ui_node import OfficialClient, installed
from node_packages import AbsentError


@pytest.fixture(scope="session")
def official() -> OfficialClient:
    """The official client of AG-UI."""
    try:
        return installed()
    except AbsentError as absent:
        if os.environ.get("CI") == "true" or os.environ.get("PINCITE_REQUIRE_SHARED") == "1":
            pytest.fail(str(absent))
        pytest.skip(str(absent))
