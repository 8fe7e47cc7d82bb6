"""What a trial of the default method found: contraries, bounds, ways to write a number, and names that it let pass."""

from __future__ import annotations

import pytest

from pincite.checking import ReasonKind, check_support
from pincite.core.verdicts import SupportVerdict

SUPPORTED, PARTIAL = SupportVerdict.SUPPORTED, SupportVerdict.PARTIAL
CONTRADICTED = SupportVerdict.CONTRADICTED


def verdict(claim: str, passage: str) -> SupportVerdict:
    """Return what the default method says."""
    return check_support(claim, [passage]).verdict


CONTRARY = [
    ("The new ward has more beds than the old one.", "The new ward has fewer beds than the old one."),
    ("The plan costs members less each year.", "The plan costs members more each year."),
    ("Prices in the north are higher.", "Prices in the north are lower."),
    ("The second batch performed better in the test.", "The second batch performed worse in the test."),
    ("The valve works well in cold weather.", "The valve works badly in cold weather."),
    ("The pump works under water.", "The pump fails under water."),
    ("The members have a licence.", "The members lack a licence."),
    ("The director signed the contract.", "The director refused to sign the contract."),
    ("The director refused to sign the contract.", "The director signed the contract."),
    ("The clerk failed to file the form.", "The clerk filed the form."),
    ("Most patients recovered.", "Few patients recovered."),
    ("Visitors must wear a badge.", "Visitors may wear a badge."),
    ("Der Verein erhöht den Beitrag.", "Der Verein senkt den Beitrag."),
    ("Die Miete ist höher als im Vorjahr.", "Die Miete ist niedriger als im Vorjahr."),
    ("Das Amt wurde im Mai eröffnet.", "Das Amt wurde im Mai geschlossen."),
    ("Die Läden öffnen am Sonntag.", "Die Läden schließen am Sonntag."),
    ("Die Stadt kaufte das Grundstück.", "Die Stadt verkaufte das Grundstück."),
    ("Das Kennwort hat mindestens acht Zeichen.", "Das Kennwort hat höchstens acht Zeichen."),
    ("可以在室内吸烟。", "不可以在室内吸烟。"),
    ("会议室最多容纳人数为20人。", "会议室最少容纳人数为20人。"),
    ("公司去年收入增长。", "公司去年收入下降。"),
    ("博物馆周一关闭。", "博物馆周一开放。"),
    ("银行提高了利率。", "银行降低了利率。"),
    ("Le musée n'est pas ouvert en hiver.", "Le musée est ouvert en hiver."),
    ("Le tarif n'est pas de 35 euros.", "Le tarif est de 35 euros."),
    ("The fee is not 35 cents.", "The fee is 35 cents."),
    ("费用不是35元。", "费用是35元。"),
    ("The team failed to win the cup.", "The team won the cup."),
    ("The fee is not five euros.", "The fee is 5 euros."),
]


@pytest.mark.parametrize(("one", "other"), CONTRARY)
def test_the_contrary_contradicts(one: str, other: str) -> None:
    """Whichever of the two is the claim; and each bears itself out."""
    assert verdict(one, other) is CONTRADICTED
    # Who must wear it may wear it, so that is only not the same.
    assert verdict(other, one) in ({PARTIAL} if " may " in other else {CONTRADICTED})
    assert verdict(one, one) is verdict(other, other) is SUPPORTED


@pytest.mark.parametrize(
    ("claim", "passage", "said"),
    [
        ("All members voted for the plan.", "Some members voted for the plan.", PARTIAL),
        ("All members voted for the plan.", "Most members voted for the plan.", PARTIAL),
        ("Most members voted for the plan.", "Some members voted for the plan.", PARTIAL),
        ("Some members voted for the plan.", "All members voted for the plan.", SUPPORTED),
        ("Alle Mitglieder stimmten zu.", "Einige Mitglieder stimmten zu.", PARTIAL),
        ("所有员工参加培训。", "部分员工参加培训。", PARTIAL),
    ],
)
def test_what_some_do_not_all_do(claim: str, passage: str, said: SupportVerdict) -> None:
    """A claim that says more than its source is not borne out; one that says less is."""
    assert verdict(claim, passage) is said


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The north line costs more than the south line.", "The south line costs less than the north line."),
        ("Norvik sold the mill to Solberg.", "Solberg bought the mill from Norvik."),
    ],
)
def test_who_sells_and_who_buys_say_the_same(claim: str, passage: str) -> None:
    """Contraries whose sides change places with them contradict nothing."""
    assert verdict(claim, passage) is not CONTRADICTED


