"""Folders, archives and mappings: one digest for all of them, and nothing hostile gets in."""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moca_packages import archive, codes, files, independent_digest, manifest, node, read

from pincite.core.limits import Limits
from pincite.protocols.moca.reader._files import UnreadableError

MADE = {
    **files(manifest(locales=["fr"]), a_md=node(), a_fr_md=node("Cinq ans."), guides__b_md=node()),
    "sources/terms 100%.txt": b"x\r\ny",
    "sources/e\u0301tat.txt": b"",
    "attestations/notes.txt": b"no envelope",
    ".git/config": b"secret",
    "sources/.DS_Store": b"",
}


def folder(root: Path, made: dict[str, bytes]) -> Path:
    """Write a package into a folder."""
    for path, data in made.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def test_one_digest_wherever_a_package_is(tmp_path: Path) -> None:
    """A folder, an archive by path or as bytes, packed or not, and a mapping: the digest of the tests' own code.

    Hidden entries and attestations are no part of it, and names are hashed in their composed form.
    """
    composed = {path.replace("e\u0301", "\u00e9"): data for path, data in MADE.items()}
    wanted = independent_digest(composed)
    packed = tmp_path / "kb.moca"
    packed.write_bytes(archive(MADE))
    here = folder(tmp_path / "kb", MADE)
    for target in (here, str(here), packed, archive(MADE), archive(MADE, zipfile.ZIP_STORED), MADE, composed):
        found = read(target)
        assert (found.valid, found.digest) == (True, wanted)
    assert "terms 100%25.txt\n" in read(MADE).payload_manifest
    assert "secret" not in read(MADE).payload_manifest


@given(
    st.dictionaries(
        st.from_regex(r"[a-z%é]{1,8}(/[a-z\r\n~]{1,3})?", fullmatch=True), st.binary(max_size=20), max_size=5
    ),
    st.randoms(use_true_random=False),
)
def test_any_files_have_the_digest_of_the_rules(more: dict[str, bytes], random: Any) -> None:
    """Whatever the files are and in whichever order they come; one byte more makes it another."""
    made = {**files(), **{f"media/{place}/{path}": data for place, (path, data) in enumerate(more.items())}}
    mixed = list(made.items())
    random.shuffle(mixed)
    found = read(dict(mixed))
    assert found.digest == independent_digest(made)
    assert read({**made, "moca.json": made["moca.json"] + b"\n"}).digest != found.digest


def test_a_target_that_is_not_there(tmp_path: Path) -> None:
    """That is told apart from a target that has no manifest."""
    assert codes(read(tmp_path / "none")) == {"T001"}
    assert codes(read("a\0b")) == {"T001"}
    assert codes(read(tmp_path)) == {"T002"}
    assert codes(read({})) == {"T002"}
    assert codes(read(archive({}))) == {"T002"}
    assert codes(read(archive({"kb/moca.json": b"{}"}))) == {"T002"}
    assert codes(read(b"")) == {"T003"}
    assert codes(read(b"PK\x05\x06 no zip")) == {"T003"}


@pytest.mark.parametrize(
    "name",
    [
        "../x", "/x", "a/../../x", "a/..", "a//b", "./a", "a\\b", "..\\x", "C:/x", "C:", "a/./b", "x" * 1_001,
        "\u00e9" * 501, "..",
    ],
)  # fmt: skip
def test_names_that_lead_out(name: str) -> None:
    """One such entry refuses the whole archive, hidden or not, before anything of it is read."""
    for made in ({**files(), name: b""}, {name: b"", **files()}):
        found = read(made)
        assert (codes(found), found.digest, found.valid) == ({"T003"}, None, False)
        if "\\" not in name:
            assert codes(read(archive(made))) == {"T003"}


