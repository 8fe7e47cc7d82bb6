"""A small document of each format, made here, with a question that a part of it answers: for tests and for pictures."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import docx
import pptx
import xlsxwriter

from ocr_pictures import drawn

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
ADDRESS = "https://example.org/visit"
"""Where the page of the web is said to come from."""


@dataclass(frozen=True, slots=True)
class Example:
    """A document: what people call its format, its file's name, its bytes, and a question that it answers.

    `address` is where it comes from, for a page of the web. `ocr` says that its words have to be read from a picture.
    """

    kind: str
    file: str
    data: bytes
    question: str
    address: str | None = None
    ocr: bool = False


def examples() -> list[Example]:
    """Return them, in the order in which the documentation shows them."""
    return [
        Example(
            "PDF",
            "handbook.pdf",
            (EXAMPLES / "handbook.pdf").read_bytes(),
            "From which amount do expenses need approval?",
        ),
        Example("Scan", "minutes-1987.pdf", _scan(), "Who keeps the key of the boat house?", ocr=True),
        Example("Word", "travel-policy.docx", _docx(), "How many days before it begins is a trip booked?"),
        Example("PowerPoint", "roadmap.pptx", _pptx(), "When does the new sensor ship?"),
        Example("Excel", "prices.xlsx", _xlsx(), "What is the price of the torque sensor?"),
        Example("CSV", "stock.csv", _CSV.encode(), "How many M4 screws are in the stock?"),
        Example("Web page", "visit.html", _HTML.encode(), "When is the museum open on Sunday?", ADDRESS),
        Example("EPUB", "lighthouse.epub", _epub(), "How often does the lamp flash?"),
        Example("Mail", "budget.eml", _mail(), "Which budget for tools is approved?"),
        Example("JSON", "orders.json", _JSON.encode(), "What is the total of the order of Brandt?"),
        Example("Source code", "billing.py", _CODE.encode(), "Which discount do loyal customers get?"),
        Example("Subtitles", "talk.srt", _SRT.encode(), "How warm may the battery become?"),
        Example(
            "Markdown",
            "minutes-2026-03.md",
            (EXAMPLES / "minutes-2026-03.md").read_bytes(),
            "How much are travel costs over budget?",
        ),
        Example(
            "Plain text",
            "notice.txt",
            (EXAMPLES / "notice.txt").read_bytes(),
            "When does the service desk reopen?",
        ),
    ]


def _saved(document: Any) -> bytes:
    into = io.BytesIO()
    document.save(into)
    return into.getvalue()


def _scan() -> bytes:
    lines = [
        "Minutes of the rowing club, 12 May 1987",
        "",
        "Present: Mrs Adler, Mr Brook, Miss Carver, Mr Dunn.",
        "",
        "The boat house is painted in June. Mr Brook buys the paint,",
        "not more than forty pounds. Miss Carver keeps the key of the",
        "boat house and lends it to members against a signature.",
        "",
        "The regatta takes place on 4 July, whatever the weather.",
    ]
    picture = drawn([lines], size=12, dpi=200, left=40, top=50, width=460, height=270)
    into = io.BytesIO()
    picture.image.save(into, "PDF", resolution=200)
    return into.getvalue()


def _docx() -> bytes:
    made: Any = docx.Document()
    made.core_properties.title = "Travel policy"
    made.add_heading("Travel policy", 1)
    made.add_paragraph("This policy holds for all who travel for the company.")
    made.add_heading("Booking", 2)
    made.add_paragraph("Trips are booked by the office.")
    made.add_paragraph("A trip is booked at least ten days before it begins, by train where there is one.")
    made.add_paragraph("Who cancels a trip tells the office on the same day.")
    return _saved(made)


def _pptx() -> bytes:
    made: Any = pptx.Presentation()
    made.core_properties.title = "Roadmap 2027"
    for title, lines in (
        ("Where we stand", ["Two sensors are on sale.", "The third is being tested."]),
        ("What comes next", ["The new sensor ships in March 2027.", "Its housing is made of steel."]),
    ):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "\n".join(lines)
    return _saved(made)


def _xlsx() -> bytes:
    into = io.BytesIO()
    book: Any = xlsxwriter.Workbook(into, {"in_memory": True})
    book.set_properties({"title": "Price list"})
    sheet = book.add_worksheet("Sensors")
    bold, money = book.add_format({"bold": True}), book.add_format({"num_format": "#,##0.00 €"})
    rows = [("Pressure sensor", 48.0, 12), ("Torque sensor", 129.5, 3), ("Heat sensor", 17.25, 40)]
    for column, name in enumerate(("Item", "Price", "In stock")):
        sheet.write(2, column + 1, name, bold)
    for number, (item, price, stock) in enumerate(rows, 3):
        sheet.write(number, 1, item)
        sheet.write(number, 2, price, money)
        sheet.write(number, 3, stock)
    book.close()
    return into.getvalue()


_CSV = "Article,Stock,Shelf\nM3 screws,1200,A1\nM4 screws,850,A2\nM5 screws,0,A3\nWashers,4000,B1\n"
_HTML = """<!doctype html><html lang="en"><head><title>Visit the museum</title></head><body>
<nav><a href="#hours">Opening hours</a> <a href="#tickets">Tickets</a></nav>
<main><h1>Visit the museum</h1><p>The museum stands beside the old harbour.</p>
<h2 id="hours">Opening hours</h2><p>From Tuesday to Saturday the museum is open from 10 to 18.
On Sunday the museum is open from 12 to 17. On Monday it is closed.</p>
<h2 id="tickets">Tickets</h2><p>A ticket costs 8 euro, children come in free.</p></main></body></html>"""
_JSON = json.dumps(
    {
        "orders": [
            {"customer": "Ahrens", "total": "48.00", "paid": True},
            {"customer": "Brandt", "total": "129.50", "paid": False},
        ]
    },
    indent=2,
)
_CODE = '''"""What customers pay."""

RATE = 0.19


def discount(customer):
    """Loyal customers get a discount of five percent."""
    return 0.05 if customer.loyal else 0.0


def total(price, customer):
    """The price with tax, less the discount."""
    return price * (1 + RATE) * (1 - discount(customer))
'''
_SRT = """1
00:00:04,000 --> 00:00:07,500
Welcome to the second part of our course.

