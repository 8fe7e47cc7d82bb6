"""What a record says of trust, put into facts that stand each by itself: never one badge.

What an author declares is never told as what somebody signed, a signed review is told with its outcome, and what is
not there reads as not known here. Names stand in quotation marks, so that none can pose as a fact. Flags are true at
one moment, `as_of`; what can be told anew for today stands beside them, in `now`, and changes nothing of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import UNSEEN, one_line
from pincite.core.urls import safe_link
from pincite.protocols.moca._names import dated, one_of, quoted, quoted_names
from pincite.protocols.moca.moments import bound_of, told

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from pincite.protocols.moca.record import MocaRecord

# How much more of a text is looked at than is shown of it: what is left out of a label may stand in front.
_SPARE = 8
# What no text shows: one class, linear.
_UNSEEN = re.compile(f"[{UNSEEN}]")
# The outcome of a review that is none to be warned of, and the other words that stand in no quotation marks.
_GOOD = "accurate"
_OUTCOMES: Final = frozenset({_GOOD, "needs-change", "inaccurate"})
_USUAL = "stable"
_STATUSES: Final = frozenset({_USUAL, "draft", "deprecated"})


class _Room(NamedTuple):
    """How much of the names a sentence tells: how many of a list, and code points of each."""

    names: int
    length: int


_SENTENCE, _BRIEF = _Room(5, 200), _Room(1, 24)


class FactKind(StrEnum):
    """What a fact is about. No two of them may be shown as one."""

    SIGNATURE = "signature"
    ATTESTED_REVIEW = "attested_review"
    DECLARED_CHECK = "declared_check"
    GENERATED = "generated"
    STATUS = "status"
    STALE = "stale"
    IN_FORCE = "in_force"
    SUPERSEDED = "superseded"
    CONTESTED = "contested"
    EVIDENCE = "evidence"


class EvidenceMatch(StrEnum):
    """Whether a quote was found in the node's own source: it says nothing of whether the claim is true."""

    FOUND = "found"
    NOT_FOUND = "not_found"
    NOT_CHECKED = "not_checked"


@dataclass(frozen=True, slots=True)
class TrustFact:
    """One fact in one sentence; `warns` says that a reader must not overlook it.

    `is_for_model` says that a model should know of it too.
    """

    kind: FactKind
    text: str
    warns: bool = False
    is_for_model: bool = False


@dataclass(frozen=True, slots=True)
class Declared:
    """A check, or the making of the node, as its author declares it: nobody signed that."""

    by: str
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """A review whose signature the Reader verified. The reviewer's name is what `signer` says; it may be negative."""

    reviewer: str
    reviewed_at: str
    outcome: str
    signer: str
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """One of the node's own sources. `link` is set only when it is safe to follow; `resource` is text in any case."""

    title: str
    resource: str
    link: str | None
    quote: str
    place: str
    note: str
    match: EvidenceMatch


@dataclass(frozen=True, slots=True)
class TrustNow:
    """What the record's own dates give for another moment, `at`: None where they do not tell.

    Nothing else of a record can be told anew without a Reader.
    """

    at: datetime
    stale: bool | None
    in_force: bool | None


@dataclass(frozen=True, slots=True)
class TrustFacts:
    """What a record says of trust; every text is one line without control or invisible characters, and bounded."""

    signed: bool
    signers: tuple[str, ...]
    reviews: tuple[Review, ...]
    declared: tuple[Declared, ...]
    generated: Declared | None
    status: str
    stale: bool
    stale_after: str | None
    in_force: bool
    valid_from: str | None
    valid_until: str | None
    superseded: bool
    superseded_by: tuple[str, ...]
    contested: bool
    contested_by: tuple[str, ...]
    evidence: tuple[ShownEvidence, ...]
    as_of: str | None = None
    now: TrustNow | None = None

    @property
    def facts(self) -> tuple[TrustFact, ...]:
        """Every fact as a sentence, in the order in which a reader should see them: warnings first."""
        all_of_them = tuple(_sentences(self, _SENTENCE))
        return (
            *(fact for fact in all_of_them if fact.warns),
            *(fact for fact in all_of_them if not fact.warns),
        )


