"""Sentences find the passages they were drawn from, and keep away from those that say something else."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile, much
from pincite.citing._matching import common, lexicon
from pincite.citing._matching.figures import agree, parse
from pincite.citing._matching.score import Scorer
from pincite.citing._matching.words import folded
from pincite.citing.deferred import (
    DEFAULT_BARS,
    PassageMatch,
    SentenceMatch,
    match_sentences,
    number_position,
)
from pincite.core.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DATA: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parent.parent / "data" / "deferred.json").read_text(encoding="utf-8")
)
PASSAGES: list[tuple[str, str]] = list(DATA["passages"].items())
HALVES = (1, 2)

BRIDGE = ("bridge", "The Alder Bridge was opened in 1932 and spans 503 metres. A toll of 2 euros is charged.")
BANK = ("bank", "Ostra Bank closed 2023 with a net profit of 412 million euros. It did not pay a dividend.")
SMALL = [BRIDGE, BANK]


def keys(text: str, passages: Sequence[tuple[str, str]] = PASSAGES, **options: Any) -> set[str]:
    """Return the keys of all passages that the sentences of `text` were matched to."""
    return {match.key for found in match_sentences(text, passages, **options) for match in found.matches}


def one(text: str, passage: str, **options: Any) -> bool:
    """Tell whether `text` is matched to a passage that stands alone."""
    return keys(text, [("p", passage)], **options) == {"p"}


# --- The measured set ------------------------------------------------------------------------------------------


def sentences(half: int) -> list[dict[str, Any]]:
    """Return the sentences of one half of the set."""
    return [case for case in DATA["sentences"] if case["half"] == half]


def measured(
    cases: list[dict[str, Any]], passages: Sequence[tuple[str, str]]
) -> list[tuple[set[str], set[str]]]:
    """Return (found, wanted) keys of each case, the sentences being the paragraphs of one answer."""
    text = "\n\n".join(case["text"] for case in cases)
    found = match_sentences(text, passages)
    pairs: list[tuple[set[str], set[str]]] = []
    at = 0
    for case in cases:
        end = at + len(case["text"])
        here = {match.key for one in found if at <= one.start < end for match in one.matches}
        pairs.append((here, set(case["keys"])))
        at = end + 2
    return pairs


def judge(cases: list[dict[str, Any]], pairs: list[tuple[set[str], set[str]]]) -> tuple[float, float]:
    """Print right, wrong and missed pairs of each kind; return precision and recall."""
    kinds: dict[str, Counter[str]] = {}
    for case, (found, wanted) in zip(cases, pairs, strict=True):
        kinds.setdefault(case["kind"], Counter()).update(
            right=len(found & wanted), wrong=len(found - wanted), missed=len(wanted - found)
        )
    total = sum(kinds.values(), Counter[str]())
    precision = total["right"] / (total["right"] + total["wrong"])
    recall = total["right"] / (total["right"] + total["missed"])
    print(f"precision {precision:.3f}, recall {recall:.3f}")
    for kind, counts in kinds.items():
        print(f"  {kind}: {counts['right']} right, {counts['wrong']} wrong, {counts['missed']} missed")
    return precision, recall


@pytest.mark.parametrize("half", HALVES)
def test_precision_and_recall_of_the_measured_set(half: int) -> None:
    """Of the passages that are cited at least 95 in 100 are right, and of the right ones at least 80 are cited."""
    cases = sentences(half)
    precision, recall = judge(cases, measured(cases, PASSAGES))
    assert precision >= 0.95
    assert recall >= 0.80


@pytest.mark.long
@pytest.mark.parametrize("half", HALVES)
def test_precision_and_recall_of_single_sentences(half: int) -> None:
    """The same holds when each sentence is an answer of its own."""
    cases = sentences(half)
    precision, recall = judge(cases, [(keys(case["text"]), set(case["keys"])) for case in cases])
    assert precision >= 0.95
    assert recall >= 0.80


def test_the_set_is_large_enough() -> None:
    """Sixty sentences with a source and twenty without are the least; each half has its share of both."""
    with_source = Counter(bool(case["keys"]) for case in DATA["sentences"])
    assert with_source[True] >= 60
    assert with_source[False] >= 20
    for half in HALVES:
        assert Counter(bool(case["keys"]) for case in sentences(half))[False] >= 20
    assert {key for case in DATA["sentences"] for key in case["keys"]} <= DATA["passages"].keys()


def test_a_run_of_few_passages_is_held_to_the_same() -> None:
    """How rare a word is says little among four passages: what is cited is right there too."""
    cases = [case for case in DATA["sentences"] if case["kind"] != "two sources"]
    right = wrong = 0
    for at in range(0, len(PASSAGES), 4):
        for found, wanted in measured(cases, PASSAGES[at : at + 4]):
            right += len(found & wanted)
            wrong += len(found - wanted)
    assert right / (right + wrong) >= 0.95
    assert right / sum(len(case["keys"]) for case in cases) >= 0.80


# --- What is returned ------------------------------------------------------------------------------------------


def test_the_place_in_the_passage_is_the_sentence_that_says_it() -> None:
    """A match spans the very sentence of the passage."""
    passage = "It rained. The Alder Bridge was opened in 1932. A toll is charged on Sundays."
    (found,) = match_sentences("The Alder Bridge opened in 1932.", [("p", passage)])
    (match,) = found.matches
    assert passage[match.start : match.end] == "The Alder Bridge was opened in 1932."
    assert 0.7 < match.score <= 1.0
    assert (found.start, found.end, found.needs_source) == (0, 32, False)


def test_each_sentence_has_its_own_passage() -> None:
    """Sentences come in order, each with what it was drawn from."""
    text = "Ostra Bank's net profit was 412 million euros in 2023. The Alder Bridge spans 503 metres."
    assert [[match.key for match in found.matches] for found in match_sentences(text, SMALL)] == [
        ["bank"],
        ["bridge"],
    ]


def test_a_sentence_of_two_passages_gets_both() -> None:
    """Each half of the sentence is one passage's."""
    text = (
        "The Alder Bridge was opened in 1932, and Ostra Bank made a net profit of 412 million euros in 2023."
    )
    assert keys(text, SMALL) == {"bridge", "bank"}


