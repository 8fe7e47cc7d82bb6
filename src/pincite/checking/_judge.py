"""What differs between a quote and its source, stretch by stretch, and whether it matters.

Both are cut into words, numbers and marks that mean something. What stands alike on both sides is the same however it
is written; each stretch that does not is judged by one rule of typography, or it is other wording.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from pincite._quick import maker
from pincite.checking._bracketed import denies, is_form, limits_number, replaced_at_edge, says_other, words_of
from pincite.checking._heads import LINE_END, is_running_head
from pincite.checking._note_marks import is_counted, is_mark
from pincite.checking._spelling import is_misspelt
from pincite.checking._wording import LIMITERS, NEGATORS, UNITS, is_turning, sampled_languages, tokens
from pincite.core.verdicts import DifferenceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pincite.checking.source_index import SourceIndex
    from pincite.core.fold import Folded

Block = tuple[int, int, int, int, bool]
"""Words `a` to `b` of the quote beside `c` to `d` of the source, and whether they are the same."""

# Words that a page's head or foot inside of a quote may have.
_HEAD_WORDS = 14
# Acronyms that are other words in small letters.
_ACRONYMS = frozenset(
    "us it who aids act cap cat gap ice led mad nice pace pet pin pit ram sad sars sim who un co cs hf".split()
)
_HYPHENS = re.compile(r"[-\u2010\u2011\u00ad\ufffe]\s")
_LONGEST = 60
_WORD_IN_FRONT = re.compile(r"([^\W\d_]+)[ \"'(-]{1,3}\Z")
_NUMBER = re.compile(r"[^\w]{0,3}\d")
_GROUPED = {",": re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,])"), ".": re.compile(r"\d{1,3}(?:\.\d{3})+(?![\d.])")}
# Languages that part thousands with a point.
_POINTED = frozenset("de es it pt nl tr el ru pl fr da sv no fi cs ro id".split())
_LIGATURES = frozenset(("fi", "fl", "ff", "ffi", "ffl"))
# Units that only their letter case tells apart.
_CASED_UNITS = frozenset("mw mb gb kb tb pa mpa ma mv nm mm mg ml mj mhz s g b t k m a v h j".split())
# A word broken at a line end, as it is or as it was copied; bounded.
_BROKEN = re.compile(r"\w[-\u2010\u2011\u00ad\ufffe][ \t]{0,3}(?:\r?\n\s{0,20}|(?<=[ \t]))\w")
# What no word holds.
_SEAM = "\n"
_DIGITS = re.compile(r"\d+|[.,:]")
_MEANT = re.compile(r"[^<>\u2264\u2265\u2248~\u00b1+=-]")
# Endings that somebody may put to a word without making it another.
_INFLECTION = re.compile(
    r"(?!(?i:ful|los|un)\Z)(?:[^\W\d_]{1,3}|[^\W\d_]{0,2}(?:ing|ings|ed|ies|ers|est|en|es|em))"
)
# A formula in the marks of LaTeX; a number of a list. Bounded.
_FORMULA = re.compile(r"(?<![\w$])\$(?=[^\s$\d])[^$]{1,80}(?<=[^\s$])\$(?![\w$])")
_ITEM = re.compile(r"(?:\d{1,3}[.)]|[a-z]\))\s")
_PRIMES = {"\u2032": "'", "\u2033": '"'}
# Words that may be more than other words.
_WEIGHING = NEGATORS | LIMITERS | UNITS
_TURNING = (DifferenceKind.NEGATOR, DifferenceKind.LIMITER, DifferenceKind.NUMBER)


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which a quote departs from its source.

    `quote` and `source` are the words as they are written there, "" where there are none; `start` and `end` are where
    they stand in the source, in code points. `matters` says that they are other wording and no mere typography.
    """

    kind: DifferenceKind
    quote: str
    source: str
    start: int
    end: int
    matters: bool


_difference = maker(Difference)


