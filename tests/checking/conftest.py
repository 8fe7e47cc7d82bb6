"""What the tests of checks share."""

from __future__ import annotations

import sys
from pathlib import Path

# Tables of cases stand beside the tests, which import them by their own name.
sys.path.insert(0, str(Path(__file__).parent))
