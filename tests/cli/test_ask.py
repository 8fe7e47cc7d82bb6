"""`pincite ask`, `check` and `show` over the examples: one conversation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from PIL import Image
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from pincite.agents import EXTRACTIVE_NOTICE, NO_ANSWER
from pincite.cli.workspace import Workspace
from pincite.core.verdicts import QuoteVerdict, SupportVerdict

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite

QUESTION = "From which amount do expenses need approval, and who gives it?"
FIRST = "Expenses over 100 EUR require prior approval from your line manager."
SECOND = "Expenses over 1,000 EUR also require the approval of the finance lead."

SOURCE: dict[str, Any] = {
    "title": {"type": "string"},
    "document_id": {"type": "string", "pattern": "^[0-9a-f-]{36}$"},
    "source_key": {"type": "string"},
    "source_uri": {"type": ["string", "null"], "pattern": "^https?://"},
}
ANSWER: dict[str, Any] = {
    "type": "object",
    "required": [
        "question", "answer", "text", "model", "extractive", "status", "reason", "citations", "sources", "misses",
        "uncited", "support", "repairs", "image", "conversation_id",
    ],
    "properties": {
        "extractive": {"type": "boolean"},
        "status": {
            "enum": [
                "answered", "partial", "uncited", "insufficient_evidence", "budget_exhausted", "failed",
            ]
        },
        "reason": {"type": "string"},
        "repairs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["kind", "reason", "written", "became", "before", "after"],
                "properties": {"kind": {"enum": ["respelled", "dropped", "rewritten", "kept"]}},
                "additionalProperties": True,
            },
        },
        "image": {"type": ["string", "null"]},
        "citations": {
            "type": "array",
            "items": {
                "type": "object",
                "required": [
                    "verdict", "ref", "evidence_id", "source", "locator", "confidence", "source_state", "start", "end",
                    "number", "anchor", "excerpt", "excerpt_start", "quote_verdict", "support_verdict", "highlight",
                ],
                "properties": {
                    "verdict": {"enum": ["valid", "not_fetched", "unavailable", "malformed"]},
                    "quote_verdict": {"enum": [*QuoteVerdict, None]},
                    "support_verdict": {"enum": list(SupportVerdict)},
                    "ref": {"type": "string", "minLength": 8},
                    "evidence_id": {"type": "string", "pattern": "^ev1:c:"},
                    "source": {"type": "object", "required": list(SOURCE), "properties": SOURCE},
                    "locator": {"type": "object"},
                    "confidence": {"enum": ["supported", "weak", None]},
                    "source_state": {"enum": ["current", "superseded", "removed"]},
                    "start": {"type": "integer"},
                    "end": {"type": "integer"},
                    "number": {"type": "integer", "minimum": 1},
                    "anchor": {"enum": ["marker", "content"]},
                    "excerpt": {"type": ["string", "null"]},
                    "excerpt_start": {"type": ["integer", "null"]},
                    "highlight": {
                        "type": ["object", "null"],
                        "required": ["start", "end", "boxes", "locator", "text"],
                        "properties": {
                            "start": {"type": "integer"},
                            "end": {"type": "integer"},
                            "boxes": {"type": "array"},
                            "locator": {"type": ["object", "null"]},
                            "text": {"type": "string"},
                        },
                        "additionalProperties": False,
                    },
                },
                "additionalProperties": False,
            },
        },
        "sources": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["number", "locator", "bibliography", "passages", *SOURCE],
                "properties": {
                    "number": {"type": "integer"},
                    "locator": {"type": "object"},
                    "bibliography": {"type": "object"},
                    "passages": {"type": "array", "items": {"required": ["ref", "evidence_id", "text"]}},
                    **SOURCE,
                },
                "additionalProperties": False,
            },
        },
        "misses": {"type": "array"},
        "uncited": {"type": "array"},
        "support": {"type": "object", "required": ["method", "claims", "unclaimed", "lengths"]},
    },
}  # fmt: skip


def _validator(schema: dict[str, Any]) -> Any:
    # jsonschema's own types are loose.
    return Draft202012Validator(schema)


@pytest.mark.usefixtures("examples")
def test_the_answer_is_cited_checked_and_shown(pincite: Pincite, examples: Path) -> None:
    """Both sentences, both valid and on page 4, with an image in the library."""
    done = pincite("ask", QUESTION, "--new", "--json")
    assert done.code == 0
    assert done.err == ""
    _validator(ANSWER).validate(done.data)
    assert done.data["answer"] == f"{FIRST} [1] {SECOND} [1]"
    assert done.data["extractive"] is True
    assert done.data["model"] == "pincite:extractive"
    assert [(one["verdict"], one["locator"]["page"]) for one in done.data["citations"]] == [("valid", 4)] * 2
    for one in done.data["citations"]:
        assert done.data["text"][one["start"] : one["end"]] == f"[{one['ref']}]"
    image = examples / "images" / f"{done.data['citations'][0]['ref']}.png"
    assert done.data["image"] == str(image)
    with Image.open(image) as opened:
        assert opened.format == "PNG"
        assert opened.width < opened.height


@pytest.mark.usefixtures("examples")
def test_it_speaks_to_people_in_a_pipe(pincite: Pincite) -> None:
    """Answer, sources, one verdict per citation, the label, the image; no colour and no frame."""
    done = pincite("ask", QUESTION, "--new")
    lines = done.out.splitlines()
    assert lines[0] == f"{FIRST} [1] {SECOND} [1]"
    assert "[1] Halvick Instruments: Staff Handbook  handbook.pdf" in lines
    assert "    page 4, 5.1 Approval" in lines
    assert lines.index("Sources") < lines.index("    page 4, 5.1 Approval")
    verdicts = [line.split() for line in lines if line.startswith("[1]  ")]
    assert [row[1:3] for row in verdicts] == [["valid", "supported"]] * 2
    assert "status: answered" in lines
    assert EXTRACTIVE_NOTICE in lines
    assert lines[-1].startswith("page image: ")
    assert "\x1b" not in done.out + done.err


@pytest.mark.usefixtures("examples")
def test_it_says_when_the_documents_do_not_answer(pincite: Pincite) -> None:
    """No citation, no image, no fault."""
    done = pincite("ask", "What is the capital of Peru?", "--new", "--json")
    assert done.code == 0
    assert done.data["answer"] == NO_ANSWER
    assert done.data["status"] == "insufficient_evidence"
    assert (done.data["citations"], done.data["uncited"], done.data["image"]) == ([], [], None)


@pytest.mark.parametrize(
    ("wire_format", "marker"),
    [
        ("ref", r"\[[0-9a-f]{8}\]"),
        ("short_id", r"\[\[[0-9a-f]{8}\]\]"),
        ("evidence_id", r"\[ev1:c:[0-9a-f:-]+\]"),
        ("inline_url", r"\[\[[12]\]\]\(/citations/[0-9a-f-]{36} \"Expenses over [^\"]+\"\)"),
        ("sup_numeric", r"<sup>1</sup>"),
        ("deferred", r"(?:manager|lead)\.(?= |$)"),
    ],
)
@pytest.mark.usefixtures("examples")
def test_wire_formats(pincite: Pincite, wire_format: str, marker: str) -> None:
    """The text holds markers of the format asked for, and each resolves."""
    done = pincite("ask", QUESTION, "--new", "--wire-format", wire_format, "--no-image", "--json")
    assert len(re.findall(marker, done.data["text"])) == 2
    assert [one["verdict"] for one in done.data["citations"]] == ["valid", "valid"]
    assert done.data["answer"] == f"{FIRST} [1] {SECOND} [1]"


@pytest.mark.usefixtures("examples")
def test_a_sentence_that_is_cited_without_a_marker_is_told(pincite: Pincite) -> None:
    """The table of verdicts left out the sentence that the citation stands for."""
    done = pincite("ask", QUESTION, "--new", "--wire-format", "deferred", "--no-image")
    assert done.out.count("Expenses over 100 EUR") == 2  # in the answer and in the table


@pytest.mark.parametrize("command", ["ask", "search"])
@pytest.mark.usefixtures("examples")
def test_half_a_character_in_a_question(pincite: Pincite, command: str) -> None:
    """Bytes that are no text come in as lone surrogates: it was an error of an embedder's internals."""
    done = pincite(command, QUESTION.replace("amount", "amount \udcff \ud83d"), "--json")
    assert done.code == 0
    assert "Expenses over 100 EUR" in done.out
    assert "\\ud" not in done.out.casefold()  # no escape of half a character, which JSON readers refuse


