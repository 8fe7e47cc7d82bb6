"""Page images kept in memory, so that a page is drawn once for everybody who may see it at the same moment."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import Future
from typing import TYPE_CHECKING

from pincite.core.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

# Bytes that a kept image takes beside its own: its key, with the boxes in it, and its place.
_BESIDE = 2_000


class ImageCache:
    """Keeps images by key, the one that was asked for longest ago goes first; every method is thread-safe.

    The key says all on which the image depends, and who may see it: see `citation_image`. One that is being drawn is
    waited for, not drawn again; an error is told to all who wait, and is not kept.
    """

    __slots__ = ("_bytes", "_drawing", "_kept", "_lock", "_most")

    def __init__(self, limits: Limits = DEFAULT) -> None:
        """At most `limits.image_cache_bytes` bytes are kept."""
        self._most = limits.image_cache_bytes
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._drawing: dict[Hashable, Future[bytes]] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        with self._lock:
            return self._bytes

    def get(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        """Return the image that is kept under `key`, or is being drawn for it, or else what `draw` returns."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
            mine = Future[bytes]()
            waiting = self._drawing.get(key)
            if waiting is None:
                self._drawing[key] = mine
        if waiting is not None:
            return waiting.result()
        try:
            image = draw()
        except BaseException as error:
            with self._lock:
                del self._drawing[key]
            mine.set_exception(error)
            raise
        with self._lock:
            del self._drawing[key]
            self._keep(key, image)
        mine.set_result(image)
        return image

    def clear(self) -> None:
        """Let go of all images."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0

    def _keep(self, key: Hashable, image: bytes) -> None:
        if len(image) + _BESIDE > self._most:
            return
        self._kept[key] = image
        self._bytes += len(image) + _BESIDE
        while self._bytes > self._most:
            _, gone = self._kept.popitem(last=False)
            self._bytes -= len(gone) + _BESIDE
