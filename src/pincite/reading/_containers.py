"""What kind of document a zip or an OLE container is, from what stands in it and never from its name's ending."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from pincite.core.errors import EncryptedError, UnsupportedError
from pincite.core.limits import DEFAULT
from pincite.core.text import one_line
from pincite.reading._zips import open_zip

if TYPE_CHECKING:
    from pincite.reading._zips import Zip

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XLSB = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
XLS = "application/vnd.ms-excel"
ODS = "application/vnd.oasis.opendocument.spreadsheet"
EPUB = "application/epub+zip"

CONTAINERS = frozenset({DOCX, PPTX, XLSX, XLSB, XLS, ODS, EPUB})
"""The media types of files that begin as containers do; one that is only named like it is damaged."""

_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_TYPES = "[Content_Types].xml"
_MIMETYPE = "mimetype"
_LONGEST_MIMETYPE = 200
_FOLDERS = {"word/": DOCX, "ppt/": PPTX, "xl/": XLSX}
"""The folder of an office package's main part."""
_BINARY_WORKBOOK = "xl/workbook.bin"
_ADVICE = {
    "application/vnd.oasis.opendocument.text": "a text of OpenDocument: save it as DOCX",
    "application/vnd.oasis.opendocument.presentation": "a presentation of OpenDocument: save it as PPTX",
}
# The streams that name an OLE container's kind, as its directory writes them.
_STREAMS = {
    name.encode("utf-16-le"): kind
    for name, kind in {
        "EncryptedPackage": "",
        "Workbook": XLS,
        "Book": XLS,
        "WordDocument": "a document of Word before 2007: save it as DOCX",
        "PowerPoint Document": "a presentation of PowerPoint before 2007: save it as PPTX",
        "__properties_version1.0": "a message of Outlook: save it as EML",
    }.items()
}
_SECTOR_BITS, _DIRECTORY = slice(30, 32), slice(48, 52)
"""Where an OLE header says how large a sector is (as a power of two), and which is the first of the directory."""
_LARGEST_SECTOR = 16


_SAVE_AS = {
    "DOCX": ".doc .dot .wps .rtf .odt .ott .fodt .sxw .pages .wpd .wri .abw",
    "PPTX": ".ppt .pps .pot .odp .otp .fodp .sxi .key",
    "XLSX": ".xlt .ots .fods .sxc .numbers .wk1 .wks .dbf",
    "EML": ".msg .pst",
    "EPUB": ".mobi .azw .azw3 .prc .fb2 .lit",
    "PDF": ".ps .eps .djvu .djv .xps .oxps .dvi .pub .vsd .vsdx .one .chm .tex .heic .heif .avif .svg .jp2",
}
"""Endings of formats that are not read, by the format to save them as."""
_SAVED_AS = {ending: kind for kind, endings in _SAVE_AS.items() for ending in endings.split()}


def advice_for(name: str) -> str | None:
    """Return what to do with a file whose ending is that of an old or another program's format, if anything helps."""
    kind = _SAVED_AS.get(PurePath(name).suffix.lower())
    return None if kind is None else f"save it as {kind}"


def container_type(name: str, data: bytes) -> str | None:
    """Return the media type of a container of documents, or None for a file that is none.

    Raises:
        EncryptedError: it is an office file that needs a password.
        UnsupportedError: it is a container of something that no reader reads; the sentence says what to do.
        TooLargeError: it is a zip of more files than are allowed.
        DamagedError: it is a zip, but not a whole one.
    """
    if data.startswith(_ZIP):
        return _in_zip(open_zip(data, name=name, limits=DEFAULT), name)
    if data.startswith(_OLE):
        return _in_ole(data, name)
    return None


def _in_zip(files: Zip, name: str) -> str:
    names = files.names()
    if _MIMETYPE in names:
        kind = files.read(_MIMETYPE, _LONGEST_MIMETYPE).decode("ascii", "replace").strip()
        if kind in {EPUB, ODS}:
            return kind
        raise _unsupported(name, _ADVICE.get(kind) or _or_advice("a zip of a kind that is not read", name))
    lowered = [one.lower() for one in names]
    if _TYPES.lower() in lowered:
        for folder, kind in _FOLDERS.items():
            if any(one.startswith(folder) for one in lowered):
                return XLSB if _BINARY_WORKBOOK in lowered else kind
    if (advice := advice_for(name)) is not None:
        raise _unsupported(name, f"a file that is not read: {advice}")
    raise _unsupported(name, "a zip of other files: add them one by one")


def _in_ole(data: bytes, name: str) -> str:
    sector = 1 << min(int.from_bytes(data[_SECTOR_BITS], "little"), _LARGEST_SECTOR)
    directory = (1 + int.from_bytes(data[_DIRECTORY], "little")) * sector
    # A document may hold others, whose streams come later in the directory.
    for start in (directory, 0):
        places = {
            place: kind for stream, kind in _STREAMS.items() if (place := data.find(stream, start)) >= 0
        }
        if places:
            break
    else:
        raise _unsupported(name, _or_advice("an OLE container of a kind that is not read", name))
    kind = places[min(places)]
    if not kind:
        msg = f"{one_line(name, 120)} needs a password."
        raise EncryptedError(msg)
    if kind != XLS:
        raise _unsupported(name, kind)
    return kind


def _or_advice(what: str, name: str) -> str:
    advice = advice_for(name)
    return what if advice is None else f"{what}: {advice}"


def _unsupported(name: str, what: str) -> UnsupportedError:
    return UnsupportedError(f"{one_line(name, 120)} is {what}.")
