"""A run: present, instruct, resolve, over one store, so that the three cannot drift apart."""

from __future__ import annotations

from collections.abc import AsyncIterable
from typing import TYPE_CHECKING, Any, Literal

from pincite.citing.conversation import ConversationState
from pincite.citing.instructions import REFERENCE_KINDS, CitationInstructionSource
from pincite.citing.present import Presenter
from pincite.citing.resolve import Resolver, resolve
from pincite.core.errors import InputError
from pincite.core.given import items_of, maybe, of_kind, refuse
from pincite.core.limits import DEFAULT, Limits
from pincite.core.scope import Scope

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator

    from pincite.checking import AnswerCheck, SupportMethod
    from pincite.citing.contract import Breach, Watch
    from pincite.citing.deferred import DeferredBars
    from pincite.citing.formats import WireFormat
    from pincite.citing.messages import ContextItems
    from pincite.citing.registered import RegisteredHit
    from pincite.citing.store import CitationStore
    from pincite.citing.stream import StreamEvent, StreamResolution
    from pincite.core.answer import Answer, ContextContribution
    from pincite.core.ledger import Ledger
    from pincite.core.protocols import Embedder
    from pincite.core.refs import RefIssuer

_CHUNKS = "what yields pieces of text"


class CitationRun:
    """One turn of a conversation.

    `wire_format` names how citations are written; a conversation that is given keeps its own unless another is
    named. `scope` are the documents that may be cited, or their ids; without one, those that were presented.
    `resources` are what the instruction covers: `search_results`, `context`, `documents`, `tags`. `base_url` stands
    before the path of a passage's retrieval address. `audit` says what becomes of a breach of the consistency
    contract. `embedder` helps to match sentences to passages under `deferred`, and `bars` are the scores that it
    takes there.

    Raises:
        InputError: there is no wire format of that name, or it cannot carry one of the resources; there is no such
            kind of audit; an argument is of another type.
    """

    __slots__ = (
        "_audit", "_bars", "_embedder", "_format", "_instructions", "_limits", "_presenter", "_scope", "_told",
        "_watch", "conversation",
    )  # fmt: skip

    def __init__(  # noqa: PLR0913 - everything that a turn can be told, each by its name
        self,
        wire_format: str | None = None,
        *,
        scope: Scope | Iterable[str] | None = None,
        conversation: ConversationState | None = None,
        resources: Iterable[str] = ("search_results",),
        base_url: str = "",
        audit: Literal["off", "warn", "raise"] = "off",
        embedder: Embedder | None = None,
        bars: DeferredBars | None = None,
        limits: Limits = DEFAULT,
    ) -> None:
        given = maybe(conversation, ConversationState, "conversation", "a conversation")
        self.conversation = given if given is not None else ConversationState()
        self._format = self.conversation.use(wire_format)
        self._instructions = CitationInstructionSource(self._format, resources)
        self._scope = None if scope is None else Scope.of(scope)
        if embedder is not None and not hasattr(embedder, "embed"):
            refuse(embedder, "embedder", "an embedder, with a method `embed`")
        self._embedder = embedder
        self._bars = bars if bars is None else _bars(bars)
        self._limits = of_kind(limits, Limits, "limits", "a `Limits`")
        self._presenter = Presenter(
            self.store,
            self.ledger,
            key_field=self._format.key_field,
            base_url=of_kind(base_url, str, "base_url", "a string"),
            limits=limits,
        )
        self._audit = audit
        self._watch: Watch | None = None
        self._told: set[Breach] = set()
        if audit != "off":
            from pincite.citing.contract import AuditMode, Watch  # only an audit needs it

            AuditMode.of(audit)
            self._watch = Watch(self.store, self._format)

    @property
    def refs(self) -> RefIssuer:
        """The issuer of refs; pass it to every search of this run."""
        return self.conversation.refs

    @property
    def store(self) -> CitationStore:
        """Everything that may be cited."""
        return self.conversation.store

    @property
    def ledger(self) -> Ledger:
        """What text the run has received."""
        return self.conversation.ledger

    @property
    def format(self) -> WireFormat:
        """How citations are written."""
        return self._format

    @property
    def scope(self) -> Scope:
        """The documents that may be cited: those given, else every one that was presented."""
        if self._scope is not None:
            return self._scope
        return Scope(hit.known.document_id for hit in self.store if hit.known.document_id)

    @property
    def is_scoped(self) -> bool:
        """Whether somebody has named the documents that may be cited."""
        return self._scope is not None

    def present(self, hit: object, *, max_chars: int | None = None) -> dict[str, Any]:
        """Register a hit and return what the model sees of it.

        `hit` is a `Hit`, a mapping or an object with the same names, or a pair of one with its score. The payload
        holds `title`, `locator` and `content`, and exactly one key of the active wire format, or none where nothing
        is written. Presenting a passage whole enters it in the ledger as fetched; one that `max_chars` (code points)
        cuts is not citable.

        Raises:
            InputError: the hit has no text, or nothing to name it by; `max_chars` is below one.
            KeyClashError: its key stands for other content already.
        """
        if max_chars is not None and not (isinstance(max_chars, int) and max_chars > 0):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            msg = "`max_chars` is a number of code points, one or more."
            raise InputError(msg, field="max_chars")
        payload = self._presenter.show(hit, max_chars)
        if self._watch is not None:
            self._watch.presented(payload)
        return payload

    def present_context(
        self,
        documents: Iterable[object] | ContextContribution | ContextItems,
        *,
        max_chars: int | None = None,
    ) -> list[dict[str, Any]]:
        """Register documents that come with the conversation and return what the model sees of each.

        They are what the user is viewing or has attached, or the context of an earlier answer or message, whose
        passages are presented again; they are cited like any other hit. The resource `context` is what tells the
        model of them.

        Raises:
            InputError: a document has no text, or nothing to name it by; `max_chars` is below one.
            KeyClashError: a key stands for other content already.
        """
        passages = getattr(documents, "passages", None)
        if passages is None:
            given = items_of(documents, "documents", "a list of hits or the context of an answer")
            return [self.present(document, max_chars=max_chars) for document in given]
        cited = (self.store.get(key) for key in items_of(passages, "passages", "a list of citation keys"))
        return [self._again(hit, max_chars) for hit in cited if hit is not None and hit.known.text]

    def _again(self, hit: RegisteredHit, max_chars: int | None) -> dict[str, Any]:
        """Present a passage that is registered: under the key that it has, where that is one of this wire format."""
        payload = self._presenter.again(hit, max_chars)
        if payload is None:
            return self.present(hit, max_chars=max_chars)
        if self._watch is not None:
            self._watch.presented(payload)
        return payload

    def present_reference(self, kind: str, item: object) -> dict[str, str]:
        """Register an object that may be linked to and is no evidence; return what the model sees of it.

        `kind` is a resource of reference links, `documents` or `tags`; `item` a mapping or an object with an id.

        Raises:
            InputError: there is no such resource, or the item has no id.
        """
        link = REFERENCE_KINDS.get(of_kind(kind, str, "kind", "a string"))
        if link is None:
            msg = f"There is no resource {kind[:60]!r} to link to; there are {', '.join(REFERENCE_KINDS)}."
            raise InputError(msg, field="kind")
        payload = link.payload(item)
        self.store.register_reference(link.url(payload), payload[link.label_field], kind)
        if self._watch is not None:
            self._watch.presented(payload)
        return payload

    def instructions(self) -> str:
        """Return the part of the system prompt that tells the model how to cite, and what."""
        return self._instructions.instructions()

    def resolve(self, text: str) -> Answer:
        """Look up what the model wrote; the text in the answer is `text`, unchanged.

        Each citation carries the verdict of the check against this run's ledger and scope.

        Raises:
            InputError: `text` is no string.
            CitationContractError: the run audits, by raising, and what was shown breaks the contract.
        """
        self._look_back()
        return resolve(
            text,
            self.store,
            ledger=self.ledger,
            scope=self._scope,
            wire_format=self._format.name,
            embedder=self._embedder,
            bars=self._bars,
            limits=self._limits,
        )

    def check(
        self,
        answer: Answer,
        *,
        method: str | SupportMethod = "lexical",
        progress: Callable[[int, int], None] | None = None,
    ) -> AnswerCheck:
        """Check each claim of an answer of this run against what it cites, among everything that was presented.

        `method` is as for `check_support`; `progress` is called with the number of claims done and of all.

        Raises:
            InputError: `answer` is no `Answer`, or there is no method of that name.
        """
        from pincite.checking import check_answer  # its words take longer to load than the base import may

        return check_answer(answer, self._texts(), method=method, progress=progress, limits=self._limits)

    async def check_async(
        self,
        answer: Answer,
        *,
        method: str | SupportMethod = "lexical",
        progress: Callable[[int, int], None] | None = None,
    ) -> AnswerCheck:
        """Do what `check` does without holding up the event loop; several claims are asked about at once.

        Raises:
            InputError: as `check`.
        """
        from pincite.checking import check_answer_async

        return await check_answer_async(
            answer, self._texts(), method=method, progress=progress, limits=self._limits
        )

    def _texts(self) -> dict[str, str]:
        return {hit.citation_key: hit.known.text for hit in self.store}

    def resolution(self) -> StreamResolution:
        """Return what resolves an answer piece by piece, for those who drive the stream themselves."""
        from pincite.citing.stream import StreamResolution  # its patterns are only for who streams

        resolver = Resolver(
            self.store,
            ledger=self.ledger,
            scope=self._scope,
            wire_format=self._format.name,
            limits=self._limits,
        )
        return StreamResolution(resolver, limits=self._limits, embedder=self._embedder, bars=self._bars)

    def stream(self, chunks: AsyncIterable[str] | Iterable[str]) -> AsyncIterator[StreamEvent]:
        """Resolve an answer while it comes in: yield its text, its citations and misses, and last the answer.

        Raises:
            InputError: a chunk is no string.
            CitationContractError: the run audits, by raising, and what was shown breaks the contract.
        """
        from pincite.citing.stream import stream

        if not isinstance(chunks, AsyncIterable):
            items_of([chunks] if isinstance(chunks, str | bytes) else chunks, "chunks", _CHUNKS)
        self._look_back()
        return stream(self.resolution(), chunks)

    def stream_sync(self, chunks: Iterable[str]) -> Iterator[StreamEvent]:
        """Do what `stream` does with chunks that do not come asynchronously."""
        items_of([chunks] if isinstance(chunks, str | bytes) else chunks, "chunks", _CHUNKS)
        self._look_back()
        return self.resolution().follow(chunks)

    def audit(self, *payloads: object) -> tuple[Breach, ...]:
        """Hold what tools hand to the model against the consistency contract; without payloads, the whole turn so far.

        Return every breach; the run's own mode says what else becomes of those that it has not been told of. What
        was registered and never shown is told of when the turn is looked at as a whole, as `resolve` does.

        Raises:
            CitationContractError: the run audits by raising, and there is a breach.
        """
        from pincite.citing.contract import Watch  # only an audit needs it

        watch = self._watch if self._watch is not None else Watch(self.store, self._format)
        seen = tuple(breach for payload in payloads for breach in watch.saw(payload))
        found = seen if payloads else watch.breaches(self.instructions())
        self._report(found)
        return found

    def _look_back(self) -> None:
        if self._watch is not None:
            self._report(self._watch.breaches(self.instructions()))

    def _report(self, breaches: Iterable[Breach]) -> None:
        """Do what the run's audit says about what it has not been told of yet."""
        from pincite.citing.contract import report

        new = [breach for breach in breaches if breach not in self._told]
        self._told.update(new)
        report(new, self._audit, stacklevel=4)


def _bars(given: object) -> DeferredBars:
    from pincite.citing.deferred import DeferredBars  # few runs have bars of their own

    return of_kind(given, DeferredBars, "bars", "the bars of `deferred`")
