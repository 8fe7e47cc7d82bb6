"""Citations out to the reader: numbered references, snippets, previews, page images."""

from __future__ import annotations

from pincite.showing._held import cited_texts
from pincite.showing.citation_image import CitationImage, Viewer, citation_image
from pincite.showing.exports import (
    ExportFormat,
    export,
    plain_text,
    to_annotations,
    to_bibtex,
    to_csl_json,
    to_html,
    to_markdown,
    to_text,
)
from pincite.showing.highlight import DocumentPages, chosen_words, highlight_of, quoted_words
from pincite.showing.image_cache import ImageCache
from pincite.showing.image_options import ImageFormat, ImageMode, ImageOptions, image_options
from pincite.showing.numbered import NumberedCitation, NumberedPiece, NumberedStream, NumberedText, numbered
from pincite.showing.page_image import page_png
from pincite.showing.preview import Highlight, Preview, preview_of
from pincite.showing.references import (
    RenderedAnswer,
    RenderedPassage,
    RenderedSource,
    RenderedSources,
    SourceOutcome,
    render_answer,
    render_citations,
    sources_list,
)
from pincite.showing.snippet import snippet

__all__ = [
    "CitationImage",
    "DocumentPages",
    "ExportFormat",
    "Highlight",
    "ImageCache",
    "ImageFormat",
    "ImageMode",
    "ImageOptions",
    "NumberedCitation",
    "NumberedPiece",
    "NumberedStream",
    "NumberedText",
    "Preview",
    "RenderedAnswer",
    "RenderedPassage",
    "RenderedSource",
    "RenderedSources",
    "SourceOutcome",
    "Viewer",
    "chosen_words",
    "citation_image",
    "cited_texts",
    "export",
    "highlight_of",
    "image_options",
    "numbered",
    "page_png",
    "plain_text",
    "preview_of",
    "quoted_words",
    "render_answer",
    "render_citations",
    "snippet",
    "sources_list",
    "to_annotations",
    "to_bibtex",
    "to_csl_json",
    "to_html",
    "to_markdown",
    "to_text",
]
