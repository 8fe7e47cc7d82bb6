"""What may be asked of a page image, and that anything else is an error that names the field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT
from pincite.showing import ImageOptions, image_options


def test_nothing_asked_is_a_page_as_png() -> None:
    """`image/png` and `page` are the defaults."""
    assert image_options({}) == ImageOptions("page", None, None, "png", None)


def test_strings_are_read_as_a_query_string_has_them() -> None:
    """Names stay, digits become numbers."""
    assert image_options({"mode": "crop", "page": "7", "width": "800", "format": "webp"}) == ImageOptions(
        "crop", 7, 800, "webp"
    )
    assert image_options({"dpi": 96}) == ImageOptions(dpi=96)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"mode": "corp"}, "mode"),
        ({"mode": ""}, "mode"),
        ({"mode": "PAGE"}, "mode"),
        ({"mode": ["page"]}, "mode"),
        ({"format": "gif"}, "format"),
        ({"format": "jpg"}, "format"),
        ({"page": "0"}, "page"),
        ({"page": "-1"}, "page"),
        ({"page": "4.5"}, "page"),
        ({"page": "four"}, "page"),
        ({"page": ""}, "page"),
        ({"page": "٤"}, "page"),
        ({"page": None}, "page"),
        ({"page": True}, "page"),
        ({"page": "9" * 5_000}, "page"),
        ({"width": "0"}, "width"),
        ({"width": "4001"}, "width"),
        ({"width": 1.5}, "width"),
        ({"dpi": "601"}, "dpi"),
        ({"width": "800", "dpi": "96"}, "dpi"),
        ({"zoom": "2"}, "zoom"),
        ({"check": "1"}, "check"),
        ({"x" * 500: "1"}, "x" * 40),
    ],
)
def test_anything_else_is_refused(asked: dict[str, Any], field: str) -> None:
    """Never a silent default: asking for a crop and getting a page would look like a bug."""
    with pytest.raises(InputError) as told:
        image_options(asked)
    assert told.value.field == field
    assert len(told.value.message) < 200


def test_the_bounds_are_limits() -> None:
    """Each is a named setting."""
    limits = replace(DEFAULT, image_width=100, image_most_dpi=50)
    assert image_options({"width": "100"}, limits=limits).width == 100
    for asked in ({"width": "101"}, {"dpi": "51"}):
        with pytest.raises(InputError):
            image_options(asked, limits=limits)


def test_options_made_in_code_are_checked_alike() -> None:
    """By whoever draws."""
    with pytest.raises(InputError, match="`mode` is page or crop"):
        ImageOptions(mode="corp").check()  # type: ignore[arg-type]
    with pytest.raises(InputError, match="`format` is png, webp or jpeg"):
        ImageOptions(format="gif").check()  # type: ignore[arg-type]
