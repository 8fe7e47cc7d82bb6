"""The parts of an answer that state something: sentences outside code, headings and the frames of tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Span = tuple[int, int]

# Takes the fence that opens or closes a block of code; linear: one line start, a possessive run.
_FENCE: Final = re.compile(r"^[ \t>]{0,12}(?P<run>`{3,}+|~{3,}+)(?P<rest>[^\n]{0,200})", re.MULTILINE)
# Takes what opens a line that states nothing by itself, a heading or a table's rule: linear, anchored.
_FRAME: Final = re.compile(r"\s*(?:#{1,6}(?:\s|\Z)|\|?[ \t]*:?-{3,}|[-=*_]{3,}\s*\Z)")
# Takes a line that a rule under it makes a heading; linear: anchored at the end by the caller's window.
_UNDERLINED: Final = re.compile(r"\n[ \t]{0,3}(?:=+|-{2,})[ \t]*\Z")
# Takes what stands at a sentence's end and no number may follow: linear, applied to a short reversed window.
_LINE_TAIL: Final = re.compile(r"(?:\s|\||\\(?=\s*\Z)|<br ?/?>|</(?:p|li|td|tr|div|h[1-6])>)+\Z")
_RULE_UNDERLINE_WINDOW: Final = 240
_TAIL_WINDOW: Final = 80
_OPEN_ENDS: Final = (":", "?", "：", "？", "؟", ";?")
_CLOSERS: Final = "*_\"'”’»)]}`~ \t\n"
# Takes a letter or figure; linear: one character.
_INK: Final = re.compile(r"[^\W_]")


class Prose:
    """An answer with its code taken out: `bare` has a blank for each code point of it."""

    __slots__ = ("bare", "skipped", "text", "whole")

    def __init__(self, text: str, skipped: Iterable[Span] = ()) -> None:
        self.text = text
        blocks = [*_fences(text)]
        self.skipped = _merged([*skipped, *blocks], len(text))
        bare: list[str] = []
        whole: list[str] = []
        at = 0
        for start, end in self.skipped:
            kept = text[at:start]
            bare += (kept, " " * (end - start))
            whole += (kept, ("\n" if self._is_block(start, end) else "_") * (end - start))
            at = end
        self.bare = "".join((*bare, text[at:]))
        self.whole = "".join((*whole, text[at:]))

    def _is_block(self, start: int, end: int) -> bool:
        line = self.text.rfind("\n", 0, start) + 1
        return "\n" in self.text[start:end] and not self.text[line:start].strip(" \t>")

    def statements(self) -> list[Span]:
        """Return the spans of the sentences that state something, in order."""
        from pincite.core.sentences import split_sentences

        spans = split_sentences(self.whole)
        found: list[Span] = []
        for number, (start, end) in enumerate(spans):
            follower = spans[number + 1] if number + 1 < len(spans) else None
            if self._states(start, end) and not self._heads_table(start, follower):
                found.append((start, end))
        return found

    def _states(self, start: int, end: int) -> bool:
        return (
            _FRAME.match(self.whole, start, end) is None
            and _INK.search(self.bare, start, end) is not None
            and not self.bare[max(start, end - _TAIL_WINDOW) : end].rstrip(_CLOSERS).endswith(_OPEN_ENDS)
            and _UNDERLINED.search(self.whole, max(start, end - _RULE_UNDERLINE_WINDOW), end) is None
        )

    def _heads_table(self, start: int, follower: Span | None) -> bool:
        if self.whole[start] != "|" or follower is None:
            return False
        return re.match(r"\|[ \t]*:?-+:?[ \t]*(?:\||\Z)", self.whole[follower[0] : follower[1]]) is not None


def position(text: str, start: int, end: int, skipped: Iterable[Span] = ()) -> int:
    """Return where the number of a sentence is put: after its last closing mark, before what ends the line."""
    window = max(start, end - _TAIL_WINDOW)
    tail = _LINE_TAIL.search(text, window, end)
    at = tail.start() if tail is not None else end
    for low, high in _merged(skipped, len(text)):
        if low < at < high:
            return low if low > start else high
    return at if at > start else end


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
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found
