"""Digits that a quote adds or leaves out: marks of notes, and numbers."""

from __future__ import annotations

import pytest

from pincite.checking import verify_quote
from pincite.core.verdicts import DifferenceKind, QuoteVerdict

NUMBERS = [
    # Digits on the line that only the quote has, whatever letter they are glued to.
    ("公司去年营业收入增长了9%。", "公司去年营业收入增长了。"),
    ("该药物可使死亡率降低50", "该药物可使死亡率降低。"),
    ("全体员工共12人参加了年度会议", "全体员工共人参加了年度会议"),
    ("本市共有医院120家，床位充足", "本市共有医院家，床位充足"),
    ("売上高は前年比で増加した50%。", "売上高は前年比で増加した。"),
    ("契約者数は昨年末で12名となった", "契約者数は昨年末で名となった"),
    ("매출은 작년에 증가했다50.", "매출은 작년에 증가했다."),
    ("물가는 작년보다 크게 상승했다7 그리고", "물가는 작년보다 크게 상승했다 그리고"),
    ("ราคาเพิ่มขึ้นร้อยละ50ในปีนี้", "ราคาเพิ่มขึ้นร้อยละในปีนี้"),
    ("The drug lowers mortality50% in adults.", "The drug lowers mortality in adults."),
    ("The drug lowers mortality50 in adults.", "The drug lowers mortality in adults."),
    ("Der Umsatz stieg im Jahr deutlich12 an.", "Der Umsatz stieg im Jahr deutlich an."),
    ("Цены в прошлом году выросли30% в городе.", "Цены в прошлом году выросли в городе."),
    ("La tasa de paro bajó notablemente15 en mayo.", "La tasa de paro bajó notablemente en mayo."),
    ("The tax was raised.50 The council agreed.", "The tax was raised. The council agreed."),
    # Off the line or in brackets, but in front of what they count.
    ("The drug lowers mortality⁵⁰% in adults.", "The drug lowers mortality in adults."),
    ("Shares fell by [5] 12 percent in May", "Shares fell by 12 percent in May"),
    ("Shares fell by[5] 12 percent in May", "Shares fell by 12 percent in May"),
    ("Prices rose sharply [5] $40 in the spring.", "Prices rose sharply $40 in the spring."),
    # Digits that only the source has, where no note stands.
    ("全体员工共人参加了年度会议", "全体员工共12人参加了年度会议"),
    ("契約者数は昨年末で名となった", "契約者数は昨年末で12名となった"),
    ("매출은 크게 증가했다 그리고 줄었다", "매출은 크게 증가했다50 그리고 줄었다"),
    ("The drug lowers mortality in adults.", "The drug lowers mortality50% in adults."),
    # A number that goes on.
    ("2023年营业收入为3", "2023年营业收入为3.2亿元，同比增长"),
    ("公司净利润为12", "公司净利润为120万元。"),
    ("we tested the release v2.1", "we tested the release v2.10"),
    ("we tested release v3.4 of the tool", "we tested release v3.45 of the tool."),
    ("the price per share was €4", "the price per share was €4.2 in May"),
    ("the price per share was 4,2", "the price per share was 4,217 in May"),
]

NOTES = [
    ("The fee was raised by the council last year.", "The fee was raised by the council12 last year."),
    ("The fee was raised by the council last year.", "The fee was raised by the council¹² last year."),
    (
        "The fee was raised by the council last year.",
        "The fee was raised by the council<sup>12</sup> last year.",
    ),
    ("The fee was raised. It rained.", "The fee was raised.12 It rained."),
    ("Der Bericht umfasst alle Seen des Landes.", "Der Bericht7 umfasst alle Seen des Landes."),
    ("Отчёт охватывает все озёра страны.", "Отчёт7 охватывает все озёра страны."),
    ("The fee was raised by the council¹² last year.", "The fee was raised by the council last year."),
    (
        "The fee was raised by the council<sup>12</sup> last year.",
        "The fee was raised by the council last year.",
    ),
    ("The fee was raised by the council[12] last year.", "The fee was raised by the council last year."),
    ("The fee was raised by the council [12] last year.", "The fee was raised by the council last year."),
    ("The fee was raised by the council[^4] last year.", "The fee was raised by the council last year."),
    ("The fee was raised by the council* last year.", "The fee was raised by the council last year."),
    ("The fee was raised by the council[12] in May.", "The fee was raised by the council in May."),
    ("报告涵盖全国所有湖泊", "报告[7]涵盖全国所有湖泊"),
    ("报告涵盖全国所有湖泊", "报告⁷涵盖全国所有湖泊"),
    ("报告⁷涵盖全国所有湖泊", "报告涵盖全国所有湖泊"),
]


@pytest.mark.parametrize(("quote", "source"), NUMBERS)
def test_a_number_is_no_mark(quote: str, source: str) -> None:
    """Digits that only one side has are other wording, and so are a number's first digits alone."""
    check = verify_quote(quote, source)
    assert check.verdict in {QuoteVerdict.ALTERED, QuoteVerdict.TRUNCATED}, check.reason


@pytest.mark.parametrize(("quote", "source"), NOTES)
def test_a_mark_is_typography(quote: str, source: str) -> None:
    """On the line behind a word of the source, off the line and in brackets on either side."""
    check = verify_quote(quote, source)
    assert check.verdict is QuoteVerdict.TYPOGRAPHIC, check.reason


def test_the_whole_number_is_named() -> None:
    """Not only the currency in front of it."""
    check = verify_quote("the price per share was €4", "the price per share was €4.2 in May")
    assert [(one.kind, one.quote, one.source) for one in check.differences] == [
        (DifferenceKind.NUMBER, "€4", "€4.2")
    ]
