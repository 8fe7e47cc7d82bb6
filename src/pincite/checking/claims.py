"""The claims of an answer: the sentences that state something, each with the citations that belong to it.

What states something is decided here and nowhere else; `uncited_sentences` asks the same question.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from pincite._quick import maker
from pincite.core.errors import InputError
from pincite.core.given import items_of, of_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence, list item or table row of an answer that states something.

    `start` and `end` are code points of the answer. `text` is what is to be checked: the claim without its markers
    and without the dressing of Markdown, on one line. `cited` are indexes of the citations that belong to it.
    """

    start: int
    end: int
    text: str
    cited: tuple[int, ...] = ()


class ClaimSpan(NamedTuple):
    """Where a claim stands in the answer, in code points, and the indexes of its citations in text order."""

    start: int
    end: int
    cited: tuple[int, ...]


_claim = maker(Claim)

_RULE_WINDOW: Final = 240
"""Code points at a sentence's end in which a rule may underline it."""
_TAIL_WINDOW: Final = 80
"""Code points at a sentence's end that may be marks and space."""
_LONGEST_LABEL: Final = 40
"""Code points of a line that may be the title of a list of sources."""
_PAIR: Final = 2

_OPEN_ENDS: Final = (":", "?", "：", "？", "؟", "\u037e")
_CLOSERS: Final = "*_\"'”’»)]}`~| \t\n"
_SOURCE_LISTS: Final = frozenset(
    """
    bibliography citations footnotes literatur literaturverzeichnis quellen quellenangaben quellenverzeichnis
    reference references sources bibliographie références sources bibliografía fuentes referencias fonti
    riferimenti bronnen fontes referências источники литература المصادر المراجع 参考文献 参考资料 出典 来源
    """.split()
)
"""What a list of sources is called: below such a title nothing is stated."""

# Takes the fence that opens or closes a block of code; linear: one line start, possessive runs.
_FENCE: Final = re.compile(r"^[ \t>]{0,12}+(?P<run>`{3,}+|~{3,}+)(?P<rest>[^\n]{0,200}+)", re.MULTILINE)
# Takes what opens a line that states nothing by itself, a heading, a table's rule or a definition of a link's
# target; linear: anchored, possessive.
_FRAME: Final = re.compile(
    r"\s*+(?:\#{1,6}+(?:\s|\Z)|\|?[ \t]*+:?-{3,}|\|[ \t]*+:?-++:?[ \t]*+(?:\||\Z)|[-=*_]{3,}+\s*+\Z"
    r"|\[[^\[\]\n]{1,200}+\]:\s)"
)
_HEADING: Final = re.compile(r"\s*+\#{1,6}+(?:\s|\Z)")
# Takes a line that is all bold and ends in no stop, which is a heading too; linear: anchored, bounded.
_BOLD: Final = re.compile(r"\s*+(\*\*|__)[^*_\n]{1,120}(?<![.!。！])\1\s*+\Z")
# Takes the rule that makes the line above it a heading; linear: one possessive run after a line end.
_UNDERLINE: Final = re.compile(r"\n[ \t]{0,3}+(?:=++|-{2,}+)[ \t]*+\Z")
# Takes the rule between a table's head and its rows; linear: anchored.
_TABLE_RULE: Final = re.compile(r"\|[ \t]*+:?-++:?[ \t]*+(?:\||\Z)")
# Takes a letter or a figure; linear: one character.
_INK: Final = re.compile(r"[^\W_]")
# Takes a marker whatever its key is, so that its digits are not read as the claim's; linear: begins with a bracket or
# a tag, and every run is possessive and bounded.
_MARKER: Final = re.compile(
    r"\[\[[^\[\]\n]{1,200}+\]\](?:\([^()\s]{0,2000}+\))?+"
    r"|\[(?:\^[^\[\]\n]{1,80}+|\d{1,4}+(?:\s?[,;–-]\s?\d{1,4}+){0,40}+|[0-9a-f]{8,64}+|ev1:[^\[\]\n]{1,2000}+)\](?:\(\S{0,2000}+\))?+"
    r"|【(?=\d)[^【】\n]{1,200}+】|<sup\b[^<>]{0,300}+>[^<>\n]{1,80}+</sup>|\ue200[^\ue200\ue201]{1,200}+\ue201"
)

# --- What is taken off a claim's text ---