NUMBERS = [
    ("The desk opens at 9 am.", "The desk opens at 9 pm."),
    ("The home side won 3:1.", "The home side won 1:3."),
    ("Mix cement and sand 3:1.", "Mix cement and sand 4:1."),
    ("Install version 2.10 of the driver.", "Install version 2.1 of the driver."),
    ("The rule stands in section 2.10 of the code.", "The rule stands in section 2.1 of the code."),
    ("The fix came with v2.10 of the tool.", "The fix came with v2.1 of the tool."),
    ("Heat the oil to 100 degrees Celsius.", "Heat the oil to 100 degrees Fahrenheit."),
    ("Give the child 5 mg per day.", "Give the child 5 mg per hour."),
    ("Give the child 3 tablets a day.", "Give the child 3 tablets an hour."),
    ("The lab is on the first floor.", "The lab is on the third floor."),
    ("The lab is on the 1st floor.", "The lab is on the second floor."),
    ("A third of the members voted.", "Half of the members voted."),
    ("Half the members voted.", "A quarter of the members voted."),
    ("Das Büro öffnet um acht Uhr.", "Das Büro öffnet um neun Uhr."),
    ("Das Büro öffnet um 8 Uhr.", "Das Büro öffnet um neun Uhr."),
    ("Die Frist dauert acht Tage.", "Die Frist dauert sechs Tage."),
    ("三十人参加了会议。", "三百人参加了会议。"),
    ("课程持续十小时。", "课程持续八小时。"),
    ("门票五元。", "门票六元。"),
    ("他每年体检五次。", "他每年体检六次。"),
    ("The course lasts one hour.", "The course lasts two hours."),
]


@pytest.mark.parametrize(("one", "other"), NUMBERS)
def test_another_number_in_another_writing_contradicts(one: str, other: str) -> None:
    """Both directions; each bears itself out."""
    assert verdict(one, other) is CONTRADICTED
    assert verdict(other, one) is CONTRADICTED
    assert verdict(one, one) is verdict(other, other) is SUPPORTED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Das Büro öffnet um 8 Uhr.", "Das Büro öffnet um acht Uhr."),
        ("The desk opens at 9 am.", "The desk opens at 9:00 a.m."),
        ("The lab is on the 1st floor.", "The lab is on the first floor."),
        ("50 % of the members voted.", "Half of the members voted."),
        ("Heat the oil to 100 °C.", "Heat the oil to 100 degrees Celsius."),
        ("30人参加了会议。", "三十人参加了会议。"),
        ("三分之一的员工参加了培训。", "三分之一的员工参加了培训。"),
        ("The fee does not exceed 35 cents.", "The fee is at most 35 cents."),
    ],
)
def test_the_same_number_in_another_writing_is_the_same(one: str, other: str) -> None:
    """Whichever of the two is the claim."""
    assert verdict(one, other) is verdict(other, one) is SUPPORTED


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The home side won 2-1.", "The home side won 1-2."),
        ("Cement and sand are mixed 3 to 1.", "Cement and sand are mixed 1 to 3."),
    ],
)
def test_a_score_is_not_the_range_that_it_looks_like_when_it_is_turned_round(one: str, other: str) -> None:
    """From one to two is a range; two to one is none, and neither bears the other out."""
    assert verdict(one, other) is verdict(other, one) is PARTIAL
    assert verdict(one, one) is verdict(other, other) is SUPPORTED


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The plant employs more than 1,200 people.", "The plant employs 1,250 people."),
        ("The plant employs at least 1,000 people.", "The plant employs 1,250 people."),
        ("Nurses work over 40 hours a week.", "Nurses work 45 hours a week."),
        ("The plant employs fewer than 1,300 people.", "The plant employs 1,250 people."),
        ("Repairs take under 50 hours.", "Repairs take 45 hours."),
        ("Repairs take at most 50 hours.", "Repairs take 45 hours."),
        ("Das Werk hat mehr als 1.200 Mitarbeiter.", "Das Werk hat 1.250 Mitarbeiter."),
        ("Das Werk hat mindestens 1.000 Mitarbeiter.", "Das Werk hat 1.250 Mitarbeiter."),
        ("工厂有超过1200人。", "工厂有1250人。"),
    ],
)
def test_a_bound_that_the_number_keeps_is_borne_out(claim: str, passage: str) -> None:
    """The number near it bears it out; of the bound nothing exact follows, which contradicts nothing either."""
    assert verdict(claim, passage) is SUPPORTED
    assert verdict(passage, claim) is PARTIAL


