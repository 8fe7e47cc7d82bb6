"""What tests of the AI SDK's stream may ask for."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

# Tests import their neighbour by its name.
sys.path.insert(0, str(Path(__file__).parent))

from vercel_node import AiSdk, installed

from node_packages import AbsentError


@pytest.fixture(scope="session")
def ai_sdk() -> AiSdk:
    """The AI SDK; where it cannot be had the test is skipped, or fails in a full run."""
    try:
        return installed()
    except AbsentError as error:
        if os.environ.get("PINCITE_REQUIRE_SHARED") == "1":
            raise
        pytest.skip(str(error))
