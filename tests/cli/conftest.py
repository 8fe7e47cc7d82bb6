"""The command line in this process, over a library that holds the examples."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import pytest

from pincite.cli.main import main
from pincite.search import embed

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True)
class Done:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.out)


class Pincite(Protocol):
    """Runs one command line."""

    def __call__(self, *argv: str) -> Done:
        """Return how it ended."""
        ...


@pytest.fixture(scope="session", autouse=True)
def _one_model() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction] - pytest calls it
    """Load the model once for all commands of this process, as one process does."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_session", "_tokenizer"):
            patch.setattr(embed, name, cache(getattr(embed, name)))
        yield


@pytest.fixture
def pincite(capsys: pytest.CaptureFixture[str]) -> Pincite:
    """Run commands in this process, with the library that `PINCITE_HOME` names."""

    def run(*argv: str) -> Done:
        capsys.readouterr()
        code = main(argv)
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return run


@pytest.fixture(scope="session")
def kept_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with the examples in it; tests that use it must leave its documents as they are."""
    home = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PINCITE_HOME", str(home))
        assert main(["add", str(EXAMPLES), "--json"]) == 0
    return home


@pytest.fixture
def examples(kept_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let commands work on the library with the examples; return its folder."""
    monkeypatch.setenv("PINCITE_HOME", str(kept_home))
    return kept_home
