"""The citation store: everything that may be cited in one conversation, under the key that the model saw."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, cast

from pincite.citing._index import BY_DOCUMENT, MOST, KeyIndex, how_it_differs
from pincite.citing.registered import (
    CONTENT_FIELDS,
    CitationContextContribution,
    CitedObject,
    RegisteredHit,
    documents_of,
    identity_of,
    is_number,
    is_ours,
    is_same,
    is_same_passage,
    names_of,
    number_of,
    text_of,
)
from pincite.core.errors import InputError, KeyClashError
from pincite.core.given import items_of, maybe, of_kind, refuse
from pincite.core.refs import SHORTEST, RefIssuer

# The longest ref, in characters: a whole id; and what may follow its first eight.
_LONGEST, _AFTER = 36, ("", "-")
FORMAT_VERSION = 1
"""The value of the key `pincite` in an exported store or conversation."""


class Lookup(NamedTuple):
    """What a written key names: a hit, how the key was mended to find it, and all keys that it could mean.

    Without a hit, `candidates` are the keys of the passages between which the written one does not decide.
    """

    hit: RegisteredHit | None
    repaired: str | None = None
    candidates: tuple[str, ...] = ()


class Reference(NamedTuple):
    """An object that may be linked to and is no evidence: its title, and the kind of resource that it is."""

    title: str
    kind: str


_NOTHING = Lookup(None)


class _Hits(Mapping[str, RegisteredHit]):
    """The hits of a store by key, in order of registration; threads may register while others walk it."""

    __slots__ = ("_by_key", "_order")

    def __init__(self, by_key: Mapping[str, RegisteredHit], order: list[str]) -> None:
        self._by_key = by_key
        self._order = order

    def __getitem__(self, key: str) -> RegisteredHit:
        return self._by_key[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._by_key)

    def __contains__(self, key: object) -> bool:
        return key in self._by_key


class CitationStore:
    """Registered hits by key, by short id, by number and by document id; iterates in order of registration.

    Threads of one run may share a store.
    """

    __slots__ = (
        "_aliases", "_by_number", "_hits", "_index", "_last_number", "_later", "_lock", "_numbers", "_order",
        "_references", "_unindexed", "_view", "refs",
    )  # fmt: skip

    def __init__(self, refs: RefIssuer | None = None) -> None:
        issuer = maybe(refs, RefIssuer, "refs", "an issuer of refs")
        self.refs = issuer if issuer is not None else RefIssuer()
        self._hits: dict[str, RegisteredHit] = {}
        self._order: list[str] = []
        self._view = _Hits(self._hits, self._order)
        # Other names of hits (refs, short ids, evidence ids) and their keys.
        self._aliases: dict[str, str] = {}
        self._by_number: dict[int, str] = {}
        self._numbers: dict[str, int] = {}
        self._last_number = 0
        self._references: dict[str, Reference] = {}
        # Looking a key up inexactly needs an index; names wait here until somebody does.
        self._index = KeyIndex(self._hits, self._aliases)
        self._unindexed: list[RegisteredHit] = []
        # What came again: the entry, names of it that are new, and the entry that it was.
        self._later: list[tuple[RegisteredHit, list[str], RegisteredHit]] = []
        self._lock = threading.Lock()

    def register_hit(
        self,
        citation_key: str,
        context_hit: Mapping[str, Any],
        search_hit: Any,  # noqa: ANN401 - whatever the producing system has
        evidence_url: str | None = None,
        context_contribution: CitationContextContribution | None = None,
        index_type: str | None = None,
        index_id: str | None = None,
        *,
        known: CitedObject | None = None,
    ) -> RegisteredHit:
        """Register an object under its key and return the entry; the same object again is a no-op.

        An object without a ref gets one. What `context_hit` shows as `short_id`, `ref`, `number` or
        `evidence_id` names the object too. A passage of a library that comes again from a later version of its
        document takes the place of the earlier entry: its id is made of its words, so these are the same.

        Raises:
            InputError: the key is empty or no string; the payload is no mapping, or what goes with it is of another
                type.
            KeyClashError: the key, or another name of the object, stands for other content already.
        """
        if not isinstance(citation_key, str) or not citation_key:  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            msg = "A citation key must not be empty, and must be a string."
            raise InputError(msg, field="citation_key")
        of_kind(context_hit, Mapping, "context_hit", "the payload, a mapping")
        maybe(evidence_url, str, "evidence_url", "a string")
        maybe(
            context_contribution,
            CitationContextContribution,
            "context_contribution",
            "a contribution to the context",
        )
        maybe(known, CitedObject, "known", "what is known of the object")
        shown = dict(context_hit)
        if known is None:
            known = CitedObject(title=text_of(shown, ("title",)), text=text_of(shown, CONTENT_FIELDS))
        number = known.number if known.number is not None else number_of(shown.get("number"))
        if known.ref is None or known.number != number:
            ref = known.ref or self.refs.issue(identity_of(citation_key, known))
            known = replace(known, ref=ref, number=number)
        hit = RegisteredHit(
            citation_key,
            shown,
            search_hit,
            evidence_url,
            context_contribution or CitationContextContribution(),
            index_type,
            index_id,
            known,
        )
        return self.register(hit, names_of(shown))

    def register(self, hit: RegisteredHit, names: Iterable[str] = ()) -> RegisteredHit:
        """Register an entry that is made already, with a ref; `names` are further names of it.

        Raises:
            InputError: it is no entry, or the names are no strings.
            KeyClashError: its key or a name stands for other content already.
        """
        of_kind(hit, RegisteredHit, "hit", "a registered hit")
        if names != ():
            names = [
                of_kind(name, str, "names", "strings") for name in items_of(names, "names", "a list of names")
            ]
        with self._lock:
            return self._register(hit, names)

    def register_numbered(self, identity: str, entry: Callable[[int], RegisteredHit]) -> RegisteredHit:
        """Register `entry(number)` under the number of `identity`, issued in the same step.

        No other thread can take the number in between. One that was issued earlier, was never registered and has
        become another passage's is exchanged for a new one.

        Raises:
            InputError: `identity` is no string, or `entry` no function.
            KeyClashError: its key or a name stands for other content already.
        """
        of_kind(identity, str, "identity", "a string")
        if not callable(entry):  # pyright: ignore[reportUnnecessaryComparison] - callers without types
            refuse(entry, "entry", "a function that makes an entry of a number")
        with self._lock:
            known = self._numbers.get(identity)
            hit = entry(self._next_number(identity) if known is None else known)
            if known is not None and self._owner_of_number(known, hit) is not None:
                hit = entry(self._next_number(identity))
            return self._register(hit, ())

    def _register(self, hit: RegisteredHit, names: Iterable[str]) -> RegisteredHit:
        key, known = hit.citation_key, hit.known
        hits, aliases = self._hits, self._aliases
        kept = hits.get(key)
        if kept is None:
            self._check_key(key, hit)
        elif not is_same(kept, hit):
            raise _clash(key)
        new = self._new_names(hit, (known.ref, known.evidence_id, *names))
        if known.number is not None:
            self._check_number(known.number, hit)
            self._by_number.setdefault(known.number, key)
        for name in new:
            if name == known.evidence_id:
                aliases[name] = key  # an entry that only showed the id has it no longer
            else:
                aliases.setdefault(name, key)
        if kept is None:
            hits[key] = hit
            self._order.append(key)
            self._unindexed.append(hit)
            return hit
        entry = hit if is_ours(hit) else kept
        hits[key] = entry
        if new or entry is not kept:
            self._later.append((entry, new, kept))
        return entry

    def _new_names(self, hit: RegisteredHit, names: Iterable[str | None]) -> list[str]:
        """Return those of `names` that nothing has yet; refuse what is another passage's."""
        key, chunk = hit.citation_key, hit.known.chunk_id
        new: list[str] = []
        for name in names:
            if name is None or name == key:
                continue
            named = name if name in self._hits else self._aliases.get(name)
            if named is not None and not self._is_borrowed(name, named, hit):
                self._check_name(name, named, hit)
                continue
            if len(name) <= _LONGEST and (chunk is None or self.refs.chunk_of(name) != chunk):
                self._reserve(name, hit)
            new.append(name)
        return new

    def _is_borrowed(self, name: str, named: str, hit: RegisteredHit) -> bool:
        """Say whether a name is a library passage's own evidence id, which another entry has only shown as its."""
        return (
            name == hit.known.evidence_id
            and name not in self._hits
            and self._hits[named].known.evidence_id != name
            and is_ours(hit)
        )

    def _check_key(self, key: str, hit: RegisteredHit) -> None:
        """Refuse a key that is another passage's name already."""
        named = self._aliases.get(key)
        if named is not None:
            self._check_name(key, named, hit)
        elif len(key) <= _LONGEST:
            self._reserve(key, hit)
        if key.isdigit():
            number = number_of(key)
            named = self._by_number.get(number) if number is not None else None
            if named is not None and not is_same_passage(self._hits[named], hit):
                raise _clash(key)

    def _check_name(self, name: str, named: str, hit: RegisteredHit) -> None:
        """Refuse a name that another passage has already, under the key `named`."""
        if named != hit.citation_key and not is_same_passage(self._hits[named], hit):
            raise _clash(name)

    def _reserve(self, name: str, hit: RegisteredHit) -> None:
        """Keep what could be a ref for this passage; refuse it when it was issued for another."""
        # A ref is eight characters of a UUID, or more with the hyphen that follows them.
        if not SHORTEST <= len(name) <= _LONGEST or name[SHORTEST : SHORTEST + 1] not in _AFTER:
            return
        owner = self.refs.chunk_of(name)
        if owner is None or owner != hit.known.chunk_id:
            identity = identity_of(hit.citation_key, hit.known)
            if self.refs.reserve(name, identity) != identity:
                raise _clash(name)

    def _check_number(self, number: int, hit: RegisteredHit) -> None:
        if self._owner_of_number(number, hit) is not None:
            raise _clash(str(number))

    def _owner_of_number(self, number: int, hit: RegisteredHit) -> RegisteredHit | None:
        """Return the other passage that a number names already, if there is one."""
        for named in (self._by_number.get(number), str(number)):
            other = self._hits.get(named) if named is not None and named != hit.citation_key else None
            if other is not None and not is_same_passage(other, hit):
                return other
        return None

    def issue_number(self, identity: str) -> int:
        """Return the number of `identity`, the same one each time and unlike any other of the conversation."""
        known = self._numbers.get(of_kind(identity, str, "identity", "a string"))
        if known is not None:
            return known
        with self._lock:
            known = self._numbers.get(identity)  # another thread may have issued it just now
            return known if known is not None else self._next_number(identity)

    def _next_number(self, identity: str) -> int:
        number = self._last_number + 1
        while number in self._by_number or str(number) in self._hits:
            number += 1
        self._numbers[identity] = self._last_number = number
        return number

    def get(self, key: str) -> RegisteredHit | None:
        """Return the hit registered under `key`, or None."""
        try:
            return self._hits.get(key)
        except TypeError:
            return _no_key(key)

    def get_hit_by_short_id(self, short_id: str) -> RegisteredHit | None:
        """Return the hit that has this short id (its ref), or None."""
        key = self._aliases.get(of_kind(short_id, str, "short_id", "a string"))
        if key is not None:
            return self._hits[key]
        hit = self._hits.get(short_id)
        return hit if hit is not None and hit.known.ref == short_id else None

    def get_hit_by_number(self, number: int) -> RegisteredHit | None:
        """Return the hit that has this number, or None."""
        key = self._by_number.get(of_kind(number, int, "number", "a whole number"))
        return None if key is None else self._hits[key]

    def get_hit_by_document_id(self, document_id: str) -> RegisteredHit | None:
        """Return the first hit of a document, or None.

        The number of a chunk (`_3`) may stand behind the id that is asked for, or behind the hit's.
        """
        keys = self._indexed().of_document(of_kind(document_id, str, "document_id", "a string"))
        return self._hits[keys[0]] if keys else None

    def look_up(self, written: str) -> Lookup:
        """Return what a written key names: exactly, else as a document's id, else in another spelling.

        A key or another name that is there exactly is never mended. Several passages that a written key could
        mean are its candidates, and none is chosen.
        """
        hit = self.get(written)
        if hit is not None:
            return Lookup(hit)
        key = self._aliases.get(written)
        if key is not None:
            return Lookup(self._hits[key])
        of_kind(written, str, "written", "a string")
        index = self._indexed()
        # A number behind a ref makes another ref, and no chunk of a document.
        stem = written.rpartition("_")[0]
        keys = [key for key in index.of_document(written) if not stem or self._hits[key].known.ref != stem]
        if keys:
            found = self._passages(keys)
            return Lookup(self._hits[found[0]], BY_DOCUMENT) if len(found) == 1 else Lookup(None, None, found)
        names = index.alike(written)
        if not names:
            return _NOTHING
        found = self._passages(name if name in self._hits else self._aliases[name] for name in names)
        if len(found) != 1:
            return Lookup(None, None, found)
        return Lookup(self._hits[found[0]], how_it_differs(written, names[0]))

    def _passages(self, keys: Iterable[str]) -> tuple[str, ...]:
        """Return a key of each passage that `keys` are keys of, `MOST` at most: a document may have thousands."""
        found: dict[str, str] = {}
        for key in keys:
            found.setdefault(self._hits[key].known.chunk_id or key, key)
            if len(found) == MOST:
                break
        return tuple(found.values())

    def _indexed(self) -> KeyIndex:
        index = self._index
        with self._lock:
            for hit in self._unindexed:
                self._enter(hit)
            self._unindexed.clear()
            for hit, names, earlier in self._later:
                for name in names:
                    index.add_name(name)
                for document in documents_of(hit):
                    if document not in documents_of(earlier):
                        index.add_document(document, hit.citation_key)
            self._later.clear()
        return index

    def _enter(self, hit: RegisteredHit) -> None:
        index, key, known = self._index, hit.citation_key, hit.known
        if known.chunk_id is None:
            for name in (key, *names_of(hit.context_hit)):
                index.add_name(name)
        elif key not in (known.ref, known.evidence_id):
            index.add_name(key)  # the ids of a passage, which are its other names, are in normal form
        for document in documents_of(hit):
            index.add_document(document, key)
        if "_" in key and "://" not in key:
            index.add_chunk(key, key)

    def find(self, written: str) -> RegisteredHit | None:
        """Return the hit that `look_up` finds, or None."""
        return self.look_up(written).hit

    def register_reference(self, url: str, title: str, kind: str) -> None:
        """Let `url` be a link of the conversation's: an object of the resource `kind` that is no evidence."""
        for value, field in ((url, "url"), (title, "title"), (kind, "kind")):
            of_kind(value, str, field, "a string")
        self._references[url] = Reference(title, kind)

    def reference(self, url: str) -> str | None:
        """Return the title of the object that `url` links to, or None when no such link was issued."""
        found = self._references.get(of_kind(url, str, "url", "a string"))
        return None if found is None else found.title

    @property
    def hits(self) -> Mapping[str, RegisteredHit]:
        """The hits by key, in order of registration: a view that follows what is registered."""
        return self._view

    def keys(self) -> list[str]:
        """Return every key in order of registration."""
        return list(self._order)

    def __iter__(self) -> Iterator[RegisteredHit]:
        return (self._hits[key] for key in self._order)

    def __len__(self) -> int:
        return len(self._hits)

    def __contains__(self, key: str) -> bool:
        return self.get(key) is not None

    def export(self) -> dict[str, Any]:
        """Return the store as JSON may hold it, with its version; of what is in it, what JSON knows is kept."""
        from pincite.citing._stored import hit_as_dict

        derived: dict[str, str] = {}
        for hit in self:
            for name in (*names_of(hit.context_hit), hit.known.ref, hit.known.evidence_id):
                if name is not None and name != hit.citation_key:
                    derived.setdefault(name, hit.citation_key)
        return {
            "pincite": FORMAT_VERSION,
            "refs": self.refs.export(),
            "hits": [hit_as_dict(hit) for hit in self],
            # What the hits themselves do not say: ids of their earlier versions, numbers that they got later.
            "aliases": {name: key for name, key in self._aliases.copy().items() if derived.get(name) != key},
            "numbered": {
                str(number): key
                for number, key in self._by_number.copy().items()
                if self._hits[key].number != number
            },
            "numbers": self._numbers.copy(),
            "references": [
                {"url": url, "title": found.title, "kind": found.kind}
                for url, found in self._references.copy().items()
            ],
        }

    @classmethod
    def load(
        cls, data: Mapping[str, Any] | list[dict[str, Any]], refs: RefIssuer | None = None
    ) -> CitationStore:
        """Build a store from what `export` made, or from its hits alone.

        `refs` have issued the refs of its hits; without them, those that were exported.

        Raises:
            InputError: it is of another version, or not of the shape that `export` writes.
        """
        from pincite.citing._stored import arguments_of, strings_of

        whole = cast("Mapping[str, Any]", data if isinstance(data, Mapping) else {"pincite": 1, "hits": data})
        if whole.get("pincite") != FORMAT_VERSION:
            msg = f"This is no store of version {FORMAT_VERSION}."
            raise InputError(msg, field="pincite")
        try:
            store = cls(refs if refs is not None else RefIssuer.load(whole.get("refs", {})))
            for entry in whole["hits"]:
                store.register_hit(**arguments_of(entry))
            for name, key in strings_of(whole.get("aliases", {})).items():
                store._keep_name(name, key)
            for number, key in strings_of(whole.get("numbered", {})).items():
                store._check_number(int(number), store._hits[key])
                store._by_number[int(number)] = key
            store._keep_numbers(dict(whole.get("numbers", {})))
            for entry in whole.get("references", ()):
                store.register_reference(**strings_of(entry))
        except (AttributeError, KeyError, TypeError, ValueError, KeyClashError) as error:
            msg = "A stored hit has not the shape that `export` writes."
            raise InputError(msg, field="hits") from error
        return store

    def _keep_name(self, name: str, key: str) -> None:
        hit = self._hits[key]
        named = name if name in self._hits else self._aliases.get(name)
        if named is None:
            self._reserve(name, hit)
        else:
            self._check_name(name, named, hit)
        self._aliases[name] = key
        self._later.append((hit, [name], hit))

    def _keep_numbers(self, numbers: dict[str, int]) -> None:
        if len(set(numbers.values())) != len(numbers) or not all(map(is_number, numbers.values())):
            msg = "The numbers are not those of different passages."
            raise ValueError(msg)
        self._numbers = numbers
        self._last_number = max(numbers.values(), default=0)


def _no_key(key: object) -> None:
    """Say of what cannot be a key what it is."""
    of_kind(key, str, "key", "a string")


def _clash(name: str) -> KeyClashError:
    msg = f"The key {name[:80]!r} stands for another passage already."
    return KeyClashError(msg, field="citation_key")
