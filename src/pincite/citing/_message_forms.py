"""Messages of any kind, read and written alike: mappings, dataclasses, and models that have `model_copy`."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, cast

from pincite.citing._fields import first_of, reader_of, value_of
from pincite.citing.messages import ChatMessageEvidence, ContentPart, ContextItems
from pincite.core.errors import InputError
from pincite.core.given import items_of

if TYPE_CHECKING:
    from collections.abc import Iterable

ASSISTANT = "assistant"
"""How the sender of an answer is called where something says who cited."""

# How the senders begin whose messages are no answers; everybody else's are.
_OTHERS = ("developer", "function", "human", "system", "tool", "user")
_SENDER_FIELDS = ("sender", "role", "type")
_ID_FIELDS = ("message_id", "id")
_TEXT_TYPES = frozenset({"text", "output_text"})
# How parts may have been joined into one content; the empty one is how a stream was cut.
_JOINERS = ("", "\n", "\n\n", " ")
# The fields that the page gives an evidence.
_PAGE_FIELDS = ("document_hit_url", "text_extract", "anchor_text")
_EMPTY: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message says: its whole text, and which of its parts hold it, joined by `joiner`.

    `parts_field` is the field that holds the parts, which is `content` where that is a list.
    """

    message: object
    text: str
    parts_field: str
    parts: tuple[Any, ...]
    texts: tuple[int, ...]
    joiner: str

    @property
    def is_answer(self) -> bool:
        """Whether it is the assistant's, and says something."""
        return bool(self.text.strip()) and not _sender(self.message).startswith(_OTHERS)

    def continues(self, earlier: Reading) -> bool:
        """Say whether this is a later state of the answer that `earlier` is an earlier one of."""
        if not self.is_answer or _sender(self.message) != _sender(earlier.message):
            return False
        mine, other = (first_of(reader_of(one), _ID_FIELDS) for one in (self.message, earlier.message))
        if mine is not None and other is not None:
            return bool(mine == other)
        return self.text.startswith(earlier.text)

    def written(
        self,
        text: str,
        evidences: Sequence[ChatMessageEvidence] = (),
        context: ContextItems | None = None,
    ) -> object:
        """Return a message of the same kind whose content and parts say `text`, a beginning of this text.

        Evidences and context are added to what there is. The message itself is returned when nothing changes.

        Raises:
            InputError: the message's type has no place for evidences or for parts.
        """
        changes: dict[str, Any] = {}
        parts = self._cut(text)
        if any(new is not old for new, old in zip(parts, self.parts, strict=True)):
            changes[self.parts_field] = parts
        if self.parts_field != "content" and _says_otherwise(self.message, text):
            changes["content"] = text
        new = _new_evidences(self.message, evidences)
        items = _new_items(self.parts, context)
        return _with_additions(self, changes, new, items)

    def _cut(self, text: str) -> list[Any]:
        if text == self.text:
            return list(self.parts)
        parts, place = list(self.parts), 0
        for index in self.texts:
            said = str(value_of(parts[index], "text"))
            kept = text[place : place + len(said)]
            if kept != said:
                parts[index] = changed(parts[index], {"text": kept})
            place += len(said) + len(self.joiner)
        return parts


def read(message: object) -> Reading | None:
    """Return what a message says, or None for what is no message."""
    if not is_message(message):
        return None
    content = value_of(message, "content")
    field, held = "content_parts", value_of(message, "content_parts")
    if not _is_list(held) and _is_list(content):
        field, held = "content", content
    parts = tuple(cast("Iterable[Any]", held)) if _is_list(held) else ()
    texts = tuple(index for index, part in enumerate(parts) if _is_text(part))
    if not texts:
        return Reading(message, content if isinstance(content, str) else "", field, parts, (), "")
    said = [value_of(parts[index], "text") for index in texts]
    joiner = next((one for one in _JOINERS if one.join(said) == content), "")
    return Reading(message, joiner.join(said), field, parts, texts, joiner)


def is_message(message: object) -> bool:
    """Say whether something is of a kind that can be read and written."""
    return isinstance(message, Mapping) or (
        not isinstance(message, type) and (_is_model(message) or is_dataclass(message))
    )


