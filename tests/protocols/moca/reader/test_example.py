"""The example package, its signatures, and the event that the documentation shows."""

from __future__ import annotations

import importlib.util
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from moca_packages import DATA, codes, independent_digest

from pincite.citing import CitationRun
from pincite.protocols.moca import MocaCiter, MocaSource, RunLedger, read_event, strict, valid_event
from pincite.protocols.moca.reader import Library, Search, read_package
from pincite.showing import numbered

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[4]
EVENT = ROOT / "docs" / "moca-event.json"
AT = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 12, 1, tzinfo=UTC)
KB = "https://halvick.example/moca/service-desk"


def loaded(*names: str, at: datetime = AT) -> Library:
    """Return a library with some of the example packages, read by a host that trusts their keys."""
    root = json.loads((DATA / "trust-root.json").read_text(encoding="utf-8"))
    made = Library(now=at)
    for name in names or ("service-desk",):
        made.add(read_package(DATA / name, trust_root=root, now=at))
    return made


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The program that signs the example."""
    spec = importlib.util.spec_from_file_location("make_moca", ROOT / "tools" / "make_moca.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_signatures_and_event_are_those_of_the_tool(
    tool: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing that is made is out of date, or was changed by hand."""
    assert tool.main(["--check"]) == 0, capsys.readouterr().out


def test_the_event_of_the_page_is_the_readers_own_record() -> None:
    """A service and a client of the event take it as it is, and its record is the one that the Reader returns."""
    event = json.loads(EVENT.read_text(encoding="utf-8"))
    assert valid_event(event).diagnostics == ()
    ((citation,), value) = event["value"]["citations"], event["value"]
    assert citation["record"] == loaded().get(f"{KB}@2.1.0#warranty.md")
    assert strict(citation["record"]).diagnostics == ()
    taken, remarks = read_event(value, has_message=lambda name: name == "msg-answer-1")
    assert taken is not None
    assert remarks == ()
    assert [one.record.as_dict() for one in taken.citations] == [citation["record"]]


def test_what_is_in_the_example() -> None:
    """Signed and reviewed, in two languages, with a stale, a contested, an internal node, and one quote not found."""
    found = loaded()
    (package,) = found.packages
    files = {
        path.relative_to(DATA / "service-desk").as_posix(): path.read_bytes()
        for path in (DATA / "service-desk").rglob("*")
        if path.is_file()
    }
    assert package.digest == independent_digest(files)
    assert package.capabilities == ("core", "localized", "located-evidence", "reviewed", "signed")
    assert codes(package) == {"C011"}
    by_path = {one["node"]["path"]: one for one in found.citations()}
    assert {path for path, one in by_path.items() if one["trust"]["stale"]} == {"repair-times.md"}
    assert {path for path, one in by_path.items() if one["trust"]["contested"]} == {"calibration-interval.md"}
    assert {path for path, one in by_path.items() if one["audience"] == "internal"} == {"goodwill.md"}
    matched = {path: [item.get("matched") for item in one["evidence"]] for path, one in by_path.items()}
    assert matched == {
        "warranty.md": [True, True, None],
        "repair-times.md": [True, True],
        "calibration-interval.md": [True, False],
        "goodwill.md": [],
    }


def test_the_newer_package_supersedes_the_older() -> None:
    """A search returns the newer one alone, from the moment on at which it is in force, and none before."""
    both = loaded("service-desk", "service-desk-3", at=LATER)
    found = Search(both, audiences=["public"]).search("warranty on data loggers")
    assert {one["node"]["ref"] for one in found} == {f"{KB}@3.0.0#warranty.md"}
    before = Search(loaded("service-desk", "service-desk-3"), audiences=["public"])
    assert before.search("warranty on data loggers") == []


def test_from_the_reader_to_the_event() -> None:
    """A run shows the Reader's records to a model, and the event of its answer carries them as the Reader made them."""
    found = loaded()
    search = Search(found, audiences=["public"])
    run = CitationRun()
    ledger = RunLedger(loaded=found.digests, clock=lambda: AT)
    source = MocaSource(run, search, library=search, ledger=ledger)
    shown = source.search("How long is the warranty on data loggers?", limit=3, locale="en")
    best = next(one for one in shown if "36 months" in one["content"])
    text = f"It is 24 months [{best['ref']}], see {KB}@2.1.0#goodwill.md."
    assert source.read(f"{KB}@2.1.0#goodwill.md") is None
    answer = run.resolve(text)

    class Message:
        """An assistant message that has ended."""

        message_id = "msg-1"

    message: Any = Message()
    message.answer, message.shown = answer, numbered(answer)
    ((name, value),) = MocaCiter(ledger).cite(message)
    assert name == "moca.citations"
    (citation,) = value["citations"]
    assert citation["marker"] == "[1]"
    record = citation["record"]
    assert "24 months" in record["text"]
    assert record["node"]["ref"] == f"{KB}@2.1.0#warranty.md"
    assert record["package"]["signers"] == ["Halvick example publisher"]
    assert source.diagnostics == ()
