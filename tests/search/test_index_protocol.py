"""Both indexes: the same passages are found by the same words and vectors, whatever happened before."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.core.errors import NotFoundError, StoreError
from pincite.core.refs import RefIssuer
from pincite.library import Library
from pincite.library.index_tables import indexes
from pincite.search import CoverageReranker, Search, Within, embed_pending
from pincite.search import _lance_table as lance_table
from pincite.search import lance_index as lance_module
from pincite.search import local_index as local_module
from pincite.search._analysis import Analysis
from pincite.search._lance_table import Writer
from pincite.search._torn import TornIndexError
from pincite.search._words import Words
from pincite.search.embedding import pack
from pincite.search.lance_index import LanceIndex
from pincite.search.local_index import LocalIndex

if TYPE_CHECKING:
    from pincite.search import Index

CHILD = Path(__file__).with_name("index_child.py")
Kind = Literal["local", "lance"]
Make = Callable[..., Any]


def make_index(kind: Kind, library: Library, place: Path, embedder: Any) -> Index:
    """Return an index of `library` that is kept in the folder `place`."""
    if kind == "local":
        return LocalIndex(library, place, embedder)
    return LanceIndex(library, f"lance:{place}", embedder)


@pytest.fixture(params=["local", "lance"])
def kind(request: pytest.FixtureRequest) -> Kind:
    """Return which index is tested."""
    return request.param


@pytest.fixture
def make(kind: Kind, library: Library, home: Path, word_embedder: Any) -> Iterator[Make]:
    """Return what opens the index of the library; what was opened is closed at the end."""
    opened: list[Index] = []

    def one(of: Library = library, place: Path = home / "index") -> Index:
        opened.append(make_index(kind, of, place, word_embedder))
        return opened[-1]

    yield one
    for index in opened:
        index.close()


@pytest.fixture
def index(make: Make) -> Index:
    """Return the index of the library, in place of the conftest's."""
    return make()


def _within(library: Library, **where: Any) -> Within:
    return Within(tuple(found.collection_id for found in library.collections()), **where)


def _texts(library: Library, index: Index, words: str, **where: Any) -> list[str]:
    """Return the texts that stand of those that `words` find, best first."""
    index.sync()
    ids = index.by_words(index.terms(words), _within(library, **where), 50)
    there = library.current_passages(ids)
    return [there[name].text for name in ids if name in there]


def _near(library: Library, index: Index, embedder: Any, text: str, **where: Any) -> dict[str, float]:
    index.sync()
    (vector,) = embedder.embed([text])
    near = index.by_vector(vector, _within(library, **where), 50)
    there = library.current_passages([name for name, _ in near])
    return {there[name].text: score for name, score in near if name in there}


# -- what is found -----------------------------------------------------------------------------------


def test_words_are_found_at_once(library: Library, index: Index, handbook: Any) -> None:
    """Without any vector, a word in another form finds its passage; one that is nowhere finds none."""
    assert handbook
    assert [text[:8] for text in _texts(library, index, "expense approvals")] == ["Expenses"]
    assert _texts(library, index, "xylophone") == []
    assert index.by_vector([1.0] + [0.0] * 63, Within((handbook.collection_id,)), 5) == []


def test_accents_and_case_are_folded(library: Library, index: Index, keep: Any) -> None:
    """What a person leaves out in writing finds the word all the same, in both directions."""
    keep(library, library.collection("c"), "upload://a.txt", ["Die Städte am Rhein", "CAFE CULTURE"])
    assert _texts(library, index, "STADTE") == ["Die Städte am Rhein"]
    assert _texts(library, index, "café") == ["CAFE CULTURE"]


def test_scripts_without_spaces_are_found(library: Library, index: Index, asia: Any) -> None:
    """Part of a run of Chinese, Japanese or Korean finds the passage that holds it, first."""
    assert asia
    assert _texts(library, index, "量子比特")[0].startswith("量子")
    assert _texts(library, index, "桜が咲く")[0].startswith("东京")
    assert _texts(library, index, "지하철")[0].startswith("서울")
    assert _texts(library, index, "桜")[0].startswith("东京")


def test_more_and_rarer_words_come_first(library: Library, index: Index, keep: Any) -> None:
    """Two words of the question before one, the rarer one before the common one."""
    texts = ["slugs eat leaves", "slugs hide below", "leaves turn brown", "slugs like beer here"]
    keep(library, library.collection("c"), "upload://a.txt", texts)
    found = _texts(library, index, "slugs leaves")
    assert found[:2] == ["slugs eat leaves", "leaves turn brown"]
    assert sorted(found) == sorted(texts)


