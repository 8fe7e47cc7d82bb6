"""`pincite eval`: a file of answers or labelled claims, and how good their citations are, as a table or JSON."""

from __future__ import annotations

from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from pincite.cli.options import AsJson, InCollection, InLibrary
from pincite.cli.output import ExitCode, Output
from pincite.cli.workspace import Workspace
from pincite.core.errors import InputError
from pincite.core.limits import Limits
from pincite.core.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rich.progress import Progress

    from pincite.checking import SupportMethod
    from pincite.evaluation import Confusion, Evaluation, Summary

# What stands where there is nothing to take a share of.
_NOTHING: Final = "-"
_UNNAMED: Final = "(no name)"
# Lines that could not be used and are named one by one.
_NAMED_FAULTS: Final = 20
# Code points of a name that an error repeats, and columns between two of a table and of the least of a wrapped name.
_LONGEST_NAME: Final = 60
_GAP: Final = 2
# Code points of a question that failed, and why it did.
_LONGEST_QUESTION: Final = 120
_NOT_CITED: Final = "the right passage was found and not cited"
_NOT_FOUND: Final = "the right passage was not found"
_NOT_DECLINED: Final = "there is no answer, and something was cited"
_LEAST: Final = 12

# One row of the table of answers: what it is called, its group and rate, and what is counted (part, whole, of what).
_RATES: Final = (
    ("citation recall (ALCE)", "quality", "recall", ("recalled", "claims"), "claims"),
    ("citation precision (ALCE)", "quality", "precision", ("precise", "citations"), "citations"),
    ("citation F1 (ALCE)", "quality", "f1", (), ""),
    ("weighted recall (TREC)", "levels", "weighted_recall", (), "full 1, partial 0.5"),
    ("weighted precision (TREC)", "levels", "weighted_precision", (), "full 1, partial 0.5"),
    ("hard recall (TREC)", "levels", "hard_recall", ("claims_full", "claims"), "claims"),
    ("hard precision (TREC)", "levels", "hard_precision", ("citations_full", "citations"), "citations"),
    ("citation accuracy (FACT)", "accuracy", "accuracy", ("supported", "pairs"), "pairs"),
    ("effective citations (FACT)", "accuracy", "effective", (), "supported, an answer"),
    ("words a citation (LongCite)", "length", "mean_words", (), "shorter is better"),
    ("claims uncited", "shares", "uncited_share", ("uncited", "claims"), "claims"),
    ("claims contradicted", "shares", "contradicted_share", ("contradicted", "claims"), "claims"),
    ("claims unchecked", "shares", "unchecked_share", ("unchecked", "claims"), "claims"),
    ("better passage uncited", "shares", "better_share", ("better", "claims"), "claims"),
    ("citations of no claim", "shares", "unclaimed_share", ("unclaimed", "citations"), "citations"),
    ("right passage retrieved", "expected", "retrieved_share", ("retrieved", "answerable"), "questions"),
    ("right passage cited", "expected", "cited_share", ("cited", "answerable"), "questions"),
    ("coverage", "expected", "coverage", ("covered", "answerable"), "questions"),
    ("rightly declined", "expected", "declined_share", ("declined", "unanswerable"), "questions"),
    ("markers resolved", "markers", "resolution_rate", ("resolved", "resolved+missed"), "markers"),
    ("markers unknown", "markers", "unknown_rate", ("unknown", "resolved+missed"), "markers"),
)
_LARGE: Final = {"effective citations (FACT)", "words a citation (LongCite)"}
"""What is no share, and told with one decimal."""


_LEGEND: Final = (
    "pooled: all answers as if they were one. mean: the mean of the answers that have the figure. Figures of two "
    "runs compare only where the method was the same."
)
_LEGEND_OF_CLAIMS: Final = (
    "commonest: the accuracy of always giving the commonest label. ranking: how often a supported claim scores over "
    "another; 0.5 is chance."
)


class By(StrEnum):
    """What results are told apart by."""

    SYSTEM = "system"


