"""What a Reader says of a package as a whole: the cases of conformance, rebuilt by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

import pytest
from moca_packages import ID, NOW, codes, files, independent_digest, manifest, node, read

from pincite.core.errors import InputError
from pincite.core.limits import Limits
from pincite.protocols.moca.reader import FindingSeverity, PinnedMember, read_package

if TYPE_CHECKING:
    from collections.abc import Callable


def test_the_smallest_package_is_valid() -> None:
    """A manifest and a node with a type: nothing is found, and it has nothing but its core."""
    found = read(files())
    assert (found.valid, found.capabilities, found.diagnostics) == (True, ("core",), ())
    assert found.manifest is not None
    assert found.manifest.key == f"{ID}@1.0.0"
    assert [one.path for one in found.nodes] == ["a.md"]


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"id": "no uri"}, "M002"),
        ({"id": "kb"}, "M002"),
        ({"version": "1.0"}, "M002"),
        ({"version": "01.0.0"}, "M002"),
        ({"title": ""}, "M002"),
        ({"title": None}, "M002"),
        ({"locales": ["fr", "fr"]}, "M002"),
        ({"locales": "fr"}, "M002"),
        ({"validFrom": "soon"}, "M002"),
        ({"validFrom": 2026}, "M002"),
        ({"profiles": ["https://example.org/p"]}, "M002"),
        ({"relations": [{"type": "supersedes"}]}, "M002"),
        ({"relations": [{"type": "supersedes", "target": ID, "more": 1}]}, "M002"),
        ({"members": [{"id": ID, "version": "1.0.0", "digest": "sha256:0"}]}, "M002"),
        ({"members": [{"id": ID, "version": "1.0.0", "digest": "sha256:" + "0" * 64}] * 2}, "M005"),
    ],
)
def test_a_manifest_that_breaks_its_schema(about: dict[str, Any], code: str) -> None:
    """It makes the package invalid, and nothing of it raises."""
    found = read(files(manifest(**about)))
    assert not found.valid
    assert code in codes(found)
    assert found.capabilities == ()


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"colour": "red"}, "M004"),
        ({"validFrom": "2026-02-01", "validUntil": "2026-02-01"}, "M006"),
        ({"id": "urn:moca:kb"}, "M007"),
        ({"mocaVersion": "0.3"}, "M008"),
        ({"profiles": {"https://example.org/profile": {}}}, "F001"),
    ],
)
def test_what_is_odd_about_a_manifest(about: dict[str, Any], code: str) -> None:
    """It is told, and the package stays valid."""
    found = read(files(manifest(**about)))
    assert (found.valid, codes(found)) == (True, {code})


def test_vendor_keys_and_known_profiles_are_silent() -> None:
    """A key of a vendor's own is nobody's business, and a profile that the host knows is no news."""
    about = manifest(**{"x-acme-colour": 1, "profiles": {"https://example.org/profile": {}}})
    assert read(files(about), known_profiles=["https://example.org/profile"]).diagnostics == ()


@pytest.mark.parametrize(
    "data",
    [
        b"{", b"\xff", b"[]" + b"[" * 100_000, b"[" * 100_000, b'{"id": NaN}', b'{"a": 1, "a": 2}', b'{"a": 1e999}',
        b'{"a": "\\ud800"}', b"9" * 5_000, b'{"a": ' + b"[" * 30 + b"]" * 30 + b"}", b'"' + b"a" * 600_000 + b'"',
    ],
)  # fmt: skip
def test_a_manifest_that_is_no_json(data: bytes) -> None:
    """Broken, too deep, too large, with a key twice or a number that not everybody reads: one code."""
    found = read({**files(), "moca.json": data})
    assert codes(found) == {"M001"}
    assert found.digest is not None


def test_a_list_is_no_manifest() -> None:
    """Any other JSON than an object breaks the schema."""
    assert codes(read({**files(), "moca.json": b"[]"})) == {"M002"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("# No frontmatter", "C001"),
        ("---\ntype: Guide\n", "C002"),
        ("---\ntype: [\n---\n", "C002"),
        ("---\n- type\n---\n", "C002"),
        ("---\na: &a 1\nb: *a\n---\n", "C002"),
        ("---\ntype: Guide\ntype: Policy\n---\n", "C002"),
        (f"---\ntype: Guide\na: {'[' * 21}{']' * 21}\n---\n", "C002"),
        (f"---\ntype: Guide\na: {'[' * 60_000}\n---\n", "C002"),
        (f"---\ntype: Guide\n# {'a' * 70_000}\n---\n", "C002"),
        (f"---\ntype: Guide\na: [{'1,' * 6_000}]\n---\n", "C002"),
        (b"---\ntype: Guide\n---\n\xff", "C002"),
        ("---\ntitle: A\n---\n", "C003"),
        ("---\ntype: ''\n---\n", "C003"),
        ("---\ntype: 5\n---\n", "C003"),
        ("---\n---\n", "C003"),
    ],
)
def test_a_node_that_is_none(text: str | bytes, code: str) -> None:
    """It makes the package invalid; the nodes beside it are read all the same."""
    found = read(files(None, a_md=text, b_md=node()))
    assert codes(found) == {code}
    assert not found.valid
    assert [one.path for one in found.nodes] == ["b.md"]


def test_a_package_needs_a_node_or_a_member() -> None:
    """A log is no node."""
    assert codes(read(files(None, log_md="# Log\n"))) == {"M003"}
    about = manifest(members=[{"id": f"{ID}/b", "version": "1.0.0", "digest": "sha256:" + "0" * 64}])
    found = read({"moca.json": json.dumps(about).encode()})
    assert (found.valid, found.capabilities) == (True, ("composed", "core"))


ODD: list[dict[str, Any]] = [
    {"title": 5}, {"tags": "a"}, {"tags": [1]}, {"status": "new"}, {"generated": {"at": "2026-01-01"}},
    {"verified": [{"by": "a"}]}, {"verified": "a"}, {"stale_after": "soon"}, {"sources": [1]}, {"moca": []},
    {"moca": {"audience": 5}}, {"moca": {"contested_by": "x"}}, {"moca": {"valid_from": 2026}},
    {"moca": {"concepts": [{"iri": "x"}]}}, {"moca": {"evidence": [{"selector": {}}]}},
    {"sources": [{"id": "s", "resource": "a note"}],
     "moca": {"evidence": [{"source": "s", "selector": {"type": "X"}}]}},
]  # fmt: skip


@pytest.mark.parametrize("front", ODD)
def test_an_optional_field_that_is_none(front: dict[str, Any]) -> None:
    """It is a warning and never an error; in strict reading the same code is an error."""
    made = files(None, a_md=node(**front))
    found = read(made)
    assert (found.valid, codes(found)) == (True, {"C005"})
    strict = read(made, strict=True)
    assert (strict.valid, strict.codes) == (False, found.codes)
    assert {one.severity for one in strict.diagnostics} == {FindingSeverity.ERROR}


def test_reserved_files() -> None:
    """The index of the whole may say `okf_version` alone; another has no frontmatter; a log is headed by dates."""
    good = files(
        None,
        a_md=node(),
        index_md="---\nokf_version: '0.2'\n---\n# All",
        b__index_md="# Some",
        log_md="# Log\n\n## 2026-01-01\n",
    )
    assert read(good).diagnostics == ()
    bad = files(
        None,
        a_md=node(),
        index_md="---\ntitle: x\n---\n",
        b__index_md="---\nokf_version: '0.2'\n---\n",
        log_md="---\na: 1\n---\n## Soon\n",
    )
    found = read(bad)
    assert [one.code[:4] for one in found.diagnostics] == ["C004"] * 4
    assert not found.valid


def test_links_that_lead_nowhere_and_out() -> None:
    """What does not resolve is a warning, what leads out of the package an error; code and addresses are no links."""
    body = (
        "[a](b.md) [b](#c) [c](https://example.org/x) `[d](no.md)`\n```\n[e](no.md)\n```\n"
        "![f](../media/f.png) [g](/a.md) [h](<b.md> 'title')"
    )
    made = files(None, a_md=node(body), b_md=node())
    assert read({**made, "media/f.png": b""}).diagnostics == ()
    (finding,) = read(made).diagnostics
    assert (finding.code, finding.file) == ("C007_LINK_UNRESOLVED", "content/a.md")
    for link in ("../../x.md", "/../../x.md", "..%2f..%2fx.md"):
        found = read(files(None, a_md=node(f"[a]({link})")))
        assert (found.valid, codes(found)) == (False, {"C008"})
    source: dict[str, Any] = {"sources": [{"id": "s", "resource": "../../../etc/passwd"}]}
    assert codes(read(files(None, a_md=node(**source)))) == {"C008"}
    source = {"sources": [{"id": "s", "resource": "../sources/none.txt"}]}
    assert codes(read(files(None, a_md=node(**source)))) == {"C007"}


def test_a_window_that_ends_before_it_begins() -> None:
    """It is told of a node, and the node is read."""
    window = {"valid_from": "2026-05-01", "valid_until": "2026-04-01"}
    found = read(files(None, a_md=node(moca=window)))
    assert (found.valid, codes(found)) == (True, {"C010"})


def test_locales() -> None:
    """A file of a declared language is a representation, any other dotted name a node; an orphan is told."""
    about = manifest(locales=["fr", "pt-BR"])
    found = read(
        files(about, a_md=node(), a_fr_md=node("Bonjour."), **{"v1_2_md": node(), "b_PT-br_md": node("Olá.")})
    )
    assert {one.path: [r.locale for r in one.representations] for one in found.nodes} == {
        "a.md": [None, "fr"],
        "b.md": ["pt-BR"],
        "v1.2.md": [None],
    }
    assert codes(found) == {"C009"}
    assert found.capabilities == ("core", "localized")
    assert [one.representation("FR").locale for one in found.nodes] == ["fr", "pt-BR", None]
    assert [one.representation("pt").locale for one in found.nodes] == [None, "pt-BR", None]
    assert [one.representation("fr-CA").locale for one in found.nodes] == ["fr", "pt-BR", None]


def test_the_nearest_language_around_is_taken() -> None:
    """Of several tags around the wanted one, the longest."""
    about = manifest(locales=["zh", "zh-Hant"])
    found = read(files(about, a_md=node(), a_zh_md=node(), **{"a_zh-Hant_md": node()}))
    assert found.nodes[0].representation("zh-Hant-TW").locale == "zh-Hant"
    assert found.nodes[0].representation("zh-TW").locale == "zh"


def book(*members: tuple[str, str]) -> dict[str, bytes]:
    """Return a package that is only its members, each by id and digest."""
    pins = [{"id": name, "version": "1.0.0", "digest": digest} for name, digest in members]
    return {"moca.json": json.dumps(manifest(id=f"{ID}/book", members=pins)).encode()}


def always(member: dict[str, bytes] | None) -> Callable[[PinnedMember], dict[str, bytes] | None]:
    """Return what finds this for every member."""

    def resolve(_: PinnedMember) -> dict[str, bytes] | None:
        return member

    return resolve


def test_members_that_are_what_is_pinned() -> None:
    """They are read with the rest; without a resolver nothing is looked for, and nothing is wrong."""
    made = files()
    asked: list[PinnedMember] = []

    def resolve(member: PinnedMember) -> dict[str, bytes]:
        asked.append(member)
        return made

    whole = book((ID, independent_digest(made)))
    found = read(whole, resolve_member=resolve)
    assert (found.valid, found.capabilities, found.diagnostics) == (True, ("composed", "core"), ())
    assert [one.manifest.id for one in found.members if one.manifest] == [ID]
    assert asked == [PinnedMember(ID, "1.0.0", independent_digest(made))]
    alone = read(whole)
    assert (alone.digest, alone.members, alone.diagnostics) == (found.digest, (), ())


def test_members_that_are_not() -> None:
    """One that is not found, that is another, that is invalid, and one that is its own: none of them is used."""
    made = files()
    pinned = independent_digest(made)
    for member, code in ((None, "R001"), ({}, "R001"), (files(None, b_md=node()), "R002")):
        found = read(book((ID, pinned)), resolve_member=always(member))
        assert (found.valid, codes(found), found.members) == (True, {code}, ())
    circle = book((f"{ID}/book", pinned))
    assert codes(read(circle, resolve_member=always(circle))) == {"R003"}
    inner = {**files(manifest(members=[{"id": f"{ID}/book", "version": "1.0.0", "digest": pinned}]))}
    found = read(book((ID, independent_digest(inner))), resolve_member=always(inner))
    assert codes(found) == {"R003"}


def test_members_are_bounded() -> None:
    """More of them than the limit says are not read, and it is told."""
    made = files()
    whole = book(*((f"{ID}/{place}", independent_digest(made)) for place in range(4)))
    asked: list[str] = []

    def resolve(member: PinnedMember) -> dict[str, bytes]:
        asked.append(member.id)
        return made

    found = read(whole, limits=Limits(moca_members=2), resolve_member=resolve)
    assert len(asked) == 2
    assert codes(found) == {"R001", "R002"}


def test_members_inside_of_one_another_are_bounded() -> None:
    """A row of members without an end is followed twenty deep, and told."""
    inner = files()
    made = {independent_digest(inner): inner}
    for place in range(30):
        pins = [
            {
                "id": json.loads(inner["moca.json"])["id"],
                "version": "1.0.0",
                "digest": independent_digest(inner),
            }
        ]
        inner = {"moca.json": json.dumps(manifest(id=f"{ID}/{place}", members=pins)).encode()}
        made[independent_digest(inner)] = inner

    def resolve(member: PinnedMember) -> dict[str, bytes] | None:
        return made.get(member.digest)

    found = read(inner, resolve_member=resolve)
    deep = 0
    while found.members:
        deep, (found,) = deep + 1, found.members
    assert deep == 20
    assert codes(found) == {"R001"}


def test_values_are_counted_over_all_nodes() -> None:
    """Many nodes may not hold together what one could not."""
    made = files(None, **{f"n{place}_md": node(tags=["x"] * 10) for place in range(5)})
    found = read(made, limits=Limits(moca_package_values=45))
    assert [one.path for one in found.nodes] == ["n0.md", "n1.md", "n2.md"]
    assert codes(found) == {"C002"}


def test_links_are_counted_over_all_nodes() -> None:
    """More of them than are looked at, and the package is not valid."""
    made = files(None, a_md=node("[a](a.md) " * 3), b_md=node("[a](a.md)"))
    assert read(made, limits=Limits(moca_links=4)).valid
    found = read(made, limits=Limits(moca_links=3))
    assert (found.valid, [one.file for one in found.diagnostics]) == (False, ["content/b.md"])


@pytest.mark.parametrize(
    "options",
    [
        {"target": 5}, {"target": None}, {"target": {1: b""}}, {"target": {"moca.json": "text"}}, {"now": 5},
        {"now": NOW.replace(tzinfo=None)}, {"now": lambda: NOW.replace(tzinfo=None)}, {"strict": 1},
        {"limits": {}}, {"known_profiles": "x"}, {"resolve_member": "x"}, {"trust_root": []},
        {"trust_root": {"key": []}}, {"trust_root": {"keys": [{"keyid": "a"}]}}, {"trust_root": {"keys": {}}},
        {"trust_root": {"keys": [{"keyid": "a", "publicKey": "no PEM"}]}},
        {"trust_root": {"keys": [{"keyid": "a", "publicKey": "x", "roles": ["all"]}]}},
        {"trust_root": {"keys": [{"keyid": "a", "publicKey": "x", "expires": "soon"}]}},
        {"trust_root": {"keys": [{"keyid": "a", "publicKey": "x", "more": 1}]}},
    ],
)  # fmt: skip
def test_an_argument_that_cannot_be_used(options: dict[str, Any]) -> None:
    """It is an error of the host's, told at once."""
    with pytest.raises(InputError):
        cast("Any", read_package)(**{"target": files(), **options})


def test_findings_are_bounded_and_count_all_the_same() -> None:
    """A package with more faults than are kept is as invalid as it is."""
    made = files(None, a_md=node("[x](no.md)\n" * 30), b_md="no frontmatter")
    found = read(made, limits=Limits(moca_diagnostics=5))
    assert len(found.diagnostics) == 5
    assert not found.valid


def test_what_stands_in_a_finding_is_one_line() -> None:
    """Whatever a package writes into its own names, a message shows no control characters, and ends."""
    found = read({**files(), "content/\u202e\nx.md": b"", "content/" + "y" * 900 + ".md": b""})
    shown = [text for one in found.diagnostics for text in (one.message, one.file or "")]
    assert shown
    assert not [text for text in shown if len(text) > 300 or "\n" in text or "\u202e" in text]
