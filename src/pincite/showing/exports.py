"""An answer with its sources, to take elsewhere: as Markdown, HTML, plain text, BibTeX, CSL-JSON, Web Annotations.

Each is a pure function of the answer, and of what is known beside it. Titles, names and addresses are from elsewhere
and may be hostile: they act in none of the formats. A DOI comes from what is known of a document, never from a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from pincite.core.answer import Answer
from pincite.core.bibliography import Bibliography
from pincite.core.errors import InputError
from pincite.core.given import of_kind, refuse
from pincite.core.limits import DEFAULT, Limits
from pincite.core.text import UNSEEN, one_line
from pincite.showing._annotations import collection_of
from pincite.showing._bibtex import bibtex_of
from pincite.showing._csl import items_of as csl_items_of
from pincite.showing._held import Held
from pincite.showing._html import fragment_of, page_of
from pincite.showing._plain import text_of
from pincite.showing._sources import escaped, sources_list
from pincite.showing._works import Work, described, works_of
from pincite.showing.references import render_answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite.core.protocols import EvidenceText

ExportFormat = Literal["markdown", "html", "text", "bibtex", "csl-json", "annotations"]
"""What an answer can be written as."""

Known = Mapping[str, Bibliography]
"""What is known of documents beside the answer, by the document's id or address."""

# What could steer a terminal or turn the text around it: control characters except tab and line feed, bidi embeddings,
# overrides and isolates, and invisible tags. One class: linear.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff]")
_SHOWN = "\ufffd"
# What is not seen, in JSON, and halves of characters, which no file can hold: one class each.
_UNSEEN_IN_JSON, _HALVES = re.compile(f"[{UNSEEN}]"), re.compile("[\ud800-\udfff]")
_NOTHING: Known = {}


def export(
    answer: Answer,
    *,
    to: ExportFormat,
    known: Known = _NOTHING,
    texts: Iterable[EvidenceText] = (),
    title: str = "",
    limits: Limits = DEFAULT,
) -> str:
    """Return the answer with its sources in the format `to`.

    `known` are bibliographic fields by document, `title` is a heading such as the question. `texts` are the cited
    passages and the text before them as a store returns them (`cited_texts`): from them annotations take where the
    words stand, and links what tells these words from the same words before.

    Raises:
        InputError: there is no such format, or an argument is of another kind.
    """
    if to not in get_args(ExportFormat):
        names = ", ".join(map(repr, get_args(ExportFormat)))
        msg = f"`to` is one of {names}, not {str(to)[:40]!r}."
        raise InputError(msg, field="to")
    if to == "annotations":
        return to_annotations(answer, texts=texts, title=title)
    if to in _LISTS:
        return _LISTS[to](answer, known=known, limits=limits)
    if to == "text":
        return to_text(answer, known=known, title=title, limits=limits)
    return _PAGES[to](answer, known=known, texts=texts, title=title, limits=limits)


def to_markdown(
    answer: Answer,
    *,
    known: Known = _NOTHING,
    texts: Iterable[EvidenceText] = (),
    title: str = "",
    limits: Limits = DEFAULT,
) -> str:
    """Return Markdown with numbers in place of the markers, and the list of sources below; `texts` as in `export`.

    Raises:
        InputError: an argument is of another kind.
    """
    text, works = _rendered(answer, known, limits, texts)
    lines = sources_list([work.source for work in works])
    blocks = [f"# {escaped(heading)}"] if (heading := _heading(title, limits)) else []
    blocks += filter(None, [text.strip("\n"), *lines[:1]])
    blocks += [_told(block, work) for block, work in zip(lines[1:], works, strict=True)]
    return _written("\n\n".join(blocks) + "\n")


def to_html(
    answer: Answer,
    *,
    known: Known = _NOTHING,
    texts: Iterable[EvidenceText] = (),
    title: str = "",
    page: bool = True,
    limits: Limits = DEFAULT,
) -> str:
    """Return HTML whose numbers jump to the list of sources and back; with `page` false, to stand in another page.

    `texts` are as in `export`.

    It runs nothing and loads nothing, and links only http and https addresses of sources.

    Raises:
        InputError: an argument is of another kind.
    """
    text, works = _rendered(answer, known, limits, texts)
    return _written(page_of(text, works, _heading(title, limits)) if page else fragment_of(text, works))


