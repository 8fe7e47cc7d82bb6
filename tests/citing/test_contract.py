"""The consistency contract is held by code: every way of breaking it, in every payload, is found and told."""

from __future__ import annotations

import copy
import json
import threading
import warnings
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AnyUrl, BaseModel

from hostile import hostile, much
from pincite.citing import CitationRun, CitationStore
from pincite.citing.contract import (
    MOST_LISTED,
    MOST_WARNINGS,
    AuditMode,
    Breach,
    BreachKind,
    CitationContractWarning,
    Watch,
    audit,
    report,
    uncitable,
)
from pincite.citing.formats import WIRE_FORMATS
from pincite.core.errors import CitationContractError, InputError, PinciteError

if TYPE_CHECKING:
    from collections.abc import Callable

EVIDENCE = (
    "ev1:c:"
    + "-".join(("1" * 8, "2" * 4, "4333", "8444", "5" * 12))
    + ":"
    + "a" * 16
    + ":"
    + "-".join(("6" * 8, "7" * 4, "4888", "8999", "0" * 12))
)
# Each wire format that shows a key: its field, and a key as it looks.
KEYED: dict[str, tuple[str, str | int]] = {
    "inline_url": ("source_url", "https://tickets.example/7"),
    "short_id": ("short_id", "9f2a1b7c"),
    "ref": ("ref", "9f2a1b7c"),
    "evidence_id": ("evidence_id", EVIDENCE),
    "sup_numeric": ("number", 7),
}
WORDS = "Expenses over 100 EUR need approval."


class Model(BaseModel):
    """A model of pydantic's, as many tools return."""

    title: str
    content: str
    source_url: Any = None
    short_id: Any = None
    ref: Any = None
    evidence_id: Any = None
    number: Any = None


@dataclass(frozen=True, slots=True)
class Row:
    """A dataclass without a dictionary."""

    title: str
    content: str
    key: dict[str, str | int]


class Plain:
    """An object with attributes, private ones too."""

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)
        self._client = {"source_url": "https://never.example/shown"}


class Slotted:
    """An object with slots."""

    __slots__ = ("content", "inner")

    def __init__(self, inner: object) -> None:
        self.content = WORDS
        self.inner = inner


class Pair(NamedTuple):
    """A named tuple."""

    title: str
    inner: object


def record(field: str, key: str | int) -> dict[str, Any]:
    """Return a record as a tool shows it."""
    return {"title": "Ticket", field: key, "content": WORDS}


# Each shape of a payload: how it holds a record, and the path to its key.
FIELDS: dict[str, tuple[Callable[[str, Any], object], str]] = {
    "record": (record, "{field}"),
    "nested": (lambda f, k: {"results": [{}, {"hit": record(f, k)}]}, "results[1].hit.{field}"),
    "list": (lambda f, k: [[], [record(f, k)]], "[1][0].{field}"),
    "tuple": (lambda f, k: ("found", (record(f, k),)), "[1][0].{field}"),
    "frozen mapping": (lambda f, k: MappingProxyType({"a": OrderedDict(record(f, k))}), "a.{field}"),
    "json": (lambda f, k: json.dumps({"results": [record(f, k)]}), "results[0].{field}"),
    "json in a field": (lambda f, k: {"output": f" {json.dumps([record(f, k)])}\n"}, "output[0].{field}"),
    "json in json": (
        lambda f, k: json.dumps({"output": json.dumps({"x": json.dumps(record(f, k))})}),
        "output.x.{field}",
    ),
    "json written twice": (lambda f, k: json.dumps(json.dumps(record(f, k))), "{field}"),
    "bytes": (lambda f, k: json.dumps(record(f, k)).encode(), "{field}"),
    "dataclass": (lambda f, k: {"rows": [Row("a", "b", {"content": "x", f: k})]}, "rows[0].key.{field}"),
    "object": (lambda f, k: [Plain(**record(f, k))], "[0].{field}"),
    "slots": (lambda f, k: Slotted(record(f, k)), "inner.{field}"),
    "named tuple": (lambda f, k: Pair("a", record(f, k)), "inner.{field}"),
    "model": (lambda f, k: [Model(**record(f, k))], "[0].{field}"),
    "several keys": (lambda f, k: {"content": WORDS, f: [k]}, "{field}[0]"),
}
TEXTS: dict[str, tuple[Callable[[str, Any], object], str]] = {
    "label": (lambda f, k: f"# Found\n\n{f}: {k}\n", "line 3"),
    "label in a field": (lambda f, k: {"output": f"One result.\n{f}={k}, from 2024"}, "output, line 2"),
    "bold label": (lambda f, k: [f"- **{f}:** {k}."], "[0]"),
    "code label": (lambda f, k: [f"* `{f}`: `{k}`"], "[0]"),
    "label of a link": (lambda f, k: [f"- {f}: [the ticket]({k})"], "[0]"),
    "python": (lambda f, k: repr([record(f, k)]), "line 1"),
    "json cut short": (lambda f, k: json.dumps([record(f, k)])[:-2], "line 1"),
    "json in a fence": (lambda f, k: f"```json\n{json.dumps(record(f, k), indent=1)}\n```", "line 4"),
    "json lines": (lambda f, k: f"{json.dumps({'a': 1})}\n{json.dumps(record(f, k))}\n", "line 2"),
    "escaped json": (lambda f, k: "Result: " + json.dumps(json.dumps(record(f, k))), "line 1"),
    "tag": (lambda f, k: f"<result>\n  <{f}>{k}</{f}>\n</result>", "line 2"),
    "attribute": (lambda f, k: f'<result {f}="{k}" n="1">', "line 1"),
    "table": (lambda f, k: f"| title | {f} |\n|---|:--|\n| a | {k} |\n", "line 3"),
    "table without edges": (lambda f, k: f"`{f}` | title\n--- | ---\n`{k}` | a", "line 3"),
}
TEXT_FORMATS = [name for name in KEYED if name != "sup_numeric"]


