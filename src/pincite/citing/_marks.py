"""The grammar of markers: what models write where a citation was meant, told from what only looks like it.

Every function looks at `text` from `at` up to `stop` and nowhere else. Where the text may still grow (`hard` is
false) and what is there does not settle the matter, the answer is `PENDING`, so that a text in pieces gives what the
whole text gives. All patterns are linear: each run is one class or bounded, and none is tried twice from one place.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pincite.citing._target import Closings, Pending, TargetReader
from pincite.citing._written import BEGINS, Written, written_ids

if TYPE_CHECKING:
    from pincite.citing.formats import WireFormat

# A ref in any letter case: eight hex digits, then perhaps more of the id, never a hyphen at the end.
_HEX = r"[0-9A-Fa-f]{8}(?:-?[0-9A-Fa-f]){0,27}"
# What separates the members of a group.
_SEPARATOR = r"[\s,;|&/\u3001\uff0c\uff1b]"

_REF = re.compile(_HEX)
_SHORTEST = 8
_MEMBER = re.compile(r"[^\s,;|&/\u3001\uff0c\uff1b]+")
_SINGLE = re.compile(rf"\[\s{{0,3}}(?P<first>{_HEX})(?:{_SEPARATOR}[^\[\]`]*+)?\]")
# A bracket that begins like an evidence id, whatever else it holds.
_EVIDENCE = re.compile(rf"\[\s{{0,3}}(?={BEGINS}\S)(?P<body>[^\[\]`]*+)\]")
_SINGLE_SO_FAR = re.compile(
    rf"\[\s{{0,3}}(?:{_HEX}(?P<rest>{_SEPARATOR}[^\[\]`]*+)?|{_HEX}-|[0-9A-Fa-f]{{1,7}}"
    r"|[Ee][Vv]?|[Ee][Vv][0-9]{1,3}(?P<begun>:|(?::[^\s\[\]`]|&)(?P<more>[^\[\]`]*+))?)?"
)
_BLANK = re.compile(r"\n[ \t\r]*+\n")
_APART = re.compile(_SEPARATOR)
_BEGINS = re.compile(BEGINS)
_NUMBER = re.compile(r"\[\s{0,3}(?P<number>\d{1,40})\s{0,3}\](?P<gap>[ \t]{0,3})(?P<open>\()?")
_NUMBER_SO_FAR = re.compile(r"\[\s{0,3}\d{0,40}\s{0,3}(?:\][ \t]{0,3})?")
_NUMBERS = re.compile(
    r"\[\[\s{0,3}(?P<number>N|\d{1,40}(?:\s{0,3}[,;]\s{0,3}\d{1,40}){0,40})\s{0,3}\]\]"
    r"(?P<gap>[ \t]{0,3})(?P<open>\((?!\[\[))?"
)
_DOUBLE = re.compile(r"\[\[(?P<body>[^\[\]`\n]{1,400})\]\]|\[\[(?P<long>[^\[\]`]++)\]\]")
_DOUBLE_SO_FAR = re.compile(r"\[\[[^\[\]`]*+\]?")
# A destination of Markdown, as a link of its own has it: no space, parentheses in pairs, perhaps a title.
_LINK = re.compile(
    r"\(\s{0,3}(?P<target><[^<>\n]*>|(?:[^\s()<`]|\((?:[^\s()`]|\([^\s()`]*+\))*+\))*+)"
    r"(?:\s{1,3}(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s{0,3}\)"
)
_LINK_SO_FAR = re.compile(
    r"\(\s{0,3}(?:<[^<>\n]*+>?|(?:[^\s()<`]|\((?:[^\s()`]|\([^\s()`]*+\))*+\))*+(?:\((?:[^\s()`]|\([^\s()`]*+\))*+(?:\([^\s()`]*+)?)?)"
    r"(?:\s{1,3}(?:\"[^\"]*\"?|'[^']*'?|\([^()]*\)?)?)?\s{0,3}"
)
_SUP = re.compile(
    r"<[Ss][Uu][Pp]\s{0,3}>\s{0,3}(?P<bracket>\[?)\s{0,3}"
    r"(?P<body>\d{1,40}(?:\s{0,3}[,;\-\u2013\u2014\u3001\uff0c]\s{0,3}\d{1,40}){0,200})\s{0,3}\]?\s{0,3}</[Ss][Uu][Pp]\s{0,3}>"
)
_SUP_SO_FAR = re.compile(
    r"<(?:[Ss](?:[Uu](?:[Pp](?:\s{0,3}(?:>\s{0,3}\[?[\d\s,;\-\u2013\u2014\u3001\uff0c]*\]?\s{0,3}(?:</?(?:[Ss](?:[Uu](?:[Pp]\s{0,3})?)?)?)?)?)?)?)?)?"
)
_RANGE = re.compile(r"(\d+)(?:\s*[-\u2013\u2014]\s*(\d+))?")
_WIDE = re.compile(
    r"(?P<open>\uff3b\uff3b?|\u3010)(?P<body>[^\uff3b\uff3d\u3010\u3011\[\]\n`]{1,300})(?P<close>\uff3d\uff3d?|\u3011)"
    r"(?:[ \t]{0,3}[\uff08(]\s{0,3}(?P<target>[^\s()\uff08\uff09\[\]\uff3b\uff3d]{1,1000})"
    r"(?:\s{1,3}[\"'\u201c\u2018\u300c](?P<extract>[^\n()\uff08\uff09\[\]\uff3b\uff3d]{0,1000})[\"'\u201d\u2019\u300d])?\s{0,3}[\uff09)])?"
)
_WIDE_SO_FAR = re.compile(
    r"(?:\uff3b\uff3b?|\u3010)[^\uff3b\uff3d\u3010\u3011\[\]\n`]{0,300}(?:(?:\uff3d\uff3d?|\u3011)(?:[ \t]{0,3}"
    r"(?:[\uff08(][^\n()\uff08\uff09\[\]\uff3b\uff3d]{0,2000})?)?)?"
)
_PRIVATE = re.compile(
    r"\ue200(?P<name>\w{0,30})(?P<members>(?:\ue202[^\ue200-\ue202\n]{0,200}){1,100})\ue201"
)
_PRIVATE_SO_FAR = re.compile(r"\ue200\w{0,30}(?:\ue202[^\ue200-\ue202\n]{0,200}){0,100}")

# Units of length and area, and functions, that carry exponents: a raised number after them cites nothing.
_UNITS = frozenset("km cm mm nm \u00b5m \u03bcm um dm hm ft yd mi in inch mc sin cos tan".split())
_LONGEST_UNIT = 4
# Code points in front of what is raised in which a bracketed sum or a year may stand.
_SUM = 64
# Letters directly before a place.
_WORD = re.compile(r"[^\W\d_]+\Z")
_LONG_WORD = re.compile(r"[^\W\d_]{3}")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d\Z")

BESIDE: Final = "something beside the id in its brackets"
"""What is said of brackets that hold more than an id."""
LOOK_BACK: Final = 256
"""Code points before a place that the grammar may look at."""


PENDING = Pending()
_PENDING_REF = Pending(dull="0-9A-Fa-f")
_PENDING_GROUP = Pending("[]`")
_PENDING_DOUBLE = Pending("[]`\n")
_PENDING_TAG = Pending("><\n")


_new: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - whatever is in it


class Member(NamedTuple):
    """One key of a marker, with its place; `keys` are all of a range of numbers."""

    start: int
    end: int
    key: str
    form: str
    full: bool
    keys: tuple[str, ...] = ()
    fault: str = ""


class Mark(NamedTuple):
    """A whole marker: where it ends, its keys, what its writing departs in from the form, and its extract's place."""

    end: int
    members: list[Member]
    repairs: tuple[str, ...] = ()
    extract: tuple[int, int] | None = None
    number: str = ""
    linked: bool = False


