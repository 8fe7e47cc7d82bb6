"""Markers in an answer, through pincite and through what else reads them: what is cited, what is not, and how fast.

Runs in the environment of `make peers` and prints the section of `docs/comparison.md`. Each case is an answer written
once, with `<1>` for the key of the first source and `<?>` for one that no source has; each peer gets it with its own
keys. What stands there without a key is never a citation.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID, uuid5

from benchmarks.peers.tables import best_in_turns, counted, named, print_list, print_table, times

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SOURCES = 5
MARKERS, PASSAGES, UNKNOWN, ROOM, PIECE, ROUNDS = 10_000, 526, 0.05, 60, 4, 3
WORDS = "expenses over this amount require prior approval by a line manager who signs within ten days".split()
EVIL = "https://evil.example/"
SPACE = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")


class Case(NamedTuple):
    """An answer, the sources that it cites, and whether only numbers can say it."""

    name: str
    text: str
    cited: frozenset[int] = frozenset()
    numbers_only: bool = False


CASES = (
    Case("plain", "Fees are due in May [<1>].", frozenset({1})),
    Case("two in a row", "Fees are due in May [<1>][<2>].", frozenset({1, 2})),
    Case("a list in one pair of brackets", "Fees are due in May [<1>, <2>].", frozenset({1, 2})),
    Case("a list with semicolons", "Fees are due in May [<1>; <2>].", frozenset({1, 2})),
    Case("a list over two lines", "Fees are due in May [<1>,\n<2>].", frozenset({1, 2})),
    Case("spaces inside the brackets", "Fees are due in May [ <1> ].", frozenset({1})),
    Case("bold", "Fees are due in May **[<1>]**.", frozenset({1})),
    Case("a table's cell", "| Fees |\n|---|\n| in May [<1>] |", frozenset({1})),
    Case("full-width brackets", "費用は五月に支払う【<1>】。", frozenset({1})),
    Case("a range", "Fees are due in May [<1>-<3>].", frozenset({1, 2, 3}), numbers_only=True),
    Case("an unknown key", "Fees are due in May [<?>]."),
    Case("a known and an unknown key", "Fees are due in May [<1>, <?>].", frozenset({1})),
    Case("inline code", "Write `[<1>]` to cite the first."),
    Case("fenced code", "So:\n\n```\ncite [<1>]\n```"),
    Case("a comment", "Fees <!-- see [<1>] --> are due in May."),
    Case("the text of a picture", "![<1>](plan.png)"),
    Case("an index in prose", "The first fee is fees[1] of the list."),
    Case("an interval", "The share lies in [1, 2] for all members."),
    Case("a year", "Fees were raised once [2024]."),
    Case("a zero", "The list may be empty: [0]."),
    Case("a footnote", "Fees are due in May.[^1]"),
    Case("a figure", "Fees are due in May, see [Figure 2]."),
    Case("no marker", "Fees are due in May."),
)
RENDERED = (
    ("a link of the model's behind a key", f"So it is [<1>]({EVIL})."),
    ("a definition that takes a number over", f"So it is [<1>].\n\n[1]: {EVIL}"),
    ("a key in code", "Write `[<1>]` there. So it is [<2>]."),
    ("a number of the model's own", "As [1] has it. So it is [<2>]."),
    ("an unknown key", "So it is [<?>]."),
)


class Read(NamedTuple):
    """What a peer made of an answer: the numbers of the sources that are cited, and whether it complains."""

    cited: frozenset[int]
    told: bool = False


class Peer(NamedTuple):
    """A reader of markers with `count` sources; `render` is None where it does not write the answer anew."""

    name: str
    settings: str
    keys: Sequence[str]
    unknown: str
    read: Callable[[str], Read]
    places: str
    unknown_told: str
    numbers: bool = False
    render: Callable[[str], str] | None = None
    stream: Callable[[list[str]], None] | None = None


def main() -> int:
    """Print the section."""
    logging.getLogger("haystack").setLevel(logging.ERROR)
    small, large = list(peers(SOURCES)), list(peers(PASSAGES))
    texts = [answer(peer) for peer in large]
    clocks = best_in_turns(
        ROUNDS,
        *(lambda peer=peer, text=text: peer.read(text) for peer, text in zip(large, texts, strict=True)),
    )
    rows: list[tuple[object, ...]] = []
    wrong: list[str] = []
    for peer, seconds, big, text in zip(small, clocks, large, texts, strict=True):
        asked = [case for case in CASES if peer.numbers or not case.numbers_only]
        said = [peer.read(fill(peer, case.text)) for case in asked]
        pairs = list(zip(asked, said, strict=True))
        right = sum(one.cited == case.cited for case, one in pairs)
        false = [case.name for case, one in pairs if one.cited - case.cited]
        lost = [case.name for case, one in pairs if case.cited - one.cited]
        alarms = [case.name for case, one in pairs if one.told and "<" not in case.text.replace("<!--", "")]
        unsafe = None if peer.render is None else [name for name, one in RENDERED if not is_safe(peer, one)]
        rows.append(
            (
                peer.name,
                f"{right} of {len(asked)}",
                len(false),
                len(alarms),
                peer.unknown_told,
                peer.places,
                "does not render" if unsafe is None else f"{len(RENDERED) - len(unsafe)} of {len(RENDERED)}",
                streamed(big, text),
                f"{seconds * 1e3:,.0f}",
                times(seconds, clocks[0]),
            )
        )
        line = f"{peer.name}: cites what is no citation in {counted(false)}; does not see {counted(lost)}"
        line += f"; takes for a broken citation {counted(alarms)}"
        line += "." if unsafe is None else f"; once rendered, unsafe with {counted(unsafe)}."
        wrong.append(line)
    print_table(
        (
            "Peer",
            "Cases right",
            "Cases with a false citation",
            "Cases with a false alarm",
            "Unknown keys",
            "Places in the answer",
            "Safe once rendered",
            "Streams",
            f"ms for {MARKERS:,} markers",
            "Against pincite",
        ),
        rows,
    )
    print_list("Settings:", (f"{peer.name}: {peer.settings}" for peer in small))
    print_list("What each gets wrong:", wrong)
    return 0


def fill(peer: Peer, text: str) -> str:
    """Return a case with a peer's own keys."""
    for number in range(1, SOURCES + 1):
        text = text.replace(f"<{number}>", peer.keys[number - 1])
    return text.replace("<?>", peer.unknown)


