"""A source, made ready once so that many quotes can be looked for in it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz import fuzz

from pincite.checking._wording import Wording, sampled_languages, wording_of
from pincite.core.fold import UNSPACED, Folded, fold
from pincite.core.given import of_kind
from pincite.core.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.checking.quotes import QuoteCheck

# The likeness, of 100, under which a stretch is no edited form of a quote.
_ALIKE = 56.0
# The likeness from which on a stretch that begins and ends as a quote does is the one.
_SURE = 80.0
# A source up to so many code points is searched as a whole, and one not so many times as long as the quote; of a longer
# one the places that hold pieces of the quote, if any does.
_WHOLE, _TIMES = 3_000, 4
# Code points of a stretch whose languages are told together with those of its neighbours: a sentence or two.
_BLOCK = 100
# Code points of such a piece at the least, and how many pieces there are at the most.
_PIECE, _PIECES = 14, 16
# Places of one piece that are looked at; a piece that stands in more tells nothing.
_PLACES = 12
# Code points from which on a quote is placed by its pieces alone, and how many of them are looked for.
_LONG, _MANY = 1_000, 64
# Pieces that have to agree on a place before no further one is looked for.
_AGREED = 4
# Places that are compared closely.
_CLOSE = 3
# Code points of a quote's end that are looked for beyond the stretch that is most alike.
_END = 24
_LETTER = re.compile(rf"[^\W_{UNSPACED}]")
_SPACELESS = re.compile(f"[{UNSPACED}]")
# Signs that change what a number says when they are cut off, in front of it and behind.
_IN_FRONT, _BEHIND = "+\u00b1$\u20ac\u00a3\u00a5<>\u2264\u2265\u2248~", "%\u2030\u00b0"
_UNARY = "!\u00ac\u2212"
_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2212"
# The last code point under which no letter is a mark of another.
_LAST_PLAIN = "\u02ff"


class Near(NamedTuple):
    """Code points `start` to `end` of a folded source that are most alike a quote."""

    start: int
    end: int


class SourceIndex:
    """A source and its fold. Making one is linear; looking a quote up costs a few searches of the fold."""

    __slots__ = ("_languages", "_limits", "folded", "text")

    def __init__(self, text: str, *, limits: Limits = DEFAULT) -> None:
        """Fold `text`.

        Raises:
            InputError: `text` is no string.
        """
        self.text = of_kind(text, str, "text", "a string")
        self.folded: Folded = fold(text)
        self._limits = limits
        self._languages: dict[int, tuple[str, ...]] = {}

    def __repr__(self) -> str:
        return f"SourceIndex({len(self.text):,} code points)"

    def languages_at(self, place: int) -> tuple[str, ...]:
        """Return the languages around code point `place` of the fold, as far as they tell: codes of two letters."""
        block = place // _BLOCK
        known = self._languages.get(block)
        if known is None:
            known = sampled_languages(self.folded.text[max(0, (block - 1) * _BLOCK) : (block + 3) * _BLOCK])
            self._languages[block] = known
        return known

    def wording_at(self, place: int) -> Wording:
        """Return the words of these languages that turn a statement round or limit it."""
        return wording_of(self.languages_at(place))

    def verify(
        self, quote: str, *, prefix: str | None = None, suffix: str | None = None, near: int | None = None
    ) -> QuoteCheck:
        """Return what becomes of `quote` here; see `verify_quote`."""
        from pincite.checking.quotes import verify_quote

        return verify_quote(quote, self, prefix=prefix, suffix=suffix, near=near, limits=self._limits)

    def occurrences(self, words: str, start: int = 0) -> Iterator[int]:
        """Yield where folded `words` stand in the folded source from `start` on, as whole words and numbers."""
        text = self.folded.text
        size = len(words)
        at = find(text, words, start)
        while at >= 0:
            if is_whole(text, at, at + size):
                yield at
            at = find(text, words, at + 1)

    def alike(self, words: str, start: int = 0, end: int | None = None) -> Near | None:
        """Return the stretch of the folded source most alike folded `words`; None where nothing is alike."""
        text = self.folded.text
        end = len(text) if end is None else end
        if len(words) > _LONG:
            return self._spanned(words, start, end)
        whole = _ended(words, text, start, end)
        if whole is not None:
            return whole
        windows = []
        if end - start > max(_WHOLE, _TIMES * len(words)):
            windows = self._windows(words, start, end)
        found = [best for window in windows if (best := _best(words, text, *window)) is not None]
        # Of a quote that long, pieces are everywhere: one that has none here is not here.
        most = self._limits.quote_search_code_points if len(words) < _PIECE * _PIECES else _WHOLE * _TIMES
        if not found and end - start <= most:
            best = _best(words, text, start, end)
            found = [] if best is None else [best]
        return self._stretched(words, max(found, default=None), start, end)

    def _spanned(self, words: str, start: int, end: int) -> Near | None:
        """Return where a long quote stands, by its first and its last piece that stand there in their place.

        Comparing it letter by letter with each stretch would take time that grows with the square of its length.
        """
        text = self.folded.text
        found: list[tuple[int, int]] = []
        for offset in _pieces(words, _MANY):
            piece = words[offset : offset + _PIECE]
            place = text.find(piece, start, end)
            if place >= 0 and text.find(piece, place + 1, end) < 0:
                found.append((offset, place))
        if len(found) < _AGREED:
            return None
        middle = sorted(place - offset for offset, place in found)[len(found) // 2]
        reach = len(words) // 8 + self._limits.quote_head_code_points
        kept = [one for one in found if abs(one[1] - one[0] - middle) <= reach]
        (first, begin), (last, stop) = kept[0], kept[-1]
        return Near(max(start, begin - first), min(end, stop + len(words) - last))

    def _windows(self, words: str, start: int, end: int) -> list[tuple[int, int]]:
        """Return stretches that hold pieces of `words`, those with the most first.

        A quote with a few edits has pieces without one, and they stand in the same order.
        """
        text, size = self.folded.text, len(words)
        votes: Counter[int] = Counter()  # by the stretch, as long as the quote, in which it would begin
        for offset in _pieces(words):
            piece = words[offset : offset + _PIECE]
            places: list[int] = []
            at = text.find(piece, start, end)
            while at >= 0 and len(places) <= _PLACES:
                places.append(at)
                at = text.find(piece, at + 1, end)
            if len(places) > _PLACES:
                continue
            blocks = {(place - offset) // size for place in places}
            votes.update(blocks)
            if any(votes[block] >= _AGREED for block in blocks):
                break
        best: list[tuple[int, int]] = []
        for block, _ in votes.most_common(_CLOSE):
            # What begins in a block ends in the next; edits move it a little.
            begin = max(start, block * size - size // 4 - 2 * _END)
            best.append((begin, min(end, (block + 2) * size + size // 2 + 2 * _END)))
        return best

    def _stretched(
        self, words: str, best: tuple[float, int, int] | None, start: int, end: int
    ) -> Near | None:
        """Return the best stretch, drawn out to where the quote's own beginning and end stand close by."""
        if best is None:
            return None
        _, first, last = best
        text, reach = self.folded.text, self._limits.quote_head_code_points
        head, tail = _head(words), _tail(words)
        if head and text.find(head, first, last) < 0:
            at = text.rfind(head, max(start, first - reach), first + len(head))
            first = first if at < 0 else at
        if tail and text.find(tail, first, last + 2) < 0:
            at = text.find(tail, max(first, last - len(tail)), min(end, last + reach))
            last = last if at < 0 else at + len(tail)
        return Near(first, last)


