"""Citations of a structured answer, field by field: by their positions in JSON text, or by a quote in a field.

A provider that cites JSON text counts in that text, escapes and all. Here each citation is carried over to the fields
it is about, named by JSON Pointer, its anchor in code points of the field's own value.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.core.citation import (
    BoundPassage,
    Citation,
    ContentCitationAnchor,
    DocumentCitationSource,
    SourceSpan,
    TextPart,
    WebCitationSource,
)
from pincite.core.errors import InputError
from pincite.core.given import of_kind
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import QuoteVerdict
from pincite.providers._pointers import Node, check_depth, pointer_of
from pincite.providers.response import ProviderResponse, hash_of
from pincite.providers.sources import SentSource, SentSources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.citation import CitationSource

# A token of JSON: a string with its escapes, which may break off with the text, a sign, or a run of anything else. Each
# run is possessive, and no string is tried twice: linear.
_TOKEN: Final = re.compile(
    r'"(?P<inside>[^"\\]*+(?:\\.[^"\\]*+)*+)(?:"|\\?\Z)|[{}\[\],:]|[^\s{}\[\],:"]++', re.DOTALL
)
# What stands for one character in a string of JSON: two halves of a pair, four digits, or one sign. Bounded.
_ESCAPE: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.", re.DOTALL
)
# Where JSON begins: with the text or in a fence, an object also at the beginning of a line. What begins as a link or a
# number in brackets does is none. Each run is of white space and possessive, and begins where no other does: linear.
_BEGIN: Final = re.compile(
    r"(?:\A|^```[a-z]{0,10}[ \t]*+$)\s*+"
    r"(?=[{]|\[\s*+(?:[{\"\[\]]|[\w.+-]{1,400}+\s*+(?:,|\]\s*+(?:\Z|```))))"
    r"|^[ \t]*+(?=[{]\s*+[\"}])",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class FieldCitation:
    """A citation of one field: `pointer` is its JSON Pointer, `value` its text, or the JSON of what is no string.

    The anchor of `citation` is in code points of `value`.
    """

    pointer: str
    value: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class FieldCitations:
    """The citations of a structured answer by field, in order, and those that belong to none: `unplaced`.

    `unplaced` citations have no anchor, or one over names and signs alone; it is in code points of the JSON text.
    """

    fields: tuple[FieldCitation, ...]
    unplaced: tuple[Citation, ...] = ()

    def of(self, pointer: str) -> tuple[Citation, ...]:
        """Return the citations of one field, by its JSON Pointer."""
        return tuple(one.citation for one in self.fields if one.pointer == pointer)


def citations_by_field(answer: ProviderResponse | TextPart, *, limits: Limits = DEFAULT) -> FieldCitations:
    """Return the citations of an answer in JSON text, each with the field that it is about.

    One that covers several fields belongs to each of them, with the stretch of its own. Where a name stands twice in
    one object the last counts, as for every reader of JSON. JSON that breaks off is read as far as it goes, and what is
    deeper than `limits.provider_json_depth` is no field.

    Raises:
        InputError: `answer` is neither a response nor a text part.
    """
    if isinstance(answer, ProviderResponse):
        text, citations = answer.text, answer.citations
    else:
        part = of_kind(answer, TextPart, "answer", "a ProviderResponse or a TextPart")
        text, citations = part.content, part.citations
    leaves = _leaves(text, limits)
    ends = [one.end for one in leaves]
    found: list[tuple[int, FieldCitation]] = []
    unplaced: list[Citation] = []
    for citation in citations:
        anchor = citation.anchor
        before = len(found)
        if anchor is not None:
            at = bisect_left(ends, anchor.start + 1)
            while at < len(leaves) and leaves[at].start < anchor.end:
                leaf = leaves[at]
                start, end = leaf.within(anchor.start), leaf.within(anchor.end, up=True)
                if start < end:
                    moved = replace(
                        citation,
                        anchor=replace(anchor, start=start, end=end),
                        claim=_claim(citation, leaf),
                        text_hash=hash_of(leaf.value[start:end]),
                    )
                    found.append((leaf.start, FieldCitation(pointer_of(leaf.node), leaf.value, moved)))
                at += 1
        if len(found) == before:
            unplaced.append(citation)
    return FieldCitations(tuple(one for _, one in sorted(found, key=lambda pair: pair[0])), tuple(unplaced))


def _claim(citation: Citation, leaf: _Leaf) -> ContentCitationAnchor | None:
    """Return the part of a marker's claim that stands in a field; None where there is none."""
    claim = citation.claim
    if claim is None or claim.start >= leaf.end or claim.end <= leaf.start:
        return None
    return ContentCitationAnchor(leaf.within(claim.start), leaf.within(claim.end, up=True))


