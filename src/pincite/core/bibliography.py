"""What a bibliography says of a document beside its title: who wrote it, when it was issued, where it appeared.

Every value has the form that it should have, or there is none: a DOI that does not look like one is refused here, so
none is ever shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final, cast

from pincite.core.errors import InputError
from pincite.core.given import items_of, of_kind
from pincite.core.text import normalise, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

TYPES: Final = frozenset(
    "article article-journal article-magazine article-newspaper bill book broadcast chapter classic collection dataset "
    "document entry entry-dictionary entry-encyclopedia event figure graphic hearing interview legal_case legislation "
    "manuscript map motion_picture musical_score pamphlet paper-conference patent performance periodical "
    "personal_communication post post-weblog regulation report review review-book software song speech standard thesis "
    "treaty webpage".split()
)
"""The kinds of a work, as CSL 1.0.2 names them."""

# Code points of a name or a line, and of a volume, an issue or pages; and the authors that are kept of a long list.
_LINE, _SHORT, _MOST_AUTHORS = 300, 60, 300
# What stands behind a comma in the name of a company or a person, and is no given name.
_SUFFIXES = frozenset("ag bv co corp gmbh inc jr limited llc ltd llp md nv phd plc sa sarl se spa sr".split())

# A DOI behind what people write in front of it: anchored, a bounded run of characters. Left out are quotation marks,
# what means something in LaTeX (backslashes, braces, per cent and dollar signs), and what opens an element of HTML.
_DOI = re.compile(
    r"(?i)(?:https?://(?:dx\.|www\.)?doi\.org/|doi:\s?)?(10\.[0-9]{4,9}/(?:[A-Z0-9._;()/:>+=\-\[\]#&,@!*]|<(?=[0-9])){1,200})"
)
# A day, a month or a year, with or without a time: anchored, bounded runs.
_DATE = re.compile(r"([0-9]{4})(?:[-/]([0-9]{1,2})(?:[-/]([0-9]{1,2})(?:[T ][0-9:.,+\-Z ]{1,40})?)?)?")
# A language tag: anchored, bounded runs.
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{1,8}){0,4}")
# Digits with a check digit, after `ISSN` or `urn:isbn:`: anchored, bounded runs.
_ISSN = re.compile(r"(?i)(?:urn:)?(?:issn[: ]\s?)?([0-9]{4})-?([0-9]{3}[0-9X])")
_ISBN = re.compile(r"(?i)(?:urn:)?(?:isbn[: ]\s?)?([0-9][0-9 \-]{8,15}[0-9X])")


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote a work: a person's `family` and `given` names, or a name that is not to be taken apart (`literal`)."""

    family: str = ""
    given: str = ""
    literal: str = ""

    def __post_init__(self) -> None:
        for one in fields(self):
            value = of_kind(getattr(self, one.name), str, "author", "a name")
            object.__setattr__(self, one.name, _line(value))
        if bool(self.literal) == bool(self.family) or (self.given and not self.family):
            msg = "An author has a family name, with or without a given name, or one name as a whole."
            raise InputError(msg, field="author")

    def __str__(self) -> str:
        """Return the name as a sentence has it."""
        return self.literal or f"{self.given} {self.family}".lstrip()

    @classmethod
    def of(cls, name: str) -> Author:
        """Return the author that `name` means: `Family, Given`, or, without a comma, a name as a whole.

        A name is not guessed at: `European Commission` has no family name.

        Raises:
            InputError: it is empty.
        """
        parts = [part.strip() for part in of_kind(name, str, "author", "a name").split(",")]
        is_person = len(parts) == 2 and all(parts)  # noqa: PLR2004 - a name before and one behind the comma
        if is_person and parts[1].replace(".", "").casefold() not in _SUFFIXES:
            return cls(*parts)
        return cls(literal=name)

    def as_dict(self) -> dict[str, str]:
        """Return the name as CSL-JSON holds it."""
        return {one.name: value for one in fields(self) if (value := getattr(self, one.name))}


