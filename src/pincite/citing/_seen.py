"""What a model was shown of keys, gathered from payloads one by one."""

from __future__ import annotations

from types import NoneType
from typing import TYPE_CHECKING, NamedTuple

from pincite.citing._key_text import alone, keys_in
from pincite.citing._payload import (
    NOT_JSON,
    Fields,
    Items,
    Place,
    field_step,
    is_container,
    is_nothing,
    is_str,
    json_in,
    opened,
    text_of,
    written_key,
)
from pincite.citing.formats import KEY_FIELDS, WIRE_FORMATS
from pincite.citing.instructions import REFERENCE_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.citing.formats import WireFormat
    from pincite.citing.store import CitationStore, RegisteredHit

WORDS = ("content", "text", "page_content")
"""The fields that hold a passage's words, in any system's terms; beside one of them a `number` is a key."""

REFERENCE_FIELDS = frozenset(
    field for link in REFERENCE_KINDS.values() for field in (link.label_field, link.id_field)
)
"""The fields of the lists of documents and tags that an instruction may name."""

# Fields of a registered record that are its source's words, whatever stands in them.
_OF_THE_SOURCE = frozenset((*WORDS, "title"))
# What has neither parts nor text.
_ATOMS = (int, float, NoneType)
# Objects of other systems that are opened in one payload: their attributes may lead anywhere.
_MOST_OBJECTS = 100_000
# Code points from which a text is looked at once, however often it is held.
_LONG = 200
# Names of fields that are parts of common words, so that a text which holds them need not show the field.
_COMMON = frozenset({"ref", "number"})
# Places that are told of one key.
_MOST_PLACES = 100
# Digits of the largest number that can be a key.
_MOST_DIGITS = 9
# Code points searched for the words of passages, all told, where no key is shown.
_MOST_SEARCHED = 200_000_000


class Sighting(NamedTuple):
    """A key in a payload: its field ("" for a marker in text), where it stands, and in the how-manieth payload."""

    field: str
    key: str | int
    place: Place | None
    payload: int


class Known(NamedTuple):
    """What the store knows of a key: its hit, or the key that was meant and how it differs."""

    hit: RegisteredHit | None = None
    meant: RegisteredHit | None = None
    how: str = ""


def identity(hit: RegisteredHit) -> str:
    """Return what the entries of one passage have in common, whatever wire format each was registered under."""
    return hit.known.ref or hit.citation_key


