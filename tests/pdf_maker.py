"""Makes PDFs whose words and their places are known, for any test under `tests` (`from pdf_maker import PdfMaker`).

    maker = PdfMaker()
    page = maker.page((0, 0, 300, 200), crop=(20, 10, 280, 190), rotate=90, unit=2.0)
    page.line("Some words", 30, 40)            # baseline 40 units under the top of the page's frame
    page.paragraph("Long text with con<soft hyphen>tracts.", 30, 60, width=120)
    page.columns(["One text.", "Another."], top=100)
    made = maker.save()
    made.data                                  # the bytes
    [(word.text, word.boxes) for word in made.words]   # in the order in which they were placed

Places are units of the page's frame, origin top left, y down. The frame is the page as the reader sees it, turned; with
`as_seen=False` it is the page before `/Rotate` turns it, so that the reader sees turned writing. `Word.boxes` are
`Box`es (fractions of the page as seen), one for each line that the word stands on: as wide as the glyphs advance, from
`DESCENT` under the baseline to `ASCENT` over it, which is what PDFium calls loose boxes; for slanted writing the
upright rectangle around. `Word.seen` is False for what a reader cannot see.

Nothing is copied: `fonttools` (locked for the tests, as fpdf2 needs it) makes a TrueType font for each document, whose
glyphs are plain blocks, so every script has one; `font="courier"` takes one of the fourteen fonts that every viewer
has. Pictures of text are drawn with the font inside Pillow.
"""

from __future__ import annotations

import io
import math
import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import pikepdf
from PIL import Image, ImageDraw, ImageFont

from pdf_fonts import ASCENT, DESCENT, advance, clusters, fonts_of
from pincite.core.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SOFT = "\u00ad"
"""Where a word may be broken; it is drawn as a hyphen when it is."""

Sides = tuple[float, float, float, float]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it is read, and its place on each line that it stands on."""

    text: str
    boxes: tuple[Box, ...]
    seen: bool = True


@dataclass(frozen=True, slots=True)
class PageTruth:
    """A page as the reader sees it: points after rotation, user unit counted."""

    number: int
    width: float
    height: float
    rotation: int


@dataclass(frozen=True, slots=True)
class Made:
    """A document's bytes with what is true of it."""

    data: bytes
    words: tuple[Word, ...]
    pages: tuple[PageTruth, ...]

    def on_page(self, number: int) -> list[Word]:
        """Return the words that begin on page `number`."""
        return [word for word in self.words if word.boxes and word.boxes[0].page == number]


class PdfMaker:
    """Collects pages; `save` writes them."""

    def __init__(self) -> None:
        self.words: list[Word] = []
        self._pages: list[Page] = []

    def page(
        self,
        media: Sides = (0, 0, 300, 200),
        *,
        crop: Sides | None = None,
        rotate: int = 0,
        unit: float | None = None,
        as_seen: bool = True,
    ) -> Page:
        """Add a page: boxes are left, bottom, right, top in units; the crop may reach beyond the media."""
        page = Page(self, len(self._pages) + 1, media, crop, rotate, unit, as_seen=as_seen)
        self._pages.append(page)
        return page

    def save(self, **options: Any) -> Made:
        """Return the document; `options` are those of `pikepdf.Pdf.save`, such as `encryption`."""
        pdf = pikepdf.new()
        glyphs = sorted({one for page in self._pages for one in page.glyphs})
        fonts = fonts_of(pdf, tuple(glyphs))
        for page in self._pages:
            page.write(pdf, fonts, {one: index + 1 for index, one in enumerate(glyphs)})
        _layers(pdf)
        out = io.BytesIO()
        pdf.save(out, static_id="encryption" not in options, **options)
        truths = tuple(page.truth() for page in self._pages)
        return Made(out.getvalue(), tuple(self.words), truths)


@dataclass(slots=True)
class _Run:
    """Glyphs that are shown together: `matrix` is in page space, `gaps` are after each, in thousandths of an em."""

    glyphs: list[str]
    size: float
    matrix: Sides
    origin: Point
    font: str
    before: str
    after: str
    scale: float = 100.0
    gaps: list[float] = field(default_factory=list[float])


