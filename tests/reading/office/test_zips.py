"""Zips may be hostile: every byte is counted, names are keys, nothing is believed."""

from __future__ import annotations

import struct
import zipfile
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import DamagedError, EncryptedError, ReadingError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.reading._zips import open_zip

if TYPE_CHECKING:
    from pincite.core.limits import Limits
    from pincite.reading._zips import Zip
    from reading.office.conftest import Zipped


def opened(data: bytes, limits: Limits = DEFAULT) -> Zip:
    """Return the files in `data`."""
    return open_zip(data, name="box.zip", limits=limits)


def test_names_and_bytes(zipped: Zipped) -> None:
    """Files are read by name, in the order of the directory."""
    files = opened(zipped({"b": b"two", "folder/a": b"one", "folder/": b""}))
    assert files.names() == ("b", "folder/a")
    assert files.read("folder/a") == b"one"
    assert "b" in files
    assert "c" not in files


def test_names_are_keys_and_never_paths(zipped: Zipped) -> None:
    """`..` and absolute names lead nowhere; backslashes of old programs are slashes."""
    files = opened(
        zipped({"../up": b"1", "a/../../b": b"2", "/etc/passwd": b"3", "word\\document.xml": b"4"})
    )
    assert files.names() == ("etc/passwd", "word/document.xml")


def test_a_symbolic_link_is_no_file() -> None:
    """A link is left out, whatever it points to."""
    into = BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert opened(into.getvalue()).names() == ()


def test_two_files_of_one_name_are_neither_read() -> None:
    """Programs differ in which one they show, so a reader might be shown another than was read."""
    into = BytesIO()
    with zipfile.ZipFile(into, "w") as archive:
        archive.writestr("a", "one")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a", "two")
    with pytest.raises(DamagedError, match="twice"):
        opened(into.getvalue()).read("a")


def test_a_file_that_is_not_there(zipped: Zipped) -> None:
    """A missing file is damage of the whole."""
    with pytest.raises(DamagedError, match="not in it"):
        opened(zipped({"a": b""})).read("b")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (replace(DEFAULT, zip_file_bytes=999), "unpacks to more"),
        (replace(DEFAULT, zip_bytes=999), "unpacks to more"),
        (replace(DEFAULT, zip_files=1), "more than 1 files"),
    ],
)
def test_what_is_too_large(zipped: Zipped, limits: Limits, message: str) -> None:
    """One file, all of them, and how many there are: each has its limit."""
    data = zipped({"a": b"0" * 1000, "b": b""})
    assert len(opened(data).read("a")) == 1000
    with pytest.raises(TooLargeError, match=message):
        opened(data, limits).read("a")


def test_all_that_is_read_counts_together(zipped: Zipped) -> None:
    """Reading a file twice counts twice: many names for one piece of data are no way around the limit."""
    files = opened(zipped({"a": b"0" * 600}), replace(DEFAULT, zip_bytes=1000))
    assert files.read("a")
    with pytest.raises(TooLargeError):
        files.read("a")


@pytest.mark.parametrize(("said", "fails"), [(10, True), (0xFFFFFFF0, False)])
def test_sizes_in_headers_are_not_believed(zipped: Zipped, said: int, *, fails: bool) -> None:
    """A size that is too small ends in damage; one that is too large changes nothing, nor what is allocated."""
    data = bytearray(zipped({"a": b"hello " * 100}))
    entry = data.rindex(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = struct.pack("<I", said)
    if fails:
        with pytest.raises(DamagedError, match="unpack"):
            opened(bytes(data)).read("a")
    else:
        assert opened(bytes(data)).read("a") == b"hello " * 100


def test_a_file_with_a_password(zipped: Zipped) -> None:
    """The first bit of the flags says so."""
    data = bytearray(zipped({"a": b"x"}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    with pytest.raises(EncryptedError, match="password"):
        opened(bytes(data)).read("a")


def test_only_what_the_formats_allow_is_unpacked() -> None:
    """LZMA takes as much memory as its header asks for, so it is not even tried."""
    into = BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a", "x")
    with pytest.raises(DamagedError, match="packed"):
        opened(into.getvalue()).read("a")


@given(st.data())
def test_bytes_turned_over_end_in_a_typed_error(zipped: Zipped, data: st.DataObject) -> None:
    """Whatever is changed in a zip, its files are read or a `ReadingError` says why not."""
    whole = bytearray(zipped({"a": b"hello " * 20, "b/c": b"x"}))
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    for version in (bytes(whole), bytes(whole[:cut])):
        try:
            files = opened(version)
            for name in files.names():
                files.read(name)
        except ReadingError:
            pass
