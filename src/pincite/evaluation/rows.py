"""The rows of a file to evaluate: answers with the passages that they were given, and claims that people labelled.

One JSON object a line. A line that cannot be used is a `Fault` with its number; the others are read all the same.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from pincite.citing.formats import wire_format
from pincite.core.errors import InputError, NotFoundError, PinciteError
from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line
from pincite.core.verdicts import SupportVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

LABELS: Final = {
    "supported": SupportVerdict.SUPPORTED,
    "complete": SupportVerdict.SUPPORTED,
    "2": SupportVerdict.SUPPORTED,
    "partial": SupportVerdict.PARTIAL,
    "1": SupportVerdict.PARTIAL,
    "unsupported": SupportVerdict.UNSUPPORTED,
    "incomplete": SupportVerdict.UNSUPPORTED,
    "missing": SupportVerdict.UNSUPPORTED,
    "0": SupportVerdict.UNSUPPORTED,
    "contradicted": SupportVerdict.CONTRADICTED,
}
"""What labels mean, in any letter case: our own words, those of ExpertQA, and the levels 0 to 2."""

# Takes the line of a number and an address that evidence may begin with; linear: bounded, each run of one class.
_HEAD: Final = re.compile(r"\s{0,9}\[\d{1,9}\]\s{0,9}https?://\S{1,2000}[ \t]{0,9}\n[ \t]{0,9}\n")
# What some editors write in front of a file.
_MARK: Final = b"\xef\xbb\xbf"
_SAID: Final = 80
"""Code points of the row that a sentence about it repeats."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A line (1 is the first) that cannot be used, and why."""

    line: int
    message: str

    @classmethod
    def of(cls, line: int, error: BaseException) -> Self:
        """Return what an error made of a line: its message where it is one of ours, else its kind."""
        if isinstance(error, PinciteError):
            return cls(line, error.message)
        return cls(line, f"The row failed with {type(error).__name__}.")

    def as_dict(self) -> dict[str, Any]:
        """Return the fault as JSON holds it."""
        return {"line": self.line, "message": self.message}


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer of a system, with the passages that it was given: pairs of key and text, in order.

    A key is None where the passage has none; `titles` are theirs. `wire_format` is how the markers are written: one
    of the formats of `pincite.citing`, or None for numbers in brackets (`[1]`, `[2][3]`, `[1, 2]`, `[1-3]`) and
    everything else that can be read. `digest` is that of the line. `expects` are words of which the answer should cite
    any, empty where the passages hold no answer, None where nobody said. Where `is_declined`, the text says that there
    is no answer, which is no claim.
    """

    line: int
    digest: str
    text: str
    passages: tuple[tuple[str | None, str], ...]
    titles: tuple[str, ...] = ()
    wire_format: str | None = None
    id: str | None = None
    system: str = ""
    expects: tuple[str, ...] | None = None
    is_declined: bool = False


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim with its evidence, and what people said of it: `label` as they wrote it, `gold` as the verdict it is."""

    line: int
    digest: str
    claim: str
    evidence: tuple[str, ...]
    label: str
    gold: SupportVerdict
    id: str | None = None
    system: str = ""


def read_rows(path: str | Path, *, limits: Limits = DEFAULT) -> Iterator[AnswerRow | ClaimRow | Fault]:
    """Yield what stands in each line of a file that holds more than space, one line in memory at a time.

    Raises:
        NotFoundError: there is no such file.
        InputError: it cannot be read, or `path` is no path.
    """
    most = limits.evaluation_line_bytes
    with _opened(path) as file:
        if file.seekable():
            if _is_spread(file, most):
                yield Fault(1, "The file is JSON over several lines; one JSON object a line is wanted.")
                return
            file.seek(0)
        number = 0
        while line := file.readline(most + 1):
            number += 1
            if len(line) > most:
                while line and not line.endswith(b"\n"):
                    line = file.readline(most)
                yield Fault(number, f"The line has more than {most:,} bytes.")
                continue
            line = (line.removeprefix(_MARK) if number == 1 else line).strip()
            if line:
                yield _row(number, line)


def _is_spread(file: BinaryIO, most: int) -> bool:
    """Say whether a file begins with JSON over several lines, indented as a person reads it."""
    line = b"\n"
    while line and not line.removeprefix(_MARK).strip():
        line = file.readline(most)
    first = line.removeprefix(_MARK).decode("utf-8", "replace")
    if not first.lstrip().startswith(("{", "[")) or not first.endswith("\n"):
        return False
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        text = first.lstrip() + file.read(most).decode("utf-8", "replace")
    else:
        return False
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return end > len(first)


def readable(path: str | Path) -> Path:
    """Return the path of a file that can be opened.

    Raises:
        NotFoundError, InputError: as `read_rows`.
    """
    _opened(path).close()
    return Path(path)


