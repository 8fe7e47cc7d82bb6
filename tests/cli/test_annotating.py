"""`pincite show REF... --annotate`: a copy of the PDF with the words of each ref marked and numbered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pikepdf
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite

QUESTION = "From which amount do expenses need approval?"


@pytest.fixture
def refs(pincite: Pincite, examples: Path) -> list[str]:
    """Refs of passages of the handbook, the one that answers first."""
    assert examples.is_dir()
    rows = pincite("search", QUESTION, "--json").data["results"]
    found = [row["ref"] for row in rows if row["source_uri"] == "upload://handbook.pdf"]
    assert len(found) > 1
    return found


def notes_on(path: Path, page: int) -> list[dict[str, Any]]:
    """Return text, title and count of coordinates of the highlights on a page."""
    with pikepdf.open(path) as pdf:
        notes: list[Any] = list(pdf.pages[page - 1].obj["/Annots"].as_list())
        return [
            {"text": str(note.Contents), "title": str(note.T), "points": len(note.QuadPoints)}
            for note in notes
            if str(note.Subtype) == "/Highlight"
        ]


def test_a_copy_has_a_numbered_mark_for_each_ref(pincite: Pincite, refs: list[str], tmp_path: Path) -> None:
    """In the order of the refs, on the pages of their passages, with their words and the document's title."""
    copy = tmp_path / "new" / "copy.pdf"
    done = pincite("show", refs[0], refs[1], "--annotate", str(copy), "--json")
    assert done.code == 0
    told = done.data
    assert (told["annotated"], [mark["number"] for mark in told["marks"]]) == (str(copy), [1, 2])
    shown = [pincite("show", ref, "--no-image", "--json").data for ref in refs[:2]]
    assert [mark["boxes"] for mark in told["marks"]] == [one["boxes"] for one in shown]
    for number, one in enumerate(shown, 1):
        (note,) = [note for note in notes_on(copy, one["page"]) if note["text"].startswith(f"[{number}] ")]
        assert note["title"] == told["title"] == "Halvick Instruments: Staff Handbook"
        assert note["points"] == 8 * sum(box["page"] == one["page"] for box in one["boxes"])


def test_with_a_question_only_the_best_words_are_marked(
    pincite: Pincite, refs: list[str], tmp_path: Path
) -> None:
    """The mark's words are a part of the passage, and its boxes fewer."""
    whole = pincite("show", refs[0], "--annotate", str(tmp_path / "a.pdf"), "--json").data["marks"][0]
    best = pincite(
        "show", refs[0], "--question", QUESTION, "--annotate", str(tmp_path / "b.pdf"), "--json"
    ).data["marks"][0]
    assert best["text"] in whole["text"]
    assert len(best["text"]) < len(whole["text"])
    assert 0 < len(best["boxes"]) < len(whole["boxes"])


def test_what_is_told_to_a_person(pincite: Pincite, refs: list[str], tmp_path: Path) -> None:
    """A line a mark, then where the copy is."""
    copy = tmp_path / "copy.pdf"
    lines = pincite("show", refs[0], "--annotate", str(copy)).out.splitlines()
    assert lines[0].startswith("[1] page 4: ")
    assert (
        lines[-1] == f"annotated copy of Halvick Instruments: Staff Handbook: {copy}"
        or copy.name in lines[-1]
    )


def test_what_cannot_be_annotated_is_said(pincite: Pincite, refs: list[str], tmp_path: Path) -> None:
    """Two documents, a document without pages, several refs without a copy, a place that cannot be written."""
    rows = pincite("search", "notice calibration laboratory van", "--json").data["results"]
    note = next(row["ref"] for row in rows if row["source_uri"] == "upload://notice.txt")
    copy = str(tmp_path / "copy.pdf")
    two = pincite("show", refs[0], note, "--annotate", copy)
    assert (two.code, "2 documents" in two.err) == (2, True)
    flat = pincite("show", note, "--annotate", copy)
    assert (flat.code, "made of a PDF; this document is txt." in flat.err) == (1, True)
    assert pincite("show", refs[0], refs[1]).code == 2
    blocked = pincite("show", refs[0], "--annotate", str(tmp_path))
    assert (blocked.code, "cannot be written" in blocked.err) == (2, True)
    assert pincite("show", "zzzzzzzz", "--annotate", copy).code == 3
    assert not (tmp_path / "copy.pdf").exists()


def test_a_copy_of_what_is_no_pdf_is_refused_in_a_plain_sentence(
    pincite: Pincite, examples: Path, tmp_path: Path
) -> None:
    """The sentence says what the document is."""
    assert examples.is_dir()
    rows = pincite("search", "policy", "--json").data["results"]
    other = next(row["chunk_id"] for row in rows if row["source_uri"].endswith(".md"))
    done = pincite("show", other, "--annotate", str(tmp_path / "copy.pdf"))
    assert done.code != 0
    assert "A marked copy is made of a PDF; this document is md." in done.err
    assert not (tmp_path / "copy.pdf").exists()
