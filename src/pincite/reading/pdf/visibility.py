"""Which words a reader of the page cannot see, or not as they are spelt: they are in doubt, and the page is flagged."""

from __future__ import annotations

from collections import Counter, deque
from ctypes import c_void_p
from functools import cached_property
from itertools import groupby, repeat
from typing import TYPE_CHECKING

import numpy as np

from pincite.core.document import Flag
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf._pdfium import Handle
from pincite.reading.pdf.covers import covered
from pincite.reading.pdf.doubt import NAMELESS, merged, misspelt, nameless_words, unmapped, words_around
from pincite.reading.pdf.objects import TEXT, on_layer
from pincite.reading.pdf.render import draw
from pincite.reading.pdf.text import UNREAD, inked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from pincite.core.protocols import Bitmap
    from pincite.reading.pdf.objects import PageObjects
    from pincite.reading.pdf.text import PageChars

INKLESS = "written without ink"
PALE = "written in the colour of the paper"
LAYERED = "on a layer that is switched off"
TINY = "too small to read"
BLANK = "in a font that draws nothing"
UNDER = "written without ink over other words"
COVERED = "under what is painted over it"

_UNDRAWN_MODES = frozenset((3, 7))
"""Text rendering modes that put no ink on the page (ISO 32000-1, table 106)."""

_PALE = 240
"""Red, green and blue from which on a colour may be the paper's."""

_CONTRAST = 24
"""Difference of the darkest and the lightest pixel in a box (of 255) from which on there is something to see."""

_LOOK_PIXELS = 400_000
"""Pixels of the picture in which doubtful words are looked for."""

_SOME_WORDS, _FEW_WORDS = 4, 80
"""Of so many words one is looked at, on pages with as many; where that draws nothing, all are."""

_FLAT = 0.004
"""Ratio of the sides of a glyph's ink up to which there is none: PDFium says a thousandth of the font's size."""

_TINY = 1.0
"""Points of height below which nobody reads a word."""

_COVERED = 0.5
"""Share of a word without ink that lies over words with ink, when the ink is theirs."""

_MOST_PAIRS = 20_000_000
"""Pairs of words that are compared; further words without ink are taken to lie over others."""

_NAMELESS_SHARE, _NAMELESS_COUNT = 0.05, 5
"""Share and count of nameless glyphs from which on a page's text is not to be trusted."""

_BATCH = 1024
_BLACK = (0, 0, 0, 255)
_colours = np.zeros((_BATCH, 4), np.uint32)
_COLOUR_PLACES = [
    [c_void_p(_colours.ctypes.data + _colours.strides[0] * at + 4 * part) for at in range(_BATCH)]
    for part in range(4)
]
"""Where PDFium writes red, green, blue and opacity of so many objects, made once: a pointer costs as much as a call."""

_Span = tuple[int, int]
_Reason = tuple[int, int, str]
"""Start and end of what is in doubt, and why."""


class _Words:
    """The words of a page: where each starts and ends, and PDFium's text objects of its first and last character."""

    def __init__(self, chars: PageChars) -> None:
        # Where PDFium did not read the page, there are none to ask about.
        ink = inked(chars.codes()) if chars.handle else np.zeros(0, np.bool_)
        edges = np.flatnonzero(np.diff(ink, prepend=False, append=False))
        self._chars = chars
        self.starts, self.ends = edges[::2], edges[1::2]

    @cached_property
    def heads(self) -> list[int | None]:
        """The text objects of the words' first characters."""
        return _objects(self._chars, self.starts)

    @cached_property
    def tails(self) -> list[int | None]:
        """The text objects of the words' last characters."""
        return _objects(self._chars, self.ends - 1)


def hide_unseen(chars: PageChars, page: int, number: int, height: float, objects: PageObjects) -> list[Flag]:
    """Take the boxes of unseen characters away and return what is to be said about page `number`.

    `objects` are those of the open page, which is `height` points high.

    A word is doubtful when it is drawn without ink (rendering mode 3 or 7), in nearly white, without opacity, on an
    optional layer, smaller than a point, in glyphs that draw nothing, or under what is painted later. Doubtful words
    are looked for in a picture of the page: one that has a scan under it, or a dark ground, is seen; a plain rectangle
    over it settles it without. What is not seen, and what its font does not spell, is added to `chars.doubts`.
    """
    flags: list[Flag] = []
    if chars.outside:
        flags.append(Flag(number, f"{_count(chars.outside, 'character')} outside the visible page left out"))
    words = _Words(chars)
    unseen = _unseen(chars, page, words, height, objects)
    for start, end, _ in unseen:
        chars.hide(start, end)
    if unseen:
        reasons = Counter(reason for _, _, reason in unseen)
        why = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
        flags.append(Flag(number, f"{_count(len(unseen), 'word')} that cannot be seen on the page: {why}"))
    spelt = _spelling(chars, words, number, flags)
    chars.doubts = merged([*chars.doubts, *unseen, *spelt], chars.text)
    return flags