def facts_of(
    record: MocaRecord, *, as_of: str | None = None, now: datetime | None = None, limits: Limits = DEFAULT
) -> TrustFacts:
    """Return what a record says of trust. `as_of` is when that was true, `now` a moment to tell its dates for anew.

    Raises:
        InputError: `now` has no offset.
    """
    clean = Cleaner(limits)
    trust, package = record.trust, record.package
    generated = trust.get("generated")
    return TrustFacts(
        signed=package["signed"],
        signers=clean.labels(package.get("signers", ())) if package["signed"] else (),
        reviews=tuple(
            Review(
                clean.label(one["reviewer"]),
                clean.label(one["reviewedAt"]),
                clean.label(one["outcome"]),
                clean.label(one["signer"]),
                clean.maybe(one.get("scope")),
            )
            for one in clean.some(trust["attestedReviews"])
        ),
        declared=tuple(_declared(one, clean) for one in clean.some(trust["declaredVerified"])),
        generated=None if generated is None else _declared(generated, clean),
        status=clean.label(trust["status"]),
        stale=trust["stale"],
        stale_after=clean.maybe(trust.get("staleAfter")),
        in_force=trust["inForce"],
        valid_from=clean.maybe(trust.get("validFrom")),
        valid_until=clean.maybe(trust.get("validUntil")),
        superseded=trust["superseded"],
        superseded_by=clean.labels(trust.get("supersededBy", ())),
        contested=trust["contested"],
        contested_by=clean.labels(trust.get("contestedBy", ())),
        evidence=tuple(_evidence(one, clean) for one in clean.some(record.evidence)),
        as_of=as_of,
        now=None if now is None else now_of(record, now),
    )


def now_of(record: MocaRecord, now: datetime) -> TrustNow:
    """Return what the dates of a record give for the moment `now`, which has an offset.

    A date without a time is its midnight in UTC. A bound that cannot be read gives None; so does a flag that no date
    of the record explains. In force is from `validFrom` on, and before `validUntil`.

    Raises:
        InputError: the moment has no offset.
    """
    told(now)
    trust = record.trust
    after = trust.get("staleAfter")
    stale: bool | None = None
    if after is None:
        stale = None if trust["stale"] else False
    elif (bound := bound_of(after)) is not None:
        stale = now >= bound
    first, last = trust.get("validFrom"), trust.get("validUntil")
    in_force: bool | None = None
    if first is None and last is None:
        in_force = True if trust["inForce"] else None
    else:
        begins, ends = bound_of(first), bound_of(last)
        if (begins is not None or first is None) and (ends is not None or last is None):
            in_force = (begins is None or now >= begins) and (ends is None or now < ends)
    return TrustNow(now, stale, in_force)


class Cleaner:
    """Makes what a reader sees of what came in: bounded, on one line, no control or invisible characters."""

    __slots__ = ("_label", "_list", "_text")

    def __init__(self, limits: Limits) -> None:
        self._label, self._text, self._list = (
            limits.moca_label_code_points,
            limits.moca_text_code_points,
            limits.moca_list,
        )

    def label(self, value: object) -> str:
        """Return a field as a label; what is no text gives none."""
        return one_line(value[: self._label * _SPARE], self._label) if isinstance(value, str) else ""

    def maybe(self, value: object) -> str | None:
        """Return a field as a label, None where it is absent."""
        return None if value is None else self.label(value)

    def words(self, value: object) -> str:
        """Return a longer text as one line."""
        return one_line(value[: self._text * 2], self._text) if isinstance(value, str) else ""

    def passage(self, value: str) -> str:
        """Return the text of a record, which may have several lines."""
        return _UNSEEN.sub(" ", value[: self._text])

    def some(self, values: Iterable[Any]) -> Iterator[Any]:
        """Yield as many entries of a list as are shown."""
        return islice(values, self._list)

    def labels(self, values: Iterable[object]) -> tuple[str, ...]:
        """Return a list of names as labels, those that show nothing left out."""
        return tuple(label for value in self.some(values) if (label := self.label(value)))


