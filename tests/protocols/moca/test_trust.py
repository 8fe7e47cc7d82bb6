"""What a reader is told of trust: facts that stand each by itself."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moca_records import NOON, record

from pincite.core.errors import InputError
from pincite.core.text import UNSEEN
from pincite.protocols.moca import (
    EvidenceMatch,
    FactKind,
    MocaRecord,
    Review,
    TrustFacts,
    facts_of,
    now_of,
)
from pincite.protocols.moca.moments import bound_of, moment_of, told
from pincite.protocols.moca.trust import as_json

UNSIGNED = "Not attested here: the service verified no signature of the package."
REVIEW = {"reviewer": "Kim", "reviewedAt": "2026-05-01", "outcome": "accurate", "signer": "acme-key"}


def facts(made: dict[str, Any], **options: Any) -> TrustFacts:
    """Return the facts of a record."""
    return facts_of(MocaRecord.of(made), **options)


def sentences(made: dict[str, Any], kind: FactKind, **options: Any) -> list[tuple[str, bool]]:
    """Return the sentences of one kind, each with whether it warns."""
    return [(fact.text, fact.warns) for fact in facts(made, **options).facts if fact.kind is kind]


def test_what_is_declared_is_never_a_review() -> None:
    """The author's own word is of another kind, and says itself that nobody signed it."""
    made = record(trust={"declaredVerified": [{"by": "Kim", "at": "2026-05-01"}, {"by": "Lee"}]})
    assert sentences(made, FactKind.ATTESTED_REVIEW) == []
    assert sentences(made, FactKind.DECLARED_CHECK) == [
        ('Declared checked by "Kim" (2026-05-01): the author\'s own statement, signed by nobody.', False),
        ('Declared checked by "Lee": the author\'s own statement, signed by nobody.', False),
    ]
    assert facts(made).reviews == ()


@pytest.mark.parametrize(
    ("outcome", "warns"),
    [("accurate", False), ("needs-change", True), ("inaccurate", True), ("looks fine", True), ("", True)],
)
def test_a_review_is_told_with_its_outcome(outcome: str, warns: bool) -> None:  # noqa: FBT001 - a column
    """A signed review may be a bad one; an outcome that is not known is no good one."""
    made = record(trust={"attestedReviews": [{**REVIEW, "outcome": outcome, "scope": "the dates"}]})
    told_as = {"": "no outcome", "looks fine": '"looks fine"'}.get(outcome, outcome)
    assert sentences(made, FactKind.ATTESTED_REVIEW) == [
        (
            f'Review by "Kim", of "the dates", attested by the signature of "acme-key": {told_as} (2026-05-01).',
            warns,
        )
    ]
    assert facts(made).reviews == (Review("Kim", "2026-05-01", outcome, "acme-key", "the dates"),)


@pytest.mark.parametrize(
    ("package", "text"),
    [
        ({"signed": True, "signers": ["Acme", "Bolt"]}, 'Package signed by "Acme", "Bolt".'),
        ({"signed": True}, "Package signed."),
        ({"signed": False}, UNSIGNED),
        ({"signed": False, "signers": ["Acme"]}, UNSIGNED),
        ({"signed": True, "signers": list("abcde")}, 'Package signed by "a", "b", "c", "d", "e".'),
        ({"signed": True, "signers": list("abcdefg")}, 'Package signed by "a", "b", "c", "d", "e" and 2 more.'),
    ],
)  # fmt: skip
def test_a_signature_is_told_as_what_it_is(package: dict[str, Any], text: str) -> None:
    """Absence says that it was not verified here, and names of what is not signed are not shown."""
    assert sentences(record(package=package), FactKind.SIGNATURE) == [(text, False)]


@pytest.mark.parametrize(
    ("trust", "kind", "text"),
    [
        ({"status": "draft"}, FactKind.STATUS, "Status: draft."),
        ({"status": "deprecated"}, FactKind.STATUS, "Status: deprecated."),
        ({"stale": True}, FactKind.STALE, "Stale."),
        ({"stale": True, "staleAfter": "2026-06-01"}, FactKind.STALE, "Stale since 2026-06-01."),
        ({"inForce": False}, FactKind.IN_FORCE, "Not in force."),
        (
            {"inForce": False, "validFrom": "2025-01-01", "validUntil": "2026-01-01"},
            FactKind.IN_FORCE,
            "Not in force (valid from 2025-01-01, until 2026-01-01).",
        ),
        ({"superseded": True}, FactKind.SUPERSEDED, "Superseded."),
        ({"superseded": True, "supersededBy": ["urn:a@2"]}, FactKind.SUPERSEDED, 'Superseded by "urn:a@2".'),
        (
            {"contested": True, "contestedBy": ["urn:b", "urn:c#n"]},
            FactKind.CONTESTED,
            'Contested by "urn:b", "urn:c#n".',
        ),
    ],
)  # fmt: skip
def test_what_speaks_against_a_node_is_a_warning(trust: dict[str, Any], kind: FactKind, text: str) -> None:
    """And stands before everything that does not."""
    told_facts = facts(record(trust=trust)).facts
    assert [(fact.text, fact.warns) for fact in told_facts if fact.kind is kind] == [(text, True)]
    assert told_facts[0].warns


