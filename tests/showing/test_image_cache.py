"""Kept images: bounded, the oldest goes first, and drawn once however many ask at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pincite.core.errors import RenderError
from pincite.core.limits import DEFAULT
from pincite.showing import ImageCache


def _cache(images: int, size: int = 10_000) -> ImageCache:
    """Return a cache with room for so many images of `size` bytes, with 2,000 beside each."""
    return ImageCache(replace(DEFAULT, image_cache_bytes=images * (size + 2_000)))


class Drawing:
    """Draws images of 10,000 bytes and counts them."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self) -> bytes:
        """Return an image."""
        self.drawn += 1
        return bytes(10_000)


def test_what_is_kept_is_not_drawn_again() -> None:
    """The second time it comes from memory."""
    cache, draw = _cache(2), Drawing()
    assert cache.get("a", draw) == cache.get("a", draw) == bytes(10_000)
    assert draw.drawn == 1
    assert cache.size == 12_000


def test_the_one_asked_for_longest_ago_goes_first() -> None:
    """Of three, two fit; `a` was asked for again, so `b` goes."""
    cache, draw = _cache(2), Drawing()
    for key in ("a", "b", "a", "c", "a"):
        cache.get(key, draw)
    assert draw.drawn == 3
    cache.get("b", draw)
    assert draw.drawn == 4
    assert cache.size <= 24_000


def test_what_does_not_fit_is_given_and_not_kept() -> None:
    """One image larger than all that is allowed; none at all with 0."""
    for cache in (ImageCache(replace(DEFAULT, image_cache_bytes=11_000)), _cache(0)):
        draw = Drawing()
        cache.get("a", draw)
        assert len(cache.get("a", draw)) == 10_000
        assert (draw.drawn, cache.size) == (2, 0)


def test_clearing_lets_go_of_all() -> None:
    """It is drawn anew."""
    cache, draw = _cache(2), Drawing()
    cache.get("a", draw)
    cache.clear()
    assert cache.size == 0
    cache.get("a", draw)
    assert draw.drawn == 2


def test_ten_requests_for_one_cold_page_draw_it_once() -> None:
    """Nine wait for the tenth, whichever that is."""
    cache = _cache(2)
    asked = threading.Barrier(10)
    drawn: list[int] = []

    def draw() -> bytes:
        drawn.append(1)
        # All others have asked by then, or will find it kept.
        return b"page"

    def ask(_: int) -> bytes:
        asked.wait()
        return cache.get("a", draw)

    with ThreadPoolExecutor(10) as threads:
        assert list(threads.map(ask, range(10))) == [b"page"] * 10
    assert len(drawn) == 1


def test_who_waits_learns_of_the_error_and_it_is_not_kept() -> None:
    """The next one who asks tries again."""
    cache = _cache(2)
    begun, going = threading.Event(), threading.Event()

    def fail() -> bytes:
        begun.set()
        going.wait()
        msg = "Page 4 has no image."
        raise RenderError(msg)

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(cache.get, "a", fail)
        begun.wait()
        second = threads.submit(cache.get, "a", fail)
        going.set()
        for told in (first, second):
            with pytest.raises(RenderError, match="Page 4"):
                told.result()
    assert cache.get("a", lambda: b"page") == b"page"


def test_other_pages_do_not_wait() -> None:
    """While one page is drawn another is."""
    cache = _cache(2)
    begun, going = threading.Event(), threading.Event()

    def slow() -> bytes:
        begun.set()
        going.wait()
        return b"slow"

    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(cache.get, "a", slow)
        begun.wait()
        assert cache.get("b", lambda: b"quick") == b"quick"
        going.set()
        assert first.result() == b"slow"
