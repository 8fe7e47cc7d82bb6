"""Our reading, proven with the kit: each hostile file costs its caps and ends in what it wants of a reader."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from pypdfium2 import PdfDocument

from pincite.core.errors import ReadingError
from pincite.core.limits import DEFAULT
from pincite.reading import ReadingPool
from pincite.testing import ATTACK_FILES, Wants, assert_bounded, assert_no_address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.document import Document
    from pincite.testing import AttackFile, AttackText

# A gate has less time than a server: what takes more than this is refused here, and only later there.
LIMITS = replace(DEFAULT, zip_file_bytes=2 << 20, read_memory_bytes=256 << 20, workers=1)
FILES = {file.name: file for file in ATTACK_FILES}
HARMLESS = b"Backups are kept for 30 days.\n"


@pytest.fixture(scope="module")
def pool() -> Iterator[ReadingPool]:
    """A pool of one worker, so that a file that spoils it is noticed by the next."""
    with ReadingPool(LIMITS) as pool:
        yield pool


def read(pool: ReadingPool, data: bytes, name: str) -> tuple[Document | None, str]:
    """Return the document in a file, or None and the sentence that says why there is none."""
    try:
        return pool.read(data, name=name), ""
    except ReadingError as error:
        return None, error.message


def sees(document: Document, words: str) -> bool:
    """Say whether words stand in a document as text that may be cited as good."""
    start = document.text.find(words)
    end = start + len(words)
    return start >= 0 and not any(doubt.start < end and start < doubt.end for doubt in document.doubts)


def test_each_hostile_file_ends_as_it_should(pool: ReadingPool, attack_file: AttackFile) -> None:
    """A typed error or a document, hidden words flagged; the parent goes on, and tells no path of its own."""
    document, sentence = read(pool, attack_file.data(), attack_file.name)
    if document is None:
        assert attack_file.wants is not Wants.FLAGGED
        assert sentence.endswith(".")
        assert sentence.isprintable()
        assert_no_address(sentence)
    else:
        assert attack_file.wants is not Wants.REFUSED
        assert "root:" not in document.text
    if document is not None and attack_file.wants is Wants.FLAGGED:
        assert document.flags
        assert "Backups are kept for 30 days." in document.text
        assert not sees(document, attack_file.unseen)
    assert pool.read(HARMLESS, name="a.txt").text.strip() == HARMLESS.decode().strip()


@pytest.mark.parametrize("name", ["inflating-twice.pdf", "operators.pdf"])
def test_known_killers_stay_within_the_caps(name: str) -> None:
    """With all that is started for it, a file takes no more than the reader's 512 MB beside its interpreters."""
    file = FILES[name]

    def read_all() -> None:
        with ReadingPool(LIMITS) as pool:
            pool.read(file.data(), name=file.name)

    cost = assert_bounded(read_all, seconds=15, megabytes=800, errors=ReadingError)
    assert cost.error


def test_names_of_files_are_only_names(pool: ReadingPool, attack_name: AttackText) -> None:
    """Whatever a file is called, it is read or refused by its ending, and a refusal shows no control character."""
    document, sentence = read(pool, HARMLESS, attack_name.text)
    if document is None:
        assert sentence.isprintable()
        assert len(sentence) < 500
    else:
        assert document.text.strip() == HARMLESS.decode().strip()
        assert "/" not in document.title
        assert "\n" not in document.title


def test_a_naive_reader_fails() -> None:
    """Reading in one's own process, with the engine as it is, takes what the files want it to take."""

    def read_here() -> None:
        page = PdfDocument(FILES["inflating-twice.pdf"].data())[0]
        page.get_textpage().get_text_range()

    with pytest.raises(AssertionError, match=r"MB of memory|more than 5 s|brought its process down"):
        assert_bounded(read_here, seconds=5, megabytes=512)
