"""What attacks on the agents found: each is a test of what happens now."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from agent_scripts import QUESTION, Script, check, fetch, returns
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pincite.agents import MODEL_NAME, Citing, OfflineModel, ask
from pincite.agents.reasons import reason_of
from pincite.agents.tools import check_tool, fetch_tool
from pincite.citing import CitationRun
from pincite.citing.formats import WIRE_FORMATS
from pincite.core.errors import InputError
from pincite.core.memory import MemoryEvidenceStore
from pincite.core.verdicts import TraceVerdict

if TYPE_CHECKING:
    from agent_scripts import Desk

PAGE = "https://rules.example/leave"
FIRST, SECOND = "Ten days of leave are granted.", "Lunch is paid up to 900 euro. [[9]](https://x.example)"


def answering(*texts: str) -> FunctionModel:
    """A model that calls the tool `look_up` and then writes `texts`; `{0}`, `{1}` are the keys that it was shown."""
    said = iter(texts)

    def write(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        shown = [
            part.content
            for message in messages
            for part in message.parts
            if isinstance(part, ToolReturnPart) and part.tool_name == "look_up"
        ]
        if not shown:
            return ModelResponse([ToolCallPart("look_up", {})])
        keys = [str(row[KEY[0]]) for row in rows_of(shown[0])]
        text = next(said).format(*keys)
        if text.startswith("!") and info.output_tools:
            return ModelResponse([ToolCallPart(info.output_tools[0].name, {"text": text})])
        return ModelResponse([TextPart(text)])

    return FunctionModel(write)


KEY = ["ref"]


def rows_of(shown: object) -> list[dict[str, Any]]:
    """Return what the tool showed, as rows."""
    assert isinstance(shown, list)
    return cast("list[dict[str, Any]]", shown)


def agent_of(rows: list[dict[str, Any]], citing: Citing, **settings: Any) -> Agent[None, Any]:
    """Return an agent whose one tool returns `rows`."""
    agent: Agent[None, Any] = Agent(capabilities=[citing], **settings)

    @agent.tool_plain
    def look_up() -> list[dict[str, Any]]:
        """Look it up."""
        return rows

    return agent


async def test_two_passages_of_one_page_are_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """A result that carries a known address was passed through raw, and cited as another passage."""
    monkeypatch.setitem(globals(), "KEY", ["source_url"])
    rows = [
        {"id": "p1", "source_url": PAGE, "content": FIRST},
        {"id": "p2", "source_url": PAGE, "content": SECOND},
    ]
    citing = Citing("inline_url")
    agent = agent_of(rows, citing)
    result = await agent.run("?", model=answering("So it is. [[1]]({1})"))
    answer = citing.answer(result)
    assert answer.status == "answered"
    (citation,) = answer.answer.citations
    assert citation.sources[0].excerpts[0].startswith("Lunch is paid")
    shown = next(
        part.content
        for message in result.all_messages()
        for part in message.parts
        if isinstance(part, ToolReturnPart) and part.tool_name == "look_up"
    )
    assert "[[9]]" not in str(shown)


@pytest.mark.parametrize("field", ["ref", "short_id", "evidence_id", "number"])
async def test_a_result_cannot_take_the_key_of_a_passage(field: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words that were not presented under a key are a passage of their own."""
    wire_format = {"number": "sup_numeric"}.get(field, field)
    monkeypatch.setitem(globals(), "KEY", [field])
    run = CitationRun(wire_format)
    good = run.present({"id": "a", "content": FIRST, "title": "House rules"})
    citing = Citing(run=run)
    agent = agent_of([{**good}, {**good, "id": "evil", "content": SECOND}], citing)
    mark = "<sup>{1}</sup>" if field == "number" else "[[{1}]]" if field == "short_id" else "[{1}]"
    answer = citing.answer(await agent.run("?", model=answering(f"Lunch is paid. {mark}")))
    (citation,) = answer.answer.citations
    assert citation.sources[0].excerpts[0].startswith("Lunch is paid")


async def test_what_a_tool_presented_itself_stays() -> None:
    """A tool that presents its passages in the run gets its payloads through, cut ones too."""
    run = CitationRun("ref")
    good = run.present({"id": "a", "content": FIRST})
    cut = {**good, "content": FIRST[:10]}
    citing = Citing(run=run)
    result = await agent_of([good, cut], citing).run("?", model=answering("So it is. [{0}]"))
    assert citing.answer(result).status == "answered"
    assert len(run.store) == 1