2
00:00:08,000 --> 00:00:12,000
Today we put the battery into its case.

3
00:00:12,500 --> 00:00:17,000
The battery may become forty degrees warm, and not more.
"""


def _mail() -> bytes:
    made = EmailMessage()
    made["Subject"] = "Budget of the workshop"
    made["From"] = "Anna Meier <anna@example.org>"
    made["To"] = "Ben Olsen <ben@example.org>"
    made["Date"] = "Tue, 03 Mar 2026 09:30:00 +0100"
    made.set_content(
        "Hello Ben,\n\nthe budget of 2,400 euro for tools is approved.\nThe rest is talked about in April.\n\nAnna\n"
    )
    return made.as_bytes()


def _epub() -> bytes:
    chapters = {
        "The keeper": "<p>The keeper lives on the island all year.</p>",
        "The lamp": "<p>The lamp flashes twice in ten seconds. It is seen from twenty miles away.</p>",
    }
    names = [f"c{number}.xhtml" for number in range(len(chapters))]
    head = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>'
    listed = "".join(
        f'<li><a href="{name}">{title}</a></li>' for name, title in zip(names, chapters, strict=True)
    )
    items = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in names)
    spine = "".join(f'<itemref idref="{name}"/>' for name in names)
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        "book.opf": '<package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The lighthouse</dc:title></metadata>'
        '<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        f"{items}</manifest><spine>{spine}</spine></package>",
        "nav.xhtml": f'{head}<nav epub:type="toc"><ol>{listed}</ol></nav></body></html>',
        **{
            name: f"{head}<h1>{title}</h1>{body}</body></html>"
            for name, (title, body) in zip(names, chapters.items(), strict=True)
        },
    }
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return into.getvalue()
