"""The kinds of attack cases: small nouns that make what is large when it is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MARKER = "{marker}"
"""Where a text has a citation that is in order: `AttackText.citing` puts the marker of your format there."""

EVIL = "https://evil.example/i"
"""The address that attacks lead to. Nobody can register a host under `.example` (RFC 2606)."""


@dataclass(frozen=True, slots=True)
class AttackText:
    """A short text that attacks whoever shows or reads it: what a model wrote, a title, an address, a file name.

    `name` is the id of the case, `what` a sentence on what it tries. The text is `pattern`, `times` over, so that a
    megabyte of it takes memory only while it is used.
    """

    name: str
    what: str
    pattern: str
    times: int = 1

    @property
    def text(self) -> str:
        """The text, with `[1]` where it has a citation that is in order."""
        return self.citing("[1]")

    def citing(self, marker: str) -> str:
        """Return the text with `marker` where it has a citation that is in order."""
        return self.pattern.replace(MARKER, marker) * self.times


@dataclass(frozen=True, slots=True)
class AttackPassage:
    """A passage as a search finds it, with words in it that are meant for the model or for the renderer."""

    name: str
    what: str
    text: str
    title: str = "Handbook"
    url: str = "https://docs.example/handbook"


@dataclass(frozen=True, slots=True)
class AttackQuote:
    """A quote that its source does not say, and `honest`: one that it does say, which a check has to accept."""

    name: str
    what: str
    quote: str
    source: str
    honest: str


class Wants(StrEnum):
    """What a file asks of whoever reads it.

    All of them ask for an end within the caps, and for an error that is one of the reader's own where there is one.
    `refused`: nothing may come of it but an error. `bounded`: a document or an error. `flagged`: a document may come of
    it, but the words that nobody sees on the page are not in it, or are marked.
    """

    REFUSED = "refused"
    BOUNDED = "bounded"
    FLAGGED = "flagged"


@dataclass(frozen=True, slots=True)
class AttackFile:
    """A hostile file, made when it is asked for.

    `name` is its file name and the id of the case, `what` a sentence on what it tries, `wants` what has to become of
    it. `unseen` are the words in it that nobody sees on its page, where it has such.
    """

    name: str
    what: str
    wants: Wants
    make: Callable[[], bytes]
    unseen: str = ""

    def data(self) -> bytes:
        """Return its bytes, made anew. The largest have 20 MB."""
        return self.make()
