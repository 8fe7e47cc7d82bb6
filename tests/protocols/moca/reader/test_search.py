"""The gate of a search: whatever a backend finds, only what may be returned is, best first, each place once."""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moca_packages import ID, files, library, manifest, node, read

from pincite.core.errors import InputError, LimitError
from pincite.core.limits import Limits
from pincite.protocols.moca import strict
from pincite.protocols.moca.reader import Filters, Hit, LexicalBackend, Library, Search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

V1 = files(manifest(), current_md=node())
V2 = files(
    manifest(version="2.0.0", relations=[{"type": "supersedes", "target": ID, "version": "1.0.0"}]),
    current_md=node(moca={"audience": "public"}),
    internal_md=node(moca={"audience": "internal"}),
    stale_md=node(stale_after="2026-01-01"),
    deprecated_md=node(status="deprecated"),
    expired_md=node(moca={"valid_until": "2026-01-01"}),
    draft_md=node(status="draft"),
    contested_md=node(moca={"contested_by": ["urn:x:1"]}),
)
ALL = {"current", "internal", "stale", "deprecated", "expired", "draft", "contested"}
GOOD = {f"2.0.0 {name}" for name in ALL - {"deprecated", "expired"}}


BOTH = library(V1, V2)
DIGESTS = {id(made): read(made).digest or "" for made in (V1, V2)}


def told(records: list[dict[str, Any]]) -> set[str]:
    """Return version and name of what was found; each record is one to the letter, with a score."""
    for record in records:
        assert strict(record).diagnostics == ()
        assert isinstance(record["score"], float)
    return {f"{one['package']['version']} {one['node']['path'].removesuffix('.md')}" for one in records}


class Given:
    """A backend that answers as it is told, and notes what it was asked."""

    def __init__(self, answer: Callable[[int, Filters], Iterable[Any]]) -> None:
        self.answer = answer
        self.asked: list[tuple[str, int, Filters]] = []

    def search(self, query: str, *, limit: int, filters: Filters) -> Iterable[Any]:
        """Return what it is told to."""
        self.asked.append((query, limit, filters))
        return self.answer(limit, filters)


def given_hits(*hits: Any) -> Given:
    """Return a backend that always has these hits."""
    return Given(lambda _limit, _filters: hits)


def everything(made: Library, *more: Any) -> Given:
    """Return a backend that ignores question and filters: every node in two languages, behind `more`."""
    return given_hits(
        *more,
        *(
            {
                "digest": record["package"]["digest"],
                "node": record["node"]["id"],
                "path": record["node"]["path"],
                "locale": locale,
                "score": 1,
            }
            for record in made.citations()
            for locale in ("en", "fr")
        ),
    )


def test_the_default_policy() -> None:
    """Superseded, deprecated and out of force are left out; stale, contested and drafts are returned, flagged."""
    found = Search(library(V1, V2)).search("retention period")
    assert told(found) == GOOD
    flags = {one["node"]["path"]: one["trust"] for one in found}
    assert flags["stale.md"]["stale"]
    assert flags["contested.md"]["contested"]


def test_include_all_returns_the_rest_flagged() -> None:
    """The host may opt in to what the policy leaves out."""
    found = Search(library(V1, V2)).search("retention period", include_all=True)
    assert told(found) == {f"2.0.0 {name}" for name in ALL} | {"1.0.0 current"}
    superseded = next(one for one in found if one["package"]["version"] == "1.0.0")
    assert superseded["trust"]["supersededBy"] == [f"{ID}@2.0.0"]


@pytest.mark.parametrize("include_all", [True, False])
@pytest.mark.parametrize("asked", [None, ["internal"], ["internal", "public"], ["public"], []])
def test_no_caller_widens_the_audience(asked: list[str] | None, *, include_all: bool) -> None:
    """What is for others is never returned; a caller may ask for less, and a node without a label is for all."""
    searched = Search(library(V1, V2), audiences=["public"])
    found = told(searched.search("retention", include_all=include_all, audiences=asked))
    assert "2.0.0 internal" not in found
    assert ("2.0.0 current" in found) is (asked is None or "public" in asked)
    assert "2.0.0 stale" in found


