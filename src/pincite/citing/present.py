"""Presentation: what the model sees of a hit, and the entry that the store keeps of it, made in one step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from pincite.core.errors import InputError
from pincite.core.hit import Hit
from pincite.core.ids import chunk_id, foreign_id, is_uuid, version_of
from pincite.core.locators import Locator
from pincite.core.text import normalise

if TYPE_CHECKING:
    from pincite.core.refs import RefIssuer

# A pair of brackets without another inside: each run ends where the next begins, so it is linear.
_BRACKETED = re.compile(r"\[([^\[\]]+)\]")
# A member of a group, from its first character on, that looks like a key: anchored or behind a separator, linear.
_KEY_LIKE = re.compile(r"(?:^|[,;])\s*+(?:[0-9a-f]{8}|ev[0-9]{1,3}:)")

# Names under which other systems keep the same thing, tried in order.
_CONTENT = ("content", "text", "page_content")
_ADDRESS = ("source_url", "url", "source_uri")
_ID = ("id", "chunk_id")
_DOCUMENT = ("document_id",)
_TITLE = ("title",)


def hit_of(item: object, refs: RefIssuer) -> Hit:
    """Return `item` as a hit: one of ours as it is, a mapping or object of another system translated.

    An item from elsewhere needs text (`content`, `text` or `page_content`) and an address (`source_url`, `url`,
    `source_uri`) or an id (`id`, `chunk_id`); its passage id is made from these.

    Raises:
        InputError: it has no text, or neither address nor id.
    """
    if isinstance(item, Hit):
        return item
    content = _first(item, _CONTENT)
    if not isinstance(content, str) or not content.strip():
        msg = "A hit needs its text as `content`, `text` or `page_content`."
        raise InputError(msg, field="content")
    metadata = _metadata(item)
    address = _text(_first(item, _ADDRESS) or _first(metadata, (*_ADDRESS, "source")))
    own_id = _text(_first(item, _ID))
    if address is None and own_id is None:
        msg = "A hit needs an address (`source_url`, `url`, `source_uri`) or an `id`."
        raise InputError(msg, field="id")
    text = normalise(content)
    document = _text(_first(item, _DOCUMENT)) or address or own_id or ""
    document = document if is_uuid(document) else foreign_id(document)
    chunk = own_id if own_id is not None and is_uuid(own_id) else chunk_id(document, text)
    title = _text(_first(item, _TITLE) or metadata.get("title"))
    return Hit(
        ref=refs.issue(chunk),
        chunk_id=chunk,
        document_id=document,
        content=text,
        source_uri=address or "",
        collection="",
        metadata=metadata,
        title=title or "",
        version=version_of(text),
        locator=_locator(metadata),
        end=len(text),
    )


def neutralised(content: str) -> str:
    """Return `content` with what looks like one of our markers put in white brackets, code point for code point.

    A marker that stands in a source is that source's text. The offsets stay, so a quote of it maps back.
    """

    def neutral(found: re.Match[str]) -> str:
        return f"⟦{found[1]}⟧" if _KEY_LIKE.search(found[1]) is not None else found[0]

    return _BRACKETED.sub(neutral, content)


def _first(item: object, names: tuple[str, ...]) -> object:
    for name in names:
        value = _value(item, name)
        if value is not None and value != "":
            return value
    return None


def _value(item: object, name: str) -> object:
    if isinstance(item, Mapping):
        return cast("Mapping[str, object]", item).get(name)
    return getattr(item, name, None)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _metadata(item: object) -> dict[str, Any]:
    found = _first(item, ("metadata", "meta"))
    return dict(cast("Mapping[str, Any]", found)) if isinstance(found, Mapping) else {}


def _locator(metadata: Mapping[str, Any]) -> Locator:
    page, last, section = (metadata.get(name) for name in ("page", "page_end", "section"))
    return Locator(
        page=page if isinstance(page, int) else None,
        page_end=last if isinstance(last, int) else None,
        headings=(section,) if isinstance(section, str) else (),
    )
