"""What models really write: each row is a public fault or complaint, with the right behaviour."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pincite.citing import CitationRun, CitationStore, ConversationState
from pincite.core.verdicts import MissReason, QuoteVerdict
from pincite.showing import render_answer

if TYPE_CHECKING:
    from pincite.core.answer import Answer

PAGE = "https://example.com/page"
PLANET = "https://en.wikipedia.org/wiki/Mercury_(planet)"
SPACED = "https://example.com/my file.pdf"
QUOTED = 'https://example.com/?q="a"'
TEXT = 'The rate rose to 54 % in 2024. He said "no deal" (twice). Rates (all of them)\nrose [3] later.'


def _run(wire_format: str = "inline_url") -> CitationRun:
    store = CitationStore()
    for key in (PAGE, PLANET, SPACED, QUOTED, "/documents/d1_0", "https://example.com/other"):
        store.register_hit(key, {"title": key, "content": f"{TEXT} {key}"}, {"raw": key}, key)
    return CitationRun(wire_format, conversation=ConversationState(store=store))


def _keys(answer: Answer) -> list[str]:
    found: list[str] = []
    for citation in answer.citations:
        for source in citation.sources:
            assert source.passage is not None
            found.append(source.passage.citation_key)
    return found


@pytest.mark.parametrize(
    ("written", "key", "repaired"),
    [
        (f"[[1]]({PAGE})", PAGE, None),
        (f'[[1]]({PAGE} "rose to 54 %")', PAGE, None),
        (f'[[1]]({PAGE} "no deal" (twice)")', PAGE, None),
        (f'[[1]]({PAGE} "Rates (all of them)\nrose")', PAGE, None),
        ("[[1]](/documents/d1_0)", "/documents/d1_0", None),
        (f'[[1]]({PAGE} "He said "no deal" (twice).")', PAGE, None),
        (f'[[1]]({PAGE} "He said \\"no deal\\" (twice).")', PAGE, None),
        (f"[[1]]({PAGE} 'rose to 54 %')", PAGE, "single quotes"),
        (f"[[1]]({PAGE} \u201crose to 54 %\u201d)", PAGE, "curly quotes"),
        (f'[[1]]({PAGE} \\"rose to 54 %\\")', PAGE, "escaped quotes"),
        (f"[[1]]({PLANET})", PLANET, None),
        (f'[[1]]({PLANET} "rose to 54 %")', PLANET, None),
        (f"[[1]]({PLANET} and so on", PLANET, "no closing parenthesis"),
        (f"[[1]](<{PAGE}>)", PAGE, "angle brackets"),
        (f"[[1]](<{SPACED}>)", SPACED, "angle brackets"),
        (f'[[1]](<{PAGE}> "rose")', PAGE, "angle brackets"),
        ("[[1]](https://en.wikipedia.org/wiki/Mercury_%28planet%29)", PLANET, "percent"),
        (f"[[1]]({PAGE}/)", PAGE, "slash"),
        ("[[1]](HTTPS://Example.COM/Page)", PAGE, "case"),
        (f"[[1]]({SPACED})", SPACED, None),
        (f'[[1]]({SPACED} "rose")', SPACED, None),
        (f"[[1]]({QUOTED})", QUOTED, None),
        (f'[[1]]({QUOTED} "rose")', QUOTED, None),
        (f"[[1]] ({PAGE})", PAGE, "space"),
        (f"[[1,2]]({PAGE})", PAGE, "several numbers"),
        (f"[1]({PAGE})", PAGE, "single brackets"),
        (f"[[N]]({PAGE})", PAGE, "no number"),
        (f'[1]({PAGE} "rose to 54 %")', PAGE, "single brackets"),
        (f"[[0]]({PAGE})", PAGE, None),
        (f"[[12345678901234567890]]({PAGE})", PAGE, None),
        (f"[[\u0661]]({PAGE})", PAGE, None),
        (f"[[ 1 ]]( {PAGE} )", PAGE, None),
        (f"[[[1]]({PAGE})]", PAGE, None),
        (f"**[[1]]({PAGE})**", PAGE, None),
        (f"| a | b [[1]]({PAGE}) |", PAGE, None),
        (f"- item [[1]]({PAGE})", PAGE, None),
        (f"[see [[1]]({PAGE})](https://elsewhere.example)", PAGE, None),
        (f"\uff3b\uff11\uff3d\uff08{PAGE}\uff09", PAGE, "full-width"),
        (f"[[1]]({PAGE} rose to 54 %)", PAGE, "no quotation marks"),
        (f'[[1]]({PAGE} "rose to 54 %)', PAGE, "no closing quotation mark"),
        ("[[1]](/documents/d1)", "/documents/d1_0", "document"),
        (f"[[1]]({PAGE.replace('https://', 'https://')}#part)", PAGE, "fragment"),
        (f"[[1]]({PAGE.replace('/page', '/p&#97;ge')})", PAGE, "entit"),
    ],
)
def test_inline_url_accepts_what_models_write(written: str, key: str, repaired: str | None) -> None:
    """A key is found however it is dressed, and what was mended is said."""
    answer = _run().resolve(f"So it is. {written} And on.")
    assert _keys(answer) == [key]
    assert answer.misses == ()
    citation = answer.citations[0]
    assert citation.written is not None
    assert citation.written in written
    if repaired is None:
        assert citation.repaired is None
    else:
        assert citation.repaired is not None
        assert repaired in citation.repaired


@pytest.mark.parametrize(
    ("extract", "verdict", "found"),
    [
        ("rose to 54 %", QuoteVerdict.VERBATIM, "rose to 54 %"),
        ('He said \\"no deal\\" (twice).', QuoteVerdict.VERBATIM, 'He said "no deal" (twice).'),
        ("He said \u201cno deal\u201d", QuoteVerdict.TYPOGRAPHIC, 'He said "no deal"'),
        ("Rates (all of them) rose", QuoteVerdict.TYPOGRAPHIC, "Rates (all of them)\nrose"),
        ("rose \u27e63\u27e7 later", QuoteVerdict.VERBATIM, "rose [3] later"),
        ("rose to 45 %", QuoteVerdict.ALTERED, "rose to 54 %"),
        ("never said at all", QuoteVerdict.ABSENT, None),
    ],
)
def test_an_extract_is_compared_with_the_source(
    extract: str, verdict: QuoteVerdict, found: str | None
) -> None:
    """An extract that occurs nowhere in the source is no evidence; one that does is anchored where it stands."""
    answer = _run().resolve(f'So. [[1]]({PAGE} "{extract}")')
    citation = answer.citations[0]
    source = citation.sources[0]
    assert citation.quote is verdict
    if found is None:
        assert source.span is None
        assert extract not in source.excerpts
    else:
        assert source.excerpts == (found,)
        assert source.span is not None
        assert f"{TEXT} {PAGE}"[source.span.start : source.span.end] == found


def test_a_number_without_its_address_is_told() -> None:
    """`[[1]][[2]](url)`: only the second has an address; the first is a miss, not a silence."""
    answer = _run().resolve(f"So. [[1]][[2]]({PAGE})")
    assert _keys(answer) == [PAGE]
    assert [(miss.written, miss.reason) for miss in answer.misses] == [("[[1]]", MissReason.MALFORMED)]


def test_the_same_number_for_two_addresses_is_mended() -> None:
    """Numbers are ours: the model's clashing N gives two sources their own numbers, each at its own place."""
    answer = _run().resolve(f"A. [[1]]({PAGE}) B. [[1]]({PLANET})")
    assert [evidence.number for evidence in answer.evidences] == [1, 2]
    assert [len(evidence.anchors) for evidence in answer.evidences] == [1, 1]
    assert render_answer(answer).text == "A. [1] B. [2]"


