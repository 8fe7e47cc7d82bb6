"""The widget on a site of somebody else's, under a policy that lets in nothing but our server."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final

import httpx
import pytest
from playwright.sync_api import expect

from console_parts import NARROW, WIDE, Console

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

APPROVAL: Final = "Expenses over 100 EUR require prior approval from your line manager."
PARKING: Final = "Visitors park their cars behind the northern gate."
CANTEEN: Final = "The canteen serves warm lunch until half past two."
LIBRARY: Final = "Borrowed books return to the reading room within three weeks."
ELSEWHERE: Final = "The regional museum opens its doors every Sunday morning."
# What each page shows. The words are the same as in the document, and the page has them in other nodes and signs.
PAGES: Final = {
    "/": "<h1>Home</h1><p>Ask our assistant.</p>",
    "/expenses": "<h1>Expenses</h1><p>Ex\u00adpenses <b>over\u00a0100</b>\n   EUR require prior <i>app</i>roval from"
    " <a href='/'>your line</a> manager. Receipts are kept.</p>",
    "/parking": "<h1>Parking</h1><div id='late'></div><script src='/late.js'></script>",
    "/canteen": "<h1>Canteen</h1><p>This page was written anew, and says something else today.</p>",
    "/library": f"<h1>Library</h1><details><summary>Rules</summary><p>{LIBRARY}</p></details>",
}
DOCUMENTS: Final = {"/expenses": APPROVAL, "/parking": PARKING, "/canteen": CANTEEN, "/library": LIBRARY}
LATE: Final = (
    "setTimeout(() => { const p = document.createElement('p');"
    f" p.textContent = {json.dumps(PARKING)}; document.getElementById('late').append(p); }}, 400);"
)


@dataclass
class Site:
    """A site of five pages, and the server behind its assistant."""

    base: str
    console: Console
    key: str


@pytest.fixture(scope="module")
def site(console: Console) -> Iterator[Site]:
    """A site on a port of its own, whose pages and one of another site are in the library."""
    found = Site("", console, "")

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = self.path.split("?")[0]
            is_script = path == "/late.js"
            page = LATE if is_script else PAGES.get(path)
            twice = 2 if "twice" in self.path else 1
            tag = f"<script src='{console.base}/widget.js' data-key='{found.key}' async></script>" * twice
            head = "<!doctype html><html lang=en><title>Site</title><meta name=viewport content='width=device-width'>"
            body = page if is_script else f"{head}<body>{page}{tag}"
            data = (body or "").encode()
            self.send_response(200 if page is not None else 404)
            self.send_header("Content-Type", "text/javascript" if is_script else "text/html; charset=utf-8")
            self.send_header(
                "Content-Security-Policy",
                f"default-src 'none'; script-src 'self' {console.base}; connect-src {console.base}",
            )
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *_: object) -> None:  # noqa: A002 - as its base has it
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found.base = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        fill(found)
        yield found
    finally:
        server.shutdown()
        server.server_close()


def fill(site: Site) -> None:
    """Put the pages into the library, and an assistant that answers from them onto the site."""
    console = site.console
    collection = console.collection("site")
    sources = {f"{site.base}{path}": text for path, text in DOCUMENTS.items()}
    sources["https://museum.example.org/hours"] = ELSEWHERE
    with httpx.Client(base_url=console.base, headers={"Authorization": f"Bearer {console.key}"}) as client:
        for number, (address, text) in enumerate(sources.items()):
            name = f"page-{number}.html"
            page = (
                f"<html><title>{address.rpartition('/')[2].title()}</title><h1>Rules</h1><p>{text}</p></html>"
            )
            job = client.post(
                f"/api/manage/collections/{collection}/documents",
                files={"files": (name, page.encode())},
                data={"source_uri": address},
            ).json()
            while job["state"] not in {"done", "failed"}:
                job = client.get(f"/api/manage/jobs/{job['job_id']}").json()
            assert job["state"] == "done", job
    agent = console.ask("POST", "/api/manage/agents", {"name": "site", "collections": [collection]})
    embed = console.ask(
        "POST",
        f"/api/manage/agents/{agent['agent_id']}/embeds",
        {
            "name": "House assistant",
            "greeting": "Ask about the house.",
            "allowed_origins": [site.base],
            "previews": True,
        },
    )
    site.key = embed["key"]


@pytest.fixture
def context(chromium: Browser, site: Site) -> Iterator[BrowserContext]:
    """A visitor. No test may end with a fault of a page, a breach of its policy, or a request to another host."""
    found = chromium.new_context(viewport=WIDE, reduced_motion="reduce")
    requests: list[str] = []
    faults: list[str] = []
    found.on("request", lambda request: requests.append(request.url))
    found.on("weberror", lambda error: faults.append(str(error.error)))
    found.on(
        "console",
        lambda said: (
            faults.append(said.text)
            if said.type == "error" and "Failed to load resource" not in said.text
            else None
        ),
    )
    yield found
    found.close()
    assert faults == []
    hosts = (f"{site.base}/", f"{site.console.base}/", "blob:")
    assert [url for url in requests if not url.startswith(hosts)] == []


def opened(context: BrowserContext, site: Site, path: str = "/") -> Page:
    """Return a page of the site with the panel open."""
    page = context.new_page()
    page.goto(site.base + path)
    page.get_by_role("button", name="Ask a question").click()
    return page


def ask(page: Page, question: str) -> Locator:
    """Ask, wait for the end of the answer, and return its numbers."""
    page.get_by_label("Your question").fill(question)
    page.get_by_label("Your question").press("Enter")
    numbers = page.locator("button.number")
    expect(numbers.first).to_be_visible()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_enabled()
    return numbers


def lit(page: Page) -> str:
    """Return the words that are lit, white space and soft hyphens aside."""
    expect(page.get_by_role("button", name="Clear")).to_be_visible()
    ranges: list[str] = page.evaluate("[...CSS.highlights.get('pincite-cited')].map(String)")
    return " ".join("".join(ranges).replace("\u00ad", "").split())


def test_an_answer_has_numbers_and_the_page_keeps_its_own(context: BrowserContext, site: Site) -> None:
    """The greeting and the name are the embed's; an answer comes with numbers; the page has one element more."""
    page = opened(context, site)
    expect(page.get_by_role("dialog", name="House assistant")).to_be_visible()
    expect(page.get_by_text("Ask about the house.")).to_be_visible()
    numbers = ask(page, "From which amount do expenses need approval?")
    expect(page.locator(".theirs").last).to_contain_text("100 EUR")
    expect(numbers.first).to_have_text("1")
    names: list[str] = page.evaluate("[...document.body.children].map((one) => one.localName)")
    assert sorted(names) == ["h1", "p", "pincite-widget", "script"]


