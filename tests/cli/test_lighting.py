"""Which words are lit for a citation, on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from pincite.cli.answers import claims_of
from pincite.core.answer import Answer
from pincite.core.citation import Citation, DocumentCitationSource, MarkerCitationAnchor

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite

QUESTION = "From which amount do expenses need approval, and who gives it?"
FIRST = "Expenses over 100 EUR require prior approval from your line manager."
SECOND = "Expenses over 1,000 EUR also require the approval of the finance lead."


def test_a_claim_is_its_sentence_without_markers() -> None:
    """Each citation's claim is the sentence that it stands in, other sentences and all markers left out."""
    text = "Sky is blue. [aaaaaaaa] Grass [bbbbbbbb] is green. [cccccccc]"
    citations = tuple(
        Citation(
            (DocumentCitationSource(None),), MarkerCitationAnchor(text.index(name), text.index(name) + 10)
        )
        for name in ("[aaaaaaaa]", "[bbbbbbbb]", "[cccccccc]")
    )
    answer = Answer(text, citations)
    claims = [" ".join(claim.split()) for claim in claims_of(answer)]
    assert claims == ["Sky is blue.", "Grass is green.", "Grass is green."]


def _lit(pincite: Pincite, *more: str) -> list[tuple[str, int]]:
    """Return, for each citation of the answer, the words that are lit and the number of their boxes."""
    told = pincite("ask", QUESTION, "--new", "--json", *more).data
    texts = {passage["ref"]: passage["text"] for source in told["sources"] for passage in source["passages"]}
    return [
        (
            " ".join(texts[one["ref"]][one["highlight"]["start"] : one["highlight"]["end"]].split()),
            len(one["highlight"]["boxes"]),
        )
        for one in told["citations"]
    ]


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("precision", ["best_match", "models_quote"])
def test_each_citation_lights_its_own_sentence(pincite: Pincite, precision: str) -> None:
    """An extractive answer's sentence stands in the passage: two lines for the first, one for the second."""
    assert _lit(pincite, "--highlight", precision) == [(FIRST, 2), (SECOND, 1)]


@pytest.mark.usefixtures("examples")
def test_the_whole_passage_may_be_lit(pincite: Pincite) -> None:
    """Every line of it, for both."""
    (first, boxes), (second, _) = _lit(pincite, "--highlight", "whole_passage")
    assert first == second
    assert FIRST in first
    assert SECOND in first
    assert boxes >= 6


@pytest.mark.usefixtures("examples")
def test_without_an_image_nothing_is_looked_up_on_pages(pincite: Pincite) -> None:
    """The words are known, their boxes are not."""
    assert _lit(pincite, "--no-image") == [(FIRST, 0), (SECOND, 0)]


def _shown(pincite: Pincite, *more: str) -> Any:
    ref = pincite("search", "prior approval of expenses over 100 EUR", "--json").data["results"][0]["ref"]
    return pincite("show", ref, "--json", *more)


@pytest.mark.usefixtures("examples")
def test_show_lights_what_answers_a_question(pincite: Pincite) -> None:
    """The preview's boxes stay the passage's; the highlight is the sentence that answers, on its own line."""
    plain = _shown(pincite).data
    assert plain["highlight"] is None
    told = _shown(pincite, "--question", "What needs the approval of the finance lead?").data
    light = told["highlight"]
    assert told["boxes"] == plain["boxes"]
    assert light["end"] - light["start"] == len(SECOND)
    assert len(light["boxes"]) == 1
    whole = _shown(pincite, "--question", "What?", "--highlight", "whole_passage").data["highlight"]
    assert whole["boxes"] == plain["boxes"]


@pytest.mark.usefixtures("examples")
def test_show_says_what_is_lit(pincite: Pincite) -> None:
    """For a person, in words."""
    ref = pincite("search", "prior approval of expenses over 100 EUR", "--json").data["results"][0]["ref"]
    told = pincite("show", ref, "--question", "What needs the approval of the finance lead?", "--no-image")
    assert f"best match: {SECOND}" in told.out.splitlines()


