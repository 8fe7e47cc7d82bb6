"""What a provider's response comes to, whoever the provider is: parts of text with citations, and all that is left."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast, overload

from pincite._quick import maker
from pincite.core.citation import (
    Citation,
    ContentCitationAnchor,
    MarkerCitationAnchor,
    TextPart,
)

if TYPE_CHECKING:
    from pincite.core.citation import CitationAnchor, CitationSource

Json = Mapping[str, Any]
RAW: Final = "citations"
"""Under which name `TextPart.provider_details` holds the provider's own citations, in the order of the response."""


_citation = maker(Citation)
_content_anchor = maker(ContentCitationAnchor)


@dataclass(frozen=True, slots=True)
class Unmapped:
    """Something that looks like a citation, or belongs to one, and did not become one.

    `kind` is the provider's name for it, `raw` is as it was sent, `reason` one plain sentence. `part` is the index of
    the text part that it came with, None where it came with none.
    """

    kind: str
    raw: Any
    reason: str
    part: int | None = None


@dataclass(frozen=True, slots=True)
class SearchSuggestions:
    """What a provider wants to be shown with its answer: `html` as it came (untrusted), and the queries it searched."""

    html: str | None
    queries: tuple[str, ...] = ()
    must_show: bool = False


@dataclass(frozen=True, slots=True)
class ProviderResponse(Sequence[TextPart]):
    """The text of a response in parts, each with its citations; it is itself a sequence of its parts.

    `retrieved` are sources that the provider found and did not cite, `unmapped` what became no citation,
    `suggestions` what it wants to be shown. `details` is what else it said of its sources as a whole, by its names.
    """

    provider: str
    api: str
    parts: tuple[TextPart, ...] = ()
    retrieved: tuple[CitationSource, ...] = ()
    unmapped: tuple[Unmapped, ...] = ()
    suggestions: SearchSuggestions | None = None
    details: Json = field(default_factory=dict[str, Any])

    @property
    def text(self) -> str:
        """The parts joined, without anything between them."""
        return "".join(part.content for part in self.parts)

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation in order, its anchor in code points of `text`."""
        found: list[Citation] = []
        at = 0
        for part in self.parts:
            found.extend(moved(citation, at) for citation in part.citations)
            at += len(part.content)
        return tuple(found)

    @overload
    def __getitem__(self, index: int) -> TextPart: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TextPart, ...]: ...
    def __getitem__(self, index: int | slice) -> TextPart | tuple[TextPart, ...]:
        return self.parts[index]

    def __len__(self) -> int:
        return len(self.parts)

    def __iter__(self) -> Iterator[TextPart]:
        return iter(self.parts)


def moved(citation: Citation, by: int) -> Citation:
    """Return a citation whose anchors lie `by` code points further on."""
    if not by or (citation.anchor is None and citation.claim is None):
        return citation
    anchor, claim = citation.anchor, citation.claim
    return replace(
        citation,
        anchor=None if anchor is None else replace(anchor, start=anchor.start + by, end=anchor.end + by),
        claim=None if claim is None else replace(claim, start=claim.start + by, end=claim.end + by),
    )


def hash_of(text: str) -> str:
    """Return what tells a text from another: 16 hex digits of BLAKE2b over its UTF-8."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


class _Said(NamedTuple):
    """A citation as a reader gives it."""

    sources: tuple[CitationSource, ...]
    anchor: CitationAnchor | None
    written: str | None
    repaired: str | None
    score: float | None


def about(text: str, anchor: CitationAnchor | None, claim: ContentCitationAnchor | None) -> str:
    """Return the words of a part that a citation is about: its anchor's, those of a marker with its claim, or all."""
    if anchor is None:
        return text
    words = text[anchor.start : anchor.end]
    return words if claim is None else text[claim.start : claim.end] + words


class PartDraft:
    """A part of text on its way: pieces of it, and what is said of them once it is whole."""

    __slots__ = ("_found", "_pieces", "raw")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._found: list[_Said] = []
        self.raw: list[Any] = []

    def add(self, text: str) -> None:
        """Add a piece of text at the end."""
        self._pieces.append(text)

    @property
    def text(self) -> str:
        """The text so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def cite(
        self,
        sources: Sequence[CitationSource],
        anchor: CitationAnchor | None = None,
        *,
        written: str | None = None,
        repaired: str | None = None,
        score: float | None = None,
    ) -> None:
        """Add a citation; `anchor` is in code points of this part's text, which is complete by then."""
        self._found.append(_Said(tuple(sources), anchor, written, repaired, score))

    def finished(self) -> TextPart:
        """Return the part; each citation gets the hash of what it is about, and each marker its claim."""
        text = self.text
        citations = tuple(map(_Completing(text, self._found), self._found))
        return TextPart(text, citations, {RAW: list(self.raw)} if self.raw else None)


