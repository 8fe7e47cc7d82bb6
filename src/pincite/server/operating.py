"""For whoever runs the server: that it lives, that it can serve, and its figures."""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Response

from pincite._version import __version__
from pincite.core.errors import PinciteError
from pincite.server._shapes import Shape
from pincite.server.access import Manager, Serving
from pincite.server.faults import described
from pincite.server.observing import metrics as figures

router = APIRouter(tags=["service"])


class Health(Shape):
    """That the server runs, and which version of it."""

    status: Literal["ok"] = "ok"
    version: str = __version__


class Readiness(Shape):
    """Whether the server can serve, and each part that it needs."""

    status: Literal["ready", "not_ready"]
    parts: dict[str, Literal["ok", "failed"]]


@router.get("/healthz", summary="Say that the server runs")
async def health() -> Health:
    """Say that the server runs."""
    return Health()


@router.get(
    "/readyz",
    summary="Say whether it can serve",
    responses={503: {"model": Readiness, "description": "A part cannot be reached."}},
)
def ready(service: Serving, response: Response) -> Readiness:
    """Say whether the database and the file store answer. Nothing of what they hold is said."""
    parts: dict[str, Any] = {}
    for name, look in (("database", service.root.head), ("files", service.root.files.check)):
        try:
            look()
            parts[name] = "ok"
        except PinciteError:
            parts[name] = "failed"
    well = all(state == "ok" for state in parts.values())
    response.status_code = 200 if well else 503
    return Readiness(status="ready" if well else "not_ready", parts=parts)


@router.get(
    "/metrics",
    summary="Figures for Prometheus",
    response_class=Response,
    responses={
        200: {"description": "Figures.", "content": {"text/plain": {"schema": {"type": "string"}}}},
        **described(401, 403, 429, 503),
    },
)
def metrics(caller: Manager) -> Response:  # noqa: ARG001 - asking for it is what checks it
    """Give counts and times, for whoever has a key with the scope `manage`."""
    data, media_type = figures()
    return Response(data, media_type=media_type)
