"""Marked copies are written in the guarded worker, and what goes wrong there is a typed error here."""

from __future__ import annotations

import hashlib
import io
from typing import TYPE_CHECKING, Any

import pikepdf
import pytest

from pincite.core.errors import DamagedError, EncryptedError, InputError, UnsupportedError
from pincite.core.geometry import Box
from pincite.core.protocols import SourceFile
from pincite.reading import Mark

if TYPE_CHECKING:
    from pathlib import Path

    from pincite.reading import ReadingPool

MARK = Mark(2, (Box(1, 0.1, 0.1, 0.5, 0.2),), "wörd", "Title")


def kept(folder: Path, data: bytes, media_type: str = "application/pdf") -> SourceFile:
    """Return `data` as a stored version."""
    path = folder / "kept"
    path.write_bytes(data)
    return SourceFile(path, media_type, hashlib.sha256(data).hexdigest())


def test_a_copy_comes_from_the_worker(pool: ReadingPool, make_pdf: Any, tmp_path: Path) -> None:
    """Number, words, title and place go there and come back in the copy; the page can be drawn afterwards."""
    source = kept(tmp_path, make_pdf(("", "/MediaBox [0 0 300 200]")))
    with pikepdf.open(io.BytesIO(pool.annotate(source, [MARK]))) as pdf:
        (note,) = list(pdf.pages[0].obj["/Annots"])
        assert (str(note.Contents), str(note.T)) == ("[2] wörd", "Title")
        assert [float(value) for value in note.QuadPoints][:4] == pytest.approx([30, 180, 150, 180], abs=0.01)
    assert pool.render(source, 1, dpi=72).width == 300


def test_faults_keep_their_kind(pool: ReadingPool, make_pdf: Any, tmp_path: Path) -> None:
    """A missing page, a lock, damage, and a document without pages: each its own error."""
    data = make_pdf(("", "/MediaBox [0 0 300 200]"))
    with pytest.raises(InputError) as caught:
        pool.annotate(kept(tmp_path, data), [Mark(1, (Box(7, 0, 0, 1, 1),))])
    assert caught.value.field == "marks"
    assert "no page 7" in caught.value.message
    with pytest.raises(InputError):
        pool.annotate(kept(tmp_path, data), [])
    with pikepdf.open(io.BytesIO(data)) as pdf:
        locked = io.BytesIO()
        pdf.save(locked, encryption=pikepdf.Encryption(owner="a", user="b"))
    with pytest.raises(EncryptedError):
        pool.annotate(kept(tmp_path, locked.getvalue()), [MARK])
    with pytest.raises(DamagedError):
        pool.annotate(kept(tmp_path, b"%PDF-1.7 nothing"), [MARK])
    with pytest.raises(UnsupportedError):
        pool.annotate(kept(tmp_path, b"# Title", "text/markdown"), [MARK])


def test_a_file_that_is_gone_is_no_crash(pool: ReadingPool, make_pdf: Any, tmp_path: Path) -> None:
    """Deleted between the question and the copy."""
    source = kept(tmp_path, make_pdf(("", "/MediaBox [0 0 301 200]")))
    source.path.unlink()
    with pytest.raises(DamagedError):
        pool.annotate(source, [MARK])


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -float("inf"), "a", None])
def test_a_box_that_is_no_place_is_bad_input(
    pool: ReadingPool, make_pdf: Any, tmp_path: Path, odd: Any
) -> None:
    """It is told before anything is sent to a worker, and the field is named."""
    source = kept(tmp_path, make_pdf(("", "/MediaBox [0 0 300 200]")))
    for box in (Box(1, 0.1, odd, 0.5, 0.2), Box(odd, 0.1, 0.1, 0.5, 0.2)):
        with pytest.raises(InputError, match="no numbers") as caught:
            pool.annotate(source, [Mark(1, (box,))])
        assert caught.value.field == "marks"


def test_half_of_a_character_in_a_mark_does_no_harm(pool: ReadingPool, make_pdf: Any, tmp_path: Path) -> None:
    """It becomes the sign for what cannot be written."""
    source = kept(tmp_path, make_pdf(("", "/MediaBox [0 0 300 200]")))
    with pikepdf.open(io.BytesIO(pool.annotate(source, [Mark(1, MARK.boxes, "a\ud800", "\udfff")]))) as pdf:
        (note,) = list(pdf.pages[0].obj["/Annots"])
        assert str(note.Contents) == "[1] a\ufffd"
