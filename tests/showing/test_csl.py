"""CSL-JSON: a real processor formats every item without a complaint, and no title is markup in what it writes."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from pincite.core.bibliography import TYPES, Author, Bibliography
from pincite.showing import to_bibtex, to_csl_json

if TYPE_CHECKING:
    from pincite.core.answer import Answer
    from showing.conftest import Answered

# It brings no types.
citeproc: Any = import_module("citeproc")
source: Any = import_module("citeproc.source.json")
STYLE = Path(__file__).resolve().parents[1] / "data" / "plain.csl"


def formatted(items: list[dict[str, Any]], formatter: str = "plain") -> list[str]:
    """Return the bibliography of `items`; what the processor does not know is a warning, and so an error here."""
    style = citeproc.CitationStylesStyle(str(STYLE), validate=False)
    library = source.CiteProcJSON(items)
    made = citeproc.CitationStylesBibliography(style, library, getattr(citeproc.formatter, formatter))
    for item in items:
        made.register(citeproc.Citation([citeproc.CitationItem(item["id"])]))
    return [str(entry) for entry in made.bibliography()]


def items_of(answered: Answered, title: str, known: Bibliography) -> list[dict[str, Any]]:
    """Return the items of an answer with one source."""
    answer = answered("So {0}", {"title": title, "document_id": "d"})
    passage = answer.evidences[0].source.passage
    written = to_csl_json(answer, known={(passage.document_id if passage is not None else None) or "": known})
    return json.loads(written)


def test_the_shape_of_an_item(paper: tuple[Answer, dict[str, Bibliography]]) -> None:
    """Fields as CSL names them; its id is its key in BibTeX, so both files go together."""
    answer, known = paper
    items = json.loads(to_csl_json(answer, known=known))
    assert items[0] == {
        "id": "meier2026prices",
        "type": "article-journal",
        "title": "On Prices",
        "author": [{"family": "Meier", "given": "Anna"}, {"literal": "European Commission"}],
        "issued": {"date-parts": [[2026, 3, 18]]},
        "publisher": "Acme & Sons",
        "container-title": "Journal of Things",
        "volume": "3",
        "issue": "2",
        "page": "4-9",
        "DOI": "10.1000/182",
        "language": "en",
    }
    assert items[1] == {
        "id": "notice",
        "type": "webpage",
        "title": "Notice",
        "URL": "https://example.org/notice?a=1&b=2",
    }
    assert all(f"{{{item['id']}," in to_bibtex(answer, known=known) for item in items)


def test_a_processor_formats_it(paper: tuple[Answer, dict[str, Bibliography]]) -> None:
    """citeproc-py, with a style that prints everything one after the other."""
    answer, known = paper
    prices, notice = formatted(json.loads(to_csl_json(answer, known=known)))
    assert prices == (
        "Meier, A. and European Commission | On Prices | Journal of Things | 3 (2) | 4–9 | Acme & Sons | "
        "2026-03-18 | 10.1000/182."
    )
    assert notice == "Notice | https://example.org/notice?a=1&b=2."


@pytest.mark.parametrize("kind", sorted(TYPES))
def test_every_kind_is_one_that_processors_know(answered: Answered, kind: str) -> None:
    """Each may be set, so each must be accepted."""
    assert formatted(items_of(answered, "Title", Bibliography(type=kind))) == ["Title."]


@pytest.mark.parametrize("issued", ["2026", "2026-03", "2026-03-18"])
def test_dates_of_each_length(answered: Answered, issued: str) -> None:
    """A year alone, a month, a day."""
    assert formatted(items_of(answered, "Title", Bibliography(issued=issued))) == [f"Title | {issued}."]


@pytest.mark.parametrize(
    "words",
    [
        "<script>alert(1)</script>",
        '<img src="x" onerror="alert(1)">',
        "</div><!-- --> <?php ?>",
        "<i>E. coli</i> & <b>p < 0.05</b>",
        "<span class='nocase'>x</span>",
    ],
)
def test_no_value_is_markup(answered: Answered, words: str) -> None:
    """CSL lets values hold elements, and processors hand them on: each is shown as it is written."""
    known = Bibliography(author=(Author(words, words),), publisher=words, container_title=words)
    (entry,) = formatted(items_of(answered, words, known), "html")
    body = LexborHTMLParser(f"<p>{entry}</p>").css_first("p")
    assert body is not None
    assert [node.tag for node in body.css("*") if node.tag != "p"] == []
    # The mark that parts a bracket from a name is not seen.
    assert body.text().replace("\u200b", "").count(words) >= 3