def _declared(one: Mapping[str, Any], clean: Cleaner) -> Declared:
    return Declared(clean.label(one["by"]), clean.maybe(one.get("at")))


def _evidence(one: Mapping[str, Any], clean: Cleaner) -> ShownEvidence:
    source, selector = one["source"], one.get("selector", {})
    resource = source.get("resource")
    match = one.get("matched")
    return ShownEvidence(
        title=clean.label(source.get("title")) or clean.label(source.get("id")),
        resource=clean.label(resource),
        # A relative one stands in the package, and leads nowhere from a page of ours.
        link=safe_link(resource) if isinstance(resource, str) else None,
        quote=clean.words(selector.get("exact")),
        place=_place(selector, clean),
        note=clean.words(one.get("note")),
        match=EvidenceMatch.NOT_CHECKED
        if match is None
        else EvidenceMatch.FOUND
        if match
        else EvidenceMatch.NOT_FOUND,
    )


def _place(selector: Mapping[str, Any], clean: Cleaner) -> str:
    """Return where a selector leads that quotes no words: a fragment such as `page=4`, or positions."""
    value = clean.label(selector.get("value"))
    if value:
        return value
    start, end = selector.get("start"), selector.get("end")
    whole = all(isinstance(one, int) and not isinstance(one, bool) for one in (start, end))
    return f"{start}-{end}" if whole else ""


def said_briefly(trust: TrustFacts) -> Iterator[str]:
    """Yield what a model should know, warnings first, each in a few words without a full stop.

    However many names there are and however long they are, all of it is shorter than 500 code points: of a list the
    first is named, and of reviews that went badly the first is told.
    """
    facts = [fact for fact in _sentences(trust, _BRIEF) if fact.is_for_model]
    reviews = [fact for fact in facts if fact.kind is FactKind.ATTESTED_REVIEW]
    for fact in sorted(facts, key=lambda fact: not fact.warns):
        text = fact.text.rstrip(".")
        if fact.kind is not FactKind.ATTESTED_REVIEW:
            yield text
        elif fact is reviews[0]:
            yield f"{text} and {len(reviews) - 1} more" if len(reviews) > 1 else text


def _sentences(trust: TrustFacts, room: _Room) -> Iterator[TrustFact]:
    yield _signature(trust, room)
    for review in trust.reviews:
        warns = review.outcome != _GOOD
        yield TrustFact(FactKind.ATTESTED_REVIEW, _reviewed(review, room), warns, warns)
    for declared in trust.declared:
        text = (
            f"Declared checked by {quoted(declared.by, room.length)}{_at(declared.at, room)}: the author's own "
            "statement, signed by nobody."
        )
        yield TrustFact(FactKind.DECLARED_CHECK, text)
    if trust.generated is not None:
        text = (
            f"Declared as made by {quoted(trust.generated.by, room.length)}{_at(trust.generated.at, room)}."
        )
        yield TrustFact(FactKind.GENERATED, text)
    unusual = trust.status != _USUAL
    status = one_of(trust.status, _STATUSES, room.length)
    yield TrustFact(FactKind.STATUS, f"Status: {status}.", unusual, unusual)
    yield from _flags(trust, room)
    yield from _now_facts(trust, room)
    yield from _evidence_facts(trust)


def _reviewed(review: Review, room: _Room) -> str:
    """Return what a review says; in few words without its scope and its day."""
    whole = room is _SENTENCE
    scope = f", of {quoted(review.scope, room.length)}" if review.scope and whole else ""
    outcome = one_of(review.outcome, _OUTCOMES, room.length) if review.outcome else "no outcome"
    return (
        f"Review by {quoted(review.reviewer, room.length)}{scope}, attested by the signature of "
        f"{quoted(review.signer, room.length)}: {outcome}{_at(review.reviewed_at, room) if whole else ''}."
    )


