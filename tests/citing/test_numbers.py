"""A number is issued and registered in one step, so that no thread can take it from the passage that it is for."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from pincite.citing import CitationRun, CitationStore, ConversationState, RegisteredHit
from pincite.citing.registered import CitedObject
from pincite.core.errors import KeyClashError

if TYPE_CHECKING:
    from collections.abc import Callable


def passage(number: int) -> dict[str, Any]:
    """Return a passage of another system."""
    return {"content": f"Passage {number} of the page.", "source_url": f"https://docs.example/{number}"}


def in_threads(*work: Callable[[], object]) -> None:
    """Run all of it at once, and wait."""
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def take(store: CitationStore, number: int) -> bool:
    """Register an object of a producer that numbers its own; say whether it got the number."""
    try:
        store.register_hit(f"own-{number}", {"content": f"Own {number}.", "number": number}, None)
    except KeyClashError:
        return False
    return True


def test_nobody_takes_a_number_between_its_issue_and_its_passage() -> None:
    """Another thread that wants it comes while the entry is made, waits, and is refused."""
    store = CitationStore()
    outcomes: list[bool] = []
    others: list[threading.Thread] = []

    def entry(number: int) -> RegisteredHit:
        others.append(threading.Thread(target=lambda: outcomes.append(take(store, number))))
        others[-1].start()
        known = CitedObject(
            text="One.", ref=store.refs.issue("9f2a1b7c-3e51"), chunk_id="9f2a1b7c-3e51", number=number
        )
        return RegisteredHit(str(number), {"number": number}, None, known=known)

    hit = store.register_numbered("9f2a1b7c-3e51", entry)
    for thread in others:
        thread.join()
    assert (hit.number, store.get_hit_by_number(1)) == (1, hit)
    assert outcomes == [False]


def test_presenting_never_fails_for_a_number_that_others_want() -> None:
    """Eight threads present passages, eight register objects with numbers of their own: each number is one's."""
    run = CitationRun("sup_numeric")
    shown: dict[int, str] = {}
    took: list[int] = []

    def present(worker: int) -> None:
        for index in range(60):
            payload = run.present(passage(worker * 60 + index))
            shown[payload["number"]] = payload["content"]

    def register(worker: int) -> None:
        took.extend(number for number in range(1 + worker, 700, 8) if take(run.store, number))

    in_threads(
        *(lambda worker=worker: present(worker) for worker in range(8)),
        *(lambda worker=worker: register(worker) for worker in range(8)),
    )
    assert len(shown) == 8 * 60
    assert not set(shown) & set(took)
    for number, content in shown.items():
        hit = run.store.get_hit_by_number(number)
        assert hit is not None
        assert (hit.known.text, hit.citation_key) == (content, str(number))


def test_a_number_that_was_issued_and_lost_is_exchanged() -> None:
    """A number that nothing was registered under, and that an object has meanwhile, is not the passage's any more."""
    run = CitationRun("sup_numeric")
    first = run.present(passage(1))["number"]
    chunk = next(iter(run.store)).known.chunk_id
    assert chunk is not None
    later = CitationStore()
    assert later.issue_number(chunk) == first == 1
    assert take(later, 1)
    again = CitationRun("sup_numeric", conversation=ConversationState(store=later))
    assert again.present(passage(1))["number"] == 2
    assert again.present(passage(1))["number"] == 2
    assert later.issue_number(chunk) == 2
    assert later.issue_number("another") == 3


def test_the_number_of_a_passage_stays_its_own() -> None:
    """Other words under its id are refused under its number, and do not get another one."""
    run = CitationRun("sup_numeric")
    uuid = "9f2a1b7c-3e51-4b8a-9c2d-771f2a6e5d10"
    assert run.present({"id": uuid, "content": "One."})["number"] == 1
    with pytest.raises(KeyClashError):
        run.present({"id": uuid, "content": "Two."})
    assert run.present(passage(1))["number"] == 2
