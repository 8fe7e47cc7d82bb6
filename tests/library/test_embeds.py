"""Embeds: an agent on somebody's page, under a key that may be changed and revoked."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from still_clock import NOON, StillClock

from pincite.core.errors import InputError, LimitError, NotFoundError
from pincite.core.limits import Limits
from pincite.library import KEEP, Credential, Directory, Embed, Embeds, Library, StoredAgents
from pincite.library.embeds import origin_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Use = Callable[[str], object]

PEPPER = bytes(range(32))


@pytest.fixture
def clock() -> StillClock:
    """The clock of `library`."""
    return StillClock()


@pytest.fixture
def library(home: Path, clock: StillClock) -> Iterator[Library]:
    """A library at noon."""
    with Library.open(home, clock=clock, limits=Limits(embed_origins=3, embed_theme_bytes=40)) as opened:
        yield opened


@pytest.fixture
def agent(library: Library) -> str:
    """The id of an agent of the library."""
    return StoredAgents(library).create("helper", wire_format="ref").agent_id


@pytest.fixture
def embeds(library: Library) -> Embeds:
    """The library's embeds."""
    return Embeds(library, PEPPER)


def test_an_embed_is_made_with_its_key(library: Library, embeds: Embeds, agent: str) -> None:
    """The key is told once and leads to the embed; without settings it is as its agent is, with previews."""
    made, key = embeds.create(agent, " Front page ")
    assert re.fullmatch(r"kve_[0-9A-Za-z_-]{32}", key)
    expected = Embed(
        made.embed_id,
        agent,
        "Front page",
        key[-4:],
        allowed_origins=(),
        greeting="",
        theme={},
        highlight=None,
        previews=True,
        created_at=NOON,
        revoked_at=None,
    )
    assert made == expected == embeds.one(made.embed_id) == embeds.standing(made.embed_id)
    assert embeds.all() == [made]
    assert Directory(library, PEPPER).find(key) == Credential("embed", "local", made.embed_id)
    assert key not in repr(made)


def test_settings_are_kept(embeds: Embeds, agent: str) -> None:
    """Origins as a browser sends them, each once; a greeting of several lines; a theme of JSON."""
    theme = {"colour": "#336699", "é": [1, None]}
    made, _ = embeds.create(
        agent,
        "x",
        allowed_origins=["https://Docs.Example.org:443", "http://localhost:3000", "https://docs.example.org"],
        greeting="Hello!\r\nAsk me.",
        theme=theme,
        highlight="models_quote",
        previews=False,
    )
    assert made.allowed_origins == ("https://docs.example.org", "http://localhost:3000")
    assert made.greeting == "Hello!\nAsk me."
    assert made.theme == theme
    assert made.highlight == "models_quote"
    assert made.previews is False
    theme["colour"] = "red"
    assert embeds.one(made.embed_id).theme["colour"] == "#336699"


def test_what_is_kept_stays(embeds: Embeds, agent: str) -> None:
    """Each setting alone may be changed, and back to the agent's; without any nothing changes."""
    made, _ = embeds.create(
        agent,
        "x",
        allowed_origins=["https://a.example"],
        greeting="Hi",
        theme={"a": 1},
        highlight="best_match",
    )
    assert embeds.change(made.embed_id) == made
    changes: list[tuple[str, Any, Any]] = [
        ("name", "y", "y"),
        ("allowed_origins", [], ()),
        ("greeting", "", ""),
        ("theme", {}, {}),
        ("highlight", None, None),
        ("previews", False, False),
    ]
    for field, given, expected in changes:
        before = embeds.one(made.embed_id)
        changed = embeds.change(made.embed_id, **{field: given})
        assert getattr(changed, field) == expected
        same = [name for name in Embed.__dataclass_fields__ if name != field]
        assert [getattr(changed, name) for name in same] == [getattr(before, name) for name in same]
    assert embeds.change(made.embed_id, name=KEEP, theme=KEEP).name == "y"


