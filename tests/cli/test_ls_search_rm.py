"""`pincite ls`, `search` and `rm`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pincite.core.hit import ROW_FIELDS

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite


@pytest.mark.usefixtures("examples")
def test_ls(pincite: Pincite) -> None:
    """A line a document, aligned, under a header; the same as data."""
    done = pincite("ls")
    head, *rows = done.out.splitlines()
    assert head.split() == ["id", "title", "type", "language", "pages", "passages", "source"]
    assert len(rows) == 4
    assert {row[head.index("source") :] for row in rows} == {
        "handbook.pdf", "minutes-2026-03.md", "notice.txt", "price-list.html",
    }  # fmt: skip
    data = {one["source_key"]: one for one in pincite("ls", "--json").data}
    assert data["upload://handbook.pdf"]["pages"] == 8
    assert data["upload://handbook.pdf"]["source_uri"] is None
    assert {one["bibliography"]["language"][:2] for one in data.values()} == {"en"}
    assert {row[head.index("language") :].split()[0][:2] for row in rows} == {"en"}


def test_ls_of_nothing(pincite: Pincite) -> None:
    """An empty library is no fault; the remark goes to standard error."""
    done = pincite("ls")
    assert (done.code, done.out) == (0, "")
    assert "`pincite add PATH`" in done.err
    assert pincite("ls", "--json").data == []


@pytest.mark.usefixtures("examples")
def test_search(pincite: Pincite) -> None:
    """Rows have the eight fields in order, and people see a ref, a place and the words."""
    done = pincite("search", "expenses over 100 EUR prior approval", "-n", "3", "--json")
    assert set(done.data) == {"results", "broadened", "conversation_id"}
    assert [list(row) for row in done.data["results"]] == [list(ROW_FIELDS)] * 3
    ref = done.data["results"][0]["ref"]
    first, second = pincite("search", "expenses over 100 EUR prior approval", "-n", "3").out.splitlines()[:2]
    assert first == f"{ref}  Halvick Instruments: Staff Handbook, page 4, 5.1 Approval  supported"
    assert second.startswith("  ")
    assert "Halvick Instruments reimburses costs that you incur" in second


def test_rm(pincite: Pincite, tmp_path: Path) -> None:
    """By the beginning of its id; found no more afterwards, while its file stays."""
    file = tmp_path / "rules.txt"
    file.write_text("Expenses over 100 EUR require approval.", encoding="utf-8")
    pincite("add", str(file), "--json")
    (document,) = pincite("ls", "--json").data
    asked = pincite("rm", document["document_id"][:8])
    assert asked.code == 2
    assert "--yes" in asked.err
    assert pincite("rm", document["document_id"][:7], "--yes").code == 3
    done = pincite("rm", document["document_id"][:8], "--yes", "--json")
    assert done.code == 0
    assert done.data["removed"]["document_id"] == document["document_id"]
    assert pincite("ls", "--json").data == []
    assert pincite("search", "expenses").code == 3
    assert file.exists()


@pytest.mark.parametrize("name", ["rules.txt", "upload://rules.txt"])
def test_rm_by_source(pincite: Pincite, tmp_path: Path, name: str) -> None:
    """A source names its document, with or without what leads it."""
    file = tmp_path / "rules.txt"
    file.write_text("Expenses over 100 EUR require approval.", encoding="utf-8")
    pincite("add", str(file), "--json")
    assert pincite("rm", name, "--yes").out.startswith("Removed ")


def test_a_removed_document_is_unavailable_to_the_check(pincite: Pincite, tmp_path: Path) -> None:
    """An answer that cites it was right once; now its citation names nothing that stands."""
    file = tmp_path / "rules.txt"
    file.write_text("Expenses over 100 EUR require approval.", encoding="utf-8")
    pincite("add", str(file), "--json")
    told = pincite("ask", "Do expenses require approval?", "--json").data
    (tmp_path / "answer.txt").write_text(told["text"], encoding="utf-8")
    assert pincite("check", str(tmp_path / "answer.txt")).code == 0
    pincite("rm", "rules.txt", "--yes")
    after = pincite("check", str(tmp_path / "answer.txt"), "--json")
    assert after.code == 1
    told = [(one["verdict"], one["source_state"]) for one in after.data["citations"]]
    assert told == [("unavailable", "removed")]


def test_titles_cannot_steer_a_terminal(pincite: Pincite, tmp_path: Path) -> None:
    """Control characters and markup in a title are printed as text or not at all."""
    file = tmp_path / "x.txt"
    file.write_text("Expenses over 100 EUR require approval.", encoding="utf-8")
    pincite("add", str(file), "--title", "[bold]T\x1b[31m\u202eevil[/bold]", "--json")
    done = pincite("ls")
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out
    assert "[bold]T" in done.out


@pytest.mark.parametrize(
    "address", ["s3://secret/a.txt", "/srv/secret/a.txt", "https://me:secret@x.example/a.txt"]
)
def test_where_a_document_is_kept_is_not_shown(pincite: Pincite, tmp_path: Path, address: str) -> None:
    """A bucket, a folder and a password stay out of everything that is printed; the document's name is there."""
    file = tmp_path / "a.txt"
    file.write_text("The lantern burns until noon.\n", encoding="utf-8")
    pincite("add", str(file), "--source-uri", address)
    found = pincite("search", "When does the lantern burn?", "--json")
    ref = found.data["results"][0]["ref"]
    commands = (("ls",), ("ls", "--json"), ("ask", "When does the lantern burn?"), ("show", ref, "--json"))
    printed = [found, *(pincite(*command) for command in (*commands, ("ask", "Until when?", "--json")))]
    assert all("secret" not in done.out + done.err for done in printed)
    assert "a.txt" in printed[1].out
    assert found.data["results"][0]["source_uri"] == "upload://a.txt"


def test_ls_calls_formats_by_their_short_names(pincite: Pincite, tmp_path: Path) -> None:
    """JSON has the media type."""
    for name in ("a.md", "b.html", "c.txt", "d.py", "e.srt"):
        (tmp_path / name).write_text(
            "1\n00:00:01,000 --> 00:00:02,000\n<html><body>Some words.</body></html>\n"
            if name != "b.html"
            else "<html><body>Some words.</body></html>",
            encoding="utf-8",
        )
    assert (
        pincite("add", *(str(tmp_path / name) for name in ("a.md", "b.html", "c.txt", "d.py", "e.srt"))).code
        == 0
    )
    done = pincite("ls")
    kinds = [row.split()[2] for row in done.out.splitlines()[1:]]
    assert sorted(kinds) == ["code", "html", "md", "srt", "txt"]
    listed = pincite("ls", "--json").data
    assert "text/x-source" in {one["media_type"] for one in listed}
