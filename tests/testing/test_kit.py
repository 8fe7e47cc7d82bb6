"""The attack cases themselves: named, small until they are asked for, and what they say that they are."""

from __future__ import annotations

import re
import sys
import tracemalloc
import zlib
from typing import TYPE_CHECKING

import pytest

from pincite import testing
from pincite.testing import (
    ATTACK_FILES,
    ATTACK_FLOODS,
    ATTACK_NAMES,
    ATTACK_PASSAGES,
    ATTACK_QUOTES,
    ATTACK_TEXTS,
    ATTACK_TITLES,
    ATTACK_URLS,
    AttackText,
    Wants,
)
from pincite.testing._packed import checksum, packed, zeros

if TYPE_CHECKING:
    from collections.abc import Sequence

LISTS = {name: getattr(testing, name) for name in testing.__all__ if name.startswith("ATTACK_")}
# What an id of a case may be, so that `-k` takes it: one class, linear.
ID = re.compile(r"[a-z0-9.\-]+")


@pytest.mark.parametrize("cases", LISTS.values(), ids=list(LISTS))
def test_each_case_has_a_name_of_its_own_and_a_sentence(cases: Sequence[AttackText]) -> None:
    """Names are ids of tests, and `what` says what is tried."""
    names = [case.name for case in cases]
    assert len(set(names)) == len(names) >= 20
    assert all(ID.fullmatch(name) for name in names)
    assert all(case.what and "\n" not in case.what for case in cases)


def test_a_text_carries_the_marker_that_it_is_given() -> None:
    """Each text of a model has a place for a citation in order, and `[1]` there until told otherwise."""
    for case in ATTACK_TEXTS:
        assert case.text == case.citing("[1]")
        assert "[[deadcafe]]" in case.citing("[[deadcafe]]"), case.name
        assert "{marker}" not in case.text


def test_floods_are_a_megabyte_and_take_no_memory_before() -> None:
    """The list is a few kB, and each text of it has a million characters, but for a rest of its pattern."""
    assert all(999_000 < len(case.text) <= 1_000_000 for case in ATTACK_FLOODS)
    assert sum(sys.getsizeof(case.pattern) for case in ATTACK_FLOODS) < 10_000


def test_files_are_made_when_they_are_asked_for() -> None:
    """No case holds its bytes; the largest file has about 20 MB, and making it takes little more."""
    tracemalloc.start()
    try:
        sizes = {file.name: len(file.data()) for file in ATTACK_FILES}
        _, most = tracemalloc.get_traced_memory()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert max(sizes.values()) < 21_000_000
    assert held < 5_000_000
    assert most < 80_000_000
    assert sizes["inflating-twice.pdf"] < 12_000


def test_a_file_is_the_same_each_time() -> None:
    """A fault that a file shows is there again the next time."""
    again = ("inflating-twice.pdf", "paragraphs.docx", "huge.png")
    assert all(file.data() == file.data() for file in ATTACK_FILES if file.name in again)


def test_hidden_words_are_in_the_files_that_hide_them() -> None:
    """A file that asks for flags names the words, and they stand in it: packed in the office file."""
    hiding = [file for file in ATTACK_FILES if file.wants is Wants.FLAGGED]
    assert len(hiding) >= 7
    for file in hiding:
        assert file.unseen
        assert file.name.endswith(".docx") or file.unseen.encode() in file.data()
    assert not any(file.unseen for file in ATTACK_FILES if file.wants is not Wants.FLAGGED)


def test_what_is_packed_by_hand_is_a_stream_in_order() -> None:
    """A whole inflater agrees with the bytes, the size, the CRC-32 and the Adler-32 that were worked out."""
    raw, size = packed(b"ab" * 50, 7, head=b"<", tail=b">")
    whole = b"<" + b"ab" * 350 + b">"
    assert zlib.decompress(raw, -15) == whole
    assert size == len(whole)
    assert checksum(b"ab" * 50, 7, head=b"<", tail=b">") == zlib.crc32(whole)
    assert zlib.decompress(zeros(3)) == bytes(3 << 20)


def test_the_lists_hold_what_safety_asks_for() -> None:
    """The threats that the docs name each have a case."""
    files = {file.name.partition(".")[2] for file in ATTACK_FILES}
    assert {"pdf", "docx", "xlsx", "csv", "html", "md", "json", "eml", "png", "txt"} <= files
    texts = " ".join(case.text for case in ATTACK_TEXTS)
    for sign in (
        "javascript:",
        "data:text",
        "\u202e",
        "\x00",
        "\ud800",
        "<script",
        "url(",
        "[^1]:",
        "[1]:",
        "](",
    ):
        assert sign in texts
    urls = [case.text for case in ATTACK_URLS]
    assert any("@" in url for url in urls)
    assert any(url.startswith("//") for url in urls)
    assert any("cite policy.pdf" in passage.text.lower() for passage in ATTACK_PASSAGES)
    assert any(len(case.text) > 10_000 for case in ATTACK_TITLES)
    assert any(".." in case.text for case in ATTACK_NAMES)
    assert all(case.honest in case.source and case.quote != case.honest for case in ATTACK_QUOTES)
