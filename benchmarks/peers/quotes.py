"""Quotes, through pincite and through what else finds words in a text: found, at the right place, and wrongly accepted.

Runs in the environment of `make peers` and prints the section of `docs/comparison.md`. The quotes are those of the
shared folder `quotes`. A matcher that gives a score has no verdict, so each is given the bar that judges most of the
known cases rightly, which flatters it.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import multiprocessing
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from benchmarks.peers.tables import (
    AbsentError,
    best_in_turns,
    counted,
    named,
    print_list,
    print_table,
    shared,
    times,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROUNDS = 3
IOU = 0.9
SMALLEST_BLOCK = 3
"""Characters that a matching block of difflib has to have, not to be one by chance."""
SECONDS = 2.0
"""What LangChain's finder has for one quote before it is stopped."""


class Asked(NamedTuple):
    """A quote, its source, where it stands there (None: it must be refused), and what stands in front of it."""

    name: str
    quote: str
    source: str
    gold: tuple[int, int] | None
    prefix: str | None = None
    suffix: str | None = None


class Found(NamedTuple):
    """What a peer says of a quote: a span (None: it gives none), a score, and its own verdict (None: it has none)."""

    span: tuple[int, int] | None
    score: float = 1.0
    accepted: bool | None = None


class Peer(NamedTuple):
    """A package under its name, the settings it was given, and how it answers one quote."""

    name: str
    settings: str
    find: Callable[[Asked], Found | None]


class Judged(NamedTuple):
    """What came out: names of the cases that went wrong, and counts."""

    bar: float | None
    right: int
    unplaced: int
    missed: list[str]
    accepted: list[str]
    located: int | None
    foreign: int
    seconds: float | None


def main() -> int:
    """Print the section; return 3 when the quotes are absent."""
    try:
        folder = shared("quotes")
    except AbsentError as absent:
        print(absent, file=sys.stderr)
        return 3
    cases = [
        Asked(
            row["name"],
            row["quote"],
            row["source"],
            tuple(row["gold"]) if row["want"] == "find" else None,
            row.get("prefix"),
            row.get("suffix"),
        )
        for row in json.loads((folder / "cases.json").read_text("utf-8"))
    ]
    rows = [json.loads(line) for line in (folder / "edited.jsonl").read_text("utf-8").splitlines()]
    edited = [
        Asked(str(number), row["quote"], row["source"], tuple(row["gold"])) for number, row in enumerate(rows)
    ]
    with tempfile.TemporaryDirectory() as scratch:
        asked = peers(cases, edited, Path(scratch))
        clocks = best_in_turns(
            ROUNDS, *(lambda peer=peer: [peer.find(one) for one in edited] for peer in asked)
        )
        judged = [
            (peer, judge(peer, cases, edited, clock)) for peer, clock in zip(asked, clocks, strict=True)
        ]
    node = judge_node(cases, edited)
    if node is not None:
        judged.append(node)
    report(judged, cases, len(edited))
    return 0


def report(judged: list[tuple[Peer, Judged]], cases: Sequence[Asked], edited: int) -> None:
    """Print the table and what each gets wrong."""
    genuine = sum(case.gold is not None for case in cases)
    ours = judged[0][1].seconds or 1.0
    judged.append(langchain(cases))
    heads = (
        "Peer",
        f"Genuine, accepted at the right place (of {genuine})",
        f"Altered, accepted (of {len(cases) - genuine})",
        f"Edited, found at the right place (of {edited})",
        "Found in a passage that it is not from",
        "µs a quote",
        "Against pincite",
    )
    print_table(
        heads,
        (
            (
                peer.name,
                f"{one.right} without a place" if one.unplaced else one.right,
                len(one.accepted),
                "no places" if one.located is None else "not run" if one.located < 0 else one.located,
                "not run" if one.foreign < 0 else one.foreign,
                "not run" if one.seconds is None else f"{one.seconds / edited * 1e6:,.0f}",
                "" if one.seconds is None else times(one.seconds, ours),
            )
            for peer, one in judged
        ),
    )
    print_list(
        "Settings:",
        (
            f"{peer.name}: {peer.settings}" + (f" The bar: {one.bar:.2f}." if one.bar is not None else "")
            for peer, one in judged
            if peer.settings
        ),
    )
    print_list(
        "What each gets wrong (names of the cases; those that begin with `REJ` must not be accepted):",
        (
            f"{peer.name}: missed or misplaced {counted(one.missed)}; accepted {counted(one.accepted)}."
            for peer, one in judged
        ),
    )


