"""What the loaded packages are to one another: facts of the moment, of what is loaded, and of no package alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.protocols.moca.reader.manifest import Manifest, Relation


class Standing(NamedTuple):
    """Which loaded packages supersede one, and which stand in conflict with it, by id and version."""

    superseded_by: tuple[str, ...] = ()
    contested_by: tuple[str, ...] = ()


class Relations:
    """The relations among loaded packages. A package has none to itself."""

    __slots__ = ("_by_id", "_conflicts", "_superseded")

    def __init__(self, loaded: Iterable[Manifest]) -> None:
        manifests = list(loaded)
        self._by_id: dict[str, list[Manifest]] = {}
        # Keys of packages, in the order of loading; a dictionary is a set that keeps it.
        self._superseded: dict[str, dict[str, None]] = {}
        self._conflicts: dict[str, dict[str, None]] = {}
        for manifest in manifests:
            self._by_id.setdefault(manifest.id, []).append(manifest)
        for manifest in manifests:
            for relation in manifest.relations:
                self._enter(manifest, relation)

    def _enter(self, manifest: Manifest, relation: Relation) -> None:
        if relation.type not in ("supersedes", "conflictsWith"):
            return
        for target in self._by_id.get(relation.target, ()):
            if target.key == manifest.key or relation.version not in (None, target.version):
                continue
            if relation.type == "supersedes":
                self._superseded.setdefault(target.key, {})[manifest.key] = None
            else:
                self._conflicts.setdefault(target.key, {})[manifest.key] = None
                self._conflicts.setdefault(manifest.key, {})[target.key] = None

    def of(self, manifest: Manifest) -> Standing:
        """Return how a loaded package stands to the others."""
        return Standing(
            tuple(self._superseded.get(manifest.key, ())), tuple(self._conflicts.get(manifest.key, ()))
        )
