"""How precisely a citation is highlighted: one setting of an agent or a workflow, which an embed may override."""

from __future__ import annotations

from enum import StrEnum

from pincite.core.errors import InputError


class HighlightPrecision(StrEnum):
    """Which words of a cited passage are lit (the reader's page, "How precisely a citation highlights").

    `best_match` is the part of the passage that scores best for the question, `models_quote` the words that a small
    model picked, each checked against the passage. Where there is no such part, each falls back to the one before it:
    a model's quote to the best match, the best match to the whole passage.
    """

    BEST_MATCH = "best_match"
    WHOLE_PASSAGE = "whole_passage"
    MODELS_QUOTE = "models_quote"


DEFAULT_PRECISION = HighlightPrecision.BEST_MATCH
"""What an agent or a workflow does that was told nothing."""


def highlight_precision(name: str) -> HighlightPrecision:
    """Return the precision of that name.

    Raises:
        InputError: there is none.
    """
    try:
        return HighlightPrecision(name)
    except ValueError as error:
        known = ", ".join(HighlightPrecision)
        msg = f"`highlight` is one of {known}, not {str(name)[:40]!r}."
        raise InputError(msg, field="highlight") from error


def resolved_precision(agent: str | None = None, embed: str | None = None) -> HighlightPrecision:
    """Return what holds in an embed: its own setting, else its agent's or workflow's, else the default.

    None is "the same as the agent" for an embed, and "nothing was set" for an agent.

    Raises:
        InputError: one of them is no precision; also the one that is overridden.
    """
    of_agent = DEFAULT_PRECISION if agent is None else highlight_precision(agent)
    return of_agent if embed is None else highlight_precision(embed)
