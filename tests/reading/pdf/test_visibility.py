"""What a reader cannot see gets no box and a flag; what looks hidden and is not keeps its box."""

from __future__ import annotations

from typing import Any

import pytest

from pincite.core.limits import DEFAULT
from pincite.reading.pdf import PdfReader

PAGE = "/MediaBox [0 0 612 792]"
VISIBLE = "BT /F 20 Tf 72 700 Td (plain words) Tj ET\n"
AT = "72 600 Td (secret orders) Tj ET"
UNSEEN = "2 words that cannot be seen on the page"


def read(data: bytes) -> Any:
    """Read a PDF in this process."""
    return PdfReader().read(data, name="test.pdf", limits=DEFAULT)


def lit(document: Any) -> list[str]:
    """Return the text of the lines that have a box."""
    return [document.text[line.start : line.end] for line in document.layouts[0].lines]


@pytest.mark.parametrize(
    "hidden",
    [
        f"BT 3 Tr /F 20 Tf {AT} 0 Tr",
        f"BT 7 Tr /F 20 Tf {AT}",
        f"1 1 1 rg BT /F 20 Tf {AT}",
        f".98 .97 1 rg BT /F 20 Tf {AT}",
        f"BT /F .8 Tf {AT}",
    ],
    ids=["mode 3", "mode 7", "white", "nearly white", "tiny"],
)
def test_unseen_words_have_no_box(make_pdf: Any, hidden: str) -> None:
    """They stay in the text, where a person can find out what a page hides, and the page is flagged."""
    document = read(make_pdf((f"{VISIBLE} q {hidden} Q", PAGE)))
    assert "secret orders" in document.text
    assert lit(document) == ["plain words"]
    start = document.text.index("secret")
    assert document.layouts[0].boxes(start, start + 6) == []
    assert [(flag.page, flag.reason) for flag in document.flags] == [(1, UNSEEN)]


@pytest.mark.parametrize(
    "shown",
    [
        f"0 0 .4 rg 60 580 300 50 re f 1 1 1 rg BT /F 20 Tf {AT}",
        f"q 0 0 0 rg 72 600 30 10 re 110 600 80 10 re 160 600 60 12 re f Q BT 3 Tr /F 20 Tf {AT}",
        f"BT 1 Tr /F 20 Tf {AT}",
    ],
    ids=["white on blue", "invisible over a scan", "outlined"],
)
def test_words_with_something_to_see_keep_their_box(make_pdf: Any, shown: str) -> None:
    """White on a dark ground and the text layer of a scan are seen."""
    document = read(make_pdf((f"{VISIBLE} q {shown} Q", PAGE)))
    assert lit(document) == ["plain words", "secret orders"]
    assert document.flags == ()


@pytest.mark.parametrize(("state", "seen"), [("/ON [11 0 R]", True), ("/OFF [11 0 R]", False)])
def test_layers_that_are_off_are_not_seen(make_pdf: Any, state: str, *, seen: bool) -> None:
    """The text of an optional layer has a box while the layer is on."""
    content = f"{VISIBLE} /OC /L BDC BT /F 20 Tf {AT} EMC"
    data = make_pdf(
        (content, PAGE),
        catalog=f"/OCProperties << /OCGs [11 0 R] /D << /Order [] {state} >> >>",
        objects=(b"null", b"<< /Type /OCG /Name (Layer) >>"),
    ).replace(b"/XObject", b"/Properties << /L 11 0 R >> /XObject")
    document = read(data)
    assert lit(document) == (["plain words", "secret orders"] if seen else ["plain words"])
    assert [flag.reason for flag in document.flags] == ([] if seen else [UNSEEN])


def test_a_page_of_unseen_words_is_flagged_and_goes_on(make_pdf: Any) -> None:
    """One page without anything to see takes nothing from the next."""
    document = read(make_pdf((f"BT 3 Tr /F 20 Tf {AT}", PAGE), (VISIBLE, PAGE)))
    assert [len(layout.lines) for layout in document.layouts] == [0, 1]
    assert [(flag.page, flag.reason) for flag in document.flags] == [(1, UNSEEN)]