@dataclass(frozen=True, slots=True)
class Bibliography:
    """The bibliographic fields of a document, named as CSL names them; each may be empty.

    `type` is one of `TYPES`; `issued` a year, a month or a day (`2026`, `2026-03`, `2026-03-18`); `container_title` the
    journal, book or site that it is part of; `doi` begins with `10.`; `language` is a language tag such as `en-GB`.

    Raises:
        InputError: a value does not have its form; `field` says which.
    """

    type: str = ""
    author: tuple[Author, ...] = ()
    issued: str = ""
    publisher: str = ""
    container_title: str = ""
    volume: str = ""
    issue: str = ""
    page: str = ""
    doi: str = ""
    isbn: str = ""
    issn: str = ""
    language: str = ""

    def __post_init__(self) -> None:
        for name, (form, what) in _FORMS.items():
            if (value := getattr(self, name)) != "":
                made = form(of_kind(value, str, name, what).strip())
                if made is None:
                    msg = f"`{name}` is {what}."
                    raise InputError(msg, field=name)
                object.__setattr__(self, name, made)
        authors = [
            one if isinstance(one, Author) else Author.of(one)
            for one in items_of(self.author, "author", "a list of authors")
        ]
        object.__setattr__(self, "author", tuple(authors[:_MOST_AUTHORS]))

    def over(self, other: Bibliography) -> Bibliography:
        """Return these fields, and those of `other` where there are none."""
        names = [one.name for one in fields(self)]
        return replace(self, **{name: getattr(other, name) for name in names if not getattr(self, name)})

    def as_dict(self) -> dict[str, Any]:
        """Return the fields that are not empty as CSL-JSON holds them."""
        known: dict[str, Any] = {
            _CSL_NAMES.get(one.name, one.name): value
            for one in fields(self)
            if (value := getattr(self, one.name))
        }
        if self.author:
            known["author"] = [one.as_dict() for one in self.author]
        if self.issued:
            known["issued"] = {"date-parts": [[int(part) for part in self.issued.split("-")]]}
        return known

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Bibliography:
        """Build the fields from CSL-JSON such as `as_dict` makes; what else stands there is left out.

        Raises:
            InputError: it is no mapping, or a value does not have its form.
        """
        given = cast("Mapping[str, Any]", of_kind(data, Mapping, "bibliography", "a mapping of CSL-JSON"))
        values: dict[str, Any] = {
            one.name: given[name]
            for one in fields(cls)
            if (name := _CSL_NAMES.get(one.name, one.name)) in given
        }
        if "author" in values:
            names = items_of(values["author"], "author", "a list of names")
            values["author"] = tuple(_author_of(name) for name in names)
        if isinstance(values.get("issued"), Mapping):
            values["issued"] = _issued_of(cast("Mapping[str, Any]", values["issued"]))
        return cls(**values)


def _author_of(name: object) -> Author:
    parts = cast("Mapping[str, Any]", of_kind(name, Mapping, "author", "a list of names in CSL-JSON"))
    return Author(**{one.name: parts[one.name] for one in fields(Author) if one.name in parts})


def _issued_of(issued: Mapping[str, Any]) -> str:
    parts: object = issued.get("date-parts")
    if isinstance(parts, list) and parts and isinstance(parts[0], list):
        numbers = cast("list[object]", parts[0])
        if all(isinstance(number, int) for number in numbers):
            return "-".join(f"{number:0{2 if place else 4}}" for place, number in enumerate(numbers))
    msg = "`issued` is a date in CSL-JSON: {'date-parts': [[2026, 3, 18]]}."
    raise InputError(msg, field="issued")


def _line(value: str) -> str:
    return normalise(one_line(value, _LINE))


def _short(value: str) -> str:
    return normalise(one_line(value, _SHORT))


def _type(value: str) -> str | None:
    return value if value in TYPES else None


def _doi(value: str) -> str | None:
    found = _DOI.fullmatch(value.rstrip(".,;"))
    return found[1] if found is not None else None


def _issued(value: str) -> str | None:
    found = _DATE.fullmatch(value)
    if found is None:
        return None
    parts = [int(part) for part in found.groups() if part is not None]
    try:
        date(*[*parts, 1, 1][:3])
    except ValueError:
        return None
    return "-".join([f"{parts[0]:04}", *(f"{part:02}" for part in parts[1:])])


def _language(value: str) -> str | None:
    return value.replace("_", "-") if _LANGUAGE.fullmatch(value) is not None else None


def _isbn(value: str) -> str | None:
    found = _ISBN.fullmatch(value)
    if found is None:
        return None
    digits = found[1].replace("-", "").replace(" ", "").upper()
    if len(digits) == 10:  # noqa: PLR2004 - ISO 2108 before 2007
        return digits if _weighed(digits) % 11 == 0 else None
    total = sum(int(digit) * (1, 3)[place % 2] for place, digit in enumerate(digits) if digit != "X")
    return digits if len(digits) == 13 and "X" not in digits and total % 10 == 0 else None  # noqa: PLR2004


def _issn(value: str) -> str | None:
    found = _ISSN.fullmatch(value)
    if found is None or _weighed("".join(found.groups()).upper()) % 11:
        return None
    return f"{found[1]}-{found[2].upper()}"


def _weighed(digits: str) -> int:
    """Return the sum of digits, each times its place from the right; `X` is ten."""
    values = (10 if digit == "X" else int(digit) for digit in digits)
    return sum(value * (len(digits) - place) for place, value in enumerate(values))


_FORMS: Final[dict[str, tuple[Callable[[str], str | None], str]]] = {
    "type": (_type, "a kind of work as CSL names it, such as book, report or article-journal"),
    "issued": (_issued, "a year, a month or a day, such as 2026, 2026-03 or 2026-03-18"),
    "publisher": (_line, "a string"),
    "container_title": (_line, "a string"),
    "volume": (_short, "a string"),
    "issue": (_short, "a string"),
    "page": (_short, "a string"),
    "doi": (_doi, "a DOI such as 10.1000/182"),
    "isbn": (_isbn, "an ISBN of 10 or 13 digits whose check digit is right"),
    "issn": (_issn, "an ISSN of 8 digits whose check digit is right"),
    "language": (_language, "a language tag such as en or de-CH"),
}
"""What makes each field's one form of what is given, None where it has none, and what it should be."""

_CSL_NAMES: Final = {
    "container_title": "container-title",
    "doi": "DOI",
    "isbn": "ISBN",
    "issn": "ISSN",
}
"""The names of CSL that are no names of Python."""

NO_BIBLIOGRAPHY: Final = Bibliography()
"""Of a document of which nothing is known but its title."""