class _Leaf:
    """A string, number or word of JSON: code points `start` to `end` of the text, of a string those in its quotes."""

    __slots__ = ("_escapes", "_raw", "_value", "end", "is_string", "node", "start")

    def __init__(self, node: Node | None, raw: str, start: int, *, is_string: bool) -> None:
        self.node = node
        self.start = start
        self.end = start + len(raw)
        self.is_string = is_string
        self._raw = raw
        self._value: str | None = None
        self._escapes: list[tuple[int, int, int]] | None = None

    @property
    def value(self) -> str:
        """The value: what the string says, else the JSON as it is written."""
        if self._value is None:
            self._value = self._raw
            if self.is_string and "\\" in self._raw:
                pieces: list[str] = []
                at = 0
                for start, end, _ in self.escapes:
                    pieces += (self._raw[at:start], _meant(self._raw[start:end]))
                    at = end
                self._value = "".join([*pieces, self._raw[at:]])
        return self._value

    @property
    def escapes(self) -> list[tuple[int, int, int]]:
        """Where escapes stand in the string as it is written, and by how much it is longer up to the end of each."""
        if self._escapes is None:
            self._escapes = []
            longer = 0
            if self.is_string:
                for match in _ESCAPE.finditer(self._raw):
                    longer += match.end() - match.start() - len(_meant(match[0]))
                    self._escapes.append((match.start(), match.end(), longer))
        return self._escapes

    def within(self, offset: int, *, up: bool = False) -> int:
        """Return the code point of the value that stands at an offset of the text; inside of an escape, its start.

        With `up` it is the one behind that escape. An offset outside of the field is its nearest end.
        """
        at = min(max(offset - self.start, 0), self.end - self.start)
        number = bisect_left(self.escapes, at, key=lambda one: one[1]) if self.escapes else 0
        longer = self.escapes[number - 1][2] if number else 0
        if number < len(self.escapes) and self.escapes[number][0] < at < self.escapes[number][1]:
            start = self.escapes[number][0] - longer
            return start + len(_meant(self._raw[slice(*self.escapes[number][:2])])) if up else start
        if number < len(self.escapes) and self.escapes[number][1] == at:
            longer = self.escapes[number][2]
        return at - longer


_SIGNS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def _meant(escape: str) -> str:
    """Return the character that an escape stands for."""
    if escape[1] != "u":
        return _SIGNS.get(escape[1], escape[1])
    if len(escape) == 12:  # noqa: PLR2004 - two halves of a pair
        return chr(0x10000 + ((int(escape[2:6], 16) - 0xD800) << 10) + (int(escape[8:12], 16) - 0xDC00))
    return chr(int(escape[2:6], 16)) if len(escape) == 6 else escape  # noqa: PLR2004 - four digits


class _Frame:
    """An object or array that is open: its place, and what comes next in it."""

    __slots__ = ("_count", "_ranges", "is_object", "name", "node")

    def __init__(self, node: Node | None, *, is_object: bool) -> None:
        self.node = node
        self.is_object = is_object
        self.name: str | None = None
        self._count = 0
        self._ranges: dict[str, tuple[int, int]] = {}

    def next(self) -> Node:
        """Return the place of the value that comes next."""
        if self.is_object:
            return Node(self.node, self.name or "")
        self._count += 1
        return Node(self.node, str(self._count - 1))

    def ended(self, name: str, start: int, end: int) -> tuple[int, int] | None:
        """Take note that the value of a name is leaves `start` to `end`; return those of the one that it overwrites."""
        earlier = self._ranges.get(name)
        self._ranges[name] = (start, end)
        return earlier