class Words:
    """Code points `start` to `end` of a fold, cut into words: `words` are folded, `cased` have letter case.

    Each of `wholes`, stretches in order, is one word.
    """

    __slots__ = ("_folded", "_places", "cased", "end", "start", "words")

    def __init__(self, folded: Folded, start: int, end: int, wholes: Sequence[tuple[int, int]] = ()) -> None:
        self._folded = folded
        self.start, self.end = start, end
        # What stands in front of the stretch tells a sign from a dash.
        find = tokens(folded.cased[start:end]).findall
        self.cased: list[str] = []
        for first, last in wholes:
            self.cased += find(folded.cased, start, first)
            self.cased.append(folded.cased[first:last])
            start = last
        self.cased += find(folded.cased, start, end)
        # All at once: one by one it would take as long as finding them.
        joined = _SEAM.join(self.cased).lower()
        if not joined.isascii():
            joined = joined.replace("\u03c2", "\u03c3").replace("\u2212", "-")
        self.words = joined.split(_SEAM) if joined else []
        self._places: list[tuple[int, int]] | None = None

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where each word begins and ends in the fold."""
        places = self._places
        if places is None:
            # Between two words there is nothing of a word, so each is the next of its kind.
            find, at = self._folded.cased.find, self.start
            places = self._places = []
            for word in self.cased:
                first = find(word, at)
                at = first + len(word)
                places.append((first, at))
        return places

    def before(self, index: int) -> int:
        """Return where the word in front of word `index` ends; for the first, where the stretch begins."""
        if index:
            return self.places[index - 1][1]
        return self.start - (self._folded.text[self.start - 1 : self.start] == " ")

    def behind(self, index: int) -> int:
        """Return where word `index` begins; behind the last, where the stretch ends."""
        if index < len(self.words):
            return self.places[index][0]
        return self.end + (self._folded.text[self.end : self.end + 1] == " ")


class Insertion(NamedTuple):
    """Words that somebody has put into a quote in brackets, and the code point of its fold where they stood."""

    text: str
    place: int
    is_ending: bool = False
    """Whether they stand right behind a letter, as the end of that word."""


class Judge:
    """Says of each stretch that differs what it is."""

    __slots__ = ("_found", "_index", "_insertions", "_left", "_quote", "_right", "_source")

    def __init__(
        self,
        quote: Folded,
        index: SourceIndex,
        left: Words,
        right: Words,
        insertions: Sequence[Insertion] = (),
    ) -> None:
        self._quote, self._source, self._index = quote, index.folded, index
        self._left, self._right = left, right
        self._found: list[Difference] = []
        self._insertions = list(insertions)

    def differences(self) -> list[Difference]:
        """Return what was found. One word may be misspelt; with two the quote is another text."""
        slips = (
            [one for one in self._found if one.kind is DifferenceKind.TYPO] if len(self._found) > 1 else ()
        )
        if len(slips) > 1:
            return [replace(one, matters=True) if one in slips else one for one in self._found]
        return self._found

    def at_start(self, block: Block) -> Block:
        """Return a block at the quote's start without what the source has in front of it."""
        a, b, c, d, _ = block
        if self._is_joined(a, b, c, d):
            return block
        return a, b, max(c, d - (b - a)), d, False

    def at_end(self, block: Block) -> Block:
        """Return a block at the quote's end without what the source has behind it."""
        a, b, c, d, _ = block
        if self._is_joined(a, b, c, d):
            return block
        return a, b, c, min(d, c + b - a), False

    def block(self, a: int, b: int, c: int, d: int) -> None:
        """Judge words `a` to `b` of the quote, which stand where the source has words `c` to `d`."""
        if a == b:
            self._omitted(a, c, d)
        elif c == d:
            self._added(a, b, c)
        elif self._is_joined(a, b, c, d):
            matters = not self._is_spacing(a, b, c, d)
            self._say(DifferenceKind.WORD if matters else DifferenceKind.SPACING, a, b, c, d, matters=matters)
        elif self._is_broken(a, b, c, d):
            self._say(DifferenceKind.SPACING, a, b, c, d, matters=False)
        elif b - a == d - c:
            for index in range(b - a):
                self._word(a + index, c + index)
        else:
            self._say(self._kind(a, b, c, d), a, b, c, d, matters=True)

    def inserted(self, start: int, end: int) -> None:
        """Judge what was put into the quote in brackets: nothing from `start` to `end` of the source stands there."""
        at = self._source.source_start(start)
        for one in self._insertions:
            gone = replaced_at_edge(one.text, one.place, self._quote, self._source, (start, end))
            kind, matters = self._insertion(one, gone)
            written = " ".join(gone) if matters else ""
            self._found.append(_difference(kind, one.text, written, at, at, matters))

    def case(self, a: int, b: int, c: int, _: int) -> None:
        """Judge the letter case of words that are the same but for it."""
        for index in range(b - a):
            left, right = self._left.cased[a + index], self._right.cased[c + index]
            if left == right or (a + index == self._left.start == 0 and left[1:] == right[1:]):
                continue
            is_prefix = left[0] + right[0] in ("mM", "Mm") and left[1:] == right[1:] and left[1:].isupper()
            if self._is_unit(c + index) and (is_prefix or left.lower() in _CASED_UNITS):
                self._say(
                    DifferenceKind.UNIT, a + index, a + index + 1, c + index, c + index + 1, matters=True
                )
            else:
                matters = _is_acronym(self._left.cased, a + index) != _is_acronym(
                    self._right.cased, c + index
                )
                self._say(
                    DifferenceKind.CASE, a + index, a + index + 1, c + index, c + index + 1, matters=matters
                )

    # -- the rules -------------------------------------------------------------------------------

    def _insertion(self, one: Insertion, gone: Sequence[str]) -> tuple[DifferenceKind, bool]:
        """Return what words in brackets are, in the place of words of the source, and whether they matter."""
        put = words_of(one.text)
        if one.is_ending and _INFLECTION.fullmatch(one.text) is None:
            return DifferenceKind.WORD, True
        if put and not gone and all(word.isdigit() for word in put):
            is_number = is_counted(self._quote.text, one.place)
            return (DifferenceKind.NUMBER, True) if is_number else (DifferenceKind.FOOTNOTE, False)
        for words in (put, gone):
            kind = self._kind_of(words, words)
            if kind in _TURNING:
                return kind, True
        if denies(one.text, put):
            return DifferenceKind.NEGATOR, True
        if limits_number(put, self._quote.text, one.place):
            return DifferenceKind.LIMITER, True
        if says_other(put, gone):
            return DifferenceKind.WORD, True
        return DifferenceKind.INSERTION, False

    def _insertion_at(self, a: int) -> Insertion | None:
        """Return what was put into the quote in front of its word `a`."""
        first, last = self._left.before(a), self._left.behind(a)
        return next((one for one in self._insertions if first <= one.place <= last), None)

    def _omitted(self, a: int, c: int, d: int) -> None:
        """Judge words of the source that the quote has not in front of its word `a`."""
        one = self._insertion_at(a) if self._insertions else None
        if one is not None and self._is_bracketed(c, d):
            # Those are the source's own brackets, so nothing was put in: what stands in them is quoted.
            self._insertions.remove(one)
            put = words_of(one.text)
            gone = self._right.words[c:d]
            if put != gone:
                both = [*put, *gone]
                self._say(self._kind_of(both, both), 0, 0, c, d, matters=True, quoted=one.text)
            return
        is_plain = self._is_plain(self._source, self._right.words[c])
        if not is_plain and self._is_mark(self._source, self._right, c, d):
            kind = DifferenceKind.FOOTNOTE
        elif not is_plain and (
            self._is_dressing(self._source, self._right, c, d)
            or _is_prime(self._right.words[c:d], self._quote.text, self._left, a)
        ):
            kind = DifferenceKind.PUNCTUATION
        elif self._is_running_head(c, d):
            kind = DifferenceKind.RUNNING_HEAD
        elif (
            d - c > 1
            and not is_plain
            and self._is_mark(self._source, self._right, c, c + 1)
            and self._is_running_head(c + 1, d)
        ):
            self._say(DifferenceKind.FOOTNOTE, 0, 0, c, c + 1, matters=False)
            self._say(DifferenceKind.RUNNING_HEAD, 0, 0, c + 1, d, matters=False)
            return
        else:
            if one is None:
                self._say(self._kind(0, 0, c, d), 0, 0, c, d, matters=True)
                return
            self._insertions.remove(one)
            kind, matters = self._insertion(one, self._right.words[c:d])
            self._say(kind, 0, 0, c, d, matters=matters, quoted=one.text)
            return
        self._say(kind, 0, 0, c, d, matters=False)

    def _added(self, a: int, b: int, c: int) -> None:
        """Judge words of the quote that the source has not in front of its word `c`."""
        if self._is_plain(self._quote, self._left.words[a]):
            self._say(self._kind(a, b, c, c), a, b, c, c, matters=True)
        elif self._is_mark(self._quote, self._left, a, b, is_added=True):
            self._say(DifferenceKind.FOOTNOTE, a, b, c, c, matters=False)
        elif (
            self._is_dressing(self._quote, self._left, a, b)
            or _is_prime(self._left.words[a:b], self._source.text, self._right, c)
            or self._is_verse(self._left.words[a:b], c)
        ):
            self._say(DifferenceKind.PUNCTUATION, a, b, c, c, matters=False)
        else:
            self._say(self._kind(a, b, c, c), a, b, c, c, matters=True)

    def _word(self, a: int, c: int) -> None:
        """Judge one word of the quote beside one of the source."""
        left, right = self._left.words[a], self._right.words[c]
        if left == right:
            return
        kind, matters = DifferenceKind.WORD, True
        if _unmarked(left) == _unmarked(right):
            kind, matters = DifferenceKind.PUNCTUATION, False
        elif _NUMBER.match(left) or _NUMBER.match(right):
            kind, matters = _numbers(left, right, self._languages)
        elif self._turns(left) or self._turns(right):
            kind = DifferenceKind.NEGATOR
        elif left in UNITS and right in UNITS:
            kind = DifferenceKind.UNIT
        elif not left[0].isalnum() or not right[0].isalnum():
            kind = DifferenceKind.SYMBOL
        elif _scripts(left) != _scripts(right):
            kind = DifferenceKind.SCRIPT
        elif self._limits(left, self._left.cased[a]) or self._limits(right, self._right.cased[c]):
            kind = DifferenceKind.LIMITER
        else:
            kind, matters = self._slip(a, c)
        self._say(kind, a, a + 1, c, c + 1, matters=matters)

    def _slip(self, a: int, c: int) -> tuple[DifferenceKind, bool]:
        """Return what one word of the quote in the place of another is: another form in brackets, a slip, or other."""
        if self._insertions and self._is_ended(a, self._left.words[a], self._right.words[c]):
            return DifferenceKind.INSERTION, False
        if is_misspelt(self._left.cased[a], self._right.cased[c], self._languages, self._in_front(c)):
            return DifferenceKind.TYPO, False
        return DifferenceKind.WORD, True

    def _is_ended(self, a: int, left: str, right: str) -> bool:
        """Say whether word `a` of the quote has another ending in brackets than the source's word has: `expire[d]`."""
        end = self._left.places[a][1]
        return any(one.is_ending and one.place == end for one in self._insertions) and is_form(left, right)

    def _in_front(self, c: int) -> str:
        """Return the word of the source in front of word `c`, "" where a sentence begins."""
        found = _WORD_IN_FRONT.search(
            self._source.cased, max(0, self._right.places[c][0] - _LONGEST), self._right.places[c][0]
        )
        return "" if found is None else found.group(1)

    def _is_unit(self, c: int) -> bool:
        """Say whether a word of the source stands behind a number."""
        place = self._right.places[c][0]
        return self._source.text[max(0, place - 2) : place].rstrip()[-1:].isdigit()

    def _is_joined(self, a: int, b: int, c: int, d: int) -> bool:
        """Say whether the same letters are only parted otherwise."""
        return "".join(self._left.words[a:b]) == "".join(self._right.words[c:d])

    def _is_spacing(self, a: int, b: int, c: int, d: int) -> bool:
        """Say whether the same letters are parted by a line end, at a ligature, or one by one: that is no wording."""
        left, right = self._left.words[a:b], self._right.words[c:d]
        parts = left if len(left) > len(right) else right
        if all(part.isdigit() for part in parts):
            return len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:])  # noqa: PLR2004 - thousands
        if all(len(part) == 1 for part in parts) or any(part in _LIGATURES for part in parts):
            return True
        quoted = self._raw(self._quote, self._left, a, b)
        written = self._raw(self._source, self._right, c, d)
        return _BROKEN.search(quoted) is not None or _BROKEN.search(written) is not None

    def _is_broken(self, a: int, b: int, c: int, d: int) -> bool:
        """Say whether one word of the quote is broken over a page's end, with its head in between."""
        if b - a != 1 or d - c <= 2:  # noqa: PLR2004 - two halves
            return False
        words = self._right.words
        if words[c] + words[d - 1] != self._left.words[a] or not self._is_running_head(c + 1, d - 1):
            return False
        first = self._source.source_end(self._right.places[c][1])
        return _HYPHENS.match(self._source.source, first) is not None

    @staticmethod
    def _is_plain(folded: Folded, word: str) -> bool:
        """Say whether a stretch that begins with `word` is neither a mark nor dressing: a quick look."""
        if not word.isalpha() or "[" in folded.text:
            return False
        return len(word) > 1 or ")" not in folded.source

    @staticmethod
    def _is_dressing(folded: Folded, words: Words, first: int, last: int) -> bool:
        """Say whether words are marks of Markdown at the beginning of a line, or around a formula."""
        marks = words.words[first:last]
        start = words.places[first][0]
        if all(mark == "$" for mark in marks):
            around = _FORMULA.finditer(folded.text, max(0, start - _LONGEST), start + _LONGEST)
            return any(start in (found.start(), found.end() - 1) for found in around)
        is_item = len(marks) == 1 and _ITEM.match(folded.source, folded.source_start(start)) is not None
        if not is_item and any(mark != ">" for mark in marks):
            return False
        return folded.source[: folded.source_start(start)].rstrip(" \t>(")[-1:] in ("", "\n")

    def _is_verse(self, words: Sequence[str], c: int) -> bool:
        """Say whether words are the strokes that part the lines of a verse, which the source parts itself."""
        if words[0] != "/" or any(word != "/" for word in words):
            return False
        start, end = self._source.to_source(max(0, self._right.before(c) - 1), self._right.behind(c) + 1)
        return LINE_END.search(self._source.source, start, end) is not None

    def _is_bracketed(self, c: int, d: int) -> bool:
        """Say whether words of the source are all that stands in a pair of brackets there."""
        places, text = self._right.places, self._source.text
        start, end = places[c][0], places[d - 1][1]
        return text[:start][-2:].rstrip()[-1:] == "[" and text[end : end + 2].lstrip()[:1] == "]"

    def _is_mark(
        self, folded: Folded, words: Words, first: int, last: int, *, is_added: bool = False
    ) -> bool:
        """Say whether words are the mark of a note or a reference: digits off the line, in brackets, or attached."""
        begin, end = words.before(first), words.behind(last)
        return is_mark(folded, begin, words.places[first][0], end, is_quoted=is_added)

    def _is_running_head(self, c: int, d: int) -> bool:
        """Say whether words of the source stand on lines of their own as a page's head, foot or number does."""
        if d - c > _HEAD_WORDS:
            return False
        source, places = self._source, self._right.places
        before = source.source_end(self._right.before(c))
        first, last = source.to_source(places[c][0], places[d - 1][1])
        if LINE_END.search(source.source, before, first) is None:
            return False
        if any(map(self._turns, self._right.words[c:d])) or any(
            map(self._limits, self._right.words[c:d], self._right.cased[c:d])
        ):
            return False
        after = source.source_start(self._right.behind(d))
        return is_running_head(source.source, before, first, last, after)

    # -- what was found --------------------------------------------------------------------------

    @staticmethod
    def _raw(folded: Folded, words: Words, first: int, last: int) -> str:
        if first >= last:
            return ""
        places = words.places
        start, end = folded.to_source(places[first][0], places[last - 1][1])
        return folded.source[start:end]

    def _languages(self) -> tuple[str, ...]:
        """Return the languages around the place, and those of the quote: a long source may be in others."""
        return (*self._index.languages_at(self._right.start), *sampled_languages(self._quote.text))

    def _turns(self, word: str) -> bool:
        """Say whether a word turns a statement round in the source's language, which is looked up only for such."""
        return is_turning(word) and self._index.wording_at(self._right.start).turns(word)

    def _limits(self, word: str, cased: str = "") -> bool:
        """Say whether a word limits a statement in the source's language."""
        return word in LIMITERS and self._index.wording_at(self._right.start).limits(word, cased)

    def _kind(self, a: int, b: int, c: int, d: int) -> DifferenceKind:
        """Return what words of both sides are, by the one among them that weighs most."""
        cased = [*self._left.cased[a:b], *self._right.cased[c:d]]
        return self._kind_of([*self._left.words[a:b], *self._right.words[c:d]], cased)

    def _kind_of(self, words: Sequence[str], cased: Sequence[str]) -> DifferenceKind:
        if len(words) == 1 and words[0].isascii() and words[0].isalpha() and words[0] not in _WEIGHING:
            return DifferenceKind.WORD
        if any(map(self._turns, words)):
            return DifferenceKind.NEGATOR
        if (not LIMITERS.isdisjoint(words) and any(map(self._limits, words, cased))) or (
            len(words) > 1 and self._limits("-".join(words))
        ):
            return DifferenceKind.LIMITER
        if any(word.isnumeric() or (not word.isalpha() and _NUMBER.match(word)) for word in words):
            return DifferenceKind.NUMBER
        if words and not any(map(str.isalnum, "".join(words))):
            return DifferenceKind.SYMBOL
        return DifferenceKind.UNIT if words and UNITS.issuperset(words) else DifferenceKind.WORD

    def _say(
        self,
        kind: DifferenceKind,
        a: int,
        b: int,
        c: int,
        d: int,
        *,
        matters: bool,
        quoted: str | None = None,
    ) -> None:
        if c < d:
            places = self._right.places
            start, end = self._source.to_source(places[c][0], places[d - 1][1])
        else:
            start = end = self._source.source_start(self._right.behind(c))
        if quoted is None:
            quoted = self._raw(self._quote, self._left, a, b)
        self._found.append(_difference(kind, quoted, self._source.source[start:end], start, end, matters))


