"""The three tools: what they take, what they return, and what they hand back to the model."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from agent_scripts import EXPENSES, Desk, Script, check, fetch, returns
from pydantic_ai import Agent
from pydantic_ai.messages import ToolCallPart, ToolReturnPart

from pincite.agents import FetchLog, SearchLog, check_tool, fetch_tool, search_tool
from pincite.agents._passages import RunEvidence
from pincite.citing import CitationRun
from pincite.core.errors import StoreError
from pincite.core.hit import Hit
from pincite.core.limits import DEFAULT
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.protocols import EvidenceText
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_ai import Tool

DOCUMENT, CHUNK = "f24b301d-f73a-5291-9d80-7ea3cbd5291c", "efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
VERSION = "c174f9d9eba7d79c"
PAGE_JSON = f'{{"evidence_ids": ["ev1:c:{DOCUMENT}:{VERSION}:{CHUNK}"]}}'
"""What the check's page gives to the tool."""
ID = json.loads(PAGE_JSON)["evidence_ids"][0]
TEXT = "Customer data is deleted within 10 business days."
STORED = EvidenceText(
    ID, DOCUMENT, VERSION, 0, len(TEXT), TEXT, title="Acme notes", state=SourceState.SUPERSEDED
)
SCOPE = Scope([DOCUMENT])


async def used(tools: Sequence[Tool[Any]], *calls: ToolCallPart) -> Script:
    """Return a script that made `calls` one after another with these tools."""
    script = Script([*calls, "Done."])
    await Agent(script.model, tools=tools, retries=2).run("?")
    return script


def schema_of(tool: Tool[Any]) -> dict[str, Any]:
    """Return the JSON schema of a tool's arguments."""
    return tool.function_schema.json_schema


def test_the_check_takes_ids_and_nothing_else() -> None:
    """One field, a list of strings, and no other is allowed."""
    schema = schema_of(check_tool(run=CitationRun()))
    assert set(schema["properties"]) == {"evidence_ids"}
    assert schema["properties"]["evidence_ids"]["type"] == "array"
    assert schema["properties"]["evidence_ids"]["items"] == {"type": "string"}
    assert (schema["required"], schema["additionalProperties"]) == (["evidence_ids"], False)
    assert check_tool(run=CitationRun()).name == "check_citations"


async def test_the_pages_json() -> None:
    """The very arguments of the check's page: not fetched at first, valid after the fetch."""
    run = CitationRun("evidence_id", scope=SCOPE)
    store = MemoryEvidenceStore([STORED])
    tools = [check_tool(run=run, store=store), fetch_tool(store, run=run)]
    asked = ToolCallPart("check_citations", PAGE_JSON)
    script = await used(tools, asked, fetch(ID), asked)
    first, second = returns(script.requests[-1], "check_citations")
    assert first == [
        {"evidence_id": ID, "verdict": "not_fetched", "reason": "No complete fetch covers this id."}
    ]
    assert second == [
        {
            "evidence_id": ID,
            "verdict": "valid",
            "reason": "This id was fetched.",
            "source_state": "superseded",
        }
    ]


def test_the_fetch_takes_ids_size_and_offset() -> None:
    """Three fields, one of them required; sizes have a least value."""
    schema = schema_of(fetch_tool(MemoryEvidenceStore(), run=CitationRun()))
    assert set(schema["properties"]) == {"evidence_ids", "max_chars", "offset"}
    assert schema["required"] == ["evidence_ids"]
    assert schema["properties"]["max_chars"]["minimum"] == 1
    assert schema["properties"]["max_chars"]["default"] == DEFAULT.fetch_code_points
    assert schema["properties"]["offset"]["minimum"] == 0


async def test_a_fetch_says_of_each_id_what_became_of_it() -> None:
    """In order, each once: whole with its key, cut with where to go on, malformed and unknown with a reason."""
    run = CitationRun("evidence_id", scope=SCOPE)
    other = ID[:-1] + "0"
    script = await used(
        [fetch_tool(MemoryEvidenceStore([STORED]), run=run)],
        fetch(ID, "ev1:c:oops", other, ID, max_chars=20),
        fetch(ID, offset=20),
    )
    first, second = returns(script.requests[-1], "fetch_evidence")
    assert [(one["asked"], one["status"]) for one in first] == [
        (ID, "truncated"),
        ("ev1:c:oops", "malformed"),
        (other, "unavailable"),
    ]
    assert (first[0]["content"], first[0]["length"], first[0]["next_offset"]) == (TEXT[:20], len(TEXT), 20)
    assert second == [
        {
            "asked": ID,
            "status": "ok",
            "evidence_id": ID,
            "title": "Acme notes",
            "locator": "",
            "content": TEXT[20:],
        }
    ]
    hit = run.store.get(ID)
    assert hit is not None
    assert hit.known.text == TEXT
    assert run.resolve(f"So it is. [{ID}]").citations[0].trace == "valid"


@pytest.mark.parametrize("wire_format", ["ref", "short_id", "sup_numeric", "evidence_id", "inline_url"])
@pytest.mark.parametrize("kind", ["passage", "span"])
async def test_what_was_fetched_is_cited_in_any_format(wire_format: str, kind: str) -> None:
    """A fetched passage or span has a key of the run's format, and its evidence id is another name of it."""
    run = CitationRun(wire_format, scope=SCOPE)
    name = ID if kind == "passage" else f"ev1:s:{DOCUMENT}:{VERSION}:0-{len(TEXT)}"
    script = await used([fetch_tool(MemoryEvidenceStore([STORED]), run=run)], fetch(name))
    (got,) = returns(script.requests[-1], "fetch_evidence")[0]
    field = run.format.key_field or ""
    assert {key for key in got if key in ("ref", "short_id", "number", "evidence_id", "source_url")} == {
        field
    }
    answer = run.resolve(f"So it is. {run.format.write(got[field])} And again. [{name}]")
    assert [one.trace for one in answer.citations] == ["valid", "valid"]
    assert len(answer.evidences) == 1
    again = await used([fetch_tool(MemoryEvidenceStore([STORED]), run=run)], fetch(str(got[field])))
    assert returns(again.requests[-1], "fetch_evidence")[0][0]["status"] == "ok"