def test_a_number_that_stood_for_two_addresses_is_ambiguous() -> None:
    """A bare N that could repeat either of two sources cites neither."""
    answer = _run().resolve(f"A. [[1]]({PAGE}) B. [[1]]({PLANET}) C. [[1]]")
    assert len(answer.citations) == 2
    assert [miss.reason for miss in answer.misses] == [MissReason.AMBIGUOUS]


def test_a_repeated_number_repeats_its_source() -> None:
    """A bare N behind the citation that gave it an address cites the same source, and says so."""
    answer = _run().resolve(f"A. [[1]]({PAGE}) B. [[1]]")
    assert _keys(answer) == [PAGE, PAGE]
    assert answer.citations[1].repaired == "the address of an earlier citation with this number"
    assert len(answer.evidences) == 1


def test_two_numbers_for_one_address_are_one_source() -> None:
    """Two N for one address, and the same citation three times, are one evidence with every place."""
    answer = _run().resolve(f"A. [[1]]({PAGE}) B. [[2]]({PAGE}) C. [[1]]({PAGE})")
    assert len(answer.evidences) == 1
    assert len(set(answer.evidences[0].anchors)) == 3
    assert render_answer(answer).text == "A. [1] B. [1] C. [1]"


def test_a_literal_number_is_protected() -> None:
    """A literal `[[1]]` or `[1]` earlier in the text stays what it is, unlike our numbers."""
    answer = _run().resolve(f"The list [[1]] and [1] stay. So. [[1]]({PAGE})")
    assert _keys(answer) == [PAGE]
    assert render_answer(answer).text == r"The list [\[1]] and \[1] stay. So. [1]"


