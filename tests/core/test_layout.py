"""A span's boxes: one a line fragment, cut to the characters that are meant."""

from __future__ import annotations

from array import array

from pincite.core.geometry import Box
from pincite.core.layout import LineFragment, PageLayout, boxes_of, page_at

# "ab cd" on one line, "ef" on the next; each letter 0.1 wide, the space without ink.
_XS = [0.1, 0.2, None, 0.4, 0.5]
_GLYPHS = array("f")
for _x in _XS:
    _GLYPHS.extend((_x, 0.1, _x + 0.1, 0.2) if _x is not None else (0, 0, 0, 0))
_GLYPHS.extend((0, 0, 0, 0))
for _x in (0.1, 0.2):
    _GLYPHS.extend((_x, 0.3, _x + 0.1, 0.4))
LINES = (
    LineFragment(10, 15, Box(1, 0.1, 0.1, 0.6, 0.2)),
    LineFragment(16, 18, Box(1, 0.1, 0.3, 0.3, 0.4)),
)
PAGE = PageLayout(1, 10, 18, LINES, _GLYPHS)
BARE = PageLayout(1, 10, 18, LINES)


def _rounded(boxes: list[Box]) -> list[tuple[float, float, float, float]]:
    return [(round(b.x0, 5), round(b.y0, 5), round(b.x1, 5), round(b.y1, 5)) for b in boxes]


def test_whole_lines_give_their_own_boxes() -> None:
    """RAGFlow#16883 and Librera#971: one box a line, never one over both."""
    assert _rounded(boxes_of([PAGE], 10, 18)) == [(0.1, 0.1, 0.6, 0.2), (0.1, 0.3, 0.3, 0.4)]


def test_a_cut_line_is_cut_to_its_characters() -> None:
    """The second word of a line is lit without the first."""
    assert _rounded(boxes_of([PAGE], 13, 17)) == [(0.4, 0.1, 0.6, 0.2), (0.1, 0.3, 0.2, 0.4)]


def test_without_characters_a_cut_line_gives_the_whole_line() -> None:
    """Where characters are not kept the line is the honest answer."""
    assert _rounded(boxes_of([BARE], 13, 15)) == [(0.1, 0.1, 0.6, 0.2)]


def test_characters_without_ink_give_no_box() -> None:
    """A span of spaces has nothing to outline."""
    assert boxes_of([PAGE], 12, 13) == []


def test_boxes_run_over_pages() -> None:
    """vellum#9: a span over a page break has boxes on both pages."""
    second = PageLayout(2, 20, 24, (LineFragment(20, 24, Box(2, 0.1, 0.1, 0.5, 0.2)),))
    assert [box.page for box in boxes_of([PAGE, second], 16, 22)] == [1, 2]


def test_the_page_of_an_offset() -> None:
    """fsnow/cst#561: one function tells the page of a place."""
    second = PageLayout(2, 20, 24, ())
    assert [page_at([PAGE, second], offset) for offset in (0, 10, 19, 20, 99)] == [None, 1, 1, 2, 2]