def test_filters_hold_in_the_index(library: Library, index: Index, keep: Any) -> None:
    """One match in a small collection, or document, is found behind hundreds of better ones elsewhere."""
    big, small = library.collection("big"), library.collection("small")
    keep(library, big, "upload://big.txt", [f"slugs slugs slugs {number}" for number in range(300)])
    other = keep(library, big, "upload://other.txt", ["a slug and a long sentence about other things"])
    keep(library, small, "upload://small.txt", ["one slug in a long sentence about many other things"])
    index.sync()
    terms = index.terms("slugs")
    found = index.by_words(terms, Within((small.collection_id,)), 5)
    assert [text[:8] for text in library.texts(found).values()] == ["one slug"]
    within = Within((big.collection_id, small.collection_id), frozenset({other.document_id}))
    found = index.by_words(terms, within, 5)
    assert [text[:6] for text in library.texts(found).values()] == ["a slug"]
    assert index.by_words(terms, Within((small.collection_id,), frozenset({other.document_id})), 5) == []
    assert index.by_words(terms, Within(("it's none",)), 5) == []


def test_vectors_are_found_nearest_first(
    library: Library, index: Index, handbook: Any, garden: Any, word_embedder: Any
) -> None:
    """The passage itself has the cosine 1; only passages of what was asked for come; every one has its cosine."""
    embed_pending(library, word_embedder)
    document = library.documents(garden.collection_id)[0].document_id
    passages = library.passages_of(document)
    near = _near(library, index, word_embedder, passages[2].text)
    assert len(near) == 10
    assert next(iter(near)) == passages[2].text
    assert near[passages[2].text] == pytest.approx(1.0, abs=2e-3)
    assert sorted(near.values(), reverse=True) == list(near.values())
    only = _near(library, index, word_embedder, "expenses", documents=frozenset({document}))
    assert only.keys() == {passage.text for passage in passages}
    (vector,) = word_embedder.embed([passages[2].text])
    cosines = index.cosines(vector, [passage.chunk_id for passage in passages])
    assert cosines == pytest.approx({one.chunk_id: near[one.text] for one in passages}, abs=2e-3)
    found = index.by_vector(vector, Within((handbook.collection_id,)), 3)
    assert len(found) == 3


def test_vectors_come_after_the_words(
    library: Library, index: Index, handbook: Any, word_embedder: Any
) -> None:
    """Passages that were taken in without vectors get theirs later, half by half, and are there once."""
    assert handbook
    assert _near(library, index, word_embedder, "leave") == {}
    for _ in range(2):
        for chunk_id, text in library.pending_vectors(word_embedder.name, 3):
            library.store_vectors(word_embedder.name, [(chunk_id, pack(word_embedder.embed([text])[0]))])
        index.sync()
    assert len(_near(library, index, word_embedder, "leave")) == 6
    assert len(_texts(library, index, "leave")) == 2


def test_bytes_that_are_no_vector_are_left_out(
    library: Library, index: Index, handbook: Any, word_embedder: Any
) -> None:
    """A vector of another width or with no numbers in it is as good as none."""
    assert handbook
    (first, _), (second, _) = library.pending_vectors(word_embedder.name, 2)
    library.store_vectors(word_embedder.name, [(first, b"\0\0"), (second, b"\xff\x7f" * 64)])
    assert _near(library, index, word_embedder, "leave") == {}
    assert index.cosines([1.0] + [0.0] * 63, [first, second]) == {}


def test_terms_are_weighted_by_rarity(index: Index, handbook: Any) -> None:
    """A rare word comes before a common one, stop words go unless there is nothing else, unknown ones are marked."""
    assert handbook
    index.sync()
    terms = index.terms("the leave of laptops").terms
    assert [term.text for term in terms] == ["laptop", "leav"]
    assert terms[0].weight > terms[1].weight
    assert [term.word for term in index.terms("What is it?").terms] == ["what", "is", "it"]
    unknown = index.terms("aproval")
    assert not unknown.terms[0].known
    assert [term.distance for term in unknown.tolerant().terms] == [1]
    assert [term.distance for term in index.terms("approval").tolerant().terms] == [0]


