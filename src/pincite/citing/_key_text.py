"""Keys that stand in running text: `source_url: https://...`, `[[1]](https://...)`, `[9f2a1b7c]`, a column of a table.

Tools often hand a model Markdown, XML or JSON that was cut short instead of fields. What is looked for here is what
a model would take for a key, in the places where a tool would write one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pincite.citing.formats import EVIDENCE_ID, REF, SHORT_ID

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Characters before a label that may say whether it begins a line.
_LOOK_BACK = 40
# What a text must hold before its brackets are worth a scan.
_BRACKETS = ("[", "［", "【")
# Our brackets and those that look like them, and the white ones that are nobody's syntax.
_WHITE = str.maketrans("[]［］【】", "⟦⟧⟦⟧⟦⟧")
# Everything that a label, a table, a tag, a marker or JSON needs.
_DISARM = str.maketrans(dict.fromkeys(":=<>|", " ") | {'"': "'", **{chr(k): v for k, v in _WHITE.items()}})

# The first characters of a ref or an evidence id, where a member of a marker may begin: fixed width, linear.
_WORTH_A_SCAN = r"[\[\uff3b\u3010\s,;|&/](?:[0-9A-Fa-f]{8}|[Ee][Vv][0-9])"

# What closes what may open before a value.
_CLOSING = str.maketrans("[(<", "])>")

# A link of Markdown: its words, which may hold brackets in pairs, a gap, its address with parentheses in pairs. Each
# run is one class, possessive, and ends at the next bracket of its kind: linear.
_TARGET = r"<(?:[^<>\n]*+)>|[^\s()<>]*+(?:\([^\s()]*+\)[^\s()<>]*+)*+"
_LINK = rf"!?\[(?P<words>(?:\[[^\[\]\n]*+\]|[^\[\]\n]++)*+)\](?P<gap>[ \t]{{0,3}})\(\s{{0,3}}(?P<target>{_TARGET})"
_LINK_END = r"(?:\s{1,3}(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'))?\s{0,3}\)"
# A link's words that are a citation's number, as in `[[3]](...)` and `[3](...)`: linear.
_NUMBERED = r"\s*+\[?\s*+\d{1,9}\s*+\]?\s*+"
# A bare word that can be a key: a separator of addresses, a digit, or eight hex digits and more. Linear.
_KEY_LIKE = r"[/:#0-9]|[a-f]{8}"
# A run of text that could be a key by itself: one class, linear.
_ALONE = r"[^\s\"'<>`|\[\]\\]{2,2000}"
_LEADING, _TRAILING = "([{*_~", ".,;:!?*_~)]}"


class KeyText(NamedTuple):
    """A key in a text: the run to take out, the field that labels it ("" for a marker), the key.

    `whole` is the key with the punctuation that follows it, which may be its own.
    """

    start: int
    end: int
    field: str
    key: str
    whole: str


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _label(fields: frozenset[str]) -> re.Pattern[str]:
    """A field's name, a colon, an equals sign or the end of its tag, and what stands there for a value. Linear."""
    names = "|".join(re.escape(name) for name in sorted(fields, key=lambda name: (-len(name), name)))
    label = rf"(?:{names})[\\\"'`*]{{0,6}}[ \t]{{0,8}}[:=>]"
    return re.compile(
        rf"(?P<before><|[\\\"'`*]{{1,6}})?(?<![\w.\-/?&])(?P<field>{names})(?P<after>[\\\"'`*]{{0,6}})[ \t]{{0,8}}"
        r"(?P<sep>[:=]|>\s{0,8})[ \t*]{0,8}"
        r"(?:(?P<quote>[\"'])(?P<quoted>(?:[^\"'\\\n]|\\.)*+)(?P=quote)"
        rf"|\[[^\[\]\n]*+\]\((?P<target>{_TARGET})\)?"
        # A bare value ends before another label, so that no stretch of text is a value twice.
        rf"|(?P<lead>[\\\"'`*<\[(]{{0,8}})(?P<bare>(?!{label})(?:[\w.\-/?&]++|[^\s\"'<>`|\\\w.\-/?&](?!{label}))++))"
    )


def labelled(text: str, fields: frozenset[str]) -> Iterator[KeyText]:
    """Yield each key that one of `fields` labels in `text`, in order.

    A name that is a common word counts where fields stand: quoted, in a tag, or at the beginning of a line.
    """
    if not any(name in text for name in fields):
        return
    pattern, at = _label(fields), 0
    while (found := pattern.search(text, at)) is not None:
        key, whole = _value(found) if _is_label(text, found) else ("", "")
        if key:
            at = _end_of(text, found, key)
            yield KeyText(found.start(), at, found["field"], key, whole)
        else:
            # What stands there in quotes may begin with a label of its own.
            at = found.end() if found["bare"] is not None else found.end("sep")


def _value(found: re.Match[str]) -> tuple[str, str]:
    """Return the key that a label has, without the punctuation after it and with it; empty when it is none."""
    if found["quoted"] is not None:
        key = whole = _unescaped(found["quoted"])
    else:
        whole = (found["target"] or found["bare"] or "").strip("<>")
        key = trimmed(whole)
        if _compiled(_KEY_LIKE).search(key) is None:
            return "", ""
    return (key, whole) if found["field"] != "ref" or REF.key.fullmatch(key) is not None else ("", "")


def _is_label(text: str, found: re.Match[str]) -> bool:
    tag = found["before"] == "<"
    if found["sep"][0] == ">":
        return tag
    if "_" in found["field"] or tag or '"' in found["after"] or "'" in found["after"]:
        return True
    if found["sep"] == "=" and found["quote"] is not None:
        return True
    start = found.start()
    before = text[max(0, start - _LOOK_BACK) : start]
    line = before[before.rfind("\n") + 1 :]
    return not line.strip(" \t-*+>#|`") and (len(line) < len(before) or start <= _LOOK_BACK)


