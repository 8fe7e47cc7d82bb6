"""`pincite eval --ask`: questions of a file are asked, answers are kept, and evaluated."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite

APPROVAL = {
    "id": "q1",
    "question": "Who must approve an expense of 250 EUR before it is made?",
    "expects": "Expenses over 100 EUR require prior approval from your line manager.",
}
OPERA = {"id": "n1", "question": "Who composed the opera Fidelio?", "expects": None}


def written(path: Path, *rows: object) -> Path:
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def kept(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.usefixtures("examples")
def test_questions_are_asked_and_their_answers_evaluated(pincite: Pincite, tmp_path: Path) -> None:
    """One question is answered from the right passage, the other rightly declined; both answers are kept as rows."""
    questions, answers = written(tmp_path / "questions.jsonl", APPROVAL, OPERA), tmp_path / "answers.jsonl"
    done = pincite("eval", str(questions), "--ask", str(answers), "--json")
    assert done.code == 0, done.err
    expected = done.data["answers"]["micro"]["expected"]
    assert (expected["answerable"], expected["retrieved"], expected["cited"]) == (1, 1, 1)
    assert (expected["unanswerable"], expected["declined"]) == (1, 1)
    first, second = kept(answers)
    assert (first["id"], first["status"], first["wire_format"]) == ("q1", "answered", "ref")
    assert any(f"[{passage['key']}]" in first["answer"] for passage in first["passages"])
    assert second["status"] == "insufficient_evidence"
    # What was kept can be evaluated by itself, with the same figures.
    again = pincite("eval", str(answers), "--json")
    assert again.data["answers"] == done.data["answers"]


@pytest.mark.usefixtures("examples")
def test_answers_that_are_there_are_not_asked_again(pincite: Pincite, tmp_path: Path) -> None:
    """A run that is taken up asks only what is left, also behind a line that was torn off."""
    answers = tmp_path / "answers.jsonl"
    assert pincite("eval", str(written(tmp_path / "one.jsonl", APPROVAL)), "--ask", str(answers)).code == 0
    before = answers.read_text(encoding="utf-8")
    with answers.open("a", encoding="utf-8") as file:
        file.write('{"question": "Who comp')
    both = written(tmp_path / "both.jsonl", APPROVAL, OPERA)
    done = pincite("eval", str(both), "--ask", str(answers))
    assert "1 answer of an earlier run." in done.err
    assert answers.read_text(encoding="utf-8").startswith(before)
    assert kept_questions(answers) == [APPROVAL["question"], OPERA["question"]]


def kept_questions(path: Path) -> list[str]:
    """Return the questions of the whole lines of a file."""
    found: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            found.append(json.loads(line)["question"])
        except ValueError:
            continue
    return found


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (['{"question": "?"}', "{"], "Line 2 holds no `question`"),
        (['{"answer": "A."}'], "Line 1 holds no `question`"),
        (['{"question": "?", "expects": 3}'], "Line 1: `expects` is words"),
    ],
)
def test_a_file_that_holds_something_else_is_refused(
    pincite: Pincite, tmp_path: Path, rows: list[str], sentence: str
) -> None:
    """The line is named before anything is asked, and nothing is written."""
    questions, answers = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    questions.write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = pincite("eval", str(questions), "--ask", str(answers))
    assert done.code == 2
    assert sentence in done.err
    assert not answers.exists()


@pytest.mark.usefixtures("examples")
def test_answers_never_overwrite_anything_else(pincite: Pincite, tmp_path: Path) -> None:
    """A file that holds no answers is left as it is; so is the file of questions itself."""
    questions = written(tmp_path / "questions.jsonl", OPERA)
    other = tmp_path / "notes.txt"
    other.write_text("My notes.\n", encoding="utf-8")
    done = pincite("eval", str(questions), "--ask", str(other))
    assert (done.code, other.read_text(encoding="utf-8")) == (2, "My notes.\n")
    assert "holds something else than answers" in done.err
    assert "cannot be written into the file" in pincite("eval", str(questions), "--ask", str(questions)).err
    assert pincite("eval", str(tmp_path / "none.jsonl"), "--ask", str(tmp_path / "a.jsonl")).code == 3


def test_an_empty_library_is_told(pincite: Pincite, tmp_path: Path) -> None:
    """There is nothing to ask, and it says how to add something."""
    questions = written(tmp_path / "questions.jsonl", OPERA)
    done = pincite("eval", str(questions), "--ask", str(tmp_path / "answers.jsonl"))
    assert done.code == 3
    assert "`pincite add PATH`" in done.err


@pytest.mark.usefixtures("examples")
def test_questions_that_failed_are_named(pincite: Pincite, tmp_path: Path) -> None:
    """Each has its id, or its line, and why; one that went well is not among them."""
    wrong = {"question": APPROVAL["question"], "expects": "Words that no passage has."}
    unasked = {"id": "n2", "question": APPROVAL["question"], "expects": None}
    questions = written(tmp_path / "questions.jsonl", APPROVAL, wrong, unasked)
    done = pincite("eval", str(questions), "--ask", str(tmp_path / "answers.jsonl"))
    assert done.code == 0, done.err
    _, _, failed = done.out.partition("Questions that failed")
    told = " ".join(failed.split())
    assert f"- line 2: {APPROVAL['question']} (the right passage was not found)" in told
    assert f"- n2: {APPROVAL['question']} (there is no answer, and something was cited)" in told
    assert "q1" not in failed
    good = pincite(
        "eval", str(written(tmp_path / "good.jsonl", APPROVAL)), "--ask", str(tmp_path / "b.jsonl")
    )
    assert "Questions that failed" not in good.out