def test_a_number_leads_to_the_words_on_their_page(context: BrowserContext, site: Site) -> None:
    """In the same tab, lit exactly, though the page writes them otherwise; the conversation is still there."""
    page = opened(context, site)
    ask(page, "From which amount do expenses need approval?").first.click()
    page.wait_for_url(f"{site.base}/expenses")
    assert lit(page) == APPROVAL
    before: str = page.evaluate("document.querySelector('p').innerHTML")
    expect(page.locator(".theirs").last).to_contain_text("100 EUR")
    expect(page.locator("button.number").first).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    assert not page.evaluate("CSS.highlights.has('pincite-cited')")
    assert page.evaluate("document.querySelector('p').innerHTML") == before
    # From its own page the words are lit without leaving it.
    page.locator("button.number").first.click()
    assert lit(page) == APPROVAL


def test_words_that_come_late_are_waited_for(context: BrowserContext, site: Site) -> None:
    """A page that is drawn by script has its words lit when they are there."""
    page = opened(context, site)
    ask(page, "Where do visitors park their cars?").first.click()
    page.wait_for_url(f"{site.base}/parking")
    assert lit(page) == PARKING


def test_words_in_what_is_folded_away_are_shown(context: BrowserContext, site: Site) -> None:
    """What hides the words is opened."""
    page = opened(context, site)
    ask(page, "When do borrowed books return to the reading room?").first.click()
    page.wait_for_url(f"{site.base}/library")
    assert lit(page) == LIBRARY
    expect(page.locator("details")).to_have_attribute("open", "")


def test_a_page_that_lost_the_words_shows_the_passage(context: BrowserContext, site: Site) -> None:
    """Where the page says something else today, the preview says what was cited."""
    page = opened(context, site)
    ask(page, "Until when does the canteen serve warm lunch?").first.click()
    page.wait_for_url(f"{site.base}/canteen")
    expect(page.locator(".snippet")).to_contain_text(CANTEEN)
    assert not page.evaluate("CSS.highlights.has('pincite-cited')")


def test_a_source_of_another_site_is_shown_with_a_link_to_its_words(
    context: BrowserContext, site: Site
) -> None:
    """The link leads to the words, in a tab of its own, and tells nothing of where it comes from."""
    page = opened(context, site)
    ask(page, "When does the regional museum open its doors?").first.click()
    expect(page.locator(".snippet mark")).to_have_text(ELSEWHERE)
    link = page.get_by_role("link", name="Open the source")
    address = link.get_attribute("href") or ""
    assert address.startswith("https://museum.example.org/hours#:~:text=The%20regional%20museum")
    assert link.get_attribute("rel") == "noopener noreferrer nofollow"
    page.keyboard.press("Escape")
    expect(page.locator("button.number").first).to_be_focused()


