"""Whether what a node quotes stands in the file that it names: the source's text made plain by its kind, then matched.

The rules of making plain are those of the 0.4-era contract, so that every Reader comes to the same. Found says that
the words are in the file, and nothing of whether the node's claim is true. Everything here is linear in the source.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_KINDS: Final = {
    ".txt": "text", ".text": "text", ".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html",
    ".vtt": "webvtt",
}  # fmt: skip
_MEDIA_FRAGMENTS: Final = re.compile(r"https?://www\.w3\.org/TR/media-frags/?")
_ENTITIES: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "nbsp": "\u00a0"}
# A character reference: its runs stop at a semicolon or what is of no class, and none holds an ampersand. Linear.
_REFERENCE: Final = re.compile(r"&(#[xX][0-9a-fA-F]{1,12}|#[0-9]{1,12}|[A-Za-z]{2,4});")
_HEADING: Final = re.compile(r"\s*+#{1,6}\s++")
_LIST: Final = re.compile(r"\s*+(?:[-*+]|[0-9]++[.)])\s++")
_MARKS: Final = str.maketrans("", "", "*_`")
_SILENT: Final = re.compile(r"<(script|style)\b", re.IGNORECASE)
_ENDS: Final = {
    name: re.compile(rf"</{name}\s*+>", re.IGNORECASE) for name in ("script", "style")
}  # possessive runs: linear
# A tag, in a text that ends with the last bracket that closes one: every opening one finds its end. Linear.
_TAG: Final = re.compile(r"<[^>]*+>")
_CLOCK: Final = re.compile(r"(?:([0-9]{1,9}):)?([0-9]{1,2}):([0-9]{2}(?:\.[0-9]{1,9})?)")
_SECONDS: Final = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?")
_RANGE: Final = re.compile(r"(?:^|&)t=(?:npt:)?([^,&]*+)(?:,([^&]*+))?")
_BLANK: Final = re.compile(r"\n{2,}")
_SURROGATES: Final = range(0xD800, 0xE000)
_LAST: Final = 0x10FFFF


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue of WebVTT: from when to when, in seconds, and its text without tags."""

    start: float
    end: float
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A source made plain: its text, and its cues where it is WebVTT."""

    kind: str
    text: str
    cues: tuple[Cue, ...] = ()


def kind_of(path: str) -> str | None:
    """Return the kind of a source by its name: `text`, `markdown`, `html`, `webvtt`; None for one that is unchecked."""
    dot = path.rfind(".")
    return _KINDS.get(path[dot:].lower()) if dot >= 0 else None


def plain(raw: str, kind: str) -> Source:
    """Return a source of that kind made plain."""
    if kind == "markdown":
        return Source(kind, _markdown(raw))
    if kind == "html":
        return Source(kind, _html(raw))
    if kind == "webvtt":
        cues = tuple(_cues(raw))
        return Source(kind, "\n".join(cue.text for cue in cues), cues)
    return Source(kind, raw)


def can_match(selector: Mapping[str, Any], kind: str) -> bool:
    """Say whether a selector is one that is looked for in a source of that kind."""
    which = selector.get("type")
    if which == "FragmentSelector":
        conforms = selector.get("conformsTo")
        return (
            kind == "webvtt"
            and isinstance(conforms, str)
            and _MEDIA_FRAGMENTS.fullmatch(conforms) is not None
        )
    return which in ("TextQuoteSelector", "TextPositionSelector")


def matches(selector: Mapping[str, Any], source: Source) -> bool:
    """Say whether a selector that can match is met: words, positions in code points, or a time.

    Case and white space are taken as they are; one that breaks its own form is never met.
    """
    which = selector["type"]
    if which == "TextQuoteSelector":
        exact = selector.get("exact")
        if not isinstance(exact, str) or not exact:
            return False
        around = (selector.get("prefix", ""), selector.get("suffix", ""))
        before, after = (one if isinstance(one, str) else "" for one in around)
        return before + exact + after in source.text
    if which == "TextPositionSelector":
        start, end = selector.get("start"), selector.get("end")
        if type(start) is not int or type(end) is not int:
            return False
        return 0 <= start <= end <= len(source.text)
    return _meets_time(selector.get("value"), source)


def _meets_time(value: object, source: Source) -> bool:
    found = _RANGE.search(value) if isinstance(value, str) else None
    if found is None:
        return False
    start = 0.0 if not found[1] else _seconds(found[1])
    end = inf if found[2] is None else _seconds(found[2])
    if start is None or end is None or end < start:
        return False
    return any(start < cue.end and end > cue.start for cue in source.cues)


def _seconds(written: str) -> float | None:
    text = written.strip()
    found = _CLOCK.fullmatch(text)
    if found is not None:
        return int(found[1] or 0) * 3600 + int(found[2]) * 60 + float(found[3])
    return float(text) if _SECONDS.fullmatch(text) is not None else None


def _markdown(raw: str) -> str:
    return "\n".join(_without_marks(_unlinked(raw))).translate(_MARKS)


def _without_marks(text: str) -> Iterator[str]:
    """Yield the lines of a text, each with its marks at the beginning taken away."""
    for line in text.split("\n"):
        heading = _HEADING.match(line)
        rest = line[heading.end() :] if heading is not None else line
        item = _LIST.match(rest)
        yield rest[item.end() :] if item is not None else rest


def _unlinked(raw: str) -> str:
    """Return Markdown with each link and picture reduced to its label.

    A label begins at the first open bracket behind the bracket that was closed last, as a search from the left finds.
    """
    pieces: list[str] = []
    done, closed = 0, -1
    at = raw.find("]")
    while at >= 0:
        if at >= done and raw.startswith("(", at + 1):
            begin = raw.find("[", max(done, closed + 1), at)
            if begin >= 0:
                end = raw.find(")", at + 2)
                if end < 0:
                    break
                picture = begin > done and raw[begin - 1] == "!"
                pieces += (raw[done : begin - picture], raw[begin + 1 : at])
                done = end + 1
        closed = at
        at = raw.find("]", at + 1)
    return "".join((*pieces, raw[done:]))


def _html(raw: str) -> str:
    return _decoded(_untagged("".join(_spoken(raw))))


def _spoken(raw: str) -> Iterator[str]:
    """Yield what of HTML stands in no script and no style sheet; one that is not closed is none."""
    done = 0
    unclosed: set[str] = set()
    for opened in _SILENT.finditer(raw):
        name = opened[1].lower()
        if opened.start() < done or name in unclosed:
            continue
        begin = raw.find(">", opened.end())
        if begin < 0:
            break
        closed = _ENDS[name].search(raw, begin + 1)
        if closed is None:
            unclosed.add(name)
            continue
        yield raw[done : opened.start()]
        done = closed.end()
    yield raw[done:]


def _untagged(text: str) -> str:
    last = text.rfind(">") + 1
    return _TAG.sub("", text[:last]) + text[last:]


def _decoded(text: str) -> str:
    return _REFERENCE.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    name = found[1]
    if name[0] != "#":
        return _ENTITIES.get(name.lower(), found[0])
    code = int(name[1:]) if name[1].isdecimal() else int(f"0{name[1:]}", 0)
    return found[0] if code > _LAST or code in _SURROGATES else chr(code)


def _cues(raw: str) -> Iterator[Cue]:
    """Yield the cues of WebVTT: of each block behind the header, its times and the lines behind them."""
    blocks = _BLANK.split(raw.replace("\r\n", "\n").replace("\r", "\n"))
    for block in blocks[1:]:
        lines = block.split("\n")
        at = next((place for place, line in enumerate(lines) if "-->" in line), None)
        if at is None:
            continue
        first, _, rest = lines[at].partition("-->")
        start, end = _seconds(first), _seconds((rest.split() or [""])[0])
        if start is not None and end is not None and isfinite(start) and isfinite(end):
            yield Cue(start, end, "\n".join(_decoded(_untagged(line)) for line in lines[at + 1 :]))
