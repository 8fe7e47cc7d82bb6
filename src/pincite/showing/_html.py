"""An answer as HTML: tags of ours around text that is escaped. It runs nothing, loads nothing, and links only the web.

Numbers jump to the list of sources, and each source jumps back to its numbers.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections import Counter
from typing import TYPE_CHECKING

from pincite.core.text import one_line
from pincite.core.urls import safe_link
from pincite.showing._markup import parsed, pieces
from pincite.showing._works import described

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.showing._markup import Block
    from pincite.showing._sources import RenderedPassage
    from pincite.showing._works import Work

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; }
a { color: LinkText; }
a.number { font-size: .8em; text-decoration: none; white-space: nowrap; vertical-align: .25em; line-height: 0; }
a.number:hover, a.number:focus { text-decoration: underline; }
table { border-collapse: collapse; } th, td { border: 1px solid; padding: .25rem .6rem; text-align: start; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid; } blockquote { border-inline-start: 3px solid;
  margin-inline: 0; padding-inline-start: 1rem; }
section.sources { border-top: 1px solid; margin-top: 2.5rem; }
section.sources > ol { list-style: none; padding: 0; }
section.sources > ol > li { display: grid; grid-template-columns: 2.75rem 1fr; padding: .4rem 0; }
section.sources li > div { min-width: 0; overflow-wrap: anywhere; }
section.sources ul { margin: .2rem 0; padding-inline-start: 1.1rem; font-size: .92em; }
.about { font-size: .92em; } .state { font-style: italic; }
:target { outline: 2px solid Highlight; outline-offset: 3px; }
@media print { body { max-width: none; margin: 0; } .back { display: none; } }
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_HEAD = (
    "<!doctype html>\n<html>\n<head>\n"
    '<meta charset="utf-8">\n'
    f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; "
    "base-uri 'none'; form-action 'none'\">\n"
    '<meta name="referrer" content="no-referrer">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    f"<title>%s</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
)
_TAGS = {"quote": "blockquote", "bullets": "ul", "numbers": "ol", "item": "li"}
# Code points of a passage's words in the list, and of where it stands.
_QUOTE, _PLACE = 160, 400


def page_of(text: str, works: Sequence[Work], title: str) -> str:
    """Return a whole page; `text` is Markdown as rendering wrote it, `title` one line, or nothing."""
    head = f"<h1>{_isolated(title)}</h1>\n" if title else ""
    body = fragment_of(text, works)
    return f"{_HEAD % html.escape(title or 'Answer')}<main>\n{head}{body}</main>\n</body>\n</html>\n"


def fragment_of(text: str, works: Sequence[Work]) -> str:
    """Return the answer and its list of sources, to stand in a page of somebody else's."""
    blocks = parsed(text)
    outermost = min((block.level for block in blocks if block.kind == "heading"), default=1)
    writer = _Writer({work.source.number for work in works}, outermost)
    answer = writer.blocks(blocks)
    return f'<div class="answer">\n{answer}</div>\n{writer.sources(works)}'