def _is_prime(words: Sequence[str], text: str, others: Words, index: int) -> bool:
    """Say whether words are primes for which the other side has quotation marks in front of its word `index`."""
    if words[0] not in _PRIMES or not all(word in _PRIMES for word in words):
        return False
    return "".join(_PRIMES[word] for word in words) in text[others.before(index) : others.behind(index)]


def _numbers(left: str, right: str, languages: Callable[[], tuple[str, ...]]) -> tuple[DifferenceKind, bool]:
    """Return in what two numbers differ, and whether it matters: not when only the thousands are parted."""
    one, other = left.replace(" ", ""), right.replace(" ", "")
    if one != other and _DIGITS.findall(one) != _DIGITS.findall(other):
        mark = "," if _has_commas(languages()) else "."
        one, other = _ungrouped(one, mark), _ungrouped(other, mark)
    if one == other:
        return DifferenceKind.NUMBER, False
    digits = _DIGITS.findall(one), _DIGITS.findall(other)
    if digits[0] != digits[1]:
        return DifferenceKind.NUMBER, True
    signs = _MEANT.sub("", one), _MEANT.sub("", other)
    return (DifferenceKind.SIGN if signs[0] != signs[1] else DifferenceKind.UNIT), True


def _has_commas(languages: Sequence[str]) -> bool:
    """Say whether thousands are parted by commas in a text of these languages, and not by points."""
    return not languages or not _POINTED.issuperset(languages)


def _ungrouped(number: str, mark: str) -> str:
    return _GROUPED[mark].sub(lambda found: found.group().replace(mark, ""), number)


def _unmarked(word: str) -> str:
    """Return a word without its apostrophes, in either form."""
    return word.replace("'", "").replace("\u2032", "")


def _is_acronym(words: Sequence[str], index: int) -> bool:
    """Say whether a word is an acronym that is another word in small letters; among others in capitals it is not."""
    word = words[index]
    if word.lower() not in _ACRONYMS or not word.isupper():
        return False
    return not any(
        len(words[beside]) > 1 and words[beside].isupper()
        for beside in (index - 1, index + 1)
        if 0 <= beside < len(words)
    )


def _scripts(word: str) -> set[str]:
    """Return the scripts of a word's letters."""
    if word.isascii():
        return {"LATIN"}
    return {unicodedata.name(char, "?").split()[0] for char in word if char.isalpha()}
