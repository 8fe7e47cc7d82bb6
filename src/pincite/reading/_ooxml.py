"""The packages of Word, PowerPoint and Excel (ECMA-376, part 2): parts, relationships, XML, what a file says of itself.

XML is read by expat, and no document type is allowed: there are no entities, and nothing outside of the file is read.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from pincite.core.bibliography import NO_BIBLIOGRAPHY
from pincite.core.errors import DamagedError, TooLargeError
from pincite.core.text import one_line
from pincite.reading._bibliography import Terms, add, bibliography_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pincite.core.bibliography import Bibliography
    from pincite.reading._zips import Zip

DEEPEST = 256
"""Elements inside one another; the office programs themselves stay far below."""
_SMALL_PART = 16 * 1024 * 1024
"""Bytes of a part that says how the others are put together."""
_LONGEST_PROPERTY = 2_000
"""Code points of one property that are looked at."""

_OFFICE = "http://schemas.openxmlformats.org/"
_STRICT = "http://purl.oclc.org/ooxml/"
_PREFIXES = {
    **{
        f"{where}{path}": prefix
        for prefix, path in {
            "w": "wordprocessingml/2006/main",
            "a": "drawingml/2006/main",
            "c": "drawingml/2006/chart",
            "dgm": "drawingml/2006/diagram",
            "p": "presentationml/2006/main",
            "s": "spreadsheetml/2006/main",
            "r": "officeDocument/2006/relationships",
            "m": "officeDocument/2006/math",
            "mc": "markup-compatibility/2006",
            "rel": "package/2006/relationships",
            "cp": "package/2006/metadata/core-properties",
        }.items()
        for where, path in ((_OFFICE, path), (_STRICT, path.replace("/2006", "")))
    },
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "urn:schemas-microsoft-com:vml": "v",
}
"""Prefixes that stand for namespaces here, whatever a file calls them; names without a namespace have none."""


class Names(dict[str, str]):
    """Qualified names as expat gives them (`namespace}local`) -> `prefix:local`; unknown namespaces have `?`."""

    def __missing__(self, name: str) -> str:
        namespace, _, local = name.rpartition("}")
        short = f"{_PREFIXES.get(namespace, '?')}:{local}" if namespace else local
        self[name] = short
        return short


class Relationship(NamedTuple):
    """What a part refers to: the last word of the kind (`styles`), and the name of the part."""

    kind: str
    target: str


def parser(label: str) -> expat.XMLParserType:
    """Return a parser of XML that refuses document types; names come as `namespace}local`.

    `parse` feeds it.
    """
    made = expat.ParserCreate(namespace_separator="}")
    made.buffer_text = True

    def refuse(*_: object) -> None:
        msg = f"{label} holds a document type, which office files must not have."
        raise DamagedError(msg)

    made.StartDoctypeDeclHandler = refuse
    return made


def parse(made: expat.XMLParserType, pieces: Iterable[bytes], label: str) -> Iterator[None]:
    """Feed `pieces` to a parser; go on once after each.

    Raises:
        DamagedError: it is no XML.
    """
    try:
        for piece in pieces:
            made.Parse(piece, False)
            yield
        made.Parse(b"", True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        # ValueError, LookupError: an encoding that Python or expat does not know.
        msg = f"{label} is damaged: a part of it is no XML."
        raise DamagedError(msg) from error
    yield


class Stream:
    """The children of the first element `parent` of a part, each handed out whole and then forgotten.

    Elements and attributes are named as in `_PREFIXES`. What stands before `parent` is kept under `root`. Iterating
    raises what `Zip.pieces` raises, and `TooLargeError` where elements are nested deeper than `DEEPEST`, or there are
    more than `most`, if given.
    """

    def __init__(
        self, pieces: Iterable[bytes], label: str, parent: str | None = None, *, most: int | None = None
    ) -> None:
        self.root: Element | None = None
        self._label = label
        self._parent = parent
        self._pieces = pieces
        self._builder = TreeBuilder()
        self._names = Names()
        self._ready: list[Element] = []
        self._within: Element | None = None
        self._depth = self._level = 0
        self._most = most
        self._left = -1 if most is None else most

    def __iter__(self) -> Iterator[Element]:
        made = parser(self._label)
        made.StartElementHandler = self._start
        made.EndElementHandler = self._end
        made.CharacterDataHandler = self._builder.data
        for _ in parse(made, self._pieces, self._label):
            ready, self._ready = self._ready, []
            yield from ready

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            msg = f"{self._label} nests more than {DEEPEST} elements inside one another."
            raise TooLargeError(msg)
        if not self._left:
            msg = f"{self._label} has a part of more than {self._most:,} elements."
            raise TooLargeError(msg)
        self._left -= 1
        names = self._names
        short = names[name]
        if attributes:
            attributes = {names[key]: value for key, value in attributes.items()}
        element = self._builder.start(short, attributes)
        if self.root is None:
            self.root = element
        if short == self._parent and self._within is None:
            self._within, self._level = element, self._depth

    def _end(self, name: str) -> None:
        element = self._builder.end(self._names[name])
        self._depth -= 1
        if self._within is not None and self._depth == self._level:
            self._ready.append(element)
            self._within.clear()


class Package:
    """The parts of one package; every name in it is a key in the zip, never a path.

    A part of more than `elements` elements is too large; without it there may be as many as fit.
    """

    def __init__(self, files: Zip, *, name: str, elements: int | None = None) -> None:
        self._elements = elements
        self.label = one_line(name, 120)
        self._files = files
        self._names = {key.casefold(): key for key in reversed(files.names())}

    def __contains__(self, part: str) -> bool:
        return part.casefold() in self._names

    def pieces(self, part: str, most: int | None = None) -> Iterator[bytes]:
        """Yield the bytes of a part; raises what `Zip.pieces` raises."""
        # Names of parts are the same in any case (ECMA-376, part 2, 6.2.2.3).
        return self._files.pieces(self._names.get(part.casefold(), part), most)

    def xml(self, part: str, most: int | None = None) -> Element:
        """Return the root of a part; its elements and attributes are named as in `_PREFIXES`."""
        stream = Stream(self.pieces(part, most), self.label, most=self._elements)
        for _ in stream:
            pass
        if stream.root is None:  # pragma: no cover - expat refuses a text without a root
            raise DamagedError(self.label)
        return stream.root

    def stream(self, part: str, parent: str) -> Stream:
        """Return the children of the first element `parent` of a part, one by one while it is read."""
        return Stream(self.pieces(part), self.label, parent, most=self._elements)

    def relationships(self, part: str = "") -> dict[str, Relationship]:
        """Return what a part refers to inside of the package, by id; `""` is the package itself."""
        folder, _, file = part.rpartition("/")
        source = posixpath.join(folder, "_rels", f"{file}.rels")
        if source not in self:
            return {}
        found: dict[str, Relationship] = {}
        for element in self.xml(source, _SMALL_PART):
            target = element.get("Target", "")
            if element.get("TargetMode") != "External" and target:
                kind = element.get("Type", "").rpartition("/")[2]
                place = posixpath.normpath(posixpath.join("/", folder, unquote(target).replace("\\", "/")))
                found[element.get("Id", "")] = Relationship(kind, place.lstrip("/"))
        return found

    def main(self) -> str:
        """Return the name of the part that holds the document.

        Raises:
            DamagedError: there is none.
        """
        target = self.first(self.relationships(), "officeDocument")
        if target is None:
            msg = f"{self.label} is damaged: it does not say where its document is."
            raise DamagedError(msg)
        return target

    def first(self, relationships: dict[str, Relationship], kind: str) -> str | None:
        """Return the name of the first part of a kind that is there."""
        return next(
            (one.target for one in relationships.values() if one.kind == kind and one.target in self), None
        )

    def properties(self) -> tuple[str | None, Bibliography]:
        """Return the title and the bibliographic fields that the package gives itself."""
        part = self.first(self.relationships(), "core-properties")
        if part is None:
            return None, NO_BIBLIOGRAPHY
        terms: Terms = {}
        for element in self.xml(part, _SMALL_PART):
            if (text := (element.text or "").strip()) and len(text) <= _LONGEST_PROPERTY:
                add(terms, _TERMS.get(element.tag, element.tag), text)
        title = next(iter(terms.get("dc:title", ())), None)
        return (None if title is None or title.casefold() in _NO_TITLES else title), bibliography_of(terms)


_TERMS = {"dc:creator": "info:author", "dcterms:created": "file:created", "dcterms:modified": "file:modified"}
"""Properties that mean something else than their names: the creator of an office file is often its machine's owner."""
_NO_TITLES = frozenset(
    {"powerpoint presentation", "powerpoint-präsentation", "présentation powerpoint", "word document"}
)
"""Titles that the office programs give by themselves."""


def local(tag: str) -> str:
    """Return a tag's name without its prefix."""
    return tag.rpartition(":")[2]


def first_choice(element: Element) -> Element | None:
    """Return the first way of several (`mc:AlternateContent`) in which something is written; they say the same."""
    return next((one for one in element if one.tag in {"mc:Choice", "mc:Fallback"}), None)
