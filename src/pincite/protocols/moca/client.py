"""What a client makes of `moca.citations`: a view of each message's citations, in which nothing can act.

Every rule is one of the event's page. Nothing that comes in raises: what is wrong with an event, or with one entry of
it, is a remark, and the rest is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from pincite.core.limits import DEFAULT, Limits
from pincite.core.surrogates import whole
from pincite.core.text import one_line
from pincite.protocols._alike import alike_until
from pincite.protocols.citations_event import CITATIONS
from pincite.protocols.citations_event import VERSION as OUR_VERSION
from pincite.protocols.moca._json import fault_in, frozen, thawed
from pincite.protocols.moca._places import Places, Spans, spans_of
from pincite.protocols.moca.diagnostics import Diagnostic, Remarks, error, warning
from pincite.protocols.moca.moments import moment_of
from pincite.protocols.moca.record import MocaRecord, RecordKey
from pincite.protocols.moca.trust import Cleaner, facts_of
from pincite.protocols.moca.trust import as_json as trust_json
from pincite.protocols.moca.validation import EVENT_NAME, EVENT_VERSION, tolerant

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pincite.protocols.moca.trust import TrustFacts

_ROLE, _KNOWN = "assistant", frozenset({"version", "messageId", "computedAt", "citations"})
_KNOWN_OF_ENTRY = frozenset({"marker", "record"})
# Code points of the longest marker.
_MARKER = 2_000


@dataclass(frozen=True, slots=True)
class TakenCitation:
    """One entry of an event, as it was taken: the record unchanged, and its marker where it has one."""

    record: MocaRecord
    marker: str | None = None

    @property
    def key(self) -> str:
        """What a client keys the record by: the versioned reference of its node."""
        return self.record.ref

    @property
    def other_key(self) -> tuple[str, str]:
        """The other key that the event's page allows: the node's id with the digest of its package."""
        return self.record.node_id, self.record.package_digest


@dataclass(frozen=True, slots=True)
class TakenEvent:
    """An event that was taken: its message, its citations in order, and when the records were computed.

    `computed_at` is None where that is not known. `value` is the value as it came, for keeping with the message.
    """

    message_id: str
    citations: tuple[TakenCitation, ...]
    computed_at: str | None
    value: Mapping[str, Any]
    diagnostics: tuple[Diagnostic, ...] = ()

    def raw(self) -> dict[str, Any]:
        """Return the value as plain JSON, equal to what came in: what to keep with a saved conversation."""
        return cast("dict[str, Any]", thawed(self.value))


@dataclass(frozen=True, slots=True)
class ShownCitation:
    """A citation as a reader may see it. Every text is bounded and without control or invisible characters.

    `number` counts from 1 in the order of the event. `places` are the code points in the message's text at which the
    marker stands, or the reference where there is none; empty where it stands nowhere, or where nothing tells it from
    what the model wrote itself: list the citation then without an anchor. Texts are text: a page that shows them
    escapes them like any other.
    """

    number: int
    key: str
    marker: str
    places: tuple[tuple[int, int], ...]
    title: str
    description: str
    node_type: str
    path: str
    locale: str
    audience: str
    tags: tuple[str, ...]
    package_id: str
    package_version: str
    text: str | None
    trust: TrustFacts

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON holds it, for a page."""
        return {
            "number": self.number, "key": self.key, "marker": self.marker,
            "places": [list(place) for place in self.places], "title": self.title,
            "description": self.description, "type": self.node_type, "path": self.path, "locale": self.locale,
            "audience": self.audience, "tags": list(self.tags), "package_id": self.package_id,
            "package_version": self.package_version, "text": self.text, "trust": trust_json(self.trust),
        }  # fmt: skip