class Page:
    """One page: see the module for what its places mean. `width` and `height` are its frame's, in units."""

    def __init__(
        self,
        maker: PdfMaker,
        number: int,
        media: Sides,
        crop: Sides | None,
        rotate: int,
        unit: float | None,
        *,
        as_seen: bool,
    ) -> None:
        self.number = number
        self.glyphs: set[str] = set()
        self._maker = maker
        self._media, self._crop, self._rotate, self._unit = media, crop, rotate, unit
        box = crop or media
        self._visible = (
            max(box[0], media[0]), max(box[1], media[1]), min(box[2], media[2]), min(box[3], media[3])
        )  # fmt: skip
        self._turned = rotate % 360 if as_seen else 0
        self._parts: list[_Run | str] = []
        self._images: list[Image.Image] = []
        self._opacities: dict[str, float] = {}

    @property
    def width(self) -> float:
        """Width of the frame."""
        return self._size(turned=self._turned % 180 == 90)[0]

    @property
    def height(self) -> float:
        """Height of the frame."""
        return self._size(turned=self._turned % 180 == 90)[1]

    def _size(self, *, turned: bool) -> Point:
        left, bottom, right, top = self._visible
        width, height = right - left, top - bottom
        return (height, width) if turned else (width, height)

    def truth(self) -> PageTruth:
        """Return size and rotation as the reader sees them."""
        width, height = self._size(turned=self._rotate % 180 == 90)
        unit = self._unit or 1.0
        return PageTruth(self.number, width * unit, height * unit, self._rotate % 360)

    def _unturned(self, x: float, y: float) -> Point:
        """Return a place of the frame in units of the visible box before it is turned, y down."""
        width, height = self._size(turned=False)
        return {
            0: (x, y),
            90: (y, height - x),
            180: (width - x, height - y),
            270: (width - y, x),
        }[self._turned]

    def in_page(self, x: float, y: float) -> Point:
        """Return a place of the frame in the page's own space, y up."""
        across, down = self._unturned(x, y)
        return self._visible[0] + across, self._visible[3] - down

    def seen_at(self, x: float, y: float) -> Point:
        """Return a place of the frame in fractions of the page as the reader sees it."""
        width, height = self._size(turned=False)
        across, down = self._unturned(x, y)
        u, v = across / width, down / height
        return {0: (u, v), 90: (1 - v, u), 180: (1 - u, 1 - v), 270: (v, 1 - u)}[self._rotate % 360]

    def box(self, corners: Sequence[Point]) -> Box:
        """Return the upright box, as the reader sees it, around places of the frame."""
        xs, ys = zip(*(self.seen_at(x, y) for x, y in corners), strict=True)
        return Box(self.number, min(xs), min(ys), max(xs), max(ys))

    def line(
        self,
        text: str,
        x: float,
        y: float,
        *,
        size: float = 10.0,
        angle: float = 0.0,
        font: Literal["blocks", "courier"] = "blocks",
        ligatures: Sequence[str] = (),
        order: Literal["visual", "logical"] = "visual",
        spaces: bool = True,
        spacing: float = 0.0,
        twice: float = 0.0,
        seen: bool = True,
        grey: float = 0.0,
        mode: int = 0,
        opacity: float = 1.0,
        layer: str = "",
    ) -> float:
        """Write words from `x` on, baseline at `y`, and return where the next would begin.

        `angle` is counter-clockwise. Right-to-left text is given as it is read and begins at its right end, which
        is found from its width: its glyphs are written from left to right, or, with `order="logical"`, as they are
        read. `spaces=False` leaves the spaces out of the file. `spacing` em stand after each glyph. `twice` draws
        all glyphs again, so many em to the right. `grey` 1 is white, `mode` is the text rendering mode, `layer`
        is "on" or "off"; what is thereby unseen has to be said with `seen=False`.
        """
        glyphs = clusters(text, ligatures)
        rtl = any(unicodedata.bidirectional(char) in {"R", "AL"} for char in text)
        if rtl:
            glyphs = _visual(glyphs)
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))

        def place(along: float, up: float) -> Point:
            return x + (along * cos - up * sin) * size, y - (along * sin + up * cos) * size

        widths = [advance(one, font) + spacing for one in glyphs]
        starts = [sum(widths[:index]) for index in range(len(glyphs) + 1)]
        before, after = self._state(grey, mode, opacity, layer)
        for shift in (0.0, twice) if twice else (0.0,):
            for first, last in _pieces(glyphs, spaces=spaces, each=rtl and order == "logical"):
                origin = place(starts[first] + shift, 0)
                self._show(glyphs[first:last], origin, size, place, font, before, after, spacing=spacing)
        for first, last in _word_ranges(glyphs):
            ends = starts[last] - spacing
            corners = [place(a, b) for a in (starts[first], ends) for b in (-DESCENT, ASCENT)]
            shown = glyphs[first:last]
            self._add("".join(reversed(shown) if rtl else shown), [self.box(corners)], seen=seen)
        if rtl:
            # Words were added from left to right; they are read the other way.
            count = len(list(_word_ranges(glyphs)))
            self._maker.words[-count:] = reversed(self._maker.words[-count:])
        return x + starts[-1] * size

    def _state(self, grey: float, mode: int, opacity: float, layer: str) -> tuple[str, str]:
        """Return what stands before and after a run in the content."""
        before, after = f"{grey:g} g {mode} Tr", "0 Tr"
        if opacity < 1:
            name = f"G{len(self._opacities)}"
            self._opacities[name] = opacity
            before, after = f"q /{name} gs {before}", f"{after} Q"
        if layer:
            before, after = f"/OC /{layer.title()} BDC {before}", f"{after} EMC"
        return before, after

    def _show(
        self,
        glyphs: list[str],
        origin: Point,
        size: float,
        place: Callable[[float, float], Point],
        font: str,
        before: str,
        after: str,
        *,
        spacing: float = 0.0,
        scale: float = 100.0,
    ) -> None:
        zero, along, up = (self.in_page(*place(*at)) for at in ((0, 0), (1, 0), (0, 1)))
        matrix = tuple((b - a) / size for part in (along, up) for a, b in zip(zero, part, strict=True))
        if font != "courier":
            self.glyphs.update(glyphs)
        gaps = [-1000 * spacing] * len(glyphs) if spacing else []
        start = self.in_page(*origin)
        run = _Run(
            list(glyphs),
            size,
            (matrix[0], matrix[1], matrix[2], matrix[3]),
            start,
            font,
            before,
            after,
            scale,
            gaps,
        )
        self._parts.append(run)

    def _add(self, text: str, boxes: Sequence[Box], *, seen: bool) -> None:
        self._maker.words.append(Word(unicodedata.normalize("NFC", text), tuple(boxes), seen))

    def down(self, text: str, x: float, y: float, *, size: float = 10.0) -> float:
        """Write characters one under the other with a vertical font, their middle at `x`, the top of the first at `y`.

        Return where the next would begin. The whole text counts as one word.
        """

        def place(along: float, up: float) -> Point:
            return x + along * size, y - up * size

        self._show(list(text), (x, y), size, place, "down", "0 g 0 Tr", "")
        half, bottom = size / 2, y + size * len(text)
        corners = [(x - half, y), (x + half, bottom)]
        self._add(text, [self.box(corners)], seen=True)
        return bottom

    def paragraph(
        self,
        text: str,
        x: float,
        y: float,
        *,
        width: float,
        size: float = 10.0,
        leading: float = 1.2,
        font: Literal["blocks", "courier"] = "blocks",
    ) -> float:
        """Write text in lines of at most `width`, the first baseline at `y`, and return the next line's baseline.

        A word may be broken where a soft hyphen stands in it; one that is has a box on each of its lines, the
        hyphen's included.
        """
        lines: list[list[tuple[str, int]]] = [[]]
        words = text.split()

        def wide(pieces: Sequence[str]) -> float:
            return size * sum(advance(one, font) for one in " ".join(pieces))

        for index, word in enumerate(words):
            parts = word.split(SOFT)
            line = [piece for piece, _ in lines[-1]]
            if not line or wide([*line, "".join(parts)]) <= width:
                lines[-1].append(("".join(parts), index))
                continue
            fits = [
                n for n in range(len(parts) - 1, 0, -1) if wide([*line, "".join(parts[:n]) + "-"]) <= width
            ]
            if fits:
                lines[-1].append(("".join(parts[: fits[0]]) + "-", index))
                lines.append([("".join(parts[fits[0] :]), index)])
            else:
                lines.append([("".join(parts), index)])
        boxes: dict[int, list[Box]] = {}
        for line in lines:
            begun = len(self._maker.words)
            self.line(" ".join(piece for piece, _ in line), x, y, size=size, font=font)
            for (_, index), word in zip(line, self._maker.words[begun:], strict=True):
                boxes.setdefault(index, []).extend(word.boxes)
            del self._maker.words[begun:]
            y += size * leading
        for index, word in enumerate(words):
            self._add(word.replace(SOFT, ""), boxes[index], seen=True)
        return y

    def columns(
        self,
        texts: Sequence[str],
        *,
        top: float = 30.0,
        margin: float = 20.0,
        gutter: float = 18.0,
        size: float = 10.0,
        font: Literal["blocks", "courier"] = "blocks",
    ) -> None:
        """Write one text a column, side by side over the whole frame; first baselines at `top`."""
        width = (self.width - 2 * margin - gutter * (len(texts) - 1)) / len(texts)
        for index, text in enumerate(texts):
            self.paragraph(text, margin + index * (width + gutter), top, width=width, size=size, font=font)

    def rule(self, x0: float, y0: float, x1: float, y1: float, *, width: float = 0.5) -> None:
        """Draw a straight line between two places."""
        (a, b), (c, d) = self.in_page(x0, y0), self.in_page(x1, y1)
        self._parts.append(f"q {width:g} w {a:.4f} {b:.4f} m {c:.4f} {d:.4f} l S Q")

    def block(self, x0: float, y0: float, x1: float, y1: float, colour: str = "0 0 0") -> None:
        """Fill a rectangle; `colour` is red, green and blue, 0 to 1."""
        (a, b), (c, d) = self.in_page(x0, y0), self.in_page(x1, y1)
        x, y, wide, high = min(a, c), min(b, d), abs(c - a), abs(d - b)
        self._parts.append(f"q {colour} rg {x:.4f} {y:.4f} {wide:.4f} {high:.4f} re f Q")

    def raw(self, content: str) -> None:
        """Add operators in the page's own space."""
        self._parts.append(content)

    def scan(
        self,
        lines: Sequence[str],
        *,
        x: float = 20.0,
        y: float = 40.0,
        size: float = 14.0,
        leading: float = 1.8,
        dpi: int = 200,
        layer: bool = False,
        skew: float = 0.0,
    ) -> None:
        """Cover the frame with a picture of lines of text, the first baseline at `y`.

        The boxes of its words are as wide as their ink and as high as a line. With `layer` the same words are
        written over it, unseen, as programs that recognise text do. `skew` turns the writing in the picture
        counter-clockwise round its middle, and the boxes with it.
        """
        dots = dpi / 72
        image = Image.new("L", (round(self.width * dots), round(self.height * dots)), 255)
        draw, font = ImageDraw.Draw(image), ImageFont.load_default(size * dots)
        middle = self.width / 2, self.height / 2
        cos, sin = math.cos(math.radians(skew)), math.sin(math.radians(skew))

        def turned(px: float, py: float) -> Point:
            dx, dy = px - middle[0], py - middle[1]
            return middle[0] + dx * cos + dy * sin, middle[1] - dx * sin + dy * cos

        for index, line in enumerate(lines):
            base = y + index * size * leading
            draw.text((x * dots, base * dots), line, fill=0, font=font, anchor="ls")
            for match in re.finditer(r"\S+", line):
                left, _, right, _ = draw.textbbox(
                    (x * dots + draw.textlength(line[: match.start()], font=font), base * dots),
                    match.group(),
                    font=font,
                    anchor="ls",
                )
                x0, x1 = left / dots, right / dots
                corners = [turned(a, base + b) for a in (x0, x1) for b in (DESCENT * size, -ASCENT * size)]
                if layer:
                    self._over(match.group(), x0, x1, base, size, turned)
                self._add(match.group(), [self.box(corners)], seen=True)
        if skew:
            image = image.rotate(skew, Image.Resampling.BICUBIC, fillcolor=255)
        zero, right, top = (
            self.in_page(0, self.height),
            self.in_page(self.width, self.height),
            self.in_page(0, 0),
        )
        cells = (right[0] - zero[0], right[1] - zero[1], top[0] - zero[0], top[1] - zero[1], *zero)
        name = f"I{len(self._images)}"
        self._images.append(image)
        # Under everything that was written before it.
        self._parts.insert(0, f"q {' '.join(f'{cell:.4f}' for cell in cells)} cm /{name} Do Q")

    def _over(
        self,
        word: str,
        x0: float,
        x1: float,
        base: float,
        size: float,
        turned: Callable[[float, float], Point],
    ) -> None:
        """Write a word unseen over its picture, drawn out to its width."""
        scale = 100 * (x1 - x0) / (size * sum(map(advance, word)))

        def place(along: float, up: float) -> Point:
            return turned(x0 + along * size, base - up * size)

        # A space after each word, as such programs write it.
        self._show([*word, " "], place(0, 0), size, place, "blocks", "0 g 3 Tr", "0 Tr", scale=scale)

    def write(self, pdf: pikepdf.Pdf, fonts: dict[str, Any], numbers: dict[str, int]) -> None:
        """Write the page into `pdf`."""
        content = "\n".join(part if isinstance(part, str) else _shown(part, numbers) for part in self._parts)
        resources: dict[str, Any] = {"/Font": pikepdf.Dictionary(fonts)}
        resources["/XObject"] = pikepdf.Dictionary(
            {f"/I{index}": _image(pdf, image) for index, image in enumerate(self._images)}
        )
        resources["/ExtGState"] = pikepdf.Dictionary(
            {f"/{name}": pikepdf.Dictionary(ca=ca, CA=ca) for name, ca in self._opacities.items()}
        )
        names = ("On", "Off")
        found = [n for n in names if f"/OC /{n} BDC" in content]
        resources["/Properties"] = pikepdf.Dictionary({f"/{n}": _layer(pdf, n) for n in found})
        entries: dict[str, Any] = {
            "/Type": pikepdf.Name.Page,
            "/MediaBox": pikepdf.Array(list(self._media)),
            "/Resources": pikepdf.Dictionary(resources),
            "/Contents": pdf.make_stream(content.encode("ascii")),
        }
        if self._crop is not None:
            entries["/CropBox"] = pikepdf.Array(list(self._crop))
        if self._rotate:
            entries["/Rotate"] = self._rotate
        if self._unit is not None:
            entries["/UserUnit"] = self._unit
        pdf.pages.append(pikepdf.Page(pdf.make_indirect(pikepdf.Dictionary(entries))))


