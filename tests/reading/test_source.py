"""Source code keeps its lines, and its sections are the definitions in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import DamagedError, ReadingError
from pincite.core.limits import DEFAULT
from pincite.reading.chunking import chunk
from pincite.reading.source import SourceReader

if TYPE_CHECKING:
    from pincite.core.document import Document


def read(source: str, name: str = "parser.py") -> Document:
    """Return the document of some code."""
    return SourceReader().read(source.encode(), name=name, limits=DEFAULT)


def outline(source: str, name: str) -> list[tuple[int, str, int]]:
    """Return level, title and line of each heading."""
    document = read(source, name)
    return [(one.level, one.title, 1 + document.text.count("\n", 0, one.start)) for one in document.outline]


PYTHON = '''import os


# Says hello.
@cached
def hello(name):
    if name:
        return 1


class Greeter:
    """Greets."""

    async def greet(self):
        pass

LIMIT = 3
'''


def test_python() -> None:
    """What stands over a definition belongs to it; what comes behind and belongs to none is the file's."""
    assert outline(PYTHON, "a/parser.py") == [
        (1, "hello", 4),
        (1, "Greeter", 11),
        (2, "greet", 14),
        (1, "parser.py", 17),
    ]


@pytest.mark.parametrize(
    ("name", "source", "titles"),
    [
        (
            "a.ts",
            "export default class A {\n  f() {}\n}\nexport async function go() {\n}\nconst h = (x) => x;",
            "A go h",
        ),
        ("a.java", "public final class A {\n}\n", "A"),
        ("a.go", "func (a *A) Do(x int) error {\n}\ntype X struct {\n}\n", "Do X"),
        ("a.rs", "#[test]\npub(crate) async fn run() {\n}\nimpl<T> A {\n}\n", "run A"),
        ("a.rb", "module M\n  def self.go?\n  end\nend\n", "M go?"),
        ("a.sh", "build() {\n}\nfunction test() {\n}\n", "build test"),
        ("a.r", "area <- function(x) x\n", "area"),
        ("a.lua", "local function f()\nend\n", "f"),
        ("a.ex", "defmodule A.B do\n  def c(x), do: x\nend\n", "A.B c"),
        ("a.pl", "sub go {\n}\n", "go"),
        ("a.sql", "CREATE OR REPLACE VIEW v AS\nselect 1;\n", "v a.sql"),
        ("a.toml", "[tool.x]\na = 1\n[[b]]\nc = 2\n", "tool.x b"),
        ("a.php", "class A {\n  public static function f() {}\n}\n", "A f"),
        ("a.yaml", "a:\n  b: 1\n", ""),
        ("a.c", "int main(void) {\n}\n", ""),
    ],
)
def test_languages(name: str, source: str, titles: str) -> None:
    """Definitions are told by their first words; where that is not sure there are none."""
    assert [title for _, title, _ in outline(source, name)] == titles.split()


def test_a_passage_has_its_lines_and_its_function() -> None:
    """A citation of code names the file, the lines and the function."""
    passages = chunk(read(PYTHON), "00000000-0000-0000-0000-000000000000")
    places = [passage.locator.describe() for passage in passages]
    assert places[1] == "lines 4-8, hello"
    assert passages[1].locator.line_end == 8


def test_text_as_it_is() -> None:
    """Nothing is changed but line ends and the normal form."""
    document = read("a = 1\r\n\tb = 'é'\r\n")
    assert document.text == "a = 1\n\tb = 'é'\n"
    assert document.line_numbers is None
    assert document.title == "parser.py"


def test_binary_data() -> None:
    """Data under a name of code are no text."""
    with pytest.raises(DamagedError, match=r"parser\.py"):
        SourceReader().read(bytes(range(32)) * 100, name="parser.py", limits=DEFAULT)


@pytest.mark.parametrize("name", ["a.py", "a.java", "a.ts", "a.sql", "a.toml"])
@pytest.mark.parametrize(
    "piece", ["public ", " ", "def ", "impl<", "export ", "@a\n", "const a = ", "[", "\t"]
)
def test_hostile(name: str, piece: str) -> None:
    """A long line, and many lines that begin like something, are read at once."""
    assert read(piece * 100_000 + "\nx", name).text.endswith("x")


@given(
    st.text(st.sampled_from("def class\n\t {}()#@[]x"), max_size=200),
    st.sampled_from(["a.py", "a.rs", "a.ini"]),
)
def test_anything(source: str, name: str) -> None:
    """Headings are in order, whatever the text."""
    try:
        document = read(source, name)
    except ReadingError:
        return
    starts = [one.start for one in document.outline]
    assert starts == sorted(starts)
