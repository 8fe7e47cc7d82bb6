"""The model's own list of sources: ours stands in its place, and only ours is called so."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from pincite.core.text import UNSEEN
from pincite.showing._blocks import blocks, in_lines, sure_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

# What a list of sources is called.
_LISTS = """
sources, source, references, reference, bibliography, works cited, cited works, sources cited, cited sources
sources used, sources consulted, references cited, literature cited, documents cited, list of sources, source list
list of references, reference list, sources and references, references and sources
Quellen, Quelle, Quellenangaben, Quellenangabe, Quellenverzeichnis, Quellennachweis, Quellennachweise
Einzelnachweise, Literatur, Literaturverzeichnis, Literaturangaben, Bibliographie, Bibliografie, Referenzen
zitierte Quellen, verwendete Quellen, Quellen und Literatur
références, références bibliographiques, sources citées, ouvrages cités, sources et références
fuentes, fuente, referencias, bibliografía, fuentes citadas, obras citadas, fuentes y referencias
fonti, fonte, riferimenti, riferimenti bibliografici, bibliografia, fonti citate, opere citate
fontes, referências, referências bibliográficas, fontes citadas
bronnen, bron, bronvermelding, bronnenlijst, referenties, literatuur, literatuurlijst
källor, källa, källförteckning, referenser, litteratur, kilder, kilde, kildeliste, referencer, referanser
lähteet, viitteet, źródła, źródło, literatura, zdroje, források, hivatkozások, irodalom, surse, referințe
kaynaklar, kaynakça, πηγές, αναφορές, βιβλιογραφία, источники, источник, список литературы, литература, ссылки
джерела, посилання, література, sumber, referensi, daftar pustaka, nguồn, tài liệu tham khảo
来源, 资料来源, 信息来源, 引用来源, 参考来源, 参考文献, 参考资料, 出处
來源, 資料來源, 引用來源, 參考文獻, 參考資料, 出處
出典, 情報源, 引用元, 引用文献, 参考資料
출처, 참고문헌, 참고 문헌, 참고자료, 참고 자료
المصادر, المراجع, مصادر, مراجع, المصادر والمراجع, מקורות, स्रोत, संदर्भ
"""
# What is called so may hold words of the answer as well, behind a number: no line of it may.
_NOTES = """
citations, citation, notes, note, footnotes, footnote, endnotes, evidence, notes and references, references and notes
Belege, Nachweise, Anmerkungen, Fußnoten, notes de bas de page, notes et références, citas, notas, notas al pie
notas de rodapé, note a piè di pagina, citazioni, citações, citaten, voetnoten, fotnoter, przypisy, сноски, примечания
引用, 引文, 注释, 註釋, 脚注, 인용, 각주
"""
# What ours is called.
_OURS = "sources"
_WORDS = re.compile(r"[^\W_]+")
# Words that a sign may stand for.
_JOINING = frozenset("and und et y".split())


def _name(words: str) -> str:
    """Return what a line calls a section: its words, without `and` and the numbers of chapters and citations."""
    found = _WORDS.findall(unescape(words).casefold())
    return " ".join(word for word in found if not word[0].isdecimal() and word not in _JOINING)


def _first_words() -> str:
    """Return a pattern of the first words of all names, in the letters that people write them in, by first letter."""
    words = {found[0] for name in re.split(r"[,\n]", _LISTS + _NOTES) if (found := _WORDS.findall(name))}
    by_letter: dict[str, set[str]] = {}
    for word in words:
        for written in (word, word.lower(), word.capitalize(), word.upper()):
            by_letter.setdefault(written[0], set()).add(written[1:])
    return "|".join(f"{letter}(?:{'|'.join(sorted(rest))})" for letter, rest in sorted(by_letter.items()))


_CALLED, _CALLED_NOTES = (
    frozenset(_name(one) for one in re.split(r"[,\n]", names)) - {""} for names in (_LISTS, _NOTES)
)
# A short line that may be called so, told by its first word behind marks, pictures and numbers; and a line of a few
# words, of which an entity may be a letter. Each begins with a line feed, for which one can search fast; its runs are
# bounded and possessive.
_FIRST = re.compile(
    r"\n(?=[^\n]{1,80}+(?:\n|\Z))[^\w\n]{0,40}+(?:[0-9]{1,3}[^\w\n]{1,9}+){0,2}+_{0,3}+"
    rf"(?:{_first_words()})(?![^\W_])"
)
_SHORT = re.compile(r"\n[^\w\n]{0,40}+(?:\w{1,40}+[^\w\n]{0,20}+){1,9}+(?=\n|\Z)")
# A line up to its end, with what lists and quotations put in front; the runs are possessive, one class each: linear.
_LINE = re.compile(
    r"(?P<lead>[ \t>]*+(?:(?:[*+\-]|[0-9]{1,9}[.)])[ \t]++[ \t>]*+)*+)(?P<rest>[^\n\r]*+)(?:\r\n?|\n)?"
)
# A heading's marks, and those that may close it. Runs of one class.
_HASHES = re.compile(r"(?P<open>#{1,6})(?:[ \t]++|\Z)(?P<title>.*)")
# The line that makes a heading of the one above: runs of one class.
_UNDERLINE = re.compile(r"[ \t>]*+(?P<marks>=++|-++)[ \t]*+(?:\r\n?|\n|\Z)")
# A line across the page: it ends a section.
_RULE = re.compile(r"(?:[*_\-][ \t]*+){3,}+")
# What may be put around a word without changing it, and numbers behind it: one class, or bounded.
_DRESS = re.compile(rf"[\s*_~`:#\\{UNSEEN}\u00ad]|\[[0-9]{{1,9}}[a-z]{{0,4}}\]")
# How a line of a list of sources begins: a number in brackets, an address, a link. Bounded.
_REFERENCE = re.compile(r"\\?\[\^?[0-9]{1,3}\\?\]|<?https?://|\[[^\[\]\n]{1,200}\]\(")
# These with all that belongs to them. Bounded, or one class.
_WHOLE_REFERENCE = re.compile(
    r"\\?\[\^?[0-9]{1,3}\\?\]|\[[^\[\]\n]{1,200}\]\([^()\s]{1,300}\)|<?https?://[^\s<>]++"
)
# What could get into the way of making words bold: one class.
_DRESSED = re.compile(r"[*_`\\\[]")
# What is taken out of the beginning of a line, so that the same lists and quotations go on in it and none begins.
_MARKERS = re.compile(r"[^\s>]")
# Words that only say where something stands.
_PLACES = frozenset("page pages p pp section sec chapter line lines of version md pdf html txt".split())


class _Head(NamedTuple):
    """A line that may head a list of sources: where it begins and ends, its marks, its words, what it is called.

    `level` is that of a heading, 0 where it is none.
    """

    start: int
    end: int
    marks: int
    words: tuple[int, int]
    name: str
    level: int


def own_lists(
    text: str,
    code: Sequence[tuple[int, int]],
    markers: Callable[[], Sequence[tuple[int, int]]],
    titles: Iterable[str],
) -> list[tuple[int, int]]:
    """Return the stretches of `text` that are nothing but lists of sources, each with its heading.

    `code` are spans in order, and so are those that `markers` returns. A line belongs to such a list when it begins
    with a marker, a number in brackets or an address, or when its words are one of `titles` and a place; under a name
    like Notes it may hold nothing else. A section that holds any other line is the answer's own words, and stays; so
    does an answer that is such a list alone.
    """
    found: list[tuple[int, int]] = []
    lists: _Lists | None = None
    for head in _heads(text):
        is_notes = head.name in _CALLED_NOTES
        if not (is_notes or head.name in _CALLED) or (found and head.start < found[-1][1]):
            continue
        if lists is None:
            lists = _Lists(text, (code, sure_code(text)), markers(), titles)
        end = lists.end(head, is_notes=is_notes)
        if end is not None:
            found.append((head.start, end))
    return found if found and _says_more(text, found) else []


class _Lists:
    """The lists of sources of a text."""

    __slots__ = ("_codes", "_ended", "_markers", "_text", "_titles")

    def __init__(
        self,
        text: str,
        codes: Sequence[Sequence[tuple[int, int]]],
        markers: Sequence[tuple[int, int]],
        titles: Iterable[str],
    ) -> None:
        self._text = text
        self._codes = codes
        self._markers = markers
        self._titles = {_key(title) for title in titles} - {""}
        # How far a list went that was none in the end, by `is_notes`: what begins in it is none either.
        self._ended = [0, 0]

    def end(self, head: _Head, *, is_notes: bool) -> int | None:
        """Return where the list under a heading ends; None where it is none, or says more."""
        text = self._text
        if head.start < self._ended[is_notes] or self._in_code(head.start):
            return None
        end, lines = head.end, 0
        for line in _LINE.finditer(text, head.end):
            rest = line["rest"]
            if not rest.strip():
                end = line.end()
            elif (hashes := _HASHES.match(rest)) is not None:
                # An empty section goes as well, unless it has sections of its own.
                if not lines and len(hashes["open"]) > head.level:
                    return None
                break
            elif _RULE.fullmatch(rest):
                break
            elif self._in_code(line.start()) or not (
                self._lists(line.span("rest"), is_notes=is_notes)
                or (lines and not is_notes and line["lead"].startswith(("  ", "\t")))
            ):
                self._ended[is_notes] = line.start()
                return None
            else:
                end, lines = line.end(), lines + 1
            if line.end() >= len(text):
                break
        return end if lines or head.level else None

    def _in_code(self, place: int) -> bool:
        return any(_inside(spans, place) for spans in self._codes)

    def _lists(self, span: tuple[int, int], *, is_notes: bool) -> bool:
        """Say whether a line lists a source; of notes, whether it says nothing else."""
        text = self._text
        start, end = span
        first = bisect_left(self._markers, (start, 0))
        begin = start
        while text[begin : begin + 1] in ("*", "_"):
            begin += 1
        is_listed = (first < len(self._markers) and self._markers[first][0] == begin) or (
            _REFERENCE.match(text, begin, end) is not None
        )
        if is_listed and not is_notes:
            return True
        bare: list[str] = []
        last = bisect_left(self._markers, (end, 0))
        for marker in self._markers[first:last]:
            bare.append(text[start : marker[0]])
            start = max(start, marker[1])
        bare.append(text[start:end])
        key = _key(_WHOLE_REFERENCE.sub(" ", " ".join(bare)) if is_notes else " ".join(bare))
        return key in self._titles or (is_listed and not key)


def _says_more(text: str, lists: Sequence[tuple[int, int]]) -> bool:
    """Say whether there are words of `text` outside of `lists`."""
    position = 0
    for start, end in [*lists, (len(text), len(text))]:
        if _WORDS.search(text, position, start):
            return True
        position = end
    return False


def demoted(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the edits after which no heading of `text` reads as that of our list; its words stay, bold.

    They are a paragraph then, of their own, and whatever stands around them is what it was.
    """
    if _OURS not in text.casefold() and "&#" not in text:
        return
    heads = [head for head in _heads(text) if _reads(text[slice(*head.words)])]
    if not heads:
        return
    found = blocks(text)
    for head in heads:
        above = found.headings.get(head.start)
        if above is None and (head.start < found.known or not head.level):
            continue
        blank = _MARKERS.sub(" ", text[head.start : head.marks]).rstrip()
        if above:
            yield head.start, head.start, f"{blank}\n"
        start, end = head.words
        bold = "" if _DRESSED.search(text, start, end) else "**"
        yield head.marks, start, bold
        yield (
            end,
            head.end,
            f"{bold}\n" if text[head.end : head.end + 1] in "\r\n" else f"{bold}\n{blank}\n",
        )