def _visual(glyphs: list[str]) -> list[str]:
    """Return right-to-left glyphs from left to right, marks after the letter that they stand on."""
    groups: list[list[str]] = []
    for one in glyphs:
        if groups and unicodedata.category(one[0]).startswith("M"):
            groups[-1].append(one)
        else:
            groups.append([one])
    return [one for group in reversed(groups) for one in group]


def _word_ranges(glyphs: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for index, one in enumerate([*glyphs, " "]):
        if one == " ":
            if index > start:
                yield start, index
            start = index + 1


def _pieces(glyphs: Sequence[str], *, spaces: bool, each: bool) -> Iterator[tuple[int, int]]:
    """Yield the ranges that are shown in one go: all, word by word, or glyph by glyph from the right."""
    if each:
        yield from ((index, index + 1) for index in reversed(range(len(glyphs))))
    elif spaces:
        yield 0, len(glyphs)
    else:
        yield from _word_ranges(glyphs)


def _shown(run: _Run, numbers: dict[str, int]) -> str:
    if run.font == "courier":
        codes = [f"{ord(one):02x}" for one in run.glyphs]
    else:
        codes = [f"{numbers[one]:04x}" for one in run.glyphs]
    if run.gaps:
        text = " ".join(f"<{code}> {gap:g}" for code, gap in zip(codes, run.gaps, strict=True))
    else:
        text = f"<{''.join(codes)}>"
    name = {"courier": "C", "down": "V"}.get(run.font, "F")
    matrix = " ".join(f"{value:.6f}" for value in (*run.matrix, *run.origin))
    return f"{run.before} BT /{name} {run.size:g} Tf {run.scale:g} Tz {matrix} Tm [{text}] TJ ET {run.after}"


def _image(pdf: pikepdf.Pdf, image: Image.Image) -> Any:
    stream = pdf.make_stream(image.tobytes())
    stream.Type, stream.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
    stream.Width, stream.Height = image.size
    stream.ColorSpace, stream.BitsPerComponent = pikepdf.Name.DeviceGray, 8
    return stream


def _layer(pdf: pikepdf.Pdf, name: str) -> Any:
    """Return the layer of that name, one a document."""
    held = pdf.Root.get("/OCProperties")
    for group in held.OCGs if held is not None else ():
        if str(group.Name) == name:
            return group
    group = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name=name))
    if held is None:
        pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=[], D=pikepdf.Dictionary(OFF=[], Order=[]))
    pdf.Root.OCProperties.OCGs.append(group)
    return group


def _layers(pdf: pikepdf.Pdf) -> None:
    """Switch the layer "Off" off."""
    held = pdf.Root.get("/OCProperties")
    if held is not None:
        held.D.OFF = pikepdf.Array([group for group in held.OCGs if str(group.Name) == "Off"])
