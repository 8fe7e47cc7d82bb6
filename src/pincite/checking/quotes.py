"""Quotes: where the words that a model gives as a source's stand in that source, and whether they are its words.

What is folded finds; what is written judges. The verdicts, in the order in which they are tried: the same characters,
the same words in other typography, parts with an ellipsis between, the stretch that is most alike.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from pincite._quick import maker
from pincite.checking._compare import case_differences, compare
from pincite.checking._cuts import cut_behind, cut_in_front, cut_off
from pincite.checking._judge import Difference, Insertion
from pincite.checking._wording import tokens
from pincite.checking.source_index import SourceIndex, find, is_whole
from pincite.core.errors import InputError
from pincite.core.fold import UNSPACED, Folded, fold
from pincite.core.given import of_kind
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import DifferenceKind, QuoteVerdict

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence
    from typing import Any

VERIFIED = frozenset((QuoteVerdict.VERBATIM, QuoteVerdict.TYPOGRAPHIC, QuoteVerdict.ELIDED))
"""The verdicts under which the source says what the quote says."""

# Any letter or digit: one class.
_LETTER = re.compile(r"[^\W_]")
_NO_LETTER = re.compile(r"[\W_]+")
_SPACELESS = re.compile(f"[{UNSPACED}]")
# An ellipsis, in brackets or not, with the space around it. Bounded.
_ELLIPSIS = re.compile(
    r"\s{0,9}(?:\[\s?(?:\u2026|\.{3,4}|\. \. \.)\s?\]|\(\s?(?:\u2026|\.{3,4}|\. \. \.)\s?\)"
    r"|\u2026|\.{3,4}|\. \. \.(?: \.)?)\s{0,9}"
)
# What every ellipsis has.
_MAY_BE_ELLIPSIS = ("\u2026", "..", ". .")
# A first letter that was changed for the sentence it stands in now.
_CHANGED_LETTER = re.compile(r"\[([^\W\d_])\](?=[^\W_])")
# Marks that are put around a whole quote.
_OPENING, _CLOSING = (
    "\"'\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u00ab\u00bb\u2039\u203a\u300c",
    "\"'\u201c\u201d\u2018\u2019\u00ab\u00bb\u2039\u203a\u300d",
)
# What somebody has put into a quote: brackets that begin at no letter, or end a word. Bounded.
_INSERTION = re.compile(
    r"(?<![^\s(\"'\u201c\u2018-])\[[^\[\]]{1,400}\](?!\(|[^\W_])|(?<=[^\W\d_])\[[^\W\d_]{1,9}\](?![^\W_])"
)
# Places of one part of a quote that are tried, so that its parts stand close together.
_TRIED = 40
# Code points of what surrounds a quote that are compared.
_CONTEXT = 64
# Code points of dressing that may stand between a quote and what surrounds it.
_BESIDE = 12


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """What became of a quote.

    `start` and `end` are code points of the source's own text, around everything that was found; `spans` the parts of
    a quote with an ellipsis, else that one. `score` (0 to 1) is the part of its words that stand there, in order.
    `differences` is everything in which it departs from the source, `omitted` what stands in the source where the
    quote has an ellipsis. `passage` names the other source in which it was found. `is_repeated` says that the same
    words stand there more than once, and nothing said which are meant. `note` is what else there is to say.
    """

    verdict: QuoteVerdict
    start: int | None = None
    end: int | None = None
    spans: tuple[tuple[int, int], ...] = ()
    score: float = 0.0
    differences: tuple[Difference, ...] = ()
    omitted: tuple[str, ...] = ()
    passage: Hashable = None
    is_repeated: bool = False
    note: str = ""

    @property
    def is_verified(self) -> bool:
        """Whether the source says these words: `verbatim`, `typographic` or `elided`."""
        return self.verdict in VERIFIED

    @property
    def reason(self) -> str:
        """The verdict in a plain sentence, with what differs."""
        from pincite.checking._reasons import reason_of

        return reason_of(self)


_check = maker(QuoteCheck)


class _Context(NamedTuple):
    """What surrounds the place that is meant, folded, and where it was."""

    prefix: str
    suffix: str
    near: int | None

    @property
    def is_given(self) -> bool:
        return bool(self.prefix or self.suffix) or self.near is not None


def verify_quote(
    quote: str,
    source: str | SourceIndex,
    *,
    prefix: str | None = None,
    suffix: str | None = None,
    near: int | None = None,
    others: Mapping[Any, str | SourceIndex] | None = None,
    limits: Limits = DEFAULT,
) -> QuoteCheck:
    """Return whether `source` says `quote`, and where: `start` and `end` are code points of its own text.

    `prefix` and `suffix` are what stands in front of the place that is meant and behind it, `near` the code point
    where it should be: they choose among several places. `others` are further sources by any key; a quote that does
    not stand in `source` and does in one of them is `elsewhere`, and `passage` is that key. Give a `SourceIndex` to
    look for several quotes in one source.

    Raises:
        InputError: an argument is of another type.
    """
    of_kind(quote, str, "quote", "a string")
    context = _context(prefix, suffix, near)
    if others is not None and not hasattr(others, "items"):
        msg = f"`others` is a mapping of sources, not {type(others).__name__}."
        raise InputError(msg, field="others")
    check = _verified(quote, source, context, limits)
    if not others or check.is_verified or check.verdict in _FINAL:
        return check
    for key, other in others.items():
        found = _verified(quote, other, _NOWHERE, limits)
        if found.is_verified:
            return replace(found, verdict=QuoteVerdict.ELSEWHERE, passage=key)
    return check


_FINAL = (QuoteVerdict.TOO_SHORT, QuoteVerdict.TRUNCATED)
_NOWHERE = _Context("", "", None)


def _context(prefix: str | None, suffix: str | None, near: int | None) -> _Context:
    if prefix is None and suffix is None and near is None:
        return _NOWHERE
    for value, name in ((prefix, "prefix"), (suffix, "suffix")):
        if value is not None:
            of_kind(value, str, name, "a string")
    if near is not None:
        of_kind(near, int, "near", "a code point")
    before, after = (prefix or "")[-4 * _CONTEXT :], (suffix or "")[: 4 * _CONTEXT]
    return _Context(fold(before).text.strip()[-_CONTEXT:], fold(after).text.strip()[:_CONTEXT], near)


def _verified(quote: str, source: str | SourceIndex, context: _Context, limits: Limits) -> QuoteCheck:
    text = source.text if isinstance(source, SourceIndex) else of_kind(source, str, "source", "a string")
    wanted = quote.strip()
    if len(wanted) > limits.quote_code_points:
        return QuoteCheck(
            QuoteVerdict.UNCHECKED,
            note=f"It has {len(wanted):,} code points; {limits.quote_code_points:,} are the most.",
        )
    if _LETTER.search(wanted) is None:
        return QuoteCheck(QuoteVerdict.TOO_SHORT, note="It holds no word.")
    if _LETTER.search(text) is None:
        return QuoteCheck(QuoteVerdict.UNCHECKED, note="There is no text to look in.")
    if not context.is_given:
        at = _find(wanted, text)
        if at >= 0:
            return _verbatim(wanted, text, at, limits)
    index = source if isinstance(source, SourceIndex) else SourceIndex(text, limits=limits)
    return _Search(wanted, index, context, limits).check()


def _verbatim(wanted: str, text: str, at: int, limits: Limits) -> QuoteCheck:
    """Return the check of `wanted` at `at`; where it is cut off from something there, of the next place where not."""
    repeated = find(text, wanted, at + 1) >= 0
    first: QuoteCheck | None = None
    for _ in range(_TRIED):
        end = at + len(wanted)
        check = _check(QuoteVerdict.VERBATIM, at, end, ((at, end),), 1.0, is_repeated=repeated)
        check = _settled(check, wanted, text, limits)
        if check.verdict is not QuoteVerdict.TRUNCATED:
            return check
        first = first or check
        at = _find(wanted, text, at + 1) if repeated else -1
        if at < 0:
            break
    return first or QuoteCheck(QuoteVerdict.ABSENT)


def _find(wanted: str, source: str, start: int = 0) -> int:
    """Return where `wanted` stands in `source` from `start` on, as whole words, or -1."""
    size = len(wanted)
    at = find(source, wanted, start)
    while at >= 0 and not is_whole(source, at, at + size):
        at = find(source, wanted, at + 1)
    return at


def _settled(check: QuoteCheck, wanted: str, text: str, limits: Limits) -> QuoteCheck:
    """Return a verified check, unless the quote is too short to prove anything or leaves out what limits it."""
    start, end = check.start, check.end
    if start is None or end is None:
        return check
    if _weight(wanted) < limits.quote_least_code_points:
        note = f"Fewer than {limits.quote_least_code_points} code points prove nothing."
        return replace(check, verdict=QuoteVerdict.TOO_SHORT, note=note)
    cut = cut_off(text, start, end)
    if cut is None:
        return check
    left_out = Difference(cut.kind, "", text[cut.start : cut.end].strip(), cut.start, cut.end, matters=True)
    return replace(check, verdict=QuoteVerdict.TRUNCATED, differences=(*check.differences, left_out))


def _weight(wanted: str) -> int:
    return len(wanted) if wanted.isascii() else len(wanted) + len(_SPACELESS.findall(wanted))


class _Part(NamedTuple):
    """Code points `start` to `end` of the folded source, where a part of a quote stands, and what differs there."""

    start: int
    end: int
    differences: tuple[Difference, ...] = ()
    score: float = 1.0

    @property
    def is_altered(self) -> bool:
        return any(one.matters for one in self.differences)


def _place_of(part: _Part) -> tuple[int, int]:
    return part.start, part.end


def _start_of(part: _Part) -> int:
    return part.start


class _Search:
    """Looks for one quote in one folded source."""

    __slots__ = ("_context", "_index", "_limits", "_wanted")

    def __init__(self, wanted: str, index: SourceIndex, context: _Context, limits: Limits) -> None:
        self._wanted = _CHANGED_LETTER.sub(r"\1", wanted) if "[" in wanted else wanted
        self._index = index
        self._context = context
        self._limits = limits

    def check(self) -> QuoteCheck:
        """Return the verdict."""
        quote = fold(self._wanted)
        found = self._same(quote)
        if not found and self._wanted[0] in _OPENING and self._wanted[-1] in _CLOSING:
            # Marks around the whole quote are not of it.
            self._wanted = self._wanted[1:-1].strip()
            quote = fold(self._wanted)
            found = self._same(quote)
        if self._context.is_given and (exact := self._exact(found)) is not None:
            return exact
        if found:
            return self._first_told(found)
        if any(mark in self._wanted for mark in _MAY_BE_ELLIPSIS):
            parts = [part for part in _ELLIPSIS.split(self._wanted) if _LETTER.search(part)]
            if len(parts) > 1:
                return self._parted(parts)
            if parts and parts[0] != self._wanted:  # one at an end
                quote = fold(parts[0])
                found = self._same(quote)
        if not found and (near := self._alike(quote)) is not None:
            found = [near]
        return self._told_of(found[0], is_repeated=False) if found else QuoteCheck(QuoteVerdict.ABSENT)

    def _same(self, quote: Folded) -> list[_Part]:
        """Return where the same words stand, the place that the surroundings speak for first."""
        words = quote.text.strip()
        if not words:
            return []
        size = len(words)
        most = self._limits.quote_occurrences if self._context.is_given else 2
        places = list(islice(self._index.occurrences(words), most))
        if len(places) > 1 and self._context.is_given:
            places.sort(key=lambda at: self._fit(at, at + size), reverse=True)
        return [_Part(at, at + size, case_differences(quote, self._index, at, at + size)) for at in places]

    def _first_told(self, found: Sequence[_Part]) -> QuoteCheck:
        """Return the check of the first place; without surroundings, of the first that is cut off from nothing."""
        repeated = self._is_repeated(found)
        checks = (self._told_of(part, is_repeated=repeated) for part in found)
        first = next(checks)
        if first.verdict is not QuoteVerdict.TRUNCATED or self._context.is_given:
            return first
        return next((check for check in checks if check.is_verified), first)

    def _exact(self, found: Sequence[_Part]) -> QuoteCheck | None:
        """Return where the same characters stand, if the surroundings speak for that at least as for what was found."""
        source, size = self._index.text, len(self._wanted)
        places: list[tuple[tuple[int, int], int]] = []
        at = _find(self._wanted, source)
        while at >= 0 and len(places) < self._limits.quote_occurrences:
            start, end = self._index.folded.to_folded(at, at + size)
            places.append((self._fit(start, end, at), at))
            at = _find(self._wanted, source, at + 1)
        if not places:
            return None
        fit, at = max(places, key=lambda one: (one[0], -one[1]))
        if found and self._fit(found[0].start, found[0].end) > fit:
            return None
        check = _check(QuoteVerdict.VERBATIM, at, at + size, ((at, at + size),), 1.0)
        repeated = len(places) > 1 and sum(one[0] == fit for one in places) > 1
        return _settled(replace(check, is_repeated=repeated), self._wanted, source, self._limits)

    def _alike(self, quote: Folded) -> _Part | None:
        """Return the stretch most alike, and what differs; None where nothing is alike."""
        insertions: list[Insertion] = []
        if "[" in quote.source:
            quote, insertions = _without_insertions(quote)
            if not quote.text:
                return None
        best: _Part | None = None
        for first, last in self._windows(len(quote.text)):
            if best is not None and last is None:
                break
            part = self._alike_in(quote, first, last, insertions)
            if part is not None and not part.is_altered:
                return part
            best = best or part
        return best

    def _alike_in(
        self, quote: Folded, first: int, last: int | None, insertions: Sequence[Insertion]
    ) -> _Part | None:
        """Return the stretch most alike within code points `first` to `last` of the folded source."""
        near = self._index.alike(quote.text, first, last)
        if near is None:
            return None
        reach = self._limits.quote_head_code_points
        found = compare(quote, self._index, *near, reach=reach, insertions=insertions)
        if found is None or found.start >= found.end:
            return None
        part = _Part(found.start, found.end, tuple(found.differences), found.score)
        if not part.is_altered and not is_whole(self._index.folded.text, part.start, part.end):
            place = self._index.folded.to_source(max(0, part.start - 1), part.end + 1)
            cut = self._difference(DifferenceKind.SYMBOL, quote.source, *place)
            return part._replace(differences=(*part.differences, cut))
        return part

    def _windows(self, size: int) -> list[tuple[int, int | None]]:
        """Return where to look: first where the surroundings say, then everywhere."""
        windows: list[tuple[int, int | None]] = []
        text, context = self._index.folded.text, self._context
        if not context.is_given:
            return [(0, None)]
        # Close by first: the same words may stand there twice.
        close, far = size + size // 4 + _BESIDE, 2 * size + _CONTEXT
        if context.prefix and (at := text.find(context.prefix)) >= 0:
            at += len(context.prefix)
            windows += [(at, at + close), (at, at + far)]
        if context.suffix and (at := text.find(context.suffix)) >= 0:
            windows += [(max(0, at - close), at), (max(0, at - far), at)]
        if context.near is not None:
            at = self._index.folded.to_folded(context.near, context.near)[0]
            windows.append((max(0, at - size - _CONTEXT), at + 2 * size + _CONTEXT))
        return [*windows, (0, None)]

    def _fit(self, start: int, end: int, begin: int | None = None) -> tuple[int, int]:
        """Say how well the surroundings of a place are those that were given, then how near it is.

        `begin` is where it begins in the source, if that is known.
        """
        text, context = self._index.folded.text, self._context
        before = _letters(text[max(0, start - 2 * _CONTEXT) : start])
        after = _letters(text[end : end + 2 * _CONTEXT])
        common = _common(before[::-1], _letters(context.prefix)[::-1]) + _common(
            after, _letters(context.suffix)
        )
        distance = 0
        if context.near is not None:
            begin = self._index.folded.source_start(start) if begin is None else begin
            distance = abs(begin - context.near)
        return common, -distance

    def _is_repeated(self, places: Sequence[_Part]) -> bool:
        if len(places) < 2:  # noqa: PLR2004 - one is not repeated
            return False
        first, second = places[:2]
        return not self._context.is_given or (
            self._fit(first.start, first.end) == self._fit(second.start, second.end)
        )

    def _parted(self, parts: Sequence[str]) -> QuoteCheck:
        """Return the verdict on the parts of a quote with an ellipsis: `too_short` where none of them proves anything.

        Together they may still show that something was hidden between them.
        """
        weights, least = list(map(_weight, parts)), self._limits.quote_least_code_points
        if sum(weights) >= least:
            told = self._elided([fold(part) for part in parts])
            if max(weights) >= least or told.verdict is QuoteVerdict.ALTERED:
                return told
        return QuoteCheck(QuoteVerdict.TOO_SHORT, note="None of its parts proves anything.")

    def _elided(self, wanted: Sequence[Folded]) -> QuoteCheck:
        """Return the verdict on parts that should stand in the source in this order."""
        places: list[list[_Part]] = []
        for part in wanted:
            found = self._same(part) if self._context.is_given else self._all_same(part)
            if not found and (near := self._alike(part)) is not None:
                found = [near]
            if not found:
                return QuoteCheck(
                    QuoteVerdict.ABSENT, note=f"A part of it is not there: “{part.source[:80]}”."
                )
            places.append(sorted(found[:_TRIED], key=_place_of))
        chain = self._chain(places)
        if chain is None:
            parts = sorted((one[0] for one in places), key=_place_of)
            check = self._told(parts)
            apart = self._difference(DifferenceKind.ORDER, "", check.start or 0, check.end or 0)
            return replace(check, verdict=QuoteVerdict.ALTERED, differences=(*check.differences, apart))
        return self._told(chain)

    def _all_same(self, quote: Folded) -> list[_Part]:
        words = quote.text.strip()
        return [
            _Part(at, at + len(words), case_differences(quote, self._index, at, at + len(words)))
            for at in islice(self._index.occurrences(words), _TRIED)
        ]

    def _chain(self, places: Sequence[Sequence[_Part]]) -> list[_Part] | None:
        """Return one place for each part, in order and as close together as they come; None where they are not."""
        best: list[_Part] | None = None
        rank: tuple[int, int] | None = None
        for first in places[0]:
            chain = [first]
            for following in places[1:]:
                index = bisect_left(following, chain[-1].end, key=_start_of)
                if index == len(following):
                    return best
                chain.append(following[index])
            fit = self._fit(first.start, chain[-1].end)[0] if self._context.is_given else 0
            this = fit, first.start - chain[-1].end
            if rank is None or this > rank:
                best, rank = chain, this
        return best

    def _told(self, parts: Sequence[_Part]) -> QuoteCheck:
        """Return the check of what was found."""
        source = self._index.text
        spans: tuple[tuple[int, int], ...] = tuple(
            self._index.folded.to_source(part.start, part.end) for part in parts
        )
        start, end = spans[0][0], max(end for _, end in spans)
        differences = [one for part in parts for one in part.differences]
        omitted: list[str] = []
        for (_, left), (following, _) in pairwise(spans):
            omitted.append(source[left:following].strip())
            if following - left > self._limits.quote_gap_code_points:
                differences.append(self._difference(DifferenceKind.ORDER, "", left, following))
            differences += self._turning(left, following)
        for (start_, end_), (following, until) in pairwise(spans):
            # What stands beside the ellipsis counts more than what stands in the middle of what was left out.
            cuts = (
                cut_behind(source, start_, end_, following),
                cut_in_front(source, following, until, end_),
            )
            told = {one.start for one in differences}
            differences += [
                self._difference(cut.kind, "", cut.start, cut.end)
                for cut in cuts
                if cut is not None and cut.start not in told
            ]
        verdict = QuoteVerdict.ELIDED
        if any(one.matters for one in differences):
            verdict = QuoteVerdict.ALTERED
        score = sum(part.score * (part.end - part.start) for part in parts) / sum(
            part.end - part.start for part in parts
        )
        check = _check(verdict, start, end, spans, score, tuple(differences), tuple(omitted))
        if verdict is QuoteVerdict.ALTERED:
            return check
        return _settled(check, self._wanted, source, self._limits)

    def _told_of(self, part: _Part, *, is_repeated: bool) -> QuoteCheck:
        """Return the check of a quote that was found in one piece."""
        source = self._index.text
        start, end = span = self._index.folded.to_source(part.start, part.end)
        verdict = QuoteVerdict.TYPOGRAPHIC
        if part.is_altered:
            verdict = QuoteVerdict.ALTERED
        elif source[start:end] == self._wanted:
            verdict = QuoteVerdict.VERBATIM
        check = _check(verdict, start, end, (span,), part.score, part.differences, is_repeated=is_repeated)
        if verdict is QuoteVerdict.ALTERED:
            return check
        return _settled(check, self._wanted, source, self._limits)

    def _turning(self, start: int, end: int) -> Iterator[Difference]:
        """Yield the words of a stretch of the source that turn a statement round or limit it."""
        first, last = self._index.folded.to_folded(start, end)
        folded, wording = self._index.folded, self._index.wording_at(first)
        for found in tokens(folded.text).finditer(folded.text, first, last):
            word, place = found.group(), found.span()
            kind = DifferenceKind.NEGATOR if wording.turns(word) else None
            if kind is None and wording.limits(word, folded.cased[slice(*place)]):
                kind = DifferenceKind.LIMITER
            if kind is not None:
                yield self._difference(kind, "", *folded.to_source(*place))

    def _difference(self, kind: DifferenceKind, quote: str, start: int, end: int) -> Difference:
        return Difference(kind, quote, self._index.text[start:end].strip(), start, end, matters=True)


def _without_insertions(quote: Folded) -> tuple[Folded, list[Insertion]]:
    """Return a quote without what was put in brackets, and where that stood."""
    bare: list[str] = []
    put: list[tuple[str, int, bool]] = []
    position = size = 0
    for found in _INSERTION.finditer(quote.source):
        piece = quote.source[position : found.start()]
        if found.start() and not piece.endswith(" ") and quote.source[found.start() - 1].isspace():
            piece += " "
        bare.append(piece)
        size += len(piece)
        put.append((found.group()[1:-1], size, quote.source[: found.start()][-1:].isalpha()))
        position = found.end()
        if piece.endswith(" ") or not size:
            while quote.source[position : position + 1] == " ":
                position += 1
    if not put:
        return quote, []
    folded = fold("".join([*bare, quote.source[position:]]))
    return folded, [Insertion(text, folded.to_folded(at, at)[0], is_ending) for text, at, is_ending in put]


def _letters(text: str) -> str:
    """Return the letters and digits of a text: what dresses and parts them tells no place from another."""
    return _NO_LETTER.sub("", text)


def _common(one: str, other: str) -> int:
    """Return how many code points two texts begin with alike."""
    length = min(len(one), len(other))
    for index in range(length):
        if one[index] != other[index]:
            return index
    return length