def _opened(path: str | Path) -> BinaryIO:
    if not isinstance(path, str | Path):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"`path` is a path, not {type(path).__name__}."
        raise InputError(msg, field="path")
    try:
        return Path(path).open("rb")
    except FileNotFoundError as error:
        msg = f"There is no file {Path(path).name[:_SAID]!r}."
        raise NotFoundError(msg, field="path") from error
    except ValueError as error:  # no system has such a name
        msg = "`path` has a character that no name of a file may have."
        raise InputError(msg, field="path") from error
    except OSError as error:
        msg = (
            f"{Path(path).name[:_SAID]!r} cannot be read: {(error.strerror or 'the system refused').lower()}."
        )
        raise InputError(msg, field="path") from error


def _row(number: int, line: bytes) -> AnswerRow | ClaimRow | Fault:
    try:
        data: object = json.loads(line)
    except (ValueError, RecursionError):  # bytes that are no UTF-8 are a ValueError too
        return Fault(number, "The line is no JSON.")
    if not isinstance(data, dict):
        return Fault(number, "The line is no JSON object.")
    found = cast("dict[str, Any]", data)
    digest = sha256(line).hexdigest()
    try:
        if "claim" in found:
            return _claim_row(number, digest, found)
        if "answer" in found or "text" in found:
            return _answer_row(number, digest, found)
    except Exception as error:  # noqa: BLE001 - whatever a line holds, it costs that line alone
        return Fault.of(number, error)
    if "question" in found:
        return Fault(
            number, "The row is a question without an answer: ask it first, with `pincite eval --ask`."
        )
    return Fault(number, "The row has neither an `answer` (or `text`) nor a `claim`.")


def _claim_row(number: int, digest: str, data: dict[str, Any]) -> ClaimRow:
    evidence = data.get("evidence")
    texts = [evidence] if isinstance(evidence, str) else evidence
    if not isinstance(texts, list) or not all(isinstance(one, str) for one in cast("list[object]", texts)):
        msg = "`evidence` is a string or a list of strings."
        raise InputError(msg)
    label = data["support"] if "support" in data else data.get("label")
    name = str(label) if isinstance(label, str | int) and not isinstance(label, bool) else ""
    gold = LABELS.get(name.strip().casefold())
    if gold is None:
        msg = f"`support` (or `label`) is one of {', '.join(LABELS)}, not {one_line(str(label), _SAID)!r}."
        raise InputError(msg)
    return ClaimRow(
        number,
        digest,
        _string(data, "claim"),
        # The number and address that a system put before its evidence are no words of the evidence.
        tuple(_HEAD.sub("", one, count=1) if _HEAD.match(one) else one for one in cast("list[str]", texts)),
        name.strip(),
        gold,
        _name(data, "id"),
        _name(data, "system") or "",
    )


def _answer_row(number: int, digest: str, data: dict[str, Any]) -> AnswerRow:
    given = data.get("passages")
    if isinstance(given, dict):
        items: list[object] = [
            {"key": key, "text": text} for key, text in cast("dict[str, object]", given).items()
        ]
    elif isinstance(given, list):
        items = cast("list[object]", given)
    else:
        msg = "`passages` is a list of passages, or an object of texts by their keys."
        raise InputError(msg)
    passages = [_passage(one, f" of passage {place}") for place, one in enumerate(items, start=1)]
    style = data.get("wire_format")
    if style is not None:
        wire_format(style)
    return AnswerRow(
        number,
        digest,
        _string(data, "answer" if "answer" in data else "text"),
        tuple((key, text) for key, text, _ in passages),
        tuple(title for _, _, title in passages),
        style,
        _name(data, "id"),
        _name(data, "system") or "",
        expected(data),
        data.get("status") == "insufficient_evidence",
    )


def expected(data: dict[str, Any]) -> tuple[str, ...] | None:
    """Return what a row wants cited: any of these words, () where there is no answer, None where it does not say.

    Raises:
        InputError: it is something else.
    """
    if "expects" not in data:
        return None
    given = data["expects"]
    words = [] if given is None else [given] if isinstance(given, str) else given
    if not isinstance(words, list) or not all(
        isinstance(one, str) and one.strip() for one in cast("list[object]", words)
    ):
        msg = "`expects` is words, a list of words of which any will do, or null where there is no answer."
        raise InputError(msg)
    return tuple(cast("list[str]", words))


def _passage(given: object, of: str) -> tuple[str | None, str, str]:
    """Return the key of a passage, its text and its title; `of` says which it is."""
    if isinstance(given, str):
        return None, given, ""
    if not isinstance(given, dict):
        msg = f"{of.removeprefix(' of ').capitalize()} is a string, or an object with a `text`."
        raise InputError(msg)
    data = cast("dict[str, Any]", given)
    title = data.get("title")
    return (
        _name(data, "key" if "key" in data else "id", of),
        _string(data, "content" if "content" in data and "text" not in data else "text", of),
        title if isinstance(title, str) else "",
    )


def _string(data: dict[str, Any], name: str, of: str = "") -> str:
    value = data.get(name)
    if not isinstance(value, str):
        msg = f"`{name}`{of} is {'a string' if name in data else 'missing'}."
        raise InputError(msg)
    return value


def _name(data: dict[str, Any], name: str, of: str = "") -> str | None:
    """Return a name or number as a string, None where there is none."""
    value = data.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str | int) or isinstance(value, bool):
        msg = f"`{name}`{of} is a string or a whole number."
        raise InputError(msg)
    return str(value)
