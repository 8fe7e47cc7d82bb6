"""A server over a library of its own, and those who ask it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from pincite.core.limits import Limits
from pincite.core.settings import Settings
from pincite.reading import ReadingPool
from pincite.search import MiniLM
from pincite.server import Service, build_app
from server_parts import Clock, Served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def clock() -> Clock:
    """The clock that the server goes by."""
    return Clock()


@pytest.fixture
def limits() -> Limits:
    """The limits of the server; a test may have its own."""
    return Limits()


@pytest.fixture(scope="session")
def pool() -> Iterator[ReadingPool]:
    """The workers that read and draw, one pool for all tests: starting them takes longer than most tests."""
    with ReadingPool() as found:
        yield found


@pytest.fixture(scope="session")
def embedder() -> MiniLM:
    """The embedder, for all tests."""
    return MiniLM()


@pytest.fixture
def served(
    tmp_path: Path, clock: Clock, limits: Limits, pool: ReadingPool, embedder: MiniLM
) -> Iterator[Served]:
    """A server with an empty library; jobs are done when a test says so."""
    service = Service(tmp_path / "home", settings=Settings(), limits=limits, clock=clock)
    service.pool, service.embedder = pool, embedder
    with service, TestClient(build_app(service), raise_server_exceptions=False) as client:
        yield Served(service, client, clock)
