"""`pincite add`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite

RESULTS = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["file", "status", "reason", "pages", "passages"],
        "properties": {
            "file": {"type": "string"},
            "status": {"enum": ["ready", "flagged", "unchanged", "failed"]},
            "reason": {"type": ["string", "null"]},
            "pages": {"type": "integer", "minimum": 0},
            "passages": {"type": "integer", "minimum": 0},
            "flags": {"type": "array"},
            "note": {"type": "string"},
        },
        "additionalProperties": False,
    },
}


def _validator(schema: dict[str, Any]) -> Any:
    # jsonschema's own types are loose.
    return Draft202012Validator(schema)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two good files, one that is none of its kind, one empty, one of no known kind."""
    made = tmp_path / "files"
    made.mkdir()
    (made / "a.txt").write_text("Expenses over 100 EUR require approval.\n", encoding="utf-8")
    (made / "b.md").write_text("# Leave\n\nThere are 27 days of leave.\n", encoding="utf-8")
    (made / "broken.pdf").write_bytes(b"%PDF-1.7 nothing follows")
    (made / "empty.txt").write_bytes(b"")
    (made / "data.bin").write_bytes(bytes(range(256)))
    return made


def test_it_goes_on_past_bad_files(pincite: Pincite, folder: Path) -> None:
    """Every file has its line, the bad ones a reason, and the code says that there were some."""
    done = pincite("add", str(folder))
    assert done.code == 1
    lines = {line.split()[1]: line for line in done.out.splitlines()}
    assert lines["a.txt"].startswith("ready ")
    assert lines["b.md"].startswith("ready ")
    assert lines["broken.pdf"].startswith("failed ")
    assert "damaged: " in lines["broken.pdf"]
    assert "empty: " in lines["empty.txt"]
    assert "unsupported: " in lines["data.bin"]
    assert str(folder) not in done.out + done.err


def test_json_is_one_result_a_file(pincite: Pincite, folder: Path) -> None:
    """`--json` is a list of the promised shape; nothing else is printed."""
    done = pincite("add", str(folder), "--json")
    _validator(RESULTS).validate(done.data)
    assert {one["file"]: (one["status"], one["reason"]) for one in done.data} == {
        "a.txt": ("ready", None),
        "b.md": ("ready", None),
        "broken.pdf": ("failed", "damaged"),
        "empty.txt": ("failed", "empty"),
        "data.bin": ("failed", "unsupported"),
    }
    assert done.err == ""


def test_jsonl_is_a_line_a_file(pincite: Pincite, folder: Path) -> None:
    """`--jsonl` prints the same results one a line."""
    done = pincite("add", str(folder), "--jsonl")
    rows = [json.loads(line) for line in done.out.splitlines()]
    _validator(RESULTS).validate(rows)
    assert len(rows) == 5


def test_again_is_unchanged_and_an_edit_is_not(pincite: Pincite, folder: Path) -> None:
    """A second run changes nothing; an edited file is read anew."""
    pincite("add", str(folder / "a.txt"), "--json")
    assert pincite("add", str(folder / "a.txt"), "--json").data[0]["status"] == "unchanged"
    (folder / "a.txt").write_text("Expenses over 200 EUR require approval.\n", encoding="utf-8")
    assert pincite("add", str(folder / "a.txt"), "--json").data[0]["status"] == "ready"


def test_title_and_address(pincite: Pincite, folder: Path) -> None:
    """One file may be given a title and its real home; the home is its source from then on."""
    done = pincite(
        "add", str(folder / "a.txt"), "--title", "Rules", "--source-uri", "https://x.example/rules", "--json"
    )
    assert done.code == 0
    (listed,) = pincite("ls", "--json").data
    assert listed["title"] == "Rules"
    assert listed["source_uri"] == "https://x.example/rules"


@pytest.mark.parametrize("option", [("--title", "T"), ("--source-uri", "https://x.example/")])
def test_title_and_address_are_of_one_file(pincite: Pincite, folder: Path, option: tuple[str, str]) -> None:
    """For several files they are a mistake, and nothing is added."""
    done = pincite("add", str(folder / "a.txt"), str(folder / "b.md"), *option)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert pincite("ls", "--json").data == []


def test_what_is_not_there_is_a_failed_file(pincite: Pincite, tmp_path: Path) -> None:
    """A path that does not exist fails without showing more than its name."""
    done = pincite("add", str(tmp_path / "nope.pdf"))
    assert done.code == 1
    assert done.out.startswith("failed ")
    assert str(tmp_path) not in done.out + done.err


