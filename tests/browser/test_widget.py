"""The widget on a site of somebody else's, under a policy that lets in nothing but our server."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from playwright.sync_api import expect

from console_parts import NARROW, WIDE, Console
from pdf_maker import PdfMaker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

APPROVAL: Final = "Expenses over 100 EUR require prior approval from your line manager."
PARKING: Final = "Visitors park their cars behind the northern gate."
CANTEEN: Final = "The canteen serves warm lunch until half past two."
BICYCLE: Final = "A bicycle is lent for 4 euro a day."
TANDEM: Final = "Tandems count as two bicycles."
LIBRARY: Final = "Borrowed books return to the reading room within three weeks."
ELSEWHERE: Final = "The regional museum opens its doors every Sunday morning."
GARDEN: Final = (
    "There are old trees. Gardeners water the roses before sunrise in July. Benches stand on the path."
)
# What each page shows. The words are the same as in the document, and the page has them in other nodes and signs.
PAGES: Final = {
    "/": "<h1>Home</h1><p>Ask our assistant.</p>",
    "/expenses": "<h1>Expenses</h1><p>Ex\u00adpenses <b>over\u00a0100</b>\n   EUR require prior <i>app</i>roval from"
    " <a href='/'>your line</a> manager. Receipts are kept.</p>",
    "/parking": "<h1>Parking</h1><div id='late'></div><script src='/late.js'></script>",
    "/canteen": "<h1>Canteen</h1><p>This page was written anew, and says something else today.</p>",
    "/library": f"<h1>Library</h1><details><summary>Rules</summary><p>{LIBRARY}</p></details>",
    "/cycling": f"<h1>Cycling</h1><p>{BICYCLE} {TANDEM} Helmets are free.</p>",
    "/garden": f"<h1>Garden</h1><p>{GARDEN}</p>",
}
DOCUMENTS: Final = {
    "/expenses": APPROVAL,
    "/parking": PARKING,
    "/canteen": CANTEEN,
    "/library": LIBRARY,
    "/garden": GARDEN,
    "/cycling": f"{BICYCLE} {TANDEM} Helmets are free.",
}
TOWER: Final = "The lookout tower has ninety wooden steps."
ALLOWED: Final = {"access-control-allow-origin": "*"}
LATE: Final = (
    "setTimeout(() => { const p = document.createElement('p');"
    f" p.textContent = {json.dumps(PARKING)}; document.getElementById('late').append(p); }}, 400);"
)


@dataclass
class Site:
    """A site of seven pages, and the server behind its assistant."""

    base: str
    console: Console
    key: str
    collection: str = ""
    # Of an embed that lights the model's own quote, and shows no passages.
    bare_key: str = ""


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
    collection = site.collection = console.collection("site")
    sources = {f"{site.base}{path}": text for path, text in DOCUMENTS.items()}
    sources["https://museum.example.org/hours"] = ELSEWHERE
    with httpx.Client(base_url=console.base, headers={"Authorization": f"Bearer {console.key}"}) as client:
        for number, (address, text) in enumerate(sources.items()):
            page = (
                f"<html><title>{address.rpartition('/')[2].title()}</title><h1>Rules</h1><p>{text}</p></html>"
            )
            added(client, collection, f"page-{number}.html", page.encode(), address)
        booklet = PdfMaker()
        booklet.page().line(TOWER, 20, 100)
        added(client, collection, "tower.pdf", booklet.save().data, "https://museum.example.org/tower.pdf")
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
    bare = {
        "name": "Bare assistant",
        "allowed_origins": [site.base],
        "previews": False,
        "highlight": "models_quote",
    }
    site.bare_key = console.ask("POST", f"/api/manage/agents/{agent['agent_id']}/embeds", bare)["key"]


def added(client: httpx.Client, collection: str, name: str, data: bytes, address: str) -> str:
    """Put a document into the library, wait until it can be found, and return its id."""
    job = client.post(
        f"/api/manage/collections/{collection}/documents",
        files={"files": (name, data)},
        data={"source_uri": address},
    ).json()
    while job["state"] not in {"done", "failed"}:
        job = client.get(f"/api/manage/jobs/{job['job_id']}").json()
    assert job["state"] == "done", job
    return str(job["progress"]["files"][0]["document_id"])


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


def test_each_number_lights_what_bears_out_its_own_sentence(context: BrowserContext, site: Site) -> None:
    """Two sentences of one passage: each number leads to the words that it stands behind."""
    page = opened(context, site)
    numbers = ask(page, "For how many euro is a bicycle lent a day? Do tandems count as two bicycles?")
    expect(page.locator(".theirs").last).to_have_text(f"{BICYCLE} 1 {TANDEM} 1")
    numbers.last.click()
    page.wait_for_url(f"{site.base}/cycling")
    assert lit(page) == TANDEM
    page.get_by_role("button", name="Clear").click()
    page.locator("button.number").first.click()
    assert lit(page) == BICYCLE


def test_words_that_come_late_are_waited_for(context: BrowserContext, site: Site) -> None:
    """A page that is drawn by script has its words lit when they are there."""
    page = opened(context, site)
    ask(page, "Where do visitors park their cars?").first.click()
    page.wait_for_url(f"{site.base}/parking")
    assert lit(page) == PARKING


def test_words_that_are_folded_away_are_shown_in_the_panel(context: BrowserContext, site: Site) -> None:
    """Nothing of the page is opened: the passage is shown instead."""
    page = opened(context, site)
    ask(page, "When do borrowed books return to the reading room?").first.click()
    page.wait_for_url(f"{site.base}/library")
    expect(page.locator(".snippet")).to_contain_text(LIBRARY)
    assert page.locator("details[open]").count() == 0


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


def refused(page: Page, path: str, status: int, **headers: str) -> None:
    """Let the server refuse what is asked for under a path, in words that are not for visitors."""
    page.route(
        f"**{path}*",
        lambda route: route.fulfill(
            status=status, json={"error": {"message": "Pool exhausted."}}, headers={**ALLOWED, **headers}
        ),
    )


def test_trouble_is_told_plainly_and_can_be_tried_again(context: BrowserContext, site: Site) -> None:
    """Offline, too many and too busy are a sentence each, and the question stands there once, also tomorrow."""
    page = opened(context, site)
    expect(page.get_by_text("Ask about the house.")).to_be_visible()
    alert, again = page.get_by_role("alert"), page.get_by_role("button", name="Try again")
    page.route("**/embed/v1/ag-ui", lambda route: route.abort())
    page.get_by_label("Your question").fill("From which amount do expenses need approval?")
    page.get_by_label("Your question").press("Enter")
    expect(alert).to_contain_text("cannot be reached. Check your connection")
    exposed = {"access-control-expose-headers": "retry-after"}
    for status, after, sentence in (
        (429, "30", "too many questions just now. Try again in 30 seconds."),
        (503, "1", "is busy, or being restarted. Try again in a moment."),
        (500, "", "is busy, or being restarted. Try again in a moment."),
    ):
        page.unroute("**/embed/v1/ag-ui")
        refused(page, "/embed/v1/ag-ui", status, **exposed, **({"retry-after": after} if after else {}))
        again.click()
        expect(alert).to_contain_text(sentence)
        expect(page.locator(".mine")).to_have_count(1)
        page.unroute("**/embed/v1/ag-ui*")
    again.click()
    expect(page.locator("button.number").first).to_be_visible()
    expect(alert).to_have_count(0)
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_enabled()
    page.reload()
    expect(page.locator("button.number").first).to_be_visible()
    expect(page.locator(".mine")).to_have_count(1)
    expect(page.locator(".theirs")).to_have_count(1)


def test_a_failed_question_gets_no_answer_of_another(context: BrowserContext, site: Site) -> None:
    """After a question that was never answered the one before it still has its answer, once."""
    page = opened(context, site)
    ask(page, "From which amount do expenses need approval?")
    page.route("**/embed/v1/ag-ui", lambda route: route.abort())
    page.get_by_label("Your question").fill("And abroad?")
    page.get_by_label("Your question").press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.reload()
    expect(page.locator(".mine")).to_have_count(2)
    expect(page.locator(".theirs")).to_have_count(1)


def test_a_server_that_is_busy_at_the_start_is_asked_again(context: BrowserContext, site: Site) -> None:
    """The panel says so, and opens when it is tried again."""
    page = context.new_page()
    page.goto(site.base)
    refused(page, "/embed/v1/config", 503)
    page.get_by_role("button", name="Ask a question").click()
    expect(page.get_by_role("alert")).to_contain_text("is busy, or being restarted")
    page.unroute("**/embed/v1/config*")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Ask about the house.")).to_be_visible()


def test_a_site_that_is_not_allowed_is_told_where_that_is_mended(context: BrowserContext, site: Site) -> None:
    """A visitor is told no secrets and gets no useless button; the browser's console names the origin, once."""
    page = context.new_page()
    warned: list[str] = []
    page.on("console", lambda said: warned.append(said.text) if said.type == "warning" else None)
    page.goto(site.base)
    refused(page, "/embed/v1/config", 403)
    for _ in range(2):
        page.get_by_role("button", name="Ask a question").click()
        expect(page.get_by_role("alert")).to_contain_text("is not available on this page")
        expect(page.get_by_role("button", name="Try again")).to_have_count(0)
        page.get_by_role("button", name="Close").click()
    assert len(warned) == 1
    assert f"Name {site.base} under" in warned[0]
    assert "Allowed origins" in warned[0]