def store_with(field: str, key: str | int, *, more: bool = False) -> CitationStore:
    """Return a store in which `key` is a registered record's, and with `more` another record's."""
    store = CitationStore()
    for known, words in ((key, WORDS), *(((_other(key), "Other words."),) if more else ())):
        name = known if isinstance(known, str) else f"ticket-{known}"
        store.register_hit(name, {"title": "Ticket", field: known, "content": words}, None)
    return store


def _other(key: str | int) -> str | int:
    return key + 1 if isinstance(key, int) else f"{key[:-1]}{'0' if key[-1] != '0' else '1'}"


def told(breaches: tuple[Breach, ...]) -> list[tuple[str, str, str]]:
    """Return kind, key and path of each breach."""
    return [(breach.kind.value, breach.key, breach.path) for breach in breaches]


CASES = [
    pytest.param(name, make, path, id=f"{name}-{shape}")
    for name in KEYED
    for shape, (make, path) in (FIELDS if name == "sup_numeric" else FIELDS | TEXTS).items()
]


@pytest.mark.parametrize(("name", "make", "path"), CASES)
def test_a_key_that_is_not_registered(name: str, make: Callable[..., object], path: str) -> None:
    """In every wire format and payload, a key that the store does not know is told with its place."""
    field, key = KEYED[name]
    found = audit([make(field, key)], store=CitationStore(), wire_format=name)
    assert told(found) == [("shown_not_registered", str(key), path.format(field=field))]


@pytest.mark.parametrize(("name", "make", "path"), CASES)
def test_a_key_that_is_registered(name: str, make: Callable[..., object], path: str) -> None:
    """The same payloads of a registered record keep the contract."""
    field, key = KEYED[name]
    assert audit([make(field, key)], store=store_with(field, key), wire_format=name) == ()


@pytest.mark.parametrize(("name", "make", "path"), CASES)
def test_a_registered_object_that_is_not_shown(name: str, make: Callable[..., object], path: str) -> None:
    """Of two registered records, the one whose key is in no payload is told by its key."""
    field, key = KEYED[name]
    store = store_with(field, key, more=True)
    missing = store.keys()[1]
    found = audit([make(field, key), {"title": "Nothing"}], store=store, wire_format=name)
    assert told(found) == [("registered_not_shown", missing, "")]


@pytest.mark.parametrize(("name", "make", "path"), CASES)
def test_a_key_of_another_format(name: str, make: Callable[..., object], path: str) -> None:
    """A registered key in the field of another wire format than the active one is told, and counts as shown."""
    field, key = KEYED[name]
    active = "ref" if name != "ref" else "inline_url"
    found = audit([make(field, key)], store=store_with(field, key), wire_format=active)
    assert told(found) == [("other_format", str(key), path.format(field=field))]


@pytest.mark.parametrize(("name", "make", "path"), CASES)
def test_an_instruction_that_is_carried(name: str, make: Callable[..., object], path: str) -> None:
    """An instruction that names the field which the payload carries is kept, in every payload."""
    field, key = KEYED[name]
    store = store_with(field, key)
    wanted = f"Cite each passage by its `{field}`."
    assert audit([make(field, key)], store=store, wire_format=name, instructions=wanted) == ()
    other = "short_id" if field != "short_id" else "ref"
    wanted = f"Cite each passage by its `{other}`."
    found = audit([make(field, key)], store=store, wire_format=name, instructions=wanted)
    assert told(found) == [("instructed_not_carried", other, "")]


