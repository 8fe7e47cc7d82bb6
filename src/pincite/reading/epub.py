"""EPUB -> Document: the chapters in their order, with the titles of the table of contents."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote
from xml.parsers import expat

from pincite.core.bibliography import Bibliography
from pincite.core.document import Flag, Heading, Region
from pincite.core.errors import DamagedError, EmptyError, EncryptedError, ReadingError, TooLargeError
from pincite.core.locators import Locator
from pincite.core.text import one_line
from pincite.reading._bibliography import bibliography_of, terms_of_xml
from pincite.reading._prose import check_bytes, made, too_large_text
from pincite.reading._zips import open_zip
from pincite.reading.html import HtmlReader, parsed, source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selectolax.lexbor import LexborNode

    from pincite.core.document import Document
    from pincite.core.limits import Limits
    from pincite.reading._zips import Zip

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_NCX = "application/x-dtbncx+xml"
# Scrambled fonts hide no words.
_FONTS = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
_DEEPEST = 100
"""Levels of a table of contents."""
_NAMED = 3
"""Files that a flag names."""


class EpubReader:
    """Reads EPUB 2 and 3."""

    name = "epub"
    version = "1"
    media_types = ("application/epub+zip",)
    suffixes = (".epub",)

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the book in `data`: the chapters in the order of its spine, without the table of contents.

        The `part` of a place is the chapter's title in the table of contents, else its first heading. A chapter that
        is missing or cannot be read is left out, with a flag.

        Raises:
            TooLargeError: the file, what it unpacks to, or its text is over a limit.
            DamagedError: it is no book.
            EncryptedError: its chapters are encrypted.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        files = open_zip(data, name=name, limits=limits)
        package = _package(files, name)
        titles = _titles(files, package, name, limits)
        book = _Book(files, name, limits, titles)
        sealed = _sealed(files)
        for path in package.chapters:
            book.add(path, sealed=path in sealed)
        if not book.parts and book.sealed:
            msg = f"{one_line(name, 120)} is encrypted: its chapters need the keys of the shop that sold it."
            raise EncryptedError(msg)
        terms = terms_of_xml(package.source)
        return made(
            "".join(book.parts),
            name=name,
            title=next(iter(terms.get("dc:title", ())), None),
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            limits=limits,
            outline=book.outline,
            flags=tuple(book.flags()),
            line_numbers=(),
            bibliography=bibliography_of(terms).over(Bibliography(type="book")),
            regions=book.regions,
        )


class _Title(NamedTuple):
    words: str
    level: int


@dataclass(slots=True)
class _Package:
    """What the package document says: its bytes, the chapters in order, the two forms of a table of contents."""

    source: bytes
    chapters: list[str] = field(default_factory=list[str])
    navigation: str = ""
    ncx: str = ""


class _Book:
    """The text of a book while it is written."""

    def __init__(self, files: Zip, name: str, limits: Limits, titles: dict[str, _Title]) -> None:
        self.parts: list[str] = []
        self.outline: list[Heading] = []
        self.regions: list[Region] = []
        self.sealed: list[str] = []
        self._files = files
        self._name = name
        self._limits = limits
        self._titles = titles
        self._faults: dict[str, list[str]] = {}
        self._hidden: dict[str, None] = {}
        self._length = 0
        self._part = ""

    def add(self, path: str, *, sealed: bool) -> None:
        """Write the chapter at `path`."""
        if sealed:
            self.sealed.append(path)
            self._fault("encrypted", path)
        elif path not in self._files:
            self._fault("missing", path)
        else:
            try:
                source = source_of(self._files.read(path), name=self._name, limits=self._limits)
                page = HtmlReader().document(parsed(source, self._name), self._name, self._limits, whole=True)
            except EmptyError:
                return
            except TooLargeError:
                # The limits are those of the whole book, but for the depth of one chapter.
                self._fault("too large or nested too deep", path)
            except ReadingError:
                self._fault("damaged", path)
            else:
                self._write(path, page)

    def _write(self, path: str, page: Document) -> None:
        if self.parts:
            self.parts.append("\n\n")
            self._length += 2
        start, end = self._length, self._length + len(page.text)
        if end > self._limits.document_code_points:
            raise too_large_text(self._name, self._limits)
        title = self._titles.get(path)
        if title is not None and not page.outline:
            self.outline.append(Heading(title.words, title.level, start))
        self.outline += [replace(heading, start=start + heading.start) for heading in page.outline]
        heading = page.outline[0].title if page.outline else ""
        # A chapter may be cut into several files: what has no name of its own belongs to the one before.
        self._part = (title.words if title is not None else heading) or self._part or path.rpartition("/")[2]
        self.regions.append(Region(start, end, Locator(part=self._part)))
        self._hidden |= dict.fromkeys(flag.reason for flag in page.flags)
        self.parts.append(page.text)
        self._length = end

    def _fault(self, what: str, path: str) -> None:
        self._faults.setdefault(what, []).append(one_line(path.rpartition("/")[2], 60))

    def flags(self) -> Iterator[Flag]:
        """Yield what a person should know."""
        for what, paths in self._faults.items():
            more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
            yield Flag(None, f"chapters were left out that are {what}: {', '.join(paths[:_NAMED])}{more}")
        for reason in self._hidden:
            yield Flag(None, reason)


def _package(files: Zip, name: str) -> _Package:
    """Return what the package document says.

    Raises:
        DamagedError: there is none, or it names no chapters.
    """
    path = _package_path(files)
    if path is None:
        msg = f"{one_line(name, 120)} is damaged: it has no package document, so it is no EPUB."
        raise DamagedError(msg)
    package = _Package(files.read(path))
    items: dict[str, tuple[str, str]] = {}
    spine: list[str] = []

    def element(tag: str, attributes: dict[str, str]) -> None:
        if tag == "item":
            place, kind = (
                _path(path, attributes.get("href", "")),
                attributes.get("media-type", "").strip().lower(),
            )
            items[attributes.get("id", "")] = (place, kind)
            if "nav" in attributes.get("properties", "").split():
                package.navigation = place
            if kind == _NCX:
                package.ncx = place
        elif tag == "itemref":
            spine.append(attributes.get("idref", ""))

    _parse(package.source, element)
    named = [items[one] for one in spine if one in items] or list(items.values())
    pages = [place for place, kind in named if kind in _PAGES and place != package.navigation]
    package.chapters = list(dict.fromkeys(pages))
    if not package.chapters:
        msg = f"{one_line(name, 120)} is damaged: its package document names no chapters."
        raise DamagedError(msg)
    return package


def _package_path(files: Zip) -> str | None:
    """Return the name of the package document; None where there is none."""
    found: list[str] = []

    def rootfile(tag: str, attributes: dict[str, str]) -> None:
        if tag == "rootfile":
            found.append(attributes.get("full-path", ""))

    if _CONTAINER in files:
        _parse(files.read(_CONTAINER), rootfile)
    found += [path for path in files.names() if path.lower().endswith(".opf")]
    return next((path for path in found if path in files), None)


def _sealed(files: Zip) -> frozenset[str]:
    """Return the files that are encrypted, scrambled fonts left out."""
    found: list[str] = []
    methods = [""]

    def element(tag: str, attributes: dict[str, str]) -> None:
        if tag == "EncryptedData":
            methods[0] = ""
        elif tag == "EncryptionMethod":
            # The method of a key inside of it comes after that of the data.
            methods[0] = methods[0] or attributes.get("Algorithm", "")
        elif tag == "CipherReference" and methods[0] not in _FONTS:
            found.append(normpath(unquote(attributes.get("URI", "")).lstrip("/")))

    if _ENCRYPTION in files:
        _parse(files.read(_ENCRYPTION), element)
    return frozenset(found)


def _titles(files: Zip, package: _Package, name: str, limits: Limits) -> dict[str, _Title]:
    """Return the titles that the table of contents gives to files, the first one of each."""
    titles: dict[str, _Title] = {}
    found: Iterator[tuple[str, str, int]] = iter(())
    try:
        if package.navigation in files:
            source = source_of(files.read(package.navigation), name=name, limits=limits)
            found = _navigation(parsed(source, name).root)
            place = package.navigation
        elif package.ncx in files:
            found = iter(_ncx(files.read(package.ncx)))
            place = package.ncx
        else:
            return titles
    except ReadingError:
        return titles
    for target, words, level in found:
        if words := one_line(words, limits.title_code_points):
            titles.setdefault(_path(place, target), _Title(words, level))
    return titles


def _navigation(root: LexborNode | None) -> Iterator[tuple[str, str, int]]:
    """Yield target, words and level of each entry of a navigation document's table of contents."""
    waiting = [(root, 0, False)] if root is not None else []
    while waiting:
        node, level, inside = waiting.pop()
        if (following := node.next) is not None:
            waiting.append((following, level, inside))
        tag = node.tag or ""
        if tag == "nav":
            kind = (node.attributes.get("epub:type") or node.attributes.get("role") or "toc").lower()
            inside = "toc" in kind
        elif tag == "ol":
            level += 1
        if inside and tag == "a":
            yield node.attributes.get("href") or "", node.text(), min(max(level, 1), _DEEPEST)
        elif (child := node.first_child) is not None:
            waiting.append((child, level, inside))