def _partial(pattern: re.Pattern[str], text: str, at: int, stop: int, *, hard: bool) -> bool:
    """Say whether the text may still grow into what `pattern` begins."""
    return not hard and pattern.fullmatch(text, at, stop) is not None


def _members(
    text: str, start: int, end: int, most: int, *, full: bool
) -> tuple[list[Member], tuple[str, ...]]:
    """Return the keys of a group, in order, and what was mended; what stands between and is no key is left out."""
    found: list[Member] = []
    repairs: tuple[str, ...] = ()
    for one in written_ids(text, start, end):
        if one.start - start >= _SHORTEST:
            found += _refs(text, start, one.start, full=full)
        found.append(_evidence(one))
        if one.repairs:
            repairs = tuple(dict.fromkeys((*repairs, *one.repairs)))
        start = one.end
    if end - start >= _SHORTEST:
        found += _refs(text, start, end, full=full)
    return found[:most], repairs


def _refs(text: str, start: int, end: int, *, full: bool) -> list[Member]:
    return [
        Member(*word.span(), word.group(), "ref", full)
        for word in _MEMBER.finditer(text, start, end)
        if _REF.fullmatch(word.group()) is not None
    ]


def _evidence(one: Written) -> Member:
    return _new(Member, (one.start, one.end, one.key, "evidence_id", True, (), ""))


