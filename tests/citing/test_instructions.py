"""The instruction: written once a wire format, one fragment a resource, and no field that no payload carries."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from hostile import hostile, much
from pincite.citing import CitationRun
from pincite.citing.formats import KEY_FIELDS, WIRE_FORMATS, WireFormat
from pincite.citing.instructions import (
    CITABLE_RESOURCES,
    EVIDENCE_RESOURCES,
    REFERENCE_KINDS,
    CitationInstructionSource,
    named_fields,
)
from pincite.core.errors import InputError
from pincite.core.hit import Hit
from pincite.core.ids import chunk_id, version_of
from pincite.core.locators import Locator

CONTENT = "Expenses over 100 EUR require prior approval."
DOCUMENT = "3d0e7c44-9a11-5a2e-8b6f-2c9a5d1e0f33"
FORMATS = sorted(WIRE_FORMATS)
WRITING = sorted(name for name, one in WIRE_FORMATS.items() if one.key_field is not None)
SUBSETS = [
    subset for size in range(len(CITABLE_RESOURCES) + 1) for subset in combinations(CITABLE_RESOURCES, size)
]


def shapes(run: CitationRun) -> list[object]:
    """Return a passage in each shape in which it may come."""
    chunk = chunk_id(DOCUMENT, CONTENT)
    ours = Hit(
        ref=run.refs.issue(chunk),
        chunk_id=chunk,
        document_id=DOCUMENT,
        content=CONTENT,
        source_uri="upload://handbook.pdf",
        collection="handbook",
        title="Staff handbook",
        version=version_of(CONTENT),
        locator=Locator(page=4),
        end=len(CONTENT),
    )
    bare = {"id": "a", "content": f"{CONTENT} Always."}
    titled = {"source_url": "https://a.example/b", "title": "Rules", "text": f"{CONTENT} Now."}
    return [ours, bare, titled]


def payloads(run: CitationRun, resource: str) -> list[dict[str, Any]]:
    """Return what the model sees of the objects of a resource, in each shape."""
    if resource == "search_results":
        return [run.present(shape) for shape in shapes(run)]
    if resource == "context":
        return [payload for shape in shapes(run) for payload in run.present_context([shape])]
    items: dict[str, list[dict[str, Any]]] = {
        "documents": [{"document_id": DOCUMENT, "title": "Staff handbook"}, {"id": "d 1"}],
        "tags": [{"id": 7, "name": "Finance"}, {"tag_id": "x"}],
    }
    return [run.present_reference(resource, item) for item in items[resource]]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("subset", SUBSETS, ids="+".join)
def test_no_field_is_named_that_no_payload_carries(name: str, subset: tuple[str, ...]) -> None:
    """Instruct only what is presented: for every subset of resources, in every wire format, in every shape."""
    format_ = WIRE_FORMATS[name]
    if format_.key_field is None and set(subset) & set(REFERENCE_KINDS):
        with pytest.raises(InputError, match="cannot carry") as caught:
            CitationInstructionSource(name, subset)
        assert caught.value.field == "citable_resources"
        return
    source = CitationInstructionSource(name, subset)
    run = CitationRun(name, resources=subset)
    shown = {resource: payloads(run, resource) for resource in subset}
    carried = {field for group in shown.values() for payload in group for field in payload}
    assert named_fields(source.instructions()) <= carried
    assert run.instructions() == source.instructions()
    # Each fragment by itself names what every payload of its own resource carries.
    for resource, group in shown.items():
        alone = CitationInstructionSource(name, [resource]).instructions()
        for payload in group:
            assert named_fields(alone) <= set(payload), (resource, payload)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("resource", EVIDENCE_RESOURCES)
def test_the_key_that_is_shown_is_the_one_that_is_taught(name: str, resource: str) -> None:
    """Of the fields that look like keys the payload carries one, and the instruction names that one alone."""
    run = CitationRun(name, resources=[resource])
    named = named_fields(CitationInstructionSource(name, [resource]).instructions()) & set(KEY_FIELDS)
    for payload in payloads(run, resource):
        assert set(payload) & set(KEY_FIELDS) == named
        assert named == ({run.format.key_field} if run.format.key_field is not None else set())


@pytest.mark.parametrize("name", WRITING)
def test_every_format_that_writes_carries_every_resource(name: str) -> None:
    """Context, documents and tags add their fragment in each of them, and not in `inline_url` alone."""
    alone = CitationInstructionSource(name).fragments()
    source = CitationInstructionSource(name, CITABLE_RESOURCES)
    assert source.citable_resources == CITABLE_RESOURCES
    assert len(source.fragments()) == len(alone) + 3
    assert source.fragments()[0] == alone[0] == WIRE_FORMATS[name].teaching
    assert "[document title](/documents/{document_id})" in source.instructions()
    assert "[tag name](/tags/{tag ID})" in source.instructions()


def test_deferred_never_tells_the_model_to_cite() -> None:
    """It asks for plain prose: neither its teaching nor a fragment speaks of citing, keys or markers."""
    text = CitationInstructionSource("deferred", EVIDENCE_RESOURCES).instructions().lower()
    assert "plain prose" in text
    assert not [word for word in ("cite", "citation", "citing", "key", "[", "<") if word in text]


def test_links_alone_teach_no_citing() -> None:
    """Where only tags are shown there is no passage, so how a passage is cited is not said."""
    source = CitationInstructionSource("inline_url", ["tags"])
    assert len(source.fragments()) == 1
    assert "source_url" not in source.instructions()


def test_nothing_citable_says_nothing() -> None:
    """With an empty list there is nothing to instruct."""
    source = CitationInstructionSource("ref", [])
    assert (source.fragments(), source.instructions()) == ((), "")


def test_resources_stand_once_and_in_one_order() -> None:
    """The same prompt comes of the same resources, however they are listed."""
    source = CitationInstructionSource("ref", iter(["tags", "search_results", "tags"]))
    assert source.citable_resources == ("search_results", "tags")


def test_a_format_may_be_given_itself() -> None:
    """A wire format of one's own is taught without being registered, under its own field."""
    own = WireFormat(
        name="own",
        key_field="handle",
        opening="{",
        closing="}",
        key=WIRE_FORMATS["ref"].key,
        full=True,
        teaching="Write the passage's `handle` in braces.",
    )
    source = CitationInstructionSource(own)
    assert source.format is own
    assert named_fields(source.instructions()) == {"handle", "content"}