def judge(peer: Peer, cases: Sequence[Asked], edited: Sequence[Asked], seconds: float) -> Judged:
    """Ask a peer everything."""
    answers = [peer.find(case) for case in cases]
    apart = [one._replace(source=other_source(edited, index)) for index, one in enumerate(edited)]
    found = [peer.find(one) for one in edited]
    foreign = [
        peer.find(one) if one.source != edited[index].source else None for index, one in enumerate(apart)
    ]
    return weigh(answers, found, foreign, cases, edited, seconds)


def weigh(
    answers: list[Found | None],
    found: list[Found | None],
    foreign: list[Found | None],
    cases: Sequence[Asked],
    edited: Sequence[Asked],
    seconds: float,
) -> Judged:
    """Choose the bar of a peer that has a score, and count."""
    scored = any(one is not None and one.accepted is None for one in answers)
    bar = None
    if scored:
        bars = sorted({one.score for one in answers if one is not None})
        bar = max(bars, key=lambda given: (rightly(answers, cases, given), -given))
    unplaced = any(one is not None and one.span is None for one in answers)
    located = sum(
        passes(one, bar, verdict=False) and overlap(one, asked.gold) >= IOU
        for one, asked in zip(found, edited, strict=True)
    )
    pairs = list(zip(answers, cases, strict=True))
    return Judged(
        bar,
        sum(is_right(one, case, bar) for one, case in pairs if case.gold),
        int(unplaced),
        [case.name for one, case in pairs if case.gold and not is_right(one, case, bar)],
        [case.name for one, case in pairs if not case.gold and passes(one, bar)],
        None if unplaced else located,
        sum(passes(one, bar, verdict=False) for one in foreign),
        seconds,
    )


def passes(one: Found | None, bar: float | None, *, verdict: bool = True) -> bool:
    """Say whether a quote is accepted; without `verdict`, whether a place of it is given at all."""
    if one is None:
        return False
    if one.accepted is not None:
        return one.accepted if verdict or one.span is None else True
    return one.score >= (bar or 0.0)


def is_right(one: Found | None, case: Asked, bar: float | None) -> bool:
    """Say whether a genuine quote is accepted and, where a span is given, that is the right one."""
    if not passes(one, bar) or one is None or case.gold is None:
        return False
    return one.span is None or overlap(one, case.gold) >= IOU


def rightly(answers: list[Found | None], cases: Sequence[Asked], bar: float) -> int:
    """Return how many of the cases a bar judges rightly."""
    return sum(
        is_right(one, case, bar) if case.gold else not passes(one, bar)
        for one, case in zip(answers, cases, strict=True)
    )


def overlap(one: Found | None, gold: tuple[int, int] | None) -> float:
    """Return intersection over union of a span and the right one."""
    if one is None or one.span is None or gold is None:
        return 0.0
    (start, end), (first, last) = one.span, gold
    both = min(end, last) - max(start, first)
    return max(0, both) / (max(end, last) - min(start, first))


