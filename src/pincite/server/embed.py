"""The two routes of an embedded widget: a publishable key in, a visitor's token out, and how the widget looks.

They are the only ones that take a publishable key (`kve_...`), and they take nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import Field

from pincite.core.errors import NotFoundError, UnknownCallerError
from pincite.core.highlight import HighlightPrecision, resolved_precision
from pincite.server._shapes import Asked, Shape, Text
from pincite.server.access import Serving, check_origin
from pincite.server.faults import described
from pincite.server.peers import peer_of

if TYPE_CHECKING:
    from pincite.library import Embed
    from pincite.server.service import Desk, Service

router = APIRouter(tags=["embed"], responses=described(401, 403, 422, 429, 503))

publishable = HTTPBearer(
    auto_error=False, scheme_name="publishable", description="A publishable key (`kve_...`)."
)


class SessionRequest(Asked):
    """A publishable key, and the handle of a visitor who was here before."""

    key: Text = Field(min_length=1, max_length=400)
    visitor_handle: Text | None = Field(default=None, max_length=400)


class SessionBody(Shape):
    """A visitor's token."""

    token: str = Field(description="Send it as the bearer token of the citation routes.")
    expires_in: int = Field(description="Seconds.")
    visitor_handle: str = Field(description="Send it with the next session, and old citations still open.")


class ConfigBody(Shape):
    """How the widget of an embed looks and behaves."""

    name: str
    greeting: str
    theme: dict[str, Any]
    highlight: HighlightPrecision = Field(description="After the embed's own setting over its agent's.")
    previews: bool = Field(description="Whether the preview panel opens.")


@router.post("/embed/v1/session", summary="Begin a visitor's session")
def session(service: Serving, request: Request, asked: SessionRequest) -> SessionBody:
    """Exchange a publishable key for a visitor's token."""
    _, embed = _embed(service, request, asked.key)
    handle = service.tokens.handle(embed.embed_id, asked.visitor_handle)
    return SessionBody(
        token=service.tokens.issue(embed.embed_id, handle),
        expires_in=service.tokens.seconds,
        visitor_handle=handle,
    )


@router.get("/embed/v1/config", summary="How the widget looks")
def config(
    service: Serving,
    request: Request,
    sent: Annotated[HTTPAuthorizationCredentials | None, Depends(publishable)],
) -> ConfigBody:
    """Return the settings of the embed that a publishable key belongs to."""
    desk, embed = _embed(service, request, "" if sent is None else sent.credentials)
    agent = desk.agents.one(embed.agent_id)
    return ConfigBody(
        name=embed.name,
        greeting=embed.greeting,
        theme=dict(embed.theme),
        highlight=resolved_precision(agent.highlight, embed.highlight),
        previews=embed.previews,
    )


def _embed(service: Service, request: Request, key: str) -> tuple[Desk, Embed]:
    """Return the embed of a publishable key.

    Raises:
        UnknownCallerError: there is none.
        ForbiddenError: the request is from a site that the embed does not name.
        TooManyError: the address has begun too many sessions.
    """
    address = peer_of(request, service.proxies)
    service.rates.count(f"session:{address}", service.limits.session_requests)
    found = service.directory.find(key) if key.startswith("kve_") else None
    if found is not None and found.kind == "embed":
        desk = service.desk(found.tenant)
        try:
            embed = desk.embeds.standing(found.id)
        except NotFoundError:
            pass
        else:
            check_origin(embed, request)
            request.state.caller = f"embed:{embed.embed_id}"
            return desk, embed
    msg = "Send the publishable key (`kve_...`) of an embed."
    raise UnknownCallerError(msg, field="key")
