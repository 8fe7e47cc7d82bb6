"""What a browser sends back: whatever is wrong with one citation costs that one, and nothing unsafe is loaded."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic_ai.messages import DocumentUrl, TextPart, UserPromptPart
from pydantic_ai.ui.vercel_ai.request_types import TextUIPart, UIMessage
from ui_reader import CITATIONS

from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT
from pincite.protocols.vercel import LoadedMessages, load_messages
from pincite.protocols.vercel._taking import LISTS

# The number stands behind an emoji, so that the two units differ.
TEXT = "\U0001f600 Blue [1]."
SPAN = {"start": 7, "end": 10, "start_utf16": 8, "end_utf16": 11}
CITATION: dict[str, Any] = {
    "number": 1,
    "verdict": "valid",
    "quote_verdict": None,
    "support_verdict": "supported",
    "ref": "abcd1234",
    "evidence_id": "ev1:a:b",
    "locator": {"page": 4, "headings": ["Sky"], "time": 1.5},
    "confidence": None,
    "source_state": "current",
    "anchor": "marker",
    "chunk_id": "chunk-1",
    "document_id": "doc-1",
    "version": "v1",
    **SPAN,
    "claim": {"start": 0, "end": 11, "start_utf16": 0, "end_utf16": 12},
}
SOURCE: dict[str, Any] = {
    "number": 1,
    "title": "Sky",
    "document_id": "doc-1",
    "source_key": "upload://sky.pdf",
    "source_uri": "https://sky.example/blue",
    "locator": {},
    "bibliography": {"author": [{"family": "Rayleigh"}], "issued": {"date-parts": [[1871]]}},
    "sourceId": "https://sky.example/blue",
}
MISS = {**SPAN, "reason": "never_issued", "suggestion": "abcd1234"}


def value(**changes: Any) -> dict[str, Any]:
    """Return the value of a text that cites one source."""
    good = {
        "version": 1,
        "messageId": "m",
        "conversationId": "chat-1",
        "citations": [CITATION],
        "sources": [SOURCE],
        "misses": [MISS],
        "uncited": [SPAN],
        "status": "answered",
        "textId": None,
        "textIndex": 0,
        "raw": "\U0001f600 Blue [abcd1234].",
    }
    return copy.deepcopy(good | changes)


def loaded(*data: Any, text: str = TEXT) -> LoadedMessages:
    """Load an answer with these data parts, as a browser sends it."""
    parts = [{"type": "text", "text": text}, *({"type": CITATIONS, "data": one} for one in data)]
    return load_messages([{"id": "m", "role": "assistant", "parts": parts}])


def codes(found: LoadedMessages) -> list[str]:
    """Return what was said of what was left out."""
    return [one.code for one in found.diagnostics]


def test_good_citations_are_loaded_as_they_came() -> None:
    """Every field of ours, with places in both units: equal to what was sent, and nothing to remark on."""
    found = loaded(value())
    assert [one.value for one in found.citations] == [value()]
    assert found.diagnostics == ()


BAD_CITATIONS: list[dict[str, Any]] = [
    {"start": -1, "start_utf16": -1},
    {"end": 12, "end_utf16": 13},
    {"start": 10, "end": 7, "start_utf16": 11, "end_utf16": 8},
    {"start": True, "start_utf16": True, "claim": None},
    {"start": 7.0},
    {"end": float("nan")},
    {"end": float("inf")},
    {"start": "7"},
    {"start": None},
    {"start": None, "end": None},
    {"start_utf16": 7},
    {"end_utf16": 10},
    {"start_utf16": None, "end_utf16": None},
    {"number": 0},
    {"number": True},
    {"number": 1.0},
    {"number": 10**30},
    {"verdict": 1},
    {"verdict": "<b>valid</b>"},
    {"ref": ["abcd1234"]},
    {"ref": "a\nb"},
    {"ref": "a\u202eb"},
    {"document_id": "javascript:alert(1)"},
    {"evidence_id": "x" * 4_001},
    {"chunk_id": "https://user:secret@a.example/"},
    {"locator": {"page": "4"}},
    {"locator": {"time": float("nan")}},
    {"locator": None},
    {"claim": {"start": 0, "end": 99, "start_utf16": 0, "end_utf16": 100}},
    {"claim": {"start": 0, "end": 11}},
    {"claim": "it is blue"},
]


@pytest.mark.parametrize("change", BAD_CITATIONS, ids=lambda one: repr(one)[:60])
def test_l5_a_bad_citation_is_left_out_by_itself(change: dict[str, Any]) -> None:
    """Offsets that are none or disagree, types that are wrong, names that are none: the good one beside it stays."""
    found = loaded(value(citations=[{**CITATION, **change}, CITATION]))
    assert found.citations[0].value == value()
    (remark,) = found.diagnostics
    assert remark.path.startswith("/0/parts/1/data/citations/0")
    assert remark.code in {"bad_entry", "bad_place"}


@pytest.mark.parametrize("entry", [None, 7, "text", [], {}, [CITATION]])
@pytest.mark.parametrize("name", ["citations", "sources", "misses", "uncited"])
def test_l5_an_entry_that_is_none(name: str, entry: Any) -> None:
    """What is no entry at all is left out of its list, which keeps the others."""
    good = value()
    assert loaded(value(**{name: [entry, *good[name]]})).citations[0].value == good


ADDRESSES = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "https://user:secret@a.example/",
    "https://a.example/\x00",
    "https://a.example/\u202ex",
    "https://a.example/a b",
    "//a.example/",
    "file:///etc/passwd",
    "a\\b",
    "",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_l5_an_address_that_is_no_safe_link(address: str) -> None:
    """The source stays, without the address; nothing of the address is anywhere in what was loaded."""
    found = loaded(value(sources=[{**SOURCE, "source_uri": address}]))
    assert found.citations[0].value["sources"] == [{**SOURCE, "source_uri": None}]
    assert codes(found) == ["no_link"]


@pytest.mark.parametrize("address", ["javascript:alert(1)", "https://u:p@a.example/", "//a.example", "a\nb"])
def test_l5_an_address_as_the_id_of_a_source(address: str) -> None:
    """The id is an address where the source has one, so it is held to the same rule."""
    found = loaded(value(sources=[{**SOURCE, "sourceId": address}, SOURCE]))
    assert found.citations[0].value == value()
    assert codes(found) == ["bad_entry"]


def test_l5_what_is_not_known_is_not_loaded() -> None:
    """A key that we never write may hold anything; in the lists and beside them it is left out."""
    more = {"href": "javascript:alert(1)"}
    found = loaded(value(citations=[{**CITATION, **more}], sources=[{**SOURCE, **more}], link="data:,x"))
    assert found.citations[0].value == value()


def test_l5_a_bibliography_that_is_none() -> None:
    """A DOI that is an address, an author that is a number: the source stays without its bibliography."""
    for bad in ({"DOI": "javascript:alert(1)"}, {"author": [7]}, {"issued": {"date-parts": "x"}}):
        found = loaded(value(sources=[{**SOURCE, "bibliography": bad}]))
        assert found.citations[0].value["sources"] == [{**SOURCE, "bibliography": {}}]
        assert codes(found) == ["bad_bibliography"]


@pytest.mark.parametrize("version", [True, 1.0, "1", 0, 2, None, [1]])
def test_l5_a_version_that_is_not_ours(version: Any) -> None:
    """True and 1.0 equal 1 in Python; neither is a version, and an unknown one is passed over as a whole."""
    found = loaded(value(version=version))
    assert found.citations == ()
    assert codes(found) == ["other_version"]
    assert [part.content for one in found.messages for part in one.parts if isinstance(part, TextPart)] == [
        TEXT
    ]


@pytest.mark.parametrize("index", [-1, 1, True, 0.0, "0", 10**30])
def test_l5_a_text_that_is_not_there(index: Any) -> None:
    """A negative index counts from the end in Python, and names no text here."""
    found = loaded(value(textIndex=index))
    assert (found.citations, codes(found)) == ((), ["unknown_text"])


def test_l5_the_last_value_about_a_text_holds() -> None:
    """A client that takes the stream in replaces an earlier one by its id; one that does not may not say it twice."""
    found = loaded(value(citations=[]), value())
    assert [one.value for one in found.citations] == [value()]
    assert codes(found) == ["twice"]


def test_l5_fields_beside_the_lists() -> None:
    """Of fields that are none each is left out by itself; whose message it is says the message."""
    bad = value(messageId="another", conversationId=7, raw=[1], textId={}, status="<b>")
    found = loaded(bad)
    expected = value(status=None)
    del expected["conversationId"], expected["raw"]
    assert found.citations[0].value == expected
    assert codes(found) == ["bad_field"] * 4


def test_l5_more_entries_than_are_taken() -> None:
    """The first ones stay, and a remark says that there were more."""
    limits = replace(DEFAULT, agui_citations=2)
    many = [CITATION] * 3
    parts = [{"type": "text", "text": TEXT}, {"type": CITATIONS, "data": value(citations=many)}]
    found = load_messages([{"id": "m", "role": "assistant", "parts": parts}], limits=limits)
    assert len(found.citations[0].value["citations"]) == 2
    assert codes(found) == ["too_many"]


@pytest.mark.parametrize(
    "given",
    [
        [1],
        [None],
        ["text"],
        [[]],
        [{}],
        None,
        7,
        "text",
        {"id": "m"},
        [{"id": "m", "role": "assistant", "parts": [7]}],
        [{"id": "m", "role": "assistant", "parts": [{"type": "text", "text": 7}]}],
        [
            {
                "id": "m",
                "role": "assistant",
                "parts": [
                    {"type": "tool-x", "toolCallId": "c", "state": "input-available", "input": [7]},
                ],
            }
        ],
        [{"id": "m", "role": "user", "parts": [{"type": "step-start"}]}],
        [
            {
                "id": "m",
                "role": "assistant",
                "parts": [{"type": "file", "mediaType": "x/y", "url": "https://a.example"}],
            }
        ],
    ],
    ids=lambda one: repr(one)[:60],
)
def test_l5_a_message_that_is_no_message(given: Any) -> None:
    """Whatever else comes is refused with one sentence, and never breaks in another way."""
    with pytest.raises(InputError, match="UI messages"):
        load_messages(given)


def test_l5_what_is_nested_too_deeply() -> None:
    """Data that no reader of JSON would have made is refused, and does not end the process."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError, match="nested so deeply"):
        loaded(deep)


