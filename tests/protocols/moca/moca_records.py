"""Records, a Reader and messages for the tests of MOCA. All of them are made up here, by hand; no Reader made them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from pincite.citing import CitationRun
from pincite.protocols.moca import MocaCiter, MocaSource, RunLedger
from pincite.showing import NumberedText, numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pincite.core.answer import Answer

KB = "https://example.org/moca/kb"
DIGEST = "sha256:" + "a" * 64
OTHER_DIGEST = "sha256:" + "b" * 64
FILE = "sha256:" + "1" * 64
OTHER_FILE = "sha256:" + "2" * 64
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def record(
    path: str = "refund-window",
    text: str | None = "Refunds are possible for 30 days.",
    *,
    start: int | None = 100,
    package: dict[str, Any] | None = None,
    node: dict[str, Any] | None = None,
    trust: dict[str, Any] | None = None,
    more: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a record that keeps to the schema; parts that are given take the place of its own."""
    about = {"id": KB, "version": "4.2.0", "digest": DIGEST, "signed": False, **(package or {})}
    made: dict[str, Any] = {
        "package": about,
        "node": {
            "id": f"{about['id']}#{path}",
            "ref": f"{about['id']}@{about['version']}#{path}",
            "path": path,
            "type": "Policy",
            "title": path.replace("-", " ").capitalize(),
            "digest": FILE,
            **(node or {}),
        },
    }
    if start is not None:
        made["span"] = {"start": start, "end": start + len((text or "").encode())}
    if text is not None:
        made["text"] = text
    made["trust"] = {
        "status": "stable",
        "generated": None,
        "declaredVerified": [],
        "attestedReviews": [],
        "stale": False,
        "inForce": True,
        "superseded": False,
        "contested": False,
        **(trust or {}),
    }
    made["evidence"] = []
    return {**made, **(more or {})}


def ref(path: str = "refund-window") -> str:
    """Return the versioned reference of a node of the package."""
    return f"{KB}@4.2.0#{path}"


@dataclass
class HandReader:
    """A search and a library over records that it is given: the documented calls, and nothing behind them."""

    records: list[Any] = field(default_factory=list)
    asked: list[tuple[str, int, dict[str, Any]]] = field(default_factory=list)

    def search(self, query: str, *, limit: int, **options: Any) -> list[Any]:
        """Return the first records, whatever the question is."""
        self.asked.append((query, limit, options))
        return self.records[:limit]

    def get(self, ref: str) -> Any:
        """Return the record of a reference."""
        return next((one for one in self.records if one["node"]["ref"] == ref), None)


@dataclass(frozen=True)
class Ended:
    """A message that has ended, as the AG-UI door hands it to a citer."""

    message_id: str
    shown: NumberedText
    answer: Answer

    @property
    def text(self) -> str:
        """The text as the client has it."""
        return self.shown.text


def ended(run: CitationRun, text: str, message_id: str = "msg-1") -> Ended:
    """Return the message that a model's text becomes."""
    answer = run.resolve(text)
    return Ended(message_id, numbered(answer), answer)


@dataclass
class Turn:
    """One run over records, all of them shown to the model: `keys` are what it may write for each, in order."""

    run: CitationRun
    source: MocaSource
    keys: list[str]

    @property
    def ledger(self) -> RunLedger:
        """What was read."""
        return self.source.ledger

    def value(self, text: str, message_id: str = "msg-1", **options: Any) -> dict[str, Any]:
        """Return the value of the event for a model's text, in which `{0}` is the marker of the first record."""
        written = text.format(*(f"[{key}]" for key in self.keys))
        ((name, value),) = MocaCiter(self.ledger, **options).cite(ended(self.run, written, message_id))
        assert name == "moca.citations"
        return value


def turn(
    *records: dict[str, Any],
    wire_format: str | None = None,
    clock: Callable[[], datetime] | None = lambda: NOON,
    loaded: Iterable[str] | None = None,
) -> Turn:
    """Return a run to which `records` were shown by a search."""
    run = CitationRun(wire_format)
    source = MocaSource(run, HandReader(list(records)), ledger=RunLedger(clock=clock, loaded=loaded))
    shown = source.search("anything", limit=max(1, len(records)))
    field_name = run.format.key_field
    return Turn(run, source, [str(one[field_name]) for one in shown] if field_name else [])


def ticking(first: datetime = NOON, step: timedelta = timedelta(minutes=1)) -> Callable[[], datetime]:
    """Return a clock that is a step further each time that it is asked."""
    times = iter(range(1_000))
    return lambda: first + step * next(times)


def refs_in(value: dict[str, Any]) -> list[str]:
    """Return the references of an event's citations, in order."""
    return [one["record"]["node"]["ref"] for one in value["citations"]]
