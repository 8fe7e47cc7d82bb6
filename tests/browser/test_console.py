"""The console, in a real browser over a real server: what a person sees and does there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import expect

from console_parts import NARROW, WIDE, drop
from server_parts import HANDBOOK

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from console_parts import Seen

HOSTILE = "<img src=x onerror=\"document.title='ran'\">"
HANDBOOK_BYTES = HANDBOOK.encode()
BROKEN = b"%PDF-1.7 and nothing else"


def added(seen: Seen, name: str, files: dict[str, bytes]) -> str:
    """Make a collection, drop files into it, wait until each has ended, and return its id."""
    collection = seen.console.collection(name)
    page = seen.go(f"/console/collections/{collection}")
    expect(page.get_by_text("No document yet")).to_be_visible()
    drop(page, files)
    ended = page.locator("[data-state=ready], [data-state=flagged], [data-state=failed]")
    expect(ended).to_have_count(len(files), timeout=40_000)
    return collection


def screens(seen: Seen, collection: str, agent: str) -> list[str]:
    """Return the address of every screen that has something to show."""
    return [
        "/console/library",
        f"/console/collections/{collection}",
        f"/console/collections/{collection}/settings",
        "/console/agents",
        "/console/agents/new",
        f"/console/agents/{agent}",
        f"/console/agents/{agent}/embed",
        "/console/check",
        "/console/check/quotes",
        "/console/nowhere",
    ]


def test_signing_in_and_out(seen: Seen) -> None:
    """A wrong key is refused in a plain sentence; a good one is kept in this tab alone, until signing out."""
    page = seen.go("/")
    page.get_by_label("API key").fill("pck_wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("This server does not know this key.")
    page.get_by_label("API key").fill(f" {seen.console.key} ")
    page.get_by_label("API key").press("Enter")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    kept = page.evaluate("[Object.values(sessionStorage), Object.values(localStorage), document.cookie]")
    assert kept == [[seen.console.key], [], ""]
    page.reload()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("API key")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0


def test_a_key_that_ends_leads_back_to_the_door(seen: Seen) -> None:
    """When the key is revoked while somebody works, that is said where a key is asked for."""
    made = seen.console.ask("POST", "/api/manage/keys", {"name": "short", "scopes": ["read"]})
    page = seen.go("/")
    page.get_by_label("API key").fill(made["key"])
    page.get_by_label("API key").press("Enter")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    seen.console.ask("DELETE", f"/api/manage/keys/{made['key_id']}")
    page.get_by_role("link", name="Agents").click()
    expect(page.get_by_label("API key")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_text("This server does not know this key.")


def test_files_are_dropped_read_and_told_of(signed_in: Seen) -> None:
    """A good file becomes ready by itself; one that fails says why, in the job's own sentence, also after a reload."""
    collection = added(signed_in, "dropped", {"handbook.md": HANDBOOK_BYTES, "broken.pdf": BROKEN})
    page = signed_in.page
    ready = page.locator("[data-state=ready]")
    expect(ready).to_contain_text("Handbook")
    expect(ready).to_contain_text("Ready")
    jobs = signed_in.console.ask("GET", "/api/manage/jobs?limit=50")["jobs"]
    files = next(job["progress"]["files"] for job in jobs if job["collection_id"] == collection)
    (sentence,) = [one["message"] for one in files if one["status"] == "failed"]
    failed = page.locator("[data-state=failed]")
    expect(failed.locator(".reason")).to_have_text(sentence)
    page.reload()
    expect(failed.locator(".reason")).to_have_text(sentence)
    page.get_by_role("button", name="Dismiss broken.pdf").click()
    expect(failed).to_have_count(0)
    page.reload()
    expect(ready).to_have_count(1)
    expect(failed).to_have_count(0)


def test_a_name_that_is_taken_can_become_a_new_version(signed_in: Seen) -> None:
    """Another file of the same name is refused in the server's words, and comes in as a version when that is wanted."""
    added(signed_in, "versions", {"handbook.md": HANDBOOK_BYTES})
    page = signed_in.page
    drop(
        page,
        {"handbook.md": HANDBOOK_BYTES + b"\nBicycles are paid too.\n", "other.md": b"# Other\n\nText.\n"},
    )
    taken = page.locator("[data-state=taken]")
    expect(taken).to_contain_text("replace=true")
    # The other one came in all the same.
    expect(page.locator("[data-state=ready]")).to_have_count(2, timeout=20_000)
    page.get_by_role("button", name="Add handbook.md as the new version").click()
    expect(taken).to_have_count(0)
    expect(page.locator("[data-state=ready]")).to_have_count(2)
    page.get_by_role("button", name="Versions of Handbook").click()
    expect(page.locator(".versions li")).to_have_count(2, timeout=20_000)


