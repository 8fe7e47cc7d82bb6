"""Which addresses may become links."""

from __future__ import annotations

import re

from pincite.core.text import UNSEEN

# White space, control characters, backslashes, bidi and zero-width marks, halves of characters: linear, one class.
_FORBIDDEN = re.compile(rf"[\s\\\x7f\ud800-\udfff{UNSEEN}]")
# A name that is no path and no address: linear, one class.
_NAME = re.compile(r"[^/\\:@]*")
# Scheme and host, what else stands before the last name of a path, and the query or fragment behind it: linear.
_HOST = re.compile(r"[^/\\?#]*://[^/\\?#]*")
_STEM, _QUERY = re.compile(r"[^/\\]*[/\\]"), re.compile(r"(?s)[?#].*")

# An address that is safe as it is, told at a glance: the names of a host, then what needs no escape. Each run is
# possessive and of one class: linear.
_PLAIN = re.compile(
    r"https?://(?:[a-z0-9][a-z0-9\-]{0,61}(?<!-)\.){1,8}[a-z][a-z0-9]{1,20}"
    r"(?:/[A-Za-z0-9/:@!$&*+,;=\-._~%]*+)?(?:\?[A-Za-z0-9/:@!$&*+,;=\-._~%?]++)?"
)

# A name of a host in ASCII: between its dots letters, digits and underscores, and hyphens inside. Each part is one
# possessive run, looked back at: linear.
_HOSTNAME = re.compile(r"(?:(?!-)[0-9A-Za-z_\-]++(?<!-)(?:\.|\Z))+")
# An address of IPv6 in brackets, which `urlsplit` has read, and a port: linear, two runs.
_BRACKETED = re.compile(r"\[[0-9A-Fa-f:.]++\](?::[0-9]*+)?")

LINK_CODE_POINTS = 4_000
"""Code points of the longest link: what browsers and servers take, and room for a signed address."""

UPLOAD = "upload://"
"""How the key of a file begins that has no address of its own."""

# What may stand unescaped in a path, query or fragment inside Markdown and HTML alike.
_SAFE = "/:@!$&*+,;=-._~%?"


def safe_link(address: str | None) -> str | None:
    """Return `address` as a link that is safe to show, or None.

    Only http and https, absolute, with a host and a port that there may be, without user, password, white space,
    backslash, control or invisible characters. The host is punycoded, the rest percent-encoded, parentheses and quotes
    too. A link has at most `LINK_CODE_POINTS`.
    """
    if not address or len(address) > LINK_CODE_POINTS:
        return None
    if _PLAIN.fullmatch(address) is not None:
        return address
    if _FORBIDDEN.search(address):
        return None
    from urllib.parse import quote, urlsplit, urlunsplit  # most answers link nothing

    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not host or "@" in parts.netloc or port == 0:
        return None
    name = _host_name(host, parts.netloc)
    if not name:
        return None
    place = name if port is None else f"{name}:{port}"
    rest = (quote(part, safe=_SAFE) for part in (parts.path, parts.query, parts.fragment))
    link = urlunsplit((parts.scheme.lower(), place, *rest))
    return link if len(link) <= LINK_CODE_POINTS else None


def _host_name(host: str, netloc: str) -> str:
    """Return a host as a link has it, in ASCII and in the brackets of `netloc`; empty where there can be no such."""
    if "[" in netloc:
        return f"[{host}]" if _BRACKETED.fullmatch(netloc) else ""
    try:
        name = host.encode("idna").decode("ascii")
    except UnicodeError:
        return ""
    return name if _HOSTNAME.fullmatch(name) else ""


def shown_source(address: str | None) -> str:
    """Return what a person may see of a source's key or address: an upload, a name and a safe link as they are.

    Of anything else (a path, a bucket, an address with a password) only the last name, as of an upload.
    """
    if not address or address.startswith(UPLOAD) or _NAME.fullmatch(address):
        return address or ""
    path = _QUERY.sub("", _HOST.sub("", address, count=1)).rstrip("/\\")
    name = _STEM.sub("", path).rpartition("@")[2]
    return safe_link(address) or (UPLOAD + name if name else "")