@pytest.mark.usefixtures("examples")
def test_show_takes_a_width_and_a_page(pincite: Pincite, tmp_path: Path) -> None:
    """To the pixel; a page that the passage does not stand on is refused, with the field."""
    png = tmp_path / "page.png"
    assert _shown(pincite, "--png", str(png), "--width", "300", "--page", "4").code == 0
    with Image.open(png) as opened:
        assert opened.width == 300
    refused = _shown(pincite, "--png", str(png), "--page", "5")
    assert (refused.code, refused.data["error"]["field"]) == (2, "page")
    assert refused.data["error"]["message"] == "The passage stands on page 4, not on page 5."
    assert _shown(pincite, "--width", "0").data["error"]["field"] == "width"


@pytest.mark.usefixtures("examples")
def test_a_span_has_the_boxes_of_its_own_words(pincite: Pincite) -> None:
    """Not those of the passage around it."""
    told = _shown(pincite, "--question", "What needs the approval of the finance lead?").data
    _, _, document, version, _ = told["evidence_id"].split(":")
    text = pincite("search", "prior approval of expenses over 100 EUR", "--json").data["results"][0]
    assert " ".join(SECOND.split()) in " ".join(text["content"].split())
    hit = told["highlight"]
    start = _start_of(pincite, document, version, text["content"])
    span = f"ev1:s:{document}:{version}:{start + hit['start']}-{start + hit['end']}"
    shown = pincite("show", span, "--no-image", "--json").data
    assert shown["snippet"] == SECOND
    assert shown["boxes"] == hit["boxes"]


def _start_of(pincite: Pincite, document: str, version: str, content: str) -> int:
    """Return where a passage begins in its document."""
    from pincite.cli.workspace import Workspace

    assert pincite("ls", "--json").code == 0
    with Workspace() as work:
        return work.library.document_text(document, version).index(content)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.png", b"\x89PNG"),
        ("a.webp", b"RIFF"),
        ("a.JPG", b"\xff\xd8"),
        ("a.jpeg", b"\xff\xd8"),
        ("a", b"\x89PNG"),
    ],
)
def test_the_ending_of_the_image_says_its_format(
    pincite: Pincite, examples: Path, tmp_path: Path, name: str, start: bytes
) -> None:
    """PNG where there is none."""
    ref = handbook_ref(pincite, examples)
    assert pincite("show", ref, "--png", str(tmp_path / name)).code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_an_image_of_another_format_is_refused(pincite: Pincite, examples: Path, tmp_path: Path) -> None:
    """And nothing is written."""
    done = pincite("show", handbook_ref(pincite, examples), "--png", str(tmp_path / "a.gif"))
    assert done.code == 2
    assert "a .png, .webp, .jpg or .jpeg, not '.gif'" in done.err
    assert not list(tmp_path.iterdir())


def test_show_says_that_no_model_is_asked(pincite: Pincite, examples: Path) -> None:
    """`--highlight models_quote` has no quote of a model there."""
    done = pincite("show", handbook_ref(pincite, examples), "--no-image", "--highlight", "models_quote")
    assert done.code == 0
    assert "No model is asked here" in done.err
    assert pincite("show", handbook_ref(pincite, examples), "--no-image").err == ""


def test_a_wrong_mode_is_said_without_what_checks_it(pincite: Pincite) -> None:
    """The sentence is about the option and its values."""
    done = pincite("show", "abcdefgh", "--mode", "corp")
    assert done.code == 2
    assert done.err.strip() == "pincite: Invalid value for '--mode': 'corp' is not one of 'page', 'crop'."


def handbook_ref(pincite: Pincite, examples: Path) -> str:
    """Return the id of a passage of the handbook."""
    assert examples.is_dir()
    rows = pincite("search", "expenses approval", "--json").data["results"]
    return next(row["chunk_id"] for row in rows if row["source_uri"] == "upload://handbook.pdf")
