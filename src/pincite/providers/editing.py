"""An answer's text is edited: its citations go with it, or they go.

A citation is about words. Where those words stand unchanged in the new text, it stands there too; where they do not, it
is dropped and the reason is told. What the provider said of its own offsets does not survive any change, so it is
cleared together with them.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pincite.core.citation import Citation, ContentCitationAnchor, TextPart
from pincite.core.errors import InputError
from pincite.core.given import items_of, of_kind
from pincite.providers.response import RAW, about, hash_of, moved
from pincite.providers.saving import UNREAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from pincite.core.citation import CitationAnchor

    _Beside = tuple[str | None, str | None]

BOUND_TO_TEXT: Final = (RAW, UNREAD, "annotations", "logprobs")
"""What `TextPart.provider_details` may hold that is true of one text only."""
EDITED: Final = "edited"
"""Under which name `TextPart.provider_details` says that the text is no longer what the provider sent."""
# Code points on each side that tell one place of some words from another.
_AROUND: Final = 32
# Places of the same words whose surroundings are compared word by word; more are too many to be told apart.
_PLACES: Final = 50
# Linear: runs of one class.
_WORD: Final = re.compile(r"\w+")
# Marks of Markdown that nobody sees, and what stands in a text for other characters: link targets with brackets one
# deep, tags, entities. Linear: what is repeated is possessive, and ends at a character that it does not hold.
_UNSEEN: Final = re.compile(
    r"\]\((?:[^()\n]|\([^()\n]*+\))*+\)|</?[A-Za-z][^<>]*+>|<https?://[^<>\s]*+>|&#?[A-Za-z0-9]{1,31};"
    r"|[\s*_~`#>|\\\[\]()!<&]|^[ \t]*+[-+](?=\s)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class DroppedCitation:
    """A citation that an edited text cannot carry, as it was, and why."""

    citation: Citation
    reason: str


@dataclass(frozen=True, slots=True)
class EditedText:
    """A part with its new text, and what it could not carry over."""

    part: TextPart
    dropped: tuple[DroppedCitation, ...] = ()


@dataclass(frozen=True, slots=True)
class SplitText:
    """The parts that one part was split into, and what none of them could carry over."""

    parts: tuple[TextPart, ...]
    dropped: tuple[DroppedCitation, ...] = ()


def edit_text(part: TextPart, text: str, *, rendered: bool = False) -> EditedText:
    """Return `part` with `text` in place of its own, and the citations of those words that are still there.

    Insertions, deletions and trimming are followed, and words that were moved, where it is clear where to. With
    `rendered`, `text` is what became of the Markdown of the part: marks, link targets, tags and white space may be
    others, words may not. `provider_details` lose what is true of the old text only, and say that it was `edited`.

    Raises:
        InputError: an argument is of another type.
    """
    old = of_kind(part, TextPart, "part", "a TextPart").content
    if of_kind(text, str, "text", "a string") == old:
        return EditedText(*_still_true(part))
    finder = _Finder(_visible(old), _visible(text)) if rendered else _Finder(_itself(old), _itself(text))
    return _edited(part, text, finder.find)


def replace_text(part: TextPart, start: int, end: int, text: str) -> EditedText:
    """Return `part` with `text` in place of its code points `start` to `end`: an insertion where these are the same.

    Raises:
        InputError: an argument is of another type, or there is no such place.
    """
    old = of_kind(part, TextPart, "part", "a TextPart").content
    of_kind(start, int, "start", "a code point")
    of_kind(end, int, "end", "a code point")
    of_kind(text, str, "text", "a string")
    if not 0 <= start <= end <= len(old):
        msg = f"`start` and `end` are code points of the part, not {start} and {end}."
        raise InputError(msg, field="start")
    if old[start:end] == text:
        return EditedText(*_still_true(part))
    by = len(text) - (end - start)

    def find(first: int, last: int) -> tuple[int, int] | str:
        if last <= start:
            return first, last
        return (first + by, last + by) if first >= end else _GONE

    return _edited(part, old[:start] + text + old[end:], find)


def split_text(part: TextPart, *at: int) -> SplitText:
    """Return `part` split at the code points `at`, each citation in the piece that holds its words.

    One whose words are cut in two says less than its source supports, and one without an anchor says of no piece that
    it is meant: both are dropped.

    Raises:
        InputError: `part` is no TextPart, or a code point is not in it.
    """
    text = of_kind(part, TextPart, "part", "a TextPart").content
    if not all(isinstance(one, int) and 0 <= one <= len(text) for one in at):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = "Parts are split at code points that they have."
        raise InputError(msg, field="at")
    edges = [0, *sorted(set(at) - {0, len(text)}), len(text)]
    if len(edges) <= 2:  # noqa: PLR2004 - both ends
        kept, dropped = _still_true(part)
        return SplitText((kept,), dropped)
    bounds = list(pairwise(edges))
    found: list[list[Citation]] = [[] for _ in bounds]
    lost: list[DroppedCitation] = []
    fresh, stale = _sorted_out(part)
    for citation in fresh:
        if citation.anchor is None:
            lost.append(DroppedCitation(citation, "It does not say which piece it is about."))
            continue
        start, end = _core(text, citation.anchor)
        index = max(bisect_left(edges, start + 1) - 1, 0)
        first, last = bounds[min(index, len(bounds) - 1)]
        if end > last:
            lost.append(DroppedCitation(citation, "Its words were cut in two."))
            continue

        def find(at: int, to: int, first: int = first, last: int = last) -> tuple[int, int] | str:
            return (at - first, to - first) if first <= at and to <= last else _GONE

        carried = _carried(citation, text, text[first:last], find)
        if isinstance(carried, str):
            lost.append(DroppedCitation(citation, carried))
        else:
            found[index].append(carried)
    details = _details(part.provider_details)
    pieces = (
        TextPart(text[first:last], tuple(mine), details)
        for (first, last), mine in zip(bounds, found, strict=True)
    )
    return SplitText(tuple(pieces), (*lost, *stale))


def join_texts(parts: Iterable[TextPart], separator: str = "") -> EditedText:
    """Return the parts as one, `separator` between them; a part that is alone stays as it is.

    A citation without an anchor is about some of the text still.

    Raises:
        InputError: an argument is of another type.
    """
    given: Sequence[TextPart] = [
        of_kind(one, TextPart, "parts", "TextParts")
        for one in items_of(parts, "parts", "a list of TextParts")
    ]
    of_kind(separator, str, "separator", "a string")
    if len(given) <= 1:
        return EditedText(*_still_true(given[0] if given else TextPart("")))
    text = separator.join(part.content for part in given)
    citations: list[Citation] = []
    dropped: list[DroppedCitation] = []
    at = 0
    for part in given:
        fresh, stale = _sorted_out(part)
        dropped += stale
        for citation in fresh:
            carried = moved(citation, at)
            citations.append(
                carried if carried.anchor is not None else replace(carried, text_hash=hash_of(text))
            )
        at += len(part.content) + len(separator)
    return EditedText(TextPart(text, tuple(citations), {EDITED: True}), tuple(dropped))


def stale_citations(part: TextPart) -> tuple[Citation, ...]:
    """Return the citations whose words are no longer those that they were given for.

    That is how an edit shows that went past `edit_text`, also one that keeps the length.

    Raises:
        InputError: `part` is no TextPart.
    """
    of_kind(part, TextPart, "part", "a TextPart")
    return tuple(citation for citation in part.citations if not _is_fresh(citation, part.content))


def without_stale(part: TextPart) -> EditedText:
    """Return `part` without stale citations and, where there are any, without what was true of the old text only."""
    return EditedText(*_still_true(of_kind(part, TextPart, "part", "a TextPart")))


def stamped(part: TextPart) -> TextPart:
    """Return `part` with a hash on each citation that has none: its text is as the provider gave it.

    Raises:
        InputError: `part` is no TextPart.
    """
    of_kind(part, TextPart, "part", "a TextPart")
    if all(citation.text_hash is not None for citation in part.citations):
        return part
    return replace(
        part,
        citations=tuple(
            citation
            if citation.text_hash is not None
            else replace(citation, text_hash=hash_of(about(part.content, citation.anchor, citation.claim)))
            for citation in part.citations
        ),
    )


_UNSEEN_ALL: Final = "Nothing of it can be seen."
_GONE: Final = "Its words are not in the new text as they were."
_GROWN: Final = "Its words are a part of another word or number in the new text."
_STALE: Final = "Its words had been changed before."
_NOWHERE: Final = "It does not say what it is about, and the text was changed."
_SEVERAL: Final = "Its words stand in several places of the new text."


def _is_fresh(citation: Citation, text: str) -> bool:
    anchor = citation.anchor
    if anchor is not None and not 0 <= anchor.start <= anchor.end <= len(text):
        return False
    return citation.text_hash is None or citation.text_hash == hash_of(about(text, anchor, citation.claim))


def _sorted_out(part: TextPart) -> tuple[list[Citation], list[DroppedCitation]]:
    """Return the citations that are true of the text, and those that are not."""
    fresh: list[Citation] = []
    stale: list[DroppedCitation] = []
    for citation in part.citations:
        if _is_fresh(citation, part.content):
            fresh.append(citation)
        else:
            stale.append(DroppedCitation(citation, _STALE))
    return fresh, stale


def _still_true(part: TextPart) -> tuple[TextPart, tuple[DroppedCitation, ...]]:
    fresh, stale = _sorted_out(part)
    if not stale:
        return part, ()
    return TextPart(part.content, tuple(fresh), _details(part.provider_details)), tuple(stale)


def _details(details: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what a provider said of a part that is true of another text as well, and that it is another."""
    kept = {name: value for name, value in (details or {}).items() if name not in BOUND_TO_TEXT}
    return {**kept, EDITED: True}


