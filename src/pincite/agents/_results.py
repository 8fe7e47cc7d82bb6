"""What the tools of an agent return, with every passage in it presented: registered, and shown with its key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_ai import ToolReturn

from pincite.agents._keys import hit_under
from pincite.citing._fields import first_of, reader_of
from pincite.citing.formats import KEY_FIELDS
from pincite.citing.present import hit_of, payload_of
from pincite.citing.registered import CONTENT_FIELDS
from pincite.core.errors import InputError, KeyClashError
from pincite.core.hit import Hit
from pincite.core.ids import chunk_id, foreign_id, is_evidence_id, is_uuid, version_of_normal
from pincite.core.text import normalise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.citing import CitationRun

# How deep a result is looked into; passages that lie deeper are nobody's search results.
_DEEPEST: Final = 6
# What has neither text nor parts.
_PLAIN: Final = (bytes, bytearray, int, float, complex, type(None))
_MANY: Final = (list, set, frozenset)
# Under which name an object that is no passage itself may hold a list of some.
_LISTS: Final = ("hits", "results", "documents", "source_nodes", "nodes")


class Results:
    """Presents what tools return; `presented` counts the passages in it.

    A passage is a `Hit`, a mapping or an object with the same names: LangChain, LlamaIndex and Haystack documents
    as they are. `max_chars` cuts what is shown of each, in code points.
    """

    __slots__ = ("_max_chars", "_run", "presented")

    def __init__(self, run: CitationRun, max_chars: int | None = None) -> None:
        self._run = run
        self._max_chars = max_chars
        self.presented = 0

    def shown(self, result: object) -> object:
        """Return `result` with what the model sees in place of each passage; what holds none is itself."""
        return self._shown(result, 0)

    def count(self, result: object) -> None:
        """Count the passages in what a tool of ours returned, which has presented them itself."""
        if isinstance(result, list):
            rows = cast("list[object]", result)
            self.presented += sum(isinstance(row, dict) and "content" in row for row in rows)

    def _shown(self, value: object, depth: int) -> object:
        kind = type(value)
        if issubclass(kind, str):
            return self._text(cast("str", value)) if depth == 0 else value
        if issubclass(kind, _PLAIN) or depth > _DEEPEST:
            return value
        if issubclass(kind, ToolReturn):
            whole = cast("ToolReturn[Any]", value)
            inner = self._shown(whole.return_value, depth)
            return whole if inner is whole.return_value else replace(whole, return_value=cast("Any", inner))
        payload = None if issubclass(kind, _MANY) else self._payload(value)
        if payload is not None:
            self.presented += 1
            return payload
        if issubclass(kind, Mapping):
            return self._fields(cast("Mapping[object, object]", value), depth)
        if issubclass(kind, (*_MANY, tuple)):
            return self._items(cast("Iterable[object]", value), depth)
        return self._held(value, depth)

    def _payload(self, value: object) -> object | None:
        """Return what the model sees of a passage, None when `value` is none."""
        if issubclass(type(value), Mapping):
            known = self._presented(cast("Mapping[object, object]", value))
            if known is not None:
                return known
        try:
            item = _well_named(value, self._run) if isinstance(value, Hit) else value
            return self._present(item)
        except InputError:
            return self._keyed(value)
        except Exception:  # noqa: BLE001 - whatever an object of somebody else's does when it is read
            return None

    def _present(self, item: object) -> object:
        try:
            return self._run.present(item, max_chars=self._max_chars)
        except KeyClashError:
            # Its system gives one id to several passages: its words tell it from the others.
            hit = hit_of(item, self._run.refs)
            return self._run.present(_renamed(hit, self._run), max_chars=self._max_chars)

    def _keyed(self, value: object) -> object | None:
        """Return what the model sees of words that nothing names but a key as ours are; None of any other value.

        They were not presented under that key, so they get one of their own, made of the words.
        """
        try:
            read = reader_of(value)
            text = first_of(read, CONTENT_FIELDS)
            names = {self._run.format.key_field or "", *KEY_FIELDS}
            if not isinstance(text, str) or not any(self._may_cite(name, read(name)) for name in names):
                return None
            return self._present({"content": text, "title": read("title"), "id": foreign_id(text)})
        except Exception:  # noqa: BLE001 - as above
            return None

    def _may_cite(self, field: str, key: object) -> bool:
        """Say whether a model could cite by what stands in a field that is named as a key of ours is."""
        if not isinstance(key, str | int) or key == "":
            return False
        # Many things have a number, and are no passages for that.
        return (
            field != "number"
            or field == self._run.format.key_field
            or hit_under(self._run, str(key)) is not None
        )

    def _text(self, text: str) -> object:
        """Return what the model sees of a text: where it is JSON with passages in it, these are presented."""
        if not text.lstrip().startswith(("[", "{")):
            return text
        try:
            value: object = json.loads(text)
        except (ValueError, RecursionError):
            return text
        before = self.presented
        shown = self._shown(value, 1)
        return shown if self.presented > before else text

    def _presented(self, fields: Mapping[object, object]) -> object | None:
        """Return what a tool has presented in this run itself: these words and no others under this key; else None.

        What the tool has put beside it is left out, as it is of any passage.
        """
        field, content = self._run.format.key_field, fields.get("content")
        key = fields.get(field)
        if field is None or not isinstance(key, str | int) or not isinstance(content, str) or not content:
            return None
        hit = hit_under(self._run, str(key))
        if hit is None:
            return None
        known = hit.known
        shown = payload_of(field, key, known.title, known.locator, known.text[: len(content)])
        if any(fields.get(name) != told for name, told in shown.items()):
            return None
        return fields if len(fields) == len(shown) else shown

    def _fields(self, fields: Mapping[object, object], depth: int) -> object:
        shown = {name: self._shown(value, depth + 1) for name, value in fields.items()}
        return fields if all(shown[name] is value for name, value in fields.items()) else shown

    def _items(self, items: Iterable[object], depth: int) -> object:
        pairs = [(item, self._shown(item, depth + 1)) for item in items]
        return items if all(item is shown for item, shown in pairs) else [shown for _, shown in pairs]

    def _held(self, value: object, depth: int) -> object:
        """Return the passages that an object holds under one of the usual names; without any, the object itself."""
        for name in _LISTS:
            try:
                items: object = getattr(value, name, None)
            except Exception:  # noqa: BLE001, S112 - whatever an object of somebody else's does when it is read
                continue
            if isinstance(items, list | tuple):
                before = self.presented
                shown = self._items(cast("Iterable[object]", items), depth)
                if self.presented > before:
                    return shown
        return value


def _well_named(hit: Hit, run: CitationRun) -> Hit:
    """Return a hit with an evidence id; one whose ids or version are of another system gets its own."""
    if is_evidence_id(hit.evidence_id or ""):
        return hit
    text = normalise(hit.content)
    document = hit.document_id if is_uuid(hit.document_id) else foreign_id(hit.document_id or hit.source_uri)
    named = replace(
        hit, document_id=document, content=text, version=version_of_normal(text), start=0, end=len(text)
    )
    return named if is_uuid(hit.chunk_id) else _renamed(named, run)


def _renamed(hit: Hit, run: CitationRun) -> Hit:
    """Return a hit whose passage id is made of its document and its words."""
    chunk = chunk_id(hit.document_id, hit.content)
    return replace(hit, chunk_id=chunk, ref=run.refs.issue(chunk))
