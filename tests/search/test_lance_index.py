"""The shared index: in a bucket, with several writers, and what only it can go through."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from pincite.core.errors import SettingError
from pincite.core.settings import Settings
from pincite.search import LocalIndex, Within, embed_pending, open_search
from pincite.search import _lance_table as table_module
from pincite.search import lance_index as module
from pincite.search._counts import Counts
from pincite.search._lance_table import Writer, storage_options
from pincite.search._torn import TornIndexError
from pincite.search.lance_index import LanceIndex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pincite.library import Library


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Return the address of an index in a folder."""
    return f"lance:{tmp_path / 'shared'}"


@pytest.fixture
def shared_index(library: Library, place: str, word_embedder: Any) -> Iterator[LanceIndex]:
    """Return an index in a folder."""
    index = LanceIndex(library, place, word_embedder)
    yield index
    index.close()


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return the address of an empty bucket on a server of this machine."""
    boto3: Any = pytest.importorskip("boto3")
    server_module: Any = pytest.importorskip("moto.server")
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    for name, value in {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
        "AWS_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1").create_bucket(Bucket="pincite")
    yield "lance:s3://pincite/index"
    server.stop()


def _found(library: Library, index: LanceIndex, words: str) -> list[str]:
    index.sync()
    ids = index.by_words(index.terms(words), Within((library.collections()[0].collection_id,)), 50)
    return sorted(library.texts(ids).values())


@pytest.mark.filterwarnings("ignore:datetime.datetime.utcnow:DeprecationWarning")
def test_two_nodes_share_a_bucket(library: Library, bucket: str, keep: Any, word_embedder: Any) -> None:
    """What one node adds, edits, deletes and clears away the other one sees; words, vectors and filters hold."""
    one, two = (LanceIndex(library, bucket, word_embedder) for _ in range(2))
    collection = library.collection("c")
    keep(library, collection, "upload://a.txt", ["slug a", "snail a"])
    assert _found(library, one, "slug snail") == ["slug a", "snail a"]
    stored = keep(library, collection, "upload://b.txt", ["slug b"])
    embed_pending(library, word_embedder)
    assert _found(library, two, "slug") == ["slug a", "slug b"]
    assert _found(library, one, "slug") == ["slug a", "slug b"]
    (vector,) = word_embedder.embed(["slug b"])
    within = Within((collection.collection_id,), frozenset({stored.document_id}))
    assert [round(score, 2) for _, score in one.by_vector(vector, within, 5)] == [1.0]
    assert two.optimise()
    library.delete(stored.document_id)
    assert _found(library, one, "slug") == ["slug a"]
    assert _found(library, two, "slug") == ["slug a"]


def test_a_bucket_that_is_not_there_is_an_error(
    library: Library, bucket: str, keep: Any, word_embedder: Any
) -> None:
    """One sentence, without the address or a key."""
    from pincite.core.errors import StoreError

    keep(library, library.collection("c"), "upload://a.txt", ["slug"])
    with pytest.raises(StoreError) as caught:
        LanceIndex(library, bucket.replace("pincite", "missing"), word_embedder).sync()
    assert "missing" not in caught.value.message


def test_what_a_writer_did_that_lost_its_turn_is_undone(
    library: Library, place: str, shared_index: LanceIndex, keep: Any, word_embedder: Any
) -> None:
    """A node that slept while it wrote, and wakes when others have written, changes nothing that anybody sees."""
    collection = library.collection("c")
    keep(library, collection, "upload://a.txt", ["slug a"])
    assert _found(library, shared_index, "slug") == ["slug a"]
    valid = shared_index._states.read()
    sleeper = shared_index._shelf.write(valid.table, valid.version)
    other = LanceIndex(library, place, word_embedder)
    second = keep(library, collection, "upload://b.txt", ["slug b"])
    assert _found(library, other, "slug") == ["slug a", "slug b"]
    with pytest.raises(TornIndexError, match="Somebody else"):
        sleeper.apply([passage.chunk_id for passage in library.passages_of(second.document_id)], [])
    keep(library, collection, "upload://c.txt", ["slug c"])
    for index in (other, shared_index):
        assert _found(library, index, "slug") == ["slug a", "slug b", "slug c"]
        assert index.terms("slug").terms == other.terms("slug").terms


def test_a_reader_never_waits_for_a_writer(
    library: Library, place: str, shared_index: LanceIndex, keep: Any, word_embedder: Any, monkeypatch: Any
) -> None:
    """While another node is in the middle of writing, this one goes on with the version before."""
    collection = library.collection("c")
    keep(library, collection, "upload://a.txt", ["slug a"])
    assert _found(library, shared_index, "slug") == ["slug a"]
    keep(library, collection, "upload://b.txt", ["slug b"])
    writing, go_on = threading.Event(), threading.Event()
    apply = Writer.apply

    def slowly(self: Writer, *given: Any) -> None:
        writing.set()
        assert go_on.wait(30)
        apply(self, *given)

    monkeypatch.setattr(Writer, "apply", slowly)
    other = LanceIndex(library, place, word_embedder)
    thread = threading.Thread(target=other.sync)
    thread.start()
    assert writing.wait(30)
    assert _found(library, shared_index, "slug") == ["slug a"]
    assert not shared_index.optimise()
    go_on.set()
    thread.join()
    assert _found(library, shared_index, "slug") == ["slug a", "slug b"]


def test_many_vectors_are_indexed_and_filters_keep_recall(
    library: Library, shared_index: LanceIndex, keep: Any, word_embedder: Any, monkeypatch: Any
) -> None:
    """With an index over the vectors the nearest are found, in one document of many as well, and new ones too."""
    monkeypatch.setattr(table_module, "FLAT_ROWS", 20)
    collection = library.collection("c")
    for number in range(6):
        keep(library, collection, f"upload://{number}.txt", [f"slug {number} {word}" for word in range(50)])
    embed_pending(library, word_embedder)
    shared_index.sync()
    assert shared_index.optimise()
    shared_index.sync()
    assert shared_index._shown is not None
    assert shared_index._shown._approximate
    late = keep(library, collection, "upload://late.txt", ["slug late 7"])
    embed_pending(library, word_embedder)
    shared_index.sync()
    everywhere = Within((collection.collection_id,))
    passage = library.passages_of(late.document_id)[0]
    for text, name in ((passage.text, passage.chunk_id),):
        (vector,) = word_embedder.embed([text])
        assert shared_index.by_vector(vector, everywhere, 5)[0][0] == name
    document = library.documents()[3].document_id
    only = Within((collection.collection_id,), frozenset({document}))
    found = {name for name, _ in shared_index.by_vector(vector, only, 50)}
    assert found == {one.chunk_id for one in library.passages_of(document)}


def test_optimising_is_started_when_much_is_loose(
    library: Library, shared_index: LanceIndex, keep: Any, monkeypatch: Any
) -> None:
    """After enough writes it happens by itself, in a thread of its own, and the counts become one."""
    monkeypatch.setattr(table_module, "_LOOSE_WRITES", 2)
    collection = library.collection("c")
    for number in range(3):
        keep(library, collection, f"upload://{number}.txt", [f"slug {number}"])
        shared_index.sync()
    shared_index.close()
    assert _found(library, shared_index, "slug") == ["slug 0", "slug 1", "slug 2"]
    assert shared_index._shown is not None
    assert len(shared_index._shown._parts()) == 1
    assert shared_index._shown.total == 3


def test_a_writer_that_died_is_waited_for_until_its_time_is_over(
    library: Library, shared_index: LanceIndex, keep: Any, monkeypatch: Any
) -> None:
    """Until then what there is serves; then another one writes, and the first one can enter nothing any more."""
    collection = library.collection("c")
    keep(library, collection, "upload://a.txt", ["slug a"])
    assert _found(library, shared_index, "slug") == ["slug a"]
    states = shared_index._states
    valid = states.take("dead", 60.0)
    assert valid is not None
    keep(library, collection, "upload://b.txt", ["slug b"])
    assert _found(library, shared_index, "slug") == ["slug a"]
    now = module.time.time()
    monkeypatch.setattr("pincite.library.index_state.time.time", lambda: now + 61)
    assert _found(library, shared_index, "slug") == ["slug a", "slug b"]
    assert not states.enter("dead", valid, 60.0)


@pytest.mark.parametrize("address", ["lance:", "lance:/", "/folder", "s3://bucket", "LANCE:/folder"])
def test_an_address_that_is_none_is_refused(library: Library, word_embedder: Any, address: str) -> None:
    """The sentence shows what one looks like and names the setting."""
    with pytest.raises(SettingError, match="lance:/folder") as caught:
        LanceIndex(library, address, word_embedder)
    assert caught.value.field == "PINCITE_INDEX"


def test_the_setting_chooses_the_index(
    library: Library, home: Path, word_embedder: Any, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unset it is the local one, beside the library; with an address the shared one; given wins."""
    assert isinstance(open_search(library, home, embedder=word_embedder).index, LocalIndex)
    monkeypatch.setenv("PINCITE_INDEX", place)
    assert Settings.from_env().index == place
    assert isinstance(open_search(library, home, embedder=word_embedder).index, LanceIndex)
    monkeypatch.setenv("PINCITE_INDEX", "nonsense")
    assert isinstance(open_search(library, home, embedder=word_embedder, index=place).index, LanceIndex)
    with pytest.raises(SettingError):
        open_search(library, home, embedder=word_embedder)


