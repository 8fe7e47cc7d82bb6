"""A stream of UI message chunks, with citations: markers become numbers as they come, each text tells what it cites.

Whatever the agent behind it does, this order holds: what a text cites is told after its `text-end` and before the
`finish-step`, the `finish`, the `error` or the `abort` that follows it, and nothing of it comes after that `finish`.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic_ai.ui.vercel_ai.response_types import (
    AbortChunk,
    BaseChunk,
    DataChunk,
    DoneChunk,
    ErrorChunk,
    FileChunk,
    FinishChunk,
    FinishStepChunk,
    ReasoningEndChunk,
    SourceDocumentChunk,
    SourceUrlChunk,
    StartChunk,
    StartStepChunk,
    TextDeltaChunk,
    TextEndChunk,
    TextStartChunk,
)

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits
from pincite.core.surrogates import whole
from pincite.core.text import one_line
from pincite.core.urls import safe_link
from pincite.protocols.citations_event import CITATION, CITATIONS, EndedMessage, astral_count, citation_value
from pincite.protocols.cited_run import AnswerCiter, closing, failure_told
from pincite.protocols.vercel._order import Order, Redraft, encodable
from pincite.protocols.vercel.parts import (
    NO_TITLE,
    Place,
    data_type,
    is_ours,
    safe_file,
    told_before,
    with_sources,
)
from pincite.showing import NumberedCitation, NumberedStream, numbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pydantic_ai.ui.vercel_ai.request_types import UIMessage

    from pincite.agents import CheckedAnswer
    from pincite.citing import CitationRun
    from pincite.library import Library
    from pincite.protocols.cited_run import Citer
    from pincite.protocols.vercel.parts import SourcePart
    from pincite.showing.numbered import Numbered

_LOG: Final = logging.getLogger("pincite.vercel")
_BROKEN: Final = "The stream ended before it was finished."


Settle = Callable[[], "CheckedAnswer | None"]
"""Returns the answer that holds for the last text of a run, once there is one."""
Late = Callable[[], "Iterable[SourcePart]"]
"""Returns what providers cited themselves, as far as it is known; each is told once."""
Later = Callable[[EndedMessage, "dict[str, Any]"], AsyncIterator[tuple[str, "dict[str, Any]"]]]
"""Yields the events that come after the citations of the answer, which it is given with what was told of them."""


@dataclass(slots=True)
class _Text:
    """A text part of the message: while it is written, and what was told of it."""

    place: Place
    stream: NumberedStream
    wide: int = 0
    provisional: int = 0
    ended: EndedMessage | None = None
    # How many passages had been presented when its markers were looked up.
    known: int = 0
    is_told: bool = False
    is_draft: bool = False

    @property
    def raw(self) -> str:
        return self.ended.answer.text if self.ended is not None else ""


class CitedChunks:
    """Puts citations into one stream of chunks: `async for chunk in CitedChunks(run).of(chunks)`.

    `run` is where what the agent's tools return is presented. `citers` are asked about each text that has ended, in
    their order; without any, our own tells what it cites. The message has the id of its `start`, else `message_id`,
    else that of its first text. A message that goes on with an earlier one has `texts` text parts already, the source
    parts `sources` by their ids, and the tool calls `calls` by theirs.

    Every chunk that is yielded can be sent: halves of characters are joined, and lone ones are U+FFFD. `settle`, `late`
    and `later` are as their types say. An agent that fails is told of by `failed`, which returns the
    sentence for the client.
    """

    __slots__ = (
        "_citers", "_drafts", "_failed", "_is_final", "_is_over", "_late", "_later", "_library", "_limits",
        "_message_id", "_next", "_open", "_order", "_run", "_settle", "_sources", "_step", "_step_is_open", "_texts",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913 - what a stream may depend on, by keyword
        self,
        run: CitationRun,
        citers: Sequence[Citer] | None = None,
        *,
        message_id: str | None = None,
        texts: int = 0,
        sources: Iterable[str] = (),
        calls: Iterable[str] = (),
        library: Library | None = None,
        settle: Settle | None = None,
        late: Late | None = None,
        later: Later | None = None,
        failed: Callable[[Exception], str] | None = None,
        limits: Limits = DEFAULT,
    ) -> None:
        self._run = run
        self._citers = (AnswerCiter(library),) if citers is None else tuple(citers)
        self._message_id = message_id
        self._next = texts
        self._sources = set(sources)
        self._library = library
        self._settle = settle
        self._late = late
        self._later = later
        self._failed = failed
        self._limits = limits
        self._order = Order(calls)
        self._open: dict[str, _Text] = {}
        # All texts that have ended, those of this step, and those that are written again.
        self._texts: list[_Text] = []
        self._step: list[_Text] = []
        self._drafts: list[_Text] = []
        self._step_is_open = False
        self._is_final = False
        self._is_over = False

    async def of(self, chunks: AsyncIterator[BaseChunk]) -> AsyncGenerator[BaseChunk]:
        """Yield the chunks of a stream with citations among them, in the order that the AI SDK takes."""
        try:
            # What closes the agent is inside: nothing is told any more where it fails because its reader has left.
            async with closing(chunks), aclosing(self._cited(chunks)) as found:
                async for one in found:
                    yield encodable(one)
        except Exception as error:  # noqa: BLE001 - whatever an agent raises, its client is told that the message is over
            if self._is_over:
                _LOG.warning("An agent failed after its message had ended: %s.", type(error).__name__)
            broken = error
        else:
            return
        for one in () if self._is_over else self._break(self._said_of(broken)):
            yield encodable(one)

    def _said_of(self, error: Exception) -> str:
        if self._failed is not None:
            return self._failed(error)
        # What cannot be sent is said in a sentence of ours; what else an agent says is not for everybody.
        return failure_told(error) if isinstance(error, InputError) else _BROKEN

    async def _cited(self, chunks: AsyncIterator[BaseChunk]) -> AsyncGenerator[BaseChunk]:
        async for chunk in chunks:
            async with aclosing(self._take(self._order.take(chunk))) as taken:
                async for one in taken:
                    yield one
        if not self._is_over:
            # A stream may leave its `finish` out.
            async with aclosing(self._take(self._order.end())) as ends, aclosing(self._settled()) as settled:
                async for one in ends:
                    yield one
                async for one in settled:
                    yield one

    async def _take(self, chunks: Iterable[BaseChunk]) -> AsyncGenerator[BaseChunk]:
        for chunk in chunks:
            if isinstance(chunk, FinishStepChunk | FinishChunk | ErrorChunk | AbortChunk | DoneChunk):
                last = encodable(chunk)  # before it is taken to be the end
                if not self._is_over:
                    async with aclosing(self._settled()) as settled:
                        async for one in settled:
                            yield one
                if isinstance(chunk, FinishStepChunk):
                    self._step, self._step_is_open = [], False
                self._is_over = self._is_over or isinstance(chunk, FinishChunk | DoneChunk)
                yield last
            else:
                for one in self._inside(chunk):
                    yield one

    def _inside(self, chunk: BaseChunk) -> Iterator[BaseChunk]:
        """Take in what stands between the beginning and the end of a step."""
        if isinstance(chunk, TextStartChunk | TextDeltaChunk | TextEndChunk):
            yield from self._text(chunk)
            return
        if isinstance(chunk, Redraft):
            yield from self._redraft()
            return
        if isinstance(chunk, DataChunk) and is_ours(chunk.type):
            return
        if isinstance(chunk, SourceUrlChunk | SourceDocumentChunk):
            yield from self._foreign(chunk)
            return
        if isinstance(chunk, FileChunk):
            # A file behind an address where no link may lead goes no further.
            address = safe_file(chunk.url)
            if address is not None:
                yield chunk.model_copy(update={"url": address})
            return
        if isinstance(chunk, StartStepChunk):
            self._step, self._step_is_open = [], True
        elif isinstance(chunk, StartChunk) and chunk.message_id is not None:
            self._message_id = chunk.message_id
        yield chunk

    def _foreign(self, chunk: SourceUrlChunk | SourceDocumentChunk) -> Iterator[BaseChunk]:
        """Let a source of somebody else through, unless it leads where no link may."""
        title = one_line(chunk.title or "", self._limits.title_code_points)
        if isinstance(chunk, SourceUrlChunk):
            link = safe_link(chunk.url)
            if link is None:
                return
            chunk = chunk.model_copy(update={"url": link, "title": title or None})
            self._sources.add(link)
        else:
            chunk = chunk.model_copy(update={"title": title or NO_TITLE})
        self._sources.add(chunk.source_id)
        yield chunk

    # -- text ------------------------------------------------------------------------------------

    def _text(self, chunk: TextStartChunk | TextDeltaChunk | TextEndChunk) -> Iterator[BaseChunk]:
        if isinstance(chunk, TextStartChunk):
            stream = NumberedStream(self._run.resolution())
            self._open[chunk.id] = _Text(Place(chunk.id, self._next), stream)
            self._next += 1
            yield chunk
        elif isinstance(chunk, TextDeltaChunk):
            opened = self._open[chunk.id]
            yield from self._told(opened, opened.stream.feed(chunk.delta), chunk)
        else:
            yield from self._close(self._open[chunk.id], chunk)

    def _told(
        self, opened: _Text, shown: Iterable[Numbered], given: TextDeltaChunk | None = None
    ) -> Iterator[BaseChunk]:
        metadata = None if given is None else given.provider_metadata
        text_id = opened.place.text_id or ""
        for one in shown:
            if isinstance(one, NumberedCitation):
                yield self._provisional(opened, one)
            else:
                opened.wide += astral_count(one.text)
                yield TextDeltaChunk(id=text_id, delta=one.text, provider_metadata=metadata)
                metadata = None
        if metadata is not None:
            yield TextDeltaChunk(id=text_id, delta="", provider_metadata=metadata)

    def _provisional(self, opened: _Text, found: NumberedCitation) -> BaseChunk:
        _, told = opened.place.of(CITATION, citation_value(self._id(opened.place), found, opened.wide))
        part_id = f"pincite-citation-{opened.place.index}-{opened.provisional}"
        opened.provisional += 1
        return DataChunk(type=data_type(CITATION), id=part_id, data=told, transient=True)

    def _close(self, opened: _Text, chunk: TextEndChunk) -> Iterator[BaseChunk]:
        """End a text; what it cites waits until it is settled."""
        yield from self._told(opened, opened.stream.finish())
        del self._open[chunk.id]
        yield chunk
        answer, shown = opened.stream.answer, opened.stream.shown
        assert answer is not None  # noqa: S101 - `finish` sets both
        assert shown is not None  # noqa: S101
        if answer.text:
            opened.ended = EndedMessage(self._id(opened.place), answer, shown, replaced=opened.stream.changed)
            opened.known = len(self._run.store)
            self._texts.append(opened)
            self._step.append(opened)

    def _id(self, place: Place) -> str:
        if self._message_id is None:
            self._message_id = place.text_id
        return self._message_id or ""

    # -- citations -------------------------------------------------------------------------------

    def _redraft(self) -> Iterator[BaseChunk]:
        """Take back what this step has said: what follows, in the same step or another, is written in its place."""
        self._drafts, self._step = self._step, []
        for text in self._drafts:
            text.is_draft = True
            yield from self._withdraw(text)

    def _tell_all(self) -> Iterator[BaseChunk]:
        """Tell what each text cites that has not told yet, or that knows more by now."""
        for text in self._texts:
            if text.is_draft and not text.is_told:
                yield from self._withdraw(text)
            elif not text.is_draft and (self._look_again(text) or not text.is_told):
                yield from self._tell(text)

    def _look_again(self, text: _Text) -> bool:
        """Look the markers of a text up again where more was presented since; say whether that found more."""
        ended, known = text.ended, len(self._run.store)
        if ended is None or known == text.known:
            return False
        text.known = known
        again = self._run.resolve(ended.answer.text)
        if len(again.citations) <= len(ended.answer.citations):
            return False
        text.ended = ended.settled(again, limits=self._limits)
        return True

    def _withdraw(self, text: _Text) -> Iterator[BaseChunk]:
        """Tell that a text is a draft: in its place stands an empty one, which cites nothing."""
        text.is_told = True
        answer = self._run.resolve("")
        message = EndedMessage(
            self._id(text.place), answer, numbered(answer, limits=self._limits), replaced=True
        )
        for citer in self._citers:
            for name, value in citer.cite(message):
                if name == CITATIONS:
                    yield text.place.chunk(name, {**value, "raw": ""})

    def _tell(self, text: _Text) -> Iterator[BaseChunk]:
        if text.ended is not None:
            text.is_told = True
            yield from self._events(text.place, text.ended, {})

    def _events(self, place: Place, message: EndedMessage, told: dict[str, Any]) -> Iterator[BaseChunk]:
        """Yield what a text cites: the sources that are new to the message, then the data; `told` takes the value."""
        for citer in self._citers:
            for name, value in citer.cite(message):
                if name != CITATIONS:
                    yield place.chunk(name, value)
                    continue
                raw = message.answer.text
                known, parts = with_sources(
                    value,
                    place,
                    raw=raw if raw != message.text else None,
                    library=self._library,
                    limits=self._limits,
                )
                yield from self._new_sources(parts)
                chunk = encodable(place.chunk(name, known))
                told.update(cast("DataChunk", chunk).data)
                yield chunk

    def _new_sources(self, parts: Iterable[SourcePart]) -> Iterator[BaseChunk]:
        for part in parts:
            if part.source_id not in self._sources:
                self._sources.add(part.source_id)
                yield part.chunk

    # -- the end ---------------------------------------------------------------------------------

    async def _settled(self) -> AsyncGenerator[BaseChunk]:
        """Tell what is to be told before a step, the message, or what went wrong with it ends."""
        checked = self._settle() if self._settle is not None and not self._is_final else None
        if checked is None:
            for one in self._tell_all():
                yield one
            return
        self._is_final = True
        chosen = self._chosen(checked)
        for one in self._tell_all():
            yield one
        message, place = chosen
        told: dict[str, Any] = {}
        for one in self._events(place, message, told):
            yield one
        for one in self._new_sources(() if self._late is None else self._late()):
            yield one
        if self._later is not None:
            async with closing(self._later(message, told)) as later:
                async for name, value in later:
                    yield place.chunk(name, value)

    def _chosen(self, checked: CheckedAnswer) -> tuple[EndedMessage, Place]:
        """Return the answer that holds, and the text part that it stands in; the others of it are withdrawn.

        What the model wrote may lie in several text parts, with thoughts between them. Then the last one has the
        whole answer.
        """
        answer = checked.answer
        written = self._step or self._drafts
        for text in written:
            if text.is_draft:
                text.is_draft = text.is_told = False
        parts = _ends_in(whole(checked.written), written)
        if not parts:
            parts = written
        if not parts:
            place = Place(None, None)
            shown = numbered(answer, limits=self._limits)
            return EndedMessage(self._message_id or "", answer, shown, replaced=True), place
        for text in parts[:-1]:
            text.is_draft, text.is_told = True, False
        last = parts[-1]
        last.is_told = True
        assert last.ended is not None  # noqa: S101 - a text of a step has ended
        last.ended = last.ended.settled(answer, limits=self._limits)
        last.known = len(self._run.store)
        return last.ended, last.place

    def _break(self, reason: str) -> Iterator[BaseChunk]:
        """End a message whose agent failed."""
        found: list[BaseChunk] = []
        try:
            for chunk in self._order.end():
                found.extend(map(encodable, self._inside(chunk)))
            found.extend(map(encodable, self._tell_all()))
        except Exception as error:  # noqa: BLE001 - what failed may be what tells the citations
            _LOG.warning("What a message cites cannot be told: %s.", type(error).__name__)
            found.extend(TextEndChunk(id=text_id) for text_id in self._open)
            found.extend(one for one in self._order.end() if isinstance(one, ReasoningEndChunk))
        yield from found
        yield ErrorChunk(error_text=reason)
        if self._step_is_open:
            yield FinishStepChunk()
        self._is_over = True
        yield FinishChunk(finish_reason="error")
        yield DoneChunk()


def _ends_in(written: str, texts: Sequence[_Text]) -> list[_Text]:
    """Return the last of the texts that make up what was written together; none where they do not."""
    for at in range(len(texts)):
        if "".join(text.raw for text in texts[at:]) == written:
            return list(texts[at:])
    return []


async def cited(
    chunks: AsyncIterator[BaseChunk],
    run: CitationRun,
    citers: Sequence[Citer] | None = None,
    *,
    before: UIMessage | None = None,
    library: Library | None = None,
    limits: Limits = DEFAULT,
) -> AsyncGenerator[BaseChunk]:
    """Yield the chunks of any agent's UI message stream with its citations among them.

    What the agent was shown has been presented through `run`. `citers` tell of each text what it cites; without any,
    our own does. `before` is the message that the stream goes on with, as after an approval. `library` says what its
    documents are called today, and of which type their files are.
    """
    texts, sources, calls = told_before(before)
    cited_chunks = CitedChunks(
        run, citers, texts=texts, sources=sources, calls=calls, library=library, limits=limits
    )
    async with aclosing(cited_chunks.of(chunks)) as found:
        async for chunk in found:
            yield chunk