def test_coverage_is_the_share_of_the_weight(library: Library, index: Index, handbook: Any) -> None:
    """All words held make 1, none nothing, a misspelt one half of its weight when letters may be wrong."""
    assert handbook
    index.sync()
    ids = [passage.chunk_id for passage in library.passages_of(library.documents()[0].document_id)]
    assert index.coverage(index.terms("prior approval"), ids) == pytest.approx({ids[0]: 1.0})
    assert index.coverage(index.terms("prior xylophone"), ids)[ids[0]] == pytest.approx(0.5)
    assert index.coverage(index.terms("aproval"), ids) == {}
    assert index.coverage(index.terms("aproval").tolerant(), ids) == pytest.approx({ids[0]: 0.5})
    assert index.coverage(index.terms("apporval").tolerant(), ids) == pytest.approx({ids[0]: 0.5})
    # Words that were found are covered alike, asked for before or after.
    assert _texts(library, index, "leave")
    assert index.coverage(index.terms("leave"), ids).keys() == {ids[2], ids[3]}


def test_misspelt_words_find_theirs(library: Library, index: Index, handbook: Any) -> None:
    """With a letter allowed to be wrong the passage is found, among the others that hold exact words."""
    assert handbook
    index.sync()
    if isinstance(index, LanceIndex):
        # Letters may be wrong in what is inside the index of words, which `optimise` brings it into.
        assert index.optimise()
        index.sync()
    within = _within(library)
    ids = index.by_words(index.terms("aproval").tolerant(), within, 5)
    assert [text[:8] for text in library.texts(ids).values()] == ["Expenses"]
    both = index.by_words(index.terms("aproval leave").tolerant(), within, 5)
    assert len(both) == 3


# -- what follows the library ------------------------------------------------------------------------


def test_edits_and_deletes_are_followed(
    library: Library, index: Index, keep: Any, word_embedder: Any
) -> None:
    """An edit drops what it removed and keeps the rest; a deletion drops all; a text that returns is back."""
    collection = library.collection("c")
    first = ["alpha one", "beta two"]
    keep(library, collection, "upload://a.txt", first)
    embed_pending(library, word_embedder)
    (vector,) = word_embedder.embed(["alpha one"])
    within = Within((collection.collection_id,))

    def found() -> tuple[list[str], int]:
        texts = sorted(_texts(library, index, "alpha beta gamma"))
        assert len(index.by_words(index.terms("alpha beta gamma"), within, 9)) == len(texts)
        return texts, len(index.by_vector(vector, within, 9))

    assert found() == (["alpha one", "beta two"], 2)
    keep(library, collection, "upload://a.txt", ["alpha one", "gamma three"])
    assert found() == (["alpha one", "gamma three"], 1)
    if isinstance(index, LanceIndex):
        # The local one goes on counting what is deleted until its files are merged.
        assert not index.terms("beta").terms[0].known
    keep(library, collection, "upload://a.txt", first)
    assert found() == (["alpha one", "beta two"], 2)
    (document,) = library.documents()
    library.trash(document.document_id)
    assert found() == ([], 0)
    library.restore(document.document_id)
    assert found() == (["alpha one", "beta two"], 2)
    library.delete(document.document_id)
    assert found() == ([], 0)


