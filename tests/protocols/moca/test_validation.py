"""Whether a record or an event is what it should be."""

from __future__ import annotations

import enum
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from moca_records import DIGEST, KB, record

from pincite.core.limits import DEFAULT
from pincite.protocols.moca import event_schema, record_schema, strict, tolerant, valid_event

NOTHING: dict[str, Any] = {}
FULL = record(
    package={"signed": True, "signers": ["Acme"]},
    node={"locale": "en", "description": "How long.", "tags": ["refund"]},
    trust={
        "generated": {"by": "A model", "at": "2026-01-02", "tool": "own key"},
        "declaredVerified": [{"by": "Kim"}, {"by": "Lee", "at": "2026-02-03"}],
        "attestedReviews": [
            {
                "reviewer": "Kim",
                "reviewedAt": "2026-02-03T00:00:00Z",
                "outcome": "accurate",
                "signer": "acme-key",
            }
        ],
        "staleAfter": "2026-12-02",
        "validFrom": "2026-01-01",
        "validUntil": "2027-01-01",
        "supersededBy": [],
        "contestedBy": [],
    },
    more={
        "evidence": [
            {"source": {"id": "p", "resource": "../sources/policy.txt"}, "matched": True, "note": "n"},
            {"source": {}, "selector": {"type": "TextQuoteSelector", "exact": "30 days"}},
        ],
        "concepts": ["https://example.org/c"],
        "audience": "public",
        "profiles": ["https://example.org/p"],
        "score": 0.75,
        "retrieval": {"via": "search"},
    },
)


def codes(record: object, check: Any = strict) -> set[str]:
    """Return the codes of all remarks on a record."""
    return {remark.code for remark in check(record).diagnostics}


