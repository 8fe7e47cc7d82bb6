"""Libraries to test with, and what fills them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from pincite.library import Library

# The processes that tests start import their neighbour by its name; so does this.
sys.path.insert(0, str(Path(__file__).parent))

from line_documents import keep_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.library import Collection, StoredDocument


class KeepText(Protocol):
    """What the fixture `from_lines` returns."""

    def __call__(
        self, library: Library, collection: Collection, key: str, text: str, *, data: bytes | None = None
    ) -> StoredDocument:
        """Keep a text in a library of the test's own."""
        ...


class Keep(Protocol):
    """What the fixture `keep` returns."""

    def __call__(
        self, key: str, text: str, *, data: bytes | None = None, replace: bool = True
    ) -> StoredDocument:
        """Keep a text in the fixture's library and collection."""
        ...


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder for a library that is not there yet."""
    return tmp_path / "home"


@pytest.fixture
def library(home: Path) -> Iterator[Library]:
    """An empty library."""
    with Library.open(home) as opened:
        yield opened


@pytest.fixture
def collection(library: Library) -> Collection:
    """A collection of the library."""
    return library.collection("default")


@pytest.fixture
def keep(library: Library, collection: Collection) -> Keep:
    """Keeps texts in that collection."""

    def kept(key: str, text: str, *, data: bytes | None = None, replace: bool = True) -> StoredDocument:
        return keep_text(library, collection, key, text, data=data, replace=replace)

    return kept


@pytest.fixture
def from_lines() -> KeepText:
    """Keeps texts in any library."""
    return keep_text