def _ended(words: str, text: str, start: int, end: int) -> Near | None:
    """Return the stretch between the one place of a quote's first piece and that of its last, if it is alike enough.

    Most quotes have their edits in between, and looking for two pieces is a fraction of comparing it everywhere.
    """
    size = len(words)
    if size < 3 * _PIECE:
        return None
    head, tail = words[:_PIECE], words[-_PIECE:]
    first = text.find(head, start, end)
    if first < 0:
        return None
    last = text.find(tail, first, min(end, first + size + size // 4))
    if last < 0 or last - first < size // 2:
        return None
    last += _PIECE
    if text.find(head, first + 1, end) >= 0 or text.find(tail, last, end) >= 0:
        return None
    return Near(first, last) if fuzz.ratio(words, text[first:last], score_cutoff=_SURE) else None


def _best(words: str, text: str, start: int, end: int) -> tuple[float, int, int] | None:
    """Return how alike the best stretch of `text` is, and where it stands."""
    window = text if start == 0 and end == len(text) else text[start:end]
    found = fuzz.partial_ratio_alignment(words, window, score_cutoff=_ALIKE)
    if found is None:
        return None
    return found.score, start + found.dest_start, start + found.dest_end


def _pieces(words: str, most: int = _PIECES) -> Iterator[int]:
    """Yield where pieces of a quote begin, spread over it; it is one piece when it is short."""
    last = len(words) - _PIECE
    if last <= 0:
        yield 0
        return
    step = max(_PIECE, last // (most - 1))
    yield from range(0, last + 1, step)
    if last % step:
        yield last


def _head(words: str) -> str:
    """Return the first words, about half of a short quote."""
    size = min(_END, len(words) // 2)
    return words[: words.rfind(" ", 0, size) + 1].rstrip() or words[:size]


def _tail(words: str) -> str:
    """Return the last words, about half of a short quote."""
    size = min(_END, len(words) // 2)
    space = words.find(" ", len(words) - size)
    return words[space + 1 :] if space >= 0 else words[-size:]


def find(text: str, words: str, start: int = 0) -> int:
    """Return where `words` stand in a text from `start` on, or -1; as `str.find` does, which is slow for long ones."""
    if len(words) > 2 * _END:
        head = words[:_END]
        at = text.find(head, start)
        if at < 0 or text.startswith(words, at):
            return at
        if text.find(head, at + 1) < 0:
            return -1
    return text.find(words, start)


def is_whole(text: str, start: int, end: int) -> bool:
    """Say whether `start` to `end` of a text cuts no word and no number: `lawful` does not stand in `unlawful`."""
    return not (cuts(text, start) or cuts(text, end)) and not _loses(text, start, end)


def cuts(text: str, at: int) -> bool:
    """Say whether code point `at` is inside of a word or a number."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before == " " or after == " ":
        return False
    if after > _LAST_PLAIN and unicodedata.category(after)[0] == "M":
        return not before.isspace()
    if before.isalnum() and after.isalnum():
        # Digits beside letters are cut too; scripts without spaces have no word ends to keep to.
        return not (_SPACELESS.match(before) or _SPACELESS.match(after))
    if after in ".,:" and before.isdigit():
        return text[at + 1 : at + 2].isdigit()
    if before in ".,:" and after.isdigit():
        return at > 1 and text[at - 2].isdigit()
    return False


def _loses(text: str, start: int, end: int) -> bool:
    """Say whether a number at an end of a stretch has a sign, a unit, or the rest of a range right outside of it."""
    if start and (text[start].isdigit() or text[start] == "."):
        before = text[start - 1]
        if before in _DASHES:
            front = text[start - 2 : start - 1] if start > 1 else ""
            # Behind a word it is no sign; behind a number, a range.
            return front.isdigit() or not (front.isalpha() or (front in ")]" and front != ""))
        if before in _IN_FRONT:
            return True
    elif start and text[start - 1] in _UNARY and text[start].isalpha():
        return start == 1 or not text[start - 2].isalnum()
    if end < len(text) and text[end - 1].isdigit():
        after = text[end]
        if after in _BEHIND or (
            after == " " and text[end + 1 : end + 2] in _BEHIND and text[end + 1 : end + 2] != ""
        ):
            return True
        return after in _DASHES and text[end + 1 : end + 2].isdigit()
    return False
