"""The words of a quote beside those of the source that are most alike, and what differs between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import LCSseq, Levenshtein, Postfix, Prefix

from pincite.checking._judge import Block, Difference, Insertion, Judge, Words
from pincite.checking.source_index import cuts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.checking.source_index import SourceIndex
    from pincite.core.fold import Folded

# The part of a quote's letters that has to stand in the source, and of the source's stretch that has to be quoted.
_QUOTED, _COVERED = 0.6, 0.5
# Letters, and the part of the shorter of two stretches, that have to be in the other before it counts as alike.
_LEAST_ALIKE, _ALIKE = 3, 0.75
# Letters that a wider stretch has to hold more of the quote, and words it may hold that the quote has not.
_GAINED, _APART = 3, 2
# Words of a stretch that is the same on both sides from which on it is taken as a whole, but for so many at its ends.
_LEAST_WHOLE, _MARGIN = 8, 3
# Marks at the end of a sentence, and code points of a word that is looked at.
_STOPS, _LONGEST = frozenset(".!?:;\u3002"), 40
# Spaces, and what dresses words in Markdown: it is no part of a quote.
_DRESS = " *_`~#>|"
_SIGNS = "-+\u00b1$\u20ac\u00a3\u00a5<>\u2264\u2265\u2248~=\u2212"
_BEHIND = "%\u2030\u00b0"
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


class Compared(NamedTuple):
    """A stretch of the folded source, what differs there, and the part of the quote that stands there (0 to 1).

    `before` and `behind` are the words at the quote's beginning and at its end that do not stand at those of the
    stretch, and where what stands there begins and ends; None where all of them do.
    """

    start: int
    end: int
    differences: list[Difference]
    score: float
    before: tuple[list[str], int] | None
    behind: tuple[list[str], int] | None

    @property
    def is_altered(self) -> bool:
        """Whether a difference matters."""
        return any(one.matters for one in self.differences)


def compare(
    quote: Folded,
    index: SourceIndex,
    start: int,
    end: int,
    *,
    reach: int = 0,
    insertions: Sequence[Insertion] = (),
) -> Compared | None:
    """Return what differs between a quote and code points `start` to `end` of a folded source.

    `insertions` are what somebody has put into the quote in brackets; it stands in it no more.

    Where the quote's first words or its last are not there, they are looked for up to `reach` code points further
    out: a page's head may stand in between. None when too little of one stands in the other.
    """
    source = index.folded
    found = _compared(quote, index, start, end, insertions)
    if found is None and reach:
        words = Words(quote, 0, len(quote.text)).words
        if words:
            start, end = _before(source, start, reach, words[:1]), _behind(source, end, reach, words[-1:])
            return _compared(quote, index, start, end, insertions)
    if found is None or not reach or (found.before is None and found.behind is None) or not found.is_altered:
        return found
    start, end = _to_words(source.text, start, end)
    wider = (
        start if found.before is None else _before(source, found.before[1], reach, found.before[0]),
        end if found.behind is None else _behind(source, found.behind[1], reach, found.behind[0]),
    )
    if wider == (start, end):
        return found
    other = _compared(quote, index, *wider, insertions)
    if other is None or (other.is_altered and not _is_near(source, found, other)):
        return found
    return other


def _is_near(source: Folded, found: Compared, other: Compared) -> bool:
    """Say whether a wider stretch only takes in words that stand right beside the narrower one."""
    lost = [*(found.before or ([], 0))[0], *(found.behind or ([], 0))[0]]
    still = [*(other.before or ([], 0))[0], *(other.behind or ([], 0))[0]]
    gained = len(Words(source, other.start, found.start).words) + len(
        Words(source, found.end, other.end).words
    )
    more = _size(lost) - _size(still)
    return (more >= _GAINED and gained <= len(lost) + _APART) or (
        more > 0 and gained <= len(lost) - len(still)
    )


def _before(source: Folded, start: int, reach: int, words: Sequence[str]) -> int:
    """Return where the first of `words` stands in front of `start`, or all of them parted; else `start`."""
    around = Words(source, max(0, start - reach), start)
    joined = "".join(words)
    for index in range(len(around.words) - 1, -1, -1):
        if around.words[index] == words[0] or "".join(around.words[index:]) == joined:
            return around.places[index][0]
    return start


def _behind(source: Folded, end: int, reach: int, words: Sequence[str]) -> int:
    """Return where the last of `words` ends behind `end`, or all of them parted; else `end`."""
    around = Words(source, end, min(len(source.text), end + reach))
    joined = "".join(words)
    for index in range(1, len(around.words) + 1):
        if around.words[index - 1] == words[-1] or "".join(around.words[:index]) == joined:
            return around.places[index - 1][1]
    return end


def _compared(  # noqa: C901, PLR0912 - one walk over both sides
    quote: Folded, index: SourceIndex, start: int, end: int, insertions: Sequence[Insertion]
) -> Compared | None:
    """Return what differs between a quote and a stretch; None when too little of one stands in the other."""
    source = index.folded
    start, end = _to_words(source.text, start, end)
    # What both begin and end with needs no judging.
    front, back = _common(quote, source, start, end)
    # A first or last word that differs stands beside the one that it is put for.
    if not front:
        start = _one_before(source.text, start)
    if not back:
        end = _one_behind(source.text, end)
    ours, theirs = _wholes(quote, front, len(quote.text) - back, source, start + front, end - back)
    left = Words(quote, front, len(quote.text) - back, ours)
    right = Words(source, start + front, end - back, theirs)
    blocks = _blocks(left.words, right.words)
    if not front and not back and not any(block[4] for block in blocks):
        return None
    judge = Judge(quote, index, left, right, insertions)
    # What the source has in front of the quote and behind is outside of it.
    if blocks and not front and not blocks[0][4]:
        blocks[0] = judge.at_start(blocks[0])
    if blocks and not back and not blocks[-1][4]:
        blocks[-1] = judge.at_end(blocks[-1])
    blocks = [block for block in blocks if block[0] < block[1] or block[2] < block[3]]
    first, last = _ends(blocks)
    matched: float = front + back
    quoted, covered = matched + _size(left.words), matched + _size(right.words[first:last])
    for a, b, c, d, equal in blocks:
        if equal:
            matched += _size(left.words[a:b])
        elif a < b and c < d:
            matched += _alike("".join(left.words[a:b]), "".join(right.words[c:d]))
    if matched < _QUOTED * quoted or matched < _COVERED * covered:
        return None
    for block in blocks:
        if not block[4]:
            judge.block(*block[:4])
        elif left.cased[block[0] : block[1]] != right.cased[block[2] : block[3]]:
            judge.case(*block[:4])
    if not front and first < last:
        # Marks around the first word and the last are quoted too, where the quote has them.
        start = right.places[first][0]
        if blocks[0][2] < blocks[0][3]:
            start -= _common_end(quote.text[: left.places[0][0]], source.text[:start])
    if not back and first < last:
        end = right.places[last - 1][1]
        if blocks[-1][2] < blocks[-1][3]:
            end += _common_start(quote.text[left.places[-1][1] :], source.text, end)
    while start < end and source.text[start] == " ":
        start += 1
    while start < end and source.text[end - 1] == " ":
        end -= 1
    judge.inserted(start, end)
    first_lost = bool(blocks) and not front and not blocks[0][4]
    last_lost = bool(blocks) and not back and not blocks[-1][4]
    return Compared(
        start,
        end,
        judge.differences(),
        matched / max(quoted, covered),
        (left.words[: blocks[0][1]], right.behind(blocks[0][3])) if first_lost else None,
        (left.words[blocks[-1][0] :], right.before(blocks[-1][2])) if last_lost else None,
    )


def _ends(blocks: Sequence[Block]) -> tuple[int, int]:
    """Return the first word of the source that is quoted, and where the last one ends."""
    filled = [block for block in blocks if block[3] > block[2]]
    return (filled[0][2], filled[-1][3]) if filled else (0, 0)


def _common(quote: Folded, source: Folded, start: int, end: int) -> tuple[int, int]:
    """Return how many code points a quote and a stretch have in common at their beginnings and ends, in whole words."""
    wanted, written = quote.text, source.text[start:end]
    front = Prefix.similarity(wanted, written)
    front = wanted.rfind(" ", 0, front) + 1
    if quote.cased[:front] != source.cased[start : start + front]:
        front = 0
    rest = len(wanted) - front
    back = min(Postfix.similarity(wanted, written), rest, len(written) - front)
    if back < rest or (back < len(written) - front and written[-back - 1] != " "):
        # One word more is looked at: what stands behind a mark tells what it is.
        space = wanted.find(" ", wanted.find(" ", len(wanted) - back) + 1)
        back = len(wanted) - space if space >= len(wanted) - back else 0
    if back and quote.cased[-back:] != source.cased[end - back : end]:
        back = 0
    return front, back


def _one_before(text: str, start: int) -> int:
    """Return where the word in front of `start` begins, if it is of the same sentence."""
    if start < 2 or text[start - 1] != " " or text[start - 2] in _STOPS:  # noqa: PLR2004 - a space, and a letter
        return start
    before = text.rfind(" ", max(0, start - _LONGEST), start - 1)
    return before + 1 if before >= 0 else max(0, start - _LONGEST)


def _one_behind(text: str, end: int) -> int:
    """Return where the word behind `end` ends, if it is of the same sentence."""
    if text[end : end + 1] != " " or text[end - 1 : end] in _STOPS:
        return end
    last = text.find(" ", end + 1, end + _LONGEST)
    return last if last >= 0 else min(len(text), end + _LONGEST)


def _wholes(
    quote: Folded, a: int, b: int, source: Folded, c: int, d: int
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return long stretches that are the same in code points `a` to `b` of a quote and `c` to `d` of a source.

    They need no cutting into words; some words at their ends are not of them, so that what differs is judged beside
    what stands there.
    """
    ours: list[tuple[int, int]] = []
    theirs: list[tuple[int, int]] = []
    left, right = quote.cased[a:b].split(" "), source.cased[c:d].split(" ")
    if len(left) < _LEAST_WHOLE or len(right) < _LEAST_WHOLE:
        return ours, theirs
    for step in Levenshtein.opcodes(left, right):
        if step.tag != "equal" or step.src_end - step.src_start < _LEAST_WHOLE:
            continue
        first, last = step.src_start + _MARGIN, step.src_end - _MARGIN
        size = len(" ".join(left[first:last]))
        start = a + len(" ".join(left[:first])) + 1
        ours.append((start, start + size))
        start = c + len(" ".join(right[: step.dest_start + _MARGIN])) + 1
        theirs.append((start, start + size))
    return ours, theirs


