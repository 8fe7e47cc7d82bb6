"""PDF to `Document`, and to images: PDFium reads and draws, qpdf repairs."""

from __future__ import annotations

from pincite.reading.pdf.annotate import annotate, annotated
from pincite.reading.pdf.pages import PdfReader, page_layout
from pincite.reading.pdf.render import render_page
from pincite.reading.pdf.repair import PdfFile, open_pdf

__all__ = ["PdfFile", "PdfReader", "annotate", "annotated", "open_pdf", "page_layout", "render_page"]
