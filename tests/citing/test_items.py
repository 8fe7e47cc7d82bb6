"""Items of other systems are read as hits: where each keeps its text, its address, its title and its page.

The systems' own objects are in `tests/adapters`; these are of their shapes, so that every shape can be had.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from pincite.citing import CitationRun
from pincite.citing._items import hit_of
from pincite.core.errors import InputError
from pincite.core.ids import chunk_id, foreign_id, version_of
from pincite.core.refs import RefIssuer

UUID = "9f2a1b7c-3e51-4b8a-9c2d-771f2a6e5d10"
OTHER = "3d0e7c44-9a11-5a2e-8b6f-2c9a5d1e0f33"
CONTENT = "Expenses over 100 EUR require prior approval from your line manager."
PAGE = "https://docs.example/leave"


@dataclass
class Document:
    """As LangChain has it."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    id: str | None = None


@dataclass
class Haystack:
    """As Haystack has it."""

    id: str
    content: str | None
    meta: dict[str, Any] = field(default_factory=dict[str, Any])
    score: float | None = None


@dataclass
class TextNode:
    """As LlamaIndex has it."""

    text: str
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    id_: str = UUID

    @property
    def node_id(self) -> str:
        """Return its id."""
        return self.id_


@dataclass
class NodeWithScore:
    """As LlamaIndex returns it."""

    node: TextNode
    score: float = 0.5

    @property
    def text(self) -> str:
        """Fail, as it does for nodes that have no text."""
        msg = "Node must be a TextNode to get text."
        raise ValueError(msg)


@pytest.mark.parametrize(
    "item",
    [
        Document(CONTENT, {"source": PAGE, "title": "Leave", "page": 3}),
        Document(CONTENT, {"source": PAGE, "title": "Leave", "page": 2, "page_label": "3"}),
        Haystack("a" * 64, CONTENT, {"url": PAGE, "title": "Leave", "page": 3}),
        TextNode(CONTENT, {"url": PAGE, "file_name": "Leave", "page": 3}),
        NodeWithScore(TextNode(CONTENT, {"source_url": PAGE, "title": "Leave", "page": 3})),
        {"text": CONTENT, "url": PAGE, "title": "Leave", "metadata": {"page": 3}},
        {"page_content": CONTENT, "metadata": {"source": PAGE, "title": "Leave", "page": 3}},
    ],
)
def test_documents_of_other_systems_are_citable_as_they_are(item: object) -> None:
    """Text, address, title and page are found where each system keeps them; the object itself is kept."""
    run = CitationRun("inline_url")
    payload = run.present(item)
    assert payload["source_url"] == PAGE
    assert (payload["title"], payload["content"]) == ("Leave", CONTENT)
    assert payload["locator"].startswith("page 3")
    (hit,) = run.store
    assert hit.search_hit is item
    assert hit.evidence_url == PAGE


def test_a_node_without_an_address_is_named_by_its_id() -> None:
    """LlamaIndex's nodes have ids, which stay theirs."""
    run = CitationRun()
    assert run.present(NodeWithScore(TextNode(CONTENT)))["ref"] == UUID[:8]


@pytest.mark.parametrize(
    "item",
    [
        {},
        {"content": CONTENT},
        {"source_url": PAGE},
        {"content": " \n", "id": "1"},
        {"content": None, "id": "1"},
        {"content": b"bytes", "id": "1"},
        {"content": "x", "id": ""},
        Haystack("1", None),
        object(),
        None,
        5,
    ],
)
def test_an_item_without_text_or_name_is_an_error(item: object) -> None:
    """What cannot be cited is said at once."""
    with pytest.raises(InputError, match="A hit needs"):
        CitationRun().present(item)


@pytest.mark.parametrize("page", [True, "4", -1, 0, None, 1.0])
def test_what_is_no_page_is_no_place(page: Any) -> None:
    """Metadata may hold anything; a page is a whole number from 1."""
    run = CitationRun()
    assert run.present({"id": "a", "content": CONTENT, "metadata": {"page": page}})["locator"] == ""


@pytest.mark.parametrize(
    ("metadata", "place"),
    [
        ({"page": 4, "section": "Expenses"}, "page 4, Expenses"),
        ({"heading": "Expenses"}, "Expenses"),
        ({"sheet": "Prices", "cells": "A5:F12"}, "sheet Prices, A5:F12"),
        ({"slide": 3, "heading": "Plan"}, "slide 3, Plan"),
        ({"line": 12, "line_end": 15}, "lines 12-15"),
        ({"paragraph": 7}, "paragraph 7"),
        ({"slide": 0, "line": True, "sheet": "", "paragraph": "7"}, ""),
    ],
)
def test_places_of_a_locator_are_read_by_their_own_names(metadata: dict[str, Any], place: str) -> None:
    """Whoever has no pages has lines, sheets, slides or paragraphs; what is none of these is no place."""
    run = CitationRun()
    assert run.present({"id": "a", "content": CONTENT, "metadata": metadata})["locator"] == place


