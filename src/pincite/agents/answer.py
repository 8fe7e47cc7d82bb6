"""An agent's answer, checked: what it says, what it cites, what of that holds, what was mended, and its status."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pincite.showing import render_answer, sources_list

if TYPE_CHECKING:
    from pincite.agents.repair import Repair
    from pincite.agents.status import AnswerStatus
    from pincite.checking import AnswerCheck, CitationCheck
    from pincite.citing import ConversationState
    from pincite.core.answer import Answer
    from pincite.core.limits import Limits
    from pincite.showing import RenderedSource


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """What an agent answered, after the check.

    `answer` is resolved from the model's text as it stands after the repairs; `written` is the text before those that
    need no model. `rendered` is Markdown with numbered references and one list of `sources`; what does not hold is
    left out of it. `checks` has one entry for each citation, and for each thing that was meant as one, in text order.
    `support` says of each claim whether what it cites says the same, None where nobody asked for that.
    `quotes` are, for each citation, the words of its passage that a model picked as its support: empty where it was not
    asked, None where it picked none that stand there.
    `conversation` is what the next turn needs for its citations. `reason` says why there is no answer, where there is
    none; `warnings` are what else a person should know, each in a sentence.
    """

    status: AnswerStatus
    answer: Answer
    written: str
    rendered: str
    sources: tuple[RenderedSource, ...] = ()
    checks: tuple[CitationCheck, ...] = ()
    repairs: tuple[Repair, ...] = ()
    support: AnswerCheck | None = None
    reason: str = ""
    warnings: tuple[str, ...] = ()
    quotes: tuple[str | None, ...] = ()
    conversation: ConversationState = field(repr=False, compare=False)


def rendered(answer: Answer, limits: Limits) -> tuple[str, tuple[RenderedSource, ...]]:
    """Return an answer with numbers in place of its citations and the list of its sources below, and the sources."""
    shown = render_answer(answer, limits=limits)
    parts = [shown.text.rstrip(), *sources_list(shown.sources)] if shown.sources else [shown.text]
    return "\n\n".join(filter(None, parts)), shown.sources
