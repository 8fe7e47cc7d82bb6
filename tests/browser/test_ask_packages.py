"""Sources that are records of MOCA packages: what they say of trust, fact by fact, in a stream and when read again."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from ask_parts import answers, ask, told

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from console_parts import Console, Seen

TEXT = "Expenses over 100 EUR need approval [1]."
GOOD: dict[str, Any] = {
    "status": "stable", "declaredVerified": [], "attestedReviews": [], "stale": False, "inForce": True,
    "superseded": False, "contested": False,
}  # fmt: skip
WORST: dict[str, Any] = {
    "status": "draft",
    "declaredVerified": [{"by": "Ann", "at": "2026-01-02"}],
    "attestedReviews": [
        {"reviewer": "Bo", "reviewedAt": "2026-01-03", "outcome": "inaccurate", "signer": "Bo's key"}
    ],
    "stale": True,
    "staleAfter": "2026-01-01",
    "inForce": False,
    "validUntil": "2025-12-31",
    "superseded": True,
    "supersededBy": ["rules@2#a"],
    "contested": True,
    "contestedBy": ["other@1#b"],
}
EVIDENCE = [
    {"source": {"title": "Act", "resource": "https://law.example/act"}, "matched": True},
    {
        "source": {"title": "Memo", "resource": "javascript:document.title='ran'"},
        "selector": {"exact": "none"},
        "matched": False,
    },
    {"source": {"id": "letter"}},
]
FACTS = [
    'Review by "Bo", attested by the signature of "Bo\'s key": inaccurate (2026-01-03).',
    "Status: draft.",
    "Stale since 2026-01-01.",
    "Not in force (valid until 2025-12-31).",
    'Superseded by "rules@2#a".',
    'Contested by "other@1#b".',
    "Evidence not found in its source: 1.",
    'Package signed by "The publisher".',
    'Declared checked by "Ann" (2026-01-02): the author\'s own statement, signed by nobody.',
    "Evidence found in its source: 1.",
    "Evidence not checked: 1.",
]


@pytest.fixture(scope="module")
def console(ask_console: Console) -> Console:
    """The server that all tests of Ask share."""
    return ask_console


def record(name: str, trust: dict[str, Any], *, signed: bool, **more: Any) -> dict[str, Any]:
    """Return a record as a Reader makes it, of the node `name`."""
    signers = {"signers": ["The publisher"]} if signed else {}
    return {
        "package": {
            "id": "https://p.example/rules",
            "version": "1",
            "digest": "x",
            "signed": signed,
            **signers,
        },
        "node": {
            "id": f"rules#{name}",
            "ref": f"rules@1#{name}",
            "path": name,
            "type": "rule",
            "title": name,
        },
        "trust": trust,
        **more,
    }


def value(message: str = "m") -> dict[str, Any]:
    """Return the value of the event: one record at `[1]`, and one that no number stands for."""
    worst = record("approval", WORST, signed=True, evidence=EVIDENCE, text="Approval is needed\u202e.")
    rest = record("<img src=x>", GOOD, signed=False, text="Receipts are kept.")
    return {
        "version": 1,
        "messageId": message,
        "computedAt": "2026-02-03T04:05:06Z",
        "citations": [{"record": worst, "marker": "[1]"}, {"record": rest}],
    }


def test_facts_of_a_package_stand_one_by_one(asking: Seen) -> None:
    """Each fact is a sentence of its own, warnings first; what an author declares is never told as attested."""
    page = asking.page
    moca = {"type": "CUSTOM", "name": "moca.citations", "value": value()}
    answers(page, told(TEXT, more=[moca]))
    number = ask(page).first
    number.hover()
    for around in (page.locator(".cite-card"), page.locator(".panel")):
        expect(around.locator(".trust li")).to_have_text(FACTS)
        expect(around.locator(".trust li.warns")).to_have_text(FACTS[:7])
        expect(around.locator("[data-kind=declared_check]")).not_to_contain_text("attested")
        expect(around.locator(".evidence")).to_have_text(
            ["Act (found in its source)", "Memo: none (not found in its source)", "letter (not checked)"]
        )
        # The words of the record stand in for a preview, which there is none of.
        expect(around.locator(".snippet")).to_have_text("Approval is needed.")
        expect(around).not_to_contain_text("no longer available")
        expect(around).to_contain_text("As of 3 February 2026, 04:05 UTC")
        hrefs = around.locator("a").evaluate_all("(all) => all.map((one) => one.href)")
        assert hrefs == ["https://law.example/act"]
        number.click()
    rest = page.locator(".rest")
    rest.get_by_text("Also cited, without a number: 1 source").click()
    expect(rest.locator(".trust li")).to_have_text(
        ["Not attested here: the service verified no signature of the package.", "Status: stable."]
    )
    expect(rest.locator("h3")).to_have_text("<img src=x>")
    assert page.locator("main img").count() == 0


def test_a_conversation_that_is_read_again_tells_the_facts_as_of_their_time(asking: Seen) -> None:
    """What is kept with an answer is shown as in its stream, with the moment at which it was true."""
    page = asking.page
    number = ask(page).first
    expect(page).to_have_url(re.compile(r"/console/ask/\w{32}$"))

    def kept(route: Route) -> None:
        reply = route.fetch()
        body = reply.json()
        for one in body["answers"]:
            one["moca"] = value(one["message_id"])
        route.fulfill(response=reply, body=json.dumps(body))

    page.route("**/api/conversations/*/citations", kept)
    page.reload()
    number.hover()
    card = page.locator(".cite-card")
    expect(card.locator(".trust li")).to_have_text(FACTS)
    expect(card).to_contain_text("As of 3 February 2026, 04:05 UTC")
    # A passage of ours keeps its own words.
    expect(card.locator("mark")).to_be_visible()
