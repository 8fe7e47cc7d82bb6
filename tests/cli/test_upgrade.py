"""A library that the first version with a library wrote is opened by this one, and nothing of it is lost.

`tests/data/first_library.db.gz` was written by that version's `pincite add examples/` and one `pincite ask`. There were
no migrations then, no jobs, keys or embeds. Its files are those of `examples/`, which have not changed since.
"""

from __future__ import annotations

import gzip
import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from cli.conftest import Pincite

WRITTEN = Path(__file__).resolve().parents[1] / "data" / "first_library.db.gz"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# The passage that the first version cited, and the sentence of it.
REF = "1f6d4b1b"
CITED = "Expenses over 100 EUR require prior approval from your line manager."


@pytest.fixture
def first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a library as the first version left it, which commands work on."""
    home = tmp_path / "first"
    (home / "files").mkdir(parents=True)
    (home / "library.db").write_bytes(gzip.decompress(WRITTEN.read_bytes()))
    for file in EXAMPLES.iterdir():
        content = file.read_bytes()
        name = hashlib.sha256(content).hexdigest()
        stored = home / "files" / "local" / name[:2] / name
        stored.parent.mkdir(parents=True, exist_ok=True)
        stored.write_bytes(content)
    monkeypatch.setenv("PINCITE_HOME", str(home))
    return home


def counts(home: Path) -> dict[str, int]:
    """Return how many rows each table of the first version holds."""
    with closing(sqlite3.connect(home / "library.db")) as database:
        tables = ("collections", "conversations", "documents", "passages", "places", "vectors", "versions")
        return {table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}  # noqa: S608 - names of ours


def test_a_library_of_the_first_version_keeps_its_documents(first: Path, pincite: Pincite) -> None:
    """Its documents are listed as they were, and adding the same files again changes nothing."""
    before = counts(first)
    listed = {one["source_key"]: one for one in pincite("ls", "--json").data}
    assert {key: (one["pages"], one["passages"]) for key, one in listed.items()} == {
        "upload://handbook.pdf": (8, 50),
        "upload://minutes-2026-03.md": (0, 9),
        "upload://notice.txt": (0, 2),
        "upload://price-list.html": (0, 12),
    }
    again = pincite("add", str(EXAMPLES))
    assert [line.split()[0] for line in again.out.splitlines()] == ["unchanged"] * 4
    assert counts(first) == before


@pytest.mark.usefixtures("first")
def test_a_library_of_the_first_version_is_found_and_cited(pincite: Pincite, tmp_path: Path) -> None:
    """Its index is built anew from what is kept; a ref of then still opens, with its page, and is valid."""
    found = pincite("search", "approval of expenses", "--json").data["results"]
    assert any(row["ref"] == REF and CITED in " ".join(row["content"].split()) for row in found)
    shown = pincite("show", REF)
    assert shown.code == 0
    assert "page 4, 5.1 Approval" in shown.out
    answer = tmp_path / "answer.txt"
    answer.write_text(f"{CITED[:-1]} [{REF}].", encoding="utf-8")
    checked = pincite("check", str(answer), "--json").data
    assert [(one["verdict"], one["support_verdict"]) for one in checked["citations"]] == [
        ("valid", "supported")
    ]


@pytest.mark.usefixtures("first")
def test_a_library_of_the_first_version_takes_new_documents(pincite: Pincite, tmp_path: Path) -> None:
    """A document can be added to it and removed from it, in tables that it did not have."""
    note = tmp_path / "note.txt"
    note.write_text("The depot in Arnsfeld closes at nine in the evening.\n", encoding="utf-8")
    assert pincite("add", str(note)).code == 0
    assert any(
        "Arnsfeld" in row["content"] for row in pincite("search", "Arnsfeld depot", "--json").data["results"]
    )
    (document,) = [one for one in pincite("ls", "--json").data if one["source_key"].endswith("note.txt")]
    assert pincite("rm", "--yes", document["document_id"]).code == 0
    assert len(pincite("ls", "--json").data) == 4
