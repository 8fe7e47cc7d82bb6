"""Sentence splitting: tricky pairs by language, what holds for every text, and worst inputs."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hostile import hostile, much
from pincite.core import _abbreviations, sentences
from pincite.core.sentences import sentence_at, split_sentences

# Each case is a text in which `‖` marks every place where one sentence ends and the next begins; the
# mark itself is taken out before the text is split.
ENGLISH = [
    "Dr. Smith met Mr. Jones. ‖They talked.",
    "Use a tool, e.g. Python, or a library, i.e. code. ‖It works.",
    "See Fig. 3 and Sec. 4.2.1 for more. ‖The data agree.",
    "Room No. 5 is free. ‖No. 6 is not.",
    "I asked and he said no. ‖Then he left.",
    "Apple Inc. announced a phone. ‖Acme Inc. ‖The rest is history.",
    "The U.S. Army and the U.K. Parliament agreed. ‖They signed.",
    "He lives in the U.S. ‖She does not.",
    "We meet at 9 a.m. ‖Employees must be on time.",
    "The bus leaves at 5 p.m. Monday. ‖Do not be late.",
    "Bring pens, paper, etc. and a bag. ‖Bring food, etc. ‖The room is open.",
    "J. R. R. Tolkien wrote it. ‖C. S. Lewis read it.",
    "It was written by J. Le Goff. ‖It sold well.",
    "Pi is 3.14 and e is 2.72. ‖Both are real.",
    "Version v2.1.3 is out. ‖Install it from handbook.pdf or https://a.b/c.d?e=f. ‖Then restart.",
    "Write to me@example.com or see www.example.com. ‖Thanks.",
    "The year was 2019. ‖The team had 12. ‖Nobody left.",
    "Wait... what? ‖Really?! ‖Yes!!! ‖Well… fine.",
    "I thought about it… ‖Then I left.",
    'He said "Stop." and left. ‖"Why?" she asked. ‖“It is late.” ‖They slept.',
    "He left (it was late). ‖(She stayed.) ‖Then it rained.",
    "That is odd (!) but true. ‖He agreed (?) and Then some [...] More came.",
    "1. Do this. ‖2. Do that.",
    "1. Do this first. ‖Then rest.\n‖2. Do that.\n‖3. Go.",
    "First this. ‖4.2.1. Methods matter. ‖Next.",
    "Step 1. Open the lid. ‖Step 2. Close it.",
    "Vitamin C. is odd, but take vitamin C. ‖Many do.",
    "Choose plan B. ‖Managers like it.",
    "He has a Ph.D. in physics. ‖She has a Ph.D. ‖They met at St. Andrews.",
    "Smith et al. (2020) showed it. ‖Brown et al. disagreed.",
    "It is approx. 5 km vs. 6 km. ‖The walk is 10 m. ‖Nobody minds.",
    "The iPhone sold well. ‖iPhone sales rose. ‖pH is 7.",
    "I know that don't. ‖Nobody can't. ‖We won't.",
    "It fell in Sept. 2001 and on Fri. Jan. 5. ‖That was cold.",
    "Ask John Smith Jr. about it. ‖Then ask John Smith Jr. ‖He knows.",
    "The file is setup.py. ‖Next, run it with python3.11. ‖Done.",
    "It grew 5%. ‖That cost $5.00. ‖$3 is left.",
    "Is it? ‖1 in 5 say so. ‖42 say no.",
    "The end of a line\nBegins with a capital in PDF.\n‖A new one.",
    "Choose: a) first. ‖b) second. ‖iv) fourth.",
    "Section 4.2 is long. ‖It is in section 4.2. ‖The next is short.",
]
CITATIONS = [
    "Leave is 20 days.[1] ‖Next point.",
    "Leave is 20 days. [9f2a1b7c] ‖Next point.",
    "Leave is 20 days [9f2a1b7c]. ‖Next point.",
    "Leave is 20 days.[1][2] ‖Next point.",
    'Leave is 20 days.[[3]](https://x.y/a_(b).pdf "z. Z") ‖Next point.',
    'Leave is 20 days. [[3]](https://x.y "z") ‖Next point.',
    "Leave is 20 days.<sup>1</sup> ‖Next point.",
    'Leave is 20 days.<sup><a href="#f1">1</a></sup> ‖Next point.',
    "Leave is 20 days.[ev1:c:doc:v1:7] ‖Next point. [ev1:s:doc:v1:0-20] [^2] ‖Last.",
    "Leave is 20 days. [1, 2] [3–5] ‖Next point. [9f2a1b7c, 0a1b2c3d] ‖Last.[1],[2] ‖End.",
    "Leave is 20 days.(Smith 2020) ‖Next point.",
    "Leave is 20 days.¹ ‖Next point.²,³ ‖Last.",
    "The trial failed.12,13 ‖Another worked.4–6 ‖See python.3 now.",
    "It holds.【4†source】 ‖Next. \ue200cite\ue202turn0search0\ue201 ‖Last.",
    'He said "yes."[1] ‖She said “no.” [2] ‖They left.**[3]** ‖End.',
    "It ends.[1]\n‖Next line of the same paragraph.",
    "It ends. ‖[Handbook](https://x.y) says more. ‖[He] left.",
    "Smith et al. [1] showed it. ‖Jones did not.",
    "What is it?[1] ‖It is this![2] ‖Fine.",
    "Rules e.g.[1] this one. ‖Next.",
]
GERMAN = [
    "Das gilt z. B. für Hunde. ‖Das gilt z.B. Montag.",
    "Er kommt am 3. Mai. ‖Sie kommt am 24. Dezember an.",
    "Der 2. Rang war frei. ‖Im 19. Jahrhundert nicht.",
    "Er wohnt in der 3. Etage. ‖Es waren 12. ‖Niemand ging.",
    "Termin ist der 2. 3. 2020. ‖Danach ist frei.",
    "Nach Art. 3 Abs. 2 Nr. 1 ist das, d. h. alles, erlaubt. ‖Das gilt.",
    "Äpfel, Birnen usw. sind da. ‖Wir haben Äpfel, Birnen usw. ‖Preise steigen.",
    "Er mag die St. Galler bzw. Die Berner Art. ‖Dann ging er.",
    "„Komm her.“ ‖»Nein.« ‖Er ging.",
    "Er rief: »Komm!« ‖»Nein«, sagte sie.",
    "Prof. Dr. Müller und Hr. Schmidt kamen. ‖Sie blieben ca. 5 Tage.",
    "Sie wohnt in der Hauptstr. 5, gem. § 5 Abs. 2. ‖Er auch.",
    "Caesar starb 44 v. Chr. in Rom. ‖Augustus folgte.",
]
FRENCH = [
    "M. Dupont et Mme Durand sont là. ‖Ils parlent.",
    "M. Le Pen parle. ‖Mme. La Fontaine écoute.",
    "On peut, p. ex. Paris, visiter. ‖C’est beau.",
    "« Bonjour. » ‖Il partit. ‖« Vraiment ? » ‖Oui.",
    "« Bonjour\u00a0! » dit-il. ‖L’été vient.",
    "J.-P. Sartre habite av. Foch. ‖Il lit.",
    "Voir art. 5, p. 12 et chap. IV. ‖Ensuite, partez.",
]
SPANISH = [
    "El Sr. García y la Sra. López vinieron. ‖¿Qué pasó? ‖¡Nada!",
    "Hay frutas, p. ej. Manzanas y peras. ‖Son buenas.",
    "Los EE. UU. Firmaron el tratado. ‖Viven en EE. UU. ‖El presidente no.",
    "Abre a las 9 a. m. y cierra a las 5 p. m. ‖Venga pronto.",
    "Quiero ir. ‖Mañana voy. ‖Dijo que no. ‖Luego se fue.",
]
ITALIAN = [
    "Il sig. Rossi e il dott. Bianchi arrivano. ‖Poi partono.",
    "Ci sono città, ad es. Roma, grandi. ‖È vero.",
    "Pane, latte, ecc. sono qui. ‖Cfr. Eco a pag. 5. ‖Fine.",
]
PORTUGUESE = [
    "O Sr. Silva e a Dra. Costa chegaram. ‖Não falaram.",
    "Há frutas, p. ex. Maçãs. ‖É bom.",
    "Veja a pág. 10 e o séc. XX. ‖Depois volte.",
]
DUTCH = [
    "Dhr. Jansen en mevr. De Vries komen. ‖Zij blijven.",
    "Neem fruit, bijv. Appels, d.w.z. Gezond eten. ‖Het is goed.",
    "Zie blz. 5 en nr. 3. ‖Brood, kaas enz. ‖Daarna slapen.",
]
POLISH = [
    "Mieszka przy ul. Długiej w Krakowie. ‖To blisko.",
    "Są miasta, np. Kraków, tzn. Duże miasta. ‖W 1999 r. Kraków rósł.",
    "Miał 10 lat. ‖Potem wyjechał. ‖Jabłka, gruszki itd. ‖Wszystko jest.",
]
RUSSIAN = [
    "А. С. Пушкин родился в 1799 г. в Москве. ‖Он писал.",
    "Это фрукты, т. е. Яблоки и т. д. ‖Потом он ушёл.",
    "Жил на ул. Ленина, см. рис. 5 и стр. 10. ‖Всё.",
    "Он сказал: «Иди!» ‖Она ушла. ‖В 1999 г. ‖Он вернулся.",
]
CHINESE = [
    "你好。‖我是学生。‖你呢？‖很好！",
    "他说：“你好。”‖我走了。",
    "他走了……然后回来了。‖价格是3.14元。",
    "年假是20天。[1]‖病假是10天。[9f2a1b7c] ‖完了。",
    "真的?‖当然!",
]
JAPANESE = [
    "「はい。」と彼は言った。‖そして帰った。",
    "本当ですか？！‖ええ。‖『もう遅い。』‖彼は寝た。",
    "円周率は３．１４です．‖これは続く｡‖終わり",
]
ARABIC = [
    "هل أنت بخير؟ ‖نعم. ‖شكرا لك!",
    "جاء د. أحمد اليوم. ‖ثم ذهب.",
    "یہ اچھا ہے۔ ‖وہ گیا۔",
]
HINDI = [
    "यह अच्छा है। ‖वह गया॥ ‖क्या हुआ?",
    "डॉ. शर्मा आए। ‖ए. पी. जे. अब्दुल कलाम महान थे।",
]
GREEK = [
    "Τι κάνεις; ‖Είμαι καλά. ‖Πάμε\u037e ‖Ναι.",
    "Φρούτα, π.χ. Μήλα, κ.λπ. ‖Όλα είναι εδώ; ναι.",
]
OTHER_SCRIPTS = [
    "Սա լավ է։ ‖Նա գնաց։",
    "ሰላም ነው። ‖ደህና።",
    "ไปไหนมา. แล้วกลับ? ใช่ Python. ครับ\n\n‖ย่อหน้าใหม่",
]
LAYOUT = [
    "# What is it? Read on\n‖Text here. ‖More.",
    "Intro line\n\n‖next paragraph without a capital",
    "Buy\n‖- milk. ‖Fresh\n‖- eggs\n‖* bread\nand butter\n‖• salt",
    "| A. B | C |\n‖|---|---|\n‖| Mr. X. Y. | z. Z |\n‖After.",
    "Title\n=====\n‖Body text. ‖End.",
    "Before\n\n‖---\n‖After",
    "Er kam am\n3. Mai an und blieb bis\n12. Juni. ‖Dann ging er.",
    "The total was\n15. ‖Nobody\ncared about 7\n\n‖2. Second\n‖3. Third",
    "He said:\n‖5. five\n‖6. six",
    "one\r\ntwo. ‖Three\r\n\r\n‖four\rFive\r\r‖six\u2029‖seven",
    "## Heading\r\n‖text",
    "   Leading and trailing.   ‖\t Next.  \n",
    "page end\n\x0cPage start.",
]
GROUPS = {
    "en": ENGLISH,
    "cite": CITATIONS,
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
    "pl": POLISH,
    "ru": RUSSIAN,
    "zh": CHINESE,
    "ja": JAPANESE,
    "ar": ARABIC,
    "hi": HINDI,
    "el": GREEK,
    "other": OTHER_SCRIPTS,
    "layout": LAYOUT,
}
CASES = [
    pytest.param(case, id=f"{name}{n}") for name, group in GROUPS.items() for n, case in enumerate(group)
]

WORST = {
    "stops": ".",
    "spaces": " ",
    "letter and stop": "a.",
    "opening brackets": "(",
    "newlines": "\n",
    "digits": "1",
    "carriage returns": "\r",
    "blank lines": "\n \t",
    "rules": "-",
    "headings": "# ",
    "rows": "|\n",
    "list items": "1. \n",
    "quotes": '."',
    "closers": ".)",
    "wide stops": "。",
    "wide stops with tails": "。」",
    "brackets glued to stops": ".[1.]",
    "brackets never closed": ".[a",
    "spaced citations": ". [1",
    "links never closed": ".[1](a(",
    "tags never closed": ".<sup ",
    "parentheses never closed": ".(a",
    "reference numbers": ".1,",
    "private markers never closed": ".\ue200",
    "Greek question marks": "α;",
    "combining marks": "\u0301",
    "tokens of edges": "'’.",
    "dotted acronym": "a.a. ",
    "spaced stops": ". ",
    "long gaps": "a." + " " * 50,
}

FRAGMENTS = st.sampled_from(
    [
        *"aZ1.!?…。！？।;,:\"'“”«»()[]「」【】*_#|-\n\r\t \u00a0\u2028\u2029\u0301\x00\x0c\ud800é中あไΑα",
        *(
            "Dr. ",
            "e.g. ",
            "z. B. ",
            "[1]",
            " [9f2a1b7c]",
            "<sup>1</sup>",
            "[[3]](u)",
            "\n\n",
            "\n- ",
            "\n1. ",
        ),
        *("# ", "The ", "U.S. ", "3.14", "...", "\r\n", "| a |\n", " » ", "am 3. Mai ", "\n---\n", "ev1:c:x"),
    ],
)
TEXTS = st.one_of(st.lists(FRAGMENTS, max_size=40).map("".join), st.text(max_size=200))


def split(text: str) -> list[str]:
    """Return the sentences of `text` as strings."""
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize("case", CASES)
def test_a_marked_text_splits_at_its_marks(case: str) -> None:
    """A text is split where a careful reader of its language would split it."""
    expected = [part.strip() for part in case.split("‖")]
    assert split(case.replace("‖", "")) == expected


def test_spans_are_code_points() -> None:
    """Offsets count code points, also beyond the basic plane."""
    assert split_sentences(" 😀 ok. Next.") == [(1, 6), (7, 12)]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t\r\n\u2029\u00a0"])
def test_no_ink_gives_no_sentence(text: str) -> None:
    """Text without a visible character has no sentences."""
    assert split_sentences(text) == []


@pytest.mark.parametrize("text", ["\x00", "\ud800.", "a\udfff. \ud800B.", "e" + "\u0301" * 100_000 + ". B."])
def test_odd_code_points_are_ordinary(text: str) -> None:
    """NUL, lone surrogates and long runs of combining marks are split like any character."""
    spans = split_sentences(text)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)


def test_sentence_at_finds_the_span_of_an_offset() -> None:
    """An offset inside a span finds it, and one in a gap or outside finds none."""
    spans = [(1, 4), (6, 9)]
    found = [sentence_at(spans, offset) for offset in (0, 1, 3, 4, 5, 6, 8, 9)]
    assert found == [None, (1, 4), (1, 4), None, None, (6, 9), (6, 9), None]
    assert sentence_at([], 0) is None


@given(TEXTS)
@example("。\n。")
@example(".[1] ")
@example("\r\n#\r\n|")
def test_spans_partition_the_ink(text: str) -> None:
    """Spans are ordered, trimmed, not empty, and hold every character that is not whitespace."""
    spans = split_sentences(text)
    edges = [0, *(edge for span in spans for edge in span), len(text)]
    assert edges == sorted(edges)
    for start, end in spans:
        assert text[start:end] == text[start:end].strip() != ""
    for end, start in zip(edges[::2], edges[1::2], strict=True):
        assert text[end:start].strip() == ""
    assert "".join("".join(split(text)).split()) == "".join(text.split())


@given(TEXTS)
def test_equal_text_gives_equal_spans(text: str) -> None:
    """The result depends on the text alone."""
    assert split_sentences(text) == split_sentences("".join(list(text)))


@given(TEXTS, TEXTS)
def test_a_blank_line_separates_the_sentences_around_it(first: str, second: str) -> None:
    """No sentence crosses a blank line, and what follows one is split as if it stood alone."""
    text = f"{first}\n\n{second}"
    offset = len(first) + 2
    spans = split_sentences(text)
    assert all(end <= len(first) or start >= offset for start, end in spans)
    alone = split_sentences("x\n\n" + second)[1:]
    assert [(a - offset, b - offset) for a, b in spans if a >= offset] == [(a - 3, b - 3) for a, b in alone]


MARKED = st.sampled_from(
    [
        "word",
        "No",
        "[1]",
        "[2, 3]",
        "]",
        "[",
        " ",
        " ",
        ". ",
        ".",
        ".\n",
        "Next",
        "next",
        "5",
        "U.S",
        "(",
        "!",
    ]
)


def never(*_: object) -> bool:
    """Say no."""
    return False


@given(st.lists(MARKED, max_size=25).map("".join))
@example("It is due [1]. Next")
@example("].].")
@example("]. It")
@example("No. [1]. It")
def test_the_quick_look_at_an_end_says_what_the_long_one_says(text: str) -> None:
    """A word, or a citation's bracket, before a stop and a capital behind it: the long way comes to the same."""
    quick = split_sentences(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sentences, "_is_plain_end", never)
        assert split_sentences(text) == quick


