"""Texts that are made to be slow: how long they are, and how long whoever reads them may take.

What takes time that grows with the square of a text would not come back from one. In the gate they have a fifth of
their length and a tenth of the time to hang in; `make test-long` runs the same tests with all of it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

WHOLE: Final = os.environ.get("PINCITE_HYPOTHESIS") == "wide"
"""Whether texts have their whole length."""
_SHARE: Final = 5
_SECONDS: Final = 300 if WHOLE else 30


def many(count: int) -> int:
    """Return how many there are where `count` are meant."""
    return count if WHOLE else count // _SHARE


def much(unit: str, size: int = 1_000_000) -> str:
    """Return `unit` again and again, `size` characters of it where texts have their whole length."""
    return unit * (many(size) // len(unit))


def hostile(test: Callable[..., Any]) -> Any:
    """Mark a test that reads such texts; a hang ends it."""
    return pytest.mark.hostile(pytest.mark.timeout(_SECONDS)(test))
