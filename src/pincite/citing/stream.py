"""An answer that is still being written: text as it comes, and each citation as soon as its marker is complete.

The deltas join to the answer's text exactly, and the last event carries what resolving the whole text gives. What
may still become a marker is held back, and nothing else: at most `marker_code_points` of text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite._quick import maker
from pincite.citing._bare import has_bare_ids
from pincite.citing._opening import EVIDENCE, KEYS, RAISED, opening, plain_marker
from pincite.citing._scan import Scanner, scan
from pincite.citing.occurrence import UNKNOWN, UNSETTLED, checked_text
from pincite.core.citation import Citation

if TYPE_CHECKING:
    import re
    from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Sequence

    from pincite.citing._scan import Scan
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
# Code points of what is waited for without a scan; what grows longer is scanned.
_SHORT = 400
# Pieces whose deltas are kept to be used again: the tokens of a language are few and come often.
_KEPT = 8_192

StreamEvent = TextDelta | CitationFound | MissFound | Finished
"""What a stream tells of, in the order of the text."""

_new = object.__new__
# Setting a slot by its descriptor is what being frozen forbids, and ten times as fast as what it allows.
_set_text = TextDelta.__dict__["text"].__set__


_cited, _missed = maker(CitationFound), maker(MissFound)


def _delta(text: str) -> TextDelta:
    made = _new(TextDelta)
    _set_text(made, text)
    return made


class StreamResolution:
    """Resolves one answer piece by piece: `feed` each piece, then `finish`; each returns the events that follow.

    Other shapes of streaming are built on it; `CitationRun.stream` is the plain one.
    """

    __slots__ = (
        "_bars", "_embedder", "_emitted", "_fresh", "_ids", "_is_dull", "_is_scanned", "_limits", "_opening",
        "_resolver", "_room", "_scan", "_scanner", "_text", "_total", "_unsaid",
    )  # fmt: skip

    def __init__(
        self,
        resolver: Resolver,
        *,
        limits: Limits,
        embedder: Embedder | None = None,
        bars: DeferredBars | None = None,
    ) -> None:
        self._resolver = resolver
        self._limits = limits
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
        # Evidence ids that were entered without a scan.
        self._ids = 0
        # What settles nothing need not be scanned at once, as long as there is room for it.
        self._is_dull = self._scanner.quiet
        self._room = _ENDLESS
        # Whether nothing was entered without a scan, and what the whole scan found.
        self._is_scanned = True
        self._scan: Scan | None = None

    @property
    def held(self) -> int:
        """Code points that were fed and are held back."""
        return self._unsaid

    @property
    def occurrences(self) -> Sequence[Occurrence]:
        """What the scan found so far, in order. It holds none of what `follow` enters without a scan."""
        return self._scanner.occurrences

    @property
    def scan(self) -> Scan | None:
        """What the scan of the whole text found, once that ended; None where `follow` entered markers without it."""
        return self._scan

    def is_code(self, at: int) -> bool:
        """Say of a code point that was emitted whether it stands in code or a comment."""
        return self._scanner.is_code(at)

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
        # This is `feed` with everything at hand, since it runs for each token of each answer. Where a piece ends in
        # what can only be a beginning it waits for more, and a plain marker is entered without being scanned.
        scanner, fresh, room = self._scanner, self._fresh, min(self._scanner.limit, _SHORT)
        quiet, plain, keep, enter = scanner.quiet, scanner.plain, fresh.append, self._enter
        begins, may_grow, ends = self._opening
        # What is told of pieces that come often: their delta, and where and how a marker begins in them.
        said: dict[str, TextDelta] = {}
        said_before = said.get
        begun: dict[str, tuple[int, TextDelta | None, str]] = {}
        begun_before = begun.get
        piece = ""
        coming = iter(pieces)
        is_open = self._room != _ENDLESS
        try:
            for piece in coming:
                if is_open:
                    yield from self.feed(piece)
                    is_open = self._room != _ENDLESS
                    continue
                made = said_before(piece)
                if made is not None:
                    keep(piece)
                    yield made
                    continue
                beginning = begun_before(piece)
                if beginning is None:
                    if quiet(checked_text(piece)):
                        if piece:
                            keep(piece)
                            made = _delta(piece)
                            if len(said) < _KEPT:
                                said[piece] = made
                            yield made
                        continue
                    found = begins(piece)
                    if found is None:
                        yield from self.feed(piece)
                        is_open = self._room != _ENDLESS
                        continue
                    at = found.start(1)
                    made = _delta(piece[:at]) if at else None
                    beginning = at - len(piece), made, ends[found.lastgroup]
                    if len(begun) < _KEPT:
                        begun[piece] = beginning
                if not scanner.is_clear:
                    yield from self.feed(piece)
                    is_open = self._room != _ENDLESS
                    continue
                start, made, end = beginning
                if made is not None:
                    yield made
                keep(piece)
                whole = "".join(fresh)
                start += len(whole)
                most = start + room
                marker: re.Match[str] | int = UNSETTLED
                for piece in coming:  # noqa: PLW2901 - the same pieces, further on
                    whole += piece
                    if end not in piece and "\n" not in piece and len(whole) < most:
                        continue
                    marker = plain(whole, start)
                    if not isinstance(marker, int):
                        break
                    grown = may_grow(whole, start) if len(whole) < most else None
                    if grown is not None:
                        end = ends[grown.lastgroup]
                    elif marker == UNKNOWN:
                        break
                if isinstance(marker, int):
                    fresh[:] = [whole]
                    self._unsaid = len(whole) - start
                    if marker == UNKNOWN:
                        yield from self._run(self._unsaid)
                        is_open = self._room != _ENDLESS
                    continue
                fresh.clear()
                told = enter(whole, start, marker)
                for one in told:
                    yield _cited(one) if one.__class__ is Citation else _missed(one)
                until = marker.end()
                yield _delta(whole[start:until])
                if until < len(whole):
                    yield _delta(whole[until:])
        except TypeError:
            # Only a piece that is no string is at fault here: say so.
            checked_text(piece)
            raise
        yield from self.finish()

    def finish(self) -> list[StreamEvent]:
        """Say that the answer ends; return the last events, of which the last is `Finished`."""
        events = self._run(self._unsaid, final=True)
        scanner, resolver = self._scanner, self._resolver
        whole, told = "".join(self._text), len(resolver.citations)
        found = scanner.found()
        ids = self._ids + sum(one.form == "evidence_id" for one in found.occurrences)
        if resolver.is_outdated or has_bare_ids(whole, ids):
            # What was registered while the answer came may be what it cites, and ids may stand there without brackets.
            resolver, found = resolver.again(), scan(whole, limits=self._limits)
            for occurrence in found.occurrences:
                resolver.take(occurrence)
            self._is_scanned = True
        self._scan = found if self._is_scanned else None
        answer = resolver.finish(whole, found, embedder=self._embedder, bars=self._bars)
        # What was matched after generation, registered late, or stands without brackets, is known only now.
        if len(answer.citations) != told:
            before = {one.anchor for one in self._resolver.citations[:told]}
            events += [CitationFound(one) for one in answer.citations if one.anchor not in before]
        if resolver is not self._resolver:
            missed = {(one.start, one.end) for one in self._resolver.misses}
            events += [MissFound(one) for one in answer.misses if (one.start, one.end) not in missed]
        return [*events, Finished(answer)]

    def _enter(self, piece: str, start: int, found: re.Match[str]) -> tuple[Citation | Miss, ...]:
        """Take in `piece`, in which nothing but the plain marker `found` has to be looked at; return what that is."""
        offset = self._total
        self._text.append(piece)
        self._total = offset + len(piece)
        self._scanner.skip(piece)
        self._is_scanned = False
        kind = found.lastindex or 0
        self._ids += kind == EVIDENCE
        if kind in KEYS:
            key = int(found[kind]) if kind == RAISED else found[kind]
            one = self._resolver.cite_again(key, offset + start, offset + found.end(), found.group())
            if one is not None:
                return (one,)
        occurrence = plain_marker(found, self._scanner.wanted, offset + start, offset + found.end())
        return () if occurrence is None else self._resolver.take(occurrence)

    def _run(self, unsaid: int, *, final: bool = False) -> list[StreamEvent]:
        """Scan what came since; of all there is, `unsaid` code points were not emitted yet."""
        scanner, fresh = self._scanner, self._fresh
        events: list[StreamEvent] = []
        piece = fresh[0] if len(fresh) == 1 else "".join(fresh)
        fresh.clear()
        self._text.append(piece)
        self._total = total = self._total + len(piece)
        self._emitted = total - unsaid
        found = scanner.occurrences
        seen = len(found)
        scanner.extend(piece)
        scanner.run(final=final)
        if len(found) > seen:
            self._tell(found[seen:], events)
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