def _heads(text: str) -> Iterator[_Head]:
    """Yield the lines of a few words that may name a list of sources, in order."""
    # A line then begins behind a line feed, wherever it stands, and places are the same but for one.
    for found in (_SHORT if "&#" in text else _FIRST).finditer("\n" + in_lines(text)):
        start = found.start()
        line = _LINE.match(text, start)
        if line is None:
            break
        name = _name(line["rest"])
        if name not in _CALLED and name not in _CALLED_NOTES:
            continue
        marks, last = line.span("rest")
        hashes = _HASHES.fullmatch(line["rest"])
        end, level, first = line.end(), 0, marks
        if hashes is not None:
            level = len(hashes["open"])
            first = marks + hashes.start("title")
        elif end < len(text) and (below := _UNDERLINE.match(text, end)) is not None:
            end, level = below.end(), 1 if below["marks"].startswith("=") else 2
        last = first + len(text[first:last].rstrip("# \t"))
        yield _Head(start, end, marks, (first, max(first, last)), name, level)


def _reads(words: str) -> bool:
    return _DRESS.sub("", unescape(words)).casefold() == _OURS


def _key(words: str) -> str:
    """Return what two ways of naming a source have in common: its words, without a place behind them."""
    found = [word.casefold() for word in _WORDS.findall(words)]
    while len(found) > 1 and (found[-1] in _PLACES or found[-1].isdecimal()):
        found.pop()
    return " ".join(found)


def _inside(spans: Sequence[tuple[int, int]], place: int) -> bool:
    index = bisect_right(spans, (place, place + 1)) - 1
    return index >= 0 and spans[index][0] <= place < spans[index][1]