def test_a_document_is_put_aside_taken_back_and_erased(signed_in: Seen) -> None:
    """Deleting asks first; what was put aside comes back, and what was erased does not."""
    collection = added(signed_in, "deleted", {"handbook.md": HANDBOOK_BYTES})
    page = signed_in.page
    page.get_by_role("button", name="Delete Handbook").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("you can take it back")
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.locator("[data-state=ready]")).to_have_count(1)
    page.get_by_role("button", name="Delete Handbook").click()
    dialog.get_by_role("button", name="Put aside").click()
    expect(page.get_by_text("No document yet")).to_be_visible()
    page.get_by_text("Put aside (1)").click()
    page.get_by_role("button", name="Take back Handbook").click()
    expect(page.locator("[data-state=ready]")).to_have_count(1)
    page.get_by_role("button", name="Delete Handbook").click()
    dialog.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("No document yet")).to_be_visible()
    path = f"/api/manage/collections/{collection}/documents?trashed=true"
    assert signed_in.console.ask("GET", path)["total"] == 0


def test_the_bar_is_set_and_given_back(signed_in: Seen) -> None:
    """A bar of its own is stored, the platform's default is null, and recent searches are drawn above the slider."""
    collection = added(signed_in, "bar", {"handbook.md": HANDBOOK_BYTES})
    for question in ("From which amount do expenses need approval?", "What is the capital of Peru?"):
        asked = {"query": question, "collections": [collection]}
        signed_in.console.ask("POST", "/api/manage/search", asked)
    page = signed_in.page
    page.get_by_role("link", name="Settings").click()
    expect(page.get_by_role("heading", name="Confidence bar (retry & citations)")).to_be_visible()
    expect(page.get_by_text("Of the last 2 searches, 1 stayed under this bar.")).to_be_visible()
    assert page.locator(".histogram rect").count() == 2
    expect(page.get_by_label("Confidence bar", exact=True)).to_be_disabled()
    page.get_by_label("A bar of its own").check()
    page.get_by_label("Confidence bar as a number").fill("0.95")
    page.get_by_label("Confidence bar as a number").press("Tab")
    expect(page.get_by_text("Of the last 2 searches, 2 stayed under this bar.")).to_be_visible()
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    read = f"/collections/{collection}"
    assert signed_in.console.ask("GET", read)["score_threshold"] == 0.95
    page.get_by_label("Platform default").check()
    page.get_by_label("Hierarchical").check()
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    told = signed_in.console.ask("GET", read)
    assert (told["score_threshold"], told["chunking"]) == (None, "hierarchical")