def test_a_visit_that_expires_before_a_number_is_pressed_goes_on(context: BrowserContext, site: Site) -> None:
    """The visit is renewed once, and the visitor gets to the words."""
    page = opened(context, site)
    numbers = ask(page, "From which amount do expenses need approval?")
    refusals = [1]

    def refuse(route: Any) -> None:
        refusals[0] -= 1
        if refusals[0] >= 0:
            route.fulfill(status=401, json={"error": {"message": "Expired."}}, headers=ALLOWED)
        else:
            route.continue_()

    page.route("**/preview?*", refuse)
    numbers.first.click()
    page.wait_for_url(f"{site.base}/expenses")
    assert lit(page) == APPROVAL
    assert refusals[0] < 0


def test_a_source_that_is_deleted_before_its_number_is_pressed(context: BrowserContext, site: Site) -> None:
    """The panel says that it is gone, and shows nothing of it, also to those who had it open before."""
    console = site.console
    with httpx.Client(base_url=console.base, headers={"Authorization": f"Bearer {console.key}"}) as client:
        text = b"<html><title>Bees</title><h1>Rules</h1><p>Beekeepers harvest honey on the second Monday.</p></html>"
        document = added(client, site.collection, "bees.html", text, "https://museum.example.org/bees")
        page = opened(context, site)
        numbers = ask(page, "When do beekeepers harvest honey?")
        numbers.first.click()
        expect(page.locator(".snippet")).to_contain_text("second Monday")
        page.keyboard.press("Escape")
        client.delete(f"/api/manage/documents/{document}").raise_for_status()
    numbers.first.click()
    expect(page.locator(".source")).to_contain_text("This source is no longer available.")
    expect(page.locator(".source")).not_to_contain_text("second Monday")


