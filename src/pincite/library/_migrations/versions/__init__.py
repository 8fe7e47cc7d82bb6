"""One file a revision. What stands in it stays: libraries of its time are brought on by it."""

__all__: list[str] = []
