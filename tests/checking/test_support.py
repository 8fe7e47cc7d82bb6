"""Support by words: what bears a claim out, what contradicts it, and what is said where neither can be told."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile, much
from pincite.checking import (
    LexicalBars,
    LexicalSupport,
    ReasonKind,
    SupportCheck,
    SupportMethod,
    SupportReason,
    check_support,
    check_support_async,
)
from pincite.core.errors import InputError
from pincite.core.protocols import EvidenceText
from pincite.core.verdicts import SupportVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

SUPPORTED, PARTIAL = SupportVerdict.SUPPORTED, SupportVerdict.PARTIAL
UNSUPPORTED, CONTRADICTED = SupportVerdict.UNSUPPORTED, SupportVerdict.CONTRADICTED

DEPOT = (
    "The Arnsfeld depot opened on 14 March 2019 and employs 1,250 people. It is not open to the public on Sundays. "
    "Deliveries from Rotterdam arrive within 5 days. Revenue rose by 9.5 million EUR in 2023. "
    "Expenses over 250 EUR need the approval of the finance lead."
)


def verdict(claim: str, *passages: str) -> SupportVerdict:
    """Return what the default method says."""
    return check_support(claim, passages).verdict


@pytest.mark.parametrize(
    "claim",
    [
        "The Arnsfeld depot employs 1250 people.",
        "The depot in Arnsfeld opened on March 14, 2019.",
        "The Arnsfeld depot opened on 14.03.2019.",
        "The Arnsfeld depot opened in March 2019.",
        "The Arnsfeld depot opened in 2019.",
        "Deliveries from Rotterdam arrive within five days.",
        "Deliveries from Rotterdam arrive within 120 hours.",
        "In 2023 revenues grew by €9.5m.",
        "Revenue increased by EUR 9,500,000 in 2023.",
        "Revenue rose by about 9.4 million EUR in 2023.",
        "The finance lead approves expenses over 250 EUR.",
        "Expenses of more than 250 euros need approval by the finance lead [3].",
        "The depot is closed to the public on Sundays.",
        "Der Umsatz stieg 2023 um 9,5 Mio. Euro.",
    ],
)
def test_the_same_in_other_words_and_other_writing_is_supported(claim: str) -> None:
    """Numbers, dates, units and small changes of form are seen through."""
    german = "Der Umsatz ist im Jahr 2023 um 9,5 Millionen Euro gestiegen."
    assert verdict(claim, DEPOT, german) is SUPPORTED


@pytest.mark.parametrize(
    ("claim", "kind", "mine", "theirs"),
    [
        ("The Arnsfeld depot employs 1,520 people.", ReasonKind.NUMBER, "1,520", "1,250"),
        ("The Arnsfeld depot opened on 14 April 2019.", ReasonKind.DATE, "14 April 2019", "14 March 2019"),
        ("The Arnsfeld depot opened on 14 March 2016.", ReasonKind.DATE, "14 March 2016", "14 March 2019"),
        (
            "Deliveries from Rotterdam arrive within 5 hours.",
            ReasonKind.UNIT,
            "within 5 hours",
            "within 5 days",
        ),
        (
            "Deliveries from Rotterdam arrive within 8 days.",
            ReasonKind.NUMBER,
            "within 8 days",
            "within 5 days",
        ),
        (
            "Expenses over 250 USD need the approval of the finance lead.",
            ReasonKind.UNIT,
            "over 250 USD",
            "over 250 EUR",
        ),
        (
            "Expenses below 250 EUR need the approval of the finance lead.",
            ReasonKind.NUMBER,
            "below 250 EUR",
            "over 250 EUR",
        ),
        ("It is not open to the public on Mondays.", ReasonKind.DATE, "mondays", "sundays"),
        ("It is open to the public on Sundays.", ReasonKind.NEGATION, "", "not"),
        ("Deliveries from Rotterdam do not arrive within 5 days.", ReasonKind.NEGATION, "not", ""),
        ("Revenue fell by 9.5 million EUR in 2023.", ReasonKind.NEGATION, "fell", "rose"),
        ("Expenses over 250 EUR need no approval of the finance lead.", ReasonKind.NEGATION, "no", ""),
    ],
)
def test_one_thing_otherwise_contradicts(claim: str, kind: ReasonKind, mine: str, theirs: str) -> None:
    """In a sentence that has all the rest, another number, date, unit or the opposite polarity."""
    check = check_support(claim, [DEPOT])
    assert check.verdict is CONTRADICTED
    assert (check.reasons[0].kind, check.reasons[0].claim, check.reasons[0].source) == (kind, mine, theirs)


LANGUAGES = [
    ("Das Gerät darf nicht geöffnet werden.", "Das Gerät darf geöffnet werden."),
    ("Der Umsatz stieg 2020 um 12 Mio. Euro.", "Der Umsatz sank 2020 um 12 Millionen Euro."),
    ("Die Frist endet am 3. Mai 2021.", "Die Frist endet am 5. Mai 2021."),
    ("Le contrat n'est pas renouvelable.", "Le contrat est renouvelable."),
    ("La réunion aura lieu le 12 juin 2022 à Lyon.", "La réunion aura lieu le 21 juin 2022 à Lyon."),
    ("El contrato nunca fue firmado por el director.", "El contrato fue firmado por el director."),
    ("La temperatura máxima es de 40 °C.", "La temperatura máxima es de 40 °F."),
    ("Il museo non apre il lunedì.", "Il museo apre il lunedì."),
    ("O museu não abre às segundas no inverno.", "O museu abre às segundas no inverno."),
    ("Het museum is niet open in januari 2020.", "Het museum is open in januari 2020."),
    ("Завод не работает в воскресенье.", "Завод работает в воскресенье."),
    ("Завод открылся 5 марта 1998 года.", "Завод открылся 5 марта 1989 года."),
    ("Το μουσείο δεν ανοίγει την Κυριακή.", "Το μουσείο ανοίγει την Κυριακή."),
    ("المتحف لا يفتح يوم الأحد.", "المتحف يفتح يوم الأحد."),
    ("המוזיאון לא פתוח בימי ראשון.", "המוזיאון פתוח בימי ראשון."),
    ("संग्रहालय रविवार को नहीं खुलता है।", "संग्रहालय रविवार को खुलता है।"),
    ("この装置は屋外で使用できません。", "この装置は屋外で使用できます。"),
    ("会議は2020年3月12日に東京で開催されました。", "会議は2020年3月13日に東京で開催されました。"),
    ("该药物不安全。", "该药物安全。"),
    ("이 장치는 실외에서 사용할 수 없습니다.", "이 장치는 실외에서 사용할 수 있습니다."),
    ("Müze pazar günleri açık değil.", "Müze pazar günleri açık."),
]


@pytest.mark.parametrize(("passage", "wrong"), LANGUAGES)
def test_other_languages_are_read_too(passage: str, wrong: str) -> None:
    """Every script has words; what a passage says itself is supported, and the opposite is not."""
    assert verdict(passage, passage) is SUPPORTED
    assert verdict(wrong, passage) is CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The drug is effective.", "The drug is not only effective but also safe."),
        ("Patients receive clopidogrel.", "Patients who do not respond to aspirin receive clopidogrel."),
        ("The lease runs for 3 years.", "The lease runs for no more than 3 years."),
        ("The museum opens in January.", "No museum of the south closes; the museum opens in January."),
        (
            "Staff may travel with approval.",
            "Staff may not travel without approval, but may travel with approval.",
        ),
        ("The rule holds whether or not it rains.", "The rule holds whether it rains or not."),
        ("O museu abre no inverno.", "O museu abre no inverno e também no outono."),
        ("Der Vertrag endet im Mai.", "Der Vertrag endet im Mai oder später."),
        ("The tariff of 30 EUR applies to 4 zones.", "The tariff of 30 EUR, not 40 EUR, applies to 4 zones."),
    ],
)
def test_a_negator_of_something_else_contradicts_nothing(claim: str, passage: str) -> None:
    """Not only, or not, bounds, other clauses, and words that are negators in another language alone."""
    assert verdict(claim, passage) is not CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "passage", "name", "other"),
    [
        ("The plant in Munich makes sensors.", "The plant in Berlin makes sensors.", "Munich", "Berlin"),
        (
            "Siemens makes these sensors in Berlin.",
            "Bosch makes these sensors in Berlin.",
            "Siemens",
            "Bosch",
        ),
        ("The sensors were approved by the FDA.", "The sensors were approved by the EMA.", "FDA", "EMA"),
        ("The product iPhone sells well abroad.", "The product sells well abroad.", "iPhone", ""),
    ],
)
def test_another_name_is_never_supported(claim: str, passage: str, name: str, other: str) -> None:
    """It contradicts nothing, since a thing may have two names; but the claim is not borne out."""
    check = check_support(claim, [passage])
    assert check.verdict is PARTIAL
    assert check.reasons[0] == SupportReason(ReasonKind.NAME, name, other)


def test_a_name_may_be_given_by_its_initials() -> None:
    """WHO is the World Health Organization."""
    passage = "The World Health Organization approved the vaccine in 2021."
    assert verdict("The WHO approved the vaccine in 2021.", passage) is SUPPORTED


def test_german_nouns_are_no_names() -> None:
    """A missing one is a word like any other."""
    check = check_support("Die Mitarbeiter erhalten Urlaub und Gehalt.", ["Die Mitarbeiter erhalten Urlaub."])
    assert {reason.kind for reason in check.reasons} <= {ReasonKind.WORD}


def test_the_place_is_the_sentence_it_rests_on() -> None:
    """Offsets are of the passage that is named, and the rest of it is left out."""
    check = check_support("Deliveries from Rotterdam arrive within 5 days.", ["Something else.", DEPOT])
    assert check.passage == 1
    assert DEPOT[check.start : check.end] == "Deliveries from Rotterdam arrive within 5 days."


def test_two_adjacent_sentences_may_bear_it_out() -> None:
    """Both are named where the second adds enough."""
    text = "Unrelated words here. The bridge was built in 1908. The toll was abolished in 1974. More words."
    check = check_support("The bridge was built in 1908 and its toll was abolished in 1974.", [text])
    assert check.verdict is SUPPORTED
    assert text[check.start : check.end] == "The bridge was built in 1908. The toll was abolished in 1974."


def test_passages_bear_a_claim_out_together() -> None:
    """Each carries its half; one of them alone bears out a part."""
    claim = "The bridge was built in 1908 and carries trains to Maribor."
    first, second = "The bridge was built in 1908.", "Trains to Maribor are carried by the bridge."
    assert verdict(claim, first, second) is SUPPORTED
    assert verdict(claim, first) is PARTIAL


def test_what_another_passage_says_contradicts_nothing() -> None:
    """Of two passages that differ, the one that bears the claim out counts."""
    assert verdict("The rate is 35 cents.", "The rate is 30 cents.", "The rate is 35 cents.") is SUPPORTED


def test_a_number_that_stands_elsewhere_in_the_passage_is_not_enough() -> None:
    """The sentence of the year has another rate: neither supported nor, since the number is there, contradicted."""
    passage = "The rate was 0.30 EUR in 2023. The rate will be 0.35 EUR in 2024."
    assert verdict("The rate was 0.35 EUR in 2023.", passage) is PARTIAL


def test_what_has_little_in_common_is_unsupported() -> None:
    """No word, and a few words of many."""
    check = check_support("Cats sleep soundly.", [DEPOT])
    assert (check.verdict, check.score, check.passage) == (UNSUPPORTED, 0.0, None)
    assert check.reason == "The passages do not have the wording “cats, sleep, soundly”."
    assert (
        verdict("People dislike long winters because heating is expensive everywhere.", DEPOT) is UNSUPPORTED
    )


def test_what_is_missing_is_listed() -> None:
    """A missing number is one reason, missing words are another."""
    check = check_support("The depot opened with 700 quiet meetings.", ["The depot opened."])
    assert [(one.kind, one.claim) for one in check.reasons] == [
        (ReasonKind.NUMBER, "700"),
        (ReasonKind.WORD, "quiet, meetings"),
    ]


def test_the_score_is_the_share_that_is_held() -> None:
    """Of five items three stand in the sentence and one elsewhere: (3 + 0.5) / 5."""
    passage = "Alpha beta gamma. One more sentence comes here. Delta ends it."
    check = check_support("alpha beta gamma delta epsilon", [passage])
    assert check.score == pytest.approx(0.7)


def test_bars_may_be_set() -> None:
    """The same score is another verdict under other bars."""
    strict = LexicalSupport(LexicalBars(supported=0.9, partial=0.8))
    claim, passages = "alpha beta gamma delta", ["Alpha beta gamma."]
    assert check_support(claim, passages).verdict is SUPPORTED
    assert check_support(claim, passages, method=strict).verdict is UNSUPPORTED


@pytest.mark.parametrize("passages", [[], [""], [None, " \n"], ()])
def test_without_text_nothing_is_checked(passages: Sequence[Any]) -> None:
    """OpenContracts pull request 2193: an anchor without text must not let anything pass."""
    check = check_support("The depot opened.", passages)
    assert check.verdict is SupportVerdict.UNCHECKED
    assert check.reason == "There is no text to look in."


@pytest.mark.parametrize("claim", ["", "  ", "[1]", "...", "of the"])
def test_a_claim_without_words_is_not_checked(claim: str) -> None:
    """There is nothing to look for."""
    assert verdict(claim, DEPOT) is SupportVerdict.UNCHECKED


def test_right_answers_with_unrelated_citations_show_as_weak() -> None:
    """anything-llm issues 826 and 3102, ragflow issue 7232: "that is how vectors work" is no answer to a reader."""
    unrelated = "The cafeteria serves vegetarian meals on Fridays, and guests pay at the counter."
    assert verdict("Expenses over 250 EUR need the approval of the finance lead.", unrelated) is UNSUPPORTED


def test_passages_may_be_objects_with_a_text() -> None:
    """What a store gave is taken as it is; the index counts those that are not there."""
    evidence = EvidenceText("ev1:x", "d", "v", 0, len(DEPOT), DEPOT)
    check = check_support("The Arnsfeld depot employs 1,250 people.", iter([None, evidence]))
    assert (check.verdict, check.passage) == (SUPPORTED, 1)


@pytest.mark.parametrize(
    ("claim", "passages", "says"),
    [
        ("word " * 900, [DEPOT], "The claim has 4,500 characters"),
        ("The depot opened.", ["a"] * 101, "There are 101 passages"),
        ("The depot opened.", ["word " * 50_000], "The passages have 250,000 characters"),
    ],
)
def test_too_much_is_not_checked(claim: str, passages: list[str], says: str) -> None:
    """Over a limit there is a reason in place of a verdict."""
    check = check_support(claim, passages)
    assert check.verdict is SupportVerdict.UNCHECKED
    assert check.reason.startswith(says)


@dataclass
class Always:
    """A method of somebody's own."""

    name: str = "always"

    def check(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Support everything."""
        note = f"{claim} {len(passages)}"
        return SupportCheck(SUPPORTED, self.name, reasons=(SupportReason(ReasonKind.JUDGEMENT, note=note),))


class Awaited(Always):
    """One that waits."""

    async def check_async(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Support nothing."""
        return replace(self.check(claim, passages), verdict=UNSUPPORTED)


async def test_any_method_will_do() -> None:
    """Its own check in a thread, and the one that waits awaited."""
    assert isinstance(Always(), SupportMethod)
    assert check_support("A.", ["b"], method=Always()).method == "always"
    assert (await check_support_async("A.", ["b"], method=Always())).verdict is SUPPORTED
    assert (await check_support_async("A.", ["b"], method=Awaited())).verdict is UNSUPPORTED
    assert await check_support_async("The depot opened.", [DEPOT]) == check_support(
        "The depot opened.", [DEPOT]
    )
    assert (await check_support_async("A.", [], method=Awaited())).verdict is SupportVerdict.UNCHECKED


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"claim": None}, "claim"),
        ({"passages": "a string"}, "passages"),
        ({"passages": [3]}, "passages"),
        ({"passages": None}, "passages"),
        ({"method": "nli"}, "method"),
        ({"method": 3}, "method"),
        ({"method": object()}, "method"),
    ],
)
def test_what_cannot_be_used_is_refused(arguments: dict[str, Any], field: str) -> None:
    """Each argument says what it takes."""
    given_all: dict[str, Any] = {"claim": "The depot opened.", "passages": [DEPOT]} | arguments
    with pytest.raises(InputError) as error:
        check_support(**given_all)
    assert error.value.field == field