def eval(  # noqa: A001 - a command is called as its function is
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="JSON lines: answers with `passages`, claims with `evidence` and a label, or (--ask) questions.",
            show_default=False,
        ),
    ],
    *,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="METHOD",
            help="How support is told: lexical, nli:FOLDER (a model in ONNX) or judge:MODEL.",
        ),
    ] = "lexical",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Add the result of each row to this file, as JSON lines; what it holds already is not done again.",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Evaluate the first rows only.")
    ] = None,
    by: Annotated[
        By | None, typer.Option("--by", help=f"Tell results apart by a field: {', '.join(By)}.")
    ] = None,
    ask: Annotated[
        Path | None,
        typer.Option(
            "--ask",
            metavar="ANSWERS",
            help="FILE holds questions: ask each, and keep the answers here; what is there is not asked again.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="NAME", help="With --ask: who answers, as `pincite ask --model`."),
    ] = None,
    collection: InCollection = None,
    library: InLibrary = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate answers by their citations, or a method by labelled claims. Only --ask reads a library."""
    from pincite.evaluation import evaluate

    output = Output(as_json=as_json)
    if ask is not None:
        _ask(output, file, ask, model, limit, Workspace(collection, library))
        file, limit = ask, None
    with output.progress() as bars:
        found = evaluate(
            file,
            method=_method(method),
            method_name=method,
            out=out,
            limit=limit,
            progress=None if bars is None else _bar(bars, file, limit),
            limits=Limits.from_env(),
        )
    if as_json:
        output.data(found.as_dict())
    _print(output, found, by_system=by is By.SYSTEM)
    if ask is not None:
        _print_failed(output, found, ask)
    raise typer.Exit(ExitCode.FAULTS if found.faults else ExitCode.OK)


def _ask(
    output: Output, file: Path, answers: Path, model: str | None, limit: int | None, workspace: Workspace
) -> None:
    """Put the questions of a file to the library, and keep the answers."""
    from pincite.cli.questions import ask_all, questions_of

    if file.resolve() == answers.resolve():
        msg = "The answers cannot be written into the file that holds the questions."
        raise InputError(msg, field="ask")
    with workspace as work, output.progress() as bars:
        questions = list(islice(questions_of(file, work.limits.evaluation_line_bytes), limit))
        told = None if bars is None else _moving(bars, "asking", len(questions))
        resumed = ask_all(work, questions, answers, model=model, told=told)
    if resumed:
        output.note(f"{_count(resumed, 'answer')} of an earlier run.")


def _method(name: str) -> str | SupportMethod:
    from pincite.cli.support import method_of

    kind, _, argument = name.partition(":")
    # `none` is a method of other commands, and of no use here.
    method = method_of(name) if name == "lexical" or (kind in ("nli", "judge") and argument) else None
    if method is None:
        msg = f"`--method` is lexical, nli:FOLDER or judge:MODEL, not {one_line(name, _LONGEST_NAME)!r}."
        raise InputError(msg, field="method")
    return method


def _bar(bars: Progress, file: Path, limit: int | None) -> Callable[[int], None]:
    """Return what moves a bar; its end is the number of lines, or the limit."""
    total = None
    if file.is_file():
        with file.open("rb") as lines:
            total = sum(block.count(b"\n") for block in iter(lambda: lines.read(1 << 20), b"")) or None
        total = limit if total is None or (limit is not None and limit < total) else total
    return _moving(bars, "evaluating rows", total)


def _moving(bars: Progress, what: str, total: int | None) -> Callable[[int], None]:
    task = bars.add_task(what, total=total)
    return lambda done: bars.update(task, completed=done)


def _print(output: Output, found: Evaluation, *, by_system: bool) -> None:
    if found.answers:
        _print_answers(output, found, by_system=by_system)
    if found.claims:
        _print_claims(output, found, by_system=by_system)
    if not (found.answers or found.claims or found.faults):
        output.note("There is no row there.")
    unchecked = found.summary.micro.shares.unchecked if found.answers else 0
    unchecked += sum(one.verdict == "unchecked" for one in found.summary.judged)
    if unchecked:
        output.note(f"{_count(unchecked, 'claim')} could not be checked and counted as not supported.")
    unread = found.summary.unread
    if unread:
        output.note(
            f"{_count(unread, 'answer')} {'has' if unread == 1 else 'have'} no marker that could be read."
        )
    if found.resumed:
        output.note(f"{_count(found.resumed, 'result')} of an earlier run.")
    for fault in found.faults[:_NAMED_FAULTS]:
        output.note(f"Line {fault.line} was left out: {fault.message}")
    if len(found.faults) > _NAMED_FAULTS:
        output.note(f"So were {_count(len(found.faults) - _NAMED_FAULTS, 'more line')}.")


def _print_failed(output: Output, found: Evaluation, answers: Path) -> None:
    """Name the questions whose right passage was not cited, and those that should have been declined."""
    from pincite.cli.questions import asked_at

    failed: list[tuple[int, str | None, str]] = []
    for one in found.answers:
        told = one.metrics.expected
        if told.answerable > told.cited:
            failed.append((one.line, one.id, _NOT_CITED if told.retrieved else _NOT_FOUND))
        elif told.unanswerable > told.declined:
            failed.append((one.line, one.id, _NOT_DECLINED))
    if not failed:
        return
    named = failed[:_NAMED_FAULTS]
    questions = asked_at(answers, {line for line, _, _ in named})
    output.say("Questions that failed", style="bold")
    for line, name, why in named:
        called = f"line {line}" if name is None else one_line(name, _LONGEST_NAME)
        output.say(f"  - {called}: {one_line(questions.get(line, ''), _LONGEST_QUESTION)} ({why})")
    if len(failed) > len(named):
        output.say(f"  and {_count(len(failed) - len(named), 'more question')}.")
    output.say()


# --- Answers ---


def _print_answers(output: Output, found: Evaluation, *, by_system: bool) -> None:
    whole = found.summary.micro
    claims = _count(whole.shares.claims, "claim")
    citations = _count(whole.shares.citations, "citation")
    output.say(f"{_count(len(found.answers), 'answer')}: {claims}, {citations}. Support by {found.method}.")
    output.say()
    output.table(("measure", "pooled", "mean", "counted"), list(_rates(found.summary)))
    output.say()
    output.say(_LEGEND, style="dim")
    output.say()
    counts = [f"{name} {number}" for name, number in _verdicts(found.summary) if number]
    if counts:
        output.say(f"Quotations: {', '.join(counts)}.")
        output.say()
    if by_system:
        head = ("system", "answers", "recall", "precision", "F1", "accuracy", "effective", "unknown")
        rows = [_system(name, one) for name, one in found.systems.items() if one.answers]
        output.table(head, rows, narrow=head if _needed(head, rows) <= output.out.width else head[:-1])
        output.say()


def _rates(summary: Summary) -> Iterator[Sequence[str]]:
    """Yield a row for each rate: over all answers as one, as the mean of the answers, and what was counted."""
    pooled, means = summary.micro.as_dict(), summary.macro
    for called, group, rate, counted, of in _RATES:
        if group == "expected" and not any(pooled[group][name] for name in counted):
            continue  # nobody said what to expect
        numbers = [_sum(pooled[group], name) for name in counted]
        told = f"{numbers[0]:,} of {numbers[1]:,} {of}" if numbers else of
        yield called, _figure(called, pooled[group][rate]), _figure(called, means[group][rate]), told


def _needed(head: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """Return the columns that a table takes whose first column is wrapped where it must be."""
    first, *others = (max(map(len, column)) for column in zip(head, *rows, strict=True))
    return min(first, _LEAST) + sum(size + _GAP for size in others)


def _sum(numbers: dict[str, Any], names: str) -> int:
    return sum(int(numbers[name]) for name in names.split("+"))


def _figure(called: str, value: float | None) -> str:
    if value is None:
        return _NOTHING
    return f"{value:.1f}" if called in _LARGE else f"{value:.3f}"


def _verdicts(summary: Summary) -> Iterator[tuple[str, int]]:
    from pincite.core.verdicts import QuoteVerdict

    quotations = summary.micro.quotations
    for verdict in QuoteVerdict:
        yield verdict.value, getattr(quotations, verdict.value)


def _system(name: str, summary: Summary) -> tuple[str, ...]:
    pooled = summary.micro
    shares = (pooled.quality.recall, pooled.quality.precision, pooled.quality.f1, pooled.accuracy.accuracy)
    return (
        name or _UNNAMED,
        str(len(summary.answers)),
        *(_figure("", share) for share in shares),
        _figure("effective citations (FACT)", pooled.accuracy.effective),
        _figure("", pooled.markers.unknown_rate),
    )


# --- Labelled claims ---


def _print_claims(output: Output, found: Evaluation, *, by_system: bool) -> None:
    summary = found.summary
    without = len(summary.claims) - len(summary.judged)
    told = f"{_count(len(summary.claims), 'labelled claim')}. Support by {found.method}."
    output.say(told + (f" {without} without evidence are left out." if without else ""))
    output.say()
    output.table(*_matrix(summary.matrix))
    output.say()
    head = ("label", "claims", "precision", "recall", "F1")
    confusion = summary.confusion
    rows = [
        (
            name,
            str(number),
            *(_figure("", one(name)) for one in (confusion.precision, confusion.recall, confusion.f1)),
        )
        for name, number in sorted(confusion.labels.items(), key=lambda one: _place(one[0]))
    ]
    output.table(head, rows)
    output.say()
    head = ("system", "claims", "commonest", "accuracy", "macro-F1", "ranking")
    systems = found.systems.items() if by_system else ()
    rows = [_measures(name or _UNNAMED, one) for name, one in systems if one.claims]
    output.table(head, [*rows, _measures("all", summary)])
    output.say()
    output.say(_LEGEND_OF_CLAIMS, style="dim")


def _matrix(matrix: Confusion) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Return the head and the rows of labels against verdicts, with the claims of each label."""
    from pincite.core.verdicts import SupportVerdict

    verdicts = [
        one.value for one in SupportVerdict if one is not SupportVerdict.UNCHECKED or one in matrix.verdicts
    ]
    rows = [
        (label, *(str(matrix.count(label, verdict)) for verdict in verdicts), str(number))
        for label, number in sorted(matrix.labels.items(), key=lambda one: _place(one[0]))
    ]
    return ("label", *verdicts, "all"), rows


def _place(label: str) -> int:
    """Return the place of a label, as it was written, among what labels can mean."""
    from pincite.core.verdicts import SupportVerdict
    from pincite.evaluation import LABELS

    return list(SupportVerdict).index(LABELS[label.casefold()])


def _measures(name: str, summary: Summary) -> tuple[str, ...]:
    confusion = summary.confusion
    shares = (confusion.majority, confusion.accuracy, confusion.macro_f1, summary.ranking)
    return (name, str(confusion.total), *(_figure("", share) for share in shares))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