# Takes what stands before an item's or a quotation's words; linear: at most four marks.
_LEAD: Final = re.compile(r"\s*+(?:(?:[-*+•‣▪◦>]|\(?\d{1,3}+[.)])[ \t]++){0,4}+")
# Takes a link or image with its label; linear: both parts are bounded and hold no bracket of their own kind.
_LINK: Final = re.compile(
    r"!?\[(?P<label>[^\[\]\n]{0,300}+)\]\([^()\s]{0,2000}+(?:\s\"[^\"\n]{0,200}+\")?+\)"
)
# Takes marks of emphasis and code, tags, and brackets in which only separators are left; linear: bounded runs.
_DRESSING: Final = re.compile(
    r"\*{1,3}+|(?<!\w)_{1,3}+(?=\S)|(?<=\S)_{1,3}+(?!\w)|`++|~~|</?[A-Za-z][^<>\n]{0,200}+>"
    r"|[\[(（](?:(?:see|cf\.?|siehe|vgl\.?|voir|véase)\s)?+[\s,;]{1,100}+[\])）]"
)
# Takes a character without which there is nothing to be taken off; linear: one class.
_DRESSED: Final = re.compile(r"[\[【<>*_`|~(（\ue200•‣▪◦]|\A\s*[-+\d]")
# Takes a bar between two cells; linear.
_BAR: Final = re.compile(r"\s*+\|\s*+")
# Takes space that a marker has left before a stop; linear: one possessive run after a fixed start.
_GAP: Final = re.compile(r"\s++(?=[.,;:!?…。，、；：！？](?:\s|\Z))")


def split_claims(
    text: str, cited: Iterable[tuple[int, int]] = (), skipped: Iterable[tuple[int, int]] = ()
) -> list[Claim]:
    """Return the claims of `text` in order, each with the indexes of its citations.

    `cited` are the spans of the answer's citations, `skipped` spans that are no prose (code); both in code points.
    Fenced code is left out whether or not it is named. A citation belongs to the sentence, list item or table row in
    which it stands, or directly behind which it stands. Headings, questions, lead-ins that end in a colon, a table's
    head and rule, lists of sources and what has no word of its own state nothing.

    Raises:
        InputError: `text` is no string, or the spans are no list of pairs of numbers.
    """
    answer = _Answer(text, cited, skipped)
    return [_claim(one.start, one.end, answer.text_of(one), one.cited) for one in answer.claims()]


def claim_spans(
    text: str, cited: Iterable[tuple[int, int]] = (), skipped: Iterable[tuple[int, int]] = ()
) -> list[ClaimSpan]:
    """Return where the claims of `text` stand, as `split_claims` does, without making their texts.

    Raises:
        InputError: as `split_claims`.
    """
    return _Answer(text, cited, skipped).claims()


def without_markers(text: str) -> str:
    """Return a claim that somebody wrote with its markers as `split_claims` returns it: the words to be checked."""
    if _DRESSED.search(text) is None:
        return " ".join(text.split())
    return _plain(_MARKER.sub(_blank, text))


