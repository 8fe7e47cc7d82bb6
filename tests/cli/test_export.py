"""`pincite export`: what `ask` and `check` printed, in every format; with the library and without it."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from pincite.cli.export import Format
from pincite.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite

QUESTION = "From which amount do expenses need approval, and who gives it?"
FIRST = "Expenses over 100 EUR require prior approval from your line manager."
TITLE = "Halvick Instruments: Staff Handbook"


@pytest.fixture(scope="module")
def printed(kept_home: Path) -> str:
    """What asking about the examples prints."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()) as out:
        patch.setenv("PINCITE_HOME", str(kept_home))
        assert main(["ask", QUESTION, "--json", "--no-image", "--conversation", "export"]) == 0
    return out.getvalue()


@pytest.fixture
def saved(printed: str, examples: Path, tmp_path: Path) -> Path:
    """An answer about the examples, saved."""
    path = tmp_path / "answer.json"
    path.write_text(printed, encoding="utf-8")
    return path


@pytest.mark.parametrize("to", [kind.value for kind in Format])
def test_every_format(pincite: Pincite, saved: Path, to: str) -> None:
    """Each names the source, and none holds a ref or an id that means nothing outside."""
    done = pincite("export", str(saved), "--to", to)
    assert (done.code, done.err) == (0, "")
    assert (TITLE in done.out) == (to != "annotations")
    ref = json.loads(saved.read_text(encoding="utf-8"))["citations"][0]["ref"]
    assert f"[{ref}]" not in done.out
    assert str(saved.parent) not in done.out


def test_text(pincite: Pincite, saved: Path) -> None:
    """The question, the answer with numbers, the source with its author, which the file names, and its place."""
    lines = pincite("export", str(saved), "--to", "text").out.splitlines()
    assert lines[0] == QUESTION
    assert lines[2].startswith(f"{FIRST} [1]")
    assert lines[4:7:2] == ["Sources", f"[1] {TITLE}"]
    assert lines[7] == "    Halvick Instruments"
    assert lines[8].startswith("    page 4, 5.1 Approval: “Halvick Instruments reimburses")


def test_annotations_tell_the_place_and_the_words_around(pincite: Pincite, saved: Path) -> None:
    """Which the library knows, and the saved answer does not."""
    collection = json.loads(pincite("export", str(saved), "--to", "annotations").out)
    item = collection["first"]["items"][0]
    assert item["body"]["value"] == FIRST
    quote, position, fragment = item["target"]["selector"]
    assert quote["exact"].startswith("5 Expenses\n\n5.1 Approval")
    assert len(quote["prefix"]) == len(quote["suffix"]) == 32
    assert position["end"] - position["start"] == len(quote["exact"])
    assert fragment["value"] == "page=4"


