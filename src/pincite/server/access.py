"""Who asks, and what that opens: one rule for every route.

An id is never a permission. A credential is an API key (`pck_...`) or a visitor's token; a publishable key
(`kve_...`) works at two routes, which ask for it themselves.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

from pincite.core.errors import ForbiddenError, NotFoundError, UnknownCallerError
from pincite.server.service import Desk, Service, service_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.library import Embed, KeyScope

_UNKNOWN: Final = "Send an API key of this server as `Authorization: Bearer pck_...`."
_PUBLISHABLE: Final = (
    "A publishable key (`kve_...`) is for `/embed/v1/session` and `/embed/v1/config` alone; exchange it there for a "
    "visitor's token."
)
_SEPARATOR: Final = "."
_HANDLE_BYTES: Final = 18
_TOKEN_CHARACTERS: Final = 2_000

bearer = HTTPBearer(
    auto_error=False, scheme_name="bearer", description="An API key (`pck_...`), or a visitor's token."
)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a key of a tenant, or a visitor of one of its embeds.

    `visitor` is the name under which grants are kept; None for a key. `name` is for the audit log and for counting.
    """

    desk: Desk
    name: str
    scopes: frozenset[str] = frozenset()
    visitor: str | None = None
    embed: Embed | None = field(default=None, compare=False)

    def allows(self, scope: KeyScope) -> bool:
        """Say whether the caller's key opens that; a visitor has no scope at all."""
        return scope in self.scopes


class VisitorTokens:
    """Makes and reads visitors' tokens and handles; servers with the same secret know one another's."""

    __slots__ = ("_clock", "_handles", "_key", "_seconds")

    def __init__(self, secret: str, *, seconds: float, clock: Callable[[], float]) -> None:
        base = secret.encode("utf-8", "surrogateescape")
        self._key = OctKey.import_key(hmac.new(base, b"visitor tokens", hashlib.sha256).digest())
        self._handles = hmac.new(base, b"visitor handles", hashlib.sha256).digest()
        self._seconds = int(seconds)
        self._clock = clock

    @property
    def seconds(self) -> int:
        """Seconds that a token is good for."""
        return self._seconds

    def handle(self, embed_id: str, given: str | None = None) -> str:
        """Return the handle that a widget sent when it is one that was issued for that embed; else a new one."""
        if given is not None and len(given) <= _TOKEN_CHARACTERS:
            name, _, tag = given.partition(_SEPARATOR)
            if name and hmac.compare_digest(
                tag.encode("utf-8", "replace"), self._tag(embed_id, name).encode()
            ):
                return given
        name = secrets.token_urlsafe(_HANDLE_BYTES)
        return f"{name}{_SEPARATOR}{self._tag(embed_id, name)}"

    def issue(self, embed_id: str, handle: str) -> str:
        """Return a token for the visitor with that handle."""
        now = int(self._clock())
        claims: dict[str, Any] = {
            "sub": handle,
            "emb": embed_id,
            "iat": now,
            "exp": now + self._seconds,
        }
        return jwt.encode({"alg": "HS256"}, claims, self._key)

    def read(self, token: str) -> tuple[str, str] | None:
        """Return the embed's id and the visitor's handle of a token that is good now, else None."""
        if len(token) > _TOKEN_CHARACTERS:
            return None
        try:
            claims = jwt.decode(token, self._key, algorithms=["HS256"]).claims
        except (JoseError, ValueError, TypeError, KeyError):
            return None
        embed_id, handle, ends = claims.get("emb"), claims.get("sub"), claims.get("exp")
        if not (isinstance(embed_id, str) and isinstance(handle, str) and isinstance(ends, int)):
            return None
        return (embed_id, handle) if self._clock() < ends else None

    def _tag(self, embed_id: str, name: str) -> str:
        said = f"{len(embed_id)}:{embed_id}:{name}".encode("utf-8", "replace")
        return hmac.new(self._handles, said, hashlib.sha256).hexdigest()[:32]


def visitor_of(handle: str) -> str:
    """Return the name under which a visitor's grants are kept: who reads the database cannot act as the visitor."""
    return hashlib.sha256(handle.encode("utf-8", "replace")).hexdigest()


