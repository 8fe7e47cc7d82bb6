"""A file of answers or labelled claims, evaluated row by row: what is done is written out, and never done again."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TextIO, cast

from pincite._version import __version__
from pincite.checking import (
    AnswerCheck,
    check_answer,
    check_answer_async,
    check_support,
    check_support_async,
)
from pincite.core.errors import InputError, PinciteError
from pincite.core.given import refuse
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import SupportVerdict
from pincite.evaluation.classification import Confusion, auroc
from pincite.evaluation.metrics import AnswerMetrics, macro, measure, micro
from pincite.evaluation.rows import AnswerRow, ClaimRow, Fault, read_rows, readable, resolve_row

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from typing import Self

    from pincite.checking import SupportCheck, SupportMethod
    from pincite.evaluation.rows import ResolvedRow

    Row = AnswerRow | ClaimRow
    Check = AnswerCheck | SupportCheck

AT_ONCE: Final = 8
"""Rows that a method that waits for somebody else is asked about at once; a stopped run loses these at most."""


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """The metrics of the answer in line `line`."""

    line: int
    id: str | None
    system: str
    metrics: AnswerMetrics


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


@dataclass(frozen=True, slots=True)
class Summary:
    """What the results of some rows come to."""

    answers: tuple[AnswerResult, ...] = ()
    claims: tuple[ClaimResult, ...] = ()

    @property
    def micro(self) -> AnswerMetrics:
        """The metrics of all answers as if they were one."""
        return micro(one.metrics for one in self.answers)

    @property
    def macro(self) -> dict[str, dict[str, float | None]]:
        """The mean of each rate over the answers that have it."""
        return macro(one.metrics for one in self.answers)

    @property
    def judged(self) -> tuple[ClaimResult, ...]:
        """The claims that had evidence: of the others a method can say nothing."""
        return tuple(one for one in self.claims if one.has_evidence)

    @property
    def matrix(self) -> Confusion:
        """The labels as they were written against the verdicts of the method."""
        return Confusion.of((one.label, one.verdict.value) for one in self.judged)

    @property
    def confusion(self) -> Confusion:
        """The meanings of the labels against the verdicts: what accuracy and F1 are taken of.

        Where no label is `contradicted`, that verdict is counted as `unsupported`.
        """
        knows = any(one.gold is SupportVerdict.CONTRADICTED for one in self.judged)
        fold = {} if knows else {SupportVerdict.CONTRADICTED: SupportVerdict.UNSUPPORTED}
        return Confusion.of((one.gold.value, fold.get(one.verdict, one.verdict).value) for one in self.judged)

    @property
    def ranking(self) -> float | None:
        """How often a claim labelled as supported scores over another (AUROC); 0.5 is chance.

        None where the method gives no scores, or all claims are of one kind.
        """
        scored = [
            (one.score, one.gold is SupportVerdict.SUPPORTED) for one in self.judged if one.score is not None
        ]
        return auroc(
            [score for score, supported in scored if supported],
            [score for score, supported in scored if not supported],
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON holds them; None for answers or claims where there are none."""
        answers = {"answers": len(self.answers), "micro": self.micro.as_dict(), "macro": self.macro}
        claims = {
            "claims": len(self.claims),
            "without_evidence": len(self.claims) - len(self.judged),
            "matrix": self.matrix.as_dict()["matrix"],
            "measures": self.confusion.as_dict(),
            "ranking": self.ranking,
        }
        return {"answers": answers if self.answers else None, "claims": claims if self.claims else None}


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All results of a file, in the order of its lines, and the lines that could not be used.

    `method` is what told support, and `resumed` how many results were there from an earlier run.
    """

    method: str
    answers: tuple[AnswerResult, ...] = ()
    claims: tuple[ClaimResult, ...] = ()
    faults: tuple[Fault, ...] = ()
    resumed: int = 0

    @property
    def summary(self) -> Summary:
        """The figures of all rows."""
        return Summary(self.answers, self.claims)

    @property
    def systems(self) -> dict[str, Summary]:
        """The figures of each system, by its name ("" where a row names none), sorted."""
        names = sorted({one.system for one in (*self.answers, *self.claims)})
        return {
            name: Summary(
                tuple(one for one in self.answers if one.system == name),
                tuple(one for one in self.claims if one.system == name),
            )
            for name in names
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON holds them, without the single results."""
        return {
            "method": self.method,
            "resumed": self.resumed,
            "faults": [one.as_dict() for one in self.faults],
            **self.summary.as_dict(),
            "systems": {name: one.as_dict() for name, one in self.systems.items()},
        }


