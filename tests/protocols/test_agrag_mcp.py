"""Measured faults of a public MCP server of this kind, each as a test of what is right; and its page's JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from mcp_desk import Desk, MemoryShelf, complaint, data, desk_of, ids_in, text, verdicts

from pincite.core.errors import NotFoundError
from pincite.core.ids import document_id
from pincite.core.limits import DEFAULT
from pincite.core.memory import MemoryLedgerStore
from pincite.library import Library
from pincite.protocols.mcp import CitationTools, LibraryShelf, Sessions, mcp_server
from pincite.search import open_search

if TYPE_CHECKING:
    from pathlib import Path

# A call as the page of the check shows it, word for word.
PAGE = (
    '{"evidence_ids": ["ev1:c:f24b301d-f73a-5291-9d80-7ea3cbd5291c:c174f9d9eba7d79c:'
    'efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"]}'
)
EXPENSES = "/expenses.md"


def long_shelf(passages: int, code_points: int) -> MemoryShelf:
    """Return documents of that many code points each."""
    return MemoryShelf(
        {f"/{n}.md": f"{n} word ".ljust(code_points, "x") for n in range(passages)}, frozenset()
    )


async def schema_of(desk: Desk, tool: str) -> dict[str, Any]:
    """Return the properties of a tool's arguments."""
    async with desk.client() as client:
        tools = (await client.list_tools()).tools
    (found,) = [one for one in tools if one.name == tool]
    properties: dict[str, Any] = found.input_schema["properties"]
    return properties


async def test_the_pages_json_is_a_call(desk: Desk) -> None:
    """`check_citations` takes it exactly as it stands on the page."""
    async with desk.client() as client:
        result = await client.call_tool("check_citations", json.loads(PAGE))
    assert verdicts(result) == ["unavailable"]
    (check,) = data(result)["checks"]
    assert check["cited_id"] == json.loads(PAGE)["evidence_ids"][0]
    assert list(await schema_of(desk, "check_citations")) == ["evidence_ids"]


async def test_search_evidence_states_what_it_takes_and_refuses_the_rest(desk: Desk) -> None:
    """Row `search_evidence`: a number over the limit is refused in a sentence, where it was cut in silence."""
    taken = await schema_of(desk, "search_evidence")
    assert (taken["query"]["minLength"], taken["query"]["maxLength"]) == (1, DEFAULT.query_code_points)
    assert (taken["limit"]["minimum"], taken["limit"]["maximum"], taken["limit"]["default"]) == (1, 50, 8)
    async with desk.client() as client:
        said = complaint(await client.call_tool("search_evidence", {"query": "leave", "limit": 51}))
    assert said == "`limit` is a whole number from 1 to 50."


@pytest.mark.parametrize(
    "tool",
    ["entity_search", "explore_relationships", "navigate_document_tree", "search_themes", "record_decision"],
)
async def test_a_tool_that_is_not_offered_is_a_sentence(desk: Desk, tool: str) -> None:
    """Rows of the graph and of tasks: there is neither here, nothing writes, and a call of one names what there is."""
    async with desk.client() as client:
        assert "there are search_evidence, fetch_evidence" in complaint(await client.call_tool(tool, {}))
        listed = (await client.list_tools()).tools
    assert all(one.annotations is not None and one.annotations.read_only_hint for one in listed)


async def test_a_passage_longer_than_the_cap_can_be_read_to_its_end() -> None:
    """Row `fetch_evidence`: there was a cap and no offset, so a longer passage could never be cited."""
    shelf = long_shelf(1, 9_000)
    name = shelf.id("/0.md")
    desk = desk_of(shelf, limits=replace(DEFAULT, mcp_fetch_code_points=4_000))
    offset: int | None = 0
    pieces: list[str] = []
    async with desk.client() as client:
        too_many = {"evidence_ids": [name], "max_chars": 4_001}
        assert "from 1 to 4,000" in complaint(await client.call_tool("fetch_evidence", too_many))
        while offset is not None:
            call = {"evidence_ids": [name], "max_chars": 4_000, "offset": offset}
            (one,) = data(await client.call_tool("fetch_evidence", call))["outcomes"]
            pieces.append(one["text"])
            offset = one["next_offset"]
        assert "".join(pieces) == shelf.texts["/0.md"]
        assert verdicts(await client.call_tool("check_citations", {"evidence_ids": [name]})) == ["valid"]


async def test_many_ids_go_in_one_check(desk: Desk) -> None:
    """Row `check_citations`: an answer with more than 20 citations is checked in one call."""
    assert (await schema_of(desk, "check_citations"))["evidence_ids"]["maxItems"] == 200
    async with desk.client() as client:
        result = await client.call_tool("check_citations", {"evidence_ids": ["ev1:c:oops"] * 200})
        assert verdicts(result) == ["malformed"] * 200
        said = complaint(await client.call_tool("check_citations", {"evidence_ids": ["ev1:c:oops"] * 201}))
    assert said == "`evidence_ids` holds 201; at most 200 go in one call."


