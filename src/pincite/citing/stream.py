"""An answer that is still being written: text as it comes, and each citation as soon as its marker is complete.

The deltas join to the answer's text exactly, and the last event carries what resolving the whole text gives. What
may still become a marker is held back, and nothing else: at most `marker_code_points` of text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.citing.occurrence import checked_text
from pincite.core.citation import Citation

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator

    from pincite.citing.occurrence import Occurrence
    from pincite.citing.resolve import Resolver
    from pincite.core.answer import Answer, Miss
    from pincite.core.limits import Limits
    from pincite.core.protocols import Embedder


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer's text, as the model wrote it. A marker is a piece of its own."""

    text: str


@dataclass(frozen=True, slots=True)
class CitationFound:
    """A citation; the piece of text that is its marker comes next."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class MissFound:
    """Something that looks like a citation and is none; the piece of text that it is comes next."""

    miss: Miss


@dataclass(frozen=True, slots=True)
class Finished:
    """The end: the answer that resolving the whole text gives."""

    answer: Answer


# Room for text that nothing can be made of.
_ENDLESS = 10**15

StreamEvent = TextDelta | CitationFound | MissFound | Finished

_new = object.__new__
# Setting a slot by its descriptor is what being frozen forbids, and ten times as fast as what it allows.
_set_text = TextDelta.__dict__["text"].__set__


def _delta(text: str) -> TextDelta:
    made = _new(TextDelta)
    _set_text(made, text)
    return made


class StreamResolution:
    """Resolves one answer piece by piece: `feed` each piece, then `finish`; each returns the events that follow.

    Other shapes of streaming are built on it; `CitationRun.stream` is the plain one.
    """

    __slots__ = (
        "_embedder", "_emitted", "_flows", "_fresh", "_is_dull", "_resolver", "_room", "_scanner", "_seen", "_text", "_total",
    )  # fmt: skip

    def __init__(self, resolver: Resolver, *, limits: Limits, embedder: Embedder | None = None) -> None:
        from pincite.citing._scan import (
            Scanner,
        )  # its patterns take longer to compile than the base import may

        self._resolver = resolver
        self._scanner = Scanner(None, limits=limits)
        self._embedder = embedder
        # The text as far as the scan has it, and the pieces that it has not been given; code points of both.
        self._text: list[str] = []
        self._fresh: list[str] = []
        self._total = 0
        self._emitted = 0
        self._flows = True
        self._seen = 0
        # What settles nothing need not be scanned at once, as long as there is room for it.
        self._is_dull = self._scanner.quiet
        self._room = _ENDLESS

    @property
    def held(self) -> int:
        """Code points that were fed and are held back."""
        return 0 if self._flows else self._total + sum(map(len, self._fresh)) - self._emitted

    def feed(self, piece: str) -> list[StreamEvent]:
        """Take in the next piece of the answer; return the events that it settles.

        Raises:
            InputError: it is no string.
        """
        self._room -= len(checked_text(piece))
        self._fresh.append(piece)
        if self._room <= 0 or not self._is_dull(piece):
            return self._run(piece)
        return [_delta(piece)] if self._flows and piece else []

    def follow(self, pieces: Iterable[str]) -> Iterator[StreamEvent]:
        """Feed all `pieces`, then finish; yield the events as they are settled."""
        # This is `feed` with everything at hand: it runs for each token of each answer.
        fresh, settle = self._fresh.append, self._run
        is_dull, room, flows = self._is_dull, self._room, self._flows
        for piece in pieces:
            if piece.__class__ is not str:
                checked_text(piece)
            room -= len(piece)
            fresh(piece)
            if room <= 0 or not is_dull(piece):
                yield from settle(piece)
                is_dull, room, flows = self._is_dull, self._room, self._flows
            elif flows and piece:
                made = _new(TextDelta)
                _set_text(made, piece)
                yield made
        yield from self.finish()

    def finish(self) -> list[StreamEvent]:
        """Say that the answer ends; return the last events, of which the last is `Finished`."""
        events = self._run("", final=True)
        scanner, resolver = self._scanner, self._resolver
        whole, told = "".join(self._text), {id(one) for one in resolver.citations}
        answer = resolver.finish(whole, scanner.code, scanner.links, embedder=self._embedder)
        # What is matched after generation is known only now.
        events += [CitationFound(one) for one in resolver.citations if id(one) not in told]
        return [*events, Finished(answer)]

    def _run(self, last: str, *, final: bool = False) -> list[StreamEvent]:
        """Scan what came since; `last` is the piece of it that nothing has been said of yet."""
        scanner, fresh = self._scanner, self._fresh
        events: list[StreamEvent] = []
        piece = fresh[0] if len(fresh) == 1 else "".join(fresh)
        fresh.clear()
        self._text.append(piece)
        total = self._total + len(piece)
        if self._flows:
            self._emitted = total - len(last)
        self._total = total
        scanner.extend(piece)
        scanner.run(final=final)
        found = scanner.occurrences
        if len(found) > self._seen:
            self._tell(found[self._seen :], events)
            self._seen = len(found)
        if scanner.pending:
            until = scanner.held
            self._is_dull = scanner.is_dull
            self._room = scanner.deadline - total
        else:
            until = total
            self._is_dull = scanner.quiet
            self._room = _ENDLESS
        if until > self._emitted:
            self._emit(events, until)
        self._flows = until >= total
        return events

    def _tell(self, found: Iterable[Occurrence], events: list[StreamEvent]) -> None:
        """Tell what each occurrence is, before the piece of text that is its marker."""
        marker = None
        for occurrence in found:
            if occurrence.marker is not marker:
                if marker is not None:
                    self._emit(events, marker[1])
                marker = occurrence.marker
                self._emit(events, marker[0])
            for one in self._resolver.take(occurrence):
                events.append(CitationFound(one) if one.__class__ is Citation else MissFound(one))  # type: ignore[arg-type]  # noqa: PERF401 - what is told is seldom more than one
        if marker is not None:
            self._emit(events, marker[1])

    def _emit(self, events: list[StreamEvent], until: int) -> None:
        """Let go of the text up to code point `until` of the whole."""
        start = self._emitted
        if until > start:
            base = self._scanner.base
            events.append(_delta(self._scanner.text[start - base : until - base]))
            self._emitted = until


async def stream(
    resolution: StreamResolution, pieces: AsyncIterable[str] | Iterable[str]
) -> AsyncIterator[StreamEvent]:
    """Yield the events of an answer that comes in `pieces`, the last of them `Finished`."""
    feed = resolution.feed
    if hasattr(pieces, "__aiter__"):
        async for piece in pieces:  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType] - it has just been looked at
            for event in feed(piece):  # pyright: ignore[reportUnknownArgumentType]
                yield event
    else:
        for piece in pieces:  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
            for event in feed(piece):  # pyright: ignore[reportUnknownArgumentType]
                yield event
    for event in resolution.finish():
        yield event
