"""An agent of the server that searches MOCA packages: set up in the console, asked, and read again."""

from __future__ import annotations

import re
import shutil
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from ask_parts import ask, choose
from console_parts import running

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from playwright.sync_api import Browser, Locator

    from console_parts import Console, Seen

DATA = Path(__file__).resolve().parent.parent / "data" / "moca"
QUESTION = "How long is the warranty on flow meters?"


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A server with the signed example package."""
    folder = tmp_path_factory.mktemp("moca")
    shutil.copytree(DATA / "service-desk", folder / "packages" / "service-desk")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_MOCA", str(folder / "packages"))
        patch.setenv("PINCITE_MOCA_TRUST", str(DATA / "trust-root.json"))
        with running(folder / "home") as found:
            yield found


def tells_of_trust(card: Locator) -> None:
    """Hold what a card says of the warranty: its words, and the facts one by one, as of a moment."""
    expect(card.locator(".snippet").first).to_contain_text("36 months")
    expect(card.locator("[data-kind=signature]")).to_have_text(
        re.compile("^Package signed by .?Halvick example publisher")
    )
    # An author's word is never told as a signed review.
    declared = card.locator("[data-kind=declared_check]")
    expect(declared).to_have_text(re.compile(r"^Declared checked by .?human:mira\.okafor.? \(2026-09-14\)"))
    expect(declared).not_to_contain_text("attested")
    review = card.locator("[data-kind=attested_review]")
    expect(review).to_contain_text("Halvick example reviewer")
    expect(review).to_contain_text("accurate")
    expect(card).to_contain_text(re.compile(r"As of \d+ \w+ \d{4}, \d\d:\d\d UTC"))
    expect(card).not_to_contain_text("no longer available")


def test_an_agent_that_searches_packages_shows_who_stands_for_its_sources(signed_in: Seen) -> None:
    """The checkbox is kept; the answer's card tells the facts, and so does the same answer when it is read again."""
    page = signed_in.go("/console/agents/new")
    page.get_by_label("Name").fill("Desk")
    box = page.get_by_label("MOCA packages of the server")
    expect(box).not_to_be_checked()
    expect(page.get_by_text("The server has no packages yet")).to_have_count(0)
    box.check()
    page.get_by_role("button", name="Create").click()
    page.get_by_role("link", name="Desk", exact=True).click()
    expect(box).to_be_checked()
    choose(page, page.url.rsplit("/", 1)[-1])
    signed_in.go("/console/ask")
    number = ask(page, QUESTION).first
    number.hover()
    tells_of_trust(page.locator(".cite-card"))
    number.click()
    tells_of_trust(page.locator(".panel"))
    expect(page).to_have_url(re.compile(r"/console/ask/\w{32}$"))
    page.reload()
    number.hover()
    tells_of_trust(page.locator(".cite-card"))


def test_a_server_without_packages_says_so_at_the_checkbox(signed_in: Seen) -> None:
    """Whoever sets up an agent is told that the setting changes nothing yet."""
    signed_in.page.route("**/api/manage/packages", lambda route: route.fulfill(json={"packages": []}))
    page = signed_in.go("/console/agents/new")
    expect(page.get_by_text("The server has no packages yet, so this changes nothing.")).to_be_visible()


class Site(ThreadingHTTPServer):
    """A site of one page."""

    page = b""


@contextmanager
def site() -> Generator[Site]:
    """Serve a page on a port of its own until the block ends; its `page` is set by whoever wants one."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(served.page)

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - as its base has it
            """Say nothing."""

    served = Site(("127.0.0.1", 0), Page)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    try:
        yield served
    finally:
        served.shutdown()
        served.server_close()


def test_the_widget_shows_a_record_in_place_of_a_preview(console: Console, chromium: Browser) -> None:
    """A visitor sees the words of the record and what is known of it, also when the page is loaded again."""
    agent = console.ask("POST", "/api/manage/agents", {"name": "Site", "moca": True})["agent_id"]
    with site() as served, chromium.new_context() as context:
        base = f"http://127.0.0.1:{served.server_address[1]}"
        made = {"name": "Site", "allowed_origins": [base], "previews": True}
        key = console.ask("POST", f"/api/manage/agents/{agent}/embeds", made)["key"]
        served.page = (
            f"<!doctype html><body><script src='{console.base}/widget.js' data-key='{key}'></script>".encode()
        )
        page = context.new_page()
        page.goto(base)
        page.get_by_role("button", name="Ask a question").click()
        page.get_by_label("Your question").fill(QUESTION)
        page.get_by_label("Your question").press("Enter")
        source = page.locator(".source")
        for _ in range(2):
            page.locator("button.number").first.click()
            tells_of_trust(source)
            page.reload()
