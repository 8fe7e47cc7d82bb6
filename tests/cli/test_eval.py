"""`pincite eval`: what a person reads, what a program reads, and how it ends."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite

OPENED = "The Arnsfeld depot opened on 14 March 2019."
EMPLOYS = "The Arnsfeld depot employs 1,250 people."
RAIN = "Rain is expected over the hills tomorrow."
ALPHA = {
    "system": "alpha",
    "answer": f"{OPENED[:-1]} [1]. {EMPLOYS[:-1]} [2][3]. Cats sleep soundly [7]. Dogs bark loudly.",
    "passages": [OPENED, EMPLOYS, RAIN],
}
BETA = {"system": "beta", "text": f"The notice says “{EMPLOYS[:-1]}” [1].", "passages": [EMPLOYS]}
CLAIMS: list[dict[str, object]] = [
    {"claim": OPENED, "evidence": [OPENED], "label": "Complete", "system": "alpha"},
    {"claim": OPENED, "evidence": RAIN, "label": "Missing", "system": "beta"},
    {"claim": EMPLOYS, "evidence": [RAIN], "label": "Partial", "system": "beta"},
    {"claim": EMPLOYS, "evidence": [], "label": "Missing", "system": "beta"},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A path for rows."""
    return tmp_path / "rows.jsonl"


