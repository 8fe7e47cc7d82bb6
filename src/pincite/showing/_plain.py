"""An answer as plain text: no marks of Markdown, numbers in brackets, and the sources below."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from pincite.core.text import one_line
from pincite.showing._markup import parsed, pieces
from pincite.showing._works import described

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pincite.showing._markup import Block
    from pincite.showing._sources import RenderedPassage
    from pincite.showing._works import Work

# Code points of a passage's words in the list, and of where it stands.
_QUOTE, _PLACE = 160, 400
_RULE = "-" * 40


def text_of(text: str, works: Sequence[Work], title: str) -> str:
    """Return an answer and its sources; `text` is Markdown as rendering wrote it, `title` one line, or nothing."""
    blocks = [isolated(title)] if title else []
    blocks += _blocks(parsed(text))
    if works:
        blocks.append("Sources")
        blocks += ["\n".join(_source(work)) for work in works]
    return "\n\n".join(blocks) + "\n"


def _blocks(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if block.kind == "code":
            yield _indented(block.text, "    ")
        elif block.kind == "rule":
            yield _RULE
        elif block.kind == "table":
            yield "\n".join(" | ".join(map(_line, row)) for row in block.rows)
        elif block.kind == "quote":
            yield _indented("\n\n".join(_blocks(block.blocks)), "> ")
        elif block.kind in ("bullets", "numbers"):
            yield "\n".join(_items(block))
        else:
            yield _line(block.text)


def _items(block: Block) -> Iterator[str]:
    for place, item in enumerate(block.blocks):
        mark = "- " if block.kind == "bullets" else f"{block.level + place}. "
        # An item's own blocks stand close together, as a list's items do.
        words = "\n".join(_blocks(item.blocks))
        yield mark + _indented(words, " " * len(mark)).lstrip(" ")


def _indented(text: str, by: str) -> str:
    return "\n".join(f"{by}{line}".rstrip() for line in text.split("\n"))


def line_of(text: str) -> str:
    """Return a stretch of Markdown as one line of its words."""
    return " ".join(_line(text).split())


def _line(text: str) -> str:
    written: list[str] = []
    for what, said in pieces(text):
        if what == "number":
            written.append(f"[{said}]")
        elif what in ("text", "code", "break"):
            written.append(said)
    return "".join(written)


def _source(work: Work) -> Iterator[str]:
    source = work.source
    yield f"[{source.number}] {isolated(source.title)}" + (f" ({work.state})" if work.state else "")
    below = [described(work.bibliography), source.home, *dict.fromkeys(map(_place, source.passages))]
    for line in filter(None, below):
        yield f"    {isolated(line)}"
    for address in dict.fromkeys(filter(None, (work.doi_link, source.url))):
        yield f"    {address}"


def _place(passage: RenderedPassage) -> str:
    where, words = one_line(passage.locator.describe(), _PLACE), one_line(passage.excerpt, _QUOTE)
    return ": ".join(filter(None, (where, f"“{words}”" if words else "")))


def isolated(text: str) -> str:
    """Return a line of somebody else's so that letters that run from right to left turn nothing around it."""
    if text.isascii() or not any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in text):
        return text
    return f"\u2068{text}\u2069"