def test_a_host_that_names_no_audiences_leaves_it_to_the_caller() -> None:
    """None is everything, an empty set is what has no label."""
    made = library(V1, V2)
    assert "2.0.0 internal" in told(Search(made).search("retention"))
    assert "2.0.0 internal" not in told(Search(made).search("retention", audiences=["public"]))
    found = told(Search(made, audiences=[]).search("retention"))
    assert found == {"2.0.0 stale", "2.0.0 draft", "2.0.0 contested"}


def test_a_backend_that_returns_everything_and_more() -> None:
    """Policy and audience hold behind it; hits of packages that are not loaded, and what is no hit, are dropped."""
    made = library(V1, V2)
    digest = read(V2).digest
    good = {"digest": digest, "node": f"{ID}#current.md", "path": "current.md", "score": 9.0}
    more: list[Any] = [
        {**good, "digest": "sha256:" + "0" * 64}, {**good, "node": f"{ID}#other.md"}, {**good, "path": "../moca.json"},
        {**good, "score": float("nan")}, {**good, "score": float("inf")}, {**good, "score": "9"},
        {**good, "score": True},
        {**good, "score": 10**400}, {**good, "locale": "fr"}, {**good, "locale": 5}, {**good, "span": [1, 2]},
        {**good, "span": {"start": 0, "end": 5}}, {**good, "span": {"start": 30, "end": 10**9}},
        {**good, "span": {"start": 60, "end": 55}}, {**good, "span": {"start": "1", "end": 5}}, {}, [], None, "x", 5,
    ]  # fmt: skip
    backend = everything(made, *more)
    found = Search(made, backend, audiences=["public"]).search("anything")
    assert told(found) == GOOD - {"2.0.0 internal"}
    assert all(one["score"] == 1 for one in found)
    ((query, _, filters),) = backend.asked
    assert query == "anything"
    assert (filters.digests, filters.audiences) == (made.digests(), frozenset({"public"}))


def test_a_span_is_what_its_text_is() -> None:
    """Bytes of the file inside of the node's text, at characters' ends; anything else is no place."""
    made = files(None, a_md=node("Für fünf Jahre."))
    data = made["content/a.md"]
    start = data.index("Für".encode())
    lib = library(made)
    digest = read(made).digest or ""

    def found(*span: int) -> list[dict[str, Any]]:
        hit = Hit(digest, f"{ID}#a.md", "a.md", 1.0, "en", (span[0], span[1]))
        return Search(lib, given_hits(hit)).search("x")

    (record,) = found(start, start + 4)
    assert (record["text"], record["span"]) == ("Für", {"start": start, "end": start + 4})
    (whole,) = found(start, len(data))
    assert whole["text"] == "Für fünf Jahre."
    for span in (
        (start + 2, start + 4),
        (start, start + 2),
        (start - 1, start + 4),
        (start, start),
        (start, len(data) + 1),
    ):
        assert found(*span) == []


def test_best_first_each_place_once_and_no_more_than_asked() -> None:
    """In whatever order a backend returns them, and however often."""
    made = library(V2)
    digest = read(V2).digest or ""
    hits = [
        Hit(digest, f"{ID}#{name}.md", f"{name}.md", float(score))
        for score, name in enumerate(["stale", "current", "draft", "stale", "current"])
    ]

    found = Search(made, given_hits(*hits)).search("x")
    assert [(one["node"]["path"], one["score"]) for one in found] == [
        ("current.md", 4.0), ("stale.md", 3.0), ("draft.md", 2.0),
    ]  # fmt: skip
    assert len(Search(made, given_hits(*hits)).search("x", limit=1)) == 1


