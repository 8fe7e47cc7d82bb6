"""One run of an agent, as far as its citations go: what it may spend, what it was shown, what became of its answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.agents._results import Results
from pincite.agents._review import Reviewed, review
from pincite.agents.answer import CheckedAnswer, rendered
from pincite.agents.repair import Repair, RepairKind, feedback, mended
from pincite.agents.status import AnswerFacts, status_of
from pincite.agents.tools import FetchLog
from pincite.core.answer import Answer

if TYPE_CHECKING:
    from pincite.checking import SupportMethod
    from pincite.citing import CitationRun
    from pincite.core.limits import Limits
    from pincite.core.protocols import EvidenceStore
    from pincite.core.scope import Scope

# Rounds of mending after which what is left is left: mending one thing may show another.
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer on its way: its text, the text before it was mended, what was found in it, and what was mended."""

    text: str
    written: str
    reviewed: Reviewed
    repairs: tuple[Repair, ...] = ()

    @property
    def counts(self) -> tuple[int, int]:
        """How many valid citations and how many faults it has."""
        return len(self.reviewed.cited), len(self.reviewed.faults)


class Turn:
    """What one run spends, shows and answers.

    `calls` are the tool calls that it may make, None for as many as it likes. `answer` is its checked answer, once
    there is one, and `first` the answer that the model was asked to repair, while it does. `support` is the method by
    which its claims are held against what they cite, None for none.
    """

    __slots__ = (
        "__weakref__", "answer", "called", "calls", "fetched", "first", "limits", "refused", "results", "run",
        "scope", "store", "support", "was_asked",
    )  # fmt: skip

    def __init__(
        self,
        run: CitationRun,
        *,
        limits: Limits,
        store: EvidenceStore | None = None,
        scope: Scope | None = None,
        calls: int | None = None,
        max_chars: int | None = None,
        support: str | SupportMethod | None = None,
    ) -> None:
        self.run = run
        self.support = support
        self.limits = limits
        self.store = store
        self.scope = scope
        self.calls = calls
        self.called = 0
        self.refused = 0
        self.fetched = FetchLog()
        self.results = Results(run, max_chars)
        self.first: Draft | None = None
        self.was_asked = False
        self.answer: CheckedAnswer | None = None

    def may_call(self) -> bool:
        """Count one more call of a tool; say whether it may be made."""
        if self.calls is not None and self.called >= self.calls:
            self.refused += 1
            return False
        self.called += 1
        return True

    @property
    def has_call_left(self) -> bool:
        """Whether a tool may be called once more."""
        return self.calls is None or self.called < self.calls

    async def draft(self, text: str, *, mend: bool) -> Draft:
        """Return what is found in an answer's text, after mending what needs no model where `mend` says so."""
        reviewed = await self._review(text)
        written = text
        repairs: list[Repair] = []
        for _ in range(_ROUNDS if mend else 0):
            text, done = mended(text, reviewed)
            if not done:
                break
            repairs += done
            reviewed = await self._review(text)
        return Draft(text, written, reviewed, tuple(repairs))

    async def _review(self, text: str) -> Reviewed:
        return await review(text, self.run, scope=self.scope, store=self.store, limits=self.limits)

    def ask(self, draft: Draft) -> str:
        """Keep an answer as the first one; return what the model is told, so that it writes it again."""
        self.first = draft
        self.was_asked = True
        return feedback(draft.reviewed)

    def choose(self, second: Draft) -> Draft:
        """Return the better of the first answer and of the one that the model wrote when it was asked."""
        first, self.first = self.first, None
        if first is None:
            return second
        refusal = _refusal(first, second)
        if refusal:
            kept = Repair(RepairKind.KEPT, refusal, before=first.counts, after=second.counts)
            return _with(first, (*first.repairs, kept))
        reason = "The model wrote it again."
        if not second.counts[0]:
            reason = "The model wrote it again, and left no citation."
        rewritten = Repair(RepairKind.REWRITTEN, reason, before=first.counts, after=second.counts)
        return _with(second, (rewritten, *second.repairs))

    def failed(self, reason: str) -> Draft | None:
        """Return the first answer, when the model failed while it wrote it again."""
        first, self.first = self.first, None
        if first is None:
            return None
        return _with(first, (*first.repairs, Repair(RepairKind.KEPT, reason, before=first.counts)))

    async def finish(self, draft: Draft, *, stopped: bool = False) -> CheckedAnswer:
        """Return the checked answer that a draft is; `stopped` says that a repair was needed and had no room."""
        reviewed = draft.reviewed
        answer = reviewed.answer
        if reviewed.declines and not answer.citations:
            # The sentence that there is no answer states nothing that could be cited.
            answer = replace(answer, checks=())
        facts = AnswerFacts(
            written=bool(draft.text.strip()),
            declined=reviewed.declines,
            valid=bool(reviewed.cited),
            faulty=bool(reviewed.faults),
            shown=self.results.presented > 0,
            stopped=stopped or self.refused > 0 or self.fetched.refused > 0,
        )
        told = self._warnings(stopped=stopped)
        support = None
        if self.support is not None and facts.written:
            try:
                support = await self.run.check_async(answer, method=self.support)
                answer = support.answer
            except Exception as error:  # noqa: BLE001 - whatever a method of somebody else's does
                told = (*told, f"Support was not checked: the method failed ({type(error).__name__}).")
        text, sources = rendered(answer, self.limits)
        self.answer = CheckedAnswer(
            status=status_of(facts),
            answer=answer,
            written=draft.written,
            rendered=text,
            sources=sources,
            checks=reviewed.checks,
            repairs=draft.repairs,
            support=support,
            reason="" if facts.written else "The model wrote nothing.",
            warnings=told,
            conversation=self.run.conversation,
        )
        return self.answer

    def end(self, reason: str, *, stopped: bool) -> CheckedAnswer:
        """Return what there is to say when the run ended without an answer."""
        self.answer = CheckedAnswer(
            status=status_of(AnswerFacts(written=False, stopped=stopped)),
            answer=Answer(""),
            written="",
            rendered="",
            reason=reason,
            warnings=self._warnings(stopped=False),
            conversation=self.run.conversation,
        )
        return self.answer

    def _warnings(self, *, stopped: bool) -> tuple[str, ...]:
        told: list[str] = []
        if self.refused:
            told.append(
                f"The budget of {self.calls} tool calls was spent; calls beyond it were refused: {self.refused}."
            )
        if self.fetched.refused:
            told.append(
                f"The budget of {self.limits.agent_fetch_code_points} code points to fetch was spent; calls beyond it "
                f"were refused: {self.fetched.refused}."
            )
        if stopped:
            told.append("The answer was not repaired: the budget had no room for it.")
        return tuple(told)


def _refusal(first: Draft, second: Draft) -> str:
    """Say why the second answer does not take the place of the first, or nothing when it does."""
    (valid, faults), (valid_again, faults_again) = first.counts, second.counts
    if not second.text.strip():
        return "The model wrote nothing when it was asked again."
    if valid and not valid_again:
        return "When it was asked again, the model removed every citation."
    if faults_again > faults or (faults_again == faults and valid_again <= valid):
        return "What the model wrote when it was asked again is no better."
    return ""


def _with(draft: Draft, repairs: tuple[Repair, ...]) -> Draft:
    return Draft(draft.text, draft.written, draft.reviewed, repairs)
