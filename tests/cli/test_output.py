"""What is printed cannot steer the terminal that shows it."""

from __future__ import annotations

import json

import pytest

from pincite.cli.output import Output, printable

HOSTILE = "a\x1b[31mb\x9b2Jc\u202ed\u2066e\u061cf\U000e0041g\x07"


@pytest.mark.parametrize("character", [*"\x1b\x9b\x07\t\u202e\u2066\u061c\u180e\u200b\U000e0041\U000e0101"])
def test_text_for_people_is_harmless(character: str) -> None:
    """Escape sequences, bidi controls and invisible tags become spaces; line ends stay."""
    assert printable(f"a{character}b\nc") == "a b\nc"


def test_json_is_harmless_and_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """In JSON they are escaped, lone surrogates too, so nothing is lost and everything can be written."""
    value = {HOSTILE: [HOSTILE, "ä漢😀\ud800"]}
    output = Output(as_json=True)
    output.line(value)
    output.data(value)
    printed = capsys.readouterr().out
    assert not set(printed) & set("\x1b\x9b\x07\u202e\u2066\u061c\U000e0041\ud800")
    assert "ä漢😀" in printed
    first, rest = printed.split("\n", 1)
    assert json.loads(first) == value
    assert json.loads(rest) == value
