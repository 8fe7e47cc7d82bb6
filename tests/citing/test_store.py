"""The store keeps each key for one passage, from every thread, over a restart."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile import hostile, much
from pincite.citing import CitationContextContribution, CitationStore, RegisteredHit
from pincite.citing.formats.base import REF_KEY
from pincite.citing.store import CitedObject
from pincite.core.errors import InputError, KeyClashError
from pincite.core.hit import Hit
from pincite.core.ids import chunk_id, foreign_id, version_of
from pincite.core.refs import RefIssuer

if TYPE_CHECKING:
    from collections.abc import Callable

DOCUMENT = "3d0e7c44-9a11-5a2e-8b6f-2c9a5d1e0f33"
PAGE = "https://docs.example/Leave"
# Two keys whose hashes begin alike: 059d78d4-f and 059d78d4-e.
TWINS = ("https://tickets.example/109687", "https://tickets.example/124172")


def _register(store: CitationStore, key: str, text: str | None = None, **more: Any) -> RegisteredHit:
    return store.register_hit(key, {"content": f"words of {key}" if text is None else text}, None, **more)


def _row(key: str, content: str = "Ten days of leave.", **changes: Any) -> dict[str, Any]:
    """Return the arguments that register a passage of a library under `key`."""
    chunk = chunk_id(DOCUMENT, content)
    version = changes.pop("version", version_of(content))
    hit = Hit(chunk[:8], chunk, DOCUMENT, content, "upload://h.pdf", "handbook", version=version)
    known = CitedObject("Handbook", hit.ref, chunk, DOCUMENT, hit.evidence_id, text=content)
    return {
        "citation_key": key,
        "context_hit": {"content": content},
        "search_hit": hit,
        "known": known,
        **changes,
    }


# --- registration -----------------------------------------------------------------------------------------------


def test_the_four_layers_own_call() -> None:
    """An object registered as the page shows is found by key and by document."""
    store = CitationStore()
    record = {"title": "Ticket 7", "url": "https://tickets.example/7"}
    hit = store.register_hit(
        citation_key=record["url"],
        context_hit={"title": record["title"], "source_url": record["url"]},
        search_hit=record,
        evidence_url=record["url"],
        context_contribution=CitationContextContribution(document_ids=("ticket-7",)),
        index_type="tickets",
        index_id="main",
    )
    assert store.get(record["url"]) is hit
    assert store.get_hit_by_document_id("ticket-7") is hit
    assert (hit.citation_key, hit.index_type, hit.index_id) == (record["url"], "tickets", "main")
    assert hit.search_hit is record
    assert hit.known.title == "Ticket 7"


def test_the_same_object_again_is_one_entry() -> None:
    """Registering twice what is the same changes nothing."""
    store = CitationStore()
    first, second = (store.register_hit("k", {"content": "same"}, None) for _ in range(2))
    assert store.keys() == ["k"]
    assert first is second


@pytest.mark.parametrize(
    "other",
    [
        {"context_hit": {"content": "two"}},
        {"context_hit": {"content": "one"}, "evidence_url": "https://elsewhere.example"},
        {"context_hit": {}},
        {"context_hit": {"content": "one"}, "known": CitedObject(text="two")},
    ],
)
def test_another_object_under_the_same_key_is_an_error(other: dict[str, Any]) -> None:
    """A key never changes its passage in silence, and the first one stays."""
    store = CitationStore()
    hit = store.register_hit("k", {"content": "one"}, None)
    given: dict[str, Any] = {"citation_key": "k", "search_hit": None, **other}
    with pytest.raises(KeyClashError, match="stands for another passage"):
        store.register_hit(**given)
    assert store.get("k") is hit
    assert store.keys() == ["k"]


def test_an_object_without_words_is_what_was_shown_of_it() -> None:
    """A record that has a title alone is another record when its title is another."""
    store = CitationStore()
    for _ in range(2):
        store.register_hit("k", {"title": "Ticket 7", "tag": ...}, None)
    with pytest.raises(KeyClashError):
        store.register_hit("k", {"title": "Ticket 8", "tag": ...}, None)


def test_a_later_version_of_a_passage_takes_the_place_of_the_earlier() -> None:
    """The id of our passage is made of its words, so an edit elsewhere in the document changes no content."""
    store = CitationStore()
    first = store.register_hit(**_row("9f2a1b7c"))
    later = store.register_hit(**_row("9f2a1b7c", version="0123456789abcdef"))
    assert list(store) == [later]
    assert first.known.evidence_id is not None
    assert later.known.evidence_id is not None
    assert store.look_up(first.known.evidence_id).hit is later
    assert store.look_up(later.known.evidence_id).hit is later


@pytest.mark.parametrize("key", ["", None, 5, b"k"])
def test_a_key_is_a_string_that_says_something(key: Any) -> None:
    """An object without a key cannot be cited."""
    with pytest.raises(InputError, match="must not be empty"):
        CitationStore().register_hit(key, {}, None)


def test_iteration_keeps_the_order_of_registration() -> None:
    """The first registered comes first, and a later version stays in its place."""
    store = CitationStore()
    for key in ("b", "a", "c"):
        store.register_hit(key, {"content": key}, None)
    assert [hit.citation_key for hit in store] == ["b", "a", "c"]
    assert list(store.hits) == ["b", "a", "c"]


def test_the_view_of_the_hits_is_no_copy() -> None:
    """One read-only view follows what is registered; looking at it copies nothing."""
    store = CitationStore()
    view: Any = store.hits
    hit = _register(store, "k")
    assert store.hits is view
    assert (len(view), view["k"], "k" in view, view.get("x")) == (1, hit, True, None)
    assert (list(view.items()), list(view.values())) == ([("k", hit)], [hit])
    with pytest.raises(TypeError):
        view["x"] = hit


def test_the_evidence_address_is_kept_as_given() -> None:
    """What becomes a link is judged where it is shown; the store keeps what the producer said."""
    store = CitationStore()
    assert _register(store, "k", evidence_url="javascript:alert(1)").evidence_url == "javascript:alert(1)"


# --- threads ----------------------------------------------------------------------------------------------------


def _in_threads(work: Callable[[int], None]) -> None:
    failures: list[BaseException] = []

    def guarded(worker: int) -> None:
        try:
            work(worker)
        except BaseException as error:  # noqa: BLE001 - told below, in the test's own thread
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(worker,)) for worker in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_sixteen_threads_lose_nothing() -> None:
    """Registering, walking and looking up at once: every hit is there, and every number and ref is one passage's."""
    store = CitationStore()

    def register(worker: int) -> None:
        for index in range(200):
            key = f"https://a.example/{worker}/{index}"
            hit = _register(store, key)
            assert store.look_up(key).hit is hit
            assert store.look_up(f"{key}/").hit is hit
            assert store.issue_number(f"shared {index}") <= 200
            if index % 50 == 0:
                assert sum(1 for _ in store) <= len(list(store.hits.values()))

    _in_threads(register)
    assert len(store) == len(store.keys()) == 16 * 200
    assert len({hit.short_id for hit in store}) == 16 * 200
    assert sorted(store.issue_number(f"shared {index}") for index in range(200)) == list(range(1, 201))