def test_a_second_citation_inside_an_extract_is_kept() -> None:
    """It is a citation of its own, at its own place, and the outer extract still ends where it ends."""
    text = f'A. [[1]]({PAGE} "see [[2]]({PLANET} "x") too") B.'
    answer = _run().resolve(text)
    assert _keys(answer) == [PAGE, PLANET]
    outer, inner = (text[one.anchor.start : one.anchor.end] for one in answer.citations if one.anchor)
    assert outer.endswith('too")')
    assert inner == f'[[2]]({PLANET} "x")'
    assert render_answer(answer).text == "A. [1][2] B."


def test_code_is_never_rewritten() -> None:
    """A citation in inline code is reported and left alone."""
    answer = _run().resolve(f"Write `[[1]]({PAGE})` so.")
    assert answer.citations == ()
    assert [miss.reason for miss in answer.misses] == [MissReason.IN_CODE]
    assert render_answer(answer).text == f"Write `[[1]]({PAGE})` so."


def test_a_document_id_is_a_key() -> None:
    """A document's id resolves with and without its chunk number; one with several passages is ambiguous."""
    store = CitationStore()
    for number in (0, 7):
        store.register_hit(f"abc_{number}", {"content": f"Part {number}."}, None)
    store.register_hit("lone_3", {"content": "All of it."}, None)
    run = CitationRun("inline_url", conversation=ConversationState(store=store))
    answer = run.resolve("A. [[1]](abc_7) B. [[2]](lone) C. [[3]](abc)")
    assert _keys(answer) == ["abc_7", "lone_3"]
    assert [miss.reason for miss in answer.misses] == [MissReason.AMBIGUOUS]


def test_an_empty_store_reports_every_invented_citation() -> None:
    """With nothing registered nothing resolves, and each citation is a miss."""
    run = CitationRun("inline_url")
    answer = run.resolve(f'A. [[1]]({PAGE} "x") B. [[2]](https://b.example)')
    assert answer.text == f'A. [[1]]({PAGE} "x") B. [[2]](https://b.example)'
    assert [miss.reason for miss in answer.misses] == [MissReason.NEVER_ISSUED] * 2


def test_a_miss_is_never_a_live_link() -> None:
    """An invented source must not look better than a registered one: what is shown of it leads nowhere."""
    answer = _run().resolve("A. [[1]](https://invented.example/x) B. [2](https://invented.example/y)")
    assert [miss.written for miss in answer.misses] == [
        "[[1]](https://invented.example/x)",
        "[2](https://invented.example/y)",
    ]
    assert "](" not in render_answer(answer).text


def test_a_near_miss_gets_a_suggestion() -> None:
    """A key one letter off is not repaired: it earns the nearest issued key as a suggestion."""
    answer = _run().resolve("A. [[1]](https://example.com/pags)")
    assert answer.citations == ()
    assert answer.misses[0].suggestion == PAGE