def with_(base: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Return a record with `value` at a path of keys between slashes; the value `...` takes it out."""
    made = {**base}
    here = made
    *parts, last = path.split("/")
    for part in parts:
        here[part] = {**here[part]}
        here = here[part]
    if value is ...:
        del here[last]
    else:
        here[last] = value
    return made


@pytest.mark.parametrize("schema", [record_schema(), event_schema()], ids=["record", "event"])
def test_the_schemas_are_schemas(schema: dict[str, Any]) -> None:
    """Both keep to the metaschema of 2020-12."""
    Draft202012Validator.check_schema(schema)


def test_a_record_with_everything_in_it_is_valid() -> None:
    """Each field that the tables name may be there, and what is open may have more keys."""
    assert strict(FULL).diagnostics == ()
    assert tolerant(FULL).diagnostics == ()


@pytest.mark.parametrize(
    "path",
    [
        "package", "node", "trust", "package/id", "package/version", "package/digest", "package/signed", "node/id",
        "node/ref", "node/path", "node/type", "span/start", "span/end", "trust/status", "trust/declaredVerified",
        "trust/attestedReviews", "trust/stale", "trust/inForce", "trust/superseded", "trust/contested",
        "retrieval/via",
    ],
)  # fmt: skip
def test_what_is_required_is_required(path: str) -> None:
    """Without it a record is none, neither for what goes out nor for what comes in."""
    assert "schema_required" in codes(with_(FULL, path, ...))
    assert "schema_required" in codes(with_(FULL, path, ...), tolerant)


@pytest.mark.parametrize(
    "path",
    [
        "node/locale", "node/title", "node/description", "node/tags", "node/digest", "package/signers", "span",
        "text", "trust/generated", "trust/staleAfter", "trust/validFrom", "trust/validUntil", "trust/supersededBy",
        "trust/contestedBy", "evidence", "concepts", "audience", "profiles", "score", "retrieval",
    ],
)  # fmt: skip
def test_what_is_optional_may_be_absent(path: str) -> None:
    """A record without it is as valid, and null in its place is not, but for `generated`."""
    assert strict(with_(FULL, path, ...)).is_valid
    assert strict(with_(FULL, path, None)).is_valid == (path == "trust/generated")


@pytest.mark.parametrize(
    "path", ["more", "package/more", "node/more", "span/more", "trust/more", "retrieval/more"]
)
def test_a_key_that_is_not_known_goes_in_and_not_out(path: str) -> None:
    """Closed objects take no further key on the way out; on the way in it is a warning."""
    odd = with_(FULL, path, 1)
    assert not strict(odd).is_valid
    found = tolerant(odd)
    assert found.is_valid
    assert [remark.code for remark in found.diagnostics] == ["schema_unknown_key"]
    assert found.diagnostics[0].message == "It has keys that are not known: `more`."


@pytest.mark.parametrize(
    ("path", "value"),
    [("trust/status", "retracted"), ("retrieval/via", "walk"), ("package/digest", "sha512:00")],
)
def test_a_newer_value_goes_in_and_not_out(path: str, value: str) -> None:
    """A status, a way of retrieval or a digest that is not known is taken with a warning, and never sent."""
    odd = with_(FULL, path, value)
    assert not strict(odd).is_valid
    assert tolerant(odd).is_valid


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("trust/stale", 1), ("trust/stale", "false"), ("package/signed", None), ("trust/status", 5),
        ("retrieval/via", None), ("span/start", -1), ("span/start", 1.5), ("node/ref", ""), ("node/tags", ["a", 1]),
        ("text", ["a"]), ("evidence", [{"matched": True}]), ("score", "0.5"), ("score", True),
        ("evidence", [{"source": NOTHING, "matched": None}]), ("trust/declaredVerified", [{"at": "2026-01-01"}]),
    ],
)  # fmt: skip
def test_another_type_is_never_taken(path: str, value: Any) -> None:
    """What has another type than the tables say is an error for both."""
    assert not strict(with_(FULL, path, value)).is_valid
    assert not tolerant(with_(FULL, path, value)).is_valid


def test_an_error_is_found_behind_any_number_of_warnings() -> None:
    """Who puts many unknown values in front of a wrong one does not hide it."""
    odd = with_(FULL, "evidence", [{"source": {}, "matched": "yes"}])
    for name in ("package", "node", "trust", "span", "retrieval"):
        odd = with_(odd, f"{name}/more", 1)
    many = {**odd, **{f"more-{n}": n for n in range(100)}}
    assert not tolerant(many).is_valid


@pytest.mark.parametrize("digest", ["sha256:" + "A" * 64, "sha256:" + "a" * 63, DIGEST + "\n", "a" * 64])
def test_a_digest_has_one_form(digest: str) -> None:
    """Lower case, 64 digits, nothing behind them."""
    assert "schema_pattern" in codes(with_(FULL, "package/digest", digest))


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("node/id", f"{KB}#shipping", "other_id"),
        ("node/ref", f"{KB}@4.1.0#refund-window", "other_ref"),
        ("node/ref", f"{KB}#refund-window", "other_ref"),
        ("span", {"start": 9, "end": 8}, "backward_span"),
    ],
)
def test_a_record_that_contradicts_itself_is_none(path: str, value: Any, code: str) -> None:
    """Id and reference are made of package and path, and a span does not run backwards."""
    assert codes(with_(record(), path, value)) == {code}
    assert not tolerant(with_(record(), path, value)).is_valid


def test_a_package_id_may_hold_the_separators() -> None:
    """References are compared as a whole and never taken apart, so that `@` and `#` in an id change nothing."""
    assert strict(record(package={"id": "urn:kb@home#1"})).diagnostics == ()


def test_the_length_of_a_text_is_only_remarked_on() -> None:
    """The span counts bytes of UTF-8; another length is a warning, since only one Reader is known to keep to it."""
    assert strict(record(text="Größe")).diagnostics == ()  # 7 bytes, as the span made of it says
    odd = with_(record(text="Größe"), "span", {"start": 0, "end": 5})
    assert strict(odd).is_valid
    assert codes(odd) == {"other_length"}


def test_signers_of_what_is_not_signed_are_remarked_on() -> None:
    """So are names of what supersedes a node that is said not to be superseded."""
    odd = record(package={"signers": ["Acme"]}, trust={"supersededBy": ["x"], "contestedBy": ["y"]})
    assert codes(odd) == {"unsigned_signers", "not_superseded", "not_contested"}
    assert strict(odd).is_valid


class Colour(enum.StrEnum):
    """A string that is not just one."""

    RED = "red"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (float("nan"), "not_finite"), (float("inf"), "not_finite"), (("a",), "no_json"), (b"a", "no_json"),
        (datetime(2026, 1, 1, tzinfo=UTC), "no_json"), ("\ud800", "lone_surrogate"), ({1: "a"}, "key_no_string"),
        ({"\udfff": "a"}, "lone_surrogate"), (2**53, "number_too_large"), (Colour.RED, "no_json"),
        (MappingProxyType(NOTHING), "no_json"), ({"a"}, "no_json"),
    ],
    ids=str,
)  # fmt: skip
def test_only_plain_json_is_looked_at(value: Any, code: str) -> None:
    """What would become another thing on its way through JSON is refused first, and its place is told."""
    odd = with_(FULL, "evidence", [{"source": {"a/b": value}}])
    for check in (strict, tolerant):
        (remark,) = check(odd).diagnostics
        assert (remark.code, remark.is_error) == (code, True)
        assert remark.path.startswith("/evidence/0/source/a~1b")


def test_what_holds_itself_is_too_deep() -> None:
    """Depth is bounded, so a value that holds itself ends too."""
    loop: dict[str, Any] = {}
    loop["source"] = loop
    assert codes({**FULL, "evidence": [loop]}) == {"too_deep"}


def test_depth_is_counted_in_objects_and_arrays() -> None:
    """As many as the limit says may stand inside one another, the record itself being the first; empty ones are not."""
    deep: Any = {}
    for _ in range(DEFAULT.moca_depth - 4):
        deep = {"in": deep}
    assert strict({**FULL, "evidence": [{"source": {"in": deep}}]}).is_valid
    assert codes({**FULL, "evidence": [{"source": {"in": {"in": deep}}}]}) == {"too_deep"}


def test_size_is_bounded_whatever_is_shared() -> None:
    """A list that holds the same list many times over is as large as it would be written out."""
    shared: list[Any] = ["a"]
    for _ in range(20):
        shared = [shared] * 20
    assert codes({**FULL, "evidence": shared}) == {"too_large"}
    assert codes(record(text="a" * DEFAULT.moca_record_bytes)) == {"too_large"}
    assert strict(record(text="a" * 1_000)).is_valid
    small = replace(DEFAULT, moca_record_bytes=1_500)
    assert not strict(record(text="a" * 1_000), limits=small).is_valid


@pytest.mark.parametrize("value", [None, [], "record", 3, True, {}])
def test_what_is_no_object_is_no_record(value: object) -> None:
    """Nothing raises."""
    assert not strict(value).is_valid
    assert not tolerant(value).is_valid


def test_remarks_are_one_bounded_line() -> None:
    """A remark says back what came in, and nothing of that can turn or hide it."""
    odd = {**FULL, "a\u202e\n\x00" + "b" * 5_000: 1}
    (remark,) = strict(odd).diagnostics
    assert len(remark.message) <= 300
    assert not set(remark.message) & set("\u202e\n\x00")


def event(**value: Any) -> dict[str, Any]:
    """Return an event with one citation; what is given takes the place of its own."""
    own: dict[str, Any] = {"version": 1, "messageId": "m", "citations": [{"marker": "[1]", "record": FULL}]}
    return {"type": "CUSTOM", "name": "moca.citations", "value": {**own, **value}}


@pytest.mark.parametrize(
    "at", ["2026-11-30T12:00:00Z", "2026-11-30t12:00:00.123456789+05:30", "2016-12-31T23:59:60Z"]
)
def test_an_event_is_valid(at: str) -> None:
    """With and without a time, whose offset may be a number."""
    assert valid_event(event()).diagnostics == ()
    assert valid_event(event(computedAt=at)).diagnostics == ()
    assert valid_event(event(citations=[])).is_valid


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2}, {"version": True}, {"version": "1"}, {"messageId": ""}, {"messageId": None},
        {"computedAt": None}, {"computedAt": "2026-11-30T12:00:00"}, {"computedAt": "2026-11-30"},
        {"computedAt": "2026-02-30T12:00:00Z"}, {"computedAt": "2026-11-30T12:00:00Z\n"}, {"citations": None},
        {"citations": [NOTHING]}, {"citations": [{"record": FULL, "marker": ""}]},
        {"citations": [{"record": FULL, "marker": None}]}, {"citations": [{"record": FULL, "more": 1}]}, {"more": 1},
        {"citations": [{"record": {**FULL, "more": 1}}]},
    ],
    ids=str,
)  # fmt: skip
def test_an_event_that_is_wrong_is_not_sent(change: dict[str, Any]) -> None:
    """The event is closed, its version is the number 1, and a time that is not known is absent and not null."""
    assert not valid_event(event(**change)).is_valid
