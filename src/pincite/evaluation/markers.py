"""Which passage of its row each marker of an answer means."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

from pincite.citing._marks import is_exponent, link
from pincite.citing._scan import scan
from pincite.citing.formats import WIRE_FORMATS, WireFormat
from pincite.citing.occurrence import Occurrence
from pincite.citing.registered import CitedObject
from pincite.citing.resolve import Resolver
from pincite.citing.store import CitationStore
from pincite.core.ledger import Ledger
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import MissReason

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pincite.citing._scan import Scan
    from pincite.core.answer import Answer
    from pincite.evaluation.rows import AnswerRow

_NUMBERS: Final = "bracket_numbers"
# Takes a number, or a range of two, perhaps as the label of a footnote; linear: every run is bounded.
_NUMBER: Final = re.compile(r"\^?(?P<first>[0-9]{1,9})(?:\s{0,3}[-–—]\s{0,3}(?P<last>[0-9]{1,9}))?")
# Takes a number as it is counted; linear: one bounded run.
_PLAIN: Final = re.compile(r"0|[1-9][0-9]{0,8}")
# Takes the words of a Markdown link; linear: bounded, and no bracket is inside.
_WORDS: Final = re.compile(r"(?<![\[!\\])\[(?P<words>[^\[\]\n]{1,200})\](?=\()")
# Takes raised digits that stand behind a word of three letters or a mark, before no letter, charge or power; linear:
# bounded runs, and what stands before is looked at where there is a digit.
_RAISED: Final = re.compile(
    r"[⁰¹²³⁴-⁹](?<=[^\s⁰¹²³⁴-⁹⁺⁻⁽].)(?<!\b[^\W\d]{2}.)[⁰¹²³⁴-⁹]{0,8}(?:[⁻–-][⁰¹²³⁴-⁹]{1,9})?"
    r"(?![^\W\d]|[⁰¹²³⁴-⁹⁺⁻⁽])"
)
_LOWERED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
# Takes what a reader may take for a marker: a digit in brackets, or a small number in parentheses. Linear: bounded, and
# no bracket is inside.
_LIKE: Final = re.compile(r"\[[^\[\]\n\d]{0,60}\d[^\[\]\n]{0,60}\]|\(\d{1,3}\)")
# The name by which a scan knows the markers of other providers (`【1†source】`).
_FOREIGN: Final = WireFormat("foreign", None, "", "", _PLAIN, full=True, teaching="")


@dataclass(frozen=True, slots=True)
class ResolvedRow:
    """An answer with its markers looked up, every passage by its citation key, and spans of code (code points).

    `is_unread` says that it has something like a marker, and nothing that could be read as one.
    """

    answer: Answer
    passages: Mapping[str, str] = field(default_factory=dict[str, str])
    code: Sequence[tuple[int, int]] = ()
    is_unread: bool = False


def resolve_row(row: AnswerRow, *, limits: Limits = DEFAULT) -> ResolvedRow:
    """Look the markers of an answer up among its passages.

    Without a `wire_format`, a number in brackets, as a footnote or raised is the key of a passage where any passage
    has a number for its key, else it counts the passages from 1; the other keys may stand in brackets as well, and a
    link to an address that is a key means that passage. A number that no passage has is a miss; so is a range that
    makes more than `markers_per_group` numbers in one pair of brackets.

    Raises:
        KeyClashError: two passages with different texts have one key.
    """
    shelf = _Shelf(row, limits)
    style = row.wire_format
    formats = None if style is not None else [*WIRE_FORMATS.values(), _FOREIGN, shelf.format]
    found = scan(row.text, formats, limits=limits)
    resolver = Resolver(
        shelf.store, ledger=Ledger(), wire_format=style if style is not None else "sup_numeric", limits=limits
    )
    for occurrence in found.occurrences if style is not None else shelf.named(row.text, found):
        resolver.take(occurrence)
    answer = resolver.finish(row.text, found)
    is_unread = (
        style != "deferred"
        and not answer.citations
        and all(miss.reason is MissReason.IN_CODE for miss in answer.misses)
        and any(True for _ in _outside(_LIKE, row.text, found.code))
    )
    return ResolvedRow(answer, shelf.texts, found.code, is_unread)


class _Keys:
    """What a scan asks of the shape of a key: a number or a range, or one of the passages' own, by one look-up."""

    __slots__ = ("_keys",)

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = frozenset(keys)

    def fullmatch(self, word: str) -> object:
        """Return something where `word` is a number or a key, else None."""
        return word if word in self._keys else _NUMBER.fullmatch(word)


