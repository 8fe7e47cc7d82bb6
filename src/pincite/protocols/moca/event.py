"""The event `moca.citations` of an assistant message: made from what was read in the run and cited in the answer.

Every rule is one of the event's page. Where the event stands in a stream is the stream's: it asks a citer about each
message that has ended.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from pincite.citing.resolve import source_key
from pincite.core.given import of_kind
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import TraceVerdict
from pincite.protocols.moca._json import fault_in
from pincite.protocols.moca._mentions import mentions
from pincite.protocols.moca.diagnostics import Diagnostic, warning
from pincite.protocols.moca.ledger import RunLedger
from pincite.protocols.moca.validation import EVENT_NAME, EVENT_VERSION, event_schema, valid_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pincite.core.answer import Answer
    from pincite.protocols.moca._mentions import Mention
    from pincite.protocols.moca.record import MocaRecord, RecordKey
    from pincite.showing import NumberedText

_LOG: Final = logging.getLogger("pincite.moca")
# Where in an event a fault is that is of one citation: anchored, one run of digits.
_ENTRY: Final = re.compile(r"/value/citations/([0-9]{1,9})(?:/|\Z)")
# Bytes of the event around its value, more than there are.
_AROUND: Final = 512


class Ended(Protocol):
    """An assistant message that has ended: `EndedMessage` of the AG-UI door is one."""

    @property
    def message_id(self) -> str:
        """The id of the message, from its start."""
        ...

    @property
    def shown(self) -> NumberedText:
        """The text as the client has it, and where the numbers of its citations stand in it."""
        ...

    @property
    def answer(self) -> Answer:
        """What was found in the text as the model wrote it."""
        ...


@dataclass(frozen=True, slots=True)
class MocaEvent:
    """The event of one message: its `value`, and what was left out of it and why.

    `left_out` counts by reason; it is for a log, and never for a client. What is not valid is not sent.
    """

    value: dict[str, Any]
    is_valid: bool = True
    left_out: dict[str, int] = field(default_factory=dict[str, int])
    diagnostics: tuple[Diagnostic, ...] = ()

    def as_event(self) -> dict[str, Any]:
        """Return the whole event as AG-UI has it."""
        return {"type": "CUSTOM", "name": EVENT_NAME, "value": self.value}


class _Cited(NamedTuple):
    """A record that an answer cites at a code point of its text.

    `marker` is what refers to it in the shown text, empty for nothing; `is_named` says that this is its reference.
    """

    start: int
    record: MocaRecord
    marker: str
    is_named: bool = False


class MocaCiter:
    """Tells what a message cites, as the event `moca.citations`, for messages of one run.

    `ledger` is what was read in that run; nothing else is ever cited. `keep_text` says whether the records keep their
    text: leaving it out is the one change that the event's page allows. `records` is the JSON Schema of records where
    the Reader keeps to a newer one than ours; what does not keep to it is not sent. `last` is the event of the message
    that was asked about last.

    Raises:
        InputError: `ledger` is none, or `records` no schema.
    """

    __slots__ = ("_keep_text", "_ledger", "_limits", "_schema", "last")

    def __init__(
        self,
        ledger: RunLedger,
        *,
        keep_text: bool = True,
        records: Mapping[str, Any] | None = None,
        limits: Limits = DEFAULT,
    ) -> None:
        self._schema = None if records is None else event_schema(records)
        self._ledger = of_kind(ledger, RunLedger, "ledger", "the ledger of a run")
        self._keep_text = keep_text
        self._limits = limits
        self.last: MocaEvent | None = None

    def cite(self, message: Ended) -> list[tuple[str, dict[str, Any]]]:
        """Return name and value of the event of a message that has ended; one that cites nothing has an empty list.

        Nothing is returned where no valid event can be made, as of a message without an id.
        """
        self.last = event = self.event(message)
        if event.left_out:
            told = ", ".join(f"{name}: {count}" for name, count in sorted(event.left_out.items()))
            _LOG.info("Left out of the citations of a message: %s.", told)
        for remark in event.diagnostics:
            _LOG.warning("Citations of a message: %s: %s", remark.code, remark.message)
        return [(EVENT_NAME, event.value)] if event.is_valid else []

    def event(self, message: Ended) -> MocaEvent:
        """Return the event of a message, with what was left out of it."""
        left_out: Counter[str] = Counter()
        remarks: list[Diagnostic] = []
        cited = _once(self._cited(message, left_out), left_out)
        most = self._limits.moca_citations
        left_out["too_many"] = max(0, len(cited) - most)
        cited, keep_text = self._fitting(message.message_id, cited[:most], left_out, remarks)
        while True:
            event = MocaEvent(self._value(message.message_id, cited, keep_text=keep_text))
            found = valid_event(event.as_event(), schema=self._schema, limits=self._limits)
            remarks += found.diagnostics
            bad = {
                int(place[1]) for one in found.diagnostics if (place := _ENTRY.match(one.path)) is not None
            }
            if found.is_valid or not bad:
                break
            # What fails is dropped by itself; the rest is as good as it was.
            left_out["invalid"] += len(bad)
            cited = [one for place, one in enumerate(cited) if place not in bad]
        counts = {name: count for name, count in left_out.items() if count}
        return MocaEvent(event.value, found.is_valid, counts, tuple(remarks))

    def _fitting(
        self, message_id: str, cited: list[_Cited], left_out: Counter[str], remarks: list[Diagnostic]
    ) -> tuple[list[_Cited], bool]:
        """Return as many of the first citations as one event has room for, and whether their texts stay in it."""
        if self._fits(self._value(message_id, cited, keep_text=self._keep_text)):
            return cited, self._keep_text
        if self._keep_text:
            remarks.append(
                warning("texts_left_out", "The event would be too large with the texts of its records.")
            )
        while not self._fits(self._value(message_id, cited, keep_text=False)):
            kept = len(cited) // 2
            left_out["too_large"] += len(cited) - kept
            cited = cited[:kept]
        return cited, False

    def _fits(self, value: dict[str, Any]) -> bool:
        # Whatever else is wrong with it is told where the event is validated.
        room = max(0, self._limits.moca_event_bytes - _AROUND)
        fault = fault_in(value, depth=self._limits.moca_depth, size=room)
        return fault is None or fault.code != "too_large" or not value["citations"]

    def _value(self, message_id: str, cited: list[_Cited], *, keep_text: bool) -> dict[str, Any]:
        value: dict[str, Any] = {"version": EVENT_VERSION, "messageId": message_id}
        computed_at = self._ledger.computed_at(one.record for one in cited)
        if computed_at is not None:
            value["computedAt"] = computed_at
        value["citations"] = [_entry(one, keep_text=keep_text) for one in cited]
        return value

    def _cited(self, message: Ended, left_out: Counter[str]) -> list[_Cited]:
        """Return what an answer cites, in order of its text: by markers, and by references written out."""
        answer = message.answer
        left_out["misses"] += len(answer.misses)
        cited = sorted(self._by_marker(answer, message.shown, left_out), key=_start)
        named = mentions(answer.text, self._ledger.refs(), self._limits)
        left_out["other_references"] += named.others
        return self._with_named(cited, named.found, message.shown.text) if named.found else cited

    def _by_marker(self, answer: Answer, shown: NumberedText, left_out: Counter[str]) -> Iterator[_Cited]:
        numbers = {source_key(evidence.source): evidence.number for evidence in answer.evidences}
        for shared in self._shared(answer):
            numbers.pop(shared, None)
        for citation in answer.citations:
            if citation.trace not in (None, TraceVerdict.VALID):
                left_out["not_valid"] += 1
                continue
            anchor = citation.anchor
            start, end = (0, 0) if anchor is None else (anchor.start, anchor.end)
            # Its own numbers alone: what stands in code may look like one.
            numbers_there = shown.text[slice(*shown.places.get((start, end), (0, 0)))]
            for source in citation.sources:
                key = source.passage.citation_key if source.passage is not None else None
                record = None if key is None else self._ledger.by_citation(key)
                if record is None:
                    # Another kind of source, or one of an earlier run: the Reader returned neither in this one.
                    left_out["not_returned"] += 1
                    continue
                number = numbers.get(source_key(source))
                marker = "" if number is None else f"[{number}]"
                yield _Cited(start, record, marker if marker in numbers_there else "")

    def _shared(self, answer: Answer) -> set[str]:
        """Return the sources that stand for more than one record, or for a passage that is none.

        Their number refers to something else as well, and must lend it no record's trust.
        """
        named: dict[str, RecordKey | None] = {}
        shared: set[str] = set()
        for source in (one for citation in answer.citations for one in citation.sources):
            passage = source.passage
            record = None if passage is None else self._ledger.by_citation(passage.citation_key)
            name, key = source_key(source), None if record is None else record.key
            if named.setdefault(name, key) != key:
                shared.add(name)
        return shared

    def _with_named(self, cited: list[_Cited], named: Iterable[Mention], shown: str) -> list[_Cited]:
        """Return what is cited by markers with what is named: of a node that was cited before, that is no more."""
        merged: list[_Cited] = []
        refs: set[str] = set()
        place = 0
        for mention in named:
            while place < len(cited) and cited[place].start <= mention.start:
                merged.append(cited[place])
                refs.add(cited[place].record.ref)
                place += 1
            if mention.ref not in refs:
                # The first that was read of it: a reference names a node, and no part of it.
                record = self._ledger.by_ref(mention.ref)[0]
                marker = mention.ref if mention.ref in shown else ""
                merged.append(_Cited(mention.start, record, marker, is_named=True))
                refs.add(mention.ref)
        return merged + cited[place:]


def _start(one: _Cited) -> int:
    return one.start


def _once(cited: Iterable[_Cited], left_out: Counter[str]) -> list[_Cited]:
    """Return one for each reference and span, in the place of the first; of two locales the first.

    A number is a better marker than the reference, which is in the record anyway.
    """
    first: dict[RecordKey, _Cited] = {}
    for one in cited:
        known = first.setdefault(one.record.key, one)
        if known.record.node_digest != one.record.node_digest:
            left_out["other_locale"] += 1
        elif known.is_named and one.marker and not one.is_named:
            first[one.record.key] = known._replace(marker=one.marker, is_named=False)
    return list(first.values())


def _entry(one: _Cited, *, keep_text: bool) -> dict[str, Any]:
    record = one.record.as_dict() if keep_text else one.record.without_text()
    return {"marker": one.marker, "record": record} if one.marker else {"record": record}
