"""The processor: messages in, the same messages out with the evidences and the context of what they cite."""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast, runtime_checkable

from pincite.citing._message_forms import ASSISTANT, cited_items, read
from pincite.citing.conversation import ConversationState
from pincite.citing.formats import KEY_FIELDS
from pincite.citing.messages import ChatMessage, ContentPart, ContextItems, evidences_of
from pincite.citing.present import neutralised
from pincite.citing.run import CitationRun
from pincite.citing.store import CitationStore
from pincite.core.errors import InputError, PinciteError
from pincite.core.given import items_of, of_kind, refuse
from pincite.core.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from pincite.citing._message_forms import Reading
    from pincite.citing._scan import Scanner
    from pincite.citing.registered import RegisteredHit
    from pincite.core.answer import Answer

MessageT = TypeVar("MessageT")

_MESSAGES = "what yields messages"
_HISTORY = "Earlier answers of the assistant rest on these passages; the user did not attach them."
_AGAIN = "They can be cited again, by their `{key_field}`."


@runtime_checkable
class _Closing(Protocol):
    async def aclose(self) -> None: ...


class CitationProcessor:
    """Resolves what the messages of one run cite.

    `source` is a run, or a store whose hits may be cited. `wire_format` is the run's own when it is None; a store
    alone is resolved in any.

    Raises:
        InputError: `source` is neither; there is no such wire format, or the run has another.
    """

    __slots__ = ("_limits", "_run")

    def __init__(
        self, source: CitationRun | CitationStore, *, wire_format: str | None = None, limits: Limits = DEFAULT
    ) -> None:
        self._run = _run_of(source, wire_format, limits)
        self._limits = of_kind(limits, Limits, "limits", "a `Limits`")

    @property
    def run(self) -> CitationRun:
        """The run whose passages may be cited."""
        return self._run

    def answer(self, message: object) -> Answer | None:
        """Return what a message's text resolves to, misses and all, or None where it is no answer.

        Raises:
            InputError: it is neither a mapping, nor a dataclass, nor a model with `model_copy`.
        """
        reading = _reading(message)
        return self._run.resolve(reading.text) if reading.is_answer else None

    def process(self, message: MessageT) -> MessageT:
        """Return a message of the same kind, with evidences and context parts for what it cites, all else kept.

        The text stays as it was written; where there are text parts, it is their text, and the content is made to
        agree. Evidences and parts that the message has are kept. What is no answer comes back as it is.

        Raises:
            InputError: it is neither a mapping, nor a dataclass, nor a model with `model_copy`; or it cites something
                and has no field for evidences or for parts.
        """
        reading = _reading(message)
        return cast("MessageT", _resolved(reading, self._run)) if reading.is_answer else message

    def stream_sync(self, messages: Iterable[MessageT]) -> Iterator[MessageT]:
        """Yield growing states of messages one item late: a later one ends the earlier, or continues it.

        Every item comes out. A state of an answer that a longer one follows is shown without a half-written marker
        at its end; the last state of each answer is resolved whole, whatever follows it. Items that are no messages
        pass. When `messages` raises, what was held comes out first.
        """
        turn = _Turn(self._run, self._limits)
        items_of(messages, "messages", _MESSAGES)
        try:
            for item in messages:
                yield from cast("list[MessageT]", turn.take(item))
        except Exception:
            yield from cast("list[MessageT]", turn.end())
            raise
        yield from cast("list[MessageT]", turn.end())

    async def stream(self, messages: AsyncIterable[MessageT]) -> AsyncIterator[MessageT]:
        """Yield what `stream_sync` yields, from messages that come asynchronously."""
        turn = _Turn(self._run, self._limits)
        if not isinstance(messages, AsyncIterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            refuse(messages, "messages", _MESSAGES)
        try:
            async for item in messages:
                for shown in turn.take(item):
                    yield cast("MessageT", shown)
        except Exception:
            for shown in turn.end():
                yield cast("MessageT", shown)
            raise
        finally:
            # A reader that stops early closes the source too.
            if isinstance(messages, _Closing):
                await messages.aclose()
        for shown in turn.end():
            yield cast("MessageT", shown)

    def history(self, messages: Iterable[object]) -> ChatMessage | None:
        """Return what tells the next turn which passages the answers among `messages` cited, or None for none.

        It is a message of the system's, to stand before the new question: it says that the assistant cited them and
        the user did not attach them, and shows each once, in order of first citation, under a key by which it can be
        cited again. Passages that the run does not know are in its context part alone.
        """
        items = ContextItems(cited_by=ASSISTANT)
        for message in items_of(messages, "messages", "a list of messages"):
            items |= cited_items(message)
        if not items:
            return None
        shown = [
            self._shown_again(hit) for hit in map(self._run.store.get, items.passages) if hit is not None
        ]
        text = _told(self._run.format.key_field, [payload for payload in shown if payload])
        context = ContentPart("context", context=items)
        parts = (ContentPart("text", text=text), context) if text else (context,)
        return ChatMessage(content=text, sender="system", content_parts=parts)

    def _shown_again(self, hit: RegisteredHit) -> dict[str, Any] | None:
        """Return a cited passage as the model may see it now, or None where it has no key in this wire format."""
        field = self._run.format.key_field
        shown = {name: _plain(value) for name, value in hit.context_hit.items() if name not in KEY_FIELDS}
        if field is None:
            return shown
        if field in hit.context_hit:
            return {field: hit.context_hit[field], **shown}
        try:
            (payload,) = self._run.present_context([hit])
        except PinciteError:
            # It has no text that could be presented again; its other names still lead to it.
            key = _key(hit, field)
            return None if key is None else {field: key, **shown}
        return payload


class _Turn:
    """The item of a stream that waits for the one after it, and how far its text is settled."""

    __slots__ = ("_held", "_limits", "_reading", "_run", "_scanned", "_scanner")

    def __init__(self, run: CitationRun, limits: Limits) -> None:
        self._run = run
        self._limits = limits
        self._held: list[object] = []
        self._reading: Reading | None = None
        self._scanner: Scanner | None = None
        self._scanned = ""

    def take(self, item: object) -> list[object]:
        """Take the next item in; return what it lets go of."""
        reading = read(item)
        shown = self._let_go(reading)
        self._held, self._reading = [item], reading
        return shown

    def end(self) -> list[object]:
        """Return what is left, once."""
        shown = self._let_go(None)
        self._held, self._reading = [], None
        return shown

    def _let_go(self, following: Reading | None) -> list[object]:
        reading = self._reading
        if reading is None or not reading.is_answer:
            return self._held
        if following is not None and following.continues(reading):
            return [reading.written(reading.text[: self._settled(reading.text)])]
        self._scanner, self._scanned = None, ""
        return [_resolved(reading, self._run)]

    def _settled(self, text: str) -> int:
        """Return where the beginning of `text` ends in which nothing can become another marker as it grows."""
        from pincite.citing._scan import (
            Scanner,
        )  # its patterns take longer to compile than the base import may

        if self._scanner is None or not text.startswith(self._scanned):
            self._scanner, self._scanned = Scanner(None, limits=self._limits), ""
        self._scanner.extend(text[len(self._scanned) :])
        self._scanner.run(final=False)
        self._scanned = text
        return min(self._scanner.held, len(text)) if self._scanner.pending else len(text)


def _resolved(reading: Reading, run: CitationRun) -> object:
    answer = run.resolve(reading.text)
    context = answer.context
    items = ContextItems(
        tuple(context.document_ids), tuple(context.custom_items), context.passages, cited_by=ASSISTANT
    )
    return reading.written(reading.text, evidences_of(answer, run.store), items)


def _run_of(source: object, wire_format: str | None, limits: Limits) -> CitationRun:
    if isinstance(source, CitationRun):
        if wire_format not in (None, source.format.name):
            msg = f"The run writes {source.format.name!r}, so its messages cannot be read as {wire_format!r}."
            raise InputError(msg, field="wire_format")
        return source
    if not isinstance(source, CitationStore):
        msg = f"A processor needs a `CitationRun` or a `CitationStore`, not {type(source).__name__}."
        raise InputError(msg, field="source")
    return CitationRun(wire_format, conversation=ConversationState(store=source), limits=limits)


def _reading(message: object) -> Reading:
    reading = read(message)
    if reading is None:
        msg = (
            f"A message is a mapping, a dataclass or a model with `model_copy`, not {type(message).__name__}."
        )
        raise InputError(msg, field="message")
    return reading


def _plain(value: object) -> object:
    return neutralised(value) if isinstance(value, str) else value


def _key(hit: RegisteredHit, field: str) -> str | int | None:
    """Return the key of a hit that a payload shows in `field`, where it has one."""
    keys: dict[str, str | int | None] = {
        "source_url": hit.citation_key,
        "ref": hit.short_id,
        "short_id": hit.short_id,
        "number": hit.number,
        "evidence_id": hit.known.evidence_id,
    }
    return keys.get(field)


def _told(field: str | None, payloads: list[dict[str, Any]]) -> str:
    if not payloads:
        return ""
    import json  # the first turn of a conversation tells nothing

    said = _HISTORY if field is None else f"{_HISTORY} {_AGAIN.replace('{key_field}', field)}"
    return "\n".join([said, *(json.dumps(one, ensure_ascii=False, default=str) for one in payloads)])
