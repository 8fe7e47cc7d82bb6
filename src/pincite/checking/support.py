"""Support: whether passages say what a claim says, by a named method.

Tracing shows that a passage was read. This is the other question, and no method answers it with certainty: each says
which it is, on which sentence its verdict rests, and what the passages lack.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol, cast, runtime_checkable

from pincite.core.errors import InputError
from pincite.core.given import items_of, of_kind
from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import one_line
from pincite.core.verdicts import SupportVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SHOWN: Final = 200
"""Code points of a word or sentence that a reason repeats."""


class ReasonKind(StrEnum):
    """What a reason is about.

    Six are of the claim: a `number`, `date`, `unit` or `name`, a `negation` (or a word that says the contrary), or a
    `word`. `judgement` is what a model said, `unchecked` why there is no verdict.
    """

    NUMBER = "number"
    DATE = "date"
    UNIT = "unit"
    NAME = "name"
    NEGATION = "negation"
    WORD = "word"
    JUDGEMENT = "judgement"
    UNCHECKED = "unchecked"


_WHAT: Final = {
    ReasonKind.NUMBER: "number",
    ReasonKind.DATE: "date",
    ReasonKind.UNIT: "unit",
    ReasonKind.NAME: "name",
    ReasonKind.NEGATION: "negation",
    ReasonKind.WORD: "wording",
}


@dataclass(frozen=True, slots=True)
class SupportReason:
    """One thing in which claim and passages differ: as the `claim` has it, as the `source` has it ("" for not at all).

    `note` is the whole reason where it is not of that form.
    """

    kind: ReasonKind
    claim: str = ""
    source: str = ""
    note: str = ""

    @property
    def message(self) -> str:
        """The reason as a plain sentence."""
        if self.note:
            return self.note
        what = _WHAT.get(self.kind, "wording")
        mine, theirs = one_line(self.claim, _SHOWN), one_line(self.source, _SHOWN)
        if not mine:
            return f"The passage has the {what} “{theirs}”, which the claim has not."
        if theirs:
            return f"The claim has the {what} “{mine}”, the passage “{theirs}”."
        if self.kind is ReasonKind.NEGATION:
            return f"The claim has the {what} “{mine}”, which the passage has not."
        return f"The passages do not have the {what} “{mine}”."


@dataclass(frozen=True, slots=True)
class SupportCheck:
    """Whether passages support a claim, as far as `method` can tell.

    `score` is from 0 to 1, and what it measures is the method's own; None where it gave none. `start` and `end` are
    code points of the passage with the index `passage`: the sentence, or two, on which the verdict rests.
    """

    verdict: SupportVerdict
    method: str
    score: float | None = None
    passage: int | None = None
    start: int | None = None
    end: int | None = None
    reasons: tuple[SupportReason, ...] = ()

    @property
    def reason(self) -> str:
        """The reasons as plain sentences; empty where there is nothing to say."""
        return " ".join(reason.message for reason in self.reasons)

    @property
    def is_supported(self) -> bool:
        """Whether the whole claim was found in the passages."""
        return self.verdict is SupportVerdict.SUPPORTED

    def as_dict(self) -> dict[str, Any]:
        """Return the check as JSON holds it."""
        return {
            "support_verdict": self.verdict.value,
            "method": self.method,
            "score": self.score,
            "passage": self.passage,
            "start": self.start,
            "end": self.end,
            "reasons": [
                {"kind": one.kind.value, "claim": one.claim, "source": one.source, "message": one.message}
                for one in self.reasons
            ],
        }


@runtime_checkable
class SupportMethod(Protocol):
    """A way to tell whether passages support a claim. It may have `async check_async` with the same parameters."""

    @property
    def name(self) -> str:
        """What stands as `method` on its checks."""
        ...

    def check(self, claim: str, passages: Sequence[str]) -> SupportCheck:
        """Return the check of one claim against all passages together; at least one of them has text."""
        ...


def check_support(
    claim: str,
    passages: Iterable[Any],
    *,
    method: str | SupportMethod = "lexical",
    limits: Limits = DEFAULT,
) -> SupportCheck:
    """Return whether `passages`, taken together, say what `claim` says.

    A passage is a string or has a `text` (`EvidenceText`, `Passage`, `FetchOutcome`); None stands for one that is not
    there. `method` is "lexical" or an object of your own: `NliSupport`, `JudgeSupport`, any `SupportMethod`. Without
    text to look in, or over a limit, the verdict is `unchecked` and `reason` says why.

    Raises:
        InputError: an argument is of another type, or there is no method of that name.
    """
    how = support_method(method)
    texts, refused = _texts(claim, passages, how.name, limits)
    return refused or how.check(claim, texts)


async def check_support_async(
    claim: str,
    passages: Iterable[Any],
    *,
    method: str | SupportMethod = "lexical",
    limits: Limits = DEFAULT,
) -> SupportCheck:
    """Return what `check_support` does, without holding up the event loop.

    A method with `check_async` is awaited; any other works in a thread.

    Raises:
        InputError: as `check_support`.
    """
    how = support_method(method)
    texts, refused = _texts(claim, passages, how.name, limits)
    if refused is not None:
        return refused
    waits = getattr(how, "check_async", None)
    if waits is not None:
        return cast("SupportCheck", await waits(claim, texts))
    from asyncio import to_thread  # takes longer to load than the base import may

    return await to_thread(how.check, claim, texts)


def unchecked(method: str, note: str) -> SupportCheck:
    """Return a check without a verdict, with the sentence that says why."""
    return SupportCheck(
        SupportVerdict.UNCHECKED, method, reasons=(SupportReason(ReasonKind.UNCHECKED, note=note),)
    )


@cache
def _lexical() -> SupportMethod:
    from pincite.checking._lexical import (
        LexicalSupport,
    )  # its words take longer to load than the base import may

    return LexicalSupport()


def support_method(method: object) -> SupportMethod:
    """Return the method that a name stands for, or that is given as such.

    Raises:
        InputError: there is no method of that name, or it is none.
    """
    if method == "lexical":
        return _lexical()
    if isinstance(method, str):
        msg = (
            f'There is no method {one_line(method, 40)!r}: `method` is "lexical" or an object, such as '
            "`NliSupport(path)` or `JudgeSupport(model)`."
        )
        raise InputError(msg, field="method")
    return of_kind(method, SupportMethod, "method", "a name or an object with `name` and `check`")


def _texts(
    claim: object, passages: object, method: str, limits: Limits
) -> tuple[list[str], SupportCheck | None]:
    """Return the passages' texts, and the check where they settle it: nothing to look in, or too much."""
    text = of_kind(claim, str, "claim", "a string")
    texts = [text_of(passage) for passage in items_of(passages, "passages", "a list of passages")]
    if not text.strip():
        return texts, unchecked(method, "The claim is empty.")
    if not any(one.strip() for one in texts):
        return texts, unchecked(method, "There is no text to look in.")
    for name, size, what in (
        ("support_claim_code_points", len(text), "The claim has {size:,} characters; {most:,} are checked."),
        ("support_passages", len(texts), "There are {size:,} passages; {most:,} are checked together."),
        (
            "support_code_points",
            sum(map(len, texts)),
            "The passages have {size:,} characters; {most:,} are checked together.",
        ),
    ):
        most: int = getattr(limits, name)
        if size > most:
            return texts, unchecked(method, what.format(size=size, most=most))
    return texts, None


def text_of(passage: object) -> str:
    """Return the text of a passage, "" where it is None.

    Raises:
        InputError: it is no string and has no `text`.
    """
    if passage is None:
        return ""
    text = passage if isinstance(passage, str) else getattr(passage, "text", None)
    if not isinstance(text, str):
        msg = f"A passage is a string or has a `text`, and {type(passage).__name__} is neither."
        raise InputError(msg, field="passages")
    return text
