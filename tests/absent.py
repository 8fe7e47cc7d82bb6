"""What becomes of a test whose data or tools are not there."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def missing(sentence: str) -> NoReturn:
    """Skip the test with `sentence`, or fail it where the data and tools of a full run are required."""
    if os.environ.get("PINCITE_REQUIRE_SHARED") == "1":
        pytest.fail(sentence)
    pytest.skip(sentence)
