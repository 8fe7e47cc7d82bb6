"""The measured faults of the public agent, row by row, with what is right in their place."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from agent_scripts import EXPENSES, Desk, Script, check, fetch, returns, search

from pincite.agents import AnswerStatus, RepairKind
from pincite.core.limits import DEFAULT
from pincite.core.verdicts import TraceVerdict
from pincite.showing import render_answer

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage

INVENTED = "ev1:c:00000000-0000-5000-8000-000000000000:0123456789abcdef:00000000-0000-5000-8000-000000000001"


async def test_good(desk: Desk) -> None:
    """A cited answer is answered: numbered, its source below, one valid check, nothing mended."""
    asked = await desk.ask(Script([search(), f"{EXPENSES} [{desk.expenses}]"]))
    assert asked.status is AnswerStatus.ANSWERED
    assert asked.rendered == f"{EXPENSES} [1]\n\n### Sources\n\n[1] Text 0"
    assert [one.verdict for one in asked.checks] == [TraceVerdict.VALID]
    assert [one.title for one in asked.sources] == ["Text 0"]
    assert (asked.repairs, asked.warnings, asked.reason) == ((), (), "")


@pytest.mark.parametrize("prose", ["Use arr[0] here.", "In [2024] it was so.", "See [E101] and [Figure E2]."])
async def test_brackets_that_are_prose(desk: Desk, prose: str) -> None:
    """`arr[0]` beside a good citation sets off no repair and costs no status."""
    script = Script([search(), f"{prose} {EXPENSES} [{desk.expenses}]"])
    asked = await desk.ask(script)
    assert asked.status is AnswerStatus.ANSWERED
    assert len(script.requests) == 2
    assert len(asked.checks) == 1


async def test_supported_without_a_citation(desk: Desk) -> None:
    """What cites nothing is not answered, however right it is."""
    asked = await desk.ask(Script([search(), EXPENSES]))
    assert asked.status is AnswerStatus.UNCITED
    assert asked.rendered == EXPENSES
    assert [one.text for one in asked.answer.checks] == [EXPENSES]


@pytest.mark.parametrize("written", ["{}", "({})", "[{}]", "\uff3b{}\uff3d", "**{}**", "source: {}"])
async def test_an_id_that_was_not_fetched(desk: Desk, written: str) -> None:
    """Bare, in parentheses or in brackets: it is found, it is not answered, and no reader sees it."""
    script = Script([search(), f"{EXPENSES} {written.format(desk.far)}"])
    asked = await desk.ask(script)
    assert asked.status is AnswerStatus.UNCITED
    assert [one.verdict for one in asked.checks] == [TraceVerdict.NOT_FETCHED]
    assert desk.far not in asked.rendered
    assert len(script.requests) == 3


async def test_a_valid_id_as_the_label_of_a_foreign_link(desk: Desk) -> None:
    """The number leads to its own source; the foreign address is dropped, and the citation says so."""
    asked = await desk.ask(Script([search(), f"{EXPENSES} [{desk.expenses}](https://evil.example/x)"]))
    assert asked.rendered == f"{EXPENSES} [1]\n\n### Sources\n\n[1] Text 0"
    assert [one.repaired for one in asked.answer.citations] == ["the link target was dropped"]


async def test_a_whole_fetch_and_then_a_cut_one(desk: Desk) -> None:
    """A smaller refetch loses nothing: the id is valid, numbered, and has its source."""
    script = Script([fetch(desk.far), fetch(desk.far, max_chars=10), f"Every second spring. [{desk.far}]"])
    asked = await desk.ask(script)
    assert asked.status is AnswerStatus.ANSWERED
    assert asked.rendered.startswith("Every second spring. [1]\n\n### Sources\n\n[1] Text 2")
    assert len(asked.sources) == 1


async def test_an_unrelated_cut_fetch(desk: Desk) -> None:
    """What was cut and is not cited does not spoil a fully cited answer."""
    script = Script([search(), fetch(desk.far, max_chars=10), f"{EXPENSES} [{desk.expenses}]"])
    asked = await desk.ask(script)
    (told,) = returns(script.requests[-1], "fetch_evidence")[0]
    assert (told["status"], told["next_offset"]) == ("truncated", 10)
    assert asked.status is AnswerStatus.ANSWERED


async def test_a_cut_fetch_that_is_cited(desk: Desk) -> None:
    """An id of which only a part was received is not citable."""
    answer = f"{EXPENSES} [{desk.expenses}] Every second spring. [{desk.far}]"
    asked = await desk.ask(Script([search(), fetch(desk.far, max_chars=10), answer]))
    assert asked.status is AnswerStatus.PARTIAL
    assert [one.verdict for one in asked.checks] == [TraceVerdict.VALID, TraceVerdict.NOT_FETCHED]


async def test_exactly_the_last_allowed_call(desk: Desk) -> None:
    """A budget that was used up and not overdrawn is nobody's fault."""
    script = Script([search(), fetch(desk.far), f"{EXPENSES} [{desk.expenses}]"])
    asked = await desk.ask(script, limits=replace(DEFAULT, agent_tool_calls=2))
    assert asked.status is AnswerStatus.ANSWERED
    assert asked.warnings == ()