def test_dates_of_what_is_fresh_are_told_without_a_warning() -> None:
    """A reader sees until when it holds."""
    made = record(trust={"staleAfter": "2026-12-02", "validFrom": "2026-01-01"})
    assert sentences(made, FactKind.STALE) == [("Stale from 2026-12-02 on.", False)]
    assert sentences(made, FactKind.IN_FORCE) == [("In force: valid from 2026-01-01.", False)]


def test_facts_are_never_merged() -> None:
    """A node that is signed, reviewed, declared, stale and contested says each of it."""
    made = record(
        package={"signed": True, "signers": ["Acme"]},
        trust={
            "attestedReviews": [REVIEW],
            "declaredVerified": [{"by": "Kim"}],
            "generated": {"by": "a model"},
            "stale": True,
            "contested": True,
        },
        more={"evidence": [{"source": {}, "matched": True}]},
    )
    assert [fact.kind for fact in facts(made).facts] == [
        FactKind.STALE, FactKind.CONTESTED, FactKind.SIGNATURE, FactKind.ATTESTED_REVIEW, FactKind.DECLARED_CHECK,
        FactKind.GENERATED, FactKind.STATUS, FactKind.EVIDENCE,
    ]  # fmt: skip


def test_evidence_has_three_values() -> None:
    """Found, not found, and nobody looked: absent is not false."""
    made = record(
        more={
            "evidence": [
                {"source": {"id": "a"}, "matched": True},
                {"source": {"id": "b"}, "matched": False},
                {"source": {"id": "c"}},
                {"source": {"id": "d"}},
            ]
        }
    )
    assert [one.match for one in facts(made).evidence] == [
        EvidenceMatch.FOUND, EvidenceMatch.NOT_FOUND, EvidenceMatch.NOT_CHECKED, EvidenceMatch.NOT_CHECKED,
    ]  # fmt: skip
    assert sentences(made, FactKind.EVIDENCE) == [
        ("Evidence not found in its source: 1.", True),
        ("Evidence found in its source: 1.", False),
        ("Evidence not checked: 2.", False),
    ]


@pytest.mark.parametrize(
    ("resource", "link"),
    [
        ("https://example.org/a b", None),
        ("https://example.org/policy", "https://example.org/policy"),
        ("http://example.org/policy", "http://example.org/policy"),
        ("javascript:alert(1)", None),
        ("data:text/html,<script>alert(1)</script>", None),
        ("../sources/policy.txt", None),
        ("//example.org/policy", None),
        ("file:///etc/passwd", None),
        ("https://user:secret@example.org/", None),
        ("https:///nowhere", None),
    ],
)
def test_only_safe_addresses_are_links(resource: str, link: str | None) -> None:
    """Http and https with a host; everything else is text, a path in the package too."""
    (one,) = facts(record(more={"evidence": [{"source": {"resource": resource}}]})).evidence
    assert one.link == link
    assert one.resource == resource


def test_evidence_that_is_odd_costs_itself() -> None:
    """Sources and selectors are open: what is no text in them is not shown, and nothing raises."""
    made = record(
        more={
            "evidence": [
                {
                    "source": {"resource": ["https://example.org/"], "title": 3, "id": None},
                    "selector": {"exact": {}},
                },
                {"source": {}, "selector": {"type": "FragmentSelector", "value": "page=4"}},
                {"source": {}, "selector": {"start": 3, "end": 9}},
                {"source": {}, "selector": {"start": True, "end": "9"}},
            ]
        }
    )
    first, second, third, fourth = facts(made).evidence
    assert (first.title, first.resource, first.link, first.quote) == ("", "", None, "")
    assert (second.place, third.place, fourth.place) == ("page=4", "3-9", "")


