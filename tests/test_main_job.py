"""The main job, from files to an answer with the cited words lit, on the command line as a person runs it.

What is lit is judged by another engine: poppler tells where each word of the page stands.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
PINCITE = Path(sys.executable).with_name("pincite")
# One word of `pdftotext -bbox`: fixed attributes, no nesting.
WORD = re.compile(r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">([^<]*)</word>')
SIZE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">')
LIT = 0.6
"""Share of a cited word's area that must be tinted."""
DARK = 0.3
"""Share of another word's area that the outline of its neighbour may touch."""


@dataclass(frozen=True)
class Word:
    """A word where poppler sees it, in fractions of the page."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


def _pincite(home: Path, *arguments: str) -> Any:
    done = subprocess.run(
        [str(PINCITE), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PINCITE_HOME": str(home)},
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with the examples in it."""
    folder = tmp_path_factory.mktemp("library")
    added = _pincite(folder, "add", "examples", "--json")
    assert {(one["file"], one["status"]) for one in added} == {
        ("handbook.pdf", "ready"),
        ("minutes-2026-03.md", "ready"),
        ("notice.txt", "ready"),
        ("price-list.html", "ready"),
    }
    assert all(set(one) >= {"file", "status", "reason", "pages", "passages"} for one in added)
    return folder


def _poppler_words(pdf: Path, page: int) -> list[Word]:
    if shutil.which("pdftotext") is None:
        if os.environ.get("PINCITE_REQUIRE_SHARED") == "1":
            pytest.fail("pdftotext is missing; `make test` installs it as root.")
        pytest.skip("pdftotext (Debian: poppler-utils) is not installed.")
    told = subprocess.run(
        ["pdftotext", "-bbox", "-f", str(page), "-l", str(page), str(pdf), "-"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    size = SIZE.search(told)
    assert size is not None
    width, height = map(float, size.groups())
    return [
        Word(text, float(x0) / width, float(y0) / height, float(x1) / width, float(y1) / height)
        for x0, y0, x1, y1, text in WORD.findall(told)
    ]


def _run_of(words: list[Word], sentence: str) -> tuple[int, int]:
    wanted = sentence.split()
    for start in range(len(words)):
        if [word.text for word in words[start : start + len(wanted)]] == wanted:
            return start, start + len(wanted)
    raise AssertionError(sentence)


def _tinted(image: Any, word: Word) -> float:
    width, height = image.size
    box = (int(word.x0 * width), int(word.y0 * height), int(word.x1 * width) + 1, int(word.y1 * height) + 1)
    data = image.crop(box).tobytes()
    # Paper and tint are bright in red; under the tint blue falls behind.
    bright = [index for index in range(0, len(data), 3) if data[index] > 60]
    inked = sum(1 for index in bright if data[index] - data[index + 2] > 25)
    return inked / max(len(bright), 1)


@pytest.mark.parametrize(
    ("question", "page", "sentence"),
    [
        (
            "From which amount do expenses need approval, and who gives it?",
            4,
            "Expenses over 100 EUR require prior approval from your line manager.",
        ),
        (
            "From which day of sickness do I need a medical certificate?",
            7,
            "A medical certificate is required from the fourth calendar day of absence.",
        ),
        (
            "How much is paid per kilometre for journeys by bicycle?",
            4,
            "Journeys by bicycle are paid at 0.15 EUR per kilometre.",
        ),
    ],
)
def test_the_cited_words_are_lit_on_their_page(home: Path, question: str, page: int, sentence: str) -> None:
    """The answer holds the sentence, its citation names the page, and exactly these words are lit on it."""
    told = _pincite(home, "ask", question, "--json", "--new")
    assert sentence in " ".join(told["answer"].split())
    first = next(one for one in told["citations"] if one["locator"].get("page") == page)
    assert first["verdict"] == "valid"
    assert first["confidence"] == "supported"
    assert set(first) >= {"verdict", "ref", "evidence_id", "source", "locator", "confidence"}
    image = Image.open(told["image"]).convert("RGB")
    words = _poppler_words(EXAMPLES / "handbook.pdf", page)
    start, end = _run_of(words, sentence)
    shares = [_tinted(image, word) for word in words]
    assert min(shares[start:end]) >= LIT, [(words[index].text, shares[index]) for index in range(start, end)]
    lit = [index for index, share in enumerate(shares) if share > DARK]
    assert lit == list(range(lit[0], lit[-1] + 1))  # one run of words, nothing elsewhere on the page
    assert len(lit) <= 2 * (end - start) + 8


def test_the_answer_says_so_when_the_documents_do_not(home: Path) -> None:
    """A question about something else gets no citation and no image."""
    told = _pincite(home, "ask", "What is the capital of Peru?", "--json", "--new")
    assert told["citations"] == []
    assert told["image"] is None
    assert told["extractive"] is True


def test_a_search_row_has_the_pages_fields(home: Path) -> None:
    """Field by field the row of the reader's page."""
    told = _pincite(home, "search", "expenses over 100 EUR prior approval", "--json")
    row = told["results"][0]
    assert list(row) == [
        "ref",
        "chunk_id",
        "document_id",
        "content",
        "source_uri",
        "collection",
        "metadata",
        "confidence",
    ]
    assert row["chunk_id"].startswith(row["ref"])
    assert len(row["ref"]) == 8
    assert row["source_uri"] == "upload://handbook.pdf"
    assert row["collection"] == "default"
    assert row["metadata"] == {"page": 4, "section": "5.1 Approval"}
    assert row["confidence"] == "supported"
    assert "Expenses over 100 EUR require prior approval" in " ".join(row["content"].split())


def test_adding_again_changes_nothing(home: Path) -> None:
    """The same files again are unchanged."""
    again = _pincite(home, "add", "examples", "--json")
    assert {one["status"] for one in again} == {"unchanged"}


def test_every_hard_pdf_ends_in_a_result(tmp_path: Path, shared: Path) -> None:
    """Each file gets a status, and a reason where it failed; one bad file does not end the rest."""
    done = subprocess.run(
        [str(PINCITE), "add", str(shared / "pdfs"), "--json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PINCITE_HOME": str(tmp_path)},
    )
    results = {one["file"]: one for one in json.loads(done.stdout)}
    names = {file.name for file in (shared / "pdfs").iterdir()}
    assert set(results) == names
    assert done.returncode == 1
    for name, one in results.items():
        assert one["status"] in {"ready", "flagged", "failed"}, name
        assert (one["reason"] is not None) == (one["status"] == "failed"), name
        assert bool(one.get("flags")) == (one["status"] == "flagged"), name
    assert results["sample-files__libreoffice-writer-password.pdf"]["reason"] == "encrypted"
    assert results["sample-files__multicolumn.pdf"]["status"] in {"ready", "flagged"}
    assert results["sample-files__multicolumn.pdf"]["passages"] > 0