def evaluate(
    path: str | Path,
    *,
    method: str | SupportMethod = "lexical",
    method_name: str | None = None,
    out: str | Path | None = None,
    limit: int | None = None,
    progress: Callable[[int], None] | None = None,
    limits: Limits = DEFAULT,
) -> Evaluation:
    """Evaluate the answers and labelled claims of a file, one JSON object a line (`AnswerRow`, `ClaimRow`).

    `method` is as for `check_support`; `method_name` tells it from others of its kind in what is written out, such
    as a model's path, and is its name when None. `out` is a file to which each result is added as a line of JSON; the
    results that it holds already, of the same line, method and version of pincite, are taken from it. At most `limit`
    rows are read, and `progress` is called with the number of rows done. A method with `check_async` is asked about
    several rows at once, on an event loop of its own.

    Raises:
        NotFoundError: there is no such file.
        InputError: a file cannot be read or written, both are the same, an argument is of another type, or there is
            no method of that name; or this is an event loop, and the method needs one.
        MissingExtraError, ModelFileError: as the method.
    """
    check_support("", (), method=method, limits=limits)  # there is a method of that name
    name = method_name or (method if isinstance(method, str) else method.name)
    if limit is not None and (not isinstance(limit, int) or limit < 1):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = "`limit` is a number of rows, one or more."
        raise InputError(msg, field="limit")
    source = readable(path)
    results: list[AnswerResult | ClaimResult] = []
    faults: list[Fault] = []
    done = resumed = 0
    with ExitStack() as stack:
        kept = stack.enter_context(_kept(source, out))
        asked = stack.enter_context(_Asked(method, limits))
        rows = islice(read_rows(source, limits=limits), limit)
        while batch := list(islice(rows, asked.at_once)):
            jobs: list[_Job] = []
            for row in batch:
                if isinstance(row, Fault):
                    faults.append(row)
                elif (known := kept.known.get(key := _key(row, name))) is not None:
                    results.append(known)
                    resumed += 1
                elif isinstance(job := _job(key, row), Fault):
                    faults.append(job)
                else:
                    jobs.append(job)
            for job, check in zip(jobs, asked.ask(jobs), strict=True):
                record = _record(job, check, name)
                kept.add(record)
                results.append(_result(record))
            done += len(batch)
            if progress is not None:
                progress(done)
    results.sort(key=lambda one: one.line)
    return Evaluation(
        name,
        tuple(one for one in results if isinstance(one, AnswerResult)),
        tuple(one for one in results if isinstance(one, ClaimResult)),
        tuple(faults),
        resumed,
    )


class _Job(NamedTuple):
    """A row that is to be asked about, under the key of its result; an answer with its markers looked up."""

    key: str
    row: Row
    resolved: ResolvedRow | None


def _job(key: str, row: Row) -> _Job | Fault:
    try:
        return _Job(key, row, resolve_row(row) if isinstance(row, AnswerRow) else None)
    except PinciteError as error:
        return Fault(row.line, error.message)


def _key(row: Row, method: str) -> str:
    """Return what a result is found again by: another line, method or version makes another result."""
    return sha256(json.dumps([__version__, method, row.line, row.digest]).encode()).hexdigest()


class _Asked:
    """Asks a method about rows: one by one, or several at once where it waits for somebody else."""

    __slots__ = ("_limits", "_method", "_runner", "at_once")

    def __init__(self, method: str | SupportMethod, limits: Limits) -> None:
        self._method = method
        self._limits = limits
        self._runner: asyncio.Runner | None = None
        self.at_once = 1

    def __enter__(self) -> Self:
        if not hasattr(self._method, "check_async"):
            return self
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self._runner = asyncio.Runner()
            self.at_once = AT_ONCE
            return self
        msg = "In an event loop, run `evaluate` in a thread: this method needs a loop of its own."
        raise InputError(msg, field="method")

    def __exit__(self, *_: object) -> None:
        if self._runner is not None:
            self._runner.close()

    def ask(self, jobs: Sequence[_Job]) -> Sequence[Check]:
        """Return the checks of the rows, in their order."""
        if self._runner is None:
            return [self._check(job) for job in jobs]
        return self._runner.run(self._check_all(jobs))

    async def _check_all(self, jobs: Sequence[_Job]) -> Sequence[Check]:
        return await asyncio.gather(*map(self._check_async, jobs))

    def _check(self, job: _Job) -> Check:
        row, found = job.row, job.resolved
        if isinstance(row, ClaimRow) or found is None:
            return check_support(*_asked(row), method=self._method, limits=self._limits)
        return check_answer(
            found.answer, found.passages, method=self._method, skipped=found.code, limits=self._limits
        )

    async def _check_async(self, job: _Job) -> Check:
        row, found = job.row, job.resolved
        if isinstance(row, ClaimRow) or found is None:
            return await check_support_async(*_asked(row), method=self._method, limits=self._limits)
        return await check_answer_async(
            found.answer, found.passages, method=self._method, skipped=found.code, limits=self._limits
        )


