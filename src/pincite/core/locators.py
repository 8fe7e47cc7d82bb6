"""Where a person looks for a passage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Locator:
    """A place in a source, as far as its format knows one; every field may be absent.

    `page` is the physical number (1 is the first), `page_label` what is printed on it, `headings` the trail
    from the outermost heading in, `line` and `line_end` lines of a text file (1 is the first).
    """

    page: int | None = None
    page_end: int | None = None
    page_label: str | None = None
    headings: tuple[str, ...] = ()
    line: int | None = None
    line_end: int | None = None

    @property
    def section(self) -> str | None:
        """The innermost heading."""
        return self.headings[-1] if self.headings else None

    def describe(self) -> str:
        """Say the place in a few words: `page 4, Expenses`; empty when nothing is known."""
        parts: list[str] = []
        if self.page is not None:
            name = f"page {self.page}"
            if self.page_end is not None and self.page_end != self.page:
                name = f"pages {self.page}-{self.page_end}"
            if self.page_label is not None and self.page_label != str(self.page):
                name += f" (printed {self.page_label})"
            parts.append(name)
        elif self.page_label is not None:
            parts.append(f"page {self.page_label}")
        elif self.line is not None:
            last = self.line_end if self.line_end is not None else self.line
            parts.append(f"line {self.line}" if last == self.line else f"lines {self.line}-{last}")
        if self.section:
            parts.append(self.section)
        return ", ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields that are known, as JSON holds them."""
        known: dict[str, Any] = {
            "page": self.page,
            "page_end": self.page_end,
            "page_label": self.page_label,
            "headings": list(self.headings) or None,
            "line": self.line,
            "line_end": self.line_end,
        }
        return {name: value for name, value in known.items() if value is not None}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Locator:
        """Build a locator from what `as_dict` made."""
        known: dict[str, Any] = {**data, "headings": tuple(data.get("headings", ()))}
        return cls(**known)