@pytest.mark.parametrize(
    ("trust", "stale"),
    [
        ({}, False),
        ({"stale": True}, None),
        ({"staleAfter": "2026-11-30T12:00:00Z"}, True),
        ({"staleAfter": "2026-11-30T12:00:01Z"}, False),
        ({"staleAfter": "2026-11-30T14:00:00+02:00"}, True),
        ({"staleAfter": "2026-11-30"}, True),
        ({"staleAfter": "2026-12-01"}, False),
        ({"staleAfter": "2026-11-30T09:00:00"}, None),
        ({"staleAfter": "soon", "stale": True}, None),
    ],
)
def test_staleness_is_told_anew_from_its_date(trust: dict[str, Any], stale: bool | None) -> None:  # noqa: FBT001 - a column
    """From `staleAfter` on; a date is its midnight in UTC; what cannot be read tells nothing."""
    made = MocaRecord.of(record(trust=trust))
    assert now_of(made, NOON).stale is stale
    assert made.trust["stale"] == trust.get("stale", False)


@pytest.mark.parametrize(
    ("trust", "in_force"),
    [
        ({}, True),
        ({"inForce": False}, None),
        ({"validFrom": "2026-11-30T12:00:00Z"}, True),
        ({"validFrom": "2026-11-30T12:00:01Z"}, False),
        ({"validUntil": "2026-11-30T12:00:00Z"}, False),
        ({"validUntil": "2026-11-30T12:00:01Z"}, True),
        ({"validFrom": "2026-01-01", "validUntil": "2027-01-01", "inForce": False}, True),
        ({"validFrom": "2026-01-01", "validUntil": "never"}, None),
        ({"validUntil": "2026-13-01"}, None),
    ],
)
def test_force_is_told_anew_from_its_window(trust: dict[str, Any], in_force: bool | None) -> None:  # noqa: FBT001 - a column
    """From `validFrom` on and before `validUntil`; a bound that cannot be read tells nothing."""
    assert now_of(MocaRecord.of(record(trust=trust)), NOON).in_force is in_force


def test_now_stands_beside_then() -> None:
    """What has run out since is said as that, and the record's own flags are what they were."""
    made = record(trust={"staleAfter": "2026-11-29", "validUntil": "2026-11-30"})
    then = facts(made, as_of="2026-11-01T00:00:00Z")
    assert (then.stale, then.in_force, then.now, then.as_of) == (False, True, None, "2026-11-01T00:00:00Z")
    later = facts(made, as_of="2026-11-01T00:00:00Z", now=NOON)
    assert (later.stale, later.in_force) == (False, True)
    assert later.now is not None
    assert (later.now.stale, later.now.in_force) == (True, False)
    assert [fact.text for fact in later.facts if fact.warns] == [
        "Stale by now (2026-11-30): after 2026-11-29.",
        "Not in force any more, or not yet, by now (2026-11-30).",
    ]


def test_what_is_flagged_stays_flagged() -> None:
    """A date that says otherwise by now takes nothing from what the service said."""
    made = record(
        trust={"stale": True, "staleAfter": "2027-01-01", "inForce": False, "validFrom": "2026-01-01"}
    )
    warned = [fact.kind for fact in facts(made, now=NOON).facts if fact.warns]
    assert warned == [FactKind.STALE, FactKind.IN_FORCE]


@given(st.text(max_size=900), st.text(max_size=30))
def test_no_name_hides_or_breaks_anything(name: str, other: str) -> None:
    """Whatever a signer or reviewer is called, each sentence is one bounded line without unseen characters."""
    try:
        (name + other).encode()
    except UnicodeEncodeError:
        return
    made = record(
        package={"signed": True, "signers": [name, other]},
        trust={
            "attestedReviews": [{**REVIEW, "reviewer": name, "outcome": other, "scope": name}],
            "declaredVerified": [{"by": name, "at": other}],
            "contested": True,
            "contestedBy": [name],
        },
    )
    for fact in facts(made).facts:
        assert len(fact.text) <= 2_600
        assert re.search(f"[{UNSEEN}\\n\\t]", fact.text) is None