class Seen:
    """The keys and fields of all payloads so far, as far as one store and one wire format are concerned.

    `shown` are the identities of the hits whose key was shown, `names` the fields that were carried of those that
    an instruction may name, `sightings` what may be at fault: keys that the store did not know, and keys in the field
    of another format.
    """

    __slots__ = (
        "_found", "_times", "_told", "_words", "fields", "format", "names", "payloads", "shown", "sightings", "store",
    )  # fmt: skip

    def __init__(self, store: CitationStore, format_: WireFormat) -> None:
        self.store = store
        self.format = format_
        of_formats = {one.key_field for one in (*WIRE_FORMATS.values(), format_) if one.key_field is not None}
        self.fields = frozenset((*KEY_FIELDS, *of_formats))
        self._told = self.fields | REFERENCE_FIELDS
        self.shown: set[str] = set()
        self.names: set[str] = set()
        self.sightings: list[Sighting] = []
        self.payloads = 0
        self._words: set[str] = set()
        self._times: dict[tuple[str, str | int], int] = {}
        self._found: dict[tuple[str, str | int], Known] = {}

    def take(self, payload: object, *, own: bool = False) -> None:
        """Gather what `payload` shows. One of our own making has its key and its fields, and no more is looked for."""
        self._found.clear()
        met: dict[int, object] = {}
        objects = 0
        stack: list[tuple[object, Place | None]] = [(payload, None)]
        while stack:
            value, place = stack.pop()
            if id(value) in met:
                continue
            text = text_of(value)
            if text is not None:
                if len(text) > _LONG:
                    met[id(value)] = value
                inner = NOT_JSON if own else json_in(text)
                if inner is not NOT_JSON:
                    stack.append((inner, place))
                else:
                    self._take_text(text, place, own=own)
                continue
            plain = is_container(value)
            parts = opened(value) if plain or objects < _MOST_OBJECTS else None
            if parts is None:
                continue
            objects += not plain
            met[id(value)] = value
            if isinstance(parts, Fields):
                stack.extend(reversed(self._take_fields(parts, place, own=own)))
            else:
                stack.extend(reversed(_children(parts, place)))
        self._found.clear()
        self.payloads += not own

    def known(self, field: str, key: str | int) -> Known:
        """Return what the store knows of a key in `field`; `number` is looked up as such."""
        found = self._found.get((field, key))
        if found is None:
            found = self._found[field, key] = self._look_up(field, key)
        return found

    def carries_words_of(self, hit: RegisteredHit, searched: list[int]) -> bool:
        """Say whether a payload held the words of `hit`, by themselves or inside a text.

        `searched` counts what was searched; past its bound a passage has the benefit of the doubt.
        """
        words = next((hit.context_hit[name] for name in WORDS if hit.context_hit.get(name)), hit.known.text)
        if not isinstance(words, str) or not words or words in self._words:
            return True
        for text in self._words:
            searched[0] += len(text)
            if searched[0] > _MOST_SEARCHED or words in text:
                return True
        return False

    def settle(self, start: int = 0) -> Iterator[tuple[Sighting, Known]]:
        """Yield each sighting from `start` on that is at fault, and what the store knows of its key by now."""
        self._found.clear()
        for sighting in self.sightings[start:]:
            known = self.known(sighting.field, sighting.key)
            if known.hit is not None:
                self.shown.add(identity(known.hit))
            if known.hit is None or sighting.field not in ("", self.format.key_field):
                yield sighting, known
        self._found.clear()

    def _look_up(self, field: str, key: str | int) -> Known:
        if field == "number":
            number = _number(key)
            return Known(None if number is None else self.store.get_hit_by_number(number))
        written = str(key)
        hit = self.store.get(written)
        if hit is not None:
            return Known(hit)
        found = self.store.look_up(written)
        if found.hit is None or not found.repaired:
            return Known(found.hit)
        return Known(None, found.hit, found.repaired)

    def _take_fields(self, parts: Fields, place: Place | None, *, own: bool) -> list[tuple[object, Place]]:
        """Note the keys of a record and return its other parts, to be looked at in turn."""
        beside_words = any(name in WORDS and is_str(value) for name, value in parts.named)
        record: RegisteredHit | None = None
        rest: list[tuple[object, object]] = []
        for name, value in parts.named:
            if isinstance(name, str) and name in self.fields:
                keys = _keys(value)
                if keys is not None:
                    at = Place(place, field_step(name))
                    sure = name != "number" or beside_words
                    for step, key in keys:
                        hit = self._take_key(
                            name, key, at if step is None else Place(at, step), sure=sure and not own
                        )
                        record = record or hit
                    continue
            elif isinstance(name, str) and not own:
                self._take_alone(name)
            rest.append((name, value))
        children: list[tuple[object, Place]] = []
        for name, value in rest:
            if isinstance(name, str) and name in self._told and not is_nothing(value):
                self.names.add(name)
            if record is not None and is_str(value) and _is_of_source(record, name, value):
                self._note_words(value)
            else:
                children.append((value, Place(place, field_step(name))))
        return [(value, at) for value, at in children if not issubclass(type(value), _ATOMS)]

    def _take_key(
        self, field: str, key: str | int, place: Place | None, *, sure: bool
    ) -> RegisteredHit | None:
        """Note a key; one that is not sure to be meant as such is never a fault."""
        self.names.add(field)
        known = self.known(field, key)
        hit = known.hit or known.meant
        if hit is not None:
            self.shown.add(identity(hit))
        if sure and (known.hit is None or (field and field != self.format.key_field)):
            times = self._times[field, key] = self._times.get((field, key), 0) + 1
            if times <= _MOST_PLACES:
                self.sightings.append(Sighting(field, key, place, self.payloads))
        return known.hit

    def _take_text(self, text: str, place: Place | None, *, own: bool) -> None:
        self._note_words(text)
        if own:
            return
        self.names.update(name for name in self._told - _COMMON if name in text)
        line, last = 1, 0
        many = "\n" in text or place is None
        for found in keys_in(text, self.fields):
            if self._times.get((found.field, found.key), 0) >= _MOST_PLACES:
                continue
            if many:
                line += text.count("\n", last, found.start)
                last = found.start
            at = Place(place, f", line {line}") if many else place
            key = found.key
            if found.whole != key and self.known(found.field, found.whole).hit is not None:
                key = found.whole
            self._take_key(found.field, key, at, sure=found.field != "number")
            if not found.field and self.format.key_field and self.format.key.fullmatch(key):
                self.names.add(self.format.key_field)
        self._take_alone(text)
        if len(text) > 1:
            for word in alone(text):
                self._take_alone(word)

    def _take_alone(self, word: str) -> None:
        """Note a key that stands for itself, in whatever field: the model has seen it."""
        if self.format.key_field in (None, "number"):
            return
        hit = self.store.get(word) or self.store.get_hit_by_short_id(word)
        if hit is not None and self.format.key.fullmatch(word) is not None:
            self.shown.add(identity(hit))

    def _note_words(self, text: str) -> None:
        if self.format.key_field is None:
            self._words.add(text)


def _children(parts: Items, place: Place | None) -> list[tuple[object, Place]]:
    return [
        (value, Place(place, f"[{at}]"))
        for at, value in enumerate(parts.items)
        if not issubclass(type(value), _ATOMS)
    ]


def _keys(value: object) -> list[tuple[str | None, str | int]] | None:
    """Return the keys that a key-shaped field holds, each with its step; None when it holds something else."""
    key = written_key(value)
    if key is not None:
        return [(None, key)]
    if is_nothing(value) or type(value) is bool:
        return []
    parts = opened(value)
    if not isinstance(parts, Items):
        return None
    keys = [(f"[{at}]", written_key(item)) for at, item in enumerate(parts.items)]
    found = [(step, key) for step, key in keys if key is not None]
    return list(found) if len(found) == len(keys) else None


def _number(key: str | int) -> int | None:
    if isinstance(key, int):
        return key
    digits = key.strip()
    return int(digits) if digits.isdecimal() and len(digits) <= _MOST_DIGITS else None


def _is_of_source(record: RegisteredHit, name: object, value: str) -> bool:
    return isinstance(name, str) and (name in _OF_THE_SOURCE or record.context_hit.get(name) == value)