def test_ids_of_items_are_what_they_were() -> None:
    """The ids of earlier conversations stay: from the address or the id, and from the words."""
    text = "caf\u0065\u0301\r\nau lait"
    hit = hit_of({"content": text, "source_url": PAGE}, RefIssuer())
    normal = "caf\u00e9\nau lait"
    assert (hit.content, hit.document_id) == (normal, foreign_id(PAGE))
    assert hit.chunk_id == chunk_id(foreign_id(PAGE), normal)
    assert (hit.version, hit.start, hit.end) == (version_of(normal), 0, len(normal))


# --- addresses and paths ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("item", "address", "title"),
    [
        ({"source_url": PAGE}, PAGE, ""),
        ({"url": "/documents/7"}, "/documents/7", ""),
        ({"source_uri": PAGE}, PAGE, ""),
        ({"metadata": {"source": PAGE}}, PAGE, ""),
        ({"metadata": {"source": "docs/leave.md"}}, "docs/leave.md", "leave.md"),
        ({"metadata": {"source": "urn:isbn:0451450523"}}, "urn:isbn:0451450523", ""),
        ({"source_uri": "upload://leave.pdf"}, "upload://leave.pdf", ""),
        # A path of a disk is no address; its last name is a title where there is none.
        ({"source_uri": "/srv/docs/leave.md"}, "", "leave.md"),
        ({"metadata": {"source": "/srv/docs/leave.md"}}, "", "leave.md"),
        ({"metadata": {"source": "~/leave.md"}}, "", "leave.md"),
        ({"metadata": {"source": "C:\\docs\\leave.md"}}, "", "leave.md"),
        ({"metadata": {"source": "c:/docs/leave.md"}}, "", "leave.md"),
        ({"metadata": {"source": "\\\\host\\docs\\leave.md"}}, "", "leave.md"),
        ({"url": "file:///srv/docs/leave.md"}, "", "leave.md"),
        ({"url": "FILE:/srv/docs/leave.md"}, "", "leave.md"),
        ({"metadata": {"file_path": "/srv/docs/leave.md"}}, "", "leave.md"),
        ({"metadata": {"file_path": "leave.md"}}, "", "leave.md"),
        ({"metadata": {"filename": "leave.md"}}, "", "leave.md"),
        ({"metadata": {"source": "/srv/docs/"}}, "", "docs"),
        # What is public comes before what is not, wherever it stands.
        ({"source_uri": "/srv/leave.md", "metadata": {"url": PAGE}}, PAGE, "leave.md"),
        ({"metadata": {"source": "/srv/leave.md", "url": PAGE}}, PAGE, "leave.md"),
        ({"url": "file:///srv/leave.md", "source_uri": PAGE}, PAGE, "leave.md"),
        # A title of its own stays, unless it is a path too.
        ({"title": "Leave", "source_uri": "/srv/leave.md"}, "", "Leave"),
        ({"title": "and/or", "id": "1"}, "", "and/or"),
        ({"title": "/srv/leave.md", "id": "1"}, "", "leave.md"),
        ({"title": "D:\\leave.md", "id": "1"}, "", "leave.md"),
        ({"metadata": {"title": "file:///srv/leave.md"}, "id": "1"}, "", "leave.md"),
        ({"metadata": {"file_name": "/srv/leave.md"}, "id": "1"}, "", "leave.md"),
        ({"metadata": {"name": "leave.md"}, "id": "1"}, "", "leave.md"),
    ],
)
def test_an_address_is_told_from_a_path(item: dict[str, Any], address: str, title: str) -> None:
    """Only what a reader may see becomes the hit's address or its title; everything names its document."""
    hit = hit_of({"content": CONTENT, **item}, RefIssuer())
    assert (hit.source_uri, hit.title) == (address, title)
    run = CitationRun("inline_url")
    key = run.present({"content": CONTENT, **item})["source_url"]
    assert key == (address or f"/citations/{hit.chunk_id}")


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ({"document_id": "d", "url": PAGE, "id": "1"}, "d"),
        ({"url": PAGE, "ref_doc_id": "d", "id": "1"}, PAGE),
        ({"metadata": {"file_path": "/srv/leave.md"}, "ref_doc_id": "page-4", "id": "1"}, "/srv/leave.md"),
        ({"source_uri": "/srv/leave.md", "id": "1"}, "/srv/leave.md"),
        ({"ref_doc_id": "d", "metadata": {"file_path": "leave.md"}, "id": "1"}, "d"),
        ({"metadata": {"source_id": "d", "file_path": "leave.md"}, "id": "1"}, "d"),
        ({"metadata": {"doc_id": "d"}, "id": "1"}, "d"),
        ({"metadata": {"file_name": "leave.md"}, "id": "1"}, "leave.md"),
        ({"id": "1"}, "1"),
        ({"node_id": "1"}, "1"),
    ],
)
def test_a_document_is_named_by_what_is_one_for_all_of_its_passages(item: dict[str, Any], name: str) -> None:
    """Its id, its address, its whole path, the document that it was split from, its file's name, its own id."""
    hit = hit_of({"content": CONTENT, **item}, RefIssuer())
    assert hit.document_id == foreign_id(name)


