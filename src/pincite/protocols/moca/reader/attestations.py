"""Attestations: in-toto statements in DSSE envelopes, verified with Ed25519 against the host's own keys, offline.

Only what verifies counts. Everything else is a finding and is treated as if it were not there; none of it makes a
package invalid. Bundles of Sigstore are not verified here: they are always unverifiable.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.protocols.moca.moments import bound_of
from pincite.protocols.moca.reader._files import ATTESTATIONS, UnreadableError
from pincite.protocols.moca.reader._strict_json import object_of, strict_json
from pincite.protocols.moca.reader.trust_root import PACKAGE, REVIEW

if TYPE_CHECKING:
    from datetime import datetime

    from pincite.core.limits import Limits
    from pincite.protocols.moca.reader._files import Files
    from pincite.protocols.moca.reader.findings import Findings
    from pincite.protocols.moca.reader.manifest import Manifest
    from pincite.protocols.moca.reader.trust_root import TrustedKey, TrustRoot

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
STATEMENT: Final = "https://in-toto.io/Statement/v1"
PACKAGE_PREDICATE: Final = "https://w3id.org/moca/attestation/package/v1"
REVIEW_PREDICATE: Final = "https://w3id.org/moca/attestation/review/v1"
_ROLES: Final = {PACKAGE_PREDICATE: PACKAGE, REVIEW_PREDICATE: REVIEW}
_OUTCOMES: Final = frozenset({"accurate", "needs-change", "inaccurate"})
_DSSE, _SIGSTORE = ".dsse.json", ".sigstore.json"
_DEPTH: Final = 20
# Signatures of one envelope, bytes of an Ed25519 one, and code points of what a review says.
_SIGNATURES, _SIGNATURE_BYTES, _SAID = 20, 64, 1_000
_HEX: Final = re.compile(r"[0-9a-f]{64}")
# Both alphabets of base64, which DSSE allows; padding at the end alone.
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]*+={0,2}")


class _MalformedError(ValueError):
    """No envelope of a statement; the message says why."""


@dataclass(frozen=True, slots=True)
class Attested:
    """What verified of a package: who signed all of it, and the reviews of each file as it is."""

    signers: tuple[str, ...] = ()
    reviews: dict[str, tuple[dict[str, str], ...]] = field(
        default_factory=dict[str, tuple[dict[str, str], ...]]
    )


@dataclass(frozen=True, slots=True)
class _Statement:
    """An envelope that was read: what is signed, the signatures, and what it states."""

    signed: bytes
    signatures: tuple[bytes, ...]
    subjects: tuple[tuple[str, str], ...]
    predicate_type: str
    predicate: object


def signed_bytes(payload_type: str, payload: bytes) -> bytes:
    """Return what a signature of DSSE is of: type and payload, each with its length in bytes."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def read_attestations(
    manifest: Manifest,
    digest: str,
    files: Files,
    root: TrustRoot | None,
    now: datetime,
    findings: Findings,
    limits: Limits,
) -> Attested:
    """Return what the attestations of a package prove to the host at a moment."""
    verifying = _Verifying(manifest, digest, files, root, now, findings)
    count = 0
    for path in files.paths:
        if not path.startswith(ATTESTATIONS) or not path.endswith((_DSSE, _SIGSTORE)):
            continue
        count += 1
        if count > limits.moca_attestations:
            findings.add(
                "A001", f"Attestations after the first {limits.moca_attestations} are not read.", path
            )
            break
        try:
            data = files.read(path, limits.moca_attestation_bytes)
            value = strict_json(data, depth=_DEPTH, size=limits.moca_attestation_bytes)
            if path.endswith(_SIGSTORE):
                verifying.sigstore(path, value)
            else:
                verifying.statement(path, _statement(value, limits.moca_attestation_bytes))
        except UnreadableError as error:
            findings.add("A001", f"It cannot be read: {error}.", path)
        except ValueError as error:
            findings.add("A001", f"It is no envelope of a statement. {error}", path)
    return Attested(
        tuple(dict.fromkeys(verifying.signers)),
        {file: tuple(found) for file, found in verifying.reviews.items()},
    )


