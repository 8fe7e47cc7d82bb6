"""The pictures of docs/ show what the code says: they are made again here, but for the pixels of pages."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"


def _tool() -> Any:
    spec = importlib.util.spec_from_file_location("make_pictures", ROOT / "tools" / "make_pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TOOL = _tool()
SHOWN: list[dict[str, Any]] = json.loads(TOOL.SHOWN.read_text(encoding="utf-8"))


def _tree(drawn: str) -> ET.Element:
    return ET.fromstring(drawn)  # noqa: S314 - it was drawn here


def test_the_fields_are_those_of_the_code() -> None:
    """Each document, read and searched again, has the place, section, snippet and lit words of its picture."""
    has_ocr = importlib.util.find_spec("rapidocr") is not None
    wanted = [told for told in SHOWN if has_ocr or told["format"] != "Scan"]
    assert TOOL.shown(ocr=has_ocr) == wanted


@pytest.mark.parametrize("told", SHOWN, ids=[told["format"] for told in SHOWN])
def test_a_card_is_drawn_from_its_fields(told: dict[str, Any]) -> None:
    """The file is what the tool draws, its words are the fields', and the lit ones stand on as many tints as lines."""
    if told["has_image"]:
        return
    path = IMAGES / "formats" / TOOL.picture_of(told)
    drawn = path.read_text(encoding="utf-8")
    assert drawn == TOOL.card(told)
    words = " ".join("".join(_tree(drawn).itertext()).split())
    for name in ("title", "place", "section"):
        assert (told[name] or "") in words
    tints = drawn.count(f'fill="{TOOL.TINT}"')
    assert 1 <= tints <= 3
    assert told["words"] in told["snippet"]


@pytest.mark.parametrize("told", SHOWN, ids=[told["format"] for told in SHOWN])
def test_the_page_shows_each_with_its_place(told: dict[str, Any]) -> None:
    """docs/formats.md has the picture, and its place and words for those who do not see it."""
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert TOOL.line_of(told) in page.split("\n")


@pytest.mark.parametrize("path", sorted(IMAGES.rglob("*.*")), ids=lambda path: path.name)
def test_pictures_are_small(path: Path) -> None:
    """80 kB at most; images of pages have a palette, and what is no picture is what the cards are made of."""
    assert path.stat().st_size <= TOOL.MOST
    if path.suffix == ".png":
        with Image.open(path) as image:
            assert image.mode == "P"
    else:
        assert path.suffix == ".svg" or path == TOOL.SHOWN


def test_what_a_document_says_is_text_in_a_card() -> None:
    """Titles and snippets are from elsewhere: nothing of them is an element, and all is there."""
    hostile = '<script>alert("1")</script> & <image href="https://evil.example/"/>'
    told = {**SHOWN[2], "title": hostile, "snippet": f"{hostile} word", "words": "word", "place": hostile}
    tree = _tree(TOOL.card(told))
    assert {one.tag.rpartition("}")[2] for one in tree.iter()} == {"svg", "title", "rect", "text"}
    assert [one.text for one in tree.iter() if one.text == hostile] == [hostile] * 3


def test_every_word_has_room() -> None:
    """No line of a card is wider than the card, and a word without spaces is cut over several."""
    lines = TOOL._wrapped(f"{'W' * 200} some words", 300, 15)
    text = f"{'W' * 200} some words"
    assert all(TOOL._width(text[start:end], 15) <= 300 for start, end in lines)
    assert "".join(text[start:end] for start, end in lines).replace(" ", "") == text.replace(" ", "")