async def test_keys_of_the_run_are_ids_too() -> None:
    """What the model was shown names a passage in both tools; a slip is told, and an invented key is none."""
    run = CitationRun("ref")
    payload = run.present({"id": "meals", "text": "A working lunch is paid up to 25 euro."})
    ref = payload["ref"]
    slip = ref[:-1] + ("0" if ref[-1] != "0" else "1")
    script = await used([check_tool(run=run)], check(ref, slip, "deadbeef", "ev1:c:oops"))
    told = returns(script.requests[-1], "check_citations")[0]
    assert [one["verdict"] for one in told] == ["valid", "malformed", "malformed", "malformed"]
    assert told[0]["evidence_id"] == ref
    assert (told[1]["reason"], told[1]["suggestion"]) == ("No passage was shown under this key.", ref)
    assert "suggestion" not in told[2]
    assert "five parts" in told[3]["reason"]


@pytest.mark.parametrize("ids", [[], ["ev1:c:x"] * 51])
@pytest.mark.parametrize("tool", ["check_citations", "fetch_evidence"])
async def test_none_and_too_many(ids: list[str], tool: str) -> None:
    """A call without ids, and one with more than the limit, are handed back with a sentence."""
    run = CitationRun()
    tools = [check_tool(run=run), fetch_tool(MemoryEvidenceStore(), run=run)]
    script = await used(tools, ToolCallPart(tool, {"evidence_ids": ids}))
    assert f"Give from 1 to 50 ids in one call, not {len(ids)}." in str(script.requests[-1])


@pytest.mark.parametrize(
    "arguments",
    [
        {"evidence_ids": "ev1:c:x"},
        {"evidence_ids": None},
        {},
        {"evidence_ids": ["x"], "scope": []},
        {"evidence_ids": [1]},
    ],
)
async def test_what_is_no_list_of_ids(arguments: dict[str, Any]) -> None:
    """A string, nothing, a scope beside the ids: the call is not made, and the model is told."""
    script = await used([check_tool(run=CitationRun())], ToolCallPart("check_citations", arguments))
    (told,) = [part for part in script.requests[-1][-1].parts if isinstance(part, ToolReturnPart)]
    assert told.outcome == "retried"


async def test_a_store_that_fails() -> None:
    """Its words reach nobody; the outcome is failed, and may be tried again."""

    class Broken:
        """A store that cannot be read."""

        async def read(self, ids: Sequence[str], scope: Scope) -> list[EvidenceText | None]:
            """Fail."""
            msg = f"password=hunter2 {ids} {scope}"
            raise StoreError(msg)

    run = CitationRun("evidence_id", scope=SCOPE)
    script = await used([fetch_tool(Broken(), run=run)], fetch(ID))
    (told,) = returns(script.requests[-1], "fetch_evidence")[0]
    assert told["status"] == "failed"
    assert "hunter2" not in str(script.requests)


async def test_the_fetch_log_counts() -> None:
    """All code points that were returned are counted, and a fetch without room is refused."""
    log = FetchLog()
    run = CitationRun("evidence_id", scope=SCOPE)
    tool = fetch_tool(
        MemoryEvidenceStore([STORED]), run=run, log=log, limits=replace(DEFAULT, agent_fetch_code_points=60)
    )
    script = await used([tool], fetch(ID), fetch(ID), fetch(ID))
    assert log == FetchLog(code_points=60, refused=1)
    assert "What may be fetched for one answer is spent." in str(script.requests[-1])


async def test_the_search_presents(desk: Desk) -> None:
    """Each hit is a payload of the run; a question that cannot be asked is handed back."""
    run, log = CitationRun("ref"), SearchLog()
    tool = search_tool(desk.search, collections=[desk.collection], run=run, log=log)
    script = await used(
        [tool],
        ToolCallPart("search", {"question": "x" * 5_000}),
        ToolCallPart("search", {"question": "Which expenses need approval?"}),
    )
    found = returns(script.requests[-1], "search")
    assert [set(one) for one in found[-1]] == [{"ref", "title", "locator", "content"}]
    assert found[-1][0]["content"] == EXPENSES
    assert (log.searches, len(log.hits)) == (1, 1)


async def test_a_deleted_document_is_not_read_from_memory() -> None:
    """What a library showed once is read from the library or not at all; what came from elsewhere stays readable."""
    run = CitationRun("ref")
    ours = Hit("", CHUNK, DOCUMENT, TEXT, "upload://a", "default", version=VERSION, end=len(TEXT))
    run.present(replace(ours, ref=run.refs.issue(CHUNK)))
    other = run.present({"id": "note", "text": "Seen elsewhere."})
    tool = fetch_tool(RunEvidence(run, MemoryEvidenceStore()), run=run)
    script = await used([tool], fetch(ID, other["ref"]))
    assert [one["status"] for one in returns(script.requests[-1], "fetch_evidence")[0]] == [
        "unavailable",
        "ok",
    ]
