"""The ledger knows what was received, and forgets nothing by a smaller refetch."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import InputError, MalformedIdError
from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId
from pincite.core.ledger import Fetched, Ledger
from pincite.core.limits import Limits
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
OTHER = "0a4b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSION = "c174f9d9eba7d79c"


def test_a_smaller_refetch_loses_nothing() -> None:
    """What was received with its text stays when the same id comes again without."""
    span = SpanEvidenceId(DOCUMENT, VERSION, 0, 10)
    ledger = Ledger()
    ledger.record(Fetched(str(span), span, "ten points"))
    ledger.record(Fetched(str(span)))
    kept = ledger.get(str(span))
    assert kept is not None
    assert kept.text == "ten points"


def test_a_ledger_survives_its_json() -> None:
    """Ids and ranges are there after a restart."""
    span = SpanEvidenceId(DOCUMENT, VERSION, 0, 10)
    ledger = Ledger()
    ledger.record(Fetched(str(span), span, "ten points"))
    again = Ledger.load(ledger.export())
    assert str(span) in again
    ranges = again.ranges(DOCUMENT, VERSION)
    assert ranges is not None
    assert ranges.covering(2, 5) == (0, 10)


CHUNK = "efae06f9-f4e7-5a7a-af99-d7f5d7c4d6ef"
SHOWN = st.lists(
    st.tuples(st.sampled_from([CHUNK, DOCUMENT]), st.booleans(), st.integers(0, 3), st.booleans()), max_size=8
)


@given(SHOWN)
def test_showing_is_recording_the_span_and_then_the_passage(shown: list[tuple[str, bool, int, bool]]) -> None:
    """Whatever is asked in between, what was shown is there as if each had been recorded at once."""
    quick, plain = Ledger(), Ledger()
    for chunk, placed, start, asked in shown:
        name = str(ChunkEvidenceId(DOCUMENT, VERSION, chunk))
        span = SpanEvidenceId(DOCUMENT, VERSION, start, start + 5)
        text = f"abcd{start}"
        quick.record_shown(name, (DOCUMENT, VERSION, start, start + 5, text) if placed else None)
        if placed:
            plain.record(Fetched(str(span), span, text))
        plain.record(Fetched(name, span if placed else None))
        assert name in quick
        if asked:
            assert (str(span) in quick) == (str(span) in plain)
            assert list(quick) == list(plain)
    assert list(quick) == list(plain)
    assert quick.export() == plain.export()
    assert quick.texts(DOCUMENT, VERSION) == plain.texts(DOCUMENT, VERSION)
    ranges, others = quick.ranges(DOCUMENT, VERSION), plain.ranges(DOCUMENT, VERSION)
    assert (ranges is None) == (others is None)
    if ranges is not None and others is not None:
        assert [ranges.covering(n, n + 1) for n in range(10)] == [
            others.covering(n, n + 1) for n in range(10)
        ]


def test_sixteen_threads_record_and_ask_at_once() -> None:
    """Nothing that one of them received is missing, then or later."""
    ledger = Ledger()
    missing: list[str] = []

    def work(worker: int) -> None:
        for index in range(100):
            start = worker * 1_000 + index * 10
            span = SpanEvidenceId(DOCUMENT, VERSION, start, start + 10)
            chunk = str(ChunkEvidenceId(DOCUMENT, VERSION, f"{CHUNK[:-8]}{start:08x}"))
            ledger.record_shown(chunk, (DOCUMENT, VERSION, start, start + 10, "ten points"))
            names = (chunk, str(span)) if index % 3 else (chunk,)
            missing.extend(name for name in names if name not in ledger)

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missing == []
    assert len(ledger) == 2 * 16 * 100
    ranges = ledger.ranges(DOCUMENT, VERSION)
    assert ranges is not None
    assert ranges.covering(0, 1_000) == (0, 16_000)


# -- pieces ---------------------------------------------------------------------------------------

PLACED = SpanEvidenceId(DOCUMENT, VERSION, 1_000, 1_100)
PASSAGE = str(ChunkEvidenceId(DOCUMENT, VERSION, CHUNK))
WORDS = "".join(chr(ord("a") + index % 26) for index in range(100))


def _span(start: int, end: int) -> str:
    return str(SpanEvidenceId(DOCUMENT, VERSION, start, end))


def _is_covered(ledger: Ledger, start: int, end: int) -> bool:
    ranges = ledger.ranges(DOCUMENT, VERSION)
    return ranges is not None and ranges.covering(start, end) is not None


def test_an_id_counts_as_fetched_when_all_of_it_was_received() -> None:
    """In whatever order the pieces come; the last one completes it, with its text."""
    ledger = Ledger()
    for start, end in ((60, 100), (0, 30), (20, 60)):
        assert PASSAGE not in ledger
        ledger.record_received(PASSAGE, start, end, 100, span=PLACED, text=WORDS[start:end])
    assert PASSAGE in ledger
    assert ledger.received(PASSAGE) == ((0, 100),)
    assert ledger.get(PASSAGE) == Fetched(PASSAGE, PLACED, WORDS)


def test_what_was_received_of_an_id_is_citable_by_its_place() -> None:
    """The range of the piece is there, the id is not, and what was not received is neither."""
    ledger = Ledger()
    ledger.record_received(PASSAGE, 10, 40, 100, span=PLACED)
    assert ledger.received(PASSAGE) == ((10, 40),)
    assert ledger.place(PASSAGE) == PLACED
    assert ledger.get(PASSAGE) is None
    assert len(ledger) == 0
    assert _is_covered(ledger, 1_010, 1_040)
    assert not _is_covered(ledger, 1_009, 1_040)
    assert not _is_covered(ledger, 1_010, 1_041)


def test_the_place_of_a_span_is_its_own() -> None:
    """Nobody has to say where a span id stands."""
    ledger = Ledger()
    ledger.record_received(_span(1_000, 1_100), 0, 40, 100)
    assert ledger.place(_span(1_000, 1_100)) == PLACED
    assert _is_covered(ledger, 1_000, 1_040)


def test_a_piece_whose_place_nobody_knows_completes_its_id_all_the_same() -> None:
    """It enters no ranges of the version."""
    ledger = Ledger()
    ledger.record_received(PASSAGE, 0, 40, 100)
    ledger.record_received(PASSAGE, 40, 100, 100)
    assert ledger.received(PASSAGE) == ((0, 100),)
    assert ledger.get(PASSAGE) == Fetched(PASSAGE, length=100)
    assert not _is_covered(ledger, 1_000, 1_001)


def test_a_smaller_piece_never_loses_a_fuller_fetch() -> None:
    """Whole stays whole, with its text; a piece that is there already adds nothing."""
    ledger = Ledger()
    ledger.record(Fetched(PASSAGE, PLACED, WORDS))
    ledger.record_received(PASSAGE, 0, 60, 100, span=PLACED, text=WORDS[:60])
    assert ledger.get(PASSAGE) == Fetched(PASSAGE, PLACED, WORDS)
    ledger.record_received(_span(0, 50), 0, 40, 50)
    ledger.record_received(_span(0, 50), 10, 20, 50)
    assert ledger.received(_span(0, 50)) == ((0, 40),)


def test_pieces_of_a_text_of_another_length_begin_anew() -> None:
    """What was received of another text says nothing of this one."""
    ledger = Ledger()
    ledger.record_received(PASSAGE, 0, 60, 100)
    ledger.record_received(PASSAGE, 60, 90, 90)
    assert ledger.received(PASSAGE) == ((60, 90),)
    assert PASSAGE not in ledger


def test_an_empty_passage_is_received_at_once() -> None:
    """There is nothing that could be missing."""
    ledger = Ledger()
    ledger.record_received(PASSAGE, 0, 0, 0)
    assert PASSAGE in ledger
    assert ledger.received(PASSAGE) == ()


@pytest.mark.parametrize(
    ("piece", "known", "message"),
    [
        ((0, 101, 100), {}, "code point of the text"),
        ((-1, 5, 100), {}, "code point of the text"),
        ((6, 5, 100), {}, "code point of the text"),
        (("0", 5, 100), {}, "code point of the text"),
        ((True, 5, 100), {}, "code point of the text"),
        ((0, 5, 100), {"text": "four"}, "as long as the piece"),
        ((0, 5, 100), {"text": b"bytes"}, "as long as the piece"),
        ((0, 5, 99), {"span": PLACED}, "as long as the text"),
        ((0, 5, 100), {"span": SpanEvidenceId(OTHER, VERSION, 0, 100)}, "another document"),
        ((0, 5, 100), {"span": SpanEvidenceId(DOCUMENT, VERSION, 100, 100)}, "empty or runs backwards"),
    ],
)
def test_a_piece_that_does_not_fit_is_an_error(
    piece: tuple[Any, Any, Any], known: dict[str, Any], message: str
) -> None:
    """Nothing is entered that would make a place citable that was not received."""
    ledger = Ledger()
    with pytest.raises(InputError, match=message):
        ledger.record_received(PASSAGE, *piece, **known)
    assert ledger.received(PASSAGE) == ()


def test_a_whole_that_does_not_fit_its_place_is_an_error() -> None:
    """A text is as long as its span."""
    with pytest.raises(InputError, match="as long as the text"):
        Ledger().record(Fetched(PASSAGE, PLACED, "too short"))
    with pytest.raises(MalformedIdError):
        Ledger().record(Fetched("ev1:c:oops"))
    wrong: list[Any] = [{"text": 7}, {"length": "7"}, {"length": -1}, {"length": 3, "text": "four"}]
    for given_wrong in wrong:
        with pytest.raises(InputError):
            Ledger().record(Fetched(PASSAGE, **given_wrong))


# -- versions -------------------------------------------------------------------------------------


def test_the_state_of_a_version_is_that_of_the_last_fetch() -> None:
    """All ids of a version share it, and a fetch that tells nothing leaves it."""
    ledger = Ledger()
    ledger.record(Fetched(PASSAGE, PLACED, state=SourceState.CURRENT))
    ledger.record_received(_span(0, 50), 0, 40, 50, state=SourceState.SUPERSEDED)
    ledger.record(Fetched(PASSAGE, PLACED, WORDS))
    assert ledger.state_of(PASSAGE) is SourceState.SUPERSEDED
    assert ledger.state_of(_span(7, 9)) is SourceState.SUPERSEDED
    assert ledger.state_of(str(ChunkEvidenceId(DOCUMENT, "0" * 16, CHUNK))) is None


# -- bounds ---------------------------------------------------------------------------------------


def test_the_oldest_are_forgotten_first() -> None:
    """What is forgotten is not fetched any more, by id and by place; the rest is as it was."""
    ledger = Ledger(limits=Limits(ledger_entries=3))
    for start in (0, 10, 20, 30, 40):
        ledger.record(Fetched(_span(start, start + 10), text="ten points"))
    assert [kept.evidence_id for kept in ledger] == [_span(20, 30), _span(30, 40), _span(40, 50)]
    assert _is_covered(ledger, 20, 50)
    assert not _is_covered(ledger, 19, 21)
    texts = ledger.stretches(DOCUMENT, VERSION)
    assert texts is not None
    assert list(texts) == [(20, "ten points" * 3)]
    assert ledger.near(_span(21, 30), Scope([DOCUMENT])) == _span(20, 30)
    assert ledger.near(_span(1, 10), Scope([DOCUMENT])) is None


def test_pieces_count_and_are_forgotten_too() -> None:
    """An id that is not complete takes its place among the others."""
    ledger = Ledger(limits=Limits(ledger_entries=2))
    ledger.record_received(PASSAGE, 0, 50, 100, span=PLACED, state=SourceState.CURRENT)
    ledger.record_received(_span(0, 50), 0, 40, 50)
    ledger.record(Fetched(_span(200, 210)))
    assert ledger.received(PASSAGE) == ()
    assert ledger.place(PASSAGE) is None
    assert ledger.received(_span(0, 50)) == ((0, 40),)
    assert not _is_covered(ledger, 1_000, 1_001)
    assert _is_covered(ledger, 0, 40)


def test_a_version_of_which_all_is_forgotten_is_gone() -> None:
    """Nothing of it stays, not even its state."""
    ledger = Ledger(limits=Limits(ledger_entries=1))
    ledger.record(Fetched(PASSAGE, PLACED, state=SourceState.SUPERSEDED))
    ledger.record(Fetched(str(ChunkEvidenceId(OTHER, VERSION, CHUNK))))
    assert ledger.ranges(DOCUMENT, VERSION) is None
    assert ledger.state_of(PASSAGE) is None
    assert ledger.export() == [{"evidence_id": str(ChunkEvidenceId(OTHER, VERSION, CHUNK)), "span": None}]


def test_what_is_shown_is_bounded_too() -> None:
    """Without a question in between, and with one."""
    ledger = Ledger(limits=Limits(ledger_entries=10))
    for index in range(1_000):
        name = str(ChunkEvidenceId(DOCUMENT, VERSION, f"{CHUNK[:-8]}{index:08x}"))
        ledger.record_shown(name, (DOCUMENT, VERSION, index * 10, index * 10 + 10, "ten points"))
    assert len(ledger) == 10
    assert _is_covered(ledger, 9_960, 10_000)
    assert not _is_covered(ledger, 9_000, 9_001)


# -- keeping --------------------------------------------------------------------------------------

RECEIVED = st.lists(
    st.tuples(
        st.sampled_from([PASSAGE, _span(1_000, 1_100), _span(1_040, 1_140), _span(0, 100)]),
        st.integers(0, 100),
        st.integers(0, 100),
        st.booleans(),
        st.sampled_from([None, *SourceState]),
    ),
    max_size=12,
)


def _received(pieces: list[tuple[str, int, int, bool, SourceState | None]]) -> Ledger:
    ledger = Ledger()
    for name, start, size, with_text, state in pieces:
        end = min(100, start + size)
        at = 0 if name == _span(0, 100) else 1_040 if name == _span(1_040, 1_140) else 1_000
        text = "".join(chr(ord("a") + (at + index) % 26) for index in range(start, end))
        ledger.record_received(
            name,
            start,
            end,
            100,
            span=PLACED if name == PASSAGE else None,
            text=text if with_text else None,
            state=state,
        )
    return ledger


def _facts(ledger: Ledger) -> Any:
    """Return what a ledger answers, apart from its texts."""
    names = [PASSAGE, _span(1_000, 1_100), _span(1_040, 1_140), _span(0, 100)]
    ranges = ledger.ranges(DOCUMENT, VERSION)
    return (
        [(name in ledger, ledger.received(name), ledger.place(name)) for name in names],
        [] if ranges is None else list(ranges),
        ledger.state_of(PASSAGE),
    )


@given(RECEIVED)
def test_a_ledger_with_pieces_survives_its_json(
    pieces: list[tuple[str, int, int, bool, SourceState | None]],
) -> None:
    """Ids, ranges, places and states are there after a restart, and texts where they were asked for."""
    ledger = _received(pieces)
    without = Ledger.load(json.loads(json.dumps(ledger.export())))
    assert _facts(without) == _facts(ledger)
    assert without.export() == ledger.export()
    whole = Ledger.load(json.loads(json.dumps(ledger.export(texts=True))))
    assert _facts(whole) == _facts(ledger)
    assert whole.export(texts=True) == ledger.export(texts=True)
    texts, again = ledger.stretches(DOCUMENT, VERSION), whole.stretches(DOCUMENT, VERSION)
    assert (texts is None) == (again is None)
    assert texts is None or again is None or list(texts) == list(again)


@given(RECEIVED, RECEIVED)
def test_merging_loses_nothing_of_either(
    one: list[tuple[str, int, int, bool, SourceState | None]],
    other: list[tuple[str, int, int, bool, SourceState | None]],
) -> None:
    """What two received is what one would have received of both; of two states of a version the worse counts."""
    merged, kept = _received(one), _received(other)
    before = kept.export(texts=True)
    merged.merge(kept)
    assert kept.export(texts=True) == before
    both = _facts(_received([*one, *other]))
    assert _facts(merged)[:2] == both[:2]
    known = [ledger.state_of(PASSAGE) for ledger in (_received(one), kept)]
    order = [None, SourceState.CURRENT, SourceState.SUPERSEDED, SourceState.REMOVED]
    assert merged.state_of(PASSAGE) is max(known, key=order.index)


def test_the_place_of_a_passage_of_which_nothing_was_received_is_kept() -> None:
    """A fetch from behind its end tells where it stands, and spans around it make it citable after a restart too."""
    ledger = Ledger()
    ledger.record_received(PASSAGE, 100, 100, 100, span=PLACED)
    kept = Ledger.load(json.loads(json.dumps(ledger.export())))
    assert ledger.export()[0]["received"] == []
    assert (kept.place(PASSAGE), kept.received(PASSAGE), PASSAGE in kept) == (PLACED, (), False)
    assert kept.export() == ledger.export()
    merged = Ledger()
    merged.merge(ledger)
    assert merged.place(PASSAGE) == PLACED


def test_an_export_of_old_loads() -> None:
    """Before there were pieces and states an entry had an id and a span."""
    ledger = Ledger.load(
        [{"evidence_id": PASSAGE, "span": str(PLACED)}, {"evidence_id": _span(0, 9), "span": None}]
    )
    assert PASSAGE in ledger
    assert _is_covered(ledger, 1_000, 1_100)
    assert _is_covered(ledger, 0, 9)


@pytest.mark.parametrize(
    "entries",
    [
        None,
        7,
        "ev1",
        [None],
        ["ev1"],
        [{}],
        [{"evidence_id": None}],
        [{"evidence_id": "oops"}],
        [{"evidence_id": PASSAGE, "span": "oops"}],
        [{"evidence_id": PASSAGE, "span": PASSAGE}],
        [{"evidence_id": PASSAGE, "span": 7}],
        [{"evidence_id": PASSAGE, "state": "new"}],
        [{"evidence_id": PASSAGE, "text": 7}],
        [{"evidence_id": PASSAGE, "length": "7", "text": "seven"}],
        [{"evidence_id": PASSAGE, "received": [[0, 1]]}],
        [{"evidence_id": PASSAGE, "received": [[0]], "length": 9}],
        [{"evidence_id": PASSAGE, "received": 7, "length": 9}],
        [{"evidence_id": PASSAGE, "received": [["0", "1"]], "length": 9}],
        [{"evidence_id": PASSAGE, "received": [[0, 10]], "length": 9}],
        [{"evidence_id": PASSAGE, "received": [[0, 5]], "length": 9, "texts": [[0, 7]]}],
        [{"evidence_id": PASSAGE, "received": [[0, 5]], "length": 9, "texts": [["0", "a"]]}],
    ],
)
def test_what_is_no_export_is_a_typed_error(entries: Any) -> None:
    """Whatever was kept in its place, nobody sees an error of ours from inside."""
    with pytest.raises(InputError) as caught:
        Ledger.load(entries)
    assert caught.value.message.endswith(".")


def test_two_ledgers_that_merge_each_other_do_not_wait_for_one_another() -> None:
    """Two threads that merge both ways come to an end, with everything in both."""
    ledgers = Ledger(), Ledger()
    for index, ledger in enumerate(ledgers):
        ledger.record(Fetched(_span(index * 10, index * 10 + 5)))

    def work(ledger: Ledger, other: Ledger) -> None:
        for _ in range(200):
            ledger.merge(other)

    threads = [threading.Thread(target=work, args=pair) for pair in (ledgers, ledgers[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(ledger) for ledger in ledgers] == [2, 2]
