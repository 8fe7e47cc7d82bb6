"""Passages are whole sentences that cover the text, and an edit moves only those beside it."""

from __future__ import annotations

import random
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.document import Document, Doubt, Heading
from pincite.core.geometry import Box, PageFrame
from pincite.core.ids import chunk_id, version_of
from pincite.core.layout import LineFragment, PageLayout
from pincite.core.limits import DEFAULT
from pincite.core.sentences import split_sentences
from pincite.reading.chunking import DOUBTFUL_STRETCH, chunk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.core.passage import Passage

DOCUMENT = "5f0c9f4e-6f0b-5a39-9a44-0d8d5ad0a001"
OTHER = "5f0c9f4e-6f0b-5a39-9a44-0d8d5ad0a002"
SMALL = replace(DEFAULT, passage_code_points=60, passage_hard_code_points=120)
WORDS = "expense report approval amount travel manager office limit euro contract paid within days the of a".split()


def document_of(text: str, *titles: str) -> Document:
    """Return a document of `text` with a heading at the first line that equals each title."""
    outline: list[Heading] = []
    place = 0
    for title in titles:
        place = text.index(title, place)
        outline.append(Heading(title, 1, place))
        place += len(title)
    return Document(text, version_of(text), "Title", "text/plain", "plain/1", tuple(outline))


def prose(seed: int, paragraphs: int, sentences: int) -> list[str]:
    """Return paragraphs of made-up sentences."""
    dice = random.Random(seed)

    def sentence() -> str:
        return " ".join(dice.choices(WORDS, k=dice.randint(4, 20))).capitalize() + "."

    return [" ".join(sentence() for _ in range(dice.randint(1, sentences))) for _ in range(paragraphs)]


def check(document: Document, passages: list[Passage], hard: int) -> None:
    """Hold what every chunking must hold."""
    text, place = document.text, 0
    starts = {heading.start for heading in document.outline}
    for passage in passages:
        assert passage.text == text[passage.start : passage.end] == passage.text.strip()
        assert 0 < len(passage.text) <= hard
        assert passage.start >= place
        assert text[place : passage.start].strip() == ""
        place = passage.end
        assert passage.section is not None
        assert passage.section[0] <= passage.start
        assert passage.end <= passage.section[1]
        assert (passage.document_id, passage.version) == (DOCUMENT, document.version)
    assert text[place:].strip() == ""
    assert len({passage.chunk_id for passage in passages}) == len(passages)
    for start in starts:
        holder = next((part for part in passages if part.start < start < part.end), None)
        if holder is not None:
            # Only a chain of headings without text between them stands in one passage.
            assert any(start > other >= holder.start for other in starts)


def texts(text: str, *titles: str) -> list[str]:
    """Return the passages' texts under small limits."""
    return [passage.text for passage in chunk(document_of(text, *titles), DOCUMENT, limits=SMALL)]


def test_short_text_is_one_passage() -> None:
    """A text within the size is one passage, without the white space around it."""
    (passage,) = chunk(document_of("  One. Two.\n\nThree.\n"), DOCUMENT)
    assert (passage.text, passage.start, passage.end) == ("One. Two.\n\nThree.", 2, 19)
    assert passage.chunk_id == chunk_id(DOCUMENT, passage.text, 0)
    assert passage.section == (0, 20)
    assert (passage.locator.line, passage.locator.line_end) == (1, 3)


def test_no_text_no_passage() -> None:
    """White space makes no passage."""
    assert chunk(document_of(" \n\n "), DOCUMENT) == []


def test_paragraphs_are_preferred() -> None:
    """A passage ends with a paragraph rather than with a sentence in the middle of one."""
    first = "The first paragraph is of some length."
    second = "The second has two sentences. Here is one of them."
    assert texts(f"{first}\n\n{second}") == [first, second]


def test_sentences_stay_whole() -> None:
    """Without paragraphs, passages end with sentences, over line ends too, and leave no tiny rest."""
    first = "The limit is 3.5 % of the price, e.g. for travel."
    rest = "Mr. Smith approves what is\nabove the limit. Nobody else does."
    assert texts(f"{first}\n{rest}") == [first, rest]


