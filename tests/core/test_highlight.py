"""How precisely a citation is highlighted: one setting, which an embed may override."""

from __future__ import annotations

import pytest

from pincite.core import HighlightPrecision, InputError, highlight_precision, resolved_precision


@pytest.mark.parametrize(
    ("agent", "embed", "holds"),
    [
        (None, None, "best_match"),
        ("whole_passage", None, "whole_passage"),
        ("whole_passage", "models_quote", "models_quote"),
        (None, "whole_passage", "whole_passage"),
        ("models_quote", "best_match", "best_match"),
    ],
)
def test_an_embed_follows_its_agent_unless_it_says_otherwise(
    agent: str | None, embed: str | None, holds: str
) -> None:
    """None is "same as the agent"; nothing set at all is the best match."""
    assert resolved_precision(agent, embed) == holds


def test_the_names_are_those_of_the_readers_page() -> None:
    """Three of them, as JSON holds them."""
    assert [str(one) for one in HighlightPrecision] == ["best_match", "whole_passage", "models_quote"]


@pytest.mark.parametrize("name", ["", "Best match", "bestmatch", "page"])
def test_another_name_is_an_error(name: str) -> None:
    """It is told with the field, also where the other of the two settings would hold."""
    with pytest.raises(InputError, match="best_match, whole_passage, models_quote") as told:
        highlight_precision(name)
    assert told.value.field == "highlight"
    with pytest.raises(InputError):
        resolved_precision(name, "best_match")
