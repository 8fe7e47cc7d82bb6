"""Instruction: what the model is told about citing, and nothing of what it is not shown.

How a citation is written is taught once, by the wire format, for any passage. Each resource then adds one fragment,
which says where its objects come from and which of their fields to use. Fields stand in backticks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.citing._fields import first_of, reader_of
from pincite.citing.formats import WireFormat, wire_format
from pincite.citing.present import neutralised
from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# A field by its name, alone between backticks: one class, possessive, linear.
_QUOTED = r"`([A-Za-z_]\w*+)`"
# A word with an underscore inside is a field wherever it stands: runs of letters between underscores, linear.
_UNDERSCORED = r"(?<!\w)[a-z0-9]++(?:_[a-z0-9]++)++(?!\w)"

# Where passages come from, by resource. `{key_field}` is the field of the wire format.
_WITH_KEY = {
    "search_results": (
        "Each result of a search tool is such a passage: its words are its `content`, its key is its `{key_field}`."
    ),
    "context": (
        "Documents that come with the conversation, such as those that the user is viewing or has attached, are such "
        "passages too: their words are their `content`, their key is their `{key_field}`. Cite them in the same way, "
        "never with a plain link."
    ),
}
_WITHOUT_KEY = {
    "search_results": "Each result of a search tool is a passage: its words are its `content`.",
    "context": (
        "Documents that come with the conversation, such as those that the user is viewing or has attached, are "
        "passages: their words are their `content`."
    ),
}


@dataclass(frozen=True, slots=True)
class ReferenceKind:
    """A kind of object that is linked to and is no evidence: how it is shown, and the address that was issued for it.

    `label_field` and `id_field` are the fields of its payload; `path` is what stands before the id in an address;
    `labels` and `ids` are the names under which an object may carry them, tried in order.
    """

    resource: str
    label_field: str
    id_field: str
    path: str
    labels: tuple[str, ...]
    ids: tuple[str, ...]
    teaching: str

    def payload(self, item: object) -> dict[str, str]:
        """Return what the model sees of `item`, a mapping or an object: its label and its id, ready for an address.

        An id is percent-encoded where an address demands it, so that the model has only to copy it. An object
        without a label is called by its id.

        Raises:
            InputError: the item has no id, or one that would be a step along the path.
        """
        from urllib.parse import quote  # most runs link nothing

        value = reader_of(item)
        found = first_of(value, self.ids)
        name = "" if found is None else str(found).strip()
        if name in ("", ".", ".."):
            msg = f"An item of {self.resource!r} needs an id, as one of {', '.join(self.ids)}."
            raise InputError(msg, field=self.id_field)
        label = first_of(value, self.labels)
        shown = "" if label is None else one_line(str(label), DEFAULT.title_code_points)
        return {
            self.label_field: neutralised(shown or one_line(name, DEFAULT.title_code_points)),
            self.id_field: quote(name, safe="", errors="replace"),
        }

    def url(self, payload: Mapping[str, str]) -> str:
        """Return the address that the model writes for a payload: relative, from the root of the site."""
        return self.path + payload[self.id_field]


REFERENCE_KINDS: dict[str, ReferenceKind] = {
    kind.resource: kind
    for kind in (
        ReferenceKind(
            resource="documents",
            label_field="title",
            id_field="document_id",
            path="/documents/",
            labels=("title", "name"),
            ids=("document_id", "id"),
            teaching=(
                "To point to a whole document of a list of documents, write a link: "
                "[document title](/documents/{document_id}), with the document's `title` as its words and the "
                "document's `document_id`, copied exactly, after the last slash. Such a link leads somewhere and is "
                "no citation."
            ),
        ),
        ReferenceKind(
            resource="tags",
            label_field="name",
            id_field="tag_id",
            path="/tags/",
            labels=("name", "title", "label"),
            ids=("tag_id", "id"),
            teaching=(
                "To mention a tag, write a link: [tag name](/tags/{tag ID}), with the tag's `name` as its words and "
                "the tag's `tag_id`, copied exactly, after the last slash. Such a link leads somewhere and is no "
                "citation."
            ),
        ),
    )
}
"""The resources that are linked to instead of cited, by name."""

EVIDENCE_RESOURCES: tuple[str, ...] = tuple(_WITH_KEY)
"""The resources whose objects are cited as evidence; every wire format carries them."""

CITABLE_RESOURCES: tuple[str, ...] = (*EVIDENCE_RESOURCES, *REFERENCE_KINDS)
"""Every resource that an instruction can cover, in the order in which it does."""


class CitationInstructionSource:
    """The part of a system prompt that tells the model how to cite, and what.

    `citable_resources` are names of `CITABLE_RESOURCES`. With none, there is nothing to cite and nothing is said.

    Raises:
        InputError: there is no such wire format or resource; the resources are no collection of names; or the wire
            format cannot carry one of them.
    """

    __slots__ = ("_format", "_resources")

    def __init__(
        self,
        wire_format: WireFormat | str,
        citable_resources: Iterable[str] = ("search_results",),
    ) -> None:
        self._format = _format_of(wire_format)
        self._resources = _checked(citable_resources, self._format)

    @property
    def format(self) -> WireFormat:
        """The wire format that is taught."""
        return self._format

    @property
    def citable_resources(self) -> tuple[str, ...]:
        """The resources that are covered, each once, in the order of `CITABLE_RESOURCES`."""
        return self._resources

    def fragments(self) -> tuple[str, ...]:
        """Return the pieces of the instruction: how to cite, where anything is cited, then one piece a resource."""
        evidence = [name for name in self._resources if name in _WITH_KEY]
        links = [REFERENCE_KINDS[name].teaching for name in self._resources if name in REFERENCE_KINDS]
        told = [self._source_of(name) for name in evidence]
        return (*([self._format.instructions()] if evidence else []), *told, *links)

    def instructions(self) -> str:
        """Return the whole instruction, its pieces as paragraphs; empty when nothing is citable."""
        return "\n\n".join(self.fragments())

    def _source_of(self, resource: str) -> str:
        if self._format.key_field is None:
            return _WITHOUT_KEY[resource]
        return _WITH_KEY[resource].replace("{key_field}", self._format.key_field)


def named_fields(text: str) -> set[str]:
    """Return the fields of payloads that an instruction names: what stands alone in backticks or has an underscore."""
    return set(re.findall(_QUOTED, text)) | set(re.findall(_UNDERSCORED, text))


def _format_of(given: WireFormat | str) -> WireFormat:
    return given if isinstance(given, WireFormat) else wire_format(given)


def _checked(given: Iterable[str], format_: WireFormat) -> tuple[str, ...]:
    field = "citable_resources"
    known = ", ".join(CITABLE_RESOURCES)
    try:
        names: list[Any] = [] if isinstance(given, str | bytes) else list(given)
    except TypeError:
        names = [None]
    if isinstance(given, str | bytes) or not all(isinstance(name, str) for name in names):
        msg = f"`citable_resources` is a list of names, of {known}."
        raise InputError(msg, field=field)
    for name in names:
        if name not in CITABLE_RESOURCES:
            msg = f"There is no citable resource {name[:60]!r}; there are {known}."
            raise InputError(msg, field=field)
        if name in REFERENCE_KINDS and format_.key_field is None:
            msg = f"The wire format {format_.name!r} writes nothing into the answer, so it cannot carry {name!r}."
            raise InputError(msg, field=field)
    return tuple(name for name in CITABLE_RESOURCES if name in names)
