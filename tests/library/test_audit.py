"""The log of what was read: numbered, newest first, kept for a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from at_once import at_once
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event
from still_clock import NOON, StillClock

from pincite.core.errors import InputError, LimitError
from pincite.core.limits import DEFAULT, Limits
from pincite.library import Audit, AuditEntry, Library

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DOCUMENT = "f24b301d-f73a-5291-9d80-7ea3cbd5291c"
CHUNK = "9f2a1b7c-0000-5000-8000-000000000000"
KEY, VISITOR = f"key:{DOCUMENT}", "visitor:0123456789abcdef"


@pytest.fixture
def clock() -> StillClock:
    """The clock of `library`."""
    return StillClock()


@pytest.fixture
def library(home: Path, clock: StillClock) -> Iterator[Library]:
    """A library at noon that keeps its log for 10 seconds and shows 5 entries at once."""
    with Library.open(home, clock=clock, limits=Limits(audit_seconds=10.0, audit_rows=5)) as opened:
        yield opened


@pytest.fixture
def audit(library: Library) -> Audit:
    """The library's log."""
    return Audit(library)


def test_ninety_days_are_the_default() -> None:
    """And an operator may keep it for years."""
    assert DEFAULT.audit_seconds == 90 * 24 * 60 * 60
    years = Limits.from_env({"PINCITE_LIMIT_AUDIT_SECONDS": "315360000"})
    assert years.audit_seconds == 315_360_000


def test_what_is_written_is_read(audit: Audit, clock: StillClock) -> None:
    """Numbered from 1, the newest first, with the time of the library's clock to the microsecond."""
    assert audit.read() == []
    first = audit.write(KEY, "read_document", document_id=DOCUMENT, request_id="r-1")
    clock.wait(1.000001)
    second = audit.write(VISITOR, "preview", document_id=DOCUMENT, chunk_id=CHUNK)
    assert first == AuditEntry(1, NOON, KEY, "read_document", DOCUMENT, None, "r-1")
    later = NOON + timedelta(seconds=1, microseconds=1)
    assert second == AuditEntry(2, later, VISITOR, "preview", DOCUMENT, CHUNK, None)
    assert audit.read() == [second, first]


def test_it_is_read_page_by_page(audit: Audit) -> None:
    """`before` goes on where the last page ended, also after new entries came."""
    written = [audit.write(KEY, f"a{number}") for number in range(7)][::-1]
    assert audit.read(limit=3) == written[:3]
    newest = audit.write(KEY, "late")
    assert audit.read(before=written[2].number, limit=3) == written[3:6]
    assert audit.read(before=written[5].number, limit=3) == written[6:]
    assert audit.read(before=1, limit=3) == []
    assert audit.read() == [newest, *written[:4]]
    assert audit.read(before=10**30, limit=1) == [newest]


@pytest.mark.parametrize(
    ("given", "kind", "field"),
    [
        ({"limit": 0}, InputError, "limit"),
        ({"limit": -1}, InputError, "limit"),
        ({"limit": 6}, LimitError, "limit"),
        ({"limit": 2.0}, InputError, "limit"),
        ({"limit": "5"}, InputError, "limit"),
        ({"limit": True}, InputError, "limit"),
        ({"limit": 5, "before": "x"}, InputError, "before"),
        ({"limit": 5, "before": 1.5}, InputError, "before"),
    ],
)
def test_a_page_is_bounded(audit: Audit, given: Any, kind: type[InputError], field: str) -> None:
    """By a named limit; anything but a whole number is told in a sentence."""
    with pytest.raises(kind) as caught:
        audit.read(**given)
    assert caught.value.field == field


def test_it_is_kept_for_a_time(audit: Audit, clock: StillClock) -> None:
    """What is older is neither read nor, once it is swept, there; a number is never given twice."""
    audit.write(KEY, "old")
    clock.wait(1)
    audit.write(KEY, "kept")
    clock.wait(9)
    assert [one.action for one in audit.read(limit=5)] == ["kept", "old"]
    assert audit.sweep() == 0
    clock.wait(0.5)
    assert [one.action for one in audit.read(limit=5)] == ["kept"]
    assert audit.sweep() == 1
    assert audit.sweep() == 0
    clock.wait(100)
    assert audit.sweep() == 1
    assert audit.write(KEY, "new").number == 3