async def test_a_repair_that_works(desk: Desk) -> None:
    """The second answer takes the place of the first, and it is said that it did."""
    script = Script([search(), f"{EXPENSES} [{INVENTED}]", f"{EXPENSES} [{desk.expenses}]"])
    asked = await desk.ask(script)
    assert asked.status is AnswerStatus.ANSWERED
    assert asked.rendered.startswith(f"{EXPENSES} [1]")
    (repair,) = asked.repairs
    assert (repair.kind, repair.before, repair.after) == (RepairKind.REWRITTEN, (0, 1), (1, 0))


async def test_a_repair_that_fetches(desk: Desk) -> None:
    """The repair has the tools: it may fetch what it cited too early."""
    answer = f"Every second spring. [{desk.far}]"
    script = Script([search(), answer, fetch(desk.far), answer])
    asked = await desk.ask(script)
    assert asked.status is AnswerStatus.ANSWERED
    assert [one.kind for one in asked.repairs] == [RepairKind.REWRITTEN]


async def test_a_repair_that_does_not_help(desk: Desk) -> None:
    """What is left is partial, is tried once, and shows no raw id."""
    answer = f"{EXPENSES} [{desk.expenses}] The moon is far. [{INVENTED}]"
    script = Script([search(), answer])
    asked = await desk.ask(script)
    assert asked.status is AnswerStatus.PARTIAL
    assert len(script.requests) == 3
    assert "ev1:" not in asked.rendered
    assert asked.rendered.startswith(f"{EXPENSES} [1] The moon is far.")


async def test_a_repair_that_hits_the_limit(desk: Desk) -> None:
    """The first answer stands when the requests run out while it is being repaired."""
    answer = f"{EXPENSES} [{desk.expenses}] The moon is far. [{INVENTED}]"
    script = Script([search(), answer, search("moon"), search("moon")])
    asked = await desk.ask(script, limits=replace(DEFAULT, agent_requests=4))
    assert asked.status is AnswerStatus.BUDGET_EXHAUSTED
    assert asked.rendered.startswith(f"{EXPENSES} [1] The moon is far.")
    assert [one.kind for one in asked.repairs] == [RepairKind.KEPT]


async def test_a_repair_that_fails(desk: Desk) -> None:
    """The first answer stands when the model breaks down while it repairs it."""
    answer = f"{EXPENSES} [{desk.expenses}] The moon is far. [{INVENTED}]"
    asked = await desk.ask(Script([search(), answer, RuntimeError("postgres://u:secret@h/db at /home/me")]))
    assert asked.status is AnswerStatus.PARTIAL
    (repair,) = asked.repairs
    assert repair.kind is RepairKind.KEPT
    assert repair.reason == "The run failed when the model was asked again (RuntimeError)."


async def test_a_repair_that_writes_nothing(desk: Desk) -> None:
    """The first answer stands when the second one is empty."""
    answer = f"{EXPENSES} [{desk.expenses}] The moon is far. [{INVENTED}]"
    asked = await desk.ask(Script([search(), answer, "  "]))
    assert asked.status is AnswerStatus.PARTIAL
    assert asked.rendered.startswith(f"{EXPENSES} [1]")
    assert [one.kind for one in asked.repairs] == [RepairKind.KEPT]


async def test_a_repair_that_removes_every_citation(desk: Desk) -> None:
    """It is seen in the status and in the repairs; where the first answer had a good citation, that one stands."""
    first = f"The moon is far. [{INVENTED}]"
    asked = await desk.ask(Script([search(), first, "The moon is far."]))
    assert asked.status is AnswerStatus.UNCITED
    (repair,) = asked.repairs
    assert (repair.kind, repair.after) == (RepairKind.REWRITTEN, (0, 0))
    assert repair.reason == "The model wrote it again, and left no citation."
    asked = await desk.ask(Script([search(), f"{EXPENSES} [{desk.expenses}] {first}", EXPENSES]))
    assert asked.status is AnswerStatus.PARTIAL
    (repair,) = asked.repairs
    assert repair.kind is RepairKind.KEPT
    assert repair.reason == "When it was asked again, the model removed every citation."
    assert asked.rendered.startswith(f"{EXPENSES} [1]")


