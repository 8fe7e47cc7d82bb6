"""The AI SDK with the Node that runs it, put into `.venv` once a lock file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import node_packages

HERE = Path(__file__).parent


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
    return AiSdk(*node_packages.installed(HERE / "node", "ai-sdk", "ai"))