class _Reader:
    """Reads the values that are neither objects nor arrays, in order."""

    __slots__ = ("_begun", "_deepest", "_frames", "_too_deep", "found", "gone")

    def __init__(self, deepest: int) -> None:
        self._deepest = deepest
        self._frames: list[_Frame] = []
        self._begun: list[int] = []
        self._too_deep = 0
        self.found: list[_Leaf] = []
        self.gone: list[tuple[int, int]] = []
        """Ranges of `found` that a later value of the same name overwrites."""

    def take(self, match: re.Match[str]) -> bool:
        """Take the next token; say whether the value goes on behind it."""
        sign, inside = match[0], match["inside"]
        frames = self._frames
        opens, closes = sign in ("{", "["), sign in ("}", "]")
        if self._too_deep or (opens and len(frames) == self._deepest):
            self._pass_over(opens - closes)
        elif opens:
            frames.append(_Frame(frames[-1].next() if frames else None, is_object=sign == "{"))
            self._begun.append(len(self.found))
        elif closes:
            frames.pop()
            self._end_value(self._begun.pop())
        elif sign not in (",", ":"):
            if frames[-1].is_object and frames[-1].name is None:
                frames[-1].name = sign if inside is None else _Leaf(None, inside, 0, is_string=True).value
            else:
                self._leaf(match, sign, inside)
        return bool(frames)

    def _pass_over(self, deeper: int) -> None:
        """Take a token of a value that is too deep: it has its place among the others, and nothing in it is a field."""
        if not self._too_deep:
            self._frames[-1].next()
        self._too_deep += deeper
        if not self._too_deep:
            self._end_value(len(self.found))

    def _leaf(self, match: re.Match[str], sign: str, inside: str | None) -> None:
        at = len(self.found)
        start = match.start() + (inside is not None)
        raw = sign if inside is None else inside
        self.found.append(_Leaf(self._frames[-1].next(), raw, start, is_string=inside is not None))
        self._end_value(at)

    def _end_value(self, start: int) -> None:
        """End a value that began at leaf `start`, if it is one of an object."""
        if not self._frames or (name := self._frames[-1].name) is None:
            return
        self._frames[-1].name = None
        earlier = self._frames[-1].ended(name, start, len(self.found))
        if earlier is not None:
            self.gone.append(earlier)


def _leaves(text: str, limits: Limits) -> list[_Leaf]:
    """Return the values of the first object or array in a text that are neither, in order, as far as it is JSON."""
    begin = _BEGIN.search(text)
    reader = _Reader(limits.provider_json_depth)
    for match in _TOKEN.finditer(text, begin.end() if begin else len(text)):
        if not reader.take(match):
            break
    return _without(reader.found, reader.gone)


def _without(leaves: list[_Leaf], gone: list[tuple[int, int]]) -> list[_Leaf]:
    """Return the leaves that lie in none of the ranges."""
    if not gone:
        return leaves
    steps = [0] * (len(leaves) + 1)
    for start, end in gone:
        steps[start] += 1
        steps[end] -= 1
    return [leaf for leaf, inside in zip(leaves, accumulate(steps), strict=False) if not inside]


# --- A quote in a field ---


@dataclass(frozen=True, slots=True)
class FieldQuote:
    """A quote that stands in a field of a structured answer, and what became of it.

    `pointer` is that of the quote itself, `around` of the object it stands in. `sent` is the source that says it, or
    that it names; None where there is none, or several alike (`reason`). `start` and `end` are code points of the text
    of `sent`; None where the quote was not found there.
    """

    pointer: str
    around: str
    quote: str
    verdict: QuoteVerdict
    sent: SentSource | None = None
    start: int | None = None
    end: int | None = None
    reason: str = ""

    @property
    def citation(self) -> Citation | None:
        """The citation that a quote makes: None unless it was found in its source."""
        if self.sent is None or self.start is None or self.end is None or self.sent.text is None:
            return None
        sent, excerpts = self.sent, (self.sent.text[self.start : self.end],)
        span = SourceSpan(self.start, self.end)
        passage = sent.passage or BoundPassage(sent.source_id, document_id=sent.source_id)
        source: CitationSource
        if sent.url and "://" in sent.url:
            source = WebCitationSource(sent.url, sent.title, excerpts, span, passage)
        else:
            source = DocumentCitationSource(sent.source_id, sent.title, excerpts, span, passage)
        return Citation((source,), written=self.quote, quote=self.verdict)