def test_an_agent_a_workflow_and_an_embed(signed_in: Seen) -> None:
    """Each setting that is chosen is stored; a key is shown once; what the server refuses is said as it says it."""
    console = signed_in.console
    collection = console.collection("knowledge")
    page = signed_in.go("/console/agents/new")
    page.get_by_label("Name").fill("Night helper")
    page.get_by_label("Workflow").check()
    page.get_by_role("checkbox", name="knowledge").check()
    page.get_by_label("Wire format").select_option("short_id")
    page.get_by_label("Whole passage").check()
    page.get_by_label("Instructions").fill("Be brief.")
    page.get_by_role("button", name="Create").click()
    page.get_by_role("button", name="Settings of Night helper").click()
    dialog = page.get_by_role("dialog", name="Workflow settings")
    expect(dialog.get_by_role("group", name="Citation highlight")).to_be_visible()
    expect(dialog.get_by_label("Whole passage")).to_be_checked()
    dialog.get_by_label("Model’s quote").check()
    dialog.get_by_role("button", name="Save settings").click()
    expect(dialog).to_have_count(0)
    (agent,) = [
        one for one in console.ask("GET", "/api/manage/agents")["agents"] if one["name"] == "Night helper"
    ]
    wanted = {
        "kind": "workflow",
        "collections": [collection],
        "wire_format": "short_id",
        "highlight": "models_quote",
        "instructions": "Be brief.",
        "model": None,
    }
    assert {name: agent[name] for name in wanted} == wanted
    page.get_by_role("link", name="Embed Night helper").click()
    expect(page.get_by_role("heading", name="On the page")).to_be_visible()
    expect(page.get_by_label("Citation highlight").locator("option").first).to_have_text(
        "Same as the workflow"
    )
    page.get_by_label("Name").fill("Site")
    page.get_by_label("Allowed origins").fill("not an origin")
    page.get_by_role("button", name="Make the embed").click()
    refused = console.ask(
        "POST",
        f"/api/manage/agents/{agent['agent_id']}/embeds",
        {"name": "Site", "allowed_origins": ["not", "an", "origin"]},
    )
    expect(page.get_by_role("alert")).to_have_text(refused["error"]["message"])
    page.get_by_label("Allowed origins").fill("https://www.example.org\nhttps://example.org:8443")
    page.get_by_label("Previews").uncheck()
    page.get_by_role("button", name="Make the embed").click()
    key = page.locator(".copy code").first.inner_text()
    assert re.fullmatch(r"kve_[\w-]{20,}", key)
    expect(page.get_by_label("Snippet")).to_contain_text(f'data-key="{key}"')
    embeds = console.ask("GET", f"/api/manage/agents/{agent['agent_id']}/embeds")["embeds"]
    # The console makes one of its own beside it, to preview it.
    (embed,) = [one for one in embeds if one["allowed_origins"] != [console.base]]
    assert embed["allowed_origins"] == ["https://www.example.org", "https://example.org:8443"]
    assert (embed["highlight"], embed["previews"]) == (None, False)
    page.reload()
    expect(page.get_by_role("heading", name="Embeds")).to_be_visible()
    assert key not in page.content()
    page.get_by_role("button", name="End Site").click()
    page.get_by_role("dialog").get_by_role("button", name="End it").click()
    expect(page.get_by_role("heading", name="Put it on a page")).to_be_visible()


def test_an_answer_is_checked_with_what_differs_marked(signed_in: Seen) -> None:
    """A pasted answer with numbers in brackets: each citation has its verdict, and the words that differ are marked."""
    page = signed_in.go("/console/check")
    page.get_by_label("The answer").fill(
        "Receipts are kept for seven years [1]. Expenses over 250 EUR require prior approval from your line manager "
        "[1]. It ends in March [9]."
    )
    page.get_by_label("Title, id or address").fill("Handbook")
    page.get_by_label("Its text").fill(
        "Expenses over 100 EUR require prior approval from your line manager. Receipts are kept for seven years."
    )
    page.get_by_role("button", name="Check the answer").click()
    expect(page.get_by_role("heading", name="2 citations found")).to_be_visible()
    first, second = page.locator("li.citation").all()
    expect(first).to_contain_text("Supported")
    expect(second).to_contain_text("Contradicted")
    assert "250" in second.locator("mark.written").inner_text()
    assert "100" in second.locator("mark.original").inner_text()
    expect(page.get_by_text("“[9]” looks like a citation and leads to nothing.")).to_be_visible()
    expect(page.locator(".answer .chip")).to_have_text(["1", "1"])


def test_quotes_are_verified_with_what_differs_marked(signed_in: Seen) -> None:
    """Each quote has its verdict and the server's sentence; one that is cut off is shown with what it leaves out."""
    page = signed_in.go("/console/check/quotes")
    page.get_by_label("The source").fill(
        "Receipts are kept for seven years, unless the tax office asks for more."
    )
    page.get_by_label("Quotes").fill("Receipts are kept for nine years\nReceipts are kept for seven years")
    page.get_by_role("button", name="Verify the quotes").click()
    expect(page.get_by_role("heading", name="2 quotes checked")).to_be_visible()
    altered, cut = page.locator(".findings li").all()
    expect(altered).to_contain_text("Altered")
    expect(altered.locator("mark.written")).to_have_text("nine")
    expect(altered.locator("mark.original")).to_have_text("seven")
    expect(cut).to_contain_text("Cut off")
    expect(cut.locator(".around").last).to_contain_text("unless the tax office")


