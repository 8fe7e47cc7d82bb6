"""Markdown is read as it looks rendered, and located by its source lines."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.document import Document, Flag
from pincite.core.errors import DamagedError, EmptyError, ReadingError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.core.text import normalise
from pincite.reading.markdown import MarkdownReader

UNSEEN = (Flag(None, "text that a reader does not see was left out"),)


def read(source: str, name: str = "docs/guide.md") -> Document:
    """Return the document of a Markdown source."""
    return MarkdownReader().read(source.encode(), name=name, limits=DEFAULT)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Some **bold**, _thin_ and ~~old~~ `code`.", "Some bold, thin and old code."),
        ('A [link](http://x.y "t") and <http://z.y>.', "A link and http://z.y."),
        ("[a][1] and [b]\n\n[1]: http://x\n[b]: http://y", "a and b"),
        ("Fish &amp; chips &copy; &#x4e2d;", "Fish & chips © 中"),
        ("one\ntwo  \nthree\\\nfour", "one\ntwo\nthree\nfour"),
        ("before <!-- secret --> after", "before after"),
        ("<!-- secret\n\nmore -->\n\nafter", "after"),
        ("- a\n- b\n  - c\n- d", "- a\n- b\n  - c\n- d"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("- [x] done\n- [ ] open", "- [x] done\n- [ ] open"),
        ("| a | b |\n|---|--:|\n| 1 | `x` |\n| 2 | |", "a | b\n1 | x\n2"),
        ("```py\nif x:\n    y\n\nz\n```", "if x:\n    y\n\nz"),
        ("> quoted\n> more\n\nafter", "quoted\nmore\n\nafter"),
        ("text[^n]\n\n[^n]: The note.", "text\n\nThe note."),
        ("![picture](x.png) words", "words"),
        ("a\n\n---\n\nb", "a\n\nb"),
        ("press <kbd>Enter</kbd> now<br>or later", "press Enter now\nor later"),
        ("<p align=center>In\n<b>HTML</b></p>", "In HTML"),
        ("<script>\nalert(1 < 2)\n</script>\n\nseen", "seen"),
        ("a\\*b \\[c\\]", "a*b [c]"),
        ("soft\u00adhyphen", "softhyphen"),
    ],
)
def test_text(source: str, text: str) -> None:
    """Marks, targets, comments and pictures go; words, code, lists and tables stay."""
    document = read(source)
    assert document.text == text
    assert document.flags == ()


def test_front_matter_gives_the_title() -> None:
    """Front matter is no text; its title goes before the first heading."""
    document = read('---\ntitle: "The: Guide"\nauthor: x\n---\n\n# Head\n\nWords.')
    assert document.title == "The: Guide"
    assert document.text == "Head\n\nWords."
    assert document.locator(0, 4).line == 6


def test_toml_front_matter() -> None:
    """TOML front matter is known by its plus signs."""
    document = read("+++\ntitle = 'Guide'\n+++\nWords.")
    assert (document.title, document.text) == ("Guide", "Words.")


def test_rules_are_no_front_matter() -> None:
    """Text between rules stays, at the beginning and elsewhere."""
    assert read("---\n\nOne.\n\n---\n\nTwo.").text == "One.\n\nTwo."
    assert "price: 5" in read("Words.\n\n---\nprice: 5\n---\n").text


def test_titles_of_last_resort() -> None:
    """The first heading of level 1 gives the title, then the name of the file."""
    assert read("## Two\n\n# One").title == "One"
    assert read("## Two").title == "guide"


def test_outline() -> None:
    """Headings stand in the outline with their level and place, written any way."""
    source = "# A *b*\n\nx\n\nTwo\n---\n\n<h3>Raw\nhead</h3>\n\n#### 中 {#id}\n\ny"
    document = read(source)
    found = [
        (part.title, part.level, document.text[part.start :].split("\n")[0]) for part in document.outline
    ]
    assert found == [
        ("A b", 1, "A b"),
        ("Two", 2, "Two"),
        ("Raw head", 3, "Raw head"),
        ("中", 4, "中"),
    ]
    assert document.headings_at(document.text.index("y")) == ("A b", "Two", "Raw head", "中")


def test_offsets_hold_where_characters_compose() -> None:
    """An entity that composes with the letter before it does not shift the headings after it."""
    document = read("cafe&#x301; cafe&#x301;\n\n# Head\n\nx")
    assert document.text == "caf\u00e9 caf\u00e9\n\nHead\n\nx"
    assert document.outline[0].start == document.text.index("Head")


def test_source_lines() -> None:
    """A locator gives lines of the source, although marks and blank lines went."""
    source = "# Head\n\n\n\nfirst é\nsecond\n\n```\na\nb\n```\n\n| x |\n|---|\n| y |\n"
    document = read(source)
    wanted = {"Head": 1, "first": 5, "second": 6, "a\nb": 9, "x": 13, "y": 15}
    for words, line in wanted.items():
        start = document.text.index(words)
        assert document.locator(start, start + len(words)).line == line, words
    both = document.locator(document.text.index("first"), document.text.index("second") + 1)
    assert (both.line, both.line_end) == (5, 6)


@pytest.mark.parametrize(
    "source",
    [
        "seen\n\n<div hidden>secret</div>",
        "seen <span style='display:none'>secret</span>",
        "seen\n\n<div style='font-size:0px'>\n\n**secret**\n\n<div>x</div>\n\nsecret\n\n</div>",
        "seen <font color=white>secret</font>",
        '<p aria-hidden="true">secret</p>\n\nseen',
    ],
)
def test_hidden_html(source: str) -> None:
    """What raw HTML hides is left out and flagged, over Markdown too."""
    document = read(source)
    assert document.text == "seen"
    assert document.flags == UNSEEN


def test_visible_after_hidden() -> None:
    """Text after a hidden element is read."""
    assert read("<div hidden>\n\nsecret\n\n</div>\n\nseen").text == "seen"


def test_unclosed_raw_heading_does_not_swallow_the_text() -> None:
    """A raw heading without an end tag ends with its block."""
    assert read("<h1>Head\n\nOne.\n\nTwo.").text == "Head\n\nOne.\n\nTwo."


@pytest.mark.parametrize("source", ["", "<!-- only -->", "---\ntitle: x\n---\n", "***", "![x](y)"])
def test_nothing_visible(source: str) -> None:
    """A source without visible words is empty."""
    with pytest.raises(EmptyError, match="guide\\.md"):
        read(source)


def test_refusals() -> None:
    """Binary data and texts over a limit are refused."""
    with pytest.raises(DamagedError):
        MarkdownReader().read(b"\0\1\2\3" * 50, name="x.md", limits=DEFAULT)
    with pytest.raises(TooLargeError):
        MarkdownReader().read(b"abcde", name="x.md", limits=replace(DEFAULT, file_bytes=4))
    with pytest.raises(TooLargeError):
        MarkdownReader().read(b"abcde", name="x.md", limits=replace(DEFAULT, document_code_points=4))


SIZE = 200_000
HOSTILE = {
    "brackets": "[" * SIZE,
    "images": "![" * (SIZE // 2),
    "stars": "*a " * (SIZE // 3),
    "ticks": "`" * SIZE,
    "growing ticks": " ".join("`" * count for count in range(600)),
    "bars": "|a|b|\n|-|-|\n" + "|" * SIZE,
    "rows": "|a|b|\n|-|-|\n" + "|\n" * (SIZE // 2),
    "quotes": ">" * SIZE,
    "items": "- " * (SIZE // 2),
    "divs": "<div>\n" * (SIZE // 6),
    "open comments": "<!--" * (SIZE // 4),
    "open tags": "<a " * (SIZE // 3),
    "open attributes": "<a " + "a='b=\"" * (SIZE // 6) + ">",
    "hidden": "<div hidden>\n\n" * (SIZE // 15),
    "raw rows": "<tr><td>" * (SIZE // 8),
    "front": "---\na:\n" * (SIZE // 7),
    "definitions": "[a]: b\n" * (SIZE // 7),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile(case: str) -> None:
    """What is made to be slow ends in a document or a typed error."""
    try:
        document = read(HOSTILE[case])
    except ReadingError:
        return
    assert len(document.text) <= 2 * SIZE


@given(st.text(st.sampled_from("ab #-*_`|<>!/[]()\n:='\"&;1.e\u0301~^+\t"), max_size=120))
def test_any_source(source: str) -> None:
    """Any source gives a text in normal form, a line number a line, and headings at line starts."""
    try:
        document = read(source)
    except ReadingError:
        return
    assert normalise(document.text) == document.text
    lines = document.text.split("\n")
    assert document.line_numbers is not None
    assert len(document.line_numbers) == len(lines)
    assert all(1 <= number <= source.count("\n") + 1 for number in document.line_numbers)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    assert all(heading.start in starts for heading in document.outline)
    assert list(document.outline) == sorted(document.outline, key=lambda heading: heading.start)


@pytest.mark.parametrize(
    "front",
    [
        '---\ntitle: "The plan"\nauthors:\n  - Anna Meier\n  - name: Bob Jones\ndate: 2026-03-01\nlang: de\n---\n',
        "---\nTitle: The plan\nAuthor: [Anna Meier, 'Bob Jones']\nDate: 2026-03-01T10:00:00Z\nlanguage: de\n---\n",
        "+++\ntitle = 'The plan'\nauthors = [\"Anna Meier\", \"Bob Jones\"]\ndate = 2026-03-01\nlang = 'de'\n+++\n",
    ],
)
def test_front_matter_fills_the_bibliography(front: str) -> None:
    """Who wrote it, when and in which language are fields, in YAML and in TOML."""
    document = MarkdownReader().read(f"{front}\nWords.".encode(), name="a.md", limits=DEFAULT)
    assert (document.title, document.text) == ("The plan", "Words.")
    assert document.bibliography.as_dict() == {
        "author": [{"family": "Meier", "given": "Anna"}, {"family": "Jones", "given": "Bob"}],
        "issued": {"date-parts": [[2026, 3, 1]]},
        "language": "de",
    }
