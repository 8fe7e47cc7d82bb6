"""Numbered references: ours, and nobody else's, checked with a real Markdown renderer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.citing import CitationRun
from pincite.core.errors import InputError
from pincite.showing import render_answer, render_citations, sources_list

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSION = "c174f9d9eba7d79c"
RETENTION = f"ev1:c:{DOCUMENT}:{VERSION}:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
TABLE = f"ev1:c:{DOCUMENT}:{VERSION}:efae06f9-f4e7-5a7a-af99-d7f512cd16fb"
ELSEWHERE = f"ev1:c:0a4b301d-f73a-5291-9d80-7ea3cbd5291c:{VERSION}:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ee"
MARKDOWN = MarkdownIt("gfm-like", {"linkify": False})


@dataclass(frozen=True)
class _Outcome:
    evidence_id: str
    title: str
    uri: str | None = None


def _links(markdown: str) -> list[str]:
    return [
        str(child.attrs["href"])
        for token in MARKDOWN.parse(markdown)
        for child in token.children or []
        if child.type == "link_open"
    ]


def _presented(
    text: str = "Data is deleted.", url: str = "https://docs.example/n"
) -> tuple[CitationRun, str]:
    run = CitationRun()
    return run, run.present({"content": text, "source_url": url, "title": "Notes", "metadata": {"page": 3}})[
        "ref"
    ]


def test_the_pages_printed_output() -> None:
    """The page's example prints what the page shows, to the letter."""
    rendered, sources = render_citations(
        f"Customer data is deleted within 10 business days. [{RETENTION}]",
        [RETENTION],
        [_Outcome(RETENTION, "Acme Robotics engineering notes", "acme-notes.md")],
    )
    assert rendered == (
        "Customer data is deleted within 10 business days. [1]\n"
        "\n"
        "### Sources\n"
        "\n"
        "[1] Acme Robotics engineering notes"
    )
    assert [(source.number, source.title, source.url) for source in sources] == [
        (1, "Acme Robotics engineering notes", None)
    ]


def test_sources_come_in_order_of_first_citation() -> None:
    """The order of `valid_ids` does not matter, and a document has one number."""
    rendered, sources = render_citations(
        f"A [{ELSEWHERE}]. B [{RETENTION}, {TABLE}]. C [{ELSEWHERE}].",
        [RETENTION, TABLE, ELSEWHERE],
        [_Outcome(RETENTION, "Notes"), _Outcome(TABLE, "Notes"), _Outcome(ELSEWHERE, "Other")],
    )
    assert rendered.startswith("A [1]. B [2]. C [1].")
    assert [source.title for source in sources] == ["Other", "Notes"]


def test_the_good_ids_of_a_mixed_group_are_kept() -> None:
    """A bad id beside a good one is dropped alone, and never shown raw."""
    rendered, _ = render_citations(f"A [{RETENTION}, {TABLE}].", [RETENTION], [_Outcome(RETENTION, "Notes")])
    assert rendered.startswith("A [1].")
    assert "ev1:" not in rendered


def test_an_id_that_is_not_valid_is_left_out() -> None:
    """Nothing raw reaches the reader, and without a citation there is no list."""
    assert render_citations(f"A [{TABLE}].", [], []) == ("A.", ())


def test_code_is_left_alone() -> None:
    """An id in code is an example, not a citation."""
    text = f"Write `[{RETENTION}]`."
    assert render_citations(text, [RETENTION], [_Outcome(RETENTION, "Notes")]) == (text, ())


def test_a_reference_definition_cannot_take_over_our_numbers() -> None:
    """The model's `[1]: https://evil` links neither our marker nor our list."""
    run, ref = _presented()
    answer = run.resolve(f"Yes [{ref}].\n\n[1]: https://evil.example\n[{ref}]: https://evil.example\n")
    rendered = render_answer(answer)
    page = "\n\n".join([rendered.text, *sources_list(rendered.sources)])
    assert _links(page) == ["https://docs.example/n"]
    assert "Yes [1]." in rendered.text


def test_a_link_behind_a_marker_is_gone() -> None:
    """A number of ours never leads to an address that the model wrote."""
    run, ref = _presented()
    rendered = render_answer(run.resolve(f"Yes [{ref}](https://evil.example/(a))."))
    assert rendered.text == "Yes [1]."


