"""Sessions: whose fetched set a call works on.

Over standard input and output there is one client, and a name is enough to find its set again. Over HTTP a session
is a token that this server issued: it is signed, so that every node with the same secret knows it without having seen
it, and so that nobody can make one up. What is kept is kept under a keyed hash of it: who reads the kept sets cannot
act as their owners.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pincite.core import secret_file
from pincite.core.errors import SettingError
from pincite.core.secret_file import SHORTEST_SECRET

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SECRET_FILE: Final = "mcp-secret"  # noqa: S105 - the name of the file, not what is in it
"""Name of the file with the secret in the library's folder."""

_RANDOM_BYTES: Final = 16
_TAG_BYTES: Final = 16
# A token: two runs of one class and of fixed length, linear.
_TOKEN: Final = re.compile(r"pincite-([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})")


@dataclass(frozen=True, slots=True)
class Client:
    """Who calls: the key under which its fetched set is kept.

    `fresh` says that the call named no session, so that this one has just begun and holds nothing.
    """

    key: str
    fresh: bool = False


class Sessions:
    """Issues session tokens and knows its own. Servers with the same secret know one another's."""

    __slots__ = ("_random", "_secret")

    def __init__(self, secret: str, *, random: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """`random` gives that many random bytes.

        Raises:
            SettingError: the secret is shorter than 32 characters.
        """
        if len(secret) < SHORTEST_SECRET:
            msg = f"The secret of the MCP server has {SHORTEST_SECRET} characters or more."
            raise SettingError(msg, field="PINCITE_MCP_SECRET")
        self._secret = secret.encode("utf-8", "surrogateescape")
        self._random = random

    def issue(self) -> str:
        """Return a new token, visible ASCII without spaces."""
        name = _text(self._random(_RANDOM_BYTES))
        return f"pincite-{name}.{self._tag(name)}"

    def client(self, token: str) -> str | None:
        """Return the key of the client that a token names, or None when it is none of ours."""
        found = _TOKEN.fullmatch(token)
        if found is None or not hmac.compare_digest(found[2], self._tag(found[1])):
            return None
        return self._key("token", found[1])

    def named(self, kind: str, name: str) -> str:
        """Return the key of a client that the operator or a local program named; no token has it."""
        return self._key(kind, name)

    def _tag(self, name: str) -> str:
        return _text(self._hash("session", name)[:_TAG_BYTES])

    def _key(self, kind: str, name: str) -> str:
        return f"mcp:{self._hash(kind, name).hex()}"

    def _hash(self, kind: str, name: str) -> bytes:
        # The length of the kind stands first, so that no two pairs run together into the same words.
        words = f"{len(kind)}:{kind}:{name}".encode("utf-8", "replace")
        return hmac.new(self._secret, words, hashlib.sha256).digest()


def kept_secret(folder: Path) -> str:
    """Return the secret that is kept in `folder`, made when there is none; only its owner can read the file.

    Raises:
        SettingError: the folder cannot be written, or the file is damaged.
    """
    return secret_file.kept_secret(folder, SECRET_FILE, setting="PINCITE_MCP_SECRET")


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")