def credential_of(
    found: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> str | None:
    """Return what a request sends as its bearer token."""
    return None if found is None else found.credentials


Sent = Annotated[str | None, Depends(credential_of)]
Serving = Annotated[Service, Depends(service_of)]


def caller_of(service: Serving, sent: Sent, request: Request) -> Caller:
    """Return who asks, before anything else of the request is looked at.

    Raises:
        UnknownCallerError: there is no credential, or it is not known or not for this door.
        ForbiddenError: a visitor's browser is on a site that the embed does not name.
        TooManyError: the caller has asked too often.
    """
    if not sent:
        raise UnknownCallerError(_UNKNOWN)
    if sent.startswith("kve_"):
        raise UnknownCallerError(_PUBLISHABLE)
    caller = key_caller(service, sent) if sent.startswith("pck_") else visitor_caller(service, sent)
    if caller is None:
        raise UnknownCallerError(_UNKNOWN)
    if caller.embed is not None:
        check_origin(caller.embed, request)
    limits = service.limits
    most = limits.visitor_requests if caller.visitor is not None else limits.key_requests
    service.rates.count(caller.name, most)
    request.state.caller = caller.name
    return caller


def key_caller(service: Service, sent: str) -> Caller | None:
    """Return the caller with that API key, or None."""
    found = service.directory.find(sent)
    if found is None or found.kind != "key":
        return None
    desk = service.desk(found.tenant)
    try:
        key = desk.keys.one(found.id)
    except NotFoundError:
        return None
    if key.revoked_at is not None:
        return None
    desk.keys.touch(key.key_id)
    scopes = frozenset(scope for scope in ("manage", "search", "read") if key.allows(scope))
    return Caller(desk, f"key:{key.key_id}", scopes)


def visitor_caller(service: Service, sent: str) -> Caller | None:
    """Return the visitor with that token, or None."""
    read = service.tokens.read(sent)
    if read is None:
        return None
    embed_id, handle = read
    tenant = service.directory.tenant_of_embed(embed_id)
    if tenant is None:
        return None
    desk = service.desk(tenant)
    try:
        embed = desk.embeds.standing(embed_id)
    except NotFoundError:
        return None
    visitor = visitor_of(handle)
    return Caller(desk, f"visitor:{visitor[:16]}", visitor=visitor, embed=embed)


def check_origin(embed: Embed, request: Request) -> None:
    """Refuse a browser on a site that the embed does not name. What is no browser sends no origin.

    Raises:
        ForbiddenError: the origin is not among those of the embed.
    """
    origin = request.headers.get("origin")
    if origin is not None and origin.lower() not in (*embed.allowed_origins, _own(request)):
        msg = "This assistant may not be used on this site; its owner names the sites under Embed."
        raise ForbiddenError(msg, field="origin")


def _own(request: Request) -> str:
    """Return the server's own origin: the one that its operator named, since a request may name any host."""
    service: Service = request.app.state.service
    return (service.settings.public_url or "").rstrip("/").lower()


@dataclass(frozen=True, slots=True)
class Needs:
    """A dependency: a caller whose key has a scope; a visitor too where `visitors` says so."""

    scope: KeyScope
    visitors: bool = False

    def __call__(self, caller: Annotated[Caller, Depends(caller_of)]) -> Caller:
        """Return the caller.

        Raises:
            ForbiddenError: the caller's credential does not open this.
        """
        if caller.visitor is not None:
            if self.visitors:
                return caller
            msg = "A visitor's token opens asking and citations alone."
            raise ForbiddenError(msg)
        if not caller.allows(self.scope):
            msg = f"This needs an API key with the scope `{self.scope}`."
            raise ForbiddenError(msg)
        return caller


Manager = Annotated[Caller, Depends(Needs("manage"))]
"""A caller who may change things."""
Searcher = Annotated[Caller, Depends(Needs("search"))]
"""A caller who may search and ask."""
Reader = Annotated[Caller, Depends(Needs("read"))]
"""A caller who may read documents."""
CitationReader = Annotated[Caller, Depends(Needs("read", visitors=True))]
"""A caller who may read citations: a key, or a visitor with grants."""


def visitor_only(caller: Annotated[Caller, Depends(Needs("search", visitors=True))]) -> Caller:
    """Return a visitor.

    Raises:
        ForbiddenError: the caller is a key, which asks an agent by its id.
    """
    if caller.visitor is None:
        msg = "This is for visitors' tokens; a key asks at `/api/agents/{agent_id}/ag-ui`."
        raise ForbiddenError(msg)
    return caller


VisitorOnly = Annotated[Caller, Depends(visitor_only)]
"""A visitor of an embed."""
