"""Where a number would become a part of an address: pages make links of some that nothing marks as one."""

from __future__ import annotations

import re
from typing import Final

TAIL: Final = 300
"""Code points in front of a number that tell."""

# How an address begins that acts by itself, in a run without a space: bounded.
_ADDRESS = re.compile(r"/|[Ww]{3}\.|\.\w[^\s/]*[?#:]")
# What ends an address for every renderer.
_ENDS = " \t\n\r"


def ends_in_address(before: str) -> bool:
    """Say whether a number right behind `before` would become a part of an address.

    `before` are the last `TAIL` code points of a text, or all of a shorter one.
    """
    run = before[max(map(before.rfind, _ENDS)) + 1 :]
    return len(run) >= TAIL or _ADDRESS.search(run) is not None
