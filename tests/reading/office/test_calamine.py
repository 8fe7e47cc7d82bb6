"""The spreadsheets that calamine reads: where their cells stand, and what it does not tell."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import python_calamine

from pincite.core.errors import DamagedError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.reading._containers import ODS

if TYPE_CHECKING:
    from reading.office.conftest import Read, Zipped

_SPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text", "style")
)


def cell(value: str, kind: str = "string") -> str:
    """Return a cell of OpenDocument."""
    given = f'office:value="{value}"' if kind in {"float", "percentage"} else f'office:{kind}-value="{value}"'
    return (
        f'<table:table-cell office:value-type="{kind}" {given}><text:p>{value}</text:p></table:table-cell>'
        if value
        else "<table:table-cell/>"
    )


def ods(zipped: Zipped, *rows: str) -> bytes:
    """Return a sheet called `Prices`, whose rows (runs of cells) stand in row 2, column B and after."""
    body = "".join(f"<table:table-row>{cell('')}{row}</table:table-row>" for row in ("", *rows))
    text = (
        f"<office:document-content {_SPACES}><office:body>"
        f'<office:spreadsheet><table:table table:name="Prices">{body}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    return zipped({"mimetype": ODS, "META-INF/manifest.xml": manifest, "content.xml": text})


def test_cells_stand_where_they_stand(zipped: Zipped, read: Read) -> None:
    """Empty rows and columns before the first cell count."""
    head = cell("Item") + cell("Price") + cell("Since")
    first = cell("Widget") + cell("4.5", "float") + cell("2024-03-05", "date")
    second = cell("Gadget") + cell("0.25", "percentage") + cell("2024-04-01", "date")
    document = read(ods(zipped, head, first, second), "a.ods")
    assert document.text == (
        "Prices\n\nItem | Price | Since\nItem: Widget | Price: 4.5 | Since: 2024-03-05\n"
        "Item: Gadget | Price: 0.25 | Since: 2024-04-01"
    )
    start = document.text.index("Item: Gadget")
    assert document.locator(start, start + 3).describe() == "sheet Prices, B4:D4"
    assert document.media_type == ODS


def test_too_many_cells(zipped: Zipped, read: Read) -> None:
    """What a sheet spans is counted, since calamine keeps all of it."""
    with pytest.raises(TooLargeError, match="cells"):
        read(ods(zipped, cell("a")), "a.ods", limits=replace(DEFAULT, sheet_cells=3))


@pytest.mark.parametrize("content", [b"<broken", b""])
def test_damage(zipped: Zipped, read: Read, content: bytes) -> None:
    """A part that is no XML."""
    with pytest.raises(DamagedError, match=r"a\.ods"):
        read(zipped({"mimetype": ODS, "content.xml": content}), "a.ods")


def test_a_panic_is_damage(zipped: Zipped, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library in Rust that meets what it did not expect raises something that is no `Exception`."""

    class PanicException(BaseException):
        """As PyO3 raises it."""

    class Workbook:
        """Panics."""

        @staticmethod
        def from_filelike(_file: object) -> None:
            """Panic."""
            raise PanicException

    monkeypatch.setattr(python_calamine, "CalamineWorkbook", Workbook)
    with pytest.raises(DamagedError, match="no whole spreadsheet"):
        read(ods(zipped, cell("a")), "a.ods")
