"""The parts of a UI message that tell what its texts cite: source parts, and our own data parts.

A client appends a source part and never takes it back, so each is made once. A data part has an id, by which a later
one takes the place of an earlier one.
"""

from __future__ import annotations

import mimetypes
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from pydantic_ai.ui.vercel_ai.request_types import (
    DataUIPart,
    DynamicToolUIPart,
    SourceDocumentUIPart,
    SourceUrlUIPart,
    TextUIPart,
    ToolUIPart,
)
from pydantic_ai.ui.vercel_ai.response_types import DataChunk, SourceDocumentChunk, SourceUrlChunk

from pincite.core.errors import NotFoundError
from pincite.core.limits import DEFAULT, Limits
from pincite.core.surrogates import whole
from pincite.core.text import one_line
from pincite.core.urls import LINK_CODE_POINTS, UPLOAD, safe_link, shown_source
from pincite.protocols.citations_event import CITATIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic_ai.ui.vercel_ai.request_types import UIMessage

    from pincite.library import Library

UNKNOWN_TYPE: Final = "application/octet-stream"
"""The media type of a source that nothing is known of: the protocol asks for one."""
NO_TITLE: Final = "Source"
"""The title of a document that has none: the protocol asks for one."""

# How a file begins that is in its message: anchored, a bounded run.
INSIDE: Final = re.compile(r"data:[^,\s]{1,200};base64,")
# Types of what acts where it is opened as a page: anchored, one class.
_PAGE: Final = re.compile(r"(?i)data:[^;,]*(?:html|svg|[/+]xml|script)")

# Python's own table, without what the machine adds to it.
_TYPES: Final = mimetypes.MimeTypes(())


def data_type(name: str) -> str:
    """Return the type of the data part for the event `name`: `data-pincite-citations` for `pincite.citations`."""
    return f"data-{name.replace('.', '-')}"