def test_a_visitor_cannot_open_what_another_was_shown(
    context: BrowserContext, chromium: Browser, site: Site
) -> None:
    """Not with the address of the preview, and not with everything that the other one's tab keeps."""
    page = opened(context, site)
    numbers = ask(page, "When does the regional museum open its doors?")
    with page.expect_request("**/preview?*") as asked:
        numbers.first.click()
    expect(page.locator(".snippet")).to_contain_text(ELSEWHERE)
    address = asked.value.url
    kept: str = page.evaluate("JSON.stringify(sessionStorage)")
    other = chromium.new_context(viewport=WIDE, reduced_motion="reduce")
    try:
        stranger = other.new_page()
        stranger.add_init_script(f"Object.assign(sessionStorage, {kept})")
        with stranger.expect_response("**/embed/v1/session") as begun:
            stranger.goto(site.base)
        token = begun.value.json()["token"]
        # The questions are the tab's own; what was answered is not told.
        expect(stranger.locator(".mine")).to_have_count(1)
        expect(stranger.locator(".theirs")).to_have_count(0)
        status: int = stranger.evaluate(
            "async ([url, token]) => (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status",
            [address, token],
        )
        assert status == 404
        mine = asked.value.all_headers()["authorization"].removeprefix("Bearer ")
        assert (
            page.evaluate(
                "async ([url, token]) => (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status",
                [address, mine],
            )
            == 200
        )
    finally:
        other.close()


