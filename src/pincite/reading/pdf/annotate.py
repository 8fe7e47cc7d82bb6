"""A copy of a PDF with the cited words highlighted and numbered, for any viewer."""

from __future__ import annotations

import io
import warnings
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING

from pincite.core.errors import DamagedError, EncryptedError, InputError, MissingExtraError
from pincite.core.geometry import Affine, Box
from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line
from pincite.reading.marks import Mark, checked_marks
from pincite.reading.pdf import _pdfium as pdfium
from pincite.reading.pdf.geometry import load_page, page_affine, page_size
from pincite.reading.pdf.repair import PdfFile, open_pdf

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pikepdf

TINT = (1.0, 0.945, 0.659)
"""Red, green and blue that are multiplied over the words, as in page images: black stays black."""
INK = (0.75, 0.2, 0.0)
"""The colour of the number."""

_PRINTED = 4
"""The flag of an annotation that is printed, too."""
_NUMBER_SHARE, _NUMBER_LEAST, _NUMBER_MOST = 0.6, 4.0, 8.0
"""Size of the number: a share of the line's height, kept between so many points."""
_DIGIT = 0.556
"""Em that a digit of Helvetica, bold or not, is wide."""
_ROOM = 0.5
"""Units by which an annotation's rectangle is larger than what it holds: viewers compare the two in floats."""


def annotated(
    data: bytes, marks: Sequence[Mark], *, name: str = "The document", limits: Limits = DEFAULT
) -> bytes:
    """Return the PDF in `data` with a highlight for each mark; all else in it is left as it is.

    It parses bytes that may be hostile in this process; `ReadingPool.annotate` does the same in a guarded one.

    Raises:
        InputError: the marks cannot be used, or one stands on a page that is not there.
        EncryptedError: it needs a password.
        DamagedError: it does not open, even after a repair, or cannot be written again.
        MissingExtraError: the extra `pdf` is not installed.
    """
    with open_pdf(data, name=name) as file:
        return annotate(file, marks, limits=limits)


def annotate(file: PdfFile, marks: Sequence[Mark], *, limits: Limits = DEFAULT) -> bytes:
    """Return an open PDF as `annotated` does; raises what it raises."""
    try:
        import pikepdf
    except ImportError as error:
        what = "Marking PDF"
        raise MissingExtraError(what, "pdf") from error
    used = checked_marks(marks, limits.document_marks)
    by_page = _by_page(used, file.pages)
    out = io.BytesIO()
    try:
        with pikepdf.open(io.BytesIO(file.data)) as pdf:
            marker = _Marker(pdf, file, limits)
            for number, parts in by_page.items():
                marker.mark_page(number, parts)
            # Whoever may open the original without a password may open the copy, and nobody else.
            locked = bool(pdf.is_encrypted)
            with warnings.catch_warnings():
                # Form fields that hang in no form are left as they are, too.
                warnings.simplefilter("ignore")
                pdf.save(out, deterministic_id=not locked, encryption=locked)
    except pikepdf.PasswordError as error:
        msg = "The document is encrypted: save a copy without a password and add that."
        raise EncryptedError(msg) from error
    except (MemoryError, InputError, DamagedError):
        raise
    except Exception as error:  # qpdf's complaints are of many kinds, and all mean the same here
        raise _unwritable() from error
    return out.getvalue()


def _unwritable() -> DamagedError:
    return DamagedError("The document is damaged: no marked copy of it can be written.")


def _by_page(marks: Sequence[Mark], pages: int) -> dict[int, list[tuple[Mark, list[Box]]]]:
    """Return each page's marks with their boxes there, in the order of the marks."""
    found: dict[int, list[tuple[Mark, list[Box]]]] = {}
    for mark in marks:
        inside = [box for box in (box.clamped() for box in mark.boxes) if box is not None]
        for number, boxes in groupby(sorted(inside, key=lambda box: box.page), key=lambda box: box.page):
            if not 1 <= number <= pages:
                msg = f"There is no page {number}: the document has {pages}."
                raise InputError(msg, field="marks")
            found.setdefault(number, []).append((mark, list(boxes)))
    return found


class _Sheet:
    """One page: from fractions of what the reader sees to the page's own space."""

    def __init__(self, file: PdfFile, number: int) -> None:
        page = load_page(file.handle, number - 1)
        try:
            size = page_size(page) if page else None
            if size is None:
                msg = f"Page {number} does not open."
                raise DamagedError(msg, field="page")
            self.width, self.height = size
            self._back = inverse(page_affine(page))
        finally:
            if page:
                pdfium.close_page(page)
        self.points = file.user_unit(number)
        self.numbers: list[Box] = []

    def quad(self, box: Box) -> tuple[tuple[float, float], ...]:
        """Return the corners of a box as the reader sees them: top left, top right, bottom left, bottom right."""
        return tuple(self._back.apply(x, y) for y in (box.y0, box.y1) for x in (box.x0, box.x1))

    def number_box(self, mark: Mark, last: Box) -> Box:
        """Return where the number stands: after the last line, raised; moved on where another stands already."""
        height = min(
            max(_NUMBER_SHARE * (last.y1 - last.y0) * self.height * self.points, _NUMBER_LEAST), _NUMBER_MOST
        )
        down = height / self.points / self.height
        across = (_DIGIT * len(str(mark.number)) + 0.2) * height / self.points / self.width
        x0, y0 = min(last.x1, 1 - across), max(0.0, last.y0 - down / 2)
        box = Box(last.page, x0, y0, x0 + across, y0 + down)
        for other in self.numbers:
            if box.x0 < other.x1 and other.x0 < box.x1 and box.y0 < other.y1 and other.y0 < box.y1:
                box = Box(box.page, other.x1, box.y0, other.x1 + across, box.y1)
        self.numbers.append(box)
        return box


