"""Selectors: how a place in a text is named so that another program finds it, and we find it in an edited text.

The shapes are those of the W3C Web Annotation Data Model: quote, position, and fragments of an address (text
fragments, RFC 5147 for plain text). Offsets are code points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote as percent_encoded
from urllib.parse import unquote

from pincite.checking.quotes import QuoteCheck, verify_quote
from pincite.checking.source_index import SourceIndex
from pincite.core.errors import InputError
from pincite.core.given import of_kind
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import QuoteVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

TEXT_FRAGMENT = "https://wicg.github.io/scroll-to-text-fragment/"
"""What a text fragment conforms to."""
PLAIN_TEXT = "http://tools.ietf.org/rfc/rfc5147"
"""What a range of characters conforms to."""
_DIRECTIVE = ":~:text="
# Code points kept around a quote, as many others keep.
_CONTEXT = 32
# Code points up to which a text fragment holds the whole quote, and words at each end of a longer one.
_WHOLE, _WORDS = 200, 5
# A range of characters: anchored, two runs of digits.
_RANGE = re.compile(r"char=(\d{1,12}),(\d{1,12})(?:;.{0,200})?")
_PREFIX, _SUFFIX = re.compile(r"(?s)(.*)-\Z"), re.compile(r"(?s)\A-(.*)")


@dataclass(frozen=True, slots=True)
class TextQuoteSelector:
    """Words, and what stands in front of them and behind."""

    exact: str
    prefix: str = ""
    suffix: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the selector as JSON holds it."""
        around = {name: value for name, value in (("prefix", self.prefix), ("suffix", self.suffix)) if value}
        return {"type": "TextQuoteSelector", "exact": self.exact, **around}


@dataclass(frozen=True, slots=True)
class TextPositionSelector:
    """Code points `start` to `end`."""

    start: int
    end: int

    def as_dict(self) -> dict[str, Any]:
        """Return the selector as JSON holds it."""
        return {"type": "TextPositionSelector", "start": self.start, "end": self.end}


