"""The library's functions over HTTP, for people who are not in Python."""

from __future__ import annotations

from typing import Any

import pytest

from server_parts import HANDBOOK, Served

PASSAGE = {
    "id": "handbook-4",
    "title": "Handbook",
    "content": "Expenses over 100 EUR require prior approval from your line manager.",
}


@pytest.fixture
def headers(served: Served) -> dict[str, str]:
    """A key that may search."""
    return served.key("search")


def post(served: Served, headers: dict[str, str], path: str, **body: Any) -> dict[str, Any]:
    """Return the reply to a request."""
    reply = served.client.post(path, json=body, headers=headers)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def test_an_answer_written_from_passages_of_ones_own_is_checked(
    served: Served, headers: dict[str, str]
) -> None:
    """One's own passages, as one's own retrieval gave them; the model cited one of them and one that is none."""
    from pincite import CitationRun

    ref = CitationRun().present(PASSAGE)["ref"]
    text = f"Expenses over 100 EUR require prior approval [{ref}]. Lunch is free [[deadbeef]]."
    told = post(served, headers, "/api/check", answer=text, passages=[PASSAGE])["answer"]
    assert [(one["verdict"], one["support_verdict"]) for one in told["citations"]] == [("valid", "supported")]
    assert [one["written"] for one in told["misses"]] == ["[[deadbeef]]"]


def test_an_answer_of_a_conversation_is_checked(served: Served) -> None:
    """The refs of an answer are those of the conversation's searches."""
    headers = served.key("manage")
    served.add(headers, served.collection(headers), "handbook.md", HANDBOOK.encode())
    found = post(served, headers, "/api/manage/search", query="expenses approval")
    ref = found["results"][0]["ref"]
    text = f"Expenses over 900 EUR require prior approval [{ref}]."
    told = post(served, headers, "/api/check", answer=text, conversation_id=found["conversation_id"])[
        "answer"
    ]
    assert told["citations"][0]["verdict"] == "valid"
    assert told["citations"][0]["support_verdict"] != "supported"


def test_evidence_ids_are_held_against_what_was_fetched(served: Served, headers: dict[str, str]) -> None:
    """The check of the page, as it is in Python."""
    document, version = "f24b301d-f73a-5291-9d80-7ea3cbd5291c", "c174f9d9eba7d79c"
    ids = [f"ev1:s:{document}:{version}:{span}" for span in ("0-10", "10-20", "0-20", "20-30")]
    told = post(
        served,
        headers,
        "/api/check",
        evidence_ids=[ids[2], ids[3], "nonsense"],
        fetched=ids[:2],
        scope=[document],
    )["checks"]
    assert [one["verdict"] for one in told] == ["valid", "not_fetched", "malformed"]


def test_quotes_are_verified_and_one_of_another_source_is_elsewhere(
    served: Served, headers: dict[str, str]
) -> None:
    """Offsets are code points of the source's own text."""
    text = str(PASSAGE["content"])
    told = post(
        served,
        headers,
        "/api/verify-quotes",
        quotes=[
            {"quote": "require prior approval from your", "source": "a"},
            {"quote": "require prior approval from your", "source": "b"},
            {"quote": "require no approval from your", "source": "a"},
        ],
        sources={"a": text, "b": "Quite another text, which says nothing of that."},
    )["quotes"]
    first, second, third = told
    assert (first["verdict"], text[first["start"] : first["end"]]) == ("verbatim", first["quote"])
    assert (second["verdict"], second["elsewhere"]) == ("elsewhere", "a")
    assert third["verdict"] not in ("verbatim", "typographic", "elided")


@pytest.mark.parametrize(
    ("to", "holds"),
    [("markdown", "[1]"), ("html", "<"), ("text", "Handbook"), ("bibtex", "@"), ("csl-json", "Handbook")],
)
def test_an_answer_is_rendered_in_every_format(
    served: Served, headers: dict[str, str], to: str, holds: str
) -> None:
    """An answer is rendered in every format."""
    from pincite import CitationRun

    ref = CitationRun().present(PASSAGE)["ref"]
    told = post(served, headers, "/api/render", answer=f"So it is [{ref}].", passages=[PASSAGE], to=to)
    assert holds in told["text"]
    assert f"[{ref}]" not in told["text"]


