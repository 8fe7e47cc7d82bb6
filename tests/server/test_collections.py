"""What a collection is told of its embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server_parts import Served


def test_the_embedder_of_a_collection_can_be_named_and_given_back(served: Served) -> None:
    """The server's embedder by its name is kept with the collection; null gives it back to whichever that is."""
    manage = served.key("manage")
    name = served.service.embedder.name
    body = {"name": "handbook", "embedder": name}
    made = served.client.post("/api/manage/collections", json=body, headers=manage)
    assert (made.status_code, made.json()["embedder"]) == (201, name)
    address = f"/api/manage/collections/{made.json()['collection_id']}"
    assert served.client.patch(address, json={"embedder": None}, headers=manage).json()["embedder"] == name
    library = served.service.desk("local").library
    assert library.collection_by_id(made.json()["collection_id"]).embedder is None


def test_an_embedder_that_the_server_has_not_is_refused(served: Served) -> None:
    """The sentence names the one that it has, and no collection is made or changed."""
    manage = served.key("manage")
    body = {"name": "handbook", "embedder": "another"}
    refused = served.client.post("/api/manage/collections", json=body, headers=manage)
    assert refused.status_code == 422
    fault = refused.json()["error"]
    assert fault["field"] == "embedder"
    assert served.service.embedder.name in fault["message"]
    assert served.client.get("/api/manage/collections", headers=manage).json() == {"collections": []}
    collection = served.collection(manage)
    address = f"/api/manage/collections/{collection}"
    changed = served.client.patch(address, json={"name": "other", "embedder": "another"}, headers=manage)
    assert changed.status_code == 422
    assert served.client.get(address, headers=manage).json()["name"] == "handbook"
