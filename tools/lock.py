"""Pin every requirement with hashes, for every platform, and measure what the files download.

Run it as `make lock`; it needs uv. Pins that still fit stay as they are; with `--upgrade` all move. The files hold
neither an index nor a host: whoever installs uses the registry that their pip is set to.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

REQUIREMENTS = Path(__file__).resolve().parent.parent / "requirements"
# The file that is made, what goes in, and whether the package's extras go in too.
FILES: dict[str, tuple[list[str], bool]] = {
    "base": (["pyproject.toml"], False),
    "demo": (["pyproject.toml", "requirements/build.in"], True),
    "dev": (["pyproject.toml", "requirements/dev.in"], True),
}
OPTIONS = (
    "--universal",
    "--python-version=3.11",
    "--generate-hashes",
    "--no-annotate",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--quiet",
    "--custom-compile-command=make lock",
)


def main(upgrade: list[str]) -> int:
    """Compile `dev` first and the others under its pins, so that the smaller sets are part of the larger."""
    root = REQUIREMENTS.parent
    sizes: dict[str, int] = {}
    for name in ("dev", "demo", "base"):
        sources, extras = FILES[name]
        target = REQUIREMENTS / f"{name}.txt"
        command = ["uv", "pip", "compile", *sources, *OPTIONS, "--output-file", str(target)]
        command += ["--all-extras"] if extras else []
        command += [] if name == "dev" else ["--constraint", str(REQUIREMENTS / "dev.txt")]
        command += upgrade if name == "dev" else []
        subprocess.run(command, check=True, cwd=root, stdout=subprocess.DEVNULL)
        sizes[name] = megabytes(target)
        print(f"requirements/{name}.txt: {sizes[name]} MB to download")
    text = json.dumps(sizes, indent=2, sort_keys=True)
    (REQUIREMENTS / "download.json").write_text(text + "\n", encoding="utf-8")
    return 0


def megabytes(requirements: Path) -> int:
    """Return what `requirements` downloads on this machine, in MB (10^6 bytes), rounded up."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
        subprocess.run([*command, "-r", str(requirements), "-d", folder], check=True)
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
    return -(-size // 10**6)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
