"""Zip files that may be hostile, as office formats and EPUB are: nothing is unpacked to a disk, every byte is counted.

Sizes are counted while a file is inflated; what a header says of them is never believed. Names are keys and never
paths. A zip inside a zip is bytes like any others.
"""

from __future__ import annotations

import stat
import zipfile
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

from pincite.core.errors import DamagedError, EncryptedError, TooLargeError
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.limits import Limits

_ENTRY = b"PK\x01\x02"
"""What every entry of a zip's directory begins with."""
_PIECE = 1 << 20
"""Bytes that `Zip.pieces` inflates at a time."""
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""How a file may be packed: what the formats allow. Others take as much memory as their header asks for."""
_IS_ENCRYPTED = 0x1
_UNIX = 16
"""Bits before the Unix mode in an entry's external attributes."""
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError)


class Zip:
    """The files of one zip, by name; made by `open_zip`.

    Names have `/` between their parts and none in front. Left out are folders, symbolic links, and names with `..`.
    """

    def __init__(self, archive: zipfile.ZipFile, *, name: str, limits: Limits) -> None:
        self._archive = archive
        self._label = one_line(name, 120)
        self._limits = limits
        self._left = limits.zip_bytes
        self._infos: dict[str, zipfile.ZipInfo | None] = {}
        for info in archive.infolist():
            key = _key(info)
            if key is not None:
                # Programs do not agree on which of two files of one name they show: neither is read.
                self._infos[key] = None if key in self._infos else info

    def names(self) -> tuple[str, ...]:
        """Return the names of all files, in the order of the zip's directory."""
        return tuple(self._infos)

    def __contains__(self, name: str) -> bool:
        return name in self._infos

    def read(self, name: str, most: int | None = None) -> bytes:
        """Return the bytes of one file; `most` is how many it may have (default: `limits.zip_file_bytes`).

        Raises:
            TooLargeError: it has more, or all that was read of this zip has more than `limits.zip_bytes`.
            EncryptedError: it needs a password.
            DamagedError: it is not there, is there twice, or does not unpack.
        """
        return b"".join(self.pieces(name, most))

    def pieces(self, name: str, most: int | None = None) -> Iterator[bytes]:
        """Yield the bytes of one file piece by piece; raises what `read` raises."""
        most = self._limits.zip_file_bytes if most is None else most
        info = self._info(name)
        found = 0
        try:
            with self._archive.open(info) as file:
                while piece := file.read(_PIECE):
                    found += len(piece)
                    self._left -= len(piece)
                    if found > most or self._left < 0:
                        msg = f"{self._label} unpacks to more than is allowed: {one_line(name, 60)} is too large."
                        raise TooLargeError(msg)
                    yield piece
        except _BROKEN as error:
            msg = f"{self._label} is damaged: {one_line(name, 60)} in it does not unpack."
            raise DamagedError(msg) from error

    def _info(self, name: str) -> zipfile.ZipInfo:
        info = self._infos.get(name)
        if info is None:
            why = "is in it twice" if name in self._infos else "is not in it"
            msg = f"{self._label} is damaged: {one_line(name, 60)} {why}."
            raise DamagedError(msg)
        if info.flag_bits & _IS_ENCRYPTED:
            msg = f"{self._label} needs a password."
            raise EncryptedError(msg)
        if info.compress_type not in _METHODS:
            msg = f"{self._label} is packed in a way that its format does not allow."
            raise DamagedError(msg)
        return info


def open_zip(data: bytes, *, name: str, limits: Limits) -> Zip:
    """Return the files in the zip `data`; `name` is the file's name, for messages.

    Raises:
        TooLargeError: it holds more than `limits.zip_files` files.
        DamagedError: it is no zip.
    """
    if data.count(_ENTRY) > limits.zip_files:
        msg = f"{one_line(name, 120)} holds more than {limits.zip_files:,} files, the limit."
        raise TooLargeError(msg)
    try:
        archive = zipfile.ZipFile(BytesIO(data))
    except (*_BROKEN, UnicodeError) as error:
        msg = f"{one_line(name, 120)} is damaged: it is no whole zip file."
        raise DamagedError(msg) from error
    return Zip(archive, name=name, limits=limits)


def _key(info: zipfile.ZipInfo) -> str | None:
    """Return the name by which a file is asked for, or None for what is no file of the zip's own."""
    name = info.filename.replace("\\", "/").lstrip("/")
    is_link = stat.S_ISLNK(info.external_attr >> _UNIX)
    return None if not name or name.endswith("/") or is_link or ".." in name.split("/") else name
