"""Numbered references: ours, and nobody else's, checked with a real Markdown renderer."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pincite.checking import FetchOutcome
from pincite.citing import CitationRun, parse_citations
from pincite.core.errors import InputError
from pincite.core.ids import SpanEvidenceId
from pincite.core.locators import Locator
from pincite.core.protocols import EvidenceText
from pincite.core.verdicts import FetchStatus, SourceState
from pincite.showing import RenderedPassage, RenderedSource, render_answer, render_citations, sources_list

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
    """The list shows titles, places and a few words; the answer's numbers show nothing else."""
    run, ref = _presented()
    rendered = render_answer(run.resolve(f"Yes [{ref}]."))
    assert sources_list(rendered.sources) == [
        "### Sources",
        "[1] [Notes](<https://docs.example/n>)\n   - page 3: “Data is deleted.”",
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
    assert page[1].splitlines()[1:] == [r"   - a \# b - c: “So it is.”"]


@pytest.mark.parametrize("ids", [RETENTION, b"ev1", None, 5])
def test_valid_ids_are_a_collection(ids: Any) -> None:
    """One string in place of a list would make every id invalid in silence, so it is an error."""
    with pytest.raises(InputError, match="valid_ids"):
        render_citations(f"A [{RETENTION}].", ids, [_Outcome(RETENTION, "Notes")])


@pytest.mark.parametrize(
    ("answer", "drop", "mark", "keep"),
    [
        ("Yes [X].", "Yes.", "Yes [?].", "Yes [X]."),
        ("Yes [A, X].", "Yes [1].", "Yes [1][?].", "Yes [1] [X]."),
        ("Yes [X, A, X].", "Yes [1].", "Yes [1][?].", "Yes [1] [X, X]."),
        ("Yes (X).", "Yes.", "Yes [?].", "Yes (X)."),
        ("As X says.", "As says.", "As [?] says.", "As X says."),
        ("Yes **[X]**.", "Yes.", "Yes **[?]**.", "Yes **[X]**."),
        ("[X](https://e.example)", "", "[?]", "[X]\\(https:\\//e\\.example)"),
        ("![X](https://e.example)", "", "[?]", "![X]\\(https:\\//e\\.example)"),
        ("[t](X)", "t", "t [?]", "[t]\\(X)"),
        ("[t](https://e.example/X)", *["[t]\\(https:\\//e\\.example/)"] * 2, "[t]\\(https:\\//e\\.example/X)"),
        ("`[X]`", "`[X]`", "`[X]`", "`[X]`"),
        ("[X]: https://e.example", "", "", "[X]\\: https:\\//e\\.example"),
        ("Yes [ev1:c:oops].", "Yes.", "Yes [?].", "Yes [ev1:c:oops]."),
    ],
)  # fmt: skip
def test_what_is_not_valid_is_left_out_marked_or_kept(answer: str, drop: str, mark: str, keep: str) -> None:
    """The policy says what becomes of an id that is not valid; only `keep` shows it."""
    text = NAMES.sub(lambda name: {"A": RETENTION, "X": ELSEWHERE}[name.group()], answer)
    outcomes = [_Outcome(RETENTION, "Notes")]
    for invalid, shown in (("drop", drop), ("mark", mark), ("keep", keep)):
        rendered, _ = render_citations(text, [RETENTION], outcomes, invalid=cast("Any", invalid))
        found = rendered.removesuffix("\n\n### Sources\n\n[1] Notes").replace(RETENTION, "A")
        assert found.replace(ELSEWHERE, "X") == shown


NAMES = re.compile(r"(?<![A-Za-z])[AX](?![A-Za-z])")


NO_PLACE = Locator()


@dataclass(frozen=True)
class _Fetch:
    """An outcome with all that rendering reads."""

    evidence_id: str
    title: str = ""
    uri: str | None = None
    status: str = "ok"
    text: str = ""
    offset: int = 0
    span: SpanEvidenceId | None = None
    locator: Locator = NO_PLACE
    state: SourceState | None = None


def _span(start: int, end: int, version: str = VERSION) -> str:
    return f"ev1:s:{DOCUMENT}:{version}:{start}-{end}"


def test_passages_have_their_own_lines() -> None:
    """With a place, or with several passages, each passage has a line: its letter, its place, a few of its words."""
    words = "The retention period of customer data is ten business days after the contract ends, and in no case more"
    rendered, sources = render_citations(
        f"A [{RETENTION}]. B [{TABLE}]. C [{ELSEWHERE}].",
        [RETENTION, TABLE, ELSEWHERE],
        [
            _Fetch(RETENTION, "Notes", text="Data is\n*deleted*.", locator=Locator(page=4)),
            _Fetch(TABLE, "Notes", text=f"{words} than that. {words}"),
            _Fetch(ELSEWHERE, "Other", text="Alone."),
        ],
        numbering="passage",
    )
    assert rendered == (
        "A [1a]. B [1b]. C [2].\n\n### Sources\n\n"
        "[1] Notes\n"
        "   - 1a page 4: “Data is \\*deleted\\*.”\n"
        f"   - 1b “{words} than that. The…”\n\n"
        "[2] Other"
    )
    assert [passage.excerpt for passage in sources[1].passages] == ["Alone."]
    lists = [token for token in MARKDOWN.parse(rendered) if token.type == "bullet_list_open"]
    assert len(lists) == 1


def test_many_passages_have_many_letters() -> None:
    """After z comes aa."""
    ids = [_span(10 * number, 10 * number + 5) for number in range(28)]
    rendered, sources = render_citations(
        " ".join(f"[{one}]" for one in ids), ids, [_Fetch(_span(0, 300), "Notes")], numbering="passage"
    )
    assert rendered.startswith("[1a] [1b] ")
    assert [passage.label for passage in sources[0].passages][25:] == ["1z", "1aa", "1ab"]
    assert r"\[1aa]" in render_citations(f"[1aa] [{ids[0]}]", ids, [], numbering="passage")[0]


def test_a_span_inside_a_fetched_one_has_its_title_and_words() -> None:
    """A cited part of what was fetched is found in it, also behind an offset, and the longest reaches furthest."""
    whole = "0123456789The data is deleted."
    outcomes = [
        _Fetch(_span(100, 130), "Notes", text=whole, locator=Locator(page=2)),
        _Fetch(_span(105, 112), "Notes", text=whole[5:12]),
        _Fetch(_span(200, 230), "Notes", text=whole[10:], offset=10, status="truncated"),
    ]
    cited = [_span(110, 118), _span(106, 111), _span(214, 218), _span(300, 310)]
    _, sources = render_citations(" ".join(f"[{one}]" for one in cited), cited, outcomes)
    assert [source.title for source in sources] == ["Notes"]
    assert [(passage.excerpt, passage.locator.page) for passage in sources[0].passages] == [
        ("The data", 2), ("6789T", None), ("data", None), ("", None),
    ]  # fmt: skip


def test_a_chunk_and_its_span_are_one_passage() -> None:
    """Two ids of one place are one passage, whichever is cited first."""
    place = SpanEvidenceId(DOCUMENT, VERSION, 10, 20)
    outcomes = [_Fetch(RETENTION, "Notes", span=place), _Fetch(str(place), "Notes")]
    for ids in ([RETENTION, str(place)], [str(place), RETENTION]):
        text = " ".join(f"[{one}]" for one in ids)
        rendered, sources = render_citations(text, ids, outcomes, numbering="passage")
        assert rendered.startswith("[1] [1]\n")
        assert [len(source.passages) for source in sources] == [1]


def test_stored_texts_are_outcomes_too() -> None:
    """What an evidence store returns can be given as it is."""
    stored = EvidenceText(
        RETENTION,
        DOCUMENT,
        VERSION,
        100,
        130,
        "0123456789The data is deleted.",
        "Notes",
        None,
        Locator(page=2),
    )
    cited = [RETENTION, _span(110, 118)]
    rendered, _ = render_citations(" ".join(f"[{one}]" for one in cited), cited, [stored])
    assert rendered.endswith(
        "[1] Notes\n   - page 2: “0123456789The data is deleted.”\n   - page 2: “The data”"
    )


def test_an_old_version_is_a_source_of_its_own_and_says_so() -> None:
    """Two versions have two numbers, and the one that stands no more is told from the other."""
    old = RETENTION.replace(VERSION, "0" * 16)
    outcomes = [
        _Fetch(old, "Notes", "https://docs.example/n", state=SourceState.SUPERSEDED),
        _Fetch(RETENTION, "Notes", state=SourceState.CURRENT),
        _Fetch(ELSEWHERE, "Other", state=SourceState.REMOVED),
    ]
    rendered, sources = render_citations(
        f"A [{old}]. B [{RETENTION}]. C [{ELSEWHERE}].", [old, RETENTION, ELSEWHERE], outcomes
    )
    assert rendered == (
        "A [1]. B [2]. C [3].\n\n### Sources\n\n"
        "[1] [Notes](<https://docs.example/n>) (superseded version)\n\n[2] Notes\n\n[3] Other (removed)"
    )
    assert [source.state for source in sources] == [*list(SourceState)[1::-1], SourceState.REMOVED]


@pytest.mark.parametrize(
    ("first", "second", "homes"),
    [
        ("upload://a/notes.md", "upload://b/minutes.md", ["a/notes\\.md", "b/minutes\\.md"]),
        ("upload://notes.md", "/srv/data/other.md", ["notes\\.md", "other\\.md"]),
        (
            "https://a.example/n",
            "https://b.example/n",
            ["https:\u200b//a\\.example/n", "https:\u200b//b\\.example/n"],
        ),
        ("upload://n.md", "upload://n.md", ["n\\.md, document f24b301d", "n\\.md, document 0a4b301d"]),
        (None, None, ["document f24b301d", "document 0a4b301d"]),
    ],
)
def test_sources_of_one_title_are_told_apart(first: str | None, second: str | None, homes: list[str]) -> None:
    """Below each of two like lines stands the address, the upload's name, or the beginning of the document's id."""
    outcomes = [_Fetch(RETENTION, "Notes", first), _Fetch(ELSEWHERE, "NOTES", second)]
    rendered, _ = render_citations(f"A [{RETENTION}][{ELSEWHERE}].", [RETENTION, ELSEWHERE], outcomes)
    assert [line.removeprefix("   - ") for line in rendered.split("\n") if line.startswith("   ")] == homes
    assert "/srv" not in rendered


def test_the_state_is_that_of_the_cited_version() -> None:
    """Of a version that was not fetched nothing is known but the document's title."""
    other = RETENTION.replace(VERSION, "0" * 16)
    fetched = _Fetch(RETENTION, "Notes", text="Data.", locator=Locator(page=4), state=SourceState.SUPERSEDED)
    rendered, _ = render_citations(f"[{other}]", [other], [fetched])
    assert rendered == "[1]\n\n### Sources\n\n[1] Notes"


def test_versions_of_unknown_state_are_told_apart() -> None:
    """Where nobody says which version is the older, their beginnings do."""
    other = RETENTION.replace(VERSION, "0" * 16)
    outcomes = [_Fetch(RETENTION, "Notes"), _Fetch(other, "Notes")]
    rendered, _ = render_citations(f"[{RETENTION}][{other}]", [RETENTION, other], outcomes)
    assert rendered.endswith(f"[1] Notes\n   - version {VERSION}\n\n[2] Notes\n   - version {'0' * 16}")


def test_a_missing_title_is_the_name_of_the_upload() -> None:
    """A source without a title is called by what is known of it, and never by a path."""
    for uri, title in (
        ("upload://notes.md", "notes.md"),
        ("/srv/data/notes.md", "notes.md"),
        (None, "Source"),
    ):
        _, sources = render_citations(f"[{RETENTION}]", [RETENTION], [_Fetch(RETENTION, " ", uri)])
        assert sources[0].title == title


def test_declared_ids_that_are_not_cited_keep_their_passages() -> None:
    """A valid id is either cited or declared only, also when another passage of its document is cited."""
    outcomes = [_Fetch(RETENTION, "Notes"), _Fetch(TABLE, "Notes", text="A table.")]
    _, sources = render_citations(f"A [{RETENTION}].", [TABLE, RETENTION], outcomes)
    assert [passage.evidence_id for passage in sources[0].passages] == [RETENTION]
    (declared,) = sources.declared_only
    assert (declared.number, declared.title) == (0, "Notes")
    assert [(passage.evidence_id, passage.label) for passage in declared.passages] == [(TABLE, "")]


def test_what_is_rendered_is_the_same_each_time() -> None:
    """A set of ids has no order; what comes of it has."""
    ids = [f"{RETENTION[:-4]}{number:04x}" for number in range(40)]
    first, *rest = (
        [one.evidence_id for one in render_citations("", names, [])[1].declared_only[0].passages]
        for names in (set(ids), frozenset(reversed(ids)), {*ids[20:], *ids[:20]})
    )
    assert all(found == first for found in rest)


def test_sources_can_be_kept() -> None:
    """Sources are a tuple that copies and pickles with what is declared only."""
    _, sources = render_citations(f"A [{RETENTION}].", [RETENTION, ELSEWHERE], [])
    for again in (pickle.loads(pickle.dumps(sources)), copy.copy(sources), copy.deepcopy(sources)):  # noqa: S301 - our own
        assert again == sources
        assert again.declared_only == sources.declared_only


WRONG: list[tuple[tuple[Any, Any, Any], str]] = [
    ((None, [], []), "answer"),
    ((b"x", [], []), "answer"),
    (("x", [None], []), "valid_ids"),
    (("x", [], "ev1"), "outcomes"),
    (("x", [], None), "outcomes"),
    (("x", [], [None]), "outcomes"),
    (("x", [], [{"evidence_id": "a"}]), "outcomes"),
]


@pytest.mark.parametrize(("arguments", "field"), WRONG)
def test_wrong_types_are_told(arguments: tuple[Any, Any, Any], field: str) -> None:
    """What cannot be rendered is an error that names the argument."""
    with pytest.raises(InputError) as error:
        render_citations(*arguments)
    assert error.value.field == field


@pytest.mark.parametrize("policy", ["invalid", "numbering"])
def test_policies_are_named(policy: str) -> None:
    """A policy that does not exist is an error that lists those that do."""
    with pytest.raises(InputError, match=r"source|drop") as error:
        render_citations("x", [], [], **cast("Any", {policy: "all"}))
    assert error.value.field == policy
    with pytest.raises(InputError, match="'text', 'safe'"):
        render_answer(CitationRun().resolve("x"), links=cast("Any", True))


def test_ids_that_do_not_decode_are_sources_of_their_own() -> None:
    """Whoever gives such ids as valid gets what they asked for: one source for each."""
    ids = ["ev1:c:oops", "ev1:c:oh"]
    rendered, sources = render_citations(
        "A [ev1:c:oops]. B [ev1:c:oh].", ids, [_Fetch("ev1:c:oops", "Notes")]
    )
    assert rendered.startswith("A [1]. B [2].")
    assert [source.title for source in sources] == ["Notes", "Source"]


def test_code_at_the_end_does_not_swallow_the_list() -> None:
    """A fence that the model did not close is closed before the list of sources."""
    rendered, _ = render_citations(
        f"A [{RETENTION}].\n\n```\ncode", [RETENTION], [_Fetch(RETENTION, "Notes")]
    )
    assert rendered == "A [1].\n\n```\ncode\n```\n\n### Sources\n\n[1] Notes"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("See [the page](https://a.example/x).", "See [the page](<https://a.example/x>)."),
        ("See [the page](<https://a.example/x> 'title').", "See [the page](<https://a.example/x>)."),
        ("See [a.example/x](https://b.example/).", r"See [a\.example/x]\(https://b.example/)."),
        (
            "See [https://a.example/x](https://a.example/x).",
            r"See [https:\//a\.example/x](<https://a.example/x>).",
        ),
        ("See https://a.example/x.", "See https://a.example/x."),
        ("See <https://a.example/x>.", "See <https://a.example/x>."),
        ("See https://u:p@a.example/x.", r"See https:\//u:p\@a\.example/x."),
        ("See [the page](javascript:alert(1)).", r"See [the page]\(javascript:alert(1))."),
        ("See [the page](//a.example).", r"See [the page]\(\//a\.example)."),
        ("See ![the page](https://a.example/x).", r"See ![the page]\(https://a.example/x)."),
        ("See [1](https://a.example/x).", r"See \[1]\(https://a.example/x)."),
        ("See [**1**](https://a.example/x).", r"See [**1**]\(https://a.example/x)."),
        ("See [this KEY](https://a.example/x).", r"See [this [1]]\(https://a.example/x)."),
        ("See https://a.example/KEY.", "See https://a.example/ [1]."),
        ("`https://a.example/x`", "`https://a.example/x`"),
        ("[the page][p]\n\n[p]: https://a.example/x", "[the page][p]\n\n[p]\\: https://a.example/x"),
    ],
)
def test_safe_links_act_where_they_are_asked_for(written: str, shown: str) -> None:
    """With `links="safe"` http and https links act under words of their own, and nothing else does."""
    run, ref = _presented()
    answer = run.resolve(written.replace("KEY", f"[{ref}]"))
    assert render_answer(answer, links="safe").text == shown
    assert not any("a.example" in link for link in _links(render_answer(answer).text))