class _Writer:
    """Writes blocks, and counts where each number stands, so that its source can lead back there."""

    __slots__ = ("_numbers", "_outermost", "_seen")

    def __init__(self, numbers: set[int], outermost: int) -> None:
        self._numbers = numbers
        self._outermost = outermost
        self._seen: Counter[int] = Counter()

    def blocks(self, blocks: Sequence[Block]) -> str:
        """Return blocks one after the other."""
        return "".join(map(self._block, blocks))

    def _block(self, block: Block) -> str:
        if block.kind == "paragraph":
            return f'<p dir="auto">{self._line(block.text)}</p>\n'
        if block.kind == "heading":
            # The title of the page is the one heading of the first level; those of the answer begin below it.
            level = min(max(block.level - self._outermost, 0) + 2, 6)
            return f'<h{level} dir="auto">{self._line(block.text)}</h{level}>\n'
        if block.kind == "code":
            return f"<pre><code>{_escaped(block.text)}</code></pre>\n"
        if block.kind == "rule":
            return "<hr>\n"
        if block.kind == "table":
            return self._table(block)
        tag = _TAGS[block.kind]
        start = f' start="{block.level}"' if block.kind == "numbers" and block.level != 1 else ""
        return f"<{tag}{start}>{self._inside(block)}</{tag}>\n"

    def _inside(self, block: Block) -> str:
        first = block.blocks[:1]
        if block.kind == "item" and first and first[0].kind == "paragraph":
            return self._line(first[0].text) + self.blocks(block.blocks[1:])
        return "\n" + self.blocks(block.blocks)

    def _table(self, block: Block) -> str:
        head, *rows = block.rows
        lines = ["".join(f'<th dir="auto">{self._line(cell)}</th>' for cell in head)]
        lines += ["".join(f'<td dir="auto">{self._line(cell)}</td>' for cell in row) for row in rows]
        return "<table>\n" + "".join(f"<tr>{line}</tr>\n" for line in lines) + "</table>\n"

    def _line(self, text: str) -> str:
        return "".join(self._pieces(text))

    def _pieces(self, text: str) -> list[str]:
        written: list[str] = []
        # Whether the link that is open is one; else its words stand alone.
        linked = False
        for what, said in pieces(text):
            if what == "text":
                written.append(_escaped(said))
            elif what == "number":
                written.append(self._number(said, linked=linked))
            elif what == "code":
                written.append(f"<code>{_escaped(said)}</code>")
            elif what == "break":
                written.append("<br>\n")
            elif what == "link":
                url = safe_link(said)
                linked = url is not None
                written.append(_opened(url) if url is not None else "")
            elif what == "/link":
                written.append("</a>" if linked else "")
                linked = False
            else:
                written.append(f"<{what}>")
        return written

    def _number(self, label: str, *, linked: bool) -> str:
        number = int(label)
        if linked or number not in self._numbers:
            return f"[{label}]"
        self._seen[number] += 1
        place = f"cite-{number}-{self._seen[number]}"
        return f'<a class="number" id="{place}" href="#source-{number}">[{number}]</a>'

    def sources(self, works: Sequence[Work]) -> str:
        """Return the list of sources; nothing where there are none."""
        if not works:
            return ""
        items = "".join(map(self._source, works))
        return f'<section class="sources">\n<h2>Sources</h2>\n<ol>\n{items}</ol>\n</section>\n'

    def _source(self, work: Work) -> str:
        source = work.source
        title = _isolated(source.title)
        lines = [f"{_opened(source.link)}{title}</a>" if source.link is not None else title]
        if work.state:
            lines[0] += f' <span class="state">({work.state})</span>'
        lines[0] += self._back(source.number)
        if about := described(work.bibliography):
            lines.append(f'<div class="about">{_isolated(about)}</div>')
        if work.doi_link is not None:
            doi = html.escape(work.bibliography.doi)
            lines.append(f'<div class="about">{_opened(work.doi_link)}doi:{doi}</a></div>')
        if source.home:
            lines.append(f'<div class="about">{_isolated(source.home)}</div>')
        places = dict.fromkeys(place for passage in source.passages if (place := _place(passage)))
        if places:
            lines.append("<ul>" + "".join(f"<li>{place}</li>" for place in places) + "</ul>")
        inside = "\n".join(lines)
        return f'<li id="source-{source.number}"><span>[{source.number}]</span><div>{inside}</div></li>\n'

    def _back(self, number: int) -> str:
        links = [
            f'<a href="#cite-{number}-{place}" aria-label="Back to mention {place} of source {number}">↩</a>'
            for place in range(1, self._seen[number] + 1)
        ]
        return f' <span class="back">{" ".join(links)}</span>' if links else ""


def _place(passage: RenderedPassage) -> str:
    where = one_line(passage.locator.describe(), _PLACE)
    words = one_line(passage.excerpt, _QUOTE)
    parts = [_isolated(where)] if where else []
    parts += [f"<q><bdi>{_escaped(words)}</bdi></q>"] if words else []
    return ": ".join(parts)


def _opened(url: str) -> str:
    """Return the tag that opens a link to an address that is safe."""
    return f'<a href="{html.escape(url)}" rel="noopener noreferrer">'


def _isolated(text: str) -> str:
    """Return a line of somebody else's, whose direction turns nothing around it."""
    return f"<bdi>{_escaped(text)}</bdi>"


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)
