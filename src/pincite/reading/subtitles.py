"""Subtitles (SRT, WebVTT) -> Document: what is said, cue by cue, with its times."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, NamedTuple

from pincite.core.errors import DamagedError
from pincite.core.locators import Locator
from pincite.core.text import one_line
from pincite.reading._decoding import decode
from pincite.reading._prose import check_bytes, made
from pincite.reading._regions import Regions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.document import Document
    from pincite.core.limits import Limits

# The line that times a cue: hours are optional, the parts of a second stand behind a comma or a dot. Bounded runs.
_CLOCK = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[,.](\d{1,3})"
_TIMING = re.compile(rf"[^\S\n]{{0,9}}{_CLOCK}[^\S\n]{{0,9}}-->[^\S\n]{{0,9}}{_CLOCK}(?:\s|\Z)")
# Who speaks, as WebVTT says it: linear, one run that stops at the next angle bracket.
_VOICE = re.compile(r"<v(?:\.[^<>\s]*+)?+\s++([^<>]++)>")
# What dresses the words: tags of both formats, times inside a cue, positions of other programs. Runs that stop at the
# next bracket: linear.
_DRESS = re.compile(r"</?(?:[a-zA-Z][^<>]*+|\d[\d:.]*+)?>|\{\\[^{}]*+\}|\{[yYcCfFsS]:[^{}]*+\}")
# A number that stands alone: the name of a cue. One run.
_NUMBER = re.compile(r"\s*+\d++\s*+")
_HEADER = "WEBVTT"
# The beginning of a block that is no cue (WebVTT, 4.1): linear.
_NO_CUES = re.compile(r"NOTE(?=[ \t\n]|\Z)|(?:STYLE|REGION)[ \t]{0,9}(?=\n|\Z)")
_TIMING_LINE = "-->"
_PAUSE = 3.0
"""Seconds of silence behind which a new paragraph begins."""
_ROLLING = 0.1
"""Seconds within which a cue follows another whose last line it repeats: lines that roll up, shown twice."""


class _Cue(NamedTuple):
    start: float
    end: float
    lines: list[str]


class SubtitleReader:
    """Reads SRT and WebVTT: the words as a viewer sees them, without tags and positions, in the order of time."""

    name = "subtitles"
    version = "1"
    media_types = ("text/vtt",)
    suffixes = (".vtt", ".srt")

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`: one line for each line of a cue, a blank one where nobody speaks for long.

        Its regions have `time` and `time_end`. Who speaks stands before the words, where the file says it.

        Raises:
            TooLargeError: the file or its text is over a limit.
            DamagedError: it holds binary data, or no cue with a time.
            EmptyError: nothing in it is said.
        """
        check_bytes(data, name=name, limits=limits)
        source = decode(data, name=name)
        is_vtt = source.startswith(_HEADER)
        cues = list(_cues(source, is_vtt=is_vtt))
        if not cues:
            msg = f"{one_line(name, 120)} holds no cue with a time, so it is no subtitle file."
            raise DamagedError(msg)
        # Cues may overlap and stand in any order in the file; a viewer sees them by time.
        cues.sort(key=lambda cue: cue.start)
        parts: list[str] = []
        regions = Regions(_together)
        length, ended, before = 0, 0.0, ""
        for cue in cues:
            lines = [words for line in cue.lines if (words := _words(line))]
            if len(lines) > 1 and lines[0] == before and abs(cue.start - ended) <= _ROLLING:
                lines = lines[1:]
            if not lines:
                continue
            if parts:
                gap = "\n\n" if cue.start - ended >= _PAUSE else "\n"
                parts.append(gap)
                length += len(gap)
            regions.add(length, (cue.start, cue.end))
            said = "\n".join(lines)
            parts.append(said)
            length += len(said)
            ended, before = max(ended, cue.end), lines[-1]
        title = source[len(_HEADER) : source.find("\n")].strip(" \t-–") if is_vtt else None
        return made(
            "".join(parts),
            name=name,
            title=title,
            media_type="text/vtt" if is_vtt else "application/x-subrip",
            reader=f"{self.name}/{self.version}",
            limits=limits,
            line_numbers=(),
            regions=regions.regions(length, lambda span: Locator(time=span[0], time_end=span[1])),
        )


def _cues(source: str, *, is_vtt: bool) -> Iterator[_Cue]:
    """Yield the cues in the order of the file.

    Lines that follow a blank one without a time of their own belong to the cue before in SRT, where blank lines inside
    of cues are a common fault.
    """
    cue: _Cue | None = None
    for block in source.split("\n\n"):
        if is_vtt and _NO_CUES.match(block.lstrip("\n")) and _TIMING_LINE not in block:
            continue
        lines = block.split("\n")
        timed = [place for place, line in enumerate(lines) if "-->" in line and _TIMING.match(line)]
        before = lines[: timed[0]] if timed else lines
        if cue is not None and not is_vtt:
            cue.lines.extend(line for line in before if not _NUMBER.fullmatch(line))
        for place, after in zip(timed, [*timed, len(lines)][1:], strict=True):
            if cue is not None:
                yield cue
            start, end = _times(lines[place])
            # Without a blank line between two cues, the number of the second stands behind the words of the first.
            told = lines[place + 1 : after]
            if after < len(lines) and told and _NUMBER.fullmatch(told[-1]):
                del told[-1]
            cue = _Cue(start, max(start, end), told)
    if cue is not None:
        yield cue


def _together(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return one[0], max(one[1], other[1])


def _times(line: str) -> tuple[float, float]:
    found = _TIMING.match(line)
    parts = found.groups() if found is not None else ()
    return _seconds(*parts[:4]), _seconds(*parts[4:])


def _seconds(hours: str | None, minutes: str, seconds: str, parts: str) -> float:
    return round(int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds) + int(parts) / 10 ** len(parts), 3)


def _words(line: str) -> str:
    """Return a line as a viewer reads it."""
    voice = _VOICE.search(line)
    said = " ".join(html.unescape(_DRESS.sub("", line)).split())
    return f"{' '.join(voice[1].split())}: {said}" if voice is not None and said else said
