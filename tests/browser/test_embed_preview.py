"""The widget at work in the console, beside its snippet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from ask_parts import QUESTION, SENTENCE, faults_of
from console_parts import NARROW

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from console_parts import Console, Seen


@pytest.fixture(scope="module")
def console(ask_console: Console) -> Console:
    """The server that all tests of Ask share."""
    return ask_console


@pytest.fixture
def embedding(signed_in: Seen, agent: str) -> Seen:
    """The Embed tab of an agent that has none."""
    expect(
        signed_in.go(f"/console/agents/{agent}/embed").get_by_role("button", name="Make the embed")
    ).to_be_visible()
    return signed_in


def standing(seen: Seen, agent: str) -> list[dict[str, Any]]:
    """Return the embeds of an agent that have not ended, as a program sees them."""
    embeds = seen.console.ask("GET", f"/api/manage/agents/{agent}/embeds")["embeds"]
    return [one for one in embeds if one["revoked_at"] is None]


def number(page: Page) -> Locator:
    """Ask in the widget and return the first number of its answer."""
    widget = page.locator("pincite-widget")
    widget.get_by_role("textbox").fill(QUESTION)
    widget.get_by_role("textbox").press("Enter")
    found = widget.get_by_role("button", name=re.compile("^Source 1")).first
    expect(found).to_be_visible(timeout=30_000)
    return found


def test_the_widget_is_tried_beside_its_snippet(embedding: Seen, agent: str, axe: str) -> None:
    """The real widget answers in the console by a key that ends with it, as the fields say, saved or not."""
    page = embedding.page
    page.get_by_label("Name").fill("Site")
    page.get_by_label("Greeting").fill("Ask about <b>expenses</b>.")
    page.get_by_label("Allowed origins").fill("https://www.example.org")
    page.get_by_role("button", name="Make the embed").click()
    expect(page.get_by_label("Snippet")).to_contain_text("/widget.js")
    widget = page.locator("pincite-widget")
    expect(widget.get_by_role("heading", name="Site")).to_be_visible()
    expect(widget.get_by_text("Ask about <b>expenses</b>.")).to_be_visible()
    stage = page.locator(".stage").bounding_box()
    panel = widget.get_by_role("dialog").bounding_box()
    assert stage is not None
    assert panel is not None
    assert stage["x"] <= panel["x"]
    assert panel["x"] + panel["width"] <= stage["x"] + stage["width"]
    assert stage["y"] <= panel["y"]
    cited = number(page)
    cited.click()
    expect(widget.locator("blockquote")).to_contain_text(SENTENCE)
    page.evaluate(axe)
    assert faults_of(page) == []
    # A key of its own, that opens this origin alone and is no embed of the list.
    (site, tried) = sorted(standing(embedding, agent), key=lambda one: one["name"] != "Site")[:2]
    sites = {tuple(one["allowed_origins"]) for one in (site, tried)}
    assert sites == {("https://www.example.org",), (embedding.console.base,)}
    expect(page.get_by_role("button", name="End Site")).to_have_count(1)
    with page.expect_response("**/embed/v1/config") as config:
        page.get_by_label("Citation highlight").select_option("whole_passage")
    assert config.value.json()["highlight"] == "whole_passage"
    with page.expect_response("**/embed/v1/config") as config:
        page.get_by_label("Previews").uncheck()
    assert config.value.json()["previews"] is False
    # It takes up its conversation; without previews the words of the source are not shown.
    widget.get_by_role("button", name=re.compile("^Source 1")).first.click()
    expect(widget.get_by_role("heading", name="Source")).to_be_visible()
    expect(widget.locator("blockquote, img")).to_have_count(0)
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_label("Instructions")).to_be_visible()
    page.wait_for_function(
        "() => ![localStorage, sessionStorage].some("
        "(one) => Object.keys(one).some((name) => name.startsWith('pincite:')))"
    )
    assert [one["name"] for one in standing(embedding, agent)] == ["Site"]


def test_an_embed_of_the_list_is_tried_on_a_narrow_screen(embedding: Seen, agent: str) -> None:
    """Preview shows how that embed looks; it stays inside 320 pixels, and who may not make keys is told so."""
    console, page = embedding.console, embedding.page
    path = f"/api/manage/agents/{agent}/embeds"
    console.ask("POST", path, {"name": "Intranet", "greeting": "Hello.", "allowed_origins": []})
    page.set_viewport_size(NARROW)
    page.reload()
    page.get_by_role("button", name="Preview Intranet").click()
    widget = page.locator("pincite-widget")
    expect(widget.get_by_role("heading", name="Intranet")).to_be_visible()
    expect(widget.get_by_text("Hello.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    page.get_by_role("button", name="End the preview").click()
    expect(widget).to_have_count(0)
    made = console.ask("POST", "/api/manage/keys", {"name": "reader", "scopes": ["read"]})
    refused = console.ask("POST", path, {"name": "x"}, key=made["key"])["error"]["message"]
    fresh = page.context.new_page()
    fresh.add_init_script(f"sessionStorage.setItem('pincite.key', '{made['key']}')")
    fresh.goto(page.url)
    fresh.get_by_role("button", name="Show the preview").click()
    expect(fresh.get_by_role("alert")).to_have_text(refused)
    fresh.close()
