"""Brackets of a text that grows: which of them could pass for a number of ours, or make a link or a definition of one.

The text is read once, from left to right, and nothing is held back: where something would act, a backslash goes in
front of the next character. What a renderer takes for code is only guessed at, so a bracket that may be open counts as
open: whatever a renderer reads, no number of ours is among the words of a link.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pincite.core.text import UNSEEN
from pincite.showing._link_words import reads_as_number

if TYPE_CHECKING:
    from collections.abc import Callable

# What matters in prose, and where it is not sure what is prose: runs of one class each, linear.
_MARKS = re.compile(r"\[+|\]+|`+|\\+|\n+|[<$]")
_MARKS_IN_DOUBT = re.compile(r"\[+|\]+|`+|\\+|\n+|[<$>)]")
# What says that backticks may be no code after all, and a parenthesis behind a bracket no plain address.
_IN_TICKS = re.compile(r"`+|[\[\]\\<$\n]")
_IN_TARGET = re.compile(r"[()\s\[\]\\<>\"'`$]")
# What labels are folded by: white space, the marks of quotations at the beginning of a line, and what nobody sees.
_FOLDED = rf"[\s>{UNSEEN}\u00ad]"
# A number between brackets, perhaps as that of a footnote: possessive runs, none of which begins as the next does.
_NUMBER = re.compile(rf"\^?{_FOLDED}*+\d[\d{UNSEEN}\u00ad]*+{_FOLDED}*+")
_NUMBER_SO_FAR = re.compile(
    rf"(?P<lead>\^?{_FOLDED}*+)(?P<digits>\d[\d{UNSEEN}\u00ad]*+)?(?P<tail>{_FOLDED}*+)"
)
# What stands before a label on its line where it defines nothing: two letters, or a backtick.
_WORDS = re.compile(r"[^\W\d_]{2}|`")
# The line of a fence, and one that may end it: anchored, runs of one class.
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}+(?=[^`]*+\Z)|~{3,}+)")
_FENCE_END = re.compile(r" {0,3}(?P<fence>`++|~++)[ \t]*+\Z")
# Code points behind us that are kept, those before a label that are looked at, those of a label that may be a number,
# those at the end of the words of a link that are looked at, and brackets that are known one by one.
_BEHIND, _BEFORE, _NUMBER_WORDS, _LINK_WORDS, _MOST = 256, 200, 32, 240, 1_000

_PROSE, _TICKS, _TARGET = range(3)


class _Joint(NamedTuple):
    """What the bracket that has just closed makes of what follows: which of `([:` act.

    Behind words `start` to `end` of no number of ours, it depends on them, and on whether `raw` stands in code. Where
    it is not `sure` which bracket opened, they begin with the first that may have.
    """

    turning: str = ""
    start: int = -1
    end: int = -1
    raw: int = -1
    sure: bool = True


_NOTHING, _PLAIN, _OURS, _AROUND, _DEFINES = _Joint(), _Joint(), _Joint("([:"), _Joint("(["), _Joint(":")


class Brackets:
    """Reads what is shown, piece by piece, and tells where a backslash has to go."""

    __slots__ = (
        "_behind", "_depth", "_fence", "_frozen", "_in_doubt", "_is_escaped", "_is_odd", "_joint", "_label", "_last",
        "_line", "_line_at", "_mode", "_named_at", "_open", "_pos", "_ticks", "_width",
    )  # fmt: skip

    def __init__(self) -> None:
        # Code points read, and the last of them.
        self._pos = 0
        self._behind = ""
        # Where brackets are open that close for sure where they seem to, and the first that may be open besides.
        self._open: list[int] = []
        self._frozen = -1
        # Where the last bracketed number stands.
        self._last = -1
        # Whether something of this paragraph may be code, an element or an address, so that brackets in it are none.
        self._in_doubt = False
        self._mode = _PROSE
        # Backticks that began a span, those of a run that may go on, and parentheses inside of an address.
        self._width = self._ticks = self._depth = 0
        self._is_escaped = False
        self._joint = _NOTHING
        # What stands for all that follows the last opening bracket, as long as that may be a number.
        self._label: str | None = None
        self._named_at = 0
        # The line as far as it goes, and where it begins; the fence that is open, and whether a renderer may see that
        # otherwise.
        self._line: list[str] = []
        self._line_at = 0
        self._fence = ""
        self._is_odd = False

    def number(self, shown: str) -> None:
        """Take in a number of ours."""
        self._end_ticks()
        if self._mode != _PROSE:
            self._doubt()
        self._last = self._pos
        self._is_escaped = False
        self._label = None
        self._joint = _OURS
        self._keep(shown)
        self._line.append(shown)

    def cuts(self, text: str, raw: int, is_code: Callable[[int], bool]) -> list[int]:  # noqa: C901, PLR0912, PLR0915 - one loop: it runs for each mark
        """Take in text of the model's, which begins at code point `raw` of its answer; return where backslashes go.

        `is_code` tells of a code point of the answer whether the scan takes it for code.
        """
        cuts: list[int] = []
        base, length = self._pos, len(text)
        at = line_start = 0
        # Where the label begins in this piece, or what stands for it begins to go on.
        label = 0 if self._label is not None else -1
        lead = self._label or ""
        if self._ticks:
            at = length - len(text.lstrip("`"))
            self._ticks += at
            if at == length:
                self._line.append(text)
                self._keep(text)
                return cuts
            self._end_ticks()
        if self._is_escaped:
            self._is_escaped = False
            at, label, lead = self._escaped(text, at, label, lead)
        joint = self._joint
        opens = self._open
        while at < length:
            if joint is not _NOTHING:
                # What stands right behind a bracket that closes.
                char = text[at]
                if char in "([:":
                    if self._acts(joint, char, text, is_code):
                        cuts.append(at)
                        if char == "[":
                            at += 1
                            label, lead, self._named_at = at, "", base + at
                    elif char == "(" and not self._in_doubt:
                        self._mode, self._depth = _TARGET, 0
                        at += 1
                joint = _NOTHING
                continue
            if self._mode == _PROSE:
                found = (_MARKS_IN_DOUBT if self._in_doubt else _MARKS).search(text, at)
            else:
                found = (_IN_TICKS if self._mode == _TICKS else _IN_TARGET).search(text, at)
            if found is None:
                break
            start, at = found.span()
            char = text[start]
            if self._mode == _TARGET:
                if char == "(":
                    self._depth += 1
                elif char == ")":
                    self._depth -= 1
                    if self._depth < 0:
                        self._mode = _PROSE
                else:
                    self._doubt()
                    at = start
                continue
            if char == "`":
                label = -1
                self._ticks = at - start
                if at < length:
                    self._end_ticks()
                continue
            if self._mode == _TICKS:
                self._doubt()
                at = start
                continue
            if char == "[":
                if len(opens) + at - start > _MOST:
                    self._many(base + start, base + at)
                else:
                    opens.extend(range(base + start, base + at))
                label, lead, self._named_at = at, "", base + at
            elif char == "]":
                count = at - start
                if label >= 0 and _NUMBER.fullmatch(lead + text[label:start]) is not None:
                    if is_code(raw + start):
                        joint = _DEFINES if self._may_define(text, base + start) else _PLAIN
                        pair = opens.pop() if opens else -1
                    else:
                        cuts.append(start)
                        self._last = base + start
                        joint, pair = _NOTHING, -1
                    label = -1
                    count -= 1
                    if not count:
                        continue
                label = -1
                pair = opens[-count] if len(opens) >= count else -1
                del opens[-count:]
                if pair < 0:
                    joint = _PLAIN if self._frozen < 0 else _AROUND
                    if self._frozen >= self._last:
                        joint = _Joint("", self._frozen, base + at - 1, raw + at - 1, sure=False)
                elif pair < self._last:
                    joint = _AROUND
                else:
                    joint = _Joint("", pair + 1, base + at - 1, raw + at - 1)
            elif char == "\\":
                if (at - start) % 2:
                    if at == length:
                        self._is_escaped = True
                        label = -1
                    else:
                        at, label, lead = self._escaped(text, at, -1, "")
                else:
                    label = -1
            elif char == "\n":
                self._line.append(text[line_start:start])
                if self._end_line(at - start > 1):
                    label = -1
                line_start = at
                self._line_at = base + at
            else:
                label = -1 if char != ">" else label
                self._doubt()
        self._joint = joint
        self._label = _so_far(lead + text[label:]) if label >= 0 else None
        if line_start < length:
            self._line.append(text[line_start:])
        self._keep(text)
        return cuts

    def _keep(self, text: str) -> None:
        self._pos += len(text)
        self._behind = text[-_BEHIND:] if len(text) >= _BEHIND else (self._behind + text)[-_BEHIND:]

    def _escaped(self, text: str, at: int, label: int, lead: str) -> tuple[int, int, str]:
        """Step over what a backslash stands before: a bracket opens no link then, but looks like one that does."""
        char = text[at]
        if char == "[":
            self._named_at = self._pos + at + 1
            return at + 1, at + 1, ""
        if char in "]\\":
            return at + 1, -1, ""
        if char == "`":
            self._doubt()
        return at, label, lead

    def _acts(self, joint: _Joint, char: str, text: str, is_code: Callable[[int], bool]) -> bool:
        """Say whether what stands behind a bracket makes a link of a number, or a definition."""
        if joint.turning:
            return char in joint.turning
        start, end = max(joint.start, joint.end - _LINK_WORDS), joint.end
        if joint.start < 0 or start >= end:
            return False
        words = self._shown(text, start, end)
        return reads_as_number(words, cut=start > joint.start, sure=joint.sure) and not is_code(joint.raw)

    def _shown(self, text: str, start: int, end: int) -> str:
        """Return code points `start` to `end` of what was shown with `text`; they are not far behind."""
        start, end = start - self._pos, end - self._pos
        if start >= 0:
            return text[start:end]
        shift = len(self._behind)
        return (self._behind + text[: max(0, end)])[max(0, start + shift) : end + shift]

    def _doubt(self) -> None:
        """From here on brackets may be other than they seem; those that are open may stay so."""
        self._in_doubt = True
        self._mode = _PROSE
        self._freeze()

    def _freeze(self) -> None:
        if self._open:
            if self._frozen < 0:
                self._frozen = self._open[0]
            self._open.clear()

    def _many(self, start: int, end: int) -> None:
        """Take in brackets that open, more than are known one by one, as if each came by itself."""
        left = (len(self._open) + end - start) % (_MOST + 1)
        if self._frozen < 0:
            self._frozen = self._open[0] if self._open else start
        self._open[:] = range(end - left, end)

    def _end_ticks(self) -> None:
        """A run of backticks is over: a span may begin there, or ends."""
        width, self._ticks = self._ticks, 0
        if not width:
            return
        if self._mode == _TICKS:
            if width == self._width:
                self._mode = _PROSE
        elif self._in_doubt or self._mode == _TARGET:
            self._doubt()
        else:
            self._mode, self._width = _TICKS, width

    def _end_line(self, is_blank: bool) -> bool:  # noqa: FBT001 - private, and named where it is called
        """A line is over, perhaps with blank lines behind it; say whether a paragraph is."""
        line = "".join(self._line).rstrip("\r")
        self._line.clear()
        words = line.lstrip(" \t")
        ends = is_blank or not words
        if words[:1] in _BEGINNINGS or self._fence or "\r" in line:
            ends = self._block(line) or ends
        if ends:
            self._open.clear()
            self._frozen = -1
            self._in_doubt = False
            self._mode = _PROSE
        return ends

    def _block(self, line: str) -> bool:
        """Take in a line that may begin or end a fence, or an element; say whether no paragraph goes on behind it."""
        begins = _FENCE.match(line)
        if "\r" in line:
            self._is_odd = True
        if self._fence:
            end = _FENCE_END.match(line)
            if end is not None and end["fence"].startswith(self._fence):
                self._fence = ""
        elif begins is not None:
            self._fence = begins["fence"]
            # In an item of a list it ends with the item.
            self._is_odd = self._is_odd or line[0] == " "
        elif line.lstrip(" \t")[:1] in ("<", "$"):
            self._is_odd = True
        return begins is not None

    def _may_define(self, text: str, end: int) -> bool:
        """Say whether a renderer may see a definition where the scan sees code; its label ends there."""
        opening = self._named_at - 1
        if opening < self._line_at or end - opening > _NUMBER_WORDS:
            return True
        before = self._shown(text, max(self._line_at, opening - _BEFORE), opening)
        if self._fence and not self._is_odd and "\r" not in before:
            return False
        return _WORDS.search(before.rpartition("\r")[2]) is None


_BEGINNINGS = frozenset("`~<$")


def _so_far(written: str) -> str | None:
    """Return the shortest text that stands for what may become a number; None where nothing may."""
    found = _NUMBER_SO_FAR.fullmatch(written)
    if found is None:
        return None
    if found["digits"]:
        return "1 " if found["tail"] else "1"
    return " " if found["lead"] else ""
