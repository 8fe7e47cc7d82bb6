"""Cited sources as works: what they are called, what kind they are, what is said of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pincite.core.bibliography import Author, Bibliography
from pincite.showing._works import described, works_of
from pincite.showing.references import render_answer

if TYPE_CHECKING:
    from pincite.showing._works import Work
    from showing.conftest import Answered

MEIER, EU = Author("Meier", "Anna"), Author(literal="European Commission")


def works(answered: Answered, titles: list[str], known: Bibliography | None = None) -> list[Work]:
    """Return the works of an answer that cites documents with these titles."""
    hits = [
        {"title": title, "content": f"Words {place}.", "document_id": f"d{place}"}
        for place, title in enumerate(titles)
    ]
    answer = answered("".join(f"{{{place}}}" for place in range(len(titles))), *hits)
    passages = [evidence.source.passage for evidence in answer.evidences]
    names = {
        passage.document_id or "": known for passage in passages if passage is not None and known is not None
    }
    return works_of(answer, render_answer(answer).sources, names)


@pytest.mark.parametrize(
    ("title", "known", "key"),
    [
        ("The Price of Things", Bibliography(author=(MEIER,), issued="2026-03"), "meier2026price"),
        ("The Price of Things", Bibliography(author=(EU,)), "europeancommissionprice"),
        (
            "Über Preise",
            Bibliography(author=(Author("Müller-Łódź", "Z"),), issued="1999"),
            "mullerodz1999uber",
        ),
        ("2026", Bibliography(), "2026"),
        ("議事録", Bibliography(author=(Author("毛", "泽东"),)), "source1"),
        ("{x}, @y \\input", Bibliography(), "x"),
        ("A" * 100, Bibliography(), "a" * 24),
    ],
)
def test_a_key_is_letters_and_digits(answered: Answered, title: str, known: Bibliography, key: str) -> None:
    """Of the author, the year and the title, as far as they have any."""
    assert [work.key for work in works(answered, [title], known)] == [key]


def test_keys_are_unlike_one_another(answered: Answered) -> None:
    """Also when a title looks like the key of another."""
    keys = [work.key for work in works(answered, ["Minutes", "Minutes", "Minutes-2", "minutes", "議", "録"])]
    assert keys == ["minutes", "minutes-2", "minutes-3", "minutes-4", "source5", "source6"]


@pytest.mark.parametrize(
    ("known", "kind"),
    [
        (Bibliography(type="report", issn="2049-3630"), "report"),
        (Bibliography(issn="2049-3630"), "article-journal"),
        (Bibliography(container_title="Journal", volume="3"), "article-journal"),
        (Bibliography(container_title="A site"), "document"),
        (Bibliography(isbn="9783161484100"), "book"),
        (Bibliography(), "document"),
    ],
)
def test_a_kind_is_told_by_the_fields(answered: Answered, known: Bibliography, kind: str) -> None:
    """Where nobody said it."""
    assert [work.type for work in works(answered, ["T"], known)] == [kind]


def test_a_page_of_the_web_is_one(answered: Answered) -> None:
    """By its address, under which it may be known too."""
    address = "https://example.org/a"
    answer = answered("A {0}", {"title": "T", "source_url": address})
    (work,) = works_of(answer, render_answer(answer).sources, {address: Bibliography(issued="2026")})
    assert (work.type, work.bibliography.issued) == ("webpage", "2026")


@pytest.mark.parametrize(
    ("known", "line"),
    [
        (Bibliography(), ""),
        (Bibliography(author=(MEIER, EU)), "Anna Meier; European Commission"),
        (Bibliography(author=(MEIER,) * 4), "Anna Meier and others"),
        (Bibliography(container_title="J", volume="3", issue="2", page="4-9"), "J 3(2), 4-9"),
        (Bibliography(issue="2"), "(2)"),
        (Bibliography(page="4-9", issued="2026"), "pages 4-9. 2026"),
        (Bibliography(publisher="Acme", issued="2026-03"), "Acme, 2026-03"),
    ],
)
def test_a_line_about_a_work(known: Bibliography, line: str) -> None:
    """Who, where, when, as far as it is known."""
    assert described(known) == line
