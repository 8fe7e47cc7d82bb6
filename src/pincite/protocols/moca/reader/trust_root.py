"""Whom a host trusts to sign: its own keys, each for packages, for reviews, or for both. No package has a say in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from pincite.core.errors import InputError
from pincite.core.given import of_kind
from pincite.protocols.moca.moments import moment_of
from pincite.protocols.moca.reader._strict_json import object_of

if TYPE_CHECKING:
    from datetime import datetime

PACKAGE, REVIEW = "package", "review"
_ROLES: Final = frozenset({PACKAGE, REVIEW})
_KEY_FIELDS: Final = frozenset({"keyid", "publicKey", "identity", "expires", "roles"})


@dataclass(frozen=True, slots=True)
class TrustedKey:
    """A key of a trust root: whose it is, what it may attest, and until when."""

    keyid: str
    signer: str
    roles: frozenset[str]
    expires: datetime | None
    public: Ed25519PublicKey = field(repr=False)

    def has_signed(self, signature: bytes, message: bytes) -> bool:
        """Say whether this key made a signature of a message."""
        try:
            self.public.verify(signature, message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True, slots=True)
class TrustRoot:
    """The keys of a host. A key past its end is trusted for nothing."""

    keys: tuple[TrustedKey, ...]

    def keys_for(self, role: str, now: datetime) -> tuple[TrustedKey, ...]:
        """Return the keys that may attest in a role at a moment."""
        return tuple(
            key for key in self.keys if role in key.roles and (key.expires is None or now < key.expires)
        )


def trust_root_of(given: Mapping[str, Any] | None) -> TrustRoot | None:
    """Return the trust root of its JSON: `{"keys": [{"keyid", "publicKey", "identity", "expires", "roles"}]}`.

    `publicKey` is PEM, `roles` some of `package` and `review`, both where it is absent. Keys that are not Ed25519, and
    the identities of Sigstore under `sigstore`, are taken and of no use to this Reader.

    Raises:
        InputError: it has another form, or a key that cannot be read.
    """
    if given is None:
        return None
    named = cast("Mapping[str, Any]", of_kind(given, Mapping, "trust_root", "an object of JSON, or None"))
    if named.keys() - {"keys", "sigstore"}:
        _refuse("it has `keys`, `sigstore`, and nothing else")
    keys = named.get("keys", [])
    if not isinstance(keys, list):
        _refuse("`keys` is a list")
    made = [_key(one) for one in cast("list[object]", keys)]
    return TrustRoot(tuple(key for key in made if key is not None))


def _key(given: object) -> TrustedKey | None:
    named = object_of(given)
    keyid, pem, identity = named.get("keyid"), named.get("publicKey"), named.get("identity", "")
    if not isinstance(keyid, str) or not keyid or not isinstance(pem, str) or not isinstance(identity, str):
        _refuse("a key has `keyid` and `publicKey`, two texts")
    if named.keys() - _KEY_FIELDS:
        _refuse(f"a key has nothing but {', '.join(sorted(_KEY_FIELDS))}")
    roles = named.get("roles", sorted(_ROLES))
    if not isinstance(roles, list) or not _ROLES.issuperset(map(str, cast("list[object]", roles))):
        _refuse("`roles` is a list of `package` and `review`")
    expires = moment_of(named["expires"]) if "expires" in named else None
    if "expires" in named and expires is None:
        _refuse("`expires` is a date-time with an offset")
    try:
        public = load_pem_public_key(pem.encode())
    except (ValueError, UnsupportedAlgorithm) as error:
        msg = f"`trust_root` is not of its form: the key {keyid[:80]!r} is no public key in PEM."
        raise InputError(msg, field="trust_root") from error
    if not isinstance(public, Ed25519PublicKey):
        return None
    return TrustedKey(keyid, identity or keyid, frozenset(cast("list[str]", roles)), expires, public)


def _refuse(what: str) -> NoReturn:
    msg = f"`trust_root` is not of its form: {what}."
    raise InputError(msg, field="trust_root")
