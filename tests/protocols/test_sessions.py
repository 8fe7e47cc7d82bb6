"""Sessions: tokens that only their issuer makes, and names that no token reaches."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import SettingError
from pincite.protocols.mcp import Sessions, kept_secret

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "a secret of the tests, long enough to sign"


def test_what_is_issued_is_known_again() -> None:
    """On every server with the same secret, as the same client, and each token is another."""
    first, second = Sessions(SECRET), Sessions(SECRET)
    tokens = [first.issue() for _ in range(50)]
    keys = [first.client(token) for token in tokens]
    assert None not in keys
    assert len(set(keys)) == 50
    assert [second.client(token) for token in tokens] == keys


def test_a_server_with_another_secret_knows_none() -> None:
    """Its tokens are as foreign as made-up ones."""
    assert Sessions("x" * 32).client(Sessions(SECRET).issue()) is None


def test_a_token_is_fit_for_a_header() -> None:
    """Visible ASCII, as the protocol asks."""
    token = Sessions(SECRET).issue()
    assert token.isascii()
    assert token.isprintable()
    assert " " not in token
    assert len(token) < 64


@given(st.text() | st.from_regex(r"pincite-[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{22}", fullmatch=True))
def test_nobody_makes_one_up(made_up: str) -> None:
    """Whatever a client sends, what was not issued names nobody."""
    assert Sessions(SECRET).client(made_up) is None


def test_one_changed_character_makes_it_foreign() -> None:
    """Also the last, where the encoding has bits to spare."""
    sessions = Sessions(SECRET)
    token = sessions.issue()
    for place in range(len(token)):
        for other in "Aa0_-. \u00e9":
            if token[place] != other:
                assert sessions.client(token[:place] + other + token[place + 1 :]) is None


def test_the_kept_name_is_not_the_token() -> None:
    """Who reads what is kept cannot act as a client."""
    sessions = Sessions(SECRET)
    token = sessions.issue()
    key = sessions.client(token)
    assert key is not None
    assert token[8:30] not in key
    assert sessions.client(key) is None


def test_names_and_tokens_do_not_meet() -> None:
    """A name is none of the tokens, whatever it says, and kinds of names are apart."""
    sessions = Sessions(SECRET)
    token = sessions.issue()
    key = sessions.client(token)
    assert sessions.named("name", token) != key
    assert sessions.named("name", token[8:30]) != key
    assert sessions.named("name", "a") != sessions.named("program", "a")
    assert sessions.named("na", "me:a") != sessions.named("name", "a")
    assert sessions.named("name", "\ud800") == sessions.named("name", "?")


def test_a_short_secret_is_refused() -> None:
    """A word is no secret."""
    with pytest.raises(SettingError, match="32 characters"):
        Sessions("changeit")


def test_the_secret_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    """Made once, read again, for nobody else to read; nothing is left beside it."""
    secret = kept_secret(tmp_path)
    assert len(secret) >= 32
    assert kept_secret(tmp_path) == secret
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o077 == 0


def test_processes_that_start_together_agree(tmp_path: Path) -> None:
    """However many make it at the same moment, all get the one that stays."""
    found: list[str] = []
    gate = threading.Barrier(8)

    def make() -> None:
        gate.wait()
        found.append(kept_secret(tmp_path))

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) == {kept_secret(tmp_path)}


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    """It names the setting that helps, and no path."""
    with pytest.raises(SettingError, match="PINCITE_MCP_SECRET") as caught:
        kept_secret(tmp_path / "missing")
    assert str(tmp_path) not in caught.value.message


def test_a_damaged_secret_is_a_sentence(tmp_path: Path) -> None:
    """It says what to do."""
    (tmp_path / "mcp-secret").write_text("short", encoding="ascii")
    with pytest.raises(SettingError, match="delete it"):
        kept_secret(tmp_path)
