"""Questions of a file, put to a library one by one; each answer is kept as a row that `pincite eval` evaluates."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from pincite.core.errors import InputError
from pincite.core.text import normalise, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pincite.cli.workspace import Workspace

_WIRE_FORMAT: Final = "ref"
_SAID: Final = 80
"""Code points of a name that an error repeats."""


class Question(NamedTuple):
    """A question of line `line`, with what the row says beside it: `id` and `expects`."""

    line: int
    text: str
    beside: dict[str, Any]


def questions_of(path: Path, most: int) -> Iterator[Question]:
    """Yield the questions of a file of JSON lines, of at most `most` bytes each.

    Raises:
        NotFoundError: there is no such file.
        InputError: the file cannot be read, or a line holds no question; it is named.
    """
    from pincite.evaluation.rows import expected, readable

    with readable(path).open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(most + 1), b""), start=1):
            if not line.strip():
                continue
            data = _data(line, number) if len(line) <= most else None
            text = None if data is None else data.get("question")
            if data is None or not isinstance(text, str) or not text.strip():
                msg = f"Line {number} holds no `question`; each line is a JSON object with one."
                raise InputError(msg, field="file")
            try:
                expected(data)
            except InputError as error:
                msg = f"Line {number}: {error.message}"
                raise InputError(msg, field="file") from error
            beside = {name: data[name] for name in ("id", "expects") if name in data}
            yield Question(number, normalise(text), beside)


def _data(line: bytes, number: int) -> dict[str, Any] | None:
    try:
        found: object = json.loads(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", found) if isinstance(found, dict) else None


def ask_all(
    work: Workspace,
    questions: list[Question],
    kept: Path,
    *,
    model: str | None,
    told: Callable[[int], None] | None = None,
) -> int:
    """Ask each question by itself, add its answer to `kept` as a line, and return how many were there already.

    An answer is there already where the same question, of the same model, with the same `id` and `expects`, is a line
    of `kept`. `told` is called with the number of questions done.

    Raises:
        InputError: `kept` cannot be read or written, or holds something else.
        ModelError: the model cannot be used.
    """
    os.environ.setdefault("PYDANTIC_AI_NO_BANNER", "1")
    from pincite.agents import ask
    from pincite.citing import CitationRun

    collection = work.filled_collection()
    name = model if model is not None else work.settings.model
    there, is_torn = _kept(kept)
    resumed = 0
    try:
        with kept.open("a", encoding="utf-8", newline="\n") as file:
            file.write("\n" if is_torn else "")
            for done, question in enumerate(questions, start=1):
                if _mark(name, question.text, question.beside) in there:
                    resumed += 1
                else:
                    run = CitationRun(_WIRE_FORMAT, limits=work.limits)
                    found = asyncio.run(
                        ask(
                            question.text,
                            search=work.search,
                            collections=[collection],
                            model=name,
                            run=run,
                            support=None,
                            limits=work.limits,
                        )
                    )
                    passages = [
                        {"key": hit.citation_key, "title": hit.known.title, "content": hit.known.text}
                        for hit in run.store
                        if hit.known.text
                    ]
                    row = {
                        **question.beside,
                        "system": found.model if name is None else name,
                        "asked": name,
                        "question": question.text,
                        "status": found.status.value,
                        "wire_format": _WIRE_FORMAT,
                        "answer": found.answer.text,
                        "passages": passages,
                    }
                    file.write(json.dumps(row) + "\n")
                    file.flush()
                if told is not None:
                    told(done)
    except OSError as error:
        msg = f"{kept.name[:_SAID]!r} cannot be written: {(error.strerror or 'the system refused').lower()}."
        raise InputError(msg, field="answers") from error
    return resumed


def asked_at(answers: Path, lines: set[int]) -> dict[int, str]:
    """Return the questions of those lines (1 is the first) of a file of answers that hold one."""
    found: dict[int, str] = {}
    with answers.open("rb") as file:
        for number, line in enumerate(file, start=1):
            data = _data(line, number) if number in lines else None
            question = None if data is None else data.get("question")
            if isinstance(question, str):
                found[number] = question
    return found


def _mark(model: str | None, question: str, beside: dict[str, Any]) -> str:
    return json.dumps([model, question, beside], sort_keys=True)


def _kept(path: Path) -> tuple[set[str], bool]:
    """Return the marks of the answers that a file holds, and whether its last line was torn off."""
    found: set[str] = set()
    if not path.exists():
        return found, False
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        msg = f"{path.name[:_SAID]!r} cannot be read: {(error.strerror or 'the system refused').lower()}."
        raise InputError(msg, field="answers") from error
    lines = [line for line in text.splitlines() if line.strip()]
    for line in lines:
        data = _data(line.encode(), 2)
        if data is not None and isinstance(data.get("question"), str) and "answer" in data:
            beside = {name: data[name] for name in ("id", "expects") if name in data}
            found.add(_mark(data.get("asked"), data["question"], beside))
    if lines and not found:
        msg = f"{one_line(path.name, _SAID)!r} holds something else than answers; name another file for them."
        raise InputError(msg, field="answers")
    return found, bool(text) and not text.endswith("\n")
