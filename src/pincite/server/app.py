"""The HTTP application: the rooms behind one guard, one error shape, one rule of access."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.routing import APIRoute

from pincite._version import __version__
from pincite.core.settings import Settings
from pincite.server import (
    ag_ui,
    agents,
    asking,
    checks,
    citations,
    collections,
    conversations,
    documents,
    embed,
    faults,
    jobs,
    keys,
    operating,
    packages,
    scores,
    search,
    static,
)
from pincite.server.guard import Guard
from pincite.server.heads import Heads
from pincite.server.service import Service

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

_ROUTERS = (
    operating,
    static,
    collections,
    scores,
    documents,
    jobs,
    search,
    citations,
    conversations,
    checks,
    agents,
    asking,
    ag_ui,
    packages,
    embed,
    keys,
)
_TAGS = [
    {"name": "collections", "description": "Named sets of documents, each with its own bar."},
    {"name": "documents", "description": "Files: added, listed, given back, put aside and erased."},
    {"name": "jobs", "description": "Work in the background."},
    {"name": "search", "description": "A question in, passages out."},
    {"name": "citations", "description": "A cited passage, and its page."},
    {"name": "conversations", "description": "What was asked and answered, with its citations."},
    {"name": "checks", "description": "The library's functions for people who are not in Python."},
    {"name": "agents", "description": "Stored agents, workflows and their embeds."},
    {"name": "packages", "description": "MOCA packages that agents may search."},
    {"name": "embed", "description": "What an embedded widget asks for."},
    {"name": "keys", "description": "API keys, and who read what."},
    {"name": "console", "description": "The page for people, in a browser."},
    {"name": "service", "description": "For whoever runs the server."},
]


def build_app(service: Service | None = None, *, work: bool | None = None) -> FastAPI:
    """Return the application over `service`; without one, over the library of `PINCITE_HOME`, opened at the start.

    `work` says whether jobs are worked on in this process; None is only where the application opens its own service.
    `/healthz`, `/readyz` and `/openapi.json` are open to everybody.

    Raises:
        SettingError: a setting or limit cannot be read.
        StoreError: the library cannot be opened.
    """
    own = service is None
    served = Service(home_of(Settings.from_env())) if service is None else service
    works = own if work is None else work

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        if works:
            served.start()
        try:
            yield
        finally:
            if own:
                served.close()

    app = FastAPI(
        title="pincite",
        version=__version__,
        description="Every sentence of an answer, traceable to the passage it came from.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        openapi_tags=_TAGS,
        responses=faults.described(408, 413, 422, 500, 503),
        # The framework's own spans would hold addresses and questions; ours hold counts (`observing`).
        telemetry={"tracing": False, "metrics": False, "logs": False},
        lifespan=lifespan,
        generate_unique_id_function=_operation,
    )
    app.state.service = served
    faults.install(app)
    for room in _ROUTERS:
        app.include_router(room.router)
    app.add_middleware(Heads)
    app.add_middleware(Guard, limits=served.limits)
    return app


def _operation(route: APIRoute) -> str:
    """Return the name of a route's operation in the OpenAPI: its room and its function, one for each path."""
    short = "_short" if route.path.startswith("/collections/") else ""
    methods = sorted(route.methods or ())
    method = "" if len(methods) == 1 else "".join(methods)
    return f"{route.tags[0]}_{route.name}{method}{short}"


def home_of(settings: Settings) -> Path:
    """Return the folder of the library that the settings name; the platform's data folder when they name none."""
    if settings.home is not None:
        return Path(settings.home).expanduser()
    import platformdirs

    return platformdirs.user_data_path("pincite", appauthor=False)
