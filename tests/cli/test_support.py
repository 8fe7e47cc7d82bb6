"""Support on the command line: what the sources do not say, and how a command ends then."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pincite.checking.support import SupportCheck, unchecked

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite

QUESTION = "From which amount do expenses need approval, and who gives it?"


@pytest.fixture
def ref(pincite: Pincite, examples: Path) -> str:
    """Ask, so that the conversation has the passage; return its ref."""
    assert examples
    return pincite("ask", QUESTION, "--new", "--json").data["citations"][0]["ref"]


def _check(pincite: Pincite, tmp_path: Path, text: str, *more: str) -> Any:
    file = tmp_path / "answer.txt"
    file.write_text(text, encoding="utf-8")
    return pincite("check", str(file), *more)


def test_another_number_is_a_contradiction_and_a_fault(pincite: Pincite, tmp_path: Path, ref: str) -> None:
    """The sentence, both numbers, and the exit code say so."""
    text = f"Expenses over 200 EUR require prior approval from your line manager [{ref}]."
    done = _check(pincite, tmp_path, text)
    assert done.code == 1
    lines = done.out.splitlines()
    at = lines.index("What the cited passages do not say, or not wholly")
    assert lines[at + 1].split() == [
        "contradicted", *"Expenses over 200 EUR require prior approval from your line manager. [1]".split(),
    ]  # fmt: skip
    assert lines[at + 2].strip() == "The claim has the number “over 200 EUR”, the passage “over 100 EUR”."
    assert "0 of 1 cited sentences supported, 0 without a citation" in lines[-1]
    data = _check(pincite, tmp_path, text, "--json").data
    assert data["citations"][0]["support_verdict"] == "contradicted"
    (claim,) = data["support"]["claims"]
    assert text[claim["start"] : claim["end"]] == text
    assert claim["together"]["reasons"][0]["kind"] == "number"


def test_what_a_source_says_is_no_fault(pincite: Pincite, tmp_path: Path, ref: str) -> None:
    """Nothing is listed but the sum."""
    text = f"Expenses over 100 EUR require prior approval from your line manager [{ref}]."
    done = _check(pincite, tmp_path, text, "--strict")
    assert done.code == 0
    assert "What the cited passages do not say" not in done.out
    assert "1 of 1 cited sentences supported" in done.out


def test_what_is_not_supported_is_a_fault_where_that_is_wanted(
    pincite: Pincite, tmp_path: Path, ref: str
) -> None:
    """A paraphrase looks the same to words alone, so it takes `--strict`."""
    text = f"Lunch is free on Fridays [{ref}]."
    done = _check(pincite, tmp_path, text)
    assert done.code == 0
    assert "unsupported" in done.out
    assert _check(pincite, tmp_path, text, "--strict").code == 1


def test_words_in_quotation_marks_are_looked_for(pincite: Pincite, tmp_path: Path, ref: str) -> None:
    """One word left out is named, and a fault; the very words are not."""
    quote = "Expenses over 100 EUR require approval from your line manager"
    done = _check(pincite, tmp_path, f"It says “{quote}” [{ref}].")
    assert done.code == 1
    assert f"  - “{quote}”: altered" in done.out.splitlines()
    assert "“prior” left out" in done.out
    # In the file a line ends between two of these words.
    exact = "Expenses over 100 EUR require prior approval from your line manager"
    done = _check(pincite, tmp_path, f"It says “{exact}” [{ref}].")
    assert done.code == 0
    assert f"  - “{exact}”: typographic" in done.out.splitlines()


def test_an_uncited_sentence_names_the_passage_that_says_it(
    pincite: Pincite, tmp_path: Path, ref: str
) -> None:
    """The reader sees where it could have come from."""
    text = (
        f"Approval is needed [{ref}]. Expenses over 1,000 EUR also require the approval of the finance lead."
    )
    lines = _check(pincite, tmp_path, text).out.splitlines()
    at = lines.index("Sentences without a citation")
    assert lines[at + 1].endswith(f"approval of the finance lead.  ({ref} says so)")


def test_none_leaves_support_out(pincite: Pincite, tmp_path: Path, ref: str) -> None:
    """Neither column nor lists, and null in JSON."""
    text = f"Lunch is free on Fridays [{ref}]."
    done = _check(pincite, tmp_path, text, "--method", "none")
    assert done.code == 0
    assert "support" not in done.out.splitlines()[0]
    data = _check(pincite, tmp_path, text, "--method", "none", "--json").data
    assert data["support"] is None
    assert data["citations"][0]["support_verdict"] is None


@pytest.mark.parametrize("method", ["guess", "nli:", "judge:", ""])
def test_no_such_method(pincite: Pincite, tmp_path: Path, ref: str, method: str) -> None:
    """One sentence names those that there are."""
    done = _check(pincite, tmp_path, f"It is [{ref}].", "--method", method)
    assert done.code == 2
    assert "lexical, nli:FOLDER, judge:MODEL or none" in done.err


def test_a_model_that_is_not_there(pincite: Pincite, tmp_path: Path, ref: str) -> None:
    """Its folder is read when a sentence is checked, and the error is one sentence."""
    done = _check(pincite, tmp_path, f"Approval is needed [{ref}].", "--method", f"nli:{tmp_path}/none")
    assert done.code != 0
    assert done.err.startswith("pincite: ")
    assert "Traceback" not in done.err


def test_a_saved_answer_is_checked_as_it_was_given(pincite: Pincite, examples: Path, tmp_path: Path) -> None:
    """The file that `ask --save` wrote holds its text and its conversation."""
    assert examples
    file = tmp_path / "answer.json"
    assert pincite("ask", QUESTION, "--new", "--conversation", "saved", "--save", str(file)).code == 0
    done = pincite("check", str(file), "--json")
    assert done.code == 0
    assert [one["verdict"] for one in done.data["citations"]] == ["valid", "valid"]
    assert done.data["conversation_id"] == "saved"
    assert done.data["text"] == json.loads(file.read_text(encoding="utf-8"))["text"]


def test_the_library_may_be_named(
    pincite: Pincite, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--library` goes before `PINCITE_HOME`, for every command."""
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "empty"))
    assert pincite("ls", "--json").data == []
    assert len(pincite("ls", "--json", "--library", str(examples)).data) > 3
    done = pincite("ask", QUESTION, "--new", "--json", "--library", str(examples))
    file = tmp_path / "answer.txt"
    file.write_text(done.data["text"], encoding="utf-8")
    assert pincite("check", str(file), "--library", str(examples)).code == 0
    assert pincite("check", str(file)).code == 1


