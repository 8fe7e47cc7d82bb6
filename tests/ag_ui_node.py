"""The official client of AG-UI with the Node that runs it, put into `.venv` once a lock file.

python tests/ag_ui_node.py    get it now, so that no test has to
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import node_packages
from node_packages import AbsentError

HERE = Path(__file__).resolve().parent / "protocols" / "ag_ui" / "node"


@dataclass(frozen=True)
class OfficialClient:
    """The official client: the Node that runs it, and the folder that it is installed in."""

    node: Path
    home: Path

    @property
    def package(self) -> Path:
        """The folder of the package."""
        return self.home / "node_modules" / "@ag-ui" / "client"

    def run(self, given: dict[str, Any]) -> dict[str, Any]:
        """Let it ask an endpoint; return the messages, the state, and what came of the events."""
        return self._said("run.mjs", given)

    def refused(self, streams: list[list[dict[str, Any]]]) -> list[str | None]:
        """Return what it would refuse of each stream, None where it takes it."""
        return self._said("verify.mjs", streams)

    def _said(self, program: str, given: Any) -> Any:
        done = subprocess.run(
            [str(self.node), str(HERE / program), str(self.package)],
            input=json.dumps(given),
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def installed() -> OfficialClient:
    """Return the official client; npm gets it where it is not there yet.

    Raises:
        AbsentError: there is no Node, or npm does not get it.
    """
    return OfficialClient(*node_packages.installed(HERE, "ag-ui", "@ag-ui/client"))


if __name__ == "__main__":
    try:
        installed()
    except AbsentError as absent:
        # The tests that need it say so themselves, and fail where everything is required.
        print(absent, file=sys.stderr)
