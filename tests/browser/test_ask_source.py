"""The source behind a number: its page enlarged, cut down and turned; beside the answer or alone; changed, erased."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, cast

import pytest
from playwright.sync_api import expect

from absent import missing
from ask_parts import LIT, QUESTION, SENTENCE, add, agent_over, ask, choose, faults_of
from console_parts import NARROW
from pdf_maker import PdfMaker
from pdf_oracles import poppler_words

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator, Page

    from console_parts import Console, Seen

# Points.
PAGE = (420, 300)
# One sentence that begins at the foot of a page and goes on at the head of the next.
FIRST, REST = "Expenses over 100 EUR require prior", "approval from your line manager."
GONE = "This source is no longer available."
# Whether the source has the focus.
INSIDE = "document.querySelector('.panel').contains(document.activeElement)"


@pytest.fixture(scope="module")
def console(ask_console: Console) -> Console:
    """The server that all tests of Ask share."""
    return ask_console


@pytest.fixture(scope="module")
def leaflet() -> bytes:
    """Two pages with one sentence over both."""
    maker = PdfMaker()
    page = maker.page((0, 0, *PAGE))
    page.line("Trains are booked in second class and hotels at the usual rate.", 30, 60)
    page.line(FIRST, 30, 270)
    page = maker.page((0, 0, *PAGE))
    page.line(REST, 30, 40)
    page.line("Receipts are kept for seven years.", 30, 120)
    return maker.save().data


@pytest.fixture(scope="module")
def turning(console: Console, leaflet: bytes) -> str:
    """An agent that knows the two pages."""
    return agent_over(console, "Leaflet", {"leaflet.pdf": leaflet})[0]


def places(data: bytes, folder: Path) -> list[list[float]]:
    """Return where Poppler finds each half of the sentence on its page: left, top, right, bottom as fractions."""
    pdftotext = shutil.which("pdftotext")
    if pdftotext is None:
        missing("Poppler is not installed; it is Debian's package `poppler-utils`.")
    file = folder / "leaflet.pdf"
    file.write_bytes(data)
    found: list[list[float]] = []
    for words, half in zip(poppler_words(pdftotext, file), (FIRST, REST), strict=True):
        boxes = [box for word, box in words if word in half.split()]
        assert len(boxes) == len(half.split())
        found.append([
            *(min(box[side] for box in boxes) for side in (0, 1)),
            *(max(box[side] for box in boxes) for side in (2, 3)),
        ])  # fmt: skip
    return found


def lit(page: Page, image: Locator) -> list[float]:
    """Return the rectangle of a picture in which words are lit, once the picture that was asked for last is there."""
    expect(page.locator(".sheet.waits")).to_have_count(0)
    image.evaluate("(image) => image.decode()")
    return cast("list[float]", image.evaluate(LIT))


def test_each_number_lights_what_bears_out_its_own_sentence(signed_in: Seen) -> None:
    """Two sentences of one passage: on the card and beside the answer a number lights what its sentence says."""
    bicycle, tandem = "A bicycle travels for 4 euro a day.", "Tandems count as two bicycles."
    page = signed_in.page
    files = {"journeys.md": f"# Journeys\n\n{bicycle} {tandem} Dogs stay at home.\n".encode()}
    choose(page, agent_over(signed_in.console, "Journeys", files)[0])
    signed_in.go("/console/ask")
    numbers = ask(page, "For how many euro does a bicycle travel a day? Do tandems count as two bicycles?")
    expect(page.locator(".prose")).to_have_text(f"{bicycle} 1 {tandem} 1")
    for place, sentence in ((0, bicycle), (1, tandem)):
        numbers.nth(place).hover()
        expect(page.locator(".cite-card mark")).to_have_text(sentence)
        numbers.nth(place).click()
        expect(page.locator(".panel mark")).to_have_text(sentence)
        page.get_by_role("button", name="Close the source").click()


def test_the_words_stay_lit_when_the_page_is_enlarged_turned_and_cut_down(
    signed_in: Seen, turning: str, leaflet: bytes, tmp_path: Path
) -> None:
    """After each step the lit words are where Poppler finds them, on the page that is shown."""
    first, second = places(leaflet, tmp_path)
    page = signed_in.page
    choose(page, turning)
    signed_in.go("/console/ask")
    ask(page).first.click()
    image = page.locator(".sheet img")
    assert lit(page, image) == pytest.approx(first, abs=0.02)
    size = "(image) => [image.naturalWidth, image.getBoundingClientRect().width]"
    small = cast("list[float]", image.evaluate(size))
    page.get_by_role("button", name="Larger").click()
    assert lit(page, image) == pytest.approx(first, abs=0.02)
    large = cast("list[float]", image.evaluate(size))
    assert large[0] == pytest.approx(1.5 * small[0], rel=0.01)
    assert large[1] == pytest.approx(1.5 * small[1], rel=0.01)
    page.get_by_role("button", name="Next page").click()
    expect(page.get_by_text("Page 2", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Next page")).to_be_disabled()
    expect(image).to_have_attribute("alt", re.compile(r"^Page 2 of leaflet"))
    assert lit(page, image) == pytest.approx(second, abs=0.02)
    page.get_by_role("button", name="Previous page").click()
    page.get_by_role("button", name="Smaller").click()
    assert lit(page, image) == pytest.approx(first, abs=0.02)
    page.get_by_role("button", name="Only the passage").click()
    # What is cut out is the lit words and 28 points around them, as far as the page goes.
    wide, high = PAGE
    x0, y0, x1, y1 = first[0] * wide, first[1] * high, first[2] * wide, first[3] * high
    left, top = max(0.0, x0 - 28), max(0.0, y0 - 28)
    across, down = min(wide, x1 + 28) - left, min(high, y1 + 28) - top
    expected = [(x0 - left) / across, (y0 - top) / down, (x1 - left) / across, (y1 - top) / down]
    assert lit(page, image) == pytest.approx(expected, abs=0.05)
    expect(page.get_by_role("button", name="Only the passage")).to_have_attribute("aria-pressed", "true")


def test_on_a_narrow_screen_the_source_stands_alone(asking: Seen, axe: str) -> None:
    """It is a modal dialog: Tab stays in it; Escape, a step back and Close leave it, to the number that opened it."""
    page = asking.page
    page.get_by_role("link", name="Library").click()
    page.get_by_role("link", name="Ask", exact=True).click()
    page.set_viewport_size(NARROW)
    number = ask(page).first
    expect(page).to_have_url(re.compile(r"/console/ask/\w{32}$"))
    address = page.url
    panel = page.get_by_role("dialog", name=re.compile("handbook"))

    def escape() -> None:
        page.keyboard.press("Escape")

    def back() -> None:
        page.go_back()

    def close() -> None:
        panel.get_by_role("button", name="Close the source").click()

    for leave in (escape, back, close):
        number.press("Enter")
        expect(panel).to_have_attribute("aria-modal", "true")
        expect(panel.get_by_role("button", name="Close the source")).to_be_focused()
        expect(panel.get_by_role("img")).to_be_visible()
        for key in ("Tab", "Shift+Tab"):
            for _ in range(6):
                page.keyboard.press(key)
                assert page.evaluate(INSIDE)
        if leave is close:
            page.evaluate(axe)
            assert faults_of(page) == []
        leave()
        expect(panel).to_have_count(0)
        expect(number).to_be_focused()
        assert page.url == address
    # The way back out of the conversation is as long as the way in.
    page.go_back()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()


def test_on_a_wide_screen_one_goes_on_beside_the_source(asking: Seen) -> None:
    """The source is not modal: the next question is written while it is open, and it may become modal and back."""
    page = asking.page
    ask(page).first.click()
    panel = page.get_by_role("dialog", name=re.compile("handbook"))
    expect(panel).to_be_visible()
    assert panel.get_attribute("aria-modal") is None
    page.get_by_label("Your question").fill("And trains?")
    page.set_viewport_size(NARROW)
    expect(panel).to_have_attribute("aria-modal", "true")
    page.set_viewport_size({"width": 1180, "height": 860})
    expect(panel).not_to_have_attribute("aria-modal", "true")
    page.get_by_label("Your question").press("Escape")
    expect(panel).to_have_count(0)
    expect(page.get_by_label("Your question")).to_have_value("And trains?")


def test_a_source_changes_and_goes_under_an_open_answer(signed_in: Seen) -> None:
    """What it said stays to be read while the answer is open; later it is told what became of it, as no fault."""
    console, page = signed_in.console, signed_in.page
    text = f"# Handbook\n\n{SENTENCE}\n"
    agent, collection, (document,) = agent_over(console, "Changing", {"rules.md": text.encode()})
    choose(page, agent)
    signed_in.go("/console/ask")
    number = ask(page, QUESTION).first
    panel = page.locator(".panel")
    number.click()
    expect(panel.locator("mark")).to_have_text(SENTENCE)
    expect(panel).not_to_contain_text("Changed since")
    page.keyboard.press("Escape")
    add(console, collection, {"rules.md": b"# Handbook\n\nNothing needs approval.\n"}, replace=True)
    number.click()
    expect(panel).to_contain_text("Changed since")
    expect(panel.locator("mark")).to_have_text(SENTENCE)
    page.keyboard.press("Escape")
    console.ask("DELETE", f"/api/manage/documents/{document}")
    number.click()
    expect(panel).to_contain_text("Source removed")
    expect(panel).to_contain_text(GONE)
    expect(panel.locator("mark")).to_have_text(SENTENCE)
    expect(panel.get_by_role("alert")).to_have_count(0)
    page.reload()
    number.click()
    expect(panel).to_contain_text(GONE)
    expect(panel.get_by_role("alert")).to_have_count(0)
    expect(panel).not_to_contain_text(SENTENCE)
    page.keyboard.press("Escape")
    console.ask("DELETE", f"/api/manage/documents/{document}?hard=true")
    page.reload()
    expect(page.get_by_text("This answer was erased with a document that it cited.")).to_be_visible()
    expect(page.locator("main")).not_to_contain_text(SENTENCE)
    expect(page.get_by_role("alert")).to_have_count(0)
