"""Keys and evidence ids: what a model writes for a passage, and the id that the check knows it by."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pincite.checking import CitationCheck, check_citations
from pincite.core.ids import is_evidence_id
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import TraceVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.citing import CitationRun, RegisteredHit
    from pincite.core.protocols import EvidenceStore
    from pincite.core.scope import Scope

# How an evidence id begins, well formed or not.
_EVIDENCE: Final = "ev1:"
# A key of this many characters or fewer may be one slip off, a longer one two.
_SHORT: Final = 12
# The longest key that others are compared with.
_LONGEST: Final = 2_000
# Pairs of keys that are compared in one check; what is written after that gets no suggestion.
_COMPARED: Final = 2_000_000


def hit_under(run: CitationRun, key: str) -> RegisteredHit | None:
    """Return what was shown under exactly this key, which may be any name of a passage; nothing is mended."""
    found = run.store.look_up(key)
    return None if found.repaired else found.hit


def evidence_id_of(run: CitationRun, key: str) -> str:
    """Return the evidence id of what was shown under `key`, or `key` itself where nothing was."""
    hit = None if is_evidence_id(key) else hit_under(run, key)
    return key if hit is None or hit.known.evidence_id is None else hit.known.evidence_id


async def check_keys(
    run: CitationRun,
    keys: Sequence[str],
    *,
    scope: Scope | None = None,
    store: EvidenceStore | None = None,
    limits: Limits = DEFAULT,
) -> list[CitationCheck]:
    """Return one check for each key, in order, under the name that was given.

    A key is an evidence id or what the model was shown for a passage. It is checked against the ledger and the scope
    of `run`, unless another `scope` is given; `store` is asked what became of the versions.

    Raises:
        InputError: there are more keys than `limits.cited_ids`.
    """
    names = [evidence_id_of(run, key) for key in keys]
    allowed = scope if scope is not None else run.scope
    checks = await check_citations(names, run.ledger, scope=allowed, store=store, limits=limits)
    told: list[CitationCheck] = []
    left = _COMPARED
    for key, check in zip(keys, checks, strict=True):
        if check.verdict is TraceVerdict.MALFORMED and not key.startswith(_EVIDENCE):
            # It was never meant as an evidence id, so what is wrong with it is said in other words.
            suggestion = near_key(run, key) if left > 0 else None
            left -= len(run.store)
            told.append(replace(check, reason="No passage was shown under this key.", suggestion=suggestion))
        else:
            told.append(check if check.cited_id == key else replace(check, cited_id=key))
    return told


def near_key(run: CitationRun, key: str) -> str | None:
    """Return the one key that `key` is a slip away from: a letter too many, too few, changed, or two swapped.

    None where there is no such key, or more than one that is as near.
    """
    found = run.store.look_up(key)
    if found.hit is not None:
        return found.hit.citation_key  # the same in another spelling
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if not key or len(key) > _LONGEST:
        return None
    slips = 1 if len(key) <= _SHORT else 2
    near = process.extract(key, run.store.keys(), scorer=OSA.distance, score_cutoff=slips, limit=2)
    if not near or (len(near) > 1 and near[0][1] == near[1][1]):
        return None
    return near[0][0]