def _ncx(source: bytes) -> list[tuple[str, str, int]]:
    """Return target, words and level of each entry of a table of contents of EPUB 2."""
    found: list[tuple[str, str, int]] = []
    labels: list[list[str]] = []
    state = {"text": False}

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "navPoint":
            labels.append([])
        elif tag == "content" and labels:
            found.append((attributes.get("src", ""), "".join(labels[-1]), min(len(labels), _DEEPEST)))
        state["text"] = tag == "text"

    def end(tag: str) -> None:
        state["text"] = False
        if tag == "navPoint" and labels:
            labels.pop()

    def text(words: str) -> None:
        if state["text"] and labels:
            labels[-1].append(words)

    _parse(source, start, end, text)
    return found


class _EntityError(Exception):
    """A document declares entities."""


def _refuse(*_: object) -> None:
    raise _EntityError


def _parse(
    source: bytes,
    start: Callable[[str, dict[str, str]], None],
    end: Callable[[str], None] | None = None,
    text: Callable[[str], None] | None = None,
) -> None:
    """Tell of the elements of an XML document, by their names without a namespace, until it breaks.

    A document that declares entities is not read further, so nothing in it expands.
    """
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = lambda tag, attributes: start(
        tag.rpartition(" ")[2], {name.rpartition(" ")[2]: value for name, value in attributes.items()}
    )
    if end is not None:
        parser.EndElementHandler = lambda tag: end(tag.rpartition(" ")[2])
    if text is not None:
        parser.CharacterDataHandler = text
    parser.EntityDeclHandler = _refuse
    try:
        parser.Parse(source, True)
    except (expat.ExpatError, _EntityError, LookupError, ValueError):
        return


def _path(place: str, target: str) -> str:
    """Return the name in the zip of what the file at `place` calls `target`."""
    return normpath(join(dirname(place), unquote(target.partition("#")[0])))
