"""The ledger knows what was received, and forgets nothing by a smaller refetch."""

from __future__ import annotations

import threading

from hypothesis import given
from hypothesis import strategies as st

from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId
from pincite.core.ledger import Fetched, Ledger, Ranges

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSION = "c174f9d9eba7d79c"
SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)), max_size=14)


@given(SPANS, st.integers(0, 70), st.integers(1, 20))
def test_ranges_agree_with_a_set_of_points(spans: list[tuple[int, int]], start: int, length: int) -> None:
    """A range is covered when each of its points was received: the union of touching ranges."""
    ranges = Ranges()
    points: set[int] = set()
    for first, size in spans:
        ranges.add(first, first + size)
        points |= set(range(first, first + size))
    cover = ranges.covering(start, start + length)
    assert (cover is not None) == (set(range(start, start + length)) <= points)
    if cover is not None:
        assert set(range(*cover)) <= points


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
        text = f"text {start}"
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
