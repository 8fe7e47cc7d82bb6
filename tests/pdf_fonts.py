"""The fonts of `pdf_maker`: blocks for the letters of any script, and Courier with its measures told."""

from __future__ import annotations

import io
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pikepdf
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

if TYPE_CHECKING:
    from collections.abc import Sequence

ASCENT, DESCENT = 0.8, 0.2
"""Em over and under the baseline, in the fonts of this file."""
SPACE = 0.3
"""Em between two words."""

# Scripts whose characters are as wide as they are high: one class, linear.
_SQUARE = re.compile(
    "[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]"
)


def advance(cluster: str, font: str = "blocks") -> float:
    """Return the width in em of the glyph that stands for `cluster` (one character, or the letters of a ligature)."""
    if font == "courier":
        return 0.6
    if cluster == " ":
        return SPACE
    if unicodedata.category(cluster[0]).startswith("M"):
        return 0.0
    if _SQUARE.match(cluster):
        return 1.0
    return (0.42 + 0.04 * (ord(cluster[0]) % 6)) * (1 + 0.5 * (len(cluster) - 1))


def clusters(text: str, ligatures: Sequence[str] = ()) -> list[str]:
    """Return `text` cut into glyphs: one a character, and one for each of `ligatures` that stands in it."""
    longest = sorted(ligatures, key=len, reverse=True)
    found: list[str] = []
    at = 0
    while at < len(text):
        whole = next((one for one in longest if text.startswith(one, at)), text[at])
        found.append(whole)
        at += len(whole)
    return found


def fonts_of(pdf: pikepdf.Pdf, glyphs: tuple[str, ...]) -> dict[str, Any]:
    """Return the fonts of a document: blocks, the same written downwards, and Courier."""
    descriptor = pikepdf.Dictionary(
        Type=pikepdf.Name.FontDescriptor,
        FontName=pikepdf.Name("/AAAAAA+Blocks"),
        Flags=4,
        FontBBox=[0, -200, 1000, 800],
        Ascent=800,
        Descent=-200,
        CapHeight=700,
        ItalicAngle=0,
        StemV=80,
        FontFile2=pdf.make_stream(_font_file(glyphs)),
    )
    descendant = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.CIDFontType2,
        BaseFont=pikepdf.Name("/AAAAAA+Blocks"),
        CIDSystemInfo=pikepdf.Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
        FontDescriptor=pdf.make_indirect(descriptor),
        CIDToGIDMap=pikepdf.Name.Identity,
        DW=1000,
        DW2=[880, -1000],
        W=[1, [round(1000 * advance(one)) for one in glyphs]],
    )
    codes = "\n".join(
        f"<{index + 1:04x}> <{one.encode('utf-16-be').hex()}>" for index, one in enumerate(glyphs)
    )
    unicodes = pdf.make_stream(
        (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /U def /CMapType 2 def\n"
            "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
            f"{len(glyphs)} beginbfchar\n{codes}\nendbfchar endcmap end end"
        ).encode("ascii")
    )

    def composite(encoding: str) -> Any:
        return pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font,
                Subtype=pikepdf.Name.Type0,
                BaseFont=pikepdf.Name("/AAAAAA+Blocks"),
                Encoding=pikepdf.Name(encoding),
                DescendantFonts=[pdf.make_indirect(descendant)],
                ToUnicode=unicodes,
            )
        )

    courier = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type1,
        BaseFont=pikepdf.Name.Courier,
        Encoding=pikepdf.Name.WinAnsiEncoding,
        FirstChar=32,
        LastChar=255,
        Widths=[600] * 224,
        FontDescriptor=pikepdf.Dictionary(
            Type=pikepdf.Name.FontDescriptor,
            FontName=pikepdf.Name.Courier,
            Flags=33,
            FontBBox=[0, -200, 600, 800],
            Ascent=800,
            Descent=-200,
            CapHeight=600,
            ItalicAngle=0,
            StemV=80,
        ),
    )
    return {
        "/F": composite("/Identity-H"),
        "/V": composite("/Identity-V"),
        "/C": pdf.make_indirect(courier),
    }


@lru_cache(maxsize=64)
def _font_file(glyphs: tuple[str, ...]) -> bytes:
    """Return a TrueType font with a block for each glyph, 1 being the first.

    A third of the blocks go up to near the ascent, a third down to near the descent; marks hang over the letter before.
    """
    names = [".notdef", *(f"g{index}" for index in range(len(glyphs)))]
    shapes: dict[str, Any] = {}
    widths: dict[str, tuple[int, int]] = {}
    for name, one in zip(names, [" ", *glyphs], strict=True):
        pen = TTGlyphPen(None)
        wide = round(1000 * advance(one))
        kind = 0 if _SQUARE.match(one) else ord(one[0]) % 3
        low, high = ((0, 700), (0, 500), (-180, 500))[kind]
        left, right = 40, wide - 40
        if wide == 0:
            left, right, low, high = -260, -60, 620, 740
        if one.strip():
            for a, b, c, d in (
                (left, low, right, low + 90),
                (left, high - 90, right, high),
                (left, low, left + 90, high),
            ):
                pen.moveTo((a, b))
                pen.lineTo((a, d))
                pen.lineTo((c, d))
                pen.lineTo((c, b))
                pen.closePath()
        shapes[name] = pen.glyph()
        widths[name] = (wide, left)
    # fontTools has no types.
    builder: Any = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({0xE000 + index: name for index, name in enumerate(names[1:])})
    builder.setupGlyf(shapes)
    builder.setupHorizontalMetrics(widths)
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupNameTable({"familyName": "Blocks", "styleName": "Regular"})
    builder.setupPost()
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()