class _Answer:
    """An answer with its code and markers taken out; all texts are as long as the answer.

    `whole` has a word of underscores for code in a line, so that its stops end no sentence, and empty lines for a
    block, so that none runs across it. `shown` has a blank for each code point of a marker, `bare` for those of code
    as well.
    """

    __slots__ = ("bare", "cited", "shown", "text", "whole")

    def __init__(
        self, text: str, cited: Iterable[tuple[int, int]], skipped: Iterable[tuple[int, int]]
    ) -> None:
        self.text = of_kind(text, str, "text", "a string")
        self.cited = sorted((start, end, index) for index, (start, end) in enumerate(_spans(cited, "cited")))
        code = _merged([*_spans(skipped, "skipped"), *_fences(text)], len(text))
        self.whole = _masked(text, code, lambda piece: ("\n" if "\n" in piece else "_") * len(piece))
        shown = _MARKER.sub(_blank, text)
        self.shown = _masked(shown, _merged(((a, b) for a, b, _ in self.cited), len(text)), _blanks)
        self.bare = _masked(self.shown, code, _blanks)

    def claims(self) -> list[ClaimSpan]:
        # Its patterns take longer to compile than the whole base import may, so they wait for the first answer.
        from pincite.core.sentences import split_sentences

        spans = split_sentences(self.whole)
        stating = self._stating(spans)
        owned = self._owned(spans, stating)
        found: list[ClaimSpan] = []
        for at, (start, end) in enumerate(spans):
            if stating[at]:
                mine = owned.get(at, [])
                found.append(ClaimSpan(self._begins(start, end, mine), end, tuple(mine)))
        return found

    def _begins(self, start: int, end: int, mine: Sequence[int]) -> int:
        """Return where a claim begins: markers in front that belong to the claim before it are no part of it."""
        at = bisect_left(self.cited, (start,))
        while at < len(self.cited) and self.cited[at][0] < end and self.cited[at][2] not in mine:
            start = max(start, min(self.cited[at][1], end))
            at += 1
        return end - len(self.text[start:end].lstrip())

    def text_of(self, claim: ClaimSpan) -> str:
        return _plain(self.shown[claim.start : claim.end])

    def _stating(self, spans: Sequence[Span]) -> list[bool]:
        """Return for each sentence whether it states something."""
        found: list[bool] = []
        listing = False  # whether this is below the title of a list of sources
        for at, (start, end) in enumerate(spans):
            after, until = spans[at + 1] if at + 1 < len(spans) else (end, end)
            listing = self._titles_sources(start, end) or (
                listing and _HEADING.match(self.whole, start, end) is None
            )
            found.append(
                not listing
                and self._states(start, end)
                and not (self.whole[start] == "|" and _TABLE_RULE.match(self.whole, after, until) is not None)
            )
        return found

    def _states(self, start: int, end: int) -> bool:
        whole = self.whole
        return (
            _INK.search(self.bare, start, end) is not None
            and not self.bare[max(start, end - _TAIL_WINDOW) : end].rstrip(_CLOSERS).endswith(_OPEN_ENDS)
            and _FRAME.match(whole, start, end) is None
            and _BOLD.match(whole, start, end) is None
            and _UNDERLINE.search(whole, max(start, end - _RULE_WINDOW), end) is None
        )

    def _titles_sources(self, start: int, end: int) -> bool:
        if end - start > _LONGEST_LABEL:
            return False
        return self.whole[start:end].strip("#*_:： \t\n").casefold() in _SOURCE_LISTS

    def _owned(self, spans: Sequence[Span], stating: Sequence[bool]) -> dict[int, list[int]]:
        """Return the indexes of the citations of each claim, by the place of its sentence."""
        starts = [start for start, _ in spans]
        owned: dict[int, list[int]] = {}
        for start, end, index in self.cited:
            at = bisect_right(starts, start) - 1
            if at < 0 or start >= spans[at][1]:
                continue
            owner = at
            if _INK.search(self.bare, spans[at][0], min(start, spans[at][1])) is None:
                owner = self._behind(spans, at, end)
            if stating[owner]:
                owned.setdefault(owner, []).append(index)
        return owned

    def _behind(self, spans: Sequence[Span], at: int, end: int) -> int:
        """Return the sentence to which a citation belongs before which sentence `at` has no word.

        It is the one before it where nothing follows in this one, or where another sentence follows on the same line.
        """
        ink = _INK.search(self.bare, end, spans[at][1])
        if ink is None:
            owner = at
            while owner and _INK.search(self.bare, *spans[owner]) is None:
                owner -= 1
            return owner
        follows = at > 0 and "\n" not in self.text[spans[at - 1][1] : spans[at][0]]
        return at - 1 if follows and not ink.group().islower() else at


def _plain(text: str) -> str:
    """Return a claim without the dressing of Markdown, on one line."""
    text = text[_LEAD.match(text).end() :]  # pyright: ignore[reportOptionalMemberAccess] - it matches nothing, too
    if text.startswith("|"):
        text = _BAR.sub(", ", text.strip("| \t\n"))
    text = _DRESSING.sub("", _LINK.sub(r"\g<label>", text))
    return _GAP.sub("", " ".join(text.split()))


def _spans(given: Iterable[tuple[int, int]], field: str) -> list[Span]:
    found: list[Span] = []
    for one in items_of(given, field, "a list of spans"):
        pair = tuple(cast("Sequence[object]", one)) if isinstance(one, tuple | list) else ()
        if len(pair) != _PAIR or not all(isinstance(place, int) for place in pair):
            msg = f"`{field}` is a list of spans: pairs of code points."
            raise InputError(msg, field=field)
        found.append(cast("Span", pair))
    return found


def _blank(found: re.Match[str]) -> str:
    return " " * (found.end() - found.start())


def _blanks(piece: str) -> str:
    return " " * len(piece)


def _masked(text: str, spans: Iterable[Span], mask: Callable[[str], str]) -> str:
    """Return `text` with each of `spans`, which are in order and apart, replaced by something as long."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces += (text[at:start], mask(text[start:end]))
        at = end
    return "".join((*pieces, text[at:]))


def _fences(text: str) -> Iterator[Span]:
    """Yield the blocks of fenced code; an open one reaches to the end."""
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        run = match["run"]
        if opened is None:
            if run[0] == "~" or "`" not in match["rest"]:
                opened = match
        elif run[0] == opened["run"][0] and len(run) >= len(opened["run"]) and not match["rest"].strip():
            yield opened.start(), match.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _merged(spans: Iterable[Span], length: int) -> list[Span]:
    """Return the spans in order, within the text, none overlapping another."""
    found: list[Span] = []
    for start, end in sorted((max(0, a), min(b, length)) for a, b in spans):
        if start >= end:
            continue
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
