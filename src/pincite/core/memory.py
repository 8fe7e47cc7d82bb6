"""Stores in memory, for tests and for those who keep their own: evidence, and ledgers between requests."""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from pincite.core.errors import InputError, MalformedIdError
from pincite.core.given import of_kind
from pincite.core.ids import SpanEvidenceId, parse_evidence_id
from pincite.core.ledger import Ledger
from pincite.core.limits import DEFAULT, Limits
from pincite.core.stretches import Texts

if TYPE_CHECKING:
    from pincite.core.locators import Locator
    from pincite.core.protocols import EvidenceText
    from pincite.core.scope import Scope


class _VersionTexts:
    """The texts of one version whose place is known, in order, and what they are together."""

    __slots__ = ("pieces", "starts", "texts")

    def __init__(self, pieces: Iterable[EvidenceText]) -> None:
        self.pieces = sorted(pieces, key=_place)
        self.starts = [piece.start for piece in self.pieces]
        self.texts = Texts()
        for piece in self.pieces:
            self.texts.add(piece.start, piece.text)


class MemoryEvidenceStore:
    """An `EvidenceStore` over texts in memory.

    It finds each text under its own id, and any span out of the texts of one version: touching texts count as one.
    Of a span that is there in parts only, it gives the longest part.
    """

    __slots__ = ("_texts", "_versions")

    def __init__(self, texts: Iterable[EvidenceText] | Mapping[str, EvidenceText] = ()) -> None:
        values = cast("Iterable[EvidenceText]", texts.values() if isinstance(texts, Mapping) else texts)
        self._texts = {text.evidence_id: text for text in values}
        placed: dict[tuple[str, str], list[EvidenceText]] = {}
        for text in self._texts.values():
            if text.end - text.start == len(text.text):
                placed.setdefault((text.document_id, text.version), []).append(text)
        self._versions = {version: _VersionTexts(pieces) for version, pieces in placed.items()}

    async def read(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
        """Return one entry per id in order, None where there is none in scope."""
        found = [self._texts.get(name) or self._span(name) for name in ids]
        return [text if text and text.document_id in scope else None for text in found]

    def _span(self, name: str) -> EvidenceText | None:
        try:
            parsed = parse_evidence_id(name)
        except MalformedIdError:
            return None
        held = self._versions.get((parsed.document_id, parsed.version))
        if held is None or not isinstance(parsed, SpanEvidenceId):
            return None
        parts = held.texts.within(parsed.start, parsed.end)
        if not parts:
            return None
        start, text = max(parts, key=_length)
        # Titles and places are those of the text that the span begins in.
        first = held.pieces[max(0, bisect_right(held.starts, start) - 1)]
        last = held.pieces[max(0, bisect_right(held.starts, start + len(text) - 1) - 1)]
        locator = _over(first.locator, last.locator)
        return replace(
            first, evidence_id=name, start=start, end=start + len(text), text=text, locator=locator
        )


def _place(text: EvidenceText) -> tuple[int, int]:
    return text.start, text.end


def _length(part: tuple[int, str]) -> int:
    return len(part[1])


def _over(first: Locator, last: Locator) -> Locator:
    """Return the place of what begins at one place and ends at another."""
    if first == last:
        return first
    return replace(
        first,
        page_end=last.page_end if last.page_end is not None else last.page,
        line_end=last.line_end if last.line_end is not None else last.line,
    )


@dataclass(slots=True)
class _Kept:
    """What is kept of a client; `returned` says that it is no newcomer, or one that came back."""

    saved: float
    ledger: Ledger
    returned: bool


class MemoryLedgerStore:
    """A `LedgerStore` in memory: of at most `clients` clients, each for `seconds` after it was last saved.

    Who was saved as a newcomer, and was neither loaded nor saved
    since, is counted apart among `newcomers`: those push out nobody else.
    """

    __slots__ = ("_clients", "_clock", "_kept", "_limits", "_lock", "_newcomers", "_seconds")

    def __init__(
        self,
        *,
        clients: int | None = None,
        newcomers: int | None = None,
        seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        limits: Limits = DEFAULT,
    ) -> None:
        """`clients`, `newcomers` and `seconds` are those of `limits` unless they are given; `clock` tells seconds."""
        self._clients = limits.ledger_clients if clients is None else clients
        self._newcomers = limits.ledger_newcomers if newcomers is None else newcomers
        self._seconds = limits.ledger_seconds if seconds is None else seconds
        self._clock = clock
        self._limits = limits
        # By client, those saved last at the end.
        self._kept: dict[str, _Kept] = {}
        self._lock = threading.Lock()

    async def load(self, client: str, evidence_ids: Iterable[str] | None = None) -> Ledger | None:
        """Return a ledger of its own with all that was saved for `client`, or None.

        With `evidence_ids` it is what was saved of these alone.

        Raises:
            InputError: `client` is no name.
        """
        check_client(client)
        with self._lock:
            self._forget()
            kept = self._kept.get(client)
            if kept is None:
                return None
            if not kept.returned:
                kept.returned = True
                self._bound()
            entries = kept.ledger.export(texts=True, evidence_ids=evidence_ids)
        return Ledger.load(entries, limits=self._limits)

    async def save(self, client: str, ledger: Ledger, *, newcomer: bool = False) -> None:
        """Add what a ledger holds to what is kept for `client`.

        Raises:
            InputError: `client` is no name, or `ledger` is none.
        """
        check_client(client)
        of_kind(ledger, Ledger, "ledger", "a ledger")
        with self._lock:
            self._forget()
            kept = self._kept.pop(client, None)
            if kept is None:
                kept = _Kept(self._clock(), Ledger(limits=self._limits), not newcomer)
            else:
                kept.returned = True
            kept.ledger.merge(ledger)
            kept.saved = self._clock()
            self._kept[client] = kept
            self._bound()

    def _bound(self) -> None:
        """Forget the clients that were saved longest ago when there are too many, newcomers among newcomers."""
        for returned, most in ((False, self._newcomers), (True, self._clients)):
            alike = [name for name, kept in self._kept.items() if kept.returned is returned]
            for client in alike[: max(0, len(alike) - most)]:
                del self._kept[client]

    def _forget(self) -> None:
        oldest = self._clock() - self._seconds
        for client in [name for name, kept in self._kept.items() if kept.saved < oldest]:
            del self._kept[client]


def check_client(client: str) -> None:
    """Check the name of a client.

    Raises:
        InputError: it is empty or no text.
    """
    if not isinstance(client, str) or not client:  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = "A client has a name."
        raise InputError(msg, field="client")
