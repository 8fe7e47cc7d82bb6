"""Citations of a structured answer, field by field: by their positions in JSON text, or by a quote in a field.

A provider that cites JSON text counts in that text, escapes and all. Here each citation is carried over to the fields
it is about, named by JSON Pointer, its anchor in code points of the field's own value.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
from pincite.providers._leaves import leaves_of
from pincite.providers._pointers import Node, check_depth, pointer_of
from pincite.providers.response import ProviderResponse, hash_of
from pincite.providers.sources import SentSource, SentSources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.core.citation import CitationSource
    from pincite.providers._leaves import Leaf


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
    leaves = leaves_of(text, limits)
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


def _claim(citation: Citation, leaf: Leaf) -> ContentCitationAnchor | None:
    """Return the part of a marker's claim that stands in a field; None where there is none."""
    claim = citation.claim
    if claim is None or claim.start >= leaf.end or claim.end <= leaf.start:
        return None
    return ContentCitationAnchor(leaf.within(claim.start), leaf.within(claim.end, up=True))


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