def other_source(edited: Sequence[Asked], index: int) -> str:
    """Return the passage of another quote."""
    return edited[(index + len(edited) // 2) % len(edited)].source


def peers(cases: Sequence[Asked], edited: Sequence[Asked], scratch: Path) -> list[Peer]:
    """Return what runs in this process, pincite first."""
    checking: Any = import_module("pincite.checking")
    own: Any = import_module("pincite")
    fuzz: Any = import_module("rapidfuzz.fuzz")
    edlib: Any = import_module("edlib")
    resolver: Any = import_module("langextract.resolver")
    extraction: Any = import_module("langextract.data").Extraction

    def pincite(asked: Asked) -> Found | None:
        check = checking.verify_quote(asked.quote, asked.source, prefix=asked.prefix, suffix=asked.suffix)
        if check.start is None:
            return None
        return Found((check.start, check.end), 1.0, check.is_verified)

    def rapidfuzz(asked: Asked) -> Found | None:
        one = fuzz.partial_ratio_alignment(asked.quote, asked.source)
        return one and Found((one.dest_start, one.dest_end), one.score / 100)

    def aligned(asked: Asked) -> Found | None:
        try:
            one = edlib.align(asked.quote, asked.source, mode="HW", task="locations")
        except ValueError:  # more than 256 different characters
            return None
        first, last = one["locations"][0]
        return Found((first or 0, last + 1), 1 - one["editDistance"] / len(asked.quote))

    def extracted(*, exact: bool) -> Callable[[Asked], Found | None]:
        def find(asked: Asked) -> Found | None:
            one = extraction("quote", asked.quote)
            resolver.WordAligner().align_extractions([[one]], asked.source, enable_fuzzy_alignment=not exact)
            place = one.char_interval
            if place is None or place.start_pos is None:
                return None
            if exact and one.alignment_status.value != "match_exact":
                return None
            return Found((place.start_pos, place.end_pos), 1.0, accepted=True)

        return find

    krokai = krokai_finder(scratch, {one.source for one in (*cases, *edited)})
    release = f"pincite {own.__version__}"
    return [
        Peer(
            f"**{release}**",
            "`verify_quote` with the extra `spelling`; `is_verified` counts as accepted.",
            pincite,
        ),
        Peer(
            named("rapidfuzz"),
            "`partial_ratio_alignment`, on the texts as they are, since offsets are wanted.",
            rapidfuzz,
        ),
        Peer(
            named("edlib"), "mode `HW`, the first of the best places; the share of the quote kept.", aligned
        ),
        Peer(
            f"difflib, Python {sys.version.split()[0]}",
            "the longest block, then what matches around it; `ratio`.",
            by_difflib,
        ),
        Peer(
            f"{named('langextract')}, all alignments",
            "`WordAligner`, as it comes.",
            extracted(exact=False),
        ),
        Peer(
            f"{named('langextract')}, exact alone",
            "`WordAligner` without fuzzy alignment, only `match_exact` accepted.",
            extracted(exact=True),
        ),
        Peer(
            named("krokai"),
            "each source a file of its own, indexed beforehand (not timed); the verdicts of `CLEAN` accepted.",
            krokai,
        ),
    ]


def not_asked(asked: Asked) -> Found | None:
    """Find nothing: the answers of this peer come from a process of its own."""
    del asked


def krokai_finder(scratch: Path, sources: set[str]) -> Callable[[Asked], Found | None]:
    """Return krokai's check over an index for each source, as it wants files."""
    corpus: Any = import_module("krokai.corpus")
    verify: Any = import_module("krokai.verify")
    clean: frozenset[str] = frozenset(import_module("krokai.verdicts").CLEAN)
    indexes: dict[str, Any] = {}
    for number, source in enumerate(sorted(sources)):
        folder = scratch / str(number)
        folder.mkdir()
        (folder / "source.txt").write_text(source, encoding="utf-8")
        indexes[source] = corpus.Corpus([str(folder)], quiet=True)

    def krokai(asked: Asked) -> Found | None:
        verdict, _, _ = verify.check(asked.quote, indexes[asked.source])
        return Found(None, 1.0, verdict in clean) if verdict in clean else None

    return krokai


def by_difflib(asked: Asked) -> Found | None:
    """Find a quote with the standard library: where its longest block stands, and what matches around that."""
    quote, source = asked.quote, asked.source
    longest = difflib.SequenceMatcher(None, source, quote, autojunk=False).find_longest_match()
    if not longest.size:
        return None
    room = len(quote) // 4
    first = max(0, longest.a - longest.b - room)
    window = source[first : longest.a - longest.b + len(quote) + room]
    matcher = difflib.SequenceMatcher(None, window, quote, autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size >= SMALLEST_BLOCK]
    if not blocks:
        return None
    start, end = first + blocks[0].a, first + blocks[-1].a + blocks[-1].size
    score = difflib.SequenceMatcher(None, source[start:end], quote, autojunk=False).ratio()
    return Found((start, end), score)


def judge_node(cases: Sequence[Asked], edited: Sequence[Asked]) -> tuple[Peer, Judged] | None:
    """Ask the matcher of the Hypothesis client, which runs in Node; None where that cannot be had."""
    here = Path(__file__).resolve().parent
    packages: Any = import_module("node_packages")
    try:
        node, home = packages.installed(here, "peers", "approx-string-match")
    except packages.AbsentError as absent:
        print(f"approx-string-match was not run: {absent}", file=sys.stderr)
        return None
    release = json.loads((here / "package.json").read_text("utf-8"))["dependencies"]["approx-string-match"]

    def ask(asked: Sequence[Asked]) -> tuple[list[Found | None], float]:
        lines = (
            json.dumps({"quote": one.quote, "source": one.source, "prefix": one.prefix}) for one in asked
        )
        done = subprocess.run(
            [node, here / "anchor.mjs", home / "node_modules"],
            input="\n".join(lines),
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        *said, clock = map(json.loads, done.stdout.strip().split("\n"))
        found = [
            one and Found((one["start"], one["end"]), 1 - one["errors"] / max(1, len(given.quote)))
            for one, given in zip(said, asked, strict=True)
        ]
        return found, clock["ms"] / 1e3

    answers, _ = ask(cases)
    found, seconds = ask(edited)
    apart = [one._replace(source=other_source(edited, index)) for index, one in enumerate(edited)]
    foreign, _ = ask([one for one, own in zip(apart, edited, strict=True) if one.source != own.source])
    peer = Peer(
        f"`approx-string-match` {release} (npm), the matcher of the Hypothesis client",
        "exact first, else up to half of the quote changed, at most 256 characters; of equal places the one whose"
        " prefix agrees. The client itself is published as one script for a browser and was not run.",
        not_asked,
    )
    return peer, weigh(answers, found, foreign, cases, edited, seconds)


def langchain(cases: Sequence[Asked]) -> tuple[Peer, Judged]:
    """Ask LangChain's quote finder, each time in a process that is stopped after a while."""
    right, missed, accepted, stopped = 0, list[str](), list[str](), 0
    fuzzy: Any = import_module("langchain_classic.chains.openai_functions.citation_fuzzy_match")
    for case in cases:
        fact = fuzzy.FactWithEvidence(fact="", substring_quote=[case.quote])
        said: Any = cast("Any", multiprocessing.SimpleQueue)()
        worker = multiprocessing.get_context("fork").Process(target=first_span, args=(fact, case, said))
        worker.start()
        worker.join(SECONDS)
        spans: list[tuple[int, int]] = []
        if worker.is_alive():
            stopped += 1
            worker.kill()
            worker.join()
        elif not said.empty():
            spans = said.get()
        one = Found(spans[0]) if spans else None
        if case.gold is None:
            accepted += [case.name] if one else []
        elif overlap(one, case.gold) >= IOU:
            right += 1
        else:
            missed.append(case.name)
    settings = (
        f"`FactWithEvidence.get_spans`, the first span; stopped after {SECONDS:g} s a quote, which happened in"
        f" {stopped} of {len(cases)} cases. It was not asked for the edited quotes."
    )
    peer = Peer(named("langchain-classic"), settings, not_asked)
    return peer, Judged(None, right, 0, missed, accepted, -1, -1, None)


def first_span(fact: Any, case: Asked, said: Any) -> None:
    """Put the first span that LangChain finds into a queue; nothing where it raises, as for a quote with a brace."""
    with contextlib.suppress(Exception):
        said.put(list(fact.get_spans(case.source))[:1])


if __name__ == "__main__":
    sys.exit(main())