def _asked(row: Row) -> tuple[str, tuple[str, ...]]:
    return (row.claim, row.evidence) if isinstance(row, ClaimRow) else (row.text, ())


# --- What is written out ---


def _record(job: _Job, check: Check, method: str) -> dict[str, Any]:
    """Return the result of a row as it is written out."""
    row = job.row
    record: dict[str, Any] = {
        "row": job.key, "line": row.line, "id": row.id, "system": row.system, "method": method,
    }  # fmt: skip
    if isinstance(row, ClaimRow):
        has_evidence = any(text.strip() for text in row.evidence)
        record |= {"kind": "claim", "label": row.label, "gold": row.gold.value, "has_evidence": has_evidence}
    if isinstance(check, AnswerCheck):
        misses = [
            {"start": one.start, "end": one.end, "written": one.written, "reason": one.reason.value}
            for one in check.answer.misses
        ]
        record |= {"kind": "answer", "metrics": measure(check).as_dict(), "misses": misses}
    return {**record, "check": check.as_dict()}


def _result(record: Mapping[str, Any]) -> AnswerResult | ClaimResult:
    """Return what counts of a result that was written out, now or by an earlier run.

    Raises:
        KeyError, TypeError, ValueError: it is none.
    """
    line, name, system = record["line"], record["id"], record["system"]
    if not isinstance(line, int) or not isinstance(system, str) or not isinstance(name, str | None):
        msg = "This is no result."
        raise TypeError(msg)
    if record["kind"] == "answer":
        return AnswerResult(line, name, system, AnswerMetrics.of_dict(record["metrics"]))
    check, score = record["check"], record["check"]["score"]
    return ClaimResult(
        line,
        name,
        system,
        str(record["label"]),
        SupportVerdict(record["gold"]),
        SupportVerdict(check["support_verdict"]),
        None if score is None else float(score),
        bool(record["has_evidence"]),
    )


@dataclass(frozen=True, slots=True)
class _Kept:
    """The results of earlier runs by their keys, and the file to which new ones are added."""

    known: dict[str, AnswerResult | ClaimResult]
    file: TextIO | None = None

    def add(self, record: dict[str, Any]) -> None:
        """Add a result as one line, so that a run that is stopped now has it."""
        if self.file is None:
            return
        try:
            self.file.write(json.dumps(record) + "\n")
            self.file.flush()
        except OSError as error:
            raise _refused(error) from error


@contextmanager
def _kept(path: Path, out: str | Path | None) -> Generator[_Kept]:
    """Read what `out` holds already, and open it for more.

    Raises:
        InputError: it cannot be read or written, is the file to evaluate, or holds something else.
    """
    if out is None:
        yield _Kept({})
        return
    if not isinstance(out, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        refuse(out, "out", "a path")
    target = Path(out)
    if target.resolve() == path.resolve():
        msg = "The results cannot be written into the file that is evaluated."
        raise InputError(msg, field="out")
    try:
        known, is_torn = _read(target) if target.is_file() else ({}, False)
        file = target.open("a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise _refused(error) from error
    with file:
        if is_torn:
            file.write("\n")
        yield _Kept(known, file)


def _read(target: Path) -> tuple[dict[str, AnswerResult | ClaimResult], bool]:
    """Return the results in a file, and whether its last line was torn off by a process that was stopped.

    Raises:
        InputError: it has whole lines, and none of them is a result.
    """
    known: dict[str, AnswerResult | ClaimResult] = {}
    whole, line = 0, "\n"
    with target.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            whole += line.endswith("\n")
            try:
                record = cast("dict[str, Any]", json.loads(line))
                known[str(record["row"])] = _result(record)
            except (ValueError, LookupError, TypeError, RecursionError):
                continue  # it is done again
    if whole and not known:
        msg = f"{target.name[:80]!r} holds something else than results; name another file for them."
        raise InputError(msg, field="out")
    return known, not line.endswith("\n")


def _refused(error: OSError) -> InputError:
    reason = (error.strerror or "the system refused").lower()
    return InputError(f"The results cannot be kept: {reason}.", field="out")