def test_a_document_key_with_a_comma_can_be_named(tmp_path: Path) -> None:
    """Row scope: keys were split at commas, so such a document could not be served."""
    with Library.open(tmp_path) as library:
        collection = library.collection("default")
        keep(library, "upload://minutes, part 2.md", "The minutes of the second part.")
        keep(library, "upload://minutes", "Other minutes.")
        shelf = LibraryShelf(
            library, lambda: open_search(library, tmp_path), [collection], ["upload://minutes, part 2.md"]
        )
        wanted = document_id(collection.collection_id, "upload://minutes, part 2.md")
        assert shelf.scope().document_ids == {wanted}
        with pytest.raises(NotFoundError, match="pincite ls"):
            LibraryShelf(
                library, lambda: open_search(library, tmp_path), [collection], ["upload://minutes, part 3.md"]
            )


def keep(library: Library, key: str, words: str) -> str:
    """Keep a document of one passage; return its passage's evidence id."""
    from pincite.core.document import Document
    from pincite.core.ids import chunk_id, version_of
    from pincite.core.passage import Passage

    collection = library.collection("default")
    document = document_id(collection.collection_id, key)
    version = version_of(words)
    passage = Passage(chunk_id(document, words), document, version, 0, len(words), words)
    library.keep(
        collection,
        Document(words, version, key, "text/plain", "plain/1"),
        [passage],
        data=words.encode(),
        source_key=key,
    )
    return passage.evidence_id


async def test_the_scope_is_the_servers(desk: Desk) -> None:
    """Row scope: no argument of any tool names documents."""
    async with desk.client() as client:
        for tool in (await client.list_tools()).tools:
            assert not {"scope", "documents", "collections", "fetched"} & set(tool.input_schema["properties"])


async def test_the_scope_follows_the_library(tmp_path: Path) -> None:
    """A document that is added is found and citable at once; one that is deleted is neither from then on."""
    with Library.open(tmp_path) as library:
        collection = library.collection("default")
        keep(library, "upload://a", "Expenses need approval.")
        shelf = LibraryShelf(library, lambda: open_search(library, tmp_path), [collection])
        server = mcp_server(CitationTools(shelf, MemoryLedgerStore()), Sessions("s" * 32))
        async with Desk(MemoryShelf(), MemoryLedgerStore(), server).client() as client:
            assert len(list(ids_in(await client.call_tool("search_evidence", {"query": "expenses"})))) == 1
            added = keep(library, "upload://b", "Expenses over 100 EUR need approval of the lead.")
            found = list(ids_in(await client.call_tool("search_evidence", {"query": "expenses"})))
            assert added in found
            check = {"evidence_ids": found}
            assert verdicts(await client.call_tool("check_citations", check)) == ["valid", "valid"]
            library.delete(document_id(collection.collection_id, "upload://b"))
            after = verdicts(await client.call_tool("check_citations", {"evidence_ids": [added]}))
            assert after == ["unavailable"]
            fetched = data(await client.call_tool("fetch_evidence", {"evidence_ids": [added]}))["outcomes"]
            assert (fetched[0]["status"], fetched[0]["text"]) == ("unavailable", "")


async def test_the_fetched_set_outlives_the_server() -> None:
    """Row fetched set: a second start of the client's server made everything `not_fetched`."""
    kept = MemoryLedgerStore()
    shelf = MemoryShelf()
    name = {"evidence_ids": [shelf.id(EXPENSES)]}
    async with desk_of(shelf, ledgers=kept).client() as client:
        await client.call_tool("fetch_evidence", name)
    async with desk_of(shelf, ledgers=kept).client() as client:
        assert verdicts(await client.call_tool("check_citations", name)) == ["valid"]


async def test_the_fetched_set_is_bounded() -> None:
    """Row fetched set: it grew without end. The oldest ids go first, and are simply not fetched any more."""
    limits = replace(DEFAULT, ledger_entries=10)
    shelf = long_shelf(30, 20)
    desk = desk_of(shelf, ledgers=MemoryLedgerStore(limits=limits), limits=limits)
    ids = [shelf.id(f"/{n}.md") for n in range(30)]
    async with desk.client() as client:
        for name in ids:
            await client.call_tool("fetch_evidence", {"evidence_ids": [name]})
        found = verdicts(await client.call_tool("check_citations", {"evidence_ids": ids}))
    assert found[0] == "not_fetched"
    assert found[-1] == "valid"
    assert found.count("valid") <= 10


