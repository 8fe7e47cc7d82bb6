"""Fetching: the text behind evidence ids, one outcome for each, with what was received of it.

Only `ok` counts as fetched. A text that is longer than one fetch returns is read on with `offset`, and the piece that
completes it in a ledger is `ok`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite.checking._given import ids_of, read
from pincite.core.errors import InputError, MalformedIdError
from pincite.core.ids import EvidenceId, SpanEvidenceId, parse_evidence_id
from pincite.core.ledger import Ledger
from pincite.core.limits import DEFAULT, Limits
from pincite.core.locators import Locator
from pincite.core.markdown import escaped
from pincite.core.scope import Scope
from pincite.core.text import one_line
from pincite.core.urls import safe_link
from pincite.core.verdicts import FetchStatus, SourceState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pincite.core.protocols import EvidenceStore, EvidenceText

# Code points of a place beside a title.
_PLACE = 400
_UNAVAILABLE = "There is no such evidence among the documents in scope."
_FAILED = "The evidence could not be read just now; nothing is wrong with the id, so try again."


@dataclass(frozen=True, slots=True)
class FetchOutcome:
    """What became of the fetch of one id. All offsets are code points of the evidence's own text.

    `span` is where the whole evidence stands in its version, `content_hash` SHA-256 in hex of its whole text, and
    `length` how long that is; None where it is not known. `text` begins at `offset`. `received` is all that was
    received so far: over all fetches with a ledger, in this one without. `next_offset` is where to read on, None when
    there is nothing more to read. `reason` says in one sentence why the status is not `ok`.
    """

    evidence_id: str
    status: FetchStatus
    text: str = ""
    title: str = ""
    uri: str | None = None
    document_id: str | None = None
    version: str | None = None
    span: SpanEvidenceId | None = None
    locator: Locator = field(default_factory=Locator)
    content_hash: str | None = None
    state: SourceState | None = None
    offset: int = 0
    length: int | None = None
    received: tuple[tuple[int, int], ...] = ()
    next_offset: int | None = None
    reason: str = ""

    @property
    def citation_markdown(self) -> str | None:
        """The source as Markdown of one line: its title, a link where the address is safe, its place. Only for `ok`."""
        if self.status is not FetchStatus.OK:
            return None
        label = escaped(one_line(self.title, DEFAULT.title_code_points) or "Source")
        link = safe_link(self.uri)
        parts = [label if link is None else f"[{label}](<{link}>)"]
        place = one_line(self.locator.describe(), _PLACE)
        if place:
            parts.append(escaped(place))
        if self.state is SourceState.SUPERSEDED:
            parts.append("superseded version")
        return ", ".join(parts)


async def fetch_evidence(
    store: EvidenceStore,
    ids: Iterable[str],
    *,
    scope: Scope | Iterable[str],
    max_chars: int | None = None,
    offset: int = 0,
    ledger: Ledger | None = None,
    limits: Limits = DEFAULT,
) -> list[FetchOutcome]:
    """Return one outcome per id, in order: at most `max_chars` code points of its text, from `offset` on.

    `max_chars` is `limits.fetch_code_points` unless it is given. The store is asked once, for each id once. What is
    out of scope is not asked for, and reads like what does not exist. With a `ledger` all that was received is entered
    in it, and an id is `ok` when this piece completes it or it was complete before; without one, when this piece is
    the whole.

    Raises:
        InputError: `ids` is one string, None, or holds something other than strings, or more than `limits.fetch_ids`;
            or `max_chars` or `offset` is no such number.
        ScopeError: the scope is not a collection of strings.
    """
    wanted = ids_of(ids, "ids", most=limits.fetch_ids)
    if ledger is not None and not isinstance(ledger, Ledger):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"`ledger` is a ledger or None, not {type(ledger).__name__}."
        raise InputError(msg, field="ledger")
    allowed = Scope.of(scope)
    most = _number(limits.fetch_code_points if max_chars is None else max_chars, "max_chars", least=1)
    first = _number(offset, "offset", least=0)
    outcomes: dict[str, FetchOutcome] = {}
    asked: dict[str, EvidenceId] = {}
    for name in dict.fromkeys(wanted):
        try:
            parsed = parse_evidence_id(name)
        except MalformedIdError as error:
            outcomes[name] = FetchOutcome(name, FetchStatus.MALFORMED, reason=error.message)
            continue
        if parsed.document_id in allowed:
            asked[name] = parsed
        else:
            outcomes[name] = FetchOutcome(name, FetchStatus.UNAVAILABLE, reason=_UNAVAILABLE)
    found = await read(store, list(asked), allowed)
    for index, (name, parsed) in enumerate(asked.items()):
        if found is None:
            outcomes[name] = FetchOutcome(name, FetchStatus.FAILED, reason=_FAILED)
            continue
        outcomes[name] = _outcome(name, parsed, found[index], first=first, most=most, ledger=ledger)
    return [outcomes[name] for name in wanted]


def _number(value: int, name: str, *, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        msg = f"`{name}` is a whole number of code points, {least} or more."
        raise InputError(msg, field=name)
    return value


def _outcome(
    name: str, parsed: EvidenceId, found: EvidenceText | None, *, first: int, most: int, ledger: Ledger | None
) -> FetchOutcome:
    if found is None or (found.document_id, found.version) != (parsed.document_id, parsed.version):
        return FetchOutcome(name, FetchStatus.UNAVAILABLE, reason=_UNAVAILABLE)
    exact = found.end - found.start == len(found.text)
    if isinstance(parsed, SpanEvidenceId):
        if not exact:
            return FetchOutcome(name, FetchStatus.FAILED, reason=_FAILED)
        span, length = parsed, parsed.end - parsed.start
        # Where what the store has begins and ends in what was asked for.
        low, high = max(0, found.start - span.start), min(length, found.end - span.start)
        if low >= high:
            return FetchOutcome(name, FetchStatus.UNAVAILABLE, reason=_UNAVAILABLE)
        text = found.text[span.start + low - found.start : span.start + high - found.start]
    else:
        placed = exact and bool(found.text)
        span = SpanEvidenceId(found.document_id, found.version, found.start, found.end) if placed else None
        length = high = len(found.text)
        low, text = 0, found.text
    start = min(max(first, low), high)
    end = min(high, start + most)
    outcome = FetchOutcome(
        name,
        FetchStatus.OK,
        text[start - low : end - low],
        found.title,
        found.uri,
        found.document_id,
        found.version,
        span,
        found.locator,
        _hash(text) if high - low == length else None,
        found.state,
        start,
        length,
        _range(start, end),
    )
    if ledger is None:
        return _judged(outcome, low, high, end if end < high else None, first)
    was_whole = name in ledger
    ledger.record_received(name, start, end, length, span=span, text=outcome.text, state=found.state)
    if was_whole and (low, high) == (0, length):
        # It was read before and is read again: what was received stays whole, and there may be more to read.
        return replace(outcome, received=_range(0, length), next_offset=end if end < high else None)
    outcome = replace(outcome, received=ledger.received(name))
    return _judged(outcome, low, high, _missing(outcome.received, end, low, high), first)


def _hash(text: str) -> str:
    from hashlib import sha256  # who only checks ids needs none, and the base import should be quick

    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _range(start: int, end: int) -> tuple[tuple[int, int], ...]:
    return ((start, end),) if start < end else ()


def _missing(received: tuple[tuple[int, int], ...], end: int, low: int, high: int) -> int | None:
    """Return the first code point from `end` on, then from `low` on, that is there and was not received."""
    for at in (end, low):
        for start, stop in received:
            if start <= at < stop:
                at = stop  # noqa: PLW2901 - it moves behind what was received
        if at < high:
            return at
    return None


def _judged(outcome: FetchOutcome, low: int, high: int, missing: int | None, first: int) -> FetchOutcome:
    """Return the outcome with its status: `low` to `high` is there, and `missing` is to be read next."""
    length = outcome.length or 0
    if outcome.received == _range(0, length):
        return outcome
    if outcome.received == _range(low, high):
        reason = "Only a part of this span is there; the rest of it has no text."
        return replace(outcome, status=FetchStatus.PARTIAL, reason=reason)
    if first >= high:
        reason = f"Offset {first} is behind the end of the text, which has {high} code points."
    elif missing is None:
        reason = "Only the end of the text was read; what comes before it was not."
    else:
        reason = f"There is more of the text; read it from offset {missing}."
    return replace(outcome, status=FetchStatus.TRUNCATED, next_offset=missing, reason=reason)