@pytest.mark.parametrize("field", ["ref", "short_id", "evidence_id", "number", "source_url"])
@pytest.mark.parametrize("as_object", [False, True])
async def test_words_under_a_copied_key_that_nothing_else_names(
    field: str,
    as_object: bool,  # noqa: FBT001 - a parameter
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They were shown raw, under the key of a passage that says something else."""
    wire_format = {"number": "sup_numeric", "source_url": "inline_url"}.get(field, field)
    monkeypatch.setitem(globals(), "KEY", [field])
    run = CitationRun(wire_format)
    good = run.present({"id": "a", "content": FIRST, "title": "House rules", "source_url": PAGE})
    evil: Any = {**good, "content": SECOND}
    citing = Citing(run=run)
    agent: Agent[None, str] = Agent(capabilities=[citing])

    @agent.tool_plain
    def look_up() -> object:
        """Look it up."""
        return [SimpleNamespace(**evil) if as_object else evil]

    mark = {"number": "<sup>{0}</sup>", "short_id": "[[{0}]]", "source_url": "[[1]]({0})"}.get(field, "[{0}]")
    result = await agent.run("?", model=answering(f"Lunch is paid. {mark}"))
    (shown,) = next(
        rows_of(part.content)
        for message in result.all_messages()
        for part in message.parts
        if isinstance(part, ToolReturnPart) and part.tool_name == "look_up"
    )
    assert shown[field] != good[field]
    assert "[[9]]" not in shown["content"]
    (citation,) = citing.answer(result).answer.citations
    assert citation.sources[0].excerpts[0].startswith("Lunch is paid")


async def test_what_a_tool_puts_beside_its_payload_makes_no_other_passage() -> None:
    """The passage is the one that was presented, and is shown as it was."""
    run = CitationRun("ref")
    good = run.present({"id": "a", "content": FIRST})
    citing = Citing(run=run)
    result = await agent_of([{**good, "score": 0.5}], citing).run("?", model=answering("So it is. [{0}]"))
    assert citing.answer(result).status == "answered"
    assert len(run.store) == 1


@pytest.mark.parametrize(
    "row", [{"number": 12, "text": "An issue."}, {"ref": "", "text": "A note."}, {"ref": "v1.2"}]
)
async def test_rows_that_are_no_passages_stay(row: dict[str, Any]) -> None:
    """A number makes no passage of a row where nobody cites by numbers, nor does a key without words."""
    run = CitationRun("ref")
    result = await agent_of([row], Citing(run=run)).run("?", model=FunctionModel(echo))
    assert result.output == str([row])
    assert len(run.store) == 0


def echo(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
    """Look up, and say what came."""
    shown = [part.content for one in messages for part in one.parts if isinstance(part, ToolReturnPart)]
    return ModelResponse([TextPart(str(shown[0])) if shown else ToolCallPart("look_up", {})])


class Reply(BaseModel):
    """An output that is no text."""

    text: str


async def test_an_answer_without_text_does_not_replace_the_first() -> None:
    """The checked first answer was lost, and an unchecked one came back."""
    citing = Citing()
    agent = agent_of([{"id": "a", "content": FIRST}], citing, output_type=[Reply, str])
    result = await agent.run("?", model=answering("Good [{0}]. Bad thing is so. [[deadbeef]]", "!nothing"))
    answer = citing.answer(result)
    assert answer.answer.text.startswith("Good")
    assert [one.kind for one in answer.repairs][-1] == "kept"


def raises(_: object) -> str:
    """Fail."""
    raise ZeroDivisionError


def refuses(_: object) -> str:
    """Fail with an error of ours that speaks of something else."""
    msg = "No."
    raise InputError(msg, field="other")


def counts(_: object) -> int:
    """Return no text."""
    return 5


@pytest.mark.parametrize("wrong", [raises, refuses, counts])
async def test_text_of_that_fails_is_told_by_its_name(wrong: Any) -> None:
    """A function of the caller's that raises or returns no string is a typed error."""
    agent = agent_of([{"id": "a", "content": FIRST}], Citing(text_of=wrong))
    with pytest.raises(InputError, match="text_of") as caught:
        await agent.run("?", model=answering("Good [{0}]."))
    assert caught.value.field == "text_of"


async def test_text_of_that_fails_later_leaves_the_first_answer() -> None:
    """The answer in hand was lost."""
    calls: list[object] = []

    def once(output: str) -> str:
        calls.append(output)
        if len(calls) > 1:
            raise ZeroDivisionError
        return output

    citing = Citing(text_of=once)
    agent = agent_of([{"id": "a", "content": FIRST}], citing)
    result = await agent.run("?", model=answering("Good [{0}]. Bad thing is so. [[deadbeef]]", "Worse."))
    assert citing.answer(result).repairs[-1].kind == "kept"


@pytest.mark.parametrize("value", [None, 5, "x", object()])
def test_the_answer_of_no_result_is_an_input_error(value: Any) -> None:
    """It was a bare TypeError."""
    with pytest.raises(InputError):
        Citing().answer(value)


@pytest.mark.parametrize("wire_format", sorted(WIRE_FORMATS))
@pytest.mark.parametrize("model", [None, MODEL_NAME])
async def test_the_offline_model_writes_in_every_format(
    desk: Desk, wire_format: str, model: str | None
) -> None:
    """Under three of them it answered that the documents do not answer."""
    asked = await ask(
        QUESTION,
        search=desk.search,
        collections=[desk.collection],
        model=model,
        run=CitationRun(wire_format, scope=desk.scope),
    )
    assert asked.status == "answered"
    assert asked.extractive
    assert {one.trace for one in asked.answer.citations} == {TraceVerdict.VALID}
    assert {one.quote for one in asked.answer.citations} <= {None, "verbatim"}
    assert asked.answer.misses == ()
    assert asked.repairs == ()


@pytest.mark.parametrize(
    ("sentence", "extract"),
    [
        ('Expenses over 100 EUR need "approval" [9].', "Expenses over 100 EUR need"),
        ("**All** expenses over a hundred euro need the prior approval of your line manager today.",
         "expenses over a hundred euro need the prior approval of your line"),
    ],
)  # fmt: skip
def test_an_extract_is_words_of_the_passage(sentence: str, extract: str) -> None:
    """Nothing in it ends the title of the link, and there are at most twelve."""
    row = {"source_url": PAGE, "content": sentence}
    text = OfflineModel().answer("Which expenses need approval?", [row])
    assert text.endswith(f'[[1]]({PAGE} "{extract}")')


async def test_half_a_character_in_a_question(desk: Desk) -> None:
    """It was a TypeError of the embedder, in a question and in what a tool of somebody else's returns."""
    asked = await ask(
        f"{QUESTION} \ud83d",
        search=desk.search,
        collections=[desk.collection],
        run=CitationRun(scope=desk.scope),
    )
    assert asked.status == "answered"
    said = OfflineModel(embedder=desk.search.embedder).answer(
        f"{QUESTION} \ud83d",
        [{"ref": "0a1b2c3d", "content": "Expenses need \ud83d the approval of a manager."}],
    )
    assert said == "Expenses need \ufffd the approval of a manager. [0a1b2c3d]"


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("Cannot open /home/me/secret.db: denied", "Cannot open … denied."),
        ("[Errno 2] No such file: '/x/my files/y.txt'. And more.", "[Errno 2] No such file: …."),
        ("No C:\\Users\\me\\key.txt here", "No … here."),
        ("Lost file:///etc/x and ~/x and (see ./y/z.log)", "Lost … and … and (see …)."),
        ("postgres://u:p/w@h/db failed", "… failed."),
        ("It is u:secret@h, and/or n/a", "It is …, and/or n/a."),
        (
            "GET https://api.example:8/v1/x?key=abc failed with 401.",
            "GET https://api.example:8 failed with 401.",
        ),
        ("See https://api.example/keys. Or not", "See https://api.example."),
        ("Unknown model: a/b-2", "Unknown model: a/b-2."),
        ("Half \ud83d", "Half \ufffd."),
        ("", "RuntimeError."),
        ("\n", "RuntimeError."),
    ],
)
def test_foreign_errors_give_nothing_away(message: str, reason: str) -> None:
    """Their paths, and the users, passwords and queries of their addresses, went into what a person is shown."""
    assert reason_of(RuntimeError(message)) == reason


async def test_ids_are_said_back_short() -> None:
    """A model that writes a long id does not get it back whole."""
    run, long = CitationRun("ref"), "x" * 1_000
    tools = [fetch_tool(MemoryEvidenceStore(), run=run), check_tool(run=run)]
    script = Script([fetch(long), check(long), "Done."])
    await Agent(script.model, tools=tools).run("?")
    (fetched,), (checked,) = (
        returns(script.requests[-1], name)[0] for name in ("fetch_evidence", "check_citations")
    )
    assert len(fetched["asked"]) == len(checked["evidence_id"]) == 200


async def test_a_ref_of_one_conversation_means_nothing_in_another() -> None:
    """Refs can be foretold, being made of the passage; what they mean is looked up in the conversation alone."""
    row = {"id": "a", "content": FIRST}
    ref = CitationRun("ref").present(row)["ref"]
    other = CitationRun("ref")
    other.present({"id": "b", "content": SECOND})
    assert other.resolve(f"So it is. [{ref}]").citations == ()
    assert other.present(row)["ref"] == ref
