"""Subtitles are read cue by cue, with their times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import DamagedError, EmptyError, ReadingError, TooLargeError
from pincite.core.limits import DEFAULT
from pincite.reading.chunking import chunk
from pincite.reading.subtitles import SubtitleReader

if TYPE_CHECKING:
    from pincite.core.document import Document

SRT = """1
00:00:01,000 --> 00:00:04,000
<i>Hello</i> there.
{\\an8}General <font color="red">K</font>!

2
00:00:04,500 --> 00:00:06,250 X1:100 X2:200
5 < 6 & R&amp;D

3
01:00:10,000 --> 01:00:12,000
Much later.
"""


def read(source: str, name: str = "talk.srt") -> Document:
    """Return the document of some subtitles."""
    return SubtitleReader().read(source.encode(), name=name, limits=DEFAULT)


def times(document: Document) -> list[tuple[str, float | None, float | None]]:
    """Return the words of each region with its times."""
    return [
        (document.text[one.start : one.end].strip(), one.locator.time, one.locator.time_end)
        for one in document.regions
    ]


def test_srt() -> None:
    """Words stand without tags and positions; a long silence is a paragraph's end."""
    document = read(SRT)
    assert document.text == "Hello there.\nGeneral K!\n5 < 6 & R&D\n\nMuch later."
    assert (document.media_type, document.title) == ("application/x-subrip", "talk")
    assert times(document) == [
        ("Hello there.\nGeneral K!", 1.0, 4.0),
        ("5 < 6 & R&D", 4.5, 6.25),
        ("Much later.", 3610.0, 3612.0),
    ]


def test_simplechat_53_a_passage_opens_at_its_moment() -> None:
    """microsoft/simplechat#53: a citation of a recording says when the words are said."""
    (passage,) = chunk(read(SRT), "00000000-0000-0000-0000-000000000000")
    assert (passage.locator.time, passage.locator.time_end) == (1.0, 3612.0)
    assert passage.locator.describe() == "0:01-1:00:12"


def test_vtt() -> None:
    """Notes, styles and names of cues are no words; who speaks is; hours may be left out."""
    document = read(
        "WEBVTT - The talk\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE\nnobody says this\n\n"
        "REGION\nid:fred\n\nintro\n00:01.000 --> 00:02.500 align:start position:0%\n"
        "<v Roger Bingham>We are &amp; were</v> <c.loud>here</c><00:00:01.500>.\n\n"
        "02:00:00.000 --> 02:00:01.000\n<v.x Ann>Yes.\n",
        "a.vtt",
    )
    assert document.text == "Roger Bingham: We are & were here.\n\nAnn: Yes."
    assert (document.title, document.media_type) == ("The talk", "text/vtt")
    assert times(document)[1][1:] == (7200.0, 7201.0)


def test_cues_in_any_order() -> None:
    """Cues stand by time, whatever their order in the file; one that ends before it begins ends there."""
    document = read(
        "1\n00:00:05,000 --> 00:00:09,000\nsecond\n\n2\n00:00:01,000 --> 00:00:08,000\nfirst\n\n"
        "3\n00:00:06,000 --> 00:00:02,000\nthird\n"
    )
    assert times(document) == [("first", 1.0, 8.0), ("second", 5.0, 9.0), ("third", 6.0, 6.0)]


def test_videorag_71_no_time_is_made_up() -> None:
    """HKUDS/VideoRAG#17: times are those of the cues, never behind the last one's end."""
    document = read("1\n00:03:21,000 --> 00:03:22,000\nThe end.\n")
    assert times(document) == [("The end.", 201.0, 202.0)]


def test_rolling_lines_are_said_once() -> None:
    """Captions that roll up show each line twice; it is said once."""
    document = read(
        "WEBVTT\n\n00:00.000 --> 00:02.000\none two three\n\n00:02.000 --> 00:04.000\none two three\nfour five\n\n"
        "00:04.000 --> 00:06.000\nfour five\nsix\n",
        "a.vtt",
    )
    assert document.text == "one two three\nfour five\nsix"


def test_blank_lines_inside_of_a_cue_and_none_between() -> None:
    """Two common faults of SRT lose no words."""
    document = read(
        "1\n00:00:01,000 --> 00:00:02,000\na\n\nb\n2\n00:00:02,000 --> 00:00:03,000\nc\n3\n"
        "00:00:03,000 --> 00:00:04,000\nd"
    )
    assert [words for words, _, _ in times(document)] == ["a\nb", "c", "d"]


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("", DamagedError),
        ("no subtitles at all", DamagedError),
        ("1\n00:00:01,000 --> 00:00:02,000\n<i></i>\n", EmptyError),
        ("1\n" * 100_000, DamagedError),
        ("00:00:01,000 --> " * 50_000, EmptyError),
        ("1\n00:00:01,000 --> 00:00:02,000\n" + "<a" * 200_000, None),
    ],
)
def test_hostile(source: str, error: type[ReadingError] | None) -> None:
    """What is no subtitle file ends in a sentence."""
    if error is None:
        assert read(source).text
    else:
        with pytest.raises(error, match=r"talk\.srt"):
            read(source)


def test_limits() -> None:
    """A file over a limit is refused."""
    with pytest.raises(TooLargeError):
        SubtitleReader().read(SRT.encode(), name="a.srt", limits=replace(DEFAULT, file_bytes=10))


@given(st.text(st.sampled_from("0123:,.-> \n<>{}\\abWEBVTT"), max_size=300))
def test_anything(source: str) -> None:
    """Any text gives a document whose places are in order, or a typed error."""
    try:
        document = read(source)
    except ReadingError:
        return
    assert all(one.end == two.start for one, two in zip(document.regions, document.regions[1:], strict=False))


def test_a_cue_whose_name_begins_like_a_comment_is_a_cue() -> None:
    """`NOTEBOOK` is no `NOTE`; a comment is, and so is what a style sheet holds."""
    data = (
        b"WEBVTT\n\nNOTE a remark\n\nSTYLE\n::cue { color: red }\n\n"
        b"NOTEBOOK-1\n00:00:01.000 --> 00:00:02.000\nThe words stay.\n\n"
        b"REGIONAL\n00:00:03.000 --> 00:00:04.000\nThese too.\n"
    )
    text = SubtitleReader().read(data, name="a.vtt", limits=DEFAULT).text
    assert "The words stay." in text
    assert "These too." in text
    assert "remark" not in text
    assert "color" not in text
