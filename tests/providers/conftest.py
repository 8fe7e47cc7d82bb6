"""What the tests of providers share."""

from __future__ import annotations

import sys
from pathlib import Path

# Tests here share how recordings are read; they import it by its own name.
sys.path.insert(0, str(Path(__file__).parent))