@pytest.mark.parametrize("name", list(WIRE_FORMATS))
def test_what_a_run_presents_keeps_the_contract(name: str) -> None:
    """A payload of `present` is registered, shown and carries what the run's own instruction names."""
    run = CitationRun(name)
    payloads = [
        run.present({"content": f"{WORDS} {n}", "source_url": f"https://a.example/{n}"}) for n in range(3)
    ]
    results = {"results": payloads, "total": 3}
    instructions = run.instructions()
    assert audit([results], store=run.store, wire_format=name, instructions=instructions) == ()
    text = json.dumps(results)
    assert audit([text], store=run.store, wire_format=run.format, instructions=instructions) == ()
    assert len(audit([payloads[:2]], store=run.store, wire_format=name)) == 1


@pytest.mark.parametrize("name", list(WIRE_FORMATS))
def test_a_document_that_speaks_of_keys_breaks_nothing(name: str) -> None:
    """The words of a registered record are its source's, whatever markers, labels or JSON stand in them."""
    run = CitationRun(name)
    hostile = "source_url: https://evil.example/1\n[[1]](https://evil.example) [deadbeef]\n| ref |\n|---|\n| cafebabe |"
    payloads = [
        run.present(
            {"content": words, "id": f"note-{at}", "title": "[cafebabe] source_url: https://evil.example"}
        )
        for at, words in enumerate(
            (hostile, json.dumps({"source_url": "https://evil.example/3", "content": "x"}))
        )
    ]
    assert [b for b in audit([payloads], store=run.store, wire_format=name) if name != "deferred"] == []
    watch = Watch(run.store, name)
    for payload in payloads:
        watch.presented(payload)
    assert watch.breaches(run.instructions()) == ()


def test_the_example_of_the_page_keeps_the_contract() -> None:
    """A tool that registers and presents under one key, as the page shows, breaks nothing."""
    store = CitationStore()
    record = {"title": "Ticket 7", "url": "https://tickets.example/7"}
    source_url = record["url"]
    store.register_hit(
        citation_key=source_url,
        context_hit={"title": record["title"], "source_url": source_url},
        search_hit=record,
        evidence_url=source_url,
    )
    shown = {"title": record["title"], "source_url": source_url}
    wanted = CitationRun("inline_url").instructions()
    assert audit([shown], store=store, wire_format="inline_url", instructions=wanted) == ()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("https://tickets.example/7/", "https://tickets.example/7"),
        ("https://Tickets.example/7", "https://tickets.example/7"),
    ],
)
def test_a_key_in_another_spelling_is_not_the_key(written: str, meant: str) -> None:
    """What is shown must be the key to the letter; the message says which key was meant."""
    store = store_with("source_url", meant)
    (found,) = audit([{"source_url": written}], store=store, wire_format="inline_url")
    assert (found.kind, found.key) == (BreachKind.SHOWN_NOT_REGISTERED, written)
    assert repr(meant) in found.message


def test_messages_say_what_to_do() -> None:
    """Each message is one sentence with the place, the key and a way out."""
    store = store_with("source_url", "https://tickets.example/7", more=True)
    payload = {"results": [{"source_url": "https://tickets.example/7"}, {"ref": "deadbeef"}]}
    wanted = "Cite by `source_url` or `short_id`."
    found = audit([payload], store=store, wire_format="inline_url", instructions=wanted)
    start = "`results[1].ref` shows 'deadbeef', which is not registered"
    unregistered, unshown, uncarried = [breach.message for breach in found]
    assert unregistered == f"{start}: register it under exactly this key, or leave it out."
    assert unshown == (
        "'https://tickets.example/0' is registered and no payload shows it: "
        "show its key as `source_url`, or do not register it."
    )
    assert (
        uncarried == "The instruction names `short_id`, which no payload carries: show it, or do not name it."
    )
    (other,) = audit(["\n[deadbeef]"], store=CitationStore(), wire_format="ref")
    assert other.message.startswith("A marker at line 2 shows 'deadbeef', which is not registered")
    store = store_with("ref", "9f2a1b7c")
    (wrong,) = audit([{"ref": "9f2a1b7c"}], store=store, wire_format="inline_url")
    assert wrong.message == (
        "`ref` shows '9f2a1b7c', which is no key of the wire format 'inline_url': show `source_url` alone."
    )
    (none, *_) = audit([{"ref": "9f2a1b7c", "content": WORDS}], store=store, wire_format="deferred")
    assert none.message.endswith("no key of the wire format 'deferred': show no key.")
    (long,) = audit([{"source_url": "x" * 500_000}], store=CitationStore(), wire_format="inline_url")
    assert len(long.message) < 300


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('See [[1]](https://no.example/a_(b) "words") for it.', "https://no.example/a_(b)"),
        ("See [2](https://no.example/1).", "https://no.example/1"),
        ("See [[3]] (<https://no.example/1 2>).", "https://no.example/1 2"),
        ("Found [9f2a1b7c].", "9f2a1b7c"),
        ("Found [[9f2a1b7c]].", "9f2a1b7c"),
        ("Found [ev1:c:nothing].", "ev1:c:nothing"),
        ("Found 【9f2a1b7c】.", "9f2a1b7c"),
        ("source_url: https://no.example/a_(b).", "https://no.example/a_(b)"),
        ("(source_url: https://no.example/1)", "https://no.example/1"),
        ('{"source_url": "https:\\/\\/no.example\\/1", cut', "https://no.example/1"),
    ],
)
def test_keys_in_running_text(text: str, key: str) -> None:
    """Markers and labels are found in prose, with the punctuation round them told from the key."""
    assert [breach.key for breach in audit([{"a": text}], store=CitationStore(), wire_format="ref")] == [key]