def test_a_large_change_is_taken_in_by_parts(
    library: Library, index: Index, keep: Any, word_embedder: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five passages in writes of two are five, in the index and in the vectors."""
    monkeypatch.setattr(local_module, "_CHANGES", 2)
    monkeypatch.setattr(lance_module, "_CHANGES", 2)
    keep(library, library.collection("c"), "upload://a.txt", [f"slug {number}" for number in range(5)])
    assert len(_texts(library, index, "slug")) == 5
    embed_pending(library, word_embedder)
    assert len(_near(library, index, word_embedder, "slug")) == 5


def test_two_tenants_never_meet(library: Library, make: Make, keep: Any, kind: Kind, home: Path) -> None:
    """The same words of another tenant, in the same place, are not found and not counted."""
    both = (library, library.of_tenant("north"))
    for one in both:
        keep(one, one.collection("c"), "upload://a.txt", [f"alpha {one.database.tenant}"])
    for one in both:
        index = make(one, home / "index" / (one.database.tenant if kind == "local" else ""))
        assert _texts(one, index, "alpha local north") == [f"alpha {one.database.tenant}"]
        known = {term.text: term.known for term in index.terms("local north").terms}
        assert known == {"local": one is library, "north": one is not library}


# -- what may happen to it ---------------------------------------------------------------------------


def test_it_comes_back_after_its_folder_is_deleted(
    library: Library, make: Make, handbook: Any, home: Path
) -> None:
    """Deleted between two processes, it is built anew; the first one serves on or does the same."""
    assert handbook
    first = make()
    assert len(_texts(library, first, "leave")) == 2
    shutil.rmtree(home / "index")
    assert len(_texts(library, make(), "leave")) == 2
    assert len(_texts(library, first, "leave")) == 2


@pytest.mark.parametrize("left", [0, 20])
def test_it_comes_back_after_its_files_are_cut(
    library: Library, make: Make, handbook: Any, home: Path, keep: Any, left: int
) -> None:
    """Every file cut to its first bytes is no data loss: all is found, and what comes later too."""
    assert handbook
    index = make()
    assert len(_texts(library, index, "leave")) == 2
    index.close()
    for path in [path for path in (home / "index").rglob("*") if path.is_file() and path.suffix != ".lock"]:
        short = path.with_name(f"{path.name}.short")
        short.write_bytes(path.read_bytes()[:left])
        short.replace(path)
    index = make()
    assert len(_texts(library, index, "leave")) == 2
    keep(library, handbook, "upload://new.txt", ["More about leave."])
    assert len(_texts(library, index, "leave")) == 3


def test_an_index_of_another_library_is_not_used(
    library: Library, make: Make, handbook: Any, tmp_path: Path, keep: Any
) -> None:
    """A folder copied from another library, even one with as many changes, is built anew."""
    assert handbook
    make().sync()
    with Library.open(tmp_path / "other") as other:
        collection = other.collection("c")
        keep(other, collection, "upload://a.txt", [f"something else {number}" for number in range(6)])
        shutil.copytree(tmp_path / "home" / "index", tmp_path / "other" / "index")
        assert other.head() == library.head()
        moved = make(other, tmp_path / "other" / "index")
        assert len(_texts(other, moved, "something")) == 6
        assert _texts(other, moved, "leave") == []


def test_a_failing_write_does_not_stop_searching(
    library: Library, index: Index, handbook: Any, keep: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a write fails, and building beside it too, the version that is open serves on; later all is there."""
    assert len(_texts(library, index, "leave")) == 2
    keep(library, handbook, "upload://new.txt", ["More about leave."])

    def full(*_: object) -> None:
        raise TornIndexError

    with monkeypatch.context() as patched:
        patched.setattr(Words, "apply", full)
        patched.setattr(Writer, "apply", full)
        assert len(_texts(library, index, "leave")) == 2
    assert len(_texts(library, index, "leave")) == 3


def test_two_nodes_read_what_the_other_writes(library: Library, make: Make, keep: Any) -> None:
    """Two open indexes on one place take turns; neither loses or doubles anything."""
    first, second = make(), make()
    collection = library.collection("c")
    for number in range(6):
        keep(library, collection, f"upload://{number}.txt", [f"slug {number}"])
        writer, reader = (first, second) if number % 2 else (second, first)
        writer.sync()
        assert len(_texts(library, reader, "slug")) == number + 1
    terms = first.terms("slug")
    assert len(first.by_words(terms, _within(library), 50)) == 6


def test_threads_may_search_while_one_adds(library: Library, make: Make, keep: Any) -> None:
    """Four threads on two nodes search while documents come; nothing is raised, and at the end all is found."""
    nodes = [make(), make()]
    collection = library.collection("c")
    keep(library, collection, "upload://0.txt", ["slug 0"])
    faults: list[BaseException] = []
    done = threading.Event()

    def look(node: Index) -> None:
        try:
            while not done.is_set():
                assert _texts(library, node, "slug")
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test must hear of it
            faults.append(error)

    threads = [threading.Thread(target=look, args=(nodes[number % 2],)) for number in range(4)]
    for thread in threads:
        thread.start()
    for number in range(1, 6):
        keep(library, collection, f"upload://{number}.txt", [f"slug {number}"])
    done.set()
    for thread in threads:
        thread.join()
    assert faults == []
    for node in nodes:
        assert len(_texts(library, node, "slug")) == 6


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_crash_in_the_middle_is_made_good(
    library: Library,
    kind: Kind,
    make: Make,
    home: Path,
    keep: Any,
    word_embedder: Any,
    at: int,
) -> None:
    """A process killed in write `at`, before, in or after it, leaves nothing that the next sync does not mend."""
    collection = library.collection("c")
    keep(library, collection, "upload://old.txt", ["slug old", "snail old"])
    embed_pending(library, word_embedder)
    assert len(_texts(library, make(), "slug")) == 1
    keep(library, collection, "upload://old.txt", ["slug old", "slug new"])
    keep(library, collection, "upload://more.txt", [f"slug {number}" for number in range(4)])
    embed_pending(library, word_embedder)
    died = subprocess.run(
        [sys.executable, str(CHILD), str(home), f"die{at}", kind], check=False, stdout=subprocess.PIPE
    )
    assert died.returncode == 9
    # The killed node is taken for the writer until its time is over; here that is at once.
    with library.database.working() as connection:
        connection.execute(sa.update(indexes).values(held_until=0.0))
    index = make()
    assert len(_texts(library, index, "slug")) == 6
    assert len(index.by_words(index.terms("slug"), _within(library), 50)) == 6
    assert _texts(library, index, "snail") == []
    assert len(_near(library, index, word_embedder, "slug")) == 6


def test_a_process_reads_what_another_writes(library: Library, home: Path, keep: Any, kind: Kind) -> None:
    """A reader in its own process sees what is added, whoever brings the index up, and no more what is deleted."""
    collection = library.collection("c")
    keep(library, collection, "upload://a.txt", ["Tomatoes need sun."])
    reader = subprocess.Popen(
        [sys.executable, str(CHILD), str(home), "read", kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert reader.stdin is not None
    assert reader.stdout is not None
    asked, heard = reader.stdin, reader.stdout

    def ask(question: str) -> str:
        asked.write(question + "\n")
        asked.flush()
        return heard.readline().strip()

    assert heard.readline().strip() == "ready"
    assert ask("tomatoes") == "Tomatoes need sun."
    second = keep(library, collection, "upload://b.txt", ["Slugs hide under boards."])
    subprocess.run([sys.executable, str(CHILD), str(home), "write", kind], check=True, capture_output=True)
    assert ask("slugs under boards") == "Slugs hide under boards."
    library.delete(second.document_id)
    assert ask("slugs under boards") != "Slugs hide under boards."
    reader.communicate()
    assert reader.returncode == 0


# -- for all histories -------------------------------------------------------------------------------

_WORDS = ["slug", "snail", "leaf", "beer", "量子", "städte"]
_STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("keep"),
            st.integers(0, 2),
            st.lists(st.sampled_from(_WORDS), min_size=1, max_size=3, unique=True),
        ),
        st.tuples(st.sampled_from(["trash", "restore", "delete"]), st.integers(0, 2), st.just([])),
        st.tuples(st.sampled_from(["sync", "embed", "compact", "reopen"]), st.just(0), st.just([])),
    ),
    min_size=1,
    max_size=8,
)