@dataclass(frozen=True, slots=True)
class SourcePart:
    """A cited source as a part of a message: `source-url` where it has an address that is safe as a link.

    `source_id` is the same for the same source in every text of the message: its address, else the id of its document.
    """

    source_id: str
    title: str | None
    url: str | None = None
    media_type: str = UNKNOWN_TYPE
    filename: str | None = None

    @property
    def chunk(self) -> SourceUrlChunk | SourceDocumentChunk:
        """The part in a stream."""
        if self.url is not None:
            return SourceUrlChunk(source_id=self.source_id, url=self.url, title=self.title)
        return SourceDocumentChunk(
            source_id=self.source_id,
            media_type=self.media_type,
            title=self.title or NO_TITLE,
            filename=self.filename,
        )

    @property
    def ui_part(self) -> SourceUrlUIPart | SourceDocumentUIPart:
        """The part in a message."""
        if self.url is not None:
            return SourceUrlUIPart(source_id=self.source_id, url=self.url, title=self.title)
        return SourceDocumentUIPart(
            source_id=self.source_id,
            media_type=self.media_type,
            title=self.title or NO_TITLE,
            filename=self.filename,
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Which text of a message is meant: the `index`-th text part of it (0 is the first), with its id in the stream.

    Both are None for a text that the stream does not hold, such as one in a structured output.
    """

    text_id: str | None
    index: int | None

    def of(self, name: str, value: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return the id of the data part of the event `name` for this text, and its data."""
        label = "answer" if self.index is None else str(self.index)
        told = {**value, "textId": self.text_id, "textIndex": self.index}
        return f"{name.replace('.', '-')}-{label}", told

    def chunk(self, name: str, value: Mapping[str, Any]) -> DataChunk:
        """Return the data part of an event in a stream."""
        part_id, told = self.of(name, value)
        return DataChunk(type=data_type(name), id=part_id, data=told)

    def ui_part(self, name: str, value: Mapping[str, Any]) -> DataUIPart:
        """Return the data part of an event in a message."""
        part_id, told = self.of(name, value)
        return DataUIPart(type=data_type(name), id=part_id, data=told)


def with_sources(
    value: Mapping[str, Any],
    place: Place,
    *,
    raw: str | None = None,
    library: Library | None = None,
    limits: Limits = DEFAULT,
) -> tuple[dict[str, Any], list[SourcePart]]:
    """Return the value of `pincite.citations` with the id of each source part in it, and these parts, in order.

    `raw` is the text as the model wrote it, which the client sends back so that its model reads its own markers.
    """
    told, parts = dict(value), list[SourcePart]()
    sources: list[dict[str, Any]] = []
    for source in value.get("sources", ()):
        shown = shown_source_of(source, limits)
        part = _source(shown, value, place, library, limits)
        sources.append({**shown, "sourceId": part.source_id})
        parts.append(part)
    told["sources"] = sources
    if raw is not None:
        told["raw"] = raw
    return told, parts


def shown_source_of(source: Mapping[str, Any], limits: Limits = DEFAULT) -> dict[str, Any]:
    """Return a source of `pincite.citations` as any page may show it: labels of one line, and a link that is safe.

    What it returns it returns again as it is.
    """
    title, key = source.get("title"), source.get("source_key")
    return {
        **source,
        "title": None if title is None else one_line(whole(title), limits.title_code_points),
        "source_key": None if key is None else shown_source(one_line(whole(key), LINK_CODE_POINTS)),
        "source_uri": safe_link(source.get("source_uri")),
    }


def foreign_source(
    url: str | None, name: str | None, title: str | None, limits: Limits = DEFAULT
) -> SourcePart | None:
    """Return a source that a provider cited: a page on the web, else a document by its id. None without either."""
    label = one_line(title or "", limits.title_code_points) or None
    link = safe_link(url)
    if link is not None:
        return SourcePart(link, label, link)
    known = name or (label if url is None else None)
    if known is None:
        return None
    return SourcePart(known, label, media_type=_type_of(label))


def _source(
    source: Mapping[str, Any], value: Mapping[str, Any], place: Place, library: Library | None, limits: Limits
) -> SourcePart:
    title = one_line(source.get("title") or "", limits.title_code_points) or None
    link = safe_link(source.get("source_uri"))
    if link is not None:
        return SourcePart(link, title, link)
    document_id = source.get("document_id")
    key = cast("str", source.get("source_key") or "").removeprefix(UPLOAD)
    filename = one_line(key, limits.title_code_points) if "://" not in key else ""
    media_type = None
    if library is not None and document_id is not None:
        with suppress(NotFoundError):
            media_type = library.document(document_id).media_type
    return SourcePart(
        document_id
        or _passage_of(source.get("number"), value)
        or f"{place.index or 0}.{source.get('number')}",
        title or filename or None,
        media_type=media_type or _type_of(filename or title),
        filename=filename or None,
    )


def _passage_of(number: object, value: Mapping[str, Any]) -> str | None:
    """Return what names the first passage of a source that is cited: its id, else its ref."""
    citations = cast("list[dict[str, Any]]", value.get("citations", []))
    cited = next((one for one in citations if one.get("number") == number), dict[str, Any]())
    return cited.get("evidence_id") or cited.get("chunk_id") or cited.get("ref")


def _type_of(name: str | None) -> str:
    return (_TYPES.guess_type(name, strict=False)[0] if name else None) or UNKNOWN_TYPE


class Before(NamedTuple):
    """What a message has already: how many texts, and the ids of its source parts and of its tool calls."""

    texts: int
    sources: tuple[str, ...]
    calls: tuple[str, ...]


def told_before(message: UIMessage | None) -> Before:
    """Return what the message has that a stream goes on with; nothing without one.

    A call whose input never came to its end is none that a result may be of.
    """
    parts = () if message is None else message.parts
    return Before(
        sum(isinstance(part, TextUIPart) for part in parts),
        tuple(part.source_id for part in parts if isinstance(part, SourceUrlUIPart | SourceDocumentUIPart)),
        tuple(
            part.tool_call_id
            for part in parts
            if isinstance(part, ToolUIPart | DynamicToolUIPart) and part.state != "input-streaming"
        ),
    )


def safe_file(address: str) -> str | None:
    """Return the address of a file as one that a client may open, or None.

    That is a link that is safe, or a file in its message (`data:` with base64) that is no page and no script.
    """
    if INSIDE.match(address):
        return None if _PAGE.match(address) else address
    return safe_link(address)


def is_ours(part_type: str) -> bool:
    """Say whether a data part is one that has to be earned, so that an agent's own of that type goes no further."""
    return part_type.startswith("data-pincite-") or part_type == data_type("moca.citations")


CITATIONS_TYPE: Final = data_type(CITATIONS)
