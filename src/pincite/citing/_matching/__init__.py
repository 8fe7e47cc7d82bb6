"""How sentences are matched to passages after the fact; `pincite.citing.deferred` is its face."""

from __future__ import annotations

__all__: list[str] = []