@pytest.mark.parametrize("which", ["local", "lance"])
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=_STEPS)
def test_whatever_happened_it_is_as_one_built_anew(
    steps: list[tuple[str, int, list[str]]],
    which: Kind,
    tmp_path_factory: pytest.TempPathFactory,
    keep: Any,
    word_embedder: Any,
) -> None:
    """After any adding, editing, trashing and deleting the rows are those of a new index, by words and by vectors."""
    place = tmp_path_factory.mktemp("history")
    with Library.open(place / "home") as library:
        collection = library.collection("c")
        index = make_index(which, library, place / "index", word_embedder)
        owners: dict[int, str] = {}
        for what, document, words in steps:
            if what == "reopen":
                index.close()
                index = make_index(which, library, place / "index", word_embedder)
            elif what == "sync":
                index.sync()
            elif what == "embed":
                embed_pending(library, word_embedder)
            elif what == "compact":
                index.compact()
            elif what == "keep":
                owners[document] = keep(library, collection, f"upload://{document}.txt", words).document_id
            elif document in owners:
                # A trashed one is not trashed again, and so on.
                with suppress(NotFoundError):
                    getattr(library, what)(owners[document])
        fresh = make_index(which, library, place / "fresh", word_embedder)
        for word in _WORDS:
            assert sorted(_texts(library, index, word)) == sorted(_texts(library, fresh, word))
            assert _near(library, index, word_embedder, word) == pytest.approx(
                _near(library, fresh, word_embedder, word), abs=2e-3
            )
            if which == "lance":
                assert index.terms(word) == fresh.terms(word)
        index.close()
        fresh.close()