def test_a_backslash_or_a_nul_in_an_archive() -> None:
    """Programs do not agree on what such a name is, so the archive is refused."""
    for name in (b"a?b", b".?b"):
        for char in (b"\\", b"\0"):
            data = archive({**files(), name.decode(): b""}).replace(name, name.replace(b"?", char))
            assert codes(read(data)) == {"T003"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("media/a.txt", "media/a.txt"),
        ("media/A.txt", "media/a.txt"),
        ("media/\u00e9.txt", "media/e\u0301.txt"),
        ("media/\u00c9.txt", "media/e\u0301.txt"),
        ("media/a", "media/a/b.txt"),
        ("media/A", "media/a/b/c.txt"),
    ],
)
def test_paths_that_collide(one: str, other: str) -> None:
    """Twice the same, alike but for case or composition, and a file that is a folder too: no digest is made."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, data in files().items():
            made.writestr(name, data)
        made.writestr(one, "a")
        made.writestr(other, "b")
    found = read(stream.getvalue())
    assert (codes(found), found.digest) == ({"P003"}, None)


@pytest.mark.parametrize("mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_in_an_archive(mode: int) -> None:
    """Anything but a folder or a regular file is a fault of the package, and is not passed over."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        for name, data in files().items():
            made.writestr(name, data)
        info = zipfile.ZipInfo("content/b.md")
        info.external_attr = (mode | 0o777) << 16
        made.writestr(info, "/etc/passwd")
    found = read(stream.getvalue())
    assert (codes(found), found.digest) == ({"P001"}, None)


def test_links_and_pipes_in_a_folder(tmp_path: Path) -> None:
    """They are told, never followed or waited for; hidden ones are no part of the package."""
    here = folder(tmp_path / "kb", files())
    (here / ".hidden").symlink_to("/etc/passwd")
    assert read(here).valid
    (here / "content" / "b.md").symlink_to("/etc/passwd")
    (here / "sources").symlink_to("/etc")
    os.mkfifo(here / "content" / "c.md")
    found = read(here)
    assert [one.code[:4] for one in found.diagnostics] == ["P001"] * 3
    assert found.digest is None


def test_a_folder_that_becomes_a_link(tmp_path: Path) -> None:
    """What stood in a folder when it was listed is not read through a link that has come into its place."""
    from pincite.protocols.moca.reader._files import open_files
    from pincite.protocols.moca.reader.findings import Findings

    here = folder(tmp_path / "kb", files())
    other = folder(tmp_path / "other", {"a.md": b"secret"})
    opened = open_files(here, Findings(Limits()), Limits())
    assert opened is not None
    (here / "content").rename(tmp_path / "away")
    (here / "content").symlink_to(other)
    with pytest.raises(UnreadableError):
        opened.hash("content/a.md", keep=True)


def test_a_link_to_the_package_itself_may_be_the_target(tmp_path: Path) -> None:
    """What the host names is the host's business."""
    here = folder(tmp_path / "kb", files())
    (tmp_path / "latest").symlink_to(here)
    assert read(tmp_path / "latest").valid


def test_a_name_that_is_no_unicode(tmp_path: Path) -> None:
    """It cannot be hashed, so the package has no digest."""
    here = folder(tmp_path / "kb", files())
    Path(os.fsdecode(os.fsencode(here) + b"/content/\xff.md")).write_bytes(b"")
    assert codes(read(here)) == {"P002"}


def patched(data: bytes, field: int, value: int, *, local: bool) -> bytes:
    """Return an archive with a size of its last entry changed, in its directory and in front of its bytes."""
    made = bytearray(data)
    at = made.rfind(b"PK\x01\x02")
    struct.pack_into("<I", made, at + 20 + field, value)
    if local:
        at = made.rfind(b"PK\x03\x04")
        struct.pack_into("<I", made, at + 18 + field, value)
    return bytes(made)


@pytest.mark.parametrize("said", [0, 5, 10**6])
@pytest.mark.parametrize("local", [True, False])
def test_sizes_that_lie(said: int, *, local: bool) -> None:
    """An entry that unpacks to another size than the archive says cannot be read, and is not hashed cut off."""
    data = archive({**files(), "media/z.bin": b"z" * 5_000})
    found = read(patched(data, 4, said, local=local))
    assert (codes(found), found.digest) == ({"P002"}, None)