@pytest.mark.parametrize("limits", [{"agent_tool_calls": 1}, {"agent_requests": 2}])
async def test_invalid_and_the_budget_spent(desk: Desk, limits: dict[str, int]) -> None:
    """There is no repair then, and the status says what was in the way."""
    answer = f"{EXPENSES} [{desk.expenses}] The moon is far. [{INVENTED}]"
    script = Script([search(), answer])
    asked = await desk.ask(script, limits=replace(DEFAULT, **limits))
    assert asked.status is AnswerStatus.BUDGET_EXHAUSTED
    assert len(script.requests) == 2
    assert asked.warnings == ("The answer was not repaired: the budget had no room for it.",)
    assert asked.repairs == ()


async def test_an_id_that_is_declared_and_not_written(desk: Desk) -> None:
    """What was fetched and checked, and stands nowhere in the answer, is no source of it."""
    script = Script([search(), fetch(desk.far), check(desk.far), f"{EXPENSES} [{desk.expenses}]"])
    asked = await desk.ask(script)
    assert asked.status is AnswerStatus.ANSWERED
    assert [one.title for one in asked.sources] == ["Text 0"]
    assert [one.cited_id for one in asked.checks] == [desk.expenses]


async def test_the_repair_keeps_the_passages_in_view(desk: Desk) -> None:
    """The model that is asked again sees the passages, its own answer, and what does not hold in it."""

    def cite_what_is_seen(messages: list[ModelMessage]) -> str:
        (found,) = returns(messages, "search")
        first = next(one for one in found if one["content"] == EXPENSES)
        return f"{EXPENSES} [{first['evidence_id']}]"

    script = Script([search(), f"{EXPENSES} [{INVENTED}]", cite_what_is_seen])
    asked = await desk.ask(script)
    assert asked.status is AnswerStatus.ANSWERED
    said = str(script.requests[-1])
    assert f"{EXPENSES} [{INVENTED}]" in said
    assert "These citations in your answer do not hold" in said


async def test_a_slip_needs_no_model(desk: Desk) -> None:
    """A key that is one character off is spelled right, which is recorded and costs no request."""
    slipped = desk.expenses[:-1] + ("0" if desk.expenses[-1] != "0" else "1")
    script = Script([search(), f"{EXPENSES} [{slipped}]"])
    asked = await desk.ask(script)
    assert asked.status is AnswerStatus.ANSWERED
    assert len(script.requests) == 2
    (repair,) = asked.repairs
    assert (repair.kind, repair.written, repair.became) == (
        RepairKind.RESPELLED,
        f"[{slipped}]",
        f"[{desk.expenses}]",
    )
    assert asked.written == f"{EXPENSES} [{slipped}]"
    assert asked.answer.text == f"{EXPENSES} [{desk.expenses}]"


async def test_an_invented_neighbour_needs_no_model(desk: Desk) -> None:
    """An invented id beside a valid one of the same sentence is left out."""
    script = Script([search(), f"{EXPENSES} [{desk.expenses}] [{INVENTED}]"])
    asked = await desk.ask(script)
    assert asked.status is AnswerStatus.ANSWERED
    assert len(script.requests) == 2
    assert [(one.kind, one.written, one.became) for one in asked.repairs] == [
        (RepairKind.DROPPED, f"[{INVENTED}]", None)
    ]
    assert asked.answer.text == f"{EXPENSES} [{desk.expenses}]"


async def test_a_refused_call_and_a_good_answer(desk: Desk) -> None:
    """The model is told that there are no calls left; a fully cited answer is one all the same, with a warning."""
    script = Script([search(), fetch(desk.far), f"{EXPENSES} [{desk.expenses}]"])
    asked = await desk.ask(script, limits=replace(DEFAULT, agent_tool_calls=1))
    assert asked.status is AnswerStatus.ANSWERED
    assert asked.warnings == ("The budget of 1 tool calls was spent; calls beyond it were refused: 1.",)
    assert "The budget of tool calls is spent." in str(script.requests[-1])


async def test_a_model_that_never_answers(desk: Desk) -> None:
    """The budget ends it: there is no answer, and the status and the reason say why."""
    asked = await desk.ask(Script([search()]))
    assert asked.status is AnswerStatus.BUDGET_EXHAUSTED
    assert (asked.rendered, asked.answer.text, asked.checks) == ("", "", ())
    assert asked.reason.startswith("The budget ended before there was an answer: ")
    assert asked.searches > 0
    assert asked.hits


async def test_the_text_is_the_models_own(desk: Desk) -> None:
    """The rendered text is a function of the answer, whose text is as it was written."""
    asked = await desk.ask(Script([search(), f"{EXPENSES} [{desk.expenses}]"]))
    assert asked.answer.text == asked.written == f"{EXPENSES} [{desk.expenses}]"
    assert asked.rendered.startswith(render_answer(asked.answer).text)