def answer(peer: Peer) -> str:
    """Return a long answer in a peer's own markers, 5 % of them of no source."""
    chance = random.Random(7)
    pieces: list[str] = []
    for _ in range(MARKERS):
        words: list[str] = []
        while sum(map(len, words)) < ROOM:
            words.append(chance.choice(WORDS))
        key = peer.unknown if chance.random() < UNKNOWN else chance.choice(peer.keys)
        pieces.append(f"{' '.join(words).capitalize()} [{key}].")
    return " ".join(pieces)


def streamed(peer: Peer, text: str) -> str:
    """Return how long the long answer takes in small pieces, where a peer reads it so."""
    if peer.stream is None:
        return "no"
    pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    stream = peer.stream
    return f"yes, {best_in_turns(1, lambda: stream(pieces))[0]:.2f} s in pieces of {PIECE}"


def is_safe(peer: Peer, text: str) -> bool:
    """Say whether a rendered answer leads nowhere it should not, keeps code, and shows no key and no second `[1]`."""
    markdown_it: Any = import_module("markdown_it")
    if peer.render is None:
        return False
    written = fill(peer, text)
    shown = markdown_it.MarkdownIt().render(peer.render(written))
    if EVIL in "".join(re.findall(r'href="([^"]*)"', shown)):
        return False
    code = re.findall(r"<code>(.*?)</code>", shown)
    if code != re.findall(r"`(.*?)`", written):
        return False
    prose = re.sub(r"<code>.*?</code>|<[^>]*>", "", shown)
    head = prose.split("Sources")[0]
    if "As [1]" in head and head.count("[1]") > 1:
        return False
    return not any(key in prose for key in (*peer.keys, peer.unknown) if len(key) > 2)


def peers(count: int) -> Iterator[Peer]:
    """Yield every reader with so many sources, pincite first."""
    yield pincite_refs(count)
    yield pincite_numbers(count)
    yield plain_re(count)
    yield haystack(count)
    yield agrag(count)


def pincite_refs(count: int) -> Peer:
    """Return pincite with its own keys."""
    own: Any = import_module("pincite")
    showing: Any = import_module("pincite.showing")
    run = own.CitationRun("ref")
    keys = [
        run.present({"content": f"Rule {n} of the house.", "source_url": f"https://a.example/{n}"})["ref"]
        for n in range(count)
    ]
    numbers = {key: n + 1 for n, key in enumerate(keys)}

    def read(text: str) -> Read:
        answer = run.resolve(text)
        cited = frozenset(numbers[s.passage.ref] for one in answer.citations for s in one.sources)
        return Read(cited, bool(answer.misses))

    def render(text: str) -> str:
        rendered = own.render_answer(run.resolve(text))
        return "\n\n".join([rendered.text, *showing.sources_list(rendered.sources)])

    def stream(pieces: list[str]) -> None:
        for _ in run.stream_sync(pieces):
            pass

    return Peer(
        f"**pincite {own.__version__}, `ref`**",
        "`CitationRun.resolve`; the keys are eight hexadecimal digits.",
        keys,
        "deadbeef",
        read,
        "yes",
        "listed, with a reason and a near one",
        render=render,
        stream=stream,
    )


