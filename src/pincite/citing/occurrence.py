"""What a scan finds: one key in one place of an answer. `parse_citations` is the scan by its public name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pincite.core.errors import InputError
from pincite.core.given import items_of, of_kind
from pincite.core.limits import DEFAULT, Limits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.citing.formats import WireFormat


UNKNOWN, UNSETTLED = -1, -2
"""What a look at a plain marker may say in place of where it ends: that it has to be scanned, that more must come."""


class Occurrence(NamedTuple):
    """One key in one place of an answer; all offsets are code points of the answer.

    `start` to `end` is the whole marker for a lone key, the key itself inside a group; `marker` is the whole
    marker with its brackets and, where the model made a link of it, the target. `full` says that the form is a
    citation whatever its key is. `form` names the wire format, or is `foreign` for another provider's marker.
    `repairs` say in what the writing departs from the form; `extract` is the text that the model gave as the
    source's, `number` the number that it wrote before an address, `keys` all of a range of numbers; `fault` says
    why the marker cannot be read. `where` is the place: `bracket`, `group` (with others in one pair of brackets),
    `raised`, `bare`, `parenthesis`, `label` (the text of a link of the model's own), `target` (the address of one),
    `attribute` (of an element), `image`, `code`, `comment` or `definition`.
    """

    start: int
    end: int
    key: str
    written: str
    marker: tuple[int, int]
    full: bool
    in_code: bool = False
    linked: bool = False
    definition: bool = False
    form: str = ""
    repairs: tuple[str, ...] = ()
    extract: str | None = None
    number: str = ""
    keys: tuple[str, ...] = ()
    fault: str = ""
    in_link: bool = False
    where: str = "bracket"


class Link(NamedTuple):
    """A site-relative link of the model's own: its code points and its target."""

    start: int
    end: int
    target: str


def parse_citations(
    text: str, formats: Iterable[WireFormat | str] | None = None, *, limits: Limits = DEFAULT
) -> list[Occurrence]:
    """Return every occurrence of a key in `text`, in order, those in code too (`in_code`).

    `formats` are the wire formats to look for, or their names; all of them when None.

    Raises:
        InputError: there is no wire format of a name, `formats` is no list of them, or `text` is no string.
    """
    # The grammar's patterns take longer to compile than the whole base import may.
    from pincite.citing._scan import scan
    from pincite.citing.formats import WireFormat, wire_format

    named = None
    if formats is not None:
        what = "a list of wire formats or of their names"
        named = [
            one if isinstance(one, WireFormat) else wire_format(of_kind(one, str, "formats", what))
            for one in items_of(formats, "formats", what)
        ]
    return scan(checked_text(text), named, limits=limits).occurrences


def checked_text(text: str) -> str:
    """Return an answer's text.

    Raises:
        InputError: it is no string.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"An answer is a string, not {type(text).__name__}."
        raise InputError(msg, field="text")
    return text
