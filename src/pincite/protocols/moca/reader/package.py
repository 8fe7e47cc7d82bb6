"""Reading a package: files, digest, manifest, nodes, attestations and members, and what was found of each."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from pincite.core.given import items_of, maybe, of_kind, refuse
from pincite.core.limits import DEFAULT, Limits
from pincite.protocols.moca.moments import now as _now
from pincite.protocols.moca.moments import told
from pincite.protocols.moca.reader._digest import digest_of, payload_manifest
from pincite.protocols.moca.reader._files import ATTESTATIONS, MANIFEST, Target, UnreadableError, open_files
from pincite.protocols.moca.reader._paths import CONTENT
from pincite.protocols.moca.reader.attestations import Attested, read_attestations
from pincite.protocols.moca.reader.findings import Finding, Findings
from pincite.protocols.moca.reader.manifest import Manifest, PinnedMember, read_manifest
from pincite.protocols.moca.reader.nodes import Content, Node, read_nodes
from pincite.protocols.moca.reader.trust_root import TrustRoot, trust_root_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pincite.protocols.moca.moments import Clock
    from pincite.protocols.moca.reader._files import Files

Now = datetime | Callable[[], datetime]
"""A moment, or a clock: what returns one, with an offset."""
ResolveMember = Callable[[PinnedMember], Target | None]
"""Finds a member for the host: returns where it is, or None. Its digest is checked, whatever it returns."""


# Packages that are members of one another in a row.
_DEEPEST: Final = 20


@dataclass(frozen=True, slots=True)
class Package:
    """A package that was read, valid or not; nothing in it changes.

    `digest` is None where the files could not be read for certain, `manifest` where there is none. `capabilities` are
    what the package was found to have, sorted; those of signatures hold for the trust root that was given. `members`
    are the members that were found and are what they should be.
    """

    valid: bool
    digest: str | None
    capabilities: tuple[str, ...]
    diagnostics: tuple[Finding, ...]
    manifest: Manifest | None = None
    nodes: tuple[Node, ...] = field(default=(), repr=False)
    members: tuple[Package, ...] = field(default=(), repr=False)
    signers: tuple[str, ...] = ()
    payload_manifest: str = field(default="", repr=False)

    @property
    def codes(self) -> frozenset[str]:
        """The codes of all findings."""
        return frozenset(finding.code for finding in self.diagnostics)


def read_package(
    target: Target,
    *,
    trust_root: Mapping[str, Any] | None = None,
    resolve_member: ResolveMember | None = None,
    strict: bool = False,
    limits: Limits | None = None,
    known_profiles: Collection[str] = (),
    now: Now | None = None,
) -> Package:
    """Read a package as the 0.4-era specification has it, and say all that is wrong with it.

    `target` is a folder, an archive by its path or as bytes, or a mapping from path to bytes. `trust_root` is the
    host's (`trust_root_of` tells its form); without one nothing is signed. `resolve_member` finds the members; without
    one they are not looked for. `strict` makes every warning an error. `now` decides which keys are past their end.
    Nothing is fetched, run or written, and no malformed package raises.

    Raises:
        InputError: an argument cannot be used: the target is of no such kind, the trust root not of its form.
    """
    if resolve_member is not None and not callable(resolve_member):
        refuse(resolve_member, "resolve_member", "a function that returns where a member is")
    reading = _Reading(
        trust_root_of(trust_root),
        resolve_member,
        of_kind(strict, bool, "strict", "true or false"),
        maybe(limits, Limits, "limits", "a table of limits") or DEFAULT,
        frozenset(items_of(known_profiles, "known_profiles", "a collection of URIs")),
        clock_of(now)(),
    )
    return reading.read(target)


def clock_of(now: Now | None) -> Clock:
    """Return the clock that `now` stands for; without one, that of the machine.

    Raises:
        InputError: it is neither a moment with an offset nor a function.
    """
    if now is None:
        return _now
    if isinstance(now, datetime):
        told(now)
        return lambda: now
    if not callable(now):
        refuse(now, "now", "a moment with an offset, or a function that returns one")

    def checked() -> datetime:
        moment = now()
        told(moment)
        return moment

    return checked


class _Reading:
    """One call of `read_package`, its members included."""

    def __init__(
        self,
        root: TrustRoot | None,
        resolve_member: ResolveMember | None,
        strict: bool,  # noqa: FBT001 - handed on
        limits: Limits,
        known_profiles: frozenset[str],
        now: datetime,
    ) -> None:
        self._root = root
        self._resolve_member = resolve_member
        self._strict = strict
        self._limits = limits
        self._known_profiles = known_profiles
        self._now = now
        self._members_left = limits.moca_members

    def read(self, target: Target, around: tuple[str, ...] = ()) -> Package:
        """Read a package; `around` are the ids of those that it is a member of."""
        findings = Findings(self._limits, strict=self._strict)
        files = open_files(target, findings, self._limits)
        if files is None:
            return Package(valid=False, digest=None, capabilities=(), diagnostics=findings.kept())
        try:
            return self._read(files, findings, around)
        finally:
            files.close()

    def _read(self, files: Files, findings: Findings, around: tuple[str, ...]) -> Package:
        kept = self._hashed(files, findings)
        if kept is None:
            return Package(valid=False, digest=None, capabilities=(), diagnostics=findings.kept())
        lines = payload_manifest(files)
        digest = digest_of(lines)
        manifest = read_manifest(kept.pop(MANIFEST), findings, self._limits, self._known_profiles)
        if manifest is None:
            return Package(
                valid=False,
                digest=digest,
                capabilities=(),
                diagnostics=findings.kept(),
                payload_manifest=lines,
            )
        content = read_nodes(manifest, files, kept, findings, self._limits)
        if not content.nodes and not manifest.members:
            findings.add("M003", "It has neither a node nor a member.")
        attested = read_attestations(manifest, digest, files, self._root, self._now, findings, self._limits)
        members = self._members(manifest, findings, (*around, manifest.id))
        nodes, is_reviewed = _reviewed(content.nodes, attested)
        return Package(
            valid=findings.is_valid,
            digest=digest,
            capabilities=_capabilities(manifest, content, attested, is_reviewed) if findings.is_valid else (),
            diagnostics=findings.kept(),
            manifest=manifest,
            nodes=nodes,
            members=members,
            signers=attested.signers,
            payload_manifest=lines,
        )

    def _hashed(self, files: Files, findings: Findings) -> dict[str, bytes] | None:
        """Read every file once; return the bytes of the manifest and of what may be a node."""
        kept: dict[str, bytes] = {}
        is_good = True
        for path in files.paths:
            if path.startswith(ATTESTATIONS):
                continue
            is_node = path.startswith(CONTENT) and path.lower().endswith(".md")
            try:
                data = files.hash(path, keep=is_node or path == MANIFEST)
            except UnreadableError as error:
                findings.add("P002", f"{str(error).capitalize()}.", path)
                is_good = False
                if files.is_full:
                    break
                continue
            if data is not None:
                kept[path] = data
        return kept if is_good else None

    def _members(
        self, manifest: Manifest, findings: Findings, around: tuple[str, ...]
    ) -> tuple[Package, ...]:
        """Return the members that are what they should be."""
        if self._resolve_member is None:
            return ()
        found: list[Package] = []
        for pinned in manifest.members:
            if len(around) > _DEEPEST:
                findings.add("R001", f"Members stand more than {_DEEPEST} deep inside one another.", MANIFEST)
                break
            if pinned.id in around:
                findings.add("R003", f"{pinned.id[:200]} is a member of itself.", MANIFEST)
                continue
            self._members_left -= 1
            if self._members_left < 0:
                findings.add("R001", "There are more members than are read.", MANIFEST)
                break
            target = self._resolve_member(pinned)
            if target is None:
                findings.add("R001", f"{pinned.id[:200]} was not found.", MANIFEST)
                continue
            member = self.read(target, around)
            # What is wrong between the members of a member is wrong with the whole.
            findings.take(one for one in member.diagnostics if one.code[0] == "R")
            if member.digest is None or member.manifest is None or not member.valid:
                findings.add("R001", f"{pinned.id[:200]} is no valid package.", MANIFEST)
            elif member.digest != pinned.digest or (member.manifest.id, member.manifest.version) != (
                pinned.id,
                pinned.version,
            ):
                findings.add("R002", f"{pinned.id[:200]} is not the package that is pinned.", MANIFEST)
            else:
                found.append(member)
        return tuple(found)


def _reviewed(nodes: tuple[Node, ...], attested: Attested) -> tuple[tuple[Node, ...], bool]:
    """Return the nodes with the reviews of their files, and whether there is any."""
    if not attested.reviews:
        return nodes, False
    made = tuple(
        replace(
            node,
            representations=tuple(
                replace(one, reviews=attested.reviews.get(one.file, ())) for one in node.representations
            ),
        )
        for node in nodes
    )
    return made, any(one.reviews for node in made for one in node.representations)


def _capabilities(
    manifest: Manifest,
    content: Content,
    attested: Attested,
    is_reviewed: bool,  # noqa: FBT001 - one of the facts
) -> tuple[str, ...]:
    facts = {
        "core": True,
        "composed": bool(manifest.members),
        "localized": any(one.locale is not None for node in content.nodes for one in node.representations),
        "located-evidence": content.has_evidence,
        "reviewed": is_reviewed,
        "self-contained-evidence": content.is_self_contained,
        "signed": bool(attested.signers),
    }
    return tuple(sorted(name for name, is_so in facts.items() if is_so))