def read_event(
    value: object, *, has_message: Callable[[str], bool], limits: Limits = DEFAULT
) -> tuple[TakenEvent | None, tuple[Diagnostic, ...]]:
    """Return what the value of `moca.citations` says, and remarks; None where the event has to be ignored.

    Ignored is an event of another version, one of a message that `has_message` does not know, one that is too large,
    and one that is none. An entry that is wrong is left out by itself.
    """
    fault = fault_in(value, depth=limits.moca_depth, size=limits.moca_event_bytes)
    if fault is not None:
        return None, (error(fault.code, fault.message, fault.path),)
    if not isinstance(value, dict):
        return None, (error("no_event", "The value is no object."),)
    given = cast("dict[str, Any]", value)
    version, message_id, entries = given.get("version"), given.get("messageId"), given.get("citations")
    if isinstance(version, bool) or version != EVENT_VERSION:
        return None, (error("other_version", "The event is of a version that is not known.", "/version"),)
    if not isinstance(message_id, str) or not isinstance(entries, list):
        return None, (error("no_event", "The event has no `messageId`, or no list of citations."),)
    if not has_message(message_id):
        return None, (
            error("unknown_message", "The event is about a message that is not here.", "/messageId"),
        )
    remarks = [
        warning("unknown_key", f"The event has a key that is not known: `{name[:40]}`.", "")
        for name in list(given.keys() - _KNOWN)[:1]
    ]
    computed_at = given.get("computedAt")
    if "computedAt" in given and moment_of(computed_at) is None:
        remarks.append(
            warning("no_moment", "It is no date-time with an offset, and left out.", "/computedAt")
        )
        computed_at = None
    citations = tuple(_taken(cast("list[Any]", entries), remarks, limits))
    told = tuple(remarks)
    return TakenEvent(message_id, citations, computed_at, frozen(given), told), told


def _taken(entries: list[Any], remarks: list[Diagnostic], limits: Limits) -> Iterable[TakenCitation]:
    """Yield the entries that can be taken, in order, one for each reference and span."""
    seen: set[RecordKey] = set()
    digests: dict[str, str] = {}
    if len(entries) > limits.moca_citations:
        remarks.append(error("too_many", f"It has more than {limits.moca_citations:,} citations."))
    for place, entry in enumerate(entries[: limits.moca_citations]):
        path = f"/citations/{place}"
        if not isinstance(entry, dict) or "record" not in entry:
            remarks.append(error("no_citation", "The entry has no record.", path))
            continue
        named = cast("dict[str, Any]", entry)
        found = tolerant(named["record"], limits=limits)
        remarks += (_at(remark, f"{path}/record") for remark in found.diagnostics)
        if not found.is_valid:
            continue
        record = MocaRecord.taken(named["record"], found)
        if record.key in seen:
            remarks.append(error("twice", "The same reference and span were there before.", path))
            continue
        seen.add(record.key)
        if digests.setdefault(record.ref, record.package_digest) != record.package_digest:
            remarks.append(
                warning("two_packages", "Its reference names another package in this event.", path)
            )
        if named.keys() - _KNOWN_OF_ENTRY:
            remarks.append(warning("unknown_key", "The entry has a key that is not known.", path))
        marker = named.get("marker")
        if marker is not None and not _is_marker(marker):
            remarks.append(warning("no_marker", "The marker is none, and left out.", f"{path}/marker"))
            marker = None
        yield TakenCitation(record, marker)


def _at(remark: Diagnostic, path: str) -> Diagnostic:
    return Diagnostic(remark.code, remark.severity, remark.message, path + remark.path)


def _is_marker(marker: object) -> bool:
    """Say whether a text may be looked for in an answer: one line that shows something and hides nothing."""
    return (
        isinstance(marker, str)
        and 0 < len(marker) <= _MARKER
        and not marker.isspace()
        and one_line(marker, _MARKER) == marker.strip()
    )


@dataclass(slots=True)
class _Message:
    """A message of the conversation, as far as it is known.

    `told` are the places of its markers where its service told of them, and `told_of` is the text that they are of.
    """

    is_assistant: bool
    is_ended: bool = False
    pieces: list[str] = field(default_factory=list[str])
    length: int = 0
    event: TakenEvent | None = None
    told: Spans | None = None
    told_of: str = ""
    # What was said when it was shown: it may be shown many times.
    doubts: set[Diagnostic] = field(default_factory=set[Diagnostic])

    @property
    def text(self) -> str:
        """The text so far."""
        if len(self.pieces) > 1:
            self.pieces = ["".join(self.pieces)]
        return whole(self.pieces[0]) if self.pieces else ""

    def holding(self) -> Spans | None:
        """Return the places that were told of and are the same in the text as it is now; None where none were told."""
        if self.told is None:
            return None
        same = alike_until(self.text, self.told_of)
        return frozenset(span for span in self.told if span[1] <= same)


