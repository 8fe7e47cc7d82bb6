"""API keys: made once, shown once, kept as a digest; and the directory that leads from a credential to its tenant."""

from __future__ import annotations

import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Final, Literal, cast

import sqlalchemy as sa

from pincite.core.errors import InputError, NotFoundError, StoreError
from pincite.core.given import items_of, of_kind
from pincite.core.ids import is_uuid
from pincite.library._fields import given_id, line, one_of, when
from pincite.library.access_tables import api_keys, directory

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.library.library import Library
    from pincite.library.tables import Row, Rows

KeyScope = Literal["manage", "search", "read"]
"""What a key opens: changing things, searching and asking, or reading what a search has found."""
CredentialKind = Literal["key", "embed"]

KEY_SCOPES: Final[tuple[KeyScope, ...]] = ("manage", "search", "read")
"""What a key may do, each including those behind it."""

KEY_PREFIX: Final = "pck_"
"""How an API key begins; 43 characters follow."""

HINT: Final = 4
"""Last characters of a key by which a person knows it again."""

_KEY_BYTES = 32
_TOUCHED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is kept of a key: all but the key itself."""

    key_id: str
    name: str
    scopes: tuple[KeyScope, ...]
    hint: str
    created_at: datetime
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None

    def allows(self, scope: KeyScope) -> bool:
        """Say whether the key may do what `scope` names; a revoked one may nothing."""
        if self.revoked_at is not None or scope not in KEY_SCOPES:
            return False
        return any(KEY_SCOPES.index(own) <= KEY_SCOPES.index(scope) for own in self.scopes)


@dataclass(frozen=True, slots=True)
class Credential:
    """Whose a key is: the API key or the embed `id` of a tenant."""

    kind: CredentialKind
    tenant: str
    id: str


def digest_of(pepper: bytes, key: str) -> str:
    """Return what is stored of a key: HMAC-SHA-256 under `pepper`, in hex.

    Raises:
        InputError: `pepper` is empty or no bytes.
    """
    return hmac.new(check_pepper(pepper), key.encode("utf-8", "surrogatepass"), sha256).hexdigest()


def check_pepper(pepper: bytes) -> bytes:
    """Return `pepper` when it is one.

    Raises:
        InputError: it is empty or no bytes.
    """
    if not of_kind(pepper, bytes, "pepper", "bytes"):
        msg = "What keys are stored under is empty."
        raise InputError(msg, field="pepper")
    return pepper


class ApiKeys:
    """The API keys of one tenant."""

    __slots__ = ("_library", "_pepper")

    def __init__(self, library: Library, pepper: bytes) -> None:
        self._library = library
        self._pepper = check_pepper(pepper)

    def create(self, name: str, scopes: Iterable[KeyScope]) -> tuple[ApiKey, str]:
        """Make a key and return it with its text, which nobody can tell again.

        Raises:
            InputError: the name is not one line of 1 to 200 characters, or there is no scope or an unknown one.
            StoreError: the library cannot be written.
        """
        given = {
            one_of(scope, KEY_SCOPES, "scopes") for scope in items_of(scopes, "scopes", "a list of scopes")
        }
        if not given:
            msg = f"A key has one scope or more of {', '.join(KEY_SCOPES)}."
            raise InputError(msg, field="scopes")
        key = KEY_PREFIX + secrets.token_urlsafe(_KEY_BYTES)
        made = ApiKey(
            key_id=self._library.new_id(),
            name=line(name, "name"),
            scopes=tuple(scope for scope in KEY_SCOPES if scope in given),
            hint=key[-HINT:],
            created_at=self._library.clock().astimezone(UTC),
        )
        tenant, digest = self._library.database.tenant, digest_of(self._pepper, key)
        row = {
            "tenant": tenant,
            "key_id": made.key_id,
            "name": made.name,
            "scopes": list(made.scopes),
            "hint": made.hint,
            "digest": digest,
            "created_at": made.created_at.isoformat(),
        }
        with self._library.database.writing() as connection:
            connection.execute(sa.insert(api_keys).values(row))
            enter(connection, Credential("key", tenant, made.key_id), digest)
        return made, key

    def all(self) -> list[ApiKey]:
        """Return every key, revoked ones too, the oldest first."""
        with self._library.database.reading() as connection:
            rows = connection.execute(self._select()).all()
        return sorted((_key(row) for row in rows), key=lambda one: (one.created_at, one.key_id))

    def one(self, key_id: str) -> ApiKey:
        """Return a key, also a revoked one.

        Raises:
            NotFoundError: there is none.
        """
        with self._library.database.reading() as connection:
            return self._found(connection, key_id)

    def revoke(self, key_id: str) -> ApiKey:
        """End a key: with this call nobody finds it in the directory. Revoking again changes nothing.

        Raises:
            NotFoundError: there is none.
            StoreError: the library cannot be written.
        """
        with self._library.database.writing() as connection:
            found = self._found(connection, key_id)
            if found.revoked_at is None:
                mine = self._is(key_id)
                forget(connection, sa.select(api_keys.c.digest).where(mine))
                connection.execute(sa.update(api_keys).where(mine).values(revoked_at=self._library.now()))
                found = self._found(connection, key_id)
        return found

    def touch(self, key_id: str) -> None:
        """Note that a key is used now: written at most once a minute, and later where it cannot be written."""
        with self._library.database.reading() as connection:
            if not self._is_stale(connection, key_id):
                return
        with suppress(StoreError), self._library.database.writing() as connection:
            # Another that saw the same may have written it since.
            if self._is_stale(connection, key_id):
                used = sa.update(api_keys).where(self._is(key_id)).values(last_used_at=self._library.now())
                connection.execute(used)

    def _is_stale(self, connection: sa.Connection, key_id: str) -> bool:
        """Say whether there is such a key and its last use was long ago, or never."""
        last = connection.execute(sa.select(api_keys.c.last_used_at).where(self._is(key_id))).first()
        if last is None:
            return False
        return (
            last[0] is None
            or datetime.fromisoformat(self._library.now()) - datetime.fromisoformat(last[0]) >= _TOUCHED_EVERY
        )

    def _found(self, connection: sa.Connection, key_id: str) -> ApiKey:
        row = connection.execute(self._select().where(self._is(key_id))).first()
        if row is None:
            msg = "There is no such key."
            raise NotFoundError(msg, field="key_id")
        return _key(row)

    def _select(self) -> Rows:
        return sa.select(
            api_keys.c.key_id,
            api_keys.c.name,
            api_keys.c.scopes,
            api_keys.c.hint,
            api_keys.c.created_at,
            api_keys.c.last_used_at,
            api_keys.c.revoked_at,
        ).where(api_keys.c.tenant == self._library.database.tenant)

    def _is(self, key_id: str) -> sa.ColumnElement[bool]:
        return sa.and_(
            api_keys.c.tenant == self._library.database.tenant,
            api_keys.c.key_id == given_id(key_id, "key_id"),
        )


class Directory:
    """The credentials of every tenant of a library's database: who comes with a key, before anything is asked."""

    __slots__ = ("_library", "_pepper")

    def __init__(self, library: Library, pepper: bytes) -> None:
        """`library` may be any tenant's."""
        self._library = library
        self._pepper = check_pepper(pepper)

    def find(self, key: str) -> Credential | None:
        """Return whose key this is, or None where it is nobody's or was revoked.

        Raises:
            StoreError: the library cannot be read.
        """
        of_kind(key, str, "key", "a text")
        if len(key) > self._library.limits.credential_code_points or not key.isascii():
            return None
        digest = digest_of(self._pepper, key)
        statement = sa.select(directory.c.digest, directory.c.kind, directory.c.tenant, directory.c.id)
        with self._library.database.reading() as connection:
            row = connection.execute(statement.where(directory.c.digest == digest)).first()
        # Whatever a database takes for equal, only the same digest is the same key.
        if row is None or not hmac.compare_digest(row.digest, digest):
            return None
        return Credential(cast("CredentialKind", row.kind), row.tenant, row.id)

    def tenant_of_embed(self, embed_id: str) -> str | None:
        """Return whose embed this is, or None where it is nobody's or was revoked.

        Raises:
            StoreError: the library cannot be read.
        """
        if not is_uuid(embed_id):
            return None
        statement = sa.select(directory.c.tenant).where(
            directory.c.kind == "embed", directory.c.id == embed_id
        )
        with self._library.database.reading() as connection:
            return connection.scalar(statement)


def enter(connection: sa.Connection, credential: Credential, digest: str) -> None:
    """Enter a credential in the directory, in the transaction that makes it."""
    row = {"digest": digest, "tenant": credential.tenant, "kind": credential.kind, "id": credential.id}
    connection.execute(sa.insert(directory).values(row))


def forget(connection: sa.Connection, digests: sa.Select[tuple[str]]) -> None:
    """Remove what `digests` selects from the directory, in the transaction that revokes it."""
    connection.execute(sa.delete(directory).where(directory.c.digest.in_(digests)))


def _key(row: Row) -> ApiKey:
    return ApiKey(
        key_id=row.key_id,
        name=row.name,
        scopes=tuple(row.scopes),
        hint=row.hint,
        created_at=datetime.fromisoformat(row.created_at),
        last_used_at=when(row.last_used_at),
        revoked_at=when(row.revoked_at),
    )