def test_headings_open_passages() -> None:
    """A passage never goes over a heading, however short; the heading stands at its beginning."""
    text = "Intro.\n\nTravel\n\nBy train.\n\nMeals\n\nTen euro."
    passages = chunk(document_of(text, "Travel", "Meals"), DOCUMENT)
    assert [part.text for part in passages] == ["Intro.", "Travel\n\nBy train.", "Meals\n\nTen euro."]
    assert [part.locator.section for part in passages] == [None, "Travel", "Meals"]
    assert passages[1].section == (8, 27)


def test_headings_without_text_go_with_the_next() -> None:
    """A heading that has nothing under it opens the next section's passage, which is found under the innermost."""
    text = "Part\n\nTravel\n\nBy train."
    document = replace(
        document_of(text), outline=(Heading("Part", 1, 0), Heading("Travel", 2, text.index("Travel")))
    )
    (passage,) = chunk(document, DOCUMENT)
    assert passage.text == text
    assert passage.locator.headings == ("Part", "Travel")
    assert passage.section == (0, len(text))


def test_last_heading_alone() -> None:
    """Where nothing follows, headings make a passage."""
    assert texts("Text.\n\nAppendix\n\nTables", "Appendix", "Tables") == ["Text.", "Appendix\n\nTables"]


def test_heading_is_not_parted_from_its_text() -> None:
    """A heading stays with the first words under it, even where the sentence is longer than a passage."""
    sentence = "word " * 50 + "end."
    passages = texts(f"Head\n\n{sentence}", "Head")
    assert passages[0].startswith("Head\n\nword word")
    assert all(len(part) <= 120 for part in passages)


def test_list_items_and_tables_stay_whole() -> None:
    """List items and small tables have no boundary inside."""
    items = [
        "- One thing. It has two sentences.",
        "- Another thing. It has two as well.",
        "- A third. Short.",
    ]
    for passage in texts("\n".join(items)):
        assert all(line in items for line in passage.split("\n"))
    rows = "a. B | c. D\n1. E | 2. F\n3. G | 4. H"
    before = "Some words stand before the table, as they often do here."
    assert texts(f"{before}\n\n{rows}") == [before, rows]


def test_long_table_is_cut_between_rows() -> None:
    """A table that is too long ends between rows."""
    rows = [f"Item {number}. New | {number}.50 | Yes. Or no" for number in range(20)]
    passages = texts("\n".join(rows))
    assert len(passages) > 5
    assert all(line in rows for passage in passages for line in passage.split("\n"))


def test_giant_sentence_is_cut_at_lines_then_spaces() -> None:
    """A sentence over the hard limit is cut at line ends where there are some, else at spaces, else anywhere."""
    lines = [f"line {number} of a log without stops" for number in range(30)]
    assert all(part in lines for passage in texts("\n".join(lines)) for part in passage.split("\n"))
    words = [f"word{number}" for number in range(100)]
    assert [word for passage in texts(" ".join(words)) for word in passage.split(" ")] == words
    assert "".join(texts("x" * 1_000)) == "x" * 1_000


@pytest.mark.parametrize(
    "cluster", ["e\u0301", "\U0001f469\u200d\U0001f680", "\u0915\u094d\u0937\u093f", "☂\ufe0f"]
)
def test_cuts_keep_clusters(cluster: str) -> None:
    """A cut inside a word does not part a character from its marks."""
    for passage in texts("a" + cluster * 400):
        assert not unicodedata.category(passage[0]).startswith("M")
        assert passage[0] not in "\u200d\ufe0f"
        assert passage[-1] != "\u200d"


def test_only_marks() -> None:
    """A text of nothing but combining marks is cut all the same."""
    passages = chunk(document_of("\u0301" * 5_000), DOCUMENT)
    assert sum(len(part.text) for part in passages) == 5_000


def test_equal_texts_have_unequal_ids() -> None:
    """The same text twice in a document, and in another document, has another id each time."""
    text = "Head\n\nThe same.\n\nHead\n\nThe same."
    one = chunk(document_of(text, "Head", "Head"), DOCUMENT)
    two = chunk(document_of(text, "Head", "Head"), OTHER)
    assert [part.text for part in one] == ["Head\n\nThe same."] * 2
    assert one[1].chunk_id == chunk_id(DOCUMENT, one[1].text, 1)
    assert len({part.chunk_id for part in (*one, *two)}) == 4


