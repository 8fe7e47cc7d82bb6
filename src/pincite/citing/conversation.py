"""A conversation: the refs issued, the hits shown and the text received, as one JSON value."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pincite.citing.formats import wire_format
from pincite.citing.store import FORMAT_VERSION, CitationStore
from pincite.core.errors import InputError
from pincite.core.given import of_kind
from pincite.core.ledger import Ledger

if TYPE_CHECKING:
    from pincite.citing.formats import WireFormat
    from pincite.core.refs import RefIssuer


# Bytes of a conversation's secret.
_SECRET_BYTES = 16


def _secret() -> str:
    # As `secrets.token_hex` makes one, without all that is loaded for it.
    return os.urandom(_SECRET_BYTES).hex()


@dataclass(slots=True)
class ConversationState:
    """What must outlive a turn so that its citations still resolve in the next one, and after a restart.

    The wire format belongs to the conversation; `used` names those of earlier turns, in order of first use. `secret`
    is for ids that are made in this conversation and that nobody else may be able to make: it is kept with the
    conversation, and shown to no model, tool or client.

    Raises:
        InputError: a field is of another type.
    """

    wire_format: str = "ref"
    store: CitationStore = field(default_factory=CitationStore)
    ledger: Ledger = field(default_factory=Ledger)
    used: list[str] = field(default_factory=list[str])
    secret: str = field(default_factory=_secret, repr=False)

    def __post_init__(self) -> None:
        of_kind(self.wire_format, str, "wire_format", "the name of a wire format")
        of_kind(self.store, CitationStore, "store", "a citation store")
        of_kind(self.ledger, Ledger, "ledger", "a ledger")
        of_kind(self.used, list, "used", "a list of names")
        of_kind(self.secret, str, "secret", "a string")

    @property
    def refs(self) -> RefIssuer:
        """The issuer of the conversation's refs; pass it to every search."""
        return self.store.refs

    @property
    def formats(self) -> tuple[WireFormat, ...]:
        """The wire formats that its turns were written in, as far as they are installed, and the one that it has."""
        found: list[WireFormat] = []
        for name in dict.fromkeys([*self.used, self.wire_format]):
            try:
                found.append(wire_format(name))
            except InputError:
                continue  # a format of a package that is not here any more
        return tuple(found)

    def use(self, name: str | None = None) -> WireFormat:
        """Begin a turn in the wire format `name`, or in the one that the conversation has; return it.

        Raises:
            InputError: there is no wire format of that name.
        """
        format_ = wire_format(self.wire_format if name is None else name)
        self.wire_format = format_.name
        if format_.name not in self.used:
            self.used.append(format_.name)
        return format_

    def export(self) -> dict[str, Any]:
        """Return the conversation as JSON may hold it: `{"pincite": 1, ...}`."""
        return {
            **self.store.export(),
            "wire_format": self.wire_format,
            "wire_formats": list(self.used),
            "ledger": self.ledger.export(),
            "secret": self.secret,
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
        missing = [name for name in ("wire_format", "refs", "hits", "ledger") if name not in data]
        if missing:
            msg = f"The conversation has no {missing[0]!r}."
            raise InputError(msg, field="conversation")
        try:
            return cls(
                wire_format(data["wire_format"]).name,
                CitationStore.load(data),
                Ledger.load(data["ledger"]),
                [_name(name) for name in data.get("wire_formats", ())],
                # One that was kept before there were any begins with its own.
                data["secret"] if data.get("secret") else _secret(),
            )
        except (AttributeError, TypeError) as error:
            msg = "The conversation has not the shape that `export` writes."
            raise InputError(msg, field="conversation") from error


def _name(value: object) -> str:
    if not isinstance(value, str):
        msg = "A wire format has a name."
        raise TypeError(msg)
    return value