def bracket(
    text: str, at: int, stop: int, *, hard: bool, most: int, closings: Closings
) -> Mark | Pending | None:
    """Return the marker that the bracket at `at` opens; `most` is the number of keys that count in a group."""
    if at + 1 >= stop:
        return None if hard else PENDING
    if text[at + 1] == "[":
        return _double(text, at, stop, hard=hard, most=most, closings=closings)
    if not hard and (found := _SINGLE_SO_FAR.fullmatch(text, at, stop)) is not None:
        if found["rest"] is not None or found["more"] is not None:
            return _PENDING_GROUP
        return _PENDING_REF if found["begun"] is None else PENDING
    ids = _EVIDENCE.match(text, at, stop)
    if ids is not None:
        mark = _of_ids(text, ids, most)
        return None if mark is None else _with_link(text, mark, stop, hard=hard)
    keys = _SINGLE.match(text, at, stop)
    if keys is not None:
        start, end = keys.span("first")
        if end + 1 == keys.end():  # most hold one key and nothing else
            members, repairs = [_new(Member, (start, end, keys["first"], "ref", False, (), ""))], ()
        else:
            members, repairs = _members(text, start, keys.end() - 1, most, full=False)
        return _with_link(text, Mark(keys.end(), members, repairs + _group(members)), stop, hard=hard)
    number = _NUMBER.match(text, at, stop)
    if number is not None:
        repairs = ("single brackets round the number",)
        return _numbered(text, number, stop, hard=hard, closings=closings, repairs=repairs)
    return PENDING if _partial(_NUMBER_SO_FAR, text, at, stop, hard=hard) else None


def _of_ids(text: str, found: re.Match[str], most: int) -> Mark | None:
    """Return the marker of a bracket that begins like an evidence id; where it holds none, all of it is malformed."""
    start, end = found.span("body")
    members, repairs = _members(text, start, end, most, full=False)
    if _BLANK.search(text, start, end) is not None and len(_MEMBER.findall(text, start, end)) != len(members):
        return None  # the words of another paragraph are no part of a marker
    if not members:
        end = start + len(text[start:end].rstrip())
        members = [Member(start, end, text[start:end], "evidence_id", full=True)]
    elif members[0].end < end and _APART.match(text, members[0].end) is None:
        repairs = (*repairs, BESIDE)
    return Mark(found.end(), members, repairs + _group(members))


def _group(members: list[Member]) -> tuple[str, ...]:
    return ("a group of keys in one pair of brackets",) if len(members) > 1 else ()


def _double(
    text: str, at: int, stop: int, *, hard: bool, most: int, closings: Closings
) -> Mark | Pending | None:
    numbers = _NUMBERS.match(text, at, stop)
    if numbers is not None:
        repairs: tuple[str, ...] = ()
        if not numbers["number"].isdecimal():
            repairs = ("no number" if numbers["number"] == "N" else "several numbers for one address",)
        return _numbered(text, numbers, stop, hard=hard, closings=closings, repairs=repairs)
    found = _DOUBLE.match(text, at, stop)
    if found is None:
        return _PENDING_DOUBLE if _partial(_DOUBLE_SO_FAR, text, at, stop, hard=hard) else None
    members, mended = _members(text, at + 2, found.end() - 2, most, full=True)
    body = found["body"] or ""
    if not members and body.strip():
        lead = len(body) - len(body.lstrip())
        first = at + 2 + lead
        members = [Member(first, first + len(body.strip()), body.strip(), "short_id", full=False)]
    if not members:
        return None
    return _with_link(text, Mark(found.end(), members, mended + _group(members)), stop, hard=hard)


