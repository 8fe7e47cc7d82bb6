"""The Ask screen in a real browser: a question, the answer with its numbers, and what stands behind each."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Any, cast

import pytest
from playwright.sync_api import expect

from absent import missing
from ask_parts import LIT, QUESTION, SENTENCE, answers, ask, choose, faults_of, told
from console_parts import NARROW
from pdf_oracles import poppler_words

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

    from console_parts import Console, Seen

# Answers with a stream that comes in pieces; remembers what was seen of it, and the first paragraph once it is whole.
SLOWLY = """(stream) => {
  const real = window.fetch;
  window.seen = [];
  window.firsts = new Set();
  window.fetch = (path, given) => {
    if (!String(path).endsWith("/ag-ui")) return real(path, given);
    const pieces = stream.match(/[^]{1,90}/g);
    const body = new ReadableStream({
      async pull(to) {
        await new Promise(requestAnimationFrame);
        if (pieces.length === 0) to.close();
        else to.enqueue(new TextEncoder().encode(pieces.shift()));
      },
    });
    return Promise.resolve(new Response(body, { headers: { "Content-Type": "text/event-stream" } }));
  };
  new MutationObserver(() => {
    const prose = document.querySelector(".prose");
    if (!prose || !prose.innerText) return;
    window.seen.push(prose.innerText);
    if (prose.children.length > 1 && !prose.closest("article").querySelector(".below"))
      window.firsts.add(prose.firstChild);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


@pytest.fixture(scope="module")
def console(ask_console: Console) -> Console:
    """The server that all tests of Ask share."""
    return ask_console


def test_from_a_question_to_the_words_on_the_page(asking: Seen, handbook: bytes, tmp_path: Path) -> None:
    """The number opens the page, and the lit words are where Poppler finds them."""
    pdftotext = shutil.which("pdftotext")
    if pdftotext is None:
        missing("Poppler is not installed; it is Debian's package `poppler-utils`.")
    page = asking.page
    number = ask(page).first
    expect(number).to_have_attribute("aria-label", re.compile(r"^Source 1: handbook, page 1"))
    number.hover()
    card = page.locator(".cite-card")
    expect(card.locator("mark")).to_have_text(SENTENCE)
    expect(card).to_contain_text("Was given")
    number.click()
    image = page.get_by_role("img", name="Page 1 of handbook")
    expect(image).to_be_visible()
    image.evaluate("(image) => image.decode()")
    seen = cast("list[float]", image.evaluate(LIT))
    file = tmp_path / "page.pdf"
    file.write_bytes(handbook)
    words = poppler_words(pdftotext, file)[0][: len(SENTENCE.split())]
    assert " ".join(word for word, _ in words) == SENTENCE
    sides = [box for _, box in words]
    expected = [
        *(min(box[side] for box in sides) for side in (0, 1)),
        *(max(box[side] for box in sides) for side in (2, 3)),
    ]
    assert seen == pytest.approx(expected, abs=0.02)


def test_a_conversation_that_is_opened_again_shows_its_citations(asking: Seen) -> None:
    """After a reload the question, the answer, its numbers and their sources are there."""
    page = asking.page
    before = ask(page).first.get_attribute("aria-label")
    expect(page).to_have_url(re.compile(r"/console/ask/\w{32}$"))
    # Who asked may write on: the new address takes the focus from nobody.
    expect(page.get_by_label("Your question")).to_be_focused()
    page.reload()
    number = page.locator("button.cite").first
    expect(number).to_have_attribute("aria-label", str(before))
    expect(page.locator(".turn.question")).to_have_text(re.compile(re.escape(QUESTION)))
    number.hover()
    expect(page.locator(".cite-card mark")).to_have_text(SENTENCE)
    expect(page.get_by_role("navigation", name="Conversations").locator("[aria-current]")).to_contain_text(
        QUESTION
    )


def test_the_conversations_of_visitors_are_marked(asking: Seen) -> None:
    """What a visitor of a site asked stands among one's own, and says so."""
    page = asking.page
    one = {"conversation_id": "a", "agent_id": "a", "title": "Mine", "changed_at": "2026-01-01T00:00:00Z"}
    talks = [{**one, "visitor": False}, {**one, "conversation_id": "b", "title": "Theirs", "visitor": True}]
    page.route("**/api/conversations?*", lambda route: route.fulfill(json={"conversations": talks}))
    page.reload()
    listed = page.get_by_role("navigation", name="Conversations").get_by_role("listitem")
    expect(listed.filter(has_text="Theirs")).to_contain_text("Visitor")
    expect(listed.filter(has_text="Mine")).not_to_contain_text("Visitor")


def test_by_the_keyboard_alone(asking: Seen) -> None:
    """Tab shows the card, Enter opens the source, Escape closes it, and the focus is where it was."""
    page = asking.page
    ask(page)
    page.get_by_label("Your question").focus()
    for _ in range(4):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.matches('button.cite')"):
            break
    number = page.locator("button.cite").first
    expect(number).to_be_focused()
    expect(page.locator(".cite-card mark")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".cite-card")).to_have_count(0)
    page.keyboard.press("Enter")
    panel = page.get_by_role("dialog", name=re.compile("handbook"))
    expect(panel.get_by_role("button", name="Close the source")).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(number).to_be_focused()


def test_a_finger_on_a_narrow_screen(chromium: Browser, console: Console, agent: str) -> None:
    """A tap shows the card inside 320 pixels, its button the source, and nothing stands out sideways."""
    context = chromium.new_context(viewport=NARROW, has_touch=True, is_mobile=True, color_scheme="dark")
    page = context.new_page()
    console.sign_in(page)
    choose(page, agent)
    page.goto(f"{console.base}/console/ask")
    ask(page).first.tap()
    card = page.locator(".cite-card")
    expect(card.locator("mark")).to_have_text(SENTENCE)
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= NARROW["width"]
    card.get_by_role("button", name="Open the source").tap()
    expect(page.get_by_role("img", name="Page 1 of handbook")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    context.close()


def test_an_answer_can_be_taken_along(asking: Seen) -> None:
    """Markdown with references goes to the clipboard, and BibTeX into a file."""
    page = asking.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page)
    page.get_by_text("Copy or save").click()
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.locator("[aria-live=polite]")).to_have_text("Copied with its references.")
    copied = str(page.evaluate("navigator.clipboard.readText()"))
    assert SENTENCE in copied
    assert "handbook" in copied.split(SENTENCE)[1]
    page.get_by_text("Copy or save").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save BibTeX").click()
    assert saved.value.suggested_filename == "sources.bib"


def test_a_hostile_answer_does_nothing(asking: Seen) -> None:
    """HTML, pictures, scripts and addresses in an answer and its titles load and run nothing, and show as text."""
    page = asking.page
    title = "<img src=https://elsewhere.example/t onerror=\"document.title='ran'\">\u202etxt"
    text = (
        "# <script>document.title='ran'</script>\n\n"
        "It is so [1]. ![a picture](https://elsewhere.example/p.png) [x](javascript:alert(1)) "
        "<img src=https://elsewhere.example/q> [there](https://elsewhere.example/w) [1]\n\n"
        "[1]: https://elsewhere.example/def\n\n"
        "| a | b |\n|---|---|\n| <iframe src=https://elsewhere.example> | c |\n"
    )
    answers(page, told(text, title))
    expect(ask(page)).to_have_count(1)
    prose = page.locator(".prose")
    expect(prose).to_contain_text("<script>document.title='ran'</script>")
    expect(prose).to_contain_text("a picture")
    expect(prose).to_contain_text("[1]: https://elsewhere.example/def")
    assert prose.locator("img, script, iframe, [style], [onerror]").count() == 0
    hrefs = prose.locator("a").evaluate_all("(all) => all.map((one) => [one.href, one.rel, one.target])")
    assert ["https://elsewhere.example/w", "noopener noreferrer nofollow", "_blank"] in hrefs
    assert all(href.startswith("https://elsewhere.example/") for href, *_ in hrefs)
    page.locator("button.cite").click()
    expect(page.locator(".panel")).to_contain_text("This source is no longer available.")
    expect(page.locator(".panel .source-title")).to_contain_text("<img src=")
    assert "\u202e" not in page.locator(".panel").inner_text()
    assert page.locator(".panel a").count() == 0
    expect(page).to_have_title("Ask – pincite")


def test_without_a_picture_there_is_the_passage_and_no_fault(asking: Seen) -> None:
    """A page that has no picture shows its passage alone; a passage that is gone says so."""
    page = asking.page
    page.route("**/preview/image?*", lambda route: route.fulfill(status=404, body="{}"))
    number = ask(page).first
    with page.expect_response("**/preview/image?*"):
        number.click()
    panel = page.locator(".panel")
    expect(panel.locator("mark")).to_have_text(SENTENCE)
    expect(panel.get_by_role("region", name="The page")).to_have_count(0)
    expect(panel.get_by_role("alert")).to_have_count(0)
    page.route("**/preview?*", lambda route: route.fulfill(status=404, body="{}"))
    page.reload()
    number.click()
    expect(panel).to_contain_text("This source is no longer available.")
    expect(panel.get_by_role("alert")).to_have_count(0)


def test_a_number_stands_where_its_offset_says(asking: Seen) -> None:
    """Behind signs of two units, and in bold, the number is in its place, and half brackets of the text stay."""
    page = asking.page
    text = "\U0001f600 \u2e240\u2e25 **bold \U0001f600 [1]** and [1] as text."
    answers(page, told(text))
    expect(ask(page)).to_have_count(1)
    expect(page.locator(".prose strong button.cite")).to_have_count(1)
    expect(page.locator(".prose")).to_have_text("\U0001f600 \u2e240\u2e25 bold \U0001f600 1 and [1] as text.")


def test_what_was_found_wanting_is_told(asking: Seen) -> None:
    """A sentence that cites nothing is underlined, a miss is told, and what was not scored has no badge."""
    page = asking.page
    text = "It is so [1]. This cites nothing."
    at = text.index("This")
    missed = [{"start_utf16": 0, "end_utf16": 2, "reason": "never_issued", "suggestion": None}]
    uncited = [{"start_utf16": at, "end_utf16": len(text)}]
    state = {"source_state": "superseded", "support_verdict": "unsupported"}
    answers(page, told(text, cited=state, misses=missed, uncited=uncited))
    number = ask(page).first
    expect(page.locator(".prose .uncited")).to_have_text("This cites nothing.")
    expect(page.get_by_text("1 citation leads nowhere.")).to_be_visible()
    expect(number).to_have_attribute("aria-label", re.compile("has changed since"))
    number.hover()
    expect(page.locator(".cite-card")).to_contain_text("Not supported")
    expect(page.locator(".cite-card")).not_to_contain_text("Confidence")


def test_an_answer_from_right_to_left(asking: Seen) -> None:
    """Each block has the direction of its own words."""
    page = asking.page
    text = "הוצאות מעל 100 אירו דורשות אישור [1].\n\n- פריט ראשון\n\nAnd this is English."
    # Lines of a stream may end in CR alone.
    answers(page, told(text, end="\r"))
    expect(ask(page)).to_have_count(1)
    found = page.locator(".prose > p").evaluate_all(
        "(all) => all.map((one) => getComputedStyle(one).direction)"
    )
    assert found == ["rtl", "ltr"]
    expect(page.locator(".prose li")).to_have_css("direction", "rtl")


def test_an_answer_grows_without_flicker(asking: Seen) -> None:
    """While pieces come, no mark of Markdown is seen, and a paragraph that is whole stays."""
    page = asking.page
    text = (
        "It is **so and *truly* so** [1].\n\n- one `code`\n- [two](https://elsewhere.example/two)\n\nThe end."
    )
    page.evaluate(SLOWLY, told(text))
    expect(ask(page)).to_have_count(1)
    seen = cast("list[str]", page.evaluate("window.seen"))
    assert len(seen) > 5
    assert [one for one in seen if "*" in one or "`" in one or "](" in one] == []
    assert page.evaluate("window.firsts.size") == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_people_out(asking: Seen, axe: str, scheme: Any) -> None:
    """The answer, the card and the open source have no serious fault, in either set of colours."""
    page = asking.page
    page.emulate_media(color_scheme=scheme)
    number = ask(page).first
    page.evaluate(axe)
    for step in (number.hover, number.click):
        step()
        expect(page.locator(".snippet").last).to_be_visible()
        assert faults_of(page) == []
