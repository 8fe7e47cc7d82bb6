"""Opening a PDF: as it is, else after qpdf has rebuilt it."""

from __future__ import annotations

import io
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincite.core.errors import DamagedError, EncryptedError, MissingExtraError
from pincite.core.text import one_line
from pincite.reading._bibliography import MOST_BYTES
from pincite.reading.pdf import _pdfium as pdfium

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

_LOCKED = (pdfium.ERROR_PASSWORD, pdfium.ERROR_SECURITY)


@dataclass(slots=True)
class _Beside:
    """What PDFium does not tell: /UserUnit of the pages that have one, and the packet of metadata."""

    user_units: dict[int, float] = field(default_factory=dict[int, float])
    packet: bytes = b""


class PdfFile:
    """An open PDF: PDFium's handle, and the bytes that it reads from for as long as it is open.

    `repaired` says whether these are the bytes that were given or qpdf's rebuilt ones.
    """

    __slots__ = ("_beside", "_data", "handle", "pages", "repaired")

    def __init__(self, handle: int, data: bytes, *, repaired: bool) -> None:
        self.handle = handle
        self.pages = int(pdfium.page_count(handle))
        self.repaired = repaired
        self._data = data
        self._beside: _Beside | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def data(self) -> bytes:
        """The bytes that are read: qpdf's where it had to rebuild the file."""
        return self._data

    @property
    def size(self) -> int:
        """Bytes that stay in memory while it is open."""
        return len(self._data)

    def close(self) -> None:
        """Close it; pages of it must be closed before."""
        if self.handle:
            pdfium.close_document(self.handle)
            self.handle = 0

    def user_unit(self, number: int) -> float:
        """Return how many points one unit of page `number` (1 is the first) is: 1.0 on nearly every page.

        PDFium leaves /UserUnit out of its sizes and offers no way to ask for it.
        """
        return self._told().user_units.get(number, 1.0)

    @property
    def packet(self) -> bytes:
        """The document's XMP packet; empty when there is none, or it is longer than `MOST_BYTES`."""
        return self._told().packet

    def _told(self) -> _Beside:
        if self._beside is None:
            # The keys stand in plain sight or inside a compressed object stream; else there are none.
            keys = (b"/UserUnit", b"/Metadata", b"/ObjStm")
            may_hold = any(key in self._data for key in keys)
            self._beside = _beside(self._data, self.pages) if may_hold else _Beside()
        return self._beside

    def loads(self) -> bool:
        """Say whether there is a first page that opens."""
        if self.pages < 1:
            return False
        page = pdfium.load_page(self.handle, 0)
        if page:
            pdfium.close_page(page)
        return bool(page)


def open_pdf(data: bytes, *, name: str) -> PdfFile:
    """Open `data`; what PDFium refuses is rebuilt by qpdf and tried again.

    The same bytes are always opened the same way, so reading and drawing see the same pages.

    Raises:
        EncryptedError: it needs a password.
        DamagedError: neither opens it, or it has no page.
    """
    label = one_line(name, 120)
    first = _load(data, label, repaired=False)
    if first is not None and first.loads():
        return first
    if first is not None:
        first.close()
    rebuilt = _rebuild(data, label)
    second = _load(rebuilt, label, repaired=True) if rebuilt is not None else None
    if second is not None and second.loads():
        return second
    if second is not None:
        second.close()
    msg = f"{label} is damaged: no page of it opens."
    raise DamagedError(msg)


def _load(data: bytes, label: str, *, repaired: bool) -> PdfFile | None:
    handle = pdfium.load_document(data, len(data), None)
    if handle:
        return PdfFile(handle, data, repaired=repaired)
    if pdfium.last_error() in _LOCKED:
        raise _encrypted(label)
    return None


def _encrypted(label: str) -> EncryptedError:
    return EncryptedError(f"{label} is encrypted: save a copy without a password and add that.")


def _rebuild(data: bytes, label: str) -> bytes | None:
    """Return what qpdf makes of `data`, or None when it cannot either.

    Raises:
        EncryptedError: it needs a password.
    """
    try:
        import pikepdf
    except ImportError as error:
        what = "Repairing PDF"
        raise MissingExtraError(what, "pdf") from error
    rebuilt = io.BytesIO()
    try:
        # The end of a file that was cut off is written for it: without it qpdf drops the last object too.
        with pikepdf.open(io.BytesIO(data + b"\n%%EOF\n")) as pdf:
            if not len(pdf.pages):
                return None
            pdf.save(rebuilt, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    except pikepdf.PasswordError as error:
        raise _encrypted(label) from error
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - qpdf's complaints are of many kinds, and all mean the same here
        return None
    return rebuilt.getvalue()


def _beside(data: bytes, pages: int) -> _Beside:
    """Return what qpdf tells of a document; of what cannot be read, nothing."""
    found = _Beside()
    with suppress(Exception):
        import pikepdf

        with pikepdf.open(io.BytesIO(data)) as pdf:
            with suppress(Exception):
                found.packet = _packet(pdf.Root.get("/Metadata"))
            listed = pdf.pages if any(key in data for key in (b"/UserUnit", b"/ObjStm")) else ()
            for number, page in zip(range(1, pages + 1), listed, strict=False):
                unit = page.obj.get("/UserUnit")
                if unit is not None and 0 < float(unit) <= 1e4:  # noqa: PLR2004 - beyond any use of it
                    found.user_units[number] = float(unit)
    return found


def _packet(stream: Any) -> bytes:  # noqa: ANN401 - whatever stands there
    """Return the bytes of a stream of metadata, counted while they are inflated."""
    if stream is None:
        return b""
    packet = bytes(stream.read_raw_bytes())
    if stream.get("/Filter") is not None:
        # As it is mostly written: anything but the one filter is an error, which means that there is no packet.
        packet = zlib.decompressobj().decompress(packet, MOST_BYTES + 1)
    return packet if len(packet) <= MOST_BYTES else b""