def test_a_number_in_the_prose_does_not_pass_for_ours() -> None:
    """A literal `[1]` is escaped, so a renderer that links our numbers leaves it alone."""
    run, ref = _presented()
    assert render_answer(run.resolve(f"As in [1] and a[0]. [{ref}]")).text == r"As in \[1] and a\[0]. [1]"


def test_a_miss_is_never_shown_as_a_link() -> None:
    """A full form that was never issued is left out of the view; the answer lists it."""
    run, _ = _presented()
    assert (
        render_answer(run.resolve("Yes [[deadbeef]]. Or [deadbeef](https://evil.example).")).text
        == "Yes. Or."
    )


def test_passages_stand_below_their_source() -> None:
    """The list shows title and places; the answer's numbers show nothing else."""
    run, ref = _presented()
    rendered = render_answer(run.resolve(f"Yes [{ref}]."))
    assert sources_list(rendered.sources) == [
        "### Sources",
        "[1] [Notes](<https://docs.example/n>)\n    - page 3",
    ]
    assert rendered.sources[0].passages[0].excerpt == "Data is deleted."


@pytest.mark.parametrize(
    "title",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "a](https://evil.example)",
        "![i](https://evil.example/i.png)",
        "`code` *b* ~~s~~",
        "x" * 5_000,
        "\u202eevil\u2066",
        "https://evil.example",
        "www.evil.example",
        "handbook.md",
        "me@evil.example",
    ],
)
def test_titles_are_text(title: str) -> None:
    """citepoint#1: a title makes no link, no image and no element, and is bounded."""
    rendered, sources = render_citations(f"A [{RETENTION}].", [RETENTION], [_Outcome(RETENTION, title)])
    html = MarkdownIt("gfm-like").render(rendered)
    assert "<a " not in html
    assert "<img" not in html
    assert "<script" not in html
    assert len(sources[0].title) <= 200
    assert not set(sources[0].title) & set("\u202e\u2066")


def test_a_source_without_a_title_has_a_label() -> None:
    """teams-sdk#1714: a missing title never makes an empty label."""
    _, sources = render_citations(f"A [{RETENTION}].", [RETENTION], [_Outcome(RETENTION, " \n ")])
    assert sources[0].title == "Source"


@pytest.mark.parametrize(
    "uri", ["javascript:alert(1)", "https://u:p@evil.example", "//evil.example", "/etc/passwd"]
)
def test_only_safe_addresses_become_links(uri: str) -> None:
    """Anything else leaves a plain number."""
    rendered, sources = render_citations(
        f"A [{RETENTION}].", [RETENTION], [_Outcome(RETENTION, "Notes", uri)]
    )
    assert sources[0].url is None
    assert uri not in rendered


def test_many_sources_cited_often_take_linear_time() -> None:
    """Citations are put to their sources in one pass, for keys and for evidence ids alike."""
    run = CitationRun()
    refs = [
        run.present({"id": f"note-{number}", "content": f"Note {number} says so."})["ref"]
        for number in range(1_000)
    ]
    rendered = render_answer(run.resolve(" ".join(f"[{ref}]" for ref in refs * 10)))
    assert [len(source.passages) for source in rendered.sources] == [1] * 1_000
    chunks = [f"{RETENTION[:-8]}{number:08x}" for number in range(4_000)]
    outcomes = [_Outcome(chunk, "Notes") for chunk in chunks[:2_000]]
    _, sources = render_citations(" ".join(f"[{chunk}]" for chunk in chunks), chunks, outcomes)
    assert [(source.title, len(source.passages)) for source in sources] == [("Notes", 4_000)]


def test_a_place_is_one_line() -> None:
    """A heading of several lines opens no block below its source."""
    run = CitationRun()
    hit = {"id": "n", "content": "So it is.", "metadata": {"section": "a\n\n# b\n- c"}}
    page = sources_list(render_answer(run.resolve(f"So. [{run.present(hit)['ref']}]")).sources)
    assert page[1].splitlines()[1:] == [r"    - a \# b - c"]