def _with_link(text: str, mark: Mark, stop: int, *, hard: bool) -> Mark | Pending:
    """Take in the link that the model made of a marker: a checked key must not label a foreign address."""
    if mark.end >= stop:
        return mark if hard else PENDING
    if text[mark.end] != "(":
        return mark
    found = link(text, mark.end, stop, hard=hard)
    if isinstance(found, Pending):
        return found
    if found is None:
        return mark
    repairs = (*mark.repairs, "the link target was dropped")
    return Mark(found.end(), mark.members, repairs, mark.extract, mark.number, linked=True)


def link(text: str, at: int, stop: int, *, hard: bool) -> re.Match[str] | Pending | None:
    """Return the target of Markdown's own links that the parenthesis at `at` opens."""
    found = _LINK.match(text, at, stop)
    if found is None and _partial(_LINK_SO_FAR, text, at, stop, hard=hard):
        return PENDING
    return found


def _numbered(
    text: str, found: re.Match[str], stop: int, *, hard: bool, closings: Closings, repairs: tuple[str, ...]
) -> Mark | Pending | None:
    """Return the marker of a bracketed number: with its address, or bare where the brackets are double."""
    double = text.startswith("[[", found.start())
    number = found["number"]
    bare = found.end("number") + text[found.end("number") : found.end()].index("]") + 1 + double
    if found["open"] is None:
        if found.end() >= stop and not hard:
            return PENDING
    else:
        inside = TargetReader(text, stop, closings, hard=hard).read(found.end() - 1)
        if isinstance(inside, Pending):
            return inside
        if inside is not None:
            key = text[slice(*inside.key)]
            odd = ("a space before the address",) if found["gap"] else ()
            repairs = (*repairs, *odd, *inside.repairs)
            place = (found.start(), inside.end)
            members = _addressed(text, inside.key, place, fault=inside.fault)
            if not members:
                full = double or inside.extract is not None
                members = [Member(*place, key, "inline_url", full, fault=inside.fault)]
            return Mark(inside.end, members, repairs, inside.extract, number)
    if not double:
        return None
    return Mark(bare, [Member(found.start(), bare, "", "inline_url", full=False)], (), None, number)


def _addressed(text: str, key: tuple[int, int], place: tuple[int, int], *, fault: str = "") -> list[Member]:
    """Return the evidence ids that stand where a number has its address, a lone one with the `place` of all of it."""
    start, end = key
    if _BEGINS.match(text, start, end) is None:
        return []
    found = [_evidence(one)._replace(fault=fault) for one in written_ids(text, start, end)]
    return found if len(found) != 1 else [found[0]._replace(start=place[0], end=place[1])]


def raised(text: str, at: int, stop: int, *, hard: bool, most: int) -> Mark | Pending | None:
    """Return the marker of raised numbers at `at`: `<sup>1, 3-5</sup>`; an exponent or a unit's power is none."""
    found = _SUP.match(text, at, stop)
    if found is None:
        return _PENDING_TAG if _partial(_SUP_SO_FAR, text, at, stop, hard=hard) else None
    if is_exponent(text, at):
        return None
    members: list[Member] = []
    for number in _RANGE.finditer(text, *found.span("body")):
        first, last = _number(number[1]), _number(number[2] or number[1])
        if len(members) >= most:
            break
        if first is None or last is None or not first <= last < first + most:
            members.append(Member(*number.span(), number.group(), "sup_numeric", full=True, fault="range"))
        else:
            keys = tuple(str(value) for value in range(first, last + 1))
            members.append(
                Member(*number.span(), keys[0], "sup_numeric", full=True, keys=keys if len(keys) > 1 else ())
            )
    repairs = ("a group of numbers",) if len(members) > 1 or any(member.keys for member in members) else ()
    if found["bracket"]:
        repairs += ("brackets inside the raised number",)
    if not found["body"].isascii():
        repairs += ("other digits",)
    return Mark(found.end(), members, repairs)


_DIGITS = 15


def _number(digits: str) -> int | None:
    return int(digits) if len(digits) <= _DIGITS else None


