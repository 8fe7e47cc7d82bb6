"""EPUB -> Document: the chapters in their order, with the titles of the table of contents and the printed pages.

One bad chapter loses no other, and a book whose package document is broken is read file by file.
"""

from __future__ import annotations

import re
from contextlib import suppress
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
from pincite.reading._printed import page_label
from pincite.reading._prose import check_bytes, made
from pincite.reading._regions import Regions
from pincite.reading._zips import open_zip
from pincite.reading.html import HtmlReader, parsed, source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selectolax.lexbor import LexborNode

    from pincite.core.document import Document
    from pincite.core.limits import Limits
    from pincite.reading._zips import Zip

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_PAGES = frozenset(
    {
        "application/xhtml+xml",
        "text/html",
        "application/x-dtbook+xml",
        "text/x-oeb1-document",
        "text/xml",
        "application/xml",
        "image/svg+xml",
    }
)
"""Media types of chapters; the last is a page that is drawn, whose words are read."""
_NCX = "application/x-dtbncx+xml"
_SUFFIXES = (".xhtml", ".html", ".htm", ".xht")
_DIGITS = re.compile(r"(\d{1,18})")  # linear: one bounded run
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

        The `part` of a place is the chapter's title in the table of contents, else its first heading, its `page_label`
        that of the printed page, where the book marks these. A chapter that is missing, too large or cannot be read is
        left out, with a flag; where the package document is broken, the files are read in the order of their names.

        Raises:
            TooLargeError: the file is over a limit, or every chapter is.
            DamagedError: it is no book, or no chapter can be read.
            EncryptedError: its chapters are encrypted.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        files = open_zip(data, name=name, limits=limits)
        package = _package(files, name)
        titles, labels = _contents(files, package, name, limits)
        book = _Book(files, name, limits, titles, labels)
        sealed = _sealed(files)
        for path in package.chapters:
            book.add(path, sealed=path in sealed)
        for what, one in package.lost:
            book.fault(what, one)
        if not book.parts:
            book.refuse()
        terms = terms_of_xml(package.source)
        return made(
            "".join(book.parts),
            name=name,
            title=next(iter(terms.get("dc:title", ())), None),
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            limits=limits,
            outline=book.outline,
            flags=(*package.flags, *book.flags()),
            line_numbers=(),
            bibliography=bibliography_of(terms).over(Bibliography(type="book")),
            regions=book.regions(),
        )


class _Title(NamedTuple):
    words: str
    level: int


@dataclass(slots=True)
class _Package:
    """What the package document says: its bytes, the chapters in order, the two forms of a table of contents.

    `lost` are chapters that cannot even be looked for, with what they are.
    """

    source: bytes = b""
    chapters: list[str] = field(default_factory=list[str])
    lost: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    flags: tuple[Flag, ...] = ()
    navigation: str = ""
    ncx: str = ""


