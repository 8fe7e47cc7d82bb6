"""Sign the example package of MOCA, and write the event that the documentation shows.

    python tools/make_moca.py            write what is out of date
    python tools/make_moca.py --check    name what is out of date and fail

The packages are `tests/data/moca/<name>`: their texts are written by hand, and only their attestations, the trust root
beside them and `docs/moca-event.json` are made here. The keys are public on purpose. Whoever reads this file has them,
so they prove nothing, and no host may trust them outside of a test.
"""

from __future__ import annotations

import base64
import hashlib
import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from pincite.protocols.moca.reader import Library, read_package

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "tests" / "data" / "moca"
SIGNED = PACKAGES / "service-desk"
TRUST_ROOT = PACKAGES / "trust-root.json"
EVENT = ROOT / "docs" / "moca-event.json"
AT = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
"""The moment of the event: after one node has become stale, and before the newer package is in force."""
NODE = "https://halvick.example/moca/service-desk@2.1.0#warranty.md"
PUBLISHER, REVIEWER = "Halvick example publisher", "Halvick example reviewer"


def key_of(name: str) -> Ed25519PrivateKey:
    """Return the private key of a name: anybody can make it, from the name alone."""
    seed = hashlib.sha256(f"pincite test key, public on purpose: {name}".encode()).digest()
    return Ed25519PrivateKey.from_private_bytes(seed)


def public_pem(key: Ed25519PrivateKey) -> str:
    """Return the public half of a key as a trust root holds it."""
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def envelope(statement: Mapping[str, Any], key: Ed25519PrivateKey, keyid: str) -> str:
    """Return a signed statement as a file holds it."""
    kind = "application/vnd.in-toto+json"
    payload = json.dumps(statement, ensure_ascii=False, separators=(",", ":")).encode()
    message = b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)
    made = {
        "payloadType": kind,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [{"keyid": keyid, "sig": base64.b64encode(key.sign(message)).decode()}],
    }
    return json.dumps(made, indent=2) + "\n"


def trust_root() -> dict[str, Any]:
    """Return the trust root of a host that trusts the two keys, each for its role."""
    return {
        "keys": [
            {"keyid": role, "publicKey": public_pem(key_of(name)), "identity": name, "roles": [role]}
            for role, name in (("package", PUBLISHER), ("review", REVIEWER))
        ]
    }


def statements(digest: str, files: Mapping[str, str]) -> dict[str, str]:
    """Return the attestations of the signed package, by path in it; `files` are hashes in hex by path."""
    package_id, version = NODE.partition("#")[0].rsplit("@", 1)
    package: dict[str, Any] = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [
            {"name": f"{package_id}@{version}", "digest": {"sha256": digest.removeprefix("sha256:")}}
        ],
        "predicateType": "https://w3id.org/moca/attestation/package/v1",
        "predicate": {},
    }
    reviewed = "content/warranty.md"
    review: dict[str, Any] = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": reviewed, "digest": {"sha256": files[reviewed]}}],
        "predicateType": "https://w3id.org/moca/attestation/review/v1",
        "predicate": {
            "package": package_id,
            "reviewer": "human:mira.okafor",
            "reviewedAt": "2026-09-14T00:00:00Z",
            "outcome": "accurate",
            "scope": "Compared with the warranty terms of 2026",
        },
    }
    return {
        "attestations/package.halvick.dsse.json": envelope(package, key_of(PUBLISHER), "package"),
        "attestations/reviews/warranty-2026-09-14.dsse.json": envelope(review, key_of(REVIEWER), "review"),
    }


def signatures() -> dict[Path, str]:
    """Return what is signed, and the trust root, by path."""
    package = read_package(SIGNED, now=AT)
    if not package.valid or package.digest is None:
        msg = f"The package is not valid: {package.diagnostics}"
        raise SystemExit(msg)
    lines = (line.split("  ", 1) for line in package.payload_manifest.splitlines())
    made = statements(package.digest, {path: digest for digest, path in lines})
    return {
        **{SIGNED / path: text for path, text in made.items()},
        TRUST_ROOT: json.dumps(trust_root(), indent=2) + "\n",
    }


def event() -> dict[str, Any]:
    """Return the event of an answer that cites one node: the Reader's own record of it, unchanged."""
    package = read_package(SIGNED, trust_root=trust_root(), now=AT)
    record = Library(now=AT).add(package).get(NODE)
    return {
        "type": "CUSTOM",
        "name": "moca.citations",
        "value": {
            "version": 1,
            "messageId": "msg-answer-1",
            "computedAt": AT.isoformat().replace("+00:00", "Z"),
            "citations": [{"marker": "[1]", "record": record}],
        },
    }


def written(path: Path) -> str | None:
    """Return what a file holds, None where there is none."""
    return path.read_text(encoding="utf-8") if path.is_file() else None


def main(arguments: list[str]) -> int:
    """Write what is out of date, or name it."""
    check = "--check" in arguments
    stale: list[str] = []
    # The event tells of what is signed, so it is made last.
    for make in (signatures, lambda: {EVENT: json.dumps(event(), indent=2, ensure_ascii=False) + "\n"}):
        for path, text in make().items():
            if written(path) == text:
                continue
            stale.append(path.relative_to(ROOT).as_posix())
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{name} is out of date." if check else f"wrote {name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
