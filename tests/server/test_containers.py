"""`Dockerfile` and `compose.yaml`: what can be told of them without a container engine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from pincite.core.limits import PREFIX as LIMIT
from pincite.core.settings import SETTINGS

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def compose() -> dict[str, Any]:
    """The compose file."""
    return dict(yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8")))


@pytest.fixture
def docker() -> list[str]:
    """The instructions of the Dockerfile, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def test_every_setting_in_the_compose_file_is_one_that_there_is(compose: dict[str, Any]) -> None:
    """A setting that the compose file names and that there is not would be passed over in silence."""
    named = {
        name
        for service in compose["services"].values()
        for name in service.get("environment", {})
        if name.startswith("PINCITE_")
    }
    assert named
    assert {name for name in named if name not in SETTINGS and not name.startswith(LIMIT)} == set()


def test_two_nodes_and_two_workers_share_one_database_one_bucket_and_one_secret(
    compose: dict[str, Any],
) -> None:
    """Two nodes and two workers share one database, one bucket and one secret, and only workers read documents."""
    parts = {
        name: compose["services"][name]["environment"]
        for name in ("node-1", "node-2", "worker-1", "worker-2")
    }
    for name in ("PINCITE_DATABASE", "PINCITE_FILES", "PINCITE_SECRET"):
        assert len({part[name] for part in parts.values()}) == 1
    assert [part["PINCITE_WORKERS"] for part in parts.values()] == ["0", "0", "2", "2"]


def test_no_image_floats_and_every_volume_is_declared(compose: dict[str, Any]) -> None:
    """An image has a version, and a volume that a service names is declared."""
    for name, service in compose["services"].items():
        if "build" not in service:
            assert re.search(r":[^:]*\d", service["image"]), name
            assert not service["image"].endswith(":latest")
        for volume in service.get("volumes", ()):
            assert volume.split(":")[0] in compose["volumes"], name
        for other in service.get("depends_on", ()):
            assert other in compose["services"]


def test_the_image_runs_as_nobody_and_tells_its_health(docker: list[str]) -> None:
    """The image runs as a user of its own, tells whether it can serve, and takes what is pinned."""
    users = [line.split()[1] for line in docker if line.startswith("USER ")]
    assert users
    assert users[-1] not in ("0", "root")
    assert any("/readyz" in line for line in docker if line.startswith("HEALTHCHECK"))
    assert any("--require-hashes" in line for line in docker)
    assert docker[-1].startswith("CMD [")
    assert docker[-2].startswith("ENTRYPOINT [")
    for line in docker:
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (ROOT / source).exists(), source


def test_what_the_image_needs_is_not_kept_from_it(docker: list[str]) -> None:
    """What the Dockerfile copies is among what `.dockerignore` lets through."""
    let = {
        line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").split() if line[0] == "!"
    }
    copied = {
        source
        for line in docker
        if line.startswith("COPY ") and "--from" not in line
        for source in line.split()[1:-1]
    }
    assert copied <= let
