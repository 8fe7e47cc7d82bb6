"""A pytest fixture that holds tools to the consistency contract: what they show is what they register.

pytest loads this module wherever pincite is installed, so it imports nothing of pincite's until a test asks for the
fixture. `-p no:pincite` leaves it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pincite.citing import CitationRun, CitationStore


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