def test_an_exact_key_wins_over_a_repair() -> None:
    """Keys that differ only in case are each found exactly; a spelling that could be either is ambiguous."""
    keys = ["https://x.example/Ab", "https://x.example/aB"]
    store = CitationStore()
    for key in keys:
        store.register_hit(key, {"content": key}, None)
    run = CitationRun("inline_url", conversation=ConversationState(store=store))
    answer = run.resolve(f"[[1]]({keys[1]}) [[2]]({keys[0]}) [[3]](https://x.example/ab)")
    assert _keys(answer) == [keys[1], keys[0]]
    assert [miss.reason for miss in answer.misses] == [MissReason.AMBIGUOUS]


# The wire formats of short keys.


def _short() -> CitationRun:
    store = CitationStore()
    for ref in ("9f2a1b7c", "0a1b2c3d", "11112222"):
        store.register_hit(ref, {"content": f"About {ref}.", "title": ref}, None)
    return CitationRun("short_id", conversation=ConversationState(store=store))


@pytest.mark.parametrize(
    ("written", "keys", "repaired"),
    [
        ("[[9f2a1b7c]]", ["9f2a1b7c"], False),
        ("[9f2a1b7c]", ["9f2a1b7c"], False),
        ("[[9F2A1B7C]]", ["9f2a1b7c"], True),
        ("[[9f2a1b7c, 0a1b2c3d]]", ["9f2a1b7c", "0a1b2c3d"], True),
        ("[9f2a1b7c; 0a1b2c3d]", ["9f2a1b7c", "0a1b2c3d"], True),
        ("[9f2a1b7c,0a1b2c3d , 11112222]", ["9f2a1b7c", "0a1b2c3d", "11112222"], True),
        ("[9f2a1b7c 0a1b2c3d]", ["9f2a1b7c", "0a1b2c3d"], True),
        ("[9f2a1b7c, p. 4]", ["9f2a1b7c"], False),
        ("[[9f2a1b7c]][[0a1b2c3d]]", ["9f2a1b7c", "0a1b2c3d"], False),
        ("[9f2a1b7c][0a1b2c3d]", ["9f2a1b7c", "0a1b2c3d"], False),
        ("[9f2a1b7c] [0a1b2c3d]", ["9f2a1b7c", "0a1b2c3d"], False),
        ("\uff3b9f2a1b7c\uff3d", ["9f2a1b7c"], True),
        ("\u30109f2a1b7c\u3011", ["9f2a1b7c"], True),
        ("\uff3b\uff19f2a1b7c\uff3d", ["9f2a1b7c"], True),
        ("[ 9f2a1b7c ]", ["9f2a1b7c"], False),
        ("**[9f2a1b7c]**", ["9f2a1b7c"], False),
        ("_so [[9f2a1b7c]]_", ["9f2a1b7c"], False),
        ("[text [9f2a1b7c]](https://elsewhere.example)", ["9f2a1b7c"], False),
        ("| a [9f2a1b7c] | b |", ["9f2a1b7c"], False),
        ("[[9f2a1b7c]](https://evil.example)", ["9f2a1b7c"], True),
    ],
)
def test_short_keys_as_models_write_them(written: str, keys: list[str], *, repaired: bool) -> None:
    """open-webui#30277, Open-Relay#63, defuddle#142: groups, dress, every inline node; no member is lost."""
    answer = _short().resolve(f"So. {written} On.")
    assert _keys(answer) == keys
    assert answer.misses == ()
    assert {citation.repaired is not None for citation in answer.citations} == {repaired}


