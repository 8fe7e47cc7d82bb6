"""Figures: how they are written, what they are worth, and when two are the same."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

from pincite.citing._matching.lexicon import MONEY_SUFFIXES, MULTIPLIERS, UNITS
from pincite.citing._matching.words import WIDE, folded

_LONGEST_NUMERAL: Final = 24
"""Code points of a numeral; a longer one is a name."""
_MOST_DIGITS: Final = 15
"""Digits that a floating-point number keeps."""
_GROUP: Final = 3
_YEARS: Final = (1400.0, 2100.0)
_ABOUT: Final = 0.05
"""Share by which a figure that is said to be approximate may differ."""
_NOISE: Final = 1e-9
"""What halves of last places may be off by as floating-point numbers."""
ROUNDED: Final = 0.95
"""What a figure counts that is the same only when rounded."""
MONTH: Final = "month"
"""The unit of a month that was written as a word."""
_STRICT: Final = frozenset(("%", "pp", "‰", "x"))
"""Units that no figure without a unit may stand for."""
_SEPARATORS: Final = str.maketrans("٫٬،．，’\u00a0\u202f\u2009", ".',.,'   ")


class Figure(NamedTuple):
    """A figure: every way to read it, its unit, and how exact it is.

    `parts` are the numbers that a numeral with blanks may be instead; `step` is the worth of the last place written;
    `bound` is 1 when it is said to be a least, -1 when a most.
    """

    values: tuple[float, ...]
    parts: tuple[float, ...] = ()
    unit: str = ""
    step: float = 1.0
    about: bool = False
    spelled: bool = False
    bound: int = 0

    @property
    def is_year(self) -> bool:
        """Tell whether it may be a year."""
        return (
            not self.unit
            and not self.spelled
            and self.step == 1.0
            and _YEARS[0] <= self.values[0] <= _YEARS[1]
        )

    def times(self, factor: float) -> Figure:
        """Return the figure with a multiplier ("million") applied."""
        values = tuple(exact(value * factor) for value in self.values)
        return self._replace(values=values, parts=(), step=self.step * factor)


def exact(value: float) -> float:
    """Return `value` without the noise of its last places, so that equal figures are equal."""
    return float(f"{value:.12g}")


def agree(said: Figure, there: Figure) -> float:
    """Return what the passage's figure counts for the one that was said: 1 the same, less when rounded, else 0."""
    if said.unit != there.unit and (
        (said.unit and there.unit) or said.unit in _STRICT or there.unit in _STRICT
    ):
        return 0.0
    if said.bound * there.bound < 0:
        return 0.0
    best = 0.0
    for a in said.values:
        for b in (*there.values, *there.parts):
            gap = abs(a - b)
            size = max(abs(a), abs(b))
            if not gap:
                return 1.0
            near = _ABOUT * size if said.about or there.about else _rounding(said, there, b)
            if gap <= near:
                best = ROUNDED
    return best


def slack(said: Figure, value: float) -> float:
    """Return how far a figure may lie from `value`, at most, to agree with what was said."""
    return max(abs(value) * _ABOUT, said.step / 2 + _NOISE)


def _rounding(said: Figure, there: Figure, value: float) -> float:
    """Return how far a more exact figure may lie from the one that was said: half of its last place."""
    finer = there.step < said.step or (said.step > 1.0 and value % said.step != 0)
    return said.step / 2 * (1 + _NOISE) if finer else 0.0


def parse(raw: str) -> Figure | None:
    """Read a numeral: `1,200` is 1200 or 1.2, `1.234,5` is one thing only, `3.11.2` is no figure."""
    plain = raw.translate(_SEPARATORS)
    parts: tuple[float, ...] = ()
    if " " in plain or "'" in plain:
        if " " in raw:
            parts = tuple(float(piece.replace(",", ".")) for piece in plain.split(" "))
        plain = plain.replace(" ", "").replace("'", "")
    if len(plain) > _LONGEST_NUMERAL or sum(c.isdecimal() for c in plain) > _MOST_DIGITS:
        return None
    found = _read(plain)
    return found._replace(parts=parts) if found is not None and parts else found


