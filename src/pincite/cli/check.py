"""`pincite check`: one verdict for each citation of an answer, or for each evidence id."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from pincite.cli.options import AsJson, HowToCheck, InCollection, InConversation, InLibrary
from pincite.cli.output import ExitCode, Output
from pincite.cli.workspace import TERMINAL, Workspace
from pincite.core.errors import InputError, NotFoundError
from pincite.core.files import refusal_of
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState, TraceVerdict

if TYPE_CHECKING:
    from pincite.checking import CitationCheck
    from pincite.citing import ConversationState

# Takes a number as answers are shown with it; linear: bounded.
_NUMBERED = re.compile(r"\[\d{1,4}\]")
# Bytes of an answer that are read.
_LONGEST_ANSWER = 8 * 1024 * 1024


def check(
    answers: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|ID...",
            help="A file with the answer's text, or one that `pincite ask --save` wrote; `-` for standard input; or "
            "evidence ids.",
        ),
    ],
    *,
    conversation: InConversation = TERMINAL,
    collection: InCollection = None,
    library: InLibrary = None,
    method: HowToCheck = "lexical",
    strict: Annotated[
        bool, typer.Option("--strict", help="A sentence that is not wholly supported is a fault, too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check an answer: its citations against what the conversation has received, its sentences against what they cite.

    Faults are citations that are not valid, quotations that the source does not have, and sentences that it
    contradicts.
    """
    output = Output(as_json=as_json)
    ids = [word for word in answers if word.startswith("ev1:")]
    if ids and len(ids) != len(answers):
        msg = "Give one file or evidence ids, not both."
        raise InputError(msg, field="answers")
    if not ids and len(answers) > 1:
        msg = "Give one file at a time; evidence ids begin with `ev1:`."
        raise InputError(msg, field="answers")
    text, kept = "", None
    if not ids:
        text, conversation, kept = _answer_in(_read(answers[0]), conversation)
    from pincite.protocols.answers import standing

    with Workspace(collection, library) as work:
        state = work.run(conversation).conversation
        scope = standing(work.library, state.store)
        code = (
            _check_ids(output, work, ids, state, scope)
            if ids
            else _check_text(output, work, text, kept, conversation, scope, method, strict=strict)
        )
    raise typer.Exit(code)


def _read(name: str) -> str:
    try:
        data = sys.stdin.buffer.read(_LONGEST_ANSWER + 1) if name == "-" else _bytes_of(Path(name))
    except OSError as error:
        msg = f"{name[:80]!r} cannot be read: {refusal_of(error)}."
        raise InputError(msg, field="answers") from error
    if len(data) > _LONGEST_ANSWER:
        msg = f"An answer has at most {_LONGEST_ANSWER} bytes."
        raise InputError(msg, field="answers")
    return data.decode("utf-8", errors="replace")


def _answer_in(text: str, conversation: str) -> tuple[str, str, dict[str, object] | None]:
    """Return the answer's text, its conversation (its own where it was saved as JSON), and all that was saved of it.

    Raises:
        InputError: it is JSON, and no answer that was saved.
    """
    try:
        data: object = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        return text, conversation, None
    kept = cast("dict[str, object]", data)
    said, named = kept.get("text"), kept.get("conversation_id")
    if not isinstance(said, str) or "citations" not in kept:
        msg = "The file is JSON, and not what `pincite ask --save` wrote: that has `text` and `citations`."
        raise InputError(msg, field="answers")
    return said, named if isinstance(named, str) and conversation == TERMINAL else conversation, kept


def _bytes_of(path: Path) -> bytes:
    if not path.exists():
        msg = f"There is no file {path.name[:80]!r}; evidence ids begin with `ev1:`."
        raise NotFoundError(msg, field="answers")
    with path.open("rb") as file:
        return file.read(_LONGEST_ANSWER + 1)


def _check_ids(
    output: Output, work: Workspace, ids: list[str], state: ConversationState, scope: Scope
) -> ExitCode:
    import asyncio

    from pincite.checking import check_citations
    from pincite.library import LibraryEvidence

    store = LibraryEvidence(work.library)
    checks = asyncio.run(check_citations(ids, state.ledger, scope=scope, store=store, limits=work.limits))
    if output.json:
        output.data({"checks": [_check_data(check) for check in checks]})
    else:
        output.table(("verdict", "evidence id", "reason"), [_check_row(check) for check in checks])
    good = all(check.verdict is TraceVerdict.VALID for check in checks)
    return ExitCode.OK if good else ExitCode.FAULTS


def _check_row(check: CitationCheck) -> tuple[str, ...]:
    words = [check.reason]
    if check.suggestion is not None:
        words.append(f"Did it mean {check.suggestion}?")
    if check.source_state not in (None, SourceState.CURRENT):
        words.append(f"The source is {check.source_state.value} by now.")
    return check.verdict.value, check.cited_id, " ".join(words)


def _check_data(check: CitationCheck) -> dict[str, Any]:
    return {
        "evidence_id": check.cited_id,
        "verdict": check.verdict.value,
        "reason": check.reason,
        "covered_by": check.covered_by,
        "source_state": check.source_state.value if check.source_state is not None else None,
        "suggestion": check.suggestion,
    }


def _check_text(
    output: Output,
    work: Workspace,
    text: str,
    kept: dict[str, object] | None,
    conversation: str,
    scope: Scope,
    method: str,
    *,
    strict: bool,
) -> ExitCode:
    from pincite.cli import answers
    from pincite.cli.support import better_of, is_refuted, method_of, print_support
    from pincite.protocols.answers import answer_json
    from pincite.protocols.recalled import recalled

    how = method_of(method)
    run = work.run(conversation, scope=scope)
    # A later search of the conversation says nothing of this answer.
    answer = recalled(run.resolve(text), kept)
    support = None
    if how is not None:
        with output.progress() as bars:
            task = bars.add_task("Checking sentences", total=None) if bars is not None else None

            def told(done: int, of: int) -> None:
                if bars is not None and task is not None:
                    bars.update(task, completed=done, total=of)

            support = run.check(answer, method=how, progress=told)
        answer = support.answer
    if output.json:
        output.data({**answer_json(answer, work.library, support), "conversation_id": conversation})
    elif not answer.citations and not answer.misses:
        output.note("The text holds no citation.")
        if _NUMBERED.search(text) is not None:
            output.note(
                "Its numbers are those of an answer as it is shown. `pincite ask --save FILE` keeps the answer as it "
                "was written, which can be checked."
            )
    answers.print_verdicts(output, answer, work.library)
    answers.print_uncited(output, answer, better_of(support))
    if support is not None:
        print_support(output, support)
    refuted = support is not None and is_refuted(support, strict=strict)
    return ExitCode.FAULTS if refuted or answers.faulty(answer) else ExitCode.OK