def test_one_key_from_sixteen_threads_is_one_entry() -> None:
    """All register the same object: the entry is made once."""
    store = CitationStore()
    _in_threads(lambda _: [_register(store, f"k{index}") for index in range(100)].clear())
    assert store.keys() == [f"k{index}" for index in range(100)]


# --- short ids --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "document",
    [
        "aaaa1111bbbb2222_0",
        "ffff0000bbbb2222_0",
        "X-UPPER-ABCDEFGH_0",
        "abc_1",
        "2301.12345v2",
        "doc_final_v2",
    ],
)
def test_a_short_id_comes_from_a_real_hash(document: str) -> None:
    """Whatever an id looks like, its short id is hex that the formats can read, and leads back to it."""
    store = CitationStore()
    hit = store.register_hit(document, {"title": document}, None)
    assert hit.short_id is not None
    assert REF_KEY.fullmatch(hit.short_id) is not None
    assert foreign_id(document).startswith(hit.short_id)
    assert store.get_hit_by_short_id(hit.short_id) is hit
    assert store.look_up(hit.short_id) == (hit, None, ())


def test_two_chunks_and_two_documents_with_one_end_stay_apart() -> None:
    """Ids that end alike share no short id: none cites whichever came last."""
    store = CitationStore()
    keys = ("aaaa1111bbbb2222_0", "aaaa1111bbbb2222_7", "ffff0000bbbb2222_0")
    hits = [_register(store, key) for key in keys]
    assert len({hit.short_id for hit in hits}) == 3
    assert [store.get_hit_by_short_id(hit.short_id or "") for hit in hits] == hits


