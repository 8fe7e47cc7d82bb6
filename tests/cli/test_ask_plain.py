"""What `pincite ask` prints is for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite


def test_finding_backslashes_of_markdown_are_shown_in_the_terminal(pincite: Pincite, tmp_path: Path) -> None:
    """The text has none; the Markdown of the JSON keeps them, so that it shows the same."""
    file = tmp_path / "relay.md"
    file.write_text("# Relay\n\nThe setting relay.pulse is the default of the pump.\n", encoding="utf-8")
    assert pincite("add", str(file)).code == 0
    asked = ("ask", "What is the default of the pump?", "--new", "--no-image")
    assert pincite(*asked).out.splitlines()[0] == "The setting relay.pulse is the default of the pump. [1]"
    done = pincite(*asked, "--json").data
    assert done["answer"] == "The setting relay\\.pulse is the default of the pump. [1]"