def test_l5_files_behind_addresses_that_are_no_links() -> None:
    """A model's provider would fetch what a user's file names: only what is in the message, or a safe link."""
    urls = [*ADDRESSES, "data:text/plain,x", "data:text/plain;base64,QQ==", "https://a.example/x.pdf"]
    parts = [{"type": "file", "mediaType": "application/pdf", "url": url} for url in urls]
    found = load_messages([{"id": "q", "role": "user", "parts": parts}])
    (prompt,) = (part for one in found.messages for part in one.parts if isinstance(part, UserPromptPart))
    inside, link = prompt.content
    assert (inside.data, isinstance(link, DocumentUrl), link.url) == (  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
        b"A",
        True,
        "https://a.example/x.pdf",
    )
    assert codes(found) == ["no_link"] * (len(urls) - 2)


def test_h2_halves_of_characters_are_loaded_whole() -> None:
    """A text or a label with half of a character could be neither kept nor sent to a model."""
    data = value(raw="Blue \ud83d\ude00 \ud83d", sources=[{**SOURCE, "title": "Sky \ude00"}])
    found = loaded(data, text="\ud83d\ude00 Blue [1].")
    (cited,) = found.citations
    assert (cited.text, cited.value["raw"]) == (TEXT, "Blue \U0001f600 \ufffd")
    assert cited.value["sources"][0]["title"] == "Sky \ufffd"
    assert [part.content for one in found.messages for part in one.parts if isinstance(part, TextPart)] == [
        "Blue \U0001f600 \ufffd"
    ]