def test_a_clash_of_short_ids_extends_the_later_one() -> None:
    """Two keys whose hashes begin alike: the first keeps its eight characters, the second gets more."""
    store = CitationStore()
    first, second = (_register(store, key) for key in TWINS)
    assert (first.short_id, second.short_id) == ("059d78d4", "059d78d4-e")
    assert store.get_hit_by_short_id("059d78d4") is first
    assert store.get_hit_by_short_id("059d78d4-e") is second


def test_short_ids_are_unlike_every_id_of_the_conversation() -> None:
    """A restart forgets none of them: a clash with an earlier turn extends too."""
    store = CitationStore()
    _register(store, TWINS[0])
    later = CitationStore.load(json.loads(json.dumps(store.export())))
    assert _register(later, TWINS[1]).short_id == "059d78d4-e"


@pytest.mark.parametrize("taken", ["key", "short_id", "evidence_id"])
def test_a_short_id_that_is_in_use_otherwise_is_never_issued(taken: str) -> None:
    """A key or a handle of a producer's own that looks like a ref is as good as issued."""
    store = CitationStore()
    shown = {"content": "one", "short_id": "059d78d4", "evidence_id": "059d78d4"}
    if taken == "key":
        other = _register(store, "059d78d4")
    else:
        other = store.register_hit("other", {"content": "one", taken: shown[taken]}, None)
    hit = _register(store, TWINS[0])
    assert hit.short_id == "059d78d4-f"
    assert store.look_up("059d78d4").hit is other


def test_a_clash_is_detected_at_registration() -> None:
    """What was issued for one passage, shown or not yet, is no key and no handle of another."""
    refs = RefIssuer()
    assert refs.issue(foreign_id(TWINS[0])) == "059d78d4"
    store = CitationStore(refs)
    with pytest.raises(KeyClashError):
        _register(store, "059d78d4")
    with pytest.raises(KeyClashError):
        store.register_hit("other", {"content": "one", "ref": "059d78d4"}, None)
    assert len(store) == 0
    assert _register(store, TWINS[0]).short_id == "059d78d4"


@pytest.mark.parametrize("name", ["short_id", "ref", "evidence_id"])
def test_the_handles_of_a_payload_name_its_object(name: str) -> None:
    """What the model was shown as a handle is found, and a second object may not have it."""
    store = CitationStore()
    hit = store.register_hit("https://a.example", {"content": "one", name: "x-7"}, None)
    assert store.look_up("x-7") == (hit, None, ())
    with pytest.raises(KeyClashError):
        store.register_hit("https://b.example", {"content": "two", name: "x-7"}, None)
    with pytest.raises(KeyClashError):
        store.register_hit("x-7", {"content": "two"}, None)
    with pytest.raises(KeyClashError):
        store.register_hit("https://b.example", {"content": "two", name: "https://a.example"}, None)


def test_one_passage_may_have_two_keys() -> None:
    """A passage that is shown in another wire format in a later turn is registered under that key too."""
    store = CitationStore()
    first = store.register_hit(**_row("9f2a1b7c"))
    second = store.register_hit(**_row("/citations/9f2a1b7c"))
    assert store.keys() == ["9f2a1b7c", "/citations/9f2a1b7c"]
    assert store.look_up("9f2a1b7c").hit is first
    assert store.look_up("/citations/9f2a1b7c").hit is second
    assert store.look_up("/citations/9F2A1B7C").hit is second


# --- numbers ----------------------------------------------------------------------------------------------------