def test_an_issued_link_is_never_made_an_image() -> None:
    """A mark that something left out had kept apart does not turn a link into what loads."""
    run = CitationRun("ref", resources=["search_results", "tags"])
    run.present_reference("tags", {"id": 7, "name": "Finance"})
    for between in ("[[deadbeef]]", "ev1:c:oops"):
        rendered = render_answer(run.resolve(f"!{between}[Finance](/tags/7)"))
        assert "<img" not in MARKDOWN.render(rendered.text)


def test_an_issued_link_may_go_with_a_list() -> None:
    """A link inside the model's own list of sources goes with it, and nothing else is written for it."""
    run = CitationRun("ref", resources=["search_results", "tags"])
    run.present_reference("tags", {"id": 7, "name": "Finance"})
    ref = run.present({"id": "a", "content": "Data is deleted."})["ref"]
    text = f"Yes [{ref}], [Finance](/tags/7).\n\n### Sources\n\n- [Finance](/tags/7)\n\n### Next\n\nAnd so on it goes."
    rendered = render_answer(run.resolve(text)).text
    assert rendered == "Yes [1], [Finance](/tags/7).\n\n### Next\n\nAnd so on it goes."


def test_no_id_is_shown_of_a_resolved_answer() -> None:
    """In links, images and elements too an evidence id that was never issued is left out."""
    run = CitationRun("evidence_id")
    run.present({"id": "a", "content": "Data is deleted."})
    text = f"[t]({TABLE}) ![{TABLE}](x) <b title='{TABLE}'> ({TABLE}) {TABLE} [{TABLE}] `{TABLE}`"
    rendered = render_answer(run.resolve(text)).text
    assert rendered.count("ev1:") == 1
    assert rendered.endswith(f"`{TABLE}`")