def test_neither_part_loses_its_passage_to_copies_of_the_other() -> None:
    """Many copies of one half leave room for the other half's passage."""
    text = (
        "The Alder Bridge was opened in 1932, and Ostra Bank made a net profit of 412 million euros in 2023."
    )
    copies = [(f"copy{number}", BRIDGE[1]) for number in range(6)]
    (found,) = match_sentences(text, [*copies, BANK])
    assert len(found.matches) == 4
    assert "bank" in {match.key for match in found.matches}


def test_figures_put_the_wrong_way_round_are_nobodys() -> None:
    """Two passages do not share a sentence that mixes their figures up."""
    passages = [
        ("a", "In 2022 the city spent 94 million pounds on schools."),
        ("b", "In 2023 the city spent 97 million pounds on schools."),
    ]
    assert keys("The city spent 94 million pounds on schools in 2022 and 97 million in 2023.", passages) == {
        "a",
        "b",
    }
    assert (
        keys("The city spent 97 million pounds on schools in 2022 and 94 million in 2023.", passages) == set()
    )


def test_the_same_text_from_two_sources_stays_two() -> None:
    """Equally good passages are all cited, in the order of their keys."""
    passages = [("b", BRIDGE[1]), ("a", BRIDGE[1]), BANK]
    (found,) = match_sentences("The Alder Bridge spans 503 metres.", passages)
    assert [match.key for match in found.matches] == ["a", "b"]