def to_text(answer: Answer, *, known: Known = _NOTHING, title: str = "", limits: Limits = DEFAULT) -> str:
    """Return plain text without marks of Markdown, and the list of sources below.

    Raises:
        InputError: an argument is of another kind.
    """
    text, works = _rendered(answer, known, limits)
    return _written(text_of(text, works, _heading(title, limits)))


def plain_text(markdown: str) -> str:
    """Return Markdown that rendering wrote, such as `render_answer(answer).text`, as a person reads it, without marks.

    Raises:
        InputError: `markdown` is no string.
    """
    return text_of(of_kind(markdown, str, "markdown", "a string"), (), "").rstrip("\n")


def to_bibtex(answer: Answer, *, known: Known = _NOTHING, limits: Limits = DEFAULT) -> str:
    """Return the cited sources as BibTeX, one entry each, in order of first citation.

    Raises:
        InputError: an argument is of another kind.
    """
    _, works = _rendered(answer, known, limits)
    return _written(bibtex_of(works))


def to_csl_json(answer: Answer, *, known: Known = _NOTHING, limits: Limits = DEFAULT) -> str:
    """Return the cited sources as CSL-JSON: a list of items, in order of first citation.

    Raises:
        InputError: an argument is of another kind.
    """
    _, works = _rendered(answer, known, limits)
    return _json(csl_items_of(works))


def to_annotations(answer: Answer, *, texts: Iterable[EvidenceText] = (), title: str = "") -> str:
    """Return the citations as W3C Web Annotations in JSON-LD, a collection in the order of the answer.

    Each source of each citation is an annotation of the cited words about the sentence. Where `texts` hold the passage,
    its place in the document is told, and the words around it as far as they are in `texts`.

    Raises:
        InputError: an argument is of another kind.
    """
    _checked(answer)
    return _json(collection_of(answer, Held(texts), _heading(title, DEFAULT)))


_LISTS: dict[str, Callable[..., str]] = {"bibtex": to_bibtex, "csl-json": to_csl_json}
_PAGES: dict[str, Callable[..., str]] = {"markdown": to_markdown, "html": to_html}


def _rendered(
    answer: Answer, known: Known, limits: Limits, texts: Iterable[EvidenceText] = ()
) -> tuple[str, list[Work]]:
    _checked(answer)
    of_kind(known, Mapping, "known", "a mapping of bibliographies")
    for bibliography in known.values():
        of_kind(bibliography, Bibliography, "known", "a mapping of bibliographies")
    rendered = render_answer(answer, texts=texts, limits=limits)
    # What is put in the place of a character keeps apart what it kept apart, so nothing begins to act.
    text = _STEERING.sub(_SHOWN, rendered.text.replace("\r\n", "\n").replace("\r", "\n"))
    return text, works_of(answer, rendered.sources, known)


def _checked(answer: object) -> None:
    if not isinstance(answer, Answer):
        refuse(answer, "answer", "an `Answer`")


def _heading(title: object, limits: Limits) -> str:
    return one_line(of_kind(title, str, "title", "a string"), limits.title_code_points)


def _told(block: str, work: Work) -> str:
    """Return the lines of a source in Markdown, with what a bibliography says of it below its title."""
    first, *below = block.split("\n")
    told = [escaped(about)] if (about := described(work.bibliography)) else []
    if work.doi_link is not None:
        told.append(f"[{escaped(f'doi:{work.bibliography.doi}')}](<{work.doi_link}>)")
    return "\n".join([first, *(f"   - {line}" for line in told), *below])


def _json(value: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    """Return JSON in which what is not seen is escaped."""
    written = _written(json.dumps(value, ensure_ascii=False, indent=2))
    return _UNSEEN_IN_JSON.sub(lambda found: json.dumps(found.group())[1:-1], written) + "\n"


def _written(text: str) -> str:
    """Return text that can be written as UTF-8."""
    return _HALVES.sub(_SHOWN, text)
