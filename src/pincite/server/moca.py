"""MOCA packages that the operator gives to the server's agents: opened once, and searched beside the collections.

What is read of them is told of by the event `moca.citations` alone, in the words of our Reader.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from pydantic import Field

from pincite.core.errors import PinciteError, SettingError
from pincite.server._shapes import Shape
from pincite.showing import numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pincite.citing import CitationRun
    from pincite.core.answer import Answer
    from pincite.core.limits import Limits
    from pincite.core.settings import Settings
    from pincite.protocols.moca import MocaCiter, MocaSource
    from pincite.protocols.moca.reader import Package, Search
    from pincite.server.turns import Turns

_LOG: Final = logging.getLogger("pincite.server")
MOCA: Final = "moca"
"""The name under which the value of `moca.citations` is kept with an answer."""
# What of a record are words of its package, and of the sources of that.
_EXCERPTS: Final = frozenset({"text", "evidence"})
_ARCHIVE, _MANIFEST = ".moca", "moca.json"
# What is told of one faulty package, at most.
_FINDINGS: Final = 20
# Bytes of a trust root: far more than the keys of a host have.
_TRUST_BYTES: Final = 1024 * 1024


class FindingBody(Shape):
    """What is wrong with a package, or odd."""

    code: str
    severity: str
    message: str
    file: str | None


class PackageBody(Shape):
    """A package of the server, or what is called one and cannot be searched."""

    name: str = Field(description="The name of its file or folder.")
    status: Literal["ready", "failed"]
    reason: str = Field(description="Why it is not searched; empty where it is.")
    package_id: str | None
    version: str | None
    digest: str | None
    title: str | None
    nodes: int
    signers: list[str] = Field(
        description="Whose signature of the package was verified by the server's trust root."
    )
    findings: list[FindingBody] = Field(description=f"The first {_FINDINGS}.")


@dataclass(frozen=True, slots=True)
class _Opened:
    search: Search
    told: tuple[PackageBody, ...]


class Packages:
    """The packages in the folder `PINCITE_MOCA`. They are opened when first asked for, and stay as they were then.

    Raises:
        SettingError: the folder is none, or the trust root cannot be read.
        MissingExtraError: the extra `moca` is not installed.
    """

    __slots__ = ("_audiences", "_clock", "_folder", "_limits", "_lock", "_opened", "_trust", "_turns")

    def __init__(
        self,
        folder: Path,
        *,
        trust: Path | None,
        audiences: frozenset[str],
        limits: Limits,
        turns: Turns,
        clock: Callable[[], float],
    ) -> None:
        """`trust` is the file with the trust root; `audiences` are the labels that readers may be shown.

        Each search takes one of `turns`; `clock` tells Unix time.
        """
        if not folder.is_dir():
            msg = "`PINCITE_MOCA` is a folder with MOCA packages; there is none of that name."
            raise SettingError(msg, field="PINCITE_MOCA")
        import_module("pincite.protocols.moca.reader")  # an extra that is missing is told of at the start
        self._folder = folder
        self._trust = None if trust is None else _trust_root(trust)
        self._audiences = audiences
        self._limits = limits
        self._turns = turns
        self._clock = clock
        self._lock = Lock()
        self._opened: _Opened | None = None

    @classmethod
    def of(
        cls, settings: Settings, limits: Limits, turns: Turns, clock: Callable[[], float]
    ) -> Packages | None:
        """Return the packages that the settings name, None where they name none.

        Raises:
            SettingError: one of the settings cannot be used.
            MissingExtraError: the extra `moca` is not installed.
        """
        if settings.moca is None:
            return None
        return cls(
            Path(settings.moca),
            trust=None if settings.moca_trust is None else Path(settings.moca_trust),
            audiences=frozenset(name.strip() for name in settings.moca_audiences.split(",") if name.strip()),
            limits=limits,
            turns=turns,
            clock=clock,
        )

    @property
    def told(self) -> tuple[PackageBody, ...]:
        """What is told of each package, in the order of their names."""
        return self._now_open().told

    def for_turn(self, run: CitationRun) -> PackagesOfTurn:
        """Return what one turn reads of the packages: presented through `run`, and cited out of its own ledger."""
        from pincite.protocols.moca import MocaCiter, MocaSource, RunLedger

        search = self._now_open().search
        ledger = RunLedger(loaded=search.library.digests, clock=search.library.now, limits=self._limits)
        # The search stands for the library too: what may not be shown cannot be read by its name either.
        source = MocaSource(run, search, library=search, ledger=ledger, limits=self._limits)
        return PackagesOfTurn(source, MocaCiter(ledger, limits=self._limits), self._turns, self._limits)

    def _now_open(self) -> _Opened:
        with self._lock:
            if self._opened is None:
                self._opened = self._open()
            return self._opened

    def _open(self) -> _Opened:
        from pincite.protocols.moca.reader import Library, Search, read_package

        library = Library(now=self._now, limits=self._limits)
        told: list[PackageBody] = []
        for path in self._found():
            package, reason = None, ""
            try:
                package = read_package(path, trust_root=self._trust, limits=self._limits, now=self._now)
                reason = "" if package.valid else "It is not valid: its findings say why."
                if package.valid:
                    library.add(package)
            except PinciteError as error:
                reason = error.message
            except OSError as error:
                reason = f"It cannot be read: {error.strerror or type(error).__name__}."
            told.append(_body(path.name, package, reason))
            if reason:
                _LOG.warning("The MOCA package %r is not searched: %s", path.name, _why(told[-1]))
        return _Opened(Search(library, audiences=self._audiences), tuple(told))

    def _found(self) -> list[Path]:
        """Return what is a package by its name, in order; whatever else lies in the folder is passed over."""
        return sorted(
            one
            for one in self._folder.iterdir()
            if not one.name.startswith(".") and (one.suffix == _ARCHIVE or (one / _MANIFEST).is_file())
        )

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock(), UTC)


class PackagesOfTurn:
    """What one turn reads of the packages, and how its answer's citations of them are told."""

    __slots__ = ("_limits", "_source", "_turns", "citer")

    def __init__(self, source: MocaSource, citer: MocaCiter, turns: Turns, limits: Limits) -> None:
        self._source = source
        self._turns = turns
        self._limits = limits
        self.citer = citer

    def find(self, question: str) -> list[dict[str, Any]]:
        """Search the packages, and return what the model sees of each record."""
        with self._turns.one():
            return self._source.search(question)

    def instructions(self, given: str) -> str:
        """Return what an agent is told, with what records are."""
        from pincite.protocols.moca import RULES

        return f"{given}\n\n{RULES}" if given else RULES

    def value(self, message_id: str, answer: Answer) -> dict[str, Any] | None:
        """Return the value of `moca.citations` of a message, as it was told where it was; None where there is none."""
        from pincite.protocols.citations_event import EndedMessage

        last = self.citer.last
        if last is None or not last.is_valid or last.value["messageId"] != message_id:
            self.citer.cite(EndedMessage(message_id, answer, numbered(answer, limits=self._limits)))
            last = self.citer.last
        return last.value if last is not None and last.is_valid else None


