"""The language of a text is told where it is clear, and not guessed where it is not."""

from __future__ import annotations

import pytest

from pincite.reading.language import language_of

TEXTS = {
    "en": "Expenses over one hundred euro need the approval of the line manager before the trip begins.",
    "de": "Ausgaben über hundert Euro müssen vor Beginn der Reise von der Führungskraft genehmigt werden.",
    "fr": "Les dépenses supérieures à cent euros doivent être approuvées avant le début du voyage.",
    "es": "Los gastos superiores a cien euros deben ser aprobados por el responsable antes del viaje.",
    "sv": "Utgifter över hundra euro måste godkännas av chefen innan resan börjar, och kvitton lämnas in sedan.",
    "pl": "Wydatki powyżej stu euro wymagają zgody przełożonego przed rozpoczęciem podróży służbowej.",
    "ru": "Расходы свыше ста евро должны быть одобрены руководителем до начала поездки. Чеки сдаются потом.",
    "el": "Οι δαπάνες άνω των εκατό ευρώ πρέπει να εγκρίνονται πριν από την έναρξη του ταξιδιού.",
    "he": "הוצאות מעל מאה אירו טעונות אישור של המנהל לפני תחילת הנסיעה. יש למסור קבלות בתוך שלושים יום.",
    "zh": "超过一百欧元的费用须在出差前经主管批准。收据应在三十天内提交。逾期不予报销,请员工注意保留原件。",
    "ja": "百ユーロを超える費用は、出張の開始前に上司の承認が必要です。領収書は三十日以内に提出してください。",
    "ko": "백 유로가 넘는 비용은 출장 전에 관리자의 승인을 받아야 합니다. 영수증은 삼십 일 이내에 제출합니다.",
}


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("times", [1, 12])
def test_a_sentence_and_a_page(language: str, times: int) -> None:
    """One sentence is enough, and many of them are no other language."""
    assert language_of(" ".join([TEXTS[language]] * times)) == language


@pytest.mark.parametrize(
    "text", ["", "12 | 13.5\n99 | 1", "OK", "\u0301" * 500, "x = y + 1\nz = (x, y)\nq = z\n"]
)
def test_what_is_in_no_language(text: str) -> None:
    """Figures, marks and formulas are in none."""
    assert language_of(text) is None


def test_the_most_of_it_counts() -> None:
    """A summary in another language does not name the document."""
    assert language_of(TEXTS["fr"] + " " + " ".join([TEXTS["en"]] * 60)) == "en"