def test_hostile_names_and_titles_are_text(signed_in: Seen) -> None:
    """Names, titles and answers that are markup are shown letter by letter; nothing runs and nothing is asked for."""
    console = signed_in.console
    text = f"# `{HOSTILE}<script>document.title='ran'</script>`\u202egnp.exe\n\nText.\n"
    collection = added(signed_in, HOSTILE, {f"{HOSTILE}.md": text.encode()})
    page = signed_in.page
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    ready = page.locator("[data-state=ready]")
    expect(ready.locator(".row-title")).to_contain_text(f"{HOSTILE}<script>")
    # A sign that turns the direction of what follows is never passed on.
    assert "\u202e" not in ready.inner_text()
    page.get_by_role("button", name="Delete <img").click()
    expect(page.get_by_role("dialog")).to_contain_text("<img src=x")
    page.keyboard.press("Escape")
    console.ask("POST", "/api/manage/agents", {"name": HOSTILE, "collections": [collection]})
    for path in ("/console/library", "/console/agents"):
        signed_in.go(path)
        expect(page.locator(".row-title", has_text="<img src=x").first).to_be_visible()
    signed_in.go("/console/check")
    page.get_by_label("The answer").fill(f"{HOSTILE} [1]. <b>Bold</b> [[deadbeef]].")
    page.get_by_label("Title, id or address").fill("javascript:alert(1)")
    page.get_by_label("Its text").fill(HOSTILE)
    page.get_by_role("button", name="Check the answer").click()
    expect(page.locator(".answer")).to_contain_text("<img src=x")
    assert page.locator("main img, main script, main b, a[href^='javascript']").count() == 0
    assert page.title() != "ran"


def test_everything_can_be_done_with_the_keyboard(seen: Seen) -> None:
    """Sign in, pass over the frame, make a collection, open a dialog, leave it: the focus is where one looks for it."""
    page = seen.go("/console/library")
    expect(page.get_by_label("API key")).to_be_focused()
    page.keyboard.type(seen.console.key)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    field = page.get_by_label("New collection")
    reach(page, "#new-name")
    expect(field).to_be_focused()
    page.keyboard.type("by hand")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="by hand")).to_be_visible()
    expect(page.locator("main")).to_be_focused()
    reach(page, "input[type=file]")
    reach(page, "a[href='/console/library']", back=True)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    reach(page, "[aria-label='Delete by hand']")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete by hand")).to_be_focused()
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).press("Enter")
    expect(page.get_by_role("link", name="by hand")).to_have_count(0)


def reach(page: Page, selector: str, *, back: bool = False) -> None:
    """Press Tab until what `selector` names has the focus; each stop on the way must be seen to have it."""
    for _ in range(60):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
    pytest.fail(f"The keyboard does not lead to {selector}.")


def test_dark_and_light_are_the_systems_or_ones_own(signed_in: Seen) -> None:
    """Dark where the system is dark; a choice of one's own stands against the system, also after a reload."""
    page = signed_in.page
    page.emulate_media(color_scheme="dark")
    signed_in.go("/console/library")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    assert lightness(page) < 0.2
    page.get_by_label("Colours").select_option("light")
    assert lightness(page) > 0.9
    page.reload()
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    assert lightness(page) > 0.9
    page.get_by_label("Colours").select_option("system")
    assert lightness(page) < 0.2


def lightness(page: Page) -> float:
    """Return how light the paper is, from 0 to 1."""
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / (3 * 255)


def test_no_screen_is_wider_than_a_small_telephone_and_none_keeps_people_out(
    signed_in: Seen, axe: str
) -> None:
    """At 320 px nothing is scrolled sideways; axe finds no serious fault on any screen, light or dark."""
    console = signed_in.console
    long = "a-very-long-name-without-any-space-in-it-that-goes-on-and-on-and-on-and-on-for-ever"
    collection = added(signed_in, long, {f"{long}.md": HANDBOOK_BYTES, "broken.pdf": BROKEN})
    console.ask("POST", "/api/manage/search", {"query": "expenses", "collections": [collection]})
    agent = console.ask("POST", "/api/manage/agents", {"name": long, "collections": [collection]})["agent_id"]
    console.ask(
        "POST",
        f"/api/manage/agents/{agent}/embeds",
        {"name": long, "allowed_origins": [f"https://{long[:50]}.example.org"]},
    )
    page = signed_in.page
    wide: list[tuple[str, int]] = []
    faults: list[tuple[str, str, Any]] = []
    for path in screens(signed_in, collection, agent):
        page.set_viewport_size(NARROW)
        signed_in.go(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator(".loading")).to_have_count(0)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > NARROW["width"]:
            wide.append((path, width))
        page.set_viewport_size(WIDE)
        page.evaluate(axe)
        schemes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
        for scheme in schemes:
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate("axe.run(document).then((found) => found.violations)")
            faults += [
                (path, scheme, [one["id"], [node["html"][:200] for node in one["nodes"]]])
                for one in found
                if one["impact"] in {"serious", "critical"}
            ]
    assert wide == []
    assert faults == []
