"""Answer-level findings: which sentences of an answer carry no citation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.core.answer import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

UNCITED = "uncited_sentence"
"""The code of the finding."""


def uncited_sentences(
    text: str, cited: Iterable[tuple[int, int]], skipped: Iterable[tuple[int, int]] = ()
) -> tuple[Finding, ...]:
    """Return a finding for each claim of `text` that no citation belongs to.

    `cited` are the spans of the citations, `skipped` spans that are no prose (code); both in code points. What is a
    claim, and which citations are its own, is what `split_claims` says.

    Raises:
        InputError: `text` is no string, or the spans are no list.
    """
    # Its patterns take longer to compile than the whole base import may, so they wait for the first answer.
    from pincite.checking.claims import claim_spans

    return tuple(
        Finding(UNCITED, claim.start, claim.end, text[claim.start : claim.end])
        for claim in claim_spans(text, cited, skipped)
        if not claim.cited
    )
