"""What a written key may mean when it is none exactly: a document's id, or a key in another spelling.

Keys are compared in a normal form. Of keys that are equal there, the one that took the least mending wins; several
that took the same are ambiguous. Whoever asks has looked for the exact key before.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pincite.core.text import UNSEEN

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    Step = tuple[str, Callable[[str], str]]

BY_DOCUMENT = "a document id in place of the key"
"""How a citation is repaired that names a document and means the one passage of it."""

OTHERWISE = "another spelling"
"""How a key differs whose differences only count together."""

MOST = 20
"""Names that one written key is taken for at most; it decides between none of them anyway."""

LONGEST = 10_000
"""Code points of a written key that is mended; a longer one, which no marker can hold, is a key exactly or none."""

# A key in normal form already: no capital, no escape, no query, no slash at its end. One class, linear.
_NORMAL = re.compile(r"[a-z0-9:._/\-]*+(?<=[a-z0-9_\-])")
# Scheme and host of an address: two runs, linear.
_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*+://[^/?#]*+")
# The number that a chunk's id has behind its document's: anchored, linear.
_CHUNK = re.compile(r"(.+)_([0-9]+)", re.DOTALL)


@cache
def _blanks() -> re.Pattern[str]:
    # White space and what cannot be seen: linear, one class. Its table takes long to compile.
    return re.compile(rf"[\s{UNSEEN}]+")


def _without_entities(text: str) -> str:
    if "&" not in text:
        return text
    from html import unescape

    return unescape(text)


def _without_fragment(text: str) -> str:
    return text.partition("#")[0]


def _decoded(text: str) -> str:
    if "%" not in text:
        return text
    from urllib.parse import unquote

    # Bytes that are no UTF-8 stay unlike one another.
    return unquote(text, errors="surrogateescape")


def _composed(text: str) -> str:
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFKC", text)


def _without_blanks(text: str) -> str:
    return _blanks().sub("", text)


def _without_slash(text: str) -> str:
    ends = [end for end in (text.find("?"), text.find("#")) if end >= 0]
    end = min(ends, default=len(text))
    return text[:end].rstrip("/") + text[end:]


def _host_folded(text: str) -> str:
    host = _HOST.match(text)
    return text if host is None else host[0].lower() + text[host.end() :]


_ENTITY: Step = ("an HTML entity", _without_entities)
_FRAGMENT: Step = ("another fragment", _without_fragment)
_SPELT: tuple[Step, ...] = (
    ("percent-encoding", _decoded),
    ("another Unicode form", _composed),
    ("blanks", _without_blanks),
)
_SLASH: Step = ("a slash at the end", _without_slash)
_CASE: Step = ("another letter case", str.casefold)
_HOST_CASE: Step = ("another letter case", _host_folded)

_KEY_STEPS: tuple[Step, ...] = (_ENTITY, *_SPELT, _SLASH, _CASE)
_PAGE_STEPS: tuple[Step, ...] = (_ENTITY, _FRAGMENT, *_SPELT, _SLASH, _CASE)
# From the least mending to the most; what all of them mend is the normal form.
_TIERS: tuple[tuple[Step, ...], ...] = (
    (_ENTITY, _HOST_CASE),
    (_ENTITY, *_SPELT, _HOST_CASE),
    (_ENTITY, *_SPELT, _HOST_CASE, _SLASH),
    _KEY_STEPS,
)


def _after(text: str, steps: Iterable[Step]) -> str:
    for _, step in steps:
        text = step(text)
    return text


def normal_form(key: str) -> str:
    """Return the spelling that keys are compared in."""
    return key if _NORMAL.fullmatch(key) is not None else _after(key, _KEY_STEPS)


def how_it_differs(written: str, key: str) -> str:
    """Say how `written` differs from `key`, whose normal form or whose page's it shares."""
    for steps in (_KEY_STEPS, _PAGE_STEPS):
        if _after(written, steps) != _after(key, steps):
            continue
        needed: list[str] = []
        for index, (name, _) in enumerate(steps):
            others = steps[:index] + steps[index + 1 :]
            if _after(written, others) != _after(key, others):
                needed.append(name)
        return " and ".join(needed) or OTHERWISE
    return OTHERWISE


class KeyIndex:
    """The names of a store's hits by normal form, and their keys by document.

    `keys` and `aliases` are the store's own tables: what stands there in normal form is found without a second
    entry here.
    """

    __slots__ = ("_aliases", "_documents", "_keys", "_names", "_pages", "_stems")

    def __init__(self, keys: Container[str], aliases: Container[str]) -> None:
        self._keys = keys
        self._aliases = aliases
        self._names: dict[str, list[str]] = {}
        self._pages: dict[str, list[str]] = {}
        self._documents: dict[str, list[str]] = {}
        self._stems: dict[str, list[str]] = {}

    def add_name(self, name: str) -> None:
        """Take in a key, or another name of a hit."""
        form = normal_form(name)
        if form != name:
            _put(self._names, form, name)
        if "#" in name:
            _put(self._pages, _after(name, _PAGE_STEPS), name)

    def add_document(self, document: str, key: str) -> None:
        """Take in a document's or a chunk's id that the hit under `key` has."""
        _put(self._documents, document, key)
        self.add_chunk(document, key)

    def add_chunk(self, chunk: str, key: str) -> None:
        """Take in an id, or a key that may be one, for the document that it says it is a chunk of."""
        if "_" in chunk:
            stem = _stem(chunk)
            if stem is not None:
                _put(self._stems, stem, key)

    def of_document(self, document: str) -> Sequence[str]:
        """Return the keys of a document, in order of registration.

        Its id may have a chunk's number behind it (`_3`) where the hit's has none, and none where the hit's has. A
        key that is no address is an id too.
        """
        found = self._with_id(document)
        if not found:
            stem = _stem(document)
            found = self._with_id(stem) if stem is not None else self._stems.get(document, ())
        return found

    def _with_id(self, document: str) -> Sequence[str]:
        found = self._documents.get(document)
        if found is None:
            return (document,) if document in self._keys and "://" not in document else ()
        return found

    def alike(self, written: str) -> list[str]:
        """Return the names that are spelt as `written` but for what may be mended: the nearest, `MOST` at most."""
        if len(written) > LONGEST:
            return []
        names = self._in_form(normal_form(written))
        if len(names) > 1:
            names = _nearest(written, names)
        if not names:
            page = _after(written, _PAGE_STEPS)
            names = [*self._in_form(page), *self._pages.get(page, ())[:MOST]] if page else []
        return list(dict.fromkeys(names))[:MOST]

    def _in_form(self, form: str) -> list[str]:
        if not form:
            return []
        as_it_is = [form] if form in self._keys or form in self._aliases else []
        return [*as_it_is, *self._names.get(form, ())[:MOST]]


def _put(table: dict[str, list[str]], form: str, name: str) -> None:
    names = table.get(form)
    if names is None:
        table[form] = [name]
    elif names[-1] != name:
        names.append(name)


def _stem(document: str) -> str | None:
    """Return the document's id of a chunk's, or None for an id without a number behind it."""
    if "_" not in document:
        return None
    found = _CHUNK.fullmatch(document)
    return None if found is None else found[1]


def _nearest(written: str, names: list[str]) -> list[str]:
    for steps in _TIERS:
        form = _after(written, steps)
        near = [name for name in names if _after(name, steps) == form]
        if near:
            return near
    return names