@pytest.mark.usefixtures("examples")
def test_image_and_no_image(pincite: Pincite, tmp_path: Path) -> None:
    """`--image` says where, `--no-image` that there is none; one that cannot be written is a sentence."""
    wanted = tmp_path / "deep" / "page.png"
    assert pincite("ask", QUESTION, "--image", str(wanted), "--json").data["image"] == str(wanted)
    assert wanted.read_bytes().startswith(b"\x89PNG")
    assert pincite("ask", QUESTION, "--no-image", "--json").data["image"] is None
    failed = pincite("ask", QUESTION, "--image", str(tmp_path))
    assert failed.code == 1
    assert failed.err.startswith("pincite: The image cannot be written")


@pytest.mark.usefixtures("examples")
def test_a_question_may_come_from_standard_input(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` reads it."""
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(QUESTION + "\n"))
    assert pincite("ask", "-", "--no-image", "--json").data["question"] == QUESTION


@pytest.mark.usefixtures("examples")
def test_show_finds_what_ask_cited(pincite: Pincite, tmp_path: Path) -> None:
    """By ref, by ref in brackets, by passage id and by evidence id: the same passage."""
    cited = pincite("ask", QUESTION, "--new", "--no-image", "--json").data["citations"][0]
    chunk = cited["evidence_id"].rpartition(":")[2]
    shown = [
        pincite("show", name, "--no-image", "--json").data
        for name in (cited["ref"], f"[{cited['ref']}]", chunk, chunk[:12], cited["evidence_id"])
    ]
    assert all(one == shown[0] for one in shown)
    assert shown[0]["page"] == 4
    assert shown[0]["section"] == "5.1 Approval"
    assert shown[0]["evidence_id"] == cited["evidence_id"]
    png = tmp_path / "crop.png"
    done = pincite("show", cited["ref"], "--png", str(png), "--mode", "crop")
    assert done.code == 0
    assert done.out.splitlines()[0] == "Halvick Instruments: Staff Handbook, page 4, 5.1 Approval"
    with Image.open(png) as opened:
        assert opened.width > opened.height


@pytest.mark.usefixtures("examples")
def test_show_a_span_and_what_has_no_page(pincite: Pincite, tmp_path: Path) -> None:
    """An evidence id of a span shows that text; a file without pages has no image to write."""
    pincite("search", "When does the service desk reopen after the move?", "--json")
    found = pincite("search", "notice calibration laboratory van", "--json").data["results"]
    note = next(one for one in found if one["source_uri"] == "upload://notice.txt")
    shown = pincite("show", note["ref"], "--json").data
    assert (shown["has_image"], shown["boxes"], shown["image"]) == (False, [], None)
    assert pincite("show", note["ref"], "--png", str(tmp_path / "x.png")).code == 1
    version = shown["evidence_id"].split(":")[3]
    span = f"ev1:s:{note['document_id']}:{version}:0-19"
    assert pincite("show", span, "--json").data["snippet"] == "NOTICE TO ALL STAFF"
    assert pincite("show", f"ev1:s:{note['document_id']}:{version}:0-99999999", "--json").code == 3


@pytest.mark.parametrize(
    ("name", "code"),
    [("zz", 3), ("zzzzzzzz", 3), ("ffffffff-0000-4000-8000-000000000000", 3), ("ev1:c:oops", 2)],
)
@pytest.mark.usefixtures("examples")
def test_show_what_is_not_there(pincite: Pincite, name: str, code: int) -> None:
    """Unknown is 3, an id that does not decode is 2; both are one sentence."""
    done = pincite("show", name)
    assert done.code == code
    assert done.out == ""
    assert done.err.startswith("pincite: ")
    assert done.err.count("\n") == 1


@pytest.mark.usefixtures("examples")
def test_check_an_answer(pincite: Pincite, tmp_path: Path) -> None:
    """A good answer is 0; one that cites what was never issued is 1, and says which sentence has nothing."""
    told = pincite("ask", QUESTION, "--new", "--no-image", "--json").data
    file = tmp_path / "answer.md"
    file.write_text(told["text"], encoding="utf-8")
    good = pincite("check", str(file), "--json")
    assert good.code == 0
    assert [one["verdict"] for one in good.data["citations"]] == ["valid", "valid"]
    file.write_text(f"{told['text']} Pigs can fly. [[deadbeef]] Nobody says so.", encoding="utf-8")
    bad = pincite("check", str(file), "--json")
    assert bad.code == 1
    assert [(one["written"], one["reason"]) for one in bad.data["misses"]] == [
        ("[[deadbeef]]", "never_issued")
    ]
    assert "Nobody says so." in [one["text"] for one in bad.data["uncited"]]
    said = pincite("check", str(file))
    assert "never_issued" in said.out
    assert "Nobody says so." in said.out


@pytest.mark.usefixtures("examples")
def test_check_evidence_ids(pincite: Pincite) -> None:
    """The ids of the conversation are valid, a stranger's is unavailable, a broken one malformed."""
    told = pincite("ask", QUESTION, "--new", "--no-image", "--json").data
    known = told["citations"][0]["evidence_id"]
    stranger = known.replace(
        told["citations"][0]["source"]["document_id"], "0" * 8 + "-0000-4000-8000-" + "0" * 12
    )
    done = pincite("check", known, stranger, "ev1:c:oops", "--json")
    assert done.code == 1
    assert [one["verdict"] for one in done.data["checks"]] == ["valid", "unavailable", "malformed"]
    assert pincite("check", known).code == 0
    assert (
        pincite("check", known, "--conversation", "another", "--json").data["checks"][0]["verdict"]
        == "unavailable"
    )


def test_check_what_cannot_be_read(pincite: Pincite, tmp_path: Path) -> None:
    """A missing file is 3, two files or a mixture are 2; no path is shown."""
    missing = pincite("check", str(tmp_path / "no.md"))
    assert missing.code == 3
    assert str(tmp_path) not in missing.err
    assert pincite("check", "a", "b").code == 2
    assert pincite("check", "ev1:c:x", "a").code == 2
    assert pincite("check", str(tmp_path)).code == 2


@pytest.mark.usefixtures("examples")
def test_refs_mean_the_same_in_the_next_command(pincite: Pincite) -> None:
    """A second question of the same conversation gives the same passage the same ref."""
    first = pincite("ask", QUESTION, "--conversation", "c1", "--no-image", "--json").data
    second = pincite(
        "ask", "Who approves expenses over 1,000 EUR?", "--conversation", "c1", "--no-image", "--json"
    ).data
    assert second["conversation_id"] == "c1"
    assert first["citations"][0]["ref"] == second["citations"][0]["ref"]


@pytest.mark.usefixtures("examples")
def test_a_model_that_cannot_be_used_is_a_sentence(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    """A missing key: one sentence, code 1; PINCITE_MODEL counts like `--model`."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = pincite("ask", QUESTION, "--model", "openai:gpt-5")
    assert done.code == 1
    assert "OPENAI_API_KEY" in done.err
    assert done.err.count("\n") == 1
    monkeypatch.setenv("PINCITE_MODEL", "nobody:x")
    assert pincite("ask", QUESTION, "--json").data["error"]["code"] == "model"


def test_an_edited_document_keeps_the_conversation(pincite: Pincite, tmp_path: Path) -> None:
    """After an edit the answer cites the new version, while the old answer still checks and opens as it was."""
    file = tmp_path / "rules.txt"
    file.write_text("Expenses over 100 EUR require approval.\n\nThe end of page one.\n", encoding="utf-8")
    pincite("add", str(file), "--json")
    before = pincite("ask", "Do expenses require approval?", "--json").data
    file.write_text("Expenses over 200 EUR require approval.\n\nThe end of page two.\n", encoding="utf-8")
    pincite("add", str(file), "--json")
    after = pincite("ask", "Do expenses require approval?", "--json").data
    told = [(one["verdict"], one["source_state"]) for one in after["citations"]]
    assert set(told) == {("valid", "current")}
    (tmp_path / "answer.txt").write_text(before["text"], encoding="utf-8")
    old = pincite("check", str(tmp_path / "answer.txt"), "--json")
    assert old.code == 0
    told = [(one["verdict"], one["source_state"]) for one in old.data["citations"]]
    assert set(told) == {("valid", "superseded")}
    assert "(superseded)" in pincite("check", str(tmp_path / "answer.txt")).out
    for name in ("ref", "evidence_id"):
        shown = pincite("show", before["citations"][0][name], "--json").data
        assert shown["source_state"] == "superseded"
        assert "over 100 EUR" in shown["snippet"]


def test_what_a_search_warns_of_is_said(pincite: Pincite, tmp_path: Path) -> None:
    """A bar that was set for another reranker does not hold in silence: standard error says so, and `warnings`."""
    file = tmp_path / "rules.txt"
    file.write_text("Expenses over 100 EUR require approval.", encoding="utf-8")
    pincite("add", str(file), "--json")
    with Workspace() as work:
        chosen = work.collection().collection_id
        work.library.set_collection(chosen, score_threshold=0.9, reranker="another-1")
    done = pincite("ask", "Do expenses require approval?")
    assert "was set for the reranker 'another-1'" in done.err
    assert done.out.startswith("Expenses over 100 EUR require approval. [1]")
    (warning,) = pincite("ask", "Do expenses require approval?", "--json").data["warnings"]
    assert "another-1" in warning


def _spoken(monkeypatch: pytest.MonkeyPatch, *said: str) -> None:
    """Let every named model search once, then say one thing after another, the last again and again."""

    def speak(messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        spoken = len(messages) // 2
        if spoken == 0:
            return ModelResponse([ToolCallPart("search", {"question": QUESTION})])
        if not said:
            raise ModelHTTPError(503, "some-model", "Overloaded. Try again later.")
        (found,) = [part for part in messages[2].parts if isinstance(part, ToolReturnPart)]
        text = said[min(spoken, len(said)) - 1]
        rows: Any = found.content
        return ModelResponse([TextPart(text.replace("REF", rows[0]["ref"]))])

    def model(_name: str) -> FunctionModel:
        return FunctionModel(speak)

    monkeypatch.setattr("pincite.agents.models.infer_model", model)


@pytest.mark.usefixtures("examples")
def test_a_partial_answer_is_a_fault(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Code 1, the status, what was kept of the repair; the invented citation is in no text."""
    _spoken(monkeypatch, "Over 100 EUR. [REF] Pigs fly. [[deadbeef]]")
    done = pincite("ask", QUESTION, "--new", "--no-image", "--model", "some:model", "--json")
    _validator(ANSWER).validate(done.data)
    assert done.code == 1
    assert done.data["status"] == "partial"
    assert done.data["answer"] == "Over 100 EUR. [1] Pigs fly."
    assert [one["reason"] for one in done.data["misses"]] == ["never_issued"]
    assert [(one["kind"], one["before"], one["after"]) for one in done.data["repairs"]] == [
        ("kept", {"valid": 1, "faulty": 1}, {"valid": 1, "faulty": 1})
    ]
    said = pincite("ask", QUESTION, "--new", "--no-image", "--model", "some:model")
    lines = said.out.splitlines()
    assert said.code == 1
    assert "status: partial" in lines
    assert "  - kept: What the model wrote when it was asked again is no better." in lines


@pytest.mark.usefixtures("examples")
def test_a_repaired_answer_is_answered(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second answer counts, and what happened is said."""
    _spoken(monkeypatch, "Over 100 EUR. [[deadbeef]]", "Over 100 EUR. [REF]")
    done = pincite("ask", QUESTION, "--new", "--no-image", "--model", "some:model", "--json")
    assert (done.code, done.data["status"]) == (0, "answered")
    assert done.data["answer"] == "Over 100 EUR. [1]"
    assert [one["kind"] for one in done.data["repairs"]] == ["rewritten"]


@pytest.mark.usefixtures("examples")
def test_an_uncited_answer_is_a_fault(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    """Right or wrong, nothing leads to where it stands."""
    _spoken(monkeypatch, "Over 100 EUR.")
    done = pincite("ask", QUESTION, "--new", "--no-image", "--model", "some:model", "--json")
    assert (done.code, done.data["status"]) == (1, "uncited")
    assert [one["text"] for one in done.data["uncited"]] == ["Over 100 EUR."]


@pytest.mark.usefixtures("examples")
def test_a_model_that_breaks_down(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer: the status and the reason, in one sentence, and code 1."""
    _spoken(monkeypatch)
    done = pincite("ask", QUESTION, "--new", "--model", "some:model", "--json")
    assert (done.code, done.data["status"], done.data["answer"]) == (1, "failed", "")
    assert done.data["reason"].startswith("The model did not answer: ")
    said = pincite("ask", QUESTION, "--new", "--model", "some:model")
    assert said.code == 1
    assert "status: failed" in said.out.splitlines()
    assert "The model did not answer: " in said.err
