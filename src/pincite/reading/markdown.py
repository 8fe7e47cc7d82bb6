"""Markdown -> Document: what a reader sees of it rendered, with the lines of the source."""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from pincite.core.errors import MissingExtraError
from pincite.reading._bibliography import Terms, add, bibliography_of
from pincite.reading._decoding import decode
from pincite.reading._elements import SILENT, VOID, Elements
from pincite.reading._prose import LINE, PARAGRAPH, Prose, check_bytes
from pincite.reading._styles import Look, hidden, style_of

try:
    import pyromark
except ImportError as error:  # pragma: no cover - the tests run with every extra
    what = "Reading Markdown"
    raise MissingExtraError(what, "search") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pincite.core.document import Document
    from pincite.core.limits import Limits

_PARSER = pyromark.Markdown(
    options=pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_HEADING_ATTRIBUTES
    | pyromark.Options.ENABLE_GFM
)

# The first line of front matter and the line after it, which names a field or is a comment: linear, single runs.
_FRONT = re.compile(r"(?:---[ \t]*\n(?=#|[\w.-][\w .-]*+:)|\+\+\+[ \t]*\n(?=#|\[|[\w.-]++[ \t]*+=))")
_FRONT_ENDS = {
    # The line that ends YAML, and the one that ends TOML: linear.
    "-": re.compile(r"^(?:---|\.\.\.)[ \t]*$", re.MULTILINE),
    "+": re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE),
}
# A field of front matter that says what the text is, and the list under it: linear, each line is taken once.
_FRONT_FIELD = re.compile(
    r"^(title|authors?|date|lang(?:uage)?|publisher|doi|isbn)[ \t]*+[:=]"
    r"[ \t]*+([^\n]*+)((?:\n[ \t]*+-[ \t]++[^\n]++)*+)",
    re.MULTILINE | re.IGNORECASE,
)
_FRONT_TERMS = {
    "author": "citation_author",
    "authors": "citation_author",
    "date": "date",
    "lang": "dc:language",
    "language": "dc:language",
    "publisher": "dc:publisher",
    "doi": "citation_doi",
    "isbn": "citation_isbn",
}
_BLOCK_SCALARS = ("|", ">", "&", "*", "!", "{", "[")

# A comment's beginning or a whole tag, quotes not minded: linear, the run stops at the next angle bracket.
_TAG = re.compile(
    r"<(?:(?P<comment>!--)|[!?][^<>]*+>|(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]*+)(?P<rest>[^<>]*+)>)"
)
# An attribute with or without a value: linear but for quotes, of which at most two stay open in a tag.
_ATTRIBUTE = re.compile(r"""([^\s"'/=<>]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s"'<>]++))?+""")