@pytest.mark.parametrize(
    "text",
    [
        "a[0], [2024], [20240131], [^1], [1], [12], [[2]], [sic], 10 m<sup>2</sup>",
        "[a link](https://elsewhere.example) and https://elsewhere.example/page, [1](#note-1)",
        "[[A page of a wiki]] and `[deadbeef]` in code",
        "the number: 12, see ref: page 3, Ref: 12/2024, number: 12",
        "the source_url: it is the key. My data_source_url: https://a.example/x?source_url=https://b.example",
        "| number | name |\n|---|---|\n| 3 | b |",
        "source_url:\n\nshort_id: \nevidence_id",
        "",
    ],
)
def test_what_only_looks_like_a_key(text: str) -> None:
    """Prose, code, footnotes, dates, links and addresses of others show nothing to cite by."""
    for name in WIRE_FORMATS:
        assert audit([{"a": text}, text], store=CitationStore(), wire_format=name) == ()


@pytest.mark.parametrize("value", [None, "", [], {}, True, 0.5, {"a": 1}])
def test_a_field_that_holds_no_key(value: object) -> None:
    """An empty field shows nothing and carries nothing; a number that is none is no key either."""
    found = audit([{"ref": value}], store=CitationStore(), wire_format="ref")
    assert [breach.key for breach in found] == (["0.5"] if value == 0.5 else [])


def test_a_number_is_a_key_only_beside_words() -> None:
    """The number of an issue or a house is none; beside a passage's words it is one, in every wire format."""
    for name in WIRE_FORMATS:
        alone = {"number": 12, "title": "An issue"}
        assert audit([alone], store=CitationStore(), wire_format=name) == ()
        found = audit([alone | {"text": "Its words."}], store=CitationStore(), wire_format=name)
        assert told(found) == [("shown_not_registered", "12", "number")]


@pytest.mark.parametrize("number", [7, 7.0, "7", " 7"])
def test_a_number_however_it_is_written(number: object) -> None:
    """Numbers are looked up as numbers."""
    store = store_with("number", 7)
    assert audit([{"number": number, "content": WORDS}], store=store, wire_format="sup_numeric") == ()
    assert audit([{"number": number, "title": "no words"}], store=store, wire_format="sup_numeric") == ()
    for wrong in (8, "7a", -7, "9" * 5_000, 10**5_000, 1e308, float("inf"), True):
        found = audit([{"number": wrong, "content": WORDS}], store=CitationStore(), wire_format="sup_numeric")
        assert len(found) == (wrong is not True)


def test_an_address_object_is_its_text() -> None:
    """A key may be an object that is written as a string."""
    store = store_with("source_url", "https://tickets.example/7")
    shown = {"source_url": AnyUrl("https://tickets.example/7"), "path": PurePosixPath("/a")}
    assert audit([shown], store=store, wire_format="inline_url") == ()


def test_a_key_shown_in_another_field_is_shown() -> None:
    """A key in whatever field, as a name or alone in a text was seen by the model; inside a longer word it was not."""
    store = store_with("source_url", "https://tickets.example/7")
    for shown in (
        {"link": "https://tickets.example/7"},
        {"https://tickets.example/7": "a ticket"},
        "1. [A ticket](https://tickets.example/7), open",
        "(https://tickets.example/7)",
        "See <https://tickets.example/7>.",
    ):
        assert audit([shown], store=store, wire_format="inline_url") == ()
    for hidden in ({"link": "https://tickets.example/70"}, "See https://tickets.example/7/8."):
        assert told(audit([hidden], store=store, wire_format="inline_url")) == [
            ("registered_not_shown", "https://tickets.example/7", "")
        ]


def test_an_id_that_begins_with_the_ref_does_not_show_it() -> None:
    """The id of a passage is not its ref: a model that sees only the id would make up a handle."""
    run = CitationRun("ref")
    ref = run.present({"content": WORDS, "id": "note"})["ref"]
    known = next(iter(run.store)).known
    assert audit([{"id": ref}], store=run.store, wire_format="ref") == ()
    found = audit([{"id": known.chunk_id, "content": WORDS}], store=run.store, wire_format="ref")
    assert told(found) == [("registered_not_shown", ref, "")]


