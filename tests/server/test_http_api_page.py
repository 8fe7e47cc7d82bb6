"""The page of routes names every route that there is, and the OpenAPI says what each may answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server_parts import Served

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "http-api.md"


def test_the_page_lists_every_route(served: Served) -> None:
    """The page lists every route."""
    text = PAGE.read_text(encoding="utf-8")
    paths = served.client.get("/openapi.json").json()["paths"]
    missing = [
        f"{method.upper()} {path}"
        for path, methods in paths.items()
        for method in methods
        if f"### `{method.upper()} {path}`" not in text
    ]
    assert missing == []


def test_every_error_has_the_one_shape(served: Served) -> None:
    """Every error has the one shape."""
    for path, methods in served.client.get("/openapi.json").json()["paths"].items():
        for method, route in methods.items():
            for status, reply in route["responses"].items():
                shape = reply.get("content", {}).get("application/json", {}).get("schema", {}).get("$ref", "")
                if status.startswith(("4", "5")) and path != "/readyz":
                    assert shape.endswith("/Fault"), (method, path, status)


def test_the_scale_of_the_bar_is_told(served: Served) -> None:
    """The scale of the bar is told."""
    shapes = served.client.get("/openapi.json").json()["components"]["schemas"]
    told = shapes["CollectionChange"]["properties"]["score_threshold"]
    number = next(one for one in told["anyOf"] if one["type"] == "number")
    assert (number["minimum"], number["maximum"]) == (-1, 1)
    assert "null follows the platform's default" in told["description"]
