"""A site's map: the addresses in it, from XML, from plain text, packed or not (sitemaps.org, protocol 0.9)."""

from __future__ import annotations

import re
import zlib
from collections import deque
from contextlib import suppress
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

from pincite.core.errors import AddressError, FetchError, PinciteError
from pincite.core.limits import DEFAULT
from pincite.core.urls import safe_link
from pincite.reading.web.fetch import AGENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.core.limits import Limits
    from pincite.reading.web.fetch import Fetcher

# The root of a map or of an index of maps, after a declaration and comments: linear, a bounded beginning is searched.
_ROOT = re.compile(rb"<(?:[\w.-]{1,40}:)?(urlset|sitemapindex)[\s>]")
# An address in a map. What is inside of other namespaces (`image:loc`) is none of a page: linear, one run a place.
_LOC = re.compile(r"<loc>\s{0,999}(?:<!\[CDATA\[)?([^<\]]{1,4000})", re.IGNORECASE)
_GZIP = b"\x1f\x8b"
_BEGINNING = 4096
_RULES = 2_000
"""Lines of a `robots.txt` that are obeyed."""


def addresses_of(
    fetcher: Fetcher,
    address: str,
    *,
    limits: Limits = DEFAULT,
    on_problem: Callable[[str, PinciteError], None] | None = None,
) -> list[str] | None:
    """Return the addresses of the pages in the map at `address`, each once, in order; None when it is no map.

    An index of maps is followed as far as `limits.web_pages`. Pages of another host are left out, as the protocol wants
    it, and those that the site's `robots.txt` keeps from us. A map of an index that cannot be read is told to
    `on_problem`, and the others go on.

    Raises:
        AddressError: `address` is none that is opened.
        FetchError: the map itself cannot be fetched.
    """
    host = _host_of(address)
    waiting = deque([address])
    seen = {address}
    found: dict[str, None] = {}
    first = True
    while waiting and len(found) < limits.web_pages:
        here = waiting.popleft()
        try:
            kind, listed = _listed(fetcher.fetch(here).data, limits.web_bytes)
        except PinciteError as error:
            if first:
                raise
            if on_problem is not None:
                on_problem(here, error)
            continue
        if kind is None and first:
            return None
        first = False
        for one in listed:
            if urlsplit(one).hostname != host:
                continue
            if kind != "sitemapindex":
                found[one] = None
            elif one not in seen and len(seen) <= limits.web_pages:
                seen.add(one)
                waiting.append(one)
    allowed = _allowed(fetcher, address)
    return [one for one in found if allowed(one)][: limits.web_pages]


def _host_of(address: str) -> str | None:
    link = safe_link(address)
    if link is None:
        msg = "This is no address that is opened."
        raise AddressError(msg)
    return urlsplit(link).hostname


def _listed(data: bytes, most: int) -> tuple[str | None, list[str]]:
    """Return what kind of map `data` is, and the addresses in it that may be opened."""
    if data.startswith(_GZIP):
        data = _unpacked(data, most)
    root = _ROOT.search(data, 0, _BEGINNING)
    if root is not None:
        written = data.decode("utf-8", "replace")
        links = (safe_link(unescape(match.strip())) for match in _LOC.findall(written))
        return root[1].decode(), [link for link in links if link is not None]
    lines = data[: 1 << 24].decode("utf-8", "replace").lstrip("\ufeff").split("\n")
    addresses = [line.strip() for line in lines if line.strip()]
    links = [safe_link(line) for line in addresses]
    if addresses and None not in links:
        return "text", [link for link in links if link is not None]
    return None, []


def _unpacked(data: bytes, most: int) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(data, most)
    except zlib.error as error:
        msg = "The map is packed, and damaged."
        raise FetchError(msg) from error
    if unpacker.unconsumed_tail:
        msg = f"The map has more than {most:,} bytes, the most that is fetched."
        raise FetchError(msg)
    return unpacked


def _allowed(fetcher: Fetcher, address: str) -> Callable[[str], bool]:
    """Return what says whether the site lets us read an address (RFC 9309); without a `robots.txt` it does."""
    split = urlsplit(address)
    rules, lines = RobotFileParser(), list[str]()
    try:
        page = fetcher.fetch(f"{split.scheme}://{split.netloc}/robots.txt")
    except PinciteError:
        return lambda _one: True
    for line in page.data[: 1 << 19].decode("utf-8", "replace").splitlines():
        name, _, value = line.partition(":")
        # What else may stand there the standard library reads as numbers, or not at all.
        if name.strip().lower() in ("user-agent", "allow", "disallow") and len(lines) < _RULES:
            with suppress(ValueError):
                urlsplit(value.strip())
                lines.append(line)
    rules.parse(lines)
    return lambda one: rules.can_fetch(AGENT.partition(" ")[0], one)
