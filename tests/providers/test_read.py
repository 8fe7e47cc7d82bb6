"""What can be read: the table of providers, the forms of a response, and what holds of every recording."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from openai.types.responses import Response
from recorded import NAMES, load

from pincite.core.citation import ContentCitationAnchor, MarkerCitationAnchor
from pincite.core.errors import InputError
from pincite.providers.read import APIS, read_response
from pincite.providers.response import hash_of
from pincite.providers.stream import StreamReader

EACH = pytest.mark.parametrize("name", NAMES or [pytest.param("none")])
CHAT = {"choices": [{"index": 0, "message": {"content": "One."}}]}


@pytest.mark.parametrize(("provider", "api"), [(one, api) for one in APIS for api in APIS[one]])
def test_every_api_has_a_reader_and_an_assembler(provider: str, api: str) -> None:
    """An empty response is an empty answer, whole or as a stream without events."""
    module = import_module(f"pincite.providers.{APIS[provider][api]}")
    assert callable(module.read)
    response = read_response(provider, {}, api=api)
    assert (response.provider, response.api) == (provider, api)
    assert (response.text, len(response), response.citations, response.unmapped) == ("", 0, (), ())
    assert StreamReader(provider, api=api).finish() == response


@EACH
def test_every_recording_is_of_a_known_api(shared: object, name: str) -> None:
    """Named as here."""
    recording = load(name)
    assert recording["api"] in APIS[recording["provider"]]


@EACH
def test_what_holds_of_every_recording(shared: object, name: str) -> None:
    """Anchors are within their part, markers are what stands there, and each citation knows its text."""
    recording = load(name)
    reader = StreamReader(recording["provider"], api=recording["api"])
    if recording["stream"]:
        for event in recording["events"]:
            reader.feed(event)
        response = reader.finish()
    else:
        response = read_response(recording["provider"], recording["response"], api=recording["api"])
    for part in response:
        for citation in part.citations:
            anchor = citation.anchor
            about = part.content if anchor is None else part.content[anchor.start : anchor.end]
            assert citation.sources
            # A marker is about its claim: an edit there, of equal length too, is one of what it was given for.
            claim = citation.claim
            said = "" if claim is None else part.content[claim.start : claim.end]
            assert citation.text_hash == hash_of(said + about)
            assert citation.written == (about if isinstance(anchor, MarkerCitationAnchor) else None)
            assert citation.score is None
            if anchor is not None:
                assert 0 <= anchor.start < anchor.end <= len(part.content)
    assert response.text == "".join(part.content for part in response)
    assert len(response.citations) == sum(len(part.citations) for part in response)


@pytest.mark.parametrize("name", [one for one in NAMES if not load(one)["stream"]] or [pytest.param("none")])
def test_a_response_may_come_in_any_form(shared: object, name: str) -> None:
    """A mapping, its JSON as text or bytes, and an object that can be dumped are the same."""
    recording = load(name)
    provider, api, response = recording["provider"], recording["api"], recording["response"]
    read = read_response(provider, response, api=api)
    text = json.dumps(response, ensure_ascii=False)
    for form in (text, text.encode(), bytearray(text.encode()), Dumped(response), ToDict(response)):
        assert read_response(provider, form, api=api) == read


@dataclass
class Dumped:
    """An object as pydantic makes them."""

    value: dict[str, Any]

    def model_dump(self, *, mode: str, by_alias: bool) -> dict[str, Any]:
        """Return the value, in JSON's types."""
        assert (mode, by_alias) == ("json", True)
        return self.value


@dataclass
class ToDict:
    """An object that only knows one way, without options."""

    value: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the value."""
        return self.value


@pytest.mark.parametrize(
    "name",
    [
        "openai-unary-test-openai-responses-web-search-citations-0",
        "openai-unary-openai-file-search-tool-1-0",
        "openai-unary-test-openai-responses-code-execution-return-image-0",
    ],
)
def test_the_object_of_a_real_sdk_is_read_as_its_json(shared: object, name: str) -> None:
    """OpenAI's, whose dump has every field that may be absent."""
    recorded = load(name)["response"]
    whole = read_response("openai", recorded)
    read = read_response("openai", Response.model_validate({**recorded, "usage": None}))
    assert (read.text, read.citations) == (whole.text, whole.citations)


def test_the_first_api_is_taken_where_none_is_named() -> None:
    """For OpenAI that is Responses."""
    assert read_response("openai", {}).api == "responses"
    assert read_response("openrouter", CHAT).text == "One."


@pytest.mark.parametrize(
    ("provider", "api", "field"),
    [("none", None, "provider"), (7, None, "provider"), ("openai", "none", "api"), ("openai", 7, "api")],
)
def test_an_unknown_provider_or_api_is_told_of(provider: Any, api: Any, field: str) -> None:
    """In a sentence that names those that there are."""
    with pytest.raises(InputError) as raised:
        read_response(provider, {}, api=api)
    assert raised.value.field == field


@pytest.mark.parametrize("response", [None, 7, [], "no JSON", "[]", b"\xff", "[" * 100_000, object()])
def test_what_is_no_response_is_told_of(response: Any) -> None:
    """Anything but a JSON object."""
    with pytest.raises(InputError) as raised:
        read_response("openai", response)
    assert raised.value.field == "response"


def test_the_text_is_never_changed() -> None:
    """Whatever is in it: white space, control characters, a lone surrogate, markup."""
    text = " \r\n\t\x00\ufeff\ud800 <cite index='1'>[1]</cite> \ue200x\ue201 e\u0301 "
    message = {"content": text, "annotations": [{"type": "url_citation", "url": "https://a.example"}]}
    for provider, api in (("openai", "chat"), ("groq", "chat"), ("perplexity", "sonar"), ("xai", "chat")):
        assert read_response(provider, {"choices": [{"message": message}]}, api=api).text == text


def test_parts_are_a_sequence() -> None:
    """With a length, indices and slices."""
    response = read_response("openai", CHAT, api="chat")
    assert [part.content for part in response] == ["One."]
    assert response[0] is response.parts[0]
    assert response[:1] == response.parts
    assert len(response) == 1


def test_a_claim_stops_before_the_markers_that_stand_together() -> None:
    """Two markers with a space between them are about the one sentence; a third has its own."""
    text = "Rain falls. [1] [2] Snow falls.[1]"
    response = read_response(
        "perplexity", {"citations": ["https://a.example"] * 2, "choices": [{"message": {"content": text}}]}
    )
    assert [citation.claim for citation in response.citations] == [
        ContentCitationAnchor(0, 11),
        ContentCitationAnchor(0, 11),
        ContentCitationAnchor(20, 31),
    ]


def test_every_provider_and_api_is_on_the_page() -> None:
    """With the default first, as the table of the documentation has them."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "provider-citations.md").read_text(
        encoding="utf-8"
    )
    for provider, apis in APIS.items():
        names = ", ".join(f"`{api}`" for api in apis)
        assert f"| `{provider}` | {names} |" in page


def test_a_mark_before_the_text_is_no_part_of_it() -> None:
    """A byte order mark, of a string too."""
    body = '{"output": [{"content": "x"}]}'
    assert read_response("openai", "\ufeff" + body).text == "x"
    assert read_response("openai", b"\xef\xbb\xbf" + body.encode()).text == "x"


def test_an_api_that_is_no_string_is_told_in_a_sentence() -> None:
    """A list was a TypeError."""
    with pytest.raises(InputError):
        read_response("openai", {}, api=["chat"])  # pyright: ignore[reportArgumentType] - what is tested
