"""Which words of a page to light for a citation, and the PNG that shows them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pincite.cli.answers import claims_of
from pincite.core.errors import InputError, MalformedIdError, NotFoundError, RenderError
from pincite.core.files import refusal_of
from pincite.core.highlight import DEFAULT_PRECISION, HighlightPrecision
from pincite.core.ids import ChunkEvidenceId, parse_evidence_id
from pincite.showing.highlight import DocumentPages, chosen_words, highlight_of, quoted_words
from pincite.showing.preview import PDF, Highlight

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pincite.cli.workspace import Workspace
    from pincite.core.answer import Answer
    from pincite.core.citation import Citation
    from pincite.core.passage import Passage
    from pincite.showing import ImageOptions
    from pincite.showing.image_options import ImageFormat


@dataclass(frozen=True, slots=True)
class Lit:
    """A passage and what of it is lit."""

    passage: Passage
    highlight: Highlight
    has_image: bool = False


class Lighting:
    """Lights passages of one library with one precision, for one question; each document is looked up once."""

    def __init__(
        self,
        work: Workspace,
        precision: HighlightPrecision = DEFAULT_PRECISION,
        question: str = "",
        *,
        boxes: bool = True,
    ) -> None:
        """Without `boxes` nothing is looked up on pages: a highlight has its code points alone."""
        self._work = work
        self._precision = precision
        self._question = question
        self._boxes = boxes
        self._pages: dict[tuple[str, str], DocumentPages] = {}

    def light(self, passage: Passage, *, quotes: Sequence[str] = (), own: Sequence[str] = ()) -> Lit:
        """Return what is lit of a passage; all of it where there is no question and nothing was quoted.

        `quotes` are what a model picked as its support. `own` are words of the answer itself that may stand in the
        passage: where they do, they are the best match, since nothing could fit better.
        """
        precise = self._precision is not HighlightPrecision.WHOLE_PASSAGE
        quote = None
        if self._precision is HighlightPrecision.MODELS_QUOTE:
            quote = quoted_words(passage.text, quotes)
        words = quote or (quoted_words(passage.text, own) if precise else None)
        if words is None and precise and self._question:
            span = self._work.search.best_span
            words = chosen_words(passage.text, question=self._question, best_span=span)
        if not self._boxes:
            return Lit(passage, Highlight(*(words or (0, len(passage.text)))))
        document = self._work.library.document(passage.document_id)
        drawn = bool(passage.boxes) and document.media_type == PDF
        pages = self.pages_of(passage.document_id, passage.version) if words is not None else None
        return Lit(passage, highlight_of(passage, words, pages=pages), drawn)

    def cited(self, answer: Answer, quotes: Sequence[str | None] = ()) -> list[Lit | None]:
        """Return, for each citation, what is lit for it; None where its passage is gone or was never here.

        `quotes` are what a model picked, one for each citation, where it was asked.
        """
        picked = [*quotes, *[None] * (len(answer.citations) - len(quotes))]
        known: dict[tuple[str | None, str, str | None], Lit | None] = {}
        found: list[Lit | None] = []
        for citation, claim, quote in zip(answer.citations, claims_of(answer), picked, strict=True):
            bound = citation.sources[0].passage
            key = (None if bound is None else bound.evidence_id, claim, quote)
            if key not in known:
                known[key] = self._cited(citation, claim, quote)
            found.append(known[key])
        return found

    def _cited(self, citation: Citation, claim: str, quote: str | None) -> Lit | None:
        passage = passage_of(self._work, citation)
        if passage is None:
            return None
        source = citation.sources[0]
        extract = source.excerpts[:1] if source.span is not None else ()
        return self.light(passage, quotes=(quote,) if quote else (), own=(*extract, claim))

    def pages_of(self, document_id: str, version: str) -> DocumentPages:
        """Return the pages of a version of a document."""
        key = (document_id, version)
        if key not in self._pages:
            library = self._work.library
            layouts = library.page_layouts(*key, self._work.pool)
            self._pages[key] = DocumentPages(library.outlined(*key), library.source_file(*key), layouts)
        return self._pages[key]


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


def first_image(answer: Answer, lit: Sequence[Lit | None]) -> tuple[str, Lit] | None:
    """Return the ref of the first citation that stands on a page, and all that is lit of its passage; None for none."""
    for citation, first in zip(answer.citations, lit, strict=True):
        cited = citation.sources[0].passage
        if cited is None or cited.ref is None or first is None or not first.has_image:
            continue
        boxes = {
            box: None
            for one in lit
            if one is not None and one.passage.evidence_id == first.passage.evidence_id
            for box in one.highlight.boxes
        }
        return cited.ref, replace(first, highlight=replace(first.highlight, boxes=tuple(boxes)))
    return None


_ENDINGS: Final[dict[str, ImageFormat]] = {
    "": "png",
    ".png": "png",
    ".webp": "webp",
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
}


def format_of(path: Path | None, field: str = "png") -> ImageFormat:
    """Return the format that a file's ending asks for; PNG where there is no file, or no ending.

    Raises:
        InputError: there is no such format; `field` names the option.
    """
    ending = "" if path is None else path.suffix.lower()
    if ending not in _ENDINGS:
        msg = f"A page image is a .png, .webp, .jpg or .jpeg, not {ending[:20]!r}."
        raise InputError(msg, field=field)
    return _ENDINGS[ending]


def write_image(work: Workspace, lit: Lit, path: Path, options: ImageOptions | None = None) -> Path:
    """Draw the page with its lit words outlined, write it to `path` and return that.

    Raises:
        InputError: an option cannot be done, or the passage does not stand on that page.
        RenderError: the page has no image, or the file cannot be written.
    """
    from pincite.showing import citation_image

    document, version = lit.passage.document_id, lit.passage.version
    image = citation_image(
        lit.passage,
        options,
        renderer=work.pool,
        source=work.library.source_file(document, version),
        frames=work.library.frames(document, version),
        highlight=lit.highlight,
        limits=work.limits,
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(image.data)
    except OSError as error:
        msg = f"The image cannot be written: {refusal_of(error)}."
        raise RenderError(msg, field="image") from error
    return path