def test_reasons_are_plain_sentences() -> None:
    """Of each kind: both sides, only the claim's, only the passage's."""
    assert SupportReason(ReasonKind.UNIT, "5 hours", "5 days").message == (
        "The claim has the unit “5 hours”, the passage “5 days”."
    )
    assert SupportReason(ReasonKind.NUMBER, "7").message == "The passages do not have the number “7”."
    assert SupportReason(ReasonKind.NEGATION, "", "not").message == (
        "The passage has the negation “not”, which the claim has not."
    )
    assert SupportReason(ReasonKind.NEGATION, "not").message == (
        "The claim has the negation “not”, which the passage has not."
    )


def test_a_check_is_json() -> None:
    """Under the keys of the contract."""
    check = check_support("It is open to the public on Sundays.", [DEPOT])
    assert check.as_dict() == {
        "support_verdict": "contradicted",
        "method": "lexical",
        "score": 1.0,
        "passage": 0,
        "start": 69,
        "end": 109,
        "reasons": [
            {
                "kind": "negation",
                "claim": "",
                "source": "not",
                "message": "The passage has the negation “not”, which the claim has not.",
            }
        ],
    }


WORDS = st.sampled_from(
    [
        *"iron tin not 5 days 7 EUR % Berlin open closed 2019 March 14 -3 1,250 五 铁 不 硬 не железо . ,".split(),
        *"[1] don't two - | `".split(),
        "\n",
        "\ud800",
    ]
)
TEXTS = st.one_of(st.lists(WORDS, max_size=25).map(" ".join), st.text(max_size=60))


