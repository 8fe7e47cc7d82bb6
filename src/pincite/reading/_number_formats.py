"""Numbers of a sheet as its reader sees them: `4.00`, `25%`, `€ 1,200`, `2024-03-05`.

Dates are written as ISO 8601 has them, whatever the format says: how a sheet shows one differs from machine to machine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from math import isfinite
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

# Formats that have a number and no code in the file (ECMA-376, part 1, 18.8.30).
_BUILT_IN = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    **dict.fromkeys((14, 15, 16, 17, *range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((18, 20, 32, 33, 55, 56), "h:mm"),
    **dict.fromkeys((19, 21, 34, 35), "h:mm:ss"),
    22: "yyyy-mm-dd h:mm",
    37: "#,##0;(#,##0)",
    38: "#,##0;(#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)",
    41: "#,##0",
    42: "$#,##0",
    43: "#,##0.00",
    44: "$#,##0.00",
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
}
_LONGEST_CODE = 500
"""Code points of a format; a longer one is as good as none."""
_MOST_DECIMALS = 30
_LARGEST_DATE = 2_957_003
"""Days that sheets of both kinds count, up to the end of the year 9999 in the later one."""
_DAY_1900, _DAY_1904 = date(1899, 12, 31).toordinal(), date(1904, 1, 1).toordinal()
"""The day that a sheet counts as nothing."""
_DAY_THAT_NEVER_WAS = 60
"""Sheets that count from 1900 have a 29 February in that year."""

# One token of a format: words in quotes, an escaped character, what stands in brackets, a space or filling of a
# character's width, the halves of a day, or one character. Linear: no alternative takes a run that holds its own end.
_TOKEN = re.compile(
    r'"([^"]*)"?|\\(.)|\[([^\]]*)\]?|_.|\*.|AM/PM|A/P|(General)|(.)', re.IGNORECASE | re.DOTALL
)
_DATE_LETTERS = frozenset("yYdDhHsSmMeEbBgG")
_CLEAR_DATE_LETTERS = frozenset("yYdDhHsS")
_PLACES = frozenset("0#?")


def general(value: float) -> str:
    """Return a number as a sheet shows it that was told nothing else: at most 15 digits, no needless zeros."""
    if value == int(value) and abs(value) < 1e15:  # noqa: PLR2004 - as many digits as a sheet keeps
        return str(int(value))
    text = f"{value:.15g}"
    if "e" in text and 1e-10 <= abs(value) < 1:  # noqa: PLR2004 - beyond, a sheet writes a power of ten as well
        text = f"{Decimal(text):f}"
    return text.replace("e", "E")


def shape_of(number: int, code: str | None, *, from_1904: bool) -> Callable[[float], str] | None:
    """Return what writes the numbers of a format, or None for the general one.

    `number` is the format's in the file and `code` what the file says of it, if anything.
    """
    code = code if code is not None else _BUILT_IN.get(number)
    if code is None or code in {"", "@"} or code.casefold() == "general" or len(code) > _LONGEST_CODE:
        return None
    sections = [_section(part) for part in _parts(code)]
    if sections[0].kind == "date":
        return _days(sections[0].letters, from_1904=from_1904)

    def write(value: float) -> str:
        section = sections[0]
        if value < 0 and len(sections) > 1:
            section, value = sections[1], -value
        elif value == 0 and len(sections) > 2:  # noqa: PLR2004 - the third section is the one for nothing
            section = sections[2]
        return section.written(value)

    return write


def _parts(code: str) -> list[str]:
    """Return the sections of a format: semicolons part them, except in quotes and brackets."""
    parts = [""]
    for token in _TOKEN.finditer(code):
        if token[0] == ";":
            parts.append("")
        else:
            parts[-1] += token[0]
    return parts[:4]


_PERCENTS = 10
"""Signs for percent that multiply: a format with more is no number's."""