def test_an_expired_visit_is_renewed_once_and_said_otherwise(context: BrowserContext, site: Site) -> None:
    """One refusal is mended without a word; a second one is told."""
    page = opened(context, site)
    refusals = [2]

    def refuse(route: Any) -> None:
        refusals[0] -= 1
        if refusals[0] % 2:
            fault = {"error": {"code": "unauthorized", "message": "No.", "field": None}}
            route.fulfill(status=401, json=fault, headers={"access-control-allow-origin": "*"})
        else:
            route.continue_()

    page.route("**/embed/v1/ag-ui", refuse)
    ask(page, "From which amount do expenses need approval?")
    page.unroute("**/embed/v1/ag-ui")
    page.route(
        "**/embed/v1/ag-ui",
        lambda route: route.fulfill(status=401, json={}, headers={"access-control-allow-origin": "*"}),
    )
    page.get_by_label("Your question").fill("And abroad?")
    page.get_by_label("Your question").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Your visit has expired")


def test_trouble_is_told_plainly_and_can_be_tried_again(context: BrowserContext, site: Site) -> None:
    """Offline and too many requests are sentences, and the question is not lost."""
    page = opened(context, site)
    expect(page.get_by_text("Ask about the house.")).to_be_visible()
    page.route("**/embed/v1/ag-ui", lambda route: route.abort())
    page.get_by_label("Your question").fill("From which amount do expenses need approval?")
    page.get_by_label("Your question").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("cannot be reached")
    page.unroute("**/embed/v1/ag-ui")
    message = "You have asked often; ask again in a minute."
    page.route(
        "**/embed/v1/ag-ui",
        lambda route: route.fulfill(
            status=429, json={"error": {"message": message}}, headers={"access-control-allow-origin": "*"}
        ),
    )
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_contain_text(message)
    page.unroute("**/embed/v1/ag-ui")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("button.number").first).to_be_visible()


def test_what_an_answer_holds_is_text(context: BrowserContext, site: Site) -> None:
    """Elements, images and addresses of a hostile answer do nothing, and nothing is loaded."""
    page = opened(context, site)
    text = (
        "<img src=x onerror=alert(1)> ![a](https://evil.example/a.png) [b](javascript:alert(1)) "
        "<script>alert(1)</script>"
    )
    events = [
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": text},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
    ]
    body = "".join(f"data: {json.dumps(one)}\n\n" for one in events)
    page.route(
        "**/embed/v1/ag-ui",
        lambda route: route.fulfill(
            body=body, content_type="text/event-stream", headers={"access-control-allow-origin": "*"}
        ),
    )
    page.get_by_label("Your question").fill("a")
    page.get_by_label("Your question").press("Enter")
    expect(page.locator(".theirs")).to_contain_text("<img src=x onerror=alert(1)>")
    assert page.locator(".theirs img, .theirs script, .theirs a").count() == 0


def test_by_the_keyboard_alone_and_loaded_twice(context: BrowserContext, site: Site) -> None:
    """Tab and Enter open, ask and lead to a source; a second script tag changes nothing."""
    page = context.new_page()
    page.goto(f"{site.base}/canteen?twice")
    expect(page.locator("pincite-widget")).to_have_count(1)
    page.get_by_role("button", name="Ask a question").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("When does the regional museum open its doors?")
    page.keyboard.press("Enter")
    expect(page.locator("button.number").first).to_be_visible()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_enabled()
    page.get_by_label("Your question").focus()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("button.number").last).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Back to the answer")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name="Ask a question")).to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_in_the_way(chromium: Browser, site: Site, axe: str, scheme: Any) -> None:
    """At 320 px the panel fills the screen and nothing stands out sideways; axe finds no serious fault."""
    context = chromium.new_context(viewport=NARROW, has_touch=True, is_mobile=True, color_scheme=scheme)
    page = context.new_page()
    # The program that looks is let in; the site's own policy would keep it out.
    page.goto(site.base)
    page.get_by_role("button", name="Ask a question").tap()
    ask(page, "When does the regional museum open its doors?").first.tap()
    expect(page.locator(".snippet mark")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    box = page.get_by_role("dialog").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, NARROW["width"])
    page.evaluate(axe)
    found: list[dict[str, Any]] = page.evaluate("axe.run('pincite-widget').then((found) => found.violations)")
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    context.close()
