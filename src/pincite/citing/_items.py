"""Items of other systems read as hits: under which names each keeps its text, its address, its title and its page.

LangChain's documents have `page_content` and `metadata`, LlamaIndex's nodes `text` or `get_content()`, `metadata` and
`ref_doc_id`, and come inside an item with a score; Haystack's have `content` and `meta`. A mapping may have any of
these names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from pincite._quick import maker
from pincite.citing._fields import first_of, reader_of
from pincite.citing.registered import CONTENT_FIELDS, RegisteredHit, is_ours, is_row, text_of
from pincite.core.errors import InputError
from pincite.core.hit import Hit
from pincite.core.ids import chunk_id, foreign_id, is_uuid, parse_evidence_id, version_of_normal
from pincite.core.locators import Locator
from pincite.core.text import normalise
from pincite.core.verdicts import Confidence

if TYPE_CHECKING:
    from pincite.citing._fields import Reader
    from pincite.core.refs import RefIssuer

NOWHERE = Locator()
"""The place of what has none: this very object."""

# Names under which other systems keep the same thing, tried in order; those of metadata after the item's own. What is
# called a URL may be a path of a site; any other path that begins at a root is of somebody's disk.
_URLS = ("source_url", "url")
_ADDRESS = (*_URLS, "source_uri")
_META_ADDRESS = (*_ADDRESS, "source")
_ID = ("id", "chunk_id", "node_id", "id_")
_META_DOCUMENT = ("document_id", "doc_id", "source_id")
_META_FILE = ("file_path", "file_name", "filename")
_META_TITLE = ("title", "file_name", "filename", "name")

# Fields of a locator that metadata may have by the same names: numbers from 1, and words.
_PLACES: dict[str, type] = {
    **dict.fromkeys(("line", "line_end", "slide", "slide_end", "paragraph", "paragraph_end"), int),
    **dict.fromkeys(("sheet", "cells", "pointer", "part"), str),
}

# How a path of a disk begins whatever it is called: with `file:`, a drive or a share. Fixed width, linear.
_ON_DISK = re.compile(r"(?i)file:|[a-z]:[\\/]|\\\\")
# A root, and the home of somebody.
_ROOTS = ("/", "~")
# What stands before the last name of a path: one run to the last separator, linear.
_FOLDERS = re.compile(r"(?s).*[/\\]")

_hit = maker(Hit)
_UUID_LENGTH = 36
_PAIR = 2
_CONFIDENCES = tuple(Confidence)


def hit_of(item: object, refs: RefIssuer) -> Hit:
    """Return `item` as a hit: one of ours as it is, a mapping or object of another system translated.

    An item from elsewhere needs text (`content`, `text` or `page_content`) and an address (`source_url`, `url`,
    `source_uri`), a file or an id (`id`, `chunk_id`, `node_id`); its passage id is made from these. Of an item that
    wraps a `node` the node counts, of a pair with a score the item. A registered hit is the passage that it was. A
    path of a disk names the document and never becomes an address of the hit.

    Raises:
        InputError: it has no text, or nothing to name it by.
    """
    if isinstance(item, Hit):
        return item
    if isinstance(item, RegisteredHit):
        return _again(item, refs)
    # Each field is read where it is wanted, and the likely name first: thousands of hits pass here.
    value = _reader(item)
    content = value("content") or first_of(value, CONTENT_FIELDS) or _said(value)
    if not isinstance(content, str) or not content or content.isspace():
        msg = "A hit needs its text as `content`, `text` or `page_content`."
        raise InputError(msg, field="content")
    metadata = _metadata(value)
    address, path = _origin(value, metadata)
    own_id = _text(value("id") or first_of(value, _ID))
    document = _text(value("document_id")) or address or _document(value, metadata, path) or own_id
    if document is None:
        msg = "A hit needs an address (`source_url`, `url`, `source_uri`) or an `id`."
        raise InputError(msg, field="id")
    text = content if _is_plain(content) else normalise(content)
    if len(document) != _UUID_LENGTH or not is_uuid(document):
        document = foreign_id(document)
    own = own_id is not None and len(own_id) == _UUID_LENGTH and is_uuid(own_id)
    chunk = own_id if own and own_id is not None else chunk_id(document, text)
    collection, confidence = "", None
    if value("collection") and isinstance(item, Mapping) and is_row(cast("Mapping[str, object]", item)):
        collection, confidence = str(value("collection")), _confidence(value("confidence"))
    return _hit(
        refs.issue(chunk),
        chunk,
        document,
        text,
        address or "",
        collection,
        metadata,
        confidence,
        _title(value, metadata, path),
        version_of_normal(text),
        _locator(metadata) if metadata else NOWHERE,
        0,
        len(text),
    )


def _is_plain(text: str) -> bool:
    """Say whether `normalise` leaves a text as it is, told at a glance."""
    return text.isascii() and "\r" not in text and "\x00" not in text


def _again(entry: RegisteredHit, refs: RefIssuer) -> Hit:
    """Return the passage of a registered hit, which may have been kept over a restart."""
    found, known = entry.search_hit, entry.known
    if isinstance(found, Hit):
        return found
    text = known.text or text_of(entry.context_hit, CONTENT_FIELDS)
    if known.chunk_id is None or known.evidence_id is None or not text:
        item = {"content": text, "title": known.title, "id": entry.citation_key, "url": entry.evidence_url}
        return hit_of(item, refs)
    value = _reader(found)
    metadata = _metadata(value)
    address = _origin(value, metadata)[0] or entry.evidence_url
    collection = str(found["collection"]) if is_ours(entry) else ""
    return _hit(
        known.ref or refs.issue(known.chunk_id),
        known.chunk_id,
        known.document_id or "",
        text,
        address or "",
        collection,
        metadata,
        known.confidence,
        known.title,
        parse_evidence_id(known.evidence_id).version,
        known.locator,
        0,
        # Where our passages stand in their documents is not kept with a conversation.
        0 if collection else len(text),
    )


def _reader(item: object) -> Reader:
    """Return what reads a field of an item, of the item that a score was put beside, or of the node that it wraps."""
    # A dictionary is told sooner than any mapping.
    if isinstance(item, dict) or isinstance(item, Mapping):  # noqa: SIM101
        return cast("Mapping[str, object]", item).get
    kind = type(item)
    if kind is tuple:
        return _reader(_scored(cast("tuple[object, ...]", item)))
    node = getattr(item, "node", None)
    return reader_of(item if node is None else node)


def _scored(pair: tuple[object, ...]) -> object:
    """Return what is first in a pair with a score; of any other tuple, nothing."""
    return pair[0] if len(pair) == _PAIR and isinstance(pair[1], int | float) else None


def _said(value: Reader) -> object:
    """Return what an item says that has no field for its text and is asked for it."""
    ask = value("get_content")
    return cast("Callable[[], object]", ask)() if callable(ask) else None


def _text(value: object) -> str | None:
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else str(value)


def _metadata(value: Reader) -> dict[str, Any]:
    found = value("metadata") or value("meta")
    return dict(cast("Mapping[str, Any]", found)) if found and isinstance(found, Mapping) else {}


def _confidence(value: object) -> Confidence | None:
    return Confidence(value) if value in _CONFIDENCES else None


def _origin(value: Reader, metadata: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Return the address that an item may be cited by, and the path of its file; each None where it has none."""
    address, path = _address(value, _ADDRESS)
    if address is None and metadata:
        address, other = _address(metadata.get, _META_ADDRESS)
        path = path or other or _text(first_of(metadata.get, _META_FILE))
    return address, path