def test_pages_and_boxes() -> None:
    """A passage has its pages, the printed label of the first, and one box a line."""
    first, second = "First line.\nSecond line.\n", "Third line."
    text = first + second
    boxes = [Box(page, 0.1, 0.1 * row, 0.9, 0.1 * row + 0.05) for page, row in ((1, 1), (1, 2), (2, 1))]
    document = replace(
        document_of(text),
        pages=(PageFrame(1, 600, 800, label="iv"), PageFrame(2, 600, 800)),
        layouts=(
            PageLayout(1, 0, 25, (LineFragment(0, 11, boxes[0]), LineFragment(12, 24, boxes[1]))),
            PageLayout(2, 25, 36, (LineFragment(25, 36, boxes[2]),)),
        ),
    )
    (passage,) = chunk(document, DOCUMENT)
    assert passage.boxes == tuple(boxes)
    assert (passage.locator.page, passage.locator.page_end, passage.locator.page_label) == (1, 2, "iv")
    cut = chunk(document, DOCUMENT, limits=replace(SMALL, passage_code_points=24))
    assert [(part.text, part.locator.page, len(part.boxes)) for part in cut] == [
        ("First line.\nSecond line.", 1, 2),
        ("Third line.", 2, 1),
    ]


EDITS = {
    "paragraphs": "\n\n".join(prose(1, 200, 5)),
    "one paragraph": " ".join(prose(2, 200, 5)),
    "lines": "\n".join(prose(3, 400, 2)),
    "long paragraphs": "\n\n".join(prose(4, 40, 40)),
}


@pytest.mark.parametrize("case", EDITS)
@pytest.mark.parametrize("share", [0.0, 0.31, 0.5, 0.77])
@pytest.mark.parametrize("edit", ["changed", "", "A new sentence was put here, and it is rather long. "])
def test_edit_is_local(case: str, share: float, edit: str) -> None:
    """One edit in a long text, without headings, leaves at least nine of ten passages their ids."""
    text = EDITS[case]
    start = text.index(". ", int(len(text) * share)) + 2
    end = text.index(" ", start)
    edited = text[:start] + edit + text[start if len(edit) > 10 else end :]
    before = {part.chunk_id for part in chunk(document_of(text), DOCUMENT)}
    after = {part.chunk_id for part in chunk(document_of(edited), DOCUMENT)}
    assert len(before) > 50
    assert before != after
    assert len(before & after) >= 0.9 * len(before)


def test_edit_stays_in_its_section() -> None:
    """An edit leaves every passage of the other sections as it was."""
    parts = [f"Head {number}\n\n" + "\n\n".join(prose(number, 12, 5)) for number in range(4)]
    titles = [f"Head {number}" for number in range(4)]
    before = chunk(document_of("\n\n".join(parts), *titles), DOCUMENT)
    parts[1] = parts[1].replace(" the ", " one ", 3)
    after = chunk(document_of("\n\n".join(parts), *titles), DOCUMENT)
    kept = {part.chunk_id for part in after}
    assert {part.locator.section for part in before if part.chunk_id not in kept} == {"Head 1"}


@pytest.mark.parametrize("case", EDITS)
def test_sizes(case: str) -> None:
    """Passages of prose are neither over the size nor tiny."""
    sizes = [len(part.text) for part in chunk(document_of(EDITS[case]), DOCUMENT)]
    assert max(sizes) <= DEFAULT.passage_code_points
    assert min(sizes) >= DEFAULT.passage_code_points // 4
    assert sum(sizes) / len(sizes) >= DEFAULT.passage_code_points / 2


@pytest.mark.parametrize("case", EDITS)
def test_boundaries_are_sentences(case: str) -> None:
    """Every passage of prose begins and ends with a sentence."""
    spans = split_sentences(EDITS[case])
    starts, ends = {start for start, _ in spans}, {end for _, end in spans}
    passages = chunk(document_of(EDITS[case]), DOCUMENT)
    assert {part.start for part in passages} <= starts
    assert {part.end for part in passages} <= ends


