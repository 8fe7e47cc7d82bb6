"""Answers with very many citations: told in one pass, each source asked once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hostile import hostile, many

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite


@hostile
@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("unit", ["So it is. [{ref}] ", "and so [{ref}] "])
def test_ten_thousand_citations_are_told_in_one_pass(pincite: Pincite, tmp_path: Path, unit: str) -> None:
    """A long answer costs its length: for many sentences, and for one sentence that holds all of them."""
    ref = pincite("search", "When are receipts due?", "--json").data["results"][0]["ref"]
    answer = tmp_path / "answer.md"
    answer.write_text(unit.format(ref=ref) * many(10_000), encoding="utf-8")
    done = pincite("check", str(answer), "--json")
    assert done.code == 0
    assert [one["number"] for one in done.data["citations"]] == [1] * many(10_000)
    told = pincite("check", str(answer))
    assert told.code == 0
    assert told.out.count("valid") == many(10_000)