@dataclass(slots=True)
class _Section:
    """One section of a format: what stands before and after the digits, and the digits' pattern."""

    kind: str = "words"
    before: str = ""
    after: str = ""
    pattern: str = ""
    letters: str = ""
    hundredfold: int = 0
    thousandth: int = 0
    decimals: int = 0
    optional: int = 0
    digits: int = 0
    is_grouped: bool = False
    is_plain: bool = False

    def put(self, words: str) -> None:
        """Add words before or after the digits."""
        if self.kind == "words":
            self.before += words
        else:
            self.after += words

    def sign(self, char: str) -> None:
        """Read one character that is no word."""
        if char in _PLACES or (char in ".," and not self.letters):
            self.kind = "number" if self.kind == "words" else self.kind
            self.pattern += char if self.kind == "number" else ""
        elif char == "%":
            self.hundredfold += 1
            self.put("%")
        elif char in "Ee" and self.kind == "number":
            self.kind = "power"
        elif char == "/" and self.kind == "number":
            self.kind = "general"
        elif char in _DATE_LETTERS:
            self.letters += char
        elif char != "@" and not (self.kind == "power" and char in "+-"):
            self.put(char)

    def finish(self) -> None:
        """Count the digits, once everything is read."""
        if set(self.letters) & _CLEAR_DATE_LETTERS or (self.pattern == "" and set(self.letters) & {"m", "M"}):
            self.kind = "date"
        whole, _, rest = self.pattern.partition(".")
        bare = whole.rstrip(",")
        # Commas between digits group them, those behind the last one divide by a thousand each.
        self.thousandth = len(whole) - len(bare) + rest.count(",")
        self.is_grouped = "," in bare.strip(",")
        self.digits = bare.count("0")
        places = rest.replace(",", "")[:_MOST_DECIMALS]
        self.decimals, self.optional = len(places), len(places) - len(places.rstrip("#"))
        self.before, self.after = self.before.lstrip(), self.after.rstrip()
        self.is_plain = (
            self.kind == "number"
            and self.digits == 1
            and not (self.thousandth or self.optional or self.is_grouped or self.before)
        )

    def written(self, value: float) -> str:
        """Return a number as this section shows it."""
        if self.kind == "words":
            return self.before
        if self.kind == "general":
            return f"{self.before}{general(value)}{self.after}"
        if self.is_plain and self.hundredfold <= _PERCENTS:
            whole, point, rest = f"{value * 100**self.hundredfold:.15g}".partition(".")
            if len(rest) <= self.decimals and "e" not in whole and "e" not in rest:
                # No digit is dropped, so nothing is rounded.
                point = "." if self.decimals else ""
                return f"{self.before}{whole}{point}{rest:0<{self.decimals}}{self.after}"
        try:
            scaled = Decimal(f"{value:.15g}").scaleb(2 * self.hundredfold - 3 * self.thousandth)
            if self.kind == "power":
                digits, _, power = f"{scaled:.{self.decimals}E}".partition("E")
                return f"{self.before}{digits}E{power[0]}{power[1:].zfill(2)}{self.after}"
            rounded = scaled.quantize(Decimal(1).scaleb(-self.decimals), ROUND_HALF_UP)
        except ArithmeticError:
            return general(value)
        whole, point, rest = (f"{abs(rounded):,f}" if self.is_grouped else f"{abs(rounded):f}").partition(".")
        if self.optional:
            least = self.decimals - self.optional
            rest = rest[:least] + rest[least:].rstrip("0")
            point = point if rest else ""
        whole = "" if whole == "0" and not self.digits and point else whole.zfill(self.digits)
        return f"{'-' if rounded < 0 else ''}{self.before}{whole}{point}{rest}{self.after}"


def _section(code: str) -> _Section:
    found = _Section()
    for token in _TOKEN.finditer(code):
        quoted, escaped, bracket, is_general, char = token.groups()
        if bracket is not None:
            if bracket.startswith("$"):
                found.put(bracket[1:].partition("-")[0])
            elif bracket and not bracket.strip("hHmMsS"):
                found.letters += bracket
        elif is_general is not None:
            found.kind = "general"
        elif char is not None:
            found.sign(char)
        elif quoted is not None or escaped is not None:
            found.put(quoted if quoted is not None else escaped)
    found.finish()
    return found


def _days(letters: str, *, from_1904: bool) -> Callable[[float], str]:
    lowered = letters.lower()
    has_day = bool(set(lowered) & set("yd")) or "mmm" in lowered or not set(lowered) & set("hs")
    has_time = bool(set(lowered) & set("hs"))

    def write(value: float) -> str:
        if not has_day:
            return clock(value)
        if not 0 <= value < _LARGEST_DATE:
            return general(value)
        seconds = round(value * 86_400) if has_time else int(value) * 86_400
        day, seconds = divmod(seconds, 86_400)
        if from_1904:
            text = date.fromordinal(_DAY_1904 + day).isoformat()
        elif day == _DAY_THAT_NEVER_WAS:
            text = "1900-02-29"
        else:
            text = date.fromordinal(_DAY_1900 + day - (day > _DAY_THAT_NEVER_WAS)).isoformat()
        hours, seconds = divmod(seconds, 3_600)
        time = f"{hours:02}:{seconds // 60:02}" + (f":{seconds % 60:02}" if seconds % 60 else "")
        return f"{text} {time}" if has_time else text

    return write


def clock(value: float) -> str:
    """Return a share of a day as hours and minutes; more than a day has more than 24 hours."""
    if not isfinite(value) or abs(value) > _LARGEST_DATE:
        return general(value)
    minutes, seconds = divmod(round(abs(value) * 86_400), 60)
    hours, minutes = divmod(minutes, 60)
    text = f"{hours}:{minutes:02}" + (f":{seconds:02}" if seconds else "")
    return f"-{text}" if value < 0 else text
