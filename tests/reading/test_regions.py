"""Places stay bounded in number, and none is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.core.locators import Locator
from pincite.reading._regions import Regions


def _span(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    return one[0], other[1]


@given(st.integers(1, 300), st.integers(2, 20))
def test_every_place_is_in_its_region(count: int, most: int) -> None:
    """With more places than regions, neighbours share one that holds both."""
    regions = Regions(_span, most)
    for place in range(count):
        regions.add(10 * place, (place + 1, place + 1))
    found = regions.regions(10 * count, lambda lines: Locator(line=lines[0], line_end=lines[1]))
    assert 0 < len(found) <= most
    assert (found[0].start, found[-1].end) == (0, 10 * count)
    for place in range(count):
        (one,) = (region for region in found if region.start <= 10 * place < region.end)
        assert one.locator.line is not None
        assert one.locator.line_end is not None
        assert one.locator.line <= place + 1 <= one.locator.line_end
