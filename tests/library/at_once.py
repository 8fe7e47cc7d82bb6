"""Threads of a test that begin at the same moment."""

from __future__ import annotations

from threading import Barrier, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def at_once(count: int, work: Callable[[int], object]) -> list[BaseException]:
    """Let `count` threads do `work` at the same moment; return what they raised."""
    barrier, raised = Barrier(count), list[BaseException]()

    def one(number: int) -> None:
        try:
            barrier.wait()
            work(number)
        except BaseException as error:  # noqa: BLE001 - told to the test
            raised.append(error)

    threads = [Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised
