"""Plain text keeps its lines, whatever its encoding."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import DamagedError, EmptyError, ReadingError, TooLargeError
from pincite.core.ids import version_of
from pincite.core.limits import DEFAULT
from pincite.reading.plain import PlainReader

WORDS = "Größe €5\n\nZweite Zeile – „ja“"


def read(data: bytes, name: str = "folder/notes.txt") -> str:
    """Return the text that the reader finds in `data`."""
    return PlainReader().read(data, name=name, limits=DEFAULT).text


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"], ids=str)
def test_encodings(codec: str) -> None:
    """The same words come out of every encoding that a text file announces, and of Windows-1252."""
    assert read(WORDS.encode(codec)) == WORDS


def test_big_endian_with_mark() -> None:
    """A big-endian mark is obeyed."""
    assert read(b"\xfe\xff" + "Ω text".encode("utf-16-be")) == "Ω text"


def test_normal_form() -> None:
    """Line ends become LF, characters are composed, and the version is that of the stored text."""
    document = PlainReader().read("a\r\nb\rcafe\u0301".encode(), name="x.txt", limits=DEFAULT)
    assert document.text == "a\nb\ncaf\u00e9"
    assert document.version == version_of("a\nb\ncaf\u00e9")
    assert (document.media_type, document.reader, document.outline) == ("text/plain", "plain/1", ())


def test_lines_are_those_of_the_file() -> None:
    """A locator gives the lines of the file."""
    document = PlainReader().read(b"Title\n\nfirst\nsecond\n", name="x.txt", limits=DEFAULT)
    start = document.text.index("first")
    locator = document.locator(start, document.text.index("second") + 3)
    assert (locator.line, locator.line_end) == (3, 4)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Minutes of March\n\nPresent: all.", "Minutes of March"),
        ("Minutes of March\n================\nPresent: all.", "Minutes of March"),
        ("\n\n  Only line  ", "Only line"),
        ("This is a sentence.\n\nAnd more.", "notes"),
        ("A paragraph that goes\nover two lines.", "notes"),
        ("word " * 40 + "\n\nx", "notes"),
    ],
)
def test_title(text: str, title: str) -> None:
    """A short first line that stands alone is the title; else the file's name gives it."""
    assert PlainReader().read(text.encode(), name="folder/notes.txt", limits=DEFAULT).title == title


@pytest.mark.parametrize("data", [b"", b" \n\t\n", "\u200b\ufeff\u2060".encode()])
def test_nothing_visible(data: bytes) -> None:
    """A file of white space or invisible characters is empty."""
    with pytest.raises(EmptyError, match="notes\\.txt"):
        read(data)


@pytest.mark.parametrize("data", [b"\x00\x01\x02text" * 40, bytes(range(256)) * 4, b"a\0" * 50])
def test_binary(data: bytes) -> None:
    """Binary data is no text."""
    with pytest.raises(DamagedError, match="notes\\.txt"):
        read(data)


def test_a_stray_zero_byte_is_no_damage() -> None:
    """One NUL in a long text is replaced, not refused."""
    assert read(b"word " * 100 + b"\0") == "word " * 100 + "\ufffd"


def test_limits() -> None:
    """Bytes and code points over their limits are refused."""
    with pytest.raises(TooLargeError, match="5 bytes"):
        PlainReader().read(b"abcde", name="x", limits=replace(DEFAULT, file_bytes=4))
    with pytest.raises(TooLargeError, match="4 characters"):
        PlainReader().read(b"abcde", name="x", limits=replace(DEFAULT, document_code_points=4))


@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    """Any bytes give a document or a typed error."""
    try:
        document = PlainReader().read(data, name="x", limits=DEFAULT)
    except ReadingError:
        return
    assert document.text
    document.text.encode()
