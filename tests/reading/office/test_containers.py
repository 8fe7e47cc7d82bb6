"""What a container is comes from what stands in it; what cannot be read is told with what to do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pincite.core.errors import (
    DamagedError,
    EncryptedError,
    MissingExtraError,
    ReadingError,
    UnsupportedError,
)
from pincite.core.limits import DEFAULT
from pincite.reading import ReadingPool, media_type_of
from pincite.reading._containers import DOCX, EPUB, ODS, PPTX, XLS, XLSB, XLSX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reading.office.conftest import MakePart, Zipped

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def ole(*streams: str) -> bytes:
    """Return the beginning of an OLE container: its header, and a directory of `streams` in sector 1."""
    head = bytearray(512)
    head[: len(OLE)] = OLE
    head[30:32], head[48:52] = (9).to_bytes(2, "little"), (1).to_bytes(4, "little")
    entries = b"".join(name.encode("utf-16-le").ljust(128, b"\0") for name in ("Root Entry", *streams))
    return bytes(head) + b"\0" * 512 + entries


@pytest.mark.parametrize(
    ("names", "media_type"),
    [
        (("[Content_Types].xml", "word/document.xml"), DOCX),
        (("[content_types].xml", "Word\\Document.xml"), DOCX),
        (("[Content_Types].xml", "ppt/presentation.xml"), PPTX),
        (("[Content_Types].xml", "xl/workbook.xml"), XLSX),
        (("[Content_Types].xml", "xl/workbook.bin"), XLSB),
        (("[Content_Types].xml", "word/document.xml", "word/embeddings/a.xlsx"), DOCX),
    ],
)
@pytest.mark.parametrize("name", ["a.docx", "a.xlsx", "a.txt", "a"])
def test_zips(zipped: Zipped, names: tuple[str, ...], media_type: str, name: str) -> None:
    """The folder of the main part says it, never the file's name."""
    assert media_type_of(name, zipped(dict.fromkeys(names, b""))) == media_type


@pytest.mark.parametrize("kind", [ODS, EPUB])
def test_zips_that_name_themselves(zipped: Zipped, kind: str) -> None:
    """OpenDocument and EPUB have a file for that."""
    assert media_type_of("a.zip", zipped({"mimetype": kind})) == kind


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (ole("1Table", "WordDocument"), "a.bin is a document of Word before 2007: save it as DOCX."),
        (
            ole("Current User", "PowerPoint Document"),
            "a.bin is a presentation of PowerPoint before 2007: save it as PPTX.",
        ),
        (ole("__properties_version1.0"), "a.bin is a message of Outlook: save it as EML."),
        (ole("WordDocument", "Workbook"), "a.bin is a document of Word before 2007: save it as DOCX."),
        (ole("Something"), "a.bin is an OLE container of a kind that is not read."),
    ],
)
def test_ole_containers_that_are_not_read(data: bytes, message: str) -> None:
    """One sentence says what it is and what to do; the kind is that of the outermost document."""
    with pytest.raises(UnsupportedError) as caught:
        media_type_of("a.bin", data)
    assert caught.value.message == message


def test_zips_that_are_not_read(zipped: Zipped) -> None:
    """OpenDocument texts and plain archives."""
    for parts, words in (
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, "save it as DOCX"),
        ({"a.txt": b"x", "b.txt": b"y"}, "add them one by one"),
    ):
        with pytest.raises(UnsupportedError, match=words):
            media_type_of("a.zip", zipped(parts))


def test_an_old_workbook_is_one() -> None:
    """`.xls` is read."""
    assert media_type_of("a", ole("Workbook")) == XLS
    assert media_type_of("a", ole("Book")) == XLS


def test_an_office_file_with_a_password() -> None:
    """Office puts the encrypted zip into an OLE container."""
    with pytest.raises(EncryptedError, match=r"a\.docx needs a password"):
        media_type_of("a.docx", ole("EncryptionInfo", "EncryptedPackage"))


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x05\x06", OLE[:7], b"no container", b"binary\0"])
def test_what_is_only_named_like_a_container_is_damaged(pool: ReadingPool, data: bytes) -> None:
    """Nothing of it is read as text."""
    with pytest.raises(DamagedError, match=r"a\.docx"):
        pool.read(data, name="a.docx")


@pytest.fixture(scope="module")
def small() -> Iterator[ReadingPool]:
    """A pool with small limits, so that little is enough to break them."""
    with ReadingPool(replace(DEFAULT, zip_file_bytes=1_000_000, sheet_cells=1_000)) as pool:
        yield pool


@pytest.mark.parametrize(
    ("case", "code"),
    [
        ("bomb", "too_large"),
        ("deep", "too_large"),
        ("cells", "too_large"),
        ("entities", "damaged"),
        ("cut", "damaged"),
        ("far", None),
    ],
)
def test_hostile_files_in_the_guarded_worker(
    small: ReadingPool, make_docx: MakePart, make_xlsx: MakePart, case: str, code: str | None
) -> None:
    """Each ends in a typed error, and the pool reads on."""
    entities = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>'
    files = {
        "bomb": make_docx("<w:p/>" * 200_000),
        "deep": make_docx("<w:ins>" * 10_000),
        "cells": make_xlsx("<row>" + "<c/>" * 2_000 + "</row>"),
        "entities": make_docx(parts={"word/document.xml": entities}),
        "cut": make_docx("<w:p/>")[:-40],
        "far": make_xlsx('<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'),
    }
    if code is None:
        assert small.read(files[case], name="a").text == "One\n\n7"
    else:
        with pytest.raises(ReadingError) as caught:
            small.read(files[case], name="a")
        assert caught.value.code == code
    assert small.read(b"still here", name="a.txt").text == "still here"


def test_an_old_workbook_is_read_whole(pool: ReadingPool) -> None:
    """A container without a workbook in it is damaged, and says so without stopping the worker."""
    with pytest.raises((DamagedError, MissingExtraError)):
        pool.read(ole("Workbook"), name="a.xls")