@pytest.mark.parametrize("wrong", ["search_results", b"context", None, 5, [None], [["tags"]], [5]])
def test_resources_are_a_list_of_names(wrong: Any) -> None:
    """A bare string would be taken letter by letter; it is refused in a sentence, as is whatever is no name."""
    with pytest.raises(InputError, match="a list of names") as caught:
        CitationInstructionSource("ref", wrong)
    assert caught.value.field == "citable_resources"


def test_an_unknown_resource_is_an_error_at_set_up() -> None:
    """The message names it and lists those there are."""
    with pytest.raises(
        InputError, match="'notes'; there are search_results, context, documents, tags"
    ) as caught:
        CitationInstructionSource("ref", ["notes"])
    assert caught.value.field == "citable_resources"


@pytest.mark.parametrize("resource", sorted(REFERENCE_KINDS))
def test_what_a_format_cannot_carry_names_both(resource: str) -> None:
    """An empty prompt would be found out by nobody: the error says which format and which resource."""
    with pytest.raises(InputError, match=f"'deferred' .* '{resource}'"):
        CitationInstructionSource("deferred", ["search_results", resource])


def test_an_unknown_format_is_an_error() -> None:
    """There is no instruction for what cannot be read back."""
    with pytest.raises(InputError, match="no wire format 'roman'"):
        CitationInstructionSource("roman")


def test_fields_are_what_stands_in_backticks_or_has_an_underscore() -> None:
    """The examples of a teaching are no fields; a field inside a form is one."""
    text = 'Write [[N]](source_url "x") of its `ref`, as [9f2a1b7c]; `a b` and `[1]` are none, nor is x_, nor {id}.'
    assert named_fields(text) == {"source_url", "ref"}


@hostile
def test_fields_of_hostile_text_are_found_in_linear_time() -> None:
    """Names are found in one pass, over a megabyte of what could begin one."""
    for piece in ("`", "a", "_", "a_", "`a"):
        named_fields(much(piece))


@pytest.mark.parametrize(
    ("resource", "item", "payload", "url"),
    [
        ("tags", {"id": 7, "name": "Finance"}, {"name": "Finance", "tag_id": "7"}, "/tags/7"),
        ("tags", {"id": 0, "name": " A \n B "}, {"name": "A B", "tag_id": "0"}, "/tags/0"),
        ("tags", {"tag_id": "a/../b"}, {"name": "a/../b", "tag_id": "a%2F..%2Fb"}, "/tags/a%2F..%2Fb"),
        (
            "documents",
            {"document_id": DOCUMENT, "title": "Staff handbook"},
            {"title": "Staff handbook", "document_id": DOCUMENT},
            f"/documents/{DOCUMENT}",
        ),
        (
            "documents",
            {"id": 'Q3 (draft) "x"?', "name": "Q3"},
            {"title": "Q3", "document_id": "Q3%20%28draft%29%20%22x%22%3F"},
            "/documents/Q3%20%28draft%29%20%22x%22%3F",
        ),
    ],
)
def test_a_link_is_shown_ready_to_be_copied(
    resource: str, item: dict[str, Any], payload: dict[str, str], url: str
) -> None:
    """A payload has a label and an id, percent-encoded where an address demands it; the address ends in that id."""
    link = REFERENCE_KINDS[resource]
    assert link.payload(item) == payload
    assert link.url(payload) == url


def test_a_label_that_carries_a_marker_is_neutralised() -> None:
    """A tag may be called anything; its name is no citation when the model repeats it."""
    shown = REFERENCE_KINDS["tags"].payload({"id": 1, "name": "see [9f2a1b7c]"})
    assert "[9f2a1b7c]" not in shown["name"]


@pytest.mark.parametrize(
    "item", [{}, {"name": "Finance"}, {"id": ""}, {"id": " "}, {"id": ".."}, object(), 5]
)
def test_a_link_needs_an_id(item: object) -> None:
    """Without one there is no address, and a step along the path is none."""
    with pytest.raises(InputError, match="needs an id"):
        REFERENCE_KINDS["tags"].payload(item)
