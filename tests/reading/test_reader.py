"""Which reader a file is for: its bytes say, and where they leave it open, its name."""

from __future__ import annotations

import time

import pytest

from pincite.core.errors import UnsupportedError
from pincite.reading import media_type_of
from pincite.reading.reader import READERS, PagedReader, reader_for


@pytest.mark.parametrize(
    ("name", "data", "media_type"),
    [
        ("a.pdf", b"%PDF-1.7\n", "application/pdf"),
        ("a.txt", b"junk before it\n%PDF-1.4\n", "application/pdf"),
        ("a", b"%PDF-1.4", "application/pdf"),
        ("a.pdf", b"no header", "application/pdf"),
        ("A.PDF", b"", "application/pdf"),
        ("a.txt", b"<!DOCTYPE html><title>x</title>", "text/html"),
        ("a", b"\xef\xbb\xbf \n<!-- a - b -- c --><HTML lang=en>", "text/html"),
        ("a.html", b"<p>no head", "text/html"),
        ("a.htm", b"", "text/html"),
        ("a.md", b"# Title", "text/markdown"),
        ("a.markdown", b"text", "text/markdown"),
        ("a.md", b"<p align=center>", "text/markdown"),
        ("a.md", b"<html-like> is a word", "text/markdown"),
        ("a.csv", b"a,b", "text/csv"),
        ("notes.txt", b"text", "text/plain"),
        ("README", b"text", "text/plain"),
        ("a.txt", b"\xff\xfea\0b\0", "text/plain"),
        ("dir.v1/README", b"text", "text/plain"),
        ("a.eml", b"Subject: x", "message/rfc822"),
        ("a.mhtml", b"From: x", "multipart/related"),
        ("a.json", b"{}", "application/json"),
        ("a.ndjson", b"{}", "application/json"),
        ("a.srt", b"1", "text/vtt"),
        ("a.PY", b"x = 1", "text/x-source"),
        ("a.py", b'HEADER = b"%PDF-1.7"', "text/x-source"),
        ("a.py", b"%PDF-1.7", "application/pdf"),
    ],
)
def test_bytes_first_then_the_name(name: str, data: bytes, media_type: str) -> None:
    """A header in the bytes wins over any ending; an ending decides for text."""
    assert media_type_of(name, data) == media_type


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.mp4", b"\0\0\0\x18ftyp"),
        ("a.txt", b"text\0text"),
        ("program", b"\x7fELF\0"),
    ],
)
def test_what_no_reader_is_for(name: str, data: bytes) -> None:
    """The sentence names the file; binary data is no text whatever its name."""
    with pytest.raises(UnsupportedError, match=name):
        media_type_of(name, data)


def test_a_name_is_shown_without_what_hides_in_it() -> None:
    """A name may be hostile: control and direction marks are not shown, and it is cut."""
    with pytest.raises(UnsupportedError) as caught:
        media_type_of("x\u202efdp\x07" + "y" * 1000 + ".exe", b"MZ")
    assert "\u202e" not in caught.value.message
    assert "\x07" not in caught.value.message
    assert len(caught.value.message) < 250


@pytest.mark.parametrize("piece", [b" ", b"<!--", b"-", b"<!-- -", b"<!-- -->", b"<!---->", b"<", b"<!-- --"])
def test_sniffing_is_linear(piece: bytes) -> None:
    """A megabyte of what the beginning of HTML is looked for in."""
    start = time.monotonic()
    assert media_type_of("a.txt", piece * (1_000_000 // len(piece))) == "text/plain"
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("media_type", list(READERS))
def test_readers_are_what_the_table_says(media_type: str) -> None:
    """Each is found by its media type, names it, and claims the same endings."""
    reader = reader_for(media_type)
    assert media_type in reader.media_types
    assert {suffix for suffix in READERS[media_type].suffixes if suffix} <= set(reader.suffixes)
    assert reader.name
    assert reader.version


def test_only_paged_formats_tell_how_far_they_are() -> None:
    """The worker asks by protocol."""
    assert isinstance(reader_for("application/pdf"), PagedReader)
    assert not isinstance(reader_for("text/plain"), PagedReader)


def test_an_unknown_media_type_is_unsupported() -> None:
    """The sentence names it."""
    with pytest.raises(UnsupportedError, match="video/mp4"):
        reader_for("video/mp4")
