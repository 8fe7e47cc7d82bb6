"""Take the pictures of the console in `docs/pictures/`: each screen with the examples in it. Needs Chromium.

python tools/make_screenshots.py            all of them, into docs/pictures
python tools/make_screenshots.py FOLDER     every screen in light, dark and narrow, into that folder, to be looked at
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from console_parts import CHROMIUM, NARROW, WIDE, Console, browser, drop, running  # noqa: E402 - it stands in tests

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
