"""Sentences whose negator makes what follows the surer: `it is no surprise that`."""

from __future__ import annotations

import pytest

from pincite.checking import verify_quote

QUOTE = "the bridge was open to all traffic in May"

ASSURED = [
    "It is not surprising that",
    "It was hardly surprising that",
    "It is no surprise that",
    "It comes as no surprise that",
    "It should not surprise anyone that",
    "There is no doubt that",
    "There can be no doubt that",
    "Nobody doubts that",
    "It goes without saying that",
    "It is no secret that",
    "It is no accident that",
    "It is no coincidence that",
    "It is not a coincidence that",
    "It is no wonder that",
    "There is no question that",
    "There is no denying that",
    "It cannot be denied that",
    "It is not disputed that",
    "It is not in dispute that",
    "It cannot be overlooked that",
    "It must not be forgotten that",
    "One should not forget that",
    "Never forget that",
    "Let us not forget that",
    "It is not news that",
    "It does not matter that",
    "It is no mystery that",
    "It is not unusual that",
    "It is no exaggeration to say that",
    "We need not repeat that",
]
DENIED = [
    "It is not true that",
    "There is no evidence that",
    "It is not known that",
    "It does not follow that",
    "It was never shown that",
    "It is not surprising that nobody said that",
    "It is no secret that it is false that",
    "It is not a secret plan that says that",
    "Not everyone says that",
]


@pytest.mark.parametrize("front", ASSURED)
def test_finding_honest_sentences_behind_no_surprise_are_refused(front: str) -> None:
    """What is no secret is so."""
    check = verify_quote(QUOTE, f"{front} {QUOTE}.")
    assert check.is_verified, check.reason


@pytest.mark.parametrize("front", DENIED)
def test_what_denies_still_denies(front: str) -> None:
    """Also with such words further off."""
    assert not verify_quote(QUOTE, f"{front} {QUOTE}.").is_verified