def _address(value: Reader, names: tuple[str, ...]) -> tuple[str | None, str | None]:
    path = None
    for name in names:
        found = _text(value(name))
        if found is None:
            continue
        if _ON_DISK.match(found) is None and (name in _URLS or not found.startswith(_ROOTS)):
            return found, path
        path = path or found
    return None, path


def _document(value: Reader, metadata: Mapping[str, Any], path: str | None) -> str | None:
    """Return what names the document of an item without an address.

    A whole path comes first, since a reader may make a document of each page; a mere file name, which other folders
    have too, comes last.
    """
    if path is not None and (path.startswith(_ROOTS) or _ON_DISK.match(path) is not None):
        return path
    return _text(value("ref_doc_id") or first_of(metadata.get, _META_DOCUMENT)) or path


def _title(value: Reader, metadata: Mapping[str, Any], path: str | None) -> str:
    """Return the title of an item, else the name of its file; of a title that is a path, its last name."""
    title = _text(value("title") or (first_of(metadata.get, _META_TITLE) if metadata else None))
    if title is None and path is None and metadata:
        # A relative path is an address like any other, and says how its file is called.
        source = _text(metadata.get("source"))
        path = source if source is not None and ":" not in source else None
    title = title or path or ""
    if title == path or title.startswith(_ROOTS) or _ON_DISK.match(title) is not None:
        return _FOLDERS.sub("", title.rstrip("/\\"), count=1)
    return title


def _locator(metadata: Mapping[str, Any]) -> Locator:
    get = metadata.get
    last, section = _page(get("page_end")), get("section") or get("heading")
    label = get("page_label")
    label = str(label) if isinstance(label, str | int) and label != "" else None
    first = _page(get("page"))
    if first is not None and (label == str(first + 1) or first < (_page(get("total_pages")) or 0)):
        # Some systems count pages from 0. The printed label tells which, and so does the count of all pages, which
        # LangChain's readers of PDF write beside it.
        first += 1
        last = None if last is None else last + 1
    place = Locator(
        page=first or _page(get("page_number")) or None,
        page_end=last or None,
        page_label=label,
        headings=(section,) if isinstance(section, str) and section else (),
        columns=columns if isinstance(columns := get("columns"), str) and columns else None,
    )
    # The other fields of a locator, by their own names.
    more = {name: value for name, value in metadata.items() if name in _PLACES and _is_place(name, value)}
    if more:
        return replace(place, **more)
    return NOWHERE if place == NOWHERE else place


def _is_place(name: str, value: object) -> bool:
    """Say whether a field of a locator has such a value; a number that is no number from 1, or no words, is none."""
    if _PLACES[name] is str:
        return isinstance(value, str) and value != ""
    return type(value) is int and value > 0


def _page(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