def test_messages_as_objects() -> None:
    """A message that is an object already is read like its JSON."""
    message = UIMessage(id="m", role="user", parts=[TextUIPart(text="Why?")])
    ((part,),) = (one.parts for one in load_messages([message]).messages)
    assert isinstance(part, UserPromptPart)
    assert part.content == "Why?"


def test_what_is_taken_is_what_the_schema_has() -> None:
    """Fields and what must be there are those of the published schema, and the source has its part's id beside."""
    path = files("pincite.protocols").joinpath("schemas", "pincite-citations-1.schema.json")
    schema = json.loads(path.read_text("utf-8"))
    for name, kind in LISTS.items():
        entry = schema["properties"][name]["items"]["$ref"].rpartition("/")[2]
        told = schema["$defs"][entry]
        assert set(kind.model_fields) - {"sourceId"} == set(told["properties"])
        assert {field for field, one in kind.model_fields.items() if one.is_required()} == set(
            told["required"]
        )
    locator = LISTS["citations"].model_fields["locator"].annotation
    assert set(locator.model_fields) == set(schema["$defs"]["Locator"]["properties"])  # pyright: ignore[reportOptionalMemberAccess, reportUnknownMemberType, reportUnknownArgumentType, reportAttributeAccessIssue]


_ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["javascript:alert(1)", "https://u:p@a.example/", "\ud83d", "valid"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def _spoilt(draw: st.DrawFn) -> Any:
    """Draw a good value in which anything stands in the place of one or two of its parts."""
    data: Any = value()
    for _ in range(draw(st.integers(1, 2))):
        at, path = data, None
        while isinstance(at, dict | list) and at and (path is None or draw(st.booleans())):
            path = at, draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
            at = path[0][path[1]]  # pyright: ignore[reportUnknownVariableType]
        if path is not None:
            path[0][path[1]] = draw(_ANY)
    return data


@given(_spoilt())
@example(value())
def test_l5_whatever_is_wrong_with_a_value(data: Any) -> None:
    """Anything anywhere is loaded, as safe JSON with places in its text, and that loads again as it is."""
    for cited in loaded(data).citations:
        told = cited.value
        sent = json.dumps(told, allow_nan=False).encode()
        assert json.loads(sent) == told
        for name in ("citations", "misses", "uncited"):
            for one in told[name]:
                if one["start"] is not None:
                    assert 0 <= one["start"] <= one["end"] <= len(cited.text)
                    before = cited.text[: one["end"]].encode("utf-16-le")
                    assert one["end_utf16"] == len(before) // 2
        for source in told["sources"]:
            assert source["source_uri"] is None or source["source_uri"].startswith(("http://", "https://"))
            names = [source.get(name) for name in ("source_key", "sourceId", "document_id")]
            assert not any("u:p@" in name or name.startswith("javascript:") for name in names if name)
        if told.get("textIndex") is not None and "text" not in told:
            again = loaded(told, text=cited.text)
            assert (again.citations[0].value, again.diagnostics) == (told, ())
