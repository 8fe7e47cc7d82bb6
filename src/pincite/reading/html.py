"""HTML -> Document: what a reader sees of a page, block by block."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pincite.core.errors import EmptyError, MissingExtraError, TooLargeError
from pincite.core.text import one_line
from pincite.reading._bibliography import Terms, add, add_linked_data, bibliography_of
from pincite.reading._decoding import decode
from pincite.reading._elements import SILENT, VOID, Elements
from pincite.reading._printed import LONGEST_LABEL, label_of, raised
from pincite.reading._prose import Prose, check_bytes
from pincite.reading._saved import address_of
from pincite.reading._styles import Look, Sheet, hidden

try:
    from selectolax.lexbor import LexborHTMLParser
except ImportError as error:  # pragma: no cover - the tests run with every extra
    what = "Reading HTML"
    raise MissingExtraError(what, "search") from error

if TYPE_CHECKING:
    from collections.abc import Mapping

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
# One attribute, its name and its value, as parsers of HTML take them. Linear: possessive runs; a quotation mark that is
# never closed is looked for once, since behind it there is none.
_ATTRIBUTE = r"""(?:=[^\s/>=]*+|[^\s/>=]++)(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|(?!["'>])[^\s>]++)?+)?+"""
_NAMED = re.compile(rf"(?=([^\s/>=]*+)){_ATTRIBUTE}")
# A tag up to its end, or a comment's beginning: linear, one bounded run and what is said above.
_TAG = re.compile(
    rf"<(?:(?P<comment>!--)|(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9-]{{0,31}})(?P<rest>(?:[\s/]++|{_ATTRIBUTE})*+))"
)
_LONG_TAG = 4_000
"""Code points of a tag from which on only what is read of it is kept: parsers take the square of its attributes."""
_READ = frozenset(
    "style class id name hidden aria-hidden aria-label bgcolor background color text start value title epub:type role "
    "content property rel href type lang media x y dy".split()
)

_RAW = {
    name: f"</{name}" for name in "script style textarea title xmp noscript iframe noembed noframes".split()
}
_RAW["plaintext"] = "\0"
"""Elements whose content holds no tags, and where they end; the last never does, as no text in normal form has that."""

# Start tags of these end the element before them, so many of them are no depth.
_UNNESTED = frozenset(
    "a p li dt dd tr td th thead tbody tfoot option optgroup colgroup button rp rt body html head".split()
)
_FLAT = _UNNESTED | VOID
# A parser of HTML opens each of these that was left open again in every block that follows, and so may make the
# square of what it is given. They change nothing here, so it is shown elements without that rule.
_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u".split())
_AS_PLAIN = "x-"
_FOREIGN = ("svg", "math")
"""Elements in which, unlike in HTML, others may close themselves."""
DEEPEST = 1_000
"""Elements of one kind inside one another: parsers of HTML take time with the square of it (browsers stop at 512)."""
DEEPEST_OF_ALL = 2_000
"""Elements of any kinds inside one another."""

# What is looked at of what a page says of itself, and the vocabularies whose terms are written with a dot.
_META_ELEMENTS, _SCRIPTS, _SHEETS = 1_000, 20, 1_000
_MOST_NODES = 20
"""Nodes in the mark of a page; one with more holds text of the page."""
_VOCABULARIES = frozenset({"dc", "dcterms", "prism"})

_AROUND = frozenset({"nav", "aside", "footer"})
_CENTRE = frozenset({"main", "article"})
_VERBATIM = frozenset({"pre", "textarea", "xmp", "listing", "plaintext"})


class HtmlReader:
    """Reads HTML. Of style sheets only simple rules in the page itself are applied: see `_styles`."""

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
        url = address_of(page, source)
        try:
            return self.document(page, name, limits, whole=False, url=url)
        except EmptyError:
            return self.document(page, name, limits, whole=True, url=url)

    def document(
        self,
        page: LexborHTMLParser,
        name: str,
        limits: Limits,
        *,
        whole: bool,
        url: str | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> Document:
        """Return the document of a page; with `whole`, navigation, asides and footers are read too.

        `labels` are the labels of printed pages, by the id of the element with which the page begins; the empty one is
        that of the file's beginning.

        Raises:
            TooLargeError: its text is over a limit.
            EmptyError: nothing in it is visible.
        """
        prose = Prose(name=name, limits=limits)
        _Walk(prose, page, whole=whole, labels=labels or {}).walk(page.root)
        return prose.document(
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            otherwise=_title(page),
            numbered=False,
            bibliography=bibliography_of(_terms(page)),
            url=url,
        )


def source_of(data: bytes, *, name: str, limits: Limits, is_xml: bool = False) -> str:
    """Return the text of an HTML or XHTML file; in XHTML elements that close themselves get the end tag of HTML.

    `is_xml` says that it is XHTML, also where it does not begin like it.

    Raises:
        TooLargeError: the file is over a limit.
        DamagedError: it holds binary data.
    """
    check_bytes(data, name=name, limits=limits)
    declared = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    source = decode(data, name=name, declared=declared[1].decode("ascii") if declared else None)
    if not is_xml and _XML.match(source) is None:
        return source
    return _SELF_CLOSED.sub(_closed, _unwrapped(source) if _CDATA in source else source)


_CDATA, _CDATA_END = "<![CDATA[", "]]>"


def _unwrapped(source: str) -> str:
    """Return XHTML with the words of its CDATA sections as HTML has them."""
    before, *sections = source.split(_CDATA)
    parts = [before]
    for section in sections:
        words, end, behind = section.partition(_CDATA_END)
        parts += (words.replace("&", "&amp;").replace("<", "&lt;") if end else words, behind)
    return "".join(parts)


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
        comment, ends, kind = tag.group("comment", "end", "name")
        if comment:
            place = _after(source, "-->", place)
            continue
        kind = kind.lower()
        if kind in _FORMATTING:
            parts += (source[copied : tag.start("name")], _AS_PLAIN)
            copied = tag.start("name")
        if place - tag.start() > _LONG_TAG:
            parts += (source[copied : tag.start("rest")], _shortened(tag["rest"]))
            copied = place
        if ends:
            depth -= depths[kind] > 0
            depths[kind] = max(0, depths[kind] - 1)
        elif kind in _RAW:
            lowered = source.lower() if lowered is None else lowered
            place = _after(lowered, _RAW[kind], place)
        elif kind not in _FLAT and not (source[place - 1] == "/" and any(depths[one] for one in _FOREIGN)):
            depths[kind] += 1
            depth += 1
            if depth > DEEPEST_OF_ALL or (depths[kind] > DEEPEST and kind not in _FORMATTING):
                msg = f"{one_line(name, 120)} nests more than {DEEPEST:,} elements inside one another."
                raise TooLargeError(msg)
    return "".join((*parts, source[copied:]))


def _shortened(rest: str) -> str:
    """Return the attributes of a long tag that are read, the first of each name."""
    read: dict[str, str] = {}
    for attribute in _NAMED.finditer(rest):
        if (name := attribute[1].lower()) in _READ:
            read.setdefault(name, attribute[0])
    return "".join((" ", " ".join(read.values()), " /" if rest.endswith("/") else ""))


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
            add(terms, f"{vocabulary}:{term}" if dot and vocabulary in _VOCABULARIES else name, value)
    scripts = (one for one in page.tags("script") if one.attributes.get("type") == "application/ld+json")
    for script in islice(scripts, _SCRIPTS):
        if "ld:type" not in terms:
            add_linked_data(terms, script.text())
    return terms


def _sheet(page: LexborHTMLParser) -> Sheet:
    """Return the rules of a page's own style sheets."""
    sheet = Sheet()
    for style in page.tags("style")[:_SHEETS]:
        if (style.attributes.get("media") or "all").strip().lower() in {"all", "screen", "only screen"}:
            sheet.add(style.text())
        else:
            sheet.paints = True
    if any("stylesheet" in (link.attributes.get("rel") or "").lower() for link in page.tags("link")):
        sheet.paints = True
    return sheet


def _kind(attributes: Mapping[str, str | None]) -> str:
    """Return what an element says that it is in a book."""
    if "epub:type" not in attributes and "role" not in attributes:
        return ""
    return f"{attributes.get('epub:type') or ''} {attributes.get('role') or ''}".lower()


def _short_words(node: LexborNode) -> str | None:
    """Return the words in the mark of a page; None where these are text of the page."""
    waiting = [node.first_child]
    words = ""
    for _ in range(_MOST_NODES):
        if not waiting:
            return words
        if (inner := waiting.pop()) is not None:
            waiting += (inner.next, inner.first_child)
            words += (inner.text_content or "") if inner.is_text_node else ""
            if len(words.strip()) > LONGEST_LABEL:
                return None
    return None


class _State(NamedTuple):
    """What an element hands down: how text in it looks and if that hides it, is it raised, does it refer to a note."""

    look: Look
    hides: bool = False
    is_raised: bool = False
    is_note: bool = False


class _Walk:
    """One pass over the tree, without recursion: nodes to enter and elements to leave wait on a stack."""

    def __init__(
        self, prose: Prose, page: LexborHTMLParser, *, whole: bool, labels: Mapping[str, str]
    ) -> None:
        self._prose = prose
        self._elements = Elements(prose)
        self._whole = whole
        self._labels = labels
        self._sheet = _sheet(page)
        self._states = [_State(Look(None) if self._sheet.paints else Look())]
        self._hidden = 0
        self._centres = 0
        self._verbatim = 0
        if "" in labels:
            prose.page(labels[""])

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
        state = self._states[-1]
        if self._hidden or state.hides:
            self._prose.hidden = self._prose.hidden or text.strip() != ""
            return
        if state.is_raised or state.is_note:
            text = raised(text, is_note=state.is_note)
        if self._verbatim:
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
        state = self._states[-1]
        if attributes or self._sheet.has_rules:
            style = self._sheet.style(tag, attributes)
            kind = _kind(attributes)
            if (kind or self._labels) and self._begins_page(node, attributes, kind):
                return False
            if hidden(attributes, style):
                self._hidden = 1
                return True
            look = state.look.within(tag, attributes, style)
            if look is not state.look or "noteref" in kind:
                state = _State(look, look.hides, state.is_raised, state.is_note or "noteref" in kind)
        self._states.append(state if tag != "sup" else state._replace(is_raised=True))
        self._centres += tag in _CENTRE
        self._verbatim += tag in _VERBATIM
        self._elements.open(tag, attributes)
        return True

    def _begins_page(self, node: LexborNode, attributes: Mapping[str, str | None], kind: str) -> bool:
        """Tell of a printed page that begins with an element; say whether that is its mark and holds no text."""
        label = (
            self._labels.get(attributes.get("id") or attributes.get("name") or "") if self._labels else None
        )
        is_mark = "pagebreak" in kind
        if not is_mark:
            if label is not None:
                self._prose.page(label)
            return False
        words = _short_words(node)
        self._prose.page(label or label_of(attributes, words or ""))
        return words is not None

    def _leave(self, tag: str) -> None:
        if self._hidden:
            self._hidden -= 1
            return
        self._elements.close(tag)
        self._states.pop()
        self._centres -= tag in _CENTRE
        self._verbatim -= tag in _VERBATIM