@pytest.mark.parametrize(
    "prose",
    [
        "a[0] and b[12]",
        "in [2024] and [1] and [12]",
        "a note[^1]",
        "10 m<sup>2</sup> and x<sup>3</sup>",
        "[Example] [Section] [deleted] [Figure 2]",
        "href 3, ref 12 and see ref 3",
        "[1\u3011 and \u30101]",
        "[9f2a1b7]",
        "[see 9f2a1b7c]",
        r"\[9f2a1b7c\]",
        "[[Main Page]] and [[1, 2], [3, 4]]",
        "dp[i][0]",
        "\u30101\u3011 Introduction",
    ],
)
def test_prose_is_never_a_citation(prose: str) -> None:
    """R2R, RAGFlow, Onyx, DeepTutor#469, grobid#781: words, indexes, years, notes, powers and units stay prose."""
    answer = _short().resolve(prose)
    assert answer.citations == ()
    assert answer.misses == ()
    assert answer.text == prose


@pytest.mark.parametrize(
    "code",
    [
        "`[[9f2a1b7c]]`",
        "``a ` [[9f2a1b7c]]``",
        "```\n[[9f2a1b7c]]\n```",
        "```python\n[[9f2a1b7c]]",
        "<!-- [[9f2a1b7c]] -->",
        '<a title="[[9f2a1b7c]]">',
    ],
)
def test_code_comments_and_tags_hold_no_citation(code: str) -> None:
    """OmniRoute#14122, onyx#911, gosh#7: spans, fences, unfinished fences, comments, attributes."""
    answer = _short().resolve(code)
    assert answer.citations == ()
    assert [miss.reason for miss in answer.misses] == [MissReason.IN_CODE]


def test_a_target_of_a_link_holds_no_citation() -> None:
    """What stands in an address is an address, whatever it looks like."""
    answer = _short().resolve("[text](https://x.example/[9f2a1b7c])")
    assert answer.citations == ()
    assert [miss.reason for miss in answer.misses] == [MissReason.IN_LINK]


@pytest.mark.parametrize(
    ("written", "full"),
    [("[deadbeef]", False), ("[[deadbeef]]", True), ("[[9f2a1b7]]", False), ("[[deadbeef, 9f2a1b7c]]", True)],
)
def test_an_unknown_short_key_is_reported(written: str, *, full: bool) -> None:
    """onyx#1543: what was never issued does not resolve; in single brackets it stays prose and is listed."""
    answer = _short().resolve(written)
    assert [miss.reason for miss in answer.misses] == [MissReason.NEVER_ISSUED]
    shown = render_answer(answer).text
    assert ("deadbeef" in shown) is (not full and "deadbeef" in written)


def test_a_foreign_link_does_not_stay_behind_a_key() -> None:
    """`[[id]](https://evil...)` counts as cited, and the foreign address goes."""
    answer = _short().resolve("So. [[9f2a1b7c]](https://evil.example)")
    assert answer.citations[0].repaired == "the link target was dropped"
    assert "evil" not in render_answer(answer).text


def test_one_document_has_one_number() -> None:
    """onyx#14334, PubSec#476, Vane#1109: two passages of a document are one source with both passages under it."""
    run = CitationRun("ref")
    payloads = [
        run.present({"id": f"p{number}", "document_id": "doc", "content": f"Part {number}.", "title": "T"})
        for number in (1, 2)
    ]
    answer = run.resolve(" ".join(f"So. [{payload['ref']}]" for payload in payloads))
    assert [evidence.number for evidence in answer.evidences] == [1]
    sources = render_answer(answer).sources
    assert len(sources) == 1
    assert len(sources[0].passages) == 2


def test_refs_hold_for_the_whole_conversation() -> None:
    """generative-ai-use-cases#601: a source of the first turn is the same source in every later one."""
    first = CitationRun("ref")
    one = first.present({"id": "a", "content": "First turn."})["ref"]
    kept = ConversationState.load(first.conversation.export())
    second = CitationRun(conversation=kept)
    two = second.present({"id": "b", "content": "Second turn."})["ref"]
    answer = second.resolve(f"A. [{one}] B. [{two}]")
    assert _keys(answer) == [one, two]


def test_a_key_is_no_ordinal() -> None:
    """onyx#3067, onyx#6484, ragflow#8594, comhairle#791: an order number resolves to nothing."""
    assert _short().resolve("So. [1] [[2]] and [0]").citations == ()