class _Verifying:
    def __init__(
        self,
        manifest: Manifest,
        digest: str,
        files: Files,
        root: TrustRoot | None,
        now: datetime,
        findings: Findings,
    ) -> None:
        self._manifest = manifest
        self._digest = digest
        self._files = files
        self._root = root
        self._now = now
        self._findings = findings
        self.signers: list[str] = []
        self.reviews: dict[str, list[dict[str, str]]] = {}

    def sigstore(self, path: str, value: object) -> None:
        """Say that a bundle of Sigstore cannot be verified, or that it is none.

        Raises:
            ValueError: it holds no envelope.
        """
        if not isinstance(object_of(value).get("dsseEnvelope"), dict):
            msg = "It has no `dsseEnvelope`."
            raise _MalformedError(msg)
        self._findings.add("A003", "Bundles of Sigstore are not verified by this Reader.", path)

    def statement(self, path: str, stated: _Statement) -> None:
        """Verify a statement and keep what it proves."""
        role = _ROLES.get(stated.predicate_type)
        if role is None:
            return
        keys = () if self._root is None else self._root.keys_for(role, self._now)
        if not keys:
            why = (
                "There is no trust root." if self._root is None else f"No key is trusted for the role {role}."
            )
            self._findings.add("A003", why, path)
            return
        signer = _signer(stated, keys)
        if signer is None:
            self._findings.add("A002", f"No signature verifies with a key for the role {role}.", path)
        elif role == PACKAGE:
            self._package(path, stated, signer)
        else:
            self._review(path, stated, signer)

    def _package(self, path: str, stated: _Statement, signer: str) -> None:
        wanted = ((self._manifest.key, self._digest.removeprefix("sha256:")),)
        if stated.subjects == wanted:
            self.signers.append(signer)
        else:
            self._findings.add("A002", "It is about another package, or another state of this one.", path)

    def _review(self, path: str, stated: _Statement, signer: str) -> None:
        review = _review_of(stated.predicate, self._manifest.id, signer)
        if review is None:
            self._findings.add("A002", "It is no review of this package.", path)
            return
        for name, digest in stated.subjects:
            file = unicodedata.normalize("NFC", name)
            if file.startswith(ATTESTATIONS) or file not in self._files or self._files.digest(file) != digest:
                self._findings.add("A006", f"{file[:200]} is not as it was when it was reviewed.", path)
            elif review not in self.reviews.setdefault(file, []):
                # Anybody can lay a copy of it beside it, and it is one review all the same.
                self.reviews[file].append(review)


def _signer(stated: _Statement, keys: tuple[TrustedKey, ...]) -> str | None:
    """Return whose key signed a statement. What an envelope says of its keys is a hint, and not needed."""
    for signature in stated.signatures:
        for key in keys:
            if key.has_signed(signature, stated.signed):
                return key.signer
    return None


def _statement(value: object, size: int) -> _Statement:
    """Return what is in an envelope.

    Raises:
        ValueError: it is none, or holds no statement.
    """
    envelope = _object(value, "The envelope")
    if envelope.get("payloadType") != PAYLOAD_TYPE:
        msg = "Its payload is of another type."
        raise _MalformedError(msg)
    payload = _base64(envelope.get("payload"), "The payload")
    signatures = envelope.get("signatures")
    if not isinstance(signatures, list) or not 0 < len(cast("list[object]", signatures)) <= _SIGNATURES:
        msg = f"It has no signatures, or more than {_SIGNATURES}."
        raise _MalformedError(msg)
    made = tuple(
        _base64(_object(one, "A signature").get("sig"), "A signature")
        for one in cast("list[object]", signatures)
    )
    statement = _object(strict_json(payload, depth=_DEPTH, size=size), "The payload")
    if statement.get("_type") != STATEMENT:
        msg = "Its payload is no statement of in-toto, version 1."
        raise _MalformedError(msg)
    predicate_type, subjects = statement.get("predicateType"), statement.get("subject")
    if not isinstance(predicate_type, str) or not isinstance(subjects, list) or not subjects:
        msg = "It does not say what it is about."
        raise _MalformedError(msg)
    return _Statement(
        signed_bytes(PAYLOAD_TYPE, payload),
        tuple(one for one in made if len(one) == _SIGNATURE_BYTES),
        tuple(_subject(one) for one in cast("list[object]", subjects)),
        predicate_type,
        statement.get("predicate"),
    )


def _subject(value: object) -> tuple[str, str]:
    subject = _object(value, "A subject")
    name, digest = (
        subject.get("name"),
        _object(subject.get("digest"), "The digest of a subject").get("sha256"),
    )
    if not isinstance(name, str) or not isinstance(digest, str) or _HEX.fullmatch(digest) is None:
        msg = "A subject has no name, or no SHA-256."
        raise _MalformedError(msg)
    return name, digest


def _review_of(value: object, package_id: str, signer: str) -> dict[str, str] | None:
    """Return a review as a record has it, None for what is none of this package."""
    named = object_of(value)
    reviewer, reviewed_at, outcome = (named.get(name) for name in ("reviewer", "reviewedAt", "outcome"))
    scope = named.get("scope")
    if named.get("package") != package_id or outcome not in _OUTCOMES or bound_of(reviewed_at) is None:
        return None
    said = [one for one in (reviewer, scope) if one is not None]
    if not reviewer or any(not isinstance(one, str) or len(one) > _SAID for one in said):
        return None
    review = {"reviewer": reviewer, "reviewedAt": reviewed_at, "outcome": outcome}
    review |= {"scope": scope} if scope else {}
    return cast("dict[str, str]", {**review, "signer": signer})


def _object(value: object, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        msg = f"{what} is no object."
        raise _MalformedError(msg)
    return cast("dict[str, Any]", value)


def _base64(value: object, what: str) -> bytes:
    """Return bytes of either alphabet of base64."""
    if not isinstance(value, str) or _BASE64.fullmatch(value) is None:
        msg = f"{what} is no base64."
        raise _MalformedError(msg)
    text = value.replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error as error:
        msg = f"{what} is no base64."
        raise _MalformedError(msg) from error
