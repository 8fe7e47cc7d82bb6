"""Boxes are fractions of the page as it is seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import InputError
from pincite.core.geometry import Affine, Box, outline_of

FRACTION = st.floats(0, 1, width=32)


def test_the_pages_box() -> None:
    """A box's JSON is the one of the reader's page."""
    assert Box(4, 0.12, 0.31, 0.88, 0.37).as_dict() == {
        "page": 4,
        "x0": 0.12,
        "y0": 0.31,
        "x1": 0.88,
        "y1": 0.37,
    }


@given(FRACTION, FRACTION, FRACTION, FRACTION)
def test_a_box_survives_its_json(x0: float, y0: float, x1: float, y1: float) -> None:
    """What is written is read back to within a hundred thousandth of the page."""
    box = Box(1, x0, y0, x1, y1)
    again = Box.from_dict(box.as_dict())
    assert (again.x0, again.y0, again.x1, again.y1) == pytest.approx((x0, y0, x1, y1), abs=1e-5)


def test_a_turned_rectangle_counts_all_four_corners() -> None:
    """playa#20: a box around rotated text is made from four corners, not from two."""
    turned = Affine(a=0.6, b=0.8, c=-0.8, d=0.6, e=0.0, f=0.0)
    box = turned.box(1, 0.0, 0.0, 1.0, 1.0)
    assert (box.x0, box.y0) == pytest.approx((-0.8, 0.0))
    assert (box.x1, box.y1) == pytest.approx((0.6, 1.4))


def test_clamping_keeps_what_lies_on_the_page() -> None:
    """docling-core#643: no box reaches outside the page; one that is wholly outside is none."""
    assert Box(1, -0.5, 0.2, 0.5, 1.4).clamped() == Box(1, 0.0, 0.2, 0.5, 1.0)
    assert Box(1, 1.1, 0.2, 1.5, 0.4).clamped() is None


def test_boxes_of_two_pages_have_no_union() -> None:
    """A passage over a page break never becomes one box."""
    with pytest.raises(InputError, match="two pages"):
        outline_of([Box(7, 0, 0, 1, 1), Box(8, 0, 0, 1, 1)])


def test_no_boxes_have_no_outline() -> None:
    """Nothing has no outline."""
    assert outline_of([]) is None