def _end_of(text: str, found: re.Match[str], key: str) -> int:
    """Return where a label's value ends, with what closes round it and the end of its tag."""
    end = found.end()
    if found["bare"] is not None:
        end = found.start("bare") + len(key)
        closing = found["lead"].translate(_CLOSING)
        while end < len(text) and text[end] in closing:
            end += 1
    tag = f"</{found['field']}>"
    return end + len(tag) if text.startswith(tag, end) else end


def _unescaped(written: str) -> str:
    if "\\" not in written:
        return written
    import json

    try:
        return str(json.loads(f'"{written}"'))
    except ValueError:
        return written


def tabled(text: str, fields: frozenset[str]) -> Iterator[KeyText]:
    """Yield each key in a column of a Markdown table that is headed by one of `fields`, row by row."""
    if "|" not in text or "--" not in text or not any(name in text for name in fields):
        return
    columns: dict[int, str] = {}
    start = 0
    head = ""
    for line in text.split("\n"):
        if "|" not in line:
            columns = {}
        elif "-" in line and set(line) <= set("|:- \t\r"):
            names = (cell.strip(" \t\r`*_") for cell in head.split("|"))
            columns = {at: name for at, name in enumerate(names) if name in fields}
        elif columns:
            yield from _cells(line, start, columns)
        head = line
        start += len(line) + 1


def _cells(line: str, start: int, columns: dict[int, str]) -> Iterator[KeyText]:
    for at, cell in enumerate(line.split("|")):
        if at in columns:
            link = _compiled(_LINK).search(cell)
            key = link["target"].strip("<>") if link is not None else cell.strip(" \t\r`*[]<>")
            if key:
                yield KeyText(start, start + len(cell), columns[at], key, key)
        start += len(cell) + 1


def markers(text: str) -> Iterator[KeyText]:
    """Yield the key of each marker in `text`: numbered links, refs and evidence ids in brackets.

    Eight digits and no letter in brackets are a date or a count, a name in two brackets is a page of a wiki, and an
    address that begins with `#` is a place of the same page.
    """
    if not any(bracket in text for bracket in _BRACKETS):
        return
    number = _compiled(_NUMBERED)
    for link in _compiled(_LINK).finditer(text):
        key = link["target"].strip("<>")
        if key and key[0] != "#" and number.fullmatch(link["words"]) is not None:
            yield KeyText(link.start(), link.end(), "", key, key)
    from pincite.citing.occurrence import parse_citations

    if _compiled(_WORTH_A_SCAN).search(text) is None:
        return
    for found in parse_citations(text, (REF, SHORT_ID, EVIDENCE_ID)):
        key = found.key
        if not found.in_code and not key.isdecimal() and _has_shape(key):
            yield KeyText(*found.marker, "", key, key)


def _has_shape(key: str) -> bool:
    lower = key.lower()
    return REF.key.fullmatch(lower) is not None or EVIDENCE_ID.key.fullmatch(lower) is not None


def keys_in(text: str, fields: frozenset[str]) -> list[KeyText]:
    """Return every key that `text` shows, in order: labelled by one of `fields`, in a table, or as a marker."""
    return sorted([*labelled(text, fields), *tabled(text, fields), *markers(text)])


def alone(text: str) -> set[str]:
    """Return the words of `text` that could be a key by themselves, with and without punctuation at the end."""
    words = {word.lstrip(_LEADING) for word in set(_compiled(_ALONE).findall(text))}
    return words | {trimmed(word) for word in words}


def trimmed(word: str) -> str:
    """Return `word` without the punctuation at its end; a parenthesis that closes one of its own stays."""
    end = len(word)
    opened = word.count("(") - word.count(")")
    while end and word[end - 1] in _TRAILING:
        if word[end - 1] == ")":
            if opened >= 0:
                break
            opened += 1
        end -= 1
    return word[:end]


def without_keys(text: str, fields: frozenset[str]) -> tuple[str, bool]:
    """Return `text` with its keys taken out and links as their words, and whether that left anything as it was.

    A marker's brackets become white ones, a label goes with its value, and with its line where it fills one.
    """
    clear = _unlinked(text)
    found = keys_in(clear, fields)
    if found:
        clear = "".join(_pieces(clear, found))
    return clear, clear == text


def disarmed(text: str) -> str:
    """Return `text` without any character that a label, a table, a marker, a tag or JSON needs."""
    return text.translate(_DISARM)


def _unlinked(text: str) -> str:
    if "](" not in text and "] " not in text and "]\t" not in text:
        return text

    def words(link: re.Match[str]) -> str:
        # With a gap it is a link only to the eyes of a citation's reader.
        numbered = _compiled(_NUMBERED).fullmatch(link["words"]) is not None
        return link["words"] if not link["gap"] or numbered else link[0]

    return _compiled(_LINK + _LINK_END).sub(words, text)


def _pieces(text: str, found: Iterable[KeyText]) -> Iterator[str]:
    done = 0
    for key in found:
        if key.start < done:
            continue
        start, end, put = key.start, key.end, ""
        if not key.field:
            put = text[start:end].translate(_WHITE)
        else:
            while start > done and text[start - 1] in " \t-*+>#":
                start -= 1
            begins = start == 0 or text[start - 1] == "\n"
            if begins and text.startswith("\n", end):
                end += 1
            elif not begins:
                start = key.start
        yield text[done:start]
        yield put
        done = end
    yield text[done:]
