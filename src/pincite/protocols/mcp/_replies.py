"""What the tools give back: shapes with a schema for programs, and the same as text for a model to read.

Every list that a budget may cut stands beside one that names what was cut and how to ask for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from pincite.core.verdicts import QuoteVerdict, SourceState, SupportVerdict, TraceVerdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Code points of an id or quote that a remark repeats.
_SHOWN = 120


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Reply(_Part):
    """What one call of a tool gives back."""

    notes: list[str] = Field(
        default_factory=list[str], description="What else is to be known, each a sentence."
    )

    def texts(self) -> list[str]:
        """Return the reply as text: what was asked for first, what is to be known of it last."""
        return [text for text in (*self.body(), "\n".join(self.notes)) if text]

    def body(self) -> Iterable[str]:
        """Return what was asked for, as texts."""
        raise NotImplementedError


class LeftOut(_Part):
    """What did not fit in a reply: `fetch_evidence` with these values gives it."""

    evidence_id: str
    offset: int = Field(default=0, description="The `offset` to ask with.")


class FoundPassage(_Part):
    """A passage that a search found, whole; it counts as fetched."""

    evidence_id: str
    title: str
    locator: str = Field(description="Where it stands in its source; empty when that is not known.")
    content: str


class SearchReply(Reply):
    """The passages that fit a question, best first."""

    results: list[FoundPassage]
    left_out: list[LeftOut] = Field(description="Further passages that did not fit; fetch them.")
    broadened: bool = Field(description="Nothing fitted well, so the search was widened.")

    def body(self) -> Iterable[str]:
        """Return one block a passage."""
        return [
            "\n".join(
                [
                    f"evidence_id: {one.evidence_id}",
                    f"title: {one.title}",
                    *([f"locator: {one.locator}"] if one.locator else []),
                    "",
                    one.content,
                ]
            )
            for one in self.results
        ]


class Stretch(_Part):
    """Code points `start` to `end` of a passage, the end not included."""

    start: int
    end: int


class Outcome(_Part):
    """What one fetched id gave."""

    evidence_id: str
    status: str = Field(
        description="`ok`: all of it was received, and it may be cited. `truncated`: go on at `next_offset`. "
        "`partial`: the source holds only a part of it. `unavailable`: there is none for you. `malformed`: no id. "
        "`failed`: it could not be read now."
    )
    text: str
    title: str
    url: str | None = Field(description="The source's address, where it is one that may be shown.")
    locator: str
    source_state: SourceState | None
    content_hash: str | None = Field(description="SHA-256 of the whole passage as it is stored.")
    offset: int
    length: int | None = Field(description="Code points of the whole passage.")
    received: list[Stretch] = Field(description="What of it this session has received so far.")
    next_offset: int | None = Field(description="Where to go on; null when nothing is missing.")
    span: str | None = Field(description="The evidence id of the place where it stands.")
    reason: str
    citation_markdown: str | None = Field(description="A ready citation, only where the status is `ok`.")


class FetchReply(Reply):
    """The fetched passages, in the order of the ids."""

    outcomes: list[Outcome]
    left_out: list[LeftOut] = Field(description="Ids that did not fit in this reply; ask for them again.")

    def body(self) -> Iterable[str]:
        """Return one block an id."""
        for one in self.outcomes:
            head = [f"evidence_id: {one.evidence_id}", f"status: {one.status}"]
            head += [f"reason: {one.reason}"] if one.reason else []
            head += [f"next_offset: {one.next_offset}"] if one.next_offset is not None else []
            head += [f"title: {one.title}"] if one.title else []
            head += [f"locator: {one.locator}"] if one.locator else []
            if one.source_state is not None and one.source_state is not SourceState.CURRENT:
                head.append(f"source_state: {one.source_state.value}")
            head += [f"citation: {one.citation_markdown}"] if one.citation_markdown else []
            yield "\n".join([*head, *(["", one.text] if one.text else [])])


class Check(_Part):
    """The verdict on one cited id."""

    cited_id: str
    verdict: TraceVerdict = Field(
        description="`valid`: it names text that was fetched; it does not say that the text supports the claim. "
        "`not_fetched`, `unavailable`, `malformed`: it must not be cited."
    )
    reason: str
    covered_by: str | None = Field(description="What was fetched that covers it.")
    source_state: SourceState | None = Field(description="What became of the cited version since.")
    suggestion: str | None = Field(description="A fetched id that it may have been meant for.")


def checks_text(checks: Sequence[Check]) -> str:
    """Return one line a check."""
    return "\n".join(
        " ".join(
            [
                f"{one.verdict.value}: {shown(one.cited_id)}",
                *([] if one.verdict is TraceVerdict.VALID else [f"({one.reason})"]),
                *([f"Did you mean {one.suggestion}?"] if one.suggestion else []),
                *(
                    [f"The source is {one.source_state.value}."]
                    if one.source_state not in (None, SourceState.CURRENT)
                    else []
                ),
            ]
        )
        for one in checks
    )


class CheckReply(Reply):
    """One verdict for each cited id, in order; it is never cut."""

    checks: list[Check]

    def body(self) -> Iterable[str]:
        """Return the verdicts as lines."""
        return [checks_text(self.checks)]


class Cited(_Part):
    """An evidence id in one place of an answer; offsets are code points of the answer."""

    evidence_id: str
    start: int
    end: int
    where: str = Field(
        description="What it stands in: bracket, group, bare, parenthesis, label, target, image, code, comment "
        "or definition."
    )
    written: str
    fault: str = Field(description="Why it is no evidence id; empty when it is one.")


class ParseReply(Reply):
    """Every evidence id in an answer, in order."""

    occurrences: list[Cited]
    next_offset: int | None = Field(
        description="The `offset` from which to ask for those that did not fit; null when these are all."
    )

    def body(self) -> Iterable[str]:
        """Return one line an occurrence."""
        if not self.occurrences:
            return ["The answer holds no evidence id."]
        return [
            "\n".join(
                f"{one.start}-{one.end} {one.where}: {shown(one.evidence_id)}"
                + (f" ({one.fault})" if one.fault else "")
                for one in self.occurrences
            )
        ]


class CitedPassage(_Part):
    """A cited passage of a numbered source."""

    evidence_id: str | None
    locator: str
    excerpt: str


class NumberedSource(_Part):
    """A numbered source; number 0 is not cited in the text."""

    number: int
    title: str
    url: str | None
    passages: list[CitedPassage]


class RenderReply(Reply):
    """The answer with numbered references and its list of sources, and the verdicts that it rests on."""

    text: str = Field(description="Markdown, ready to be shown.")
    sources: list[NumberedSource]
    checks: list[Check] = Field(description="One verdict for each id that the answer cites.")

    def body(self) -> Iterable[str]:
        """Return the answer alone, then what is wrong with its citations."""
        return [self.text, checks_text([one for one in self.checks if one.verdict is not TraceVerdict.VALID])]


class Quoted(_Part):
    """What became of one quote."""

    quote: str
    verdict: QuoteVerdict
    evidence_id: str | None = Field(description="The fetched passage that it was found in.")
    start: int | None = Field(description="Where it begins in that passage, in code points.")
    end: int | None
    span: str | None = Field(description="The evidence id of the very words that were found.")
    reason: str


class QuotesReply(Reply):
    """One verdict for each quote, in order; it is never cut."""

    quotes: list[Quoted]

    def body(self) -> Iterable[str]:
        """Return one line a quote."""
        return [
            "\n".join(
                f"{one.verdict.value}: “{shown(one.quote)}”"
                + (f" in {one.evidence_id}" if one.evidence_id else "")
                + (f" ({one.reason})" if one.reason else "")
                for one in self.quotes
            )
        ]


class Refused(_Part):
    """An id that a claim cites and that was not looked at."""

    evidence_id: str
    reason: str


class Judged(_Part):
    """Whether the passages that a claim cites, together, say what it says."""

    claim: str
    verdict: SupportVerdict
    method: str
    score: float | None = Field(description="0 to 1; what it measures is the method's own.")
    evidence_id: str | None = Field(description="The passage on which the verdict rests.")
    start: int | None = Field(description="Where in that passage, in code points.")
    end: int | None
    sentence: str = Field(description="What stands there.")
    reason: str
    better: str | None = Field(
        description="A fetched passage that it does not cite and that supports it better, as far as words tell."
    )
    refused: list[Refused] = Field(description="Ids that it cites and that name nothing fetched.")


class SupportReply(Reply):
    """One verdict for each claim, in order; it is never cut."""

    claims: list[Judged]

    def body(self) -> Iterable[str]:
        """Return one line a claim, and what else there is to say of it."""
        return ["\n".join(line for one in self.claims for line in _judged(one))]


def _judged(one: Judged) -> Iterable[str]:
    where = f" in {one.evidence_id}" if one.evidence_id else ""
    why = f" ({one.reason})" if one.reason else ""
    yield f"{one.verdict.value}: “{shown(one.claim)}”{where}{why}"
    if one.better is not None:
        yield f"  {one.better} supports it better."
    for refused in one.refused:
        yield f"  {shown(refused.evidence_id)} was not looked at. {refused.reason}"


def shown(text: str) -> str:
    """Return what a remark repeats of an id or a quote: one line, cut with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
