"""How many passages hold each term: exact, additive, and small enough to be read by every node."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

_TOTAL = 0
"""The key that counts the passages themselves."""
_KEY = struct.Struct("<Q")


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Keys of terms (64 bits of a hash, sorted) and how many passages hold each."""

    keys: NDArray[np.uint64]
    numbers: NDArray[np.int64]

    @classmethod
    def of(cls, put: Iterable[str], dropped: Iterable[str]) -> Counts:
        """Count the passages `put` less those `dropped`, each given as its terms with spaces between."""
        counter: Counter[str] = Counter()
        total = 0
        for terms in put:
            counter.update(set(terms.split(" ")))
            total += 1
        for terms in dropped:
            counter.subtract(set(terms.split(" ")))
            total -= 1
        changed = {_key(term): count for term, count in counter.items() if count and term}
        changed[_TOTAL] = total
        keys = np.fromiter(changed.keys(), np.uint64, len(changed))
        numbers = np.fromiter(changed.values(), np.int64, len(changed))
        order = np.argsort(keys)
        return cls(keys[order], numbers[order])

    @classmethod
    def sum(cls, parts: Sequence[Counts]) -> Counts:
        """Return the counts of all `parts` together, without terms that no passage holds any more."""
        if not parts:
            return cls(np.zeros(0, np.uint64), np.zeros(0, np.int64))
        keys, places = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
        numbers = np.zeros(len(keys), np.int64)
        np.add.at(numbers, places, np.concatenate([part.numbers for part in parts]))
        held = (numbers != 0) | (keys == _TOTAL)
        return cls(keys[held], numbers[held])

    @classmethod
    def unpack(cls, data: bytes) -> Counts:
        """Build counts from what `pack` made.

        Raises:
            ValueError: it did not.
        """
        try:
            plain = zlib.decompress(data)
        except zlib.error as error:
            msg = "Counts of terms are damaged."
            raise ValueError(msg) from error
        half = len(plain) // 2
        return cls(np.frombuffer(plain[:half], "<u8"), np.frombuffer(plain[half:], "<i8"))

    def pack(self) -> bytes:
        """Return the counts as they are stored."""
        return zlib.compress(self.keys.astype("<u8").tobytes() + self.numbers.astype("<i8").tobytes(), 1)

    @property
    def total(self) -> int:
        """How many passages there are."""
        return self._at(_TOTAL)

    def holding(self, term: str) -> int:
        """Return how many passages hold `term`."""
        return self._at(_key(term))

    def _at(self, key: int) -> int:
        wanted = np.uint64(key)
        place = int(np.searchsorted(self.keys, wanted))
        found = place < len(self.keys) and self.keys[place] == wanted
        return int(self.numbers[place]) if found else 0


def _key(term: str) -> int:
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    # 0 is the total's; sharing a key with one term in 2 to the 64 does no harm.
    return _KEY.unpack(digest)[0] or 1