def test_ids_that_are_uuids_stay_as_they_are() -> None:
    """A passage's own id and its document's."""
    hit = hit_of({"content": CONTENT, "id": UUID, "metadata": {"document_id": OTHER}}, RefIssuer())
    assert (hit.chunk_id, hit.document_id) == (UUID, OTHER)
    # A document's id is no passage's.
    hit = hit_of({"content": CONTENT, "url": PAGE, "metadata": {"id": UUID}}, RefIssuer())
    assert hit.chunk_id == chunk_id(foreign_id(PAGE), CONTENT)


# --- places -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metadata", "place"),
    [
        ({"page": 4}, "page 4"),
        ({"page": 4, "page_end": 5}, "pages 4-5"),
        ({"page": 3, "page_label": "4"}, "page 4"),
        ({"page": 3, "page_end": 4, "page_label": "4"}, "pages 4-5"),
        ({"page": 3, "page_label": 4}, "page 4"),
        ({"page": 3, "total_pages": 9}, "page 4"),
        ({"page": 0, "total_pages": 9}, "page 1"),
        ({"page": 9, "total_pages": 9}, "page 9"),
        ({"page": 3, "page_label": "iv"}, "page 3 (printed iv)"),
        ({"page_number": 4}, "page 4"),
        ({"page_label": "iv"}, "page iv"),
        ({"page_label": "4", "section": "Leave"}, "page 4, Leave"),
        ({"section": "Leave"}, "Leave"),
        ({"page": 3, "total_pages": "9"}, "page 3"),
        ({"page_label": ["4"]}, ""),
    ],
)
def test_a_place_is_read_as_each_system_writes_it(metadata: dict[str, Any], place: str) -> None:
    """Pages counted from 0 or 1, labels alone, ranges and sections."""
    assert CitationRun().present({"id": "a", "content": CONTENT, "metadata": metadata})["locator"] == place


# --- what wraps an item -----------------------------------------------------------------------------------------


class Scored(NamedTuple):
    """A row of somebody's own that has two fields."""

    content: str
    id: str


@pytest.mark.parametrize("score", [0.5, 1, -0.25])
def test_a_pair_with_a_score_is_its_item(score: float) -> None:
    """As `similarity_search_with_score` of LangChain returns it; it is kept as it came."""
    run = CitationRun()
    pair = (Document(CONTENT, {"source": PAGE}), score)
    assert run.present(pair)["content"] == CONTENT
    assert next(iter(run.store)).search_hit is pair
    assert run.present((NodeWithScore(TextNode(CONTENT)), score))["ref"] == UUID[:8]


@pytest.mark.parametrize(
    "item", [(), ({"content": CONTENT, "id": "1"},), ({"content": CONTENT, "id": "1"}, "x"), (1, 2)]
)
def test_another_tuple_is_no_item(item: object) -> None:
    """It has no text."""
    with pytest.raises(InputError, match="A hit needs its text"):
        CitationRun().present(item)


def test_a_named_row_of_two_fields_is_an_item() -> None:
    """Its fields have names."""
    assert CitationRun().present(Scored(CONTENT, UUID))["ref"] == UUID[:8]


class Speaking:
    """A node that is asked for its text, as some of LlamaIndex's are."""

    id_ = UUID

    def __init__(self, said: object) -> None:
        self.said = said

    def get_content(self) -> object:
        """Return what it says."""
        return self.said


def test_a_node_is_asked_for_its_text() -> None:
    """Where it has no field for it."""
    assert CitationRun().present(Speaking(CONTENT)) == {
        "ref": UUID[:8],
        "title": "",
        "locator": "",
        "content": CONTENT,
    }
    for said in (None, "", 5):
        with pytest.raises(InputError, match="A hit needs its text"):
            CitationRun().present(Speaking(said))
    # A mapping is not asked anything.
    with pytest.raises(InputError, match="A hit needs its text"):
        CitationRun().present({"get_content": "x", "id": "1"})