@dataclass(frozen=True, slots=True)
class FragmentSelector:
    """The fragment of an address, and what it conforms to."""

    value: str
    conforms_to: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the selector as JSON holds it."""
        to = {} if self.conforms_to is None else {"conformsTo": self.conforms_to}
        return {"type": "FragmentSelector", "value": self.value, **to}


Selector = TextQuoteSelector | TextPositionSelector | FragmentSelector


def selectors_of(
    source: str, start: int, end: int
) -> tuple[TextQuoteSelector, TextPositionSelector, FragmentSelector]:
    """Return the selectors of code points `start` to `end` of `source`: quote, position, and text fragment.

    Raises:
        InputError: `source` is no string, or there is no such place in it.
    """
    of_kind(source, str, "source", "a string")
    of_kind(start, int, "start", "a code point")
    of_kind(end, int, "end", "a code point")
    if not 0 <= start < end <= len(source):
        msg = f"`start` and `end` are code points of the source, not {start} and {end}."
        raise InputError(msg, field="start")
    exact = source[start:end]
    prefix, suffix = source[max(0, start - _CONTEXT) : start], source[end : end + _CONTEXT]
    return (
        TextQuoteSelector(exact, prefix, suffix),
        TextPositionSelector(start, end),
        FragmentSelector(_directive(source, exact, prefix, suffix), TEXT_FRAGMENT),
    )


def read_selector(data: Mapping[str, Any]) -> Selector:
    """Return the selector that JSON holds.

    Raises:
        InputError: it is none of the three, or a field is missing or of another type.
    """
    if not isinstance(data, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"A selector is a mapping, not {type(data).__name__}."
        raise InputError(msg, field="selector")
    kind = data.get("type")
    if kind == "TextQuoteSelector":
        texts = [data.get(name) or "" for name in ("exact", "prefix", "suffix")]
        if all(isinstance(text, str) for text in texts) and texts[0]:
            return TextQuoteSelector(*texts)
    elif kind == "TextPositionSelector":
        start, end = data.get("start"), data.get("end")
        if isinstance(start, int) and isinstance(end, int) and 0 <= start <= end and start is not True:
            return TextPositionSelector(start, end)
    elif kind == "FragmentSelector":
        value, to = data.get("value"), data.get("conformsTo")
        if isinstance(value, str) and (to is None or isinstance(to, str)):
            return FragmentSelector(value, to)
    else:
        msg = f"There is no selector of type {str(kind)[:60]!r} here."
        raise InputError(msg, field="type")
    msg = f"A {kind} lacks a field, or has one of another type."
    raise InputError(msg, field="selector")


def reanchor(
    selectors: Selector | Iterable[Selector], source: str | SourceIndex, *, limits: Limits = DEFAULT
) -> QuoteCheck:
    """Return where `selectors` of an older text point in `source`, and what became of the words there.

    Words decide: where they moved, they are followed, told apart by what surrounded them and by their old place. What
    was reworded is `altered` and still has its place; what is gone is `absent`. A position alone proves nothing, so it
    is `unchecked`, with its place as far as there is one.

    Raises:
        InputError: an argument is of another type, or none of the selectors is of use here.
    """
    given = [selectors] if isinstance(selectors, Selector) else list(selectors)
    quote = next((one for one in given if isinstance(one, TextQuoteSelector)), None)
    place = next((one for one in given if isinstance(one, TextPositionSelector)), None)
    for one in given:
        if not isinstance(one, FragmentSelector):
            continue
        read = _read_fragment(one.value)
        if isinstance(read, TextPositionSelector):
            place = place or read
        elif read is not None:
            quote = quote or read
    index = source if isinstance(source, SourceIndex) else SourceIndex(source, limits=limits)
    if quote is not None:
        # Its words may be white space at an end, which no quote has.
        near = None if place is None else place.start + len(quote.exact) - len(quote.exact.lstrip())
        return index.verify(quote.exact, prefix=quote.prefix, suffix=quote.suffix, near=near)
    if place is None:
        msg = "A selector with words or a position is needed."
        raise InputError(msg, field="selectors")
    if place.end > len(index.text):
        return QuoteCheck(QuoteVerdict.ABSENT, note="The text ends before that position.")
    check = verify_quote("", index)
    return replace(
        check,
        verdict=QuoteVerdict.UNCHECKED,
        start=place.start,
        end=place.end,
        spans=((place.start, place.end),),
        note="A position without words proves nothing.",
    )


def _directive(source: str, exact: str, prefix: str, suffix: str) -> str:
    """Return the text fragment that leads to `exact`; what surrounds it is in it where it stands more than once."""
    words = exact.split()
    parts = [" ".join(words)]
    if len(exact) > _WHOLE and len(words) > 2 * _WORDS:
        parts = [" ".join(words[:_WORDS]), " ".join(words[-_WORDS:])]
    written = [_encoded(part) for part in parts]
    if source.find(exact) != source.rfind(exact):
        before, behind = prefix.split(), suffix.split()
        # A word may be cut at the far end.
        if before[1:]:
            written.insert(0, _encoded(" ".join(before[1:])) + "-")
        if behind[:-1]:
            written.append("-" + _encoded(" ".join(behind[:-1])))
    return _DIRECTIVE + ",".join(written)


def _encoded(words: str) -> str:
    """Return words for a text directive: its own marks (dash, comma, ampersand) are escaped as well."""
    return percent_encoded(words, safe="").replace("-", "%2D")


def _read_fragment(value: str) -> TextQuoteSelector | TextPositionSelector | None:
    """Return what a fragment names; None for one that names no words and no characters (a page, a section)."""
    value = value.removeprefix("#")
    at = value.find(_DIRECTIVE)
    if at >= 0:
        return _read_directive(value[at + len(_DIRECTIVE) :].partition("&")[0])
    if value.startswith("text="):
        return _read_directive(value.removeprefix("text=").partition("&")[0])
    found = _RANGE.fullmatch(value)
    if found is None or int(found[1]) > int(found[2]):
        return None
    return TextPositionSelector(int(found[1]), int(found[2]))


def _read_directive(directive: str) -> TextQuoteSelector | None:
    parts: Sequence[str] = directive.split(",")
    prefix = suffix = ""
    if len(parts) > 1 and (found := _PREFIX.fullmatch(parts[0])):
        prefix, parts = unquote(found[1]), parts[1:]
    if len(parts) > 1 and (found := _SUFFIX.fullmatch(parts[-1])):
        suffix, parts = unquote(found[1]), parts[:-1]
    words = [unquote(part) for part in parts if part]
    return TextQuoteSelector(" \u2026 ".join(words), prefix, suffix) if words else None