def test_many_sources_stay_apart() -> None:
    """open-webui#11592, #19452, #10441, #7508: with three hundred sources each marker has its own."""
    run = CitationRun("ref")
    refs = [run.present({"id": str(number), "content": f"Fact {number}."})["ref"] for number in range(300)]
    answer = run.resolve(" ".join(f"Fact {n}. [{ref}]" for n, ref in enumerate(refs)))
    assert _keys(answer) == refs
    assert [evidence.number for evidence in answer.evidences] == list(range(1, 301))


def test_only_what_is_cited_is_listed() -> None:
    """Open-WebUI-Functions#84: three of twenty cited, three listed."""
    run = CitationRun("ref")
    refs = [run.present({"id": str(number), "content": f"Fact {number}."})["ref"] for number in range(20)]
    answer = run.resolve(" ".join(f"So. [{ref}]" for ref in refs[5:8]))
    assert len(render_answer(answer).sources) == 3


def test_a_source_without_a_title_breaks_nothing() -> None:
    """teams-sdk#1714: every field but the words is optional."""
    run = CitationRun("ref")
    ref = run.present({"id": "a", "content": "Words."})["ref"]
    assert render_answer(run.resolve(f"So. [{ref}]")).sources[0].title == "Source"


# Raised numbers.


def _raised(*numbers: int) -> CitationRun:
    run = CitationRun("sup_numeric")
    for number in numbers:
        payload = run.present({"id": str(number), "content": f"Fact {number}."})
        assert payload["number"] == number
    return run


@pytest.mark.parametrize(
    ("written", "sources"),
    [
        ("So.<sup>1</sup>", [1]),
        ("approved<sup>2</sup>", [2]),
        ("So. <sup>1,2</sup>", [1, 2]),
        ("So. <sup>1, 3-5</sup>", [1, 3, 4, 5]),
        ("So. <sup> 1 ; 2 </sup>", [1, 2]),
        ("So. <SUP>1</SUP>", [1]),
        ("So. <sup>[1]</sup>", [1]),
        ("So. <sup>\uff11</sup>", [1]),
        ("So.<sup>1</sup><sup>2</sup>", [1, 2]),
        ("In 2024<sup>1</sup>", [1]),
        ("(see above)<sup>1</sup>", [1]),
    ],
)
def test_raised_numbers_as_models_write_them(written: str, sources: list[int]) -> None:
    """Lists, ranges, spaces and upper-case tags; every member counts."""
    run = _raised(1, 2, 3, 4, 5)
    answer = run.resolve(written)
    assert _keys(answer) == [str(number) for number in sources]
    assert answer.misses == ()


@pytest.mark.parametrize(
    "power",
    [
        "10 m<sup>2</sup>",
        "x<sup>3</sup>",
        "10<sup>2</sup>",
        "5 km<sup>2</sup>",
        "(a+b)<sup>2</sup>",
        "mc<sup>2</sup>",
    ],
)
def test_powers_and_units_are_not_cited(power: str) -> None:
    """`10 m<sup>2</sup>` is an area, though result 2 exists."""
    answer = _raised(1, 2, 3).resolve(power)
    assert answer.citations == ()
    assert answer.misses == ()


@pytest.mark.parametrize("written", ["So.<sup>9</sup>", "So.<sup>0</sup>", "So.<sup>1-999999999</sup>"])
def test_a_raised_number_out_of_range_is_reported(written: str) -> None:
    """Out of range, zero and a range bomb are misses, not silences."""
    answer = _raised(1, 2).resolve(written)
    assert answer.citations == ()
    assert len(answer.misses) == 1


def test_a_range_that_reaches_too_far_cites_what_is_there() -> None:
    """Of `<sup>1-3</sup>` with two results, two are cited and the third is reported."""
    answer = _raised(1, 2).resolve("So.<sup>1-3</sup>")
    assert _keys(answer) == ["1", "2"]
    assert [miss.reason for miss in answer.misses] == [MissReason.NEVER_ISSUED]
    assert render_answer(answer).text == "So.[1][2]"