def cited_items(message: object) -> ContextItems:
    """Return what the assistant's context parts of a message hold."""
    reading = read(message)
    return _cited(reading.parts if reading is not None else ())


def changed(item: object, changes: Mapping[str, Any]) -> object:
    """Return a copy of a message or a part with some fields changed and all else kept.

    Raises:
        InputError: it has no such field.
    """
    if isinstance(item, Mapping):
        merged = {**cast("Mapping[str, Any]", item), **changes}
        kind = cast("Callable[[dict[str, Any]], object]", type(cast("object", item)))
        try:
            return kind(merged)
        except TypeError:
            # A mapping that is not made from a mapping.
            return merged
    for name in changes:
        if not has_field(item, name):
            msg = f"A message of the type {type(item).__name__!r} has no field `{name}` to write to."
            raise InputError(msg, field=name)
    if _is_model(item):
        return cast("Any", item).model_copy(update=dict(changes))
    made = copy.copy(item)
    for name, value in changes.items():
        # A frozen dataclass is made by setting its fields, and so is its copy.
        object.__setattr__(made, name, value)
    return made


def has_field(item: object, name: str) -> bool:
    """Say whether a message has a field of its own under `name`; a mapping has them all."""
    if isinstance(item, Mapping):
        return True
    kind = cast("Any", type(item))
    if is_dataclass(kind) and not _is_model(item):
        return name in {field.name for field in fields(kind)}
    known = getattr(kind, "model_fields", _EMPTY)
    open_to_more = value_of(getattr(kind, "model_config", _EMPTY), "extra") == "allow"
    return open_to_more or not known or name in known


def _with_additions(
    reading: Reading,
    changes: dict[str, Any],
    evidences: list[ChatMessageEvidence],
    items: ContextItems | None,
) -> object:
    message = reading.message
    if not evidences and items is None:
        return changed(message, _as_held(message, changes)) if changes else message
    if evidences:
        _require(message, "evidences")
        changes["evidences"] = list(_held(message, "evidences"))
    if items is not None:
        _require(message, reading.parts_field)
        changes.setdefault(reading.parts_field, list(reading.parts))
    part = ContentPart(type="context", context=items)
    if _is_mapping(message):
        _extend(changes, "evidences", [_as_dict(one) for one in evidences])
        _extend(changes, reading.parts_field, [] if items is None else [_part_as_dict(part)])
        return changed(message, _as_held(message, changes))
    if _is_model(message):
        made = _validated(reading, changes, evidences, items)
        if made is not None:
            return changed(message, made)
    _extend(changes, "evidences", evidences)
    _extend(changes, reading.parts_field, [] if items is None else [part])
    return changed(message, _as_held(message, changes))


def _require(message: object, name: str) -> None:
    if not has_field(message, name):
        msg = f"A message of the type {type(message).__name__!r} has no field `{name}` to write to."
        raise InputError(msg, field=name)


def _extend(changes: dict[str, Any], name: str, more: Sequence[object]) -> None:
    if more:
        changes[name] = [*changes[name], *more]


