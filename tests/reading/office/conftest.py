"""Office files written by hand, part by part, so that a test knows what each of them holds."""

from __future__ import annotations

import zipfile
from io import BytesIO
from typing import TYPE_CHECKING, Protocol

import pytest

from pincite.core.limits import DEFAULT
from pincite.reading import media_type_of
from pincite.reading.reader import reader_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.core.document import Document
    from pincite.core.limits import Limits

_OFFICE = "http://schemas.openxmlformats.org/"
_REL = f"{_OFFICE}officeDocument/2006/relationships"
SPACES = " ".join(
    f'xmlns:{prefix}="{name}"'
    for prefix, name in {
        "w": f"{_OFFICE}wordprocessingml/2006/main",
        "a": f"{_OFFICE}drawingml/2006/main",
        "p": f"{_OFFICE}presentationml/2006/main",
        "r": _REL,
        "mc": f"{_OFFICE}markup-compatibility/2006",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "v": "urn:schemas-microsoft-com:vml",
        "m": f"{_OFFICE}officeDocument/2006/math",
    }.items()
)
SHEET = f'xmlns="{_OFFICE}spreadsheetml/2006/main" xmlns:r="{_REL}"'
TYPES = f'<Types xmlns="{_OFFICE}package/2006/content-types"/>'


class Zipped(Protocol):
    """Writes a zip of files by name."""

    def __call__(self, parts: Mapping[str, str | bytes]) -> bytes:
        """Return its bytes."""
        ...


class MakePart(Protocol):
    """Writes an office file of one main part, or of several like it."""

    def __call__(self, *bodies: str, parts: Mapping[str, str | bytes] | None = None, main: str = "") -> bytes:
        """Return its bytes; `parts` are further ones by name, `main` what else stands in the main part."""
        ...


class Read(Protocol):
    """Reads a file."""

    def __call__(self, data: bytes, name: str = "folder/file", limits: Limits = DEFAULT) -> Document:
        """Return its document; the reader is the one for its bytes."""
        ...


def _zipped(parts: Mapping[str, str | bytes]) -> bytes:
    into = BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return into.getvalue()


def related(*rows: tuple[str, str, str]) -> str:
    """Return a part of relationships: id, last word of the kind, target."""
    listed = "".join(
        f'<Relationship Id="{one}" Type="{_REL}/{kind}" Target="{target}"/>' for one, kind, target in rows
    )
    return f'<Relationships xmlns="{_OFFICE}package/2006/relationships">{listed}</Relationships>'


def _package(main: str, parts: Mapping[str, str | bytes]) -> bytes:
    folder, _, file = main.rpartition("/")
    kinds = ("styles", "numbering", "footnotes", "endnotes", "sharedStrings")
    rows = [(kind, kind, f"{kind}.xml") for kind in kinds if f"{folder}/{kind}.xml" in parts]
    rows += [(f"s{i}", *row) for i, row in enumerate(_numbered(folder, parts), 1)]
    core = [("c", "core-properties", "docProps/core.xml")] if "docProps/core.xml" in parts else []
    return _zipped(
        {
            "[Content_Types].xml": TYPES,
            "_rels/.rels": related(("m", "officeDocument", main), *core),
            f"{folder}/_rels/{file}.rels": related(*rows),
            **parts,
        }
    )


def _numbered(folder: str, parts: Mapping[str, str | bytes]) -> list[tuple[str, str]]:
    sheets = [name for name in parts if name.startswith("xl/worksheets/sheet")]
    slides = [name for name in parts if name.startswith("ppt/slides/slide")]
    return [
        ("worksheet" if name in sheets else "slide", name.removeprefix(f"{folder}/"))
        for name in [*sheets, *slides]
    ]


@pytest.fixture(scope="session")
def zipped() -> Zipped:
    """The writer of zips."""
    return _zipped


@pytest.fixture(scope="session")
def make_docx() -> MakePart:
    """The writer of Word files; what it is given is the body."""

    def make(*bodies: str, parts: Mapping[str, str | bytes] | None = None, main: str = "") -> bytes:
        text = f"<w:document {SPACES}>{main}<w:body>{''.join(bodies)}</w:body></w:document>"
        more = {name: _spaced(content) for name, content in (parts or {}).items()}
        return _package("word/document.xml", {"word/document.xml": text, **more})

    return make


@pytest.fixture(scope="session")
def make_pptx() -> MakePart:
    """The writer of presentations; what it is given are the shapes of each slide, or whole slides."""

    def make(*bodies: str, parts: Mapping[str, str | bytes] | None = None, main: str = "") -> bytes:
        slides = {
            f"ppt/slides/slide{i}.xml": _spaced(
                body
                if body.startswith("<p:sld")
                else f"<p:sld><p:cSld><p:spTree>{body}</p:spTree></p:cSld></p:sld>"
            )
            for i, body in enumerate(bodies, 1)
        }
        ids = "".join(f'<p:sldId id="{255 + i}" r:id="s{i}"/>' for i in range(1, len(bodies) + 1))
        size = '<p:sldSz cx="1000" cy="800"/>'
        text = f"<p:presentation {SPACES}><p:sldIdLst>{ids}</p:sldIdLst>{size}{main}</p:presentation>"
        more = {name: _spaced(content) for name, content in (parts or {}).items()}
        return _package("ppt/presentation.xml", {"ppt/presentation.xml": text, **slides, **more})

    return make


@pytest.fixture(scope="session")
def make_xlsx() -> MakePart:
    """The writer of workbooks; what it is given are the rows of each sheet, or whole sheets.

    Sheets are called `One`, `Two`, `Three`; `main` holds attributes of the first one's entry.
    """

    def make(*bodies: str, parts: Mapping[str, str | bytes] | None = None, main: str = "") -> bytes:
        sheets = {
            f"xl/worksheets/sheet{i}.xml": body.replace("<worksheet", f"<worksheet {SHEET}", 1)
            if body.startswith("<worksheet")
            else f"<worksheet {SHEET}><sheetData>{body}</sheetData></worksheet>"
            for i, body in enumerate(bodies, 1)
        }
        entries = "".join(
            f'<sheet name="{name}" sheetId="{i}" r:id="s{i}" {main if i == 1 else ""}/>'
            for i, name in enumerate(("One", "Two", "Three")[: len(bodies)], 1)
        )
        text = f"<workbook {SHEET}><sheets>{entries}</sheets></workbook>"
        more = {
            name: content if isinstance(content, bytes) else content.replace(">", f" {SHEET}>", 1)
            for name, content in (parts or {}).items()
        }
        return _package("xl/workbook.xml", {"xl/workbook.xml": text, **sheets, **more})

    return make


def _spaced(content: str | bytes) -> str | bytes:
    """Return a part with all namespaces declared in its first tag, unless it declares one."""
    if isinstance(content, bytes) or "xmlns" in content:
        return content
    end = next(i for i, char in enumerate(content) if char in " />" and i)
    return f"{content[:end]} {SPACES}{content[end:]}"


@pytest.fixture(scope="session")
def read() -> Read:
    """The reader that a file's bytes ask for, in this process."""

    def read(data: bytes, name: str = "folder/file", limits: Limits = DEFAULT) -> Document:
        return reader_for(media_type_of(name, data)).read(data, name=name, limits=limits)

    return read
