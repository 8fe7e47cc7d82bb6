"""Links that land on words: text directives of addresses (`#:~:text=...`), which browsers scroll to and light.

A browser looks for each part of a directive (words in front, first words, last words, words behind) in one block of the
page, and most of them must begin and end where a word does. So the parts are taken from one block each and cut only at
white space and at full stops and commas of scripts without spaces, where any segmenter of words ends one. A stretch
over several blocks, and a long one, is named by its first and last words; words that stand on the page before, or are
few, get those around them. The rules are those of the specification (WICG/scroll-to-text-fragment).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from pincite.core.urls import LINK_CODE_POINTS

if TYPE_CHECKING:
    from collections.abc import Iterator

# What parts two blocks of a page in our text of it: any white space but one space, with the mark of a list item and the
# bars of empty cells behind it, and the bars between cells. Linear: the runs are possessive.
_BETWEEN = re.compile(
    r"(?:[^\S ]\s*+| \s++|\A\s*+)(?:(?:-|\d{1,9}\.) )?+(?:\| )*+| (?:\| )*+\|(?=\n|\Z)| (?:\| )++"
)
# A word with the marks at it; wide full stops and commas end one too. Linear: possessive runs.
_WORD = re.compile(
    r"[^\s。、，；：！？｡､]++(?:[。、，；：！？｡､]++[」』）】》〉”’]*+)?+|[。、，；：！？｡､]++"
)
# What `quote` leaves as it is, and what divides a directive or gets lost at the end of a link: one class.
_BARE = re.compile(r"[-~_.]")

_EXACT = 100
"""Code points that are named in full; of a longer stretch, the first and the last words are."""
_SHORT = 20
"""Code points under which words may stand on a page by chance: they get those around them in any case."""
_LONGEST = 200
"""Code points of one word, and bytes of a part of several: each byte that is no ASCII takes three characters."""
_MOST = 2_000
"""Characters of a directive."""
_OCCURRENCES = 200
"""Places of the first words, and of the last, that are looked at."""
_TRIES = ((4, 0), (4, 3), (7, 5), (12, 8), (20, 12))
"""Words at each end, and around them, from the first try on."""


class _Span(NamedTuple):
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Directive:
    """The parts of a directive, as places in the text; all but `first` may be missing."""

    first: _Span
    last: _Span | None
    before: _Span | None
    behind: _Span | None


def text_fragment(text: str, start: int, end: int) -> str:
    """Return the directive (`:~:text=...`) for the code points `start` to `end` of a page's text.

    They are widened to whole words. Empty where they hold nothing to look for: no letter or digit, or a word that is
    too long.
    """
    page = _Page(text)
    ends = page.ends(max(0, start), min(len(text), end))
    if ends is None:
        return ""
    best = ""
    few = ends[0] == ends[1] and ends[0][-1].end - ends[0][0].start < _SHORT
    for inside, around in _TRIES[few:]:
        directive = page.directive(*ends, inside, around)
        written = page.written(directive)
        if len(written) > _MOST:
            break
        best = written
        if page.leads_to(directive):
            break
    return best


def text_link(address: str, text: str, start: int = 0, end: int | None = None) -> str:
    """Return `address` with the directive for the code points `start` to `end` of its page's text, None for its end.

    The address as it is, where there is nothing to look for, no room, or a directive already.
    """
    if ":~:" in address:
        return address
    directive = text_fragment(text, start, len(text) if end is None else end)
    link = address + ("" if "#" in address else "#") + directive
    return link if directive and len(link) <= LINK_CODE_POINTS else address


class _Page:
    """A text as a browser searches it: block by block, in letters of one case."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks = list(_blocks(text))
        folded = [text[start:end].casefold() for start, end in self._blocks]
        self._folded = "\n".join(folded)
        self._folded_starts = [0]
        for words in folded:
            self._folded_starts.append(self._folded_starts[-1] + len(words) + 1)

    def ends(self, start: int, end: int) -> tuple[list[_Span], list[_Span]] | None:
        """Return the words of the first and of the last block between `start` and `end`, None where there are none."""
        begin, after = max(0, self._block_at(start)), self._block_at(end - 1) + 1
        around = (max(0, start - _LONGEST - 1), end + _LONGEST + 1)

        def told(numbers: range) -> list[_Span]:
            for number in numbers:
                words = [
                    word
                    for word in self._words(number, *around)
                    if word.end > start and word.start < end and self._says_something(word)
                ]
                if words:
                    return words
            return []

        first, last = told(range(begin, after)), told(range(after - 1, begin - 1, -1))
        if not first or max(word.end - word.start for word in (first[0], last[-1])) > _LONGEST:
            return None
        return first, last

    def directive(self, first: list[_Span], last: list[_Span], inside: int, around: int) -> _Directive:
        """Return the directive with `inside` words at each end, and `around` words before and behind."""
        whole = _Span(first[0].start, last[-1].end)
        if first == last:
            inside = min(inside, len(first) // 2)
        if first == last and (whole.end - whole.start <= _EXACT or not inside):
            head, tail = whole, None
        else:
            head, tail = self._joined(first[:inside]), self._joined(last[-inside:], from_end=True)
        before = behind = None
        if around:
            before = self._context(whole.start, around, -1)
            behind = self._context(whole.end, around, 1)
        return _Directive(head, tail, before, behind)

    def written(self, directive: _Directive) -> str:
        """Return a directive as an address has it."""
        before, behind = (span and self._encoded(span) for span in (directive.before, directive.behind))
        parts = [f"{before}-"] if before else []
        parts += [self._encoded(span) for span in (directive.first, directive.last) if span is not None]
        parts += [f"-{behind}"] if behind else []
        return ":~:text=" + ",".join(parts)

    def leads_to(self, directive: _Directive) -> bool:
        """Say whether the first place that a browser finds for a directive is the one that is meant.

        It is asked without a look at where words begin, so a place that a browser passes over counts too.
        """
        first, last, before, behind = (
            "" if span is None else self._text[span.start : span.end].casefold()
            for span in (directive.first, directive.last, directive.before, directive.behind)
        )
        ours = self._folded_place(directive.first.start)
        for at in self._places(first, 0):
            if before and not self._folded[max(0, at - len(before) - 1) : at].rstrip().endswith(before):
                continue
            end = at + len(first)
            found = self._places(last, end) if last else iter((end,))
            stop = next((place for place in found if self._followed(place + len(last), behind)), None)
            if stop is not None:
                meant = directive.last.start if directive.last is not None else directive.first.end
                return at == ours and stop == self._folded_place(meant)
        return False

    def _followed(self, place: int, behind: str) -> bool:
        return not behind or self._folded[place : place + len(behind) + 1].lstrip().startswith(behind)

    def _places(self, words: str, start: int) -> Iterator[int]:
        for _ in range(_OCCURRENCES):
            start = self._folded.find(words, start)
            if start < 0:
                return
            yield start
            start += 1

    def _block_at(self, place: int) -> int:
        return bisect_right(self._blocks, place, key=_start_of) - 1

    def _folded_place(self, place: int) -> int:
        number = self._block_at(place)
        return self._folded_starts[number] + len(self._text[self._blocks[number].start : place].casefold())

    def _words(self, number: int, start: int, end: int) -> Iterator[_Span]:
        """Yield the words of a block between `start` and `end`; what is cut there is a word too."""
        block = self._blocks[number]
        for found in _WORD.finditer(self._text, max(start, block.start), min(end, block.end)):
            yield _Span(*found.span())

    def _says_something(self, word: _Span) -> bool:
        return any(char.isalnum() for char in self._text[word.start : word.end])

    def _context(self, place: int, most: int, step: int) -> _Span | None:
        """Return up to `most` words right before `place` (`step` is -1) or behind it, of its block or the next one."""
        number = self._block_at(place - (step > 0))
        while 0 <= number < len(self._blocks):
            block = self._blocks[number]
            if step < 0:
                end = min(place, block.end)
                start = max(block.start, end - _LONGEST)
                words = list(self._words(number, start, end))[-most:]
                # The first word is cut where it begins with the stretch that was looked at.
                words = words[words[:1] == [] or (words[0].start == start > block.start) :]
            else:
                start = max(place, block.start)
                end = min(block.end, start + _LONGEST)
                words = list(self._words(number, start, end))[:most]
                words = words[: len(words) - (words[:1] != [] and words[-1].end == end < block.end)]
            if words:
                return self._joined(words, from_end=step < 0)
            if block.start < place < block.end:
                return None
            number += step
        return None

    def _joined(self, words: list[_Span], *, from_end: bool = False) -> _Span:
        """Return the stretch of `words`; where it is too long, of the first of them, or the last."""
        start, end = words[-1 if from_end else 0]
        for word in reversed(words[:-1]) if from_end else words[1:]:
            wider = (word.start, end) if from_end else (start, word.end)
            if len(self._text[slice(*wider)].encode("utf-8", "replace")) > _LONGEST:
                break
            start, end = wider
        return _Span(start, end)

    def _encoded(self, span: _Span) -> str:
        words = quote(self._text[span.start : span.end].encode("utf-8", "replace"), safe="")
        return _BARE.sub(lambda found: f"%{ord(found[0]):02X}", words)


def _start_of(block: _Span) -> int:
    return block.start


def _blocks(text: str) -> Iterator[_Span]:
    start = 0
    for found in _BETWEEN.finditer(text):
        if found.start() > start:
            yield _Span(start, found.start())
        start = found.end()
    if start < len(text):
        yield _Span(start, len(text))