def _as_held(message: object, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return `changes` with a tuple wherever the message holds one."""
    return {
        name: tuple(cast("list[Any]", value))
        if isinstance(value, list) and isinstance(value_of(message, name), tuple)
        else value
        for name, value in changes.items()
    }


def _validated(
    reading: Reading,
    changes: Mapping[str, Any],
    evidences: list[ChatMessageEvidence],
    items: ContextItems | None,
) -> dict[str, Any] | None:
    """Return `changes` with what is added in the model's own classes, or None where it does not take our shapes.

    The model's class makes them: a copy is validated with the new values as plain data, and they are taken from it.
    """
    message, kind = reading.message, cast("Any", type(reading.message))
    known: Mapping[str, Any] = getattr(kind, "model_fields", _EMPTY)
    validate = getattr(kind, "model_validate", None)
    if validate is None or not known:
        return None
    held = {name: getattr(message, name) for name in known}
    part = _part_as_dict(ContentPart(type="context", context=items))
    for names in (tuple(field.name for field in fields(ChatMessageEvidence)), _PAGE_FIELDS):
        wanted = dict(changes)
        _extend(wanted, "evidences", [{name: getattr(one, name) for name in names} for one in evidences])
        _extend(wanted, reading.parts_field, [] if items is None else [part])
        given = {**held, **wanted}
        try:
            probe = validate({_alias(known, name): value for name, value in given.items()})
        except (TypeError, ValueError):
            continue
        made = {name: getattr(probe, name) for name in wanted}
        if _took(made, reading.parts_field, evidences, items):
            return made
    return None


def _alias(known: Mapping[str, Any], name: str) -> str:
    field = known.get(name)
    found = value_of(field, "validation_alias") or value_of(field, "alias")
    return found if isinstance(found, str) else name


def _took(
    made: Mapping[str, Any],
    parts_field: str,
    evidences: list[ChatMessageEvidence],
    items: ContextItems | None,
) -> bool:
    """Say whether a validated copy really holds what was given to it: a model may drop what it does not know."""
    if evidences and value_of(made["evidences"][-1], "document_hit_url") != evidences[-1].document_hit_url:
        return False
    if items is None:
        return True
    context = value_of(made[parts_field][-1], "context")
    return tuple(value_of(context, "document_ids") or ()) == items.document_ids and (
        tuple(value_of(context, "passages") or ()) == items.passages
    )


def _says_otherwise(message: object, text: str) -> bool:
    """Say whether a message has a content, and it is not `text`."""
    said = value_of(message, "content")
    has_one = has_field(message, "content") if not isinstance(message, Mapping) else "content" in message
    return has_one and said != text


def _as_dict(evidence: ChatMessageEvidence) -> dict[str, Any]:
    return {**asdict(evidence), "anchors": [list(anchor) for anchor in evidence.anchors]}


def _part_as_dict(part: ContentPart) -> dict[str, Any]:
    context = part.context if part.context is not None else ContextItems()
    return {
        "type": part.type,
        "context": {
            "document_ids": list(context.document_ids),
            "custom_items": list(context.custom_items),
            "passages": list(context.passages),
            "cited_by": context.cited_by,
        },
    }


def _new_evidences(message: object, found: Sequence[ChatMessageEvidence]) -> list[ChatMessageEvidence]:
    """Return the evidences that a message has not yet: the same are those with the same address and anchor."""
    kept = _held(message, "evidences")
    known = {(value_of(one, "document_hit_url"), value_of(one, "anchor_text")) for one in kept}
    return [one for one in found if (one.document_hit_url, one.anchor_text) not in known]


def _new_items(parts: Sequence[Any], found: ContextItems | None) -> ContextItems | None:
    """Return what is not yet in the assistant's context parts of a message, or None."""
    rest = found.without(_cited(parts)) if found is not None else None
    return rest or None


def _held(item: object, name: str) -> Iterable[Any]:
    """Return what a message or a context holds several of under a name."""
    return items_of(value_of(item, name) or (), name, "a list")


def _cited(parts: Iterable[Any]) -> ContextItems:
    items = ContextItems(cited_by=ASSISTANT)
    for part in parts:
        context = value_of(part, "context")
        if context is not None and value_of(context, "cited_by") == ASSISTANT:
            names = ("document_ids", "custom_items", "passages")
            held = [tuple(_held(context, name)) for name in names]
            items |= ContextItems(*held, cited_by=ASSISTANT)
    return items


def _sender(message: object) -> str:
    found = first_of(reader_of(message), _SENDER_FIELDS)
    return str(getattr(found, "value", found)).lower() if found is not None else ASSISTANT


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _is_text(part: object) -> bool:
    kind = value_of(part, "type")
    kind = getattr(kind, "value", kind)
    return isinstance(value_of(part, "text"), str) and (kind is None or kind in _TEXT_TYPES)


def _is_mapping(item: object) -> bool:
    return isinstance(item, Mapping)


def _is_model(item: object) -> bool:
    return callable(getattr(item, "model_copy", None))
