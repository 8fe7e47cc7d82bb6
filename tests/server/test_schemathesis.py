"""The application answers what its OpenAPI says, whatever is sent: schemathesis makes the requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi import checks

from pincite.core.limits import Limits
from pincite.core.settings import Settings
from pincite.server import LOCAL, Service, build_app
from server_parts import HANDBOOK

if TYPE_CHECKING:
    from collections.abc import Iterator

# Requests of one kind for each operation; `make test-long` sends more.
EXAMPLES = 12
# What an OpenAPI can say of a text is less than what is asked of it: an address, a scope, a name that is in use.
UNTOLD: Any = vars(checks)["positive_data_acceptance"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a document in it, and limits that nobody reaches here."""
    limits = Limits(key_requests=10**6, session_requests=10**6)
    home = tmp_path_factory.mktemp("schemathesis") / "home"
    with Service(home, settings=Settings(), limits=limits) as found:
        yield found


@pytest.fixture(scope="module")
def headers(service: Service) -> dict[str, str]:
    """A key that opens everything, so that requests get past the door."""
    _, key = service.desk(LOCAL).keys.create("schemathesis", ["manage"])
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture(scope="module")
def api(service: Service, headers: dict[str, str]) -> Any:
    """The schema as the application gives it, with its application under it."""
    app = build_app(service)
    with TestClient(app) as client:
        made = client.post("/api/manage/collections", json={"name": "handbook"}, headers=headers)
        client.post(
            f"/api/manage/collections/{made.json()['collection_id']}/documents",
            files={"files": ("handbook.md", HANDBOOK.encode())},
            headers=headers,
        )
    while service.work_once():
        pass
    return schemathesis.openapi.from_asgi("/openapi.json", app)


def test_no_request_makes_the_server_fail(api: Any, headers: dict[str, str]) -> None:
    """No request makes the server fail."""
    failed: list[str] = []
    for found in api.get_all_operations():
        operation = found.ok()
        if operation.path.endswith("/events"):
            continue  # they end when the job has ended; every other operation answers at once

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=[
                HealthCheck.too_slow,
                HealthCheck.filter_too_much,
                HealthCheck.data_too_large,
            ],
        )
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            case.call_and_validate(headers=headers, excluded_checks=[UNTOLD])

        try:
            check()
        except BaseExceptionGroup as error:
            failed.append(f"{operation.label}: {error.exceptions}")
        except Exception as error:  # noqa: BLE001 - whatever the checks raise is what is told
            failed.append(f"{operation.label}: {error}")
    assert not failed, "\n\n".join(failed)
