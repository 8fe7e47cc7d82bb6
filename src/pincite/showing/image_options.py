"""What may be asked of a page image. Anything else is an error that names the field, never a silent default."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, Literal, cast, get_args

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

ImageMode = Literal["page", "crop"]
"""What an image shows: the whole page, or the part of it around the cited words."""
ImageFormat = Literal["png", "webp", "jpeg"]
"""How an image is encoded."""

MEDIA_TYPES: Final[dict[ImageFormat, str]] = {
    "png": "image/png",
    "webp": "image/webp",
    "jpeg": "image/jpeg",
}
"""The media type of each format."""

# Digits of a number that is looked at; every limit has fewer.
_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class ImageOptions:
    """The whole page or the region of the words; which page, how wide, in which format.

    `page` is the physical number (1 is the first) of a page that the passage stands on, its first one when None. The
    size is `width` in pixels or `dpi` dots an inch, not both; `limits.image_dpi` when neither is given. No image has
    more than `limits.image_pixels` pixels: where it would, it is made smaller.
    """

    mode: ImageMode = "page"
    page: int | None = None
    width: int | None = None
    format: ImageFormat = "png"
    dpi: int | None = None

    def check(self, limits: Limits = DEFAULT) -> None:
        """Say whether all of it can be done.

        Raises:
            InputError: something cannot; `field` names it.
        """
        for name, kind in (("mode", ImageMode), ("format", ImageFormat)):
            value = getattr(self, name)
            if value not in get_args(kind):
                known = " or ".join(filter(None, (", ".join(get_args(kind)[:-1]), get_args(kind)[-1])))
                msg = f"`{name}` is {known}, not {str(value)[:40]!r}."
                raise InputError(msg, field=name)
        for name, most in (
            ("page", limits.pages),
            ("width", limits.image_width),
            ("dpi", limits.image_most_dpi),
        ):
            value = getattr(self, name)
            if value is None:
                continue
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
                msg = f"`{name}` is a whole number from 1 to {most:,}, not {str(value)[:40]!r}."
                raise InputError(msg, field=name)
        if self.width is not None and self.dpi is not None:
            msg = "Give `width` or `dpi`, not both."
            raise InputError(msg, field="dpi")


def image_options(asked: Mapping[str, Any], *, limits: Limits = DEFAULT) -> ImageOptions:
    """Return the options that a query string asks for: names to strings, as a server has them, or to numbers.

    Raises:
        InputError: there is no such option, or it cannot be done; `field` names it. A server answers 422.
    """
    known = {one.name for one in fields(ImageOptions)}
    values: dict[str, Any] = {}
    for name, value in asked.items():
        if name not in known:
            shown = str(name)[:40]
            msg = f"A page image has no option {shown!r}; there are {', '.join(sorted(known))}."
            raise InputError(msg, field=shown)
        values[name] = _number(value) if name in ("page", "width", "dpi") else value
    options = ImageOptions(**values)
    options.check(limits)
    return options


def _number(value: object) -> object:
    """Return the number that a string writes in plain digits; anything else as it is, to be refused."""
    if isinstance(value, str) and len(value) <= _DIGITS and value.isascii() and value.isdecimal():
        return int(value)
    return cast("object", value) if value is not None else ""
