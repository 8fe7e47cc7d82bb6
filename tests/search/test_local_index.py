"""The local index: it comes back whatever happens to its folder. What it finds is tested with the other index."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pincite.core.errors import StoreError
from pincite.core.limits import DEFAULT
from pincite.search import LocalIndex, Within
from pincite.search import local_index as module
from pincite.search._lock import file_lock

if TYPE_CHECKING:
    from pincite.library import Library

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