def test_a_number_is_one_passages_over_the_whole_conversation() -> None:
    """The first result of a second search gets a number of its own, also after a restart."""
    store = CitationStore()
    assert [store.issue_number(name) for name in ("a", "b", "a", "c")] == [1, 2, 1, 3]
    later = CitationStore.load(json.loads(json.dumps(store.export())))
    assert [later.issue_number(name) for name in ("b", "d")] == [2, 4]


def test_a_hit_is_found_by_its_number() -> None:
    """The number that a payload shows, given as a number or as digits, names its object."""
    store = CitationStore()
    hit = store.register_hit("k", {"content": "one", "number": 7}, None)
    digits = store.register_hit("l", {"content": "two", "number": "8"}, None)
    assert (store.get_hit_by_number(7), store.get_hit_by_number(8)) == (hit, digits)
    assert (hit.number, digits.number, store.get_hit_by_number(9)) == (7, 8, None)


def test_a_number_in_use_is_never_issued() -> None:
    """Numbers of a producer's own, and keys that are numbers, are passed over."""
    store = CitationStore()
    store.register_hit("k", {"content": "one", "number": 1}, None)
    _register(store, "2")
    assert store.issue_number("a") == 3


def test_a_number_that_an_object_got_later_is_kept() -> None:
    """The same object shown again with a number has it from then on, and after a restart."""
    store = CitationStore()
    hit = _register(store, "k", "one")
    assert store.register_hit("k", {"content": "one", "number": 7}, None) is hit
    again = CitationStore.load(json.loads(json.dumps(store.export())))
    for kept in (store, again):
        found = kept.get_hit_by_number(7)
        assert found is not None
        assert found.citation_key == "k"


def test_two_objects_with_one_number_clash() -> None:
    """A number that two payloads show would cite either."""
    store = CitationStore()
    store.register_hit("k", {"content": "one", "number": 7}, None)
    with pytest.raises(KeyClashError, match="'7'"):
        store.register_hit("l", {"content": "two", "number": 7}, None)
    with pytest.raises(KeyClashError, match="'7'"):
        _register(store, "7")
    store.register_hit("8", {"content": "eight", "number": 8}, None)
    with pytest.raises(KeyClashError, match="'8'"):
        store.register_hit("l", {"content": "two", "number": 8}, None)


@pytest.mark.parametrize("number", [True, 0, -1, 1.5, "x", "٧", 10**9, "9" * 5_000, None, [1]])
def test_what_is_no_number_numbers_nothing(number: Any) -> None:
    """A field called `number` may hold anything; only a positive whole number is a handle."""
    store = CitationStore()
    assert store.register_hit("k", {"content": "one", "number": number}, None).number is None


# --- looking up -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("registered", "asked"), [("doc", "doc"), ("doc_0", "doc"), ("doc", "doc_0"), ("doc_12", "doc_12")]
)
@pytest.mark.parametrize("place", ["contribution", "item", "known"])
def test_document_id_as_key(registered: str, asked: str, place: str) -> None:
    """A document's id resolves with and without its chunk's number on either side, and that is told."""
    store = CitationStore()
    given: dict[str, Any] = {"known": CitedObject(document_id=registered, text="x")}
    if place == "contribution":
        given = {"context_contribution": CitationContextContribution({registered})}
    elif place == "item":
        given = {"context_contribution": CitationContextContribution((), [..., {"id": registered}])}
    hit = store.register_hit("https://a.example", {"content": "x"}, None, **given)
    assert store.get_hit_by_document_id(asked) is hit
    assert store.look_up(asked) == (hit, "a document id in place of the key", ())


@pytest.mark.parametrize(
    ("key", "asked"), [("doc_3", "doc"), ("doc", "doc_3"), ("/documents/d1_0", "/documents/d1")]
)
def test_a_key_that_is_an_id_has_a_chunk_number_or_none(key: str, asked: str) -> None:
    """A producer whose keys are ids of chunks is cited by its documents, and the other way round."""
    store = CitationStore()
    hit = _register(store, key)
    assert store.look_up(asked) == (hit, "a document id in place of the key", ())
    assert store.get_hit_by_document_id(asked) is hit
    assert store.get_hit_by_document_id(key) is hit