def test_no_more_passages_than_the_bars_say() -> None:
    """Twenty copies do not make twenty citations."""
    passages = [(f"k{number:02}", BRIDGE[1]) for number in range(20)]
    (found,) = match_sentences("The Alder Bridge spans 503 metres.", passages)
    assert [match.key for match in found.matches] == ["k00", "k01", "k02", "k03"]
    (found,) = match_sentences(
        "The Alder Bridge spans 503 metres.", passages, bars=replace(DEFAULT_BARS, most=1)
    )
    assert len(found.matches) == 1


def test_one_key_is_cited_once() -> None:
    """A key that stands for two texts is one source."""
    passages = [("k", BRIDGE[1]), ("k", "The Alder Bridge spans 503 metres.")]
    (found,) = match_sentences("The Alder Bridge spans 503 metres.", passages)
    assert [match.key for match in found.matches] == ["k"]


def test_of_equals_the_one_that_was_spoken_of() -> None:
    """A sentence that names nothing goes on about what the sentence before was about."""
    passages = [
        ("a", "Velorin was approved in 2011. The tablets are swallowed whole with water."),
        ("b", "Cardaxel was approved in 2014. The tablets are swallowed whole with water."),
    ]
    found = match_sentences(
        "Cardaxel was approved in 2014. The tablets are swallowed whole with water.", passages
    )
    assert [[match.key for match in sentence.matches] for sentence in found] == [["b"], ["b"]]
    assert keys("The tablets are swallowed whole with water.", passages) == {"a", "b"}


def test_a_title_says_what_the_passage_leaves_out() -> None:
    """The company and the year of a report's title count as said by its passages."""
    passages = [("a", "Revenue rose to 3.4 billion euros."), ("b", "Revenue rose to 3.4 billion euros.")]
    titles = {"a": "Nordhavn Shipping, annual report 2022", "b": "Ostra Bank, annual report 2023"}
    text = "In 2022, the revenue of Nordhavn Shipping rose to 3.4 billion euros."
    assert keys(text, passages) == set()
    assert keys(text, passages, titles=titles) == {"a"}


# --- What must not differ --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("1200", "1,200"),
        ("1,200", "1.200"),
        ("1 200", "1200"),
        ("1\u202f200", "1'200"),
        ("1.2 million", "1,200,000"),
        ("3,400 million", "3.4 billion"),
        ("220 Mio.", "220 Millionen"),
        ("45 %", "45 percent"),
        ("45%", "45 per cent"),
        ("١٢٠٠", "1200"),
        ("１２００", "1200"),
        ("twelve", "12"),
        ("12万", "120,000"),
        ("$45m", "45 million dollars"),
        ("about 50", "49"),
        ("45", "45.3"),
        ("1.2 million", "1,198,542"),
        ("5 km", "5 kilometres"),
        ("10", "10–15"),
        ("10 %", "10 to 15 %"),
        ("-5 °C", "−5 °C"),
        ("at least 120", "120 or more"),
        ("not more than 60", "at most 60"),
    ],
)
def test_a_figure_in_another_form_is_the_same(said: str, there: str) -> None:
    """Grouping, decimals, multipliers, digits of other scripts, words, rounding and bounds do not hide a figure."""
    assert one(
        f"The harbour of Lorne measured {said} in winter.",
        f"The harbour of Lorne measured {there} in winter.",
    )


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("45 %", "54 %"),
        ("45 %", "45 kg"),
        ("45 %", "45 percentage points"),
        ("20 mg", "20 g"),
        ("1200", "1300"),
        ("1.2 million", "1.2 billion"),
        ("-5 °C", "5 °C"),
        ("3 May", "3 June"),
        ("more than 60", "less than 60"),
        ("at least 120", "at most 120"),
        ("twice", "three times"),
        ("5.3", "5.8"),
        ("version 3.11.2", "version 3.12.1"),
        ("5G", "4G"),
    ],
)
def test_another_figure_is_not_the_same(said: str, there: str) -> None:
    """A sentence with another figure, unit, sign or bound is not cited."""
    assert not one(
        f"The harbour of Lorne measured {said} in winter.",
        f"The harbour of Lorne measured {there} in winter.",
    )


