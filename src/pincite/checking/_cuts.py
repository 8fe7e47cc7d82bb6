"""What a quote was cut from: words right behind it, or in front, without which it says something else."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from pincite.checking import _cut_words as words
from pincite.checking._cut_numbers import number_behind, number_in_front
from pincite.checking._leading import condition_in_front
from pincite.checking._wording import sampled_languages
from pincite.core.fold import fold
from pincite.core.verdicts import DifferenceKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pincite.core.fold import Folded

# Code points that are looked at, and around a word that counts in some languages alone.
_REACH, _AROUND = 160, 250
# Words in front that are looked at, how far a word may stand from the one that it turns, and from `to`.
_WORDS, _NEAR_WORDS, _NEAR, _BEFORE_TO = 14, 6, 3, 4
_REMEMBERED = 4_096
_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f", "\u061f", "\u0964")
_CLOSING = "\"'\u201d\u2019\u00bb)"
# Marks that may stand between a quote and its condition: of references and notes, commas, dashes, what dresses.
_LEAD = (
    r"(?:\[[\w ,^-]{1,12}\]|[\u00b9\u00b2\u00b3\u2070-\u2079\u2020\u2021]{1,3}|\d{1,3}(?=[ ,;])"
    r"|[,;:\u060c\uff0c\u3001]|[ *_`\"'()~-]){0,8}"
)
# What ends a word: no letter and no mark of one behind it.
_WORD_END = r"(?![^\W_]|-\w|[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u064b-\u0652\u05b0-\u05c7])"
_PAUSES = frozenset(",;:(-\u060c\uff0c\u3001")
_NOT_BEHIND = re.compile(r" (?P<turns>not)(?! (?:only|just|merely|least)(?!\w))(?!\w)")
_UNSPACED_BEHIND = re.compile(rf"[,\uff0c\u3001 ]{{0,2}}(?P<limits>{words.UNSPACED_CONDITIONS})")
# A half of a word with a hyphen that changes the other half.
_HALF_IN_FRONT = re.compile(
    r"(?:\A|\W)(?P<words>non|anti|un|ex|pseudo|quasi|semi|counter|mis|near|half|sub|pre|post|nicht"
    r"|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety|\d+)-\Z"
)
_HALF_BEHIND = re.compile(
    r"-(?P<words>free|less|proof|resistant|like|frei|los|one|two|three|four|five|six|seven|eight|nine"
    r"|\d+)(?!\w)"
)
# The line of a page's number, which may stand between a quote and the rest of its sentence. Bounded.
_PAGE = re.compile(
    r"[,;:]?[ \t]{0,9}\n\s{0,9}(?:[-\u2013|\[(]\s?)?(?:(?:page|p\.|seite|pagina|p\u00e1gina)\s?)?\d{1,4}"
    r"(?:\s?[-\u2013|\])])?[ \t]{0,9}\n\s{0,9}",
    re.IGNORECASE,
)
# What parts a text: an empty line, an item of a list, a heading.
_PARTS = re.compile(
    r"\n[ \t]{0,9}\n|(?:\A|\n)[ \t]{0,9}(?:[-*+\u2022\u2023\u25aa\u00b7#|]|\d{1,3}[.)])[ \t]|\n[ \t]{0,9}#"
)
_ITEM = re.compile(r"\n[ \t]{0,9}(?:[-*+\u2022\u2023\u25aa\u00b7]|\d{1,3}[.)])[ \t]")
_THAT_IN_FRONT = re.compile(r"(?i:that|whether|if)\s+\Z")
_STRIPPED = "*_`\"'()[]{}\u201e,"
_STOPS = ".!?;:\u3002\u2026\u061f\u0964"
# Abbreviations whose point ends no sentence.
_SHORTENED = frozenset("rs. ca. c. approx. min. max. zirk. bzw. d.h. z.b. ggf. ok. env. aprox. resp.".split())
_LONGEST_SHORT = 12
# What may stand between a sentence and the next one.
_BESIDE = " \t\r\n\u00a0*_`\"'(\u201c\u2018\u201e\u00ab"
# What makes of something turned round what it was.
_DETERMINED = frozenset("the a an this these those his her its their our my your".split())
_MAY_BEGIN = words.PASSED | words.PRONOUNS
_ARTICLES_BEFORE = "\u0648\u0641\u05d5\u05e9"  # and, so, that: written as one with the next word


class CutOff(NamedTuple):
    """Code points `start` to `end` of a source, which a quote leaves out although they belong to it."""

    kind: DifferenceKind
    start: int
    end: int


def cut_off(source: str, start: int, end: int) -> CutOff | None:
    """Return what code points `start` to `end` of `source` were cut from, None where nothing is wrong with it."""
    return cut_behind(source, start, end) or cut_in_front(source, start, end)


def cut_behind(source: str, start: int, end: int, until: int | None = None) -> CutOff | None:
    """Return what stands behind `start` to `end` of `source`, up to `until`, that may not be left out."""
    raw = source[end : min(end + _REACH, len(source) if until is None else until)]
    if not raw or raw.isspace() or (raw[0] == "." and not raw[1:2].isdigit()):
        return None
    page = _PAGE.match(raw) if "\n" in raw else None
    if page is not None and raw[page.end() : page.end() + 1].islower():
        end += page.end() - 1
        raw = " " + raw[page.end() :]
    behind = fold(raw)
    found, kind = None, DifferenceKind.LIMITER
    text = behind.text
    if not source[start:end].rstrip(_CLOSING).endswith(_ENDS):
        found = _first_of(source, start, end, text)
        if found is not None and _is_apart(raw, behind.to_source(*found.span(found.lastgroup or 0))[0]):
            found = None
        if found is not None and (found.lastgroup or "").startswith("turns"):
            kind = DifferenceKind.NEGATOR
    if found is not None:
        place = found.span(found.lastgroup or 0)
    elif (number := number_behind(source[max(0, start, end - _REACH) : end], raw, text)) is not None:
        place, kind = number
    elif text.startswith("-") and (half := _HALF_BEHIND.match(text)) is not None:
        place, kind = half.span("words"), DifferenceKind.WORD
    else:
        return None
    first, last = behind.to_source(*place)
    return CutOff(kind, end + first, end + last)


def _first_of(source: str, start: int, end: int, text: str) -> re.Match[str] | None:
    """Return the condition or negator that `text`, which stands behind a quote, begins with."""
    if _any_condition().match(text) is not None and (found := _conditions()[0].match(text)) is not None:
        languages = _conditions()[1]
        name = found.lastgroup or ""
        # Behind a comma a negator begins a contrast: `, not random`.
        is_contrast = (
            name.startswith("turns")
            and " " not in found[name]
            and not _PAUSES.isdisjoint(text[: found.start(name)])
        )
        if not is_contrast and (not languages[name] or _counts(languages[name], source, start, end)):
            return found
    if text.isascii():
        return _NOT_BEHIND.match(text)
    return _NOT_BEHIND.match(text) or _UNSPACED_BEHIND.match(text)


@cache
def _any_condition() -> re.Pattern[str]:
    """Return a quick look for `_conditions`: with no groups it is a few times as fast where nothing is found."""
    return re.compile(f"{_LEAD}+(?:{'|'.join(pattern for _, _, pattern in words.CONDITIONS)}){_WORD_END}")


@cache
def _conditions() -> tuple[re.Pattern[str], dict[str, frozenset[str]]]:
    """Return the pattern of what a quote may not be cut before, and in which languages each of its groups counts."""
    groups: dict[str, frozenset[str]] = {}
    branches: list[str] = []
    # What counts everywhere is tried first: at the same place both may stand.
    for kind, languages, pattern in sorted(words.CONDITIONS, key=lambda one: bool(one[1])):
        name = f"{kind}{len(groups)}"
        groups[name] = frozenset(languages.split())
        branches.append(rf"(?P<{name}>{pattern})")
    return re.compile(rf"{_LEAD}(?<!\w)(?:{'|'.join(branches)}){_WORD_END}"), groups


def _counts(languages: frozenset[str], source: str, start: int, end: int) -> bool:
    """Say whether the text around a quote is, or may be, in one of `languages`; `that`: in a clause with that."""
    if "that" in languages:
        return _THAT_IN_FRONT.search(source, max(0, start - _LONGEST_SHORT), start) is not None
    around = fold(source[max(0, start - _AROUND) : end + _AROUND]).text
    known = sampled_languages(around)
    return not known or not languages.isdisjoint(known)


def _is_apart(raw: str, place: int) -> bool:
    """Say whether what stands at `place` behind a quote begins an item or a sentence of its own."""
    gap = raw[:place]
    if "\n" not in gap:
        return False
    word = raw[place : place + 12].split(maxsplit=1)
    capital = bool(word) and word[0][:1].isupper() and not (len(word[0]) > 1 and word[0].isupper())
    return capital or _ITEM.search(gap) is not None


def cut_in_front(source: str, start: int, end: int, since: int = 0) -> CutOff | None:
    """Return what stands in front of `start` to `end` of `source`, from `since` on, that may not be left out."""
    base = max(since, start - _REACH)
    raw = source[base:start]
    if not raw or raw.isspace():
        return None
    near = raw.rstrip(_BESIDE)
    if near[-1:] in _STOPS and near[-_LONGEST_SHORT:].rpartition(" ")[2].lower() not in _SHORTENED:
        return None
    if "\n" in raw or base == 0:
        parting = _ITEM if source[start : start + 1].islower() else _PARTS
        parts = max((found.end() for found in parting.finditer(raw)), default=0)
        base += parts
        raw = raw[parts:]
    front = fold(raw)
    found = _in_front(source, start, end, front, is_cut=base == start - _REACH and base > since)
    if found is None:
        return None
    place, kind = found
    first, last = front.to_source(*place)
    return CutOff(kind, base + first, base + last)


class _Word(NamedTuple):
    """A word in front of a quote, and where it stands."""

    text: str
    place: tuple[int, int]


def _in_front(
    source: str, start: int, end: int, front: Folded, *, is_cut: bool
) -> tuple[tuple[int, int], DifferenceKind] | None:
    """Return where in `front`, which stands in front of a quote, and of which kind is what may not be left out.

    `is_cut` says that `front` begins in the middle of something.
    """
    text = front.text
    if not text.isascii():
        if (found := words.UNSPACED_TURNING.search(text)) is not None:
            return found.span(), DifferenceKind.NEGATOR
        if (found := words.UNSPACED_LIMITING.search(text)) is not None:
            return found.span(), DifferenceKind.LIMITER
    if text.endswith("-") and (half := _HALF_IN_FRONT.search(text)) is not None:
        return half.span("words"), DifferenceKind.WORD
    number = number_in_front(source[start : min(end, start + _REACH)], text)
    if number is not None:
        return number

    def counts(word: str) -> bool:
        wanted = words.AMBIGUOUS.get(word)
        return wanted is None or _counts(wanted, source, start, end)

    condition = condition_in_front(front, source[start : start + _LONGEST_SHORT], counts, is_cut=is_cut)
    if condition is not None:
        return condition, DifferenceKind.LIMITER
    # A quote may begin with `that` itself, behind a comma.
    first = source[start : min(end, start + _LONGEST_SHORT)].partition(" ")[0].lower()
    before = _sentence(f"{text.rstrip()} {first}" if first in words.THAT - {"at"} else text)
    if not before:
        return None
    last = before[-1]
    capital = source[max(0, start - 12) : start].strip(" *_`\"'").rpartition(" ")[2][:1].isupper()
    if last.text in words.LIMITING and not (last.text == "may" and capital) and counts(last.text):
        return last.place, DifferenceKind.LIMITER
    turning = (
        _turned(before, counts)
        or _counted(before, counts)
        or _claimed(before, counts)
        or _claimed(_thought(before, text), counts)
        or _refused(before, source[start:end])
    )
    return None if turning is None else (turning.place, DifferenceKind.NEGATOR)


def _sentence(text: str) -> list[_Word]:
    """Return the last words of the sentence that `text` ends in; none where it ends with it."""
    found: list[_Word] = []
    tokens = text.rsplit(maxsplit=_WORDS)[-_WORDS:]
    # Only a clause with `that` is denied from further off.
    far = text.endswith("'") or any(word.rstrip(",") in words.THAT for word in tokens[-_NEAR_WORDS:])
    at = len(text)
    for word in reversed(tokens if far else tokens[-_NEAR_WORDS:]):
        at = text.rfind(word, 0, at)
        if not word.isalnum() and not any(map(str.isalnum, word)):
            if word[-1] in _STOPS:
                break
            continue
        bare = word.rstrip("*_`\"')]}\u201d\u2019")
        if bare[-1:] in _STOPS and bare not in _SHORTENED:
            break
        if bare[-1:] in ",\u060c\uff0c" and not found and bare[:-1] not in words.THAT:
            break
        found.append(_Word(word.strip(_STRIPPED), (at, at + len(word))))
    return found[::-1]


@lru_cache(_REMEMBERED)
def _turns(word: str) -> bool:
    """Say whether a folded word turns round what follows it."""
    if word in words.TURNING or word.endswith("n't") or words.DENYING.fullmatch(word) is not None:
        return True
    for mark in ("n'", "d'", "l'", "qu'"):
        if word.startswith(mark):
            return mark == "n'" or word[len(mark) :] in words.TURNING
    return word[:1] in _ARTICLES_BEFORE and word[1:] in words.TURNING


def _is_passed(word: str) -> bool:
    return word in words.PASSED or (word.endswith("ly") and len(word) > 4)  # noqa: PLR2004 - only, ply


def _turned(before: Sequence[_Word], counts: Callable[[str], bool]) -> _Word | None:
    """Return a word that turns round what stands right behind it, or behind articles and adverbs."""
    last = before[-1].text
    if len(before) > 1 and (
        (last in words.PHRASES and before[-2].text == "no")
        or (last == "but" and before[-2].text == "anything")
    ):
        return before[-2]
    for word in reversed(before[-_NEAR - 1 :]):
        if _turns(word.text):
            return word if counts(word.text) else None
        if not _is_passed(word.text):
            return None
        if word.text in words.LIMITING and word is not before[-1]:
            return word
    return None


def _counted(before: Sequence[_Word], counts: Callable[[str], bool]) -> _Word | None:
    """Return what counts a part of what follows, or says that there is none of it: `none of the`, `no sign of`."""
    rest = list(before)
    while rest and rest[-1].text in words.PASSED and rest[-1].text not in words.OF:
        rest.pop()
    share = _share(rest)
    if share is not None:
        return share
    if not rest or rest[-1].text not in words.FOR:
        return None
    kind = rest.pop().text
    while rest and rest[-1].text in words.PASSED and rest[-1].text not in words.LESS:
        rest.pop()
    if not rest:
        return None
    last = rest[-1]
    if kind in words.OF and (
        last.text in words.LESS
        or last.text.rstrip("%").isdigit()
        or last.text in ("almost", "nearly", "hardly")
    ):
        return last
    for word in reversed(rest[-2:]):
        if _turns(word.text) and counts(word.text):
            return word
    return None


def _share(before: Sequence[_Word]) -> _Word | None:
    """Return a number in front of a quote that makes a part of what it counts: fewer than ten, nine out of ten."""
    if len(before) < 2 or not _is_number(before[-1].text):  # noqa: PLR2004 - it, and what stands in front
        return None
    if before[-2].text == "than":
        return before[-2]
    is_part = before[-2].text in ("in", "of") and any(_is_number(word.text) for word in before[-4:-2])
    return before[-1] if is_part else None


def _is_number(word: str) -> bool:
    return word in words.NUMBERS or word[:1].isdigit() or word in ("half", "third", "quarter")


def _claimed(before: Sequence[_Word], counts: Callable[[str], bool]) -> _Word | None:
    """Return what says that a clause with `that` in front of a quote is not so; a negator of one undoes it."""
    rest = list(before)
    while rest and rest[-1].text in _MAY_BEGIN and rest[-1].text not in words.THAT:
        rest.pop()
    if len(rest) < 2 or rest[-1].text not in words.THAT:  # noqa: PLR2004 - it, and what stands in front
        return None
    turning = [
        index
        for index, word in enumerate(rest[:-1])
        if (word.text in words.HARDLY or _turns(word.text)) and not _assures(rest, index)
    ]
    while len(turning) > 1 and turning[-1] - turning[-2] <= _NEAR and not _agree(rest, turning[-2:]):
        del turning[-2:]
    if turning:
        return rest[turning[-1]]
    said = [word for word in rest if word.text in words.CLAIMED]
    if said and (rest[-2].text in words.SHOWN or said[-1].text.startswith(("alleg", "rumo"))):
        return said[-1]
    return next((word for word in rest[:-1] if word.text in words.IFS and counts(word.text)), None)


def _assures(rest: Sequence[_Word], at: int) -> bool:
    """Say whether a negator makes the clause with `that` that follows the surer: no surprise that."""
    beside = words.ASSURED_BY
    for place in range(at + 1, len(rest) - 1):
        word = rest[place].text
        if word in words.ASSURED:
            behind = takewhile(lambda one: one not in words.THAT, (one.text for one in rest[place + 1 :]))
            return all(one in beside or one == "say" or _is_passed(one) for one in behind)
        if word not in beside and not _is_passed(word):
            return False
    return False


def _agree(rest: Sequence[_Word], turning: Sequence[int]) -> bool:
    """Say whether negators are of a language in which two of them are one: `n'a jamais`."""
    return any(rest[at].text in words.CONCORD or rest[at].text.startswith("n'") for at in turning)


def _thought(before: Sequence[_Word], text: str) -> list[_Word]:
    """Return words in front of a quote as if `that` stood behind them; none but where they end in a verb of thought."""
    rest = list(before)
    while rest and rest[-1].text in words.PRONOUNS:
        rest.pop()
    if not rest or rest[-1].text not in words.THINKING | words.SHOWN:
        return []
    verb = rest[-1] if rest[-1].text in words.SHOWN else rest.pop()
    comma = text.rfind(",", 0, verb.place[0])
    rest = [word for word in rest if word.place[0] > comma]
    joint = max((index for index, word in enumerate(rest) if word.text in words.JOINTS), default=-1)
    rest = rest[joint + 1 :]
    if rest and rest[-1].text in _DETERMINED:  # a thought, the claim
        return []
    while rest and rest[-1].text in words.THINKING_TO:
        rest.pop()
    return [*rest, verb._replace(text="that")]


def _refused(before: Sequence[_Word], quote: str) -> _Word | None:
    """Return what says that it is not done what a quote names, behind `to` or `from` or with it."""
    last, first = before[-1], quote.split(maxsplit=1)[0].lower()
    if first == "to" or first.endswith("ing"):
        if words.REFUSING.fullmatch(last.text):
            return last
    elif last.text == "from":
        return None
    if last.text not in words.TO or (last.text == "to" and first in _DETERMINED):
        return None
    for word in reversed(before[-_BEFORE_TO - 1 : -1]):
        if words.REFUSING.fullmatch(word.text) or _turns(word.text):
            return word
    return None