@pytest.mark.parametrize(
    ("given", "origin"),
    [
        ("https://example.org", "https://example.org"),
        ("HTTPS://EXAMPLE.ORG", "https://example.org"),
        ("https://example.org:443", "https://example.org"),
        ("http://example.org:80", "http://example.org"),
        ("https://example.org:80", "https://example.org:80"),
        ("http://example.org:443", "http://example.org:443"),
        ("https://example.org:8443", "https://example.org:8443"),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
    ],
)
def test_an_origin_is_as_a_browser_sends_it(given: str, origin: str) -> None:
    """Scheme and host in lower case and ASCII, and the port where it is not the scheme's own."""
    assert origin_of(given) == origin


@pytest.mark.parametrize(
    "given",
    [
        "*",
        "https://*",
        "https://*.example.org",
        "",
        "example.org",
        "//example.org",
        "ftp://example.org",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "null",
        "https://",
        "https://example.org/",
        "https://example.org/path",
        "https://example.org?x",
        "https://example.org#x",
        "https://user@example.org",
        "https://user:secret@example.org",
        "https://@example.org",
        "https://exam ple.org",
        "https://example.org:0",
        "https://example.org:99999",
        "https://example.org:x",
        "https://example.org\\@evil.example",
        "https://example.org\nhttps://evil.example",
        "https://exa\u200bmple.org",
        None,
        7,
        b"https://example.org",
    ],
)
def test_what_is_no_origin_is_refused(embeds: Embeds, agent: str, given: Any) -> None:
    """With a path, a user, another scheme, or any page at all; a sentence, and no embed."""
    with pytest.raises(InputError) as caught:
        embeds.create(agent, "x", allowed_origins=[given])
    assert caught.value.field == "allowed_origins"
    assert embeds.all() == []


def test_any_page_is_not_an_origin() -> None:
    """Who gives a star is told what it would mean."""
    with pytest.raises(InputError, match="every page"):
        origin_of("*")


def test_settings_are_bounded(embeds: Embeds, agent: str) -> None:
    """By the limits that are named for them; the last that fits is kept."""
    origins = [f"https://{letter}.example" for letter in "abcd"]
    embeds.create(agent, "x", allowed_origins=origins[:3], theme={"a": "x" * 32}, greeting="x" * 2_000)
    for field, value in (
        ("allowed_origins", origins),
        ("theme", {"a": "x" * 33}),
        ("greeting", "x" * 2_001),
    ):
        given: dict[str, Any] = {field: value}
        with pytest.raises(LimitError) as caught:
            embeds.create(agent, "x", **given)
        assert caught.value.field == field


def _deep() -> dict[str, Any]:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    return deep


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", None),
        ("allowed_origins", "https://a.example"),
        ("allowed_origins", None),
        ("greeting", None),
        ("greeting", 7),
        ("theme", []),
        ("theme", "{}"),
        ("theme", {"a": float("nan")}),
        ("theme", {"a": {1, 2}}),
        ("theme", {(1, 2): 3}),
        ("theme", _deep()),
        ("highlight", "all"),
        ("highlight", 7),
        ("highlight", []),
        ("previews", 1),
        ("previews", None),
        ("previews", "no"),
    ],
)
def test_other_settings_are_refused(embeds: Embeds, agent: str, field: str, value: Any) -> None:
    """When it is made and when it is changed, and then nothing was."""
    made, _ = embeds.create(agent, "x")
    given: dict[str, Any] = {field: value}
    settings: dict[str, Any] = {"name": "y"} | given
    with pytest.raises(InputError) as caught:
        embeds.change(made.embed_id, **given)
    assert caught.value.field == field
    with pytest.raises(InputError):
        embeds.create(agent, **settings)
    assert embeds.all() == [made]