def test_the_models_quote_is_lit_and_nothing_more_is_shown(
    context: BrowserContext, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words that the model picked are what is asked for and lit; without previews no passage is shown anywhere."""
    monkeypatch.setattr(site, "key", site.bare_key)
    page = opened(context, site)
    numbers = ask(page, "When do gardeners water the roses?")
    with page.expect_request("**/preview?*") as asked:
        numbers.first.click()
    quote = "Gardeners water the roses before sunrise in July."
    assert parse_qs(urlsplit(asked.value.url).query)["quote"] == [quote]
    page.wait_for_url(f"{site.base}/garden")
    assert lit(page) == quote
    # The page lost its words.
    ask(page, "Until when does the canteen serve warm lunch?").last.click()
    page.wait_for_url(f"{site.base}/canteen")
    expect(page.locator(".lit")).to_contain_text("The cited words are not on this page any more.")
    expect(page.locator(".source")).to_be_hidden()
    # It is elsewhere.
    ask(page, "When does the regional museum open its doors?").last.click()
    expect(page.get_by_role("link", name="Open the source")).to_be_visible()
    expect(page.locator(".source")).not_to_contain_text(ELSEWHERE)


def test_a_site_that_lets_in_no_pictures_shows_the_page_all_the_same(
    context: BrowserContext, site: Site
) -> None:
    """The picture of a cited page is drawn, so no policy is breached, and the passage stands above it."""
    page = opened(context, site)
    ask(page, "How many wooden steps has the lookout tower?").first.click()
    expect(page.locator(".snippet")).to_be_visible()
    picture = page.get_by_role("img", name="with the cited words marked")
    expect(picture).to_be_visible()
    colours: int = picture.evaluate(
        """(canvas) => {
          const seen = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
          return new Set(new Uint32Array(seen.buffer)).size;
        }"""
    )
    assert colours > 10
    link = page.get_by_role("link", name="Open the source").get_attribute("href") or ""
    assert link == "https://museum.example.org/tower.pdf#page=1"


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
    # What the source lies over cannot be reached, and the focus stays in what fills the screen.
    back, link = page.get_by_role("button", name="Back to the answer"), page.get_by_role("link")
    expect(page.get_by_role("dialog")).to_have_attribute("aria-modal", "true")
    expect(back).to_be_focused()
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    page.keyboard.press("Tab")
    expect(back).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(link).to_be_focused()
    page.evaluate(axe)
    found: list[dict[str, Any]] = page.evaluate("axe.run('pincite-widget').then((found) => found.violations)")
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    page.keyboard.press("Escape")
    page.get_by_label("Your question").focus()
    for _ in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.localName") == "pincite-widget"
    page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    assert page.evaluate("document.activeElement.localName") == "pincite-widget"
    context.close()
