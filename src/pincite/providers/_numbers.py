"""Numbers in brackets that a model writes for the sources that its provider lists beside the answer."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Final

from pincite.citing.formats.base import WireFormat
from pincite.citing.occurrence import parse_citations
from pincite.core.citation import MarkerCitationAnchor
from pincite.core.limits import DEFAULT
from pincite.core.stretches import Ranges
from pincite.providers._bracketed import is_picture
from pincite.providers._places import Place

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.core.citation import CitationSource
    from pincite.providers._annotations import Annotated

_NUMBER: Final = WireFormat(
    name="number",
    key_field=None,
    opening="[",
    closing="]",
    key=re.compile(r"[0-9]{1,9}"),  # linear: one class
    full=False,
    teaching="",
)


def cite_numbers(part: Annotated, source_of: Callable[[int], CitationSource | None]) -> None:
    """Cite the sources of the numbers in brackets of a text; those in code and the text of a picture are none.

    Numbers that share a pair of brackets are one citation; one without a source is left.
    """
    if "[" not in part.text:
        return
    found = [one for one in parse_citations(part.text, [_NUMBER]) if not (one.in_code or one.definition)]
    taken = Ranges(part.taken)
    for (start, end), members in groupby(found, key=lambda one: one.marker):
        written = part.text[start:end]
        if taken.touches(start, end):
            continue  # an annotation says what this marker is
        if is_picture(part.text, start, end, DEFAULT):
            continue
        sources: list[CitationSource] = []
        for member in members:
            source = source_of(int(member.key))
            if source is None:
                part.leave("marker", written, f"There is no source with the number {int(member.key):,}.")
            else:
                sources.append(source)
        if sources:
            part.cite(sources, Place(MarkerCitationAnchor(start, end), written))
