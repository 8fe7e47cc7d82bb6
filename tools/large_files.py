"""Refuse files over 512 kB: what is that large belongs in a package, or is made by a tool.

Looks at the files named as arguments, else at every file that git would take in.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MOST = 512 * 1024


def main(names: list[str]) -> int:
    """Name every file that is too large; return 1 when there is one."""
    if not names:
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listing = subprocess.run(command, check=True, capture_output=True).stdout
        names = [name for name in listing.decode().split("\0") if name]
    large = [name for name in names if Path(name).is_file() and Path(name).stat().st_size > MOST]
    for name in large:
        print(f"{name}: {Path(name).stat().st_size // 1024} kB is over {MOST // 1024} kB.")
    return 1 if large else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
