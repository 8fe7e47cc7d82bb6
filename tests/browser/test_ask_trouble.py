"""What goes wrong while somebody asks: it is told plainly, and asking again asks once."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from ask_parts import QUESTION, ask

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from console_parts import Console, Seen


KEPT = re.compile(r"/console/ask/\w{32}$")


@pytest.fixture(scope="module")
def console(ask_console: Console) -> Console:
    """The server that all tests of Ask share."""
    return ask_console


def refused(status: int, message: str, **headers: str) -> Callable[[Route], None]:
    """Return what answers a request as the server does that refuses it."""
    body = json.dumps({"error": {"code": "x", "message": message, "field": None}})
    return lambda route: route.fulfill(status=status, headers=headers, body=body)


def asked(page: Page) -> None:
    """Ask the question, whatever comes of it."""
    page.get_by_label("Your question").fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).click()


def stands_once(page: Page) -> None:
    """Ask again, and see that the question stands there once, with its answer, also after a reload."""
    page.get_by_role("button", name="Ask again").click()
    for reload in (False, True):
        if reload:
            expect(page).to_have_url(KEPT)
            page.reload()
        expect(page.locator("button.cite").first).to_be_visible(timeout=30_000)
        expect(page.locator(".turn.question p")).to_have_text([QUESTION])
        expect(page.locator(".turn.answered")).to_have_count(1)
        expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize(
    ("status", "message", "headers", "shown"),
    [
        (429, "Too many answers.", {"Retry-After": "5"}, "Too many answers. Try again in 5 seconds."),
        (503, "The server is full just now.", {}, "The server is full just now."),
    ],
)
def test_what_the_server_refuses_is_told(
    asking: Seen, status: int, message: str, headers: dict[str, str], shown: str
) -> None:
    """Its own sentence is shown, with a way to ask again that does not double the question."""
    page = asking.page
    page.route("**/ag-ui", refused(status, message, **headers))
    asked(page)
    expect(page.get_by_role("alert")).to_have_text(shown)
    page.unroute("**/ag-ui")
    stands_once(page)


def test_without_a_connection_one_asks_again_once(asking: Seen) -> None:
    """Offline is told as such, twice over; the question that went nowhere stands there once, and is answered later."""
    page = asking.page
    page.context.set_offline(True)
    asked(page)
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    page.get_by_role("button", name="Ask again").click()
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached.")
    expect(page.locator(".turn.question")).to_have_count(1)
    page.context.set_offline(False)
    stands_once(page)


def test_an_answer_that_was_cut_off_on_its_way_is_not_made_twice(asking: Seen) -> None:
    """Where the server has the answer and the stream did not arrive whole, asking again shows what is kept."""
    page = asking.page
    runs: list[str] = []

    def cut(route: Route) -> None:
        runs.append(route.request.url)
        whole = route.fetch().text()
        route.fulfill(content_type="text/event-stream", body=whole[: len(whole) // 3])

    page.route("**/ag-ui", cut)
    asked(page)
    expect(page.get_by_role("alert")).to_contain_text("The connection was cut")
    stands_once(page)
    assert len(runs) == 1


def test_a_conversation_that_cannot_be_read_can_be_tried_again(asking: Seen) -> None:
    """A fault while the screen loads has a button beside it, and no empty screen that claims there is nothing."""
    page = asking.page
    ask(page)
    expect(page).to_have_url(KEPT)
    page.route("**/api/manage/agents", refused(503, "The server is full just now."))
    page.reload()
    expect(page.get_by_role("alert")).to_have_text("The server is full just now.")
    page.unroute("**/api/manage/agents")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_label("Your question")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.route("**/citations", refused(503, "The server is full just now."))
    page.reload()
    expect(page.get_by_role("alert")).to_have_text("The server is full just now.")
    expect(page.get_by_text("Ask anything that your documents say.")).to_have_count(0)
    page.unroute("**/citations")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("button.cite").first).to_be_visible()
