"""A run: present, instruct, resolve, over one store, so that the three cannot drift apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pincite.citing import formats
from pincite.citing.conversation import ConversationState
from pincite.citing.present import hit_of, neutralised
from pincite.citing.resolve import resolve
from pincite.citing.store import CitationContextContribution, CitedObject
from pincite.core.errors import InputError
from pincite.core.ids import SpanEvidenceId
from pincite.core.ledger import Fetched, Ledger
from pincite.core.limits import DEFAULT, Limits
from pincite.core.scope import Scope
from pincite.core.text import one_line
from pincite.core.urls import safe_link

if TYPE_CHECKING:
    from pincite.citing.formats import WireFormat
    from pincite.citing.store import CitationStore
    from pincite.core.answer import Answer
    from pincite.core.hit import Hit
    from pincite.core.refs import RefIssuer


class CitationRun:
    """One turn of a conversation.

    `wire_format` names how citations are written; a conversation that is given keeps its own unless another is
    named. `scope` are the documents that may be cited; without one, those that were presented.

    Raises:
        InputError: there is no wire format of that name.
    """

    __slots__ = ("_format", "_limits", "_scope", "conversation")

    def __init__(
        self,
        wire_format: str | None = None,
        *,
        scope: Scope | None = None,
        conversation: ConversationState | None = None,
        limits: Limits = DEFAULT,
    ) -> None:
        self.conversation = conversation if conversation is not None else ConversationState()
        if wire_format is not None:
            self.conversation.wire_format = wire_format
        self._format = formats.wire_format(self.conversation.wire_format)
        self._scope = scope
        self._limits = limits

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

    def present(self, hit: object, *, max_chars: int | None = None) -> dict[str, Any]:
        """Register a hit and return what the model sees of it.

        `hit` is a `Hit`, a mapping or an object with the same names. The payload holds `title`, `locator` and
        `content`, and exactly one key of the active wire format. Presenting a passage whole enters it in the
        ledger as fetched; one that `max_chars` (code points) cuts is not citable.

        Raises:
            InputError: the hit has no text, or nothing to name it by; `max_chars` is below one.
            KeyClashError: its key stands for other content already.
        """
        if max_chars is not None and not (isinstance(max_chars, int) and max_chars > 0):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            msg = "`max_chars` is a number of code points, one or more."
            raise InputError(msg, field="max_chars")
        found = hit_of(hit, self.refs)
        evidence = found.evidence_id or ""
        key = self._format.key_of(ref=found.ref, evidence_id=evidence)
        cut = max_chars is not None and len(found.content) > max_chars
        shown = found.content[:max_chars] if cut else found.content
        payload: dict[str, Any] = {
            self._format.key_field: key,
            "title": neutralised(one_line(found.title, self._limits.title_code_points)),
            "locator": neutralised(found.locator.describe()),
            "content": neutralised(shown),
        }
        self.store.register_hit(
            key,
            payload,
            found,
            safe_link(found.source_uri),
            CitationContextContribution(document_ids=(found.document_id,)),
            known=CitedObject(
                title=one_line(found.title, self._limits.title_code_points),
                ref=found.ref,
                chunk_id=found.chunk_id,
                document_id=found.document_id,
                evidence_id=evidence or None,
                locator=found.locator,
                confidence=found.confidence,
                text=found.content,
            ),
        )
        if not cut and evidence:
            self._enter(found, evidence)
        return payload

    def _enter(self, hit: Hit, evidence: str) -> None:
        span = None
        if hit.end - hit.start == len(hit.content):
            span = SpanEvidenceId(hit.document_id, hit.version, hit.start, hit.end)
            self.ledger.record(Fetched(str(span), span, hit.content))
        # The passage itself stands inside what was shown, which may be its whole section.
        self.ledger.record(Fetched(evidence, span))

    def instructions(self) -> str:
        """Return the part of the system prompt that tells the model how to cite."""
        return self._format.instructions()

    def resolve(self, text: str) -> Answer:
        """Look up what the model wrote; the text in the answer is `text`, unchanged.

        Each citation carries the verdict of the check against this run's ledger and scope.
        """
        return resolve(
            text,
            self.store,
            ledger=self.ledger,
            scope=self.scope,
            limits=self._limits,
        )