def test_a_figure_said_of_something_else_in_the_passage() -> None:
    """The passage has the figure, but for another year or another thing."""
    census = "Lorne had 48,300 inhabitants at the census of 2011 and 51,750 at the census of 2021."
    assert one("At the census of 2021, Lorne had 51,750 inhabitants.", census)
    assert not one(
        "Lorne had 51,750 inhabitants at the census of 2011.",
        "In 2011, Lorne had 48,300 inhabitants. In 2021, Lorne had 51,750 inhabitants.",
    )
    trial = "Blood pressure fell by 11.4 mmHg with Velorin, and by 3.1 mmHg in the placebo group."
    assert one("With Velorin, blood pressure fell by 11.4 mmHg.", trial)
    assert not one("Blood pressure fell by 3.1 mmHg with Velorin.", trial)


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("Flights above 120 metres are allowed.", "Flights above 120 metres are not allowed."),
        ("The dam was not damaged by the flood.", "The dam was damaged by the flood."),
        ("The battery contains cobalt and nickel.", "The battery contains neither cobalt nor nickel."),
        ("The old file is still read by the server.", "The old file is no longer read by the server."),
        ("Revenue of the shipping line rose in spring.", "Revenue of the shipping line fell in spring."),
        ("Smoking is allowed on the platform.", "Smoking is forbidden on the platform."),
        ("The board paid a dividend of silver coins.", "The board didn't pay a dividend of silver coins."),
        ("Der Betriebsrat hat dem Umbau zugestimmt.", "Der Betriebsrat hat dem Umbau nicht zugestimmt."),
        ("Les chiens sont admis au marché couvert.", "Les chiens ne sont pas admis au marché couvert."),
        ("El banco prevé cierres de oficinas.", "El banco no prevé cierres de oficinas."),
        ("Новый цех был построен.", "Новый цех не был построен."),
        ("يُسمح بدخول ناقلات النفط الكبيرة.", "لا يُسمح بدخول ناقلات النفط الكبيرة."),
        ("タオルは貸し出している。", "タオルは貸し出していない。"),
    ],
)
def test_a_denial_keeps_apart(said: str, there: str) -> None:
    """What one denies and the other says is not the same, whichever of the two it is; both as they are match."""
    assert not one(said, there)
    assert not one(there, said)
    assert one(said, said)
    assert one(there, there)


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("Flights above 120 metres are prohibited.", "Flights above 120 metres are not allowed."),
        ("Drones under 250 grams need no licence.", "Drones under 250 grams may be flown without a licence."),
        ("Not only members may borrow reference works.", "Members and guests may borrow reference works."),
        (
            "Os recibos têm de ser entregues em 30 dias.",
            "Os recibos devem ser entregues no prazo de 30 dias.",
        ),
        ("See No. 5 of the harbour rules for anchors.", "The harbour rules treat anchors in No. 5."),
    ],
)
def test_what_only_looks_like_another_denial(said: str, there: str) -> None:
    """A word that denies by its sense equals a negator; "not only", "No. 5" and the Portuguese "no" deny nothing."""
    assert one(said, there)


@pytest.mark.parametrize(
    "said",
    [
        "Spain had 59.2 gigawatts of installed solar capacity in 2021.",
        "Italy had 59.2 gigawatts of installed solar capacity in 2021.",
        "The planet Orlan d orbits its star in 4.2 days.",
        "Adults take 20 mg of Cardaxel twice a day.",
        "COVID-22 spread in spring.",
    ],
)
def test_another_name_is_not_the_same(said: str) -> None:
    """A name that the passage lacks keeps the sentence from it, though all the rest agrees."""
    passages = [
        ("a", "Germany had 59.2 gigawatts of installed solar capacity in 2021."),
        ("b", "The planet Orlan b orbits its star in 4.2 days."),
        ("c", "Adults take 20 mg of Velorin twice a day."),
        ("d", "COVID-19 spread in spring."),
    ]
    assert keys(said, passages) == set()


