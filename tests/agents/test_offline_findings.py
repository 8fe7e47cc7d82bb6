"""What readers found in the answers of the offline model: records that it declined, and sentences beside the point."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.agents import NO_ANSWER, AnswerStatus, OfflineModel
from pincite.agents._extract import extract
from pincite.agents._review import review
from pincite.agents._units import Source, units_of
from pincite.agents._words import ASKS_OF_ONESELF, HEAD_LINE, SPEAKS_TO_READER
from pincite.agents.offline_model import NOT_BY_ITSELF
from pincite.agents.status import AnswerFacts, status_of
from pincite.citing import CitationRun
from pincite.core.verdicts import Confidence

if TYPE_CHECKING:
    from collections.abc import Mapping

SHIPS = (
    "ship | built | capacity | max speed knots\nship: Heron | built: 1998 | capacity: 320 | max speed knots: 16\n"
    "ship: Petrel | built: 2011 | capacity: 180 | max speed knots: 28\n"
    "ship: Gannet | built: 2019 | capacity: 540 | max speed knots: 19"
)
HERON = "ship: Heron | built: 1998 | capacity: 320 | max speed knots: 16"
PETREL = "ship: Petrel | built: 2011 | capacity: 180 | max speed knots: 28"
REFUNDS = (
    "Refunds\n\nWhat you get back depends on when you cancel your booking.\n\nWhen you cancel | Refund\n"
    "7 days or more before departure | 100 %\n1 to 6 days before departure | 50 %\nOn the day of departure | nothing"
)
BICYCLES = "Bicycles\n\nA bicycle costs 6 euro on every route. Electric bicycles must be switched off."
FARES = "Tickets\n\nAn adult ticket costs 14 euro. Children under six travel free."
MAIL = (
    "Subject: Engine trouble on the Heron\nFrom: Jon Dahl <jon@nordsund.example>\nTo: Staff <staff@nordsund.example>\n"
    "Date: Mon, 2 Mar 2026 09:00:00 +0100\n\nHello all,\n\n"
    "On Saturday the port engine of the Heron failed off Elva. The repair is going to cost about 8,900 euro."
)
MEALS = (
    "On journeys of more than eight hours we reimburse meals up to the caps below.\n\n"
    "Meal | At home | Abroad\nBreakfast | 12 EUR | 15 EUR\nDinner | 32 EUR | 42 EUR"
)


def quoted(question: str, *passages: tuple[str, Confidence | None]) -> list[str]:
    """Return the quotes of an answer from passages, each with what the search says of it."""
    sources = [Source(text, "", confidence) for text, confidence in passages]
    return [sources[one.source].text[one.start : one.end] for one in extract(question, sources)]


def supported(*texts: str) -> list[tuple[str, Confidence | None]]:
    """Return passages that the search supports."""
    return [(text, Confidence.SUPPORTED) for text in texts]


def weak(*texts: str) -> list[tuple[str, Confidence | None]]:
    """Return passages that the search calls weak."""
    return [(text, Confidence.WEAK) for text in texts]


# --- A4: records that are found, and declined ---


@pytest.mark.parametrize(
    ("question", "passage", "row"),
    [
        ("How many passengers does the Heron carry?", SHIPS, HERON),
        ("How fast is the Petrel?", SHIPS, PETREL),
        ("What is the cap for dinner on a journey abroad?", MEALS, "Dinner | 32 EUR | 42 EUR"),
    ],
)
def test_finding_a4_a_supported_record_is_quoted_by_the_name_in_it(
    question: str, passage: str, row: str
) -> None:
    """The one row that names what is asked about is quoted, though its column has another word for it."""
    assert quoted(question, *supported(passage), *weak(BICYCLES, FARES)) == [row]


@pytest.mark.parametrize(
    "question",
    [
        "Who is the captain of the Heron?",
        "How long does the Heron take to Elva?",
        "What is the colour of the Petrel?",
        "How many passengers do the ships carry?",
    ],
)
def test_finding_a4_a_record_without_what_is_asked_for_is_not_quoted(question: str) -> None:
    """A name is not enough: no person, no time and no such column is in the row; and no name is in the last."""
    assert quoted(question, *supported(SHIPS)) == []


def test_finding_a4_a_weak_record_is_not_quoted_for_its_name() -> None:
    """The name alone carries a row only where the search supports its passage."""
    assert quoted("How many passengers does the Heron carry?", *weak(SHIPS)) == []


def test_finding_a4_rows_that_no_word_tells_apart_come_together() -> None:
    """Two rows hold the same words of the question, so both are quoted, and the reader sees which is theirs."""
    assert quoted("What refund do I get when I cancel a day before?", *supported(REFUNDS)) == [
        "7 days or more before departure | 100 %",
        "1 to 6 days before departure | 50 %",
    ]


@pytest.mark.parametrize(
    ("says", "text"),
    [
        (
            {"r1": Confidence.SUPPORTED, "r2": Confidence.WEAK},
            f"{NOT_BY_ITSELF} The nearest passages: Rules, page 4, Dogs.",
        ),
        ({"r1": Confidence.WEAK, "r2": Confidence.WEAK}, NO_ANSWER),
        ({}, NO_ANSWER),
    ],
)
async def test_finding_a4_it_says_nothing_false_of_the_documents(
    says: Mapping[str, Confidence], text: str
) -> None:
    """Where the search supports a passage, its place is named in place of `the documents do not answer`."""
    payloads = [
        {
            "ref": "r1",
            "title": "Rules",
            "locator": "page 4, Dogs",
            "content": "Pets are welcome on the deck.",
        },
        {"ref": "r2", "title": "Rules", "locator": "page 9", "content": "The bar opens at noon."},
    ]
    written = OfflineModel(confidence=says.get).answer("Who composed the opera?", payloads)
    assert written == text
    reviewed = await review(written, CitationRun())
    assert reviewed.declines
    assert status_of(AnswerFacts(declined=True, shown=True)) is AnswerStatus.INSUFFICIENT_EVIDENCE


def test_finding_a4_places_cannot_cite() -> None:
    """A title that looks like a marker is told with other brackets, each place once, at most three."""
    payloads = [
        {"ref": f"r{at}", "title": title, "locator": "", "content": "Pets are welcome on the deck."}
        for at, title in enumerate(("A [0a1b2c3d]", "A [0a1b2c3d]", "B", "C", "D"))
    ]
    model = OfflineModel(confidence=lambda _key: Confidence.SUPPORTED)
    assert model.answer("Who composed it?", payloads) == (
        f"{NOT_BY_ITSELF} The nearest passages: A (0a1b2c3d); B; C."
    )


def test_a_row_without_its_header_stands_behind_the_columns_that_the_search_names() -> None:
    """The names of the columns are in the payload where the header is in another passage."""
    payload = {
        "ref": "r1",
        "title": "Codes",
        "locator": "",
        "columns": "Code | Price",
        "content": "FM-110 | 618.00\nDL-8 | 410.00",
    }
    assert (
        OfflineModel()
        .answer("What is the price of the DL-8?", [payload])
        .startswith("Code · Price: DL-8 · 410.00 [r1]")
    )


# --- B5: sentences beside the point ---


def test_finding_b5_a_further_sentence_needs_the_rare_word() -> None:
    """That other things cost something too is no answer to what a bicycle costs."""
    passages = supported(BICYCLES, FARES, MAIL)
    assert quoted("What does a bicycle cost?", *passages) == ["A bicycle costs 6 euro on every route."]


def test_finding_b5_the_head_of_a_mail_is_no_answer() -> None:
    """What happened is told by the mail's own sentence, whatever its subject shares with the question."""
    passages = [*supported(MAIL), *weak(SHIPS)]
    assert quoted("What happened to the Heron?", *passages) == [
        "On Saturday the port engine of the Heron failed off Elva."
    ]
    assert quoted("Who is the staff of the trouble?", *supported(MAIL)) == []


