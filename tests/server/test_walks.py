"""The three walks of the architecture's page, gone from end to end: modules are entered in the order drawn there."""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ag_ui_order import events_of
from pincite.citing import CitationRun, Finished
from pincite.library import AddResult, Library, add_paths
from pincite.protocols.answers import answer_json
from pincite.reading import ReadingPool
from pincite.search import open_search
from pincite.showing import (
    DocumentPages,
    Viewer,
    citation_image,
    highlight_of,
    image_options,
    numbered,
    quoted_words,
)
from server_parts import HANDBOOK

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from pincite.showing import NumberedText
    from server_parts import Served

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = str(ROOT / "src" / "pincite")
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Three walks")[2]
# A module at the start of a line of a walk; those in brackets run in a child process. One class, linear.
DRAWN = re.compile(r"^([a-z_.]+) ", re.MULTILINE)
# What is called where a module is loaded or a thing is made: nobody has set out yet.
_LAID = {"<module>", "__init__", "__post_init__", "__new__"}
CITED = "Expenses over 100 EUR require prior approval from your line manager."

QUESTION: dict[str, Any] = {
    "threadId": "walk",
    "runId": "one",
    "messages": [{"id": "q", "role": "user", "content": "From which amount do expenses need approval?"}],
    "state": {},
    "tools": [],
    "context": [],
    "forwardedProps": {},
}


def drawn(title: str) -> list[str]:
    """Return the modules of a walk as the page has them."""
    return DRAWN.findall(PAGE.partition(f"### {title}\n")[2].partition("```text\n")[2].partition("```")[0])


class Followed:
    """Notes each module of ours at the first call of one of its functions since `begin`, in threads begun later too."""

    def __init__(self) -> None:
        self.entered: list[str] = []
        self._seen: set[str] = set()

    def begin(self) -> None:
        """Forget what was noted."""
        self.entered.clear()
        self._seen.clear()

    def of(self, wanted: list[str]) -> list[str]:
        """Return those of the entered modules that are wanted, in the order in which they were entered."""
        return [module for module in self.entered if module in wanted]

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Take a call, as `sys.setprofile` tells of it."""
        code = frame.f_code
        file = code.co_filename
        if (
            event == "call"
            and file.startswith(PACKAGE)
            and file not in self._seen
            and code.co_name not in _LAID
        ):
            self._seen.add(file)
            self.entered.append(file.removeprefix(PACKAGE + "/").removesuffix(".py").replace("/", "."))


@pytest.fixture
def followed() -> Iterator[Followed]:
    """Follow all that a test does; a test names it first, so that what its other fixtures start is followed too."""
    follower = Followed()
    threading.setprofile(follower.note)
    sys.setprofile(follower.note)
    yield follower
    sys.setprofile(None)
    threading.setprofile(None)


def test_a_passage_from_bytes_to_lit_pixels(followed: Followed, tmp_path: Path) -> None:
    """A PDF is read, kept, found, shown to a model, cited, and its words are lit on the page."""
    wanted = drawn("A passage, from bytes to lit pixels")
    assert len(wanted) == 10
    with ReadingPool() as pool, Library.open(tmp_path) as library:
        followed.begin()
        file = ROOT / "examples" / "handbook.pdf"
        collection = library.collection("handbook")
        events = list(add_paths(library, collection, [file], pool=pool))
        assert isinstance(events[-1], AddResult)
        run = CitationRun()
        search = open_search(library, tmp_path)
        question = "From which amount do expenses need approval?"
        found = search.search(question, collections=[collection], refs=run.refs)
        hit = next(row for row in found.hits if CITED in " ".join(row.content.split()))
        payload: Any = run.present(hit)
        answer = run.resolve(f"Above 100 EUR [{payload['ref']}].")
        passage = library.passage(hit.chunk_id)
        assert answer.citations[0].trace == "valid"
        key = passage.document_id, passage.version
        words = quoted_words(passage.text, [CITED])
        assert words is not None
        pages = DocumentPages(
            library.outlined(*key), library.source_file(*key), library.page_layouts(*key, pool)
        )
        lit = highlight_of(passage, words, pages=pages)
        made = citation_image(
            passage,
            image_options({}),
            renderer=pool,
            source=library.source_file(*key),
            frames=library.frames(*key),
            highlight=lit,
            viewer=Viewer("local", "test"),
        )
    assert made.data.startswith(b"\x89PNG")
    assert followed.of(wanted) == wanted


def test_a_marker_from_a_token_to_a_verdict(followed: Followed) -> None:
    """A marker that comes in three pieces is resolved while it streams; its claim and its quotation are checked."""
    wanted = drawn("A marker, from a model's token to a verdict")
    assert len(wanted) == 11
    run = CitationRun()
    payload: Any = run.present({"id": "handbook-4", "title": "Handbook", "content": CITED})
    ref = payload["ref"]
    pieces = ("Expenses over 100 EUR “require prior ", f"approval”. [{ref[:3]}", f"{ref[3:]}", "]")

    def walked() -> tuple[NumberedText, dict[str, Any]]:
        last = list(run.stream_sync(pieces))[-1]
        assert isinstance(last, Finished)
        check = run.check(last.answer)
        return numbered(check.answer), answer_json(check.answer, None, check)

    walked()  # the first time modules are loaded on the way, and call what they need to be
    followed.begin()
    shown, told = walked()
    assert shown.text == "Expenses over 100 EUR “require prior approval”. [1]"
    assert told["citations"][0]["support_verdict"] == "supported"
    assert followed.of(wanted) == wanted


def test_a_click_from_a_grant_to_a_404(followed: Followed, served: Served) -> None:
    """A visitor opens what a search of theirs has shown; when the grant has ended the same click is a 404."""
    wanted = drawn("A visitor's click, from a grant to a 404")
    assert len(wanted) == 8
    manage = served.key("manage")
    collection = served.collection(manage)
    served.add(manage, collection, "handbook.md", HANDBOOK.encode())
    agent = served.client.post("/api/manage/agents", json={"name": "helper"}, headers=manage).json()[
        "agent_id"
    ]
    made = {"name": "site", "allowed_origins": ["https://site.example"]}
    embed = served.client.post(f"/api/manage/agents/{agent}/embeds", json=made, headers=manage).json()["key"]
    visitor = served.visitor(embed, "visitor-1")
    followed.begin()
    asked = served.client.post("/embed/v1/ag-ui", json=QUESTION, headers=visitor)
    told = next(one["value"] for one in events_of(asked.text) if one.get("name") == "pincite.citations")
    click = f"/api/manage/citations/{told['citations'][0]['chunk_id']}/preview"
    opened = served.client.get(click, headers=visitor)
    served.clock.now += 25 * 60 * 60
    again = served.client.get(click, headers=served.visitor(embed, "visitor-1"))
    assert opened.status_code == 200
    assert again.status_code == 404
    assert followed.of(wanted) == wanted
