"""The rows of a file to evaluate: answers with the passages that they were given, and claims that people labelled.

One JSON object a line. A line that cannot be used is a `Fault` with its number; the others are read all the same.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from pincite.citing._scan import scan
from pincite.citing.formats import WIRE_FORMATS, WireFormat, wire_format
from pincite.citing.registered import CitedObject
from pincite.citing.resolve import Resolver
from pincite.citing.store import CitationStore
from pincite.core.errors import InputError, NotFoundError, PinciteError
from pincite.core.ledger import Ledger
from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line
from pincite.core.verdicts import SupportVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pincite.citing.occurrence import Occurrence
    from pincite.core.answer import Answer

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

_NUMBERS: Final = "bracket_numbers"
# Takes a number, or a range of two; linear: every run is bounded.
_NUMBER: Final = re.compile(r"(?P<first>[0-9]{1,9})(?:\s{0,3}[-–—]\s{0,3}(?P<last>[0-9]{1,9}))?")
# Takes a number as it is counted; linear: one bounded run.
_PLAIN: Final = re.compile(r"0|[1-9][0-9]{0,8}")
# Takes the line of a number and an address that evidence may begin with; linear: bounded, each run of one class.
_HEAD: Final = re.compile(r"\s{0,9}\[\d{1,9}\]\s{0,9}https?://\S{1,2000}[ \t]{0,9}\n[ \t]{0,9}\n")
# The name by which a scan knows the markers of other providers (`【1†source】`).
_FOREIGN: Final = WireFormat("foreign", None, "", "", _PLAIN, full=True, teaching="")
_SAID: Final = 80
"""Code points of the row that a sentence about it repeats."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A line (1 is the first) that cannot be used, and why."""

    line: int
    message: str

    def as_dict(self) -> dict[str, Any]:
        """Return the fault as JSON holds it."""
        return {"line": self.line, "message": self.message}


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer of a system, with the passages that it was given: pairs of key and text, in order.

    A key is None where the passage has none; `titles` are theirs. `wire_format` is how the markers are written: one
    of the formats of `pincite.citing`, or None for numbers in brackets (`[1]`, `[2][3]`, `[1, 2]`, `[1-3]`) and
    everything else that can be read. `digest` is that of the line.
    """

    line: int
    digest: str
    text: str
    passages: tuple[tuple[str | None, str], ...]
    titles: tuple[str, ...] = ()
    wire_format: str | None = None
    id: str | None = None
    system: str = ""


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


@dataclass(frozen=True, slots=True)
class ResolvedRow:
    """An answer with its markers looked up, every passage by its citation key, and spans of code (code points)."""

    answer: Answer
    passages: Mapping[str, str] = field(default_factory=dict[str, str])
    code: Sequence[tuple[int, int]] = ()


def read_rows(path: str | Path, *, limits: Limits = DEFAULT) -> Iterator[AnswerRow | ClaimRow | Fault]:
    """Yield what stands in each line of a file that holds more than space, one line in memory at a time.

    Raises:
        NotFoundError: there is no such file.
        InputError: it cannot be read, or `path` is no path.
    """
    most = limits.evaluation_line_bytes
    with _opened(path) as file:
        number = 0
        while line := file.readline(most + 1):
            number += 1
            if len(line) > most:
                while line and not line.endswith(b"\n"):
                    line = file.readline(most)
                yield Fault(number, f"The line has more than {most:,} bytes.")
                continue
            line = (line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line).strip()
            if line:
                yield _row(number, line)


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
    except PinciteError as error:
        return Fault(number, error.message)
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
    passages = [_passage(one) for one in items]
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
    )


def _passage(given: object) -> tuple[str | None, str, str]:
    """Return the key of a passage, its text and its title."""
    if isinstance(given, str):
        return None, given, ""
    if not isinstance(given, dict):
        msg = "A passage is a string, or an object with a `text`."
        raise InputError(msg)
    data = cast("dict[str, Any]", given)
    title = data.get("title")
    return (
        _name(data, "key" if "key" in data else "id"),
        _string(data, "text" if "text" in data else "content"),
        title if isinstance(title, str) else "",
    )


def _string(data: dict[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        msg = f"`{name}` is a string."
        raise InputError(msg)
    return value


def _name(data: dict[str, Any], name: str) -> str | None:
    """Return a name or number as a string, None where there is none."""
    value = data.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str | int) or isinstance(value, bool):
        msg = f"`{name}` is a string or a whole number."
        raise InputError(msg)
    return str(value)


# --- Markers ---


def resolve_row(row: AnswerRow) -> ResolvedRow:
    """Look the markers of an answer up among its passages.

    Without a `wire_format`, a number in brackets is the key of a passage where any passage has a number for its key,
    else it counts the passages from 1; the other keys may stand in brackets as well. Where a key is an address, the
    format is `inline_url`. A number that no passage has is a miss.

    Raises:
        KeyClashError: two passages with different texts have one key.
    """
    keys = [key for key, _ in row.passages if key is not None]
    style = row.wire_format or ("inline_url" if any("://" in key for key in keys) else None)
    shelf = _Shelf(row)
    found = scan(row.text, None if style is not None else [*WIRE_FORMATS.values(), _FOREIGN, _numbers(keys)])
    resolver = Resolver(shelf.store, ledger=Ledger(), wire_format=style or "sup_numeric")
    for occurrence in found.occurrences:
        for one in shelf.named(occurrence) if style is None else (occurrence,):
            resolver.take(one)
    return ResolvedRow(resolver.finish(row.text, found), shelf.texts, found.code)


def _numbers(keys: Sequence[str]) -> WireFormat:
    """Return the format of keys in brackets: numbers, ranges of them, and the keys that the passages have."""
    # Takes a number or one of the keys as they stand; linear: each is tried once.
    shape = "|".join((_NUMBER.pattern, *(re.escape(key) for key in dict.fromkeys(keys))))
    return WireFormat(_NUMBERS, "number", "[", "]", re.compile(shape), full=True, teaching="")


class _Shelf:
    """The passages of a row, registered under the keys that its markers use."""

    __slots__ = ("_by_number", "store", "texts")

    def __init__(self, row: AnswerRow) -> None:
        self.store = CitationStore()
        self.texts: dict[str, str] = {}
        self._by_number: dict[int, str] = {}
        numbered = any(key is not None and key.isdecimal() for key, _ in row.passages)
        for place, (key, text) in enumerate(row.passages, start=1):
            name = str(place) if key is None else key
            number = place if not numbered else int(name) if _PLAIN.fullmatch(name) else None
            if number is not None:
                self._by_number.setdefault(number, name)
            if self.texts.get(name) == text:
                continue  # given twice
            title = row.titles[place - 1] if place <= len(row.titles) else ""
            known = CitedObject(title=title, text=text, number=number or None)
            self.store.register_hit(name, {"title": title, "content": text}, None, known=known)
            self.texts[name] = text

    def named(self, occurrence: Occurrence) -> Iterator[Occurrence]:
        """Yield an occurrence with the key of the passage that it means: once for each passage of a range."""
        key = occurrence.key
        if occurrence.form == "inline_url" and not key and _PLAIN.fullmatch(occurrence.number):
            key = occurrence.number  # in double brackets
        elif occurrence.form != _NUMBERS:
            yield occurrence
            return
        if occurrence.definition:
            return  # a line of a list of sources cites nothing
        meant = occurrence._replace(key=key, number="", full=True)
        match = _NUMBER.fullmatch(key)
        if key in self.texts or match is None:
            yield meant
            return
        first, last = int(match["first"]), int(match["last"] or match["first"])
        known = [name for number, name in self._by_number.items() if first <= number <= last]
        for name in known:
            yield meant._replace(key=name)
        if not known or len(known) <= last - first:
            # One miss for all its numbers that no passage has; in brackets it is nobody's key.
            yield meant._replace(key=f"[{key}]")
