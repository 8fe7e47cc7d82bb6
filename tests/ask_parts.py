"""The parts of a test of Ask: questions, answers that are made by hand, and where a picture is lit."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import httpx
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from console_parts import Console

SENTENCE = "Expenses over 100 EUR require prior approval from your line manager."
QUESTION = "From which amount do expenses need approval?"
# Where the picture is not white, grey or black: the lit words and the line around them.
LIT = """(image) => {
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
  const drawn = canvas.getContext("2d"); drawn.drawImage(image, 0, 0);
  const { data } = drawn.getImageData(0, 0, canvas.width, canvas.height);
  let [x0, y0, x1, y1] = [1, 1, 0, 0];
  for (let y = 0; y < canvas.height; y++) for (let x = 0; x < canvas.width; x++) {
    const at = 4 * (y * canvas.width + x);
    if (data[at] - data[at + 2] < 40) continue;
    x0 = Math.min(x0, x / canvas.width); x1 = Math.max(x1, (x + 1) / canvas.width);
    y0 = Math.min(y0, y / canvas.height); y1 = Math.max(y1, (y + 1) / canvas.height);
  }
  return [x0, y0, x1, y1];
}"""


def add(console: Console, collection: str, files: dict[str, bytes], *, replace: bool = False) -> list[str]:
    """Bring files into a collection as a program does, wait until they are read, and return their documents' ids."""
    headers = {"Authorization": f"Bearer {console.key}"}
    with httpx.Client(base_url=console.base, headers=headers, timeout=30) as client:
        job = client.post(
            f"/api/manage/collections/{collection}/documents",
            files=[("files", one) for one in files.items()],
            data={"replace": "true"} if replace else {},
        ).json()
        while job["state"] not in {"done", "failed"}:
            job = client.get(f"/api/manage/jobs/{job['job_id']}").json()
        assert job["state"] == "done", job
        there = client.get(f"/api/manage/collections/{collection}/documents").json()["documents"]
    return [one["document_id"] for one in there]


def agent_over(
    console: Console, name: str, files: dict[str, bytes], **settings: Any
) -> tuple[str, str, list[str]]:
    """Return the id of a new agent, of the collection that it looks into, and of the documents in that."""
    collection = console.collection(name)
    documents = add(console, collection, files)
    asked = {"name": name, "collections": [collection], **settings}
    return console.ask("POST", "/api/manage/agents", asked)["agent_id"], collection, documents


def choose(page: Page, agent: str) -> None:
    """Let a page begin as one whose visitor has chosen that agent before."""
    page.add_init_script(f"localStorage.setItem('pincite.agent', {json.dumps(agent)})")


def ask(page: Page, question: str = QUESTION) -> Locator:
    """Ask, wait for the end of the answer, and return its numbers."""
    page.get_by_label("Your question").fill(question)
    page.get_by_label("Your question").press("Enter")
    expect(page.get_by_text("Copy or save").last).to_be_visible(timeout=30_000)
    return page.locator("button.cite")


def units(text: str) -> int:
    """Return the length of a text in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def told(text: str, title: str = "Handbook", *, end: str = "\r\n", more: Any = (), **given: Any) -> str:
    """Return a stream, made by hand, of an answer that cites a source at its first `[1]`."""
    start = text.index("[1]")
    at = {"start_utf16": units(text[:start]), "end_utf16": units(text[:start]) + 3}
    ids = {"ref": "abcdef12", "chunk_id": None, "document_id": None, "version": None}
    verdicts = {"verdict": "valid", "quote_verdict": None, "support_verdict": None, "source_state": None}
    cited = {
        **ids,
        **verdicts,
        **at,
        "number": 1,
        "confidence": None,
        "locator": {"page": 4},
        "anchor": "marker",
    }
    source: dict[str, Any] = {
        "number": 1,
        "title": title,
        "source_uri": "javascript:document.title='ran'",
        "locator": {},
    }
    value: dict[str, Any] = {
        "version": 1, "messageId": "m", "citations": [{**cited, **given.pop("cited", {})}], "sources": [source],
        "misses": [], "uncited": [], "status": "answered", **given,
    }  # fmt: skip
    events: list[dict[str, Any]] = [
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "SOMETHING_NEW", "value": 1},
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
        *(
            {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": one}
            for one in re.findall(r"(?s).{1,7}", text)
        ),
        {"type": "CUSTOM", "name": "pincite.unheard_of", "value": {"version": 1}},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "CUSTOM", "name": "pincite.citations", "value": value},
        *more,
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
    ]
    return "".join(f"data: {json.dumps(one)}{end}{end}" for one in events)


def answers(page: Page, stream: str) -> None:
    """Let every question be answered by a stream that was made by hand."""

    def fulfil(route: Route) -> None:
        route.fulfill(content_type="text/event-stream", body=stream)

    page.route("**/ag-ui", fulfil)


def faults_of(page: Page) -> list[str]:
    """Return what keeps people out of a page in which axe was run before."""
    found = page.evaluate("axe.run(document).then((found) => found.violations)")
    return [
        f"{one['id']}: {[node['html'][:200] for node in one['nodes']]}"
        for one in found
        if one["impact"] in {"serious", "critical"}
    ]
