"""What a passage is made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile, much
from pincite.core.parts import PartKind, parts_of

SENTENCE, ITEM, ROW = PartKind.SENTENCE, PartKind.ITEM, PartKind.ROW
CODE, OPEN = PartKind.CODE, PartKind.OPEN
HEADER, HEADING = PartKind.HEADER, PartKind.HEADING


def told(text: str) -> list[tuple[PartKind, str]]:
    """Return the parts of a text with their words."""
    return [(part.kind, text[part.start : part.end]) for part in parts_of(text)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It opens. It\ncloses.", [(SENTENCE, "It opens."), (SENTENCE, "It\ncloses.")]),
        # Headings stand by themselves over something that is said.
        (
            "Relay\n\n2.1 Settings\n\nTwo modes.",
            [(HEADING, "Relay"), (HEADING, "2.1 Settings"), (SENTENCE, "Two modes.")],
        ),
        ("# Relay\nTwo modes.", [(HEADING, "# Relay"), (SENTENCE, "Two modes.")]),
        ("Budget 2024\n\nIt grew.", [(HEADING, "Budget 2024"), (SENTENCE, "It grew.")]),
        (
            "Two modes.\n\nShopping\n\n- milk",
            [(SENTENCE, "Two modes."), (HEADING, "Shopping"), (ITEM, "- milk")],
        ),
        # With nothing under it a line may be anything.
        ("5.1 Approval", [(OPEN, "5.1 Approval")]),
        ("It opens.\n\nThe end", [(SENTENCE, "It opens."), (OPEN, "The end")]),
        # An amount is no heading.
        ("Dinner 32 EUR\n\nIt opens.", [(OPEN, "Dinner 32 EUR"), (SENTENCE, "It opens.")]),
        # A title right above its text: the next word would have fitted on its line.
        (
            "Approval of travel\nTrips over 500 EUR need the approval of the director.",
            [
                (HEADING, "Approval of travel"),
                (SENTENCE, "Trips over 500 EUR need the approval of the director."),
            ],
        ),
        # A line that was wrapped is none.
        ("The form goes to\nAda Berg now.", [(SENTENCE, "The form goes to\nAda Berg now.")]),
        # Items without stops.
        ("- Open it\n- Close the\n  lid", [(ITEM, "- Open it"), (ITEM, "- Close the\n  lid")]),
        ("1. Open it\n2. Close it", [(ITEM, "1. Open it"), (ITEM, "2. Close it")]),
        # Records, as our readers write them.
        (
            "- name: Pump; price: 3\n- name: Lid; price: 4",
            [(ROW, "- name: Pump; price: 3"), (ROW, "- name: Lid; price: 4")],
        ),
        ("Code | Price\nFM | 618.00", [(HEADER, "Code | Price"), (ROW, "FM | 618.00")]),
        ("FM | 618.00\nDL | 410.00", [(ROW, "FM | 618.00"), (ROW, "DL | 410.00")]),
        ("Item | 2022 | 2023\nTea | 4 | 5", [(HEADER, "Item | 2022 | 2023"), (ROW, "Tea | 4 | 5")]),
        (
            "Item: Tea | Price: 4\nItem: Egg | Price: 5",
            [(ROW, "Item: Tea | Price: 4"), (ROW, "Item: Egg | Price: 5")],
        ),
        (
            "| Plan | Price |\n|---|---|\n| Basic | 20 |",
            [(HEADER, "| Plan | Price |"), (HEADER, "|---|---|"), (ROW, "| Basic | 20 |")],
        ),
        # Lines with an amount each, and no bars.
        (
            "Meal Price\nLunch 12\nDinner 15\nTea 3",
            [(HEADER, "Meal Price"), (ROW, "Lunch 12"), (ROW, "Dinner 15"), (ROW, "Tea 3")],
        ),
        # A bar in prose is none between cells.
        ("The value P(A | B) is\nsmall.", [(SENTENCE, "The value P(A | B) is\nsmall.")]),
        (
            'Run this:\n\nimport relay\nrelay.start(mode="pulse")\nrelay.stop()',
            [
                (SENTENCE, "Run this:"),
                (CODE, "import relay"),
                (CODE, 'relay.start(mode="pulse")'),
                (CODE, "relay.stop()"),
            ],
        ),
        ("{\n  mode = 3;\n}", [(CODE, "{"), (CODE, "mode = 3;"), (CODE, "}")]),
        ("", []),
        (" \n", []),
    ],
)
def test_parts(text: str, parts: list[tuple[PartKind, str]]) -> None:
    """Told by how lines are set."""
    assert told(text) == parts


def test_a_row_knows_its_header() -> None:
    """One whose cells have their names in front needs none."""
    headers = [
        part.header for part in parts_of("Code | Price\nFM | 618\nCode: DL | Price: 410\n\nTea | 3\nEgg | 4")
    ]
    assert headers == [None, 0, None, None, None]


@given(st.text(alphabet="Ab. \n|1#-:;(){}=", max_size=120))
def test_parts_hold_all_ink_in_order(text: str) -> None:
    """Each character that is no white space stands in one part."""
    at, ink = 0, ""
    for part in parts_of(text):
        assert at <= part.start < part.end <= len(text)
        assert text[part.start : part.end] == text[part.start : part.end].strip()
        at = part.end
        ink += text[part.start : part.end]
    assert "".join(ink.split()) == "".join(text.split())


@hostile
def test_a_megabyte_is_parted_in_linear_time() -> None:
    """The guard against hanging would notice."""
    for worst in (
        much("a | b "),
        much("a: b; "),
        much("a | b\n"),
        much("a"),
        much("x=(\n"),
    ):
        parts_of(worst)
        parts_of(f"- {worst}")
