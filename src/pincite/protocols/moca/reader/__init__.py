"""A small Reader of MOCA packages, written to the 0.4-era schema: whether it holds for 0.6.0 is not proven.

It reads folders and archives, computes the digest, looks for evidence in the sources that a package carries, verifies
Ed25519 attestations against the host's own keys, and returns citation records as plain dictionaries in the common JSON
shape. What is wrong with a package is data (`Finding`); no malformed package raises. Nothing is fetched, nothing of a
package is run, and nothing in one is a setting. Left out are bundles of Sigstore, which are never verified, the
structure of concepts (`structure.ttl`) and sidecar indexes.
"""

from __future__ import annotations

from importlib import import_module

from pincite.core.errors import MissingExtraError as _MissingExtraError

try:
    import_module("yaml")
    import_module("cryptography")
except ImportError as error:
    what = "Reading MOCA packages"
    raise _MissingExtraError(what, "moca") from error

from pincite.protocols.moca.reader.findings import Finding, FindingSeverity
from pincite.protocols.moca.reader.hits import Backend, Filters, Hit
from pincite.protocols.moca.reader.lexical import LexicalBackend
from pincite.protocols.moca.reader.library import Library
from pincite.protocols.moca.reader.manifest import Manifest, PinnedMember, Relation
from pincite.protocols.moca.reader.nodes import Node, Representation
from pincite.protocols.moca.reader.package import Package, read_package
from pincite.protocols.moca.reader.search import Search

__all__ = [
    "Backend",
    "Filters",
    "Finding",
    "FindingSeverity",
    "Hit",
    "LexicalBackend",
    "Library",
    "Manifest",
    "Node",
    "Package",
    "PinnedMember",
    "Relation",
    "Representation",
    "Search",
    "read_package",
]
