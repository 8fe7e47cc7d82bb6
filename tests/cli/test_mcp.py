"""`pincite mcp` before it serves: what it refuses, and with which code. That it serves is told in `tests/protocols`."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from pincite.core.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from cli.conftest import Pincite


def test_a_library_without_the_collection_is_not_found(pincite: Pincite) -> None:
    """A sentence that says what makes it, on standard error alone: standard output is the protocol's."""
    done = pincite("mcp")
    assert (done.code, done.out) == (3, "")
    assert done.err == "pincite: There is no collection 'default' yet; `pincite add PATH` makes it.\n"


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--collection", "default", "--collection", "none"), 3, "no collection 'none'"),
        (("--document", "nowhere, at all.md"), 3, "No document is named 'nowhere, at all.md'"),
        (("--session", " "), 2, "not empty"),
        (("--http", "--host", "0.0.0.0"), 2, "PINCITE_MCP_TOKEN"),  # noqa: S104
        (("--http", "--host", "192.0.2.1"), 2, "PINCITE_MCP_TOKEN"),
        (("--http", "--host", "nowhere.invalid"), 2, "PINCITE_MCP_TOKEN"),
        (("--http", "--port", "0"), 2, "port"),
        (("--allow-host", "docs.example.org"), 2, "--http"),
    ],
)
def test_what_cannot_be_served_is_a_sentence(
    pincite: Pincite, options: tuple[str, ...], code: int, words: str
) -> None:
    """One line on standard error, nothing on standard output."""
    done = pincite("mcp", *options)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert done.err.count("\n") == 1


@pytest.mark.usefixtures("examples")
def test_every_address_needs_names(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a token it may listen everywhere, once it is told what it is called."""
    monkeypatch.setenv("PINCITE_MCP_TOKEN", "a-token-of-the-tests")
    done = pincite("mcp", "--http", "--host", "0.0.0.0")  # noqa: S104
    assert done.code == 2
    assert "--allow-host" in done.err


@pytest.mark.usefixtures("examples")
def test_a_port_that_is_taken_is_a_sentence(pincite: Pincite) -> None:
    """Not a traceback of the server's."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = pincite("mcp", "--http", "--port", str(taken.getsockname()[1]))
    assert (done.code, done.out) == (2, "")
    assert "Cannot listen on 127.0.0.1" in done.err


@pytest.mark.usefixtures("examples")
def test_a_weak_secret_is_refused(pincite: Pincite, monkeypatch: pytest.MonkeyPatch) -> None:
    """The setting is named."""
    monkeypatch.setenv("PINCITE_MCP_SECRET", "changeit")
    done = pincite("mcp")
    assert done.code == 2
    assert "32 characters" in done.err


def test_secrets_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings that are printed by a program hold neither of them."""
    monkeypatch.setenv("PINCITE_MCP_SECRET", "s" * 40)
    monkeypatch.setenv("PINCITE_MCP_TOKEN", "t" * 40)
    settings = Settings.from_env()
    assert settings.mcp_secret == "s" * 40
    assert settings.mcp_token == "t" * 40
    assert "sss" not in repr(settings)
    assert "ttt" not in repr(settings)


def test_the_secret_is_kept_in_the_library(pincite: Pincite, examples: Path) -> None:
    """It is made when a server starts over it, also one that then cannot."""
    assert pincite("mcp", "--document", "nowhere").code == 3
    assert (examples / "mcp-secret").stat().st_mode & 0o077 == 0