def test_without_keys_the_words_must_be_shown() -> None:
    """Where the wire format shows no key, a registered object is shown when its words are, also inside a text."""
    store = store_with("title", "Ticket")
    for shown in ({"content": WORDS}, f"1. {WORDS}", json.dumps([{"text": WORDS}])):
        assert audit([shown], store=store, wire_format="deferred") == ()
    (found,) = audit([{"content": "Other words."}], store=store, wire_format="deferred")
    assert found.kind is BreachKind.REGISTERED_NOT_SHOWN
    assert "holds its words" in found.message


def test_fields_of_documents_and_tags_are_asked_for() -> None:
    """An instruction to link to a tag by its `tag_id` needs a payload that carries it, as a field or in a text."""
    wanted = "Write [tag name](/tags/{tag ID}) with the tag's `name` and its `tag_id`."
    empty = CitationStore()
    found = audit([{"name": "Leave", "id": 3}], store=empty, wire_format="ref", instructions=wanted)
    assert told(found) == [("instructed_not_carried", "tag_id", "")]
    for shown in ({"name": "Leave", "tag_id": 3}, "Leave (name), tag_id 3"):
        assert audit([shown], store=empty, wire_format="ref", instructions=wanted) == ()
    assert audit([], store=empty, wire_format="ref", instructions=wanted) == ()
    tools = "Use the tool `search_documents` with `max_results`."
    assert audit([{"a": 1}], store=empty, wire_format="ref", instructions=tools) == ()


def test_several_payloads_are_told_apart() -> None:
    """The path names the payload once there are several."""
    payloads = ({"ref": "deadbeef"}, [{"ref": "deadbee1"}], "\n[deadbee2]", "[[deadbee3]] x")
    found = audit(payloads, store=CitationStore(), wire_format="ref")
    assert [breach.path for breach in found] == [
        "payloads[0].ref",
        "payloads[1][0].ref",
        "payloads[2], line 2",
        "payloads[3], line 1",
    ]
    assert told(audit(iter([{"ref": "deadbeef"}]), store=CitationStore(), wire_format="ref")) == [
        ("shown_not_registered", "deadbeef", "ref")
    ]
    for single in (
        {"ref": "deadbeef"},
        '{"ref": "deadbeef"}',
        Plain(ref="deadbeef"),
        Pair("a", {"ref": "deadbeef"}),
    ):
        assert len(audit(single, store=CitationStore(), wire_format="ref")) == 1


def test_a_path_through_odd_names() -> None:
    """Names that are no words stand in brackets, and a very deep path is told by its end."""
    (found,) = audit([{"a b": {3: {"ref": "deadbeef"}}}], store=CitationStore(), wire_format="ref")
    assert found.path == "['a b']['3'].ref"
    deep: object = {"ref": "deadbeef"}
    for _ in range(500):
        deep = {"in": deep}
    (found,) = audit([deep], store=CitationStore(), wire_format="ref")
    assert found.path.startswith("…in.in.in")
    assert found.path.endswith(".in.ref")
    assert len(found.path) < 100


def test_an_unknown_wire_format_is_an_error() -> None:
    """The names of wire formats are checked."""
    with pytest.raises(InputError):
        audit([], store=CitationStore(), wire_format="footnotes")
    with pytest.raises(InputError):
        Watch(CitationStore(), "footnotes")


# --- report ----------------------------------------------------------------------------------------------------


def some(count: int) -> tuple[Breach, ...]:
    """Return breaches."""
    return tuple(Breach(BreachKind.OTHER_FORMAT, f"k{n}", "", f"Fault {n}.") for n in range(count))


def test_off_does_nothing() -> None:
    """Without an audit, and without a breach, nothing happens."""
    report(some(3), "off")
    report((), AuditMode.RAISE)
    report(iter(()), AuditMode.WARN)


def test_warn_warns_once_a_breach_and_in_bounds() -> None:
    """Each breach is a warning at the caller's line; past the bound one says how many more there are."""
    with pytest.warns(CitationContractWarning) as caught:
        report(some(2), "warn")
    assert [str(one.message) for one in caught] == ["Fault 0.", "Fault 1."]
    assert {one.filename for one in caught} == {__file__}
    with pytest.warns(CitationContractWarning) as caught:
        report(some(MOST_WARNINGS + 1_500), AuditMode.WARN)
    assert len(caught) == MOST_WARNINGS + 1
    assert str(caught[-1].message) == "The citation contract is broken in 1,500 more places."


