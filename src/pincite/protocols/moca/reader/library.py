"""The packages that a host has loaded, and the records of their nodes: flags are told for the moment of asking."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

from pincite.core.errors import ConflictError, InputError, LimitError
from pincite.core.given import maybe, of_kind
from pincite.core.limits import DEFAULT, Limits
from pincite.protocols.moca.reader._records import node_id, node_ref, record_of
from pincite.protocols.moca.reader._relations import Relations, Standing
from pincite.protocols.moca.reader.package import Package, clock_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pincite.protocols.moca.reader.manifest import Manifest
    from pincite.protocols.moca.reader.nodes import Node, Representation
    from pincite.protocols.moca.reader.package import Now


class Loaded(NamedTuple):
    """A node of a loaded package, and how that package stands to the others."""

    package: Package
    manifest: Manifest
    node: Node
    standing: Standing


class _State(NamedTuple):
    """All that is loaded. It is never changed: adding makes another, so that threads may read while one adds."""

    packages: dict[str, Package]
    relations: Relations
    by_digest: dict[str, dict[str, Node]]
    by_ref: dict[str, tuple[str, Node]]
    by_id: dict[str, tuple[str, Node]]


class Library:
    """Packages that were read and are valid, with their members. `now` is the clock that flags are told by.

    It filters nothing: `get` and `citations` tell of every node with its flags. What may be shown to whom is decided
    by a `Search`, which has a `get` of its own.

    Raises:
        InputError: an argument is of another kind.
    """

    __slots__ = ("_clock", "_limits", "_lock", "_state")

    def __init__(self, *, now: Now | None = None, limits: Limits | None = None) -> None:
        self._clock = clock_of(now)
        self._limits = maybe(limits, Limits, "limits", "a table of limits") or DEFAULT
        self._lock = threading.Lock()
        self._state = _State({}, Relations(()), {}, {}, {})

    @property
    def limits(self) -> Limits:
        """The limits of this library."""
        return self._limits

    def add(self, package: Package) -> Library:
        """Load a package with its members, and return this library. One that is loaded already changes nothing.

        Raises:
            InputError: it is no package, or not valid: its diagnostics say why.
            ConflictError: another package has the same id and version, or a node with the same reference.
            LimitError: more packages than `limits.moca_packages` would be loaded.
        """
        of_kind(package, Package, "package", "a package that was read")
        with self._lock:
            state = self._state
            for one in _all_of(package):
                state = self._with(state, one)
            self._state = state
        return self

    def _with(self, state: _State, package: Package) -> _State:
        manifest, digest = package.manifest, package.digest
        if not package.valid or manifest is None or digest is None:
            msg = "Only a valid package can be loaded; its `diagnostics` say what is wrong with this one."
            raise InputError(msg, field="package")
        if digest in state.packages:
            # Read again, perhaps with another trust root: what was loaded last holds.
            refs = {node_ref(manifest, node): (digest, node) for node in package.nodes}
            ids = {node_id(manifest, node): (digest, node) for node in package.nodes}
            return state._replace(
                packages={**state.packages, digest: package},
                by_digest={**state.by_digest, digest: {node.path: node for node in package.nodes}},
                by_ref=state.by_ref | refs,
                by_id=state.by_id
                | {name: found for name, found in ids.items() if state.by_id[name][0] == digest},
            )
        if len(state.packages) == self._limits.moca_packages:
            msg = f"A library holds {self._limits.moca_packages:,} packages, members included; this is one more."
            raise LimitError(msg, field="package")
        refs = {node_ref(manifest, node): (digest, node) for node in package.nodes}
        is_taken = any(
            one.manifest is not None and one.manifest.key == manifest.key for one in state.packages.values()
        )
        if is_taken or refs.keys() & state.by_ref.keys():
            msg = (
                f"Another package is loaded that is called {manifest.key[:200]} or has nodes of the same references; "
                "give one of them another version, or load it into another library."
            )
            raise ConflictError(msg, field="package")
        packages = {**state.packages, digest: package}
        ids = {node_id(manifest, node): (digest, node) for node in package.nodes}
        return _State(
            packages,
            Relations(one.manifest for one in packages.values() if one.manifest is not None),
            {**state.by_digest, digest: {node.path: node for node in package.nodes}},
            state.by_ref | refs,
            # By id alone, the version that was loaded first.
            ids | state.by_id,
        )

    @property
    def packages(self) -> tuple[Package, ...]:
        """What is loaded, in order."""
        return tuple(self._state.packages.values())

    def digests(self) -> frozenset[str]:
        """Return the digests of the loaded packages: what the ledger of a run takes as `loaded`."""
        return frozenset(self._state.packages)

    def now(self) -> datetime:
        """Return the moment that it is by the clock of this library."""
        return self._clock()

    def get(self, name: str, *, locale: str | None = None) -> dict[str, Any] | None:
        """Return the record of a node by its versioned reference or its id, None where there is none.

        By its id it is the version that was loaded first; a name that is both is the reference.

        Raises:
            InputError: an argument is no string.
        """
        loaded = self.find(name)
        maybe(locale, str, "locale", "a language tag, a string")
        return None if loaded is None else self.record(loaded, loaded.node.representation(locale), self.now())

    def citations(self, *, locale: str | None = None, include_text: bool = True) -> list[dict[str, Any]]:
        """Return the record of every node, in the order of loading and of paths, whatever its flags say.

        Raises:
            InputError: `locale` is no string.
        """
        maybe(locale, str, "locale", "a language tag, a string")
        now = self.now()
        return [
            self.record(loaded, loaded.node.representation(locale), now, has_text=include_text)
            for loaded in self.loaded()
        ]

    def find(self, name: str) -> Loaded | None:
        """Return a node by its versioned reference or its id.

        Raises:
            InputError: it is no string.
        """
        of_kind(name, str, "name", "a versioned reference or an id, a string")
        state = self._state
        found = state.by_ref.get(name) or state.by_id.get(name)
        return None if found is None else _loaded(state, *found)

    def at(self, digest: str, path: str) -> Loaded | None:
        """Return a node by the digest of its package and its path."""
        state = self._state
        node = state.by_digest.get(digest, {}).get(path)
        return None if node is None else _loaded(state, digest, node)

    def loaded(self) -> Iterator[Loaded]:
        """Yield every node, in the order of loading and of paths."""
        state = self._state
        for digest, nodes in state.by_digest.items():
            for node in nodes.values():
                yield _loaded(state, digest, node)

    def record(
        self,
        loaded: Loaded,
        one: Representation,
        now: datetime,
        *,
        span: tuple[int, int] | None = None,
        has_text: bool = True,
    ) -> dict[str, Any]:
        """Return the record of a representation, or of a span of its text, for a moment."""
        return record_of(
            loaded.package,
            loaded.node,
            one,
            standing=loaded.standing,
            now=now,
            limits=self._limits,
            span=span,
            has_text=has_text,
        )


def _loaded(state: _State, digest: str, node: Node) -> Loaded:
    package = state.packages[digest]
    manifest = package.manifest
    if manifest is None:  # pragma: no cover - only valid packages are loaded
        msg = "A loaded package has a manifest."
        raise ValueError(msg)
    return Loaded(package, manifest, node, state.relations.of(manifest))


def _all_of(package: Package) -> Iterator[Package]:
    """Yield a package and the members of it and of its members, each before its own."""
    waiting = [package]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(one.members)
