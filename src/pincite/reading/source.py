"""Source code -> Document: the text as it is, with its lines, and the definitions that enclose them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NamedTuple

from pincite.core.document import Heading
from pincite.core.text import one_line
from pincite.reading._decoding import decode
from pincite.reading._languages import FAMILIES, SOURCE_SUFFIXES
from pincite.reading._prose import check_bytes, made

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.core.document import Document
    from pincite.core.limits import Limits

# Where a definition begins, language by language: the words in front of a name, at the beginning of a line. Every
# run is bounded or possessive, so each line is looked at in linear time.
_NAME = r"(?P<name>[^\W\d][\w$.:]{0,100}+[?!]?)"
_PYTHON = rf"(?:async +)?(?:def|class) +{_NAME}"
_SCRIPT = (
    r"(?:export +)?(?:default +)?(?:declare +)?(?:abstract +)?(?:async +)?"
    r"(?:function\*? +|class +|interface +|enum +|namespace +"
    r"|(?:const|let|var) +(?=[\w$]{1,100} *[:=][^\n]{0,200}(?:=>|function)))"
    rf"{_NAME}"
)
_CURLY = (
    r"(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|override|partial|inline|case"
    r"|pub(?:\([a-z: ]{1,20}\))?|unsafe|async|const|export|suspend|virtual|mutating|fileprivate) +){0,8}"
    r"(?:class|interface|enum(?: class)?|struct|record|object|trait|protocol|extension|namespace|module|mod|union"
    rf"|func|fun|fn|function|impl(?:<[^<>\n]{{0,80}}>)?) +{_NAME}"
)
_GO = rf"(?:func +(?:\([^()\n]{{0,100}}\) *)?|type +){_NAME}"
_RUBY = rf"(?:def +(?:self\.)?|class +|module +){_NAME}"
_SHELL = rf"(?:function +)?{_NAME} *\(\) *\{{"
_R = rf"{_NAME} *(?:<-|=) *function *\("
_LUA = rf"(?:local +)?function +{_NAME}"
_ELIXIR = rf"(?:defmodule|defp?|defmacro) +{_NAME}"
_PERL = rf"(?:sub|package) +{_NAME}"
_SQL = (
    r"(?i:create +(?:or +replace +)?(?:temp(?:orary)? +)?(?:table|view|materialized +view|function|procedure"
    rf"|trigger|type) +(?:if +not +exists +)?){_NAME}"
)
_SECTION = r"\[{1,2}(?P<name>[^\[\]\n]{1,100})\]{1,2} *$"

_RULES: Final = {
    "python": _PYTHON,
    "script": _SCRIPT,
    "curly": _CURLY,
    "go": _GO,
    "ruby": _RUBY,
    "shell": _SHELL,
    "r": _R,
    "lua": _LUA,
    "elixir": _ELIXIR,
    "perl": _PERL,
    "sql": _SQL,
    "sections": _SECTION,
}
"""The rule of each family of languages."""
_FAMILY_OF: Final = {suffix: family for family, suffixes in FAMILIES.items() for suffix in suffixes.split()}
_OPEN_ENDED = "sections"
"""The family whose sections go on to the next one."""


@cache
def _rule(family: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<indent>[ \t]{{0,200}}+){_RULES[family]}")


# What stands right over a definition and belongs to it: comments, decorators, attributes. Anchored, one look.
_OVER = re.compile(r"[ \t]{0,200}+(?:@|#|//|/\*|\*|--|;|\[|<!--)")
# A line that ends something and is no code of its own, and one that goes on: anchored, one class.
_CLOSING = re.compile(
    r"[ \t]*+(?:[)\]}>;,]|end\b|else\b|elif\b|except\b|finally\b|catch\b|case\b|\"\"\"|''')"
)
_LINE = re.compile(r"[^\n]*+\n?")
_MOST_OVER = 50
"""Lines over a definition that are looked at."""


class _Definition(NamedTuple):
    title: str
    indent: int


class SourceReader:
    """Reads source code and configuration. Nothing is parsed: definitions are told by how their first line begins."""

    name = "source"
    version = "1"
    media_types = ("text/x-source",)
    suffixes = SOURCE_SUFFIXES

    def read(self, data: bytes, *, name: str, limits: Limits) -> Document:
        """Return the document in `data`; its lines are those of the file, its outline the definitions in it.

        What stands behind a definition and belongs to none is under the file's name.

        Raises:
            TooLargeError: the file or its text is over a limit.
            DamagedError: it holds binary data.
            EmptyError: nothing in it is visible.
        """
        check_bytes(data, name=name, limits=limits)
        text = decode(data, name=name)
        path = PurePath(name.replace("\\", "/"))
        title = one_line(path.name, limits.title_code_points)
        family = _FAMILY_OF.get(path.suffix.lower())
        return made(
            text,
            name=name,
            title=title,
            media_type=self.media_types[0],
            reader=f"{self.name}/{self.version}",
            limits=limits,
            outline=tuple(_outline(text, family, title, limits.title_code_points))
            if family is not None
            else (),
        )


def _outline(text: str, family: str, title: str, longest: int) -> Iterator[Heading]:
    """Yield a heading for each definition, under those that enclose it by their indent."""
    rule = _rule(family)
    opened: list[_Definition] = []
    over: list[int] = []
    place = 0
    while place < len(text):
        line = _LINE.match(text, place)
        after = line.end() if line is not None else len(text)
        stripped = text[place:after].strip()
        if not stripped:
            over = []
        elif (found := rule.match(text, place, after)) is not None:
            indent = len(found["indent"].expandtabs(4))
            while opened and opened[-1].indent >= indent:
                opened.pop()
            name = one_line(found["name"].rstrip(".:"), longest) or title
            opened.append(_Definition(name, indent))
            yield Heading(name, len(opened), over[0] if over else place)
            over = []
        elif _OVER.match(text, place) is not None:
            over = [*over[-_MOST_OVER:], place]
        else:
            # Code beside the outermost definition, and not its closing mark, belongs to none.
            raw = text[place:after]
            indent = len(raw[: len(raw) - len(raw.lstrip())].expandtabs(4))
            if (
                opened
                and indent <= opened[0].indent
                and family != _OPEN_ENDED
                and _CLOSING.match(raw) is None
            ):
                yield Heading(title, 1, over[0] if over else place)
                opened = []
            over = []
        place = after