def test_finding_b5_one_such_line_alone_may_answer() -> None:
    """`Subject:` heads a mail only in company: a line of a form is not lost."""
    unit = units_of(0, Source("Subject: Mathematics for beginners, with 12 lessons."))[0]
    assert unit.states


def test_finding_b5_weak_is_not_quoted_where_supported_answers() -> None:
    """Both hold the words; the search has told them apart."""
    pair = ("A bicycle costs 6 euro on the ferry.", "A bicycle costs 900 euro in the shop.")
    assert quoted("What does a bicycle cost?", *weak(pair[1]), *supported(pair[0])) == [pair[0]]
    assert quoted("What does a bicycle cost?", *weak(pair[1])) == [pair[1]]


# --- From the page about how true the answers are ---


def test_finding_a_sentence_that_shares_only_the_name_is_no_answer() -> None:
    """A question about the company is not answered by any sentence with its name."""
    passages = supported(
        "Halvick Instruments continues your full pay for the first six weeks of an illness.",
        "Halvick Instruments, 12 Millrace Street, meeting room 2, 09:00 to 11:40.",
        "The office is open on Monday. The stairs are swept in May. Tea is free.",
    )
    assert quoted("When was Halvick Instruments founded?", *passages) == []


def test_finding_my_accounts_are_those_of_the_reader() -> None:
    """Who asks of `my accounts` is answered by `your accounts`, and not by the annual ones beside it."""
    theirs = "Your accounts are closed at 18:00 on that day, and the mailbox is deleted 30 days after."
    annual = "No leave is granted between 2 and 15 January, when the annual accounts are closed."
    assert quoted("When are my accounts closed after I leave?", *supported(annual, theirs)) == [theirs]
    assert annual in quoted("When are the accounts closed after the leave?", *supported(annual, theirs))


@given(st.text(max_size=200), st.text(max_size=60), st.sampled_from([None, *Confidence]))
def test_whatever_the_search_says_quotes_lie_in_the_passage(
    text: str, question: str, confidence: Confidence | None
) -> None:
    """Every quote is a span of its passage that holds something, also where a row is quoted for its name."""
    source = Source(f"Name | Size\n{text}\nBolt | 4", "", confidence)
    for quote in extract(f"{question} bolt", [source]):
        assert source.text[quote.start : quote.end].strip()


def test_patterns_are_linear() -> None:
    """1 MB of each pattern's worst input ends (the hang guard would notice otherwise)."""
    for pattern in (HEAD_LINE, ASKS_OF_ONESELF, SPEAKS_TO_READER):
        for worst in (
            " " * 1_000_000,
            "to" * 500_000,
            "\n \n" * 300_000,
            "my " * 300_000,
            "subject" * 140_000,
        ):
            assert pattern.search(f"{worst}x") is None or worst