def pincite_numbers(count: int) -> Peer:
    """Return pincite with numbered sources, for models that have to be given numbers."""
    own: Any = import_module("pincite")
    providers: Any = import_module("pincite.providers")
    sent = providers.SentSources()
    providers.numbered_sources(
        [providers.RequestDocument(f"Rule {n} of the house.", id=f"d{n}") for n in range(1, count + 1)], sent
    )
    numbers = {f"d{n}": n for n in range(1, count + 1)}

    def read(text: str) -> Read:
        response = {"choices": [{"message": {"content": text}}]}
        bound = sent.bind(providers.read_response("openai_compatible", response))
        cited = frozenset(numbers[s.document_id] for one in bound.citations for s in one.sources)
        return Read(cited, bool(bound.unmapped))

    return Peer(
        f"**pincite {own.__version__}, numbers**",
        "`numbered_sources` and `SentSources.bind`; the keys are 1, 2, 3, as for the next two.",
        [str(n) for n in range(1, count + 1)],
        str(count + 4),
        read,
        "yes",
        "listed",
        numbers=True,
    )


def plain_re(count: int) -> Peer:
    """Return the few lines that most people write themselves."""
    pattern = re.compile(r"\[\s*(\d+(?:\s*[,;]\s*\d+)*)\s*\]")

    def read(text: str) -> Read:
        found = (int(n) for match in pattern.finditer(text) for n in re.split(r"[,;]", match[1]))
        return Read(frozenset(n for n in found if 1 <= n <= count))

    return Peer(
        f"`re`, Python {sys.version.split()[0]}",
        f"`{pattern.pattern}`".replace("|", "\\|") + ", and numbers out of range left out.",
        [str(n) for n in range(1, count + 1)],
        str(count + 4),
        read,
        "yes",
        "left to you",
        numbers=True,
    )


def haystack(count: int) -> Peer:
    """Return Haystack's `AnswerBuilder`."""
    builders: Any = import_module("haystack.components.builders")
    document: Any = import_module("haystack").Document
    documents = [document(content=f"Rule {n} of the house.") for n in range(count)]
    pattern = r"\[\s*(\d+(?:\s*[,-]\s*\d+)*)\s*\]"
    builder = builders.AnswerBuilder(reference_pattern=pattern, expand_reference_ranges=True)

    def read(text: str) -> Read:
        (answer,) = builder.run(query="", replies=[text], documents=documents)["answers"]
        return Read(frozenset(one.meta["source_index"] for one in answer.documents))

    return Peer(
        f"{named('haystack-ai')}, `AnswerBuilder`",
        f"`reference_pattern` `{pattern}`, wider than its own, with `expand_reference_ranges`.",
        [str(n) for n in range(1, count + 1)],
        str(count + 4),
        read,
        "no: a set of documents",
        "a warning in the log",
        numbers=True,
    )


def agrag(count: int) -> Peer:
    """Return agentic-graphrag's check and renderer; its store is not needed for them."""
    citation: Any = import_module("agrag.evidence.citation")
    rendering: Any = import_module("agrag.evidence.render")
    ids: Any = import_module("agrag.evidence.ids")
    models: Any = import_module("agrag.common.data_models.evidence")
    document: Any = import_module("agrag.common.data_models.document").Document
    keys: list[str] = []
    fetched: list[Any] = []
    for n in range(count):
        reference = models.EvidenceReference(
            kind=models.EvidenceKind.CHUNK,
            document_node_id=document.node_id_for(document_key=f"d{n}"),
            content_hash_prefix=f"{n:016x}",
            chunk_id=uuid5(SPACE, str(n)),
        )
        keys.append(ids.encode_evidence_id(reference))
        fetched.append(
            models.FetchOutcome(
                evidence_id=keys[-1],
                status=models.FetchStatus.OK,
                text=f"Rule {n} of the house.",
                document_key=f"d{n}",
                title=f"Rule {n}",
                uri=f"https://a.example/{n}",
            )
        )
    numbers = {key: n + 1 for n, key in enumerate(keys)}
    scope = frozenset(f"d{n}" for n in range(count))
    unknown = keys[0][:-12] + "0" * 12

    def checked(text: str) -> tuple[list[str], bool]:
        parsed = citation.parse_citations(text)
        result = asyncio.run(citation.check_citations(parsed.ids, keys, scope=scope))
        valid = [one.cited_id for one in result.checks if one.verdict.value == "valid"]
        return valid, bool(parsed.malformed_tokens) or len(valid) < len(parsed.ids)

    def read(text: str) -> Read:
        valid, told = checked(text)
        rendering.render_citations(text, valid, fetched)
        return Read(frozenset(numbers[one] for one in valid), told)

    def render(text: str) -> str:
        return rendering.render_citations(text, checked(text)[0], fetched)[0]

    return Peer(
        named("agentic-graphrag"),
        "`parse_citations`, `check_citations` and `render_citations`, all three timed; chunk ids of 96 characters,"
        " so its answer is twice as long.",
        keys,
        unknown,
        read,
        "no: a list of ids",
        "a verdict each, and malformed ones listed",
        render=render,
    )


if __name__ == "__main__":
    sys.exit(main())
