"""Bibliographic fields: each has its form or is refused, and they go to CSL-JSON and back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.bibliography import NO_BIBLIOGRAPHY, Author, Bibliography
from pincite.core.errors import InputError

WHOLE = Bibliography(
    type="article-journal",
    author=(Author("Meier", "Anna"), Author(literal="European Commission")),
    issued="2026-03-18",
    publisher="Acme & Sons",
    container_title="Journal of Things",
    volume="3",
    issue="2",
    page="4-9",
    doi="10.1000/182",
    isbn="9783161484100",
    issn="2049-3630",
    language="de-CH",
)


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("Meier, Anna", Author("Meier", "Anna")),
        (" van Beethoven ,  Ludwig ", Author("van Beethoven", "Ludwig")),
        ("European Commission", Author(literal="European Commission")),
        ("Anna Meier", Author(literal="Anna Meier")),
        ("Acme, Inc.", Author(literal="Acme, Inc.")),
        ("Halvick, GmbH", Author(literal="Halvick, GmbH")),
        ("Meier, Anna, PhD", Author(literal="Meier, Anna, PhD")),
        ("毛, 泽东", Author("毛", "泽东")),
        ("Mei\u202eer, A\x00nna", Author("Mei er", "A nna")),
    ],
)
def test_a_name_is_taken_apart_at_its_comma_and_nowhere_else(name: str, author: Author) -> None:
    """Which word is the family's nobody can tell without one; what steers a text is left out."""
    assert Author.of(name) == author


@pytest.mark.parametrize(("author", "said"), [(0, "Anna Meier"), (1, "European Commission")])
def test_a_name_is_said_as_in_a_sentence(author: int, said: str) -> None:
    """The given name first; a whole name as it is."""
    assert str(WHOLE.author[author]) == said


@pytest.mark.parametrize(
    "names",
    [{}, {"given": "Anna"}, {"family": "A", "literal": "B"}, {"family": 5}, {"literal": "\u202e \x00"}],
)
def test_no_author_is_half_a_name(names: dict[str, Any]) -> None:
    """A family name, or one name as a whole."""
    with pytest.raises(InputError) as caught:
        Author(**names)
    assert caught.value.field == "author"


@pytest.mark.parametrize(
    ("field", "given", "kept"),
    [
        ("doi", "10.1000/182", "10.1000/182"),
        ("doi", "doi:10.1000/182", "10.1000/182"),
        ("doi", "DOI: 10.1000/182", "10.1000/182"),
        ("doi", "https://doi.org/10.1000/182", "10.1000/182"),
        ("doi", "http://dx.doi.org/10.1000/182.", "10.1000/182"),
        (
            "doi",
            "10.1002/(SICI)1097-4571(199806)49:8<693::AID>3.0.CO;2-O",
            "10.1002/(SICI)1097-4571(199806)49:8<693::AID>3.0.CO;2-O",
        ),
        ("issued", "2026", "2026"),
        ("issued", "2026-3", "2026-03"),
        ("issued", "2026/03/18", "2026-03-18"),
        ("issued", "2024-02-29T23:59:59+01:00", "2024-02-29"),
        ("language", "en", "en"),
        ("language", "en_GB", "en-GB"),
        ("isbn", "978-3-16-148410-0", "9783161484100"),
        ("isbn", "urn:isbn:0-306-40615-2", "0306406152"),
        ("isbn", "0 8044 2957 x", "080442957X"),
        ("issn", "ISSN 2049-3630", "2049-3630"),
        ("issn", "2434561x", "2434-561X"),
        ("type", "report", "report"),
        ("publisher", " Acme\n& \u202eSons ", "Acme & Sons"),
        ("page", "4-9", "4-9"),
    ],
)
def test_what_is_given_is_kept_in_one_form(field: str, given: str, kept: str) -> None:
    """Whatever people and files write around it."""
    values: dict[str, Any] = {field: given}
    assert getattr(Bibliography(**values), field) == kept


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("doi", "Smith et al. 2004"),
        ("doi", "10.1000"),
        ("doi", "11.1000/182"),
        ("doi", "10.1000/a b"),
        ("doi", "10.1000/a}\\input{x"),
        ("doi", "javascript:10.1000/182"),
        ("doi", "https://evil.example/10.1000/182"),
        ("doi", "10.1000/" + "a" * 10_000),
        ("doi", "10.1000/é"),
        ("doi", "10.1000/<img/src=x/onerror=alert(1)>"),
        ("issued", "18 March 2026"),
        ("issued", "2026-13"),
        ("issued", "2026-02-30"),
        ("issued", "0000"),
        ("issued", "D:20260318"),
        ("language", "English"),
        ("language", "x-default"),
        ("isbn", "978-3-16-148410-1"),
        ("isbn", "X306406152"),
        ("isbn", "12345"),
        ("issn", "2049-3631"),
        ("type", "novel"),
        ("doi", 5),
        ("publisher", None),
        ("author", "Meier, Anna"),
        ("author", [5]),
    ],
)
def test_what_has_not_its_form_is_refused(field: str, given: Any) -> None:
    """With a sentence that names the field; nothing else is ever shown of a document."""
    values: dict[str, Any] = {field: given}
    with pytest.raises(InputError) as caught:
        Bibliography(**values)
    assert caught.value.field == field
    assert caught.value.message.startswith(f"`{field}` is ")


