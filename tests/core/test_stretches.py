"""Stretches of a text agree with a brute force over single code points, in whatever order they come."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.core.stretches import Ranges, Texts

TEXT = "".join(chr(ord("a") + index % 26) for index in range(80))
SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12), st.booleans()), max_size=30)
ASKED = st.tuples(st.integers(0, 70), st.integers(1, 20))


def stretches_of(points: set[int]) -> list[tuple[int, int]]:
    """Return the ranges that points make together."""
    found: list[tuple[int, int]] = []
    for point in sorted(points):
        if found and found[-1][1] == point:
            found[-1] = (found[-1][0], point + 1)
        else:
            found.append((point, point + 1))
    return found


@given(SPANS, ASKED)
def test_ranges_agree_with_a_set_of_points(
    spans: list[tuple[int, int, bool]], asked: tuple[int, int]
) -> None:
    """Asking in between, which merges what is new by ones or by sorting, changes nothing."""
    ranges, points = Ranges(), set[int]()
    start, end = asked[0], asked[0] + asked[1]
    for first, size, question in spans:
        ranges.add(first, first + size + 1)
        points |= set(range(first, first + size + 1))
        if question:
            assert list(ranges) == stretches_of(points)
    cover = ranges.covering(start, end)
    assert (cover is not None) == (set(range(start, end)) <= points)
    assert cover is None or cover in stretches_of(points)


def test_one_range_into_many_is_set_in_at_its_place() -> None:
    """It joins its neighbours on both sides, swallows what lies inside it, and leaves the rest alone."""
    ranges = Ranges((start, start + 5) for start in range(0, 1_000, 10))
    assert ranges.covering(500, 505) == (500, 505)
    ranges.add(505, 530)
    assert ranges.covering(503, 531) == (500, 535)
    assert ranges.covering(490, 496) is None
    assert ranges.covering(540, 545) == (540, 545)
    ranges.add(7, 8)
    assert list(ranges)[:3] == [(0, 5), (7, 8), (10, 15)]


@given(SPANS, ASKED)
def test_texts_agree_with_the_text_that_they_are_of(
    pieces: list[tuple[int, int, bool]], asked: tuple[int, int]
) -> None:
    """Pieces are joined where they touch, and what is asked for comes with what stands around it."""
    texts, points = Texts(), set[int]()
    start, end = asked[0], asked[0] + asked[1]
    for first, size, question in pieces:
        texts.add(first, TEXT[first : first + size])
        points |= set(range(first, first + size))
        if question:
            assert list(texts) == [(low, TEXT[low:high]) for low, high in stretches_of(points)]
    around = texts.around(start, end)
    assert (around is not None) == (set(range(start, end)) <= points)
    assert around is None or around[1] == TEXT[around[0] : around[0] + len(around[1])]
    inside = stretches_of(points & set(range(start, end)))
    assert texts.within(start, end) == [(low, TEXT[low:high]) for low, high in inside]


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(1, 6)), max_size=8),
    st.integers(0, 24),
    st.integers(1, 6),
)
def test_ranges_touch_where_they_have_a_code_point_in_common(
    spans: list[tuple[int, int]], start: int, size: int
) -> None:
    """One is enough; a range that ends where another begins has none."""
    points = {at for first, length in spans for at in range(first, first + length)}
    ranges = Ranges((first, first + length) for first, length in spans)
    assert ranges.touches(start, start + size) == (not points.isdisjoint(range(start, start + size)))