@pytest.mark.parametrize(
    ("said", "there"),
    [
        ("German solar capacity was 59.2 gigawatts.", "Solar capacity in Germany was 59.2 gigawatts."),
        ("The ECB raised its rates in July.", "The European Central Bank raised its rates in July."),
        ("Deutschlands Wälder wachsen langsam.", "Die Wälder in Deutschland wachsen langsam."),
        ("IN SPRING THE HARBOUR OF THE TOWN FREEZES.", "In spring the harbour of the town freezes."),
        ("В Москве выпал снег в мае.", "В мае снег выпал и на Москву."),
    ],
)
def test_a_name_in_another_form(said: str, there: str) -> None:
    """Adjectives of countries, initials, cases and capitals do not hide a name."""
    assert one(said, there)


def test_names_alone_are_no_statement() -> None:
    """An invented fact about somebody whom the passage names is not the passage's."""
    assert not one("Ostra Bank's founder collects stamps.", BANK[1])


# --- What states nothing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "I hope this helps.",
        "In summary, there are three points.",
        "Let me know if you have further questions.",
        "Ich hoffe, das hilft.",
        "Voici un résumé.",
    ],
)
def test_filler_has_no_source_and_needs_none(text: str) -> None:
    """Talk about the answer itself is listed, matches nothing, and is not counted as a claim."""
    (found,) = match_sentences(text, PASSAGES)
    assert found == SentenceMatch(0, len(text), (), needs_source=False)


def test_a_claim_without_a_source_says_so() -> None:
    """What nothing supports is listed as such."""
    (found,) = match_sentences("Bananas are blue.", PASSAGES)
    assert found == SentenceMatch(0, 17, (), needs_source=True)
    (found,) = match_sentences("Bananas are blue.", [])
    assert found.needs_source


@pytest.mark.parametrize(
    "text",
    [
        "# The Alder Bridge",
        "**The Alder Bridge**",
        "The Alder Bridge\n================",
        "Was the Alder Bridge opened in 1932?",
        "The Alder Bridge in figures:",
        "---",
        "...",
        "```\nThe Alder Bridge was opened in 1932.\n```",
        "~~~\nThe Alder Bridge was opened in 1932.",
        "",
    ],
)
def test_what_states_nothing_is_left_out(text: str) -> None:
    """Headings, questions, lead-ins, rules and code are no statements."""
    assert match_sentences(text, SMALL) == []


def test_code_is_no_prose() -> None:
    """What `skipped` covers says nothing; a sentence round it is matched by the rest, and none runs across a block."""
    text = (
        "The Alder Bridge spans `exactly. really` 503 metres.\n```\nx = 1\n```\n"
        "Ostra Bank made a net profit of 412 million euros in 2023."
    )
    start = text.index("`")
    found = match_sentences(text, SMALL, skipped=[(start, text.index(" 503"))])
    assert [text[one.start : one.end] for one in found] == [
        text[: text.index("\n")],
        text[text.rindex("\n") + 1 :],
    ]
    assert [[match.key for match in one.matches] for one in found] == [["bridge"], ["bank"]]
    assert match_sentences("The Alder Bridge spans 503 metres.", SMALL, skipped=[(0, 99)]) == []


def test_rows_of_a_table() -> None:
    """A row is matched like a sentence; the head and the rule are not."""
    text = "| Bridge | Length |\n|---|---|\n| Alder Bridge, opened 1932 | 503 metres |\n"
    (found,) = match_sentences(text, SMALL)
    assert text[found.start : found.end] == "| Alder Bridge, opened 1932 | 503 metres |"
    assert [match.key for match in found.matches] == ["bridge"]


# --- Other words, by an embedder -------------------------------------------------------------------------------


