"""Near misses: the one id that is a slip of the pen away, found without a walk over all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId, foreign_id
from pincite.core.near import Near

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
OTHER = "0a4b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSION = "c174f9d9eba7d79c"
CHUNKS = [str(ChunkEvidenceId(DOCUMENT, VERSION, foreign_id(f"passage {n}"))) for n in range(500)]
SPANS = [str(SpanEvidenceId(DOCUMENT, VERSION, n * 1_000, n * 1_000 + 900 - n)) for n in range(500)]
NEAR = Near([*CHUNKS, *SPANS])
BOTH = {DOCUMENT, OTHER}
FAR_APART = [10**9 + n * 111_222_111 for n in range(200)]


@given(
    st.sampled_from([*CHUNKS, *SPANS[300:]]),
    st.lists(st.tuples(st.integers(6, 84), st.integers(0, 1), st.sampled_from(["", *"09afz"])), max_size=2),
)
def test_one_or_two_slips_lead_back(name: str, slips: list[tuple[int, int, str]]) -> None:
    """Whatever is left out, put in or mistaken, once or twice, the id that was meant is the suggestion."""
    written = name
    for at, out, put in slips:
        if written[at : at + 1] not in {":", "-"}:
            written = written[:at] + put + written[at + out :]
    found = NEAR.to(written, BOTH)
    # A slip in the offsets of a span may lead to another span that is as near, or nearer.
    assert found in {name, None} or (found in SPANS and name in SPANS)
    if written[60:] == name[60:] or (name in CHUNKS and len(written) == len(name)):
        assert found == name


@pytest.mark.parametrize(
    "written",
    [
        f" {CHUNKS[0]}\n",
        f"[{CHUNKS[0]}]",
        f"{CHUNKS[0]}.",
        CHUNKS[0].upper(),
        CHUNKS[0].replace("-", "\u2011"),
        CHUNKS[0].replace("ev1:", "ev2:"),
        CHUNKS[0].replace("ev1:c:", "ev1:s:"),
        CHUNKS[0].replace("ev1:", "ev1"),
        CHUNKS[0][:-2],
        CHUNKS[0][1:],
    ],
)
def test_how_models_write_ids(written: str) -> None:
    """Case, dashes and what stands around an id do not count; a prefix may be off as well."""
    assert NEAR.to(written, BOTH) == CHUNKS[0]


@pytest.mark.parametrize(
    "written",
    [
        "",
        "ev1:c:oops",
        f"{CHUNKS[0][:-3]}000",
        CHUNKS[0][:60] + foreign_id("another"),
        CHUNKS[0] * 2,
        "\ud800" * 96,
        "x" * 100_000,
        f"{SPANS[0]}-7",
    ],
)
def test_what_is_further_off_has_no_suggestion(written: str) -> None:
    """Three characters are not a slip, and neither is anything else."""
    assert NEAR.to(written, BOTH) is None


def test_what_may_mean_two_means_neither() -> None:
    """Two ids that are as near are no suggestion."""
    one, two = (str(SpanEvidenceId(DOCUMENT, VERSION, 0, end)) for end in (101, 102))
    near = Near([one, two])
    assert near.to(str(SpanEvidenceId(DOCUMENT, VERSION, 0, 103)), BOTH) is None
    assert near.to(str(SpanEvidenceId(DOCUMENT, VERSION, 5, 101)), BOTH) == one


def test_only_documents_in_scope_are_suggested() -> None:
    """What may not be cited is not offered."""
    assert NEAR.to(CHUNKS[0][:-1], {OTHER}) is None
    assert NEAR.to(CHUNKS[0].upper(), {OTHER}) is None


def test_a_slip_in_the_document_is_found_by_the_rest() -> None:
    """The passage or the range tells which one was meant."""
    for name in (CHUNKS[7], SPANS[7]):
        assert NEAR.to(name.replace(DOCUMENT, f"1{DOCUMENT[1:]}"), BOTH) == name
        assert NEAR.to(name.replace(VERSION, f"1{VERSION[1:]}"), BOTH) == name


def _slips(name: str) -> Iterator[str]:
    """Yield every string that is one character off, or has two neighbours turned."""
    for at in range(len(name) + 1):
        before, after = name[:at], name[at:]
        yield before + after[1:]
        yield before + after[1:2] + after[:1] + after[2:]
        for char in "09afx:- ":
            yield before + char + after
            yield before + char + after[1:]


def _spans(starts: Iterable[int], sizes: Iterable[int], document: str = DOCUMENT) -> list[str]:
    return [
        str(SpanEvidenceId(document, VERSION, start, start + size))
        for start, size in zip(starts, sizes, strict=True)
    ]


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        # Alone; among two hundred of one document; with one start, or one end, in all of them; and one range in two
        # hundred documents that have the same text. Any two differ in three characters and more.
        (_spans([12], [23]), 0),
        (_spans(range(0, 200_000, 1_111), range(1_000, 181_001, 1_000)), 77),
        (_spans([0] * 200, FAR_APART), 0),
        (_spans(FAR_APART, [10**11 - start for start in FAR_APART]), 0),
        ([_spans([400], [500], foreign_id(f"document {n}"))[0] for n in range(200)], 150),
    ],
    ids=["alone", "many", "one start", "one end", "copies"],
)
def test_every_slip_in_a_span_leads_back(names: list[str], meant: int) -> None:
    """One character too many, too few, mistaken or in its neighbour's place: at a colon and at the hyphen too."""
    name = names[meant]
    near, documents = Near(names), {one[6:42] for one in names}
    written = set(_slips(name)) - set(names)
    assert len(written) > 900
    assert {near.to(one, documents) for one in written} == {name}


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 10**6)), min_size=1, max_size=80), st.data())
def test_no_slip_leads_astray(places: list[tuple[int, int]], data: st.DataObject) -> None:
    """Where one id alone is two characters off and less, it is the suggestion; where none is, there is none."""
    names = sorted({*_spans([start for start, _ in places], [size for _, size in places])})
    name = data.draw(st.sampled_from(names))
    written = data.draw(st.sampled_from(sorted(set(_slips(name)) - set(names))))
    distances = {other: Levenshtein.distance(written.strip(" :"), other) for other in names}
    close = [other for other, distance in distances.items() if distance <= 2]
    nearest = [other for other in close if distances[other] == min(distances.values())]
    found = Near(names).to(written, BOTH)
    if close == [name]:
        assert found == name
    assert found is None or found in close
    if min(distances.values()) == 1:
        assert found == (nearest[0] if len(nearest) == 1 else None)


def test_what_is_nothing_like_a_span_is_tried_nowhere() -> None:
    """As long as one, and without its marks: no document is known by it."""
    for written in ("x" * 75, "f" * 75, ":" * 75 + "x", f"{'x' * 60}12-35", SPANS[300].replace("-", "")):
        assert NEAR.to(written, BOTH) is None
