"""What users of other systems complained of: places that only PDF has. One test a complaint, named after it."""

from __future__ import annotations

import pytest

from pincite.core.limits import DEFAULT
from pincite.reading import chunk
from pincite.reading.reader import media_type_of, reader_for

DOCUMENT = "8d1f6a52-2c1b-4c1e-9a44-0f5d3a9f6b11"


@pytest.mark.parametrize(
    ("name", "data", "place"),
    [
        ("a.md", b"# Scope\n\nSome words.", "lines 1-3, Scope"),
        ("a.txt", b"Some words.", "line 1"),
        ("a.csv", b"Pump,Built\nNo. 1,1800\nNo. 2,1801\nNo. 3,1802\n", "A1:B4"),
        ("a.vtt", b"WEBVTT\n\n00:00:01.000 --> 00:00:04.000\nSome words.\n", "0:01-0:04"),
        ("a.html", b"<html><body><h1>Scope</h1><p>Some words.</p></body></html>", "Scope"),
    ],
)
def test_ragflow_500_and_7754_each_format_has_an_honest_anchor(name: str, data: bytes, place: str) -> None:
    """Without pages there is none, nor a box: what the format itself knows is said instead."""
    document = reader_for(media_type_of(name, data)).read(data, name=name, limits=DEFAULT)
    (passage,) = chunk(document, DOCUMENT)
    assert passage.boxes == ()
    assert passage.locator.page is None
    assert place in passage.locator.describe()