def test_a_servers_address_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain http is allowed where the address says so, and nowhere else; a folder needs nothing."""
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    assert storage_options("/folder") == {}
    assert storage_options("s3://bucket") == {"region": "us-east-1"}
    monkeypatch.setenv("AWS_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "https://s3.example.org")
    expected = {"region": "eu-central-1", "endpoint": "https://s3.example.org", "allow_http": "false"}
    assert storage_options("s3://bucket") == expected
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9000")
    assert storage_options("s3://bucket")["allow_http"] == "true"


def test_counts_add_up() -> None:
    """Two passages and one less: each term counts once a passage, and what none holds is gone."""
    first = Counts.of(["slug slug beer", "slug"], [])
    assert (first.total, first.holding("slug"), first.holding("beer"), first.holding("leaf")) == (2, 2, 1, 0)
    both = Counts.sum([first, Counts.unpack(Counts.of(["leaf"], ["slug slug beer"]).pack())])
    assert (both.total, both.holding("slug"), both.holding("beer"), both.holding("leaf")) == (2, 1, 0, 1)
    assert len(both.keys) == 3
    assert Counts.sum([]).total == 0
    assert Counts.of(["", "slug"], []).total == 2
    with pytest.raises(ValueError, match="damaged"):
        Counts.unpack(b"nonsense")