def is_exponent(text: str, at: int) -> bool:
    """Say whether what is raised at `at` is a power: of a number, a unit, a single letter or a bracketed sum."""
    last = text[at - 1 : at]
    if last.isalpha():
        before = text[max(0, at - _LONGEST_UNIT - 1) : at]
        if len(before) > _LONGEST_UNIT and before.isalpha():
            return False
        word = _WORD.search(before)
        name = "" if word is None else word.group().lower()
        return (len(name) == 1 and name < "\u0500") or name in _UNITS
    before = text[max(0, at - _SUM) : at]
    if last.isdigit():
        return _YEAR.search(before) is None
    if last == ")":
        opening = before.rfind("(")
        return opening >= 0 and _LONG_WORD.search(before, opening) is None
    return False


_WIDE_PAIRS = {"\uff3b": "\uff3d", "\uff3b\uff3b": "\uff3d\uff3d", "\u3010": "\u3011"}
_WIDE_REPAIR = ("full-width brackets",)


def wide(text: str, at: int, stop: int, *, hard: bool, most: int) -> Mark | Pending | None:
    """Return the marker in full-width brackets at `at`: ours, or the file citation of another provider."""
    found = _WIDE.match(text, at, stop)
    if not hard and (found is None or found["target"] is None) and _WIDE_SO_FAR.fullmatch(text, at, stop):
        return PENDING
    if found is None or _WIDE_PAIRS[found["open"]] != found["close"]:
        return None
    body, start = found["body"], found.start("body")
    end = found.end("close")
    folded = body.translate(_FOLD)
    inside, mended = _members(folded, 0, len(folded), most, full=len(found["open"]) > 1)
    if "\u2020" in body and not any(one.form == "evidence_id" for one in inside):
        return Mark(end, [Member(at, end, body.strip(), "foreign", full=True)])
    members = [one._replace(start=start + one.start, end=start + one.end) for one in inside]
    if members:
        return Mark(end, members, _WIDE_REPAIR + mended + _group(members))
    if not folded.strip().isdecimal():
        return None
    number = folded.strip()
    if found["target"] is not None:
        key = found["target"].translate(_FOLD)
        ids = _addressed(key, (0, len(key)), (at, found.end()))[:1]
        members = [one._replace(start=at, end=found.end()) for one in ids]
        members = members or [Member(at, found.end(), key, "inline_url", full=True)]
        extract = found.span("extract") if found["extract"] is not None else None
        return Mark(found.end(), members, _WIDE_REPAIR, extract, number)
    return Mark(end, [Member(at, end, number, "sup_numeric", full=False)], _WIDE_REPAIR)


# Full-width forms of ASCII, one to one.
_FOLD = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}


def private(text: str, at: int, stop: int, *, hard: bool, most: int) -> Mark | Pending | None:
    """Return the marker in private-use characters at `at`, as one provider writes them; every member is kept."""
    found = _PRIVATE.match(text, at, stop)
    if found is None:
        return PENDING if _partial(_PRIVATE_SO_FAR, text, at, stop, hard=hard) else None
    members: list[Member] = []
    position = found.start("members")
    for part in found["members"].split("\ue202")[1:]:
        position += 1
        if part and len(members) < most:
            members.append(Member(position, position + len(part), part, "foreign", full=True))
        position += len(part)
    return Mark(found.end(), members) if members else None


# A member of another format's group.
_GROUP = re.compile(r"[^,;\s][^,;]*")


def custom(
    text: str, form: WireFormat, at: int, stop: int, *, hard: bool, most: int
) -> Mark | Pending | None:
    """Return the marker of a format that is not built in, where one begins at `at`."""
    inside = at + len(form.opening)
    if not text.startswith(form.opening, at, stop):
        return PENDING if not hard and form.opening.startswith(text[at:stop]) else None
    close = text.find(form.closing, inside, stop)
    if close < 0:
        return None if hard else Pending(form.closing[-1])
    members: list[Member] = []
    for word in _GROUP.finditer(text, inside, close):
        key = word.group().rstrip()
        if form.key.fullmatch(key) is not None and len(members) < most:
            members.append(Member(word.start(), word.start() + len(key), key, form.name, form.full))
    return Mark(close + len(form.closing), members, _group(members)) if members else None
