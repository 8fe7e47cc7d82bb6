"""Records of what is loaded: key for key the common shape, with flags for the moment and for what is loaded."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from moca_packages import ID, NOW, files, library, manifest, node, read

from pincite.core.errors import ConflictError, InputError, LimitError
from pincite.core.limits import Limits
from pincite.protocols.moca import strict
from pincite.protocols.moca.reader import Library, PinnedMember

REF = f"{ID}@1.0.0#a.md"


def trust(made: dict[str, bytes], **options: Any) -> dict[str, Any]:
    """Return what a record says of trust for the one node of a package."""
    (record,) = library(made, **options).citations()
    assert strict(record).diagnostics == ()
    return record["trust"]


def test_a_whole_record() -> None:
    """Every key of the shape, nothing else, in that order; what the node does not say is absent."""
    text = node("\n# Ünder\n", title="T", description="D", tags=["x"], moca={"audience": "internal"})
    made = files(manifest(profiles={"https://example.org/p": {}}), a_md=text)
    found = library(made)
    record = found.get(REF)
    assert record is not None
    data = text.encode()
    start = data.index(b"---\n\n") + 4
    package = read(made)
    assert record == {
        "package": {"id": ID, "version": "1.0.0", "digest": package.digest, "signed": False},
        "node": {
            "id": f"{ID}#a.md",
            "ref": REF,
            "path": "a.md",
            "locale": "en",
            "type": "Guide",
            "title": "T",
            "description": "D",
            "tags": ["x"],
            "digest": f"sha256:{package.nodes[0].representations[0].sha256}",
        },
        "span": {"start": start, "end": len(data)},
        "text": "\n# Ünder\n",
        "trust": {
            "status": "stable",
            "generated": None,
            "declaredVerified": [],
            "attestedReviews": [],
            "stale": False,
            "inForce": True,
            "superseded": False,
            "contested": False,
        },
        "evidence": [],
        "audience": "internal",
        "profiles": ["https://example.org/p"],
    }
    assert strict(record).diagnostics == ()
    assert found.citations(include_text=False) == [{k: v for k, v in record.items() if k != "text"}]
    record["node"]["tags"].append("changed")
    record["trust"]["stale"] = True
    again = found.get(REF)
    assert again is not None
    assert again["node"]["tags"] == ["x"]


def test_what_an_author_declares() -> None:
    """It is copied, one check or a list of them; what does not say by whom is left out."""
    made = files(
        None,
        a_md=node(
            generated={"by": "tool/1", "at": "2026-01-01", "more": 1},
            verified=[{"by": "a", "at": "2026-01-02"}, {"at": "2026-01-02"}, {"by": "b"}, "c"],
            status="draft",
        ),
    )
    told = trust(made)
    assert told["generated"] == {"by": "tool/1", "at": "2026-01-01"}
    assert told["declaredVerified"] == [{"by": "a", "at": "2026-01-02"}, {"by": "b"}]
    assert told["status"] == "draft"
    assert trust(files(None, a_md=node(verified={"by": "a", "at": "2026-01-02"})))["declaredVerified"] == [
        {"by": "a", "at": "2026-01-02"}
    ]
    assert trust(files(None, a_md=node(status="unheard of")))["status"] == "stable"


@pytest.mark.parametrize(
    ("after", "is_stale"),
    [
        ("2026-09-27", True), ("2026-09-27T00:00:00Z", True), ("2026-09-27T00:00:01Z", False), ("2026-09-26", True),
        ("2026-09-27T02:00:00+02:00", True), ("2026-09-27T01:59:59+02:00", True), ("2026-09-27T00:00:00-00:01", False),
        ("2026-09-28", False), ("soon", False), ("2026-09-26T00:00:00", False), (None, False),
    ],
)  # fmt: skip
def test_stale_from_the_moment_on(after: str | None, *, is_stale: bool) -> None:
    """A node is stale at its date and after; a date is its midnight in UTC; what cannot be read does not tell."""
    told = trust(files(None, a_md=node(**{"stale_after": after} if after else {})))
    assert told["stale"] is is_stale
    assert told.get("staleAfter") == after


@pytest.mark.parametrize(
    ("about", "moca", "is_in_force"),
    [
        ({}, {}, True),
        ({"validFrom": "2026-09-27"}, {}, True),
        ({"validFrom": "2026-09-27T00:00:01Z"}, {}, False),
        ({"validUntil": "2026-09-27"}, {}, False),
        ({"validUntil": "2026-09-27T00:00:01Z"}, {}, True),
        ({"validUntil": "2026-01-01"}, {"valid_until": "2027-01-01"}, True),
        ({"validFrom": "2027-01-01"}, {"valid_from": "2026-01-01"}, True),
        ({"validUntil": "2027-01-01"}, {"valid_from": "2026-12-01"}, False),
        ({}, {"valid_from": "some day"}, False),
        ({}, {"valid_until": "some day"}, False),
        ({}, {"valid_until": "2027-01-01T00:00:00"}, False),
        ({}, {"valid_until": 2027}, False),
        ({"validUntil": "2027-01-01"}, {"valid_until": ["2027-01-01"]}, False),
    ],
)
def test_in_force_from_and_before(about: dict[str, str], moca: dict[str, Any], *, is_in_force: bool) -> None:
    """From the first moment on, before the last; the node's bounds go before the package's, one by one."""
    told = trust(files(manifest(**about), a_md=node(moca=moca)))
    assert told["inForce"] is is_in_force
    wanted = moca.get("valid_until", about.get("validUntil"))
    assert told.get("validUntil") == (wanted if isinstance(wanted, str) else about.get("validUntil"))


def test_flags_are_of_the_moment_of_asking() -> None:
    """The clock is asked each time, and nothing is remembered of it."""
    moments = iter([NOW, NOW + timedelta(days=10)])
    found = Library(now=lambda: next(moments)).add(read(files(None, a_md=node(stale_after="2026-10-01"))))
    assert [found.citations()[0]["trust"]["stale"] for _ in range(2)] == [False, True]


def related(version: str, *relations: dict[str, str], package_id: str = ID) -> dict[str, bytes]:
    """Return a package that is something to others."""
    return files(manifest(id=package_id, version=version, relations=list(relations)))


def test_superseded_by_what_is_loaded() -> None:
    """By another version that says so of this very one; loaded in either order; never by itself."""
    first = related("1.0.0")
    second = related("2.0.0", {"type": "supersedes", "target": ID, "version": "1.0.0"})
    third = related("3.0.0", {"type": "supersedes", "target": ID})
    for made in ((first, second), (second, first)):
        by = {one["node"]["ref"]: one["trust"] for one in library(*made).citations()}
        old, new = by[REF], by[f"{ID}@2.0.0#a.md"]
        assert (old["superseded"], old["supersededBy"]) == (True, [f"{ID}@2.0.0"])
        assert (new["superseded"], "supersededBy" in new) == (False, False)
    told = [one["trust"].get("supersededBy") for one in library(first, second, third).citations()]
    assert told == [[f"{ID}@2.0.0", f"{ID}@3.0.0"], [f"{ID}@3.0.0"], None]
    assert library(first).citations()[0]["trust"]["superseded"] is False


def test_contested_both_ways_and_by_the_node_itself() -> None:
    """A conflict is told of both packages, whichever says it; other relations have no effect."""
    other = f"{ID}/other"
    one = files(manifest(), a_md=node(moca={"contested_by": ["urn:x:1"]}))
    two = related("1.0.0", {"type": "conflictsWith", "target": ID}, package_id=other)
    told = [record["trust"].get("contestedBy") for record in library(one, two).citations()]
    assert told == [["urn:x:1", f"{ID}@1.0.0".replace(ID, other)], [f"{ID}@1.0.0"]]
    assert all(record["trust"]["contested"] for record in library(one, two).citations())
    for kind in ("amends", "crossReferences", "invented"):
        quiet = related("1.0.0", {"type": kind, "target": ID}, package_id=other)
        assert not any(
            record["trust"]["contested"] for record in library(related("1.0.0"), quiet).citations()
        )


def test_a_node_by_reference_and_by_id() -> None:
    """By its id it is the version that was loaded first; nothing else names one."""
    found = library(related("2.0.0"), related("1.0.0"))
    assert [one["node"]["ref"] for one in (found.get(REF), found.get(f"{ID}#a.md")) if one] == [
        REF,
        f"{ID}@2.0.0#a.md",
    ]
    for name in ("a.md", f"{ID}@1.0.1#a.md", f"{ID}#A.md", "", REF + " "):
        assert found.get(name) is None


def test_paths_and_ids_that_look_like_references() -> None:
    """Names are looked up and never taken apart: `@` and `#` may stand in any of them."""
    made = files(manifest(id="https://example.org/@a@1.0.0#b"), **{"c@2#d_md": node("Odd.")})
    found = library(made)
    ref = "https://example.org/@a@1.0.0#b@1.0.0#c@2#d.md"
    record = found.get(ref)
    assert record is not None
    assert record["node"]["ref"] == ref
    assert strict(record).diagnostics == ()
    assert found.get("https://example.org/@a@1.0.0#b#c@2#d.md") == record


def test_two_packages_may_not_share_a_reference() -> None:
    """Neither as two of one id and version, nor by ids and paths that add up to the same; nothing is loaded then."""
    found = library(files())
    with pytest.raises(ConflictError):
        found.add(read(files(None, a_md=node("Another."))))
    one = files(manifest(id="urn:x:a"), **{"b@1_0_0#c_md": node()})
    two = files(manifest(id="urn:x:a@1.0.0#b"), c_md=node())
    with pytest.raises(ConflictError):
        library(one, two)
    assert len(found.packages) == 1


def test_what_may_be_loaded() -> None:
    """Valid packages and nothing else, each once, as many as the limit says; with their members."""
    with pytest.raises(InputError):
        Library().add(read({}))
    with pytest.raises(InputError):
        Library().add({})  # type: ignore[arg-type]
    made = files()
    found = library(made, made)
    assert len(found.packages) == 1
    assert found.digests() == {read(made).digest}
    few = Library(limits=Limits(moca_packages=1)).add(read(made))
    with pytest.raises(LimitError):
        few.add(read(related("2.0.0")))
    pins = [{"id": ID, "version": "1.0.0", "digest": read(made).digest}]
    book = {"moca.json": json.dumps(manifest(id=f"{ID}/book", members=pins)).encode()}

    def found_there(_: PinnedMember) -> dict[str, bytes]:
        return made

    whole = Library(now=NOW).add(read(book, resolve_member=found_there))
    assert whole.get(REF) is not None
    assert len(whole.packages) == 2


def test_read_again_with_another_trust_root_holds() -> None:
    """What was loaded last of the same bytes is what records are made of."""
    made = files()
    found = library(made)
    package = read(made)
    found.add(package)
    assert found.packages == (package,)
    assert found.get(f"{ID}#a.md") == found.get(REF)


def test_a_translation_shares_the_reference() -> None:
    """Language and file tell them apart; a translation without an audience has that of its node."""
    made = files(
        manifest(locales=["fr", "de"]),
        a_md=node(title="Time", moca={"audience": "internal"}),
        a_fr_md=node("Cinq ans.", title="Temps"),
        a_de_md=node("Fünf Jahre.", moca={"audience": "public"}),
    )
    found = library(made)
    records = [found.get(REF, locale=tag) for tag in (None, "fr", "de-AT", "it")]
    assert all(records)
    told = [(one["node"]["locale"], one["node"].get("title"), one["audience"]) for one in records if one]
    assert told == [
        ("en", "Time", "internal"),
        ("fr", "Temps", "internal"),
        ("de", None, "public"),
        ("en", "Time", "internal"),
    ]
    assert len({one["node"]["digest"] for one in records if one}) == 3
    assert [one["text"] for one in found.citations(locale="fr")] == ["Cinq ans."]


def test_a_record_is_never_larger_than_records_may_be() -> None:
    """Its text goes first, then copies of sources; what it says of trust never does."""
    long = files(None, a_md=node("x" * 2_000_000, status="draft"))
    (record,) = library(long).citations()
    assert "text" not in record
    assert record["span"]["end"] - record["span"]["start"] == 2_000_000
    assert record["trust"]["status"] == "draft"
    assert strict(record).diagnostics == ()
    source = {"id": "s", "resource": "https://example.org/" + "x" * 30_000}
    evidence = [{"source": "s", "selector": {"type": "TextPositionSelector", "start": 0, "end": 1}}] * 200
    heavy = files(None, a_md=node(sources=[source], moca={"evidence": evidence}))
    (record,) = library(heavy).citations()
    assert len(record["evidence"]) == 200
    assert record["evidence"][0]["source"] == {"id": "s"}
    assert strict(record).is_valid


JSONS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats()
    | st.text(max_size=8)
    | st.just("2026-01-01"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    "title description tags status generated verified sources stale_after moca resource".split()
)
MOCA = st.sampled_from("evidence valid_from valid_until contested_by audience concepts profiles".split())
ENTRY = st.fixed_dictionaries(
    {},
    optional={
        name: JSONS | st.just("s")
        for name in ("by", "at", "id", "resource", "source", "selector", "note", "iri", "exact", "type")
    },
)
FRONT = st.dictionaries(FIELDS, JSONS | ENTRY | st.lists(ENTRY, max_size=3), max_size=5)


@given(
    FRONT,
    st.dictionaries(MOCA, JSONS | ENTRY | st.lists(ENTRY, max_size=3), max_size=4),
    st.text(max_size=40),
)
def test_every_record_keeps_to_the_schema(front: dict[str, Any], moca: dict[str, Any], body: str) -> None:
    """Whatever a node says of itself: a valid package, a record without a fault, and text that is its span."""
    data = node(body.encode("utf-8", "replace").decode(), **{**front, "moca": moca}).encode()
    found = read(files(None, a_md=data, b_md=node()))
    if not found.valid:
        # Links out of the package, and characters that YAML does not know.
        assert found.codes <= {"C002_FRONTMATTER_INVALID", "C008_UNSAFE_PATH"}
        return
    for record in Library(now=NOW).add(found).citations():
        assert strict(record).diagnostics == ()
        if record["node"]["path"] == "b.md":
            continue
        span = record["span"]
        assert data[span["start"] : span["end"]].decode() == record["text"]
        assert json.loads(json.dumps(record, allow_nan=False)) == record
