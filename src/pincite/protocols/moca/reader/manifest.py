"""The manifest of a package, `moca.json`: what it says of the whole of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.protocols.moca.moments import bound_of
from pincite.protocols.moca.reader._files import MANIFEST
from pincite.protocols.moca.reader._strict_json import strict_json

if TYPE_CHECKING:
    from collections.abc import Collection

    from pincite.core.limits import Limits
    from pincite.protocols.moca.reader.findings import Findings

# Each anchored, of runs that cannot take from one another, but for the parts of a version and a tag, which end at
# their separator.
URI: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,60}:[^\s]{1,2000}")
_VERSION: Final = re.compile(
    r"(?:0|[1-9][0-9]{0,15})\.(?:0|[1-9][0-9]{0,15})\.(?:0|[1-9][0-9]{0,15})"
    r"(?:-[0-9A-Za-z.-]{1,100})?(?:\+[0-9A-Za-z.-]{1,100})?"
)
_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,20}")
_SPEC_VERSION: Final = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})")
DIGEST: Final = re.compile(r"sha256:[0-9a-f]{64}")
_KNOWN: Final = frozenset(
    "$schema mocaVersion id version title description language locales license publisher validFrom validUntil "
    "members relations profiles".split()
)
# Namespaces of URNs that stand in examples and that nobody registered.
_UNREGISTERED: Final = re.compile(r"urn:(?:moca|x-[^:]{1,30}|example):", re.IGNORECASE)
_DIGEST_V2: Final = (0, 4)
_DEPTH: Final = 20


@dataclass(frozen=True, slots=True)
class PinnedMember:
    """A package that another one is made of: its id, its exact version, and the digest that it must have."""

    id: str
    version: str
    digest: str


@dataclass(frozen=True, slots=True)
class Relation:
    """What one package is to another; without `version` it is so to each version of the target."""

    type: str
    target: str
    version: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is read of a manifest; dates are as they were written."""

    id: str
    version: str
    title: str
    language: str | None = None
    locales: tuple[str, ...] = ()
    valid_from: str | None = None
    valid_until: str | None = None
    members: tuple[PinnedMember, ...] = ()
    relations: tuple[Relation, ...] = ()
    profiles: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Id and version, as relations and attestations name a package."""
        return f"{self.id}@{self.version}"


def read_manifest(
    data: bytes, findings: Findings, limits: Limits, known_profiles: Collection[str]
) -> Manifest | None:
    """Return the manifest in `data`; None where it is none, which a finding then says."""
    try:
        value = strict_json(data.removeprefix(b"\xef\xbb\xbf"), depth=_DEPTH, size=limits.moca_manifest_bytes)
    except ValueError as error:
        findings.add("M001", f"It is no JSON that can be read. {error}", MANIFEST)
        return None
    faults = list(_Faults().of(value))
    for fault in faults:
        findings.add("M002", fault, MANIFEST)
    if faults:
        return None
    named = cast("dict[str, Any]", value)
    made = Manifest(
        id=named["id"],
        version=named["version"],
        title=named["title"],
        language=named.get("language"),
        locales=tuple(named.get("locales", ())),
        valid_from=named.get("validFrom"),
        valid_until=named.get("validUntil"),
        members=tuple(PinnedMember(**one) for one in named.get("members", ())),
        relations=tuple(Relation(**one) for one in named.get("relations", ())),
        profiles=tuple(named.get("profiles", ())),
    )
    _remark(made, named, findings, known_profiles)
    return made


def _remark(
    made: Manifest, named: dict[str, Any], findings: Findings, known_profiles: Collection[str]
) -> None:
    """Add what is odd about a manifest that keeps to its schema."""
    for key in named:
        if key not in _KNOWN and not key.startswith("x-"):
            findings.add("M004", f"The key `{key[:80]}` is not known, and nothing is done with it.", MANIFEST)
    ids = [member.id for member in made.members]
    if len(set(ids)) != len(ids):
        findings.add("M005", "A member stands in it twice.", MANIFEST)
    if is_backward(made.valid_from, made.valid_until):
        findings.add("M006", "`validUntil` is not later than `validFrom`.", MANIFEST)
    if _UNREGISTERED.match(made.id):
        findings.add("M007", "Its id is a URN of a namespace that nobody registered.", MANIFEST)
    written = _SPEC_VERSION.fullmatch(named.get("mocaVersion", ""))
    if written is not None and (int(written[1]), int(written[2])) < _DIGEST_V2:
        findings.add("M008", "It was written when digests were made in another way.", MANIFEST)
    for profile in made.profiles:
        if profile not in known_profiles:
            findings.add("F001", f"The profile {profile[:200]} is not known.", MANIFEST)


def is_backward(first: str | None, last: str | None) -> bool:
    """Say whether a window ends before it begins, or as it does; one that cannot be read is no such."""
    begins, ends = bound_of(first), bound_of(last)
    return begins is not None and ends is not None and ends <= begins


class _Faults:
    """Where a manifest breaks its schema, one sentence each."""

    def of(self, value: object) -> list[str]:
        """Return what is wrong, nothing where it keeps to the schema."""
        if not isinstance(value, dict):
            return ["It is no object."]
        named = cast("dict[str, Any]", value)
        found = [f"`{name}` is missing." for name in ("id", "version", "title") if name not in named]
        checks = {
            "id": (_is_uri, "an absolute URI"),
            "version": (_is_version, "a semantic version"),
            "title": (_is_text, "a text"),
            "$schema": (_is_string, "a string"),
            "mocaVersion": (_is_spec_version, "two numbers with a dot between them"),
            "description": (_is_string, "a string"),
            "language": (_is_tag, "a language tag"),
            "locales": (_are_tags, "a list of language tags, each once"),
            "license": (_is_string, "a string"),
            "publisher": (_is_string, "a string"),
            "validFrom": (_is_bound, "a date, or a date-time with an offset"),
            "validUntil": (_is_bound, "a date, or a date-time with an offset"),
            "members": (_are_members, "a list of members with id, version and digest"),
            "relations": (_are_relations, "a list of relations with type and target"),
            "profiles": (_are_profiles, "an object of objects, by URI"),
        }
        found += [
            f"`{name}` is not {what}."
            for name, (is_good, what) in checks.items()
            if name in named and not is_good(named[name])
        ]
        return found


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_uri(value: object) -> bool:
    return isinstance(value, str) and URI.fullmatch(value) is not None


def _is_version(value: object) -> bool:
    return isinstance(value, str) and _VERSION.fullmatch(value) is not None


def _is_spec_version(value: object) -> bool:
    return isinstance(value, str) and _SPEC_VERSION.fullmatch(value) is not None


def _is_tag(value: object) -> bool:
    return isinstance(value, str) and _TAG.fullmatch(value) is not None


def _are_tags(value: object) -> bool:
    if not isinstance(value, list):
        return False
    tags = cast("list[object]", value)
    return all(map(_is_tag, tags)) and len(set(tags)) == len(tags)


def _is_bound(value: object) -> bool:
    return bound_of(value) is not None


def _has(value: object, required: dict[str, Any], optional: dict[str, Any]) -> bool:
    """Say whether a value is an object with just these keys, each of its kind."""
    if not isinstance(value, dict):
        return False
    named = cast("dict[str, object]", value)
    known = required | optional
    return required.keys() <= named.keys() <= known.keys() and all(
        known[key](item) for key, item in named.items()
    )


def _are_members(value: object) -> bool:
    shape = {"id": _is_uri, "version": _is_version, "digest": _is_digest}
    return isinstance(value, list) and all(_has(one, shape, {}) for one in cast("list[object]", value))


def _is_digest(value: object) -> bool:
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def _are_relations(value: object) -> bool:
    required, optional = {"type": _is_text, "target": _is_uri}, {"version": _is_text, "note": _is_string}
    return isinstance(value, list) and all(
        _has(one, required, optional) for one in cast("list[object]", value)
    )


def _are_profiles(value: object) -> bool:
    return isinstance(value, dict) and all(
        _is_uri(key) and isinstance(item, dict) for key, item in cast("dict[str, object]", value).items()
    )
