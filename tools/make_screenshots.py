"""Take the pictures of the console and the widget in `docs/pictures/`. Needs Chromium.

The console's screens have the examples in them; the widget stands on a made-up site.

python tools/make_screenshots.py            all of them, into docs/pictures
python tools/make_screenshots.py FOLDER     every screen in light, dark and narrow, into that folder, to be looked at
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

import httpx
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from console_parts import (  # noqa: E402 - it stands in tests
    CHROMIUM,
    NARROW,
    WIDE,
    Console,
    browser,
    drop,
    running,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

PICTURES = ROOT / "docs" / "pictures"
EXAMPLES = ROOT / "examples"
COLOURS = 96
# What is also shown dark, or on a small telephone, in the documentation.
DARK = {"documents", "settings", "check", "ask"}
SMALL = {"documents"}
QUESTIONS = (
    "From which amount do expenses need approval?",
    "Who gives prior approval for expenses?",
    "How much is paid per kilometre for journeys by bicycle?",
    "From which day of sickness do I need a medical certificate?",
    "What does the price list say about lamps?",
    "How long is the notice period?",
    "When was the management meeting?",
    "Which class do we travel in by train?",
    "How many days of holiday are there?",
    "What is the capital of Peru?",
    "Can I work from home on Fridays?",
    "Who looks after the printers?",
    "approval line manager 100 EUR",
    "bicycle",
    "parental leave",
    "hotel costs abroad",
)
ANSWER = (
    "Expenses over 250 euro need approval by your line manager [1]. Receipts are kept for seven years [1]. Trains are "
    "booked in first class [2]. Coffee in the kitchen is free for everybody."
)
PASSAGES = (
    (
        "Staff handbook",
        "Expenses over 100 EUR require prior approval from your line manager. Receipts are kept for seven years.",
    ),
    (
        "Travel policy",
        "Trains are booked in second class. Flights within the country need a reason in writing.",
    ),
)
SOURCE = (
    "Expenses over 100 EUR require prior approval from your line manager. Receipts are kept for seven years, unless "
    "the tax office asks for more."
)
QUOTES = """Expenses over 100 EUR require prior approval from your line manager.
Receipts are kept for nine years
Receipts are kept for seven years
Nothing of the kind was ever said"""


# A site that is made up: its pages by their paths, as a heading and paragraphs.
SITE = {
    "/": (
        "Harbour Museum",
        (
            "Boats, ropes and charts from four hundred years, in the old customs house on the quay. The café "
            "on the first floor has the best view of the harbour."
        ),
        "This month: the log books of the ice patrol, and a workshop on knots every Saturday.",
    ),
    "/opening-hours": (
        "Opening hours",
        "From April to September the museum is open from ten to six every day but Monday.",
        (
            "In winter, from October to March, we open from eleven to four, Thursday to Sunday. On public holidays the "
            "museum is closed, with the exception of Easter Monday."
        ),
        (
            "The last visitors are let in forty-five minutes before we close. Groups may come earlier when they have "
            "registered a week ahead."
        ),
    ),
    "/tickets": (
        "Tickets",
        (
            "A ticket for adults costs nine euro. Children under twelve are free when they come with an adult, and "
            "students pay five euro."
        ),
        "Tickets are sold at the desk. A ticket is good for the whole day, so you may go out for lunch and come back.",
    ),
    "/groups": (
        "Groups and schools",
        (
            "School classes are shown around in the morning. A tour takes seventy minutes and costs forty euro for a "
            "class of up to thirty."
        ),
    ),
}
LOOK = """
body { margin: 0; font: 17px/1.65 Georgia, serif; color: #22303a; background: #fdfcf9; }
header { background: #1f3f57; color: #fff; padding: 18px 48px; display: flex; gap: 32px; align-items: baseline; }
header strong { font-size: 20px; }
header a { color: #d7e5ee; font: 15px system-ui, sans-serif; text-decoration: none; }
main { max-width: 600px; padding: 24px 48px; }
h1 { font-size: 32px; line-height: 1.2; }
"""


def main(arguments: list[str]) -> int:
    """Take the pictures; return 1 where there is no browser."""
    if CHROMIUM is None:
        print("Chromium is not installed; it is Debian's package `chromium`.", file=sys.stderr)
        return 1
    everything = bool(arguments)
    folder = Path(arguments[0]) if arguments else PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        running(Path(home) / "home") as console,
        browser() as chromium,
    ):
        context = chromium.new_context(viewport=WIDE, reduced_motion="reduce")
        page = context.new_page()

        def shot(name: str, *, whole: bool = True) -> None:
            looks: list[tuple[str, Literal["light", "dark"], bool]] = [(name, "light", False)]
            if everything or name in DARK:
                looks.append((f"{name}-dark", "dark", False))
            if everything or name in SMALL:
                looks.append((f"{name}-small", "light", True))
            page.mouse.move(0, 0)
            for file, scheme, small in looks:
                page.emulate_media(color_scheme=scheme)
                page.set_viewport_size(NARROW if small else WIDE)
                page.wait_for_timeout(200)
                _kept(page.screenshot(full_page=whole), folder / f"console-{file}.png")
            page.emulate_media(color_scheme="light")
            page.set_viewport_size(WIDE)

        _library(console, page, shot)
        _agents(console, page, shot)
        _ask(page, shot)
        _check(page, shot)
        _widget(console, chromium, folder)
    return 0


def _kept(png: bytes, path: Path) -> None:
    """Write a picture with a palette: a third of the bytes, and letters as sharp."""
    with Image.open(io.BytesIO(png)) as image:
        image.convert("RGB").quantize(COLOURS).save(path, optimize=True)


def _library(console: Console, page: Page, shot: Callable[..., None]) -> None:
    page.goto(console.base)
    page.wait_for_selector("#key")
    shot("sign-in")
    page.fill("#key", console.key)
    page.keyboard.press("Enter")
    page.wait_for_selector("#new-name")
    page.fill("#new-name", "House rules")
    page.keyboard.press("Enter")
    page.wait_for_selector(".drop")
    files = {path.name: path.read_bytes() for path in sorted(EXAMPLES.iterdir()) if path.is_file()}
    files["meter-readings.jsonl"] = (
        b'{"room": "A1", "kWh": 12}\n{"room": "A2", kWh}\n{"room": "A3", "kWh": 9}\n'
    )
    files["scan-of-the-lease.pdf"] = b"%PDF-1.7 cut off"
    drop(page, files)
    page.wait_for_function(
        "(all) => document.querySelectorAll('[data-state=ready], [data-state=flagged], [data-state=failed]').length "
        "=== all",
        arg=len(files),
    )
    page.wait_for_function(
        "() => /^[1-9]/.test(document.querySelector('pc-collection .meta').textContent.trim()) && "
        "!document.querySelector('pc-collection .meta').textContent.includes('words alone')",
        timeout=90_000,
    )
    page.get_by_text("could be read well").click()
    shot("documents")
    page.get_by_role("button", name="Delete").first.click()
    page.wait_for_selector("dialog")
    shot("delete", whole=False)
    page.keyboard.press("Escape")
    collection = page.url.rpartition("/")[2]
    for question in QUESTIONS:
        console.ask("POST", "/api/manage/search", {"query": question, "collections": [collection]})
    page.get_by_role("link", name="Settings").click()
    page.wait_for_selector(".histogram")
    shot("settings")
    console.collection("Contracts")
    page.get_by_role("link", name="Library").first.click()
    page.wait_for_selector(".rows")
    shot("library")


def _agents(console: Console, page: Page, shot: Callable[..., None]) -> None:
    (collection,) = [
        one["collection_id"]
        for one in console.ask("GET", "/api/manage/collections")["collections"]
        if one["documents"]
    ]
    for name, kind in (("House helper", "agent"), ("Nightly digest", "workflow")):
        console.ask("POST", "/api/manage/agents", {"name": name, "kind": kind, "collections": [collection]})
    page.get_by_role("link", name="Agents").click()
    page.wait_for_selector("#list-workflow")
    shot("agents")
    page.get_by_role("button", name="Settings of").click()
    page.wait_for_selector("dialog")
    shot("workflow", whole=False)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="House helper", exact=True).click()
    page.wait_for_selector("#instructions")
    shot("agent")
    page.get_by_role("link", name="Embed").click()
    page.wait_for_selector("#new-name")
    page.fill("#new-name", "Intranet")
    page.fill("#new-origins", "https://intranet.example.org")
    page.get_by_role("button", name="Make the embed").click()
    page.wait_for_selector(".key")
    widget = page.locator("pincite-widget")
    widget.get_by_role("textbox").fill(QUESTIONS[0])
    widget.get_by_role("textbox").press("Enter")
    widget.get_by_role("button", name="Source 1").first.wait_for(timeout=60_000)
    shot("embed")


def _ask(page: Page, shot: Callable[..., None]) -> None:
    page.get_by_role("link", name="Ask").first.click()
    question = page.get_by_label("Your question")
    question.wait_for()
    question.fill("From which amount do expenses need approval, and who gives it?")
    question.press("Enter")
    page.get_by_text("Copy or save").last.wait_for(timeout=60_000)
    number = page.locator("button.cite").first
    number.click()
    page.locator("aside img, [role=dialog] img, .panel img").first.wait_for()
    page.wait_for_timeout(800)
    shot("ask", whole=False)


def _check(page: Page, shot: Callable[..., None]) -> None:
    page.get_by_role("link", name="Check").click()
    page.fill("#answer", ANSWER)
    for number, (title, text) in enumerate(PASSAGES):
        if number:
            page.get_by_role("button", name="Another passage").click()
        page.fill(f"#name-{number}", title)
        page.fill(f"#content-{number}", text)
    page.get_by_role("button", name="Check the answer").click()
    page.wait_for_selector(".findings")
    shot("check")
    page.get_by_role("link", name="Quotes").click()
    page.fill("#source", SOURCE)
    page.fill("#quotes", QUOTES)
    page.get_by_role("button", name="Verify").click()
    page.wait_for_selector(".findings")
    shot("quotes")


def _widget(console: Console, chromium: Browser, folder: Path) -> None:
    """Put the widget on the made-up site, ask it, and let it lead to the words on another page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            _visit(console, chromium, folder, f"http://127.0.0.1:{server.server_address[1]}")
        finally:
            server.shutdown()


class _Site(BaseHTTPRequestHandler):
    """The made-up site; `tag` puts the widget on it."""

    tag = ""

    def do_GET(self) -> None:
        """Give out a page."""
        title, *paragraphs = SITE.get(urlsplit(self.path).path, SITE["/"])
        text = "".join(f"<p>{one}</p>" for one in paragraphs)
        menu = "".join(f"<a href='{path}'>{name}</a>" for path, (name, *_) in SITE.items() if path != "/")
        head = f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{LOOK}</style>"
        body = f"<header><strong>Harbour Museum</strong>{menu}</header><main><h1>{title}</h1>{text}</main>"
        data = f"{head}<body>{body}{self.tag}".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - as its base has it
        """Say nothing."""


def _visit(console: Console, chromium: Browser, folder: Path, base: str) -> None:
    collection = console.collection("Website")
    for path, (title, *paragraphs) in SITE.items():
        text = "".join(f"<p>{one}</p>" for one in paragraphs)
        _added(
            console, collection, f"{base}{path}", f"<html><title>{title}</title><h1>{title}</h1>{text}</html>"
        )
    agent = console.ask("POST", "/api/manage/agents", {"name": "Museum guide", "collections": [collection]})
    embed = console.ask(
        "POST",
        f"/api/manage/agents/{agent['agent_id']}/embeds",
        {
            "name": "Ask the museum",
            "greeting": "Hello! Ask about hours, tickets and tours. Every answer shows where it comes from.",
            "allowed_origins": [base],
        },
    )
    _Site.tag = f"<script src='{console.base}/widget.js' data-key='{embed['key']}' async></script>"
    context = chromium.new_context(
        viewport={"width": 1180, "height": 720}, reduced_motion="reduce", color_scheme="light"
    )
    page = context.new_page()
    page.goto(base)
    page.get_by_role("button", name="Ask a question").click()
    question = page.get_by_label("Your question")
    for asked in ("What does a ticket cost for adults?", "When is the museum open in winter?"):
        question.fill(asked)
        question.press("Enter")
        page.get_by_role("button", name="Ask", exact=True, disabled=True).wait_for(state="detached")
        page.locator(f".mine:has-text({json.dumps(asked)}) + .theirs button.number").first.wait_for()
    page.wait_for_timeout(400)
    _kept(page.screenshot(), folder / "widget-answer.png")
    page.locator("button.number").last.click()
    page.get_by_role("button", name="Clear").wait_for()
    page.locator("button.number").last.wait_for()
    page.wait_for_timeout(400)
    page.mouse.move(0, 0)
    _kept(page.screenshot(), folder / "widget-lit.png")
    context.close()


def _added(console: Console, collection: str, address: str, page: str) -> None:
    """Put a page of the site into the library, and wait until it can be found."""
    headers = {"Authorization": f"Bearer {console.key}"}
    with httpx.Client(base_url=console.base, headers=headers) as client:
        name = (urlsplit(address).path.strip("/") or "home") + ".html"
        job = client.post(
            f"/api/manage/collections/{collection}/documents",
            files={"files": (name, page.encode())},
            data={"source_uri": address},
        ).json()
        while job["state"] not in {"done", "failed"}:
            job = client.get(f"/api/manage/jobs/{job['job_id']}").json()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
