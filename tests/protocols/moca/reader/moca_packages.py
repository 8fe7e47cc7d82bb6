"""Packages for the tests of the Reader, made here by hand: as mappings from path to bytes, and as archives of them."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pincite.protocols.moca.reader import Library, Package, read_package

if TYPE_CHECKING:
    from collections.abc import Mapping

ID = "https://example.org/moca/desk"
NOW = datetime(2026, 9, 27, tzinfo=UTC)
DATA = Path(__file__).resolve().parents[3] / "data" / "moca"
DSSE = "application/vnd.in-toto+json"


def manifest(**more: Any) -> dict[str, Any]:
    """Return a manifest with what it needs, and `more`; None takes a key away."""
    made = {"mocaVersion": "0.4", "id": ID, "version": "1.0.0", "title": "Desk", "language": "en", **more}
    return {key: value for key, value in made.items() if value is not None}


def node(text: str = "Retention period: five years.", /, **front: Any) -> str:
    """Return a node; frontmatter is written as JSON, which is YAML too."""
    front = {"type": "Guide", **front}
    return f"---\n{json.dumps(front, ensure_ascii=False, indent=1)}\n---\n{text}"


def files(about: Mapping[str, Any] | None = None, **content: str | bytes) -> dict[str, bytes]:
    """Return a package: `content` are nodes by their name with `_` for `.` and `__` for `/`."""
    made: dict[str, bytes] = {"moca.json": json.dumps(about or manifest()).encode()}
    for name, text in (content or {"a_md": node()}).items():
        path = name.replace("__", "/").replace("_", ".")
        path = path if path.startswith(("sources/", "attestations/", "media/")) else f"content/{path}"
        made[path] = text if isinstance(text, bytes) else text.encode()
    return made


def read(target: Any, **options: Any) -> Package:
    """Read a package at the moment of the tests."""
    options = {"now": NOW, **options}
    return read_package(target, **options)


def library(*packages: Mapping[str, bytes], now: datetime = NOW, **options: Any) -> Library:
    """Return a library with these packages, all of which are valid."""
    made = Library(now=now)
    for one in packages:
        found = read(one, now=now, **options)
        assert found.valid, found.diagnostics
        made.add(found)
    return made


def codes(package: Package) -> set[str]:
    """Return the short codes of all findings."""
    return {code.partition("_")[0] for code in package.codes}


def archive(entries: Mapping[str, bytes], kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a Zip archive of files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as made:
        for name, data in entries.items():
            made.writestr(name, data)
    return stream.getvalue()


def key(name: str) -> Ed25519PrivateKey:
    """Return a key of the tests, always the same for a name."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())


def trusted(name: str, *roles: str, **more: Any) -> dict[str, Any]:
    """Return a key as a trust root lists it."""
    pem = key(name).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    made: dict[str, Any] = {"keyid": name, "publicKey": pem, "identity": name.capitalize(), **more}
    return {**made, "roles": list(roles)} if roles else made


def sealed(statement: Any, signer: str = "publisher", *, kind: str = DSSE, **changed: Any) -> bytes:
    """Return the envelope of a statement, signed with a key of the tests."""
    payload = statement if isinstance(statement, bytes) else json.dumps(statement).encode()
    message = f"DSSEv1 {len(kind)} {kind} {len(payload)} ".encode() + payload
    made = {
        "payloadType": kind,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [{"sig": base64.b64encode(key(signer).sign(message)).decode()}],
    }
    return json.dumps({**made, **changed}).encode()


def package_statement(made: Mapping[str, bytes], name: str = f"{ID}@1.0.0") -> dict[str, Any]:
    """Return the statement that a package is just this."""
    return statement("package", [(name, independent_digest(made).removeprefix("sha256:"))], {})


def review_statement(made: Mapping[str, bytes], path: str = "content/a.md", **more: Any) -> dict[str, Any]:
    """Return the statement that a file of a package was reviewed as it is."""
    predicate = {
        "package": ID, "reviewer": "human:kim", "reviewedAt": "2026-09-01", "outcome": "inaccurate", **more,
    }  # fmt: skip
    return statement("review", [(path, hashlib.sha256(made[path]).hexdigest())], predicate)


def statement(kind: str, subjects: list[tuple[str, str]], predicate: Any) -> dict[str, Any]:
    """Return a statement of in-toto."""
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": name, "digest": {"sha256": digest}} for name, digest in subjects],
        "predicateType": f"https://w3id.org/moca/attestation/{kind}/v1",
        "predicate": predicate,
    }


def independent_digest(made: Mapping[str, bytes]) -> str:
    """Return the digest of a package by code of the tests' own, from the rules alone."""
    lines: list[tuple[bytes, bytes]] = []
    for path, data in made.items():
        if path.startswith("attestations/") or any(part.startswith(".") for part in path.split("/")):
            continue
        shown = path.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        lines.append(
            (path.encode(), hashlib.sha256(data).hexdigest().encode() + b"  " + shown.encode() + b"\n")
        )
    whole = hashlib.sha256()
    for _, line in sorted(lines):
        whole.update(line)
    return f"sha256:{whole.hexdigest()}"
