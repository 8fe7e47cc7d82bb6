"""The page about the kit: its tests run as they stand there, and pass for the page that it shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    import pytest

pytest_plugins = ("pytester",)
PAGE = Path(__file__).resolve().parents[2] / "docs" / "testing-kit.md"
QUIET = ("-p", "no:cacheprovider", "-p", "no:asyncio")


def blocks() -> list[str]:
    """Return the Python blocks of the page."""
    tokens = MarkdownIt().parse(PAGE.read_text(encoding="utf-8"))
    return [
        token.content for token in tokens if token.type == "fence" and token.info.split()[:1] == ["python"]
    ]


def test_the_tests_of_the_page_pass(pytester: pytest.Pytester) -> None:
    """The first block is a conftest, the others are tests; a page that escapes what it shows passes all of them."""
    first, *rest = blocks()
    pytester.makeconftest(first)
    pytester.makepyfile("\n\n".join(rest))
    result = pytester.runpytest_subprocess(*QUIET, "-x")
    counts = result.parseoutcomes()
    assert set(counts) == {"passed"}, result.stdout.str()
    assert counts["passed"] > 200


def test_a_page_that_does_not_escape_fails(pytester: pytest.Pytester) -> None:
    """The same tests find what is wrong with a page that puts in what it is given."""
    first, second, *_ = blocks()
    naive = first.replace("escape(answer)", "answer").replace("escape(title)", "title + url")
    pytester.makeconftest(naive)
    pytester.makepyfile(second)
    counts = pytester.runpytest_subprocess(*QUIET, "-q", "-k", "not long_answers").parseoutcomes()
    assert counts["failed"] > 30