def write(path: Path, *rows: object) -> str:
    """Write rows as JSON lines, a string as it is; return the file's name."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def cells(out: str) -> dict[str, list[str]]:
    """Return the cells of each line of a table, which stand two blanks apart, by the first."""
    rows = [[cell.strip() for cell in line.split("  ") if cell.strip()] for line in out.splitlines() if line]
    return {row[0]: row[1:] for row in rows}


def test_answers_as_a_table(pincite: Pincite, file: Path) -> None:
    """Each figure with what it was counted from: over both answers, and as their mean."""
    done = pincite("eval", write(file, ALPHA, BETA))
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == "2 answers: 5 claims, 4 citations. Support by lexical."
    table = cells(done.out)
    assert table["measure"] == ["pooled", "mean", "counted"]
    # Of alpha 2 of 4 claims and 2 of 3 citations, of beta 1 of 1.
    assert table["citation recall (ALCE)"] == ["0.600", "0.750", "3 of 5 claims"]
    assert table["citation precision (ALCE)"] == ["0.750", "0.833", "3 of 4 citations"]
    assert table["weighted recall (TREC)"] == ["0.600", "0.750", "full 1, partial 0.5"]
    assert table["effective citations (FACT)"] == ["1.5", "1.5", "supported, an answer"]
    assert table["markers unknown"] == ["0.200", "0.125", "1 of 5 markers"]
    assert "Quotations: verbatim 1." in done.out


def test_nothing_to_count_is_a_dash(pincite: Pincite, file: Path) -> None:
    """Not a zero: there is no citation whose precision could be told."""
    table = cells(pincite("eval", write(file, {"answer": "Dogs bark.", "passages": []})).out)
    assert table["citation recall (ALCE)"] == ["0.000", "0.000", "0 of 1 claims"]
    assert table["citation precision (ALCE)"] == ["-", "-", "0 of 0 citations"]
    assert table["markers resolved"] == ["-", "-", "0 of 0 markers"]


def test_by_system(pincite: Pincite, file: Path) -> None:
    """A line a system, of answers and of claims; a row without a name is told so."""
    nameless: dict[str, object] = {"answer": "Dogs bark.", "passages": []}
    done = pincite("eval", write(file, ALPHA, BETA, nameless), "--by", "system")
    table = cells(done.out)
    assert table["system"] == [
        "answers", "recall", "precision", "F1", "accuracy", "effective", "unknown",
    ]  # fmt: skip
    assert table["alpha"] == ["1", "0.500", "0.667", "0.571", "0.667", "2.0", "0.250"]
    assert table["(no name)"] == ["1", "0.000", "-", "-", "-", "0.0", "-"]
    assert "alpha" not in pincite("eval", str(file)).out


def test_claims_as_tables(pincite: Pincite, file: Path) -> None:
    """Labels against verdicts, then figures a label, then a system."""
    done = pincite("eval", write(file, *CLAIMS), "--by", "system")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "4 labelled claims. Support by lexical. 1 without evidence are left out."
    matrix, labels, systems = (cells(part) for part in done.out.split("\n\n")[1:4])
    assert matrix == {
        "label": ["supported", "partial", "unsupported", "contradicted", "all"],
        "Complete": ["1", "0", "0", "0", "1"],
        "Partial": ["0", "0", "1", "0", "1"],
        "Missing": ["0", "0", "1", "0", "1"],
    }
    assert labels["supported"] == ["1", "1.000", "1.000", "1.000"]
    assert labels["partial"] == ["1", "-", "0.000", "0.000"]
    assert labels["unsupported"] == ["1", "0.500", "1.000", "0.667"]
    assert systems["system"] == ["claims", "commonest", "accuracy", "macro-F1", "ranking"]
    # Accuracy 2/3 and macro-F1 (1 + 0 + 2/3) / 3 of all.
    assert systems["all"] == ["3", "0.333", "0.667", "0.556", "1.000"]
    assert systems["alpha"] == ["1", "1.000", "1.000", "1.000", "-"]


def test_as_json(pincite: Pincite, file: Path) -> None:
    """All of it, systems always; and nothing else on standard output or error."""
    done = pincite("eval", write(file, ALPHA, *CLAIMS), "--json")
    assert (done.code, done.err) == (0, "")
    assert set(done.data) == {"method", "resumed", "faults", "answers", "claims", "systems"}
    assert done.data["answers"]["answers"] == 1
    assert done.data["answers"]["micro"]["quality"] == {
        "claims": 4, "recalled": 2, "citations": 3, "precise": 2, "recall": 0.5, "precision": pytest.approx(2 / 3),
        "f1": pytest.approx(4 / 7),
    }  # fmt: skip
    assert done.data["answers"]["macro"]["accuracy"]["effective"] == 2
    assert done.data["claims"]["matrix"]["Complete"] == {"supported": 1}
    assert set(done.data["systems"]) == {"alpha", "beta"}


def test_lines_that_cannot_be_read(pincite: Pincite, file: Path) -> None:
    """Are named on standard error and counted as a fault; the others are evaluated."""
    done = pincite("eval", write(file, "{", ALPHA, {"answer": 3, "passages": []}))
    assert done.code == 1
    assert done.err.splitlines() == [
        "Line 1 was left out: The line is no JSON.",
        "Line 3 was left out: `answer` is a string.",
    ]
    assert done.out.startswith("1 answer: ")
    many = pincite("eval", write(file, *["{"] * 25))
    assert many.code == 1
    assert many.err.splitlines()[-1] == "So were 5 more lines."
    data = pincite("eval", str(file), "--json")
    assert (data.code, len(data.data["faults"]), data.err) == (1, 25, "")


def test_out_and_again(pincite: Pincite, file: Path, tmp_path: Path) -> None:
    """The second run does nothing anew, prints the same, and says so."""
    out = tmp_path / "results.jsonl"
    first = pincite("eval", write(file, ALPHA, *CLAIMS), "--out", str(out))
    assert len(out.read_text(encoding="utf-8").splitlines()) == 5
    again = pincite("eval", str(file), "--out", str(out))
    assert (again.code, again.out) == (0, first.out)
    assert again.err == "5 results of an earlier run.\n"
    assert len(out.read_text(encoding="utf-8").splitlines()) == 5


def test_limit(pincite: Pincite, file: Path) -> None:
    """The first rows alone."""
    assert pincite("eval", write(file, ALPHA, BETA), "-n", "1").out.startswith("1 answer: 4 claims")


def test_what_could_not_be_checked_is_said(pincite: Pincite, file: Path) -> None:
    """An empty passage was cited: its claim counts as not supported, and nobody is left to guess."""
    done = pincite("eval", write(file, {"answer": "Dogs bark loudly [1].", "passages": [""]}))
    assert done.err == "1 claim could not be checked and counted as not supported.\n"
    assert cells(done.out)["claims unchecked"] == ["1.000", "1.000", "1 of 1 claims"]


def test_nothing(pincite: Pincite, file: Path) -> None:
    """An empty file is no fault."""
    done = pincite("eval", write(file))
    assert (done.code, done.out, done.err) == (0, "", "There is no row there.\n")


def test_a_judge(pincite: Pincite, file: Path) -> None:
    """pydantic-ai's own model of tests quotes what is in no passage, so each claim is unchecked."""
    done = pincite("eval", write(file, ALPHA, CLAIMS[0]), "--method", "judge:test")
    assert done.code == 0
    assert "Support by judge:test." in done.out
    assert done.err == "3 claims could not be checked and counted as not supported.\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--method", "magic"], 2, "`--method` is lexical, nli:FOLDER or judge:MODEL, not 'magic'."),
        (["--method", "nli:"], 2, "`--method` is lexical, nli:FOLDER or judge:MODEL, not 'nli:'."),
        (["--method", "none"], 2, "`--method` is lexical, nli:FOLDER or judge:MODEL, not 'none'."),
        (["--method", "nli:/no/such"], 1, "The model file `config.json` cannot be read"),
        (["--limit", "0"], 2, "--limit"),
        (["--by", "magic"], 2, "--by"),
        (["--out", "/no/such/folder/out"], 2, "The results cannot be kept: no such file or directory."),
    ],
)
def test_wrong_use(pincite: Pincite, file: Path, arguments: list[str], code: int, message: str) -> None:
    """One sentence, and the exit code for its kind."""
    done = pincite("eval", write(file, ALPHA), *arguments)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_limits_of_the_environment_hold(
    pincite: Pincite, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for every command; a wrong one is the usual sentence."""
    monkeypatch.setenv("PINCITE_LIMIT_SUPPORT_CLAIM_CODE_POINTS", "10")
    done = pincite("eval", write(file, ALPHA))
    assert (done.code, done.err) == (0, "2 claims could not be checked and counted as not supported.\n")
    monkeypatch.setenv("PINCITE_LIMIT_SUPPORT_CLAIM_CODE_POINTS", "many")
    done = pincite("eval", str(file))
    assert (done.code, done.out) == (2, "")
    assert done.err == ("pincite: `PINCITE_LIMIT_SUPPORT_CLAIM_CODE_POINTS` must be a number, not 'many'.\n")


def test_indented_json_is_one_hint(pincite: Pincite, file: Path) -> None:
    """Not a fault a line."""
    file.write_text(json.dumps([ALPHA, BETA], indent=2), encoding="utf-8")
    done = pincite("eval", str(file))
    assert (done.code, done.out) == (1, "")
    assert done.err == (
        "Line 1 was left out: The file is JSON over several lines; one JSON object a line is wanted.\n"
    )


def test_markers_that_are_not_read_are_told(pincite: Pincite, file: Path) -> None:
    """Nobody is left to think that the answers cite nothing."""
    row = {"answer": "Dogs bark loudly [doc1].", "passages": [RAIN]}
    assert pincite("eval", write(file, row, ALPHA)).err == "1 answer has no marker that could be read.\n"
    assert pincite("eval", write(file, row, row)).err == "2 answers have no marker that could be read.\n"
    assert pincite("eval", str(file), "--json").data["answers"]["unread"] == 2


def test_help_lists_what_results_are_told_apart_by(pincite: Pincite) -> None:
    """Its one choice."""
    assert "apart by a field: system." in " ".join(pincite("eval", "--help").out.split())


@pytest.mark.parametrize(
    ("system", "width", "is_whole"),
    [
        ("alpha", 80, True),
        ("alpha", 74, True),
        ("alpha", 66, False),
        ("a name of a system that has to be wrapped", 80, True),
        ("a name of a system that has to be wrapped", 74, False),
    ],
)
def test_a_column_that_fits_is_there(
    pincite: Pincite, file: Path, monkeypatch: pytest.MonkeyPatch, system: str, width: int, is_whole: int
) -> None:
    """Found by a newcomer: on 80 columns `unknown` had gone, though 74 are enough."""
    screen = io.StringIO()
    console = Console(file=screen, width=width, force_terminal=True, color_system=None)

    def of(_: object) -> Console:
        return console

    monkeypatch.setattr("pincite.cli.output._console", of)
    pincite("eval", write(file, {**ALPHA, "system": system}), "--by", "system")
    head, row = screen.getvalue().split("\n\n")[-2].splitlines()[:2]
    names = ["system", "answers", "recall", "precision", "F1", "accuracy", "effective", "unknown"]
    assert head.split() == names[: len(names) - (not is_whole)]
    assert row.split()[-1] == ("0.250" if is_whole else "2.0")
    assert max(map(len, screen.getvalue().splitlines())) <= width


def test_no_such_file(pincite: Pincite, file: Path) -> None:
    """Not found, as data too."""
    assert pincite("eval", str(file)).code == 3
    data: Any = pincite("eval", str(file), "--json").data
    assert data == {
        "error": {"code": "not_found", "message": "There is no file 'rows.jsonl'.", "field": "path"}
    }


def test_a_missing_extra_is_one_sentence(
    pincite: Pincite, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the command that installs it."""
    monkeypatch.delitem(sys.modules, "pincite.agents", raising=False)
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    done = pincite("eval", write(file, ALPHA), "--method", "judge:test")
    assert (done.code, done.out) == (2, "")
    assert (
        done.err == "pincite: Answering questions needs the extra `agents`: pip install 'pincite[agents]'.\n"
    )
