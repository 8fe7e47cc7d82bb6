"""The result of each row, and the file that keeps them: what is done is written out, and never done again."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from pincite.core.errors import InputError
from pincite.core.given import refuse
from pincite.core.verdicts import SupportVerdict
from pincite.evaluation.metrics import AnswerMetrics
from pincite.evaluation.rows import LABELS, AnswerRow, ClaimRow

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """The metrics of the answer in line `line`.

    `is_unread` says that it has something like a marker, and nothing that could be read as one.
    """

    line: int
    id: str | None
    system: str
    metrics: AnswerMetrics
    is_unread: bool = False


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """What the method said of the claim in line `line`, and what people said: `label` as written, `gold` its meaning.

    `score` is the method's own, None where it gives none. Without `has_evidence` there was nothing to ask about.
    """

    line: int
    id: str | None
    system: str
    label: str
    gold: SupportVerdict
    verdict: SupportVerdict
    score: float | None = None
    has_evidence: bool = True


def fits(result: AnswerResult | ClaimResult, row: AnswerRow | ClaimRow) -> bool:
    """Say whether a result is that of a row: of its kind, in its place, with its names and label."""
    if (result.line, result.id, result.system) != (row.line, row.id, row.system):
        return False
    if isinstance(row, AnswerRow):
        return isinstance(result, AnswerResult)
    has_evidence = any(text.strip() for text in row.evidence)
    return isinstance(result, ClaimResult) and (result.label, result.gold, result.has_evidence) == (
        row.label,
        row.gold,
        has_evidence,
    )


def result_of(record: Mapping[str, Any]) -> AnswerResult | ClaimResult:
    """Return what counts of a result that was written out, now or by an earlier run.

    Raises:
        KeyError, TypeError, AttributeError, ValueError, OverflowError: it is none.
    """
    line, name, system = record["line"], record["id"], record["system"]
    if type(line) is not int or not isinstance(system, str) or not isinstance(name, str | None):
        raise _not_ours()
    if record["kind"] == "answer":
        metrics, is_unread = AnswerMetrics.of_dict(record["metrics"]), record["is_unread"]
        if not isinstance(is_unread, bool) or metrics.as_dict() != record["metrics"]:
            raise _not_ours()
        return AnswerResult(line, name, system, metrics, is_unread)
    label, gold, has_evidence = record["label"], SupportVerdict(record["gold"]), record["has_evidence"]
    check, score = record["check"], record["check"]["score"]
    if LABELS.get(label.casefold()) is not gold or not isinstance(has_evidence, bool):
        raise _not_ours()
    if score is not None and (isinstance(score, bool) or not isfinite(score)):
        raise _not_ours()
    verdict = SupportVerdict(check["support_verdict"])
    return ClaimResult(
        line, name, system, label, gold, verdict, None if score is None else float(score), has_evidence
    )


def _not_ours() -> ValueError:
    return ValueError("This is no result.")


@dataclass(frozen=True, slots=True)
class Kept:
    """The results of earlier runs by their keys, and the file to which new ones are added."""

    known: dict[str, AnswerResult | ClaimResult]
    file: TextIO | None = None

    def add(self, line: str) -> None:
        """Add the line of a result, so that a run that is stopped now has it."""
        if self.file is None:
            return
        try:
            self.file.write(line + "\n")
            self.file.flush()
        except OSError as error:
            raise _refused(error) from error


@contextmanager
def kept_results(path: Path, out: str | Path | None) -> Generator[Kept]:
    """Read what `out` holds already, and open it for more.

    Raises:
        InputError: it cannot be read or written, is the file to evaluate, or holds something else.
    """
    if out is None:
        yield Kept({})
        return
    if not isinstance(out, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        refuse(out, "out", "a path")
    target = Path(out)
    try:
        is_same = target.resolve() == path.resolve()
        known, is_torn = _read(target) if target.is_file() and not is_same else ({}, False)
        file = None if is_same else target.open("a", encoding="utf-8", newline="\n")
    except InputError:
        raise
    except ValueError as error:  # no system has such a name
        msg = "`out` has a character that no name of a file may have."
        raise InputError(msg, field="out") from error
    except OSError as error:
        raise _refused(error) from error
    if file is None:
        msg = "The results cannot be written into the file that is evaluated."
        raise InputError(msg, field="out")
    with file:
        if is_torn:
            file.write("\n")
        yield Kept(known, file)


def _read(target: Path) -> tuple[dict[str, AnswerResult | ClaimResult], bool]:
    """Return the results in a file, and whether its last line was torn off by a process that was stopped.

    A line that is no result is passed over: its row is done again.

    Raises:
        InputError: it has whole lines, and none of them is, or was, a result.
    """
    known: dict[str, AnswerResult | ClaimResult] = {}
    whole = ours = 0
    line = "\n"
    with target.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            whole += line.endswith("\n")
            try:
                record = cast("dict[str, Any]", json.loads(line))
                ours += record["kind"] in ("answer", "claim")
                known[str(record["row"])] = result_of(record)
            except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
                continue
    if whole and not ours:
        msg = f"{target.name[:80]!r} holds something else than results; name another file for them."
        raise InputError(msg, field="out")
    return known, not line.endswith("\n")


def _refused(error: OSError) -> InputError:
    reason = (error.strerror or "the system refused").lower()
    return InputError(f"The results cannot be kept: {reason}.", field="out")