class _Book:
    """The text of a book while it is written."""

    def __init__(
        self,
        files: Zip,
        name: str,
        limits: Limits,
        titles: dict[str, _Title],
        labels: dict[str, dict[str, str]],
    ) -> None:
        self.parts: list[str] = []
        self.outline: list[Heading] = []
        self._regions: Regions[Locator] = Regions(Locator.joined)
        self._files = files
        self._name = name
        self._limits = limits
        self._titles = titles
        self._labels = labels
        self._faults: dict[str, list[str]] = {}
        self._hidden: dict[str, None] = {}
        self._length = 0
        self._part = ""
        self._label: str | None = None

    def add(self, path: str, *, sealed: bool) -> None:
        """Write the chapter at `path`."""
        if sealed:
            self.fault(_SEALED, path)
        elif path not in self._files:
            self.fault("missing", path)
        else:
            try:
                page = self._read(path)
            except EmptyError:
                return
            except TooLargeError:
                self.fault(_TOO_LARGE, path)
            except ReadingError:
                self.fault("damaged", path)
            except Exception:  # noqa: BLE001 - whatever one chapter does to its parser, memory included, is its own
                self.fault("not readable", path)
            else:
                self._write(path, page)

    def _read(self, path: str) -> Document:
        source = source_of(
            self._files.read(path, self._limits.chapter_bytes),
            name=self._name,
            limits=self._limits,
            is_xml=True,
        )
        labels = self._labels.get(path)
        return HtmlReader().document(
            parsed(source, self._name), self._name, self._limits, whole=True, labels=labels
        )

    def _write(self, path: str, page: Document) -> None:
        between = "\n\n" if self.parts else ""
        start = self._length + len(between)
        if start + len(page.text) > self._limits.document_code_points:
            self.fault(_TOO_LARGE, path)
            return
        title = self._titles.get(path)
        if title is not None and not page.outline:
            self.outline.append(Heading(title.words, title.level, start))
        self.outline += [replace(heading, start=start + heading.start) for heading in page.outline]
        heading = page.outline[0].title if page.outline else ""
        # A chapter may be cut into several files: what has no name of its own belongs to the one before.
        self._part = (title.words if title is not None else heading) or self._part or path.rpartition("/")[2]
        # A printed page goes on over the beginning of the next file, if that marks where it ends.
        marks = [(region.start, region.locator.page_label) for region in page.regions]
        if marks and marks[0][1] is None:
            marks[0] = (0, self._label)
        for place, label in marks or [(0, None)]:
            self._regions.add(start + place, Locator(part=self._part, page_label=label))
        self._label = marks[-1][1] if marks else None
        self._hidden |= dict.fromkeys(flag.reason for flag in page.flags)
        self.parts += (between, page.text)
        self._length = start + len(page.text)

    def regions(self) -> tuple[Region, ...]:
        """Return the places of what was written."""
        return self._regions.regions(self._length, _as_it_is)

    def fault(self, what: str, path: str) -> None:
        """Remember a chapter that was left out."""
        self._faults.setdefault(what, []).append(one_line(path.rpartition("/")[2], 60))

    def flags(self) -> Iterator[Flag]:
        """Yield what a person should know."""
        for what, paths in self._faults.items():
            more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
            yield Flag(None, f"chapters were left out that are {what}: {', '.join(paths[:_NAMED])}{more}")
        for reason in self._hidden:
            yield Flag(None, reason)

    def refuse(self) -> None:
        """Say why there is nothing in the book, where its chapters were left out.

        Raises:
            EncryptedError: some are encrypted.
            TooLargeError: some are too large.
            DamagedError: they are missing or cannot be read.
        """
        label = one_line(self._name, 120)
        if _SEALED in self._faults:
            msg = f"{label} is encrypted: its chapters need the keys of the shop that sold it."
            raise EncryptedError(msg)
        if _TOO_LARGE in self._faults:
            msg = f"{label} unpacks to more than is allowed: its chapters are {_TOO_LARGE}."
            raise TooLargeError(msg)
        if self._faults:
            msg = f"{label} is damaged: its chapters are {', '.join(self._faults)}."
            raise DamagedError(msg)


_SEALED = "encrypted"
_TOO_LARGE = "too large or nested too deep"


def _as_it_is(place: Locator) -> Locator:
    return place


class _Item(NamedTuple):
    """A file that the package document lists: its name in the zip, its media type, and the item to be read instead."""

    path: str
    kind: str
    instead: str


def _package(files: Zip, name: str) -> _Package:
    """Return what the package document says; where it is broken, with all the files that may be chapters.

    Raises:
        DamagedError: there is no package document, or there are no chapters.
    """
    package = _Package()
    path = _package_path(files)
    if path is None:
        msg = f"{one_line(name, 120)} is damaged: it has no package document, so it is no EPUB."
        raise DamagedError(msg)
    items: dict[str, _Item] = {}
    spine: list[str] = []

    def element(tag: str, attributes: dict[str, str]) -> None:
        if tag == "item":
            item = _item(path, attributes)
            items[attributes.get("id", "")] = item
            if "nav" in attributes.get("properties", "").split():
                package.navigation = item.path
            if item.kind == _NCX:
                package.ncx = item.path
        elif tag == "itemref":
            spine.append(attributes.get("idref", ""))

    with suppress(DamagedError):
        package.source = files.read(path)
    is_whole = _parse(package.source, element)
    chapters = [chapter for one in spine if (chapter := _chapter(one, items, package)) is not None]
    if not is_whole:
        package.flags = (Flag(None, "the book's package document is damaged: its files may be out of order"),)
        chapters += sorted(filter(_is_page, files.names()), key=_by_name)
    elif not spine:
        package.flags = (Flag(None, "the book does not say in which order its chapters are read"),)
        chapters += [item.path for item in items.values() if item.kind in _PAGES]
        chapters = chapters or sorted(filter(_is_page, files.names()), key=_by_name)
    package.chapters = [one for one in dict.fromkeys(chapters) if one != package.navigation]
    if not package.chapters and not package.lost:
        msg = f"{one_line(name, 120)} is damaged: its package document names no chapters."
        raise DamagedError(msg)
    return package


