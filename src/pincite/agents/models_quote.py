"""The model's quote: the exact words that a small model picks as the support of each citation.

It is one call after the answer stands. A quote counts only when `checking` finds it in the passage, and what is kept
are the passage's own words, so what is lit is never what a model made up. Whatever goes wrong costs the answer nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pydantic_ai import Agent
from pydantic_ai.output import ToolOutput
from pydantic_ai.usage import RunUsage, UsageLimits

from pincite.agents._quote_request import QUOTE_RULES, QUOTE_TOOL, PickedQuotes, asked_of
from pincite.agents.reasons import reason_of
from pincite.checking.claims import split_claims
from pincite.core.limits import DEFAULT, Limits
from pincite.showing.highlight import quoted_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

    from pincite.core.answer import Answer


@dataclass(frozen=True, slots=True)
class ModelsQuotes:
    """What a model picked: for each citation words of its passage, None where it picked none that stand there.

    `usage` is what the call cost; `reason` says why there was no answer, where there was none.
    """

    quotes: tuple[str | None, ...]
    usage: RunUsage = field(default_factory=RunUsage)
    reason: str = ""


async def models_quotes(
    answer: Answer,
    *,
    model: Model,
    settings: ModelSettings | None = None,
    limits: Limits = DEFAULT,
) -> ModelsQuotes:
    """Return the words that `model` picks as the support of each citation of `answer`, in their order.

    An extract that the answer itself gives, where it stands in the passage, is taken without asking. The model is
    asked once, about the first `limits.highlight_code_points` of passages, and given `limits.highlight_seconds`.
    """
    quotes = [_extract(answer, index) for index in range(len(answer.citations))]
    asked: dict[tuple[str, str], list[int]] = {}
    room = limits.highlight_code_points
    seen: set[str] = set()
    for index, statement, passage in _statements(answer):
        if quotes[index] is not None:
            continue
        if passage not in seen:
            if len(passage) > room:
                continue
            room -= len(passage)
            seen.add(passage)
        asked.setdefault((statement, passage), []).append(index)
    if not asked:
        return ModelsQuotes(tuple(quotes))
    usage = RunUsage()
    try:
        picked = await _picked(list(asked), model, settings, limits, usage)
    except Exception as error:  # noqa: BLE001 - providers raise errors of their own, and the answer stands without this
        return ModelsQuotes(tuple(quotes), usage, reason_of(error))
    for ((_, passage), places), quote in zip(asked.items(), picked, strict=True):
        found = quoted_words(passage, [quote])
        if found is not None:
            for index in places:
                quotes[index] = passage[slice(*found)]
    return ModelsQuotes(tuple(quotes), usage)


async def _picked(
    statements: list[tuple[str, str]],
    model: Model,
    settings: ModelSettings | None,
    limits: Limits,
    usage: RunUsage,
) -> list[str]:
    agent = Agent(
        model,
        name="pincite_quotes",
        output_type=ToolOutput(PickedQuotes, name=QUOTE_TOOL),
        instructions=QUOTE_RULES,
        retries=0,
    )
    result = await agent.run(
        asked_of(statements).prompt(),
        usage=usage,
        timeout=limits.highlight_seconds,
        model_settings=settings,
        usage_limits=UsageLimits(request_limit=1),
    )
    return result.output.by_number(len(statements))


def _extract(answer: Answer, index: int) -> str | None:
    """Return the extract that a citation gives, as it stands in its source."""
    source = answer.citations[index].sources[0]
    return source.excerpts[0] if source.span is not None and source.excerpts else None


def _statements(answer: Answer) -> Iterator[tuple[int, str, str]]:
    """Yield, for each citation of a claim, its index, the claim, and the text of the passage that it cites."""
    spans = [(0, 0) if one.anchor is None else (one.anchor.start, one.anchor.end) for one in answer.citations]
    for claim in split_claims(answer.text, spans):
        for index in claim.cited:
            source = answer.citations[index].sources[0]
            # Half of a cut emoji is no character that a model could read; nothing else is changed.
            texts = [text.encode("utf-8", "replace").decode() for text in source.excerpts[:1]]
            if texts and texts[0].strip():
                yield index, claim.text.encode("utf-8", "replace").decode(), texts[0]