def test_raise_lists_every_breach() -> None:
    """The error is ours and an AssertionError; its message lists breaches up to a bound, it holds all."""
    with pytest.raises(CitationContractError) as one:
        report(some(1), "raise")
    assert str(one.value) == "The citation contract is broken in one place:\n- Fault 0."
    assert isinstance(one.value, AssertionError)
    assert isinstance(one.value, PinciteError)
    with pytest.raises(AssertionError) as many:
        report(some(MOST_LISTED + 7), AuditMode.RAISE)
    assert isinstance(many.value, CitationContractError)
    assert many.value.breaches == some(MOST_LISTED + 7)
    assert str(many.value).splitlines()[-2:] == [f"- Fault {MOST_LISTED - 1}.", "- and 7 more."]


@pytest.mark.parametrize("mode", ["loud", "", None, 3, []])
def test_an_unknown_mode_is_an_error(mode: Any) -> None:
    """The message lists the modes, also where nothing is broken."""
    with pytest.raises(InputError, match="off, warn, raise"):
        report((), mode)


# --- watch -----------------------------------------------------------------------------------------------------


def test_a_watch_tells_at_the_end() -> None:
    """What one tool shows and another registers in the same run belong together."""
    store = CitationStore()
    watch = Watch(store, "ref")
    assert told(watch.saw([{"ref": "9f2a1b7c"}])) == [("shown_not_registered", "9f2a1b7c", "[0].ref")]
    store.register_hit("9f2a1b7c", {"ref": "9f2a1b7c", "content": WORDS}, None)
    store.register_hit("0a1b2c3d", {"ref": "0a1b2c3d", "content": "Other."}, None)
    assert told(watch.breaches()) == [("registered_not_shown", "0a1b2c3d", "")]
    assert watch.saw("Also [0a1b2c3d].") == ()
    assert watch.breaches() == watch.breaches() == ()


def test_hits_of_earlier_turns_need_not_be_shown_again() -> None:
    """A watch asks only for what is registered while it looks on, and earlier keys may be shown."""
    store = store_with("ref", "9f2a1b7c")
    watch = Watch(store, "ref")
    assert watch.breaches("Cite by `ref`.") == ()
    watch.saw({"ref": "9f2a1b7c"})
    assert watch.breaches("Cite by `ref`.") == ()


def test_a_turn_without_sources_breaks_no_instruction() -> None:
    """The instruction is held against payloads once something is to be cited, and only for keys."""
    store = CitationStore()
    watch = Watch(store, "ref")
    wanted = "Cite by `ref`, link with `tag_id`."
    watch.saw({"temperature": 21})
    assert watch.breaches(wanted) == ()
    store.register_hit("9f2a1b7c", {"content": WORDS}, None)
    watch.saw({"content": WORDS})
    assert [breach.kind.value for breach in watch.breaches(wanted)] == [
        "registered_not_shown",
        "instructed_not_carried",
    ]
    watch.saw({"ref": "9f2a1b7c"})
    assert watch.breaches(wanted) == ()


def test_payloads_that_change_later_were_seen_as_they_were() -> None:
    """A watch looks at once; what a tool does with its payload afterwards is not what the model saw."""
    watch = Watch(CitationStore(), "ref")
    payload = {"ref": "deadbeef"}
    watch.saw(payload)
    payload.clear()
    assert [breach.key for breach in watch.breaches()] == ["deadbeef"]


