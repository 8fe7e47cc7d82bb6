"""One store a request, shared by all of a run."""

from __future__ import annotations

from dishka import make_container

from pincite.citing import CitationRun, CitationStore, ConversationState
from pincite.citing.di import CitationProvider
from pincite.core.refs import RefIssuer


def test_one_run_shares_one_store_and_two_runs_never_do() -> None:
    """Every part of a request sees the same store; another request sees another."""
    container = make_container(CitationProvider())
    stores: list[CitationStore] = []
    for _ in range(2):
        with container() as request:
            run = request.get(CitationRun)
            assert request.get(CitationStore) is run.store
            assert request.get(RefIssuer) is run.refs
            assert request.get(ConversationState) is run.conversation
            stores.append(run.store)
    assert stores[0] is not stores[1]
    container.close()
