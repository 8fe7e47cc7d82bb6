"""Near misses: the one id that is a slip of the pen away, found without a walk over all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.ids import ChunkEvidenceId, SpanEvidenceId, foreign_id
from pincite.core.near import Near

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
OTHER = "0a4b301d-f73a-5291-9d80-7ea3cbd5291c"
VERSION = "c174f9d9eba7d79c"
CHUNKS = [str(ChunkEvidenceId(DOCUMENT, VERSION, foreign_id(f"passage {n}"))) for n in range(500)]
SPANS = [str(SpanEvidenceId(DOCUMENT, VERSION, n * 1_000, n * 1_000 + 900 - n)) for n in range(500)]
NEAR = Near([*CHUNKS, *SPANS])
BOTH = {DOCUMENT, OTHER}


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
