"""Whatever is added, edited and deleted in whatever order, a library agrees with a few dictionaries."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite.core import ids
from pincite.core.errors import NotFoundError
from pincite.core.scope import Scope
from pincite.core.verdicts import SourceState
from pincite.library import Collection, Library, LibraryEvidence

KEYS = ("upload://a", "upload://b")
Step = tuple[str, str, str, str]
texts = st.lists(st.sampled_from(("red", "green", "blue", "", "ä 🎈")), min_size=1, max_size=4).map("\n".join)
actions = st.one_of(
    st.tuples(st.just("keep"), st.sampled_from(KEYS), texts, st.sampled_from(("", "\r"))),
    st.tuples(st.just("delete"), st.sampled_from(KEYS), st.just(""), st.just("")),
    st.tuples(st.just("embed"), st.just(""), st.just(""), st.just("")),
)


@dataclass
class Oracle:
    """What the library should say: the texts of each key, the last one current; none for a deleted one.

    `files` are the bytes that each text of each key came in last.
    """

    texts: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    files: dict[tuple[str, str], bytes] = field(default_factory=dict[tuple[str, str], bytes])
    removed: set[str] = field(default_factory=set[str])
    embedded: set[str] = field(default_factory=set[str])

    def keep(self, key: str, text: str, data: bytes) -> None:
        """Make `text` the current one of `key`, as it came in `data`."""
        self.files[key, text] = data
        history = self.texts.setdefault(key, [])
        if text in history:
            history.remove(text)
        history.append(text)
        self.removed.discard(key)

    def delete(self, key: str, document_id: str) -> None:
        """Forget all texts of `key` and the vectors of their lines."""
        for text in self.texts.pop(key):
            self.embedded -= _chunks(document_id, text).keys()
        self.removed.add(key)


def _chunks(document_id: str, text: str) -> dict[str, str]:
    """Return the passages of a text, one a line, by id."""
    lines = text.split("\n")
    return {ids.chunk_id(document_id, line, lines[:n].count(line)): line for n, line in enumerate(lines)}


def _check(library: Library, collection: Collection, oracle: Oracle) -> None:
    assert {d.source_key for d in library.documents()} == oracle.texts.keys()
    current: dict[str, str] = {}
    evidence: dict[str, tuple[str, SourceState]] = {}
    for key, history in oracle.texts.items():
        document_id = ids.document_id(collection.collection_id, key)
        assert library.document_text(document_id) == history[-1]
        current |= _chunks(document_id, history[-1])
        holders: dict[str, str] = {}
        for text in history:
            state = SourceState.CURRENT if text is history[-1] else SourceState.SUPERSEDED
            version = ids.version_of(text)
            assert library.source_state(document_id, version) is state
            assert library.source_file(document_id, version).path.read_bytes() == oracle.files[key, text]
            if text:
                evidence[f"ev1:s:{document_id}:{version}:0-{len(text)}"] = (text, state)
            for chunk_id, line in _chunks(document_id, text).items():
                holders[chunk_id] = version
                evidence[f"ev1:c:{document_id}:{version}:{chunk_id}"] = (line, state)
        for chunk_id, version in holders.items():
            assert library.passage(chunk_id).version == version
    for key in oracle.removed:
        document_id = ids.document_id(collection.collection_id, key)
        with pytest.raises(NotFoundError):
            library.document(document_id)
        assert library.source_state(document_id, "0" * 16) is SourceState.REMOVED
    scope = Scope(ids.document_id(collection.collection_id, key) for key in KEYS)
    read = LibraryEvidence(library).read_sync(list(evidence), scope)
    assert [(one.text, one.state) for one in read if one] == list(evidence.values())
    standing: set[str] = set()
    for change in library.changes(0, 10_000):
        assert (change.op == "put") == (change.chunk_id not in standing)
        standing ^= {change.chunk_id}
    assert standing == current.keys()
    found = library.current_passages(sorted(current))
    assert {chunk_id: passage.text for chunk_id, passage in found.items()} == current
    assert dict(library.pending_vectors("m", 100)).keys() == current.keys() - oracle.embedded
    assert library.pending_count("m") == len(current.keys() - oracle.embedded)
    assert {chunk_id for _, chunk_id, _, _ in library.vectors("m")} == oracle.embedded


def _play(steps: list[Step], from_lines: Any) -> None:
    oracle = Oracle()
    with TemporaryDirectory() as folder, Library.open(Path(folder)) as library:
        collection = library.collection("default")
        for action, key, text, ending in steps:
            document_id = ids.document_id(collection.collection_id, key)
            if action == "keep":
                data = (text + ending).encode()
                from_lines(library, collection, key, text, data=data)
                oracle.keep(key, text, data)
            elif action == "embed":
                pending = library.pending_vectors("m", 3)
                library.store_vectors("m", [(chunk_id, b"v") for chunk_id, _ in pending])
                oracle.embedded |= {chunk_id for chunk_id, _ in pending}
            elif key in oracle.texts:
                library.delete(document_id)
                oracle.delete(key, document_id)
            else:
                with pytest.raises(NotFoundError):
                    library.delete(document_id)
            _check(library, collection, oracle)
        assert library.sweep() == 0


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(actions, min_size=1, max_size=8))
def test_library_agrees_with_the_oracle(from_lines: Any, steps: list[Step]) -> None:
    """After each of some random steps, everything that can be asked is as the dictionaries say."""
    _play(steps, from_lines)


@pytest.mark.long
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(actions, min_size=1, max_size=16))
def test_library_agrees_with_the_oracle_for_long(from_lines: Any, steps: list[Step]) -> None:
    """The same over many long histories."""
    _play(steps, from_lines)
