"""What users of other systems reported about answers that were not true to their sources, each by its name."""

from __future__ import annotations

import pytest

from pincite.checking import (
    QuoteVerdict,
    SourceIndex,
    SupportVerdict,
    check_answer,
    quotations_of,
    verify_quote,
)
from pincite.citing import CitationRun
from pincite.core.answer import Answer
from pincite.showing import export, render_answer

V = QuoteVerdict

LEAVE = "Employees may not carry over leave. Leave that is unused expires in March."


def test_kotaemon_469_a_quote_that_is_not_exact_still_leads_to_its_place() -> None:
    """The best match is returned with its place, so that there is something to highlight, and called what it is."""
    check = verify_quote("Leave that was unused expires in March.", LEAVE)
    assert check.verdict is V.ALTERED
    assert check.start is not None
    assert LEAVE[check.start : check.end] == "Leave that is unused expires in March."


@pytest.mark.parametrize(
    "report", ["anything_llm_826", "anything_llm_3102", "ragflow_7232"], ids=lambda name: name
)
def test_a_right_answer_with_an_unrelated_citation_is_told_of(report: str) -> None:
    """A citation that says nothing of the kind is unsupported, and the passage that would do is named."""
    assert report
    run = CitationRun()
    leave = run.present({"id": "leave-1", "title": "Leave", "content": LEAVE})
    rooms = run.present({"id": "rooms-1", "title": "Rooms", "content": "Rooms are booked a week ahead."})
    check = run.check(run.resolve(f"Unused leave expires in March [{rooms['ref']}]."))
    assert check.answer.citations[0].support is SupportVerdict.UNSUPPORTED
    better = check.claims[0].better
    assert better is not None
    assert better.key == leave["ref"]


def test_anything_llm_2064_each_sentence_has_its_own_reference() -> None:
    """In the text and in HTML a number stands at the sentence and leads to its source; there is no bare list."""
    run = CitationRun()
    leave = run.present({"id": "leave-1", "title": "Leave", "content": LEAVE})["ref"]
    rooms = run.present({"id": "rooms-1", "title": "Rooms", "content": "Rooms are booked a week ahead."})[
        "ref"
    ]
    answer = run.resolve(f"Unused leave expires in March [{leave}]. Rooms are booked a week ahead [{rooms}].")
    assert (
        render_answer(answer).text == "Unused leave expires in March [1]. Rooms are booked a week ahead [2]."
    )
    page = export(answer, to="html")
    first, second = page.index("expires in March"), page.index("Rooms are booked")
    assert first < page.index('href="#') < second


@pytest.mark.parametrize("report", ["paper_qa_929", "paper_qa_1316", "paper_qa_1033"], ids=lambda name: name)
@pytest.mark.parametrize(
    "invented",
    [
        "(Smith et al. 2004)",
        "[Smith et al. 2004]",
        "[[1]](https://doi.org/10.9999/made.up)",
        "(https://doi.org/10.9999/made.up)",
        "[10.9999/made.up]",
    ],
)
def test_a_made_up_reference_is_no_citation(report: str, invented: str) -> None:
    """It is told of, cites nothing, and no address of its making can be followed."""
    assert report
    run = CitationRun()
    run.present({"id": "leave-1", "title": "Leave", "content": LEAVE})
    answer = run.resolve(f"Unused leave expires in March {invented}.")
    assert answer.citations == ()
    assert [finding.code for finding in answer.checks] == ["uncited_sentence"]
    rendered = render_answer(answer)
    assert "doi.org/" not in rendered.text
    assert "](" not in rendered.text
    assert rendered.sources == ()
    for to in ("bibtex", "csl-json"):
        assert "10.9999" not in export(answer, to=to)


def test_mike_391_an_ellipsis_that_hides_a_not_is_altered() -> None:
    """The words that were left out are shown, and with a negator among them nothing is verified."""
    check = verify_quote("Employees may … carry over leave.", LEAVE)
    assert check.verdict is V.ALTERED
    assert check.omitted == ("not",)
    assert not check.is_verified


def test_mike_391_parts_stand_in_order_and_not_far_apart() -> None:
    """An ellipsis neither turns the order round nor leaps over a document."""
    assert not verify_quote("Leave that is unused … Employees may not carry over", LEAVE).is_verified
    far = f"Employees may not carry over leave. {'Rooms are booked ahead. ' * 2_000}Unused leave expires in March."
    assert not verify_quote(
        "Employees may not carry over leave. … Unused leave expires in March.", far
    ).is_verified


def test_mike_249_exact_repaired_or_unverified() -> None:
    """Three states a reader understands; in the second the words that are shown are the source's."""
    exact = verify_quote("Leave that is unused expires in March.", LEAVE)
    repaired = verify_quote("leave that is  unused expires in March.", LEAVE)
    unverified = verify_quote("Leave that is unused expires in April.", LEAVE)
    assert [one.verdict for one in (exact, repaired, unverified)] == [V.VERBATIM, V.TYPOGRAPHIC, V.ALTERED]
    assert [one.is_verified for one in (exact, repaired, unverified)] == [True, True, False]
    assert repaired.start is not None
    assert LEAVE[repaired.start : repaired.end] == "Leave that is unused expires in March."
    assert "April" in unverified.reason
    assert "March" in unverified.reason


def test_due_diligence_agents_24_a_quote_over_a_page_break_is_found_whole() -> None:
    """With the next page's head inside, in the text of both pages; on the first page alone it is not verified."""
    quote = "The tenant shall keep the premises in good repair and shall not sublet any part of them."
    first = "The tenant shall keep the premises in good repair"
    both = f"{first}\n\nLease of 4 May\n\n12\n\nand shall not sublet any part of them."
    check = verify_quote(quote, both)
    assert check.verdict is V.TYPOGRAPHIC
    assert (check.start, check.end) == (0, len(both))
    assert not verify_quote(quote, first).is_verified


@pytest.mark.parametrize("report", ["vellum_9", "vellum_11", "fojin_532"], ids=lambda name: name)
def test_what_is_short_proves_nothing(report: str) -> None:
    """Under twelve characters there is no verified quote, and an answer does not count one."""
    assert report
    assert verify_quote("in March", LEAVE).verdict is V.TOO_SHORT
    assert verify_quote("expires in March", LEAVE).verdict is V.VERBATIM
    assert quotations_of("It says “in March” there.") == []


def test_fojin_532_words_from_many_places_are_no_quote() -> None:
    """All of them are in the source, and no run of it has them together."""
    source = "The lamp was lit. The keeper slept. A ship came by at night. The harbour was quiet and dark."
    check = verify_quote("The keeper was lit at night and the lamp slept in the quiet harbour", source)
    assert not check.is_verified


def test_open_contracts_2193_an_anchor_without_text_verifies_nothing() -> None:
    """Neither a quote nor a claim: without text the verdict is `unchecked`."""
    for source in ("", "  \n", "\ufeff", SourceIndex("")):
        check = verify_quote("Leave that is unused expires in March.", source)
        assert check.verdict is V.UNCHECKED
        assert not check.is_verified
        assert check.reason
    run = CitationRun()
    ref = run.present({"id": "leave-1", "title": "Leave", "content": LEAVE})["ref"]
    answer = run.resolve(f"Unused leave expires in March [{ref}].")
    bare = check_answer(Answer(answer.text, answer.citations), {ref: ""})
    assert bare.claims[0].verdict is SupportVerdict.UNCHECKED
