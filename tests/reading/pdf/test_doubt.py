"""Doubtful stretches of a page: in order, none over another, and found in time that grows with the page alone."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader
from pincite.reading.pdf.doubt import merged, misspelt, nameless_words

TEXT = "ab cd  ef gh ij kl mn op"

Spans = st.tuples(st.integers(0, len(TEXT)), st.integers(0, len(TEXT)), st.sampled_from(["one", "two"]))


@given(st.lists(Spans))
def test_doubts_are_in_order_and_cover_what_was_found(found: list[tuple[int, int, str]]) -> None:
    """Every character that was in doubt still is, and a stretch is never empty."""
    whole = [doubt for doubt in found if doubt[0] < doubt[1]]
    result = merged(whole, TEXT)
    assert all(start < end for start, end, _ in result)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(result))
    covered = {i for start, end, _ in result for i in range(start, end)}
    assert {i for start, end, _ in whole for i in range(start, end)} <= covered
    assert all(TEXT[i].isspace() for i in covered - {i for start, end, _ in whole for i in range(start, end)})


@given(st.text(max_size=200))
def test_any_text_can_be_looked_at(text: str) -> None:
    """No text raises; what is found lies in it."""
    spans = [(0, len(text))]
    for start, end, _ in [*nameless_words(text), *misspelt(text, lambda: {1: spans})]:
        assert 0 <= start <= end <= len(text)


def test_hostile_right_to_left_lines_end(make_pdf: Any) -> None:
    """Thousands of digits, brackets, marks and letters on one line are read, in whatever order."""
    rows = "\n".join(
        f"<{ord(a):02x}> <{ord(b):04x}>" for a, b in (("a", "\u05d0"), ("b", "\u0627"), ("m", "\u064e"))
    )
    body = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <ff> endcodespacerange\n3 beginbfchar\n{rows}\nendbfchar endcmap end end"
    )
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 11 0 R >>"
    stream = f"<< /Length {len(body)} >>\nstream\n{body}\nendstream".encode()
    shown = ("a1([x m" * 900 + "))))" * 300 + "b2,3 " * 500).replace("(", "\\(").replace(")", "\\)")
    data = make_pdf(
        (f"BT /M .1 Tf 20 Tz 72 700 Td ({shown}) Tj ET", "/MediaBox [0 0 612 792]"),
        objects=(b"null", stream, font),
        fonts="/M 12 0 R",
    )
    document = PdfReader().read(data, name="hostile.pdf", limits=DEFAULT)
    assert document.text.count("x") == 900