def without_excerpts(value: Any) -> Any:  # noqa: ANN401 - JSON as it was kept
    """Return the value of `moca.citations` without the words of its records: their text, and what they rest on.

    Both may be left out of a record, which stays one that the schema takes.
    """
    if not isinstance(value, dict):
        return None
    kept = cast("dict[str, Any]", value)
    entries = cast("list[dict[str, Any]]", kept.get("citations") or [])
    return {**kept, "citations": [{**entry, "record": _bare(entry["record"])} for entry in entries]}


def _bare(record: dict[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in record.items() if name not in _EXCERPTS}


def _trust_root(path: Path) -> Mapping[str, Any]:
    """Return the trust root in a file, once it was seen to be of its form."""
    try:
        from pincite.protocols.moca.reader import read_package

        with path.open("rb") as file:
            given: object = json.loads(file.read(_TRUST_BYTES))
        if not isinstance(given, dict):
            msg = '`PINCITE_MOCA_TRUST` is a file with an object of JSON: `{"keys": [...]}`.'
            raise SettingError(msg, field="PINCITE_MOCA_TRUST")
        root = cast("dict[str, Any]", given)
        read_package({}, trust_root=root)
    except (OSError, ValueError) as error:
        if isinstance(error, SettingError):
            raise
        why = error.message if isinstance(error, PinciteError) else "it cannot be read as JSON."
        msg = f"`PINCITE_MOCA_TRUST` is a file with a trust root: {why}"
        raise SettingError(msg, field="PINCITE_MOCA_TRUST") from error
    return root


def _body(name: str, package: Package | None, reason: str) -> PackageBody:
    manifest = None if package is None else package.manifest
    found = () if package is None else package.diagnostics[:_FINDINGS]
    return PackageBody(
        name=name,
        status="failed" if reason else "ready",
        reason=reason,
        package_id=None if manifest is None else manifest.id,
        version=None if manifest is None else manifest.version,
        digest=None if package is None else package.digest,
        title=None if manifest is None else manifest.title,
        nodes=0 if package is None else len(package.nodes),
        signers=[] if package is None else list(package.signers),
        findings=[
            FindingBody(code=one.code, severity=one.severity.value, message=one.message, file=one.file)
            for one in found
        ],
    )


def _why(one: PackageBody) -> str:
    codes = ", ".join(dict.fromkeys(each.code for each in one.findings if each.severity == "error"))
    return f"{one.reason} ({codes})" if codes else one.reason