@pytest.mark.parametrize(
    ("claim", "passage", "said"),
    [
        ("The plant employs more than 1,300 people.", "The plant employs 1,250 people.", CONTRADICTED),
        ("Repairs take under 40 hours.", "Repairs take 45 hours.", CONTRADICTED),
        ("The plant employs more than 5 people.", "The plant employs 1,250 people.", PARTIAL),
        ("The fee is not 30 cents.", "The fee is 35 cents.", PARTIAL),
        ("The tariff is 40 EUR.", "The tariff is not 40 EUR.", CONTRADICTED),
        ("Give the child 5 mg per day.", "Give the child 5 mg.", PARTIAL),
        (
            "Python 3.11 is needed by version 3.11 of it.",
            "Python 3.11 is needed by version 3.11.4 of it.",
            PARTIAL,
        ),
    ],
)
def test_what_the_number_does_not_say_is_not_supported(
    claim: str, passage: str, said: SupportVerdict
) -> None:
    """A bound that is broken contradicts; one that is far off, or a finer number, is left open."""
    assert verdict(claim, passage) is said


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Dr. Meier approved the budget.", "Dr. Schulz approved the budget."),
        ("The budget was approved by Prof. Meier in May.", "The budget was approved by Prof. Schulz in May."),
        ("Das Werk steht in Hamburg.", "Das Werk steht in Bremen."),
        (
            "Die Anlage in Hamburg fertigt Sensoren und Pumpen.",
            "Die Anlage in Bremen fertigt Sensoren und Pumpen.",
        ),
        ("Die Firma Meier liefert die Pumpen im Mai.", "Die Firma Schulz liefert die Pumpen im Mai."),
        ("公司总部位于上海。", "公司总部位于北京。"),
        ("上海分公司负责全国的销售和售后服务。", "北京分公司负责全国的销售和售后服务。"),
    ],
)
def test_a_name_that_the_passage_lacks_is_never_supported(one: str, other: str) -> None:
    """Behind a title, among the capitals of German, and in scripts without spaces."""
    assert verdict(one, other) is PARTIAL
    assert verdict(other, one) is PARTIAL
    assert verdict(one, one) is SUPPORTED


@pytest.mark.parametrize(
    "claim",
    [
        "According to the study, the fee is 35 cents.",
        "According to the annual report the fee is 35 cents.",
        "The note says the fee is 35 cents.",
        "The handbook says: the fee is 35 cents.",
        "The report states that the fee is 35 cents.",
        "The fee is 35 cents, according to the handbook.",
        "As stated in the handbook, the fee is 35 cents.",
    ],
)
def test_who_says_it_counts_nothing_where_it_is_a_writing(claim: str) -> None:
    """The passage is the study, and does not say so of itself."""
    assert check_support(claim, ["The fee is 35 cents."]).score == 1.0
    assert verdict(claim, "The fee is 35 cents.") is SUPPORTED
    assert verdict(claim, "The fee is 45 cents.") is CONTRADICTED


def test_laut_and_selon_count_nothing_either() -> None:
    """In German and French."""
    assert verdict("Laut der Studie beträgt die Gebühr 35 Cent.", "Die Gebühr beträgt 35 Cent.") is SUPPORTED
    assert verdict("Selon le rapport, le tarif est de 35 euros.", "Le tarif est de 35 euros.") is SUPPORTED


def test_who_says_it_counts_where_it_is_a_name() -> None:
    """Another authority is another statement; "According" is no name."""
    check = check_support(
        "According to the FDA, the fee is 35 cents.", ["According to the EMA, the fee is 35 cents."]
    )
    assert check.verdict is PARTIAL
    assert [(reason.kind, reason.claim) for reason in check.reasons] == [(ReasonKind.NAME, "FDA")]