SIZE = 200_000
HOSTILE = {
    "letters": "a" * SIZE,
    "words": "a " * (SIZE // 2),
    "lines": "a\n" * (SIZE // 2),
    "items": "- x\n" * (SIZE // 4),
    "rows": "a | b\n" * (SIZE // 6),
    "bars": " | x" * (SIZE // 4) + "\n" + "y" * 1_000,
    "blank lines": "x" + "\n" * SIZE + "y",
    "wide gaps": ("x" + " " * 5_000) * (SIZE // 5_000),
    "marks": "\u0301" * SIZE,
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile(case: str) -> None:
    """What is made to be slow is cut like any other text."""
    document = document_of(HOSTILE[case])
    check(document, chunk(document, DOCUMENT), DEFAULT.passage_hard_code_points)


def test_many_headings() -> None:
    """A long run of headings without text is cut between headings."""
    count = 20_000
    text = "Head\n\n" * count
    outline = tuple(Heading("Head", 1 + index % 6, 6 * index) for index in range(count))
    document = replace(document_of(text), outline=outline)
    passages = chunk(document, DOCUMENT)
    assert sum(part.text.count("Head") for part in passages) == count
    assert max(len(part.text) for part in passages) <= DEFAULT.passage_hard_code_points


PIECES = st.one_of(
    st.sampled_from(
        [
            "One. ",
            "Two words! ",
            "\n",
            "\n\n",
            " ",
            "- item. Rest\n",
            "a | b\n",
            "1. x\n",
            "# H\n",
            "中文。",
            "e\u0301",
        ]
    ),
    st.text(st.sampled_from("ab.\n |-\u0301\u200d "), max_size=40),
)


@given(
    st.lists(PIECES, max_size=40).map("".join),
    st.lists(st.tuples(st.integers(0, 400), st.integers(1, 3), st.booleans()), max_size=6),
    st.integers(1, 80),
    st.integers(1, 160),
)
def test_any_document(text: str, headings: list[tuple[int, int, bool]], size: int, hard: int) -> None:
    """Whatever the text, its outline and the limits: passages cover it in order, in bounds, inside sections."""
    outline = [
        Heading(text[start:].split("\n", maxsplit=1)[0].strip() if real else "Title", level, start)
        for start, level, real in sorted(headings)
        if start <= len(text)
    ]
    document = replace(document_of(text), outline=tuple(outline))
    limits = replace(DEFAULT, passage_code_points=size, passage_hard_code_points=hard)
    check(document, chunk(document, DOCUMENT, limits=limits), hard)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_chunking_is_a_function(text: str) -> None:
    """The same document gives the same passages."""
    document = document_of(text)
    assert chunk(document, DOCUMENT, limits=SMALL) == chunk(document, DOCUMENT, limits=SMALL)


class Words:
    """Counts words as tokens, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def count(self, texts: Sequence[str]) -> list[int]:
        """Return the words of each text."""
        self.asked.append(list(texts))
        return [len(text.split()) for text in texts]


def of_words(text: str, size: int, hard: int, *titles: str) -> list[str]:
    """Return passages' texts when `size` and `hard` are words."""
    limits = replace(DEFAULT, passage_tokens=size, passage_hard_tokens=hard)
    return [part.text for part in chunk(document_of(text, *titles), DOCUMENT, limits=limits, counter=Words())]


def test_sizes_in_tokens() -> None:
    """A passage grows to as many tokens as it may have, however many letters they are."""
    text = "An ox ran. It was big. Much longer it is. He saw him."
    assert of_words(text, 7, 12) == ["An ox ran. It was big.", "Much longer it is. He saw him."]
    assert of_words(text, 4, 12) == ["An ox ran.", "It was big.", "Much longer it is.", "He saw him."]


def test_what_the_model_cannot_read_is_measured_too() -> None:
    """A run that counts as one token, as Thai does for a model that has none, is as long as its letters."""
    parts = of_words("\n\n".join(["x" * 60] * 4), 22, 40)
    assert parts == ["\n\n".join(["x" * 60] * 2)] * 2


def test_each_piece_is_counted_once() -> None:
    """All pieces of a document are counted in one call, and no part of it in two of them."""
    counter = Words()
    text = "\n\n".join(prose(5, 40, 6))
    chunk(document_of(text), DOCUMENT, counter=counter)
    (asked,) = counter.asked
    assert "".join("".join(asked).split()) == "".join(text.split())


def test_a_sentence_is_cut_only_over_the_hard_limit() -> None:
    """A sentence longer than a passage is a passage; one over the hard limit is cut between words."""
    sentence = " ".join(f"W{number}" for number in range(10)) + "."
    assert of_words(f"{sentence} {sentence}", 5, 10) == [sentence] * 2
    parts = of_words(sentence, 4, 6)
    assert " ".join(parts) == sentence
    assert all(len(part.split()) <= 6 for part in parts)


def test_a_table_in_tokens_is_whole_or_cut_between_rows() -> None:
    """A table that fits stands together, a longer one ends between rows."""
    rows = [f"Item {number} is | {number}.50" for number in range(6)]
    assert of_words("\n".join(rows), 30, 60) == ["\n".join(rows)]
    parts = of_words("\n".join(rows), 12, 60)
    assert len(parts) == 3
    assert [line for part in parts for line in part.split("\n")] == rows


def test_a_table_with_sentences_in_its_cells_is_cut_between_rows() -> None:
    """A row that begins like a sentence is a row."""
    rows = [f"{number}. One. | Two. Three. | Four." for number in range(1, 9)]
    parts = texts("\n".join(rows))
    assert len(parts) > 2
    assert [line for part in parts for line in part.split("\n")] == rows


HIDDEN = "This sentence is white on white, and nobody can see it."


def doubted(text: str, *spans: tuple[int, int]) -> list[Passage]:
    """Return the passages of a text with doubts."""
    doubts = tuple(Doubt(start, end, "hidden: it cannot be seen") for start, end in spans)
    return chunk(replace(document_of(text), doubts=doubts), DOCUMENT)


def test_hidden_text_is_a_passage_of_its_own() -> None:
    """Good text is not spoilt by a hidden sentence in its middle, and the hidden one does not ride along."""
    text = f"Good text stands here. {HIDDEN} More good text follows."
    start = text.index(HIDDEN)
    half = start + HIDDEN.index(" and")
    passages = doubted(text, (start, half), (half + 1, start + len(HIDDEN)))
    assert [(part.text, part.doubt) for part in passages] == [
        ("Good text stands here.", None),
        (HIDDEN, "hidden: it cannot be seen"),
        ("More good text follows.", None),
    ]


def test_a_passage_with_a_little_doubt_is_good() -> None:
    """A word of a long passage that the font does not spell spoils nothing; in a short one it does."""
    text = "The first sentence has nine words and one is odd. " * 4
    assert [part.doubt for part in doubted(text, (4, 9))] == [None]
    assert [part.doubt for part in doubted("One odd word.", (4, 7))] == ["hidden: it cannot be seen"]


@given(
    st.lists(PIECES, max_size=40).map("".join),
    st.lists(st.tuples(st.integers(0, 300), st.integers(1, 90)), max_size=4),
    st.integers(1, 30),
    st.integers(1, 60),
)
def test_any_doubts_and_sizes_in_tokens(
    text: str, spans: list[tuple[int, int]], size: int, hard: int
) -> None:
    """Whatever is doubtful and however long passages may be, they cover the text, and a long stretch stands apart."""
    doubts: list[Doubt] = []
    place = 0
    for gap, length in spans:
        start, end = place + gap, min(place + gap + length, len(text))
        if start < end:
            doubts.append(Doubt(start, end, "why"))
        place = end
    document = replace(document_of(text), doubts=tuple(doubts))
    limits = replace(DEFAULT, passage_tokens=size, passage_hard_tokens=hard)
    passages = chunk(document, DOCUMENT, limits=limits, counter=Words())
    check(document, passages, DEFAULT.passage_hard_code_points)
    for doubt in doubts:
        if doubt.end - doubt.start >= DOUBTFUL_STRETCH:
            inside = [part for part in passages if part.start < doubt.end and doubt.start < part.end]
            assert all(part.doubt == "why" for part in inside)


@pytest.mark.parametrize("edit", ["beginning", "middle", "end", "moved"])
def test_most_passages_stand_after_an_edit(edit: str) -> None:
    """In tokens too: an edit changes what is beside it; a section that moves keeps all of its passages."""
    parts = [f"Head {number}\n\n" + "\n\n".join(prose(number, 12, 6)) for number in range(8)]
    titles = [f"Head {number}" for number in range(8)]
    before = chunk(document_of("\n\n".join(parts), *titles), DOCUMENT, counter=Words())
    if edit == "moved":
        parts.append(parts.pop(1))
        titles.append(titles.pop(1))
    else:
        place = {"beginning": 0, "middle": 4, "end": 7}[edit]
        parts[place] = parts[place].replace(" the ", " one ", 1)
    after = {
        part.chunk_id for part in chunk(document_of("\n\n".join(parts), *titles), DOCUMENT, counter=Words())
    }
    kept = sum(part.chunk_id in after for part in before)
    assert kept == len(before) if edit == "moved" else kept >= 0.9 * len(before)