def test_threads_share_a_watch() -> None:
    """Tools that run at once lose nothing."""
    watch = Watch(CitationStore(), "ref")

    def tool(at: int) -> None:
        for n in range(50):
            watch.saw({"ref": f"{at:04x}{n:04x}"})

    threads = [threading.Thread(target=tool, args=(at,)) for at in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({breach.key for breach in watch.breaches()}) == 800


# --- uncitable -------------------------------------------------------------------------------------------------


def test_uncitable_strips_at_every_depth() -> None:
    """Key-shaped fields go, what a tool or a reader needs stays, and the original is untouched."""
    payload = {
        "id": 12,
        "url": "https://a.example",
        "results": [
            {
                "title": "Ticket",
                "content": "Its words.",
                "number": 3,
                "source_url": "https://a.example/1",
                "source_uri": "upload://a",
                "ref": "deadbeef",
                "short_id": "deadbeef",
                "evidence_id": EVIDENCE,
                "chunk_id": "c",
                "document_id": "d",
                "score": 0.5,
            },
            {"number": 12, "title": "An issue"},
        ],
        "inner": json.dumps({"a": [{"source_url": "x", "kept": "é"}]}, ensure_ascii=False),
        "rows": (Row("a", "b", {"ref": "x", "kept": 1}),),
        "none": None,
    }
    before = copy.deepcopy(payload)
    assert uncitable(payload) == {
        "id": 12,
        "results": [
            {"title": "Ticket", "content": "Its words.", "score": 0.5},
            {"number": 12, "title": "An issue"},
        ],
        "inner": '{"a": [{"kept": "é"}]}',
        "rows": [{"title": "a", "content": "b", "key": {"kept": 1}}],
        "none": None,
    }
    assert payload == before


def test_json_stays_encodable() -> None:
    """Half of a surrogate pair that was escaped stays so, beside letters that were not."""
    made = uncitable('{"ref": "x", "a": "é \\ud800"}')
    assert json.loads(made) == {"a": "é \ud800"}
    assert made.isascii()
    assert uncitable('{"ref": "x", "a": "é"}') == '{"a": "é"}'


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('A [link](https://a.example/b_(c) "title") here.', "A link here."),
        ("![an image](https://a.example/x.png)", "an image"),
        ('See [[1]](https://a.example "words").', "See [1]."),
        ("So it is [9f2a1b7c] and [[9f2a1b7c]].", "So it is ⟦9f2a1b7c⟧ and ⟦⟦9f2a1b7c⟧⟧."),
        ("One.\n- source_url: https://a.example\nTwo.", "One.\nTwo."),
        ("One (source_url: https://a.example) two.", "One () two."),
        ("<a>\n<source_url>https://a.example</source_url>\n</a>", "<a>\n</a>"),
        ("| t | ref |\n|---|---|\n| a | deadbeef |", "| t | ref |\n|---|---|\n| a ||"),
        ("Nothing [2024] to a[0] see, ref: page 3.", "Nothing [2024] to a[0] see, ref: page 3."),
        ('"quoted [deadbeef]"', '"quoted \\u27e6deadbeef\\u27e7"'),
        ("https://a.example stays, it is no key.", "https://a.example stays, it is no key."),
        ('get(url="https://a.example")', 'get(url="https://a.example")'),
    ],
)
def test_uncitable_text(text: str, left: str) -> None:
    """Links become their words, labels go with their values, markers lose their brackets, prose stays."""
    assert uncitable(text) == left


def test_uncitable_keeps_what_holds_itself() -> None:
    """A cycle is a cycle in the copy, and what is held twice is copied once."""
    shared = {"ref": "x", "a": 1}
    payload: dict[str, Any] = {"one": shared, "two": [shared]}
    payload["self"] = payload
    made = uncitable(payload)
    assert made["self"] is made
    assert made["one"] is made["two"][0] is not shared
    assert made["one"] == {"a": 1}


NAMES = st.sampled_from(
    "source_url url source_uri ref short_id number evidence_id chunk_id document_id id title content text a".split()
)
PIECES = st.sampled_from(
    [
        "source_url", "ref", "short_id", "evidence_id", "number", ":", "=", ": ", " ", "\n", '"', "'", "`", "**", "|",
        "|---|\n", "<", ">", "</", "[", "]", "[[", "]]", "(", ")", "](", "{", "}", ",", "\\", "https://a.example/1",
        "deadbeef", "9f2a1b7c", "ev1:c:x", "1", "[deadbeef]", "[[1]](https://b.example)", "source_url: https://c.example",
        "words", "[", "【", "】", "\ud800", "\0", "\r\n", '{"ref": "deadbeef"}', "```", "<!--", "-->",
    ]
)  # fmt: skip
TEXT = st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=10)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXT


def _grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(NAMES | TEXT, inner, max_size=5)
        | inner.map(json.dumps)
        | inner.map(lambda value: json.dumps(value)[:-1])
        | inner.map(lambda value: json.dumps(value, ensure_ascii=False))
    )


PAYLOADS = st.recursive(LEAVES, _grown, max_leaves=12)


@given(PAYLOADS)
def test_what_is_uncitable_shows_no_key(payload: Any) -> None:
    """For every payload: nothing in the copy is a key in any wire format, clearing it again changes nothing."""
    before = repr(payload)
    made = uncitable(payload)
    for name in WIRE_FORMATS:
        assert audit((made,), store=CitationStore(), wire_format=name) == ()
    assert repr(uncitable(made)) == repr(made)
    assert repr(payload) == before


@given(st.lists(PIECES, max_size=40).map("".join))
def test_uncitable_text_shows_no_key(text: str) -> None:
    """For every text out of the parts of markers, labels, tables and JSON."""
    made = uncitable(text)
    assert audit((made,), store=CitationStore(), wire_format="ref") == ()
    assert uncitable(made) == made


# --- hostile ---------------------------------------------------------------------------------------------------

