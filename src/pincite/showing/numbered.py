r"""The answer's own text with `[n]` in place of each marker, whole or while it is written, with offsets both ways.

It is what a chat shows while a model writes. Nothing else of the text is changed, but for backslashes, which no page
shows: a bracketed number that the model typed itself closes with one (`[1\]`), so that outside of code only ours stand
there as `[1]`; and what would make a link or a definition of a number, or a link around one, has one too. A number
never leads anywhere but to its source. A link of the model's whose words read as a number, or hold one in brackets, is
text too, whether that is spelt with entities, in elements, in code or with other digits; of its words the last 240 code
points are looked at.

What stays are groups and ranges (`[1, 2]`), brackets of other scripts, and what reads as `[1]` only once it is rendered
(`&#91;1]`, `[<b></b>1]`, `[1<!---->]`): it stands nowhere as `[1]`, and leads nowhere. So a client finds our numbers in
this text, or by their places, never among the words of a rendered page. Letters that look like digits are letters, and
elements of HTML are for the client to leave out. `render_answer` is the form for a finished answer, in which nothing at
all can act.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite._quick import without_collecting
from pincite.citing._scan import scan
from pincite.citing.deferred import number_position
from pincite.citing.resolve import source_key
from pincite.citing.stream import CitationFound, Finished, MissFound, TextDelta
from pincite.core.citation import Citation, MarkerCitationAnchor
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import MissReason
from pincite.showing._addresses import TAIL, ends_in_address
from pincite.showing._brackets import Brackets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pincite.citing._scan import Scan
    from pincite.citing.occurrence import Occurrence
    from pincite.citing.stream import StreamEvent, StreamResolution
    from pincite.core.answer import Answer, Miss
    from pincite.core.citation import CitationSource

# Code points of a text for each thing that is made of it.
_THING = 16
# Misses that stay as they are written.
_STAY = (MissReason.IN_CODE, MissReason.IN_LINK)


@dataclass(frozen=True, slots=True)
class NumberedText:
    """An answer's text with numbers in place of markers. All offsets are code points.

    `places` has, for each citation with a marker, where its number stands: `(start, end)` by the anchor's `(start,
    end)`. `moves` are the places at which the two texts go apart, as `(in the answer, here)`, in order.
    """

    text: str
    places: dict[tuple[int, int], tuple[int, int]]
    moves: tuple[tuple[int, int], ...]

    def at(self, offset: int) -> int:
        """Return where code point `offset` of the answer's text stands here; of what is gone, where it stood."""
        before = bisect_right(self.moves, offset, key=_first) - 1
        raw, shown = self.moves[before]
        most = self.moves[before + 1][1] if before + 1 < len(self.moves) else len(self.text)
        return min(shown + offset - raw, most)


@dataclass(frozen=True, slots=True)
class NumberedPiece:
    """The next piece of the shown text."""

    text: str


@dataclass(frozen=True, slots=True)
class NumberedCitation:
    """A citation as far as it is known while the text still grows: its number, and where that stands in what is shown.

    It is provisional: what is found at the end takes its place.
    """

    citation: Citation
    numbers: tuple[int, ...]
    start: int
    end: int


Numbered = NumberedPiece | NumberedCitation


_Cited = tuple[tuple[int, int], tuple[int, ...]]
"""The code points of a citation's anchor in the answer, and the numbers of its sources."""
_Taken = tuple[int, int, list[_Cited]]
_Found = tuple[Citation, tuple[int, int], tuple[int, ...]]


class _Writer:
    """Writes the shown text from left to right, and remembers where it goes apart from the answer's own."""

    __slots__ = (
        "_after_gap",
        "_behind_number",
        "_brackets",
        "_length",
        "_raw",
        "_spaces",
        "_tail",
        "moves",
        "pieces",
        "places",
    )

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.places: dict[tuple[int, int], tuple[int, int]] = {}
        self.moves: list[tuple[int, int]] = [(0, 0)]
        self._raw = 0
        self._length = 0
        # Spaces that go when a marker behind them does, and whether one in front of the next text does.
        self._spaces = ""
        self._after_gap = False
        self._tail = ""
        self._brackets = Brackets()
        # Where the last number of ours ends.
        self._behind_number = -1

    def plain(self, text: str, is_code: Callable[[int], bool]) -> None:
        """Write what the model wrote; `is_code` tells of a code point of the answer whether it stands in code."""
        if not text:
            return
        if self._after_gap:
            self._after_gap = False
            if text[0] == " ":
                self._raw += 1
                self._moved()
                text = text[1:]
        body = text.rstrip(" ")
        if not body:
            self._spaces += text
            self._raw += len(text)
            return
        self._let_spaces_go()
        self._armed(body, is_code)
        self._spaces = text[len(body) :]
        self._raw += len(self._spaces)

    def _let_spaces_go(self) -> None:
        if self._spaces:
            self._brackets.cuts(self._spaces, self._raw - len(self._spaces), _nowhere)
            self._put(self._spaces)
            self._spaces = ""

    def _armed(self, text: str, is_code: Callable[[int], bool]) -> None:
        """Write text, with a backslash where something of it could pass for a number of ours, or take one over."""
        raw, length, moves = self._raw, self._length, self.moves
        cuts = self._brackets.cuts(text, raw, is_code)
        if cuts:
            if cuts[0] == 0 and moves[-1][0] == raw:
                moves.pop()
            moves.extend([(raw + cut, length + cut + more) for more, cut in enumerate(cuts, 1)])
            text = "\\".join([text[start:end] for start, end in pairwise([0, *cuts, len(text)])])
        self._put(text)
        self._raw = raw + (len(text) - len(cuts))

    def marker(self, length: int, cited: Iterable[_Cited]) -> None:
        """Write numbers in place of the next `length` code points; `cited` are citations there, with their numbers."""
        numbers = list(cited)
        if not any(labels for _, labels in numbers):
            self._spaces = ""
            self._raw += length
            self._after_gap = not self._tail or self._tail[-1] == "\n"
            self._moved()
            return
        self._after_gap = False
        self._let_spaces_go()
        if self._tail[-1:] not in {"", " ", "\n"} and (
            not length or (self._length != self._behind_number and ends_in_address(self._tail))
        ):
            self._brackets.cuts(" ", self._raw, _nowhere)
            self._put(" ")  # as `render_answer` has it
        self._moved()
        last: tuple[int, tuple[int, int]] | None = None
        for anchor, labels in numbers:
            start = end = None
            for label in labels:
                if last is None or last[0] != label:
                    at = self._length
                    shown = f"[{label}]"
                    self._brackets.number(shown)
                    self._put(shown)
                    self._behind_number = self._length
                    last = label, (at, self._length)
                start, end = last[1][0] if start is None else start, last[1][1]
            if start is not None and end is not None:
                self.places.setdefault(anchor, (start, end))
        self._raw += length
        self._moved()

    def _put(self, text: str) -> None:
        self.pieces.append(text)
        self._length += len(text)
        self._tail = text[-TAIL:] if len(text) >= TAIL else (self._tail + text)[-TAIL:]

    def _moved(self) -> None:
        move = self._raw, self._length
        if self.moves[-1][0] == move[0]:
            self.moves[-1] = move
        else:
            self.moves.append(move)

    def end(self) -> None:
        """Write what was held back: the spaces at the end."""
        self._let_spaces_go()

    @property
    def length(self) -> int:
        """Code points written so far."""
        return self._length

    @property
    def at(self) -> int:
        """Code points of the answer's text that were taken in."""
        return self._raw

    def done(self) -> NumberedText:
        """Return the whole."""
        return NumberedText("".join(self.pieces), self.places, tuple(self.moves))


def _nowhere(_: int) -> bool:
    return False


def _first(pair: tuple[int, int]) -> int:
    return pair[0]


def _is_left_out(miss: Miss, occurrence: Occurrence | None) -> bool:
    """Say whether a miss was meant as a citation, so that nothing of it is shown."""
    return miss.reason not in _STAY and occurrence is not None and (occurrence.full or occurrence.linked)


def numbered(answer: Answer, *, limits: Limits = DEFAULT) -> NumberedText:
    """Return an answer's text with the numbers of its sources in place of its markers.

    A citation in a full form that was never issued is left out. What was cited without a marker has its number at
    the end of its sentence.
    """
    with without_collecting(len(answer.text) // _THING):
        return _numbered(answer, scan(answer.text, limits=limits))


def _numbered(answer: Answer, found: Scan) -> NumberedText:
    """Return an answer's text with numbers; `found` is what the scan of the whole text finds."""
    text = answer.text
    writer = _Writer()
    is_code = _inside(found.code)
    for start, end, cited in sorted(_taken(answer, found), key=_span):
        if start < writer.at:
            continue  # inside of one that was taken
        writer.plain(text[writer.at : start], is_code)
        writer.marker(end - start, cited)
    writer.plain(text[writer.at :], is_code)
    writer.end()
    return writer.done()


def _taken(answer: Answer, found: Scan) -> Iterator[_Taken]:
    """Yield the code points that numbers stand for: markers, and the ends of sentences that were cited without one."""
    labels: dict[tuple[int, int], tuple[int, ...]] = {}
    loose: dict[int, list[_Cited]] = {}
    for evidence in answer.evidences:
        for anchor in evidence.anchors:
            span = anchor.start, anchor.end
            if isinstance(anchor, MarkerCitationAnchor):
                labels[span] = (*labels.get(span, ()), evidence.number)
            else:
                place = number_position(answer.text, anchor.start, anchor.end, skipped=found.code)
                loose.setdefault(place, []).append((span, (evidence.number,)))
    misses = {(one.start, one.end): one for one in answer.misses}
    cited: dict[tuple[int, int], list[_Cited]] = {}
    gone: dict[tuple[int, int], bool] = {}
    for one in found.occurrences:
        span = one.start, one.end
        if span in labels:
            cited.setdefault(one.marker, []).append((span, labels[span]))
        elif span in misses:
            gone[one.marker] = gone.get(one.marker, True) and _is_left_out(misses[span], one)
    for marker in {**cited, **{marker: [] for marker, is_gone in gone.items() if is_gone}}:
        yield *marker, cited.get(marker, [])
    for place, numbers in loose.items():
        yield place, place, numbers


def _span(taken: _Taken) -> tuple[int, int]:
    return taken[0], taken[1]


def _inside(regions: Sequence[tuple[int, int]]) -> Callable[[int], bool]:
    ordered = sorted(regions)

    def is_inside(at: int) -> bool:
        before = bisect_right(ordered, at, key=_first) - 1
        return before >= 0 and at < ordered[before][1]

    return is_inside


class NumberedStream:
    """Shows one answer while it comes in: `feed` each piece, then `finish`; each returns what follows in what is shown.

    After `finish` there is the `answer`, and `shown`, its text with numbers. Where that is not what was streamed,
    since something was settled only at the end, `changed` says so, and `shown` is what holds.
    """

    __slots__ = (
        "_found", "_numbers", "_resolution", "_said", "_seen", "_writer", "answer", "changed",
        "shown",
    )  # fmt: skip

    def __init__(self, resolution: StreamResolution) -> None:
        self._resolution = resolution
        self._writer = _Writer()
        self._numbers: dict[str, int] = {}
        # What was told of the marker that comes next, and how many occurrences and pieces were looked at.
        self._found: list[Citation | Miss] = []
        self._seen = 0
        self._said = 0
        self.answer: Answer | None = None
        self.shown: NumberedText | None = None
        self.changed = False

    def feed(self, piece: str) -> list[Numbered]:
        """Take in the next piece of the model's text; return what can be shown of it.

        Raises:
            InputError: it is no string.
        """
        with without_collecting(len(piece) // _THING if isinstance(piece, str) else 0):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            return list(self._follow(self._resolution.feed(piece)))

    def finish(self) -> list[Numbered]:
        """Say that the text ends; return the last pieces."""
        with without_collecting(self._writer.length // _THING):
            events = list(self._follow(self._resolution.finish()))
            self._writer.end()
            events += self._new()
            assert self.answer is not None  # noqa: S101 - `Finished` is the last event of every stream
            found = self._resolution.scan
            assert found is not None  # noqa: S101 - it is finished
            self.shown = _numbered(self.answer, found)
        self.changed = self.shown.text != "".join(self._writer.pieces)
        return events

    def _follow(self, events: Iterable[StreamEvent]) -> Iterator[Numbered]:
        # What is no marker is written together, as far as one comes.
        plain: list[str] = []
        at = self._writer.at
        for event in events:
            if isinstance(event, TextDelta):
                end = at + len(event.text)
                cited = self._cited(at, end) if self._found else None
                if cited is None:
                    plain.append(event.text)
                else:
                    self._plain(plain)
                    yield from self._new()
                    yield from self._marker(end - at, cited)
                at = end
            elif isinstance(event, CitationFound):
                self._found.append(event.citation)
            elif isinstance(event, MissFound):
                self._found.append(event.miss)
            elif isinstance(event, Finished):  # pyright: ignore[reportUnnecessaryIsInstance] - said for its reader
                self.answer = event.answer
        self._plain(plain)
        yield from self._new()

    def _plain(self, texts: list[str]) -> None:
        if texts:
            self._writer.plain("".join(texts), self._resolution.is_code)
            texts.clear()

    def _cited(self, at: int, end: int) -> list[_Found] | None:
        """Return what the marker that was told of cites; None where it stays as it was written."""
        found, self._found = self._found, []
        cited: list[_Found] = []
        is_left = True
        for one in found:
            if isinstance(one, Citation):
                anchor = one.anchor
                if anchor is None or not at <= anchor.start < end:
                    continue
                numbers = tuple(sorted({self._number(source) for source in one.sources}))
                cited.append((one, (anchor.start, anchor.end), numbers))
            else:
                is_left = is_left and _is_left_out(one, self._occurrence(one.start, one.end))
        return cited if cited or is_left else None

    def _marker(self, length: int, cited: list[_Found]) -> Iterator[Numbered]:
        """Write a marker, and tell where its numbers stand."""
        self._writer.marker(length, ((span, numbers) for _, span, numbers in cited))
        places = self._writer.places
        for citation, span, numbers in cited:
            place = places.get(span)
            if place is not None:
                yield NumberedCitation(citation, numbers, *place)
        yield from self._new()

    def _number(self, source: CitationSource) -> int:
        return self._numbers.setdefault(source_key(source), len(self._numbers) + 1)

    def _occurrence(self, start: int, end: int) -> Occurrence | None:
        """Return the occurrence of a miss; both come in text order."""
        occurrences = self._resolution.occurrences
        for place in range(self._seen, len(occurrences)):
            one = occurrences[place]
            if (one.start, one.end) == (start, end):
                self._seen = place
                return one
        return None

    def _new(self) -> Iterator[Numbered]:
        pieces = self._writer.pieces
        if len(pieces) > self._said:
            text = "".join(pieces[self._said :])
            self._said = len(pieces)
            yield NumberedPiece(text)