def test_a_provider_response_is_read(served: Served, headers: dict[str, str]) -> None:
    """The text is never changed, and the citation is in our shape."""
    response = {
        "content": [
            {
                "type": "text",
                "text": "The grass is green.",
                "citations": [
                    {
                        "type": "char_location",
                        "cited_text": "The grass is green.",
                        "document_index": 0,
                        "document_title": "Colours",
                        "start_char_index": 0,
                        "end_char_index": 19,
                    }
                ],
            }
        ]
    }
    told = post(served, headers, "/api/read-provider-response", provider="anthropic", response=response)
    part = told["response"]["parts"][0]
    assert part["content"] == "The grass is green."
    assert part["citations"][0]["sources"][0]["title"] == "Colours"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/check", {}),
        ("/api/check", {"answer": "a"}),
        ("/api/check", {"answer": "a", "passages": [], "conversation_id": "b"}),
        ("/api/check", {"answer": "a", "evidence_ids": []}),
        ("/api/check", {"answer": "a", "passages": [{"title": "no text"}]}),
        ("/api/render", {"answer": "a", "passages": [], "to": "docx"}),
        ("/api/render", {"answer": "a", "passages": [], "wire_format": "nonsense"}),
        ("/api/verify-quotes", {"quotes": []}),
        ("/api/read-provider-response", {"provider": "nobody", "response": {}}),
    ],
)
def test_what_cannot_be_used_is_422(
    served: Served, headers: dict[str, str], path: str, body: dict[str, Any]
) -> None:
    """What cannot be used is 422, in the one shape."""
    reply = served.client.post(path, json=body, headers=headers)
    assert reply.status_code == 422, reply.text
    assert set(reply.json()["error"]) == {"code", "message", "field"}


def test_a_conversation_that_there_is_not_is_404(served: Served, headers: dict[str, str]) -> None:
    """A conversation that there is not is 404."""
    body = {"answer": "a", "conversation_id": "nowhere"}
    assert served.client.post("/api/check", json=body, headers=headers).status_code == 404


def test_plain_numbers_in_brackets_are_read(served: Served, headers: dict[str, str]) -> None:
    """They count the passages from 1; the text stays, and every place is one of it."""
    other = {"id": "menu-1", "title": "Menu", "content": "Lunch is served from noon to two."}
    text = (
        "Expenses over 100 EUR require prior approval [1]. Lunch is served from noon [2; 1]. Tea is free [7]."
    )
    told = post(
        served, headers, "/api/check", answer=text, passages=[PASSAGE, other], wire_format="brackets"
    )["answer"]
    assert told["text"] == text
    cited = [(text[one["start"] : one["end"]], one["source"]["title"]) for one in told["citations"]]
    assert [title for _, title in cited] == ["Handbook", "Menu", "Handbook"]
    assert cited[0][0] == "[1]"
    assert all("[2; 1]".find(written) >= 0 for written, _ in cited[1:])
    assert told["citations"][0]["support_verdict"] == "supported"
    assert [(text[one["start"] : one["end"]], one["written"]) for one in told["misses"]] == [("[7]", "[7]")]
    shown = post(
        served,
        headers,
        "/api/render",
        answer=text,
        passages=[PASSAGE, other],
        wire_format="brackets",
        to="text",
    )["text"]
    assert "<sup>" not in shown
    assert "Menu" in shown


def test_the_formats_of_an_answer_are_named(served: Served) -> None:
    """The description of the field names every format that the route reads."""
    from pincite.citing import WIRE_FORMATS

    schemas = served.client.get("/openapi.json").json()["components"]["schemas"]
    said = schemas["CheckRequest"]["properties"]["wire_format"]["description"]
    assert all(f"`{name}`" in said for name in (*WIRE_FORMATS, "brackets"))


def test_a_later_search_says_nothing_of_an_older_answer(served: Served) -> None:
    """The search's verdict belongs to its question: an answer that the conversation does not keep has none."""
    headers = served.key("manage")
    served.add(headers, served.collection(headers), "handbook.md", HANDBOOK.encode())
    found = post(served, headers, "/api/manage/search", query="expenses approval")
    talk, text = found["conversation_id"], f"Expenses need approval [{found['results'][0]['ref']}]."
    before = post(served, headers, "/api/check", answer=text, conversation_id=talk)["answer"]
    post(served, headers, "/api/manage/search", query="king of Norway", conversation_id=talk)
    after = post(served, headers, "/api/check", answer=text, conversation_id=talk)["answer"]
    assert after == before
    assert [one["confidence"] for one in after["citations"]] == [None]


def test_json_without_its_header_is_told_to_have_it(served: Served, headers: dict[str, str]) -> None:
    """The sentence says what to send; a body that is JSON and no object is told so."""
    body = '{"answer": "a", "passages": []}'
    bare = served.client.post("/api/check", content=body, headers=headers)
    assert bare.status_code == 422
    assert "`Content-Type: application/json`" in bare.json()["error"]["message"]
    for given in ("[]", '"a"', "3"):
        said = served.client.post(
            "/api/check", content=given, headers={**headers, "Content-Type": "application/json"}
        )
        assert (said.status_code, said.json()["error"]["message"]) == (422, "The body is not a JSON object.")
