"""The ledger knows what was received, and forgets nothing by a smaller refetch."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pincite.core.ids import SpanEvidenceId
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