def _spelling(chars: PageChars, words: _Words, number: int, flags: list[Flag]) -> list[_Reason]:
    """Return the stretches that their fonts do not spell, and add flags; glyphs without a name lose their boxes."""
    text = chars.text
    doubts: list[_Reason] = []
    if not text.isascii():
        nameless = [match.start() for match in NAMELESS.finditer(text)]
        for position in nameless:
            if text[position] == UNREAD:
                chars.hide(position, position + 1)
        numbers = unmapped(text, lambda at: pdfium.is_unmapped(chars.handle, chars.index(at)) > 0)
        if len(nameless) + len(numbers) >= max(_NAMELESS_COUNT, _NAMELESS_SHARE * len(text)):
            flags.append(
                Flag(number, f"{_count(len(nameless) + len(numbers), 'glyph')} with unknown characters")
            )
        if nameless:
            doubts += nameless_words(text)
        if numbers:
            doubts += words_around(text, numbers)
    found = misspelt(text, lambda: _by_font(words))
    reasons = Counter(reason for _, _, reason in found)
    flags.extend(
        Flag(number, f"{_count(count, 'word')} whose spelling is wrong: {reason}")
        for reason, count in reasons.items()
    )
    return [*doubts, *found]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _parted(chars: PageChars, start: int, end: int, hiding: dict[int | None, str]) -> Iterator[_Reason]:
    """Yield the parts of a word that may be hidden by their text objects."""
    at = start
    for thing, same in groupby(_objects(chars, np.arange(start, end))):
        until = at + sum(1 for _ in same)
        if thing in hiding:
            yield at, until, hiding[thing]
        at = until


def _objects(chars: PageChars, positions: NDArray[np.int64]) -> list[int | None]:
    """Return the text object of each character."""
    return list(map(pdfium.text_object_of, repeat(c_void_p(chars.handle)), chars.indices(positions)))


def _by_font(words: _Words) -> dict[int, list[_Span]]:
    """Return the words of each font; a word's first character decides."""
    things = [thing for thing in dict.fromkeys(words.heads) if thing]
    fonts: dict[int | None, int] = dict(zip(things, map(pdfium.object_font, things), strict=True))
    found: dict[int, list[_Span]] = {}
    for start, end, thing in zip(words.starts.tolist(), words.ends.tolist(), words.heads, strict=True):
        found.setdefault(fonts.get(thing) or 0, []).append((start, end))
    return found


def _unseen(chars: PageChars, page: int, words: _Words, height: float, objects: PageObjects) -> list[_Reason]:
    """Return the words that nobody sees, and why."""
    doubtful = _doubtful(chars, words, height, objects)
    surely, perhaps = _covered(chars, page, words, objects, doubtful)
    if not doubtful and not perhaps:
        return surely
    doubtful += perhaps
    picture = draw(page, pixels=_LOOK_PIXELS, gray=True)
    drawn = np.frombuffer(picture.data, np.uint8).reshape(picture.height, picture.width)
    seen = [_inked(picture, drawn, chars, start, end) for start, end, _ in doubtful]
    unseen = [word for word, inked in zip(doubtful, seen, strict=True) if not inked]
    kept = [word for word, inked in zip(doubtful, seen, strict=True) if inked and word[2] in (INKLESS, PALE)]
    others = _over_others(chars, words, [*doubtful, *surely], kept)
    return sorted([*surely, *unseen, *others])


def _covered(
    chars: PageChars, page: int, words: _Words, objects: PageObjects, doubtful: Sequence[_Reason]
) -> tuple[list[_Reason], list[_Reason]]:
    """Return the parts of words that lie under what is painted later: for sure, and unless a picture shows them."""
    found = covered(chars, page, objects)
    if found is None:
        return [], []
    free = np.zeros(len(chars.text), np.bool_)
    for start, end in zip(words.starts.tolist(), words.ends.tolist(), strict=True):
        free[start:end] = True
    for start, end, _ in doubtful:
        free[start:end] = False
    surely, perhaps = (
        [
            (start, end, COVERED)
            for start, end in np.flatnonzero(np.diff(mask & free, prepend=False, append=False))
            .reshape(-1, 2)
            .tolist()
        ]
        for mask in (found.surely, found.perhaps & ~found.surely)
    )
    return surely, perhaps


def _doubtful(chars: PageChars, words: _Words, height: float, objects: PageObjects) -> list[_Reason]:
    """Return the words that may not be seen, and why not; the text object of a word decides for it.

    Each question is asked for all objects at once, and which of them a word stands in only where one may hide it:
    this runs on every page.
    """
    starts, ends = words.starts, words.ends
    if not len(starts):
        return []
    if objects.whole:
        hiding = _hiding(objects.of_kind(TEXT))
    else:
        hiding = _hiding([Handle(thing) for thing in dict.fromkeys(words.heads + words.tails) if thing])
    tall = np.maximum(chars.y1[starts] - chars.y0[starts], chars.x1[starts] - chars.x0[starts])
    tiny = tall < (_TINY / height if height > 0 else 0.0)
    middles = (starts + ends) // 2
    blank = np.zeros(len(starts), np.bool_)
    step = 1 if len(starts) < _FEW_WORDS else _SOME_WORDS
    if not _draws(chars, middles[::step]).all():
        blank = ~_draws(chars, middles)
    if not hiding and not (tiny | blank).any():
        return []
    found: list[_Reason] = []
    for at, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        head, tail = words.heads[at], words.tails[at]
        if head != tail and (head in hiding or tail in hiding):
            found.extend(_parted(chars, start, end, hiding))
        elif head in hiding:
            found.append((start, end, hiding[head]))
        elif head and (tiny[at] or blank[at]):
            found.append((start, end, TINY if tiny[at] else BLANK))
    return found


