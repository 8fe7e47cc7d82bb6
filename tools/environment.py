"""Make the project's own environment in `.venv`; every `make` target begins here.

    python3 tools/environment.py demo     what `make demo` needs
    python3 tools/environment.py dev      what the tests and checks need
    python3 tools/environment.py debian   Debian's programs that some tests compare with, where that is possible

Running it again does nothing until a requirements file or `pyproject.toml` changes. The first lines must be readable
by any Python 3, so that an old one gets a sentence and no traceback.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
SIZES = ROOT / "requirements" / "download.json"
# Each set holds the ones after it, pin for pin (a test says so): who has `dev` has `demo`.
SETS = ("dev", "demo")
# Program that a test looks for, and the Debian package that has it.
DEBIAN = {
    "pdftotext": "poppler-utils",
    "curl": "curl",
    "jq": "jq",
    "file": "file",
    "chromium": "chromium",
    # The server itself under another name; the package of the server would start one with the machine.
    "redis-check-rdb": "redis-tools",
}


def main(wanted: str) -> int:
    """Bring the environment to what `wanted` needs; return the exit code."""
    if sys.version_info < OLDEST:
        found = f"{sys.version_info[0]}.{sys.version_info[1]}"
        return _fault(
            f"pincite needs Python 3.11 or newer and {sys.executable} is {found}: make PYTHON=python3.11 ..."
        )
    os.chdir(ROOT)
    if wanted == "debian":
        return _install_debian()
    if wanted not in SETS:
        return _fault(f"There is no environment {wanted!r}; there are {', '.join(SETS)} and debian.")
    if not PYTHON.exists() and not _make_venv():
        return _fault(
            "python3 -m venv failed. On Debian and Ubuntu `apt-get install python3-venv` mends that."
        )
    if not _has(wanted):
        _install(wanted)
    stamp = _stamp("pincite", "pyproject.toml")
    if not stamp.exists():
        _pip("install", "--quiet", "--no-deps", "--no-build-isolation", "--editable", ".")
        _leave(stamp)
    return 0


def _make_venv() -> bool:
    done = subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=False)
    return done.returncode == 0


def _install(wanted: str) -> None:
    sizes = json.loads(SIZES.read_text(encoding="utf-8"))
    size = sizes[wanted] - (sizes["demo"] if wanted != "demo" and _has("demo") else 0)
    print(
        f"First run only: this downloads about {size} MB of packages into .venv and takes a minute or two. "
        "Nothing is installed outside it.",
        flush=True,
    )
    _pip("install", "--quiet", "--require-hashes", "--requirement", f"requirements/{wanted}.txt")
    _leave(_stamp(wanted, f"requirements/{wanted}.txt"))


def _has(wanted: str) -> bool:
    sets = SETS[: SETS.index(wanted) + 1]
    return any(_stamp(name, f"requirements/{name}.txt").exists() for name in sets)


def _stamp(name: str, source: str) -> Path:
    """Return the file whose presence says that `source`, as it is now, has been installed."""
    digest = hashlib.sha256((ROOT / source).read_bytes()).hexdigest()
    return VENV / f"{name}-{digest[:16]}.stamp"


def _leave(stamp: Path) -> None:
    name = stamp.name.rpartition("-")[0]
    for old in VENV.glob(f"{name}-*.stamp"):
        old.unlink()
    stamp.touch()


def _pip(*arguments: str) -> None:
    environ = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
    subprocess.run([str(PYTHON), "-m", "pip", *arguments], check=True, env=environ)


def _install_debian() -> int:
    """Install the packages of `DEBIAN` that are absent; never fatal: the tests that miss one say so and skip."""
    absent = [package for program, package in DEBIAN.items() if shutil.which(program) is None]
    if not absent or shutil.which("apt-get") is None or not hasattr(os, "geteuid") or os.geteuid() != 0:
        return 0
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "--yes", "--no-install-recommends", *absent]):
        subprocess.run(["apt-get", "-qq", *step], check=False, env=environ, capture_output=True)
    return 0


def _fault(message: str) -> int:
    print(message, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "dev"))
