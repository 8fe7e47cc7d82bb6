"""The address that a saved page says it was saved from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pincite.core.urls import LINK_CODE_POINTS, safe_link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborHTMLParser

_NEAR_THE_TOP = 16_384
"""Code points within which a browser says where it saved a page from."""
_ELEMENTS = 1_000
"""Elements of a kind that are looked at."""

# What browsers write (`saved from url=(0021)https://...`), and what SingleFile does: linear, bounded runs.
_SAVED = re.compile(
    r"<!--\s{0,20}(?:saved from url=\(\d{1,9}\)|Page saved with SingleFile\s{1,20}url:\s{1,20})(\S{1,4000})"
)


def address_of(page: LexborHTMLParser, source: str) -> str | None:
    """Return the address of a page that is read from a file: absolute, http or https; None where it says none.

    What a browser noted when it saved the page goes before what the page says of itself: its canonical link, then
    `og:url`, then a base that names a file and no folder.
    """
    return next(filter(None, map(link_of, _said(page, source))), None)


def link_of(written: str | None) -> str | None:
    """Return an address as a link, if it may be one; long ones may have been folded over several lines."""
    return safe_link("".join((written or "")[: 2 * LINK_CODE_POINTS].split()))


def _said(page: LexborHTMLParser, source: str) -> Iterator[str | None]:
    if (saved := _SAVED.search(source, 0, _NEAR_THE_TOP)) is not None:
        yield saved[1].removesuffix("-->")
    for link in page.tags("link")[:_ELEMENTS]:
        if "canonical" in (link.attributes.get("rel") or "").lower().split():
            yield link.attributes.get("href")
    for meta in page.tags("meta")[:_ELEMENTS]:
        name = meta.attributes.get("property") or meta.attributes.get("name") or ""
        if name.strip().lower() == "og:url":
            yield meta.attributes.get("content")
    for base in page.tags("base")[:1]:
        address = base.attributes.get("href") or ""
        # A folder is not where the words stand; nor is a host alone.
        if address.count("/") > 2 and not address.split("?")[0].endswith("/"):  # noqa: PLR2004 - those of the scheme
            yield address
