"""`pincite dump`, `load` and `migrate`: a library elsewhere is the same library, and a hostile dump is none."""

from __future__ import annotations

import io
import json
import sqlite3
import stat
import tarfile
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from layouts import BUCKET
from pincite.library import Library
from pincite.library.tables import METADATA, SCHEMA
from pincite.library.transfer import migrate as copy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from layouts import Servers

    from .conftest import Done, Pincite

QUESTION = "From which amount do expenses need approval?"


@pytest.fixture
def dumped(examples: Path, tmp_path: Path, pincite: Pincite) -> Path:
    """A dump of the library with the examples."""
    file = tmp_path / "library.tar"
    assert pincite("dump", str(file)).code == 0
    return file


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for another library, which commands work on from now on."""
    home = tmp_path / "elsewhere"
    monkeypatch.setenv("PINCITE_HOME", str(home))
    return home


def _members(file: Path) -> dict[str, bytes]:
    with tarfile.open(file) as tar:
        return {one.name: stream.read() for one in tar if (stream := tar.extractfile(one)) is not None}


def _rewritten(file: Path, change: Callable[[dict[str, bytes]], object]) -> Path:
    """Return another dump, changed by `change`."""
    members = _members(file)
    change(members)
    other = file.with_name("other.tar")
    with tarfile.open(other, "w") as tar:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return other


def _without(manifest: bytes, table: str, key: str, value: object) -> bytes:
    said: Any = json.loads(manifest)
    said["tables"][table][key] = value
    return json.dumps(said).encode()


def _answer(pincite: Pincite) -> str:
    """Return what is answered, without the places of the pictures, which are the library's own."""
    done = pincite("ask", QUESTION)
    assert done.code == 0, done
    return "\n".join(line for line in done.out.splitlines() if ".png" not in line)


def _refused(done: Done, home: Path) -> None:
    """Hold that a dump was refused in a sentence and that nothing of it came into the library or beside it."""
    assert done.code in (1, 2), done
    assert "Traceback" not in done.err
    assert "inside pincite" not in done.err
    with Library.open(home) as library:
        assert library.collections() == []
        assert library.head() == 0