def test_tenants_have_logs_of_their_own(library: Library, audit: Audit, clock: StillClock) -> None:
    """Numbered apart, read apart and swept apart."""
    other = Audit(library.of_tenant("other"))
    mine = audit.write(KEY, "mine")
    theirs = other.write(KEY, "theirs")
    assert (mine.number, theirs.number) == (1, 1)
    assert audit.read(limit=5) == [mine]
    assert other.read(limit=5) == [theirs]
    clock.wait(11)
    assert other.sweep() == 1
    assert audit.sweep() == 1


def test_many_write_at_once(audit: Audit) -> None:
    """Each entry has a number of its own, and none is left out."""

    def work(number: int) -> None:
        for _ in range(5):
            audit.write(KEY, f"a{number}")

    assert at_once(8, work) == []
    numbers: list[int] = []
    before: int | None = None
    while page := audit.read(before=before, limit=5):
        numbers += [one.number for one in page]
        before = page[-1].number
    assert numbers == list(range(40, 0, -1))


@pytest.mark.parametrize(
    "who",
    [
        "",
        "key:",
        "key",
        "root:x",
        "key:pck_0123456789012345678901234567890123456789012",
        "visitor:kve_01234567890123456789012345678901",
        "key:" + "x" * 65,
        "key:a\n",
        " key:a",
        None,
        7,
    ],
)
def test_who_is_an_id(audit: Audit, who: Any) -> None:
    """And can be no key, which has an underscore."""
    with pytest.raises(InputError) as caught:
        audit.write(who, "read")
    assert caught.value.field == "who"
    assert audit.read(limit=5) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("action", ""),
        ("action", "x" * 65),
        ("action", "a\nb"),
        ("action", None),
        ("document_id", "x"),
        ("document_id", 7),
        ("chunk_id", DOCUMENT.upper()),
        ("chunk_id", ""),
        ("request_id", 7),
    ],
)
def test_other_entries_are_refused(audit: Audit, field: str, value: Any) -> None:
    """With a sentence, and nothing is written."""
    with pytest.raises(InputError) as caught:
        audit.write(KEY, **({"action": "read"} | {field: value}))
    assert caught.value.field == field
    assert audit.read(limit=5) == []


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("x" * 128, "x" * 128),
        ("x" * 200, "x" * 127 + "…"),
        ("a\nb\u202ec", "a b c"),
        ("", None),
        ("\x00", "\ufffd"),
    ],
)
def test_a_requests_id_is_cut(audit: Audit, sent: str, kept: str | None) -> None:
    """It is the client's, who may send anything: no entry fails for it, and none is split by it."""
    assert audit.write(KEY, "read", request_id=sent).request_id == kept
    assert audit.read(limit=5)[0].request_id == kept


@pytest.mark.on_sqlite
@given(
    waits=st.lists(st.integers(0, 12), min_size=1, max_size=8), page=st.integers(1, 5), sweeps=st.booleans()
)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pages_are_the_whole(
    library: Library, clock: StillClock, waits: list[int], page: int, *, sweeps: bool
) -> None:
    """Whatever the pages and times: together they are the entries of the last 10 seconds, swept or not."""
    audit = Audit(library.of_tenant(library.new_id()))
    written: list[AuditEntry] = []
    for seconds in waits:
        clock.wait(seconds)
        written.append(audit.write(KEY, "read"))
    kept = [one for one in written if one.at >= clock() - timedelta(seconds=10)]
    if sweeps:
        assert audit.sweep() == len(written) - len(kept)
    found: list[AuditEntry] = []
    while some := audit.read(before=found[-1].number if found else None, limit=page):
        assert len(some) <= page
        found += some
    assert found == kept[::-1]
    assert [replace(one, number=0) for one in found] == [replace(one, number=0) for one in kept[::-1]]


@pytest.mark.on_sqlite
def test_a_page_is_read_in_the_order_of_numbers(library: Library, audit: Audit) -> None:
    """The database does not sort what is kept, which may be millions, for each page."""
    sent: dict[str, Any] = {}

    def heard(_: object, __: object, statement: str, parameters: Any, *___: object) -> None:
        if statement.startswith("SELECT"):
            sent[statement] = parameters

    event.listen(library.database.engine, "before_cursor_execute", heard)
    audit.read()
    audit.read(before=3)
    event.remove(library.database.engine, "before_cursor_execute", heard)
    assert len(sent) == 2
    with library.database.reading() as connection:
        for one, values in sent.items():
            plan = [step.detail for step in connection.exec_driver_sql("EXPLAIN QUERY PLAN " + one, values)]
            assert len(plan) == 1, plan
            assert "audit_by_age" not in plan[0]
