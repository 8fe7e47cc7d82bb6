"""Limits right in front of a quote, and behind it, that other tables have not: conditions, claims, Chinese and Japanese."""
# ruff: noqa: E501 - a quote and its source are read side by side

from __future__ import annotations

import pytest

from pincite.checking import verify_quote
from pincite.core.verdicts import QuoteVerdict

LESS = [
    ("the landlord may raise the rent.", "If the tenant agrees, the landlord may raise the rent."),
    ("the landlord may raise the rent.", "Unless the tenant objects, the landlord may raise the rent."),
    ("the landlord may raise the rent.", "Provided the tenant agrees, the landlord may raise the rent."),
    (
        "the landlord would have raised the rent.",
        "Had the tenant agreed, the landlord would have raised the rent.",
    ),
    ("the bank would call in the loan.", "Were the rate to fall, the bank would call in the loan."),
    ("the bank may call in the loan.", "As long as the rate is below five, the bank may call in the loan."),
    (
        "the bank may call in the loan.",
        "The contract says that, if the rate falls, the bank may call in the loan.",
    ),
    ("the bank may call in the loan.", "The rule is: if the rate falls, then the bank may call in the loan."),
    (
        "the bank may call in the loan.",
        "It rained. If the rate, as set in May, falls, the bank may call in the loan.",
    ),
    (
        "darf der Vermieter die Miete erhöhen.",
        "Falls der Mieter zustimmt, darf der Vermieter die Miete erhöhen.",
    ),
    (
        "darf der Vermieter die Miete erhöhen.",
        "Wenn der Mieter zustimmt, darf der Vermieter die Miete erhöhen.",
    ),
    ("le bailleur peut augmenter le loyer.", "Si le locataire accepte, le bailleur peut augmenter le loyer."),
    (
        "el banco puede cancelar el préstamo.",
        "Si el cliente no paga la cuota, el banco puede cancelar el préstamo.",
    ),
    (
        "la banca può revocare il prestito.",
        "Se il cliente non paga la rata, la banca può revocare il prestito.",
    ),
    (
        "o banco pode cancelar o empréstimo.",
        "Se o cliente não pagar a parcela, o banco pode cancelar o empréstimo.",
    ),
    (
        "mag de bank de lening opzeggen.",
        "Als de klant de rente niet betaalt, mag de bank de lening opzeggen.",
    ),
    ("банк может отозвать кредит.", "Если клиент не платит, банк может отозвать кредит."),
    ("bank może wypowiedzieć kredyt.", "Jeśli klient nie płaci, bank może wypowiedzieć kredyt."),
    (
        "η τράπεζα μπορεί να καταγγείλει το δάνειο.",
        "Αν ο πελάτης δεν πληρώσει, η τράπεζα μπορεί να καταγγείλει το δάνειο.",
    ),
    ("房东可以提高租金。", "如果租客同意，房东可以提高租金。"),
    ("公司可以提高价格。", "合同规定，如客户同意，则公司可以提高价格。"),
    ("公司可以提高价格。", "只要客户同意，公司可以提高价格。"),
    ("家主は家賃を上げることができる。", "借主が同意すれば、家主は家賃を上げることができる。"),
    ("집주인은 집세를 올릴 수 있다.", "세입자가 동의하면, 집주인은 집세를 올릴 수 있다."),
    # What is denied, with its conjunction in the quote, or without one.
    ("dass er dort gewesen war.", "Der Zeuge bestritt, dass er dort gewesen war."),
    (
        "que l'accord était signé depuis mai.",
        "Le ministre a démenti, hier, que l'accord était signé depuis mai.",
    ),
    ("что он подписал договор в мае.", "Свидетель отрицал, что он подписал договор в мае."),
    ("że podpisał umowę w maju.", "Świadek zaprzeczył, że podpisał umowę w maju."),
    ("in adults, the drug lowers risk.", "It is not true that, in adults, the drug lowers risk."),
    ("on weekdays, the bridge is closed.", "It is false that, on weekdays, the bridge is closed."),
    ("the plan worked.", "It can hardly be said that the plan worked."),
    ("the plan had worked.", "It can scarcely be claimed that the plan had worked."),
    ("the drug lowers risk.", "There is little reason to think the drug lowers risk."),
    ("the bridge was unsafe.", "There is no reason to believe the bridge was unsafe."),
    ("the bridge was unsafe.", "We do not think the bridge was unsafe."),
    ("the bridge was unsafe.", "There is no evidence the bridge was unsafe."),
    ("the bridge was unsafe.", "No study has shown the bridge was unsafe."),
    ("the bridge was unsafe.", "The experts reject the idea that the bridge was unsafe."),
    ("le pont était dangereux.", "Le témoin n'a jamais dit que le pont était dangereux."),
    ("мост был опасен.", "Никто не говорил, что мост был опасен."),
    ("ワクチンは自閉症を引き起こす", "ワクチンは自閉症を引き起こすという証拠はない。"),
    ("五百万人受到影响", "近五百万人受到影响。"),
    ("公司可以解除合同", "在员工严重违纪的情况下，公司可以解除合同。"),
    ("the tenant pays the costs.", "(b) if the landlord objects, the tenant pays the costs."),
    ("该疫苗会引起自闭症。", "没有证据表明该疫苗会引起自闭症。"),
    ("该药物可以治愈癌症。", "目前尚无可靠证据证明该药物可以治愈癌症。"),
    ("该药物可以治愈癌症。", "专家不认为该药物可以治愈癌症。"),
    # Numbers, and what is behind a quote.
    ("三百人参加了会议", "至多三百人参加了会议。"),
    ("三千名工人参加了罢工", "不足三千名工人参加了罢工。"),
    ("三百人が会議に参加した。", "せいぜい三百人が会議に参加した。"),
    ("2023年营业收入为3.2亿", "2023年营业收入为3.2亿元，同比增长。"),
    ("该项目总投资为12万", "该项目总投资为12万美元。"),
    ("该项目总投资为3千", "该项目总投资为3千万元。"),
    ("売上高は前年比で3億", "売上高は前年比で3億円増加した。"),
    ("买方应当支付全部款项", "买方应当支付全部款项，前提是客户书面申请。"),
    ("卖方应当退还全部货款", "卖方应当退还全部货款，条件是货物未被使用。"),
]

