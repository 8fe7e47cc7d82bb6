"""`moca-digest-v2`: one hash for all that a package holds, the same wherever it is stored."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

from pincite.protocols.moca.reader._files import ATTESTATIONS

if TYPE_CHECKING:
    from pincite.protocols.moca.reader._files import Files

# What a line of a BagIt manifest cannot hold as it is (RFC 8493); the sign of the escape goes first.
_ESCAPES: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})


def payload_manifest(files: Files) -> str:
    """Return the lines that are hashed, one a file, of files that were all hashed: SHA-256 in hex, two spaces, path.

    They are in the order of the bytes of their paths; attestations are not among them.
    """
    return "".join(
        f"{files.digest(path)}  {path.translate(_ESCAPES)}\n"
        for path in files.paths
        if not path.startswith(ATTESTATIONS)
    )


def digest_of(manifest: str) -> str:
    """Return the digest of the package whose lines these are."""
    return "sha256:" + hashlib.sha256(manifest.encode()).hexdigest()
