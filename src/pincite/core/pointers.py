"""JSON Pointer (RFC 6901): how a step of one is written."""

from __future__ import annotations


def step(name: str) -> str:
    """Return the name of a member, or the number of an item, as it stands between the slashes of a pointer."""
    return name.replace("~", "~0").replace("/", "~1")
