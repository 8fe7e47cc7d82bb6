"""Citations out to the reader: numbered references, snippets, previews, page images."""

from __future__ import annotations

from pincite.showing.exports import (
    ExportFormat,
    export,
    to_annotations,
    to_bibtex,
    to_csl_json,
    to_html,
    to_markdown,
    to_text,
)
from pincite.showing.page_image import ImageMode, page_png
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
    "ExportFormat",
    "Highlight",
    "ImageMode",
    "Preview",
    "RenderedAnswer",
    "RenderedPassage",
    "RenderedSource",
    "RenderedSources",
    "SourceOutcome",
    "export",
    "page_png",
    "preview_of",
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
