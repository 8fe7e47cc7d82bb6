"""Which words of a page to light for a citation, and the PNG that shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.cli.answers import claims_of
from pincite.core.errors import MalformedIdError, NotFoundError, ReadingError, RenderError
from pincite.core.ids import ChunkEvidenceId, parse_evidence_id
from pincite.core.text import word_spans

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pincite.cli.workspace import Workspace
    from pincite.core.answer import Answer
    from pincite.core.citation import Citation
    from pincite.core.geometry import Box
    from pincite.core.passage import Passage
    from pincite.showing import ImageMode

PDF = "application/pdf"
"""The one media type whose pages are drawn."""


@dataclass(frozen=True, slots=True)
class Lit:
    """Boxes on one page of one version of a document."""

    document_id: str
    version: str
    page: int
    boxes: tuple[Box, ...]


def passage_of(work: Workspace, citation: Citation) -> Passage | None:
    """Return the passage that a citation names, in the version that it was shown in, or None when it is gone."""
    passage = citation.sources[0].passage
    if passage is None or passage.evidence_id is None:
        return None
    try:
        named = parse_evidence_id(passage.evidence_id)
        if not isinstance(named, ChunkEvidenceId):
            return None
        return work.library.passage(named.chunk_id, named.version)
    except (MalformedIdError, NotFoundError):
        return None


def light(work: Workspace, passage: Passage, words: str = "") -> Lit | None:
    """Return where `words`, written in the passage, stand on their page; the whole passage when they do not.

    None when the passage has no place on a page that can be drawn.
    """
    if not passage.boxes or work.library.document(passage.document_id).media_type != PDF:
        return None
    pages = sorted({box.page for box in passage.boxes})
    place = find_words(passage.text, words)
    if place is not None:
        for page in pages:
            boxes = _exact(work, passage, page, passage.text[slice(*place)])
            if boxes:
                return Lit(passage.document_id, passage.version, page, tuple(boxes))
    own = tuple(box for box in passage.boxes if box.page == pages[0])
    return Lit(passage.document_id, passage.version, pages[0], own)


def _exact(work: Workspace, passage: Passage, page: int, words: str) -> list[Box]:
    source = work.library.source_file(passage.document_id, passage.version)
    try:
        text, layout = work.pool.layout(source, page)
    except (ReadingError, RenderError):
        return []
    # The same words may stand twice on a page; those inside the passage are meant.
    whole = find_words(text, passage.text) or (0, len(text))
    place = find_words(text[slice(*whole)], words)
    if place is None:
        return []
    return layout.boxes(whole[0] + place[0], whole[0] + place[1])


def find_words(text: str, wanted: str) -> tuple[int, int] | None:
    """Return the code points of `text` where the words of `wanted` first stand one after the other, or None."""
    spans = word_spans(text)
    needle = [wanted[a:b].casefold() for a, b in word_spans(wanted)]
    if not needle:
        return None
    hay = [text[a:b].casefold() for a, b in spans]
    start = _index_of(hay, needle)
    if start is None:
        return None
    first, last = spans[start][0], spans[start + len(needle) - 1][1]
    # A closing mark that belongs to the last word is taken along.
    while last < len(text) and not text[last].isspace() and not text[last].isalnum():
        last += 1
    return first, last


def _index_of(hay: Sequence[str], needle: Sequence[str]) -> int | None:
    """Return where `needle` begins in `hay`; linear (the failure table of Knuth, Morris and Pratt)."""
    fallback = [0] * len(needle)
    matched = 0
    for place in range(1, len(needle)):
        while matched and needle[place] != needle[matched]:
            matched = fallback[matched - 1]
        matched += needle[place] == needle[matched]
        fallback[place] = matched
    matched = 0
    for place, word in enumerate(hay):
        while matched and word != needle[matched]:
            matched = fallback[matched - 1]
        matched += word == needle[matched]
        if matched == len(needle):
            return place - matched + 1
    return None


def write_png(work: Workspace, lit: Lit, path: Path, *, mode: ImageMode = "page") -> Path:
    """Draw the page with its lit words outlined, write it to `path` and return that.

    Raises:
        RenderError: the page has no image, or the file cannot be written.
    """
    from pincite.showing import page_png

    source = work.library.source_file(lit.document_id, lit.version)
    image = page_png(work.pool, source, lit.page, lit.boxes, mode=mode, limits=work.limits)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(image)
    except OSError as error:
        msg = f"The image cannot be written: {(error.strerror or 'the system refused').lower()}."
        raise RenderError(msg, field="image") from error
    return path


def first_image(work: Workspace, answer: Answer) -> tuple[str, Lit] | None:
    """Return the ref and the lit words of the first citation that stands on a page, or None."""
    claims = claims_of(answer)
    # A passage without a place has none for any sentence, so each is looked at once.
    seen: set[str | None] = set()
    for citation, claim in zip(answer.citations, claims, strict=True):
        cited = citation.sources[0].passage
        if cited is None or cited.evidence_id in seen:
            continue
        seen.add(cited.evidence_id)
        passage = passage_of(work, citation)
        found = light(work, passage, claim) if passage is not None else None
        if found is not None and cited.ref is not None:
            siblings = [
                one
                for sibling, one in zip(answer.citations, claims, strict=True)
                if _cites(sibling, cited.evidence_id)
            ]
            return cited.ref, _joined(work, passage, list(dict.fromkeys(siblings)), found)
    return None


def _cites(citation: Citation, evidence_id: str | None) -> bool:
    bound = citation.sources[0].passage
    return bound is not None and bound.evidence_id == evidence_id


def _joined(work: Workspace, passage: Passage | None, claims: list[str], first: Lit) -> Lit:
    """Add what other sentences of the answer take from the same passage and page."""
    boxes = list(first.boxes)
    for claim in claims[1:]:
        more = (
            light(work, passage, claim) if passage is not None and find_words(passage.text, claim) else None
        )
        if more is not None and more.page == first.page:
            boxes += [box for box in more.boxes if box not in boxes]
    return Lit(first.document_id, first.version, first.page, tuple(boxes))