class Synonyms:
    """An embedder that knows one synonym, and gives vectors of the kind it is told to."""

    name = "synonyms"
    dimensions = 3

    def __init__(self, wrap: Callable[[list[list[float]]], Any] = list) -> None:
        self.wrap = wrap
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return the first axis for what is about felines, the second for the rest."""
        self.asked += texts
        return self.wrap(
            [
                [1.0, 0.0, 0.0] if "cat" in text.lower() or "feline" in text.lower() else [0.0, 1.0, 0.0]
                for text in texts
            ]
        )


CATS = [("cats", "Cats sleep sixteen hours a day in 2021."), ("dogs", "Dogs need a walk in the morning.")]


def arrays(rows: list[list[float]]) -> Any:
    """Return the rows as an array."""
    numpy = pytest.importorskip("numpy")
    return numpy.array(rows, dtype=numpy.float32).reshape(len(rows), 3)


@pytest.mark.parametrize("wrap", [list, arrays])
def test_an_embedder_raises_recall(wrap: Callable[[list[list[float]]], Any]) -> None:
    """A paraphrase without words in common is found when an embedder is given, as lists or as arrays."""
    text = "Felines spend most of their time dozing."
    assert keys(text, CATS) == set()
    assert keys(text, CATS, embedder=Synonyms(wrap)) == {"cats"}


def test_figures_and_denials_decide_over_the_embedder() -> None:
    """However alike two sentences are, another figure or a denial keeps them apart."""
    embedder = Synonyms()
    assert keys("Felines spend their time dozing, as was found in 1999.", CATS, embedder=embedder) == set()
    assert keys("Cats do not sleep sixteen hours a day in 2021.", CATS, embedder=embedder) == set()
    assert keys("Cats sleep sixteen hours a day in 2021.", CATS, embedder=embedder) == {"cats"}


def test_an_embedder_is_asked_in_batches_of_clean_text() -> None:
    """Each text is asked for once, without what cannot be written as UTF-8."""
    embedder = Synonyms()
    match_sentences("A cat \ud800 sleeps.", CATS, embedder=embedder, limits=replace(DEFAULT, embed_batch=1))
    assert embedder.asked == ["A cat \ufffd sleeps.", CATS[0][1], CATS[1][1]]


def test_an_embedder_without_sense_does_no_harm() -> None:
    """Vectors that are no numbers count as no likeness."""
    broken = Synonyms(lambda rows: [[float("nan")] * 3 for _ in rows])
    assert keys("Felines spend most of their time dozing.", CATS, embedder=broken) == set()
    assert keys("Cats sleep sixteen hours a day.", CATS, embedder=broken) == {"cats"}


# --- Where the number goes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "before"),
    [
        ("It opened in 1932.", ""),
        ("It opened in 1932. ", " "),
        ('He said: "It opened."', ""),
        ("**It opened in 1932.**", ""),
        ("| a | It opened in 1932 |", " |"),
        ("It opened in 1932.<br>", "<br>"),
        ("<li>It opened in 1932.</li>", "</li>"),
        ("It opened in 1932.\\", "\\"),
        ("橋は1932年に開通した。", ""),
        ("Run `make`", ""),
    ],
)
def test_the_number_stands_at_the_end_of_the_sentence(sentence: str, before: str) -> None:
    """After the closing marks, before space, a table's last bar, a closing tag and a hard line end."""
    text = f"Before. {sentence}\nAfter."
    start = len("Before. ")
    place = number_position(text, start, start + len(sentence))
    assert text[start:place] + before == sentence


def test_the_number_is_never_inside_code() -> None:
    """A place within code moves behind it."""
    text = "It is `a. b`."
    assert number_position(text, 0, 9, skipped=[(6, 12)]) == 12
    assert number_position(text, 0, 13, skipped=[(6, 12)]) == 13


