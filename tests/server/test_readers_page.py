"""The reader's page, sentence by sentence, over a running application."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from server_parts import HANDBOOK, Clock, Served

if TYPE_CHECKING:
    from pincite.core.hit import Hit

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
ROW = ["ref", "chunk_id", "document_id", "content", "source_uri", "collection", "metadata", "confidence"]
PREVIEW = [
    "chunk_id", "document_id", "collection", "collection_id", "source_uri", "page", "section", "snippet", "boxes",
    "has_image",
]  # fmt: skip


@pytest.fixture
def manager(served: Served) -> dict[str, str]:
    """The headers of a key that may do everything."""
    return served.key("manage")


@pytest.fixture
def handbook(served: Served, manager: dict[str, str]) -> str:
    """A collection with a handbook in Markdown."""
    collection = served.collection(manager)
    added = served.add(manager, collection, "handbook.md", HANDBOOK.encode())
    assert added["status"] == "ready"
    return collection


def search(served: Served, headers: dict[str, str], query: str, **given: Any) -> dict[str, Any]:
    """Return the reply to a search."""
    reply = served.client.post("/api/manage/search", json={"query": query, **given}, headers=headers)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def test_a_row_has_the_eight_fields_of_the_page_in_its_order(
    served: Served, manager: dict[str, str], handbook: str
) -> None:
    """A row has the eight fields of the page in its order."""
    found = search(served, manager, "From which amount do expenses need approval?")
    row = found["results"][0]
    assert list(row) == ROW
    assert row["content"].endswith("Receipts are kept for seven years.")
    assert row["source_uri"] == "upload://handbook.md"
    assert row["collection"] == "handbook"
    assert row["metadata"]["section"] == "Expenses"
    assert row["confidence"] == "supported"
    assert row["chunk_id"].startswith(row["ref"])
    assert "page" not in row
    assert "section" not in row


def test_the_preview_has_the_ten_fields_of_the_page_first_and_no_confidence(
    served: Served, manager: dict[str, str], handbook: str
) -> None:
    """The preview has the ten fields of the page first and no confidence."""
    row = search(served, manager, "expenses approval")["results"][0]
    preview = served.client.get(f"/api/manage/citations/{row['chunk_id']}/preview", headers=manager).json()
    assert list(preview)[:10] == PREVIEW
    assert preview["collection_id"] == handbook
    assert preview["has_image"] is False
    assert preview["boxes"] == []
    assert len(preview["snippet"]) <= 400
    assert not {"confidence", "score", "query"} & set(preview)


def test_a_page_of_a_pdf_is_drawn_and_what_is_no_pdf_is_404(
    served: Served, manager: dict[str, str], handbook: str
) -> None:
    """A page of a PDF is drawn and what is no PDF is 404."""
    pdf = next(EXAMPLES.glob("*.pdf"))
    served.add(manager, handbook, pdf.name, pdf.read_bytes())
    rows = search(served, manager, "What does the document say?", limit=20)["results"]
    of_pdf = next(row for row in rows if row["source_uri"].endswith(".pdf"))
    of_text = next(row for row in rows if row["source_uri"].endswith(".md"))
    address = f"/api/manage/citations/{of_pdf['chunk_id']}/preview"
    preview = served.client.get(address, headers=manager).json()
    assert preview["has_image"] is True
    assert all(0 <= box[side] <= 1 for box in preview["boxes"] for side in ("x0", "y0", "x1", "y1"))
    page = served.client.get(f"{address}/image", headers=manager)
    assert page.headers["content-type"] == "image/png"
    crop = served.client.get(f"{address}/image?mode=crop", headers=manager)
    whole, part = (Image.open(BytesIO(one.content)).size for one in (page, crop))
    assert part[0] <= whole[0]
    assert part[1] < whole[1]
    gone = served.client.get(f"/api/manage/citations/{of_text['chunk_id']}/preview/image", headers=manager)
    assert gone.status_code == 404


def test_a_mode_that_there_is_not_is_422(served: Served, manager: dict[str, str], handbook: str) -> None:
    """A mode that there is not is 422."""
    row = search(served, manager, "expenses")["results"][0]
    reply = served.client.get(
        f"/api/manage/citations/{row['chunk_id']}/preview/image?mode=corp", headers=manager
    )
    assert reply.status_code == 422
    assert reply.json()["error"]["field"] == "mode"


def test_the_bar_is_read_and_set_on_the_collection_and_null_follows_the_platform(
    served: Served, manager: dict[str, str], handbook: str
) -> None:
    """The bar is read and set on the collection and null follows the platform."""
    address = f"/collections/{handbook}"
    assert served.client.get(address, headers=manager).json()["score_threshold"] is None
    strict = served.client.patch(address, json={"score_threshold": 0.99}, headers=manager).json()
    assert strict["score_threshold"] == 0.99
    assert {row["confidence"] for row in search(served, manager, "expenses approval")["results"]} == {"weak"}
    again = served.client.patch(address, json={"score_threshold": None}, headers=manager).json()
    assert again["score_threshold"] is None
    assert again["reranker"] is None
    assert search(served, manager, "expenses approval")["results"][0]["confidence"] == "supported"


def test_the_two_steps_of_a_visitor(served: Served, manager: dict[str, str], handbook: str) -> None:
    """The two steps of a visitor."""
    key = served.embed()
    reply = served.client.post("/embed/v1/session", json={"key": key})
    assert list(reply.json()) == ["token", "expires_in", "visitor_handle"]
    assert reply.json()["expires_in"] == 900
    row = search(served, manager, "expenses approval")["results"][0]
    address = f"/api/manage/citations/{row['chunk_id']}/preview"
    assert served.client.get(address, headers={"Authorization": f"Bearer {key}"}).status_code == 401
    image = served.client.get(f"{address}/image", headers={"Authorization": f"Bearer {key}"})
    assert image.status_code == 401
    # The visitor has searched nothing: the passage is as if it had never been.
    visitor = {"Authorization": f"Bearer {reply.json()['token']}"}
    unknown = served.client.get(
        "/api/manage/citations/00000000-0000-4000-8000-000000000000/preview", headers=visitor
    )
    foreign = served.client.get(address, headers=visitor)
    assert (foreign.status_code, foreign.json()) == (unknown.status_code, unknown.json())
    assert foreign.status_code == 404


def test_a_grant_opens_a_citation_until_it_ends(
    served: Served, manager: dict[str, str], handbook: str, clock: Clock
) -> None:
    """A grant opens a citation until it ends."""
    from pincite.server.access import visitor_caller  # the way a request goes
    from pincite.server.search import look, shown

    key = served.embed()
    session = served.client.post("/embed/v1/session", json={"key": key}).json()
    token, handle = session["token"], session["visitor_handle"]
    caller = visitor_caller(served.service, token)
    assert caller is not None
    there = caller.desk.library.collections()

    def searched() -> list[Hit]:
        found = look(served.service.turns, caller, "expenses", collections=there, limit=2, filters=None)
        return shown(caller, "theirs", found.hits)

    hit = searched()[0]
    address = f"/api/manage/citations/{hit.chunk_id}/preview"
    assert served.client.get(address, headers=bearer(token)).status_code == 200
    # A ref of their own conversation is as good; in no conversation, and for another visitor, it is nothing.
    by_ref = f"/api/manage/citations/{hit.ref}/preview"
    assert served.client.get(f"{by_ref}?conversation=theirs", headers=bearer(token)).status_code == 200
    assert served.client.get(by_ref, headers=bearer(token)).status_code == 404
    other = served.visitor(key)
    for path in (address, f"{by_ref}?conversation=theirs"):
        assert served.client.get(path, headers=other).status_code == 404
    # After the token has ended the handle gets another, and the grant still stands; then that ends, too.
    clock.now += 901
    assert served.client.get(address, headers=bearer(token)).status_code == 401
    assert served.client.get(address, headers=served.visitor(key, handle)).status_code == 200
    clock.now += 24 * 3600
    ended = served.client.get(address, headers=served.visitor(key, handle))
    assert ended.status_code == 404
    # Asking again grants again.
    searched()
    assert served.client.get(address, headers=served.visitor(key, handle)).status_code == 200


def bearer(token: str) -> dict[str, str]:
    """Return the headers that send a token."""
    return {"Authorization": f"Bearer {token}"}
