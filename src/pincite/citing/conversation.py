"""A conversation: the refs issued, the hits shown and the text received, as one JSON value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pincite.citing.formats import wire_format
from pincite.citing.store import CitationStore
from pincite.core.errors import InputError
from pincite.core.ledger import Ledger
from pincite.core.refs import RefIssuer

FORMAT_VERSION = 1
"""The value of the key `pincite` in an exported conversation."""


@dataclass(slots=True)
class ConversationState:
    """What must outlive a turn so that its citations still resolve in the next one, and after a restart.

    The wire format belongs to the conversation.
    """

    wire_format: str = "ref"
    store: CitationStore = field(default_factory=CitationStore)
    ledger: Ledger = field(default_factory=Ledger)

    @property
    def refs(self) -> RefIssuer:
        """The issuer of the conversation's refs; pass it to every search."""
        return self.store.refs

    def export(self) -> dict[str, Any]:
        """Return the conversation as JSON may hold it: `{"pincite": 1, ...}`."""
        return {
            "pincite": FORMAT_VERSION,
            "wire_format": self.wire_format,
            "refs": self.refs.export(),
            "hits": self.store.export(),
            "ledger": self.ledger.export(),
        }

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> ConversationState:
        """Build a conversation from what `export` made.

        Raises:
            InputError: it is of another version, or not of this shape.
        """
        if not isinstance(data, Mapping) or data.get("pincite") != FORMAT_VERSION:  # pyright: ignore[reportUnnecessaryIsInstance] - whatever was kept
            msg = f"This is no conversation of version {FORMAT_VERSION}."
            raise InputError(msg, field="pincite")
        try:
            name, refs, hits, ledger = (data[key] for key in ("wire_format", "refs", "hits", "ledger"))
        except KeyError as error:
            msg = f"The conversation has no {error}."
            raise InputError(msg, field="conversation") from error
        try:
            issuer = RefIssuer.load(refs)
            return cls(wire_format(name).name, CitationStore.load(hits, issuer), Ledger.load(ledger))
        except (AttributeError, TypeError) as error:
            msg = "The conversation has not the shape that `export` writes."
            raise InputError(msg, field="conversation") from error