@given(st.text(alphabet="ab1. |\\<br>`\n", max_size=60), st.data())
def test_the_number_stands_within_the_sentence(text: str, data: st.DataObject) -> None:
    """Whatever the text, the place lies inside the sentence or at its end."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert start <= number_position(text, start, end) <= end


# --- For every text --------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    "The Alder Bridge was opened in 1932. | not no kein ne pas 不 没有 ない 橋 青葉タワー 45 % 1,200 1.2.3 $5m 5–10 km "
    "# ## --- ``` ` ** [1] (a) : ? ! 。 \n \n\n \ud800 \x00 \u0301 \u202e Ostra Bank Ostra's don't n't COVID-19 ٤٥ "
    "must exceed twice two million May 3 https://a.b/c <sup>1</sup> 【1†a】 なければならない at least".split(
        " "
    )
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=25).map(" ".join))


@given(TEXTS, st.lists(st.tuples(st.sampled_from("abc"), TEXTS), max_size=4), st.randoms())
def test_any_text_and_any_passages(text: str, passages: list[tuple[str, str]], random: Any) -> None:
    """Spans are in order and within their texts, scores from 0 to 1, and the order of the passages is no matter."""
    found = match_sentences(text, passages)
    shuffled = [*passages]
    random.shuffle(shuffled)
    assert match_sentences(text, shuffled) == found
    at = 0
    for sentence in found:
        assert at <= sentence.start < sentence.end <= len(text)
        at = sentence.end
        assert not (sentence.matches and sentence.needs_source)
        assert len(sentence.matches) <= DEFAULT_BARS.most
        scores = [match.score for match in sentence.matches]
        assert scores == sorted(scores, reverse=True)
        for match in sentence.matches:
            assert 0 < match.score <= 1
            assert any(
                key == match.key and 0 <= match.start < match.end <= len(passage) for key, passage in passages
            )


@given(TEXTS)
def test_a_passage_of_its_own_never_loses_a_verbatim_sentence(text: str) -> None:
    """Beside any other passage, a sentence that stands word for word in one is matched to it."""
    said = "Ostra Bank closed 2023 with a net profit of 412 million euros."
    assert "bank" in keys(said, [("other", text), ("bank", said)])


@given(st.integers(0, 10**12), st.sampled_from([",", ".", " ", "\u202f", "'"]))
def test_grouped_figures_are_the_figure(number: int, mark: str) -> None:
    """A number grouped by any mark is the number itself, and not the next one."""
    grouped = f"{number:,}".replace(",", mark)
    read, same, other = parse(grouped), parse(str(number)), parse(str(number + 1))
    assert read is not None
    assert same is not None
    assert other is not None
    assert agree(read, same) == 1.0
    assert agree(other, same) == 0.0


# --- Bounds ----------------------------------------------------------------------------------------------------


def test_what_is_past_a_limit_has_no_source() -> None:
    """Sentences beyond the count, longer ones, and the rest of a long passage are not looked at, and say so."""
    said = "The Alder Bridge spans 503 metres."
    few = match_sentences(f"{said} {said}", SMALL, limits=replace(DEFAULT, deferred_sentences=1))
    assert [bool(found.matches) for found in few] == [True, False]
    assert [found.needs_source for found in few] == [False, True]
    (long,) = match_sentences(said, SMALL, limits=replace(DEFAULT, deferred_sentence_code_points=20))
    assert (long.matches, long.needs_source) == ((), True)
    late = [("late", f"{'It rained. ' * 20}{said}")]
    assert keys(said, late) == {"late"}
    assert keys(said, late, limits=replace(DEFAULT, deferred_passage_code_points=200)) == set()


@hostile
@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "bridge ",
        "The Alder Bridge was opened in 1932. ",
        "Alder ",
        "BRIDGE ",
        "bridge,",
        "1",
        "1 ",
        "1,234,",
        "123 456 ",
        "5-",
        "-5 ",
        "$5 ",
        "5 million ",
        "5 May ",
        "5 % ",
        "[",
        "[1,",
        "[[1]](",
        "【1",
        "<a ",
        "<sup>1</sup>",
        "https://a",
        '"',
        "`",
        "```\n",
        "~~~\n",
        "**",
        "\n-",
        "a'",
        "don't ",
        "not ",
        "青葉タワーは",
        "ない",
        "橋",
        "á",
        "a\u0301",
        "\u0301",
        "\ud800",
        "\x00 ",
        "| a | b |\n",
        "|",
        "bridge|",
        "# ",
        "> ",
        ". ",
        " \n",
        "bridge<br>",
    ],
)
def test_hostile_megabytes_end(unit: str) -> None:
    """A megabyte of the worst for each pattern, as an answer and as a passage, ends soon and without an error."""
    text = much(unit)
    found = match_sentences(text, SMALL)
    match_sentences("The Alder Bridge spans 503 metres.", [*SMALL, ("hostile", text)])
    number_position(text, 0, len(text))
    assert all(0 <= one.start < one.end <= len(text) for one in found)


def test_a_letter_with_many_marks() -> None:
    """A hundred thousand marks on one letter are one word."""
    text = "The Alder Bridge" + "\u0301" * 100_000 + " spans 503 metres."
    assert len(match_sentences(text, SMALL)) == 1


def test_only_passages_that_share_something_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work of a sentence grows with what it shares, and not with the number of passages."""
    scored: list[int] = []
    score = Scorer.score

    def counted(self: Scorer, passage: int, *rest: Any) -> Any:
        scored.append(passage)
        return score(self, passage, *rest)

    monkeypatch.setattr(Scorer, "score", counted)
    others = [(f"k{number}", f"Harbour {number} has berths for yachts and a crane.") for number in range(500)]
    assert keys("The Alder Bridge spans 503 metres.", [*others, BRIDGE]) == {"bridge"}
    assert len(set(scored)) == 1