class MarkdownReader:
    """Reads CommonMark with tables, footnotes, task lists, strikethrough and alerts."""

    name = "markdown"
    version = "1"
    media_types = ("text/markdown",)
    suffixes = (".md", ".markdown", ".mdown", ".mkd")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`: no marks, link targets, pictures, comments or front matter.

        Its `line_numbers` are those of the source. Text that raw HTML hides is left out, with a flag.

        Raises:
            TooLargeError: the file or its text is over a limit.
            DamagedError: it holds binary data.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        source = decode(data, name=name)
        start, terms = _front_matter(source)
        prose = Prose(name=name, limits=limits)
        _Writer(prose, source[start:], first_line=1 + source.count("\n", 0, start)).write()
        return prose.document(
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            title=next(iter(terms.get("title", ())), None),
            numbered=True,
            bibliography=bibliography_of(terms),
        )


def _front_matter(source: str) -> tuple[int, Terms]:
    """Return where the text after the front matter begins, 0 without any, and what that says of the text."""
    if _FRONT.match(source) is None:
        return 0, {}
    end = _FRONT_ENDS[source[0]].search(source, source.index("\n"))
    if end is None:
        return 0, {}
    terms: Terms = {}
    for field in _FRONT_FIELD.finditer(source, 0, end.start()):
        term = _FRONT_TERMS.get(field[1].lower(), "title")
        for one in _front_values(field[2].strip(), field[3]):
            add(terms, term, one)
    return end.end(), terms


def _front_values(value: str, items: str) -> Iterator[str]:
    """Yield the values of a field of front matter: one, a list in brackets, or the items below it."""
    if value.startswith("[") and value.endswith("]"):
        values = value[1:-1].split(",")
    elif items:
        # An item may be a person with a name and more.
        values = [item.strip().lstrip("-").strip().removeprefix("name:") for item in items.split("\n")]
    else:
        values = [] if value.startswith(_BLOCK_SCALARS) else [value]
    for one in values:
        bare = one.strip()
        yield bare[1:-1] if bare[:1] in {'"', "'"} and bare[-1:] == bare[:1] else bare


class _Writer:
    """Writes the events of one source into a `Prose`."""

    def __init__(self, prose: Prose, source: str, *, first_line: int) -> None:
        self.prose = prose
        self.elements = Elements(prose)
        self._raw = _RawHtml(prose, self.elements)
        self._source = source
        self._first_line = first_line
        self._inside: Counter[str] = Counter()
        self._html: list[str] = []
        self._html_line = 0

    def write(self) -> None:
        """Write everything."""
        line_ends = [match.start() for match in re.finditer(b"\n", self._source.encode())]
        for event, place in _PARSER.events_with_range(self._source):
            if isinstance(event, str):
                self.prose.gap(PARAGRAPH if event == "Rule" else LINE)
                continue
            ((kind, value),) = cast("dict[str, Any]", event).items()
            number = self._first_line + bisect_left(line_ends, place["start"])
            if kind == "Start":
                self._start(value, number)
            elif kind == "End":
                self._end(value if isinstance(value, str) else next(iter(value)))
            elif kind in {"Text", "Code"}:
                self._text(value, number)
            elif kind == "TaskListMarker":
                self._text("[x] " if value else "[ ] ", number)
            elif kind == "InlineHtml":
                self._raw.write(value, number)
            elif kind == "Html":
                self._html.append(value)

    def _start(self, tag: Any, number: int) -> None:  # noqa: ANN401 - a name, or a name and its data
        name, data = (tag, None) if isinstance(tag, str) else next(iter(tag.items()))
        self._inside[name] += 1
        if name in _BLOCKS:
            self.prose.end_heading()
            self.prose.gap(PARAGRAPH)
        elif (act := _STARTS.get(name)) is not None:
            act(self, data)
        if name == "HtmlBlock":
            self._html, self._html_line = [], number

    def _end(self, name: str) -> None:
        self._inside[name] -= 1
        if name == "HtmlBlock":
            self._raw.write("".join(self._html), self._html_line)
        if name in _BLOCKS:
            self.prose.end_heading()
            self.prose.gap(PARAGRAPH)
        elif (act := _ENDS.get(name)) is not None:
            act(self)

    def _text(self, text: str, number: int) -> None:
        if self._inside["Image"]:
            return
        if self._raw.hides:
            self._raw.note(text)
        elif self._inside["CodeBlock"]:
            self.prose.verbatim(text, number)
        else:
            self.prose.words(text, number)


_BLOCKS = frozenset({"Paragraph", "BlockQuote", "CodeBlock", "FootnoteDefinition", "HtmlBlock", "Table"})
"""What stands as a paragraph of its own."""

_STARTS: dict[str, Callable[[_Writer, Any], None]] = {
    "Heading": lambda writer, data: writer.prose.heading(int(data["level"][1])),
    "List": lambda writer, number: writer.elements.open_list(number),
    "Item": lambda writer, _: writer.elements.open("li", {}),
    "TableHead": lambda writer, _: writer.prose.row(),
    "TableRow": lambda writer, _: writer.prose.row(),
    "TableCell": lambda writer, _: writer.prose.cell(),
}
_ENDS: dict[str, Callable[[_Writer], None]] = {
    "Heading": lambda writer: writer.prose.end_heading(),
    "List": lambda writer: writer.elements.close_list(),
    "Item": lambda writer: writer.elements.close("li"),
    "TableHead": lambda writer: writer.prose.end_row(),
    "TableRow": lambda writer: writer.prose.end_row(),
}


class _RawHtml:
    """The raw HTML of a source, tag by tag: an element that it hides may span Markdown."""

    def __init__(self, prose: Prose, elements: Elements) -> None:
        self._prose = prose
        self._elements = elements
        self._hiding = ""
        self._depth = 0
        self._flagged = False

    @property
    def hides(self) -> bool:
        """Whether an element is open that hides what stands in it."""
        return self._hiding != ""

    def note(self, text: str) -> None:
        """Remember that `text` was left out, where somebody hid it."""
        self._prose.hidden = self._prose.hidden or (self._flagged and text.strip() != "")

    def write(self, source: str, number: int) -> None:
        """Write what is visible of some raw HTML that begins in line `number`."""
        place = 0
        while True:
            tag = _TAG.search(source, place)
            end = tag.start() if tag is not None else len(source)
            if self.hides:
                self.note(source[place:end])
            else:
                self._prose.words(html.unescape(source[place:end]), number)
            if tag is None:
                return
            after = tag.end()
            if tag["comment"]:
                close = source.find("-->", after)
                after = len(source) if close < 0 else close + len("-->")
            elif tag["name"]:
                self._tag(tag["name"].lower(), tag["rest"], closes=tag["end"] != "")
            number += source.count("\n", place, after)
            place = after

    def _tag(self, name: str, rest: str, *, closes: bool) -> None:
        if self.hides:
            if name == self._hiding and (closes or name not in _RAW_TEXT):
                self._depth += -1 if closes else 1
                self._hiding = self._hiding if self._depth else ""
        elif closes:
            self._elements.close(name)
        else:
            attributes = {
                key.lower(): html.unescape(value).strip("\"'") for key, value in _ATTRIBUTE.findall(rest)
            }
            style = style_of(attributes)
            self._flagged = hidden(attributes, style) or Look().within(name, attributes, style).hides
            if name not in VOID and (self._flagged or name in SILENT):
                self._hiding, self._depth = name, 1
            else:
                self._elements.open(name, attributes)


_RAW_TEXT = frozenset({"script", "style", "title"})
"""Elements in which a start tag is text."""
