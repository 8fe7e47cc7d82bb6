"""A stream adds up to what the whole text gives, wherever it is cut, and holds back only what may be a marker."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile, much
from pincite.citing import (
    CitationFound,
    CitationRun,
    CitationStore,
    ConversationState,
    Finished,
    MissFound,
    TextDelta,
    WireFormat,
)
from pincite.citing._scan import scan
from pincite.core.errors import InputError
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import MissReason, TraceVerdict

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence

    from pincite.citing import StreamEvent
    from pincite.core.citation import Citation

URL = "https://example.com/a_(b)"
BARE = "ev1:"
EVIDENCE = "ev1:c:f24b301d-f73a-5291-9d80-7ea3cbd5291c:c174f9d9eba7d79c:efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
FORMATS = ["inline_url", "short_id", "ref", "sup_numeric", "evidence_id", "deferred"]


def conversation() -> ConversationState:
    """A conversation in which every wire format has something to cite."""
    store = CitationStore()
    store.register_hit("9f2a1b7c", {"content": "Approval is needed above 100 euro.", "title": "A"}, None, URL)
    store.register_hit(URL, {"content": "Mercury is the smallest planet.", "number": 1}, None, URL)
    store.register_hit("turn0search1", {"content": "Seen on the web.", "number": 2}, None, None)
    store.register_hit(EVIDENCE, {"content": "Told by its id.", "number": 3}, None, None)
    store.register_reference("/tags/7", "Finance", "tags")
    return ConversationState(store=store)


def run_in(wire_format: str, limits: Limits = DEFAULT) -> CitationRun:
    """A run over that conversation."""
    return CitationRun(wire_format, conversation=conversation(), limits=limits)


def pieces_of(text: str, cuts: Iterable[int]) -> list[str]:
    """Return `text` cut at code points `cuts`."""
    places = [0, *sorted({cut for cut in cuts if 0 < cut < len(text)}), len(text)]
    return [text[a:b] for a, b in pairwise(places)]


def adds_up(events: Sequence[StreamEvent], run: CitationRun, text: str) -> None:
    """Check the events of a stream against resolving the whole text."""
    last = events[-1]
    assert isinstance(last, Finished)
    whole = run.resolve(text)
    assert last.answer == whole
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == text
    told = [event.citation for event in events if isinstance(event, CitationFound)]
    missed = [event.miss for event in events if isinstance(event, MissFound)]
    # What stands without brackets is told at the end.
    assert sorted(told, key=start_of) == list(whole.citations)
    assert sorted(missed, key=lambda one: one.start) == list(whole.misses)
    if BARE not in text:
        assert tuple(told) == whole.citations
        assert tuple(missed) == whole.misses


def start_of(citation: Citation) -> int:
    """Where a citation's anchor begins."""
    assert citation.anchor is not None
    return citation.anchor.start


MARKUP = st.lists(
    st.sampled_from(
        [
            "[", "]", "[[", "]]", "(", ")", "<", ">", "`", "``", "```", "```\n", "~~~\n",
            "- ", "> ", "    ```\n", "     ~~~\n", "\n", "\n\n", "\r\n", "\\",
            "<!--", "-->", "9f2a1b7c", "9F2A1B7C", "deadbeef", ", ", "; ", ":", "!", "x ", "m", "word", "1", "3-5",
            "[9f2a1b7c]", "[[9f2a1b7c]]", "[[1]](", f'[[1]]({URL} "Mercury")', "[2](", URL, ' "', '")', "“", "”", "'",
            "<sup>", "</sup>", "<sup>1, 2</sup>", '<a href="', "【", "】", "4:0†source", "［", "］",
            "\ue200cite\ue202turn0search1", "\ue202", "\ue201", "](", "[Finance](/tags/7)", "[2024](/tags/7)",
            "\ud83d", "\ude00", "😀",
            " ", "   ", "\t", "ev1:c:", "é", EVIDENCE, EVIDENCE[:40], EVIDENCE[40:], f"[{EVIDENCE}]", f"({EVIDENCE})",
        ]
    ),
    max_size=40,
).map("".join)  # fmt: skip
CUTS = st.lists(st.integers(1, 400), max_size=20)


