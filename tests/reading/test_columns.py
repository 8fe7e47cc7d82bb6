"""Passages that begin below a table's header say which columns it has; all others say nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdf_maker import PdfMaker
from pincite import CitationRun
from pincite.core.limits import DEFAULT
from pincite.core.locators import Locator
from pincite.reading import chunk
from pincite.reading._columns import Columns
from pincite.reading.reader import media_type_of, reader_for

DOCUMENT = "8d1f6a52-2c1b-4c1e-9a44-0f5d3a9f6b11"

HEAD = "Pump | Built | Metres"


def rows(count: int, head: str = HEAD) -> str:
    """Return a table as it stands in a text."""
    return "\n".join([head, *(f"Pump no. {n} | {1800 + n} | {n}.5" for n in range(count))])


def over(text: str, where: str) -> str | None:
    """Return the columns of the passage that begins with `where` and goes to the end of the text."""
    return Columns(text).over(text, text.index(where), len(text))


def table_pdf(pages: int, *, again: bool) -> bytes:
    """Return a ruled table that goes on over pages, with its header on the first or, `again`, on each."""
    maker = PdfMaker()
    for number in range(pages):
        page = maker.page((0, 0, 300, 400))
        lines = [(f"Pump no. {number}{n:02}", f"{1800 + n}", f"{n}.5") for n in range(20)]
        if again or not number:
            lines.insert(0, ("Pump", "Built", "Metres"))
        for row, cells in enumerate(lines):
            for place, cell in enumerate(cells):
                page.line(cell, 25 + 90 * place, 32 + 16 * row)
        for row in range(len(lines) + 1):
            page.rule(20, 20 + 16 * row, 290, 20 + 16 * row)
        for x in (20, 110, 200, 290):
            page.rule(x, 20, x, 20 + 16 * len(lines))
    return maker.save().data


def passages(data: bytes, name: str) -> list[Any]:
    """Read a file in this process and cut it."""
    document = reader_for(media_type_of(name, data)).read(data, name=name, limits=DEFAULT)
    return chunk(document, DOCUMENT)


@pytest.mark.parametrize("again", [False, True])
def test_later_parts_of_a_long_pdf_table_keep_their_header(again: Any) -> None:
    """The text of each stays a slice of the document; its place says the columns, over pages too."""
    found = passages(table_pdf(4, again=again), "table.pdf")
    assert len(found) > 2
    for passage in found:
        assert passage.locator.columns == (None if HEAD in passage.text else HEAD)
    assert any(passage.locator.columns for passage in found) or again


def test_a_model_sees_the_columns_of_the_rows_that_it_is_shown() -> None:
    """In the payload beside the text, in a row's metadata, and again where a row comes back from elsewhere."""
    later = passages(table_pdf(3, again=False), "table.pdf")[-1]
    assert later.metadata["columns"] == HEAD
    hit = {"id": later.chunk_id, "title": "Pumps", "content": later.text, "metadata": later.metadata}
    payload = CitationRun().present(hit)
    assert payload["columns"] == HEAD
    assert payload["content"] == later.text
    assert "columns" not in CitationRun().present({**hit, "metadata": {"page": 3}})
    assert Locator.from_dict(later.locator.as_dict()) == later.locator


def test_the_rows_of_a_sheet_say_their_columns_themselves() -> None:
    """So nothing is said twice."""
    sheet = "Pump,Built,Metres\n" + "".join(f"Pump no. {n},{1800 + n},{n}.5\n" for n in range(200))
    found = passages(sheet.encode(), "pumps.csv")
    assert len(found) > 2
    assert all(passage.locator.columns is None for passage in found)


def test_tables_of_other_formats_keep_their_header_too() -> None:
    """Those of Markdown are written the same way."""
    table = "| Pump | Built | Metres |\n|---|---|---|\n" + "".join(
        f"| Pump no. {n} | {1800 + n} | {n}.5 |\n" for n in range(200)
    )
    found = passages(f"# Pumps\n\n{table}\n\nThe end.\n".encode(), "pumps.md")
    assert found[0].locator.columns is None
    assert {passage.locator.columns for passage in found[1:]} == {HEAD}


@pytest.mark.parametrize(
    ("head", "columns"),
    [
        (HEAD, HEAD),
        ("Name of the pump | 2019 | 2020", "Name of the pump | 2019 | 2020"),
        ("|  | Year | Depth", "|  | Year | Depth"),
        ("Pump |  | Depth\n| Built | Metres", "Pump |  | Depth\n| Built | Metres"),
        ("Pump | Built | Metres\nPump no. A | n/a | n/a", HEAD),
        ("Pump no. A | 1700 | 1.5", None),
        ("Pump A | drained | 1.5", None),
    ],
)
def test_what_is_a_header(head: str, columns: str | None) -> None:
    """Words over figures, years over figures, rows of words; a row that holds a figure itself is none."""
    assert over(f"Some words.\n\n{rows(9, head)}", "Pump no. 7") == columns


def test_what_stands_over_a_table_is_no_part_of_its_header() -> None:
    """Nor has text before or behind it columns, and a table of labels with their values has none."""
    text = f"Before it.\n\n{rows(9)}\n\nBehind it."
    assert over(text, "Before") is None
    assert over(text, "Behind") is None
    assert over(text, HEAD) is None
    assert over(text, "Pump no. 3") == HEAD
    assert over("Name | Ann\nAge | 30\nHeight | 170", "Age") is None
    assert over("Name: | Ann\nAge: | 30\nHeight: | 170\nWeight: | 60", "Age") is None


def test_a_very_long_row_is_no_header() -> None:
    """What is shown beside each passage has to be short."""
    assert over(rows(9, f"{'word ' * 300}| b | c"), "Pump no. 3") is None


@given(st.text(alphabet="ab1 |\n", max_size=120), st.integers(0, 120), st.integers(0, 120))
def test_columns_are_lines_of_the_text_before_the_passage(text: str, one: int, two: int) -> None:
    """Whatever the text is, they stand in it as they are said, above the passage, and not inside it."""
    start, end = sorted((one, two))
    found = Columns(text).over(text, start, end)
    if found is not None:
        assert found in text[:start]
        assert found not in text[start:end]
