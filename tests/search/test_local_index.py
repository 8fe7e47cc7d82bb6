"""The local index: it follows the library, and comes back whatever happens to its folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pincite.core.errors import StoreError
from pincite.core.limits import DEFAULT
from pincite.library import Library
from pincite.search import LocalIndex, Within, embed_pending
from pincite.search import local_index as module
from pincite.search._lock import file_lock

CHILD = Path(__file__).with_name("index_child.py")


def _start(home: Path, action: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(home), action],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _heard(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def _say(child: subprocess.Popen[str], line: str) -> None:
    assert child.stdin is not None
    child.stdin.write(line + "\n")
    child.stdin.flush()


def _end(child: subprocess.Popen[str]) -> None:
    child.communicate()
    assert child.returncode == 0


def _texts(library: Library, index: LocalIndex, words: str, **where: Any) -> list[str]:
    """Return the texts that `words` find, best first."""
    index.sync()
    within = Within(tuple(found.collection_id for found in library.collections()), **where)
    ids = index.by_words(index.terms(words), within, 50)
    texts = library.texts(ids)
    return [texts[name] for name in ids]


def test_words_are_found_at_once(library: Library, index: LocalIndex, handbook: Any) -> None:
    """Without any vector, a word in another form finds its passage; one that is nowhere finds none."""
    assert handbook
    assert [text[:8] for text in _texts(library, index, "expense approvals")] == ["Expenses"]
    assert _texts(library, index, "xylophone") == []
    assert index.by_vector([1.0] + [0.0] * 63, Within((handbook.collection_id,)), 5) == []


def test_scripts_without_spaces_are_found(library: Library, index: LocalIndex, asia: Any) -> None:
    """Part of a run of Chinese, Japanese or Korean finds the passage that holds it, first."""
    assert asia
    assert _texts(library, index, "量子比特")[0].startswith("量子")
    assert _texts(library, index, "桜が咲く")[0].startswith("东京")
    assert _texts(library, index, "지하철")[0].startswith("서울")
    assert _texts(library, index, "桜")[0].startswith("东京")


def test_filters_hold_in_the_index(library: Library, index: LocalIndex, keep: Any) -> None:
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


def test_vectors_are_filtered_by_document(
    library: Library, index: LocalIndex, handbook: Any, garden: Any, word_embedder: Any
) -> None:
    """Only passages of the documents asked for come from the vectors."""
    embed_pending(library, word_embedder)
    index.sync()
    (document,) = library.documents(garden.collection_id)
    within = Within((handbook.collection_id, garden.collection_id), frozenset({document.document_id}))
    (vector,) = word_embedder.embed(["expenses"])
    found = {name for name, _ in index.by_vector(vector, within, 50)}
    assert found == {passage.chunk_id for passage in library.passages_of(document.document_id)}


def test_edits_and_deletes_are_followed(
    library: Library, index: LocalIndex, keep: Any, word_embedder: Any
) -> None:
    """An edit drops what it removed and keeps the rest; a deletion drops all; a text that returns is back."""
    collection = library.collection("c")
    first = ["alpha one", "beta two"]
    keep(library, collection, "upload://a.txt", first)
    embed_pending(library, word_embedder)
    (vector,) = word_embedder.embed(["alpha one"])
    within = Within((collection.collection_id,))

    def found() -> tuple[list[str], int]:
        return sorted(_texts(library, index, "alpha beta gamma")), len(index.by_vector(vector, within, 9))

    assert found() == (["alpha one", "beta two"], 2)
    keep(library, collection, "upload://a.txt", ["alpha one", "gamma three"])
    assert found() == (["alpha one", "gamma three"], 1)
    keep(library, collection, "upload://a.txt", first)
    assert found() == (["alpha one", "beta two"], 2)
    (document,) = library.documents()
    library.delete(document.document_id)
    assert found() == ([], 0)


def test_it_comes_back_after_its_folder_is_deleted(
    library: Library, index: LocalIndex, handbook: Any, home: Path
) -> None:
    """Deleted between two searches of one process, or between two processes, it is built anew."""
    assert handbook
    assert len(_texts(library, index, "leave")) == 2
    shutil.rmtree(home / "index")
    assert len(_texts(library, index, "leave")) == 2
    assert (home / "index" / "words" / "meta.json").exists()
    index.close()
    shutil.rmtree(home / "index")
    assert len(_texts(library, index, "leave")) == 2


@pytest.mark.parametrize("left", [0, 1, 20])
@pytest.mark.parametrize("suffix", [".json", ".store", ".term", ".idx", ".fast", ".fieldnorm"])
def test_it_comes_back_after_its_files_are_cut(
    library: Library, index: LocalIndex, handbook: Any, home: Path, suffix: str, left: int
) -> None:
    """Any kind of file cut to its first bytes is no data loss: the next opening builds the index anew."""
    assert handbook
    assert len(_texts(library, index, "leave")) == 2
    index.close()
    cut = [path for path in (home / "index" / "words").iterdir() if path.name.endswith(suffix)]
    assert cut
    for path in cut:
        # A new file in place of the old: what the engine still has mapped keeps its bytes.
        short = path.with_name(f"{path.name}.short")
        short.write_bytes(path.read_bytes()[:left])
        short.replace(path)
    assert len(_texts(library, index, "leave")) == 2


def test_an_index_of_another_library_is_not_used(
    library: Library, index: LocalIndex, handbook: Any, tmp_path: Path, keep: Any, word_embedder: Any
) -> None:
    """A folder copied from another library, even one with as many changes, is built anew."""
    assert handbook
    index.sync()
    with Library.open(tmp_path / "other") as other:
        collection = other.collection("c")
        keep(other, collection, "upload://a.txt", [f"something else {number}" for number in range(6)])
        shutil.copytree(tmp_path / "home" / "index", tmp_path / "other" / "index")
        assert other.head() == library.head()
        moved = LocalIndex(other, tmp_path / "other" / "index", word_embedder)
        assert len(_texts(other, moved, "something")) == 6
        assert _texts(other, moved, "leave") == []


def test_an_index_of_another_layout_is_not_used(
    library: Library, index: LocalIndex, handbook: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the layout's number changed the index is built anew, once."""
    from pincite.search import _words

    assert handbook
    assert len(_texts(library, index, "leave")) == 2
    index.close()
    monkeypatch.setattr(_words, "LAYOUT", _words.LAYOUT + 1)
    built: list[Path] = []
    create = _words.Words.create

    def watched(folder: Path, analysis: Any) -> Any:
        built.append(folder)
        return create(folder, analysis)

    monkeypatch.setattr(module.Words, "create", watched)
    assert len(_texts(library, index, "leave")) == 2
    assert len(_texts(library, index, "leave")) == 2
    assert len(built) == 1


