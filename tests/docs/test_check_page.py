"""The page about the check prints what it shows under each block, ids aside."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "check-citations.md"
# What differs from one document to the next: eight hex digits on either side of what was left out. Linear.
SHORTENED = re.compile(r"\b[0-9a-f]{8}\.\.\.[0-9a-f]{8}\b")


def test_the_page_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its Python blocks run one after another; each text block is the output of the one before it."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, Any] = {"__name__": "docs"}
    printed, shown = "", 0
    for token in MarkdownIt().parse(PAGE.read_text(encoding="utf-8")):
        if token.type == "fence" and token.info == "python":
            assert printed == "", "a block printed what the page does not show"
            exec(token.content, namespace)  # noqa: S102 - running them is the point
            printed = capsys.readouterr().out
        elif token.type == "fence" and token.info == "text":
            assert SHORTENED.sub("<id>", printed) == SHORTENED.sub("<id>", token.content)
            printed, shown = "", shown + 1
    assert printed == ""
    assert shown == 8