def _common_start(marks: str, text: str, at: int) -> int:
    """Return how many code points of `text` from `at` on are what `marks` begin with."""
    count = 0
    for mark in marks:
        if text[at + count : at + count + 1] != mark or mark in _DRESS:
            break
        count += 1
    return count


def _common_end(marks: str, text: str) -> int:
    """Return how many code points at the end of `text` are what `marks` end with."""
    return _common_start(marks[::-1], text[: -len(marks) - 1 : -1], 0) if marks else 0


def case_differences(quote: Folded, index: SourceIndex, start: int, end: int) -> tuple[Difference, ...]:
    """Return in which letter cases a quote departs from `start` to `end` of a source that folds to the same."""
    source = index.folded
    if quote.cased.strip() == source.cased[start:end]:
        return ()
    left, right = Words(quote, 0, len(quote.text)), Words(source, start, end)
    if left.words != right.words:  # what stands around a number may be read otherwise in other surroundings
        return ()
    judge = Judge(quote, index, left, right)
    judge.case(0, len(left.words), 0, len(right.words))
    return tuple(judge.differences())


def _blocks(left: Sequence[str], right: Sequence[str]) -> list[Block]:
    """Return the stretches that are the same on both sides and those that are not, in turn."""
    blocks: list[Block] = []
    for step in Levenshtein.opcodes(left, right):
        a, b, c, d = step.src_start, step.src_end, step.dest_start, step.dest_end
        equal = step.tag == "equal"
        if blocks and not equal and not blocks[-1][4]:
            blocks[-1] = (blocks[-1][0], b, blocks[-1][2], d, False)
        else:
            blocks.append((a, b, c, d, equal))
    return blocks