def inverse(affine: Affine) -> Affine:
    """Return the map that takes fractions of the visible page back to points of the page's space."""
    one = affine.a * affine.d - affine.b * affine.c
    a, b, c, d = affine.d / one, -affine.b / one, -affine.c / one, affine.a / one
    return Affine(a, b, c, d, -a * affine.e - c * affine.f, -b * affine.e - d * affine.f)


class _Marker:
    """Writes highlights into a document that is open in pikepdf, too."""

    def __init__(self, pdf: pikepdf.Pdf, file: PdfFile, limits: Limits) -> None:
        from pikepdf import Dictionary, Name

        self._pdf, self._file, self._limits = pdf, file, limits
        helvetica = Dictionary(
            Type=Name.Font,
            Subtype=Name.Type1,
            BaseFont=Name("/Helvetica-Bold"),
            Encoding=Name.WinAnsiEncoding,
        )
        self._resources = pdf.make_indirect(
            Dictionary(
                ExtGState=Dictionary(M=Dictionary(BM=Name.Multiply)),
                Font=Dictionary(H=pdf.make_indirect(helvetica)),
            )
        )

    def mark_page(self, number: int, parts: Sequence[tuple[Mark, list[Box]]]) -> None:
        """Add the marks of page `number`."""
        from pikepdf import Array

        page = self._pdf.pages[number - 1].obj
        sheet = _Sheet(self._file, number)
        held = page.get("/Annots")
        # A new array: the old one may be another page's, too.
        kept = list(held.as_list()) if isinstance(held, Array) else []
        made = [self._pdf.make_indirect(self._highlight(page, sheet, mark, boxes)) for mark, boxes in parts]
        page["/Annots"] = Array([*kept, *made])

    def _highlight(
        self, page: pikepdf.Object, sheet: _Sheet, mark: Mark, boxes: Sequence[Box]
    ) -> pikepdf.Dictionary:
        from pikepdf import Dictionary, Name

        quads = [sheet.quad(box) for box in boxes]
        seat = sheet.quad(sheet.number_box(mark, boxes[-1]))
        xs, ys = zip(*(corner for quad in (*quads, seat) for corner in quad), strict=True)
        rect = [
            _rounded(value) for value in (min(xs) - _ROOM, min(ys) - _ROOM, max(xs) + _ROOM, max(ys) + _ROOM)
        ]
        look = self._pdf.make_stream(
            _drawn(quads, seat, str(mark.number)).encode("ascii"),
            Type=Name.XObject,
            Subtype=Name.Form,
            BBox=rect,
            Resources=self._resources,
        )
        label = f"[{mark.number}]"
        words = one_line(mark.text, self._limits.snippet_code_points)
        return Dictionary(
            Type=Name.Annot,
            Subtype=Name.Highlight,
            Rect=rect,
            QuadPoints=[_rounded(value) for quad in quads for corner in quad for value in corner],
            C=[_rounded(value) for value in TINT],
            F=_PRINTED,
            T=one_line(mark.title, self._limits.title_code_points) or label,
            Contents=f"{label} {words}".strip(),
            Subj="Citation",
            NM=f"pincite-{mark.number}-{boxes[0].page}-{len(sheet.numbers)}",
            P=page,
            AP=Dictionary(N=look),
        )


def _rounded(value: float) -> Decimal:
    return Decimal(f"{value:.4f}")


def _drawn(
    quads: Sequence[tuple[tuple[float, float], ...]], seat: tuple[tuple[float, float], ...], number: str
) -> str:
    """Return the operators that draw a highlight and its number."""
    lines = ["q /M gs", f"{TINT[0]} {TINT[1]} {TINT[2]} rg"]
    for quad in quads:
        # Around, not across: the corners come in the order of lines of writing.
        (a, b), (c, d), (e, f), (g, h) = (quad[index] for index in (0, 1, 3, 2))
        lines.append(f"{a:.4f} {b:.4f} m {c:.4f} {d:.4f} l {e:.4f} {f:.4f} l {g:.4f} {h:.4f} l h f")
    lines.append("Q")
    top, right, bottom, _ = seat
    up = top[0] - bottom[0], top[1] - bottom[1]
    size = (up[0] ** 2 + up[1] ** 2) ** 0.5
    along = right[0] - top[0], right[1] - top[1]
    wide = (along[0] ** 2 + along[1] ** 2) ** 0.5
    a, b, c, d = along[0] / wide, along[1] / wide, up[0] / size, up[1] / size
    # The baseline, a fifth over the bottom, and a tenth of an em into the seat.
    x = bottom[0] + 0.2 * up[0] + 0.1 * size * a
    y = bottom[1] + 0.2 * up[1] + 0.1 * size * b
    matrix = " ".join(f"{value:.4f}" for value in (a, b, c, d, x, y))
    lines.append(f"q {INK[0]} {INK[1]} {INK[2]} rg BT /H {size:.4f} Tf {matrix} Tm ({number}) Tj ET Q")
    return "\n".join(lines)