@given(TEXTS, st.lists(TEXTS, max_size=3))
def test_any_text_gets_a_check_whose_place_is_in_its_passage(claim: str, passages: list[str]) -> None:
    """Nothing raises; score and offsets are in range; the same is asked and answered twice."""
    check = check_support(claim, passages)
    assert check == check_support(claim, passages)
    assert check.score is None or 0.0 <= check.score <= 1.0
    if check.passage is not None and check.start is not None and check.end is not None:
        assert 0 <= check.start < check.end <= len(passages[check.passage])
    if check.verdict is SUPPORTED:
        assert check.reasons == ()
    else:
        assert check.reason


@given(
    st.lists(
        st.sampled_from("alpha beta gamma delta epsilon zeta iron tin zinc".split()), min_size=1, unique=True
    )
)
def test_what_a_passage_says_it_supports(words: list[str]) -> None:
    """A claim that is a sentence of its passage has the full score, whatever stands around it."""
    claim = f"{' '.join(words).capitalize()}."
    check = check_support(claim, [f"Something stands before. {claim} And behind."])
    assert (check.verdict, check.score) == (SUPPORTED, 1.0)


@hostile
def test_hostile_texts_take_linear_time() -> None:
    """Long runs of figures, separators, negators and names in claim and passage."""
    for unit in (
        "9",
        "9.",
        "9,",
        "9 ",
        "1 000 ",
        "not ",
        "A",
        "A ",
        "May 5 ",
        "-",
        "two ",
        "twenty-",
        "不",
        "5% ",
        "三人",
        "可以",
        "1:",
        "3-1 ",
        "half of ",
        "first ",
        "refused to ",
        "more ",
        "according to the ",
        "der Aa ",
    ):
        text = much(unit, 40_000)
        check_support(text[:3_900], [text])
