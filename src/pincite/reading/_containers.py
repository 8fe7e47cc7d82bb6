"""What kind of document a zip or an OLE container is, from what stands in it and never from its name's ending."""

from __future__ import annotations

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
        raise _unsupported(name, _ADVICE.get(kind, "a zip of a kind that is not read"))
    lowered = [one.lower() for one in names]
    if _TYPES.lower() in lowered:
        for folder, kind in _FOLDERS.items():
            if any(one.startswith(folder) for one in lowered):
                return XLSB if _BINARY_WORKBOOK in lowered else kind
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
        raise _unsupported(name, "an OLE container of a kind that is not read")
    kind = places[min(places)]
    if not kind:
        msg = f"{one_line(name, 120)} needs a password."
        raise EncryptedError(msg)
    if kind != XLS:
        raise _unsupported(name, kind)
    return kind


def _unsupported(name: str, what: str) -> UnsupportedError:
    return UnsupportedError(f"{one_line(name, 120)} is {what}.")
