"""Presentations: slides with their numbers, and what their viewers see of them."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from pincite.core.errors import DamagedError, EmptyError, TooLargeError
from pincite.core.ids import document_id
from pincite.core.limits import DEFAULT
from pincite.reading._shapes import Frame, Shape, in_order
from pincite.reading.chunking import chunk

if TYPE_CHECKING:
    from pincite.core.document import Document
    from reading.office.conftest import MakePart, Read


def shape(
    text: str,
    place: tuple[int, int, int, int] | None = None,
    kind: str = "",
    hidden: str = "",
    level: int = 0,
) -> str:
    """Return a shape; `place` is left, top, width and height, `kind` the place of the layout that it fills."""
    frame = (
        f'<a:xfrm><a:off x="{place[0]}" y="{place[1]}"/><a:ext cx="{place[2]}" cy="{place[3]}"/></a:xfrm>'
        if place is not None
        else ""
    )
    fills = f'<p:nvPr><p:ph type="{kind}"/></p:nvPr>' if kind else "<p:nvPr/>"
    lines = "".join(
        f'<a:p><a:pPr lvl="{level}"/><a:r><a:t>{line}</a:t></a:r></a:p>' for line in text.split("\n")
    )
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="1" name="x" {hidden}/>{fills}</p:nvSpPr>'
        f"<p:spPr>{frame}</p:spPr><p:txBody>{lines}</p:txBody></p:sp>"
    )


def slides(document: Document) -> list[tuple[int | None, str]]:
    """Return slide and words of each region."""
    return [(one.locator.slide, document.text[one.start : one.end]) for one in document.regions]


def test_slides_have_numbers_and_titles(make_pptx: MakePart, read: Read) -> None:
    """The title stands first and is the heading, wherever it is on the slide."""
    document = read(
        make_pptx(
            shape("A point", (0, 0, 10, 10)) + shape("Roadmap", (0, 500, 10, 10), "title"),
            shape("Untitled words", (0, 0, 10, 10)) + shape("and more", (0, 100, 10, 10)),
        )
    )
    assert slides(document) == [(1, "Roadmap\n\nA point"), (2, "Untitled words\n\nand more")]
    assert [(one.level, one.title) for one in document.outline] == [(1, "Roadmap"), (1, "Untitled words")]
    found = chunk(document, document_id("0" * 8 + "-0000-4000-8000-" + "0" * 12, "a"))
    assert [one.locator.describe() for one in found] == ["slide 1, Roadmap", "slide 2, Untitled words"]


def test_shapes_are_read_from_the_top_and_from_the_left(make_pptx: MakePart, read: Read) -> None:
    """The order in the file is the one in which they were drawn."""
    document = read(
        make_pptx(
            shape("4", (500, 500, 100, 100))
            + shape("1", (0, 0, 100, 100))
            + shape("3", (0, 500, 100, 100))
            + shape("2", (500, 0, 100, 100))
        )
    )
    assert document.text.split() == ["1", "2", "3", "4"]


def order(*frames: tuple[str, int, int, int, int]) -> list[str]:
    """Return the names of frames (left, top, right, bottom) as they are read."""
    return [one.lines[0] for one in in_order([Shape([name], Frame(*frame)) for name, *frame in frames])]


def test_order_follows_the_widest_room() -> None:
    """Two columns of a head and words under it are read one after the other; rows of labels and texts row by row."""
    columns = (
        ("h1", 0, 0, 400, 90),
        ("h2", 600, 0, 999, 90),
        ("t1", 0, 100, 400, 500),
        ("t2", 600, 100, 999, 500),
    )
    assert order(*columns) == ["h1", "t1", "h2", "t2"]
    rows = (
        ("l1", 0, 0, 200, 90),
        ("t1", 220, 0, 900, 90),
        ("l2", 0, 200, 200, 290),
        ("t2", 220, 200, 900, 290),
    )
    assert order(*rows) == ["l1", "t1", "l2", "t2"]
    assert order(("b", 5, 5, 20, 20), ("a", 0, 0, 10, 10)) == ["a", "b"]


def test_a_group_moves_and_scales_its_shapes(make_pptx: MakePart, read: Read) -> None:
    """The measures in a group are its own: what lies beside the slide there may lie on it."""
    group = (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="2" name="g"/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="0" y="0"/>'
        '<a:ext cx="100" cy="100"/><a:chOff x="5000" y="5000"/><a:chExt cx="1000" cy="1000"/></a:xfrm></p:grpSpPr>'
        f"{shape('in the group', (5000, 5000, 100, 100))}</p:grpSp>"
    )
    document = read(make_pptx(shape("below", (0, 300, 10, 10)) + group))
    assert document.text == "in the group\n\nbelow"
    assert document.flags == ()


def test_what_a_viewer_does_not_see(make_pptx: MakePart, read: Read) -> None:
    """Hidden slides, hidden shapes and text beside the slide are left out and flagged; slides keep their numbers."""
    hidden = f'<p:sld show="0"><p:cSld><p:spTree>{shape("secret")}</p:spTree></p:cSld></p:sld>'
    beside = shape("also secret", (1000, 0, 100, 100)) + shape("left", (-200, 0, 100, 100))
    document = read(
        make_pptx(
            shape("First", (0, 0, 10, 10)),
            hidden,
            shape("Third", (0, 0, 10, 10)) + beside + shape("gone", (0, 0, 10, 10), hidden='hidden="1"'),
        )
    )
    assert slides(document) == [(1, "First"), (3, "Third")]
    assert [flag.reason for flag in document.flags] == [
        "hidden slides were left out: 2",
        "text that no one sees on the slide was left out: 3",
    ]


def test_furniture_is_left_out(make_pptx: MakePart, read: Read) -> None:
    """Dates, footers and slide numbers are on every slide."""
    document = read(
        make_pptx(
            shape("Words", (0, 0, 9, 9)) + shape("7", (0, 700, 9, 9), "sldNum") + shape("f", None, "ftr")
        )
    )
    assert document.text == "Words"


def test_tables(make_pptx: MakePart, read: Read) -> None:
    """A row is a line; a merged cell has its words once."""

    def cell(text: str, more: str = "") -> str:
        return f"<a:tc {more}><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>"

    cells = (
        (cell("a", 'gridSpan="2"'), cell("", 'hMerge="1"'), cell("b")),
        (cell("c"), cell("d"), cell("", 'vMerge="1"')),
    )
    rows = "".join(f"<a:tr>{''.join(row)}</a:tr>" for row in cells)
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="3" name="t"/></p:nvGraphicFramePr>'
        '<p:xfrm><a:off x="0" y="9"/>'
        f'<a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic>'
        "</p:graphicFrame>"
    )
    document = read(make_pptx(shape("Table", (0, 0, 9, 9)) + frame))
    assert document.text == "Table\n\na | b\nc | d"


def test_nothing_to_read_and_too_much(make_pptx: MakePart, read: Read) -> None:
    """Empty slides are an empty document; slides have the limit of pages."""
    with pytest.raises(EmptyError):
        read(make_pptx("", ""))
    with pytest.raises(TooLargeError, match="2 slides"):
        read(make_pptx(shape("a"), shape("b")), limits=replace(DEFAULT, pages=1))


def test_one_bad_slide_does_not_lose_the_others(make_pptx: MakePart, read: Read) -> None:
    """It is left out, with a flag, and the others keep their numbers."""
    data = make_pptx(shape("One"), shape("x"), shape("Three"), parts={"ppt/slides/slide2.xml": b"<broken"})
    document = read(data)
    assert slides(document) == [(1, "One"), (3, "Three")]
    assert [flag.reason for flag in document.flags] == ["slides that are damaged were left out: 2"]


def test_damage(make_pptx: MakePart, read: Read) -> None:
    """Another main part, a slide that is not there, a document type."""
    for parts, message in (
        ({"ppt/presentation.xml": "<x/>"}, "no presentation"),
        ({"ppt/slides/slide1.xml": b"<!DOCTYPE x><x/>"}, "document type"),
    ):
        with pytest.raises(DamagedError, match=message):
            read(make_pptx(shape("a"), parts=parts))


def test_what_a_library_writes(read: Read) -> None:
    """Places of layouts, notes, charts and properties of python-pptx, which writes like PowerPoint."""
    made: Any = Presentation()
    made.core_properties.title = "Plan 2025"
    first = made.slides.add_slide(made.slide_layouts[3])
    first.placeholders[2].text = "right"
    first.placeholders[1].text = "left\ndeeper"
    first.placeholders[1].text_frame.paragraphs[1].level = 1
    first.shapes.title.text = "Compare"
    first.notes_slide.notes_text_frame.text = "Say hello."
    second = made.slides.add_slide(made.slide_layouts[5])
    second.shapes.title.text = "Sales"
    data: Any = CategoryChartData()
    data.categories = ["East", "West"]
    data.add_series("Euro", (1, 2))
    kind = XL_CHART_TYPE.COLUMN_CLUSTERED
    chart = second.shapes.add_chart(kind, Inches(1), Inches(2), Inches(5), Inches(3), data).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "By region"
    into = BytesIO()
    made.save(into)
    document = read(into.getvalue())
    assert slides(document) == [
        (1, "Compare\n\nleft\n  deeper\n\nright\n\nSpeaker notes: Say hello."),
        (2, "Sales\n\nBy region\nEuro\nEast, West"),
    ]
    assert document.title == "Plan 2025"