def test_a_quoted_extract_has_its_verdict(pincite: Pincite, examples: Path, tmp_path: Path) -> None:
    """Under a format that carries extracts, each citation says what became of its own."""
    assert examples
    done = pincite(
        "ask", QUESTION, "--new", "--json", "--wire-format", "inline_url", "--conversation", "extracts"
    )
    link = done.data["text"][done.data["citations"][0]["start"] : done.data["citations"][0]["end"]]
    number, _, rest = link.partition("](")
    target = rest.split(")")[0].split(" ")[0]
    said = f'Approval is needed {number}]({target} "require prior approval from your line manager").'
    file = tmp_path / "answer.txt"
    file.write_text(said, encoding="utf-8")
    checked = pincite("check", str(file), "--json", "--conversation", "extracts").data
    assert [one["quote_verdict"] for one in checked["citations"]] == ["typographic"]


@pytest.mark.parametrize("text", ['{"text": "Approval is needed."}', '{"citations": [], "text": null}', "{}"])
def test_json_that_is_no_saved_answer_is_not_read_as_prose(
    pincite: Pincite, tmp_path: Path, text: str
) -> None:
    """Its field names would be checked as sentences."""
    done = _check(pincite, tmp_path, text)
    assert done.code == 2
    assert "`pincite ask --save`" in done.err


def test_an_answer_with_rendered_numbers_is_explained(pincite: Pincite, tmp_path: Path) -> None:
    """What was copied from a screen has numbers that nothing can be looked up by."""
    done = _check(pincite, tmp_path, "Approval is needed over 100 EUR. [1]")
    assert "keeps the answer as it was written" in done.err


def test_a_saved_answer_is_not_written_over_by_its_export(
    pincite: Pincite, examples: Path, tmp_path: Path
) -> None:
    """It would be lost."""
    assert examples
    file = tmp_path / "answer.json"
    pincite("ask", QUESTION, "--new", "--save", str(file))
    before = file.read_bytes()
    done = pincite("export", str(file), "--to", "text", "--output", str(file))
    assert done.code == 2
    assert file.read_bytes() == before


def test_where_nothing_could_be_checked_nothing_is_right(
    pincite: Pincite, tmp_path: Path, ref: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A method that fails on every sentence is a fault, whatever else holds."""

    class Failing:
        name = "failing"

        def check(self, claim: str, passages: object) -> SupportCheck:
            assert claim
            assert passages
            return unchecked(self.name, "It failed.")

    def failing(_name: str) -> Failing:
        return Failing()

    monkeypatch.setattr("pincite.cli.support.method_of", failing)
    assert _check(pincite, tmp_path, f"Approval is needed [{ref}].").code == 1


@pytest.mark.usefixtures("examples")
def test_a_later_question_says_nothing_of_an_older_answer(pincite: Pincite, tmp_path: Path) -> None:
    """What the search thought of a passage belongs to its question: a saved answer is told as it was saved."""
    file, talk = tmp_path / "answer.json", ("--conversation", "older")
    assert pincite("ask", QUESTION, "--new", "--no-image", *talk, "--save", str(file)).code == 0
    saved = [one["confidence"] for one in json.loads(file.read_text(encoding="utf-8"))["citations"]]
    assert saved
    assert set(saved) == {"supported"}
    assert pincite("search", "Who is the king of Norway", *talk).code == 0
    again = pincite("check", str(file), *talk, "--json").data
    assert [one["confidence"] for one in again["citations"]] == saved
    # Of a text that was not saved with it, nobody knows what was asked.
    plain = tmp_path / "answer.md"
    plain.write_text(again["text"], encoding="utf-8")
    told = pincite("check", str(plain), *talk, "--json").data
    assert {one["confidence"] for one in told["citations"]} == {None}
    table = pincite("check", str(file), *talk).out
    assert "support: sentence against passage. search: passage against question." in table
    assert "search: passage" not in pincite("check", str(plain), *talk).out
