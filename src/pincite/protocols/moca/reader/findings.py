"""What a Reader finds about a package: data with a stable code, never an exception.

The codes and their severities are those of the 0.4-era Reader contract; what a message says is for people.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.core.limits import Limits

# Code points of a message and of a file's name in it: both may hold what stands in a package.
_MESSAGE, _FILE = 300, 300
# The families whose errors make a package invalid.
_FATAL: Final = "TPMC"


class FindingSeverity(StrEnum):
    """How bad a finding is. An error of target, entries, manifest or content makes the package invalid."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


_E, _W, _I = FindingSeverity.ERROR, FindingSeverity.WARNING, FindingSeverity.INFO

CODES: Final = {
    "T001_TARGET_NOT_FOUND": _E,
    "T002_MANIFEST_NOT_FOUND": _E,
    "T003_ARCHIVE_REJECTED": _E,
    "P001_UNSUPPORTED_ENTRY": _E,
    "P002_UNREADABLE_ENTRY": _E,
    "P003_PATH_COLLISION": _E,
    "M001_MANIFEST_INVALID_JSON": _E,
    "M002_MANIFEST_SCHEMA": _E,
    "M003_NO_CONTENT": _E,
    "M004_UNKNOWN_KEY": _I,
    "M005_DUPLICATE_MEMBER": _E,
    "M006_VALIDITY_WINDOW_INVALID": _W,
    "M007_UNREGISTERED_URN": _I,
    "M008_DIGEST_V1_PACKAGE": _I,
    "C001_FRONTMATTER_MISSING": _E,
    "C002_FRONTMATTER_INVALID": _E,
    "C003_TYPE_MISSING": _E,
    "C004_RESERVED_FILE_INVALID": _E,
    "C005_FIELD_INVALID": _W,
    "C006_EVIDENCE_SOURCE_UNKNOWN": _W,
    "C007_LINK_UNRESOLVED": _W,
    "C008_UNSAFE_PATH": _E,
    "C009_LOCALE_ORPHAN": _W,
    "C010_VALIDITY_WINDOW_INVALID": _W,
    "C011_EVIDENCE_SELECTOR_UNMATCHED": _W,
    "A001_ATTESTATION_MALFORMED": _E,
    "A002_ATTESTATION_INVALID": _E,
    "A003_ATTESTATION_UNVERIFIABLE": _W,
    "A004_ATTESTATION_INDETERMINATE": _W,
    "A006_REVIEW_OUTDATED": _W,
    "R001_MEMBER_UNRESOLVED": _W,
    "R002_MEMBER_DIGEST_MISMATCH": _E,
    "R003_MEMBER_CYCLE": _E,
    "F001_PROFILE_UNRECOGNISED": _I,
}
"""Every code with its severity; `A004` is of checks that ask a network, so this Reader never finds it."""
_BY_SHORT: Final = {code.partition("_")[0]: code for code in CODES}


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: `code` is the contract, `file` is a path in the package, `line` counts from 1."""

    code: str
    severity: FindingSeverity
    message: str
    file: str | None = None
    line: int | None = None

    @property
    def is_error(self) -> bool:
        """Whether it is an error."""
        return self.severity is FindingSeverity.ERROR


class Findings:
    """The findings of one reading: the first `limits.moca_diagnostics` of them, and whether any was fatal.

    `strict` makes every warning an error, and leaves its code.
    """

    __slots__ = ("_kept", "_most", "_strict", "is_valid")

    def __init__(self, limits: Limits, *, strict: bool = False) -> None:
        self._kept: list[Finding] = []
        self._most = limits.moca_diagnostics
        self._strict = strict
        self.is_valid = True

    def add(self, short: str, message: str, file: str | None = None, line: int | None = None) -> None:
        """Add a finding by the short form of its code, as `C005`."""
        code = _BY_SHORT[short]
        severity = CODES[code]
        if self._strict and severity is FindingSeverity.WARNING:
            severity = FindingSeverity.ERROR
        if len(self._kept) >= self._most:
            # One more that nobody will read; whether the package is valid depends on it all the same.
            self.is_valid = self.is_valid and not (severity is FindingSeverity.ERROR and short[0] in _FATAL)
            return
        name = None if file is None else one_line(file[:_MESSAGE], _FILE)
        self.take((Finding(code, severity, one_line(message[: 4 * _MESSAGE], _MESSAGE), name, line),))

    def take(self, findings: Iterable[Finding]) -> None:
        """Add findings that were made before."""
        for finding in findings:
            if finding.is_error and finding.code[0] in _FATAL:
                self.is_valid = False
            if len(self._kept) < self._most:
                self._kept.append(finding)

    def kept(self) -> tuple[Finding, ...]:
        """Return the findings in order."""
        return tuple(self._kept)
