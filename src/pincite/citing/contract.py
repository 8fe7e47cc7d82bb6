"""The consistency contract, held by code: shown and registered are the same, and the model is told of nothing else.

It is "The consistency contract" of the page of the four layers. What counts as a key: the fields of `KEY_FIELDS` and
those of further wire formats, at any depth of a payload and in JSON, Markdown, XML and tables inside its texts;
numbered links; refs and evidence ids in brackets. A `number` is a key only in a record that has words too, since so
much else is called that. The words of a registered record belong to its source and are not searched: a document that
speaks of keys breaks no contract.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.citing._key_text import disarmed, without_keys
from pincite.citing._neutral import without_markers
from pincite.citing._payload import NOT_JSON, Fields, Items, is_str, json_in, opened, text_of
from pincite.citing._seen import REFERENCE_FIELDS, WORDS, Seen, Sighting, identity
from pincite.citing.formats import KEY_FIELDS, WIRE_FORMATS, WireFormat, wire_format
from pincite.citing.instructions import named_fields
from pincite.core.errors import CitationContractError, InputError
from pincite.core.given import maybe, of_kind

if TYPE_CHECKING:
    from pincite.citing.store import CitationStore

MOST_WARNINGS: Final = 20
"""Warnings of one report; one more says how many breaches there were beyond them."""

MOST_LISTED: Final = 100
"""Breaches that the message of an error lists; all are in its `breaches`."""

# Code points of a key that a message shows.
_KEY_SHOWN = 80
# Rounds in which a text is cleared of keys; what clearing itself brings together is rare.
_ROUNDS = 4
# Fields that `uncitable` takes away beside those of keys: a model in need of a key would make do with them. `id`
# stays: it names orders and people too, and the next call of a tool needs it.
_STRIPPED = frozenset({"url", "source_uri", "chunk_id", "document_id"})


class BreachKind(StrEnum):
    """In which way the contract is broken."""

    SHOWN_NOT_REGISTERED = "shown_not_registered"
    REGISTERED_NOT_SHOWN = "registered_not_shown"
    INSTRUCTED_NOT_CARRIED = "instructed_not_carried"
    OTHER_FORMAT = "other_format"


class AuditMode(StrEnum):
    """What becomes of a breach."""

    OFF = "off"
    WARN = "warn"
    RAISE = "raise"

    @classmethod
    def of(cls, given: str) -> AuditMode:
        """Return the mode of that name.

        Raises:
            InputError: there is none.
        """
        try:
            return cls(given)
        except ValueError:
            msg = f"`audit` is one of {', '.join(cls)}, not {str(given)[:40]!r}."
            raise InputError(msg, field="audit") from None


@dataclass(frozen=True, slots=True)
class Breach:
    """One breach of the contract.

    `key` is the key at fault, or the field that the instruction names; `path` says where in the payload it stands,
    as in `results[2].source_url`, and is empty where nothing stands; `message` is one sentence that says what to do.
    """

    kind: BreachKind
    key: str
    path: str
    message: str


class CitationContractWarning(UserWarning):
    """The consistency contract is broken, and the audit warns."""


class Watch:
    """Looks on while a run shows payloads to a model, and tells at the end where the contract was broken.

    Hits that were in the store before it began need not be shown again. It holds keys, not payloads; under
    `deferred`, where no key is shown, it holds the texts. Threads may share it.

    Raises:
        InputError: there is no such wire format, or `store` is none.
    """

    __slots__ = ("_before", "_lock", "_seen")

    def __init__(self, store: CitationStore, wire_format: WireFormat | str) -> None:
        self._seen = Seen(_store_of(store), _format_of(wire_format))
        self._before = frozenset(store.keys())
        self._lock = Lock()

    def saw(self, payload: object) -> tuple[Breach, ...]:
        """Take in what a tool hands to the model, after the tool has registered its objects.

        Returns what is at fault in it as the store stands; what is registered later puts that right.
        """
        with self._lock:
            start = len(self._seen.sightings)
            self._seen.take(payload)
            return tuple(_of_showing(self._seen, start))

    def presented(self, payload: object) -> None:
        """Take in a payload that the run itself made and registered: nothing in it can be at fault."""
        with self._lock:
            self._seen.take(payload, own=True)

    def breaches(self, instructions: str | None = None) -> tuple[Breach, ...]:
        """Return every breach so far: of what was shown, then of what was registered, then of `instructions`.

        The instructions are held against the payloads once something was shown or registered to be cited: a turn
        that needed no source breaks nothing. Only the fields of keys are asked for, since a list of documents or
        tags need not be looked up in every turn.
        """
        maybe(instructions, str, "instructions", "a string")
        with self._lock:
            registered = [key for key in self._seen.store.keys() if key not in self._before]  # noqa: SIM118 - a method
            found = [*_of_showing(self._seen), *_of_registering(self._seen, registered)]
            if instructions is not None and (registered or self._seen.shown or self._seen.sightings):
                found += _of_instruction(self._seen, instructions, self._seen.fields)
        return tuple(found)


def audit(
    payloads: object,
    *,
    store: CitationStore,
    wire_format: WireFormat | str,
    instructions: str | None = None,
) -> tuple[Breach, ...]:
    """Return every breach of the contract in `payloads`, which are all that the model was shown of `store`.

    `payloads` is a list or another collection of payloads, or one payload that is no list. Any object may be one:
    mappings, lists, dataclasses, models, JSON, Markdown. Each of the fields that `instructions` names, of keys and
    of the lists of documents and tags, must be carried by one of them. Of one key a hundred places are told. The
    time is linear in the size of the payloads.

    Raises:
        InputError: there is no such wire format.
    """
    maybe(instructions, str, "instructions", "a string")
    seen = Seen(_store_of(store), _format_of(wire_format))
    for payload in _several(payloads):
        seen.take(payload)
    found = [*_of_showing(seen), *_of_registering(seen, store.keys())]
    if instructions is not None and seen.payloads:
        found += _of_instruction(seen, instructions, seen.fields | REFERENCE_FIELDS)
    return tuple(found)


def _store_of(given: object) -> CitationStore:
    from pincite.citing.store import CitationStore  # loading it takes longer than looking at one payload

    return of_kind(given, CitationStore, "store", "a citation store")


def report(breaches: Iterable[Breach], mode: AuditMode | str, *, stacklevel: int = 2) -> None:
    """Do what `mode` says about `breaches`: nothing, one warning for each up to `MOST_WARNINGS`, or an error.

    `stacklevel` is that of `warnings.warn`: 2 is the line that calls this.

    Raises:
        InputError: there is no such mode.
        CitationContractError: the mode is `raise` and there is a breach; it lists them.
    """
    chosen = AuditMode.of(mode)
    found = tuple(breaches)
    if not found or chosen is AuditMode.OFF:
        return
    if chosen is AuditMode.RAISE:
        count = "one place" if len(found) == 1 else f"{len(found):,} places"
        lines = [f"The citation contract is broken in {count}:"]
        lines += [f"- {breach.message}" for breach in found[:MOST_LISTED]]
        if len(found) > MOST_LISTED:
            lines.append(f"- and {len(found) - MOST_LISTED:,} more.")
        raise CitationContractError("\n".join(lines), field="audit", breaches=found)
    import warnings

    for breach in found[:MOST_WARNINGS]:
        warnings.warn(breach.message, CitationContractWarning, stacklevel=stacklevel)
    if len(found) > MOST_WARNINGS:
        more = f"The citation contract is broken in {len(found) - MOST_WARNINGS:,} more places."
        warnings.warn(more, CitationContractWarning, stacklevel=stacklevel)


def uncitable(payload: object) -> Any:  # noqa: ANN401 - of the shape of what was given
    """Return a copy of `payload` that shows nothing to cite by, for content that is deliberately not citable.

    Mappings and objects become dicts, collections become lists, as JSON would have them; the original is untouched.
    At every depth, and in JSON inside texts, `source_url`, `url`, `source_uri`, `ref`, `short_id`, `evidence_id`,
    `chunk_id`, `document_id` and the key fields of further wire formats are left out, and `number` where it stands
    beside `content`, `text` or `page_content`. `id` stays, since a tool may need it. In texts, links become their
    words, labelled keys go with their labels, and the brackets of markers become white ones. What holds itself
    holds its copy.
    """
    of_formats = {one.key_field for one in WIRE_FORMATS.values() if one.key_field is not None}
    labels = frozenset((*KEY_FIELDS, *of_formats)) - {"number"}
    stripped = labels | _STRIPPED
    copies: dict[int, tuple[object, object]] = {}
    waiting: list[tuple[Fields | Items, Any]] = []

    def copy_of(value: object) -> object:
        known = copies.get(id(value))
        if known is not None:
            return known[1]
        text = text_of(value)
        if text is not None:
            return _cleared(text, labels)
        parts = opened(value)
        if parts is None:
            return value
        made: dict[object, object] | list[object] = {} if isinstance(parts, Fields) else []
        # The original is kept beside its copy, so that its place in memory is not another's meanwhile.
        copies[id(value)] = (value, made)
        waiting.append((parts, made))
        return made

    result = copy_of(payload)
    while waiting:
        parts, made = waiting.pop()
        if isinstance(parts, Items):
            made.extend(map(copy_of, parts.items))
            continue
        words = any(name in WORDS and is_str(value) for name, value in parts.named)
        for name, value in parts.named:
            if name not in stripped and not (name == "number" and words):
                made[name] = copy_of(value)
    return result


def _cleared(text: str, fields: frozenset[str]) -> str:
    """Return a text without keys; JSON is taken apart, cleared and written again."""
    for _ in range(_ROUNDS):
        inner = json_in(text)
        if inner is not NOT_JSON:
            written = _as_json(uncitable(inner), like=text)
            return disarmed(text) if written is None else written
        text, settled = without_keys(text, fields)
        if settled:
            return without_markers(text)
    return disarmed(text)


def _as_json(value: object, *, like: str) -> str | None:
    """Return JSON that can be encoded, with letters beyond ASCII as `like` has them; None for what is too deep."""
    import json

    try:
        written = json.dumps(value, ensure_ascii=like.isascii())
        written.encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair stays escaped.
        return json.dumps(value)
    except RecursionError:
        return None
    return written


def _format_of(given: WireFormat | str) -> WireFormat:
    return given if isinstance(given, WireFormat) else wire_format(given)


def _several(payloads: object) -> Iterable[object]:
    kind: type[object] = type(payloads)
    record = hasattr(kind, "_fields")  # a named tuple
    if issubclass(kind, list | tuple | set | frozenset | Iterator) and not record:
        return cast("Iterable[object]", payloads)
    return (payloads,)


def _shown(key: str | int) -> str:
    text = repr(key if len(str(key)) <= _KEY_SHOWN else str(key)[:_KEY_SHOWN])
    return text if len(str(key)) <= _KEY_SHOWN else f"{text} and so on"


def _of_showing(seen: Seen, start: int = 0) -> Iterator[Breach]:
    only = seen.format.key_field
    for sighting, known in seen.settle(start):
        if known.hit is not None:
            kind = BreachKind.OTHER_FORMAT
            instead = f"show `{only}` alone" if only else "show no key"
            advice = f"which is no key of the wire format {seen.format.name!r}: {instead}."
        elif known.meant is not None:
            kind = BreachKind.SHOWN_NOT_REGISTERED
            meant = _shown(known.meant.citation_key)
            advice = f"which is registered as {meant} ({known.how}): show exactly that key."
        else:
            kind = BreachKind.SHOWN_NOT_REGISTERED
            advice = "which is not registered: register it under exactly this key, or leave it out."
        path = _path(seen, sighting)
        message = f"{_subject(sighting.field, path)} shows {_shown(sighting.key)}, {advice}"
        yield Breach(kind, str(sighting.key), path, message)


def _subject(field: str, path: str) -> str:
    """Return what shows a key, in words: the path alone where it leads to the field."""
    stem = path.rpartition("[")[0] if path.endswith("]") else path
    if field and f".{stem}".endswith(f".{field}"):
        return f"`{path}`"
    what = f"`{field}`" if field else "A marker"
    return f"{what} at {path}" if path else what


def _path(seen: Seen, sighting: Sighting) -> str:
    path = "" if sighting.place is None else sighting.place.describe()
    if seen.payloads == 1:
        return path
    joint = "" if path.startswith("[") else ", " if path.startswith("line ") else "."
    return f"payloads[{sighting.payload}]{joint}{path}" if path else f"payloads[{sighting.payload}]"


def _of_registering(seen: Seen, keys: Iterable[str]) -> Iterator[Breach]:
    field = seen.format.key_field
    searched = [0]
    for key in keys:
        hit = seen.store.get(key)
        if hit is None or identity(hit) in seen.shown:
            continue
        if field is not None:
            what = f"no payload shows it: show its key as `{field}`"
        elif seen.carries_words_of(hit, searched):
            continue
        else:
            what = "no payload holds its words: show them"
        message = f"{_shown(key)} is registered and {what}, or do not register it."
        yield Breach(BreachKind.REGISTERED_NOT_SHOWN, key, "", message)


def _of_instruction(seen: Seen, instructions: str, fields: Iterable[str]) -> Iterator[Breach]:
    for field in sorted(named_fields(instructions).intersection(fields) - seen.names):
        message = f"The instruction names `{field}`, which no payload carries: show it, or do not name it."
        yield Breach(BreachKind.INSTRUCTED_NOT_CARRIED, field, "", message)
