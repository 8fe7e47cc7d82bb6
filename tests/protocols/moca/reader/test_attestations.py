"""Attestations: only what verifies against the host's own keys counts, and everything else is told and left out."""

from __future__ import annotations

import base64
import json
from datetime import timedelta
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st
from moca_packages import (
    ID,
    NOW,
    codes,
    files,
    independent_digest,
    key,
    library,
    manifest,
    node,
    package_statement,
    read,
    review_statement,
    sealed,
    statement,
    trusted,
)

from pincite.core.limits import Limits

ROOT = {"keys": [trusted("publisher", "package"), trusted("reviewer", "review")]}
MADE = files()


def signed(data: bytes | None = None, name: str = "p.dsse.json") -> dict[str, bytes]:
    """Return the package with one attestation: as its publisher made it, or as given."""
    return {**MADE, f"attestations/{name}": sealed(package_statement(MADE)) if data is None else data}


def reviewed(made: dict[str, bytes] = MADE, signer: str = "reviewer", **more: Any) -> dict[str, bytes]:
    """Return the package with one review."""
    return {**made, "attestations/reviews/r.dsse.json": sealed(review_statement(made, **more), signer)}


def test_signed_and_reviewed() -> None:
    """Both verify, each for its role; the record has the signer, and the review with its outcome and its signer."""
    made = {**signed(), **reviewed(scope="All of it")}
    found = read(made, trust_root=ROOT)
    assert (found.valid, found.diagnostics) == (True, ())
    assert found.capabilities == ("core", "reviewed", "signed")
    assert found.digest == read(MADE).digest
    (record,) = library(made, trust_root=ROOT).citations()
    assert record["package"]["signed"] is True
    assert record["package"]["signers"] == ["Publisher"]
    assert record["trust"]["attestedReviews"] == [
        {
            "reviewer": "human:kim",
            "reviewedAt": "2026-09-01",
            "outcome": "inaccurate",
            "scope": "All of it",
            "signer": "Reviewer",
        }
    ]


def test_without_a_trust_root_nothing_is_signed() -> None:
    """Each attestation is unverifiable, and the record says not signed, by nobody."""
    made = {**signed(), **reviewed()}
    roots: list[Any] = [None, {}, {"keys": []}, {"sigstore": {"identities": []}}]
    for root in roots:
        found = read(made, trust_root=root)
        assert (found.valid, codes(found), found.capabilities) == (True, {"A003"}, ("core",))
        assert len(found.diagnostics) == 2
        (record,) = library(made, trust_root=root).citations()
        assert record["package"]["signed"] is False
        assert "signers" not in record["package"]
        assert record["trust"]["attestedReviews"] == []


def test_content_that_changed_after_signing() -> None:
    """The signature is of another digest, and the review of another file: neither counts."""
    made = {**signed(), **reviewed(), "content/a.md": node("Six years.").encode()}
    found = read(made, trust_root=ROOT)
    assert (found.valid, codes(found), found.capabilities) == (True, {"A002", "A006"}, ("core",))


def test_a_review_outlives_a_change_elsewhere() -> None:
    """It is of a file, so another version of the package keeps it."""
    made = {**reviewed(), "content/b.md": node().encode()}
    found = read(made, trust_root=ROOT)
    assert (codes(found), found.capabilities) == (set(), ("core", "reviewed"))
    assert [len(one.representations[0].reviews) for one in found.nodes] == [1, 0]


def test_a_review_of_files_of_which_one_changed() -> None:
    """What is as it was counts, what changed or went is outdated."""
    subjects = [
        ("content/a.md", "0" * 64),
        ("content/none.md", "0" * 64),
        ("attestations/r.dsse.json", "0" * 64),
    ]
    made_of = review_statement(MADE)
    made_of["subject"] += statement("review", subjects, {})["subject"]
    found = read({**MADE, "attestations/r.dsse.json": sealed(made_of, "reviewer")}, trust_root=ROOT)
    assert [one.code[:4] for one in found.diagnostics] == ["A006"] * 3
    assert found.capabilities == ("core", "reviewed")