def test_an_address_is_no_chunk_of_a_shorter_one() -> None:
    """A page whose name ends in a number is not the page without it."""
    store = CitationStore()
    _register(store, "https://a.example/report_2024")
    _register(store, "https://a.example/minutes")
    for written in ("https://a.example/report", "https://a.example/minutes_2024"):
        assert store.look_up(written) == (None, None, ())


@pytest.mark.parametrize("asked", ["doc_7", "doc_", "doc_x", "do", "", "_0", "DOC"])
def test_another_chunk_of_a_document_is_not_the_one_that_is_there(asked: str) -> None:
    """The id of one chunk never finds another."""
    store = CitationStore()
    _register(store, "k", context_contribution=CitationContextContribution(["doc_0"]))
    assert store.get_hit_by_document_id(asked) is None


def test_the_first_hit_of_a_document_and_all_that_it_could_be() -> None:
    """Follow-up tooling gets a document's first hit; a citation that says no more than the document is ambiguous."""
    store = CitationStore()
    first, second = (
        _register(store, key, context_contribution=CitationContextContribution([f"doc_{number}"]))
        for number, key in enumerate(("a", "b"))
    )
    assert store.get_hit_by_document_id("doc") is first
    assert store.get_hit_by_document_id("doc_1") is second
    assert store.look_up("doc") == (None, None, ("a", "b"))
    assert store.look_up("doc_1").hit is second


@pytest.mark.parametrize(
    ("key", "written", "how"),
    [
        (
            "https://en.example/Mercury_(planet)",
            "https://en.example/Mercury_%28planet%29",
            "percent-encoding",
        ),
        (
            "https://en.example/Mercury_%28planet%29",
            "https://en.example/Mercury_(planet)",
            "percent-encoding",
        ),
        (PAGE, f"{PAGE}/", "a slash at the end"),
        (f"{PAGE}/", PAGE, "a slash at the end"),
        (f"{PAGE}?q=1", f"{PAGE}/?q=1", "a slash at the end"),
        ("https://docs.example", "https://docs.example/", "a slash at the end"),
        (PAGE, "https://docs.example/leave", "another letter case"),
        (PAGE, "HTTPS://Docs.Example/Leave", "another letter case"),
        (f"{PAGE}?a=1&b=2", f"{PAGE}?a=1&amp;b=2", "an HTML entity"),
        (PAGE, f"{PAGE}#days", "another fragment"),
        (f"{PAGE}#days", PAGE, "another fragment"),
        (f"{PAGE}#days", f"{PAGE}#hours", "another fragment"),
        (PAGE, "https://docs.example/ Leave\n", "blanks"),
        ("/files/my file.pdf", "/files/my%20file.pdf", "percent-encoding"),
        ("/files/caf\u00e9.pdf", "/files/cafe\u0301.pdf", "another Unicode form"),
        ("9f2a1b7c", "9F2A1B7C", "another letter case"),
        ("9f2a1b7c", "\uff19f2a1b7c", "another Unicode form"),
        (PAGE, "HTTPS://docs.example/leave/", "a slash at the end and another letter case"),
    ],
)
def test_another_spelling_of_a_key_is_mended(key: str, written: str, how: str) -> None:
    """URL percent-encoded; trailing slash; other letter case: found, and told in words."""
    store = CitationStore()
    hit = _register(store, key)
    _register(store, "https://docs.example/other")
    assert store.look_up(written) == (hit, how, ())


@pytest.mark.parametrize(
    "written",
    [
        "https://docs.example/Leav",
        "https://docs.example/Leave/x",
        "https://docs.example",
        "",
        " ",
        "/",
        "#",
        "%",
    ],
)
def test_what_is_like_no_key_is_a_miss(written: str) -> None:
    """A shorter, longer or empty key is no spelling of another."""
    store = CitationStore()
    _register(store, PAGE)
    assert store.look_up(written) == (None, None, ())