def _read(plain: str) -> Figure | None:
    commas, dots = plain.count(","), plain.count(".")
    if not commas and not dots:
        return Figure((float(plain),))
    last = max(plain.rfind(","), plain.rfind("."))
    whole, fraction = plain[:last].replace(",", "").replace(".", ""), plain[last + 1 :]
    decimal = float(f"{whole}.{fraction}")
    step = 10.0 ** -len(fraction)
    if commas and dots:
        return Figure((decimal,), step=step) if plain.count(plain[last]) == 1 else None
    groups = plain.split(plain[last])
    grouped = groups[0] != "0" and len(groups[0]) <= _GROUP and all(len(g) == _GROUP for g in groups[1:])
    if commas + dots > 1:
        return Figure((float("".join(groups)),)) if grouped else None
    if grouped:
        return Figure((float("".join(groups)), decimal))
    return Figure((decimal,), step=step)


# --- What stands after a numeral ---


@cache
def _after() -> re.Pattern[str]:
    """Take a unit or a multiplier after a numeral; linear: anchored by `match`, bounded."""
    unspaced = [word for word in {*UNITS, *MULTIPLIERS} if re.fullmatch(f"[{WIDE}]+", word)]
    wide = "|".join(sorted(unspaced, key=lambda word: (-len(word), word)))
    return re.compile(
        r"[ \u00a0\u202f\u2009-]?(?:"
        r"(?P<points>(?:percentage|percent)[ -]points?\b|points? de pourcentage\b|puntos porcentuales\b)"
        r"|(?P<percent>per ?cent\b|pour ?cent\b|por ?ciento\b)"
        rf"|(?P<unit>°\s?[CFcf]\b|[%％٪‰€$£¥℃℉]|{wide}|[^\W\d_{WIDE}]{{1,15}}+(?!\w|['’]\w)))",
    )


# Takes what makes the figure before it a least or a most; linear: anchored, a few words.
_OR_MORE: Final = re.compile(
    r"(?:\s(?:or|oder|ou|o)\s(?:(?P<least>more|above|over|older|longer|higher|mehr|alter|plus|más|mas)"
    r"|(?:less|fewer|below|under|younger|lower|weniger|moins|menos))\b)"
    r"|(?P<wide_least>以上|超|以降|以後|以后)|(?:以下|未満|未满|以内|以前|まで|不足)"
)


def measured(figure: Figure, text: str, at: int, end: int, money: str = "") -> tuple[Figure, int]:
    """Return the figure with what follows its numeral at `at`: multipliers, a unit, "or more"; and where that ends."""
    unit = UNITS.get(folded(money), "") if money else ""
    year = figure.is_year
    for _ in range(3):
        found = _after().match(text, at, end)
        if found is None:
            break
        if found["points"] or found["percent"]:
            unit, at = ("pp" if found["points"] else "%"), found.end()
            break
        word = (
            found["unit"] if found["unit"] in UNITS or found["unit"] in MULTIPLIERS else folded(found["unit"])
        )
        if word in MULTIPLIERS and (money or word not in MONEY_SUFFIXES):
            figure = figure.times(MULTIPLIERS[word])
            at = found.end() + (text[found.end() : found.end() + 2] in {". ", ".\u00a0"})
            continue
        if word in UNITS and not unit and not (year and len(word) == 1 and word.isalpha()):
            unit, at = UNITS[word], found.end()
        break
    bound = _OR_MORE.match(text, at, end)
    if bound is not None:
        figure = figure._replace(bound=1 if bound["least"] or bound["wide_least"] else -1)
    return figure._replace(unit=unit), at


# Takes what joins two figures to a range; linear: anchored at both ends, bounded.
_RANGE: Final = re.compile(r"\s?(?:[-–—~〜～/]|to|bis|à|a|and|und|et|y|e|до|から|至|到|or)\s?")


def joined(first: Figure, gap: str, second: Figure) -> Figure:
    """Return the first figure of "10 to 15 %" with the unit, and perhaps the multiplier, of the second."""
    if first.unit or first.is_year or not second.unit or not _RANGE.fullmatch(gap):
        return first
    factor = second.step if second.step > first.step >= 1.0 else 1.0
    more = tuple(exact(value * factor) for value in first.values) if factor > 1.0 else ()
    return first._replace(unit=second.unit, values=(*first.values, *more))