@pytest.mark.parametrize(
    ("made", "root", "code"),
    [
        (signed(), {"keys": [trusted("other", "package")]}, "A002"),
        (signed(), {"keys": [trusted("publisher", "review")]}, "A003"),
        (signed(), {"keys": [trusted("publisher", "review"), trusted("other", "package")]}, "A002"),
        (reviewed(signer="publisher"), ROOT, "A002"),
        (reviewed(signer="publisher"), {"keys": [trusted("publisher", "package")]}, "A003"),
        (signed(), {"keys": [trusted("publisher", "package", expires="2026-09-27T00:00:00Z")]}, "A003"),
        (reviewed(package=f"{ID}/other"), ROOT, "A002"),
        (reviewed(outcome="fine"), ROOT, "A002"),
        (reviewed(reviewer=""), ROOT, "A002"),
        (reviewed(reviewer=5), ROOT, "A002"),
        (reviewed(reviewedAt="lately"), ROOT, "A002"),
        (reviewed(scope="x" * 1_001), ROOT, "A002"),
        (signed(sealed(package_statement(MADE, f"{ID}@1.0.1"))), ROOT, "A002"),
        (signed(sealed(statement("package", [(f"{ID}@1.0.0", "0" * 64)], {}))), ROOT, "A002"),
        (
            signed(sealed(statement("package", [(f"{ID}@1.0.0", independent_digest(MADE)[7:])] * 2, {}))),
            ROOT,
            "A002",
        ),
    ],
)
def test_what_does_not_verify(made: dict[str, bytes], root: Any, code: str) -> None:
    """An unknown key, a key of another role or past its end, another package, no review: nothing of it counts."""
    found = read(made, trust_root=root)
    assert (found.valid, codes(found), found.capabilities) == (True, {code}, ("core",))
    assert found.signers == ()


def test_a_key_without_roles_may_attest_both() -> None:
    """And one that has not ended yet is good."""
    root = {"keys": [trusted("publisher", expires="2026-09-27T00:00:01Z")]}
    made = {**signed(), **reviewed(signer="publisher")}
    assert read(made, trust_root=root).capabilities == ("core", "reviewed", "signed")
    later = read(made, trust_root=root, now=NOW + timedelta(seconds=1))
    assert (later.capabilities, codes(later)) == (("core",), {"A003"})


def test_a_key_of_another_kind_is_of_no_use() -> None:
    """A trust root may be shared with other Readers; keys that are not Ed25519 verify nothing here."""
    pem = (
        generate_private_key(SECP256R1())
        .public_key()
        .public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    root = {"keys": [{"keyid": "a", "publicKey": pem.decode()}]}
    assert codes(read(signed(), trust_root=root)) == {"A003"}


def opened(data: bytes) -> dict[str, Any]:
    """Return an envelope as JSON."""
    return json.loads(data)


STATED = package_statement(MADE)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{}", b"[]", b"\xff", b"[" * 100_000, b'{"payload": ' + b"[" * 30 + b"]" * 30 + b"}",
        sealed(STATED, kind="application/json"),
        sealed(STATED, payload="***"), sealed(STATED, payload="A"), sealed(STATED, payload=5),
        sealed(STATED, signatures=[]), sealed(STATED, signatures=[5]), sealed(STATED, signatures=[{"sig": "?"}]),
        sealed(STATED, signatures=opened(sealed(STATED))["signatures"] * 21),
        sealed(b"no JSON"), sealed(b"[]"), sealed({}), sealed({**STATED, "_type": "https://in-toto.io/Statement/v0.1"}),
        sealed({**STATED, "subject": []}), sealed({**STATED, "subject": [{"name": "x"}]}),
        sealed({**STATED, "subject": [{"name": "x", "digest": {"sha256": "0"}}]}),
        sealed({**STATED, "predicateType": 5}),
        sealed(json.dumps(STATED).replace('"predicate": {}', '"predicate": {}, "predicate": {}').encode()),
        sealed(STATED) + b" " * 300_000,
    ],
)  # fmt: skip
def test_what_is_no_envelope(data: bytes) -> None:
    """Broken, too deep, too large, of another type, or a statement that two programs could read in two ways."""
    found = read(signed(data), trust_root=ROOT)
    assert (found.valid, codes(found), found.capabilities) == (True, {"A001"}, ("core",))