def test_a_repair_never_wins_over_an_exact_hit() -> None:
    """Keys that differ in case, slash, encoding or fragment alone stay different passages."""
    store = CitationStore()
    keys = (PAGE, f"{PAGE}/", PAGE.lower(), f"{PAGE}#a", f"{PAGE}#b", f"{PAGE}%20", f"{PAGE} ")
    hits = {key: _register(store, key) for key in keys}
    for key, hit in hits.items():
        assert store.look_up(key) == (hit, None, ())


def test_the_least_mending_wins_and_a_draw_is_ambiguous() -> None:
    """Of several keys the nearest is meant; where none is nearer, none is chosen."""
    store = CitationStore()
    upper, lower = _register(store, PAGE), _register(store, PAGE.lower())
    assert store.look_up("https://DOCS.example/Leave") == (upper, "another letter case", ())
    assert store.look_up("https://DOCS.example/leave/").hit is lower
    hit, repaired, candidates = store.look_up("https://docs.example/LEAVE")
    assert (hit, repaired, set(candidates)) == (None, None, {PAGE, PAGE.lower()})


def test_a_foreign_fragment_on_a_page_of_several_passages_is_ambiguous() -> None:
    """The page was cited, and not which of its passages; the page's own key is still exact."""
    store = CitationStore()
    first = _register(store, PAGE)
    _register(store, f"{PAGE}#passage-9f2a1b7c")
    assert store.look_up(PAGE).hit is first
    assert store.look_up(f"{PAGE}/").hit is first
    assert store.look_up(f"{PAGE}#days").candidates == (PAGE, f"{PAGE}#passage-9f2a1b7c")


def test_what_is_registered_later_is_found_inexactly_too() -> None:
    """The index is made at the first question and follows what comes after it."""
    store = CitationStore()
    assert store.look_up("HTTPS://A.example").hit is None
    hit = _register(store, "https://a.example", context_contribution=CitationContextContribution(["d"]))
    assert store.look_up("HTTPS://A.example").hit is hit
    assert store.get_hit_by_document_id("d") is hit


def test_many_passages_of_one_document_are_told_apart() -> None:
    """Writing a document's id ten thousand times costs no walk over its ten thousand passages each time."""
    store = CitationStore()
    for index in range(10_000):
        row = _register(store, f"{PAGE}#{index}", context_contribution=CitationContextContribution(["doc"]))
        assert row.short_id
    assert store.look_up("nothing").hit is None  # the index is made once
    # A walk over all of them each time would not come back.
    for _ in range(10_000):
        assert len(store.look_up("doc").candidates) == 20
        assert len(store.look_up(f"{PAGE}#x").candidates) == 20


@hostile
@pytest.mark.parametrize(
    "piece", ["%", "%20", "&", "&amp;", "#", "/", " ", "_0", "A", "é", "[", "\ud800", "\x00"]
)
def test_a_megabyte_of_anything_is_looked_up(piece: str) -> None:
    """A written key is hostile: its normal form is made in linear time."""
    store = CitationStore()
    _register(store, PAGE, context_contribution=CitationContextContribution(["doc_0"]))
    # A quadratic way to it would not come back.
    assert store.look_up(much(piece)).hit is None


# Keys over a tiny alphabet of what may be mended, so that spellings collide all the time.
_KEYS = st.one_of(
    st.lists(
        st.sampled_from(["a", "A", "/", "#", "%61", "&amp;", "&", "_0", " ", "?", "é", "e\u0301"]), max_size=6
    ).map(lambda parts: "https://x.example/" + "".join(parts)),
    st.sampled_from(["1", "2", "9f2a1b7c", "059d78d4", "059d78d4-f", "doc", "doc_0", *TWINS]),
    st.text(min_size=1, max_size=6),
)
_ENTRIES = st.lists(
    st.tuples(
        _KEYS,
        st.sampled_from(["", "one", "two"]),
        st.dictionaries(
            st.sampled_from(["ref", "short_id", "evidence_id", "number"]), _KEYS | st.integers(0, 5)
        ),
        st.lists(_KEYS, max_size=2),
    ),
    max_size=12,
)


