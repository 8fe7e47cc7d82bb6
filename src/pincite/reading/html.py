"""HTML -> Document: what a reader sees of a page, block by block."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from pincite.core.errors import EmptyError, MissingExtraError, TooLargeError
from pincite.core.text import one_line
from pincite.reading._bibliography import Terms, add, add_linked_data, bibliography_of
from pincite.reading._decoding import decode
from pincite.reading._elements import (
    SILENT,
    VOID,
    WHITE,
    Elements,
    background_of,
    hidden,
    style_of,
)
from pincite.reading._prose import Prose, check_bytes

try:
    from selectolax.lexbor import LexborHTMLParser
except ImportError as error:  # pragma: no cover - the tests run with every extra
    what = "Reading HTML"
    raise MissingExtraError(what, "search") from error

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from pincite.core.document import Document
    from pincite.core.limits import Limits

_DECLARED_WITHIN = 4096
"""Bytes in which an encoding may be declared."""

# A declared encoding, in a meta element or an XML declaration: linear, the run before it is bounded.
_DECLARED = re.compile(
    rb"""<(?:meta\b[^<>]{0,300}?\bcharset|\?xml\b[^<>]{0,100}?\bencoding)\s*=\s*["']?([A-Za-z0-9._:-]{2,40})""",
    re.IGNORECASE,
)
# What begins an XHTML file, and an element of it that closes itself: each run stops at the next angle bracket, linear.
_XML = re.compile(r"\s*+<\?xml\s")
_SELF_CLOSED = re.compile(r"<(?P<name>[a-zA-Z][\w:.-]{0,60}+)(?P<rest>(?:\s[^<>]*?)?)/>")
# A tag's beginning or a comment's: linear, one bounded run.
_TAG = re.compile(r"<(?:(?P<comment>!--)|(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]{0,31}))")

_RAW = {
    name: f"</{name}" for name in "script style textarea title xmp noscript iframe noembed noframes".split()
}
"""Elements whose content holds no tags, and where they end."""

# Start tags of these end the element before them, so many of them are no depth.
_UNNESTED = frozenset(
    "a p li dt dd tr td th thead tbody tfoot option optgroup colgroup button rp rt body html head".split()
)
# A parser of HTML opens each of these that was left open again in every block that follows, and so may make the
# square of what it is given. They change nothing here, so it is shown elements without that rule.
_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_AS_PLAIN = "x-"
DEEPEST = 1_000
"""Elements of one kind inside one another: parsers of HTML take time with the square of it (browsers stop at 512)."""
DEEPEST_OF_ALL = 2_000
"""Elements of any kinds inside one another."""

# What is looked at of what a page says of itself, and the vocabularies whose terms are written with a dot.
_META_ELEMENTS, _SCRIPTS = 1_000, 20
_VOCABULARIES = frozenset({"dc", "dcterms", "prism"})

_AROUND = frozenset({"nav", "aside", "footer"})
_CENTRE = frozenset({"main", "article"})
_VERBATIM = frozenset({"pre", "textarea", "xmp", "listing", "plaintext"})