def test_a_dump_holds_every_table_and_file(examples: Path, dumped: Path) -> None:
    """One line a row for each table, each file under its hash; only its owner reads it."""
    members = _members(dumped)
    said = json.loads(members["manifest.json"])
    assert said["schema"] == SCHEMA
    assert set(said["tables"]) == set(METADATA.tables) - {"meta", "indexes"}
    for name, table in said["tables"].items():
        assert members[f"tables/{name}.jsonl"].count(b"\n") == table["rows"]
    with Library.open(examples) as library:
        documents = library.documents()
        assert said["tables"]["documents"]["rows"] == len(documents)
        assert {f"files/local/{one.file}" for one in documents} <= set(members)
    assert stat.S_IMODE(dumped.stat().st_mode) == 0o600


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("name", ["library.tar", "library"])
def test_a_loaded_library_is_the_same(
    name: str, tmp_path: Path, pincite: Pincite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer from it is word for word that of the first, and its dump has the same sums."""
    first, second = tmp_path / name, tmp_path / f"again-{name}"
    assert pincite("dump", str(first)).code == 0
    answer = _answer(pincite)
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "elsewhere"))
    loaded = pincite("load", str(first), "--json")
    assert loaded.code == 0, loaded
    assert _answer(pincite) == answer
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "third"))
    assert pincite("load", str(first)).code == 0
    again = pincite("dump", str(second), "--json")
    assert again.data["dumped"] == loaded.data["loaded"]


def test_nothing_is_written_over(dumped: Path, examples: Path, pincite: Pincite) -> None:
    """A dump does not replace a file, and a library that holds something is not loaded into."""
    before = dumped.read_bytes()
    done = pincite("dump", str(dumped))
    assert done.code == 2
    assert "already" in done.err
    assert dumped.read_bytes() == before
    done = pincite("load", str(dumped))
    assert done.code == 1
    assert "empty library" in done.err
    with Library.open(examples) as library:
        assert library.documents()


def test_a_changed_row_is_named_by_its_table(dumped: Path, elsewhere: Path, pincite: Pincite) -> None:
    """One letter of a passage changed on the way: the table is named, and nothing was loaded."""

    def change(members: dict[str, bytes]) -> None:
        name = "tables/passages.jsonl"
        members[name] = members[name].replace(b"approval", b"approvaI", 1)

    done = pincite("load", str(_rewritten(dumped, change)))
    assert "`passages`" in done.err
    _refused(done, elsewhere)


def test_a_changed_file_is_found(dumped: Path, elsewhere: Path, pincite: Pincite) -> None:
    """A stored file whose bytes are not those of its name, or that is missing, is found."""

    def change(members: dict[str, bytes]) -> None:
        name = next(one for one in members if one.startswith("files/"))
        members[name] += b"x"

    def leave_out(members: dict[str, bytes]) -> None:
        del members[next(one for one in members if one.startswith("files/"))]

    for one in (change, leave_out):
        _refused(pincite("load", str(_rewritten(dumped, one))), elsewhere)


@pytest.mark.parametrize(
    "name",
    [
        "../outside.txt",
        "/outside.txt",
        "files/../../outside.txt",
        "files/local/../../../outside",
        "files/.hidden/" + "0" * 64,
        "files/local/" + "0" * 64,
        "tables/meta.jsonl",
        "tables/sqlite_master.jsonl",
        "pyproject.toml",
    ],
)
def test_what_a_dump_does_not_hold_is_refused(
    name: str, dumped: Path, elsewhere: Path, pincite: Pincite, tmp_path: Path
) -> None:
    """Paths that leave the archive, and parts that no dump has, are refused and written nowhere."""

    def change(members: dict[str, bytes]) -> None:
        members[name] = b"outside"

    before = sorted(path.name for path in tmp_path.iterdir())
    _refused(pincite("load", str(_rewritten(dumped, change))), elsewhere)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({*before, "other.tar", "elsewhere"})


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_refused(kind: bytes, dumped: Path, elsewhere: Path, pincite: Pincite) -> None:
    """Only ordinary files are parts of a dump."""
    with tarfile.open(dumped, "a") as tar:
        member = tarfile.TarInfo("files/local/" + "0" * 64)
        member.type, member.linkname = kind, "/etc/passwd"
        tar.addfile(member)
    _refused(pincite("load", str(dumped)), elsewhere)


def test_a_link_in_a_folder_is_refused(
    dumped: Path, elsewhere: Path, pincite: Pincite, tmp_path: Path
) -> None:
    """A dump that is a folder is read inside of it alone."""
    folder = tmp_path / "folder"
    with tarfile.open(dumped) as tar:
        tar.extractall(folder, filter="data")
    table = folder / "tables" / "changes.jsonl"
    table.unlink()
    table.symlink_to("/etc/hostname")
    _refused(pincite("load", str(folder)), elsewhere)


_DAMAGES: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("manifest.json", lambda _: b""),
    ("manifest.json", lambda _: b"[" * 100_000),
    ("manifest.json", lambda data: data.replace(b'"schema": 5', b'"schema": 99')),
    ("manifest.json", lambda data: data.replace(b'"put_seq"', b'"no_such_column"')),
    ("manifest.json", lambda data: data.replace(b'"vectors": {', b'"no_such_table": {')),
    ("manifest.json", lambda data: _without(data, "passages", "columns", [["tenant"]])),
    ("manifest.json", lambda data: _without(data, "passages", "rows", 1)),
    ("tables/passages.jsonl", lambda data: b"[" * 100_000 + b"\n" + data),
    ("tables/passages.jsonl", lambda data: b"{}\n" + data),
    ("tables/passages.jsonl", lambda data: b"\xff\n" + data),
    ("tables/passages.jsonl", lambda data: data.replace(b'["local"', b'["../x"')),
    ("tables/versions.jsonl", lambda data: data.replace(b'"text/', b'7,"text/')),
    ("tables/counters.jsonl", lambda _: b'["local","seq",1e400]\n'),
    ("tables/counters.jsonl", lambda _: b'["local","seq",%d]\n' % 2**64),
]


@pytest.mark.parametrize(("part", "change"), _DAMAGES)
def test_damaged_parts_are_a_sentence(
    part: str, change: Callable[[bytes], bytes], dumped: Path, elsewhere: Path, pincite: Pincite
) -> None:
    """Whatever is wrong with a part, it is one sentence, and nothing was loaded."""

    def apply(members: dict[str, bytes]) -> None:
        members[part] = change(members[part])

    _refused(pincite("load", str(_rewritten(dumped, apply))), elsewhere)


def test_a_row_has_a_greatest_size(
    dumped: Path, elsewhere: Path, pincite: Pincite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that never ends is not read to its end."""
    monkeypatch.setenv("PINCITE_LIMIT_DUMP_ROW_BYTES", "200")
    done = pincite("load", str(dumped))
    assert "200 bytes" in done.err
    _refused(done, elsewhere)


def test_a_header_that_claims_gigabytes_is_not_believed(
    elsewhere: Path, pincite: Pincite, tmp_path: Path
) -> None:
    """A long header is read into memory by the reader of archives: not here."""
    member = tarfile.TarInfo("x" * 99)
    member.type, member.size = tarfile.XHDTYPE, 3 * 1024**3
    file = tmp_path / "huge.tar"
    file.write_bytes(member.tobuf(tarfile.USTAR_FORMAT) + b"\0" * 10_240)
    _refused(pincite("load", str(file)), elsewhere)


def test_what_is_no_dump(elsewhere: Path, pincite: Pincite, tmp_path: Path) -> None:
    """Another file, an empty folder and nothing at all are told apart from a dump."""
    (tmp_path / "text.tar").write_text("no archive")
    (tmp_path / "folder").mkdir()
    for name, code in (("text.tar", 2), ("folder", 2), ("nothing.tar", 3)):
        assert pincite("load", str(tmp_path / name)).code == code
    with Library.open(elsewhere) as library:
        assert library.collections() == []


def test_a_lost_file_is_named(tmp_path: Path, dumped: Path, elsewhere: Path, pincite: Pincite) -> None:
    """A library that lost a file is dumped all the same; it says which, and so does loading it."""
    assert pincite("load", str(dumped)).code == 0
    with Library.open(elsewhere) as library:
        lost = library.documents()[0].file
        library.files.local_path(lost).unlink()
    done = pincite("dump", str(tmp_path / "lost.tar"))
    assert done.code == 1
    assert lost in done.err


# -- to other engines ----------------------------------------------------------------------------


def test_migrate_to_another_file_and_folder(
    examples: Path, tmp_path: Path, pincite: Pincite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both may move on one machine too; the library that is left behind stays as it is."""
    address, files = f"sqlite:///{tmp_path}/new.db", str(tmp_path / "new-files")
    answer = _answer(pincite)
    done = pincite("migrate", "--to-database", address, "--to-files", files)
    assert done.code == 0, done
    assert "PINCITE_DATABASE and PINCITE_FILES" in done.out
    with Library.open(examples) as one, Library.open(tmp_path / "h", database=address, files=files) as other:
        assert one.documents() == other.documents()
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("PINCITE_DATABASE", address)
    monkeypatch.setenv("PINCITE_FILES", files)
    assert _answer(pincite) == answer
    done = pincite("migrate", "--to-database", address)
    assert done.code == 1
    assert "holds a library already" in done.err


def test_migrate_there_and_back(
    examples: Path, servers: Servers, tmp_path: Path, pincite: Pincite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From SQLite and a folder to PostgreSQL and a bucket, and dumped there: every sum is the first one's."""
    address = servers.database("moved")
    before = pincite("dump", str(tmp_path / "before.tar"), "--json")
    done = pincite("migrate", "--to-database", address, "--to-files", f"s3://{BUCKET}/moved", "--json")
    assert done.code == 0, done
    assert done.data["migrated"] == before.data["dumped"]
    answer = _answer(pincite)
    monkeypatch.setenv("PINCITE_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("PINCITE_DATABASE", address)
    monkeypatch.setenv("PINCITE_FILES", f"s3://{BUCKET}/moved")
    after = pincite("dump", str(tmp_path / "after.tar"), "--json")
    assert after.data == before.data
    assert _answer(pincite) == answer
    # And into a fresh one of the same kind.
    monkeypatch.setenv("PINCITE_DATABASE", servers.database("loaded"))
    monkeypatch.setenv("PINCITE_FILES", f"s3://{BUCKET}/loaded")
    loaded = pincite("load", str(tmp_path / "before.tar"), "--json")
    assert loaded.code == 0, loaded
    assert loaded.data["loaded"] == before.data["dumped"]
    del examples


def test_what_was_stopped_goes_on(examples: Path, tmp_path: Path) -> None:
    """A copy that was stopped in the middle is no library; run again, it ends with all of it."""
    address = f"sqlite:///{tmp_path}/new.db"

    class StoppedError(Exception):
        pass

    def stop(what: str, done: int, _total: int) -> None:
        if what == "places" and done == 3:
            raise StoppedError

    with Library.open(examples) as library:
        with pytest.raises(StoppedError):
            copy(library, database=address, on_progress=stop)
        with pytest.raises(Exception, match="still being copied"):
            Library.open(tmp_path / "h", database=address)
        copied = copy(library, database=address)
    with closing(sqlite3.connect(tmp_path / "new.db")) as database:
        assert database.execute("SELECT count(*) FROM places").fetchone() == (copied.tables["places"].rows,)
    Library.open(tmp_path / "h", database=address).close()


def test_what_was_written_meanwhile_is_found(examples: Path, tmp_path: Path, pincite: Pincite) -> None:
    """A row that changes behind the copy makes it another library: the table is named and the exit code is 1."""
    address = f"sqlite:///{tmp_path}/new.db"
    with Library.open(examples) as library, pytest.raises(RuntimeError):
        copy(library, database=address, on_progress=_end_at("compared"))
    with closing(sqlite3.connect(tmp_path / "new.db")) as database:
        database.execute("UPDATE documents SET title = 'another'")
        database.commit()
    done = pincite("migrate", "--to-database", address)
    assert done.code == 1
    assert "`documents`" in done.err


def _end_at(wanted: str) -> Callable[[str, int, int], None]:
    def end(what: str, _done: int, _total: int) -> None:
        if what == wanted:
            raise RuntimeError

    return end


def test_a_library_is_not_copied_over_another(examples: Path, tmp_path: Path, pincite: Pincite) -> None:
    """What stands in the target stays there."""
    address = f"sqlite:///{tmp_path}/other.db"
    with Library.open(tmp_path / "h", database=address) as other:
        other.collection("mine")
    done = pincite("migrate", "--to-database", address)
    assert done.code == 1
    assert "holds a library already" in done.err
    with Library.open(tmp_path / "h", database=address) as other:
        assert [one.name for one in other.collections()] == ["mine"]
    assert pincite("migrate").code == 2
    del examples
