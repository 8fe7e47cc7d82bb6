"""Refs: the short handle that a model writes for a passage."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from pincite.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

SHORTEST = 8
"""Code points of the shortest ref."""


class RefIssuer:
    """Issues refs that stay unique over a whole conversation.

    A ref is a prefix of the passage's canonical id, `SHORTEST` characters or longer, never ending in a hyphen,
    extended until it is unlike every ref already issued or reserved. It is looked up by equality, so one that was
    issued earlier stays valid for its passage whatever is issued later. Threads may share an issuer.
    """

    __slots__ = ("_by_chunk", "_by_ref", "_lock", "_reserved")

    def __init__(self) -> None:
        self._by_ref: dict[str, str] = {}
        self._by_chunk: dict[str, str] = {}
        self._reserved: dict[str, str] = {}
        self._lock = threading.Lock()

    def issue(self, chunk_id: str) -> str:
        """Return the ref of `chunk_id`, the same one each time.

        Raises:
            InputError: every prefix of `chunk_id` that may serve belongs to another passage.
        """
        known = self._by_chunk.get(chunk_id)
        if known is not None:
            return known
        with self._lock:
            known = self._by_chunk.get(chunk_id)  # another thread may have issued it just now
            if known is not None:
                return known
            issued, reserved = self._by_ref, self._reserved
            for length in range(SHORTEST, len(chunk_id) + 1):
                ref = chunk_id[:length]
                if ref in issued or ref[-1] == "-" or (reserved and reserved.get(ref, chunk_id) != chunk_id):
                    continue
                issued[ref] = chunk_id
                self._by_chunk[chunk_id] = ref
                return ref
        msg = f"No ref is left for {chunk_id[:60]!r}: an id has at least {SHORTEST} characters."
        raise InputError(msg, field="chunk_id")

    def reserve(self, name: str, owner: str) -> str:
        """Keep `name` from being issued to any passage but `owner`; return whose it is, `owner` or another.

        It is for handles that were not issued here and that a conversation uses all the same. They are not
        exported: who reserved them does so again.
        """
        with self._lock:
            issued = self._by_ref.get(name)
            return issued if issued is not None else self._reserved.setdefault(name, owner)

    def owner_of(self, name: str) -> str | None:
        """Return the passage that `name` was issued to or reserved for, or None."""
        issued = self._by_ref.get(name)
        return issued if issued is not None else self._reserved.get(name)

    def chunk_of(self, ref: str) -> str | None:
        """Return the passage that `ref` was issued for, or None."""
        return self._by_ref.get(ref)

    def ref_of(self, chunk_id: str) -> str | None:
        """Return the ref issued for `chunk_id`, or None."""
        return self._by_chunk.get(chunk_id)

    def __len__(self) -> int:
        return len(self._by_ref)

    def __contains__(self, ref: str) -> bool:
        return ref in self._by_ref

    def export(self) -> dict[str, str]:
        """Return every ref and its passage in order of issue, as JSON may hold it."""
        return dict(self._by_ref)

    @classmethod
    def load(cls, issued: Mapping[str, str]) -> RefIssuer:
        """Build an issuer that has already issued `issued`.

        Raises:
            InputError: a ref is not a prefix of its passage's id, or a passage has two refs.
        """
        issuer = cls()
        for ref, chunk_id in issued.items():
            fits = chunk_id.startswith(ref) and len(ref) >= SHORTEST and not ref.endswith("-")
            if not fits or chunk_id in issuer._by_chunk:
                msg = f"{ref[:60]!r} is no ref of {chunk_id[:60]!r}."
                raise InputError(msg, field="refs")
            issuer._by_ref[ref] = chunk_id
            issuer._by_chunk[chunk_id] = ref
        return issuer