@pytest.mark.parametrize("mark", ['"', "\u201d", "\u00bb", "\uff02", '\u202e"', '\\"'])
def test_l3_a_name_cannot_pose_as_a_fact(mark: str) -> None:
    """A name stands in quotation marks that nothing in it closes, whatever mark of whatever script it holds."""
    name = f"Acme{mark}, attested review passed{mark} by Kim"
    made = record(
        package={"signed": True, "signers": [name]},
        trust={
            "attestedReviews": [{**REVIEW, "reviewer": name, "signer": name, "scope": name, "outcome": name}],
            "declaredVerified": [{"by": name, "at": name}],
            "generated": {"by": name},
            "status": name,
            "stale": True,
            "staleAfter": name,
            "inForce": False,
            "validUntil": name,
            "superseded": True,
            "supersededBy": [name],
        },
    )
    told_facts = facts(made).facts
    assert len(told_facts) == 8
    for fact in told_facts:
        # Every second piece between our marks is inside of them, and what is outside is ours.
        outside = "".join(fact.text.split('"')[::2])
        assert "attested review passed" not in outside
        assert fact.text.count('"') % 2 == 0
        assert not set("\u201d\u00bb\uff02\u202e") & set(fact.text)


@pytest.mark.parametrize(
    "unseen", ["\u202e", "\u2066", "\u200b", "\u00ad", "\u3164", "\ufe0f", "\U000e0041", "\x07"]
)
def test_l3_a_name_hides_nothing(unseen: str) -> None:
    """Controls, marks that turn the direction, and what shows nothing are gone from a name in a sentence."""
    made = record(package={"signed": True, "signers": [f"Ac{unseen}me"]})
    ((text, _),) = sentences(made, FactKind.SIGNATURE)
    assert text.replace(" ", "") == 'Packagesignedby"Acme".'


def test_a_moment_without_an_offset_is_refused() -> None:
    """Nobody knows when that is."""
    with pytest.raises(InputError, match="with an offset"):
        facts(record(), now=datetime(2026, 11, 30))  # noqa: DTZ001 - that is the point


def test_lists_are_bounded() -> None:
    """Of many reviews and signers the first hundred are shown."""
    made = record(
        package={"signed": True, "signers": ["a"] * 300},
        trust={"attestedReviews": [REVIEW] * 300, "declaredVerified": [{"by": "Kim"}] * 300},
        more={"evidence": [{"source": {}}] * 300},
    )
    told_of = facts(made)
    assert {len(told_of.signers), len(told_of.reviews), len(told_of.declared), len(told_of.evidence)} == {100}


def test_facts_are_told_as_json() -> None:
    """For a page that shows them."""
    made = record(
        trust={"staleAfter": "2026-11-29"},
        more={
            "evidence": [
                {"source": {"title": "Policy", "resource": "https://example.org/p"}, "matched": False}
            ]
        },
    )
    told_of = as_json(facts(made, as_of="2026-11-01T00:00:00Z", now=NOON))
    assert told_of["as_of"] == "2026-11-01T00:00:00Z"
    assert told_of["now"] == {"at": "2026-11-30T12:00:00Z", "stale": True, "in_force": True}
    assert told_of["facts"][0] == {
        "kind": "stale", "text": "Stale by now (2026-11-30): after 2026-11-29.", "warns": True,
    }  # fmt: skip
    assert told_of["evidence"][0]["match"] == "not_found"
    assert told_of["evidence"][0]["link"] == "https://example.org/p"


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-30T12:00:00Z", NOON),
        ("2026-11-30t12:00:00z", NOON),
        ("2026-11-30T12:00:00.000000999Z", NOON),
        ("2026-11-30T06:30:00-05:30", NOON),
        ("2026-12-31T23:59:60Z", datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("2026-11-30T12:00:61Z", None),
        ("2026-11-30T24:00:00Z", None),
        ("2026-11-30T12:00:00+24:00", None),
        ("2026-11-30T12:00:00+00:60", None),
        ("2026-11-30T12:00:00", None),
        ("2026-11-30 12:00:00Z", None),
        ("2026-11-30T12:00Z", None),
        ("２０２６-11-30T12:00:00Z", None),
        ("0000-11-30T12:00:00Z", None),
        ("0001-01-01T00:00:00+01:00", None),
        ("2026-11-30T12:00:00." + "1" * 99 + "Z", None),
        (None, None),
        (20261130, None),
    ],
)
def test_a_moment_has_an_offset(text: object, moment: datetime | None) -> None:
    """RFC 3339, with a leap second taken for the one before it; nothing else is a moment."""
    assert moment_of(text) == moment


@given(st.datetimes(timezones=st.sampled_from([UTC])))
def test_what_is_written_is_read_again(moment: datetime) -> None:
    """A moment that goes out names the same moment to whoever reads it."""
    assert moment_of(told(moment)) == moment
    assert bound_of(told(moment)) == moment
    assert told(moment).endswith("Z")