def test_what_the_gate_takes_away_is_made_up_for() -> None:
    """A backend whose first hits may not be returned is asked for more, until its end."""
    bad = {f"b{n}_md": node("Retention retention.", status="deprecated") for n in range(60)}
    made = library(files(manifest(), a_md=node("One retention among many other words of this text."), **bad))
    backend = LexicalBackend(made)
    counting = Given(lambda limit, filters: backend.search("retention", limit=limit, filters=filters))
    assert told(Search(made, counting).search("retention", limit=1)) == {"1.0.0 a"}
    assert [limit for _, limit, _ in counting.asked] == [4, 16, 64]


def test_a_backend_without_an_end_is_cut() -> None:
    """No more of its hits are looked at than the limit says."""
    endless = Given(lambda _limit, _filters: repeat({}))
    made = Library(limits=Limits(moca_hits=1_000)).add(read(V1))
    assert Search(made, endless).search("x") == []


def test_a_language_keeps_one_representation_of_each_node() -> None:
    """That of the language, or the default one of a node that has none; without a language all of them."""
    made = library(
        files(
            manifest(locales=["fr"]),
            a_md=node("Retention."),
            a_fr_md=node("Conservation, retention."),
            v1_2_md=node("Retention."),
        )
    )
    for backend in (everything(made), None):
        found = Search(made, backend).search("retention", locale="fr-CA")
        assert {one["node"]["path"]: one["node"]["locale"] for one in found} == {
            "a.md": "fr",
            "v1.2.md": "en",
        }
        assert len(found) == 2
        assert len(Search(made, backend).search("retention")) == 3


def test_concepts_keep_what_is_bound_to_one() -> None:
    """By their IRIs, as records list them."""
    iri = "https://example.org/c#1"
    made = library(files(None, a_md=node(moca={"concepts": [{"iri": iri, "role": "primary"}]}), b_md=node()))
    found = Search(made).search("retention", concepts=[iri, "urn:x:2"])
    assert [(one["node"]["path"], one["concepts"]) for one in found] == [("a.md", [iri])]
    assert Search(made).search("retention", concepts=["urn:x:2"]) == []


def test_reading_goes_through_the_gate_too() -> None:
    """What a search may not return cannot be read by its reference either, and looks like what is not there."""
    searched = Search(library(V1, V2), audiences=["public"])
    ref = f"{ID}@2.0.0#"
    assert searched.get(f"{ref}current.md") is not None
    for name in (
        f"{ref}internal.md",
        f"{ref}deprecated.md",
        f"{ref}expired.md",
        f"{ID}@1.0.0#current.md",
        "none",
    ):
        assert searched.get(name) is None
    assert searched.get(f"{ref}deprecated.md", include_all=True) is not None
    assert searched.get(f"{ref}internal.md", include_all=True) is None


@pytest.mark.parametrize(
    "options",
    [
        {"query": 5}, {"query": None}, {"limit": 0}, {"limit": 51}, {"limit": True}, {"limit": 1.0},
        {"include_all": "yes"}, {"locale": 5}, {"concepts": "x"}, {"audiences": "public"}, {"audiences": [1]},
    ],
)  # fmt: skip
def test_what_cannot_be_asked(options: dict[str, Any]) -> None:
    """It is an error in one sentence, and nothing is searched."""
    with pytest.raises(InputError):
        cast("Any", Search(library(V1)).search)(**{"query": "x", **options})


def test_a_search_needs_a_library_and_something_that_finds() -> None:
    """And a question of bounded length."""
    with pytest.raises(InputError):
        Search("x")  # type: ignore[arg-type]
    with pytest.raises(InputError):
        Search(Library(), backend=5)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        Search(Library(), audiences="public")
    with pytest.raises(LimitError):
        Search(Library()).search("x" * 4_001)
    assert Search(Library()).search("x") == []


def test_words_are_found_in_any_form_of_writing() -> None:
    """Case, accents and a plural make no difference; titles count; scripts without spaces are found by parts."""
    made = library(
        files(
            manifest(),
            a_md=node("Les délais de réparation."),
            b_md=node("保証期間は三年です。"),
            c_md=node("", title="Warranty periods"),
            d_md=node("Nothing of the kind."),
        )
    )
    searched = Search(made)
    assert told(searched.search("DELAI reparation")) == {"1.0.0 a"}
    assert told(searched.search("保証期間")) == {"1.0.0 b"}
    (record,) = searched.search("period of warranty")[:1]
    assert record["node"]["path"] == "c.md"
    assert searched.search("???") == []