def _item(place: str, attributes: dict[str, str]) -> _Item:
    kind = attributes.get("media-type", "").partition(";")[0].strip().lower()
    return _Item(_path(place, attributes.get("href", "")), kind, attributes.get("fallback", ""))


def _chapter(one: str, items: dict[str, _Item], package: _Package) -> str | None:
    """Return the file of a chapter; None for one that is not listed or of a kind that is not read, which is noted."""
    item = items.get(one)
    if item is None:
        package.lost.append(("not in its list of files", one or "without a name"))
        return None
    for _ in range(_DEEPEST):
        if item.kind in _PAGES:
            return item.path
        instead = items.get(item.instead)
        if instead is None:
            break
        item = instead
    # What has a type that nobody knows is told by its name.
    if _is_page(item.path):
        return item.path
    package.lost.append((f"of type {one_line(item.kind, 60) or 'unknown'}", item.path))
    return None


def _is_page(path: str) -> bool:
    return path.lower().endswith(_SUFFIXES)


def _by_name(path: str) -> list[tuple[int, str]]:
    """Return what files are sorted by, so that `10` comes after `9`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(path)]


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


def _contents(
    files: Zip, package: _Package, name: str, limits: Limits
) -> tuple[dict[str, _Title], dict[str, dict[str, str]]]:
    """Return the titles that the table of contents gives to files, the first of each, and the list of printed pages.

    The latter are labels by file and id of the element with which the page begins, empty for the file's beginning.
    """
    titles: dict[str, _Title] = {}
    labels: dict[str, dict[str, str]] = {}
    # The older form of the contents says what the newer one does not.
    for place, entries in (
        (package.navigation, lambda: _navigation(_tree(files, package, name, limits))),
        (package.ncx, lambda: _ncx(files.read(package.ncx, limits.chapter_bytes))),
    ):
        has_titles, has_labels = bool(titles), bool(labels)
        try:
            found = list(entries()) if place in files else []
        except (ReadingError, MemoryError, RecursionError):
            continue
        for target, words, level in found:
            path = _path(place, target)
            if level == _PAGE:
                if not has_labels and (label := page_label(words)):
                    labels.setdefault(path, {}).setdefault(unquote(target.partition("#")[2]), label)
            elif not has_titles and (title := one_line(words, limits.title_code_points)):
                titles.setdefault(path, _Title(title, level))
    return titles, labels


_PAGE = 0
"""The level of an entry that names a printed page."""


def _tree(files: Zip, package: _Package, name: str, limits: Limits) -> LexborNode | None:
    data = files.read(package.navigation, limits.chapter_bytes)
    return parsed(source_of(data, name=name, limits=limits, is_xml=True), name).root


def _navigation(root: LexborNode | None) -> Iterator[tuple[str, str, int]]:
    """Yield target, words and level of each entry of a navigation document's table of contents and list of pages."""
    waiting: list[tuple[LexborNode, int, str]] = [(root, 0, "")] if root is not None else []
    while waiting:
        node, level, inside = waiting.pop()
        if (following := node.next) is not None:
            waiting.append((following, level, inside))
        tag = node.tag or ""
        if tag == "nav":
            inside = (node.attributes.get("epub:type") or node.attributes.get("role") or "toc").lower()
        elif tag == "ol":
            level += 1
        is_page = "page" in inside
        if tag == "a" and (is_page or "toc" in inside):
            yield (
                node.attributes.get("href") or "",
                node.text(),
                _PAGE if is_page else min(max(level, 1), _DEEPEST),
            )
        elif (child := node.first_child) is not None:
            waiting.append((child, level, inside))


def _ncx(source: bytes) -> list[tuple[str, str, int]]:
    """Return target, words and level of each entry of a table of contents of EPUB 2, and of its list of pages."""
    found: list[tuple[str, str, int]] = []
    labels: list[list[str]] = []
    state = {"text": False, "page": False}

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag in {"navPoint", "pageTarget"}:
            labels.append([])
            state["page"] = tag == "pageTarget"
        elif tag == "content" and labels:
            level = _PAGE if state["page"] else min(len(labels), _DEEPEST)
            found.append((attributes.get("src", ""), "".join(labels[-1]), level))
        state["text"] = tag == "text"

    def end(tag: str) -> None:
        state["text"] = False
        if tag in {"navPoint", "pageTarget"} and labels:
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
) -> bool:
    """Tell of the elements of an XML document, by their names without a namespace; say whether it does not break.

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
        return False
    return True


def _path(place: str, target: str) -> str:
    """Return the name in the zip of what the file at `place` calls `target`."""
    return normpath(join(dirname(place), unquote(target.partition("#")[0])))