@given(MARKUP, CUTS, st.sampled_from(FORMATS), st.sampled_from([2_000, 40, 12]))
def test_every_chunking_adds_up_to_the_batch_result(
    text: str, cuts: list[int], wire_format: str, reach: int
) -> None:
    """Cut inside markers, fences, code spans, surrogates and targets, the events say what the whole text says."""
    run = run_in(wire_format, replace(DEFAULT, marker_code_points=reach))
    adds_up(list(run.stream_sync(pieces_of(text, cuts))), run, text)


@given(MARKUP, CUTS, st.sampled_from([2_000, 40, 12]))
def test_what_a_stream_scanned_is_what_a_scan_of_the_whole_finds(
    text: str, cuts: list[int], reach: int
) -> None:
    """Markers, code and links, however the text is cut; there is none before the end, nor of what was not scanned."""
    limits = replace(DEFAULT, marker_code_points=reach)
    run = run_in("ref", limits)
    fed, followed = run.resolution(), run.resolution()
    for piece in pieces_of(text, cuts):
        fed.feed(piece)
    assert fed.scan is None
    fed.finish()
    list(followed.follow(pieces_of(text, cuts)))
    whole = scan(text, limits=limits)
    assert fed.scan == whole
    assert followed.scan in (None, whole)


def test_there_is_no_scan_of_what_was_not_scanned() -> None:
    """A plain marker that comes in pieces is entered as it is."""
    followed = run_in("ref").resolution()
    list(followed.follow(["One", " [", "9f2a1b7c", "]", " two."]))
    assert followed.scan is None


@given(MARKUP)
def test_every_character_alone_adds_up(text: str) -> None:
    """ogx#6599, suzent#215: every prefix of a marker is held back at every cut point."""
    run = run_in("inline_url")
    adds_up(list(run.stream_sync(list(text))), run, text)


@given(st.text(st.characters(), max_size=80), CUTS)
def test_any_text_is_streamed(text: str, cuts: list[int]) -> None:
    """Surrogates, NUL and combining marks change nothing."""
    run = run_in("ref")
    adds_up(list(run.stream_sync(pieces_of(text, cuts))), run, text)


def test_a_citation_comes_with_its_marker() -> None:
    """As soon as the marker is complete the citation is told, then the marker's text, whole."""
    run = run_in("ref")
    events = list(run.stream_sync(["So it is [9f2", "a1b7c", "] and", " more."]))
    kinds = [event.text if isinstance(event, TextDelta) else type(event).__name__ for event in events]
    assert kinds == ["So it is ", "CitationFound", "[9f2a1b7c]", " and", " more.", "Finished"]


def test_what_can_be_no_marker_is_let_go_at_once() -> None:
    """eneo#828, eneo#835: an opener that cannot lead to a marker holds nothing back."""
    run = run_in("ref")
    for text in ["see [the annex", "[x", "[^1", "`code", "x < y", "a ~ b", "[[Main\n", "![img"]:
        events = run.stream_sync([text])
        assert next(events) == TextDelta(text), text


def test_only_what_may_be_a_marker_is_held_inside_possible_code() -> None:
    """Open code flows; only a bracket in it waits, until it is known whether it is code."""
    run = run_in("ref")
    events = list(run.stream_sync(["a `b", " c", " [9f2a1b7c", "] d", "` e"]))
    assert events[0] == TextDelta("a `b")
    assert events[1] == TextDelta(" c")
    assert [event.miss.reason for event in events if isinstance(event, MissFound)] == [MissReason.IN_CODE]


@pytest.mark.parametrize(
    "opener", ["[[1]](", "`[", "[9f2a1b7c, ", "<sup>1", "<a href='[", "【4", '[[1]](u "', "[[x"]
)
def test_an_unclosed_opener_is_let_go(opener: str) -> None:
    """opencodex#3868: what never closes is held for `marker_code_points` at most, and comes out whole at the end."""
    limits = replace(DEFAULT, marker_code_points=50)
    run = run_in("inline_url", limits)
    out = 0
    text = opener + "9" * 400
    held = 0
    for number, event in enumerate(run.stream_sync(list(text))):
        assert number <= len(text) + 2
        if isinstance(event, TextDelta):
            out += len(event.text)
            held = max(held, len(event.text))
    assert out == len(text)
    assert held <= 50