def test_numbers_are_unique_over_the_conversation() -> None:
    """The first result of a second search has a number of its own, and 1 stays the first of the first."""
    run = _raised(1, 2)
    later = CitationRun(conversation=ConversationState.load(run.conversation.export()))
    assert later.present({"id": "new", "content": "New."})["number"] == 3
    assert later.present({"id": "1", "content": "Fact 1."})["number"] == 1
    assert _keys(later.resolve("So.<sup>1</sup> And.<sup>3</sup>")) == ["1", "3"]


def test_raised_numbers_of_other_conversations_are_prose() -> None:
    """Where no number was ever shown, a raised one cites nothing and is no fault."""
    answer = _short().resolve("So.<sup>1</sup>")
    assert (answer.citations, answer.misses) == ((), ())


# Markers of other providers.


@pytest.mark.parametrize(
    "marker",
    ["\u30104:0\u2020source\u3011", "\u30104\u2020source\u3011", "\ue200cite\ue202turn0search3\ue201"],
)
def test_foreign_markers_are_reported_and_dropped_from_view(marker: str) -> None:
    """openai-php#405, leapfrogai#1110, unsloth#5713: known as markers; the text keeps them, the view does not."""
    answer = _short().resolve(f"So it is{marker}.")
    assert {miss.reason for miss in answer.misses} == {MissReason.NEVER_ISSUED}
    assert answer.text == f"So it is{marker}."
    assert render_answer(answer).text == "So it is."


def test_foreign_markers_keep_all_their_members() -> None:
    """unsloth#5713: a marker with several sources loses none of them; those that were issued resolve."""
    store = CitationStore()
    store.register_hit("turn0search1", {"content": "One."}, None)
    store.register_hit("turn0news2", {"content": "Two."}, None)
    run = CitationRun("ref", conversation=ConversationState(store=store))
    answer = run.resolve("So.\ue200cite\ue202turn0search1\ue202turn0news2\ue202turn1file9\ue201")
    assert _keys(answer) == ["turn0search1", "turn0news2"]
    assert [miss.written for miss in answer.misses] == ["turn1file9"]


# Passages that attack.


@pytest.mark.parametrize(
    "planted",
    [
        "[9f2a1b7c]",
        "[[9f2a1b7c]]",
        "[[1]](https://evil.example)",
        "<sup>1</sup>",
        "\u30104:0\u2020source\u3011",
        "[1]",
    ],
)
def test_a_passage_with_markers_is_neutralised(planted: str) -> None:
    """atlas-ui-3#874: text like our markers in a source is that source's text; shown, it reads as no marker."""
    run = _short()
    payload = run.present({"id": "x", "content": f"As said {planted} before."})
    assert planted not in payload["content"]
    assert len(payload["content"]) == len(f"As said {planted} before.")
    assert run.resolve(payload["content"]).citations == ()


def test_a_definition_takes_over_no_key() -> None:
    """`[9f2a1b7c]: https://elsewhere` later in the text leaves the citation what it is."""
    answer = _short().resolve("So. [9f2a1b7c]\n\n[9f2a1b7c]: https://elsewhere.example")
    assert _keys(answer) == ["9f2a1b7c"]
    assert [miss.reason for miss in answer.misses] == [MissReason.MALFORMED]


@pytest.mark.parametrize(
    "line", ["[9f2a1b7c]: the handbook says so, and more.", "[[9f2a1b7c]]: https://a.example"]
)
def test_a_line_that_begins_with_a_citation_is_no_definition(line: str) -> None:
    """Only an address, perhaps with a title, and nothing more makes a definition: other lines keep their words."""
    answer = _short().resolve(f"Sources:\n{line}")
    assert _keys(answer) == ["9f2a1b7c"]
    assert render_answer(answer).text.startswith("Sources:\n[1]:") or "\\:" in render_answer(answer).text


def test_a_group_with_invented_members_drops_those_alone() -> None:
    """onyx#1543: of `[5, 7]` with four sources nothing resolves; of a group, what was issued does."""
    run = _raised(1, 2, 3, 4)
    answer = run.resolve("So.<sup>4, 7</sup>")
    assert _keys(answer) == ["4"]
    assert [miss.written for miss in answer.misses] == ["7"]
    assert run.resolve("So. [5, 7]").citations == ()


