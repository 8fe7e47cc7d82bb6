"""The embedder: shapes, windows, and the hash of its files."""

from __future__ import annotations

import shutil
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import ModelFileError
from pincite.search import MiniLM
from pincite.search.embed import VOCABULARY, WINDOW

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.core.protocols import Embedder, TokenCounter


def test_vectors_are_unit_vectors_of_384(minilm: MiniLM) -> None:
    """Every text, an empty one and one of unknown characters too, has one float32 vector of length one."""
    found = np.asarray(minilm.embed(["Leave is paid.", "", "🙂 \x00 ￿", "量子"]))
    assert (found.shape, found.dtype) == ((4, 384), np.float32)
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    assert np.asarray(minilm.embed([])).shape == (0, 384)
    embedder: Embedder = minilm
    assert embedder.dimensions == 384


def test_meaning_is_near_meaning(minilm: MiniLM) -> None:
    """A question is nearer to its answer, which shares no word of weight with it, than to another sentence."""
    question, answer, other = np.asarray(
        minilm.embed(
            [
                "Who signs off my costs?",
                "Expenses require prior approval from your line manager.",
                "Slugs hide under boards during the day.",
            ]
        )
    )
    assert question @ answer > question @ other + 0.2


def test_neighbours_in_a_batch_do_not_matter(minilm: MiniLM) -> None:
    """A text has the same vector alone and beside a longer one that pads it."""
    short = "Leave is paid."
    alone = np.asarray(minilm.embed([short]))[0]
    beside = np.asarray(minilm.embed(["word " * 200, short, "one two three"]))[1]
    assert np.allclose(alone, beside, atol=1e-4)


COUNTED = {
    "Hello, world! It's e-mail.": 11,
    "": 0,
    " \t\n": 0,
    # A character of these scripts is a piece of its own.
    "中文字符": 4,
    "a\u00a0b\u3000c": 3,
    "the The THE": 3,
    # No word of the vocabulary, and too long to be looked at: one unknown.
    "x" * 300: 1,
}


def test_tokens_are_those_that_the_model_reads(minilm: MiniLM) -> None:
    """Alone or beside other texts, the first time or the second, a text has as many pieces."""
    assert list(minilm.count(list(COUNTED))) == list(COUNTED.values())
    for text, count in COUNTED.items():
        assert list(minilm.count([text])) == [count]
    counter: TokenCounter = MiniLM()
    assert counter.count([" ".join(COUNTED)]) == [sum(COUNTED.values())]
    assert counter.count([]) == []


def test_counting_needs_no_model(tmp_path: Path) -> None:
    """Only the vocabulary is read; where that is another there are no counts."""
    assert MiniLM(model=tmp_path / "absent.onnx").count(["one two"]) == [2]
    other = tmp_path / "vocabulary.txt"
    other.write_text("one\ntwo\n", encoding="utf-8")
    with pytest.raises(ModelFileError):
        MiniLM(vocabulary=other).count(["one"])


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Co", "Cn"])), max_size=5))
def test_counts_are_those_of_the_tokenizer(minilm: MiniLM, texts: list[str]) -> None:
    """Words that are counted once give what the whole text gives."""
    encoded = minilm._words().encode_batch(texts, add_special_tokens=False)  # pyright: ignore[reportPrivateUsage]
    assert list(minilm.count(texts)) == [len(encoding.ids) for encoding in encoded]


def test_the_end_of_a_long_text_counts(minilm: MiniLM) -> None:
    """What stands after the first window changes the vector, and draws it towards its meaning."""
    filler = "The gate was painted green. " * 60
    with_end = filler + "Slugs eat the lettuce in the garden at night. " * 20
    plain, ended, topic = np.asarray(minilm.embed([filler, with_end, "slugs and lettuce"]))
    assert len(filler.split()) > WINDOW
    assert topic @ ended > topic @ plain + 0.1


def test_another_model_file_is_refused(tmp_path: Path) -> None:
    """A file that is not the pinned one, or none, is an error before anything runs it."""
    fake = tmp_path / "model.onnx"
    fake.write_bytes(b"not the model")
    for model in (fake, tmp_path / "absent.onnx"):
        with pytest.raises(ModelFileError) as caught:
            MiniLM(model=model).embed(["text"])
        assert str(tmp_path) not in caught.value.message


def test_another_vocabulary_is_refused(tmp_path: Path) -> None:
    """One byte more in the vocabulary is an error; the right file, copied, is not."""
    copy = tmp_path / "vocab.txt"
    shutil.copy(VOCABULARY, copy)
    assert len(MiniLM(vocabulary=copy, threads=1).embed(["text"])) == 1
    copy.write_bytes(VOCABULARY.read_bytes() + b"x")
    with pytest.raises(ModelFileError):
        MiniLM(vocabulary=copy).embed(["text"])


def test_threads_share_one_embedder(minilm: MiniLM) -> None:
    """Four threads get the vectors that one gets."""
    texts = [f"Sentence number {number} about leave." for number in range(4)]
    expected = np.asarray(minilm.embed(texts))
    found: dict[int, np.ndarray] = {}

    def embed(number: int) -> None:
        found[number] = np.asarray(minilm.embed([texts[number]]))[0]

    threads = [threading.Thread(target=embed, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.allclose(found[number], expected[number], atol=1e-4) for number in range(4))


def test_the_vocabulary_names_its_source() -> None:
    """Beside the vocabulary stands whose it is and under which licence."""
    notice = VOCABULARY.with_name("NOTICE").read_text("utf-8")
    assert "Google" in notice
    assert "Apache License, Version 2.0" in notice