def test_one_good_signature_is_enough() -> None:
    """Among others that are not, and whatever the envelope says of its keys."""
    good = opened(sealed(STATED))["signatures"][0]["sig"]
    short = base64.b64encode(b"x").decode()
    data = sealed(STATED, signatures=[{"sig": short}, {"sig": "A" * 88}, {"keyid": "other", "sig": good}])
    # 88 letters of base64 are 66 bytes, which no signature of Ed25519 has.
    assert read(signed(data), trust_root=ROOT).signers == ("Publisher",)
    url_safe = base64.urlsafe_b64encode(base64.b64decode(good)).decode()
    assert read(signed(sealed(STATED, signatures=[{"sig": url_safe}])), trust_root=ROOT).signers == (
        "Publisher",
    )


@given(st.integers(0, 511), st.integers(1, 255))
def test_no_changed_signature_verifies(place: int, change: int) -> None:
    """A bit turned in the signature or in the payload, and it is worth nothing."""
    envelope = opened(sealed(STATED))
    sig = bytearray(base64.b64decode(envelope["signatures"][0]["sig"]))
    sig[place % len(sig)] ^= change
    data = sealed(STATED, signatures=[{"sig": base64.b64encode(bytes(sig)).decode()}])
    found = read(signed(data), trust_root=ROOT)
    assert (found.signers, codes(found)) == ((), {"A002"})
    payload = bytearray(base64.b64decode(envelope["payload"]))
    payload[place % len(payload)] ^= change
    data = sealed(STATED, payload=base64.b64encode(bytes(payload)).decode())
    found = read(signed(data), trust_root=ROOT)
    assert (found.signers, codes(found) <= {"A001", "A002"}) == ((), True)


def test_a_signature_of_the_payload_alone_is_none() -> None:
    """What is signed is type and payload with their lengths, so one kind of message is never taken for another."""
    payload = json.dumps(STATED).encode()
    sig = base64.b64encode(key("publisher").sign(payload)).decode()
    assert codes(read(signed(sealed(STATED, signatures=[{"sig": sig}])), trust_root=ROOT)) == {"A002"}


def test_what_is_no_attestation_of_moca() -> None:
    """Other statements, other files and hidden ones are passed over in silence."""
    other = {**STATED, "predicateType": "https://slsa.dev/provenance/v1"}
    made = {
        **signed(sealed(other)),
        "attestations/readme.txt": b"x",
        "attestations/x.json": b"{",
        "attestations/.x.dsse.json": b"{",
        "sources/attestations/x.dsse.json": b"{",
    }
    assert read(made, trust_root=ROOT).diagnostics == ()


def test_sigstore_is_never_verified() -> None:
    """A bundle is unverifiable, whomever the host trusts; what is no bundle is malformed."""
    root = {**ROOT, "sigstore": {"identities": [{"issuer": "https://x.example", "subject": "a"}]}}
    bundle = json.dumps({"dsseEnvelope": {}}).encode()
    assert codes(read(signed(bundle, "p.sigstore.json"), trust_root=root)) == {"A003"}
    assert codes(read(signed(b"{}", "p.sigstore.json"), trust_root=root)) == {"A001"}


def test_a_copy_of_a_review_is_no_second_one() -> None:
    """Attestations stand outside of the digest, so anybody can add copies; another review is another one."""
    made = reviewed()
    (data,) = (item for path, item in made.items() if path.startswith("attestations/"))
    other = sealed(review_statement(MADE, outcome="accurate"), "reviewer")
    more = {"attestations/copy.dsse.json": data, "attestations/other.dsse.json": other}
    (record,) = library({**made, **more}, trust_root=ROOT).citations()
    assert [one["outcome"] for one in record["trust"]["attestedReviews"]] == ["inaccurate", "accurate"]


def test_attestations_are_bounded() -> None:
    """After the first ones, in the order of their names, none is looked at."""
    made = {**MADE, **{f"attestations/{n}.dsse.json": sealed(STATED) for n in range(3)}}
    found = read(made, trust_root=ROOT, limits=Limits(moca_attestations=2))
    assert (codes(found), found.signers) == ({"A001"}, ("Publisher",))


def test_a_translation_is_reviewed_by_itself() -> None:
    """A review of the one file says nothing of the other."""
    made = files(manifest(locales=["fr"]), a_md=node(), a_fr_md=node("Cinq ans."))
    found = library(reviewed(made, path="content/a.fr.md"), trust_root=ROOT)
    name = f"{ID}@1.0.0#a.md"
    english, french = found.get(name), found.get(name, locale="fr")
    assert english is not None
    assert french is not None
    assert (len(english["trust"]["attestedReviews"]), len(french["trust"]["attestedReviews"])) == (0, 1)
