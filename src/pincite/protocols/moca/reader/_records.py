"""The citation record of a node, or of a part of it: the common JSON shape, key for key."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from pincite.protocols.moca._json import fault_in
from pincite.protocols.moca.moments import bound_of

if TYPE_CHECKING:
    from datetime import datetime

    from pincite.core.limits import Limits
    from pincite.protocols.moca.reader._relations import Standing
    from pincite.protocols.moca.reader.manifest import Manifest
    from pincite.protocols.moca.reader.nodes import Node, Representation
    from pincite.protocols.moca.reader.package import Package

# What is left out, one after the other, of a record that would be larger than records may be.
_SPARED: Final = ("text", "evidence", "concepts", "profiles")


def record_of(
    package: Package,
    node: Node,
    one: Representation,
    *,
    standing: Standing,
    now: datetime,
    limits: Limits,
    span: tuple[int, int] | None = None,
    has_text: bool = True,
) -> dict[str, Any]:
    """Return the record of a representation of a node in a valid package, a new one each time.

    `span` are bytes of its file, inside of its text and at characters' ends; without one it is the whole text.
    """
    manifest = package.manifest
    if manifest is None:  # pragma: no cover - a library takes valid packages only
        msg = "A package without a manifest has no records."
        raise ValueError(msg)
    start, end = span or (one.body_start, len(one.data))
    fields = one.fields
    about: dict[str, Any] = {
        "package": {
            "id": manifest.id,
            "version": manifest.version,
            "digest": package.digest,
            "signed": bool(package.signers),
        },
        "node": {
            "id": node_id(manifest, node),
            "ref": node_ref(manifest, node),
            "path": node.path,
            "locale": one.locale or manifest.language,
            "type": fields.type,
            "title": fields.title,
            "description": fields.description,
            "tags": fields.tags,
            "digest": f"sha256:{one.sha256}",
        },
        "span": {"start": start, "end": end},
    }
    about["node"] = {name: value for name, value in about["node"].items() if value is not None}
    if package.signers:
        about["package"]["signers"] = list(package.signers)
    if has_text:
        about["text"] = one.data[start:end].decode()
    about["trust"] = _trust(manifest, one, standing, now)
    about["evidence"] = _evidence(one)
    about |= {"concepts": fields.concepts} if fields.concepts else {}
    about |= {"audience": fields.audience} if fields.audience is not None else {}
    about |= {"profiles": list(manifest.profiles)} if manifest.profiles else {}
    return _fitting(_copy(about), limits)


def node_id(manifest: Manifest, node: Node) -> str:
    """Return the id of a node over all versions of its package."""
    return f"{manifest.id}#{node.path}"


def node_ref(manifest: Manifest, node: Node) -> str:
    """Return the versioned reference of a node."""
    return f"{manifest.key}#{node.path}"


def is_stale(one: Representation, now: datetime) -> bool:
    """Say whether a node should have been looked at again by now; a date that cannot be read does not tell."""
    after = bound_of(one.fields.stale_after)
    return after is not None and now >= after


def is_in_force(manifest: Manifest, one: Representation, now: datetime) -> bool:
    """Say whether a node is in force: from its first moment on, until before its last; the node's go before.

    A bound that cannot be read holds for no moment.
    """
    fields = one.fields
    first, last = fields.valid_from or manifest.valid_from, fields.valid_until or manifest.valid_until
    begins, ends = bound_of(first), bound_of(last)
    if fields.has_unreadable_bound or (first and begins is None) or (last and ends is None):
        return False
    return (begins is None or now >= begins) and (ends is None or now < ends)


def passes_policy(manifest: Manifest, one: Representation, standing: Standing, now: datetime) -> bool:
    """Say whether a search returns a node by default: in force, not superseded, not deprecated."""
    return (
        is_in_force(manifest, one, now) and not standing.superseded_by and one.fields.status != "deprecated"
    )


def _trust(manifest: Manifest, one: Representation, standing: Standing, now: datetime) -> dict[str, Any]:
    fields = one.fields
    contested_by = [*fields.contested_by, *standing.contested_by]
    told: dict[str, Any] = {
        "status": fields.status,
        "generated": fields.generated,
        "declaredVerified": fields.verified,
        "attestedReviews": list(one.reviews),
    }
    dates = {
        "staleAfter": fields.stale_after,
        "validFrom": fields.valid_from or manifest.valid_from,
        "validUntil": fields.valid_until or manifest.valid_until,
    }
    told |= {name: date for name, date in dates.items() if date}
    told |= {
        "stale": is_stale(one, now),
        "inForce": is_in_force(manifest, one, now),
        "superseded": bool(standing.superseded_by),
    }
    told |= {"supersededBy": list(standing.superseded_by)} if standing.superseded_by else {}
    told["contested"] = bool(contested_by)
    told |= {"contestedBy": contested_by} if contested_by else {}
    return told


def _evidence(one: Representation) -> list[dict[str, Any]]:
    """Return the evidence of a node with its sources; `matched` is absent where nobody looked."""
    sources = {source["id"]: source for source in one.fields.sources if isinstance(source.get("id"), str)}
    found: list[dict[str, Any]] = []
    for cited, matched in zip(one.fields.evidence, one.matched, strict=True):
        made: dict[str, Any] = {"source": sources.get(cited.source, {"id": cited.source})}
        made |= {"selector": cited.selector} if cited.selector is not None else {}
        made |= {"note": cited.note} if cited.note is not None else {}
        made |= {"matched": matched} if matched is not None else {}
        found.append(made)
    return found


def _fitting(record: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Return a record that is no larger than records may be: without its text, then without what bears no trust."""
    for name in _SPARED:
        fault = fault_in(record, depth=limits.moca_depth, size=limits.moca_record_bytes)
        if fault is None or fault.code != "too_large":
            return record
        if name == "evidence":
            # The sources alone may be what is too much: each piece of evidence brings a copy of its own.
            record["evidence"] = [
                {**made, "source": {"id": made["source"]["id"]}} for made in record["evidence"]
            ]
            fault = fault_in(record, depth=limits.moca_depth, size=limits.moca_record_bytes)
            if fault is not None:
                record["evidence"] = []
            continue
        record.pop(name, None)
    return record


def _copy(value: Any) -> Any:  # noqa: ANN401 - plain JSON
    """Return a copy of plain JSON that shares nothing with what is kept."""
    return json.loads(json.dumps(value))
