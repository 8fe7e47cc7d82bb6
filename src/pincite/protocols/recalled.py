"""What a search had said of the passages of an answer when it was given: a later question says nothing of that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from pincite.core.verdicts import Confidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.core.answer import Answer
    from pincite.core.citation import Citation

_Place = tuple[object, object, object]


def recalled(answer: Answer, kept: Mapping[str, Any] | None) -> Answer:
    """Return an answer whose citations have the confidence that `kept`, the same answer as JSON, has for them.

    How well a passage fits belongs to a question. A conversation knows what its newest search thought, and the answer
    may be older, so where nothing was kept of the answer there is none.
    """
    said = {} if kept is None or kept.get("text") != answer.text else _said(kept.get("citations"))
    citations = tuple(replace(one, confidence=said.get(_place_of(one))) for one in answer.citations)
    return replace(answer, citations=citations)


def _said(citations: object) -> dict[_Place, Confidence]:
    found: dict[_Place, Confidence] = {}
    for one in cast("list[object]", citations) if isinstance(citations, list) else ():
        if not isinstance(one, dict):
            continue
        given = cast("dict[str, object]", one)
        place = (given.get("start"), given.get("end"), given.get("evidence_id") or given.get("ref"))
        word = next((each for each in Confidence if each.value == given.get("confidence")), None)
        # A place of another type, in a file that somebody edited, may have no hash.
        if word is not None and all(isinstance(part, int | str | None) for part in place):
            found[place] = word
    return found


def _place_of(citation: Citation) -> _Place:
    anchor, passage = citation.anchor, citation.sources[0].passage
    start, end = (None, None) if anchor is None else (anchor.start, anchor.end)
    return start, end, None if passage is None else passage.evidence_id or passage.ref


__all__ = ["recalled"]