class _Completing:
    """Fills in what a citation of a text knows by that text."""

    __slots__ = ("_hashes", "_runs", "_sentences", "_text")

    def __init__(self, text: str, citations: Iterable[_Said]) -> None:
        self._text = text
        self._sentences: tuple[list[int], list[int]] | None = None  # where they begin, and where they end
        # By the places of the anchor and of the claim, which are all that `about` looks at.
        self._hashes: dict[tuple[int, int, int, int] | None, str] = {}
        self._runs = _runs(
            text, [one.anchor for one in citations if isinstance(one.anchor, MarkerCitationAnchor)]
        )

    def __call__(self, said: _Said) -> Citation:
        anchor = said.anchor
        claim = self._claim(anchor) if isinstance(anchor, MarkerCitationAnchor) else None
        if anchor is None:
            place = None
        elif claim is None:
            place = (anchor.start, anchor.end, -1, -1)
        else:
            place = (anchor.start, anchor.end, claim.start, claim.end)
        text_hash = self._hashes.get(place)
        if text_hash is None:  # many citations may be about the whole text
            text_hash = self._hashes[place] = hash_of(about(self._text, anchor, claim))
        return _citation(
            said.sources,
            anchor,
            said.written,
            said.repaired,
            score=said.score,
            claim=claim,
            text_hash=text_hash,
        )

    def _claim(self, anchor: MarkerCitationAnchor) -> ContentCitationAnchor | None:
        """Return the sentence that a marker stands in or behind, up to the markers there; None where it has none."""
        from pincite.checking.claims import claim_spans  # its patterns are only for who has markers

        if self._sentences is None:
            spans = claim_spans(self._text)
            self._sentences = [one.start for one in spans], [one.end for one in spans]
        until = self._runs[anchor.start]
        starts, ends = self._sentences
        before = bisect_left(starts, until) - 1
        return None if before < 0 else _content_anchor(starts[before], min(ends[before], until))


def _runs(text: str, markers: Iterable[MarkerCitationAnchor]) -> dict[int, int]:
    """Return, for each marker by its start, where the text ends before it and the markers that it stands with."""
    runs: dict[int, int] = {}
    run = behind = 0
    for marker in sorted(markers, key=lambda one: (one.start, one.end)):
        if between := text[behind : marker.start].rstrip():
            run = behind + len(between)
        runs.setdefault(marker.start, run)
        behind = max(behind, marker.end)
    return runs


class ResponseDraft:
    """A response on its way; readers of providers fill it."""

    __slots__ = ("_parts", "api", "details", "provider", "retrieved", "suggestions", "unmapped")

    def __init__(self, provider: str, api: str) -> None:
        self.provider = provider
        self.api = api
        self._parts: list[PartDraft] = []
        self.retrieved: list[CitationSource] = []
        self.unmapped: list[Unmapped] = []
        self.suggestions: SearchSuggestions | None = None
        self.details: dict[str, Any] = {}

    def part(self, text: str = "") -> PartDraft:
        """Begin a further part."""
        part = PartDraft()
        if text:
            part.add(text)
        self._parts.append(part)
        return part

    @property
    def parts(self) -> Sequence[PartDraft]:
        """The parts so far."""
        return self._parts

    def leave(self, kind: str, raw: object, reason: str, part: int | None = None) -> None:
        """Keep what became no citation, with the reason."""
        self.unmapped.append(Unmapped(kind, raw, reason, part))

    def finished(self) -> ProviderResponse:
        """Return the response; parts without text and without citations are left out."""
        parts = [part.finished() for part in self._parts]
        kept = [at for at, one in enumerate(parts) if one.content or one.citations or one.provider_details]
        places = {at: place for place, at in enumerate(kept)}
        return ProviderResponse(
            self.provider,
            self.api,
            tuple(parts[at] for at in kept),
            tuple(self.retrieved),
            # What came with a part is told of by the part's place in the response.
            tuple(
                one if one.part is None else replace(one, part=places.get(one.part)) for one in self.unmapped
            ),
            self.suggestions,
            self.details,
        )


# --- Reading fields of which nothing is certain ---


def mapping(value: object) -> Json:
    """Return a mapping as it is, and an empty one for anything else."""
    if type(value) is dict or isinstance(
        value, Mapping
    ):  # the first is what nearly all are, and quick to see
        return cast("Json", value)
    return {}


_LISTS: Final = (list, tuple)  # a union would be made anew at each call


def listed(value: object) -> list[Any]:
    """Return a list or tuple as a list, and an empty one for anything else."""
    return list(cast("Sequence[Any]", value)) if isinstance(value, _LISTS) else []


def string(value: object) -> str | None:
    """Return a string that is not empty, else None."""
    return value if isinstance(value, str) and value else None


def whole(value: object) -> int | None:
    """Return a whole number of zero or more, also one that came as `3.0` or "3"; else None."""
    if type(value) is int:  # what nearly all are
        return value if value >= 0 else None
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and value.isdecimal() and len(value) < 19:  # noqa: PLR2004 - digits of a 64-bit number
        value = int(value)
    return value if isinstance(value, int) and value >= 0 else None


def told_apart(value: object) -> str:
    """Return what is the same for two values of JSON that are the same, so that one can be looked up among many."""
    try:
        return json.dumps(value, sort_keys=True)
    except (TypeError, ValueError, RecursionError):  # no JSON, or too deep: none is like it
        return str(id(value))


def number(value: object) -> float | None:
    """Return a number, else None, also for one that is too large for a float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None
