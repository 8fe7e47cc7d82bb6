"""A library to ask, for the tests of agents."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

# Tests here share the models that follow a script; they import them by their own name.
sys.path.insert(0, str(Path(__file__).parent))

from agent_scripts import Desk, opened_desk

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A search over twelve short texts, of which eight are found for any question."""
    with opened_desk(tmp_path_factory.mktemp("desk")) as made:
        yield made
