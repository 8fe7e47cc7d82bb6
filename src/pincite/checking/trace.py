"""The check: one verdict for each cited evidence id. It shows traceability, not support.

The rules are the check's page's, in its order; past it, touching fetched spans count as one, and with a ledger
a span inside a fetched passage and a passage inside fetched spans resolve too, a span when it holds a word.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from pincite._quick import maker, without_collecting
from pincite.checking._given import ids_of, read
from pincite.checking._held import Held
from pincite.core.ids import (
    HEAD,
    SpanEvidenceId,
    decodes,
    head_decodes,
    offsets_in,
    tail_decodes,
    why_malformed,
)
from pincite.core.ledger import Ledger
from pincite.core.limits import DEFAULT, Limits
from pincite.core.near import Near
from pincite.core.scope import Scope
from pincite.core.stretches import Ranges
from pincite.core.text import holds_word
from pincite.core.verdicts import SourceState, TraceVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pincite.core.protocols import EvidenceStore, EvidenceText
    from pincite.core.stretches import Texts


@dataclass(frozen=True, slots=True)
class CitationCheck:
    """The verdict on one cited id, and why.

    `covered_by` is what was fetched that covers it, `source_state` what became of the cited version as far as it is
    known, both None where the verdict is not `valid`. `suggestion` is the one fetched id in scope that is one or two
    characters off, where the verdict is not `valid` and there is one; nothing was put right.
    """

    cited_id: str
    verdict: TraceVerdict
    reason: str
    covered_by: str | None = None
    source_state: SourceState | None = None
    suggestion: str | None = None


_citation_check = maker(CitationCheck)
# Where the document's id, and the document and version, stand in an evidence id of either form.
_DOCUMENT, _VERSION = slice(6, 42), slice(6, 59)
_VALID, _EXACT = TraceVerdict.VALID, "This id was fetched."
_MISSING = "No complete fetch covers this id."
_NO_WORD = "The span holds no whole word of what was fetched."
# Code points around a span that are looked at to see where its words begin and end.
_AROUND = 200
# Fetched ids of one version that are asked for before it counts as removed.
_ASKED_AGAIN = 8


async def check_citations(
    evidence_ids: Iterable[str],
    fetched: Iterable[str] | Ledger,
    *,
    scope: Scope | Iterable[str],
    store: EvidenceStore | None = None,
    limits: Limits = DEFAULT,
) -> list[CitationCheck]:
    """Return one check per cited id, in order, as `check_citations_sync` does.

    Without a `store` it reads nothing. With one, each valid check says what became of the cited version by now; and
    what a ledger does not know of a place or a text, since ledgers are kept without texts, is looked up there. A store
    that cannot be read changes nothing.

    Raises:
        InputError: a list of ids is one string, None, or holds something other than strings, or more than
            `limits.cited_ids` ids are cited.
        ScopeError: the scope is not a collection of strings.
    """
    check = _Check(evidence_ids, fetched, scope, limits)
    checks = check.run()
    if store is not None:
        checks = await _looked_up(check, checks, store)
    return check.with_suggestions(checks)


def check_citations_sync(
    evidence_ids: Iterable[str],
    fetched: Iterable[str] | Ledger,
    *,
    scope: Scope | Iterable[str],
    limits: Limits = DEFAULT,
) -> list[CitationCheck]:
    """Return one check per cited id, in order.

    `fetched` are the ids whose fetch was complete, or the run's ledger; `scope` the documents in it, as a
    `Scope`, ids or keys.

    Raises:
        InputError: a list of ids is one string, None, or holds something other than strings, or more than
            `limits.cited_ids` ids are cited.
        ScopeError: the scope is not a collection of strings.
    """
    check = _Check(evidence_ids, fetched, scope, limits)
    return check.with_suggestions(check.run())


async def _looked_up(check: _Check, checks: list[CitationCheck], store: EvidenceStore) -> list[CitationCheck]:
    """Return the checks with what the store says of versions, of places and of words."""
    questions = {one.cited_id: name for one in checks if (name := check.question(one)) is not None}
    asked = list(dict.fromkeys(questions.values()))
    found = await read(store, asked, check.scope)
    if found is None:
        return checks
    texts = {name: text for name, text in zip(asked, found, strict=True) if text is not None}
    checks = [check.told(one, texts.get(questions.get(one.cited_id, ""))) for one in checks]
    valid = [one for one in checks if one.verdict is _VALID]
    states = {name[_VERSION]: text.state for name, text in texts.items()}
    silent = {one.cited_id[_VERSION] for one in valid} - states.keys()
    if silent:
        # A store may know passages and not every span of them: what was fetched is asked for before a version that
        # is not found counts as removed.
        again = check.fetched_of(silent)
        found = await read(store, again, check.scope)
        if found is None:
            return checks
        states |= {name[_VERSION]: text.state for name, text in zip(again, found, strict=True) if text}
    return [
        replace(one, source_state=states.get(one.cited_id[_VERSION], SourceState.REMOVED))
        if one.verdict is _VALID
        else one
        for one in checks
    ]


class _Check:
    """One check: what is cited, what was fetched, and what may be cited."""

    def __init__(
        self,
        evidence_ids: Iterable[str],
        fetched: Iterable[str] | Ledger,
        scope: Scope | Iterable[str],
        limits: Limits,
    ) -> None:
        self.scope = Scope.of(scope)
        self._cited = ids_of(evidence_ids, "evidence_ids", most=limits.cited_ids)
        self._ledger = fetched if isinstance(fetched, Ledger) else None
        self._exact: Mapping[str, object] = (
            fetched.known() if isinstance(fetched, Ledger) else dict.fromkeys(ids_of(fetched, "fetched"))
        )
        # Versions, by the heads of ids and by `<document>:<version>`; None for a head that is none.
        self._heads: dict[str, Held | None] = {}
        self._held: dict[str, Held] = {}
        self._states: Mapping[str, SourceState] = {} if self._ledger is None else self._ledger.states()
        # Plain ids by their heads, made when a span asks for them.
        self._plain: dict[str, list[str]] | None = None

    def run(self) -> list[CitationCheck]:
        """Return one check per cited id, without a look into a store and without suggestions."""
        with without_collecting(len(self._cited)):
            return self._checks()

    def _checks(self) -> list[CitationCheck]:
        exact, heads, trusted = self._exact, self._heads, self._ledger is not None
        checks: list[CitationCheck] = []
        head, held = "", None
        for name in self._cited:
            # Ids of one version share their head, so it is looked at once, and often follow one another.
            if held is None or not name.startswith(head):
                head = name[:HEAD]
                held = heads.get(head) or self._head(head)
            if held is None:
                checks.append(_malformed(name))
            # What is in a ledger decodes.
            elif name in exact and held.in_scope and (trusted or tail_decodes(name)):
                checks.append(_citation_check(name, _VALID, _EXACT, name, held.state))
            else:
                checks.append(self._other(name, held))
        return checks

    def _head(self, head: str) -> Held | None:
        """Return the version that the head of an id names, or None when it is no head."""
        if head in self._heads:
            return self._heads[head]
        held = None
        if head_decodes(head):
            held = self._held.get(head[_VERSION])
            if held is None:
                version, in_scope = head[_VERSION], head[_DOCUMENT] in self.scope.document_ids
                held = Held(version, self._received, in_scope=in_scope, state=self._states.get(version))
                self._held[version] = held
        self._heads[head] = held
        return held

    def _other(self, name: str, held: Held) -> CitationCheck:
        """Return the check of an id that was not fetched as it is, or is out of scope; its head is one."""
        offsets = offsets_in(name) if name[4] == "s" else None
        if offsets is None and (name[4] == "s" or not tail_decodes(name)):
            return _malformed(name)
        if not held.in_scope:
            return _citation_check(name, TraceVerdict.UNAVAILABLE, "The document is not in scope.")
        if offsets is None:
            return self._passage(name, held, None if self._ledger is None else self._ledger.place(name))
        start, end = offsets
        cover = held.cover(start, end)
        if cover is None:
            return self._missing(name)
        if not held.holds_a_word(start, end):
            return _citation_check(name, TraceVerdict.NOT_FETCHED, _NO_WORD)
        return _citation_check(name, _VALID, "It lies inside what was fetched.", cover, held.state)

    def _passage(self, name: str, held: Held, place: SpanEvidenceId | None) -> CitationCheck:
        cover = None if place is None else held.cover(place.start, place.end)
        if cover is None:
            return self._missing(name)
        return _citation_check(name, _VALID, "The passage lies inside what was fetched.", cover, held.state)

    def _missing(self, name: str) -> CitationCheck:
        reason = _MISSING
        if self._ledger is not None and self._ledger.received(name):
            reason = "Only a part of this was fetched; fetch the rest of it."
        return _citation_check(name, TraceVerdict.NOT_FETCHED, reason)

    def _received(self, version: str) -> tuple[Ranges | None, Texts | None]:
        """Return the received ranges of `<document>:<version>`, and the texts where they were kept."""
        if self._ledger is not None:
            document, _, tag = version.partition(":")
            return self._ledger.ranges(document, tag), self._ledger.stretches(document, tag)
        if self._plain is None:
            self._plain = defaultdict(list)
            for name in self._exact:
                self._plain[name[:HEAD]].append(name)
        names = self._plain.get(f"ev1:s:{version}:", ())
        return Ranges([span for name in names if (span := offsets_in(name)) is not None]), None

    # -- with a store, and afterwards ------------------------------------------------------------

    def question(self, check: CitationCheck) -> str | None:
        """Return the id of which a store's text can tell more about a check, or None."""
        name = check.cited_id
        if check.verdict is not _VALID:
            return name if self._wants_place(check) else None
        held = self._heads[name[:HEAD]]
        # What was fetched as it is needs no word, and a range that has grown to the same place is not that.
        if self._ledger is None or held is None or name in self._exact or name[4] == "c":
            return name
        start, end = offsets_in(name) or (0, 0)
        if held.knows_words(start, end):
            return name
        # A ledger that was kept has no texts. Whether the span holds a word is seen with what stands around it.
        low, high = offsets_in(check.covered_by or name) or (0, 0)
        return f"{name[:HEAD]}{max(low, start - _AROUND)}-{min(high, end + _AROUND)}"

    def _wants_place(self, check: CitationCheck) -> bool:
        if self._ledger is None or check.verdict is not TraceVerdict.NOT_FETCHED:
            return False
        name = check.cited_id
        return name.startswith("ev1:c:") and self._ledger.place(name) is None

    def told(self, check: CitationCheck, text: EvidenceText | None) -> CitationCheck:
        """Return the check, made again where a store's text tells where a passage stands, or a span's words."""
        name = check.cited_id
        if text is None or text.end - text.start != len(text.text):
            return check
        held = self._heads[name[:HEAD]]
        if held is None or f"{text.document_id}:{text.version}" != held.version:
            return check
        if self._wants_place(check):
            place = SpanEvidenceId(text.document_id, text.version, text.start, text.end)
            return self._passage(name, held, place)
        if name in self._exact or name[4] == "c" or self._ledger is None:
            return check
        start, end = offsets_in(name) or (0, 0)
        if not text.start <= start < end <= text.end or held.knows_words(start, end):
            return check
        if holds_word(text.text, start - text.start, end - text.start):
            return check
        return _citation_check(name, TraceVerdict.NOT_FETCHED, _NO_WORD)

    def fetched_of(self, versions: set[str]) -> list[str]:
        """Return some of the fetched ids of each of `versions`, given as in evidence ids."""
        found: dict[str, list[str]] = {}
        for name in list(self._exact):
            if name[_VERSION] in versions and decodes(name):
                some = found.setdefault(name[_VERSION], [])
                if len(some) < _ASKED_AGAIN:
                    some.append(name)
        return [name for some in found.values() for name in some]

    def with_suggestions(self, checks: list[CitationCheck]) -> list[CitationCheck]:
        """Return the checks, with a suggestion on each that is not valid and has one."""
        if all(check.verdict is _VALID for check in checks) or not self._exact:
            return checks
        near = self._near()
        found: list[CitationCheck] = []
        for check in checks:
            suggestion = None if check.verdict is _VALID else near(check.cited_id)
            found.append(check if suggestion is None else replace(check, suggestion=suggestion))
        return found

    def _near(self) -> Callable[[str], str | None]:
        if self._ledger is not None:
            return partial(self._ledger.near, scope=self.scope)
        near = Near(name for name in self._exact if decodes(name))
        return partial(near.to, documents=self.scope.document_ids)


def _malformed(name: str) -> CitationCheck:
    return _citation_check(name, TraceVerdict.MALFORMED, why_malformed(name))