def _alike(one: str, other: str) -> float:
    """Return how many letters two stretches that differ have in common; none where they are little alike."""
    common = LCSseq.similarity(one, other)
    shorter = min(len(one), len(other))
    return common if common >= max(_LEAST_ALIKE, _ALIKE * shorter) else 0


def _size(words: Sequence[str]) -> int:
    return len("".join(words))


def _word_at(text: str, at: int) -> tuple[int, int]:
    """Return where the word around a place in it begins and ends."""
    low = high = at
    while cuts(text, low):
        low -= 1
    while cuts(text, high):
        high += 1
    return low, high


def _to_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Move the ends of a stretch to where words end: a word stays when half of it is inside."""
    if cuts(text, start):
        low, high = _word_at(text, start)
        start = low if high - start >= start - low else high
    if cuts(text, end):
        low, high = _word_at(text, end)
        end = high if end - low >= high - end else low
    if start and text[start : start + 1].isdigit():
        signed = start - 1 - (text[start - 1] == " ")
        if signed >= 0 and text[signed] in _SIGNS:
            start = signed
    start += start < end and text[start] == " "
    end -= start < end and text[end - 1] == " "
    is_amount = text[end : end + 1].isdigit() and text[end - 1] in _SIGNS
    if is_amount and (number := _NUMBER.match(text, end)) is not None:
        end = number.end()
    return start, end + (end < len(text) and text[end] in _BEHIND)