class HtmlReader:
    """Reads HTML. Style sheets are not applied, so text that only they hide is read."""

    name = "html"
    version = "1"
    media_types = ("text/html", "application/xhtml+xml")
    suffixes = (".html", ".htm", ".xhtml")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`: headings, paragraphs, list items, table rows and code, one a block.

        Navigation, asides and footers are left out where text remains without them; hidden text always, with a flag.

        Raises:
            TooLargeError: the file or its text is over a limit, or its elements are nested too deep.
            DamagedError: it holds binary data.
            EmptyError: nothing in it is visible.
        """
        source = source_of(data, name=name, limits=limits)
        page = parsed(source, name)
        try:
            return self.document(page, name, limits, whole=False)
        except EmptyError:
            return self.document(page, name, limits, whole=True)

    def document(self, page: LexborHTMLParser, name: str, limits: Limits, *, whole: bool) -> Document:
        """Return the document of a page; with `whole`, navigation, asides and footers are read too.

        Raises:
            TooLargeError: its text is over a limit.
            EmptyError: nothing in it is visible.
        """
        prose = Prose(name=name, limits=limits)
        _Walk(prose, whole=whole, styled=_has_style_sheet(page)).walk(page.root)
        return prose.document(
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            otherwise=_title(page),
            numbered=False,
            bibliography=bibliography_of(_terms(page)),
        )


def source_of(data: bytes, *, name: str, limits: Limits) -> str:
    """Return the text of an HTML or XHTML file; in XHTML elements that close themselves get the end tag of HTML.

    Raises:
        TooLargeError: the file is over a limit.
        DamagedError: it holds binary data.
    """
    check_bytes(data, name=name, limits=limits)
    declared = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    source = decode(data, name=name, declared=declared[1].decode("ascii") if declared else None)
    return _SELF_CLOSED.sub(_closed, source) if _XML.match(source) is not None else source


def _closed(tag: re.Match[str]) -> str:
    return tag[0] if tag["name"].lower() in VOID else f"<{tag['name']}{tag['rest']}></{tag['name']}>"


def parsed(source: str, name: str) -> LexborHTMLParser:
    """Return the tree of a page, as with scripts: what stands in `noscript` is no part of it.

    Raises:
        TooLargeError: its elements are nested too deep.
    """
    return LexborHTMLParser(_parsable(source, name), scripting=True)


def _parsable(source: str, name: str) -> str:
    """Return `source` as a parser takes it in linear time; comments and scripts in it are passed over.

    Raises:
        TooLargeError: elements are nested deeper than `DEEPEST`. One that was left open counts.
    """
    depths: Counter[str] = Counter()
    depth = 0
    parts: list[str] = []
    copied = place = 0
    lowered: str | None = None
    while (tag := _TAG.search(source, place)) is not None:
        place = tag.end()
        if tag["comment"]:
            place = _after(source, "-->", place)
            continue
        kind = tag["name"].lower()
        if kind in _FORMATTING:
            parts += (source[copied : tag.start("name")], _AS_PLAIN)
            copied = tag.start("name")
        if tag["end"]:
            depth -= depths[kind] > 0
            depths[kind] = max(0, depths[kind] - 1)
        elif kind in _RAW:
            lowered = source.lower() if lowered is None else lowered
            place = _after(lowered, _RAW[kind], place)
        elif kind not in VOID and kind not in _UNNESTED:
            depths[kind] += 1
            depth += 1
            if depth > DEEPEST_OF_ALL or (depths[kind] > DEEPEST and kind not in _FORMATTING):
                msg = f"{one_line(name, 120)} nests more than {DEEPEST:,} elements inside one another."
                raise TooLargeError(msg)
    return "".join((*parts, source[copied:]))


def _after(source: str, end: str, place: int) -> int:
    found = source.find(end, place)
    return len(source) if found < 0 else found + len(end)


def _title(page: LexborHTMLParser) -> str | None:
    """Return the words of the page's title element."""
    node = page.head.first_child if page.head is not None else None
    while node is not None:
        if node.tag == "title":
            return node.text()
        node = node.next
    return None


def _terms(page: LexborHTMLParser) -> Terms:
    """Return what the page says of itself: its language, its meta elements, and the first work in JSON-LD."""
    terms: Terms = {}
    add(terms, "file:language", (page.root.attributes.get("lang") if page.root is not None else "") or "")
    for meta in page.tags("meta")[:_META_ELEMENTS]:
        attributes = meta.attributes
        name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
        if name and (value := attributes.get("content")):
            vocabulary, dot, term = name.partition(".")
            # What `_parsable` put in front of the name of an element stands in words of attributes too.
            value = value.replace(f"<{_AS_PLAIN}", "<").replace(f"</{_AS_PLAIN}", "</")
            add(terms, f"{vocabulary}:{term}" if dot and vocabulary in _VOCABULARIES else name, value)
    scripts = (one for one in page.tags("script") if one.attributes.get("type") == "application/ld+json")
    for script in islice(scripts, _SCRIPTS):
        if "ld:type" not in terms:
            add_linked_data(terms, script.text())
    return terms


def _has_style_sheet(page: LexborHTMLParser) -> bool:
    """Say whether a style sheet may give the page another background than white."""
    links = (link.attributes.get("rel") or "" for link in page.tags("link"))
    return bool(page.tags("style")) or any("stylesheet" in rel.lower() for rel in links)


class _Walk:
    """One pass over the tree, without recursion: nodes to enter and elements to leave wait on a stack."""

    def __init__(self, prose: Prose, *, whole: bool, styled: bool) -> None:
        self._prose = prose
        self._elements = Elements(prose)
        self._whole = whole
        self._backgrounds: list[str | None] = [None if styled else WHITE]
        self._hidden = 0
        self._centres = 0
        self._verbatim = 0

    def walk(self, root: LexborNode | None) -> None:
        """Write the text under `root`."""
        waiting = [(root, False)] if root is not None else []
        while waiting:
            node, entered = waiting.pop()
            if entered:
                self._leave(node.tag or "")
                continue
            if (following := node.next) is not None:
                waiting.append((following, False))
            if node.is_text_node:
                self._text(node.text_content or "")
            elif node.is_element_node and self._enter(node):
                waiting.append((node, True))
                if (child := node.first_child) is not None:
                    waiting.append((child, False))

    def _text(self, text: str) -> None:
        if self._hidden:
            self._prose.hidden = self._prose.hidden or text.strip() != ""
        elif self._verbatim:
            self._prose.verbatim(text)
        else:
            self._prose.words(text)

    def _enter(self, node: LexborNode) -> bool:
        """Begin an element; say whether what is in it is read."""
        tag = node.tag or ""
        if tag in SILENT:
            return False
        if self._hidden:
            self._hidden += 1
            return True
        around = tag in _AROUND and (tag == "nav" or not self._centres)
        if around and not self._whole:
            return False
        attributes = node.attributes
        background = self._backgrounds[-1]
        if attributes:
            style = style_of(attributes)
            background = background_of(attributes, style) or background
            if hidden(attributes, style, background):
                self._hidden = 1
                return True
        self._backgrounds.append(background)
        self._centres += tag in _CENTRE
        self._verbatim += tag in _VERBATIM
        self._elements.open(tag, attributes)
        return True

    def _leave(self, tag: str) -> None:
        if self._hidden:
            self._hidden -= 1
            return
        self._elements.close(tag)
        self._backgrounds.pop()
        self._centres -= tag in _CENTRE
        self._verbatim -= tag in _VERBATIM
