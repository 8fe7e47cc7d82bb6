"""Our own events beside an answer: their names, and the values that they carry over AG-UI and other streams.

`pincite.citations` is final and comes once for each assistant message; `pincite.citation` is provisional and comes
while the text still grows; `pincite.highlight` brings the words that a model picked, later. They hold ids, refs,
verdicts and offsets, and never the text of a source: who may open one asks for its preview.

Offsets are of the text that the client has, markers replaced by numbers: code points, and UTF-16 units for browsers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pincite.core.errors import MalformedIdError
from pincite.core.ids import ChunkEvidenceId, parse_evidence_id
from pincite.core.limits import DEFAULT
from pincite.core.offsets import OffsetMap
from pincite.protocols.answers import value_of
from pincite.showing import numbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pincite.core.answer import Answer
    from pincite.core.citation import BoundPassage
    from pincite.core.limits import Limits
    from pincite.showing import NumberedCitation, NumberedText

CITATIONS: Final = "pincite.citations"
CITATION: Final = "pincite.citation"
HIGHLIGHT: Final = "pincite.highlight"
STATE_KEY: Final = "pincite"
"""Under which name the state of a conversation holds what its messages cite."""
VERSION: Final = 1

_OF_CITATION = (
    "number", "verdict", "quote_verdict", "support_verdict", "ref", "evidence_id", "locator", "confidence",
    "source_state", "anchor",
)  # fmt: skip
_OF_SOURCE = ("number", "title", "document_id", "source_key", "source_uri", "locator", "bibliography")


@dataclass(frozen=True, slots=True)
class EndedMessage:
    """An assistant message that has ended.

    `answer` is resolved, with offsets of the text as the model wrote it; `shown` is that text as the client has it.
    `replaced` says that the client was streamed another text, and gets this one in its place.
    """

    message_id: str
    answer: Answer
    shown: NumberedText
    replaced: bool = False

    @property
    def text(self) -> str:
        """The text as the client has it."""
        return self.shown.text

    def settled(self, answer: Answer, *, limits: Limits = DEFAULT) -> EndedMessage:
        """Return the message with the answer that holds for it, which repairs or what came late may have changed."""
        shown = numbered(answer, limits=limits)
        changed = self.replaced or shown.text != self.text
        return EndedMessage(self.message_id, answer, shown, replaced=changed)


def citations_value(
    message: EndedMessage,
    told: Mapping[str, Any],
    *,
    status: str | None = None,
    conversation_id: str | None = None,
) -> dict[str, Any]:
    """Return the value of `pincite.citations` for a message, as JSON holds it.

    `told` is what `answer_json` says of the message's answer; `status` is how the answer came out, where that is known.
    The text itself is in it only where the client was streamed another one.
    """
    places = _Places(message.shown)
    value: dict[str, Any] = {"version": VERSION, "messageId": message.message_id}
    if conversation_id is not None:
        value["conversationId"] = conversation_id
    if message.replaced:
        value["text"] = message.text
    value["citations"] = [
        {
            **{name: one[name] for name in _OF_CITATION},
            **_ids(citation.sources[0].passage),
            **places.of_citation(one["start"], one["end"]),
            "claim": None
            if citation.claim is None
            else places.span(citation.claim.start, citation.claim.end),
        }
        for one, citation in zip(told["citations"], message.answer.citations, strict=True)
    ]
    value["sources"] = [{name: one[name] for name in _OF_SOURCE} for one in told["sources"]]
    value["misses"] = [
        {**places.span(one["start"], one["end"]), "reason": one["reason"], "suggestion": one["suggestion"]}
        for one in told["misses"]
    ]
    value["uncited"] = [places.span(one["start"], one["end"]) for one in told["uncited"]]
    value["status"] = status
    return value


def astral_count(text: str) -> int:
    """Return how many code points of a text take two UTF-16 units."""
    return 0 if text.isascii() else sum(1 for char in text if char > "\uffff")


def citation_value(message_id: str, found: NumberedCitation, wide: int) -> dict[str, Any]:
    """Return the value of `pincite.citation`; `wide` code points before it take two UTF-16 units.

    What is in it may change until `pincite.citations` comes, which takes its place.
    """
    citation = found.citation
    source = citation.sources[0]
    ids = _ids(source.passage)
    # `version` is that of the value.
    document_version = ids.pop("version")
    return {
        "version": VERSION,
        "messageId": message_id,
        "numbers": list(found.numbers),
        "start": found.start,
        "end": found.end,
        "start_utf16": found.start + wide,
        "end_utf16": found.end + wide,
        "verdict": value_of(citation.trace),
        "quote_verdict": value_of(citation.quote),
        "ref": source.passage.ref if source.passage is not None else None,
        **ids,
        "document_version": document_version,
        "title": source.title,
    }


def highlight_value(message_id: str, highlights: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the value of `pincite.highlight`.

    Each of `highlights` has `citation`, the index among the citations of the message, `quote`, the words, `chunk_id`
    and `version`, the passage, `start` and `end`, code points of its text, and `boxes`, each with its `page`, in
    fractions of that page.
    """
    return {"version": VERSION, "messageId": message_id, "highlights": [dict(one) for one in highlights]}


class _Places:
    """Offsets of the answer as the model wrote it, told as places of the text that the client has."""

    __slots__ = ("_shown", "_units")

    def __init__(self, shown: NumberedText) -> None:
        self._shown = shown
        self._units = OffsetMap(shown.text)

    def of_citation(self, start: int | None, end: int | None) -> dict[str, int | None]:
        """Return where a citation stands: its number, else the words that it is about."""
        if start is None or end is None:
            return dict.fromkeys(("start", "end", "start_utf16", "end_utf16"))
        place = self._shown.places.get((start, end))
        return {**(self.span(start, end) if place is None else self._told(*place))}

    def span(self, start: int, end: int) -> dict[str, int]:
        """Return a stretch of the answer's text as one of what is shown."""
        return self._told(self._shown.at(start), self._shown.at(end))

    def _told(self, start: int, end: int) -> dict[str, int]:
        to = self._units.to_utf16
        return {"start": start, "end": end, "start_utf16": to(start), "end_utf16": to(end)}


def _ids(passage: BoundPassage | None) -> dict[str, str | None]:
    """Return what opens a passage: its document, the passage, and the version that was cited."""
    found: dict[str, str | None] = {"chunk_id": None, "document_id": None, "version": None}
    if passage is None:
        return found
    found |= {"chunk_id": passage.chunk_id, "document_id": passage.document_id}
    if passage.evidence_id is not None:
        try:
            named = parse_evidence_id(passage.evidence_id)
        except MalformedIdError:
            return found
        found |= {"document_id": named.document_id, "version": named.version}
        if isinstance(named, ChunkEvidenceId):
            found["chunk_id"] = named.chunk_id
    return found
