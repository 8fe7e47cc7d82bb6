"""HTML of an answer: what a reader of it sees, and where its numbers lead."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pincite.core.answer import ReferenceLink
from pincite.core.bibliography import Bibliography
from pincite.showing import to_html

if TYPE_CHECKING:
    from pincite.core.answer import Answer
    from showing.conftest import Answered

Paper = tuple["Answer", dict[str, Bibliography]]


def node(page: LexborHTMLParser, selector: str) -> LexborNode:
    """Return the one element that a selector finds."""
    (found,) = page.css(selector)
    return found


def test_numbers_lead_to_their_source_and_back(paper: Paper) -> None:
    """Each number is a link to its line in the list, which has one back to each of its numbers."""
    answer, known = paper
    page = LexborHTMLParser(to_html(answer, known=known))
    numbers = [(link.text(), link.id, link.attributes["href"]) for link in page.css("a.number")]
    assert numbers == [
        ("[1]", "cite-1-1", "#source-1"),
        ("[2]", "cite-2-1", "#source-2"),
        ("[1]", "cite-1-2", "#source-1"),
    ]
    back = [link.attributes["href"] for link in node(page, "#source-1").css(".back a")]
    assert back == ["#cite-1-1", "#cite-1-2"]


def test_a_source_says_all_that_is_known(paper: Paper) -> None:
    """Title, authors, place, DOI, page and words; a page of the web is its title's link, led on to the words."""
    answer, known = paper
    page = LexborHTMLParser(to_html(answer, known=known))
    first, second = page.css("section.sources > ol > li")
    lines = [part.text() for part in first.css("bdi")]
    assert lines == [
        "On Prices",
        "Anna Meier; European Commission. Journal of Things 3(2), 4-9. Acme & Sons, 2026-03-18",
        "page 4",
        "Rates fall.",
    ]
    links = {link.text(): link.attributes["href"] for link in first.css("a[rel]")}
    assert links == {"doi:10.1000/182": "https://doi.org/10.1000/182"}
    links = {link.text(): link.attributes["href"] for link in second.css("a[rel]")}
    assert links == {"Notice": "https://example.org/notice?a=1&b=2#:~:text=They%20rose%2E"}


def test_markdown_is_shown_as_what_it_means(answered: Answered) -> None:
    """Headings (from the second level on, since the page has its own), lists, tables, code, quotations."""
    text = (
        "### Result\n\n#### Part\n\n1. *one* {0}\n2. two\n   - three\n\n> said\n\n"
        "| a | b |\n|---|---|\n| `c` | d {0} |\n\n"
        "```\n<b> & [1]\n```\n\nend  \nline\n\n---\n\n3. x\n"
    )
    page = LexborHTMLParser(to_html(answered(text, {"title": "T"}), title="A question?", page=False))
    answer = node(page, ".answer")
    assert [(one.tag, one.text()) for one in answer.css("h2, h3, h4")] == [("h2", "Result"), ("h3", "Part")]
    assert [item.text(deep=True).split() for item in answer.css("ol > li")] == [
        ["one", "[1]"],
        ["two", "three"],
        ["x"],
    ]
    assert [one.attributes.get("start") for one in answer.css("ol")] == [None, "3"]
    assert node(page, "blockquote p").text() == "said"
    assert [cell.text() for cell in answer.css("th, td")] == ["a", "b", "c", "d [1]"]
    assert node(page, "pre code").text() == "<b> & [1]\n".rstrip("\n")
    assert len(answer.css("br")) == len(answer.css("hr")) == 1
    assert len(answer.css("a.number")) == 2


def test_a_page_and_a_part(answered: Answered) -> None:
    """The page has a title, a policy and a style; the part has neither, to stand in another page."""
    answer = answered("Rates fall {0}.", {"title": "T"})
    page, part = to_html(answer, title="Do <rates> fall?"), to_html(answer, page=False)
    parsed = LexborHTMLParser(page)
    assert node(parsed, "title").text() == node(parsed, "h1").text() == "Do <rates> fall?"
    policy = node(parsed, "meta[http-equiv=Content-Security-Policy]").attributes["content"] or ""
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert part in page
    assert not any(f"<{name}" in part for name in ("html", "head", "style", "meta", "h1"))


def test_only_the_web_is_linked(answered: Answered) -> None:
    """Not a bucket, a disk, an address with a password, nor a script; and not what the model links."""
    homes = ["s3://bucket/a.pdf", "file:///etc/passwd", "https://user:pw@example.org/", "javascript:alert(1)"]
    hits = [{"title": f"T{place}", "source_url": home} for place, home in enumerate(homes)]
    text = "See [here](https://evil.example) or <https://evil.example>: {0}{1}{2}{3}"
    page = LexborHTMLParser(to_html(answered(text, *hits)))
    assert [link for link in page.css("a") if not (link.attributes["href"] or "").startswith("#")] == []


def test_an_issued_reference_is_words_where_it_leads_nowhere(answered: Answered) -> None:
    """A relative address means something in the page that issued it, and nothing in a file."""
    answer = answered("See [the tag](/tags/a) and [the page](https://example.org/b).")
    text = answer.text
    links = [
        ("[the tag](/tags/a)", "/tags/a"),
        ("[the page](https://example.org/b)", "https://example.org/b"),
    ]
    references = tuple(
        ReferenceLink(text.index(link), text.index(link) + len(link), url, "t") for link, url in links
    )
    page = LexborHTMLParser(to_html(replace(answer, references=references)))
    assert node(page, ".answer p").text() == "See the tag and the page."
    assert [link.attributes["href"] for link in page.css("a")] == ["https://example.org/b"]


def test_scripts_that_run_from_right_to_left_are_kept_apart(answered: Answered) -> None:
    """Each block finds its own direction, and each label stands by itself."""
    page = LexborHTMLParser(to_html(answered("الأسعار ترتفع {0}.", {"title": "محضر 2026"})))
    assert node(page, ".answer p").attributes["dir"] == "auto"
    assert [label.text() for label in page.css("#source-1 bdi")] == ["محضر 2026", "Some words."]