def test_the_rarer_word_counts_more_and_what_is_loaded_later_is_found() -> None:
    """A search follows its library."""
    made = library(
        files(manifest(), a_md=node("The frost."), b_md=node("The the the house."), c_md=node("The cat."))
    )
    searched = Search(made)
    (best, *_) = searched.search("the frost")
    assert best["node"]["path"] == "a.md"
    made.add(read(files(manifest(version="2.0.0"), z_md=node("Zebra."))))
    assert told(searched.search("zebra")) == {"2.0.0 z"}


NAMES = [f"{name}.md" for name in sorted(ALL)]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([V1, V2]),
            st.sampled_from(NAMES),
            st.none() | st.tuples(st.integers(0, 200), st.integers(0, 200)),
            st.floats(),
        ),
        max_size=12,
    ),
    st.none() | st.sets(st.sampled_from(["public", "internal", "restricted"])),
    st.none() | st.sets(st.sampled_from(["public", "internal"])),
    st.integers(1, 5),
)
def test_nothing_that_may_not_be_returned_is(
    hits: list[tuple[dict[str, bytes], str, tuple[int, int] | None, float]],
    host: set[str] | None,
    caller: set[str] | None,
    limit: int,
) -> None:
    """Whatever a backend gives and a caller asks for: policy, both sets of audiences, and text that is its span."""
    backend = given_hits(
        *(Hit(DIGESTS[id(made)], f"{ID}#{name}", name, score, "en", span) for made, name, span, score in hits)
    )
    found = Search(BOTH, backend, audiences=host).search("x", limit=limit, audiences=caller)
    assert told(found) <= GOOD
    assert len(found) <= limit
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)
    for record in found:
        for allowed in (host, caller):
            assert allowed is None or record.get("audience") in {None, *allowed}
        span, data = record["span"], V2[f"content/{record['node']['path']}"]
        assert data[span["start"] : span["end"]].decode() == record["text"] != ""


def test_the_backend_by_words_leaves_out_packages_that_are_not_asked_for() -> None:
    """Its filter of digests holds by itself, before any gate."""
    backend = LexicalBackend(BOTH)
    only = frozenset({DIGESTS[id(V1)]})
    assert {hit.digest for hit in backend.search("retention", limit=20, filters=Filters(only))} == only
    assert backend.search("retention", limit=20, filters=Filters(frozenset())) == []


@given(st.text(max_size=300), st.integers(64, 200))
def test_chunks_are_parts_of_the_file(body: str, most: int) -> None:
    """In order, apart, no larger than they may be, whole characters, and no word is lost between them."""
    from pincite.protocols.moca.reader._chunks import chunks

    head = "---\ntype: é\n---\n".encode()
    data = head + body.encode("utf-8", "replace")
    found = list(chunks(data, len(head), most))
    assert found == sorted(found)
    end = len(head)
    left: list[bytes] = []
    for start, stop in found:
        assert end <= start < stop <= len(data)
        assert stop - start <= most
        assert data[start:stop].decode().strip()
        left.append(data[end:start])
        end = stop
    left.append(data[end:])
    assert not b"".join(left).decode().strip()


def test_a_long_node_is_cited_by_its_part() -> None:
    """The record of a chunk has the chunk's bytes and words; headings begin one."""
    text = "# One\n\n" + "Water flows. " * 120 + "\n\n# Two\n\nFrost breaks pipes.\n"
    made = files(None, a_md=node(text))
    (record, *_) = Search(library(made)).search("frost")
    assert record["text"] == "# Two\n\nFrost breaks pipes."
    span = record["span"]
    assert made["content/a.md"][span["start"] : span["end"]].decode() == record["text"]
