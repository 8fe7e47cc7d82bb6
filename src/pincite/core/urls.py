"""Which addresses may become links."""

from __future__ import annotations

import re

# White space, control characters, backslashes, bidi and zero-width marks: linear, one class.
_FORBIDDEN = re.compile("[\\s\\\\\x00-\x20\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
# What may stand unescaped in a path, query or fragment inside Markdown and HTML alike.
_SAFE = "/:@!$&*+,;=-._~%?"


def safe_link(address: str | None) -> str | None:
    """Return `address` as a link that is safe to show, or None.

    Only http and https, absolute, with a host and a valid port, without user, password, white space, backslash,
    control or invisible characters. The host is punycoded, the rest percent-encoded, parentheses and quotes too.
    """
    if not address or _FORBIDDEN.search(address):
        return None
    from urllib.parse import quote, urlsplit, urlunsplit  # most answers link nothing

    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not host or "@" in parts.netloc:
        return None
    try:
        name = host if ":" in host else host.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    name = f"[{name}]" if ":" in name else name
    if re.search(r"[^0-9A-Za-z.\-\[\]:_]", name):
        return None
    place = name if port is None else f"{name}:{port}"
    rest = (quote(part, safe=_SAFE) for part in (parts.path, parts.query, parts.fragment))
    return urlunsplit((parts.scheme.lower(), place, *rest))
