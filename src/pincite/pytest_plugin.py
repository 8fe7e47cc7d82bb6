"""Fixtures for other people's tests: the consistency contract of tools, and the hostile sources of `pincite.testing`.

pytest loads this module wherever pincite is installed, so it imports nothing of pincite's until a test asks for one of
them. `-p no:pincite` leaves it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pydantic_ai.models.function import FunctionModel

    from pincite.citing import CitationRun, CitationStore
    from pincite.testing import AttackFile, AttackPassage, AttackQuote, AttackText

_ATTACKS = {
    "attack_file": "ATTACK_FILES",
    "attack_flood": "ATTACK_FLOODS",
    "attack_name": "ATTACK_NAMES",
    "attack_passage": "ATTACK_PASSAGES",
    "attack_quote": "ATTACK_QUOTES",
    "attack_text": "ATTACK_TEXTS",
    "attack_title": "ATTACK_TITLES",
    "attack_url": "ATTACK_URLS",
}
"""The fixtures that run a test once for each case, and the list of `pincite.testing` that holds the cases."""


class CitationContract:
    """A store for the tools under test, and what was shown of it.

    `wire_format` is the one that payloads are held against: `inline_url`, whose key is `source_url`, until `run` is
    called with another.
    """

    def __init__(self, wire_format: str = "inline_url") -> None:
        from pincite.citing import CitationStore

        self.store: CitationStore = CitationStore()
        self.wire_format = wire_format
        self._checked: list[object] = []

    def run(self, wire_format: str | None = None, **settings: Any) -> CitationRun:  # noqa: ANN401 - those of `CitationRun`
        """Return a run over this contract's store, for tools that present through one.

        `settings` are those of `CitationRun`, without its conversation. Payloads are held against its wire format
        from now on.

        Raises:
            InputError: there is no such wire format, or a setting is at fault.
        """
        from pincite.citing import CitationRun, ConversationState

        name = wire_format if wire_format is not None else self.wire_format
        run = CitationRun(name, conversation=ConversationState(store=self.store), **settings)
        self.wire_format = run.format.name
        return run

    def check(self, *payloads: object, instructions: str | None = None) -> None:
        """Hold what tools hand to the model against the store and, where given, against the instruction.

        What was registered must have been shown by the end of the test, in this check or in another.

        Raises:
            CitationContractError: a payload breaks the contract; it is an `AssertionError` and lists every breach.
        """
        __tracebackhide__ = True
        from pincite.citing.contract import BreachKind, audit, report

        self._checked.extend(payloads)
        found = audit(payloads, store=self.store, wire_format=self.wire_format, instructions=instructions)
        report([one for one in found if one.kind is not BreachKind.REGISTERED_NOT_SHOWN], "raise")

    def finish(self) -> None:
        """Hold what was registered against all that was checked; the fixture does so when the test has passed.

        Raises:
            CitationContractError: an object was registered and no checked payload showed it.
        """
        __tracebackhide__ = True
        from pincite.citing.contract import BreachKind, audit, report

        found = audit(self._checked, store=self.store, wire_format=self.wire_format)
        report([one for one in found if one.kind is BreachKind.REGISTERED_NOT_SHOWN], "raise")


@pytest.fixture
def citation_contract(request: pytest.FixtureRequest) -> Iterator[CitationContract]:
    """Hold tools to the consistency contract: register in its `store`, then `check` what they return.

    At the end of a test that has passed, every registered object must have been shown in a checked payload.
    """
    contract = CitationContract()
    failed = request.session.testsfailed
    yield contract
    # A test that failed has said why, and perhaps never came to its checks.
    if request.session.testsfailed == failed:
        contract.finish()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for an attack once for each of its cases, under their names."""
    wanted = [name for name in _ATTACKS if name in metafunc.fixturenames]
    if not wanted:
        return
    from pincite import testing

    given = {one for mark in metafunc.definition.iter_markers("parametrize") for one in _names(mark)}
    for name in wanted:
        # A test that brings cases of its own has them alone.
        if name not in given:
            cases = getattr(testing, _ATTACKS[name])
            metafunc.parametrize(name, cases, ids=[case.name for case in cases], indirect=True)


def _names(mark: pytest.Mark) -> list[str]:
    """Return the arguments that a mark of `parametrize` brings."""
    named = mark.args[0] if mark.args else mark.kwargs.get("argnames", "")
    return [one.strip() for one in (named.split(",") if isinstance(named, str) else named)]


@pytest.fixture
def attack_file(request: pytest.FixtureRequest) -> AttackFile:
    """Each of the hostile files: its `name`, its bytes by `data()`, and what it `wants` of a reader."""
    return request.param


@pytest.fixture
def attack_flood(request: pytest.FixtureRequest) -> AttackText:
    """Each of the texts of a megabyte that are made to be slow: its `text`."""
    return request.param


@pytest.fixture
def attack_name(request: pytest.FixtureRequest) -> AttackText:
    """Each of the hostile names of files: its `text`."""
    return request.param


@pytest.fixture
def attack_passage(request: pytest.FixtureRequest) -> AttackPassage:
    """Each of the hostile passages: its `text`, `title` and `url`."""
    return request.param


@pytest.fixture
def attack_quote(request: pytest.FixtureRequest) -> AttackQuote:
    """Each of the false quotes: the `quote` and its `source`, and the `honest` quote of it."""
    return request.param


@pytest.fixture
def attack_text(request: pytest.FixtureRequest) -> AttackText:
    """Each of the hostile texts of a model: its `text`, or `citing(marker)` with a citation that is in order."""
    return request.param


@pytest.fixture
def attack_title(request: pytest.FixtureRequest) -> AttackText:
    """Each of the hostile titles: its `text`."""
    return request.param


@pytest.fixture
def attack_url(request: pytest.FixtureRequest) -> AttackText:
    """Each of the hostile addresses: its `text`."""
    return request.param


@pytest.fixture
def hostile_model(attack_text: AttackText) -> FunctionModel:
    """For each of the hostile texts, a model of pydantic-ai that calls all tools once and then answers with it."""
    pytest.importorskip(
        "pydantic_ai", reason="A hostile model needs pydantic-ai: pip install 'pincite[agents]'."
    )
    from pincite.testing import hostile_model

    return hostile_model(attack_text)


@pytest.fixture
def hostile_tools(attack_passage: AttackPassage) -> list[Callable[[str], list[dict[str, str]]]]:
    """For each of the hostile passages, the tools of an agent: a search that finds it."""
    from pincite.testing import hostile_tools

    return hostile_tools(attack_passage)
