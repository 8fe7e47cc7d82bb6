"""What a store keeps of a citable object, and when two entries are one object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from pincite.core.errors import InputError
from pincite.core.hit import ROW_FIELDS, Hit
from pincite.core.ids import foreign_id, is_uuid
from pincite.core.locators import Locator

if TYPE_CHECKING:
    from pincite.core.verdicts import Confidence

OF_A_LIBRARY = "collection"
"""The `index_type` of what a search of ours found."""
CONTENT_FIELDS = ("content", "text", "page_content")
"""The fields under which systems carry a passage's words, in the order in which they are tried."""

# Names under which a payload shows a handle of its passage.
_NAMES = ("short_id", "ref", "evidence_id")
# The longest number that a passage may have, in digits.
_DIGITS = 9
# How deep a value is kept; what is deeper holds itself, or is nobody's record.
_DEEPEST = 40


@dataclass(frozen=True, slots=True, init=False)
class CitationContextContribution:
    """What a citation of an object adds to the next turn: ids of our own documents, or items of others.

    Both may be given as any collection; what a set holds is put in order, so that every run has the same.

    Raises:
        InputError: a string or a mapping was given in place of a collection.
    """

    document_ids: tuple[str, ...] = ()
    custom_items: tuple[Any, ...] = ()

    def __init__(
        self, document_ids: Iterable[Any] | None = (), custom_items: Iterable[Any] | None = ()
    ) -> None:
        ids = tuple(str(item) for item in _in_order(document_ids, "document_ids"))
        object.__setattr__(self, "document_ids", ids)
        object.__setattr__(self, "custom_items", _in_order(custom_items, "custom_items"))


def _in_order(items: Iterable[Any] | None, name: str) -> tuple[Any, ...]:
    if items is None:
        return ()
    if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"`{name}` is a collection, not {type(cast('object', items)).__name__}."
        raise InputError(msg, field=name)
    if not isinstance(items, set | frozenset):
        return tuple(items)
    try:
        return tuple(sorted(items))
    except TypeError:
        return tuple(sorted(cast("Iterable[Any]", items), key=repr))


@dataclass(frozen=True, slots=True)
class CitedObject:
    """What is known of a citable object beyond the page's fields: how it is named, found and traced.

    `number` is what it is called by in superscripts.
    """

    title: str = ""
    ref: str | None = None
    chunk_id: str | None = None
    document_id: str | None = None
    evidence_id: str | None = None
    locator: Locator = field(default_factory=Locator)
    confidence: Confidence | None = None
    text: str = ""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class RegisteredHit:
    """Both views of one citable object.

    `citation_key` is exactly what the model was shown; `context_hit` the payload it saw; `search_hit` the object
    from the producing system; `evidence_url` where a rendered evidence points; `index_type` and `index_id` where
    the object came from. `known` is ours.
    """

    citation_key: str
    context_hit: Mapping[str, Any]
    search_hit: Any
    evidence_url: str | None = None
    context_contribution: CitationContextContribution = field(default_factory=CitationContextContribution)
    index_type: str | None = None
    index_id: str | None = None
    known: CitedObject = field(default_factory=CitedObject)

    @property
    def short_id(self) -> str | None:
        """The ref of the passage, which a model may write for it in any wire format that has refs."""
        return self.known.ref

    @property
    def number(self) -> int | None:
        """The number of the passage in superscripts, unlike any other of the conversation."""
        return self.known.number


def identity_of(key: str, known: CitedObject) -> str:
    """Return the UUID that a passage's short id is a prefix of: its own, or one made of its id or its key."""
    chunk = known.chunk_id
    if chunk is None:
        return foreign_id(key)
    return chunk if is_uuid(chunk) else foreign_id(chunk)


def is_ours(hit: RegisteredHit) -> bool:
    """Say whether an object is a passage of a library, as it was found or as it was kept over a restart.

    A row that came in as a mapping is not: whoever writes one can give it any fields, and the ids of any passage.
    """
    found = hit.search_hit
    if isinstance(found, Hit):
        return bool(found.collection)
    # What was kept has the fields of its row; that a search of ours had found it is kept beside them.
    kept = hit.index_type == OF_A_LIBRARY and isinstance(found, dict)
    return kept and is_row(cast("dict[str, object]", found))


def is_row(item: Mapping[str, object]) -> bool:
    """Say whether a mapping has the fields of a row of our own search, which proves nothing of who wrote it."""
    return "collection" in item and bool(item["collection"]) and all(name in item for name in ROW_FIELDS)


def is_same(kept: RegisteredHit, hit: RegisteredHit) -> bool:
    """Say whether two entries under one key are one object.

    What a search of ours found may have other words than before: those of its section, which was edited. What anybody
    else brings under the id of a passage of ours has to have its words.
    """
    if is_ours(hit):
        return kept.known.chunk_id == hit.known.chunk_id
    if is_ours(kept):
        return kept.known.chunk_id == hit.known.chunk_id and _text(kept) == _text(hit)
    return _content(kept) == _content(hit)


def is_same_passage(kept: RegisteredHit, hit: RegisteredHit) -> bool:
    """Say whether two entries under different keys are one passage, which may have one name."""
    first, second = kept.known.chunk_id, hit.known.chunk_id
    if first is not None and second is not None:
        return first == second and (is_ours(hit) or kept.known.text == hit.known.text)
    return bool(_text(kept)) and _content(kept) == _content(hit)


def _content(hit: RegisteredHit) -> tuple[object, ...]:
    text, known = _text(hit), hit.known
    if known.chunk_id is not None:
        return text, known.evidence_id
    # Of an object without words all that was shown is its content; a restart keeps of that what JSON knows.
    return text, known.evidence_id, hit.evidence_url, None if text else jsonable(hit.context_hit)


def _text(hit: RegisteredHit) -> str:
    return hit.known.text or text_of(hit.context_hit, CONTENT_FIELDS)


def text_of(shown: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Return the first field of a payload that says something, or an empty string."""
    return next((str(shown[name]) for name in names if shown.get(name)), "")


def names_of(shown: Mapping[str, Any]) -> list[str]:
    """Return the handles that a payload shows of its passage, its number apart."""
    return [name for name in map(shown.get, _NAMES) if name and isinstance(name, str)]


def number_of(value: object) -> int | None:
    """Return the number that a payload shows or a key is, or None."""
    if isinstance(value, str):
        value = int(value) if len(value) <= _DIGITS and value.isascii() and value.isdigit() else None
    return value if is_number(value) else None


def is_number(value: object) -> TypeGuard[int]:
    """Say whether a value may be the number of a passage."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**_DIGITS


def documents_of(hit: RegisteredHit) -> list[str]:
    """Return the ids under which a hit's document is known: ours, those it contributes, those of its items."""
    contribution, own = hit.context_contribution, hit.known.document_id
    if contribution.document_ids == (own,) and own and not contribution.custom_items:
        return [own]  # as every presented passage has it
    found = dict.fromkeys([own or "", *contribution.document_ids])
    for item in contribution.custom_items:
        name = cast("Mapping[str, object]", item).get("id") if isinstance(item, Mapping) else None
        if isinstance(name, str):
            found[name] = None
    found.pop("", None)
    return list(found)


def jsonable(value: Any, depth: int = 0) -> Any:  # noqa: ANN401 - any JSON value
    """Return what JSON can hold of a value: None in place of what it cannot."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else None
    if depth == _DEEPEST:
        return None
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {str(key): jsonable(item, depth + 1) for key, item in items}
    if isinstance(value, list | tuple):
        return [jsonable(item, depth + 1) for item in cast("Iterable[object]", value)]
    return None