HOSTILE = [
    "[", "]", "[[1]](", "[[1]](a", '[a](b "', "[a](b '", "[a](<", "[a](", "](", "(", "[a", "[[a]", "![", "【",
    "source_url: ", 'source_url:"', "source_url: [", "source_url: [a](", "source_url: https://x.example/1 ",
    "<source_url>", "<source_url>x", "source_url" + " " * 9, "\nref: ", '"ref":', "|",
    "ref:", "source_url=", "ref:x,", 'ref="source_url=', "source_url=a;", "|source_url|\n|---|\n",
    "`", "\\", '\\"', '"', "{", '{"a":', "*", " ", "\n", "\0", "\ud800", "\udfffsource_url: \ud800", "e\u0301\u0301",
    "[deadbeef] ", "[[deadbeef", "<", "</", "<sup>", "ev1:", "[ev1:c:", "(https://x.example", "a", "1", "é",
]  # fmt: skip


def audit_and_clear(text: str) -> None:
    """Audit `text`, clear it and audit what is left."""
    audit([text], store=store_with("ref", "9f2a1b7c"), wire_format="ref")
    made = uncitable(text)
    assert audit([made], store=CitationStore(), wire_format="ref") == ()


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text(unit: str) -> None:
    """A run of anything costs no exception and linear time: a quadratic search of it would take minutes."""
    audit_and_clear(unit * (200_000 // len(unit)))


@hostile
@pytest.mark.parametrize("joint", ["", " ", "\n"])
def test_a_hostile_megabyte(joint: str) -> None:
    """A megabyte of all of them in turn is looked at three times within seconds."""
    mix = joint.join(HOSTILE)
    audit_and_clear(much(mix))


@pytest.mark.long
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_megabytes(unit: str) -> None:
    """A megabyte of each is looked at three times within seconds."""
    audit_and_clear(unit * (1_000_000 // len(unit)))


def test_nesting_of_any_depth() -> None:
    """A hundred thousand levels, as objects and as JSON, cost no exception."""
    levels = 100_000
    value: Any = {"ref": "deadbeef"}
    for _ in range(levels):
        value = [value]
    assert len(audit([value], store=CitationStore(), wire_format="ref")) == 1
    made = uncitable(value)
    for _ in range(levels):
        made = made[0]
    assert made == {}
    for text in (
        "[" * levels,
        "[" * levels + "]" * levels,
        '{"a":' * levels + '{"ref": "deadbeef"}' + "}" * levels,
    ):
        assert len(audit([text], store=CitationStore(), wire_format="ref")) == text.count("deadbeef")
        assert audit([uncitable(text)], store=CitationStore(), wire_format="ref") == ()


def test_cycles_and_shared_parts() -> None:
    """What holds itself, or one part a thousand million times, is looked at once."""
    ring: dict[str, Any] = {"ref": "deadbeef"}
    ring["again"] = [ring, {"up": ring}]
    assert len(audit([ring], store=CitationStore(), wire_format="ref")) == 1
    laughs: list[Any] = [{"ref": "deadbeef", "text": "[cafebab1] " * 100}]
    for _ in range(30):
        laughs = [laughs, laughs]
    found = audit([laughs], store=CitationStore(), wire_format="ref")
    assert {breach.key for breach in found} == {"deadbeef", "cafebab1"}
    assert uncitable(laughs)[0] is not None
    long = "[deadbeef] " * 1_000
    assert len(audit([[long] * 10_000], store=CitationStore(), wire_format="ref")) == 100


def test_objects_that_misbehave() -> None:
    """What fails or never ends while it is read has no parts; functions and classes are no payloads."""

    class Failing:
        def __getattribute__(self, name: str) -> Any:
            raise RuntimeError

        def __str__(self) -> str:
            raise RuntimeError

    class Endless:
        def __getattr__(self, name: str) -> Any:
            return Endless()

    class Dumps(BaseModel):
        ref: str = "deadbeef"

        def model_dump(self, **_: Any) -> Any:
            raise RuntimeError

    used = iter([{"ref": "deadbee1"}])
    payload = [
        Failing(),
        Endless(),
        Failing,
        len,
        json,
        used,
        {"ref": Failing()},
        object(),
        1j,
        b"\xff",
        Dumps(),
    ]
    found = audit([payload], store=CitationStore(), wire_format="ref")
    assert [breach.key for breach in found] == ["deadbeef"]
    assert len(uncitable(payload)) == len(payload)
    assert list(used)


def test_big_payloads_are_looked_through() -> None:
    """Five thousand results in one JSON text are all known; a quadratic look would not come back."""
    run = CitationRun("ref")
    shown = [run.present({"content": f"{WORDS} {n}", "id": f"note-{n}"}) for n in range(5_000)]
    payload = json.dumps({"results": shown})
    assert audit([payload], store=run.store, wire_format="ref") == ()


def test_nothing_is_said_while_nothing_is_wrong() -> None:
    """A clean audit neither warns nor logs."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report(audit([{"a": 1}], store=CitationStore(), wire_format="ref"), "warn")
