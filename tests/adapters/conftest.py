"""What the tests of every framework share: an answer is checked, then shown as a reader has it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pincite import TraceVerdict, check_citations_sync, render_answer
from pincite.showing import sources_list

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
# A Python block of a page that runs: from fence to fence, which stand at the beginning of their lines. Linear.
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pincite import Answer, CitationRun


@pytest.fixture
def page() -> Callable[[CitationRun, Answer], str]:
    """Return what ends every turn: each citation checked, then the numbered answer and its list of sources.

    Its lines come without their indent, which is the list's own matter.
    """

    def checked(run: CitationRun, answer: Answer) -> str:
        passages = [source.passage for citation in answer.citations for source in citation.sources]
        ids = [passage.evidence_id for passage in passages if passage is not None and passage.evidence_id]
        checks = check_citations_sync(ids, run.ledger, scope=run.scope)
        assert [check.verdict for check in checks] == [TraceVerdict.VALID] * len(passages)
        assert [citation.trace for citation in answer.citations] == [TraceVerdict.VALID] * len(
            answer.citations
        )
        assert answer.misses == ()
        rendered = render_answer(answer)
        shown = "\n\n".join([rendered.text, *sources_list(rendered.sources)])
        return "\n".join(line.strip() for line in shown.splitlines())

    return checked


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Callable[[str], str]:
    """Return what runs a page of the documentation up to its whole turn, and returns what that prints.

    The turn is a block of under 20 lines that ends in a printed, numbered answer.
    """

    def run(name: str) -> str:
        namespace: dict[str, Any] = {"__name__": "docs"}
        for block in BLOCK.findall((DOCS / name).read_text(encoding="utf-8")):
            exec(block, namespace)  # noqa: S102 - running it is the point
            if "sources_list(" in block:
                lines = block.rstrip().split("\n")
                assert len(lines) < 20
                assert lines[-1].startswith("print(")
                return capsys.readouterr().out
        pytest.fail(f"{name} has no whole turn.")

    return run
