"""xAI's Responses API: OpenAI's, with annotations that may have no offsets and a flat list of what was found."""

from __future__ import annotations

from pincite.providers._responses import Stream, read

__all__ = ["Stream", "read"]
