"""A site's map: the addresses in it, from XML, from plain text, packed or not (sitemaps.org, protocol 0.9)."""

from __future__ import annotations

import re
import time
import zlib
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

from pincite.core.errors import AddressError, FetchError, PinciteError, TimedOutError, TooLargeError
from pincite.core.limits import DEFAULT, PREFIX
from pincite.core.urls import safe_link
from pincite.reading.web.fetch import AGENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pincite.core.limits import Limits
    from pincite.reading.web.fetch import Fetcher

# The root of a map or of an index of maps, after a declaration and comments: linear, a bounded beginning is searched.
_ROOT = re.compile(rb"<(?:[\w.-]{1,40}:)?(urlset|sitemapindex)[\s>]")
# An address in a map. What is inside of other namespaces (`image:loc`) is none of a page: linear, one run a place.
_LOC = re.compile(r"<loc>\s{0,999}(?:<!\[CDATA\[)?([^<\]]{1,4000})", re.IGNORECASE)
# A line that holds something: linear, one run.
_LINE = re.compile(r"[^\n]+")
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

    An index of maps is followed as far as `limits.web_maps` and `limits.web_map_seconds` go, a map as far as
    `limits.web_map_addresses`, and `limits.web_pages` are the most that are returned. Pages of another host are left
    out, as the protocol wants it, and those that the site's `robots.txt` keeps from us. What was cut off for a limit is
    told to `on_problem` with the address of its map, and so is a map of an index that cannot be read; the others go on.

    Raises:
        AddressError: `address` is none that is opened.
        FetchError: the map itself cannot be fetched.
    """
    walk = _Walk(fetcher, address, limits)
    if not walk.begin():
        return None
    cut = walk.go(on_problem or _unheard)
    if cut is not None and on_problem is not None:
        on_problem(address, cut)
    return list(walk.found)


def _unheard(_address: str, _problem: PinciteError) -> None:
    """Tell nobody."""


class _Walk:
    """One walk over the maps of a site."""

    def __init__(self, fetcher: Fetcher, address: str, limits: Limits) -> None:
        self._fetcher = fetcher
        self._address = address
        self._limits = limits
        self._host = _host_of(address)
        self._end = time.monotonic() + limits.web_map_seconds
        self._waiting: deque[str] = deque()
        self._seen = {address}
        self._left_out = False
        self._first: _Map | None = None
        self.found: dict[str, None] = {}

    def begin(self) -> bool:
        """Fetch the first map; say whether it is one."""
        self._first = self._fetched(self._address)
        return self._first is not None

    def go(self, on_problem: Callable[[str, PinciteError], None]) -> PinciteError | None:
        """Read all maps and return what was cut off, if something was."""
        allowed = _allowed(self._fetcher, self._address, max(0.001, self._end - time.monotonic()))
        here, listed = self._address, self._first
        while True:
            if listed is not None and (cut := self._take(here, listed, allowed, on_problem)) is not None:
                return cut
            if not self._waiting:
                return self._cut("maps", "web_maps") if self._left_out else None
            here, listed = self._waiting.popleft(), None
            if time.monotonic() >= self._end:
                return self._late()
            try:
                listed = self._fetched(here)
            except PinciteError as error:
                on_problem(here, error)

    def _fetched(self, address: str) -> _Map | None:
        data = self._fetcher.fetch(address, seconds=max(0.001, self._end - time.monotonic())).data
        return _listed(data, self._limits.web_bytes, self._limits.web_map_addresses)

    def _take(
        self,
        here: str,
        listed: _Map,
        allowed: Callable[[str], bool],
        on_problem: Callable[[str, PinciteError], None],
    ) -> PinciteError | None:
        """Take the addresses of one map; return why the walk is over, if it is."""
        looked_at = 0
        for looked_at, one in enumerate(listed.links, 1):
            if time.monotonic() >= self._end:
                return self._late()
            if looked_at > self._limits.web_map_addresses:
                on_problem(here, self._cut("addresses of this map", "web_map_addresses"))
                return None
            if one is None or urlsplit(one).hostname != self._host:
                continue
            if listed.kind == "sitemapindex":
                self._queue(one)
            elif one not in self.found and allowed(one):
                if len(self.found) >= self._limits.web_pages:
                    return self._cut("pages", "web_pages")
                self.found[one] = None
        return None

    def _queue(self, address: str) -> None:
        if address in self._seen:
            return
        if len(self._seen) > self._limits.web_maps:
            self._left_out = True
            return
        self._seen.add(address)
        self._waiting.append(address)

    def _cut(self, what: str, limit: str) -> PinciteError:
        most = getattr(self._limits, limit)
        return TooLargeError(
            f"Only the first {most:,} {what} were taken; `{PREFIX}{limit.upper()}` allows more."
        )

    def _late(self) -> PinciteError:
        return TimedOutError(
            f"Not all maps of the site were read within {self._limits.web_map_seconds:g} seconds; "
            f"`{PREFIX}WEB_MAP_SECONDS` allows more."
        )


def _host_of(address: str) -> str | None:
    link = safe_link(address)
    if link is None:
        msg = "This is no address that is opened."
        raise AddressError(msg)
    return urlsplit(link).hostname


@dataclass(frozen=True, slots=True)
class _Map:
    """A map: its kind, and its addresses, made while they are asked for; None for what may not be opened."""

    kind: str
    links: Iterator[str | None]


def _listed(data: bytes, most: int, looked_at: int) -> _Map | None:
    """Return the map that `data` is, or None; a map of plain text is told by its first `looked_at` lines."""
    if data.startswith(_GZIP):
        data = _unpacked(data, most)
    root = _ROOT.search(data, 0, _BEGINNING)
    if root is not None:
        written = data.decode("utf-8", "replace")
        return _Map(
            root[1].decode(), (safe_link(unescape(match[1].strip())) for match in _LOC.finditer(written))
        )
    written = data.decode("utf-8", "replace").lstrip("\ufeff")
    lines = (line for match in _LINE.finditer(written) if (line := match[0].strip()))
    links = list(map(safe_link, islice(lines, looked_at + 1)))
    return _Map("text", iter(links)) if links and None not in links else None


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


def _allowed(fetcher: Fetcher, address: str, seconds: float) -> Callable[[str], bool]:
    """Return what says whether the site lets us read an address (RFC 9309); without a `robots.txt` it does."""
    split = urlsplit(address)
    rules, lines = RobotFileParser(), list[str]()
    try:
        page = fetcher.fetch(f"{split.scheme}://{split.netloc}/robots.txt", seconds=seconds)
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
