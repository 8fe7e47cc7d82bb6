"""What a page must not tell: paths, buckets, hosts and secrets of whoever serves it."""

from __future__ import annotations

import re
from ipaddress import ip_address

# Each is a fixed beginning and one bounded run of one class behind it: linear.
_KINDS = {
    "the address of a file": re.compile(r"\bfile:/{1,3}[^\s\"'<>)]{0,80}", re.IGNORECASE),
    "the address of a bucket": re.compile(
        r"\b(?:s3a?|gs|gcs|az|abfss?|wasbs?|hdfs|minio|r2|swift)://[^\s\"'<>)]{0,80}", re.IGNORECASE
    ),
    "the address of a database": re.compile(
        r"\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|sqlite|amqp|ldap)(?:\+[a-z0-9]{1,20})?://[^\s\"'<>)]{0,80}",
        re.IGNORECASE,
    ),
    "a path on a server": re.compile(
        r"(?<![\w./:%-])/(?:home|root|srv|var|etc|opt|usr|tmp|mnt|data|app|private|Users)/[^\s\"'<>)]{1,80}"
    ),
    "a path on Windows": re.compile(r"(?<![A-Za-z0-9])[A-Za-z]:[\\/](?![\\/])[^\s\"'<>)]{1,80}"),
    "a share of a network": re.compile(r"(?<![\\\w])\\\\[\w.$?-]{1,60}\\[^\s\"'<>)]{0,80}"),
    "a user and a password": re.compile(
        r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/@\"'<>]{1,80}@[^\s/\"'<>)]{1,80}", re.IGNORECASE
    ),
    "a host of this machine or its network": re.compile(
        r"\b(?:localhost|(?:[\w-]{1,63}\.){1,4}(?:internal|local|localdomain|lan))\b", re.IGNORECASE
    ),
}  # fmt: skip
_NUMBERS = re.compile(r"(?<![\w.])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![\w.]*[\w])")


def assert_no_address(shown: str, *secrets: str) -> None:
    """Fail where `shown` tells a place of whoever serves it: a path, a bucket, a database, a private host or number.

    `shown` is what leaves the server: a page, JSON, an error, a header, a line of log. `secrets` are further strings
    that must not stand there, as a tenant's id.

    Raises:
        AssertionError: it tells one; the sentence names the first.
    """
    __tracebackhide__ = True
    for secret in secrets:
        if secret and secret in shown:
            msg = f"What is shown tells a secret: {secret[:80]!r}."
            raise AssertionError(msg)
    for kind, pattern in _KINDS.items():
        if (found := pattern.search(shown)) is not None:
            msg = f"What is shown tells {kind}: {found.group()[:120]!r}."
            raise AssertionError(msg)
    for found in _NUMBERS.finditer(shown):
        try:
            is_private = not ip_address(found.group()).is_global
        except ValueError:
            continue
        if is_private:
            msg = f"What is shown tells a private address: {found.group()!r}."
            raise AssertionError(msg)