def _on_disk(folder: Path, kind: Kind, word: str) -> bool:
    """Say whether an index has a word that begins so in its files."""
    if kind == "local":
        # The engine does not write words as letters, but it lists them, those of deleted passages too.
        opened = Words.open(folder / "words", Analysis())
        return bool(list(opened._searcher.terms_with_prefix("word", word)))
    return any(word.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_what_is_erased_leaves_no_word_behind(
    library: Library,
    make: Make,
    keep: Any,
    kind: Kind,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An erased document's words stay in the files until the index is compacted; then only others' are there.

    A shared index keeps versions for those who read them; here nobody does, so they go at once.
    """
    monkeypatch.setattr(lance_table, "KEPT", timedelta(milliseconds=1))
    index = make()
    gone = keep(library, library.collection("c"), "upload://a.txt", ["Xylophonist and zymurgy."])
    keep(library, library.collection("c"), "upload://b.txt", ["Handbook of quiet things."])
    assert len(_texts(library, index, "xylophonist")) == 1
    assert _on_disk(home / "index", kind, "zymurg")
    library.delete(gone.document_id)
    assert _texts(library, index, "xylophonist") == []
    assert _on_disk(home / "index", kind, "zymurg")
    index.compact()
    # What a version needs goes when the one behind it was compacted too.
    index.compact()
    assert not any(_on_disk(home / "index", kind, word) for word in ("zymurg", "xylophon"))
    assert _on_disk(home / "index", kind, "quiet")
    assert _texts(library, index, "quiet things") == ["Handbook of quiet things."]
    assert {path.name for path in (home / "index").iterdir()}.isdisjoint({"words.fresh", "words.old"})
    assert (index.compact() is None) == (kind == "local")


def test_searches_go_on_while_an_index_is_compacted(
    library: Library, make: Make, handbook: Any, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of compacting, a search of this node and one of another find what they should and do not wait."""
    assert handbook
    index, other = make(), make()
    other.sync()
    middle, goes_on = threading.Event(), threading.Event()
    owner, name = (Words, "create") if kind == "local" else (Writer, "optimise")
    real: Any = getattr(owner, name)

    def stand(*given: Any) -> Any:
        middle.set()
        assert goes_on.wait(60)
        return real(*given)

    monkeypatch.setattr(owner, name, stand)
    compacting = threading.Thread(target=index.compact)
    compacting.start()
    assert middle.wait(60)
    for one in (index, other):
        assert [text[:8] for text in _texts(library, one, "approval")] == ["Expenses"]
    goes_on.set()
    compacting.join(60)
    assert not compacting.is_alive()
    for one in (index, other):
        assert [text[:8] for text in _texts(library, one, "approval")] == ["Expenses"]


def test_two_who_compact_do_not_meet(
    library: Library, make: Make, handbook: Any, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one compacts, another is told to try again, for the first may have begun before what is to go now."""
    assert handbook
    index, other = make(), make()
    index.sync()
    owner, name = (Words, "create") if kind == "local" else (Writer, "optimise")
    real: Any = getattr(owner, name)
    told: list[str] = []

    def meet(*given: Any) -> Any:
        if not told:
            told.append("")
            with pytest.raises(StoreError, match="try again"):
                other.compact()
            told.append("refused")
        return real(*given)

    monkeypatch.setattr(owner, name, meet)
    index.compact()
    assert told == ["", "refused"]
    monkeypatch.undo()
    other.compact()


def test_a_whole_search_gives_the_same_rows(
    library: Library, home: Path, handbook: Any, garden: Any, word_embedder: Any
) -> None:
    """The best row and its confidence do not tell which index was asked."""
    embed_pending(library, word_embedder)
    rows: list[list[tuple[str, Any]]] = []
    for kind in ("local", "lance"):
        index = make_index(kind, library, home / f"index-{kind}", word_embedder)
        search = Search(library, index, word_embedder, CoverageReranker(word_embedder, index.terms))
        for question in (
            "prior approval for expenses",
            "copper tape against slugs",
            "sick leave",
            "visitors",
        ):
            found = search.search(question, collections=[handbook, garden], refs=RefIssuer(), limit=1)
            rows.append([(hit.chunk_id, hit.confidence) for hit in found.hits])
        index.close()
    half = len(rows) // 2
    assert rows[:half] == rows[half:]