def test_the_same_changes_again_change_nothing(library: Library, index: LocalIndex, handbook: Any) -> None:
    """Changes that were taken in already, as after a crash, leave every passage there once."""
    assert handbook
    index.sync()
    words = index._words
    assert words is not None
    index._follow(words, index._folder / "elsewhere")
    assert len(words.ids()) == 6
    entries = [
        module.Entry(passage.chunk_id, handbook.collection_id, passage.document_id, passage.text)
        for passage in library.passages_of(library.documents()[0].document_id)
    ]
    words.apply((), entries, words.progress)
    words.apply((), entries, words.progress)
    assert len(module.Words.open(index._commits, index._analysis).ids()) == 6


def test_a_large_change_is_taken_in_by_parts(
    library: Library, index: LocalIndex, keep: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five passages in commits of two are five, in the index and in the vectors."""
    monkeypatch.setattr(module, "_CHANGES", 2)
    keep(library, library.collection("c"), "upload://a.txt", [f"slug {number}" for number in range(5)])
    assert len(_texts(library, index, "slug")) == 5


def test_search_goes_on_while_another_writes(
    library: Library, index: LocalIndex, handbook: Any, home: Path, keep: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the lock held elsewhere what there is serves; when it is free again the rest is taken in."""
    monkeypatch.setattr(module, "_PATIENCE_SECONDS", 0.0)
    assert len(_texts(library, index, "leave")) == 2
    holder = _start(home, "hold")
    assert _heard(holder) == "held"
    keep(library, handbook, "upload://new.txt", ["More about leave."])
    assert len(_texts(library, index, "leave")) == 2
    _end(holder)
    assert len(_texts(library, index, "leave")) == 3


def test_nothing_to_search_in_is_an_error(
    library: Library, handbook: Any, home: Path, word_embedder: Any
) -> None:
    """With the lock held elsewhere and no index yet, the error says what to do."""
    assert handbook
    index = LocalIndex(library, home / "index", word_embedder, limits=replace(DEFAULT, busy_seconds=0))
    with file_lock(home / "index" / "writer.lock", 1) as mine:
        assert mine
        with pytest.raises(StoreError, match="try again"):
            index.sync()
    index.sync()


def test_a_folder_that_cannot_be_written_is_an_error(
    library: Library, word_embedder: Any, home: Path
) -> None:
    """A file where the folder should be: one sentence, without a path."""
    (home / "index").write_text("in the way")
    with pytest.raises(StoreError) as caught:
        LocalIndex(library, home / "index", word_embedder).sync()
    assert str(home) not in caught.value.message


def test_a_failing_write_does_not_stop_searching(
    library: Library, index: LocalIndex, handbook: Any, keep: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a commit fails, and building beside it too, the commit that is open serves on; later all is there."""
    assert len(_texts(library, index, "leave")) == 2
    keep(library, handbook, "upload://new.txt", ["More about leave."])

    def full(*_: object) -> None:
        raise module.TornIndexError

    with monkeypatch.context() as patched:
        patched.setattr(module.Words, "apply", full)
        assert len(_texts(library, index, "leave")) == 2
    assert len(_texts(library, index, "leave")) == 3


def test_a_process_reads_what_another_writes(library: Library, home: Path, keep: Any) -> None:
    """A reader in its own process sees what is added, whoever brings the index up, and no more what is deleted."""
    collection = library.collection("c")
    keep(library, collection, "upload://a.txt", ["Tomatoes need sun."])
    reader = _start(home, "read")
    assert _heard(reader) == "ready"
    _say(reader, "tomatoes")
    assert _heard(reader) == "Tomatoes need sun."
    second = keep(library, collection, "upload://b.txt", ["Slugs hide under boards."])
    writer = _start(home, "write")
    assert _heard(writer) == "written"
    _end(writer)
    _say(reader, "slugs under boards")
    assert _heard(reader) == "Slugs hide under boards."
    library.delete(second.document_id)
    _say(reader, "slugs under boards")
    assert _heard(reader) != "Slugs hide under boards."
    _end(reader)


def test_threads_may_search_while_one_adds(library: Library, index: LocalIndex, keep: Any) -> None:
    """Four threads search while documents come; nothing is raised, and at the end all is found."""
    collection = library.collection("c")
    keep(library, collection, "upload://0.txt", ["slug 0"])
    index.sync()
    faults: list[BaseException] = []
    done = threading.Event()

    def look() -> None:
        try:
            while not done.is_set():
                assert _texts(library, index, "slug")
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test must hear of it
            faults.append(error)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(1, 6):
        keep(library, collection, f"upload://{number}.txt", [f"slug {number}"])
    done.set()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(_texts(library, index, "slug")) == 6


def test_terms_are_weighted_by_rarity(index: LocalIndex, handbook: Any) -> None:
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


def test_coverage_is_the_share_of_the_weight(library: Library, index: LocalIndex, handbook: Any) -> None:
    """All words held make 1, none nothing, a misspelt one half of its weight when letters may be wrong."""
    assert handbook
    index.sync()
    ids = [passage.chunk_id for passage in library.passages_of(library.documents()[0].document_id)]
    assert index.coverage(index.terms("prior approval"), ids) == pytest.approx({ids[0]: 1.0})
    assert index.coverage(index.terms("prior xylophone"), ids)[ids[0]] == pytest.approx(0.5)
    assert index.coverage(index.terms("aproval"), ids) == {}
    assert index.coverage(index.terms("aproval").tolerant(), ids) == pytest.approx({ids[0]: 0.5})