def test_lists_and_lines_are_bounded() -> None:
    """A paper of a thousand authors and a publisher of a thousand pages."""
    made = Bibliography(author=(Author("A"),) * 1_000, publisher="p" * 100_000, volume="v" * 1_000)
    assert (len(made.author), len(made.publisher), len(made.volume)) == (300, 300, 60)


def test_csl_names_and_shapes() -> None:
    """As the CSL-JSON schema has them."""
    assert WHOLE.as_dict() == {
        "type": "article-journal",
        "author": [{"family": "Meier", "given": "Anna"}, {"literal": "European Commission"}],
        "issued": {"date-parts": [[2026, 3, 18]]},
        "publisher": "Acme & Sons",
        "container-title": "Journal of Things",
        "volume": "3",
        "issue": "2",
        "page": "4-9",
        "DOI": "10.1000/182",
        "ISBN": "9783161484100",
        "ISSN": "2049-3630",
        "language": "de-CH",
    }
    assert NO_BIBLIOGRAPHY.as_dict() == {}


@pytest.mark.parametrize("known", [WHOLE, NO_BIBLIOGRAPHY, Bibliography(issued="0987-01")])
def test_csl_and_back(known: Bibliography) -> None:
    """Nothing is lost on the way."""
    assert Bibliography.from_dict(known.as_dict()) == known


def test_other_csl_fields_are_left_out() -> None:
    """An item of a reference manager has more of them."""
    item = {
        "id": "x",
        "title": "T",
        "editor": [{"family": "E"}],
        "volume": "3",
        "author": [{"family": "A", "suffix": "Jr"}],
    }
    assert Bibliography.from_dict(item) == Bibliography(volume="3", author=(Author("A"),))


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], "bibliography"),
        ({"author": "Meier"}, "author"),
        ({"author": ["Meier"]}, "author"),
        ({"author": [{"given": "Anna"}]}, "author"),
        ({"issued": {"raw": "2026"}}, "issued"),
        ({"issued": {"date-parts": [["2026"]]}}, "issued"),
        ({"issued": {"date-parts": [[2026, 99]]}}, "issued"),
        ({"issued": {"date-parts": []}}, "issued"),
        ({"DOI": "x"}, "doi"),
        ({"volume": 3}, "volume"),
    ],
)
def test_json_of_another_shape_is_refused(data: Any, field: str) -> None:
    """Never a TypeError or a KeyError."""
    with pytest.raises(InputError) as caught:
        Bibliography.from_dict(data)
    assert caught.value.field == field


def test_what_is_given_goes_before_what_was_found() -> None:
    """Field by field."""
    found = Bibliography(author=(Author("Found"),), issued="1999", doi="10.1000/1")
    given = Bibliography(issued="2026", publisher="Acme")
    assert given.over(found) == Bibliography(
        author=(Author("Found"),), issued="2026", doi="10.1000/1", publisher="Acme"
    )
    assert NO_BIBLIOGRAPHY.over(found) == found.over(NO_BIBLIOGRAPHY) == found


@given(st.text(max_size=60))
def test_whatever_a_file_says_is_kept_in_its_form_or_refused(text: str) -> None:
    """A form is its own form: what was kept once is kept again, and goes through JSON."""
    for field in ("doi", "issued", "language", "isbn", "issn", "type", "publisher", "page"):
        values: dict[str, Any] = {field: text}
        try:
            made = Bibliography(**values)
        except InputError:
            continue
        again: dict[str, Any] = {field: getattr(made, field)}
        assert Bibliography(**again) == made
        assert Bibliography.from_dict(made.as_dict()) == made
