"""A packed layout comes back to a hundred-thousandth of the page, and what is none is refused."""

from __future__ import annotations

import zlib
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.geometry import Box
from pincite.core.layout import LineFragment, PageLayout
from pincite.core.packed import pack_layout, unpack_layout

NEAR = 1 / 0xFFFF
SIDE = st.floats(0, 1, width=32)
LAYOUT = PageLayout(
    3,
    100,
    105,
    (LineFragment(100, 102, Box(3, 0.1, 0.2, 0.3, 0.4)), LineFragment(103, 105, Box(3, 0.0, 0.5, 1.0, 0.6))),
    array("f", [0.1, 0.2, 0.2, 0.4, 0.2, 0.2, 0.3, 0.4, 0, 0, 0, 0, 0.0, 0.5, 0.5, 0.6, 0.5, 0.5, 1.0, 0.6]),
)
"""Two lines of two characters, and a line end without ink between them."""


def test_lines_and_characters_come_back() -> None:
    """Offsets are those of the page, boxes nearly the same, and what has no ink still has none."""
    found = unpack_layout(pack_layout(LAYOUT), 3, 5)
    assert (found.page, found.start, found.end) == (3, 0, 5)
    assert [(line.start, line.end) for line in found.lines] == [(0, 2), (3, 5)]
    for line, before in zip(found.lines, LAYOUT.lines, strict=True):
        assert line.box.page == 3
        assert (line.box.x0, line.box.y0, line.box.x1, line.box.y1) == pytest.approx(
            (before.box.x0, before.box.y0, before.box.x1, before.box.y1), abs=NEAR
        )
    glyphs = found.glyphs
    assert glyphs is not None
    assert LAYOUT.glyphs is not None
    assert glyphs[8] == glyphs[10]
    inked = [*range(8), *range(12, 20)]
    assert [glyphs[i] for i in inked] == pytest.approx([LAYOUT.glyphs[i] for i in inked], abs=NEAR)


def test_a_layout_without_glyphs_is_not_kept() -> None:
    """Its file tells it in no time."""
    assert pack_layout(PageLayout(1, 0, 0, ())) == b""


@given(st.lists(st.tuples(SIDE, SIDE, SIDE, SIDE), max_size=30))
def test_every_box_with_ink_comes_back(boxes: list[tuple[float, float, float, float]]) -> None:
    """Whatever stands beside it; one narrower than the unit may lose its ink."""
    layout = PageLayout(1, 0, len(boxes), (), array("f", [side for box in boxes for side in box]))
    glyphs = unpack_layout(pack_layout(layout), 1, len(boxes)).glyphs
    assert glyphs is not None
    for at, (x0, y0, x1, y1) in enumerate(boxes):
        found = glyphs[4 * at : 4 * at + 4]
        if x1 - x0 > 2 * NEAR:
            assert list(found) == pytest.approx([x0, y0, x1, y1], abs=NEAR)
        elif x1 <= x0:
            assert found[2] <= found[0]


def test_a_page_of_prose_takes_a_few_bytes_a_character() -> None:
    """3,000 characters of one width in 40 lines: less than a tenth of their four floats."""
    glyphs = array("f")
    for place in range(3_000):
        x0, y0 = 0.1 + place % 75 * 0.01, 0.1 + place // 75 * 0.02
        glyphs.extend((x0, y0, x0 + 0.01, y0 + 0.015))
    assert len(pack_layout(PageLayout(1, 0, 3_000, (), glyphs))) < 4_800


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nothing",
        zlib.compress(b""),
        zlib.compress(b"\1\0\0\0"),
        zlib.compress(b"\5\0\0\0" + b"\xff" * 4),
        zlib.compress(b"\5\0\0\0" + bytes(4 + 39)),
        zlib.compress(b"\5\0\0\0" + bytes(4 + 41)),
        zlib.compress(bytes(100_000_000)),
        zlib.compress(b"\5\0\0\0\1\0\0\0" + b"\3\0\0\0\1\0\0\0" + bytes(8 + 40)),
        zlib.compress(b"\5\0\0\0\1\0\0\0" + b"\0\0\0\0\6\0\0\0" + bytes(8 + 40)),
        pack_layout(LAYOUT)[:-8],
    ],
    ids=range(11),
)
def test_what_is_no_packed_layout_is_refused(data: bytes) -> None:
    """Cut off, of another length, with lines out of order or outside, and a bomb: one error."""
    with pytest.raises(ValueError, match="packed"):
        unpack_layout(data, 1, 5)
