"""Links that land on words: text directives of addresses (`#:~:text=...`), which browsers scroll to and light.

A browser looks for each part of a directive (words in front, first words, last words, words behind) in one block of the
page, and most of them must begin and end where a word does. So the parts are taken from one block each and cut only at
white space and at full stops and commas of scripts without spaces, where any segmenter of words ends one. A stretch
over several blocks, and a long one, is named by its first and last words; words that stand on the page before, or are
few, get those around them. What is lit begins at the first place of the first words, so a few words alone, such as a
heading that a menu repeats, never begin a stretch; and where the page is not known, none is named by its ends.
The rules are those of the specification (WICG/scroll-to-text-fragment).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from pincite.core.urls import LINK_CODE_POINTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
_ALONE = 10_000
"""Code points of words alone that are looked at."""
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

    They are widened to whole words, and a short block in front, such as a heading, is left out. Empty where they hold
    nothing to look for: no letter or digit, or a word that is too long. For many, make one `SearchedPage`.
    """
    return SearchedPage(text).fragment(start, end)


def words_fragment(words: str) -> str:
    """Return the directive for `words` of a page of which nothing else is known.

    It names the first words of one block in full, up to about a hundred code points: what is lit ends where they do,
    wherever else they may stand. Empty where they hold nothing to look for.
    """
    if len(words) > _ALONE:
        head = words[:_ALONE]
        # Without the word that is cut, where there are spaces.
        words = head.rstrip().rpartition(" ")[0] or head
    return SearchedPage(words).fragment_alone()


def text_link(address: str, text: str, start: int = 0, end: int | None = None) -> str:
    """Return `address` with the directive for the code points `start` to `end` of its page's text, None for its end.

    The address as it is, where there is nothing to look for, no room, or a directive already.
    """
    if ":~:" in address:
        return address
    directive = text_fragment(text, start, len(text) if end is None else end)
    link = address + ("" if "#" in address else "#") + directive
    return link if directive and len(link) <= LINK_CODE_POINTS else address


class SearchedPage:
    """A page's text as a browser searches it: block by block, in letters of one case."""

    __slots__ = ("_blocks", "_folded", "_folded_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks = list(_blocks(text))
        folded = [text[start:end].casefold() for start, end in self._blocks]
        self._folded = "\n".join(folded)
        self._folded_starts = [0]
        for words in folded:
            self._folded_starts.append(self._folded_starts[-1] + len(words) + 1)

    def fragment(self, start: int, end: int) -> str:
        """Return what `text_fragment` does."""
        ends = self._ends(max(0, start), min(len(self._text), end))
        if ends is None:
            return ""
        return self._first_right(self._directive(*ends, inside, around) for inside, around in _TRIES)

    def fragment_alone(self) -> str:
        """Return what `words_fragment` does for the text as a whole."""
        told = [words for number in range(len(self._blocks)) if (words := self._told(number)) is not None]
        if not told:
            return ""
        words = next((words for words in told if _length(words) >= _SHORT), max(told, key=_length))
        reach = [word for word in words if word.end - words[0].start <= _EXACT]
        span = self._joined(reach or words[:1])
        return self._first_right(self._around(span, None, around) for _, around in _TRIES)

    def _first_right(self, tries: Iterable[_Directive]) -> str:
        """Return the first of `tries` that leads where it should, as it is written; else the last that has room."""
        best = ""
        for directive in tries:
            written = self._written(directive)
            if len(written) > _MOST:
                break
            best = written
            if _tells(directive) and self._leads_to(directive):
                break
        return best

    def _ends(self, start: int, end: int) -> tuple[list[_Span], list[_Span]] | None:
        """Return the words of the first and of the last block between `start` and `end`, None where there are none.

        A short block that a longer one follows is not the first.
        """
        begin, after = max(0, self._block_at(start)), self._block_at(end - 1) + 1
        found = (
            words for number in range(begin, after) if (words := self._told(number, start, end)) is not None
        )
        first = next(found, None)
        last = next(
            (
                words
                for number in range(after - 1, begin - 1, -1)
                if (words := self._told(number, start, end)) is not None
            ),
            None,
        )
        if first is None or last is None:
            return None
        if _length(first) < _SHORT:
            following = next(found, first)
            first = following if _length(following) >= _SHORT else first
        return first, last

    def _told(self, number: int, start: int = 0, end: int | None = None) -> list[_Span] | None:
        """Return the words of a block between `start` and `end` that say something; None for none, or too long ones."""
        block = self._blocks[number]
        end = block.end if end is None else end
        around = (max(0, start - _LONGEST - 1), end + _LONGEST + 1)
        words = [
            word
            for word in self._words(number, *around)
            if word.end > start and word.start < end and self._says_something(word)
        ]
        return words if words and max(map(_width, (words[0], words[-1]))) <= _LONGEST else None

    def _directive(self, first: list[_Span], last: list[_Span], inside: int, around: int) -> _Directive:
        """Return the directive with `inside` words at each end, and `around` words before and behind."""
        whole = _Span(first[0].start, last[-1].end)
        if first == last:
            inside = min(inside, len(first) // 2)
        if first == last and (_width(whole) <= _EXACT or not inside):
            return self._around(whole, None, around)
        return self._around(self._joined(first[:inside]), self._joined(last[-inside:], from_end=True), around)

    def _around(self, first: _Span, last: _Span | None, around: int) -> _Directive:
        before = behind = None
        if around:
            before = self._context(first.start, around, -1)
            behind = self._context((last or first).end, around, 1)
        return _Directive(first, last, before, behind)

    def _written(self, directive: _Directive) -> str:
        """Return a directive as an address has it."""
        before, behind = (span and self._encoded(span) for span in (directive.before, directive.behind))
        parts = [f"{before}-"] if before else []
        parts += [self._encoded(span) for span in (directive.first, directive.last) if span is not None]
        parts += [f"-{behind}"] if behind else []
        return ":~:text=" + ",".join(parts)

    def _leads_to(self, directive: _Directive) -> bool:
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


def _tells(directive: _Directive) -> bool:
    """Say whether a page is unlikely to hold the beginning of a directive by chance, in a menu perhaps."""
    if _width(directive.first) >= _SHORT or directive.before is not None:
        return True
    return directive.last is None and directive.behind is not None


def _width(span: _Span) -> int:
    return span.end - span.start


def _length(words: list[_Span]) -> int:
    """Return how many code points lie between the first and the last of `words`."""
    return words[-1].end - words[0].start


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
