"""A record is kept as it came."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moca_records import DIGEST, FILE, KB, record, ref

from pincite.core.errors import InputError
from pincite.protocols.moca import MocaRecord, RecordKey, RecordSpan, strict

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
OPEN = st.dictionaries(WORDS, PLAIN, max_size=4)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a record that keeps to the schema, with anything in what is open, its keys in any order."""
    made = record(
        draw(WORDS),
        draw(st.none() | WORDS),
        start=draw(st.none() | st.integers(0, 10**6)),
        package={"id": draw(WORDS), "version": draw(WORDS), "signed": draw(st.booleans())},
        node={"tags": draw(st.lists(WORDS, max_size=3))},
        trust={
            "generated": draw(st.none() | OPEN.map(lambda more: {**more, "by": "somebody", "at": "once"})),
            "stale": draw(st.booleans()),
        },
        more={
            "evidence": [{**draw(OPEN), "source": draw(OPEN), "matched": draw(st.booleans())}],
            "score": 0.5,
        },
    )
    evidence = cast("list[dict[str, Any]]", made["evidence"])
    for name, kind in (("note", str), ("selector", dict)):
        if not isinstance(evidence[0].get(name), kind):
            evidence[0].pop(name, None)
    if draw(st.booleans()):
        del made["trust"]["generated"]
    return {name: made[name] for name in draw(st.permutations(list(made)))}


def written(value: object) -> str:
    """Return JSON in which order, types and what is null show."""
    return json.dumps(value, ensure_ascii=False)


@given(records())
def test_a_record_comes_back_as_it_was(made: dict[str, Any]) -> None:
    """Equal, key for key in order, null apart from absent and true apart from 1; and again when it is read again."""
    assert strict(made).is_valid
    kept = MocaRecord.of(made)
    assert written(kept.as_dict()) == written(made)
    assert written(MocaRecord.of(json.loads(written(kept.as_dict()))).as_dict()) == written(made)


@given(records())
def test_leaving_the_text_out_leaves_the_rest(made: dict[str, Any]) -> None:
    """Without its text a record says the same in all else, in the same order, and is still valid."""
    short = MocaRecord.of(made).without_text()
    assert "text" not in short
    assert written(short) == written({name: value for name, value in made.items() if name != "text"})
    assert strict(short).is_valid


def test_nobody_can_change_it() -> None:
    """Neither through what it was made of, nor through itself, nor through what it gives."""
    made = record(more={"evidence": [{"source": {"tags": ["a"]}}]})
    before = written(made)
    kept = MocaRecord.of(made)
    made["trust"]["stale"] = True
    made["evidence"][0]["source"]["tags"].append("b")
    kept.as_dict()["trust"]["stale"] = True
    with pytest.raises(TypeError):
        cast("dict[str, Any]", kept.trust)["stale"] = True
    with pytest.raises(AttributeError):
        cast("list[Any]", kept.evidence).append(1)
    assert written(kept.as_dict()) == before


def test_what_is_read_of_it_has_a_name() -> None:
    """The parts that everything is keyed by, as the record has them."""
    kept = MocaRecord.of(record(node={"locale": "en"}))
    assert (kept.ref, kept.node_id, kept.node_digest) == (ref(), f"{KB}#refund-window", FILE)
    assert (kept.package_id, kept.package_version, kept.package_digest) == (KB, "4.2.0", DIGEST)
    assert (kept.path, kept.title, kept.locale) == ("refund-window", "Refund window", "en")
    assert kept.span == RecordSpan(100, 133)
    assert kept.key == RecordKey(ref(), RecordSpan(100, 133))
    assert kept.text == "Refunds are possible for 30 days."


def test_absent_stays_absent() -> None:
    """No default is made up for what a record does not say."""
    made = record(start=None, text=None)
    del made["evidence"], made["node"]["digest"]
    kept = MocaRecord.of(made)
    assert (kept.span, kept.text, kept.node_digest, kept.locale) == (None, None, None, None)
    assert kept.evidence == ()
    assert "evidence" not in kept.as_dict()


def test_what_is_none_is_told_in_a_sentence() -> None:
    """The message names the place and what is wrong there."""
    with pytest.raises(InputError, match=r"no citation record\. /trust: It has no `stale`"):
        MocaRecord.of(
            {**record(), "trust": {key: v for key, v in record()["trust"].items() if key != "stale"}}
        )


def test_whole_numbers_may_be_written_with_a_point() -> None:
    """JSON Schema takes 7.0 for an integer: the span is that number, and the record keeps it as it is."""
    made = record(more={"span": {"start": 7.0, "end": 40.0}})
    kept = MocaRecord.of(made)
    assert kept.span == (7, 40)
    assert written(kept.as_dict()) == written(made)
