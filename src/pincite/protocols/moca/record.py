"""A citation record as a Reader made it: kept whole and unchanged, with names for what is read of it most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits
from pincite.protocols.moca._json import frozen, thawed
from pincite.protocols.moca.validation import tolerant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.protocols.moca.validation import Validated


class RecordSpan(NamedTuple):
    """Bytes of a node's file in UTF-8, its frontmatter counted: `start` to `end`, the first behind it."""

    start: int
    end: int


class RecordKey(NamedTuple):
    """What there is one entry for in an event: a versioned reference, and the span where a record has one."""

    ref: str
    span: RecordSpan | None


@dataclass(frozen=True, slots=True)
class MocaRecord:
    """A deep copy of a record that nobody can change.

    `data` is the record itself, with its keys in their order: what is null there is None here, and what is absent is
    absent. Nothing is made of it that is not in it; `as_dict` returns plain JSON that equals what came in.
    """

    data: Mapping[str, Any]

    @classmethod
    def of(cls, record: object, *, limits: Limits = DEFAULT) -> MocaRecord:
        """Return the record of plain JSON that `tolerant` takes.

        Raises:
            InputError: it is none; the message says what is wrong first of all.
        """
        if isinstance(record, MocaRecord):
            return record
        return cls.taken(record, tolerant(record, limits=limits))

    @classmethod
    def taken(cls, record: object, validated: Validated) -> MocaRecord:
        """Return the record of plain JSON that was validated already.

        Raises:
            InputError: it was found to be none.
        """
        for remark in validated.diagnostics:
            if remark.is_error:
                msg = f"This is no citation record. {remark.path or 'The record'}: {remark.message}"
                raise InputError(msg, field="record")
        return cls(frozen(record))

    def as_dict(self) -> dict[str, Any]:
        """Return the record as plain JSON, equal to what came in; a new copy each time."""
        return cast("dict[str, Any]", thawed(self.data))

    def without_text(self) -> dict[str, Any]:
        """Return the record as plain JSON without its `text`, the one thing that a service may leave out."""
        return {name: value for name, value in self.as_dict().items() if name != "text"}

    @property
    def key(self) -> RecordKey:
        """Reference and span."""
        return RecordKey(self.ref, self.span)

    @property
    def ref(self) -> str:
        """The versioned reference of the node: what a client keys a citation by."""
        return self.data["node"]["ref"]

    @property
    def node_id(self) -> str:
        """The id of the node over all versions: a key only together with `package_digest`."""
        return self.data["node"]["id"]

    @property
    def node_digest(self) -> str | None:
        """The hash of the file that was read, which tells two locales of a node apart."""
        return self.data["node"].get("digest")

    @property
    def package_id(self) -> str:
        """The URI of the package."""
        return self.data["package"]["id"]

    @property
    def package_version(self) -> str:
        """The version of the package."""
        return self.data["package"]["version"]

    @property
    def package_digest(self) -> str:
        """The hash of the whole package, as the Reader computed it."""
        return self.data["package"]["digest"]

    @property
    def span(self) -> RecordSpan | None:
        """The bytes that the record is about, or None."""
        span = self.data.get("span")
        return None if span is None else RecordSpan(int(span["start"]), int(span["end"]))

    @property
    def text(self) -> str | None:
        """The text of the span, or None where it was left out."""
        return self.data.get("text")

    @property
    def path(self) -> str:
        """The node's path in its package."""
        return self.data["node"]["path"]

    @property
    def title(self) -> str | None:
        """The node's title, where it has one."""
        return self.data["node"].get("title")

    @property
    def locale(self) -> str | None:
        """The language of the file that was read, where it is said."""
        return self.data["node"].get("locale")

    @property
    def node(self) -> Mapping[str, Any]:
        """All that is said of the node."""
        return self.data["node"]

    @property
    def package(self) -> Mapping[str, Any]:
        """All that is said of the package."""
        return self.data["package"]

    @property
    def trust(self) -> Mapping[str, Any]:
        """What the record says of trust, as it says it; `facts_of` puts it into words."""
        return self.data["trust"]

    @property
    def evidence(self) -> tuple[Mapping[str, Any], ...]:
        """The node's own sources, with what was found of its quotes in them."""
        return self.data.get("evidence", ())
