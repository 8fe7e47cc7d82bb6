"""What an operator sees: figures for Prometheus, spans for OpenTelemetry, and one line of log a request.

None of it holds a text, a question, an id of a document or an address: counts, times and the names of routes alone.
"""

from __future__ import annotations

import logging
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import structlog
from opentelemetry import trace
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from pincite._version import __version__

if TYPE_CHECKING:
    from collections.abc import Generator

REGISTRY: Final = CollectorRegistry(auto_describe=True)
"""Our own figures, apart from those of other libraries in the process."""

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_requests: Final = Counter(
    "pincite_requests", "Requests answered.", ("method", "route", "status"), registry=REGISTRY
)
_latency: Final = Histogram(
    "pincite_request_seconds", "Seconds of a request.", ("route",), buckets=_SECONDS, registry=REGISTRY
)
_searches: Final = Counter(
    "pincite_searches", "Searches, by what came of them.", ("outcome",), registry=REGISTRY
)
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_log: Final = structlog.get_logger("pincite.server")
_tracer: Final = trace.get_tracer("pincite.server", __version__)


@dataclass(slots=True)
class Observed:
    """What is known of a request when it ends."""

    method: str
    route: str = ""
    status: int = 0
    caller: str = ""


def observe(seen: Observed, request_id: str, seconds: float) -> None:
    """Count a request and write its line."""
    # A route is one of ours, never what was asked for: nobody can make up a new time series.
    route = seen.route or "unknown"
    method = seen.method if seen.method in _METHODS else "other"
    _requests.labels(method, route, str(seen.status)).inc()
    _latency.labels(route).observe(seconds)
    _log.info(
        "request",
        method=method,
        route=route,
        status=seen.status,
        ms=round(seconds * 1000, 1),
        caller=seen.caller or None,
        request_id=request_id,
    )


def count_search(*, scored: bool, broadened: bool, rows: int) -> None:
    """Count a search by what came of it."""
    outcome = "empty" if not rows else "unscored" if not scored else "broadened" if broadened else "found"
    _searches.labels(outcome).inc()


@contextmanager
def span(name: str, **counts: float | bool) -> Generator[Any, None, None]:
    """Trace a step; of it are kept its name, its time and counts."""
    with _tracer.start_as_current_span(f"pincite.{name}") as current:
        for key, value in counts.items():
            current.set_attribute(f"pincite.{key}", value)
        yield current


def metrics() -> tuple[bytes, str]:
    """Return the figures as Prometheus reads them, and their media type."""
    return generate_latest(REGISTRY), CONTENT_TYPE_LATEST


class _Told(logging.Handler):
    """Hands on what the layers below tell, which know no structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one event."""
        structlog.get_logger(record.name).log(record.levelno, record.getMessage())


_TOLD: Final = _Told(logging.WARNING)


def set_up_log(*, json: bool = True) -> None:
    """Write the log to standard error, a line of JSON an event, or of text for a person."""
    import sys

    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: Any = structlog.processors.JSONRenderer() if json else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.getLogger("pincite").addHandler(_TOLD)