async def test_the_server_parses_and_renders(desk: Desk) -> None:
    """Row render: the client's model had to find ids, number them and build the list itself, and nothing checked it."""
    good = desk.shelf.id(EXPENSES)
    answer = f"Approval is needed [{good}], [ev1:c:oops] by the manager."
    async with desk.client() as client:
        await client.call_tool("fetch_evidence", {"evidence_ids": [good]})
        parsed = data(await client.call_tool("parse_citations", {"answer": answer}))
        rendered = data(await client.call_tool("render_citations", {"answer": answer}))
    assert [one["evidence_id"] for one in parsed["occurrences"]] == [good, "ev1:c:oops"]
    assert "[1]" in rendered["text"]
    assert "ev1:" not in rendered["text"]
    assert [one["verdict"] for one in rendered["checks"]] == ["valid", "malformed"]


async def test_twenty_passages_of_four_thousand_all_come() -> None:
    """Row budget: 6 of 20 came, and the rest was dropped from the tail with one flag for all."""
    shelf = long_shelf(20, 4_000)
    ids = [shelf.id(f"/{n}.md") for n in range(20)]
    async with desk_of(shelf).client() as client:
        reply = data(await client.call_tool("fetch_evidence", {"evidence_ids": ids, "max_chars": 4_000}))
    assert [one["evidence_id"] for one in reply["outcomes"]] == ids
    assert {one["status"] for one in reply["outcomes"]} == {"ok"}
    assert (reply["left_out"], reply["notes"]) == ([], [])


async def test_what_a_budget_leaves_out_is_named() -> None:
    """Row budget: each id that did not fit is named with how to ask again; none of it counts as received."""
    shelf = long_shelf(20, 4_000)
    ids = [shelf.id(f"/{n}.md") for n in range(20)]
    desk = desk_of(shelf, limits=replace(DEFAULT, mcp_reply_code_points=26_000))
    wanted, seen = ids, list[str]()
    async with desk.client() as client:
        while wanted:
            result = await client.call_tool("fetch_evidence", {"evidence_ids": wanted, "max_chars": 4_000})
            reply = data(result)
            came = [one["evidence_id"] for one in reply["outcomes"]]
            left = [one["evidence_id"] for one in reply["left_out"]]
            assert came + left == wanted
            assert len(came) == min(6, len(wanted))
            assert all(name in text(result) for name in left)
            assert ("call `fetch_evidence` for them" in text(result)) == bool(left)
            if left:
                check = await client.call_tool("check_citations", {"evidence_ids": left})
                assert set(verdicts(check)) == {"not_fetched"}
            seen += came
            wanted = left
        assert seen == ids
        assert set(verdicts(await client.call_tool("check_citations", {"evidence_ids": ids}))) == {"valid"}


async def test_short_passages_use_what_room_there_is() -> None:
    """Row budget: what counts is what is sent, not what might have been."""
    shelf = long_shelf(20, 100)
    ids = [shelf.id(f"/{n}.md") for n in range(20)]
    desk = desk_of(shelf, limits=replace(DEFAULT, mcp_reply_code_points=12_000))
    async with desk.client() as client:
        reply = data(await client.call_tool("fetch_evidence", {"evidence_ids": ids, "max_chars": 4_000}))
    assert len(reply["outcomes"]) == 20
    assert reply["left_out"] == []


async def test_a_check_is_never_cut(desk: Desk) -> None:
    """Row budget: 14 of 20 verdicts on junk ids came back. As long as an id may be, every verdict comes."""
    junk = [f"{n}".ljust(200, "j") for n in range(200)]
    async with desk.client() as client:
        result = await client.call_tool("check_citations", {"evidence_ids": junk})
    assert verdicts(result) == ["malformed"] * 200
    assert [one["cited_id"] for one in data(result)["checks"]] == junk


@pytest.mark.parametrize("tool", ["fetch_evidence", "check_citations"])
async def test_the_length_of_an_id_is_bounded(desk: Desk, tool: str) -> None:
    """Row lengths: 20 ids of 2,000 characters are refused whole, and the sentence says which is too long."""
    items = (await schema_of(desk, tool))["evidence_ids"]["items"]
    assert items["maxLength"] == 200
    async with desk.client() as client:
        said = complaint(await client.call_tool(tool, {"evidence_ids": ["ev1:c:oops", *["x" * 2_000] * 19]}))
    assert said == "Number 2 of `evidence_ids` has 2,000 characters; an evidence id has at most 200."


async def test_a_smaller_refetch_takes_nothing_away(desk: Desk) -> None:
    """Row refetch: what was received whole stays so, for the check and for rendering."""
    name = desk.shelf.id(EXPENSES)
    async with desk.client() as client:
        await client.call_tool("fetch_evidence", {"evidence_ids": [name]})
        await client.call_tool("fetch_evidence", {"evidence_ids": [name], "max_chars": 5})
        assert verdicts(await client.call_tool("check_citations", {"evidence_ids": [name]})) == ["valid"]
        rendered = data(await client.call_tool("render_citations", {"answer": f"Needed [{name}]."}))
    assert rendered["text"].startswith("Needed [1].")
    assert [one["number"] for one in rendered["sources"]] == [1]
