"""Words that somebody has put into a quote in brackets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.checking import verify_quote
from pincite.checking._bracketed import is_form, says_other
from pincite.core.verdicts import QuoteVerdict

OTHER = [
    # Another word in the place of one that means something.
    ("Patients [over] 18 were excluded", "Patients under 18 were excluded"),
    ("Costs [rose] by 12.5% in May", "Costs fell by 12.5% in May"),
    ("Sales [increased] in all of the regions", "Sales decreased in all of the regions"),
    ("The court found [Meier] guilty", "The court found Schulz guilty"),
    ("The [plaintiff] pays the costs of the case", "The defendant pays the costs of the case"),
    ("The tenant [must] leave the flat in May", "The tenant may leave the flat in May"),
    ("taxes [will double and everyone will pay] next year", "taxes would stay the same next year"),
    ("Die Kosten [stiegen] im Mai um 12 Prozent", "Die Kosten sanken im Mai um 12 Prozent"),
    ("Le tribunal a reconnu [Martin] coupable", "Le tribunal a reconnu Durand coupable"),
    ("El tribunal declaró [culpable] al acusado en mayo", "El tribunal declaró inocente al acusado en mayo"),
    ("Суд признал [Петрова] виновным в краже", "Суд признал Иванова виновным в краже"),
    ("法院认定[原告]应当支付费用", "法院认定被告应当支付费用"),
    # The same at an end of the quote.
    ("[Meier] signed the lease in May.", "Schulz signed the lease in May."),
    ("[原告]应当支付诉讼费用", "被告应当支付诉讼费用"),
    ("The letter was sealed by order of [the mayor].", "The letter was sealed by order of the governor."),
    ("In May the court found guilty [Meier]", "In May the court found guilty Schulz and others"),
    ("The shares of the firm fell by [5]", "The shares of the firm fell by 12 percent in May"),
    # What turns round what stands behind it, or says more than is there.
    ("[It is a lie that] the vaccine prevents infection.", "the vaccine prevents infection."),
    (
        "The vaccine [is a scam that] prevents infection in adults.",
        "The vaccine prevents infection in adults.",
    ),
    ("[Critics claim that] the new rules are fair to all.", "the new rules are fair to all."),
    ("[Es ist eine Lüge, dass] die Impfung schützt vor Ansteckung.", "die Impfung schützt vor Ansteckung."),
    ("The report [falsely] states that the bridge is safe.", "The report states that the bridge is safe."),
    ("The minister [allegedly] took the money in May.", "The minister took the money in May."),
    ("The [so-called] experts agreed on the new rules.", "The experts agreed on the new rules."),
    ("The bridge [, as critics wrongly say,] is safe for carts.", "The bridge is safe for carts."),
    ("[All] keepers of the harbour left in May", "keepers of the harbour left in May"),
    ("At noon [over] 30 people were counted", "At noon 30 people were counted"),
    # An ending that makes another word.
    ("the licence expire[d] in May and was renewed", "the licence extends in May and was renewed"),
]

SAME = [
    ("[he] signed the new lease in May", "the mayor signed the new lease in May"),
    ("In May [he] signed the new lease", "In May the mayor signed the new lease"),
    ("In May [the mayor] signed the new lease", "In May he signed the new lease"),
    ("[The mayor] shut the gate before noon.", "Then he quickly shut the gate before noon."),
    ("[they] left the harbour in May and June", "the keepers left the harbour in May and June"),
    (
        "Er sagte, [der Bürgermeister] habe den Vertrag unterschrieben.",
        "Er sagte, er habe den Vertrag unterschrieben.",
    ),
    ("[Il] a signé le nouveau bail en mai", "Le maire a signé le nouveau bail en mai"),
    ("[Mayor Schulz] signed the lease of the mill.", "Schulz signed the lease of the mill."),
    ("The licence will expire[d] at the end of May", "The licence will expire at the end of May"),
    ("The licence expire[d] at the end of May", "The licence expires at the end of May"),
    ("The keepers work[ed] in the harbour all night", "The keepers work in the harbour all night"),
    ("The keepers [work] in the harbour all night", "The keepers worked in the harbour all night"),
    ("the guards [stopped] at the gate of the harbour", "the guards stop at the gate of the harbour"),
    ("He said that the court [was] in session then.", "He said that the court is in session then."),
    ("[T]he mayor signed the new lease in May", "the mayor signed the new lease in May"),
    ("The sale [of the house] was closed in May", "The sale was closed in May"),
    ("The letter [to the mayor] was signed by all keepers.", "The letter was signed by all keepers."),
    ("the keeper shut the gate quickly [emphasis added]", "the keeper shut the gate quickly before noon."),
    ("the keeper of the gate [Schulz] left at noon", "the keeper of the gate left at noon"),
    ("by the order of [the mayor]", "by the order of him alone"),
]


@pytest.mark.parametrize(("quote", "source"), OTHER)
def test_other_words_in_brackets_are_other_words(quote: str, source: str) -> None:
    """Brackets do not make them the source's."""
    check = verify_quote(quote, source)
    assert check.verdict in {QuoteVerdict.ALTERED, QuoteVerdict.ABSENT}, check.reason


@pytest.mark.parametrize(("quote", "source"), SAME)
def test_an_editors_brackets_are_typography(quote: str, source: str) -> None:
    """For a word that stands for another, another form of the same word, or nothing."""
    check = verify_quote(quote, source)
    assert check.is_verified, check.reason


@given(st.text(st.characters(categories=["Ll"]), min_size=1, max_size=12))
def test_a_word_is_a_form_of_itself(word: str) -> None:
    """And stands for itself in brackets."""
    assert is_form(word, word)
    assert not says_other([word], [word])


@pytest.mark.parametrize(
    ("one", "other"),
    [("carry", "carried"), ("stop", "stopping"), ("sign", "signs"), ("signieren", "signiert")],
)
def test_forms_of_a_word(one: str, other: str) -> None:
    """By their endings alone, either way."""
    assert is_form(one, other)
    assert is_form(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("under", "over"),
        ("increase", "decrease"),
        ("employer", "employee"),
        ("safe", "unsafe"),
        ("use", "useless"),
    ],
)
def test_other_words(one: str, other: str) -> None:
    """However alike they are."""
    assert not is_form(one, other)
    assert not is_form(other, one)