@pytest.mark.parametrize("ids", [RETENTION, b"ev1", None, 5])
def test_valid_ids_are_a_collection(ids: Any) -> None:
    """One string in place of a list would make every id invalid in silence, so it is an error."""
    with pytest.raises(InputError, match="valid_ids"):
        render_citations(f"A [{RETENTION}].", ids, [_Outcome(RETENTION, "Notes")])


PIECES = st.lists(
    st.sampled_from(
        [
            "[1]",
            "[1]: https://evil.example\n",
            "`",
            "```\n",
            "\n\n",
            "KEY",
            "KEY(https://evil.example)",
            "[[deadbeef]]",
            "\\",
            "word. ",
            "<!--",
            "[",
            "]",
        ]
    ),
    max_size=25,
)


@given(PIECES)
def test_no_answer_links_anywhere_but_to_its_sources(pieces: list[str]) -> None:
    """Whatever is written around our marker, no link of ours leads elsewhere and no raw full key is shown."""
    run, ref = _presented()
    text = "".join(pieces).replace("KEY", f"[{ref}]")
    rendered = render_answer(run.resolve(text))
    if "\\" not in pieces and "[" not in pieces:  # an escaped or doubled opener makes prose of what follows
        assert "[[deadbeef]]" not in _prose(rendered.text)
    page = "\n\n".join([rendered.text, *sources_list(rendered.sources)])
    numbered = [
        token.children[index + 1].content
        for token in MARKDOWN.parse(page)
        if token.children
        for index, child in enumerate(token.children)
        if child.type == "link_open" and "evil" in str(child.attrs["href"])
    ]
    assert "1" not in numbered


def _prose(markdown: str) -> str:
    """Return the text of a page outside code and HTML."""
    return " ".join(
        child.content
        for token in MARKDOWN.parse(markdown)
        for child in token.children or []
        if child.type == "text"
    )


HOST = "https://evil.example/i"


@pytest.mark.parametrize(
    "text",
    [
        f"![i]({HOST})](/tags/7)",
        f"[![i]({HOST})](/tags/7)",
        f"[a](     {HOST}) foo](/tags/7)",
        f"[a](\n{HOST}) foo](/tags/7)",
        f"[a]({HOST}/`) foo](/tags/7)",
        f"[a]((((({HOST})))) foo](/tags/7)",
        "![x](/tags/7)",
        f'<a b="`">`![i]({HOST})`',
        f"<mailto:a`b>`[x]({HOST})`",
        f"[a](<`>)`![x]({HOST})`",
        f'[a](b "`")`![x]({HOST})`',
        f"[Finance](</tags/7> '`')`![x]({HOST})`",
        f"[1](a`b)`![x]({HOST})`",
        f"[1](\n```\n\n```\n![i]({HOST})",
        "[1](\n  ```\n~~~\n\n  ```\n<script>alert(1)</script>",
        f"[Finance `a](/tags/7)`![x]({HOST})`",
    ],
)
def test_an_issued_link_lets_nothing_else_through(text: str) -> None:
    """Read as Markdown, the view has no image, element or link of the model's, whatever stands around a link."""
    run = CitationRun("ref", resources=["search_results", "tags"])
    run.present_reference("tags", {"id": 7, "name": "Finance"})
    shown = MarkdownIt("commonmark").render(render_answer(run.resolve(text)).text)
    assert not any(tag in shown for tag in ("<a ", "<img", "<script"))


def test_a_matched_sentence_in_a_table_gets_no_number_there() -> None:
    """Under `deferred` a number stands at a sentence's end, and never in a cell of a table."""
    run = CitationRun("deferred")
    run.present(
        {"id": "a", "content": "Expenses over 100 EUR require prior approval from your line manager."}
    )
    words = "Expenses over 100 EUR require prior approval from your line manager."
    rows = f"| Rule | Note |\n|---|---|\n| {words} | x |\n"
    assert "[1]" not in render_answer(run.resolve(rows)).text
    assert render_answer(run.resolve(f"{words} Fine.")).text == f"{words} [1] Fine."


@pytest.mark.parametrize("unit", ["x <!--", "](<!--[(`", "[9f2a1b7c, \ue200"])
def test_hostile_answers_are_rendered(unit: str) -> None:
    """A long answer of any opener is shown in one linear pass."""
    run = CitationRun("ref")
    assert render_answer(run.resolve(unit * (200_000 // len(unit)))).text