def _filled(entries: list[tuple[str, str, dict[str, Any], list[str]]]) -> CitationStore:
    store = CitationStore()
    for key, text, names, documents in entries:
        store.issue_number(text)
        try:
            store.register_hit(
                key,
                {"content": text, **names, "odd": {1: [float("nan"), ...]}},
                ...,
                context_contribution=CitationContextContribution(documents, [..., {"id": key, "x": {1, 2}}]),
            )
        except KeyClashError:
            continue
    store.register_reference("/tags/1", "Finance", "tags")
    return store


@given(_ENTRIES)
def test_every_registered_key_is_found_exactly(
    entries: list[tuple[str, str, dict[str, Any], list[str]]],
) -> None:
    """Whatever else is registered, a key and a short id lead to their own hit and are never mended."""
    store = _filled(entries)
    for hit in store:
        assert store.look_up(hit.citation_key) == (hit, None, ())
        assert hit.short_id is not None
        found, repaired, candidates = store.look_up(hit.short_id)
        assert (repaired, candidates) == (None, ())
        assert found is not None
        assert found.known.text == hit.known.text
        if hit.number is not None:
            numbered = store.get_hit_by_number(hit.number)
            assert numbered is not None
            assert numbered.known.text == hit.known.text


@given(_ENTRIES, st.lists(_KEYS, max_size=10))
def test_an_export_gives_equal_look_ups(
    entries: list[tuple[str, str, dict[str, Any], list[str]]], written: list[str]
) -> None:
    """Over JSON and back every key, handle, number, document and spelling leads where it led."""
    store = _filled(entries)
    again = CitationStore.load(json.loads(json.dumps(store.export(), allow_nan=False)))
    assert again.export() == store.export()
    names = [name for hit in store for name in (hit.citation_key, hit.short_id or "", *hit.known.text)]
    for name in [*names, *written, *(f"{name}_0" for name in written)]:
        assert _told(again.look_up(name).hit) == _told(store.look_up(name).hit)
        assert again.look_up(name)[1:] == store.look_up(name)[1:]
        assert _told(again.get_hit_by_document_id(name)) == _told(store.get_hit_by_document_id(name))
    for number in range(6):
        assert _told(again.get_hit_by_number(number)) == _told(store.get_hit_by_number(number))
    assert [again.issue_number(text) for text in ("one", "new")] == [
        store.issue_number(text) for text in ("one", "new")
    ]
    assert again.reference("/tags/1") == "Finance"


def _told(hit: RegisteredHit | None) -> object:
    return None if hit is None else (hit.citation_key, hit.known, hit.evidence_url)


@given(st.text(max_size=60), st.text(min_size=1, max_size=60))
def test_anything_may_be_looked_up(written: str, key: str) -> None:
    """No string that a model writes, and no key, raises."""
    store = CitationStore()
    _register(store, key, "words")
    store.look_up(written)
    assert store.look_up(key).hit is not None


# --- contributions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given_ids", "ids"),
    [
        ({"b", "a", "c"}, ("a", "b", "c")),
        (["b", "a"], ("b", "a")),
        ((name for name in "ba"), ("b", "a")),
        ({"b": 1}.keys(), ("b",)),
        (None, ()),
        ([7], ("7",)),
    ],
)
def test_contributed_ids_come_as_any_collection(given_ids: Any, ids: tuple[str, ...]) -> None:
    """A set is put in order, so that every run has the same; anything else keeps its own."""
    assert CitationContextContribution(document_ids=given_ids).document_ids == ids


def test_contributed_items_may_be_anything() -> None:
    """The page's own `custom_items=[...]` runs; JSON keeps of the items what it can hold."""
    store = CitationStore()
    items = [..., {"id": "7", "odd": object()}, {3, 1, 2}]
    _register(store, "k", context_contribution=CitationContextContribution(custom_items=items))
    (hit,) = store
    assert hit.context_contribution.custom_items == tuple(items)
    assert CitationContextContribution(custom_items={2, 1}).custom_items == (1, 2)
    assert CitationContextContribution(custom_items={"b", 1}).custom_items == ("b", 1)
    (kept,) = CitationStore.load(json.loads(json.dumps(store.export())))
    assert kept.context_contribution.custom_items == ({"id": "7", "odd": None},)