def test_two_hundred_sentences_and_passages() -> None:
    """A large answer over many passages of one topic takes little time."""
    passages = [
        (f"k{number}", f"Station {number} measured {number * 7} millimetres of rain in {1900 + number}. " * 6)
        for number in range(200)
    ]
    text = " ".join(f"In {1900 + n}, station {n} measured {n * 7} millimetres of rain." for n in range(200))
    found = match_sentences(text, passages)
    assert [match.key for one in found for match in one.matches] == [f"k{n}" for n in range(200)]


# --- The lexicon, and the import -------------------------------------------------------------------------------


def test_the_lexicon_is_folded() -> None:
    """Its words are as words are looked up; a table with an accent in it would never be found."""
    tables: list[Any] = [
        common.FUNCTION_WORDS,
        common.TALK_WORDS,
        common.CONJUNCTIONS,
        lexicon.NEGATORS,
        lexicon.LACKING,
        lexicon.COMPANIONS,
        lexicon.NEGATED,
        lexicon.BOUNDS,
        lexicon.CONCEPTS,
        lexicon.MONTHS,
        lexicon.NUMBER_WORDS,
        lexicon.TIMES,
        lexicon.SAME_NAMES,
        lexicon.MORE_THAN,
        lexicon.LESS_THAN,
        lexicon.AT_LEAST,
    ]
    words = [word for table in tables for word in table]
    assert [word for word in words if folded(word) != word] == []


def test_every_contrary_is_a_line_of_the_lexicon() -> None:
    """A contrary that names no line would never be found."""
    assert lexicon.CONTRARIES.keys() <= set(lexicon.CONCEPTS.values())


def test_importing_the_module_is_cheap() -> None:
    """The tables and the patterns wait for the first answer."""
    program = "import sys, pincite.citing.deferred\nprint(*[n for n in sys.modules if '_matching' in n])"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.split() == []


def test_the_order_of_hashes_is_no_matter() -> None:
    """Two processes with other hash seeds give the same."""
    program = (
        "from pincite.citing.deferred import match_sentences\n"
        f"print(match_sentences({' '.join(case['text'] for case in sentences(2)[:12])!r}, {PASSAGES[:40]!r}))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(seen) == 1


def test_the_shapes() -> None:
    """The results compare by value and cannot be changed."""
    match = PassageMatch("k", 0.5, 0, 3)
    assert match == PassageMatch("k", 0.5, 0, 3)
    with pytest.raises(AttributeError):
        match.score = 1.0  # pyright: ignore[reportAttributeAccessIssue] - that it fails is the point
