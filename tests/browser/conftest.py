"""A console in a browser: one server and one browser for all tests, a page for each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from absent import missing
from ask_parts import SENTENCE, agent_over, choose
from console_parts import CHROMIUM, WIDE, Console, Seen, browser, running
from pdf_maker import PdfMaker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Dialog

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A server over a library of its own."""
    with running(tmp_path_factory.mktemp("console") / "home") as found:
        yield found


@pytest.fixture(scope="session")
def ask_console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """A server that all tests of Ask share: the first question costs it the loading of its models."""
    with running(tmp_path_factory.mktemp("ask") / "home") as found:
        yield found


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser."""
    pytest.importorskip("playwright", reason="The package `playwright` is not installed.")
    if CHROMIUM is None:
        missing("Chromium is not installed; it is Debian's package `chromium`.")
    from playwright.sync_api import expect

    expect.set_options(timeout=20_000)  # other tests run beside these
    with browser() as found:
        yield found


@pytest.fixture
def seen(chromium: Browser, console: Console) -> Iterator[Seen]:
    """A fresh page, where nobody has signed in. No test may end with a fault or a request to another host."""
    context = chromium.new_context(viewport=WIDE, reduced_motion="reduce")
    context.set_default_timeout(20_000)
    page = context.new_page()
    found = Seen(page, console)
    page.on("request", lambda request: found.requests.append(request.url))
    page.on("pageerror", lambda error: found.faults.append(str(error)))

    def asked(dialog: Dialog) -> None:
        found.faults.append(dialog.message)
        dialog.dismiss()

    def logged(said: ConsoleMessage) -> None:
        # What the server refuses is told by the browser too.
        if said.type == "error" and "Failed to load resource" not in said.text:
            found.faults.append(said.text)

    page.on("dialog", asked)
    page.on("console", logged)
    yield found
    context.close()
    assert found.faults == []
    elsewhere = [url for url in found.requests if not url.startswith((f"{console.base}/", "blob:"))]
    assert elsewhere == []


@pytest.fixture
def signed_in(seen: Seen) -> Seen:
    """A fresh page of somebody who has signed in."""
    seen.console.sign_in(seen.page)
    return seen


@pytest.fixture(scope="session")
def handbook() -> bytes:
    """A page with a sentence that is cited, and one that is not."""
    maker = PdfMaker()
    page = maker.page((0, 0, 420, 300))
    page.paragraph(f"{SENTENCE} Receipts are kept for seven years.", 30, 60, width=340)
    page.paragraph("Trains are booked in second class.", 30, 140, width=340)
    return maker.save().data


@pytest.fixture(scope="session")
def agent(ask_console: Console, handbook: bytes) -> str:
    """An agent over a collection that holds the page."""
    return agent_over(ask_console, "Assistant", {"handbook.pdf": handbook})[0]


@pytest.fixture
def asking(signed_in: Seen, agent: str) -> Seen:
    """The screen, with nothing asked."""
    from playwright.sync_api import expect

    choose(signed_in.page, agent)
    expect(signed_in.go("/console/ask").get_by_label("Your question")).to_be_visible()
    return signed_in


@pytest.fixture(scope="session")
def axe() -> str:
    """The program that looks for what keeps people out of a page."""
    script = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        done = subprocess.run(
            [sys.executable, str(ROOT / "tools" / "node.py"), "install"],
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            missing(f"npm does not get axe-core: {done.stderr.strip()[-200:]}")
    return script.read_text(encoding="utf-8")