def _edited(part: TextPart, text: str, find: Callable[[int, int], tuple[int, int] | str]) -> EditedText:
    fresh, dropped = _sorted_out(part)
    kept: list[Citation] = []
    for citation in fresh:
        carried = _carried(citation, part.content, text, find)
        if isinstance(carried, str):
            dropped.append(DroppedCitation(citation, carried))
        else:
            kept.append(carried)
    return EditedText(TextPart(text, tuple(kept), _details(part.provider_details)), tuple(dropped))


def _core(text: str, anchor: CitationAnchor) -> tuple[int, int]:
    """Return the anchor without the white space at its ends, which may be trimmed."""
    words = text[anchor.start : anchor.end]
    start = anchor.start + len(words) - len(words.lstrip())
    return start, max(start, anchor.start + len(words.rstrip()))


def _carried(
    citation: Citation, old: str, text: str, find: Callable[[int, int], tuple[int, int] | str]
) -> Citation | str:
    """Return a citation at its new place, or why it has none."""
    anchor = citation.anchor
    if anchor is None:
        return _NOWHERE
    start, end = _core(old, anchor)
    if start == end:
        return _GONE
    place = find(start, end)
    if isinstance(place, str):
        return place
    if _grew(old, start, text, place[0], -1) or _grew(old, end, text, place[1], 1):
        return _GROWN
    # White space at its ends goes along as far as it is still there.
    first, last = place
    before, behind = old[anchor.start : start], old[end : anchor.end]
    first -= len(before) if before and text[:first].endswith(before) else 0
    last += len(behind) if behind and text.startswith(behind, last) else 0
    claim = None
    if citation.claim is not None:
        found = find(*_core(old, citation.claim))
        claim = None if isinstance(found, str) else ContentCitationAnchor(*found)
    there = replace(anchor, start=first, end=last)
    return replace(citation, anchor=there, claim=claim, text_hash=hash_of(about(text, there, claim)))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What counts of a text, and where each of its characters stands in the `whole` of it."""

    text: str
    places: Sequence[int]
    whole: str

    def index(self, place: int) -> int:
        """Return the first character that stands at `place` or behind."""
        return bisect_left(self.places, place)


def _itself(text: str) -> _Seen:
    return _Seen(text, range(len(text)), text)


def _visible(text: str) -> _Seen:
    places: list[int] = []
    at = 0
    for found in _UNSEEN.finditer(text):
        places.extend(range(at, found.start()))
        at = found.end()
    places.extend(range(at, len(text)))
    return _Seen("".join(map(text.__getitem__, places)), places, text)


class _Finder:
    """Finds the words of an old text in a new one.

    What stands well within what both begin or end with has not moved. Other words are followed where they stand once in
    both; of several places the one is taken whose surroundings are those of the old one, and none without such.
    """

    __slots__ = ("_around", "_head", "_new", "_old", "_stands", "_tail")

    def __init__(self, old: _Seen, new: _Seen) -> None:
        self._old, self._new = old, new
        self._head = _common(old.text, new.text)
        short = min(len(old.text), len(new.text)) - self._head
        self._tail = min(short, _common(old.text[::-1], new.text[::-1]))
        self._around: dict[str, dict[_Beside, list[int]]] = {}
        self._stands: dict[str, tuple[list[int], list[int]]] = {}

    def find(self, start: int, end: int) -> tuple[int, int] | str:
        """Return where code points `start` to `end` of the old text are in the new one, or why they are not."""
        first, last = self._old.index(start), self._old.index(end)
        if first == last:
            return _UNSEEN_ALL
        place = self._place(first, last)
        if isinstance(place, str):
            return place
        to = place + last - first
        return self._new.places[place], self._new.places[to - 1] + 1

    def _place(self, first: int, last: int) -> int | str:
        old, new = self._old.text, self._new.text
        by = len(new) - len(old)
        if last + _AROUND <= self._head:
            return first
        if first - _AROUND >= len(old) - self._tail:
            return first + by
        words = old[first:last]
        if words not in self._stands:
            self._stands[words] = self._look(words)
        here, there = self._stands[words]
        at = bisect_left(here, first)
        # In the same order, where they stand as often as before.
        ordered = there[at] if len(here) == len(there) and here[at : at + 1] == [first] else None
        if ordered is not None and len(there) == 1:
            return ordered
        if ordered is not None and _beside(old, first, last) == _beside(new, ordered, ordered + last - first):
            return ordered
        if words not in self._around:
            self._around[words] = _by_surroundings(new, len(words), there)
        found = next(filter(None, map(self._around[words].get, _around(old, first, last))), None)
        best = self._likest(first, last, there) if found is None else found
        if len(best) == 1:
            return best[0]
        if ordered is not None and ordered in best:
            return ordered
        return _SEVERAL if len(there) > 1 else _GONE

    def _likest(self, first: int, last: int, there: list[int]) -> list[int]:
        """Return those of the places of some words that have most words around them in common with the old one."""
        if len(there) > _PLACES:
            return []
        before, behind = _words_around(self._old, first, last)
        size = last - first
        scores: dict[int, int] = {}
        for at in there:
            mine = _words_around(self._new, at, at + size)
            scores[at] = _alike(before, mine[0]) + _alike(behind, mine[1])
        most = max(scores.values(), default=0)
        return [at for at, score in scores.items() if score == most] if most else []

    def _look(self, words: str) -> tuple[list[int], list[int]]:
        """Return where words stand in the old and in the new text.

        Not where what has not moved stands well within what is the same.
        """
        old, new = self._old.text, self._new.text
        reach = len(words) - 1 + _AROUND
        least = max(0, self._head - reach)
        here = _all(words, old, least, len(old) - self._tail + reach)
        there = _all(words, new, least, len(new) - self._tail + reach)
        return here, there


def _grew(old: str, was: int, new: str, now: int, step: int) -> bool:
    """Say whether an end of some words lies inside of a word, number or character, and did not lie in the same before.

    `step` is 1 for the end of the words, -1 for their beginning; `was` and `now` are its places.
    """
    rest = _rest(new, now, step)
    return bool(rest) and rest != _rest(old, was, step)


def _rest(text: str, at: int, step: int) -> str:
    """Return what is left, outside of a place, of the word, number or combined character that the place parts."""
    outside = at if step > 0 else at - 1
    inside = outside - step
    if not (0 <= inside < len(text) and 0 <= outside < len(text)):
        return ""
    second = text[max(inside, outside)]
    if _combines(second) or text[min(inside, outside)] == _JOINER:
        return text[outside]
    if not _is_of_word(text[inside]):
        return ""
    end = outside
    # Bounded: longer words than this are told by this much.
    while 0 <= end < len(text) and abs(end - outside) < _AROUND and _goes_on(text, end - step, end, step):
        end += step
    return text[outside:end] if step > 0 else text[end + 1 : outside + 1]


def _goes_on(text: str, before: int, at: int, step: int) -> bool:
    """Say whether the character `at` is of one word or number with the one `before` it, seen in one direction."""
    one, other = text[before], text[at]
    beyond = text[at + step] if 0 <= at + step < len(text) else ""
    if other in _JOINING:  # `5.7`, `5,000`, `self-made`
        return _is_of_word(one) and _is_of_word(beyond) and (other not in _POINTS or (one + beyond).isdigit())
    if one in _JOINING:
        return _is_of_word(other)
    return _is_of_word(one) and _is_of_word(other)


def _is_of_word(char: str) -> bool:
    """Say whether a character is of a word that others can be a part of: letters of scripts without spaces are not."""
    return (char.isalnum() and not _NO_SPACES.match(char)) or (bool(char) and _combines(char))


def _combines(char: str) -> bool:
    return unicodedata.category(char)[0] == "M" or char == _JOINER or "\U0001f3fb" <= char <= "\U0001f3ff"


_JOINER: Final = "\u200d"
_POINTS: Final = ".,"
_JOINING: Final = _POINTS + "'\u2019-\u2010\u2011_"
# Letters of Chinese, Japanese, Thai, Lao, Khmer and Burmese, whose words no space parts: one character, linear.
_NO_SPACES: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def _words_around(seen: _Seen, start: int, end: int) -> tuple[list[str], list[str]]:
    """Return the words before and behind a place, the nearest first, as far as they are looked at."""
    first, last = seen.places[start], seen.places[end - 1] + 1
    before = _WORD.findall(seen.whole, max(0, first - 2 * _AROUND), first)
    return before[::-1], _WORD.findall(seen.whole, last, last + 2 * _AROUND)


def _alike(one: list[str], other: list[str]) -> int:
    """Return how many words two lists begin with alike."""
    same = 0
    for mine, others in zip(one, other, strict=False):
        if mine != others:
            break
        same += 1
    return same


def _by_surroundings(text: str, size: int, places: list[int]) -> dict[_Beside, list[int]]:
    """Return places of words of `size` code points by what surrounds them."""
    found: dict[_Beside, list[int]] = {}
    for at in places:
        for beside in _around(text, at, at + size):
            found.setdefault(beside, []).append(at)
    return found


def _beside(text: str, start: int, end: int) -> tuple[str, str]:
    return text[max(0, start - _AROUND) : start], text[end : end + _AROUND]


def _around(text: str, start: int, end: int) -> Iterator[_Beside]:
    """Yield what stands on both sides of some words, and on one side where there is enough of it to tell them."""
    before, behind = _beside(text, start, end)
    yield before, behind
    if len(before) == _AROUND:
        yield before, None
    if len(behind) == _AROUND:
        yield None, behind


def _all(words: str, text: str, start: int, end: int) -> list[int]:
    """Return the places of `words` in `text` from `start` to `end`, none inside another."""
    found: list[int] = []
    at = text.find(words, start, end)
    while at >= 0:
        found.append(at)
        at = text.find(words, at + len(words), end)
    return found


def _common(one: str, other: str) -> int:
    """Return how many code points two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
