"""The door for a terminal: `pincite`, and `run`, which the console script calls."""

from __future__ import annotations

import sys
from importlib import import_module

__all__ = ["run"]

_MISSING = "pincite: the command line needs the extra `cli`: pip install 'pincite[cli]'."


def run() -> None:
    """Run the command line on the process's own arguments and exit with its code (2 without the extra `cli`)."""
    try:
        for needed in ("platformdirs", "rich", "typer"):
            import_module(needed)
    except ImportError:
        sys.stderr.write(_MISSING + "\n")
        sys.exit(2)
    from pincite.cli.main import main

    sys.exit(main(sys.argv[1:]))
