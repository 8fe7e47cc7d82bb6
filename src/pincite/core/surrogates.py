"""Halves of characters: a string that holds a surrogate pair as two code points, or one half alone, has no bytes.

JSON may escape either half by itself (RFC 8259, section 8.2), so a text that came in pieces may be cut between them.
"""

from __future__ import annotations

from typing import Any, Final, cast

_FIRST_HALF: Final = ("\ud800", "\udbff")


def whole(text: str) -> str:
    """Return a text with the halves of each pair joined and lone halves as U+FFFD; one without halves as it is."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def whole_json(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a JSON value with `whole` strings and keys; what has no halves is the same object.

    Of two keys that are the same then, the later one stays. What is no JSON is as it is.

    Raises:
        RecursionError: it is nested deeper than Python reads.
    """
    if isinstance(value, str):
        return whole(value)
    if isinstance(value, dict):
        named = cast("dict[Any, Any]", value)
        mended = {
            (whole(name) if isinstance(name, str) else name): whole_json(item) for name, item in named.items()
        }
        return mended if _differ(named, mended) or _differ(named.values(), mended.values()) else named
    if isinstance(value, list):
        held = cast("list[Any]", value)
        items = [whole_json(item) for item in held]
        return items if _differ(held, items) else held
    return value


def _differ(given: Any, mended: Any) -> bool:  # noqa: ANN401 - two collections, read side by side
    """Say whether an entry is no longer the same object."""
    return len(given) != len(mended) or any(
        one is not other for one, other in zip(given, mended, strict=True)
    )


class Halves:
    """Joins the halves of characters over the pieces of one text: `feed` each as it comes, then `finish`.

    What both return, put together, is `whole` of the pieces put together, in any cutting.
    """

    __slots__ = ("_held",)

    def __init__(self) -> None:
        # The first half of a character, where the text so far ends in one.
        self._held = ""

    def feed(self, piece: str) -> str:
        """Return what is known to be whole now; a first half at the end waits for the next piece."""
        if not piece:
            return ""
        if self._held:
            piece = self._held + piece
            self._held = ""
        low, high = _FIRST_HALF
        if low <= piece[-1] <= high:
            self._held, piece = piece[-1], piece[:-1]
        return whole(piece)

    def finish(self) -> str:
        """Return what was waiting, as U+FFFD; empty where nothing was."""
        held, self._held = self._held, ""
        return whole(held)