@hostile
@pytest.mark.parametrize("unit", WORST.values(), ids=WORST.keys())
@pytest.mark.parametrize("suffix", ["", "x"])
def test_a_megabyte_of_the_worst_input_ends(unit: str, suffix: str) -> None:
    """A megabyte made to defeat the patterns comes back; a quadratic rule would not."""
    text = much(unit) + suffix
    spans = split_sentences(text)
    assert not text.strip() or spans


def patterns() -> dict[str, re.Pattern[str]]:
    """Return the compiled patterns of the module by name."""
    return {name: value for name, value in vars(sentences).items() if isinstance(value, re.Pattern)}


@hostile
@pytest.mark.parametrize("name", sorted(patterns()))
@pytest.mark.parametrize("unit", ["a", "1", ".", "a.", "1.", " ", "\n", "(", "'", "-", "[", "A", "I"])
def test_each_pattern_is_linear(name: str, unit: str) -> None:
    """Each pattern finds all its matches in a megabyte of one unit, with and without a foreign end."""
    pattern = patterns()[name]
    text = much(unit)
    for subject in (text, text + "\u0000"):
        pattern.match(subject)
        pattern.fullmatch(subject)
        if name in {"_LINE", "_STOP"}:
            assert sum(1 for _ in pattern.finditer(subject)) <= len(subject)


def test_abbreviations_are_written_as_they_are_looked_up() -> None:
    """An entry has no final stop and no edge punctuation, and every particle is a starter."""
    for word, kind in _abbreviations.ABBREVIATIONS.items():
        assert not word.endswith(".")
        assert word == word.strip("\"'()[]")
        assert kind in _abbreviations.Kind
    assert not _abbreviations.PARTICLES - _abbreviations.STARTERS