@pytest.mark.parametrize("wrong", ["doc-1", b"doc-1", {"id": "doc-1"}, 5])
@pytest.mark.parametrize("name", ["document_ids", "custom_items"])
def test_what_is_no_collection_is_an_error(name: str, wrong: Any) -> None:
    """A string would be taken letter by letter, a mapping key by key."""
    with pytest.raises(InputError, match=f"`{name}` is a collection"):
        CitationContextContribution(**{name: wrong})


# --- references -------------------------------------------------------------------------------------------------


def test_references_are_links_and_no_evidence() -> None:
    """A tag's link is known by its address, and nothing that can be cited."""
    store = CitationStore()
    store.register_reference("/tags/7", "Finance", "tags")
    assert (store.reference("/tags/7"), store.reference("/tags/8")) == ("Finance", None)
    assert (len(store), store.look_up("/tags/7").hit) == (0, None)
    again = CitationStore.load(json.loads(json.dumps(store.export())))
    assert again.reference("/tags/7") == "Finance"


# --- JSON -------------------------------------------------------------------------------------------------------


def test_an_export_is_json_and_comes_back() -> None:
    """Objects that JSON does not know are left out, the rest is kept."""
    store = CitationStore()
    store.register_hit("k", {"content": "one", "n": 1}, object(), "https://a.example")
    exported = json.loads(json.dumps(store.export()))
    assert exported["pincite"] == 1
    hit = CitationStore.load(exported).get("k")
    assert hit is not None
    assert (dict(hit.context_hit), hit.search_hit, hit.evidence_url) == (
        {"content": "one", "n": 1},
        None,
        "https://a.example",
    )


def test_what_holds_itself_is_cut_off() -> None:
    """A record that contains itself costs an export nothing."""
    store = CitationStore()
    record: dict[str, Any] = {"content": "one"}
    record["self"] = record
    store.register_hit("k", record, record)
    assert len(json.dumps(store.export())) < 10_000


def test_a_passage_shown_as_its_section_loads_with_its_other_keys() -> None:
    """One passage under two keys, once whole and once as its section, is one passage after a restart too."""
    store = CitationStore()
    row = _row("9f2a1b7c")
    store.register_hit(**row)
    section: dict[str, Any] = {
        **_row("/citations/x"),
        "known": CitedObject(**_fields(row["known"], text="Section. " * 9)),
    }
    store.register_hit(**section)
    again = CitationStore.load(json.loads(json.dumps(store.export())))
    assert again.keys() == store.keys()


def _fields(known: CitedObject, **changes: Any) -> dict[str, Any]:
    return {name: getattr(known, name) for name in CitedObject.__dataclass_fields__} | changes


@pytest.mark.parametrize("entry", [{}, {"citation_key": "k"}])
def test_loading_another_shape_is_an_error(entry: dict[str, str]) -> None:
    """A stored hit of another shape is a sentence, not a stack trace."""
    with pytest.raises(InputError, match="has not the shape"):
        CitationStore.load([entry])


@pytest.mark.parametrize(
    "wrong", [None, 5, "x", [None], {"x": 1}, {"x": "y"}, [5], {"x": -1}, {"a": 1, "b": 1}]
)
@pytest.mark.parametrize("part", ["pincite", "refs", "hits", "aliases", "numbered", "numbers", "references"])
def test_loading_a_broken_store_is_a_typed_error(part: str, wrong: Any) -> None:
    """Whatever stands in place of a part, it is a sentence."""
    store = CitationStore()
    store.register_hit(**_row("k"))
    if (part, wrong) == ("numbers", {"x": 1}):
        return
    with pytest.raises(InputError):
        CitationStore.load({**store.export(), part: wrong})


@pytest.mark.parametrize(
    "field", ["title", "text", "ref", "chunk_id", "document_id", "evidence_id", "locator"]
)
def test_what_is_known_of_a_hit_is_text(field: str) -> None:
    """A number in place of a word is found when it is loaded, not when somebody cites it."""
    store = CitationStore()
    _register(store, "k")
    exported = store.export()
    exported["hits"][0]["known"][field] = 5
    with pytest.raises(InputError):
        CitationStore.load(exported)