def test_hold_back_is_bounded() -> None:
    """At no time is more than `marker_code_points` of text held back."""
    limits = replace(DEFAULT, marker_code_points=60)
    run = run_in("inline_url", limits)
    resolution = run.resolution()
    for char in f'[[1]]({URL} "a b c" [[1]](x (y "z ' * 20:
        resolution.feed(char)
        assert resolution.held <= 60


def test_a_stream_may_be_asynchronous() -> None:
    """`run.stream` takes asynchronous and plain pieces alike."""
    run = run_in("ref")
    pieces = ["Yes [9f2", "a1b7c]", "."]

    async def slowly() -> AsyncIterator[str]:
        for piece in pieces:
            await asyncio.sleep(0)
            yield piece

    async def collect(source: AsyncIterator[str] | list[str]) -> list[StreamEvent]:
        return [event async for event in run.stream(source)]

    for source in (slowly(), pieces):
        adds_up(asyncio.run(collect(source)), run, "".join(pieces))


def test_a_stream_that_stops_early_loses_nothing_that_came() -> None:
    """Whoever stops reading has had every piece that was settled by then."""
    run = run_in("ref")
    events = run.stream_sync(["One. [9f2a1b7c] Two.", " Three."])
    first = [next(events) for _ in range(4)]
    assert [type(event) for event in first] == [TextDelta, CitationFound, TextDelta, TextDelta]


@hostile
@pytest.mark.parametrize(
    "unit", ["`", "\\", "~", "[", "[[1]](", "<sup>", "`` ", "[9f2a1b7c", "<!--", "](", "\u3010"]
)
def test_hostile_streams_end(unit: str) -> None:
    """A long run of any opener in small pieces is linear: a quadratic stream of it would not come back."""
    text = much(unit, 200_000)
    out = 0
    for event in run_in("ref").stream_sync(text[at : at + 4] for at in range(0, len(text), 4)):
        out += len(event.text) if isinstance(event, TextDelta) else 0
    assert out == len(text)


def test_a_source_that_comes_later_resolves() -> None:
    """utopia#779: a marker before its source arrives is text first, and a citation once the source is there."""
    run = CitationRun("ref")
    ref = run.present({"id": "a", "content": "A fact."})["ref"]
    other = CitationRun("ref")

    def pieces() -> Iterator[str]:
        yield f"So. [{ref}] "
        other.present({"id": "a", "content": "A fact."})
        yield f"And so. [{ref}] End."

    events = list(other.stream_sync(pieces()))
    last = events[-1]
    assert isinstance(last, Finished)
    assert last.answer == other.resolve(last.answer.text)
    assert len(last.answer.citations) == 2
    assert {citation.trace for citation in last.answer.citations} == {TraceVerdict.VALID}


def test_an_empty_stream_finishes() -> None:
    """No pieces, and empty ones, are an empty answer."""
    run = run_in("ref")
    assert list(run.stream_sync([])) == [Finished(run.resolve(""))]
    assert list(run.stream_sync(["", ""])) == [Finished(run.resolve(""))]


def test_a_piece_is_a_string() -> None:
    """Anything else is a typed error."""
    with pytest.raises(InputError, match="string"):
        list(run_in("ref").stream_sync([b"x"]))  # type: ignore[list-item]


def test_deferred_citations_come_at_the_end() -> None:
    """What is matched after generation is told once the text is there."""
    run = CitationRun("deferred")
    run.present(
        {"id": "a", "content": "Expenses over 100 EUR require prior approval from your line manager."}
    )
    text = "Expenses over 100 EUR require prior approval from your line manager."
    events = list(run.stream_sync(pieces_of(text, [10, 30])))
    assert [type(event) for event in events[-2:]] == [CitationFound, Finished]
    adds_up(events, run, text)


def test_a_format_of_ones_own_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wire format that is not built in is found in pieces as it is found whole."""
    import re

    from pincite.citing import formats

    own = WireFormat("braces", "ref", "{{", "}}", re.compile("[0-9a-f]{8}"), True, "Write {{ref}}.")
    monkeypatch.setitem(formats.WIRE_FORMATS, "braces", own)
    run = run_in("braces")
    text = "So {{9f2a1b7c}} and {{deadbeef}} and {x} and {{ 9f2a1b7c, 9f2a1b7c }} {{"
    adds_up(list(run.stream_sync(list(text))), run, text)
    assert len(run.resolve(text).citations) == 3