def verify_field_quotes(
    value: object, sources: SentSources, *, quote: str = "quote", source: str = "source"
) -> tuple[FieldQuote, ...]:
    """Return every quote of a structured answer, looked for in what was sent.

    A quote is a string, or each of a list of strings, in a field named `quote`. A field `source` beside it says which
    source it is from, by id, title, address or number; without one it is looked for in all of them, and one that
    several have word for word belongs to none. A quote that another source has than the one it names is `elsewhere`.
    `value` is JSON as it was read, or its text.

    Raises:
        InputError: `value` is no JSON, or an argument is of another type.
        LimitError: it is deeper than `limits.provider_json_depth` of the sources.
    """
    of_kind(sources, SentSources, "sources", "the SentSources of the request")
    of_kind(quote, str, "quote", "the name of a field")
    of_kind(source, str, "source", "the name of a field")
    if isinstance(value, str):
        try:
            value = cast("object", json.loads(value))
        except (ValueError, RecursionError) as error:
            msg = "`value` is text that is no JSON."
            raise InputError(msg, field="value") from error
    return tuple(
        _verified(sources, said, named, (node.pointer(), pointer_of(around)))
        for around, node, said, named in _quotes(value, quote, source, sources.limits)
    )


def _quotes(
    value: object, quote: str, source: str, limits: Limits
) -> Iterator[tuple[Node | None, Node, str, object]]:
    """Yield the quotes of a value in order: the object around, its place, the quote, and the source that it names."""
    stack: list[tuple[object, Node | None]] = [(value, None)]
    while stack:
        item, node = stack.pop()
        check_depth(node, limits)
        if isinstance(item, Mapping):
            fields = cast("Mapping[Any, Any]", item)
            named = fields.get(source)
            said = fields.get(quote)
            place = Node(node, quote)
            if isinstance(said, str):
                yield node, place, said, named
            elif isinstance(said, list | tuple):
                for at, one in enumerate(cast("Sequence[Any]", said)):
                    if isinstance(one, str):
                        yield node, Node(place, str(at)), one, named
            stack += [(fields[name], Node(node, str(name))) for name in reversed(list(fields))]
        elif isinstance(item, list | tuple):
            items = cast("Sequence[Any]", item)
            stack += [(items[at], Node(node, str(at))) for at in reversed(range(len(items)))]


def _verified(sources: SentSources, quote: str, named: object, pointers: tuple[str, str]) -> FieldQuote:
    from pincite.providers._binding import verify_excerpt

    if named is not None:
        known = isinstance(named, str | int) and not isinstance(named, bool)
        sent = sources.resolve(cast("str | int", named)) if known else None
        if sent is None:
            reason = "It names no source that was sent, or several."
            return FieldQuote(*pointers, quote, QuoteVerdict.UNCHECKED, reason=reason)
        found = verify_excerpt(sources, sent, quote, None)
        return FieldQuote(*pointers, quote, found.verdict, sent, found.start, found.end)
    checks = [(sent, sources.check_quote(sent, quote)) for sent in sources]
    verified = [(sent, check) for sent, check in checks if check.is_verified]
    if len(verified) == 1:
        sent, check = verified[0]
        return FieldQuote(*pointers, quote, check.verdict, sent, check.start, check.end)
    if verified:
        reason = f"{len(verified)} sources have these words alike."
        return FieldQuote(*pointers, quote, QuoteVerdict.UNCHECKED, reason=reason)
    verdicts = {check.verdict for _, check in checks}
    nearest = next((one for one in _UNFOUND if one in verdicts), QuoteVerdict.UNCHECKED)
    return FieldQuote(*pointers, quote, nearest)


# What is said of a quote that no source has, the nearest miss first.
_UNFOUND: Final = (
    QuoteVerdict.TRUNCATED,
    QuoteVerdict.ALTERED,
    QuoteVerdict.TOO_SHORT,
    QuoteVerdict.UNCHECKED,
    QuoteVerdict.ABSENT,
)