def _hiding(things: list[Handle]) -> dict[int | None, str]:
    """Return the text objects that may be invisible, and why."""
    colours = np.zeros((len(things), 4), np.uint32)
    for start in range(0, len(things), _BATCH):
        part = things[start : start + _BATCH]
        _colours[: len(part)] = _BLACK
        deque(map(pdfium.color_of, part, *_COLOUR_PLACES), maxlen=0)
        colours[start : start + len(part)] = _colours[: len(part)]
    pale = (colours[:, :3] >= _PALE).all(1)
    clear = colours[:, 3] <= 255 - _PALE
    found: dict[int | None, str] = {
        things[at].value: INKLESS if clear[at] else PALE for at in np.flatnonzero(pale | clear).tolist()
    }
    modes = list(map(pdfium.render_mode, things))
    if not _UNDRAWN_MODES.isdisjoint(modes):
        found |= {
            thing.value: INKLESS for thing, mode in zip(things, modes, strict=True) if mode in _UNDRAWN_MODES
        }
    marks = list(map(pdfium.count_marks, things))
    if any(marks):
        known: dict[int, bool] = {}
        for thing, count in zip(things, marks, strict=True):
            if count > 0 and thing.value not in found and on_layer(thing, count, known):
                found[thing.value] = LAYERED
    return found


def _draws(chars: PageChars, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say of each character whether its glyph draws something, as far as PDFium says.

    PDFium's box of the ink is flat where there is none: in a font that is not embedded and has no stand-in, or one
    that only carries the words of a scan.
    """
    sides = np.zeros((len(positions), 4))  # left, right, bottom, top
    sides[:, 1::2] = 1.0
    place, step, end = sides.ctypes.data, sides.strides[0], sides.ctypes.data + sides.nbytes
    places = [range(place + 8 * part, end, step) for part in range(4)]
    deque(map(pdfium.ink_box, repeat(chars.handle), chars.indices(positions), *places), maxlen=0)
    across, up = np.abs(sides[:, 1] - sides[:, 0]), np.abs(sides[:, 3] - sides[:, 2])
    return np.minimum(across, up) > _FLAT * np.maximum(across, up)


def _inked(picture: Bitmap, drawn: NDArray[np.uint8], chars: PageChars, start: int, end: int) -> bool:
    """Say whether there is something to see where the characters `start` to `end` stand."""
    x0, y0 = float(chars.x0[start:end].min()), float(chars.y0[start:end].min())
    x1, y1 = float(chars.x1[start:end].max()), float(chars.y1[start:end].max())
    if y1 - y0 < 2 / picture.height:
        return False
    left, right = max(0, int(x0 * picture.width)), min(picture.width, int(x1 * picture.width) + 1)
    top, bottom = max(0, int(y0 * picture.height)), min(picture.height, int(y1 * picture.height) + 1)
    if left >= right or top >= bottom:
        return False
    here = drawn[top:bottom, left:right]
    return int(here.max()) - int(here.min()) >= _CONTRAST


def _over_others(
    chars: PageChars,
    words: _Words,
    doubtful: Sequence[_Reason],
    inkless: Sequence[_Reason],
) -> Iterator[_Reason]:
    """Yield those of the words without ink that lie over words that have ink: the ink in their box is not theirs."""
    hidden = {start for start, _, _ in doubtful}
    spans = zip(words.starts.tolist(), words.ends.tolist(), strict=True)
    others = [(start, end) for start, end in spans if start not in hidden]
    if not inkless or not others:
        return
    boxes = np.array([_box(chars, start, end) for start, end in others])
    for at, (start, end, _) in enumerate(inkless):
        if at * len(others) > _MOST_PAIRS:
            yield start, end, UNDER
            continue
        x0, y0, x1, y1 = _box(chars, start, end)
        across = np.minimum(boxes[:, 2], x1) - np.maximum(boxes[:, 0], x0)
        down = np.minimum(boxes[:, 3], y1) - np.maximum(boxes[:, 1], y0)
        shared = float((np.maximum(across, 0) * np.maximum(down, 0)).sum())
        if shared > _COVERED * (x1 - x0) * (y1 - y0):
            yield start, end, UNDER


def _box(chars: PageChars, start: int, end: int) -> tuple[float, float, float, float]:
    return (
        float(chars.x0[start:end].min()),
        float(chars.y0[start:end].min()),
        float(chars.x1[start:end].max()),
        float(chars.y1[start:end].max()),
    )
