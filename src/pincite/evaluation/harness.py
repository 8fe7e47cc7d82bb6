"""A file of answers or labelled claims, evaluated row by row: what is done is written out, and never done again."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pincite.checking import (
    AnswerCheck,
    check_answer,
    check_answer_async,
    check_support,
    check_support_async,
)
from pincite.checking.support import support_method
from pincite.core.errors import InputError, MissingExtraError, ModelFileError
from pincite.core.given import maybe, of_kind
from pincite.core.limits import DEFAULT, Limits
from pincite.core.verdicts import SupportVerdict
from pincite.evaluation._identity import identity_of, keys_of
from pincite.evaluation.classification import Confusion, auroc
from pincite.evaluation.expectations import Expectations
from pincite.evaluation.markers import resolve_row
from pincite.evaluation.metrics import AnswerMetrics, macro, measure, micro
from pincite.evaluation.results import AnswerResult, ClaimResult, fits, kept_results, result_of
from pincite.evaluation.rows import AnswerRow, ClaimRow, Fault, read_rows, readable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from pincite.checking import SupportCheck, SupportMethod
    from pincite.evaluation.markers import ResolvedRow

    Row = AnswerRow | ClaimRow
    Check = AnswerCheck | SupportCheck

AT_ONCE: Final = 8
"""Rows that a method that waits for somebody else is asked about at once; a stopped run loses these at most."""

_OF_ALL: Final = (MissingExtraError, ModelFileError)
"""Errors of a method that no row is to blame for, and that every row would meet."""


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
    def unread(self) -> int:
        """How many answers have something like a marker, and nothing that could be read as one."""
        return sum(one.is_unread for one in self.answers)

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
        answers = {
            "answers": len(self.answers),
            "unread": self.unread,
            "micro": self.micro.as_dict(),
            "macro": self.macro,
        }
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
    results that it holds already are taken from it, where line, version of pincite, limits and method are the same,
    the method's bars and model included. At most `limit` rows are read, and `progress` is called with the number of
    rows done. A method with `check_async` is asked about several rows at once, on an event loop of its own. A row that
    fails, for whatever reason, is a `Fault`.

    Raises:
        NotFoundError: there is no such file.
        InputError: a file cannot be read or written, both are the same, an argument is of another type, or there is
            no method of that name; or this is an event loop, and the method needs one.
        MissingExtraError, ModelFileError: as the method.
    """
    of_kind(limits, Limits, "limits", "the `Limits` of a call")
    support_method(method)  # there is a method of that name
    maybe(method_name, str, "method_name", "a string")
    name = method_name or (method if isinstance(method, str) else method.name)
    if limit is not None and (not isinstance(limit, int) or limit < 1):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = "`limit` is a number of rows, one or more."
        raise InputError(msg, field="limit")
    source = readable(path)
    # Models are read whole for it, which is worth it only where results are kept.
    key = keys_of(name, "" if out is None else identity_of(method), limits)
    results: list[AnswerResult | ClaimResult] = []
    faults: list[Fault] = []
    done = resumed = 0
    with ExitStack() as stack:
        kept = stack.enter_context(kept_results(source, out))
        asked = stack.enter_context(_Asked(method, limits))
        rows = islice(read_rows(source, limits=limits), limit)
        while batch := list(islice(rows, asked.at_once)):
            jobs: list[_Job] = []
            for row in batch:
                if isinstance(row, Fault):
                    faults.append(row)
                elif (known := kept.known.get(key(row))) is not None and fits(known, row):
                    results.append(known)
                    resumed += 1
                elif isinstance(job := _job(key(row), row, limits), Fault):
                    faults.append(job)
                else:
                    jobs.append(job)
            for job, check in zip(jobs, asked.ask(jobs), strict=True):
                made = _made(job, check, name)
                if isinstance(made, Fault):
                    faults.append(made)
                else:
                    kept.add(made.line)
                    results.append(made.result)
            done += len(batch)
            if progress is not None:
                progress(done)
    results.sort(key=lambda one: one.line)
    faults.sort(key=lambda one: one.line)
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


def _job(key: str, row: Row, limits: Limits) -> _Job | Fault:
    try:
        if isinstance(row, ClaimRow):
            return _Job(key, row, None)
        claiming = replace(row, text="") if row.is_declined else row
        return _Job(key, row, resolve_row(claiming, limits=limits))
    except Exception as error:  # noqa: BLE001 - whatever a row holds, it costs that row alone
        return Fault.of(row.line, error)


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

    def ask(self, jobs: Sequence[_Job]) -> Sequence[Check | Exception]:
        """Return the checks of the rows, in their order, and the errors of those that failed.

        Raises:
            MissingExtraError, ModelFileError: the method does not work at all.
        """
        runner = self._runner
        found = [self._check(one) for one in jobs] if runner is None else runner.run(self._check_all(jobs))
        for one in found:
            if isinstance(one, _OF_ALL):
                raise one
        return found

    async def _check_all(self, jobs: Sequence[_Job]) -> Sequence[Check | Exception]:
        return await asyncio.gather(*map(self._check_async, jobs))

    def _check(self, job: _Job) -> Check | Exception:
        row, found = job.row, job.resolved
        try:
            if isinstance(row, ClaimRow) or found is None:
                return check_support(*_asked(row), method=self._method, limits=self._limits)
            return check_answer(
                found.answer, found.passages, method=self._method, skipped=found.code, limits=self._limits
            )
        except Exception as error:  # noqa: BLE001 - a method is anybody's code
            return error

    async def _check_async(self, job: _Job) -> Check | Exception:
        row, found = job.row, job.resolved
        try:
            if isinstance(row, ClaimRow) or found is None:
                return await check_support_async(*_asked(row), method=self._method, limits=self._limits)
            return await check_answer_async(
                found.answer, found.passages, method=self._method, skipped=found.code, limits=self._limits
            )
        except Exception as error:  # noqa: BLE001 - the same
            return error


def _asked(row: Row) -> tuple[str, tuple[str, ...]]:
    return (row.claim, row.evidence) if isinstance(row, ClaimRow) else (row.text, ())


class _Made(NamedTuple):
    """The result of a row, and the line that keeps it."""

    result: AnswerResult | ClaimResult
    line: str


def _made(job: _Job, check: Check | Exception, method: str) -> _Made | Fault:
    """Return the result of a row, or why there is none."""
    if isinstance(check, Exception):
        return Fault.of(job.row.line, check)
    try:
        record = _record(job, check, method)
        return _Made(result_of(record), json.dumps(record))
    except Exception as error:  # noqa: BLE001 - a method may return anything
        return Fault.of(job.row.line, error)


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
        is_unread = job.resolved is not None and job.resolved.is_unread
        expects = row.expects if isinstance(row, AnswerRow) else None
        texts: Mapping[str, str] = {} if job.resolved is None else job.resolved.passages
        expected = Expectations.of(expects, check.answer, texts)
        record |= {
            "kind": "answer", "metrics": measure(check, expected).as_dict(), "is_unread": is_unread, "misses": misses
        }  # fmt: skip
    return {**record, "check": check.as_dict()}
