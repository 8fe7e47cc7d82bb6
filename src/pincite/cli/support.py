"""Support on the command line: which method, and what it said of an answer, for a person to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pincite.core.errors import InputError
from pincite.core.text import one_line
from pincite.core.verdicts import QuoteVerdict, SupportVerdict
from pincite.protocols.answers import numbers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.checking import AnswerCheck, ClaimCheck, SupportMethod
    from pincite.cli.output import Output
    from pincite.core.answer import Answer

# Code points of a sentence or a reason in a list.
_SENTENCE: Final = 160
_REASON: Final = 300
_METHODS: Final = "lexical, nli:FOLDER, judge:MODEL or none"
_SEEN: Final = {
    "lexical": "by words, numbers, dates and names; it does not see meaning",
    "nli": "by a model of entailment; it errs",
    "judge": "as a model judges; it errs",
}
"""What each method goes by."""


def method_of(name: str) -> str | SupportMethod | None:
    """Return the method that `--method` names, None for `none`.

    Raises:
        InputError: there is none of that name, or its model cannot be used.
        MissingExtraError: the packages that it needs are not installed.
    """
    kind, _, argument = name.partition(":")
    if name in ("lexical", "none"):
        return None if name == "none" else name
    if kind == "nli" and argument:
        from pincite.checking import NliSupport

        return NliSupport(argument)
    if kind == "judge" and argument:
        from pincite.agents import JudgeSupport

        return JudgeSupport(argument)
    msg = f"`--method` is {_METHODS}, not {one_line(name, 60)!r}."
    raise InputError(msg, field="method")


def is_refuted(check: AnswerCheck, *, strict: bool = False) -> bool:
    """Say whether a claim is contradicted, or a quotation not the source's; with `strict`, whether any is unproven.

    Where a model was to check and could check nothing, nothing was found to be right either.
    """
    if strict and not check.is_supported:
        return True
    cited = [claim for claim in check.claims if claim.together is not None]
    # By words alone a sentence without any to look for is unchecked, which is nobody's fault.
    unchecked = all(claim.verdict is SupportVerdict.UNCHECKED for claim in cited)
    if cited and unchecked and check.method != "lexical":
        return True
    return any(
        claim.verdict is SupportVerdict.CONTRADICTED
        or any(_is_false(one.check.verdict) for one in claim.quotations)
        for claim in check.claims
    )


def _is_false(verdict: QuoteVerdict) -> bool:
    return verdict in (QuoteVerdict.ALTERED, QuoteVerdict.TRUNCATED, QuoteVerdict.ABSENT)


def print_support(output: Output, check: AnswerCheck) -> None:
    """Print what the sources do not say, what became of words in quotation marks, and how much is supported."""
    from rich.text import Text

    cited = [claim for claim in check.claims if claim.together is not None]
    doubtful = [claim for claim in cited if claim.verdict is not SupportVerdict.SUPPORTED]
    _print_claims(output, "What the cited passages do not say, or not wholly", doubtful, check.answer)
    said = [one for claim in check.claims for one in claim.quotations]
    if said:
        output.say("Words in quotation marks", style="bold")
        for one in said:
            line = Text(f"  - “{one_line(one.text, _SENTENCE)}”: ")
            line.append(one.check.verdict.value, style=_colour(one.check.is_verified))
            output.say(line)
            if one.check.differences or not one.check.is_verified:
                output.say(f"    {one_line(one.check.reason, _REASON)}", style="dim")
        output.say()
    if not cited:
        return
    supported = sum(claim.verdict is SupportVerdict.SUPPORTED for claim in cited)
    told = f"{supported} of {len(cited)} cited sentences supported, {len(check.uncited)} without a citation"
    kind = check.method.partition(":")[0]
    output.say(f"{told} ({check.method}: {_SEEN[kind]})" if kind in _SEEN else f"{told} ({check.method})")


def _colour(good: bool) -> str:
    return "green" if good else "red"


def _print_claims(output: Output, title: str, claims: list[ClaimCheck], answer: Answer) -> None:
    from pincite.cli.output import worded

    if not claims:
        return
    numbers = numbers_of(answer)
    output.say(title, style="bold")
    for claim in claims:
        marks = "".join(f"[{numbers[one]}]" for one in claim.claim.cited if numbers[one] is not None)
        line = worded(claim.verdict.value)
        line.pad_left(2)
        line.append(f"  {one_line(claim.claim.text, _SENTENCE)} {marks}".rstrip(), style="default")
        output.say(line)
        for told in _reasons(claim):
            output.say(f"    {one_line(told, _REASON)}", style="dim")
    output.say()


def _reasons(claim: ClaimCheck) -> Iterator[str]:
    if claim.together is not None and claim.together.reason:
        yield claim.together.reason
    if claim.better is not None:
        yield f"{claim.better.key} would be better: {claim.better.check.verdict.value}."


def better_of(check: AnswerCheck | None) -> dict[tuple[int, int], str]:
    """Return, for the place of each claim without a citation, the key of the passage that supports it best."""
    if check is None:
        return {}
    return {
        (one.claim.start, one.claim.end): str(one.better.key)
        for one in check.uncited
        if one.better is not None
    }
