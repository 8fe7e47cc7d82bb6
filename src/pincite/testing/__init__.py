"""A test kit of hostile sources: files, texts, quotes and names that attack, and checks for what becomes of them.

It knows nothing of how anything is read, shown or answered, so that it holds other people's code to the same as ours.
"""

from __future__ import annotations

from pincite.testing.addresses import assert_no_address
from pincite.testing.agents import hostile_model, hostile_tools
from pincite.testing.bounded import Bounded, assert_bounded
from pincite.testing.cases import AttackFile, AttackPassage, AttackQuote, AttackText, Wants
from pincite.testing.files import ATTACK_FILES
from pincite.testing.inert import assert_inert_html, assert_inert_markdown
from pincite.testing.names import ATTACK_NAMES, ATTACK_TITLES, ATTACK_URLS
from pincite.testing.passages import ATTACK_PASSAGES
from pincite.testing.quotes import ATTACK_QUOTES
from pincite.testing.texts import ATTACK_FLOODS, ATTACK_TEXTS

__all__ = [
    "ATTACK_FILES",
    "ATTACK_FLOODS",
    "ATTACK_NAMES",
    "ATTACK_PASSAGES",
    "ATTACK_QUOTES",
    "ATTACK_TEXTS",
    "ATTACK_TITLES",
    "ATTACK_URLS",
    "AttackFile",
    "AttackPassage",
    "AttackQuote",
    "AttackText",
    "Bounded",
    "Wants",
    "assert_bounded",
    "assert_inert_html",
    "assert_inert_markdown",
    "assert_no_address",
    "hostile_model",
    "hostile_tools",
]
