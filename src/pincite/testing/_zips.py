"""Zips written by hand, so that what their headers say may be a lie."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.testing._packed import checksum, packed

if TYPE_CHECKING:
    from collections.abc import Iterable

_TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LOCAL, _ENTRY, _END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_LINK = 0o120777 << 16


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in a zip: packed bytes (raw deflate), the size and CRC-32 that are told of it, flags, and its kind."""

    name: str
    raw: bytes
    size: int
    crc: int
    flags: int = 0
    mode: int = 0


def entry(
    name: str, content: str | bytes, *, said: int | None = None, flags: int = 0, mode: int = 0
) -> Entry:
    """Return a file of some content; `said` is the size that is told instead of its own."""
    data = content.encode() if isinstance(content, str) else content
    maker = zlib.compressobj(9, zlib.DEFLATED, -15)
    raw = maker.compress(data) + maker.flush()
    return Entry(name, raw, len(data) if said is None else said, zlib.crc32(data), flags, mode)


def large(name: str, head: str, piece: str, times: int, tail: str, *, said: int | None = None) -> Entry:
    """Return a file that inflates to `head`, `piece` so many times, and `tail`."""
    first, middle, last = head.encode(), piece.encode(), tail.encode()
    raw, size = packed(middle, times, head=first, tail=last)
    return Entry(name, raw, size if said is None else said, checksum(middle, times, head=first, tail=last))


def link(name: str, to: str) -> Entry:
    """Return a symbolic link."""
    return entry(name, to, mode=_LINK)


def zipped(entries: Iterable[Entry]) -> bytes:
    """Return a zip of entries, in their order."""
    body, directory, count = bytearray(), bytearray(), 0
    for one in entries:
        name = one.name.encode()
        # Version, flags (bit 11: the name is UTF-8), method 8, time, date, CRC-32, packed, unpacked, lengths.
        told = struct.pack(
            "<HHHHHIIIHH", 20, 0x800 | one.flags, 8, 0, 0x21, one.crc, len(one.raw), one.size, len(name), 0
        )
        directory += (
            _ENTRY
            + struct.pack("<H", 0x0314)
            + told
            + struct.pack("<HHHII", 0, 0, 0, one.mode, len(body))
            + name
        )
        body += _LOCAL + told + name + one.raw
        count += 1
    shown = min(count, 0xFFFF)
    end = _END + struct.pack("<HHHHIIH", 0, 0, shown, shown, len(directory), len(body), 0)
    return bytes(body + directory + end)


def word_file(*parts: Entry, more: Iterable[Entry] = ()) -> bytes:
    """Return a Word file of the parts that it is given; its main one is `word/document.xml`."""
    return zipped([*_package("word/document.xml"), *parts, *more])


def word_text(body: str, head: str = "") -> str:
    """Return the main part of a Word file."""
    return f'{head}<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'


WORD_HEAD, WORD_TAIL = word_text("\0").split("\0")
PARAGRAPH = "<w:p><w:r><w:t>Backups are kept for 30 days.</w:t></w:r></w:p>"


def sheet_file(rows: Entry, *more: Entry) -> bytes:
    """Return a workbook of one sheet, `xl/worksheets/sheet1.xml`."""
    one = '<sheets><sheet name="One" sheetId="1" r:id="s"/></sheets>'
    book = f'<workbook xmlns="{_SHEET}" xmlns:r="{_OFFICE}">{one}</workbook>'
    related = _related(
        ("s", "worksheet", "worksheets/sheet1.xml"), ("t", "sharedStrings", "sharedStrings.xml")
    )
    return zipped(
        [
            *_package("xl/workbook.xml"),
            entry("xl/workbook.xml", book),
            entry("xl/_rels/workbook.xml.rels", related),
            rows,
            *more,
        ]
    )


def sheet_rows(rows: str) -> str:
    """Return the part of a sheet."""
    return f'<worksheet xmlns="{_SHEET}"><sheetData>{rows}</sheetData></worksheet>'


def _package(main: str) -> list[Entry]:
    return [
        entry("[Content_Types].xml", _TYPES),
        entry("_rels/.rels", _related(("m", "officeDocument", main))),
    ]


def _related(*rows: tuple[str, str, str]) -> str:
    listed = "".join(
        f'<Relationship Id="{one}" Type="{_OFFICE}/{kind}" Target="{to}"/>' for one, kind, to in rows
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{listed}</Relationships>'
