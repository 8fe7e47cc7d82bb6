"""Where the console begins, from an empty library to the first question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from ask_parts import add
from server_parts import HANDBOOK

if TYPE_CHECKING:
    from console_parts import Seen


def test_the_console_begins_where_the_next_step_is(signed_in: Seen) -> None:
    """Without a document or an agent it is the library, which names the step that is missing; with both it is Ask."""
    console = signed_in.console
    library = re.compile("/console/library$")
    page = signed_in.go("/")
    expect(page).to_have_url(library)
    expect(page.get_by_role("heading", name="No collection yet")).to_be_visible()
    signed_in.go("/console/ask")
    expect(page.get_by_role("heading", name="No document yet")).to_be_visible()
    expect(page.get_by_role("button", name="Make an agent")).to_have_count(0)
    collection = console.collection("House rules")
    signed_in.go("/console")
    expect(page).to_have_url(library)
    next_step = page.locator(".notice", has_text="Next:")
    expect(next_step).to_contain_text("House rules")
    page.get_by_role("link", name="House rules").first.click()
    expect(page.get_by_text("No document yet")).to_be_visible()
    add(console, collection, {"handbook.md": HANDBOOK.encode()})
    signed_in.go("/console/ask")
    expect(page.get_by_role("heading", name="No agent yet")).to_be_visible()
    expect(page.get_by_role("button", name="Make an agent")).to_be_visible()
    signed_in.go("/")
    expect(page).to_have_url(library)
    next_step.get_by_role("link", name="make an agent").click()
    page.get_by_label("Name").fill("Assistant")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("link", name="Assistant", exact=True)).to_be_visible()
    page.get_by_role("link", name="pincite").click()
    expect(page).to_have_url(re.compile("/console/ask$"))
    expect(page.get_by_label("Your question")).to_be_visible()
    expect(page.get_by_role("link", name="Ask", exact=True)).to_have_attribute("aria-current", "page")
    signed_in.go("/console/library")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    expect(next_step).to_have_count(0)


def test_a_new_agent_over_nothing_says_so(signed_in: Seen) -> None:
    """Who asks where no document is hears that, with the way to the library."""
    page = signed_in.page
    page.route("**/api/manage/collections", lambda route: route.fulfill(json={"collections": []}))
    page.route(
        "**/api/manage/agents",
        lambda route: route.fulfill(
            json={"agents": [{"agent_id": "a", "name": "Assistant", "highlight": "best_match"}]}
        ),
    )
    signed_in.go("/console/ask")
    page.locator(".opening").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
