"""What was received of one version, as the check asks for it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from pincite.core.text import holds_word, word_spans

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.core.stretches import Ranges, Texts
    from pincite.core.verdicts import SourceState

# Code points of a span in which a word is looked for before all words of the text are.
_REACH = 400


class Held:
    """One version, given as `<document>:<version>`: whether it is in scope, its state, and what was received of it.

    `look_up` is asked for the received ranges, and the texts where they were kept, when a span asks for them.
    """

    __slots__ = (
        "_covers",
        "_ends",
        "_look_up",
        "_starts",
        "_texts",
        "_words",
        "in_scope",
        "state",
        "version",
    )

    def __init__(
        self,
        version: str,
        look_up: Callable[[str], tuple[Ranges | None, Texts | None]],
        *,
        in_scope: bool,
        state: SourceState | None = None,
    ) -> None:
        self.version = version
        self.in_scope = in_scope
        self.state = state
        self._look_up: Callable[[str], tuple[Ranges | None, Texts | None]] | None = look_up
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._texts: Texts | None = None
        # The ids of stretches by their number, and the words of texts by where they begin.
        self._covers: dict[int, str] = {}
        self._words: dict[int, tuple[list[int], list[int]]] = {}

    def cover(self, start: int, end: int) -> str | None:
        """Return the id of the received stretch that holds `start` to `end`, or None."""
        if self._look_up is not None:
            ranges, self._texts = self._look_up(self.version)
            self._look_up = None
            if ranges is not None:
                self._starts, self._ends = ranges.merged()
        stretch = bisect_right(self._starts, start) - 1
        if stretch < 0 or (last := self._ends[stretch]) < end:
            return None
        found = self._covers.get(stretch)
        if found is None:
            found = self._covers[stretch] = f"ev1:s:{self.version}:{self._starts[stretch]}-{last}"
        return found

    def knows_words(self, start: int, end: int) -> bool:
        """Say whether the text of a covered span was kept."""
        return self._texts is not None and self._texts.around(start, end) is not None

    def holds_a_word(self, start: int, end: int) -> bool:
        """Say whether a covered span holds a whole word, as far as its text is known; where it is not, it may."""
        kept = None if self._texts is None else self._texts.around(start, end)
        if kept is None:
            return True
        begin, text = kept
        start, end = start - begin, end - begin
        near = min(end, start + _REACH)
        if near == end or holds_word(text, start, near):
            return holds_word(text, start, end)
        # Where a word is far, as in a long rule, one walk over the text serves all spans of it.
        words = self._words.get(begin)
        if words is None:
            spans = word_spans(text)
            words = self._words[begin] = [first for first, _ in spans], [last for _, last in spans]
        # The first word that begins in the span ends before any later one.
        starts, ends = words
        word = bisect_left(starts, start)
        return word < len(ends) and ends[word] <= end