def test_bytes_are_counted_and_not_believed() -> None:
    """What unpacks to more than is allowed is refused, whatever the archive says of it."""
    bomb = archive({**files(), "media/z.bin": bytes(3_000_000)})
    few = Limits(moca_package_bytes=1_000_000)
    assert len(bomb) < 10_000
    assert codes(read(bomb, limits=few)) == {"T003"}
    assert codes(read(patched(bomb, 4, 10, local=True), limits=few)) == {"P002"}
    assert codes(read({**files(), "media/z.bin": bytes(3_000_000)}, limits=few)) == {"P002"}
    assert codes(
        read(archive({**files(), "a": os.urandom(5_000)}), limits=Limits(moca_package_bytes=4_000))
    ) == {"T003"}


def test_an_archive_in_an_archive_is_bytes() -> None:
    """It is hashed like any file, and nothing in it is looked at."""
    inner = archive({"../../x": b"", "moca.json": b"{}"})
    assert read(archive({**files(), "media/inner.zip": inner}, zipfile.ZIP_STORED)).valid


def test_an_encrypted_or_oddly_packed_entry() -> None:
    """It cannot be read, so there is no digest."""
    odd = archive({**files(), "media/z.bin": b"z"}, zipfile.ZIP_LZMA)
    assert codes(read(odd)) == {"P002"}
    made = bytearray(archive(files()))
    made[made.rfind(b"PK\x01\x02") + 8] |= 1
    assert codes(read(bytes(made))) == {"P002"}


def test_more_files_than_are_allowed(tmp_path: Path) -> None:
    """A hundred thousand entries are refused before a list is made of them; a folder is not walked to its end."""
    entry = b"PK\x01\x02" + bytes(42)
    many = archive(files()) + entry * 100_000
    assert codes(read(many)) == {"T003"}
    few = Limits(moca_files=3)
    made = {**files(), **{f"media/{place}.txt": b"" for place in range(3)}}
    assert codes(read(made, limits=few)) == {"T003"}
    assert codes(read(archive(made), limits=few)) == {"T003"}
    here = folder(tmp_path / "kb", made)
    assert codes(read(here, limits=few)) == {"T003"}
    for place in range(120):
        (here / f"empty{place}").mkdir()
    assert codes(read(here, limits=Limits(moca_files=6))) == {"T003"}


def test_many_nodes_are_read_in_time() -> None:
    """Where the host allows it, thousands of nodes: no step looks at all of them for each."""
    about = files(manifest())["moca.json"]
    made = {"moca.json": about, **{f"content/{n % 50}/{n}.md": b"---\ntype: A\n---\nx" for n in range(8_000)}}
    found = read(made)
    assert found.valid
    assert len(found.nodes) == 8_000


def test_a_file_that_changes_while_it_is_read() -> None:
    """What evidence is looked for in is what was hashed, or nothing."""
    front: dict[str, Any] = {
        "sources": [{"id": "s", "resource": "../sources/s.txt"}],
        "moca": {"evidence": [{"source": "s", "selector": {"type": "TextQuoteSelector", "exact": "five"}}]},
    }
    made = {**files(None, a_md=node(**front)), "sources/s.txt": b"five"}
    assert read(made).nodes[0].representations[0].matched == (True,)
    from pincite.protocols.moca.reader._files import Files

    original = Files._pieces
    seen: list[str] = []

    def pieces(self: Files, path: str) -> Any:
        seen.append(path)
        return iter([b"five!"]) if seen.count(path) > 1 else original(self, path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Files, "_pieces", pieces)
        assert read(made).nodes[0].representations[0].matched == (None,)


@given(st.binary(max_size=400), st.integers(0, 2_000), st.integers(0, 255))
def test_no_archive_raises(tail: bytes, place: int, byte: int) -> None:
    """Whatever bytes come: cut, changed or made up, reading returns."""
    whole = bytearray(archive({**MADE, "media/z.bin": b"z" * 50}))
    whole[place % len(whole)] = byte
    for data in (bytes(whole), bytes(whole[:place]) + tail, tail):
        found = read(data)
        assert found.valid == (found.valid and found.digest is not None)