def test_an_empty_folder_is_no_fault(pincite: Pincite, tmp_path: Path) -> None:
    """There is nothing to do, and that is said."""
    (tmp_path / "none").mkdir()
    done = pincite("add", str(tmp_path / "none"))
    assert (done.code, done.out, done.err) == (0, "", "There is no file there.\n")
    assert pincite("add", str(tmp_path / "none"), "--json").data == []


def test_collections_are_apart(pincite: Pincite, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--collection` and PINCITE_COLLECTION name where a file goes."""
    pincite("add", str(folder / "a.txt"), "--collection", "one", "--json")
    assert pincite("ls", "--json").data == []
    monkeypatch.setenv("PINCITE_COLLECTION", "one")
    assert [one["collection"] for one in pincite("ls", "--json").data] == ["one"]


def test_a_collection_is_made_hierarchical(pincite: Pincite, tmp_path: Path) -> None:
    """`--chunking` decides what a row carries from the next search on, and can be set back."""
    file = tmp_path / "rules.md"
    limits = "\n\n".join(f"Rule {number}. Costs of kind {number} are paid." * 12 for number in range(4))
    file.write_text(f"# Rules\n\nFirst words.\n\n## Limits\n\n{limits}\n", encoding="utf-8")
    assert pincite("add", str(file), "--chunking", "hierarchical", "--json").code == 0
    row = pincite("search", "costs of kind 3", "-n", "1", "--json").data["results"][0]
    assert row["content"].startswith("Limits\n\nRule 0.")
    assert row["content"].endswith("Costs of kind 3 are paid.")
    assert "Search rows are whole sections." in pincite("ls").err
    assert pincite("add", str(file), "--chunking", "flat", "--json").data[0]["status"] == "unchanged"
    flat = pincite("search", "costs of kind 3", "-n", "1", "--json").data["results"][0]
    assert flat["chunk_id"] == row["chunk_id"]
    assert len(flat["content"]) < len(row["content"])


def test_a_collection_has_its_bar(pincite: Pincite, tmp_path: Path) -> None:
    """`--score-threshold` sets where `supported` begins; `default` follows the reranker again."""
    file = tmp_path / "rules.txt"
    file.write_text("Expenses over 100 EUR require approval.", encoding="utf-8")
    seen: list[str] = []
    for bar in ("0.99", "0", "0.99", "default"):
        assert pincite("add", str(file), "--score-threshold", bar, "--json").code == 0
        rows = pincite("search", "Which expenses require approval?", "--json").data["results"]
        seen.append(rows[0]["confidence"])
        assert ("supported from a score of" in pincite("ls").err) == (bar != "default")
    assert seen == ["weak", "supported", "weak", "supported"]


@pytest.mark.parametrize("bar", ["1.01", "-1", "nan", "high", ""])
def test_a_bar_is_a_score(pincite: Pincite, tmp_path: Path, bar: str) -> None:
    """What the reranker can never score is wrong use, before a file is read."""
    file = tmp_path / "rules.txt"
    file.write_text("Expenses over 100 EUR require approval.", encoding="utf-8")
    done = pincite("add", str(file), f"--score-threshold={bar}", "--json")
    assert done.code == 2
    assert done.data["error"]["field"] == "score_threshold"
    assert pincite("ls", "--json").data == []


def test_ctrl_c_stops_cleanly_and_the_next_run_goes_on(tmp_path: Path) -> None:
    """After SIGINT the code is 130, what was printed is kept, and the same command finishes the rest."""
    files = tmp_path / "many"
    files.mkdir()
    for number in range(40):
        text = "\n\n".join(f"Rule {number} {part}: costs of {part} EUR need approval." for part in range(10))
        (files / f"{number:03}.txt").write_text(text, encoding="utf-8")
    environment = {**os.environ, "PINCITE_HOME": str(tmp_path / "home"), "PINCITE_LIMIT_WORKERS": "1"}
    command = [sys.executable, "-c", "from pincite.cli import run; run()", "add", str(files), "--jsonl"]
    child = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    first = json.loads(child.stdout.readline())
    assert first == {
        "file": "000.txt",
        "status": "ready",
        "reason": None,
        "pages": 0,
        "passages": first["passages"],
    }
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 130, err
    assert "Traceback" not in err
    printed = [first, *(json.loads(line) for line in out.splitlines())]
    assert len(printed) < 40
    again = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=200)
    assert again.returncode == 0, again.stderr
    statuses = [json.loads(line)["status"] for line in again.stdout.splitlines()]
    assert len(statuses) == 40
    assert statuses[: len(printed)] == ["unchanged"] * len(printed)
    assert "ready" in statuses


def test_what_a_bibliography_says_is_set(pincite: Pincite, folder: Path) -> None:
    """Each field has its option; what is set again changes, and the rest stays."""
    options = [
        *(
            "--author",
            "Meier, Anna",
            "--author",
            "European Commission",
            "--issued",
            "2026-03",
            "--type",
            "report",
        ),
        *(
            "--publisher",
            "Acme & Sons",
            "--container-title",
            "Reports",
            "--doi",
            "https://doi.org/10.1000/182",
        ),
        *("--language", "en"),
    ]
    assert pincite("add", str(folder / "b.md"), *options).code == 0
    known = {
        "type": "report",
        "author": [{"family": "Meier", "given": "Anna"}, {"literal": "European Commission"}],
        "issued": {"date-parts": [[2026, 3]]},
        "publisher": "Acme & Sons",
        "container-title": "Reports",
        "DOI": "10.1000/182",
        "language": "en",
    }
    assert pincite("ls", "--json").data[0]["bibliography"] == known
    assert pincite("add", str(folder / "b.md"), "--issued", "2026-04-01").code == 0
    assert pincite("ls", "--json").data[0]["bibliography"] == {
        **known,
        "issued": {"date-parts": [[2026, 4, 1]]},
    }


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--doi", "Smith et al. 2004", "`doi` is a DOI such as 10.1000/182."),
        (
            "--issued",
            "last year",
            "`issued` is a year, a month or a day, such as 2026, 2026-03 or 2026-03-18.",
        ),
        ("--language", "English", "`language` is a language tag such as en or de-CH."),
        (
            "--type",
            "novel",
            "`type` is a kind of work as CSL names it, such as book, report or article-journal.",
        ),
        (
            "--author",
            " ",
            "An author has a family name, with or without a given name, or one name as a whole.",
        ),
    ],
)
def test_what_has_not_its_form_is_refused(
    pincite: Pincite, folder: Path, option: str, value: str, said: str
) -> None:
    """Before anything is read."""
    done = pincite("add", str(folder / "a.txt"), option, value)
    assert (done.code, done.out, done.err) == (2, "", f"pincite: {said}\n")


def test_one_doi_is_of_one_file(pincite: Pincite, folder: Path) -> None:
    """A whole folder has none."""
    done = pincite("add", str(folder), "--doi", "10.1000/182")
    assert (done.code, done.err) == (
        2,
        "pincite: A DOI or an ISBN belongs to one file: add them one by one.\n",
    )


def test_a_file_of_the_same_name_from_another_folder_is_told(pincite: Pincite, tmp_path: Path) -> None:
    """It replaces the first, in a plain word; the same folder again, or the same text from elsewhere, says nothing."""
    for folder, text in (("a", "One text."), ("b", "Another text."), ("c", "Another text.")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "handbook.md").write_text(text, encoding="utf-8")
    said = "replaced handbook.md, which was added from another folder"

    def note(folder: str) -> str | None:
        (row,) = pincite("add", str(tmp_path / folder), "--json").data
        assert row["status"] in {"ready", "unchanged"}
        return row.get("note")

    assert note("a") is None
    assert note("a") is None
    (tmp_path / "a" / "handbook.md").write_text("One text, edited.", encoding="utf-8")
    assert note("a") is None
    assert note("b") == said
    assert note("b") is None
    assert note("c") is None
    assert pincite("add", str(tmp_path / "a")).out.rstrip().endswith(said)
    assert str(tmp_path) not in (tmp_path / "home" / "library.db").read_bytes().decode("latin-1")


@pytest.mark.parametrize(("name", "kind"), [("a.doc", "DOCX"), ("a.ppt", "PPTX"), ("a.rtf", "DOCX")])
def test_an_old_format_says_what_to_do(pincite: Pincite, tmp_path: Path, name: str, kind: str) -> None:
    """Whether its bytes are known or not."""
    for data in (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), b"{\\rtf1 words}"):
        (tmp_path / name).write_bytes(data)
        done = pincite("add", str(tmp_path / name))
        assert done.code == 1
        assert f"save it as {kind}" in done.out


def test_an_address_that_is_refused_names_the_setting(pincite: Pincite) -> None:
    """Nothing is asked of the network: the address is one."""
    done = pincite("add", "http://127.0.0.1:8000/page")
    assert done.code == 1
    assert "PINCITE_WEB_ALLOW" in done.out
