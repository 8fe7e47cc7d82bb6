"""Remarks on records and events: what is wrong, where, and whether something was left out for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

# Code points of a remark: it may say back what came in.
_MESSAGE, _PATH = 300, 200


class Severity(StrEnum):
    """What a remark is: something was refused or left out for it (`error`), or not (`warning`)."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A remark on a record or an event.

    `code` is stable, `message` is for people, `path` is a JSON Pointer (RFC 6901) to what it is about; both are one
    line without control or invisible characters, whatever came in.
    """

    code: str
    severity: Severity
    message: str
    path: str = ""

    @property
    def is_error(self) -> bool:
        """Whether something was refused or left out."""
        return self.severity is Severity.ERROR


def error(code: str, message: str, path: str = "") -> Diagnostic:
    """Return a remark on something that was refused."""
    return Diagnostic(code, Severity.ERROR, one_line(message, _MESSAGE), one_line(path, _PATH))


def warning(code: str, message: str, path: str = "") -> Diagnostic:
    """Return a remark on something that was taken all the same."""
    return Diagnostic(code, Severity.WARNING, one_line(message, _MESSAGE), one_line(path, _PATH))


class Remarks:
    """The remarks of one ledger or client: the first `limits.moca_diagnostics` of them, and how many there were."""

    __slots__ = ("_kept", "_most", "count")

    def __init__(self, limits: Limits = DEFAULT) -> None:
        self._kept: list[Diagnostic] = []
        self._most = limits.moca_diagnostics
        self.count = 0

    def add(self, remarks: Iterable[Diagnostic]) -> None:
        """Keep remarks as long as there is room; each is counted."""
        for remark in remarks:
            self.count += 1
            if len(self._kept) < self._most:
                self._kept.append(remark)

    def kept(self) -> tuple[Diagnostic, ...]:
        """Return the remarks in order."""
        return tuple(self._kept)