def _signature(trust: TrustFacts, room: _Room) -> TrustFact:
    if not trust.signed:
        text = "Not attested here: the service verified no signature of the package."
    elif trust.signers:
        text = f"Package signed by {quoted_names(trust.signers, *room)}."
    else:
        text = "Package signed."
    return TrustFact(FactKind.SIGNATURE, text, is_for_model=trust.signed)


def _flags(trust: TrustFacts, room: _Room) -> Iterator[TrustFact]:
    after = dated(trust.stale_after, room.length) if trust.stale_after else ""
    if trust.stale:
        yield TrustFact(
            FactKind.STALE, f"Stale{f' since {after}' if after else ''}.", warns=True, is_for_model=True
        )
    elif after:
        yield TrustFact(FactKind.STALE, f"Stale from {after} on.")
    window = ", ".join(
        f"{word} {dated(day, room.length)}"
        for word, day in (("from", trust.valid_from), ("until", trust.valid_until))
        if day
    )
    if not trust.in_force:
        text = f"Not in force{f' (valid {window})' if window else ''}."
        yield TrustFact(FactKind.IN_FORCE, text, warns=True, is_for_model=True)
    elif window:
        yield TrustFact(FactKind.IN_FORCE, f"In force: valid {window}.")
    for kind, is_so, names in (
        (FactKind.SUPERSEDED, trust.superseded, trust.superseded_by),
        (FactKind.CONTESTED, trust.contested, trust.contested_by),
    ):
        if is_so:
            by = f" by {quoted_names(names, *room)}" if names else ""
            yield TrustFact(kind, f"{kind.value.capitalize()}{by}.", warns=True, is_for_model=True)


def _evidence_facts(trust: TrustFacts) -> Iterator[TrustFact]:
    """Yield how many pieces of evidence are so, each of the three by itself."""
    for match, said in (
        (EvidenceMatch.FOUND, "found in its source"),
        (EvidenceMatch.NOT_FOUND, "not found in its source"),
        (EvidenceMatch.NOT_CHECKED, "not checked"),
    ):
        count = sum(one.match is match for one in trust.evidence)
        if count:
            warns = match is EvidenceMatch.NOT_FOUND
            yield TrustFact(FactKind.EVIDENCE, f"Evidence {said}: {count}.", warns, warns)


def _now_facts(trust: TrustFacts, room: _Room) -> Iterator[TrustFact]:
    """Yield what has come about since the flags were true."""
    now = trust.now
    if now is None:
        return
    day = now.at.date().isoformat()
    if now.stale and not trust.stale:
        after = dated(trust.stale_after or "", room.length)
        yield TrustFact(FactKind.STALE, f"Stale by now ({day}): after {after}.", warns=True)
    if now.in_force is False and trust.in_force:
        yield TrustFact(FactKind.IN_FORCE, f"Not in force any more, or not yet, by now ({day}).", warns=True)


def _at(at: str | None, room: _Room) -> str:
    return f" ({dated(at, room.length)})" if at else ""


def as_json(trust: TrustFacts) -> dict[str, Any]:
    """Return the facts as JSON holds them, for a page that shows them."""
    return {
        "facts": [{"kind": fact.kind.value, "text": fact.text, "warns": fact.warns} for fact in trust.facts],
        "as_of": trust.as_of,
        "now": None
        if trust.now is None
        else {"at": told(trust.now.at), "stale": trust.now.stale, "in_force": trust.now.in_force},
        "evidence": [
            {
                "title": one.title, "resource": one.resource, "link": one.link, "quote": one.quote,
                "place": one.place, "note": one.note, "match": one.match.value,
            }
            for one in trust.evidence
        ],
    }  # fmt: skip
