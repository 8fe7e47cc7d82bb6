"""An answer that is still being written: text as it comes, and each citation as soon as its marker is complete.

The deltas join to the answer's text exactly, and the last event carries what resolving the whole text gives. What
may still become a marker is held back, and nothing else: at most `marker_code_points` of text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite._quick import maker
from pincite.citing.occurrence import UNSETTLED, checked_text
from pincite.core.citation import Citation

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator

    from pincite.citing.deferred import DeferredBars
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
# Pieces whose deltas are kept to be used again: the tokens of a language are few and come often.
_KEPT = 8_192

StreamEvent = TextDelta | CitationFound | MissFound | Finished

_MORE: list[StreamEvent] = []
_new = object.__new__
# Setting a slot by its descriptor is what being frozen forbids, and ten times as fast as what it allows.
_set_text = TextDelta.__dict__["text"].__set__


_cited, _missed = maker(CitationFound), maker(MissFound)


def _tells(_piece: str) -> bool:
    return False


def _delta(text: str) -> TextDelta:
    made = _new(TextDelta)
    _set_text(made, text)
    return made


class StreamResolution:
    """Resolves one answer piece by piece: `feed` each piece, then `finish`; each returns the events that follow.

    Other shapes of streaming are built on it; `CitationRun.stream` is the plain one.
    """

    __slots__ = (
        "_bars", "_embedder", "_emitted", "_fresh", "_is_dull", "_opening", "_resolver", "_room", "_scanner",
        "_seen", "_text", "_total", "_unsaid",
    )  # fmt: skip

    def __init__(
        self,
        resolver: Resolver,
        *,
        limits: Limits,
        embedder: Embedder | None = None,
        bars: DeferredBars | None = None,
    ) -> None:
        # Their patterns take longer to compile than the base import may.
        from pincite.citing._opening import opening
        from pincite.citing._scan import Scanner

        self._resolver = resolver
        self._scanner = Scanner(None, limits=limits)
        self._opening = opening(self._scanner.extra)
        self._embedder = embedder
        self._bars = bars
        # The text as far as the scan has it, and the pieces that it has not been given.
        self._text: list[str] = []
        self._fresh: list[str] = []
        # Code points that the scan has, that were emitted of them, and that are held back of all there is.
        self._total = 0
        self._emitted = 0
        self._unsaid = 0
        self._seen = 0
        # What settles nothing need not be scanned at once, as long as there is room for it.
        self._is_dull = self._scanner.quiet
        self._room = _ENDLESS

    @property
    def held(self) -> int:
        """Code points that were fed and are held back."""
        return self._unsaid

    def feed(self, piece: str) -> list[StreamEvent]:
        """Take in the next piece of the answer; return the events that it settles.

        Raises:
            InputError: it is no string.
        """
        length = len(checked_text(piece))
        held = self._unsaid
        self._fresh.append(piece)
        self._room -= length
        if self._room <= 0 or not self._is_dull(piece):
            return self._run(held + length)
        if held:
            self._unsaid = held + length
        return [_delta(piece)] if piece and not held else []

    def follow(  # noqa: C901, PLR0912, PLR0915 - one loop, since a call costs more than what it would do
        self, pieces: Iterable[str]
    ) -> Iterator[StreamEvent]:
        """Feed all `pieces`, then finish; yield the events as they are settled."""
        # This is `feed` with everything at hand, since it runs for each token of each answer; and where a piece
        # ends in what can only be a beginning, it waits for more before it has that scanned.
        fresh, opening, at_once = self._fresh.append, self._opening, self._at_once
        quiet, limit, may_grow = self._scanner.quiet, self._scanner.limit, self._opening.may_grow
        said: dict[str, TextDelta] = {}
        said_before = said.get
        is_dull, room, held = self._is_dull, self._room, self._unsaid
        # What may be a marker begins with `begun`; `most` is the room there was when nothing of it was held.
        begun, most = "", room + held
        piece = ""
        try:
            for piece in pieces:
                if room == _ENDLESS:
                    made = said_before(piece)
                    if made is not None:
                        fresh(piece)
                        yield made
                        continue
                    if quiet(checked_text(piece)):
                        if piece:
                            fresh(piece)
                            made = _delta(piece)
                            if len(said) < _KEPT:
                                said[piece] = made
                            yield made
                        continue
                    fresh(piece)
                    start = opening.start(piece)
                    if start >= 0:
                        if start:
                            yield _delta(piece[:start])
                        begun = piece[start:]
                        held, most, room = 1, limit, limit - len(begun)
                        continue
                    yield from self._run(len(piece))
                else:
                    room -= len(piece)
                    fresh(piece)
                    if begun:
                        begun += piece
                        found = may_grow(begun)
                        if found is not None and room > 0:
                            if found.lastgroup is not None:
                                is_dull, begun = opening.is_dull[found.lastgroup], ""
                            continue
                    elif is_dull(piece) and room > 0:
                        if not held and piece:
                            yield _delta(checked_text(piece))
                        continue
                    unsaid = most - room if held else len(piece)
                    told = at_once(unsaid) if most == limit and room > 0 else None
                    if told is _MORE:
                        is_dull, begun = _tells, ""
                        continue
                    yield from self._run(unsaid) if told is None else told
                is_dull, room, held, begun = self._is_dull, self._room, self._unsaid, ""
                most = room + held
        except TypeError:
            # Only a piece that is no string is at fault here: say so.
            checked_text(piece)
            raise
        self._unsaid = most - room if held else 0
        yield from self.finish()

    def finish(self) -> list[StreamEvent]:
        """Say that the answer ends; return the last events, of which the last is `Finished`."""
        events = self._run(self._unsaid, final=True)
        scanner, resolver = self._scanner, self._resolver
        whole, told = "".join(self._text), {one.anchor for one in resolver.citations}
        if resolver.is_outdated:
            # What was registered while the answer came may be what it cites.
            resolver = resolver.again()
            for occurrence in scanner.occurrences:
                resolver.take(occurrence)
        answer = resolver.finish(whole, scanner.found(), embedder=self._embedder, bars=self._bars)
        # What was matched after generation, or registered late, is known only now.
        events += [CitationFound(one) for one in answer.citations if one.anchor not in told]
        return [*events, Finished(answer)]

    def _at_once(self, unsaid: int) -> list[StreamEvent] | None:
        """Tell of what came since where it is text and one plain marker, `unsaid` code points before its end.

        None says that it has to be scanned, `_MORE` that the next piece tells.
        """
        fresh = self._fresh
        piece = "".join(fresh)
        start = len(piece) - unsaid
        if start < 0:
            return None
        end = self._scanner.take_plain(piece, start)
        if end < 0:
            return _MORE if end == UNSETTLED else None
        fresh.clear()
        self._text.append(piece)
        self._total = self._emitted = self._total + len(piece)
        self._unsaid = 0
        self._is_dull, self._room = self._scanner.quiet, _ENDLESS
        self._seen += 1
        events: list[StreamEvent] = [
            _cited(one) if one.__class__ is Citation else _missed(one)
            for one in self._resolver.take(self._scanner.occurrences[-1])
        ]
        events.append(_delta(piece[start:end]))
        if end < len(piece):
            events.append(_delta(piece[end:]))
        return events

    def _run(self, unsaid: int, *, final: bool = False) -> list[StreamEvent]:
        """Scan what came since; of all there is, `unsaid` code points were not emitted yet."""
        scanner, fresh = self._scanner, self._fresh
        events: list[StreamEvent] = []
        piece = fresh[0] if len(fresh) == 1 else "".join(fresh)
        fresh.clear()
        self._text.append(piece)
        self._total = total = self._total + len(piece)
        self._emitted = total - unsaid
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
        self._unsaid = total - self._emitted
        return events

    def _tell(self, found: Iterable[Occurrence], events: list[StreamEvent]) -> None:
        """Tell what each occurrence is, before the piece of text that is its marker."""
        marker = None
        take = self._resolver.take
        for occurrence in found:
            if occurrence.marker is not marker:
                if marker is not None:
                    self._emit(events, marker[1])
                marker = occurrence.marker
                if marker[0] > self._emitted:
                    self._emit(events, marker[0])
            for one in take(occurrence):
                events.append(_cited(one) if one.__class__ is Citation else _missed(one))  # noqa: PERF401 - mostly one
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