class MocaClient:
    """Follows the events of an AG-UI stream, as parsed JSON, and keeps what each message cites.

    Whoever has messages and their ends from elsewhere tells of them by `message` and hands values to `take`. `clock`
    tells for which moment the dates of records are told anew; without one they are not. Nothing that comes in raises.
    """

    __slots__ = ("_by_chunks", "_clock", "_is_over", "_limits", "_messages", "_remarks")

    def __init__(self, *, clock: Callable[[], datetime] | None = None, limits: Limits = DEFAULT) -> None:
        self._clock = clock
        self._limits = limits
        self._messages: dict[str, _Message] = {}
        self._remarks = Remarks(limits)
        self._by_chunks: str | None = None
        self._is_over = False

    def feed(self, event: object) -> TakenEvent | None:
        """Take in the next event of a stream; return what is cited where it was an event of citations that counts.

        Events that are not known are skipped quietly, by their type or by their name.
        """
        if not isinstance(event, Mapping):
            return None
        given = cast("Mapping[str, Any]", event)
        kind = given.get("type")
        if self._by_chunks is not None and kind != "TEXT_MESSAGE_CHUNK":
            self._end(self._by_chunks)
            self._by_chunks = None
        if kind == "CUSTOM":
            return self._custom(given)
        if kind == "RUN_STARTED":
            self._is_over = False
        elif kind in ("RUN_FINISHED", "RUN_ERROR"):
            self._is_over = True
        elif kind == "MESSAGES_SNAPSHOT":
            self._snapshot(given.get("messages"))
        elif isinstance(kind, str) and kind.startswith("TEXT_MESSAGE_"):
            self._text(kind, given)
        return None

    def _text(self, kind: str, event: Mapping[str, Any]) -> None:
        message_id = event.get("messageId")
        if kind == "TEXT_MESSAGE_CHUNK":
            message_id = message_id if isinstance(message_id, str) else self._by_chunks
            if message_id is None:
                return
            if message_id != self._by_chunks:
                if self._by_chunks is not None:
                    self._end(self._by_chunks)
                self._start(message_id, event.get("role", _ROLE))
                self._by_chunks = message_id
            self._write(message_id, event.get("delta"))
        elif not isinstance(message_id, str):
            return
        elif kind == "TEXT_MESSAGE_START":
            self._start(message_id, event.get("role", _ROLE))
        elif kind == "TEXT_MESSAGE_CONTENT":
            self._write(message_id, event.get("delta"))
        elif kind == "TEXT_MESSAGE_END":
            self._end(message_id)

    def _start(self, message_id: str, role: object) -> None:
        known = self._messages.get(message_id)
        if known is None:
            self._keep(message_id, _Message(role == _ROLE))
        else:
            # A message that is started again goes on, as AG-UI has it: what it said and cited is still there.
            known.is_ended = False

    def _keep(self, message_id: str, message: _Message) -> None:
        self._messages.pop(message_id, None)
        self._messages[message_id] = message
        if len(self._messages) > self._limits.moca_messages:
            del self._messages[next(iter(self._messages))]

    def _write(self, message_id: str, delta: object) -> None:
        message = self._messages.get(message_id)
        if message is None or message.is_ended or not isinstance(delta, str):
            return
        room = self._limits.moca_message_code_points - message.length
        if room > 0 and delta:
            message.pieces.append(delta[:room])
            message.length += min(room, len(delta))

    def _end(self, message_id: str) -> None:
        message = self._messages.get(message_id)
        if message is not None:
            message.is_ended = True

    def _snapshot(self, messages: object) -> None:
        """Take in messages as a whole; what was cited in one that is there already stays."""
        if not isinstance(messages, list):
            return
        for one in cast("list[Any]", messages):
            if not isinstance(one, Mapping):
                continue
            given = cast("Mapping[str, Any]", one)
            message_id, content = given.get("id"), given.get("content")
            if isinstance(message_id, str):
                text = content if isinstance(content, str) else ""
                self.message(message_id, text, is_assistant=given.get("role") == _ROLE)

    def message(self, message_id: str, text: str, *, is_assistant: bool = True) -> None:
        """Tell of a message that has ended, and of its text as it is shown; again where that has become another."""
        known = self._messages.get(message_id)
        kept = text[: self._limits.moca_message_code_points]
        message = _Message(is_assistant, is_ended=True, pieces=[kept], length=len(kept))
        if known is not None and is_assistant:
            message.event, message.told, message.told_of = known.event, known.told, known.told_of
            message.doubts = known.doubts
        self._keep(message_id, message)

    def _custom(self, event: Mapping[str, Any]) -> TakenEvent | None:
        if event.get("name") == CITATIONS:
            self._tell(event.get("value"))
            return None
        if event.get("name") != EVENT_NAME:
            return None
        if self._is_over:
            self._remarks.add((error("after_the_run", "The event comes after its run has ended."),))
            return None
        return self.take(event.get("value"))

    def _tell(self, value: object) -> None:
        """Take in where a service of ours says that the markers of a message stand."""
        given = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        message_id, text = given.get("messageId"), given.get("text")
        message = self._messages.get(message_id) if isinstance(message_id, str) else None
        if self._is_over or message is None or not message.is_assistant or not message.is_ended:
            return
        if given.get("version") is True or given.get("version") != OUR_VERSION:
            return
        if isinstance(text, str):
            self.message(given["messageId"], text)
            message = self._messages[given["messageId"]]
        message.told, message.told_of = spans_of(given, self._limits.agui_citations), message.text

    def take(self, value: object) -> TakenEvent | None:
        """Take in the value of an event of citations; return it, or None where it has to be ignored.

        A valid one takes the place of whatever was cited in its message before.
        """
        taken, remarks = read_event(value, has_message=self._has, limits=self._limits)
        self._remarks.add(remarks)
        if taken is not None:
            self._messages[taken.message_id].event = taken
        return taken

    def _has(self, message_id: str) -> bool:
        """Say whether there is an assistant's message of this id that has ended."""
        message = self._messages.get(message_id)
        return message is not None and message.is_assistant and message.is_ended

    def event_of(self, message_id: str) -> TakenEvent | None:
        """Return the event that holds for a message; None where there is none, which is not the same as no sources."""
        message = self._messages.get(message_id)
        return None if message is None else message.event

    def shown(self, message_id: str) -> tuple[ShownCitation, ...]:
        """Return what a message cites, for a reader; empty where it cites nothing or nobody has said so."""
        message = self._messages.get(message_id)
        if message is None or message.event is None:
            return ()
        now = None if self._clock is None else self._clock()
        shown, remarks = _shown_all(message.event, message.text, now, message.holding(), self._limits)
        self._remarks.add(one for one in remarks if one not in message.doubts)
        message.doubts.update(remarks)
        return shown

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Remarks on everything that came in, in order."""
        return self._remarks.kept()


def shown_citations(
    event: TakenEvent,
    text: str,
    *,
    now: datetime | None = None,
    markers: Iterable[tuple[int, int]] | None = None,
    limits: Limits = DEFAULT,
) -> tuple[ShownCitation, ...]:
    """Return the citations of an event for a reader of `text`, the message as it is shown.

    Trust is told as of the moment at which the records were computed; `now` tells beside it what their dates give for
    that moment, which has an offset. `markers` are the code points at which the service says that markers stand, as
    `pincite.citations` has them. Without them a citation has a place only where its marker stands once: the event does
    not tell a second mention from a number that the model wrote itself.
    """
    told = None if markers is None else frozenset((start, end) for start, end in markers)
    return _shown_all(event, text, now, told, limits)[0]


def _shown_all(
    event: TakenEvent, text: str, now: datetime | None, told: Spans | None, limits: Limits
) -> tuple[tuple[ShownCitation, ...], list[Diagnostic]]:
    found = Places(text, told, limits).of([(one.record.ref, one.marker) for one in event.citations])
    shown: list[ShownCitation] = []
    remarks: list[Diagnostic] = []
    for number, (one, (places, doubt)) in enumerate(zip(event.citations, found, strict=True), start=1):
        trust = facts_of(one.record, as_of=event.computed_at, now=now, limits=limits)
        shown.append(_shown(number, one, places, trust, limits))
        if doubt is not None:
            remarks.append(warning(doubt, _DOUBTS[doubt], f"/citations/{number - 1}/marker"))
    return tuple(shown), remarks


_DOUBTS = {
    "marker_of_several": "Several nodes have this marker, so it is told of none where it stands.",
    "marker_out_of_order": "The marker stands before one that the event lists before it, so not all are the service's.",
    "marker_repeated": "The marker stands in several places, and nothing tells which of them are the service's.",
    "marker_defined": "The answer makes a link of the marker, so it may lead elsewhere.",
}


def _shown(
    number: int, one: TakenCitation, places: tuple[tuple[int, int], ...], trust: TrustFacts, limits: Limits
) -> ShownCitation:
    clean, record, node = Cleaner(limits), one.record, one.record.node
    path = clean.label(record.path)
    return ShownCitation(
        number=number,
        key=record.ref,
        marker=clean.label(one.marker),
        places=places,
        title=one_line((record.title or "")[:8_000], limits.title_code_points) or path,
        description=clean.label(node.get("description")),
        node_type=clean.label(node["type"]),
        path=path,
        locale=clean.label(record.locale),
        audience=clean.label(record.data.get("audience")),
        tags=clean.labels(node.get("tags", ())),
        package_id=clean.label(record.package_id),
        package_version=clean.label(record.package_version),
        text=None if record.text is None else clean.passage(record.text),
        trust=trust,
    )
