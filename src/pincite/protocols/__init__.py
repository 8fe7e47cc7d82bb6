"""The doors for other people's agents: protocols that pincite speaks. Each is a package of its own, with its extra."""

from __future__ import annotations

__all__: list[str] = []