def test_a_cited_version_that_stands_no_more_is_labelled() -> None:
    """An answer that was checked against the library says so too."""
    run, ref = _presented()
    answer = run.resolve(f"Yes [{ref}].")
    old = tuple(replace(one, source_state=SourceState.SUPERSEDED) for one in answer.citations)
    (source,) = render_answer(replace(answer, citations=old)).sources
    assert sources_list([source])[1].startswith(
        "[1] [Notes](<https://docs.example/n>) (superseded version)\n"
    )


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


def test_a_title_that_holds_an_evidence_id_cites_nothing() -> None:
    """Neither the list of sources nor a ready citation holds an id that a document wrote."""
    own = "ev1:c:f24b301d-f73a-5291-9d80-7ea3cbd5291c:c174f9d9eba7d79c:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
    other = own.replace("d4c6ef", "d4c6ee")
    outcome = FetchOutcome(own, FetchStatus.OK, text=f"It says {other}.", title=f"[{other}]")
    for numbering in ("source", "passage"):
        text, _ = render_citations(f"So it is [{own}].", [own], [outcome], numbering=numbering)
        assert parse_citations(text, ["evidence_id"]) == []
    assert parse_citations(outcome.citation_markdown or "", ["evidence_id"]) == []


@pytest.mark.parametrize(
    ("url", "passages", "link"),
    [
        (None, [("Some words that are cited.", None)], None),
        ("https://example.org/a", [], "https://example.org/a"),
        (
            "https://example.org/a",
            [("Some words that are cited.", None)],
            "https://example.org/a#:~:text=Some%20words%20that%20are%20cited%2E",
        ),
        (
            "https://example.org/a#part",
            [("Some words that are cited.", None), ("And others of the same page.", None)],
            "https://example.org/a#part:~:text=Some%20words%20that%20are%20cited%2E&text=And%20others%20of%20the%20same%20page%2E",
        ),
        (
            "https://example.org/a.pdf",
            [("Some words that are cited.", 4)],
            "https://example.org/a.pdf#page=4",
        ),
        ("https://example.org/a#:~:text=b", [("Some words.", None)], "https://example.org/a#:~:text=b"),
    ],
)
def test_a_link_leads_on_to_what_is_cited(
    url: str | None, passages: list[tuple[str, int | None]], link: str | None
) -> None:
    """Words of a page of the web are lit by a text fragment, a page of a PDF is opened at its number."""
    made = tuple(
        RenderedPassage(None, None, Locator(page=page), words, "1", words) for words, page in passages
    )
    assert RenderedSource(1, "A", url, made).link == link