def test_an_embed_is_of_an_agent(library: Library, embeds: Embeds, agent: str) -> None:
    """Not of one that is unknown, another tenant's, or deleted."""
    foreign = StoredAgents(library.of_tenant("other")).create("x", wire_format="ref").agent_id
    gone = StoredAgents(library).create("x", wire_format="ref").agent_id
    StoredAgents(library).delete(gone)
    for unknown in (foreign, gone, "", "x", agent.upper()):
        with pytest.raises(NotFoundError) as caught:
            embeds.create(unknown, "x")
        assert caught.value.field == "agent_id"
    with pytest.raises(InputError):
        embeds.create(None, "x")  # type: ignore[arg-type]
    assert embeds.all() == []


def test_embeds_are_listed_by_agent(library: Library, embeds: Embeds, agent: str, clock: StillClock) -> None:
    """The oldest first, revoked ones too."""
    other = StoredAgents(library).create("other", wire_format="ref").agent_id
    names: list[str] = []
    for name, whose in (("c", agent), ("a", other), ("b", agent)):
        made, _ = embeds.create(whose, name)
        names.append(made.name)
        clock.wait(1)
    embeds.revoke(embeds.all()[0].embed_id)
    assert [one.name for one in embeds.all()] == names
    assert [one.name for one in embeds.all(agent)] == ["c", "b"]
    assert [one.name for one in embeds.all(other)] == ["a"]
    assert embeds.all("nobody's") == []


def test_a_new_key_ends_the_old_one(library: Library, embeds: Embeds, agent: str) -> None:
    """With that call, and nothing else of the embed changes."""
    made, old = embeds.create(agent, "x", greeting="Hi")
    directory = Directory(library, PEPPER)
    changed, key = embeds.new_key(made.embed_id)
    assert key != old
    assert (changed.embed_id, changed.greeting, changed.hint) == (made.embed_id, "Hi", key[-4:])
    assert directory.find(old) is None
    assert directory.find(key) == Credential("embed", "local", made.embed_id)


def test_a_revoked_embed_is_over(library: Library, embeds: Embeds, agent: str, clock: StillClock) -> None:
    """Its key is unknown at once, it is neither standing nor changed nor given a key, and stays in the list."""
    made, key = embeds.create(agent, "x")
    _, others = embeds.create(agent, "y")
    clock.wait(5)
    revoked = embeds.revoke(made.embed_id)
    assert revoked.revoked_at == NOON + timedelta(seconds=5)
    clock.wait(5)
    assert embeds.revoke(made.embed_id) == embeds.one(made.embed_id) == revoked
    assert Directory(library, PEPPER).find(key) is None
    assert Directory(library, PEPPER).find(others) is not None
    uses: list[Use] = [embeds.standing, embeds.new_key, lambda one: embeds.change(one, name="z")]
    for use in uses:
        with pytest.raises(NotFoundError) as caught:
            use(made.embed_id)
        assert caught.value.field == "embed_id"
    assert Directory(library, PEPPER).find(key) is None


def test_tenants_see_their_own_embeds_alone(library: Library, embeds: Embeds, agent: str) -> None:
    """Another's embed is neither listed, nor found, nor changed."""
    made, key = embeds.create(agent, "x")
    others = Embeds(library.of_tenant("other"), PEPPER)
    assert others.all() == []
    assert others.all(agent) == []
    uses: list[Use] = [others.one, others.standing, others.revoke, others.new_key]
    uses.append(lambda one: others.change(one, name="z"))
    for use in uses:
        with pytest.raises(NotFoundError):
            use(made.embed_id)
    assert embeds.all() == [made]
    assert Directory(library, PEPPER).find(key) is not None


@pytest.mark.on_sqlite
def test_no_embeds_key_is_in_any_file(library: Library, home: Path, embeds: Embeds, agent: str) -> None:
    """Neither an old one nor its successor."""
    made, old = embeds.create(agent, "x")
    _, key = embeds.new_key(made.embed_id)
    files = [file for file in home.rglob("*") if file.is_file()]
    written = b"".join(file.read_bytes() for file in files)
    library.close()
    written += (home / "library.db").read_bytes()
    assert made.embed_id.encode() in written
    for secret in (old, key):
        assert secret[4:].encode() not in written
        assert secret[4:20].encode() not in written
