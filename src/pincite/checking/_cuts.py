"""What a quote was cut from: words right behind it, or in front, without which it says something else."""

from __future__ import annotations

import re
from typing import NamedTuple

from pincite.checking._wording import UNITS
from pincite.core.fold import fold
from pincite.core.verdicts import DifferenceKind

# What a quote may be cut before, so that less is quoted than was said.
_CONDITIONS = (
    "unless|except(?:ing)?|excluding|provided(?: that)?|providing(?: that)?|only|if and only if|if"
    "|but only|but not|but never"
    "|so long as|as long as|on condition|subject to|save for|save that|other than|apart from|until|without"
    "|in the absence of|with the exception|to the extent|under no|by no|by none|at no|in no case|to no"
    "|es sei denn|ausser|außer|ausgenommen|mit ausnahme|sofern|soweit|falls|nur|nicht|kein\\w{0,2}"
    "|vorausgesetzt|wenn nicht"
    "|sauf|à moins qu|à condition|excepté|hormis|sous réserve|seulement|que si|qu'en cas"
    "|salvo|excepto|a menos que|siempre que|a condición|con excepción|sólo|solo si|solo cuando"
    "|eccetto|tranne|a meno che|purché|a condizione|fatta eccezione|solo se|soltanto"
    "|exceto|a não ser que|desde que|com exceção|somente|apenas se"
    "|tenzij|behalve|mits|met uitzondering|op voorwaarde|niet|geen|alleen als"
    "|кроме|за исключением|если|только|при условии"
    "|chyba że|o ile|z wyjątkiem|pod warunkiem|oprócz|tylko"
    "|εκτός|εφόσον|με την προϋπόθεση|hariç|dışında|ancak"
    "|אלא אם|למעט|בתנאי|إلا|ما لم|باستثناء|بشرط"
)
# Without a space in front, in scripts that have none.
_UNSPACED_CONDITIONS = (
    "除外|除非|但|的除外|を除|に限|ただし|ではな|でな|なかった|ない|ません|ず(?=[。、に])|제외|다만"
)
_BEHIND = re.compile(
    rf"[,;:\uff0c]?[ ]?(?:- ?|\()?[*_`\"']{{0,3}}"
    rf"(?:(?P<words>{_CONDITIONS})(?![^\W_])|(?P<unspaced>{_UNSPACED_CONDITIONS}))"
)
_UNIT_BEHIND = re.compile(r" ?-?(?P<words>[^\W\d_]{1,12}|%|\u2030|\u00b0[cf]?)(?![^\W_])")
# Words right in front of a quote that turn round what follows, or limit it.
_TURNING = (
    r"not|never|no|nor|neither|cannot|without|nicht|kein\w{0,2}|niet|geen|non|não|nunca|nie|не|нет|\w{2,8}n't"
)
_LIMITING = (
    "almost|nearly|hardly|scarcely|barely|merely|only|allegedly|supposedly|reportedly|possibly|up to"
    "|at most|at least"
    "|no more than|less than|more than|fewer than|fast|beinahe|kaum|nur|höchstens|mindestens|presque"
    "|casi|quasi|quase|bijna"
)
_IN_FRONT = re.compile(rf"(?:\A|[^\w'])(?:(?P<turning>{_TURNING})|(?P<limiting>{_LIMITING})) ?\Z")
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
# Code points that are looked at, and marks at the end of a sentence.
_REACH = 80
_ENDS = (".", "!", "?", "\u3002")


class CutOff(NamedTuple):
    """Code points `start` to `end` of a source, which a quote leaves out although they belong to it."""

    kind: DifferenceKind
    start: int
    end: int


def cut_off(source: str, start: int, end: int) -> CutOff | None:
    """Return what code points `start` to `end` of `source` were cut from, None where nothing is wrong with it."""
    behind = fold(source[end : end + _REACH])
    found = None
    kind = DifferenceKind.LIMITER
    if not source[start:end].rstrip("\"'\u201d\u2019)").endswith(_ENDS):
        found = _BEHIND.match(behind.text)
        if found is None and source[end - 1 : end].isdigit():
            found = _UNIT_BEHIND.match(behind.text)
            kind = DifferenceKind.UNIT
            if found is not None and found["words"] not in UNITS:
                found = None
    if found is None:
        found, kind = _HALF_BEHIND.match(behind.text), DifferenceKind.WORD
    if found is not None:
        first, last = behind.to_source(*found.span(found.lastgroup or 0))
        return CutOff(kind, end + first, end + last)
    base = max(0, start - _REACH)
    front = fold(source[base:start])
    found = _IN_FRONT.search(front.text) or _HALF_IN_FRONT.search(front.text)
    if found is None:
        return None
    kind = {"turning": DifferenceKind.NEGATOR, "limiting": DifferenceKind.LIMITER}.get(
        found.lastgroup or "", DifferenceKind.WORD
    )
    first, last = front.to_source(*found.span(found.lastgroup or 0))
    return CutOff(kind, base + first, base + last)