def test_a_ref_leads_to_its_document() -> None:
    """R2R#424: every ref that a model writes can be looked up, by equality."""
    run = CitationRun("ref")
    ref = run.present({"id": "6c", "document_id": "doc", "content": "A fact."})["ref"]
    hit = run.store.get_hit_by_short_id(ref)
    assert hit is not None
    assert hit.known.document_id is not None
    assert run.store.get_hit_by_document_id(hit.known.document_id) is hit


def test_a_sources_own_numbers_are_no_links() -> None:
    """grobid#781, Sefaria-Project#2789: superscripts and notes of a source, quoted by the model, cite nothing."""
    run = CitationRun("sup_numeric")
    shown = run.present({"id": "a", "content": "As was said<sup>1</sup> before [1]."})["content"]
    answer = run.resolve(f"It says: {shown}")
    assert (answer.citations, answer.misses) == ((), ())


def test_a_passage_presented_again_is_one_source() -> None:
    """open-webui#10512: what a tool registered and the next turn shows again keeps its key and its number."""
    run = _run()
    answer = run.resolve(f"A. [[1]]({PAGE})")
    (payload,) = run.present_context(answer.context)
    assert payload["source_url"] == PAGE
    assert len(run.resolve(f"A. [[1]]({PAGE}) B. [[2]]({payload['source_url']})").evidences) == 1


def test_an_unsafe_address_is_never_an_evidence_link() -> None:
    """A `javascript:` evidence address passes nowhere."""
    store = CitationStore()
    store.register_hit("k1", {"content": "x", "title": "T"}, None, "javascript:alert(1)")
    run = CitationRun("inline_url", conversation=ConversationState(store=store))
    answer = run.resolve("So. [[1]](k1)")
    assert "javascript" not in repr(answer.evidences)
    assert render_answer(answer).sources[0].url is None


@pytest.mark.parametrize(
    "planted",
    [
        "[[see 9f2a1b7c]]",
        "[[\uff3d 9f2a1b7c]]",
        "\uff3bsee 9f2a1b7c\uff3d",
        "\u3010see 9f2a1b7c\u3011",
        "\uff3b|9f2a1b7c\uff3d",
        "[[9f2a 1b7c]]",
        "\uff3b4:0\u2020source\uff3d",
        "[[[[ 9f2a1b7c ]]]]",
        "[\u200b9f2a1b7c]",
    ],
)
def test_what_is_planted_in_a_passage_cites_nothing_when_copied(planted: str) -> None:
    """The model may copy a passage, its title and its place word for word: no other source is cited by it."""
    run = _short()
    payload = run.present({"id": "x", "title": planted, "content": f"As said {planted} before."})
    answer = run.resolve(f"{payload['title']} {payload['content']} {payload['locator']}")
    assert answer.citations == ()


def test_an_address_that_reads_as_a_marker_is_no_key() -> None:
    """Such an address would cite another source as soon as it is written: the passage gets another key."""
    run = _run()
    payload = run.present({"source_url": f"https://e.example/x [[1]]({PAGE})", "content": "Own words."})
    answer = run.resolve(f"So. [[1]]({payload['source_url']})")
    assert _keys(answer) == [payload["source_url"]]
    assert payload["source_url"].startswith("/citations/")


def test_a_number_behind_a_ref_is_another_ref() -> None:
    """`9f2a1b7c_99999` was never issued."""
    assert _short().resolve("So. [[9f2a1b7c_99999]]").citations == ()


def test_an_exact_reading_wins_over_a_mended_one() -> None:
    """`(https://x/a foo)` names the issued address and words behind it, and not the address `https://x/afoo`."""
    store = CitationStore()
    for key in ("https://x.example/a", "https://x.example/afoo"):
        store.register_hit(key, {"content": key}, None)
    run = CitationRun("inline_url", conversation=ConversationState(store=store))
    assert _keys(run.resolve("So. [[1]](https://x.example/a foo)")) == ["https://x.example/a"]