def test_without_its_library(
    pincite: Pincite, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file says enough; no library is made where there is none."""
    home = tmp_path / "nothing"
    monkeypatch.setenv("PINCITE_HOME", str(home))
    assert TITLE in pincite("export", str(saved), "--to", "html").out
    (item, *_) = json.loads(pincite("export", str(saved), "--to", "annotations").out)["first"]["items"]
    kinds = [selector["type"] for selector in item["target"]["selector"]]
    assert kinds == ["TextQuoteSelector", "FragmentSelector"]
    assert not home.exists()


def test_what_is_known_is_that_of_today(pincite: Pincite, tmp_path: Path) -> None:
    """A DOI that was set after the answer was given; from the saved answer, where the document is gone."""
    page = tmp_path / "rates.html"
    page.write_text(
        '<meta name="citation_author" content="Meier, Anna"><p>Rates fall in spring.</p>', encoding="utf-8"
    )
    assert pincite("add", str(page), "--publisher", "Acme").code == 0
    answer = tmp_path / "answer.json"
    answer.write_text(pincite("ask", "When do rates fall?", "--json").out, encoding="utf-8")

    def exported() -> dict[str, Any]:
        (item,) = json.loads(pincite("export", str(answer), "--to", "csl-json").out)
        return {name: item.get(name) for name in ("author", "publisher", "DOI")}

    known: dict[str, Any] = {
        "author": [{"family": "Meier", "given": "Anna"}],
        "publisher": "Acme",
        "DOI": None,
    }
    assert exported() == known
    assert pincite("add", str(page), "--doi", "10.1000/182").code == 0
    assert exported() == {**known, "DOI": "10.1000/182"}
    assert pincite("rm", "rates.html", "--yes").code == 0
    assert exported() == known


def test_what_check_prints_is_exported_too(pincite: Pincite, examples: Path, tmp_path: Path) -> None:
    """An answer of somebody else's, with a citation that was never issued."""
    ref = pincite("search", QUESTION, "--json").data["results"][0]["ref"]
    written = tmp_path / "answer.md"
    written.write_text(f"It needs approval. [{ref}] And [[deadbeef]] too.", encoding="utf-8")
    saved = tmp_path / "answer.json"
    saved.write_text(pincite("check", str(written), "--json").out, encoding="utf-8")
    text = pincite("export", str(saved), "--to", "text").out
    assert text.startswith("It needs approval. [1] And too.\n\nSources\n\n[1] ")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_an_answer_is_saved_when_it_is_asked_for(
    pincite: Pincite, examples: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """Beside what is printed, whatever that is; what is saved is what `--json` prints."""
    path = tmp_path / "answer.json"
    done = pincite(
        "ask", QUESTION, "--new", "--no-image", "--conversation", "save", "--save", str(path), *options
    )
    assert done.code == 0
    assert FIRST in done.out
    saved = json.loads(path.read_text(encoding="utf-8"))
    assert saved["question"] == QUESTION
    if options:
        assert done.data == saved
    refused = pincite("ask", QUESTION, "--no-image", "--save", str(tmp_path))
    assert (refused.code, "cannot be written" in refused.err) == (2, True)


def test_standard_input_and_a_file(
    pincite: Pincite, saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe in, a file out; nothing is printed then."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(saved.read_bytes())))
    target = tmp_path / "answer.html"
    done = pincite("export", "-", "--to", "html", "--output", str(target))
    assert (done.code, done.out) == (0, "")
    heading = LexborHTMLParser(target.read_bytes()).css_first("h1")
    assert heading is not None
    assert heading.text() == QUESTION


def test_a_file_that_is_not_there_or_cannot_be_written(pincite: Pincite, saved: Path, tmp_path: Path) -> None:
    """Each in a sentence, with its own code and without a path."""
    missing = pincite("export", str(tmp_path / "none.json"), "--to", "text")
    assert (missing.code, missing.err) == (3, "pincite: There is no file 'none.json'.\n")
    folder = pincite("export", str(tmp_path), "--to", "text")
    assert (folder.code, str(tmp_path.parent) in folder.err) == (2, False)
    refused = pincite("export", str(saved), "--to", "text", "--output", str(tmp_path))
    assert (refused.code, refused.err) == (2, "pincite: The file cannot be written: is a directory.\n")


def test_an_unknown_format_names_those_that_there_are(pincite: Pincite, saved: Path) -> None:
    """And is wrong use."""
    done = pincite("export", str(saved), "--to", "docx")
    assert done.code == 2
    assert "csl-json" in done.err


PASSAGE = {"ref": None, "evidence_id": None, "text": "w"}
CITATION: dict[str, Any] = {
    "number": 1, "verdict": "valid", "ref": "abcdef12", "evidence_id": None, "locator": {}, "confidence": None,
    "source": {"title": "T", "document_id": "d", "source_uri": None}, "source_state": None, "anchor": "marker",
    "start": 3, "end": 13,
}  # fmt: skip
ANSWER: dict[str, Any] = {
    "text": "So [abcdef12].",
    "citations": [CITATION],
    "sources": [
        {
            "number": 1,
            "title": "T",
            "document_id": "d",
            "source_uri": None,
            "locator": {},
            "passages": [PASSAGE],
        }
    ],
    "misses": [],
}


def exported(pincite: Pincite, tmp_path: Path, data: object, to: str = "text") -> Any:
    """Return how exporting `data` ended."""
    path = tmp_path / "any.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return pincite("export", str(path), "--to", to)


def test_the_least_that_an_answer_has(pincite: Pincite, tmp_path: Path) -> None:
    """So that the changes below are what is wrong with them."""
    assert exported(pincite, tmp_path, ANSWER).out == "So [1].\n\nSources\n\n[1] T\n"


CHANGES: list[dict[str, Any]] = [
    {"text": 5},
    {"text": None},
    {"citations": {}},
    {"citations": [5]},
    {"citations": [{**CITATION, "start": -1}]},
    {"citations": [{**CITATION, "end": 15}]},
    {"citations": [{**CITATION, "start": "3"}]},
    {"citations": [{**CITATION, "verdict": "sure"}]},
    {"citations": [{**CITATION, "number": []}]},
    {"citations": [{**CITATION, "source": None}]},
    {"citations": [{**CITATION, "excerpt": "a", "excerpt_start": "b"}]},
    {"citations": [{**CITATION, "locator": {"page": "<b>"}}]},
    {"citations": [{**CITATION, "locator": {"headings": [5]}}]},
    {"citations": [{**CITATION, "locator": {"place": 5}}]},
    {"sources": [{}]},
    {"sources": [{"number": "1", "locator": {}}]},
    {"sources": [{"number": 1, "locator": {}, "title": 5}]},
    {"sources": [{"number": 1, "locator": {}, "document_id": "d", "bibliography": {"DOI": "Smith 2004"}}]},
    {"sources": [{"number": 1, "locator": {}, "passages": 5}]},
    {"misses": [{"start": 0, "end": 1, "reason": "none"}]},
    {"question": 5},
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_no_answer_is_refused(pincite: Pincite, tmp_path: Path, change: dict[str, Any]) -> None:
    """Whatever is wrong in it: one sentence, never a traceback, and nothing is printed."""
    done = exported(pincite, tmp_path, {**ANSWER, **change})
    sentence = "pincite: ANSWER is a file with what `pincite ask --json` prints; this one is not.\n"
    assert (done.code, done.out, done.err) == (2, "", sentence)


@pytest.mark.parametrize("data", [None, 5, [], {}, {"error": {"code": "x"}}])
def test_other_json_is_refused(pincite: Pincite, tmp_path: Path, data: object) -> None:
    """Such as the error that a command printed in place of an answer."""
    assert exported(pincite, tmp_path, data).code == 2


def test_what_is_no_json_is_refused(pincite: Pincite, tmp_path: Path) -> None:
    """Such as the answer's text itself, and JSON that is nested without end."""
    path = tmp_path / "answer.md"
    for text in ("So [1].", "[" * 100_000, '{"text": "\ud800"'):
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        done = pincite("export", str(path), "--to", "text")
        assert (done.code, "holds no JSON" in done.err) == (2, True)


def test_a_hostile_file_gets_no_link(pincite: Pincite, tmp_path: Path) -> None:
    """An address that is not safe to open is none, also when somebody wrote it into the file."""
    source = {**ANSWER["sources"][0], "source_uri": "javascript:alert(1)", "title": "<script>x</script>"}
    done = exported(pincite, tmp_path, {**ANSWER, "sources": [source], "question": "\u001b[31m<b>"}, "html")
    assert done.code == 0
    links = [link.attributes["href"] for link in LexborHTMLParser(done.out).css("a")]
    assert links == ["#source-1", "#cite-1-1"]
    assert "\u001b" not in done.out


def test_what_was_quoted_and_what_was_matched_come_back(pincite: Pincite, tmp_path: Path) -> None:
    """The words of a quote in place of the whole passage; an anchor that is a sentence and no marker."""
    citation = {
        **CITATION,
        "excerpt": "exact words",
        "excerpt_start": 4,
        "anchor": "content",
        "start": 0,
        "end": 14,
    }
    text = exported(pincite, tmp_path, {**ANSWER, "citations": [citation]}).out
    assert text == "So [abcdef12]. [1]\n\nSources\n\n[1] T\n    “exact words”\n"