class _Shelf:
    """The passages of a row, registered under the keys that its markers use."""

    __slots__ = (
        "_addresses",
        "_by_number",
        "_group",
        "_left",
        "_limits",
        "_said",
        "format",
        "store",
        "texts",
    )

    def __init__(self, row: AnswerRow, limits: Limits) -> None:
        self.store = CitationStore()
        self.texts: dict[str, str] = {}
        self._by_number: dict[int, str] = {}
        self._limits = limits
        # The pair of brackets that was looked at last, and how many numbers it may still name.
        self._group, self._left = (-1, -1), 0
        # The numbers that the answer itself gave addresses, by the address.
        self._said: dict[str, str] = {}
        numbered = any(key is not None and key.isdecimal() for key, _ in row.passages)
        for place, (key, text) in enumerate(row.passages, start=1):
            name = str(place) if key is None else key
            number = place if not numbered else int(name) if _PLAIN.fullmatch(name) else None
            if number is not None:
                self._by_number.setdefault(number, name)
            if self.texts.get(name) == text:
                continue  # given twice
            title = row.titles[place - 1] if place <= len(row.titles) else ""
            known = CitedObject(title=title, text=text, number=number or None)
            self.store.register_hit(name, {"title": title, "content": text}, None, known=known)
            self.texts[name] = text
        self._addresses = any("://" in name for name in self.texts)
        # An alternation of all keys would be tried key by key at each bracket.
        shape = cast("re.Pattern[str]", _Keys(key for key, _ in row.passages if key is not None))
        self.format = WireFormat(_NUMBERS, "number", "[", "]", shape, full=True, teaching="")

    def named(self, text: str, found: Scan) -> Iterator[Occurrence]:
        """Yield what was found, in order, with the key of the passage that it means: once for each of a range."""
        links = list(self._links(text, found.code)) if self._addresses else []
        beyond = _Spans([(one.start, one.end) for one in links])
        raised = (
            Occurrence(*match.span(), match.group().translate(_LOWERED), match.group(), match.span(), full=True,
                       form=_NUMBERS, where="raised")
            for match in _outside(_RAISED, text, found.code)
            if not is_exponent(text, match.start())
        )  # fmt: skip
        others = [one for one in (*found.occurrences, *raised) if not beyond.hold(one.start)]
        for occurrence in sorted((*others, *links), key=lambda one: one.start):
            if not (occurrence.key.startswith("^") and _is_footnote(text, occurrence)):
                yield from self._meant(occurrence)

    def _links(self, text: str, code: Sequence[tuple[int, int]]) -> Iterator[Occurrence]:
        """Yield the links to a passage's address, and those of numbers to an address that no passage has."""
        for match in _outside(_WORDS, text, code):
            stop = min(len(text), match.end() + self._limits.marker_code_points)
            target = link(text, match.end(), stop, hard=True)
            if not isinstance(target, re.Match):
                continue
            address, words = target["target"].removeprefix("<").removesuffix(">"), match["words"]
            if address in self.texts or ("://" in address and _NUMBER.fullmatch(words)):
                start, end = match.start(), target.end()
                number = words if _PLAIN.fullmatch(words) else ""
                yield Occurrence(
                    start, end, address, text[start:end], (start, end), full=True, linked=True,
                    form="inline_url", number=number, where="label",
                )  # fmt: skip

    def _meant(self, occurrence: Occurrence) -> Iterator[Occurrence]:
        key = occurrence.key
        if occurrence.form == "inline_url":
            if key:
                if key in self.texts and occurrence.number:
                    self._said[occurrence.number] = key
                # Where passages have addresses, another address is a fault and no prose.
                yield occurrence._replace(full=occurrence.full or self._addresses)
                return
            if not _PLAIN.fullmatch(occurrence.number):
                yield occurrence
                return
            key = occurrence.number  # in double brackets
        elif occurrence.form != _NUMBERS:
            yield occurrence
            return
        if occurrence.definition:
            return  # a line of a list of sources cites nothing
        meant = occurrence._replace(key=key, number="", full=True)
        key = self._said.get(key, key)
        match = _NUMBER.fullmatch(key)
        if key in self.texts or match is None:
            yield meant._replace(key=key)
            return
        yield from self._counted(meant, int(match["first"]), int(match["last"] or match["first"]))

    def _counted(self, meant: Occurrence, first: int, last: int) -> Iterator[Occurrence]:
        """Yield a number, or each of a range, that a passage has; one miss for all the others together."""
        if meant.marker != self._group:
            self._group, self._left = meant.marker, self._limits.markers_per_group
        # In brackets it is nobody's key.
        miss = meant._replace(key=f"[{meant.key}]")
        if last - first >= self._left:
            yield miss._replace(fault="more numbers than one pair of brackets may name")
            return
        self._left -= max(last - first + 1, 1)
        known = [self._by_number[number] for number in range(first, last + 1) if number in self._by_number]
        for name in known:
            yield meant._replace(key=name)
        if not known or len(known) <= last - first:
            yield miss


class _Spans:
    """Spans of code points in order, none inside another."""

    __slots__ = ("_spans", "_starts")

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._spans = spans
        self._starts = [start for start, _ in spans]

    def hold(self, at: int) -> bool:
        """Say whether a code point is in one of them."""
        place = bisect_right(self._starts, at) - 1
        return place >= 0 and at < self._spans[place][1]


def _outside(pattern: re.Pattern[str], text: str, code: Sequence[tuple[int, int]]) -> Iterator[re.Match[str]]:
    """Yield what a pattern finds that does not begin in code."""
    spans = _Spans(code)
    return (match for match in pattern.finditer(text) if not spans.hold(match.start()))


def _is_footnote(text: str, occurrence: Occurrence) -> bool:
    """Say whether the label of a footnote stands before its text, at the beginning of a line."""
    start, end = occurrence.marker
    _, newline, indent = text[max(0, start - 4) : start].rpartition("\n")
    return text.startswith(":", end) and not indent.strip(" ") and (bool(newline) or start < len("    "))