SAME = [
    ("the landlord may raise the rent.", "If the tenant agrees, we talk. the landlord may raise the rent."),
    ("The landlord may raise the rent.", "What if the tenant agrees? The landlord may raise the rent."),
    ("the landlord may raise the rent.", "She asked if he came, but the landlord may raise the rent."),
    ("the landlord may raise the rent.", "Even if the tenant objects, the landlord may raise the rent."),
    ("the bank may call in the loan.", "Provided with good lawyers, the bank may call in the loan."),
    ("the bank may call in the loan.", "In May, as was said, the bank may call in the loan."),
    (
        "If the tenant agrees, the landlord may raise the rent.",
        "It rained. If the tenant agrees, the landlord may raise the rent.",
    ),
    ("darf die Bank den Kredit kündigen.", "Im Mai, so der Richter, darf die Bank den Kredit kündigen."),
    ("房东可以提高租金。", "如果租客同意，我们就谈。房东可以提高租金。"),
    ("公司可以提高价格。", "如图所示，公司可以提高价格。"),
    ("家主は家賃を上げることができる。", "例えば、家主は家賃を上げることができる。"),
    ("집주인은 집세를 올릴 수 있다.", "반면, 집주인은 집세를 올릴 수 있다."),
    ("dass er dort gewesen war.", "Der Zeuge sagte, dass er dort gewesen war."),
    ("the bridge was unsafe.", "He did not come, but the mayor said the bridge was unsafe."),
    ("the bridge was unsafe.", "She had no doubt and said the bridge was unsafe."),
    ("the bridge was unsafe.", "The mayor thought the bridge was unsafe."),
    ("the bridge was unsafe.", "There is no doubt that the bridge was unsafe."),
    ("the bridge was unsafe.", "There is evidence the bridge was unsafe."),
    ("公司可以提高价格。", "在这种情况下，公司可以提高价格。"),
    ("三国签署了新的协定", "根据该条约三国签署了新的协定。"),
    ("该药物可以治愈癌症。", "有证据表明该药物可以治愈癌症。"),
    ("三国签署了新的贸易协定", "最近三国签署了新的贸易协定。"),
    ("该项目总投资为12万元", "该项目总投资为12万元。"),
    ("该工程于2023年完工", "该工程于2023年完工并投入使用"),
]


@pytest.mark.parametrize(("quote", "source"), LESS)
def test_a_quote_without_what_limits_it_is_truncated(quote: str, source: str) -> None:
    """Within one sentence, in front and behind."""
    check = verify_quote(quote, source)
    assert check.verdict is QuoteVerdict.TRUNCATED, check.reason


@pytest.mark.parametrize(("quote", "source"), SAME)
def test_what_is_of_another_sentence_or_no_limit_does_no_harm(quote: str, source: str) -> None:
    """Whatever it looks like."""
    check = verify_quote(quote, source)
    assert check.is_verified, check.reason


def test_the_condition_is_named() -> None:
    """As it is written, without its comma."""
    check = verify_quote(
        "the landlord may raise the rent.", "If the tenant agrees, the landlord may raise the rent."
    )
    assert check.reason.endswith("It leaves out “If the tenant agrees”.")


@pytest.mark.parametrize("source", ["公司不得提高价格", "公司不得擅自提高价格。", "公司从未提高价格"])
def test_short_parts_hide_nothing(source: str) -> None:
    """Parts that prove nothing each do not make a quote too short that left out a negator."""
    assert verify_quote("公司……提高价格", source).verdict is QuoteVerdict.ALTERED


def test_short_parts_still_prove_nothing() -> None:
    """Where nothing was hidden."""
    assert verify_quote("公司……提高价格", "公司一致同意提高价格").verdict is QuoteVerdict.TOO_SHORT
